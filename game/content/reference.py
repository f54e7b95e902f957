"""The rules to look up: a ruleset's rulebook, its terms, what it tells of its content, and a search over all of it.

The book is `docs/rules/<ruleset>.md` (`rulebook.py`). Tables that it takes from the content are filled with the content
that is played with, so they can't disagree with it. A term is an entry of its own unless the book has a part so named.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from game import paths
from game.content import tables as content
from rules.contract.errors import BattlematError, said
from rules.contract.text import Value, joined, text

CHAPTER, SECTION = re.compile(r"(\d+)\. (.+)"), re.compile(r"(\d+)\.(\d+) (.+)")
CITATION = re.compile(r"(?P<file>[a-z]+\.md)(?: §(?P<number>\d+(?:\.\d+)?))?(?: (?P<words>[^§,]+))?")
COMMENT = re.compile(r"<!--\s*(words|content):\s*(.*?)\s*-->", re.DOTALL)
_ARTICLE = re.compile(r"(?:the|an?) ")
_SHOWN = "a book has headings, paragraphs, lists and tables"


class ReferenceError(BattlematError):
    """A rulebook that is wrong; the text names file, heading and reason."""


class Sheet(msgspec.Struct, frozen=True):
    """A table: its head and its rows."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Listing(msgspec.Struct, frozen=True):
    """A list; numbered from 1, or with dots."""

    items: tuple[str, ...]
    numbered: bool = False


class Filled(msgspec.Struct, frozen=True):
    """A table out of the ruleset's content: which entries, and (field, heading) of each column.

    A column may hold several fields, one after another: `weapons+shield`; what an entry leaves out shows as a dash, or
    as is said: `reach?1`.
    """

    content: str
    where: tuple[tuple[str, str], ...]
    columns: tuple[tuple[str, str], ...]


Block = str | Listing | Sheet | Filled


class Part(msgspec.Struct, frozen=True):
    """What stands below one heading, without what stands below the headings in it."""

    number: str
    """Of its chapter or section, `4` or `2.8`; empty for the preface."""
    name: str
    """What a citation adds to the number; empty where the number alone is the address."""
    title: str
    chapter: str
    level: int
    blocks: tuple[Block, ...]
    words: tuple[str, ...] = ()


class Book(msgspec.Struct, frozen=True):
    """A rulebook as it stands in its file."""

    file: str
    title: str
    parts: tuple[Part, ...]

    def address(self, part: Part) -> str:
        """How a part is cited: `olde.md §6 Grip`."""
        return " ".join((self.file, *([f"§{part.number}"] if part.number else ()), *filter(None, (part.name,))))

    def at(self, number: str, name: str = "") -> Part | None:
        """The part that a citation means: a number, and maybe the name of something below it."""
        wanted = plain(name)
        if not wanted:
            return next((part for part in self.parts if part.number == number and not part.name), None)
        named = (part for part in self.parts if part.level > 1 and plain(part.title) == wanted)
        return next((p for p in named if f"{p.number}.".startswith(f"{number}.") or not number), None)


def plain(name: str) -> str:
    """A heading as it is compared: small letters, no leading article."""
    return _ARTICLE.sub("", name.strip().casefold(), count=1) if name else ""


def read(path: Path) -> Book:
    """The book in a file. Raises ReferenceError."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ReferenceError("{name}: cannot be read: {error}", name=path.name, error=said(error)) from None
    return parse(text, path.name)


def parse(text: str, file: str) -> Book:
    """The book that a Markdown text is. Raises ReferenceError."""
    return Book(file, *_Reader(file).book(SyntaxTreeNode(MarkdownIt("commonmark").enable("table").parse(text))))


class _Reader:
    """Goes through a book once, heading by heading."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.title = self.chapter = self.number = self.heading = ""
        self.seen: set[tuple[str, str]] = set()

    def fail(self, words: str, /, *values: Value, **fields: Value) -> ReferenceError:
        where = repr(self.heading) if self.heading else "before the first heading"
        why = text(words, *values, **fields) if values or fields else words
        return ReferenceError("{file}: {where}: {why}", self.file, where, why)

    def book(self, tree: SyntaxTreeNode) -> tuple[str, tuple[Part, ...]]:
        if not tree.children:
            raise self.fail("the file is empty; a book begins with its title, # Dungeons of Olde")
        heads = [number for number, node in enumerate(tree.children) if node.type == "heading"]
        if heads[:1] != [0]:
            raise self.fail("a book begins with its title, such as # Dungeons of Olde")
        ends = (*heads[1:], len(tree.children))
        parts = tuple(self._part(*tree.children[head:end]) for head, end in zip(heads, ends, strict=True))
        return self.title, parts

    # -- headings

    def _part(self, head: SyntaxTreeNode, *below: SyntaxTreeNode) -> Part:
        level = int(head.tag.removeprefix("h"))
        self.heading = self._text(head)
        name, title = self._placed(level)
        if (self.number, plain(name)) in self.seen:
            raise self.fail(
                text("§{number} has two headings of that name", self.number) if name else "that number is there twice"
            )
        self.seen.add((self.number, plain(name)))
        blocks, words = self._body(below)
        return Part(self.number, name, title, self.chapter or self.title, level, blocks, words)

    def _placed(self, level: int) -> tuple[str, str]:
        """What a citation adds to the number, and the title that is shown; the number is taken note of."""
        chapter, section = CHAPTER.fullmatch(self.heading), SECTION.fullmatch(self.heading)
        if level == 1:
            if self.title:
                raise self.fail("a book has one title")
            self.title = self.heading
            return "", self.heading
        if not self.title:
            raise self.fail("a book begins with its title, such as # Dungeons of Olde")
        if level == 2:
            if chapter is None:
                raise self.fail("a chapter begins with its number, such as ## 4. Turns")
            self.number, self.chapter = chapter[1], chapter[2]
            return "", chapter[2]
        if not self.chapter:
            raise self.fail("stands before the first chapter, such as ## 1. Dice")
        if section is not None and level == 3:
            if section[1] != self.number.partition(".")[0]:
                raise self.fail("its number is not one of chapter {number}", self.number.partition(".")[0])
            self.number = f"{section[1]}.{section[2]}"
            return "", section[3]
        if level == 3:
            self.number = self.number.partition(".")[0]
        return self.heading, self.heading

    # -- what stands below them

    def _body(self, nodes: Sequence[SyntaxTreeNode]) -> tuple[tuple[Block, ...], tuple[str, ...]]:
        blocks: list[Block] = []
        words: tuple[str, ...] = ()
        for node in nodes:
            kind = node.type.replace("_", " ")
            if node.type == "paragraph":
                blocks.append(self._text(node))
            elif node.type in ("bullet_list", "ordered_list"):
                blocks.append(Listing(tuple(map(self._item, node.children)), kind.startswith("ordered")))
            elif node.type == "table":
                lines = [line for section in node.children for line in section.children]
                head, *rows = (tuple(map(self._text, line.children)) for line in lines)
                if not (blocks and isinstance(blocks[-1], Filled)):  # written out below its comment
                    blocks.append(Sheet(head, tuple(rows)))
            elif node.type == "html_block":
                comment = COMMENT.fullmatch(node.content.strip())
                if comment is None:
                    wrong = "{join} is no comment of a book; there are words and content"
                    raise self.fail(wrong, repr(" ".join(node.content.split())[:60]))
                if comment[1] == "content":
                    blocks.append(self._filled(comment[2]))
                elif blocks or words:
                    raise self.fail("the comment words stands directly below its heading")
                else:
                    words = tuple(word.strip().lower() for word in comment[2].split(",") if word.strip())
            else:
                raise self.fail("a {type} is not shown; {shown}", kind, _SHOWN)
        return tuple(blocks), words

    def _filled(self, text: str) -> Filled:
        given = dict.fromkeys(("where", "columns"), "")
        name, *rest = (part.strip() for part in text.split(";"))
        for part in rest:
            key, _, value = part.partition(":")
            if key.strip() not in given:
                raise self.fail("content: {key} is none of {given}", key=repr(key.strip()), given=joined(", ", given))
            given[key.strip()] = value
        where, columns = (self._pairs(key, value) for key, value in given.items())
        if not name or not columns:
            raise self.fail("content needs a table and columns: field=Heading, ...")
        return Filled(name, where, columns)

    def _pairs(self, key: str, text: str) -> tuple[tuple[str, str], ...]:
        pairs = [part.strip().partition("=") for part in text.split(",") if part.strip()]
        for field, equals, value in pairs:
            if not (field and equals and value):
                wrong = "content: {key}: {field} needs a value, as in {key}: field=value"
                raise self.fail(wrong, key, repr(field))
        return tuple((field.strip(), value.strip()) for field, _, value in pairs)

    def _item(self, item: SyntaxTreeNode) -> str:
        for node in item.children:
            if node.type != "paragraph":
                raise self.fail("a {type} in a list is not shown", node.type.replace("_", " "))
        return " ".join(map(self._text, item.children))

    def _text(self, node: SyntaxTreeNode) -> str:
        out = ""
        for child in node.children[0].walk(include_self=False):
            if child.type in ("text", "code_inline"):
                out += child.content
            elif child.type in ("softbreak", "hardbreak"):
                out += " "
            elif child.type in ("image", "html_inline"):
                raise self.fail("a {what} is not shown; {shown}", "picture" if child.type == "image" else "tag", _SHOWN)
        return " ".join(out.split())


# -- out of the content ---------------------------------------------------------------------------------


def filled(table: Filled, content: Mapping[str, Sequence[Mapping[str, Any]]], where: str) -> Sheet:
    """A table out of content, a row for each entry and each of its modes. Raises ReferenceError for what isn't there.

    Natural weapons and the like are left out unless `where` asks for them. `where` of the arguments names the place.
    """
    if table.content not in content:
        wrong = "{where}: content: {content} is none of {content2}"
        raise ReferenceError(wrong, where, repr(table.content), joined(", ", content))
    entries = [{**entry, **mode} for entry in content[table.content] for mode in entry.get("modes", ({},))]
    fields = {field for entry in entries for field in _fields(entry)}
    for field in (each for column, _ in (*table.where, *table.columns) for each in _columns(column)[0]):
        if field not in fields:
            wrong = "{where}: content: no entry of {content} has a field {field}"
            raise ReferenceError(wrong, where, table.content, repr(field))
    asked = dict(table.where)
    offered = (entry for entry in entries if "natural" in asked or not entry.get("natural"))
    chosen = [each for each in offered if all(_is(_field(each, field), value) for field, value in asked.items())]
    rows = tuple(tuple(_shown(entry, column) for column, _ in table.columns) for entry in chosen)
    return Sheet(tuple(heading for _, heading in table.columns), rows)


def _fields(entry: Mapping[str, Any]) -> Iterator[str]:
    """What a column may ask of an entry: its fields, and `attacks.name` of a list of tables in it."""
    for field, value in entry.items():
        yield field
        if isinstance(value, list):
            yield from (f"{field}.{inner}" for each in value if isinstance(each, dict) for inner in each)


def _field(entry: Mapping[str, Any], field: str) -> Any:
    name, _, inner = field.partition(".")
    value = entry.get(name)
    return [each[inner] for each in value or () if inner in each] if inner else value


def _is(value: Any, wanted: str) -> bool:
    """Whether a field has a value; `some` and `none`: whether it has any."""
    if wanted in ("some", "none"):
        return bool(_cell(value)) == (wanted == "some")
    return _cell(value) == ("yes" if wanted == "true" else wanted)


def _columns(column: str) -> tuple[list[str], str]:
    """The fields of a column, and what it shows where an entry has none of them."""
    fields, _, otherwise = column.partition("?")
    return fields.split("+"), otherwise or "–"


def _shown(entry: Mapping[str, Any], column: str) -> str:
    fields, otherwise = _columns(column)
    return joined(", ", filter(None, (_told(field, _field(entry, field)) for field in fields))) or otherwise


def _told(field: str, value: Any) -> str:
    """A field in words; dice are a list of their ranks."""
    if field.rpartition(".")[2] == "dice" and isinstance(value, list):
        return "+".join(f"d{rank}" for rank in value)
    return _cell(value)


def _cell(value: Any) -> str:
    """A field of content in words; empty for nothing."""
    if value is None or value is False:
        return ""
    if value is True:
        return "yes"
    if isinstance(value, dict):
        return " ".join(filter(None, (str(value.get("name", "")), _told("dice", value.get("dice")))))
    if isinstance(value, list):
        spans = list(dict.fromkeys(map(_cell, value)))
        return ("–" if all(isinstance(each, int) for each in value) else ", ").join(spans)
    if isinstance(value, int | float):
        return f"{value:g}".replace("-", "−")
    return str(value)


TERMS = "Terms"
"""The chapter of the terms."""

Shown = str | Listing | Sheet


class Page(msgspec.Struct, frozen=True):
    """What can be looked up: a part of the book, something of the content, or a term."""

    chapter: str
    title: str
    rule: str
    blocks: tuple[Shown, ...]
    words: tuple[str, ...] = ()
    depth: int = 0
    """How many headings of its chapter it lies below."""

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """Its sentences, without lists and tables."""
        return tuple(block for block in self.blocks if isinstance(block, str))

    @property
    def tables(self) -> tuple[Sheet, ...]:
        """Its tables."""
        return tuple(block for block in self.blocks if isinstance(block, Sheet))

    @property
    def whole(self) -> str:
        """All its words, for the search."""
        cells = (cell for table in self.tables for row in table.rows for cell in row)
        items = (item for block in self.blocks if isinstance(block, Listing) for item in block.items)
        return " ".join((self.title, self.rule, *self.words, *self.paragraphs, *items, *cells)).lower()


@functools.cache
def book(ruleset_id: str) -> Book | None:
    """A ruleset's rulebook; None if it has none. Raises ReferenceError for a faulty one."""
    path = paths.rulebooks() / f"{ruleset_id}.md"
    return read(path) if path.is_file() else None


@functools.cache
def pages(ruleset_id: str) -> tuple[Page, ...]:
    """Everything to look up of a ruleset: its book from the first page on, what its content tells, then its terms.

    Raises ReferenceError or ContentError for a faulty file.
    """
    entries = getattr(words_of(ruleset_id, "handbook"), "entries", None)
    made = entries(content.tables(ruleset_id)) if entries is not None else ()
    handbook = (Page(each.chapter, each.title, each.rule, each.paragraphs, (each.title.lower(),)) for each in made)
    told = [*_written(ruleset_id), *handbook]
    titles = {page.title.lower() for page in told}
    terms: Mapping[str, tuple[str, str]] = getattr(words_of(ruleset_id, "terms"), "TERMS", {})
    entered = ((word, said, rule) for word, (said, rule) in sorted(terms.items()) if word.lower() not in titles)
    return (*told, *(Page(TERMS, word[:1].upper() + word[1:], rule, (said,)) for word, said, rule in entered))


def _written(ruleset_id: str) -> list[Page]:
    found = book(ruleset_id)
    if found is None:
        return []
    takes = any(isinstance(block, Filled) for part in found.parts for block in part.blocks)
    entries = stock(ruleset_id) if takes else {}
    pages = []
    for part in found.parts:
        where = text("{file}: {title}", found.file, repr(part.title))
        blocks = tuple(filled(b, entries, where) if isinstance(b, Filled) else b for b in part.blocks)
        depth = max(0, part.level - 3)
        pages += [Page(part.chapter, part.title, found.address(part), blocks, part.words, depth)] if blocks else []
    return pages


def stock(ruleset_id: str) -> Mapping[str, Sequence[content.Entry]]:
    """All content that a book's tables may be filled with."""
    people = {"heroes": content.heroes(ruleset_id), "monsters": content.monsters(ruleset_id)}
    return content.tables(ruleset_id) | {name: list(each.values()) for name, each in people.items()}


def words_of(ruleset_id: str, part: str) -> Any:
    """The module with a part of a ruleset's words, such as `terms`: its own, or `rules.<ruleset>.text` with all."""
    for name in (f"text.{part}", part, "text"):
        with contextlib.suppress(ModuleNotFoundError):
            return importlib.import_module(f"rules.{ruleset_id}.{name}")
    return None


def search(ruleset_id: str, query: str) -> list[Page]:
    """The entries that have all the words of a query, best first: titles, then words that lead there, then the rest."""
    words = query.lower().split()
    found = [page for page in pages(ruleset_id) if all(word in page.whole for word in words)]
    whole = " ".join(words)

    def rank(page: Page) -> int:
        title = page.title.lower()
        has_all = all(word in title for word in words)
        return (title == whole, title.startswith(whole), whole in page.words, has_all, True).index(True)

    return sorted(found, key=rank) if words else found


def find(ruleset_id: str, *asked: str) -> Page | None:
    """The entry for a term or a rule (`stunned`, `olde.md §6 Grip`): the first of `asked` that leads anywhere.

    Of two entries of one name the one counts whose rule is asked for, too, and of several rules (`olde.md §2, §7`) the
    first. A chapter without words of its own leads to its first part.
    """
    known = pages(ruleset_id)
    for asked_for in asked:
        word = asked_for.strip().lower()
        called = [page for page in known if word and page.title.lower() == word]
        led = called or [page for page in known if word and word in page.words]
        if led:
            rules = [each.lower() for each in asked]
            return next((page for page in led if page.rule.lower() in rules), led[0])
        cited = _cited(ruleset_id, asked_for.partition(",")[0].strip()) if word else None
        if cited is not None:
            return cited
    return None


def _cited(ruleset_id: str, rule: str) -> Page | None:
    """The page of a citation: that of its part, else the next one in the book."""
    found, meant = book(ruleset_id), CITATION.fullmatch(rule)
    if found is None or meant is None or meant["file"] != found.file:
        return None
    part = found.at(meant["number"] or "", meant["words"] or "")
    if part is None:
        return None
    after = found.parts[found.parts.index(part) :]
    first = next((found.address(each) for each in after if each.blocks), "")
    return next((page for page in pages(ruleset_id) if page.rule == first), None)


def related(ruleset_id: str, page: Page, most: int = 6) -> Sequence[Page]:
    """Where to read on: entries that name this one among the words that lead there, then those that it names so."""
    known = [each for each in pages(ruleset_id) if each != page]
    naming = [each for each in known if page.title.lower() in each.words]
    named = [each for each in known if each.title.lower() in page.words and each not in naming]
    return [*naming, *named][:most]

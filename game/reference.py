"""The rules to look up: pages of `assets/reference/<ruleset>/*.toml`, the ruleset's terms, and a search over both.

A page's tables are written out, or taken from the ruleset's content (`content`, `columns`), so that they can't disagree
with what is played. Every term of a ruleset is an entry of its own; the page that names it is found beside it.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from game import content, paths
from rules.errors import BattlematError
from rules.wrong import place, reason

TERMS = "Terms"
"""The chapter of the terms."""


class ReferenceError(BattlematError):
    """A reference file that is wrong; the text names file, page and field."""


class TableModel(BaseModel):
    """A table: written out (`head`, `rows`), or out of the content."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    content: str = ""
    where: Mapping[str, str] = {}
    columns: tuple[tuple[str, str], ...] = ()

    @model_validator(mode="after")
    def _one_kind(self) -> TableModel:
        if bool(self.content) == bool(self.rows):
            raise ValueError("needs either rows or content")
        if self.content and not self.columns:
            raise ValueError("content needs columns: [[field, heading], ...]")
        if any(len(row) != len(self.head) for row in self.rows):
            raise ValueError("every row needs as many cells as the head")
        return self


class PageModel(BaseModel):
    """One page."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
    title: str = Field(min_length=1)
    rule: str = Field(min_length=1)
    words: tuple[str, ...] = ()
    text: str = ""
    table: tuple[TableModel, ...] = ()


class ChapterModel(BaseModel):
    """One file."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
    chapter: str = Field(min_length=1)
    page: tuple[PageModel, ...] = Field(min_length=1)


class Sheet(msgspec.Struct, frozen=True):
    """A table ready to be shown."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Page(msgspec.Struct, frozen=True):
    """What can be looked up: a page of a chapter, or a term."""

    chapter: str
    title: str
    rule: str
    paragraphs: tuple[str, ...]
    words: tuple[str, ...] = ()
    tables: tuple[Sheet, ...] = ()

    @property
    def whole(self) -> str:
        """All its words, for the search."""
        cells = (cell for table in self.tables for row in table.rows for cell in row)
        return " ".join((self.title, self.rule, *self.words, *self.paragraphs, *cells)).lower()


@functools.cache
def pages(ruleset_id: str) -> tuple[Page, ...]:
    """Everything to look up of a ruleset: its pages by chapter, then its terms by the alphabet.

    Raises ReferenceError or ContentError for a faulty file.
    """
    out: list[Page] = []
    folder = paths.asset("reference", ruleset_id)
    for path in sorted(folder.glob("*.toml")) if folder.is_dir() else ():
        try:
            document = tomllib.loads(path.read_text(encoding="utf-8"))
            chapter = ChapterModel.model_validate(document)
        except (tomllib.TOMLDecodeError, OSError, UnicodeDecodeError) as error:
            raise ReferenceError(f"{path.name}: {error}") from None
        except ValidationError as error:
            raise ReferenceError(f"{path.name}: {_where(document, error.errors()[0])}") from None
        out += [_page(ruleset_id, path.name, chapter.chapter, page) for page in chapter.page]
        twice = [page.title for page in out]
        for page in chapter.page:
            if twice.count(page.title) > 1:
                raise ReferenceError(f"{path.name}: page {page.title!r}: title: there are two of that name")
    return (*out, *_handbook(ruleset_id), *_terms(ruleset_id))


def _where(document: Mapping[str, Any], first: Mapping[str, Any]) -> str:
    """`page 'Dice': words: needs a list`: which page by its title, which field, why."""
    loc = first["loc"]
    if len(loc) < 2 or loc[0] != "page":
        return f"{place(first, 'file')}: {reason(first)}"
    page = document["page"][loc[1]]
    title = page.get("title") if isinstance(page, dict) else None
    named = f"page {title!r}" if isinstance(title, str) and title else f"page number {loc[1] + 1}"
    return f"{named}: {place({'loc': loc[2:]})}: {reason(first)}"


def _page(ruleset_id: str, file: str, chapter: str, page: PageModel) -> Page:
    paragraphs = tuple(" ".join(part.split()) for part in page.text.split("\n\n") if part.strip())
    tables = tuple(_sheet(ruleset_id, f"{file}: {page.title}", table) for table in page.table)
    return Page(chapter, page.title, page.rule, paragraphs, page.words, tables)


def _sheet(ruleset_id: str, where: str, table: TableModel) -> Sheet:
    if not table.content:
        return Sheet(table.head, table.rows)
    tables = content.tables(ruleset_id)
    if table.content not in tables:
        raise ReferenceError(f"{where}: content: {table.content!r} is none of {', '.join(tables)}")
    entries = [
        {**entry, **mode}
        for entry in tables[table.content]
        for mode in entry.get("modes", ({},))
        if not entry.get("natural")
    ]
    chosen = [e for e in entries if all(e.get(field) == value for field, value in table.where.items())]
    rows = tuple(tuple(_cell(entry.get(field, "")) for field, _ in table.columns) for entry in chosen)
    return Sheet(tuple(heading for _, heading in table.columns), rows)


def _cell(value: Any) -> str:
    if isinstance(value, list):
        spans = list(dict.fromkeys(value))
        return "–".join(map(str, spans))
    if isinstance(value, int) and value < 0:
        return f"−{-value}"
    return str(value)


def _handbook(ruleset_id: str) -> list[Page]:
    """Pages that a ruleset makes from its content: `rules.<ruleset>.handbook.entries`, where there is one."""
    name = f"rules.{ruleset_id}.handbook"
    if importlib.util.find_spec(name) is None:
        return []
    made = importlib.import_module(name).entries(content.tables(ruleset_id))
    return [
        Page(each.chapter, each.title, each.rule, each.paragraphs, (each.title.lower(),)) for each in made
    ]


def _terms(ruleset_id: str) -> list[Page]:
    try:
        module = importlib.import_module(f"rules.{ruleset_id}.terms")
    except ModuleNotFoundError:
        return []
    terms: Mapping[str, tuple[str, str]] = getattr(module, "TERMS", {})
    return [
        Page(TERMS, word[:1].upper() + word[1:], rule, (sentence,))
        for word, (sentence, rule) in sorted(terms.items())
    ]


def search(ruleset_id: str, query: str) -> list[Page]:
    """The entries that have all the words of a query, best first: titles, then words that lead there, then the rest."""
    words = query.lower().split()
    found = [page for page in pages(ruleset_id) if all(word in page.whole for word in words)]
    whole = " ".join(words)

    def rank(page: Page) -> int:
        if page.title.lower() == whole:
            return 0
        if page.title.lower().startswith(whole):
            return 1
        if whole in page.words:
            return 2
        return 3 if all(word in page.title.lower() for word in words) else 4

    return sorted(found, key=rank) if words else found


def find(ruleset_id: str, *asked: str) -> Page | None:
    """The entry for a term or a rule (`stunned`, `olde.md §6 grip`): the first of `asked` that leads anywhere.

    A place within a section that has no page of its own leads to the page of what lies around it.
    """
    known = pages(ruleset_id)
    for word in (w.strip().lower() for w in asked if w and w.strip()):
        for test in (_named, _led, _at):
            for page in known:
                if test(page, word):
                    return page
        around = [page for page in known if word.startswith(page.rule.lower() + " ")]
        if around:
            return max(around, key=lambda page: len(page.rule))
    return None


def _named(page: Page, word: str) -> bool:
    return page.title.lower() == word


def _led(page: Page, word: str) -> bool:
    return word in page.words


def _at(page: Page, word: str) -> bool:
    return page.rule.lower() == word


def related(ruleset_id: str, page: Page, most: int = 6) -> Sequence[Page]:
    """Where to read on: pages that name a term, and terms that a page leads to."""
    known = pages(ruleset_id)
    if page.chapter == TERMS:
        return [p for p in known if p.chapter != TERMS and page.title.lower() in p.words][:most]
    return [p for p in known if p.chapter == TERMS and p.title.lower() in page.words][:most]

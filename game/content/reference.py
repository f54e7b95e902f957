"""The rules to look up: a ruleset's rulebook, its terms, what it tells of its content, and a search over all of it.

The book is `docs/rules/<ruleset>.md` (`rulebook.py`). Tables that it takes from the content are filled with the content
that is played with, so they can't disagree with it. A term is an entry of its own unless the book has a part so named.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
from collections.abc import Mapping, Sequence

import msgspec

from game import paths, rulebook
from game.content import tables as content
from game.rulebook import CITATION, Book, Filled, Listing, Part, ReferenceError, Sheet

__all__ = [
    "TERMS", "Listing", "Page", "ReferenceError", "Sheet", "book", "find", "pages", "related", "search", "stock",
]  # fmt: skip

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
    return rulebook.read(path) if path.is_file() else None


@functools.cache
def pages(ruleset_id: str) -> tuple[Page, ...]:
    """Everything to look up of a ruleset: its book from the first page on, what its content tells, then its terms.

    Raises ReferenceError or ContentError for a faulty file.
    """
    written = _written(ruleset_id)
    told = [*written, *_handbook(ruleset_id)]
    titles = {page.title.lower() for page in told}
    return (*told, *(term for term in _terms(ruleset_id) if term.title.lower() not in titles))


def _written(ruleset_id: str) -> list[Page]:
    found = book(ruleset_id)
    if found is None:
        return []
    takes = any(isinstance(block, Filled) for part in found.parts for block in part.blocks)
    entries = stock(ruleset_id) if takes else {}
    return [_page(found, part, entries) for part in found.parts if part.blocks]


def stock(ruleset_id: str) -> Mapping[str, Sequence[content.Entry]]:
    """All content that a book's tables may be filled with."""
    people = {"heroes": content.heroes(ruleset_id), "monsters": content.monsters(ruleset_id)}
    return content.tables(ruleset_id) | {name: list(each.values()) for name, each in people.items()}


def _page(found: Book, part: Part, entries: Mapping[str, Sequence[content.Entry]]) -> Page:
    where = f"{found.file}: {part.title!r}"
    blocks = tuple(rulebook.filled(b, entries, where) if isinstance(b, Filled) else b for b in part.blocks)
    return Page(part.chapter, part.title, found.address(part), blocks, part.words, max(0, part.level - 3))


def _handbook(ruleset_id: str) -> list[Page]:
    """Pages that a ruleset makes from its content: `rules.<ruleset>.handbook.entries`, where there is one."""
    name = f"rules.{ruleset_id}.text.handbook"
    if importlib.util.find_spec(name) is None:
        return []
    made = importlib.import_module(name).entries(content.tables(ruleset_id))
    return [Page(each.chapter, each.title, each.rule, each.paragraphs, (each.title.lower(),)) for each in made]


def _terms(ruleset_id: str) -> list[Page]:
    try:
        module = importlib.import_module(f"rules.{ruleset_id}.text.terms")
    except ModuleNotFoundError:
        return []
    terms: Mapping[str, tuple[str, str]] = getattr(module, "TERMS", {})
    return [
        Page(TERMS, word[:1].upper() + word[1:], rule, (sentence,)) for word, (sentence, rule) in sorted(terms.items())
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

"""Every citation of a rulebook, in code, data, tests, pages and what comes out of fights, leads to a heading of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from game.content import reference
from game.content import tables as content
from game.content.reference import CITATION, Book
from game.fight.match import Match
from game.storage import records as storage
from rules.core.registry import RULESETS, ruleset
from rules.olde.conditions import POSTURES, SITTING, SPRUNG
from rules.olde.text import RULES
from rules.olde.traits import TRAITS

ROOT = Path(__file__).resolve().parents[1]
SOURCES = (
    ("rules", "*.py"), ("game", "*.py"), ("tests", "*.py"), ("assets", "*.toml"), ("docs", "*.md"), (".", "README.md"),
)  # fmt: skip
BEGINNING = re.compile(rf"\b({'|'.join(sorted(RULESETS))})\.md(?= §)")
PLACE = re.compile(r"(?:,| and|, and)? §(\d+(?:\.\d+)?)(?: ([A-Za-z][\w /'-]*?)(?=[),;\"`]|\.[\"\n]))?")
"""A number with what stands before the next one, and the words up to where a citation must end."""
RULE = re.compile(r'"rule":"([^"]+)"')
LEAST = 100
"""Fewer citations in code than this: the search has gone blind."""


class Cited(NamedTuple):
    """A citation, and where it stands."""

    where: str
    name: str
    number: str
    words: str

    def __str__(self) -> str:
        return f"{self.where}: {self.name}.md §{self.number} {self.words}".rstrip()


@cache
def books() -> dict[str, Book]:
    """The rulebooks that there are."""
    return {name: book for name in RULESETS if (book := reference.book(name)) is not None}


def citations(text: str, where: str) -> Iterator[Cited]:
    """All citations in a text; of prose that goes on after a number, the number alone."""
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        for found in BEGINNING.finditer(line):
            at = found.end()
            while place := PLACE.match(line, at):
                words = place[2] or ""
                joined = re.fullmatch(r"(?:(.*) )?and", words)  # `§3 opposed and §4`
                yield Cited(f"{where}:{number}", found[1], place[1], (joined[1] or "") if joined else words)
                at = place.end()


def astray(cited: Iterator[Cited]) -> list[str]:
    """The citations that lead nowhere, of books that there are."""
    return [str(c) for c in cited if c.name in books() and books()[c.name].at(c.number, c.words) is None]


def exact(rule: str, where: str) -> Iterator[Cited]:
    """The citations that a rule consists of: all of it must be understood."""
    for part in re.sub(r", (?=§)", f", {rule.partition(' ')[0]} ", rule).split(", "):
        found = CITATION.fullmatch(part)
        name = rule.partition(".md")[0]
        if found is None or name not in RULESETS:
            yield Cited(f"{where}: {rule!r} is no citation of a rulebook", next(iter(books())), "?", "")
        else:
            yield Cited(where, name, found["number"] or "", found["words"] or "")


def test_every_ruleset_that_comes_with_the_game_has_its_rulebook() -> None:
    assert set(books()) == set(RULESETS)


@pytest.mark.parametrize("folder, pattern", SOURCES, ids=[f"{f}/{p}" for f, p in SOURCES])
def test_every_citation_in_the_sources_leads_to_a_heading(folder: str, pattern: str) -> None:
    paths = sorted((ROOT / folder).rglob(pattern) if folder != "." else (ROOT / folder).glob(pattern))
    found = [
        cited
        for path in paths
        for cited in citations(path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix())
    ]
    assert len(found) > LEAST or folder not in ("rules", "tests")
    assert not astray(iter(found)), "\n".join(astray(iter(found)))


def test_every_rule_that_the_stories_of_the_playthroughs_name_leads_to_a_heading() -> None:
    told = {
        (path.name, rule)
        for path in sorted((ROOT / "tests" / "playthroughs").glob("*.expected"))
        for rule in RULE.findall(path.read_text(encoding="utf-8"))
    }
    assert len(told) > 20
    assert not astray(cited for name, rule in sorted(told) for cited in exact(rule, name))


def test_every_rule_on_sheets_badges_and_cards_leads_to_a_heading() -> None:
    named: set[tuple[str, str]] = set()
    for path in sorted((ROOT / "tests" / "playthroughs").glob("*.json")):
        match = Match.from_record(storage.read_record(path), beside=path.parent)
        for moment in match.history.moments[::25]:
            named |= {(path.name, rule) for rule in _rules_of(match, moment.state) if rule}
    assert len(named) > 20
    assert not astray(cited for name, rule in sorted(named) for cited in exact(rule, name))


def _rules_of(match: Match, state: object) -> Iterator[str]:
    rules = match.ruleset
    for mini in rules.board(state).miniatures:
        yield from (badge.rule for badge in mini.badges)
        yield from (line.rule for line in rules.sheet(state, mini.id).lines)
    for decision in rules.decisions(state):
        for offer in rules.legal(state, decision).offers():
            for action in offer.actions[:1]:
                odds = rules.odds(state, action)
                if odds is not None:
                    yield from (adjustment.rule for adjustment in odds.adjustments)
                    yield from (rule for _, rule in odds.notes)


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_every_term_and_every_call_leads_to_a_heading(name: str) -> None:
    terms = reference.words_of(name, "terms").TERMS
    named = [(word, rule) for word, (_, rule) in terms.items()]
    named += [(call.label, call.rule) for call in ruleset(name).calls]
    handbook = reference.words_of(name, "handbook")
    if hasattr(handbook, "entries"):
        named += [(entry.title, entry.rule) for entry in handbook.entries(content.tables(name))]
    assert named
    assert not astray(cited for word, rule in named for cited in exact(rule, f"{name}, {word}"))


def test_every_trait_condition_and_sentence_of_dungeons_of_olde_leads_to_a_heading() -> None:
    held = [each.source for each in (*SPRUNG.values(), *POSTURES.values()) if each is not SITTING]
    named = [kind().source for kind in TRAITS.values()] + held + [*RULES]
    assert not astray(cited for rule in named for cited in exact(rule, "rules/olde"))


def test_a_citation_of_a_heading_that_is_not_there_is_found_out() -> None:
    book = "olde" + ".md"  # so that this page does not cite them itself
    text = f"x ({book} §6 Grip, §77), {book} §6 and §7 Rest; `{book} §6 turnips`, {book} §4: the turnip"
    assert astray(citations(text, "here")) == [f"here:1: {book} §77", f"here:1: {book} §6 turnips"]
    assert astray(exact("magic.md casting", "there")) and not astray(exact(f"{book} §2, §7 the Rest", "there"))

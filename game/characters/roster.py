"""Heroes of each ruleset: what the workshop, the camp, set-ups and the command line ask of a ruleset's heroes.

A ruleset that has heroes that last brings a folder `game/characters/<ruleset>/` with `ROSTER` in its module `roster`.
Files, looks, the marks of fights and the frame of sheet and pages are shared (`heroes`, `files`, `aftermath`, `paper`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple, Protocol, TypeVar

from game.characters.heroes import Entry, HeroError, Outcome
from game.characters.pages import Act, Blocks, Camper, Drawn, Figures, Printed, Start, Told, View
from rules.contract.display import Board
from rules.contract.events import Event
from rules.contract.text import joined
from rules.core.record import Record

ROSTERS = {name: f"game.characters.{name}.roster" for name in ("olde", "cairn", "countup")}
"""Id of a ruleset -> the module with its `ROSTER`, imported when it is first asked for. Under other rules nobody has
heroes of their own."""

H = TypeVar("H")


class Fight(NamedTuple):
    """A fight that is over, as a hero's story marks it."""

    key: str
    """Its opening."""
    title: str
    won: bool
    """Whether the hero's side won it."""
    record: Record | None = None
    summary: Mapping[str, Any] = {}
    """All of `Ruleset.summary`."""
    events: Sequence[Event] | None = None
    """All that happened, where that is at hand: playing a long evening again takes seconds."""
    how: Outcome | None = None
    """How the story tells it: who came out of a place with less than had to be done has turned back. None: by `won`."""


class Settled(NamedTuple):
    """A hero as a fight left it, not yet written, and what of its things lies on the floor (opaque to others)."""

    hero: Any
    floor: tuple[Any, ...] = ()


class Camp(Protocol):
    """A camp: what can be done for whom. Every deed is written into the heroes' files as soon as it is done."""

    heroes: dict[str, Any]
    """By id, as they are now."""
    story: list[Told]

    @property
    def minutes(self) -> int:
        """How long the camp has lasted."""

    def first(self) -> str:
        """The id of whoever needs looking at first."""

    def clock(self) -> str:
        """How long the camp has lasted."""

    def camper(self, name: str) -> Camper:
        """How somebody is."""

    def about(self, name: str, *, brief: bool) -> Blocks:
        """Somebody in a few lines, for where there is room."""

    def urgent(self) -> str:
        """Who may still be saved, and how long; empty if nobody is dying."""

    def sections(self, view: View) -> tuple[Blocks, ...]:
        """What can be done, in groups; `view["who"]` is the id of whoever is chosen."""

    def warning(self) -> str:
        """What would be lost by leaving now; empty if nothing is."""

    def strike(self) -> None:
        """Leave the camp."""


class Roster(Protocol[H]):
    """The heroes of a ruleset. Heroes are values: every step gives a new one, or raises HeroError with the reason."""

    ruleset: str
    home: str
    """The page that a hero is opened at."""
    beginning: str
    """A sentence on what the ways to begin are."""
    points: str
    """What a fight brings heroes, as the summary heads it (`CP`); empty: nothing that is counted."""

    # files
    def read(self, document: object) -> H:
        """A hero from plain data. Raises HeroError in one line: which field, why."""

    def document(self, hero: H) -> Entry:
        """A hero as plain data, without what is as usual."""

    def changed(self, hero: H, **fields: Any) -> H:
        """The hero with other values, judged like a file. Raises HeroError."""

    # what a hero is
    def about(self, hero: H) -> str:
        """What it is, in a word or two: package, background."""

    def condition(self, hero: H) -> str:
        """How it is, in a word: `healthy`, `dead` …"""

    def alive(self, hero: H) -> bool:
        """Whether it lives."""

    def block(self, hero: H) -> Entry:
        """A whole stat block without a template: records with it can be replayed where the hero's file is not."""

    def faults(self, hero: H) -> Sequence[str]:
        """All that is wrong with it by the book, each in a sentence."""

    def unfit(self, hero: H) -> str:
        """Why it can't go into a fight; empty if it can."""

    def told(self, hero: H) -> list[str]:
        """A hero in lines, for the command line."""

    # the workshop
    def starts(self) -> tuple[Start, ...]:
        """Ways to begin a new hero, nothing settled last."""

    def fresh(self, name: str, made: str, start: str) -> H:
        """A new hero by id, begun in one of those ways."""

    def pages(self, hero: H) -> tuple[str, ...]:
        """The pages there are for it between looks and sheet."""

    def page(self, hero: H, name: str, view: View) -> Blocks | Drawn:
        """One of them."""

    def looks(self, hero: H) -> Blocks:
        """What stands between name and cloth on the page of looks."""

    def figures(self, hero: H) -> Figures:
        """What it comes to."""

    def printed(self, hero: H) -> Printed:
        """What stands on its sheet."""

    # fights and evenings
    def led(self, record: Record) -> list[str]:
        """Ids of the creatures that are ready heroes, led by people, who may become heroes of the player's own."""

    def own_id(self, record: Record, fight: str, creature: str) -> str:
        """The id as a hero of the player's own of whoever was ready at a fight: the same whenever one looks."""

    def taken_up(self, record: Record, fight: str, creature: str) -> H:
        """A ready hero as one of the player's own, as before the fight. Raises HeroError where it can't be one."""

    def changed_since(self, hero: H, entry: Entry) -> bool:
        """Whether a hero is no longer who began the fight with this entry of its record."""

    def ended(self, state: Any) -> Mapping[str, Any]:
        """A fight's end as `settle` and `lying` read it: `Ruleset.summary`, and whatever lasts beside it."""

    def settle(self, hero: H, end: Mapping[str, Any], fight: Fight) -> Settled:
        """What a fight or evening left: `end` is the creature's part of `ended`."""

    def lying(self, summary: Mapping[str, Any], found: Mapping[str, H], foes: frozenset[str]) -> tuple[Any, ...]:
        """What lies on the floor beside that: `found` are heroes by creature, `foes` the creatures of other sides."""

    def bereft(self, hero: H) -> H:
        """Somebody dead without all that it had: that stayed where it lies."""

    def rewards(self, record: Record, board: Board, heroes: frozenset[str]) -> Mapping[str, int]:
        """What those of a fight get for its end by id, in what `points` counts, beside what blows brought."""

    def camp(self, heroes: Sequence[H], seed: int, floor: Sequence[Any] = ()) -> Camp:
        """Pitch a camp."""


@cache
def roster(ruleset: str) -> Roster[Any]:
    """The heroes of a ruleset. Raises HeroError for one under which nobody has heroes of their own."""
    if ruleset not in ROSTERS:
        have = joined(", ", ROSTERS)
        raise HeroError("ruleset: {ruleset} has no heroes of one's own; there are {have}", repr(ruleset), have)
    found: Roster[Any] = import_module(ROSTERS[ruleset]).ROSTER
    return found


def rosters() -> Iterable[Roster[Any]]:
    """All of them."""
    return map(roster, ROSTERS)


__all__ = ["Act", "Camp", "Fight", "ROSTERS", "Roster", "Settled", "roster", "rosters"]

"""What one side remembers of one expedition: nothing that it hasn't seen or done itself.

What comes to nothing is counted, so that it is given up in the end; turns in which nothing new came are counted, too.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from rules.board.grid import Field
from rules.contract.actions import Action
from rules.contract.units import EMPTY, NOWHERE, Bitboard, Cell
from rules.core.fixtures.challenges import CHEST_DONE

Key = tuple[object, ...]
FAR = 1 << 20


class AimKind(StrEnum):
    """What kind of thing a party goes for."""

    FRIEND = "friend"
    CAPTIVE = "captive"
    GOAL = "goal"
    CHEST = "chest"
    BODY = "body"
    FLOOR = "floor"
    UNKNOWN = "unknown"
    DOOR = "door"
    STAIRS = "stairs"
    HIDDEN = "hidden"
    OUT = "out"


class Aim(NamedTuple):
    """What the party goes for."""

    what: str
    """In words, for who asks why."""
    key: Key
    """By which it is known again: its kind, and what tells it from others of that kind."""
    spots: Bitboard
    """Where it is."""
    worse: int = 0
    """So many spaces of way it counts as farther off than it is."""
    words: tuple[str, ...] = ()
    """What is done there."""
    target: str | None = None
    tries: int = 1
    """How often it is tried there before it is given up."""

    @property
    def kind(self) -> AimKind:
        """What kind of thing it is."""
        return AimKind(str(self.key[0]))


@dataclasses.dataclass(eq=False)
class Pursuit:
    """What some of a party are after."""

    aim: Aim | None = None
    goal: Cell = NOWHERE
    """The space where that is."""
    chosen: int = 0
    """The turn in which that was chosen."""
    nearest: int = FAR
    """The shortest that was still to go there."""
    slow: int = 0
    """Turns since it grew shorter."""
    bound_for: Cell = NOWHERE
    """The space for which that was counted."""
    way: tuple[Cell, Cell] | None = None
    """The stairs or the obstacle that whoever leads means to get past now."""
    blocked: int = -9
    """The turn in which whoever leads could not go on."""


@dataclasses.dataclass(eq=False)
class Memory:
    """Of a party: ground, attempts, foes that it keeps away from, and whether it is on its way home."""

    field: Field | None = None
    begun: Cell = NOWHERE
    """Where the first of them stood at first."""
    minute: int = 0
    fights: int = 0
    seen: Bitboard = EMPTY
    trodden: Bitboard = EMPTY
    """Ground around where the party was: nobody was there."""
    dull: Bitboard = EMPTY
    """Spaces from which nothing new was to be seen."""
    searched: Bitboard = EMPTY
    tried: dict[Key, int] = dataclasses.field(default_factory=dict)
    """What was attempted, and how often."""
    spent: dict[Key, int] = dataclasses.field(default_factory=dict)
    """Aims -> turns spent on them."""
    cared: dict[Key, int] = dataclasses.field(default_factory=dict)
    """What was done for whom since the last fight."""
    mended: int = -9
    """The turn in which wounds were seen to last, or were struck."""
    mends: int = 0
    """How often they were seen to since the last fight."""
    lives: int = 0
    """What was left of the party's life."""
    useless: set[Key] = dataclasses.field(default_factory=set)
    """Spells and things that give nothing back to somebody as hurt as that."""
    remedies: set[str | None] = dataclasses.field(default_factory=set)
    """Spells and things that have healed somebody."""
    vain: set[str | None] = dataclasses.field(default_factory=set)
    """Those that never have."""
    kit: dict[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    """What each of the party came with, where packs are counted."""
    feared: dict[str, tuple[Cell, float]] = dataclasses.field(default_factory=dict)
    """Foes that were left alone: where they were, and what they amount to with those around them."""
    sleeping: set[str] = dataclasses.field(default_factory=set)
    """Foes asleep in the fight that is on, too strong to be woken."""
    banned: set[tuple[Cell, Cell]] = dataclasses.field(default_factory=set)
    """Ways by stairs and over obstacles that were given up."""
    daring: int = 0
    """How often the party has made up its mind to dare more."""
    homeward: str = ""
    """Why it goes home; empty while it does not."""
    pursuit: Pursuit = dataclasses.field(default_factory=Pursuit)
    """What it is after."""
    lost: dict[Key, Bitboard] = dataclasses.field(default_factory=dict)
    """Aims -> spaces of theirs that nobody comes to."""
    begun_at: int = 0
    """The turn in which somebody was first decided for."""
    company: tuple[str, ...] = ()
    """Who was there at first."""
    asked: dict[str, int] = dataclasses.field(default_factory=dict)
    """Who was decided for, and in which turn last."""
    waits: int = 0
    """Turns that its first has waited for the others."""
    renewed: int = -9
    """The turn in which it last tried anew what was given up, since it knew no way home."""
    stirred: int = 0
    """The turn in which any of them did something last."""
    looted: int = -9
    """The turn in which anything was taken along last."""
    empty: set[str] = dataclasses.field(default_factory=set)
    """Kinds of bodies (their pictures) on which nothing was found."""
    fresh: int = 0
    """The turn of exploration in which something new came last."""
    pressed: int = 0
    """How often nothing new came for long, one after the other."""
    going: dict[str, tuple[Cell, ...]] = dataclasses.field(default_factory=dict)
    """The ways on which some of them set out in a fight."""
    astray: dict[str, int] = dataclasses.field(default_factory=dict)
    """Who knew no way to whoever leads, and in which turn last."""
    seeking: bool = False
    """Whether the party goes back to look for those who are astray."""
    group: str = ""
    """Whose pursuit this is: of those who go with the first of the party (empty), or of those astray, by whoever
    leads them."""
    _pursuits: dict[str, Pursuit] = dataclasses.field(default_factory=dict)
    _facts: set[object] = dataclasses.field(default_factory=set)

    def often(self, key: Key) -> int:
        """How often something was attempted."""
        return self.tried.get(key, 0)

    def note(self, key: Key) -> None:
        """Something is attempted."""
        self.tried[key] = self.tried.get(key, 0) + 1

    def done(self, action: Action) -> None:
        """A deed is done."""
        key = deed(action)
        self.note(key)
        self.cared[key] = self.cared.get(key, 0) + 1

    def spend(self, key: Key) -> None:
        """A turn is spent where an aim is."""
        self.spent[key] = self.spent.get(key, 0) + 1

    def give_up(self, key: Key, spots: Bitboard) -> None:
        """Nobody comes to some spaces of an aim."""
        self.lost[key] = Bitboard(self.given_up(key) | spots)

    def given_up(self, key: Key) -> Bitboard:
        """The spaces of an aim that nobody comes to."""
        return self.lost.get(key, EMPTY)

    def go_home(self, why: str) -> None:
        """From now on the party wants to leave; the first reason counts."""
        self.homeward = self.homeward or why

    def news(self, minute: int, facts: Iterable[object]) -> None:
        """Take in what is known now: where something is among it that was not known before, something new has come.

        What has been so already is no news, however often it comes to be so again: of facts a place has only so many,
        so every exploration comes to an end.
        """
        new = [fact for fact in facts if fact not in self._facts]
        if new:
            self._facts.update(new)
            self.fresh, self.pressed = minute, 0

    def turn_to(self, group: str) -> None:
        """What follows is the pursuit of other ones of the party."""
        if group != self.group:
            self._pursuits[self.group] = self.pursuit
            self.pursuit = self._pursuits.get(group) or Pursuit()
            self.group = group

    def press(self, minute: int) -> None:
        """Nothing new has come for long: the party makes up its mind to dare more, and to try again."""
        self.pressed += 1
        self.daring += 1
        self.fresh = minute
        self.anew()

    def anew(self) -> None:
        """What was given up is tried once more: nothing better is left."""
        self.dull, self.pursuit.aim = EMPTY, None
        self._pursuits.clear()
        self.spent = {key: times for key, times in self.spent.items() if key[0] not in RETRIED or key[-1] == CHEST_DONE}
        self.lost.clear()
        self.banned.clear()
        self.tried = {key: times for key, times in self.tried.items() if key[1] not in ATTEMPTS}


def deed(action: Action) -> Key:
    """By what an attempt is known again."""
    return action.by, action.do, action.target, action.item, action.at, action.option


RETRIED = (AimKind.DOOR, AimKind.CHEST, AimKind.STAIRS, AimKind.CAPTIVE, AimKind.GOAL)
"""Kinds of aims that may come to something the next time."""
ATTEMPTS = ("pick_lock", "tackle", "force", "force_chest", "unlock", "search", "free")
"""Words of deeds that may come to something the next time."""

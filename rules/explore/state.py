"""What an exploration remembers, under any ruleset: a value inside the ruleset's own state."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Flag, IntEnum, StrEnum, auto
from typing import Protocol, TypeVar

import msgspec

from rules.contract.units import NOWHERE, Cell, CreatureIx

OPENLY = -1
"""In place of a total of sneaking: goes openly, and is noticed by whoever looks."""

E = TypeVar("E")


def put(row: tuple[E, ...], number: int, value: E) -> tuple[E, ...]:
    """A row with one value changed: that of the creature, the door or the challenge with this number."""
    return (*row[:number], value, *row[number + 1 :])


class Attitude(IntEnum):
    """How somebody who isn't of the party means to deal with it."""

    UNMET = 0
    HOSTILE = 1
    WARY = 2  # keeps its distance, and fights whoever comes near
    CURIOUS = 3
    KIND = 4
    HELPFUL = 5
    YIELDED = 6  # laid down its arms in a fight: takes part in nothing more
    HOLDS_BACK = 7  # fought until neither side came to the other: strikes whoever it could come to


YIELDED = Attitude.YIELDED


class Ending(StrEnum):
    """How an evening is over that no fight has ended: why its `Over` says that it is."""

    GOALS = "goals"  # all that had to be done is done
    SLIPPED_PAST = "slipped past"  # the party has left, and nobody had to be fought
    OUT_AGAIN = "out again"  # it has left after it had come to blows
    GAVE_UP = "gave up"  # it has given its expedition up
    SURRENDERED = "surrendered"  # it has laid down its arms
    STRANDED = "stranded"  # nobody of it can go on


class Part(Flag):
    """Part of a turn of exploration, where the rules know a move and an action in it."""

    MOVE = auto()
    ACTION = auto()
    WHOLE = MOVE | ACTION


class Exploring(msgspec.Struct, frozen=True, gc=False):
    """How the exploration stands; while a fight goes on, as it was when that began."""

    minute: int = 1  # the number of the turn of exploration: a minute, or a dungeon turn
    done: int = 0  # who has had its turn in this minute
    busy: tuple[int, ...] = ()  # minutes beyond this one that each is taken up with what it has begun
    guise: tuple[int, ...] = ()
    """The total of each one's last Sneak, by which it is still hidden; `OPENLY` for whoever takes no care."""
    tried: tuple[int, ...] = ()  # for each hero the watchers that have tried to notice it as it is hidden now
    hides: tuple[int, ...] = ()  # the Sneak total of each one that lies in hiding; 0 for everybody else
    spotted: int = 0  # of those in hiding, whom the heroes have found
    looked: tuple[int, ...] = ()  # for each hero those in hiding whom it has had its chance to find
    leg: tuple[int, ...] = ()  # for each walker of a round the way point that it goes to
    unlit: int = 0  # whose own light does not burn: it was put out, or nothing is left of it
    burning: tuple[int, ...] = ()  # minutes that are left of each one's own light
    spares: tuple[int, ...] = ()  # with how many torches or flasks of oil each can light it anew
    dulled: int = 0  # watchers who have just convinced themselves that nothing is there
    caught: int = 0  # who was unaware when the fight began
    bound: int = 0  # whose wounds were bound, or tried to be
    fed: int = 0  # who has had its meal
    moved: int = 0  # who has had its move in this turn, where a turn has parts
    acted: int = 0  # who has had its action
    crawl: bool = False  # exploration goes on after fights, until the heroes leave or fall
    fights: int = 0  # how many have begun so far
    roused: int = 0  # those of the others who know of the heroes
    parked: tuple[Cell, ...] = ()
    """The space of each who takes no part in the fight, where it stands meanwhile; `NOWHERE` for everybody else."""
    post: tuple[Cell, ...] = ()  # where each of the others stood at first, and goes back to
    seeks: tuple[Cell, ...] = ()  # the space to which each of the others goes, after a noise or who was seen there
    attitude: tuple[int, ...] = ()  # how each of the others means to deal with the party: an `Attitude`
    idle: int = 0  # turns since some hero did something
    calm: int = 0  # turns of the fight in which nobody of one side saw anybody of another
    standoff: int = 0  # turns of the fight in which nobody did anything to anybody
    since: int = 0  # turns of exploration since the last event of the dungeon
    reasons: int = 0  # why the dungeon's die is thrown at the end of this turn: bits, as the ruleset numbers them
    sleepers: bool = False  # foes who sleep keep no fight going

    def parked_at(self, who: CreatureIx) -> Cell:
        """Where somebody stands who takes no part in the fight; `NOWHERE` for everybody else."""
        return self.parked[who] if who < len(self.parked) else NOWHERE


_ROWS = ("busy", "tried", "hides", "looked", "leg", "burning", "spares", "attitude")


def rows_of(creatures: Sequence[object], cells: Sequence[Cell]) -> dict[str, tuple[int, ...]]:
    """What an exploration remembers of each of some creatures before their first minute; `cells`: where they stand."""
    none, nowhere = (0,) * len(creatures), (NOWHERE,) * len(creatures)
    rows = {"guise": (OPENLY,) * len(creatures), "parked": nowhere, "seeks": nowhere, "post": tuple(cells)}
    return {**dict.fromkeys(_ROWS, none), **rows}


class Sided(Protocol):
    """A creature, as far as its side goes."""

    @property
    def side(self) -> str: ...


def known(now: Exploring | None, bodies: Sequence[Sided], sides: Sequence[str], seen: int) -> Exploring | None:
    """What these sides know of an expedition, who have these spaces in sight: not where strangers off the board stand,
    nor where they go. Who has laid down its arms in a fight is seen to stand there."""
    if now is None or not now.crawl:
        return now
    own = [body.side in sides for body in bodies]
    parked, seeks, post = ours_of(now.parked, own), ours_of(now.seeks, own), ours_of(now.post, own)
    if YIELDED in now.attitude:
        parked = tuple([
            cell if mine or (attitude == YIELDED and cell >= 0 and seen >> cell & 1) else NOWHERE
            for cell, mine, attitude in zip(now.parked, own, now.attitude, strict=False)
        ])  # fmt: skip
    return msgspec.structs.replace(now, parked=parked, seeks=seeks, post=post)


def ours_of(row: tuple[Cell, ...], own: Sequence[bool]) -> tuple[Cell, ...]:
    """A row of spaces of creatures, those of others left out."""
    return tuple([cell if mine else NOWHERE for cell, mine in zip(row, own, strict=False)])

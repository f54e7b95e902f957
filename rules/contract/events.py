"""Events: what happened, in a documented language that the log, the view and records share.

Every event says who may see it: `seen_by` names sides, empty means everybody. Spaces are `(column, row)`.
`text.as_builtins(event)` gives the object that `battlemat replay --events` prints.
Nothing here can be part of a cycle, so the collector of garbage needn't follow it (`gc=False`).
"""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

import msgspec

from rules.contract.actions import Adjustment

Space = tuple[int, int]


class Throw(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One die hitting the table: its rank, the face shown, what it counts, and whether it exploded."""

    rank: int
    face: int
    value: int
    exploded: bool = False


class Roll(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """The whole process: every throw, the dice total, each adjustment, the total."""

    label: str
    dice: str
    throws: tuple[Throw, ...]
    total: int
    adjustments: tuple[Adjustment, ...] = ()
    discarded: tuple[Throw, ...] = ()  # the other set of an (dis)advantage


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="event", tag=str.lower, omit_defaults=True, kw_only=True):
    """Base of all events."""

    seen_by: tuple[str, ...] = ()  # the sides that saw it; empty: all, `("",)`: none
    whole_for: tuple[str, ...] = ()
    """Where this is only as much as `seen_by` saw of what another event tells: the sides to which that tells it whole,
    `("",)` where none saw all. Empty for whole events."""


class Began(Event, frozen=True, tag="began"):
    """The fight, a turn, a round, a second or a phase begins: `what` is `fight`, `turn`, `round`, `second`, `reset` or
    `action`; of an evening also one of EPISODES, or a turn of exploration by the rules' own word."""

    what: str
    number: int = 0


EPISODES = FIGHT, TRUCE, EXPLORATION = "fight", "truce", "exploration"
"""What `Began` says where one part of an evening ends and another begins."""


class Chance(Event, frozen=True, tag="chance"):
    """A creature is offered its chance with so many points."""

    by: str
    points: int
    rolls: tuple[Roll, ...] = ()  # the roll-off among those who had as many, in the order thrown


class Ended(Event, frozen=True, tag="ended"):
    """A creature gave up the rest of its chance; `passed` if it had done nothing."""

    by: str
    passed: bool = False


class Points(Event, frozen=True, tag="points"):
    """Somebody's points were set or spent: `now` is what stands afterwards."""

    by: str
    now: int
    what: str = "ap"
    roll: Roll | None = None
    because: str = ""


class Moved(Event, frozen=True, tag="moved"):
    """A miniature moved along `path` (spaces entered). `mode`: free_steps, step, run, climb, leap, guided, fall…"""

    by: str
    mode: str
    start: Space
    path: tuple[Space, ...]
    cost: int = 0
    rolls: tuple[Roll, ...] = ()  # what decided where to, if dice did


class Posture(Event, frozen=True, tag="posture"):
    """Standing, sitting, kneeling or prone."""

    by: str
    posture: str
    because: str = ""


class Attack(Event, frozen=True, tag="attack"):
    """A blow or shot, resolved: record.md lists the fields; totals include adjustments."""

    by: str
    target: str
    weapon: str
    attack: int
    defense: int
    margin: int
    outcome: str
    damage: int
    adjustments: tuple[Adjustment, ...]
    rolls: tuple[Roll, ...]  # defense, attack and damage rolls in the order thrown
    action: str = "attack"
    ranged: bool = False
    sight: str = "clear"
    past: str | None = None  # whom the same shot has just missed: it goes on from there, and its die was told then


class Injury(Event, frozen=True, tag="injury"):
    """Hit points were lost: `amount` ≥ 0, `hp` afterwards, new `status`."""

    target: str
    amount: int
    hp: int
    status: str
    because: str = ""
    by: str | None = None
    rolls: tuple[Roll, ...] = ()
    through: int = 0  # how much of `amount` came off the pool under the hit points, where the rules know one
    second: int | None = None  # what is left of that pool, if anything came off it


class Healing(Event, frozen=True, tag="healing"):
    """Hit points, Mana, Faith or the like came back: `what` names the pool."""

    target: str
    amount: int
    now: int
    what: str = "hp"
    because: str = ""
    rolls: tuple[Roll, ...] = ()


class Condition(Event, frozen=True, tag="condition"):
    """A condition began (`gained`) or ended."""

    target: str
    condition: str
    gained: bool
    because: str = ""
    rolls: tuple[Roll, ...] = ()  # what decided for how long, if dice did


FELLED = ("dead", "critical", "incapacitated", "out", "routed", "fallen")
"""Conditions that take a creature out of the fight, where the wound alone has not told so: a save comes after it."""


class Adjusted(Event, frozen=True, tag="adjusted"):
    """A temporary or lasting adjustment was given to somebody."""

    target: str
    adjustment: Adjustment
    until: str = "reset"


class Check(Event, frozen=True, tag="check"):
    """A check roll against a challenge rating: `ranks` of success (positive) or failure (negative)."""

    by: str
    what: str
    roll: Roll
    rating: int
    success: bool
    ranks: int = 0
    against: Roll | None = None  # what set the rating, if dice did


class Contest(Event, frozen=True, tag="contest"):
    """An opposed attempt of `by` against `target`: each rolls, `success` is that of `by`."""

    by: str
    target: str
    what: str
    rolls: tuple[Roll, ...]  # in the order thrown
    success: bool
    note: str = ""  # what comes of it, in few words


class NoiseKind(StrEnum):
    """What made a noise: what a hearer can tell of it without seeing anything."""

    STEPS = "steps"
    VOICES = "voices"
    SHOUT = "shout"
    FIGHTING = "fighting"
    DOOR = "door"
    BREAKING = "breaking"  # a door forced, a chest smashed, rubble shifted
    FALLING = "falling"  # somebody or something heavy goes down
    TRAP = "trap"
    SPELL = "spell"
    WATER = "water"
    BEAST = "beast"


class Noise(Event, frozen=True, tag="noise"):
    """A noise was made at `at`: told whole to those who see its maker, with an empty `by` to those who only hear it
    (rules/core/visibility.py makes two of it).

    `heard`: ids of the hearers with the spaces that the noise came to them, around corners and through doors.
    """

    what: NoiseKind
    at: Space
    heard: tuple[tuple[str, int], ...] = ()
    by: str = ""
    loudness: int = 0  # spaces as far as it carries in the open

    def nearest(self, ids: Collection[str]) -> int | None:
        """The spaces to whichever of these creatures heard it best; None where none of them did."""
        return min((distance for name, distance in self.heard if name in ids), default=None)


class Challenge(Event, frozen=True, tag="challenge"):
    """A secret was found, a chest opened, a trap disarmed or sprung, rubble cleared: `state` is found, open, disarmed,
    sprung or cleared."""

    by: str
    challenge: str  # its name (a secret door's for `kind` door)
    kind: str
    state: str
    at: Space
    contents: str = ""
    how: str = ""  # a chest was opened by `hand`, `key` or `pick`; empty: by strength, or in a way that a check told
    rolls: tuple[Roll, ...] = ()  # what decided what is in it


class Item(Event, frozen=True, tag="item"):
    """Something changed hands: `how` is readied, put_away, dropped, picked_up, thrown, broken, spent, reset; of a light
    lit, put_out, low, burnt_out."""

    by: str
    item: str
    how: str
    at: Space | None = None


class Door(Event, frozen=True, tag="door"):
    """A door's state changed: open, closed, locked, barred, broken."""

    door: str
    state: str
    by: str | None = None


class Question(Event, frozen=True, tag="question"):
    """The rules put a question that somebody must answer before anything else."""

    by: str
    kind: str
    options: tuple[str, ...]
    about: str = ""


class Chosen(Event, frozen=True, tag="chosen"):
    """An answer, by a person, an AI or the die (`by` = `d2`)."""

    by: str
    kind: str
    option: str
    roll: Roll | None = None


class Resistance(msgspec.Struct, frozen=True, omit_defaults=True):
    """How somebody in a spell's way fared: what the casting had to reach, and whether it takes hold."""

    target: str
    rating: int
    holds: bool
    damage: int = 0


class Cast(Event, frozen=True, tag="cast"):
    """A spell was cast, or an item used: `what` names the pool that pays (`mana`, `faith`, or `item`).

    `rolls`: what was thrown to resist, the casting check (its total is `total`), the effect roll, in that order.
    """

    by: str
    spell: str
    what: str
    cost: int
    success: bool  # it takes hold of somebody, or of something
    total: int = 0
    rating: int = 0
    """What the casting had to reach; 0 where each target resists for itself, or where nothing has to be reached."""
    target: str | None = None
    at: Space | None = None
    cells: tuple[Space, ...] = ()  # the spaces of its area
    resisted: tuple[Resistance, ...] = ()
    rolls: tuple[Roll, ...] = ()
    item: str = ""


class Enchanted(Event, frozen=True, tag="enchanted"):
    """A spell's effect on somebody began (`gained`), for so many turns, or ended."""

    target: str
    name: str
    gained: bool
    turns: int = 0
    text: str = ""
    because: str = ""


class Zone(Event, frozen=True, tag="zone"):
    """Something stands on the ground from now on (`gained`), or no longer: `kind` is stone, force, thorns, light…"""

    name: str
    kind: str
    cells: tuple[Space, ...]
    gained: bool
    turns: int = 0


class Summoned(Event, frozen=True, tag="summoned"):
    """A creature was called onto the board, or went away again."""

    target: str
    name: str
    gained: bool
    at: Space | None = None
    by: str | None = None


class Arrived(Event, frozen=True, tag="arrived"):
    """Somebody of a wave came onto the board; `what`: the wave's name, where it has one."""

    by: str
    at: Space
    what: str = ""


class Earned(Event, frozen=True, tag="earned"):
    """Character points."""

    by: str
    points: int
    because: str = ""


class Goal(Event, frozen=True, tag="goal"):
    """A goal of a side stands otherwise from now on: `state` is done or failed."""

    goal: str  # its name
    kind: str
    state: str
    side: str


class Freed(Event, frozen=True, tag="freed"):
    """A prisoner was unbound."""

    by: str
    target: str


class Left(Event, frozen=True, tag="left"):
    """Somebody left the place by an exit."""

    by: str
    at: Space


class Note(Event, frozen=True, tag="note"):
    """Something worth a line in the story for which there is no event of its own."""

    text: str
    by: str | None = None
    rolls: tuple[Roll, ...] = ()
    passing: bool = False  # nothing comes of it, and nobody has to stop for it


class Over(Event, frozen=True, tag="over"):
    """The fight is over; `winner` is a side, or empty when nobody is left."""

    winner: str
    because: str = ""  # how, where it did not come to blows: `slipped past`

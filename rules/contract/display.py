"""What any ruleset shows of its state: miniatures, sheets and the order of play, in words windows can draw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

import msgspec

from rules.board.sight import Lamp
from rules.contract.actions import Action, Description
from rules.contract.events import Event
from rules.contract.ruleset import Ruleset, State
from rules.contract.units import EMPTY, Bitboard, Cell, Seconds

NOBODY = "nobody"
"""What a summary's `over` says where no side is left standing (docs/record.md)."""


class Bar(msgspec.Struct, frozen=True):
    """A pool with its length: hit points, action points, mana."""

    label: str
    value: int
    maximum: int
    tone: str = "health"  # `health`, `points`, `mana`, `faith`


class Badge(msgspec.Struct, frozen=True):
    """A condition or adjustment at a miniature's shoulder."""

    icon: str  # name in assets/art/icons
    label: str
    text: str  # one sentence: what it does
    rule: str = ""


class Miniature(msgspec.Struct, frozen=True):
    """A creature as a board piece."""

    id: str
    name: str
    side: str
    cell: Cell
    art: str  # name in assets/art/minis
    size: int = 1  # it covers size × size spaces, `cell` is the upper left one
    health: Bar = Bar("Hit points", 1, 1)
    points: Bar = Bar("Action points", 0, 0, "points")
    status: str = "healthy"
    posture: str = "standing"
    badges: tuple[Badge, ...] = ()
    second: Bar | None = None
    """A pool beside `health` that falls for itself, where the rules tell them apart: what lies under the first."""
    facing: int | None = None
    """Where it looks: 0 = north, then clockwise by eighths; None where the rules know no facing."""
    reach: str = ""  # how far it strikes, in the rules' own measure, where that is finer than spaces: `reach 3.5 ft`
    active: bool = False  # its decision stands open
    out: bool = False  # can take no more part (incapacitated, dead); it lies down and dims
    dead: bool = False

    @property
    def life(self) -> int:
        """What is left of all that keeps it in the fight: both pools together."""
        return max(0, self.health.value) + (self.second.value if self.second is not None else 0)

    @property
    def most(self) -> int:
        """What it has unhurt."""
        return self.health.maximum + (self.second.maximum if self.second is not None else 0)


class Turn(msgspec.Struct, frozen=True):
    """A place in the order of play."""

    id: str
    done: bool = False
    active: bool = False
    planned: bool = False  # what it will do is settled, and may still be changed


class Planned(msgspec.Struct, frozen=True):
    """What somebody means to do once time moves: drawn as a ghost, and told to nobody whom it doesn't concern."""

    id: str
    path: tuple[Cell, ...] = ()  # cells entered, in order, the start left out
    target: str | None = None
    label: str = ""  # the deed in a word: `Attack`
    open: bool = False  # whoever sees it can tell: no side keeps it to itself
    facing: int | None = None  # where it means to look, where that is to change: 0 = north, then clockwise by eighths


class Slot(msgspec.Struct, frozen=True):
    """A moment on the timeline of a ruleset that counts time."""

    id: str
    at: Seconds
    label: str  # `longsword`, `Bless ends`
    kind: str = "turn"  # `turn` (may act), `shot`, `spell` (takes hold), `effect` (ends) or `helpless` (is up again)


class FloorItem(msgspec.Struct, frozen=True):
    """Something that lies on a space."""

    item: str
    cell: Cell


class GroundMark(msgspec.Struct, frozen=True):
    """Something on the ground that the map does not show, for a while: a wall, a hedge, a light."""

    kind: str
    """`wall` (no way, no sight), `pane` (no way), `rough` (slow), `light`; `fog`, `dark`, `fire`, `slick`, `spikes`,
    `pit`, `gap` (a way through a wall) or `ward`; `trap`, `chest`, `climb`, `ledge`, `water`, `rubble`, `cleared`."""
    label: str
    cells: Bitboard  # bitboard
    text: str = ""
    rule: str = ""
    edges: tuple[tuple[Cell, Cell], ...] = ()
    """Edges between two spaces along which it runs; empty where it fills its spaces."""
    locked: bool = False  # it holds what is in it shut, and none of those who look has its key


class Task(msgspec.Struct, frozen=True):
    """A goal as the board tells it."""

    name: str
    label: str
    state: str  # `open`, `done` or `failed`
    side: str
    kind: str = ""
    optional: bool = False
    cells: Bitboard = EMPTY  # bitboard of the spaces where it counts
    waits: bool = False  # another has to be done first
    done: int = 0  # of a goal that takes its time, how many rounds are over …
    of: int = 0  # … of so many


class Due(msgspec.Struct, frozen=True):
    """Somebody of a wave that has still to come: for whoever prepared it, not for those whom it comes upon."""

    mini: Miniature  # `cell`: where it is meant to come in
    when: str  # `turn 3`, `when Hall gate is opened`
    wave: str = ""  # its name, where it has one


class Board(msgspec.Struct, frozen=True):
    """The whole table as one side may see it."""

    miniatures: tuple[Miniature, ...]
    order: tuple[Turn, ...]  # who acts in this round (or the ruleset's like), first to last
    caption: str  # `Turn 3, round 1`
    doors: tuple[str, ...]  # state of each door, in the field's order
    floor: tuple[FloorItem, ...] = ()
    over: str | None = None  # the winning side, empty string for a draw, None while the fight lasts
    ground: tuple[GroundMark, ...] = ()
    watched: int | None = None
    """Bitboard of the spaces in sight of adversaries who have noticed nothing yet; None where nobody can be sneaked
    past any more."""
    banner: str = ""  # what kind of time runs, where it is not that of a fight: `Exploration, minute 7`
    plans: tuple[Planned, ...] = ()
    """What is planned and sealed, as far as the state knows it; windows show each side its own alone."""
    timeline: tuple[Slot, ...] = ()  # what is to come by the clock, soonest first; empty where the rules count in turns
    now: int | None = None  # what the clock says, where there is a timeline
    goals: tuple[Task, ...] = ()  # what is to be done beside killing, as the sides that look know it
    due: tuple[Due, ...] = ()  # who comes later, where the whole truth is looked at

    @property
    def everybody(self) -> tuple[Miniature, ...]:
        """All who are on the table or come later."""
        return (*self.miniatures, *(each.mini for each in self.due)) if self.due else self.miniatures

    def leads_to(self, mini: Miniature) -> Cell:
        """Where somebody stands once what it has planned so far is done."""
        return next((plan.path[-1] for plan in self.plans if plan.id == mini.id and plan.path), mini.cell)


class Line(msgspec.Struct, frozen=True):
    """A line of a sheet: a term, its figure, and the rule it comes from."""

    text: str
    detail: str = ""
    rule: str = ""
    tone: str = ""
    trait: bool = False  # a creature's own nature: the bestiary tells these apart from what it fights with


class Stowed(msgspec.Struct, frozen=True):
    """Something that takes room in a pack."""

    label: str
    slots: int
    note: str = ""  # `in hand`
    tone: str = ""  # `harm` for what only burdens


class Pack(msgspec.Struct, frozen=True):
    """What somebody carries, by the room that it takes."""

    label: str
    room: int
    held: tuple[Stowed, ...] = ()


class Sheet(msgspec.Struct, frozen=True):
    """A creature's sheet."""

    id: str
    name: str
    subtitle: str
    art: str
    side: str
    bars: tuple[Bar, ...] = ()
    stats: tuple[tuple[str, str], ...] = ()
    lines: tuple[Line, ...] = ()
    badges: tuple[Badge, ...] = ()
    pack: Pack | None = None


class Tally(msgspec.Struct, frozen=True):
    """What one creature did in the fight so far, for the summary."""

    id: str
    dealt: int = 0
    taken: int = 0
    best: int = 0  # highest attack total
    earned: int = 0  # character points, or the ruleset's like
    felled: int = 0


class Display(Protocol):
    """What a ruleset shows and explains of its states: for windows and for the command line, never on the hot path."""

    fight_turn: Literal["turn", "round"]  # what the rules call it when everybody has had a chance in a fight
    turn_minutes: int  # how long a turn of exploration takes

    def board(self, state: State) -> Board:
        """The whole table, as far as the state knows it."""

    def sheet(self, state: State, creature: str) -> Sheet:
        """A creature's sheet."""

    def describe(self, state: State, action: Action) -> Description:
        """What an action says of itself: label, group, cost, what must be pointed at."""

    def tell(self, state: State, event: Event) -> str:
        """One event as a sentence of the story; empty for what needs no words."""

    def sees(self, state: State, side: str) -> Bitboard:
        """Bitboard of the spaces that a side sees now: what fog of war hides and remembered ground is made of."""

    def lamps(self, state: State) -> tuple[Lamp, ...]:
        """The lights beside the map's own: those that creatures carry, and those that were made in the fight."""

    def spent(self, turns: int) -> str:
        """So many turns of exploration as people say it: `3 minutes`."""

    def doors(self, state: State) -> tuple[str, ...]:
        """How each door stands, in the field's order, as the board shows it."""

    def summary(self, state: State) -> Mapping[str, Any]:
        """The state as `battlemat replay --state` prints it (record.md)."""

    def term(self, word: str) -> tuple[str, str] | None:
        """A rule term explained: (sentence, rule) for tooltips; None if unknown."""


class System(Ruleset, Display, Protocol):
    """A ruleset that shows its states, too: what the registry hands out."""

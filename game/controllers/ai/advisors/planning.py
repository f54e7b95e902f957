"""What a ruleset tells a planner, in bulk and in figures: where one may end, whom one strikes how, what threatens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, TypeVarTuple

import msgspec

from rules.board.grid import Terrain
from rules.contract.actions import Action, Decision
from rules.contract.ruleset import State
from rules.contract.units import EMPTY, NOWHERE, Bitboard, Cell, CreatureIx
from rules.core.base_ruleset import Position
from rules.core.fixtures.challenges import next_of
from rules.core.secrets import Kind, named


class Swing(msgspec.Struct, frozen=True, gc=False):
    """One kind of attack on one creature in figures: by its word and weapon (as in `Action`) and what it does."""

    do: str
    weapon: str | None
    points: int
    hit: float
    mean: float  # mean damage
    drop: float
    stun: float = 0.0  # chance that the target loses its next chances without being dropped
    exposed: int = 0  # Defense that its doer gives away by it until its next reset (or the ruleset's like)
    side_effect: float = 0.0
    """What else comes of it, in parts of felling the target: it is held, poisoned, knocked down, or heals no more;
    below 0 where the target gains by it: it wakes, divides, rises again."""
    cost: float = 0.0  # what it may cost its doer, in the units of `value`, the chance of that counted in
    held: float = 0.0
    """Chance that the target cannot leave its space for a while: it strikes nobody but whom it reaches from there."""
    fallout: tuple[tuple[str, float, float], ...] = ()
    """(creature, mean damage, chance to drop it) for whom it hurts beside its target; below 0 for one whom it heals.
    No name stands for its doer."""
    falls: float = 0.0  # chance that its doer comes to lie there by it, and goes nowhere afterwards
    item: str | None = None  # the thing or the power that it is done with, as in `Action`, where that is no weapon
    option: str | None = None  # as in `Action`: a manner of it


class Vantage(msgspec.Struct, frozen=True, gc=False):
    """Spaces from which attacks on one creature are equally good."""

    cells: Bitboard  # spaces to stand on
    swings: tuple[Swing, ...]  # the best of each kind
    staying: tuple[Swing, ...] = ()  # the same for one who stands there already, if coming there makes a difference


class Target(msgspec.Struct, frozen=True, gc=False):
    """Somebody to attack."""

    id: str
    best: Swing  # the best plain attack on it in clear sight, from wherever that is made best
    far: bool  # its attacker strikes from afar
    vantages: tuple[Vantage, ...]  # within the spaces that were asked for; often none
    holds: bool = False  # some of its attacker's blows may hold it (`Swing.held`)


class Threat(msgspec.Struct, frozen=True, gc=False):
    """What one creature could do to another in its coming chances, wherever the other stands.

    Where it strikes harder on some spaces than on others, it has several, none of whose spaces are the same.
    """

    by: str
    close: Bitboard  # spaces on which the other could be struck without a point spent on the way
    blows: float  # so many of these blows its points would last for in this turn
    now: Bitboard  # spaces on which the other could be struck in a next chance of this turn
    later: Bitboard  # the same after the points are set anew; holds `now`, too
    swing: Swing  # the best that it could do there in clear sight, everything else as it is
    far: bool  # it strikes over others' heads: who stands in the way is no screen
    screened: bool = True  # whether it comes over the ground that others walk, so that they can hold it off


class Way(msgspec.Struct, frozen=True, gc=False):
    """Spaces on which one kind of movement could end for equally many points."""

    do: tuple[str, ...]  # the words of the movements, in order
    points: int
    exposed: int  # Defense given away, as in `Swing`
    cells: Bitboard
    trace: object = None  # the ruleset's own: how `route` finds the way
    flight: bool = False
    """It gives up a melee at a price (see `Outlook.merits`): only for who would rather be elsewhere."""


class Merit(msgspec.Struct, frozen=True, gc=False):
    """Spaces that it is good to stand on, or bad, whatever is done there."""

    cells: Bitboard  # spaces to stand on
    value: float  # in the units of `value`
    what: str  # what for, in a few words


class Outlook(msgspec.Struct, frozen=True, gc=False):
    """What a creature may still do in its chance, in bulk."""

    points: int  # what may be spent in this chance
    acts: bool  # whether an action may still be taken
    ways: tuple[Way, ...]  # by points, cheapest first; spaces may be named by several. Where it stands is in none.
    end: Action
    merits: tuple[Merit, ...] = ()  # what else tells spaces apart; their values add up
    dreads: tuple[str, ...] = ()  # whom it has to flee from
    ground: Terrain | None = None  # the ground as it goes over it, if otherwise than others
    after: bool = False  # whether these ways may also be gone after the action
    patience: float = 1.0  # what letting a foe come is worth, in parts of what it is where he spends points on the way
    together: float = 0.0  # what it costs to be where foes could strike while all one's friends are still on their way
    dismay: float = 1.0  # how much one's own wounds count for fear: less where one's side has the upper hand


Blow = tuple[str, float, float, float]
"""(foe, mean damage, chance to drop it, chance to stun it)."""


class Measure(msgspec.Struct, frozen=True, gc=False):
    """Something that a creature could do where it stands beside moving and striking; what for, its class says."""

    action: Action
    points: int
    chance: float = 1.0  # that it succeeds
    anywhere: bool = False  # it could be done as well where a movement leads
    cells: Bitboard = EMPTY  # the spaces on which alone it could be done, here or where a movement leads; none = here


class Rise(Measure, frozen=True, gc=False):
    """To be on one's feet, or free, again."""


class Seek(Measure, frozen=True, gc=False):
    """Something hidden may be found."""


class Leave(Measure, frozen=True, gc=False):
    """Out of the fight for good."""


class Defend(Measure, frozen=True, gc=False, kw_only=True):
    """Harder to hit."""

    value: float  # Defense gained


class Arm(Measure, frozen=True, gc=False, kw_only=True):
    """Better armed."""

    value: float  # mean damage gained for each blow


class Mend(Measure, frozen=True, gc=False, kw_only=True):
    """Who is dying is kept alive, who is held gets free."""

    value: float = 0.0  # what the patient gains, in the units of `Piece.value`, where the rules know it


class Help(Measure, frozen=True, gc=False, kw_only=True):
    """A friend gets past something the likelier; the chance is that it succeeds because of it."""

    value: float = 0.0  # what it is worth beside the way
    door: str = ""  # the door that the friend is at


class Pass(Measure, frozen=True, gc=False, kw_only=True):
    """A way opens, or is taken."""

    value: float = 0.0  # what it is worth beside the way
    cell: Cell = NOWHERE  # where one stands after a success; −1 = where one is
    risk: float = 0.0  # chance of a bad fall or the like


class Effect(Measure, frozen=True, gc=False, kw_only=True):
    """Something is gained, somebody harmed."""

    value: float = 0.0
    """All that is gained beside `blows`, in the units of `Piece.value`, its chance and its price counted in."""
    blows: tuple[Blow, ...] = ()  # for each foe that it harms


class Magic(Effect, frozen=True, gc=False, kw_only=True):
    """By a spell, a power, a manner of fighting."""

    cell: Cell = NOWHERE  # where one stands after a success; −1 = where one is
    cover: float = 0
    """Defense gained by it for a while, or given away (below 0), beside all else: each point is taken for a part of
    the danger (the weight `part`); rules that know the part exactly may say so."""


class Feat(Effect, frozen=True, gc=False, kw_only=True):
    """By skill and at a cost what magic might do."""

    cost: float = 0.0  # what a failure may cost its doer, as in `Swing`


class Beside(Effect, frozen=True, gc=False, kw_only=True):
    """What takes nothing from a chance, and is done before whatever else is; `blows` are what one's own blow on a foe
    gains or loses by it."""


# -- in an exploration, where `points` are minutes


class Advance(Measure, frozen=True, gc=False, kw_only=True):
    """A way to go; the chance is that nobody notices."""

    cell: Cell
    openly: float = 0.0  # 1 for who goes openly, so that somebody unseen might notice


class Light(Measure, frozen=True, gc=False):
    """One stands in the dark; the chance is that nobody notices by it."""


class Breathe(Measure, frozen=True, gc=False):
    """One sits down until one has got one's breath back."""


class Clear(Measure, frozen=True, gc=False):
    """Something in the way is dealt with."""


class Ambush(Measure, frozen=True, gc=False):
    """To fall upon the foe."""


class Begin(Measure, frozen=True, gc=False):
    """To call the foe out."""


class Piece(msgspec.Struct, frozen=True, gc=False):
    """A creature in plain figures, for valuations: what a Miniature shows, without words."""

    id: str
    side: str
    cell: Cell
    size: int
    health: int
    most: int
    points: int  # what it has left to spend in this turn
    out: bool  # can take no more part
    dead: bool
    ailing: bool  # it loses health until somebody helps it
    ready: bool  # on its feet and its own master
    value: float  # what losing it means to its side: about 1 for an ordinary one
    rises: bool = False  # out, but it will be back by itself unless somebody sees to it
    far: bool = False  # it strikes from afar, under rules where friends are waited for


class Promise(NamedTuple):
    """What an action is worth to its doer's side, its chances counted in: a valuation in the units of `value`."""

    benefit: float = 0.0
    """What it gains beside harm to foes: healing, help, hindrance of foes, less what it does to friends."""
    cost: float = 0.0  # what it may cost whoever does it; how much that is minded is a matter of temper


NOTHING = Promise()


class Sealing(Protocol):
    """Plans of a side that lie sealed until it resolves, under rules that have a whole side plan first."""

    def fresh(self, state: Any, /) -> Any:
        """The position before anybody planned."""

    def sealed(self, state: Any, creature: str, action: Action, /) -> Any:
        """The position with an action more in somebody's plan."""

    def plan(self, state: Any, creature: str, /) -> object:
        """All that somebody has planned, comparable; None for nothing."""

    def done(self, state: Any, creature: str, /) -> bool:
        """Whether nothing can be added to somebody's plan."""


class Begun(NamedTuple):
    """A position in which a chance may have begun, and by what movements, in order, it came to stand where it does."""

    state: Any
    moved: tuple[str, ...]  # the words of the movements
    cell: Cell  # where they have led


class Advisor(Protocol):
    """Figures and valuations of positions under one ruleset: nothing here decides a rule."""

    @property
    def sealing(self) -> Sealing | None:
        """How plans are sealed; None where everybody acts at once."""

    def pieces(self, state: State, /) -> tuple[Piece, ...]:
        """Everybody on the board, in the order of the record."""

    def temperament(self, state: State, creature: str, /) -> str:
        """How an AI should play it: `cunning`, `brute`, `coward` or another word of the content."""

    def place(self, state: State, creature: str, /) -> Cell:
        """Where somebody stands who has a decision to make; below 0: nowhere."""

    def turn(self, state: State, /) -> int:
        """How long the fight has lasted, or its exploration: its turn, or the ruleset's like."""

    def outlook(self, state: State, creature: str, /) -> Outlook:
        """What a creature may still do: in its own chance what is left of it, else in a fresh one."""

    def route(self, state: State, creature: str, way: Way, cell: Cell, /) -> tuple[Action, ...]:
        """The movements of a way that end on one of its spaces, in order; empty where they don't fit together."""

    def targets(self, state: State, by: str, cells: Bitboard, /) -> tuple[Target, ...]:
        """Whom a creature could attack at all, and from which of `cells` how, as if fresh; in the record's order. Of
        those who are out only who rises again is named."""

    def threats(self, state: State, target: str, /) -> tuple[Threat, ...]:
        """Who could strike a creature, and where: walls count, creatures in the way don't. In the record's order."""

    def measures(self, state: State, decision: Decision, /) -> Iterator[Measure]:
        """What else is worth a thought in a chance: deeds with their purpose, legal here or where their `cells` say, in
        stable order."""

    def promise(self, state: State, action: Action, /) -> Promise:
        """What an action gains beside harm to foes, and what it may cost its doer; nothing where none is known."""

    def spots(self, state: State, creature: str, /) -> Mapping[Cell, int]:
        """Cells where a creature could end its movement in one fresh chance -> points it takes (0 = stay or free)."""

    def reaches(self, state: State, creature: str, start: Cell, /) -> Bitboard:
        """Bitboard of cells that a creature standing at `start` can strike with what it holds."""

    def endures(self, state: State, creature: str, /) -> float:
        """How many rounds (turns) it would take those against it to fell a creature; 0 where nothing tells."""

    def begun(self, state: State, creature: str, /) -> tuple[Begun, ...]:
        """The positions in which a creature's chance may have begun, as far as nothing but its own movement has
        happened in it; none where it has only begun now, or where more has."""


S = TypeVar("S", bound=Position)
Ts = TypeVarTuple("Ts")
R = TypeVar("R")


def untold(state: object, creature: str, /) -> float:
    """Nothing tells how long somebody stands."""
    return 0.0


def unbegun(state: object, creature: str, /) -> tuple[Begun, ...]:
    """Nothing tells how a chance began."""
    return ()


@dataclass(frozen=True)
class Answers(Generic[S]):
    """An advisor by the functions that answer for it; each is the method of `Advisor` of its name."""

    pieces: Callable[[S], tuple[Piece, ...]]
    temperament: Callable[[S, str], str]
    place: Callable[[S, str], Cell]
    turn: Callable[[S], int]
    outlook: Callable[[S, str], Outlook]
    route: Callable[[S, str, Way, Cell], tuple[Action, ...]]
    targets: Callable[[S, str, Bitboard], tuple[Target, ...]]
    threats: Callable[[S, str], tuple[Threat, ...]]
    measures: Callable[[S, Decision], Iterator[Measure]]
    promise: Callable[[S, Action], Promise]
    spots: Callable[[S, str], Mapping[Cell, int]]
    reaches: Callable[[S, str, Cell], Bitboard]
    endures: Callable[[S, str], float] = untold
    sealing: Sealing | None = None
    begun: Callable[[S, str], tuple[Begun, ...]] = unbegun


def by_id(answer: Callable[[S, CreatureIx, *Ts], R]) -> Callable[[S, str, *Ts], R]:
    """What answers by a creature's number, asked by its id."""

    def asked(state: S, creature: str, /, *args: *Ts) -> R:
        return answer(state, state.setup.index[creature], *args)

    return asked


def standing(state: Any, who: CreatureIx) -> Cell:
    """Where somebody stands."""
    cell: Cell = state.figures[who].cell
    return cell


K = TypeVar("K")


class Latest(Generic[S, K]):
    """What is found once for a state and kept while that state is asked about: a planner asks for much several times.

    Only the latest is kept; another thread's state in between costs finding it again, no more.
    """

    def __init__(self, make: Callable[[S], K]) -> None:
        self._make = make
        self._kept: tuple[S, K] | None = None

    def of(self, state: S) -> K:
        """What is kept for a state, made anew for another than the last."""
        kept = self._kept
        if kept is None or kept[0] is not state:
            kept = self._kept = (state, self._make(state))
        return kept[1]


def over_hurdles(kinds: Mapping[str, Any], context: Any, here: Cell, *, falls: bool) -> Iterator[Pass]:
    """Gaps leapt; rubble cleared, by which the way as far as its next space is won. `kinds`: a ruleset's by the words
    of their commands; `falls`: who fails a leap falls."""
    leap, tackle = kinds["leap"], kinds["tackle"]
    for action in leap.instances(context):
        odds = leap.odds(context, action)
        if odds is not None and action.at is not None:
            yield Pass(action, 1, odds.hit, cell=action.at, risk=1.0 - odds.hit if falls else 0.0)
    for action in tackle.instances(context):
        _, one = named(context.setup.field, action.item or "")
        odds = tackle.odds(context, action) if one.kind == Kind.RUBBLE else None
        if odds is not None:
            cells = next_of(context.terrain, one, context.state.cleared, here, context.being.space)
            yield Pass(action, 1, odds.hit, cell=cells[0])

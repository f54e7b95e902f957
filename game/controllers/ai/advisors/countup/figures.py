"""What blows and shots do on average, as often as a planner asks within one state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from game.controllers.ai.advisors.planning import Piece
from game.controllers.ai.factors import load_weights
from rules.board.bitboard import cells_of
from rules.contract.units import EMPTY, Bitboard, CreatureIx
from rules.countup.combat.attack import CROWD, Defence, charging, defence_of, engaged
from rules.countup.combat.chances import harm_of, hit_figures
from rules.countup.combat.injury import HELPLESS_FOR
from rules.countup.combat.reach import Arc, arc, towards
from rules.countup.manners import Stance
from rules.countup.penetration import Harm, loss_figures
from rules.countup.state import KNOCK, Being, CountState, Figure, Position, PreparedAttack, Setup
from rules.countup.visibility import penalties

D20 = 20
VIEWERS = 8
"""Viewers whose moments are kept."""
MOST = 8192
"""Figures of blows that are kept, and ways to strike and to stand that are known by a number."""
V = TypeVar("V")


def value_of(being: Being) -> float:
    """What losing a creature means to its side: about 1 for an ordinary one."""
    w = load_weights("countup").countup.manoeuvres
    return (being.hp_max + w.attack * being.attack + w.reduction * being.reduction + being.defence) / w.ordinary


class Lasting:
    """What blows in a melee come to, from second to second and from fight to fight of the same creatures.

    Found by all that such figures hang on, so that nothing ever has to be forgotten.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.weights = load_weights("countup").countup
        self.off = setup.options["shield_arcs"]
        """Where it matters who of a crowd came first nothing is kept."""
        self.values = [value_of(being) for being in setup.beings]
        self.found: dict[tuple[object, ...], Any] = {}
        self._numbers: dict[tuple[object, ...], int] = {}
        self._next = count()
        self.pieces: dict[CreatureIx, tuple[Figure, bool, Piece]] = {}
        """The figure of which it was made, whether that was ready, and what a planner sees of it."""

    def number(self, what: tuple[object, ...]) -> int:
        """A number for how somebody strikes or stands: the same for what is alike."""
        found = self._numbers.get(what)
        if found is None:
            if len(self._numbers) >= MOST:
                self._numbers.clear()  # none is given twice for all that
            found = self._numbers[what] = next(self._next)
        return found

    def serves(self, setup: Setup) -> bool:
        """Whether it is about the same creatures under the same rules, and weighed alike."""
        own = self.setup
        if load_weights("countup").countup is not self.weights:
            return False
        if own is not setup:
            if own.beings != setup.beings or own.options != setup.options or own.armoury is not setup.armoury:
                return False
            self.setup = setup
        return True


def _strikes_as(state: CountState, who: CreatureIx) -> tuple[object, ...]:
    """All of somebody that its blows hang on, wherever it stands and whatever it strikes with."""
    figure = state.figures[who]
    owes = (figure.penalty, figure.withdrew, figure.owed, figure.tactical)
    return figure.prone, figure.effects, figure.worn, owes


def _stands_as(state: CountState, who: CreatureIx) -> tuple[object, ...]:
    """All of somebody that blows at it hang on, wherever it stands, the crowd about it aside."""
    figure, second, stance = state.figures[who], state.second, state.figures[who].stance
    charges = stance is Stance.CHARGING and (figure.order is None or charging(figure))
    return (
        figure.hp, figure.shield, figure.prone, stance, charges, figure.exposed, figure.casting is None, figure.effects,
        figure.tactical, figure.worn, figure.images, figure.helpless > second, figure.helpless > 0,
        figure.init > second, figure.fatigue > second, state.weapon(who).unarmed,
        figure.effects and figure.moved >= second - 1,
    )  # fmt: skip


class Known:
    """What is found once for a moment: figures of attacks, defences, who engages whom, and what else planners keep.

    Orders given since don't matter to any of it, so it serves all who decide in one second.
    """

    def __init__(self, state: CountState, lasting: Lasting) -> None:
        self.state = self.latest = state
        self.lasting = lasting
        self.blows: dict[tuple[CreatureIx, CreatureIx, str, str, bool, int, Arc | None], Blow] = {}
        self.memo: dict[object, Any] = {}
        self._guards: dict[tuple[CreatureIx, CreatureIx, Arc | None], Defence] = {}
        self._crowds: dict[CreatureIx, Sequence[CreatureIx]] = {}
        self._strikers: dict[CreatureIx, int] = {}
        self._targets: dict[CreatureIx, int] = {}

    def lastingly(
        self, by: CreatureIx, target: CreatureIx, where: Arc | None, what: tuple[object, ...], make: Callable[[], V]
    ) -> V:
        """What is found of a blow in a melee with a certain weapon, from the second on in which it was found first."""
        if self.lasting.off:
            return make()
        state, options = self.state, self.state.setup.options
        behind = (where is None or options["backstab"]) and towards(state, target, by) is Arc.REAR
        strikes = self._strikers.get(by)
        if strikes is None:
            strikes = self._strikers[by] = self.lasting.number(_strikes_as(self.state, by))
        stands = self._targets.get(target)
        if stands is None:
            crowded = len(state.foes(target)) >= CROWD and len(self._crowd(state, target)) >= CROWD
            stands = self._targets[target] = self.lasting.number((*_stands_as(self.state, target), crowded))
        light = penalties(state, by, target) if state.setup.darkness else None
        memo, key = self.lasting.found, (by, target, where, what, behind, light, strikes, stands)
        found: V | None = memo.get(key)
        if found is None:
            if len(memo) >= MOST:
                memo.clear()
            found = memo[key] = make()
        return found

    def serves(self, state: CountState) -> bool:
        """Whether nothing but orders differs in another state."""
        own = self.latest
        if own is state:
            return True
        if (
            own.second != state.second or own.setup is not state.setup or own.terrain is not state.terrain
            or own.viewer != state.viewer or own.zones != state.zones or own.doors != state.doors
        ):  # fmt: skip
            return False
        for before, now in zip(own.figures, state.figures, strict=True):
            if before is not now and before != now:
                if Stance.CHARGING in (before.stance, now.stance):
                    return False  # what it runs for counts
                if before != replace(now, order=before.order, press=before.press, policy=before.policy):
                    return False
        self.latest = state
        return True

    def guard(self, target: CreatureIx, by: CreatureIx, where: Arc | None) -> Defence:
        """As `defence_of`."""
        found = self._guards.get((target, by, where))
        if found is None:
            found = self._guards[target, by, where] = defence_of(self.state, target, by, self._crowd, where)
        return found

    def _crowd(self, state: Position, who: CreatureIx) -> Sequence[CreatureIx]:
        found = self._crowds.get(who)
        if found is None:
            found = self._crowds[who] = engaged(state, who)
        return found


_latest: dict[str, Known] = {}
"""By viewer; another thread's state in between costs finding it again, no more."""


def known_of(state: CountState) -> Known:
    """What is kept for a state, or made anew."""
    known = _latest.get(state.viewer)
    if known is None or not (known.latest is state or known.serves(state)):
        lasting = known.lasting if known is not None and known.lasting.serves(state.setup) else Lasting(state.setup)
        if len(_latest) > VIEWERS:
            _latest.clear()
        known = _latest[state.viewer] = Known(state, lasting)
    return known


class Blow(NamedTuple):
    """What a blow or shot does on average."""

    hit: float
    mean: float  # hit points lost
    drop: float
    dazed: float
    """The part of felling that pain and a fall are worth which do not fell."""


MISS = Blow(0.0, 0.0, 0.0, 0.0)


def figures_of(state: CountState, attack: PreparedAttack, guarded: int = 0, where: Arc | None = None) -> Blow:
    """An attack's figures, found once for a moment.

    `guarded` is added to a defence; `where`: as if the attacker stood there to its target.
    """
    known = known_of(state)
    key = (attack.by, attack.target, attack.weapon.name, attack.manner.word, attack.yielded, guarded, where)
    found = known.blows.get(key)
    if found is None:

        def make() -> Blow:
            guard = None if attack.manner.shot else known.guard(attack.target, attack.by, where)
            return _blow(known.state, attack, guarded, guard)

        found = make() if attack.manner.shot else known.lastingly(attack.by, attack.target, where, key[2:6], make)
        known.blows[key] = found
    return found


def figures_anew(state: CountState, attack: PreparedAttack) -> Blow:
    """An attack's figures in a state that is only thought of."""
    return _blow(state, attack, 0, None)


def backs(state: CountState, by: CreatureIx, target: CreatureIx, cells: Bitboard) -> Bitboard:
    """The spaces of some at somebody's back: of those that one has yet to come to only where it faces a friend, or it
    would turn."""
    setup, figure = state.setup, state.figures[target]
    side, here = setup.beings[by].side, 1 << state.figures[by].cell
    if not any(i != by and setup.beings[i].side == side and state.figures[i].present for i in figure.contacts):
        cells &= here
    field, sizes, found = setup.field, setup.sizes(target, by), EMPTY
    for cell in cells_of(cells):
        if arc(field, figure.cell, figure.facing, cell, sizes) is Arc.REAR:
            found |= 1 << cell
    return found


def _blow(state: CountState, attack: PreparedAttack, guarded: int, guard: Defence | None) -> Blow:
    hit, crit = hit_figures(state, attack, guarded, guard)
    if hit + crit <= 0.0:
        return MISS
    harm, figure = harm_of(state, attack), state.figures[attack.target]
    mean, drop, high, sure = loss_figures(harm, max(1, figure.hp))
    drop = hit * drop + crit * sure
    dazed = 0.0 if figure.helpless else _dazed(state, attack, harm, (hit, crit), drop)
    return Blow(hit + crit, hit * mean + crit * high, drop, dazed)


def _dazed(
    state: CountState, attack: PreparedAttack, harm: Harm, hits: tuple[float, float], drop: float
) -> float:  # fmt: skip
    """By how often it hurts above the threshold of pain (countup.md §2.4), or throws its target down (§2.3)."""
    w, being, found = load_weights("countup").countup.wounds, state.setup.beings[attack.target], 0.0
    hit, crit = hits
    if being.pain and being.trauma < D20:
        _, plain, _, critical = loss_figures(harm, being.pain + 1)
        over = D20 - being.trauma
        longest = w.helpless * min(1.0, HELPLESS_FOR * (over + 1) / 2 / w.long)
        found = longest * over / D20 * max(0.0, hit * plain + crit * critical - drop)
    if not state.figures[attack.target].prone:
        raw = KNOCK[being.knock or being.size] * (1 if attack.manner.charge else 2)
        _, plain, _, critical = loss_figures(harm, max(1, raw - being.reduction))
        found += w.thrown * max(0.0, hit * plain + crit * critical - drop)
    return min(found, 1.0 - drop)

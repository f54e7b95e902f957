"""What blows and shots do on average, as often as a planner asks within one state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from game.controllers.ai.advisors.planning import Latest
from game.controllers.ai.weights import load_weights
from rules.board.bitboard import cells_of
from rules.contract.units import EMPTY, Bitboard, CreatureIx
from rules.countup.combat.attack import Defence, defence_of, engaged
from rules.countup.combat.chances import harm_of, hit_figures
from rules.countup.combat.injury import HELPLESS_FOR
from rules.countup.combat.reach import Arc, arc
from rules.countup.penetration import Harm, loss_figures
from rules.countup.state import KNOCK, CountState, Position, PreparedAttack

D20 = 20


class _Known:
    """Defences in one state, and who engages whom: each is asked for a dozen times."""

    def __init__(self, state: CountState) -> None:
        self.state = state
        self.guards: dict[tuple[CreatureIx, CreatureIx, Arc | None], Defence] = {}
        self.crowds: dict[CreatureIx, Sequence[CreatureIx]] = {}

    def guard(self, target: CreatureIx, by: CreatureIx, where: Arc | None) -> Defence:
        """As `defence_of`."""
        found = self.guards.get((target, by, where))
        if found is None:
            found = self.guards[target, by, where] = defence_of(self.state, target, by, self._crowd, where)
        return found

    def _crowd(self, state: Position, who: CreatureIx) -> Sequence[CreatureIx]:
        found = self.crowds.get(who)
        if found is None:
            found = self.crowds[who] = engaged(state, who)
        return found


_latest = Latest(_Known)


class Blow(NamedTuple):
    """What a blow or shot does on average."""

    hit: float
    mean: float  # hit points lost
    drop: float
    dazed: float
    """The part of felling that pain and a fall are worth which do not fell."""


MISS = Blow(0.0, 0.0, 0.0, 0.0)


def figures_of(state: CountState, attack: PreparedAttack, guarded: int = 0, where: Arc | None = None) -> Blow:
    """An attack's figures; what defence a creature has against another is found once for a state.

    `guarded` is added to a defence; `where`: as if the attacker stood there to its target.
    """
    guard = None if attack.manner.shot else _latest.of(state).guard(attack.target, attack.by, where)
    return _blow(state, attack, guarded, guard)


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
    dazed = 0.0 if figure.helpless else _dazed(state, attack, harm, hit, crit, drop)
    return Blow(hit + crit, hit * mean + crit * high, drop, dazed)


def _dazed(state: CountState, attack: PreparedAttack, harm: Harm, hit: float, crit: float, drop: float) -> float:
    """By how often it hurts above the threshold of pain (countup.md §2.4), or throws its target down (§2.3)."""
    w, being, found = load_weights().countup.wounds, state.setup.beings[attack.target], 0.0
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

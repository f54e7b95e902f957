"""What blows and shots do on average, as often as a planner asks within one state."""

from __future__ import annotations

from rules.contract.units import CreatureIx
from rules.countup.combat.attack import Defence, defence_of
from rules.countup.combat.chances import Figures, attack_figures
from rules.countup.state import CountState, PreparedAttack

_Guards = dict[tuple[CreatureIx, CreatureIx], Defence]
_latest: list[tuple[CountState, _Guards]] = []
"""The state that was asked about last, and the defences in it: a planner asks for each of them a dozen times."""


def figures_of(state: CountState, attack: PreparedAttack, guarded: int = 0) -> Figures:
    """As `attack_figures`; what defence a creature has against another is found once for a state."""
    if attack.manner.shot:
        return attack_figures(state, attack, guarded)
    known = _latest[-1] if _latest else None
    if known is None or known[0] is not state:
        known = (state, {})
        _latest[:] = [known]
    guards, pair = known[1], (attack.target, attack.by)
    guard = guards.get(pair)
    if guard is None:
        guard = guards[pair] = defence_of(state, *pair)
    return attack_figures(state, attack, guarded, guard)

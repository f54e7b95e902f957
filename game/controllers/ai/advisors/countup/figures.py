"""What blows and shots do on average, as often as a planner asks within one state."""

from __future__ import annotations

from collections.abc import Sequence

from game.controllers.ai.advisors.planning import Latest
from rules.contract.units import CreatureIx
from rules.countup.combat.attack import Defence, defence_of, engaged
from rules.countup.combat.chances import Figures, attack_figures
from rules.countup.state import CountState, Position, PreparedAttack


class _Known:
    """Defences in one state, and who engages whom: each is asked for a dozen times."""

    def __init__(self, state: CountState) -> None:
        self.state = state
        self.guards: dict[tuple[CreatureIx, CreatureIx], Defence] = {}
        self.crowds: dict[CreatureIx, Sequence[CreatureIx]] = {}

    def guard(self, target: CreatureIx, by: CreatureIx) -> Defence:
        """As `defence_of`."""
        found = self.guards.get((target, by))
        if found is None:
            found = self.guards[target, by] = defence_of(self.state, target, by, self._crowd)
        return found

    def _crowd(self, state: Position, who: CreatureIx) -> Sequence[CreatureIx]:
        found = self.crowds.get(who)
        if found is None:
            found = self.crowds[who] = engaged(state, who)
        return found


_latest = Latest(_Known)


def figures_of(state: CountState, attack: PreparedAttack, guarded: int = 0) -> Figures:
    """As `attack_figures`; what defence a creature has against another is found once for a state."""
    if attack.manner.shot:
        return attack_figures(state, attack, guarded)
    return attack_figures(state, attack, guarded, _latest.of(state).guard(attack.target, attack.by))

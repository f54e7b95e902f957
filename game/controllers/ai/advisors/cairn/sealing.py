"""A side's plans, which lie sealed until it resolves: put into a position, and taken out of it."""

from __future__ import annotations

import msgspec

from rules.cairn.actions.legal import intent
from rules.cairn.state import CairnState
from rules.contract.actions import Action


class Sealing:
    """Plans of a half (cairn.md §1 Planning)."""

    def fresh(self, state: CairnState) -> CairnState:
        """The position before anybody planned."""
        if not state.declared:
            return state
        return msgspec.structs.replace(state, plans=(None,) * len(state.plans), declared=())

    def sealed(self, state: CairnState, creature: str, action: Action) -> CairnState:
        """The position with an action more in somebody's plan."""
        who, plans, declared = state.setup.index[creature], list(state.plans), state.declared
        plans[who] = intent(state, who, action)
        declared = declared if who in declared else (*declared, who)
        return msgspec.structs.replace(state, plans=tuple(plans), declared=declared)

    def plan(self, state: CairnState, creature: str) -> object:
        """All that somebody has planned; None for nothing."""
        return state.plans[state.setup.index[creature]]

    def done(self, state: CairnState, creature: str) -> bool:
        """Whether nothing can be added to somebody's plan."""
        plan = state.plans[state.setup.index[creature]]
        return plan is not None and plan.done

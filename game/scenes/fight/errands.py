"""Several deeds at one wish: up to a foe and strike it, up to a door and open it, as far as the rules let both be done.

Nothing is tried out in secret: the way is gone and the deed done as two commands, each as legal as if asked for alone;
whatever comes between them (a question, a foe that was not seen) ends the errand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from game.controllers.ai.advisors import advisor_of
from game.scenes.fight.panels import spaces
from game.scenes.fight.plan import Plan
from rules.board.bitboard import board_of, cells_of
from rules.contract.actions import Action, Decision, Description
from rules.contract.errors import BattlematError
from rules.contract.ruleset import State

if TYPE_CHECKING:
    from game.scenes.fight.scene import Fight

TRIED = 10
"""So many ends of ways are tried for an errand."""


class Errand(NamedTuple):
    """What is done one after the other to whom or what; `there` is what could be done where the way ends."""

    target: str
    actions: tuple[Action, ...]
    there: Plan
    told: tuple[Description, ...]
    """What each action says of itself where it is done."""

    @property
    def cost(self) -> str:
        """The prices one after the other, what costs nothing left out: `1 AP + 2 AP`."""
        return " + ".join(d.cost for d in self.told if d.cost and not (d.points == 0 and d.cost.startswith("0 ")))

    @property
    def deed(self) -> Action:
        """What it is all for."""
        return self.actions[-1]

    @property
    def path(self) -> tuple[int, ...]:
        """The spaces entered on the way, in order."""
        return tuple(cell for action in self.actions for cell in action.path)


class Errands:
    """The errand that is considered, and the one that is under way."""

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self.planned: Errand | None = None
        """Waits for one more click."""
        self._left: list[Action] = []
        self._by = ""
        self._done = 0
        """How many commands there were when its next deed was given."""

    def forget(self) -> bool:
        """Nothing is planned any more; False if nothing was."""
        was, self.planned = self.planned is not None, None
        return was

    def propose(self, target: str) -> bool:
        """Plan the way to a foe out of reach and the blow; False where that can't be."""
        fight, plan = self.fight, self.fight.plan
        self.planned = to_foe(plan, target) if plan is not None and plan.armed is None else None
        fight.dirty = True
        return self.planned is not None

    def do(self, errand: Errand) -> None:
        """Set out."""
        self.planned = None
        self._left, self._by = list(errand.actions), errand.deed.by
        self._next()

    def _next(self) -> None:
        self._done = self.fight.match.history.length
        if not self.fight.act(self._left.pop(0)):
            self._left = []

    def follow(self) -> None:
        """Go on with it once what was done has been shown; it ends where anything else is asked."""
        fight, plan = self.fight, self.fight.plan
        if not self._left or fight.telling.behind or fight.view.busy or fight.throwing.open:
            return
        went_on = fight.match.history.length > self._done
        asked = plan is not None and plan.decision.by == self._by and not plan.is_question
        if not went_on or not asked or plan is None or self._left[0] not in plan.legal:
            if went_on:
                fight.toast("Something came between: the rest was not done.")
            self._left = []
            return
        self._next()


# -- finding them


def to_foe(plan: Plan, target: str) -> Errand | None:
    """The cheapest way after which a foe can be struck in the same chance, and the blow; None where there is none."""
    by, mini = plan.decision.by, plan.minis.get(target)
    if plan.actor is None or plan.is_question or mini is None or mini.out or not plan.is_foe(target):
        return None
    state = _dry(plan)
    outlook = advisor_of(plan.ruleset).outlook(state, by)
    reachable = 0
    for way in outlook.ways:
        reachable |= way.cells
    aimed = next((t for t in advisor_of(plan.ruleset).targets(state, by, reachable) if t.id == target), None)
    from_where = 0
    for vantage in aimed.vantages if aimed is not None else ():
        from_where |= vantage.cells
    tried = 0
    for way in outlook.ways:
        for cell in _nearest(plan, way.cells & from_where & plan.known):
            found = _tried(plan, state, advisor_of(plan.ruleset).route(state, by, way, cell), target)
            if found is not None:
                return found
            tried += 1
            if tried >= TRIED:
                return None
    return None


def _nearest(plan: Plan, cells: int) -> list[int]:
    """A few spaces, those nearest to whoever decides first."""
    assert plan.actor is not None
    column, row = plan.field.at(plan.actor.cell)

    def away(cell: int) -> tuple[int, int, int]:
        x, y = plan.field.at(cell)
        return (max(abs(x - column), abs(y - row)), abs(x - column) + abs(y - row), cell)

    return sorted(cells_of(cells), key=away)[:3]


def to_door(plan: Plan, name: str) -> Errand | None:
    """The first way after which something can be done to a door without dice, and that; None where there is none."""
    door = next((d for d in plan.field.doors if d.id == name), None)
    if door is None or plan.actor is None or plan.is_question:
        return None
    state = _dry(plan)
    terrain = plan.ruleset.terrain(plan.state)
    spots = [door.cell] if door.edge is None else [door.cell, door.edge]
    near = board_of(cell for spot in spots for cell in cells_of(terrain.within(spot, 1)))
    tried = 0
    for cells, lead in _ways(plan, state):
        for cell in _nearest(plan, cells & near & plan.known):
            found = _tried(plan, state, lead(cell), name)
            if found is not None and found.there.odds(found.deed) is None:
                return found
            tried += 1
            if tried >= TRIED:
                return None
    return None


def through_door(fight: Fight, plan: Plan, cell: int) -> Errand | None:
    """The way up to a shut door on a space or on its edge, and opening it; None where there is none."""
    shut = (door.id for door, state in spaces.doors_at(fight, cell) if state != "open")
    found = (to_door(plan, name) for name in shut)
    return next((errand for errand in found if errand is not None), None)


def _ways(plan: Plan, state: State) -> Iterator[tuple[int, Callable[[int], tuple[Action, ...]]]]:
    """Where whoever decides could end, cheapest first, and how it gets there: all movements of a chance put together,
    else one by one where the rules don't think in chances."""
    by = plan.decision.by
    ways = advisor_of(plan.ruleset).outlook(state, by).ways
    for way in ways:
        yield way.cells, partial(advisor_of(plan.ruleset).route, state, by, way)
    for offer in plan.offers if not ways else ():
        if offer.description.needs == "path" and offer.actions:
            moves = plan.moves(offer)
            yield board_of(moves), partial(_alone, moves)


def _alone(moves: Mapping[int, Action], cell: int) -> tuple[Action, ...]:
    return (moves[cell],)


def _dry(plan: Plan) -> State:
    """The position as it is known, without any dice: what throws some can't be planned ahead."""
    sides = {mini.side for mini in plan.board.miniatures} | {plan.decision.side}
    return plan.ruleset.observe(plan.state, *sorted(sides))


def _tried(plan: Plan, state: State, way: tuple[Action, ...], target: str) -> Errand | None:
    """A way and what can be done to somebody or something at its end, if all is legal and the way needs no dice."""
    decision: Decision | None = plan.decision
    if not way:
        return None
    told: list[Description] = []
    for action in way:
        if decision is None or action not in plan.ruleset.legal(state, decision):
            return None
        told.append(plan.ruleset.describe(state, action))  # a later step of the way costs what it costs from there
        try:
            state = plan.ruleset.apply(state, decision, action).state
        except BattlematError:
            return None
        decision = next((d for d in plan.ruleset.decisions(state) if d.by == plan.decision.by), None)
        if decision is not None and decision.kind != plan.decision.kind:
            return None
    if decision is None:
        return None
    board = plan.ruleset.board(state)
    there = Plan(plan.ruleset, state, decision, plan.ruleset.legal(state, decision), board, plan.field, plan.known)
    deed = there.strike(target) if target in there.minis else there.on_door(target)
    if deed is None:
        return None
    return Errand(target, (*way, deed), there, (*told, there.describe(deed)))

"""What is pointed at, by mouse or by the cursor of the keys, and what doing it there would do: considered, not done."""

from __future__ import annotations

from game.scenes.fight import spaces
from game.scenes.fight.model import REST, Drag, FightModel
from game.scenes.fight.party import Marching
from game.scenes.fight.plan import Errand, Plan
from rules.board import sight
from rules.contract.text import text
from rules.contract.units import Cell

GRADES = {0: "no line of sight", 1: "minimal", 2: "partial", 3: "clear"}
SCALES = {"feet": (5, "ft"), "metres": (2, "m")}
"""What a space measures on the map's scale, and the unit: 5 feet or 2 metres, whichever the group prefers."""


class Aiming:
    """Works out what the space or creature that is pointed at means; all that it finds stands in the model."""

    def __init__(self, fight: FightModel, marching: Marching) -> None:
        self.fight, self.at, self.marching = fight, fight.pointed, marching
        self._leads: tuple[Plan | None, dict[str, Errand | None]] = (None, {})
        """What clicks on foes out of reach would plan, for one decision."""

    # -- pointing

    def point(self, pos: tuple[int, int], *, again: bool = False) -> None:
        """The mouse is at a pixel: which space, which creature, what would a click do."""
        fight, at = self.fight, self.at
        cell = fight.camera.to_cell(pos) if pos != (-1, -1) else None
        aimed = self._meant(cell, fight.view.miniature_at(pos))
        if (cell, aimed) == (at.cell, at.aimed) and not again and not at.keyed:
            return
        if at.keyed and not again:
            at.keyed, at.waypoints = False, []
        if cell != at.cell:
            at.rested = 0.0
        at.cell, at.aimed, at.turned = cell, aimed, False
        if cell is not None and at.ruler is not None:
            at.ruler = (at.ruler[0], cell)
        self._mean()

    def repoint(self) -> None:
        """Point at the same once more: what it means has changed."""
        if self.at.keyed:
            self._mean()
        else:
            self.point(self.fight.app.pointer, again=True)

    def settle(self, *, again: bool = False) -> None:
        """The board has moved under a resting mouse: point at what lies under it now.

        `again`: it is the match that moved on, and what lies there means something else, be it the same space.
        """
        fight, pointer = self.fight, self.fight.app.pointer
        if self.at.keyed or pointer == (-1, -1) or fight.ui.over(pointer):
            return
        if again or (not self.at.busy and fight.camera.to_cell(pointer) != self.at.cell):
            self.point(pointer, again=again)

    def give_way(self) -> None:
        """Panels have come: where one lies under a resting mouse now, nothing of the board is pointed at."""
        if self.at.keyed or self.at.busy or self.at.cell is None or self.fight.ui.modal:
            return  # a list that is open for a moment asks about what is pointed at
        if any(panel.collidepoint(self.fight.app.pointer) for panel in self.fight.under_panels):
            self.let_go()

    def let_go(self) -> None:
        """Nothing is pointed at any more."""
        at = self.at
        at.cell = at.aimed = None
        at.path, at.fault = (), None
        self.fight.choices.course = self.fight.choices.approach = None
        self.fight.consider(None)

    def rest(self, dt: float) -> bool:
        """Let time pass over what is pointed at; True when it has rested there long enough."""
        waited = self.at.waiting
        self.at.rested += dt if waited else 0.0
        return waited and self.at.rests

    # -- by keys

    def aim(self, target: str) -> None:
        """Point at a creature by key."""
        mini = next((m for m in self.fight.board.miniatures if m.id == target), None)
        if mini is not None:
            self._by_key(mini.cell, target)

    def steer(self, across: int, down: int) -> None:
        """Move the key cursor by columns and rows; it sets out from whoever acts."""
        fight, plan = self.fight, self.fight.plan
        start = self.at.by_keys[0] if self.at.by_keys is not None else plan.start if plan is not None else None
        if start is None:
            return
        column, row = fight.match.field.at(start)
        if not fight.camera.bounds.collidepoint(column + across, row + down):
            fogged = fight.eyes.sides is not None
            fight.toast("Nobody of yours has seen what lies there." if fogged else "The map ends there.")
            return
        cell = fight.match.field.cell(column + across, row + down)
        self._by_key(cell, self._meant(cell, fight.view.miniature_at(fight.camera.space_rect(cell).center)))

    def resume(self, chosen: tuple[Cell, str | None]) -> None:
        """Back from something that lay over the board: what keys had chosen is chosen still."""
        self.at.keyed, self.at.rested = True, REST
        self.at.cell, self.at.aimed = chosen
        self._mean()

    def _by_key(self, cell: Cell, aimed: str | None) -> None:
        fight, at = self.fight, self.at
        at.keyed = True
        at.rested = REST if cell != at.cell else at.rested
        at.cell, at.aimed = cell, aimed
        start, camera = fight.plan.start if fight.plan is not None else None, fight.camera
        cells = [cell]
        if start is not None:
            (a, b), (c, d) = camera.at(cell), camera.at(start)
            wide, high = (abs(a - c) + 1) * camera.zoom, (abs(b - d) + 1) * camera.zoom
            if wide <= camera.free.width and high <= camera.free.height:  # both fit
                cells.append(start)
        fight.show_cells(cells)
        self._mean()

    # -- what it means

    def _mean(self) -> None:
        """Work out what doing it here would do: it is considered from now on, with its way or what hinders it."""
        fight, plan, cell, aimed = self.fight, self.fight.chance, self.at.cell, self.at.aimed
        self.at.path, self.at.path_ok, self.at.fault = (), True, None
        fight.choices.course = fight.choices.approach = None
        if plan is None or cell is None:
            fight.consider(None)
        elif self.at.drag is Drag.PATH:
            self._trace(plan, cell)
        elif aimed is not None and (aimed != plan.decision.by or plan.strike(aimed) is not None):
            fight.consider(plan.strike(aimed))
            if fight.choices.preview is None and plan.armed is None and plan.is_foe(aimed) and not self.marching.on:
                fight.choices.approach = self._approach(plan, aimed)
        elif (course := self.marching.leads(cell)) is not None:
            fight.consider(None)
            fight.choices.course, self.at.path = course, course.way
        elif self.at.keyed and plan.actor is not None:
            self._trace(plan, cell)
        else:
            self._lead(plan, cell)

    def _approach(self, plan: Plan, target: str) -> Errand | None:
        """The way up to a foe out of reach and the blow there, as a click would plan it; None where there is none."""
        if self._leads[0] is not plan:
            self._leads = (plan, {})
        known = self._leads[1]
        if target not in known:
            known[target] = spaces.to_foe(plan, target)
        return known[target]

    def _lead(self, plan: Plan, cell: Cell) -> bool:
        """The cheapest way to a space, or what can be done to the door there; False for neither."""
        action = plan.move_to(cell)
        if action is not None:
            plain = action.item is not None or action in plan.facings.values()
            self.at.path = action.path or (() if plain else (cell,))
        else:
            action = plan.door_at(cell)
        self.fight.consider(action)
        return action is not None

    def _meant(self, cell: Cell | None, aimed: str | None) -> str | None:
        """The creature meant by pointing at a space: who can be struck rather than who shares the space with it,

        no body where one may walk, and nobody at all for an armed movement or work on a door.
        """
        plan = self.fight.plan
        if plan is None or cell is None or aimed is None or aimed not in plan.minis:
            return aimed
        if plan.armed is not None and plan.armed.description.needs in ("path", "space", "door", "facing"):
            return None
        if plan.strike(aimed) is None:
            here = [m for m in plan.board.miniatures if m.cell == plan.minis[aimed].cell and m.id != aimed]
            sharing = [m.id for m in here if plan.strike(m.id) or (not m.out and plan.is_foe(m.id))]
            if sharing:
                return max(sharing, key=lambda name: plan.strike(name) is not None)
            if plan.minis[aimed].out and plan.move_to(cell) is not None:
                return None
        return aimed

    def _trace(self, plan: Plan, cell: Cell) -> None:
        """The path planned so far: over the waypoints, else the cheapest."""
        at = self.at
        if (not at.waypoints and self._lead(plan, cell)) or plan.start is None:
            return
        at.path = spaces.route(plan, [plan.start, *at.waypoints, cell])
        action = plan.along(at.path) if at.path else None
        at.path_ok = action is not None
        self.fight.consider(action)
        if action is None and cell != plan.start:
            at.fault = (self.hindrance(plan, cell), cell)

    def hindrance(self, plan: Plan, cell: Cell) -> str:
        """Why the way that was planned to a space can't be gone."""
        if self.at.path and plan.known >> cell & 1:
            return plan.why_not_there(self.at.path)
        return spaces.why_no_way(self.fight, plan, cell)

    # -- measuring

    def take_sight(self, cell: Cell, start: Cell | None = None) -> None:
        """One end of a line of sight, then the other; only between spaces that the player's side knows.

        With `start` the line begins there.
        """
        fight, at = self.fight, self.at
        start, end = (start, None) if start is not None else at.ends
        if start is None or end is not None:
            at.ends, at.line = (cell, None), None
            fight.toast("Line of sight: now Alt+click the other space.")
            return
        known = fight.eyes.known()
        if not (known >> cell & 1 and known >> start & 1):
            at.forget_line()
            fight.toast("Nobody of yours has seen that space.")
            return
        at.ends = (start, cell)
        at.line = sight.explain(fight.ruleset.terrain(fight.shown), start, cell)
        fight.toast(text("Line of sight: {get}.", GRADES.get(int(at.line.grade), "clear")))


def measured(fight: FightModel) -> tuple[str, Cell] | None:
    """What the ruler or the line of sight says, and the space it is said at."""
    at = fight.pointed
    if at.ruler is not None:
        distance = fight.ruleset.terrain(fight.shown).distance(*at.ruler)
        return (length(distance, fight.app.settings.scale_of_map), at.ruler[1])
    if at.line is not None and at.ends[1] is not None:
        return (GRADES.get(int(at.line.grade), "clear").capitalize(), at.ends[1])
    return None


def length(spaces: int, scale: str) -> str:
    """A distance in words: `3 spaces · 15 ft`."""
    each, unit = SCALES[scale]
    return text("{spaces} spaces · {what} {unit}", spaces, spaces * each, unit)

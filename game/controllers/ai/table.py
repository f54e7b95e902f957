"""One position as an AI reads it: who is there, what a blow is worth, and how dangerous a space is.

Everything comes through the contract of the ruleset and is remembered for the position.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from game.controllers.ai import routes
from game.controllers.ai.temper import Temper
from rules.actions import Action, Decision
from rules.board import Miniature
from rules.path import UNREACHABLE, distances
from rules.ruleset import Ruleset, State, Strike

TOMORROW = 0.5
"""What a blow counts that a foe hasn't the points for before its next turn."""
SHARED = 0.75
"""A foe may as well strike somebody else."""
FAR_REACH = 60
"""Who strikes more spaces than this from one is a shooter: some of its spots then stand for all."""
SHOOTER_SPOTS = 5
PATIENCE_TURNS = 5
"""Turns that a fight may last before everybody grows bolder, and over as many it comes to its full."""


class Threat(NamedTuple):
    """What one foe could do from where it could be: where it strikes from, by space struck."""

    foe: Miniature
    spots: Mapping[int, int]
    reach: tuple[tuple[int, int], ...]
    """(spot, spaces in reach), cheapest spot first."""
    whole: int


class Danger(NamedTuple):
    """What awaits somebody on a space."""

    cost: float
    strikers: int
    mean: float
    fall: float


class Table:
    """A position, read lazily. `me` is whose decision it is."""

    def __init__(
        self, ruleset: Ruleset, state: State, decision: Decision, temper: Temper, actor: str | None = None
    ) -> None:
        self.ruleset = ruleset
        self.state = state
        self.temper = temper
        self.side = decision.side
        self.board = ruleset.board(state)
        self.terrain = ruleset.terrain(state)
        standing = [m for m in self.board.miniatures if m.cell >= 0 and not m.out and not m.dead]
        self.everyone: dict[str, Miniature] = {m.id: m for m in self.board.miniatures}
        self.me = self.everyone.get(actor or decision.by)
        my_id = self.me.id if self.me else ""
        self.friends = tuple(m for m in standing if m.side == self.side and m.id != my_id)
        self.foes = tuple(m for m in standing if m.side != self.side)
        self.fallen = tuple(
            m for m in self.board.miniatures if m.side == self.side and m.out and not m.dead and m.cell >= 0
        )
        self._threats: dict[str, Threat] = {}
        self._strikes: dict[tuple[str, str, int, int], Strike | None] = {}
        self._dangers: dict[int, Danger] = {}
        self._worths: dict[str, float] = {}
        self._assists: dict[str, bool] = {}
        self._gaps: dict[int, float] = {}
        self._ways: tuple[tuple[int, ...], ...] | None = None
        self._restless: float | None = None
        self._costs: dict[str, int] = {}

    # ---------------------------------------------------------------------------------------- figures

    @property
    def restless(self) -> float:
        """0 in a young fight, rising to 1 in one that drags on: then danger counts less, and fights end."""
        if self._restless is None:
            turn = self.ruleset.summary(self.state).get("turn", 0)
            late = (turn if isinstance(turn, int) else 0) - PATIENCE_TURNS
            self._restless = min(1.0, max(0.0, late / PATIENCE_TURNS))
        return self._restless

    def cost_of(self, action: Action) -> int:
        """Points that an action takes; described once for each word."""
        found = self._costs.get(action.do)
        if found is None:
            found = self._costs[action.do] = self.ruleset.describe(self.state, action).points
        return found

    def worth(self, creature: str) -> float:
        found = self._worths.get(creature)
        if found is None:
            found = self._worths[creature] = self.ruleset.worth(self.state, creature)
        return found

    def strike(self, by: str, target: str, start: int, goal: int) -> Strike | None:
        key = (by, target, start, goal)
        if key not in self._strikes:
            self._strikes[key] = self.ruleset.strike(self.state, by, target, start, goal)
        return self._strikes[key]

    def hurt(self, target: Miniature, mean: float, drop: float) -> float:
        """The value of a blow with this mean damage and this chance to drop its target."""
        temper = self.temper
        share = min(1.0, mean / max(1, target.health.value))
        value = temper.damage * share + temper.finish * drop
        if self.assisted(target.id):
            value += temper.focus * share
        wounds = 1.0 - target.health.value / max(1, target.health.maximum)
        value += temper.focus * wounds * share
        return value * self.worth(target.id)

    def assisted(self, target: str) -> bool:
        """Whether some friend can strike that foe from where it stands."""
        found = self._assists.get(target)
        if found is None:
            foe = self.everyone[target]
            cells = self.terrain.footprint(foe.cell, foe.size)
            found = self._assists[target] = any(
                self.ruleset.reaches(self.state, friend.id, friend.cell) & cells for friend in self.friends
            )
        return found

    # ----------------------------------------------------------------------------------------- danger

    def threat(self, foe: Miniature) -> Threat:
        """Where a foe could strike in its next chance."""
        found = self._threats.get(foe.id)
        if found is None:
            spots = dict(self.ruleset.spots(self.state, foe.id))
            spots.setdefault(foe.cell, 0)
            reach = []
            whole = 0
            order = sorted(spots, key=lambda cell: (spots[cell], cell))
            if self.ruleset.reaches(self.state, foe.id, foe.cell).bit_count() > FAR_REACH:
                order = [order[0], *order[1 :: max(1, len(order) // SHOOTER_SPOTS)]]
            for spot in order:
                cells = self.ruleset.reaches(self.state, foe.id, spot)
                if cells & ~whole:
                    reach.append((spot, cells))
                    whole |= cells
            found = self._threats[foe.id] = Threat(foe, spots, tuple(reach), whole)
        return found

    def adopt_threats(self, other: Table) -> None:
        """Take over where foes could be from a position in which they stood alike."""
        if other.terrain is self.terrain:
            self._threats = other._threats

    def danger(self, cell: int) -> Danger:
        """What the known foes could do to me on a space, in the units of a score (positive = bad)."""
        found = self._dangers.get(cell)
        if found is None:
            found = self._dangers[cell] = self._danger(cell)
        return found

    def _danger(self, cell: int) -> Danger:
        me = self.me
        if me is None:
            return Danger(0.0, 0, 0.0, 0.0)
        cells = self.terrain.footprint(cell, me.size)
        mean = strikers = 0.0
        stand = 1.0
        for foe in self.foes:
            threat = self.threat(foe)
            if not threat.whole & cells:
                continue
            spot = next(spot for spot, reach in threat.reach if reach & cells)
            strike = self.strike(foe.id, me.id, spot, cell)
            if strike is None:
                continue
            now = foe.points.value >= threat.spots[spot] + strike.points
            weight = (1.0 if now else TOMORROW) * (SHARED if self.friends else 1.0)
            strikers += 1
            mean += weight * strike.mean
            stand *= 1.0 - min(1.0, weight * strike.drop)
        if not strikers:
            return Danger(0.0, 0, 0.0, 0.0)
        life = max(1, me.health.value)
        fall = max(1.0 - stand, min(0.9, max(0.0, mean / life - 0.5)))
        temper = self.temper
        cost = self.worth(me.id) * (temper.harm * min(1.5, mean / life) + temper.death * fall)
        return Danger(cost * (1.0 - 0.7 * self.restless), int(strikers), mean, fall)

    def awaited(self, cell: int) -> bool:
        """Whether a foe that has the points could still come and strike me on this space in this turn."""
        me = self.me
        if me is None:
            return False
        cells = self.terrain.footprint(cell, me.size)
        for foe in self.foes:
            threat = self.threat(foe)
            for spot, reach in threat.reach:
                if reach & cells and foe.points.value > threat.spots[spot]:
                    return True
        return False

    # ------------------------------------------------------------------------------------------- ways

    def gap(self, cell: int) -> float:
        """Spaces of movement from a space to the nearest foe, doors and ladders at their price; 99 without any way."""
        found = self._gaps.get(cell)
        if found is None:
            if self._ways is None:
                self._ways = self._make_ways(cell)
            near = min((way[cell] for way in self._ways), default=UNREACHABLE)
            if near >= UNREACHABLE and self.me is not None:
                near = 99
            found = self._gaps[cell] = float(near)
        return found

    def _make_ways(self, cell: int) -> tuple[tuple[int, ...], ...]:
        size = self.me.size if self.me else 1
        plain = []
        if size == 1:
            for foe in self.foes:
                way = distances(self.terrain, foe.cell)
                if way[self.me.cell if self.me else cell] < UNREACHABLE:
                    plain.append(way)
        if plain:
            return tuple(plain)
        goals = [goal for foe in self.foes for goal in routes.around(self.terrain, foe.cell, foe.size, size)]
        return (routes.far(self.terrain, self.board.doors, tuple(dict.fromkeys(goals)), size),)

    def hunt_price(self, goals: tuple[int, ...], cell: int) -> int:
        """The way from a space to the nearest goal of a search; UNREACHABLE without any."""
        size = self.me.size if self.me else 1
        return routes.far(self.terrain, self.board.doors, goals, size)[cell]

    def nearest(self, cell: int) -> int:
        """Spaces in a straight line to the nearest foe; 99 if there is none."""
        field = self.terrain.field
        column, row = field.at(cell)
        best = 99
        for foe in self.foes:
            x, y = field.at(foe.cell)
            best = min(best, max(abs(x - column), abs(y - row)))
        return best

    # ------------------------------------------------------------------------------------------ blows

    def best_strike(self, cell: int) -> tuple[float, Strike | None, Miniature | None]:
        """(value, strike, target) of my best blow from a space, as if fresh; (0, None, None) without one."""
        me = self.me
        best: tuple[float, Strike | None, Miniature | None] = (0.0, None, None)
        if me is None or not self.foes:
            return best
        cells = self.ruleset.reaches(self.state, me.id, cell)
        for foe in self.foes:
            if not cells & self.terrain.footprint(foe.cell, foe.size):
                continue
            strike = self.strike(me.id, foe.id, cell, foe.cell)
            if strike is None:
                continue
            value = self.hurt(foe, strike.mean, strike.drop)
            if value > best[0] + 1e-12 or best[1] is None:
                best = (value, strike, foe)
        return best

"""One position as an AI reads it: who is there, what a blow is worth, and how dangerous a space is.

Everything comes through the contract of the ruleset and is remembered for the position.
"""

from __future__ import annotations

from typing import NamedTuple

from game.controllers.ai import routes
from game.controllers.ai.temper import Temper
from rules.actions import Action, Decision
from rules.board import Miniature
from rules.grid import cells_of
from rules.path import UNREACHABLE, distances
from rules.ruleset import Ruleset, State, Strike
from rules.sight import visible

TOMORROW = 0.5
"""What a blow counts that a foe hasn't the points for before its next turn."""
SHARED = 0.75
"""A foe may as well strike somebody else."""
SHORT = 4
"""Who strikes further than this many spaces is a shooter."""
FAR = 99
"""The span of a shooter."""
SHOOTER_SPOTS = 3
"""Spaces that stand for all those a shooter reaches for as many points."""
PATIENCE_TURNS = 5
"""Turns that a fight may last before everybody grows bolder, and over as many it comes to its full."""


Arms = dict[tuple[str, int, int, tuple[object, ...]], int]
"""(creature, space, open doors, gear) -> how many spaces away it strikes."""


class Threat(NamedTuple):
    """What one foe could do in its next chance: from which spaces, how far, at what cost."""

    span: int
    """Spaces that its blows reach; FAR for a shooter."""
    layers: tuple[tuple[int, int], ...]
    """(points, spaces where it could then stand), cheapest first."""
    whole: int
    """Spaces that it might strike, walls aside."""


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
        my_id = self._own = self.me.id if self.me else ""
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
        self._spans: dict[str, int] = {}
        self.arms: Arms = {}
        """What is remembered of how far everybody strikes."""
        self.gear: tuple[object, ...] = ()
        """Tells apart what I may hold."""
        self._blows: dict[int, tuple[float, Strike | None, Miniature | None]] = {}
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
            found = self._assists[target] = any(
                self.terrain.distance(friend.cell, foe.cell, friend.size, foe.size) <= self.span(friend)
                for friend in self.friends
            )
        return found

    # ----------------------------------------------------------------------------------------- danger

    def threat(self, foe: Miniature) -> Threat:
        """Where a foe could strike in its next chance."""
        found = self._threats.get(foe.id)
        if found is None:
            layers: dict[int, int] = {0: 1 << foe.cell}
            for cell, points in self.ruleset.spots(self.state, foe.id).items():
                layers[points] = layers.get(points, 0) | 1 << cell
            order = tuple(sorted(layers.items()))
            span = self.span(foe)
            whole = 0
            if span == FAR:
                for _, cells in order:
                    for cell in cells_of(cells)[:SHOOTER_SPOTS]:
                        whole |= visible(self.terrain, cell, foe.size)
            else:
                for _, cells in order:
                    whole |= cells
                whole = self._grown(whole, span, foe.size)
            found = self._threats[foe.id] = Threat(span, order, whole)
        return found

    def span(self, mini: Miniature) -> int:
        """How many spaces away somebody can strike with what it holds; FAR for a shooter."""
        found = self._spans.get(mini.id)
        if found is None:
            key = (mini.id, mini.cell, self.terrain.doors_open, self.gear if mini.id == self._own else ())
            found = self.arms.get(key)
            if found is None:
                found = self.arms[key] = self._measure(mini)
            self._spans[mini.id] = found
        return found

    def _measure(self, mini: Miniature) -> int:
        cells = self.ruleset.reaches(self.state, mini.id, mini.cell)
        for span in range(1, SHORT + 1):
            if not cells & ~self._grown(1 << mini.cell, span, mini.size):
                return span
        return FAR

    def _grown(self, board: int, span: int, size: int = 1) -> int:
        """All spaces at most `span` from the creatures of a size on `board`."""
        field, everywhere = self.terrain.field, self.terrain.everywhere
        width = field.width
        first = everywhere // ((1 << width) - 1)
        not_first, not_last = everywhere & ~first, everywhere & ~(first << (width - 1))
        for step in range(span + size - 1):
            board |= (board & not_last) << 1
            board |= (board << width) & everywhere
            if step < span:
                board |= (board & not_first) >> 1
                board |= board >> width
        return board

    def striking(self, foe: Miniature, cell: int) -> tuple[int, Strike] | None:
        """(points for moving, blow) of a foe's cheapest way to strike me on a space; None if there is none."""
        me = self.me
        assert me is not None
        threat = self.threat(foe)
        if not threat.whole & self.terrain.footprint(cell, me.size):
            return None
        if threat.span == FAR:
            zone = self.terrain.everywhere
        else:
            zone = self._grown(1 << cell, threat.span + foe.size - 1, me.size)
        for points, cells in threat.layers:
            for spot in cells_of(cells & zone)[:2]:
                strike = self.strike(foe.id, me.id, spot, cell)
                if strike is not None:
                    return points, strike
        return None

    def adopt(self, other: Table, *, geared: bool) -> None:
        """Take over what stays from the position before; `geared` if I hold the same as then."""
        if other.terrain is self.terrain:
            self._threats = other._threats
            self._spans = dict(other._spans) if geared else {**other._spans, self._own: FAR}
        self._worths, self._assists = other._worths, other._assists
        self._restless = other._restless

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
        mean = strikers = 0.0
        stand = 1.0
        for foe in self.foes:
            striking = self.striking(foe, cell)
            if striking is None:
                continue
            points, strike = striking
            now = foe.points.value >= points + strike.points
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
        for foe in self.foes:
            striking = self.striking(foe, cell)
            if striking is not None and foe.points.value > striking[0]:
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
        cached = self._blows.get(cell)
        if cached is not None:
            return cached
        span = self.span(me)
        for foe in self.foes:
            if span < FAR and self.terrain.distance(cell, foe.cell, me.size, foe.size) > span:
                continue
            strike = self.strike(me.id, foe.id, cell, foe.cell)
            if strike is None:
                continue
            value = self.hurt(foe, strike.mean, strike.drop)
            if value > best[0] + 1e-12 or best[1] is None:
                best = (value, strike, foe)
        self._blows[cell] = best
        return best

"""What spaces and deeds are worth, in units of about one felled creature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from game.controllers.ai.position import Class, Position
from game.controllers.ai.routes import Gaps
from rules.grid import Terrain, cells_of
from rules.ruleset import Measure, Piece, Target

STRIDE = 4.0
"""Spaces of movement that the weight `approach` counts for."""
PREPARED = 0.3
"""What standing where one can strike is worth, beside the blow itself."""
LYING = 0.35
"""Against ending a chance not on one's feet, in parts of one's worth."""
ARMED = 3.0
"""Blows for which a better weapon in hand is expected to serve."""
EXPOSED = 0.12
"""How much worse danger gets by each point of Defense given away."""
CAUTION = 0.03
"""Danger that is counted everywhere for such points."""
IDLE_MAGIC = 0.25
"""What a boon counts while no foe is known."""
ROOM = 8
"""Spaces between a shooter and the nearest foe that are enough."""
NO_WAY = 99
"""The gap where no way leads to anybody."""
FARTHEST = 16.0
"""Who flees counts no more spaces than these."""
QUEUE = 6
"""Friends so many spaces behind are held up by who stops in front of them."""

_ALL_NOW = int("10" * 64, 2)

Addends = tuple[float, ...]


class Sight(NamedTuple):
    """Spaces with the value of the best blow from there on one foe, and the most value for a point."""

    cells: int
    best: float
    most: float


class Judge:
    """Weighs the spaces and deeds of one position."""

    def __init__(self, position: Position, goals: tuple[int, ...] = ()) -> None:
        self.position = position
        self.temper = position.temper
        self.goals = goals
        me = position.me
        assert me is not None
        self.me = me
        self.life = me.health / max(1, me.most)
        self.fear = self._fear()
        self.ideal = 0.0
        """The value of my best blow in clear sight of somebody: what approaching is for."""
        self.shooter = False
        self.classes: list[Class] = []
        """The spaces that may matter, parted by who could strike me there, least dangerous first."""
        self._sights: list[Sight] = []
        self._gaps: Gaps | None = None
        self._narrow = 0
        self._behind: list[int] | None = None

    def _fear(self) -> float:
        """0 to 1: how much one would rather be elsewhere."""
        position = self.position
        if not self.temper.flee or not position.foes:
            return 0.0
        hurt = max(0.0, 1.0 - self.life - 0.25) / 0.75
        crowd = len(position.foes) - len(position.friends) - 1
        alone = min(0.6, max(0.0, 0.2 * crowd))
        return max(hurt, alone) * (1.0 - position.restless)

    def survey(self, cells: int, targets: Sequence[tuple[Piece, Target]]) -> None:
        """Take in from where one can strike, and where one could be struck, on these spaces."""
        position = self.position
        value = position.swing_value
        for foe, target in targets:
            self.ideal = max(self.ideal, value(foe, target.best))
            self.shooter = target.far
            for vantage in target.vantages:
                best = most = 0.0
                for swing in vantage.swings:
                    worth = value(foe, swing)
                    best = max(best, worth)
                    most = max(most, worth / max(1, swing.points))
                self._sights.append(Sight(vantage.cells, best, most))
        self.ideal = max([self.ideal, *(sight.best for sight in self._sights)])
        self.classes = position.classes(cells)
        self._narrow = narrow(position.terrain) if position.friends and position.foes else 0

    # ----------------------------------------------------------------------------------------- places

    @property
    def gaps(self) -> Gaps:
        """How far it is to the nearest foe or goal."""
        if self._gaps is None:
            self._gaps = self.position.gaps(self.goals)
        return self._gaps

    def strikers(self, cell: int) -> int:
        """Who could strike me on a space (as in `Position.classes`)."""
        bit = 1 << cell
        return next((strikers for cells, strikers in self.classes if cells & bit), 0)

    def danger(self, cell: int) -> float:
        """What foes could do to me on a space, positive = bad."""
        return self.position.danger(self.strikers(cell)) if self.position.menaces else 0.0

    def value(self, cell: int) -> float:
        """The value of the best blow from a space."""
        bit = 1 << cell
        return max([sight.best for sight in self._sights if sight.cells & bit], default=0.0)

    def place(self, cell: int) -> float:
        """What a space is worth by itself: nearness to what one wants, distance from what one fears."""
        return sum(self.place_addends(cell))

    def place_addends(self, cell: int) -> Addends:
        """Approach, a foe within reach, distance, room to shoot, room for friends, danger."""
        temper, position = self.temper, self.position
        if not position.foes:
            return self._searching(cell)
        gap = min(NO_WAY, self.gaps.gap(cell))
        value = self.value(cell)
        approach = away = room = 0.0
        if self.fear < 0.5:
            lacking = 1.0 - value / self.ideal if self.ideal > value else 0.0 if value else 1.0
            wish = temper.approach * (1.0 - temper.wary * self.fear) * (1.0 + position.restless)
            approach = -wish * lacking * (gap / STRIDE + 1.0)
        if self.fear > 0.0:
            away = temper.flee * self.fear * min(gap, FARTHEST) / FARTHEST
        elif self.shooter and temper.distance:
            room = temper.distance * min(ROOM, gap) * (1.0 - position.restless)
        jam = self._jam(gap) if self._narrow >> cell & 1 else 0.0
        return approach, PREPARED * value, away, room, jam, -self.danger(cell)

    def _searching(self, cell: int) -> Addends:
        gap = min(NO_WAY, self.gaps.gap(cell)) if self.goals else NO_WAY
        seeks = gap < NO_WAY and (self.life > 0.5 * self.temper.wary or self.position.restless > 0.0)
        approach = -self.temper.approach * gap / STRIDE if seeks else 0.0
        return approach, 0.0, 0.0, 0.0, self._bedside(cell), 0.0

    def _bedside(self, cell: int) -> float:
        """For a space beside a friend who is dying, while no foe is near."""
        terrain = self.position.terrain
        for friend in self.position.fallen:
            if friend.ailing and terrain.distance(cell, friend.cell) <= 1:
                return 0.3 * self.temper.aid
        return 0.0

    def _jam(self, gap: int) -> float:
        """Against stopping in a narrow place while friends behind can't get at anybody."""
        if self._behind is None:
            reach = self.position.beside_foes
            friends = [friend.cell for friend in self.position.friends if not reach >> friend.cell & 1]
            self._behind = [self.gaps.gap(cell) for cell in friends]
        waiting = sum(1 for other in self._behind if gap < other <= gap + QUEUE)
        return -self.temper.room * waiting

    # ---------------------------------------------------------------------------------------- choices

    def reserve(self, cell: int, left: int) -> float:
        """What blows with the points left are worth."""
        if left <= 0:
            return 0.0
        bit = 1 << cell
        most = max([sight.most for sight in self._sights if sight.cells & bit], default=0.0)
        return self.temper.later * most * left

    def patience(self, cell: int, left: int) -> float:
        """What letting a foe come is worth, who has the points for it."""
        if left <= 0 or not self.temper.patience or not self.position.menaces:
            return 0.0
        awaited = self.strikers(cell) & _ALL_NOW
        if not awaited or self.value(cell):
            return 0.0
        return self.temper.patience * self.ideal * (1.0 - self.position.restless)

    def haste(self, cell: int, exposed: int) -> float:
        """What Defense given away costs on a space."""
        return -exposed * EXPOSED * (CAUTION + self.danger(cell)) if exposed else 0.0

    def spared(self, cell: int, foe: Piece, drop: float) -> float:
        """The part of the danger that goes with a foe that may fall."""
        return drop * self.position.share(self.strikers(cell), foe.id) if drop else 0.0

    def measure(self, measure: Measure, cell: int) -> float:
        """What a deed beside moving and striking is worth, on a space, beyond the place itself."""
        position, temper, value = self.position, self.temper, measure.value
        if measure.aim == "rise":
            return LYING * self.me.worth + 0.5 * self.ideal
        if measure.aim == "guard":
            return EXPOSED * value * self.danger(cell)
        if measure.aim == "arm":
            strength = (temper.damage + temper.finish / 2) * ARMED
            return strength * value / max(4.0, self._prey())
        if measure.aim == "pass":
            return measure.chance * self._passage(measure, cell)
        if measure.aim == "magic":
            return self._magic(measure)
        if measure.aim == "mend":
            patient = next(p for p in position.pieces if p.id == measure.action.target)
            need = 0.6 if patient.out else 0.15
            return measure.chance * temper.aid * need * patient.worth
        return 0.0

    def _magic(self, measure: Measure) -> float:
        """Harm to foes, and what else is gained: less where no foe is near whom it could serve against."""
        foes = {foe.id: foe for foe in self.position.foes}
        harm = sum(
            self.position.hurt(foes[name], mean, drop, stun)
            for name, mean, drop, stun in measure.blows
            if name in foes
        )
        return harm + measure.value * (1.0 if foes else IDLE_MAGIC)

    def _prey(self) -> float:
        """The hit points of an ordinary foe."""
        foes = self.position.foes
        return sum(foe.health for foe in foes) / len(foes) if foes else 10.0

    def _passage(self, measure: Measure, cell: int) -> float:
        """A way opened or taken: the spaces saved."""
        wish = self.temper.approach * (1.0 - self.temper.wary * self.fear) / STRIDE
        if measure.cell < 0:
            saved = self.position.opened(measure.action.target or "", self.goals)
            near = self.position.foes and self.value(cell)
            return wish * saved if saved > 0 and not near else 0.0
        gain = self.place(measure.cell) - self.place(cell)
        return gain - measure.risk * LYING * 2 * self.me.worth


def narrow(terrain: Terrain) -> int:
    """The spaces where one creature stops everybody else: its open neighbours fall apart without it. Remembered."""
    found: int | None = terrain.memo.get("narrow")
    if found is None:
        found = 0
        for cell in cells_of(terrain.steps(1).fit):
            around = [there for there, _ in terrain.neighbours(cell)]
            if len(around) > 1 and not _joined(terrain, around):
                found |= 1 << cell
        terrain.memo["narrow"] = found
    return found


def _joined(terrain: Terrain, cells: list[int]) -> bool:
    """Whether one can walk between all of these without leaving them."""
    seen, waiting = {cells[0]}, [cells[0]]
    while waiting:
        for there, _ in terrain.neighbours(waiting.pop()):
            if there in cells and there not in seen:
                seen.add(there)
                waiting.append(there)
    return len(seen) == len(cells)

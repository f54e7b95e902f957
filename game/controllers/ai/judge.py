"""What spaces and deeds are worth, in units of about one felled creature."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from game.controllers.ai.position import NO_WAY, Position
from rules.grid import Terrain, cells_of
from rules.path import UNREACHABLE
from rules.ruleset import Measure, Piece, Vantage

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
HASTE = 0.012
"""What such a point costs where nobody is near."""
ROOM = 8
"""Spaces between a shooter and the nearest foe that are enough."""
FARTHEST = 16.0
"""Who flees counts no more spaces than these."""
QUEUE = 6
"""Friends so many spaces behind are held up by who stops in front of them."""

Addends = tuple[float, ...]


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
        self.value: dict[int, float] = {}
        """Space -> the value of the best blow from there."""
        self.rate: dict[int, float] = {}
        """Space -> the most value for a point from there."""
        self.strikers: dict[int, int] = {}
        self._narrow = 0
        self._behind: list[float] = []

    def _fear(self) -> float:
        """0 to 1: how much one would rather be elsewhere."""
        position = self.position
        if not self.temper.flee or not position.foes:
            return 0.0
        hurt = max(0.0, 1.0 - self.life - 0.25) / 0.75
        crowd = len(position.foes) - len(position.friends) - 1
        alone = min(0.6, max(0.0, 0.2 * crowd))
        return max(hurt, alone) * (1.0 - position.restless)

    def survey(self, cells: int, views: Iterable[tuple[Piece, Sequence[Vantage]]]) -> None:
        """Take in from where one can strike, and where one could be struck, on these spaces."""
        position, value, rate = self.position, self.value, self.rate
        for foe, vantages in views:
            for vantage in vantages:
                best = most = 0.0
                for strike in vantage.strikes:
                    worth = position.strike_value(foe, strike)
                    best = max(best, worth)
                    most = max(most, worth / max(1, strike.points))
                for cell in cells_of(vantage.cells):
                    if value.get(cell, 0.0) < best:
                        value[cell] = best
                    if rate.get(cell, 0.0) < most:
                        rate[cell] = most
        self.strikers = position.strikers(cells)
        state, ruleset = position.state, position.ruleset
        for foe in position.foes:
            menace = ruleset.menace(state, self.me.id, foe.id)
            if menace is not None:
                self.ideal = max(self.ideal, position.strike_value(foe, menace.strike))
                self.shooter = menace.far
        self.ideal = max(self.ideal, max(value.values(), default=0.0))
        self._narrow = narrow(position.terrain) if position.friends and position.foes else 0

    # ----------------------------------------------------------------------------------------- places

    def gap(self, cell: int) -> float:
        """Spaces of movement to the nearest foe or goal; NO_WAY without any way."""
        tables = self.position.gaps(self.goals)
        if len(tables) == 1:
            near = tables[0][cell]
        else:
            near = min([table[cell] for table in tables], default=UNREACHABLE)
        return near if near < UNREACHABLE else NO_WAY

    def danger(self, cell: int) -> float:
        """What foes could do to me on a space, positive = bad."""
        strikers = self.strikers.get(cell)
        return self.position.danger(strikers) if strikers else 0.0

    def place(self, cell: int) -> float:
        """What a space is worth by itself: nearness to what one wants, distance from what one fears."""
        return sum(self.place_addends(cell))

    def place_addends(self, cell: int) -> Addends:
        """Approach, a foe within reach, distance, room to shoot, room for friends, danger."""
        temper, position = self.temper, self.position
        if not position.foes:
            return self._searching(cell)
        gap = self.gap(cell)
        value = self.value.get(cell, 0.0)
        approach = away = room = 0.0
        if self.fear < 0.5:
            lacking = 1.0 - value / self.ideal if self.ideal > value else 0.0 if value else 1.0
            wish = temper.approach * (1.0 - temper.wary * self.fear) * (1.0 + position.restless)
            approach = -wish * lacking * (gap / STRIDE + 1.0)
        if self.fear > 0.0:
            away = temper.flee * self.fear * min(gap, FARTHEST) / FARTHEST
        elif self.shooter and temper.distance:
            room = temper.distance * min(ROOM, self._nearest(cell)) * (1.0 - position.restless)
        jam = self._jam(cell, gap) if self._narrow >> cell & 1 else 0.0
        return approach, PREPARED * value, away, room, jam, -self.danger(cell)

    def _searching(self, cell: int) -> Addends:
        gap = self.gap(cell) if self.goals else NO_WAY
        seeks = gap < NO_WAY and (self.life > 0.5 * self.temper.wary or self.position.restless > 0.0)
        approach = -self.temper.approach * gap / STRIDE if seeks else 0.0
        return approach, 0.0, 0.0, 0.0, self._bedside(cell), 0.0

    def _nearest(self, cell: int) -> int:
        """Spaces in a straight line to the nearest foe."""
        distance = self.position.terrain.distance
        return min(distance(cell, foe.cell) for foe in self.position.foes)

    def _bedside(self, cell: int) -> float:
        """For a space beside a friend who is dying, while no foe is near."""
        terrain = self.position.terrain
        for friend in self.position.fallen:
            if friend.ailing and terrain.distance(cell, friend.cell) <= 1:
                return 0.3 * self.temper.aid
        return 0.0

    def _jam(self, cell: int, gap: float) -> float:
        """Against stopping in a narrow place while friends behind can't get at anybody."""
        if not self._behind:
            reach = self.position.beside_foes
            tables = self.position.gaps(self.goals)
            self._behind = [
                min(table[friend.cell] for table in tables)
                for friend in self.position.friends
                if not reach >> friend.cell & 1
            ] or [-1.0]
        waiting = sum(1 for other in self._behind if gap < other <= gap + QUEUE)
        return -self.temper.room * waiting

    # ---------------------------------------------------------------------------------------- choices

    def reserve(self, cell: int, left: int) -> float:
        """What blows with the points left are worth."""
        return self.temper.later * self.rate.get(cell, 0.0) * left if left > 0 else 0.0

    def patience(self, cell: int, left: int) -> float:
        """What letting a foe come is worth, who has the points for it."""
        if left <= 0 or not self.temper.patience or cell in self.value:
            return 0.0
        strikers = self.strikers.get(cell, 0)
        awaited = any(strikers >> 2 * i & 2 for i in range(len(self.position.menaces)))
        return self.temper.patience * self.ideal * (1.0 - self.position.restless) if awaited else 0.0

    def haste(self, cell: int, exposed: int) -> float:
        """What Defense given away costs on a space."""
        return -exposed * (HASTE + EXPOSED * self.danger(cell)) if exposed else 0.0

    def spared(self, cell: int, foe: Piece, drop: float) -> float:
        """The part of the danger that goes with a foe that may fall."""
        strikers = self.strikers.get(cell)
        return drop * self.position.share(strikers, foe.id) if strikers and drop else 0.0

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
        if measure.aim == "gather":
            return 0.02 * value if not position.foes else 0.0
        if measure.aim == "pass":
            return measure.chance * self._passage(measure, cell)
        if measure.aim == "magic":
            return value * (temper.aid if not measure.blows else 1.0) + self._struck(measure)
        target = next((p for p in position.pieces if p.id == measure.action.target), self.me)
        if measure.aim == "harm":
            return position.hurt(target, value, measure.drop, measure.stun) if target.health > 0 else 0.0
        if measure.aim == "mend":
            return measure.chance * temper.aid * self._mending(target, value)
        return measure.chance * temper.aid * value * target.worth if measure.aim == "boon" else 0.0

    def _struck(self, measure: Measure) -> float:
        """What harm to several foes at once is worth."""
        hurt, found = self.position.hurt, {piece.id: piece for piece in self.position.pieces}
        return sum(hurt(found[name], mean, drop, stun) for name, mean, drop, stun in measure.blows if name in found)

    def _prey(self) -> float:
        """The hit points of an ordinary foe."""
        foes = self.position.foes
        return sum(foe.health for foe in foes) / len(foes) if foes else 10.0

    @staticmethod
    def _mending(patient: Piece, value: float) -> float:
        if patient.dead:
            return 0.0
        back = min(1.0, value / max(1, patient.most - max(0, patient.health))) * (
            1.0 - max(0, patient.health) / patient.most
        )
        saved = 0.6 if patient.out and patient.ailing else 0.15 if patient.ailing else 0.0
        risen = 0.6 if patient.out and patient.health + value > 0 and value else 0.0
        return (saved + risen + back) * patient.worth

    def _passage(self, measure: Measure, cell: int) -> float:
        """A way opened or taken: the spaces saved."""
        wish = self.temper.approach * (1.0 - self.temper.wary * self.fear) / STRIDE
        if measure.cell < 0:
            saved = self.position.opened(measure.action.target or "", self.goals)
            near = self.position.foes and self.value.get(cell)
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

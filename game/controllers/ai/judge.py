"""What spaces and deeds are worth, in units of about one felled creature."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache

import msgspec

from game.controllers.ai.advisors.planning import (
    Arm,
    Beside,
    Defend,
    Effect,
    Feat,
    Help,
    Leave,
    Magic,
    Measure,
    Mend,
    Merit,
    Outlook,
    Pass,
    Piece,
    Rise,
    Seek,
    Swing,
    Target,
)
from game.controllers.ai.position import Class, Position
from game.controllers.ai.routes import Gaps, narrow
from rules.contract.units import Bitboard, Cell

NO_WAY = 99
"""The gap where no way leads to anybody."""

_ALL_NOW = int("10" * 64, 2)

Addends = tuple[float, ...]


@lru_cache(maxsize=256)
def _lasting(points: int, fading: float) -> float:
    """How many points so many are worth, where each is worth so much of the one before it."""
    return float(points) if fading == 1.0 else (1.0 - fading**points) / (1.0 - fading)


class Sight(msgspec.Struct, frozen=True):
    """Spaces from which one foe can be struck: the value of the best blow, and the most value for a point."""

    foe: Piece
    cells: Bitboard
    blows: tuple[tuple[Swing, float], ...]  # each kind of attack from there with its value
    best: float
    most: float


class Spot:
    """A space with all that is known of it, and what it is worth by itself."""

    __slots__ = ("addends", "alone", "cell", "danger", "most", "place", "strikers", "value")

    def __init__(self, cell: Cell, strikers: int, danger: float, value: float, most: float) -> None:
        self.cell = cell
        self.strikers = strikers  # who could strike me there (as in `Position.classes`)
        self.danger = danger
        self.value = value  # the value of the best blow from there
        self.most = most  # the most value for a point from there
        self.addends: Addends = ()
        """Approach, a foe within reach, distance, room to shoot, room for friends, danger, cover and company in flight,
        merits; found by `Judge.place`."""
        self.place = 0.0  # their sum
        self.alone = 0.0  # of them what it costs to be there before one's friends


class Judge:
    """Weighs the spaces and deeds of one position."""

    def __init__(self, position: Position, goals: tuple[Cell, ...] = (), outlook: Outlook | None = None) -> None:
        self.position = position
        self.merits: tuple[Merit, ...] = outlook.merits if outlook is not None else ()
        self.waiting = outlook.patience if outlook is not None else 1.0
        self._together = position.temper.together * outlook.together if outlook is not None else 0.0
        self.dreaded = [foe for foe in position.foes if outlook is not None and foe.id in outlook.dreads]
        """Foes that I have to flee from."""
        self._flight = 0.0  # what getting away is worth
        self.temper = position.temper
        self.weights = position.weights.judge
        self.goals = goals
        me = position.me
        assert me is not None
        self.me = me
        self.life = me.health / max(1, me.most)
        self.fear = self._fear(outlook.dismay if outlook is not None else 1.0)
        self.ideal = 0.0  # the value of my best blow in clear sight of somebody: what approaching is for
        self.shooter = False
        self.sights: list[Sight] = []
        self.classes: list[Class] = []
        """The spaces that may matter, parted by who could strike me there, least dangerous first."""
        self._spots: dict[int, Spot] = {}
        self._places: dict[str, bool] = {}  # friends, and whether they can strike from where they stand
        self._struck = 0  # all spaces of `sights`
        self._narrow = 0
        self._wish = 0.0  # what a stride towards a foe is worth
        self._room = 0.0  # what a space between a shooter and its foes is worth

    def _fear(self, dismay: float) -> float:
        """0 to 1: how much one would rather be elsewhere."""
        position = self.position
        if self.dreaded:
            self._flight = max(self.temper.flee, self.weights.flight)
            return 1.0
        if not self.temper.flee or not position.foes:
            return 0.0
        hurt = dismay * max(0.0, 1.0 - self.life - self.weights.unhurt) / (1.0 - self.weights.unhurt)
        crowd = len(position.foes) - len(position.friends) - 1
        crowd = max(crowd, position.near(position.foes) - position.near(position.friends) - 1)
        alone = min(self.weights.crowded, max(0.0, self.weights.crowd * crowd))
        fear = max(hurt, alone) * (1.0 - position.restless)
        self._flight = self.temper.flee * fear
        return fear

    def survey(self, cells: Bitboard, targets: Sequence[Target]) -> None:
        """Take in from where one can strike, and where one could be struck, on these spaces."""
        position = self.position
        foes = {foe.id: foe for foe in (*position.foes, *position.rising)}
        self.sights = []
        self._struck = 0
        for target in targets:
            foe = foes[target.id]
            self.shooter = target.far
            valued = close = position.hurting(foe)
            self.ideal = max(self.ideal, valued(target.best))
            apart = position.hurting(foe, apart=True) if target.holds else close
            for vantage in target.vantages:
                if target.holds:
                    valued = apart if position.apart(foe, vantage.cells) else close
                blows = tuple([(swing, valued(swing)) for swing in vantage.swings])
                later = blows if not vantage.staying else [(swing, valued(swing)) for swing in vantage.staying]
                best = max([value for _, value in later])
                most = max([value / swing.points for swing, value in later])
                self.sights.append(Sight(foe, vantage.cells, blows, best, most))
                self._struck |= vantage.cells
                if best > self.ideal:
                    self.ideal = best
        self.classes = position.classes(cells)
        temper, fear, restless = self.temper, self.fear, position.restless
        bold = 1.0 + restless + self.weights.bold * position.reckless
        self._wish = temper.approach * (1.0 - temper.wary * fear) * bold if fear < self.weights.afraid else 0.0
        self._room = temper.distance * (1.0 - restless) if self.shooter and not fear else 0.0
        self._narrow = narrow(position.terrain) if position.friends and position.foes else 0

    # ----------------------------------------------------------------------------------------- places

    @cached_property
    def gaps(self) -> Gaps:
        """How far it is to the nearest foe or goal."""
        return self.position.gaps(self.goals)

    def spot(self, cell: Cell) -> Spot:
        """What is known of a space."""
        found = self._spots.get(cell)
        if found is not None:
            return found
        bit, strikers = 1 << cell, 0
        for cells, known in self.classes:
            if cells & bit:
                strikers = known
                break
        best = most = 0.0
        for sight in self.sights if self._struck & bit else ():
            if sight.cells & bit:
                if sight.best > best:
                    best = sight.best
                if sight.most > most:
                    most = sight.most
        danger = self.position.danger(strikers) if strikers else 0.0
        found = self._spots[cell] = Spot(cell, strikers, danger, best, most)
        return found

    def place(self, spot: Spot) -> float:
        """What a space is worth by itself: nearness to what one wants, distance from what one fears."""
        if not spot.addends:
            spot.addends = self._fighting(spot) if self.position.foes else self._searching(spot.cell)
            spot.place = sum(spot.addends)
        return spot.place

    def _fighting(self, spot: Spot) -> Addends:
        cell = spot.cell
        gap = min(NO_WAY, self.gaps.gap(cell))
        lacking = 1.0 - spot.value / self.ideal if self.ideal > 0.0 else 1.0
        approach = -self._wish * lacking * (gap / self.weights.stride + 1.0)
        away = company = room = jam = merit = alone = 0.0
        if self.fear > 0.0:
            away, company = self._fleeing(cell)
        elif self._room:
            room = self._room * min(self.weights.room, gap)
        if self._narrow >> cell & 1:
            jam = self._jam(gap) - self._queued(spot, gap)
        if self._together and spot.strikers:
            alone = spot.alone = self._alone(spot.strikers, gap)
        if self.merits:
            merit = (1.0 - self.position.reckless) * sum([m.value for m in self.merits if m.cells >> cell & 1])
        return approach, self.weights.prepared * spot.value, away, room, jam, -spot.danger, -alone, company, merit

    def _fleeing(self, cell: Cell) -> tuple[float, float]:
        """(for being far from whom one fears, for being out of its sight and near friends)."""
        away = self._flight * min(self.away.gap(cell), self.weights.farthest) / self.weights.farthest
        company = 0.0
        if self.position.friends:
            astray = min(self.weights.farthest, max(0, self.friends.gap(cell) - self.weights.beside))
            company -= self._flight * self.temper.company * astray / self.weights.farthest
        if not self.watched >> cell & 1:
            company += self._flight * self.weights.unseen
        return away, company

    @cached_property
    def away(self) -> Gaps:
        """How far it is to the nearest of those whom one flees from."""
        return self.position.between(self.dreaded) if self.dreaded else self.gaps

    @cached_property
    def friends(self) -> Gaps:
        """How far it is to the nearest friend to run to."""
        return self.position.between(self.position.company())

    @cached_property
    def watched(self) -> int:
        """The spaces on which those see one whom one flees from."""
        return self.position.watched(self.dreaded or self.position.foes)

    def _searching(self, cell: Cell) -> Addends:
        gap = min(NO_WAY, self.gaps.gap(cell)) if self.goals else NO_WAY
        seeks = gap < NO_WAY and (self.life > self.weights.seeks * self.temper.wary or self.position.restless > 0.0)
        approach = -self.temper.approach * gap / self.weights.stride if seeks else 0.0
        return approach, 0.0, 0.0, 0.0, self._bedside(cell), 0.0, 0.0, 0.0, 0.0

    def _bedside(self, cell: Cell) -> float:
        """For a space beside a friend who is dying, while no foe is near."""
        terrain = self.position.terrain
        for friend in self.position.fallen:
            if friend.ailing and terrain.distance(cell, friend.cell) <= 1:
                return self.weights.bedside * self.temper.aid
        return 0.0

    def _jam(self, gap: int) -> float:
        """Against stopping in a narrow place while friends behind can't get at anybody."""
        waiting = sum(1 for other in self._behind if gap < other <= gap + self.weights.queue)
        return -self.temper.room * waiting

    def _queued(self, spot: Spot, gap: int) -> float:
        """Against standing inside a corridor behind a friend at blows, striking nobody and in its way back."""
        if spot.value or not any(friend < gap <= friend + self.weights.queue for friend in self._heads):
            return 0.0
        terrain = self.position.terrain
        beside_open = terrain.within(spot.cell, 1) & terrain.steps(1).fit & ~self._narrow
        return 0.0 if beside_open else self.weights.queueing

    @cached_property
    def _heads(self) -> list[int]:
        """The gaps of those friends who stand beside a foe in a narrow place."""
        blows = self._narrow & self.position.beside_foes
        return [self.gaps.gap(friend.cell) for friend in self.position.friends if blows >> friend.cell & 1]

    @cached_property
    def _here(self) -> int:
        """How far it is to the foe from where I stand."""
        return self.gaps.gap(self.me.cell)

    def _alone(self, strikers: int, gap: int) -> float:
        """What it costs to come within foes' reach before one's friends, or they would be struck down one by one; and
        to stay where foes could strike at once."""
        if gap >= self._here and not strikers & _ALL_NOW:
            return 0.0
        near, late = gap + self.weights.lag, gap + self.weights.astray
        awaited = sum(1 for other, friend in self._awaited if near < other < late and not self._placed(friend))
        tired = 1.0 - self.position.turn / self._wait
        return self._together * awaited / len(self.position.friends) * max(0.0, tired) if awaited else 0.0

    @cached_property
    def _wait(self) -> float:
        """The turns in which it tires of waiting for friends: foes who shoot more than they strike meanwhile."""
        position = self.position
        theirs = sum(foe.far for foe in position.foes)
        ours = sum(piece.far for piece in (self.me, *position.friends))
        return self.weights.waits_outshot if theirs > ours else self.weights.waits

    @cached_property
    def _awaited(self) -> list[tuple[int, Piece]]:
        """The friends to go with, and their gaps: nobody once somebody has come to blows, and of who shoots. Who has
        long stayed where it is isn't on its way: two who wait for each other would wait for ever."""
        position, reach = self.position, self.position.beside_foes
        if self.shooter or self.fear > 0.0 or any(reach >> friend.cell & 1 for friend in position.friends):
            return []
        coming = [friend for friend in position.friends if friend.ready and not position.stays(friend)]
        return [(self.gaps.gap(friend.cell), friend) for friend in coming]

    def _placed(self, friend: Piece) -> bool:
        """Whether somebody who strikes from afar can do so from where it stands."""
        if not friend.far:
            return False
        found = self._places.get(friend.id)
        if found is None:
            targets = self.position.advisor.targets(self.position.state, friend.id, 1 << friend.cell)
            found = self._places[friend.id] = any(target.vantages for target in targets)
        return found

    @cached_property
    def _behind(self) -> list[int]:
        """The gaps of those friends who stand beside no foe."""
        reach = self.position.beside_foes
        return [self.gaps.gap(friend.cell) for friend in self.position.friends if not reach >> friend.cell & 1]

    # ---------------------------------------------------------------------------------------- choices

    def reserve(self, spot: Spot, left: int) -> float:
        """What blows with the points left are worth, each point less than the one before: their blows come one
        chance after the other, and foes act between them. Who is felled meanwhile strikes none."""
        return self._later(spot, left) * self.position.stands(spot.strikers) if left > 0 and spot.most else 0.0

    def _later(self, spot: Spot, left: int) -> float:
        """What blows with the points left are worth to who surely stands to strike them."""
        return self.temper.later * spot.most * _lasting(left, self.weights.fading)

    def patience(self, spot: Spot, left: int) -> float:
        """What letting a foe come is worth, who has the points for it: less to who could not answer then."""
        if spot.value or not spot.strikers & _ALL_NOW:
            return 0.0
        ready = 1.0 if left > 0 else self.weights.unready
        stands = self.position.stands(spot.strikers)
        return self.temper.patience * self.waiting * self.ideal * ready * stands * (1.0 - self.position.restless)

    def haste(self, spot: Spot, exposed: float) -> float:
        """What Defense given away costs on a space."""
        return -exposed * self.weights.part * (self.weights.caution + spot.danger) if exposed else 0.0

    @cached_property
    def _fresh(self) -> float:
        """1 in the first turn, less in each turn in which no foe has come."""
        return max(0.0, 1.0 - (self.position.turn - 1) / self.weights.waits)

    @cached_property
    def _minded(self) -> float:
        """How much it minds danger, at most 1."""
        return min(1.0, self.temper.dread)

    def hurry(self, spot: Spot, exposed: float) -> float:
        """What Defense given away on the way to a space costs: more than by a blow, as nobody is struck for it; and as
        much to the bold, to whom danger counts little, as they gain no more by it."""
        if not exposed:
            return 0.0
        often = 1.0 + (self.weights.hasty - 1.0) * self._fresh
        danger = spot.danger / max(self.weights.boldest, self._minded)
        return -exposed * self.weights.part * (self.weights.caution + danger) * often

    def rushed(self, spot: Spot, spent: int) -> float:
        """What it costs to be where foes could strike, the action spent on the way: they strike first. Who is afraid
        would rather be gone."""
        return -self.weights.rushing * spot.danger if spent and not self.fear else 0.0

    def dithering(self, spot: Spot) -> float:
        """What it costs to end, doing nothing, on a space that one left a short while ago."""
        return -self.weights.returning if self.position.left >> spot.cell & 1 else 0.0

    def wasted(self, spot: Spot, spent: int) -> float:
        """What points cost that are spent on a way to where nobody can be struck: with them one might strike a foe who
        comes by itself."""
        if not spent or spot.value or not self.position.foes:
            return 0.0
        return -self.weights.spent * self._minded * self._fresh * self.temper.later * spent

    def spared(self, spot: Spot, foe: Piece, swing: Swing, left: int) -> float:
        """What goes with a foe that may fall, or be held where it reaches nobody there: its part of the danger,
        of being there before one's friends, and of the doubt whether one will stand to strike with the points left."""
        gone = swing.drop
        if swing.held and self.position.kept_off(spot.strikers, foe.id):
            gone = min(1.0, gone + swing.held)
        if not gone or not spot.strikers:
            return 0.0
        saved, position = self.position.share(spot.strikers, foe.id), self.position
        others = position.without(spot.strikers, foe.id)
        if not others:
            saved += spot.alone
        if left > 0 and spot.most:
            saved += self._later(spot, left) * (position.stands(others) - position.stands(spot.strikers))
        return gone * saved

    def _cleared(self, measure: Magic, spot: Spot) -> float:
        """What magic saves who is there before its friends, where it may fell the only foe who could strike there."""
        if measure.cell >= 0 or not spot.alone:
            return 0.0
        left = self.position.without
        return spot.alone * sum([drop for name, _, drop, _ in measure.blows if not left(spot.strikers, name)])

    def measure(self, measure: Measure, spot: Spot) -> float:
        """What a deed beside moving and striking is worth, on a space, beyond the place itself."""
        position, temper, weights = self.position, self.temper, self.weights
        match measure:
            case Rise():
                return measure.chance * (weights.lying * self.me.value + weights.upright * self.ideal)
            case Defend():
                return weights.part * measure.value * spot.danger
            case Arm():
                strength = (temper.damage + temper.finish / 2) * weights.armed
                return strength * measure.value / max(weights.least_prey, self._prey())
            case Pass():
                return measure.chance * (self._passage(measure, spot) + measure.value)
            case Seek():
                return measure.chance * weights.search if position.unsearched(spot.cell, measure.chance) else 0.0
            case Help():
                wish = temper.approach * (1.0 - temper.wary * self.fear) / weights.stride
                saved = position.opened(measure.door, self.goals) if measure.door else 0.0
                return measure.chance * (measure.value + wish * max(0.0, saved))
            case Magic():
                moved = self.place(self.spot(measure.cell)) - self.place(spot) if measure.cell >= 0 else 0.0
                effect = self._effect(measure) + self._cleared(measure, spot)
                return effect + measure.chance * moved + self._cover(measure.cover, spot)
            case Feat():
                return self._effect(measure) - temper.dread * measure.cost
            case Leave():
                self.place(spot)
                saved = weights.leaving * temper.death * self.me.value + spot.danger + max(0.0, -spot.addends[-1])
                return measure.chance * saved * self._despair()
            case Mend():
                patient = next(p for p in position.pieces if p.id == measure.action.target)
                ails = weights.dying if patient.out else max(weights.ailing, weights.hurting / patient.health)
                return measure.chance * temper.aid * (measure.value or ails * patient.value)
        return 0.0

    def _effect(self, measure: Effect) -> float:
        """Harm to foes, and what else is gained: less where no foe is near whom it could serve against, and nothing in
        the end in a stand-off, or walls and healing could keep one up for ever."""
        foes = {foe.id: foe for foe in self.position.foes}
        harm = sum(self.position.hurt(foes[name], *figures) for name, *figures in measure.blows if name in foes)
        lasting = 1.0 - self.position.reckless if measure.value > 0.0 else 1.0
        return harm + measure.value * lasting * (1.0 if foes else self.weights.idle_magic)

    def _cover(self, gained: float, spot: Spot) -> float:
        """What Defense gained on a space is worth, or given away costs."""
        return self.weights.part * gained * spot.danger if gained > 0 else self.haste(spot, -gained)

    def aside(self, measure: Beside, foe: Piece | None) -> float:
        """What something is worth that is done beside a blow on a foe, or beside anything else."""
        if foe is None:
            return measure.value
        hurt = self.position.hurt
        return measure.value + sum(hurt(foe, *figures) for name, *figures in measure.blows if name == foe.id)

    def _despair(self) -> float:
        """0 to 1: how surely the fight is lost, by what both sides have left."""
        position = self.position
        if not position.foes:
            return 0.0

        def strength(pieces: Sequence[Piece]) -> float:
            return sum(piece.value * piece.health / max(1, piece.most) for piece in pieces)

        mine, theirs = strength((*position.friends, self.me)), strength(position.foes)
        share = mine / (mine + theirs) if mine + theirs > 0.0 else 1.0
        despair = (self.weights.doubtful - share) / (self.weights.doubtful - self.weights.lost)
        return min(1.0, max(0.0, despair)) * (1.0 - position.reckless)

    def _prey(self) -> float:
        """The hit points of an ordinary foe."""
        foes = self.position.foes
        return sum(foe.health for foe in foes) / len(foes) if foes else self.weights.prey

    def _passage(self, measure: Pass, spot: Spot) -> float:
        """A way opened or taken: the spaces saved."""
        wish = self.temper.approach * (1.0 - self.temper.wary * self.fear) / self.weights.stride
        if measure.cell < 0:
            saved = self.position.opened(measure.action.target or "", self.goals)
            near = self.position.foes and spot.value
            return wish * saved if saved > 0 and not near else 0.0
        gain = self.place(self.spot(measure.cell)) - self.place(spot)
        return gain - measure.risk * self.weights.lying * 2 * self.me.value

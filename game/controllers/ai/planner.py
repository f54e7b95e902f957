"""Plans for the rest of a chance: where to go and what to do there, weighed without trying any of it out."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from operator import attrgetter

import msgspec
from msgspec.structs import replace

from game.controllers.ai.advisors.planning import (
    Arm,
    Beside,
    Feat,
    Leave,
    Magic,
    Measure,
    Outlook,
    Pass,
    Piece,
    Swing,
    Way,
)
from game.controllers.ai.judge import Judge, Sight, Spot
from game.controllers.ai.position import Position
from game.controllers.ai.routes import narrow
from rules.board.bitboard import cells_of
from rules.contract.actions import Action
from rules.contract.units import EMPTY, Bitboard, Cell

GRAIN = 9
"""Digits after the point that decide: what differs by less is a tie, and goes to the first found."""
GRAINS = 1e-8
"""More than what rounding to them can change."""
TRIED = 60
"""So many plans are tried for their legality before the chance is simply ended."""


class Stop(msgspec.Struct, frozen=True):
    """A space where the chance's movement could end, with the way there."""

    spot: Spot
    points: int
    exposed: int
    way: Way | None
    base: float  # what it is worth to be there, the way included


class Plan(msgspec.Struct, frozen=True):
    """What could be done in the rest of a chance."""

    score: float
    stop: Stop
    swing: Swing | None = None
    foe: Piece | None = None
    measure: Measure | None = None
    aside: Beside | None = None  # done before it, at no cost
    after: float = 0.0  # what is gained by going somewhere else afterwards


def _deed(plan: Plan) -> tuple[str, str | None, str | None]:
    """What a plan does at its end, and to whom; of one that does nothing there, whether it goes anywhere."""
    if plan.swing is not None and plan.foe is not None:
        return plan.swing.do, plan.foe.id, plan.swing.option
    if plan.measure is not None:
        return plan.measure.action.do, plan.measure.action.target, plan.measure.action.option
    return "stay" if plan.stop.way is None else "go", None, None


_by_score = attrgetter("score")
_by_best = attrgetter("best")


class Planner:
    """All plans for one decision in one observed position."""

    def __init__(
        self, position: Position, outlook: Outlook, goals: tuple[Cell, ...], taken: Bitboard = EMPTY, slack: float = 0.0
    ) -> None:  # fmt: skip
        self.position = position
        self.slack = slack
        """By how much less than the best a plan of another kind may be worth that is taken instead; 0: the best is."""
        self.taken = taken  # where no plan ends
        self.weights = position.weights.planner
        self.outlook = outlook
        if outlook.ground is not None:
            position.ground = outlook.ground
        self.judge = Judge(position, goals, outlook)
        if not self.judge.fear:
            self.outlook = replace(outlook, ways=tuple([way for way in outlook.ways if not way.flight]))
        self.me = self.judge.me
        self.tied = 0.0  # what going away costs that leaves something behind
        self._plans: list[Plan] = []
        self._brief = False
        self._bar = -inf  # what anything but a blow has to come to
        self._later = 0.0  # what going elsewhere after a deed done here would gain

    # ------------------------------------------------------------------------------------------ plans

    def best(self) -> Plan:
        """The best plan, the first found of equals; where it slips, the next best of another kind."""
        if self.slack:
            return self.plans()[0]
        self._brief = True
        return self._found(every=False)[-1]

    def plans(self, *, every: bool = False) -> list[Plan]:
        """The plans that were looked at, best first, ties in the order found; with `every`, all spaces are."""
        self._brief = False
        found = self._found(every=every)
        if not every:
            found = found[:1] + [p for p in found[1:] if p.swing or p.score >= self._bar]
        found.sort(key=_by_score, reverse=True)
        if self.slack:
            least, deed = found[0].score - self.slack, _deed(found[0])
            other = next((i for i, p in enumerate(found) if p.score >= least and _deed(p) != deed), 0)
            found.insert(0, found.pop(other))
        return found

    def chosen(self) -> tuple[Action, ...]:
        """The best plan whose movements fit together, as actions; the end of the chance where there is none."""
        actions = self.actions(self.best())
        for plan in self.plans(every=True)[:TRIED] if not actions else ():
            actions = actions or self.actions(plan)
        return actions or (self.outlook.end,)

    def _found(self, *, every: bool) -> list[Plan]:
        position, outlook, judge = self.position, self.outlook, self.judge
        state = position.state
        cells = 1 << self.me.cell
        for way in outlook.ways:
            cells |= way.cells
        cells &= ~self.taken
        fights = (outlook.acts or outlook.after) and position.foes
        measures = list(position.advisor.measures(state, position.decision))
        known = cells  # where magic may put one, or a leap, deserves to be known as well
        for measure in measures:
            if isinstance(measure, Magic | Pass) and measure.cell >= 0:
                known |= 1 << measure.cell
        judge.survey(known, position.fancied(position.advisor.targets(state, self.me.id, known)) if fights else ())
        here = judge.spot(self.me.cell)
        if measures:
            tied = [judge.measure(m, here) for m in measures if isinstance(m, Arm) and not m.anywhere]
            self.tied = max(tied, default=0.0)
        # where there is no choice of spaces, what the one is worth decides nothing
        base = judge.place(here) if outlook.ways or not self._brief else 0.0
        stops = self._stops(Stop(here, 0, 0, None, base), cells if every else self._worthy(cells, measures))
        self._plans = []
        self._bar = -inf
        self._later = 0.0
        if outlook.after and outlook.acts:
            self._later = max(0.0, *(stop.base - base for stop in stops if not stop.points))
        for stop in stops:
            self._add(self._resting(stop), stop)
            if stop.way is None:
                self._bar = self._plans[0].score + self.weights.threshold
        looked_at = 0
        for stop in stops:
            looked_at |= 1 << stop.spot.cell
        for sight in judge.sights:
            if sight.cells & looked_at:
                self._blows(stops, sight)
        if measures:
            stops.sort(key=lambda stop: -round(stop.base, GRAIN))
            for measure in measures:
                if not isinstance(measure, Beside):
                    self._measures(stops, measure)
            for measure in measures:
                if isinstance(measure, Beside):
                    self._beside(measure)
        return self._plans

    def _beside(self, measure: Beside) -> None:
        """Whatever was found is better with something done beside it that costs nothing of the chance."""
        for number, plan in enumerate(self._plans):
            gain = self.judge.aside(measure, plan.foe)
            if gain > self.weights.threshold and plan.aside is None:
                self._plans[number] = replace(plan, score=round(plan.score + gain, GRAIN), aside=measure)
        if self._brief:
            self._plans.sort(key=_by_score)

    def _add(self, score: float, stop: Stop, swing: Swing | None = None, foe: Piece | None = None,
             measure: Measure | None = None) -> None:  # fmt: skip
        """Note a plan; in brief only what is better than all before, and what is no blow only if worth the trouble."""
        best = self._plans[-1].score if self._brief and self._plans else -inf
        if score + self._later < best - GRAINS:  # whatever may follow it
            return
        deed = stop.way is None and (swing is not None or (measure is not None and not isinstance(measure, Leave)))
        if isinstance(measure, Magic) and measure.cell >= 0:
            deed = False  # one goes nowhere else from there
        after = self._later if deed else 0.0
        if after and swing is not None:
            after *= 1.0 - swing.falls
        elif after and isinstance(measure, Feat):
            after *= measure.chance  # where it fails, one lies or is held there
        score += after
        score = round(score, GRAIN)
        if best > -inf and (score <= best or (swing is None and score < self._bar)):
            return
        self._plans.append(Plan(score, stop, swing, foe, measure, None, after))

    # ------------------------------------------------------------------------------------------ spaces

    def _worthy(self, cells: Bitboard, measures: Sequence[Measure]) -> Bitboard:
        """The spaces that deserve to be weighed: for every class of spaces that are equally dangerous the nearest to
        the foe and, for who keeps away, the farthest; and where each blow could be struck from, and each deed done."""
        outlook, judge = self.outlook, self.judge
        picked = 1 << self.me.cell
        if not outlook.ways:
            return picked
        shy = judge.fear > 0.0 or judge.shooter
        by_points = self._by_points()
        for board, _ in judge.classes[: self.weights.calmest]:
            for reachable in by_points:
                part = board & reachable
                if part:
                    picked |= _lowest(judge.gaps.nearest(part))
                    if shy:
                        picked |= _lowest(judge.gaps.farthest(part))
                    if judge.fear > 0.0:
                        picked |= self._refuges(part)
        crowded = narrow(self.position.terrain) if self.position.friends else 0
        sights = judge.sights
        if len(sights) > self.weights.sights:
            sights = sorted(sights, key=_by_best, reverse=True)[: self.weights.sights]
        for sight in sights:
            points = min([swing.points for swing, _ in sight.blows])
            picked |= self._stands(sight.cells, points, crowded)
        for measure in measures:
            if measure.cells and not measure.cells & picked:
                picked |= self._stands(measure.cells, measure.points, crowded)
        if judge.merits:
            picked |= self._deserving()
        if left := self.position.left:
            picked |= self._elsewhere(left)
        return picked & cells

    def _refuges(self, cells: Bitboard) -> Bitboard:
        """Of some equally dangerous spaces those to flee to: far off, near friends, out of sight."""
        judge = self.judge
        hidden = cells & ~judge.watched
        picked = _lowest(judge.away.farthest(cells))
        if hidden:
            picked |= _lowest(judge.away.farthest(hidden))
        if self.position.friends:
            picked |= _lowest(judge.friends.nearest(cells))
            if hidden:
                picked |= _lowest(judge.friends.nearest(hidden))
        return picked

    def _deserving(self) -> Bitboard:
        """The nearest spaces that have each merit, and that are free of each demerit."""
        picked = EMPTY
        for merit in self.judge.merits:
            for reachable in self._by_points():
                part = reachable & merit.cells if merit.value > 0.0 else reachable & ~merit.cells
                if part:
                    picked |= _lowest(self.judge.gaps.nearest(part))
        return picked

    def _elsewhere(self, left: Bitboard) -> Bitboard:
        """The nearest spaces that one has not left a short while ago."""
        picked = EMPTY
        for reachable in self._by_points():
            if part := reachable & ~left:
                picked |= _lowest(self.judge.gaps.nearest(part))
        return picked

    def _by_points(self) -> list[Bitboard]:
        """The spaces reached for nothing, and those for any points."""
        free = paid = EMPTY
        for way in self.outlook.ways:
            if way.points:
                paid |= way.cells
            else:
                free |= way.cells
        return [board for board in (free, paid & ~free) if board]

    def _stands(self, cells: Bitboard, points: int, crowded: int) -> int:
        """Of spaces to strike from, or to do something on for so many points: those of the least dangerous classes, for
        the fewest points, out of friends' way."""
        budget = self.outlook.points - points
        picked = looked = 0
        for board, _ in self.judge.classes:
            part = board & cells
            if not part:
                continue
            for way in self.outlook.ways:
                hits = part & way.cells
                if hits and way.points <= budget:
                    hits = hits & ~crowded or hits
                    picked |= _lowest(self.judge.gaps.farthest(hits) if self.judge.shooter else hits)
                    looked += 1
                    break
            if looked == self.weights.per_vantage:
                break
        return picked

    def _stops(self, here: Stop, cells: Bitboard) -> list[Stop]:
        """Each space with the cheapest way there, and with a cheaper one that gives Defense away; first where I am."""
        judge, cost = self.judge, self.position.temper.points
        stops = [here]
        cells &= ~(1 << here.spot.cell)
        calm = hasty = 0
        for way in self.outlook.ways:
            new = way.cells & cells & ~calm
            if not new:
                continue
            if way.exposed:
                new &= ~hasty
                hasty |= new
            else:
                calm |= new
            for cell in cells_of(new):
                spot = judge.spot(cell)
                base = judge.place(spot) - cost * way.points - self.tied + judge.rushed(spot, way.points)
                if way.exposed:
                    base += judge.hurry(spot, way.exposed)
                stops.append(Stop(spot, way.points, way.exposed, way, base))
        return stops

    # ------------------------------------------------------------------------------------------ scores

    def _resting(self, stop: Stop) -> float:
        spot, left = stop.spot, self.me.points - stop.points
        if spot.value:
            return stop.base + self.judge.reserve(spot, left) + self.judge.dithering(spot)
        base = stop.base + self.judge.wasted(spot, stop.points) + self.judge.dithering(spot)
        return base + self.judge.patience(spot, left) if spot.strikers else base

    def _blows(self, stops: list[Stop], sight: Sight) -> None:
        cells, budget, judge, points = sight.cells, self.outlook.points, self.judge, self.me.points
        best = self._plans[-1].score
        for stop in stops:
            spot = stop.spot
            if cells >> spot.cell & 1:
                for swing, value in sight.blows:
                    spent = stop.points + swing.points
                    if spent <= budget:
                        score = value + stop.base + judge.reserve(spot, points - spent)
                        if spot.strikers:
                            score += judge.spared(spot, sight.foe, swing, points - spent)
                        if swing.exposed:
                            score += judge.haste(spot, swing.exposed)
                        if score > best or not self._brief or (stop.way is None and self._later):
                            self._add(score, stop, swing, sight.foe)
                            best = self._plans[-1].score

    def _measures(self, stops: list[Stop], measure: Measure) -> None:
        budget, looked = self.outlook.points, 0
        for stop in stops:
            if measure.cells:
                if looked >= self.weights.places or not measure.cells >> stop.spot.cell & 1:
                    continue
            elif stop.way is not None and (not measure.anywhere or looked >= self.weights.places):
                continue
            spent = stop.points + measure.points
            if spent > budget:
                continue
            looked += 1
            value = self.judge.measure(measure, stop.spot)
            if value > 0.0:
                score = value + stop.base + self.judge.reserve(stop.spot, self.me.points - spent)
                # where it is gone to first, it has to be worth the trouble there as well, or it would be left then
                if stop.way is None or score >= self._resting(stop) + self.weights.threshold:
                    self._add(score, stop, measure=measure)

    # ----------------------------------------------------------------------------------------- actions

    def actions(self, plan: Plan) -> tuple[Action, ...]:
        """A plan as actions in order; empty where its movements don't fit together."""
        position, me = self.position, self.me.id
        moves: tuple[Action, ...] = (plan.aside.action,) if plan.aside is not None else ()
        if plan.stop.way is not None:
            way = position.advisor.route(position.state, me, plan.stop.way, plan.stop.spot.cell)
            if not way:
                return ()
            moves += way
        if plan.swing is not None and plan.foe is not None:
            swing = plan.swing
            blow = Action(me, swing.do, target=plan.foe.id, weapon=swing.weapon, item=swing.item, option=swing.option)
            return (*moves, blow)
        if plan.measure is not None:
            return (*moves, plan.measure.action)
        return moves or (self.outlook.end,)


def _lowest(board: Bitboard) -> Bitboard:
    """The first space of a bitboard, as a bitboard."""
    return board & -board

"""Plans for the rest of a chance: where to go and what to do there, weighed without trying any of it out."""

from __future__ import annotations

from typing import NamedTuple

from game.controllers.ai.judge import Judge
from game.controllers.ai.position import Position
from game.controllers.ai.thinking import Option, Reason
from rules.actions import Action
from rules.grid import cells_of
from rules.ruleset import Measure, Outlook, Piece, Strike, Vantage, Way

THRESHOLD = 0.04
"""What anything but a blow has to gain over staying and ending the chance: nobody dithers."""
LOOKED_AT = 3
"""Of the spaces from which a blow is equally good so many, the best in themselves, are weighed."""
PLACES = 4
"""Spaces on which deeds that could be done anywhere are weighed."""
GRAIN = 9
"""Digits after the point that decide: what differs by less is a tie, and goes to the first found."""


class Stop(NamedTuple):
    """A space where the chance's movement could end, with the way there."""

    cell: int
    points: int
    exposed: int
    way: Way | None
    base: float
    """What it is worth to be there, the way included."""


class Plan(NamedTuple):
    """What could be done in the rest of a chance."""

    score: float
    order: int
    stop: Stop
    strike: Strike | None = None
    foe: Piece | None = None
    measure: Measure | None = None


class Planner:
    """All plans for one decision in one observed position."""

    def __init__(self, position: Position, outlook: Outlook, goals: tuple[int, ...]) -> None:
        self.position = position
        self.outlook = outlook
        self.judge = Judge(position, goals)
        self.me = self.judge.me
        self._plans: list[Plan] = []
        self._every = False
        self._tied = 0.0
        """What going away costs that leaves something behind."""

    # ------------------------------------------------------------------------------------------ plans

    def plans(self, *, every: bool = False) -> list[Plan]:
        """The plans that were looked at, best first, ties in the order found; with `every`, poor ones, too."""
        position, outlook, judge = self.position, self.outlook, self.judge
        cells = 1 << self.me.cell
        for way in outlook.ways:
            cells |= way.cells
        views = self._views(cells) if outlook.acts else []
        judge.survey(cells, views)
        measures = list(position.ruleset.measures(position.state, position.decision))
        self._tied = max(
            (judge.measure(m, self.me.cell) for m in measures if m.aim == "arm" and not m.anywhere),
            default=0.0,
        )
        stops = self._stops(cells)
        self._every = every
        self._plans = []
        found = self._plans
        for stop in stops:
            self._add(self._resting(stop), stop)
        stops.sort(key=lambda stop: -round(stop.base, GRAIN))
        for foe, vantages in views:
            for vantage in vantages:
                self._blows(stops, foe, vantage)
        for measure in measures:
            self._measures(stops, measure)
        rest = next((p.score for p in found if p.stop.way is None and not p.strike and not p.measure), None)
        if rest is not None and not every:
            bar = rest + THRESHOLD
            found = [p for p in found if p.strike or p.score >= bar or (p.stop.way is None and not p.measure)]
        found.sort(key=lambda plan: (-round(plan.score, GRAIN), plan.order))
        return found

    def _add(self, score: float, stop: Stop, strike: Strike | None = None, foe: Piece | None = None,
             measure: Measure | None = None) -> None:  # fmt: skip
        self._plans.append(Plan(score, len(self._plans), stop, strike, foe, measure))

    def _views(self, cells: int) -> list[tuple[Piece, tuple[Vantage, ...]]]:
        ruleset, state, me = self.position.ruleset, self.position.state, self.me.id
        found = []
        for foe in self.position.foes:
            vantages = ruleset.vantages(state, me, foe.id, cells)
            if vantages:
                found.append((foe, vantages))
        return found

    def _stops(self, cells: int) -> list[Stop]:
        """Each space with the cheapest way there, and with a cheaper one that gives Defense away."""
        judge, cost = self.judge, self.position.temper.points
        stops = []
        if cells >> self.me.cell & 1:
            stops.append(Stop(self.me.cell, 0, 0, None, judge.place(self.me.cell)))
        places: dict[int, float] = {}
        calm = hasty = 0
        for way in self.outlook.ways:
            new = way.cells & cells & ~calm
            if way.exposed:
                new &= ~hasty
                hasty |= new
            else:
                calm |= new
            for cell in cells_of(new):
                place = places.get(cell)
                if place is None:
                    place = places[cell] = judge.place(cell)
                base = place - cost * way.points - self._tied
                if way.exposed:
                    base += judge.haste(cell, way.exposed)
                stops.append(Stop(cell, way.points, way.exposed, way, base))
        return stops

    def _resting(self, stop: Stop) -> float:
        left = self.me.points - stop.points
        return stop.base + self.judge.reserve(stop.cell, left) + self.judge.patience(stop.cell, left)

    def _blows(self, stops: list[Stop], foe: Piece, vantage: Vantage) -> None:
        cells, budget = vantage.cells, self.outlook.points
        least = min(strike.points for strike in vantage.strikes)
        values = [self.position.strike_value(foe, strike) for strike in vantage.strikes]
        looked = 0
        for stop in stops:
            if not cells >> stop.cell & 1 or stop.points + least > budget:
                continue
            for strike, value in zip(vantage.strikes, values, strict=True):
                if stop.points + strike.points <= budget:
                    self._add(value + self._after(stop, strike, foe), stop, strike, foe)
            looked += 1
            if looked == LOOKED_AT and not self._every:
                return

    def _after(self, stop: Stop, strike: Strike, foe: Piece) -> float:
        """A blow's place and consequences, beside the harm it does."""
        judge, cell = self.judge, stop.cell
        left = self.me.points - stop.points - strike.points
        return (
            stop.base
            + judge.haste(cell, strike.exposed)
            + judge.spared(cell, foe, strike.drop)
            + judge.reserve(cell, left)
        )

    def _measures(self, stops: list[Stop], measure: Measure) -> None:
        budget, looked = self.outlook.points, 0
        for stop in stops:
            if stop.way is not None and (not measure.anywhere or looked >= PLACES):
                continue
            if stop.points + measure.points > budget:
                continue
            looked += 1
            value = self.judge.measure(measure, stop.cell)
            if value:
                self._add(value + self._spent(stop, measure), stop, measure=measure)

    def _spent(self, stop: Stop, measure: Measure) -> float:
        left = self.me.points - stop.points - measure.points
        return stop.base + self.judge.reserve(stop.cell, left)

    # ----------------------------------------------------------------------------------------- actions

    def actions(self, plan: Plan) -> tuple[Action, ...]:
        """A plan as actions in order; empty where its movements don't fit together."""
        position = self.position
        moves: tuple[Action, ...] = ()
        if plan.stop.way is not None:
            moves = position.ruleset.route(position.state, self.me.id, plan.stop.way, plan.stop.cell)
            if not moves:
                return ()
        if plan.strike is not None:
            return (*moves, plan.strike.action)
        if plan.measure is not None:
            return (*moves, plan.measure.action)
        return moves or (self.outlook.end,)

    # ----------------------------------------------------------------------------------------- reasons

    def option(self, plan: Plan) -> Option:
        """A plan with its actions and the reasons for its score, in words."""
        actions = self.actions(plan)
        reasons = tuple((text, value) for text, value in self._reasons(plan) if round(value, GRAIN))
        label = ", ".join(self._words(action) for action in actions)
        return Option(actions[0], plan.score, reasons, actions, plan.stop.cell, label)

    def _reasons(self, plan: Plan) -> list[Reason]:
        judge, stop = self.judge, plan.stop
        cell, me = stop.cell, self.me
        spent = stop.points + (
            plan.strike.points if plan.strike else plan.measure.points if plan.measure else 0
        )
        left = me.points - spent
        reasons = self._place_reasons(cell)
        reasons.append(("haste: guard given up", judge.haste(cell, stop.exposed)))
        if stop.way is not None:
            reasons.append(("leaves a weapon behind", -self._tied))
        reasons.append(("points spent on the way", -self.position.temper.points * stop.points))
        reasons.append(("points kept for blows", judge.reserve(cell, left)))
        if plan.strike is not None and plan.foe is not None:
            reasons = self._blow_reasons(plan.strike, plan.foe) + reasons
            reasons.append(("guard given up by the blow", judge.haste(cell, plan.strike.exposed)))
            spared = judge.spared(cell, plan.foe, plan.strike.drop)
            reasons.append((f"{plan.foe.id} may fall and strike no more", spared))
        elif plan.measure is not None:
            reasons.insert(0, (self._purpose(plan.measure), judge.measure(plan.measure, cell)))
        else:
            reasons.append(("lets the foe come", judge.patience(cell, left)))
        return reasons

    def _blow_reasons(self, strike: Strike, foe: Piece) -> list[Reason]:
        hurt = self.position.hurt
        damage = hurt(foe, strike.mean, 0.0, 0.0)
        felling = hurt(foe, strike.mean, strike.drop, 0.0) - damage
        stun = hurt(foe, strike.mean, strike.drop, strike.stun) - damage - felling
        name = self._name(foe.id)
        return [
            (f"{strike.hit:.0%} to hit {name}, {strike.mean:.1f} damage on average", damage),
            (f"{strike.drop:.0%} to fell {name}", felling),
            (f"{strike.stun:.0%} to stun {name}", stun),
        ]

    def _place_reasons(self, cell: int) -> list[Reason]:
        judge = self.judge
        approach, prepared, away, room, friends, danger = judge.place_addends(cell)
        searching = not self.position.foes
        strikers = judge.strikers.get(cell, 0)
        count = sum(1 for i in range(len(self.position.menaces)) if strikers >> 2 * i & 3)
        who = "1 foe" if count == 1 else f"{count} foes"
        far = "still to go in search of the foe" if searching else "spaces still to go to a foe"
        return [
            (far, approach),
            ("a foe within reach", prepared),
            ("away from the foes", away),
            ("room to shoot", room),
            ("beside a dying friend" if searching else "in the way of friends", friends),
            (f"danger: {who} could strike here", danger),
        ]

    def _purpose(self, measure: Measure) -> str:
        about = measure.action.target
        name = self._name(about) if about else ""
        words = {
            "rise": "back on its feet",
            "guard": "harder to hit",
            "mend": f"{measure.chance:.0%} to help {name}",
            "arm": "better armed" if measure.value > 0 else "worse armed",
            "pass": f"a way opens ({measure.chance:.0%})" if measure.chance < 1 else "a way opens",
            "harm": f"{measure.value:.1f} damage on average",
            "boon": f"a boon for {name}" if name else "a boon",
            "gather": "strength gathered",
            "magic": f"{measure.chance:.0%} that the spell takes hold",
        }
        return words.get(measure.aim, measure.aim)

    def _name(self, creature: str) -> str:
        minis = self.position.ruleset.board(self.position.state).miniatures
        return next((mini.name for mini in minis if mini.id == creature), creature)

    def _words(self, action: Action) -> str:
        label = self.position.ruleset.describe(self.position.state, action).label
        at = self.position.terrain.field.at
        if action.path:
            return "{} to [{}, {}]".format(label, *at(action.path[-1]))
        if action.target is not None:
            return f"{label} {self._name(action.target)}"
        if action.at is not None:
            return "{} [{}, {}]".format(label, *at(action.at))
        return label

"""What a plan is worth: every addend with its reason, in units of about one felled creature."""

from __future__ import annotations

from collections.abc import Mapping

from game.controllers.ai.routes import LOCK_PRICE
from game.controllers.ai.table import FAR, Table
from game.controllers.ai.thinking import Reason
from rules.actions import Action
from rules.board import Miniature
from rules.path import UNREACHABLE

STRIDE = 4.0
"""Spaces of movement that the weight `approach` counts for."""
PREPARED = 0.3
"""What standing where one can strike is worth, beside the blow itself."""
LYING = 0.35
"""Against ending a chance not on one's feet, in parts of one's worth."""
ARMED = 1.5
"""Blows for which a better weapon in hand is expected to serve."""
EXPOSED = 0.12
"""How much worse danger gets by each point of Defense given away."""


class Judge:
    """Weighs the plans of one position. `hunt` names the spaces to search, if no foe is known."""

    def __init__(self, table: Table, exposure: Mapping[str, float], hunt: tuple[int, ...] = ()) -> None:
        self.table = table
        self.temper = table.temper
        self.exposure = exposure
        self.hunt = hunt
        me = table.me
        self.life = me.health.value / max(1, me.health.maximum) if me else 1.0
        self.fear = self._fear()
        self.shooter = self._shoots()
        self.ideal = self._ideal(table)
        self._rough: dict[str, float] = {}

    def _fear(self) -> float:
        """0..1: how much one would rather be elsewhere."""
        table = self.table
        if not self.temper.flee or not table.foes:
            return 0.0
        hurt = max(0.0, 1.0 - self.life - 0.25) / 0.75
        crowd = len(table.foes) - len(table.friends) - 1
        alone = min(0.6, max(0.0, 0.2 * crowd))
        return max(hurt, alone) * (1.0 - table.restless)

    def _shoots(self) -> bool:
        table = self.table
        return table.me is not None and bool(table.foes) and table.span(table.me) == FAR

    @staticmethod
    def _ideal(table: Table) -> float:
        """The value of my best blow from beside a foe or from here: what approaching is for."""
        me = table.me
        if me is None:
            return 0.0
        best = table.best_strike(me.cell)[0]
        for foe in table.foes:
            for cell, _ in table.terrain.neighbours(foe.cell)[:1]:
                strike = table.strike(me.id, foe.id, cell, foe.cell)
                if strike is not None:
                    best = max(best, table.hurt(foe, strike.mean, strike.drop))
        return best

    # ---------------------------------------------------------------------------------------- glances

    def glance(self, cell: int, cost: float) -> float:
        """A quick estimate of a space, for the shortlist only."""
        table, me = self.table, self.table.me
        assert me is not None
        value, strike, _ = table.best_strike(cell)
        if strike is not None and me.points.value - cost < strike.points:
            value *= 0.4
        cells = table.terrain.footprint(cell, me.size)
        for foe in table.foes:
            if table.threat(foe).whole & cells:
                value -= self._rough_threat(foe, cell)
        return value + self._place(table, cell) - self.temper.points * cost + self._bedside(cell)

    def _rough_threat(self, foe: Miniature, cell: int) -> float:
        """A foe's blow on me, measured once and taken for the same everywhere."""
        found = self._rough.get(foe.id)
        if found is None:
            table, me = self.table, self.table.me
            assert me is not None
            striking = table.striking(foe, cell)
            if striking is None:
                return 0.0
            strike = striking[1]
            share = min(1.0, strike.mean / max(1, me.health.value))
            found = table.worth(me.id) * (self.temper.harm * share + self.temper.death * strike.drop) / 2
            self._rough[foe.id] = found
        return found

    def _bedside(self, cell: int) -> float:
        """For a space beside a friend who is dying, while no foe is near."""
        table = self.table
        if not table.fallen or not self.temper.aid:
            return 0.0
        beside = any(
            cell == other or cell in (n for n, _ in table.terrain.neighbours(other))
            for other in (friend.cell for friend in table.fallen if friend.badges)
        )
        return 0.3 * self.temper.aid if beside and not table.foes else 0.0

    # ----------------------------------------------------------------------------------------- places

    def _place(self, table: Table, cell: int) -> float:
        return sum(value for _, value in self._place_reasons(table, cell))

    def _place_reasons(self, table: Table, cell: int) -> list[Reason]:
        """What a space is worth by itself: nearness to what one wants, distance from what one fears."""
        temper, me = self.temper, table.me
        if me is None:
            return []
        reasons: list[Reason] = []
        if not table.foes:
            way = table.hunt_price(self.hunt, cell) if self.hunt else UNREACHABLE
            if way < UNREACHABLE and (self.life > 0.5 * temper.wary or table.restless):
                reasons.append(("still to go in search of the foe", -temper.approach * way / STRIDE))
            reasons.append(("help for a dying friend", self._bedside(cell)))
            return reasons
        value = table.best_strike(cell)[0]
        ideal = max(self.ideal, value)
        if ideal > 0.0:
            lacking = 1.0 - value / ideal
            reasons.append(("a foe within reach", PREPARED * value))
        else:
            lacking = 1.0
        wish = temper.approach * (1.0 - temper.wary * self.fear) * (1.0 + table.restless)
        if self.fear < 0.5:
            reasons.append(
                ("spaces still to go to a foe", -wish * lacking * (table.gap(cell) / STRIDE + 1.0))
            )
        if self.fear > 0.0:
            away = min(table.gap(cell), 16.0) / 16.0
            reasons.append(("away from the foes", temper.flee * self.fear * away))
        elif self.shooter and temper.distance:
            near = min(8, table.nearest(cell))
            reasons.append(("room to shoot", temper.distance * near * (1.0 - table.restless)))
        if me.posture != "standing":
            reasons.append(("not on its feet", -LYING * table.worth(me.id)))
        return reasons

    def _danger_reason(self, table: Table, cell: int, exposed: float, spared: float = 0.0) -> list[Reason]:
        danger = table.danger(cell)
        if not danger.strikers:
            return []
        who = "1 foe" if danger.strikers == 1 else f"{danger.strikers} foes"
        reasons = [(f"danger: {who} could strike here", -danger.cost * (1.0 - spared))]
        if exposed:
            reasons.append(("guard given up", -danger.cost * (1.0 - spared) * EXPOSED * exposed))
        return reasons

    def _reserve(self, table: Table, cell: int, left: float) -> float:
        """What blows with the points left are worth."""
        value, strike, _ = table.best_strike(cell)
        if strike is None or strike.points <= 0:
            return 0.0
        return self.temper.later * value * min(3, int(left // strike.points))

    # ------------------------------------------------------------------------------------------ plans

    def price(self, before: Table, actions: tuple[Action, ...]) -> list[Reason]:
        """What movements cost beside their points: Defense given away."""
        exposed = sum(self.exposure.get(action.do, 0.0) for action in actions)
        me = before.me
        if not exposed or me is None:
            return []
        return [("haste", -0.03 * exposed)]

    def armed(self, table: Table) -> list[Reason]:
        """What changed in how hard one can strike: for gear taken up, put away or let go."""
        gain = self._ideal(table) - self.ideal
        return [("better armed" if gain > 0 else "worse armed", ARMED * gain)]

    def rest(self, before: Table, table: Table, cell: int, *, stay: bool = False) -> list[Reason]:
        """Ending there without a blow. `before` is the position that the chance began in."""
        me, first = table.me, before.me
        if me is None or first is None:
            return []
        reasons = self._place_reasons(table, cell)
        reasons += self._danger_reason(table, cell, 0.0)
        left = me.points.value
        reserve = self._reserve(table, cell, left)
        if reserve:
            reasons.append(("points kept for blows", reserve))
        elif stay and left and self.temper.patience and self.ideal and table.awaited(cell):
            reasons.append(("lets the foe come", self.temper.patience * self.ideal * (1.0 - table.restless)))
        spent = first.points.value - left
        if spent:
            reasons.append(("points spent", -self.temper.points * spent))
        return reasons

    def blow(self, table: Table, action: Action, cell: int) -> list[Reason] | None:
        """A blow from a space; None if the ruleset has no odds for it."""
        target = table.everyone.get(action.target or "")
        odds = table.ruleset.odds(table.state, action)
        if target is None or odds is None or table.me is None:
            return None
        name = target.name
        worth = table.worth(target.id)
        whole = table.hurt(target, odds.mean, odds.drop)
        felling = self.temper.finish * odds.drop * worth
        stun = 0.3 * odds.stun * worth
        reasons: list[Reason] = [
            (f"{odds.hit:.0%} to hit {name}, {odds.mean:.1f} damage on average", whole - felling),
            (f"{odds.drop:.0%} to fell {name}", felling),
            (f"{odds.stun:.0%} to stun {name}", stun),
        ]
        reasons += self._place_reasons(table, cell)
        # a foe that falls strikes no more: part of the danger goes with it
        spared = odds.drop / max(1, table.danger(cell).strikers)
        reasons += self._danger_reason(table, cell, self.exposure.get(action.do, 0.0), spared)
        cost = table.cost_of(action)
        left = table.me.points.value - cost
        reserve = self._reserve(table, cell, left)
        if reserve:
            reasons.append(("points kept for further blows", reserve))
        reasons.append(("points spent", -self.temper.points * cost))
        return reasons

    def help(self, patient: Miniature, action: Action, cell: int) -> list[Reason]:
        """First aid and the like: worth it for somebody who lies dying, or for oneself."""
        table = self.table
        if patient.dead or not patient.badges:
            return []
        need = 1.0 if patient.out else 0.25
        value = self.temper.aid * 0.6 * need * table.worth(patient.id)
        reasons: list[Reason] = [(f"help for {patient.name}", value)]
        reasons += self._place_reasons(table, cell)
        return reasons + self._danger_reason(table, cell, 0.0)

    def attempt(self, cell: int) -> list[Reason]:
        """An uncertain try at a locked door: half of the way it would save."""
        table = self.table
        gain = self.temper.approach * LOCK_PRICE / STRIDE / 2
        reasons = [("a way through, if it gives", gain if not table.foes or table.gap(cell) > 2 else 0.0)]
        return [*reasons, *self._place_reasons(table, cell), *self._danger_reason(table, cell, 0.0)]

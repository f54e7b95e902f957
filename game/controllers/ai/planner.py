"""Plans for a whole chance: where to go, what to do there, and what each plan is worth."""

from __future__ import annotations

from typing import NamedTuple

from game.controllers.ai.judge import Judge
from game.controllers.ai.table import Table
from game.controllers.ai.thinking import Option, Reason
from rules.actions import Action, Decision
from rules.errors import BattlematError
from rules.path import distances
from rules.ruleset import LegalActions, Ruleset, State

SHORTLIST = 7
"""Spaces that are looked at closely."""
THRESHOLD = 0.04
"""What anything but a blow has to gain over ending the chance: nobody dithers."""


class Kind(NamedTuple):
    """What is known of a word of `do`: the group its button stands in, what it needs, its name."""

    group: str
    needs: str
    label: str


class Lines(NamedTuple):
    """A beginning of a plan: the movements, and the position they lead to."""

    actions: tuple[Action, ...]
    table: Table
    decision: Decision


_kinds: dict[str, dict[str, Kind]] = {}


def kinds_of(ruleset: Ruleset, legal: LegalActions) -> dict[str, Kind]:
    """All kinds of actions of a ruleset, learned from the buttons it offers."""
    known = _kinds.get(ruleset.id)
    if known is None:
        known = _kinds[ruleset.id] = {}
        for offer in legal.offers():
            d = offer.description
            known.setdefault(offer.do, Kind(d.group, d.needs, d.label))
    return known


class Planner:
    """All plans for one decision in one observed position, best first."""

    def __init__(
        self,
        table: Table,
        decision: Decision,
        legal: LegalActions,
        exposure: dict[str, float],
        hunt: tuple[int, ...] = (),
    ) -> None:
        ruleset = table.ruleset
        self.ruleset = ruleset
        self.decision = decision
        self.legal = legal
        self.exposure = exposure
        self.table = table
        self.kinds = kinds_of(ruleset, legal)
        self.movers: dict[int, list[Action]] = {}
        self.strikes: list[Action] = []
        self.others: list[Action] = []
        self.ends: list[Action] = []
        self.gear: tuple[float, Action] | None = None
        """The change of gear that arms best, with its gain: to be done here or where a movement leads."""
        self._sort()
        table.gear = tuple((a.do, a.item, a.items) for a in self.others if self._kind(a).needs == "item")
        self.judge = Judge(self.table, exposure, hunt)

    def _kind(self, action: Action) -> Kind:
        kind = self.kinds.get(action.do)
        if kind is None:
            d = self.ruleset.describe(self.table.state, action)
            kind = self.kinds[action.do] = Kind(d.group, d.needs, d.label)
        return kind

    def _sort(self) -> None:
        foes = {m.id for m in self.table.foes}
        for action in self.legal:
            kind = self._kind(action)
            if action.path:
                self.movers.setdefault(action.path[-1], []).append(action)
            elif kind.group == "End":
                self.ends.append(action)
            elif action.target in foes:
                self.strikes.append(action)
            else:
                self.others.append(action)

    # ------------------------------------------------------------------------------------------ plans

    def options(self, only: int | None = None) -> list[Option]:
        """Every plan that was looked at, best first; with `only`, those that end on that space."""
        table = self.table
        me = table.me
        if me is None:
            return [Option(action, 0.0, ()) for action in self.legal][:1]
        found: list[Option] = []
        here = Lines((), table, self.decision)
        for end in self.ends[:1]:
            found.append(self._option(here, end, self.judge.rest(table, table, me.cell, stay=True)))
        for action in self.strikes:
            reasons = self.judge.blow(table, action, me.cell)
            if reasons is not None:
                found.append(self._option(here, action, reasons))
        if me.points.value > 0 or not self.ends:
            found += self._other_options()
        cells = [only] if only is not None and only != me.cell else self._shortlist()
        for cell in cells:
            for line in self._lines(cell):
                found += self._from(line, cell)
        if only is not None:
            found = [option for option in found if option.cell == only]
        return self._ranked(found)

    def _ranked(self, found: list[Option]) -> list[Option]:
        """Best first, ties in the order found; what is no blow must beat ending by the threshold."""
        rest = max((o.score for o in found if self._idle(o)), default=None)
        kept = [
            o
            for o in found
            if rest is None or self._idle(o) or self._blow(o.plan[-1]) or o.score >= rest + THRESHOLD
        ]
        order = sorted(range(len(kept)), key=lambda i: (-kept[i].score, i))
        return [kept[i] for i in order]

    def _idle(self, option: Option) -> bool:
        return len(option.plan) == 1 and self._kind(option.action).group == "End"

    def _blow(self, action: Action) -> bool:
        target = self.table.everyone.get(action.target or "")
        return target is not None and target.side != self.table.side

    def _option(self, line: Lines, last: Action | None, reasons: list[Reason]) -> Option:
        plan = (*line.actions, last) if last is not None else line.actions
        cell = line.table.me.cell if line.table.me else -1
        kept = tuple((text, value) for text, value in reasons if value)
        label = ", ".join(self._words(action) for action in plan)
        return Option(plan[0], sum(value for _, value in kept), kept, plan, cell, label)

    def _words(self, action: Action) -> str:
        label = self._kind(action).label
        if action.path:
            return "{} to [{}, {}]".format(label, *self.table.terrain.field.at(action.path[-1]))
        if action.target is not None:
            mini = self.table.everyone.get(action.target)
            return f"{label} {mini.name if mini else action.target}"
        if action.at is not None:
            return "{} [{}, {}]".format(label, *self.table.terrain.field.at(action.at))
        return label

    # -------------------------------------------------------------------------------------- movements

    def _shortlist(self) -> list[int]:
        """The most promising spaces within reach of this chance, by a quick estimate."""
        table, me = self.table, self.table.me
        assert me is not None
        cells = dict.fromkeys(self.movers)
        spots = self.ruleset.spots(table.state, me.id) if self._fresh() else {}
        for cell in spots:
            if cell != me.cell:
                cells.setdefault(cell)
        rated = []
        for i, cell in enumerate(cells):
            cost = spots.get(cell, me.points.value / 2)
            rated.append((-self.judge.glance(cell, cost), i, cell))
        rated.sort()
        return [cell for _, _, cell in rated[:SHORTLIST]]

    def _fresh(self) -> bool:
        """Whether a first movement is still to be had, so that two may follow each other."""
        return any(self._kind(actions[0]).group == "First" for actions in self.movers.values())

    def _lines(self, cell: int) -> list[Lines]:
        """The ways of getting to a space in this chance: at most three, cheapest first."""
        direct = self.movers.get(cell, [])
        firsts = [a for a in direct if self._kind(a).group == "First"]
        if firsts:
            return self._applied((firsts[0],))
        combo = self._combo(cell)
        if combo:
            return combo
        lines: list[Lines] = []
        for action in direct[:2]:
            lines += self._applied((action,))
        return lines

    def _combo(self, cell: int) -> list[Lines]:
        """A first movement, then another that ends on `cell`: by the first's space that is nearest to it."""
        if not self._fresh():
            return []
        near = distances(self.table.terrain, cell)
        firsts = [
            (near[goal], i, actions[0])
            for i, (goal, actions) in enumerate(self.movers.items())
            if self._kind(actions[0]).group == "First"
        ]
        firsts.sort(key=lambda item: item[:2])
        words = [do for do, kind in self.kinds.items() if kind.group == "Move" and kind.needs == "path"]
        for _, _, first in firsts[:1]:
            for line in self._applied((first,)):
                legal = self.ruleset.legal(line.table.state, line.decision)
                for do in words:
                    second = legal.moves(do).get(cell)
                    if second is not None:
                        return self._applied((second,), line)
        return []

    def _applied(self, actions: tuple[Action, ...], line: Lines | None = None) -> list[Lines]:
        """The line continued by movements without dice; empty where they cannot be tried."""
        before = line or Lines((), self.table, self.decision)
        state, decision = before.table.state, before.decision
        for action in actions:
            try:
                state = self.ruleset.apply(state, decision, action).state
            except (BattlematError, RuntimeError):  # dice, or something unseen
                return []
            follow = self._mine(state)
            if follow is None:
                return []
            decision = follow
        table = Table(
            self.ruleset, state, decision, self.table.temper, self.table.me.id if self.table.me else None
        )
        table.adopt(self.table, geared=all(self._kind(a).needs != "item" for a in actions))
        return [Lines(before.actions + actions, table, decision)]

    def _mine(self, state: State) -> Decision | None:
        for decision in self.ruleset.decisions(state):
            if decision.by == self.decision.by and decision.kind == self.decision.kind:
                return decision
        return None

    def _from(self, line: Lines, cell: int) -> list[Option]:
        """A line's end, with nothing more and with every blow from there."""
        table = line.table
        if table.me is None:
            return []
        price = self.judge.price(self.table, line.actions)
        if not all(action.path for action in line.actions):
            price += self._armed(line)
        found = [self._option(line, None, [*self.judge.rest(self.table, table, cell), *price])]
        legal = self.ruleset.legal(table.state, line.decision)
        walked = all(action.path for action in line.actions)
        if self.gear is not None and walked and self.gear[1] not in legal:
            price = [*price, ("leaves a weapon behind", -self.gear[0])]
            found[0] = self._option(line, None, [*self.judge.rest(self.table, table, cell), *price])
        elif self.gear is not None and walked:
            for armed in self._applied((self.gear[1],), line):
                reasons = [*self.judge.rest(self.table, armed.table, cell), *self._armed(armed), *price]
                found.append(self._option(armed, None, reasons))
        if table.best_strike(cell)[1] is None:
            return found
        for action in self._blows(table, cell):
            if action in legal:
                blow = self.judge.blow(table, action, cell)
                if blow is not None:
                    found.append(self._option(line, action, blow + price))
        return found

    def _armed(self, line: Lines) -> list[Reason]:
        reasons = self.judge.armed(line.table)
        gain = reasons[0][1]
        if len(line.actions) == 1 and gain > (self.gear[0] if self.gear else THRESHOLD):
            self.gear = gain, line.actions[0]
        return reasons

    def _blows(self, table: Table, cell: int) -> list[Action]:
        """Candidates: every kind of action against a creature, with the weapon of the best blow on each foe."""
        assert table.me is not None
        words = [do for do, kind in self.kinds.items() if kind.group == "Act" and kind.needs == "creature"]
        found = []
        for foe in table.foes:
            strike = table.strike(table.me.id, foe.id, cell, foe.cell)
            if strike is None:
                continue
            dos = words if strike.action.do in words else [strike.action.do]
            for do in dos:
                found.append(Action(table.me.id, do, target=foe.id, weapon=strike.action.weapon))
        return found

    # --------------------------------------------------------------------------------- everything else

    def _other_options(self) -> list[Option]:
        """What is neither a path nor a blow: postures, doors, ladders, gear, help."""
        table, me = self.table, self.table.me
        assert me is not None
        found: list[Option] = []
        here = Lines((), table, self.decision)
        tried: set[str] = set()
        for action in self.others:
            kind = self._kind(action)
            if kind.needs == "option":  # postures: the rules list the safest first
                if action.do in tried:
                    continue
                tried.add(action.do)
            patient = table.everyone.get(action.target or "")
            if patient is not None and patient.side == table.side:
                reasons = self.judge.help(patient, action, me.cell)
                if reasons:
                    found.append(self._option(here, action, reasons))
                continue
            lines = self._applied((action,))
            if lines:
                line = lines[0]
                if kind.needs == "item" and self._armed(line)[0][1] < THRESHOLD:
                    continue
                cell = line.table.me.cell if line.table.me else me.cell
                found += self._from(line, cell)
            elif kind.needs == "door":
                found.append(self._option(here, action, self.judge.attempt(me.cell)))
        return found

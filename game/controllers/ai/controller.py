"""The computer as a player: plans the rest of a chance at every decision, and can say why."""

from __future__ import annotations

from collections.abc import Callable, Container

import msgspec

from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.advisors.planning import Advisor, Outlook, Sealing
from game.controllers.ai.answering import answer
from game.controllers.ai.band import Band, Intent
from game.controllers.ai.delving import Delve, delves
from game.controllers.ai.factors import load_weights
from game.controllers.ai.lookahead import Foreseen, Likely, foreseen, may_fall
from game.controllers.ai.planner import TRIED, Plan, Planner
from game.controllers.ai.position import Position
from game.controllers.ai.searching import Hunt, weighed
from game.controllers.ai.thinking import Option, Thinking, foreseen_option, option_of
from game.controllers.ai.trails import Moment, Stand, Trails
from game.controllers.ai.weights import NORMAL, Level, Temper, Weights, disciplined, heeding
from rules.contract.actions import CHANCE, Action, Decision
from rules.contract.display import System
from rules.contract.errors import BattlematError
from rules.contract.ruleset import PARTY, LegalActions, State
from rules.contract.text import Text, titled
from rules.contract.units import EMPTY, NOWHERE, Bitboard, Cell
from rules.core.dice import signed


def rallying(position: Position, begun: Cell, turn: int, stays: int) -> tuple[Cell, ...]:
    """Where a party on an expedition goes in a fight while no foe is in sight: to the first of it who is up, who stays,
    and by turns, `stays` of them long, draws back to where they came in (`begun`) from who may see them unseen.

    Who hunts for foes through a place rouses it room by room, and comes to each alone; who waits has peace soon.
    """
    up = {piece.id: piece.cell for piece in (*position.friends, position.me) if piece is not None and not piece.out}
    first = next((p.id for p in position.pieces if p.id in up), None)
    if position.me is None or first is None:
        return ()
    if turn // max(1, stays) % 2 and begun >= 0:
        return (begun,)
    return () if first == position.me.id else (up[first],)


SEARCH = "search"
"""The word for looking for what is hidden, under all rules."""
SCOUTING = "explore"
"""The kind of decisions before anybody has noticed anybody."""
SHOWN = 3
KEPT = "keeps to its plan"
OVERLOOKED = "overlooks what is better"
SLIPS = 1 << 16
"""Positions are parted into so many, by their number, for which of them it slips."""
NOTED = 8
"""So many positions are known with the best plan there: those of a chance."""


class AiController:
    """Plays any side of any ruleset through the contract alone.

    `temperament` names a table of assets/ai/weights.toml; left out, each creature plays as its stat block says. With
    `weights` it goes by other numbers than those that come with Battlemat, and by the same under every ruleset.
    The same position gives the same choice: there is no chance and no clock in it, and nothing is kept from one
    decision to the next but where foes that are out of sight were seen last, and which spaces its creatures have left
    of late: both follow from what its side has seen and done.
    """

    def __init__(self, temperament: str | None = None, weights: Weights | None = None, level: str = NORMAL) -> None:
        self.temperament = temperament
        self.level = level
        self._weights = weights
        self._hunts: dict[str, Hunt] = {}
        self._trails: dict[str, Trails] = {}
        self._delves: dict[str, Delve] = {}
        self._delved: dict[tuple[State, str], list[Option]] = {}
        """Positions of expeditions that were decided upon: what was thought there."""
        self._past: dict[tuple[State, str], tuple[Cell, ...]] = {}
        """Positions in which foes out of sight were remembered: where to look for them."""
        self._bands: dict[str, Band] = {}
        """What each side means to do, where whole sides plan."""
        self._planned: list[tuple[str, State, tuple[Action, ...]]] = []
        """Whose chances were planned last, in which positions, and the best plan there."""

    def weights(self, ruleset: System) -> Weights:
        """The numbers that it goes by under a ruleset."""
        return self._weights or load_weights(ruleset.id)

    def choose(self, ruleset: System, state: State, decision: Decision, legal: LegalActions) -> Action:
        """One action out of `legal`; `state` is what the decision's side knows (`ruleset.observe`)."""
        if decision.kind == SCOUTING:
            options = self._scouting(ruleset, state, decision)
            return next(filter(None, (_as_far(o.action, legal) for o in options)), None) or _any_of(legal)
        if (delve := self._delver(state, decision.side)) is None:
            action = self._fighting(ruleset, state, decision, legal)
            self._walked(ruleset, state, decision, action)
            return action
        delve.fights(ruleset, state, decision.side)
        action = self._fighting(ruleset, state, decision, legal, delve.memory.sleeping)
        delve.sets_out(action)
        self._walked(ruleset, state, decision, action)
        return action

    def _fighting(
        self, ruleset: System, state: State, decision: Decision, legal: LegalActions, sleeping: Container[str] = ()
    ) -> Action:
        """What is done in a fight; who is `sleeping` is let lie."""
        if decision.kind != CHANCE:
            if len(answers := list(legal)) == 1:
                return answers[0]
            temper = self._temper(ruleset, state, decision)
            return answer(ruleset, state, decision, legal, temper, weights=self.weights(ruleset).answers)[0].action
        if self.weights(ruleset).level[self.level].tries:
            planner, done, rest = self._weighing(ruleset, state, decision, legal)
            if planner and not rest and (ahead := self._foreseen(planner, legal, done, sleeping)):
                return ahead[0].likely.actions[0]
        intent, number = self._meant(ruleset, state, decision, legal)
        if intent is not None and not any(each.target in sleeping for each in intent.actions):
            return intent.actions[number]
        outlook, rest = self._settled(ruleset, state, decision)
        if rest and rest[0] in legal and not any(each.target in sleeping for each in rest):
            self._glimpse(ruleset, state, decision)
            return rest[0]
        planner = self._planner(ruleset, state, decision, outlook)
        if planner is None:
            return _any_of(legal)
        actions = planner.actions(planner.best())
        self._note(state, decision.by, actions)
        if actions and actions[0] in legal and not any(each.target in sleeping for each in actions):
            return actions[0]
        for plan in planner.plans(every=True)[:TRIED]:
            actions = planner.actions(plan)
            if actions and actions[0] in legal and not any(each.target in sleeping for each in actions):
                return actions[0]
        return _any_of(legal)

    def recall(self, ruleset: System, state: State, decision: Decision, action: Action | None = None) -> None:
        """Take in what a side saw at a decision of the past, and what it did, as `choose` did there; nothing is
        planned."""
        if decision.kind == SCOUTING:
            self._scouting(ruleset, state, decision)
        elif (delve := self._delver(state, decision.side)) is not None:
            delve.fights(ruleset, state, decision.side)
            if action is not None:
                delve.sets_out(action)
        if decision.kind != CHANCE:
            return
        if action is not None:
            self._walked(ruleset, state, decision, action)
        position = self._position(ruleset, state, decision)
        if position.me is not None:
            self._goals(position)

    def explain(self, ruleset: System, state: State, decision: Decision, legal: LegalActions) -> Thinking:
        """The best options that differ in what they do, best first; the first is what `choose` does there."""
        name = self.weights(ruleset).name(self._wanted(ruleset, state, decision))
        if decision.kind == SCOUTING:
            found = [o for o in self._scouting(ruleset, state, decision) if o.action in legal]
            return Thinking(tuple(found[:SHOWN]) or (Option(_any_of(legal), 0.0, ()),), name)
        if decision.kind != CHANCE:
            temper = self._temper(ruleset, state, decision)
            options = answer(ruleset, state, decision, legal, temper, weights=self.weights(ruleset).answers)
            return Thinking(tuple(options[:SHOWN]), name)
        planner, done, rest = self._weighing(ruleset, state, decision, legal)
        best: dict[tuple[str, str | None, str | None], Option] = {}
        ahead: list[Foreseen] = []
        if rest:
            best[_kind(rest)] = _kept(planner, rest)
        elif planner is not None:
            ahead = self._foreseen(planner, legal, done)
            for each in ahead:
                best[_kind(each.likely.actions)] = foreseen_option(planner, each)
        for plan in _plans(planner, legal, done):
            if len(best) >= SHOWN:
                break
            option = _legal_option(planner, plan, legal, done)
            if option is not None:
                best.setdefault(_kind(option.plan), option)
        options = list(best.values())
        intent, number = (None, 0) if ahead else self._meant(ruleset, state, decision, legal)
        if intent is not None and (not options or options[0].action != intent.actions[number]):  # its plan just ends
            options.insert(0, Option(intent.actions[number], 0.0, (), plan=intent.actions[number:]))
        first, *others = options or [Option(_any_of(legal), 0.0, ())]
        others.sort(key=lambda option: -option.score)  # what was played on may stand below what was not
        if planner is not None and planner.slack and others and others[0].score > first.score:
            missed = OVERLOOKED, others[0].score - first.score
            first = first._replace(score=others[0].score, reasons=(*first.reasons, missed))
        return Thinking((first, *others[: SHOWN - 1]), name)

    def why_not(self, ruleset: System, state: State, decision: Decision, legal: LegalActions, cell: Cell) -> str:
        """Why the best plan doesn't end on a space, in one line."""
        where = titled((field := ruleset.terrain(state).field).words(*field.at(cell)))
        best = self.explain(ruleset, state, decision, legal).best[0]
        if best.cell == cell:
            return Text.of("{where} is where it goes: {label}.", where=where, label=best.label)
        option = self._option_at(ruleset, state, decision, legal, cell)
        if option is None:
            return Text.of("{where} can't be reached in this chance.", where=where)
        values = dict(best.reasons)
        differences = [(value - values.get(text, 0.0), text) for text, value in option.reasons]
        mine = {text for text, _ in option.reasons}
        differences += [(-value, Text.of("no “{text}”", text=text)) for text, value in best.reasons if text not in mine]
        value, text = min(differences, default=(0.0, "nothing"))
        return Text.of(
            "{where}: {label} scores {score}, {label2} {score2}; most against it: {text} ({value}).",
            where=where,
            label=option.label,
            score=signed(option.score, 2),
            label2=best.label,
            score2=signed(best.score, 2),
            text=text,
            value=signed(value, 2),
        )

    # -------------------------------------------------------------------------------------------- inside

    def _foreseen(
        self, planner: Planner, legal: LegalActions, done: tuple[Action, ...], sleeping: Container[str] = ()
    ) -> list[Foreseen]:
        """The best plans as they come out when they are played on, best first; empty where that isn't worth it."""
        position = planner.position
        w = position.weights.level[self.level]
        if not w.tries or not position.foes:
            return []
        near = self._near(planner, legal, w, done, sleeping)
        if len(near) < 2 or not may_fall(position, w.falls):
            return []
        return foreseen(position, near, w, self._quick(position.ruleset))

    def _near(
        self, planner: Planner, legal: LegalActions, w: Level, done: tuple[Action, ...], sleeping: Container[str]
    ) -> list[Likely]:
        """Of each kind of plan the best that goes on from what is done, if it comes near enough to the best of all."""
        found: dict[tuple[str, str | None, str | None], Likely] = {}
        for plan in _plans(planner, legal, done):
            if found and plan.score < next(iter(found.values())).plan.score - w.near:
                break
            actions = _rest(planner, plan, legal, done)
            if actions and not any(each.target in sleeping for each in actions):
                found.setdefault(_kind(actions), Likely(plan, actions))
            if len(found) == w.options:
                break
        return list(found.values())

    def _quick(self, ruleset: System) -> Callable[[], AiController]:
        """Who plays everybody in a try: the quick mind, which plans for each only once, and keeps its head as well."""
        weights, replace = self.weights(ruleset), msgspec.structs.replace
        planner = replace(weights.planner, passes=min(1, weights.planner.passes))
        levels = {**weights.level, self.level: replace(weights.level[self.level], tries=0)}
        once = replace(weights, planner=planner, level=levels)
        return lambda: AiController(self.temperament, once, self.level)

    def _option_at(
        self, ruleset: System, state: State, decision: Decision, legal: LegalActions, cell: Cell
    ) -> Option | None:
        """The best option that ends on a space, weighed as all were."""
        if decision.kind == SCOUTING:
            found = (o for o in self._scouting(ruleset, state, decision) if o.cell == cell)
            return next((option for option in found if option.action in legal), None)
        planner, done, _ = self._weighing(ruleset, state, decision, legal)
        for plan in planner.plans(every=True) if planner else ():
            if plan.stop.spot.cell == cell:
                option = _legal_option(planner, plan, legal, done)
                if option is not None:
                    return option
        return None

    def _meant(
        self, ruleset: System, state: State, decision: Decision, legal: LegalActions
    ) -> tuple[Intent | None, int]:
        """(what somebody means to do while its whole side plans, which of it is due); None where no side does, where
        somebody has planned otherwise, and where it can't be done."""
        sealing = advisor_of(ruleset).sealing
        if sealing is None or not decision.sealed:
            return None, 0
        band = self._band(ruleset, sealing, sealing.fresh(state), decision.side)
        intent = band.intents.get(decision.by) if band.agrees(state) else None
        number = None if intent is None else intent.next(sealing.plan(state, decision.by))
        if intent is None or number is None or intent.actions[number] not in legal:
            return None, 0
        return intent, number

    def _weighing(
        self, ruleset: System, state: State, decision: Decision, legal: LegalActions
    ) -> tuple[Planner | None, tuple[Action, ...], tuple[Action, ...]]:
        """(the planner that weighs a chance, what is planned already of what it proposes, what else is settled)."""
        intent, number = self._meant(ruleset, state, decision, legal)
        if intent is None:
            outlook, rest = self._settled(ruleset, state, decision)
            return self._planner(ruleset, state, decision, outlook), (), rest if rest and rest[0] in legal else ()
        stage = intent.stage(number)
        planner = self._planner(ruleset, stage.seen, decision, taken=intent.taken)
        return planner, intent.actions[stage.first : number], ()

    def _band(self, ruleset: System, sealing: Sealing, fresh: State, side: str) -> Band:
        """The plans of a side's half; the latest are kept."""
        band = self._bands.get(side)
        if band is None or band.fresh != fresh:

            def asked(seen: State, decision: Decision, taken: Bitboard) -> Planner | None:
                return self._planner(ruleset, seen, decision, advisor.outlook(seen, decision.by), taken)

            def more(seen: State, decision: Decision) -> bool:
                return next(advisor.measures(seen, decision), None) is not None

            advisor, terrain = advisor_of(ruleset), ruleset.terrain(fresh)
            stands = {piece.id: terrain.footprint(piece.cell, piece.size) for piece in advisor.pieces(fresh)}
            band = self._bands[side] = Band(sealing, fresh, ruleset.decisions(fresh), stands, asked=asked, more=more)
            w = self.weights(ruleset).planner
            band.plan(w.passes)
        return band

    def _settled(self, ruleset: System, state: State, decision: Decision) -> tuple[Outlook | None, tuple[Action, ...]]:
        """(what may still be done, where that was asked; what of it is settled: none where it has to be planned)."""
        rest = self._going_on(ruleset, state, decision)
        if rest and rest[0].path:
            return None, rest
        if rest:
            return None, rest if _idle(ruleset, state, decision, weighed=True) else ()
        outlook = advisor_of(ruleset).outlook(state, decision.by)
        if rest is None and not _spent(outlook):
            return outlook, ()
        idle = _idle(ruleset, state, decision, weighed=rest is not None)
        return outlook, (outlook.end,) if idle else ()

    def _going_on(self, ruleset: System, state: State, decision: Decision) -> tuple[Action, ...] | None:
        """What is left of the plan with which a chance began, if nothing but its movements has happened since; None
        where it has to be planned anew.

        That plan is found in the position in which the chance began, whether it was asked for then or not. That is made
        of what is known now: whoever has come out of sight since isn't there, and nothing seen in it is taken in.
        """
        for begun in advisor_of(ruleset).begun(state, decision.by):
            actions = self._noted(begun.state, decision.by)
            if actions is None:
                planner = self._planner(ruleset, begun.state, decision, takes_in=False)
                if planner is None:
                    return None
                actions = planner.actions(planner.best())
                self._note(begun.state, decision.by, actions)
            done = actions[: len(begun.moved)]
            if tuple([each.do for each in done]) == begun.moved and done[-1].path[-1:] == (begun.cell,):
                return actions[len(begun.moved) :]
        return None

    def _note(self, state: State, by: str, actions: tuple[Action, ...]) -> None:
        """Keep the best plan of a position for the rest of that chance."""
        self._planned.append((by, state, actions))
        del self._planned[:-NOTED]

    def _noted(self, state: State, by: str) -> tuple[Action, ...] | None:
        """The best plan of a position, if that was planned lately."""
        noted = reversed(self._planned)
        return next((actions for who, known, actions in noted if who == by and known == state), None)

    def _planner(
        self, ruleset: System, state: State, decision: Decision, outlook: Outlook | None = None,
        taken: Bitboard = EMPTY, *, takes_in: bool = True,
    ) -> Planner | None:  # fmt: skip
        """Everything ready to plan a chance; None for who isn't on the board. `takes_in`: whether what is seen in that
        position is remembered."""
        position = self._position(ruleset, state, decision)
        if position.me is None:
            return None
        outlook = outlook or position.advisor.outlook(state, decision.by)
        if taken and position.me.size > 1:
            taken = position.terrain.touching(taken, position.me.size)
        if (trails := self._trails.get(position.side)) is not None:
            moment = Moment(_fresh(position.advisor, state), position.turn, position.me.cell)
            position.trail = trails.until(decision.by, moment, now=takes_in)
        w = position.weights.level[self.level]
        slips = w.slips > 0.0 and position.foes and position.number % SLIPS < w.slips * SLIPS
        goals = self._goals(position, takes_in=takes_in)
        return Planner(position, outlook, goals, taken, w.near if slips else 0.0)

    def _goals(self, position: Position, *, takes_in: bool = True) -> tuple[Cell, ...]:
        """Where to look for foes, if none is in sight; what is asked of the past is answered as it was then."""
        hunt = self._hunts.setdefault(position.side, Hunt())
        if position.foes:
            if takes_in:
                hunt.remember(position)
            return ()
        w = self.weights(position.ruleset).delving
        if position.side == PARTY and position.turn < w.hunts and delves(position.state):
            return rallying(position, self._delve(position.side).memory.begun, position.turn, w.stays)
        key = _fresh(position.advisor, position.state), position.decision.by
        try:
            known = self._past.get(key)
        except TypeError:  # a ruleset whose states can't be keys: asked later, it answers by what it knows then
            if takes_in:
                hunt.remember(position)
            return hunt.goals(position, takes_in=takes_in)
        if known is None and not takes_in:
            return hunt.goals(position, takes_in=False)
        if known is None:
            hunt.remember(position)
            known = self._past[key] = hunt.goals(position)
        return known

    def _glimpse(self, ruleset: System, state: State, decision: Decision) -> None:
        """Take in what is seen in the middle of a chance where nothing is planned: whoever recalls it later does so
        too."""
        position = self._position(ruleset, state, decision)
        if position.me is not None:
            self._goals(position)

    def _walked(self, ruleset: System, state: State, decision: Decision, action: Action) -> None:
        """Note where somebody stood, and whether it went on from there or did something."""
        if decision.kind != CHANCE or not self.weights(ruleset).judge.returning:
            return
        advisor, by = advisor_of(ruleset), decision.by
        cell = advisor.place(state, by)
        if cell < 0:
            return
        walking, acted, sought = advisor.begun(state, by) != (), action.target is not None, NOWHERE
        if action.do == SEARCH:
            sought = next(piece.cell for piece in advisor.pieces(state) if piece.id == by)
        stand = Stand(state, _fresh(advisor, state), advisor.turn(state), cell, walking, acted, sought)
        trails = self._trails.get(decision.side)
        if trails is None:
            trails = self._trails[decision.side] = Trails()
        trails.note(by, stand, ruleset.terrain(state).field)

    def _scouting(self, ruleset: System, state: State, decision: Decision) -> list[Option]:
        """What could be done in an exploration, best first."""
        if delves(state):
            return self._delving(ruleset, state, decision)
        position = self._position(ruleset, state, decision)
        if position.me is None:
            return []
        outlook = advisor_of(ruleset).outlook(state, decision.by)
        return weighed(position, outlook, self._goals(position))

    def _delving(self, ruleset: System, state: State, decision: Decision) -> list[Option]:
        """What could be done on an expedition; what is asked of the past is answered as it was then."""
        try:
            known = self._delved.get((state, decision.by))
        except TypeError:
            return self._delve(decision.side).decide(ruleset, state, decision)
        if known is None:
            known = self._delved[state, decision.by] = self._delve(decision.side).decide(ruleset, state, decision)
        return known

    def _delve(self, side: str) -> Delve:
        return self._delves.setdefault(side, Delve((self._weights or load_weights()).delving))

    def _delver(self, state: State, side: str) -> Delve | None:
        """Whoever remembers the place while a side fights on its expedition."""
        return self._delve(side) if side == PARTY and delves(state) else None

    def homeward(self, side: str) -> str:
        """Why a side's party is on its way home, in words; empty where it isn't."""
        return self._delve(side).memory.homeward

    def _wanted(self, ruleset: System, state: State, decision: Decision) -> str:
        if self.temperament is not None:
            return self.temperament
        if decision.kind != CHANCE and all(p.id != decision.by for p in advisor_of(ruleset).pieces(state)):
            return ""
        return advisor_of(ruleset).temperament(state, decision.by)

    def _position(self, ruleset: System, state: State, decision: Decision) -> Position:
        weights = self.weights(ruleset)
        position = Position(ruleset, state, decision, self._temper(ruleset, state, decision), weights)
        w = weights.level[self.level]
        if w.nearest:
            position.quarry = position.nearest
        return position

    def _temper(self, ruleset: System, state: State, decision: Decision) -> Temper:
        weights = self.weights(ruleset)
        temper, w = weights.temper(self._wanted(ruleset, state, decision)), weights.level[self.level]
        if w.discipline:
            temper = disciplined(temper, weights.temper(weights.default_temperament), w.discipline)
        as_it_is = w.heed == w.together == 1.0
        return temper if as_it_is else heeding(temper, w.heed, w.together)


def _as_far(action: Action, legal: LegalActions) -> Action | None:
    """An action, if it is legal; of a way as much as is: a door may have fallen shut where nobody saw it."""
    if action in legal:
        return action
    ways = (msgspec.structs.replace(action, path=action.path[:steps]) for steps in range(len(action.path) - 1, 0, -1))
    return next((way for way in ways if way in legal), None)


def _fresh(advisor: Advisor, state: State) -> State:
    """The position before anybody planned, under rules that have whole sides plan; else as it is."""
    return state if advisor.sealing is None else advisor.sealing.fresh(state)


def _spent(outlook: Outlook) -> bool:
    """Whether a chance has no room for movement or blows any more."""
    return not outlook.ways and not (outlook.acts and outlook.points > 0)


def _idle(ruleset: System, state: State, decision: Decision, *, weighed: bool = False) -> bool:
    """Whether there is nothing to do in a chance beside moving and striking; `weighed`: nothing but what has been
    weighed before it came here, as it could be done from afar."""
    measures = advisor_of(ruleset).measures(state, decision)
    return not any(not weighed or not (measure.anywhere or measure.cells) for measure in measures)


def _kept(planner: Planner | None, rest: tuple[Action, ...]) -> Option:
    """What is left of a plan, which counts no less than what would be planned now."""
    plans = planner.plans(every=True) if planner is not None else []
    most = max((plan.score for plan in plans), default=0.0)
    found = next((plan for plan in plans if planner is not None and planner.actions(plan) == rest), None)
    if planner is None or found is None:
        return Option(rest[0], most, ((KEPT, most),), rest, label=rest[-1].do.replace("_", " "))
    option = option_of(planner, found)
    more = ((KEPT, most - option.score),) if most > option.score else ()
    return option._replace(score=max(most, option.score), reasons=(*option.reasons, *more))


def _rest(planner: Planner, plan: Plan, legal: LegalActions, done: tuple[Action, ...]) -> tuple[Action, ...]:
    """What is left to do of a plan that goes on from what is done of it already; empty where it can't be done."""
    actions, many = planner.actions(plan), len(done)
    if len(actions) <= many or actions[:many] != done or actions[many] not in legal:
        return ()
    return actions[many:]


def _legal_option(planner: Planner | None, plan: Plan, legal: LegalActions, done: tuple[Action, ...]) -> Option | None:
    """A plan that goes on from what is done of it already."""
    if planner is None:
        return None
    actions = _rest(planner, plan, legal, done)
    return option_of(planner, plan)._replace(action=actions[0], plan=actions) if actions else None


def _kind(actions: tuple[Action, ...]) -> tuple[str, str | None, str | None]:
    """What tells one kind of plan from another: what comes last of it, and to whom."""
    last = actions[-1]
    return last.do, last.target, last.option


def _plans(planner: Planner | None, legal: LegalActions, done: tuple[Action, ...]) -> list[Plan]:
    """The plans that are shown: those that were weighed, all spaces' where the best of them can't be carried out."""
    if planner is None:
        return []
    actions, many = planner.actions(planner.best()), len(done)
    return planner.plans(every=not (actions[:many] == done and len(actions) > many and actions[many] in legal))


def _any_of(legal: LegalActions) -> Action:
    """The last legal action: rulesets list ending the chance last. Where that is refused, one goes rather than turn
    to and fro for ever."""
    actions = list(legal)
    if not actions:
        raise BattlematError("decision: there is no legal action to choose from")
    if actions[-1].do == "end":
        return actions[-1]
    return next((action for action in reversed(actions) if action.path), actions[-1])

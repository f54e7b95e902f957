"""The computer as a player: plans the rest of a chance at every decision, and can say why."""

from __future__ import annotations

from game.controllers.ai import telling
from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.advisors.planning import Outlook
from game.controllers.ai.answers import answer
from game.controllers.ai.hunt import Hunt
from game.controllers.ai.planner import Plan, Planner
from game.controllers.ai.position import Position
from game.controllers.ai.scouting import weighed
from game.controllers.ai.thinking import Option, Thinking
from game.controllers.ai.weights import Temper, Weights, load_weights
from rules.board.grid import place_words
from rules.contract.actions import Action, Decision
from rules.contract.display import System
from rules.contract.errors import BattlematError
from rules.contract.ruleset import LegalActions, State
from rules.contract.text import Text, titled
from rules.core.dice import signed

SCOUTING = "explore"
"""The kind of decisions before anybody has noticed anybody."""
SHOWN = 3
TRIED = 60
"""So many plans are tried for their legality before the chance is simply ended."""


class AiController:
    """Plays any side of any ruleset through the contract alone.

    `temperament` names a table of assets/ai/weights.toml; left out, each creature plays as its stat block says. With
    `weights` it goes by other numbers than those that come with Battlemat.
    The same position gives the same choice: there is no chance and no clock in it, and nothing is kept from one
    decision to the next but where foes that are out of sight were seen last.
    """

    def __init__(self, temperament: str | None = None, weights: Weights | None = None) -> None:
        self.temperament = temperament
        self.weights = weights or load_weights()
        self._hunts: dict[str, Hunt] = {}
        self._past: dict[State, tuple[int, ...]] = {}
        """Positions in which foes out of sight were remembered: where to look for them."""

    def choose(self, ruleset: System, state: State, decision: Decision, legal: LegalActions) -> Action:
        """One action out of `legal`; `state` is what the decision's side knows (`ruleset.observe`)."""
        if decision.kind == SCOUTING:
            options = self._scouting(ruleset, state, decision)
            return next((o.action for o in options if o.action in legal), None) or _any_of(legal)
        if decision.kind != "chance":
            temper = self._temper(ruleset, state, decision)
            return answer(ruleset, state, decision, legal, temper, weights=self.weights.answers)[0].action
        outlook = advisor_of(ruleset).outlook(state, decision.by)
        if _spent(ruleset, state, decision, outlook) and outlook.end in legal:
            return outlook.end
        planner = self._planner(ruleset, state, decision, outlook)
        if planner is None:
            return _any_of(legal)
        actions = planner.actions(planner.best())
        if actions and actions[0] in legal:
            return actions[0]
        for plan in planner.plans(every=True)[:TRIED]:
            actions = planner.actions(plan)
            if actions and actions[0] in legal:
                return actions[0]
        return _any_of(legal)

    def recall(self, ruleset: System, state: State, decision: Decision) -> None:
        """Take in what a side saw at a decision of the past, as `choose` did there; nothing is planned."""
        if decision.kind == SCOUTING:
            self._scouting(ruleset, state, decision)
        if decision.kind != "chance":
            return
        outlook = advisor_of(ruleset).outlook(state, decision.by)
        if _spent(ruleset, state, decision, outlook):
            return
        position = Position(ruleset, state, decision, self._temper(ruleset, state, decision), self.weights)
        if position.me is not None:
            position.aged(outlook.turn)
            self._goals(position, outlook.turn)

    def explain(self, ruleset: System, state: State, decision: Decision, legal: LegalActions) -> Thinking:
        """The best options that differ in what they do, best first; the first is what `choose` does there."""
        name = self.weights.name(self._wanted(ruleset, state, decision))
        if decision.kind == SCOUTING:
            found = [o for o in self._scouting(ruleset, state, decision) if o.action in legal]
            return Thinking(tuple(found[:SHOWN]) or (Option(_any_of(legal), 0.0, ()),), name)
        if decision.kind != "chance":
            temper = self._temper(ruleset, state, decision)
            options = answer(ruleset, state, decision, legal, temper, weights=self.weights.answers)
            return Thinking(tuple(options[:SHOWN]), name)
        planner = self._planner(ruleset, state, decision, advisor_of(ruleset).outlook(state, decision.by))
        best: list[Option] = []
        shown: set[tuple[str, str | None, str | None]] = set()
        for plan in _plans(planner, legal):
            option = _legal_option(planner, plan, legal)
            if option is not None:
                last = option.plan[-1]
                key = (last.do, last.target, last.option)
                if key not in shown:
                    shown.add(key)
                    best.append(option)
            if len(best) == SHOWN:
                break
        return Thinking(tuple(best) or (Option(_any_of(legal), 0.0, ()),), name)

    def why_not(self, ruleset: System, state: State, decision: Decision, legal: LegalActions, cell: int) -> str:
        """Why the best plan doesn't end on a space, in one line."""
        where = titled(place_words(*ruleset.terrain(state).field.at(cell)))
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
            score=_signed(option.score),
            label2=best.label,
            score2=_signed(best.score),
            text=text,
            value=_signed(value),
        )

    # -------------------------------------------------------------------------------------------- inside

    def _option_at(
        self, ruleset: System, state: State, decision: Decision, legal: LegalActions, cell: int
    ) -> Option | None:
        """The best option that ends on a space, weighed as all were."""
        if decision.kind == SCOUTING:
            found = (o for o in self._scouting(ruleset, state, decision) if o.cell == cell)
            return next((option for option in found if option.action in legal), None)
        planner = self._planner(ruleset, state, decision, advisor_of(ruleset).outlook(state, decision.by))
        for plan in planner.plans(every=True) if planner else ():
            if plan.stop.spot.cell == cell:
                option = _legal_option(planner, plan, legal)
                if option is not None:
                    return option
        return None

    def _planner(self, ruleset: System, state: State, decision: Decision, outlook: Outlook) -> Planner | None:
        """Everything ready to plan a chance; None for who isn't on the board."""
        position = Position(ruleset, state, decision, self._temper(ruleset, state, decision), self.weights)
        if position.me is None:
            return None
        position.aged(outlook.turn)
        return Planner(position, outlook, self._goals(position, outlook.turn))

    def _goals(self, position: Position, turn: int) -> tuple[int, ...]:
        """Where to look for foes, if none is in sight; what is asked of the past is answered as it was then."""
        hunt = self._hunts.get(position.side)
        if hunt is None:
            hunt = self._hunts[position.side] = Hunt()
        if position.foes:
            hunt.remember(position, turn)
            return ()
        try:
            known = self._past.get(position.state)
        except TypeError:  # a ruleset whose states can't be keys: asked later, it answers by what it knows then
            hunt.remember(position, turn)
            return hunt.goals(position, turn)
        if known is None:
            hunt.remember(position, turn)
            known = self._past[position.state] = hunt.goals(position, turn)
        return known

    def _scouting(self, ruleset: System, state: State, decision: Decision) -> list[Option]:
        """What could be done in an exploration, best first."""
        position = Position(ruleset, state, decision, self._temper(ruleset, state, decision), self.weights)
        if position.me is None:
            return []
        outlook = advisor_of(ruleset).outlook(state, decision.by)
        return weighed(position, outlook, self._goals(position, outlook.turn))

    def _wanted(self, ruleset: System, state: State, decision: Decision) -> str:
        if self.temperament is not None:
            return self.temperament
        if decision.kind != "chance" and all(p.id != decision.by for p in advisor_of(ruleset).pieces(state)):
            return ""
        return advisor_of(ruleset).temperament(state, decision.by)

    def _temper(self, ruleset: System, state: State, decision: Decision) -> Temper:
        return self.weights.temper(self._wanted(ruleset, state, decision))


def _spent(ruleset: System, state: State, decision: Decision, outlook: Outlook) -> bool:
    """Whether nothing is left to do in a chance but to end it."""
    if outlook.ways or (outlook.acts and outlook.points > 0):
        return False
    return next(advisor_of(ruleset).measures(state, decision), None) is None


def _legal_option(planner: Planner | None, plan: Plan, legal: LegalActions) -> Option | None:
    if planner is None:
        return None
    actions = planner.actions(plan)
    return telling.option(planner, plan) if actions and actions[0] in legal else None


def _plans(planner: Planner | None, legal: LegalActions) -> list[Plan]:
    """The plans that are shown: those that were weighed, all spaces' where the best of them can't be carried out."""
    if planner is None:
        return []
    actions = planner.actions(planner.best())
    return planner.plans(every=not (actions and actions[0] in legal))


def _any_of(legal: LegalActions) -> Action:
    """The last legal action: rulesets list ending the chance last. Where that is refused, one goes rather than turn
    to and fro for ever."""
    actions = list(legal)
    if not actions:
        raise BattlematError("decision: there is no legal action to choose from")
    if actions[-1].do == "end":
        return actions[-1]
    return next((action for action in reversed(actions) if action.path), actions[-1])


def _signed(value: float) -> str:
    return signed(value, 2)

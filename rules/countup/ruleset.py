"""Count-Up as a ruleset: the contract of rules/contract/ruleset.py fulfilled."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from rules.board.left import Remains
from rules.contract.actions import CHANCE, CHOOSE, Action, Decision, Description
from rules.contract.errors import IllegalActionError
from rules.contract.events import Chosen
from rules.contract.hand import GAME_MASTER
from rules.contract.ruleset import PARTY, LegalActions, Odds, Rest, Scenario, Step, Traveller
from rules.contract.text import text
from rules.contract.units import EMPTY, Bitboard, CreatureIx, numbered
from rules.core import dice as rng
from rules.core import secrets
from rules.core import visibility as fog
from rules.core.action_kinds import Answers
from rules.core.base_ruleset import Numbered, check_ids, doors_at_first, options_of, step_of
from rules.core.hand.words import marked
from rules.core.secrets import none_found
from rules.core.tables import made_of
from rules.core.validate import creature
from rules.countup import display as boards
from rules.countup import text as story
from rules.countup import visibility as knowledge
from rules.countup.actions.answers import QUESTIONS, describe_answer, odds_of_answer
from rules.countup.actions.context import Context, OrderKind
from rules.countup.actions.table import ACTION_KINDS, Orders
from rules.countup.again import AGAIN
from rules.countup.clock import free_in, open_fight, run_on
from rules.countup.combat.reach import bearing
from rules.countup.explore import kinds as explore_table
from rules.countup.explore.kinds import HeroMinute
from rules.countup.explore.minutes import MINUTES
from rules.countup.gear import Armoury
from rules.countup.goals import KEEPER, ROUND
from rules.countup.hand import HAND
from rules.countup.joining import first_figure
from rules.countup.onward import ONWARD
from rules.countup.plunder import PLUNDER
from rules.countup.statblock import StatBlock, being
from rules.countup.state import OPTIONS, SWITCHES, CountState, Figure, Phase, Resolution, Setup, open_order  # fmt: skip
from rules.countup.text import TERMS
from rules.explore import dealings, goals
from rules.explore.waves import at_first

EVERYWHERE = -1
"""The bitboard of all spaces."""


class CountUp(Numbered[CountState]):
    """The ruleset `countup`."""

    id = "countup"
    title = "Count-Up"
    board, sheet, summary = staticmethod(boards.board), staticmethod(boards.sheet), staticmethod(boards.summary)
    lamps, sees = staticmethod(knowledge.lamps), staticmethod(knowledge.sees)
    tell = staticmethod(marked(story.tell, HAND.bodies))
    observe, sealed = staticmethod(knowledge.observe), staticmethod(knowledge.sealed)
    stat_block = StatBlock
    hand = HAND
    switches = SWITCHES
    rests: tuple[Rest, ...] = ONWARD.rests

    def start(self, scenario: Scenario) -> Step:
        """Place everybody, throw initiative, run up to the first order. Raises RecordError for what can't be placed."""
        options = options_of(self.id, OPTIONS, scenario.options)
        armoury = made_of(scenario.content, Armoury)
        blocks = [creature(StatBlock, raw, f"creatures[{i}]") for i, raw in enumerate(scenario.creatures)]
        check_ids(blocks)
        beings = tuple(being(b, armoury, f"creatures[{i}]") for i, b in enumerate(blocks))
        party = any(each.side == PARTY for each in beings)
        options["crawl"] = options["crawl"] and party
        options["explore"] = options["crawl"] or (options["explore"] and party)
        setup = Setup(scenario.field, beings, armoury, throws=scenario.throws, options=options)
        armoury.treasury.check(setup.field, (block.carries for block in blocks))
        doors, terrain = doors_at_first(setup.field)
        figures: list[Figure] = []
        for i, block in numbered(blocks):
            figures.append(first_figure(setup, terrain, figures, i, block))
        aims, standing = goals.placed(scenario.field, blocks, figures)
        placed = CountState(
            setup, standing, rng.seeded(scenario.seed), 0, doors, terrain,
            recall=fog.at_first(doors, beings, setup.field.left.doors) if setup.fog else None,
            found=none_found(doors, setup.sides), aims=aims, waves=at_first(setup.field, ROUND),
        )  # fmt: skip
        if setup.fixtures:
            stands, found = secrets.at_first(setup.field, setup.sides)
            placed = msgspec.structs.replace(placed, challenges=stands, found=found)
        state = _facing_foes(placed, blocks)
        resolution = Resolution(state)
        for who, block in numbered(blocks):
            PLUNDER.endow(resolution, who, block.carries)
        if setup.field.left.again:
            AGAIN.laid(resolution)
        if scenario.carried or scenario.absent:
            ONWARD.taken_up(resolution, scenario)
        if options["explore"]:
            hiding = [i for i, each in numbered(beings) if each.hidden or each.stealth == "hidden"]
            MINUTES.begin(resolution, hiding, crawl=options["crawl"], sleepers=options["sleepers"])
            return self._step(state, run_on(resolution))
        return self._step(state, open_fight(resolution))

    def decisions(self, state: CountState) -> tuple[Decision, ...]:
        """An order for everybody who is free this second; or an answer inside a blow."""
        beings = state.setup.beings
        if state.choices:
            choice = state.choices[0]
            who = beings[choice.by]
            asked = QUESTIONS[choice.kind].put(knowledge.named_to(state, who.side, choice.other))
            prompt = text("{name}: {asked}", state.named(choice.by), asked)
            return (Decision(who.id, who.side, CHOOSE, prompt),)
        if state.phase is Phase.EXPLORE:
            return explore_table.decisions(state)
        if state.phase is not Phase.DECLARE:
            return ()
        known, free = state.setup.asked
        if known is not state.figures:
            free = free_in(Resolution(state))
        return tuple([_order_of(state, i) for i in free])

    def legal(self, state: CountState, decision: Decision) -> LegalActions:
        if state.choices:
            return Answers(decision, state.choices[0].options, describe_answer)
        exploring = state.phase is Phase.EXPLORE
        who = state.setup.index[decision.by]
        found: LegalActions = HeroMinute(state, decision) if exploring else Orders(Context(state, who))
        if state.setup.crawl and not exploring:
            found = dealings.Dealings(found, state, decision.by, MINUTES, KEEPER)
        return found if state.aims is None else goals.Deeds(found, state, decision.by, KEEPER, leaving=not exploring)

    def apply(self, state: CountState, decision: Decision, action: Action) -> Step:
        """Take an order, or an answer; time runs on when all are in. Raises IllegalActionError with the reason."""
        if action.by == GAME_MASTER:
            return HAND.apply(state, action)
        legal = self.legal(state, decision)
        reason = legal.refusal(action)
        if reason is not None:
            raise IllegalActionError(reason)
        resolution = Resolution(state)
        if action.do == CHOOSE:
            choice, resolution.choices = resolution.choices[0], resolution.choices[1:]
            name, option = resolution.being(choice.by).id, action.option or ""
            resolution.events.append(Chosen(by=name, kind=choice.kind, option=option))
            QUESTIONS[choice.kind].resolve(resolution, choice, option)
        elif state.setup.crawl and not MINUTES.exploring_now(state) and dealings.meant(action):
            dealings.carry_out(resolution, MINUTES, KEEPER, action)
        elif goals.meant(legal, action):
            goals.carry_out(resolution, KEEPER, action)
        elif state.phase is Phase.EXPLORE:
            HeroMinute(state, decision).carry_out(resolution, action)
        else:
            who = resolution.setup.index[action.by]
            ACTION_KINDS[action.do].ordered(resolution, who, open_order(resolution.figures[who]), action)
        run_on(resolution)
        if resolution.setup.crawl and resolution.phase is Phase.DECLARE:
            MINUTES.come_in(resolution)
        return self._step(state, resolution)

    def _step(self, state: CountState, resolution: Resolution) -> Step:
        if resolution.aims is not None:
            goals.follow(resolution, KEEPER)
        step = step_of(state, resolution, resolution.setup.beings, knowledge.glance)
        if resolution.asked is not None and not resolution.setup.crawl and resolution.aims is None:
            resolution.setup.asked = step.state.figures, resolution.asked
        return step

    def onward(
        self, state: CountState, begun: CountState, names: Sequence[str], rest: str, seed: int
    ) -> tuple[Traveller, ...]:
        return ONWARD.carried(state, begun, names, rest, seed)

    def leave(self, state: CountState, minutes: int) -> Remains:
        return AGAIN.leave(state, minutes)

    def odds(self, state: CountState, action: Action) -> Odds | None:
        """Exact odds of an attack, a shot or a task as things stand; None for anything else."""
        if state.setup.crawl and action.do == dealings.DEMAND:
            return dealings.odds(MINUTES, state, action)
        if action.do == CHOOSE:
            return odds_of_answer(state, action) if action.by in state.setup.index else None
        if state.phase is Phase.EXPLORE:
            return explore_table.odds_of(state, action)
        found = self._kind(state, action)
        return None if found is None else found[0].odds(found[1], action)

    def area(self, state: CountState, action: Action) -> Bitboard:
        found = self._kind(state, action)
        return EMPTY if found is None else found[0].area(found[1], action)

    def describe(self, state: CountState, action: Action) -> Description:
        if action.by == GAME_MASTER:
            return Description(HAND.describe(action), "Answer", "")
        if action.do == CHOOSE:
            return describe_answer(action.option or "?")
        if goals.deed(state.aims, action, exploring=state.phase is Phase.EXPLORE):
            return goals.describe(action.do, KEEPER.price(state, action.do))
        if state.setup.crawl and not MINUTES.exploring_now(state) and dealings.meant(action):
            return dealings.describe(action.do)
        if state.phase is Phase.EXPLORE and action.do in explore_table.exploring(state.setup):
            return explore_table.describe(state, action)
        found = self._kind(state, action)
        if found is not None:
            return found[0].describe(found[1], action)
        kind = ACTION_KINDS.get(action.do)
        return Description(kind.face.label if kind is not None and kind.of_orders else action.do, "End", "")

    def _kind(self, state: CountState, action: Action) -> tuple[OrderKind, Context] | None:
        """The kind of an order, and the situation of who gives it; None where either is unknown."""
        kind, who = ACTION_KINDS.get(action.do), state.setup.index.get(action.by)
        return None if kind is None or who is None else (kind, Context(state, who))

    def spent(self, turns: int) -> str:
        return MINUTES.label_of(turns)

    def term(self, word: str) -> tuple[str, str] | None:
        return TERMS.get(word.lower())


def _order_of(state: CountState, who: CreatureIx) -> Decision:
    being = state.setup.beings[who]
    return Decision(being.id, being.side, CHANCE, story.prompt(state, who), sealed=True)


def _facing_foes(state: CountState, blocks: list[StatBlock]) -> CountState:
    """Who has no facing of its own looks towards the nearest foe; in fog towards the nearest that its side sees."""
    setup = state.setup
    seen = {side: knowledge.sees(state, side) if setup.fog else EVERYWHERE for side in setup.sides}
    figures = list(state.figures)
    for i, figure in numbered(state.figures):
        foes = [foe for foe in state.foes(i) if state.footprint(foe) & seen[setup.beings[i].side]]
        if blocks[i].facing is None and foes:
            near = min(foes, key=lambda foe: (state.distance(i, foe), state.figures[foe].cell, foe))
            figures[i] = msgspec.structs.replace(figure, facing=bearing(state, i, near))
    return msgspec.structs.replace(state, figures=tuple(figures))

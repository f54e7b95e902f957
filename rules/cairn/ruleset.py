"""Cairn as a ruleset: the contract of rules/contract/ruleset.py fulfilled."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from rules.board.left import Remains
from rules.cairn import display as boards
from rules.cairn import text as story
from rules.cairn import visibility as knowledge
from rules.cairn.actions.context import Context, Phase
from rules.cairn.actions.legal import ACTION_KINDS, RESOLVE, Plans, SideResolves, describe_answer, intent
from rules.cairn.again import AGAIN
from rules.cairn.combat.injury import sunder
from rules.cairn.creation import tools as making
from rules.cairn.explore import kinds as exploring
from rules.cairn.explore.kinds import DungeonTurn
from rules.cairn.explore.turns import TURNS
from rules.cairn.gear import Armoury
from rules.cairn.goals import KEEPER
from rules.cairn.hand import HAND
from rules.cairn.joining import first_figure
from rules.cairn.onward import ONWARD
from rules.cairn.plunder import PLUNDER
from rules.cairn.statblock import StatBlock, being
from rules.cairn.state import EXPLORE_PHASE, CairnState, Figure, Resolution, Setup, planning
from rules.cairn.turns import next_half, open_fight, resolve_half, run_on
from rules.cairn.upkeep import initial
from rules.contract.actions import CHANCE, CHOOSE, Action, Decision, Description
from rules.contract.errors import IllegalActionError
from rules.contract.events import Chosen
from rules.contract.hand import GAME_MASTER
from rules.contract.ruleset import PARTY, LegalActions, Odds, Rest, Scenario, Step, Switch, Traveller
from rules.contract.text import text
from rules.contract.units import EMPTY, Bitboard, CreatureIx, numbered
from rules.core import dice as rng
from rules.core import secrets
from rules.core import visibility as fog
from rules.core.action_kinds import Answers
from rules.core.base_ruleset import (
    FIXTURES,
    HURDLES,
    HURDLES_TOLD,
    SLEEPERS,
    SLEEPERS_TOLD,
    Numbered,
    check_ids,
    doors_at_first,
    options_of,
    step_of,
    told_apart,
)
from rules.core.fixtures import obstacles
from rules.core.hand.words import marked
from rules.core.tables import made_of
from rules.core.validate import creature
from rules.explore import dealings, goals
from rules.explore.waves import at_first

OPTIONS = {
    "strict_throws": True, "gm": False, "mercy": False, "cast_saves": True, "darkness": False, "fog": False,
    "panic": False, "explore": False, "crawl": False, "fixtures": False, "hurdles": False,
    "outside": False, "sleepers": False,
}  # fmt: skip
"""Switches of a record and their defaults."""


class Cairn(Numbered[CairnState]):
    """The ruleset `cairn`."""

    id = "cairn"
    title = "Cairn"
    fight_turn = "round"
    turn_minutes = 10
    board, sheet, summary = staticmethod(boards.board), staticmethod(boards.sheet), staticmethod(boards.summary)
    doors, lamps = staticmethod(boards.doors), staticmethod(knowledge.lamps)
    tell = staticmethod(marked(story.tell, HAND.bodies))
    sees, observe = staticmethod(knowledge.sees), staticmethod(knowledge.observe)
    stat_block = StatBlock
    hand = HAND
    switches = (
        Switch("cast_saves", "Casting in danger", "Every spell from a book in a fight takes a WIL save.", True),
        Switch("mercy", "Mercy", "Foes with critical damage lie down instead of dying."),
        Switch("gm", "Game master", "A person decides what the rules leave to the game master."),
        Switch("darkness", "Darkness", "On a dark map who stands in no light is hard to strike and to see."),
        Switch("panic", "Panic in the dark", "Player's characters without any light save WIL or panic."),
        Switch(
            "fixtures",
            FIXTURES,
            "Keys, tools and saves open and cross what is on the map; treasure is carried.",
            fresh=True,
        ),
        Switch("hurdles", HURDLES, HURDLES_TOLD, fresh=True),
        Switch(
            "outside",
            "Outside of fights",
            "Harm there asks for no save, the aided get up again, and who sneaks on has not stayed in one place.",
            fresh=True,
        ),
        Switch("sleepers", SLEEPERS, SLEEPERS_TOLD, fresh=True),
        Switch("fog", "Fog of war", "Each side sees only what its own creatures see."),
        Switch("explore", "Begin with exploration", "The party comes by dungeon turns, until somebody notices it."),
        Switch("crawl", "Expedition", "Exploration goes on after each fight, until the heroes leave or fall."),
    )
    rests: tuple[Rest, ...] = ONWARD.rests
    tools, use_tool, term = making.TOOLS, staticmethod(making.use), staticmethod(story.term)

    def start(self, scenario: Scenario) -> Step:
        """Place everybody and run up to the first decision. Raises RecordError for what cannot be placed."""
        options = options_of(self.id, OPTIONS, scenario.options)
        armoury = made_of(scenario.content, Armoury)
        blocks = [creature(StatBlock, raw, f"creatures[{i}]") for i, raw in enumerate(scenario.creatures)]
        check_ids(blocks, {block.side for block in blocks})
        found = [being(block, armoury, f"creatures[{i}]") for i, block in enumerate(blocks)]
        names = told_apart([each.name for each in found])  # by which the story tells them apart
        beings = tuple(msgspec.structs.replace(each, name=name) for each, name in zip(found, names, strict=True))
        options["crawl"] = options["crawl"] and any(each.side == PARTY for each in beings)
        options["explore"] = options["crawl"] or (options["explore"] and any(each.side == PARTY for each in beings))
        options["fixtures"] = options["fixtures"] or options["crawl"]
        options["hurdles"] = options["hurdles"] and options["fixtures"]
        field = obstacles.rough(scenario.field)
        if options["fixtures"]:
            field = obstacles.fenced(scenario.field, hurdles=options["hurdles"])
        setup = Setup(field, beings, armoury, scenario.throws, **options)
        armoury.treasury.check(field, (block.carries for block in blocks))
        doors, terrain = doors_at_first(field)
        figures: list[Figure] = []
        for i, block in numbered(blocks):
            figures.append(first_figure(setup, terrain, figures, i, block))
        aims, placed = goals.placed(field, blocks, figures)
        challenges, secret = secrets.at_first(field, setup.sides)
        state = CairnState(
            setup, placed, rng.seeded(scenario.seed), 0, doors, terrain, (None,) * len(figures), aims=aims,
            recall=fog.at_first(doors, beings, field.left.doors) if setup.fog else None, challenges=challenges,
            found=secret, waves=at_first(field),
        )  # fmt: skip
        resolution = Resolution(state)
        resolution.morale = initial(state)
        for who, block in numbered(blocks):
            PLUNDER.endow(resolution, who, block.carries)
        if field.left.again:
            AGAIN.laid(resolution)
            resolution.morale = initial(resolution.done())
        if scenario.carried or scenario.absent:
            ONWARD.taken_up(resolution, scenario)
            resolution.morale = initial(resolution.done())
        if setup.explore:
            hiding = [i for i, each in numbered(beings) if each.hidden]
            TURNS.begin(resolution, hiding, crawl=setup.crawl, sleepers=setup.sleepers)
            run_on(resolution)
        else:
            open_fight(resolution)
        if resolution.aims is not None:
            goals.follow(resolution, KEEPER)
        return step_of(state, resolution, resolution.setup.beings, knowledge.glance)

    def decisions(self, state: CairnState) -> tuple[Decision, ...]:
        """A plan for everybody able of the side, in any order; and the side's `resolve`, last."""
        if state.choices:
            choice = state.choices[0]
            loser = state.setup.beings[choice.who]
            return (Decision(choice.by, loser.side, CHOOSE, text("{name}: which limb is lost?", loser.creature)),)
        if state.phase != "plan":
            return exploring.decisions(state) if state.phase == EXPLORE_PHASE else ()
        side, out = state.setup.sides[state.half], []
        for who in planning(state):
            plan, asked = state.plans[who], state.setup.memo
            done = plan is not None and plan.done
            decision: Decision | None = asked.get(("asked", who, side, done))
            if decision is None:
                planner = state.setup.beings[who]
                said = text("{name}'s plan", planner.creature)
                decision = Decision(planner.id, side, CHANCE, said, sealed=True, answered=done)
                asked["asked", who, side, done] = decision
            out.append(decision)
        return (*out, Decision(side, side, "resolve", text("{side} act", side.capitalize()), sealed=True))

    def legal(self, state: CairnState, decision: Decision) -> LegalActions:
        if state.choices:
            return Answers(decision, state.choices[0].options, describe_answer)
        if decision.kind == "resolve":
            return SideResolves(state, decision)
        exploring_now = state.phase == EXPLORE_PHASE
        found: LegalActions = DungeonTurn(state, decision) if exploring_now else Plans(state, decision)
        if state.setup.crawl and not exploring_now:
            found = dealings.Dealings(found, state, decision.by, TURNS, KEEPER)
        if state.aims is None:
            return found
        return goals.Deeds(found, state, decision.by, KEEPER, leaving=not exploring_now)

    def apply(self, state: CairnState, decision: Decision, action: Action) -> Step:
        """Store a plan, or resolve the side's. Raises IllegalActionError with the reason."""
        if action.by == GAME_MASTER:
            return HAND.apply(state, action)
        legal = self.legal(state, decision)
        reason = legal.refusal(action)
        if reason is not None:
            raise IllegalActionError(reason)
        resolution = Resolution(state)
        if state.choices:
            _answer(resolution, action)
        elif state.setup.crawl and not TURNS.exploring_now(state) and dealings.meant(action):
            dealings.carry_out(resolution, TURNS, KEEPER, action)
            run_on(resolution)
        elif goals.meant(legal, action):
            goals.carry_out(resolution, KEEPER, action)
            run_on(resolution)
        elif state.phase == EXPLORE_PHASE:
            DungeonTurn(state, decision).carry_out(resolution, action)
            run_on(resolution)
        elif ACTION_KINDS[action.do] is RESOLVE:
            resolve_half(resolution)
        else:
            _plan(resolution, state.setup.index[action.by], action)
        if resolution.setup.crawl and resolution.phase == "plan":
            TURNS.come_in(resolution)
        if resolution.aims is not None:
            goals.follow(resolution, KEEPER)
        return step_of(state, resolution, resolution.setup.beings, knowledge.glance)

    def onward(
        self, state: CairnState, begun: CairnState, names: Sequence[str], rest: str, seed: int
    ) -> tuple[Traveller, ...]:
        return ONWARD.carried(state, begun, names, rest, seed)

    def leave(self, state: CairnState, minutes: int) -> Remains:
        return AGAIN.leave(state, minutes)

    def odds(self, state: CairnState, action: Action) -> Odds | None:
        """Exact odds of an attack with what allies have planned, of a power, or of what a save decides; else None."""
        if state.setup.crawl and action.do == dealings.DEMAND:
            return dealings.odds(TURNS, state, action)
        if state.phase == EXPLORE_PHASE:
            return exploring.odds_of(state, action)
        who, kind = state.setup.index.get(action.by), ACTION_KINDS.get(action.do)
        if who is None or kind is None or _away(state, action.by) or _away(state, action.target):
            return None
        return kind.odds(Context(state, who), action)

    def area(self, state: CairnState, action: Action) -> Bitboard:
        who, kind = state.setup.index.get(action.by), ACTION_KINDS.get(action.do)
        if who is None or kind is None or _away(state, action.by) or _away(state, action.target):
            return EMPTY
        return kind.area(Context(state, who), action)

    def spent(self, turns: int) -> str:
        return TURNS.label_of(turns)

    def describe(self, state: CairnState, action: Action) -> Description:
        if action.by == GAME_MASTER:
            return Description(HAND.describe(action), "Answer", "")
        if action.do == CHOOSE:
            return describe_answer(action.option or "?")
        if goals.deed(state.aims, action, exploring=state.phase == EXPLORE_PHASE):
            return goals.describe(action.do, KEEPER.price(state, action.do))
        if state.setup.crawl and not TURNS.exploring_now(state) and dealings.meant(action):
            return dealings.describe(action.do)
        if state.phase == EXPLORE_PHASE and action.do in exploring.EXPLORING:
            return exploring.describe(state, action)
        who, kind = state.setup.index.get(action.by), ACTION_KINDS.get(action.do)
        if kind is None or (who is None and kind.phase is not Phase.PLANNING):
            return Description(action.do, "End", "")
        return kind.describe(Context(state, CreatureIx(0) if who is None else who), action)


def _away(state: CairnState, name: str | None) -> bool:
    """Whether somebody is not on the board, as far as a state knows."""
    who = state.setup.index.get(name or "")
    return who is not None and state.figures[who].cell < 0


def _plan(resolution: Resolution, who: CreatureIx, action: Action) -> None:
    """Store a sealed intention, in the order in which people first declared."""
    plan = intent(resolution.state, who, action)
    if plan is None:
        resolution.declared = [i for i in resolution.declared if i != who]
    elif who not in resolution.declared:
        resolution.declared.append(who)
    resolution.plans[who] = plan


def _answer(resolution: Resolution, action: Action) -> None:
    """Carry out the answer to the question that stands open, then go on where it was put."""
    choice, resolution.choices = resolution.choices[0], resolution.choices[1:]
    resolution.events.append(Chosen(by=action.by, kind=choice.kind, option=action.option or ""))
    sunder(resolution, choice.who, action.option or "arm")
    if not resolution.choices and resolution.phase == EXPLORE_PHASE:
        run_on(resolution)
    elif not resolution.choices and not resolution.declared:
        next_half(resolution)
        run_on(resolution)

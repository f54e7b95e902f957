"""Dungeons of Olde as a ruleset: the contract of rules/contract/ruleset.py fulfilled."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec

from rules.board.left import Remains
from rules.contract.actions import CHOOSE, Action, Decision, Description
from rules.contract.errors import IllegalActionError
from rules.contract.events import Began
from rules.contract.hand import GAME_MASTER
from rules.contract.ruleset import PARTY, LegalActions, Odds, Rest, Scenario, Step, Switch, Traveller
from rules.contract.text import text
from rules.contract.units import EMPTY, Bitboard, numbered
from rules.core import dice as rng
from rules.core import secrets
from rules.core import visibility as fog
from rules.core.base_ruleset import (
    FIXTURES,
    SLEEPERS,
    SLEEPERS_TOLD,
    Numbered,
    check_ids,
    doors_at_first,
    options_of,
    step_of,
)
from rules.core.fixtures.obstacles import laid, obstacles_of
from rules.core.hand.words import marked
from rules.core.tables import made_of
from rules.core.validate import creature, on_map
from rules.explore import dealings, goals
from rules.explore.waves import at_first
from rules.olde import display as boards
from rules.olde import text as story
from rules.olde import visibility as knowledge
from rules.olde.actions import calls as gm_calls
from rules.olde.actions.kind import Context, End
from rules.olde.actions.table import ALL_KINDS, ANSWERS, ChanceActions, Choices, option_of, prompt
from rules.olde.again import AGAIN
from rules.olde.challenges import state as challenge_state
from rules.olde.combat import reactions
from rules.olde.explore import kinds as explore_table
from rules.olde.explore.kinds import ExploreActions
from rules.olde.explore.minutes import MINUTES
from rules.olde.gear import Armoury
from rules.olde.goals import KEEPER
from rules.olde.hand import HAND
from rules.olde.magic.models import grimoire_with_gear
from rules.olde.magic.spells import UnreadGrimoire
from rules.olde.onward import ONWARD
from rules.olde.plunder import PLUNDER
from rules.olde.statblock import StatBlock, fighter, figure_of
from rules.olde.state import Figure, Memory, OldeState, Phase, Resolution, Setup
from rules.olde.text import TERMS, sentence_of
from rules.olde.turns import run_on

_TOLD = (
    ("advanced", "Advanced moves and actions", "Run, rushed and all-out attacks, and aimed shots."),
    ("gm", "Ask about critical misses", "The game master chooses between two outcomes; else a d2 decides."),
    ("exploding_damage", "Damage dice explode", "A damage die at its maximum is thrown again and added."),
    ("darkness", "Darkness", "Who stands in the dark is seen only from close by; the map's lights count."),
    ("reflexes", "Reflexes and responses", "All four: out of turn, for AP, whoever is attacked may answer."),
    *(
        (r.option, text("{label}, out of turn", r.label), text("{ap} AP; needs {needs}.", r.ap, r.needs))
        for r in reactions.REACTIONS.values()
    ),
    ("criticals", "Critical outcomes of checks", "Checks outside of blows may go very well or very badly."),
    ("advantage", "Advantage and disadvantage",
     "Higher ground, a foe caught unaware, a friend's help: two sets of dice, the better kept."),
    ("fog", "Fog of war", "Each side knows only what its own creatures see."),
    ("explore", "Begin with exploration",
     "The heroes come minute by minute, unnoticed if they can, until it comes to blows."),
    ("fixtures", FIXTURES, "Chests hold things, hoards are drawn, and everything may be taken along."),
    ("crawl", "Expedition", "Exploration goes on after each fight, until the heroes leave or fall."),
    ("sleepers", SLEEPERS, SLEEPERS_TOLD),
)  # fmt: skip
_NAMES = ("advanced", "gm", "exploding_damage", "strict_throws", "darkness", "fog", "explore", "fixtures", "crawl",
          "sleepers", "reflexes", "criticals", "advantage", *reactions.OPTIONS)  # fmt: skip
OPTIONS = dict.fromkeys(_NAMES, False) | {"advanced": True, "strict_throws": True}
"""Switches of a record and their defaults."""
SWITCHES = tuple(Switch(name, label, told, OPTIONS[name]) for name, label, told in _TOLD)
"""Those of them that a table decides upon."""


class Olde(Numbered[OldeState]):
    """The ruleset `olde`."""

    id = "olde"
    title = "Dungeons of Olde"
    board, sheet, summary = staticmethod(boards.board), staticmethod(boards.sheet), staticmethod(boards.summary)
    doors, lamps = staticmethod(boards.doors), staticmethod(knowledge.lamps)
    tell = staticmethod(marked(story.tell, HAND.bodies))
    sees, observe = staticmethod(knowledge.sees), staticmethod(knowledge.observe)
    stat_block = StatBlock
    hand = HAND
    switches = SWITCHES
    calls = tuple(gm_calls.CALLS.values())
    ratings = gm_calls.NAMED_RATINGS
    rests: tuple[Rest, ...] = ONWARD.rests

    def __init__(self) -> None:
        self.memory = Memory()
        """What serves all its fights."""

    def start(self, scenario: Scenario) -> Step:
        """Place everybody and run up to the first decision. Raises RecordError for what cannot be placed."""
        options = options_of(self.id, OPTIONS, scenario.options)
        armoury = made_of(scenario.content, Armoury.from_tables)
        grimoire = UnreadGrimoire(partial(made_of, scenario.content, grimoire_with_gear))
        blocks = [creature(StatBlock, raw, text("creatures[{i}]", i)) for i, raw in numbered(scenario.creatures)]
        check_ids(blocks)
        for i, block in numbered(blocks):
            for number, point in enumerate(block.patrol):
                on_map(scenario.field, point, text("creatures[{i}] ({id}): patrol[{number}]", i, block.id, number))
        field = laid(scenario.field)
        fighters = tuple(fighter(b, armoury, text("creatures[{i}]", i), grimoire) for i, b in numbered(blocks))
        options["crawl"] = options["crawl"] and any(each.side == PARTY for each in fighters)
        options["fixtures"] = options["fixtures"] or options["crawl"]
        switches = (
            "advanced",
            "gm",
            "exploding_damage",
            "darkness",
            "fog",
            "criticals",
            "advantage",
            "fixtures",
            "crawl",
        )
        setup = Setup(
            field, fighters, armoury, throws=scenario.throws, strict_throws=options["strict_throws"], grimoire=grimoire,
            reflexes=reactions.allowed(options), obstacles=obstacles_of(field), memory=self.memory,
            **{name: options[name] for name in switches},
        )  # fmt: skip
        doors, terrain = doors_at_first(field)
        figures: list[Figure] = []
        for i, block in numbered(blocks):
            figures.append(figure_of(setup, terrain, figures, i, block))
        aims, placed = goals.placed(field, blocks, figures)
        challenge_state.check(field)
        challenges, found = secrets.at_first(field, tuple(f.side for f in setup.fighters))
        state = OldeState(
            setup, placed, rng.seeded(scenario.seed), 0, doors, terrain, challenges=challenges, found=found, aims=aims,
            recall=fog.at_first(doors, setup.fighters, field.left.doors) if setup.fog else None,
            cleared=field.left.cleared, waves=at_first(field),
        )  # fmt: skip
        armoury.treasury.check(field, (block.carries for block in blocks))
        resolution = Resolution(state)
        for who, block in numbered(blocks):
            PLUNDER.endow(resolution, who, block.carries)
        if field.left.again:
            AGAIN.laid(resolution)
        if scenario.carried or scenario.absent:
            ONWARD.taken_up(resolution, scenario)
        if (options["explore"] or options["crawl"]) and any(each.side == PARTY for each in fighters):
            hiding = [i for i, each in numbered(fighters) if each.hidden]
            MINUTES.begin(resolution, hiding, crawl=options["crawl"], sleepers=options["sleepers"])
        else:
            resolution.events.append(Began(what="fight"))
        run_on(resolution)
        if resolution.aims is not None:
            goals.follow(resolution, KEEPER)
        return step_of(state, resolution, resolution.setup.fighters, knowledge.glance)

    def decisions(self, state: OldeState) -> tuple[Decision, ...]:
        """One at a time: an answer inside an action, else the chance of whoever is acting."""
        fighters = state.setup.fighters
        if state.question is not None:
            q = state.question
            return (Decision(q.by, fighters[q.who].side, CHOOSE, prompt(state, q)),)
        if state.chance is None:
            return explore_table.decisions(state) if state.phase is Phase.EXPLORE else ()
        memo, key = state.setup.memo, ("chance", state.chance.who)
        found: tuple[Decision, ...] | None = memo.get(key)
        if found is None:
            who = fighters[state.chance.who]
            found = memo[key] = (Decision(who.id, who.side, "chance", text("{name}'s chance", who.name)),)
        return found

    def legal(self, state: OldeState, decision: Decision) -> LegalActions:
        found: LegalActions = self._legal(state, decision)
        if state.setup.crawl and state.chance is not None and state.question is None:
            found = dealings.Dealings(found, state, decision.by, MINUTES, KEEPER)
        if state.aims is None or state.question is not None:
            return found
        return goals.Deeds(found, state, decision.by, KEEPER, leaving=state.phase is not Phase.EXPLORE)

    def _legal(self, state: OldeState, decision: Decision) -> ChanceActions | Choices | ExploreActions:
        if state.question is not None:
            return Choices(state, decision, state.question)
        if state.chance is None and state.phase is Phase.EXPLORE:
            return ExploreActions(state, decision)
        known: ChanceActions | None = self.memory.latest
        if known is None or known.state is not state or known.decision != decision:
            known = self.memory.latest = ChanceActions(state, decision)
        return known

    def apply(self, state: OldeState, decision: Decision, action: Action) -> Step:
        """Resolve an action. Raises IllegalActionError with the reason; the state is never half changed."""
        if action.by == GAME_MASTER:
            return HAND.apply(state, action)
        legal = self.legal(state, decision)
        if reason := legal.refusal(action):
            raise IllegalActionError(reason)
        resolution = Resolution(state)
        if gm_calls.meant(action):
            gm_calls.carry_out(resolution, action)
        elif state.setup.crawl and not MINUTES.exploring_now(state) and dealings.meant(action):
            dealings.carry_out(resolution, MINUTES, KEEPER, action)
        elif goals.meant(legal, action):
            goals.carry_out(resolution, KEEPER, action)
        else:
            self._legal(state, decision).carry_out(resolution, action)
        if resolution.setup.crawl and resolution.phase is Phase.ACTION:
            MINUTES.come_in(resolution)
        run_on(resolution)
        if resolution.aims is not None:
            goals.follow(resolution, KEEPER)
        return step_of(state, resolution, resolution.setup.fighters, knowledge.glance)

    def onward(
        self, state: OldeState, begun: OldeState, names: Sequence[str], rest: str, seed: int
    ) -> tuple[Traveller, ...]:
        return ONWARD.carried(state, begun, names, rest, seed)

    def leave(self, state: OldeState, minutes: int) -> Remains:
        return AGAIN.leave(state, minutes)

    def odds(self, state: OldeState, action: Action) -> Odds | None:
        """Exact odds of whatever whoever is acting could do with dice; None for anything else, and if it is illegal."""
        if state.setup.crawl and action.do == dealings.DEMAND:
            return dealings.odds(MINUTES, state, action)
        if state.question is not None:
            option = option_of(state.question.options, action.option) if action.do == CHOOSE else None
            return ANSWERS[option].odds(state, state.question) if option else None
        if state.chance is None and state.phase is Phase.EXPLORE:
            return explore_table.odds_of(state, action)
        kind = ALL_KINDS.get(action.do)
        if kind is None or not kind.risky or state.chance is None:
            return None
        context = Context(state, state.chance)
        return kind.odds(context, action) if kind.refusal(context, action) is None else None

    def area(self, state: OldeState, action: Action) -> Bitboard:
        """The spaces that a spell or an item would cover, cast so by whoever is acting, and those that a search in an
        exploration covers; 0 for anything else."""
        if state.phase is Phase.EXPLORE:
            return explore_table.area_of(state, action)
        kind = ALL_KINDS.get(action.do)
        return EMPTY if kind is None or state.chance is None else kind.area(Context(state, state.chance), action)

    def describe(self, state: OldeState, action: Action) -> Description:
        if action.by == GAME_MASTER:
            return Description(HAND.describe(action), "Answer", "")
        if action.do == CHOOSE:
            known = ANSWERS.get(action.option or "")
            return Description(known.label if known else action.option or "?", "Answer", "")
        if gm_calls.meant(action):
            return gm_calls.describe(action)
        if goals.deed(state.aims, action, exploring=state.phase is Phase.EXPLORE):
            return goals.describe(action.do, KEEPER.price(state, action.do))
        if state.setup.crawl and not MINUTES.exploring_now(state) and dealings.meant(action):
            return dealings.describe(action.do)
        if state.phase is Phase.EXPLORE:
            return explore_table.describe(state, action)
        if state.chance is None:
            shown = End.face.described("keep 0 AP")
        else:
            shown = ALL_KINDS[action.do].describe(Context(state, state.chance), action)
        waiting = (turn.id for turn in boards.board(state).order if not turn.done and not turn.active)
        return msgspec.structs.replace(shown, next_by=next(waiting, None))

    def spent(self, turns: int) -> str:
        return MINUTES.label_of(turns)

    def term(self, word: str) -> tuple[str, str] | None:
        return TERMS.get(word.lower()) or sentence_of(word)

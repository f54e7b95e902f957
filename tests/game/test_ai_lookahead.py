"""Looking ahead: a fixed number of tries on dice of its own, by what the side knows alone."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from game.controllers.ai import AiController, load_weights
from game.controllers.ai import controller as mind
from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.lookahead import LEAST, Likely, Prospect, Trials, halved
from game.controllers.ai.planner import Plan, Stop
from game.fight.advice import Counsel
from game.fight.match import Match
from rules.contract.actions import CHANCE, Action, Decision, pending
from rules.core import record as records
from rules.core.registry import ruleset
from tests.bench.bouts import BANDS, Bout, start
from tests.game.test_fog_fights import meeting

FEW = 8


def brief(kind: str) -> Any:
    """The weights with so few tries that a test is over soon, and with an eye for what is far from being close."""
    found = load_weights(kind)
    hard = replace(found.level["hard"], tries=FEW, near=1.0, rounds=0.5, turns={"others": 10_000})
    return replace(found, level={**found.level, "hard": hard})


def hard(kind: str) -> AiController:
    return AiController(weights=brief(kind), level="hard")


@cache
def close(kind: str) -> tuple[Any, Any, Decision]:
    """(rules, state, decision) of a moment of a fight at which it looks ahead."""
    rules, state = ruleset(kind), start(Bout(kind, "", "", next(iter(BANDS[kind])), "hall", 5))
    quick = AiController()
    while (decision := pending(rules.decisions(state))) is not None:
        known, legal = rules.observe(state, decision.side), rules.legal(state, decision)
        if decision.kind == CHANCE and (found := ahead(kind, known, decision, legal)) and len(found) > 1:
            return rules, state, decision
        state = rules.apply(state, decision, quick.choose(rules, known, decision, legal)).state
    raise AssertionError("nothing was ever close")


def ahead(kind: str, known: Any, decision: Decision, legal: Any) -> list[tuple[tuple[Action, ...], Prospect, float]]:
    """What it foresees at a decision: for each option its actions, what came of them, what that counts."""
    rules, player = ruleset(kind), hard(kind)
    planner, done, settled = player._weighing(rules, known, decision, legal)
    found = player._foreseen(planner, legal, done) if planner is not None and not settled else []
    return [(each.likely.actions, each.prospect, each.gain) for each in found]


@pytest.mark.parametrize("kind", list(BANDS))
def test_the_same_position_gives_the_same_choice_whatever_was_asked_before(kind: str) -> None:
    rules, state, decision = close(kind)
    known, legal = rules.observe(state, decision.side), rules.legal(state, decision)
    first, again = hard(kind), hard(kind)
    chosen = first.choose(rules, known, decision, legal)
    other = start(Bout(kind, "", "", next(iter(BANDS[kind])), "pillars", 9))
    asked = pending(rules.decisions(other))
    assert asked is not None
    again.choose(rules, rules.observe(other, asked.side), asked, rules.legal(other, asked))
    assert again.choose(rules, known, decision, legal) == chosen == first.choose(rules, known, decision, legal)
    assert ahead(kind, known, decision, legal) == ahead(kind, known, decision, legal)


@pytest.mark.parametrize("kind", list(BANDS))
def test_the_dice_to_come_are_in_nobodys_sight(kind: str) -> None:
    rules, state, decision = close(kind)
    found = []
    for seed in (1, 2):
        other = rules.reseeded(state, seed)  # two moments that differ in their dice alone
        found.append(ahead(kind, rules.observe(other, decision.side), decision, rules.legal(other, decision)))
    assert found[0] == found[1]


@pytest.mark.parametrize("kind", list(BANDS))
def test_so_many_actions_are_tried_each_time_and_no_more_tries_than_were_said(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, state, decision = close(kind)
    known, legal = rules.observe(state, decision.side), rules.legal(state, decision)
    counts, tries, apply, play = [], [], type(rules).apply, Trials.play
    counted: Counter[str] = Counter()

    def counting(self: Any, *given: Any) -> Any:
        counted["applied"] += 1
        return apply(self, *given)

    def trying(self: Trials, plan: Likely, number: int) -> float:
        counted["tried"] += 1
        return play(self, plan, number)

    monkeypatch.setattr(type(rules), "apply", counting)
    monkeypatch.setattr(Trials, "play", trying)
    for _ in range(2):
        counted.clear()
        ahead(kind, known, decision, legal)
        counts.append(counted["applied"])
        tries.append(counted["tried"])
    assert counts[0] == counts[1] > tries[0]
    assert tries[0] == tries[1] <= FEW


@pytest.mark.parametrize("kind", list(BANDS))
def test_what_it_says_is_what_it_does_and_why_adds_up(kind: str) -> None:
    rules, state, decision = close(kind)
    known, legal, player = rules.observe(state, decision.side), rules.legal(state, decision), hard(kind)
    thinking = player.explain(rules, known, decision, legal)
    assert thinking.choice == player.choose(rules, known, decision, legal)
    assert [option.score for option in thinking.best] == sorted((o.score for o in thinking.best), reverse=True)
    for option in thinking.best:
        assert sum(value for _, value in option.reasons) == pytest.approx(option.score, abs=1e-6)
    told = [str(text) for option in thinking.best for text, _ in option.reasons if "played on" in str(text)]
    assert told and all(" tries" in each for each in told)


# -- sequential halving


def plans(*scores: float) -> list[Likely]:
    stop: Stop = None  # type: ignore[assignment]
    return [Likely(Plan(score, stop), (Action("a", str(number)),)) for number, score in enumerate(scores)]


def test_who_comes_out_worse_gets_no_more_tries_and_the_first_is_always_held_against() -> None:
    given, played = plans(0.0, 0.0, 0.0, 0.0), Counter[tuple[str, int]]()
    worth = {"0": 0.1, "1": 0.2, "2": 0.9, "3": 0.3}

    def play(plan: Likely, number: int) -> float:
        played[plan.actions[0].do, number] += 1
        return worth[plan.actions[0].do]

    found = halved(play, given, 32, 1.0)
    assert max(played.values()) == 1 and sum(played.values()) <= 32
    tries = {do: sorted(number for other, number in played if other == do) for do in worth}
    assert tries["0"] == tries["2"] and len(tries["2"]) > len(tries["1"]) == len(tries["3"])
    assert tries["2"][: len(tries["1"])] == tries["1"] == list(range(len(tries["1"])))
    assert [each.gain for each in found] == pytest.approx([0.0, 0.1, 0.8, 0.2])
    assert [each.better == each.tries for each in found] == [False, True, True, True]
    assert all(each.doubt == pytest.approx(0.1 / each.tries) for each in found)  # what luck alone may do


def test_what_the_quick_mind_thinks_counts_among_who_goes_on() -> None:
    given, played = plans(1.0, 0.9, 0.1), Counter[str]()

    def play(plan: Likely, number: int) -> float:
        played[plan.actions[0].do] += 1
        return {"0": 0.5, "1": 0.5, "2": 0.55}[plan.actions[0].do]

    halved(play, given, 24, 5.0)
    assert played["1"] > played["2"]


def test_luck_is_told_from_worth_by_the_same_dice() -> None:
    luck = [((number * 7919) % 100) / 200 for number in range(64)]

    def play(plan: Likely, number: int) -> float:
        return luck[number] + (0.02 if plan.actions[0].do == "1" else 0.0)

    found = halved(play, plans(0.0, 0.0), 20, 1.0)
    assert found[1].gain == pytest.approx(0.02) and found[1].doubt == pytest.approx(0.01)
    assert found[1].better == found[1].tries == 10


# -- in fog, on maps, in the window's way


@pytest.mark.parametrize("kind", list(BANDS))
def test_whoever_is_not_seen_is_not_played_on(kind: str) -> None:
    rules, state, decision = close(kind)
    known = rules.observe(state, decision.side)
    others = [i for i, figure in enumerate(known.figures) if figure.cell >= 0 and _side(known, i) != decision.side]
    unseen = others[-1]
    figures = list(known.figures)
    figures[unseen] = replace(figures[unseen], cell=-1)
    blind = replace(known, figures=tuple(figures))
    figures[unseen] = replace(figures[unseen], hp=1)
    weaker = replace(known, figures=tuple(figures))
    legal = rules.legal(blind, decision)
    found = [ahead(kind, each, decision, legal) for each in (blind, weaker)]
    assert found[0] == found[1]


def _side(state: Any, number: int) -> str:
    setup = state.setup
    return str((setup.fighters if hasattr(setup, "fighters") else setup.beings)[number].side)


@pytest.mark.parametrize("kind", list(BANDS))
def test_in_fog_a_fight_at_hard_goes_on_and_is_the_same_after_taking_back(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mind, "load_weights", brief)
    record = meeting("crypt", kind, 7, 2)
    for creature in record["creatures"]:
        creature["controller"] = "ai"
    match = Match.from_record(record)
    counsel = Counsel(match, "hard")
    while (decision := match.decision) is not None and match.history.length < 24:
        match.act(decision, counsel.advise(decision))
    commands = records.document(match.record)["commands"]
    assert len(commands) >= 4
    match.history.rewind(len(commands) // 2)
    fresh = Counsel(match, "hard")
    while (decision := match.decision) is not None and match.history.length < len(commands):
        match.act(decision, fresh.advise(decision))
    assert records.document(match.record)["commands"] == commands


@pytest.mark.parametrize("kind", list(BANDS))
def test_tries_go_less_far_where_there_are_few_chances_for_all_of_them(kind: str) -> None:
    rules, state, decision = close(kind)
    known = rules.observe(state, decision.side)
    standing = [piece.side for piece in advisor_of(rules).pieces(known) if not piece.out]
    plenty = Trials(rules, known, decision, AiController, turns=1000)
    few = Trials(rules, known, decision, AiController, turns=LEAST * 2 * 2)
    assert plenty.chances == len(standing) > 2
    # a whole side's plans are carried out at once: before that a try tells nothing
    assert few.chances == (standing.count(decision.side) if advisor_of(rules).sealing else 2)

"""Levels of the computer: how far it looks and how it errs, chosen in the window, the dice and creatures the same."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pygame
import pytest

from game.app.settings import LEVELS, Settings, load_settings
from game.controllers.ai import AiController, load_weights
from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.controller import OVERLOOKED
from game.controllers.ai.weights import NORMAL, disciplined
from game.fight.advice import Counsel
from game.scenes.dialogs.level import WORDS, Level
from game.scenes.fight.scene import Fight
from rules.contract.actions import CHANCE, pending
from rules.core.registry import ruleset
from tests.bench.bouts import BANDS, PLAYERS, Bout, start
from tests.game.ai_table import RULES, asked, change, fight, piece, turn_to
from tests.game.hotseat_table import app_at
from tests.game.player import arena

HALL = "############ #..........# #..........# #..........# ############"


def test_every_level_of_the_window_is_one_of_the_file_and_plays_on_the_ladder() -> None:
    assert set(LEVELS) == set(get_args(Level)) == set(WORDS) == set(load_weights().level)
    assert Settings().level == NORMAL
    assert {name for name in PLAYERS if name in LEVELS} == {"story", "hard"}


@pytest.mark.parametrize("kind", list(BANDS))
def test_normal_is_what_the_game_comes_with(kind: str) -> None:
    rules, state = ruleset(kind), start(Bout(kind, "", "", next(iter(BANDS[kind])), "hall", 3))
    ships, normal = AiController(), AiController(level=NORMAL)
    for _ in range(25):
        decision = pending(rules.decisions(state))
        assert decision is not None
        known, legal = rules.observe(state, decision.side), rules.legal(state, decision)
        action = ships.choose(rules, known, decision, legal)
        assert action == normal.choose(rules, known, decision, legal)
        state = rules.apply(state, decision, action).state


def beset() -> Any:
    """A warrior with an orc beside it, and a goblin a little farther off that is hurt."""
    state = fight(
        HALL, piece("warrior", (2, 2), "heroes"), piece("orc", (3, 2), "monsters"),
        piece("goblin", (5, 2), "monsters", hp=3),
    )  # fmt: skip
    return turn_to(state, "warrior")


def test_story_strikes_at_whoever_is_nearest_and_at_others_where_it_must() -> None:
    story = AiController(level="story")
    known, decision, legal = asked(beset())
    for option in story.explain(RULES, known, decision, legal).best:
        assert {action.target for action in option.plan if action.do.endswith("attack")} <= {"orc"}
    normal = AiController().explain(RULES, known, decision, legal)
    assert {action.target for option in normal.best for action in option.plan} >= {"orc", "goblin"}


def test_story_minds_danger_little() -> None:
    known, decision, legal = asked(beset())
    story, normal = (
        {str(text): value for option in AiController(level=level).explain(RULES, known, decision, legal).best
         for text, value in option.reasons if str(text).startswith("danger")}
        for level in ("story", NORMAL)
    )  # fmt: skip
    assert story and max(story.values()) <= 0.0
    assert min(story.values()) > min(normal.values())


@pytest.mark.parametrize("kind", list(BANDS))
def test_story_overlooks_what_is_best_for_some_plans_and_says_so(kind: str) -> None:
    rules, state = ruleset(kind), start(Bout(kind, "", "", next(iter(BANDS[kind])), "hall", 5))
    story, near, slips, seen = AiController(level="story"), load_weights().level["story"].near, 0, 0
    while (decision := pending(rules.decisions(state))) is not None and seen < 60:
        known, legal = rules.observe(state, decision.side), rules.legal(state, decision)
        action = story.choose(rules, known, decision, legal)
        if decision.kind == CHANCE:
            seen += 1
            thinking = story.explain(rules, known, decision, legal)
            assert thinking.best[0].action == action
            for option in thinking.best:
                assert option.score == pytest.approx(sum(value for _, value in option.reasons))
            missed = dict(thinking.best[0].reasons).get(OVERLOOKED, 0.0)
            assert 0.0 <= missed <= near + 1e-9
            slips += missed > 0.0
        state = rules.apply(state, decision, action).state
    assert 0 < slips < seen / 2


def test_who_slips_takes_the_next_best_of_another_kind() -> None:
    known, decision, legal = asked(beset())
    kinds = []
    for part in (0.0, 1.0):
        weights = load_weights("olde")
        level = msgspec.structs.replace(weights.level[NORMAL], slips=part, near=9.0)
        player = AiController(weights=msgspec.structs.replace(weights, level={**weights.level, NORMAL: level}))
        kinds.append([(o.action.do, o.action.target) for o in player.explain(RULES, known, decision, legal).best])
    assert kinds[1][:2] == [kinds[0][1], kinds[0][0]]


@pytest.mark.parametrize("kind", list(BANDS))
def test_story_does_not_walk_to_and_fro(kind: str) -> None:
    paces = [most_paces(kind, seed) for seed in range(6)]
    assert sum(paces) <= 3 * len(paces), paces


def most_paces(kind: str, seed: int) -> int:
    """How often whoever does so most comes back, among the first decisions of a fight, to where it was before."""
    rules, state = ruleset(kind), start(Bout(kind, "", "", next(iter(BANDS[kind])), "hall", seed))
    story, seen, where = AiController(level="story"), 0, dict[str, list[int]]()
    while (decision := pending(rules.decisions(state))) is not None and seen < 80:
        seen += 1
        known, legal = rules.observe(state, decision.side), rules.legal(state, decision)
        state = rules.apply(state, decision, story.choose(rules, known, decision, legal)).state
        for each in advisor_of(rules).pieces(state):
            if decision.kind == CHANCE and each.id == decision.by:
                where.setdefault(each.id, []).append(each.cell)
    paces = []
    for cells in where.values():
        steps = [cell for number, cell in enumerate(cells) if number == 0 or cell != cells[number - 1]]
        paces.append(sum(steps[number] == steps[number - 2] for number in range(2, len(steps))))
    return max(paces)


def told(state: Any, level: str, reason: str) -> list[float]:
    """What a reason weighs in each of the options that a level thinks best; it looks nothing ahead."""
    weights = load_weights("olde")
    levels = {name: msgspec.structs.replace(each, tries=0) for name, each in weights.level.items()}
    player = AiController(weights=msgspec.structs.replace(weights, level=levels), level=level)
    known, decision, legal = asked(state)
    best = player.explain(RULES, known, decision, legal).best
    return [value for option in best for text, value in option.reasons if str(text).startswith(reason)]


def test_hard_lets_no_brute_forget_danger() -> None:
    foes = [piece("warrior", (3, 2), "heroes"), piece("ranger", (8, 2), "heroes")]
    state = turn_to(fight(HALL, piece("ogre", (2, 2), "monsters"), *foes), "ogre")
    assert min(told(state, "hard", "danger")) < 2 * min(told(state, NORMAL, "danger")) < 0.0


def test_hard_lets_no_coward_lose_its_heart() -> None:
    foes = [piece("warrior", (9, 2), "heroes"), piece("ranger", (8, 2), "heroes")]
    state = change(
        turn_to(fight(HALL, piece("goblin", (4, 2), "monsters", temperament="coward"), *foes), "goblin"), "goblin", hp=1
    )
    assert max(told(state, NORMAL, "away from the foes")) > 3 * max(told(state, "hard", "away from the foes")) > 0.0


def test_who_keeps_its_head_goes_a_part_of_the_way_to_the_calm() -> None:
    weights = load_weights()
    brute, calm = weights.temperament["brute"], weights.temper("")
    assert disciplined(brute, calm, 0.0) == brute
    assert msgspec.structs.replace(disciplined(brute, calm, 1.0), summary=calm.summary) == calm
    assert disciplined(brute, calm, 0.5).harm == pytest.approx((brute.harm + calm.harm) / 2)


@pytest.mark.usefixtures("home")
def test_the_level_is_chosen_in_a_new_fight_and_kept() -> None:
    player = app_at()
    player.press("New fight")
    player.press("Hard")
    assert player.app.settings.level == "hard"
    assert load_settings().level == "hard"
    player.press("Story")
    assert load_settings().level == "story"


@pytest.mark.usefixtures("home")
def test_a_running_fight_is_played_at_the_level_that_a_key_chooses() -> None:
    player = app_at()
    player.app.navigator.begin(arena())
    scene = player.app.top
    assert isinstance(scene, Fight)
    player.key(pygame.K_l, pygame.KMOD_CTRL | pygame.KMOD_SHIFT)
    assert player.app.settings.level == "hard" and "Hard" in str(scene.toast_text)
    player.key(pygame.K_l, pygame.KMOD_CTRL | pygame.KMOD_SHIFT)
    assert player.app.settings.level == "story"


@pytest.mark.usefixtures("home")
def test_the_computer_is_asked_at_the_level_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    levels: list[str] = []
    advise = Counsel.advise

    def listening(self: Counsel, decision: Any) -> Any:
        levels.append(self.level)
        return advise(self, decision)

    monkeypatch.setattr(Counsel, "advise", listening)
    record = arena()
    record["creatures"][0]["controller"] = "ai"
    player = app_at(level="story")
    player.app.navigator.begin(record)
    for level in ("story", "hard"):
        player.app.settings.level = level  # type: ignore[assignment]
        levels.clear()
        for _ in range(400):
            player.turn(1, dt=0.5)
            if levels:
                break
        assert levels[0] == level

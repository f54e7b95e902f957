"""The computer's "why?": what it thought at any past decision, its memory of a fight, and the panel that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.controllers.ai import AiController
from game.controllers.ai.weights import NORMAL
from game.fight import advice as counsel
from game.fight.match import Match, load_fight
from game.scenes.fight.scene import Fight
from game.scenes.replay.scene import Replay
from game.scenes.replay.why import WhyScene
from game.widgets.figures import ReasonBar
from rules.contract.errors import BattlematError
from rules.core import record as records
from tests.game.player import Player, arena, fight_of, labels, middle

pytestmark = pytest.mark.usefixtures("home")

PLAYED = Path(__file__).parents[1] / "playthroughs" / "spells_at_the_crossing.json"
MAZE = ["##############", "#............#", "#.##########.#", "#............#", "##############"]


def deeds(match: Match) -> list[int]:
    """After how many commands each deed of the computer's was done."""
    return [n for n, moment in enumerate(match.history.moments[1:]) if not moment.side]


@pytest.fixture
def player() -> Iterator[Player]:
    app = App((1280, 720), settings=Settings(speed=0, end_by_itself=False))
    yield Player(app)
    app.scenes.clear()


def fought() -> Match:
    """Two computers that look for each other in the fog, for some decisions."""
    data = arena(options={"fog": True}, map={"rows": MAZE})
    for creature, at in zip(data["creatures"], ([1, 1], [12, 3]), strict=True):  # type: ignore[arg-type, call-overload]
        creature["controller"], creature["at"] = "ai", at
    match = Match.from_record(data)
    mind = counsel.Counsel(match)
    while match.decision is not None and match.history.length < 9:
        match.act(match.decision, mind.advise(match.decision))
    return match


def test_what_a_fresh_mind_would_do_is_what_one_that_lived_through_the_fight_does() -> None:
    match = fought()
    again = Match.from_record(records.document(match.record))
    assert again.decision is not None
    lived = counsel.Counsel(match)
    for number in range(match.history.length):
        lived.brain(number)
    assert lived.advise(again.decision) == counsel.Counsel(again).advise(again.decision)


def test_a_mind_remembers_nothing_of_what_was_taken_back() -> None:
    match = fought()
    mind = counsel.Counsel(match)
    assert match.decision is not None
    mind.advise(match.decision)
    match.history.rewind(5)
    assert match.decision is not None
    assert mind.advise(match.decision) == counsel.Counsel(match).advise(match.decision)
    whole = fought()
    assert mind.advise(match.decision) == records.action_of(whole.record.commands[5], whole.field, 5)


def test_every_deed_is_among_what_was_thought_of_and_its_reasons_add_up() -> None:
    match = fought()
    mind = counsel.Counsel(match)
    for number in deeds(match):
        why = mind.why(number)
        if why.deed.done.do != "end":
            assert why.taken == 0
        for option in why.thinking.best:
            assert sum(value for _, value in option.reasons) == pytest.approx(option.score, abs=0.02)


def test_a_deed_is_explained_at_the_level_at_which_it_was_thought_of(player: Player) -> None:
    """A person has changed the level since: nothing is said of tries that never were."""
    match = Match.from_record(records.begun(fought().record))
    while match.history.length < 24 and (decision := match.decision) is not None:
        match.level = ("story", NORMAL, "hard")[match.history.length % 3]
        match.act(decision, counsel.Counsel(match, match.level).advise(decision))
    hard = counsel.Counsel(match, "hard")
    for number in deeds(match):
        level = match.history.moments[number + 1].level
        why, own = hard.why(number), counsel.Counsel(match, level)
        assert why.level == level == ("story", NORMAL, "hard")[number % 3]
        assert why.taken == 0 or why.deed.done.do == "end"
        assert why == own.why(number)
        assert hard.why_not(number, why.thinking.best[-1].cell) == own.why_not(number, why.thinking.best[-1].cell)
    player.app.navigator.show(match)
    for number, word in ((0, "Story"), (2, "Hard")):
        player.app.navigator.why(match, number)
        assert any(label.endswith(f" · {word}") for label in labels(player))
        player.key(pygame.K_ESCAPE)


def test_a_record_tells_of_no_level_and_is_explained_at_the_one_that_is_set() -> None:
    match = fought()
    assert {moment.level for moment in match.history.moments} == {""}
    assert counsel.Counsel(match, "story").why(deeds(match)[0]).level == "story"


def test_the_panel_shows_what_the_controller_explains(player: Player) -> None:
    match = load_fight(PLAYED)
    player.app.navigator.show(match)
    number = next(n for n in deeds(match) if match.record.commands[n].do == "run")
    player.app.navigator.why(match, number)
    scene = player.app.top
    assert isinstance(scene, WhyScene)
    deed = counsel.deed_of(match, number)
    legal = match.ruleset.legal(deed.known, deed.decision)
    brain = counsel.Counsel(match).brain(number)
    assert scene.why.thinking == brain.explain(match.ruleset, deed.known, deed.decision, legal)
    assert isinstance(brain, AiController)
    best = scene.why.thinking.best
    for number in (scene.chosen, 1):
        shown = [(w.text, w.value) for p in scene.ui.live() for w in p.walk() if isinstance(w, ReasonBar)]
        assert shown == [(text, value) for text, value in best[number].reasons if f"{abs(value):.2f}" != "0.00"]
        player.key(pygame.K_TAB)


def test_a_reason_that_comes_to_nothing_is_not_listed(player: Player) -> None:
    match = load_fight(PLAYED)
    player.app.navigator.show(match)
    player.app.navigator.why(match, deeds(match)[0])
    scene = player.app.top
    assert isinstance(scene, WhyScene)
    option = scene.options[scene.chosen]
    reasons = (("half a hundredth", 0.004), ("enough to be seen", 0.006), ("less than nothing", -0.0049))
    list_of = scene._reasons(option._replace(reasons=reasons))
    assert [w.text for w in list_of.walk() if isinstance(w, ReasonBar)] == ["enough to be seen"]


def test_a_click_on_a_space_and_enter_on_one_say_why_not(player: Player) -> None:
    match = load_fight(PLAYED)
    player.app.navigator.show(match)
    number = next(n for n in deeds(match) if match.record.commands[n].do == "run")
    player.app.navigator.why(match, number)
    scene = player.app.top
    assert isinstance(scene, WhyScene)
    player.turn(10)
    cell = scene.why.thinking.best[1].cell
    wanted = counsel.Counsel(match).why_not(number, cell)
    player.click(scene.camera.space_rect(cell).center)
    assert (scene.asked, scene.answer) == (cell, wanted)
    player.key(pygame.K_LEFT)
    player.key(pygame.K_RETURN)
    assert scene.asked == cell - 1
    assert scene.answer == counsel.Counsel(match).why_not(number, cell - 1)


def test_from_a_line_of_the_log_and_by_key_in_a_fight(player: Player) -> None:
    fight = fight_of(player, arena(gob_at=(4, 1)))
    player.key(pygame.K_RETURN, pygame.KMOD_LCTRL)
    player.until(lambda: fight.plan is not None and fight.match.history.length > 1)
    story = fight.telling.story
    line = max(n for n, entry in enumerate(story.entries) if entry.asks)
    player.click(story.mark(line).center)
    scene = player.app.top
    assert isinstance(scene, WhyScene)
    assert fight.match.record.commands[scene.why.deed.number].by == "gob"
    player.key(pygame.K_ESCAPE)
    assert player.app.top is fight
    player.key(pygame.K_i, pygame.KMOD_LCTRL)
    assert isinstance(player.app.top, WhyScene)
    assert middle(fight, 0) is not None


def test_in_fog_the_computers_thoughts_stay_hidden_from_who_plays(player: Player) -> None:
    fight = fight_of(player, arena(options={"fog": True}))
    player.key(pygame.K_RETURN, pygame.KMOD_LCTRL)
    player.until(lambda: fight.plan is not None and fight.match.history.length > 1)
    player.key(pygame.K_i, pygame.KMOD_LCTRL)
    assert isinstance(player.app.top, Fight)
    assert not any(entry.asks for entry in fight.telling.story.entries)


def test_in_a_replay_too(player: Player) -> None:
    player.app.navigator.title()
    player.app.navigator.watch(PLAYED)
    scene = player.app.top
    assert isinstance(scene, Replay)
    player.key(pygame.K_RIGHT)
    player.key(pygame.K_i, pygame.KMOD_LCTRL)
    assert isinstance(player.app.top, WhyScene)
    assert player.app.top.why.deed.number == 0


def test_what_a_person_did_is_not_explained() -> None:
    match = Match.from_record(arena())
    assert match.decision is not None
    match.act(match.decision, next(iter(match.legal(match.decision))))
    with pytest.raises(BattlematError, match="a person did that"):
        counsel.Counsel(match).why(0)


def test_a_line_picked_in_the_log_is_the_one_that_the_key_explains(player: Player) -> None:
    fight = fight_of(player, arena(gob_at=(6, 3)))
    for _ in range(4):
        player.key(pygame.K_RETURN, pygame.KMOD_LCTRL)
        player.until(lambda: fight.plan is not None or fight.match.over is not None)
    story = fight.telling.story
    lines = [n for n, entry in enumerate(story.entries) if entry.asks]
    assert len(lines) >= 2
    fight.ui.set_focus(story)
    story.cursor = lines[0]
    player.key(pygame.K_i, pygame.KMOD_LCTRL)
    scene = player.app.top
    assert isinstance(scene, WhyScene)
    assert scene.why.deed.number == deeds(fight.match)[0]


def test_the_key_explains_what_the_log_tells_last_and_not_the_end_of_a_chance(player: Player) -> None:
    fight = fight_of(player, arena(gob_at=(4, 1)))
    player.key(pygame.K_RETURN, pygame.KMOD_LCTRL)
    player.until(lambda: fight.plan is not None and fight.match.history.length > 1)
    commands = fight.match.record.commands
    made = [n for n, command in enumerate(commands) if command.by == "gob"]
    assert commands[made[-1]].do == "end"
    player.key(pygame.K_i, pygame.KMOD_LCTRL)
    scene = player.app.top
    assert isinstance(scene, WhyScene)
    assert commands[scene.why.deed.number].do != "end"

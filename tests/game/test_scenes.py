"""The scenes driven as a person does: by posted events, through the app's own loop."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pygame
import pytest

from game.app import start
from game.app.loop import App
from game.app.settings import Settings, load_settings
from game.fight.match import Match
from game.scenes.choose.scene import Choose
from game.scenes.dialogs.help import Help
from game.scenes.dialogs.options import Options
from game.scenes.dialogs.panels import Menu, Message
from game.scenes.dialogs.saves import LoadDialog
from game.scenes.fight.aiming import measured
from game.scenes.fight.ending import Summary, tallies
from game.scenes.fight.panels.card import beside
from game.scenes.fight.scene import Fight
from game.scenes.title import Title
from game.storage import records as storage
from game.widgets.controls import Button
from rules.contract.actions import Action
from rules.contract.errors import BattlematError
from rules.core import record as records
from tests.game.player import Player, arena, cell_of, commands, fight_of, middle


@pytest.fixture
def player() -> Iterator[Player]:
    app = App((1280, 720), settings=Settings(speed=0, autosave=False, live_forecast=False))
    pygame.event.clear()
    app.navigator.title()
    yield Player(app)
    pygame.event.clear()


# -- from the title to a fight and back ------------------------------------------------------------------


def test_enter_opens_the_set_up_and_escape_comes_back(player: Player) -> None:
    player.key(pygame.K_RETURN)
    assert isinstance(player.app.top, Choose)
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.app.top, Title)


def test_begin_starts_just_the_fight_that_was_chosen(player: Player) -> None:
    player.press("New fight")
    choose = player.app.top
    assert isinstance(choose, Choose)
    player.press("Clear the foes")
    player.press("foe goblin")
    player.press("foe goblin")
    player.press(f"hero {choose.party[0]}")
    player.press("Begin")
    fight = player.app.top
    assert isinstance(fight, Fight)
    sides = [m.side for m in fight.board.miniatures]
    assert sides.count("heroes") == 3 and sides.count("monsters") == 2


def test_begin_without_foes_says_what_is_missing_and_stays(player: Player) -> None:
    player.press("New fight")
    player.press("Clear the foes")
    player.press("Begin")
    assert isinstance(player.app.top, Message)
    assert "foe" in player.app.top.text
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.app.top, Choose)


def test_surprise_me_starts_a_fight(player: Player) -> None:
    player.press("Surprise me")
    assert isinstance(player.app.top, Fight)


def test_help_and_keys_open_anywhere_and_close(player: Player) -> None:
    fight_of(player)
    for code, mod in ((pygame.K_F1, 0), (pygame.K_k, pygame.KMOD_CTRL)):
        player.key(code, mod)
        assert isinstance(player.app.top, Help)
        player.key(pygame.K_ESCAPE)
        assert isinstance(player.app.top, Fight)


def test_a_setting_is_kept_in_the_users_folder(player: Player) -> None:
    player.press("Settings")
    assert isinstance(player.app.top, Options)
    player.press("Reduced motion")
    assert load_settings().reduced_motion


@pytest.mark.parametrize("scale", [75, 100, 150, 200])
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (800, 600)])
def test_panels_of_a_fight_stay_in_the_window_and_apart(player: Player, scale: int, size: tuple[int, int]) -> None:
    app = player.app
    app.surface = pygame.display.set_mode(size)
    app.settings.scale = scale
    fight = fight_of(player)
    app.refit()
    window = pygame.Rect((0, 0), size)
    rects = [panel.rect for panel, _ in fight.ui.layers]
    assert all(window.contains(rect) for rect in rects)
    assert not any(a.colliderect(b) for n, a in enumerate(rects) for b in rects[n + 1 :])


# -- the fight by mouse ---------------------------------------------------------------------------------


def test_a_click_on_a_lit_space_moves_there_by_free_steps_first(player: Player) -> None:
    fight = fight_of(player)
    goal = fight.match.field.cell(1, 3)
    player.click(middle(fight, goal))
    assert cell_of(fight, "ada") == goal
    assert commands(fight)[-1]["do"] == "free_steps"


def test_pointing_shows_the_cost_before_it_is_paid(player: Player) -> None:
    fight = fight_of(player)
    goal = fight.match.field.cell(1, 4)
    player.move(middle(fight, goal))
    assert fight.choices.preview is not None and fight.choices.preview.do == "step"
    after = fight.choosing.points_after("ada")
    assert after is not None and f"{after} after this" in fight.choosing.spending_line("ada")
    assert not commands(fight)


def test_a_click_on_a_foe_attacks_with_what_is_in_hand(player: Player) -> None:
    fight = fight_of(player)
    player.click(middle(fight, cell_of(fight, "gob")))
    command = commands(fight)[0]
    assert (command["do"], command["target"], command["weapon"]) == ("attack", "gob", "broadsword")


def test_a_foe_out_of_reach_answers_with_the_way_to_it_or_with_the_reason(player: Player) -> None:
    fight = fight_of(player, arena(gob_at=(8, 4)))
    player.click(middle(fight, cell_of(fight, "gob")))
    assert not commands(fight)
    assert fight.choices.errand is not None and not fight.toast_text
    walled = ["##########", "#...#....#", "#...#....#", "#...#....#", "#...#....#", "##########"]
    fight = fight_of(player, arena(gob_at=(8, 4), map={"rows": walled}))
    player.click(middle(fight, cell_of(fight, "gob")))
    assert not commands(fight) and fight.choices.errand is None
    assert "reach" in fight.toast_text


def test_a_click_on_a_wall_answers_too(player: Player) -> None:
    fight = fight_of(player)
    player.click(middle(fight, fight.match.field.cell(4, 3)))
    assert fight.toast_text and not commands(fight)


def test_an_armed_button_narrows_a_click_and_right_click_takes_it_back(player: Player) -> None:
    fight = fight_of(player)
    player.key(pygame.K_1)
    assert fight.plan is not None and fight.plan.armed is not None and fight.plan.armed.do == "step"
    player.click(middle(fight, fight.match.field.cell(8, 4)), button=3)
    assert fight.plan.armed is None
    player.key(pygame.K_1)
    player.click(middle(fight, fight.match.field.cell(1, 2)))
    assert commands(fight)[-1]["do"] == "step"


def test_dragging_draws_the_path_over_its_waypoints(player: Player) -> None:
    fight = fight_of(player, arena(gob_at=(8, 4)))
    field = fight.match.field
    home, way, goal = field.cell(1, 1), field.cell(2, 2), field.cell(1, 3)
    player.move(middle(fight, home))
    player.button(middle(fight, home), down=True)
    player.move(middle(fight, way))
    player.key(pygame.K_SPACE)
    player.move(middle(fight, goal))
    assert fight.pointed.path == (way, goal)
    player.button(middle(fight, goal), down=False)
    player.turn()
    assert cell_of(fight, "ada") == goal
    assert commands(fight)[-1]["path"] == [[2, 2], [1, 3]]


def test_a_dragged_path_that_is_too_long_says_so_and_does_nothing(player: Player) -> None:
    fight = fight_of(player, arena(gob_at=(8, 4), seed=3))
    field = fight.match.field
    player.move(middle(fight, field.cell(1, 1)))
    player.button(middle(fight, field.cell(1, 1)), down=True)
    player.move(middle(fight, field.cell(4, 3)))
    assert not fight.pointed.path_ok
    player.button(middle(fight, field.cell(4, 3)), down=False)
    assert not commands(fight) and fight.toast_text


def test_ctrl_drag_measures_and_alt_click_shows_the_line_of_sight(player: Player) -> None:
    fight = fight_of(player)
    field = fight.match.field
    player.app.presses.modifiers = pygame.KMOD_LCTRL
    player.button(middle(fight, field.cell(1, 4)), down=True)
    player.move(middle(fight, field.cell(5, 4)))
    assert measured(fight) == ("4 spaces · 20 ft", field.cell(5, 4))
    player.button(middle(fight, field.cell(5, 4)), down=False)
    player.app.presses.modifiers = pygame.KMOD_LALT
    player.click(middle(fight, field.cell(3, 3)))
    player.click(middle(fight, field.cell(6, 3)))
    told = measured(fight)
    assert told is not None and told[0] == "Minimal"


# -- the fight by keys ----------------------------------------------------------------------------------


def test_tab_picks_the_target_and_enter_strikes(player: Player) -> None:
    fight = fight_of(player)
    player.key(pygame.K_TAB)
    assert fight.pointed.aimed == "gob" and fight.choices.preview is not None
    player.key(pygame.K_RETURN)
    assert commands(fight)[0]["do"] == "attack"


def test_only_ctrl_enter_ends_a_chance(player: Player) -> None:
    fight = fight_of(player)
    player.key(pygame.K_RETURN)
    assert not commands(fight)
    player.key(pygame.K_RETURN, pygame.KMOD_LCTRL)
    assert commands(fight)[0] == {"by": "ada", "do": "end"}


def test_escape_takes_back_one_layer_then_opens_the_menu(player: Player) -> None:
    fight = fight_of(player)
    player.key(pygame.K_m)
    assert fight.choices.more
    player.key(pygame.K_ESCAPE)
    assert not fight.choices.more and player.app.top is fight
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.app.top, Menu)


def test_the_wheel_zooms_about_the_pointer(player: Player) -> None:
    fight = fight_of(player)
    spot = middle(fight, fight.match.field.cell(5, 2))
    player.move(spot)
    before = fight.camera.zoom
    pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=1, flipped=False))
    player.turn()
    assert fight.camera.zoom > before
    assert fight.camera.to_cell(spot) == fight.match.field.cell(5, 2)


# -- saving, the AI, the end ----------------------------------------------------------------------------


def test_quick_save_and_load_bring_the_same_state_back(player: Player) -> None:
    fight = fight_of(player)
    player.key(pygame.K_DOWN)
    player.key(pygame.K_RETURN)
    player.key(pygame.K_F5)
    kept = fight.ruleset.summary(fight.match.state)
    player.key(pygame.K_DOWN)
    player.key(pygame.K_RETURN)
    player.key(pygame.K_F9)
    again = player.app.top
    assert isinstance(again, Fight) and again is not fight
    assert again.ruleset.summary(again.match.state) == kept


def test_a_broken_save_is_one_line_and_the_fight_goes_on(player: Player) -> None:
    fight = fight_of(player)
    (storage.fights_folder() / "quick.json").write_text('{"format": "battlemat/1"}', encoding="utf-8")
    player.key(pygame.K_F9)
    assert isinstance(player.app.top, Message) and "\n" not in player.app.top.text
    player.key(pygame.K_ESCAPE)
    assert player.app.top is fight
    (storage.fights_folder() / "quick.json").unlink()


def test_saved_fights_are_listed_and_load(player: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATTLEMAT_HOME", str(tmp_path))  # nobody else's fights above those of this test
    fight_of(player)
    player.key(pygame.K_s, pygame.KMOD_LCTRL)
    player.app.navigator.title()
    player.press("Load")
    dialog = player.app.top
    assert isinstance(dialog, LoadDialog)
    player.until(lambda: all(save.caption or save.fault for save in dialog.found.values()))  # rows grow by it
    newest = storage.fights()[0]
    player.press(str(newest))
    assert isinstance(player.app.top, Fight)


def test_the_ai_answers_by_itself_and_the_record_keeps_its_commands(player: Player) -> None:
    fight = fight_of(player)
    player.key(pygame.K_RETURN, pygame.KMOD_LCTRL)
    player.until(lambda: any(c["by"] == "gob" for c in commands(fight)))
    data = json.loads(json.dumps(records.document(fight.match.record)))
    again = Match.from_record(data)
    assert again.ruleset.summary(again.state) == fight.ruleset.summary(fight.match.state)


def test_a_fight_by_keys_alone_ends_in_a_summary(player: Player) -> None:
    fight = fight_of(player)

    def play() -> bool:
        if isinstance(player.app.top, Summary):
            return True
        if fight.plan is not None:
            marks = len(commands(fight))
            player.key(pygame.K_TAB)
            player.key(pygame.K_RETURN)
            if len(commands(fight)) == marks:
                player.key(pygame.K_RETURN, pygame.KMOD_LCTRL)
        return False

    player.until(play, 60)
    assert fight.board.over in ("heroes", "monsters")
    counts = {t.id: t for t in tallies(fight.match.events, ["ada", "gob"])}
    assert counts["ada"].dealt == counts["gob"].taken > 0 or fight.board.over == "monsters"


def test_play_again_is_the_same_fight_from_its_start(player: Player) -> None:
    fight = fight_of(player)
    player.key(pygame.K_DOWN)
    player.key(pygame.K_RETURN)
    player.app.navigator.again(fight.match)
    again = player.app.top
    assert isinstance(again, Fight) and not commands(again)
    assert [m.id for m in again.board.miniatures] == [m.id for m in fight.board.miniatures]


def test_a_record_that_cannot_be_opened_is_refused_by_name(player: Player, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{", encoding="utf-8")
    with pytest.raises(BattlematError, match=r"bad\.json"):
        start.open_scene(player.app, None, bad)


def test_every_button_of_a_fight_has_a_key_of_its_own(player: Player) -> None:
    fight = fight_of(player)
    keys = [key for key in fight.keys_of_offers.values() if key]
    assert len(keys) == len(set(keys)) == len(fight.plan.offers if fight.plan else ())


def test_greyed_buttons_say_why(player: Player) -> None:
    fight = fight_of(player, arena(gob_at=(8, 4)))
    attack = next(w for p in fight.ui.live() for w in p.walk() if isinstance(w, Button) and w.label == "Attack")
    assert not attack.enabled and attack.tip is not None and attack.tip.text
    player.click(attack.rect.center)
    assert fight.toast_text.startswith("Attack: ")


def asking_seed() -> int:
    """A seed whose first blow makes the rules ask the game master."""
    for seed in range(400):
        match = Match.from_record(arena(options={"gm": True}, seed=seed))
        decision = match.decision
        if decision is None or decision.by != "ada":
            continue
        blow = Action("ada", "attack", target="gob", weapon="broadsword")
        if blow not in match.legal(decision):
            continue
        match.act(decision, blow)
        if match.decision is not None and match.decision.kind == "choose":
            return seed
    raise AssertionError("no blow ever asks")


def test_a_question_is_a_panel_of_answers_taken_by_its_digit(player: Player) -> None:
    fight = fight_of(player, arena(options={"gm": True}, seed=asking_seed()))
    player.key(pygame.K_TAB)
    player.key(pygame.K_RETURN)
    assert fight.plan is not None and fight.plan.is_question
    player.click(middle(fight, fight.match.field.cell(1, 4)))
    assert fight.toast_text.startswith("Answer the question")
    assert fight.acting == "gm"
    player.key(pygame.K_SPACE)  # there is nobody to centre on
    assert fight.plan is not None and fight.plan.is_question
    wanted = fight.plan.offers[1].actions[0].option
    player.key(pygame.K_2)
    assert commands(fight)[1]["do"] == "choose" and commands(fight)[1]["option"] == wanted


def test_cards_keep_off_fighters_wherever_there_is_room() -> None:
    window = pygame.Rect(0, 0, 1280, 720)
    fighters = [pygame.Rect(x, y, 56, 56) for x, y in ((400, 300), (460, 300), (520, 300), (700, 200))]
    rect = beside((300, 290), fighters[1], window, fighters, [pygame.Rect(980, 12, 288, 500)])
    assert window.contains(rect) and rect.collidelist(fighters) == -1


def test_a_foe_in_ones_own_space_is_what_a_click_means(player: Player) -> None:
    fight = fight_of(player)
    here = cell_of(fight, "ada")
    player.move(middle(fight, here))
    assert fight.pointed.aimed == "ada"
    assert fight.plan is not None
    sharing = [msgspec.structs.replace(m, cell=here) for m in fight.board.miniatures]
    fight.plan.board = msgspec.structs.replace(fight.board, miniatures=tuple(sharing))
    fight.aiming.repoint()
    assert fight.pointed.aimed == "gob"

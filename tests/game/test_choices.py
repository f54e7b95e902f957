"""The right button: what can be done with what is pointed at; layers are taken back one by one; the way to the menu."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.content import encounter
from game.fight.seats import computers
from game.party.foresight import percent
from game.scenes.dialogs.panels import ContextMenu, Menu
from game.scenes.fight.scene import Fight
from game.widgets.controls import Button
from game.widgets.menu import MenuLine
from rules.contract.units import Cell
from rules.core.registry import RULESETS
from tests.game.hotseat_table import app_at
from tests.game.player import Player, arena, cell_of, commands, fight_of, middle
from tests.game.test_errands import hall, spot


def lines(player: Player) -> dict[str, MenuLine]:
    assert isinstance(player.app.top, ContextMenu), "no menu is open"
    return {w.label: w for panel in player.app.top.ui.live() for w in panel.walk() if isinstance(w, MenuLine)}


def asked(player: Player, pos: tuple[int, int]) -> dict[str, MenuLine]:
    """The lines of the menu that the right button opens at a pixel."""
    player.click(pos, 3)
    return lines(player)


def take(player: Player, label: str) -> None:
    player.click(lines(player)[label].rect.center)


def test_a_foe_is_attacked_from_the_menu_with_each_weapon_at_its_odds() -> None:
    player = app_at()
    fight = fight_of(player)
    plan = fight.plan
    assert plan is not None
    found = asked(player, middle(fight, cell_of(fight, "gob")))
    for action in plan.on("gob"):
        if action.do == "attack":
            odds = plan.odds(action)
            line = found[f"Attack with {action.weapon}"]
            assert odds is not None and percent(odds.hit) in line.cost and "2 AP" in line.cost
    take(player, "Attack with unarmed")
    assert commands(fight)[0] == {"by": "ada", "do": "attack", "target": "gob", "weapon": "unarmed"}


@pytest.mark.parametrize(("size", "scale"), [((1280, 720), 100), ((1920, 1080), 100), ((1280, 720), 150)])
def test_ways_to_strike_a_foe_stand_in_the_menu_uncut(size: tuple[int, int], scale: int) -> None:
    player = Player(App(size, settings=Settings(speed=0, autosave=False, scale=scale)))
    record: dict[str, Any] = arena()
    record["creatures"][0]["weapons"] = ["bastard sword"]
    fight = fight_of(player, record)
    found = asked(player, middle(fight, cell_of(fight, "gob")))
    assert "All-Out Attack with bastard sword" in found, "as long as such words become"
    for label, line in found.items():
        assert line.measure(player.app.look, 10_000)[0] <= line.rect.width, f"{label} is cut"


def test_what_cannot_be_done_to_somebody_says_why_each_by_itself() -> None:
    player = app_at()
    fight = fight_of(player)
    asked(player, middle(fight, cell_of(fight, "gob")))
    take(player, "What can't be done now")
    shut = lines(player)
    assert not shut["Aimed Shot"].enabled and shut["Aimed Shot"].line.why
    assert not shut["First Aid"].enabled and shut["First Aid"].line.why


def test_up_to_a_foe_out_of_reach_and_strike_it_or_why_not() -> None:
    player = app_at()
    fight = fight_of(player, hall("open", gob=(7, 2)))
    found = asked(player, spot(fight, 7, 2))
    assert "%" in found["Go there and attack"].cost and "AP" in found["Go there and attack"].cost
    take(player, "Go there and attack")
    player.until(lambda: any(str(c["do"]).endswith("attack") for c in commands(fight)))
    fight = fight_of(player, hall("closed"))
    found = asked(player, middle(fight, cell_of(fight, "gob")))
    assert not found["Attack"].enabled and "reach" in found["Attack"].line.why


def test_a_space_lists_each_way_with_its_price_or_says_why_there_is_none() -> None:
    player = app_at()
    fight = fight_of(player, hall())
    found = asked(player, spot(fight, 3, 2))
    assert {"Free steps", "Step", "Run"} <= set(found)
    assert found["Step"].cost.startswith("2 AP") and found["Run"].cost.startswith("1 AP")
    take(player, "Run")
    assert commands(fight)[0]["do"] == "run"
    fight = fight_of(player, hall("locked"))
    found = asked(player, spot(fight, 8, 2))
    assert "locked" in found["Go there"].line.why


def test_a_door_is_gone_to_and_opened_from_the_menu_and_a_barred_one_says_why_not() -> None:
    player = app_at()
    fight = fight_of(player, hall())
    found = asked(player, spot(fight, 5, 2))
    assert "Go there: Open door" in found
    take(player, "Go there: Open door")
    player.until(lambda: any(c["do"] == "open" for c in commands(fight)))
    fight = fight_of(player, hall("barred"))
    found = asked(player, spot(fight, 5, 2))
    assert found["Open door"].line.why and not found["Open door"].enabled


def test_the_line_of_sight_and_the_sheet_are_in_the_menu() -> None:
    player = app_at()
    fight = fight_of(player)
    there = middle(fight, cell_of(fight, "gob"))
    asked(player, there)
    take(player, "Line of sight to here")
    assert fight.pointed.line is not None
    player.key(pygame.K_ESCAPE)
    asked(player, there)
    take(player, "Show its sheet")
    assert fight.selected == "gob"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_everybody_and_every_space_has_a_menu_under_every_ruleset(ruleset: str) -> None:
    player = app_at()
    fight = fight_of(player, encounter.surprise("tavern", None, 3, ruleset=ruleset))
    fight.view.skip()
    for mini in fight.board.miniatures:
        fight.show_cells([mini.cell])
        fight.camera.arrive()
        found = asked(player, fight.camera.space_rect(mini.cell).center)
        assert found["Show its sheet"].enabled and "Menu" in found
        player.key(pygame.K_ESCAPE)
        assert player.app.top is fight
    assert not commands(fight) or fight.match.history.length


def test_of_unknown_ground_the_menu_tells_nothing() -> None:
    player = app_at()
    fight = fight_of(player, hall(options={"fog": True}))
    fight.camera.show_all()
    free = fight.camera.free
    pixels = ((x, y) for x in range(free.left, free.right, 9) for y in range(free.top, free.bottom, 9))
    player.click(next(pos for pos in pixels if fight.camera.to_cell(pos) is None), 3)
    assert set(lines(player)) == {"Show all that is known", "Small map", "Menu"}


# -- layers


def test_the_right_button_takes_back_one_pending_layer_before_it_opens_a_menu() -> None:
    player = app_at()
    fight = fight_of(player, hall("open", gob=(7, 2)))
    foe = spot(fight, 7, 2)
    player.press("Attack") if fight.plan and fight.plan.targets() else player.click(foe)
    assert fight.choices.errand is not None
    player.click(foe, 3)
    assert fight.choices.errand is None and player.app.top is fight
    player.click(foe, 3)
    assert isinstance(player.app.top, ContextMenu)


def test_an_armed_button_an_unfolded_more_and_a_line_of_sight_are_a_layer_each() -> None:
    player = app_at()
    fight = fight_of(player)
    spare = middle(fight, fight.match.field.cell(6, 1))
    player.press("Attack")
    player.click(spare, 3)
    assert fight.plan is not None and fight.plan.armed is None and player.app.top is fight
    player.app.presses.modifiers = pygame.KMOD_ALT
    for cell in (fight.match.field.cell(1, 2), fight.match.field.cell(6, 1)):
        player.click(middle(fight, cell))
    player.app.presses.modifiers = 0
    player.click(spare, 3)
    assert fight.pointed.line is None and player.app.top is fight
    player.click(spare, 3)
    assert isinstance(player.app.top, ContextMenu)


def test_escape_takes_back_one_layer_at_a_time_whatever_is_open() -> None:
    player = app_at()
    fight = fight_of(player)
    there = middle(fight, cell_of(fight, "gob"))
    player.press("Attack")
    player.key(pygame.K_m)
    player.click(there, 3) if not fight.choices.more else None
    assert fight.choices.more and fight.plan is not None and fight.plan.armed is not None
    player.key(pygame.K_ESCAPE)
    assert not fight.choices.more and fight.plan.armed is not None
    player.key(pygame.K_ESCAPE)
    assert fight.plan.armed is None and player.app.top is fight
    player.click(there, 3)
    take(player, "What can't be done now")
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.app.top, ContextMenu)
    player.key(pygame.K_ESCAPE)
    assert player.app.top is fight
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.app.top, Menu)
    player.key(pygame.K_ESCAPE)
    assert player.app.top is fight


def test_a_click_beside_the_menu_closes_it_and_nobody_walks() -> None:
    player = app_at()
    fight = fight_of(player, hall())
    asked(player, spot(fight, 3, 2))
    player.click(spot(fight, 1, 1))
    assert player.app.top is fight and not commands(fight)


def test_dragging_with_the_right_button_pans_and_opens_nothing() -> None:
    player = app_at()
    fight = fight_of(player, hall())
    origin = fight.camera.origin
    start_at = spot(fight, 3, 2)
    player.move(start_at)
    player.button(start_at, 3, down=True)
    player.move((start_at[0] + 60, start_at[1] + 30))
    player.button((start_at[0] + 60, start_at[1] + 30), 3, down=False)
    assert player.app.top is fight and fight.camera.origin != origin


def test_who_comes_back_from_a_menu_keeps_the_view_they_had() -> None:
    player = app_at()
    fight = fight_of(player, hall())
    fight.camera.zoom_at(fight.camera.free.center, 2.0)
    fight.camera.pan(-250, -120)
    looked = (fight.camera.origin, fight.camera.zoom)
    player.click(fight.camera.free.center, 3)
    player.key(pygame.K_ESCAPE)
    player.press("menu")
    player.key(pygame.K_ESCAPE)
    fight.camera.arrive()
    assert (fight.camera.origin, fight.camera.zoom) == looked


def test_by_keys_the_same_menu_opens_for_what_the_cursor_is_on() -> None:
    player = app_at()
    fight = fight_of(player)
    player.key(pygame.K_TAB)
    player.key(pygame.K_F10, pygame.KMOD_SHIFT)
    assert "Attack with broadsword" in lines(player)
    player.key(pygame.K_RETURN)
    assert commands(fight)[0]["do"] == "attack"


def test_closing_the_menu_by_key_leaves_what_the_keys_pointed_at_and_what_was_armed() -> None:
    player = app_at()
    fight = fight_of(player)
    player.key(pygame.K_TAB)
    assert fight.pointed.aimed == "gob"
    considered = fight.choices.preview
    player.key(pygame.K_F10, pygame.KMOD_SHIFT)
    player.key(pygame.K_ESCAPE)
    assert fight.pointed.aimed == "gob" and fight.choices.preview == considered is not None
    player.key(pygame.K_ESCAPE)
    for code in (pygame.K_DOWN, pygame.K_DOWN):
        player.key(code)
    player.press("Attack")
    for code in (pygame.K_DOWN, pygame.K_DOWN):
        player.key(code)
    cell = fight.pointed.cell
    player.key(pygame.K_F10, pygame.KMOD_SHIFT)
    player.key(pygame.K_ESCAPE)
    assert fight.pointed.cell == cell is not None and fight.pointed.keyed
    assert fight.plan is not None and fight.plan.armed is not None and fight.plan.armed.do == "attack"


def test_who_undoes_in_between_begins_to_point_anew() -> None:
    player = app_at()
    fight = fight_of(player)
    for code in (pygame.K_DOWN, pygame.K_RETURN, pygame.K_TAB):
        player.key(code)
    assert commands(fight) and fight.pointed.aimed == "gob"
    player.key(pygame.K_F10, pygame.KMOD_SHIFT)
    fight.match.history.undo(0)
    player.key(pygame.K_ESCAPE)
    assert fight.pointed.aimed is None and fight.pointed.cell is None


def test_what_was_offered_in_a_menu_is_not_done_once_things_have_moved_on() -> None:
    player = app_at()
    fight = fight_of(player)
    asked(player, middle(fight, cell_of(fight, "gob")))
    assert fight.plan is not None
    fight.deeds.carry_out(fight.plan.decision, fight.plan.offers[-1].actions[0])  # as when another deed comes in
    take(player, "Attack with broadsword")
    assert ("ada", "attack") not in [(c["by"], c["do"]) for c in commands(fight)]
    assert "moved on" in fight.toast_text


# -- the way to the menu


@pytest.mark.parametrize(("size", "scale"), [((1024, 600), 200), ((1280, 720), 100), ((1920, 1080), 150)])
def test_a_button_for_the_menu_and_one_for_the_whole_map_are_on_screen(size: tuple[int, int], scale: int) -> None:
    app = App(size, settings=Settings(speed=0, autosave=False, scale=scale))
    pygame.event.clear()
    app.navigator.title()
    player = Player(app)
    fight = fight_of(player, arena(gob_at=(8, 4)))
    button = player.button_of("menu")
    assert isinstance(button, Button) and button.label == "Menu"
    assert pygame.Rect((0, 0), size).contains(button.rect)
    zoom = fight.camera.zoom
    player.press("show all")
    assert fight.camera.zoom <= zoom
    free = fight.camera.free
    last: Any = fight.match.field.width * fight.match.field.height - 1
    assert free.contains(fight.camera.space_rect(0)) and free.contains(fight.camera.space_rect(last))
    player.press("menu")
    assert isinstance(app.top, Menu)


def test_a_whole_fight_is_left_alone_by_opening_and_closing_menus() -> None:
    player = app_at()
    fight: Fight = fight_of(player)
    for _ in range(3):
        asked(player, middle(fight, cell_of(fight, "gob")))
        player.key(pygame.K_ESCAPE)
    assert not commands(fight) and fight.plan is not None


def test_a_spell_is_called_by_its_name_in_the_menu() -> None:
    player = app_at()
    record = encounter.surprise("crypt", None, 8, ruleset="cairn")
    fight = fight_of(player, record)
    plan = fight.plan
    assert plan is not None
    for name in fight.planning.open():
        fight.planning.turn_to(name)
        assert fight.plan is not None
        cast = next(o for o in fight.plan.offers if o.do == "cast")
        aimed = [a for a in cast.actions if a.target not in (None, a.by)]
        if aimed:
            break
    target = str(aimed[0].target)
    fight.show_cells([Cell(cell_of(fight, target))])
    found = asked(player, middle(fight, cell_of(fight, target)))
    assert f"Cast: {aimed[0].item}" in found
    assert not any("0.0 harm" in line.cost for line in found.values())


@pytest.mark.parametrize("ruleset", RULESETS)
def test_ones_own_are_given_to_the_computer_and_taken_back_from_the_menu(ruleset: str) -> None:
    player = app_at()
    fight = fight_of(player, encounter.surprise("tavern", None, 3, ruleset=ruleset))
    fight.view.skip()
    ours = [mini for mini in fight.board.miniatures if mini.side == "heroes"]
    foe = next(mini for mini in fight.board.miniatures if mini.side != "heroes")

    def menu(cell: Cell) -> dict[str, MenuLine]:
        fight.show_cells([cell])
        fight.camera.arrive()
        return asked(player, fight.camera.space_rect(cell).center)

    def reach(label: str) -> None:
        """Its menu wherever it stands: the computer may go on while the button is pressed."""
        for _ in range(30):
            if label in menu(Cell(cell_of(fight, ours[0].id))):
                return
            player.key(pygame.K_ESCAPE)
        raise AssertionError(f"no line {label!r}")

    assert "Give it to the computer" not in menu(foe.cell)
    player.key(pygame.K_ESCAPE)
    menu(ours[0].cell)
    take(player, "Give it to the computer")
    assert computers(fight.match.record) == {ours[0].id}
    reach("Play it yourself again")
    take(player, "Play it yourself again")
    assert not computers(fight.match.record)
    reach("Give all of yours to the computer")
    take(player, "Give all of yours to the computer")
    assert computers(fight.match.record) == {mini.id for mini in ours}

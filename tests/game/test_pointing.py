"""The board by keys and by mouse alone: whatever one hand can do, the other can."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from game.scenes.fight.panels.places import overlays
from rules.contract.units import Cell
from tests.game.player import Player, arena, cell_of, commands, fight_of, middle


def far(**options: object) -> dict[str, Any]:
    return arena(gob_at=(8, 4), **options)


def test_arrows_plan_a_way_with_its_cost_and_enter_goes_it(player: Player) -> None:
    fight = fight_of(player, far())
    field = fight.match.field
    for code in (pygame.K_DOWN, pygame.K_DOWN, pygame.K_DOWN):
        player.key(code)
    assert not commands(fight)
    assert fight.pointed.path[-1] == field.cell(1, 4) and fight.choices.preview is not None
    player.key(pygame.K_RETURN)
    assert cell_of(fight, "ada") == field.cell(1, 4)
    assert commands(fight)[0]["do"] == "step"


def test_the_cursor_goes_by_the_cheapest_way_and_space_makes_it_go_by_a_waypoint(player: Player) -> None:
    fight = fight_of(player, far())
    field = fight.match.field
    for code in (pygame.K_RIGHT, pygame.K_DOWN, pygame.K_SPACE, pygame.K_LEFT, pygame.K_DOWN):
        player.key(code)
    assert fight.pointed.path == (field.cell(2, 2), field.cell(1, 3))
    player.key(pygame.K_RETURN)
    assert commands(fight)[-1]["path"] == [[2, 2], [1, 3]]


def test_a_way_may_lead_over_a_friend_by_a_waypoint(player: Player) -> None:
    record = far()
    record["creatures"].append({**record["creatures"][0], "id": "bo", "name": "Bo", "at": [2, 2]})
    fight = fight_of(player, record)
    cell = fight.match.field.cell
    start, friend, goal = (cell(1, 1), cell(2, 2), cell(1, 3))
    if fight.acting == "bo":
        start, friend, goal = friend, start, cell(1, 2)
    player.move(middle(fight, start))
    player.button(middle(fight, start), down=True)
    player.move(middle(fight, friend))
    player.button(middle(fight, friend), 2, down=True)
    player.button(middle(fight, friend), 2, down=False)
    player.move(middle(fight, goal))
    assert fight.pointed.path == (friend, goal) and fight.pointed.path_ok
    player.button(middle(fight, goal), down=False)
    assert cell_of(fight, fight.match.record.commands[-1].by) == goal


def test_escape_takes_back_the_waypoint_then_the_way_then_opens_the_menu(player: Player) -> None:
    fight = fight_of(player, far())
    for code in (pygame.K_RIGHT, pygame.K_SPACE, pygame.K_DOWN, pygame.K_ESCAPE):
        player.key(code)
    assert fight.pointed.path
    player.key(pygame.K_ESCAPE)
    assert not fight.pointed.path and player.app.top is fight
    player.key(pygame.K_ESCAPE)
    assert player.app.top is not fight


def test_where_no_way_leads_enter_says_why(player: Player) -> None:
    fight = fight_of(player, far())
    player.key(pygame.K_UP)
    assert fight.pointed.fault is not None
    player.key(pygame.K_RETURN)
    assert fight.toast_text and not commands(fight)


def test_the_cursor_on_a_foe_aims_at_it_and_strikes_only_by_enter(player: Player) -> None:
    fight = fight_of(player)
    player.key(pygame.K_RIGHT)
    assert fight.pointed.aimed == "gob" and not commands(fight)
    player.key(pygame.K_RETURN)
    assert commands(fight)[0]["do"] == "attack"


def test_a_resting_mouse_means_nothing_to_who_plays_by_keys(player: Player) -> None:
    fight = fight_of(player, far())
    player.move(middle(fight, fight.match.field.cell(3, 2)))
    player.key(pygame.K_DOWN)
    player.key(pygame.K_RETURN)
    player.key(pygame.K_RETURN)
    assert cell_of(fight, "ada") == fight.match.field.cell(1, 2) and len(commands(fight)) == 1
    player.move(middle(fight, fight.match.field.cell(2, 3)))
    assert fight.pointed.cell == fight.match.field.cell(2, 3) and not fight.pointed.keyed


def test_an_armed_movement_may_end_in_a_foes_space_by_a_click_or_by_keys(player: Player) -> None:
    for by_mouse in (True, False):
        fight = fight_of(player)
        player.key(pygame.K_1)
        if by_mouse:
            player.click(middle(fight, cell_of(fight, "gob")))
        else:
            player.key(pygame.K_RIGHT)
            player.key(pygame.K_RETURN)
        assert cell_of(fight, "ada") == cell_of(fight, "gob")


@pytest.mark.parametrize("by_mouse", [True, False])
def test_an_armed_attack_pressed_again_asks_with_which_weapon(player: Player, by_mouse: bool) -> None:
    fight = fight_of(player)
    for _ in range(2):
        player.press("Attack") if by_mouse else player.key(pygame.K_4)
    assert fight.choices.picks is not None
    labels = [entry[0] for entry in fight.choices.picks[1]]
    assert labels == ["Broadsword", "Unarmed"]
    if by_mouse:
        player.press("Unarmed")
        player.click(middle(fight, cell_of(fight, "gob")))
    else:
        player.key(pygame.K_2)
        player.key(pygame.K_TAB)
        player.key(pygame.K_RETURN)
    assert commands(fight)[0]["weapon"] == "unarmed"


def test_while_a_way_is_dragged_the_wheel_button_drops_a_waypoint_and_the_right_one_takes_it_back(
    player: Player,
) -> None:
    fight = fight_of(player, far())
    field = fight.match.field
    player.move(middle(fight, field.cell(1, 1)))
    player.button(middle(fight, field.cell(1, 1)), down=True)
    player.move(middle(fight, field.cell(2, 2)))
    player.button(middle(fight, field.cell(2, 2)), 2, down=True)
    player.button(middle(fight, field.cell(2, 2)), 2, down=False)
    player.move(middle(fight, field.cell(1, 3)))
    assert fight.pointed.path == (field.cell(2, 2), field.cell(1, 3))
    for _ in range(2):  # the waypoint, then the whole way
        player.button(middle(fight, field.cell(1, 3)), 3, down=True)
        player.button(middle(fight, field.cell(1, 3)), 3, down=False)
    player.button(middle(fight, field.cell(1, 3)), down=False)
    assert not commands(fight) and player.app.top is fight


def test_a_clicked_button_keeps_no_keys_from_the_board(player: Player) -> None:
    fight = fight_of(player)
    player.press("Attack")
    player.key(pygame.K_TAB)
    assert fight.pointed.aimed == "gob"
    player.key(pygame.K_RETURN)
    assert commands(fight)[0]["do"] == "attack"


def with_fallen(number: int) -> dict[str, Any]:
    """Ada beside a space where so many fallen goblins lie; one more stands far off."""
    record = far()
    creatures = record["creatures"]
    assert isinstance(creatures, list)
    creatures += [{**creatures[1], "id": f"low{n}", "at": [2 - n, 2], "hp": 0} for n in range(number)]
    return record


def test_who_lies_fallen_is_struck_only_by_an_armed_attack(player: Player) -> None:
    fight = fight_of(player, with_fallen(1))
    there = middle(fight, cell_of(fight, "low0"))
    player.key(pygame.K_TAB)
    assert fight.pointed.aimed != "low0"
    player.press("Attack")
    player.click(there)
    assert commands(fight)[0]["target"] == "low0"


def test_tab_with_an_armed_attack_comes_to_who_stands_before_the_fallen(player: Player) -> None:
    record = arena(gob_at=(2, 1))
    creatures = record["creatures"]
    assert isinstance(creatures, list)
    creatures.insert(1, {**creatures[1], "id": "low", "at": [2, 2], "hp": 0})
    fight = fight_of(player, record)
    player.press("Attack")
    player.key(pygame.K_TAB)
    assert fight.pointed.aimed == "gob"


def test_a_click_on_a_lit_space_goes_there_although_somebody_fell_there(player: Player) -> None:
    fight = fight_of(player, with_fallen(1))
    cell = cell_of(fight, "low0")
    assert fight.plan is not None and fight.plan.move_to(Cell(cell)) is not None
    player.click(middle(fight, cell))
    assert cell_of(fight, "ada") == cell


def casting(**more: object) -> dict[str, Any]:
    """Ada knows two spells, one for a creature and one for a space; her goblin stands far off."""
    record = arena(gob_at=(5, 1))
    creatures = record["creatures"]
    assert isinstance(creatures, list)
    creatures[0] |= {"savvy": 12, "nerve": 12, "skills": {"Wizardry": "Master"}, **more}
    return record


def test_a_spell_is_picked_from_a_list_and_then_pointed_with_its_odds_and_its_area_shown(player: Player) -> None:
    fight = fight_of(player, casting(spells=["ember bolt", "fire blast"], weapons=[]))
    assert fight.plan is not None
    cast = next(o for o in fight.plan.offers if o.do == "cast")
    fight.choosing.take_offer(cast)
    assert fight.choices.picks is not None
    assert [entry[0] for entry in fight.choices.picks[1]] == ["Ember bolt", "Fire blast"]
    player.key(pygame.K_2)
    assert not commands(fight)
    cell = fight.match.field.cell(5, 2)
    player.move(middle(fight, cell))
    preview = fight.choices.preview
    assert preview is not None and preview.at == cell and fight.plan.odds(preview) is not None
    assert fight.plan.area(preview) >> cell & 1
    player.click(middle(fight, cell))
    assert commands(fight)[0]["item"] == "fire blast" and commands(fight)[0]["at"] == [5, 2]


def test_a_spell_around_its_caster_needs_no_pointing(player: Player) -> None:
    fight = fight_of(player, casting(blessings=["bless", "searing light"], weapons=[]))
    assert fight.plan is not None
    fight.choosing.take_offer(next(o for o in fight.plan.offers if o.do == "cast"))
    player.key(pygame.K_1)
    assert commands(fight)[0]["item"] == "bless"


def test_a_door_shows_beforehand_what_it_costs_and_how_likely_it_gives_way(player: Player) -> None:
    rows = ["########", "#..+...#", "#..+...#", "########"]
    record = far(map={"rows": rows, "doors": {"door 3,1": "locked"}})
    record["creatures"][0].update(at=[2, 1], skills={"Burst": "Master"})  # type: ignore[index]
    record["creatures"][1].update(at=[6, 1])  # type: ignore[index]
    fight = fight_of(player, record)
    figures = []
    for row in (1, 2):
        cell = fight.match.field.cell(3, row)
        player.move(middle(fight, cell))
        player.turn()
        player.app.draw()
        assert fight.panels.card_rect is not None, "pointed at, a door has its card"
        found = fight.panels._card_now()
        assert found is not None
        figures.append(" ".join(str(getattr(w, "text", "")) for w in found[0].walk()))
    assert "%" in figures[0] and "Burst" in figures[0], "the locked one with its odds"
    assert "Open door" in figures[1] and "AP" in figures[1]


def test_where_the_board_glides_under_a_resting_mouse_it_points_at_what_lies_there_now(player: Player) -> None:
    fight = fight_of(player, far())
    player.move(middle(fight, fight.match.field.cell(4, 2)))
    seen = fight.pointed.cell
    fight.camera.pan(0, 0)
    x, y = fight.camera.origin
    fight.camera.set_zoom(fight.camera.zoom + 20)
    fight.camera.centre(fight.match.field.cell(2, 2))
    player.turn(6)
    assert fight.camera.origin != (x, y) and fight.camera.to_cell(player.app.pointer) != seen
    assert fight.pointed.cell == fight.camera.to_cell(player.app.pointer)


def test_a_fight_opened_under_a_resting_mouse_points_at_what_lies_there(player: Player) -> None:
    player.move((700, 300))
    fight = fight_of(player, far())
    player.turn(4)
    assert fight.pointed.cell is not None
    assert fight.pointed.cell == fight.camera.to_cell(player.app.pointer)


def test_a_panel_that_comes_under_a_resting_mouse_covers_the_board(player: Player) -> None:
    """A fight opened with the mouse where its End button comes to lie tells nothing of the space below."""
    tall = ["##########", *["#........#"] * 30, "##########"]
    player.move((640, 690))
    fight = fight_of(player, far(map={"rows": tall}))
    player.turn(4)
    assert fight.ui.over(player.app.pointer) and fight.camera.to_cell(player.app.pointer) is not None
    assert fight.pointed.cell is None and fight.panels._card_now() is None


def test_a_ruler_counts_in_feet_or_in_metres() -> None:
    from game.scenes.fight.aiming import length

    assert (length(3, "feet"), length(3, "metres")) == ("3 spaces · 15 ft", "3 spaces · 6 m")


def test_a_button_shows_threatened_ground_until_it_is_pressed_again(player: Player) -> None:
    fight = fight_of(player, arena(gob_at=(8, 4)))
    assert overlays(fight).threat == 0
    player.press("threat")
    marks = overlays(fight)
    assert marks.threat and marks.step, "what one may do is still lit"
    player.press("threat")
    assert overlays(fight).threat == 0


def test_after_a_deed_a_resting_pointer_means_what_it_points_at_by_then(player: Player) -> None:
    fight = fight_of(player, far())
    spot = middle(fight, fight.match.field.cell(3, 1))
    player.move(spot)
    assert fight.choices.preview is not None and fight.choices.preview.do == "free_steps"
    way = fight.match.field.cell(1, 2)
    assert fight.plan is not None
    free = fight.plan.move_to(way)
    assert free is not None and fight.deeds.act(free)
    player.turn()
    assert fight.pointed.cell == fight.match.field.cell(3, 1)
    assert fight.choices.preview is not None and fight.choices.preview.do != "free_steps"

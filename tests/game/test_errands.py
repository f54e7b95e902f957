"""What there is on a space, why no way leads there, and several deeds at one wish: up to a door, up to a foe."""

from __future__ import annotations

from typing import Any

import msgspec
import pygame
import pytest

from game.scenes.dialogs.panels import Menu
from game.scenes.fight import spaces
from game.scenes.fight import spaces as errands
from game.scenes.fight.panels import places
from game.scenes.fight.scene import Fight
from game.widgets.controls import Label
from tests.game.hotseat_table import app_at
from tests.game.planning_table import cairn, countup, settled
from tests.game.player import Player, arena, cell_of, commands, fight_of, middle

HALL = ["############", "#....#.....#", "#....+.....#", "#....#..~..#", "############"]


def hall(door: str = "closed", gob: tuple[int, int] = (10, 1), **more: Any) -> dict[str, Any]:
    """Ada in a room, a goblin in the hall behind its only door."""
    record: dict[str, Any] = arena(gob_at=gob, **more)
    record["map"] = {"rows": HALL, "doors": {"door 5,2": door}}
    record["creatures"][0]["at"] = [1, 2]
    return record


def spot(fight: Fight, column: int, row: int) -> tuple[int, int]:
    return middle(fight, fight.match.field.cell(column, row))


def card_text(player: Player, fight: Fight) -> str:
    player.turn(3)
    player.app.draw()
    found = fight.panels._card_now()
    assert found is not None
    return " | ".join(w.text for w in found[0].walk() if isinstance(w, Label))


def done(fight: Fight) -> list[str]:
    return [str(command["do"]) for command in commands(fight)]


# -- hovering


def test_a_space_that_is_pointed_at_says_what_it_is_and_a_door_how_it_stands() -> None:
    player = app_at()
    fight = fight_of(player, hall("locked"))
    player.move(spot(fight, 5, 2))
    assert "Door" in card_text(player, fight) and "It is locked." in card_text(player, fight)
    player.move(spot(fight, 5, 1))
    assert card_text(player, fight) == "Rock | Nobody can stand there."
    player.move(spot(fight, 2, 1))
    assert "Slate floor" in card_text(player, fight) and "AP" in card_text(player, fight)


@pytest.mark.parametrize("state", ["closed", "locked", "barred"])
def test_beyond_a_shut_door_it_says_which_door_is_in_the_way(state: str) -> None:
    player = app_at()
    fight = fight_of(player, hall(state))
    player.move(spot(fight, 7, 2))
    assert f"The way there is shut. Door: It is {state}." in card_text(player, fight)
    player.click(spot(fight, 7, 2))
    assert f"It is {state}." in fight.toast_text and not commands(fight)


def test_behind_an_open_door_it_says_how_far_it_is() -> None:
    player = app_at()
    fight = fight_of(player, hall("open"))
    player.move(spot(fight, 10, 3))
    assert "spaces" in card_text(player, fight) or "AP" in card_text(player, fight)


def test_a_secret_door_is_a_wall_like_any_other() -> None:
    player = app_at()
    fight = fight_of(player, hall("secret"))
    assert fight.plan is not None
    field = fight.match.field
    door, wall = field.cell(5, 2), field.cell(5, 1)
    assert spaces.told(fight, door) == spaces.told(fight, wall)
    assert spaces.why_no_way(fight, fight.plan, door) == spaces.why_no_way(fight, fight.plan, wall)
    assert "shut" not in spaces.why_no_way(fight, fight.plan, field.cell(7, 2))
    player.click(spot(fight, 5, 2))
    assert not commands(fight)


def test_of_unknown_ground_nothing_is_told() -> None:
    player = app_at()
    fight = fight_of(player, hall(options={"fog": True}))
    cell = fight.match.field.cell(8, 3)
    assert not fight.eyes.known() >> cell & 1
    assert spaces.told(fight, cell).title == "Unknown ground"
    assert "Difficult" not in str(spaces.told(fight, cell))


def test_who_stands_in_the_only_way_is_named() -> None:
    player = app_at()
    fight = fight_of(player, hall("open", gob=(5, 2)))
    assert fight.plan is not None
    why = spaces.why_no_way(fight, fight.plan, fight.match.field.cell(8, 2))
    assert why == "gob stands in the way."


# -- doors


def test_a_click_on_a_door_goes_there_and_opens_it() -> None:
    player = app_at()
    fight = fight_of(player, hall())
    player.click(spot(fight, 5, 2))
    player.until(lambda: "open" in done(fight))
    assert done(fight)[:3] == ["free_steps", "step", "open"]
    assert fight.board.doors == ("open",)


def test_a_click_on_a_door_that_only_dice_open_says_so_and_does_nothing() -> None:
    player = app_at()
    fight = fight_of(player, hall("barred"))
    player.click(spot(fight, 5, 2))
    assert not commands(fight) and fight.toast_text


@pytest.mark.parametrize("made", [cairn, countup])
def test_a_door_is_gone_to_and_opened_under_every_ruleset(made: Any) -> None:
    player = app_at()
    rows = ["############", "#....#.....#", "#....+.....#", "#....#.....#", "#....#.....#", "############"]
    record = made(map={"rows": rows})
    for creature, at in zip(record["creatures"], ([2, 2], [2, 3], [9, 1], [9, 3], [8, 4]), strict=False):
        creature["at"] = at
    fight = fight_of(player, record)
    settled(player, fight)
    assert fight.plan is not None
    by = fight.plan.decision.by
    player.click(spot(fight, 5, 2))
    player.until(lambda: "open" in done(fight))
    assert next(c["by"] for c in commands(fight) if c["do"] == "open") == by


# -- foes


def test_a_click_on_a_foe_out_of_reach_plans_way_and_blow_and_one_more_does_both() -> None:
    player = app_at()
    fight = fight_of(player, hall("open", gob=(7, 2)))
    there = spot(fight, 7, 2)
    player.click(there)
    assert not commands(fight) and fight.choices.errand is not None
    told = card_text(player, fight)
    assert "One more click" in told and "%" in told and "First" in told
    shown = places.overlays(fight)
    assert shown.path and "gob" in shown.chances
    player.click(there)
    player.until(lambda: "attack" in done(fight) or "rushed_attack" in done(fight))
    assert done(fight)[0] in ("free_steps", "step", "run") and fight.match.history.length >= 2


def test_pointing_at_a_foe_out_of_reach_says_what_a_click_plans_and_what_it_costs() -> None:
    player = app_at()
    fight = fight_of(player, hall("open", gob=(7, 2)))
    player.move(spot(fight, 7, 2))
    told = card_text(player, fight)
    assert "A click plans both" in told and "%" in told and "First" in told and "AP" in told
    shown = places.overlays(fight)
    assert shown.path and "gob" in shown.chances and "gob" not in shown.crosses and fight.choices.errand is None
    player.move(spot(fight, 2, 2))
    assert fight.choices.approach is None and "gob" in places.overlays(fight).crosses
    player.click(spot(fight, 7, 2))
    assert "One more click" in card_text(player, fight)


def test_by_keys_enter_plans_and_enter_does_it() -> None:
    player = app_at()
    fight = fight_of(player, hall("open", gob=(7, 2)))
    player.key(pygame.K_TAB)
    while fight.pointed.aimed != "gob":
        player.key(pygame.K_TAB)
    player.key(pygame.K_RETURN)
    assert not commands(fight) and fight.choices.errand is not None
    player.key(pygame.K_RETURN)
    player.until(lambda: any(do.endswith("attack") for do in done(fight)))
    assert done(fight)[0] == "free_steps"


def test_escape_takes_back_the_plan_alone_and_a_click_elsewhere_forgets_it() -> None:
    player = app_at()
    fight = fight_of(player, hall("open", gob=(7, 2)))
    player.click(spot(fight, 7, 2))
    player.key(pygame.K_ESCAPE)
    assert fight.choices.errand is None and player.app.top is fight
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.app.top, Menu)
    player.key(pygame.K_ESCAPE)
    player.click(spot(fight, 7, 2))
    player.click(spot(fight, 2, 2))
    assert fight.choices.errand is None and len(commands(fight)) == 1


def test_a_foe_too_far_for_both_is_told_why_not() -> None:
    player = app_at()
    fight = fight_of(player, hall("closed"))
    player.click(middle(fight, cell_of(fight, "gob")))
    assert fight.choices.errand is None and fight.toast_text and not commands(fight)


def test_what_comes_between_ends_the_errand() -> None:
    """Somebody whom nobody saw stops the way: the blow is not struck from elsewhere."""
    player = app_at()
    record = hall("open", gob=(7, 2))
    fight = fight_of(player, record)
    player.click(spot(fight, 7, 2))
    planned = fight.choices.errand
    assert planned is not None
    short = planned.actions[0].path[:1]
    real = fight.deeds.act
    stopped: list[str] = []

    def halved(action: Any) -> bool:
        stopped.append(action.do)
        return real(msgspec.structs.replace(action, path=short))

    fight.deeds.act = halved  # type: ignore[method-assign]
    fight.errands.do(planned)
    player.turn(6)
    assert len(stopped) == 1 and len(commands(fight)) == 1


@pytest.mark.parametrize("made", [cairn, countup])
def test_way_and_blow_go_together_under_every_ruleset(made: Any) -> None:
    player = app_at()
    fight = fight_of(player, made())
    settled(player, fight)
    plan = fight.plan
    assert plan is not None
    far = [m.id for m in fight.board.miniatures if plan.is_foe(m.id) and plan.strike(m.id) is None]
    near = min(far, key=lambda name: abs(plan.minis[name].cell % 12 - plan.minis[plan.decision.by].cell % 12))
    there = middle(fight, cell_of(fight, near))
    player.click(there)
    assert not commands(fight) and fight.choices.errand is not None
    player.click(there)
    player.until(lambda: len(commands(fight)) >= 2)
    assert [c["do"] for c in commands(fight)[:2]][1] in ("attack", "shoot")


def test_who_may_not_move_any_more_is_told_so_and_not_that_there_is_no_water() -> None:
    player = app_at()
    fight = fight_of(player, arena(gob_at=(8, 4)))
    for do in ("free_steps", "step"):
        assert fight.plan is not None
        fight.deeds.act(next(action for action in fight.plan.legal if action.do == do))
        player.turn(3)
    assert fight.plan is not None
    beside = fight.match.field.cell(1, 3)
    assert fight.plan.why_not_there((beside,)) and "water" not in fight.plan.why_not_there((beside,))


def test_each_part_of_a_way_says_what_it_costs_from_where_it_begins() -> None:
    """Free steps cost nothing and are left out; the steps after them, and the blow, have their price."""
    player = app_at()
    fight = fight_of(player, arena(gob_at=(8, 4)))
    assert fight.plan is not None
    errand = errands.to_foe(fight.plan, "gob")
    assert errand is not None and [a.do for a in errand.actions][0] == "free_steps" and len(errand.actions) == 3
    walked, struck = errand.told[1].points, errand.told[2].points
    assert walked == -(-len(errand.actions[1].path) // (2 if errand.actions[1].do == "run" else 1)) > 0
    assert errand.cost == f"{walked} AP + {struck} AP"
    before = fight.match.board().miniatures[0].points.value
    fight.errands.do(errand)
    player.turn(12)
    assert before - fight.match.board().miniatures[0].points.value == walked + struck


# -- with the keys alone


def test_a_door_that_is_gone_to_and_opened_says_beforehand_what_that_costs() -> None:
    player = app_at()
    fight = fight_of(player, hall())
    player.move(spot(fight, 5, 2))
    pointed = card_text(player, fight)
    assert "First Step: 1 AP" in pointed and "Then Open" in pointed and "shut" not in pointed
    for _ in range(4):
        player.key(pygame.K_RIGHT)
    assert card_text(player, fight) == pointed
    player.key(pygame.K_RETURN)
    player.until(lambda: "open" in done(fight))


def test_tab_finds_the_foes_where_nobody_can_be_struck_yet() -> None:
    player = app_at()
    fight = fight_of(player, hall("open", gob=(10, 1)))
    player.key(pygame.K_TAB)
    assert fight.pointed.aimed == "gob"
    player.key(pygame.K_RETURN)
    assert fight.choices.errand is not None or "gob" in fight.toast_text


def test_where_a_side_plans_tab_comes_to_the_foes_before_the_others_of_ones_own() -> None:
    player = app_at()
    fight = fight_of(player, cairn())
    settled(player, fight)
    assert fight.plan is not None
    player.key(pygame.K_TAB)
    assert fight.pointed.aimed is not None and fight.plan.is_foe(fight.pointed.aimed)

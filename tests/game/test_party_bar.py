"""What the party's bar and the card of a way say, and that nothing is spent before it can be refused."""

from __future__ import annotations

from typing import Any

import pygame

from game.scenes.fight.panels.party import card
from game.scenes.fight.panels.places import overlays
from game.scenes.fight.scene import Fight
from game.scenes.fight.spaces import Told
from game.widgets.controls import Label
from tests.game.hotseat_table import app_at, being
from tests.game.player import Player, commands, fight_of, middle
from tests.game.test_party import PARTY, ROWS

CTRL = pygame.KMOD_CTRL
TORCH = {"light": 4, "lamp": "torch", "spares": 0}


def evening(lights: list[dict[str, Any]], ground: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
    """Four heroes in the first room, who carry these lights; a goblin far behind a door."""
    own = [*lights, *({} for _ in PARTY)]
    heroes = [being(name.title(), "heroes", (1 + n, 1), **own[n]) for n, name in enumerate(PARTY)]
    gob = being("Gob", "monsters", (27, 1), controller="ai", savvy=1, nerve=1)
    return {
        "format": "battlemat/1", "ruleset": "olde", "options": {"explore": True, **options}, "seed": 3,
        "map": {"rows": ROWS, **(ground or {})}, "creatures": [*heroes, gob], "commands": [],
    }  # fmt: skip


def begun(player: Player, record: dict[str, Any]) -> Fight:
    fight = fight_of(player, record)
    fight.marching.take_manner("walk")
    return fight


def idle(player: Player, fight: Fight) -> None:
    player.until(lambda: not fight.marching.running and not fight.behind and fight.plan is not None)


def at(fight: Fight, column: int, row: int) -> tuple[int, int]:
    return middle(fight, fight.match.field.cell(column, row))


# -- the light


def pressable(player: Player, key: str) -> bool:
    button = player.button_of(key)
    return button is not None and button.enabled


def test_light_and_douse_can_be_pressed_where_they_mean_something() -> None:
    player = app_at()
    fight = begun(player, evening([TORCH], darkness=True))
    assert not pressable(player, "party_light"), "it burns"
    player.press("party_douse")
    idle(player, fight)
    assert [command["do"] for command in commands(fight)] == ["douse"]
    assert not pressable(player, "party_douse") and pressable(player, "party_light")
    player.key(pygame.K_n, CTRL, text="")
    idle(player, fight)
    assert [command["do"] for command in commands(fight)][-1] == "light"


def test_the_lights_button_says_why_nothing_can_be_lit() -> None:
    player = app_at()
    fight = begun(player, evening([], darkness=True))
    button = player.button_of("party_light")
    assert button is not None and not button.enabled
    told = fight.marching.offered()["party_light"]
    assert isinstance(told, str) and told.startswith("Light: ")
    player.click(button.rect.center)
    assert commands(fight) == [], "what is refused spends nothing"


def test_nobody_is_offered_a_light_where_it_is_bright() -> None:
    player = app_at()
    begun(player, evening([]))
    assert player.button_of("party_light") is None and player.button_of("party_douse") is None


# -- the way


def test_the_ways_line_ends_where_the_leader_will_stand_and_its_card_counts_the_doors() -> None:
    player = app_at()
    fight = begun(player, evening([]))
    player.move(at(fight, 12, 2))
    course, marks = fight.choices.course, overlays(fight)
    assert course is not None and marks.path == course.way
    assert course.way[-1] == course.ends["ada"] == fight.match.field.cell(12, 2)
    assert marks.walker == "ada"
    assert course.notes == ("A door on the way",)
    told = [str(each.text) for each in card(fight, course, Told("Floor")).walk() if isinstance(each, Label)]
    assert any(line.startswith("The party: ") for line in told) and {course.cost, *course.notes} <= {*told}


def test_no_line_is_drawn_to_where_nobody_can_go() -> None:
    player = app_at()
    fight = begun(player, evening([]))
    player.move(at(fight, 12, 2))
    assert overlays(fight).path
    player.move(at(fight, 0, 0))
    assert fight.choices.course is None and not overlays(fight).path
    player.click(at(fight, 0, 0))
    assert commands(fight) == []


# -- taking


def chest(**says: Any) -> dict[str, Any]:
    coffer = {"id": "coffer", "kind": "chest", "at": [[3, 3]], "difficulty": 14, "contents": "12 coins", **says}
    return {"challenges": [coffer]}


def test_take_all_refuses_a_locked_chest_before_anybody_moves() -> None:
    player = app_at()
    fight = begun(player, evening([], chest()))
    button = player.button_of("party_loot")
    assert button is not None and not button.enabled
    player.click(button.rect.center)
    player.key(pygame.K_p, CTRL, text="")
    idle(player, fight)
    assert commands(fight) == []
    told = fight.marching.offered()["party_loot"]
    assert told == "What is left here is locked: break it open, or find its key"


def test_take_all_opens_a_chest_that_is_not_locked() -> None:
    player = app_at()
    fight = begun(player, evening([], chest(difficulty=0), fixtures=True))
    player.key(pygame.K_p, CTRL, text="")
    idle(player, fight)
    assert {"open_chest", "loot"} <= {command["do"] for command in commands(fight)}


# -- several seats


def seated(player: Player) -> Fight:
    seats = [{"name": "Ann", "plays": ["ada", "bo"]}, {"name": "Ben", "plays": ["cy", "di"]}]
    return begun(player, {**evening([]), "seats": seats})


def at_screen(player: Player, fight: Fight, name: str) -> None:
    player.until(lambda: fight.seating.at.name == name and not fight.behind and fight.plan is not None)


def test_an_order_moves_nobody_of_another_seat_and_goes_on_when_its_own_turn_comes() -> None:
    player = app_at()
    fight = seated(player)
    player.click(at(fight, 18, 4))
    at_screen(player, fight, "Ben")
    player.turn(6)
    assert {command["by"] for command in commands(fight)} == {"ada", "bo"}, "Ben's have not had their turn yet"
    assert not fight.marching.running and fight.board.banner == "Exploration, minute 1"
    assert player.button_of("party_explore") is not None, "Ben's own orders can be given"
    player.key(pygame.K_RETURN, pygame.KMOD_SHIFT)
    at_screen(player, fight, "Ann")
    walked = sum(command["do"] == "walk" for command in commands(fight))
    at_screen(player, fight, "Ben")
    assert sum(command["do"] == "walk" for command in commands(fight)) > walked, "Ann's order went on by itself"


def test_both_seats_orders_are_carried_out_side_by_side() -> None:
    player = app_at()
    fight = seated(player)
    player.click(at(fight, 17, 1))
    at_screen(player, fight, "Ben")
    assert fight.marching.go(fight.match.field.cell(17, 4))

    def there(name: str) -> tuple[int, int]:
        return next(fight.match.field.at(mini.cell) for mini in fight.board.miniatures if mini.id == name)

    player.until(lambda: there("ada") == (17, 1) and not fight.marching.running)
    for _ in range(8):  # who is there already waits for the others
        if fight.seating.at.name == "Ann":
            player.key(pygame.K_RETURN, pygame.KMOD_SHIFT)
        player.turn(12)
    assert there("cy") == (17, 4)
    assert {command["by"] for command in commands(fight)} == {"ada", "bo", "cy", "di"}

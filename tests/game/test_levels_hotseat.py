"""Two seats on different maps of a place: neither is shown the other's map, nor that there is anybody on it."""

from __future__ import annotations

from typing import Any

import pygame

from game.scenes.fight.scene import Fight
from game.widgets.controls import Button
from tests.game.hotseat_table import ROWS, app_at, being, let_in, seated, table, texts
from tests.game.player import Player


def cellar(**more: Any) -> dict[str, Any]:
    """Ann's heroes above, Ben's beasts below, stairs between."""
    below = [being(name, "beasts", at, map="below") for name, at in (("Zugg", (13, 1)), ("Yark", (13, 2)))]
    above = [being(name, "heroes", at, map="above") for name, at in (("Ada", (1, 1)), ("Bruno", (1, 2)))]
    place = {"place": [{"name": "above", "rows": ROWS}, {"name": "below", "rows": ROWS}],
             "stairs": [[["above", 5, 5], ["below", 2, 5]]]}  # fmt: skip
    return {**table(), "format": "battlemat/2", "map": place, "creatures": [*above, *below], **more}


def strip(fight: Fight) -> list[str]:
    every = (w for panel in fight.ui.live() for w in panel.walk())
    return [w.label for w in every if isinstance(w, Button) and w.key.startswith("map ")]


def end_turn(player: Player, fight: Fight) -> None:
    """Everybody of the seat at the screen lets their chance pass, until another seat is let in."""
    seat = fight.seating.at.name
    for _ in range(12):
        if fight.seating.at.name != seat:
            return
        player.key(pygame.K_RETURN, pygame.KMOD_CTRL)
        player.turn(4)
        let_in(player)


def test_each_seat_sees_its_own_map_alone() -> None:
    player = app_at()
    fight = seated(player, cellar())
    seen: dict[str, tuple[int, list[str], set[str]]] = {}
    for _ in range(6):
        player.turn(4)
        names = {mini.name for mini in fight.view.board.miniatures} if fight.view.board is not None else set()
        seen[fight.seating.at.name] = (fight.camera.level, strip(fight), names)
        if len(seen) == 2:
            break
        end_turn(player, fight)
    assert seen == {"Ann": (0, [], {"Ada", "Bruno"}), "Ben": (1, [], {"Zugg", "Yark"})}


def test_nothing_that_is_drawn_for_one_names_the_other_or_its_map() -> None:
    player = app_at()
    fight = seated(player, cellar())
    at = fight.seating.at.name
    hidden = {"Ann": ("Zugg", "Yark", "below"), "Ben": ("Ada", "Bruno", "above")}[at]
    for _ in range(3):
        player.key(pygame.K_PAGEDOWN)
        player.key(pygame.K_PAGEUP, pygame.KMOD_CTRL)
        assert fight.camera.level == (0 if at == "Ann" else 1)
    assert not [word for word in texts(fight) for name in hidden if name in word]


def test_taking_back_across_seats_leaves_the_camera_on_the_own_map() -> None:
    player = app_at()
    fight = seated(player, cellar(options={"fog": False}, seats=[]))
    for record in ("ada", "bruno"):
        fight.select(record, centre=True)
        assert fight.camera.level == 0
    fight.select("zugg", centre=True)
    assert fight.camera.level == 1
    player.key(pygame.K_RETURN, pygame.KMOD_CTRL)
    player.turn(6)
    player.key(pygame.K_z, pygame.KMOD_CTRL)
    player.turn(6)
    acting = next(mini for mini in fight.board.miniatures if mini.id == fight.acting)
    assert fight.camera.shows(acting.cell)

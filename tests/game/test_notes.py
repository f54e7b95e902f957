"""Notes of a map: a page on its space, told where it is pointed at; the game master's own for their eyes alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pygame
import pytest

from game.fight.match import Match
from game.maps.tiled import load_map
from game.scenes.fight.panels import card
from game.scenes.fight.panels.card import notes_of
from game.scenes.fight.scene import Fight
from game.scenes.setup import Setup
from game.setup import draft as drafts
from game.view import overlays as pins
from rules.board.bitboard import board_of
from rules.contract.units import Cell
from rules.core import record as records
from tests.game.hotseat_table import app_at, being
from tests.game.player import Player
from tests.game.tmx_text import floor, layer, objects, save, thing, tmx

WALL = [[1] * 16 for _ in range(5)]
for _row in WALL:
    _row[9] = 2
NOTES = objects(
    thing(1, "Note", (4 * 32 + 5, 37), text="Cold air from below.", gm_only=False),
    thing(2, "Note", (6 * 32, 64, 32, 32), text="The chest is a mimic.", gm_only=True),
    thing(3, "Note", (13 * 32, 64, 32, 32), text="Bones."),
    thing(4, "Note", (14 * 32, 64, 32, 32)),
)
ANN, BEN = {"name": "Ann", "plays": ["beasts"]}, {"name": "Ben", "plays": ["heroes", "gm"]}


def room(folder: Path) -> Path:
    """A wall parts two rooms: an open note and a secret one on the left, an open one on the right."""
    tiles = [tile for row in WALL for tile in row]
    return save(folder, tmx(layer(tiles, 16, 5) + NOTES, 16, 5), "room.tmx")


def fight(folder: Path, seats: list[dict[str, Any]], **options: Any) -> tuple[Player, Fight]:
    room(folder)
    player = app_at()
    record = records.read({
        "format": "battlemat/1", "ruleset": "olde", "options": options, "map": {"tmx": "room.tmx"}, "seed": 3,
        "seats": seats, "creatures": [being("Ada", "heroes", (1, 2)), being("Zugg", "beasts", (11, 2))],
    })  # fmt: skip
    scene = Fight(player.app, Match.from_record(record, beside=folder))
    player.app.push(scene)
    return player, scene


def texts(found: tuple[pins.Pin, ...]) -> list[str]:
    return [pin.text for pin in found]


def sit(scene: Fight, name: str) -> None:
    """Somebody takes the screen."""
    scene.seating.at = next(seat for seat in scene.seating.seats.seats if seat.name == name)
    scene.look()


def test_a_note_without_a_word_is_none(tmp_path: Path) -> None:
    assert len(load_map(room(tmp_path)).notes) == 4
    assert texts(pins.map_pins(load_map(room(tmp_path)), -1, secrets=True)) == [
        "Cold air from below.", "The chest is a mimic.", "Bones.",
    ]  # fmt: skip


def test_what_is_hidden_in_tiled_is_the_game_masters(tmp_path: Path) -> None:
    note = thing(1, "Note", (0, 0, 32, 32), text="Psst.").replace("<object ", '<object visible="0" ')
    loaded = load_map(save(tmp_path, tmx(floor() + objects(note))))
    assert pins.map_pins(loaded, -1, secrets=False) == () and len(pins.map_pins(loaded, -1, secrets=True)) == 1


def test_signs_that_cannot_be_drawn_are_left_out_and_no_note_fills_the_window(tmp_path: Path) -> None:
    note = thing(1, "Note", (0, 0, 32, 32), text="A&#9;bell" + "x" * 5000)
    (pin,) = pins.map_pins(load_map(save(tmp_path, tmx(floor() + objects(note)))), -1, secrets=False)
    assert pin.text.startswith("A bell") and len(pin.text) == pins.LONGEST + 1


def test_players_read_the_open_notes_and_the_game_masters_are_not_among_them(tmp_path: Path) -> None:
    _, scene = fight(tmp_path, [ANN, {"name": "Ben", "plays": ["heroes"]}])
    assert texts(notes_of(scene)) == ["Cold air from below.", "Bones."]


def test_in_fog_only_notes_on_ground_that_is_known_are_there(tmp_path: Path) -> None:
    _, scene = fight(tmp_path, [ANN, BEN], fog=True)
    sit(scene, "Ann")
    assert texts(notes_of(scene)) == ["Bones."]


def test_in_fog_no_note_is_told_of_a_block_that_nobody_has_seen() -> None:
    """From the threshold of the crypt the floor before the altar shows, the altar itself does not."""
    player = app_at()
    record = records.read({
        "format": "battlemat/1", "ruleset": "olde", "options": {"fog": True}, "map": {"tmx": "crypt.tmx"}, "seed": 3,
        "seats": [{"name": "Ann", "plays": ["heroes"]}, {"name": "Ben", "plays": ["beasts"]}],
        "creatures": [
            being("Ada", "heroes", (14, 24)), being("Eve", "heroes", (15, 23)), being("Zugg", "beasts", (16, 9)),
        ],
    })  # fmt: skip
    scene = Fight(player.app, Match.from_record(record))
    player.app.push(scene)
    sit(scene, "Ann")
    assert [pin.title for pin in notes_of(scene)] == ["The threshold"]
    assert all(scene.eyes.known() >> pin.cell & 1 for pin in notes_of(scene))


def test_a_wide_note_stands_on_those_of_its_spaces_that_are_known(tmp_path: Path) -> None:
    wide = thing(1, "Note", (32, 32, 96, 32), text="Scratches.")
    loaded = load_map(save(tmp_path, tmx(layer([1] * 40, 8, 5) + objects(wide), 8, 5)))
    (pin,) = pins.map_pins(loaded, 1 << 11, secrets=False)
    assert pin.cells == (11,) and pin.cell == 11
    assert pins.map_pins(loaded, 1 << 12, secrets=False) == ()


def test_the_game_masters_notes_are_shown_behind_a_handover_and_not_on_a_screen_that_all_look_at(
    tmp_path: Path,
) -> None:
    _, scene = fight(tmp_path, [ANN, BEN], fog=True)
    sit(scene, "Ben")
    assert texts(notes_of(scene)) == ["Cold air from below.", "The chest is a mimic."]
    _, scene = fight(tmp_path, [ANN, BEN])
    sit(scene, "Ben")
    assert "The chest is a mimic." not in texts(notes_of(scene))


def test_the_game_masters_view_shows_them(tmp_path: Path) -> None:
    _, scene = fight(tmp_path, [{"name": "Ann", "plays": ["heroes", "beasts"]}], fog=True)
    assert "The chest is a mimic." not in texts(notes_of(scene))
    scene.hotseat.see_all()
    assert "The chest is a mimic." in texts(notes_of(scene))


def shown(player: Player) -> bytes:
    player.turn()
    player.app.draw()
    return pygame.image.tobytes(player.app.surface, "RGB")


def test_pointed_at_a_note_is_told_by_mouse_in_a_fight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    player, scene = fight(tmp_path, [{"name": "Ann", "plays": ["heroes", "beasts"]}])
    told: list[str] = []
    at = pins.pins_at

    def heard(found: Any, cell: Cell) -> Any:
        told.extend(pin.text for pin in at(found, cell))
        return at(found, cell)

    monkeypatch.setattr(card, "pins_at", heard)
    scene.view.skip()
    player.move(scene.camera.space_rect((2, 2)).center)
    shown(player)
    assert told == []
    player.move(scene.camera.space_rect((4, 1)).center)
    shown(player)
    assert "Cold air from below." in told


def test_the_page_is_seen_on_its_space_and_keeps_off_who_stands_there(tmp_path: Path) -> None:
    _, scene = fight(tmp_path, [{"name": "Ann", "plays": ["heroes", "beasts"]}])
    scene.view.skip()
    scene.draw(scene.app.surface)
    (pin, _) = notes_of(scene)
    page, space = pins.pin_rect(scene.camera, pin), scene.camera.space_rect(pin.cell)
    assert scene.app.surface.get_at((page.centerx, page.top + page.height // 4))[:3] == (242, 233, 216)
    assert not page.collidepoint(space.center) and page.width >= pins.LEAST_PIN


def test_who_prepares_an_encounter_sees_all_notes_and_reads_them_by_keys(tmp_path: Path) -> None:
    player = app_at()
    room(tmp_path)
    record = records.read({
        "format": "battlemat/1", "ruleset": "olde", "map": {"tmx": "room.tmx"}, "seed": 3,
        "creatures": [being("Ada", "heroes", (1, 2)), being("Zugg", "beasts", (11, 2))],
    })  # fmt: skip
    scene = Setup(player.app, drafts.from_record(record), beside=tmp_path)
    player.app.push(scene)
    scene.cursor = (5, 2)
    player.key(pygame.K_LSHIFT)
    before = shown(player)
    scene.cursor = (6, 2)
    assert shown(player) != before
    known = board_of([scene.editor.ground.cell(6, 2)]) if scene.editor.ground is not None else 0
    assert texts(pins.map_pins(scene.loaded, known, secrets=True)) == ["The chest is a mimic."]

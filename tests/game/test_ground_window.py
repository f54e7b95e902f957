"""The ground drawn in the window, by mouse and by keys, as a person does it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from game import paths
from game.maps.editing import things
from game.maps.editing.proposal import Proposal
from game.maps.tiled import check_map, load_map
from game.scenes.dialogs.panels import Menu
from game.scenes.ground import deeds
from game.scenes.ground.model import Aim, Tool
from game.scenes.ground.newmap import NewMap
from game.scenes.ground.scene import GroundScene
from game.scenes.setup import Setup
from game.setup import files
from rules.board.grid import Ground
from tests import test_proposing as proposing
from tests.game.ground_table import CTRL, SHIFT, drawer
from tests.game.player import labels


@pytest.fixture(autouse=True)
def own_maps() -> Iterator[Path]:
    """The user's maps, empty before and after."""
    home = paths.user_folder("maps")
    yield home
    shutil.rmtree(home, ignore_errors=True)
    files.draft_path().unlink(missing_ok=True)


def test_the_brush_draws_where_it_is_dragged_and_undo_takes_the_stroke_back() -> None:
    player = drawer()
    before = player.document.data()
    player.took("wall")
    player.span((10, 14), (14, 14))
    assert [player.kind_at((x, 14)) for x in range(9, 16)] == ["wood", *["wall"] * 5, "wood"]
    assert player.table.editor.ground.ground[14 * 30 + 12] == Ground.BLOCKED, "the table plays on what was drawn"
    player.key(pygame.K_z, CTRL)
    assert player.document.data() == before
    player.key(pygame.K_y, CTRL)
    assert player.kind_at((12, 14)) == "wall"


def test_a_line_a_rectangle_and_a_fill() -> None:
    player = drawer()
    player.took("water")
    player.key(pygame.K_l)
    player.span((8, 12), (12, 16))
    assert [player.kind_at((8 + n, 12 + n)) for n in range(5)] == ["water"] * 5
    player.key(pygame.K_r)
    player.span((14, 17), (17, 19))
    assert all(player.kind_at((x, y)) == "water" for x in range(14, 18) for y in range(17, 20))
    player.took("mud")
    player.key(pygame.K_f)
    player.click(player.pixel((15, 18)))
    assert all(player.kind_at((x, y)) == "mud" for x in range(14, 18) for y in range(17, 20))
    assert player.kind_at((8, 12)) == "water"


def test_a_room_has_walls_around_and_floor_within_and_by_choice_thin_ones() -> None:
    player = drawer()
    player.took("stone")
    player.took("wall")
    player.key(pygame.K_o)
    player.span((8, 14), (12, 18))
    assert player.kind_at((8, 14)) == player.kind_at((12, 16)) == "wall"
    assert {player.kind_at((x, y)) for x in range(9, 12) for y in range(15, 18)} == {"stone"}
    walls = len(player.document.read().field.edges)
    player.press("Thin walls, on the edges")
    player.span((14, 14), (16, 16))
    assert player.kind_at((14, 14)) == "stone" and len(player.document.read().field.edges) == walls + 12


def test_thin_walls_run_from_corner_to_corner_and_the_eraser_cuts_them() -> None:
    player = drawer()
    player.took("thin wall")
    before = {(wall.a, wall.b) for wall in player.document.read().field.edges}
    player.table.camera.centre((12, 15))
    player.table.camera.arrive()
    player.drag(player.corner((10, 15)), player.corner((14, 15)))
    fresh = {(wall.a, wall.b) for wall in player.document.read().field.edges} - before
    assert fresh == {(14 * 30 + x, 15 * 30 + x) for x in range(10, 14)}
    player.key(pygame.K_e)
    x, y = player.corner((11, 15))
    player.click((x + player.table.camera.zoom // 2, y))
    now = {(wall.a, wall.b) for wall in player.document.read().field.edges} - before
    assert now == fresh - {(14 * 30 + 11, 15 * 30 + 11)}


def test_a_door_is_put_down_turned_named_and_moved() -> None:
    player = drawer()
    player.took("door")
    player.click(player.pixel((12, 15)))
    chosen = player.model.chosen
    assert chosen is not None and chosen.shape == "Door" and chosen.spots == ((12, 15),)
    player.key(pygame.K_t)
    now = player.model.chosen
    assert now is not None and now.says["state"] == "locked"
    player.key(pygame.K_F2)
    for letter in "oak":
        player.key(ord(letter))
    now = player.model.chosen
    assert now is not None and now.name == "oak"
    player.key(pygame.K_ESCAPE)
    player.span((12, 15), (13, 16))
    assert [t.spots for t in things.all_of(player.document) if t.name == "oak"] == [((13, 16),)]
    player.key(pygame.K_DELETE)
    assert not [t for t in things.all_of(player.document) if t.name == "oak"]


def test_a_door_near_a_line_stands_on_that_edge() -> None:
    player = drawer()
    player.took("door")
    x, y = player.corner((12, 15))
    player.click((x + player.table.camera.zoom // 2, y + 1))
    chosen = player.model.chosen
    assert chosen is not None and chosen.edges == ((12, 15, False),)


def test_what_a_field_cannot_hold_stays_typed_and_the_map_as_it_was() -> None:
    player = drawer()
    player.took("trap")
    player.click(player.pixel((12, 15)))
    before = player.document.data()
    field = next(w for w in player.scene.ui.ring() if w.key == "field-damage")
    player.click(field.rect.center)
    player.key(pygame.K_END)
    player.key(pygame.K_x)
    assert player.document.data() == before and player.model.typed["damage"] == "d6x"
    player.key(pygame.K_BACKSPACE)
    assert not player.model.typed


def test_a_part_is_copied_and_put_down() -> None:
    player = drawer()
    player.key(pygame.K_c)
    player.span((3, 9), (5, 11))
    assert player.model.tool is Tool.PASTE and player.model.part is not None
    player.click(player.pixel((12, 14)))
    props = {prop.cell for prop in player.document.read().props}
    wide = 30
    for x in range(3):
        for y in range(3):
            assert ((9 + y) * wide + 3 + x in props) == ((14 + y) * wide + 12 + x in props)


def test_everything_goes_by_keys() -> None:
    player = drawer()
    player.table.cursor = (10, 15)
    player.key(pygame.K_4)
    assert player.model.kind.name == "wall"
    player.key(pygame.K_RETURN)
    assert player.kind_at((10, 15)) == "wall"
    player.key(pygame.K_RIGHT, SHIFT)
    player.key(pygame.K_RIGHT, SHIFT)
    assert player.kind_at((12, 15)) == "wall"
    player.key(pygame.K_o)
    player.key(pygame.K_DOWN)
    player.key(pygame.K_RETURN)
    for code in (pygame.K_RIGHT, pygame.K_RIGHT, pygame.K_DOWN, pygame.K_DOWN):
        player.key(code)
    player.key(pygame.K_RETURN)
    assert player.kind_at((14, 18)) == "wall" and player.kind_at((13, 17)) == "wood"
    player.key(pygame.K_e)
    player.key(pygame.K_RETURN)
    assert player.document.read().field.ground[18 * 30 + 14] == Ground.VOID
    player.key(pygame.K_TAB)
    assert player.model.kind.name == "rockwall"


def test_a_map_of_the_game_is_copied_and_its_own_file_stays(own_maps: Path) -> None:
    player = drawer()
    shipped = paths.shipped_maps() / "tavern.tmx"
    before = shipped.read_bytes()
    player.took("wall")
    player.click(player.pixel((12, 15)))
    player.key(pygame.K_s, CTRL)
    copy = own_maps / "tavern" / "tavern.tmx"
    assert shipped.read_bytes() == before and copy.is_file()
    assert load_map(copy).materials[15 * 30 + 12] == "wall" and check_map(copy).fit
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.app.top, Setup) and player.table.editor.draft.map == {"tmx": "tavern/tavern.tmx"}
    player.key(pygame.K_z, CTRL)  # at the table the same order goes on, and the file with it
    assert load_map(copy).materials[15 * 30 + 12] == "wood"
    assert copy.read_bytes() == before
    assert player.table.editor.draft.map == {"tmx": "tavern/tavern.tmx"}


def test_whoever_leaves_with_something_unsaved_is_asked() -> None:
    player = drawer()
    player.took("wall")
    player.click(player.pixel((12, 15)))
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.app.top, Menu)
    player.press("Go on drawing")
    assert player.app.top is player.scene
    player.key(pygame.K_RETURN, CTRL)
    player.press("Throw away what was drawn")
    assert isinstance(player.app.top, Setup)
    assert player.table.loaded is not None and player.table.loaded.materials[15 * 30 + 12] == "wood"
    assert not player.table.editor.undoes


def test_escape_takes_back_one_layer_at_a_time() -> None:
    player = drawer()
    before = player.document.data()
    player.took("wall")
    player.move(player.pixel((12, 15)))
    player.button(player.pixel((12, 15)), down=True)
    assert player.document.data() != before
    player.key(pygame.K_ESCAPE)
    assert player.document.data() == before and player.app.top is player.scene
    player.button(player.pixel((12, 15)), down=False)
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.app.top, Setup)


def test_creatures_that_end_up_in_a_wall_are_told_and_stay() -> None:
    player = drawer()
    player.key(pygame.K_ESCAPE)
    player.press("Party to the start")
    spot = player.table.editor.draft.pieces[0].spot
    assert spot is not None
    player.key(pygame.K_m, CTRL)
    player.took("wall")
    player.click(player.pixel(spot))
    assert len(player.scene.stranded()) == 1 and player.button_of("stranded") is not None
    assert player.table.editor.draft.pieces[0].spot == spot
    player.key(pygame.K_z, CTRL)
    assert not player.scene.stranded()
    player.key(pygame.K_z, CTRL)
    assert not player.table.editor.draft.pieces, "one order for ground and creatures"


def test_a_new_map_is_made_drawn_and_fit_to_play(own_maps: Path) -> None:
    player = drawer()
    player.key(pygame.K_n, CTRL)
    assert isinstance(player.app.top, NewMap)
    for letter in "cellar":
        player.key(ord(letter))
    player.press("size 24 16")
    player.press("make")
    assert player.document.path == own_maps / "cellar" / "cellar.tmx" and player.document.size == (24, 16)
    player.took("wall")
    player.key(pygame.K_o)
    player.span((2, 2), (20, 12))
    player.took("heroes")
    player.span((3, 3), (5, 5))
    player.took("monsters")
    player.span((15, 8), (18, 10))
    player.key(pygame.K_s, CTRL)
    assert check_map(own_maps / "cellar" / "cellar.tmx").fit
    player.key(pygame.K_ESCAPE)
    player.key(pygame.K_ESCAPE)
    player.press("Party to the start")
    assert len(player.table.editor.draft.pieces) == 4


def test_proposed_walls_are_a_tint_until_they_are_taken() -> None:
    player = drawer()
    player.key(pygame.K_ESCAPE)
    spots = [(12, 14), (13, 14)]
    player.app.navigator.ground(player.table, Proposal(0, spots, "By the layer Collision", wall="wall"))
    before = player.document.data()
    assert "By the layer Collision" in labels(player)
    player.press("accept")
    assert [player.kind_at(spot) for spot in spots] == ["wall", "wall"]
    player.key(pygame.K_z, CTRL)
    assert player.document.data() == before


def test_a_sketch_becomes_a_map_of_ones_own_with_its_walls_and_doors(own_maps: Path) -> None:
    player = drawer()
    player.key(pygame.K_ESCAPE)
    rows = ["############", "#....#.....#", "#....+..~..#", "#....#.....#", "############"]
    table = player.table
    draft = replace(table.editor.draft, title="Two rooms", map={"rows": rows})
    table._begin(draft)
    before = table.editor.ground
    table.refresh()
    player.key(pygame.K_m, CTRL)
    now = player.document.read().field
    assert now.ground == before.ground and [door.cell for door in now.doors] == [door.cell for door in before.doors]
    assert table.editor.draft.map == {"tmx": "two-rooms/two-rooms.tmx"}


def test_each_map_of_a_place_is_drawn_on_and_saved_with_the_others(own_maps: Path) -> None:
    player = drawer("drowned_cloister")
    player.took("wall")
    player.key(pygame.K_PAGEDOWN)
    assert player.model.level == 1
    loaded = player.document.read()
    floor = next(cell for cell in loaded.field.cells if loaded.field.ground[cell] == Ground.OPEN)
    spot = loaded.field.at(floor)
    player.click(player.pixel(spot))
    assert player.kind_at(spot) == "wall"
    player.key(pygame.K_s, CTRL)
    files_there = sorted(path.name for path in (own_maps / "drowned_cloister").glob("*.tmx"))
    assert files_there == ["drowned_cloister.tmx", "drowned_crypt.tmx", "drowned_undercroft.tmx"]
    named = [part["tmx"] for part in player.table.editor.draft.map["place"]]
    assert all(name.startswith("drowned_cloister/") for name in named)
    assert load_map(player.document.path).materials[floor] == "wall"


# -- any Tiled map


def test_a_foreign_map_leads_to_its_proposal_and_the_brush_mends_it(own_maps: Path, tmp_path: Path) -> None:
    source = proposing.made(tmp_path / "elsewhere", layers=proposing.layer("Walls", proposing.FRAME))
    before = source.read_bytes()
    player = drawer()
    player.key(pygame.K_ESCAPE)
    table = player.app.top
    assert isinstance(table, Setup)
    player.app.handle(pygame.event.Event(pygame.DROPFILE, file=str(source)))
    assert isinstance(player.app.top, Menu)
    player.press("choice 0")
    scene = player.app.top
    assert isinstance(scene, GroundScene) and scene.model.proposal is not None
    assert scene.model.proposal.spots == proposing.FRAME
    player.press("reason layer:Walls")
    assert not scene.model.proposal.spots
    player.press("reason layer:Walls")
    for tool, put in ((Tool.BRUSH, True), (Tool.ERASE, False)):
        scene.choose_tool(tool)
        scene.try_to(lambda: deeds.press(scene.model, Aim((4, 4), (4, 4))))
        assert deeds.drag(scene.model, Aim((6, 4), (6, 4))) == ""
        assert ({(4, 4), (5, 4), (6, 4)} <= scene.model.proposal.spots) is put
    scene.model.proposal = scene.model.proposal.mend([(5, 5)], put=True)
    player.press("accept")
    ground = table.editor.ground
    blocked = {ground.at(cell) for cell in ground.cells if ground.ground[cell] == Ground.BLOCKED}
    assert blocked == proposing.FRAME | {(5, 5)} and source.read_bytes() == before
    player.key(pygame.K_z, CTRL)
    assert Ground.BLOCKED not in table.editor.ground.ground
    player.key(pygame.K_w, CTRL)
    assert scene.model.proposal is not None
    scene.ui.set_focus(None)
    player.key(pygame.K_ESCAPE)
    assert scene.model.proposal is None and player.app.top is scene


def test_a_map_without_any_word_of_walls_says_so() -> None:
    player = drawer()
    scene = player.app.top
    assert isinstance(scene, GroundScene)
    player.key(pygame.K_w, CTRL)
    assert scene.model.proposal is not None or "Nothing of this map" in scene.toast_text

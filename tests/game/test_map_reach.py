"""From which folders a map may read: its project's, its own, those agreed to; and nothing else, whatever links say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from game import cli, paths
from game.content import encounter
from game.fight.match import Match
from game.maps import in_place
from game.maps.folder import parts_of, reach_of, to_ask_for
from game.maps.mapdata import OutsideProblem
from game.maps.tiled import MapProblem, check_map, load_map
from game.setup import draft as drafts
from game.setup import files
from game.storage import records as storage
from rules.contract.errors import RecordError
from tests.game.tmx_text import floor, layer, objects, png, save, thing, tmx

STARTS = objects(thing(1, "Spawn", (0, 0, 64, 96), side="heroes"), thing(2, "Spawn", (224, 0, 64, 96), side="monsters"))
SHEET = '<tileset name="t" tilewidth="32" tileheight="32"><image source="{}"/></tileset>'


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder, empty."""
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path / "user"))
    return tmp_path / "user"


@pytest.fixture
def usual(tmp_path: Path) -> Path:
    """Tiled's usual layout: `game/maps/field.tmx` with its tileset and picture in `game/gfx`."""
    save(tmp_path, png(128, 64), "game/gfx/sheet.png")
    save(tmp_path, SHEET.format("sheet.png"), "game/gfx/t.tsx")
    tileset = '<tileset firstgid="1" source="../gfx/t.tsx"/>'
    return save(tmp_path, tmx(floor(9, 3) + STARTS, 9, 3, tileset=tileset), "game/maps/field.tmx")


def record_on(path: Path) -> drafts.Draft:
    """An encounter on a map that can be opened by name."""
    draft, _ = files.new_draft(path, "olde", 7)
    pieces = [
        {"id": "ada", "template": "warrior", "side": "heroes", "controller": "ai", "at": [0, 0]},
        {"id": "gob", "template": "goblin", "side": "monsters", "controller": "ai", "at": [8, 0]},
    ]
    return drafts.Draft(**{**vars(draft), "pieces": tuple(drafts.Piece(i, each) for i, each in enumerate(pieces, 1))})


# -- roots


def test_a_map_without_a_project_reads_its_own_folder_only(usual: Path) -> None:
    with pytest.raises(OutsideProblem, match=r"^field\.tmx: refers to '\.\./gfx/t\.tsx', outside") as caught:
        load_map(usual)
    assert caught.value.map == usual
    assert not check_map(usual).readable


@pytest.mark.parametrize("where", ["game", "."])
def test_the_nearest_project_above_a_map_is_its_root(usual: Path, tmp_path: Path, where: str) -> None:
    save(tmp_path, '{"propertyTypes": []}', f"{where}/game.tiled-project")
    assert load_map(usual).layers[0].tiles
    save(tmp_path, '{"propertyTypes": []}', "game/maps/nearer.tiled-project")
    with pytest.raises(OutsideProblem):
        load_map(usual)


def test_a_folder_called_like_a_project_is_none(usual: Path) -> None:
    (usual.parents[1] / "x.tiled-project").mkdir()
    with pytest.raises(OutsideProblem):
        load_map(usual)


def test_a_project_gives_its_classes_to_maps_in_the_folders_below(usual: Path) -> None:
    members = [{"name": "side", "type": "string", "value": "heroes"}]
    project = {"propertyTypes": [{"name": "Spawn", "type": "class", "members": members}]}
    save(usual.parents[1], json.dumps(project), "game.tiled-project")
    more = objects(thing(3, "Spawn", (64, 0, 32, 32)))
    usual.write_text(usual.read_text(encoding="utf-8").replace("</map>", f"{more}</map>"), encoding="utf-8")
    assert [spawn.side for spawn in load_map(usual).spawns] == ["heroes", "monsters", "heroes"]


def test_links_out_of_the_project_are_not_followed(usual: Path, tmp_path: Path) -> None:
    save(tmp_path, "{}", "game/game.tiled-project")
    tileset = usual.parents[1] / "gfx" / "t.tsx"
    outside = save(tmp_path, tileset.read_bytes(), "outside/t.tsx")
    tileset.unlink()
    tileset.symlink_to(outside)
    with pytest.raises(OutsideProblem):
        load_map(usual)


def test_check_takes_the_root_that_is_named(usual: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", str(usual)]) == 2
    assert "--root" in capsys.readouterr().err
    assert cli.main(["check", "--root", str(usual.parents[1]), str(usual)]) == 0
    assert capsys.readouterr().out == f"{usual}: fit to play\n"
    assert cli.main(["check", "--root", str(tmp_path / "game" / "gfx"), str(usual)]) == 2
    assert "lies outside" in capsys.readouterr().err
    assert cli.main(["check", "--root", str(tmp_path / "nowhere"), str(usual)]) == 2
    assert "is no folder" in capsys.readouterr().err


# -- what the user is asked


def test_the_files_outside_are_named_by_folder_and_not_looked_at(usual: Path, tmp_path: Path) -> None:
    sets = "".join(
        f'<tileset firstgid="{1 + 16 * i}" source="{name}"/>'
        for i, name in enumerate(["../gfx/t.tsx", "../gfx/gone.tsx", "../../art/deep/a.tsx", "../../art/b.tsx"])
    )
    path = save(usual.parent, tmx(floor(9, 3), 9, 3, tileset=sets), "four.tmx")
    game = tmp_path / "game"
    assert to_ask_for(path, reach_of(path)) == {
        tmp_path / "art": [tmp_path / "art/b.tsx", tmp_path / "art/deep/a.tsx"],
        game / "gfx": [game / "gfx/t.tsx", game / "gfx/gone.tsx"],
    }


def test_what_a_tileset_outside_needs_is_asked_for_in_its_turn(usual: Path, tmp_path: Path) -> None:
    gfx, pictures = usual.parents[1] / "gfx", tmp_path / "pictures"
    save(tmp_path, png(128, 64), "pictures/sheet.png")
    (gfx / "t.tsx").write_text(SHEET.format("../../pictures/sheet.png"), encoding="utf-8")
    assert list(to_ask_for(usual, reach_of(usual))) == [gfx]
    in_place.agree(usual, [gfx])
    assert list(to_ask_for(usual, reach_of(usual))) == [pictures]
    in_place.agree(usual, [pictures])
    assert load_map(usual).tiles[0].image == pictures / "sheet.png"


@pytest.mark.parametrize("up", [30, None])
def test_nobody_is_asked_to_open_the_home_or_all_there_is(
    usual: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, up: int | None
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    source = "../" * up + "passwd.tsx" if up else "../../t.tsx"
    path = save(usual.parent, tmx(floor(), tileset=f'<tileset firstgid="1" source="{source}"/>'), "far.tmx")
    with pytest.raises(OutsideProblem):
        load_map(path)
    assert to_ask_for(path, reach_of(path)) == {}


def test_an_image_layer_outside_is_asked_for(usual: Path) -> None:
    sky = '<imagelayer name="Sky"><image source="../gfx/sheet.png"/></imagelayer>'
    path = save(usual.parent, tmx(floor() + sky), "sky.tmx")
    with pytest.raises(OutsideProblem):
        load_map(path)
    in_place.agree(path, to_ask_for(path, reach_of(path)))
    assert load_map(path).layers[-1].backdrop is not None


# -- maps that stay where they lie


def test_what_was_agreed_to_holds_for_that_map_alone_and_for_nothing_else(usual: Path, tmp_path: Path) -> None:
    other = save(usual.parent, usual.read_bytes(), "other.tmx")
    in_place.agree(usual, [usual.parents[1] / "gfx"])
    assert load_map(usual).field.width == 9 and check_map(usual).fit
    with pytest.raises(OutsideProblem):
        load_map(other)
    beyond = usual.read_text(encoding="utf-8").replace("../gfx/t.tsx", "../../t.tsx")
    usual.write_text(beyond, encoding="utf-8")
    with pytest.raises(OutsideProblem):
        load_map(usual)


def test_a_folder_that_became_a_link_is_no_longer_what_was_agreed_to(usual: Path, tmp_path: Path) -> None:
    gfx = usual.parents[1] / "gfx"
    in_place.agree(usual, [gfx])
    gfx.rename(tmp_path / "secrets")
    gfx.symlink_to(tmp_path / "secrets")
    with pytest.raises(OutsideProblem):
        load_map(usual)


def test_a_record_names_a_map_that_stays_where_it_lies_and_replays(
    usual: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    in_place.agree(usual, [usual.parents[1] / "gfx"])
    assert encounter.map_name(usual) == "in-place/field.tmx" and usual in encounter.playable_maps()
    assert files.brought_in(usual) == usual, "it is not copied"
    path = tmp_path / "kept" / "encounter.json"
    files.save(record_on(usual), path)
    assert json.loads(path.read_text(encoding="utf-8"))["map"]["tmx"] == "in-place/field.tmx"
    assert Match.from_record(storage.read_record(path)).loaded_map is not None
    assert cli.main(["replay", str(path), "--state"]) == 0
    usual.unlink()
    with pytest.raises(RecordError, match=r"stayed at .*field\.tmx, where it is no more"):
        storage.find_map("in-place/field.tmx")


def test_two_maps_of_one_name_that_stay_where_they_lie_have_names_of_their_own(usual: Path, tmp_path: Path) -> None:
    other = save(tmp_path, usual.read_bytes(), "game/old/field.tmx")
    names = [in_place.agree(path, [tmp_path / "game/gfx"]) for path in (usual, other, usual)]
    assert names == ["in-place/field.tmx", "in-place/field-2.tmx", "in-place/field.tmx"]
    assert storage.find_map("in-place/field-2.tmx") == other


@pytest.mark.parametrize("text", ["", "[]", '{"in-place/a.tmx": 5}', '{"a": {"map": 1, "folders": []}}', "{" * 9999])
def test_a_broken_list_of_such_maps_is_an_empty_one(home: Path, text: str) -> None:
    save(home, text, "maps/in-place.json")
    assert in_place.known() == {}


# -- maps that are copied


def test_a_map_is_copied_with_files_of_other_folders_and_needs_nobodys_leave(
    usual: Path, home: Path, tmp_path: Path
) -> None:
    with pytest.raises(OutsideProblem):
        files.brought_in(usual)
    assert not (home / "maps" / "field").exists()
    inside = files.brought_in(usual, (usual.parents[1] / "gfx",))
    assert inside == home / "maps/field/maps/field.tmx" and inside in encounter.playable_maps()
    assert encounter.map_name(inside) == "field/maps/field.tmx"
    assert not in_place.known()
    usual.parents[1].rename(tmp_path / "gone")
    assert load_map(inside).tiles[0].image == home / "maps/field/gfx/sheet.png"


def test_a_map_of_a_project_is_copied_with_the_project(usual: Path, home: Path) -> None:
    members = [{"name": "ambient", "type": "string", "value": "dark"}]
    project = {"propertyTypes": [{"name": "Cave", "type": "class", "members": members}]}
    save(usual.parents[1], json.dumps(project), "game.tiled-project")
    text = usual.read_text(encoding="utf-8").replace("<map ", '<map class="Cave" ', 1)
    usual.write_text(text, encoding="utf-8")
    inside = files.brought_in(usual)
    assert (home / "maps/field/game.tiled-project").is_file()
    assert load_map(inside).ambient == "dark"


def test_a_map_brought_in_reads_nothing_of_the_others(usual: Path, home: Path) -> None:
    save(home, '<tileset name="t" tilewidth="32" tileheight="32" tilecount="4" columns="2"/>', "maps/a/t.tsx")
    text = tmx(floor(), tileset='<tileset firstgid="1" source="../../a/t.tsx"/>')
    with pytest.raises(OutsideProblem):
        load_map(save(home, text, "maps/b/maps/m.tmx"))


def test_parts_are_found_through_templates_and_none_twice(usual: Path, tmp_path: Path) -> None:
    save(tmp_path, "{}", "game/game.tiled-project")
    tileset = '<tileset firstgid="1" source="../gfx/t.tsx"/>'
    save(tmp_path, f'<template>{tileset}<object gid="1" width="32" height="32"/></template>', "game/things/tree.tx")
    node = '<object id="9" template="../things/tree.tx" x="0" y="32"/>'
    text = usual.read_text(encoding="utf-8").replace("</map>", f"{objects(node)}</map>")
    usual.write_text(text, encoding="utf-8")
    parts = parts_of(usual, reach_of(usual))
    assert [part.name for part in parts.inside] == [
        "field.tmx", "game.tiled-project", "t.tsx", "tree.tx", "sheet.png",
    ]  # fmt: skip
    assert not parts.outside and load_map(usual).layers


def test_a_map_that_is_broken_needs_nothing(tmp_path: Path) -> None:
    path = save(tmp_path, "<html/>")
    assert to_ask_for(path, reach_of(path)) == {}
    with pytest.raises(MapProblem):
        files.brought_in(save(tmp_path, layer([1], 1, 1), "x.tmx"))

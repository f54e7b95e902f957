"""Pictures that maps bring: measured by their headers before anything is decoded, counted, and bounded."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from game.maps.folder import kind_of, picture_size
from game.maps.tiled import MapProblem, check_map, load_map
from tests.game.tmx_text import floor, layer, objects, png, save, tmx

SHEET = (
    '<tileset firstgid="1" name="s" tilewidth="32" tileheight="32" tilecount="4" columns="2">'
    '<image source="sheet.png" width="64" height="64"/></tileset>'
)


def jpg(width: int, height: int, before: bytes = b"") -> bytes:
    """The head of a JPG: something of the camera's, then its frame, then the picture's data would begin."""
    frame = struct.pack(">HBHHB", 11, 8, height, width, 1) + b"\1\x11\0"
    return b"\xff\xd8" + before + b"\xff\xc0" + frame + b"\xff\xda\0\x08\1\1\0\0\x3f\0"


def gif(width: int, height: int, frame: tuple[int, int] = (1, 1)) -> bytes:
    extension = b"!\xf9\4\0\0\0\0\0"
    box = struct.pack("<HHHH", 0, 0, *frame)
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\x80\0\0" + b"\0" * 6 + extension + b"," + box + b"\0"


def bmp(width: int, height: int) -> bytes:
    return b"BM" + b"\0" * 12 + struct.pack("<Iii", 40, width, height)


def webp(width: int, height: int, kind: str = "VP8L") -> bytes:
    if kind == "VP8L":
        body = b"\x2f" + struct.pack("<I", (width - 1) | (height - 1) << 14)
    elif kind == "VP8X":
        body = b"\0\0\0\0" + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    else:
        body = b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", width, height)
    return b"RIFF\0\0\0\0WEBP" + kind.encode().ljust(4) + struct.pack("<I", len(body)) + body


HEADS = {
    "png": png(321, 45, real=False),
    "jpg": jpg(321, 45),
    "jpg behind a camera's words": jpg(321, 45, b"\xff\xe1\xff\xff" + b"x" * 65533 + b"\xff\xe2\x00\x04ab"),
    "gif": gif(321, 45),
    "gif with a frame beyond its canvas": gif(3, 4, (321, 45)),
    "bmp": bmp(321, 45),
    "bmp with its rows running down": bmp(321, -45),
    "webp": webp(321, 45),
    "webp, extended": webp(321, 45, "VP8X"),
    "webp, lossy": webp(321, 45, "VP8"),
}


@pytest.mark.parametrize("name", HEADS)
def test_a_picture_is_measured_by_its_header(tmp_path: Path, name: str) -> None:
    path = save(tmp_path, HEADS[name], "picture")
    assert picture_size(path) == (321, 45)
    assert kind_of(HEADS[name]).lower() == name.split()[0].rstrip(",")


@pytest.mark.parametrize("name", HEADS)
def test_a_header_that_breaks_off_says_nothing(tmp_path: Path, name: str) -> None:
    for end in range(0, len(HEADS[name]), max(1, len(HEADS[name]) // 40)):
        size = picture_size(save(tmp_path, HEADS[name][:end], "picture"))
        assert size in (None, (321, 45)), end


HUGE = {
    "a.png": png(9000, 9000, real=False), "a.jpg": jpg(60000, 60000), "a.gif": gif(4, 4, (60000, 60000)),
    "a.bmp": bmp(1 << 30, 1 << 30), "a.webp": webp(16384, 16384),
}  # fmt: skip


@pytest.mark.parametrize("name", HUGE)
def test_a_huge_picture_is_refused_by_its_header(tmp_path: Path, name: str) -> None:
    save(tmp_path, HUGE[name], name)
    tileset = (
        '<tileset firstgid="1" tilewidth="32" tileheight="32" tilecount="1" columns="1">'
        f'<image source="{name}" width="32" height="32"/></tileset>'
    )
    with pytest.raises(MapProblem, match="8192 a side"):
        load_map(save(tmp_path, tmx(floor(), tileset=tileset)))


@pytest.mark.parametrize("name", HUGE)
def test_a_huge_image_layer_is_left_out_with_a_note(tmp_path: Path, name: str) -> None:
    save(tmp_path, HUGE[name], name)
    loaded = load_map(save(tmp_path, tmx(floor() + f'<imagelayer name="Sky"><image source="{name}"/></imagelayer>')))
    assert [layer.backdrop for layer in loaded.layers] == [None]
    assert len(loaded.warnings) == 1
    assert "'Sky'" in loaded.warnings[0] and "the layer is not drawn" in loaded.warnings[0]


def test_pictures_of_image_layers_count_with_those_of_tilesets(tmp_path: Path) -> None:
    """Five pictures of 16 million pixels: four are the most of a map."""
    layers = ""
    for n in range(5):
        save(tmp_path, png(4096, 4096, real=False), f"{n}.png")
        layers += f'<imagelayer name="Sky {n}"><image source="{n}.png"/></imagelayer>'
    loaded = load_map(save(tmp_path, tmx(floor() + layers)))
    assert sum(layer.backdrop is not None for layer in loaded.layers) == 4
    assert len(loaded.warnings) == 1 and "more than 67108864 pixels" in loaded.warnings[0]


def test_image_layers_count_as_layers(tmp_path: Path) -> None:
    save(tmp_path, png(4, 4), "s.png")
    layers = '<imagelayer name="Sky"><image source="s.png"/></imagelayer>' * 64
    with pytest.raises(MapProblem, match="65 layers"):
        load_map(save(tmp_path, tmx(floor() + layers)))


def test_a_tile_object_of_monstrous_size_is_refused(tmp_path: Path) -> None:
    save(tmp_path, png(64, 64), "sheet.png")
    thing = '<object id="7" gid="1" x="0" y="0" width="900000" height="9"/>'
    with pytest.raises(MapProblem, match="object 7: this tile object is 900000×9 pixels; 32768"):
        load_map(save(tmp_path, tmx(floor() + objects(thing), tileset=SHEET)))


def test_so_many_pictures_over_each_other_are_refused(tmp_path: Path) -> None:
    """Ten thousand tile objects, each over the whole map: nothing could draw that in time."""
    save(tmp_path, png(64, 64), "sheet.png")
    things = [f'<object id="{n}" gid="1" x="0" y="640" width="640" height="640"/>' for n in range(1, 9_000)]
    body = layer([1] * 400, 20, 20) + objects(*things)
    with pytest.raises(MapProblem, match=r"cover 3600000 spaces.*make the large ones smaller"):
        load_map(save(tmp_path, tmx(body, 20, 20, tileset=SHEET)))
    body = layer([1] * 400, 20, 20) + objects(*things[:200])
    assert len(load_map(save(tmp_path, tmx(body, 20, 20, tileset=SHEET))).layers[1].figures) == 200


@pytest.mark.parametrize("kind", ["Spawn", "Creature", "Door", "Trap", "Note", "Region"])
def test_the_tile_that_marks_something_of_ours_is_no_picture(tmp_path: Path, kind: str) -> None:
    """It would lie on the board before anybody has seen the trap, and stay when the goblin has gone."""
    save(tmp_path, png(64, 64), "sheet.png")
    says = {"side": "heroes", "template": "goblin", "difficulty": "9"}
    inside = "".join(f'<property name="{key}" value="{value}"/>' for key, value in says.items())
    node = '<object id="1" type="{}" gid="2" x="0" y="32" width="32" height="32"><properties>{}</properties></object>'
    loaded = load_map(save(tmp_path, tmx(floor() + objects(node.format(kind, inside)), tileset=SHEET)))
    assert not any(layer.figures for layer in loaded.layers)
    loaded = load_map(save(tmp_path, tmx(floor() + objects(node.format(kind.lower(), "")), tileset=SHEET)))
    assert [layer.figures[0].tile for layer in loaded.layers[1:]] == [1]


def test_a_tile_object_without_a_size_is_as_large_as_its_tile(tmp_path: Path) -> None:
    save(tmp_path, png(64, 64), "sheet.png")
    node = '<object id="1" type="Chest" gid="2" x="32" y="64"/>'
    loaded = load_map(save(tmp_path, tmx(floor() + objects(node), tileset=SHEET)))
    assert loaded.layers[1].figures[0].box == (32, 32, 32, 32)
    assert loaded.chests[0].cells == (5,), "it stands above its corner, as it is drawn"


def test_a_blend_mode_that_is_not_drawn_gets_a_note(tmp_path: Path) -> None:
    modes = ("multiply", "screen", "color-dodge", "soft-light", "nonsense")
    body = "".join(layer([1] * 12, 4, 3, name=mode, head=f'mode="{mode}"') for mode in modes)
    loaded = load_map(save(tmp_path, tmx(body)))
    assert [each.blend for each in loaded.layers] == ["multiply", "screen", "normal", "normal", "normal"]
    assert len(loaded.warnings) == 3 and all("is not drawn" in each for each in loaded.warnings)


@pytest.mark.parametrize("name", ["map.tmx", "map.png", "map.JPG"])
@pytest.mark.parametrize("kind", ["png", "jpg", "gif", "webp"])
def test_a_picture_opened_as_a_map_is_told_from_one(tmp_path: Path, name: str, kind: str) -> None:
    path = save(tmp_path, HEADS[kind], name)
    report = check_map(path)
    assert not report.fit and len(report.problems) == 1
    assert "is a picture" in report.problems[0] and "image layer" in report.problems[0], report.problems


def test_a_picture_named_as_a_tileset_is_told_from_one(tmp_path: Path) -> None:
    save(tmp_path, HEADS["png"], "tiles.tsx")
    with pytest.raises(MapProblem, match=r"'tiles.tsx' is a picture \(PNG\), no Tiled tileset file"):
        load_map(save(tmp_path, tmx(floor(), tileset='<tileset firstgid="1" source="tiles.tsx"/>')))


def test_a_map_of_nothing_but_a_picture_says_that_nobody_can_stand_there(tmp_path: Path) -> None:
    save(tmp_path, png(128, 96), "cave.png")
    path = save(tmp_path, tmx('<imagelayer name="Cave"><image source="cave.png"/></imagelayer>', tileset=""))
    loaded = load_map(path)
    assert loaded.layers[0].backdrop is not None and loaded.foreign
    assert any("nobody can stand anywhere" in note for note in loaded.warnings)
    assert any("nobody can stand anywhere" in note for note in check_map(path).notes)

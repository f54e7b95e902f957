"""Hostile and broken map files: each gets one clear line, quickly, and opens nothing outside its folder."""

from __future__ import annotations

import base64
import gzip
import struct
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from game.maps.tiled import MapProblem, check_map, load_map
from tests.game.tmx_text import floor, layer, objects, packed, png, save, thing, tmx

MIB = 1024 * 1024


def refusal(path: Path, *words: str, root: Path | None = None) -> str:
    """The one line with which a file is refused; it must hold all the words."""
    with pytest.raises(MapProblem) as caught:
        load_map(path, root=root)
    line = str(caught.value)
    assert "\n" not in line and len(line) < 400, line
    assert line.startswith(path.name), line
    for word in words:
        assert word in line, line
    return line


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def tsx(body: str, head: str = "") -> str:
    return f'<?xml version="1.0"?><tileset name="t" tilewidth="32" tileheight="32" {head}>{body}</tileset>'


# ------------------------------------------------------------------------------------------------- XML


def test_dtd_is_refused(tmp_path: Path) -> None:
    refusal(save(tmp_path, tmx(floor()).replace("<map", '<!DOCTYPE map SYSTEM "map.dtd"><map', 1)), "DOCTYPE")


def test_entity_bomb_is_refused(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE b [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><map>&b;</map>'
    refusal(save(tmp_path, bomb), "DOCTYPE")


def test_external_entity_reads_no_file(tmp_path: Path) -> None:
    secret = save(tmp_path, "top secret", "secret.txt")
    text = f'<!DOCTYPE m [<!ENTITY x SYSTEM "file://{secret}">]><map title="&x;"/>'
    assert "top secret" not in refusal(save(tmp_path, text), "DOCTYPE")


@pytest.mark.parametrize("text", ["", "<html/>", "no xml", "<map", "<tileset/>", '{"type": "map"}', "\0\0\0"])
def test_other_files_are_no_maps(tmp_path: Path, text: str) -> None:
    refusal(save(tmp_path, text))


def test_html_is_named_for_what_it_is(tmp_path: Path) -> None:
    refusal(save(tmp_path, "<html><body/></html>"), "<html>", "<map>")


def test_unknown_encoding_is_one_line(tmp_path: Path) -> None:
    refusal(save(tmp_path, '<?xml version="1.0" encoding="klingon"?><map/>'))


def test_deeply_nested_groups_are_refused(tmp_path: Path) -> None:
    refusal(save(tmp_path, tmx("<group>" * 5000 + "</group>" * 5000)), "nested")


def test_too_many_elements_are_refused(tmp_path: Path) -> None:
    refusal(save(tmp_path, tmx("<a/>" * 600_001)), "too many")


def test_a_file_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "big.tmx"
    with path.open("wb") as file:
        file.truncate(17 * MIB)
    refusal(path, "too large")


def test_missing_file_and_folder_are_one_line(tmp_path: Path) -> None:
    refusal(tmp_path / "absent.tmx", "does not exist")
    (tmp_path / "folder.tmx").mkdir()
    refusal(tmp_path / "folder.tmx", "no plain file")


# -------------------------------------------------------------------------------------------------- bounds


@pytest.mark.parametrize("size", [(513, 1), (1, 513), (0, 3), (-4, 3), (10**9, 10**9)])
def test_map_size_is_bounded(tmp_path: Path, size: tuple[int, int]) -> None:
    refusal(save(tmp_path, tmx(layer([1], 1, 1), *size)), "512×512")


@pytest.mark.parametrize("width", ["", "x", "3.5", "9" * 5000, "∞"])
def test_a_width_that_is_no_number_is_refused(tmp_path: Path, width: str) -> None:
    refusal(save(tmp_path, tmx(floor()).replace('width="4"', f'width="{width}"', 1)), "whole number")


def test_layers_are_counted(tmp_path: Path) -> None:
    refusal(save(tmp_path, tmx(floor() * 65)), "65 layers", "64")


def test_all_tiles_together_are_bounded_before_decoding(tmp_path: Path) -> None:
    body = packed(b64(b""), 512, 512) * 17
    refusal(save(tmp_path, tmx(body, 512, 512)), "tiles on all layers")


@pytest.mark.parametrize("compression", ["zlib", "gzip", "zstd"])
def test_compression_bomb_costs_no_memory(tmp_path: Path, compression: str) -> None:
    raw = bytes(256 * MIB // 4)
    squeeze: dict[str, Callable[[bytes], bytes]] = {
        "zlib": zlib.compress,
        "gzip": gzip.compress,
        "zstd": zstandard.ZstdCompressor().compress,
    }
    bomb = squeeze[compression](raw)
    path = save(tmp_path, tmx(packed(b64(bomb), 4, 3, compression)))
    del raw
    tracemalloc.start()
    refusal(path, "'Ground'")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * MIB


def test_tileset_of_tiny_tiles_on_a_giant_picture_is_refused(tmp_path: Path) -> None:
    tileset = (
        '<tileset firstgid="1" name="t" tilewidth="1" tileheight="1">'
        '<image source="a.png" width="4000" height="4000"/></tileset>'
    )
    refusal(save(tmp_path, tmx(floor(), tileset=tileset)), "holds 16000000 tiles")


@pytest.mark.parametrize("size", ['width="6000" height="6000"', 'width="9000" height="1"', 'width="-1" height="4"'])
def test_declared_picture_size_is_bounded(tmp_path: Path, size: str) -> None:
    tileset = f'<tileset firstgid="1" tilewidth="32" tileheight="32"><image source="a.png" {size}/></tileset>'
    refusal(save(tmp_path, tmx(floor(), tileset=tileset)), "picture")


def test_tilecount_is_bounded(tmp_path: Path) -> None:
    tileset = '<tileset firstgid="1" tilewidth="32" tileheight="32" tilecount="99999999" columns="8"/>'
    refusal(save(tmp_path, tmx(floor(), tileset=tileset)), "99999999 tiles")


def test_png_header_is_read_before_anybody_decodes_it(tmp_path: Path) -> None:
    save(tmp_path, png(10000, 10000, real=False), "small.png")
    tileset = (
        '<tileset firstgid="1" tilewidth="32" tileheight="32" tilecount="1" columns="1">'
        '<image source="small.png" width="32" height="32"/></tileset>'
    )
    refusal(save(tmp_path, tmx(floor(), tileset=tileset)), "small.png", "10000×10000")


def test_objects_are_counted(tmp_path: Path) -> None:
    many = "".join(thing(i, "Note", (1, 1)) for i in range(10_001))
    refusal(save(tmp_path, tmx(floor() + objects(many))), "10000 objects")


def test_points_are_counted(tmp_path: Path) -> None:
    line = '<polyline points="' + "0,0 " * 20_001 + '"/>'
    refusal(save(tmp_path, tmx(floor() + objects(thing(1, "Wall", (0, 0), line)))), "points")


def test_giant_objects_are_bounded_together(tmp_path: Path) -> None:
    huge = [thing(i, "Region", (0, 0, 16384, 16384)) for i in range(1, 40)]
    path = save(tmp_path, tmx(floor(512, 512) + objects(*huge), 512, 512))
    refusal(path, "make large objects smaller")


@pytest.mark.parametrize("x", ["nan", "inf", "1e308", "-1e9", "abc", ""])
def test_positions_are_finite_numbers(tmp_path: Path, x: str) -> None:
    refusal(save(tmp_path, tmx(floor() + objects(f'<object id="7" x="{x}" y="1"/>'))), "object 7", "'Things'")


# ------------------------------------------------------------------------------------------------ folders


@pytest.mark.parametrize(
    "source",
    ["../t.tsx", "a/../../t.tsx", "/etc/passwd", "C:\\t.tsx", "c:/t.tsx", "\\\\host\\t.tsx", "..\\t.tsx",
     "file:///etc/passwd", "http://example.org/t.tsx", ""],
)  # fmt: skip
def test_tilesets_stay_in_the_maps_folder(tmp_path: Path, source: str) -> None:
    save(tmp_path, tsx(""), "t.tsx")
    path = save(tmp_path, tmx(floor(), tileset=f'<tileset firstgid="1" source="{source}"/>'), "maps/test.tmx")
    refusal(path)


def test_a_symbolic_link_does_not_lead_out(tmp_path: Path) -> None:
    outside = save(tmp_path, tsx("", 'tilecount="4" columns="2"'), "outside/t.tsx")
    path = save(tmp_path, tmx(floor(), tileset='<tileset firstgid="1" source="t.tsx"/>'), "maps/test.tmx")
    (path.parent / "t.tsx").symlink_to(outside)
    refusal(path, "outside the map's folder")


def test_a_map_that_is_a_link_out_of_the_root_is_refused(tmp_path: Path) -> None:
    outside = save(tmp_path, tmx(floor()), "outside/test.tmx")
    (tmp_path / "maps").mkdir()
    link = tmp_path / "maps" / "test.tmx"
    link.symlink_to(outside)
    refusal(link, "outside")


@pytest.mark.parametrize("source", ["../secret.png", "/etc/hostname"])
def test_pictures_and_templates_stay_in_the_maps_folder(tmp_path: Path, source: str) -> None:
    save(tmp_path, png(32, 32), "secret.png")
    tileset = (
        '<tileset firstgid="1" tilewidth="32" tileheight="32" tilecount="1" columns="1">'
        f'<image source="{source}" width="32" height="32"/></tileset>'
    )
    refusal(save(tmp_path, tmx(floor(), tileset=tileset), "maps/a.tmx"), "folder")
    body = floor() + objects(f'<object id="3" template="{source}" x="0" y="0"/>')
    refusal(save(tmp_path, tmx(body), "maps/b.tmx"), "folder", "object 3")


def test_a_root_above_the_map_allows_what_lies_below_it(tmp_path: Path) -> None:
    save(tmp_path, tsx("", 'tilecount="4" columns="2"'), "shared/t.tsx")
    text = tmx(floor(), tileset='<tileset firstgid="1" source="../shared/t.tsx"/>')
    path = save(tmp_path, text, "maps/test.tmx")
    refusal(path)
    assert load_map(path, root=tmp_path).field.width == 4


def test_a_tileset_that_names_itself_or_a_pipe_is_refused(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / "pipe.tsx")
    refusal(save(tmp_path, tmx(floor(), tileset='<tileset firstgid="1" source="pipe.tsx"/>')), "no plain file")


# ------------------------------------------------------------------------------------------- broken layers


@pytest.mark.parametrize("count", [0, 1, 11, 13, 100])
def test_layers_of_the_wrong_length_are_refused(tmp_path: Path, count: int) -> None:
    refusal(save(tmp_path, tmx(layer([1] * count, 4, 3))), "'Ground'", f"has {count} tiles", "4×3 = 12")
    raw = b64(struct.pack(f"<{count}I", *[1] * count))
    refusal(save(tmp_path, tmx(packed(raw, 4, 3))), "'Ground'")
    squeezed = b64(zlib.compress(struct.pack(f"<{count}I", *[1] * count)))
    refusal(save(tmp_path, tmx(packed(squeezed, 4, 3, "zlib"))), "'Ground'")


@pytest.mark.parametrize("text", ["!!!!", "AAA", "AQAAAA*=", "Aé=="])
def test_bad_base64_is_refused(tmp_path: Path, text: str) -> None:
    refusal(save(tmp_path, tmx(packed(text, 4, 3))), "base64", "'Ground'")


@pytest.mark.parametrize("compression", ["zlib", "gzip", "zstd"])
def test_broken_compression_is_refused(tmp_path: Path, compression: str) -> None:
    refusal(save(tmp_path, tmx(packed(b64(b"nonsense"), 4, 3, compression))), "'Ground'", compression)


def test_cut_off_compression_is_refused(tmp_path: Path) -> None:
    whole = zlib.compress(struct.pack("<12I", *range(1, 13)))
    refusal(save(tmp_path, tmx(packed(b64(whole[:-6]), 4, 3, "zlib"))), "'Ground'")


def test_unknown_encoding_and_compression_are_refused(tmp_path: Path) -> None:
    refusal(save(tmp_path, tmx(packed(b64(b""), 4, 3, "lzma"))), "lzma", "zstd")
    refusal(save(tmp_path, tmx(floor().replace("csv", "rot13"))), "rot13")


@pytest.mark.parametrize("tile", ["x", "-1", "4294967296", "1.5", "99"])
def test_a_bad_tile_number_is_refused(tmp_path: Path, tile: str) -> None:
    refusal(save(tmp_path, tmx(floor().replace(">1,", f">{tile},", 1))), "'Ground'")


def test_a_tile_in_no_tileset_names_its_space(tmp_path: Path) -> None:
    refusal(save(tmp_path, tmx(layer([1, 1, 1, 1, 1, 1, 17, 1, 1, 1, 1, 1], 4, 3))), "tile 17", "column 2, row 1")


def test_a_layer_of_another_size_than_the_map_is_refused(tmp_path: Path) -> None:
    refusal(save(tmp_path, tmx(layer([1] * 4, 2, 2))), "2×2", "4×3")


@pytest.mark.parametrize("shape", ["isometric", "staggered", "hexagonal", "oblique"])
def test_other_orientations_are_refused(tmp_path: Path, shape: str) -> None:
    refusal(save(tmp_path, tmx(floor(), head=f'orientation="{shape}"')), shape, "orthogonal")


def test_spaces_must_be_square(tmp_path: Path) -> None:
    text = tmx(floor()).replace('tileheight="32">', 'tileheight="16">', 1)
    refusal(save(tmp_path, text), "32×16", "square")


def test_check_map_reports_instead_of_raising(tmp_path: Path) -> None:
    report = check_map(save(tmp_path, "<html/>"))
    assert not report.fit
    assert len(report.problems) == 1 and "<html>" in report.problems[0]

"""What we draw of a map is what Tiled draws: each feature by itself on maps made here, and all of them together."""

from __future__ import annotations

import re
from pathlib import Path

import pygame
import pytest

from game.paths import shipped_maps
from tests.game.tiled_oracle import SIDE, Atlas, agree, art, needs_tiled, sheet, tile_object

pytestmark = needs_tiled
HORIZONTAL, VERTICAL, DIAGONAL = 1 << 31, 1 << 30, 1 << 29
FLIPS = [h | v | d for h in (0, HORIZONTAL) for v in (0, VERTICAL) for d in (0, DIAGONAL)]
ROOF = '<properties><property name="role" value="roof"/></properties>'
DECOR = ROOF.replace("roof", "decor")


@pytest.fixture
def atlas(tmp_path: Path) -> Atlas:
    pygame.display.init()
    return Atlas(tmp_path)


def scattered(atlas: Atlas, first: int, count: int, step: int = 2) -> dict[tuple[int, int], int]:
    """Tiles of a set here and there, flipped in every way."""
    spots = [(x, y) for y in range(1, atlas.height) for x in range(y % 2, atlas.width, step)]
    return {spot: (first + n % count) | FLIPS[n // count % 8] for n, spot in enumerate(spots)}


def things(first: int, sizes: list[tuple[int, int]], more: str = "") -> list[str]:
    """Tile objects over each other, flipped in every way."""
    return [
        tile_object(
            n + 1, (first + n % len(sizes)) | FLIPS[n % 8], 24 + n * 29, 110 + n * 41 % 130, sizes[n % len(sizes)], more
        )
        for n in range(11)
    ]  # fmt: skip


SIZES = [(32, 32), (50, 20), (20, 70)]


def images() -> list[pygame.Surface | str]:
    return [art(size, n + 3, clear=n > 0) for n, size in enumerate(SIZES)]


def test_flips_and_quarter_turns(atlas: Atlas) -> None:
    atlas.tiles(scattered(atlas, atlas.tileset(sheet(4, 2), 4, 2), 4, 1))
    agree(atlas.write())


def test_spacing_and_margin(atlas: Atlas) -> None:
    first = atlas.tileset(sheet(6, 3, spacing=3, margin=5), 6, 3, head='spacing="3" margin="5"')
    atlas.tiles(scattered(atlas, first, 6, 1))
    agree(atlas.write())


def test_layers_lie_over_each_other_by_their_opacity(atlas: Atlas) -> None:
    atlas.ground()
    first = atlas.tileset(sheet(5, 5, clear=True), 5, 5)
    atlas.tiles(scattered(atlas, first, 5), head='opacity="0.6"')
    atlas.tiles(scattered(atlas, first, 3), head='opacity="0.35"', inside=DECOR)
    atlas.tiles(first, head='visible="0"')
    agree(atlas.write())


@pytest.mark.parametrize("shift", [(7, -13), (-7.5, 3.25), (40, 70)])
def test_layers_are_shifted(atlas: Atlas, shift: tuple[float, float]) -> None:
    atlas.ground()
    first = atlas.tileset(sheet(3, 3, clear=True), 3, 3)
    spots = [(x, y) for y in range(0, 9, 2) for x in range(12)]
    atlas.tiles({(x, y): first + (x + y) % 3 for x, y in spots}, head=f'offsetx="{shift[0]}" offsety="{shift[1]}"')
    agree(atlas.write(), (max(0, -int(shift[0] // 1)), max(0, -int(shift[1] // 1))))


def test_a_tilesets_own_offset(atlas: Atlas) -> None:
    atlas.ground()
    first = atlas.tileset(sheet(3, 3, clear=True), 3, 3, inside='<tileoffset x="9" y="-6"/>')
    atlas.tiles(scattered(atlas, first, 3))
    agree(atlas.write())


@pytest.mark.parametrize("tint", ["#60a0ff", "#c0ff8040", "#80ffffff"])
def test_tints(atlas: Atlas, tint: str) -> None:
    atlas.ground()
    first = atlas.tileset(sheet(5, 5, clear=True), 5, 5)
    atlas.tiles(scattered(atlas, first, 5), head=f'tintcolor="{tint}"')
    agree(atlas.write())


def test_groups_hand_on_offset_opacity_tint_and_visibility(atlas: Atlas) -> None:
    atlas.ground()
    first = atlas.tileset(sheet(5, 5, clear=True), 5, 5)
    atlas.tiles(scattered(atlas, first, 5), head='tintcolor="#ffc080" opacity="0.8" offsetx="5"')
    atlas.objects(*things(atlas.collection(images()), SIZES))
    atlas.group('tintcolor="#80c0ff" opacity="0.7" offsetx="6" offsety="9"', 1)
    atlas.tiles(first)
    atlas.group('visible="0"', 2)
    agree(atlas.write())


def test_colour_keys_with_and_without_a_tint(atlas: Atlas) -> None:
    atlas.ground()
    keyed = pygame.Surface((5 * SIDE, SIDE))
    keyed.fill((255, 0, 255))
    keyed.blit(sheet(5, 5, clear=True), (0, 0))
    first = atlas.tileset(keyed, 5, 5, image='trans="ff00ff"')
    atlas.tiles(scattered(atlas, first, 5))
    atlas.tiles({(x, 0): first for x in range(12)}, head='tintcolor="#a0c080" offsety="9"')
    agree(atlas.write())


def test_tall_tiles_lie_over_the_spaces_around_layer_by_layer(atlas: Atlas) -> None:
    atlas.ground()
    tall = atlas.tileset(sheet(3, 3, tile=(48, 80), clear=True), 3, 3, tile=(48, 80))
    atlas.tiles(scattered(atlas, tall, 3, 1))
    atlas.tiles(scattered(atlas, atlas.tileset(sheet(3, 3, clear=True, seed=70), 3, 3), 3))
    agree(atlas.write())


@pytest.mark.parametrize("order", ["right-down", "right-up", "left-down", "left-up"])
def test_render_order_of_what_overlaps(atlas: Atlas, order: str) -> None:
    atlas.head = f'renderorder="{order}"'
    large = atlas.tileset(sheet(3, 3, tile=(60, 60)), 3, 3, tile=(60, 60))
    huge = atlas.collection([art((230, 200), 8), art((40, 40), 9)])
    atlas.tiles(large)
    atlas.tiles({(2, 7): huge, (3, 7): huge, (4, 7): huge + 1, (3, 5): huge + 1, (2, 4): huge})
    agree(atlas.write())


def test_collections_of_images(atlas: Atlas) -> None:
    atlas.ground()
    first = atlas.collection([*images(), art((90, 90), 6, clear=True)])
    atlas.tiles(scattered(atlas, first, 4))
    agree(atlas.write())


def test_decor_over_void_and_tree_tops_that_hang_over_it(atlas: Atlas) -> None:
    ground = atlas.tileset(sheet(2, 2), 2, 2)
    atlas.tiles({(x, y): ground for x in range(3, 8) for y in range(4, 8)})
    trees = atlas.tileset(sheet(2, 2, tile=(64, 96), clear=True), 2, 2, tile=(64, 96))
    atlas.tiles({(x, y): trees + x % 2 for x in (2, 4, 7, 10) for y in (2, 4, 7)}, inside=DECOR)
    agree(atlas.write())


def test_tile_objects_from_the_top_down(atlas: Atlas) -> None:
    atlas.ground()
    atlas.objects(*things(atlas.collection(images()), SIZES)[::-1], head='opacity="0.8" tintcolor="#e0ffc0"')
    agree(atlas.write())


def test_tile_objects_by_their_index(atlas: Atlas) -> None:
    atlas.ground()
    atlas.objects(*things(atlas.collection(images()), SIZES)[::-1], head='draworder="index"')
    agree(atlas.write())


@pytest.mark.parametrize("alignment", ["topleft", "top", "right", "center", "bottomright"])
def test_tile_objects_are_held_by_their_alignment(atlas: Atlas, alignment: str) -> None:
    atlas.ground()
    first = atlas.collection(images(), head=f'objectalignment="{alignment}"')
    atlas.objects(*things(first, SIZES, 'rotation="270"'), *things(first, SIZES))
    agree(atlas.write())


def test_tile_objects_are_stretched_and_shrunk(atlas: Atlas) -> None:
    atlas.ground()
    first = atlas.collection(images())
    atlas.objects(*things(first, [(64, 64), (25, 10), (60, 40)]))
    agree(atlas.write())


def test_tile_objects_are_turned_by_quarters(atlas: Atlas) -> None:
    atlas.ground()
    first = atlas.collection(images())
    for angle in (90, 180, -90, 360):
        atlas.objects(*things(first, SIZES, f'rotation="{angle}"')[: angle // 90])
    agree(atlas.write())


def test_tile_objects_are_turned_by_any_angle(atlas: Atlas) -> None:
    atlas.ground()
    first = atlas.collection(images())
    atlas.objects(*(each.replace("/>", f' rotation="{33 * n + 5}"/>') for n, each in enumerate(things(first, SIZES))))
    agree(atlas.write(), like=8)  # pixels of something turned are means of others, by one reckoning or another


def test_hidden_objects_are_not_drawn(atlas: Atlas) -> None:
    atlas.ground()
    first = atlas.collection(images())
    nodes = things(first, SIZES)
    atlas.objects(*(each.replace("/>", ' visible="0"/>') if n % 2 else each for n, each in enumerate(nodes)))
    agree(atlas.write())


def test_an_image_layer(atlas: Atlas) -> None:
    atlas.ground()
    atlas.image(art((200, 150), 9, clear=True), head='offsetx="20" offsety="31" opacity="0.7"')
    atlas.image(art((40, 150), 10), head='x="50" y="12" tintcolor="#ff8080"', image='trans="#faf0c0"')
    agree(atlas.write())


@pytest.mark.parametrize("repeat", ['repeatx="1"', 'repeaty="1"', 'repeatx="1" repeaty="1"'])
def test_image_layers_repeat_themselves(atlas: Atlas, repeat: str) -> None:
    atlas.tiles({(3, 3): atlas.tileset(sheet(1, 1), 1, 1)})
    atlas.image(
        art((37, 29), 9, clear=True), head=f'offsetx="20" offsety="-11" tintcolor="#88ff44" opacity="0.8" {repeat}'
    )
    agree(atlas.write(), (0, 11))


def test_parallax_changes_nothing_where_nothing_scrolls(atlas: Atlas) -> None:
    atlas.ground()
    first = atlas.tileset(sheet(5, 5, clear=True), 5, 5)
    atlas.tiles(scattered(atlas, first, 5), head='parallaxx="0.5" parallaxy="2"')
    agree(atlas.write())


def animated(atlas: Atlas) -> Path:
    frames = "".join(f'<frame tileid="{n}" duration="{200 + 100 * n}"/>' for n in (0, 2, 3))
    first = atlas.tileset(sheet(4, 4), 4, 4, inside=f'<tile id="0"><animation>{frames}</animation></tile>')
    atlas.tiles({(x, y): first + (x + y) % 2 for x in range(12) for y in range(9)})
    atlas.objects(tile_object(1, first, 40, 120, (SIDE, SIDE)))
    return atlas.write()


def test_animations_begin_with_the_first_of_their_pictures(atlas: Atlas) -> None:
    agree(animated(atlas))


@pytest.mark.parametrize("milliseconds", [150, 250, 650, 1000])
def test_animations_go_on(atlas: Atlas, milliseconds: int) -> None:
    agree(animated(atlas), (0, 0), "--advance-animations", str(milliseconds), seconds=milliseconds / 1000)


def test_roofs_are_drawn_and_are_gone_where_somebody_stands_under_them(atlas: Atlas) -> None:
    atlas.ground()
    roof = atlas.tileset(sheet(4, 4, tile=(40, 48)), 4, 4, tile=(40, 48))
    atlas.tiles({(x, y): roof + (x + y) % 4 for x in range(2, 6) for y in range(2, 5)}, inside=ROOF)
    atlas.objects(*things(atlas.collection(images()), SIZES), inside=ROOF)
    path = atlas.write()
    agree(path)
    agree(path, (0, 0), "--hide-layer", "L2", "--hide-layer", "L3", away=True)


@pytest.mark.parametrize("kind", ["jpg", "bmp", "gif"])
def test_other_kinds_of_pictures(atlas: Atlas, kind: str) -> None:
    squares = pygame.Surface((4 * SIDE, SIDE))
    for n in range(4):
        squares.fill((60 + 40 * n, 200 - 40 * n, 90 + n), (n * SIDE, 0, SIDE, SIDE))
    name = f"sheet.{kind}"
    if kind == "gif":
        (atlas.folder / name).write_bytes(gif(squares))
    else:
        pygame.image.save(squares, str(atlas.folder / name))
    atlas.tiles(scattered(atlas, atlas.tileset(name, 4, 4), 4, 1))
    atlas.image(name, head='offsetx="60" offsety="90"')
    agree(atlas.write(), like=4)


def gif(picture: pygame.Surface) -> bytes:
    """A GIF of at most four colours, not packed at all."""
    wide, high = picture.get_size()
    pixels = [tuple(picture.get_at((x, y)))[:3] for y in range(high) for x in range(wide)]
    colours = list(dict.fromkeys(pixels))
    table = b"".join(bytes(each) for each in colours).ljust(12, b"\0")
    bits, count = 0, 0
    for n, each in enumerate(pixels):
        if n % 2 == 0:  # the code that clears the table keeps all codes at three bits
            bits |= 4 << count
            count += 3
        bits |= colours.index(each) << count
        count += 3
    bits |= 5 << count
    data = bits.to_bytes((count + 10) // 8, "little")
    blocks = b"".join(bytes([len(part)]) + part for n in range(0, len(data), 255) if (part := data[n : n + 255]))
    size = wide.to_bytes(2, "little") + high.to_bytes(2, "little")
    return b"GIF89a" + size + b"\x91\0\0" + table + b",\0\0\0\0" + size + b"\0\x02" + blocks + b"\0;"


def test_everything_together(atlas: Atlas) -> None:
    atlas.width, atlas.height = 30, 20
    atlas.image(art((90, 70), 21), head='repeatx="1" repeaty="1" tintcolor="#a0b0c0"')
    first = atlas.tileset(sheet(8, 4, spacing=1, margin=2), 8, 4, head='spacing="1" margin="2"')
    atlas.tiles(scattered(atlas, first, 8, 1))
    tall = atlas.tileset(
        sheet(3, 3, tile=(48, 80), clear=True), 3, 3, tile=(48, 80), inside='<tileoffset x="-4" y="3"/>'
    )
    atlas.tiles(scattered(atlas, tall, 3), head='tintcolor="#ffe0c0" opacity="0.9" offsetx="4" offsety="6"')
    images_first = atlas.collection(images())
    atlas.objects(*things(images_first, SIZES))
    atlas.objects(*things(images_first, [(64, 64), (25, 10), (60, 40)], 'rotation="90"'), head='draworder="index"')
    atlas.image(art((300, 200), 22, clear=True), head='offsetx="300" offsety="300" opacity="0.5"')
    atlas.group('opacity="0.85" tintcolor="#f0f0ff" offsetx="3"', 3)
    atlas.tiles({(x, y): first + x % 8 for x in range(18, 26) for y in range(3, 9)}, inside=ROOF)
    agree(atlas.write())


@pytest.mark.parametrize("name", sorted(path.stem for path in shipped_maps().glob("*.tmx")))
def test_our_maps_by_the_pictures_of_their_tileset(tmp_path: Path, name: str) -> None:
    """What we draw ourselves for our tiles, Tiled draws by their pictures: without our properties so do we."""
    (tmp_path / "battlemat.png").write_bytes((shipped_maps() / "battlemat.png").read_bytes())
    tiles = (shipped_maps() / "battlemat.tsx").read_text()
    (tmp_path / "battlemat.tsx").write_text(re.sub(r"<properties>.*?</properties>", "", tiles, flags=re.S))
    path = tmp_path / f"{name}.tmx"
    text = (shipped_maps() / path.name).read_text()
    path.write_text(re.sub(r"<objectgroup.*?</objectgroup>", "", text, flags=re.S))
    agree(path)

"""Pictures of foreign maps on the board: blend modes, pieces without seams, our ground among them, tiles that move."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pygame
import pytest

from game.maps.mapdata import LoadedMap
from game.maps.tiled import load_map
from game.view.camera import Camera
from game.view.ground import pictures
from game.view.ground import pictures as blending
from game.view.ground.paint import Setting, paint
from game.view.ground.picture import PIECE, GroundPicture, TileMotion
from tests.game.tiled_oracle import SIDE, Atlas, art, drawn, sheet, tile_object, unlike

DECOR = '<properties><property name="role" value="decor"/></properties>'


@pytest.fixture(autouse=True)
def window() -> pygame.Surface:
    pygame.display.init()
    return pygame.display.set_mode((640, 480))


@pytest.fixture
def atlas(tmp_path: Path) -> Atlas:
    return Atlas(tmp_path)


# ------------------------------------------------------------------------------------------- blend modes

FORMULAS: dict[str, Callable[[float, float], float]] = {
    "normal": lambda d, s: s,
    "multiply": lambda d, s: s * d,
    "screen": lambda d, s: s + d - s * d,
    "overlay": lambda d, s: 2 * s * d if d <= 0.5 else 1 - 2 * (1 - s) * (1 - d),
    "darken": min,
    "lighten": max,
    "hard-light": lambda d, s: 2 * s * d if s <= 0.5 else 1 - 2 * (1 - s) * (1 - d),
    "difference": lambda d, s: abs(s - d),
    "exclusion": lambda d, s: s + d - 2 * s * d,
}
"""What SVG has each mode make of the ground's colour and the picture's."""


@pytest.mark.parametrize("blend", [*FORMULAS, "add"])
@pytest.mark.parametrize("alpha", [255, 160, 40, 0])
def test_blend_modes_are_those_of_svg(blend: str, alpha: int) -> None:
    values = (0, 30, 90, 127, 128, 170, 230, 255)
    ground = pygame.Surface((8, 8))
    picture = pygame.Surface((8, 8), pygame.SRCALPHA, 32)
    for x, below in enumerate(values):
        for y, above in enumerate(values):
            ground.set_at((x, y), (below, below, 255 - below))
            picture.set_at((x, y), (above, 255 - above, above, alpha))
    before = ground.copy()
    blending.lay(ground, picture.premul_alpha(), (0, 0), blend)
    for x in range(8):
        for y in range(8):
            shown = ground.get_at((x, y))[:3]
            parts = zip(before.get_at((x, y))[:3], picture.get_at((x, y))[:3], strict=True)
            wanted = [_blended(blend, d / 255, s / 255, alpha / 255) for d, s in parts]
            assert max(abs(a - b) for a, b in zip(shown, wanted, strict=True)) <= 4, (blend, x, y, shown, wanted)


def _blended(blend: str, ground: float, source: float, alpha: float) -> float:
    if blend == "add":
        return 255 * min(1.0, ground + alpha * source)
    return 255 * ((1 - alpha) * ground + alpha * FORMULAS[blend](ground, source))


def test_a_layer_is_laid_by_its_blend_mode(atlas: Atlas) -> None:
    atlas.ground()
    plain = drawn(load_map(atlas.write()))
    grey = pygame.Surface((SIDE, SIDE))
    grey.fill((128, 128, 128))
    first = atlas.tileset(grey, 1, 1)
    atlas.tiles(first, head='mode="multiply"')
    half = drawn(load_map(atlas.write()))
    for spot in ((5, 5), (100, 77), (300, 200)):
        assert max(abs(a / 2 - b) for a, b in zip(plain.get_at(spot)[:3], half.get_at(spot)[:3], strict=True)) <= 2


# ------------------------------------------------------------------------------------------- pieces


def crowded(atlas: Atlas) -> LoadedMap:
    """A map of more than one piece each way, with pictures over every border between them."""
    atlas.width, atlas.height = 3 * PIECE - 2, 2 * PIECE + 1
    atlas.ground()
    tall = atlas.tileset(sheet(3, 3, tile=(48, 80), clear=True), 3, 3, tile=(48, 80))
    atlas.tiles({(x, y): tall + (x + y) % 3 for x in range(10) for y in range(1, 9, 2)})
    first = atlas.collection([art((90, 90), 6, clear=True), art((300, 200), 7, clear=True)])
    atlas.tiles({(1, 8): first + 1}, inside=DECOR)
    atlas.objects(
        tile_object(1, first, 70, 200, (140, 110)),
        tile_object(2, first, 150, 150, (90, 90), 'rotation="30"'),
        tile_object(3, first, 250, 130, (90, 90)),
    )
    atlas.image(art((200, 150), 9, clear=True), head='offsetx="60" offsety="60" opacity="0.7"')
    return load_map(atlas.write())


@pytest.mark.parametrize("zoom", [16, SIDE, 56, 84])
def test_pieces_show_together_what_is_drawn_in_one_go(atlas: Atlas, zoom: int) -> None:
    """Nothing that is larger than its space is cut where one piece ends."""
    loaded = crowded(atlas)
    ground = GroundPicture(loaded.field, loaded, lit=False)
    setting = Setting(ground.plan, ground.doors, None, ground.stack, ground.roofs)
    area = pygame.Rect(0, 0, loaded.field.width, loaded.field.height)
    whole = pygame.Surface((area.w * zoom, area.h * zoom))
    paint(setting, whole, zoom, area, away=(), frames={})
    # a large picture is cut before it is shrunk, which may tell by a shade where it is cut
    assert unlike(drawn(loaded, zoom), whole, 12) <= 0.002


def test_a_picture_far_larger_than_the_window_is_drawn_in_parts(atlas: Atlas) -> None:
    """Two pixels drawn over the whole map, at the largest zoom: no surface of that size is ever made."""
    two = pygame.Surface((2, 1))
    two.set_at((0, 0), (200, 0, 0))
    two.set_at((1, 0), (0, 0, 200))
    atlas.width, atlas.height = 40, 40
    first = atlas.collection([two])
    atlas.objects(tile_object(1, first, 0, 40 * SIDE, (40 * SIDE, 40 * SIDE)))
    loaded = load_map(atlas.write())
    surface = pygame.Surface((640, 480))
    camera = Camera(loaded.field, surface.get_size())
    camera.set_zoom(160)
    GroundPicture(loaded.field, loaded, lit=False).draw(surface, camera)
    middle = camera.to_screen(20, 20)
    assert surface.get_at((middle[0] - 9, middle[1]))[:3] == (200, 0, 0)
    assert surface.get_at((middle[0] + 9, middle[1]))[:3] == (0, 0, 200)


def webp(size: int, colour: tuple[int, int, int]) -> bytes:
    """A WebP of one colour: every code has a single word, so that no pixel takes a bit."""
    bits, count = ((size - 1) | (size - 1) << 14, 32 + 3)  # no alpha, version 0; no transform, cache or meta code
    red, green, blue = colour
    for value in (green, red, blue, 255):
        bits |= (1 | 1 << 2 | value << 3) << count
        count += 11
    bits |= 1 << count
    body = b"\x2f" + bits.to_bytes((count + 4 + 7) // 8, "little")
    body += b"\0" * (len(body) % 2)
    chunk = b"VP8L" + struct.pack("<I", len(body)) + body
    return b"RIFF" + struct.pack("<I", 4 + len(chunk)) + b"WEBP" + chunk


def test_webp_pictures_are_drawn(atlas: Atlas) -> None:
    (atlas.folder / "leaf.webp").write_bytes(webp(SIDE, (30, 160, 70)))
    atlas.tiles(atlas.tileset("leaf.webp", 1, 1))
    loaded = load_map(atlas.write())
    assert not loaded.warnings
    assert drawn(loaded).get_at((50, 50))[:3] == (30, 160, 70)


def test_tiles_drawn_at_the_size_of_the_grid_and_not_stretched(atlas: Atlas) -> None:
    blue, green = pygame.Surface((64, 64)), pygame.Surface((64, 32))
    blue.fill((0, 0, 250))
    green.fill((0, 250, 0))
    large = atlas.collection([blue], 'tilerendersize="grid"')
    wide = atlas.collection([green], 'tilerendersize="grid" fillmode="preserve-aspect-fit"')
    atlas.tiles({(2, 2): large, (5, 5): wide})
    picture = drawn(load_map(atlas.write()))
    middle, corner = SIDE // 2, 3
    assert picture.get_at((2 * SIDE + middle, 2 * SIDE + corner))[2] == 250
    assert picture.get_at((3 * SIDE + corner, 2 * SIDE + middle))[2] < 100
    assert picture.get_at((5 * SIDE + corner, 5 * SIDE + middle))[1] == 250
    assert picture.get_at((5 * SIDE + middle, 5 * SIDE + corner))[1] < 100


def test_a_picture_that_has_changed_is_loaded_anew(atlas: Atlas) -> None:
    shot = pygame.Surface((SIDE, SIDE))
    shot.fill((250, 0, 0))
    atlas.tiles(atlas.tileset(shot, 1, 1))
    path = atlas.write()
    assert drawn(load_map(path)).get_at((9, 9))[:3] == (250, 0, 0)
    shot.fill((0, 250, 0))
    atlas.picture("sheet1.png", shot)
    assert drawn(load_map(path)).get_at((9, 9))[:3] == (0, 250, 0)


def test_a_picture_that_cannot_be_decoded_leaves_the_rest(atlas: Atlas) -> None:
    atlas.ground()
    head = (atlas.folder / "sheet1.png").read_bytes()[:40]
    (atlas.folder / "broken.png").write_bytes(head)
    atlas.tiles({(1, 1): atlas.tileset("broken.png", 8, 4)})
    atlas.image("broken.png")
    assert drawn(load_map(atlas.write())).get_at((200, 200))[:3] != (0, 0, 0)


# ------------------------------------------------------------------------------------------- our own ground

OWN = (
    '<tileset firstgid="1" name="own" tilewidth="32" tileheight="32" tilecount="4" columns="2">'
    '<tile id="0"><properties><property name="material" value="grass"/></properties></tile>'
    '<tile id="1"><properties><property name="material" value="wall"/><property name="move" value="blocked"/>'
    '<property name="sight" value="blocked"/></properties></tile>'
    '<tile id="2"><properties><property name="prop" value="table"/></properties></tile></tileset>'
)


@pytest.fixture
def mixed(atlas: Atlas) -> Atlas:
    """A map of six by four spaces with our tiles from 1 on and a pure red one, 5."""
    atlas.width, atlas.height = 6, 4
    atlas.sets.append(OWN)
    atlas.first = 5
    red = pygame.Surface((SIDE, SIDE))
    red.fill((250, 0, 0))
    atlas.tileset(red, 1, 1)
    return atlas


def is_red(picture: pygame.Surface, column: int, row: int) -> bool:
    return picture.get_at((column * SIDE + 13, row * SIDE + 17))[:3] == (250, 0, 0)


def test_our_ground_and_foreign_pictures_lie_in_the_order_of_their_layers(mixed: Atlas) -> None:
    mixed.tiles({(x, y): 5 for x in range(3) for y in range(4)})
    mixed.tiles({(x, y): 1 for x in range(1, 6) for y in range(4)})
    mixed.tiles({(2, y): 5 for y in range(4)}, inside=DECOR)
    picture = drawn(load_map(mixed.write()))
    assert [is_red(picture, column, 1) for column in range(6)] == [True, False, True, False, False, False]


def test_a_foreign_wall_over_our_floor_is_the_picture_on_the_floor(mixed: Atlas) -> None:
    hole = pygame.Surface((SIDE, SIDE), pygame.SRCALPHA, 32)
    hole.fill((250, 0, 0, 255), (0, 0, SIDE, SIDE // 2))
    blocked = '<tile id="0"><properties><property name="move" value="blocked"/></properties></tile>'
    wall = mixed.tileset(hole, 1, 1, inside=blocked)
    mixed.tiles(1)
    plain = drawn(load_map(mixed.write()))
    mixed.tiles({(2, 2): wall})
    picture = drawn(load_map(mixed.write()))
    upper, lower = (2 * SIDE + 9, 2 * SIDE + 5), (2 * SIDE + 9, 3 * SIDE - 9)
    assert picture.get_at(upper)[:3] == (250, 0, 0)
    assert picture.get_at(lower) == plain.get_at(lower), "the grass shows through"


def test_our_own_tiles_as_decor_over_void(mixed: Atlas) -> None:
    mixed.tiles({(x, y): 1 for x in range(3) for y in range(4)})
    bare = drawn(load_map(mixed.write()))
    mixed.tiles({(4, 2): 1}, inside=DECOR)
    picture = drawn(load_map(mixed.write()))
    box = pygame.Rect(4 * SIDE, 2 * SIDE, SIDE, SIDE)
    assert sum(pygame.transform.average_color(picture, box)[:3]) > 2 * sum(
        pygame.transform.average_color(bare, box)[:3]
    )


@pytest.mark.parametrize("plain", [True, False])
def test_a_secret_door_on_pictures_is_hidden_and_drawn_once_it_is_found(mixed: Atlas, plain: bool) -> None:
    mixed.tiles(
        {(x, y): 5 for x in range(6) for y in range(4)}
        if plain
        else {(x, y): 1 + 4 * (x < 4) for x in range(6) for y in range(4)}
    )
    mixed.objects(
        '<object id="9" type="Door" x="64" y="32" width="32" height="32"><properties>'
        '<property name="state" value="secret"/></properties></object>'
    )
    loaded = load_map(mixed.write())
    surface = pygame.Surface((6 * SIDE, 4 * SIDE))
    camera = Camera(loaded.field, surface.get_size())
    camera.set_zoom(SIDE)
    ground = GroundPicture(loaded.field, loaded)
    ground.draw(surface, camera)
    assert [_reds(surface, column, 1) for column in (1, 2, 3)] == [1, 0, 1]
    ground.set_doors(("open",))
    ground.draw(surface, camera)
    assert 0.2 < _reds(surface, 2, 1) < 1, "the floor, and the leaf on it"


def _reds(picture: pygame.Surface, column: int, row: int) -> float:
    """The share of a space that is the red picture, in whatever light."""
    box = pygame.Rect(column * SIDE, row * SIDE, SIDE, SIDE)
    return pygame.mask.from_threshold(picture.subsurface(box), (220, 0, 0), (60, 25, 25, 255)).count() / SIDE**2


def test_the_background_of_the_map_lies_under_its_pictures(atlas: Atlas) -> None:
    atlas.head = 'backgroundcolor="#203040"'
    atlas.tiles({(1, 1): atlas.tileset(sheet(1, 1), 1, 1)})
    assert drawn(load_map(atlas.write())).get_at((300, 200))[:3] == (0x20, 0x30, 0x40)


# ------------------------------------------------------------------------------------------- what moves


def moving(atlas: Atlas) -> LoadedMap:
    """Water that moves in the space at the upper left of a large map, and still tiles."""
    atlas.width, atlas.height = 40, 40
    frames = "".join(f'<frame tileid="{n}" duration="{n * 100 + 100}"/>' for n in range(3))
    first = atlas.tileset(sheet(4, 4), 4, 4, inside=f'<tile id="0"><animation>{frames}</animation></tile>')
    atlas.tiles({(x, y): first + 3 for x in range(40) for y in range(40)} | {(0, 0): first})
    return load_map(atlas.write())


def looking(loaded: LoadedMap, spot: tuple[int, int]) -> tuple[GroundPicture, pygame.Surface, Camera]:
    surface = pygame.Surface((320, 240))
    camera = Camera(loaded.field, surface.get_size())
    camera.set_zoom(SIDE)
    camera.centre(spot)
    camera.arrive()
    ground = GroundPicture(loaded.field, loaded, lit=False)
    ground.draw(surface, camera)
    return ground, surface, camera


def test_each_picture_of_an_animation_is_shown_for_its_time() -> None:
    motion = TileMotion({7: ((7, 100), (8, 200), (9, 10))})
    shown = []
    for _ in range(9):
        motion.advance(0.05)
        shown.append(motion.frames[7])
    assert shown == [7, 8, 8, 8, 8, 9, 7, 7, 8], "nothing is shown for less than 50 ms"
    assert motion.wait([7]) == pytest.approx(0.2)
    assert motion.wait([]) is None


def test_animated_tiles_in_sight_are_drawn_anew_at_their_times(atlas: Atlas) -> None:
    ground, surface, camera = looking(moving(atlas), (0, 0))
    corner = pygame.Rect(camera.origin, (SIDE, SIDE))
    ground.animate(0.01)
    ground.draw(surface, camera)
    first = surface.subsurface(corner).copy()
    assert ground.next_frame == pytest.approx(0.09)
    assert not ground.animate(0.05)
    assert ground.animate(0.05)
    ground.draw(surface, camera)
    assert unlike(first, surface.subsurface(corner)) > 0.1
    assert ground.animate(0.5)
    ground.draw(surface, camera)
    assert unlike(first, surface.subsurface(corner)) == 0, "it comes round"


def test_only_pieces_with_animated_tiles_are_made_anew(atlas: Atlas) -> None:
    ground, surface, camera = looking(moving(atlas), (0, 0))
    ground.animate(0.01)
    ground.draw(surface, camera)
    while ground.pending:
        ground.draw(surface, camera)
    before = dict(ground._pieces)
    ground.animate(0.1)
    ground.draw(surface, camera)
    assert [key[1:3] for key in ground._pieces if key not in before] == [(0, 0)]


def test_animated_tiles_out_of_sight_cost_nothing(atlas: Atlas) -> None:
    ground, _, _ = looking(moving(atlas), (30, 30))
    assert not any(ground.animate(0.1) for _ in range(10))
    assert ground.next_frame is None


def test_with_motion_off_tiles_stand_as_they_are(atlas: Atlas) -> None:
    ground, surface, camera = looking(moving(atlas), (0, 0))
    still = surface.copy()
    ground.animate(0.25)
    ground.draw(surface, camera)
    assert unlike(still, surface) > 0
    assert ground.animate(None) and not ground.animate(None)
    ground.draw(surface, camera)
    assert unlike(still, surface) == 0


def test_where_too_much_would_move_it_stands_still(atlas: Atlas, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("game.view.ground.picture.KEPT_PIXELS", 60_000)
    ground, surface, camera = looking(moving(atlas), (0, 0))
    assert not ground.animate(0.15) and ground.next_frame is None
    ground.draw(surface, camera)


def test_pictures_are_forgotten_beyond_a_number_of_pixels() -> None:
    shelf = pictures._Shelf(1000)
    for n in range(30):
        shelf.get(n, lambda: pygame.Surface((10, 10)))
    assert len(shelf._kept) == 10 and 29 in shelf._kept and 0 not in shelf._kept

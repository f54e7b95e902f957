"""A picture becomes a map: its grid is found, or laid over it, and a fight is played on it."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pygame
import pytest
from PIL import Image, ImageDraw

from game import paths
from game.content import encounter
from game.importing.plan import ImportProblem
from game.maps.pictured.fitting import Fitting, made, opened
from game.maps.pictured.grid import find
from game.maps.place import check_place
from game.maps.tiled import load_map
from game.scenes.dialogs.panels import Message
from game.scenes.fight.scene import Fight
from game.scenes.picturing import Picturing
from game.scenes.setup.scene import Setup
from tests.game.player import Player, labels


def drawn(side: float, left: float = 0.0, top: float = 0.0, *, size: tuple[int, int] = (900, 700), dark: int = 130,
          line: int = 1, kind: str = "PNG", seed: int = 1) -> bytes:  # fmt: skip
    """A battle map of blots, with lines so dark (0 to 255) over it; `dark` 0: without a grid."""
    lot = random.Random(seed)
    board = Image.new("RGB", size, (112, 100, 88))
    pen = ImageDraw.Draw(board)
    for _ in range(50):
        x, y, far = lot.randrange(size[0]), lot.randrange(size[1]), lot.randrange(20, 150)
        colour = (lot.randrange(60, 180), lot.randrange(60, 180), lot.randrange(60, 180))
        pen.ellipse((x - far, y - far, x + far, y + far * 0.7), fill=colour)
    lines = Image.new("L", size, 0)
    across: float = left
    down: float = top
    pen = ImageDraw.Draw(lines)
    while dark and across < size[0]:
        pen.line((across, 0, across, size[1]), fill=dark, width=line)
        across += side
    while dark and down < size[1]:
        pen.line((0, down, size[0], down), fill=dark, width=line)
        down += side
    board.paste((0, 0, 0), mask=lines)
    data = io.BytesIO()
    board.save(data, kind)
    return data.getvalue()


def off(one: float, other: float, side: float) -> float:
    """How far two lines of a grid are apart."""
    return min((one - other) % side, (other - one) % side)


@pytest.mark.parametrize(
    ("side", "left", "top"), [(32, 5, 30), (50, 0, 0), (69.8, 33, 12), (72.5, 70, 3), (100, 50, 99), (140, 20, 80)]
)
@pytest.mark.parametrize("dark", [255, 60])
def test_the_grid_of_a_picture_is_found_in_fractions_of_a_pixel(
    side: float, left: float, top: float, dark: int
) -> None:
    found = find(drawn(side, left, top, dark=dark, size=(1400, 1200)))
    assert found is not None
    assert abs(found.side - side) < 0.15
    assert off(found.left, left, side) < 2 and off(found.top, top, side) < 2


@pytest.mark.parametrize("kind", ["JPEG", "WEBP"])
def test_it_is_found_in_pictures_that_lost_something_too(kind: str) -> None:
    found = find(drawn(70, 10, 20, kind=kind))
    assert found is not None and abs(found.side - 70) < 0.2


@pytest.mark.parametrize("seed", range(6))
def test_where_there_is_none_none_is_found(seed: int) -> None:
    assert find(drawn(70, dark=0, seed=seed)) is None


def test_a_picture_larger_than_is_looked_at_is_measured_in_its_own_pixels() -> None:
    found = find(drawn(150, 40, 60, size=(4800, 3600), line=3))
    assert found is not None and abs(found.side - 150) < 0.3


def test_columns_are_counted_from_end_to_end() -> None:
    fit = Fitting(1000, 610, 70).by_columns(20)
    assert (fit.side, fit.columns, fit.rows, fit.left, fit.top) == (50, 20, 12, 0, 0)


def test_one_space_that_was_dragged_lays_the_whole_grid() -> None:
    fit = Fitting(1000, 620, 70).by_space((213, 115), (263, 164))
    assert (fit.side, fit.left, fit.top, fit.columns, fit.rows) == (50, 13, 15, 20, 12)


def test_a_grid_is_nudged_and_widened_about_the_middle() -> None:
    fit = Fitting(1000, 600, 50).nudged(3, -10)
    assert (fit.left, fit.top) == (3, 40)
    wider = Fitting(1000, 600, 50).wider(1)
    assert wider.side == 51 and off(wider.left, 500, 51) < 0.01


def test_no_grid_makes_a_map_beyond_what_a_map_holds() -> None:
    fit = Fitting(9000, 4000, 1).settled()
    assert fit.columns <= 512 and fit.rows <= 512


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "old mill.png"
    path.write_bytes(drawn(70, 20, 35))
    return path


@pytest.mark.usefixtures("home")
def test_the_map_has_the_picture_on_its_spaces(sheet: Path) -> None:
    opened_sheet = opened(sheet)
    fit = opened_sheet.fitting()
    path = made(opened_sheet, fit)
    loaded = load_map(path)
    assert (loaded.field.width, loaded.field.height) == (fit.columns, fit.rows) == (13, 10)
    assert check_place(path).fit and encounter.map_name(path) == "old-mill/old-mill.tmx"
    shown = pygame.image.load(path.with_name("old-mill.picture.png"))
    assert shown.get_size() == (13 * 70, 10 * 70)
    lines = [sum(shown.get_at((x, y))[1] for y in range(0, 600, 7)) for x in range(100, 180)]
    assert lines.index(min(lines)) + 100 in range(138, 143), "a line of the picture lies between two spaces"
    assert made(opened_sheet, fit) == path, "the very same is there once"


@pytest.mark.parametrize(
    ("content", "told"),
    [(b"", "is no picture that can be a map"), (b"GIF89a" + bytes(40), "is no picture that can be a map"),
     (drawn(70)[:300], "is broken"), (b"\x89PNG\r\n\x1a\n" + bytes(30), "is no picture")],
)  # fmt: skip
def test_what_is_no_picture_gets_its_line(content: bytes, told: str, tmp_path: Path) -> None:
    (tmp_path / "odd.png").write_bytes(content)
    with pytest.raises(ImportProblem, match=told):
        opened(tmp_path / "odd.png")


def test_a_picture_that_says_it_is_huge_is_not_decoded(tmp_path: Path) -> None:
    lying = drawn(70)
    (tmp_path / "huge.png").write_bytes(lying[:16] + (60_000).to_bytes(4, "big") * 2 + lying[24:])
    with pytest.raises(ImportProblem, match="60000 × 60000 pixels large"):
        opened(tmp_path / "huge.png")


# -- the window ----------------------------------------------------------------------------------------------


def dropped(player: Player, path: Path) -> Picturing:
    player.app.navigator.prepare()
    player.turn()
    pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(path)))
    player.turn(3)
    assert isinstance(player.app.top, Picturing)
    return player.app.top


@pytest.mark.usefixtures("home")
def test_a_dropped_picture_is_a_fight_after_four_clicks(player: Player, sheet: Path) -> None:
    """One on the dialog, two that put a hero and a foe down, one that plays: far below two minutes."""
    scene = dropped(player, sheet)
    assert any("A grid was found" in label for label in labels(player))
    assert abs(scene.fitting.side - 70) < 0.2
    player.press("Make it a map")
    player.turn()
    table = player.app.top
    assert isinstance(table, Setup) and table.editor.ground.width == 13
    clicks = 1
    for template, spot in (("warrior", (2, 2)), ("goblin", (9, 6))):
        table.editor.place(template, "heroes" if template == "warrior" else "monsters", spot)
        clicks += 1
    table.refresh()
    player.turn()
    player.key(pygame.K_RETURN, pygame.KMOD_CTRL)
    player.turn()
    assert isinstance(player.app.top, Fight) and clicks + 1 == 4


@pytest.mark.usefixtures("home")
def test_without_a_grid_one_space_is_dragged(player: Player, tmp_path: Path) -> None:
    path = tmp_path / "wood.jpg"
    path.write_bytes(drawn(70, dark=0, kind="JPEG"))
    scene = dropped(player, path)
    assert any("No grid is to be seen" in label for label in labels(player))
    first, last = scene._on_window(200, 150), scene._on_window(250, 200)
    player.button(first, down=True)
    player.move(last)
    player.button(last, down=False)
    player.turn()
    assert abs(scene.fitting.side - 50) < 1.5
    assert off(scene.fitting.left, 200, scene.fitting.side) < 1.5


@pytest.mark.usefixtures("home")
def test_keys_nudge_widen_and_take_it(player: Player, sheet: Path) -> None:
    scene = dropped(player, sheet)
    before = scene.fitting
    player.key(pygame.K_RIGHT)
    player.key(pygame.K_PLUS, text="+")
    player.turn()
    assert scene.fitting.side == pytest.approx(before.side + 0.1)
    player.key(pygame.K_RETURN)
    player.turn()
    assert isinstance(player.app.top, Setup)
    assert [path.name for path in paths.user_folder("maps").iterdir()] == ["old-mill"]


@pytest.mark.usefixtures("home")
def test_one_that_is_broken_gets_its_line(player: Player, tmp_path: Path) -> None:
    (tmp_path / "torn.png").write_bytes(drawn(70)[:300])
    player.app.navigator.prepare()
    player.turn()
    pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(tmp_path / "torn.png")))
    player.turn(3)
    assert isinstance(player.app.top, Message) and "torn.png: is broken" in player.app.top.text

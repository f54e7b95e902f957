"""Roofs: drawn until somebody who is shown stands under them, each by itself; in fog they give nobody away."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pygame
import pytest

from game.fight.match import Match
from game.fight.viewing import Eyes
from game.view.boardview import BoardView
from game.view.camera import Camera
from game.view.ground.stack import FADE, Roofs
from rules.contract.actions import Action
from rules.contract.display import FloorItem, GroundMark
from rules.contract.units import Bitboard, Cell
from tests.game.hotseat_table import being, table
from tests.game.tiled_oracle import SIDE, Atlas

ROOF = '<properties><property name="role" value="roof"/></properties>'
HALL, SHED = (4, 2), (9, 2)
"""A space under each of two roofs; a wall stands between hall and shed, and between them and the lawn."""
RED, GREEN = (250, 0, 0), (0, 200, 0)
Table = Callable[..., tuple[BoardView, Match]]


def village(folder: Path) -> None:
    """Twelve by seven spaces of lawn with two roofs upon it, one a picture that reaches beyond its own space."""
    atlas = Atlas(folder, 12, 7)
    colours = pygame.Surface((3 * SIDE, SIDE))
    for n, colour in enumerate((GREEN, (60, 60, 60), RED)):
        colours.fill(colour, (n * SIDE, 0, SIDE, SIDE))
    stone = '<tile id="1"><properties><property name="move" value="blocked"/><property name="sight" value="blocked"/>'
    first = atlas.tileset(colours, 3, 3, inside=f"{stone}</properties></tile>")
    walls = {(x, y) for x in range(3, 12) for y in range(1, 5) if x in (3, 7, 11) or y in (1, 4)} - {(5, 4), (9, 4)}
    atlas.tiles({(x, y): first + ((x, y) in walls) for x in range(12) for y in range(7)})
    atlas.tiles({(x, y): first + 2 for x in range(3, 7) for y in range(1, 5)}, inside=ROOF)
    shed = pygame.Surface((4 * SIDE, 4 * SIDE))
    shed.fill(RED)
    atlas.tiles({(8, 4): atlas.collection([shed])}, inside=ROOF)
    atlas.write()


@pytest.fixture
def seat(tmp_path: Path) -> Table:
    """A board as some sides see it: heroes on the lawn or elsewhere, a beast somewhere."""
    pygame.display.init()
    pygame.display.set_mode((640, 480))
    village(tmp_path)

    def look(
        hero: tuple[int, int], beast: tuple[int, int], sides: list[str] | None = None, **more: Any
    ) -> tuple[BoardView, Match]:
        creatures = [being("Ada", "heroes", hero), being("Zugg", "beasts", beast)]
        record = table(map={"tmx": "map.tmx"}, seats=[], creatures=creatures, **more)
        match = Match.from_record(record, beside=tmp_path)
        view = BoardView(match.field, match.loaded_map, Camera(match.field, (640, 480)))
        view.camera.set_zoom(40)
        show(view, Eyes(match, sides), match)
        return view, match

    return look


def show(view: BoardView, eyes: Eyes, match: Match) -> None:
    view.see(eyes.sight(), match.ruleset.lamps(eyes.state()))
    view.set_board(eyes.board())


def colour(view: BoardView, spot: tuple[int, int]) -> tuple[int, int, int]:
    """What is drawn in a corner of a space."""
    surface = pygame.Surface((640, 480))
    view.draw(surface)
    while view.ground.pending:
        view.draw(surface)
    box = view.camera.space_rect(spot)
    red, green, blue, *_ = surface.get_at((box.left + 3, box.top + 3))
    return red, green, blue


def roofed(view: BoardView, spot: tuple[int, int]) -> bool:
    red, green, _ = colour(view, spot)
    return red > green


def lifted(view: BoardView) -> dict[int, float]:
    """How far each roof of a single map is lifted."""
    assert isinstance(view.ground.roofs, Roofs)
    return view.ground.roofs.lifted


def test_roofs_lie_over_what_nobody_stands_under(seat: Table) -> None:
    view, _ = seat((1, 5), (1, 1))
    assert roofed(view, HALL) and roofed(view, SHED) and not roofed(view, (1, 3))
    assert len(set(view.ground.roofs.over.values())) == 2


def test_a_roof_goes_from_above_who_stands_under_it_and_the_other_stays(seat: Table) -> None:
    view, _ = seat(HALL, (1, 1))
    assert not roofed(view, HALL) and not roofed(view, (6, 3)) and roofed(view, SHED)
    view, _ = seat((1, 5), SHED)
    assert roofed(view, HALL) and not roofed(view, SHED) and not roofed(view, (10, 2)), "the whole picture is gone"


def test_spaces_that_touch_by_their_corners_lie_under_two_roofs(tmp_path: Path) -> None:
    from game.maps.tiled import load_map
    from game.view.ground.stack import LayerStack, Roofs

    atlas = Atlas(tmp_path, 5, 4)
    first = atlas.tileset(pygame.Surface((SIDE, SIDE)), 1, 1)
    atlas.tiles(first)
    atlas.tiles({(0, 0): first, (4, 0): first, (0, 1): first, (1, 2): first}, inside=ROOF)
    atlas.tiles({(2, 2): first, (2, 3): first}, inside=ROOF)
    over = Roofs(LayerStack(load_map(atlas.write()))).over
    assert over == {0: 0, 4: 1, 5: 0, 11: 2, 12: 2, 17: 2}, "nor do the ends of two rows lie side by side"


def test_in_fog_a_roof_stays_over_whom_nobody_sees(seat: Table) -> None:
    """Who plays the heroes sees the same, wherever under the roof the beast stands, or not there at all."""
    shots = []
    for beast in (HALL, (5, 3), SHED):
        view, match = seat((1, 6), beast, ["heroes"])
        assert {mini.id for mini in Eyes(match, ["heroes"]).board().miniatures} == {"ada"}
        surface = pygame.Surface((640, 480))
        view.draw(surface)
        shots.append(pygame.image.tobytes(surface, "RGB"))
        view, _ = seat((1, 6), beast, ["beasts"])
        assert lifted(view)
    assert shots[0] == shots[1] == shots[2]


def test_under_a_roof_that_is_gone_what_was_never_seen_stays_dark(seat: Table) -> None:
    view, _ = seat((8, 3), HALL, ["heroes"])
    assert lifted(view)
    assert max(colour(view, HALL)) < 40, "the hall, which the wall hides"
    assert not roofed(view, (9, 2)) and max(colour(view, (9, 2))) > 100


def test_for_who_sees_all_every_roof_with_somebody_under_it_is_gone(seat: Table) -> None:
    view, _ = seat(SHED, HALL)
    assert not roofed(view, HALL) and not roofed(view, SHED)


def test_when_somebody_else_looks_no_roof_tells_where_the_other_stood(seat: Table) -> None:
    view, match = seat(HALL, (1, 5), ["heroes"])
    assert lifted(view)
    view.forget()
    assert not lifted(view) and not view.ground.roofs.moving
    show(view, Eyes(match, ["beasts"]), match)
    assert not lifted(view), "not for one frame does it come back slowly"
    assert max(colour(view, HALL)) < 40 or roofed(view, HALL)


def until(match: Match, by: str) -> None:
    while match.decision is not None and match.decision.by != by:
        match.act(match.decision, list(match.legal(match.decision))[-1])


def walk(view: BoardView, match: Match, *way: tuple[int, int]) -> list[float]:
    """Ada walks; how far the hall's roof is gone, frame by frame, until all stands still."""
    eyes = Eyes(match, ["heroes"])
    until(match, "ada")
    show(view, eyes, match)
    before = eyes.board()
    assert match.decision is not None
    path = tuple(match.field.cell(*spot) for spot in way)
    events = match.act(match.decision, Action("ada", "step", path=path))
    view.see(eyes.sight())
    view.play(eyes.events(events), before, eyes.board())
    shares = [lifted(view).get(0, 0.0)]
    while view.busy or view.ground.roofs.moving:
        view.update(0.05)
        shares.append(lifted(view).get(0, 0.0))
    return shares


def test_a_roof_goes_as_somebody_comes_under_it_and_comes_back_behind(seat: Table) -> None:
    view, match = seat((5, 5), (1, 1), ["heroes"])
    coming = walk(view, match, (5, 4), (5, 3))
    assert coming[:2] == [0, 0] and coming[-1] == 1, "only once she is there"
    assert coming == sorted(coming) and len({*coming} - {0, 1}) >= 3, "a little more each frame"
    assert lifted(view) == {0: 1.0}
    assert not roofed(view, HALL)
    match.act(match.decision, Action(match.decision.by, "end")) if match.decision else None
    leaving = walk(view, match, (5, 4), (5, 5))
    assert leaving[0] == 1 and leaving[-1] == 0 and leaving == sorted(leaving, reverse=True)
    assert roofed(view, HALL) or max(colour(view, HALL)) < 100, "remembered at most"


@pytest.mark.parametrize("calm", ["speed", "reduced_motion"])
def test_with_motion_off_a_roof_is_there_or_not(seat: Table, calm: str) -> None:
    view, match = seat((5, 5), (1, 1), ["heroes"])
    setattr(view, calm, calm == "reduced_motion")
    assert set(walk(view, match, (5, 4), (5, 3))) <= {0.0, 1.0}
    assert lifted(view) == {0: 1.0}


def test_while_a_roof_goes_it_is_seen_through(seat: Table) -> None:
    view, _ = seat((1, 5), (1, 1))
    view.ground.roofs.stand([Cell(HALL[0] + HALL[1] * 12)])
    view.ground.roofs.update(FADE / 2)
    red, green, _ = colour(view, HALL)
    assert view.moving and red > 80 and green > 60
    view.ground.roofs.update(FADE)
    assert not view.moving and not roofed(view, HALL)


def test_what_lies_under_a_roof_is_seen_when_the_roof_is_gone(seat: Table) -> None:
    view, _ = seat((1, 5), (1, 1))
    assert view.board is not None
    cells = [HALL[0] + HALL[1] * 12, 1 + 3 * 12]
    marks = (GroundMark("fire", "fire", Bitboard(sum(1 << cell for cell in cells))),)
    bare = [middle(view, spot) for spot in (HALL, (1, 3))]
    items = tuple(FloorItem("sword", Cell(cell)) for cell in cells)
    board = msgspec.structs.replace(view.board, ground=marks, floor=items)
    view.set_board(board)
    shown = [middle(view, spot) for spot in (HALL, (1, 3))]
    assert shown[0] == bare[0], "neither fire nor sword lies on the roof"
    assert shown[1] != bare[1]
    view.peek = Cell(cells[0])
    view.set_board(board)
    assert middle(view, HALL) != shown[0] and not roofed(view, HALL)


def middle(view: BoardView, spot: tuple[int, int]) -> bytes:
    """A space as it is drawn."""
    surface = pygame.Surface((640, 480))
    view.draw(surface)
    return pygame.image.tobytes(surface.subsurface(view.camera.space_rect(spot)), "RGB")

"""The board as a whole: it shows what has happened so far, rests when nothing moves, and finds what is pointed at."""

from __future__ import annotations

import msgspec
import pygame
import pytest

from game.view import palette as fonts
from game.view.boardview import BoardView
from game.view.camera import Camera
from game.view.ground.walls import OPENING
from game.view.overlays import Overlays
from game.view.palette import PAPER
from rules.board.fixtures import Door
from rules.board.grid import Field
from rules.contract import events as ev
from rules.contract.display import Badge, Bar, Board, Miniature, Planned
from rules.contract.units import Cell

ROWS = ["########", "#......#", "#......#", "########"]
DOOR = Door("Gate", Cell(10), None, "closed")
OPENED = ev.Door(door="Gate", state="open", by="hero")
WOUND = ev.Injury(target="foe", amount=9, hp=0, status="dead")
BLOW = ev.Attack(
    by="hero", target="foe", weapon="sword", attack=9, defense=5, margin=4, outcome="solid_hit", damage=9,
    adjustments=(), rolls=(ev.Roll("attack", "2d6", (ev.Throw(6, 6, 6, True), ev.Throw(6, 3, 3)), 9),),
)  # fmt: skip


@pytest.fixture
def window() -> pygame.Surface:
    pygame.display.init()
    pygame.font.init()
    return pygame.display.set_mode((640, 360))


def mini(name: str, cell: Cell, health: int = 9, *, out: bool = False, active: bool = False) -> Miniature:
    side = "heroes" if name == "hero" else "monsters"
    pool = Bar("Hit points", health, 9)
    return Miniature(name, name, side, cell, "goblin", health=pool, out=out, active=active)


def board(*minis: Miniature, doors: tuple[str, ...] = ()) -> Board:
    return Board(minis, (), "", doors)


def view(*doors: Door) -> BoardView:
    field = Field.from_rows(ROWS, doors=doors)
    return BoardView(field, None, Camera(field, (640, 360)))


def picture(shown: BoardView, window: pygame.Surface) -> bytes:
    """The settled picture of the ground and all that stands on it."""
    for _ in range(20):
        shown.draw(window)
    return pygame.image.tobytes(window, "RGB")


def test_nobody_falls_before_the_blow_lands(window: pygame.Surface) -> None:
    shown = view()
    before = board(mini("hero", Cell(9)), mini("foe", Cell(10)))
    after = board(mini("hero", Cell(9)), mini("foe", Cell(10), 0, out=True))
    shown.play([BLOW, WOUND], before, after)
    foe = after.miniatures[1]
    assert not shown._shown(foe).out
    assert shown._shown(foe).health.value == 9
    shown.draw(window)
    shown.skip()
    assert not shown.busy
    assert shown._shown(foe).out


def test_the_halo_moves_on_when_all_is_shown(window: pygame.Surface) -> None:
    shown = view()
    before = board(mini("hero", Cell(9), active=True), mini("foe", Cell(10)))
    after = board(mini("hero", Cell(9)), mini("foe", Cell(10), 4, active=True))
    shown.play([BLOW], before, after)
    assert [shown._shown(m).active for m in after.miniatures] == [True, False]
    shown.skip()
    assert [shown._shown(m).active for m in after.miniatures] == [False, True]


def test_an_idle_board_asks_for_no_new_frame() -> None:
    shown = view()
    shown.set_board(board(mini("hero", Cell(9))))
    surface = pygame.Surface((640, 360))
    for _ in range(20):
        shown.draw(surface)  # the ground is drawn piece by piece
        shown.update(0.1)
    assert not shown.update(0.1)
    shown.set_board(board(mini("hero", Cell(9), active=True)))
    assert shown.update(0.1)  # the halo turns
    shown.reduced_motion = True
    assert not shown.update(0.1)


def test_the_pointer_finds_who_stands_before_who_lies() -> None:
    shown = view()
    shown.set_board(board(mini("foe", Cell(10), 0, out=True), mini("hero", Cell(10)), mini("ogre", Cell(12))))
    assert shown.miniature_at(shown.camera.space_rect(10).center) == "hero"
    assert shown.miniature_at(shown.camera.space_rect(9).center) is None


def test_a_door_swings_and_light_falls_through_it_from_the_start(window: pygame.Surface) -> None:
    shown = view(DOOR)
    before, after = board(mini("hero", Cell(9)), doors=("closed",)), board(mini("hero", Cell(9)), doors=("open",))
    shown.set_board(before)
    closed = picture(shown, window)
    shown.play([OPENED], before, after)
    assert shown.busy
    assert picture(shown, window) == closed
    shown.update(0.2)
    assert shown.ground.doors == (OPENING,)
    half = picture(shown, window)
    while shown.busy:
        shown.update(0.05)
    assert shown.ground.doors == ("open",)
    assert len({closed, half, picture(shown, window)}) == 3


@pytest.mark.parametrize(("old", "new"), [("locked", "closed"), ("secret", "closed"), ("open", "open")])
def test_a_door_that_stays_shut_or_open_does_not_swing(old: str, new: str) -> None:
    shown = view(DOOR)
    shown.play([ev.Door(door="Gate", state=new)], board(doors=(old,)), board(doors=(new,)))
    assert not shown.busy
    assert shown.ground.doors == (new,)


def test_without_motion_a_door_is_open_at_once() -> None:
    shown = view(DOOR)
    shown.reduced_motion = True
    shown.play([OPENED], board(doors=("closed",)), board(doors=("open",)))
    shown.update(0.01)
    assert shown.ground.doors == ("open",)


def test_what_is_planned_stands_above_rings_and_miniatures(window: pygame.Surface) -> None:
    def word(selected: str | None) -> set[tuple[int, int]]:
        """Where its letters are."""
        table = BoardView(Field.from_rows(ROWS), None, Camera(Field.from_rows(ROWS), window.get_size()))
        plans = (Planned("hero", (), None, "Wait"),)
        table.set_board(msgspec.structs.replace(board(mini("hero", Cell(10)), mini("foe", Cell(18))), plans=plans))
        table.draw(window, Overlays(selected=selected))
        rect = table.camera.space_rect(10)
        plate = pygame.Rect(0, 0, 30, 12)
        plate.midtop = rect.centerx, rect.bottom - table.camera.zoom // 8 + 2
        letters = window.subsurface(plate)
        return {(x, y) for x in range(30) for y in range(12) if letters.get_at((x, y))[:3] == PAPER}

    assert word(None) and word(None) <= word("hero")


@pytest.mark.parametrize("around", [(11,), (3, 11, 19), (10,), (10, 11)])
def test_what_ails_somebody_who_lies_is_hidden_behind_nobody(window: pygame.Surface, around: tuple[int, ...]) -> None:
    ails = (Badge("prone", "", ""), Badge("bleeding", "", ""), Badge("stunned", "", ""))
    low = msgspec.structs.replace(mini("foe", Cell(10), 0, out=True), badges=ails)
    others = [mini(f"other {n}", Cell(cell)) for n, cell in enumerate(around)]

    def shown(*minis: Miniature) -> pygame.Surface:
        table = view()
        table.set_board(board(*minis))
        picture(table, window)
        return window.copy()

    def badges(*there: Miniature) -> int:
        """Pixels that show the badges of who lies."""
        bare = shown(msgspec.structs.replace(low, badges=()), *there)
        same = pygame.mask.from_threshold(shown(low, *there), (0, 0, 0), (1, 1, 1, 255), bare)
        return window.width * window.height - same.count()

    assert badges(*others) >= 0.9 * badges() > 100


@pytest.mark.parametrize("kind", ["text", "bold", "serif", "serif-bold"])
def test_marks_of_quotation_do_not_run_into_letters(kind: str) -> None:
    pygame.font.init()
    for letter, measured in zip("“”«»…", fonts.font(kind, 40).metrics("“”«»…"), strict=True):
        assert measured is not None and measured[1] <= measured[4] + 2, letter

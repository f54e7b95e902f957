"""Motion follows the events, ends on the board that the rules left, and never holds them up."""

from __future__ import annotations

import pygame
import pytest

from game.view.animate import Animator
from game.view.boardview import BoardView
from game.view.camera import Camera
from game.view.dicetray import trays_of
from rules import events as ev
from rules.board import Bar, Board, Miniature
from rules.grid import Field

ROWS = ["########", "#......#", "#......#", "########"]


@pytest.fixture
def window() -> pygame.Surface:
    pygame.display.init()
    pygame.font.init()
    return pygame.display.set_mode((640, 360))


def mini(name: str, cell: int, health: int = 9, *, out: bool = False, active: bool = False) -> Miniature:
    side = "heroes" if name == "hero" else "monsters"
    return Miniature(
        id=name,
        name=name,
        side=side,
        cell=cell,
        art="goblin",
        health=Bar("Hit points", health, 9),
        out=out,
        active=active,
    )


def board(*minis: Miniature) -> Board:
    return Board(minis, (), "", ())


def view() -> BoardView:
    field = Field.from_rows(ROWS)
    return BoardView(field, None, Camera(field, (640, 360)))


WALK = ev.Moved(by="hero", mode="step", start=(1, 1), path=((2, 1), (3, 1)))
BLOW = ev.Attack(
    by="hero", target="foe", weapon="sword", attack=9, defense=5, margin=4, outcome="solid_hit", damage=9,
    adjustments=(), rolls=(ev.Roll("attack", "2d6", (ev.Throw(6, 6, 6, True), ev.Throw(6, 3, 3)), 9),),
)  # fmt: skip
WOUND = ev.Injury(target="foe", amount=9, hp=0, status="dead")


def test_a_step_starts_where_it_was_and_ends_where_the_rules_say() -> None:
    shown = view()
    before, after = board(mini("hero", 9)), board(mini("hero", 11))
    shown.play([WALK], before, after)
    hero = after.miniatures[0]
    assert shown.busy
    assert shown.animator.place(hero, shown.camera) == shown.camera.space_rect(9)
    shown.update(0.1)
    left, now = shown.camera.space_rect(9).left, shown.animator.place(hero, shown.camera)
    assert now is not None and left < now.left < shown.camera.space_rect(11).left
    while shown.busy:
        assert shown.update(0.05)
    assert shown.animator.place(hero, shown.camera) is None  # it simply stands


def test_nobody_falls_before_the_blow_lands(window: pygame.Surface) -> None:
    shown = view()
    before = board(mini("hero", 9), mini("foe", 10))
    after = board(mini("hero", 9), mini("foe", 10, 0, out=True))
    shown.play([BLOW, WOUND], before, after)
    foe = after.miniatures[1]
    assert shown.animator.health_shown(foe) == 9
    shown.draw(window)
    shown.skip()
    assert not shown.busy
    assert shown.animator.health_shown(foe) == 0


def test_skipping_ends_all_motion_and_hurrying_shortens_it() -> None:
    def frames(speed: float) -> int:
        motion = Animator(8)
        motion.play([WALK, BLOW, WOUND], board(mini("hero", 9), mini("foe", 12)), board())
        count = 0
        while motion.busy:
            motion.update(1 / 60, speed, False)
            count += 1
        return count

    assert frames(3.0) * 2 < frames(1.0)
    assert frames(0.0) == 1


def test_reduced_motion_keeps_the_dice_alone() -> None:
    motion = Animator(8)
    motion.play([WALK], board(mini("hero", 9)), board(mini("hero", 11)))
    motion.update(0.001, 1.0, True)
    assert not motion.busy
    motion.play([BLOW], board(mini("hero", 9), mini("foe", 10)), board())
    motion.update(0.001, 1.0, True)
    assert motion.busy


def test_dice_settle_on_what_was_thrown() -> None:
    from game.view import dicetray

    tray = trays_of(BLOW.rolls, "solid hit")
    assert tray is not None
    assert dicetray._tumble(tray.rows[0], 1.0) == (6, 3)
    assert all(1 <= face <= 6 for step in range(20) for face in dicetray._tumble(tray.rows[0], step / 20))
    assert trays_of((), "nothing thrown") is None


def test_an_idle_board_asks_for_no_new_frame() -> None:
    shown = view()
    shown.set_board(board(mini("hero", 9)))
    surface = pygame.Surface((640, 360))
    for _ in range(20):
        shown.draw(surface)  # the ground is drawn piece by piece
        shown.update(0.1)
    assert not shown.update(0.1)
    shown.set_board(board(mini("hero", 9, active=True)))
    assert shown.update(0.1)  # the halo turns
    shown.reduced_motion = True
    assert not shown.update(0.1)


def test_the_pointer_finds_who_stands_before_who_lies() -> None:
    shown = view()
    shown.set_board(board(mini("foe", 10, 0, out=True), mini("hero", 10), mini("ogre", 12)))
    assert shown.miniature_at(shown.camera.space_rect(10).center) == "hero"
    assert shown.miniature_at(shown.camera.space_rect(9).center) is None

"""What is heard in a fight: with the motion, only what is seen, never a rattle."""

from __future__ import annotations

import pygame
import pytest

from game.app.sounds import AT_ONCE, SOUNDS, Sounds, _wave_of
from game.view.motion.animate import STEPS, WEIGHT, Animator, cues_of, weightiest
from game.view.motion.pictures import Motion
from rules.contract import events as ev
from rules.contract.display import Board, Miniature
from rules.contract.units import Cell


def board(cell: Cell) -> Board:
    return Board((Miniature("m0", "Wren", "heroes", cell, "warrior"),), (), "", ())


def walk(length: int) -> tuple[Animator, list[str]]:
    animator = Animator(20)
    heard: list[str] = []
    animator.heard = heard.append
    path = tuple((x, 0) for x in range(1, length + 1))
    animator.play([ev.Moved(by="m0", mode="step", start=(0, 0), path=path)], board(Cell(0)), board(Cell(length)))
    return animator, heard


def test_every_sound_of_a_motion_is_one_that_is_made() -> None:
    assert set(WEIGHT) == set(SOUNDS)
    kinds = ("walk", "leap", "blow", "shot", "spell", "dice", "fall", "door")
    for kind in kinds:
        assert {name for _, name in cues_of(Motion(1.0, kind=kind))} <= set(SOUNDS)
    assert all(cues_of(Motion(1.0, kind=kind)) for kind in kinds)


def test_steps_sound_while_they_are_taken_not_when_the_rules_resolve() -> None:
    animator, heard = walk(3)
    assert heard == []
    for _ in range(30):
        animator.update(0.03, 1.0, False)
    assert heard == ["step"] * 3
    assert not animator.busy


def test_a_long_walk_has_few_footfalls() -> None:
    animator, heard = walk(12)
    for _ in range(60):
        animator.update(0.03, 1.0, False)
    assert heard == ["step"] * STEPS


def test_what_is_skipped_is_one_sound_and_what_was_heard_is_not_heard_again() -> None:
    animator, heard = walk(8)
    animator.skip()
    assert heard == ["step"]
    animator.skip()
    assert heard == ["step"]


def test_when_others_look_at_the_screen_nothing_is_heard_of_what_was_left() -> None:
    animator, heard = walk(8)
    animator.clear()
    assert heard == []


def test_of_what_is_skipped_the_gravest_is_heard() -> None:
    motions = [Motion(1, kind=kind) for kind in ("dice", "fall", "walk")]
    for motion in motions:
        motion.cues = cues_of(motion)
    assert weightiest(motions) == "death"
    assert weightiest([]) == ""


def test_a_blow_that_hurts_is_a_hit_and_another_a_miss() -> None:
    assert cues_of(Motion(1.0, kind="blow", hurt="m1"))[0][1] == "hit"
    assert cues_of(Motion(1.0, kind="shot"))[0][1] == "miss"


def test_the_same_sound_never_rattles_and_few_are_heard_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000]
    monkeypatch.setattr("pygame.time.get_ticks", lambda: now[0])
    sounds = Sounds(50)
    try:
        assert sounds.play("step")
        assert not sounds.play("step")
        longest = sorted(SOUNDS, key=lambda name: -SOUNDS[name][0])[: AT_ONCE + 1]
        for name in longest:
            _wave_of(name)
        pygame.mixer.stop()
        assert [sounds.play(name) for name in longest] == [True] * AT_ONCE + [False]
    finally:
        sounds.close()

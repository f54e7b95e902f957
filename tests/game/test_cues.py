"""What is heard in a fight: with the motion, only what is seen, never a rattle."""

from __future__ import annotations

import pytest

from game.sound.effects import OWN
from game.view.motion.animate import Animator
from game.view.motion.cues import STEPS, UNDERFOOT, cues_of, heard_across, heard_of, weightiest
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
    kinds = ("walk", "leap", "blow", "shot", "spell", "dice", "fall", "door")
    for kind in kinds:
        assert {name for _, name in cues_of(Motion(1.0, kind=kind))} <= set(OWN)
    assert set(UNDERFOOT.values()) <= set(OWN)
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
    assert [name for _, name in cues_of(Motion(1.0, kind="shot"))] == ["bow", "miss"]


def test_a_footfall_sounds_like_the_floor_it_falls_on() -> None:
    floor = ["slate", "wood", "wood", "shallows"]
    motion = Motion(1.0, "m0", ((0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0)))
    heard = [name for _, name in cues_of(motion, lambda column, row: floor[round(column)])]
    assert heard == ["step wood", "step wood", "step water"]
    assert cues_of(Motion(1.0, "m0", ((0.0, 0.0),)), lambda column, row: "slate")[0][1] == "step"


def test_a_spell_in_vain_sounds_like_it() -> None:
    assert cues_of(Motion(1.0, kind="spell", in_vain=True))[0][1] == "fizzle"


@pytest.mark.parametrize(
    ("event", "name"),
    [
        (ev.Challenge(by="a", challenge="Chest", kind="chest", state="open", at=(0, 0)), "chest"),
        (ev.Challenge(by="a", challenge="Pit", kind="trap", state="sprung", at=(0, 0)), "trap"),
        (ev.Item(by="a", item="12 coins", how="picked_up"), "coins"),
        (ev.Item(by="a", item="iron key", how="picked_up"), "key"),
        (ev.Item(by="a", item="monkey", how="picked_up"), "take"),
        (ev.Item(by="a", item="Torch", how="burnt_out"), "hiss"),
        (ev.Item(by="a", item="Torch", how="low"), ""),
        (ev.Door(door="d", state="locked"), "lock"), (ev.Door(door="d", state="broken"), "break"),
        (ev.Healing(target="a", amount=0, now=3), ""), (ev.Healing(target="a", amount=2, now=3), "heal"),
        (ev.Goal(goal="book", kind="fetch", state="done", side="heroes"), "goal"),
        (ev.Goal(goal="book", kind="fetch", state="failed", side="heroes"), ""),
        (ev.Began(what="truce"), "truce"), (ev.Began(what="turn"), ""),
    ],
)  # fmt: skip
def test_an_event_that_is_no_motion_has_its_sound(event: ev.Event, name: str) -> None:
    assert heard_of(event) == name
    assert name in {*OWN, ""}


def test_a_door_that_swings_is_not_locked_as_well() -> None:
    assert heard_of(ev.Door(door="d", state="open"), still=False) == ""


def noise(what: ev.NoiseKind, spaces: int, by: str = "") -> ev.Noise:
    return ev.Noise(what=what, at=(0, 0), heard=(("m0", spaces), ("m9", 1)), by=by)


def test_a_noise_from_afar_is_heard_with_the_ears_of_ones_own_alone() -> None:
    assert heard_across(noise(ev.NoiseKind.DOOR, 12), {"m0"}) == "far door"
    assert heard_across(noise(ev.NoiseKind.DOOR, 30), {"m0"}) == "faint door"
    assert heard_across(noise(ev.NoiseKind.DOOR, 12), {"m5"}) == ""


def test_what_is_seen_or_stands_close_sounds_by_itself_and_not_again_as_a_noise() -> None:
    assert heard_across(noise(ev.NoiseKind.DOOR, 12, by="m4"), {"m0"}) == ""
    assert heard_across(noise(ev.NoiseKind.FIGHTING, 2), {"m0"}) == ""
    assert heard_across(noise(ev.NoiseKind.SHOUT, 12, by="m4"), {"m0"}) == "near shout"
    assert heard_across(noise(ev.NoiseKind.SHOUT, 12, by="m0"), {"m0"}) == "near shout"


def test_a_noise_is_heard_once_what_went_before_it_is_shown() -> None:
    animator = Animator(20)
    heard: list[str] = []
    animator.heard = heard.append
    animator.ears = lambda: {"m0"}
    events = [ev.Moved(by="m0", mode="step", start=(0, 0), path=((1, 0),)), noise(ev.NoiseKind.VOICES, 14)]
    animator.play(events, board(Cell(0)), board(Cell(1)))
    assert heard == []
    for _ in range(30):
        animator.update(0.03, 1.0, False)
    assert heard == ["step", "far voices"]

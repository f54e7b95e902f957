"""The dice on their tray: no panel lies over them, whatever comes up while they still lie there."""

from __future__ import annotations

from typing import Any

import msgspec
import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.scenes.fight.scene import Fight
from game.view.motion import pictures as dicetray
from game.view.motion.animate import Script
from rules.contract.actions import Adjustment
from rules.contract.events import Attack, Cast, Resistance, Roll, Throw
from tests.game.hotseat_table import app_at
from tests.game.planning_table import ROWS, offer, settled
from tests.game.player import fight_of

ROLLS = (
    Roll("defence", "d20p", (Throw(20, 12, 12),), 12),
    Roll("attack", "d20p", (Throw(20, 19, 19),), 22, (Adjustment("attack", 3, "bonus"),)),
)


@settings(max_examples=60, deadline=None)
@given(
    st.tuples(st.integers(0, 300), st.integers(0, 300), st.integers(260, 1200), st.integers(90, 800)),
    st.lists(st.tuples(st.integers(0, 1400), st.integers(0, 1000)), max_size=4),
    st.sampled_from([0.75, 1.0, 1.25, 1.5]),
)
def test_the_tray_lies_in_the_free_part_of_the_window_whoever_stands_there(
    free: tuple[int, int, int, int], spots: list[tuple[int, int]], scale: float
) -> None:
    tray = dicetray.trays_of(ROLLS, "solid hit")
    assert tray is not None
    room, about = pygame.Rect(free), [pygame.Rect(spot, (64, 64)) for spot in spots]
    box, shown = tray.fitted(room, about, (), scale)
    assert room.contains(box)
    assert box.size == tray.size(shown)


def questioned(size: tuple[int, int], scale: int) -> Fight:
    """Hale, whom an orc has struck at and strikes at anew: the dice still lie there when he is asked."""
    hero: dict[str, Any] = {"template": "hale", "side": "heroes", "controller": "human", "hp_max": 90, "pain": 0}
    record = {
        "format": "battlemat/1", "ruleset": "countup", "map": {"rows": ROWS}, "seed": 6, "commands": [],
        "creatures": [
            {"id": "hale", "at": [2, 2], **hero}, {"id": "tess", "at": [3, 3], **hero},
            {"id": "orc", "template": "orc", "side": "monsters", "at": [4, 2], "controller": "ai", "hp_max": 200},
            {"id": "other", "template": "orc", "side": "monsters", "at": [4, 3], "controller": "ai", "hp_max": 200},
        ],
    }  # fmt: skip
    player = app_at(size, scale=scale)
    fight = fight_of(player, record)
    surface = pygame.Surface(size)
    for _ in range(60):
        settled(player, fight)
        assert fight.plan is not None
        player.turn(1, dt=0.0)
        fight.draw(surface)
        if fight.plan.is_question and fight.view.animator.dice is not None:
            return fight
        if fight.plan.is_question:
            fight.deeds.act(fight.plan.offers[0].actions[0])
            continue
        target = next(iter(fight.plan.targets()), None)
        fight.deeds.act(offer(fight, "attack").actions[0] if target else offer(fight, "end").actions[0])
    raise AssertionError("nobody was asked anything while dice lay on the table")


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("scale", [75, 100, 150])
def test_dice_make_room_for_the_question_that_comes_up(size: tuple[int, int], scale: int) -> None:
    fight = questioned(size, scale)
    dice = fight.view.animator.dice
    assert dice is not None
    assert dice.collidelist(fight.under_panels) < 0
    assert pygame.Rect((0, 0), size).contains(dice)


@pytest.mark.parametrize("seen", [True, False])
def test_the_tray_says_who_throws_at_whom_as_far_as_they_are_seen(seen: bool) -> None:
    fight = questioned((1280, 720), 100)
    blow = next(event for event in reversed(fight.match.events) if isinstance(event, Attack))
    board = fight.match.board()
    if not seen:
        board = msgspec.structs.replace(board, miniatures=tuple(m for m in board.miniatures if m.id != blow.by))
    names = {m.id: m.name for m in board.miniatures}
    stage = fight.view.animator
    script = Script(stage, {m.id: (0.0, 0.0, 1) for m in board.miniatures}, board, board)
    script.add(blow)
    tray = next(motion.tray for motion in script.motions if motion.tray is not None)
    assert tray.title == (f"{names[blow.by]} on {names[blow.target]}" if seen else names[blow.target])
    all_round = tuple(Resistance(m.id, 6, holds=False) for m in fight.match.board().miniatures)
    script.add(Cast(blow.by, "Bless", "faith", 3, False, 2, 6, resisted=all_round, rolls=blow.rolls))
    spell = [motion.tray for motion in script.motions if motion.tray is not None][-1]
    assert not seen or spell.title == f"{names[blow.by]} on {len(all_round)} creatures"
    bare = dicetray.Tray(tray.rows, tray.verdict)
    assert tray.size()[1] > bare.size()[1] and tray.size()[0] >= bare.size()[0]

"""Whole fights in the real window, through the X server: with the mouse alone, with the keys alone, won and lost.

The short ones run always. `make e2e` plays the long ones too: four heroes on each map, in two sizes of the window;
set SHOTS to a folder to keep pictures of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from game.content import encounter
from tests.e2e.hands import Hand, Table
from tests.e2e.real_table import HANDS, MARKS, laid
from tests.e2e.screen import ending
from tests.e2e.seat import Careless, Mind, Seat, Sensible, pictures

pytestmark = MARKS
Opened = Callable[..., Table]


@pytest.fixture
def opened(display: str, tmp_path: Path) -> Iterator[Opened]:
    with ending(partial(laid, display, tmp_path)) as start:
        yield start


def skirmish(winners: str) -> dict[str, Any]:
    """Two against two in a small room with a door, under rules that ask; one side is the stronger by far."""
    strong = {"brawn": 12, "finesse": 10, "savvy": 5, "nerve": 8, "skills": {"Swords": "Master"}}
    weak = {"brawn": 5, "finesse": 4, "savvy": 3, "nerve": 4, "skills": {"Swords": "Apprentice"}}
    creatures = [
        {"id": f"{side}_{n}", "name": f"{side[:-1].title()} {n}", "side": side, "at": [column, n], "size": "medium"}
        | {"controller": "human" if side == "heroes" else "ai", "weapons": ["shortsword", "dagger"]}
        | (strong if side == winners else weak)
        for side, column in (("heroes", 2), ("monsters", 8))
        for n in (1, 2)
    ]
    rows = ["###########", "#....+....#", "#....#....#", "#....#....#", "###########"]
    return {
        "format": "battlemat/1", "ruleset": "olde", "options": {"gm": True}, "map": {"rows": rows}, "seed": 5,
        "creatures": creatures, "commands": [],
    }  # fmt: skip


def played(table: Table, hand: type[Hand], mind: Mind, seconds: float, shots: str = "") -> tuple[Seat, str]:
    """The fight at a table, played to its end."""
    folder = os.environ.get("SHOTS")
    moment = pictures(table, Path(folder) / shots, every=8) if folder and shots else None
    seat = Seat(table, hand(table), mind, moment)
    return seat, seat.play(seconds)


def closed(table: Table) -> None:
    """The window closes as it should, and nothing went wrong meanwhile."""
    assert table.leave() == 0, table.said()
    assert "Traceback" not in table.said()


@pytest.mark.parametrize("winner, hand", [("heroes", "keys"), ("monsters", "mouse")])
def test_a_short_fight_with_one_hand_to_its_end(opened: Opened, winner: str, hand: str) -> None:
    table = opened(record=skirmish(winner))
    mind: Mind = Sensible() if winner == "heroes" else Careless(12)
    seat, won = played(table, HANDS[hand], mind, 90)
    assert won == winner
    said = {widget["label"] for widget in table.now()["widgets"]}
    assert {"Play again", "Title"} <= said
    seat.hand.press("Title")
    table.await_("the title", lambda status: status["scene"] == "title")
    closed(table)


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("size", ["1280x720", "1920x1080"])
@pytest.mark.parametrize("hand", ["mouse", "keys"])
@pytest.mark.parametrize("map_name", [path.stem for path in encounter.playable_maps()])
@pytest.mark.parametrize("winner", ["heroes", "monsters"])
def test_four_heroes_with_one_hand_to_the_end(opened: Opened, winner: str, map_name: str, hand: str, size: str) -> None:
    record = encounter.surprise(map_name, ["warrior", "priest", "ranger", "templar"], 7)
    if winner == "heroes":  # every other foe stayed at home
        foes = [entry for entry in record["creatures"] if entry["side"] == "monsters"]
        record["creatures"] = [entry for entry in record["creatures"] if entry not in foes[1::2]]
    mind: Mind = Sensible() if winner == "heroes" else Careless(80)
    table = opened("--size", size, record=record)
    _, won = played(table, HANDS[hand], mind, 800, f"{winner}-{map_name}-{hand}-{size}")
    assert won == winner
    closed(table)


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("hand", ["mouse", "keys"])
@pytest.mark.parametrize("way", ["surprise", "chosen"])
def test_from_the_title_through_a_fight_and_back(opened: Opened, way: str, hand: str) -> None:
    table = opened()
    hands = HANDS[hand](table)
    if way == "surprise":
        hands.press("Surprise me")
    else:
        hands.press("New fight")
        for button in ("hero warrior", "hero wizard", "map tavern.tmx", "Clear the foes", "foe goblin", "foe wolf"):
            hands.press(button)
        hands.press("Begin")
    table.await_("the fight", lambda status: status["scene"] == "fight")
    seat = Seat(table, hands, Sensible())
    seat.play(800)
    assert seat.match is not None
    if way == "chosen":
        names = {entry["template"] for entry in table.fight()["start"]["creatures"]}
        assert {"goblin", "wolf"} <= names
    hands.press("Title")
    table.await_("the title", lambda status: status["scene"] == "title")
    closed(table)

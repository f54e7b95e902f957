"""Each rule of the soak can be broken: the window is spoilt in one place, and just that is found."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from unittest import mock

import pytest

from game.scenes.fight import Fight
from game.scenes.pacing import Pacing
from game.scenes.seating import Seating
from game.scenes.telling import Telling
from game.viewing import Eyes
from rules import record as records
from tests.soak.encounters import Case
from tests.soak.playing import play

ROWS = [
    "####################",
    "#........##........#",
    "#........##........#",
    "#..................#",
    "####################",
]
Spoilt = Callable[[], AbstractContextManager[Any]]


def case(kind: str = "olde", steps: list[Any] | None = None, *, apart: bool = False, **record: Any) -> Case:
    """One against one on two rooms, speed 2; the monster is the computer's, or (`apart`) another seat's."""
    heroes = {"olde": "warrior", "cairn": "wolfram", "countup": "hale"}
    made: dict[str, Any] = {
        "format": "battlemat/1", "ruleset": kind, "options": {}, "map": {"rows": ROWS}, "seed": 3, "commands": [],
        "creatures": [
            {"id": "hero", "template": heroes[kind], "name": "Zanthe", "side": "heroes", "at": [4, 1],
             "controller": "human"},
            {"id": "foe", "template": "goblin", "name": "Quillo", "side": "monsters", "at": [16, 1],
             "controller": "human" if apart else "ai"},
        ],
        **record,
    }  # fmt: skip
    if apart:
        made["seats"] = [{"name": "Ann", "plays": ["heroes"]}, {"name": "Ben", "plays": ["monsters"]}]
    return {
        "seed": 0, "map": "rows", "table": "alone", "record": made, "settings": {"speed": 2, "autosave": False},
        "size": [1280, 720], "frame": 0.05, "thinks": 0.0, "through": "game", "steps": steps or [],
    }  # fmt: skip


FOG = {"options": {"fog": True}}
ON = [["advise"], ["time", 3.0]] * 4


def spoilt(owner: Any, name: str, **how: Any) -> Spoilt:
    return lambda: mock.patch.object(owner, name, **how)


def other_answer(pacing: Pacing, decision: Any, answer: Any) -> None:
    fight = pacing.fight
    pacing._thinking = None
    fight.answer(decision, list(fight.match.legal(decision))[-1])


def shortened(action: Any, field: Any) -> Any:
    """A command that has lost the last space of its path."""
    command = COMMAND_OF(action, field)
    return command.model_copy(update={"path": command.path[:-1]}) if len(command.path or ()) > 1 else command


def slow(seating: Seating) -> bool:
    """A clock that loses half a second each second."""
    before = dict(seating._spent)
    changed = UPDATE(seating)
    seating._spent = {
        chance: (spent + before.get(chance, 0.0)) / 2 for chance, spent in seating._spent.items()
    }
    return changed


def whole(eyes: Eyes, number: int = -1) -> Any:
    """Eyes that see everything."""
    return eyes.match.history.moments[number].state


def late(telling: Telling) -> None:
    """Panels that are not told what has happened."""
    telling._behind = False


COMMAND_OF, UPDATE = records.command_of, Seating.update


SPOILT: dict[str, tuple[Case, Spoilt]] = {
    "somebody always comes to decide": (case(steps=ON), spoilt(Fight, "answer", return_value=False)),
    "nothing is refused twice": (case(steps=ON), spoilt(Fight, "carry_out", return_value=False)),
    "clocks go by wall time": (
        case(chance_seconds=30, steps=[["time", 3.0], ["time", 3.0]]),
        spoilt(Seating, "update", new=slow),
    ),
    "the computer plays the same whoever looks on": (case(steps=ON), spoilt(Pacing, "_answer", new=other_answer)),
    "a seat sees only what it knows": (case(steps=ON, **FOG), spoilt(Eyes, "state", new=whole)),
    "no word names the unmet": (case(steps=ON, **FOG), spoilt(Eyes, "witnesses", return_value=True)),
    "sealed orders stay sealed": (
        case("countup", ON, apart=True), lambda: mock.patch("game.viewing.own_plans", lambda board, sides: board),
    ),
    "what rests is true": (case(steps=ON), spoilt(Telling, "_catch_up", new=late)),
    "the record leads to what is shown": (
        case(steps=ON), lambda: mock.patch("game.match.records.command_of", shortened),
    ),
    "the loop never spins": (case(steps=ON), spoilt(Fight, "pace", return_value=0.0)),
}  # fmt: skip


@pytest.mark.parametrize("rule", SPOILT)
def test_what_is_spoilt_is_found(rule: str) -> None:
    played, spoil = SPOILT[rule]
    assert play(played).wrong is None
    with spoil():
        wrong = play(played).wrong
    assert wrong is not None and wrong.rule == rule, wrong

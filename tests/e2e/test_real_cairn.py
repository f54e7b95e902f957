"""Whole fights under Cairn in the real window: a side plans in any order, thinks again, resolves; to a morale break.

With the mouse alone and with the keys alone, won and lost. One short one runs always, the others by `make e2e`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from game.content import encounter
from game.fight.match import Match
from game.scenes.fight.plan import Plan
from rules.contract.actions import Action
from rules.contract.events import Attack, Chosen, Condition, Question
from tests.e2e.hands import Hand, Keyboard, Mouse, Table
from tests.e2e.screen import MISSING
from tests.e2e.seat import Careless, Mind, Sensible, pictures
from tests.e2e.sides import Commander

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(bool(MISSING), reason=f"a virtual display needs {', '.join(MISSING)}"),
    pytest.mark.xdist_group("window"),
]
HANDS: dict[str, type[Hand]] = {"mouse": Mouse, "keys": Keyboard}
Opened = Callable[..., Table]
PARTY = ["freya", "gann", "solena", "reed"]
FOES = {
    ("heroes", "tavern"): ["goblin", "goblin", "hobgoblin"],
    ("heroes", "crypt"): ["skeleton", "goblin", "goblin", "goblin"],
    ("heroes", "ruined_bridge"): ["goblin", "goblin", "goblin"],
    ("monsters", "tavern"): ["ogre", "hobgoblin", "hobgoblin"],
    ("monsters", "crypt"): ["ghoul", "ghoul", "ogre"],
    ("monsters", "ruined_bridge"): ["ogre", "hobgoblin", "hobgoblin"],
}


@pytest.fixture
def opened(display: str, tmp_path: Path) -> Iterator[Opened]:
    tables: list[Table] = []

    def start(record: dict[str, Any], size: str = "1280x720", **settings: object) -> Table:
        (tmp_path / "settings.json").write_text(json.dumps({"speed": 0, **settings}), encoding="utf-8")
        (tmp_path / "start.json").write_text(json.dumps(record), encoding="utf-8")
        tables.append(Table(display, tmp_path, "play", str(tmp_path / "start.json"), "--size", size))
        return tables[-1]

    yield start
    for table in tables:
        table.stop()


def played(table: Table, hand: str, mind: Mind, seconds: float, shots: str) -> tuple[Commander, str]:
    """The fight at a table, played to its end."""
    folder = os.environ.get("SHOTS")
    moment = pictures(table, Path(folder) / shots, every=6) if folder else None
    seat = Commander(table, HANDS[hand](table), mind, moment)
    won = seat.play(seconds)
    if folder:
        table.picture(Path(folder) / shots / "end.png")
    return seat, won


def closed(table: Table) -> None:
    """The window closes as it should, and nothing went wrong meanwhile."""
    assert table.leave() == 0, table.said()
    assert "Traceback" not in table.said()


def events(seat: Commander, kind: type[Any]) -> list[Any]:
    """What happened, of one kind."""
    assert seat.match is not None
    return [event for event in seat.match.events if isinstance(event, kind)]


def ambush(winner: str) -> dict[str, Any]:
    """Two heroes before goblins that soon lose heart; or weak ones before a brute whose first blow takes a limb."""
    rows = ["###########", "#.........#", "#.........#", "#.........#", "###########"]
    hero: dict[str, Any] = {"side": "heroes", "controller": "human", "alert": "ready", "hp_max": 10}
    hero["strength"] = 14 if winner == "heroes" else 3
    foe: dict[str, Any] = {"side": "monsters", "controller": "ai"}
    weak: dict[str, Any] = {**foe, "template": "goblin", "hp_max": 1, "strength": 1, "willpower": 1}
    brute = {**foe, "id": "brute", "template": "ogre", "space": 1, "at": [4, 1], "willpower": 18}
    goblins = [{"id": f"goblin_{n}", "at": [6 + n % 2, n], **weak} for n in (1, 2, 3)]
    return {
        "format": "battlemat/1", "ruleset": "cairn", "options": {"gm": True}, "map": {"rows": rows}, "seed": 5,
        "creatures": [
            {"id": "gann", "template": "gann", "items": ["sword"], "at": [2, 1], **hero},
            {"id": "reed", "template": "reed", "items": ["bow"], "at": [2, 3], **hero},
            *(goblins if winner == "heroes" else [brute]),
        ],
        "throws": None if winner == "heroes" else [10],
        "commands": [],
    }  # fmt: skip


class Striking:
    """Plans a blow for everybody who has somebody in reach."""

    def choose(self, match: Match, plan: Plan) -> Action:
        offers = {offer.do: offer.actions for offer in plan.offers}
        return next(iter(offers["attack"] or offers["end"]))


def cornered() -> dict[str, Any]:
    """Two heroes beside the only foe, which no single blow fells: whoever strikes, strikes it."""
    rows = ["######", "#....#", "#....#", "######"]
    hero = {"side": "heroes", "controller": "human", "alert": "ready", "hp_max": 12, "items": ["sword"]}
    foe = {"side": "monsters", "controller": "ai", "template": "hobgoblin", "hp_max": 9, "strength": 1}
    return {
        "format": "battlemat/1", "ruleset": "cairn", "map": {"rows": rows}, "seed": 5,
        "creatures": [
            {"id": "gann", "template": "gann", "at": [1, 1], **hero},
            {"id": "reed", "template": "reed", "at": [1, 2], **hero},
            {"id": "last", "at": [2, 1], "willpower": 20, **foe},
        ],
        "commands": [],
    }  # fmt: skip


@pytest.mark.long
@pytest.mark.timeout(240)
@pytest.mark.parametrize("size", ["1280x720", "1920x1080"])
@pytest.mark.parametrize("hand", ["mouse", "keys"])
def test_blows_on_the_only_foe_are_pooled(opened: Opened, hand: str, size: str) -> None:
    """Of a pool the highest die alone counts: all others are told as scratches, and do nothing (cairn.md §2.3)."""
    table = opened(cornered(), size)
    seat, won = played(table, hand, Striking(), 90, f"pooled-{hand}-{size}")
    assert won == "heroes"
    own = [event for event in events(seat, Attack) if event.target == "last"]
    lesser = [event for event in own if event.outcome == "scratched"]
    assert lesser, "no blows were pooled"
    assert all(event.damage == 0 for event in lesser)
    assert len({event.by for event in own}) == 2
    closed(table)


SHORT = [
    ("heroes", "keys"),
    pytest.param("heroes", "mouse", marks=pytest.mark.long),
    pytest.param("monsters", "keys", marks=pytest.mark.long),
    pytest.param("monsters", "mouse", marks=pytest.mark.long),
]


@pytest.mark.parametrize("winner, hand", SHORT)
def test_a_short_fight_is_planned_and_resolved_to_its_end(opened: Opened, winner: str, hand: str) -> None:
    table = opened(ambush(winner))
    mind: Mind = Sensible() if winner == "heroes" else Careless(0)
    seat, won = played(table, hand, mind, 90, f"short-{hand}")
    assert won == winner
    assert seat.turned
    if winner == "heroes":
        assert any(event.condition == "fled" for event in events(seat, Condition)), "nobody lost heart"
    else:
        assert len(events(seat, Question)) == len(events(seat, Chosen)) == 1
    closed(table)


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("size", ["1280x720", "1920x1080"])
@pytest.mark.parametrize("hand", ["mouse", "keys"])
@pytest.mark.parametrize("map_name", ["tavern", "crypt", "ruined_bridge"])
@pytest.mark.parametrize("winner", ["heroes", "monsters"])
def test_a_side_of_four_plans_to_the_end(opened: Opened, winner: str, map_name: str, hand: str, size: str) -> None:
    record = encounter.make_encounter(map_name, PARTY, FOES[winner, map_name], 7, ruleset="cairn")
    if winner == "monsters":  # none of them runs
        for foe in record["creatures"][len(PARTY) :]:
            foe["willpower"] = 20
    mind: Mind = Sensible() if winner == "heroes" else Careless(60)
    table = opened(record, size)
    seat, won = played(table, hand, mind, 800, f"{winner}-{map_name}-{hand}-{size}")
    assert won == winner
    assert seat.turned and seat.anew and seat.warned
    assert events(seat, Attack), "nobody struck anybody"
    closed(table)

"""Whole fights by the second in the real window: by mouse alone and by keys alone, won and lost, in both sizes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from game.content import encounter
from game.fight.match import Match
from game.scenes.fight.plan import Plan
from rules.contract.actions import Action
from tests.e2e.real_table import MARKS, SIZES, Sat, Sitting
from tests.e2e.seat import Careless, Mind, Seat, Sensible, pictures

pytestmark = MARKS
MAPS = {"tavern": 9, "goblin_warren": 8, "crypt": 1}
"""Shipped maps, each with the seed of an encounter that a sensible player wins."""


def played(sitting: Sitting, mind: Mind, seconds: float) -> str:
    """The fight in the window, played to its end."""
    folder = os.environ.get("SHOTS")
    name = f"{sitting.story}-{sitting.size}-{'keys' if sitting.keys else 'mouse'}"
    moment = pictures(sitting.table, Path(folder) / name, every=8) if folder else None
    return Seat(sitting.table, sitting.hand, mind, moment).play(seconds)


def closed(sitting: Sitting) -> None:
    """The window closes as it should, and nothing went wrong meanwhile."""
    assert sitting.table.leave() == 0, sitting.table.said()
    assert "Traceback" not in sitting.table.said()


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("hand", ["mouse", "keys"])
@pytest.mark.parametrize("map_name", MAPS)
@pytest.mark.parametrize("winner", ["heroes", "monsters"])
def test_four_heroes_by_the_second(sat: Sat, winner: str, map_name: str, hand: str, size: str) -> None:
    record: dict[str, Any] = encounter.surprise(map_name, None, MAPS[map_name], ruleset="countup")
    if winner == "heroes":  # every other foe stayed at home
        foes = [entry for entry in record["creatures"] if entry["side"] == "monsters"]
        record["creatures"] = [entry for entry in record["creatures"] if entry not in foes[1::2]]
    mind: Mind = Sensible() if winner == "heroes" else Careless(80)
    sitting = sat(hand, size)
    sitting.open(record=record)
    assert played(sitting, mind, 800) == winner
    closed(sitting)


Wish = Callable[[Match, Action], bool]


def _engaged(match: Match, by: str) -> bool:
    """Whether a foe stands beside somebody."""
    minis = {mini.id: mini for mini in match.board().miniatures}
    terrain = match.ruleset.terrain(match.state)
    foes = [m for m in minis.values() if m.side != minis[by].side and not m.out]
    return any(terrain.distance(minis[by].cell, foe.cell) == 1 for foe in foes)


def of(do: str, option: str | None = None, **says: str) -> Wish:
    """A deed of this kind, in this manner."""
    return lambda match, a: (
        (a.do, a.option) == (do, option) and all(getattr(a, name) == value for name, value in says.items())
    )


def far(do: str, spaces: int) -> Wish:
    """A way of at least so many spaces."""
    return lambda match, a: a.do == do and len(a.path) >= spaces


def withdrawal(match: Match, action: Action) -> bool:
    """A step at a walk out of a melee."""
    return action.do == "walk" and len(action.path) == 1 and _engaged(match, action.by)


def projectile(match: Match, action: Action) -> bool:
    """A dart of light at a foe."""
    foes = {mini.id for mini in match.board().miniatures if mini.side == "monsters"}
    return action.item == "Magic Projectile" and action.target in foes


WISHES: dict[str, Wish] = {
    "search": of("search"),
    "breaking a door": of("force"),
    "a readied knife": of("ready", weapon="throwing knife"),
    "a shot": of("shoot"),
    "a quick shot": of("shoot", "quick"),
    "a spell at a foe": projectile,
    "a spell on a space": of("cast", item="Scorch"),
    "turning": of("turn", "0"),
    "kneeling": of("kneel"),
    "standing up": of("stand"),
    "waiting": of("hold", "3"),
    "a readied spear": of("ready", weapon="spear"),
    "a charge": of("attack", "charge"),
    "jogging": far("jog", 2),
    "running": far("run", 4),
    "sprinting": far("sprint", 4),
    "holding at bay": of("hold_at_bay"),
    "giving ground": of("choose", "yield"),
    "standing firm": of("choose", "stand"),
    "an aggressive attack": of("attack", "aggressive"),
    "a jab": of("attack", "jab"),
    "fighting defensively": of("attack", "defensive 2"),
    "a full parry": of("full_parry"),
    "a withdrawal": withdrawal,
    "flight": of("flee"),
}
"""What is tried in the tour of deeds, in this order of haste."""


class Touring:
    """Does whatever of the wishes is possible and still open; then plays as the shipped computer would."""

    def __init__(self, tries: int) -> None:
        self.open = dict(WISHES)
        self.tries = tries
        self._sensible = Sensible()

    def choose(self, match: Match, plan: Plan) -> Action:
        self.tries -= 1
        for name, wish in self.open.items() if self.tries > 0 else ():
            found = next((a for o in plan.offers for a in o.actions if wish(match, a)), None)
            if found is not None:
                del self.open[name]
                return found
        return self._sensible.choose(match, plan)


def tour() -> dict[str, Any]:
    """Three of Count-Up's heroes behind a locked door, two stubborn guards beyond it."""
    rows = [
        "######################",
        "#.....#..............#",
        "#.....+..............#",
        "#.....#..............#",
        "#.....+..............#",
        "######################",
    ]
    guard: dict[str, Any] = {"template": "bandit", "side": "monsters", "controller": "ai", "hp_max": 45, "damage": -3}
    hero: dict[str, Any] = {"side": "heroes", "controller": "human", "hp_max": 60, "pain": 0}
    return {
        "format": "battlemat/1", "ruleset": "countup", "seed": 3, "commands": [],
        "map": {"rows": rows, "doors": {"door 6,2": "locked", "door 6,4": "secret"}},
        "creatures": [
            {"id": "hale", "template": "hale", "at": [5, 2], "weapons": ["longsword", "spear"], **hero},
            {"id": "tess", "template": "tess", "at": [4, 3], **hero},
            {"id": "mog", "template": "mog", "at": [3, 2], **hero},
            {"id": "guard", "at": [16, 2], **guard}, {"id": "other", "name": "Other guard", "at": [18, 3], **guard},
        ],
    }  # fmt: skip


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("hand", ["mouse", "keys"])
def test_a_tour_of_deeds_by_the_second(sat: Sat, hand: str, size: str) -> None:
    sitting = sat(hand, size)
    sitting.open(record=tour())
    mind = Touring(120)
    assert played(sitting, mind, 800) in ("heroes", "monsters")
    assert not mind.open, f"never possible: {', '.join(mind.open)}"
    closed(sitting)


def skirmish() -> dict[str, Any]:
    """A seasoned fighter and a weak bandit, face to face: the shortest whole fight."""
    strong: dict[str, Any] = {"attack": 9, "defence": 9, "damage": 9, "hp_max": 60, "pain": 0, "initiative": -9}
    return {
        "format": "battlemat/1", "ruleset": "countup", "seed": 3, "commands": [],
        "map": {"rows": ["########", "#......#", "#......#", "########"]},
        "creatures": [
            {"id": "hale", "template": "hale", "side": "heroes", "at": [2, 1], "controller": "human", **strong},
            {"id": "foe", "template": "bandit", "side": "monsters", "at": [5, 2], "controller": "ai", "hp_max": 14},
        ],
    }  # fmt: skip


@pytest.mark.parametrize("hand", [pytest.param("mouse", marks=pytest.mark.long), "keys"])
def test_a_short_fight_by_the_second(sat: Sat, hand: str) -> None:
    sitting = sat(hand, SIZES[0])
    sitting.open(record=skirmish())
    assert played(sitting, Sensible(), 60) == "heroes"
    closed(sitting)

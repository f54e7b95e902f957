"""Outside of fights under Cairn with `outside` (cairn.md §1 Outside a fight, Dungeon events, §2.6 Aid)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.cairn.actions.spells import add_fatigue
from rules.cairn.explore import dungeon
from rules.cairn.movement import _harm
from rules.contract.units import CreatureIx
from tests.rules.explore.engine import Engine
from tests.rules.explore.expedition import creature

ROCK = CreatureIx(0)


def hero(number: int = 0, at: tuple[int, int] = (1, 2), **says: Any) -> dict[str, Any]:
    block = {"pc": True, "hp_max": 6, "strength": 10, "items": ["sword"]}
    return {**creature("cairn", f"h{number}", at), **block, **says}


def expedition(*creatures: dict[str, Any], outside: bool = True, **more: Any) -> Engine:
    far = creature("cairn", "gob", (28, 2), asleep=True)
    walled = ["#" * 30, *["#" + "." * 24 + "#" + "." * 3 + "#"] * 3, "#" * 30]
    return Engine("cairn", [*creatures, far], walled, options={"outside": outside}, **more)


@pytest.mark.parametrize("outside", [True, False])
def test_harm_outside_a_fight_goes_to_str_and_asks_for_no_save(outside: bool) -> None:
    engine = expedition(hero(), outside=outside)
    _harm(engine.resolution, ROCK, 4, "a stone", armor=False, direct=False)
    figure = engine.resolution.figures[ROCK]
    assert (figure.hp, figure.str_now) == ((6, 6) if outside else (2, 10))
    _harm(engine.resolution, ROCK, 5, "a stone", armor=False)
    saves = [check for check in engine.told("check") if "critical" in str(check["what"])]
    assert bool(saves) is not outside


def test_in_a_fight_harm_of_the_ground_is_as_ever() -> None:
    engine = expedition(hero())
    engine.resolution.phase = "plan"
    _harm(engine.resolution, ROCK, 4, "a stone", armor=False, direct=False)
    assert engine.resolution.figures[ROCK].hp == 2


def laid_low(engine: Engine, **says: Any) -> CreatureIx:
    who = engine.who("h1")
    engine.resolution.change(who, **{"hp": 0, "critical": True, "stable": True, "posture": "prone", **says})
    dungeon.recover(engine.course, engine.resolution)
    return who


def test_who_was_aided_is_up_again_when_a_friend_was_beside_it() -> None:
    engine = expedition(hero(), hero(1, (2, 2)))
    figure = engine.resolution.figures[laid_low(engine)]
    assert not figure.critical and not figure.stable and figure.posture == "prone" and figure.hp == 0


@pytest.mark.parametrize(
    ("at", "says", "foe", "outside"),
    [((3, 2), {}, False, True), ((2, 2), {"stable": False}, False, True), ((2, 2), {}, True, True),
     ((2, 2), {}, False, False)],
    ids=["alone", "not aided", "a foe in sight", "without the option"],
)  # fmt: skip
def test_else_it_lies_on(at: tuple[int, int], says: dict[str, Any], foe: bool, outside: bool) -> None:
    engine = expedition(hero(), hero(1, at), outside=outside)
    if foe:
        engine.put("gob", 10, 2)
    assert engine.resolution.figures[laid_low(engine, **says)].critical


def test_nobody_gets_up_in_the_dark() -> None:
    engine = expedition(hero(), hero(1, (2, 2)))
    engine.resolution.setup.darkness = True
    engine.course.__class__.lit = lambda *_: False
    assert engine.resolution.figures[laid_low(engine)].critical


@pytest.mark.parametrize("outside", [True, False])
def test_four_spaces_of_sneaking_lead_to_another_place(outside: bool) -> None:
    table = expedition(hero(), outside=outside).table
    for turn in range(3):
        here = 1 + 4 * turn
        table.do("h0", "sneak", path=[(here + step, 2) for step in range(1, 5)])
        table.wait()
    stayed = [note for note in table.told("note") if "more than a turn in one place" in str(note["text"])]
    assert bool(stayed) is not outside


@pytest.mark.parametrize("outside", [True, False])
def test_friends_share_their_rations(outside: bool) -> None:
    engine = expedition(hero(items=["rations"]), hero(1, (2, 2)), outside=outside)
    dungeon._exhaustion(engine.course, engine.resolution)
    assert engine.resolution.figures[engine.who("h1")].fatigue == int(not outside)
    assert not engine.resolution.figures[engine.who("h0")].fatigue
    shared = any("eats a ration of" in str(note["text"]) for note in engine.told("note"))
    assert shared is outside


@pytest.mark.parametrize("outside", [True, False])
def test_fatigue_takes_what_the_party_is_out_for_last_of_all(outside: bool) -> None:
    goal = {"name": "The sword", "kind": "fetch", "what": "sword", "side": "heroes"}
    full = ["axe"] * 8 + ["dagger", "sword"]
    engine = expedition(hero(items=full), outside=outside, goals=[goal], exits=[[1, 1]])
    add_fatigue(engine.resolution, engine.who("h0"))
    dropped = [told["item"] for told in engine.told("item") if told["how"] == "dropped"]
    assert dropped == (["dagger"] if outside else ["sword"])

"""A fight in which neither side comes to the other ends, and goes on where somebody comes near or strikes."""

from __future__ import annotations

import pytest

from rules.contract.actions import pending
from rules.contract.events import Contest, Injury, Moved
from rules.explore.crawl import DOZE, STANDOFF
from rules.explore.state import Attitude
from tests.rules.explore.engine import Engine
from tests.rules.explore.expedition import RULESETS, Expedition, creature

EVERY = pytest.mark.parametrize("ruleset", RULESETS)
HALL = ["##################", *["#................#"] * 3, "##################"]
LEDGE = ["000000033333333333"] * 5
"""The hall's east half lies three storeys higher: everybody sees everybody, and nobody gets up there."""


def _hall(ruleset: str, *, sleepers: bool = True) -> Engine:
    creatures = [creature(ruleset, "h0", (2, 2)), creature(ruleset, "gob", (12, 2), asleep=True)]
    return Engine(ruleset, creatures, HALL, says={"hears": False}, levels=LEDGE, options={"sleepers": sleepers})


def _awake(ruleset: str) -> Engine:
    """A fight in it with somebody who no longer sleeps."""
    engine = _hall(ruleset)
    engine.fight()
    engine.course.wake(engine.resolution, engine.who("gob"))
    return engine


def _turns(engine: Engine, count: int) -> list[bool]:
    """So many turns of a fight, in each of which somebody may act."""
    ended = []
    for _ in range(count):
        del engine.resolution.events[:]
        ended.append(engine.course.turn_passes(engine.resolution))
    return ended


@EVERY
def test_after_ten_turns_without_a_deed_the_fight_is_over_though_they_see_each_other(ruleset: str) -> None:
    engine = _awake(ruleset)
    assert _turns(engine, STANDOFF)[-2:] == [False, True] and engine.now.calm == 0
    assert "they let each other be" in engine.notes()
    assert engine.row("gob", "attitude") == Attitude.HOLDS_BACK and not engine.roused("gob")


@pytest.mark.parametrize("ruleset", ["olde", "cairn"])
def test_a_fight_with_sleepers_alone_is_over_after_two_turns_in_which_nobody_strikes(ruleset: str) -> None:
    engine = _hall(ruleset)
    engine.fight()
    assert _turns(engine, DOZE) == [False, True]
    assert "they are let sleep" in engine.notes()
    assert engine.row("gob", "attitude") < Attitude.WARY and not engine.roused("gob")


@EVERY
def test_in_a_record_of_before_sleepers_keep_a_fight_going(ruleset: str) -> None:
    engine = _hall(ruleset, sleepers=False)
    engine.fight()
    assert not any(_turns(engine, DOZE + 1))


@EVERY
def test_a_fight_with_somebody_awake_goes_on_longer(ruleset: str) -> None:
    assert not any(_turns(_awake(ruleset), DOZE + 1))


@EVERY
def test_a_deed_has_the_turns_counted_anew(ruleset: str) -> None:
    engine = _awake(ruleset)
    _turns(engine, STANDOFF - 1)
    counted = engine.now.standoff
    engine.resolution.events.append(Moved(by="h0", mode="step", start=(2, 2), path=((3, 2),)))
    engine.course.come_in(engine.resolution)
    engine.resolution.events.append(Contest(by="h0", target="h0", what="Search", rolls=(), success=False))
    engine.course.come_in(engine.resolution)
    assert counted == engine.now.standoff == STANDOFF - 1, "to walk and to look about are no deeds"
    engine.resolution.events.append(Injury(target="gob", amount=1, hp=1, status="hurt"))
    engine.course.come_in(engine.resolution)
    assert engine.now.standoff == 0
    assert not any(_turns(engine, STANDOFF - 1)) and all(_turns(engine, 1))


@EVERY
def test_who_holds_back_strikes_again_when_a_hero_is_within_a_turns_way(ruleset: str) -> None:
    engine = _hall(ruleset)
    engine.fight()
    _turns(engine, STANDOFF)
    assert engine.course.truce(engine.resolution) and engine.now.standoff == 0
    engine.course.wake(engine.resolution, engine.who("gob"))
    engine.course.walk_rounds(engine.resolution)
    assert engine.course.exploring_now(engine.resolution)
    assert engine.row("gob", "attitude") == Attitude.HOLDS_BACK, "the chasm is between them"
    engine.put("h0", 10, 3)
    engine.course.walk_rounds(engine.resolution)
    assert engine.row("gob", "attitude") == Attitude.HOSTILE


@EVERY
def test_whom_the_heroes_fall_upon_holds_back_no_longer(ruleset: str) -> None:
    engine = _hall(ruleset)
    engine.mark("gob", attitude=Attitude.HOLDS_BACK)
    engine.fight()
    assert engine.row("gob", "attitude") == Attitude.HOSTILE and engine.now.fights == 1


@EVERY
def test_in_play_a_fight_that_nobody_fights_ends_after_ten_turns_and_no_other_begins(ruleset: str) -> None:
    table = Expedition(ruleset, [creature(ruleset, "h0", (5, 2)), creature(ruleset, "gob", (9, 2))], HALL, levels=LEDGE)
    if table.exploring:
        table.do("h0", "shout")
    passed = 0
    while passed < 200 and not (table.exploring and table.now.explore.fights):
        decision = pending(table.rules.decisions(table.now))
        assert decision is not None
        legal = table.rules.legal(table.now, decision)
        action = next((each for each in legal if each.do in ("end", "resolve")), None) or next(iter(legal))
        table._apply(decision, action)
        passed += 1
    assert table.exploring and table.now.explore.fights == 1, passed
    table.wait(5)
    assert table.exploring and table.now.explore.fights == 1
    (shown,) = (mini for mini in table.rules.board(table.now).miniatures if mini.id == "gob")
    assert "Holds back" in [badge.label for badge in shown.badges]

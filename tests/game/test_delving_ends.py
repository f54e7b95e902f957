"""An evening that the computer plays always comes to an end: nothing is lost out of mind, and nobody waits for ever."""

from __future__ import annotations

from typing import Any

import pytest

from game.controllers.ai import AiController
from game.controllers.ai.delving.memory import Aim, Memory
from rules.contract.actions import Action, pending
from rules.contract.events import Over
from rules.contract.units import EMPTY
from tests.abbey.visit import UNDERCROFT, Visit
from tests.rules.explore.expedition import RULESETS, Expedition, creature

EVERY = pytest.mark.parametrize("ruleset", RULESETS)
FOG: dict[str, bool] = {"fog": True, "darkness": False}


def played(table: Expedition, most: int) -> int:
    """The computer plays everybody until it is over; after how many commands."""
    for count in range(most):
        decision = pending(table.rules.decisions(table.now))
        if decision is None:
            return count
        table.think(decision)
    raise AssertionError("the evening goes on and on")


@EVERY
def test_what_is_seen_in_a_fight_is_known_afterwards(ruleset: str) -> None:
    """Who runs through strange ground in a fight knows the way back."""
    foe = creature(ruleset, "gob", (20, 2), surprised=True)
    table, mind = Expedition(ruleset, [creature(ruleset, "h0", (9, 2)), foe], options=FOG), AiController()
    table.do("h0", "ambush")
    seen = EMPTY
    for _ in range(80):
        decision = pending(table.rules.decisions(table.now))
        if decision is None or decision.kind == "explore":
            break
        known = table.rules.observe(table.now, decision.side)
        legal = table.rules.legal(known, decision)
        action = mind.choose(table.rules, known, decision, legal)
        if decision.side == "heroes":
            seen |= table.rules.sees(known, "heroes")
            assert not seen & ~mind._delve("heroes").memory.seen
        table._apply(decision, action if action in table.rules.legal(table.now, decision) else list(legal)[-1])
    assert seen


@EVERY
def test_who_knows_no_way_to_the_others_looks_for_one(ruleset: str) -> None:
    """A room that nobody has seen lies between them: both go on, and meet."""
    heroes = [creature(ruleset, "h0", (1, 1)), creature(ruleset, "h1", (28, 1))]
    table = Expedition(ruleset, heroes, options=FOG, exits=[[1, 1], [1, 2]])
    for _ in range(12):
        minute = table.now.explore.minute
        while table.exploring and table.now.explore.minute == minute:
            decision = table.rules.decisions(table.now)[0]
            if decision.by == "h0":
                table.do("h0", "end")
            else:
                mind = table._computer["heroes"]
                mind._delve("heroes").memory.asked["h0"] = minute  # it is the computer's, and stays where it is
                table.think(decision)
    own = [command.do for command in table.record.commands if command.by == "h1"]
    assert "open" in own and {"walk", "sneak"} & set(own)


@EVERY
def test_a_party_in_two_parts_comes_home_together(ruleset: str) -> None:
    heroes = [creature(ruleset, "h0", (1, 1)), creature(ruleset, "h1", (28, 1))]
    table = Expedition(ruleset, heroes, options=FOG, exits=[[1, 1], [1, 2]])
    played(table, 1500)
    over = [event for event in table.events if isinstance(event, Over)]
    assert [event.winner for event in over] == ["heroes"]


def test_what_was_so_before_is_no_news_however_often_it_comes_to_be_so_again() -> None:
    memory = Memory()
    memory.news(1, [(0, "open"), ("h0", 5)])
    memory.news(2, [(0, "closed"), ("h0", 5)])
    assert memory.fresh == 2
    for minute in range(3, 40):
        memory.news(minute, [(0, "open" if minute % 2 else "closed"), ("h0", 5)])
    assert memory.fresh == 2


def test_those_astray_have_an_aim_of_their_own() -> None:
    memory = Memory()
    home: Any = Aim("the way out", ("out",), EMPTY)
    memory.pursuit.aim, memory.pursuit.goal = home, 7  # type: ignore[assignment]
    memory.turn_to("h1")
    assert memory.pursuit.aim is None and memory.pursuit.goal < 0
    memory.pursuit.aim = Aim("unknown ground", ("unknown",), EMPTY)
    memory.turn_to("")
    assert memory.pursuit.aim is home and memory.pursuit.goal == 7
    memory.turn_to("h1")
    assert memory.pursuit.aim is not None and memory.pursuit.aim.key == ("unknown",)


SHUT_IN = ["##########", "#....#...#", "#....#...#", "##########"]
"""Two rooms with nothing between them."""


@EVERY
def test_a_party_that_can_go_nowhere_gives_up_in_the_end(ruleset: str) -> None:
    heroes = [creature(ruleset, "h0", (1, 1)), creature(ruleset, "h1", (2, 2))]
    table = Expedition(ruleset, [*heroes, creature(ruleset, "gob", (8, 1), asleep=True)], SHUT_IN, exits=[[7, 1]])
    played(table, 2500)
    over = [event for event in table.events if isinstance(event, Over)]
    assert [(event.winner, event.because) for event in over] == [("monsters", "gave up")]


@EVERY
def test_who_can_go_home_leaves_those_who_never_come(ruleset: str) -> None:
    heroes = [creature(ruleset, "h0", (1, 1)), creature(ruleset, "h1", (8, 2))]
    table = Expedition(ruleset, heroes, SHUT_IN, exits=[[1, 1]])
    played(table, 2500)
    over = [event for event in table.events if isinstance(event, Over)]
    assert [(event.winner, event.because) for event in over] == [("heroes", "gave up")]


@EVERY
def test_a_door_is_tried_with_its_key_however_often_it_was_tried_without(ruleset: str) -> None:
    """The cell of the boy, by who has found the key since."""
    visit = Visit(ruleset, [(UNDERCROFT, 19, 17), (UNDERCROFT, 23, 17)], folk=["joss"], hero={"carries": "cell key"})
    mind, done = AiController(), list[tuple[str, str | None]]()
    for _ in range(40):
        if not visit.exploring or ("unlock", "Joss's cell") in done:
            break
        decision = visit.rules.decisions(visit.match.state)[0]
        memory = mind._delve("heroes").memory
        memory.spent["door", "Joss's cell"] = 9
        known = visit.rules.observe(visit.match.state, "heroes")
        action = mind.choose(visit.rules, known, decision, visit.rules.legal(known, decision))
        visit.act(action)
        done.append((action.do, action.target))
    assert ("unlock", "Joss's cell") in done


@EVERY
def test_where_one_has_the_key_one_goes_before_one_looks_about(ruleset: str) -> None:
    """Beside a strongbox, in a room with shut doors."""
    visit = Visit(ruleset, [(UNDERCROFT, 7, 17)], folk=["joss"], hero={"carries": "cell key"})
    mind = AiController()
    decision = visit.rules.decisions(visit.match.state)[0]
    known = visit.rules.observe(visit.match.state, "heroes")
    mind.choose(visit.rules, known, decision, visit.rules.legal(known, decision))
    aim = mind._delve("heroes").memory.pursuit.aim
    assert aim is not None and aim.key == ("door", "Cell passage door", "cell key")


@EVERY
def test_nobody_does_for_ever_what_takes_no_time(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever there is to be done again and again: a turn has an end."""
    table = Expedition(ruleset, [creature(ruleset, "h0", (1, 1)), creature(ruleset, "gob", (27, 2), asleep=True)])
    mind, decision = AiController(), table.decision("h0")
    delve, minute = mind._delve("heroes"), table.now.explore.minute
    idle = Action("h0", "search")
    monkeypatch.setattr(delve, "_ideas", lambda view: iter([("for ever", idle)]))
    done = [delve.decide(table.rules, table.now, decision)[0].action.do for _ in range(60)]
    assert table.now.explore.minute == minute and done[0] == "search" and done[-1] == "end"

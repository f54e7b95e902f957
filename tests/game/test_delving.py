"""What the computer judges on an expedition: by what its side knows alone, together, and never for ever."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from game.controllers.ai import AiController
from game.controllers.ai.controller import rallying
from game.controllers.ai.delving.memory import Aim, Memory
from game.controllers.ai.delving.ways import CROWDED, STAIRS_PRICE, jumps_of, land
from rules.board.bitboard import board_of
from rules.board.path import UNREACHABLE
from rules.contract.units import EMPTY, Cell
from rules.core import record as records
from rules.core.ground import field_of
from tests.rules.explore.expedition import ROOMS, RULESETS, Expedition, creature

EVERY = pytest.mark.parametrize("ruleset", RULESETS)


def deeds(table: Expedition, count: int) -> list[tuple[str, str, Any, Any]]:
    """The next things that the computer has the heroes do."""
    for _ in range(count):
        if not table.exploring:
            break
        table.think(table.rules.decisions(table.now)[0])
    return [(c.by, c.do, c.path, c.target) for c in table.record.commands]


@EVERY
def test_who_is_out_of_sight_changes_nothing_of_what_is_done(ruleset: str) -> None:
    """Neither where an unseen foe sleeps, nor whether there is one, nor what an unseen chest holds."""
    heroes = [creature(ruleset, "h0", (1, 1)), creature(ruleset, "h1", (2, 2))]
    chest = [{"id": "box", "kind": "chest", "at": [[24, 1]], "contents": "3 coins"}]
    found = [
        deeds(Expedition(ruleset, heroes), 5),
        deeds(Expedition(ruleset, [*heroes, creature(ruleset, "gob", (27, 1), asleep=True)]), 5),
        deeds(Expedition(ruleset, [*heroes, creature(ruleset, "gob", (24, 3), asleep=True)]), 5),
        deeds(Expedition(ruleset, heroes, challenges=chest), 5),
    ]
    assert found[0] and all(each == found[0] for each in found)


@EVERY
def test_nobody_goes_over_ground_that_the_side_has_not_seen(ruleset: str) -> None:
    table = Expedition(ruleset, [creature(ruleset, "h0", (1, 1))], options={"fog": True, "darkness": False})
    seen, mind = EMPTY, AiController()
    for _ in range(12):
        if not table.exploring:
            break
        known = table.rules.observe(table.now, "heroes")
        seen |= table.rules.sees(known, "heroes")
        decision = table.rules.decisions(table.now)[0]
        action = mind.choose(table.rules, known, decision, table.rules.legal(known, decision))
        assert not board_of(action.path) & ~seen
        table._apply(decision, action)
    assert any(command.do == "open" for command in table.record.commands)


@EVERY
def test_beside_a_person_the_computer_comes_along_and_strikes_nobody_first(ruleset: str) -> None:
    weak = creature(ruleset, "gob", (20, 2), hp=1, surprised=True)
    table = Expedition(ruleset, [creature(ruleset, "h0", (9, 2)), creature(ruleset, "h1", (8, 2)), weak])
    for _ in range(3):
        minute = table.now.explore.minute
        table.do("h0", "end")  # a person's, who waits
        while table.exploring and table.now.explore.minute == minute:
            table.think(table.decision("h1"))
    own = [command.do for command in table.record.commands if command.by == "h1"]
    assert table.exploring and "ambush" not in own and set(own) == {"end"}
    column, row = table.at("h0") or (0, 0)
    assert max(abs(column - (table.at("h1") or (99, 99))[0]), abs(row - (table.at("h1") or (99, 99))[1])) <= 2


@EVERY
def test_without_persons_the_same_foe_is_fallen_upon(ruleset: str) -> None:
    weak = creature(ruleset, "gob", (20, 2), hp=1, surprised=True)
    table = Expedition(ruleset, [creature(ruleset, "h0", (9, 2)), creature(ruleset, "h1", (8, 2)), weak])
    assert "ambush" in [do for _, do, _, _ in deeds(table, 40)] or not table.exploring


def test_what_came_to_nothing_is_tried_once_more_where_nothing_better_is_left_but_not_what_is_done_with() -> None:
    memory = Memory()
    for key in (("door", "a"), ("body", "rat"), ("chest", "Box", "chest"), ("chest", "Box", "chest_done")):
        memory.spend(key)
    memory.give_up(("door", "a"), board_of((3,)))  # type: ignore[arg-type]
    memory.pursuit.aim = Aim("a shut door", ("door", "a"), EMPTY)
    memory.press(40)
    assert memory.pressed == memory.daring == 1 and memory.fresh == 40
    assert memory.spent == {("body", "rat"): 1, ("chest", "Box", "chest_done"): 1}
    assert not memory.given_up(("door", "a")) and memory.pursuit.aim is None


def test_news_ends_despair_and_the_first_reason_to_go_home_counts() -> None:
    memory = Memory()
    memory.news(1, ("a",))
    memory.press(30)
    memory.news(31, ("a",))
    assert (memory.pressed, memory.fresh) == (1, 30)
    memory.news(32, ("a", "b"))
    assert (memory.pressed, memory.fresh) == (0, 32)
    memory.go_home("too badly hurt")
    memory.go_home("it is late")
    assert memory.homeward == "too badly hurt"


def test_ways_lead_over_stairs_whose_both_ends_are_known_and_land_dearer_where_a_friend_stands() -> None:
    place = [
        {"name": "top", "rows": ["#####", "#...#", "#####"]},
        {"name": "cellar", "rows": ["#####", "#...#", "#####"]},
    ]
    document = {
        "format": "battlemat/2", "ruleset": "olde", "options": {"crawl": True}, "seed": 1,
        "map": {"place": place, "stairs": [[["top", 3, 1], ["cellar", 1, 1]]]},
        "creatures": [creature("olde", "h0", (1, 1))], "commands": [],
    }  # fmt: skip
    field = field_of(records.read(document).map)
    terrain = field.terrain(0)
    down = next(stair for stair in field.stairs if stair.cell < stair.to)
    everything = terrain.everywhere
    start = board_of((field.cell(1, 1),))
    free = land(terrain, start, EMPTY, jumps_of(terrain, everything, (), EMPTY))
    assert free.cost(down.cell) == 2 and free.cost(down.to) == 2 + STAIRS_PRICE
    crowded = land(terrain, start, EMPTY, jumps_of(terrain, everything, (), board_of((down.to,))))
    assert crowded.cost(down.to) in (2 + STAIRS_PRICE, 2 + STAIRS_PRICE + CROWDED)
    unknown = jumps_of(terrain, everything & ~(1 << down.to), (), EMPTY)
    assert land(terrain, start, EMPTY, unknown).cost(down.to) == UNREACHABLE
    assert down.cell not in jumps_of(terrain, everything, ((down.cell, down.to),), EMPTY)


def test_nobody_goes_on_before_wounds_are_seen_to() -> None:
    """A priest beside somebody hurt mends first, and the leader waits for that; unhurt, the leader goes on at once."""
    done = {}
    for hurt in (False, True):
        wounds = {"hp": 3} if hurt else {}
        heroes = [creature("olde", "h0", (2, 1)), {**creature("olde", "h1", (3, 1)), "template": "priest"}]
        heroes[0] = {**heroes[0], "template": "warrior", **wounds}
        table = Expedition("olde", heroes)
        done[hurt] = deeds(table, 4)
    assert done[False][0][0] == "h0" and done[False][0][1] in ("sneak", "walk")
    first = next(each for each in done[True] if each[1] != "end")
    assert first[1] in ("bind", "cast", "use") and not any(each[2] for each in done[True][:2])


def test_a_party_that_sees_no_foe_stays_together_and_draws_back_by_turns() -> None:
    friend, me = SimpleNamespace(id="a", cell=5, out=False), SimpleNamespace(id="b", cell=9, out=False)
    position: Any = SimpleNamespace(friends=[friend], me=me, pieces=[friend, me])
    first: Any = SimpleNamespace(friends=[me], me=friend, pieces=[friend, me])
    assert rallying(position, Cell(1), 0, 8) == (5,) and rallying(first, Cell(1), 0, 8) == ()
    assert rallying(position, Cell(1), 8, 8) == rallying(first, Cell(1), 8, 8) == (1,)
    assert rallying(position, Cell(1), 3, 3) == (1,), "how long it stays is a weight"


def test_a_cure_under_count_up_tells_what_it_gives_back() -> None:
    heroes = [creature("countup", "h0", (2, 1), hp=4), {**creature("countup", "h1", (3, 1)), "template": "cora"}]
    table = Expedition("countup", heroes)
    cure = table.action("h1", "cast", item="Minor Cure", target="h0")
    odds = table.rules.odds(table.now, cure)
    assert odds is not None and odds.healing > 2.0
    full = table.rules.odds(table.now, table.action("h1", "cast", item="Minor Cure", target="h1"))
    assert full is not None and full.healing == 0.0


@EVERY
def test_thoughts_of_the_past_stay_what_they_were(ruleset: str) -> None:
    """Asked again for a decision of before, the computer says the same, whatever it has learnt since."""
    table = Expedition(ruleset, [creature(ruleset, "h0", (1, 1)), creature(ruleset, "h1", (2, 2))], ROOMS)
    mind = AiController()
    past = []
    for _ in range(8):
        decision = table.rules.decisions(table.now)[0]
        known = table.rules.observe(table.now, "heroes")
        action = mind.choose(table.rules, known, decision, table.rules.legal(known, decision))
        past.append((known, decision, action))
        table._apply(decision, action)
    for known, decision, action in past:
        assert mind.choose(table.rules, known, decision, table.rules.legal(known, decision)) == action
    assert msgspec.structs.asdict(past[0][2])["by"] == "h0"

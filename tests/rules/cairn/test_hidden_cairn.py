"""What maps hide and lock, in a fight: traps, chests, secret doors (cairn.md §1, §2.5, §2.12, A17)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from game.content import encounter
from game.controllers.ai.controller import AiController
from game.fight.match import Match
from rules.board.fixtures import Challenge, Door
from rules.board.grid import Field
from rules.contract.actions import Action
from rules.contract.units import Cell
from rules.core.registry import ruleset
from tests.game.test_ai_cairn import planned
from tests.rules.cairn.creatures import HALL, Fight, foe, pc
from tests.rules.cairn.test_rulings_cairn import beast
from tests.rules.table import dice

WALL = ["#########", "#.......#", "#...#...#", "#########"]


def hall(*challenges: Challenge, doors: tuple[Door, ...] = (), rows: Any = None) -> Field:
    field = Field.from_rows(rows or HALL)
    return msgspec.structs.replace(field, challenges=challenges, doors=(*field.doors, *doors))


def trap(cell: Cell = Cell(12 + 4), **says: Any) -> Challenge:
    """A trap on [4, 1] of the hall."""
    return Challenge("pit", "trap", (cell,), **{"damage": "d6", "hidden": True, **says})


def chest(**says: Any) -> Challenge:
    """A chest on [2, 2] of the hall."""
    return Challenge("iron chest", "chest", (Cell(2 * 12 + 2),), **{"contents": "forty pennies", **says})


def walk(*challenges: Challenge, throws: Any = (), a: Any = None, to: int = 6, **more: Any) -> Fight:
    """`a` walks from [1, 1] along the hall."""
    fight = Fight(pc("a", **(a or {})), foe("b", (10, 3)), throws=throws, field=hall(*challenges), **more)
    fight.do("a", "move", path=[[x, 1] for x in range(2, to + 1)])
    fight.half()
    return fight


# -- traps


@pytest.mark.parametrize("face", [1, 2])
def test_a_trap_springs_under_the_unwitting_on_one_and_two(face: int) -> None:
    fight = walk(trap(), throws=[face, 5, 1])
    assert (fight.of("a")["at"], fight.of("a")["hp"], fight.of("a")["str"]) == ([4, 1], 6, 5)
    assert fight.now.challenges == ("sprung",)


@pytest.mark.parametrize("face", [3, 6])
def test_it_does_not_on_three_to_six_and_nobody_hears_of_it(face: int) -> None:
    fight = walk(trap(), throws=[face])
    assert (fight.of("a")["at"], fight.now.challenges) == ([6, 1], ("set",))
    (note,) = fight.all("note")
    assert tuple(note["seen_by"]) == ("",)
    assert not fight.rules.board(fight.rules.observe(fight.now, "heroes")).ground


def test_armour_counts_against_a_trap_and_its_dice_are_the_maps() -> None:
    fight = walk(trap(damage="2d4+1"), throws=dice("pit 1 4 4, str save 1"), a={"items": ["plate"], "strength": 12})
    assert fight.of("a")["str"] == 12 - (9 - 3)
    fight = walk(trap(damage=""), throws=dice("pit 1 6, str save 1"))
    assert fight.of("a")["str"] == 4, "d6 where the map says nothing"


def test_a_trap_leaves_its_condition_where_there_is_one_of_the_kind() -> None:
    assert walk(trap(effect="restrained"), throws=dice("pit 1 1, str save 1")).of("a")["conditions"] == ["restrained"]
    assert walk(trap(effect="bleeding"), throws=dice("pit 1 1, str save 1")).of("a")["conditions"] == []


def test_a_trap_springs_once_and_is_known_to_all_then() -> None:
    fight = walk(trap(), throws=dice("pit 1 1, str save 1"), to=4)
    marks = [mark.kind for mark in fight.rules.board(fight.rules.observe(fight.now, "monsters")).ground]
    assert marks == ["trap_done"]
    fight.half("monsters")
    fight.do("a", "move", path=[[3, 1], [4, 1]])
    fight.half()
    assert fight.used == 3


def test_who_knows_of_a_trap_steps_over_it_and_does_not_stay_on_it() -> None:
    fight = Fight(pc("a"), foe("b", (10, 3)), throws=[], field=hall(trap(known=("heroes",))))
    assert "known trap" in fight.refusal("a", "move", path=[[2, 1], [3, 1], [4, 1]])
    decision = fight.rules.decisions(fight.now)[0]
    assert fight.field.cell(4, 1) not in fight.rules.legal(fight.now, decision).moves("move")
    fight.do("a", "move", path=[[2, 1], [3, 1], [4, 1], [5, 1]])
    fight.half()
    assert (fight.of("a")["at"], fight.used) == ([5, 1], 0)


def test_each_side_knows_for_itself() -> None:
    fight = Fight(pc("a"), foe("b", (6, 1)), throws=dice("pit 1 3, str save 1"), field=hall(trap(known=("heroes",))))
    shown = {side: fight.rules.board(fight.rules.observe(fight.now, side)).ground for side in ("heroes", "monsters")}
    assert ([mark.kind for mark in shown["heroes"]], shown["monsters"]) == (["trap"], ())
    fight.half()
    fight.do("b", "move", path=[[5, 1], [4, 1], [3, 1]])
    fight.half("monsters")
    assert (fight.of("b")["at"], fight.of("b")["str"]) == ([4, 1], 7)


@pytest.mark.parametrize(("face", "strength"), [(2, 7), (3, 10)])
def test_who_is_thrown_onto_a_trap_does_not_pick_its_step(face: int, strength: int) -> None:
    fight = Fight(pc("a", (2, 1)), foe("b", (3, 1)), throws=[1, face, 3, 1][: 4 if face < 3 else 2],
                  field=hall(trap(known=("heroes", "monsters"))))  # fmt: skip
    fight.do("a", "manoeuvre", target="b", option="shove")
    fight.half()
    assert (fight.of("b")["at"], fight.of("b")["str"]) == ([4, 1], strength)


def test_what_flies_springs_no_trap_and_shadows_are_not_harmed_by_one() -> None:
    for name, start, throws in (("harpy", 6, []), ("shadow", 6, [1, 5])):
        fight = Fight(pc("a"), beast(name, "b", (start, 1)), throws=throws, field=hall(trap()))
        fight.half()
        before = fight.of("b")["str"]
        fight.do("b", "move", path=[[5, 1], [4, 1]])
        fight.half("monsters")
        assert (fight.of("b")["str"], fight.used) == (before, len(throws))


# -- secret doors


def secret(*, state: str = "secret") -> Field:
    return hall(doors=(Door("niche", Cell(1 * 9 + 4), state=state),), rows=WALL)


def test_a_search_finds_all_that_is_near_for_its_side_alone() -> None:
    field = hall(trap(Cell(1 * 9 + 3)), doors=(Door("niche", Cell(9 + 4), state="secret"),), rows=WALL)
    fight = Fight(pc("a", (2, 1)), foe("b", (7, 1)), throws=[], field=field)
    assert "no door is called" in fight.refusal("a", "open", target="niche")
    fight.do("a", "search")
    events = fight.half()
    found = [e for e in events if e["event"] == "challenge"]
    assert [(e["kind"], e["state"], list(e["seen_by"])) for e in found] == [
        ("door", "found", ["heroes"]), ("trap", "found", ["heroes"]),
    ]  # fmt: skip
    sides = {side: fight.rules.observe(fight.now, side) for side in ("heroes", "monsters")}
    assert {side: fight.rules.doors(seen) for side, seen in sides.items()} == {
        "heroes": ("closed",), "monsters": ("secret",),
    }  # fmt: skip
    assert "no door is called" in fight.refusal("b", "open", target="niche")


def test_a_trap_of_several_spaces_is_told_of_where_the_map_has_its_first() -> None:
    broad = Challenge("pit", "trap", (Cell(12 + 3), Cell(12 + 4)), damage="d6", hidden=True)
    fight = Fight(pc("a", (2, 1)), foe("b", (10, 3)), throws=[], field=hall(broad))
    fight.do("a", "search")
    fight.half()
    assert tuple(fight.last("challenge")["at"]) == (3, 1)


def test_what_is_found_is_opened_and_open_to_all() -> None:
    fight = Fight(pc("a", (3, 1)), foe("b", (7, 1)), throws=[], field=secret())
    fight.do("a", "search")
    fight.half()
    fight.half("monsters")
    fight.do("a", "open", target="niche")
    fight.half()
    assert fight.rules.doors(fight.rules.observe(fight.now, "monsters")) == ("open",)
    fight.do("b", "move", path=[[6, 1], [5, 1], [4, 1]])


def test_sides_that_look_together_know_a_door_as_whoever_saw_it_last() -> None:
    field = Field.from_rows(["########", "#.#..+.#", "########"])
    fight = Fight(pc("a", (1, 1)), foe("b", (4, 1)), throws=[], field=field, fog=True)
    fight.half()
    fight.do("b", "open", target="door 5,1")
    fight.half("monsters")
    looks = (("heroes",), ("monsters",), ("heroes", "monsters"))
    known = [fight.rules.doors(fight.rules.observe(fight.now, *sides)) for sides in looks]
    assert known == [("closed",), ("open",), ("open",)]


def test_a_search_farther_off_finds_nothing_and_says_so() -> None:
    fight = Fight(pc("a", (1, 1)), foe("b", (7, 1)), throws=[], field=secret())
    fight.do("a", "search")
    fight.half()
    assert [note["text"] for note in fight.all("note")] == ["finds nothing hidden"]
    assert fight.rules.doors(fight.rules.observe(fight.now, "heroes")) == ("secret",)


def test_where_nothing_could_be_hidden_nobody_searches() -> None:
    fight = Fight(pc("a"), foe("b", (9, 1)))
    assert "nothing is hidden" in fight.refusal("a", "search")


def test_a_spell_opens_only_doors_that_are_known() -> None:
    fight = Fight(pc("a", (3, 1), items=["scroll of Knock"]), foe("b", (7, 1)), field=secret(), cast_saves=False)
    assert "no door is called" in fight.refusal("a", "use", item="scroll of Knock", target="niche")
    legal = fight.rules.legal(fight.now, fight.rules.decisions(fight.now)[0])
    assert not [action for action in legal if action.do == "use"], "nor is it offered"
    fight.do("a", "search")
    fight.half()
    fight.half("monsters")
    fight.do("a", "use", item="scroll of Knock", target="niche")
    fight.half()
    assert fight.now.doors == ("open",)


# -- chests


@pytest.mark.parametrize(("face", "state"), [(10, "open"), (11, "locked")])
def test_a_chest_is_broken_open_as_a_door_is(face: int, state: str) -> None:
    fight = Fight(pc("a"), foe("b", (9, 1)), throws=[face], field=hall(chest()))
    assert fight.rules.odds(fight.now, fight._action("a", "tackle", {"item": "iron chest"})).hit == 0.5
    fight.do("a", "tackle", item="iron chest")
    events = fight.half()
    assert fight.now.challenges == (state,)
    assert [e["contents"] for e in events if e["event"] == "challenge"] == ["forty pennies"] * (state == "open")
    fight.half("monsters")
    if state == "open":
        assert "no locked chest" in fight.refusal("a", "tackle", item="iron chest")


def test_a_chest_out_of_reach_is_refused() -> None:
    fight = Fight(pc("a", (5, 1)), foe("b", (9, 1)), field=hall(chest()))
    assert "no locked chest beside" in fight.refusal("a", "tackle", item="iron chest")


def test_what_is_of_use_lies_in_the_open_chest() -> None:
    fight = Fight(
        pc("a"), foe("b", (9, 1)), throws=dice("str save 1"), field=hall(chest(contents="a letter, healing salve"))
    )
    fight.do("a", "tackle", item="iron chest")
    fight.half()
    fight.half("monsters")
    fight.do("a", "pick_up", item="healing salve")
    fight.half()
    assert "healing salve" in fight.of("a")["pack"]


@pytest.mark.parametrize(("face", "strength"), [(2, 6), (3, 10)])
def test_a_trap_in_a_chest_goes_off_two_times_in_six(face: int, strength: int) -> None:
    fight = Fight(pc("a"), foe("b", (9, 1)), throws=[1, face, *([4, 1] if face < 3 else [])],
                  field=hall(chest(damage="d6")))  # fmt: skip
    fight.do("a", "tackle", item="iron chest")
    fight.half()
    assert (fight.now.challenges, fight.of("a")["str"]) == (("open",), strength)


# -- the computer


def test_the_computer_goes_round_a_trap_that_it_knows_and_over_one_that_it_does_not() -> None:
    rows = ["############", "#..........#", "############"]
    for known, ends in ((("heroes",), [3, 1]), ((), [5, 1])):
        field = hall(trap(Cell(1 * 12 + 4), known=known), rows=rows)
        fight = Fight(pc("a", (1, 1), speed=4, willpower=20), foe("b", (10, 1)), throws=[6, 6], field=field)
        ai = AiController("brute")
        decision = fight.rules.decisions(fight.now)[0]
        seen = fight.rules.observe(fight.now, "heroes")
        action = ai.choose(fight.rules, seen, decision, fight.rules.legal(seen, decision))
        assert action.do == "move"
        assert list(fight.field.at(action.path[-1])) == ends


def test_the_computer_searches_where_no_way_leads_on() -> None:
    fight = Fight(pc("a", (3, 1)), foe("b", (7, 1)), throws=[], field=secret())
    assert "search" in planned(fight, "a", "brute")


@pytest.mark.parametrize("place", ["crypt", "goblin_warren", "ruined_bridge", "tavern"])
def test_every_map_shows_its_chests_and_hides_its_traps(place: str) -> None:
    record = encounter.make_encounter(place, ["gann", "reed"], ["goblin"], 3, ruleset="cairn")
    match, rules = Match.from_record(record), ruleset("cairn")
    kinds = [challenge.kind for challenge in match.field.challenges if challenge.kind in ("trap", "chest")]
    marks = [mark.kind for mark in rules.board(rules.observe(match.state, "heroes")).ground]
    assert marks.count("chest") == kinds.count("chest") > 0
    assert "trap" not in marks


# -- plans against whom nobody of the side sees


CORNER = ["##########", "#...##...#", "#...##...#", "#........#", "##########"]


def round_the_corner(**options: Any) -> tuple[Fight, list[str | None]]:
    """`a` plans to step out from behind the wall that hides `b`; whom it may strike from there."""
    fight = Fight(pc("a", (3, 1)), foe("b", (6, 2)), throws=[], rows=CORNER, **options)
    fight.do("a", "move", path=[[3, 2], [3, 3], [4, 3], [5, 3]])
    decision = fight.rules.decisions(fight.now)[0]
    return fight, [action.target for action in fight.rules.legal(fight.now, decision) if action.do == "attack"]


def test_in_fog_no_blow_is_planned_at_a_foe_whom_the_side_does_not_see_yet() -> None:
    fight, struck = round_the_corner(fog=True)
    assert struck == []
    assert "is not here; there are none" in fight.refusal("a", "attack", target="b")
    assert "is not here" in fight.refusal("a", "manoeuvre", target="b", option="trip")


def test_without_fog_everybody_is_on_the_board() -> None:
    _, struck = round_the_corner()
    assert set(struck) == {"b"}


@pytest.mark.parametrize("fog", [False, True])
def test_there_are_no_odds_against_somebody_of_whom_a_state_does_not_know_where_it_is(fog: bool) -> None:
    fight, _ = round_the_corner(fog=fog)
    known = fight.rules.observe(fight.now, "heroes")
    for do, option in (("attack", None), ("daring", None), ("manoeuvre", "shove")):
        action = Action("a", do, target="b", option=option)
        assert fight.rules.odds(known, action) is None
        assert fight.rules.area(known, action) == 0

"""Exploration: minutes, ways, noticing and danger (olde.md §8, §3 opposed, §4 surprise)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.board.fixtures import Door
from rules.board.grid import Field
from rules.contract.errors import RecordError
from rules.contract.units import Cell
from rules.core import odds as dist
from rules.olde.explore.kinds import EXPLORING
from tests.rules.olde.creatures import Fight, being
from tests.rules.olde.exploring import ROWS, Exploration, hero, watcher
from tests.rules.olde.test_obstacles_olde import field, water
from tests.rules.table import dice

WAY = [(4, 3), (4, 4)]
"""From [4, 2], where the hall does not look, into full view of who stands in its lowest row."""


def test_without_the_switch_a_fight_begins_at_once() -> None:
    table = Fight(hero(), watcher(at=(9, 3)), throws=dice("action points 4 3"))
    assert table.state["phase"] == "action"
    assert "exploration" not in table.state


# -- minutes


def test_every_hero_has_one_turn_a_minute_in_any_order() -> None:
    table = Exploration(hero(), hero("a2", (1, 2)), watcher(), throws=[])
    assert table.open == ["a", "a2"]
    table.do("a2", "end")
    assert (table.open, table.minute) == (["a"], 1)
    table.do("a", "end")
    assert (table.open, table.minute) == (["a", "a2"], 2)


def test_what_takes_five_minutes_takes_them() -> None:
    table = Exploration(hero(mana=1, faith=6), hero("a2", (1, 2)), watcher(), throws=[])
    table.do("a", "meal")
    for minute in range(1, 6):
        assert (table.minute, table.open) == (minute, ["a2"])
        table.do("a2", "end")
    assert (table.minute, table.open) == (6, ["a", "a2"])
    assert (table.of("a")["mana"], table.of("a")["faith"]) == (6, 9)
    assert "has had its meal" in table.refusal("a", "meal")


MINUTES = {
    "walk": 1, "sneak": 1, "force": 1, "tackle": 1, "search": 1, "light": 1, "climb": 1, "sort": 5, "meal": 5,
    "camp": 15, "bind": 5, "first_aid": 1, "assist": 1, "swim": 1, "leap": 1, "cast": 1, "use": 1, "end": 1,
    "open": 0, "close": 0, "lock": 0, "unlock": 0, "take_key": 0, "ready": 0, "drop_item": 0, "pick_up": 0, "rise": 0,
    "reset_crossbow": 0, "douse": 0, "ambush": 0, "shout": 0, "leave": 0,
}  # fmt: skip
"""What is done -> turns of a minute: olde.md §8."""


def test_everything_takes_the_minutes_of_the_rulebook_and_says_so() -> None:
    assert {do: timed.turns for do, timed in EXPLORING.items()} == MINUTES
    words = {0: ("no time", "the fight begins", "the end"), 1: ("1 minute",), 5: ("5 minutes",), 15: ("15 minutes",)}
    for do, timed in EXPLORING.items():
        assert timed.face.cost in words[MINUTES[do]], do


def test_a_door_is_opened_beside_what_else_is_done() -> None:
    table = Exploration(hero(at=(5, 3)), watcher(at=(17, 1), asleep=True), throws=[])
    table.do("a", "open", target="door 6,3")
    assert (table.minute, table.open) == (1, ["a"])
    table.do("a", "walk", path=[(6, 3), (7, 3)])
    assert table.minute == 2


def test_bleeding_costs_a_hit_point_a_minute() -> None:
    table = Exploration(hero(conditions=["bleeding"]), watcher(), throws=[])
    for minute in range(1, 4):
        table.do("a", "end")
        assert (table.minute, table.of("a")["hp"]) == (minute + 1, 11 - minute)
    assert table.of("a")["conditions"] == ["bleeding"], "no check stops it outside combat"
    assert not [e for e in table.events if e["event"] == "check"]


def test_the_dying_lose_a_hit_point_a_minute_and_first_aid_takes_one() -> None:
    down = hero("a2", (1, 2), hp=-2)
    healer = being("a", skills={"Healing": "Apprentice"})
    table = Exploration(healer, down, watcher(), throws=[5, 4])
    table.do("a", "first_aid", target="a2")
    assert (table.minute, table.of("a2")["hp"], table.of("a2")["conditions"]) == (2, -2, ["incapacitated"])
    left = Exploration(hero(), down, watcher(), throws=[])
    left.do("a", "end")
    left.do("a", "end")
    assert (left.minute, left.of("a2")["hp"]) == (3, -4)


def test_a_minute_crosses_six_spaces_and_three_sneaking() -> None:
    table = Exploration(hero(), watcher(at=(17, 1)), throws=[])
    path = [(2, 1), (3, 1), (4, 1), (5, 1), (5, 2), (5, 3), (4, 3)]
    assert "at most 6" in table.refusal("a", "walk", path=path)
    assert table.rules.odds(table.now, table._action("a", "walk", {"path": path})) is None
    assert "at most 3" in table.refusal("a", "sneak", path=path[:4])
    table.do("a", "walk", path=path[:6])
    assert table.of("a")["at"] == [5, 3]


def test_nobody_walks_into_an_unaware_enemys_space() -> None:
    table = Exploration(hero(at=(9, 1)), watcher(at=(12, 1), asleep=True), throws=[8, 7, 1, 1])
    assert "nobody goes there unnoticed" in table.refusal("a", "walk", path=[(10, 1), (11, 1), (12, 1)])


# -- noticing by sight


def test_who_walks_openly_in_view_is_noticed_without_a_roll_and_stops_there() -> None:
    table = Exploration(hero(), watcher(at=(12, 4)), throws=[4, 4])
    events = table.do("a", "walk", path=[(1, 2), (1, 3), (1, 4), (2, 4)])
    assert table.of("a")["at"] == [1, 3]
    assert [e["event"] for e in events if e["event"] in ("check", "contest")] == []
    assert table.state["phase"] == "action"
    assert table.unaware == []


def test_who_sneaks_rolls_once_and_each_watcher_against_it() -> None:
    table = Exploration(hero(at=(4, 2)), watcher(at=(12, 4)), watcher("z2", (13, 4)), throws=[5, 5, 5, 5, 5, 4])
    events = table.do("a", "sneak", path=WAY)
    (sneak,) = [e for e in events if e["event"] == "contest"]
    checks = [e for e in events if e["event"] == "check"]
    assert sneak["rolls"][0]["total"] == 10
    assert [(e["by"], e["rating"], e["roll"]["total"]) for e in checks] == [("z", 10, 8), ("z2", 10, 7)]
    assert table.now.phase == "explore"


def test_distance_and_line_of_sight_count_as_for_a_shot() -> None:
    table = Exploration(hero(at=(4, 2)), watcher(at=(17, 4)), throws=[7, 7, 4, 3])
    check = table.last("check", table.do("a", "sneak", path=WAY))
    assert [(a["value"], a["because"]) for a in check["roll"]["adjustments"]] == [(-4, "far off")]
    assert check["roll"]["total"] == 3


@pytest.mark.parametrize(("alertness", "noticed"), [((5, 5), True), ((5, 4), False)])
def test_a_watcher_notices_by_equal_or_more(alertness: tuple[int, int], noticed: bool) -> None:
    throws = [4, 4, *alertness]
    table = Exploration(hero(at=(4, 2)), watcher(at=(12, 4)), throws=throws)
    table.do("a", "sneak", path=WAY)
    assert (table.now.phase != "explore") is noticed


def test_a_watcher_that_fails_by_two_ranks_is_off_its_guard_at_the_next_attempt() -> None:
    table = Exploration(hero(at=(4, 2)), watcher(at=(12, 4)), throws=[7, 7, 1, 1, 7, 7, 5, 5])
    table.do("a", "sneak", path=WAY)
    check = table.last("check", table.do("a", "sneak", path=[(3, 4)]))
    assert (-2, "off its guard") in [(a["value"], a["because"]) for a in check["roll"]["adjustments"]]


def test_who_keeps_still_stays_hidden_from_who_has_tried() -> None:
    table = Exploration(hero(at=(4, 2)), watcher(at=(12, 4)), throws=[7, 7, 1, 1])
    table.do("a", "sneak", path=WAY)
    for _ in range(3):
        table.do("a", "end")
    assert table.minute == 5


def test_whoever_arrives_in_view_sneaks_before_the_first_minute() -> None:
    table = Exploration(hero(at=(3, 4)), watcher(at=(12, 4)), throws=[5, 5, 1, 1])
    assert table.now.phase == "explore"
    assert table.state["exploration"]["sneaking"] == {"a": 10}


def test_on_arrival_each_watcher_has_one_attempt_against_the_easiest_to_notice() -> None:
    table = Exploration(hero(at=(3, 4)), hero("a2", (4, 4)), watcher(at=(12, 4)), throws=[5, 5, 2, 2, 1, 1])
    assert table.now.phase == "explore"
    (attempt,) = [e for e in table.events if e["event"] == "check"]
    assert attempt["what"] == "Alertness against a2"
    assert attempt["rating"] == 4, "the lower of the two Sneaks, 10 and 4"
    table.do("a", "end")
    table.do("a2", "end")
    assert table.minute == 2 and len([e for e in table.events if e["event"] == "check"]) == 1


def test_a_door_that_opens_shows_whoever_stands_behind_it() -> None:
    table = Exploration(hero(at=(5, 2)), watcher(at=(14, 1)), throws=[])
    table.do("a", "open", target="door 6,3")
    assert table.now.phase == "explore"  # who stands beside the door is not in its view
    table.do("a", "close", target="door 6,3")
    table.do("a", "walk", path=[(5, 3)])
    table.do("a", "open", target="door 6,3")
    assert table.now.phase == "action"
    assert table.unaware == []


def test_in_the_dark_a_light_betrays_its_bearer_and_can_be_put_out() -> None:
    dark = msgspec.structs.replace(Field.from_rows(ROWS), ambient="dark")
    more: dict[str, Any] = {"field": dark, "darkness": True}
    lit = Exploration(hero(at=(4, 2), light=2), watcher(at=(12, 4)), throws=[], **more)
    assert lit.odds("a", "walk", path=WAY).hit == 0.0
    lit.do("a", "douse")
    assert lit.minute == 1
    assert lit.odds("a", "walk", path=WAY).hit == 1.0
    lit.do("a", "walk", path=WAY)
    assert lit.now.phase == "explore"
    assert lit.odds("a", "light").outcomes == (("unnoticed", 0.0), ("noticed", 1.0))
    lit.do("a", "light")
    assert lit.now.phase == "action"


@pytest.mark.parametrize(("spaces", "seen"), [(1, True), (2, False)])
def test_in_the_dark_a_watcher_sees_who_comes_beside_it_and_nobody_farther_off(spaces: int, seen: bool) -> None:
    """Who is not seen is heard all the same: Alertness −3 against Easy, which two exploding d6 make as 9."""
    dark = msgspec.structs.replace(Field.from_rows(ROWS), ambient="dark")
    table = Exploration(hero(at=(8, 1)), watcher(at=(12, 1)), field=dark, darkness=True, throws=[])
    path = [(x, 1) for x in range(9, 13 - spaces)]
    assert table.odds("a", "walk", path=path).hit == pytest.approx(
        0.0 if seen else 1.0 - dist.chance_at_least(2, 6, 6 + 3)
    )


# -- noticing by ear


def test_sleepers_hear_at_minus_six_and_wake() -> None:
    table = Exploration(hero(at=(8, 1)), watcher(at=(12, 1), asleep=True), throws=[1, 1, 6, 1, 3])
    check = table.last("check", table.do("a", "sneak", path=[(9, 1)])[:2])
    assert [(a["value"], a["because"]) for a in check["roll"]["adjustments"]] == [(-6, "asleep")]
    assert (check["rating"], check["roll"]["total"]) == (2, 4)
    assert table.of("z")["conditions"] == []
    assert table.state["phase"] == "action"


def test_walking_openly_is_heard_within_six_spaces_against_easy() -> None:
    table = Exploration(hero(at=(3, 1)), watcher(at=(9, 1)), throws=[4, 4])
    check = table.last("check", table.do("a", "walk", path=[(4, 1)]))
    assert (check["rating"], check["roll"]["total"]) == (6, 5)
    assert table.now.phase == "explore"


def test_a_sneaker_is_heard_within_three_spaces_alone() -> None:
    table = Exploration(hero(at=(3, 1)), watcher(at=(8, 1)), throws=[2, 2, 7, 7, 1, 1])
    assert [e for e in table.do("a", "sneak", path=[(4, 1)]) if e["event"] == "check"] == []
    check = table.last("check", table.do("a", "sneak", path=[(5, 1)]))
    assert [(a["value"], a["because"]) for a in check["roll"]["adjustments"]] == [(-3, "by ear alone")]


def test_force_is_heard_far_off() -> None:
    rows = ["############", "#...#......#", "#...#......#", "############"]
    field = Field.from_rows(rows, doors=[Door("oak", Cell(1 * 12 + 2), Cell(1 * 12 + 3), "locked", "", 99)])
    table = Exploration(hero(at=(2, 1)), watcher(at=(10, 2)), throws=[1, 1, 3, 4, 3], field=field)
    check = table.last("check", table.do("a", "force", target="oak", option="Burst")[:2])
    assert (check["by"], check["rating"], check["roll"]["total"]) == ("z", 3, 4)
    assert table.state["phase"] == "action"


# -- danger


def test_an_ambush_catches_everybody_unaware_with_exactly_one_ap() -> None:
    table = Exploration(hero(at=(4, 2)), watcher(at=(12, 4)), watcher("z2", (8, 1)), throws=[7, 7, 1, 1, 6])
    table.do("a", "sneak", path=WAY)
    table.do("a", "ambush")
    assert table.unaware == ["z", "z2"]
    assert [table.of(name)["ap"] for name in ("a", "z", "z2")] == [6, 1, 1]
    assert table.of("a")["at"] == [4, 4]


def test_whom_an_ambush_caught_is_told_by_name_and_number() -> None:
    goblins = [watcher(at=(12, 4), name="Goblin"), watcher("z2", (8, 1), name="Goblin")]
    table = Exploration(hero(at=(4, 2)), *goblins, watcher("z3", (12, 3), name="Orc"), throws=[7, 7, *[1] * 6])
    table.do("a", "sneak", path=WAY)
    table.do("a", "ambush")
    assert [e["text"] for e in table.all("note")] == ["Caught unaware: Goblin (2) and Orc."]


def caught_as_told(table: Exploration) -> list[tuple[str, list[str]]]:
    """Each note of who is caught, with the sides that alone hear it."""
    return [(note["text"], list(note.get("seen_by", ()))) for note in table.all("note") if "unaware" in note["text"]]


def test_in_fog_a_side_learns_only_of_those_in_its_sight_who_was_caught() -> None:
    both, sleeper = [hero(at=(4, 2)), watcher("z2", (8, 1))], watcher(at=(12, 4), asleep=True)
    table = Exploration(*both, sleeper, fog=True, throws=[7, 7, *[1] * 6])
    table.do("a", "sneak", path=WAY)
    table.do("a", "ambush")
    assert caught_as_told(table) == [
        ("Caught unaware: z2 and z.", ["monsters"]), ("Caught unaware: z.", ["heroes"]),
    ]  # fmt: skip
    table = Exploration(hero(), watcher(at=(12, 4)), watcher("z2", (16, 1), asleep=True), fog=True, throws=[1, 1, 5, 4])
    table.do("a", "shout")
    assert caught_as_told(table) == [
        ("Caught unaware: z2.", ["monsters"]), ("Nobody in sight is caught unaware.", ["heroes"]),
    ]  # fmt: skip


def test_in_fog_too_all_hear_alike_of_those_caught_whom_everybody_sees() -> None:
    table = Exploration(hero(at=(4, 2)), watcher(at=(12, 4)), fog=True, throws=[7, 7, *[1] * 6])
    table.do("a", "sneak", path=WAY)
    table.do("a", "ambush")
    assert caught_as_told(table) == [("Caught unaware: z.", [])]


def test_an_ambush_needs_somebody_in_sight() -> None:
    table = Exploration(hero(), watcher(at=(17, 1)), throws=[])
    assert "in sight" in table.refusal("a", "ambush")


def test_a_challenge_catches_nobody_awake() -> None:
    table = Exploration(hero(), watcher(at=(17, 1)), watcher("z2", (16, 1), asleep=True), throws=[1, 1, 5, 4])
    table.do("a", "shout")
    assert table.unaware == ["z2"]
    assert (table.of("a")["ap"], table.of("z")["ap"]) == (5, 4)


def test_who_notices_warns_those_near_by_and_in_sight_of_it() -> None:
    rows = ["#####################", "#..................##", "###################.#", "#..................##",
            "#####################"]  # fmt: skip
    table = Exploration(
        hero(at=(1, 1)), watcher(at=(9, 1)), watcher("z2", (10, 3)), watcher("z3", (17, 3)), rows=rows,
        throws=[7, 7, 1, 1],
    )  # fmt: skip
    assert table.now.phase == "explore"  # it arrived unnoticed
    table.do("a", "walk", path=[(2, 1)])
    assert table.unaware == ["z3"]


def test_undetected_through_the_exit_is_the_end_of_it() -> None:
    field = Field.from_rows(ROWS)
    field = msgspec.structs.replace(field, exits=1 << field.cell(5, 1) | 1 << field.cell(5, 2))
    table = Exploration(hero(at=(4, 1)), hero("a2", (4, 2)), watcher(at=(17, 1)), field=field, throws=[])
    assert "does not stand at an exit" in table.refusal("a", "leave")
    table.do("a", "walk", path=[(5, 1)])
    table.do("a2", "walk", path=[(5, 2)])
    events = table.do("a2", "leave")
    assert events[-1] == {"event": "over", "winner": "heroes", "because": "slipped past"}
    assert table.state["over"] == "heroes"
    assert table.rules.decisions(table.now) == ()


# -- those in hiding


def test_who_lies_in_hiding_is_seen_by_nobody_until_found() -> None:
    table = Exploration(hero(at=(1, 1)), watcher(at=(12, 1), hidden=True), throws=[5, 5])
    assert "z" not in [m.id for m in table.rules.board(table.rules.observe(table.now, "heroes")).miniatures]
    assert "z" in [m.id for m in table.rules.board(table.rules.observe(table.now, "monsters")).miniatures]


def test_where_somebody_lies_in_hiding_a_hero_may_go_as_if_nobody_were_there() -> None:
    offered = []
    for at in ((11, 1), (17, 1)):
        table = Exploration(hero(at=(8, 1)), watcher(at=at, hidden=True), throws=[5, 5])
        assert "in sight" in table.refusal("a", "ambush")
        offered.append(set(table.rules.legal(table.now, table.decision("a"))))
    there = table._action("a", "walk", {"path": [(9, 1), (10, 1), (11, 1)]})
    assert offered[0] == offered[1] and there in offered[0]


def test_a_hero_near_it_has_one_chance_to_find_it() -> None:
    table = Exploration(hero(at=(8, 1)), watcher(at=(15, 1), hidden=True), throws=[5, 5, 5, 5])
    events = table.do("a", "walk", path=[(9, 1), (10, 1)])
    assert table.last("check", events)["roll"]["total"] == 10
    assert "spots" in table.last("note", events)["text"]
    assert table.now.phase == "explore"


def test_missed_it_springs_when_a_hero_is_within_its_reach_and_catches_all_unaware() -> None:
    table = Exploration(hero(at=(8, 1)), hero("a2", (1, 1)), watcher(at=(15, 1), hidden=True), throws=[5, 5, 1, 1, 7])
    events = table.do("a", "walk", path=[(9, 1), (10, 1), (11, 1), (12, 1), (13, 1)])
    assert table.of("a")["at"] == [12, 1]
    assert "springs" in [e for e in events if e["event"] == "note"][0]["text"]
    assert table.unaware == ["a", "a2"]
    assert [table.of(name)["ap"] for name in ("a", "a2", "z")] == [1, 1, 7]


def test_a_search_may_find_whoever_hides_near_by() -> None:
    table = Exploration(hero(at=(10, 1)), watcher(at=(14, 1), hidden=True), throws=[5, 5, 1, 1, 5, 5])
    table.do("a", "walk", path=[(10, 2)])
    assert table.now.explore.spotted == 0
    table.do("a", "search")
    assert table.now.explore.spotted == 2


# -- care


def test_wounds_are_bound_once() -> None:
    skills = {"Healing": "Apprentice"}
    table = Exploration(hero(hp=8) | {"skills": skills}, watcher(at=(17, 1)), throws=[3, 3])
    table.do("a", "bind", target="a")
    assert table.of("a")["hp"] == 9
    assert "no wounds" in table.refusal("a", "bind", target="a")


def test_who_lies_in_the_water_drowns_reset_by_reset_within_the_minute() -> None:
    """11 HP, at −1: a 1, a 2, a 1, a 2, a 3 and a 1; the dead drown no more."""
    table = Exploration(
        hero(), hero("aa", (3, 2)), watcher(at=(15, 1)), field=field(water(), rows=ROWS), throws=[1, 2, 1, 2, 3, 1]
    )
    table.change("aa", cell=table.field.cell(4, 2), hp=-1, posture="swimming")
    told = table.do("a", "end")
    assert [e["hp"] for e in told if e["event"] == "injury"] == [-2, -4, -5, -7, -10, -11]
    assert table.of("aa")["status"] == "dead"


def test_a_minute_is_to_be_had_by_whoever_of_the_party_is_up_and_has_not_used_it() -> None:
    table = Exploration(hero(), hero("aa", (3, 2)), hero("ab", (3, 3), hp=-1), watcher(at=(15, 1)), throws=[])
    table.do("a", "end")
    left = {mini.id: mini.points.value for mini in table.rules.board(table.now).miniatures}
    assert left == {"a": 0, "aa": 1, "ab": 0, "z": 0}


# -- odds


def test_the_chance_of_a_way_is_that_of_its_dice() -> None:
    """Two watchers: each adds up its own misses over all totals of the one Sneak."""
    table = Exploration(hero(at=(4, 2)), watcher(at=(9, 4)), watcher("z2", (12, 4)), throws=[])
    sneak = dist.dice_sum(2, 8, True)
    unseen = 0.0
    for total, p in enumerate(sneak):
        unseen += p * (1 - dist.chance_at_least(2, 6, total)) * (1 - dist.chance_at_least(2, 6, total + 2))
    odds = table.odds("a", "sneak", path=[(5, 3), (4, 4)])
    assert odds.hit == pytest.approx(unseen)
    assert odds.along[-1] == (table.field.cell(4, 4), pytest.approx(1 - unseen))
    assert odds.along[0][1] == 0.0
    assert [share.id for share in odds.targets] == ["z", "z2"]
    assert [str(text) for text, _ in odds.notes] == ["z: 2d6!", "z2: 2d6!−2, far off"]


def test_where_nobody_could_notice_the_odds_say_so() -> None:
    table = Exploration(hero(at=(1, 1)), watcher(at=(12, 1)), throws=[])
    odds = table.odds("a", "sneak", path=[(2, 1)])
    assert (odds.hit, odds.targets) == (1.0, ())
    assert [text for text, _ in odds.notes] == ["nobody who is known of could notice"]


def test_odds_of_ways_agree_with_what_happens() -> None:
    table = Exploration(hero(at=(4, 2)), watcher(at=(9, 4)), watcher("z2", (12, 4)))
    action = table._action("a", "sneak", {"path": [(4, 3), (4, 4), (3, 4)]})
    expected = table.rules.odds(table.now, action).hit
    seen = 0
    for seed in range(600):
        state = table.rules.reseeded(table.now, seed)
        seen += table.rules.apply(state, table.decision("a"), action).state.phase != "explore"
    assert 1 - seen / 600 == pytest.approx(expected, abs=0.06)


def test_a_door_tells_beforehand_whom_it_would_show() -> None:
    table = Exploration(hero(at=(5, 2)), watcher(at=(14, 1)), throws=[])
    assert table.rules.odds(table.now, table._action("a", "open", {"target": "door 6,3"})) is None
    table.do("a", "walk", path=[(5, 3)])
    assert table.odds("a", "open", target="door 6,3").outcomes == (("unnoticed", 0.0), ("noticed", 1.0))


def test_noise_tells_beforehand_how_likely_it_is_heard() -> None:
    rows = ["############", "#...#......#", "#...#......#", "############"]
    field = Field.from_rows(rows, doors=[Door("oak", Cell(1 * 12 + 2), Cell(1 * 12 + 3), "locked", "", 9)])
    table = Exploration(hero(at=(2, 1)), watcher(at=(10, 2)), throws=[], field=field)
    chance = dist.chance_at_least(2, 6, 3 + 3)
    notes = [text for text, _ in table.odds("a", "force", target="oak", option="Burst").notes]
    assert f"{chance:.0%} noticed by the noise" in notes
    assert not [
        n for n in (t for t, _ in table.odds("a", "force", target="oak", option="Disable").notes) if "noise" in n
    ]


# -- rounds


def test_a_walker_goes_six_spaces_a_minute_from_point_to_point_and_back() -> None:
    table = Exploration(hero(), watcher(at=(9, 1), patrol=[[9, 1], [18, 1]]), throws=[])
    spots = []
    for _ in range(6):
        table.do("a", "end")
        spots.append(table.of("z")["at"])
    assert spots == [[15, 1], [18, 1], [12, 1], [9, 1], [15, 1], [18, 1]]


def test_who_comes_into_a_walkers_view_openly_is_noticed() -> None:
    table = Exploration(hero(), watcher(at=(14, 1), patrol=[[10, 4], [14, 1]]), throws=[])
    table.do("a", "walk", path=[(2, 2), (3, 3)])
    assert table.state["phase"] == "action"
    assert table.of("z")["at"] == [10, 4]


def test_a_walker_has_one_attempt_more_at_whoever_is_hidden_and_tells_beforehand() -> None:
    table = Exploration(hero(at=(4, 2)), watcher(at=(12, 4), patrol=[[10, 4], [12, 4]]), throws=[5, 5, 1, 1, 2, 2])
    notes = [text for text, _ in table.odds("a", "sneak", path=WAY).notes]
    assert any("when z walks on" in text for text in notes)
    events = table.do("a", "sneak", path=WAY)
    assert [e["roll"]["total"] for e in events if e["event"] == "check"] == [0, 2], "off its guard"
    assert table.now.phase == "explore"
    assert table.odds("a", "end").outcomes[0][0] == "unnoticed"


def test_its_way_is_seen_by_who_sees_it() -> None:
    table = Exploration(hero(at=(4, 2)), watcher(at=(12, 4), patrol=[[10, 4], [12, 4]]), throws=[])
    (plan,) = table.rules.board(table.now).plans
    assert plan.open and plan.path == (table.field.cell(11, 4), table.field.cell(10, 4))
    assert table.rules.board(table.rules.observe(table.now, "heroes")).plans == ()


def test_way_points_off_the_map_are_refused_in_one_line() -> None:
    with pytest.raises(RecordError, match=r"patrol\[1\]: \[40, 1\] is off the map"):
        Exploration(hero(), watcher(patrol=[[9, 1], [40, 1]]), throws=[])


def test_wounds_bound_bring_the_fallen_back_to_nought() -> None:
    healer = being("a", skills={"Healing": "Master"})
    table = Exploration(healer, hero("a2", (1, 2), hp=-3), watcher(at=(17, 1)), throws=[5, 5])
    table.do("a", "bind", target="a2")
    assert table.last("healing")["amount"] == 3


def test_whoever_hides_with_a_bow_springs_from_farther_than_with_a_blade() -> None:
    """By a way that ends three spaces from who lies in wait."""
    for weapons, springs in ((["broadsword"], False), (["shortbow"], True)):
        lurker = watcher(at=(14, 2), hidden=True, weapons=weapons, ready=weapons, ammunition=5)
        table = Exploration(hero(at=(8, 2)), lurker, throws=[1, 1, *[1] * 6])
        table.do("a", "walk", path=[(9, 2)])
        assert (table.now.phase != "explore") is springs, weapons


def test_who_was_reassured_is_shown_as_off_its_guard() -> None:
    table = Exploration(hero(at=(4, 2)), watcher(at=(12, 4)), throws=[])
    explore = table.now.explore
    for dulled, badge in ((0, "Unaware"), (2, "Reassured")):
        table.now = msgspec.structs.replace(table.now, explore=msgspec.structs.replace(explore, dulled=dulled))
        shown = table.rules.board(table.now)
        (it,) = (figure for figure in shown.miniatures if figure.id == "z")
        assert [str(each.label) for each in it.badges] == [badge]

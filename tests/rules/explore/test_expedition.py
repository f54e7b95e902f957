"""Expeditions under every ruleset: fights and exploration by turns, who takes part, noises, levels (crawl)."""

from __future__ import annotations

import pytest

from rules.cairn.gear import SLOTS
from rules.cairn.state import filled
from rules.contract.units import EMPTY
from rules.core import record as records
from rules.explore.course import around
from rules.explore.noise import MUFFLED, carried
from tests.rules.explore.expedition import ROOMS, RULESETS, Expedition, called_on, creature

EVERY = pytest.mark.parametrize("ruleset", RULESETS)
PLACE = [
    {"name": "top", "rows": ["#######", "#.....#", "#.....#", "#######"]},
    {"name": "cellar", "rows": ["#######", "#.....#", "#.....#", "#######"]},
]


def weak(ruleset: str, name: str, at: tuple[int, int], **more: object) -> dict[str, object]:
    """A goblin with one hit point."""
    return creature(ruleset, name, at, hp=1, **more)


@EVERY
def test_a_fight_opens_where_everybody_stands_and_exploration_goes_on_after_it(ruleset: str) -> None:
    table = Expedition(ruleset, [creature(ruleset, "h0", (9, 1)), creature(ruleset, "h1", (9, 3)),
                                 weak(ruleset, "gob", (16, 2), surprised=True)])  # fmt: skip
    assert table.began == ["exploration"]
    table.do("h0", "ambush")
    assert table.began == ["exploration", "fight"] and table.at("gob") == (16, 2)
    table.play()
    assert table.began == ["exploration", "fight", "truce", "exploration"]
    assert {each.by for each in table.rules.decisions(table.now)} <= {"h0", "h1"}


@EVERY
def test_who_knows_nothing_of_the_heroes_takes_no_part_and_stands_where_it_stood(ruleset: str) -> None:
    far = creature(ruleset, "far", (27, 2), duty="guard")
    table = Expedition(ruleset, [creature(ruleset, "h0", (9, 1)), creature(ruleset, "h1", (9, 3)),
                                 weak(ruleset, "gob", (15, 2), surprised=True), far])  # fmt: skip
    table.do("h0", "ambush")
    assert table.at("far") is None and table.at("gob") is not None
    table.play()
    assert table.at("far") == (27, 2)


@EVERY
def test_a_guard_stays_and_others_come_to_see_what_they_heard(ruleset: str) -> None:
    stayed = came = False
    for seed in range(1, 60):
        guard, other = creature(ruleset, "guard", (27, 1), duty="guard"), creature(ruleset, "gob", (27, 3))
        table = Expedition(ruleset, [creature(ruleset, "h0", (19, 2)), guard, other], seed=seed)
        table.do("h0", "shout")
        heard = {name for noise in table.told("noise") for name, _ in noise["heard"]}
        if table.exploring and "guard" in heard:
            table.wait()
            stayed = stayed or table.at("guard") == (27, 1)
        came = came or ("gob" in heard and table.at("gob") != (27, 3))
        if stayed and came:
            return
    raise AssertionError("nobody ever hears a shout")


@EVERY
def test_a_door_is_opened_by_who_comes(ruleset: str) -> None:
    for seed in range(1, 30):
        table = Expedition(ruleset, [creature(ruleset, "h0", (1, 2)), creature(ruleset, "gob", (10, 2))], seed=seed)
        table.do("h0", "shout")
        if table.exploring:
            table.wait(3)
        if any(door["by"] == "gob" for door in table.told("door")):
            return
    raise AssertionError("no door was opened")


@EVERY
def test_who_warns_runs_to_its_band_and_comes_back_with_it(ruleset: str) -> None:
    captain = creature(ruleset, "captain", (20, 2), duty="warn", warns="watch")
    watch = [creature(ruleset, f"gob{i}", (26, 1 + i), group="watch", asleep=True) for i in range(2)]
    table = Expedition(ruleset, [creature(ruleset, "h0", (8, 1)), creature(ruleset, "h1", (8, 3)), captain,
                                 weak(ruleset, "gob", (9, 2)), *watch])  # fmt: skip
    if table.exploring:
        table.do("h0", "shout")
    assert any("runs for help" in note["text"] for note in table.told("note"))
    watching = table.now.setup.index["gob0"]
    for _ in range(300):
        found = table.rules.decisions(table.now)
        if not found or table.now.explore.roused >> watching & 1:
            break
        if table.exploring:
            table.wait()
        else:
            table.think(next((d for d in found if not d.answered), found[-1]))
    assert table.now.explore.roused >> watching & 1


@EVERY
def test_who_runs_for_help_past_a_sleeper_opens_no_fight(ruleset: str) -> None:
    ran = 0
    for seed in range(1, 9):
        captain = creature(ruleset, "captain", (16, 2), duty="warn", warns="watch")
        sleeper = creature(ruleset, "sleeper", (14, 3), asleep=True)
        watch = creature(ruleset, "gob", (26, 1), group="watch", asleep=True)
        table = Expedition(ruleset, [creature(ruleset, "h0", (9, 1)), captain, sleeper, watch], seed=seed)
        if table.exploring:
            table.wait(1)
        begun = [event["what"] for event in table.told("began")]
        ran += any("runs for help" in note["text"] for note in table.told("note"))
        assert "truce" not in begun, "a fight in which nobody could fight"
    assert ran


@EVERY
def test_stairs_lead_to_another_level_and_back(ruleset: str) -> None:
    stairs = [[["top", 5, 2], ["cellar", 1, 1]]]
    table = Expedition(
        ruleset, [{**creature(ruleset, "h0", (5, 2)), "map": "top"}], place=PLACE, stairs=stairs
    )  # fmt: skip
    assert table.refusal("h0", "stairs", at=[0, 0]) is not None
    below = table.field.at(table.field.stairs[0].to)
    table.do("h0", "stairs", at=list(below))
    assert table.at("h0") == below and below[1] > 20
    table.wait()
    table.do("h0", "stairs", at=list(table.field.at(table.field.stairs[1].to)))
    assert table.at("h0") == (5, 2)


@EVERY
def test_nobody_takes_stairs_where_there_are_none(ruleset: str) -> None:
    table = Expedition(ruleset, [creature(ruleset, "h0", (1, 2))])
    assert "no stairs" in str(table.refusal("h0", "stairs", at=[2, 2]))


@EVERY
def test_a_band_in_reserve_comes_in_out_of_sight(ruleset: str) -> None:
    band = [creature(ruleset, f"gob{i}", (26, 1 + i), reserve="wanderers") for i in range(2)]
    table = Expedition(ruleset, [creature(ruleset, "h0", (1, 2)), *band])
    assert table.at("gob0") is None
    if ruleset == "cairn":
        from rules.cairn.explore.turns import TURNS as course
        from rules.cairn.state import Resolution
    elif ruleset == "olde":
        from rules.olde.explore.minutes import MINUTES as course  # type: ignore[assignment]
        from rules.olde.state import Resolution  # type: ignore[assignment]
    else:
        from rules.countup.explore.minutes import MINUTES as course  # type: ignore[assignment]
        from rules.countup.state import Resolution  # type: ignore[assignment]
    resolution = Resolution(table.now)
    assert course.arrive(resolution)
    table.now = resolution.done()
    assert table.at("gob0") == (26, 1) and table.at("gob1") in ((25, 1), (25, 2), (26, 2))


def test_in_fog_nobody_is_named_who_lurks_where_the_heroes_look() -> None:
    for seed in range(1, 40):
        table = Expedition("cairn", [creature("cairn", "h0", (1, 2)), creature("cairn", "gob", (5, 2), lurks=True)],
                           seed=seed, options={"fog": True})  # fmt: skip
        alarms = [note for note in table.told("note") if "alarmed" in note["text"]]
        if alarms:
            break
    assert [(note["text"], *note["seen_by"]) for note in alarms] == [
        ("Goblin is alarmed!", "monsters"),
        ("Somebody unseen is alarmed!", "heroes"),
    ]


@EVERY
def test_the_evening_ends_when_all_leave_by_an_exit(ruleset: str) -> None:
    table = Expedition(ruleset, [creature(ruleset, "h0", (1, 1)), creature(ruleset, "h1", (1, 2)),
                                 creature(ruleset, "gob", (27, 2), asleep=True)], exits=[[1, 1], [1, 2]])  # fmt: skip
    table.do("h0", "leave")
    assert table.told("over")[0]["winner"] == "heroes" and not table.rules.decisions(table.now)


@EVERY
def test_an_expedition_by_the_computer_replays_to_the_same_end(ruleset: str) -> None:
    foes = [creature(ruleset, f"gob{i}", (12 + 4 * i, 2)) for i in range(3)]
    heroes = [creature(ruleset, f"h{i}", (1 + i % 2, 1 + i // 2)) for i in range(3)]
    exits = [[1, 1], [1, 2], [1, 3], [2, 1], [2, 2]]
    for seed in range(1, 12):  # until the party wins a fight
        table = Expedition(ruleset, [*heroes, *foes], exits=exits, seed=seed, options={"fog": True})
        for _ in range(600):
            found = table.rules.decisions(table.now)
            if not found:
                break
            table.think(next((d for d in found if not d.answered), found[-1]))
        if "truce" in table.began:
            break
    assert "truce" in table.began
    *_, last = records.replay(table.record, table.rules, table.scenario)
    assert last.step.state == table.now or table.rules.summary(last.step.state) == table.rules.summary(table.now)


@EVERY
def test_no_one_is_left_when_the_party_has_fallen(ruleset: str) -> None:
    foes = [creature(ruleset, f"gob{i}", (3 + i, 1 + i % 3)) for i in range(4)]
    table = Expedition(ruleset, [creature(ruleset, "h0", (1, 2), hp=1), *foes])
    table.play(900)
    if table.rules.decisions(table.now):
        return  # it got away
    assert table.told("over")[0]["winner"] in ("monsters", "")


def test_a_closed_door_muffles_a_noise() -> None:
    table = Expedition("olde", [creature("olde", "h0", (1, 2))])
    field = table.field
    shut = carried(field.terrain(0), field.cell(6, 2), 20)
    opened = carried(field.terrain(1), field.cell(6, 2), 20)
    there = 1 << field.cell(8, 2)
    assert opened.distance(there) == 2
    assert shut.distance(there) == MUFFLED  # the door counts in place of its own space
    assert shut.distance(1 << field.cell(27, 2)) is None
    assert ROOMS[2][7] == "+"


@EVERY
def test_the_party_may_surrender_to_who_understands(ruleset: str) -> None:
    table = Expedition(ruleset, [creature(ruleset, "h0", (9, 1)), creature(ruleset, "gob", (16, 2), surprised=True)])
    table.do("h0", "ambush")
    while table.rules.decisions(table.now)[0].by != "h0":
        table.think(table.rules.decisions(table.now)[0])
    decision = table.decision("h0")
    offers = table.rules.legal(table.now, decision).offers()
    ends = [offer.do for offer in offers if offer.description.group == "End" and offer.actions]
    assert "surrender" not in ends, "nobody surrenders by going on"
    table.do("h0", "surrender")
    over = table.told("over")[0]
    assert (over["winner"], over["because"]) == ("monsters", "surrendered")
    assert not table.rules.decisions(table.now)


@EVERY
def test_a_lone_foe_called_on_gives_up_or_fights_on(ruleset: str) -> None:
    ends = set()
    for _, gave_up in called_on(ruleset):
        ends.add(gave_up)
        if len(ends) == 2:
            return
    assert True in ends


@EVERY
def test_strangers_can_be_talked_round_and_bribed_with_coins_that_one_has(ruleset: str) -> None:
    heroes = [creature(ruleset, "h0", (9, 1), carries="400 coins")]
    won = set()
    for seed in range(1, 40):
        table = Expedition(ruleset, [*heroes, creature(ruleset, "gob", (16, 2), surprised=True, duty="")], seed=seed)
        table.do("h0", "bribe", target="gob")
        won.add(table.exploring)
        if table.exploring:
            assert any("lets the party be" in note["text"] for note in table.told("note"))
            assert table.now.figures[0].purse < 400
            break
    assert True in won
    poor = Expedition(ruleset, [creature(ruleset, "h0", (9, 1)), creature(ruleset, "gob", (16, 2), surprised=True)])
    assert "has not the" in str(poor.refusal("h0", "bribe", target="gob"))


def test_exhaustion_fills_no_more_slots_than_there_are_under_cairn() -> None:
    table = Expedition("cairn", [creature("cairn", "h0", (1, 2)), creature("cairn", "gob", (27, 2), asleep=True)])
    for _ in range(150):
        if table.exploring:
            table.wait()
        else:
            table.play()
    hero = table.now.figures[0]
    assert hero.fatigue > 5 and filled(table.now.setup, hero) <= SLOTS


def test_cairn_throws_the_dungeons_die_for_a_reason_and_says_so() -> None:
    table = Expedition("cairn", [creature("cairn", "h0", (1, 2)), creature("cairn", "gob", (27, 2), asleep=True)])
    table.wait(3)
    stirred = [note["text"] for note in table.told("note") if "The dungeon stirs" in note["text"]]
    assert stirred and "more than a turn in one place" in stirred[0]


@EVERY
def test_every_button_of_an_expedition_has_a_key_of_its_own(ruleset: str) -> None:
    table = Expedition(ruleset, [creature(ruleset, "h0", (9, 1)), creature(ruleset, "gob", (16, 2), surprised=True)])
    for _ in range(2):
        decision = next(each for each in table.rules.decisions(table.now) if each.by == "h0")
        keys = [offer.description.key for offer in table.rules.legal(table.now, decision).offers()]
        used = [key for key in keys if key]
        assert sorted(used) == sorted(set(used))
        if table.exploring:
            table.do("h0", "ambush")
            while table.rules.decisions(table.now)[0].by != "h0":
                table.think(table.rules.decisions(table.now)[0])


@EVERY
def test_without_an_expedition_exploration_flows_into_one_fight(ruleset: str) -> None:
    table = Expedition(ruleset, [creature(ruleset, "h0", (9, 1)), creature(ruleset, "h1", (9, 3)),
                                 weak(ruleset, "gob", (16, 2), surprised=True),
                                 weak(ruleset, "far", (26, 2), surprised=True)],
                       options={"crawl": False, "explore": True})  # fmt: skip
    table.do("h0", "ambush")
    assert table.at("far") == (26, 2)  # everybody is in it
    for _ in range(900):
        found = table.rules.decisions(table.now)
        if not found:
            break
        table.think(next((each for each in found if not each.answered), found[-1]))
    assert table.began == ["exploration", "fight"]
    assert table.told("over")


@EVERY
def test_the_dead_run_for_no_help(ruleset: str) -> None:
    captain = creature(ruleset, "captain", (12, 2), duty="warn", warns="watch", surprised=True, hp=1)
    watch = creature(ruleset, "gob", (26, 1), group="watch", asleep=True)
    fell = 0
    for seed in range(1, 12):
        heroes = [creature(ruleset, f"h{n}", (11, 1 + n)) for n in range(3)]
        table = Expedition(ruleset, [*heroes, captain, watch], seed=seed)
        if table.exploring:
            table.do("h0", "ambush")
        table.play()
        lies = [mini.id for mini in table.rules.board(table.now).miniatures if mini.out]
        if not table.exploring or "captain" not in lies or table.rules.decisions(table.now)[0].by != "h0":
            continue
        fell, before = fell + 1, len(table.told("note"))
        table.do("h0", "shout")
        assert not any("runs for help" in note["text"] for note in table.told("note")[before:])
    assert fell


@EVERY
def test_to_surrender_is_what_ends_it_all(ruleset: str) -> None:
    table = Expedition(ruleset, [creature(ruleset, "h0", (9, 1)), creature(ruleset, "gob", (16, 2), surprised=True)])
    if table.exploring:
        table.do("h0", "ambush")
    offers = [offer for each in table.rules.decisions(table.now) if each.side == "heroes"
              for offer in table.rules.legal(table.now, each).offers()]  # fmt: skip
    assert {offer.do for offer in offers if offer.description.final} == {"surrender"}


def test_who_finds_the_foot_of_the_stairs_taken_stays_on_its_side_of_a_wall() -> None:
    rows = ["########", "#..#...#", "#..#...#", "#..#...#", "########"]
    table = Expedition("olde", [creature("olde", "h0", (1, 1))], rows)
    cell, taken = table.field.cell(2, 2), EMPTY
    for _ in range(6):
        there = around(table.now.terrain, cell, 1, taken)
        assert table.field.at(there)[0] < 3
        taken |= 1 << there
    assert table.field.at(around(table.now.terrain, cell, 1, taken))[0] > 3  # where there is no room else

"""Who takes part in a fight of an expedition, who comes because of a noise, and when it is quiet again."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from rules.board.fixtures import Door, DoorState
from rules.board.grid import Field
from rules.contract.events import NoiseKind
from rules.contract.units import NOWHERE
from rules.explore.course import PATIENCE
from rules.explore.crawl import CALM
from rules.explore.noise import Loudness
from rules.explore.state import Attitude, Ending
from tests.rules.explore.engine import COURSES, HALL, Engine
from tests.rules.explore.expedition import RULESETS, creature

EVERY = pytest.mark.parametrize("ruleset", RULESETS)
HEARS, DEAF = {"hears": True}, {"hears": False}


def hero(ruleset: str, at: tuple[int, int] = (1, 2), name: str = "h0") -> dict[str, object]:
    return creature(ruleset, name, at)


def sleeper(ruleset: str, name: str, at: tuple[int, int], **more: object) -> dict[str, object]:
    return creature(ruleset, name, at, asleep=True, **more)


# -- who takes part -------------------------------------------------------------------------------------------


@EVERY
def test_those_in_sight_fight_and_those_behind_doors_stand_where_they_stood(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "near", (6, 2)), sleeper(ruleset, "far", (20, 2))])
    engine.fight()
    assert engine.at("near") == (6, 2) and engine.parked("near") is None
    assert engine.at("far") is None and engine.parked("far") == (20, 2) and engine.goal("far") is None
    assert engine.now.fights == 1 and "fight" in [event["what"] for event in engine.told("began")]


@EVERY
def test_who_knows_of_the_heroes_and_is_not_at_hand_comes(ruleset: str) -> None:
    engine = Engine(ruleset, [
        hero(ruleset), sleeper(ruleset, "near", (6, 2)), sleeper(ruleset, "far", (20, 2)),
        sleeper(ruleset, "guard", (20, 3), duty="guard"),
    ])  # fmt: skip
    engine.course.rouse(engine.resolution, [engine.who("far"), engine.who("guard")])
    engine.fight()
    assert engine.parked("far") == (20, 2) and engine.goal("far") == (1, 2)
    assert engine.parked("guard") == (20, 3) and engine.goal("guard") is None, "who guards stays"


@EVERY
def test_who_knows_of_nobody_is_left_out_however_near_behind_the_wall(ruleset: str) -> None:
    for knows in (False, True):
        engine = Engine(ruleset, [hero(ruleset, (6, 1)), sleeper(ruleset, "near", (4, 1)),
                                  sleeper(ruleset, "gob", (8, 1))])  # fmt: skip
        engine.course.note(engine.resolution, roused=knows << engine.who("gob"))
        engine.course.park(engine.resolution, ambush=False)
        assert engine.at("gob") == ((8, 1) if knows else None)


@EVERY
def test_a_sleeper_beside_the_blows_sleeps_on_unless_they_fall_from_an_ambush(ruleset: str) -> None:
    for ambush in (False, True):
        engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (4, 2))])
        engine.course.park(engine.resolution, ambush=ambush)
        assert engine.roused("gob") is ambush


@EVERY
def test_heroes_are_not_roused(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (4, 2))])
    engine.course.rouse(engine.resolution, [engine.who("h0"), engine.who("gob")])
    assert engine.now.roused == 1 << engine.who("gob")


@EVERY
def test_who_keeps_peace_and_who_lies_in_wait_take_no_part(ruleset: str) -> None:
    engine = Engine(ruleset, [
        hero(ruleset), sleeper(ruleset, "foe", (5, 1)), sleeper(ruleset, "kind", (5, 2)),
        sleeper(ruleset, "lurker", (5, 3)),
    ])  # fmt: skip
    engine.mark("kind", attitude=Attitude.WARY)
    engine.mark("lurker", hides=12)
    engine.course.park(engine.resolution, ambush=True)
    assert engine.parked("foe") is None
    assert engine.parked("kind") == (5, 2) and engine.parked("lurker") == (5, 3)
    assert not engine.roused("kind") and not engine.roused("lurker")


@EVERY
def test_who_was_found_lying_in_wait_takes_part(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "lurker", (5, 3))])
    engine.mark("lurker", hides=12)
    engine.course.spot(engine.resolution, engine.who("h0"), engine.who("lurker"))
    assert "lying in wait" in engine.notes()
    engine.course.park(engine.resolution, ambush=True)
    assert engine.parked("lurker") is None


@EVERY
def test_a_blow_into_an_empty_room_opens_no_fight(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "far", (20, 2))])
    engine.fight()
    assert engine.course.exploring_now(engine.resolution) and not engine.now.fights


@EVERY
def test_who_comes_into_view_joins_and_knows_of_them_unless_it_sleeps(ruleset: str) -> None:
    rows = ["#" * 40, *["#" + "." * 38 + "#"] * 3, "#" * 40]
    for asleep in (False, True):
        engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "near", (6, 2)),
                                  creature(ruleset, "late", (20, 2), asleep=True)], rows)  # fmt: skip
        engine.fight()
        engine.mark("late", parked=engine.cell(20, 2))
        engine.resolution.change(engine.who("late"), cell=NOWHERE)
        engine.course.note(engine.resolution, roused=0)
        if not asleep:
            engine.course.wake(engine.resolution, engine.who("late"))
        engine.course.come_in(engine.resolution)
        assert engine.at("late") == (20, 2) and engine.parked("late") is None
        wakes = ruleset == "countup"  # there whoever takes part does
        assert engine.roused("late") is (wakes or not asleep)


@EVERY
def test_who_runs_for_help_has_until_the_turn_ends_to_get_out_of_sight(ruleset: str) -> None:
    runner = creature(ruleset, "runner", (20, 2), duty="warn", warns="watch", asleep=True)
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "near", (6, 2)), runner], HALL)
    engine.fight()
    engine.mark("runner", parked=engine.cell(20, 2), seeks=engine.cell(38, 2))
    engine.resolution.change(engine.who("runner"), cell=NOWHERE)
    engine.course.come_in(engine.resolution)
    assert engine.at("runner") is None
    engine.course.come_in(engine.resolution, late=True)
    assert engine.at("runner") == (20, 2)


@EVERY
def test_who_lies_in_wait_springs_at_the_end_of_a_turn_when_a_hero_is_near(ruleset: str) -> None:
    for column, joins in ((20, False), (2, True)):
        engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "near", (6, 2)),
                                  sleeper(ruleset, "lurker", (20, 3))], HALL)  # fmt: skip
        engine.put("lurker", column, 3)
        engine.mark("lurker", hides=12)
        engine.fight()
        assert engine.parked("lurker") == (column, 3)
        engine.course.come_in(engine.resolution)
        assert engine.at("lurker") is None, "in the middle of a turn it lies still"
        engine.course.come_in(engine.resolution, late=True)
        assert (engine.at("lurker") is not None) is joins


@EVERY
def test_who_comes_back_where_somebody_stands_takes_the_nearest_free_space(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "near", (6, 2)), sleeper(ruleset, "late", (20, 2))], HALL)
    engine.fight()
    engine.mark("late", parked=engine.cell(6, 2))
    engine.resolution.change(engine.who("late"), cell=NOWHERE)
    engine.course.come_in(engine.resolution)
    back = engine.at("late")
    assert back is not None and back != (6, 2) and max(abs(back[0] - 6), abs(back[1] - 2)) == 1


# -- while a fight goes on ------------------------------------------------------------------------------------


@EVERY
def test_a_fight_is_settled_when_no_foe_on_the_board_knows_of_the_heroes(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "near", (6, 2)), sleeper(ruleset, "far", (20, 2))])
    engine.fight()
    assert not engine.course.settled(engine.resolution)
    engine.mark("near", attitude=Attitude.WARY)
    assert engine.course.settled(engine.resolution), "who keeps peace is nobody to fight"
    engine.mark("near", attitude=Attitude.UNMET)
    engine.course.note(engine.resolution, roused=1 << engine.who("far"))
    assert engine.course.settled(engine.resolution), "who is off the board fights nobody"


@EVERY
def test_an_exploration_is_settled_only_when_no_hero_is_up(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "near", (6, 2))])
    assert not engine.course.settled(engine.resolution)
    engine.resolution.change(engine.who("h0"), cell=NOWHERE)
    assert engine.course.settled(engine.resolution)


@EVERY
def test_after_three_turns_in_which_nobody_sees_anybody_the_fight_is_over(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "near", (6, 2))], says=DEAF)
    engine.fight()
    engine.course.wake(engine.resolution, engine.who("near"))
    assert not engine.course.turn_passes(engine.resolution) and engine.now.calm == 0
    engine.put("near", 27, 2)
    assert [engine.course.turn_passes(engine.resolution) for _ in range(CALM)] == [False] * (CALM - 1) + [True]
    assert engine.now.calm == CALM
    engine.put("near", 6, 2)
    assert not engine.course.turn_passes(engine.resolution) and engine.now.calm == 0, "seen again, counted anew"


@EVERY
def test_a_hero_who_sees_a_foe_in_the_light_keeps_the_fight_going_though_unseen(ruleset: str) -> None:
    seen = {"in_view": lambda self, state, watcher, who, cell: _one_way(self, state, watcher)}
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "near", (6, 2))], says={**DEAF, **seen})
    engine.fight()
    assert not engine.course.turn_passes(engine.resolution) and engine.now.calm == 0


def _one_way(course: object, state: object, watcher: int) -> object:
    from rules.board.sight import Grade

    return Grade.CLEAR if course.is_hero(state, watcher) else Grade.NONE  # type: ignore[attr-defined]


@EVERY
def test_who_is_off_the_board_comes_nearer_by_a_turns_way_and_no_farther(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "near", (6, 2)), sleeper(ruleset, "far", (27, 2))],
                    says=DEAF)  # fmt: skip
    engine.fight()
    engine.mark("far", seeks=engine.cell(9, 2))
    engine.course.turn_passes(engine.resolution)
    pace = engine.course.pace
    assert engine.parked("far") == (27 - pace, 2) and engine.goal("far") == (9, 2)
    for _ in range(18 // pace + 1):
        engine.course.turn_passes(engine.resolution)
    assert engine.parked("far") == (9, 2) and engine.goal("far") is None, "there, it seeks no more"


@EVERY
def test_who_comes_into_view_on_its_way_joins_as_the_turn_ends(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "near", (6, 2)), sleeper(ruleset, "far", (12, 2))],
                    says=DEAF)  # fmt: skip
    engine.fight()
    engine.mark("far", seeks=engine.cell(2, 1))
    for _ in range(4):
        engine.course.turn_passes(engine.resolution)
    assert engine.at("far") is not None and engine.parked("far") is None


# -- noise ----------------------------------------------------------------------------------------------------


@EVERY
def test_whoever_hears_a_noise_knows_of_the_heroes_wakes_and_comes(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (12, 2))], says=HEARS)
    engine.course.make_noise(engine.resolution, NoiseKind.DOOR, engine.cell(6, 2), Loudness.FIGHT)
    assert engine.roused("gob") and engine.goal("gob") == (6, 2)
    assert not engine.course.asleep(engine.resolution, engine.who("gob"))
    heard = [(noise["heard"], noise["loudness"]) for noise in engine.told("noise")]
    assert [[name for name, _ in each] for each, _ in heard] == [["gob"]], "what the party sees it need not hear"
    assert heard[0][1] == Loudness.FIGHT


@EVERY
def test_nobody_comes_who_hears_nothing_or_is_out_of_earshot(ruleset: str) -> None:
    for says, loudness in ((DEAF, Loudness.ALARM), (HEARS, Loudness.QUIET)):
        engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (20, 2))], says=says)
        engine.course.make_noise(engine.resolution, NoiseKind.DOOR, engine.cell(6, 2), loudness)
        assert not engine.roused("gob") and engine.goal("gob") is None and not engine.told("noise")


@EVERY
def test_the_party_hears_what_it_does_not_see_and_no_side_learns_who_else_did(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset, (5, 2)), sleeper(ruleset, "gob", (12, 2))], says=HEARS)
    engine.course.make_noise(engine.resolution, NoiseKind.STEPS, engine.cell(10, 2), Loudness.FIGHT)
    names = [[name for name, _ in noise["heard"]] for noise in engine.told("noise")]
    assert sorted(names) == [["gob"], ["h0"]]


@EVERY
def test_its_maker_does_not_hear_its_own_noise(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (12, 2))], says=HEARS)
    gob = engine.who("gob")
    engine.course.make_noise(engine.resolution, NoiseKind.SHOUT, engine.cell(12, 2), Loudness.ALARM, gob)
    assert not engine.roused("gob")
    assert [noise["by"] for noise in engine.told("noise")] == ["gob"]


@EVERY
def test_who_is_on_its_way_already_or_lies_in_wait_is_not_called_elsewhere(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (12, 2)), sleeper(ruleset, "lurker", (12, 3))],
                    says=HEARS)  # fmt: skip
    engine.mark("gob", seeks=engine.cell(20, 2))
    engine.mark("lurker", hides=9)
    engine.course.make_noise(engine.resolution, NoiseKind.DOOR, engine.cell(10, 2), Loudness.FIGHT)
    assert engine.goal("gob") == (20, 2) and engine.goal("lurker") is None
    assert not engine.roused("gob") and not engine.roused("lurker")


@EVERY
def test_a_guard_that_hears_knows_and_stays(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "guard", (12, 2), duty="guard")], says=HEARS)
    engine.course.make_noise(engine.resolution, NoiseKind.DOOR, engine.cell(6, 2), Loudness.FIGHT)
    assert engine.roused("guard") and engine.goal("guard") is None


@EVERY
def test_one_off_the_board_hears_from_where_it_is(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "near", (6, 2)), sleeper(ruleset, "far", (12, 2))],
                    says=HEARS)  # fmt: skip
    engine.fight()
    assert engine.at("far") is None
    engine.course.make_noise(engine.resolution, NoiseKind.FIGHTING, engine.cell(3, 2), Loudness.FIGHT)
    assert engine.roused("far") and engine.goal("far") == (3, 2)


@EVERY
def test_the_chance_to_be_overheard_counts_each_who_may_hear(ruleset: str) -> None:
    half = {"hearing": 0.5}
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "a", (6, 2)), sleeper(ruleset, "b", (6, 1)),
                              sleeper(ruleset, "far", (27, 2))], says=half)  # fmt: skip
    state, who = engine.resolution.done(), engine.who("h0")
    assert engine.course.overheard(state, who) == 0.75, "two within earshot, each by half"


@EVERY
def test_a_call_to_arms_is_heard_as_far_as_it_carries(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "near", (6, 2)), sleeper(ruleset, "far", (12, 2))],
                    says=HEARS)  # fmt: skip
    engine.course.danger(engine.resolution, loud=True)
    assert [noise["what"] for noise in engine.told("noise")][:1] == ["shout"]
    assert engine.roused("far") and engine.goal("far") == (1, 2)


@EVERY
def test_an_alarm_is_raised_where_its_watcher_stands(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), creature(ruleset, "gob", (27, 2), asleep=True),
                              sleeper(ruleset, "other", (20, 2))], says=HEARS)  # fmt: skip
    engine.resolution.events.clear()
    engine.course.warned(engine.resolution, engine.resolution.done(), [engine.who("gob")], [], everybody=True)
    shouts = [noise for noise in engine.told("noise") if noise["what"] == "shout"]
    assert [(tuple(noise["at"]), noise["by"]) for noise in shouts] == [((27, 2), "gob")]
    assert engine.roused("other")
    engine.resolution.events.clear()
    engine.course.warned(engine.resolution, engine.resolution.done(), [], [], everybody=True)
    assert not engine.told("noise"), "nobody, no cry"


# -- who comes to look ----------------------------------------------------------------------------------------


class Heard:
    """Somebody was noticed by ear, from so far off."""

    step = 0

    def __init__(self, watcher: int) -> None:
        self.watcher = watcher


@EVERY
def test_who_only_hears_something_wakes_and_comes_to_the_nearest_hero(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset, (1, 2)), hero(ruleset, (4, 2), "h1"), sleeper(ruleset, "gob", (15, 2))])
    engine.course.danger(engine.resolution, [Heard(engine.who("gob"))])
    assert engine.course.exploring_now(engine.resolution), "no fight yet"
    assert not engine.course.asleep(engine.resolution, engine.who("gob"))
    assert engine.goal("gob") == (4, 2)


@EVERY
def test_who_hears_somebody_close_by_has_found_it(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset, (6, 2)), sleeper(ruleset, "gob", (20, 2))],
                    says={"reaction": Attitude.HOSTILE})  # fmt: skip
    engine.put("gob", 8, 2)
    engine.course.danger(engine.resolution, [Heard(engine.who("gob"))])
    assert not engine.course.exploring_now(engine.resolution) and engine.now.fights == 1


@EVERY
def test_a_watcher_goes_to_what_it_seeks_and_then_back_to_its_post(ruleset: str) -> None:
    engine = Engine(
        ruleset, [hero(ruleset), creature(ruleset, "gob", (27, 2), asleep=True)], says=DEAF | {"tries": False}
    )
    engine.course.wake(engine.resolution, engine.who("gob"))
    engine.mark("gob", seeks=engine.cell(24, 1))
    engine.course.walk_rounds(engine.resolution)
    assert engine.at("gob") == (24, 1) and engine.goal("gob") is None
    engine.course.walk_rounds(engine.resolution)
    assert engine.at("gob") == (27, 2), "where it stood at first"
    before = len(engine.told("moved"))
    engine.course.walk_rounds(engine.resolution)
    assert len(engine.told("moved")) == before


@EVERY
def test_the_first_space_of_the_map_can_be_sought_too(ruleset: str) -> None:
    rows = ["......", "......"]
    engine = Engine(ruleset, [hero(ruleset, (5, 1)), creature(ruleset, "gob", (3, 0), asleep=True)], rows,
                    says={"tries": False, "walks": True, "heed": None, "hears": False})  # fmt: skip
    engine.course.wake(engine.resolution, engine.who("gob"))
    engine.mark("gob", seeks=engine.cell(0, 0))
    engine.course.walk_rounds(engine.resolution)
    assert engine.at("gob") == (0, 0)


@EVERY
def test_a_watcher_opens_the_doors_on_its_way_and_none_that_are_locked(ruleset: str) -> None:
    rows = ["########", "#...+..#", "########"]
    for locked in (False, True):
        engine = Engine(ruleset, [hero(ruleset, (6, 1)), sleeper(ruleset, "gob", (1, 1))], rows,
                        says={"tries": False, "heed": None, "hears": False})  # fmt: skip
        engine.resolution.doors = ("locked" if locked else "closed",)
        engine.course.wake(engine.resolution, engine.who("gob"))
        engine.mark("gob", seeks=engine.cell(5, 1))
        engine.course.walk_rounds(engine.resolution)
        opened = [door for door in engine.told("door") if door["by"] == "gob"]
        assert bool(opened) is not locked
        assert engine.at("gob") == ((1, 1) if locked else (5, 1))


@EVERY
def test_a_thin_door_is_on_the_way_of_who_goes_through_it_from_either_side(ruleset: str) -> None:
    plain = Field.from_rows(["########", "#......#", "########"])
    gate = Door("gate", plain.cell(3, 1), plain.cell(4, 1))
    field = Field(plain.width, plain.height, plain.ground, opaque=plain.opaque, doors=(gate,))

    def on(*columns: int, stands: DoorState = DoorState.CLOSED) -> list[int]:
        opened = int(stands == DoorState.OPEN)
        at = SimpleNamespace(setup=SimpleNamespace(field=field), terrain=field.terrain(opened), doors=(stands,))
        return COURSES[ruleset][0]._doors_on(at, [field.cell(column, 1) for column in columns])

    assert on(2, 3, 4) == on(5, 4, 3) == [0]
    assert on(1, 2, 3) == on(6, 5, 4) == []
    assert on(3, 4, stands=DoorState.LOCKED) == on(3, 4, stands=DoorState.OPEN) == []


# -- who comes by ---------------------------------------------------------------------------------------------


@EVERY
def test_who_is_in_reserve_is_not_there_until_its_band_comes(ruleset: str) -> None:
    band = [creature(ruleset, f"gob{i}", (26, 1 + i), reserve="band") for i in range(2)]
    other = creature(ruleset, "gob9", (25, 2), reserve="others")
    engine = Engine(ruleset, [hero(ruleset), *band, other])
    assert [engine.at(name) for name in ("gob0", "gob1", "gob9")] == [None] * 3
    assert engine.course.arrive(engine.resolution)
    assert engine.at("gob0") == (26, 1) and engine.at("gob1") is not None and engine.at("gob9") is None
    assert engine.goal("gob0") == (1, 2), "it comes to where it hears them"
    assert engine.course.arrive(engine.resolution) and engine.at("gob9") is not None
    assert not engine.course.arrive(engine.resolution), "nobody is left"


@EVERY
def test_a_band_does_not_come_in_within_sight(ruleset: str) -> None:
    band = [creature(ruleset, "gob0", (20, 2), reserve="band")]
    engine = Engine(ruleset, [hero(ruleset), *band], HALL)
    assert not engine.course.arrive(engine.resolution) and engine.at("gob0") is None


@EVERY
def test_a_band_in_sight_of_the_heroes_comes_in_by_an_exit_instead(ruleset: str) -> None:
    band = [creature(ruleset, "gob0", (3, 2), reserve="band")]
    engine = Engine(ruleset, [hero(ruleset), *band], exits=[[28, 2]])
    assert engine.course.arrive(engine.resolution) and engine.at("gob0") == (28, 2)


@EVERY
def test_the_nearest_foe_out_of_sight_is_found_and_draws_near(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "seen", (6, 2)), sleeper(ruleset, "far", (27, 2)),
                              sleeper(ruleset, "near", (12, 2))])  # fmt: skip
    assert engine.course.nearest_foe(engine.resolution) == (engine.who("near"), 11)
    engine.course.draw_near(engine.resolution)
    assert engine.goal("near") is None, "it sleeps"
    engine.course.wake(engine.resolution, engine.who("near"))
    engine.course.draw_near(engine.resolution)
    assert engine.goal("near") == (1, 2) and engine.goal("far") is None


@EVERY
def test_wanderers_come_by_the_die_every_tenth_turn(ruleset: str) -> None:
    for face, minute, comes in ((1, 10, True), (2, 10, False), (1, 11, False), (1, 20, True)):
        band = [creature(ruleset, "gob0", (26, 1), reserve="band")]
        engine = Engine(ruleset, [hero(ruleset), *band], says={"die": face})
        engine.course.note(engine.resolution, minute=minute)
        engine.course.wandering(engine.resolution)
        assert (engine.at("gob0") is not None) is comes, (face, minute)


# -- quiet again ----------------------------------------------------------------------------------------------


@EVERY
def test_a_truce_brings_everybody_back_and_a_turn_has_passed(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "near", (6, 2)), sleeper(ruleset, "far", (20, 2))])
    engine.fight()
    engine.course.note(engine.resolution, caught=7, calm=2, dulled=3, done=1)
    minute = engine.now.minute
    assert engine.course.truce(engine.resolution)
    now = engine.now
    assert engine.at("far") == (20, 2) and engine.course.exploring_now(engine.resolution)
    assert now.minute == minute + 1 and (now.caught, now.calm, now.dulled, now.done) == (0, 0, 0, 0)
    began = [(event["what"], event.get("number")) for event in engine.told("began")][-2:]
    assert began == [("truce", 1), ("exploration", minute + 1)]


@EVERY
def test_after_a_truce_those_who_know_of_the_heroes_hunt_them_and_runners_run_on(ruleset: str) -> None:
    runner = sleeper(ruleset, "runner", (27, 2), duty="warn", warns="watch")
    idler = sleeper(ruleset, "idler", (27, 1), duty="warn", warns="watch")
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "near", (6, 2)), sleeper(ruleset, "far", (20, 2)),
                              sleeper(ruleset, "kind", (21, 2)), runner, idler])  # fmt: skip
    engine.fight()
    for name in ("far", "runner", "idler", "kind"):
        engine.course.wake(engine.resolution, engine.who(name))
        engine.course.rouse(engine.resolution, [engine.who(name)])
        engine.mark(name, seeks=NOWHERE)
    engine.mark("runner", seeks=engine.cell(28, 3))
    engine.mark("kind", attitude=Attitude.KIND)
    assert engine.course.truce(engine.resolution)
    assert engine.goal("far") == (1, 2) and engine.goal("idler") == (1, 2)
    assert engine.goal("runner") == (28, 3) and engine.goal("kind") is None


@EVERY
def test_after_a_truce_who_knows_of_nobody_stays(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "near", (6, 2)), sleeper(ruleset, "far", (20, 2))])
    engine.fight()
    engine.course.wake(engine.resolution, engine.who("far"))
    engine.mark("far", seeks=NOWHERE)
    engine.course.note(engine.resolution, roused=0)
    assert engine.course.truce(engine.resolution) and engine.goal("far") is None


@EVERY
def test_the_first_space_of_a_map_is_a_goal_of_runners_too(ruleset: str) -> None:
    runner = creature(ruleset, "runner", (3, 0), duty="warn", warns="watch", asleep=True)
    engine = Engine(ruleset, [hero(ruleset, (5, 1)), sleeper(ruleset, "near", (4, 1)), runner], ["......", "......"])
    engine.fight()
    engine.course.wake(engine.resolution, engine.who("runner"))
    engine.course.rouse(engine.resolution, [engine.who("runner")])
    engine.mark("runner", seeks=engine.cell(0, 0))
    engine.course.truce(engine.resolution)
    assert engine.goal("runner") == (0, 0)


@EVERY
def test_who_lay_in_wait_and_knows_of_the_heroes_hides_no_longer(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "near", (6, 2)), sleeper(ruleset, "lurker", (5, 3)),
                              sleeper(ruleset, "other", (12, 3))])  # fmt: skip
    engine.mark("lurker", hides=9)
    engine.mark("other", hides=8)
    engine.fight()
    engine.course.rouse(engine.resolution, [engine.who("lurker")])
    engine.course.truce(engine.resolution)
    assert engine.row("lurker", "hides") == 0 and engine.row("other", "hides") == 8


@EVERY
def test_there_is_no_truce_where_no_hero_is_left(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "near", (6, 2))], says={"up": False})
    assert not engine.course.truce(engine.resolution)


@EVERY
def test_a_party_that_nobody_helps_for_long_is_stranded(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (27, 2))], says={"able": False, "hears": False})
    assert not engine.course.exploring(engine.resolution)
    assert [over["because"] for over in engine.told("over")] == [Ending.STRANDED]
    assert engine.now.idle == PATIENCE


@EVERY
def test_what_a_hero_has_begun_counts_as_doing_something(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (27, 2))], says={"able": False, "hears": False})
    engine.course.note(engine.resolution, idle=PATIENCE - 2)
    engine.mark("h0", busy=2)
    assert not engine.course.exploring(engine.resolution)
    assert engine.row("h0", "busy") == 0 and engine.now.minute == PATIENCE + 1, "counted anew after what was begun"

"""What heroes do in a turn of exploration under any rules, and how far a noise carries."""

from __future__ import annotations

from typing import Any

import pytest

from rules.board.bitboard import board_of
from rules.board.fixtures import Door
from rules.board.grid import Field
from rules.contract.events import NoiseKind
from rules.contract.units import EMPTY, NOWHERE, Cell
from rules.explore import kinds
from rules.explore.course import around, explored
from rules.explore.noise import MUFFLED, Loudness, carried
from rules.explore.state import OPENLY, Attitude
from tests.rules.explore.engine import HALL, Engine
from tests.rules.explore.expedition import ROOMS, RULESETS, Expedition, creature
from tests.rules.explore.test_crawl import hero, sleeper

EVERY = pytest.mark.parametrize("ruleset", RULESETS)
STRIDING = pytest.mark.parametrize("ruleset", ["cairn", "countup"])
"""Those whose ways are the shared ones; Olde has its own (tests/rules/olde)."""


def table_of(table: Expedition, by: str = "h0") -> Any:
    """A hero's legal actions by their table."""
    legal: Any = table.rules.legal(table.now, table.decision(by))
    while not hasattr(legal, "kinds"):
        legal = legal.inner
    return legal


# -- foes in sight, leaving -----------------------------------------------------------------------------------


@EVERY
def test_nobody_is_ambushed_who_is_not_in_sight(ruleset: str) -> None:
    table = Expedition(ruleset, [hero(ruleset), sleeper(ruleset, "far", (12, 2))])
    assert str(table.refusal("h0", "ambush")).endswith("no adversary is in sight")
    seen = Expedition(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (6, 2))])
    assert seen.refusal("h0", "ambush") is None


@EVERY
def test_an_adversary_in_the_first_space_of_the_map_is_seen_too_and_one_off_it_is_not(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset, (5, 1)), sleeper(ruleset, "gob", (0, 0))], ["......", "......"])
    assert kinds.foes_in_sight(engine.course, engine.resolution.done())
    engine.resolution.change(engine.who("gob"), cell=NOWHERE)
    assert not kinds.foes_in_sight(engine.course, engine.resolution.done())


@EVERY
def test_all_who_can_go_stand_at_an_exit_before_they_slip_away(ruleset: str) -> None:
    heroes = [hero(ruleset, (1, 1)), hero(ruleset, (3, 1), "h1")]
    table = Expedition(ruleset, [*heroes, sleeper(ruleset, "gob", (27, 2))], exits=[[1, 1]])
    assert "does not stand at an exit" in str(table.refusal("h0", "leave"))
    nowhere = Expedition(ruleset, [hero(ruleset)])
    assert nowhere.refusal("h0", "leave") is not None


@EVERY
def test_a_challenge_that_nobody_hears_takes_the_turn(ruleset: str) -> None:
    table = Expedition(ruleset, [hero(ruleset)])
    minute = table.now.explore.minute
    table.do("h0", "shout")
    if ruleset == "cairn":  # a turn has a move and an action there
        table.do("h0", "end") if table.now.explore.minute == minute else None
    assert table.exploring and table.now.explore.minute == minute + 1


# -- ways -----------------------------------------------------------------------------------------------------


@STRIDING
def test_a_way_is_refused_by_its_fault(ruleset: str) -> None:
    table = Expedition(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (27, 2))])
    way = next(word for word, kind in table_of(table).kinds.items() if isinstance(kind, kinds.Going))
    limit = table_of(table).kinds[way].limit
    assert "name the spaces" in str(table.refusal("h0", way))
    assert table.refusal("h0", way, path=[[5, 2]]) is not None, "not adjacent"
    there = [[1 + i % 2, 2] for i in range(1, limit + 2)]
    assert f"{limit} spaces at most" in str(table.refusal("h0", way, path=there))
    assert table.refusal("h0", way, path=there[:limit]) is None
    crowded = Expedition(ruleset, [hero(ruleset), hero(ruleset, (2, 2), "h1"), sleeper(ruleset, "gob", (27, 2))])
    assert "is taken" in str(crowded.refusal("h0", way, path=[[2, 2]]))


@STRIDING
def test_the_odds_of_a_way_that_begins_elsewhere_are_told_as_far_as_it_goes(ruleset: str) -> None:
    table = Expedition(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (27, 2))])
    legal = table_of(table)
    word = next(word for word, kind in legal.kinds.items() if isinstance(kind, kinds.Going))
    kind = legal.kinds[word]
    elsewhere = table.action("h0", word, path=[[4, 2], [5, 2]])
    assert kind.refusal(legal.context, elsewhere) is not None
    assert kind.ahead(legal.context, elsewhere) is not None
    too_long = table.action("h0", word, path=[[3 + i % 2, 2] for i in range(kind.limit + 1)])
    assert kind.ahead(legal.context, too_long) is None


@EVERY
def test_stairs_take_who_stands_on_them_to_the_nearest_free_space_beyond(ruleset: str) -> None:
    place = [{"name": name, "rows": ["#######", "#.....#", "#.....#", "#######"]} for name in ("top", "cellar")]
    heroes = [{**creature(ruleset, "h0", (5, 2)), "map": "top"}, {**creature(ruleset, "h1", (1, 1)), "map": "cellar"}]
    table = Expedition(ruleset, heroes, place=place, stairs=[[["top", 5, 2], ["cellar", 1, 1]]])
    below = table.field.at(table.field.stairs[0].to)
    assert table.at("h1") == below
    assert str(table.refusal("h0", "stairs", at=[below[0] + 1, below[1]])).endswith("no stairs lead there from here")
    table.do("h0", "stairs", at=list(below))
    there = table.at("h0")
    assert there is not None and there != below and max(abs(there[0] - below[0]), abs(there[1] - below[1])) == 1


# -- ears -----------------------------------------------------------------------------------------------------


def listening(engine: Engine) -> list[tuple[str, tuple[int, int]]]:
    """What the first hero hears, and where."""
    deed = type("Told", (kinds.Listen,), {})(engine.course)
    deed.resolve(engine.resolution, engine.who("h0"), engine.table.action("h0", "listen"))
    return [(noise["what"], tuple(noise["at"])) for noise in engine.told("noise")]


@EVERY
def test_who_listens_hears_steps_of_the_waking_and_breath_of_sleepers_near_by(ruleset: str) -> None:
    places = (("awake", (10, 2)), ("far", (27, 2)), ("asleep", (5, 3)), ("deep", (9, 1)))
    engine = Engine(ruleset, [hero(ruleset, (5, 2)), *(sleeper(ruleset, name, at) for name, at in places)],
                    says={"hears": True, "seen": lambda self, at, who: False})  # fmt: skip
    engine.course.wake(engine.resolution, engine.who("awake"))
    heard = listening(engine)
    assert ("steps", (10, 2)) in heard and ("beast", (5, 3)) in heard
    assert not [at for _, at in heard if at in ((27, 2), (9, 1))], "too far off, a sleeper behind a door too"
    assert "hears nothing" not in engine.notes()


@EVERY
def test_who_is_in_sight_need_not_be_listened_for(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset, (5, 2)), sleeper(ruleset, "gob", (1, 2))], says={"hears": True})
    assert listening(engine) == [] and "hears nothing" in engine.notes()
    deaf = Engine(ruleset, [hero(ruleset, (5, 2)), sleeper(ruleset, "gob", (8, 2))], says={"hears": False})
    assert listening(deaf) == [] and "hears nothing" in deaf.notes()


@EVERY
def test_the_chance_to_hear_is_told_by_an_example(ruleset: str) -> None:
    table = Expedition(ruleset, [hero(ruleset)])
    legal = table_of(table)
    kind = legal.kinds["listen"]
    odds = kind.odds(legal.context, table.action("h0", "listen"))
    chance = kind.course.hearing(table.now, table.now.setup.index["h0"], 5)
    assert odds.hit == chance and [share for _, share in odds.outcomes] == [chance, 1.0 - chance]


# -- noticing -------------------------------------------------------------------------------------------------


@EVERY
def test_in_the_dark_nobody_is_in_view_but_at_arms_length_in_light_or_with_a_light(ruleset: str) -> None:
    engine = _dark(ruleset)
    state, gob, who = engine.resolution.done(), engine.who("gob"), engine.who("h0")

    def seen(column: int, **says: Any) -> bool:
        course = type("Told", (type(engine.course),), {k: (lambda self, *a, v=v: v) for k, v in says.items()})()
        return bool(course.in_view(state, gob, who, engine.cell(column, 2)))

    assert not seen(10) and seen(19), "an arm's length"
    assert not seen(10, lamps=((engine.cell(7, 2), 1, 1),)), "beside somebody's light"
    assert seen(10, sees_in_dark=True) and seen(10, bears_light=True)
    assert seen(10, lamps=((engine.cell(9, 2), 1, 1),)), "in somebody's light"


def _dark(ruleset: str) -> Engine:
    says = {"sees_in_dark": False, "bears_light": False, "lamps": ()}
    return Engine(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (20, 2))], HALL, ambient="dark",
                  options={"darkness": True}, says=says)  # fmt: skip


@EVERY
def test_a_search_finds_those_in_hiding_who_are_there_and_in_view(ruleset: str) -> None:
    lurkers = [sleeper(ruleset, name, at) for name, at in (("in", (6, 1)), ("beyond", (6, 3)), ("behind", (10, 2)))]
    engine = Engine(ruleset, [hero(ruleset), *lurkers])
    for name in ("in", "beyond", "behind"):
        engine.mark(name, hides=9)
    around_it = 1 << engine.cell(6, 1) | 1 << engine.cell(10, 2)
    assert engine.course.uncover(engine.resolution, engine.who("h0"), around_it) == 1
    assert engine.now.spotted == 1 << engine.who("in")
    assert engine.course.uncover(engine.resolution, engine.who("h0"), around_it) == 0, "found already"


@EVERY
def test_who_goes_openly_is_hidden_no_longer_and_who_sneaks_throws_anew(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (27, 2))])
    course, who, way = engine.course, engine.who("h0"), (engine.cell(2, 2),)
    course.go(engine.resolution, who, way, course.sneaking)
    assert engine.row("h0", "guise") != OPENLY
    assert course.guise_of(engine.resolution, who) is course.hidden
    course.go(engine.resolution, who, way, course.hidden)
    assert engine.row("h0", "guise") != OPENLY
    course.go(engine.resolution, who, way, course.openly)
    assert engine.row("h0", "guise") == OPENLY and course.guise_of(engine.resolution, who) is course.still


@EVERY
def test_a_way_ends_where_somebody_springs(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (30, 2))], HALL,
                    says={"finds": False, "able": True, "pounce": 2, "senses": ()})  # fmt: skip
    engine.mark("gob", hides=9)
    way = tuple(engine.cell(column, 2) for column in range(25, 30))
    gone, noticed, sprung = engine.course.go(engine.resolution, engine.who("h0"), way, engine.course.openly)
    assert (gone, noticed, sprung) == (4, [], [engine.who("gob")]), "two spaces off it strikes"
    assert engine.row("h0", "looked") == 1 << engine.who("gob") and not engine.now.spotted


@STRIDING
@pytest.mark.parametrize(("noticed", "sprung"), [(["somebody"], []), ([], ["somebody"]), ([], [])])
def test_it_is_dangerous_where_somebody_notices_on_the_way_or_springs(
    ruleset: str, noticed: list[Any], sprung: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Any] = []
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (27, 2))], HALL,
                    says={"go": (1, noticed, sprung), "danger": lambda self, at, *why: told.append(why)})  # fmt: skip
    kind = next(each for each in table_of(engine.table).kinds.values() if isinstance(each, kinds.Going))
    monkeypatch.setattr(kind, "course", engine.course)
    way = engine.table.action("h0", kind.do, path=[[2, 2], [3, 2]])
    kind.resolve(engine.resolution, engine.who("h0"), way)
    assert told == ([(noticed, sprung)] if noticed or sprung else [])
    assert engine.at("h0") == (2, 2), "as far as it got"


@EVERY
def test_a_hero_near_somebody_in_hiding_has_one_chance_to_find_it(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (30, 2))], HALL,
                    says={"finds": True, "able": False, "senses": ()})  # fmt: skip
    engine.mark("gob", hides=9)
    engine.course.go(engine.resolution, engine.who("h0"), (engine.cell(23, 2),), engine.course.openly)
    assert not engine.now.spotted, "seven spaces off"
    engine.course.go(engine.resolution, engine.who("h0"), (engine.cell(24, 2),), engine.course.openly)
    assert engine.now.spotted == 1 << engine.who("gob")


# -- turns ----------------------------------------------------------------------------------------------------


@EVERY
def test_what_takes_three_turns_takes_up_two_more(ruleset: str) -> None:
    if ruleset == "cairn":
        pytest.skip("dungeon turns have no longer deeds")
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (27, 2))], says={"hears": False})
    who = engine.who("h0")
    engine.course.spend(engine.resolution, who, 3)
    assert engine.row("h0", "busy") == 2 and engine.now.done == 1 << who
    minute = engine.now.minute
    assert engine.course.exploring(engine.resolution) and engine.now.minute == minute + 3
    engine.course.spend(engine.resolution, who, 0)
    assert not engine.now.done


@EVERY
def test_those_called_up_later_have_rows_of_their_own(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (27, 2))])
    rows = (
        "busy", "hides", "post", "seeks", "parked", "attitude", "guise", "tried", "looked", "leg", "burning", "spares",
    )  # fmt: skip
    short = {row: getattr(engine.now, row)[:1] for row in rows}
    engine.course.note(engine.resolution, **short)
    engine.course.grow(engine.resolution)
    assert {len(getattr(engine.now, row)) for row in short} == {2}
    assert engine.row("gob", "attitude") == Attitude.UNMET


def test_the_nearest_free_space_is_looked_for_ring_by_ring() -> None:
    field = Field.from_rows(["#####", "#...#", "#...#", "#...#", "#####"])
    terrain, middle = field.terrain(0), field.cell(2, 2)
    assert around(terrain, middle, 1, EMPTY) == middle
    assert around(terrain, middle, 1, board_of([middle])) == field.cell(1, 1)
    everything = board_of(field.cells)
    assert around(terrain, middle, 1, everything) == NOWHERE
    assert around(terrain, field.cell(3, 3), 2, EMPTY) == field.cell(2, 2), "two spaces wide"


# -- noise ----------------------------------------------------------------------------------------------------


def test_a_noise_carries_around_corners_and_as_far_as_it_is_loud() -> None:
    field = Field.from_rows(["#######", "#.....#", "#.###.#", "#.#.#.#", "#######"])
    heard = carried(field.terrain(0), field.cell(1, 3), 8)
    assert heard.distance(1 << field.cell(1, 3)) == 0
    assert heard.distance(1 << field.cell(5, 3)) == 8, "by the way around"
    assert heard.distance(1 << field.cell(3, 3)) is None, "walled in"
    quiet = carried(field.terrain(0), field.cell(1, 3), 7)
    assert quiet.distance(1 << field.cell(5, 3)) is None


def test_a_door_between_two_spaces_muffles_as_one_that_fills_its_own() -> None:
    rows = ["#######", "#.....#", "#######"]
    field = Field.from_rows(rows)
    thin = Field(field.width, field.height, field.ground, opaque=field.opaque,
                 doors=(Door("door", Cell(field.cell(3, 1)), Cell(field.cell(4, 1))),))  # fmt: skip
    shut, opened = (carried(thin.terrain(bits), field.cell(1, 1), 20) for bits in (0, 1))
    assert opened.distance(1 << field.cell(4, 1)) == 3
    assert shut.distance(1 << field.cell(3, 1)) == 2, "on the near side nothing is muffled"
    assert shut.distance(1 << field.cell(4, 1)) == 2 + MUFFLED
    soft = carried(thin.terrain(0), field.cell(1, 1), 2 + MUFFLED - 1)
    assert soft.distance(1 << field.cell(4, 1)) is None


@EVERY
def test_what_is_done_by_force_is_heard_through_the_house(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (9, 2))], says={"hears": True, "senses": ()})
    kinds.heard(engine.course, engine.resolution, engine.who("h0"), NoiseKind.BREAKING, moved=False)
    assert engine.roused("gob")
    assert [noise["loudness"] for noise in engine.told("noise")] == [Loudness.DOOR]
    assert explored(engine.resolution).crawl and ROOMS[2][7] == "+"

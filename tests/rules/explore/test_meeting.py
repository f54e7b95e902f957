"""Dealings other than blows: how strangers take it, who runs for help, parley, bribes, surrender."""

from __future__ import annotations

from typing import Any

import pytest

from rules.contract.actions import Action
from rules.contract.units import NOWHERE
from rules.explore import dealings
from rules.explore.meeting import BAND, EARSHOT, PRICE
from rules.explore.state import Attitude
from tests.rules.explore.engine import COURSES, HALL, Engine
from tests.rules.explore.expedition import RULESETS, Expedition, creature
from tests.rules.explore.test_crawl import Heard, hero, sleeper

EVERY = pytest.mark.parametrize("ruleset", RULESETS)
WATCH = {"duty": "warn", "warns": "watch"}


def stranger(ruleset: str, name: str, at: tuple[int, int], **more: object) -> dict[str, object]:
    """Somebody with no reason of its own to strike."""
    return creature(ruleset, name, at, **{"duty": "", "asleep": True, **more})


def awake(engine: Engine, *names: str) -> None:
    for name in names:
        engine.course.wake(engine.resolution, engine.who(name))


# -- first sight ----------------------------------------------------------------------------------------------


@EVERY
def test_strangers_first_show_how_they_take_it_and_their_band_with_them(ruleset: str) -> None:
    for attitude, fights in ((Attitude.WARY, 0), (Attitude.HOSTILE, 1)):
        strangers = [stranger(ruleset, name, (x, 2)) for name, x in (("a", 10), ("b", 10 + BAND), ("far", 11 + BAND))]
        engine = Engine(ruleset, [hero(ruleset), *strangers], HALL,
                        says={"reaction": attitude, "speaks": True})  # fmt: skip
        awake(engine, "a", "b", "far")
        engine.course.danger(engine.resolution, [Heard(engine.who("a"))])
        assert engine.row("a", "attitude") == engine.row("b", "attitude") == attitude
        assert engine.row("far", "attitude") == Attitude.UNMET, "too far off to be of the band"
        assert engine.now.fights == fights


@EVERY
def test_those_of_a_group_deal_as_one_however_far_off(ruleset: str) -> None:
    people = [
        stranger(ruleset, name, (x, 2), group=group)
        for name, x, group in (("a", 10, "g"), ("b", 30, "g"), ("c", 11, ""))
    ]
    engine = Engine(ruleset, [hero(ruleset), *people], HALL)
    state = engine.resolution.done()
    assert engine.course.band(state, engine.who("a")) == [engine.who("a"), engine.who("b")]
    assert engine.course.band(state, engine.who("c")) == [engine.who("a"), engine.who("c")]


@EVERY
@pytest.mark.parametrize("why", ["duty", "patrol", "speechless", "roused", "hostile"])
def test_who_has_a_reason_of_its_own_asks_no_questions(ruleset: str, why: str) -> None:
    reasons: dict[str, dict[str, object]] = {"duty": {"duty": "guard"}, "patrol": {"patrol": [[10, 2], [12, 2]]}}
    more = reasons.get(why, {})
    engine = Engine(ruleset, [hero(ruleset), stranger(ruleset, "a", (10, 2), **more)], HALL,
                    says={"reaction": Attitude.KIND, "speaks": why != "speechless"})  # fmt: skip
    awake(engine, "a")
    if why == "roused":
        engine.course.rouse(engine.resolution, [engine.who("a")])
    if why == "hostile":
        engine.mark("a", attitude=Attitude.HOSTILE)
    engine.course.danger(engine.resolution, [Heard(engine.who("a"))])
    assert engine.now.fights == 1 and engine.row("a", "attitude") != Attitude.KIND


@EVERY
def test_who_fell_upon_those_that_kept_peace_has_made_foes_of_those_in_sight(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), stranger(ruleset, "seen", (6, 2)), stranger(ruleset, "behind", (10, 2))])
    for name in ("seen", "behind"):
        engine.mark(name, attitude=Attitude.KIND)
    engine.fight()
    assert engine.row("seen", "attitude") == Attitude.HOSTILE and engine.row("behind", "attitude") == Attitude.KIND
    assert engine.now.fights == 1


# -- who runs for help ----------------------------------------------------------------------------------------


def runner_and_watch(ruleset: str) -> Engine:
    watch = [sleeper(ruleset, name, (30, row), group="watch") for name, row in (("post", 1), ("mate", 3))]
    return Engine(ruleset, [hero(ruleset), stranger(ruleset, "runner", (8, 2), **WATCH), *watch], HALL)


@EVERY
def test_who_alone_has_noticed_them_and_runs_for_help_starts_no_fight(ruleset: str) -> None:
    rows = [HALL[0], HALL[1], HALL[2][:20] + "+" + HALL[2][21:], HALL[3], HALL[0]]
    rows[1] = rows[3] = HALL[1][:20] + "#" + HALL[1][21:]
    engine = Engine(ruleset, [hero(ruleset), stranger(ruleset, "runner", (8, 2), **WATCH),
                              sleeper(ruleset, "post", (30, 1), group="watch")], rows,
                    says={"tries": False, "hears": False, "senses": ()})  # fmt: skip
    awake(engine, "runner")
    engine.course.danger(engine.resolution, [Heard(engine.who("runner"))])
    assert not engine.now.fights and engine.goal("runner") == (30, 1)
    assert engine.notes().count("runs for help") == 1 and engine.roused("runner")
    start = engine.at("runner")
    assert start is not None and start[0] > 8, "it is off at once"
    engine.course.danger(engine.resolution, [Heard(engine.who("runner"))])
    assert engine.notes().count("runs for help") == 1, "said once"


@EVERY
def test_a_runner_with_a_hero_beside_it_or_nobody_to_run_to_fights(ruleset: str) -> None:
    near = runner_and_watch(ruleset)
    awake(near, "runner")
    near.put("runner", 2, 2)
    near.course.danger(near.resolution, [Heard(near.who("runner"))])
    assert near.now.fights == 1 and near.at("runner") == (2, 2)
    alone = Engine(ruleset, [hero(ruleset), stranger(ruleset, "runner", (8, 2), **WATCH)], HALL)
    awake(alone, "runner")
    alone.course.danger(alone.resolution, [Heard(alone.who("runner"))])
    assert alone.now.fights == 1 and alone.at("runner") == (8, 2)


@EVERY
def test_in_a_fight_it_is_off_the_board_and_on_its_way(ruleset: str) -> None:
    engine = runner_and_watch(ruleset)
    awake(engine, "runner")
    engine.course.rouse(engine.resolution, [engine.who("runner")])
    engine.course.park(engine.resolution, ambush=False)
    assert engine.parked("runner") == (8, 2) and engine.goal("runner") == (30, 1)
    assert "runs for help" in engine.notes()
    surprised = runner_and_watch(ruleset)
    awake(surprised, "runner")
    surprised.course.rouse(surprised.resolution, [surprised.who("runner")])
    surprised.course.park(surprised.resolution, ambush=True)
    assert surprised.goal("runner") == (30, 1), "who knows of them runs, whoever strikes first"


@EVERY
def test_whom_it_reaches_wakes_knows_and_comes_with_it(ruleset: str) -> None:
    engine = runner_and_watch(ruleset)
    engine.course.arrived(engine.resolution, engine.who("runner"))
    for name in ("post", "mate", "runner"):
        assert engine.roused(name) and engine.goal(name) == (1, 2)
        assert not engine.course.asleep(engine.resolution, engine.who(name))
    other = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (8, 2), warns="watch"),
                             sleeper(ruleset, "post", (30, 1), group="watch")], HALL)  # fmt: skip
    other.course.arrived(other.resolution, other.who("gob"))
    assert not other.roused("post"), "it is not its duty"


@EVERY
def test_who_runs_from_a_fight_is_heard(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "near", (6, 2)), sleeper(ruleset, "far", (12, 2))],
                    says={"hears": True})  # fmt: skip
    engine.course.fled(engine.resolution, engine.who("near"), engine.cell(6, 2))
    assert engine.roused("far") and not engine.roused("near")
    assert [noise["what"] for noise in engine.told("noise")] == ["voices"]


TALKED = [(1, Attitude.KIND, 0), (0, Attitude.UNMET, 0), (-1, Attitude.HOSTILE, 1)]
"""What persuading comes to -> how they take it, fights."""

# -- parley and bribes ----------------------------------------------------------------------------------------


def talk(engine: Engine, do: str, target: str = "a") -> tuple[object, Action]:
    """The kind of deed and the action, by the first hero."""
    table = engine.table
    legal: Any = table.rules.legal(table.now, table.decision("h0"))
    while not hasattr(legal, "kinds"):
        legal = legal.inner
    return legal.kinds[do], table.action("h0", do, target=target)


@EVERY
def test_one_talks_to_those_who_are_awake_near_in_sight_and_not_won_over(
    ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [stranger(ruleset, name, at) for name, at in (
        ("near", (1 + EARSHOT, 2)), ("far", (2 + EARSHOT, 2)), ("asleep", (9, 2)), ("kind", (9, 3)), ("beast", (9, 1)),
    )]  # fmt: skip
    engine = Engine(ruleset, [hero(ruleset), *people], HALL)
    awake(engine, "near", "far", "kind", "beast")
    engine.mark("kind", attitude=Attitude.KIND)
    engine.table.now = engine.resolution.done()
    kind, _ = talk(engine, "parley", "near")
    mute = engine.who("beast")
    told = {"speaks": lambda self, at, who: who != mute}
    monkeypatch.setattr(kind, "course", type("Told", (type(engine.course),), told)())
    context = _context(engine)
    assert kind.near(context) == [engine.who("near")]  # type: ignore[attr-defined]


def _context(engine: Engine) -> object:
    table = engine.table
    legal: Any = table.rules.legal(table.now, table.decision("h0"))
    while not hasattr(legal, "context"):
        legal = legal.inner
    return legal.context


@EVERY
def test_a_bribe_costs_ten_coins_a_point_of_weight_of_the_whole_band(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), stranger(ruleset, "a", (9, 2)), stranger(ruleset, "b", (10, 2))], HALL)
    kind, _ = talk(engine, "bribe")
    bodies, state = engine.course.bodies(engine.table.now), engine.table.now
    weight = sum(max(1, bodies[engine.who(name)].threat) for name in ("a", "b"))
    assert kind.price(state, engine.who("a")) == PRICE * weight  # type: ignore[attr-defined]


@EVERY
@pytest.mark.parametrize(("result", "attitude", "fights"), TALKED)
def test_what_comes_of_talking(
    ruleset: str, result: int, attitude: Attitude, fights: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(ruleset, [hero(ruleset), stranger(ruleset, "a", (9, 2))], HALL,
                    says={"persuades": result, "reaction": Attitude.UNMET, "hears": False})  # fmt: skip
    awake(engine, "a")
    kind, action = talk(engine, "parley")
    monkeypatch.setattr(kind, "course", engine.course)
    kind.resolve(engine.resolution, engine.who("h0"), action)  # type: ignore[attr-defined]
    assert engine.row("a", "attitude") == attitude and engine.now.fights == fights
    assert ("lets the party be" in engine.notes()) is (result > 0)


@EVERY
def test_the_price_is_paid_from_the_purses_in_their_order(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), hero(ruleset, (1, 1), "h1"), stranger(ruleset, "a", (9, 2))], HALL)
    for name, purse in (("h0", 7), ("h1", 50)):
        engine.resolution.change(engine.who(name), purse=purse)
    kind, _ = talk(engine, "bribe")
    kind._pay(engine.resolution, 10)  # type: ignore[attr-defined]
    assert [engine.resolution.figures[engine.who(name)].purse for name in ("h0", "h1")] == [0, 47]
    assert kind.purse(engine.resolution) == 47  # type: ignore[attr-defined]


# -- in a fight -----------------------------------------------------------------------------------------------


@EVERY
def test_a_side_is_losing_that_is_outnumbered_two_to_one_or_hurt_and_few(ruleset: str) -> None:
    heroes = [hero(ruleset, (1, 1 + i), f"h{i}") for i in range(3)]
    foes = [sleeper(ruleset, f"gob{i}", (20, 1 + i)) for i in range(3)]
    engine = Engine(ruleset, [*heroes, *foes], HALL, says={"hurt": False})
    awake(engine, "gob0", "gob1", "gob2")
    target = engine.who("gob0")
    hurt = type("Told", (type(engine.course),), {"hurt": lambda self, state, who: True})()

    def losing(course: object) -> bool:
        return dealings.losing(course, engine.resolution.done(), target)  # type: ignore[arg-type]

    assert not losing(engine.course) and not losing(hurt), "three against three"
    engine.resolution.change(engine.who("gob2"), cell=NOWHERE)
    assert not losing(engine.course) and losing(hurt), "three against two: only who is hurt"
    engine.resolution.change(engine.who("gob1"), cell=NOWHERE)
    assert losing(engine.course), "three against one"
    engine.resolution.change(engine.who("h2"), cell=NOWHERE)
    assert losing(engine.course), "two against one"
    engine.resolution.change(engine.who("h1"), cell=NOWHERE)
    assert losing(engine.course) is (len(engine.course.heroes(engine.resolution.done())) >= 2)


@EVERY
def test_who_surrenders_is_out_of_the_fight_and_keeps_peace_after_it(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (6, 2)), sleeper(ruleset, "other", (6, 1))],
                    says={"persuades": 1})  # fmt: skip
    engine.fight()
    engine.course.rouse(engine.resolution, [engine.who("gob")])
    dealings._demand(engine.resolution, engine.course, engine.who("h0"), engine.who("gob"))
    assert engine.at("gob") is None and engine.parked("gob") == (6, 2) and engine.goal("gob") is None
    assert engine.row("gob", "attitude") == Attitude.YIELDED and not engine.roused("gob")
    assert "surrenders." in engine.notes()
    stubborn = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (6, 2))], says={"persuades": 0})
    stubborn.fight()
    dealings._demand(stubborn.resolution, stubborn.course, stubborn.who("h0"), stubborn.who("gob"))
    assert stubborn.at("gob") == (6, 2) and "surrenders" not in stubborn.notes()


@EVERY
def test_only_a_foe_that_hears_sees_and_understands_can_be_called_on(ruleset: str) -> None:
    people = [sleeper(ruleset, name, at) for name, at in (
        ("near", (1 + EARSHOT, 2)), ("far", (2 + EARSHOT, 2)), ("asleep", (9, 2)), ("away", (9, 3)),
    )]  # fmt: skip
    engine = Engine(ruleset, [hero(ruleset), *people], HALL, says={"speaks": True})
    awake(engine, "near", "far", "away")
    engine.resolution.change(engine.who("away"), cell=NOWHERE)
    state, who = engine.resolution.done(), engine.who("h0")
    asked = [name for name in ("near", "far", "asleep", "away", "h0")
             if dealings.can_be_asked(engine.course, state, who, engine.who(name))]  # fmt: skip
    assert asked == ["near"]


@EVERY
def test_the_chance_that_a_foe_gives_up_is_told(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (6, 2))],
                    says={"persuading": lambda self, *asked, coins: (0.75 if coins else 0.25, 0.0)})  # fmt: skip
    state, table = engine.resolution.done(), engine.table
    odds = dealings.odds(engine.course, state, table.action("h0", "demand", target="gob"))
    assert odds is not None and odds.hit == 0.75
    assert odds.outcomes == (("surrenders", 0.75), ("fights on", 0.25))
    assert dealings.odds(engine.course, state, table.action("h0", "surrender")) is None
    assert dealings.odds(engine.course, state, table.action("h0", "demand", target="nobody")) is None


@EVERY
def test_in_a_fight_too_stairs_lead_on_who_stands_on_them(ruleset: str) -> None:
    place = [{"name": name, "rows": ["#######", "#.....#", "#.....#", "#######"]} for name in ("top", "cellar")]
    heroes = [{**hero(ruleset, (5, 2)), "map": "top"}, {**hero(ruleset, (4, 2), "h1"), "map": "top"}]
    foe = {**creature(ruleset, "gob", (1, 1)), "map": "top"}
    table = Expedition(ruleset, [*heroes, foe], place=place, stairs=[[["top", 5, 2], ["cellar", 1, 1]]])
    below = table.field.stairs[0].to
    course: Any = COURSES[ruleset][0]
    nobody: Any = None
    ways = [dealings.Dealings(nobody, table.now, name, course, nobody)._ways() for name in ("h0", "h1")]
    assert ways == [[below], []]


@EVERY
def test_who_surrendered_stands_on_the_board_still_and_is_marked(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (6, 2)), sleeper(ruleset, "other", (6, 1))],
                    says={"persuades": 1})  # fmt: skip
    engine.fight()
    dealings._demand(engine.resolution, engine.course, engine.who("h0"), engine.who("gob"))
    rules, state = engine.table.rules, engine.resolution.done()
    for knows in (state, rules.observe(state, "heroes")):
        minis = {mini.id: mini for mini in rules.board(knows).miniatures}
        assert minis["gob"].cell == engine.cell(6, 2) and not minis["gob"].out
        assert "Surrendered" in [badge.label for badge in minis["gob"].badges]
        assert "Surrendered" not in [badge.label for badge in minis["other"].badges]


@EVERY
def test_who_surrendered_out_of_sight_is_not_on_the_board(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), sleeper(ruleset, "gob", (6, 2))], says={"persuades": 1})
    engine.fight()
    dealings._demand(engine.resolution, engine.course, engine.who("h0"), engine.who("gob"))
    engine.put("h0", 12, 2)  # beyond the shut door
    rules, state = engine.table.rules, engine.resolution.done()
    assert "gob" not in [mini.id for mini in rules.board(rules.observe(state, "heroes")).miniatures]


@EVERY
@pytest.mark.parametrize(
    ("good", "bad", "told"), [(0.5, 0.25, [0.5, 0.25, 0.25]), (1.0, 0.0, [1.0]), (0.0, 0.0, [1.0])]
)
def test_what_talk_can_come_to_is_told_and_nothing_that_cannot_be(
    ruleset: str, good: float, bad: float, told: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(ruleset, [hero(ruleset), stranger(ruleset, "a", (9, 2))], HALL, says={"persuading": (good, bad)})
    kind, action = talk(engine, "parley")
    monkeypatch.setattr(kind, "course", engine.course)
    odds = kind.odds(_context(engine), action)  # type: ignore[attr-defined]
    assert odds.hit == good and [chance for _, chance in odds.outcomes] == told

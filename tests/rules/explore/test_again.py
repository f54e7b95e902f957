"""A place that is left and come to again: what stays, what time does, and what a record says of it (record.md)."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest

from game.content import tables as content
from game.content import translation
from game.controllers.ai import AiController
from game.fight.match import Match
from game.setup import draft as drafts
from rules.board.grid import Field
from rules.board.left import Remains, Resident
from rules.contract.errors import BattlematError, RecordError
from rules.contract.events import Began
from rules.contract.text import as_builtins
from rules.core import record as records
from rules.core.left import Attitudes
from rules.explore.again import Visit, _settled, again
from rules.explore.state import Attitude
from tests.rules.explore.expedition import RULESETS, creature
from tests.rules.explore.wanderer import Wanderer, drawn

EVERY = pytest.mark.parametrize("ruleset", RULESETS)
ROWS = [
    "####################",
    "#......#...........#",
    "#......+...........#",
    "#......#...........#",
    "##########+#########",
    "#..................#",
    "#..................#",
    "####################",
]
CHEST = {"id": "coffer", "kind": "chest", "at": [[2, 3]], "difficulty": 0, "contents": "12 coins"}
NICHE = {"id": "niche", "kind": "secret_door", "at": [[15, 4]], "difficulty": 5}
SNARE = {"id": "snare", "kind": "trap", "at": [[17, 6]], "difficulty": 9, "damage": "d4"}
REACH = {"name": "there", "kind": "reach", "at": [[4, 1]]}
FAR = {"name": "far", "kind": "reach", "at": [[18, 6]], "optional": True}


def begun(ruleset: str, *others: dict[str, Any], **says: Any) -> Match:
    """Two heroes in a hall with an exit, others asleep beyond a door."""
    asleep = creature(ruleset, "gob", (16, 2), asleep=True, duty="")
    heroes = [creature(ruleset, "h0", (2, 1)), creature(ruleset, "h1", (2, 2))]
    ground = {
        "rows": ROWS,
        "exits": [[1, 1], [1, 2], [1, 3]],
        "challenges": [CHEST, NICHE, SNARE],
        "goals": [REACH, FAR],
    }
    return Match.from_record({
        "format": "battlemat/1", "ruleset": ruleset, "seed": 3, "options": {"crawl": True, "fog": True}, "map": ground,
        "creatures": [*heroes, asleep, *others], "commands": [], **says,
    })  # fmt: skip


def fresh(ruleset: str, count: int = 2) -> list[dict[str, Any]]:
    """Heroes who come the next time."""
    names = list(content.heroes(ruleset))
    return [{"id": f"new{n}", "template": names[n], "side": "heroes", "controller": "ai"} for n in range(count)]


def come_again(match: Match, minutes: int = 0, seed: int = 5) -> Match:
    """The next evening at the place, out of its record's text."""
    remains = match.ruleset.leave(match.state, minutes)
    record = again(match.record, match.field, remains, Visit(fresh(match.record.ruleset), seed, minutes, "evening1"))
    return Match.from_record(json.loads(json.dumps(records.document(record))))


def do(match: Match, by: str, do: str, **says: Any) -> None:
    decision = next(each for each in match.decisions if each.by == by)
    match.act(decision, records.action_of(records.Command(by=by, do=do, **says), match.field, 0))


def changed(match: Match, who: str, **values: Any) -> None:
    """Somebody as a fight could have left it."""
    from msgspec.structs import replace

    moments, number = match.history.moments, match.state.setup.index[who]
    figures = list(match.state.figures)
    figures[number] = replace(figures[number], **values)
    moments[-1] = moments[-1]._replace(state=replace(match.state, figures=tuple(figures)))


FELLED = {"olde": {"hp": -99}, "cairn": {"dead": True, "hp": 0}, "countup": {"dead": True, "hp": -99}}


def of(match: Match, who: str) -> Any:
    return match.state.figures[match.state.setup.index[who]]


def place(remains: Remains, names: set[str]) -> dict[str, Any]:
    """What is left, of these alone."""
    left = {word: said for word, said in remains.left.items() if word != "doors"}
    for word in ("fates", "attitudes", "posts", "figures"):
        left[word] = {name: said for name, said in left.get(word, {}).items() if name in names}
    left |= {word: [name for name in left.get(word, ()) if name in names] for word in ("unlit", "roused")}
    who = {
        name: as_builtins(one) for name, one in remains.residents.items() if name in names and not one.party
    }  # fmt: skip
    return {**{word: said for word, said in left.items() if said}, "who": who}


class Player(Wanderer):
    """Plays at random; what has to hold of all play is watched elsewhere."""

    def _watch(self) -> None:
        """Nothing."""


@EVERY
@pytest.mark.parametrize("seed", range(5))
def test_with_no_time_passed_nothing_of_the_place_is_otherwise(ruleset: str, seed: int) -> None:
    wanderer = Player(drawn(ruleset, seed), f"again {ruleset} {seed}", look=0)
    if not wanderer.match.record.options["crawl"]:
        return
    for _ in range(3):
        wanderer.play(25)
        match = wanderer.match
        remains = match.ruleset.leave(match.state, 0)
        now = come_again(match)
        kept = {str(entry["id"]) for entry in now.record.creatures if not str(entry["id"]).startswith("new")}
        if any(isinstance(e, Began) and e.what == "fight" for e in now.events):
            continue  # somebody has noticed them at once, and the evening has gone on by itself
        assert place(now.ruleset.leave(now.state, 0), kept) == place(remains, kept)
        held = {number for number, _ in getattr(match.state, "held", ())}
        for number, (stood, stands) in enumerate(zip(match.state.doors, now.state.doors, strict=True)):
            assert stood == stands or number in held


@EVERY
def test_what_was_done_to_the_place_stays_done(ruleset: str) -> None:
    match = begun(ruleset)
    do(match, "h0", "walk", path=[[3, 1], [4, 1]])
    changed(match, "gob", **FELLED[ruleset])
    now = come_again(match, 3 * 24 * 60)
    assert now.record.format == "battlemat/2"
    goals = {row["name"]: row["state"] for row in now.ruleset.summary(now.state)["goals"]}
    assert goals == {"there": "done", "far": "open"}
    gob = next(mini for mini in now.board().miniatures if mini.id == "gob")
    assert gob.dead and now.field.at(gob.cell) == (16, 2)
    assert [mini.id for mini in now.board().miniatures if mini.side == "heroes"] == ["new0", "new1"]
    assert now.field.at(of(now, "new0").cell) == (2, 1)


@EVERY
def test_a_dead_hero_lies_where_it_fell_with_what_it_had(ruleset: str) -> None:
    match = begun(ruleset)
    changed(match, "h1", purse=17, **FELLED[ruleset])
    now = come_again(come_again(match, 600), 600)
    body = of(now, "h1")
    assert now.field.at(body.cell) == (2, 2) and body.purse == 17
    assert sum(entry["id"] == "h1" for entry in now.record.creatures) == 1
    assert now.field.at(of(now, "new0").cell) == (2, 1)
    kept, was = of(now, "h1"), of(match, "h1")
    assert all(getattr(kept, name) == getattr(was, name) for name in ("purse", "keys", "cell"))


@EVERY
def test_doors_secrets_and_things_on_the_floor_stay_as_they_are(ruleset: str) -> None:
    match = begun(ruleset, map={"rows": ROWS, "exits": [[1, 1]], "challenges": [CHEST, NICHE, SNARE]})
    moments, state = match.history.moments, match.state
    from msgspec.structs import replace

    doors = tuple("open" if door.id == "door 7,2" else stands
                  for door, stands in zip(match.field.doors, state.doors, strict=True))  # fmt: skip
    found = tuple((side, bits | 1 << len(match.field.doors) + 1) for side, bits in state.found)
    moments[-1] = moments[-1]._replace(state=replace(state, doors=doors, found=found, challenges=("open", "sprung")))
    resolution = _resolved(match)
    resolution[1].strew(resolution[0], ["3 coins"], match.field.cell(3, 3))
    moments[-1] = moments[-1]._replace(state=resolution[0].done())
    now = come_again(match)
    assert now.state.doors == doors
    assert now.state.challenges == ("open", "sprung")
    assert dict(now.state.found)["heroes"] == dict(found)["heroes"]
    assert [(item, now.field.at(cell)) for item, cell in resolution[1].lying(now.state)] == [("3 coins", (3, 3))]


def _resolved(match: Match) -> tuple[Any, Any]:
    from importlib import import_module

    again_of = import_module(f"rules.{match.record.ruleset}.again").AGAIN
    return again_of.resolution(match.state), again_of.plunder


HURT = {"olde": {"hp": 1, "mana": 0}, "cairn": {"hp": 0, "str_now": 3}, "countup": {"hp": 1}}


@EVERY
def test_time_heals_those_who_live_there(ruleset: str) -> None:
    match = begun(ruleset)
    changed(match, "gob", **HURT[ruleset])
    soon, late = of(come_again(match, 5), "gob"), of(come_again(match, 21 * 24 * 60), "gob")
    if ruleset == "olde":
        assert (soon.hp, soon.mana) == (1, 0) and late.hp > 1 and late.mana > 0
    elif ruleset == "cairn":
        assert (soon.hp, soon.str_now) == (0, 3) and late.hp > 0 and late.str_now == late.str_max
    else:
        assert soon.hp == 1 < late.hp


def test_by_cairn_minutes_give_hit_protection_back_and_a_week_strength() -> None:
    match = begun("cairn")
    changed(match, "gob", hp=0, str_now=3)
    moments = of(come_again(match, 10), "gob")
    assert moments.hp == moments.hp_max and moments.str_now == 3


DYING: dict[str, dict[str, Any]] = {"olde": {"hp": 0, "dying": True}}


def test_by_olde_who_lies_dying_is_dead_when_one_comes_back() -> None:
    match = begun("olde")
    changed(match, "gob", **DYING["olde"])
    assert of(come_again(match, 0), "gob").dying
    now = come_again(match, 60)
    assert next(mini for mini in now.board().miniatures if mini.id == "gob").dead


@EVERY
def test_who_knows_of_the_party_has_told_its_own_and_the_watch_is_doubled(ruleset: str) -> None:
    match = begun(
        ruleset, creature(ruleset, "runner", (17, 5), asleep=True, duty="warn", warns="camp"),
        creature(ruleset, "mate", (18, 5), asleep=True, duty="", group="camp"),
        creature(ruleset, "first", (12, 6), reserve="band"), creature(ruleset, "second", (13, 6), reserve="other"),
    )  # fmt: skip
    explore = match.state.explore
    from msgspec.structs import replace

    index = match.state.setup.index
    moments = match.history.moments
    moments[-1] = moments[-1]._replace(
        state=replace(match.state, explore=replace(explore, roused=1 << index["runner"]))
    )
    same, later = come_again(match), come_again(match, 8 * 60)
    for now, told in ((same, False), (later, True)):
        course = _course(now)
        assert course.asleep(now.state, now.state.setup.index["mate"]) is not told
        assert course.asleep(now.state, now.state.setup.index["gob"])  # nobody of its group knows
        assert (of(now, "first").cell >= 0) is told
        assert of(now, "second").cell < 0
    assert same.state.explore.roused == 1 << same.state.setup.index["runner"]
    assert not later.state.explore.roused


def _course(match: Match) -> Any:
    from importlib import import_module

    return import_module(f"rules.{match.record.ruleset}.again").AGAIN.course


@pytest.mark.parametrize("ruleset", ["cairn", "countup"])
def test_who_fled_is_back_after_a_night(ruleset: str) -> None:
    match = begun(ruleset)
    changed(match, "gob", cell=-1, fled=True)
    soon = come_again(match, 60)
    assert of(soon, "gob").cell < 0 and of(soon, "gob").fled
    late = come_again(soon, 8 * 60)
    assert late.field.at(of(late, "gob").cell) == (16, 2) and not of(late, "gob").fled


@EVERY
def test_a_prisoner_stays_bound_or_is_free_for_good(ruleset: str) -> None:
    bound = creature(ruleset, "h2", (3, 3), prisoner=True)
    match = begun(ruleset, bound)
    now = come_again(match, 600)
    assert [now.record.creatures[i]["id"] for i, _ in now.state.aims.bound] == ["h2"]
    do(match, "h1", "free", target="h2")
    free = come_again(come_again(match, 600), 600)
    assert not free.state.aims.bound and of(free, "h2").cell < 0
    assert free.state.aims.away >> free.state.setup.index["h2"] & 1


@EVERY
def test_the_record_says_so_and_plays_alike(ruleset: str) -> None:
    now = come_again(begun(ruleset), 600)
    document = records.document(now.record)
    assert document["map"]["left"]["evening"] == 2 and document["map"]["left"]["of"] == "evening1"
    assert records.document(records.read(document)) == document
    twice = Match.from_record(json.loads(json.dumps(document)))
    assert twice.ruleset.summary(twice.state) == now.ruleset.summary(now.state)
    third = come_again(now, 1)
    assert third.record.map.left is not None and third.record.map.left.evening == 3


@EVERY
@pytest.mark.parametrize(
    ("where", "says", "told"),
    [
        ("figures", {"nobody": {"hp": 1}}, "map.left.figures: nothing and nobody is called 'nobody'"),
        ("figures", {"gob": {"hp": "x"}}, "map.left.figures.gob: "),
        ("figures", {"gob": {"wings": 2}}, "map.left.figures.gob: "),
        ("fixtures", {"well": "open"}, "map.left.fixtures: nothing and nobody is called 'well'"),
        ("floor", [["rope", 99, 1]], "map.left.floor: [99, 1] is off the map"),
        ("seen", {"heroes": [[1, 5, 2]]}, "map.left.seen.heroes: [1, 5, 2] ends before it begins"),
        ("fates", {"gob": "lost"}, "map.left.fates.gob"),
        ("posts", {"gob": [-1, 0]}, "map.left.posts.gob: [-1, 0] is off the map"),
        ("evening", 1, "map.left.evening: 2 is the least"),
        ("goals", {"there": "won"}, "map.left.goals.there"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(ruleset: str, where: str, says: Any, told: str) -> None:
    document = records.document(come_again(begun(ruleset)).record)
    document["map"]["left"][where] = says
    with pytest.raises(RecordError) as error:
        Match.from_record(document)
    assert str(error.value).startswith(told) and "\n" not in str(error.value)


def test_an_older_format_has_no_such_place() -> None:
    document = {**records.document(come_again(begun("olde")).record), "format": "battlemat/1"}
    with pytest.raises(RecordError, match="a place that is come to again needs 'battlemat/2'"):
        records.read(document)


@EVERY
def test_only_an_expedition_leaves_a_place(ruleset: str) -> None:
    match = begun(ruleset, options={"crawl": False})
    with pytest.raises(BattlematError, match="only an expedition"):
        match.ruleset.leave(match.state, 0)


@EVERY
def test_a_table_prepared_from_it_or_brought_under_other_rules_is_a_new_one(ruleset: str) -> None:
    match = begun(ruleset)
    changed(match, "gob", **FELLED[ruleset])
    record = come_again(match, 600).record
    table = drafts.to_record(drafts.from_record(record))
    assert table.map.left is None and table.format == "battlemat/1"
    Match.from_record(table)
    other = next(each for each in RULESETS if each != ruleset)
    under = translation.translated(record, other)
    assert under.map.left is None
    Match.from_record(under)


@EVERY
def test_the_computer_plays_on_there_and_the_record_leads_there_again(ruleset: str) -> None:
    match = begun(ruleset)
    changed(match, "gob", **HURT[ruleset])
    now = come_again(match, 60)
    minds = {side: AiController() for side in ("heroes", "monsters")}
    for _ in range(120):
        decision = now.decision
        if decision is None:
            break
        known = now.observe(decision.side)
        action = minds[decision.side].choose(now.ruleset, known, decision, now.ruleset.legal(known, decision))
        now.act(decision, action if action in now.legal(decision) else next(iter(now.legal(decision))))
    told = now.ruleset.summary(now.state)
    again_there = Match.from_record(json.loads(json.dumps(records.document(now.record))))
    assert again_there.ruleset.summary(again_there.state) == told
    now.history.rewind(0)
    assert now.ruleset.summary(now.state) == now.begun_with([]).ruleset.summary(now.begun_with([]).state)


@EVERY
def test_a_creature_that_ended_where_another_stands_is_found_beside_it(ruleset: str) -> None:
    match = begun(ruleset, creature(ruleset, "two", (17, 2), asleep=True, duty=""))
    changed(match, "two", cell=of(match, "gob").cell)
    now = come_again(match)
    assert of(now, "gob").cell != of(now, "two").cell
    assert max(abs(a - b) for a, b in zip(now.field.at(of(now, "two").cell), (16, 2), strict=True)) == 1


@EVERY
def test_who_lay_in_wait_and_was_found_or_roused_lies_in_wait_no_longer(ruleset: str) -> None:
    from msgspec.structs import replace

    match = begun(ruleset, creature(ruleset, "lurker", (15, 5), hidden=True, duty=""))
    state, bit = match.state, 1 << match.state.setup.index["lurker"]
    for known, hidden in (({}, True), ({"spotted": bit}, False), ({"roused": bit}, False)):
        now = replace(state, explore=replace(state.explore, **known))
        assert match.ruleset.leave(now, 0).residents["lurker"].hidden is hidden


def test_who_finds_no_space_where_it_was_is_refused_in_a_line() -> None:
    field = Field.from_rows(["####", "#..#", "####"])
    names = ("gob", "two", "three")
    remains = Remains({}, {}, {name: Resident((1, 1)) for name in names})

    def settled(count: int, heroes: int) -> list[dict[str, Any]]:
        found = [{"id": name, "at": [1, 1]} for name in names[:count]]
        return _settled(field.terrain(0), remains, [{"id": f"h{n}"} for n in range(heroes)], [field.cell(1, 1)], found)

    assert [hero["at"] for hero in settled(1, 1)] == [[2, 1]], "beside who is there"
    with pytest.raises(RecordError, match="'three' finds no space where it was"):
        settled(3, 1)
    with pytest.raises(RecordError, match="'h0' finds no space where one comes in"):
        settled(2, 1)
    with pytest.raises(RecordError, match="nobody comes"):
        settled(1, 0)


def seated(ruleset: str, seats: list[dict[str, Any]], heroes: list[dict[str, Any]], **same: str) -> list[Any]:
    """The seats of the next evening, of one on which these sat at the table."""
    match = begun(ruleset, seats=seats)
    remains = match.ruleset.leave(match.state, 0)
    visit = Visit(heroes, 5, 0, "evening1", same=same)
    return [(seat.name, seat.plays) for seat in again(match.record, match.field, remains, visit).seats]


TWO = [{"name": "Ann", "plays": ["h0", "gm"]}, {"name": "Ben", "plays": ["h1", "monsters"]}]


@EVERY
def test_seats_keep_their_heroes_who_come_under_another_id(ruleset: str) -> None:
    heroes = [{**hero, "id": name} for hero, name in zip(fresh(ruleset), ("ada-1", "h1"), strict=True)]
    found = seated(ruleset, TWO, heroes, h0="ada-1")
    assert found == [("Ann", ["ada-1", "gm"]), ("Ben", ["h1", "monsters"])]


@EVERY
def test_who_is_new_goes_to_the_seat_with_the_fewest_heroes(ruleset: str) -> None:
    first, second = fresh(ruleset)
    found = seated(ruleset, TWO, [{**first, "id": "h1"}, second])
    assert found == [("Ann", ["gm", "new1"]), ("Ben", ["h1", "monsters"])]
    only = [{"name": "Ann", "plays": ["h0"]}, {"name": "Ben", "plays": ["h1"]}]
    assert seated(ruleset, only, [{**first, "id": "h1"}]) == [("Ben", ["h1"])], "nobody is left for Ann"


@EVERY
def test_seats_that_play_whole_sides_stay_as_they_are(ruleset: str) -> None:
    seats = [{"name": "Ann", "plays": ["heroes"]}, {"name": "Ben", "plays": ["monsters", "gm"]}]
    assert seated(ruleset, seats, fresh(ruleset)) == [(seat["name"], seat["plays"]) for seat in seats]


def test_a_record_knows_every_attitude_that_lasts() -> None:
    passing = {Attitude.UNMET, Attitude.HOLDS_BACK}
    assert set(get_args(Attitudes)) == {each.name.lower() for each in Attitude if each not in passing}

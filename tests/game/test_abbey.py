"""The Drowned Abbey: its three maps hang together, and all that is to be done in it can be done under every ruleset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import pytest

from game.content import tables as content
from game.content import translation
from game.content.encounter import resident
from game.maps import place
from game.maps.mapdata import LoadedMap
from game.paths import shipped_maps
from rules.board.fixtures import GoalKind
from rules.board.grid import Ground
from rules.board.sight import visible
from rules.contract.units import Cell
from rules.core import record as records
from rules.core.fixtures.contents import parts_of
from rules.core.fixtures.treasure import Treasury
from rules.core.registry import RULESETS

FIRST = "drowned_cloister"
BELOW = ("drowned_undercroft", "drowned_crypt")


@cache
def abbey() -> tuple[LoadedMap, ...]:
    maps, problems = place.followed(shipped_maps() / f"{FIRST}.tmx")
    assert not problems
    return tuple(maps)


def rooms(loaded: LoadedMap) -> dict[str, tuple[Cell, ...]]:
    return {region.name: region.cells for region in loaded.regions if region.text("kind") == "room"}


def beside(loaded: LoadedMap, cell: Cell) -> Iterator[Cell]:
    """Where one comes from a space on foot, all doors open, stairs and ladders climbed."""
    terrain = loaded.field.terrain((1 << len(loaded.field.doors)) - 1)
    yield from (there for there, _ in terrain.neighbours(cell))
    yield from terrain.climbs_from(cell)


def walked(loaded: LoadedMap, start: Cell, without: Sequence[Cell] = ()) -> set[Cell]:
    seen, waiting = {start}, [start]
    while waiting:
        for there in beside(loaded, waiting.pop()):
            if there not in seen and there not in without:
                seen.add(there)
                waiting.append(there)
    return seen


def entrance(loaded: LoadedMap) -> Cell:
    return loaded.exits[0].cells[0]


def test_following_the_links_of_its_first_map_finds_all_three():
    assert [each.path.stem for each in abbey()] == [FIRST, *BELOW]


def test_every_way_leads_back_and_two_of_them_join_each_two_levels():
    web = place.web_of(abbey())
    assert web.problems == () and web.remarks == ()
    joined = [(link.map, link.to_map) for link in web.links]
    assert all(joined.count(pair) >= 2 for pair in ((0, 1), (1, 2), (0, 2)))


@pytest.mark.parametrize("number", range(3))
def test_each_level_is_of_ten_to_fourteen_named_rooms_in_its_measure(number):
    loaded = abbey()[number]
    assert 10 <= len(rooms(loaded)) <= 14
    assert 44 <= loaded.field.width <= 60 and 34 <= loaded.field.height <= 46


@pytest.mark.parametrize("number", range(3))
def test_everybody_and_everything_on_a_level_can_be_walked_to(number):
    loaded = abbey()[number]
    reached = walked(loaded, entrance(loaded))
    assert [each.id for each in loaded.creatures if each.cell not in reached] == []
    things = (*loaded.chests, *loaded.traps, *loaded.exits)
    assert [each.name for each in things if not reached & set(each.cells)] == []
    assert [name for name, cells in rooms(loaded).items() if not reached & set(cells)] == []


def ways(loaded: LoadedMap, name: str) -> int:
    """How many ways lead out of a room: passages and doors apart from one another, and stairs."""
    own = set(rooms(loaded)[name])
    thresholds = {there for cell in own & walked(loaded, entrance(loaded)) for there in beside(loaded, cell)} - own
    apart: list[Cell] = []
    for cell in sorted(thresholds):
        if not any(other in apart for other in beside(loaded, cell)):
            apart.append(cell)
    return len(apart) + sum(bool(own & set(way.cells)) for way in loaded.exits)


@pytest.mark.parametrize("number", range(3))
def test_every_room_has_two_ways(number):
    loaded = abbey()[number]
    assert {name: ways(loaded, name) for name in rooms(loaded) if ways(loaded, name) < 2} == {}


@pytest.mark.parametrize("number", range(3))
def test_notes_lie_where_somebody_can_stand(number):
    field = abbey()[number].field
    lost = [note.name for note in abbey()[number].notes if field.ground[note.cells[0]] > Ground.DIFFICULT]
    assert lost == []


def things_kept() -> set[str]:
    """All that lies in chests or is carried."""
    lists = [chest.text("contents") for each in abbey() for chest in each.chests]
    lists += [str(who.overrides.get("carries", "")) for each in abbey() for who in each.creatures]
    return {part.strip() for entry in lists for part in entry.split(",")} - {""}


def test_who_locks_a_door_has_left_its_key_somewhere():
    keys = {door.key for each in abbey() for door in each.field.doors if door.key}
    assert keys and keys <= things_kept()


def test_three_things_are_to_be_done_one_of_them_at_will():
    goals = {goal.kind: goal for each in abbey() for goal in each.field.goals}
    assert set(goals) == {GoalKind.FETCH, GoalKind.FREE, GoalKind.END}
    assert [goal.name for goal in goals.values() if goal.optional] == [goals[GoalKind.END].name]
    assert goals[GoalKind.FETCH].what in things_kept()
    known = {who.id: who for each in abbey() for who in each.creatures}
    assert known[goals[GoalKind.FREE].what].side == "captives"
    assert known[goals[GoalKind.END].what].template == "drowned_abbot"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_everybody_who_lives_there_stands_in_every_bestiary_and_has_a_namesake_under_the_others(ruleset):
    for template in {who.template for each in abbey() for who in each.creatures}:
        assert content.monsters(ruleset)[template]["threat"] > 0
        for goal in RULESETS:
            assert translation.counterpart(template, ruleset, goal)[0] == template


@pytest.mark.parametrize("ruleset", RULESETS)
def test_everybody_who_lives_there_makes_an_entry_of_a_record(ruleset):
    for loaded in abbey():
        for who in loaded.creatures:
            assert resident(loaded, who, ruleset)["id"] == who.id


def test_files_are_as_tiled_writes_them():
    for loaded in abbey():
        lines = loaded.path.read_text(encoding="utf-8").splitlines()
        assert lines[0] == '<?xml version="1.0" encoding="UTF-8"?>' and lines[-1] == "</map>"


def test_heroes_come_in_by_the_jetty_although_each_level_can_be_played_alone():
    source = records.MapModel.model_validate({"place": [{"tmx": each.path.name} for each in abbey()]})
    whole = place.joined(list(abbey()), source)
    landing = rooms(abbey()[0])["Landing"]
    assert whole.spawn_cells("heroes") and set(whole.spawn_cells("heroes")) <= set(landing)
    assert all(each.spawn_cells("heroes") for each in abbey())


def test_nobody_who_is_awake_sees_the_heroes_land():
    landing = abbey()[0]
    ground = landing.field.terrain(landing.field.doors_open)
    awake = [who for who in landing.creatures if who.side == "monsters" and not who.asleep]
    starts = landing.spawn_cells("heroes")
    seen = {who.id: [cell for cell in starts if visible(ground, who.cell) >> cell & 1] for who in awake}
    assert starts and not any(seen.values()), seen


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_lies_there_is_in_the_tables_of_every_ruleset(ruleset):
    treasury = Treasury(content.tables(ruleset))
    for part in (part for entry in things_kept() for part in parts_of(entry)):
        if part.theme:
            assert treasury.find(part).finds
    assert {"reliquary of Saint Ebba", "abbot's ring"} <= set(treasury.goods)

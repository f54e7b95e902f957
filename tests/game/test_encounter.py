"""Encounters: who comes, where they stand, and that the same seed makes the same fight."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from game.content import encounter
from game.content import tables as content
from game.content.encounter import EncounterError
from game.maps.tiled import load_map
from rules.board.path import reach
from rules.contract.errors import BattlematError
from rules.core.registry import RULESETS

MAPS = [path.stem for path in encounter.playable_maps()]
PARTY = ["warrior", "ranger", "rogue", "priest"]


@pytest.fixture
def hall(tmp_path):
    """A map of 6 × 4 floor spaces: heroes left, monsters right; `extra` objects may be added."""

    def make(extra: str = "", monsters: str = "64 0 32 64") -> str:
        x, y, width, height = monsters.split()
        rows = ",\n".join(",".join(["1"] * 6) for _ in range(4))
        text = f"""<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="6" height="4" tilewidth="16" tileheight="16" infinite="0">
 <tileset firstgid="1" name="t" tilewidth="16" tileheight="16" tilecount="1" columns="1">
  <image source="t.png" width="16" height="16"/></tileset>
 <layer id="1" name="floor" width="6" height="4"><data encoding="csv">\n{rows}\n</data></layer>
 <objectgroup id="2" name="things">
  <object id="1" type="Spawn" x="0" y="0" width="16" height="64"><properties>
   <property name="side" value="heroes"/></properties></object>
  <object id="2" type="Spawn" x="{x}" y="{y}" width="{width}" height="{height}"><properties>
   <property name="side" value="monsters"/></properties></object>{extra}
 </objectgroup>
</map>"""
        path = tmp_path / "hall.tmx"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return make


def _footprints(record: dict) -> list[tuple[int, int]]:
    """Every space that somebody covers, as often as it is covered."""
    spaces = []
    for creature in record["creatures"]:
        size = content.template("olde", creature["template"]).get("space", 1)
        column, row = creature["at"]
        spaces += [(column + x, row + y) for x in range(size) for y in range(size)]
    return spaces


@pytest.mark.parametrize("name", MAPS)
def test_nobody_shares_a_space_and_everybody_stands_on_ground(name):
    field = load_map(encounter.find_map(name)).field
    for seed in range(5):
        record = encounter.surprise(name, None, seed)
        spaces = _footprints(record)
        assert len(spaces) == len(set(spaces))
        assert not any(field.terrain().blocked >> field.cell(*space) & 1 for space in spaces)


@pytest.mark.parametrize("name", MAPS)
def test_sides_stand_on_their_own_spawn_spaces_while_there_are_any(name):
    loaded = load_map(encounter.find_map(name))
    record = encounter.make_encounter(name, PARTY, ["goblin"], 3)
    for creature in record["creatures"]:
        assert loaded.field.cell(*creature["at"]) in loaded.spawn_cells(creature["side"])


def test_the_same_seed_makes_the_same_encounter_and_others_differ():
    records = [encounter.surprise(None, None, seed) for seed in (1, 1, 2, 3, 4)]
    assert records[0] == records[1]
    assert len({str(record["creatures"]) for record in records}) > 2


def test_a_surprise_has_four_heroes_and_five_to_seven_foes_of_about_their_weight_or_a_boss_with_fewer():
    heroes, monsters = content.heroes("olde"), content.monsters("olde")
    for seed in range(40):
        sides: Counter[str] = Counter()
        weigh: Counter[str] = Counter()
        strongest = 0
        for creature in encounter.surprise(None, None, seed)["creatures"]:
            block = {**heroes, **monsters}[creature["template"]]
            sides[creature["side"]] += 1
            weigh[creature["side"]] += block["threat"]
            strongest = max(strongest, block["threat"] if creature["side"] == "monsters" else 0)
        boss = 2 * strongest > weigh["heroes"]
        assert sides["heroes"] == 4 and (1 if boss else 5) <= sides["monsters"] <= 7
        assert 0.85 * weigh["heroes"] <= weigh["monsters"] <= weigh["heroes"]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_surprise_weighs_about_as_much_as_its_party_under_every_ruleset(ruleset):
    for path in encounter.playable_maps():
        for seed in range(6):
            made = encounter.surprise(path, None, seed, ruleset=ruleset)["creatures"]
            ours, theirs = (
                sum(content.template(ruleset, c["template"])["threat"] for c in made if c["side"] == side)
                for side in ("heroes", "monsters")
            )
            assert 0.75 * ours <= theirs <= ours, f"{path.stem} {seed}: {theirs} against {ours}"


def test_a_theme_may_be_named(hall):
    wild = next(theme for theme in content.themes("olde") if theme.name == "the wild wood")
    made = encounter.surprise("crypt", PARTY, 3, theme="the wild wood")
    assert {c["template"] for c in made["creatures"] if c["side"] == "monsters"} <= set(wild.foes)
    with pytest.raises(EncounterError, match="there is no 'the sea'; there are: the restless dead"):
        encounter.surprise("crypt", PARTY, 3, theme="the sea")


def test_foes_come_from_the_theme_that_fits_the_map():
    crypt = next(theme for theme in content.themes("olde") if "crypt" in theme.words)
    for seed in range(10):
        record = encounter.surprise("crypt", PARTY, seed)
        assert {c["template"] for c in record["creatures"] if c["side"] == "monsters"} <= set(crypt.foes)


def test_chosen_heroes_come_as_chosen_and_are_the_persons():
    record = encounter.surprise("crypt", ["rogue", "priest"], 5)
    heroes = [creature for creature in record["creatures"] if creature["side"] == "heroes"]
    assert [hero["id"] for hero in heroes] == ["rogue", "priest"]
    assert {c["side"]: c["controller"] for c in record["creatures"]} == {"heroes": "human", "monsters": "ai"}


def test_several_of_a_kind_are_numbered(hall):
    record = encounter.make_encounter(hall(), ["warrior"], ["goblin", "orc", "goblin"], 1)
    assert [c["id"] for c in record["creatures"]] == ["warrior", "goblin_1", "orc", "goblin_2"]
    assert [c.get("name") for c in record["creatures"]] == [None, "Goblin 1", None, "Goblin 2"]


def test_controllers_may_be_given_by_side_or_by_creature(hall):
    given = {"heroes": "ai", "orc": "human"}
    record = encounter.make_encounter(hall(), ["warrior"], ["orc", "goblin"], 1, given)
    assert [c["controller"] for c in record["creatures"]] == ["ai", "human", "ai"]


def test_who_finds_no_spawn_space_stands_beside_it(hall):
    record = encounter.make_encounter(hall(monsters="80 0 16 16"), ["warrior"], ["goblin"] * 3, 1)
    spaces = {tuple(c["at"]) for c in record["creatures"] if c["side"] == "monsters"}
    assert (5, 0) in spaces and spaces <= {(5, 0), (4, 0), (5, 1), (4, 1)} and len(spaces) == 3


def test_a_spawn_takes_no_more_than_its_count(hall):
    """A throne for one and a guardroom: of five foes one sits on the throne, whatever the seed."""
    throne = """
  <object id="3" type="Spawn" x="32" y="0" width="16" height="64"><properties>
   <property name="side" value="monsters"/><property name="count" type="int" value="1"/></properties></object>"""
    for seed in range(12):
        record = encounter.make_encounter(hall(throne), ["warrior"], ["goblin"] * 5, seed)
        columns = [c["at"][0] for c in record["creatures"] if c["side"] == "monsters"]
        assert columns.count(2) <= 1 and set(columns) <= {2, 4, 5}


def test_a_large_creature_gets_all_its_spaces(hall):
    record = encounter.make_encounter(hall(), ["warrior"], ["goblin"] * 4 + ["ogre"], 2)
    spaces = _footprints(record)
    assert len(spaces) == len(set(spaces)) == 1 + 4 + 4
    assert all(0 <= column < 6 and 0 <= row < 4 for column, row in spaces)


def test_too_many_creatures_are_refused(hall):
    with pytest.raises(EncounterError, match=r"no space is left for creature 2\d of the side 'monsters'"):
        encounter.make_encounter(hall(), ["warrior"], ["goblin"] * 30, 1)


def test_a_side_that_the_map_gives_no_places_stands_apart_from_the_other(hall, tmp_path):
    path = hall()
    text = (tmp_path / "hall.tmx").read_text(encoding="utf-8").replace('value="monsters"', 'value="guests"')
    (tmp_path / "hall.tmx").write_text(text, encoding="utf-8")
    made = encounter.make_encounter(path, ["warrior"], ["goblin"], 1)
    places = {creature["side"]: creature["at"] for creature in made["creatures"]}
    assert max(abs(a - b) for a, b in zip(places["heroes"], places["monsters"], strict=True)) >= 2


RESIDENT = """
  <object id="7" type="Creature" name="Old Gnash" x="48" y="32"><properties>
   <property name="template" value="ogre"/><property name="side" value="monsters"/>
   <property name="id" value="gnash"/><property name="asleep" type="bool" value="true"/>
   <property name="stats.hp" type="int" value="9"/></properties><point/></object>"""


def test_without_chosen_foes_the_maps_own_creatures_are_met_where_they_stand(hall):
    record = encounter.make_encounter(hall(RESIDENT), ["warrior"], None, 1)
    gnash = record["creatures"][1]
    expected: dict[str, Any] = {
        "id": "gnash",
        "template": "ogre",
        "side": "monsters",
        "at": [3, 2],
        "name": "Old Gnash",
    }
    assert gnash == {**expected, "hp": 9, "surprised": True, "controller": "ai"}


def test_an_encounter_with_nobody_on_a_side_is_refused(hall):
    with pytest.raises(EncounterError, match="heroes: nobody was chosen"):
        encounter.make_encounter(hall(), [], ["goblin"], 1)
    with pytest.raises(EncounterError, match="foes: nobody was chosen"):
        encounter.make_encounter(hall(), ["warrior"], None, 1)


def test_an_unknown_map_or_creature_is_named_in_one_line(hall):
    with pytest.raises(EncounterError, match=r"map: there is no 'nowhere'; known maps are: .*crypt"):
        encounter.make_encounter("nowhere", PARTY, ["goblin"], 1)
    with pytest.raises(BattlematError, match="nothing in the content of 'olde' is called 'dragon'"):
        encounter.make_encounter(hall(), PARTY, ["dragon"], 1)


def test_a_known_map_is_named_in_the_record_and_another_by_its_path(hall):
    assert encounter.make_encounter("crypt", PARTY, ["goblin"], 1)["map"] == {"tmx": "crypt.tmx"}
    path = hall()
    assert encounter.make_encounter(path, PARTY, ["goblin"], 1)["map"] == {"tmx": path}


def test_who_is_to_be_freed_is_played_by_people_as_the_heroes_are() -> None:
    assert encounter.CONTROLLERS["captives"] == encounter.CONTROLLERS["heroes"] == "human"


@pytest.mark.parametrize("seed", range(6))
def test_nobody_is_shut_in_by_its_own_width(seed: int) -> None:
    """In the crypt some of the monsters' spawn spaces lie in a room whose ways out are one space wide."""
    record = encounter.make_encounter("crypt", ["gann", "freya"], ["ghoul", "ghoul", "ogre"], seed, ruleset="cairn")
    field = load_map(encounter.find_map("crypt")).field
    stands = {creature["id"]: field.cell(*creature["at"]) for creature in record["creatures"]}
    terrain = field.terrain((1 << len(field.doors)) - 1)
    beside = terrain.touching(terrain.within(stands["gann"], 1), 2)
    assert reach(terrain, stands["ogre"], 200, size=2).cells & beside

"""Adventures: a place with a story that New fight offers under every ruleset, everybody in their places."""

from __future__ import annotations

import re

import pytest

from game.content import adventures
from game.content import tables as content
from game.content.schemas import adventures_schema, schema_text
from game.fight.match import Match
from game.maps.mapdata import MapProblem
from game.paths import asset
from game.scenes.choose.scene import Choose
from game.widgets.menu import Tile
from rules.contract.errors import BattlematError
from rules.core import record as records
from rules.core.registry import RULESETS
from tests.game.hotseat_table import app_at

ABBEY = adventures.adventure("drowned_abbey")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_record_of_it_names_all_maps_of_the_place_and_everybody_there(ruleset):
    made = records.read(adventures.begun(ABBEY, 3, ruleset=ruleset))
    assert made.format == records.PLACE_FORMAT and made.title == ABBEY.title
    assert made.map.place is not None and len(made.map.place) == 3
    sides = [entry["side"] for entry in made.creatures]
    assert sides.count("heroes") == 4 and sides.count("monsters") > 40


@pytest.mark.parametrize("ruleset", RULESETS)
def test_it_can_be_played_with_its_ready_heroes_and_with_others(ruleset):
    others = tuple(content.heroes(ruleset))[-2:]
    for heroes in (None, others):
        match = Match.from_record(adventures.begun(ABBEY, 3, ruleset=ruleset, heroes=heroes))
        assert match.decision is not None


@pytest.mark.parametrize("ruleset", sorted(ABBEY.kit))
def test_ready_heroes_take_their_kit_along_and_others_what_they_have(ruleset):
    made = adventures.begun(ABBEY, 3, ruleset=ruleset)["creatures"]
    heroes = {each["template"]: each for each in made if each["side"] == "heroes"}
    for name, fields in ABBEY.kit[ruleset].items():
        assert {key: heroes[name][key] for key in fields} == fields
    other = next(name for name in content.heroes(ruleset) if name not in ABBEY.kit[ruleset])
    plain = adventures.begun(ABBEY, 3, ruleset=ruleset, heroes=(other,))["creatures"][0]
    assert plain["template"] == other and "items" not in plain


@pytest.mark.parametrize(
    ("kit", "told"),
    [
        ({"olde": {"nobody": {}}}, "kit.olde: there is no 'nobody'"),
        ({"olde": {"warrior": {"hat": 1}}}, "kit.olde.warrior.hat"),
        ({"chess": {}}, "there is no ruleset 'chess'"),
    ],
)
def test_a_kit_that_is_none_is_told_in_a_line(kit, told, monkeypatch):
    raw = {"adventure": [{**ABBEY.model_dump(), "kit": kit}]}
    monkeypatch.setattr(content, "read_table", lambda path: raw)
    with pytest.raises(BattlematError, match=re.escape(told)):
        adventures.adventures.__wrapped__()


def test_the_same_seed_makes_the_same_record():
    assert adventures.begun(ABBEY, 5, ruleset="olde") == adventures.begun(ABBEY, 5, ruleset="olde")


def test_only_switches_that_a_ruleset_has_are_on():
    for ruleset in RULESETS:
        made = records.read(adventures.begun(ABBEY, 5, ruleset=ruleset))
        assert made.options == ABBEY.switched(ruleset) and made.options["fog"]


def test_an_unknown_adventure_is_told_with_those_there_are():
    with pytest.raises(BattlematError, match="there is no 'sunken_abbey'; there are: drowned_abbey"):
        adventures.adventure("sunken_abbey")
    with pytest.raises((BattlematError, MapProblem), match="nowhere"):
        adventures.begun(ABBEY.model_copy(update={"map": "nowhere"}), 1, ruleset="olde")


def test_the_schema_for_editors_is_current():
    stored = asset("schema", "adventures.json").read_text(encoding="utf-8")
    assert stored == schema_text(adventures_schema()), "run game.content.schemas.write_adventures_schema"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_new_fight_offers_it_and_tells_its_story_in_the_place_of_foes(ruleset, tmp_path, monkeypatch):
    monkeypatch.setenv("BATTLEMAT_HOME", str(tmp_path))
    app = app_at((1280, 720)).app
    scene = Choose(app, ruleset)
    app.push(scene)
    scene.take_adventure(ABBEY)
    assert scene.party == [name for name in content.heroes(ruleset) if name in ABBEY.heroes[ruleset]]
    tiles = {tile.key: tile for part in scene.ui.live() for tile in part.walk() if isinstance(tile, Tile)}
    assert tiles["adventure drowned_abbey"].chosen and not any(tile.key.startswith("foe ") for tile in tiles.values())
    assert not any(tile.chosen for key, tile in tiles.items() if key.startswith("map "))
    made = scene._record()
    assert made["map"]["place"] and made["options"] == ABBEY.switched(ruleset)
    scene.take_map(scene.shelf.readable[0])
    assert scene.adventure is None


@pytest.mark.parametrize("ruleset", ["olde", "cairn", "countup"])
def test_bands_of_the_theme_wait_to_come_by_on_an_adventure(ruleset: str) -> None:
    each = adventures.adventures()[0]
    made = adventures.begun(each, 7, ruleset=ruleset)
    bands = [entry for entry in made["creatures"] if entry.get("reserve")]
    assert {entry["reserve"] for entry in bands} == {"band-1", "band-2"}
    assert len({tuple(entry["at"]) for entry in made["creatures"]}) == len(made["creatures"])
    assert made == adventures.begun(each, 7, ruleset=ruleset)

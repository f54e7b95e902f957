"""One encounter under every ruleset: the table of counterparts is whole, and what it makes can be played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from game import cli
from game.content import encounter, translation
from game.content import tables as content
from game.fight.match import Match
from game.scenes.choose.scene import Choose
from game.scenes.fight.scene import Fight
from game.setup import draft as drafts
from game.setup import otherrules
from game.storage import records as storage
from rules.contract.errors import BattlematError
from rules.core import record as records
from rules.core.registry import RULESETS
from tests.game.hotseat_table import app_at

ROWS = ["##########", "#........#", "#........#", "#........#", "##########"]


def encounter_of(*creatures: dict[str, Any], **more: object) -> records.Record:
    said: dict[str, Any] = {
        "format": "battlemat/1",
        "ruleset": "olde",
        "map": {"rows": ROWS},
        "seed": 4,
        "creatures": list(creatures),
    }
    return records.read({**said, **more})


WARRIOR: dict[str, Any] = {"id": "w", "template": "warrior", "side": "heroes", "at": [1, 1], "controller": "human"}
GOBLIN: dict[str, Any] = {"id": "g", "template": "goblin", "side": "monsters", "at": [4, 1], "controller": "ai"}


@pytest.mark.parametrize("name", RULESETS)
def test_everybody_of_every_ruleset_has_a_counterpart_under_every_other(name: str) -> None:
    assert translation.missing(name) == []
    for goal in RULESETS:
        for template in content.heroes(name):
            assert translation.counterpart(template, name, goal)[0] in content.heroes(goal)
        for template in content.monsters(name):
            assert translation.counterpart(template, name, goal)[0] in content.monsters(goal)


def test_every_row_says_why() -> None:
    assert all(len(row.because) > 20 for row in translation.rows())
    assert len({row.name for row in translation.rows()}) == len(translation.rows())


def test_the_same_name_goes_before_the_first_of_a_row() -> None:
    assert translation.counterpart("dire_wolf", "olde", "countup")[0] == "dire_wolf"
    assert translation.counterpart("hobgoblin", "countup", "cairn")[0] == "hobgoblin"


@pytest.mark.parametrize("goal", RULESETS)
@pytest.mark.parametrize("map", [path.stem for path in encounter.playable_maps()])
def test_the_maps_that_come_with_it_play_under_every_ruleset(map: str, goal: str) -> None:
    made = records.read(encounter.make_encounter(map, ["warrior", "wizard"], ["goblin", "goblin", "ogre"], 3))
    under = translation.translated(made, goal)
    match = Match.from_record(under)
    assert under.ruleset == goal and match.decision is not None
    assert len({mini.cell for mini in match.board().miniatures}) == len(under.creatures) >= 3


def test_ids_sides_and_players_stay_and_what_only_the_old_rules_know_is_left_behind() -> None:
    record = encounter_of({**WARRIOR, "brawn": 9}, {**GOBLIN, "name": "Goblin 2"}, options={"gm": True, "fog": True})
    under = translation.translated(record, "countup")
    assert under.creatures == [
        {"id": "w", "template": "hale", "side": "heroes", "at": [1, 1], "controller": "human"},
        {"id": "g", "template": "goblin", "side": "monsters", "at": [4, 1], "controller": "ai", "name": "Goblin 2"},
    ]
    assert under.options == {"fog": True}


def test_somebody_made_by_hand_becomes_whoever_plays_the_same_part() -> None:
    own = {"id": "maud", "name": "Maud", "kind": "Wizard", "side": "heroes", "at": [1, 1], "brawn": 4, "finesse": 6,
           "savvy": 9, "nerve": 7, "size": "medium"}  # fmt: skip
    under = translation.translated(encounter_of(own, GOBLIN), "cairn")
    assert under.creatures[0]["template"] == "solena" and under.creatures[0]["name"] == "Maud"


def test_who_grows_wider_finds_the_nearest_space() -> None:
    wide = translation.translated(
        encounter_of({**WARRIOR, "template": "gann"}, {**GOBLIN, "template": "ogre", "at": [6, 2]}, ruleset="cairn"),
        "countup",
    )
    match = Match.from_record(wide)
    assert {mini.id for mini in match.board().miniatures} == {"w", "g"}


def test_a_ruleset_that_there_is_not_is_told_in_one_line() -> None:
    with pytest.raises(BattlematError, match="none of olde, cairn, countup"):
        translation.translated(encounter_of(WARRIOR, GOBLIN), "chess")


def test_set_up_goes_over_to_other_rules_by_the_table() -> None:
    draft = otherrules.under(drafts.from_record(encounter_of(WARRIOR, GOBLIN)), "cairn")
    assert [piece.entry["template"] for piece in draft.pieces] == ["gann", "goblin"]


def test_forecasts_of_all_rulesets_come_from_one_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "fight.json"
    storage.write_record(encounter_of(WARRIOR, GOBLIN), file)
    command = ["simulate", str(file), "--runs", "3", "--jobs", "1", "--compare"]
    assert cli.main(command) == 0
    told = capsys.readouterr().out
    for word in ("Dungeons of Olde", "Cairn", "Count-Up", "heroes win", "seconds", "Gann"):
        assert word in told
    assert cli.main([*command, "--ruleset", "cairn", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [under["ruleset"] for under in found["rulesets"]] == ["olde", "cairn"]
    assert all(under["forecast"]["runs"] == 3 for under in found["rulesets"])
    assert cli.main(["simulate", str(file), "--runs", "2", "--jobs", "1", "--ruleset", "countup", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ruleset"] == "countup"


def test_party_and_foes_become_their_counterparts_where_a_fight_is_made() -> None:
    player = app_at()
    scene = Choose(player.app)
    player.app.push(scene)
    player.turn()
    scene.party, scene.foes = ["warrior", "wizard"], {"wolf": 2}
    player.press("ruleset countup")
    assert (scene.ruleset, scene.party) == ("countup", ["hale", "mog"]) and set(scene.foes) == {"wolf"}
    player.press("Begin")
    fight = player.app.top
    assert isinstance(fight, Fight) and fight.match.ruleset.id == "countup"


def test_of_the_foes_as_many_come_as_are_as_much_of_a_match_and_the_way_back_begins_at_what_was_chosen() -> None:
    player = app_at()
    scene = Choose(player.app)
    player.app.push(scene)
    player.turn()
    chosen = scene.party, scene.foes = ["warrior", "priest", "ranger", "rogue"], {"skeleton": 7}
    player.press("ruleset countup")
    here = scene.foes["skeleton"]
    assert 1 <= here < 7 and scene.came_along.startswith(f"{here} of 7 foes come along")
    player.press("ruleset cairn")
    assert "of 7 foes come along" in scene.came_along, "from what was chosen, not from what had come"
    by_way = dict(scene.foes)
    player.press("ruleset olde")
    player.press("ruleset cairn")
    assert scene.foes == by_way
    player.press("ruleset olde")
    assert (scene.party, scene.foes) == chosen and scene.came_along == ""
    player.press("ruleset countup")
    scene.more("skeleton")
    assert scene.came_along == "", "it is another choice now"
    player.press("ruleset olde")
    assert scene.foes != {"skeleton": 7}


def test_a_namesake_goes_before_the_first_row() -> None:
    assert translation.counterpart("troll", "countup", "olde")[0] == "troll"
    assert translation.counterpart("giant_spider", "countup", "olde")[0] == "giant_spider"


def test_seats_of_those_who_stay_behind_lose_only_them() -> None:
    band = [{**GOBLIN, "id": f"g{n}", "template": "skeleton", "at": [3 + n, 1]} for n in range(5)]
    seats = [{"name": "Ada", "plays": ["heroes"]}, {"name": "Ben", "plays": [f"g{n}" for n in range(5)]}]
    record = encounter_of(WARRIOR, *({**g, "controller": "human"} for g in band), seats=seats)
    under = translation.translated(record, "countup")
    there = {str(entry["id"]) for entry in under.creatures}
    assert len(there) < 6 and list(under.seats[1].plays) == sorted(there - {"w"})
    assert Match.from_record(under).decision is not None


def test_one_command_says_how_many_come_along(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "fight.json"
    band = [{**GOBLIN, "id": f"g{n}", "template": "skeleton", "at": [3 + n, 1]} for n in range(5)]
    storage.write_record(encounter_of(WARRIOR, *band), file)
    command = ["simulate", str(file), "--runs", "1", "--jobs", "1", "--ruleset", "countup"]
    assert cli.main([*command, "--json"]) == 0
    out, told = capsys.readouterr()
    assert "of 5 foes come along" in told and json.loads(out)["ruleset"] == "countup"
    assert cli.main([*command, "--compare"]) == 0
    out, _ = capsys.readouterr()
    assert "of 5 foes come along" in " ".join(out.split()) and "away" in out


def test_two_whom_one_stands_for_keep_their_names() -> None:
    two = [
        {"id": name, "template": name, "side": "heroes", "controller": "human", "at": at}
        for name, at in (("freya", [1, 1]), ("lucius", [1, 3]), ("gann", [3, 1]))
    ]
    there = translation.translated(encounter_of(*two, ruleset="cairn"), "olde")
    assert [entry.get("name") for entry in there.creatures] == ["Freya", "Lucius", None]
    assert there.creatures[0]["template"] == there.creatures[1]["template"]

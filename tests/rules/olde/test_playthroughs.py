"""Golden playthroughs: whole records, replayed, with every event and the final state as they were once agreed on.

`BATTLEMAT_AGREE=1 pytest tests/rules/olde/test_playthroughs.py` writes the .expected files anew; read the difference.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from game.fight.match import Match
from rules.contract.errors import BattlematError
from rules.contract.text import as_builtins
from rules.core import record as records

FOLDER = Path(__file__).parents[2] / "playthroughs"
FILES = sorted(FOLDER.glob("*.json"))
README = FOLDER / "readme_example.json"


def _document(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def _replay(document: dict) -> Match:
    return Match.from_record(document, beside=FOLDER, strict_throws=True)


def _story(match: Match) -> list[str]:
    """One JSON object per event, the final state last."""
    lines = [msgspec.json.encode(as_builtins(event)).decode() for event in match.events]
    return [*lines, msgspec.json.encode(as_builtins(match.ruleset.summary(match.state))).decode()]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_playthrough_goes_as_agreed(path):
    story = _story(_replay(_document(path)))
    agreed = path.with_suffix(".expected")
    if os.environ.get("BATTLEMAT_AGREE"):
        agreed.write_text("\n".join(story) + "\n", encoding="utf-8")
    expected = agreed.read_text(encoding="utf-8").splitlines()
    for number, (now, then) in enumerate(zip(story, expected, strict=False)):
        assert now == then, f"line {number + 1} of {agreed.name}"
    assert len(story) == len(expected)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_playthrough_read_and_written_is_the_same_fight(path):
    document = _document(path)
    again = records.document(records.read(document))
    assert _story(_replay(again)) == _story(_replay(document))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_record_may_stop_anywhere(path):
    document = _document(path)
    whole = _story(_replay(document))[:-1]
    for length in range(0, len(document["commands"]) + 1, max(1, len(document["commands"]) // 6)):
        part = _story(_replay({**document, "commands": document["commands"][:length]}))[:-1]
        assert part == whole[: len(part)]


def test_playthroughs_end_in_victory_and_in_defeat_and_use_most_deeds():
    done: set[str] = set()
    winners = set()
    for path in FILES:
        document = _document(path)
        done |= {command["do"] for command in document["commands"]}
        winners.add(_replay(document).over)
    assert {"heroes", "monsters"} <= winners
    assert {"free_steps", "step", "attack", "rushed_attack", "all_out_attack", "end"} <= done


def test_the_example_of_the_record_format_comes_out_as_it_says():
    match = _replay(_document(README))
    events = [as_builtins(event) for event in match.events]
    assert [event["now"] for event in events if event["event"] == "points"][:2] == [6, 3]
    (attack,) = [event for event in events if event["event"] == "attack"]
    fields = ("by", "target", "weapon", "attack", "defense", "margin", "outcome", "damage")
    assert {key: attack[key] for key in fields} == {
        "by": "ada", "target": "gob", "weapon": "broadsword", "attack": 8, "defense": 6, "margin": 2, "outcome": "hit",
        "damage": 5,
    }  # fmt: skip
    state = match.ruleset.summary(match.state)
    ada, gob = state["creatures"]["ada"], state["creatures"]["gob"]
    assert (ada["ap"], gob["hp"], gob["conditions"]) == (4, 2, [])
    assert (state["acting"], state["over"]) == ("gob", None)
    assert set(state) >= {"turn", "round", "phase", "acting", "over", "creatures"}
    assert set(gob) >= {
        "hp", "mana", "faith", "ap", "free_steps", "at", "status", "posture", "conditions", "temporary", "cp",
        "weapons", "dropped",
    }  # fmt: skip


def test_the_same_record_gives_the_same_story_in_another_process_under_another_hash_seed():
    path = max(FILES, key=lambda path: path.stat().st_size)
    code = (
        "import sys, json, msgspec; from pathlib import Path; from game.fight.match import Match\n"
        "from rules.contract.text import as_builtins\n"
        "m = Match.from_record(json.loads(Path(sys.argv[1]).read_text('utf-8')), strict_throws=True)\n"
        "print(*[msgspec.json.encode(as_builtins(e)).decode() for e in m.events], sep='\\n')\n"
    )
    here = _story(_replay(_document(path)))[:-1]
    for seed in ("1", "4711"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"}
        run = subprocess.run(
            [sys.executable, "-c", code, str(path)],
            env=environment,
            cwd=FOLDER.parents[1],
            capture_output=True,
            check=True,
        )
        there = [line for line in run.stdout.decode("utf-8").splitlines() if line.startswith("{")]
        assert there == here


def _changed(**changes) -> dict:
    return {**_document(README), **changes}


ADA_ATTACKS: dict[str, Any] = {"by": "ada", "do": "attack", "target": "gob", "weapon": "broadsword"}


@pytest.mark.parametrize(
    "document, said",
    [
        (_changed(format="battlemat/9"), "format"),
        (_changed(ruleset="chess"), "ruleset"),
        (_changed(seed="seven"), "seed"),
        (_changed(throws=[9]), "throws[0]"),
        (_changed(throws=[6, 3, 2]), "throws"),
        (_changed(throws=[6, 3, 2, 4, 3, 5, 5, 4, 9]), "throws[8]"),
        (_changed(throws=[6.5]), "throws"),
        (_changed(map={"rows": ["##", "#"]}), "row"),
        (_changed(map={"rows": ["?"]}), "?"),
        (_changed(map={"tmx": "../../etc/passwd"}), "map"),
        (_changed(map={}), "map"),
        (_changed(creatures=[]), "creatures"),
        (_changed(options={"easy": True}), "options"),
        (_changed(commands=[{"by": "ada", "do": "sing"}]), "commands[0]"),
        (_changed(commands=[{"by": "gob", "do": "end"}]), "commands[0]"),
        (_changed(commands=[ADA_ATTACKS, ADA_ATTACKS]), "commands[1]"),
        (_changed(commands=[{"by": "ada", "do": "step", "path": [[1, 2], [1, 9]]}]), "commands[0]"),
        (_changed(commands=[{"by": "ada", "do": "step", "path": [[0, 1]]}]), "commands[0]"),
        (_changed(commands=[{"by": "ada"}]), "commands[0].do"),
        (_changed(commands=[{**ADA_ATTACKS, "colour": "red"}]), "colour"),
        (_changed(creatures=[{"id": "x", "template": "dragon", "side": "a", "at": [1, 1]}]), "creatures[0]"),
    ],
    ids=str,
)
def test_a_faulty_record_is_refused_in_one_line_that_names_the_place(document, said):
    with pytest.raises(BattlematError) as error:
        _replay(document)
    assert said in str(error.value) and "\n" not in str(error.value)


def test_null_in_the_throws_is_thrown_by_the_seed():
    first = _replay(_changed(throws=[None, 3, None, 4, None, None, None, None, None], commands=[]))
    again = _replay(_changed(throws=[None, 3, None, 4, None, None, None, None, None], commands=[]))
    assert _story(first) == _story(again)
    events: list[Any] = first.events
    assert [e.now for e in events if type(e).__name__ == "Points"][1] == 3


def test_templates_with_overrides_stand_in_for_stat_blocks():
    creatures = [
        {"id": "a", "template": "warrior", "side": "heroes", "at": [1, 1]},
        {"id": "b", "template": "goblin", "side": "monsters", "at": [3, 1], "hp": 2, "name": "Snik"},
    ]
    match = _replay(_changed(creatures=creatures, commands=[], throws=None))
    state = match.ruleset.summary(match.state)["creatures"]
    assert (state["a"]["hp"], state["b"]["hp"]) == (12, 2)

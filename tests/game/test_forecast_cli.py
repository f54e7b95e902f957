"""`battlemat simulate`: stable text, a schema that holds, one line for every mistake."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from game.cli import main
from game.forecast.report import Forecast
from game.forecast.simulate import Comparison
from rules.core import record as records
from tests.game.test_forecast import duel

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def encounter(tmp_path: Path) -> Path:
    path = tmp_path / "duel.json"
    path.write_text(json.dumps(records.document(duel())), encoding="utf-8")
    return path


def said(capsys: pytest.CaptureFixture[str]) -> str:
    caught = capsys.readouterr()
    assert caught.err == ""
    return caught.out


def test_the_text_is_the_same_for_the_same_seed(encounter, capsys):
    assert main(["simulate", str(encounter), "--runs", "5", "--jobs", "1"]) == 0
    text = said(capsys)
    assert main(["simulate", str(encounter), "--runs", "5", "--jobs", "1", "--seed", "5"]) == 0
    assert said(capsys) == text
    lines = text.splitlines()
    assert lines[0] == "rows: 1 heroes against 1 monsters, from the start"
    assert any(line.startswith("heroes win") and "%" in line for line in lines)
    assert any(line.startswith("HEROES") and line.endswith("HP left") for line in lines)
    assert "Wilson's interval at 95 %" in " ".join(lines)
    assert max(map(len, lines)) <= 110


def test_what_the_rules_count_is_what_a_fight_is_said_to_take(encounter, tmp_path, capsys):
    by_second = tmp_path / "seconds.json"
    by_second.write_text((ROOT / "tests/rules/countup/records/2.6_jab.json").read_text())
    for path, unit in ((encounter, "turns"), (by_second, "seconds")):
        assert main(["simulate", str(path), "--runs", "2", "--jobs", "1", "--from-start"]) == 0
        starts = [line.split()[0] for line in said(capsys).splitlines() if line]
        assert {"turns", "seconds"} & set(starts) == {unit}


def test_json_holds_to_its_schema(encounter, capsys):
    assert main(["simulate", str(encounter), "--runs", "4", "--jobs", "1", "--json"]) == 0
    out = said(capsys)
    assert out.count("\n") == 1
    data = json.loads(out)
    found = Forecast.model_validate_json(out)
    assert found.runs == 4 and found.seed == 5 and data["format"] == "battlemat-forecast/1"
    assert set(data) == set(Forecast.model_fields)
    assert list(data) == list(Forecast.model_fields), "the order of the fields is part of what is stable"


def test_what_if_prints_both_side_by_side(encounter, capsys):
    assert main(["simulate", str(encounter), "--what-if", "list"]) == 0
    listed = said(capsys)
    assert "surprised:monsters" in listed and "Monsters surprised" in listed
    arguments = ["simulate", str(encounter), "--runs", "6", "--jobs", "1", "--what-if", "surprised:monsters"]
    assert main(arguments) == 0
    rows = said(capsys).splitlines()
    head = next(row for row in rows if row.startswith("What if"))
    below = rows[rows.index(head) + 1 : rows.index(head) + 3]
    assert below[0].startswith("As it is") and below[1].startswith("Monsters surprised")
    assert main([*arguments, "--json"]) == 0
    found = Comparison.model_validate_json(said(capsys))
    assert [row.key for row in found.variants] == ["surprised:monsters"]


def test_a_run_can_be_kept_and_replayed(encounter, capsys, tmp_path):
    kept = tmp_path / "run.json"
    assert main(["simulate", str(encounter), "--keep", "2", str(kept)]) == 0
    assert said(capsys) == f"run 2 written to {kept}\n"
    assert main(["replay", str(kept), "--state"]) == 0
    assert json.loads(said(capsys))["over"] in ("heroes", "monsters")
    for number, name in (("2", kept), ("two", tmp_path / "other.json")):
        assert main(["simulate", str(encounter), "--keep", number, str(name)]) == 2
    err = capsys.readouterr().err
    assert "exists already" in err and "'two' is no run" in err and err.count("\n") == 2
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["duel.json", "run.json"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--runs", "0"], "runs: 0 is out of range"),
        (["--jobs", "0"], "jobs: 0 is out of range"),
        (["--turns", "-1"], "turns: -1 is out of range"),
        (["--what-if", "more:dragon"], "what-if: there is no 'more:dragon'"),
    ],
)
def test_a_mistake_is_one_line(encounter, capsys, arguments, told):
    assert main(["simulate", str(encounter), *arguments]) == 2
    caught = capsys.readouterr()
    assert caught.out == ""
    assert caught.err.count("\n") == 1 and told in caught.err


@pytest.mark.parametrize("arguments", [[], ["missing.json"], ["x.json", "--runs", "many"], ["x.json", "--runs"]])
def test_a_missing_file_or_figure_is_one_line(arguments, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status: object
    try:
        status = main(["simulate", *arguments])
    except SystemExit as error:
        status = error.code
    assert status == 2
    caught = capsys.readouterr()
    assert caught.out == "" and caught.err.count("\n") == 1


def test_a_record_that_cannot_be_played_names_the_file_and_the_field(encounter, capsys):
    data = json.loads(encounter.read_text(encoding="utf-8"))
    data["creatures"][0]["weapons"] = ["spoon"]
    encounter.write_text(json.dumps(data), encoding="utf-8")
    assert main(["simulate", str(encounter)]) == 2
    err = capsys.readouterr().err
    assert "duel.json" in err and "spoon" in err and err.count("\n") == 1
    data["creatures"][0]["weapons"] = ["broadsword"]
    data["map"]["doors"] = {"gate": "open"}
    encounter.write_text(json.dumps(data), encoding="utf-8")
    assert main(["simulate", str(encounter)]) == 2
    assert "map.doors: no door is called 'gate'" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="a console's Ctrl+C cannot be sent to one process there")
def test_ctrl_c_prints_what_there_is_so_far(encounter):
    command = [sys.executable, "-m", "game", "simulate", str(encounter), "--runs", "900000", "--jobs", "1", "--json"]
    for patience in (2.0, 6.0, 15.0):
        child = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # deaf to it where a shell runs us behind
        )  # fmt: skip
        try:
            time.sleep(patience)
            child.send_signal(signal.SIGINT)
            out, err = child.communicate(timeout=60)
        finally:
            child.kill()
        if out and Forecast.model_validate_json(out).runs:  # on a busy machine the first fight may take its time
            break
    assert child.returncode == 130
    assert err == "battlemat: stopped; this is what there is so far\n"
    found = Forecast.model_validate_json(out)
    assert 0 < found.runs < 900_000


def test_rulesets_side_by_side_say_how_many_fights_each_had(encounter, capsys):
    assert main(["simulate", str(encounter), "--compare", "--ruleset", "cairn", "--within", "25", "--json"]) == 0
    runs = sorted(under["forecast"]["runs"] for under in json.loads(capsys.readouterr().out)["rulesets"])
    assert main(["simulate", str(encounter), "--compare", "--ruleset", "cairn", "--within", "25"]) == 0
    told = f"{runs[0]} fights" if runs[0] == runs[-1] else f"{runs[0]} to {runs[-1]} fights"
    assert f"{told} under each ruleset" in said(capsys)

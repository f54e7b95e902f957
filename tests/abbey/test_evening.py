"""An evening in the abbey: the same whenever it is played, told line by line, and a stall is one."""

from __future__ import annotations

import msgspec
import pytest

from rules.core.registry import RULESETS
from tests.abbey.__main__ import main
from tests.abbey.play import Evening, _Run, play
from tests.abbey.report import table, told

FEW = 12
"""Commands: enough for the first steps, or the first blow."""


@pytest.mark.parametrize("ruleset", RULESETS)
def test_an_evening_begins_under_every_ruleset_and_is_the_same_twice(ruleset):
    first, again = (play("drowned_abbey", ruleset, 3, most=FEW) for _ in range(2))
    assert first.record.commands == again.record.commands
    assert first.evening.commands == FEW and first.evening.outcome == "broken off"
    assert not first.evening.refused and not first.evening.error
    assert first.record.commands[0].do in ("sneak", "walk", "ambush")


def test_the_report_names_outcomes_deaths_and_what_came_to_no_end():
    won = Evening("olde", 1, outcome="won", heroes=4, alive=3, deaths=["Nave"], goals={"Free Joss": "done"})
    lost = msgspec.structs.replace(won, seed=2, outcome="stalled", alive=0, deaths=["Nave", "Choir"], last="Choir")
    lines = told([won, lost])
    assert lines[0] == "olde: 2 evenings; 1 won, 1 stalled"
    assert "  alive: 1.5 of 4.0" in lines and "  fell in: Nave 2, Choir 1" in lines
    assert any("seed 2: stalled in Choir" in line for line in lines)


def test_the_tables_say_by_ruleset_how_evenings_went_what_was_reached_and_where_they_fell():
    won = Evening("olde", 1, outcome="won", heroes=4, alive=3, deaths=["Nave"], goals={"Free Joss": "done"},
                  roads=["Kitchen → Cellarium"], left=["Landing"])  # fmt: skip
    lost = Evening("cairn", 2, outcome="error", heroes=4, goals={"Free Joss": "open"}, error="KeyError: 'x'")
    lines = table([won, lost])
    assert "| olde | 1 | 1 (100 %) | 0 (0 %) | 0 (0 %) | 0 (0 %) | 3.0 of 4.0 |" in "\n".join(lines)
    assert "| olde | 1 |" in lines and "| cairn | 0 |" in lines
    assert "| olde | Nave 1 | Kitchen → Cellarium 1 | Landing 1 | all was done 1 |" in lines
    assert lines[-1] == "- cairn, seed 2: error KeyError: 'x'"


def test_what_one_evening_runs_into_is_told_with_it_and_its_commands_are_kept(monkeypatch):
    monkeypatch.setattr(_Run, "step", lambda run: 1 // 0)
    played = play("drowned_abbey", "olde", 7)
    assert (played.evening.seed, played.evening.outcome) == (7, "error")
    assert "ZeroDivisionError" in played.evening.error and played.record.seed == 7


def test_an_evening_that_the_log_has_is_told_from_it_and_not_played_again(tmp_path, capsys, monkeypatch):
    log = tmp_path / "log.jsonl"
    arguments = ["--ruleset", "cairn", "--count", "2", "--most", "3", "--log", str(log)]
    main(arguments)
    first, lines = capsys.readouterr(), log.read_text().splitlines()
    assert len(lines) == 2 and first.err.count("broken off") == 2
    monkeypatch.setattr("tests.abbey.__main__.play", None)
    main(arguments)
    second = capsys.readouterr()
    assert second.out == first.out and not second.err and log.read_text().splitlines() == lines

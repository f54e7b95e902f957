"""What the soak found once stays mended, and short runs find nothing new."""

from __future__ import annotations

import multiprocessing
from pathlib import Path
from time import monotonic, sleep
from unittest import mock

import pytest

from tests.soak import cases
from tests.soak.encounters import drawn
from tests.soak.habits import Player
from tests.soak.playing import play, run
from tests.soak.reduce import Reducer, fewest
from tests.soak.soaking import Plan, soak
from tests.soak.table import Table
from tests.soak.test_rules import case as plain
from tests.soak.wrong import Wrong

CASES = sorted(cases.FOLDER.glob("*.json"))
SHORT = Plan(steps=60)
RUNS = 16
"""Runs of the suite; `make soak` goes on for an hour."""


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_what_was_found_once_stays_mended(path: Path) -> None:
    wrong = play(cases.read(path)).wrong
    assert wrong is None, wrong


@pytest.mark.parametrize("seed", range(RUNS))
def test_a_player_of_random_habit_finds_nothing_wrong(seed: int) -> None:
    _, outcome = soak(seed, SHORT)
    assert outcome.steps
    assert outcome.wrong is None, f"{outcome.wrong}\npython -m tests.soak --seed {seed} --steps {SHORT.steps}"


# -- the soak itself


@pytest.mark.parametrize("seed", [3, 10])
def test_a_run_is_the_same_from_its_seed_and_from_its_steps(seed: int) -> None:
    first, second = (run(drawn(seed), Player(seed, 40)) for _ in range(2))
    assert first.steps == second.steps and first.commands == second.commands
    again = play({**drawn(seed), "steps": first.steps})
    assert (again.commands, again.over) == (first.commands, first.over)


def test_a_table_leaves_no_process_behind() -> None:
    """Else the process that plays the runs never ends, and `make soak` with it."""
    with Table(plain("olde")) as table:
        table.begin()
        table.loop.navigator.forecast(plain("olde")["record"])
        table.loop.let(0.5)
        assert multiprocessing.active_children()
    told, patience = monotonic(), 60  # they have been told to end
    while multiprocessing.active_children() and monotonic() < told + patience:
        sleep(0.01)  # the pool joins them as well: who comes second to that may hear that they still run
    assert not multiprocessing.active_children()


def test_a_list_is_brought_down_to_what_matters() -> None:
    assert fewest(range(40), lambda kept: {7, 23, 24} <= set(kept)) == [7, 23, 24]
    assert fewest([1, 2, 3], lambda kept: True) == []


def test_a_finding_is_reduced_to_its_steps() -> None:
    case = plain("olde", steps=[["hover", 2, 2], ["key", "Tab"], ["command", "help"], ["wheel", 1], ["time", 0.5]])
    with mock.patch("game.scenes.dialogs.help.Help.build", side_effect=IndexError("no page")):
        wrong = play(case).wrong
        assert wrong is not None and wrong.rule == "nothing unforeseen"
        small = Reducer(wrong).reduced(case)
    assert small["steps"] == [["command", "help"]]
    assert len(small["record"]["creatures"]) == 1


def test_a_case_goes_through_its_file(tmp_path: Path) -> None:
    case = plain("cairn", steps=[["time", 0.3], ["key", "é"]])
    cases.write(case, Wrong("some rule", "told", "sign"), tmp_path / "case.json")
    found = cases.read(tmp_path / "case.json")
    assert (found["finds"], found["sign"]) == ("some rule", "sign")
    assert {key: found[key] for key in case} == case

"""`--selftest` tries every part, and says which one does not work."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from game.app import selftest
from rules.contract.errors import BattlematError
from rules.contract.text import text

ROOT = Path(__file__).resolve().parents[2]


def test_an_installation_that_works_says_so_part_by_part(tmp_path: Path) -> None:
    environment = {**os.environ, "BATTLEMAT_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "game", "--selftest"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
    said = done.stdout.splitlines()
    assert [line.partition(":")[0] for line in said[1:-1]] == list(selftest.PARTS) and said[-1] == "Everything works."
    assert not (tmp_path / "home").exists(), "nothing of the user's is touched"


def test_a_part_that_does_not_work_is_named_and_the_others_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_folder: Path) -> None:
        raise BattlematError("nothing is there")

    def faulty(_folder: Path) -> None:
        raise ZeroDivisionError("by nought")

    said: list[str] = []
    monkeypatch.setattr(selftest, "PARTS", {"one": broken, "two": faulty, "three": lambda _: text("{n} things", 3)})
    assert selftest.run(said.extend) == selftest.FAILED
    assert said[1] == "one: FAILED: nothing is there" and said[2].startswith("two: FAILED: ") and "by nought" in said[2]
    assert said[3].startswith("three: 3 things") and said[4] == "A part does not work."

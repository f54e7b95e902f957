"""The real window on a virtual display, used as a person uses it: keys and clicks go through the X server."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.e2e.real_table import MARKS
from tests.e2e.screen import ROOT, Window, ending, until

FOE = (213, 94, 0)
"""The colour of the monsters' base rings."""

pytestmark = MARKS


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A user folder whose settings have animations off."""
    (tmp_path / "settings.json").write_text('{"speed": 0}', encoding="utf-8")
    return tmp_path


@pytest.fixture
def opened(display: str, home: Path) -> Iterator[Callable[..., Window]]:
    with ending(partial(Window, display, home)) as start:
        yield start


def test_from_the_title_to_a_fight_and_out_by_keys(opened: Callable[..., Window]) -> None:
    window = opened()
    title = window.picture()
    assert title.get_size() == (1280, 720)
    window.press("Down", "Return")  # Surprise me
    record = window.saved()
    sides = {creature["side"] for creature in record["creatures"]}
    assert record["ruleset"] == "olde" and len(sides) == 2
    assert window.colours() > 50

    ours = {each["id"] for each in record["creatures"] if each["controller"] == "human"}

    def both_have_acted() -> bool:
        window.press("Right", "Return", "Left", "Return", "ctrl+Return", "Return")
        by = {(command["by"] in ours, command["do"]) for command in window.saved()["commands"]}
        return any(mine and do != "end" for mine, do in by) and any(not mine for mine, _ in by)

    until("a step of ours and an answer of theirs", both_have_acted, seconds=60)
    last = window.saved()
    assert window.leave() == 0, window.said()
    assert "Traceback" not in window.said()
    told = subprocess.run(
        [sys.executable, "-m", "game", "replay", str(window.home / "fights" / "quick.json")],
        capture_output=True,
        text=True,
    )
    assert told.returncode == 0, told.stderr
    assert len(told.stdout.splitlines()) > len(last["creatures"])


def test_a_click_on_a_foe_in_reach_attacks_it(opened: Callable[..., Window], home: Path) -> None:
    start = json.loads((ROOT / "tests/playthroughs/readme_example.json").read_text(encoding="utf-8"))
    start["commands"] = []
    (home / "start.json").write_text(json.dumps(start), encoding="utf-8")
    window = opened("play", str(home / "start.json"))
    window.click(*window.middle_of(FOE))
    until("Ada's blow", lambda: {"attack"} <= {each["do"] for each in window.saved()["commands"]}, seconds=20)
    first = window.saved()["commands"][0]
    assert (first["by"], first["target"], first["weapon"]) == ("ada", "gob", "broadsword")
    assert window.leave() == 0, window.said()

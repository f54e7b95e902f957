"""The real window on a virtual display, used as a person uses it: keys and clicks go through the X server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest

ROOT = Path(__file__).resolve().parents[2]
FOE = (213, 94, 0)
"""The colour of the monsters' base rings."""

TOOLS = ("Xvfb", "xdotool", "openbox", "import")
MISSING = [tool for tool in TOOLS if shutil.which(tool) is None]

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(bool(MISSING), reason=f"a virtual display needs {', '.join(MISSING)}"),
    pytest.mark.xdist_group("window"),
]


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """A virtual screen of 1366×900 with a window manager; gives its name, such as `:7`."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1366x900x24", "-nolisten", "tcp"],
        pass_fds=[writing],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as answer:
        name = ":" + answer.readline().strip()
    assert name != ":", "Xvfb did not start"
    manager = subprocess.Popen(
        ["openbox"], env={**os.environ, "DISPLAY": name}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    yield name
    for process in (manager, server):
        process.terminate()
        process.wait(timeout=10)


def until(what: str, ask: Callable[[], Any], seconds: float = 30) -> Any:
    """Wait for a true answer, and say what was waited for if none comes."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = ask()
        if answer:
            return answer
        time.sleep(0.1)
    raise AssertionError(f"waited {seconds:.0f} s in vain for {what}")


class Window:
    """A running game, seen and touched from outside."""

    def __init__(self, display: str, home: Path, *arguments: str) -> None:
        self.home = home
        self.env = {**os.environ, "DISPLAY": display, "BATTLEMAT_HOME": str(home), "SDL_VIDEODRIVER": "x11"}
        self.env["SDL_FRAMEBUFFER_ACCELERATION"] = "0"
        self.log = open(home / "stderr.txt", "w+", encoding="utf-8")  # noqa: SIM115 - lives as long as the window
        self.process = subprocess.Popen(
            [sys.executable, "-m", "game", *arguments], env=self.env, stdout=self.log, stderr=self.log
        )
        self.id = until("the window", self.find)
        until("the window to have the keyboard", self.focused)
        until("the first frame", lambda: self.colours() > 20)
        time.sleep(0.5)  # the window manager has moved and focused it; let that settle

    def tool(self, *words: str) -> str:
        done = subprocess.run(["xdotool", *words], env=self.env, capture_output=True, text=True, timeout=20)
        return done.stdout.strip()

    def find(self) -> str:
        if self.process.poll() is not None:
            raise AssertionError(f"the game ended with {self.process.returncode}: {self.said()}")
        return self.tool("search", "--onlyvisible", "--pid", str(self.process.pid)).partition("\n")[0]

    def focused(self) -> bool:
        self.tool("windowfocus", self.id)
        return self.tool("getwindowfocus") == self.id

    def colours(self) -> int:
        picture = self.picture()
        width, height = picture.get_size()
        return len({tuple(picture.get_at((x, y))) for x in range(0, width, 9) for y in range(0, height, 9)})

    def said(self) -> str:
        self.log.flush()
        return (self.home / "stderr.txt").read_text(encoding="utf-8")

    def click(self, x: int, y: int) -> None:
        self.tool("mousemove", "--window", self.id, str(x), str(y))
        time.sleep(0.2)
        self.tool("click", "1")
        time.sleep(0.2)

    def middle_of(self, colour: tuple[int, int, int]) -> tuple[int, int]:
        """The middle of what is drawn in a colour on the board's part of the window."""
        picture = self.picture()
        width, height = picture.get_size()
        spots = [
            (x, y)
            for x in range(width // 4, width * 3 // 4)
            for y in range(height // 5, height * 4 // 5)
            if all(abs(picture.get_at((x, y))[i] - colour[i]) < 12 for i in range(3))
        ]
        assert spots, "nothing of that colour is on the board"
        return (
            (min(x for x, _ in spots) + max(x for x, _ in spots)) // 2,
            (min(y for _, y in spots) + max(y for _, y in spots)) // 2,
        )

    def press(self, *keys: str) -> None:
        for key in keys:
            self.tool("key", "--clearmodifiers", key)
            time.sleep(0.15)

    def picture(self) -> pygame.Surface:
        target = self.home / "shot.png"
        self.find()
        subprocess.run(["import", "-window", self.id, str(target)], env=self.env, check=True, timeout=20)
        return pygame.image.load(target)

    def saved(self) -> dict[str, Any]:
        """Quick save, and read what the fight has come to."""
        path = self.home / "fights" / "quick.json"
        path.unlink(missing_ok=True)

        def ask() -> bool:
            self.press("F5")
            return path.exists()

        until("the quick save", ask)
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return record

    def leave(self) -> int:
        """Close the window as its frame's button does; gives the exit status."""
        self.press("alt+F4")
        return self.process.wait(timeout=20)

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(timeout=10)
        self.log.close()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A user folder whose settings have animations off."""
    (tmp_path / "settings.json").write_text('{"speed": 0}', encoding="utf-8")
    return tmp_path


@pytest.fixture
def opened(display: str, home: Path) -> Iterator[Callable[..., Window]]:
    windows: list[Window] = []

    def start(*arguments: str) -> Window:
        windows.append(Window(display, home, *arguments))
        return windows[-1]

    yield start
    for window in windows:
        window.stop()


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
        window.press("Right", "Left", "ctrl+Return", "Return")
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

"""A virtual screen and a running game on it, seen and touched from outside."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pygame

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("Xvfb", "xdotool", "openbox", "import")
MISSING = [tool for tool in TOOLS if shutil.which(tool) is None]


class Stoppable(Protocol):
    """What runs until it is stopped."""

    def stop(self) -> None: ...


Open = TypeVar("Open", bound=Stoppable)


@contextmanager
def screen(size: str) -> Iterator[str]:
    """A virtual screen (`1366x900`) with a window manager, without key repeat; gives its name, such as `:7`."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{size}x24", "-nolisten", "tcp", "-r"],
        pass_fds=[writing],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as answer:
        name = ":" + answer.readline().strip()
    assert name != ":", "Xvfb did not start"
    env = {**os.environ, "DISPLAY": name}
    manager = subprocess.Popen(["openbox"], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def managed() -> bool:
        """Only a window manager tells how many desktops there are."""
        assert manager.poll() is None, f"openbox ended with {manager.returncode}"
        asked = subprocess.run(["xdotool", "get_num_desktops"], env=env, capture_output=True)
        return asked.returncode == 0

    try:
        until("the window manager", managed)
        yield name
    finally:
        for process in (manager, server):
            process.terminate()
            process.wait(timeout=10)


@contextmanager
def ending(start: Callable[..., Open]) -> Iterator[Callable[..., Open]]:
    """Gives `start`, which opens something that can be stopped; all that it opened ends with the block."""
    found: list[Open] = []

    def opened(*arguments: Any, **more: Any) -> Open:
        found.append(start(*arguments, **more))
        return found[-1]

    try:
        yield opened
    finally:
        for each in found:
            each.stop()


def until(what: str | Callable[[], str], ask: Callable[[], Any], seconds: float = 30, pause: float = 0.1) -> Any:
    """Wait for a true answer, and say what was waited for if none comes."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = ask()
        if answer:
            return answer
        time.sleep(pause)
    raise AssertionError(f"waited {seconds:.0f} s in vain for {what if isinstance(what, str) else what()}")


class Window:
    """A running game. `module` is what Python runs, with the arguments that go before the game's own."""

    def __init__(self, display: str, home: Path, *arguments: str, module: tuple[str, ...] = ("game",)) -> None:
        self.home = home
        self.env = {**os.environ, "DISPLAY": display, "BATTLEMAT_HOME": str(home), "SDL_VIDEODRIVER": "x11"}
        self.env["SDL_FRAMEBUFFER_ACCELERATION"] = "0"
        self.log = open(home / "stderr.txt", "w+", encoding="utf-8")  # noqa: SIM115 - lives as long as the window
        self.process = subprocess.Popen(
            [sys.executable, "-m", *module, *arguments], env=self.env, stdout=self.log, stderr=self.log, cwd=ROOT
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
        self.id = self.find() or self.id  # the window manager may have come only now, and taken the window in
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

    def picture(self, target: Path | None = None) -> pygame.Surface:
        target = target or self.home / "shot.png"

        def taken() -> bool:
            try:  # `import` waits for ever if the window manager just then moves the window
                words = ["import", "-window", self.id, str(target)]
                return subprocess.run(words, env=self.env, timeout=5).returncode == 0
            except subprocess.TimeoutExpired:
                return False

        until("a picture of the window", lambda: self.find() and taken())
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

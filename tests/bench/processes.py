"""Whole processes: CPU time and memory from start to finish, the interpreter's own included."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.bench.table import Row

ROOT = Path(__file__).parents[2]
REPLAYED = ROOT / "tests" / "playthroughs" / "readme_example.json"
FIGHT = ROOT / "tests" / "playthroughs" / "tour_of_deeds.json"

_FIRST_FRAME = """
import sys
from pathlib import Path
from game.app.loop import App
from game.app.settings import Settings
app = App((1280, 720), settings=Settings(autosave=False))
app.navigator.open_scene(None, Path(sys.argv[1])) if len(sys.argv) > 1 else app.navigator.title()
app.tick(0.01)
app.draw()
__import__("pygame").display.flip()
"""
_BARE = """
import pygame, pydantic
pygame.display.init(); pygame.font.init()
pygame.display.set_mode((1280, 720)); pygame.display.flip()
"""


class Used(NamedTuple):
    """What a process took."""

    cpu: float
    """Milliseconds, user and system."""
    memory: float
    """Megabytes at most."""


def used(arguments: list[str], runs: int = 5) -> Used:
    """The median of some runs of Python with these arguments."""
    with tempfile.TemporaryDirectory() as home:
        environment = {
            **os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "BATTLEMAT_HOME": home,
            "PYGAME_HIDE_SUPPORT_PROMPT": "1", "PYTHONPYCACHEPREFIX": str(Path(home) / "compiled"),
        }  # fmt: skip
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # installed programs are compiled but once
        found = [_once([sys.executable, *arguments], environment) for _ in range(runs + 1)][1:]
    return Used(median(u.cpu for u in found), median(u.memory for u in found))


def _once(command: list[str], environment: dict[str, str]) -> Used:
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr is not None
    fault = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    if process.returncode:
        raise RuntimeError(f"{' '.join(command[:4])} …: {fault.strip().splitlines()[-1:]}")
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Used((usage.ru_utime + usage.ru_stime) * 1000, usage.ru_maxrss / unit)


def starts() -> list[Row]:
    """From the command to the first frame, and a replay. Needs a system with `wait4`."""
    if not hasattr(os, "wait4"):
        return []
    bare = used(["-c", _BARE])
    title = used(["-c", _FIRST_FRAME])
    fight = used(["-c", _FIRST_FRAME, str(FIGHT)])
    replay = used(["-m", "game", "replay", str(REPLAYED)])
    window = "an empty window with pygame and pydantic"
    return [
        Row("CPU to the first frame, the title", title.cpu, "ms", window, bare.cpu, 480),
        Row("CPU to the first frame, a fight", fight.cpu, "ms", window, bare.cpu, 480),
        Row("memory at the title", title.memory, "MB", window, bare.memory, 120),
        Row("memory in a fight", fight.memory, "MB", window, bare.memory, 120),
        Row("CPU of `battlemat replay`, a short record", replay.cpu, "ms", window, bare.cpu, 250),
    ]  # fmt: skip


def apart(module: str) -> list[Row]:
    """Rows that a module of the bench prints from a process of its own: a small one, since what a process is said to
    have used of memory begins with what its parent uses."""
    done = subprocess.run([sys.executable, "-m", module], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{module}: {done.stderr.strip().splitlines()[-1:]}")
    return [Row(*row) for row in json.loads(done.stdout.splitlines()[-1])]


if __name__ == "__main__":
    print(json.dumps(starts()))

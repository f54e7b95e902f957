"""The threat of a fight that is being chosen, in the real window: it arrives, follows the choice, and ends with it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from game.forecast.threat import ENOUGH
from tests.e2e.preparing import Preparing, seats
from tests.e2e.real_table import MARKS, ways
from tests.e2e.screen import until

pytestmark = [*MARKS, pytest.mark.timeout(240)]
WORKER = b"multiprocessing.spawn"


class Choosing(Preparing):
    """Before *New fight*, with an eye on the processes that play in the background."""

    def threat(self, what: str, ask: Callable[[dict[str, Any]], Any] = lambda choose: True) -> dict[str, Any]:
        """Wait until the choice is so."""
        found: dict[str, Any] = self.told(what, "choose", "choose", ask, 90)
        return found

    def workers(self) -> list[int]:
        """The processes that the window has started to play fights."""
        return [pid for pid in children(self.table.process.pid) if WORKER in command(pid)]

    def busy(self, seconds: float = 0.5) -> float:
        """How many processors these keep busy."""
        pids = self.workers()
        before = sum(map(ticks, pids))
        time.sleep(seconds)
        return (sum(map(ticks, pids)) - before) / 100 / seconds


def stat(pid: int) -> list[str]:
    """What the system tells of a process after its name; nothing of one that is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def children(parent: int) -> list[int]:
    """The processes that another has started."""
    pids = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    return [pid for pid in pids if stat(pid)[1:2] == [str(parent)]]


def command(pid: int) -> bytes:
    """How a process was called."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def ticks(pid: int) -> int:
    """Hundredths of a second for which a process has worked."""
    found = stat(pid)
    return int(found[11]) + int(found[12]) if found else 0


def alive(pids: list[int]) -> list[int]:
    """Those of the processes that still run."""
    return [pid for pid in pids if stat(pid)[:1] not in ([], ["Z"])]


Sat = Callable[[str, str, str], Choosing]
sat = seats(Choosing)


def choosing(sat: Sat, hand: str, size: str, name: str) -> Choosing:
    """New fight is open, with live forecasts."""
    at = sat(hand, size, name)
    at.settings(live_forecast=True)
    at.open()
    at.scene("title")
    at.hand.press("New fight")
    return at


@ways()
def test_the_threat_arrives_follows_the_choice_and_ends_with_it(sat: Sat, hand: str, size: str) -> None:
    at = choosing(sat, hand, size, "threat")
    rough = at.threat("a rough verdict")
    began = time.monotonic()
    assert "about" in rough["verdict"]
    at.shot("rough")
    first = at.threat("fights played", lambda c: c["runs"] >= ENOUGH)
    seconds = [time.monotonic() - began]
    assert first["verdict"].startswith("Threat ") and "about" not in first["verdict"]
    at.shot("first")
    full = at.threat("a hundred fights", lambda c: c["runs"] == 100)
    seconds.append(time.monotonic() - began)
    print(f"{hand} {size}: {first['verdict']} after {seconds[0]:.1f} s, {full['verdict']} after {seconds[1]:.1f} s")
    at.shot("full")

    foe = next(iter(full["foes"]))
    at.press(f"foe {foe}")
    anew = at.threat("one foe more", lambda c: c["foes"][foe] == full["foes"][foe] + 1)
    assert anew["runs"] == 0 and "about" in anew["verdict"]
    at.threat("fights against one more", lambda c: 0 < c["runs"] < 100)
    at.press(f"foe {foe}")
    at.threat("two foes more", lambda c: c["foes"][foe] == full["foes"][foe] + 2 and c["runs"] == 0)
    at.threat("fights against two more", lambda c: c["runs"] > 0)
    at.shot("anew")

    at.do("Back", "Escape")
    at.scene("title")
    until("the fights to end with Back", lambda: at.busy() < 0.1, 3)
    at.hand.press("New fight")
    at.threat("fights again", lambda c: c["runs"] > 0)
    at.hand.press("Begin")
    at.scene("fight")
    until("the fights to end with Begin", lambda: at.busy() < 0.1, 3)
    pids = children(at.table.process.pid)
    at.close()
    until("every process to end", lambda: not alive(pids), 2)
    assert at.table.said() == ""


@ways()
def test_a_window_closed_over_fights_leaves_nobody_behind(sat: Sat, hand: str, size: str) -> None:
    at = choosing(sat, hand, size, "closed")
    at.threat("fights", lambda c: 0 < c["runs"] < 100)
    assert at.workers() and at.busy() > 0.2
    pids = children(at.table.process.pid)
    began = time.monotonic()
    at.close()
    print(f"{hand} {size}: closed in {time.monotonic() - began:.2f} s")
    until("every process to end", lambda: not alive(pids), 2)
    assert at.table.said() == ""

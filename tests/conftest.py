"""No test opens a real window, makes a sound, touches the user's files or depends on chance."""

from __future__ import annotations

import atexit
import os
import random
import shutil
import sys
import tempfile
import threading

# Before anything imports pygame, and in every xdist worker.
os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
_home = tempfile.mkdtemp(prefix="battlemat-tests-")
os.environ["BATTLEMAT_HOME"] = _home
atexit.register(shutil.rmtree, _home, ignore_errors=True)

from collections.abc import Iterator  # noqa: E402
from functools import cache, wraps  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

import pygame  # noqa: E402
import pytest  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

from game import paths  # noqa: E402
from game.maps import tiled  # noqa: E402
from rules.board import sight_fan  # noqa: E402
from rules.board.bitboard import SightMemo, View, Zones  # noqa: E402
from rules.contract.units import Cell  # noqa: E402

_calm = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
settings.register_profile("steady", derandomize=True, deadline=None, database=None, suppress_health_check=_calm)
settings.register_profile("search", deadline=None, max_examples=1000, suppress_health_check=_calm)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

_read = tiled.load_map


@cache
def _shipped(path: Path, changed: int) -> tiled.LoadedMap:
    return _read(path)


@wraps(_read)
def _shared(path: Path | str, **where: Any) -> tiled.LoadedMap:
    """Maps that come with the game are read once, and what is seen on them is found once: nobody changes a map."""
    path = Path(path)
    if where or path.parent != paths.shipped_maps() or not path.is_file():
        return _read(path, **where)
    return _shipped(path, path.stat().st_mtime_ns)


tiled.load_map = _shared
"""Before anybody else imports it by its name."""

_look = sight_fan._make_view
_Looks = dict[tuple[int, int, int, int, Zones, Cell], tuple[int, View]]
_looks: _Looks = {}


@wraps(_look)
def _looked(memo: SightMemo, cell: Cell, width: int) -> tuple[int, View]:
    """What a space sees is found once for all grounds with the same solid parts, and what asks for it stays as it is:
    hundreds of tests fight anew on the same few grounds, which remember nothing of one another."""
    key = (memo.stride, len(memo.lines), memo.solid, memo.doors_open, memo.zones, cell)
    found = _looks.get(key)
    if found is None:
        if len(_looks) >= 8000:
            _looks.clear()
        found = _looks[key] = _look(memo, cell, width)
    return found


if "coverage" not in sys.modules:  # which tests run which lines must not hang on what ran before
    sight_fan._make_view = _looked


@pytest.fixture(autouse=True)
def _nothing_is_left_for_the_next() -> Iterator[None]:
    """Maps, fights and settings that one test keeps in the user's folder are not there for the next.

    What TOML texts say stays, as it is known by the texts themselves: no program that a test starts reads them anew.
    """
    os.environ["BATTLEMAT_HOME"] = _home  # whatever an earlier test has made of it
    _emptied()  # a process that an earlier test started may have written since
    yield
    _settled()
    _emptied()


@pytest.fixture(autouse=True)
def _seeds_hang_on_the_test_alone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the game rolls from the machine's own chance, a new fight's seed, is the same whenever this test runs."""
    dice = random.Random(request.node.nodeid)
    monkeypatch.setattr(random, "SystemRandom", lambda: dice)


def _settled() -> None:
    """A computer that still thinks for a window of this test plays on in the next one's loop, and keeps a journal."""
    for thread in threading.enumerate():
        if thread.name in ("thinking", "lookout", "maps"):
            thread.join(10)
    if pygame.display.get_init():
        pygame.event.clear()


def _emptied() -> None:
    for name in set(os.listdir(_home)) - {"cache"} if os.path.isdir(_home) else ():
        path = os.path.join(_home, name)
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            os.unlink(path)

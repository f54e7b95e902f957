"""Fetches sounds from the user's cache beside the window, and has those made that are missing.

A thread reads files, a process of its own makes them (game/sound/make.py): no frame waits for either. Nothing here
decides anything; without a folder, a process or a readable file there is silence.
"""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pygame

from game.app.window import wake
from game.paths import user_path

EFFECTS = "effects"
"""What is asked for to have all short sounds."""
OWN = (".ogg", ".wav", ".mp3", ".flac")
"""Endings of files in the folder `sound` of the user's that are heard in place of ours."""
Deliver = Callable[[str, pygame.mixer.Sound], None]


def own_file(name: str) -> Path | None:
    """A file of the user's own for a sound, `sound/music-title.ogg`; None if there is none."""
    folder = user_path("sound")
    found = (folder / f"{name.replace(' ', '-')}{ending}" for ending in OWN)
    return next((path for path in found if path.is_file()), None)


class Shelf:
    """Fetches what is asked for, in that order; `deliver` is called in the window's loop."""

    def __init__(self, deliver: Deliver) -> None:
        self._deliver = deliver
        self._wanted: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._asked: set[str] = set()
        self._closed = False
        self._reading = threading.Lock()
        """Held while the sound card's library is at work: it must not be closed meanwhile."""
        self._maker: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None

    def ask(self, *names: str) -> None:
        """Fetch these, unless that was asked before."""
        for name in names:
            if name not in self._asked:
                self._asked.add(name)
                self._wanted.put(name)
        if self._thread is None and not self._closed:
            self._thread = threading.Thread(target=self._work, name="sounds", daemon=True)
            self._thread.start()

    def forget(self, name: str) -> None:
        """Let a sound be asked for again."""
        self._asked.discard(name)

    def close(self) -> None:
        """Fetch nothing more; what is being made is left unmade."""
        self._closed = True
        self._wanted.put("")
        if self._maker is not None:
            with contextlib.suppress(OSError):
                self._maker.terminate()
        with self._reading:
            pass

    def _work(self) -> None:
        while not self._closed and (name := self._wanted.get()):
            with contextlib.suppress(OSError, pygame.error, subprocess.SubprocessError):
                self._fetch(name)

    def _fetch(self, name: str) -> None:
        from game.sound import make  # late, and beside the window: the title appears sooner without

        if name == EFFECTS:
            for each in reversed(make.EFFECTS):
                self._fetch(each)
            return
        path = own_file(name) or make.file_of(name)
        if not path.is_file():
            self._have_made(*(make.EFFECTS if name in make.EFFECTS else (name,)))
        with self._reading:
            if self._closed or not path.is_file():
                raise FileNotFoundError(path)  # nor need the next be tried of what was asked for together
            sound = pygame.mixer.Sound(path)
        wake(partial(self._deliver, name, sound))

    def _have_made(self, *names: str) -> None:
        """In a process of its own; short sounds come together, at the first of them."""
        if not sys.executable:  # a Python inside of something else: nobody could make them
            return
        beside = str(Path(__file__).parents[2])
        paths = os.pathsep.join(filter(None, (beside, os.environ.get("PYTHONPATH", ""))))
        self._maker = subprocess.Popen(
            [sys.executable, "-P", "-m", "game.sound.make", *names],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": paths}, creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )  # fmt: skip
        if self._closed:
            self._maker.terminate()
        self._maker.wait()

"""A case set up to be played: the app with its clock, folder and dice, and what the oracles have to know of it."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec
import pygame

from game import paths
from game.app import window
from game.app.loop import App
from game.app.settings import Settings
from game.fight import match as seeds
from game.scenes.base import Scene
from game.scenes.fight.deeds import DiceDialog
from game.scenes.fight.scene import Fight
from game.scenes.fight.ways import Opening
from game.scenes.setup import Setup, commands
from game.storage import records as storage
from game.view import minis, overlays, palette
from game.view.ground import picture as ground
from rules.core import record as records
from tests.soak.encounters import Case
from tests.soak.hand import Hand, Step
from tests.soak.loop import Clock, Loop

SETTLED: dict[str, Any] = {"live_forecast": False, "offer_lesson": False, "volume": 0, "fullscreen": False}
"""Settings of every case: forecasts play in processes of their own and depend on the machine."""

LEISURE = 3600.0
"""Seconds that drawing the ground may take of a frame: what is drawn later on a busy machine would make runs differ."""


class Table:
    """A case that is being played. Use it as a context: it takes the folder of saves away again."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.clock = Clock()
        self.step: Step = []
        """The step that is being done."""
        self.number = 0
        """How many steps were done."""
        self.met: dict[tuple[str, int], set[str]] = {}
        self.fights: list[Fight] = []
        """Every fight that was on the stack so far."""
        self.notes: dict[Any, Any] = {}
        """What oracles remember, each under its own name."""
        self.complaints: list[str] = []
        """What the window said did not work."""
        self._home = Path(tempfile.mkdtemp(prefix="battlemat-soak-"))
        self._seeds = iter(range(int(case["record"].get("seed", 0)) + 1, 10**9))
        self._patches: list[Any] = [
            mock.patch.dict(os.environ, {paths.HOME_VARIABLE: str(self._home)}),
            mock.patch.object(seeds, "fresh_seed", side_effect=self._seeds),
            mock.patch.object(ground, "BUDGET", LEISURE),
            mock.patch.object(ground.GroundPicture, "_look_ahead"),  # nobody sees that
            mock.patch.object(App, "complain", self._complained(App.complain)),
        ]

    def _complained(self, complain: Any) -> Any:
        def heard(app: App, text: str) -> None:
            self.complaints.append(text)
            complain(app, text)

        return heard

    def __enter__(self) -> Table:
        for patch in self._patches:
            patch.start()
        try:
            case = self.case
            settings = Settings(**{**case.get("settings", {}), **SETTLED})
            size = tuple(case.get("size", (1280, 720)))
            self.loop = Loop(self.clock, size, settings, frame=case.get("frame", 0.05), thinks=case.get("thinks", 0.0))
            self.hand = Hand(self.loop)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if hasattr(self, "loop"):
            for scene in self.loop.scenes:
                scene.fail()  # lets go of files, keeps nothing
            window.close()  # a forecast's processes would keep this one from ending
            pygame.event.clear()
            if self.loop.settings.palette != Settings().palette:  # whose colours are everybody's
                palette.use(Settings().palette)
                minis.forget()
                overlays.forget()
        for patch in reversed(self._patches):
            patch.stop()
        shutil.rmtree(self._home, ignore_errors=True)

    def begin(self) -> None:
        """Open the fight, the way the case says: at once, or prepared in the editor."""
        self.loop.navigator.title()
        record = self.case["record"]
        if self.case.get("through") == "table":
            path = self._home / "prepared.json"
            storage.write_record(records.read(msgspec.json.decode(msgspec.json.encode(record))), path)
            self.loop.navigator.prepare(path)
            self.loop.let(0.1)
            scene = self.loop.top
            if isinstance(scene, Setup):
                commands.play(scene)
        else:
            self.loop.guard(lambda: self.loop.navigator.begin(msgspec.json.decode(msgspec.json.encode(record))))
        self.loop.let(0.0)

    # -- what is on screen

    @property
    def fight(self) -> Fight | None:
        """The fight that is open, whatever lies over it."""
        return next((s for s in reversed(self.loop.scenes) if isinstance(s, Fight)), None)

    @property
    def visible(self) -> list[Scene]:
        """The scenes that a frame shows, the lowest first."""
        scenes = self.loop.scenes
        first = len(scenes) - 1
        while first > 0 and scenes[first].overlay:
            first -= 1
        return scenes[first:]

    @property
    def opening(self) -> Opening | None:
        """The dice of a fight's opening, while they are asked for."""
        top = self.loop.top
        thrower = top.throwing if isinstance(top, DiceDialog) else None
        return thrower if isinstance(thrower, Opening) else None

    def note(self, name: str, default: Any) -> Any:
        """What an oracle remembers under a name."""
        return self.notes.setdefault(name, default)

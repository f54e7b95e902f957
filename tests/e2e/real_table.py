"""What the scenarios of the real window share: both hands, both sizes, pictures, and fights to begin with."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from game.content import encounter
from game.fight.match import Match
from game.scenes.fight.plan import Plan
from rules.contract.actions import Action
from tests.e2e.hands import Hand, Keyboard, Mouse, Table
from tests.e2e.screen import MISSING

SIZES = ("1280x720", "1920x1080")
HANDS: dict[str, type[Hand]] = {"mouse": Mouse, "keys": Keyboard}
MARKS = [
    pytest.mark.e2e,
    pytest.mark.skipif(bool(MISSING), reason=f"a virtual display needs {', '.join(MISSING)}"),
    pytest.mark.xdist_group("window"),
]


def ways(*always: tuple[str, str]) -> pytest.MarkDecorator:
    """Every hand in every size; all but those named are run by `make e2e` alone."""
    found = [
        pytest.param(hand, size, marks=() if (hand, size) in always else (pytest.mark.long,))
        for hand in HANDS
        for size in SIZES
    ]
    return pytest.mark.parametrize(("hand", "size"), found)


def laid(display: str, home: Path, *arguments: str, record: dict[str, Any] | None = None, **settings: object) -> Table:
    """A window at its title or at a record, over a user's folder that has these settings; animations are off."""
    (home / "settings.json").write_text(json.dumps({"speed": 0, **settings}), encoding="utf-8")
    if record is not None:
        (home / "start.json").write_text(json.dumps(record), encoding="utf-8")
        arguments = ("play", str(home / "start.json"), *arguments)
    return Table(display, home, *arguments)


class Sitting:
    """Somebody before the real window, with one hand, in one size. `home` is the user's folder."""

    def __init__(self, display: str, home: Path, hand: str, size: str, story: str) -> None:
        self.display, self.home, self.size, self.story = display, home, size, story
        self.kind = HANDS[hand]
        self.table: Table
        self.hand: Hand
        self._shots = 0

    def settings(self, **settings: object) -> None:
        """The settings to start with."""
        text = json.dumps({"speed": 0, "offer_lesson": False, **settings})
        (self.home / "settings.json").write_text(text, encoding="utf-8")

    def open(self, *arguments: str, record: dict[str, Any] | None = None) -> None:
        """Open the window, with a record if there is one."""
        if not (self.home / "settings.json").exists():
            self.settings()
        if record is not None:
            path = self.home / "start.json"
            path.write_text(json.dumps(record), encoding="utf-8")
            arguments = ("play", str(path), *arguments)
        self.table = Table(self.display, self.home, *arguments, "--size", self.size)
        self.hand = self.kind(self.table)

    @property
    def keys(self) -> bool:
        return isinstance(self.hand, Keyboard)

    def do(self, button: str, *keys: str) -> None:
        """Press a button, or its keys."""
        if isinstance(self.hand, Keyboard):
            self.hand.type(*keys)
        else:
            self.hand.press(button)

    def click(self, spot: tuple[int, int] | list[int], button: int = 1) -> None:
        assert isinstance(self.hand, Mouse)
        self.hand.click(int(spot[0]), int(spot[1]), button)

    def menu(self, entry: str) -> None:
        """Open the game's menu, and take an entry."""
        if isinstance(self.hand, Keyboard):
            self.hand.type("Escape")
        else:
            self.hand.press("menu")
        self.scene("menu")
        self.shot("menu")
        self.hand.press(entry)

    def bare(self) -> tuple[int, int]:
        """A spot of the board on which nobody stands and no panel lies."""
        fight = self.table.await_("a board at rest", lambda s: not s["fight"]["gliding"] and s["fight"])
        a, b, w, h = fight["free"]
        return a + w // 2, b + h - 12

    def scene(self, name: str) -> dict[str, Any]:
        """Wait for a scene; the status then."""
        found: dict[str, Any] = self.table.await_(name, lambda s: s["scene"] == name and s)
        return found

    def told(self, what: str, scene: str, name: str, ask: Callable[[dict[str, Any]], Any], seconds: float) -> Any:
        """Wait until a scene is on top and what it tells under a name is so; a failure leaves a picture and says it."""

        def so(status: dict[str, Any]) -> Any:
            found = status["more"].get(name)
            return status["scene"] == scene and found and ask(found) and [found]

        try:
            return self.table.await_(what, so, seconds)[0]
        except AssertionError as error:
            self.shot("failed")
            raise AssertionError(f"{error}; {self.table.now()['more'].get(name)}") from None

    def toast(self, text: str) -> None:
        self.table.await_(f"“{text}”", lambda s: text in s["fight"]["toast"])

    def commands(self, count: int) -> list[dict[str, Any]]:
        """Wait until so many commands stand in the record and the fight is on top."""

        def ask(status: dict[str, Any]) -> Any:
            fight = status.get("fight")
            return status["scene"] == "fight" and fight and len(fight["commands"]) == count and [fight]

        found: list[dict[str, Any]] = self.table.await_(f"{count} commands", ask)[0]["commands"]
        return found

    def match(self) -> Match:
        """Our own book of the fight on screen, once a decision of ours stands open."""
        fight = self.table.await_(
            "a decision",
            lambda s: s["scene"] == "fight" and s["fight"]["asked"] and not s["fight"]["gliding"] and s["fight"],
        )
        bare = {**fight["start"], "branches": [], "rewinds": [], "commands": fight["commands"]}
        return Match.from_record(bare)

    def perform(self, wanted: Callable[[Action], bool]) -> Action:
        """Do the first legal thing of a kind."""
        match = self.match()
        decision = match.decision
        assert decision is not None
        legal = match.legal(decision)
        plan = Plan(match.ruleset, match.state, decision, legal, board=match.board(), field=match.field)
        action = next(action for action in legal if wanted(action))
        self.hand.perform(plan, action)
        return action

    def shot(self, name: str) -> None:
        """Keep a picture, where SHOTS says so."""
        folder = os.environ.get("SHOTS")
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            self._shots += 1
            time.sleep(0.4)  # what the status tells is drawn a moment later
            kind = "keys" if self.keys else "mouse"
            self.table.picture(Path(folder) / f"{self.story}-{self.size}-{kind}-{self._shots:02d}-{name}.png")

    def stop(self) -> None:
        """End the game, if it runs."""
        if hasattr(self, "table"):
            self.table.stop()

    def close(self) -> None:
        """The window closes as it should, and nothing went wrong meanwhile."""
        assert self.table.leave() == 0, self.table.said()
        assert "Traceback" not in self.table.said(), self.table.said()


Sat = Callable[[str, str], Sitting]
"""Takes a seat with a hand and a size."""


def party(map_name: str = "crypt", seed: int = 7, **options: Any) -> dict[str, Any]:
    """Four heroes on a map of the game's own."""
    record = encounter.surprise(map_name, ["warrior", "priest", "ranger", "templar"], seed)
    return {**record, **options}

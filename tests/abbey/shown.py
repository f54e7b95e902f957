"""How long the window takes to show an evening, at its usual speed: `python -m tests.abbey.shown RECORD …`.

The computer plays each evening (records of `python -m tests.abbey --keep FOLDER`) once more, in a window without a
screen whose clock goes on by itself; nothing is drawn. What a person takes to think comes on top.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

import pygame

from game.app.loop import App
from game.app.settings import Settings
from game.fight.match import Match
from game.scenes.fight.scene import Fight
from rules.contract.ruleset import PARTY
from rules.core import record as records
from tests.game.player import Player

TICK = 0.05
"""Seconds of the window's clock from frame to frame."""


def entered(record: records.Record) -> Fight:
    """The evening as it begins, in a window, the computer playing everybody."""
    document = records.document(records.begun(record))
    for creature in document["creatures"]:
        creature["controller"] = "ai"
    player = Player(App((1280, 720), settings=Settings(autosave=False)))
    player.app.navigator.begin(document)
    for _ in range(20):  # past the story
        if isinstance(player.app.top, Fight):
            break
        player.key(pygame.K_RETURN)
    assert isinstance(player.app.top, Fight)
    return player.app.top


def of_heroes(match: Match) -> bool:
    """Whether the last command was a hero's."""
    by = match.record.commands[-1].by
    return any(each["id"] == by and each["side"] == PARTY for each in match.record.creatures) or by == PARTY


def explores(match: Match) -> bool:
    return str(match.state.phase) == "explore"


def shown(fight: Fight) -> tuple[Counter[str], defaultdict[str, float]]:
    """Commands, and seconds in which something moved or foes paused, by what was shown."""
    match, app = fight.match, fight.app
    assert isinstance(app, App)
    commands: Counter[str] = Counter()
    seconds: defaultdict[str, float] = defaultdict(float)
    done, what, exploring = match.history.length, "explored", explores(match)
    while app.top is fight and match.decision is not None:
        for event in pygame.event.get():
            app.handle(event)
        app.tick(TICK)
        if match.history.length != done:
            what = "explored" if exploring else "heroes" if of_heroes(match) else "foes"
            commands[what] += match.history.length - done
            done, exploring = match.history.length, explores(match)
        if fight.view.busy or (what == "foes" and fight.pacing.wants_beat()):
            seconds[what] += TICK
        else:
            time.sleep(0.001)  # it thinks
    return commands, seconds


def main(files: list[str]) -> None:
    """Print a row of a table for each evening: minutes of showing."""
    print("| evening | commands | exploring | heroes' deeds in fights | foes' deeds | together |")
    print("|---|---|---|---|---|---|")
    for name in files:
        record = records.read(json.loads(Path(name).read_text()))
        commands, seconds = shown(entered(record))
        parts = [f"{seconds[what] / 60:.1f}" for what in ("explored", "heroes", "foes")]
        print(
            f"| {Path(name).stem} | {sum(commands.values())} | {' | '.join(parts)} | {sum(seconds.values()) / 60:.1f} |"
        )


if __name__ == "__main__":
    main(sys.argv[1:])

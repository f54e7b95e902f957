"""How well the computer plays: three buttons, wherever a fight is set up, and in the settings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, get_args

from game.scenes.base import Shell
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Tip, row
from rules.contract.text import text

Level = Literal["story", "normal", "hard"]
WORDS: dict[str, tuple[str, str]] = {
    "story": ("Story", "Goes for whoever is nearest, heeds no danger and misses chances: for who wants the tale."),
    "normal": ("Normal", "Weighs odds, danger and the next chance of each option. Forecasts play so."),
    "hard": (
        "Hard",
        "Keeps its head whatever its temper, and plays its best options on before it decides: a moment's thought.",
    ),
}
"""Level -> (its button, how the computer plays then). Dice and numbers are the same at each."""
FAIR = "The same dice and the same creatures at every level; it counts at once, in running fights as well."


def level_row(app: Shell, changed: Callable[[], None], *, told: bool = True) -> Box:
    """The levels, that of the settings chosen; `changed` hears when another is. `told`: whether words stand before."""

    def take(level: Level) -> None:
        app.settings.level = level
        app.save_settings()
        changed()

    buttons = [
        Button(WORDS[level][0], partial(take, level), key=f"level {level}", chosen=app.settings.level == level,
               slim=True, tip=Tip(WORDS[level][1], WORDS[level][0]))
        for level in get_args(Level)
    ]  # fmt: skip
    words = [Label("The computer plays", "label", "quiet", tip=Tip(FAIR))] if told else []
    return row(*words, *buttons, gap=6, wrap=True)


def next_level(app: Shell) -> None:
    """The computer plays at the level after that of the settings, after the last at the first."""
    levels = get_args(Level)
    app.settings.level = levels[(levels.index(app.settings.level) + 1) % len(levels)]
    app.save_settings()


def named(app: Shell) -> str:
    """The level of the settings, in a word."""
    return WORDS[app.settings.level][0]


def level_sign(app: Shell) -> Label:
    """The same, as a quiet word beside whom the computer plays."""
    word, told = WORDS[app.settings.level]
    return Label(word, "small", "faint", tip=Tip(told, text("The computer plays: {level}", word)))

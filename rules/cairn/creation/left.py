"""What a fight leaves of those who were in it, for the files of heroes who last (cairn.md §8)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rules.cairn import conditions as cond
from rules.cairn.combat.injury import MINUTE
from rules.cairn.state import CairnState, Figure

SUFFERED = (cond.DEPRIVED, cond.INFECTED, cond.DEAF)
"""Conditions that outlast a fight."""


def left(state: CairnState) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """By id: scores and their maxima, what is carried and used, scars, the clock in minutes, what outlasts a fight, and
    what it dropped that lies on the floor; then what else lies there."""
    floor = Counter(lying.item for lying in state.floor)
    found: dict[str, dict[str, Any]] = {}
    for being, figure in zip(state.setup.beings, state.figures, strict=True):
        missing = Counter(being.items) - Counter(figure.carried)
        dropped = missing & floor
        floor -= dropped
        found[being.id] = {**_of(figure), "dropped": sorted(dropped.elements())}
    return found, sorted(floor.elements())


def _of(figure: Figure) -> dict[str, Any]:
    clock = figure.clock
    return {
        **{f"{key}_{end}": getattr(figure, f"{key}_{end}") for key in ("str", "dex", "wil") for end in ("now", "max")},
        "hp": figure.hp, "hp_max": figure.hp_max, "items": [*figure.hands, *figure.pack], "used": dict(figure.used),
        "purse": figure.purse, "fatigue": figure.fatigue, "scars": list(figure.scars), "dead": figure.dead,
        "fled": figure.fled, "felled": figure.felled,
        "gone": figure.gone, "dying": -(-clock // MINUTE) if clock else 0,
        "down": figure.critical or figure.has(cond.OUT), "lame": figure.lame, "one_armed": figure.one_armed,
        "doomed": figure.doomed, "suffers": [each.name for each in SUFFERED if figure.has(each)],
    }  # fmt: skip

"""Fights in which several decisions stand open at once, and what tests of the window ask of them."""

from __future__ import annotations

from typing import Any

import pygame

from game.scenes.fight.scene import Fight
from game.widgets.figures import Chip
from tests.game.player import Player

ROWS = ["############", "#..........#", "#..........#", "#..........#", "#..........#", "############"]
CTRL = pygame.KMOD_CTRL


def cairn(**more: Any) -> dict[str, Any]:
    """Gann and Reed, both ready, before three goblins that a blow fells and that no morale holds."""
    weak: dict[str, Any] = {
        "side": "monsters",
        "template": "goblin",
        "controller": "ai",
        "hp_max": 1,
        "strength": 1,
        "willpower": 1,
    }
    return {
        "format": "battlemat/1", "ruleset": "cairn", "map": {"rows": ROWS}, "seed": 9, "commands": [],
        "creatures": [
            {"id": "gann", "template": "gann", "side": "heroes", "at": [2, 2], "controller": "human", "alert": "ready"},
            {"id": "reed", "template": "reed", "side": "heroes", "at": [2, 4], "controller": "human", "alert": "ready"},
            {"id": "near", "at": [4, 2], **weak}, {"id": "far", "at": [9, 4], **weak},
            {"id": "third", "at": [10, 1], **weak},
        ],
        **more,
    }  # fmt: skip


def countup(**more: Any) -> dict[str, Any]:
    """Hale and Tess against one orc, all close together."""
    return {
        "format": "battlemat/1", "ruleset": "countup", "map": {"rows": ROWS}, "seed": 6, "commands": [],
        "creatures": [
            {"id": "hale", "template": "hale", "side": "heroes", "at": [2, 2], "controller": "human"},
            {"id": "tess", "template": "tess", "side": "heroes", "at": [2, 3], "controller": "human"},
            {"id": "orc", "template": "orc", "side": "monsters", "at": [5, 2], "controller": "ai"},
        ],
        **more,
    }  # fmt: skip


def offer(fight: Fight, do: str) -> Any:
    assert fight.plan is not None
    return next(each for each in fight.plan.offers if each.do == do)


def asked(fight: Fight) -> str | None:
    return fight.plan.decision.by if fight.plan is not None else None


def chips(fight: Fight) -> dict[str, Chip]:
    return {w.key.removeprefix("order "): w for p in fight.ui.live() for w in p.walk() if isinstance(w, Chip)}


def button(fight: Fight, do: str) -> Any:
    return next(w for p in fight.ui.live() for w in p.walk() if w.key == f"offer {do} ")


def settled(player: Player, fight: Fight) -> None:
    """Until somebody at the screen is asked again, or the fight is over."""
    player.until(lambda: not fight.behind and (fight.plan is not None or fight.match.decision is None))

"""Deliberate errors in the rules: each a small patch, and the twin has to find it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from rules.board import sight as light
from rules.board.grid import Terrain
from rules.cairn import state as saves
from rules.cairn import turns as morale
from rules.cairn import visibility as knowledge
from rules.cairn.actions import context, moves, spells
from rules.cairn.actions import doors as doors
from rules.cairn.combat import attack, injury
from rules.cairn.magic import effects as magic_effects
from rules.cairn.magic import ground
from tests.twins.cairn.encounters import encounter
from tests.twins.cairn.match import Difference, play

FIGHTS = 250
"""Fights within which an error must have been found."""


def _twenty(face: int, attribute: int) -> bool:
    return face == 1 or face <= attribute


def _even(field: Any, start: int, path: tuple[int, ...], size: int) -> int:
    return len(path)


def _boldest(work: Any, who: int) -> int:
    band = zip(work.setup.beings, work.figures, strict=True)
    return max(figure.wil_now for being, figure in band if being.side == work.being(who).side)


ERRORS = {
    "Armor is not capped at 3": (injury, "ARMOR_CAP", 9),
    "a natural 20 passes": (saves, "passes", _twenty),
    "impaired is a d6": (attack, "IMPAIRED", 6),
    "morale by the highest WIL of the side": (morale, "_nerve", _boldest),
    "difficult ground costs one space": (moves, "path_cost", _even),
    "getting up is free": (context, "STAND", 0),
    "the lame walk eight spaces": (context, "LAME", 8),
    "a detachment strikes one foe alone": (attack, "RING", 0),
    "nobody is harder to hit in the dark": (attack, "seen_in", lambda *_: True),
    "casting is never in danger": (spells, "in_danger", lambda *_: False),
    "nobody saves to retreat": (moves, "watched", lambda _: False),
    "one retreats from anywhere": (moves, "refuge", lambda _: True),
    "a gap is opened in whatever bars the way": (spells, "walled", lambda *_: True),
    "a tether reaches four spaces": (context, "TETHER", 4),
    "magic is nowhere dampened": (magic_effects, "dampened", lambda *_: False),
    "thin walls stop neither steps nor sight": (Terrain, "_edges", lambda *_: (0, 0)),
    "hands reach everything": (doors, "in_hand", lambda state, who, cell, wanted: wanted),
    "the dim light of a map is none": (light, "lit", light.lit_brightly),
    "a side is shown the unseen": (knowledge, "hidden_from", lambda *_: False),
    "a side is shown what no eye sees": (knowledge, "sees", lambda state, _: state.terrain.everywhere),
    "a bar stands on when it was taken up": (ground, "end_zone", lambda *_: None),
}
"""What is wrong -> the module, the name in it, what stands there instead."""


@contextmanager
def wrong(name: str) -> Iterator[None]:
    """The rules with this error in them."""
    module, word, instead = ERRORS[name]
    with patch.object(module, word, instead):
        yield


def found_after(name: str, first: int = 0, fights: int = FIGHTS) -> int | None:
    """The number of fights until the twin disagrees with the rules that have this error; None if it never does."""
    with wrong(name):
        for number in range(fights):
            try:
                play(encounter(first + number), first + number)
            except Difference:
                return number + 1
    return None

"""Deliberate errors in the rules, and after how many fights the twin differs: what the comparison is worth."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

import msgspec

from game.content import tables as content
from rules.contract.events import Throw
from rules.countup import clock as movement
from rules.countup import penetration, skills, statblock, state
from rules.countup import visibility as knowledge
from rules.countup.actions import answers as casting
from rules.countup.combat import attack
from rules.countup.combat import injury as aftermath
from tests.twins.countup.match import play


def _whole(dice: Any, faces: int, penetrating: bool, keen: bool = False) -> list[Throw]:
    """Penetration without the −1."""
    return [
        throw if n == 0 else msgspec.structs.replace(throw, value=throw.face)
        for n, throw in enumerate(_throw(dice, faces, penetrating, keen))
    ]


class _Winning(int):
    """A total that beats its equal."""

    def __gt__(self, other: int) -> bool:
        return int(self) >= int(other)


def _generous(dice: Any, label: str, *rest: Any, **more: Any) -> Any:
    """A tie is the attacker's."""
    thrown = _roll(dice, label, *rest, **more)
    return msgspec.structs.replace(thrown, total=_Winning(thrown.total)) if label == "attack" else thrown


_throw, _roll = penetration.throw, penetration.roll


def _sooner(ruleset: str) -> Any:
    """The content with a heavy crossbow that is drawn in 40 seconds."""
    rows = _tables(ruleset)
    quick = [{**row, "draw": 40} if row["name"] == "heavy crossbow" else row for row in rows["weapons"]]
    return {**rows, "weapons": quick}


_tables = content.tables

ERRORS: dict[str, tuple[str, int, Callable[[], AbstractContextManager[Any]]]] = {
    "penetration without its −1": ("", 0, lambda: patch.object(penetration, "throw", _whole)),
    "a tie is the attacker's": ("", 6, lambda: patch.object(state, "roll", _generous)),
    "a jog of 15 ft": ("", 0, lambda: patch.object(state.Gait.JOG, "rate", 120)),
    "a shield struck by a miss of eight at most": ("", 42, lambda: patch.object(attack, "SHIELD_MISS", 8)),
    "a step of knock-back for 16": ("", 0, lambda: patch.dict(state.KNOCK, M=16)),
    "four seconds of helplessness a point": ("", 0, lambda: patch.object(aftermath, "HELPLESS_FOR", 4)),
    "a heavy crossbow drawn in 40 seconds": ("crossbow", 0, lambda: patch.object(content, "tables", _sooner)),
    "a dodge save of more than 16 on soap": ("ground", 0, lambda: patch.object(movement, "SLICK", 16)),
    "spells reach through smoke": ("ground", 3, lambda: patch.object(casting, "smoke_between", lambda *_: False)),
    "lamps that give no light": ("darkness", 6, lambda: patch.dict(statblock.LAMPS, clear=True)),
    "darkness costs nothing": ("darkness", 12, lambda: patch.object(knowledge.Light.DARK, "_value_", (0, 0))),
    "fog hides nobody": ("fog", 8, lambda: patch.object(knowledge, "sees", lambda state, side: -1)),
    "an untrained sense of 30": ("stealth", 0, lambda: patch.object(skills, "ABILITY", 30)),
}
"""What each is about, from which fight on one looks (those before take time and show nothing), how it is made."""


def caught_after(name: str, most: int = 250) -> int:
    """The number of the fight in which the twin differs from rules with this error; 0 if it never does."""
    subject, first, error = ERRORS[name]
    with error():
        for seed in range(first, most):
            if play(seed, frozenset({subject} - {""}))[2]:
                return seed + 1
    return 0

"""The dungeon's own turn: the event die with its reasons, the Die of Fate, lights that go out (cairn.md §1)."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING

from rules.cairn import conditions as cond
from rules.cairn.state import Resolution, light_of
from rules.contract.events import Note
from rules.contract.text import Term, text
from rules.contract.units import CreatureIx, numbered
from rules.explore.course import explored

if TYPE_CHECKING:
    from rules.cairn.explore.turns import Turns

"""A lesson: steps that a player completes by doing, in order, each at their own pace (assets/tutorial/*.toml).

Nothing waits for a lesson. What was done already need not be done again: its step is passed over.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from game.paths import asset
from rules.errors import BattlematError
from rules.wrong import place, reason

Deed = Literal[
    "selected", "considered", "free_steps", "moved", "undone", "in_reach", "aimed", "attacked", "unfolded",
    "ended", "chosen", "again", "why", "help", "over",
]  # fmt: skip
"""What a player can have done."""
Place = Literal["nothing", "order", "lit", "free", "near", "foe", "undo", "log", "end", "question", "again"]
"""What a step can point at."""


class Step(BaseModel):
    """One step: what it says, for the mouse and for the keys, and the deeds of which any completes it.

    `passed`: deeds after which it can't be done any more in this turn, so that it isn't asked for.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
    id: str = Field(min_length=1, max_length=40)
    title: str = Field(min_length=1, max_length=60)
    text: str = Field(min_length=1, max_length=400)
    notes: str = Field(default="", max_length=200)
    """The same with the keys."""
    points_at: Place = "nothing"
    done: Annotated[tuple[Deed, ...], Field(min_length=1)]
    passed: tuple[Deed, ...] = ()


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")
    step: Annotated[tuple[Step, ...], Field(min_length=1)]


def load_steps(name: str, known: Mapping[str, str], path: Path | None = None) -> tuple[Step, ...]:
    """The steps of a lesson, with the keys of commands (`known`: name -> key) put into their texts.

    Raises BattlematError with the file and the entry that is wrong.
    """
    path = path or asset("tutorial", f"{name}.toml")
    try:
        found = _File.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BattlematError(f"{path}: the lesson cannot be read ({error})") from None
    except ValidationError as error:
        first = error.errors()[0]
        raise BattlematError(f"{path}: {place(first)}: {reason(first)}") from None
    names = [step.id for step in found.step]
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice is not None:
        raise BattlematError(f"{path}: step {twice!r} is there twice; ids differ")
    return tuple(_filled(path, step, known) for step in found.step)


def _filled(path: Path, step: Step, known: Mapping[str, str]) -> Step:
    try:
        text, notes = step.text.format_map(known), step.notes.format_map(known)
    except (KeyError, ValueError, IndexError) as error:
        raise BattlematError(
            f"{path}: step {step.id!r}: {error} is no command of assets/keys.toml; {{undo}} stands for a key"
        ) from None
    return step.model_copy(update={"text": text, "notes": notes})


class Lesson:
    """How far a player has come with the steps."""

    def __init__(self, steps: tuple[Step, ...]) -> None:
        self.steps = steps
        self.done: set[str] = set()
        """What was done so far."""
        self._at = 0

    def did(self, *deeds: str) -> bool:
        """The player did something; whether another step is shown now."""
        before = self._at
        self.done |= set(deeds)
        while (step := self.step) is not None and self.done & {*step.done, *step.passed}:
            self._at += 1
        return self._at != before

    def skip(self) -> None:
        """Pass the present step over."""
        self._at += 1
        self.did()

    def stop(self) -> None:
        """Pass all steps over."""
        self._at = len(self.steps)

    @property
    def step(self) -> Step | None:
        """The step that is shown; None at the end."""
        return self.steps[self._at] if self._at < len(self.steps) else None

    @property
    def number(self) -> int:
        """Which step that is, from 1."""
        return self._at + 1

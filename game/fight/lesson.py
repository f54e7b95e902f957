"""A lesson: steps that a player completes by doing, each when it can be done (assets/tutorial/*.toml).

Nothing waits for a lesson. A step is shown only while what it speaks of is there, so that it is true whatever else was
clicked before; the first such step that is not done yet is the one. What was done unasked need not be done again.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from game.paths import asset
from rules.contract.errors import BattlematError, said
from rules.core.validate import place, reason

Deed = Literal[
    "selected", "considered", "free_steps", "moved", "undone", "opened", "in_reach", "aimed", "attacked", "unfolded",
    "ended", "chosen", "again", "why", "help", "over",
]  # fmt: skip
"""What a player can have done."""
Fact = Literal[
    "asked", "ways", "free", "undoable", "shut", "open", "apart", "reach", "told", "spent", "seen",
]  # fmt: skip
"""What can be so: the player is asked what to do; ways that cost lie open, or free ones; something may be taken back
for free; a door is shut, or none is; nobody or somebody is in reach; an attack stands in the log; something was paid
for and nothing useful is left to do; others have done something that was seen."""
Place = Literal[
    "nothing", "order", "paid", "free", "door", "near", "foe", "undo", "log", "end", "why", "again",
]  # fmt: skip
"""What a step can point at."""


class Step(BaseModel):
    """One step: what it says, for the mouse and for the keys, and the deeds of which any completes it.

    It is shown while all of `needs` are so. `passed`: facts that make it needless.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
    id: str = Field(min_length=1, max_length=40)
    title: str = Field(min_length=1, max_length=60)
    text: str = Field(min_length=1, max_length=400)
    notes: str = Field(default="", max_length=200)
    """The same with the keys."""
    points_at: Place = "nothing"
    needs: tuple[Fact, ...] = ()
    done: Annotated[tuple[Deed, ...], Field(min_length=1)]
    passed: tuple[Fact, ...] = ()
    last: bool = False
    """It waits for all others."""


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
        raise BattlematError("{path}: the lesson cannot be read ({error})", str(path), said(error)) from None
    except ValidationError as error:
        first = error.errors()[0]
        raise BattlematError("{path}: {first}: {first2}", str(path), place(first), reason(first)) from None
    names = [step.id for step in found.step]
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice is not None:
        raise BattlematError("{path}: step {twice} is there twice; ids differ", str(path), repr(twice))
    filled: list[Step] = []
    for step in found.step:
        try:
            texts = {"text": step.text.format_map(known), "notes": step.notes.format_map(known)}
        except (KeyError, ValueError, IndexError) as error:
            wrong = "{path}: step {id}: {error} is no command of assets/keys.toml; {{undo}} stands for a key"
            raise BattlematError(wrong, path=str(path), id=repr(step.id), error=said(error)) from None
        filled.append(step.model_copy(update=texts))
    return tuple(filled)


class Lesson:
    """How far a player has come with the steps."""

    def __init__(self, steps: tuple[Step, ...]) -> None:
        self.steps = steps
        self.over: set[str] = set()
        """Ids of the steps that are done, or passed over."""
        self._facts: frozenset[str] = frozenset()

    def see(self, facts: Iterable[str]) -> bool:
        """How things are now; whether another step is shown."""
        before = self.step
        self._facts = frozenset(facts)
        self.over |= {step.id for step in self.steps if self._facts & set(step.passed)}
        return self.step is not before

    def did(self, *deeds: str) -> bool:
        """The player did something; whether another step is shown now."""
        before = self.step
        self.over |= {step.id for step in self.steps if set(deeds) & set(step.done)}
        return self.step is not before

    def skip(self) -> None:
        """Pass the present step over."""
        if self.step is not None:
            self.over.add(self.step.id)

    def stop(self) -> None:
        """Pass all steps over."""
        self.over = {step.id for step in self.steps}

    @property
    def step(self) -> Step | None:
        """The step to show: the first that is not over and can be done now; None for now, or at the end."""
        left = [step for step in self.steps if step.id not in self.over]
        counted = [step for step in left if not step.last]
        now = (step for step in left if self._facts >= set(step.needs) and not (step.last and counted))
        return next(now, None)

    @property
    def finished(self) -> bool:
        """Whether nothing is left that counts."""
        return all(step.id in self.over for step in self.steps)

    @property
    def count(self) -> tuple[int, int]:
        """(which step is shown, from 1; how many there are)."""
        return min(len(self.steps), 1 + len(self.over)), len(self.steps)

"""Temperaments: what a creature minds more than others do, a table for each in assets/ai/weights.toml."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Amount = Annotated[float, Field(ge=0)]
Count = Annotated[int, Field(ge=0)]


class Section(BaseModel):
    """A table of the file. Each number stands there and nowhere else."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Temper(Section):
    """How one temperament weighs its options; 1 is about the value of felling one ordinary creature."""

    summary: str = ""
    damage: Amount
    finish: Amount
    focus: Amount
    later: Annotated[float, Field(ge=0, le=1)]
    harm: Amount
    death: Amount
    approach: Amount
    patience: Amount
    flee: Amount
    company: Amount
    wary: Annotated[float, Field(ge=0, le=1)]
    distance: Amount
    room: Amount
    aid: Amount
    points: Amount

    @property
    def dread(self) -> float:
        """How much it minds what a bold deed may cost itself: 1 for who weighs everything alike."""
        return (self.harm + self.death) / 1.2

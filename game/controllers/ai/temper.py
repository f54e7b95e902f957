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
    """For taking all the hit points that a foe has left; in proportion for less."""
    finish: Amount
    """For a foe that can fight no more."""
    focus: Amount
    """For striking whom the others can strike as well, or who is hurt already."""
    later: Annotated[float, Field(ge=0, le=1)]
    """What a blow with the points kept back is worth beside one now."""
    harm: Amount
    """Against losing all of one's own hit points, in proportion."""
    death: Amount
    """Against the chance of being felled."""
    approach: Amount
    """For getting four spaces nearer to a foe that is out of reach."""
    patience: Amount
    """For letting a foe come instead of going to it."""
    flee: Amount
    """For getting away from foes, by how badly hurt or outnumbered one is."""
    company: Amount
    """For fleeing towards friends, beside fleeing at all."""
    wary: Annotated[float, Field(ge=0, le=1)]
    """How much of the wish to approach goes with the hit points."""
    distance: Amount
    """For each space between a shooter and the nearest foe, up to eight."""
    room: Amount
    """Against stopping in a narrow place, for each friend who can't get past to a foe."""
    aid: Amount
    """For a friend saved from dying."""
    points: Amount
    """What a point costs that serves nothing else."""

    @property
    def dread(self) -> float:
        """How much it minds what a bold deed may cost itself: 1 for who weighs everything alike."""
        return (self.harm + self.death) / 1.2

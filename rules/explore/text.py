"""What of an exploration is told alike under all rules."""

from __future__ import annotations

from collections.abc import Sequence

from rules.contract import events as ev
from rules.contract.events import NoiseKind
from rules.contract.text import Creature, text
from rules.explore.procedure import Body
from rules.explore.state import Ending

_NOISES = {
    NoiseKind.STEPS: "{who} hears footsteps {where}.",
    NoiseKind.VOICES: "{who} hears voices {where}.",
    NoiseKind.SHOUT: "{who} hears a shout {where}.",
    NoiseKind.FIGHTING: "{who} hears the din of a fight {where}.",
    NoiseKind.DOOR: "{who} hears a door {where}.",
    NoiseKind.BREAKING: "{who} hears something break {where}.",
    NoiseKind.FALLING: "{who} hears something heavy fall {where}.",
    NoiseKind.TRAP: "{who} hears a trap go off {where}.",
    NoiseKind.SPELL: "{who} hears words of power {where}.",
    NoiseKind.WATER: "{who} hears water {where}.",
    NoiseKind.BEAST: "{who} hears something breathe {where}.",
}
NEAR, FAR = 6, 14
"""Spaces up to which a noise is told as near by, and as some way off."""


def tell(bodies: Sequence[Body], event: ev.Event, *, exploring: bool) -> str | None:
    """A line of the story; None for what is not told here, empty for what needs no words. `exploring`: whether there
    is an exploration at all."""
    match event:
        case ev.Began(what="exploration") if event.number > 1:
            return "It is quiet again. The party goes on."
        case ev.Began(what="exploration"):
            return "Nobody is known to have noticed the party yet."
        case ev.Began(what="truce"):
            return ""
        case ev.Began(what="fight") if exploring:
            return "Danger! It comes to blows."
        case ev.Noise():
            return _noise(bodies, event)
        case ev.Over(because=Ending.SLIPPED_PAST):
            return "The party slips away, and nobody has noticed it."
        case ev.Over(because=Ending.OUT_AGAIN):
            return "The party is out again."
        case ev.Over(because=Ending.GAVE_UP):
            return "The party gives its expedition up."
        case ev.Over(because=Ending.SURRENDERED):
            return "The party has laid down its arms, and lives."
        case ev.Over(because=Ending.STRANDED):
            return "Nobody comes to help, and nobody of the party gets up again."
    return None


def _noise(bodies: Sequence[Body], event: ev.Noise) -> str:
    """By whoever hears it best."""
    if not event.heard:
        return ""
    name, spaces = min(event.heard, key=lambda each: each[1])
    who = next((Creature(body.name, body.id) for body in bodies if body.id == name), None)
    if who is None:
        return ""
    if event.what is NoiseKind.FIGHTING and spaces <= NEAR:
        return ""  # who stands in it needs no telling
    where = "close by" if spaces <= NEAR else "some way off" if spaces <= FAR else "far off"
    return text(_NOISES[event.what], who=who, where=text(where))

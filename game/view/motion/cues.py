"""What is heard of what is shown: sounds of motions by the share of their time, and of events that have none."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from game.sound.effects import NAMES, from_afar
from game.view.motion.pictures import Motion
from rules.contract import events as ev
from rules.contract.events import NoiseKind

Cue = tuple[float, str]
Floor = Callable[[float, float], str]
"""What the floor of a space, by column and row, is made of."""
LANDS = 0.45
"""Share of a blow's time at which it lands."""
STEPS = 4
"""Footfalls of a walk at most, however long it is."""
UNDERFOOT = {
    **dict.fromkeys(("wood", "bridge", "planks", "table"), "step wood"),
    **dict.fromkeys(("grass", "leaves", "moss", "rug", "carpet"), "step grass"),
    **dict.fromkeys(("earth", "sand", "gravel"), "step earth"),
    **dict.fromkeys(("mud", "silt", "swamp"), "step mud"),
    **dict.fromkeys(("shallows", "water", "puddle"), "step water"),
}
"""A footfall by the material of the floor; on stone and whatever else it is a plain `step`."""
OF_CHALLENGE = {"found": "found", "open": "chest", "disarmed": "disarm", "sprung": "trap", "cleared": "rubble"}
OF_ITEM = {
    "lit": "kindle", "put_out": "hiss", "burnt_out": "hiss", "picked_up": "take", "dropped": "take", "readied": "take",
    "put_away": "take", "spent": "take", "broken": "break",
}  # fmt: skip
CLOSE = 2
"""Spaces within which a noise is no noise from afar: whatever makes it sounds by itself."""
ONLY_HEARD = (NoiseKind.SHOUT, NoiseKind.VOICES, NoiseKind.BEAST)
"""What makes no sound by itself where it is seen."""


def cues_of(motion: Motion, floor: Floor | None = None) -> tuple[Cue, ...]:
    """The sounds of a motion by the share of its time, ascending."""
    match motion.kind:
        case "walk":
            steps = max(1, min(STEPS, len(motion.points) - 1))
            return tuple(((n + 0.5) / steps, _footfall(motion, (n + 1) / steps, floor)) for n in range(steps))
        case "leap":
            return ((0.95, _footfall(motion, 1.0, floor)),)
        case "stairs":
            return ((0.1, "step"), (0.7, "step"))
        case "blow":
            return ((LANDS, "hit" if motion.hurt else "miss"),)
        case "shot":
            return ((0.0, "bow"), (0.95, "hit" if motion.hurt else "miss"))
        case "spell":
            return ((0.0, "fizzle" if motion.in_vain else "spell"),)
        case "dice" | "door":
            return ((0.0, motion.kind),)
        case "fall":
            return ((0.0, "death"),)
    return ()


def _footfall(motion: Motion, share: float, floor: Floor | None) -> str:
    if floor is None or not motion.points:
        return "step"
    return UNDERFOOT.get(floor(*motion.points[round(share * (len(motion.points) - 1))]), "step")


def heard_of(event: ev.Event, *, still: bool = True) -> str:
    """The sound of an event beside that of its motion, if it has any (else it is `still`); empty for none."""
    match event:
        case ev.Challenge():
            return OF_CHALLENGE.get(event.state, "")
        case ev.Item(how="picked_up" | "dropped"):
            words = event.item.lower().split()
            return "coins" if {"coin", "coins", "gold"} & {*words} else "key" if "key" in words else "take"
        case ev.Item():
            return OF_ITEM.get(event.how, "")
        case ev.Door(state="broken"):
            return "break"
        case ev.Door() if still:  # it was locked, or unlocked
            return "lock"
        case ev.Healing() if event.amount:
            return "heal"
        case ev.Goal(state="done"):
            return "goal"
        case ev.Freed():
            return "disarm"
        case ev.Began(what="truce"):
            return "truce"
    return ""


def heard_across(noise: ev.Noise, ears: Collection[str]) -> str:
    """What a noise is to whoever listens with the ears of these creatures; empty where none of them hears it.

    What they see the maker of, or stand beside, sounds by itself.
    """
    spaces = 0 if noise.by in ears else noise.nearest(ears)
    if spaces is None:
        return ""
    if noise.by or spaces <= CLOSE:
        return from_afar(noise.what, 0) if noise.what in ONLY_HEARD else ""
    return from_afar(noise.what, spaces)


def weightiest(motions: Iterable[Motion]) -> str:
    """The one sound that stands for motions that were skipped; empty for none."""
    names = [name for motion in motions for _, name in motion.cues]
    return max(names, key=NAMES.index, default="")

"""What is heard of a motion, and when: a name of `game.app.sounds.SOUNDS` at a share of its time."""

from __future__ import annotations

from collections.abc import Iterable

from game.view.motion.pictures import Motion

LANDS = 0.45
"""Share of a blow's time at which it lands."""
WEIGHT = ("step", "dice", "miss", "door", "spell", "hit", "death", "danger")
"""Sounds, the one that matters most last: where much is skipped, it alone is heard."""
STEPS = 4
"""Footfalls of a walk at most, however long it is."""

Cue = tuple[float, str]


def cues_of(motion: Motion) -> tuple[Cue, ...]:
    """The sounds of a motion by the share of its time, ascending."""
    match motion.kind:
        case "walk":
            steps = max(1, min(STEPS, len(motion.points) - 1))
            return tuple(((n + 0.5) / steps, "step") for n in range(steps))
        case "leap":
            return ((0.95, "step"),)
        case "blow" | "shot":
            return ((LANDS if motion.kind == "blow" else 0.95, "hit" if motion.hurt else "miss"),)
        case "dice" | "door" | "spell":
            return ((0.0, motion.kind),)
        case "fall":
            return ((0.0, "death"),)
    return ()


def weightiest(motions: Iterable[Motion]) -> str:
    """The one sound that stands for motions that were skipped; empty for none."""
    names = [name for motion in motions for _, name in motion.cues]
    return max(names, key=WEIGHT.index, default="")

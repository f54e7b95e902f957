"""What rules a deed out at a glance: most of the many deeds need something that isn't there, and are never asked.

A deed is only left out where it has no instance at all; whatever isn't listed here is always asked.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping

from rules.olde.actions.deeds import Look
from rules.olde.actions.locks import has_keys
from rules.olde.builds import builds_of
from rules.olde.combat.fighting import usable
from rules.olde.state import Setup

IDLE: Mapping[str, Callable[[Look], bool]] = {
    "free_steps": lambda look: not look.figure.free,
    "step": lambda look: not look.left,
    "run": lambda look: not look.left or not look.setup.advanced,
    "swim": lambda look: look.setup.obstacles is None,
    "leap": lambda look: not look.left,
    "rise": lambda look: look.figure.posture == "standing",
    "drop": lambda look: not look.left or look.figure.posture == "prone",
    "attack": lambda look: look.left < 2 or not usable(look, "attack").far,
    "rushed_attack": lambda look: not look.left or not usable(look, "rushed_attack").far,
    "all_out_attack": lambda look: not look.left or not usable(look, "all_out_attack").far,
    "aimed_shot": lambda look: look.left < 3 or not usable(look, "aimed_shot").far,
    "shield_block": lambda look: (
        look.left < 2 or not any(item in look.setup.armoury.shields for item in look.figure.hands)
    ),
    "cast": lambda look: not look.fighter.spells,
    "use": lambda look: not look.left or not look.figure.items,
    "first_aid": lambda look: not look.left,
    "recover": lambda look: not look.left or not _wanting(look),
    "reset_crossbow": lambda look: not look.figure.unset,
    "drop_item": lambda look: not look.figure.hands,
    "pick_up": lambda look: not look.left or not look.state.floor,
    "open": lambda look: not look.left or not look.field.doors,
    "close": lambda look: not look.left or not look.field.doors,
    "unlock": lambda look: not look.figure.keys,
    "lock": lambda look: not look.figure.keys,
    "take_key": lambda look: not look.left or not has_keys(look.field),
    "force": lambda look: not look.left or not look.field.doors,
    "guide": lambda look: look.left < 2,
    "call_for_help": lambda look: look.fighter.traits is None or not look.fighter.traits.call,
    "search": lambda look: not look.state.found,
    "tackle": lambda look: not look.field.challenges,
    "assist": lambda look: look.left < 2,
    "intimidate": lambda look: look.left < 2,
    "flop": lambda look: look.figure.posture == "prone",
}
"""Deed -> whether it is ruled out. Nothing is read here but what `means` tells."""


def _wanting(look: Look) -> bool:
    """Whether any pool could be filled up."""
    return look.figure.mana < look.fighter.mana_max or look.figure.faith < look.fighter.faith_max


def means(look: Look) -> Hashable:
    """All of a situation that rules deeds out: the same means, the same deeds to ask, in any fight."""
    figure, state, setup = look.figure, look.state, look.setup
    return (
        builds_of(setup)[look.who], look.left, figure.hands, figure.posture, figure.free > 0, not figure.unset,
        not figure.items, not figure.keys, not look.fighter.spells, not state.floor, not state.found, _wanting(look),
        _ground(setup),
    )  # fmt: skip


def _ground(setup: Setup) -> tuple[bool, ...]:
    """What a map has: doors, keys to them, challenges, obstacles. Remembered."""
    found: tuple[bool, ...] | None = setup.memo.get("ground")
    if found is None:
        field = setup.field
        found = setup.memo["ground"] = (
            not field.doors, has_keys(field), not field.challenges, setup.obstacles is None
        )  # fmt: skip
    return found

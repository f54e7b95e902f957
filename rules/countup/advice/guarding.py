"""How a fighter of the computer's stands on guard: whom it waits for with its weapon, whether it steps after a foe."""

from __future__ import annotations

from collections.abc import Iterator

from rules.contract.actions import Action
from rules.contract.planning import Measure
from rules.countup.actions.context import Look
from rules.countup.actions.movement import pace
from rules.countup.actions.orders import INTENTS
from rules.countup.state import SPACE, able, in_hand, sizes_of, weapon_of

SOON = 4
"""Seconds within which a foe must be able to come for one to wait for it: one thinks again only after ten."""
EAGER = 0.05
"""What being set to step after foes is worth: it costs nothing."""


def on_guard(look: Look) -> Action:
    """To do nothing else: to wait for the foe who may be there soonest, and strike on contact; else a second's rest."""
    end = Action(look.being.id, "end")
    weapon = weapon_of(look.setup, look.who, look.weapon)
    if weapon.ranged or look.begun() or look.engaged() or look.figure.due > look.state.second + SOON:
        return end
    foes = [foe for foe in look.others() if _comes_soon(look, foe)]
    if not foes:
        return end
    foe = look.setup.beings[min(foes, key=lambda other: (_spaces(look, other), other))].id
    for do, option in (("hold_at_bay", "jab"), ("attack", None)):
        wait = Action(look.being.id, do, target=foe, weapon=look.weapon, option=option)
        if INTENTS[do].refusal(look, wait) is None:
            return wait
    return end


def _spaces(look: Look, other: int) -> int:
    there = look.state.figures[other].cell
    return look.terrain.distance(look.figure.cell, there, *sizes_of(look.setup, look.who, other))


def _comes_soon(look: Look, other: int) -> bool:
    """Whether a foe is on its way, free to come, and may be there before one would think again."""
    being, figure = look.setup.beings[other], look.state.figures[other]
    if being.side == look.being.side or not able(figure, look.state.second) or figure.contacts:
        return False
    if figure.moved < look.state.second - 1 or figure.held_by >= 0:
        return False
    weapon = weapon_of(look.setup, other, in_hand(look.setup, other, figure))
    mine = weapon_of(look.setup, look.who, look.weapon)
    stride = max(pace(being, "jog"), pace(being, "run"))
    gap = _spaces(look, other) - max(weapon.squares, mine.squares)
    return not weapon.ranged and 0 <= gap * SPACE <= SOON * stride


def pressing(look: Look) -> Iterator[Measure]:
    """Who fights hand to hand steps after foes that give ground or are knocked back; who reaches farther keeps off."""
    mine = weapon_of(look.setup, look.who, look.weapon)
    if mine.ranged or not look.figure.contacts:
        return
    figures = look.state.figures
    theirs = (
        weapon_of(look.setup, i, in_hand(look.setup, i, figures[i])).reach for i in look.figure.contacts
    )
    wanted = mine.reach <= max(theirs)
    if wanted != look.figure.press:
        action = Action(look.being.id, "policy", option="press" if wanted else "keep")
        yield Measure(action, 0, "guard", 1.0, EAGER, aside=True)

"""What an attack does to what is in hand: drawn before it, thrown with it (cairn.md §2.12)."""

from __future__ import annotations

from rules.cairn.gear import IMPROVISED, UNARMED, Weapon
from rules.cairn.statblock import hands_taken
from rules.cairn.state import Lying, Work
from rules.contract.events import Item


def take_in_hand(work: Work, who: int, weapon: Weapon) -> None:
    """Draw what is used: free, once a turn, at the cost of what else was held (cairn.md §2.12)."""
    if weapon.natural or weapon.name in (UNARMED.name, IMPROVISED.name):
        return
    figure = work.figures[who]
    spare, drawn, pack = list(figure.hands), list[str](), list(figure.pack)
    for name in weapon.name.split(" + "):
        if name in spare:
            spare.remove(name)
        elif name in pack:
            pack.remove(name)
            drawn.append(name)
    if not drawn:
        return
    held = [*figure.hands, *drawn]
    while spare and hands_taken(work.setup.armoury, tuple(held)) > (1 if figure.one_armed else 2):
        held.remove(spare[0])
        pack.append(spare.pop(0))
    work.change(who, hands=tuple(held), pack=tuple(pack))
    work.events.append(Item(by=work.being(who).id, item=weapon.name, how="readied"))


def let_fly(work: Work, by: int, weapon: Weapon, target: int) -> None:
    """A thrown weapon leaves the hand and lies in the target's space, if it was thrown at all."""
    figure, goal = work.figures[by], work.figures[target].cell
    space, foe = work.being(by).space, work.being(target).space
    if goal < 0 or work.terrain.distance(figure.cell, goal, space, foe) <= weapon.reach:
        return
    if weapon.name in figure.hands:
        hands = list(figure.hands)
        hands.remove(weapon.name)
        work.change(by, hands=tuple(hands))
        if not weapon.blast:  # what bursts is gone
            work.floor = (*work.floor, Lying(weapon.name, goal))
        work.events.append(Item(by=work.being(by).id, item=weapon.name, how="thrown", at=work.space(goal)))

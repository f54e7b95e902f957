"""Ground that is given to a blow, and the free blow at who flees (countup.md §2.6)."""

from __future__ import annotations

import msgspec

from rules.contract.actions import Action
from rules.contract.events import Question
from rules.countup.actions.movement import behind, pace
from rules.countup.combat.melee import speed_of
from rules.countup.combat.reach import in_reach
from rules.countup.combat.strikes import together
from rules.countup.state import Blow, Choice, Order, Work, able, free_hand, in_hand, weapon_of


def ask_ground(work: Work) -> None:
    """Whoever may give ground to a blow says so before the dice fall."""
    asked = []
    for number, blow in enumerate(work.blows):
        if maygive_ground(work, blow):
            policy = work.figures[blow.target].policy
            if policy == "yield":
                give_ground(work, number)
            elif policy == "ask":
                options = (
                    ("stand", "yield", "scamper")
                    if work.setup.options["scamper_back"]
                    else ("stand", "yield")
                )
                asked.append(Choice(blow.target, "give_ground", options, blow.by, number))
    work.choices = tuple(asked)
    for choice in asked:
        being = work.being(choice.by)
        work.events.append(
            Question(by=being.id, kind=choice.kind, options=choice.options, about=work.being(choice.other).id)
        )


def maygive_ground(work: Work, blow: Blow) -> bool:
    """A free space behind, an attacker who is no faster a walker and does not charge (countup.md §2.6)."""
    figure, foe = work.figures[blow.target], work.figures[blow.by]
    if blow.kind in ("free", "unarmed", "charge") or not able(figure, work.second) or figure.prone:
        return False
    if figure.casting is not None or figure.under("bound") or foe.stance == "charging":
        return False
    if figure.exposed or figure.stance == "charging":
        return False
    if pace(work.being(blow.by), "walk") > pace(work.being(blow.target), "walk"):
        return False
    return behind(work, blow.target, blow.by) is not None


def give_ground(work: Work, number: int) -> None:
    blow = work.blows[number]
    work.blows = (
        *work.blows[:number],
        msgspec.structs.replace(blow, yielded=True),
        *work.blows[number + 1 :],
    )


def at_the_fleeing(work: Work, choice: Choice, option: str) -> None:
    """A free blow, and no pursuit for half a weapon's time; or after it at one's own pace (B24)."""
    figure, fleer = work.figures[choice.by], work.figures[choice.other]
    name = free_hand(work.setup, choice.by, figure)
    weapon = weapon_of(work.setup, choice.by, name)
    if option == "strike":
        half = -(-speed_of(work.done(), choice.by, weapon, "attack") // 2)
        work.change(choice.by, no_pursuit=work.second + half)
        if in_reach(work.done(), choice.by, choice.other, weapon):
            together(work, [Blow(choice.by, choice.other, name, "free")])
        return
    order = fleer.order
    if order is not None and order.path and work.second >= figure.no_pursuit:
        way = (fleer.cell, *order.path[:-1])
        name = in_hand(work.setup, choice.by, figure)
        strikes = not weapon_of(work.setup, choice.by, name).ranged
        target = work.being(choice.other).id
        follow = Action(work.being(choice.by).id, "attack", target=target, weapon=name) if strikes else None
        work.change(choice.by, order=Order(way, "sprint", follow, True, given=work.second))

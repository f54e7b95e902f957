"""An action of a chance carried out: paid, noted and done; and the answers to what it asks (olde.md §4)."""

from __future__ import annotations

from rules.contract.actions import Action
from rules.contract.events import Chosen
from rules.olde.actions.deeds import Look, spend
from rules.olde.actions.items import DoorWork
from rules.olde.actions.legal import DEEDS, option_of
from rules.olde.combat import outcomes, reactions
from rules.olde.combat.reflexes import answer_attack
from rules.olde.state import Chance, Work
from rules.olde.turns import answer_pool


def act(work: Work, look: Look, action: Action) -> None:
    """Pay, note what the chance has done, and do it."""
    deed = DEEDS[action.do]
    cost = deed.cost(look, action)
    spend(work, look.who, cost)
    work.chance = _after(look, action.do, deed.face.group, cost)
    deed.perform(work, action, cost)


_ONLY = {do: int(deed.face.cost[0]) for do, deed in DEEDS.items() if deed.face.cost.endswith("/Only")}
"""Deeds that may be paid with all AP there are -> what they cost in full."""


def _after(look: Look, do: str, group: str, cost: int) -> Chance:
    chance = look.chance
    only = chance.only or 0 < cost < _ONLY.get(do, 0)
    freed, moved, acted = chance.freed, chance.moved, chance.acted
    start = chance.start
    if start < 0 and (group == "First" or group == "Move"):
        start = look.figure.cell
    if group == "First":
        freed = True
    elif group == "Move" or (isinstance(DEEDS[do], DoorWork) and look.move_open() is None):
        moved = True
    elif do != "drop_item":
        acted = True
    return Chance(chance.who, chance.spent + cost, freed, moved, acted, only, start)


def answer(work: Work, action: Action) -> None:
    """Carry out the answer to the question that stands open."""
    question = work.question
    assert question is not None
    option = option_of(question.options, action.option)
    assert option is not None
    work.events.append(Chosen(by=action.by, kind=question.kind, option=option))
    if question.kind == "recover_pool":
        answer_pool(work, option)
        return
    if question.kind in reactions.DECLINE:
        answer_attack(work, option)
        return
    work.question = None
    weapon = work.setup.armoury.weapons[question.weapon]
    outcomes.carry_out(work, question.who, question.other, option, weapon)

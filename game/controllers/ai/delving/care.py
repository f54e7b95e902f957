"""What is seen to at once, where one stands: the dying, wounds, spent powers, light, what lies about."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from game.controllers.ai.delving.memory import deed
from game.controllers.ai.delving.view import View
from rules.board.sight import dark
from rules.contract.actions import Action
from rules.contract.text import N

Idea = tuple[str, Action]
"""Why, in words, and what."""


class ForWounds(StrEnum):
    """Why something is done for wounds: while that goes on the party waits."""

    MENDING = N("wounds are seen to")
    GATHERING = N("powers are gathered")
    VISIT = N("to somebody who is hurt")


UP = ("rise", "stand", "steady", "break_free")
SAVING = ("first_aid", "bind", "bandage", "help")
"""Words of deeds by hand for who lies there."""
MAGIC = ("cast", "use")
HANDS = ("bandage", "bind")
RESTS = ("rest",)
TAKING = ("take_key", "open_chest", "loot", "sort")
POWERS = ("mana", "faith")
"""Tones of bars that are spent on spells."""
IN_HAND = "in hand"
"""The note of what is drawn."""


def on_ones_feet(view: View) -> Iterator[Idea]:
    """Whoever lies there gets up."""
    for word in UP:
        for action in view.actions(word):
            yield "on one's feet", action


def saving(view: View) -> Iterator[Idea]:
    """Friends who lie there beside one are seen to before all else."""
    lying = {m.id: m for m in view.fallen}
    if not lying:
        return
    for word in (*SAVING, *MAGIC):
        for action in view.actions(word):
            if action.target in lying and _may(view, action, view.w.saves) and (word in SAVING or _heals(view, action)):
                yield "somebody dying is seen to", action


def healing(view: View) -> Iterator[Idea]:
    """Wounds are seen to: by rest where that gives something back, by hand, by spells and draughts."""
    if not view.quiet:
        return
    if view.me.life < view.me.most:
        for word in RESTS:
            for action in view.actions(word):
                if _may(view, action, view.w.rests):
                    yield "a rest", action
    for patient in view.hurt:
        for word in (*HANDS, *(MAGIC if view.room > view.w.room else MAGIC[1:])):  # spells may tire who casts them
            if word == "use" and patient.life > view.w.dose * patient.most:
                continue  # what is drunk is gone
            for action in view.actions(word):
                if (action.target or view.who) != patient.id or not _may(view, action, view.w.cares):
                    continue
                if word in HANDS or _heals(view, action):
                    yield ForWounds.MENDING, action


def gathering(view: View) -> Iterator[Idea]:
    """Spent powers come back by a meal or a camp, where somebody still needs them."""
    if not view.quiet or not view.hurt:
        return
    for word in ("meal", "camp"):
        for action in view.actions(word):
            if _may(view, action, view.w.camps) and _spent(view):
                yield ForWounds.GATHERING, action


def heals(view: View) -> bool:
    """Whether somebody can cast what heals others: that is known to, or nobody has found it in vain yet."""
    vain = view.memory.vain
    return view.room > view.w.room and any(action.item not in vain for action in view.actions("cast"))


def light(view: View) -> Iterator[Idea]:
    """Whoever leads lights up where no other light reaches."""
    if view.actions("light") and dark(view.table.terrain) and not view.lit_at(view.me.cell):
        for action in view.actions("light"):
            yield "a light to see by", action


def packing(view: View) -> Iterator[Idea]:
    """Some room stays free in one's pack, for what tires and for what is to be carried out: what was found on the way
    is let go for it, the last first, and what one came with only where nothing else makes room at all."""
    pack = view.pack
    if pack is None or view.room >= view.w.room:
        return
    spare = {action.item: action for action in view.actions("drop")}
    own = list(view.memory.kit.get(view.who, ()))
    found, brought = list[Action](), list[Action]()
    for held in pack.held:
        mine = held.label in own
        if mine:
            own.remove(held.label)
        if held.label in spare and held.slots and held.note != IN_HAND and held.label not in view.wanted:
            (brought if mine else found).append(spare[held.label])
    for action in (*reversed(found), *(reversed(brought) if view.room <= 0 else ())):
        yield "room in the pack", action


def taking(view: View) -> Iterator[Idea]:
    """What lies within reach is taken along, as often as it may come to something, and while there is room."""
    for word in ("free", *TAKING):
        if word == "loot" and view.room <= view.w.room:
            continue
        for action in view.actions(word):
            if view.memory.often(deed(action)) < view.w.takes:
                yield "somebody is freed" if word == "free" else "something is taken along", action
    for action in view.actions("pick_up"):
        if action.item in view.wanted and view.memory.often(deed(action)) < view.w.takes:
            yield "something is taken along", action


def _may(view: View, action: Action, most: int) -> bool:
    """Whether that was not done often enough since the last fight."""
    return view.memory.cared.get(deed(action), 0) < most


def _heals(view: View, action: Action) -> bool:
    """Whether a spell or a draught gives something back to somebody who is hurt; what doesn't is remembered, for as
    long as the patient is as it is: what is no help against scratches may be one against wounds."""
    useless, patient = view.memory.useless, view.table.minis.get(action.target or view.who)
    key = action.do, action.item, action.target, patient and patient.life, patient and patient.out
    if key in useless:
        return False
    odds = view.table.ruleset.odds(view.table.state, action)
    if odds is None or odds.healing <= 0:
        useless.add(key)
        if action.item not in view.memory.remedies:
            view.memory.vain.add(action.item)
        return False
    view.memory.remedies.add(action.item)
    view.memory.vain.discard(action.item)
    return True


def _spent(view: View) -> bool:
    """Whether some of one's powers are spent."""
    bars = view.table.ruleset.sheet(view.table.state, view.who).bars
    return any(bar.tone in POWERS and bar.value < bar.maximum for bar in bars)

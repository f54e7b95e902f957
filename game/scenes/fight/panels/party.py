"""What the window shows of a party that explores: its orders over the bar, its places in the order of play."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pygame

from game.app.i18n import t
from game.fight.seats import computers
from game.party.foresight import Foreseen, percent
from game.scenes.fight.party import NOTHING
from game.scenes.fight.quick import QUICK
from game.scenes.fight.spaces import Told
from game.scenes.fight.table import FightTable
from game.widgets.controls import Button, Label
from game.widgets.core import Space, Tip, Widget, column, row
from game.widgets.figures import Rule
from rules.contract.text import joined, text

_GIVE = "Alt+click gives it to the computer."
_BACK = "The computer plays it. Alt+click takes it back."
COMPUTER = "»"
"""The mark of whoever the computer plays for its player."""
PORTRAIT = "order "
"""What the key of a portrait in the order of play begins with; the creature's id follows."""
TRIM = 9
"""Pixels at 100 % between the edge of an order's button and its words: ten of them stand in one line."""
APART = "×"
"""The mark of whoever was taken out of the group."""


def pressed(fight: FightTable, name: str) -> None:
    """A portrait in the order of play was pressed: with Shift it leaves the group or comes back, with Ctrl it leads,
    with Alt the computer plays it, or no longer."""
    if fight.app.held(pygame.KMOD_ALT):
        fight.undoing.hand_over(name)
    elif fight.app.held(pygame.KMOD_SHIFT) and fight.marching.on:
        fight.marching.turn_apart(name)
    elif fight.app.held(pygame.KMOD_CTRL) and fight.marching.on:
        fight.marching.lead(name)
    else:
        fight.planning.look_at(name)


def portrait_of(widget: Widget | None) -> str | None:
    """Whose portrait in the order of play a widget is; None for any other."""
    key = widget.key if widget is not None else ""
    return key.removeprefix(PORTRAIT) if key.startswith(PORTRAIT) else None


def place_of(fight: FightTable, name: str) -> str:
    """Somebody's place in the marching order; empty for who isn't of the party."""
    marching = fight.marching
    if name in computers(fight.match.record):
        return COMPUTER
    if not marching.on or name not in (ours := marching.ours()) or len(ours) < 2:
        return ""
    company = marching.company
    return APART if name in company.apart else str(company.group(ours).index(name) + 1)


def told_of(fight: FightTable, name: str) -> str | None:
    """What the tooltip of a portrait says of its place in the party; None for who isn't of one."""
    place = place_of(fight, name)
    if not place:
        return None
    if place == COMPUTER:
        return _BACK
    if place == APART:
        return "Is moved alone. Shift+click puts it back into the group."
    told = "Leads the party." if place == "1" else text("Goes at place {place}.", place)
    return joined(" ", (told, "Shift+click takes it out of the group, Ctrl+click lets it lead.", _GIVE))


def played(fight: FightTable, name: str) -> str:
    """What the tooltip of somebody in a fight says of who plays it; empty for strangers."""
    if fight.seating.seats.of(name) != fight.seating.at:
        return ""
    return _BACK if name in computers(fight.match.record) else _GIVE


def strip(fight: FightTable, room: int, *, tight: bool) -> Widget | None:
    """The party's orders as buttons, each with what it takes and risks; None where no party explores.

    Each keeps its place, whatever the others come to say; where `room` pixels are too few for that, prices stand in
    the tooltips alone.
    """
    marching = fight.marching
    if marching.running:
        under_way = Label("The party carries out its order. A click or Esc stops it.", "text", "quiet")
        stop = Button("Stop", fight.doing("back"), slim=True, key="party stop", gold=True)
        return row(under_way, stop, gap=10, pad=6, plate="panel")
    if not marching.on:
        return None
    keys, parts = fight.app.keys.shown, list[Widget]()
    names, ours = marching.names(), marching.ours()
    alone = len(names) == 1 and len(ours) > 1
    whom = fight.names.get(names[0], "") if alone else "The party"
    manners = marching.manners()
    tip = Tip("How they go: quietly and slowly, or openly.", _keyed("Manner", keys("party_manner")))
    for word, label in manners if len(manners) > 1 else ():
        take = partial(marching.take_manner, word)
        parts.append(Button(label, take, slim=True, chosen=word == marching.manner, key=f"manner {word}", tip=tip))
    head = [Label(whom, "label!", "gold", one_line=True)] if not tight else []
    lead = column(*head, row(*parts, gap=3), gap=2, align="start")
    low = tight or _row(lead, _quick(fight, low=False), low=False).measure(fight.app.look, 9999)[0] > room
    return _row(lead, _quick(fight, low=low), low=low)


def _row(lead: Widget, quick: Sequence[Widget], *, low: bool) -> Widget:
    return row(lead, Rule(down=True), *quick, gap=4, pad=6 if low else 8, plate="panel", wrap=low)


def _quick(fight: FightTable, *, low: bool) -> list[Widget]:
    """A button for each quick order: dim where there is nothing of the kind; `low`: in one line, without its price."""
    marching, look, keys = fight.marching, fight.app.look, fight.app.keys.shown
    found, buttons = marching.offered(), list[Widget]()
    for each in QUICK:
        order = found.get(each.name)
        if order is None and not marching.place_kept(each.name):
            continue
        label, small = order.label if isinstance(order, Foreseen) else each.label, look.font("small")
        room = small.size(t(marching.longest(each)))[0]
        said = prices(order) if isinstance(order, Foreseen) else ("–",)
        price = next((words for words in said if small.size(t(words))[0] <= room), said[-1])
        told = joined("\n", (*order.notes, said[0])) if isinstance(order, Foreseen) else order or NOTHING
        call, tip = fight.doing(each.name), Tip(told or each.label, _keyed(each.label, keys(each.name)))
        button = Button(
            label, call, cost="" if low else price, slim=low, key=each.name, tip=tip,
            enabled=isinstance(order, Foreseen), on_refused=call,
        )  # fmt: skip
        wide = [look.width(t(name), button.style) for name in (label, each.label, each.further)]
        button.inset = TRIM
        button.wide = max([*wide, *([] if low else [room, small.size(t(price))[0]])])
        button.wide += 2 * look.px(8 if low else button.inset)
        buttons.append(button)
    return buttons


def prices(order: Foreseen) -> tuple[str, ...]:
    """What an order takes and risks, in whole, and shorter for where that has no room; the tooltip has the whole."""
    risk = percent(order.hazard.chance) if order.hazard is not None and order.odds else ""
    return order.told, joined(" · ", (order.cost, risk)) if risk else order.cost, order.cost


def _keyed(label: str, keys: str) -> str:
    return text("{label} ({keys})", label, keys)


def card(fight: FightTable, found: Foreseen, there: Told) -> Widget:
    """An order that a click would give: what it takes, and how likely anybody is noticed on the way."""
    parts: list[Widget] = [row(Label(found.label, "label!", "bright"), Space(grow=1), gap=8)]
    parts.append(Label(found.cost, "small", "gold"))
    if found.odds:
        risk = found.hazard.chance if found.hazard is not None else 0.0
        parts.append(Label(found.odds, "small", "coral" if risk > 0 else "text"))
    if found.hazard is not None:
        parts += [Label(note, "small", "quiet") for note, _ in found.hazard.notes]
    parts += [Label(note, "small", "quiet") for note in found.notes]
    parts.append(Label(there.title, "small", "faint"))
    parts += [Label(line, "small", "faint") for line in there.lines]
    return column(*parts, gap=3, pad=9, plate="panel", edge="gold")

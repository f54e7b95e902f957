"""Casting and using: Fatigue and danger, charges, then what the power does (cairn.md §2.10)."""

from __future__ import annotations

from rules.board.bitboard import cells_of
from rules.cairn.actions.plans import Context
from rules.cairn.belongings import drop_item, spend
from rules.cairn.combat.injury import wound
from rules.cairn.conditions import CASTING, DEPRIVED, INVISIBLE
from rules.cairn.gear import SLOTS, SPELLS, Gear
from rules.cairn.magic.deeds import HEARD, area_cells, missed, source, uses_left
from rules.cairn.magic.effects import affect, aim
from rules.cairn.magic.powers import Power
from rules.cairn.magic.worn import voiceless
from rules.cairn.saves import relieve, save_roll
from rules.cairn.state import Figure, Lasting, Resolution, Setup, filled
from rules.contract.actions import Action
from rules.contract.events import Cast, Condition, Note
from rules.core.dice import roll

BOOK_LOST = 6
"""Faces of the die of STR that a natural 20 costs beside the book (cairn.md §2.10)."""


def cast(resolution: Resolution, who: int, action: Action) -> None:
    """A power is used: Fatigue and the danger of a book first, then its effects (cairn.md §2.10)."""
    context = Context(resolution.done(), who)
    found = source(context, action.item)
    left = None if found is None else uses_left(context, *found)
    if found is None or left == 0:
        resolution.events.append(Note(text=f"{action.item}: nothing happens", by=context.being.id))
        return
    power, item = found
    spoken = HEARD in power.tags or (item is not None and item.kind == "book")
    if spoken and voiceless(context.setup, context.being, context.figure):
        resolution.events.append(Note(text=f"{action.item}: not a sound", by=context.being.id))
        return
    reason = missed(context, power, action)
    if reason is not None:
        resolution.events.append(Note(text=f"{action.item} does not reach that far", by=context.being.id))
        return
    book = item is not None and item.kind == "book"
    if book:
        resolution.change(who, lasting=(*resolution.figures[who].lasting, Lasting(CASTING.name, 1)))
        add_fatigue(resolution, who, action.item)
    if item is not None and item.kind in SPELLS:
        if in_danger(resolution.setup, resolution.figures[who]) and not _safe(resolution, who, item):
            _told(resolution, who, power, action, False, item)
            if item.kind == "scroll" and item.name in (
                *resolution.figures[who].hands,
                *resolution.figures[who].pack,
            ):
                drop_item(resolution, who, item.name, "spent")
            return
    relieve(resolution, who, INVISIBLE, "it acts")
    _told(resolution, who, power, action, True, item)
    _count(resolution, who, power, item)
    affect(resolution, who, power, action)


def _told(resolution: Resolution, who: int, power: Power, action: Action, success: bool, item: Gear | None) -> None:
    """The casting or the use itself; what comes of it follows in events of its own. Whom the danger has driven from the
    field by now works on no space."""
    place, being = resolution.figures[who].cell, resolution.being(who)
    goal = aim(resolution, who, action)
    wide = power.area != "one" and place >= 0
    cells = area_cells(resolution.terrain, power, place, being.space, goal) if wide else 0
    resolution.events.append(
        Cast(
            by=being.id, spell=power.name, what="fatigue" if item is not None and item.kind == "book" else "item",
            cost=1 if item is not None and item.kind == "book" else 0, success=success,
            target=action.target if action.target in resolution.setup.index else None,
            at=resolution.space(action.at) if action.at is not None else None,
            cells=tuple(resolution.space(cell) for cell in cells_of(cells)),
            item=item.name if item is not None and item.kind != "book" else "",
        )
    )  # fmt: skip


def in_danger(setup: Setup, figure: Figure) -> bool:
    """Whether casting asks for a save: always in a fight unless the option says otherwise, and of the deprived."""
    return setup.cast_saves or figure.has(DEPRIVED)


def _safe(resolution: Resolution, who: int, book: Gear) -> bool:
    """Casting in danger, from a book or a scroll: a WIL save, else it fizzles and tires; a natural 20 costs the book
    and blood."""
    passed, face = save_roll(resolution, who, "wil", "cast in danger")
    if passed:
        return True
    add_fatigue(resolution, who, book.name)
    if face == 20:
        drop_item(resolution, who, book.name, "broken")
        resolution.dice.thrower = resolution.being(who).id
        lost = roll(resolution.dice, "the spell turns", 1, BOOK_LOST, exploding=False)
        wound(resolution, who, lost.total, "the spell turns", direct=True, rolls=(lost,))
    return False


def add_fatigue(resolution: Resolution, who: int, reading: str | None = None) -> None:
    """One slot more; with none free the last item carried is dropped (cairn.md §6, A20), but neither what is worn nor
    what it is `reading`."""
    figure = resolution.figures[who]
    if filled(resolution.setup, figure) >= SLOTS:
        kept = (*resolution.being(who).wear, reading)
        spare = [
            item for item in (*figure.hands, *figure.pack) if resolution.setup.armoury.slots(item) and item not in kept
        ]
        if spare:
            drop_item(resolution, who, spare[-1], "dropped")
    resolution.change(who, fatigue=resolution.figures[who].fatigue + 1)
    resolution.events.append(Condition(target=resolution.being(who).id, condition="fatigue", gained=True))


def _count(resolution: Resolution, who: int, power: Power, item: Gear | None) -> None:
    if item is not None and item.kind == "scroll":
        drop_item(resolution, who, item.name, "spent")
    elif item is not None and item.charges:
        spend(resolution, who, item.name, item.charges)
    elif power.uses:
        used = dict(resolution.figures[who].used)
        used[power.name] = used.get(power.name, 0) + 1
        resolution.change(who, used=tuple(sorted(used.items())))

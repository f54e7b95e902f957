"""Casting and using: Fatigue and danger, charges, then what the power does (cairn.md §2.10)."""

from __future__ import annotations

from rules.board.bitboard import cells_of
from rules.cairn.actions.plans import Look
from rules.cairn.belongings import drop_item, spend
from rules.cairn.combat.injury import wound
from rules.cairn.gear import SLOTS, SPELLS, Gear
from rules.cairn.magic.deeds import HEARD, area_cells, missed, source, uses_left
from rules.cairn.magic.effects import affect, aim
from rules.cairn.magic.powers import Power
from rules.cairn.magic.worn import voiceless
from rules.cairn.saves import relieve, save_roll
from rules.cairn.state import Figure, Lasting, Setup, Work, filled
from rules.contract.actions import Action
from rules.contract.events import Cast, Condition, Note
from rules.core.dice import roll

BOOK_LOST = 6
"""Faces of the die of STR that a natural 20 costs beside the book (cairn.md §2.10)."""


def cast(work: Work, who: int, action: Action) -> None:
    """A power is used: Fatigue and the danger of a book first, then its effects (cairn.md §2.10)."""
    look = Look(work.done(), who)
    found = source(look, action.item)
    left = None if found is None else uses_left(look, *found)
    if found is None or left == 0:
        work.events.append(Note(text=f"{action.item}: nothing happens", by=look.being.id))
        return
    power, item = found
    spoken = HEARD in power.tags or (item is not None and item.kind == "book")
    if spoken and voiceless(look.setup, look.being, look.figure):
        work.events.append(Note(text=f"{action.item}: not a sound", by=look.being.id))
        return
    reason = missed(look, power, action)
    if reason is not None:
        work.events.append(Note(text=f"{action.item} does not reach that far", by=look.being.id))
        return
    book = item is not None and item.kind == "book"
    if book:
        work.change(who, lasting=(*work.figures[who].lasting, Lasting("casting", 1)))
        add_fatigue(work, who, action.item)
    if item is not None and item.kind in SPELLS:
        if in_danger(work.setup, work.figures[who]) and not _safe(work, who, item):
            _told(work, who, power, action, False, item)
            if item.kind == "scroll" and item.name in (*work.figures[who].hands, *work.figures[who].pack):
                drop_item(work, who, item.name, "spent")
            return
    relieve(work, who, "invisible", "it acts")
    _told(work, who, power, action, True, item)
    _count(work, who, power, item)
    affect(work, who, power, action)


def _told(work: Work, who: int, power: Power, action: Action, success: bool, item: Gear | None) -> None:
    """The casting or the use itself; what comes of it follows in events of its own. Whom the danger has driven from the
    field by now works on no space."""
    place, being = work.figures[who].cell, work.being(who)
    goal = aim(work, who, action)
    wide = power.area != "one" and place >= 0
    cells = area_cells(work.terrain, power, place, being.space, goal) if wide else 0
    work.events.append(
        Cast(
            by=being.id, spell=power.name, what="fatigue" if item is not None and item.kind == "book" else "item",
            cost=1 if item is not None and item.kind == "book" else 0, success=success,
            target=action.target if action.target in work.setup.index else None,
            at=work.space(action.at) if action.at is not None else None,
            cells=tuple(work.space(cell) for cell in cells_of(cells)),
            item=item.name if item is not None and item.kind != "book" else "",
        )
    )  # fmt: skip


def in_danger(setup: Setup, figure: Figure) -> bool:
    """Whether casting asks for a save: always in a fight unless the option says otherwise, and of the deprived."""
    return setup.cast_saves or figure.has("deprived")


def _safe(work: Work, who: int, book: Gear) -> bool:
    """Casting in danger, from a book or a scroll: a WIL save, else it fizzles and tires; a natural 20 costs the book
    and blood."""
    passed, face = save_roll(work, who, "wil", "cast in danger")
    if passed:
        return True
    add_fatigue(work, who, book.name)
    if face == 20:
        drop_item(work, who, book.name, "broken")
        work.dice.thrower = work.being(who).id
        lost = roll(work.dice, "the spell turns", 1, BOOK_LOST, exploding=False)
        wound(work, who, lost.total, "the spell turns", direct=True, rolls=(lost,))
    return False


def add_fatigue(work: Work, who: int, reading: str | None = None) -> None:
    """One slot more; with none free the last item carried is dropped (cairn.md §6, A20), but neither what is worn nor
    what it is `reading`."""
    figure = work.figures[who]
    if filled(work.setup, figure) >= SLOTS:
        kept = (*work.being(who).wear, reading)
        spare = [
            item
            for item in (*figure.hands, *figure.pack)
            if work.setup.armoury.slots(item) and item not in kept
        ]
        if spare:
            drop_item(work, who, spare[-1], "dropped")
    work.change(who, fatigue=work.figures[who].fatigue + 1)
    work.events.append(Condition(target=work.being(who).id, condition="fatigue", gained=True))


def _count(work: Work, who: int, power: Power, item: Gear | None) -> None:
    if item is not None and item.kind == "scroll":
        drop_item(work, who, item.name, "spent")
    elif item is not None and item.charges:
        spend(work, who, item.name, item.charges)
    elif power.uses:
        used = dict(work.figures[who].used)
        used[power.name] = used.get(power.name, 0) + 1
        work.change(who, used=tuple(sorted(used.items())))

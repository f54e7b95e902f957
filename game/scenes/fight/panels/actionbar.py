"""The action bar: every kind of action in its place with its key, greyed with the reason where it is not possible.

Places follow from what the offers say of themselves (group, order, rank), from the room and from the size of the text
alone, never from what is possible just now: hands learn them. What has no room waits in its own place behind More.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial

import pygame

from game.app.i18n import t
from game.scenes.fight.panels.card import percent
from game.scenes.fight.plan import Plan
from game.scenes.fight.table import FightTable
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Tip, Widget, column, row
from game.widgets.figures import LiveLines, Rule
from game.widgets.text import called
from game.widgets.theme import Look
from rules.contract.actions import Description, Offer
from rules.contract.text import Text, joined, ntext, text

GROUPS = {"First": 0, "Move": 1, "Act": 2, "End": 9}
"""The order of the bar's groups; others stand with Act."""
GAP, SMALL_GAP = 5, 4
LEAST, AIMED, ENDS, LAST = 84, 140, 112, 150
"""Widths at 100 % of large buttons, at least: any, of one that tells of a target, of what ends something, and of what
ends most. What they say changes, their places don't."""
TIGHT_AIMED, TIGHT_LAST = 108, 104
"""The same where room is scarce; what ends several things has as much as elsewhere."""
CHANCE = "100 %"
"""Room that a small button keeps for the chance of what it does."""
_FIGURE = re.compile(r"\d+")
UNTOLD = "Point at a deed: here stands what it does, or why it can't be done now."
CELL = 138
"""Width at 100 % of a low button behind More, at least."""
ROOMY = 212
"""The same of one that says its price or the reason against it: most stand on it whole."""


def shown_key(key: str) -> str:
    """A key as a chip writes it."""
    parts = [part for part in key.replace(" ", "+").split("+") if part]
    return "+".join(part[:1].upper() + part[1:] for part in parts)


class Bar:
    """Which offers have a button on the bar, and how large: those of rank 1 large, others below each other in twos."""

    def __init__(
        self,
        offers: Sequence[Offer],
        hints: Sequence[str],
        look: Look,
        room: int,
        *,
        tight: bool = False,
    ) -> None:
        self.offers, self.hints, self.look, self.tight = offers, hints, look, tight
        self.ends = [n for n, offer in enumerate(offers) if offer.description.group == "End"]
        self._room = room
        self._order = self._by_group()
        self._widths = [self._width(n) for n in range(len(offers))]
        self._shown = self._fitting()
        self.hidden = [n for n in self._order if n not in self._shown]
        """What waits behind More, in its order there."""

    def _by_group(self) -> list[int]:
        """All offers but the ends, group by group in the rules' order."""
        rest = (n for n in range(len(self.offers)) if n not in self.ends)
        return sorted(rest, key=lambda n: (GROUPS.get(self.group(n), 2), n))

    def group(self, n: int) -> str:
        """The heading under which an offer stands."""
        name = self.offers[n].description.group
        if self.tight and name == "First":
            return "Move"
        return name if name in GROUPS else "Act"

    def large(self, n: int) -> bool:
        """Whether an offer's button has a second line."""
        return n in self.ends or self.offers[n].description.rank == 1

    def width(self, n: int) -> int:
        """Pixels of an offer's button, whatever stands on it."""
        return self._widths[n]

    def _width(self, n: int) -> int:
        d, look = self.offers[n].description, self.look
        head = look.font("label!" if self.large(n) else "text").size(t(d.label))[0]
        small, hint = look.font("small"), self.hint(n)
        if not self.large(n):
            chance = small.size(CHANCE)[0] + look.px(6) if d.needs == "creature" else 0
            chip = small.size(hint)[0] + look.px(16) if hint else 0
            return head + chance + chip + 2 * look.px(8)
        chip = small.size(hint)[0] + look.px(20) if hint else 0
        cost = 0 if n in self.ends else small.size(_FIGURE.sub("00", t(d.cost)))[0]
        return max(max(head + chip, cost) + 2 * look.px(self.inset), look.px(self._least(n)))

    def _least(self, n: int) -> int:
        if n not in self.ends:
            aimed = TIGHT_AIMED if self.tight else AIMED
            return aimed if self.offers[n].description.needs == "creature" else LEAST
        if n != self.ends[-1]:
            return ENDS
        return TIGHT_LAST if self.tight and len(self.ends) == 1 else LAST

    @property
    def inset(self) -> int:
        """Between a large button's edge and its words, at 100 %."""
        return 8 if self.tight else 12

    @property
    def pad(self) -> int:
        return 7 if self.tight else 10

    @property
    def parting(self) -> int:
        """On either side of the line between two groups."""
        return 5 if self.tight else 9

    def hint(self, n: int) -> str:
        """The key on an offer's button; where room is scarce the end's stands in its tooltip alone."""
        return "" if self.tight and n in self.ends else shown_key(self.hints[n])

    def grouped(self) -> list[tuple[str, list[list[int]]]]:
        """The bar from left to right: groups with their columns of one large or up to two small buttons; -1 is More."""
        return self._grouped(self._shown)

    def _grouped(self, shown: Iterable[int]) -> list[tuple[str, list[list[int]]]]:
        members: dict[str, list[int]] = {}
        wanted = set(shown)
        for n in (*(n for n in self._order if n in wanted), *self.ends):
            members.setdefault(self.group(n), []).append(n)
        if len(wanted) + len(self.ends) < len(self.offers):
            inner = [name for name in members if name != "End"]
            members.setdefault(inner[-1] if inner else "Act", []).append(-1)
        ordered = sorted(members.items(), key=lambda entry: GROUPS.get(entry[0], 2))
        return [(name, self._columns(found)) for name, found in ordered]

    def _columns(self, members: Sequence[int]) -> list[list[int]]:
        wide = [[n] for n in members if n >= 0 and self.large(n)]
        small = [n for n in members if n < 0 or not self.large(n)]
        return wide + [small[i : i + 2] for i in range(0, len(small), 2)]

    def more_width(self) -> int:
        """Pixels of the button More."""
        look = self.look
        words = look.font("text").size(t("More"))[0] + look.font("small").size("M")[0]
        return words + look.px(16) + 2 * look.px(8)

    def _length(self, shown: Iterable[int]) -> int:
        """Pixels of the bar with these offers on it."""
        px, more = self.look.px, self.more_width()
        total = 2 * px(self.pad) - 2 * px(self.parting) - px(1)
        for _, columns in self._grouped(shown):
            wide = [max(more if n < 0 else self._widths[n] for n in each) for each in columns]
            total += sum(wide) + px(GAP) * (len(wide) - 1) + 2 * px(self.parting) + px(1)
        return total

    def _fitting(self) -> set[int]:
        """The offers that the bar holds, by rank and then by order."""
        rest = self._order
        if self._length(rest) <= self._room:
            return set(rest)
        shown: set[int] = set()
        for n in sorted(rest, key=lambda n: (self.offers[n].description.rank, n)):
            if self._length(shown | {n}) <= self._room:
                shown.add(n)
        return shown


def action_bar(fight: FightTable, plan: Plan, look: Look, bar: Bar) -> Widget:
    """The bar's buttons in their groups; in little windows and with large text without the groups' names."""
    tight, all_planned = bar.tight, plan.actor is None and bool(fight.planning.open())
    more = Button(
        "More", fight.choosing.open_more, hint="M", key="more", slim=True, chosen=fight.choices.more,
        tip=None if fight.choices.more else Tip(_more_told(plan, bar)),  # it would lie on the list
    )  # fmt: skip
    parts: list[Widget] = []
    for name, columns in bar.grouped():
        if parts:
            parts.append(Rule(down=True))
        made: list[Widget] = []
        for numbers in columns:
            buttons = [more if n < 0 else offer_button(fight, plan, bar, n) for n in numbers]
            made.append(column(*buttons, gap=SMALL_GAP, align="stretch") if buttons[0].slim else buttons[0])
        content = row(*made, gap=GAP, align="stretch")
        title = _Heading(" " if name == "End" or all_planned else name.upper(), "small", "quiet")
        if not parts and all_planned:
            title = _Heading("A click changes somebody's plan", "small", "quiet")
        parts.append(content if tight else column(title, content, gap=3, align="start"))
    return row(*parts, gap=bar.parting, pad=bar.pad, plate="panel", align="stretch")


class _Heading(Label):
    """A line over a group, which it makes no wider; where the next groups have none it runs on over them."""

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (1, super().measure(look, look.px(600))[1])

    def place(self, look: Look, rect: pygame.Rect) -> None:
        super().place(look, pygame.Rect(rect.topleft, super().measure(look, look.px(600))))


def _more_told(plan: Plan, bar: Bar) -> str:
    """What is possible behind More."""
    able = [t(plan.offers[n].description.label) for n in bar.hidden if plan.offers[n].refused is None]
    return (
        text("Possible now: {able}.", able=joined(", ", able))
        if able
        else "Nothing of what waits here is possible now."
    )


def more_panel(fight: FightTable, plan: Plan, look: Look, bar: Bar, room: tuple[int, int]) -> Widget:
    """What the bar has no room for, each in its place: as many columns as fit, read from the top down.

    Where that would take too much of the board, each is one low line; at the foot stands whole what is said of the one
    that is pointed at, or has the focus.
    """
    gap, pad = look.px(GAP), look.px(bar.pad)
    length = room[0] - 2 * pad - look.px(8) + gap
    low = False
    cells, columns = _cells(fight, plan, bar, length, low=low)
    high = max((sum(cell.measure(look, length)[1] + gap for cell in each) for each in columns), default=0)
    if high > room[1] // 2:
        low = True
        cells, columns = _cells(fight, plan, bar, length, low=low)
    told = {}
    for n, cell in zip(bar.hidden, cells, strict=True):
        d, refused = plan.offers[n].description, plan.offers[n].refused
        told[cell.key] = text(
            "{label}: {notes}",
            label=cell.label,
            notes=joined(" · ", (refused,) if refused else (*d.notes, d.cost)),
        )
        cell.tip = None  # it would lie on the bar, and says no more than the foot

    def pointed() -> str:
        at = next((cell for cell in cells if cell.hovered), None)
        at = at or next((cell for cell in cells if cell.focused), None)
        return told[at.key] if at is not None else UNTOLD

    grid = [column(*each, gap=SMALL_GAP if low else GAP, align="stretch") for each in columns]
    listing = Scroll(Box(grid, across=True, gap=GAP, align="start"), key="more panel")
    listing.grow = 1
    foot = LiveLines(pointed, "text", lines=2)
    return column(listing, foot, gap=GAP, pad=bar.pad, plate="night", edge="faint", align="stretch")


def _cells(
    fight: FightTable, plan: Plan, bar: Bar, length: int, *, low: bool
) -> tuple[list[Button], list[list[Button]]]:
    """The buttons behind More, and the same by columns, in so many pixels of width."""
    look = bar.look
    gap = look.px(GAP)
    cells: list[Button] = []
    for n in bar.hidden:
        button = offer_button(fight, plan, bar, n, whole=not low, listed=True)
        d, small = plan.offers[n].description, look.font("small")
        words = look.font("text" if low else "label!").size(t(d.label))[0] + small.size(bar.hint(n))[0]
        if low:
            price = _FIGURE.sub("00", t(d.cost)) + (CHANCE if d.needs == "creature" else "")
            words += small.size(price)[0] + look.px(16) + 2 * look.px(8)
        else:
            words += look.px(20) + 2 * look.px(12)
        button.wide = max(look.px(CELL if low else ROOMY), words)
        cells.append(button)
    wide = max((button.wide for button in cells), default=look.px(CELL))
    across = max(1, min(length // (wide + gap), 5))
    for button in cells:
        button.wide = min(max(wide, min(look.px(ROOMY), length // across - gap)), length - gap)
    high = max(1, -(-len(cells) // across))
    return cells, [cells[i : i + high] for i in range(0, len(cells), high)]


def offer_button(
    fight: FightTable, plan: Plan, bar: Bar, n: int, *, whole: bool = False, listed: bool = False
) -> Button:
    """A button for an offer; a greyed one says why on hover.

    `whole` shows price or reason on it whatever its rank; `listed` makes it otherwise one low line with its price.
    """
    offer = plan.offers[n]
    d, legal = offer.description, offer.refused is None
    large = whole or (bar.large(n) and not listed)
    cost = d.cost
    missing = fight.planning.missing() if legal else 0
    if missing and offer is plan.final:
        cost = ntext(missing, "{n} has no plan yet", "{n} have no plan yet")
    key = shown_key(bar.hints[n])
    button = Button(
        d.label,
        lambda: fight.choosing.take_offer(offer),
        cost=(cost if legal or not whole else offer.refused or "") if large or (listed and legal) else "",
        hint=key if listed else bar.hint(n),
        gold=offer is (plan.final if not missing else next(iter(plan.ends), None)),
        chosen=plan.armed is not None and plan.armed.do == offer.do,
        enabled=legal,
        key=f"offer {offer.do} {offer.weapon or ''}",
        tip=offer_tip(d, offer.refused, "" if bar.hint(n) or listed else key),
        slim=not large,
    )
    button.wide, button.inset = bar.width(n), bar.inset
    if legal and d.needs == "creature":
        button.live = partial(_promise, fight, plan, offer, look=bar.look, named=large)
    button.on_refused = lambda: fight.toast(text("{label}: {refused}", label=d.label, refused=offer.refused or ""))
    return button


def _promise(fight: FightTable, plan: Plan, offer: Offer, room: int, *, look: Look, named: bool) -> str:
    """What an offer promises against whoever is pointed at, else against whom it is likeliest to hit."""
    found = plan.prospect(offer, fight.pointed.aimed)
    if found is None:
        return offer.description.cost if named else ""
    target, hit = found
    if not named:
        return percent(hit)
    font = look.font("small")
    text = Text.of("{cost} · {hit}", cost=offer.description.cost, hit=percent(hit))
    left = room - font.size(t(text) + " ")[0]
    name = called(font, plan.minis[target].name, left)
    return Text.of("{text} {name}", text=text, name=name) if len(name.rstrip("…")) > 2 else text


def offer_tip(d: Description, refused: str | None, key: str = "") -> Tip:
    """What a button's tooltip says: its notes and cost, or why it is grey."""
    lines = list(d.notes)
    if refused:
        lines.insert(0, refused)
    return Tip("\n".join([*lines, d.cost]), text("{label} ({key})", label=d.label, key=key) if key else d.label)

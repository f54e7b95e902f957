"""The action bar: what may be done now, in groups; the likely large, others small in two rows, the rare behind More."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING

from game.scenes.plan import Plan
from game.widgets.controls import Button, Label
from game.widgets.core import Tip, Widget, column, row
from game.widgets.figures import Rule
from game.widgets.theme import Look
from rules.actions import Description, Offer

if TYPE_CHECKING:
    from game.scenes.fight import Fight

GROUPS = {"First": 0, "Move": 1, "Act": 2, "End": 9}
"""The order of the bar's groups; others stand with Act."""
RARE = 3
"""The rank of what can't be done and is seldom asked for; tight bars leave it to More."""
GAP, RULE_GAP, PAD = 5, 9, 10


def shown_key(key: str) -> str:
    """A key as a chip writes it."""
    parts = [part for part in key.replace(" ", "+").split("+") if part]
    return "+".join(part[:1].upper() + part[1:] for part in parts)


def action_bar(fight: Fight, plan: Plan, look: Look, room: int, *, tight: bool = False) -> Widget:
    """The offers in their groups with cost and key, within `room` pixels; what doesn't fit waits behind More.

    `tight` leaves out the groups' names and makes all but the end small, for little windows and large text.
    """
    buttons = [offer_button(fight, plan, offer, tight=tight) for offer in plan.offers]
    more = Button(
        "More", lambda: None, hint="M", key="more", slim=True,
        tip=Tip("What is possible more rarely, and why what is not possible isn't."),
    )  # fmt: skip
    groups = [_group(offer, tight) for offer in plan.offers]
    sizes = [button.measure(look, room)[0] for button in buttons]
    bar = _Bar(plan.offers, groups, [b.slim for b in buttons], sizes, look, more.measure(look, room)[0])
    shown = bar.fitting(room, tight)
    hidden = [offer for n, offer in enumerate(plan.offers) if n not in shown]
    more.on_press = partial(fight.choosing.show_more, hidden)
    parts: list[Widget] = []
    for name, members in bar.grouped(shown):
        if parts:
            parts.append(Rule(down=True))
        extra = [more] if hidden and name == bar.last else []
        content = row(*_columns([buttons[n] for n in members] + extra), gap=GAP, align="stretch")
        title = Label(name.upper() if name != "End" else " ", "small", "quiet")
        if plan.actor is None and fight.planning.open():
            title = Label("A click on somebody changes the plan", "small", "quiet")
        parts.append(content if tight else column(title, content, gap=3, align="start"))
    return row(*parts, gap=RULE_GAP, pad=7 if tight else PAD, plate="panel", align="stretch")


def _group(offer: Offer, tight: bool) -> str:
    name = offer.description.group
    return "Move" if tight and name == "First" else name


def _columns(buttons: Sequence[Button]) -> list[Widget]:
    """Large buttons as they are; small ones, after them, in twos below each other."""
    found: list[Widget] = [button for button in buttons if not button.slim]
    small = [button for button in buttons if button.slim]
    for upper, lower in zip(small[::2], [*small[1::2], None], strict=False):
        pair = [upper, lower] if lower is not None else [upper]
        found.append(column(*pair, gap=4, align="stretch"))
    return found


def _rank(n: int, offer: Offer) -> tuple[int, int]:
    """The likelier an offer, the lower."""
    d = offer.description
    if d.group == "End":
        return (-1, n)
    if offer.refused is not None:
        return (2 if d.needs == "creature" else RARE, n)
    return (1 if d.needs in ("item", "option") else 0, n)


class _Bar:
    """How wide a choice of offers would be, and which choice fits a room."""

    def __init__(
        self,
        offers: Sequence[Offer],
        groups: Sequence[str],
        slim: Sequence[bool],
        sizes: Sequence[int],
        look: Look,
        more: int,
    ) -> None:
        self.offers, self.groups, self.slim, self.sizes = offers, groups, slim, sizes
        self.look, self.more = look, more
        named = sorted({name for name in groups if name != "End"}, key=lambda name: GROUPS.get(name, 2))
        self.last = named[-1] if named else "End"
        """The group in which More stands."""

    def grouped(self, shown: Collection[int]) -> list[tuple[str, list[int]]]:
        """Groups in their order with their offers, those that can't be done last."""
        found: dict[str, list[int]] = {self.last: []} if len(shown) < len(self.offers) else {}
        for n in sorted(shown, key=lambda n: (self.offers[n].refused is not None, n)):
            found.setdefault(self.groups[n], []).append(n)
        return sorted(found.items(), key=lambda entry: GROUPS.get(entry[0], 2))

    def width(self, shown: Collection[int]) -> int:
        px = self.look.px
        total = 2 * px(PAD) - 2 * px(RULE_GAP)
        for name, members in self.grouped(shown):
            small = [self.sizes[n] for n in members if self.slim[n]]
            if name == self.last and len(shown) < len(self.offers):
                small.append(self.more)
            wide = [self.sizes[n] for n in members if not self.slim[n]]
            wide += [max(small[i : i + 2]) for i in range(0, len(small), 2)]
            total += sum(wide) + px(GAP) * (len(wide) - 1) + 2 * px(RULE_GAP) + px(1)
        return total

    def fitting(self, room: int, tight: bool) -> set[int]:
        """Indices of the offers that the bar holds, the likelier ones first."""
        everything = set(range(len(self.offers)))
        if self.width(everything) <= room:
            return everything
        shown: set[int] = set()
        for n, _ in sorted(enumerate(self.offers), key=lambda item: _rank(*item)):
            if self.width(shown | {n}) <= room and not (tight and _rank(n, self.offers[n])[0] == RARE):
                shown.add(n)
        return shown


def offer_button(fight: Fight, plan: Plan, offer: Offer, *, tight: bool = False) -> Button:
    """A button for one offer; a greyed one says why on hover. Large: the end, and what is pointed on the board."""
    d = offer.description
    legal = offer.refused is None
    large = d.group == "End" or (legal and not tight and d.needs in ("path", "creature"))
    cost, key = d.cost, shown_key(fight.choosing.key_of(offer))
    if legal and (best := best_chance(plan, offer)) is not None:
        cost = f"{d.cost} · {best:.0%}".replace("%", " %")
    missing = fight.planning.missing()
    if missing and offer is plan.final:
        cost = "1 has no plan yet" if missing == 1 else f"{missing} have no plan yet"
    button = Button(
        d.label,
        lambda: fight.choosing.take_offer(offer),
        cost=cost if large else "",
        hint="" if tight and large else key,
        gold=offer is (plan.final if not missing else plan.ends[0]),
        chosen=plan.armed is not None and plan.armed.do == offer.do,
        enabled=legal,
        key=f"offer {offer.do} {offer.weapon or ''}",
        tip=offer_tip(d, offer.refused, key if tight and large else ""),
        slim=not large,
    )
    button.on_refused = lambda: fight.toast(f"{d.label}: {offer.refused}")
    return button


def offer_tip(d: Description, refused: str | None, key: str = "") -> Tip:
    """What a button's tooltip says: its notes and cost, or why it is grey."""
    lines = list(d.notes)
    if refused:
        lines.insert(0, refused)
    return Tip("\n".join([*lines, d.cost]), f"{d.label} ({key})" if key else d.label)


def best_chance(plan: Plan, offer: Offer) -> float | None:
    """The best chance to hit among an offer's targets; None where no dice are against anybody."""
    if offer.description.needs != "creature" or not offer.actions:
        return None
    chances = [odds.hit for action in offer.actions[:12] if (odds := plan.odds(action)) is not None]
    return max(chances, default=None)

"""The panels of a fight: order, sheet, log, actions, made from what boards, sheets and offers say of themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import pygame

from game.scenes.plan import Plan
from game.view.minis import portrait
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Sized, Space, Tip, Widget, column, row
from game.widgets.figures import BarFigure, Chip, Live, Picture, PipsFigure, Portrait, Rule, StatTile
from game.widgets.text import Run
from game.widgets.theme import Look
from rules.actions import Description, Offer
from rules.board import Bar, Board, Sheet
from rules.ruleset import Ruleset

if TYPE_CHECKING:
    from game.scenes.fight import Fight

MARGIN = 12
SHEET_WIDTH = 262
LOG_WIDTH = 288
GROUPS = {"First": 0, "Move": 1, "Act": 2, "End": 9}
"""The order of the action bar's groups; others stand with Act."""


def likeness(art: str, side: str) -> Portrait:
    """A creature's portrait in its side's ring, by size in pixels."""
    return lambda size: portrait(art, side, size)


def term_tip(ruleset: Ruleset, word: str, rule: str = "") -> Tip | None:
    """The rulebook's word on a term, if it has one."""
    found = ruleset.term(word)
    if found is None:
        return Tip(rule) if rule else None
    return Tip(found[0], word[:1].upper() + word[1:], found[1])


def shown_key(key: str) -> str:
    """A key as a chip writes it."""
    names = {"ctrl": "Ctrl", "shift": "Shift", "alt": "Alt", "enter": "Enter"}
    return "+".join(
        names.get(part.lower(), part.upper()) for part in key.replace(" ", "+").split("+") if part
    )


# -- order of play --------------------------------------------------------------------------------------


def order_strip(fight: Fight, board: Board, look: Look, room: int) -> Widget:
    """Who acts, who comes next, who is done; as many as fit, from the acting one on."""
    minis = {mini.id: mini for mini in board.miniatures}
    turns = [turn for turn in board.order if turn.id in minis]
    compact = len(turns) * look.px(66) > room
    most = max(3, (room - look.px(24)) // look.px(48 if compact else 66))
    first = next((n for n, turn in enumerate(turns) if turn.active), 0)
    if len(turns) > most:
        start = max(0, min(first - 1, len(turns) - most))
        turns = turns[start : start + most]
    wide = min(92.0, max(62.0, (room / look.scale - 24) / max(1, len(turns)) - 4))
    chips: list[Widget] = []
    for turn in turns:
        mini = minis[turn.id]
        chips.append(
            Chip(
                mini.name,
                likeness(mini.art, mini.side),
                mini.points.value,
                partial(fight.select, mini.id, centre=True),
                active=turn.active,
                following=partial(fight.choosing.is_next, mini.id),
                done=turn.done or mini.out,
                compact=compact,
                width=wide,
                after=partial(fight.choosing.points_after, mini.id),
                key=f"order {mini.id}",
                tip=Tip(_order_tip(turn.active, turn.done), mini.name),
            )
        )
    return row(*chips, gap=4, pad=7, plate="panel")


def _order_tip(active: bool, done: bool) -> str:
    if active:
        return "Acts now."
    return "Done for this round." if done else "Still to come in this round."


# -- sheet ----------------------------------------------------------------------------------------------


def sheet_panel(fight: Fight, ruleset: Ruleset, sheet: Sheet, caption: str) -> Widget:
    """A creature's sheet: portrait, pools, stats and lines, each with its rule on hover."""
    face = Picture(likeness(sheet.art, sheet.side), 58)
    subtitle = " · ".join(part for part in (sheet.subtitle, caption) if part)
    head = row(
        face, column(Label(sheet.name, "heading", "bright"), Label(subtitle, "small", "quiet"), gap=1), gap=10
    )
    parts: list[Widget] = [head]
    for bar in sheet.bars:
        parts.append(_pool(ruleset, bar, lambda: fight.choosing.points_after(sheet.id)))
        if bar.tone == "points":
            parts.append(Live(lambda: fight.choosing.spending_line(sheet.id)))
    if sheet.stats:
        tiles = [StatTile(name, figure, tip=term_tip(ruleset, name)) for name, figure in sheet.stats]
        parts.append(Box(tiles, across=True, gap=6, align="stretch"))
    lines: list[Widget] = []
    for line in sheet.lines:
        runs = [Run(line.text, line.tone or "text", "text")]
        if line.detail:
            runs.append(Run(" " + line.detail, "quiet", "small"))
        lines.append(Label(runs, tip=term_tip(ruleset, line.text.split(":")[0], line.rule)))
    for badge in sheet.badges:
        lines.append(
            Label(
                [Run("• ", "coral", "small"), Run(badge.label, "coral")],
                tip=Tip(badge.text, badge.label, badge.rule),
            )
        )
    if lines:
        parts.append(column(*lines, gap=3))
    return column(*parts, gap=8)


def _pool(ruleset: Ruleset, bar: Bar, after: Callable[[], int | None]) -> Widget:
    tip = term_tip(ruleset, bar.label)
    if bar.tone == "points":
        return PipsFigure(bar.label, bar.value, after, tip=tip)
    return BarFigure(bar.label, bar.value, bar.maximum, bar.tone, tip=tip)


# -- log ------------------------------------------------------------------------------------------------


def log_panel(fight: Fight, caption: str) -> Widget:
    """The story so far, foldable."""
    hint = "" if fight.app.settings.log_open else "Log"
    fold = Button(
        hint or "–",
        fight.fold_log,
        quiet=True,
        key="fold log",
        tip=Tip("Fold or open the log (Ctrl+L)."),
    )
    head = row(Label(caption, "label!", "bright", one_line=True), Space(grow=1), fold)
    if not fight.app.settings.log_open:
        return column(head, pad=6, plate="panel")
    fight.telling.story.grow = 1
    return column(head, fight.telling.story, gap=4, pad=10, plate="panel")


# -- actions --------------------------------------------------------------------------------------------


def action_bar(fight: Fight, plan: Plan, look: Look, room: int) -> Widget:
    """The offers in their groups with cost and key; what doesn't fit waits behind More."""
    buttons = {n: offer_button(fight, plan, offer) for n, offer in enumerate(plan.offers)}
    shown = _fitting(plan.offers, buttons, look, room)
    hidden = [offer for n, offer in enumerate(plan.offers) if n not in shown]
    groups: dict[str, list[Widget]] = {}
    for n in sorted(shown):
        groups.setdefault(plan.offers[n].description.group, []).append(buttons[n])
    if hidden:
        more = Button(
            "More",
            lambda: fight.choosing.show_more(hidden),
            cost=f"{len(hidden)} others",
            hint="M",
            key="more",
            tip=Tip("What is possible more rarely, and why what is not possible isn't."),
        )
        groups.setdefault("Act", []).append(more)
    parts: list[Widget] = []
    for name, content in sorted(groups.items(), key=lambda entry: GROUPS.get(entry[0], 2)):
        if parts:
            parts.append(Rule(down=True))
        title = Label(name.upper() if name != "End" else " ", "small", "quiet")
        parts.append(column(title, row(*content, gap=6, align="stretch"), gap=4, align="start"))
    return row(*parts, gap=10, pad=11, plate="panel", align="centre")


def _rank(n: int, offer: Offer) -> tuple[int, int]:
    d = offer.description
    if d.group == "End":
        return (-1, n)
    if offer.refused is not None:
        return (2, n)
    return (1 if d.needs in ("item", "option") else 0, n)


def _fitting(offers: Sequence[Offer], buttons: dict[int, Button], look: Look, room: int) -> set[int]:
    """Indices of the offers that one row holds, the likelier ones first."""
    groups: set[str] = set()
    left = room - look.px(22) - look.px(110)
    shown: set[int] = set()
    for n, offer in sorted(enumerate(offers), key=lambda item: _rank(*item)):
        wide = buttons[n].measure(look, room)[0] + look.px(6)
        if offer.description.group not in groups:
            wide += look.px(16)
        if wide > left:
            continue
        left -= wide
        groups.add(offer.description.group)
        shown.add(n)
    if len(shown) == len(offers):
        return shown
    return shown


def offer_button(fight: Fight, plan: Plan, offer: Offer, *, reason: bool = False) -> Button:
    """A button for one offer; a greyed one says why on hover (or under its name, with `reason`)."""
    d = offer.description
    legal = offer.refused is None
    cost = d.cost
    if not legal:
        cost = offer.refused or "" if reason else d.cost
    elif (best := best_chance(plan, offer)) is not None:
        cost = f"{d.cost} · {best:.0%}".replace("%", " %")
    button = Button(
        d.label,
        lambda: fight.choosing.take_offer(offer),
        cost=cost,
        hint=shown_key(fight.choosing.key_of(offer)),
        gold=d.group == "End",
        chosen=plan.armed is not None and plan.armed.do == offer.do,
        enabled=legal,
        key=f"offer {offer.do} {offer.weapon or ''}",
        tip=offer_tip(d, offer.refused),
    )
    button.on_refused = lambda: fight.toast(f"{d.label}: {offer.refused}")
    return button


def offer_tip(d: Description, refused: str | None) -> Tip:
    """What a button's tooltip says: its notes and cost, or why it is grey."""
    lines = list(d.notes)
    if refused:
        lines.insert(0, refused)
    return Tip("\n".join([*lines, d.cost]), d.label)


def best_chance(plan: Plan, offer: Offer) -> float | None:
    """The best chance to hit among an offer's targets; None where no dice are against anybody."""
    if offer.description.needs != "creature" or not offer.actions:
        return None
    chances = [odds.hit for action in offer.actions[:12] if (odds := plan.odds(action)) is not None]
    return max(chances, default=None)


# -- questions and lists --------------------------------------------------------------------------------


def question_panel(fight: Fight, plan: Plan) -> Widget:
    """A question that the rules put: its answers as buttons."""
    buttons: list[Widget] = []
    for offer in plan.offers:
        hint = shown_key(fight.choosing.key_of(offer))
        label = offer.description.label
        buttons.append(
            Button(
                label,
                partial(fight.choosing.take_offer, offer),
                hint=hint,
                tip=offer_tip(offer.description, None),
            )
        )
    prompt = plan.decision.prompt or "What happens?"
    return column(Label(prompt, "label!", "bright"), *buttons, gap=8, pad=16, plate="panel", edge="gold")


def pick_panel(
    title: str,
    entries: Sequence[tuple[str, str, Callable[[], None], bool]],
    back: Callable[[], None],
    *,
    height: float = 380,
) -> Widget:
    """A list to pick from: `(label, second line, what it does, whether it can be done)`."""
    buttons: list[Widget] = []
    for number, (label, cost, call, legal) in enumerate(entries, 1):
        hint = str(number) if number < 10 and legal else ""
        buttons.append(
            Button(
                label,
                call,
                cost=cost,
                hint=hint,
                enabled=legal,
                key=f"pick {number}",
                tip=Tip(cost) if cost else None,
            )
        )
    listing = Scroll(column(*buttons, gap=6, pad=4), height=height)
    listing.grow = 1
    foot = row(Space(grow=1), Button("Back", back, hint="Esc"))
    return column(
        Label(title, "heading", "bright"), listing, foot, gap=12, pad=16, plate="panel", edge="faint"
    )


def sized_rect(widget: Widget, look: Look, width: float, room: tuple[int, int]) -> pygame.Rect:
    """A rectangle for a panel of a width (at 100 %) and its own height, inside a room in pixels."""
    wide = min(look.px(width), room[0])
    return pygame.Rect(0, 0, wide, min(widget.measure(look, wide)[1], room[1]))


__all__ = [
    "MARGIN",
    "SHEET_WIDTH",
    "LOG_WIDTH",
    "action_bar",
    "likeness",
    "log_panel",
    "order_strip",
    "pick_panel",
    "question_panel",
    "sheet_panel",
    "sized_rect",
    "term_tip",
    "Sized",
]

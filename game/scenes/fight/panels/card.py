"""Cards beside what they speak of: exact odds before the blow, prices, reasons, what a space is, a map's notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import pygame

from game.fight.match import Match
from game.fight.seats import GAME_MASTER
from game.party.foresight import percent
from game.scenes.fight.model import FightModel
from game.scenes.fight.plan import Errand, Plan
from game.scenes.fight.spaces import Told
from game.view.camera import Camera
from game.view.minis import portrait
from game.view.overlays import Pin, map_pins, pin_rect, pins_at
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Sized, Space, Tip, Widget, column, grown, row
from game.widgets.figures import BarFigure, Chart, Live, PackFigure, Picture, PipsFigure, Portrait, Rule, StatTile
from game.widgets.text import Run
from game.widgets.theme import Look
from rules.contract.actions import Action, Adjustment, Description
from rules.contract.display import Display, Miniature, Pack, Sheet
from rules.contract.ruleset import Odds, Share
from rules.contract.text import Term, Text, Value, joined, ntext, parted, text, titled
from rules.contract.units import Cell
from rules.core.dice import signed


def term_tip(ruleset: Display, word: str, rule: str = "") -> Tip | None:
    """The rulebook's word on a term, if it has one; else what the rule says that is named with it."""
    found = ruleset.term(word) or (ruleset.term(rule) if rule else None)
    if found is not None:
        return Tip(found[0], titled(word), found[1])
    return Tip(rule) if rule else None


def value_tip(ruleset: Display, value: Value | None) -> Tip | None:
    """What the rulebook says of the field of a sentence: of a term of the rules, or a word that is one."""
    if isinstance(value, Term):
        return term_tip(ruleset, value, value.rule)
    return term_tip(ruleset, value) if isinstance(value, str) else None


def adjustment_tip(ruleset: Display, adjustment: Adjustment) -> Tip | None:
    """What an adjustment is for, by its rule's sentence."""
    found = (ruleset.term(adjustment.rule) if adjustment.rule else None) or ruleset.term(adjustment.because)
    if found is None:
        return Tip(adjustment.rule, adjustment.because) if adjustment.rule else None
    return Tip(found[0], titled(adjustment.because), adjustment.rule or found[1])


def changes_tip(ruleset: Display, changes: Sequence[Adjustment]) -> Tip | None:
    """What several adjustments of one thing are for: of one alone its rule, else each with its figure."""
    if len(changes) == 1:
        return adjustment_tip(ruleset, changes[0])
    told = (text("{because} {change}", each.because, signed(each.value)) for each in changes)
    return Tip(joined("\n", told), titled(changes[0].to.lower()))


MARGIN = 12
SHEET_WIDTH = 262
LOG_WIDTH = 288
SHORT_WIDTH = 158
SHORT_LINE = 76
"""Letters of an entry's second line that every list has room for."""


def likeness(art: str, side: str) -> Portrait:
    """A creature's portrait in its side's ring, by size in pixels."""
    return lambda size: portrait(art, side, size)


# -- sheet ----------------------------------------------------------------------------------------------


def sheet_panel(
    ruleset: Display,
    sheet: Sheet,
    after: Callable[[], int | None] = lambda: None,
    spending: Callable[[], str] = lambda: "",
) -> Widget:
    """A creature's sheet: portrait, pools, stats and lines, each with its rule on hover.

    `after` says what would be left of its points after what is considered, `spending` tells it.
    """
    words = parted(sheet.subtitle, " · ")
    under = (joined(" · ", words[:2]), joined(" · ", words[2:]))
    lines = [Label(line, "small", "quiet") for line in under if line]
    names = column(Label(sheet.name, "heading", "bright"), *lines, gap=1)
    parts: list[Widget] = [row(Picture(likeness(sheet.art, sheet.side), 58), names, gap=10)]
    for bar in sheet.bars:
        tip = term_tip(ruleset, bar.label)
        if bar.tone == "points":
            parts += [PipsFigure(bar.label, bar.value, after, tip=tip), Live(spending)]
        else:
            parts.append(BarFigure(bar.label, bar.value, bar.maximum, bar.tone, tip=tip))
    if sheet.stats:
        tiles = [StatTile(name, figure, tip=term_tip(ruleset, name)) for name, figure in sheet.stats]
        parts.append(Box(*tiles, across=True, gap=6, align="stretch", wrap=True))
    if sheet.pack is not None:
        parts.append(_pack(ruleset, sheet.pack))
    told: list[Widget] = []
    for line in sheet.lines:
        runs = [Run(line.text, line.tone or "text", "text")]
        if line.detail:
            runs.append(Run(" " + line.detail, "quiet", "small"))
        told.append(Label(runs, tip=term_tip(ruleset, line.text.split(":")[0], line.rule)))
    for badge in sheet.badges:
        runs = [Run("• ", "coral", "small"), Run(badge.label, "coral")]
        told.append(Label(runs, tip=Tip(badge.text, badge.label, badge.rule)))
    if told:
        parts.append(column(*told, gap=3))
    return column(*parts, gap=8)


def _pack(ruleset: Display, pack: Pack) -> Widget:
    """The room of a pack as cells, what fills them below."""
    lines: list[Widget] = [PackFigure(pack, tip=term_tip(ruleset, pack.label))]
    burden = sum(held.slots for held in pack.held if held.tone)
    for held in pack.held:
        if held.tone:
            continue
        room = "petty" if held.slots == 0 else ntext(held.slots, "{n} slot", "{n} slots")
        more = text("{room}, {note}", room, held.note) if held.note else room
        lines.append(Label([Run(held.label, "text"), Run(" " + more, "quiet", "small")]))
    for name in dict.fromkeys(held.label for held in pack.held if held.tone):
        runs = [Run(text("{name} × {burden}", name, burden), "coral"), Run(" a slot each", "quiet", "small")]
        lines.append(Label(runs, tip=term_tip(ruleset, name)))
    return column(*lines, gap=3)


# -- questions and lists --------------------------------------------------------------------------------


def pick_panel(
    title: str, entries: Sequence[tuple[str, str, Callable[[], None], bool]], back: Callable[[], None]
) -> Widget:
    """A list to pick from: `(label, second line, what it does, whether it can be done)`."""
    buttons = [
        Button(label, call, cost=cost, hint=str(number) if number < 10 and legal else "", enabled=legal,
               key=f"pick {number}",
               tip=Tip(cost) if len(cost) > SHORT_LINE else None)  # else all of it is read already
        for number, (label, cost, call, legal) in enumerate(entries, 1)
    ]  # fmt: skip
    listing = grown(Scroll(column(*buttons, gap=6, pad=4), height=380))
    foot = row(Space(grow=1), Button("Back", back, hint="Esc"))
    return column(Label(title, "heading", "bright"), listing, foot, gap=12, pad=16, plate="panel", edge="faint")


WIDTH = 306
BRIEF_WIDTH = 236
BARS = 12
"""Damages shown one by one; what is beyond them is added to the last bar."""


def attack_card(
    plan: Plan, action: Action, names: dict[str, str], *, brief: bool = False, before: Sequence[str] = ()
) -> Widget:
    """Chance, distribution, chance to drop, and each adjustment with its rule at the right.

    `brief` is for windows without room: what adds up stands in one run of small text. `before` is what has to be done
    first.
    """
    odds, d = plan.odds(action), plan.describe(action)
    target = plan.minis.get(action.target or "")
    name, title = target.name if target else "", d.label
    if name and name not in d.label:
        what = d.label or action.do.replace("_", " ").capitalize()
        if action.weapon and action.weapon.lower() not in what.lower():
            what = text("{label}, {weapon}", what, action.weapon)
        title = text("{d} on {name}", what, name)
    chance = Label(percent(odds.hit) if odds is not None else "", "heading" if brief else "figure", "bright")
    parts: list[Widget] = [_Ruled(Label(title, "label!", "bright"), chance)]
    parts += [Label(line, "small", "blue") for line in before]
    if odds is not None:
        parts += _odds_parts(odds, name, target.life if target else 0, brief=brief)
        if len(odds.targets) > 1 and not odds.along:
            parts += [_share(share, names.get(share.id, share.id)) for share in odds.targets]
    parts.append(Label(cost_line(d, names), "small", "gold"))
    parts += [Label(note, "small", "quiet") for note in d.notes]
    return column(*parts, gap=3 if brief else 6, pad=9 if brief else 13, plate="panel", edge="gold")


def _odds_parts(odds: Odds, name: str, health: int, *, brief: bool) -> list[Widget]:
    lines = reckoning(odds)
    ruled = [_ruled(line, rule) for line, rule in lines]
    if not any(harm for harm, _ in odds.damage):  # a check: `71 % unnoticed · 29 % noticed`
        told = [text("{chance} {name}", percent(chance), name.replace("_", " ")) for name, chance in odds.outcomes]
        if odds.healing and len(odds.targets) < 2:
            told = [text("{mean} given back on average", f"{odds.healing:.1f}"), *(told if len(told) > 1 else ())]
        outcomes = Label(joined(" · ", told) if len(told) > 1 or odds.healing else "", "small", "bright")
        return [outcomes, Rule(), *ruled, Rule()]
    most = odds.damage[-1][0]
    falls = Run(Text.of("drops {what}: ", what=name or "somebody"), "text", "small")
    foot = row(
        Label("harm 0", "small", "quiet"), Space(grow=1),
        Label([falls, Run(percent(odds.drop), "coral", "small")]), Space(grow=1),
        Sized(Label(f"{BARS}+" if most > BARS else str(most), "small", "quiet", one_line=True), 22),
    )  # fmt: skip
    if brief:
        with_rule = "{text} ({rule})"
        said = (Text.of(with_rule, text=text, rule=short_rule(rule)) if rule else text for text, rule in lines)
        return [Chart(bars(odds.damage, health), 22), foot, Label(joined(" · ", said), "small", "quiet")]
    words = "{mean} harm on average, stuns {stun}" if odds.stun else "{mean} harm on average"
    mean = Text.of(words, mean=f"{odds.mean:.1f}", stun=percent(odds.stun))
    return [Chart(bars(odds.damage, health)), foot, Label(mean, "small", "quiet"), Rule(), *ruled, Rule()]


def _share(share: Share, name: str) -> Box:
    """One of several creatures: its chance to be caught, and what it would suffer or gain."""
    parts = [percent(share.hit)]
    if share.mean:
        parts.append(Text.of("{mean} harm", mean=f"{share.mean:.1f}"))
    if share.healing:
        parts.append(Text.of("{healing} back", healing=f"{share.healing:.1f}"))
    told = Text.of("{name}: {chances}", name=name, chances=joined(", ", parts))
    fallen = text("drops {drop}", percent(share.drop)) if share.drop >= 0.005 else ""
    return _Ruled(Label(told, "small"), Label(fallen, "small", "coral"))


def reckoning(odds: Odds) -> list[tuple[str, str]]:
    """What makes up the odds, line by line, each with its rule."""
    lines: list[tuple[str, str]] = []
    if odds.attack_dice:
        lines.append((text("{attack_dice} against {what}", odds.attack_dice, odds.defense_dice or "nothing"), ""))
    for a in odds.adjustments:
        counted = text("{sign} {to}, {because}", signed(a.value), a.to, a.because) if a.value else a.because
        lines.append((counted, a.rule))
    return [*lines, *odds.notes]


def _ruled(text: str, rule: str) -> Box:
    """A line with its rule at the right edge; the text wraps before it."""
    return _Ruled(Label(text), Label(short_rule(rule), "small", "faint"))


def short_rule(rule: str) -> str:
    """A rule's place without its file: `§6 shields`."""
    return rule.partition(".md ")[2] or rule


class _Ruled(Box):
    """Two labels: the right one keeps its width, the left one wraps in what is left."""

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        right = self.content[1].measure(look, width)
        left = self.content[0].measure(look, max(1, width - right[0] - look.px(8)))
        return (width, max(left[1], right[1]))

    def place(self, look: Look, rect: pygame.Rect) -> None:
        self.rect = pygame.Rect(rect)
        wide, high = self.content[1].measure(look, rect.width)
        left = max(1, rect.width - wide - look.px(8))
        self.content[0].place(look, pygame.Rect(rect.left, rect.top, left, rect.height))
        self.content[1].place(look, pygame.Rect(rect.right - wide, rect.top + look.px(1), wide, high))


def bars(damage: Sequence[tuple[int, float]], health: int) -> list[tuple[str, float, str]]:
    """A distribution as bars from 0 up: blue for no harm, coral for harm, red for what the target can't bear."""
    if not damage:
        return []
    last = min(damage[-1][0], BARS)
    chances = [0.0] * (last + 1)
    for amount, chance in damage:
        chances[min(amount, last)] += chance
    more = "+" if damage[-1][0] > last else ""
    inks = ("faint" if n == 0 else "red" if n >= health > 0 else "coral" for n in range(last + 1))
    told = (text("{n}{what} harm", n, more if n == last else "") for n in range(last + 1))
    return list(zip(told, chances, inks, strict=True))


def cost_line(d: Description, names: dict[str, str]) -> str:
    """What it costs, what is left, who would be asked next."""
    parts: list[str] = [*parted(d.cost, " · ")] if d.points else [d.cost or "costs nothing"]
    if d.points:
        parts[0] = text("{cost}: {now} now, {left} after", parts[0], d.left + d.points, d.left)
    if d.next_by:
        parts.append(text("then {who}", names.get(d.next_by, d.next_by)))
    return joined(" · ", parts)


def _first(errand: Errand) -> list[str]:
    """The way of an errand, with its prices."""
    return [text("First {label}: {cost}", d.label, d.cost) for d in errand.told[:-1]]


def errand_card(errand: Errand, names: dict[str, str], *, brief: bool = False, planned: bool = True) -> Widget:
    """The way up to a foe and the blow at its end: planned by a click, or as a click would plan it."""
    once, twice = "One more click, or Enter, does both.", "A click plans both, one more does them."
    before = [*_first(errand), once if planned else twice]
    return attack_card(errand.there, errand.deed, names, brief=brief, before=before)


def space_card(there: Told, why: str, errand: Errand | None, names: dict[str, str]) -> Widget:
    """What there is on a space; of a door out of reach also the way up to it and what is done there, with their prices,
    else why one can't go there."""
    lines: list[Widget] = [Label(line, "small", "text") for line in there.lines]
    if errand is not None:
        last = errand.told[-1]
        then = text("Then {label}: {names}", last.label, cost_line(last, names))
        lines += [Label(line, "small", "blue") for line in (*_first(errand), then)]
        lines.append(Label("One click, or Enter, does all of it.", "small", "quiet"))
    elif why and why not in there.lines:
        lines.append(Label(why, "small", "coral"))
    return column(Label(there.title, "text!", "bright"), *lines, gap=2, pad=8, plate="panel")


def creature_card(mini: Miniature, below: Sequence[Miniature] = ()) -> Widget:
    """Who stands there, and how it is; and who lies below."""
    health = text("{label} {value} / {maximum}", mini.health.label, mini.health.value, mini.health.maximum)
    lines: list[Widget] = [Label(text("{status} · {health}", mini.status.capitalize(), health), "small", "text")]
    lines += [Label(badge.label, "small", "coral") for badge in mini.badges if badge.label != mini.status]
    lines += [Label(text("Below lies {name}: {status}", each.name, each.status), "small", "quiet") for each in below]
    return column(Label(mini.name, "text!", "bright"), *lines, gap=2, pad=8, plate="panel")


def move_card(plan: Plan, action: Action, names: dict[str, str], there: Told) -> Widget:
    """The price of a movement, beside its end, and what there is."""
    d = plan.describe(action)
    notes: list[Widget] = [Label(note, "small", "quiet") for note in d.notes]
    notes.append(Label(joined(" ", (text("{title}.", title=there.title), *there.lines)), "small", "faint"))
    label = Label([Run(d.label + "  ", "bright", "text!"), Run(cost_line(d, names), "quiet", "small")])
    return column(label, *notes, gap=2, pad=8, plate="panel")


def beside(
    size: tuple[int, int], what: pygame.Rect, window: pygame.Rect, keep: Iterable[pygame.Rect],
    panels: Iterable[pygame.Rect],
) -> pygame.Rect:  # fmt: skip
    """A place for a card near `what`: in the window, off the fighters, and off panels as far as there is room."""
    gap = 12
    wide, high = min(size[0], window.width), min(size[1], window.height)
    keep, panels = list(keep), list(panels)
    near = what.inflate(2 * gap, 2 * gap)
    lefts = {near.right, near.left - wide, what.centerx - wide // 2, *range(window.left, window.right - wide, 28)}
    tops = {near.bottom, near.top - high, what.centery - high // 2, *range(window.top, window.bottom - high, 28)}
    best: tuple[float, pygame.Rect] | None = None
    for left in sorted(lefts):
        for top in sorted(tops):
            rect = pygame.Rect(left, top, wide, high).clamp(window)
            cost = 60.0 * _apart(rect, what)
            if best is not None and cost >= best[0]:
                continue
            cost += covered_by(rect, [what]) * 90 + covered_by(rect, keep) * 40 + covered_by(rect, panels) * 10
            if best is None or cost < best[0]:
                best = (cost, rect)
    assert best is not None
    return best[1]


def _apart(a: pygame.Rect, b: pygame.Rect) -> float:
    """How far apart two rectangles are, and a little for how far their middles are."""
    across = max(0, a.left - b.right, b.left - a.right)
    down = max(0, a.top - b.bottom, b.top - a.bottom)
    return across + down + (abs(a.centerx - b.centerx) + abs(a.centery - b.centery)) / 16


def covered_by(rect: pygame.Rect, others: Iterable[pygame.Rect]) -> int:
    """Pixels that others have in common with a rectangle."""
    clips = map(rect.clip, others)
    return sum(clip.width * clip.height for clip in clips)


NOTE_WIDTH = 280
"""Of what a note says, at 100 %."""


def notes_of(fight: FightModel) -> tuple[Pin, ...]:
    """The notes that whoever is at the screen may read: on what they have seen, the game master's for them alone.

    That is where they look with nobody over their shoulder: behind a handover, alone, or by their view.
    """
    seating = fight.seating
    alone = seating.secrets or len(seating.seats.seats) == 1
    master = seating.all_seen or (GAME_MASTER in seating.at.plays and alone)
    seen = fight.view.ground.veil.seen
    return (*map_pins(fight.match.loaded_map, seen, secrets=master), *hand_pins(fight.match, seen, secrets=master))


def hand_pins(match: Match, known: int, *, secrets: bool, number: int = -1) -> tuple[Pin, ...]:
    """The notes that the game master's hand has laid on known ground (a bitboard); `secrets`: the hidden ones, too."""
    hand = match.ruleset.hand
    notes = () if hand is None else hand.kept(match.history.moments[number].state).notes
    return tuple(Pin((note.cell,), "", note.words, note.hidden) for note in notes
                 if known >> note.cell & 1 and (secrets or not note.hidden))  # fmt: skip


def draw_notes(
    surface: pygame.Surface, look: Look, camera: Camera, found: Iterable[Pin], cell: Cell | None, *,
    covered: Sequence[pygame.Rect] = (), free: pygame.Rect | None = None,
) -> None:  # fmt: skip
    """The notes on a space in words, off what else is shown there, in the `free` part of the window."""
    there = pins_at(found, cell)
    if not there or cell is None:
        return
    parts: list[Widget] = []
    for pin in there:
        if pin.title:
            parts.append(Label(pin.title, "label!", "gold"))
        if pin.secret:
            parts.append(Label("For the game master alone", "small", "coral"))
        if pin.text:
            parts.append(Label(pin.text))
    box = column(*parts, gap=4, pad=10, plate="panel", edge="faint")
    window = (free or surface.get_rect()).inflate(-16, -16)
    width = min(look.px(NOTE_WIDTH), window.width)
    size = box.measure(look, width)
    about = camera.space_rect(cell).unionall([pin_rect(camera, pin) for pin in there if pin.cell == cell])
    asked = (min(size[0], width), min(size[1], window.height))
    rect = _place(asked, tuple(about), tuple(window), tuple(tuple(each) for each in covered))
    look.panel(surface, rect, fill="night", edge="")
    before = surface.get_clip()
    surface.set_clip(rect)
    box.place(look, rect)
    box.draw(surface, look)
    surface.set_clip(before)


@lru_cache(maxsize=16)
def _place(
    size: tuple[int, int], about: tuple[int, ...], window: tuple[int, ...], covered: tuple[tuple[int, ...], ...]
) -> pygame.Rect:
    """Looked for once: a board that moves is drawn many times with the same note open."""
    taken = [pygame.Rect(*each) for each in covered]
    return beside(size, pygame.Rect(*about), pygame.Rect(*window), taken, taken)

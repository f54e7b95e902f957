"""What frames the board of a fight: the bar of actions, order of play, whose view it is, tools, the log, questions."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import partial

import pygame

from game.app.i18n import t
from game.app.settings import PACES
from game.party.foresight import percent
from game.scenes.fight.model import FightModel
from game.scenes.fight.panels import party
from game.scenes.fight.panels.card import likeness
from game.scenes.fight.plan import Plan
from game.scenes.fight.table import FightTable
from game.view.minis import icon
from game.view.palette import seat_colour
from game.widgets.controls import Button, Label, Swatch
from game.widgets.core import Box, Scroll, Space, Tip, Widget, column, grown, row
from game.widgets.figures import BarFigure, Chip, IconButton, Live, LiveLines, Picture, PipsFigure, Rule
from game.widgets.text import called, rendered
from game.widgets.theme import Look
from game.widgets.timeline import ROWS, Timeline
from rules.contract.actions import Description, Offer
from rules.contract.display import Board, Sheet, Turn
from rules.contract.text import Text, joined, mapped, ntext, text
from rules.contract.units import Seconds

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
        self, offers: Sequence[Offer], hints: Sequence[str], look: Look, room: int, *, tight: bool = False
    ) -> None:
        self.offers, self.hints, self.look, self.tight = offers, hints, look, tight
        self.ends = [n for n, offer in enumerate(offers) if offer.description.group == "End"]
        self._room = room
        self._groups = [self.group(n) for n in range(len(offers))]
        self._large = [self.large(n) for n in range(len(offers))]
        rest = (n for n in range(len(offers)) if n not in self.ends)
        self._order = sorted(rest, key=lambda n: (GROUPS.get(self._groups[n], 2), n))
        """All offers but the ends, group by group in the rules' order."""
        self.inset, self.pad, self.parting = (8, 7, 5) if tight else (12, 10, 9)
        """At 100 %: between a large button's edge and its words, round the bar, and on either side of the line between
        two groups."""
        self.widths = [self._width(n) for n in range(len(offers))]
        """Pixels of each offer's button, whatever stands on it."""
        shown = self._fitting()
        self.hidden = [n for n in self._order if n not in shown]
        """What waits behind More, in its order there."""
        self.grouped = self._grouped(shown)
        """The bar from left to right: groups with their columns of one large or up to two small buttons; -1 is More."""

    def group(self, n: int) -> str:
        """The heading under which an offer stands."""
        name = self.offers[n].description.group
        return "Move" if self.tight and name == "First" else name if name in GROUPS else "Act"

    def large(self, n: int) -> bool:
        """Whether an offer's button has a second line."""
        return n in self.ends or self.offers[n].description.rank == 1

    def _width(self, n: int) -> int:
        d, look = self.offers[n].description, self.look
        head = look.width(t(d.label), "label!" if self.large(n) else "text")
        hint = self.hint(n)
        aimed, chip = d.needs == "creature", look.width(hint, "small") if hint else 0
        if not self.large(n):
            chance = look.width(CHANCE, "small") + look.px(6) if aimed else 0
            return head + chance + (chip + look.px(16) if hint else 0) + 2 * look.px(8)
        cost = 0 if n in self.ends else look.width(_FIGURE.sub("00", t(d.cost)), "small")
        if n in self.ends:
            last = TIGHT_LAST if self.tight and len(self.ends) == 1 else LAST
            least = last if n == self.ends[-1] else ENDS
        else:
            least = LEAST if not aimed else TIGHT_AIMED if self.tight else AIMED
        words = max(head + (chip + look.px(20) if hint else 0), cost)
        return max(words + 2 * look.px(self.inset), look.px(least))

    def hint(self, n: int) -> str:
        """The key on an offer's button; where room is scarce the end's stands in its tooltip alone."""
        return "" if self.tight and n in self.ends else shown_key(self.hints[n])

    def _members(self, shown: Collection[int]) -> dict[str, list[int]]:
        """What each group has on the bar with these offers on it; -1 is More."""
        members: dict[str, list[int]] = {}
        for n in self._order:
            if n in shown:
                members.setdefault(self._groups[n], []).append(n)
        for n in self.ends:
            members.setdefault(self._groups[n], []).append(n)
        if len(shown) + len(self.ends) < len(self.offers):
            inner = [name for name in members if name != "End"]
            members.setdefault(inner[-1] if inner else "Act", []).append(-1)
        return members

    def _grouped(self, shown: Collection[int]) -> list[tuple[str, list[list[int]]]]:
        ordered = sorted(self._members(shown).items(), key=lambda entry: GROUPS.get(entry[0], 2))
        return [(name, self._columns(found)) for name, found in ordered]

    def _columns(self, members: Sequence[int]) -> list[list[int]]:
        wide = [[n] for n in members if n >= 0 and self._large[n]]
        small = [n for n in members if n < 0 or not self._large[n]]
        return wide + [small[i : i + 2] for i in range(0, len(small), 2)]

    def _length(self, shown: Collection[int]) -> int:
        """Pixels of the bar with these offers on it."""
        look, px, large = self.look, self.look.px, self._large
        more = look.width(t("More"), "text") + look.width("M", "small") + px(16) + 2 * px(8)
        widths = [*self.widths, more]  # so that -1 has its own
        total = 2 * px(self.pad) - 2 * px(self.parting) - px(1)
        for members in self._members(shown).values():
            wide = [widths[n] for n in members if n >= 0 and large[n]]
            small = [widths[n] for n in members if n < 0 or not large[n]]
            wide += map(max, small[::2], [*small[1::2], 0])  # two below each other are as wide as the wider
            total += sum(wide) + px(GAP) * (len(wide) - 1) + 2 * px(self.parting) + px(1)
        return total

    def _fitting(self) -> set[int]:
        """The offers that the bar holds, by rank and then by order."""
        if self._length(self._order) <= self._room:
            return set(self._order)
        shown: set[int] = set()
        for n in sorted(self._order, key=lambda n: (self.offers[n].description.rank, n)):
            if self._length(shown | {n}) <= self._room:
                shown.add(n)
        return shown


def action_bar(fight: FightTable, plan: Plan, look: Look, bar: Bar) -> Widget:
    """The bar's buttons in their groups; in little windows and with large text without the groups' names."""
    tight, all_planned = bar.tight, plan.actor is None and bool(fight.planning.open())
    able = [t(plan.offers[n].description.label) for n in bar.hidden if plan.offers[n].refused is None]
    none = "Nothing of what waits here is possible now."
    told = text("Possible now: {able}.", joined(", ", able)) if able else none
    more = Button(
        "More", fight.choosing.open_more, hint="M", key="more", slim=True, chosen=fight.choices.more,
        tip=None if fight.choices.more else Tip(told),  # it would lie on the list
    )  # fmt: skip
    parts: list[Widget] = []
    for name, columns in bar.grouped:
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


def more_panel(fight: FightTable, plan: Plan, look: Look, bar: Bar, room: tuple[int, int]) -> Widget:
    """What the bar has no room for, each in its place: as many columns as fit, read from the top down.

    Where that would take too much of the board, each is one low line; at the foot stands whole what is said of the one
    that is pointed at, or has the focus.
    """
    gap, pad = look.px(GAP), look.px(bar.pad)
    length = room[0] - 2 * pad - look.px(8) + gap
    cells, columns = _cells(fight, plan, bar, length, low=False)
    high = max((sum(cell.measure(look, length)[1] + gap for cell in each) for each in columns), default=0)
    if low := high > room[1] // 2:
        cells, columns = _cells(fight, plan, bar, length, low=True)
    told = {}
    for n, cell in zip(bar.hidden, cells, strict=True):
        d, refused = plan.offers[n].description, plan.offers[n].refused
        notes = joined(" · ", (refused,) if refused else (*d.notes, d.cost))
        told[cell.key] = text("{label}: {notes}", cell.label, notes)
        cell.tip = None  # it would lie on the bar, and says no more than the foot

    def pointed() -> str:
        at = min((cell for cell in cells if cell.hovered or cell.focused), key=lambda c: not c.hovered, default=None)
        return told[at.key] if at is not None else UNTOLD

    grid = [column(*each, gap=SMALL_GAP if low else GAP, align="stretch") for each in columns]
    listing = grown(Scroll(Box(*grid, across=True, gap=GAP, align="start"), key="more panel"))
    foot = LiveLines(pointed, "text", lines=2)
    return column(listing, foot, gap=GAP, pad=bar.pad, plate="night", edge="faint", align="stretch")


def _cells(
    fight: FightTable, plan: Plan, bar: Bar, length: int, *, low: bool
) -> tuple[list[Button], list[list[Button]]]:
    """The buttons behind More, and the same by columns, in so many pixels of width."""
    look = bar.look
    gap, cells = look.px(GAP), list[Button]()
    for n in bar.hidden:
        button = offer_button(fight, plan, bar, n, whole=not low, listed=True)
        d = plan.offers[n].description
        words = look.width(t(d.label), "text" if low else "label!") + look.width(bar.hint(n), "small")
        if low:
            price = _FIGURE.sub("00", t(d.cost)) + (CHANCE if d.needs == "creature" else "")
            words += look.width(price, "small") + look.px(16) + 2 * look.px(8)
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
    cost, missing = d.cost, fight.planning.missing() if legal else 0
    if missing and offer is plan.final:
        cost = ntext(missing, "{n} has no plan yet", "{n} have no plan yet")
    key = shown_key(bar.hints[n])
    button = Button(
        d.label, partial(fight.choosing.take_offer, offer),
        cost=(cost if legal or not whole else offer.refused or "") if large or (listed and legal) else "",
        hint=key if listed else bar.hint(n), slim=not large, enabled=legal,
        gold=offer is (plan.final if not missing else next(iter(plan.ends), None)),
        chosen=plan.armed is not None and plan.armed.do == offer.do,
        key=f"offer {offer.do} {offer.weapon or ''}",
        tip=offer_tip(d, offer.refused, "" if bar.hint(n) or listed else key),
        on_refused=lambda: fight.toast(text("{label}: {refused}", d.label, offer.refused or "")),
    )  # fmt: skip
    button.wide, button.inset = bar.widths[n], bar.inset
    if legal and d.needs == "creature":
        button.live = partial(_promise, fight, plan, offer, look=bar.look, named=large)
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
    lines = [refused, *d.notes] if refused else d.notes
    return Tip("\n".join([*lines, d.cost]), text("{label} ({key})", d.label, key) if key else d.label)


HURRY_AT = 10
"""Seconds before its end from which the clock is shown in another colour."""


# -- order of play --------------------------------------------------------------------------------------


def order_strip(fight: FightTable, board: Board, look: Look, room: int) -> Widget:
    """Who acts, who comes next, who is done; as many as fit, from the acting one on."""
    minis = {mini.id: mini for mini in board.miniatures}
    turns = [turn for turn in board.order if turn.id in minis]
    compact = len(turns) * look.px(66) > room
    most = max(3, (room - look.px(24)) // look.px(48 if compact else 66))
    first = next((n for n, turn in enumerate(turns) if turn.active), 0)
    if len(turns) > most:
        turns = turns[max(0, min(first - 1, len(turns) - most)) :][:most]
    wide = min(92.0, max(62.0, (room / look.scale - 24) / max(1, len(turns)) - 4))
    chips: list[Widget] = []
    several = fight.planning.open()
    rows = Chip.rows_for(look, (minis[turn.id].name for turn in turns), wide) if not compact else 1
    for turn in turns:
        mini = minis[turn.id]
        asked = mini.id == fight.acting if mini.id in several or board.banner else turn.active
        waits = mini.id in several and not turn.planned
        chips.append(Chip(
            mini.name, likeness(mini.art, mini.side), mini.points.value, partial(party.pressed, fight, mini.id),
            active=asked, following=partial(fight.choosing.is_next, mini.id, waits=waits), done=turn.done or mini.out,
            ticked=turn.planned, compact=compact, width=wide, after=partial(fight.choosing.points_after, mini.id),
            key=party.PORTRAIT + mini.id, tip=Tip(_order_tip(fight, turn, mini.id in several, asked), mini.name),
            mark=party.place_of(fight, mini.id), rows=1 if fight.tight else rows,
        ))  # fmt: skip
    return row(*chips, gap=4, pad=7, plate="panel")


def timeline_panel(fight: FightTable, board: Board, *, tight: bool) -> Widget:
    """The seconds to come with everybody's next slot, moving with what is considered."""
    faces = {mini.id: (mini.name, likeness(mini.art, mini.side)) for mini in board.miniatures if not mini.out}

    def after() -> tuple[str, Seconds, str] | None:
        plan, considered = fight.plan, fight.choices.preview
        if plan is None or considered is None or plan.decision.by not in faces or fight.behind:
            return None
        d = plan.describe(considered)
        word = (considered.weapon or considered.item or d.label).replace("_", " ")
        option = (considered.option or "").replace("_", " ")
        named = text("{word}, {option}", word, option) if option and considered.target else word
        return (plan.decision.by, d.slot, named) if d.slot is not None else None

    plan = fight.plan
    asked = plan is not None and not plan.is_question and not fight.behind
    strip = Timeline(
        board.timeline, faces, partial(_clock, fight, board), after, partial(party.pressed, fight), asked=fight.acting,
        why=plan.decision.prompt if plan is not None and asked else "", rows=1 if tight else ROWS,
        told=partial(party.played, fight),
    )  # fmt: skip
    if tight:
        return column(strip, pad=7, plate="panel", align="stretch")
    pace, look = _pace_button(fight), fight.app.look
    strip.beside = pace.measure(look, look.px(200))[0] + look.px(6)
    return row(strip, pace, gap=6, pad=7, plate="panel", align="start")


def _clock(fight: FightTable, board: Board) -> float:
    """The second that is shown, with fractions while time runs."""
    shown = fight.view.animator.clock
    return float(board.now or 0) if shown is None else shown


def _pace_button(fight: FightTable) -> Button:
    """How fast seconds pass on screen; a press takes the next pace."""

    def faster() -> None:
        settings = fight.app.settings
        settings.pace = (settings.pace - 1) % len(PACES)
        fight.app.save_settings()

    told = "How fast the seconds pass until somebody of yours must decide. Shift hurries, Space shows the end at once."
    label = text("Pace: {pace}", PACES[fight.app.settings.pace])
    return Button(label, faster, key="pace", slim=True, tip=Tip(told, "Pace"))


def _order_tip(fight: FightTable, turn: Turn, plans: bool, asked: bool) -> str:
    if (told := party.told_of(fight, turn.id)) is not None:
        return told
    if turn.planned:
        return "Has a plan; a click turns to it, to change it." if plans and not asked else "Its plan stands."
    if plans:
        return "Is being planned for now." if asked else "Waits for its plan; a click turns to it."
    if turn.active:
        return "Acts now."
    return "Done for this round." if turn.done else "Still to come in this round."


def seat_plate(fight: FightTable) -> Widget | None:
    """Whose view this is, the clock of the chance, the switch to the game master's view; None if there is nothing."""
    seating = fight.seating
    parts: list[Widget] = []
    if banner := fight.told_board.banner:
        names = {mini.id: mini.name for mini in fight.told_board.miniatures}
        left = [names[turn.id] for turn in fight.told_board.order if not turn.done and turn.id in names]
        who = len(left) if len(left) > 2 else joined(" and ", left)
        still = text("{left} may still act", who) if left else ""
        parts += [Label(banner, "label!", "gold"), Label(still, "label", "quiet")]
    if seating.seats.shared:
        parts += [Swatch(seat_colour(seating.at.colour), 14), Label(seating.at.name, "label!", "bright", one_line=True)]
    if fight.match.record.chance_seconds is not None:
        parts.append(Clock(fight))
    if seating.may_switch:
        parts += _eye(fight)
    return row(*parts, gap=8, pad=6, plate="panel", edge="gold" if seating.all_seen else "hairline") if parts else None


def _eye(fight: FightTable) -> list[Widget]:
    """The switch to the game master's view, or what brings their player to the screen and away; neither for nobody."""
    seating, key = fight.seating, shown_key(fight.app.keys.shown("see_all"))
    gold = False
    if seating.held_from is not None:
        word, told, gold = "Hand the screen on", text("The next seat is let look, and plays ({key}).", key), True
    elif seating.may_take:
        word, told = "Game master", text("The game master takes the screen, and the others look away ({key}).", key)
    elif seating.may_see_all and seating.seats.sides(seating.at):
        word = "Game master's view: sees all" if seating.all_seen else "See all"
        told = text("The game master's view without fog of war, on or off ({key}).", key)
    else:
        return []
    chosen = seating.all_seen and not gold
    return [Button(word, fight.doing("see_all"), key="see all", slim=True, gold=gold, chosen=chosen, tip=Tip(told))]


class Clock(Widget):
    """The time left of a chance; quiet until its last seconds."""

    restless = True

    def __init__(self, fight: FightModel) -> None:
        super().__init__(tip=Tip("When the clock has run out, the chance ends. It rests while questions are asked."))
        self.fight = fight

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (look.font("label!").size("00:00")[0], look.font("label!").get_linesize())

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        seconds = self.fight.seating.seconds
        if seconds is None:
            return
        ink = "coral" if seconds <= HURRY_AT else "quiet" if self.fight.clock_runs else "faint"
        text = rendered(look.font("label!"), self.fight.seating.clock(), look.colour(ink))
        surface.blit(text, text.get_rect(center=self.rect.center))


# -- sheet and log ------------------------------------------------------------


def short_sheet(fight: FightTable, sheet: Sheet) -> Widget:
    """A sheet in short: who it is, the first pool and the points; for windows without room."""
    name = Label(sheet.name, "text!", "bright", one_line=True)
    parts: list[Widget] = [row(Picture(likeness(sheet.art, sheet.side), 26), name, gap=6)]
    parts += [BarFigure("HP", bar.value, bar.maximum, bar.tone) for bar in sheet.bars if bar.tone == "health"][:1]
    unfold = fight.doing("fold_sheet")
    fold = Button("Sheet", unfold, key="fold sheet", quiet=True, slim=True, tip=Tip("The whole sheet."))
    points = next((b.value for b in sheet.bars if b.tone == "points"), 0)
    parts.append(row(fold, PipsFigure("", points, lambda: fight.choosing.points_after(sheet.id)), gap=4))
    return column(*parts, gap=3, pad=7, plate="panel")


def tool_panel(fight: FightTable, *, log_open: bool, tight: bool) -> Widget:
    """The way into the menu, the log's switch, the past, and the whole map."""
    shown = fight.app.keys.shown

    def tip(told: str, heading: str, command: str) -> Tip:
        return Tip(told, text(heading, keys=shown(command)))

    menu = Button("Menu", fight.doing("menu"), key="menu", slim=True,
                  tip=tip("Save, load, settings, help and the way out.", "Menu ({keys})", "back"))  # fmt: skip
    told = "What has happened, line by line; a press opens or folds it."
    log = Button("Log", fight.doing("log"), key="fold log", slim=True, chosen=log_open,
                 tip=tip(told, "Log ({keys})", "log"))  # fmt: skip
    told = "All that is known of the map and who stands there; once more goes back to where you looked."
    every = IconButton(partial(icon, "all"), fight.doing("zoom_fit"), key="show all",
                       tip=tip(told, "Show all ({keys})", "zoom_fit"))  # fmt: skip
    told = "Every space that an adversary could strike in its next chance, as far as you know."
    threat = IconButton(partial(icon, "threat"), fight.doing("keep_threat"), key="threat", chosen=fight.threat_kept,
                        tip=tip(told, "Ground in reach of foes (hold {keys})", "threat"))  # fmt: skip
    icons = [*fight.undoing.buttons(), threat, every]
    if tight:
        return column(row(menu, log, gap=4), row(*icons, gap=2), gap=4, pad=6, plate="panel", align="centre")
    return row(menu, log, Space(grow=1), *icons, gap=3, pad=7, plate="panel")


def log_panel(fight: FightTable, board: Board) -> Widget:
    """The story so far; its heading counts along with seconds that pass."""

    def caption() -> str:
        now = board.now
        if now is None or not isinstance(board.caption, Text):
            return board.caption
        return mapped(board.caption, lambda value: int(_clock(fight, board)) if value == now else value)

    head = row(Live(caption, "bright", "label!", fits=True), Space(grow=1), gap=2)
    return column(head, grown(fight.telling.story), gap=4, pad=10, plate="panel")


# -- questions ------------------------------------------------------------


def question_panel(fight: FightTable, plan: Plan) -> Widget:
    """A question that the rules put: its answers as buttons, each with its cost and its chance where dice decide."""
    parts: list[Widget] = [Label(plan.decision.prompt or "What happens?", "label!", "bright")]
    for offer in plan.offers:
        d, odds = offer.description, plan.odds(offer.actions[0]) if offer.actions else None
        costs = [d.cost] if d.cost else []
        if odds is not None and len(odds.outcomes) > 1:
            costs.append(text("{percent} {outcomes}", percent(odds.outcomes[0][1]), odds.outcomes[0][0]))
        parts.append(Button(d.label, partial(fight.choosing.take_offer, offer), cost=joined(" · ", costs),
                            hint=shown_key(fight.key_of(offer)), tip=offer_tip(d, None)))  # fmt: skip
    return column(*parts, gap=8, pad=16, plate="panel", edge="gold")

"""What frames the board of a fight: the order of play, whose view it is, the tools, the log, a question that is put."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pygame

from game.app.settings import PACES
from game.scenes.fight.model import FightModel
from game.scenes.fight.panels.actionbar import offer_tip, shown_key
from game.scenes.fight.panels.card import percent
from game.scenes.fight.panels.hud import likeness
from game.scenes.fight.plan import Plan
from game.scenes.fight.table import FightTable
from game.view.minis import icon
from game.view.palette import seat_colour
from game.widgets.controls import Button, Label, Swatch
from game.widgets.core import Space, Tip, Widget, column, row
from game.widgets.figures import BarFigure, Chip, IconButton, Live, Picture, PipsFigure
from game.widgets.text import rendered
from game.widgets.theme import Look
from game.widgets.timeline import ROWS, Timeline
from rules.contract.actions import Offer
from rules.contract.display import Board, Sheet, Turn
from rules.contract.text import Text, joined, mapped, text

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
        start = max(0, min(first - 1, len(turns) - most))
        turns = turns[start : start + most]
    wide = min(92.0, max(62.0, (room / look.scale - 24) / max(1, len(turns)) - 4))
    chips: list[Widget] = []
    several = fight.planning.open()
    for turn in turns:
        mini = minis[turn.id]
        asked = turn.active and (mini.id == fight.acting or mini.id not in several)
        if mini.id in several or board.banner:
            asked = mini.id == fight.acting
        chips.append(
            Chip(
                mini.name,
                likeness(mini.art, mini.side),
                mini.points.value,
                partial(fight.planning.look_at, mini.id),
                active=asked,
                following=partial(_follows, fight, mini.id, mini.id in several and not turn.planned),
                done=turn.done or mini.out,
                ticked=turn.planned,
                compact=compact,
                width=wide,
                after=partial(fight.choosing.points_after, mini.id),
                key=f"order {mini.id}",
                tip=Tip(_order_tip(turn, mini.id in several, asked), mini.name),
            )
        )
    return row(*chips, gap=4, pad=7, plate="panel")


def timeline_panel(fight: FightTable, board: Board, *, tight: bool) -> Widget:
    """The seconds to come with everybody's next slot, moving with what is considered."""
    faces = {mini.id: (mini.name, likeness(mini.art, mini.side)) for mini in board.miniatures if not mini.out}

    def after() -> tuple[str, int, str] | None:
        plan, considered = fight.plan, fight.choices.preview
        if plan is None or considered is None or plan.decision.by not in faces or fight.behind:
            return None
        d = plan.describe(considered)
        word = (considered.weapon or considered.item or d.label).replace("_", " ")
        option = (considered.option or "").replace("_", " ")
        named = text("{word}, {option}", word=word, option=option) if option and considered.target else word
        return (plan.decision.by, d.slot, named) if d.slot is not None else None

    plan = fight.plan
    asked = plan is not None and not plan.is_question and not fight.behind
    why = plan.decision.prompt if plan is not None and asked else ""
    strip = Timeline(
        board.timeline,
        faces,
        partial(_clock, fight, board),
        after,
        fight.planning.look_at,
        asked=fight.acting,
        why=why,
        rows=1 if tight else ROWS,
    )
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
    return Button(
        text("Pace: {pace}", pace=PACES[fight.app.settings.pace]), faster, key="pace", slim=True, tip=Tip(told, "Pace")
    )


def _follows(fight: FightTable, name: str, waits: bool) -> bool:
    """Whether somebody's place is lit without being asked: it waits for its plan, or would come next."""
    return waits or fight.choosing.is_next(name)


def _order_tip(turn: Turn, plans: bool, asked: bool) -> str:
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
        parts.append(Label(banner, "label!", "gold"))
        parts.append(Label(_still_open(fight), "label", "quiet"))
    if seating.seats.shared:
        parts += [
            Swatch(seat_colour(seating.at.colour), 14),
            Label(seating.at.name, "label!", "bright", one_line=True),
        ]
    if fight.match.record.chance_seconds is not None:
        parts.append(Clock(fight))
    if (switch := _eye(fight)) is not None:
        parts.append(switch)
    if not parts:
        return None
    return row(*parts, gap=8, pad=6, plate="panel", edge="gold" if seating.all_seen else "hairline")


def _eye(fight: FightTable) -> Widget | None:
    """The switch to the game master's view, or what brings their player to the screen and away; None for neither."""
    seating, key = fight.seating, shown_key(fight.app.keys.shown("see_all"))
    gold = False
    if seating.held_from is not None:
        word, told, gold = "Hand the screen on", text("The next seat is let look, and plays ({key}).", key=key), True
    elif seating.may_take:
        word, told = "Game master", text("The game master takes the screen, and the others look away ({key}).", key=key)
    elif seating.may_see_all and seating.seats.sides(seating.at):
        word = "Game master's view: sees all" if seating.all_seen else "See all"
        told = text("The game master's view without fog of war, on or off ({key}).", key=key)
    else:
        return None
    chosen = seating.all_seen and not gold
    return Button(word, fight.doing("see_all"), key="see all", slim=True, gold=gold, chosen=chosen, tip=Tip(told))


def _still_open(fight: FightTable) -> str:
    """Who of those in the order of play may still do something."""
    board = fight.told_board
    names = {mini.id: mini.name for mini in board.miniatures}
    left = [names[turn.id] for turn in board.order if not turn.done and turn.id in names]
    if len(left) > 2:
        return text("{left} may still act", left=len(left))
    return text("{left} may still act", left=joined(" and ", left)) if left else ""


class Clock(Widget):
    """The time left of a chance; quiet until its last seconds."""

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


def short_sheet(fight: FightTable, sheet: Sheet, unfold: Callable[[], None]) -> Widget:
    """A sheet in short: who it is, the first pool and the points; for windows without room."""
    name = Label(sheet.name, "text!", "bright", one_line=True)
    parts: list[Widget] = [row(Picture(likeness(sheet.art, sheet.side), 26), name, gap=6)]
    for bar in [b for b in sheet.bars if b.tone == "health"][:1]:
        parts.append(BarFigure("HP", bar.value, bar.maximum, bar.tone))
    fold = Button("Sheet", unfold, key="fold sheet", quiet=True, slim=True, tip=Tip("The whole sheet."))
    points = next((b.value for b in sheet.bars if b.tone == "points"), 0)
    parts.append(row(fold, PipsFigure("", points, lambda: fight.choosing.points_after(sheet.id)), gap=4))
    return column(*parts, gap=3, pad=7, plate="panel")


def less_button(fold: Callable[[], None]) -> Widget:
    """Under a sheet that lies over the board: back to its short form."""
    return row(Space(grow=1), Button("Less", fold, key="fold sheet", slim=True))


def tool_panel(fight: FightTable, *, log_open: bool, tight: bool) -> Widget:
    """The way into the menu, the log's switch, the past, and the whole map."""
    keys = fight.app.keys
    menu = Button(
        "Menu",
        fight.doing("menu"),
        key="menu",
        slim=True,
        tip=Tip("Save, load, settings, help and the way out.", text("Menu ({keys})", keys=keys.shown("back"))),
    )
    log = Button(
        "Log",
        fight.doing("log"),
        key="fold log",
        slim=True,
        chosen=log_open,
        tip=Tip(
            "What has happened, line by line; a press opens or folds it.", text("Log ({keys})", keys=keys.shown("log"))
        ),
    )
    told = "All that is known of the map and who stands there; once more goes back to where you looked."
    every = IconButton(
        partial(icon, "all"),
        fight.doing("zoom_fit"),
        key="show all",
        tip=Tip(told, text("Show all ({keys})", keys=keys.shown("zoom_fit"))),
    )
    struck = "Every space that an adversary could strike in its next chance, as far as you know."
    threat = IconButton(
        partial(icon, "threat"),
        fight.doing("keep_threat"),
        key="threat",
        tip=Tip(struck, text("Ground in reach of foes (hold {keys})", keys=keys.shown("threat"))),
        chosen=fight.threat_kept,
    )
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
    fight.telling.story.grow = 1
    return column(head, fight.telling.story, gap=4, pad=10, plate="panel")


# -- questions ------------------------------------------------------------


def question_panel(fight: FightTable, plan: Plan) -> Widget:
    """A question that the rules put: its answers as buttons."""
    buttons: list[Widget] = []
    for offer in plan.offers:
        hint = shown_key(fight.key_of(offer))
        label = offer.description.label
        buttons.append(
            Button(
                label,
                partial(fight.choosing.take_offer, offer),
                cost=_answer_cost(plan, offer),
                hint=hint,
                tip=offer_tip(offer.description, None),
            )
        )
    prompt = plan.decision.prompt or "What happens?"
    return column(Label(prompt, "label!", "bright"), *buttons, gap=8, pad=16, plate="panel", edge="gold")


def _answer_cost(plan: Plan, offer: Offer) -> str:
    """What an answer costs, and its chance where dice decide about it."""
    odds = plan.odds(offer.actions[0]) if offer.actions else None
    decided = odds is not None and len(odds.outcomes) > 1
    chance = (
        text("{percent} {outcomes}", percent=percent(odds.outcomes[0][1]), outcomes=odds.outcomes[0][0])
        if odds and decided
        else ""
    )
    return joined(" · ", (part for part in (offer.description.cost, chance) if part))

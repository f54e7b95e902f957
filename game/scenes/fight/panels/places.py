"""What is shown of a fight: marks on the board, where the panels are, and the cards that float beside their subject."""

from __future__ import annotations

from functools import partial
from typing import assert_never

import pygame
from pygame import Rect

from game.controllers.ai.advisors import advisor_of
from game.fight.seats import computers
from game.party.foresight import Foreseen, percent
from game.scenes.dialogs.level import level_sign
from game.scenes.fight import ending, spaces
from game.scenes.fight.aiming import measured
from game.scenes.fight.model import Phase, Wish
from game.scenes.fight.panels import card, frame, goals, party
from game.scenes.fight.panels.card import notes_of
from game.scenes.fight.plan import Plan, end_of
from game.scenes.fight.table import FightTable
from game.scenes.levels import level_strip
from game.view.overlays import Overlays, reach_tag
from game.widgets.controls import Button, Label
from game.widgets.core import Scroll, Space, Widget, column, grown, row
from game.widgets.figures import SmallMap
from game.widgets.text import Run
from rules.board.bitboard import cells_of
from rules.contract.actions import Action
from rules.contract.text import Text, joined
from rules.contract.units import EMPTY, Bitboard, Cell

AT_HAND = 80
"""More spaces than these are a shooter's, and not outlined."""


def overlays(fight: FightTable) -> Overlays:
    """The marks for the fight as it is."""
    marks, pointed, plan = Overlays(), fight.pointed, fight.chance
    marks.hover, marks.selected, marks.sight = pointed.cell, fight.selected, pointed.line
    marks.asked = fight.acting if len(fight.planning.open()) > 1 and not fight.view.busy else None
    marks.legend = fight.app.held(pygame.KMOD_ALT)
    if pointed.ruler is not None and (told := measured(fight)) is not None:
        marks.ruler = (*pointed.ruler, told[0])
    marks.pins = notes_of(fight)
    marks.goals = goals.spaces(fight)
    if fight.threat_held or fight.threat_kept:
        marks.threat = threat(fight)
    if fight.threat_held or plan is None or fight.view.busy:
        return marks  # where foes can strike is glanced at alone: what one may do lies beneath it
    marks.facing = _arcs(fight, plan)
    marks.struck = _struck(plan, marks.facing)
    _light(plan, marks)
    if plan.board.watched is not None:
        _heed(fight, plan, marks)
    marks.path, marks.path_ok = pointed.path, pointed.path_ok
    if (course := fight.choices.course) is not None:
        _company(course, marks)
    if (errand := fight.choices.errand or fight.choices.approach) is not None and not pointed.path:
        marks.path = errand.path
    armed = plan.armed is not None and plan.armed.description.needs == "creature"
    if plan.actor is not None and (plan.armed is None or armed):
        for mini in plan.board.miniatures:
            _mark_target(plan, mini.id, marks)
    if errand is not None and (odds := errand.there.odds(errand.deed)) is not None:
        marks.chances[errand.target] = percent(odds.hit)
        marks.crosses.pop(errand.target, None)
    if (considered := fight.choices.preview) is not None and (reach := plan.area(considered) & plan.known):
        marks.reach, odds = reach, plan.odds(considered)
        marks.chances |= {share.id: percent(share.hit) for share in odds.targets} if odds is not None else {}
    plain = plan.armed is not None and all(a.item is None for a in plan.armed.actions)
    if armed and plain and plan.start is not None:
        marks.reach = advisor_of(plan.ruleset).reaches(plan.state, plan.decision.by, plan.start) & plan.known
    return marks


def _arcs(fight: FightTable, plan: Plan) -> tuple[str, int] | None:
    """Whose arcs are shown: of whoever considers to turn, else of whom is pointed at, where the rules know facing."""
    considered, actor = fight.choices.preview, plan.actor
    if considered is not None and actor is not None and considered in plan.facings.values():
        return (actor.id, int(considered.option or 0))
    pointed = plan.minis.get(fight.pointed.aimed or "")
    if pointed is None and plan.armed is not None and plan.armed.description.needs == "facing":
        pointed = actor
    return None if pointed is None or pointed.facing is None or pointed.out else (pointed.id, pointed.facing)


def _struck(plan: Plan, facing: tuple[str, int] | None) -> Bitboard:
    """What whoever's arcs are shown can strike where it stands; nothing for who shoots all over the board."""
    mini = plan.minis.get(facing[0]) if facing is not None else None
    if mini is None or not mini.reach:
        return EMPTY
    cells = advisor_of(plan.ruleset).reaches(plan.state, mini.id, mini.cell) & plan.known
    return cells if cells.bit_count() <= AT_HAND * mini.size else EMPTY


def _light(plan: Plan, marks: Overlays) -> None:
    """Each movement's spaces by its kind, each space once, by the cheapest way."""
    kinds: dict[str, set[Cell]] = {"free": set(), "step": set(), "run": set(), "leap": set(), "climb": set()}
    seen: set[int] = set()
    for offer in plan.active():
        cells = set(plan.moves(offer)) - seen
        if not cells:
            continue
        d = offer.description
        if d.needs == "space":
            aimed = any(action.item is not None for action in offer.actions)
            first = offer.actions[0].item is not None
            kind = "step" if first else "climb" if d.icon == "climb" else "step" if aimed else "leap"
        elif d.group == "First":
            kind = "free"
        else:
            kind = "run" if kinds["step"] or d.icon == "run" else "step"
        kinds[kind] |= cells
        seen |= cells
    marks.free, marks.step, marks.run, marks.leap, marks.climb = map(frozenset, kinds.values())


def _heed(fight: FightTable, plan: Plan, marks: Overlays) -> None:
    """Where adversaries look who have noticed nothing, and the chance to be noticed on each space one could go to."""
    marks.watched = (plan.board.watched or EMPTY) & plan.known
    marks.risks = plan.risks()
    if exits := plan.field.exits & plan.known:
        marks.zones[plan.decision.side] = cells_of(exits)
    considered = plan.odds(fight.choices.preview) if fight.choices.preview is not None else None
    if considered is not None and considered.along:
        marks.along = dict(considered.along)
        marks.chances |= {share.id: percent(share.hit) for share in considered.targets}


def _company(course: Foreseen, marks: Overlays) -> None:
    """Where everybody of the party would come to stand, and what the way risks."""
    marks.company = dict(course.ends)
    marks.walker = course.orders[0].names[0]
    if course.hazard is not None:
        marks.along = {cell: chance for cell, chance in course.hazard.along.items() if chance > 0.0}
        marks.chances |= {name: percent(chance) for name, chance in course.hazard.each.items()}


def _mark_target(plan: Plan, name: str, marks: Overlays) -> None:
    if plan.marked_for is not plan.armed:
        plan.marked_for = plan.armed
        plan.target_marks.clear()
    if name not in plan.target_marks:
        plan.target_marks[name] = _target_mark(plan, name)
    chance, cross = plan.target_marks[name]
    if chance:
        (marks.fallen if plan.armed is None and plan.minis[name].out else marks.chances)[name] = chance
    elif cross:
        marks.crosses[name] = cross


def _target_mark(plan: Plan, name: str) -> tuple[str, str]:
    """(the chance to hit, or a tick; why nothing can be done to it): one of them or neither."""
    action = plan.strike(name) or plan.finishing(name)
    if action is None:
        return "", plan.why_not(name) if plan.is_foe(name) and not plan.minis[name].out else ""
    odds = plan.odds(action)
    return percent(odds.hit) if odds is not None else ("√" if plan.armed is not None else ""), ""


def threat(fight: FightTable) -> Bitboard:
    """Bitboard of every space that the other sides could strike in their next chance."""
    board, state, rules = fight.board, fight.shown, fight.ruleset
    found = EMPTY
    for mini in board.miniatures:
        if mini.side in fight.sides or mini.out:
            continue
        for cell in {mini.cell, *advisor_of(rules).spots(state, mini.id)}:
            found |= advisor_of(rules).reaches(state, mini.id, cell)
    return found & fight.eyes.known()


TIGHT_MARGIN = 6
TIMELINE = 720
"""Width of a timeline at 100 %, where there is so much room."""
MAP_HEIGHT = 130
"""Pixels at 100 % that the small map is high at most."""
MAP_PAD = 6
LEAST_ABOVE = 80
"""Pixels at 100 % over the unfolded list that are worth being looked at."""
PICKS = (380, 600)
"""Width of a list at 100 %: at least, and at most where its lines are long."""


class FightPanels:
    """Builds the widgets of a fight for the window as it is, and draws its cards."""

    def __init__(self, fight: FightTable) -> None:
        self.fight = fight
        self._placed: tuple[object, Rect] | None = None
        self._asked: tuple[object, Widget] | None = None
        """The card of the space that the pointer rests on, and for what it was made."""
        self.sheet_rect = Rect(0, 0, 0, 0)
        self._toast: Widget | None = None
        self.toast_rect: Rect | None = None
        """Where the toast is, if there is one."""
        self.card_rect: Rect | None = None
        """Where the card is that was drawn last, if there is one."""
        self.bar: frame.Bar | None = None
        """Which offers have a place on the bar; None while nobody at the screen is asked."""
        self._under_order = 0
        self._laid_for: tuple[tuple[int, int], float] = ((0, 0), 0.0)
        self._bar_high = 0
        """Of the last bar of actions: the board stays where it is while a lower panel stands there."""

    # -- panels

    def build(self) -> None:
        """Make all panels again."""
        fight, tight = self.fight, self.fight.tight
        look, high = fight.app.look, fight.size[1]
        margin = self._margin
        if self._laid_for != (fight.size, look.scale):
            self._laid_for, self._bar_high = (fight.size, look.scale), 0
        fight.ui.clear()
        fight.under_panels = []
        self._placed = self._asked = None
        bar_top = self._build_party(self._build_actions(high - margin))
        tools = self._build_tools()
        tools = self._build_levels(tools)
        small = self._build_small_map(tools, bar_top) if fight.app.settings.small_map else None
        foot = small.top if small is not None and not tight else bar_top
        aims = None if tight else self._build_goals(foot)
        sheet = self.sheet_rect = self._build_sheet(foot if aims is None else aims.top)
        if tight and (aims := self._build_goals(foot, sheet)) is not None:
            sheet = sheet.union(aims)
        room = tools.left - sheet.right - 2 * margin
        strip = self._build_plate(self._build_order(sheet.right + margin, room), room)
        log: Rect | None = None
        if fight.log_open:
            top, width = (strip.bottom if tight else tools.bottom) + margin, look.px(card.LOG_WIDTH)
            bottom = min(max(look.px(260), round(high * 0.7)), bar_top - margin)
            rect = Rect(fight.size[0] - margin - width, top, width, bottom - top)
            log = self._add(frame.log_panel(fight, fight.told_board), rect)
        if fight.phase is Phase.CHANCE and not (fight.marching.running and self._bar_high):
            self._bar_high = high - bar_top
        shown = fight.camera.free
        self._tell_camera(sheet, tools, log=log, small=small, strip=strip, bar_top=min(bar_top, high - self._bar_high))
        self._uncover(shown)
        self._build_more(bar_top)
        self._build_lists()
        fight.ui.finish()

    @property
    def _margin(self) -> int:
        """Pixels between panels, and to the window's edge."""
        return self.fight.app.look.px(TIGHT_MARGIN if self.fight.tight else card.MARGIN)

    def _add(self, widget: Widget, rect: Rect, *, modal: bool = False) -> Rect:
        self.fight.ui.add(widget, rect, modal=modal)
        self.fight.under_panels.append(rect)
        return rect

    def _build_actions(self, bottom: int) -> int:
        """The bar (or question) at the foot; its top edge in pixels."""
        fight = self.fight
        look, (wide, high) = fight.app.look, fight.size
        room = wide - 2 * self._margin
        bar = self._bar(room)
        width, height = bar.measure(look, room)
        if fight.phase is Phase.QUESTION:
            width = min(max(width, look.px(320)), room)
            height = min(bar.measure(look, width)[1], high - 2 * self._margin)
        return self._add(bar, Rect((wide - width) // 2, bottom - height, width, height)).top

    def _build_party(self, bar_top: int) -> int:
        """The party's orders above the bar; the top edge of both in pixels."""
        fight, (wide, _) = self.fight, self.fight.size
        look, room = fight.app.look, wide - 2 * self._margin
        strip = party.strip(fight, room, tight=fight.tight)
        if strip is None:
            return bar_top
        width, height = strip.measure(look, room)
        width = min(width, room)
        height = strip.measure(look, width)[1]
        top = bar_top - height - look.px(5)
        return self._add(strip, Rect((wide - width) // 2, top, width, height)).top

    def _played_for_one(self) -> bool:
        """Whether the computer plays any of whoever looks: they can be taken back while they act."""
        seats, own = self.fight.seating.seats, self.fight.seating.at
        return any(seats.of(name) == own for name in computers(self.fight.match.record))

    def _played_by_computer(self) -> bool:
        """Whether what is to be decided next is for the heroes of whoever looks, and the computer decides it."""
        decision, seating = self.fight.match.decision, self.fight.seating
        if decision is None or not self._played_for_one() or decision.side not in seating.seats.sides(seating.at):
            return False
        return seating.seats.answering(decision) is None

    def _bar(self, room: int) -> Widget:
        """What stands at the foot in as many pixels of width."""
        fight, plan, phase = self.fight, self.fight.plan, self.fight.phase
        self.bar, fight.bar_hides = None, False
        match phase:
            case Phase.OVER:
                return ending.bar(fight, tight=self.fight.tight)
            case Phase.SHOWN | Phase.OTHERS:
                shown = next((m.name for m in fight.told_board.miniatures if m.active), "")
                name = shown if fight.behind else fight.names.get(fight.acting or "", "")
                told = Text.of("{who} acts · Space hurries", who=name or "The other side")
                if not name and self._played_by_computer():
                    told = Text.of("The computer plays your party · Space hurries")
                if (following := fight.seating.due or fight.seating.awaited) is not None:
                    told = Text.of("{seat} plays next", seat=following.name)
                line: Widget = Label(told, "text", "quiet")
                if following is None and not self.fight.tight:
                    line = row(line, level_sign(fight.app), gap=10)
                if following is None and self._played_for_one():
                    back = Button("Play yourself", fight.doing("give_all"), slim=True, key="take back")
                    return row(line, back, gap=10, pad=8, plate="panel")
                return column(line, pad=11, plate="panel", align="centre")
            case Phase.QUESTION:
                assert plan is not None
                return frame.question_panel(fight, plan)
            case Phase.CHANCE:
                assert plan is not None
                hints = [fight.keys_of_offers[n] for n in range(len(plan.offers))]
                self.bar = frame.Bar(plan.offers, hints, fight.app.look, room, tight=self.fight.tight)
                fight.bar_hides = bool(self.bar.hidden)
                return frame.action_bar(fight, plan, fight.app.look, self.bar)
            case _:
                assert_never(phase)

    def _build_goals(self, foot: int, sheet: Rect | None = None) -> Rect | None:
        """What is to be done: at the foot of the left edge, in little windows in a line under the `sheet`."""
        fight, look, margin = self.fight, self.fight.app.look, self._margin
        panel = goals.listed(fight, tight=sheet is not None)
        if panel is None:
            return None
        if sheet is not None:
            width = look.px(card.SHORT_WIDTH)
            top, height = sheet.bottom + look.px(4), panel.measure(look, width)[1]
        else:
            width = look.px(card.SHEET_WIDTH)
            height = min(panel.measure(look, width)[1], max(look.px(90), (foot - margin) * 2 // 5))
            top = foot - margin - height
        return self._add(panel, Rect(margin, top, width, height)) if top + height <= foot else None

    def _build_sheet(self, bar_top: int) -> Rect:
        """The sheet of whoever is selected or acts."""
        fight, look, margin = self.fight, self.fight.app.look, self._margin
        shown = fight.selected if fight.selected in fight.names else fight.acting
        if shown not in fight.names:
            shown = next(iter(fight.names), None)
        if shown is None:
            return Rect(0, 0, 0, 0)
        sheet = fight.ruleset.sheet(fight.told_state, shown)
        if fight.tight and not fight.sheet_over:
            panel, width = frame.short_sheet(fight, sheet), look.px(card.SHORT_WIDTH)
            return self._add(panel, Rect(margin, margin, width, panel.measure(look, width)[1]))
        after, spending = partial(fight.choosing.points_after, shown), partial(fight.choosing.spending_line, shown)
        parts: list[Widget] = [grown(Scroll(card.sheet_panel(fight.ruleset, sheet, after, spending), key="sheet"))]
        if fight.tight:
            parts.append(row(Space(grow=1), Button("Less", fight.doing("fold_sheet"), key="fold sheet", slim=True)))
        panel, width = column(*parts, gap=4, pad=12, plate="panel"), look.px(card.SHEET_WIDTH)
        height = min(panel.measure(look, width)[1], bar_top - 2 * margin)
        return self._add(panel, Rect(margin, margin, width, height))

    def _build_tools(self) -> Rect:
        """The menu and what goes with it, at the upper right."""
        fight, look = self.fight, self.fight.app.look
        log_width, tight = look.px(card.LOG_WIDTH), fight.tight
        panel = frame.tool_panel(fight, log_open=fight.log_open, tight=tight)
        if not tight and panel.measure(look, fight.size[0])[0] > log_width:  # long words in another language
            panel = frame.tool_panel(fight, log_open=fight.log_open, tight=True)
        width, height = panel.measure(look, fight.size[0])
        width = width if tight else log_width
        return self._add(panel, Rect(fight.size[0] - self._margin - width, self._margin, width, height))

    def _build_levels(self, tools: Rect) -> Rect:
        """The maps of a place under the menu; what both take together."""
        fight, look = self.fight, self.fight.app.look
        keys = joined(", ", (fight.app.keys.shown("page_up"), fight.app.keys.shown("page_down")))
        strip = level_strip(fight.view, self._to_level, look, tools.width, news=fight.news, keys=keys)
        if strip is None:
            return tools
        rect = Rect(tools.left, tools.bottom + look.px(4), tools.width, strip.measure(look, tools.width)[1])
        return tools.union(self._add(strip, rect))

    def _to_level(self, level: int) -> None:
        self.fight.camera.to_level(level, self.fight.everybody())
        self.fight.aiming.repoint()

    def _build_small_map(self, tools: Rect, bar_top: int) -> Rect:
        """The known ground in small: at the lower left, or where there is no room under the menu, over the board."""
        fight, look, margin = self.fight, self.fight.app.look, self._margin
        wide = (tools.width if fight.tight else look.px(card.SHEET_WIDTH)) - 2 * look.px(MAP_PAD)
        inner = SmallMap(fight.view, fight.camera.centre, (wide, look.px(MAP_HEIGHT)))
        panel = column(inner, pad=MAP_PAD, plate="panel", align="centre")
        width, height = panel.measure(look, wide + 2 * look.px(MAP_PAD))
        rect = Rect(margin, bar_top - margin - height, width, height)
        if fight.tight:
            rect.topright = (tools.right, tools.bottom + look.px(4))
        return self._add(panel, rect)

    def _build_order(self, left: int, room: int) -> Rect:
        fight, look, board = self.fight, self.fight.app.look, self.fight.told_board
        if board.timeline:
            strip, most = frame.timeline_panel(fight, board, tight=fight.tight), min(room, look.px(TIMELINE))
        else:
            strip, most = frame.order_strip(fight, board, look, room), room
        width, height = strip.measure(look, most)
        middle = left + max(0, (room - width) // 2)
        return self._add(strip, Rect(middle, self._margin, min(width, room), height))

    def _build_plate(self, strip: Rect, room: int) -> Rect:
        """Who sits at the screen, the clock of the chance and the game master's eye, under the order of play.

        Returns the rectangle down to which the top of the window is taken.
        """
        look, plate = self.fight.app.look, frame.seat_plate(self.fight)
        if plate is None:
            return strip
        width, height = plate.measure(look, max(room, strip.width))
        rect = Rect(0, strip.bottom + look.px(4), width, height)
        rect.centerx = strip.centerx
        self._add(plate, rect)
        return Rect(strip.left, strip.top, strip.width, rect.bottom - strip.top)

    def _build_more(self, bar_top: int) -> None:
        """What has no room on the bar, unfolded above it."""
        fight, plan = self.fight, self.fight.plan
        if not fight.choices.more or self.bar is None or plan is None or not self.bar.hidden:
            return  # in a larger window nothing may be left to unfold
        look, margin, free = fight.app.look, self._margin, fight.camera.free
        beside = Rect(margin, margin, fight.size[0] - 2 * margin, bar_top - 2 * margin)
        if not fight.tight:  # sheet and log stay legible
            beside = Rect(free.left, free.top, free.width, bar_top - margin - free.top)
        panel = frame.more_panel(fight, plan, look, self.bar, beside.size)
        wide, high = panel.measure(look, beside.width)
        rect = Rect(0, 0, wide, min(high, beside.height))
        rect.midbottom = (beside.centerx, bar_top - look.px(4))
        self._add(panel, rect)
        above = Rect(free.left, free.top, free.width, rect.top - margin - free.top)
        if above.height >= look.px(LEAST_ABOVE):
            fight.camera.free = above

    def _build_lists(self) -> None:
        """An open list of choices lies over everything, and alone answers."""
        fight = self.fight
        if fight.choices.picks is None:
            return
        look, (wide, high) = fight.app.look, fight.size
        title, entries = fight.choices.picks
        rows = [(label, cost, partial(fight.choosing.take_pick, what), legal) for label, cost, what, legal in entries]
        panel = card.pick_panel(title, rows, lambda: fight.choosing.take_pick(None))
        natural = panel.measure(look, min(look.px(PICKS[1]), wide - 40))[0] / look.scale
        width = min(look.px(max(PICKS[0], natural)), wide - 40)
        rect = Rect(0, 0, width, min(panel.measure(look, width)[1], high - 40))
        rect.center = (wide // 2, high // 2)
        self._add(panel, rect, modal=True)

    def _tell_camera(
        self, sheet: Rect, tools: Rect, *, log: Rect | None, small: Rect | None, strip: Rect, bar_top: int
    ) -> None:
        """Panels are covered ground: the camera keeps what matters in what they leave free.

        What is unfolded in a tight window lies over the board only for a moment, and doesn't count; a small map stays.
        """
        fight, margin = self.fight, self._margin
        self._under_order = strip.bottom
        left, top = margin, max(strip.bottom, tools.bottom) + margin
        if not fight.tight:
            left = sheet.right + margin
        elif not fight.sheet_over:
            top = max(top, sheet.bottom + margin)
        at_right = small if fight.tight else log
        right = at_right.left - margin if at_right is not None else fight.size[0] - margin
        fight.camera.free = Rect(left, top, max(80, right - left), max(80, bar_top - top - margin))

    def _uncover(self, shown: Rect) -> None:
        """Whoever acts and stood free, or was about to, comes into sight again where panels have grown over it."""
        fight = self.fight
        actor = fight.plan.actor if fight.plan is not None and fight.phase is Phase.CHANCE else None
        if actor is None or fight.camera.free.contains(shown):
            return
        place = fight.camera.space_rect(actor.cell, actor.size)
        if fight.camera.moving or (shown.contains(place) and not fight.camera.free.contains(place)):
            fight.wishes.append(Wish.IN_SIGHT)

    # -- floating cards and the toast

    def draw_floating(self, surface: pygame.Surface) -> None:
        """The card beside what the pointer (or the key cursor) is on, the ruler's figure, and the toast."""
        fight = self.fight
        self.card_rect = None
        self.toast_rect = self._lay_toast() if fight.toast_text else None
        if not (fight.view.busy or fight.ui.modal or fight.choices.more) and fight.app.top is fight:
            if (found := self._card_now()) is not None:
                widget, what = found
                rect = self.card_rect = self._place(widget, what)
                widget.place(fight.app.look, rect)
                fight.app.look.panel(surface, rect, fill="panel", edge="")
                widget.draw(surface, fight.app.look)
            covered = fight.under_panels if self.card_rect is None else [*fight.under_panels, self.card_rect]
            notes, cell = card.notes_of(fight), fight.pointed.cell
            card.draw_notes(surface, fight.app.look, fight.camera, notes, cell, covered=covered)
        if self.toast_rect is not None:
            self._draw_toast(surface, self.toast_rect)

    def _card_now(self) -> tuple[Widget, Rect] | None:
        fight, pointed, plan, considered = self.fight, self.fight.pointed, self.fight.plan, self.fight.choices.preview
        at = fight.camera.space_rect
        if (told := measured(fight)) is not None:
            return column(Label(told[0], "text!", "bright"), pad=8, plate="panel"), at(told[1])
        if plan is None or plan.is_question:
            return self._rested_on()
        if (course := fight.choices.course) is not None and pointed.cell is not None:
            there = spaces.told(fight, pointed.cell)
            return party.card(fight, course, there), at(pointed.cell)
        target, planned = pointed.aimed, fight.choices.errand
        errand = planned if planned is not None and target in (None, planned.target) else fight.choices.approach
        if errand is not None and considered is None:
            mini, clicked = plan.minis[errand.target], errand is planned
            lead = card.errand_card(errand, fight.names, brief=fight.tight, planned=clicked)
            return lead, at(mini.cell, mini.size)
        if target is not None and target in plan.minis:
            mini = plan.minis[target]
            if considered is not None and considered.target == target:
                return card.attack_card(plan, considered, fight.names, brief=fight.tight), at(mini.cell)
            if target != plan.decision.by and (plan.is_foe(target) or plan.armed):
                reason = Label(mini.name, "text!", "coral"), Label(plan.why_not(target), "small", "text")
                return column(*reason, gap=2, pad=9, plate="panel"), at(mini.cell)
            return self._rested_on()
        if considered is not None and (cell := self._where(considered)) is not None:
            if plan.odds(considered) is not None:
                return card.attack_card(plan, considered, fight.names, brief=fight.tight), at(cell)
            there = spaces.told(fight, pointed.cell if pointed.cell is not None else cell)
            return card.move_card(plan, considered, fight.names, there), at(cell)
        if pointed.fault:
            return self._told_of(pointed.fault[1], pointed.fault[0]), at(pointed.fault[1])
        return self._rested_on()

    def _rested_on(self) -> tuple[Widget, Rect] | None:
        """What the pointer rests on: who stands there, or what there is and why one can't go there."""
        fight, pointed = self.fight, self.fight.pointed
        if not pointed.rests or pointed.cell is None:
            return None
        mini = next((m for m in fight.board.miniatures if m.id == pointed.aimed), None)
        if mini is not None:
            here = [m for m in fight.board.miniatures if m.out and m.cell == mini.cell and m.id != mini.id]
            return card.creature_card(mini, () if mini.out else here), fight.camera.space_rect(mini.cell, mini.size)
        return self._told_of(pointed.cell), fight.camera.space_rect(pointed.cell)

    def _told_of(self, cell: Cell, why: str | None = None) -> Widget:
        """What there is on a space, and what going up to its door and opening it costs; else why one can't go there,
        asked for where no reason is given."""
        fight, plan = self.fight, self.fight.plan
        known = (plan, fight.match.history.length, cell, why)
        if self._asked is None or self._asked[0] != known:
            asked, errand = fight.chance, None
            if asked is not None and asked.actor is not None and asked.armed is None:
                errand = spaces.through_door(fight, asked, cell)
                why = why or (spaces.why_no_way(fight, asked, cell) if errand is None else "")
            self._asked = (known, card.space_card(spaces.told(fight, cell), why or "", errand, fight.names))
        return self._asked[1]

    def _where(self, action: Action) -> Cell | None:
        """The space at which the card of an action stands: where it ends, or that of the door pointed at."""
        door = next((door for door in self.fight.match.field.doors if door.id == action.target), None)
        if door is None:
            return end_of(action)
        return door.edge if door.edge is not None and door.edge == self.fight.pointed.cell else door.cell

    def _place(self, widget: Widget, what: Rect) -> Rect:
        fight, look = self.fight, self.fight.app.look
        width = min(look.px(card.BRIEF_WIDTH if fight.tight else card.WIDTH), fight.size[0] - 20)
        wide = min(width, max(widget.measure(look, width)[0], look.px(120)))
        size = (wide, widget.measure(look, wide)[1])
        pill = -fight.camera.zoom * 2 // 5  # the chance that a miniature wears above its head
        stands = (fight.camera.space_rect(m.cell, m.size) for m in fight.board.miniatures if not m.dead)
        fighters = [space.union(space.move(0, pill)) for space in stands]
        what = what.union(what.move(0, -what.height * 2 // 5))
        aimed = next((m for m in fight.board.miniatures if m.id == fight.pointed.aimed and m.reach), None)
        if aimed is not None:
            what = what.union(reach_tag(fight.camera.space_rect(aimed.cell, aimed.size), aimed.reach))
        window = Rect((0, 0), fight.size).inflate(-16, -16)
        toast = tuple(self.toast_rect) if self.toast_rect is not None else ()
        asked = (toast, size, tuple(what), tuple(window), tuple(tuple(f) for f in fighters))
        dice = fight.view.animator.dice
        under = self._placed is not None and dice is not None and self._placed[1].colliderect(dice)
        if self._placed is None or self._placed[0] != asked or under:
            covered = [*fight.under_panels, *(each for each in (dice, self.toast_rect) if each is not None)]
            self._placed = (asked, card.beside(size, what, window, fighters, covered))
        return self._placed[1]

    def _lay_toast(self) -> Rect:
        """Where the toast goes: under the order of play, in the middle of the board."""
        fight = self.fight
        look, (wide, high) = fight.app.look, fight.size
        box = self._toast = column(Label([Run(fight.toast_text, "bright")]), pad=9, plate="panel", edge="gold")
        width = min(box.measure(look, look.px(620))[0], wide - 20)
        height = box.measure(look, width)[1]
        top = fight.camera.free.top if self.fight.tight else self._under_order + look.px(8)
        rect = Rect(fight.camera.free.centerx - width // 2, top, width, height)
        return rect.clamp(Rect(4, 0, wide - 8, high))

    def _draw_toast(self, surface: pygame.Surface, rect: Rect) -> None:
        """Draw it; where the card found no other place, it is the toast that gives way."""
        fight, look = self.fight, self.fight.app.look
        if self.card_rect is not None and rect.colliderect(self.card_rect):
            free, top = fight.camera.free, self._margin
            tops = (rect.top, free.bottom - rect.height, top)
            lefts = (rect.left, free.left, free.right - rect.width)
            places = [Rect(x, y, *rect.size) for y in tops for x in lefts]
            over = [self.card_rect]
            rect = self.toast_rect = min(places, key=lambda place: card.covered_by(place, over))
        if self._toast is not None:
            look.panel(surface, rect, fill="night", edge="")
            self._toast.place(look, rect)
            self._toast.draw(surface, look)

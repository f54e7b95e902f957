"""Where the fight's panels are, and the cards that float beside what they speak of."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pygame

from game.scenes import card, hud
from game.scenes.plan import end_of
from game.widgets.controls import Label
from game.widgets.core import Scroll, Widget, column
from game.widgets.text import Run
from rules.actions import Action, Offer

if TYPE_CHECKING:
    from game.scenes.fight import Fight


class FightPanels:
    """Builds the widgets of a fight for the window as it is, and draws its cards."""

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self.covered: list[pygame.Rect] = []
        self._placed: tuple[object, pygame.Rect] | None = None
        self.keys: dict[int, str] = {}
        self._under_order = 0

    # -- panels

    def build(self) -> None:
        """Make all panels again."""
        fight = self.fight
        ui, look = fight.ui, fight.app.look
        wide, high = fight.size
        margin = look.px(hud.MARGIN)
        ui.clear()
        self.covered = []
        self._placed = None
        bar_top = self._build_actions(high - margin)
        sheet = self._build_sheet(bar_top)
        log = self._build_log(bar_top)
        room = (log.left if fight.app.settings.log_open else wide - margin - look.px(70)) - sheet - 2 * margin
        self._build_order(sheet + margin, room)
        self._tell_camera(sheet, log, bar_top)
        self._build_lists()
        ui.finish()
        fight.dirty = True

    def _add(self, widget: Widget, rect: pygame.Rect, *, modal: bool = False) -> None:
        self.fight.ui.add(widget, rect, modal=modal)
        self.covered.append(rect)

    def _build_actions(self, bottom: int) -> int:
        """The bar (or question) at the foot; its top edge in pixels."""
        fight, plan = self.fight, self.fight.plan
        look, (wide, _) = fight.app.look, fight.size
        room = wide - 2 * look.px(hud.MARGIN)
        if plan is None or fight.waits:
            text = (
                "The fight is over."
                if fight.match.decision is None and not fight.waits
                else self._waiting_text()
            )
            bar: Widget = column(Label(text, "text", "quiet"), pad=11, plate="panel", align="centre")
        else:
            self.keys = assign_keys(plan.offers, fight)
            bar = (
                hud.question_panel(fight, plan)
                if plan.is_question
                else hud.action_bar(fight, plan, look, room)
            )
        width, height = bar.measure(look, room)
        if plan is not None and plan.is_question and not fight.waits:
            width = min(max(width, look.px(320)), room)
            height = bar.measure(look, width)[1]
        rect = pygame.Rect((wide - width) // 2, bottom - height, width, height)
        self._add(bar, rect)
        return rect.top

    def _waiting_text(self) -> str:
        shown = next((m.name for m in self.fight.telling.board.miniatures if m.active), "")
        name = shown if self.fight.telling.behind else self.fight.names.get(self.fight.acting or "", "")
        return f"{name or 'The other side'} acts · Space hurries"

    def _build_sheet(self, bar_top: int) -> int:
        """The sheet of whoever is selected or acts; its right edge."""
        fight = self.fight
        look, margin = fight.app.look, fight.app.look.px(hud.MARGIN)
        shown = fight.selected if fight.selected in fight.names else fight.acting
        if shown not in fight.names:
            shown = next(iter(fight.names), None)
        if shown is None:
            return margin
        sheet = fight.ruleset.sheet(fight.telling.state, shown)
        inner = Scroll(hud.sheet_panel(fight, fight.ruleset, sheet, ""), key="sheet")
        inner.grow = 1
        panel = column(inner, pad=12, plate="panel")
        width = look.px(hud.SHEET_WIDTH)
        height = min(panel.measure(look, width)[1], bar_top - 2 * margin)
        rect = pygame.Rect(margin, margin, width, height)
        self._add(panel, rect)
        return rect.right

    def _build_log(self, bar_top: int) -> pygame.Rect:
        fight = self.fight
        look, margin = fight.app.look, fight.app.look.px(hud.MARGIN)
        wide, high = fight.size
        panel = hud.log_panel(fight, fight.telling.board.caption)
        width = (
            look.px(hud.LOG_WIDTH) if fight.app.settings.log_open else panel.measure(look, look.px(260))[0]
        )
        height = panel.measure(look, width)[1]
        if fight.app.settings.log_open:
            height = min(max(look.px(260), round(high * 0.7)), bar_top - 2 * margin)
        rect = pygame.Rect(wide - margin - width, margin, width, height)
        self._add(panel, rect)
        return rect

    def _build_order(self, left: int, room: int) -> None:
        fight = self.fight
        look = fight.app.look
        strip = hud.order_strip(fight, fight.telling.board, look, room)
        width, height = strip.measure(look, room)
        self._add(
            strip,
            pygame.Rect(left + max(0, (room - width) // 2), look.px(hud.MARGIN), min(width, room), height),
        )

    def _build_lists(self) -> None:
        """An open list of choices lies over everything, and alone answers."""
        fight = self.fight
        if fight.choosing.picks is None:
            return
        look, (wide, high) = fight.app.look, fight.size
        title, entries = fight.choosing.picks
        rows = [
            (label, cost, partial(fight.choosing.take_pick, what), legal)
            for label, cost, what, legal in entries
        ]
        panel = hud.pick_panel(title, rows, lambda: fight.choosing.take_pick(None))
        rect = hud.sized_rect(panel, look, 380, (wide - 40, high - 40))
        rect.center = (wide // 2, high // 2)
        self._add(panel, rect, modal=True)

    def _tell_camera(self, left: int, log: pygame.Rect, bar_top: int) -> None:
        """Panels are covered ground: the camera keeps what matters in what they leave free."""
        fight = self.fight
        margin = fight.app.look.px(hud.MARGIN)
        right = log.left if fight.app.settings.log_open else fight.size[0]
        self._under_order = self.covered[-1].bottom
        top = self._under_order + margin
        fight.camera.free = pygame.Rect(
            left + margin, top, max(80, right - left - 2 * margin), max(80, bar_top - top - margin)
        )

    # -- floating cards and the toast

    def draw_floating(self, surface: pygame.Surface) -> None:
        """The card beside what the pointer (or the key cursor) is on, the ruler's figure, and the toast."""
        fight = self.fight
        if not fight.view.busy and not fight.ui.modal and fight.app.top is fight:
            found = self._card_now()
            if found is not None:
                widget, what = found
                rect = self._place(widget, what)
                widget.place(fight.app.look, rect)
                fight.app.look.panel(surface, rect, fill="panel", edge="")
                widget.draw(surface, fight.app.look)
        if fight.toast_text:
            self._draw_toast(surface)

    def _card_now(self) -> tuple[Widget, pygame.Rect] | None:
        fight, pointing = self.fight, self.fight.pointing
        if (told := pointing.measured()) is not None:
            text, spot_cell = told
            return column(Label(text, "text!", "bright"), pad=8, plate="panel"), fight.camera.space_rect(
                spot_cell
            )
        plan = fight.plan
        if plan is None or plan.is_question:
            return None
        target = pointing.aimed
        if target is not None and target in plan.minis:
            mini = plan.minis[target]
            spot = fight.camera.space_rect(mini.cell)
            action = fight.choosing.preview
            if action is not None and action.target == target:
                return card.attack_card(plan, action, fight.names), spot
            if target != plan.decision.by and (plan.is_foe(target) or plan.armed):
                return card.reason_card(mini.name, plan.why_not(target)), spot
            return None
        if fight.choosing.preview is not None and (cell := end_of(fight.choosing.preview)) is not None:
            return card.move_card(plan, fight.choosing.preview, fight.names), fight.camera.space_rect(cell)
        if pointing.fault:
            why, there = pointing.fault
            return card.reason_card("Not there", why), fight.camera.space_rect(there)
        return None

    def _place(self, widget: Widget, what: pygame.Rect) -> pygame.Rect:
        fight = self.fight
        look = fight.app.look
        width = min(look.px(card.WIDTH), fight.size[0] - 20)
        size = widget.measure(look, width)
        wide = min(width, max(size[0], look.px(120)))
        size = (wide, widget.measure(look, wide)[1])
        fighters = [fight.camera.space_rect(m.cell) for m in fight.board.miniatures if not m.dead]
        window = pygame.Rect((0, 0), fight.size).inflate(-16, -16)
        asked = (size, tuple(what), tuple(window), tuple(tuple(f) for f in fighters))
        if self._placed is None or self._placed[0] != asked:
            self._placed = (asked, card.beside(size, what, window, fighters, self.covered))
        return self._placed[1]

    def _draw_toast(self, surface: pygame.Surface) -> None:
        fight = self.fight
        look, (wide, _) = fight.app.look, fight.size
        box = column(Label([Run(fight.toast_text, "bright")]), pad=9, plate="panel", edge="gold")
        width = min(box.measure(look, look.px(620))[0], wide - 20)
        height = box.measure(look, width)[1]
        top = self._under_order + look.px(8)
        middle = fight.camera.free.centerx
        rect = pygame.Rect(middle - width // 2, top, width, height)
        rect.clamp_ip(pygame.Rect(4, 0, wide - 8, fight.size[1]))
        look.panel(surface, rect, fill="night", edge="")
        box.place(look, rect)
        box.draw(surface, look)


def assign_keys(offers: tuple[Offer, ...], fight: Fight) -> dict[int, str]:
    """A key for each offer: the one it suggests, unless a command or an earlier offer has it; then a free digit."""
    taken: set[str] = {"m"}
    keys: dict[int, str] = {}
    for n, offer in enumerate(offers):
        wanted = offer.description.key.lower()
        if offer.description.group == "End":
            keys[n] = fight.app.keys.shown("end")
        elif wanted and wanted not in taken and not fight.app.keys.taken(wanted):
            keys[n] = wanted
            taken.add(wanted)
    spare = (key for key in "123456789qertyuiopfghjkzxcvbn" if key not in taken)
    for n, _ in enumerate(offers):
        if n not in keys:
            keys[n] = next((key for key in spare if not fight.app.keys.taken(key)), "")
    return keys


def targets_of(action: Action | None) -> str | None:
    """Whom an action is aimed at."""
    return action.target if action is not None else None

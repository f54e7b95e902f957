"""The window of a new fight: lists, rules, and what stands at the foot."""

from __future__ import annotations

from functools import partial

import pygame

from game.scenes.choose.choices import Choices, sides_of
from game.scenes.choose.lists import foe_list, hero_list, map_list
from game.scenes.choose.verdict import Verdict
from game.scenes.forecast.glance import GlanceButton
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Sized, Space, Tip, Widget, row
from game.widgets.fields import TextField
from game.widgets.menu import Tile
from rules.core.registry import RULESETS
from rules.core.registry import ruleset as ruleset_of

BROAD = 1500
"""Pixels of width at 100 % from which the chance to win stands in the forecast's button; its tip has it always."""
TIGHT = 900
"""Pixels of width at 100 % below which hints and rarer buttons are left out."""
SEED_DIGITS, SEED_WIDE = 9, 96.0
"""So many digits a seed may have here, and the width of its field at 100 %."""


class Choose(Choices):
    """The window of a new fight."""

    def build(self) -> None:
        look, (wide, high) = self.app.look, self.size
        self.glance.changed()
        told = self._told()
        self._seated = {} if told is None else sides_of({"creatures": told[0].creatures})
        self.tight = wide / look.scale < TIGHT
        margin, gap = look.px(8 if self.tight else 18), look.px(8 if self.tight else 14)
        head = row(
            Label("A new fight", "heading" if self.tight else "figure", "bright"),
            *self._rulesets(),
            Space(grow=1),
            Verdict(self.glance, self._rough()),
            gap=6,
        )
        head_high = head.measure(look, wide - 2 * margin)[1]
        self.ui.add(head, pygame.Rect(margin, margin, wide - 2 * margin, head_high))
        foot = self._foot()
        foot_high = foot.measure(look, wide - 2 * margin)[1]
        foot_rect = pygame.Rect(margin, high - margin - foot_high, wide - 2 * margin, foot_high)
        top = margin + head_high + gap
        room = pygame.Rect(margin, top, wide - 2 * margin, foot_rect.top - gap - top)
        shares = (0.32, 0.35, 0.33) if self.tight else (0.27, 0.33, 0.40)
        panels = (map_list(self), hero_list(self), foe_list(self))
        left = room.left
        for share, panel in zip(shares, panels, strict=True):
            width = round((room.width - 2 * gap) * share)
            self.ui.add(panel, pygame.Rect(left, room.top, width, room.height))
            left += width + gap
        self.ui.add(foot, foot_rect)
        if self._unseen:
            self._unseen = False
            _show_chosen(panels[-1])

    def _rulesets(self) -> list[Widget]:
        """The rulesets to choose from, where there are several."""
        if len(RULESETS) < 2:
            return []
        tip = Tip("Under these rules; party and foes become their counterparts, as many as are as much of a match.")
        return [
            Button(
                ruleset_of(name).title,
                partial(self._take_ruleset, name),
                chosen=name == self.ruleset,
                key=f"ruleset {name}",
                slim=True,
                tip=tip,
            )
            for name in RULESETS
        ]

    def _foot(self) -> Box:
        typed = TextField(
            "Seed",
            self.seed,
            self._set_seed,
            self.memory,
            most=SEED_DIGITS,
            letters=str.isdecimal,
            tip=Tip("The same seed and the same choices give the same dice."),
        )
        seed = row(Label("Seed", "label", "quiet"), Sized(typed, SEED_WIDE), gap=6)
        ready = self._ready
        begin = Button(
            "Begin",
            self._begin,
            gold=True,
            large=True,
            enabled=ready,
            tip=None if ready else Tip(self._missing()),
            hint="" if self.tight else self.app.keys.shown("confirm"),
        )
        begin.on_refused = self._refuse
        forecast = GlanceButton(
            self.glance,
            self._forecast,
            enabled=ready,
            hint="",
            tip=Tip("The computer plays this fight many times: the chance to win, the losses, what changes it."),
            band=self.size[0] / self.app.look.scale >= BROAD,
        )
        forecast.on_refused = begin.on_refused
        back = Button("Back", self.app.pop, hint=self.app.keys.shown("back"))
        count = len(self.table.places)
        seats = Button(
            "Seats" if count == 1 or self.tight else f"{count} seats",
            self._seat,
            key="seats",
            enabled=ready,
            tip=Tip("Who plays whom: up to six people at one screen, fog of war, real dice, a clock."),
        )
        seats.on_refused = begin.on_refused
        draw = Button("Draw foes" if self.tight else "Draw foes for me", self._draw, key="draw")
        if self.tight:
            return row(back, seed, seats, Space(grow=1), draw, forecast, begin, gap=6)
        clear = Button("Clear the foes", self._clear, quiet=True)
        surprise = Button("Surprise me", self._surprise)
        return row(back, seed, seats, clear, Space(grow=1), draw, surprise, forecast, begin, gap=10)

    def command(self, name: str, event: pygame.event.Event) -> bool:
        if name == "confirm" and self.ui.focus is None:
            self._begin() if self._ready else self._refuse()
            return True
        return super().command(name, event)


def _show_chosen(panel: Widget) -> None:
    """Scroll a list until those who are chosen are seen; the first of them, where not all can be."""
    for scroll in (w for w in panel.walk() if isinstance(w, Scroll)):
        for tile in reversed([w for w in scroll.walk() if isinstance(w, Tile) and w.count]):
            scroll.show(tile)

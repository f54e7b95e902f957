"""The title: big quiet type over one lit table."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pygame

from game import __version__
from game.paths import asset
from game.scenes.base import Scene, Shell
from game.scenes.dialogs.help import Help
from game.storage import recovery
from game.widgets.controls import Button, Label
from game.widgets.core import Tip, Widget, column, row
from game.widgets.text import Run
from rules.contract.text import text


@lru_cache(maxsize=4)
def ornament(width: int) -> pygame.Surface | None:
    """The title's picture at a width in pixels; None if it is missing."""
    path = asset("art", "title.svg")
    if not path.is_file():
        return None
    return pygame.image.load_sized_svg(str(path), (width, round(width * 420 / 1280))).convert_alpha()


class Title(Scene):
    """New fight, surprise me, continue, load, settings, quit."""

    name = "title"
    _stage = pygame.Rect(0, 0, 1, 1)
    """Where the picture may be: between the heading and the menu."""

    def build(self) -> None:
        look, (wide, high) = self.app.look, self.size
        title = Label("Battlemat", "title", "bright", centred=True)
        motto = Label("Miniatures on a grid, real rules, and foes that think", "label", "quiet", centred=True)
        heading = column(title, motto, gap=0)
        tall = heading.measure(look, wide)[1]
        heading_top = round(high * 0.05) if high > look.px(520) else look.px(6)
        self.ui.add(heading, pygame.Rect(0, heading_top, wide, tall))
        menu = column(*self._rows(), gap=12, align="centre")
        width, room = menu.measure(look, wide)
        top = min(high - room - look.px(44), round(high * 0.745))
        self.ui.add(menu, pygame.Rect((wide - width) // 2, top, width, room))
        if self.ui.focus is None and not self.ui.remembers:
            self.ui.focus_first(menu)
        end = self._offer(pygame.Rect((wide - width) // 2, top, width, room))
        self._stage = pygame.Rect(0, heading_top + tall, wide, max(1, end - heading_top - tall))
        keys = self.app.keys
        told = text(
            "Version {version} · {keys} help · {keys2} full screen",
            version=__version__,
            keys=keys.shown("help"),
            keys2=keys.shown("fullscreen"),
        )
        foot = Label(told, "small", "faint")
        size = foot.measure(look, wide)
        self.ui.add(foot, pygame.Rect(look.px(14), high - size[1] - look.px(10), *size))

    def _offer(self, menu: pygame.Rect) -> int:
        """On the first starts: what a new player could do, over the menu and out of its way; where all of it begins."""

        look, app = self.app.look, self.app
        if not app.settings.offer_lesson:
            return menu.top
        told = [Run("New here? ", "gold", "text!"), Run("The first fight shows you how, while you play it.", "text")]
        box = row(
            Label(told),
            Button("Show me", lambda: app.navigator.first_fight(), key="show me", slim=True),
            Button("Not again", self._never, key="not again", slim=True, quiet=True,
                   tip=Tip("Do not offer this any more. “First fight” stays in the menu.")),
            gap=10, pad=9, plate="panel", edge="gold",
        )  # fmt: skip
        width, high = box.measure(look, self.size[0] - look.px(24))
        left = max(look.px(12), (self.size[0] - width) // 2)
        top = menu.top - high - look.px(16)
        self.ui.add(box, pygame.Rect(left, top, width, high))
        return top - look.px(8)

    def _never(self) -> None:
        self.app.settings.offer_lesson = False
        self.app.save_settings()
        self.ui.set_focus(None)
        self.rebuild()

    def _rows(self) -> list[Widget]:
        app = self.app
        first = [
            Button("New fight", lambda: app.navigator.choose(), gold=True, large=True),
            Button("Surprise me", lambda: app.navigator.surprise(), large=True),
        ]
        if recovery.may_continue():
            first.append(Button("Continue", lambda: app.navigator.resume(), large=True))
        tight = self.size[0] / app.look.scale < 800
        second = [
            Button("First fight", lambda: app.navigator.first_fight(), quiet=True),
            Button("Heroes", lambda: app.navigator.workshop(), quiet=True),
            Button("Bestiary", lambda: app.navigator.bestiary(), quiet=True),
            Button("Prepare" if tight else "Prepare an encounter", lambda: app.navigator.prepare(), quiet=True),
            Button("Load", lambda: app.navigator.load(), quiet=True),
            Button("Settings", lambda: app.navigator.options(), quiet=True),
            Button("Help", lambda: app.push(Help(app)), quiet=True, tip=Tip(app.keys.shown("help"))),
            Button("Quit", app.quit, quiet=True),
        ]
        return [row(*first, gap=12), row(*second, gap=0 if tight else 12)]

    def command(self, name: str, event: pygame.event.Event) -> bool:
        if name == "back":
            return True  # nothing to take back here; closing the window is a button
        return super().command(name, event)

    def handle(self, event: pygame.event.Event) -> bool:
        steps = {pygame.K_UP: -1, pygame.K_LEFT: -1, pygame.K_DOWN: 1, pygame.K_RIGHT: 1}
        if event.type == pygame.KEYDOWN and event.key in steps:
            return self.ui.step(steps[event.key])
        if event.type == pygame.DROPFILE:
            self.app.navigator.open_dropped(Path(event.file))
            return True
        return super().handle(event)

    def draw(self, surface: pygame.Surface) -> None:
        stage = self._stage
        picture = ornament(min(stage.width, round(surface.get_height() * 1.5), stage.height * 1280 // 400))
        if picture is not None:
            place = picture.get_rect(midbottom=(stage.centerx, stage.bottom))
            place.top = max(stage.top, min(place.top, round(surface.get_height() * 0.165)))
            surface.blit(picture, place)
        super().draw(surface)


def title(app: Shell) -> None:
    """Back to the title."""
    app.replace(Title(app))

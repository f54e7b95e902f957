"""The title: big quiet type over one lit table."""

from __future__ import annotations

from functools import lru_cache

import pygame

from game import __version__
from game.paths import asset
from game.scenes.base import Scene
from game.widgets.controls import Button, Label
from game.widgets.core import Widget, column


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

    def build(self) -> None:
        look, (wide, high) = self.app.look, self.size
        title = Label("Battlemat", "title", "bright", centred=True)
        motto = Label("Miniatures on a grid, real rules, and foes that think", "label", "quiet", centred=True)
        heading = column(title, motto, gap=0)
        tall = heading.measure(look, wide)[1]
        self.ui.add(heading, pygame.Rect(0, round(high * 0.07), wide, tall))
        menu = column(*self._buttons(), gap=9)
        width, room = look.px(250), menu.measure(look, look.px(250))[1]
        top = min(high - room - look.px(34), round(high * 0.56))
        self.ui.add(menu, pygame.Rect((wide - width) // 2, top, width, room))
        if self.ui.focus is None and not self.ui._focus_key:
            self.ui.focus_first(menu)
        foot = Label(f"Version {__version__} · F1 help · F11 full screen", "small", "faint")
        size = foot.measure(look, wide)
        self.ui.add(foot, pygame.Rect(look.px(14), high - size[1] - look.px(10), *size))

    def _buttons(self) -> list[Widget]:
        from game.scenes import start

        app = self.app
        entries = [
            Button("New fight", lambda: start.choose(app), gold=True),
            Button("Surprise me", lambda: start.surprise(app)),
        ]
        if start.last_fight() is not None:
            entries.append(Button("Continue", lambda: start.resume(app)))
        entries += [
            Button("Load", lambda: start.load(app)),
            Button("Settings", lambda: start.options(app)),
            Button("Quit", app.quit),
        ]
        return list(entries)

    def command(self, name: str, event: pygame.event.Event) -> bool:
        if name == "back":
            return True  # nothing to take back here; closing the window is a button
        return super().command(name, event)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.KEYDOWN and event.key in (pygame.K_UP, pygame.K_DOWN):
            return self.ui.step(1 if event.key == pygame.K_DOWN else -1)
        return super().handle(event)

    def draw(self, surface: pygame.Surface) -> None:
        wide, high = surface.get_size()
        picture = ornament(min(wide, round(high * 1.5)))
        if picture is not None:
            surface.blit(picture, picture.get_rect(midtop=(wide // 2, round(high * 0.185))))
        super().draw(surface)

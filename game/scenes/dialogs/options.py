"""The settings: sections on tabs; everything works at once and is kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pygame

from game.app import languages
from game.app.settings import PACES, PALETTES, SPEEDS
from game.scenes.base import Shell
from game.scenes.dialogs.help import keys_page
from game.scenes.dialogs.level import FAIR, level_row
from game.scenes.dialogs.packs import PacksPage, add, is_pack
from game.scenes.dialogs.panels import Panel
from game.view import palette
from game.widgets.controls import Button, Label, Slider, Swatch, Toggle
from game.widgets.core import Box, Space, Tip, Widget, column, row
from game.widgets.fields import TextField
from rules.contract.text import joined

PALETTE_WORDS = {
    "normal": ("All colours", "The colours as they were drawn."),
    "red-green": (
        "Red–green",
        "Blue against yellow: for eyes that tell red and green apart badly (protanopia, deuteranopia).",
    ),
    "blue-yellow": ("Blue–yellow", "Red against cyan: for eyes that tell blue and yellow apart badly (tritanopia)."),
    "high contrast": ("High contrast", "White on black, and the strongest colours that there are."),
}
"""Palette -> (its button, what it is for)."""
SIDE_WORDS = ("heroes", "monsters")
TONE_WORDS = (("good", "worn", "grave"), ("free", "way", "harm", "aim"))


class Options(Panel):
    """What a player sets once; `page` is the section shown."""

    name = "settings"
    width = 640.0

    def __init__(self, app: Shell, page: str = "look") -> None:
        super().__init__(app)
        self.page = page
        self.packs = PacksPage(app, self.rebuild)

    @property
    def pages(self) -> dict[str, tuple[str, Callable[[], list[Widget]]]]:
        """Section -> (its tab, what makes its widgets)."""
        return {
            "look": ("Look", self._look), "play": ("Play", self._play), "sound": ("Sound", self._sound),
            "keys": ("Keys", self._keys), "words": ("Language", self._words), "packs": ("Packs", self._packs),
        }  # fmt: skip

    def content(self) -> Box:
        tabs = [
            Button(word, partial(self._turn, page), key=f"tab {page}", chosen=page == self.page, slim=True)
            for page, (word, _) in self.pages.items()
        ]
        listing = self.scrolled(column(*self.pages[self.page][1](), gap=6, pad=4), "", at=self.page, height=350)
        listing.steady = True
        head = row(Label("Settings", "heading", "bright"), Space(width=8), *tabs, gap=6, wrap=True)
        return column(head, listing, row(Space(grow=1), self.leave_button(gold=True)), gap=12)

    def _turn(self, page: str) -> None:
        self.page = page
        self.rebuild()

    # -- sections

    def _look(self) -> list[Widget]:
        s = self.app.settings
        room = Tip("Panels never grow beyond what the window can hold; a larger window holds more.")
        still = Tip("No hops, lunges or flicker; things simply are where they are.")
        full = Tip(self.app.keys.shown("fullscreen"))
        return [
            Slider("Size of panels and text", s.scale, (75, 200), 5, partial(self._set, "scale"), tip=room),
            Slider("Animations", s.speed, (0, 3), 1, partial(self._set, "speed"), names=SPEEDS),
            Slider("Seconds that pass", s.pace, (0, 3), 1, partial(self._set, "pace"), names=PACES),
            Toggle("Reduced motion", s.reduced_motion, partial(self._set, "reduced_motion"), tip=still),
            Toggle("Full screen", self.app.fullscreen, lambda _: self.app.toggle_fullscreen(), tip=full),
            *self._palettes(),
        ]

    def _palettes(self) -> list[Widget]:
        now = self.app.settings.palette
        buttons = [
            Button(
                PALETTE_WORDS[name][0], partial(self._set, "palette", name), key=f"palette {name}", chosen=name == now,
                tip=None if name == now else Tip(PALETTE_WORDS[name][1]), slim=True,
            )
            for name in PALETTES
        ]  # fmt: skip
        sides = [Swatch(palette.side_colour(side), 18) for side in SIDE_WORDS]
        tones = [[Swatch(palette.tone(word), 18) for word in words] for words in TONE_WORDS]
        shown = (
            Label("Sides", colour="quiet"), *sides, Space(width=8),
            Label("Health", colour="quiet"), *tones[0], Space(width=8),
            Label("Marks", colour="quiet"), *tones[1],
        )  # fmt: skip
        return [
            Space(height=4),
            Label("Colours", "label!", "gold"),
            row(*buttons, gap=6, wrap=True),
            Label(joined(" ", (PALETTE_WORDS[now][1], "Rings, hatching and signs stay what they are."))),
            row(*shown, gap=6, wrap=True),
        ]

    def _play(self) -> list[Widget]:
        s, live = self.app.settings, partial(self._set, "live_forecast")
        end = "End a chance by itself when nothing else is left"
        scale = Tip("On the map's scale a space is 5 feet, or 2 metres.")
        busy = Tip("Keeps one processor busy for a moment whenever the table has changed.")
        return [
            level_row(self.app, self.rebuild),
            Label(FAIR, "small", "quiet"),
            Space(height=4),
            Toggle(end, s.end_by_itself, partial(self._set, "end_by_itself")),
            Toggle("Save by itself after every chance", s.autosave, partial(self._set, "autosave")),
            Toggle("Measure in metres", s.scale_of_map == "metres",
                   lambda on: self._set("scale_of_map", "metres" if on else "feet"), tip=scale),
            Toggle("Forecast by itself while preparing", s.live_forecast, live, tip=busy),
        ]  # fmt: skip

    def _sound(self) -> list[Widget]:
        s, tip = self.app.settings, Tip(self.app.keys.shown("sound"))
        told = (
            "What is done sounds when you see it; noises from afar sound dull, and only if somebody of yours hears "
            "them. What is turned down to 0 % is not even made."
        )
        return [
            Toggle("Sound", s.sound, lambda _: self.app.toggle_sound(), tip=tip),
            Slider("Effects", s.volume, (0, 100), 5, partial(self._set_volume, "volume")),
            Slider("Ambience", s.ambience, (0, 100), 5, partial(self._set_volume, "ambience")),
            Slider("Music", s.music, (0, 100), 5, partial(self._set_volume, "music")),
            Label(told, colour="quiet"),
        ]

    def sound_changed(self, told: str) -> None:
        self.rebuild()

    def _keys(self) -> list[Widget]:
        quiet = "Search: a key, a deed, a word"
        find = partial(self.search, listing=self.page)
        search = TextField("search", self.query, find, self.memory, most=60, quiet=quiet)
        return keys_page(self.app, search, self.query)

    def _words(self) -> list[Widget]:
        now = self.app.settings.language
        buttons = [
            Button(own, partial(self._speak, name), key=f"language {name}", chosen=name == now)
            for name, own in languages.languages().items()
        ]
        told = "A translation is one text file in assets/words; docs/translating.md says how it is made."
        return [row(*buttons, gap=6, wrap=True), Label(told, colour="quiet")]

    def _packs(self) -> list[Widget]:
        return self.packs.widgets(self.memory)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.DROPFILE and is_pack(Path(event.file)):
            add(self.app, Path(event.file))
            return True
        return super().handle(event)

    # -- changes

    def _speak(self, language: str) -> None:
        self.app.guard(partial(self.app.speak, language))

    def _set(self, name: str, value: object) -> None:
        setattr(self.app.settings, name, value)
        self.app.save_settings()
        if name == "scale":
            self.app.refit()
        elif name == "palette":
            self.app.recolour()

    def _set_volume(self, name: str, value: int) -> None:
        self._set(name, value)
        self.app.sounds.change()
        if name == "volume":
            self.app.sounds.play("hit")


def options(app: Shell) -> None:
    """The settings."""
    app.push(Options(app))

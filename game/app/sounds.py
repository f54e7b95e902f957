"""What is heard: short sounds when something is seen, ambience of the place, a little music. Without a card: silence.

Everything is made beforehand and fetched by `Shelf`; here it is only begun, faded and turned up or down.
"""

from __future__ import annotations

import contextlib
import os
from typing import NamedTuple

import pygame

from game.app.settings import Settings
from game.app.soundshelf import EFFECTS, Shelf
from game.app.window import WAKE, hushed

RATE = 22050
"""Samples a second, as they are made (game/sound/waves.py)."""

AT_ONCE = 3
"""Short sounds that are heard at the same time at most; more are left out."""
APART = 70
"""Milliseconds that lie between two beginnings of the same sound at least."""
FADE = 1600
"""Milliseconds in which one loop gives way to the next."""
KEPT = 8
"""Loops that are kept; each is one to five megabytes."""
NEXT = {"exploring": ("fight",), "fight": ("won", "lost")}
"""Music -> what may follow it, and shall be there then."""
ROUNDS = {"title": 2, "exploring": 3, "won": 1, "lost": 1}
"""How often a piece of music is played before it is quiet again; any other goes around for as long as it fits."""


CALM = 4000
"""Milliseconds for which a place must have been darker or lighter, or quiet again after a fight, until it sounds so:
what comes and goes is no reason to begin a piece anew."""


class Backdrop(NamedTuple):
    """What lies under all that happens: an ambience, `crypt dark`, a piece of music, `exploring`; empty for none."""

    ambience: str = ""
    music: str = ""

    def eases(self, into: Backdrop) -> bool:
        """Whether it may take its time to become another: the same place in another light, or a fight that is over."""
        alike = self.ambience.rpartition(" ")[0] == into.ambience.rpartition(" ")[0] != ""
        return alike and (self.music == into.music or (self.music, into.music) == ("fight", "exploring"))


SILENCE = Backdrop()


class Track:
    """Two channels that take turns, so that one loop fades into the next."""

    def __init__(self, kind: str, first: int) -> None:
        self.kind, self._first = kind, first
        self.wanted = ""
        self.playing = ""
        self.volume = 0.0
        self._side = 0
        self._sound: pygame.mixer.Sound | None = None

    @property
    def name(self) -> str:
        """What should be heard now, by the name of its file; empty if nothing should."""
        return f"{self.kind} {self.wanted}" if self.wanted and self.volume > 0 else ""

    def begin(self, sound: pygame.mixer.Sound) -> None:
        """Fade over to the loop that is wanted."""
        self.end()
        self._side ^= 1
        self.playing, self._sound = self.name, sound
        sound.set_volume(self.volume)
        pygame.mixer.Channel(self._first + self._side).play(sound, ROUNDS.get(self.wanted, 0) - 1, fade_ms=FADE)

    def end(self, fade: int = FADE) -> None:
        """Fade out."""
        if self.playing:
            pygame.mixer.Channel(self._first + self._side).fadeout(fade)
        self.playing, self._sound = "", None

    def turn(self, volume: float) -> None:
        """Louder or softer, at once."""
        self.volume = volume
        if self._sound is not None:
            self._sound.set_volume(volume)


class Sounds:
    """What is heard, as loud as the settings say. Nothing is until `begin`, and nothing opens a card for silence."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._begun_at_all = False
        self._open: bool | None = None
        self._shelf: Shelf | None = None
        self._made: dict[str, pygame.mixer.Sound] = {}
        self._loops: dict[str, pygame.mixer.Sound] = {}
        self._begun: dict[str, int] = {}
        """When each short sound began last, in milliseconds."""
        self._tracks = (Track("ambience", AT_ONCE), Track("music", AT_ONCE + 2))
        self._backdrop = SILENCE
        self._coming: tuple[Backdrop, int] | None = None
        """What it is about to become, and when, in milliseconds."""

    def begin(self, *, to_memory: bool = False) -> None:
        """From now on there is something to hear; `to_memory`: also where nobody could (SDL's driver `dummy`)."""
        if to_memory or os.environ.get("SDL_AUDIODRIVER") not in ("dummy", "disk"):
            self._begun_at_all = True
            self.change()

    def change(self) -> None:
        """The settings have changed: take over how loud everything is."""
        s = self.settings
        volumes = (s.ambience, s.music)
        for track, volume in zip(self._tracks, volumes, strict=True):
            track.turn(volume / 100 if s.sound else 0.0)
        if s.sound and (s.volume or s.ambience or s.music) and self._ready() and self._shelf is not None:
            if s.volume:
                self._shelf.ask(EFFECTS)
        if self._open:
            self._tune()

    def surround(self, backdrop: Backdrop) -> None:
        """Let a place sound like this from now on."""
        if backdrop == self._backdrop:
            self._coming = None
        elif not self._backdrop.eases(backdrop):
            self._turn_to(backdrop)
        elif self._coming is None or self._coming[0] != backdrop:
            self._coming = (backdrop, pygame.time.get_ticks() + CALM)
            if self._open:
                with contextlib.suppress(pygame.error):  # the window may rest by then: wake it once
                    pygame.time.set_timer(pygame.event.Event(WAKE, call=self._ease), CALM + 20, 1)
        else:
            self._ease()

    def _ease(self) -> None:
        """What has been coming for long enough is there."""
        if self._coming is not None and pygame.time.get_ticks() >= self._coming[1]:
            self._turn_to(self._coming[0])

    def _turn_to(self, backdrop: Backdrop) -> None:
        self._backdrop, self._coming = backdrop, None
        for track, wanted in zip(self._tracks, backdrop, strict=True):
            track.wanted = wanted
        if self._open:
            self._tune()

    def play(self, name: str) -> bool:
        """Let a short sound be heard; False where nothing can be, it isn't made yet, or enough is heard already."""
        s, now = self.settings, pygame.time.get_ticks()
        sound = self._made.get(name)
        if sound is None or not self._open or not s.sound or s.volume <= 0:
            return False
        if now - self._begun.get(name, -APART) < APART:
            return False
        channel = next((each for each in map(pygame.mixer.Channel, range(AT_ONCE)) if not each.get_busy()), None)
        if channel is None:
            return False
        self._begun[name] = now
        sound.set_volume(s.volume / 100)
        channel.play(sound)
        return True

    def deliver(self, name: str, sound: pygame.mixer.Sound) -> None:
        """Something was fetched."""
        kind, _, which = name.partition(" ")
        if kind == "effect":
            self._made[which] = sound
            return
        self._loops[name] = sound
        playing = {track.playing for track in self._tracks} | {name}
        for old in [each for each in self._loops if each not in playing][: max(0, len(self._loops) - KEPT)]:
            del self._loops[old]
            if self._shelf is not None:
                self._shelf.forget(old)
        if self._open:
            self._tune()

    def _tune(self) -> None:
        """Begin and end loops as they are wanted; what isn't here yet is fetched, and begins when it comes."""
        for track in self._tracks:
            name = track.name
            if name == track.playing:
                continue
            sound = self._loops.get(name)
            if sound is not None:
                track.begin(sound)
            else:
                track.end()
                if name and self._shelf is not None:
                    self._shelf.ask(name)
        if self._shelf is not None:
            self._shelf.ask(*self._ahead())

    def _ahead(self) -> list[str]:
        """What may be wanted next: the music of what may come, the place when its light goes out or comes back."""
        ambience, music = self._tracks
        found = [f"{music.kind} {piece}" for piece in NEXT.get(music.wanted, ())] if music.name else []
        theme, _, light = ambience.wanted.rpartition(" ")
        return [*found, f"{ambience.kind} {theme} {'lit' if light == 'dark' else 'dark'}"] if ambience.name else found

    def _ready(self) -> bool:
        """Open the sound card, once. No sound card is no error."""
        if self._open is None and self._begun_at_all:
            try:
                with hushed():
                    pygame.mixer.init(RATE, -16, 2, 512, allowedchanges=0)
                pygame.mixer.set_num_channels(AT_ONCE + 4)
                self._open = True
                self._shelf = Shelf(self.deliver)
            except pygame.error:
                self._open = False
        return bool(self._open)

    def close(self) -> None:
        """Give the sound card back."""
        if self._shelf is not None:
            self._shelf.close()
            self._shelf = None
        self._made.clear()
        self._loops.clear()
        for track in self._tracks:
            track.playing = ""
        if self._open:
            with contextlib.suppress(pygame.error):
                pygame.mixer.quit()
        self._open = None

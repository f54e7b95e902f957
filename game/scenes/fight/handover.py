"""The screen goes to another seat: first nothing but the seat's name, then what its side saw, again if it wants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pygame

from game.scenes.base import Scene, Shell
from game.scenes.dialogs.panels import Menu, Panel
from game.view.palette import seat_colour
from game.widgets.controls import Button, Label, Swatch
from game.widgets.core import Box, Sized, Space, Widget, column, row
from game.widgets.story import Entry, Story
from game.widgets.theme import Look

if TYPE_CHECKING:
    from game.fight.seats import Seat
    from game.scenes.fight.scene import Fight

WIDE = 560
"""Width of the sign that names the next seat, at 100 %."""
NAMES = ("title", "figure", "heading")
"""Letters for its name, largest first."""
HIGH = 320
"""Height of a recap's lines at 100 %, at most; one line takes about LINE."""
LINE = 28.0


class Sign(Widget):
    """A seat's colour as a disc with the first letter of its name."""

    def __init__(self, seat: Seat, size: float = 92) -> None:
        super().__init__()
        self.seat, self.size = seat, size

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (width, look.px(self.size))

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        colour, radius = seat_colour(self.seat.colour), look.px(self.size) // 2
        pygame.draw.aacircle(surface, colour, self.rect.center, radius)
        pygame.draw.aacircle(surface, look.colour("night"), self.rect.center, radius - look.px(4))
        pygame.draw.aacircle(surface, colour, self.rect.center, radius - look.px(8))
        letter = look.font("title").render(self.seat.name[:1].upper(), True, look.colour("night"))
        surface.blit(letter, letter.get_rect(center=self.rect.center))


class Cover(Scene):
    """Opaque: whose the screen is next, and nothing of what they will see. Ready goes on."""

    name = "handover"
    key_groups = ("general",)
    told = "is next at the screen"

    def __init__(self, app: Shell, seat: Seat) -> None:
        super().__init__(app)
        self.seat = seat

    def ready(self) -> None:
        """The player of the seat is here, and alone looks."""
        raise NotImplementedError

    def other_ways(self) -> list[Widget]:
        """Buttons before *Ready*."""
        return []

    @property
    def _width(self) -> int:
        return min(self.app.look.px(WIDE), self.size[0] - self.app.look.px(32))

    def _size_of_name(self) -> str:
        """The largest letters in which the seat's name is one line."""
        look, name = self.app.look, self.seat.name
        fitting = (style for style in NAMES if look.font(style).size(name)[0] <= self._width)
        return next(fitting, NAMES[-1])

    def build(self) -> None:
        look, (wide, high) = self.app.look, self.size
        ready = Button("Ready", self.ready, gold=True, large=True, hint="Enter", key="ready")
        foot = row(Space(grow=1), *self.other_ways(), Sized(ready, 200), Space(grow=1), gap=12)
        box = column(
            Sign(self.seat),
            Space(height=6),
            Label(self.seat.name, self._size_of_name(), "bright", centred=True),
            Label(self.told, "heading", "quiet", centred=True),
            Space(height=10),
            Label("The others look away: nothing of the table is shown until you are ready.",
                  "text", "quiet", centred=True),
            Space(height=12),
            foot,
            gap=4,
        )  # fmt: skip
        width = self._width
        rect = pygame.Rect(0, 0, width, min(box.measure(look, width)[1], high - look.px(16)))
        rect.center = (wide // 2, high // 2)
        self.ui.add(box, rect)
        self.ui.focus_key("ready")

    def draw(self, surface: pygame.Surface) -> None:
        look = self.app.look
        surface.fill(look.colour("night")[:3])
        bar = look.px(10)
        colour = seat_colour(self.seat.colour)
        surface.fill(colour, (0, 0, surface.get_width(), bar))
        surface.fill(colour, (0, surface.get_height() - bar, surface.get_width(), bar))
        super().draw(surface)


class Handover(Cover):
    """The screen goes to the seat that decides next in a fight."""

    def __init__(self, app: Shell, fight: Fight, seat: Seat) -> None:
        super().__init__(app, seat)
        self.fight = fight

    def ready(self) -> None:
        fight, app = self.fight, self.app
        lines = fight.seating.take()
        app.pop()
        if lines and app.top is fight:
            app.push(Recap(app, fight, lines))

    def command(self, name: str, event: pygame.event.Event) -> bool:
        if name != "back":
            return False

        app, seating = self.app, self.fight.seating
        master = seating.seats.master
        ways = [
            ("Back", app.keys.shown("back"), lambda: None),
            *(
                [("The game master takes the screen", "", seating.call_master)]
                if master not in (None, self.seat)
                else []
            ),
            ("Save", "", self.fight.keeping.save_as_new),
            ("Settings", "", lambda: app.navigator.options()),
            ("Leave for the title", "", lambda: app.navigator.title()),
            ("Quit", "", app.quit),
        ]
        app.push(Menu(app, "Paused", ways))
        return True


class CoverOnce(Cover):
    """The screen goes to a seat for something else than its own view of the fight; Esc leaves everything as it was."""

    def __init__(
        self,
        app: Shell,
        seat: Seat,
        told: str,
        go: Callable[[], None],
        back: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(app, seat)
        self.told, self._go, self._back = told, go, back or app.pop

    def ready(self) -> None:
        self._go()

    def other_ways(self) -> list[Widget]:
        return [Button("Back", self._back, hint=self.app.keys.shown("back"), key="back")]

    def command(self, name: str, event: pygame.event.Event) -> bool:
        if name == "back":
            self._back()
        return name == "back"


class Recap(Panel):
    """What the side of whoever looks saw happen since they left the screen."""

    name = "recap"
    width = 600.0

    def __init__(self, app: Shell, fight: Fight, lines: Sequence[Entry]) -> None:
        super().__init__(app)
        self.fight = fight
        self.story = Story(key="recap")
        self.story.extend(lines)

    def content(self) -> Box:
        seat = self.fight.seating.at
        needed = LINE * sum(1 + len(entry.details) * (not entry.folded) for entry in self.story.entries)
        room = self.size[1] / self.app.look.scale - 190
        listing = Sized(self.story, height=max(60.0, min(HIGH, needed, room)))
        head = row(Swatch(seat_colour(seat.colour)), Label("What your side saw", "heading", "bright"), gap=10)
        again = Button("Watch it again", self._again, key="again", enabled=self.fight.seating.seen_to_move())
        on = Button("Go on", self.app.pop, gold=True, hint=self.app.keys.shown("back"), key="on")
        return column(head, listing, row(again, Space(grow=1), on), gap=12)

    def build(self) -> None:
        first = not self.ui.remembers
        super().build()
        if first:
            self.ui.focus_key("on")

    def _again(self) -> None:
        from game.scenes.replay import ways as replaying

        self.app.pop()
        replaying.since(self.app, self.fight, self.fight.seating.since)

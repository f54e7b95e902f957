"""The screen handed on in a fight: first nothing but the next seat's name, then what its side saw, again if it wants.

The clock of a chance runs only while its player could decide: not while something moves, not under a dialog or the
handover, and never while a question is to be answered. At zero the chance ends. It is told by the clock on the wall,
however seldom the window is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pygame

from game.fight.advice import Counsel
from game.fight.seats import Seat
from game.scenes.base import Scene, Shell
from game.scenes.dialogs.panels import Choice, Menu, Panel
from game.scenes.dialogs.saves import Ask
from game.scenes.fight.events_shown import Telling
from game.scenes.fight.model import FightModel
from game.scenes.fight.panels import narrate
from game.scenes.fight.pointing import Pointing
from game.scenes.fight.undoing import Undoing
from game.view.palette import seat_colour
from game.widgets.controls import Button, Label, Swatch
from game.widgets.core import Box, Sized, Space, Widget, column, row
from game.widgets.story import Entry, Story
from game.widgets.theme import Look
from rules.contract.events import Began, Chance, Ended, Event, Points
from rules.contract.text import text

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
    """Opaque: whose the screen is next, and nothing of what they will see.

    `ready`: the player of the seat is here, and alone looks. `back` is what Esc does.
    """

    name = "handover"
    key_groups = ("general",)
    may_return = False
    """Whether a button does what Esc does."""

    def __init__(
        self, app: Shell, seat: Seat, told: str, ready: Callable[[], None], back: Callable[[], None] | None = None
    ) -> None:
        super().__init__(app)
        self.seat, self.told, self.ready, self.back = seat, told, ready, back or app.pop

    def build(self) -> None:
        look, (wide, high) = self.app.look, self.size
        width = min(look.px(WIDE), wide - look.px(32))
        fitting = (style for style in NAMES if look.font(style).size(self.seat.name)[0] <= width)
        name = Label(self.seat.name, next(fitting, NAMES[-1]), "bright", centred=True)  # the largest letters on a line
        ready = Button("Ready", self.ready, gold=True, large=True, hint="Enter", key="ready")
        back = [Button("Back", self.back, hint=self.app.keys.shown("back"), key="back")] if self.may_return else []
        away = "The others look away: nothing of the table is shown until you are ready."
        box = column(
            Sign(self.seat), Space(height=6), name, Label(self.told, "heading", "quiet", centred=True),
            Space(height=10), Label(away, "text", "quiet", centred=True), Space(height=12),
            row(Space(grow=1), *back, Sized(ready, 200), Space(grow=1), gap=12),
            gap=4,
        )  # fmt: skip
        rect = pygame.Rect(0, 0, width, min(box.measure(look, width)[1], high - look.px(16)))
        rect.center = (wide // 2, high // 2)
        self.ui.add(box, rect)
        self.ui.focus_key("ready")

    def draw(self, surface: pygame.Surface) -> None:
        look = self.app.look
        surface.fill(look.colour("night")[:3])
        bar, colour = look.px(10), seat_colour(self.seat.colour)
        surface.fill(colour, (0, 0, surface.get_width(), bar))
        surface.fill(colour, (0, surface.get_height() - bar, surface.get_width(), bar))
        super().draw(surface)

    def command(self, name: str, event: pygame.event.Event) -> bool:
        if name == "back":
            self.back()
        return name == "back"


class CoverOnce(Cover):
    """The screen goes to a seat for something else than its own view of the fight; Esc leaves everything as it was."""

    may_return = True


class Hotseat:
    """Hands the screen on, and lets the clock of a chance run; `FightModel.seating` says who looks."""

    def __init__(self, fight: FightModel, telling: Telling, pointing: Pointing, undoing: Undoing) -> None:
        self.fight, self.seating = fight, fight.seating
        self.telling, self.pointing, self.undoing = telling, pointing, undoing
        self.looked_at: float | None = None
        """What the clock on the wall said when time was counted last; None: that time is not the chance's, as something
        else is on the screen."""

    # -- the game master

    def see_all(self) -> None:
        """Open or close the game master's view; where another seat plays them, the screen goes to it and back."""
        fight = self.fight
        if not self.seating.hides:
            fight.toast("There is no fog of war in this fight: everything is seen anyway.")
        elif self.seating.due is not None:
            return
        elif self.seating.held_from is not None:
            self.give_back()
        elif self.seating.may_take:
            self.call_master()
        elif not self.seating.may_see_all:
            fight.toast("No seat plays the game master, and only that one may see everything.")
        elif self.seating.views() is None and not self.seating.all_seen:
            fight.toast("You see everything as it is.")
        else:
            self.seating.all_seen = not self.seating.all_seen
            self._look_anew()

    def call_master(self) -> None:
        """The game master takes the screen out of turn, and sees everything until it is handed on."""
        fight, app, master = self.fight, self.fight.app, self.seating.seats.master
        assert master is not None

        def ready() -> None:
            self.seating.held_from = self.seating.at
            self.sit(master, all_seen=True)
            app.unwind(app.scenes.index(fight))

        app.push(CoverOnce(app, master, "takes the screen", ready))

    def give_back(self) -> None:
        """The game master hands the screen on: to who is to decide, else to whose it was."""
        before, self.seating.held_from = self.seating.held_from, None
        seat = self.seating.answering or before
        if seat == self.seating.at:
            self.seating.all_seen = False
            self._look_anew()
        else:
            self.seating.due = seat
            self.fight.refresh()

    def show_table(self, back: Callable[[], None]) -> None:
        """Leave the fight for the table on which it was prepared, where everything lies in full light.

        While seats keep secrets only the game master's player is let look, alone; where nobody plays them, it is asked.
        """
        fight, app, master = self.fight, self.fight.app, self.seating.seats.master
        if not self.seating.secrets or fight.match.decision is None or self.seating.at == master:
            back()
        elif master is not None:
            app.push(CoverOnce(app, master, "looks at the table, with everything on it", back))
        else:
            text = (
                "The table shows where everybody stands, and all that is hidden. No seat plays the game master: "
                "whoever is at the screen would see it. The fight is kept under Load."
            )
            app.push(Ask(app, "Back to the table?", text, "Show the table", back))

    # -- handing over

    def hand_over(self) -> bool:
        """Cover the screen if it is due to another seat; whether it was."""
        fight, due = self.fight, self.seating.due
        if due is None or fight.behind or fight.view.busy or fight.app.top is not fight:
            return False
        fight.app.push(Handover(fight, self, due))
        return True

    def sit(self, seat: Seat, *, all_seen: bool = False) -> list[Entry]:
        """The player of a seat is at the screen: nothing of the one before stays on it. Gives the recap."""
        fight = self.fight
        began = self.seating.sit(seat, all_seen=all_seen)
        fight.toast_text = ""
        self.telling.moment.end()
        fight.pointed.forget()
        fight.view.forget()
        fight.selected = None
        self._look_anew()
        fight.settle()
        own = [mini for mini in fight.board.miniatures if mini.side in fight.sides]
        stands = next((m.cell for m in own if m.id == fight.acting), own[0].cell if own else None)
        if stands is not None:
            fight.camera.centre(stands)  # where the other looked is nobody's business
        fight.show_actor()
        fight.camera.arrive()
        return narrate.entries(fight.ruleset, fight.shown, self.seen_since()) if began else []

    def _look_anew(self) -> None:
        """Others look now, or may know something else: board and log are theirs from the beginning."""
        self.fight.look()
        self.telling.begin()
        self.fight.refresh()

    def seen_since(self) -> list[Event]:
        """What the sides of whoever looks saw happen since they left the screen."""
        history, since = self.fight.match.history, self.seating.since
        return self.fight.eyes.events(history.events[history.moments[since].events if since else 0 :])

    # -- the clock

    def update(self) -> bool:
        """Count the time that has passed; whether what the clock shows has changed."""
        fight, chance = self.fight, self.seating.chance
        if self.hand_over():
            return True
        if chance is None or not fight.clock_runs or fight.app.top is not fight:
            self.looked_at = None
            return False
        now = fight.app.clock()
        passed, self.looked_at = now - (self.looked_at if self.looked_at is not None else now), now
        before = self.seating.clock()
        if not self.seating.spend(chance, passed):
            return self.seating.clock() != before
        while self.pointing.take_back():
            pass
        if fight.plan is not None and fight.plan.ending is None:  # who may not simply wait does what the computer would
            self.pointing.deeds.act(Counsel(fight.match, fight.app.settings.level).advise(fight.plan.decision))
        elif fight.plan is not None and self.pointing.choosing.end_chance():
            name = fight.names.get(chance[0], "The chance")
            fight.toast(text("Time is up: {name}'s chance has ended.", name))
        return True


class Handover(Cover):
    """The screen goes to the seat that decides next in a fight."""

    def __init__(self, fight: FightModel, hotseat: Hotseat, seat: Seat) -> None:
        super().__init__(fight.app, seat, "is next at the screen", self._take, self._menu)
        self.fight, self.hotseat = fight, hotseat

    def _take(self) -> None:
        fight, app = self.fight, self.app
        assert fight.seating.due is not None
        lines = self.hotseat.sit(fight.seating.due)
        app.pop()
        if lines and app.top is fight:
            app.push(Recap(fight, self.hotseat, lines))

    def _menu(self) -> None:
        app, master, hotseat = self.app, self.fight.seating.seats.master, self.hotseat
        ways: list[Choice] = [("Back", app.keys.shown("back"), lambda: None)]
        if master not in (None, self.seat):
            ways.append(("The game master takes the screen", "", hotseat.call_master))
        ways += [
            ("Save", "", self.fight.doing("save")),
            ("Settings", "", lambda: app.navigator.options()),
            ("Leave for the title", "", lambda: app.navigator.title()),
            ("Quit", "", app.quit),
        ]
        app.push(Menu(app, "Paused", ways))


class Recap(Panel):
    """What the side of whoever looks saw happen since they left the screen."""

    name = "recap"
    width = 600.0
    first = "on"

    def __init__(self, fight: FightModel, hotseat: Hotseat, lines: Sequence[Entry]) -> None:
        super().__init__(fight.app)
        self.fight, self.hotseat = fight, hotseat
        self.story = Story(key="recap")
        self.story.extend(lines)

    def content(self) -> Box:
        seat = self.fight.seating.at
        needed = LINE * sum(1 + len(entry.details) * (not entry.folded) for entry in self.story.entries)
        room = self.size[1] / self.app.look.scale - 190
        listing = Sized(self.story, height=max(60.0, min(HIGH, needed, room)))
        head = row(Swatch(seat_colour(seat.colour)), Label("What your side saw", "heading", "bright"), gap=10)
        moves = any(not isinstance(event, (Began, Chance, Ended, Points)) for event in self.hotseat.seen_since())
        watch = self.then(partial(self.hotseat.undoing.since, self.fight.seating.since))
        again = Button("Watch it again", watch, key="again", enabled=moves)
        on = self.leave_button("Go on", key="on", gold=True)
        return column(head, listing, row(again, Space(grow=1), on), gap=12)

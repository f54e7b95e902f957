"""A fight played again: where in its past one is, whose view is shown, the log in step, and what buttons do there."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence

import pygame

from game.app.sounds import SILENCE, Backdrop
from game.fight.match import Match
from game.fight.seats import Seats, heroes_of
from game.fight.storyline import Strand
from game.fight.viewing import Film, Reel, View
from game.scenes.base import Scene, Shell, moves_camera, soonest
from game.scenes.fight.events_shown import Chronicle, arrival, concerned, stage
from game.scenes.fight.panels.card import draw_notes
from game.scenes.fight.soundscape import place_of
from game.view.boardview import BoardView
from game.view.camera import Camera
from game.view.overlays import Overlays, map_pins
from game.view.palette import side_look
from game.widgets.core import Tip
from game.widgets.story import Entry, Story
from game.widgets.text import Run
from game.widgets.timeline import Pip, Scrubber
from rules.contract.display import Board, Miniature
from rules.contract.ruleset import PARTY, State
from rules.contract.text import text
from rules.contract.units import Cell

SLACK = 6
"""Pixels that a press may wander and still be a click."""


class Watching(Scene):
    """A match's map with a camera of its own. `like`: begin where this one looks, if not all fits."""

    def __init__(self, app: Shell, match: Match, like: Camera | None = None) -> None:
        super().__init__(app)
        self.match = match
        self.camera = Camera(match.field, self.size)
        self.view = BoardView(match.field, match.loaded_map, self.camera)
        self.view.animator.heard = app.sounds.play
        self._like = like
        self._fitted = self._panned = False
        self._pressed: tuple[int, tuple[int, int]] | None = None
        self._last = (0, 0)
        self.hovered: Cell | None = None
        """The space under the pointer."""

    # -- what scenes of this kind fill in

    def overlays(self) -> Overlays:
        """The marks on the board."""
        return Overlays(hover=self.hovered, legend=self.app.held(pygame.KMOD_ALT))

    def clicked(self, cell: Cell) -> None:
        """A space was clicked."""

    # -- the scene

    def entered(self) -> None:
        self.rebuild()
        if self._fitted:
            return
        self._fitted = True
        self.camera.fit()
        if self._like is not None:
            self.camera.to_level(self._like.level)
            self.camera.set_zoom(self._like.zoom)
            (x, y), here = self._like.origin, self.camera.origin
            self.camera.pan(x - here[0], y - here[1])
            self.camera.contain()
        self.camera.arrive()

    def rebuild(self) -> None:
        self.view.resize(self.size)
        self.view.scale = self.app.look.scale
        super().rebuild()

    def update(self, dt: float) -> bool:
        changed = self.ui.update(dt)
        return self.view.update(dt) or changed

    def pace(self) -> float | None:
        if self.view.moving or self.view.animator.floats:
            return 1 / 60
        return soonest(0.05 if self.ui.waiting or self.view.animator.lingers else None, self.view.pace)

    def handle(self, event: pygame.event.Event) -> bool:
        if self._pressed is None and self.ui.handle(event):
            if event.type == pygame.MOUSEMOTION and self.hovered is not None:
                self.hovered, self.dirty = None, True
            if event.type == pygame.MOUSEBUTTONUP and not self.ui.modal:
                self.ui.set_focus(None)  # a clicked button keeps no keys from the scene
            return True
        return self._point(event)

    def _point(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEWHEEL:
            self.camera.zoom_at(self.app.pointer, 1.12**event.y)
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button in (1, 2, 3):
            self._pressed, self._last, self._panned = (event.button, event.pos), event.pos, False
            return True
        if event.type == pygame.MOUSEMOTION:
            self._move(event.pos)
            return True
        if event.type == pygame.MOUSEBUTTONUP and self._pressed and event.button == self._pressed[0]:
            self._pressed = None
            if not self._panned and event.button == 3:
                return self.command("back", event)
            cell = self.camera.to_cell(event.pos)
            if not self._panned and event.button == 1 and cell is not None:
                self.clicked(cell)
            return True
        return False

    def _move(self, pos: tuple[int, int]) -> None:
        if self._pressed is not None:
            start = self._pressed[1]
            self._panned |= abs(pos[0] - start[0]) + abs(pos[1] - start[1]) > SLACK
            if self._panned:
                self.camera.pan(pos[0] - self._last[0], pos[1] - self._last[1])
                self.dirty = True
        self._last = pos
        cell = self.camera.to_cell(pos)
        if cell != self.hovered:
            self.hovered, self.dirty = cell, True

    def command(self, name: str, event: pygame.event.Event) -> bool:
        return moves_camera(self.camera, name, self.app.look) or super().command(name, event)

    def draw(self, surface: pygame.Surface) -> None:
        marks = self.overlays()
        marks.pins = map_pins(self.match.loaded_map, self.view.ground.veil.seen, secrets=False)
        self.view.draw(surface, marks)
        self.app.players.draw_frame(surface, self.camera)
        self.ui.draw(surface)
        draw_notes(surface, self.app.look, self.camera, marks.pins, self.hovered)


PACES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""How fast it may be played."""
FAR = 600
"""Frames over which the log is told anew, of a long evening only so many of them before the one that is shown."""
EARLIER_FRAMES = "What came before is told where you go back to it."
BEAT = 0.5
"""Seconds between two commands at pace 1."""


class Playback(Watching):
    """Plays a film, as its reel says: bound to some frames it is played at once, and closes at its end."""

    name = "replay"
    key_groups = ("general", "replay", "camera")

    def __init__(self, app: Shell, match: Match, reel: Reel | None = None, like: Camera | None = None) -> None:
        super().__init__(app, match, like)
        self.reel = reel if reel is not None else Reel((View("Everything", None),), Seats(match.record).played)
        self.views = tuple(self.reel.views)
        self.seen_as = 0
        self.film = Film(match, self.views[0].sides, self.reel.own)
        self.first, self.last = self.reel.span or (0, self.film.length)
        self.returns = self.reel.span is not None
        self.number = self.first
        self.level = 0
        """The map of a place that panels know to be shown."""
        self.playing = self.returns
        self.pace_at = 1
        self.story = Story()
        self.story.on_ask = lambda line: self.ask_why(self._chronicle.strand(line).first - 1)
        self.story.ask_tip = Tip("Why did the computer do that?")
        self._chronicle: Chronicle = Chronicle(self.story, match.ruleset, lambda: self._telling[0], self._mark)
        self._telling: tuple[State, dict[str, str]] = (self.film.eyes.state(self.first), {})
        """The state and the names by which lines are told."""
        self._told = self._asked = -1
        """The last frame that the log tells, and the last whose deed asks why."""
        self._opened = 0
        """The frame with which the log begins."""
        self.left_of_beat: float = BEAT
        self.shown: Board = self.film.eyes.board(self.number)
        self.view.animator.ears = lambda: [mini.id for mini in self._own()]
        self.selected: str | None = None
        """Whose sheet is shown."""
        self.shots: list[int] = []
        """The frames that are shown."""
        self.places: dict[int, int] = {}
        """Frame -> its place among those."""
        self.scrubber: Scrubber = self._scrubber()
        self._tell_from_start()

    def _own(self) -> list[Miniature]:
        """Those with whose eyes and ears it is seen and heard."""
        sides = self.film.eyes.sides or self.reel.own
        return [mini for mini in self.shown.miniatures if mini.side in sides and not mini.out]

    def backdrop(self) -> Backdrop:
        """Where they stand; no music: nothing is at stake."""
        here = next((mini.cell for mini in self._own() if mini.cell >= 0), None)
        return Backdrop(place_of(self.match.field, here)) if here is not None else SILENCE

    def _scrubber(self) -> Scrubber:
        film, between = self.film, (f for f in self.film.frames if self.first < f < self.last)
        self.shots = [self.first, *between, *([self.last] if self.last > self.first else [])]
        self.places = {frame: place for place, frame in enumerate(self.shots)}
        sides = list(dict.fromkeys(c.get("side", "") for c in self.match.record.creatures))
        pips = []
        for mark in film.marks:
            if self.first < mark.at <= self.last and mark.at in self.places:
                look, ours = side_look(mark.side), mark.side in sides[:1]
                pips.append(Pip(self.places[mark.at], mark.kind, look.colour, ours, look.pattern == "plain", mark.text))
        if film.parts:
            begun = [(part.at, part.label) for part in film.parts]
        else:
            begun = [(frame, "") for frame in film.turns]
        ticks = [
            (self.places[frame], words or film.eyes.board(frame).caption.split(",")[0])
            for frame, words in begun
            if self.first <= frame <= self.last and frame in self.places
        ]
        return Scrubber(
            (0, len(self.shots) - 1), self._place(), lambda place: self.go(self.shots[place]), ticks=ticks, pips=pips,
            tell=lambda place: self.called(self.shots[place]),
        )  # fmt: skip

    def _place(self) -> int:
        """Which of the shots is shown, or the last one before."""
        return max(0, bisect_right(self.shots, self.number) - 1)

    def called(self, frame: int) -> str:
        """`Turn 2, round 1 · 14 of 60`."""
        caption = self.film.eyes.board(frame).caption
        whole = text("{caption} · {frame} of {length}", caption, frame, self.film.length)
        return whole if self.film.eyes.sides is None else caption

    # -- for the players' window

    keeps = False
    """What has been is not painted over."""

    def for_players(self) -> Playback:
        return self

    @property
    def frame(self) -> int:
        """The frame that is shown."""
        return self.number

    @property
    def curtained(self) -> bool:
        """Whether whoever watches may not see what the heroes know."""
        own = set(heroes_of(self.match.record))
        return not any(view.sides is None or own <= {*view.sides} for view in self.views)

    # -- where one is

    def go(self, frame: int) -> None:
        """Show a frame at once: the very board that playing up to it shows."""
        self.view.skip()
        self.view.animator.clear()
        frame = max(self.first, min(frame, self.last))
        if frame < self._opened or frame > self._told + FAR:
            self._tell_from(max(0, frame - FAR // 2), frame)
        elif frame < self.number:
            self._chronicle.cut(frame)
            self._told = self._asked = frame
        else:
            self._tell_up_to(frame)
        self.number = frame
        self._settle()

    def entered(self) -> None:
        first = not self._fitted
        super().entered()
        own = [mini.cell for mini in self._own() if mini.cell >= 0]
        if first and own and not any(self.camera.shows(cell) for cell in own):  # it began on another map of the place
            self.camera.show(own)
            self.camera.arrive()
            self.rebuild()

    def _settle(self) -> None:
        film = self.film
        self.shown = film.eyes.board(self.number)
        self.view.set_board(self.shown)
        self.view.see(film.eyes.sight(self.number), self.match.ruleset.lamps(film.eyes.state(self.number)))
        self.scrubber.value = self._place()
        self.left_of_beat = BEAT
        if self._fitted:
            there = [mini for mini in self.shown.miniatures if mini.cell >= 0]
            acting = [mini.cell for mini in there if mini.active]  # in an exploration nobody has a turn: then their own
            happened = stage(film.events(self.number), self.shown, self.match.field)
            own = [mini.cell for mini in there if mini.side in (film.eyes.sides or (PARTY,)) and not mini.out]
            self.camera.show([*(happened or acting or own)])  # a whole side may act, and nobody of it alone
            self.rebuild()

    def _tell_from_start(self) -> None:
        self._tell_from(max(0, self.number - FAR // 2) if self.number > FAR else 0, self.number)
        self._settle()

    def _tell_from(self, first: int, frame: int) -> None:
        """Tell the log anew, of a long evening its last part: whoever jumps far need not wait for all lines between."""
        self._chronicle.clear()
        self._opened = first
        self._told = self._asked = first - 1
        if first:
            self.story.append(Entry([Run(EARLIER_FRAMES, "quiet", "small")], []))
            self._chronicle.skip()
        self._tell_up_to(frame)

    def _tell_up_to(self, frame: int) -> None:
        """Add the lines of all frames up to one."""
        if frame <= self._told:
            return
        self._telling = self.film.eyes.state(frame), _names(self.film.eyes.board(frame))
        for number in range(self._told + 1, frame + 1):
            self._chronicle.tell([(number, number, event) for event in self.film.events(number)])
        self._told = frame

    def _mark(self, line: Entry, strand: Strand) -> None:
        """The first line of a command asks why, if the computer gave it."""
        frame = strand.first
        if frame == self._asked or not frame or not self.may_ask or self.match.history.moments[frame].side:
            return
        if line.by == self.match.record.commands[frame - 1].by:
            line.asks, self._asked = True, frame

    def step(self) -> bool:
        """Play the next command as it was seen in the fight; False at the end."""
        self.view.skip()
        if self.number >= self.last:
            return False
        film, before = self.film, self.shown
        self.number = self.shots[self._place() + 1]
        events, after, state = film.events(self.number), film.eyes.board(self.number), film.eyes.state(self.number)
        self._telling, self._told = (state, _names(before) | _names(after)), self.number
        changes = self._chronicle.changes([(self.number, self.number, event) for event in events])
        self.shown = after
        acting = [mini for mini in before.miniatures if mini.active]
        cells = [*(mini.cell for mini in acting), *stage(events, before, self.match.field)]
        if not self._elsewhere(cells, {mini.id for mini in acting} | concerned(events)):
            self.camera.show(cells)

        def reached(index: int) -> None:
            changes[index]()
            if (there := arrival(events[index], self.match.field)) and not self._elsewhere(there, concerned(events)):
                self.camera.show(there)

        self.view.play(events, before, after, reached)
        self.view.see(film.eyes.sight(self.number), self.match.ruleset.lamps(state))
        if self.app.settings.speed == 0:
            self.view.skip()
        self.scrubber.value = self._place()
        self.left_of_beat = BEAT
        self.rebuild()
        return True

    def _elsewhere(self, cells: Sequence[Cell], names: Collection[str]) -> bool:
        """Whether something happens on another map than the one shown, and to nobody by whose eyes it is seen."""
        ours = {mini.id for mini in self._own()}
        return bool(cells) and not self.camera.shows(cells[0]) and bool(ours) and ours.isdisjoint(names)

    # -- what buttons and keys do

    def forward(self) -> None:
        """One command on, and pause."""
        self.playing = False
        if not self.step():
            self.rebuild()

    def back(self) -> None:
        """One command back, and pause."""
        self.playing = False
        self.go(self.shots[max(0, self._place() - 1)])

    def jump(self, frames: Sequence[int], by: int) -> None:
        """To the next or last of some frames, beyond them to the end or the start; nowhere if there are none."""
        if any(frames):
            self.go(self.film.neighbour(frames, self.number, by))

    def play(self) -> None:
        """Play on, or pause; from the end, from the start."""
        self.playing = not self.playing
        if self.playing and self.number == self.last:
            self.go(self.first)
        self.left_of_beat = 0.0
        self.rebuild()

    def faster(self, by: int) -> None:
        """Play at the next or last pace."""
        self.pace_at = max(0, min(self.pace_at + by, len(PACES) - 1))
        self.rebuild()

    def look_as(self, number: int) -> None:
        """Show it as others saw it."""
        self.seen_as = number % len(self.views)
        self.view.skip()
        self.view.forget()
        self.film.turn(self.views[self.seen_as].sides)
        self.scrubber = self._scrubber()
        self._tell_from_start()

    @property
    def may_branch(self) -> bool:
        """Whether one may play on from here."""
        if self.returns or (self.number == self.film.length and self.match.decision is None):
            return False
        return self.reel.may_branch(self.number)

    def branch(self) -> None:
        """Play on from the frame that is shown; what came after it is kept as a branch of the record."""
        if not self.may_branch:
            return
        frame = self.number
        if self.reel.play_on is not None:  # at its end the fight goes on as it stands, whatever was done meanwhile
            self.reel.play_on(frame if frame < self.film.length else None)
            return
        if frame < self.match.history.length:
            self.match.history.rewind(frame)
        self.app.navigator.show(self.match)

    def chronicle(self) -> None:
        """What happened as a tale, by the view that is shown; the others are there, too."""
        self.playing = False
        views = (*self.views[self.seen_as :], *self.views[: self.seen_as])
        self.app.navigator.chronicle(self.match, views)

    @property
    def may_ask(self) -> bool:
        """Whether the computer's thoughts may be shown: not to who only sees what a side saw."""
        return self.film.eyes.sides is None

    def why(self) -> None:
        """Why the computer did what is shown, or the last thing that it did before."""
        number = next((n for n in range(self.number - 1, -1, -1) if not self.match.history.moments[n + 1].side), None)
        if number is not None and self.may_ask:
            self.ask_why(number)

    def ask_why(self, number: int) -> None:
        """Why the computer did what it did after so many commands."""
        self.playing = False
        self.app.navigator.why(self.match, number, self.camera)

    def inspect(self, by: int) -> None:
        """Show the sheet of the next or last creature on the board, and where it is."""
        minis = self.shown.miniatures
        if not minis:
            return
        here = next((n for n, mini in enumerate(minis) if mini.id == self.selected), None)
        mini = minis[(here + by) % len(minis)] if here is not None else minis[0 if by > 0 else -1]
        self.selected = mini.id
        self.rebuild()
        self.camera.show([mini.cell])

    @property
    def hurry(self) -> float:
        """How fast it is played."""
        return PACES[self.pace_at] * (3.0 if self.app.held(pygame.KMOD_SHIFT) else 1.0)


def _names(board: Board) -> dict[str, str]:
    return {mini.id: mini.name for mini in board.miniatures}

"""The board of the players' window: what the heroes know, with a camera of its own, and nothing of the panels."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import pygame
from msgspec.structs import replace

from game.app.settings import Follow, PlayersWindow
from game.fight.brush import Brush
from game.fight.history import Moment
from game.fight.match import Match
from game.scenes.players.source import Known, Picture, Source
from game.scenes.players.strip import draw_names, draw_order
from game.view.boardview import BoardView
from game.view.camera import Camera
from game.view.motion.animate import Animator
from game.view.palette import GOLD, HAIRLINE, MUTED, PAPER, VOID, render
from rules.contract.display import Board
from rules.contract.events import Event
from rules.contract.text import text
from rules.contract.units import Cell
from rules.core.record import BrushedModel

LEAST = 720
"""The height of a window in pixels at which dice and words are as large as in a panel at 100 %."""
STRIP = 0.1
"""How much of the height the order of play takes."""


class Curtain(StrEnum):
    """Why nothing of the board is shown."""

    NONE = ""
    BLACK = "black"
    """The game master wants it dark."""
    COVERED = "covered"
    """The screen is somebody's who may not see what the heroes know."""
    EMPTY = "empty"
    """No fight is on the table."""


class PlayersTable:
    """Follows what a source shows, and draws it; `dirty` once there is something new to be seen."""

    def __init__(self, settings: PlayersWindow, size: tuple[int, int]) -> None:
        self.settings = settings
        self.black = False
        self.ruler = False
        """Whether a ruler lies over it all, by which the screen's inch is found."""
        self.brush = Brush()
        self._brushed: BrushedModel | None = None
        """By what the record keeps that was made out."""
        self.dirty = True
        self.size = size
        self.curtain = Curtain.EMPTY
        self.known: Known | None = None
        self.view: BoardView | None = None
        self.picture: Picture | None = None
        self._told: Board | None = None
        """The board by which the order of play is told: it waits for what is shown."""
        self._at: tuple[int, Moment] | None = None
        self._asked: tuple[object, ...] = ()
        """By what the picture was made, beside the moment."""
        self.source_camera: Camera | None = None
        """The main window's, over the board that is followed."""
        self._buffer: pygame.Surface | None = None
        self._fitted = False
        self._outlook: tuple[object, ...] = ()

    # -- its window

    @property
    def across(self) -> tuple[int, int]:
        """Width and height as whoever looks sees them: a screen turned by a quarter is as wide as it was high."""
        return self.size if self.settings.turn % 2 == 0 else (self.size[1], self.size[0])

    @property
    def scale(self) -> float:
        """How large dice and words are."""
        return max(0.75, min(self.across[0] / 1280, self.across[1] / LEAST))

    def resize(self, size: tuple[int, int]) -> None:
        """The window, or how it is turned, has changed."""
        self.size, self.dirty, self._buffer = size, True, None
        if self.view is not None:
            self.view.resize(self.across)
            self.view.scale = self.scale
            self._free()
            self._fitted &= self.settings.follow is not Follow.ACTION
            self._turn_to(())

    @property
    def strip(self) -> int:
        """How high the order of play is, if it is shown."""
        return round(min(self.across[1], self.across[0] * 0.75) * STRIP)

    def _free(self) -> None:
        """Tell the camera how much the order of play leaves."""
        if self.view is None:
            return
        wide, high = self.across
        top = self.strip if self.settings.order and self._told is not None and self._told.order else 0
        self.view.camera.free = pygame.Rect(0, top, wide, high - top)

    def restyle(self) -> None:
        """What is shown, or how, was chosen anew."""
        self.dirty = True
        if self.view is None:
            return
        self.view.animator.shows_dice = self.settings.dice
        if self.view.camera.viewport.size != self.across:
            self.resize(self.size)
        self._free()
        if self.settings.physical and self.view.camera.zoom != self.settings.inch:
            self.view.camera.hold(*self.view.camera.centre_of_view, self.settings.inch)
        if self.settings.follow is Follow.ACTION:
            self._turn_to(())

    # -- following

    def follow(self, source: Source | None, dt: float) -> None:
        """Let `dt` seconds pass, and take in what the source shows now."""
        match = source.match if source is not None else None
        curtain = self._curtain(source)
        if curtain is not self.curtain:
            self.curtain, self.dirty = curtain, True
        if source is None or match is None:
            self._leave()
            return
        self.source_camera = source.view.camera
        if self.known is None or self.known.match is not match or self.known.strict is not self.settings.strict:
            self._come_to(match)
        assert self.known is not None and self.view is not None
        if self._brushed is not match.record.brushed:
            self._brushed, self.brush = match.record.brushed, match.brush()
        asked = (self.brush, self.settings.names)
        number, moment = source.frame, self.known.moment(source.frame)
        if self._at is None or self._at[1] is not moment or self._at[0] != number or asked != self._asked:
            self._take(source, number, moment, asked)
        self._pass(source, dt)

    def _curtain(self, source: Source | None) -> Curtain:
        if self.black:
            return Curtain.BLACK
        if source is None or source.match is None:
            return Curtain.EMPTY
        return Curtain.COVERED if source.curtained else Curtain.NONE

    def _leave(self) -> None:
        """Nothing is on the table: nothing of what was stays here."""
        self.known = self.view = self.picture = self._told = self._at = self.source_camera = None

    def _come_to(self, match: Match) -> None:
        """Another fight is on the table. Of an encounter that was changed a little the view stays where it was."""
        before = self.view.camera if self.view is not None else None
        self.known = Known(match, strict=self.settings.strict)
        camera = Camera(match.field, self.across)
        self.view = BoardView(match.field, match.loaded_map, camera)
        self.view.resting = True  # nothing moves by itself: what does not change is not drawn
        self.view.scale = self.scale
        self.view.animator.shows_dice = self.settings.dice
        stays = before is not None and (before.columns, before.rows) == (camera.columns, camera.rows)
        if before is not None and stays:
            camera.to_level(before.level)
            camera.hold(*before.centre_of_view, before.zoom)
        self._at, self._told, self._fitted, self.dirty = None, None, stays and self._fitted, True
        self._brushed, self.brush = None, Brush()

    def _take(self, source: Source, number: int, moment: Moment, asked: tuple[object, ...]) -> None:
        """Show the moment that the source shows: as it happens, if that is what the main window does, else at once."""
        known, view = self.known, self.view
        assert known is not None and view is not None
        then, same = self._at, asked == self._asked
        picture = known.picture(number, self.brush)
        board = self._worded(picture.board)
        onward = then is not None and same and then[0] < number and known.moment(then[0]) is then[1]
        self.dirty, self._at, self._asked = True, (number, moment), asked
        if onward and then is not None and source.view.busy and not self.curtain:
            events, before = known.passage(then[0], number, self.brush)
            starts = _starts(events, source.view.animator)
            self.picture = picture._replace(board=board)
            view.play(events, self._worded(before), board, None, starts)
            view.see(picture.sight, picture.lamps)
            if not view.busy:
                self._settle()
            self._turn_to(_places(events, known.match))
            return
        changed = then is not None and then[1] is moment  # only what is shown of it
        if not onward and not changed:
            view.forget()  # what was taken back is not to be seen for one more frame
        else:
            view.skip()
        self.picture = picture._replace(board=board)
        view.set_board(board)
        view.see(picture.sight, picture.lamps)
        self._settle()
        if not changed:
            self._turn_to(())
        if not onward:
            view.camera.arrive()

    def _settle(self) -> None:
        """What was shown has come to its end."""
        self._told = self.picture.board if self.picture is not None else None
        self._free()

    def _worded(self, board: Board) -> Board:
        """The board with names, if they are to be shown."""
        if self.settings.names:
            return board
        return replace(board, miniatures=tuple(replace(mini, name="") for mini in board.miniatures))

    def _pass(self, source: Source, dt: float) -> None:
        """Let time pass, in step with the main window."""
        view, main = self.view, source.view
        assert view is not None
        view.speed, view.reduced_motion = main.speed, main.reduced_motion
        view.animator.second = main.animator.second
        busy = view.busy
        if busy and not main.busy:
            view.skip()
            self.dirty = True
        self.dirty |= view.update(dt)
        if busy and not view.busy:
            self._settle()
            self.dirty = True
        self._look(main.camera)
        outlook = (*view.camera.origin, view.camera.zoom, view.camera.level)
        if outlook != self._outlook:
            self._outlook, self.dirty = outlook, True

    @property
    def moving(self) -> bool:
        """Whether the next frames differ."""
        view = self.view
        return view is not None and not self.curtain and (view.moving or view.animator.floats or view.animator.lingers)

    # -- where it looks

    def _look(self, main: Camera) -> None:
        """With the main window's camera, where it is to follow that."""
        if self.view is None or self.settings.follow != Follow.BOARD:
            return
        camera = self.view.camera
        if main.level != camera.level and main.level in camera.levels():
            camera.to_level(main.level)
        if main.level == camera.level:
            share = min(camera.free.width / main.free.width, camera.free.height / main.free.height)
            zoom = self.settings.inch if self.settings.physical else max(4, round(main.zoom * share))
            middle, here = main.centre_of_view, camera.centre_of_view
            moved = max(abs(middle[0] - here[0]), abs(middle[1] - here[1])) * zoom >= 1
            if zoom != camera.zoom or moved:
                camera.hold(*middle, zoom)

    def look_anew(self) -> None:
        """What it is to look at was chosen anew."""
        if self.settings.follow is Follow.ACTION:
            self._turn_to(())
        self.dirty = True

    def push(self, main: Camera) -> None:
        """Look where the main window looks now, and stay there."""
        if self.view is not None:
            self.settings.follow = Follow.BOARD
            self._look(main)
        self.settings.follow = Follow.HELD
        self.dirty = True

    def hold(self, column: float, row: float, zoom: int | None = None) -> None:
        """Look at a place, and stay there."""
        self.settings.follow = Follow.HELD
        if self.view is not None:
            self.view.camera.hold(column, row, self._zoom(zoom))
            self.dirty = True

    def _zoom(self, wanted: int | None = None) -> int:
        """Pixels per space: those of an inch where that is asked for."""
        assert self.view is not None
        return self.settings.inch if self.settings.physical else wanted or self.view.camera.zoom

    def _turn_to(self, cells: Sequence[Cell]) -> None:
        """Where something happens, with all the heroes and whoever they see as far as there is room."""
        view = self.view
        if view is None or view.board is None:
            return
        camera = view.camera
        if self.settings.physical and camera.zoom != self.settings.inch:
            camera.hold(*camera.centre_of_view, self.settings.inch)
        if self.settings.follow != Follow.ACTION and self._fitted:
            return
        own = set(self.known.sides) if self.known is not None else set()
        minis = sorted((m for m in view.board.miniatures if not m.out and m.cell >= 0), key=lambda m: m.side not in own)
        there = [*cells, *(mini.cell + n for mini in minis for n in (0, (mini.size - 1) * (view.field.width + 1)))]
        if not there:
            return
        camera.anchor = next((mini.cell for mini in minis if mini.active), there[0])
        if self.settings.physical:
            camera.show(there)
        elif self._fitted:
            camera.frame(there)
        else:
            camera.begin(there)
        self._fitted = True

    # -- drawing

    def draw(self, surface: pygame.Surface) -> None:
        """Draw it over the whole window."""
        self.dirty = False
        turn = self.settings.turn % 4
        if not turn:
            self._draw(surface)
            return
        if self._buffer is None or self._buffer.get_size() != self.across:
            self._buffer = pygame.Surface(self.across)
        self._draw(self._buffer)
        surface.blit(pygame.transform.rotate(self._buffer, -90 * turn), (0, 0))

    def _draw(self, surface: pygame.Surface) -> None:
        if self.curtain is Curtain.NONE and self.view is not None:
            self.view.draw(surface)
            if self._told is not None and self.settings.names and not self.view.busy:
                draw_names(surface, self.view, self._told, self.scale)
            if self._told is not None and self.settings.order:
                draw_order(surface, self._told, self.strip)
        else:
            self._draw_card(surface)
        if self.ruler:
            draw_ruler(surface, self.settings.inch)

    def _draw_card(self, surface: pygame.Surface) -> None:
        """The curtain: black, or a word."""
        if self.curtain is Curtain.BLACK:
            surface.fill((0, 0, 0))
            return
        surface.fill(VOID)
        told = text("One moment …") if self.curtain is Curtain.COVERED else ""
        middle, high = surface.get_rect().center, surface.get_height()
        name = render("serif-bold", max(24, high // 9), "Battlemat", GOLD)
        surface.blit(name, name.get_rect(center=middle))
        line = pygame.Rect(0, 0, name.get_width(), max(1, high // 400))
        line.midtop = (middle[0], middle[1] + name.get_height() // 2)
        surface.fill(HAIRLINE, line)
        if told:
            word = render("text", max(14, high // 28), told, MUTED)
            surface.blit(word, word.get_rect(midtop=(middle[0], line.bottom + high // 40)))


def _starts(events: Sequence[Event], main: Animator) -> list[float]:
    """When each event begins in the main window; what that does not show begins with what came before it."""
    played = {id(event): start for event, start in zip(main.played, main.starts, strict=False)}
    found, last = [], 0.0
    for event in events:
        last = played.get(id(event), last)
        found.append(last)
    return found


def _places(events: Sequence[Event], match: Match) -> list[Cell]:
    """The spaces where some events happen."""
    found: list[Cell] = []
    for event in events:
        path = getattr(event, "path", ())
        if path:
            found.append(match.field.cell(*path[-1]))
    return found[-1:]


def draw_ruler(surface: pygame.Surface, inch: int) -> None:
    """Six inches, to be held against a ruler of wood."""
    wide, high = surface.get_size()
    count = max(1, min(6, (wide - 40) // inch))
    box = pygame.Rect(0, 0, count * inch, max(40, high // 12))
    box.center = (wide // 2, high // 2)
    pygame.draw.rect(surface, PAPER, box)
    pygame.draw.rect(surface, (0, 0, 0), box, 1)
    for eighth in range(count * 8 + 1):
        x = box.left + min(box.width - 1, round(eighth * inch / 8))
        long = box.height if eighth % 8 == 0 else box.height // 2 if eighth % 4 == 0 else box.height // 4
        pygame.draw.line(surface, (0, 0, 0), (x, box.top), (x, box.top + long))
    size = max(12, box.height // 3)
    for number in range(1, count + 1):
        word = render("bold", size, str(number), (0, 0, 0))
        surface.blit(word, word.get_rect(bottomright=(box.left + number * inch - 4, box.bottom - 2)))

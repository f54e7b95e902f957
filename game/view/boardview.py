"""The board in its window: ground, marks, miniatures and what moves, put together frame by frame."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import msgspec
import pygame

from game.fight.history import Sight
from game.maps.mapdata import LoadedMap
from game.view import minis
from game.view.camera import Camera
from game.view.chests import OPEN, draw_chests
from game.view.chests import shown as chests
from game.view.ground import tiles as groundtiles
from game.view.ground.lights import UNKNOWN, Glow
from game.view.ground.picture import GroundPicture
from game.view.ground.place import PlaceGround
from game.view.ground.tiles import GroundPlan
from game.view.ground.walls import CLOSING, OPENING, draw_leaf, is_open, middle
from game.view.motion.animate import Animator, Reached
from game.view.motion.pictures import overlap
from game.view.motion.spellmarks import draw_ground_marks
from game.view.overlays import (
    Overlays,
    draw_aims,
    draw_crossings,
    draw_facing,
    draw_overlays,
    draw_overlays_above,
    draw_pins,
    draw_ways,
    draw_words,
)
from game.view.palette import GOLD, HAIRLINE, INK, MUTED, PAPER, VOID, Colour, render
from rules.board.bitboard import cells_of
from rules.board.fixtures import DoorState
from rules.board.grid import Field
from rules.board.places import GAP
from rules.board.sight import Lamp, visible
from rules.contract.display import Board, Miniature
from rules.contract.events import Door, Event
from rules.contract.text import Text, joined
from rules.contract.units import Cell

NAMED = ("trap", "chest", "water", "climb", "ledge", "rubble")
"""Kinds of marks on the ground whose names are written."""
SIZE = 13
"""Of the letters, at 100 %."""


@dataclass(frozen=True)
class Name:
    """What is written, and the pixels of what it names."""

    text: str
    about: pygame.Rect
    colour: Colour


def names(camera: Camera, board: Board, plan: GroundPlan, known: int = -1) -> list[Name]:
    """Creatures, doors that are known (also by their ground, a bitboard), and what lies on the floor."""
    found = [
        Name(mini.name, camera.space_rect(mini.cell, mini.size), MUTED if mini.out else PAPER)
        for mini in board.miniatures
    ]
    for door, state in zip(plan.field.doors, board.doors, strict=False):
        if state != DoorState.SECRET and known >> door.cell & 1:
            column, row = middle(plan, door)
            spot = pygame.Rect(camera.to_screen(column - 0.5, row - 0.5), (camera.zoom, camera.zoom))
            found.append(Name(Text.of("{id}, {what}", id=door.id, what=state), spot, GOLD))
    told = set[tuple[str, Cell]]()
    for stair in plan.field.stairs:
        if camera.shows(stair.cell) and known >> stair.cell & 1:
            there = plan.field.part(stair.to)
            if not told & {(there.name, beside) for beside in (stair.cell - 1, stair.cell - plan.width)}:
                found.append(Name(Text.of("To {map}", map=there.title), camera.space_rect(stair.cell), GOLD))
            told.add((there.name, stair.cell))
    for mark in board.ground:
        shown = [cell for cell in cells_of(mark.cells) if known >> cell & 1] if mark.kind in NAMED else []
        if shown:
            found.append(Name(mark.label, camera.space_rect(shown[len(shown) // 2]), GOLD))
    for cell in sorted({item.cell for item in board.floor}):
        text = joined(", ", (item.item for item in board.floor if item.cell == cell))
        found.append(Name(text[:1].upper() + text[1:], camera.space_rect(cell), GOLD))
    return found


def placed(labels: Iterable[tuple[tuple[int, int], pygame.Rect]], window: pygame.Rect) -> list[pygame.Rect]:
    """A box for each (size, what it names): below it, above it or beside it, off the boxes before it."""
    boxes: list[pygame.Rect] = []
    for size, about in labels:
        box = pygame.Rect((0, 0), size)
        tried: list[pygame.Rect] = []
        for step in range(3):
            for middle_y in (about.bottom + step * size[1], about.top - step * size[1]):
                for shift in (0, size[0] // 2, -size[0] // 2):
                    box.center = (about.centerx + shift, middle_y)
                    tried.append(box.clamp(window))
        boxes.append(min(tried, key=lambda spot: sum(overlap(spot, other) for other in boxes)))
    return boxes


def draw_legend(
    surface: pygame.Surface, camera: Camera, board: Board, plan: GroundPlan, *, scale: float, known: int = -1
) -> None:
    """Write the names of all that the window shows."""
    window = surface.get_clip()
    shown = [name for name in names(camera, board, plan, known) if window.colliderect(name.about)]
    shown.sort(key=lambda name: (name.about.y, name.about.x))
    size = round(SIZE * min(scale, 1.5))
    words = [render("bold", size, name.text, name.colour) for name in shown]
    sizes = [(word.get_width() + size, word.get_height() + size // 3) for word in words]
    boxes = placed(zip(sizes, (name.about for name in shown), strict=True), window)
    for name, word, box in zip(shown, words, boxes, strict=True):
        pygame.draw.rect(surface, INK, box, border_radius=box.height // 2)
        pygame.draw.rect(surface, name.colour, box, max(1, size // 10), border_radius=box.height // 2)
        surface.blit(word, word.get_rect(center=box.center))


PHASE = 2.4
"""Seconds that the halo of whoever acts takes for one turn."""
CALM = 8.0
"""Seconds in which nothing else had to be drawn, after which animated tiles stand still."""


class BoardView:
    """Draws a board. `speed` hurries (0 = no motion at all), `reduced_motion` keeps only what carries meaning."""

    def __init__(self, field: Field, loaded_map: LoadedMap | None, camera: Camera) -> None:
        self.field = field
        self.camera = camera
        self.ground: GroundPicture | PlaceGround = (
            PlaceGround(field, loaded_map, camera) if field.maps else GroundPicture(field, loaded_map)
        )
        self.board: Board | None = None
        self.speed = 1.0
        self.reduced_motion = False
        self.resting = False
        """Nobody has touched anything for a while: the halo stands still and nothing needs drawing."""
        self.scale = 1.0
        """Of the panels: dice and words grow with them."""
        self.phase = 0.0
        self.on_floor: Callable[[pygame.Surface], None] | None = None
        """Paints what else lies on the floor, under the miniatures: a heat map, say."""
        self.animator = Animator(field.width, [door.id for door in field.doors])
        if loaded_map is not None:
            stuff, width = loaded_map.materials, field.width
            self.animator.floor = lambda column, row: stuff[round(row) * width + round(column)]
        self._before: dict[str, Miniature] = {}
        self._gone: list[Miniature] = []
        """Who is on the board no more, or out of sight, while that is shown."""
        self._sight: Sight | None = None
        self._lamps: tuple[Lamp, ...] = ()
        self._shown_once = False
        self.peek: Cell | None = None
        """A space from which the roof is lifted, whoever stands there: who prepares a fight looks under all."""
        self._quiet = 0.0
        """Seconds since anything but tiles was drawn."""
        self._only_tiles = False

    # -- what is shown

    def set_board(self, board: Board) -> None:
        """Show a board at once, without motion."""
        self._take(board)
        self.ground.set_doors(board.doors)
        self.ground.roofs.stand(self._stood_on())
        self.ground.roofs.settle()

    def _take(self, board: Board) -> None:
        self.board = board
        self._before = {}
        self.camera.anchor = next((mini.cell for mini in board.miniatures if mini.active), None)

    def play(
        self, events: Sequence[Event], before: Board, after: Board, reached: Reached | None = None,
        starts: Sequence[float] = (),
    ) -> None:  # fmt: skip
        """Show how the events lead from one board to the next; `reached` hears of each in its turn.

        `starts`: the earliest second at which each begins, where another window shows them, too.
        """
        self.animator.skip()
        self._take(after)
        self._before = {mini.id: mini for mini in before.miniatures}
        here = {mini.id for mini in after.miniatures}
        self._gone = [mini for mini in before.miniatures if mini.id not in here]
        self.ground.set_doors(before.doors)

        def known(index: int) -> None:
            event = events[index]
            if isinstance(event, Door):
                self._set_door(event.door, event.state)
            if reached is not None:
                reached(index)

        self.animator.play(events, before, after, known, starts)
        if not self.animator.busy:
            self.ground.set_doors(after.doors)

    def _set_door(self, name: str, state: str) -> None:
        """Show one door in a state, the others as they are shown."""
        pairs = zip(self.field.doors, self.ground.doors, strict=False)
        self.ground.set_doors(tuple(state if door.id == name else old for door, old in pairs))

    @property
    def busy(self) -> bool:
        """Whether something still moves that the player should wait for."""
        return self.animator.busy

    @property
    def moving(self) -> bool:
        """Whether the next frames differ: events play, the camera glides, a roof goes or ground is being drawn."""
        return self.busy or self.camera.moving or self.ground.roofs.moving

    @property
    def pace(self) -> float | None:
        """Seconds until an animated tile that is in sight shows its next picture; None if none is to."""
        wait = self.ground.next_frame if self._tiles_move else None
        return None if wait is None else max(0.02, wait)

    @property
    def _tiles_move(self) -> bool:
        return self.speed > 0 and not (self.reduced_motion or self.resting) and self._quiet < CALM

    def skip(self) -> None:
        """End all motion at once."""
        self.animator.skip()
        self.camera.arrive()

    def resize(self, size: tuple[int, int]) -> None:
        """The window has another size."""
        self.camera.resize(size)

    def miniature_at(self, pos: tuple[int, int]) -> str | None:
        """The id of the miniature under a pixel; who still stands goes before who lies there."""
        cell = self.camera.to_cell(pos)
        if cell is None or self.board is None:
            return None
        column, row = self.field.at(cell)
        here = []
        for mini in self.board.miniatures:
            left, top = self.field.at(mini.cell)
            if left <= column < left + mini.size and top <= row < top + mini.size:
                here.append(mini)
        return min(here, key=lambda mini: mini.out).id if here else None

    # -- what is known

    def see(self, sight: Sight | None, lamps: tuple[Lamp, ...] = ()) -> None:
        """Show the ground as somebody knows it (None: all of it), by the lights that creatures carry."""
        self._lamps = lamps if self.field.ambient == "dark" else ()
        self._sight = sight
        self._uncover()

    def forget(self) -> None:
        """Somebody else looks: nothing of what was shown stays."""
        self.animator.clear()
        self.camera.arrive()
        self.ground.forget()
        self.ground.roofs.stand(())
        self.ground.roofs.settle()
        self._before = {}

    def _uncover(self) -> None:
        """While something moves, what was seen before still is."""
        sight, shown = self._sight, self.ground.veil.sight
        if sight is not None and shown is not None and self.animator.busy:
            sight = Sight(sight.now | shown.now, sight.ever)
        self.ground.see(sight)
        self.camera.bound(self.ground.veil.known)
        self._shine()

    def _shine(self) -> None:
        """Lights go with those who carry them, space by space."""
        if not self._lamps and not self.ground.veil.glows:
            return
        terrain = self.ground.terrain()
        bearers = {mini.cell: mini.id for mini in self.board.miniatures} if self.board is not None else {}
        glows = []
        for stands, size, radius in self._lamps:
            spot = self.animator.spot(bearers.get(stands, ""))
            cell = self.field.cell(round(spot[0]), round(spot[1])) if spot is not None else stands
            cells = visible(terrain, cell, size) | terrain.footprint(cell, size)
            glows.append(Glow(cell, size, radius, cells & terrain.within(cell, radius, size) & ~self.field.daylight))
        self.ground.shine(tuple(glows))

    # -- time

    def update(self, dt: float) -> bool:
        """Let `dt` seconds pass; whether the board must be drawn again."""
        if self.camera.moving and (self.speed <= 0 or self.reduced_motion):
            self.camera.arrive()
            changed = True
        else:
            changed = self.camera.update(dt)
        changed |= self.animator.update(dt, self.speed, self.reduced_motion)
        self._swing()
        if self._lamps and changed:
            self._shine()
        changed |= self.ground.pending
        roofs = self.ground.roofs  # they go from above those who are shown, and come back behind them
        roofs.stand(self._stood_on())
        if self.speed <= 0 or self.reduced_motion:
            return roofs.settle() | self.ground.animate(None) | changed
        changed |= roofs.update(dt * self.speed)
        if not self.resting and self.board is not None and any(m.active and not m.out for m in self.board.miniatures):
            self.phase = (self.phase + dt / PHASE) % 1.0
            changed = True
        self._quiet += dt
        moved = self._tiles_move and self.ground.animate(dt)
        self._only_tiles = moved and not changed
        return moved or changed

    def _stood_on(self) -> set[Cell]:
        """The spaces of all miniatures that are shown, where they are shown, and where somebody peeks."""
        found: set[Cell] = set() if self.peek is None else {self.peek}
        if not self.ground.roofs.over or self.board is None:
            return found
        for mini in self._there(self.board):
            spot = self.animator.spot(mini.id)
            left, top = (round(spot[0]), round(spot[1])) if spot is not None else self.field.at(mini.cell)
            spaces = [(left + x, top + y) for x in range(mini.size) for y in range(mini.size)]
            found |= {self.field.cell(*space) for space in spaces if self.field.inside(*space)}
        return found

    def _swing(self) -> None:
        """The ground leaves out the leaf of a door that swings."""
        if (now := self.animator.swinging) is not None:
            stands = self._door_state(now[0])
            if stands not in (OPENING, CLOSING):
                self._set_door(now[0], CLOSING if is_open(stands) else OPENING)
        elif not self.animator.busy and self.board is not None:
            self.ground.set_doors(self.board.doors)
            if self.ground.veil.sight is not self._sight:
                self._uncover()

    def _door_state(self, name: str) -> str:
        pairs = zip(self.field.doors, self.ground.doors, strict=False)
        return next((state for door, state in pairs if door.id == name), "")

    # -- drawing

    def draw(self, surface: pygame.Surface, overlays: Overlays | None = None) -> None:
        """Draw the board over the whole surface."""
        if not self._only_tiles:
            self._quiet = 0.0
        self._only_tiles = False
        if not self._shown_once:
            self._shown_once = True
            self.camera.arrive()  # a scene opens where it matters, it doesn't travel there
        self._draw_table(surface)
        self.ground.draw(surface, self.camera)
        self.camera.unsettled = self.ground.pending
        if self.board is None:
            return
        window = surface.get_clip()
        if self.field.maps:  # nothing of another map of the place is to be seen, only what hangs over the end of this
            zoom, there = self.camera.zoom, self.camera.whole.inflate(0, GAP)
            top = self.camera.to_screen(0, there.top)[1]
            surface.set_clip(pygame.Rect(0, top, surface.get_width(), there.height * zoom).clip(window))
        self._draw_on_ground(surface, self.board, overlays or Overlays())
        surface.set_clip(window)

    def _draw_on_ground(self, surface: pygame.Surface, board: Board, marks: Overlays) -> None:
        """Everything that is no ground."""
        self._draw_door(surface)
        if self.field.stairs:
            known = self.ground.veil.seen
            draw_crossings(surface, self.camera, self.field, known)
        if board.ground:
            draw_ground_marks(surface, self.camera, board, self.ground.roofs.closed)
        held = list(chests(self.field, board, self._drawn_at, self.ground.roofs.closed))
        draw_chests(surface, self.camera, held)
        self._draw_floor_items(surface, board, {each.cell for each in held if each.stands == OPEN})
        if self.on_floor is not None:
            self.on_floor(surface)
        draw_overlays(surface, self.camera, marks, board)
        plans = board.plans and not self.animator.busy
        if plans:
            draw_ways(surface, self.camera, board)
        if marks.facing is not None:
            for mini in board.miniatures:
                if mini.id == marks.facing[0]:
                    draw_facing(surface, self.camera, mini, marks.facing[1], marks.struck)
        self._draw_miniatures(surface, board)
        if plans:
            draw_aims(surface, self.camera, board)
        draw_overlays_above(surface, self.camera, marks, board, self.scale)
        if plans:
            draw_words(surface, self.camera, board, self.scale)
        draw_pins(surface, self.camera, marks.pins, marks.hover)
        if marks.legend:
            draw_legend(surface, self.camera, board, self.ground.plan, scale=self.scale, known=self.ground.veil.known)
        self.animator.draw(surface, self.camera, self.scale)

    def _draw_table(self, surface: pygame.Surface) -> None:
        """What lies around the map: the dark, and a frame where the map ends; in fog nothing tells where that is."""
        camera = self.camera
        if self.ground.veil.sight is not None:
            surface.fill(UNKNOWN)
            return
        there, zoom = camera.whole, camera.zoom
        whole = pygame.Rect(camera.to_screen(*there.topleft), (there.width * zoom, there.height * zoom))
        if whole.contains(surface.get_rect()):
            return
        surface.fill(VOID)
        line = max(2, camera.zoom // 24)
        pygame.draw.rect(surface, INK, whole.inflate(8 * line, 8 * line), 0, 3 * line)
        pygame.draw.rect(surface, HAIRLINE, whole.inflate(2 * line, 2 * line), line)

    def _draw_door(self, surface: pygame.Surface) -> None:
        """The leaf of the door that swings."""
        now = self.animator.swinging
        door = next((d for d in self.field.doors if now is not None and d.id == now[0]), None)
        if now is None or door is None or self.ground.roofs.closed(door.cell):
            return
        state = self._door_state(door.id)
        if state in (OPENING, CLOSING):
            share = now[1] if state == OPENING else 1 - now[1]
            draw_leaf(surface, self.camera, self.ground.plan, self.ground.lights, door=door, share=share)

    def _drawn_at(self, cell: Cell) -> Iterator[str]:
        """The things that the map has drawn on a space."""
        return (prop.name for prop in self.ground.plan.props.get(cell, ()))

    def _draw_floor_items(self, surface: pygame.Surface, board: Board, held: Collection[Cell]) -> None:
        """What was dropped lies small in a corner of its space, so that who stands there doesn't hide it; not what is
        seen in something open, on the spaces `held`."""
        size = max(8, self.camera.zoom * 9 // 16)
        picture = groundtiles.prop("dropped_weapon", size)
        window = surface.get_rect()
        for cell in sorted({item.cell for item in board.floor}.difference(held)):
            rect = self.camera.space_rect(cell)
            if picture is not None and window.colliderect(rect) and not self.ground.roofs.closed(cell):
                surface.blit(picture, (rect.right - size, rect.bottom - size))

    def _draw_miniatures(self, surface: pygame.Surface, board: Board) -> None:
        window = surface.get_rect()
        crowded = _crowded(board)
        drawn: list[tuple[Miniature, pygame.Rect]] = []
        for mini in sorted(self._there(board), key=lambda m: (not m.out, m.cell)):
            rect = self.animator.place(mini, self.camera) or self.camera.space_rect(mini.cell, mini.size)
            if mini.id in crowded:
                rect = _corner(rect, crowded[mini.id])
            if window.colliderect(rect.inflate(self.camera.zoom, self.camera.zoom)):
                drawn.append((self._shown(mini), rect))
                minis.draw_miniature(surface, drawn[-1][0], rect, phase=self.phase)
        standing = {space for mini, _ in drawn if not mini.out for space in self._spaces(mini)}
        below: dict[int, int] = {}
        for mini, rect in drawn:  # above them all: who lies among others shows who it is and what ails them, too
            hidden = mini.out and not standing.isdisjoint(self._spaces(mini))
            if hidden and mini.size == 1:
                minis.draw_beneath(surface, mini, rect, below.get(mini.cell, 0))
                below[mini.cell] = below.get(mini.cell, 0) + 1
            minis.draw_badges(surface, mini, rect, left=hidden)

    def _spaces(self, mini: Miniature) -> list[int]:
        """The spaces that a miniature covers."""
        across = range(mini.size)
        return [mini.cell + down * self.field.width + right for down in across for right in across]

    def _there(self, board: Board) -> list[Miniature]:
        """Whose miniatures stand on the board, or on their way onto it or from it while events are shown."""
        if not self.animator.busy:
            return list(board.miniatures)
        there = [m for m in board.miniatures if m.id in self._before or self.animator.knows(m.id)]
        return there + [m for m in self._gone if self.animator.knows(m.id)]

    def _shown(self, mini: Miniature) -> Miniature:
        """The miniature as far as the events have been played: nobody falls before the blow lands."""
        earlier = self._before.get(mini.id)
        if not self.animator.busy or earlier is None:
            return mini
        health = msgspec.structs.replace(mini.health, value=self.animator.health_shown(mini))
        known = mini if self.animator.told(mini) else earlier
        return msgspec.structs.replace(known, health=health, active=earlier.active)


def _crowded(board: Board) -> dict[str, int]:
    """Who shares a space with another that still stands -> its place there, 0 or 1."""
    spaces: dict[int, list[str]] = {}
    for mini in board.miniatures:
        if not mini.out and mini.size == 1:
            spaces.setdefault(mini.cell, []).append(mini.id)
    return {name: i for names in spaces.values() if len(names) > 1 for i, name in enumerate(names)}


def _corner(rect: pygame.Rect, place: int) -> pygame.Rect:
    """Two at hand-to-hand stand smaller, in opposite corners of their space."""
    size = rect.width * 5 // 8
    aside = 0 if place == 0 else rect.width - size
    return pygame.Rect(rect.left + aside, rect.top + aside, size, size)

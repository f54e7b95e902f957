"""The ground of a place of several maps: each looks as it does by itself, and the camera shows one of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import pygame

from game.fight.history import Sight
from game.maps.mapdata import LoadedMap
from game.view.camera import Camera
from game.view.ground.lights import Glow, Veil
from game.view.ground.picture import GroundPicture
from game.view.ground.tiles import GroundPlan
from game.view.ground.walls import is_open
from rules.board.grid import Field, Terrain
from rules.board.sheet import Cut
from rules.contract.units import Cell


class _Window(NamedTuple):
    """What the camera shows of one map, in that map's own columns and rows."""

    zoom: int
    origin: tuple[int, int]
    columns: range
    rows: range

    def seen(self) -> tuple[range, range]:
        """The columns and rows that the window shows."""
        return self.columns, self.rows


class PlaceGround:
    """Draws the map of a place that the camera shows; to whoever asks it speaks in spaces of the whole place.

    Each map has a picture of its own, made when it is first shown: what is drawn depends on where a space lies on its
    map and where that ends. Pictures of maps that nobody has looked at for a while are forgotten.
    """

    def __init__(self, field: Field, loaded: LoadedMap | None, camera: Camera) -> None:
        self.plan = GroundPlan(field, loaded)
        self.field, self.loaded, self.camera = field, loaded, camera
        self.doors = tuple(door.state for door in field.doors)
        self.veil = Veil(self.plan)
        """Of the whole place: only asked for what is known, never drawn."""
        self.roofs = PlaceRoofs(self)
        self._cuts = tuple(Cut(field, part) for part in field.maps)
        self.lit = True
        """Whether light and dark lie over it (GroundPicture)."""
        self._pictures: dict[int, GroundPicture] = {}
        self._shown = -1
        self._before = -1

    @property
    def cut(self) -> Cut:
        """The map that the camera shows."""
        return self._cuts[self.camera.level]

    @property
    def here(self) -> GroundPicture:
        """The picture of the map that the camera shows, as things stand there."""
        level = self.camera.level
        if level == self._shown:
            return self._pictures[level]
        if level not in self._pictures:
            loaded = self.loaded.levels[level] if self.loaded is not None else None
            self._pictures[level] = GroundPicture(self._cuts[level].field, loaded, lit=self.lit)
        for other, picture in self._pictures.items():
            if other not in (level, self._shown):
                picture.forget()
        self._before, self._shown = self._shown, level
        self._take_in()
        self._pictures[level].roofs.settle()
        return self._pictures[level]

    def _take_in(self) -> None:
        """Tell the picture that is shown what the others were not told."""
        picture, cut = self._pictures[self._shown], self._cuts[self._shown]
        picture.set_doors(tuple(self.doors[number] for number in cut.doors))
        sight = self.veil.sight
        picture.see(None if sight is None else Sight(cut.board(sight.now), cut.board(sight.ever)))
        own = [glow for glow in self.veil.glows if cut.part.has_row(glow.cell // self.field.width)]
        picture.shine(tuple(glow._replace(cell=cut.cell(glow.cell), cells=cut.board(glow.cells)) for glow in own))
        self.roofs.tell()

    # -- what is shown

    def set_doors(self, states: tuple[str, ...]) -> None:
        """Take in how the doors stand."""
        if states != self.doors:
            self.doors = states
            cut = self.cut
            self.here.set_doors(tuple(states[number] for number in cut.doors))

    def see(self, sight: Sight | None) -> None:
        """Show the ground as somebody knows it (None: all of it)."""
        old, self.veil.sight = self.veil.sight, sight
        if old is not None and sight is not None and old.ever & ~sight.ever:
            for picture in self._pictures.values():  # somebody else looks, and may turn to any map
                picture.forget()
        cut = self.cut
        self.here.see(None if sight is None else Sight(cut.board(sight.now), cut.board(sight.ever)))

    def shine(self, glows: tuple[Glow, ...]) -> None:
        """Show the lights that are carried."""
        self.veil.glows = glows
        _ = self.here
        self._take_in()

    def take_over(self, old: GroundPicture | PlaceGround) -> None:
        """This place is that of `old` but for some spaces, as somebody draws on it (GroundPicture.take_over)."""
        if not isinstance(old, PlaceGround) or len(old._cuts) != len(self._cuts):
            return
        for level, before in old._pictures.items():
            loaded = self.loaded.levels[level] if self.loaded is not None else None
            self._pictures[level] = GroundPicture(self._cuts[level].field, loaded)
            self._pictures[level].take_over(before)

    def forget(self) -> None:
        """Somebody else looks: what was drawn stands in for nothing."""
        for picture in self._pictures.values():
            picture.forget()

    def terrain(self) -> Terrain:
        """The ground of the whole place as the doors that are shown leave it."""
        return self.field.terrain(sum(1 << i for i, state in enumerate(self.doors) if is_open(state)))

    # -- what moves

    def animate(self, seconds: float | None) -> bool:
        """Let time pass for animated tiles; whether anything must be drawn again."""
        return self.here.animate(seconds)

    @property
    def next_frame(self) -> float | None:
        """Seconds until an animated tile in the window changes; None if there is none."""
        return self.here.next_frame

    @property
    def pending(self) -> bool:
        """Some pieces are stand-ins: draw again soon."""
        return self.here.pending

    # -- drawing

    def draw(self, surface: pygame.Surface, camera: Camera) -> None:
        """Draw what the camera shows."""
        columns, rows = camera.seen()
        (x, y), top = camera.origin, self.cut.part.top
        own = range(rows.start - top, rows.stop - top)
        self.here.draw(surface, _Window(camera.zoom, (x, y + top * camera.zoom), columns, own))

    def tone(self, picture: pygame.Surface, column: float, row: float) -> None:
        """Light something small that moves by what falls on one place."""
        self.here.lights.tone(picture, column, row - self.cut.part.top)

    @property
    def lights(self) -> PlaceGround:
        """Whatever lights small things: see `tone`."""
        return self


class PlaceRoofs:
    """The roofs of the map that is shown, asked in spaces of the whole place."""

    def __init__(self, ground: PlaceGround) -> None:
        self._ground = ground
        self._stood: tuple[Cell, ...] = ()

    @property
    def over(self) -> dict[int, int]:
        """The spaces under roofs of the map that is shown, in its own count."""
        return self._ground.here.roofs.over

    def stand(self, cells: Iterable[Cell]) -> None:
        """Somebody who is shown stands on these spaces, and nobody anywhere else."""
        self._stood = tuple(cells)
        self.tell()

    def tell(self) -> None:
        """Tell the map that is shown who stands there."""
        ground = self._ground
        cut, width = ground.cut, ground.field.width
        ground.here.roofs.stand([cut.cell(cell) for cell in self._stood if cut.part.has_row(cell // width)])

    def settle(self) -> bool:
        """At once as it should be; whether that changed anything."""
        return self._ground.here.roofs.settle()

    def update(self, seconds: float) -> bool:
        """Let time pass; whether a roof looks otherwise now."""
        return self._ground.here.roofs.update(seconds)

    @property
    def moving(self) -> bool:
        """Whether any is on its way."""
        return self._ground.here.roofs.moving

    def closed(self, cell: Cell) -> bool:
        """Whether a space is hidden by its roof; those of other maps are not shown at all."""
        cut = self._ground.cut
        return cut.part.has_row(cell // self._ground.field.width) and self._ground.here.roofs.closed(cut.cell(cell))

"""A hand that draws the ground in the real window, by posted events."""

from __future__ import annotations

from pathlib import Path

import pygame

from game.app.loop import App
from game.app.settings import Settings
from game.content import encounter
from game.maps.editing.document import Document
from game.scenes.ground.model import Model
from game.scenes.ground.scene import GroundScene
from game.scenes.setup import Setup
from game.setup import files
from tests.game.player import Player

CTRL, SHIFT, ALT = pygame.KMOD_LCTRL, pygame.KMOD_LSHIFT, pygame.KMOD_LALT
Spot = tuple[int, int]


class Drawer(Player):
    """A player in the window in which the ground is drawn."""

    @property
    def scene(self) -> GroundScene:
        return next(scene for scene in reversed(self.app.scenes) if isinstance(scene, GroundScene))

    @property
    def table(self) -> Setup:
        return next(scene for scene in reversed(self.app.scenes) if isinstance(scene, Setup))

    @property
    def model(self) -> Model:
        return self.scene.model

    @property
    def document(self) -> Document:
        return self.model.document

    def turn(self, turns: int = 2, dt: float = 0.3) -> None:
        """Whatever was done is drawn, too."""
        super().turn(turns, dt)
        if self.app.top.dirty:
            self.app.draw()

    def pixel(self, spot: Spot) -> tuple[int, int]:
        """The middle of a space of the map that is shown; it is brought into the free part."""
        camera, on_board = self.table.camera, self.model.on_board(spot)
        if not camera.free.inflate(-20, -20).collidepoint(camera.space_rect(on_board).center):
            camera.centre(on_board)
            camera.arrive()
        return camera.space_rect(on_board).center

    def corner(self, spot: Spot) -> tuple[int, int]:
        """The upper left corner of a space."""
        self.pixel(spot)
        return self.table.camera.space_rect(self.model.on_board(spot)).topleft

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """From one pixel to another with the button held."""
        self.move(start)
        self.button(start, down=True)
        self.move(((start[0] + end[0]) // 2, (start[1] + end[1]) // 2))
        self.move(end)
        self.button(end, down=False)

    def span(self, start: Spot, end: Spot) -> None:
        """From one space to another; both must fit the window."""
        middle = (start[0] + end[0]) // 2, (start[1] + end[1]) // 2
        self.table.camera.centre(self.model.on_board(middle))
        self.table.camera.arrive()
        a, b = (self.table.camera.space_rect(self.model.on_board(spot)).center for spot in (start, end))
        self.drag(a, b)

    def kind_at(self, spot: Spot) -> str:
        """The material of a space, as the game reads the map."""
        loaded = self.document.read()
        return loaded.materials[loaded.field.cell(*spot)]

    def took(self, name: str) -> None:
        """A material is clicked in the palette."""
        self.press(f"material-{name}")
        assert self.model.kind.name == name


def map_called(name: str) -> Path:
    return next(path for path in encounter.playable_maps() if path.stem == name)


def drawer(name: str = "tavern", size: tuple[int, int] = (1280, 720), ruleset: str = "olde") -> Drawer:
    """At the table of a new encounter on a map, its ground being drawn."""
    app = App(size, settings=Settings(speed=0, autosave=False, live_forecast=False))
    app.navigator.title()
    app.push(Setup(app, files.new_draft(map_called(name), ruleset, 7)[0]))
    player = Drawer(app)
    player.key(pygame.K_m, CTRL)
    assert isinstance(app.top, GroundScene)
    player.turn()
    return player

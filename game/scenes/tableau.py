"""A small lit table as part of a page: some ground, who stands there, and what is marked around them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Mapping
from functools import lru_cache, partial
from typing import Any, NamedTuple

import msgspec
import pygame

from game.content import tables as content
from game.controllers.ai.advisors import advisor_of
from game.view.boardview import BoardView
from game.view.camera import MOST_ZOOM, Camera
from game.view.ground.picture import GroundPicture
from game.view.ground.tiles import prop
from game.view.overlays import Overlays
from game.view.palette import side_colour
from game.widgets.core import Tip, Widget
from game.widgets.theme import Look
from rules.board.bitboard import cells_of
from rules.board.grid import Field, Light
from rules.contract.display import Bar, Board
from rules.contract.errors import BattlematError
from rules.contract.scenario import Scenario
from rules.core.registry import ruleset as ruleset_of

KEPT = 12
"""Pictures that are remembered."""
LEAST_SPACE, MOST_SPACE = 22, 64
"""Pixels (at 100 %) of a space at least and at most."""


class Setting(NamedTuple):
    """What stands on the table. `key` tells it from every other; `across`, `down`: so many spaces should be seen."""

    key: Hashable
    field: Field
    board: Board
    marks: Overlays
    centre: tuple[float, float]
    across: int
    down: int
    ambient: str = "bright"
    things: tuple[tuple[str, tuple[int, int]], ...] = ()
    """Things on the floor (drawings of assets/art/props) with the spaces where they lie."""


ROOM = (31, 21)
"""Spaces of bare ground around somebody who is looked at."""
UNSEEN = frozenset(("template", "hp", "mana", "faith", "conditions", "hidden"))
"""Fields of a stat block that say how somebody is just now."""
AWAY = 4
"""Spaces around somebody that are seen at most."""


@lru_cache(maxsize=1)
def _floor() -> Field:
    wide, high = ROOM
    middle = (high // 2 - 1) * wide + wide // 2
    return Field.from_rows(["." * wide] * high, lights=(Light(middle, 3, 6),))


_alone: OrderedDict[Hashable, Setting | None] = OrderedDict()


def alone(ruleset_id: str, entry: Mapping[str, Any], side: str, key: Hashable) -> Setting | None:
    """Somebody alone on bare ground, whole and rested: what it covers, its free steps, what it strikes from there.

    `key` tells this stat block from every other. None for one that the rules refuse.
    """
    if key not in _alone:
        _alone[key] = _stood(ruleset_id, entry, side, key)
        while len(_alone) > KEPT:
            _alone.popitem(last=False)
    return _alone[key]


def _stood(ruleset_id: str, entry: Mapping[str, Any], side: str, key: Hashable) -> Setting | None:
    wide, high = ROOM
    spot = (wide // 2, high // 2)
    rules, name, field = ruleset_of(ruleset_id), f"{side}.1", _floor()
    kept = {k: v for k, v in entry.items() if k not in UNSEEN}
    creatures = tuple(
        {**kept, "id": f"{each}.1", "side": each, "at": list(at), "controller": "ai"}
        for each, at in ((side, spot), ("nobody", (0, 0)))  # alone, its fight would be over
    )
    scenario = Scenario(ruleset_id, field, creatures, 1, None, {}, content.tables(ruleset_id))
    try:
        state = rules.start(scenario).state
        board = rules.board(state)
        mini = next(mini for mini in board.miniatures if mini.id == name)
        terrain, near = rules.terrain(state), 0
        for cell, cost in advisor_of(rules).spots(state, name).items():
            near |= 0 if cost else terrain.footprint(cell, mini.size)
        near &= ~terrain.footprint(mini.cell, mini.size)
        marks = Overlays(free=frozenset(cells_of(near)), reach=advisor_of(rules).reaches(state, name, mini.cell))
    except (BattlematError, StopIteration):
        return None
    seen = cells_of(near | marks.reach | 1 << mini.cell)
    middle = mini.size / 2
    far = max(max(abs(x - spot[0]), abs(y - spot[1])) for x, y in map(field.at, seen))
    span = mini.size + 2 * min(AWAY, far) + 1
    mini = msgspec.structs.replace(mini, points=Bar(mini.points.label, 0, 0, "points"), active=False)
    board = msgspec.structs.replace(board, miniatures=(mini,), order=())
    return Setting(
        key, field, board, marks, centre=(spot[0] + middle, spot[1] + middle), across=span, down=span, ambient="dark"
    )


_pictures: OrderedDict[Hashable, pygame.Surface] = OrderedDict()


class Tableau(Widget):
    """Fills whatever room is left, in width and height; with less than `least` pixels (at 100 %) it is not there."""

    def __init__(self, setting: Setting, *, least: float = 120, asks: float = 0, tip: Tip | None = None) -> None:
        super().__init__(tip=tip)
        self.setting, self.least, self.asks = setting, least, asks
        """`asks`: the height that it would have in any case."""
        self.grow = 1

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (width, look.px(self.asks))

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        if self.rect.height < look.px(self.least):
            return
        key = (self.setting.key, self.rect.size, side_colour("heroes"), side_colour("monsters"), look.scale)
        picture = _pictures.get(key)
        if picture is None:
            picture = _pictures[key] = self._picture(look)
            while len(_pictures) > KEPT:
                _pictures.popitem(last=False)
        _pictures.move_to_end(key)
        surface.blit(picture, self.rect)

    def _picture(self, look: Look) -> pygame.Surface:
        size, setting = self.rect.size, self.setting
        camera = Camera(setting.field, size)
        fitting = min(size[0] // setting.across, size[1] // setting.down)
        zoom = max(look.px(LEAST_SPACE), min(look.px(MOST_SPACE), fitting))
        camera.set_zoom(min(MOST_ZOOM, zoom))
        column, row = setting.centre
        left, top = camera.to_screen(column, row)
        camera.pan(size[0] // 2 - left, size[1] // 2 - top)
        view = BoardView(setting.field, None, camera)
        view.ground = _ground(setting)
        view.set_board(setting.board)
        view.on_floor = partial(_lay, setting, camera)
        picture = pygame.Surface(size)
        while True:  # ground is drawn in pieces, as far as the time of a frame goes
            view.draw(picture, setting.marks)
            if not view.ground.pending:
                break
        return _rounded(picture, look)


_grounds: dict[tuple[int, str], GroundPicture] = {}


def _ground(setting: Setting) -> GroundPicture:
    """The floor, painted once for every size of its spaces; fields here are few and live as long as the program."""
    key = (id(setting.field), setting.ambient)
    if key not in _grounds:
        _grounds[key] = GroundPicture(setting.field, None)
        _grounds[key].plan.ambient = setting.ambient
    return _grounds[key]


def _lay(setting: Setting, camera: Camera, surface: pygame.Surface) -> None:
    for name, spot in setting.things:
        rect = camera.space_rect(spot)
        if (thing := prop(name, rect.width)) is not None:
            surface.blit(thing, rect)


def _rounded(picture: pygame.Surface, look: Look) -> pygame.Surface:
    """With the corners of a panel, and its hairline."""
    box, radius = picture.get_rect(), look.length("radius")
    shaped = picture.convert_alpha()
    mask = pygame.Surface(box.size, pygame.SRCALPHA)
    pygame.draw.rect(mask, (255, 255, 255, 255), box, 0, radius)
    shaped.blit(mask, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
    pygame.draw.rect(shaped, look.colour("hairline"), box, look.px(1), radius)
    return shaped

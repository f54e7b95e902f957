"""The title: big quiet type over one lit table."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pygame

from game import __version__
from game.app.sounds import Backdrop
from game.content import tables as content
from game.paths import asset
from game.scenes.base import Scene, Shell
from game.scenes.dialogs.help import Help
from game.storage import recovery
from game.storage.evenings import Evening
from game.view.boardview import BoardView
from game.view.camera import MOST_ZOOM, Camera
from game.view.ground.picture import GroundPicture
from game.view.ground.tiles import prop
from game.view.overlays import Overlays
from game.view.palette import side_colour
from game.widgets.controls import Button, Label
from game.widgets.core import Tip, Widget, column, row
from game.widgets.text import Run
from game.widgets.theme import Look
from rules.board.bitboard import cells_of
from rules.board.grid import Field, Light
from rules.contract.display import Bar, Board
from rules.contract.errors import BattlematError
from rules.contract.ruleset import Scenario
from rules.contract.text import joined, text
from rules.contract.units import EMPTY, Cell
from rules.core.registry import ruleset as ruleset_of

KEPT = 12
"""Pictures that are remembered."""
LONGEST = 32
"""Characters of a title on a button."""
LEAST_SPACE, MOST_SPACE = 22, 64
"""Pixels (at 100 %) of a space at least and at most."""


def shortened(title: str) -> str:
    """A title with room on a button."""
    return title if len(title) <= LONGEST else f"{title[: LONGEST - 1]}…"


def back_label(place: str) -> str:
    """The button that leads into a place again."""
    return text("Back to {place}", shortened(place))


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
UNSEEN = frozenset(("template", "hp", "mana", "faith", "conditions", "hidden", "wounds", "points", "prayed"))
"""Fields of a stat block that say how somebody is just now."""
AWAY = 4
"""Spaces around somebody that are seen at most."""


@lru_cache(maxsize=1)
def _floor() -> Field:
    wide, high = ROOM
    middle = (high // 2 - 1) * wide + wide // 2
    return Field.from_rows(["." * wide] * high, lights=(Light(Cell(middle), 3, 6),))


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
    from game.controllers.ai.advisors import advisor_of  # late: the title shows nobody, and starts sooner without

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
        terrain, near = rules.terrain(state), EMPTY
        for cell, cost in advisor_of(rules).spots(state, name).items():
            near |= EMPTY if cost else terrain.footprint(cell, mini.size)
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


@lru_cache(maxsize=4)
def ornament(width: int) -> pygame.Surface | None:
    """The title's picture at a width in pixels; None if it is missing."""
    path = asset("art", "title.svg")
    if not path.is_file():
        return None
    return pygame.image.load_sized_svg(str(path), (width, round(width * 420 / 1280))).convert_alpha()


class Title(Scene):
    """New fight, surprise me, continue, load, settings, quit."""

    name = "title"
    _stage = pygame.Rect(0, 0, 1, 1)
    """Where the picture may be: between the heading and the menu."""

    def build(self) -> None:
        look, (wide, high) = self.app.look, self.size
        title = Label("Battlemat", "title", "bright", centred=True)
        motto = Label("Miniatures on a grid, real rules, and foes that think", "label", "quiet", centred=True)
        heading = column(title, motto, gap=0)
        heading_end = self.place(heading, 0, round(high * 0.05) if high > look.px(520) else look.px(6), wide).bottom
        menu = column(*self._rows(), gap=12, align="centre")
        width, room = menu.measure(look, wide)
        top = min(high - room - look.px(44), round(high * 0.745))
        place = pygame.Rect((wide - width) // 2, top, width, room)
        self.ui.add(menu, place)
        if self.ui.focus is None and not self.ui.remembers:
            self.ui.focus_first(menu)
        self._stage = pygame.Rect(0, heading_end, wide, max(1, self._offer(place) - heading_end))
        keys = self.app.keys
        told = "Version {version} · {keys} help · {keys2} full screen · {keys3} silence"
        if not self.app.settings.sound:
            told = "Version {version} · {keys} help · {keys2} full screen · {keys3} sound"
        shown = (keys.shown(name) for name in ("help", "fullscreen", "sound"))
        foot = Label(text(told, __version__, *shown), "small", "faint")
        size = foot.measure(look, wide)
        self.ui.add(foot, pygame.Rect(look.px(14), high - size[1] - look.px(10), *size))

    def _offer(self, menu: pygame.Rect) -> int:
        """On the first starts: what a new player could do, over the menu and out of its way; where all of it begins."""
        look, app = self.app.look, self.app
        if not app.settings.offer_lesson:
            return menu.top
        told = [Run("New here? ", "gold", "text!"), Run("The first fight shows you how, while you play it.", "text")]
        box = row(
            Label(told),
            Button("Show me", lambda: app.navigator.first_fight(), key="show me", slim=True),
            Button("Not again", self._never, key="not again", slim=True, quiet=True,
                   tip=Tip("Do not offer this any more. “First fight” stays in the menu.")),
            gap=10, pad=9, plate="panel", edge="gold",
        )  # fmt: skip
        width, high = box.measure(look, self.size[0] - look.px(24))
        left = max(look.px(12), (self.size[0] - width) // 2)
        top = menu.top - high - look.px(16)
        self.ui.add(box, pygame.Rect(left, top, width, high))
        return top - look.px(8)

    def _never(self) -> None:
        self.app.settings.offer_lesson = False
        self.app.save_settings()
        self.ui.set_focus(None)
        self.rebuild()

    def _rows(self) -> list[Widget]:
        app, go = self.app, self.app.navigator
        found, tight = recovery.left_off(), self.size[0] / app.look.scale < 800
        first = [
            Button("New fight", go.choose, gold=found is None, large=True),
            Button("Surprise me", go.surprise, large=True),
        ]
        if found is not None:
            first.insert(0, self._go_on(found))
        second = [
            Button("First fight", go.first_fight, quiet=True),
            Button("Heroes", go.workshop, quiet=True),
            Button("Bestiary", go.bestiary, quiet=True),
            Button("Prepare" if tight else "Prepare an encounter", go.prepare, quiet=True),
            Button("Load", go.load, quiet=True),
            Button("Settings", go.options, quiet=True),
            Button("Help", lambda: app.push(Help(app)), quiet=True, tip=Tip(app.keys.shown("help"))),
            Button("Quit", app.quit, quiet=True),
        ]
        return [row(*first, gap=12, wrap=tight), row(*second, gap=0 if tight else 12)]

    def _go_on(self, found: Evening) -> Button:
        """Takes up what was left: what it is, and how far it has come."""
        from game.storage.saves import when_told  # late: most starts have nothing to go on with

        title = shortened(found.title)
        label = text("Continue: {title}", title) if title else "Continue"
        where = [part for part in (found.level, found.caption) if part]
        told = joined(" · ", where) if found.path is not None else "was interrupted"
        tip = Tip(text("Left {when}.", when_told(found.when)))
        return Button(label, self.app.navigator.resume, cost=told, key="Continue", gold=True, large=True, tip=tip)

    def backdrop(self) -> Backdrop:
        return Backdrop(music="title")

    def sound_changed(self, told: str) -> None:
        self.rebuild()

    def commands(self) -> Mapping[str, Callable[[], object]]:
        return {"back": lambda: None}  # nothing to take back here; closing the window is a button

    def handle(self, event: pygame.event.Event) -> bool:
        steps = {pygame.K_UP: -1, pygame.K_LEFT: -1, pygame.K_DOWN: 1, pygame.K_RIGHT: 1}
        if event.type == pygame.KEYDOWN and event.key in steps:
            return self.ui.step(steps[event.key])
        if event.type == pygame.DROPFILE:
            from game.scenes.dialogs import packs  # late: most starts have nothing to do with them

            path = Path(event.file)
            if packs.is_pack(path):
                packs.add(self.app, path)
            else:
                self.app.navigator.open_dropped(path)
            return True
        return super().handle(event)

    def draw(self, surface: pygame.Surface) -> None:
        stage = self._stage
        picture = ornament(min(stage.width, round(surface.get_height() * 1.5), stage.height * 1280 // 400))
        if picture is not None:
            place = picture.get_rect(midbottom=(stage.centerx, stage.bottom))
            place.top = max(stage.top, min(place.top, round(surface.get_height() * 0.165)))
            surface.blit(picture, place)
        super().draw(surface)


def title(app: Shell) -> None:
    """Back to the title."""
    app.replace(Title(app))

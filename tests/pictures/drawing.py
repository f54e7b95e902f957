"""A picture: a window of its own, a record opened in it, and a hand that points at what is to be shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pygame

from game.app.loop import App
from game.app.settings import Settings
from game.app.start import open_scene
from game.fight.match import load_fight
from game.fight.viewing import views_of_file
from game.scenes.bestiary import Bestiary
from game.scenes.chronicle import ChronicleScene
from game.scenes.fight.scene import Fight
from game.scenes.forecast.scene import ForecastScene
from game.scenes.replay.scene import Replay
from game.widgets.figures import ReasonBar
from rules.contract.actions import Action
from tests.game.player import Player, cell_of, middle
from tests.pictures.playing import ATTACKS, RECORDS

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SIZE = (1280, 720)
LARGE = {"abbey": (1920, 1080)}
"""Sizes of windows that are larger than that."""
BATCHES = 80
"""So many batches of fights are played for the forecast."""
LOOKED_AT = 45
"""The command after which the replay is looked at."""


def _fight(player: Player, name: str) -> Fight:
    player.app.navigator.show(load_fight(RECORDS / f"{name}.json"))
    fight = player.app.top
    assert isinstance(fight, Fight)
    player.until(lambda: fight.plan is not None and not fight.behind)
    player.turn(20)
    return fight


def _aimed_at(fight: Fight) -> list[Action]:
    """The attacks on foes that whoever decides may make, those that name a foe."""
    assert fight.plan is not None
    return [action for action in fight.plan.legal if action.do in ATTACKS and action.target is not None]


def attack(player: Player, name: str) -> None:
    """The mouse on a foe in reach: the card with its odds."""
    fight = _fight(player, name)
    player.move(middle(fight, cell_of(fight, str(_aimed_at(fight)[0].target))))


def plans(player: Player, name: str) -> None:
    """Everybody's plans on the board."""
    _fight(player, name)


def sneaking(player: Player, name: str) -> None:
    """The mouse on a space some steps on: the chance to be noticed there."""
    fight = _fight(player, name)
    player.press("Sneak")
    assert fight.plan is not None
    ways = fight.plan.legal.moves("sneak")
    player.move(middle(fight, max(ways, key=lambda cell: len(ways[cell].path))))


def marching(player: Player, name: str) -> None:
    """An expedition: the mouse on a far space, with the way of the whole party."""
    fight = _fight(player, name)
    assert fight.plan is not None
    ways = fight.plan.legal.moves("walk")
    seen = [cell for cell in ways if fight.camera.free.collidepoint(middle(fight, cell))]  # no panel lies over it
    player.move(middle(fight, max(seen, key=lambda cell: len(ways[cell].path))))


def told(player: Player, name: str) -> None:
    """The same expedition as a tale, with its first picture."""
    match = load_fight(RECORDS / "abbey.json")
    player.app.push(ChronicleScene(player.app, match, views_of_file(match)))
    player.turn(20)


def replay(player: Player, name: str) -> None:
    """The line of time with its blows, the end of the fight shown."""
    player.app.navigator.watch(RECORDS / f"{name}.json")
    scene = player.app.top
    assert isinstance(scene, Replay)
    scene.go(LOOKED_AT)


def why(player: Player, name: str) -> None:
    """What the computer weighed when it acted last."""
    replay(player, "replay")
    scene = player.app.top
    assert isinstance(scene, Replay)
    scene.why()
    while sum(1 for panel in player.app.top.ui.live() for widget in panel.walk() if isinstance(widget, ReasonBar)) < 8:
        player.press("Earlier")


def forecast(player: Player, name: str) -> None:
    """An encounter forecast from its start, with two changes compared."""
    open_scene(player.app, "forecast", RECORDS / "crypt.json")
    player.press("From the start")
    for change in ("One more giant rat", "One more skeleton"):
        player.press(change)
    scene = player.app.top
    assert isinstance(scene, ForecastScene)
    scene.session.play_now(BATCHES)
    player.turn(10)


def bestiary(player: Player, name: str) -> None:
    """A page of the bestiary, as soon as it is known how the party would fare."""
    open_scene(player.app, "bestiary", None)
    player.press("creature ember_dragon")
    page = player.app.top
    assert isinstance(page, Bestiary)
    player.until(lambda: page.glance.forecast is not None and page.glance.forecast.runs >= 60, 60)


PICTURES: dict[str, Callable[[Player, str], None]] = {
    "board": attack, "tavern": attack, "crypt": attack, "goblin_warren": attack, "ruined_bridge": attack,
    "old_sluice": attack, "cairn": plans, "countup": attack, "exploration": sneaking, "replay": replay, "why": why,
    "abbey": marching, "chronicle": told, "forecast": forecast, "bestiary": bestiary,
}  # fmt: skip
"""Name of the file in docs/pictures -> how it is taken."""


UNTOUCHED = ("why", "forecast", "bestiary", "chronicle")
"""Where the mouse would only cover something."""


def drawn(name: str) -> pygame.Surface:
    """The window as the picture shows it."""
    size = LARGE.get(name, SIZE)
    app = App(size, settings=Settings(speed=0, end_by_itself=False))
    player = Player(app)
    PICTURES[name](player, name)
    if name in UNTOUCHED:
        player.move((size[0] // 2, size[1] - 2))
    player.turn(20, 0.1)
    app.draw()
    view = getattr(app.top, "view", None)
    while view is not None and view.ground.pending:
        app.draw()
    taken = app.surface.copy()
    app.scenes.clear()
    return taken

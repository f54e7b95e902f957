"""The game master's hand in the window: a key, a menu on what is pointed at, dialogs; the record, the log, and undo."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.content import tables as content
from game.scenes.dialogs.panels import ContextMenu
from game.scenes.fight.hand.reaching import why_not
from game.scenes.fight.panels.party import PORTRAIT
from game.scenes.fight.scene import Fight
from game.widgets.fields import NumberField
from game.widgets.menu import MenuLine
from rules.contract.units import Cell
from tests.game.player import Player, cell_of, commands, fight_of, middle

SHIFT = pygame.KMOD_CTRL | pygame.KMOD_SHIFT
ROWS = ["##########", "#........#", "#...+....#", "#...##...#", "#........#", "##########"]
RULESETS = ("olde", "cairn", "countup")
EVERY = pytest.mark.parametrize("ruleset", RULESETS)


def table(ruleset: str, **more: Any) -> dict[str, Any]:
    """A hero and two goblins, with a door between them."""
    hero = next(iter(content.heroes(ruleset)))
    return {
        "format": "battlemat/1", "ruleset": ruleset, "map": {"rows": ROWS}, "seed": 7,
        "creatures": [
            {"id": "ada", "template": hero, "side": "heroes", "at": [1, 1], "controller": "human", "name": "Ada"},
            {"id": "gob", "template": "goblin", "side": "monsters", "at": [7, 1], "controller": "human", "name": "Gob"},
            {"id": "gub", "template": "goblin", "side": "monsters", "at": [7, 4], "controller": "human", "name": "Gub"},
        ],
        "commands": [], **more,
    }  # fmt: skip


def seat(size: tuple[int, int] = (1280, 720)) -> Player:
    app = App(size, settings=Settings(speed=0, autosave=False))
    pygame.event.clear()
    app.navigator.title()
    return Player(app)


def lines(player: Player) -> dict[str, MenuLine]:
    assert isinstance(player.app.top, ContextMenu), "no menu is open"
    return {w.line.key or w.label: w for panel in player.app.top.ui.live() for w in panel.walk()
            if isinstance(w, MenuLine)}  # fmt: skip


def take(player: Player, *keys: str) -> None:
    for key in keys:
        widget = lines(player)[key]
        player.scroll_to(widget)
        player.click(widget.rect.center)


def reach(player: Player, fight: Fight, pos: tuple[int, int]) -> None:
    """The menu of the hand at a pixel, by its key."""
    player.move(pos)
    player.key(pygame.K_g, SHIFT, "")


def at(fight: Fight, column: int, row: int) -> tuple[int, int]:
    return middle(fight, fight.match.field.cell(column, row))


def last(fight: Fight) -> dict[str, Any]:
    return dict(commands(fight)[-1])


def told(fight: Fight) -> list[str]:
    return [str(fight.ruleset.tell(fight.match.state, event)) for event in fight.match.events]


@EVERY
def test_a_creature_is_put_elsewhere_and_it_is_told_as_the_game_masters(ruleset: str) -> None:
    player = seat()
    fight = fight_of(player, table(ruleset))
    reach(player, fight, middle(fight, cell_of(fight, "gob")))
    take(player, "put")
    player.click(at(fight, 8, 2))
    assert last(fight) == {"by": "game master", "do": "move", "target": "gob", "at": [8, 2]}
    assert fight.match.field.at(Cell(cell_of(fight, "gob"))) == (8, 2)
    assert "Game master: Gob is put on another space." in told(fight)


@pytest.mark.parametrize("ruleset", ["olde", "cairn"])  # Count-Up has a line of seconds instead
def test_whoever_is_pointed_at_in_the_order_of_play_is_reached_too(ruleset: str) -> None:
    player = seat()
    fight = fight_of(player, table(ruleset))
    chip = next(w for panel in fight.ui.live() for w in panel.walk() if w.key == f"{PORTRAIT}gob")
    reach(player, fight, chip.rect.center)
    take(player, "remove")
    assert last(fight)["target"] == "gob", last(fight)


@EVERY
def test_points_are_set_in_a_dialog(ruleset: str) -> None:
    player = seat()
    fight = fight_of(player, table(ruleset))
    reach(player, fight, middle(fight, cell_of(fight, "gob")))
    take(player, "points")
    field = next(w for p in player.app.top.ui.live() for w in p.walk() if isinstance(w, NumberField) and w.key == "hp")
    player.click((field.rect.left + 4, field.rect.centery))
    player.press("do")
    pool = fight.ruleset.hand.pools(fight.match.state, "gob")[0]
    assert last(fight)["do"] == "set" and last(fight)["rating"] == pool.now
    assert any(line.startswith("Game master: Gob, hp: ") for line in told(fight))


@EVERY
def test_a_creature_of_the_bestiary_comes_fights_and_is_taken_off_again(ruleset: str) -> None:
    player = seat()
    fight = fight_of(player, table(ruleset))
    reach(player, fight, at(fight, 2, 4))
    take(player, "add")
    player.press("add goblin")
    player.press("do")
    command = last(fight)
    assert command["do"] == "add" and command["creature"]["id"] == "goblin"
    assert any(mini.id == "goblin" for mini in fight.board.miniatures)
    player.until(lambda: fight.plan is not None or fight.over)
    reach(player, fight, middle(fight, cell_of(fight, "goblin")))
    take(player, "remove")
    assert last(fight)["do"] == "remove"
    assert all(mini.id != "goblin" or mini.cell < 0 for mini in fight.board.miniatures)


@EVERY
def test_a_condition_is_given_and_taken_by_the_same_line(ruleset: str) -> None:
    player = seat()
    fight = fight_of(player, table(ruleset))
    for deed in ("give", "take"):
        reach(player, fight, middle(fight, cell_of(fight, "gob")))
        take(player, "conditions", "prone")
        assert last(fight) == {"by": "game master", "do": deed, "target": "gob", "option": "prone"}


@EVERY
def test_what_was_done_is_taken_back_and_done_again(ruleset: str) -> None:
    player = seat()
    fight = fight_of(player, table(ruleset))
    before = fight.match.field.at(Cell(cell_of(fight, "gub")))
    fight.reaching.put("gub", fight.match.field.cell(8, 3))
    player.turn()
    fight.do("undo")
    player.turn()
    assert fight.match.field.at(Cell(cell_of(fight, "gub"))) == before and commands(fight) == []
    fight.do("redo")
    player.turn()
    assert fight.match.field.at(Cell(cell_of(fight, "gub"))) == (8, 3)


def test_a_note_lies_on_its_space_until_it_is_emptied() -> None:
    player = seat()
    fight = fight_of(player, table("olde"))
    reach(player, fight, at(fight, 3, 4))
    take(player, "note")
    for letter in "Bones":
        player.key(ord(letter.lower()), 0, letter)
    player.press("do")
    assert last(fight)["option"] == "Bones"
    pins = fight.ruleset.hand.kept(fight.match.state).notes
    assert [(fight.match.field.at(note.cell), note.words) for note in pins] == [((3, 4), "Bones")]


def test_hidden_dice_are_told_to_the_game_master_alone() -> None:
    player = seat()
    fight = fight_of(player, table("olde"))
    reach(player, fight, at(fight, 3, 4))
    take(player, "dice")
    player.press("do")
    event = next(event for event in fight.match.events if event.hand)
    assert event.seen_by == ("game master",)
    assert "2d6" in fight.toast_text


def test_a_door_is_opened_by_its_menu() -> None:
    player = seat()
    fight = fight_of(player, table("cairn"))
    reach(player, fight, at(fight, 4, 2))
    take(player, "door door 4,2", "open")
    assert last(fight) == {"by": "game master", "do": "door", "target": "door 4,2", "option": "open"}


def test_in_the_fog_whoever_reaches_in_opens_the_game_masters_view_first() -> None:
    player = seat()
    fight = fight_of(player, table("olde", options={"fog": True}))
    assert "view first" in why_not(fight)
    reach(player, fight, at(fight, 3, 4))
    assert player.app.top is fight and "view first" in fight.toast_text
    fight.do("see_all")
    player.turn()
    assert why_not(fight) == ""


def test_a_seat_with_secrets_to_keep_may_not_reach_in() -> None:
    seats = [{"name": "Ann", "plays": ["heroes"]}, {"name": "Ben", "colour": 1, "plays": ["monsters"]}]
    record = table("olde", options={"fog": True}, seats=seats)
    for creature in record["creatures"]:
        creature["controller"] = "human"
    player = seat()
    player.app.navigator.begin(record)
    player.turn(6)
    found = [scene for scene in player.app.scenes if isinstance(scene, Fight)] if hasattr(player.app, "scenes") else []
    for fight in found:
        assert "Only the seat" in why_not(fight)

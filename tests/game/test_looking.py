"""*Explore*: a room is looked over by one order, corner by corner, up to its doors, as far as the party knows it."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pygame
import pytest

from game.fight.match import Match
from game.fight.viewing import Eyes
from game.party.foresight import Foreseen
from game.party.looking import Looking, corners, dark_edge, dark_in, ground_of, nearest_dark, round_of
from game.party.orders import Halt
from game.party.table import Table
from game.scenes.fight.party import FIGHTING, IDLE, RUNNING
from game.scenes.fight.scene import Fight
from rules.board.bitboard import board_of, cells_of
from rules.contract.actions import Action
from rules.contract.units import EMPTY, Bitboard, Cell
from tests.game.hotseat_table import app_at, being
from tests.game.player import Player, commands, fight_of, middle
from tests.game.test_party_window import idle

ROWS = [
    "##########################",
    "#...........#............#",
    "#.#########.#.####.#####.#",
    "#.#       #.#.#  #.#   #.#",
    "#.#########.+.####.#####.#",
    "#...........#............#",
    "##########################",
]
"""A cloister of which nobody sees more than two sides at once, a door, and another."""
PARTY = ["ada", "bo"]


def evening(**more: Any) -> dict[str, Any]:
    heroes = [being(name.title(), "heroes", (1 + n, 1)) for n, name in enumerate(PARTY)]
    gob = being("Gob", "monsters", (20, 1), controller="ai", savvy=1, nerve=1)
    return {
        "format": "battlemat/1", "ruleset": "olde", "options": {"explore": True, "fog": True}, "map": {"rows": ROWS},
        "seed": 3, "creatures": [*heroes, gob], "commands": [], **more,
    }  # fmt: skip


def seen(match: Match) -> Table:
    eyes = Eyes(match, ("heroes",))
    ours = [decision for decision in match.decisions if decision.side == "heroes"]
    return Table(match.ruleset, eyes.state(), eyes.board(), eyes.known(), ours)


def test_what_is_dark_is_told_by_what_was_seen_alone() -> None:
    match = Match.from_record(evening())
    table = seen(match)
    edge = dark_edge(table)
    assert edge and not edge & ~table.known
    assert dark_edge(Table(match.ruleset, match.state, match.board(), ~EMPTY, match.decisions)) == EMPTY
    field = match.field
    known = table.known & ~(1 << field.cell(5, 0))  # a wall that nobody has seen may be ground for all that is known
    half = Table(match.ruleset, match.state, match.board(), known, match.decisions)
    assert dark_edge(half) >> field.cell(5, 1) & 1


def test_behind_a_thin_wall_nothing_is_dark() -> None:
    thin = {"rows": ["......"], "walls": [[[2, 0], [3, 0]]]}
    heroes = [being("Ada", "heroes", (0, 0)), being("Gob", "monsters", (5, 0), controller="ai")]
    match = Match.from_record(evening(map=thin, creatures=heroes, options={"explore": True}))
    table = Table(match.ruleset, match.state, match.board(), board_of(map(Cell, range(3))), match.decisions)
    assert dark_edge(table) == EMPTY
    open_ground = Table(match.ruleset, match.state, match.board(), board_of(map(Cell, range(2))), match.decisions)
    assert cells_of(dark_edge(open_ground)) == [1]


def test_a_room_ends_at_its_doors_open_or_not() -> None:
    match = Match.from_record(evening())
    table = Table(match.ruleset, match.state, match.board(), ~EMPTY, match.decisions)
    field = match.field
    ground = ground_of(table, field.cell(1, 1))
    assert ground >> field.cell(11, 5) & 1
    assert not ground >> field.cell(12, 4) & 1 and not ground >> field.cell(13, 4) & 1


def test_the_round_is_the_shortest() -> None:
    match = Match.from_record(evening())
    table = Table(match.ruleset, match.state, match.board(), ~EMPTY, match.decisions)
    field = match.field
    here = field.cell(5, 1)
    dark = board_of(field.cell(*at) for at in ((1, 5), (8, 1), (11, 5), (1, 2), (6, 5)))
    way, cost = round_of(table, here, dark)
    spots = corners(table, here, dark)

    def length(order: tuple[Cell, ...]) -> int:
        return sum(table.whole(a).cost(b) for a, b in zip((here, *order), order, strict=False))

    assert len(way) == 4 and set(way) == set(spots), "what lies close together is one corner"
    assert cost == length(tuple(way)) == min(length(order) for order in permutations(spots))


def test_one_order_looks_over_the_whole_room_and_leaves_its_doors_shut() -> None:
    match = Match.from_record(evening())
    order = Looking(PARTY, "walk", seen(match).minis["ada"].cell)
    done: list[Action] = []
    for _ in range(200):
        found = order.next(seen(match))
        if isinstance(found, Halt):
            break
        assert isinstance(found, Action)
        done.append(found)
        match.act(next(d for d in match.decisions if d.by == found.by), found)
    table = seen(match)
    assert {action.do for action in done} <= {"walk", "end"}
    assert dark_in(table, table.minis["ada"].cell) == EMPTY
    assert nearest_dark(table, table.minis["ada"].cell) is None, "the rest lies behind the door"
    assert dark_edge(table) >> match.field.cell(12, 4) & 1
    far = table.terrain.distance(table.minis["ada"].cell, table.minis["bo"].cell)
    assert far <= 2, "the others have closed up"


def walking(player: Player, record: dict[str, Any]) -> Fight:
    fight = fight_of(player, record)
    fight.marching.take_manner("walk")
    return fight


def test_explore_by_one_key_tells_its_time_before_and_is_taken_back_whole() -> None:
    player = app_at()
    fight = walking(player, evening())
    button = player.button_of("party_explore")
    assert button is not None and "about" in button.cost  # type: ignore[attr-defined]
    known = fight.eyes.known()
    player.key(pygame.K_e, pygame.KMOD_CTRL, text="")
    idle(player, fight)
    assert len(commands(fight)) > 4 and fight.eyes.known() != known
    assert isinstance(fight.marching.offered()["party_explore"], str), "there is nothing left to look over"
    assert fight.marching.within(1), "an order is taken back whole"


def test_an_order_that_ends_before_anybody_has_done_anything_says_so() -> None:
    player = app_at()
    fight = walking(player, evening())
    marching, table = fight.marching, fight.marching.table()
    here = table.minis["ada"].cell
    marching.give(Foreseen("Explore", (Looking(PARTY, "walk", here, Bitboard(~EMPTY)),), ""))
    idle(player, fight)
    assert commands(fight) == [] and fight.toast_text == IDLE


def test_the_space_on_which_the_leader_stands_is_no_corner_to_go_to() -> None:
    player = app_at()
    fight = walking(player, evening())
    marching, table = fight.marching, fight.marching.table()
    here = table.minis["ada"].cell
    alone = Table(table.ruleset, table.state, table.board, Bitboard(1 << here), list(table.decisions.values()))
    assert dark_in(alone, here) >> here & 1
    marching._table = fight.shown, alone
    assert marching.explored(here, "Explore") is None


def test_an_order_given_while_another_is_carried_out_or_in_a_fight_is_answered() -> None:
    player = app_at()
    player.app.settings.speed = 3
    fight = walking(player, evening())
    fight.marching.order("party_explore")
    player.turn(1, dt=0.01)
    assert fight.marching.running
    player.key(pygame.K_f, pygame.KMOD_CTRL, text="")
    assert fight.toast_text == RUNNING
    fight = fight_of(player, evening(options={}))
    player.key(pygame.K_e, pygame.KMOD_CTRL, text="")
    assert fight.toast_text == FIGHTING


def at(fight: Fight, column: int, row: int) -> tuple[int, int]:
    return middle(fight, fight.match.field.cell(column, row))


def test_a_double_click_on_a_door_opens_it_and_looks_over_what_lies_behind() -> None:
    player = app_at()
    fight = walking(player, evening())
    player.app.clock = lambda: 5.0
    fight.marching.order("party_explore")
    idle(player, fight)
    spot = at(fight, 12, 4)
    before = len(commands(fight))
    player.click(spot)
    player.click(spot)
    idle(player, fight)
    done = [command["do"] for command in commands(fight)[before:]]
    assert "open" in done and done[-1] != "open"
    assert fight.marching.within(before + 1) and not fight.marching.within(before)


def test_two_slow_clicks_are_no_double_click() -> None:
    player = app_at()
    fight = walking(player, evening())
    now = [5.0]
    player.app.clock = lambda: now[0]
    spot = at(fight, 3, 1)
    player.click(spot)
    idle(player, fight)
    done = len(commands(fight))
    now[0] += 2.0
    player.click(spot)
    idle(player, fight)
    assert len(commands(fight)) == done


@pytest.mark.parametrize("quickly", [True, False])
def test_the_second_click_goes_on_looking_whether_the_first_is_carried_out_yet_or_not(quickly: bool) -> None:
    player = app_at()
    player.app.settings.speed = 0 if quickly else 3
    fight = walking(player, evening())
    player.app.clock = lambda: 5.0
    spot = at(fight, 3, 1)
    fight.marching.go(field_cell := fight.match.field.cell(3, 1))
    player.turn(1, dt=0.01)
    assert fight.marching.running is not quickly and fight.camera.to_cell(spot) == field_cell
    player.click(spot)
    idle(player, fight)
    table = fight.marching.table()
    assert dark_in(table, table.minis["ada"].cell) == EMPTY


def test_a_click_into_the_dark_beside_known_ground_explores_there() -> None:
    player = app_at()
    fight = walking(player, evening())
    field, known = fight.match.field, fight.eyes.known()
    dark = next(c for c in (field.cell(x, 5) for x in range(1, 12)) if not known >> c & 1)
    edge = dark_edge(fight.marching.table())
    near = min(fight.marching.table().terrain.distance(dark, cell) for cell in cells_of(edge))
    player.move(middle(fight, dark))
    course = fight.choices.course
    assert (course is not None and course.label == "Explore there") is (near <= 4)


def test_the_party_that_explores_stops_at_whoever_comes_into_sight() -> None:
    player = app_at()
    record = evening()
    record["creatures"][-1]["at"] = [6, 5]
    fight = walking(player, record)
    fight.marching.take_manner("sneak")
    fight.marching.order("party_explore")
    idle(player, fight)
    assert any(mini.id == "gob" for mini in fight.board.miniatures)
    table = fight.marching.table()
    assert dark_in(table, table.minis["ada"].cell)

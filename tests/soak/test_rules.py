"""Each rule of the soak can be broken: the window is spoilt in one place, and just that is found."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from unittest import mock

import msgspec
import pygame
import pytest

from game.fight.history import History
from game.fight.viewing import Eyes
from game.scenes.base import Scene
from game.scenes.fight.ai_turns import Pacing
from game.scenes.fight.deeds import Deeds
from game.scenes.fight.ending import Summary
from game.scenes.fight.hotseat import Hotseat
from game.scenes.fight.panels.places import FightPanels
from game.scenes.fight.scene import Fight
from game.scenes.fight.seating import Seating
from game.view.boardview import BoardView
from game.widgets.core import column
from rules.contract.display import Board, GroundMark
from rules.contract.errors import BattlematError
from rules.contract.units import Bitboard
from rules.core import record as records
from rules.core.registry import ruleset as ruleset_of
from tests.soak.encounters import Case
from tests.soak.playing import play

ROWS = [
    "####################",
    "#........##........#",
    "#........##........#",
    "#..................#",
    "####################",
]
Spoilt = Callable[[], AbstractContextManager[Any]]


def case(
    kind: str = "olde", steps: list[Any] | None = None, *, apart: bool = False, through: str = "game", **record: Any
) -> Case:
    """One against one on two rooms, speed 2; the monster is the computer's, or (`apart`) another seat's."""
    heroes = {"olde": "warrior", "cairn": "wolfram", "countup": "hale"}
    made: dict[str, Any] = {
        "format": "battlemat/1", "ruleset": kind, "options": {}, "map": {"rows": ROWS}, "seed": 3, "commands": [],
        "creatures": [
            {"id": "hero", "template": heroes[kind], "name": "Zanthe", "side": "heroes", "at": [4, 1],
             "controller": "human"},
            {"id": "foe", "template": "goblin", "name": "Quillo", "side": "monsters", "at": [16, 1],
             "controller": "human" if apart else "ai"},
        ],
        **record,
    }  # fmt: skip
    if apart:
        made["seats"] = [{"name": "Ann", "plays": ["heroes"]}, {"name": "Ben", "plays": ["monsters"]}]
    return {
        "seed": 0, "map": "rows", "table": "alone", "record": made, "settings": {"speed": 2, "autosave": False},
        "size": [1280, 720], "frame": 0.05, "thinks": 0.0, "through": through, "steps": steps or [],
    }  # fmt: skip


FOG: dict[str, Any] = {"options": {"fog": True}}
ON = [["advise"], ["time", 3.0]] * 4


def spoilt(owner: Any, name: str, **how: Any) -> Spoilt:
    return lambda: mock.patch.object(owner, name, **how)


def other_answer(pacing: Pacing, decision: Any, answer: Any) -> None:
    fight: Any = pacing.fight
    pacing._thinking = None
    fight.deeds.answer(decision, list(fight.match.legal(decision))[-1])


def restless_orders(pacing: Pacing, decision: Any, answer: Any) -> None:
    """A computer that turns to and fro, and never lets time move."""
    fight: Any = pacing.fight
    pacing._thinking = None
    legal = list(fight.match.legal(decision))
    fight.deeds.answer(decision, next((a for do in ("clear", "turn") for a in legal if a.do == do), legal[-1]))


def shortened(action: Any, field: Any) -> Any:
    """A command that has lost the last space of its path."""
    command = COMMAND_OF(action, field)
    path = command.path or []
    return command.model_copy(update={"path": path[:-1]}) if len(path) > 1 else command


def unlevelled(history: History, step: Any, by: str | None = None, level: str = "") -> None:
    """A history that knows of no levels."""
    LIVED(history, step, by)


def slow(seating: Seating, chance: tuple[str, int], seconds: float) -> bool:
    """A clock that loses half a second each second."""
    return SPEND(seating, chance, seconds / 2)


def whole(eyes: Eyes, number: int = -1) -> Any:
    """Eyes that see everything."""
    return eyes.match.history.moments[number].state


def anywhere(fight: Fight, *_: Any) -> None:
    """A camera that looks at the map's far end, whoever acts."""
    fight.camera.begin([fight.match.field.width * fight.match.field.height - 1])


def by_the_count(fight: Fight, offer: Any) -> str:
    """Keys that move on with each command."""
    number = fight.plan.offers.index(offer) if fight.plan is not None else 0
    return "123456789qertyuiopfghjkzxcvbn"[(number + fight.match.history.length) % 29]


def restless(panels: FightPanels, bottom: int) -> int:
    """A bar that stands higher after every other command."""
    return BAR(panels, bottom - 8 * (panels.fight.match.history.length % 2))


def edged(view: BoardView, surface: pygame.Surface, marks: Any) -> None:
    """A board whose whole ground can be told from the void, in the fog as well."""
    BOARD(view, surface, marks)
    shade = pygame.Surface(surface.get_size(), pygame.SRCALPHA)
    field, camera = view.field, view.camera
    ends = (camera.space_rect(0), camera.space_rect(field.width * field.height - 1))
    shade.fill((90, 90, 90, 90), ends[0].union(ends[1]))
    surface.blit(shade, (0, 0))


def trapped(board: Board, table: Board) -> Board:
    """A thought drawn with a trap that its thinker alone knows."""
    return msgspec.structs.replace(board, ground=(*table.ground, GroundMark("trap", "pit", Bitboard(1 << 62))))


def nowhere(fight: Fight, *, tight: bool) -> Any:
    """The foot of a fight that is over, without any way on."""
    return column()


def at_once(hotseat: Hotseat, back: Callable[[], None]) -> None:
    """The way back to the editor, whoever sits there."""
    back()


def telling_sheet(ruleset: Any, state: Any, name: str) -> Any:
    """A sheet that tells how many have given their orders."""
    sheet, given = SHEET(state, name), len(ruleset.board(state).plans)
    return msgspec.structs.replace(sheet, name=f"{sheet.name}{'!' * given}")


def unsealed(ruleset: Any, state: Any, *sides: str) -> Any:
    """What others have ordered lies open to whoever works something out."""
    return state


def late(fight: Fight) -> None:
    """Panels that are not told what has happened."""
    fight.behind = False


COMMAND_OF, SPEND, BAR, BOARD = (records.command_of, Seating.spend, FightPanels._build_actions, BoardView.draw)
SHEET, LIVED = ruleset_of("countup").sheet, History.lived
TRAP = {"kind": "trap", "id": "pit", "at": [[2, 3]], "damage": "1d6", "known": ["monsters"]}
LAST = [
    {"id": "hero", "template": "warrior", "name": "Zanthe", "side": "heroes", "at": [4, 1], "controller": "ai"},
    {"id": "foe", "template": "goblin", "name": "Quillo", "side": "monsters", "at": [5, 1], "controller": "ai",
     "hp": 1},
]  # fmt: skip
"""Two whom nobody plays, and who soon have done."""
THREE = [
    {"id": "hero", "template": "hale", "name": "Zanthe", "side": "heroes", "at": [4, 1], "controller": "human"},
    {"id": "foe", "template": "goblin", "name": "Quillo", "side": "monsters", "at": [16, 1], "controller": "ai"},
    {"id": "other", "template": "goblin", "name": "Fyxa", "side": "monsters", "at": [16, 2], "controller": "ai"},
]  # fmt: skip
MANY = [
    {"id": "hero", "template": "warrior", "side": "heroes", "at": [4, 1], "controller": "human"},
    *({"id": f"foe {n}", "template": "goblin", "side": "monsters", "at": [12 + n, 2], "controller": "ai"}
      for n in range(3)),
]  # fmt: skip
APART = [row[:10] + "#" + row[11:] for row in ROWS]
"""Two rooms, and no way from one into the other."""
TALL = ["#" * 40, *["#" + "." * 38 + "#"] * 30, "#" * 40]


SPOILT: dict[str, tuple[Case, Spoilt]] = {
    "somebody always comes to decide": (case(steps=ON), spoilt(Pacing, "_answer")),
    "the computer comes to an end": (
        case("countup", [["advise"], ["time", 15.0]] * 6), spoilt(Pacing, "_answer", new=restless_orders),
    ),
    "nothing is refused twice": (case(steps=ON), spoilt(Deeds, "carry_out", return_value=False)),
    "clocks go by wall time": (
        case(chance_seconds=30, steps=[["time", 3.0], ["time", 3.0]]),
        spoilt(Seating, "spend", new=slow),
    ),
    "the computer plays the same whoever looks on": (case(steps=ON), spoilt(Pacing, "_answer", new=other_answer)),
    "a seat sees only what it knows": (case(steps=ON, **FOG), spoilt(Eyes, "state", new=whole)),
    "no word names the unmet": (case(steps=ON, **FOG), spoilt(Eyes, "witnesses", return_value=True)),
    "sealed orders stay sealed": (
        case("countup", ON, apart=True), lambda: mock.patch("game.fight.viewing.own_plans", lambda board, sides: board),
    ),
    "what rests is true": (case(steps=ON), spoilt(Fight, "catch_up", new=late)),
    "the record leads to what is shown": (
        case(steps=ON), lambda: mock.patch("game.fight.match.records.command_of", shortened),
    ),
    "what acts is under no panel": (
        case(steps=ON, map={"rows": TALL}), spoilt(Fight, "show_actor", new=anywhere),
    ),
    "a key means the same all fight": (case(steps=ON), spoilt(Fight, "key_of", new=by_the_count)),
    "a button stays where it is": (case(steps=ON), spoilt(FightPanels, "_build_actions", new=restless)),
    "the map's end is not drawn in the fog": (
        case(map={"rows": APART}, **FOG), spoilt(BoardView, "draw", new=edged),
    ),
    "no secret lies open below": (
        case(steps=[["press", "ready"], ["command", "back"], ["press", "Back to the table"]],
             apart=True, through="table", **FOG),
        spoilt(Hotseat, "show_table", new=at_once),
    ),
    "no thought tells of an unknown trap": (
        case(steps=[*ON[:4], ["command", "why"]], map={"rows": ROWS, "challenges": [TRAP]}),
        lambda: mock.patch("game.scenes.replay.why._without_secrets", trapped),
    ),
    "a fight that is over leads on": (
        case(steps=[["time", 30.0], ["command", "back"], ["time", 1.0]], creatures=LAST),
        lambda: mock.patch("game.scenes.fight.ending.bar", side_effect=nowhere),
    ),
    "one Enter too many leaves the summary": (
        case(steps=[["time", 0.3], ["key", "Enter"]] * 40, creatures=LAST),
        spoilt(Summary, "rebuild", new=Scene.rebuild),
    ),
    "sealed orders change nothing that others see": (
        case("countup", ON, creatures=THREE),
        lambda: mock.patch.multiple(type(ruleset_of("countup")), sheet=telling_sheet, sealed=unsealed),
    ),
    "what the window offers works": (
        case(steps=[["command", "quicksave"]]),
        lambda: mock.patch("game.storage.records.write_record", side_effect=BattlematError("the disk is full")),
    ),
    "the loop never spins": (case(steps=ON), spoilt(Fight, "pace", return_value=0.0)),
}  # fmt: skip


@pytest.mark.parametrize("rule", SPOILT)
def test_what_is_spoilt_is_found(rule: str) -> None:
    played, spoil = SPOILT[rule]
    assert play(played).wrong is None
    with spoil():
        wrong = play(played).wrong
    assert wrong is not None and wrong.rule == rule, wrong


def test_a_level_that_is_changed_in_the_middle_is_minded() -> None:
    steps = [["command", "level"], *ON] * 4
    played = case(steps=steps, creatures=MANY)
    assert play(played).wrong is None
    with mock.patch.object(History, "lived", unlevelled):
        wrong = play(played).wrong
    assert wrong is not None and wrong.rule == "the computer plays the same whoever looks on"

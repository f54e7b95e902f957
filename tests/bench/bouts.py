"""Mirrored fights for the ladder: the same band on both sides, on maps that look the same after half a turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from game.content import tables as content
from game.controllers import Controller
from game.controllers.ai import AiController, GreedyController, RandomController, load_weights
from game.controllers.ai.advisors import advisor_of
from rules.board.grid import Field
from rules.contract.actions import pending
from rules.contract.ruleset import Scenario
from rules.contract.units import Cell
from rules.core.registry import ruleset
from tests.bench.earlier import Earlier, Follower
from tests.bench.opponents import FocusFire, Kiter, Turtle
from tests.bench.paired import Pair

SIDES = ("heroes", "monsters")
LIMITS: Mapping[str, int] = {"olde": 60, "cairn": 60, "countup": 900}
"""Turns, rounds or seconds after which a fight is broken off."""
BANDS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "olde": {
        "swords and a bow": ("warrior", "templar", "ranger", "rogue"),
        "raiders": ("orc", "orc", "goblin", "goblin", "goblin_archer"),
        "pack": ("wolf", "wolf", "wolf", "ghoul"),
        "the dead": ("skeleton", "skeleton", "skeleton_archer", "ghoul"),
        "bandits": ("bandit", "bandit", "cultist", "goblin_archer", "goblin_chief"),
        "spells": ("warrior", "priest", "wizard", "ranger"),
    },
    "cairn": {
        "companions": ("wolfram", "freya", "lucius", "gann"),
        "the dead": ("skeleton", "skeleton", "zombie", "ghoul"),
        "raiders": ("orc", "goblin", "goblin", "hobgoblin", "gnoll"),
        "pack": ("wolf", "wolf", "hunting_dog", "boar"),
        "bandits": ("bandit", "bandit", "bandit_leader", "hunting_dog", "acolyte"),
    },
    "countup": {
        "companions": ("hale", "bram", "tess", "cora"),
        "the dead": ("skeleton", "skeleton", "zombie", "ghoul"),
        "raiders": ("orc", "goblin", "goblin", "hobgoblin", "kobold"),
        "pack": ("wolf", "wolf", "wolf", "ghoul"),
        "bandits": ("bandit", "bandit", "bandit_archer", "guard", "bandit_archer"),
    },
}
MAPS = ("hall", "pillars", "gap", "rooms")
FIRST = 1000
"""The first seed of judging; tuning must use others."""
PLAYERS: Mapping[str, Callable[[int], Controller]] = {
    "random": RandomController,
    "greedy": lambda seed: GreedyController(),
    "kiter": lambda seed: Kiter(),
    "turtle": lambda seed: Turtle(),
    "focus": lambda seed: FocusFire(),
    "cunning": lambda seed: AiController("cunning"),
    "brute": lambda seed: AiController("brute"),
    "coward": lambda seed: AiController("coward"),
    "untuned": lambda seed: AiController(weights=load_weights()),
    "earlier": lambda seed: Earlier(),
    "shipping": lambda seed: AiController(),
    "story": lambda seed: AiController(level="story"),
    "hard": lambda seed: AiController(level="hard"),
}


class Bout(NamedTuple):
    """One fight: who meets whom, where, with what dice; `swapped`: the first player has the second side."""

    ruleset: str
    player: str
    other: str
    band: str
    map: str
    seed: int
    swapped: bool = False


@lru_cache(maxsize=64)
def ground(kind: str, seed: int) -> Field:
    """A map that looks the same after half a turn."""
    random, width, height = Random(f"{kind} {seed}"), 22, 14
    rows = [["."] * width for _ in range(height)]

    def put(x: int, y: int, symbol: str) -> None:
        rows[y][x] = rows[height - 1 - y][width - 1 - x] = symbol

    for x in range(width):
        put(x, 0, "#")
    for y in range(height):
        put(0, y, "#")
    if kind == "pillars":
        for _ in range(9):
            put(random.randrange(4, width - 4), random.randrange(1, height - 1), "#")
        for _ in range(8):
            put(random.randrange(4, width - 4), random.randrange(1, height - 1), "~")
    elif kind in ("gap", "rooms"):
        wall = width // 2 - 1
        for y in range(1, height - 1):
            put(wall, y, "#")
        gap = random.randrange(2, height - 3)
        for y in (gap, gap + 1):
            put(wall, y, ".")
            put(wall, height - 1 - y, ".")
    if kind == "rooms":
        for x in range(1, 6):
            put(x, height // 2 - 1 if x % 2 else height // 2, "#")
        put(width // 2 - 1, gap, "+")
    return Field.from_rows(["".join(row) for row in rows])


def start(bout: Bout) -> Any:
    """The first state: the same band on both sides, in mirrored places."""
    kind = bout.ruleset
    field = ground(bout.map, bout.seed % 7)
    random = Random(bout.seed)
    room = field.terrain().steps(1).fit
    cells = [field.cell(x, y) for x in range(1, 5) for y in range(1, field.height - 1)]
    cells = [cell for cell in cells if room >> cell & 1]
    random.shuffle(cells)
    last = field.width * field.height - 1
    creatures = []
    order = SIDES if bout.seed % 2 else SIDES[::-1]
    for i, name in enumerate(BANDS[kind][bout.band]):
        for side in order:
            cell = cells[i] if side == SIDES[0] else last - cells[i]
            entry = content.template(kind, name)
            creatures.append({**entry, "id": f"{side} {i + 1}", "side": side, "at": list(field.at(Cell(cell)))})
    scenario = Scenario(kind, field, tuple(creatures), bout.seed, None, {}, content.tables(kind))
    return ruleset(kind).start(scenario).state


def fought(bout: Bout, players: Mapping[str, Callable[[int], Controller]] = PLAYERS) -> Any:
    """The last state of a fight, fought out or broken off."""
    rules, state = ruleset(bout.ruleset), start(bout)
    advisor, limit = advisor_of(rules), LIMITS[bout.ruleset]
    own = own_side(bout)
    table = {side: (players[bout.player if side == own else bout.other], bout.seed + (side != own)) for side in SIDES}
    seats = {side: player(seed) for side, (player, seed) in table.items()}
    followers = [seat for seat in seats.values() if isinstance(seat, Follower)]
    for seat in followers:
        seat.begin(bout)
    while (decision := pending(rules.decisions(state))) is not None:
        if advisor.turn(state) > limit:
            break
        known = rules.observe(state, decision.side)
        action = seats[decision.side].choose(rules, known, decision, rules.legal(state, decision))
        state = rules.apply(state, decision, action).state
        for seat in followers:
            seat.follow(action)
    for seat in followers:
        seat.end(rules.board(state).over)
    return state


def own_side(bout: Bout) -> str:
    """The side of the first player."""
    return SIDES[bout.swapped]


def won(bout: Bout, state: Any) -> int:
    """1 if the first player has won, −1 if it has lost, 0 if the fight was broken off."""
    winner = ruleset(bout.ruleset).board(state).over
    return 0 if winner not in SIDES else 1 if winner == own_side(bout) else -1


def margin(bout: Bout, state: Any) -> float:
    """How a fight stands for the first player, −1 to 1: half by who has won, half by what both have left."""
    left, whole = {True: 0.0, False: 0.0}, {True: 0.0, False: 0.0}
    for piece in advisor_of(ruleset(bout.ruleset)).pieces(state):
        own = piece.side == own_side(bout)
        whole[own] += piece.value
        left[own] += 0.0 if piece.out else piece.value * piece.health / max(1, piece.most)
    return won(bout, state) / 2 + (left[True] / max(1e-9, whole[True]) - left[False] / max(1e-9, whole[False])) / 2


def play(bout: Bout) -> int:
    """1 if the first player wins, −1 if it loses, 0 if the fight is broken off."""
    return won(bout, fought(bout))


def pair(bout: Bout) -> Pair:
    """A fight, and the same with the players' sides swapped."""
    return Pair(play(bout), play(bout._replace(swapped=True)))


def bouts(
    kind: str, player: str, other: str, pairs: int, bands: Sequence[str] = (), first: int = FIRST
) -> Iterator[Bout]:
    """The first fight of so many pairs, spread over bands (all, if none is named) and maps."""
    names = bands or tuple(BANDS[kind])
    for number in range(pairs):
        band, where = names[number % len(names)], MAPS[number // len(names) % len(MAPS)]
        yield Bout(kind, player, other, band, where, first + number)

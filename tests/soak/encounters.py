"""What is played: map, rules, parties, seats and settings, drawn from a seed. A case is plain data, as its file is."""

from __future__ import annotations

import random
from typing import Any

from game.app.settings import PALETTES
from game.content import encounter
from game.content import tables as content
from game.fight.match import Match
from rules.contract.errors import BattlematError
from rules.core.registry import RULESETS
from rules.core.registry import ruleset as ruleset_of

Case = dict[str, Any]
"""`record`, `settings`, `size`, `frame`, `thinks`, `through` (`game` or `table`), `steps`."""
NAMES = (
    "Zanthe", "Quillo", "Brizzan", "Oddvark", "Jemuz", "Fyxa", "Wembrel", "Kuzzog", "Plivic", "Xarpo", "Drumquo",
    "Yvimel", "Gwobb", "Tzepha", "Hjulka", "Vuxley", "Ewzard", "Nimbuq", "Skrawp", "Iqbolt", "Uzmira", "Lobwyx",
    "Cwellyn", "Rhopaz",
)  # fmt: skip
"""No name is part of another, or of any word of the game: where one is read, that creature is meant."""
TABLES = ("alone", "alone", "together", "apart", "apart", "master", "guest", "nobody")
"""Who sits there: one player; two of one side; two against each other; a game master against the rest;

somebody who plays on both sides; the computer alone."""
SIZES = ((1280, 720), (1280, 720), (1024, 600), (1920, 1080), (800, 600), (1600, 900))
SCALES = (100, 100, 100, 75, 125, 150, 200)
ROWS = {
    "two rooms": [
        "##############",
        "#.....#......#",
        "#.....+......#",
        "#..~..#..##..#",
        "#.....'......#",
        "#.....#......#",
        "##############",
    ],
    "hall": ["############", "#..........#", "#..#....#..#", "#..........#", "#....~~....#", "############"],
}
"""Small maps beside those that come with the game."""


def drawn(seed: int, only: dict[str, str] | None = None) -> Case:
    """The case of a seed. `only` fixes what would be drawn: `ruleset`, `map`, `table`, `through`, or an option."""
    lot, fixed = random.Random(f"soak {seed}"), only or {}
    for _ in range(60):
        try:
            return _drawn(lot, seed, fixed)
        except (BattlematError, IndexError):
            continue  # somebody found no space: other creatures
    raise BattlematError(f"seed {seed}: no encounter could be drawn")


def _drawn(lot: random.Random, seed: int, fixed: dict[str, str]) -> Case:
    kind = fixed.get("ruleset") or lot.choice(list(RULESETS))
    maps = [path.stem for path in encounter.playable_maps()]
    where = fixed.get("map") or lot.choice([*maps, *maps, *ROWS])
    record = _placed(lot, kind, where, seed)
    record["options"] = _options(lot, kind, fixed)
    table = fixed.get("table") or lot.choice(TABLES)
    _seat(lot, record, table)
    frail = lot.random() < 0.3  # such fights come to their end soon
    for creature, name in zip(record["creatures"], lot.sample(NAMES, len(record["creatures"])), strict=True):
        creature["name"] = name
        if lot.random() < 0.12:
            creature["surprised"] = True
        if frail:
            creature["hp"] = lot.choice((1, 1, 2))
    if frail:
        Match.from_record(record)  # somebody may have less
    if table != "nobody" and lot.random() < 0.15:
        record["chance_seconds"] = lot.choice((5, 9, 30))
    return {
        "seed": seed, "map": where, "table": table,
        "record": record, "settings": _settings(lot), "size": list(lot.choice(SIZES)),
        "frame": lot.choice((0.017, 0.05, 0.1)), "thinks": lot.choice((0.0, 0.0, 0.1, 0.8)),
        "through": _through(lot, fixed), "steps": [],
    }  # fmt: skip


def _through(lot: random.Random, fixed: dict[str, str]) -> str:
    """Whether it begins at once or is prepared in the editor."""
    found = "table" if lot.random() < 0.2 else "game"
    return fixed.get("through") or found


def _placed(lot: random.Random, kind: str, where: str, seed: int) -> dict[str, Any]:
    if where not in ROWS and lot.random() < 0.2:
        return dict(encounter.surprise(where, None, seed, ruleset=kind))
    heroes = lot.sample(list(content.heroes(kind)), lot.choice((1, 2, 2, 3, 4)))
    monsters = list(content.monsters(kind))
    foes = [lot.choice(monsters) for _ in range(lot.choice((1, 2, 2, 3, 4)))]
    if where not in ROWS:
        return dict(encounter.make_encounter(where, heroes, foes, seed, ruleset=kind))
    rows = ROWS[where]
    free = [(x, y) for y, row in enumerate(rows) for x, symbol in enumerate(row) if symbol in ".~"]
    left = [at for at in free if at[0] < len(rows[0]) // 2 - 1]
    right = [at for at in free if at[0] > len(rows[0]) // 2]
    creatures: list[dict[str, Any]] = []
    for side, names, spaces in (("heroes", heroes, left), ("monsters", foes, right)):
        for name, at in zip(names, lot.sample(spaces, len(names)), strict=True):
            block = content.template(kind, name)
            if block.get("space", 1) > 1:
                raise IndexError(name)
            identity = f"{name}_{len(creatures)}"
            creatures.append({"id": identity, "template": name, "side": side, "at": list(at)})
    return {
        "format": "battlemat/1", "ruleset": kind, "options": {}, "map": {"rows": rows}, "seed": seed,
        "creatures": creatures, "commands": [],
    }  # fmt: skip


CHANCES = {"fog": 0.55, "darkness": 0.4, "explore": 0.35, "reflexes": 0.3}
"""How often an option is on, where it isn't three in ten."""


def _options(lot: random.Random, kind: str, fixed: dict[str, str]) -> dict[str, bool]:
    found, seed = {}, lot.random()
    for switch in ruleset_of(kind).switches:  # each by itself: a new one leaves the others as they were
        on = random.Random(f"{seed} {switch.name}").random() < CHANCES.get(switch.name, 0.3)
        if switch.name in fixed:
            on = fixed[switch.name] not in ("off", "no", "0")
        if on != switch.default:
            found[switch.name] = on
    return found


def _seat(lot: random.Random, record: dict[str, Any], table: str) -> None:
    """Who plays whom, and who throws real dice."""
    creatures = record["creatures"]
    heroes = [c["id"] for c in creatures if c["side"] == "heroes"]
    foes = [c["id"] for c in creatures if c["side"] != "heroes"]
    people = set(heroes) if table != "nobody" else set()
    seats: list[dict[str, Any]] = []
    if table == "together":
        half = len(heroes) // 2
        seats = [{"name": "Ann", "plays": heroes[:half] or heroes}, {"name": "Cleo", "plays": heroes[half:]}]
    elif table == "apart":
        seats, people = (
            [{"name": "Ann", "plays": ["heroes"]}, {"name": "Ben", "plays": ["monsters"]}],
            {*heroes, *foes},
        )
    elif table == "master":
        played = lot.random() < 0.6
        seats = [{"name": "Ann", "plays": ["heroes"]}, {"name": "Mae", "plays": ["gm", *["monsters"] * played]}]
        people |= set(foes) if played else set()
    elif table == "guest":
        seats = [{"name": "Ann", "plays": heroes}, {"name": "Ben", "plays": foes[:1]}]
        people |= set(foes[:1])
    for number, seat in enumerate(seats):
        seat["colour"] = number
        if lot.random() < 0.3:
            seat["own_dice"] = True
    if table == "alone" and lot.random() < 0.2:
        seats = [{"name": "Ann", "plays": ["heroes"], "own_dice": True}]
    for creature in creatures:
        if creature["id"] in people and lot.random() < 0.12 and table != "apart":
            people.discard(creature["id"])
        creature["controller"] = "human" if creature["id"] in people else "ai"
    if seats:
        record["seats"] = seats


def _settings(lot: random.Random) -> dict[str, Any]:
    found: dict[str, Any] = {
        "speed": lot.choice((0, 1, 2, 2, 3)), "pace": lot.choice((0, 1, 2, 3)), "scale": lot.choice(SCALES),
        "palette": lot.choice(PALETTES), "reduced_motion": lot.random() < 0.15, "log_open": lot.random() < 0.8,
        "end_by_itself": lot.random() < 0.8, "autosave": lot.random() < 0.5,
    }  # fmt: skip
    return found

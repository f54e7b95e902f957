"""Random encounters over the content: sketches, heroes, monsters, what they carry, options."""

from __future__ import annotations

import random
from typing import Any

from tests.twins.cairn import people
from tests.twins.cairn.ground import Ground, covered

BEASTS = sorted(people.table("monsters"))
MAGIC = sorted(name for name, item in people.table("gear").items() if item.get("power"))
TRICKS = ["scroll of Passage", "scroll of Invisible Tether", "scroll of Magic Dampener", "wonder bar"]
"""Things whose powers change much and would else be drawn too seldom."""
WEAPONS = sorted(people.table("weapons"))
SUITS = sorted(name for name, piece in people.table("armour").items() if not piece.get("stacks"))
PIECES = sorted(
    name for name, piece in people.table("armour").items()
    if piece.get("stacks")
)  # fmt: skip
HEROES = sorted(people.table("heroes"))
GEAR = ["bandages", "rope", "torch", "rations", "lantern", "oil can"]


def sketch(rng: random.Random) -> list[str]:
    """A room with walls, rough ground, doors and gaps."""
    width, height = rng.randint(6, 13), rng.randint(5, 9)
    signs, weights = [".", "#", "~", "+", "'", " "], [68, 11, 16, 1, 2, 2]
    rows = [rng.choices(signs, weights, k=width) for _ in range(height)]
    if rng.random() < 0.7:
        for y in range(height):
            for x in range(width):
                if x in (0, width - 1) or y in (0, height - 1):
                    rows[y][x] = "#"
    return ["".join(row) for row in rows]


def hidden(rng: random.Random, rows: list[str]) -> list[dict[str, Any]]:
    """Traps and chests on the floor."""
    floor = [[x, y] for y, row in enumerate(rows) for x, sign in enumerate(row) if sign in ".~"]
    out = []
    for number, cell in enumerate(rng.sample(floor, min(len(floor), rng.randint(1, 6)))):
        kind = rng.choice(["trap", "trap", "chest"])
        out.append({
            "id": f"{kind} {number}", "kind": kind, "cells": [cell], "hidden": kind == "trap" and rng.random() < 0.8,
            "damage": rng.choice(["", "d4", "2d6", "d8+1"]),
            "effect": rng.choice(["", "", "", "restrained", "slowed", "blinded", "poisoned", "dazed", "exhausted"]),
            "known": tuple(rng.sample(["heroes", "monsters"], rng.choice([0, 0, 1]))),
            "contents": rng.choice(["", "rope, a love letter", "sword, scroll of Sleep"]) if kind == "chest" else "",
        })  # fmt: skip
    return out


def thin_walls(rng: random.Random, rows: list[str]) -> list[list[Any]]:
    """Edges with a wall each, some of them in a row: whether it stops movement, and whether sight."""
    width, height, out = len(rows[0]), len(rows), []
    for _ in range(rng.randint(1, 6)):
        x, y, upright = rng.randrange(width), rng.randrange(height), rng.random() < 0.5
        kind = rng.choice([[True, True], [True, True], [True, False], [False, True]])
        for n in range(rng.randint(1, 4)):
            one = (x, y + n) if upright else (x + n, y)
            other = (one[0] + 1, one[1]) if upright else (one[0], one[1] + 1)
            if other[0] < width and other[1] < height:
                out.append([one, other, *kind])
    return out


def lamps(rng: random.Random, rows: list[str]) -> list[list[Any]]:
    """Lights of the map anywhere, in walls, too: their spaces, and how far each shines brightly and dimly."""
    return [
        [[rng.randrange(len(rows[0])), rng.randrange(len(rows))], rng.randint(0, 4), rng.randint(0, 6)]
        for _ in range(rng.randint(1, 3))
    ]


def encounter(seed: int) -> dict[str, Any]:
    """A fight of some heroes and some foes, placed at random where they fit."""
    rng = random.Random(seed)
    rows = sketch(rng)
    drawn = [f"door {x},{y}" for y, row in enumerate(rows) for x, sign in enumerate(row) if sign in "+'"]
    doors = {name: rng.choice(["open", "closed", "locked", "barred", "secret"]) for name in drawn if rng.random() < 0.5}
    ambient = rng.choice(["bright", "bright", "bright", "bright", "bright", "dim", "dark", "dark", "dark", "dark"])
    lights = lamps(rng, rows) if rng.random() < 0.5 else []
    challenges = hidden(rng, rows) if rng.random() < 0.4 else []
    walls = thin_walls(rng, rows) if rng.random() < 0.3 else []
    taken: set[tuple[int, int]] = set()
    creatures = []
    for n in range(rng.randint(1, 4)):
        creatures.append(hero(rng, f"h{n}"))
    for n in range(rng.randint(1, 5)):
        creatures.append(beast(rng, f"m{n}"))
    placed = [block for block in creatures if place(rng, Ground(rows, doors, walls), taken, block)]
    if {block["side"] for block in placed} != {"heroes", "monsters"}:
        return encounter(seed + 1_000_003)
    options = {
        "cast_saves": rng.random() < 0.5,
        "mercy": rng.random() < 0.3,
        "gm": rng.random() < 0.5,
        "darkness": rng.random() < 0.5,
        "panic": rng.random() < 0.5,
        "fog": rng.random() < 0.3,
    }
    ground = {
        "rows": rows,
        "doors": doors,
        "ambient": ambient,
        "lights": lights,
        "challenges": challenges,
        "walls": walls,
    }
    return {"format": "battlemat/1", "ruleset": "cairn", "map": ground, "seed": seed,
            "options": options, "creatures": placed}  # fmt: skip


def hero(rng: random.Random, name: str) -> dict[str, Any]:
    block: dict[str, Any]
    if rng.random() < 0.3:
        block = {"template": rng.choice(HEROES)}
    else:
        items = rng.sample(WEAPONS, rng.randint(0, 3)) + rng.sample(PIECES, rng.randint(0, 2))
        items += rng.sample(SUITS, rng.randint(0, 1))
        items += rng.sample(GEAR, rng.randint(0, 3)) + rng.choices(MAGIC, k=rng.randint(0, 4))
        items += rng.sample(TRICKS, rng.choice([0, 0, 1]))
        block = {
            "strength": rng.randint(3, 21), "dexterity": rng.randint(3, 21), "willpower": rng.randint(3, 21),
            "hp_max": rng.randint(0, 12), "items": items,
        }  # fmt: skip
        while sum(map(people.slots, items)) > people.SLOTS:
            items.pop()
        if sum(map(people.slots, items)) < 9 and rng.random() < 0.3:
            block["fatigue"] = rng.randint(0, 10 - sum(map(people.slots, items)))
    block |= {"id": name, "side": "heroes", "alert": rng.choice(["ready", "ready", "normal", "unaware"])}
    if rng.random() < 0.15:
        block["posture"] = "prone"
    if rng.random() < 0.1:
        block["pc"] = False
    if rng.random() < 0.3:
        block["speed"] = rng.randint(1, 6)
    return block


def beast(rng: random.Random, name: str) -> dict[str, Any]:
    block: dict[str, Any] = {"template": rng.choice(BEASTS), "id": name, "side": "monsters"}
    if rng.random() < 0.2:
        block["alert"] = "unaware"
    if rng.random() < 0.15:
        block["posture"] = "prone"
    if rng.random() < 0.25:
        block["group"] = rng.choice(["one", "two"])
    if rng.random() < 0.1:
        block["leader"] = True
    if rng.random() < 0.1:
        block["mindless"] = True
    if rng.random() < 0.2:
        block["hp"] = 0
    if rng.random() < 0.2:  # above 19 a 20 alone fails
        block[rng.choice(["strength", "dexterity", "willpower"])] = rng.randint(19, 30)
    if rng.random() < 0.2:
        block["speed"] = rng.randint(0, 5)
    if rng.random() < 0.1:
        block["items"] = rng.sample(TRICKS, 1) + rng.sample(MAGIC, 1)
    return block


def place(rng: random.Random, ground: Ground, taken: set[tuple[int, int]], block: dict[str, Any]) -> bool:
    """Put it where it fits; False where it fits nowhere."""
    size = people.person({**block, "at": (0, 0)})["size"]
    spots = [(x, y) for y in range(ground.height) for x in range(ground.width)]
    rng.shuffle(spots)
    for at in spots:
        mine = set(covered(at, size))
        if ground.fits(at, size) and not mine & taken:
            taken |= mine
            block["at"] = list(at)
            return True
    return False

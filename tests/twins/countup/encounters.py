"""Random encounters and random commands for both readings, all from one seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from rules.contract.actions import Action
from rules.contract.units import Cell
from tests.twins.countup import handiwork
from tests.twins.countup.spells import GROUND, READ

WEAPONS = (
    "knife", "dagger", "short sword", "hand axe", "throwing axe", "warhammer", "scourge", "club", "mace",
    "morning star",
    "flail", "scimitar", "longsword", "battle axe", "great sword", "javelin", "staff", "spear", "halberd", "bardiche",
    "two-handed sword", "torch",
)  # fmt: skip
MISSILES = (
    "longbow", "shortbow", "light crossbow", "heavy crossbow", "sling", "hurled javelin", "hurled axe",
    "throwing knife",
)  # fmt: skip
SUBJECTS = ("crossbow", "ground", "stealth", "darkness", "fog")
"""What a fight may be about besides: each in one of five."""
OPTIONS = (
    "morale", "natural_20_hits", "double_total", "scamper_back", "tactical_move", "shield_arcs", "shield_in_flight",
    "backstab", "hue_and_cry", "fatigue", "components", "sprint_limit", "out_cold",
)  # fmt: skip
"""Those that are read twice."""
HEROES = ("hale", "bram", "tess", "mog", "cora", "arn")
DOS = (
    "walk", "jog", "run", "sprint", "flee", "tactical_move", "attack", "hold_at_bay", "shoot", "cast", "full_parry",
    "knock_aside", "set", "ready", "open", "close", "pick_lock", "force",
    "search", "pick_up", "stand",
    "kneel", "turn", "hold", "policy", "clear", "end", "choose",
)  # fmt: skip
"""The commands that both readings are asked to judge."""
DOORS = ("open", "open", "closed", "locked", "barred", "secret")
STANCES = ("jab", "aggressive", "defensive 1", "defensive 2", "defensive 3", "defensive 4")


def rows_of(dice: random.Random) -> list[str]:
    """A sketch of a hall: a border, some walls, some difficult ground."""
    width, height = dice.randint(7, 15), dice.randint(5, 9)
    rows = [["#"] * width for _ in range(height)]
    walls, rough = dice.choice((0, 0, 0.08, 0.15)), dice.choice((0, 0, 0.1))
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            toss = dice.random()
            rows[y][x] = "#" if toss < walls else "~" if toss < walls + rough else "."
    if dice.random() < 0.4:
        across = dice.randint(2, width - 3)
        for y in range(1, height - 1):
            rows[y][across] = "+" if dice.random() < 0.4 else "#"
    return ["".join(row) for row in rows]


def subjects_of(seed: int) -> frozenset[str]:
    """What a fight is about besides blows; by a die of its own, so that the fight is the same without."""
    dice = random.Random(f"subjects of {seed}")
    return frozenset(subject for subject in SUBJECTS if dice.random() < 0.2)


def options_of(dice: random.Random) -> dict[str, bool]:
    """Every other fight by the plain rules, the others with some options."""
    if dice.random() < 0.5:
        return {}
    return {name: True for name in OPTIONS if dice.random() < 0.5}


def creatures_of(dice: random.Random, rows: Sequence[str], templates: Any) -> list[dict[str, Any]]:
    """Two sides of heroes, monsters and plain fighters, each on a space of its own."""
    free = [(x, y) for y, row in enumerate(rows) for x, s in enumerate(row) if s not in "#+"]
    names = sorted(templates)
    out: list[dict[str, Any]] = []
    for number in range(dice.randint(2, 5)):
        side = ("heroes", "monsters")[number % 2]
        block: dict[str, Any] = {"id": f"{'ab'[number % 2]}{number}", "side": side, "controller": "human"}
        kind = dice.random()
        if kind < 0.5:
            block.update(templates[dice.choice(names)], **block)
            block["template"] = "kept"
        else:
            block.update(hp_max=dice.randint(8, 60), attack=dice.randint(-2, 8), defence=dice.randint(-4, 9),
                         damage=dice.randint(-3, 12), initiative=dice.randint(-6, 4), dexterity=dice.randint(0, 3),
                         size=dice.choice("TSMMMMLH"), trauma=dice.randint(3, 12),
                         reduction=dice.randint(0, 4))  # fmt: skip
            if dice.random() < 0.3:
                block["pain"] = dice.randint(0, 12)
            if dice.random() < 0.3:
                block["armour"] = dice.choice(("leather", "ring mail", "chain mail", "plate mail", "padded"))
            if dice.random() < 0.2:
                block["half"] = True
            if dice.random() < 0.1:
                block["left_handed"] = True
            if dice.random() < 0.1:
                block["knock_size"] = dice.choice("SL")
            if dice.random() < 0.1:
                block["load"] = dice.choice(("light", "medium", "heavy"))
            if dice.random() < 0.1:
                block["untrained"] = dice.choice(("minimal", "low", "medium", "high"))
        if "attacks" not in block:
            block["weapons"] = dice.sample(WEAPONS, dice.randint(1, 3))
            if dice.random() < 0.35:
                block["weapons"].insert(dice.randint(0, 1), dice.choice(MISSILES))
            if dice.random() < 0.1:
                block["stowed"] = block["weapons"][-1:]
            if dice.random() < 0.4:
                block["shield"] = dice.choice(("small shield", "medium shield", "large shield"))
        if dice.random() < 0.5:
            block["skills"] = {"lock picking": dice.randint(20, 95)}
        else:
            block.pop("skills", None)
        if dice.random() < 0.2:
            block["thief"] = True
        if kind > 0.8:
            block["spells"] = [dice.choice(READ) for _ in range(dice.randint(1, 4))]
            block["spell_points"] = dice.choice((60, 140, 340))
            block["level"] = dice.randint(1, 6)
            if dice.random() < 0.3:
                block["memorised"] = block["spells"][:1]
            for save in ("physical", "mental", "dodge"):
                block[save] = dice.randint(-1, 5)
        if "attacks" in block and not block.get("sequence") and dice.random() < 0.3:
            first = block["attacks"][0]
            claw = {"name": "claw", "speed": 5, "damage": "d6p", "kind": "H", "hands": 0, "natural": True, "jab": 3}
            block["attacks"] = [first, claw]
            block["sequence"] = [first["name"], "claw", "claw"]
        if dice.random() < 0.1:
            block["regenerates"] = dice.choice((1, 5))
        if dice.random() < 0.1:
            block["anointed"] = True
        if dice.random() < 0.5:
            block["tenacity"] = dice.choice(("fearless", "brave", "steady", "nervous", "cowardly"))
        if dice.random() < 0.1:
            block["undead"] = True
        if dice.random() < 0.4:
            block["scene"] = dice.choice(("ambush", "heard", "door", "corner"))
        space = block.get("space") or {"L": 2, "H": 2, "G": 3}.get(block.get("size", "M"), 1)
        spots = [s for s in free if all((s[0] + i, s[1] + j) in free for i in range(space) for j in range(space))]
        if not spots:
            continue
        near = [s for s in spots if out and abs(s[0] - out[0]["at"][0]) <= 3]
        spot = dice.choice(near if near and dice.random() < 0.7 else spots)
        block["at"] = list(spot)
        block["controller"] = "human"
        for i in range(space):
            for j in range(space):
                free.remove((spot[0] + i, spot[1] + j))
        out.append(block)
    return out


def with_subjects(dice: random.Random, creatures: list[dict[str, Any]], subjects: frozenset[str]) -> None:
    """Give creatures what a fight's subjects take."""
    for block in creatures:
        if "crossbow" in subjects:
            block["hp_max"] += 40
            if "weapons" in block and dice.random() < 0.6:
                block["weapons"] = ["heavy crossbow", *block["weapons"]]
        if "ground" in subjects and dice.random() < 0.6:
            block["spells"] = [*block.get("spells", ()), *dice.sample(GROUND, 3)]
            block["spell_points"] = 400
        if "darkness" in subjects:
            lamp = dice.choice(("", "", "candle", "candle", "lantern", "torch"))
            block.update({"lamp": lamp} if lamp else {})
            if dice.random() < 0.1:
                block["light"] = dice.randint(1, 2)
            if dice.random() < 0.3:
                block[dice.choice(("low_light", "low_light", "dark_sight"))] = True
            if block.get("spells") and dice.random() < 0.7:
                block["spells"] = [*block["spells"], "Candlelight", "Veil of Darkness"]
        if "stealth" in subjects:
            if dice.random() < 0.5:
                block["stealth"] = dice.choice(("sneaking", "hidden"))
            if dice.random() < 0.2:
                block["surprised"] = True
            names = [n for n in ("sneaking", "hiding", "listening", "observation") if dice.random() < 0.5]
            if names:
                block["skills"] = {**block.get("skills", {}), **{n: dice.randint(1, 100) for n in names}}


def lights_of(
    dice: random.Random, rows: Sequence[str], subjects: frozenset[str]
) -> tuple[str, list[tuple[tuple[int, int], int, int]]]:
    """(how light it is everywhere, the map's lights with their two radii)."""
    if "darkness" not in subjects:
        return "bright", []
    free = [(x, y) for y, row in enumerate(rows) for x, s in enumerate(row) if s not in "#+"]
    found = [
        (spot, dice.randint(0, 3), dice.choice((0, 2, 4))) for spot in dice.sample(free, dice.choice((0, 0, 1, 2)))
    ]
    return dice.choice(("dark", "dark", "dark", "dim", "bright")), found


def pick(dice: random.Random, legal: list[Action], by: str, people: list[str], cells: list[int], slow: bool) -> Action:
    """A command: mostly a legal one, blows before ways before the rest; now and then one altered at random. A `slow`
    fight waits rather, half a minute and more."""
    if slow and dice.random() < 0.5:
        shots = [a for a in legal if a.do == "shoot"]
        return dice.choice(shots) if shots else Action(by=by, do="hold", option=str(dice.randint(5, 60)))
    toss = dice.random()
    if toss < 0.15 or not legal:
        return altered(dice, legal, by, people, cells)
    fights = [a for a in legal if a.do in ("attack", "hold_at_bay", "shoot", "cast", "choose", "knock_aside", "set")]
    if fights and toss < 0.6:
        return dice.choice(fights)
    works = [a for a in legal if a.do in handiwork.DOS]
    if works and toss > 0.8:
        return dice.choice(works)
    kinds = sorted({a.do for a in legal})
    kind = dice.choice(kinds)
    return dice.choice([a for a in legal if a.do == kind])


def altered(dice: random.Random, legal: list[Action], by: str, people: list[str], cells: list[int]) -> Action:
    """A command that nobody vouches for."""
    do = dice.choice(DOS)
    target = weapon = option = item = None
    path: tuple[Cell, ...] = ()
    if do in ("walk", "jog", "run", "sprint", "flee", "tactical_move"):
        ways = [a for a in legal if a.path]
        path = dice.choice(ways).path if ways else ()
        if dice.random() < 0.4:
            path = (*path, Cell(dice.choice(cells)))
    elif do in ("attack", "hold_at_bay"):
        target = dice.choice(people)
        if dice.random() < 0.3:
            weapon = dice.choice(("longsword", "dagger", "unarmed", "bite", "spear", "nonsense"))
        if dice.random() < 0.6:
            option = dice.choice((*STANCES, "nonsense")) if do == "attack" else "jab"
    elif do == "shoot":
        target, option = dice.choice(people), dice.choice((None, "once", "quick", "nonsense"))
        weapon = dice.choice((None, None, "longbow", "nonsense"))
    elif do in ("open", "close", "pick_lock", "force"):
        doors = sorted({a.target for a in legal if a.do in handiwork.DOS and a.target})
        target = dice.choice((*doors, "door 3,3", "nonsense"))
    elif do == "cast":
        spells = sorted({a.item for a in legal if a.do == "cast" and a.item})
        target, item = dice.choice(people), dice.choice((*(spells or READ), "nonsense"))
        if dice.random() < 0.7:
            return Action(by=by, do=do, item=item, at=Cell(dice.choice(cells)))
    elif do == "ready":
        weapon = dice.choice(("longsword", "dagger", "spear", "longbow", "sling", "nonsense"))
    elif do == "turn":
        option = str(dice.randint(0, 9))
    elif do == "hold":
        option = dice.choice(("0", "1", "2", "7", "60", "61", "x"))
    elif do == "policy":
        option = dice.choice(("stand", "yield", "ask", "press", "keep", "nonsense"))
    elif do == "choose":
        option = dice.choice(("stand", "yield", "scamper", "strike", "follow"))
    return Action(by=by, do=do, target=target, weapon=weapon, path=path, option=option, item=item)

"""The rulebook on gear, written down a second time from its text (olde.md §6); it shares nothing with the program's."""

from __future__ import annotations

MELEE_TEXT = """
Swords brawn: shortsword 6 4 d6 15; broadsword 8 6 d8 30; bastard sword 10 8 d10 45; greatsword 12 10 d12 75
Maces brawn: baton 4 2 d4 2; club 6 4 d6 5; mace 8 6 d8 15; warhammer 10 8 d10 25; morningstar 12 10 d12 40
Axes brawn: hatchet 4 2 d4 5; battle axe 6 4 d6 10; broad axe 8 6 d8 20; sparth axe 10 8 d10 35; poleaxe 12 10 d12 50
Knives finesse: belt knife 2 - d3 5; dagger 4 - d4 10; sax 6 - d6 15
Fencing finesse: dagger 4 - d4 10; shortsword 6 - d6 15; backsword 6 - d6 25; rapier 8 - d8 50
Spears finesse: javelin 6 4 d6 5; spear 8 6 d8 20; pike 10 8 d10 35"""
RANGED_TEXT = """
Bows: shortbow 2 4 d6 10; hunting bow 2 6 d8 25; longbow 2 10 d12 60
Crossbows: crossbow 2 4 d8 25; arbalest 2 6 d10 75
Sling: sling 2 4 d6 3
Thrown Weapons: knife 1 4 d4 5; axe 1 6 d6 10; javelin 1 6 d6 5; spear 1 8 d8 20"""
SHIELD_TEXT = "buckler 1 6 20; roundel 1 6 5; targe 2 8 10; heater 2 8 10; kite 3 10 30; pavise 3 11 25; tower 4 12 50"
ARMOR_TEXT = (
    "leather 1 5 15; gambeson 2 7 10; hardened leather 2 6 25; scale 3 9 50; chainmail 3 8 75; brigandine 4 10 125; "
    "plate-and-mail 5 11 150; full plate 6 12 400"
)
RANK_TEXT = "Apprentice Journeyman Foreman Master Grand_Master Legendary_Master"
COMMON = ("Alertness", "Leap", "Lift/Shift")


def _rows(text: str, figures: int) -> list[tuple[str, list[str]]]:
    words = [row.split() for row in text.split(";")]
    return [(" ".join(row[:-figures]), row[-figures:]) for row in words]


MELEE: dict[str, dict[str, tuple[str, int, int | None, int]]] = {}
"""Weapon -> skill -> (stat, minimum in one hand, in two, damage die)."""
RANGED: dict[str, dict[str, tuple[int, int, int]]] = {}
"""Weapon -> skill -> (hands, minimum, damage die)."""
COST: dict[str, dict[str, int]] = {"weapons": {}, "shields": {}, "armor": {}}
for line in MELEE_TEXT.strip().splitlines():
    head, _, tail = line.partition(": ")
    skill, stat = head.rsplit(" ", 1)
    for name, (one, two, die, cost) in _rows(tail, 4):
        MELEE.setdefault(name, {})[skill] = (stat, int(one), None if two == "-" else int(two), int(die[1:]))
        COST["weapons"].setdefault(name, int(cost))
for line in RANGED_TEXT.strip().splitlines():
    skill, _, tail = line.partition(": ")
    for name, (needs, least, die, cost) in _rows(tail, 4):
        RANGED.setdefault(name, {})[skill] = (int(needs), int(least), int(die[1:]))
        COST["weapons"].setdefault(name, int(cost))
SHIELDS = {name: (int(a), int(b)) for name, (a, b, _) in _rows(SHIELD_TEXT, 3)}
ARMOR = {name: (int(a), int(b)) for name, (a, b, _) in _rows(ARMOR_TEXT, 3)}
COST["shields"] = {name: int(c) for name, (_, _, c) in _rows(SHIELD_TEXT, 3)}
COST["armor"] = {name: int(c) for name, (_, _, c) in _rows(ARMOR_TEXT, 3)}
RANKS = {rank.replace("_", " "): place for place, rank in enumerate(RANK_TEXT.split())}


def hands(held: tuple[str, ...]) -> int:
    """How many hands it takes to hold all this."""
    total = 0
    for item in held:
        ways = [1] if item in SHIELDS or item in MELEE else []
        ways += [needed for needed, _, _ in RANGED.get(item, {}).values()]
        total += min(ways)
    return total


class Bearer:
    """A hero with what it wears and holds."""

    def __init__(self, stats: dict[str, int], ranks: dict[str, str], held: tuple[str, ...], armor: str | None):
        self.stats, self.ranks, self.held = stats, ranks, held
        self.shield = next((item for item in held if item in SHIELDS), None)
        self.heavy_armor = max(0, ARMOR[armor][1] - stats["brawn"]) if armor else 0
        self.heavy_shield = max(0, SHIELDS[self.shield][1] - stats["brawn"]) if self.shield else 0

    @property
    def finesse_die(self) -> int:
        return max(1, self.stats["finesse"] - self.heavy_armor)

    def rank(self, skill: str) -> int:
        known = self.ranks.get(skill)
        return RANKS[known] if known else 0 if skill in COMMON else -2

    def strike(self, weapon: str, skill: str) -> tuple[int, int, int, int]:
        """(rank of the two dice, all that is added to the attack, damage die, all that is added to the damage)."""
        if skill in MELEE.get(weapon, {}):
            stat, one, two, die = MELEE[weapon][skill]
            both = two is not None and len(self.held) == 1
            least = two if both and two is not None else one
        else:
            stat = "finesse"
            _, least, die = RANGED[weapon][skill]
        short = max(0, least - self.stats["brawn"])
        attack = self.rank(skill) - short - self.heavy_shield
        rank = self.finesse_die
        if stat == "brawn":
            attack -= self.heavy_armor
            rank = self.stats["brawn"]
        return rank, attack, die, -short

    def guard(self) -> tuple[int, int]:
        """(rank of the two dice of Defense, all that is added to it)."""
        skills = [s for item in self.held for s in (*MELEE.get(item, {}), *RANGED.get(item, {}))] or ["Brawling"]
        best = max(self.rank(s) for s in skills)
        if self.shield:
            best = max(best, self.rank("Shields"))
        return self.finesse_die, best + (SHIELDS[self.shield][0] if self.shield else 0) - self.heavy_shield

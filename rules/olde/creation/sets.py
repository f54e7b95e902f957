"""Skill sets and packages, with their costs in character points (olde.md §2)."""

from __future__ import annotations

from typing import NamedTuple


class SkillSet(NamedTuple):
    """Skills bought together: what the set costs, and how many of them raise the rest with them."""

    cost: int
    number: int
    """The Number for Rank."""
    members: tuple[str, ...]


def _fields(family: str, names: str) -> tuple[str, ...]:
    return tuple(f"{family}:{name}" for name in names.split())


SETS: dict[str, SkillSet] = {
    "Melee Combat": SkillSet(4, 3, ("Axes", "Knives", "Maces", "Shields", "Spears", "Swords")),
    "Ranged Combat": SkillSet(2, 2, ("Bows", "Crossbows", "Long Guns", "Pistols")),
    "Streetfighting": SkillSet(2, 2, ("Brawling", "Knives", "Thrown Weapons")),
    "Swashbuckling": SkillSet(2, 3, ("Fencing", "Knives", "Swords")),
    "Animal Handling": SkillSet(3, 3, ("Command", "Drive", "Ride", "Train", "Veterinarian")),
    "Survival": SkillSet(3, 3, ("Alertness", "Camouflage", "Forage", "Pathfinding", "Tracking")),
    "Stealth": SkillSet(
        3,
        4,
        ("Alertness", "Camouflage", "Disable", "Escape", "Murder", "Pursuit", "Sleight-of-hand", "Sneak"),
    ),
    "Ministry": SkillSet(3, 2, ("Entertain", "Healing", "Literacy", "Persuade", "Profession:Minister")),
    "Scholarship": SkillSet(3, 3, ("Literacy", *_fields("Knowledge", "Arcana History Law Nature Religion"))),
    "Linguistics": SkillSet(3, 2, _fields("Language", "Court Dwarvish Elvish Goblin Trade")),
    "Might": SkillSet(4, 3, ("Burst", "Climb", "Endure", "Leap", "Lift/Shift", "Pursuit", "Ride", "Swim")),
    "Grace": SkillSet(4, 3, ("Climb", "Dodge", "Pursuit", "Ride", "Swim", "Tumble")),
    "Acumen": SkillSet(
        4, 3, ("Alertness", "Healing", "Insight", "Investigation", "Literacy", "Research", "Trivia")
    ),
    "Influence": SkillSet(
        3, 3, ("Deception", "Disguise", "Entertain", "Intimidate", "Negotiate", "Persuade")
    ),
}
"""The five fields of Knowledge and the five languages may be replaced by others of the player's."""

OPEN_SETS = {"Scholarship": "Knowledge", "Linguistics": "Language"}
"""Sets with fields of the player's own choice: the family of those members."""

RANK_NAMES = ("Apprentice", "Journeyman", "Foreman", "Master", "Grand Master", "Legendary Master")
UPGRADE = {
    "Apprentice": 1,
    "Journeyman": 1,
    "Foreman": 2,
    "Master": 2,
    "Grand Master": 3,
    "Legendary Master": 3,
}
"""CP from the rank before; added up they are the table's total costs."""

GIFTS = {"Wizardry": 6, "Faith": 5}
"""What the gifts of magic cost: the rest of the 10 CP of the packages that have them (our reading)."""

MELEE_FIVE = ("Axes", "Knives", "Maces", "Spears", "Swords")
ANY_JOURNEYMAN = "one Journeyman"
"""A choice that raises one skill of the hero's by a rank."""


class Package(NamedTuple):
    """A skill package: sets and skills that it gives, and choices of one from several."""

    sets: tuple[str, ...]
    skills: tuple[str, ...]
    choices: tuple[tuple[str, ...], ...]
    """Each a list to choose one from: skills, sets, or `one Journeyman`."""


PACKAGES: dict[str, Package] = {
    "Priest": Package(
        ("Ministry",),
        ("Faith",),
        (
            ("Axes", "Knives", "Maces", "Quarterstaff", "Spears", "Swords"),
            ("Shields", ANY_JOURNEYMAN),
        ),
    ),
    "Ranger": Package(
        ("Ranged Combat", "Survival"),
        (),
        (MELEE_FIVE, ("Stealth", "Animal Handling"), (ANY_JOURNEYMAN,)),
    ),
    "Rogue": Package(("Streetfighting", "Stealth", "Grace"), (), ((ANY_JOURNEYMAN,),)),
    "Templar": Package(("Might", "Ministry"), ("Shields",), (("Axes", "Maces", "Swords"), (ANY_JOURNEYMAN,))),
    "Troubadour": Package(
        ("Swashbuckling", "Grace", "Influence"), ("Profession:Performer",), ((ANY_JOURNEYMAN,),)
    ),
    "Warrior": Package(
        ("Melee Combat", "Might"),
        (),
        (("Bows", "Crossbows", "Thrown Weapons"), (ANY_JOURNEYMAN,)),
    ),
    "Wizard": Package(("Scholarship",), ("Wizardry",), (("Knives", "Quarterstaff", "Swords"),)),
}

ARRAYS: tuple[tuple[int, int, int, int], ...] = (
    (7, 7, 7, 6), (8, 7, 7, 5), (8, 7, 6, 6), (8, 8, 5, 5), (8, 8, 7, 4), (8, 8, 8, 3), (9, 6, 6, 5), (9, 7, 5, 5),
    (9, 7, 6, 4), (9, 8, 5, 4), (10, 6, 5, 4), (10, 5, 5, 5), (10, 7, 4, 4), (11, 5, 4, 4), (12, 4, 4, 3),
)  # fmt: skip
"""The starting stat arrays; their values may be assigned in any order."""

STAT_COST = {3: -5, 4: -2, 5: 0, 6: 1, 7: 3, 8: 5, 9: 8, 10: 11, 11: 15, 12: 20}
"""CP for a stat at creation (Crunchy)."""
STAT_UPGRADE = {4: 3, 5: 2, 6: 1, 7: 2, 8: 2, 9: 3, 10: 3, 11: 4, 12: 5}
"""CP to raise a stat to this value later."""
CRUNCHY_POINTS = 20
"""CP of a Crunchy hero at creation."""
STATS = ("brawn", "finesse", "savvy", "nerve")

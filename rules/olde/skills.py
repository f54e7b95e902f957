"""Skills, their check stats and ranks (olde.md §2)."""

from __future__ import annotations

from functools import lru_cache

from rules.contract.text import joined, text

RANKS = {
    "Untrained": -2, "Apprentice": 0, "Journeyman": 1, "Foreman": 2, "Master": 3, "Grand Master": 4,
    "Legendary Master": 5,
}  # fmt: skip
"""Rank -> adjustment of a check."""

COMMON = ("Alertness", "Leap", "Lift/Shift")
"""Everybody has these as Apprentice."""

CHECK_STATS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("Axes", "Brawling", "Leap", "Lift/Shift", "Maces", "Shields", "Swords"), ("brawn",)),
    **dict.fromkeys(("Burst", "Endure"), ("brawn", "nerve")),
    **dict.fromkeys(("Climb", "Ride", "Swim"), ("brawn", "finesse")),
    **dict.fromkeys((
        "Bows", "Crossbows", "Dodge", "Escape", "Fencing", "Knives", "Long Guns", "Murder", "Pistols", "Pursuit",
        "Quarterstaff", "Sleight-of-hand", "Sling", "Sneak", "Spears", "Thrown Weapons", "Tumble",
    ), ("finesse",)),
    **dict.fromkeys((
        "Alertness", "Camouflage", "Disable", "Forage", "Healing", "Insight", "Investigation", "Knowledge", "Language",
        "Literacy", "Pathfinding", "Profession", "Research", "Tracking", "Trivia", "Veterinarian", "Wizardry",
    ), ("savvy",)),
    **dict.fromkeys((
        "Command", "Deception", "Disguise", "Drive", "Entertain", "Intimidate", "Negotiate", "Persuade", "Train",
        "Faith",
    ), ("nerve",)),
}  # fmt: skip
"""Skill -> stats that may be rolled for it; of two the better is used."""

TRAINED_ONLY = ("Sling", "Knowledge", "Language", "Literacy", "Profession", "Trivia", "Train")
"""Skills that nobody can use untrained ("x" in the list)."""


def family(skill: str) -> str:
    """`Profession:Minister` belongs to Profession."""
    return skill.split(":", 1)[0].strip()


@lru_cache(maxsize=512)
def spelled(skill: str) -> str:
    """A skill as it is read: `Profession: Minister`."""
    return joined(": ", (part.strip() for part in skill.split(":", 1)))


def known(skill: str) -> bool:
    """Whether the rules have such a skill."""
    return family(skill) in CHECK_STATS


def checked(ranks: dict[str, str]) -> dict[str, str]:
    """Skills with their ranks as data gives them. Raises ValueError for a skill or a rank that the rules don't have."""
    for skill, rank in ranks.items():
        if not known(skill):
            raise ValueError(text("no skill is called {skill}", repr(skill)))
        if rank not in RANKS:
            raise ValueError(text("{skill}: rank {rank} is none of {ranks}", skill, repr(rank), joined(", ", RANKS)))
    return ranks


def adjustment(rank: str | None, skill: str) -> int:
    """The adjustment of a rank; without one, Common skills count as Apprentice and the rest as Untrained."""
    if rank is None:
        return RANKS["Apprentice" if skill in COMMON else "Untrained"]
    return RANKS[rank]

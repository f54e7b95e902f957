"""Builds for tests: the six ready characters by the book, and whatever hypothesis thinks of."""

from __future__ import annotations

from hypothesis import strategies as st

from rules.countup.creation.heroes import Build, Growth
from rules.countup.creation.tables import ABILITIES, CLASSES, EXPERIENCE, MOST_LEVEL, PRICES, RACES

SIX: dict[str, Build] = {
    name: Build(kind=kind, dice=(die,), abilities={each: scores.get(each, 10) for each in ABILITIES})
    for name, kind, die, scores in (
        ("hale", "fighter", 8, {"strength": 15, "dexterity": 12, "constitution": 12}),
        ("bram", "fighter", 7, {"strength": 16, "constitution": 14}),
        ("tess", "thief", 4, {"dexterity": 16, "wisdom": 12}),
        ("mog", "mage", 2, {"intelligence": 16, "dexterity": 12, "wisdom": 12}),
        ("cora", "cleric", 5, {"wisdom": 15, "strength": 12, "constitution": 13}),
        ("arn", "fighter", 6, {"dexterity": 14, "intelligence": 12, "strength": 11, "constitution": 11}),
    )
}


def at_level(kind: str, level: int) -> Build:
    """An average character of a class at a level."""
    return Build.model_validate({
        "kind": kind, "abilities": dict.fromkeys(ABILITIES, 11), "dice": (CLASSES[kind].die // 2,) * level,
        "growth": [Growth(ability="constitution")] * (level - 1), "earned": EXPERIENCE[level - 1],
    })  # fmt: skip


@st.composite
def builds(draw: st.DrawFn) -> Build:
    """A legal build of any class and race at any level, with abilities that were thrown."""
    kind, level = draw(st.sampled_from(sorted(CLASSES))), draw(st.integers(1, MOST_LEVEL))
    left, skills = 30 + 15 * (level - 1), dict[str, int]()
    for name in draw(st.lists(st.sampled_from(sorted(PRICES)), max_size=6)):
        if PRICES[name] <= left:
            skills[name] = skills.get(name, 0) + 1
            left -= PRICES[name]
    return Build.model_validate({
        "way": "thrown", "kind": kind, "race": draw(st.sampled_from(sorted(RACES))), "skills": skills,
        "abilities": {name: draw(st.integers(3, 18)) for name in ABILITIES},
        "parts": {name: draw(st.integers(1, 100)) for name in ABILITIES},
        "dice": [draw(st.integers(1, CLASSES[kind].die)) for _ in range(level)],
        "growth": [{"ability": draw(st.sampled_from(ABILITIES))} for _ in range(level - 1)],
        "earned": EXPERIENCE[level - 1],
    })  # fmt: skip

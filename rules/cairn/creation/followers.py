"""Hirelings, beasts and companions: who they are and how they keep faith (cairn.md §5.3 Hirelings)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.cairn.creation.book import Book, FollowerModel
from rules.cairn.creation.characters import ATTRIBUTES, Scores, roll_scores, scores_of
from rules.contract.errors import BattlematError
from rules.contract.events import Roll
from rules.contract.text import joined, text
from rules.core.dice import Dice


def follower(book: Book, name: str) -> FollowerModel:
    """One by name. Raises BattlematError for nobody's."""
    if name not in book.followers:
        known = joined(", ", book.followers)
        raise BattlematError("hireling: {name} is for nobody's hire; there are {followers}", repr(name), known)
    return book.followers[name]


def throw(dice: Dice, kind: FollowerModel) -> tuple[tuple[Roll, ...], Scores]:
    """A hireling's scores: 3d6 for each attribute, d6 HP; a beast's are its kind's."""
    if kind.hp:
        return (), Scores(kind.strength, kind.dexterity, kind.willpower, kind.hp)
    rolls = roll_scores(dice, hireling=True)
    return rolls, scores_of(rolls)


def block(kind: FollowerModel, scores: Scores, name: str) -> dict[str, Any]:
    """Its stat block without id, side and space: no player's character, so no scars."""
    found: dict[str, Any] = {
        "name": name, "kind": text("Hireling, {name}", kind.name) if kind.kind == "hireling" else kind.name,
        "art": kind.art, **{each: getattr(scores, each) for each in ATTRIBUTES}, "hp_max": scores.hp, "pc": False,
        "items": list(kind.items), "summary": told(kind),
    }  # fmt: skip
    if kind.wage:
        found["hired"] = True
    if kind.dice:
        found["attacks"] = [attack(kind)]
    if kind.armor:
        found["armor"] = kind.armor
    return found


def attack(kind: FollowerModel) -> Mapping[str, Any]:
    """What a beast bites or kicks with."""
    return {"name": kind.attack, "dice": list(kind.dice), "hands": 0, "slots": 0, "natural": True}


def told(kind: FollowerModel) -> str:
    """What it costs and is, in a line."""
    if kind.wage:
        return text("{wage} gold a day.", kind.wage)
    return kind.text

"""Saves, conditions and what they end: a d20 at or under the attribute (cairn.md §2.1, §4)."""

from __future__ import annotations

from rules.cairn.conditions import PRONE, Condition
from rules.cairn.state import Lasting, Resolution
from rules.contract.events import Check, Roll
from rules.contract.events import Condition as Told
from rules.core.dice import roll

WORDS = {"str": "STR", "dex": "DEX", "wil": "WIL"}


def passes(face: int, attribute: int) -> bool:
    """A natural 1 always passes, a natural 20 always fails."""
    return face == 1 or (face != 20 and face <= attribute)


def save(resolution: Resolution, who: int, attribute: str, why: str) -> bool:
    """A save, thrown and told. `attribute` is `str`, `dex` or `wil`."""
    success, _ = save_roll(resolution, who, attribute, why)
    return success


def save_roll(resolution: Resolution, who: int, attribute: str, why: str, score: int | None = None) -> tuple[bool, int]:
    """(passed, the face): a save against one's own score, or against a leader's (`score`)."""
    rating = getattr(resolution.figures[who], f"{attribute}_now") if score is None else score
    resolution.dice.thrower = resolution.being(who).id
    thrown: Roll = roll(resolution.dice, f"{WORDS[attribute]} save", 1, 20, exploding=False)
    success = passes(thrown.total, rating)
    resolution.events.append(
        Check(
            by=resolution.being(who).id,
            what=f"{WORDS[attribute]} save: {why}",
            roll=thrown,
            rating=rating,
            success=success,
        )
    )
    return success, thrown.total


def rounds_for(resolution: Resolution, who: int, rounds: int) -> int:
    """So many rounds counted in the creature's own halves: one more where its half of this round has begun."""
    side = resolution.setup.sides.index(resolution.being(who).side)
    return rounds + 1 if rounds and side <= resolution.half < len(resolution.setup.sides) else rounds


def afflict(resolution: Resolution, who: int, condition: Condition, rounds: int = 0, because: str = "", *,
            save: str = "", by: str = "", die: int = 0, then: str = "") -> bool:  # fmt: skip
    """Give a condition; False if the creature is immune or has it already for longer. `rounds` are halves of the
    creature's own side, so that nothing ends before it has mattered; 0 = until it is ended."""
    being, figure = resolution.being(who), resolution.figures[who]
    name = condition.name
    if name in being.immune:
        return False
    rounds = rounds_for(resolution, who, rounds)
    if condition is PRONE:
        if figure.posture == "prone":
            return False
        resolution.change(who, posture="prone")
    else:
        old = next((each for each in figure.lasting if each.name == name), None)
        if old is not None and (old.rounds == 0 or 0 < rounds <= old.rounds):
            return False
        kept = tuple(each for each in figure.lasting if each.name != name)
        resolution.change(who, lasting=(*kept, Lasting(name, rounds, save, by, die, then)))
    if not condition.hidden:
        resolution.events.append(Told(target=being.id, condition=name, gained=True, because=because))
    return True


def relieve(resolution: Resolution, who: int, condition: Condition, because: str = "") -> None:
    """End a condition."""
    figure = resolution.figures[who]
    if condition is PRONE:
        if figure.posture != "prone":
            return
        resolution.change(who, posture="standing")
    else:
        if condition.name in resolution.being(who).innate:
            return
        kept = tuple(each for each in figure.lasting if each.name != condition.name)
        if len(kept) == len(figure.lasting):
            return
        resolution.change(who, lasting=kept)
    if not condition.hidden:
        being = resolution.being(who)
        resolution.events.append(Told(target=being.id, condition=condition.name, gained=False, because=because))

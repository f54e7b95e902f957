"""Saves, conditions and what they end: a d20 at or under the attribute (cairn.md §2.1, §4)."""

from __future__ import annotations

from rules.cairn.state import Lasting, Work
from rules.contract.events import Check, Condition, Roll
from rules.core.dice import roll

HIDDEN = ("tested", "casting", "called", "steady", "bleeding out", "cured", "daring", "rising")
"""Conditions for the books alone: nobody is told of them."""
WORDS = {"str": "STR", "dex": "DEX", "wil": "WIL"}


def passes(face: int, attribute: int) -> bool:
    """A natural 1 always passes, a natural 20 always fails."""
    return face == 1 or (face != 20 and face <= attribute)


def save(work: Work, who: int, attribute: str, why: str) -> bool:
    """A save, thrown and told. `attribute` is `str`, `dex` or `wil`."""
    success, _ = save_roll(work, who, attribute, why)
    return success


def save_roll(work: Work, who: int, attribute: str, why: str, score: int | None = None) -> tuple[bool, int]:
    """(passed, the face): a save against one's own score, or against a leader's (`score`)."""
    rating = getattr(work.figures[who], f"{attribute}_now") if score is None else score
    work.dice.thrower = work.being(who).id
    thrown: Roll = roll(work.dice, f"{WORDS[attribute]} save", 1, 20, exploding=False)
    success = passes(thrown.total, rating)
    work.events.append(
        Check(
            by=work.being(who).id,
            what=f"{WORDS[attribute]} save: {why}",
            roll=thrown,
            rating=rating,
            success=success,
        )
    )
    return success, thrown.total


def rounds_for(work: Work, who: int, rounds: int) -> int:
    """So many rounds counted in the creature's own halves: one more where its half of this round has begun."""
    side = work.setup.sides.index(work.being(who).side)
    return rounds + 1 if rounds and side <= work.half < len(work.setup.sides) else rounds


def afflict(work: Work, who: int, condition: str, rounds: int = 0, because: str = "", *, save: str = "",
            by: str = "", die: int = 0, then: str = "") -> bool:  # fmt: skip
    """Give a condition; False if the creature is immune or has it already for longer. `rounds` are halves of the
    creature's own side, so that nothing ends before it has mattered; 0 = until it is ended."""
    being, figure = work.being(who), work.figures[who]
    if condition in being.immune:
        return False
    rounds = rounds_for(work, who, rounds)
    if condition == "prone":
        if figure.posture == "prone":
            return False
        work.change(who, posture="prone")
    else:
        old = next((each for each in figure.lasting if each.name == condition), None)
        if old is not None and (old.rounds == 0 or 0 < rounds <= old.rounds):
            return False
        kept = tuple(each for each in figure.lasting if each.name != condition)
        work.change(who, lasting=(*kept, Lasting(condition, rounds, save, by, die, then)))
    if condition not in HIDDEN:
        work.events.append(Condition(target=being.id, condition=condition, gained=True, because=because))
    return True


def relieve(work: Work, who: int, condition: str, because: str = "") -> None:
    """End a condition."""
    figure = work.figures[who]
    if condition == "prone":
        if figure.posture != "prone":
            return
        work.change(who, posture="standing")
    else:
        if condition in work.being(who).innate:
            return
        kept = tuple(each for each in figure.lasting if each.name != condition)
        if len(kept) == len(figure.lasting):
            return
        work.change(who, lasting=kept)
    if condition in HIDDEN:
        return
    work.events.append(
        Condition(target=work.being(who).id, condition=condition, gained=False, because=because)
    )

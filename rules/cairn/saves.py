"""Saves, what conditions begin and end by, and grips: a d20 at or under the attribute (cairn.md §2.1, §4)."""

from __future__ import annotations

from fractions import Fraction

from rules.board.grid import MAX_SIDE
from rules.cairn.conditions import MAWS, PRONE, RESTRAINED, Condition
from rules.cairn.state import CairnState, Figure, Lasting, Resolution, able, fighting
from rules.contract.events import Check, Roll
from rules.contract.events import Condition as Told
from rules.contract.text import Term, text
from rules.core.dice import roll

WORDS = {"str": "STR", "dex": "DEX", "wil": "WIL"}


def passes(face: int, attribute: int) -> bool:
    """A natural 1 always passes, a natural 20 always fails."""
    return face == 1 or (face != 20 and face <= attribute)


CHANCES = tuple(Fraction(faces, 20) for faces in range(20))
"""The chance to pass a save by the number of faces that pass."""


def save_chance(attribute: int) -> Fraction:
    """Chance to pass a save."""
    return CHANCES[min(19, max(1, attribute))]


def better(figure: Figure) -> str:
    """The attribute for what either may do: STR, unless DEX is higher."""
    return "str" if figure.str_now >= figure.dex_now else "dex"


def save(resolution: Resolution, who: int, attribute: str, why: str) -> bool:
    """A save, thrown and told. `attribute` is `str`, `dex` or `wil`."""
    success, _ = save_roll(resolution, who, attribute, why)
    return success


def save_roll(resolution: Resolution, who: int, attribute: str, why: str, score: int | None = None) -> tuple[bool, int]:
    """(passed, the face): a save against one's own score, or against a leader's (`score`)."""
    rating = getattr(resolution.figures[who], f"{attribute}_now") if score is None else score
    resolution.dice.thrower = resolution.being(who).id
    thrown: Roll = roll(resolution.dice, text("{attribute} save", attribute=WORDS[attribute]), 1, 20, exploding=False)
    success = passes(thrown.total, rating)
    resolution.events.append(Check(
        by=resolution.being(who).id,
        what=text("{attribute} {save}: {why}", attribute=Term(WORDS[attribute]), save=Term("save"), why=why),
        roll=thrown, rating=rating, success=success
    ))  # fmt: skip
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
        tell_of(resolution, who, condition, because=because)
    return True


def tell_of(
    resolution: Resolution, who: int, condition: Condition, *, gained: bool = True, because: str = "",
    rolls: tuple[Roll, ...] = (),
) -> None:  # fmt: skip
    """That somebody is in a condition from now on, or no longer."""
    being = resolution.being(who)
    resolution.events.append(
        Told(target=being.id, condition=condition.name, gained=gained, because=because, rolls=rolls)
    )


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
        tell_of(resolution, who, condition, gained=False, because=because)


def gap(state: CairnState | Resolution, who: int, other: int) -> int:
    """Spaces between two creatures; more than any map has where one of them is on none."""
    beings, figures = state.setup.beings, state.figures
    a, b = figures[who].cell, figures[other].cell
    if a < 0 or b < 0:
        return MAX_SIDE
    return state.terrain.distance(a, b, beings[who].space, beings[other].space)


def gripped(state: CairnState | Resolution, who: int) -> bool:
    """Whether it is a foe's own hands or maw that hold somebody, not a net or the floor."""
    return any(holds_on(state, who, each) for each in state.figures[who].lasting)


def holds_on(state: CairnState | Resolution, who: int, each: Lasting) -> bool:
    """Whether a creature keeps up this grip on somebody: able to, where it is by hand; alive, where it is a maw."""
    holder = state.setup.index.get(each.by)
    if holder is None or gap(state, who, holder) > 1:
        return False
    if each.name in MAWS:
        return fighting(state.figures[holder])
    return each.name == RESTRAINED.name and bool(each.save) and able(state.figures[holder])


def loosened(state: CairnState | Resolution, who: int) -> list[str]:
    """The grips on somebody that nobody keeps up any more."""
    grips = (
        e for e in state.figures[who].lasting if e.by and (e.name in MAWS or (e.name == RESTRAINED.name and e.save))
    )
    return [each.name for each in grips if not holds_on(state, who, each)]

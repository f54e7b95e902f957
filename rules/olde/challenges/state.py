"""What a map hides and locks: secret doors, traps, chests; how they stand, which side knows of them (olde.md §8).

Secrets are numbered: the field's doors first, then its challenges. A side knows those whose bits it has.
"""

from __future__ import annotations

from rules.board.grid import Field
from rules.contract.errors import RecordError
from rules.contract.events import Challenge as Told
from rules.contract.events import Roll
from rules.contract.text import joined
from rules.core import secrets
from rules.core.secrets import Stands, with_secret
from rules.explore.state import put
from rules.olde.conditions import SPRUNG
from rules.olde.state import STANDING, Fighter, Figure, OldeState, Resolution, Setup

RULE = "olde.md §8"


def check(field: Field) -> None:
    """Refuse challenges that the rules can't play. Raises RecordError."""
    for c in field.challenges:
        if c.effect and c.effect not in SPRUNG:
            told = "map: {kind} {id}: effect {effect} is none of {known}"
            raise RecordError(told, c.kind, repr(c.id), repr(c.effect), joined(", ", SPRUNG))


def knows(state: OldeState, side: str, challenge: int) -> bool:
    """Whether a side knows of a trap or a chest."""
    return secrets.knows(state.setup.field, state.found, side, challenge)


def snares(state: OldeState, side: str, *, known: bool) -> int:
    """Bitboard of the spaces with armed traps that a side knows of, or doesn't. Remembered."""
    memo, key = state.setup.memo, ("snares", state.challenges, state.found, side, known)
    kept: int | None = memo.get(key)
    if kept is None:
        field = state.setup.field
        kept = memo[key] = secrets.snares(field, state.challenges, state.found, side, known=known)
    return kept


def set_state(
    resolution: Resolution, number: int, state: Stands, by: str, *, inside: str | None = None, how: str = "",
    rolls: tuple[Roll, ...] = (),
) -> None:  # fmt: skip
    """A trap or chest stands otherwise from now on; `inside`: what was in it, where the map's own words don't say."""
    resolution.challenges = put(resolution.challenges, number, state.value)
    challenge = resolution.setup.field.challenges[number]
    contents = challenge.contents if inside is None else inside
    told_inside, at = contents if state is Stands.OPEN else "", resolution.space(challenge.cells[0])
    told = Told(
        by=by, challenge=challenge.id, kind=challenge.kind, state=state.value, at=at, contents=told_inside, how=how,
        rolls=rolls,
    )  # fmt: skip
    resolution.events.append(told)


def learn(resolution: Resolution, side: str, secret: int, by: str) -> None:
    """A side has found a secret."""
    resolution.found = with_secret(resolution.found, side, secret)
    sides = [f.side for f in resolution.setup.fighters]
    resolution.events.append(secrets.discovery(resolution.setup.field, secret, by, side, sides))


# -- who is where ---------------------------------------------------------------------------------------


def in_water(setup: Setup, fighter: Fighter, figure: Figure) -> bool:
    """Whether a creature lies or swims in deep water; a flyer on its wings does not."""
    found, width, cell = setup.obstacles, setup.field.width, figure.cell
    if found is None or cell < 0 or not found.water or (figure.posture == STANDING and fighter.traits.flies):
        return False
    return any(found.water >> cell + y * width + x & 1 for y in range(fighter.space) for x in range(fighter.space))

"""What a map hides and locks: secret doors, traps, chests; how they stand, which side knows of them (olde.md §8).

Secrets are numbered: the field's doors first, then its challenges. A side knows those whose bits it has.
"""

from __future__ import annotations

from rules.board.grid import Field
from rules.contract.errors import RecordError
from rules.contract.events import Challenge as Told
from rules.contract.text import joined, text
from rules.core import secrets
from rules.core.secrets import bits_of, with_secret
from rules.olde.conditions import SPRUNG
from rules.olde.state import OldeState, Resolution

RULE = "olde.md §8"


def check(field: Field) -> None:
    """Refuse challenges that the rules can't play. Raises RecordError."""
    for c in field.challenges:
        if c.effect and c.effect not in SPRUNG:
            known = joined(", ", SPRUNG)
            raise RecordError(
                text(
                    "map: {kind} {id}: effect {effect} is none of {known}",
                    kind=c.kind,
                    id=repr(c.id),
                    effect=repr(c.effect),
                    known=known,
                )
            )


def knows_door(state: OldeState, side: str, door: int) -> bool:
    """Whether a side knows of a door that is a secret one."""
    return bool(bits_of(state.found, (side,)) >> door & 1)


def knows(state: OldeState, side: str, challenge: int) -> bool:
    """Whether a side knows of a trap or a chest."""
    return secrets.knows(state.setup.field, state.found, side, challenge)


def door_state(state: OldeState, side: str, door: int) -> str:
    """How a door stands as far as a side knows: a secret one that it has found is a closed door."""
    now = state.doors[door]
    return "closed" if now == "secret" and knows_door(state, side, door) else now


def snares(state: OldeState, side: str, *, known: bool) -> int:
    """Bitboard of the spaces with armed traps that a side knows of, or doesn't. Remembered."""
    memo, key = state.setup.memo, ("snares", state.challenges, state.found, side, known)
    kept: int | None = memo.get(key)
    if kept is None:
        field = state.setup.field
        kept = memo[key] = secrets.snares(field, state.challenges, state.found, side, known=known)
    return kept


def set_state(resolution: Resolution, number: int, state: str, by: str) -> None:
    """A trap or chest stands otherwise from now on."""
    states = list(resolution.challenges)
    states[number] = state
    resolution.challenges = tuple(states)
    challenge = resolution.setup.field.challenges[number]
    resolution.events.append(
        Told(by=by, challenge=challenge.id, kind=challenge.kind, state=state, at=resolution.space(challenge.cells[0]),
             contents=challenge.contents if state == "open" else "")
    )  # fmt: skip


def learn(resolution: Resolution, side: str, secret: int, by: str) -> None:
    """A side has found a secret."""
    resolution.found = with_secret(resolution.found, side, secret)
    sides = [f.side for f in resolution.setup.fighters]
    resolution.events.append(secrets.discovery(resolution.setup.field, secret, by, side, sides))

"""What a map hides and locks: secret doors, traps, chests; how they stand, which side knows of them (olde.md §8).

Secrets are numbered: the field's doors first, then its challenges. A side knows those whose bits it has.
"""

from __future__ import annotations

import msgspec

from rules.errors import RecordError
from rules.events import Challenge as Told
from rules.grid import Challenge, Field, board_of
from rules.olde.state import OldeState, Work
from rules.secrets import bits_of, with_secret

RULE = "olde.md §8"


def at_first(field: Field, sides: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[tuple[str, int], ...]]:
    """How the challenges stand at the start, and what each side knows then."""
    states = tuple("locked" if c.kind == "chest" else "set" for c in field.challenges)
    if not field.challenges and not any(door.state == "secret" for door in field.doors):
        return states, ()
    offset, found = len(field.doors), []
    for side in dict.fromkeys(sides):
        bits = 0
        for i, challenge in enumerate(field.challenges):
            if not challenge.hidden or side in challenge.known:
                bits |= 1 << offset + i
        found.append((side, bits))
    return states, tuple(found)


def check(field: Field) -> None:
    """Refuse challenges that the rules can't play. Raises RecordError."""
    from rules.olde.conditions import CONDITIONS, FLAGS

    for c in field.challenges:
        if c.effect and c.effect not in CONDITIONS and c.effect not in FLAGS:
            known = ", ".join((*FLAGS, *CONDITIONS))
            raise RecordError(f"map: {c.kind} {c.id!r}: effect {c.effect!r} is none of {known}")


def knows_door(state: OldeState, side: str, door: int) -> bool:
    """Whether a side knows of a door that is a secret one."""
    return bool(bits_of(state.found, (side,)) >> door & 1)


def knows(state: OldeState, side: str, challenge: int) -> bool:
    """Whether a side knows of a trap or a chest."""
    return bool(bits_of(state.found, (side,)) >> len(state.doors) + challenge & 1)


def door_state(state: OldeState, side: str, door: int) -> str:
    """How a door stands as far as a side knows: a secret one that it has found is a closed door."""
    now = state.doors[door]
    return "closed" if now == "secret" and knows_door(state, side, door) else now


def snares(state: OldeState, side: str, *, known: bool) -> int:
    """Bitboard of the spaces with armed traps that a side knows of, or doesn't. Remembered."""
    memo, key = state.setup.memo, ("snares", state.challenges, state.found, side, known)
    kept: int | None = memo.get(key)
    if kept is None:
        kept = memo[key] = _snares(state, side, known=known)
    return kept


def _snares(state: OldeState, side: str, *, known: bool) -> int:
    out = 0
    for i, challenge in enumerate(state.setup.field.challenges):
        if challenge.kind == "trap" and state.challenges[i] == "set" and knows(state, side, i) == known:
            out |= board_of(challenge.cells)
    return out


def set_state(work: Work, number: int, state: str, by: str) -> None:
    """A trap or chest stands otherwise from now on."""
    states = list(work.challenges)
    states[number] = state
    work.challenges = tuple(states)
    challenge = work.setup.field.challenges[number]
    work.events.append(
        Told(by=by, challenge=challenge.id, kind=challenge.kind, state=state, at=work.space(challenge.cells[0]),
             contents=challenge.contents if state == "open" else "")
    )  # fmt: skip


def learn(work: Work, side: str, secret: int, by: str) -> None:
    """A side has found a secret."""
    work.found = with_secret(work.found, side, secret)
    field = work.setup.field
    if secret < len(field.doors):
        door = field.doors[secret]
        told = Told(by=by, challenge=door.id, kind="door", state="found", at=work.space(door.cell))
    else:
        one = field.challenges[secret - len(field.doors)]
        told = Told(by=by, challenge=one.id, kind=one.kind, state="found", at=work.space(one.cells[0]))
    own = tuple(dict.fromkeys(f.side for f in work.setup.fighters if f.side == side))
    others = any(f.side != side for f in work.setup.fighters)
    work.events.append(msgspec.structs.replace(told, seen_by=own) if others else told)


def named(field: Field, name: str) -> tuple[int, Challenge] | None:
    """A challenge by its id."""
    for i, challenge in enumerate(field.challenges):
        if challenge.id == name:
            return i, challenge
    return None

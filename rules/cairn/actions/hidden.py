"""What maps hide and lock, in a fight: secret doors, traps, chests (cairn.md §1, §2.12)."""

from __future__ import annotations

from rules.board.bitboard import board_of
from rules.cairn.state import CairnState, Resolution, aloft
from rules.contract.events import Challenge as Told
from rules.core.secrets import discovery, doors_known, known_to_all, knows, snares, with_secret

RULE = "cairn.md §1"


def door_state(state: CairnState | Resolution, side: str, number: int) -> str:
    """How a door stands as far as a side knows: a secret one that it has found is a closed door."""
    now = state.doors[number]
    return doors_known(state.doors, state.found, (side,))[number] if now == "secret" else now


def door_named(state: CairnState | Resolution, side: str, name: str | None) -> int | None:
    """The number of a door that a side knows of, by its name."""
    for number, door in enumerate(state.setup.field.doors):
        if door.id == name and door_state(state, side, number) != "secret":
            return number
    return None


def known_snares(state: CairnState | Resolution, who: int) -> int:
    """Bitboard of the spaces with armed traps that somebody's side knows of; none matters to what is off the floor."""
    being, figure = state.setup.beings[who], state.figures[who]
    if not state.found or aloft(being, figure):
        return 0
    return snares(state.setup.field, state.challenges, state.found, being.side, known=True)


def armed(resolution: Resolution, who: int, before: int, there: int, *, thrown: bool = False) -> list[int]:
    """The armed traps that a step leads onto: those that its side does not know of, or all where it is thrown there."""
    being = resolution.being(who)
    if not resolution.found or aloft(being, resolution.figures[who]):
        return []
    field = resolution.setup.field
    cells = resolution.terrain.footprint(there, being.space) & ~resolution.terrain.footprint(before, being.space)
    return [
        i
        for i, trap in enumerate(field.challenges)
        if trap.kind == "trap" and resolution.challenges[i] == "set" and board_of(trap.cells) & cells
        if thrown or not knows(field, resolution.found, being.side, i)
    ]


def set_state(resolution: Resolution, number: int, state: str, by: int) -> None:
    """A trap or a chest stands otherwise from now on, and everybody knows of it."""
    field = resolution.setup.field
    one = field.challenges[number]
    resolution.challenges = (*resolution.challenges[:number], state, *resolution.challenges[number + 1 :])
    resolution.found = known_to_all(resolution.found, len(field.doors) + number)
    resolution.events.append(
        Told(
            by=resolution.being(by).id,
            challenge=one.id,
            kind=one.kind,
            state=state,
            at=resolution.space(one.cells[0]),
            contents=one.contents if state == "open" else "",
        )
    )


def learn(resolution: Resolution, who: int, secret: int) -> None:
    """Somebody has found a secret for its side."""
    being = resolution.being(who)
    resolution.found = with_secret(resolution.found, being.side, secret)
    sides = [each.side for each in resolution.setup.beings]
    resolution.events.append(discovery(resolution.setup.field, secret, being.id, being.side, sides))

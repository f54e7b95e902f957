"""What maps hide and lock, in a fight: secret doors, traps, chests (cairn.md §1, §2.12)."""

from __future__ import annotations

from rules.board.bitboard import board_of
from rules.cairn.state import CairnState, Work, aloft
from rules.contract.events import Challenge as Told
from rules.core.secrets import discovery, doors_known, known_to_all, knows, snares, with_secret

RULE = "cairn.md §1"


def door_state(state: CairnState | Work, side: str, number: int) -> str:
    """How a door stands as far as a side knows: a secret one that it has found is a closed door."""
    now = state.doors[number]
    return doors_known(state.doors, state.found, (side,))[number] if now == "secret" else now


def door_named(state: CairnState | Work, side: str, name: str | None) -> int | None:
    """The number of a door that a side knows of, by its name."""
    for number, door in enumerate(state.setup.field.doors):
        if door.id == name and door_state(state, side, number) != "secret":
            return number
    return None


def known_snares(state: CairnState | Work, who: int) -> int:
    """Bitboard of the spaces with armed traps that somebody's side knows of; none matters to what is off the floor."""
    being, figure = state.setup.beings[who], state.figures[who]
    if not state.found or aloft(being, figure):
        return 0
    return snares(state.setup.field, state.challenges, state.found, being.side, known=True)


def armed(work: Work, who: int, before: int, there: int, *, thrown: bool = False) -> list[int]:
    """The armed traps that a step leads onto: those that its side does not know of, or all where it is thrown there."""
    being = work.being(who)
    if not work.found or aloft(being, work.figures[who]):
        return []
    field = work.setup.field
    cells = work.terrain.footprint(there, being.space) & ~work.terrain.footprint(before, being.space)
    return [
        i
        for i, trap in enumerate(field.challenges)
        if trap.kind == "trap" and work.challenges[i] == "set" and board_of(trap.cells) & cells
        if thrown or not knows(field, work.found, being.side, i)
    ]


def set_state(work: Work, number: int, state: str, by: int) -> None:
    """A trap or a chest stands otherwise from now on, and everybody knows of it."""
    field = work.setup.field
    one = field.challenges[number]
    work.challenges = (*work.challenges[:number], state, *work.challenges[number + 1 :])
    work.found = known_to_all(work.found, len(field.doors) + number)
    work.events.append(
        Told(by=work.being(by).id, challenge=one.id, kind=one.kind, state=state, at=work.space(one.cells[0]),
             contents=one.contents if state == "open" else "")
    )  # fmt: skip


def learn(work: Work, who: int, secret: int) -> None:
    """Somebody has found a secret for its side."""
    being = work.being(who)
    work.found = with_secret(work.found, being.side, secret)
    sides = [each.side for each in work.setup.beings]
    work.events.append(discovery(work.setup.field, secret, being.id, being.side, sides))

"""Narrow places: where one creature stops everybody else."""

from __future__ import annotations

from rules.board.grid import DIRECTIONS, Terrain


def narrow(terrain: Terrain) -> int:
    """The spaces where one creature stops everybody else: its open neighbours fall apart without it. Remembered."""
    found: int | None = terrain.memo.get("narrow")
    if found is None:
        found = terrain.memo["narrow"] = _narrow(terrain)
    return found


def _narrow(terrain: Terrain) -> int:
    """All spaces at once: a bitboard per direction says where the neighbour there is open, another where one can walk
    to it from the first open neighbour without leaving them."""
    moves = terrain.steps(1).moves
    links = [
        (one, other, _shifted(moves[step][0], -moves[one][1]) & moves[one][0] & moves[other][0])
        for one, other, step in _RING
    ]
    joined, begun = [], 0
    for is_open, _ in moves:
        joined.append(is_open & ~begun)
        begun |= is_open
    grown = True
    while grown:
        grown = False
        for one, other, link in links:
            more = joined[one] & link & ~joined[other]
            if more:
                joined[other] |= more
                grown = True
    apart = 0
    for (is_open, _), there in zip(moves, joined, strict=True):
        apart |= is_open & ~there
    return apart


def _shifted(board: int, shift: int) -> int:
    return board << shift if shift > 0 else board >> -shift


_RING = [
    (one, other, DIRECTIONS.index((x - a, y - b)))
    for one, (a, b) in enumerate(DIRECTIONS)
    for other, (x, y) in enumerate(DIRECTIONS)
    if (x - a, y - b) in DIRECTIONS
]
"""(neighbour, another, the direction from the one to the other) for neighbours side by side."""

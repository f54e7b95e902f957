"""Bitboards: sets of spaces as Python integers, a bit for each space."""

from __future__ import annotations

from collections.abc import Iterable

Cell = int
"""A space: row × width + column."""
_FEW = 16
"""So many spaces are taken off a bitboard one by one; more are found faster in its digits."""
_WIDE = 4096
"""A bitboard with so many spaces is large enough for that to matter when it's put together."""


def cells_of(board: int) -> list[Cell]:
    """The spaces of a bitboard in ascending order."""
    cells: list[Cell] = []
    first = (board & -board).bit_length() - 1  # the empty low part of a large map's board needn't be looked at
    board >>= max(first, 0)
    if board.bit_count() <= _FEW:
        while board:
            low = board & -board
            cells.append(first + low.bit_length() - 1)
            board ^= low
        return cells
    digits = f"{board:b}"[::-1]
    place = digits.find("1")
    while place >= 0:
        cells.append(first + place)
        place = digits.find("1", place + 1)
    return cells


def board_of(cells: Iterable[Cell]) -> int:
    """The bitboard of some spaces."""
    found = tuple(cells)
    if len(found) > _FEW and (high := max(found)) >= _WIDE:  # bit by bit, each would copy the whole board
        bits = bytearray(high // 8 + 1)
        for cell in found:
            bits[cell >> 3] |= 1 << (cell & 7)
        return int.from_bytes(bits, "little")
    board = 0
    for cell in found:
        board |= 1 << cell
    return board


def where(kinds: bytes, *wanted: int) -> int:
    """The bitboard of the spaces whose kind (one byte per space) is among those wanted."""
    digits = kinds.translate(bytes(49 if kind in wanted else 48 for kind in range(256)))
    return int(digits[::-1] or b"0", 2)

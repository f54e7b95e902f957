"""What an integer is: names that keep spaces, sets of spaces, creatures and measures apart, at no cost in a fight."""

from __future__ import annotations

CreatureIx = int
"""Which creature of a fight: its place in the state's tuple of creatures, from 0, in the record's order."""

Cell = int
"""A space of the map: row × width + column, from 0 to width × height − 1."""

Bitboard = int
"""A set of spaces: bit `cell` for each, from 0 (none of them) to 2 ** (width × height) − 1."""

EMPTY = Bitboard(0)
"""No space at all."""

NOWHERE = Cell(-1)
"""No space: of a creature that is not on the board, a spell that's aimed at none."""

"""What an integer is: types that keep spaces and sets of spaces apart from other numbers, at no cost in a fight.

At run time all of them are plain `int`, in states and records too. To mypy each is a kind of its own: a creature's
number, a distance or any bare `int` where a space is wanted is an error. A value gets its type where it's made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

# NewType forgets what a value is with the first operator. Spaces are stepped from and boards cut and joined in inner
# loops, where to say it again would cost a call each time: here the operators say what comes of them.
if TYPE_CHECKING:

    class Cell(int):
        """A space of the map: row × width + column, from 0 to width × height − 1."""

        def __add__(self, shift: int, /) -> Cell: ...
        def __sub__(self, shift: int, /) -> Cell: ...
        def __rlshift__(self, one: int, /) -> Bitboard: ...

    class Bitboard(int):
        """A set of spaces: bit `cell` for each, from 0 (none of them) to 2 ** (width × height) − 1; −1 for all."""

        def __and__(self, other: int, /) -> Bitboard: ...
        def __or__(self, other: int, /) -> Bitboard: ...
        def __xor__(self, other: int, /) -> Bitboard: ...
        def __lshift__(self, bits: int, /) -> Bitboard: ...
        def __rshift__(self, bits: int, /) -> Bitboard: ...
        def __invert__(self) -> Bitboard: ...
        def __rmul__(self, row: int, /) -> Bitboard: ...

        __rand__, __ror__ = __and__, __or__

else:
    Cell = Bitboard = int

EMPTY = Bitboard(0)
"""No space at all."""

NOWHERE = Cell(-1)
"""No space: of a creature that is not on the board, of a spell that's aimed at none."""

"""What an integer is: types that keep spaces, sets of spaces, creatures, time and length apart, at no cost in a fight.

At run time all of them are plain `int`, in states and records too. To mypy each is a kind of its own: a creature's
number where a space is wanted is an error, and so is a bare `int`. A value gets its type where it's made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar, overload

# NewType forgets what a value is with the first operator. Spaces are stepped from and boards cut and joined in inner
# loops, where to say it again would cost a call each time: here the operators say what comes of them. A part of a
# time or a length is one; how often one goes into another is a number, as spaces are: `Eighths // SPACE`, `Feet // 5`.
# What is unlike adds up to nothing that fits anywhere: an `object`.
if TYPE_CHECKING:

    class CreatureIx(int):
        """Which creature of a fight: its place in the state's tuple of creatures, from 0, in the record's order."""

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

    class Seconds(int):
        """A second of the fight, counted from its beginning, or so many of them."""

        @overload
        def __add__(self, unlike: Cell | Feet | Eighths, /) -> object: ...  # type: ignore[overload-overlap]
        @overload
        def __add__(self, later: int, /) -> Seconds: ...
        def __add__(self, other: int, /) -> object: ...
        @overload
        def __sub__(self, unlike: Cell | Feet | Eighths, /) -> object: ...  # type: ignore[overload-overlap]
        @overload
        def __sub__(self, earlier: int, /) -> Seconds: ...
        def __sub__(self, other: int, /) -> object: ...
        @overload
        def __mul__(self, pace: Eighths, /) -> Eighths: ...  # type: ignore[overload-overlap]
        @overload
        def __mul__(self, times: int, /) -> Seconds: ...
        def __mul__(self, by: int, /) -> int: ...
        @overload
        def __floordiv__(self, time: Seconds, /) -> int: ...  # type: ignore[overload-overlap]
        @overload
        def __floordiv__(self, parts: int, /) -> Seconds: ...
        def __floordiv__(self, by: int, /) -> int: ...
        def __neg__(self) -> Seconds: ...

        __radd__, __rsub__, __rmul__ = __add__, __sub__, __mul__

    class Feet(int):
        """A length in feet."""

        @overload
        def __add__(self, unlike: Cell | Seconds | Eighths, /) -> object: ...  # type: ignore[overload-overlap]
        @overload
        def __add__(self, more: int, /) -> Feet: ...
        def __add__(self, other: int, /) -> object: ...
        @overload
        def __sub__(self, unlike: Cell | Seconds | Eighths, /) -> object: ...  # type: ignore[overload-overlap]
        @overload
        def __sub__(self, less: int, /) -> Feet: ...
        def __sub__(self, other: int, /) -> object: ...
        def __mul__(self, times: int, /) -> Feet: ...
        def __mod__(self, length: int, /) -> Feet: ...
        def __neg__(self) -> Feet: ...

        __radd__, __rsub__, __rmul__ = __add__, __sub__, __mul__

    class Eighths(int):
        """A length in eighths of a foot, or so many a second."""

        @overload
        def __add__(self, unlike: Cell | Seconds | Feet, /) -> object: ...  # type: ignore[overload-overlap]
        @overload
        def __add__(self, more: int, /) -> Eighths: ...
        def __add__(self, other: int, /) -> object: ...
        @overload
        def __sub__(self, unlike: Cell | Seconds | Feet, /) -> object: ...  # type: ignore[overload-overlap]
        @overload
        def __sub__(self, less: int, /) -> Eighths: ...
        def __sub__(self, other: int, /) -> object: ...
        def __mul__(self, times: int, /) -> Eighths: ...
        @overload
        def __floordiv__(self, length: Eighths, /) -> int: ...  # type: ignore[overload-overlap]
        @overload
        def __floordiv__(self, parts: int, /) -> Eighths: ...
        def __floordiv__(self, by: int, /) -> int: ...
        def __mod__(self, length: int, /) -> Eighths: ...
        def __neg__(self) -> Eighths: ...

        __radd__, __rsub__, __rmul__ = __add__, __sub__, __mul__

else:
    CreatureIx = Cell = Bitboard = Seconds = Feet = Eighths = int

EMPTY = Bitboard(0)
"""No space at all."""

NOWHERE = Cell(-1)
"""No space: of a creature that is not on the board, of a spell that's aimed at none."""

INSTANT = Seconds(0)
"""No time at all; the beginning of the fight."""

SECOND = Seconds(1)
"""One second."""

NO_CREATURE = CreatureIx(-1)
"""Nobody's number: of a loss that nobody dealt, of a hold on nobody."""

T = TypeVar("T")

if TYPE_CHECKING:

    def numbered(creatures: Iterable[T], /) -> Iterator[tuple[CreatureIx, T]]:
        """Creatures, or something of each, with their numbers."""
        ...

    def first_creatures(count: int, /) -> Sequence[CreatureIx]:
        """The numbers of so many creatures."""
        ...

else:
    numbered, first_creatures = enumerate, range

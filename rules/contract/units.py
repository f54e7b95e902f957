"""What an integer is: types that keep spaces, sets of spaces, creatures, time and length apart, at no cost in a fight.

At run time all of them are plain `int`, in states and records too. To mypy each is a kind of its own: a creature's
number where a space is wanted is an error, and so is a bare `int`. A value gets its type where it's made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Self, TypeVar, overload

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

    class _Measure(int):
        @overload
        def __add__(self, like: Self, /) -> Self: ...
        @overload
        def __add__(self, unlike: Cell | _Measure, /) -> object: ...  # type: ignore[overload-overlap]
        @overload
        def __add__(self, more: int, /) -> Self: ...
        def __add__(self, other: int, /) -> object: ...
        @overload
        def __sub__(self, like: Self, /) -> Self: ...
        @overload
        def __sub__(self, unlike: Cell | _Measure, /) -> object: ...  # type: ignore[overload-overlap]
        @overload
        def __sub__(self, less: int, /) -> Self: ...
        def __sub__(self, other: int, /) -> object: ...
        def __mul__(self, times: int, /) -> Self: ...
        @overload
        def __floordiv__(self, measure: Self, /) -> int: ...  # type: ignore[overload-overlap]
        @overload
        def __floordiv__(self, parts: int, /) -> Self: ...
        def __floordiv__(self, by: int, /) -> int: ...
        def __mod__(self, measure: int, /) -> Self: ...
        def __neg__(self) -> Self: ...

        __radd__, __rsub__, __rmul__ = __add__, __sub__, __mul__

    class Seconds(_Measure):
        """A second of the fight, counted from its beginning, or so many of them."""

        @overload
        def __mul__(self, pace: Eighths, /) -> Eighths: ...  # type: ignore[overload-overlap]
        @overload
        def __mul__(self, times: int, /) -> Seconds: ...
        def __mul__(self, by: int, /) -> int: ...

    class Feet(_Measure):
        """A length in feet."""

    class Eighths(_Measure):
        """A length in eighths of a foot, or so many a second."""

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

    def first_creatures(count: int, /) -> Sequence[CreatureIx]:
        """The numbers of so many creatures."""

else:
    numbered, first_creatures = enumerate, range

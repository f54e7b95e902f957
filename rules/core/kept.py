"""What was worked out of each creature, kept for as long as its figure is the same one.

Of sixty creatures two or three change with an action; what is asked of all of them at every action is worked out anew
for those alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from rules.board.grid import Terrain
from rules.contract.units import CreatureIx

V = TypeVar("V")


def of_each(
    terrain: Terrain, name: str, figures: Sequence[object], make: Callable[[CreatureIx], V], also: object = None
) -> list[V]:
    """`make(i)` of each creature i, remembered with the ground; `also`: what it hangs on besides the figure. What is
    returned is never to be changed."""
    known: tuple[list[object], object, list[Any]] | None = terrain.memo.get(name)
    if known is None or known[1] != also or len(known[0]) != len(figures):
        found = [make(CreatureIx(i)) for i in range(len(figures))]
    else:
        same = zip(figures, known[0], known[2], strict=True)
        found = [had if now is then else make(CreatureIx(i)) for i, (now, then, had) in enumerate(same)]
    terrain.memo[name] = (list(figures), also, found)  # one value, so that nobody reads half of it
    return found

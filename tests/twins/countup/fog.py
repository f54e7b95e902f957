"""What a side sees in the fog of war, and what it may order by that (docs/hotseat.md, countup.md §3)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.twins.countup.fight import Fight
from tests.twins.countup.ground import Spot, apart, block
from tests.twins.countup.light import NIGHT, level, lights
from tests.twins.countup.people import Person
from tests.twins.countup.spells import smoked


def known(f: Fight, side: str, q: Person) -> bool:
    """Whether a side knows where somebody is: its own always, others by any of their spaces that one of it sees."""
    mine = [p for p in f.living() if p.side == side]
    return q.side == side or any(sees(f, p, spot) for p in mine for spot in block(q.at, q.space))


def sees(f: Fight, p: Person, spot: Spot) -> bool:
    """In a line of sight; a neighbour in any light and smoke, others only where it is light enough for one's eyes."""
    far = apart(p.at, p.space, spot, 1)
    if far and not f.ground.sight(p.at, p.space, spot, 1):
        return False
    if far <= 1:
        return True
    if smoked(f, block(p.at, p.space), [spot]):
        return False
    if not f.options.get("darkness") or p.block.get("dark_sight") or level(f, spot) != "dark":
        return True
    near = any(apart(at, space, spot, 1) <= NIGHT for at, space, _, _ in lights(f))
    return bool(p.block.get("low_light")) and near and spot not in f.zone("dark")


@contextmanager
def as_seen_by(f: Fight, side: str) -> Iterator[None]:
    """Whoever a side doesn't see is gone."""
    unseen = [q for q in f.living() if not known(f, side, q)]
    for q in unseen:
        q.unseen = True
    try:
        yield
    finally:
        for q in unseen:
            q.unseen = False

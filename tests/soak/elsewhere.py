"""The same fight with the unseen standing elsewhere: whoever looks must see the very same frame, pixel for pixel.

python -m tests.soak.elsewhere FROM TO      the seeds of the soak, in fog
"""

from __future__ import annotations

import copy
import random
import sys
from collections.abc import Iterator
from typing import Any

import pygame

from game.fight.match import Match
from game.scenes.fight.hotseat import Handover
from rules.contract.errors import BattlematError
from tests.soak.encounters import Case, drawn
from tests.soak.table import Table

SPOTS = 5
"""Spaces that are pointed at beside those where somebody unseen stands."""
TRIES = 60


def two(case: Case, seed: int) -> tuple[Case, Case] | None:
    """The case twice, with all others than the first seat's where that seat doesn't see them; None: nowhere."""
    case = copy.deepcopy(case)
    with Table(case) as table:
        table.begin()
        fight = table.fight
        if fight is None or fight.eyes.sides is None or fight.match.history.length:
            return None
        sight, sides = fight.eyes.sight(), fight.eyes.sides
        assert sight is not None
        field = fight.match.field
        fits = field.terrain().fits
        dark = [field.at(cell) for cell in field.cells if fits(cell) and not sight.ever >> cell & 1]
    own = {str(c["id"]) for c in case["record"]["creatures"] if c["side"] in sides}
    if len(dark) < 2 or len(own) == len(case["record"]["creatures"]):
        return None
    lot, found = random.Random(seed), list[Case]()
    for _ in range(TRIES):
        moved = copy.deepcopy(case)
        for creature in moved["record"]["creatures"]:
            if creature["id"] not in own:
                creature["at"] = list(lot.choice(dark))
        if _stands(moved["record"], sides, own):
            found.append(moved)
            if len(found) == 2:
                return found[0], found[1]
    return None


def _stands(record: dict[str, Any], sides: tuple[str, ...], own: set[str]) -> bool:
    """Whether a fight can begin so, and these sides see none but their own."""
    try:
        match = Match.from_record(record)
    except BattlematError:
        return False
    return {mini.id for mini in match.ruleset.board(match.observe(*sides)).miniatures} == own


def frames(case: Case, spots: list[tuple[int, int]]) -> list[tuple[str, pygame.Surface]]:
    """The first frames of the seat that begins: at rest, and while it points at some spaces."""
    return list(_frames(case, spots))  # to its end: a table put on another's must go before it


def _frames(case: Case, spots: list[tuple[int, int]]) -> Iterator[tuple[str, pygame.Surface]]:
    with Table(case) as table:
        table.begin()
        for _ in range(8):
            if not isinstance(table.loop.top, Handover):
                break
            table.hand.do(["press", "ready"])
        yield "at rest", _frame(table)
        for spot in spots:
            if table.fight is not None and table.fight is table.loop.top and table.fight.plan is not None:
                table.hand.do(["hover", *spot])
                table.loop.let(0.0)
                yield f"pointing at {spot}", _frame(table)


def _frame(table: Table) -> pygame.Surface:
    table.loop.picture()
    return table.loop.surface.copy()


def difference(case: Case, other: Case) -> str:
    """What the seat that begins could tell two cases apart by; empty for nothing."""
    lot = random.Random(7)
    there = [tuple(c["at"]) for each in (case, other) for c in each["record"]["creatures"]]
    spots = sorted({*there, *((lot.randrange(20), lot.randrange(14)) for _ in range(SPOTS))})
    for (when, one), (_, two) in zip(frames(case, spots), frames(other, spots), strict=True):
        changed = pygame.PixelArray(one).compare(pygame.PixelArray(two)).make_surface() if _differ(one, two) else None
        if changed is not None:
            mask = pygame.mask.from_threshold(changed, (0, 0, 0), (1, 1, 1, 255))
            return f"{when}: in {[tuple(r) for r in mask.get_bounding_rects()][:3]}"
    return ""


def _differ(one: pygame.Surface, two: pygame.Surface) -> bool:
    return pygame.image.tobytes(one, "RGB") != pygame.image.tobytes(two, "RGB")


def main(first: int, last: int) -> int:
    """Compare the seeds' cases in fog with themselves; the number that could be told apart."""
    found = 0
    for seed in range(first, last):
        case = drawn(seed, {"fog": "on"})
        pair = two(case, seed)
        told = difference(*pair) if pair is not None else ""
        found += bool(told)
        where = (case["record"]["ruleset"], case["map"], case["table"])
        print(seed, *where, told or ("alike" if pair else "nobody can be unseen"), flush=True)
    return found


if __name__ == "__main__":
    sys.exit(min(1, main(int(sys.argv[1]), int(sys.argv[2]))))

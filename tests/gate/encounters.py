"""Encounters from seeds, as record documents without commands: they follow from seed and pools, not the program."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.gate import grounds, people
from tests.gate.grounds import Space
from tests.gate.lot import Lot
from tests.gate.pools import kept

ON = {"fog": 40, "darkness": 35, "explore": 35, "reflexes": 30, "morale": 50}
"""How often in a hundred a switch is turned from its default, where it isn't thirty."""
LENGTHS = (10, 14, 18, 22, 26, 30, 36, 44, 60, 90)
"""Commands after which a random fight is broken off; the computer's are five times as long."""
SHORT = 30
"""… and where each die is thrown by hand."""


SIDES = {"heroes": "hero", "monsters": "monster", "rivals": "rival", "reds": "red", "blues": "blue"}


class Encounter(NamedTuple):
    """A fight to be played."""

    document: dict[str, Any]
    length: int
    by_hand: bool
    """Half of its dice are thrown by people, and so stand in the record."""
    tempers: tuple[str | None, ...]
    """How the computer plays its sides, over and over."""


def drawn(kind: str, ruleset: str, seed: int, attempt: int) -> Encounter | None:
    """The encounter of a seed, for `random` fights or for those of the `computer`; None where somebody finds no space.

    Where an attempt comes to nothing, be it here or because the rules refuse it, the next is another.
    """
    lot, pool = Lot(f"{kind} {ruleset} {seed} {attempt}"), kept()[ruleset]
    computer = kind == "computer"
    options = {name: not default for name, default in pool["switches"].items() if lot.chance(ON.get(name, 30))}
    ground = grounds.drawn(lot, 45 if computer else 70)
    frail = lot.chance(25)
    creatures: list[people.Block] = []
    spots = _spots(lot, ground)
    for side in _sides(lot):
        hero = side == "heroes"
        place = spots[:1] if not creatures else lot.pick((spots[1:3], spots[1:4], spots[3:8], spots[5:14])) or spots
        near = sorted(ground.free, key=_from(lot.pick(place)))
        for number in range(1, _count(lot, hero, computer) + 1):
            block = people.drawn(lot, ruleset, pool, hero, options, frail)
            at = _placed(lot, ground.free, near, people.space_of(pool, block))
            if at is None:
                return None
            creatures.append({"id": f"{SIDES[side]}.{number}", "side": side, "at": list(at), **block})
    _finished(lot, ruleset, options, ground, creatures)
    document = {
        "format": "battlemat/1", "ruleset": ruleset, "options": options, "map": ground.map,
        "seed": lot.below(1 << 40), "creatures": creatures, "commands": [],
    }  # fmt: skip
    by_hand = not computer and lot.chance(10)
    length = lot.pick(LENGTHS)
    return Encounter(
        document,
        min(length, SHORT) if by_hand else length * (5 if computer else 1),
        by_hand,
        tuple(lot.pick((None, None, *pool["tempers"])) for _ in range(3)),
    )


def _sides(lot: Lot) -> tuple[str, ...]:
    toss = lot.below(100)
    if toss < 85:
        return ("heroes", "monsters")
    return ("heroes", "monsters", "rivals") if toss < 95 else ("reds", "blues")


def _count(lot: Lot, hero: bool, many: bool) -> int:
    if lot.chance(5):
        return lot.between(4, 6)
    if many:
        return lot.between(1, 4) if hero else lot.between(2, 5)
    return lot.pick((1, 1, 2, 2, 3)) if hero else lot.pick((1, 1, 2, 2, 3, 4))


def _from(centre: Space) -> Any:
    """Sorts spaces by how far they are from one."""
    return lambda space: (max(abs(space[0] - centre[0]), abs(space[1] - centre[1])), space)


def _spots(lot: Lot, ground: grounds.Ground) -> list[Space]:
    """A first space drawn, often one at which there is something to do, and others that lie one farther each."""
    free, places = ground.free, ground.places
    first = min(free, key=_from(lot.pick(places))) if places and lot.chance(50) else lot.pick(free)
    ordered = sorted(free, key=_from(first))
    rings: dict[int, list[Space]] = {}
    for space in ordered:
        rings.setdefault(max(abs(space[0] - first[0]), abs(space[1] - first[1])), []).append(space)
    return [lot.pick(ring) for ring in rings.values()]


def _placed(lot: Lot, free: list[Space], near: list[Space], size: int) -> Space | None:
    """A space near the middle of its side on which it fits; the spaces it takes are free no more."""
    open_now = set(free)
    fitting = []
    for x, y in near:
        if all((x + i, y + j) in open_now for i in range(size) for j in range(size)):
            fitting.append((x, y))
            if len(fitting) == 4:
                break
    if not fitting:
        return None
    x, y = lot.pick(fitting)
    for i in range(size):
        for j in range(size):
            free.remove((x + i, y + j))
    return x, y


def _finished(
    lot: Lot, ruleset: str, options: dict[str, bool], ground: grounds.Ground, creatures: list[people.Block]
) -> None:
    """What creatures have of the ground, and who they are called."""
    if ruleset == "olde" and lot.chance(3) and not any("template" in block for block in creatures[:1]):
        creatures[-1]["at"] = creatures[0]["at"]  # two enemies in a clinch
    for number, block in enumerate(creatures):
        block["controller"] = lot.pick(("human", "ai"))
        if lot.chance(30):
            block["name"] = ("Ada", "Rat", "Old Tom", "Vex", "Goblin", "Mae", "Quill", "Bo")[number % 8]
        if ruleset == "olde":
            if ground.keys and lot.chance(40):
                block["keys"] = [lot.pick(ground.keys)]
            if options.get("explore") and block["side"] != "heroes" and lot.chance(25):
                block["patrol"] = [block["at"], list(lot.pick(ground.free))]

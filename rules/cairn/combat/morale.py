"""Morale: foes who lose one of theirs, or half of them, or stand alone at 0 HP, may run (cairn.md §2.11)."""

from __future__ import annotations

import msgspec

from rules.cairn.combat.injury import leave
from rules.cairn.conditions import FALLEN, FLED, OUT, ROUTED, TESTED
from rules.cairn.saves import save_roll
from rules.cairn.state import CairnState, Figure, Lasting, Morale, Resolution, fighting
from rules.contract.scenario import PARTY
from rules.contract.text import Term, text

MORALE = Term("morale")


def initial(state: CairnState) -> tuple[Morale, ...]:
    """The count of every band of foes at the start: a side's are told apart by the `group` of their stat blocks."""
    setup = state.setup
    bands = [(b.side, b.group) for b in setup.beings if b.side != PARTY]
    out = []
    for side, group in sorted(dict.fromkeys(bands), key=lambda band: setup.sides.index(band[0])):
        count = sum(
            (b.side, b.group) == (side, group) and fighting(f) for b, f in zip(setup.beings, state.figures, strict=True)
        )
        out.append(Morale(side, count, group))
    return tuple(out)


def check_morale(resolution: Resolution) -> None:
    """Whatever triggers were raised since the last check, each band of foes rolls at most once (A15)."""
    _lose_heart(resolution)
    for number, known in enumerate(resolution.morale):
        side = [
            i for i, b in enumerate(resolution.setup.beings) if b.side == known.side and fighting(resolution.figures[i])
        ]
        here = [i for i in side if resolution.being(i).group == known.group]
        if not here:
            continue
        if len(side) > 1:  # who comes to 0 HP beside others does not save for it when they are gone (A14)
            for i in here:
                if _shaken(resolution.figures[i]):
                    _tested(resolution, i)
        lost = _casualties(resolution, known)
        first = lost > 0 and not known.first
        half = 2 * lost >= known.start and lost > 0 and not known.half
        lone = len(side) == 1 and resolution.figures[here[0]].hp == 0 and not resolution.figures[here[0]].has(TESTED)
        if not (first or half or lone):
            continue
        after = msgspec.structs.replace(known, first=known.first or first, half=known.half or half)
        resolution.morale = (*resolution.morale[:number], after, *resolution.morale[number + 1 :])
        if lone:
            _tested(resolution, here[0])
        because = "half of them lost" if half else "first casualty" if first else "alone at 0 HP"
        _roll(resolution, here, because)


def _casualties(resolution: Resolution, known: Morale) -> int:
    """Those of a band who are dead or incapacitated; who only ran is none of them (cairn.md §2.11)."""
    return sum(
        being.side == known.side
        and being.group == known.group
        and not being.called
        and (figure.dead or figure.critical or figure.has(OUT) or figure.gone in (ROUTED.name, FALLEN.name))
        for being, figure in zip(resolution.setup.beings, resolution.figures, strict=True)
    )


def _commanded(resolution: Resolution, who: int) -> bool:
    """Whether a leader of its side stands (cairn.md §5.6, Hobgoblin)."""
    return any(
        being.leader and being.side == resolution.being(who).side and fighting(figure)
        for being, figure in zip(resolution.setup.beings, resolution.figures, strict=True)
    )


def _firm(resolution: Resolution, who: int) -> bool:
    """Whether nothing shakes it."""
    return resolution.being(who).mindless or (resolution.being(who).steadfast and _commanded(resolution, who))


def _lose_heart(resolution: Resolution) -> None:
    """Followers flee when every leader that their band had has fallen (cairn.md §5.6, Bandit)."""
    for known in resolution.morale:
        band = [i for i, b in enumerate(resolution.setup.beings) if (b.side, b.group) == (known.side, known.group)]
        leaders = [i for i in band if resolution.being(i).leader]
        if not leaders or any(fighting(resolution.figures[i]) for i in leaders):
            continue
        for i in band:
            if resolution.being(i).follower and fighting(resolution.figures[i]):
                leave(resolution, i, FLED, "the leader has fallen")


def _shaken(figure: Figure) -> bool:
    """Whether it came to 0 HP in this fight and has not saved for it yet."""
    return figure.hp == 0 < figure.hp_max and not figure.has(TESTED)


def _tested(resolution: Resolution, who: int) -> None:
    resolution.change(who, lasting=(*resolution.figures[who].lasting, Lasting(TESTED.name)))


def _roll(resolution: Resolution, here: list[int], because: str) -> None:
    """The leader's WIL for all while there is one, else each its own."""
    leader = next((i for i in here if resolution.being(i).leader), None)
    if leader is not None:
        shaken = [i for i in here if not _firm(resolution, i)]
        if not shaken:
            return
        passed, _ = save_roll(
            resolution,
            leader,
            "wil",
            text("{morale} of all, {because}", morale=MORALE, because=because),
            _nerve(resolution, leader),
        )
        if not passed:
            for i in shaken:
                leave(resolution, i, FLED, because)
        return
    for i in here:
        if _firm(resolution, i):
            continue
        passed, _ = save_roll(
            resolution, i, "wil", text("{morale}, {because}", morale=MORALE, because=because), _nerve(resolution, i)
        )
        if not passed:
            leave(resolution, i, FLED, because)


def _nerve(resolution: Resolution, who: int) -> int | None:
    """What morale is saved with where it is not WIL (cairn.md §5.6, Bandit)."""
    return resolution.being(who).nerve or None

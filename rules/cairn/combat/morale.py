"""Morale: foes who lose one of theirs, or half of them, or stand alone at 0 HP, may run (cairn.md §2.11)."""

from __future__ import annotations

import msgspec

from rules.cairn.combat.injury import MORTAL, leave
from rules.cairn.magic.summons import called
from rules.cairn.saves import save_roll
from rules.cairn.state import CairnState, Lasting, Morale, Work, fighting
from rules.contract.scenario import PARTY


def initial(state: CairnState) -> tuple[Morale, ...]:
    """The count of every band of foes at the start: a side's are told apart by the `group` of their stat blocks."""
    setup = state.setup
    bands = [(b.side, b.group) for b in setup.beings if b.side != PARTY]
    out = []
    for side, group in sorted(dict.fromkeys(bands), key=lambda band: setup.sides.index(band[0])):
        count = sum(
            (b.side, b.group) == (side, group) and fighting(f)
            for b, f in zip(setup.beings, state.figures, strict=True)
        )
        out.append(Morale(side, count, group))
    return tuple(out)


def check_morale(work: Work) -> None:
    """Whatever triggers were raised since the last check, each band of foes rolls at most once (A15)."""
    _lose_heart(work)
    for number, known in enumerate(work.morale):
        side = [
            i for i, b in enumerate(work.setup.beings) if b.side == known.side and fighting(work.figures[i])
        ]
        here = [i for i in side if work.being(i).group == known.group]
        if not here:
            continue
        if len(side) > 1:  # who comes to 0 HP beside others does not save for it when they are gone (A14)
            for i in here:
                if work.figures[i].hp == 0 < work.figures[i].hp_max and not work.figures[i].has("tested"):
                    _tested(work, i)
        lost = _casualties(work, known)
        first = lost > 0 and not known.first
        half = 2 * lost >= known.start and lost > 0 and not known.half
        lone = len(side) == 1 and work.figures[here[0]].hp == 0 and not work.figures[here[0]].has("tested")
        if not (first or half or lone):
            continue
        after = msgspec.structs.replace(known, first=known.first or first, half=known.half or half)
        work.morale = (*work.morale[:number], after, *work.morale[number + 1 :])
        if lone:
            _tested(work, here[0])
        because = "half of them lost" if half else "first casualty" if first else "alone at 0 HP"
        _roll(work, here, because)


def _casualties(work: Work, known: Morale) -> int:
    """Those of a band who are dead or incapacitated; who only ran is none of them (cairn.md §2.11)."""
    return sum(
        being.side == known.side
        and being.group == known.group
        and not called(being)
        and (figure.dead or figure.critical or figure.has(MORTAL) or figure.gone in ("routed", "fallen"))
        for being, figure in zip(work.setup.beings, work.figures, strict=True)
    )


def _commanded(work: Work, who: int) -> bool:
    """Whether a leader of its side stands (cairn.md §5.6, Hobgoblin)."""
    return any(
        being.leader and being.side == work.being(who).side and fighting(figure)
        for being, figure in zip(work.setup.beings, work.figures, strict=True)
    )


def _firm(work: Work, who: int) -> bool:
    """Whether nothing shakes it."""
    return work.being(who).mindless or (work.being(who).steadfast and _commanded(work, who))


def _lose_heart(work: Work) -> None:
    """Followers flee when every leader that their band had has fallen (cairn.md §5.6, Bandit)."""
    for known in work.morale:
        band = [i for i, b in enumerate(work.setup.beings) if (b.side, b.group) == (known.side, known.group)]
        leaders = [i for i in band if work.being(i).leader]
        if not leaders or any(fighting(work.figures[i]) for i in leaders):
            continue
        for i in band:
            if work.being(i).follower and fighting(work.figures[i]):
                leave(work, i, "fled", "the leader has fallen")


def _tested(work: Work, who: int) -> None:
    work.change(who, lasting=(*work.figures[who].lasting, Lasting("tested")))


def _roll(work: Work, here: list[int], because: str) -> None:
    """The leader's WIL for all while there is one, else each its own."""
    leader = next((i for i in here if work.being(i).leader), None)
    if leader is not None:
        shaken = [i for i in here if not _firm(work, i)]
        if not shaken:
            return
        passed, _ = save_roll(work, leader, "wil", f"morale of all, {because}", _nerve(work, leader))
        if not passed:
            for i in shaken:
                leave(work, i, "fled", because)
        return
    for i in here:
        if _firm(work, i):
            continue
        passed, _ = save_roll(work, i, "wil", f"morale, {because}", _nerve(work, i))
        if not passed:
            leave(work, i, "fled", because)


def _nerve(work: Work, who: int) -> int | None:
    """What morale is saved with where it is not WIL (cairn.md §5.6, Bandit)."""
    return work.being(who).nerve or None

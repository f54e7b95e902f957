"""From fight to fight under Cairn: what lasts of heroes, and what a rest gives back (cairn.md §8 chains)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rules.cairn import conditions as cond
from rules.cairn.actions.aid import BANDAGES, ROLL
from rules.cairn.again import AGAIN
from rules.cairn.creation.camp import ATTRIBUTES
from rules.cairn.creation.resting import RESTS, rested
from rules.cairn.creation.tools import MENDED
from rules.cairn.explore.dungeon import MEALS, RATIONS
from rules.cairn.magic.ground import spend
from rules.cairn.state import STANDING, CairnState, Resolution
from rules.contract.units import CreatureIx
from rules.core.dice import Dice
from rules.explore.onward import Onward

USES = {BANDAGES: ROLL, RATIONS: MEALS}
"""How often a thing lasts."""


class CairnOnward(Onward):
    """How heroes go on from fight to fight."""

    again, rests = AGAIN, RESTS

    def life(self, state: CairnState, who: CreatureIx) -> tuple[int, int]:
        figure = state.figures[who]
        if figure.dead:
            return 0, figure.hp_max + figure.str_max
        return max(0, figure.hp) + max(0, figure.str_now), figure.hp_max + figure.str_max

    def ready(self, resolution: Resolution, who: CreatureIx) -> None:
        resolution.change(who, posture=STANDING)

    def rest(self, resolution: Resolution, whom: Sequence[CreatureIx], rest: str, begun: CairnState) -> None:
        """What the camp's rules give; each takes up before what it dropped."""
        for who in whom:
            self._gather(resolution, who)
        fresh = {who: self._fresh(resolution, who, begun) for who in whom}
        patients = [AGAIN.patient(resolution, who).but(mending=fresh[who]) for who in whom]
        dice = Dice(resolution.dice.rng, None, 0)
        after = rested(dice, patients, rest, lambda thing: self._use(resolution, whom, thing))
        for who, one in zip(whom, after, strict=True):
            mended = [row for row in fresh[who] if row not in one.mending]
            scars = list(resolution.figures[who].scars)
            for row in mended:
                scars.reverse()
                scars.remove(row)
                scars.reverse()
            most = {f"{each}_max": getattr(one, f"{each}_max") for each in ATTRIBUTES}
            resolution.change(
                who, hp_max=one.hp_max, scars=tuple(scars), lame=one.lame, one_armed=one.one_armed, **most
            )
            AGAIN.rested(resolution, who, one)
            if one.deprived and not resolution.figures[who].has(cond.DEPRIVED):
                resolution.afflict(who, cond.DEPRIVED, because="hunger")

    def _fresh(self, resolution: Resolution, who: CreatureIx, begun: CairnState) -> tuple[int, ...]:
        """Rows of the scars of this fight that may mend."""
        known, figure = len(begun.figures[who].scars), resolution.figures[who]
        return tuple(row for row in figure.scars[known:] if row in MENDED)

    def _gather(self, resolution: Resolution, who: CreatureIx) -> None:
        """What it brought and lies on the floor."""
        figure = resolution.figures[who]
        if figure.dead or figure.critical:
            return
        missing = Counter(resolution.being(who).items) - Counter(figure.carried)
        found, left = list[str](), list(resolution.floor)
        for lying in resolution.floor:
            if missing[lying.item] > 0:
                missing[lying.item] -= 1
                found.append(lying.item)
                left.remove(lying)
        resolution.floor = tuple(left)
        resolution.change(who, pack=(*figure.pack, *found))

    def _use(self, resolution: Resolution, whom: Sequence[CreatureIx], thing: str) -> bool:
        """A use of a thing, from whoever of them has one."""
        owner = next((who for who in whom if thing in resolution.figures[who].carried), None)
        if owner is None:
            return False
        spend(resolution, owner, thing, USES[thing])
        return True


ONWARD = CairnOnward()

"""From fight to fight under Dungeons of Olde: what lasts of heroes, and what a rest gives back (olde.md §7 chains)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from rules.contract.units import CreatureIx
from rules.explore.onward import Onward
from rules.olde.again import AGAIN
from rules.olde.conditions import PRONE
from rules.olde.creation import camp as camps
from rules.olde.creation.camp import Camp, Patient
from rules.olde.creation.resting import RESTS, rested
from rules.olde.skills import RANKS
from rules.olde.statblock import hands_needed
from rules.olde.state import STANDING, UNCOUNTED, OldeState, Resolution

RANK_OF = {adjustment: rank for rank, adjustment in RANKS.items()}


class OldeOnward(Onward):
    """How heroes go on from fight to fight."""

    again, rests = AGAIN, RESTS

    def life(self, state: OldeState, who: CreatureIx) -> tuple[int, int]:
        return max(0, state.figures[who].hp), state.setup.fighters[who].hp_max

    def ready(self, resolution: Resolution, who: CreatureIx) -> None:
        resolution.change(who, posture=STANDING)

    def rest(self, resolution: Resolution, whom: Sequence[CreatureIx], rest: str, begun: OldeState) -> None:
        """What the camp's rules give, then each takes up what it dropped, and looks for what it shot."""
        state = resolution.done()
        assert state.rng is not None
        camp = rested(Camp(tuple(self._patient(state, who) for who in whom), state.rng), rest)
        for who in whom:
            self._gather(resolution, who)
            camp = self._shot(resolution, camp, who, begun)
        for who, patient in zip(whom, camp.heroes, strict=True):
            resolution.change(
                who, hp=patient.hp, mana=patient.mana, faith=patient.faith, bleeding=patient.bleeding,
                dying=patient.dying, posture=STANDING if patient.hp > 0 else PRONE.name, unset=(),
            )  # fmt: skip

    def _patient(self, state: OldeState, who: CreatureIx) -> Patient:
        skills = state.setup.fighters[who].skills
        ranks = {name: RANK_OF[skills[skill]] for name, skill in _SKILLS.items() if skill in skills}
        return msgspec.structs.replace(AGAIN.patient(state, who), **ranks)

    def _gather(self, resolution: Resolution, who: CreatureIx) -> None:
        """What it dropped or threw itself; into empty hands what it fights with."""
        figure, armoury = resolution.figures[who], resolution.setup.armoury
        if figure.hp <= 0:
            return
        own = [lying.item for lying in resolution.floor if lying.owner == who]
        resolution.floor = tuple(lying for lying in resolution.floor if lying.owner != who)
        held = {*armoury.weapons, *armoury.shields}
        hands, pack = list(figure.hands), [*figure.pack, *(item for item in own if item in held)]
        for item in own:
            if item in held and not hands and hands_needed(armoury, (item,)) <= 2:
                pack.remove(item)
                hands.append(item)
        goods = (*figure.goods, *(item for item in own if item not in held and item not in armoury.used))
        items = (*figure.items, *(item for item in own if item in armoury.used))
        resolution.change(who, hands=tuple(hands), pack=tuple(pack), items=items, goods=goods)

    def _shot(self, resolution: Resolution, camp: Camp, who: CreatureIx, begun: OldeState) -> Camp:
        """Arrows, bolts or stones that it finds again."""
        figure, before = resolution.figures[who], begun.figures[who]
        shot = before.ammunition - figure.ammunition if before.ammunition != UNCOUNTED else 0
        patient = camps.hero_of(camp, resolution.fighter(who).id)
        if shot <= 0 or not patient.able:
            return camp
        (camp, _), found = camps.gather(camp, patient.id, shot)
        resolution.change(who, ammunition=figure.ammunition + found)
        return camp


_SKILLS = {"healing": "Healing", "alertness": "Alertness"}
ONWARD = OldeOnward()

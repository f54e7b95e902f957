"""Attacks, plain and daring; what a side has planned against one target falls together (cairn.md §2.2, §2.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType

import msgspec

from rules.cairn.actions.context import ByHand, Context, Phase, save_of
from rules.cairn.actions.manoeuvres import Manoeuvres
from rules.cairn.combat.attack import PreparedAttack, prepare, weapon_of, wielded
from rules.cairn.combat.injury import armor_of
from rules.cairn.combat.odds import NOBODY, Pool, felled, pool_chances, with_blow
from rules.cairn.conditions import DARED, DARING, PRONE
from rules.cairn.gear import UNARMED, Weapon
from rules.cairn.saves import afflict, save, save_chance
from rules.cairn.state import CairnState, Resolution
from rules.cairn.visibility import unseen
from rules.contract.actions import Action
from rules.contract.ruleset import Odds
from rules.contract.text import Term, joined, text
from rules.core.action_kinds import Face

ORDER = ("killed", "critical", "wounded", "scar", "hit_points", "nothing")
"""Outcomes as odds list them."""


class Attack(ByHand):
    """A blow or a shot: it always hits (cairn.md §2.2)."""

    do = "attack"
    harms = True
    face = Face("Attack", "Act", "action", "creature", "attack", "1", "always hits")
    phase = Phase.ATTACK
    rank = 1

    def why_not_this(self, context: Context, action: Action) -> str | None:
        target = context.find(action.target)
        if target is not None and context.befriended(target):
            return text("target: charmed, it won't harm {name}", name=context.setup.beings[target].creature)
        if target is None:
            there = joined(", ", (context.setup.beings[i].id for i in context.known()))
            return text(
                "target: {target} is not here; there are {names}", target=repr(action.target), names=there or "none"
            )
        if target == context.who:
            return "target: nobody strikes at itself"
        names = wielded(context.setup, context.who, context.figure)
        name = action.weapon or names[0]
        if name not in names:
            return text("weapon: {name} is not at hand; there are {names}", name=repr(name), names=joined(", ", names))
        if context.state.figures[target].dead:
            return text("target: {target} is dead", target=str(action.target))
        return self._why_not_there(context, target, weapon_of(context.setup, context.who, name))

    def _why_not_there(self, context: Context, target: int, weapon: Weapon) -> str | None:
        """Why a target can't be struck from where the attacker will stand."""
        foe = context.setup.beings[target].creature
        distance = context.distance(target)
        goal = context.state.figures[target].cell
        if prepare(context.state, context.who, target, weapon, (context.place, goal)) is not None:
            return None
        hidden = unseen(context.state, context.who, target, context.place)
        if hidden:
            return text("target: {foe} {hidden}", foe=foe, hidden=hidden)
        farthest = max(weapon.farthest, weapon.reach + context.stretch(weapon))
        if distance > farthest:
            return text(
                "target: {foe} is {distance} spaces away; the {weapon} reaches {farthest}",
                foe=foe,
                distance=distance,
                weapon=weapon.name,
                farthest=farthest,
            )
        if weapon.run and context.terrain.distance(context.figure.cell, context.stand) < weapon.run:
            return text("weapon: the {weapon} needs a run of {run} spaces first", weapon=weapon.name, run=weapon.run)
        return text("target: no line of sight to {foe}", foe=foe)

    def instances(self, context: Context) -> Iterator[Action]:
        if self.why_not(context) is not None:
            return
        for target in context.others():
            foe, figure = context.setup.beings[target], context.state.figures[target]
            if foe.side == context.being.side or figure.dead or context.befriended(target):
                continue
            for name in wielded(context.setup, context.who, context.figure):
                if self._why_not_there(context, target, weapon_of(context.setup, context.who, name)) is None:
                    yield Action(context.being.id, self.do, target=foe.id, weapon=name)

    def settled(self, context: Context, action: Action) -> Action:
        if action.weapon is not None:
            return action
        return msgspec.structs.replace(action, weapon=_first(context))

    def risk(self, context: Context) -> Fraction | None:
        """The chance that the save before it comes off; None where there is none."""
        return None

    def odds(self, context: Context, action: Action) -> Odds | None:
        """With all that allies have planned against the same target."""
        state, target = context.state, context.setup.index.get(action.target or "")
        if target is None:
            return None
        named = action.weapon or _first(context)
        way = (context.stand, state.figures[target].cell)
        own = prepare(state, context.who, target, weapon_of(state.setup, context.who, named), way)
        if own is None:
            return None
        risk, pool = self.risk(context), planned(state, target, context.who)
        outcomes, damages = pool_chances(state, target, with_blow(pool, own, risk))
        shown, notes = own, pool.notes
        if risk is not None:
            shown = own.modified(DARED)
            saved = text(
                "{risk}: {save}; failed, one lies there and strikes nothing",
                risk=f"{float(risk):.0%}",
                save=save_of(context.figure, "dex"),
            )
            notes = ((saved, "cairn.md §2.2"), *notes)
        armor = armor_of(state.setup, state.setup.beings[target], state.figures[target])
        return Odds(
            hit=float(1 - damages.get(0, Fraction(0))),
            outcomes=tuple((word, float(outcomes[word])) for word in ORDER if word in outcomes),
            damage=tuple((value, float(damages[value])) for value in sorted(damages)),
            mean=float(sum(value * chance for value, chance in damages.items())),
            drop=float(felled(outcomes)),
            adjustments=shown.adjustments,
            attack_dice=_dice(shown),
            defense_dice=text("Armor {armor}", armor=armor),
            notes=notes,
        )

    def pooled(self, context: Context, action: Action, target: int, pool: Pool) -> Pool:
        """What its side's attacks on a target come to with it."""
        weapon = weapon_of(context.setup, context.who, action.weapon or UNARMED.name)
        way = (context.stand, context.state.figures[target].cell)
        own = prepare(context.state, context.who, target, weapon, way)
        if own is None:
            return pool
        note = (text("pooled with {name}'s {dice}", name=context.being.creature, dice=_dice(own)), "cairn.md §2.3")
        return with_blow(pool, own, self.risk(context))._replace(notes=(*pool.notes, note))

    def attack(self, resolution: Resolution, who: int, action: Action) -> Action | None:
        return action


class Daring(Attack):
    """A blow out of a daring manoeuvre: a DEX save makes it enhanced; failed, one lies there and strikes nothing
    (cairn.md §2.2, §2.12)."""

    do = "daring"
    face = Face("Daring blow", "Act", "action", "creature", "rushed_attack", "6", "DEX save: a d12, or a fall")
    phase = Phase.RISK
    rank = 2

    def _why_not_there(self, context: Context, target: int, weapon: Weapon) -> str | None:
        """Hand to hand alone: from afar there would be no risk in it."""
        if not weapon.reach or context.distance(target) > weapon.reach + context.stretch(weapon):
            return text(
                "target: {name} is out of reach; daring is for hand to hand", name=context.setup.beings[target].creature
            )
        return super()._why_not_there(context, target, weapon)

    def risk(self, context: Context) -> Fraction | None:
        return save_chance(context.figure.dex_now)

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        """The risk before the blow."""
        if save(resolution, who, "dex", text("a {daring} manoeuvre", daring=Term("daring"))):
            afflict(resolution, who, DARING)
        else:
            afflict(resolution, who, PRONE, because="the manoeuvre failed")

    def attack(self, resolution: Resolution, who: int, action: Action) -> Action | None:
        return action if resolution.figures[who].has(DARING) else None


ATTACK, DARING_BLOW, MANOEUVRE = Attack(), Daring(), Manoeuvres()
_POOLED: Mapping[str, Attack | Manoeuvres] = MappingProxyType(
    {each.do: each for each in (ATTACK, DARING_BLOW, MANOEUVRE)}
)
"""What tells in the pool against its target."""


def planned(state: CairnState, target: int, but: int) -> Pool:
    """What has been planned against a target so far, by everybody but `but`."""
    pool, name = NOBODY, state.setup.beings[target].id
    for ally in state.declared:
        plan = state.plans[ally]
        action = None if plan is None or ally == but else plan.action
        kind = None if action is None or action.target != name else _POOLED.get(action.do)
        if action is not None and kind is not None:
            pool = kind.pooled(Context(state, ally), action, target, pool)
    return pool


def _first(context: Context) -> str:
    """What somebody strikes with who does not say with what."""
    return wielded(context.setup, context.who, context.state.figures[context.who])[0]


def _dice(attack: PreparedAttack) -> str:
    return "+".join(f"d{die}" for die in attack.dice)

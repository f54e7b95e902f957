"""Attack actions, Shield Block, and crossbows that have to be reset (olde.md §4, §6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.board.sight import Grade
from rules.contract.actions import Action, Adjustment
from rules.contract.events import Adjusted, Item
from rules.contract.ruleset import Odds
from rules.contract.text import joined, text
from rules.contract.units import CreatureIx
from rules.core.action_kinds import Face
from rules.olde.actions.kind import AT_ONCE, Context, Kind, find, nobody, situation
from rules.olde.challenges.checks import skill_adjustment
from rules.olde.combat.attack import PreparedAttack, attack_of, odds_of, pending, resolve, why_not_attack
from rules.olde.combat.reactions import warned
from rules.olde.combat.weapons import AIMED, ALL_OUT, PLAIN, RUSHED, usable, wielded
from rules.olde.conditions import Forbid, feared, forbidden
from rules.olde.state import Resolution, Setup, expose


class Attack(Kind):
    """Strike or shoot at an adversary: two dice against two dice."""

    manner = PLAIN
    do = manner.do
    face = Face("Attack", "Act", "2 AP", "creature", "attack", "4")
    ap = manner.ap
    risky = True
    rank = 1

    def why_not(self, context: Context) -> str | None:
        if not context.figure.effects:
            return self.closed(context)
        blocked = context.act_open()
        if blocked is None and (word := forbidden(context.figure, Forbid.ATTACK)):
            blocked = text("{word}: no attacks", word)
        return blocked or self.closed(context)

    def why_not_this(self, context: Context, action: Action) -> str | None:
        target = find(context, action.target)
        if target is None:
            return nobody(context, action.target)
        ready = wielded(context)
        name = action.weapon or ready[0]
        if name not in ready:
            in_hand = text("in hand: {ready}", joined(", ", ready))
            there = "Ready it first (1 AP)" if name in context.figure.pack else in_hand
            return text("weapon: {name} is not in hand; {there}", repr(name), there)
        return why_not_attack(context, self.manner, target, context.setup.armoury.weapons[name])

    def idle(self, context: Context) -> bool:
        return not usable(context, self.manner).far

    def instances(self, context: Context) -> Iterator[Action]:
        """Those without anything against them; what the weapons can do at each distance is asked once for all foes."""
        if self.why_not(context):
            return
        by, unset = context.actor, context.figure.unset
        far, weapons = usable(context, self.manner)
        afraid = feared(context.figure) if context.figure.effects else ()
        for i, foe, distance in context.foes():
            if distance >= far or i in afraid or context.sight(i) is Grade.NONE:
                continue
            for name, distances in weapons:
                if distance < len(distances) and distances[distance] and name not in unset:
                    yield Action(by, self.do, foe, name)

    def prepared(self, context: Context, action: Action) -> PreparedAttack:
        """The attack that a legal action stands for."""
        weapon = context.setup.armoury.weapons[action.weapon or wielded(context)[0]]
        return attack_of(context, self.manner, context.setup.index[action.target or ""], weapon, action.do)

    def odds(self, context: Context, action: Action) -> Odds:
        attack = self.prepared(context, action)
        odds = odds_of(context.setup, context.state.figures, attack)
        return warned(context.state, attack, odds) if context.setup.reflexes else odds

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        attack = self.prepared(situation(resolution), action)
        if self.manner.exposes:
            label = self.manner.label
            expose(resolution, who, -self.manner.exposes, label, f"olde.md §4 {label}")
        if resolution.setup.reflexes:  # it stays open for answers, and the turn goes on with it (reactions.py)
            resolution.pending = (*resolution.pending, pending(attack))
        else:
            resolve(resolution, attack)


class AdvancedAttack(Attack):
    """An attack action that the table may do without."""

    rank = 2

    def why_not(self, context: Context) -> str | None:
        if not context.setup.advanced:
            return text("{label} is an advanced action, and this fight is played without them", self.face.label)
        return super().why_not(context)


class RushedAttack(AdvancedAttack):
    """For one AP, at −2."""

    manner = RUSHED
    do = manner.do
    face = Face("Rushed Attack", "Act", "1 AP", "creature", "rushed_attack", "3", "−2 attack, −1 Def")
    ap = manner.ap


class AllOutAttack(AdvancedAttack):
    """Melee with all one has: +2, damage +4."""

    manner = ALL_OUT
    do = manner.do
    face = Face("All-Out Attack", "Act", "3 AP/Only", "creature", "all_out_attack", "5", "+2, damage +4, −3 Def")
    ap, only = manner.ap, True


class AimedShot(AdvancedAttack):
    """A shot or throw after some aiming: +2, damage +2."""

    manner = AIMED
    do = manner.do
    face = Face("Aimed Shot", "Act", "3 AP", "creature", "aimed_shot", "6", "+2, damage +2, −2 Def")
    ap = manner.ap


ATTACKS: Mapping[str, Attack] = {kind.do: kind for kind in (Attack(), RushedAttack(), AllOutAttack(), AimedShot())}


class ShieldBlock(Kind):
    """Temporary +2 Defense against melee: 2 AP, a readied shield, Shields at Journeyman."""

    do = "shield_block"
    face = Face("Shield Block", "Act", "2 AP", "none", "shield_block", "7", "+2 Def against melee")
    ap = 2
    rank = 2
    nothing = "needs a shield in hand"

    def near(self, context: Context) -> list[str]:
        return [item for item in context.figure.hands if item in context.setup.armoury.shields]

    def why_not(self, context: Context) -> str | None:
        trained = skill_adjustment(context.fighter, "Shields") >= 1
        return super().why_not(context) or (None if trained else "needs Shields at Journeyman")

    def idle(self, context: Context) -> bool:
        return not self.near(context)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        resolution.change(who, temp_block=resolution.figures[who].temp_block + 2)
        bonus = Adjustment("defense", 2, "Shield Block, against melee", "olde.md §4 Shield Block")
        resolution.events.append(Adjusted(target=action.by, adjustment=bonus))


class ResetCrossbow(Kind):
    """1 AP with Brawn at the second minimum, else 3 (olde.md §4)."""

    do = "reset_crossbow"
    face = Face("Reset crossbow", "Act", "1 or 3 AP", "none", "reset_crossbow", "t")
    exploring = AT_ONCE

    @staticmethod
    def _bow(context: Context, action: Action | None = None) -> str | None:
        held = [name for name in context.figure.unset if name in context.figure.hands]
        wanted = (action.weapon or action.item) if action is not None else None
        return next((name for name in held if wanted in (None, "", name)), None)

    @staticmethod
    def _price(setup: Setup, brawn: int, name: str) -> int:
        return 1 if brawn >= setup.armoury.weapons[name].modes[0].reset else 3

    def why_not(self, context: Context) -> str | None:
        blocked, name = context.act_open(), self._bow(context)
        if blocked or name is None:
            return blocked or "no crossbow in hand needs resetting"
        return context.pay(self._price(context.setup, context.fighter.brawn, name))

    def why_not_this(self, context: Context, action: Action) -> str | None:
        told, named = "weapon: {weapon} is no crossbow in hand that needs resetting", action.weapon or action.item
        return text(told, repr(named)) if self._bow(context, action) is None else None

    def idle(self, context: Context) -> bool:
        return not context.figure.unset

    def candidates(self, context: Context) -> Iterator[Action]:
        yield Action(context.actor, self.do, weapon=self._bow(context))

    def cost(self, context: Context, action: Action) -> int:
        name = self._bow(context, action)
        return self._price(context.setup, context.fighter.brawn, name) if name else 3

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        name = self._bow(situation(resolution), action)
        assert name is not None
        resolution.change(who, unset=tuple(n for n in resolution.figures[who].unset if n != name))
        resolution.events.append(Item(by=action.by, item=name, how="reset"))

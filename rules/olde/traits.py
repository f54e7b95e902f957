"""Traits of creatures, a class each: figures, its rule in a sentence, what it does when (house content, olde.md §10).

To add one: a class here, named in `TRAITS`, with what it does at the moments of a fight (`rules.olde.state.Trait`);
nobody else spells a trait's name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import msgspec
from pydantic import BaseModel, Field, model_validator

from rules.board.sight import Grade
from rules.contract.actions import Adjustment
from rules.contract.events import Note, Summoned
from rules.contract.text import joined, text
from rules.contract.units import CreatureIx, first_creatures, numbered
from rules.core import odds as dist
from rules.core.dice import roll
from rules.core.validate import STRICT
from rules.olde import conditions as cond
from rules.olde.challenges.checks import burden, check, resilience, stat_rank
from rules.olde.combat.outcomes import heal, injure
from rules.olde.combat.weapons import soak_of
from rules.olde.effects import ENDLESS, Effect, Lasting
from rules.olde.gear import FIRE, Armor, Weapon
from rules.olde.state import (
    FIGURES,
    NO_TRAITS,
    Fighter,
    Figure,
    Resolution,
    Setup,
    Striking,
    Trait,
    Traits,
    able,
    occupied,
)
from rules.olde.visibility import sight

# -- before an attack -------------------------------------------------------------------------------------


class PackTactics(Trait, frozen=True, kw_only=True):
    name = "pack tactics"
    sentence = "Attack {change} in melee while an able ally stands beside the target."
    bonus: int = 1

    def modify_attack(self, at: Striking) -> Iterable[Adjustment]:
        if not self.bonus or at.ranged:
            return
        fighters = at.setup.fighters
        side, foe, victim = fighters[at.who].side, fighters[at.target], at.figures[at.target]
        for i, (fighter, figure) in numbered(zip(fighters, at.figures, strict=True)):
            if i != at.who and fighter.side == side and able(figure):
                if at.terrain.distance(figure.cell, victim.cell, fighter.space, foe.space) <= 1:
                    yield Adjustment("attack", self.bonus, self.name, self.source)
                    return


class Charge(Trait, frozen=True, kw_only=True):
    name = "charge"
    sentence = (
        "Damage {change} in melee after a movement that ends at least {spaces} spaces from where the chance began."
    )
    bonus: int = 2
    spaces: int = 3

    def modify_attack(self, at: Striking) -> Iterable[Adjustment]:
        if not at.ranged and at.covered >= self.spaces:
            yield Adjustment("damage", self.bonus, self.name, self.source)


class Frenzy(Trait, frozen=True, kw_only=True):
    name = "frenzy"
    sentence = "Attack and damage {change} while below half of its hit points."
    bonus: int = 2

    def modify_attack(self, at: Striking) -> Iterable[Adjustment]:
        if self.bonus and 2 * at.figures[at.who].hp < at.setup.fighters[at.who].hp_max:
            for to in ("attack", "damage"):
                yield Adjustment(to, self.bonus, self.name, self.source)


# -- what a creature is -----------------------------------------------------------------------------------


class ToughHide(Trait, frozen=True, kw_only=True):
    name = "tough hide"
    sentence = "Hide takes {bonus} off all damage, as armor and beside any armor worn."
    bonus: int = 2


class Flyer(Trait, frozen=True, kw_only=True):
    name = "flyer"
    sentence = "While on its feet it crosses difficult ground as plain ground, and may fly over pits."
    flies = True


class Undead(Trait, frozen=True, kw_only=True):
    name = "undead"
    sentence = "Cannot be stunned by a blow, bleed, sleep or be frightened."
    immune = (cond.STUNNED.name, cond.BLEEDING.name, cond.POISONED.name, cond.ASLEEP.name, cond.FRIGHTENED.name)


class Construct(Trait, frozen=True, kw_only=True):
    name = "construct"
    sentence = "Cannot bleed, sleep or be frightened."
    immune = (cond.BLEEDING.name, cond.POISONED.name, cond.ASLEEP.name, cond.FRIGHTENED.name)


# -- what hits carry --------------------------------------------------------------------------------------


class Rider(Trait, frozen=True, kw_only=True):
    """A trait of blows that hit: their target makes a check, or suffers it."""

    of_weapons = True
    lays: ClassVar[cond.Condition]  # what it does to whom it strikes
    of_blood: ClassVar[bool] = False  # it does nothing to who has no blood
    if_hurt: ClassVar[bool] = True  # the hit must have done damage
    rating: int = 9

    def after_hit(
        self, resolution: Resolution, who: CreatureIx, target: CreatureIx, weapon: Weapon, damage: int
    ) -> None:
        foe, figure = resolution.fighter(target), resolution.figures[target]
        if figure.hp <= 0 or (self.if_hurt and not damage) or self.spares(foe):
            return
        if not check(resolution, target, resilience(foe), self.rating, self.called(weapon)).success:
            self.suffer(resolution, who, target, weapon)

    def spares(self, foe: Fighter) -> bool:
        """Whether it does nothing to somebody: who has no blood is not poisoned either."""
        return self.of_blood and cond.BLEEDING.name in foe.traits.immune

    def called(self, weapon: Weapon) -> str:
        """What the check is against, and what the effect is called."""
        return self.name

    def suffer(self, resolution: Resolution, who: CreatureIx, target: CreatureIx, weapon: Weapon) -> None:
        """The target's check has failed."""
        raise NotImplementedError(self.name)

    def suffered(self, figure: Figure) -> bool:
        """Whether somebody suffers it already."""
        return self.lays.holds(figure)

    def note(self, setup: Setup, foe: Fighter, victim: Figure) -> str:
        """What a hit carries, with the exact chance that the target fails its check, for the attack card."""
        if self.spares(foe):
            return text("{name} does nothing to {name2}", self.name, foe.name)
        stat = resilience(foe)
        plus = sum(a.value for a in burden(setup, foe, victim, stat))
        fails = f"{1.0 - dist.chance_at_least(2, stat_rank(foe, stat), self.rating - plus):.0%}"
        return text("{does} on a hit: {fails} ({stat} {rating})", self.lays.name, fails, stat.capitalize(), self.rating)


class Lingering(Rider, frozen=True, kw_only=True):
    """What it does stays for some resets."""

    turns: int = 2

    def suffer(self, resolution: Resolution, who: CreatureIx, target: CreatureIx, weapon: Weapon) -> None:
        lasting = self.lasting(resilience(resolution.fighter(target)))
        cond.lay(resolution, target, Effect(self.called(weapon), who, lasting.turns, self.rating, lasting))

    def lasting(self, stat: str) -> Lasting:
        """What stays on who suffers it; a check of this stat shakes it off."""
        return self.lays.lasting(self.turns, stat, self.source)


class Poison(Lingering, frozen=True, kw_only=True):
    name = "poison"
    sentence = "A hit that hurts: {save}, or slowed for {turns} resets; the same check shakes it off."
    lays, of_blood = cond.SLOWED, True


class Venom(Lingering, frozen=True, kw_only=True):
    name = "venom"
    sentence = "A hit that hurts: {save}, or poisoned: {bonus} HP lost in each of {turns} resets; the check ends it."
    lays, of_blood = cond.POISONED, True
    turns: int = 3
    bonus: int = 1

    def lasting(self, stat: str) -> Lasting:
        return cond.POISONED.lasting(self.turns, stat, self.source, self.bonus)


class BleedingWounds(Rider, frozen=True, kw_only=True):
    name = "bleeding wounds"
    sentence = "A hit that hurts: {save}, or bleeding."
    lays, of_blood = cond.BLEEDING, True

    def suffer(self, resolution: Resolution, who: CreatureIx, target: CreatureIx, weapon: Weapon) -> None:
        cond.BLEEDING.gain(resolution, target, weapon.name)


class SappingTouch(Lingering, frozen=True, kw_only=True):
    name = "sapping touch"
    sentence = "A hit that hurts: {save}, or {change} on all checks, attack and Defense for {turns} resets."
    lays = cond.Condition("weakened", "")
    bonus: int = -1

    def lasting(self, stat: str) -> Lasting:
        worse = self.bonus
        return Lasting(self.turns, attack=worse, defense=worse, checks=worse, recover=stat, rule=self.source)

    def suffered(self, figure: Figure) -> bool:
        return any(effect.lasting.rule == self.source for effect in figure.effects)


class Knockdown(Rider, frozen=True, kw_only=True):
    name = "knockdown"
    sentence = "A hit that hurts: {save}, or knocked prone."
    lays = cond.PRONE

    def suffer(self, resolution: Resolution, who: CreatureIx, target: CreatureIx, weapon: Weapon) -> None:
        cond.lie_down(resolution, target, cond.PRONE.name, "knocked down")


class Hold(Lingering, frozen=True, kw_only=True):
    name = "hold"
    sentence = "A hit: {save}, or rooted for {turns} resets; the same check breaks free."
    lays, if_hurt = cond.ROOTED, False
    turns: int = 3

    def called(self, weapon: Weapon) -> str:
        return weapon.name


class LifeDrain(Trait, frozen=True, kw_only=True):
    name = "life drain"
    sentence = "A hit that hurts gives it half of the damage back, rounded up."
    of_weapons = True

    def after_hit(
        self, resolution: Resolution, who: CreatureIx, target: CreatureIx, weapon: Weapon, damage: int
    ) -> None:
        if damage and resolution.figures[who].hp > 0:
            heal(resolution, who, (damage + 1) // 2, self.name)

    def note(self, setup: Setup, foe: Fighter, victim: Figure) -> str:
        return "a hit gives half of its damage back"


# -- wounds -----------------------------------------------------------------------------------------------


class Regeneration(Trait, frozen=True, kw_only=True):
    name = "regeneration"
    sentence = "Each reset {bonus} HP back, even from below 0, unless fire has hurt it since the last."
    bonus: int = 3

    def hurt(self, resolution: Resolution, who: CreatureIx, element: str) -> None:
        if element == FIRE and self.bonus:
            cond.lay(resolution, who, Effect(BURNT.name, who, 1, 0, Lasting(1, rule=self.source)))

    def on_reset(self, resolution: Resolution, who: CreatureIx) -> None:
        fighter, figure = resolution.fighter(who), resolution.figures[who]
        if self.bonus and not BURNT.holds(figure) and -fighter.hp_max < figure.hp < fighter.hp_max:
            heal(resolution, who, self.bonus, self.name)


class Split(Trait, frozen=True, kw_only=True):
    name = "split"
    sentence = (
        "Hurt by anything but fire and left with {bonus} HP for each half or more, it divides: half of its HP go to "
        "a new creature beside it."
    )
    bonus: int = 3

    def hurt(self, resolution: Resolution, who: CreatureIx, element: str) -> None:
        """Half of the hit points, rounded down, go to a new creature on the first free space beside."""
        if element == FIRE or not self.bonus or resolution.figures[who].hp < 2 * self.bonus:
            return
        figure, fighter, terrain = resolution.figures[who], resolution.fighter(who), resolution.terrain
        taken, steps = occupied(resolution), terrain.neighbours(figure.cell, fighter.space)
        cell = next((cell for cell, _ in steps if not terrain.footprint(cell, fighter.space) & taken), None)
        if cell is None:
            return
        part, stem, name = figure.hp // 2, fighter.id.partition(".")[0], fighter.name.partition(" (")[0]
        number = 2 + sum(f.id.startswith(f"{stem}.") for f in resolution.setup.fighters)
        half = msgspec.structs.replace(
            fighter, id=f"{stem}.{number}", name=f"{name} ({number})", hp_max=part, threat=0, surprised=False
        )
        resolution.change(who, hp=figure.hp - part)
        resolution.setup = resolution.setup.joined_by(half)
        resolution.figures.append(Figure(cell, part, half.mana_max, half.faith_max, hands=(), pack=()))
        at = resolution.space(cell)
        resolution.events.append(Summoned(target=half.id, name=half.name, gained=True, at=at, by=fighter.id))


class DeathBurst(Trait, frozen=True, kw_only=True):
    name = "death burst"
    sentence = "Felled, it bursts: d{die} damage, less armor, to all within {spaces}; it is dead."
    die: int = 6
    spaces: int = 1

    def dropped(self, resolution: Resolution, who: CreatureIx) -> None:
        """Everybody near, in the record's order, takes the same damage."""
        fighter, figure = resolution.fighter(who), resolution.figures[who]
        if figure.hp > -fighter.hp_max:
            gone = {cond.DYING.name: False, cond.BLEEDING.name: False, cond.STUNNED.name: 0}
            resolution.change(who, hp=-fighter.hp_max, **gone)
            cond.DEAD.tell(resolution, who, "burst", gained=True)
        dealt = roll(resolution.dice, "burst", 1, self.die, by=fighter.id, exploding=False)
        touched = False
        for other in first_creatures(len(resolution.figures)):
            foe, victim = resolution.fighter(other), resolution.figures[other]
            if other == who or victim.cell < 0 or victim.hp <= -foe.hp_max:
                continue
            if resolution.terrain.distance(figure.cell, victim.cell, fighter.space, foe.space) <= self.spaces:
                touched, hurt = True, max(0, dealt.total - soak_of(foe, victim))
                injure(resolution, other, hurt, text("burst of {name}", fighter.name), by=who, rolls=(dealt,))
        if not touched:
            told = text("{name} bursts, and nobody is near.", fighter.name)
            resolution.events.append(Note(text=told, by=fighter.id, rolls=(dealt,)))


# -- resets -----------------------------------------------------------------------------------------------


class FearAura(Trait, frozen=True, kw_only=True):
    name = "fear aura"
    sentence = (
        "Each reset foes within {spaces} who see it: Nerve check of {rating}, or frightened for {turns} resets; "
        "who stands it once is steeled for good."
    )
    rating: int = 9
    spaces: int = 3
    turns: int = 2

    def after_reset(self, resolution: Resolution, who: CreatureIx) -> None:
        """Whoever stands near something dreadful for the first time faces it or not."""
        fighter, terrain = resolution.fighter(who), resolution.terrain
        for foe in first_creatures(len(resolution.figures)):
            other, figure, cell = resolution.fighter(foe), resolution.figures[foe], resolution.figures[who].cell
            if other.side == fighter.side or not able(figure) or cond.immune(resolution, foe, cond.FRIGHTENED.name):
                continue
            if terrain.distance(cell, figure.cell, fighter.space, other.space) > self.spaces:
                continue
            if self.stood(figure, who, fighter) or sight(resolution.done(), foe, figure.cell, who, cell) is Grade.NONE:
                continue
            if check(resolution, foe, "nerve", self.rating, self.dread_of(fighter)).success:
                steeled = Effect(STEELED.name, who, ENDLESS, 0, Lasting(ENDLESS, rule=self.source))
                resolution.change(foe, effects=(*figure.effects, steeled))
            else:
                fright = cond.FRIGHTENED.lasting(self.turns, "nerve")
                cond.lay(resolution, foe, Effect(self.dread_of(fighter), who, self.turns, self.rating, fright))

    @staticmethod
    def dread_of(fighter: Fighter) -> str:
        """What the fear of somebody is called."""
        return text("dread of {name}", fighter.name)

    def stood(self, figure: Figure, who: CreatureIx, fighter: Fighter) -> bool:
        """Whether somebody has faced its bearer already, and stood or is frightened still."""
        names = (self.dread_of(fighter), STEELED.name)
        return any(effect.by == who and effect.name in names for effect in figure.effects)


class CallForHelp(Trait, frozen=True, kw_only=True):
    """The action of the same name: `rules.olde.actions`."""

    name = "call for help"
    points: ClassVar[int] = 1  # AP that a call costs
    sentence = "{points} AP: all sleeping allies within {spaces} wake and act from the next reset."
    spaces: int = 10


_ALL: tuple[type[Trait], ...] = (
    PackTactics, Charge, Frenzy, ToughHide, Flyer, Undead, Construct, Poison, Venom, BleedingWounds, SappingTouch,
    Knockdown, Hold, LifeDrain, Regeneration, Split, DeathBurst, FearAura, CallForHelp,
)  # fmt: skip
TRAITS: Mapping[str, type[Trait]] = MappingProxyType({kind.name: kind for kind in _ALL})
"""All of them by name, in the order in which they are asked."""


# -- marks that they leave --------------------------------------------------------------------------------


class Mark(cond.Condition, frozen=True):
    """What a trait leaves on somebody, without figures: an effect of this name."""

    def holds(self, figure: Figure) -> bool:
        return any(effect.name == self.name for effect in figure.effects)


BURNT = Mark(
    "burnt", "Fire has hurt it since the last reset: it does not regenerate in the next.", Regeneration().source
)
STEELED = Mark("steeled", "Has stood a fear aura once, and fears its bearer no more.", FearAura().source)
MARKS: Mapping[str, Mark] = MappingProxyType({mark.name: mark for mark in (BURNT, STEELED)})


# -- at the door ------------------------------------------------------------------------------------------

Small = Annotated[int, Field(strict=True, ge=-9, le=12)]
if TYPE_CHECKING:
    Name = str
else:
    Name = Literal[tuple(TRAITS)]


class TraitModel(BaseModel):
    """A trait in a stat block: its name, and any of its figures that differ from the usual ones."""

    model_config = STRICT

    name: Name
    bonus: Small | None = None
    rating: Annotated[int, Field(strict=True, ge=3, le=21)] | None = None
    turns: Annotated[int, Field(strict=True, ge=1, le=12)] | None = None
    spaces: Annotated[int, Field(strict=True, ge=1, le=20)] | None = None
    die: Annotated[int, Field(strict=True, ge=2, le=20)] | None = None
    weapon: str | None = None

    @model_validator(mode="after")
    def _its_own_figures(self) -> TraitModel:
        kind = TRAITS[self.name]
        own = kind.figures()
        for figure in self._given():
            if figure not in own:
                told, has = "{name} has no figure {figure}; its figures: {has}", joined(", ", own) or "none"
                raise ValueError(text(told, self.name, repr(figure), has))
        if self.weapon is not None and not kind.of_weapons:
            raise ValueError(text("{name} belongs to no weapon", self.name))
        return self

    def _given(self) -> dict[str, int]:
        return {figure: value for figure in FIGURES if (value := getattr(self, figure)) is not None}

    def made(self) -> Trait:
        """The trait, its figures made out."""
        return TRAITS[self.name](weapon=self.weapon or "", **self._given())


def traits_of(models: Sequence[TraitModel]) -> Traits:
    """The traits of a stat block, ready for a fight."""
    if not models:
        return NO_TRAITS
    listed = tuple(model.made() for model in models)
    last = {trait.name: trait for trait in listed}
    kinds = tuple(last[name] for name in TRAITS if name in last)
    listening = (  # those that have a method of their own for each moment
        tuple(
            t for t in (listed if name == "after_hit" else kinds) if getattr(type(t), name) is not getattr(Trait, name)
        )
        for name in Traits.__struct_fields__[4:]
    )
    immune = tuple(dict.fromkeys(condition for trait in kinds for condition in trait.immune))
    return Traits(listed, immune, any(trait.flies for trait in kinds), kinds, *listening)


def with_hide(worn: Armor | None, models: Sequence[TraitModel]) -> Armor | None:
    """Tough hide is armor that nobody takes off; beneath armor worn both count (olde.md §10 tough hide)."""
    hide = sum(trait.bonus for trait in (model.made() for model in models) if isinstance(trait, ToughHide))
    if not hide:
        return worn
    if worn is None:
        return Armor(ToughHide.name, hide, 0)
    return Armor(text("{name} over hide", worn.name), worn.reduction + hide, worn.brawn)

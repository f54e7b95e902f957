"""Traits at work: adjustments of blows, what follows a hit, a wound, a fall, a reset (house: olde.md §10)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from rules.board.grid import Terrain
from rules.board.sight import Grade
from rules.contract.actions import Adjustment
from rules.contract.events import Note, Summoned
from rules.core import odds as dist
from rules.core.dice import roll
from rules.olde.challenges.checks import burden, resilience, stat_check, stat_rank
from rules.olde.combat.injury import heal, injure, lie_down
from rules.olde.conditions import BLEEDING, DEAD, FRIGHTENED, POISONED, PRONE, ROOTED, SLOWED
from rules.olde.effects.model import ENDLESS, Effect, Lasting
from rules.olde.effects.working import immune, lay
from rules.olde.gear import Weapon
from rules.olde.state import Fighter, Figure, Moments, Resolution, Setup, able
from rules.olde.traits.models import RULE, Trait, Traits
from rules.olde.visibility import sight

BURNT, STEELED = "burnt", "steeled"
FIRE = "fire"
BLOOD = ("poison", "venom", "bleeding wounds")
"""Traits that do nothing to who has no blood."""
Adjustments = tuple[Adjustment, ...]


# -- before a blow ----------------------------------------------------------------------------------------


def edge(setup: Setup, figures: Sequence[Figure], terrain: Terrain, who: int, target: int, covered: int) -> Adjustments:
    """What traits add to a melee attack as everybody stands now; `covered`: spaces from where the chance began."""
    fighter, figure = setup.fighters[who], figures[who]
    traits = fighter.traits
    if traits is None:
        return ()
    out: list[Adjustment] = []
    if traits.pack and _flanked(setup, figures, terrain, who, target):
        out.append(Adjustment("attack", traits.pack, "pack tactics", f"{RULE} pack tactics"))
    if traits.charge is not None and covered >= traits.charge.spaces:
        out.append(Adjustment("damage", traits.charge.bonus, "charge", f"{RULE} charge"))
    return (*out, *frenzy(fighter, figure))


def modify_attack(
    setup: Setup,
    figures: Sequence[Figure],
    terrain: Terrain,
    who: int,
    target: int,
    covered: int,
    ranged: bool,
) -> Adjustments:
    """What traits add to any attack as everybody stands now."""
    if ranged:
        return frenzy(setup.fighters[who], figures[who])
    return edge(setup, figures, terrain, who, target, covered)


def frenzy(fighter: Fighter, figure: Figure) -> Adjustments:
    """What below half of its hit points drives a creature to, with any weapon."""
    bonus = fighter.traits.frenzy if fighter.traits is not None else 0
    if not bonus or 2 * figure.hp >= fighter.hp_max:
        return ()
    return tuple(Adjustment(to, bonus, "frenzy", f"{RULE} frenzy") for to in ("attack", "damage"))


def _flanked(setup: Setup, figures: Sequence[Figure], terrain: Terrain, who: int, target: int) -> bool:
    """Whether an able ally stands beside a target, or in its space."""
    side, foe, victim = setup.fighters[who].side, setup.fighters[target], figures[target]
    for i, (fighter, figure) in enumerate(zip(setup.fighters, figures, strict=True)):
        if i != who and fighter.side == side and able(figure):
            if terrain.distance(figure.cell, victim.cell, fighter.space, foe.space) <= 1:
                return True
    return False


# -- after a hit ------------------------------------------------------------------------------------------


def riders_of(traits: Traits, weapon: Weapon) -> tuple[Trait, ...]:
    """The traits that a weapon's hits carry: those bound to it, and to a natural weapon those bound to none."""
    return tuple(t for t in traits.riders if (t.weapon == weapon.name if t.weapon else weapon.natural))


def after_hit(resolution: Resolution, who: int, target: int, weapon: Weapon, damage: int) -> None:
    """What follows a hit: checks of the target, and what it suffers where it fails."""
    traits = resolution.fighter(who).traits
    assert traits is not None
    for trait in riders_of(traits, weapon):
        figure = resolution.figures[target]
        if trait.name == "life drain":
            if damage and resolution.figures[who].hp > 0:
                heal(resolution, who, (damage + 1) // 2, "life drain")
        elif figure.hp > 0 and (damage or trait.name == "hold") and not spared(resolution.fighter(target), trait):
            foe = resolution.fighter(target)
            result = stat_check(resolution.dice, resolution.setup, foe, figure, resilience(foe), trait.rating)
            resolution.events.append(result.event(foe.id, _called(trait, weapon)))
            if not result.success:
                _suffer(resolution, who, target, trait, weapon)


def _called(trait: Trait, weapon: Weapon) -> str:
    return weapon.name if trait.name == "hold" else trait.name


def spared(fighter: Fighter, trait: Trait) -> bool:
    """Whether a trait does nothing to somebody: who has no blood is not poisoned either."""
    immune = fighter.traits.immune if fighter.traits is not None else ()
    return trait.name in BLOOD and BLEEDING.name in immune


def _suffer(resolution: Resolution, who: int, target: int, trait: Trait, weapon: Weapon) -> None:
    name, stat = _called(trait, weapon), resilience(resolution.fighter(target))
    if trait.name == "bleeding wounds":
        BLEEDING.gain(resolution, target, weapon.name)
    elif trait.name == "knockdown":
        lie_down(resolution, target, PRONE.name, "knocked down")
    elif trait.name == "sapping touch":
        worse = trait.bonus
        weak = Lasting(trait.turns, attack=worse, defense=worse, checks=worse, recover=stat, rule=trait.source)
        lay(resolution, target, Effect(name, who, trait.turns, trait.rating, weak))
    elif trait.name == "venom":
        sick = POISONED.lasting(trait.turns, stat, trait.source, trait.bonus)
        lay(resolution, target, Effect(name, who, trait.turns, trait.rating, sick))
    else:
        condition = SLOWED if trait.name == "poison" else ROOTED
        held = condition.lasting(trait.turns, stat, trait.source)
        lay(resolution, target, Effect(name, who, trait.turns, trait.rating, held))


def rider_notes(setup: Setup, fighter: Fighter, foe: Fighter, victim: Figure, weapon: Weapon) -> list[tuple[str, str]]:
    """What a hit carries, with the exact chance that the target fails its check, for the attack card."""
    if fighter.traits is None:
        return []
    stat = resilience(foe)
    plus = sum(a.value for a in burden(setup, foe, victim, stat))
    notes = []
    for trait in riders_of(fighter.traits, weapon):
        if trait.name == "life drain":
            notes.append(("a hit gives half of its damage back", trait.source))
        elif spared(foe, trait):
            notes.append((f"{trait.name} does nothing to {foe.name}", trait.source))
        else:
            fails = 1.0 - dist.chance_at_least(2, stat_rank(foe, stat), trait.rating - plus)
            notes.append((f"{_does(trait)} on a hit: {fails:.0%} ({stat.capitalize()} {trait.rating})", trait.source))
    return notes


def _does(trait: Trait) -> str:
    return {"poison": "slowed", "venom": "poisoned", "bleeding wounds": "bleeding", "sapping touch": "weakened",
            "knockdown": "prone", "hold": "rooted"}[trait.name]  # fmt: skip


# -- wounds -----------------------------------------------------------------------------------------------


def hurt(resolution: Resolution, who: int, amount: int, element: str) -> None:
    """What a wound does to a creature with traits: fire stops it from healing, anything else may divide it."""
    traits, fighter = resolution.fighter(who).traits, resolution.fighter(who)
    if traits is None or not amount:
        return
    if element == FIRE:
        if traits.regeneration:
            lay(resolution, who, Effect(BURNT, who, 1, 0, Lasting(1, rule=f"{RULE} regeneration")))
    elif traits.splits and resolution.figures[who].hp >= 2 * traits.splits:
        _divide(resolution, who, fighter)


def _divide(resolution: Resolution, who: int, fighter: Fighter) -> None:
    """Half of the hit points, rounded down, go to a new creature on the first free space beside."""
    figure, terrain = resolution.figures[who], resolution.terrain
    taken = 0
    for other, at in zip(resolution.setup.fighters, resolution.figures, strict=True):
        if at.cell >= 0 and at.hp > 0:
            taken |= terrain.footprint(at.cell, other.space)
    steps = [cell for cell, _ in terrain.neighbours(figure.cell, fighter.space)]
    room = [cell for cell in steps if not terrain.footprint(cell, fighter.space) & taken]
    if not room:
        return
    part = figure.hp // 2
    stem = fighter.id.partition(".")[0]
    number = 2 + sum(1 for f in resolution.setup.fighters if f.id.startswith(f"{stem}."))
    name = fighter.name.partition(" (")[0]
    half = msgspec.structs.replace(
        fighter, id=f"{stem}.{number}", name=f"{name} ({number})", hp_max=part, threat=0, surprised=False
    )
    resolution.change(who, hp=figure.hp - part)
    resolution.setup = resolution.setup.joined_by(half)
    resolution.figures.append(Figure(room[0], part, half.mana_max, half.faith_max, (), ()))
    resolution.events.append(
        Summoned(target=half.id, name=half.name, gained=True, at=resolution.space(room[0]), by=fighter.id)
    )


def burst(resolution: Resolution, who: int) -> None:
    """A felled creature bursts, and is dead: everybody near, in the record's order, takes the same damage."""
    fighter, figure = resolution.fighter(who), resolution.figures[who]
    trait = fighter.traits.burst if fighter.traits is not None else None
    if trait is None:
        return
    if figure.hp > -fighter.hp_max:
        resolution.change(who, hp=-fighter.hp_max, dying=False, bleeding=False, stunned=0)
        DEAD.tell(resolution, who, "burst", gained=True)
    resolution.dice.thrower = fighter.id
    dealt = roll(resolution.dice, "burst", 1, trait.die, exploding=False)
    touched = False
    for other in range(len(resolution.figures)):
        foe, victim = resolution.fighter(other), resolution.figures[other]
        if other == who or victim.cell < 0 or victim.hp <= -foe.hp_max:
            continue
        if resolution.terrain.distance(figure.cell, victim.cell, fighter.space, foe.space) <= trait.spaces:
            soak = foe.armor.reduction if foe.armor else 0
            soak += sum(effect.lasting.armor for effect in victim.effects)
            touched = True
            injure(resolution, other, max(0, dealt.total - soak), f"burst of {fighter.name}", who, (dealt,))
    if not touched:
        told = f"{fighter.name} bursts, and nobody is near."
        resolution.events.append(Note(text=told, by=fighter.id, rolls=(dealt,)))


# -- resets -----------------------------------------------------------------------------------------------


def regenerate(resolution: Resolution, who: int) -> None:
    """Step 1 of the reset: hit points come back, unless fire has hurt since the last one."""
    fighter, figure = resolution.fighter(who), resolution.figures[who]
    traits = fighter.traits
    if traits is None or not traits.regeneration or any(e.name == BURNT for e in figure.effects):
        return
    if -fighter.hp_max < figure.hp < fighter.hp_max:
        heal(resolution, who, traits.regeneration, "regeneration")


@lru_cache(maxsize=64)
def dreadful(setup: Setup) -> bool:
    """Whether anybody of a fight spreads fear at all."""
    return any(f.traits is not None and f.traits.dread is not None for f in setup.fighters)


def frighten(resolution: Resolution) -> None:
    """After step 3 of the reset: whoever stands near something dreadful for the first time faces it or not."""
    for who in range(len(resolution.figures)):
        traits = resolution.fighter(who).traits
        if traits is not None and traits.dread is not None and able(resolution.figures[who]):
            for foe in range(len(resolution.figures)):
                _face(resolution, who, foe, traits.dread)


def _face(resolution: Resolution, who: int, foe: int, trait: Trait) -> None:
    fighter, other, figure = resolution.fighter(who), resolution.fighter(foe), resolution.figures[foe]
    if other.side == fighter.side or not able(figure):
        return
    if immune(resolution, foe, FRIGHTENED.name):
        return
    terrain, cell = resolution.terrain, resolution.figures[who].cell
    if terrain.distance(cell, figure.cell, fighter.space, other.space) > trait.spaces:
        return
    name = f"dread of {fighter.name}"
    if any(effect.by == who and effect.name in (name, STEELED) for effect in figure.effects):
        return
    if sight(resolution.done(), foe, figure.cell, who, cell) is Grade.NONE:
        return
    result = stat_check(resolution.dice, resolution.setup, other, figure, "nerve", trait.rating)
    resolution.events.append(result.event(other.id, name))
    if result.success:
        steeled = Effect(STEELED, who, ENDLESS, 0, Lasting(ENDLESS, rule=trait.source))
        resolution.change(foe, effects=(*figure.effects, steeled))
    else:
        lay(
            resolution,
            foe,
            Effect(name, who, trait.turns, trait.rating, FRIGHTENED.lasting(trait.turns, "nerve")),
        )


MOMENTS = Moments(
    modify_attack=modify_attack,
    hit_notes=rider_notes,
    after_hit=after_hit,
    hurt=hurt,
    dropped=burst,
    on_reset=regenerate,
)
"""What traits do at the moments of a fight."""

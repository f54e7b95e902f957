"""One blow: attack and defence dice, natural results, what a shield takes, raw damage (countup.md §2.1, §2.2)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from rules.contract.actions import Adjustment
from rules.contract.events import Attack, Roll
from rules.countup.combat.reach import direction, in_reach, towards
from rules.countup.conditions import (
    EXPOSED,
    PARRYING,
    PRONE,
    TIRED,
    Doing,
    bare,
    forbidden,
    stiff,
    to_damage,
    to_defence,
)
from rules.countup.conditions import to_attack as effects_on_attack
from rules.countup.gear import SPEED_FLOOR, UNARMED, Shield, Weapon
from rules.countup.light import penalties
from rules.countup.manners import FISTS as BARE_HANDS
from rules.countup.manners import FREE, PLAIN, Manner, Stance
from rules.countup.penetration import Die, roll
from rules.countup.state import (
    CountState,
    Figure,
    PreparedAttack,
    Resolution,
    Setup,
    able,
    free_hand,
    in_hand,
    sizes_of,
    surprised,
    weapon_of,
)

CROWD = 4
"""So many engaged enemies in front and at the sides reduce the defence die to a d12p."""
FISTS = 5
"""The speed of fists at somebody unarmed or unaware, in seconds."""
FRESH_LEGS = 10
"""Seconds at the beginning of a fight in which nobody tires (option)."""
BACKSTAB = ((Die(1, 4),), (Die(2, 4),))
"""Extra dice of a backstab below the fifth level and from it on."""
SHIELD_MISS = 9
"""A melee attack that misses by at most so many strikes the shield."""


WITHDREW = 2
"""What a fighting withdrawal costs the next attack."""


class Defence(msgspec.Struct, frozen=True):
    """The die that a defender throws, its modifiers, and whether a shield takes part."""

    faces: int
    adjustments: tuple[Adjustment, ...]
    shield: bool

    @property
    def bonus(self) -> int:
        return sum(a.value for a in self.adjustments)


class Outcome(msgspec.Struct, frozen=True):
    """What a blow came to, before anything of it is applied."""

    attack: PreparedAttack
    hit: bool
    raw: int
    """Damage before any reduction; a shield's, if the shield was struck."""
    loss: int
    """Hit points lost."""
    shield: bool
    """The shield was struck."""
    critical: bool
    earned: tuple[PreparedAttack, ...] = ()
    """Free attacks earned by it, at once."""
    later: PreparedAttack | None = None
    """A free attack in the next second."""
    charge: bool = False
    shot: bool = False


def _adjust(to: str, value: int, because: str, rule: str) -> tuple[Adjustment, ...]:
    return (Adjustment(to, value, because, f"countup.md {rule}"),) if value else ()


def engaged(state: CountState, who: int) -> list[int]:
    """Enemies in front or at the sides whose weapons reach it and who could strike in this second (B37)."""
    out = []
    being = state.setup.beings[who]
    for other, figure in enumerate(state.figures):
        if state.setup.beings[other].side == being.side:
            continue
        weapon = weapon_of(state.setup, other, in_hand(state.setup, other, figure))
        if towards(state, who, other) == "rear" or figure.busy > state.second or weapon.ranged:
            continue
        if could_strike(figure, state.second, weapon) and in_reach(state, other, who, weapon):
            out.append(other)
    return out


def could_strike(figure: Figure, second: int, weapon: Weapon) -> bool:
    """Whether somebody could strike in this second at all: on its feet or not, but free to, with a weapon that is
    drawn by now, and not on the run (B37, countup.md §4)."""
    if weapon.name != UNARMED.name and figure.ready_at > second:
        return False
    if (
        not able(figure, second)
        or figure.stance is Stance.FLEEING
        or figure.held_by >= 0
        or figure.casting is not None
        or figure.task is not None
    ):
        return False
    return figure.fatigue <= second and not forbidden(figure, Doing.REACT)


def defence_of(state: CountState, target: int, by: int) -> Defence:
    """The defence die by the defender's state: the first line of the table that fits (countup.md §2.1)."""
    being, figure = state.setup.beings[target], state.figures[target]
    second = state.second
    if figure.helpless > second or bare(figure):
        return Defence(8, (), False)
    if surprised(figure, second):
        return Defence(8, (), False)
    own = _adjust("defence", being.defence, "defence bonus", "§2.1") + defence_stances(state, figure, target, by)
    if figure.prone or figure.casting is not None:
        return Defence(8, own, False)
    if towards(state, target, by) == "rear":
        return Defence(8, own, False)
    if figure.stance is Stance.FLEEING:
        return Defence(10, own, False)
    shield = state.setup.armoury.shields.get(figure.shield or "")
    if shield is not None and state.setup.options["shield_arcs"] and not _covers(state, target, by, shield):
        shield = None
    covered = _adjust("defence", shield.defence, shield.name, "§2.2") if shield else ()
    if len(engaged(state, target)) >= CROWD:
        return Defence(12, own + covered, shield is not None)
    if shield is not None:
        return Defence(20, own + covered, True)
    return Defence(20, own + _adjust("defence", -4, "no shield", "§2.1"), False)


def _covers(state: CountState, target: int, by: int, shield: Shield) -> bool:
    """Shield arcs (option): a small one the first two in front, others front and sides."""
    where = towards(state, target, by)
    if shield.size != "S":
        return where != "rear"
    ahead = [other for other in engaged(state, target) if towards(state, target, other) == "front"]
    return where == "front" and (by not in ahead or by in ahead[:2])


def defence_stances(state: CountState, figure: Figure, target: int, by: int) -> tuple[Adjustment, ...]:
    """What a creature's stances and effects do to its defence against somebody, whatever its die."""
    being, second = state.setup.beings[target], state.second
    out: tuple[Adjustment, ...] = ()
    if figure.exposed:
        out += _adjust("defence", EXPOSED.defence, "aggressive attack", "§2.6")
    if figure.stance is Stance.PARRY:
        out += _adjust("defence", PARRYING.defence, "full parry", "§2.6")
    out += _adjust("defence", figure.stance.rank, "fights defensively", "§2.6")
    charges = figure.stance is Stance.CHARGING and (figure.order is None or charging(figure))
    if being.dexterity_bonus > 0 and (charges or stiff(figure)):
        out += _adjust("defence", -being.dexterity_bonus, "charging", "§2.6")
    if figure.fatigue > second:
        out += _adjust("defence", TIRED.defence, "spell fatigue", "§2.8")
    out += to_defence(figure, second)
    out += _adjust("defence", -worn(figure), "fatigue", "§4")
    out += _adjust("defence", -figure.tactical, "tactical move", "§2.6")
    dim = penalties(state, by, target)[1]
    return out + _adjust("defence", dim, "poor light on the attacker", "§3")


def backed(figure: Figure) -> int:
    """What going back costs the next attack: 1 each time ground was given, and a withdrawal's 2 besides."""
    return figure.penalty + (WITHDREW if figure.withdrew else 0)


def worn(figure: Figure) -> int:
    """What fatigue costs: 1, doubled each time (option)."""
    return 2 ** (figure.worn - 1) if figure.worn else 0


def being_worn(state: CountState, who: int) -> int:
    """The natural defence die at or below which somebody tires: 1, and armour's worth of speed."""
    armour = state.setup.beings[who].armour
    return 1 + (armour.speed if armour else 0)


def charging(figure: Figure) -> bool:
    """Whether it runs to strike, not only to get somewhere."""
    order = figure.order
    return order is not None and order.action is not None and order.action.option == "charge"


def attack_adjustments(state: CountState, attack: PreparedAttack) -> tuple[Adjustment, ...]:
    """Everything added to the attack die (countup.md §2.1, §2.6)."""
    being, figure = state.setup.beings[attack.by], state.figures[attack.by]
    out = _adjust("attack", being.attack, "attack bonus", "§2.1")
    manner = attack.manner
    out += _adjust("attack", manner.attack, manner.because, manner.rule)
    if not manner.free:
        out += _adjust("attack", -backed(figure), "ground given", "§2.6")
        # of a defensive fight and of one that was broken off the pending attack pays the dearer
        out += _adjust("attack", -max(0, figure.owed - 2 * manner.stance.rank), "fought defensively", "§2.6")
    out += _adjust("attack", -worn(figure), "fatigue", "§4")
    out += _adjust("attack", -figure.tactical, "tactical move", "§2.6")
    if figure.prone:
        out += _adjust("attack", PRONE.attack, "prone", "§4")
    out += effects_on_attack(figure)
    return out + _adjust("attack", penalties(state, attack.by, attack.target)[0], "poor light on the target", "§3")


def strike(resolution: Resolution, state: CountState, attack: PreparedAttack) -> Outcome:
    """Throw a melee blow's dice by the state at the phase's start; nothing is applied yet."""
    setup = resolution.setup
    weapon = struck_weapon(setup, attack)
    being, foe = setup.beings[attack.by], setup.beings[attack.target]
    defence = defence_of(state, attack.target, attack.by)
    extra = _adjust("defence", 5, "gives ground", "§2.6") if attack.yielded else ()
    to_attack = attack_adjustments(state, attack)
    resolution.dice.thrower = foe.id
    defended = roll(resolution.dice, "defence", (Die(1, defence.faces),), defence.bonus + sum(a.value for a in extra))
    resolution.dice.thrower = being.id
    attacked = roll(resolution.dice, "attack", (Die(1, 20),), sum(a.value for a in to_attack))
    natural, guard = attacked.throws[0].face, defended.throws[0].face
    sure = natural == 20 and setup.options["natural_20_hits"]
    hit = natural != 1 and (sure or attacked.total > defended.total)
    critical = hit and natural == 20
    rolls: list[Roll] = [defended, attacked]
    raw = loss = 0
    shield = False
    copied = hit and finds_image(resolution, state, attack.target, rolls)
    if copied:
        hit = critical = False
    elif hit:
        raw, loss = _damage(resolution, state, attack, weapon, critical, rolls)
    elif _strikes_shield(attack, defence, defended.total - attacked.total, natural, guard):
        shield = True
        raw, loss = _shield_damage(resolution, state, attack, weapon, rolls)
    if setup.options["fatigue"] and guard <= being_worn(state, attack.target) and state.second > FRESH_LEGS:
        resolution.change(attack.target, worn=min(4, resolution.figures[attack.target].worn + 1))
    earned, later = _earned(state, attack, defence, attacked, defended)
    _tell(resolution, state, attack, weapon, attacked, defended, to_attack + defence.adjustments + extra, loss, rolls,
          "image" if copied else _word(hit, critical, shield, natural, defended.total > attacked.total))  # fmt: skip
    return Outcome(attack, hit, raw, loss, shield, critical, earned, later, attack.manner.charge)


def struck_weapon(setup: Setup, attack: PreparedAttack) -> Weapon:
    """What an attack is made with."""
    return UNARMED if attack.manner.fists else weapon_of(setup, attack.by, attack.weapon)


def finds_image(resolution: Resolution, state: CountState, target: int, rolls: list[Roll]) -> bool:
    """Whether a hit goes into a copy of its target, which then is gone: a die with a face for each, 1 = the target."""
    images = state.figures[target].images
    if not images:
        return False
    which = roll(resolution.dice, "which of them", (Die(1, images + 1, False),))
    rolls.append(which)
    if which.total == 1:
        return False
    resolution.change(target, images=max(0, resolution.figures[target].images - 1))
    return True


def _word(hit: bool, critical: bool, shield: bool, natural: int, beaten: bool) -> str:
    if critical:
        return "critical_hit"
    if hit:
        return "hit"
    if natural == 1 and beaten:
        return "fumble"
    return "shield_struck" if shield else "miss"


def _strikes_shield(attack: PreparedAttack, defence: Defence, short: int, natural: int, guard: int) -> bool:
    perfect = defence.faces == 20 and guard == 20
    return (
        defence.shield
        and 0 <= short <= SHIELD_MISS
        and natural != 1
        and not perfect
        and not (attack.manner.fists or attack.manner.harmless)
    )


def _damage(
    resolution: Resolution, state: CountState, attack: PreparedAttack, weapon: Weapon, critical: bool, rolls: list[Roll]
) -> tuple[int, int]:
    """(raw damage, hit points lost): dice + Strength, halved for a jab and for who gave ground (B3, B20)."""
    foe = resolution.being(attack.target)
    if attack.manner.harmless:
        return 0, 0
    bonus = damage_bonus(state, attack.by)
    total = critical and resolution.setup.options["double_total"]
    parts = attack_dice(state, attack, weapon) * (
        2 if (critical and not total) or _set(resolution, attack, weapon) else 1
    )
    dealt = roll(resolution.dice, "damage", parts, weapon.flat + bonus, penetrating=attack.manner.penetrates)
    rolls.append(dealt)
    raw = max(0, dealt.total) * (2 if total else 1)
    if attack.manner.jab or (attack.manner.exposes and attack.yielded):
        raw //= 2
    if attack.manner.fists:
        return raw, raw
    return raw, max(0, raw - foe.reduction)


def backstabs(state: CountState, attack: PreparedAttack, weapon: Weapon) -> bool:
    """A thief's small blade from the rear, or at somebody surprised (option)."""
    if not state.setup.options["backstab"] or not state.setup.beings[attack.by].thief:
        return False
    if weapon.size != "S" or weapon.ranged or weapon.name == UNARMED.name:
        return False
    foe = state.figures[attack.target]
    if surprised(foe, state.second):
        return True
    return towards(state, attack.target, attack.by) == "rear"


def attack_dice(state: CountState, attack: PreparedAttack, weapon: Weapon) -> tuple[Die, ...]:
    """A weapon's dice of damage; a backstab's penetrate on two faces, and there are more of them."""
    if attack.manner.shot or not backstabs(state, attack, weapon):
        return weapon.dice
    keen = tuple(msgspec.structs.replace(die, keen=True) for die in weapon.dice)
    return keen + BACKSTAB[0 if state.setup.beings[attack.by].level < 5 else 1]


def damage_bonus(state: CountState, who: int) -> int:
    """Strength, less what enfeebles."""
    figure = state.figures[who]
    return state.setup.beings[who].damage - worn(figure) + to_damage(figure)


def _set(resolution: Resolution, attack: PreparedAttack, weapon: Weapon) -> bool:
    """A weapon set against a charge does its dice twice (countup.md §2.6)."""
    return attack.manner.twice and weapon.settable


def _shield_damage(
    resolution: Resolution, state: CountState, attack: PreparedAttack, weapon: Weapon, rolls: list[Roll]
) -> tuple[int, int]:
    foe = resolution.being(attack.target)
    shield = resolution.setup.armoury.shields[state.figures[attack.target].shield or ""]
    flat = weapon.shield_flat + damage_bonus(state, attack.by)
    if weapon.shield_dice:
        dealt = roll(resolution.dice, "shield damage", weapon.shield_dice, flat, penetrating=attack.manner.penetrates)
        rolls.append(dealt)
        raw = max(0, dealt.total)
    else:
        raw = max(0, flat)
    if attack.manner.jab:
        raw //= 2
    return raw, max(0, raw - shield.reduction - foe.reduction)


def _earned(
    state: CountState, attack: PreparedAttack, defence: Defence, attacked: Roll, defended: Roll
) -> tuple[tuple[PreparedAttack, ...], PreparedAttack | None]:
    """Free attacks: fumbles, perfect and near-perfect defences, a defender's natural 1 (countup.md §2.1)."""
    natural, guard = attacked.throws[0].face, defended.throws[0].face
    setup, second = state.setup, state.second
    defender = state.figures[attack.target]
    earned: list[PreparedAttack] = []
    own = free_hand(setup, attack.target, defender)
    held = weapon_of(setup, attack.target, own)
    distance = state.terrain.distance(
        state.figures[attack.by].cell, defender.cell, *sizes_of(setup, attack.by, attack.target)
    )
    if defended.total > attacked.total:
        if natural == 1 or (defence.faces == 20 and guard == 20):
            earned.append(PreparedAttack(attack.target, attack.by, own, FREE, attack.depth + 1))
        elif defence.faces == 20 and guard == 19 and distance <= 1:
            knife = held.knife and defender.ready_at <= second
            with_what, manner = (own, FREE) if knife else (UNARMED.name, BARE_HANDS)
            earned.append(PreparedAttack(attack.target, attack.by, with_what, manner, attack.depth + 1))
    earned = [free for free in earned if could_strike(defender, second, weapon_of(setup, attack.target, free.weapon))]
    later = PreparedAttack(attack.by, attack.target, attack.weapon, FREE, attack.depth + 1) if guard == 1 else None
    return tuple(earned), later


def _tell(resolution: Resolution, state: CountState, attack: PreparedAttack, weapon: Weapon, attacked: Roll,
          defended: Roll,
          adjustments: Sequence[Adjustment], loss: int, rolls: list[Roll], outcome: str) -> None:  # fmt: skip
    figure = resolution.figures[attack.by]
    facing = direction(
        resolution.setup.field,
        figure.cell,
        resolution.figures[attack.target].cell,
        sizes_of(resolution.setup, attack.by, attack.target),
    )
    resolution.change(attack.by, best=max(figure.best, attacked.total), facing=facing)
    resolution.events.append(
        Attack(
            by=resolution.being(attack.by).id,
            target=resolution.being(attack.target).id,
            weapon=weapon.name,
            attack=attacked.total,
            defense=defended.total,
            margin=attacked.total - defended.total,
            outcome=outcome,
            damage=loss,
            adjustments=tuple(adjustments),
            rolls=tuple(rolls),
            action=attack.manner.word,
            ranged=False,
        )
    )


def _helpless_to_fists(state: CountState, target: int) -> bool:
    """Unarmed or unaware: fists are twice as fast at it (countup.md §5.1)."""
    figure = state.figures[target]
    return surprised(figure, state.second) or in_hand(state.setup, target, figure) == UNARMED.name


def speed_of(state: CountState, by: int, weapon: Weapon, manner: Manner = PLAIN, target: int | None = None) -> int:
    """Seconds until the next attack after this one: the weapon's, never below its size's floor (countup.md §1)."""
    being = state.setup.beings[by]
    seconds = weapon.jab if manner.jab and weapon.jab else weapon.speed
    seconds += being.armour.speed if being.armour and not weapon.natural else 0
    seconds += worn(state.figures[by]) + being.burden + (0 if weapon.natural else being.unskilled)
    if weapon.name == UNARMED.name and target is not None and _helpless_to_fists(state, target):
        seconds -= UNARMED.speed - FISTS
    seconds = max(seconds, SPEED_FLOOR.get(weapon.size, 1))
    if target is not None:
        foe = state.figures[target]
        if foe.helpless > state.second or foe.prone:
            seconds = -(-seconds // 2)
    return seconds

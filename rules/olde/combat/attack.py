"""Attack: reach and range, itemised adjustments, the opposed roll, damage (olde.md §6)."""

from __future__ import annotations

from typing import NamedTuple

from rules.board.sight import Grade
from rules.contract.actions import Adjustment
from rules.contract.events import Attack, Earned, Roll
from rules.contract.scenario import PARTY
from rules.core.dice import roll
from rules.olde.challenges.checks import EASY, shield_short, skill_adjustment, stat_rank
from rules.olde.combat import outcomes
from rules.olde.combat.grip import damage_faces, grip_short
from rules.olde.combat.injury import injure
from rules.olde.conditions import helpless, modify_attack, modify_defense
from rules.olde.effects.model import shifts, total
from rules.olde.gear import Mode, Weapon
from rules.olde.state import Fighter, Figure, Lying, Resolution, Setup

ACTIONS = {"attack": 2, "rushed_attack": 1, "all_out_attack": 3, "aimed_shot": 3}
"""Attack actions -> AP."""

SIGHT = {Grade.CLEAR: 0, Grade.PARTIAL: -3, Grade.MINIMAL: -6}
SIGHT_NAMES = {Grade.CLEAR: "clear", Grade.PARTIAL: "partial", Grade.MINIMAL: "minimal", Grade.NONE: "none"}

Adjustments = tuple[Adjustment, ...]


class Blow(NamedTuple):
    """Everything about one attack that is known before a die is thrown: odds and resolution share it."""

    attacker: int
    target: int
    weapon: Weapon
    mode_at: int
    action: str
    grade: Grade
    attack_rank: int
    defense_rank: int
    """0: the defender rolls nothing, the CR is Easy."""
    to_attack: Adjustments
    to_defense: Adjustments
    to_damage: Adjustments
    armor: int
    advantage: int = 0
    """+1 or −1: two sets of attack dice, the better or the worse kept (advantage.py)."""

    @property
    def mode(self) -> Mode:
        return self.weapon.modes[self.mode_at]

    @property
    def attack_total(self) -> int:
        return sum(a.value for a in self.to_attack)

    @property
    def defense_total(self) -> int:
        return sum(a.value for a in self.to_defense)

    @property
    def damage_total(self) -> int:
        return sum(a.value for a in self.to_damage)


def range_penalty(mode: Mode, distance: int) -> int:
    """0 up to the base range, −2 for each doubling (olde.md §6 ranged)."""
    penalty, limit = 0, mode.base
    while distance > limit:
        limit *= 2
        penalty -= 2
    return penalty


def in_reach(mode: Mode, distance: int) -> bool:
    """Whether a target at this distance (spaces) can be attacked at all."""
    return mode.near <= distance <= mode.far


def prepare(
    setup: Setup,
    figures: tuple[Figure, ...] | list[Figure],
    attacker: int,
    target: int,
    weapon: Weapon,
    mode_at: int,
    action: str,
    distance: int,
    grade: Grade,
    extra: Adjustments = (),
) -> Blow:
    """Collect every adjustment of an attack, each with its rule; `extra`: what depends on who stands where.

    Legality is checked elsewhere.
    """
    fighter, foe = setup.fighters[attacker], setup.fighters[target]
    figure, victim = figures[attacker], figures[target]
    mode = weapon.modes[mode_at]
    motionless = helpless(victim)
    to_attack = _attack_adjustments(setup, fighter, figure, weapon, mode, action, distance, grade, motionless)
    to_damage = _damage_adjustments(fighter, figure, weapon, mode, action)
    if extra:
        to_attack += tuple(a for a in extra if a.to == "attack")
        to_damage += tuple(a for a in extra if a.to == "damage")
    to_defense = () if motionless else defense_adjustments(setup, foe, victim, mode.ranged)
    return Blow(
        attacker,
        target,
        weapon,
        mode_at,
        action,
        grade,
        stat_rank(fighter, "finesse" if mode.finesse else "brawn"),
        0 if motionless else foe.finesse_rank,
        to_attack,
        to_defense,
        to_damage,
        (foe.armor.reduction if foe.armor else 0) + (total(victim, "armor") if victim.effects else 0),
    )


def _attack_adjustments(
    setup: Setup, fighter: Fighter, figure: Figure, weapon: Weapon, mode: Mode, action: str, distance: int,
    grade: Grade, motionless: bool,
) -> Adjustments:  # fmt: skip
    out: list[Adjustment] = []

    def add(value: int, because: str, rule: str) -> None:
        if value:
            out.append(Adjustment("attack", value, because, rule))

    rank = skill_adjustment(fighter, mode.skill)
    add(rank, mode.skill if mode.skill in fighter.skills else f"{mode.skill}, untrained", "olde.md §2 ranks")
    if action == "rushed_attack":
        add(-2, "rushed", "olde.md §4 Rushed Attack")
    elif action == "all_out_attack":
        add(2, "all-out", "olde.md §4 All-Out Attack")
    elif action == "aimed_shot":
        add(2, "aimed", "olde.md §4 Aimed Shot")
    if mode.ranged:
        add(range_penalty(mode, distance), f"{distance} spaces away", "olde.md §6 ranged")
        if distance == 1 and not motionless:
            add(-2, "adjacent target", "olde.md §6 ranged")
    add(SIGHT[grade], f"{SIGHT_NAMES[grade]} sight", "olde.md §5 line of sight")
    add(-grip_short(fighter, figure, weapon, mode), f"{weapon.name} too heavy", "olde.md §6 grip")
    if not mode.finesse:
        add(-fighter.armor_short, "armor too heavy", "olde.md §6 armor")
    add(-shield_short(setup, fighter, figure), "shield too heavy", "olde.md §6 shields")
    return (*out, *modify_attack(figure, mode))


def _damage_adjustments(fighter: Fighter, figure: Figure, weapon: Weapon, mode: Mode, action: str) -> Adjustments:
    out: list[Adjustment] = []
    if action == "all_out_attack":
        out.append(Adjustment("damage", 4, "all-out", "olde.md §4 All-Out Attack"))
    elif action == "aimed_shot":
        out.append(Adjustment("damage", 2, "aimed", "olde.md §4 Aimed Shot"))
    short = grip_short(fighter, figure, weapon, mode)
    if short:
        out.append(Adjustment("damage", -short, f"{weapon.name} too heavy", "olde.md §6 grip"))
    if weapon.name == "improvised" and fighter.brawn >= 5:
        out.append(Adjustment("damage", fighter.brawn // 5, "improvised weapon", "olde.md §6 unarmed"))
    if figure.effects:
        out += shifts(figure, "damage", "damage")
    return tuple(out)


def defense_adjustments(setup: Setup, foe: Fighter, victim: Figure, ranged: bool) -> Adjustments:
    """The better of ready-weapon skill and shield skill, the shield, temporary adjustments, posture (olde.md §6)."""
    out: list[Adjustment] = []

    def add(value: int, because: str, rule: str) -> None:
        if value:
            out.append(Adjustment("defense", value, because, rule))

    shields = setup.armoury.shields
    shield = next((shields[item] for item in victim.hands if item in shields), None)
    best, name = defense_skill(setup, foe, victim)
    if shield is not None:
        with_shield = skill_adjustment(foe, "Shields")
        if with_shield > best:
            best, name = with_shield, "Shields"
    trained = name in foe.skills or best >= 0
    add(best, name if trained else f"{name}, untrained", "olde.md §6 defense")
    if shield is not None:
        add(shield.defense, shield.name, "olde.md §6 shields")
        add(-max(0, shield.brawn - foe.brawn), f"{shield.name} too heavy", "olde.md §6 shields")
    add(victim.temp_defense, "temporary", "olde.md §4 temporary")
    if not ranged:
        add(victim.temp_block, "Shield Block", "olde.md §4 Shield Block")
    return (*out, *modify_defense(victim, ranged))


def defense_skill(setup: Setup, foe: Fighter, victim: Figure) -> tuple[int, str]:
    """The best skill among ready weapons; natural weapons are always ready; with no weapon, Brawling."""
    weapons, shields = setup.armoury.weapons, setup.armoury.shields
    found: tuple[int, str] | None = None
    ready = [item for item in victim.hands if item not in shields]
    ready += [name for name in foe.weapons if weapons[name].natural and name not in ready]
    for item in ready:
        for mode in weapons[item].modes:
            value = skill_adjustment(foe, mode.skill)
            if found is None or value > found[0]:
                found = (value, mode.skill)
    return found or (skill_adjustment(foe, "Brawling"), "Brawling")


def resolve(resolution: Resolution, blow: Blow) -> None:
    """Throw defense, attack and damage, and let the outcome follow (olde.md §6)."""
    attacker = resolution.fighter(blow.attacker)
    rolls: list[Roll] = []
    if blow.defense_rank:
        resolution.dice.thrower = resolution.fighter(blow.target).id
        defended = roll(resolution.dice, "defense", 2, blow.defense_rank, adjustments=blow.to_defense)
        rolls.append(defended)
        rating = defended.total
    else:
        rating = EASY
    resolution.dice.thrower = attacker.id
    attacked = roll(
        resolution.dice, "attack", 2, blow.attack_rank, adjustments=blow.to_attack, advantage=blow.advantage
    )
    rolls.append(attacked)
    margin = attacked.total - rating
    outcome = outcomes.named(margin)
    damage, dealt = 0, None
    if margin >= 0:
        damage, dealt, extra = _damage(resolution, blow, outcome)
        if dealt is not None:
            rolls.append(dealt)
    else:
        extra = ()
    armor = _armor_adjustment(resolution, blow, outcome) if margin >= 0 else ()
    resolution.events.append(
        Attack(
            by=attacker.id,
            target=resolution.fighter(blow.target).id,
            weapon=blow.weapon.name,
            attack=attacked.total,
            defense=rating,
            margin=margin,
            outcome=outcome,
            damage=damage,
            adjustments=blow.to_attack + blow.to_defense + ((blow.to_damage + extra + armor) if margin >= 0 else ()),
            rolls=tuple(rolls),
            action=blow.action,
            ranged=blow.mode.ranged,
            sight=SIGHT_NAMES[blow.grade],
        )
    )
    if attacked.total > resolution.figures[blow.attacker].best:
        resolution.change(blow.attacker, best=attacked.total)
    _award(resolution, blow, outcome)
    if resolution.figures[blow.attacker].ammunition > 0 and blow.weapon.shoots(blow.mode):
        resolution.change(blow.attacker, ammunition=resolution.figures[blow.attacker].ammunition - 1)
    if blow.mode.kind == "thrown" and not blow.weapon.natural:
        _leave_the_hand(resolution, blow)
    elif blow.mode.reset >= 0:
        unset = resolution.figures[blow.attacker].unset
        if blow.weapon.name not in unset:
            resolution.change(blow.attacker, unset=(*unset, blow.weapon.name))
    if damage > 0:
        injure(resolution, blow.target, damage, blow.weapon.name, blow.attacker, element=blow.weapon.element)
    if margin >= 0 and attacker.traits is not None:
        resolution.setup.moments.after_hit(resolution, blow.attacker, blow.target, blow.weapon, damage)
    if margin < 0:
        outcomes.miss(resolution, blow.attacker, blow.target, outcome, blow.weapon, blow.mode_at)


def damage_of(blow: Blow, attacker: Fighter, outcome: str, thrown: int) -> int:
    """Damage sustained for a damage die showing `thrown` (ignored where the maximum counts)."""
    top = damage_faces(attacker, blow.weapon, blow.mode)[2]
    return outcomes.sustained(outcome, blow.mode.finesse, thrown, top, blow.damage_total, blow.armor)


def throws_damage(blow: Blow, outcome: str) -> bool:
    """Whether the damage die is thrown at all: not where the maximum counts."""
    return not (outcome == "legendary_hit" or (outcome == "critical_hit" and not blow.mode.finesse))


def _damage(resolution: Resolution, blow: Blow, outcome: str) -> tuple[int, Roll | None, Adjustments]:
    """(damage sustained, the damage roll if one was thrown, adjustments of the outcome)."""
    attacker = resolution.fighter(blow.attacker)
    rank, halved, top = damage_faces(attacker, blow.weapon, blow.mode)
    dealt, thrown = None, top
    if throws_damage(blow, outcome):
        dealt = roll(
            resolution.dice,
            "damage",
            1,
            rank,
            exploding=resolution.setup.exploding_damage,
            adjustments=blow.to_damage,
        )
        thrown = dealt.total - blow.damage_total
        if halved:
            thrown = (thrown + 1) // 2
    damage = damage_of(blow, attacker, outcome, thrown)
    return damage, dealt, outcomes.damage_notes(outcome, blow.mode.finesse, top + blow.damage_total)


def _armor_adjustment(resolution: Resolution, blow: Blow, outcome: str) -> Adjustments:
    armor = resolution.fighter(blow.target).armor
    if blow.mode.finesse and outcome in ("legendary_hit", "critical_hit"):
        return ()
    out = (Adjustment("damage", -armor.reduction, armor.name, "olde.md §6 armor"),) if armor else ()
    warded = shifts(resolution.figures[blow.target], "armor", "damage")
    return (*out, *(Adjustment(a.to, -a.value, a.because, a.rule) for a in warded))


def _award(resolution: Resolution, blow: Blow, outcome: str) -> None:
    points = outcomes.CHARACTER_POINTS.get(outcome, 0)
    if not points:
        return
    for who in (blow.attacker, blow.target):
        if resolution.fighter(who).side == PARTY:
            resolution.change(who, cp=resolution.figures[who].cp + points)
            resolution.events.append(Earned(by=resolution.fighter(who).id, points=points, because=outcome))


def _leave_the_hand(resolution: Resolution, blow: Blow) -> None:
    """A thrown weapon lies in the target's space."""
    figure = resolution.figures[blow.attacker]
    hands = list(figure.hands)
    if blow.weapon.name not in hands:
        return
    hands.remove(blow.weapon.name)
    resolution.change(blow.attacker, hands=tuple(hands))
    resolution.floor = (
        *resolution.floor,
        Lying(blow.weapon.name, resolution.figures[blow.target].cell, blow.attacker),
    )

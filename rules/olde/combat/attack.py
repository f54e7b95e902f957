"""Attack: reach and range, itemised adjustments, the opposed roll, damage (olde.md §6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules.board.sight import Grade
from rules.contract.actions import Adjustment
from rules.contract.events import Attack, Earned, Roll
from rules.contract.ruleset import PARTY
from rules.contract.text import text
from rules.contract.units import Cell
from rules.core.dice import roll
from rules.olde.actions.context import Context
from rules.olde.challenges.checks import EASY, shield_short, skill_adjustment, stat_rank
from rules.olde.combat import outcomes
from rules.olde.combat.outcomes import Hurt, Outcome, injure
from rules.olde.combat.weapons import (
    PLAIN,
    Armed,
    Manner,
    damage_adjustments,
    damage_faces,
    grip_short,
    mode_for,
    soak_of,
    trained,
    why_no_mode,
)
from rules.olde.conditions import feared, helpless, modify_attack, modify_defense
from rules.olde.effects import Effect, shifts
from rules.olde.gear import Mode, Weapon
from rules.olde.state import Fighter, Figure, Lying, OldeState, Pending, Resolution, Setup, Striking, unaware

RULE = "olde.md §1 advantage"
FIRST_TURN = 1


def on_attack(state: OldeState, who: int, start: Cell, target: int, goal: Cell) -> tuple[int, Adjustments]:
    """+1, −1 or 0 for an attack from one space on somebody at another, and the lines that say why."""
    setup = state.setup
    if not setup.advantage:
        return 0, ()
    for_it: list[str] = []
    against: list[str] = []
    above = setup.field.level(start) - setup.field.level(goal)
    if above:
        (for_it if above > 0 else against).append("higher ground" if above > 0 else "lower ground")
    if state.turn <= FIRST_TURN and unaware(state, target):
        for_it.append("caught unaware")
    lines = [text("advantage: {because}", because) for because in for_it] + [
        text("disadvantage: {because}", because) for because in against
    ]
    # the lines name it; they add nothing to the total
    return bool(for_it) - bool(against), tuple(Adjustment("attack", 0, line, RULE) for line in lines)


def on_check(setup: Setup, helps: Sequence[Effect]) -> tuple[int, Adjustments]:
    """What a neighbour's help does for a check: advantage where a table grants it, else its bonus (olde.md §3)."""
    if setup.advantage and helps:
        return 1, (Adjustment("check", 0, "advantage: assisted", RULE),)
    return 0, tuple(Adjustment("check", e.rating, "assisted", "olde.md §3 assisted") for e in helps)


SIGHT = {Grade.CLEAR: 0, Grade.PARTIAL: -3, Grade.MINIMAL: -6}
SIGHT_NAMES = {Grade.CLEAR: "clear", Grade.PARTIAL: "partial", Grade.MINIMAL: "minimal", Grade.NONE: "none"}

Adjustments = tuple[Adjustment, ...]


class PreparedAttack(NamedTuple):
    """Everything about one attack that is known before a die is thrown: odds and resolution share it."""

    attacker: int
    target: int
    armed: Armed
    manner: Manner
    action: str
    """The word of the command, as the event has it."""
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
    def weapon(self) -> Weapon:
        return self.armed.weapon

    @property
    def mode(self) -> Mode:
        return self.armed.mode

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


def prepare(
    setup: Setup,
    figures: Sequence[Figure],
    attacker: int,
    target: int,
    armed: Armed,
    *,
    distance: int,
    grade: Grade,
    manner: Manner = PLAIN,
    action: str = "",
    extra: Adjustments = (),
) -> PreparedAttack:
    """Collect every adjustment of an attack, each with its rule; `action`: the word of the command, where it is not
    the manner's own; `extra`: what depends on who stands where.

    Legality is checked elsewhere.
    """
    fighter, foe = setup.fighters[attacker], setup.fighters[target]
    figure, victim, mode = figures[attacker], figures[target], armed.mode
    motionless = helpless(victim)
    to_attack = _skill_adjustments(fighter, mode) + manner.adjustment("attack", manner.attack)
    if mode.ranged:
        to_attack += _range_adjustments(mode, distance, motionless=motionless)
    to_attack += _burdens(setup, fighter, figure, armed, grade) + armed.weapon.adjustments("attack", fighter.brawn)
    to_damage = manner.adjustment("damage", manner.damage) + damage_adjustments(fighter, figure, armed)
    if extra:
        to_attack += tuple(a for a in extra if a.to == "attack")
        to_damage += tuple(a for a in extra if a.to == "damage")
    return PreparedAttack(
        attacker=attacker,
        target=target,
        armed=armed,
        manner=manner,
        action=action or manner.do,
        grade=grade,
        attack_rank=stat_rank(fighter, "finesse" if mode.finesse else "brawn"),
        defense_rank=0 if motionless else foe.finesse_rank,
        to_attack=to_attack,
        to_defense=() if motionless else defense_adjustments(setup, foe, victim, mode.ranged),
        to_damage=to_damage,
        armor=soak_of(foe, victim),
    )


def _skill_adjustments(fighter: Fighter, mode: Mode) -> Adjustments:
    value = skill_adjustment(fighter, mode.skill)
    if not value:
        return ()
    name = mode.skill if mode.skill in fighter.skills else text("{skill}, untrained", mode.skill)
    return (Adjustment("attack", value, name, "olde.md §2 ranks"),)


def _range_adjustments(mode: Mode, distance: int, *, motionless: bool) -> Adjustments:
    out: Adjustments = ()
    if penalty := range_penalty(mode, distance):
        out = (Adjustment("attack", penalty, text("{distance} spaces away", distance), "olde.md §6 ranged"),)
    if distance == 1 and not motionless:
        out = (*out, Adjustment("attack", -2, "adjacent target", "olde.md §6 ranged"))
    return out


def _burdens(setup: Setup, fighter: Fighter, figure: Figure, armed: Armed, grade: Grade) -> Adjustments:
    """What sight, grip, armor, shield, posture and conditions do to the attack."""
    mode, out = armed.mode, []
    if value := SIGHT[grade]:
        because = text("{grade} sight", SIGHT_NAMES[grade])
        out.append(Adjustment("attack", value, because, "olde.md §5 line of sight"))
    if short := grip_short(fighter, figure, armed):
        because = text("{name} too heavy", armed.weapon.name)
        out.append(Adjustment("attack", -short, because, "olde.md §6 grip"))
    if fighter.armor_short and not mode.finesse:
        out.append(Adjustment("attack", -fighter.armor_short, "armor too heavy", "olde.md §6 armor"))
    if short := shield_short(setup, fighter, figure):
        out.append(Adjustment("attack", -short, "shield too heavy", "olde.md §6 shields"))
    return (*out, *modify_attack(figure, mode))


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
    add(best, name if trained else text("{name}, untrained", name), "olde.md §6 defense")
    if shield is not None:
        add(shield.defense, shield.name, "olde.md §6 shields")
        if (short := shield.brawn - foe.brawn) > 0:
            add(-short, text("{name} too heavy", shield.name), "olde.md §6 shields")
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


def resolve(resolution: Resolution, attack: PreparedAttack) -> None:
    """Throw defense, attack and damage, and let the outcome follow (olde.md §6)."""
    attacker = resolution.fighter(attack.attacker)
    rolls: list[Roll] = []
    if attack.defense_rank:
        resolution.dice.thrower = resolution.fighter(attack.target).id
        defended = roll(resolution.dice, "defense", 2, attack.defense_rank, adjustments=attack.to_defense)
        rolls.append(defended)
        rating = defended.total
    else:
        rating = EASY
    resolution.dice.thrower = attacker.id
    attacked = roll(
        resolution.dice, "attack", 2, attack.attack_rank, adjustments=attack.to_attack, advantage=attack.advantage
    )
    rolls.append(attacked)
    margin, mode, weapon = attacked.total - rating, attack.mode, attack.weapon
    outcome = outcomes.outcome_of(margin)
    hurt, damage = outcome.hurt(mode.finesse), 0
    to_damage: Adjustments = ()
    if hurt is not None:
        damage, dealt = _damage(resolution, attack, hurt)
        if dealt is not None:
            rolls.append(dealt)
        top = damage_faces(attacker, attack.armed)[2]
        to_damage = attack.to_damage + hurt.notes(top + attack.damage_total)
        to_damage += _armor_adjustment(resolution, attack) if hurt.armored else ()
    resolution.events.append(
        Attack(
            by=attacker.id,
            target=resolution.fighter(attack.target).id,
            weapon=weapon.name,
            attack=attacked.total,
            defense=rating,
            margin=margin,
            outcome=outcome.name,
            damage=damage,
            adjustments=attack.to_attack + attack.to_defense + to_damage,
            rolls=tuple(rolls),
            action=attack.action,
            ranged=mode.ranged,
            sight=SIGHT_NAMES[attack.grade],
        )
    )
    if attacked.total > resolution.figures[attack.attacker].best:
        resolution.change(attack.attacker, best=attacked.total)
    _award(resolution, attack, outcome)
    if resolution.figures[attack.attacker].ammunition > 0 and weapon.shoots(mode):
        resolution.change(attack.attacker, ammunition=resolution.figures[attack.attacker].ammunition - 1)
    if weapon.flies(mode):
        _leave_the_hand(resolution, attack)
    elif mode.reset >= 0:
        unset = resolution.figures[attack.attacker].unset
        if weapon.name not in unset:
            resolution.change(attack.attacker, unset=(*unset, weapon.name))
    if damage > 0:
        injure(resolution, attack.target, damage, weapon.name, by=attack.attacker, element=weapon.element)
    if hurt is not None and attacker.traits is not None:
        resolution.setup.moments.after_hit(resolution, attack.attacker, attack.target, weapon, damage)
    if hurt is None:
        outcomes.miss(resolution, attack.attacker, attack.target, outcome, attack.armed)


def damage_of(attack: PreparedAttack, attacker: Fighter, hurt: Hurt, thrown: int) -> int:
    """Damage sustained for a damage die showing `thrown` (ignored where the maximum counts)."""
    top = damage_faces(attacker, attack.armed)[2]
    return hurt.sustained(thrown, top, attack.damage_total, attack.armor)


def _damage(resolution: Resolution, attack: PreparedAttack, hurt: Hurt) -> tuple[int, Roll | None]:
    """(damage sustained, the damage roll if one was thrown)."""
    attacker = resolution.fighter(attack.attacker)
    rank, halved, thrown = damage_faces(attacker, attack.armed)
    dealt = None
    if not hurt.maximum:
        exploding = resolution.setup.exploding_damage
        dealt = roll(resolution.dice, "damage", 1, rank, exploding=exploding, adjustments=attack.to_damage)
        thrown = dealt.total - attack.damage_total
        if halved:
            thrown = (thrown + 1) // 2
    return damage_of(attack, attacker, hurt, thrown), dealt


def _armor_adjustment(resolution: Resolution, attack: PreparedAttack) -> Adjustments:
    armor = resolution.fighter(attack.target).armor
    out = (Adjustment("damage", -armor.reduction, armor.name, "olde.md §6 armor"),) if armor else ()
    warded = shifts(resolution.figures[attack.target], "armor", "damage")
    return (*out, *(Adjustment(a.to, -a.value, a.because, a.rule) for a in warded))


def _award(resolution: Resolution, attack: PreparedAttack, outcome: Outcome) -> None:
    if not outcome.points:
        return
    for who in (attack.attacker, attack.target):
        if resolution.fighter(who).side == PARTY:
            resolution.change(who, cp=resolution.figures[who].cp + outcome.points)
            resolution.events.append(Earned(by=resolution.fighter(who).id, points=outcome.points, because=outcome.name))


def _leave_the_hand(resolution: Resolution, attack: PreparedAttack) -> None:
    """A thrown weapon lies in the target's space."""
    figure = resolution.figures[attack.attacker]
    hands = list(figure.hands)
    if attack.weapon.name not in hands:
        return
    hands.remove(attack.weapon.name)
    resolution.change(attack.attacker, hands=tuple(hands))
    resolution.floor = (
        *resolution.floor,
        Lying(attack.weapon.name, resolution.figures[attack.target].cell, attack.attacker),
    )


# -- attacks as actions -----------------------------------------------------------------------------------


def why_not_attack(context: Context, manner: Manner, target: int, weapon: Weapon) -> str | None:
    """Why this weapon can't be used on this target now, to attack so, or None."""
    foe = context.setup.fighters[target]
    if target == context.who:
        return "target: nobody attacks oneself"
    if foe.side == context.fighter.side:
        return text("target: {name} is on the same side", foe.name)
    if context.dead(target):
        return text("target: {name} is dead", foe.name)
    if context.figure.effects and target in feared(context.figure):
        return text("target: frightened of {name}", foe.name)
    at = mode_for(context, weapon, manner, context.distance(target))
    if at < 0:
        return text("target: {reason}", why_no_mode(context, weapon, manner, context.distance(target)))
    if not trained(context, weapon, at):
        return text("weapon: nobody uses a {name} untrained", weapon.name)
    if weapon.name in context.figure.unset:
        return text("weapon: the {name} must be reset first", weapon.name)
    if context.sight(target) is Grade.NONE:
        return text("target: no line of sight to {name}", foe.name)
    return None


def attack_of(context: Context, manner: Manner, target: int, weapon: Weapon, action: str = "") -> PreparedAttack:
    """The attack of whoever acts on a creature as everybody stands now, with a weapon that can be used on it."""
    state, distance = context.state, context.distance(target)
    mode_at = mode_for(context, weapon, manner, distance)
    armed = Armed(weapon, mode_at)
    favour, lines = on_attack(state, context.who, context.figure.cell, target, state.figures[target].cell)
    if context.fighter.traits is not None:
        lines += _edge(context, target, armed.mode.ranged)
    attack = prepare(
        context.setup, state.figures, context.who, target, armed, distance=distance, grade=context.sight(target),
        manner=manner, action=action, extra=lines,
    )  # fmt: skip
    return attack._replace(advantage=favour) if favour else attack


def declare(resolution: Resolution, attack: PreparedAttack) -> None:
    """Leave the attack open for answers to it; the turn goes on with it (reactions.py)."""
    resolution.pending = (*resolution.pending, pending(attack))


def pending(attack: PreparedAttack) -> Pending:
    """An attack as it is declared."""
    return Pending(attack.attacker, attack.target, attack.weapon.name, attack.action, ranged=attack.mode.ranged)


def _edge(context: Context, target: int, ranged: bool) -> tuple[Adjustment, ...]:
    state = context.state
    at = Striking(context.setup, state.figures, state.terrain, context.who, target, covered(context), ranged)
    return context.setup.moments.modify_attack(at)


def covered(context: Context) -> int:
    """Spaces between where a creature stands and where its chance began."""
    start = context.chance.start
    return context.state.terrain.distance(start, context.figure.cell) if start >= 0 else 0

"""Attack: reach and range, itemised adjustments, the opposed roll, damage (olde.md §6)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rules.board.sight import Grade
from rules.contract.actions import Adjustment
from rules.contract.events import Attack, Earned, Roll
from rules.contract.ruleset import PARTY, Odds
from rules.contract.text import text
from rules.contract.units import Cell, CreatureIx
from rules.core import odds as dist
from rules.core.dice import notation, roll
from rules.olde.actions.kind import Context
from rules.olde.challenges.checks import EASY, TWICE, shield_short, skill_adjustment, stat_rank
from rules.olde.combat import outcomes
from rules.olde.combat.outcomes import OUTCOMES, Hurt, injure, stun_of
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
from rules.olde.effects import shifts
from rules.olde.gear import Mode, Weapon
from rules.olde.state import Fighter, Figure, Lying, Memory, OldeState, Pending, Resolution, Setup, Striking, unaware

RULE = "olde.md §1 advantage"
FIRST_TURN = 1


def on_attack(
    state: OldeState, who: CreatureIx, start: Cell, target: CreatureIx, goal: Cell
) -> tuple[int, Adjustments]:
    """+1, −1 or 0 for an attack from one space on somebody at another, and the lines that say why."""
    setup = state.setup
    if not setup.advantage:
        return 0, ()
    above = setup.field.level(start) - setup.field.level(goal)
    caught = state.turn <= FIRST_TURN and unaware(state, target)
    lines = [text("advantage: {because}", "higher ground")] if above > 0 else []
    lines += [text("advantage: {because}", "caught unaware")] if caught else []
    lines += [text("disadvantage: {because}", "lower ground")] if above < 0 else []
    # the lines name it; they add nothing to the total
    return (above > 0 or caught) - (above < 0), tuple(Adjustment("attack", 0, line, RULE) for line in lines)


SIGHT = {Grade.CLEAR: 0, Grade.PARTIAL: -3, Grade.MINIMAL: -6}
SIGHT_NAMES = {Grade.CLEAR: "clear", Grade.PARTIAL: "partial", Grade.MINIMAL: "minimal", Grade.NONE: "none"}

Adjustments = tuple[Adjustment, ...]


class PreparedAttack(NamedTuple):
    """Everything about one attack that is known before a die is thrown: odds and resolution share it."""

    attacker: CreatureIx
    target: CreatureIx
    armed: Armed
    manner: Manner
    action: str  # the word of the command, as the event has it
    grade: Grade
    attack_rank: int
    defense_rank: int  # 0: the defender rolls nothing, the CR is Easy
    to_attack: Adjustments
    to_defense: Adjustments
    to_damage: Adjustments
    armor: int
    advantage: int = 0  # +1 or −1: two sets of attack dice, the better or the worse kept

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


def range_penalty(base: int, distance: int) -> int:
    """0 up to the base range, −2 for each doubling (olde.md §6 ranged)."""
    penalty, limit = 0, base
    while distance > limit:
        limit *= 2
        penalty -= 2
    return penalty


def prepare(
    setup: Setup, figures: Sequence[Figure], attacker: CreatureIx, target: CreatureIx, armed: Armed, *, distance: int,
    grade: Grade, manner: Manner = PLAIN, action: str = "", extra: Adjustments = (),
) -> PreparedAttack:  # fmt: skip
    """Collect every adjustment of an attack, each with its rule; `action`: the word of the command, where it is not
    the manner's own; `extra`: what depends on who stands where.

    Legality is checked elsewhere.
    """
    fighter, foe = setup.fighters[attacker], setup.fighters[target]
    figure, victim, mode = figures[attacker], figures[target], armed.mode
    motionless = helpless(victim)
    to_attack = manner.adjustment("attack", manner.attack)
    if value := skill_adjustment(fighter, mode.skill):
        skill = mode.skill if mode.skill in fighter.skills else text("{skill}, untrained", mode.skill)
        to_attack = (Adjustment("attack", value, skill, "olde.md §2 ranks"), *to_attack)
    if mode.ranged:
        if penalty := range_penalty(mode.base, distance):
            because = text("{distance} spaces away", distance)
            to_attack += (Adjustment("attack", penalty, because, "olde.md §6 ranged"),)
        if distance == 1 and not motionless:
            to_attack += (Adjustment("attack", -2, "adjacent target", "olde.md §6 ranged"),)
    to_attack += _burdens(setup, fighter, figure, armed, grade) + armed.weapon.adjustments("attack", fighter.brawn)
    to_damage = manner.adjustment("damage", manner.damage) + damage_adjustments(fighter, figure, armed)
    if extra:
        to_attack += tuple(a for a in extra if a.to == "attack")
        to_damage += tuple(a for a in extra if a.to == "damage")
    rank, guarded = stat_rank(fighter, "finesse" if mode.finesse else "brawn"), 0 if motionless else foe.finesse_rank
    to_defense = () if motionless else defense_adjustments(setup, foe, victim, mode.ranged)
    armor, do = soak_of(foe, victim), action or manner.do
    return PreparedAttack(
        attacker, target, armed, manner, do, grade=grade, attack_rank=rank, defense_rank=guarded, to_attack=to_attack,
        to_defense=to_defense, to_damage=to_damage, armor=armor,
    )  # fmt: skip


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
    shields = setup.armoury.shields
    shield = next((shields[item] for item in victim.hands if item in shields), None)
    best, name = defense_skill(setup, foe, victim)
    if shield is not None and (with_shield := skill_adjustment(foe, "Shields")) > best:
        best, name = with_shield, "Shields"
    trained = name in foe.skills or best >= 0
    found = [(best, name if trained else text("{name}, untrained", name), "olde.md §6 defense")]
    if shield is not None:
        found.append((shield.defense, shield.name, "olde.md §6 shields"))
        if (short := shield.brawn - foe.brawn) > 0:
            found.append((-short, text("{name} too heavy", shield.name), "olde.md §6 shields"))
    found.append((victim.temp_defense, "temporary", "olde.md §4 temporary"))
    if not ranged:
        found.append((victim.temp_block, "Shield Block", "olde.md §4 Shield Block"))
    out = [Adjustment("defense", value, because, rule) for value, because, rule in found if value]
    return (*out, *modify_defense(victim, ranged))


def defense_skill(setup: Setup, foe: Fighter, victim: Figure) -> tuple[int, str]:
    """The best skill among ready weapons; natural weapons are always ready; with no weapon, Brawling."""
    weapons, shields = setup.armoury.weapons, setup.armoury.shields
    ready = [item for item in victim.hands if item not in shields]
    ready += [name for name in foe.weapons if weapons[name].natural and name not in ready]
    found: tuple[int, str] | None = None
    for item in ready:
        for mode in weapons[item].modes:
            value = skill_adjustment(foe, mode.skill)
            if found is None or value > found[0]:
                found = (value, mode.skill)
    return found or (skill_adjustment(foe, "Brawling"), "Brawling")


def resolve(resolution: Resolution, attack: PreparedAttack) -> None:
    """Throw defense, attack and damage, and let the outcome follow (olde.md §6)."""
    attacker, target = resolution.fighter(attack.attacker), resolution.fighter(attack.target)
    rolls: list[Roll] = []
    rating = EASY
    if attack.defense_rank:
        rank, plus = attack.defense_rank, attack.to_defense
        rolls.append(roll(resolution.dice, "defense", 2, rank, by=target.id, adjustments=plus))
        rating = rolls[0].total
    rank, plus, favour = attack.attack_rank, attack.to_attack, attack.advantage
    attacked = roll(resolution.dice, "attack", 2, rank, by=attacker.id, adjustments=plus, advantage=favour)
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
        if hurt.armored:
            if target.armor:
                to_damage += (Adjustment("damage", -target.armor.reduction, target.armor.name, "olde.md §6 armor"),)
            warded = shifts(resolution.figures[attack.target], "armor", "damage")
            to_damage += tuple(Adjustment(a.to, -a.value, a.because, a.rule) for a in warded)
    resolution.events.append(
        Attack(
            by=attacker.id, target=target.id, weapon=attack.weapon.name, attack=attacked.total, defense=rating,
            margin=margin, outcome=outcome.name, damage=damage, rolls=tuple(rolls), action=attack.action,
            adjustments=attack.to_attack + attack.to_defense + to_damage, ranged=attack.mode.ranged,
            sight=SIGHT_NAMES[attack.grade],
        )
    )  # fmt: skip
    for who in (attack.attacker, attack.target) if outcome.points else ():
        if resolution.fighter(who).side == PARTY:
            resolution.change(who, cp=resolution.figures[who].cp + outcome.points)
            resolution.events.append(Earned(by=resolution.fighter(who).id, points=outcome.points, because=outcome.name))
    figure = resolution.figures[attack.attacker]
    if figure.ammunition > 0 and weapon.shoots(attack.mode):
        resolution.change(attack.attacker, ammunition=figure.ammunition - 1)
    if weapon.flies(attack.mode):
        if weapon.name in figure.hands:  # it lies in the target's space
            outcomes.unhand(resolution, attack.attacker, weapon.name)
            cell = resolution.figures[attack.target].cell
            resolution.floor = (*resolution.floor, Lying(weapon.name, cell, attack.attacker))
    elif attack.mode.reset >= 0 and weapon.name not in figure.unset:
        resolution.change(attack.attacker, unset=(*figure.unset, weapon.name))
    if damage > 0:
        injure(resolution, attack.target, damage, weapon.name, by=attack.attacker, element=weapon.element)
    if hurt is not None:
        for trait in attacker.traits.riders(weapon):
            trait.after_hit(resolution, attack.attacker, attack.target, weapon, damage)
    else:
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


# -- attacks as actions -----------------------------------------------------------------------------------


def why_not_attack(context: Context, manner: Manner, target: CreatureIx, weapon: Weapon) -> str | None:
    """Why this weapon can't be used on this target now, to attack so, or None."""
    foe, distance, told = context.setup.fighters[target], context.distance(target), ""
    if target == context.who:
        return "target: nobody attacks oneself"
    if foe.side == context.fighter.side:
        told = "target: {name} is on the same side"
    elif context.dead(target):
        told = "target: {name} is dead"
    elif context.figure.effects and target in feared(context.figure):
        told = "target: frightened of {name}"
    if told:
        return text(told, foe.name)
    at = mode_for(context, weapon, manner, distance)
    if at < 0:
        return text("target: {reason}", why_no_mode(context, weapon, manner, distance))
    if not trained(context, weapon, at):
        return text("weapon: nobody uses a {name} untrained", weapon.name)
    if weapon.name in context.figure.unset:
        return text("weapon: the {name} must be reset first", weapon.name)
    return text("target: no line of sight to {name}", foe.name) if context.sight(target) is Grade.NONE else None


def attack_of(context: Context, manner: Manner, target: CreatureIx, weapon: Weapon, action: str = "") -> PreparedAttack:
    """The attack of whoever acts on a creature as everybody stands now, with a weapon that can be used on it."""
    state, distance = context.state, context.distance(target)
    mode_at = mode_for(context, weapon, manner, distance)
    armed = Armed(weapon, mode_at)
    favour, lines = on_attack(state, context.who, context.figure.cell, target, state.figures[target].cell)
    if context.fighter.traits.modify_attack:
        start = context.chance.start
        covered = state.terrain.distance(start, context.figure.cell) if start >= 0 else 0
        at = Striking(context.setup, state.figures, state.terrain, context.who, target, covered, armed.mode.ranged)
        lines += at.adjustments()
    attack = prepare(
        context.setup, state.figures, context.who, target, armed, distance=distance, grade=context.sight(target),
        manner=manner, action=action, extra=lines,
    )  # fmt: skip
    return attack._replace(advantage=favour) if favour else attack


def pending(attack: PreparedAttack) -> Pending:
    """An attack as it is declared."""
    return Pending(attack.attacker, attack.target, attack.weapon.name, attack.action, ranged=attack.mode.ranged)


NAMES = tuple(outcome.name for outcome in OUTCOMES)
HITS = sum(1 for outcome in OUTCOMES if outcome.brawn is not None)
"""So many of the outcomes, the first, are hits."""


@lru_cache(maxsize=4096)
def outcome_chances(attack_rank: int, defense_rank: int, edge: int, advantage: int = 0) -> tuple[float, ...]:
    """Chance of each outcome, best first. `edge` = adjustments of attack − of defense; defense rank 0: CR Easy."""
    chances, above = [], 0.0
    for outcome in OUTCOMES[:-1]:
        if defense_rank:
            tail = dist.chance_margin(attack_rank, defense_rank, outcome.least - edge, advantage)
        else:
            tail = dist.chance_at_least(2, attack_rank, EASY + outcome.least - edge, True, advantage)
        chances.append(max(0.0, tail - above))
        above = tail
    return (*chances, max(0.0, 1.0 - above))


def damage_chances(
    setup: Setup, attacker: Fighter, attack: PreparedAttack, chances: tuple[float, ...]
) -> dict[int, float]:
    """Chance of each damage that the target sustains; misses are 0."""
    rank, halved, top = damage_faces(attacker, attack.armed)
    out: dict[int, float] = {}
    for outcome, chance in zip(OUTCOMES, chances, strict=True):
        if chance <= 0.0:
            continue
        hurt = outcome.hurt(attack.mode.finesse)
        if hurt is None:
            out[0] = out.get(0, 0.0) + chance
        elif hurt.maximum:
            damage = damage_of(attack, attacker, hurt, top)
            out[damage] = out.get(damage, 0.0) + chance
        else:
            for face, p in enumerate(dist.dice_sum(1, rank, setup.exploding_damage)):
                if p > 0.0:
                    damage = damage_of(attack, attacker, hurt, (face + 1) // 2 if halved else face)
                    out[damage] = out.get(damage, 0.0) + chance * p
    return dict(sorted(out.items()))


def odds_of(setup: Setup, figures: Sequence[Figure], attack: PreparedAttack) -> Odds:
    """The attack card's figures."""
    attacker, foe = setup.fighters[attack.attacker], setup.fighters[attack.target]
    victim = figures[attack.target]
    edge = attack.attack_total - attack.defense_total
    chances = outcome_chances(attack.attack_rank, attack.defense_rank, edge, attack.advantage)
    damage = damage_chances(setup, attacker, attack, chances)
    drop = sum(p for hurt, p in damage.items() if victim.hp > 0 and hurt >= victim.hp)
    stun = stun_of(setup, foe, victim, damage)
    rank, halved, _ = damage_faces(attacker, attack.armed)
    die = text("damage d{rank}{halved}", rank, ", halved" if halved else "")
    notes: list[tuple[str, str]] = [(die, "olde.md §6 weapons")]
    if attack.armor and foe.armor:
        notes.append((text("−{armor} damage: {name}", attack.armor, foe.armor.name), "olde.md §6 armor"))
    riders = attacker.traits.riders(attack.weapon)
    notes += [(trait.note(setup, foe, victim), trait.source) for trait in riders]
    if not attack.defense_rank:
        notes.append(("helpless: the CR is Easy, 6", "olde.md §6 helpless"))
    return Odds(
        sum(chances[:HITS]), tuple(zip(NAMES, chances, strict=True)), tuple(damage.items()),
        sum(hurt * p for hurt, p in damage.items()), drop, stun,
        adjustments=attack.to_attack + attack.to_defense + attack.to_damage,
        attack_dice=notation(2, attack.attack_rank, True) + TWICE[attack.advantage],
        defense_dice=notation(2, attack.defense_rank, True) if attack.defense_rank else "CR 6", notes=tuple(notes),
    )  # fmt: skip


class AttackDice(NamedTuple):
    """All of an attack that its figures hang on, whoever makes it."""

    attack_rank: int
    defense_rank: int
    edge: int  # adjustments of the attack less those of the defense
    finesse: bool
    rank: int  # of the damage die
    halved: bool
    top: int  # the maximum of the damage die
    plus: int
    armor: int
    advantage: int = 0

    @classmethod
    def of(cls, attack: PreparedAttack, attacker: Fighter, advantage: int = 0) -> AttackDice:
        """Those of an attack that is prepared."""
        rank, halved, top = damage_faces(attacker, attack.armed)
        return cls(
            attack_rank=attack.attack_rank, defense_rank=attack.defense_rank,
            edge=attack.attack_total - attack.defense_total, finesse=attack.mode.finesse, rank=rank, halved=halved,
            top=top, plus=attack.damage_total, armor=attack.armor, advantage=advantage,
        )  # fmt: skip


class AttackTable(NamedTuple):
    """What an attack does, whoever it strikes: the same sums as `odds_of`, for valuations."""

    hit: float
    mean: float
    tails: tuple[float, ...]  # index n -> chance to do n damage or more

    def tail(self, damage: int) -> float:
        """Chance to do so much damage or more."""
        return self.tails[damage] if damage < len(self.tails) else 0.0

    def halves(self, most: int) -> float:
        """The mean of half of the damage, rounded up, counted up to `most`."""
        return sum(self.tails[2 * half - 1] for half in range(1, most + 1) if 2 * half <= len(self.tails))


def attack_table(memory: Memory, dice: AttackDice) -> AttackTable:
    """The figures of an attack by its dice and adjustments alone. Remembered."""
    known = memory.table("attacks")
    found: AttackTable | None = known.get(dice)
    if found is None:
        found = known[dice] = table_of(dice)
    return found


def table_of(dice: AttackDice) -> AttackTable:
    """The figures of an attack worked out anew."""
    chances = outcome_chances(dice.attack_rank, dice.defense_rank, dice.edge, dice.advantage)
    damage: dict[int, float] = {}
    for outcome, chance in zip(OUTCOMES[:HITS], chances, strict=False):
        hurt = outcome.hurt(dice.finesse)
        assert hurt is not None
        for face, p in enumerate(dist.dice_sum(1, dice.rank, False)):
            if p > 0.0:
                sustained = hurt.sustained((face + 1) // 2 if dice.halved else face, dice.top, dice.plus, dice.armor)
                damage[sustained] = damage.get(sustained, 0.0) + chance * p
    tails = [0.0] * (max(damage, default=0) + 2)
    for sustained in range(len(tails) - 2, -1, -1):
        tails[sustained] = tails[sustained + 1] + damage.get(sustained, 0.0)
    tails[0] = 1.0
    return AttackTable(sum(chances[:HITS]), sum(hurt * p for hurt, p in damage.items()), tuple(tails))


def stunning(table: AttackTable, hp: int, hp_max: int, rank: int, plus: int) -> float:
    """Chance that a blow stuns somebody with so many hit points; `rank` and `plus` of its check against it."""
    total = 0.0
    for hurt in range(hp_max // 2 + 1, min(hp, len(table.tails) - 1)):
        chance = table.tails[hurt] - table.tails[hurt + 1]
        if chance > 0.0:
            total += chance * (1.0 - dist.chance_at_least(2, rank, hurt - plus))
    return total

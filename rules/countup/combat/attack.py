"""One attack or shot being thrown: dice, natural results, shields, raw damage, brackets, cover, firing into melee
(countup.md §2.1, §2.2, §2.5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from rules.board.sight import Grade
from rules.contract.actions import Adjustment
from rules.contract.events import Attack, Roll
from rules.contract.text import text
from rules.contract.units import INSTANT, SECOND, CreatureIx, Seconds, numbered
from rules.countup import conditions
from rules.countup.combat.reach import Arc, bearing, in_reach, towards
from rules.countup.conditions import EXPOSED, PARRYING, PRONE, TIRED, Doing, forbidden
from rules.countup.gear import BRACKET_DICE, SPEED_FLOOR, UNARMED, Shield, Weapon
from rules.countup.manners import CHARGE, FREE, PLAIN, SHIELD_MISS, Manner, Stance
from rules.countup.manners import FISTS as BARE_HANDS
from rules.countup.penetration import Die, roll
from rules.countup.state import FOOT, Figure, Position, PreparedAttack, Resolution
from rules.countup.visibility import penalties, smoke_hides

CROWD = 4
"""So many engaged enemies in front and at the sides reduce the defence die to a d12p."""
FISTS = Seconds(5)
"""The speed of fists at somebody unarmed or unaware, in seconds."""
FRESH_LEGS = Seconds(10)
"""Seconds at the beginning of a fight in which nobody tires (option)."""
BACKSTAB = ((Die(1, 4),), (Die(2, 4),))
"""Extra dice of a backstab below the fifth level and from it on."""
WITHDREW = 2
"""What a fighting withdrawal costs the next attack."""


class Defence(msgspec.Struct, frozen=True):
    """The die that a defender throws, its modifiers, and whether a shield takes part."""

    faces: int
    adjustments: tuple[Adjustment, ...]
    shield: bool = False

    @property
    def bonus(self) -> int:
        return sum(a.value for a in self.adjustments)


class Outcome(msgspec.Struct, frozen=True):
    """What an attack came to, before anything of it is applied."""

    attack: PreparedAttack
    hit: bool
    raw: int
    """Damage before any reduction; a shield's, if the shield was struck."""
    loss: int
    """Hit points lost."""
    shield: bool = False
    """The shield was struck."""
    earned: tuple[PreparedAttack, ...] = ()
    """Free attacks earned by it, at once."""
    later: PreparedAttack | None = None
    """A free attack in the next second."""


def _adjust(to: str, value: int, because: str, rule: str) -> tuple[Adjustment, ...]:
    return (Adjustment(to, value, because, f"countup.md {rule}"),) if value else ()


def engaged(state: Position, who: CreatureIx) -> list[CreatureIx]:
    """Enemies in front or at the sides whose weapons reach it and who could strike in this second (B37)."""
    setup, figures = state.setup, state.figures
    near = state.terrain.within(figures[who].cell, setup.longest, setup.beings[who].space)
    return [
        other
        for other in state.foes(who)
        if (near >> figures[other].cell & 1 or setup.beings[other].space > 1)  # rules out most, at a glance
        and figures[other].busy <= state.second
        and not (weapon := state.weapon(other)).ranged
        and state.distance(other, who) <= weapon.squares
        and towards(state, who, other) is not Arc.REAR
        and could_strike(state, other, weapon)
        and in_reach(state, other, who, weapon)
    ]


def could_strike(state: Position, who: CreatureIx, weapon: Weapon) -> bool:
    """Whether somebody could strike in this second at all: on its feet or not, but free to, with a weapon that is
    drawn by now, and not on the run (B37, countup.md §4)."""
    figure, second = state.figures[who], state.second
    if not figure.able(second) or figure.at_work or (figure.ready_at > second and not weapon.unarmed):
        return False
    if figure.stance is Stance.FLEEING or figure.held_by >= 0 or figure.fatigue > second:
        return False
    return not forbidden(figure, Doing.REACT)


Crowd = Callable[[Position, CreatureIx], Sequence[CreatureIx]]
"""Who engages somebody."""


def defence_of(
    state: Position, target: CreatureIx, by: CreatureIx, crowd: Crowd = engaged, where: Arc | None = None
) -> Defence:
    """The defence die by the defender's state: the first line of the table that fits (countup.md §2.1).

    `crowd`: as `engaged`, for who asks often within one state. `where`: as if the attacker stood there.
    """
    being, figure, second = state.being(target), state.figures[target], state.second
    bare = figure.effects and any(each.bare for each in conditions.effects_on(figure))
    if bare or figure.helpless > second or figure.surprised(second):
        return Defence(8, ())
    own = _adjust("defence", being.defence, "defence bonus", "§2.1") + defence_stances(state, target, by)
    if figure.prone or figure.casting is not None or (where or towards(state, target, by)) is Arc.REAR:
        return Defence(8, own)
    if figure.stance is Stance.FLEEING:
        return Defence(10, own)
    shield = state.setup.armoury.shields.get(figure.shield or "")
    if shield is not None and state.setup.options["shield_arcs"] and not _covers(state, target, by, shield):
        shield = None
    covered = _adjust("defence", shield.defence, shield.name, "§2.2") if shield else ()
    if len(crowd(state, target)) >= CROWD:
        return Defence(12, own + covered, shield is not None)
    return Defence(20, own + (covered if shield else _adjust("defence", -4, "no shield", "§2.1")), shield is not None)


def _covers(state: Position, target: CreatureIx, by: CreatureIx, shield: Shield) -> bool:
    """Shield arcs (option): a small one the first two in front, others front and sides."""
    where = towards(state, target, by)
    if shield.size != "S":
        return where is not Arc.REAR
    ahead = [other for other in engaged(state, target) if towards(state, target, other) is Arc.FRONT]
    return where is Arc.FRONT and (by not in ahead or by in ahead[:2])


def defence_stances(state: Position, target: CreatureIx, by: CreatureIx) -> tuple[Adjustment, ...]:
    """What a creature's stances and effects do to its defence against somebody, whatever its die."""
    being, figure, second = state.being(target), state.figures[target], state.second
    out = _adjust("defence", EXPOSED.defence, "aggressive attack", "§2.6") if figure.exposed else ()
    if figure.stance is Stance.PARRY:
        out += _adjust("defence", PARRYING.defence, "full parry", "§2.6")
    out += _adjust("defence", figure.stance.rank, "fights defensively", "§2.6")
    charges = figure.stance is Stance.CHARGING and (figure.order is None or charging(figure))
    if being.dexterity_bonus > 0 and (charges or any(each.stiff for each in conditions.effects_on(figure))):
        out += _adjust("defence", -being.dexterity_bonus, "charging", "§2.6")
    if figure.fatigue > second:
        out += _adjust("defence", TIRED.defence, "spell fatigue", "§2.8")
    out += conditions.to_defence(figure, second)
    out += _adjust("defence", -worn(figure), "fatigue", "§4")
    out += _adjust("defence", -figure.tactical, "tactical move", "§2.6")
    dim = penalties(state, by, target)[1]
    return out + _adjust("defence", dim, "poor light on the attacker", "§3")


def worn(figure: Figure) -> int:
    """What fatigue costs: 1, doubled each time (option)."""
    return 2 ** (figure.worn - 1) if figure.worn else 0


def charging(figure: Figure) -> bool:
    """Whether it runs to strike, not only to get somewhere."""
    return figure.action is not None and figure.action.option == CHARGE.word


def attack_adjustments(state: Position, attack: PreparedAttack) -> tuple[Adjustment, ...]:
    """Everything added to the die of an attack or a shot (countup.md §2.1, §2.5, §2.6)."""
    figure, manner = state.figures[attack.by], attack.manner
    out = _adjust("attack", state.being(attack.by).attack, "attack bonus", "§2.5" if manner.shot else "§2.1")
    out += _adjust("attack", manner.attack, manner.because, manner.rule)
    if not manner.free:
        # 1 each time ground was given, and a withdrawal's 2 besides
        out += _adjust("attack", -figure.penalty - WITHDREW * figure.withdrew, "ground given", "§2.6")
        # of a defensive fight and of one that was broken off the pending attack pays the dearer
        out += _adjust("attack", -max(0, figure.owed - 2 * manner.stance.rank), "fought defensively", "§2.6")
    low = _adjust("attack", PRONE.attack, "prone", "§4") if figure.prone else ()
    tired = _adjust("attack", -worn(figure), "fatigue", "§4")
    tired += _adjust("attack", -figure.tactical, "tactical move", "§2.6")
    out += (low + tired if manner.shot else tired + low) + conditions.to_attack(figure)
    return out + _adjust("attack", penalties(state, attack.by, attack.target)[0], "poor light on the target", "§3")


GROUND = 5
"""What giving ground adds to the defence (countup.md §2.6)."""


class Strike:
    """A melee attack whose dice are thrown by the state at the phase's start; nothing of it is applied yet."""

    def __init__(self, resolution: Resolution, state: Position, attack: PreparedAttack) -> None:
        self.resolution, self.state, self.attack = resolution, state, attack
        self.defence = defence_of(state, attack.target, attack.by)
        given = _adjust("defence", GROUND, "gives ground", "§2.6") if attack.yielded else ()
        added = attack_adjustments(state, attack)
        self.adjustments = added + self.defence.adjustments + given
        guard = self.defence.bonus + sum(a.value for a in given)
        self.defended = resolution.roll(attack.target, "defence", (Die(1, self.defence.faces),), guard)
        self.attacked = resolution.roll(attack.by, "attack", (Die(1, 20),), sum(a.value for a in added))
        self.rolls: list[Roll] = [self.defended, self.attacked]
        self.natural, self.guard = self.attacked.throws[0].face, self.defended.throws[0].face
        """The first faces of attack and defence."""
        self.beaten = self.defended.total > self.attacked.total

    def outcome(self) -> Outcome:
        """What it comes to, told already."""
        attack, state, options = self.attack, self.state, self.state.setup.options
        foe, figure = state.being(attack.target), state.figures[attack.target]
        sure = self.natural == 20 and options["natural_20_hits"]
        hit = self.natural != 1 and (sure or self.attacked.total > self.defended.total)
        word, raw, loss = "miss", 0, 0
        if hit and finds_image(self.resolution, self.state, attack.target, self.rolls):
            hit, word = False, "image"
        elif hit:
            word = "critical_hit" if self.natural == 20 else "hit"
            raw, loss = self._damage(critical=self.natural == 20)
        elif self._strikes_shield():
            word, shield = "shield_struck", state.setup.armoury.shields[figure.shield or ""]
            raw = self._roll("shield damage", *attack.weapon.shield_harm) // (2 if attack.manner.jab else 1)
            loss = max(0, raw - shield.reduction - foe.reduction)
        elif self.natural == 1 and self.beaten:
            word = "fumble"
        tires = self.guard <= 1 + (foe.armour.speed if foe.armour else 0) and state.second > FRESH_LEGS
        if options["fatigue"] and tires:
            self.resolution.change(attack.target, worn=min(4, self.resolution.figures[attack.target].worn + 1))
        self._tell(word, loss)
        again = PreparedAttack(attack.by, attack.target, attack.weapon, FREE, attack.depth + 1)
        later, struck = again if self.guard == 1 else None, word == "shield_struck"
        return Outcome(attack, hit=hit, raw=raw, loss=loss, shield=struck, earned=self._earned(), later=later)

    def _strikes_shield(self) -> bool:
        if not self.defence.shield or self.natural == 1 or (self.defence.faces == 20 and self.guard == 20):
            return False
        near = 0 <= self.defended.total - self.attacked.total <= SHIELD_MISS
        return near and not (self.attack.manner.fists or self.attack.manner.harmless)

    def _damage(self, *, critical: bool) -> tuple[int, int]:
        """(raw damage, hit points lost): dice + Strength, halved for a jab and for who gave ground (B3, B20)."""
        attack, manner = self.attack, self.attack.manner
        if manner.harmless:
            return 0, 0
        total = critical and self.state.setup.options["double_total"]
        twice = (critical and not total) or (manner.twice and attack.weapon.settable)
        parts = attack_dice(self.state, attack) * (2 if twice else 1)
        raw = self._roll("damage", parts, attack.weapon.harm.flat) * (2 if total else 1)
        if manner.jab or (manner.exposes and attack.yielded):
            raw //= 2
        return raw, raw if manner.fists else max(0, raw - self.state.being(attack.target).reduction)

    def _roll(self, label: str, dice: tuple[Die, ...], flat: int) -> int:
        """Dice, if there are any, and Strength; never below 0."""
        flat += damage_bonus(self.state, self.attack.by)
        if not dice:
            return max(0, flat)
        dealt = roll(self.resolution.dice, label, dice, flat, penetrating=self.attack.manner.penetrates)
        self.rolls.append(dealt)
        return max(0, dealt.total)

    def _earned(self) -> tuple[PreparedAttack, ...]:
        """A free attack: for a fumble, a perfect or a near-perfect defence (countup.md §2.1)."""
        attack, state = self.attack, self.state
        if not self.beaten:
            return ()
        weapon, manner, full = state.free_weapon(attack.target), FREE, self.defence.faces == 20
        if self.natural != 1 and not (full and self.guard == 20):
            if not full or self.guard != 19 or state.distance(attack.by, attack.target) > 1:
                return ()
            if not weapon.knife or state.figures[attack.target].ready_at > state.second:
                weapon, manner = UNARMED, BARE_HANDS
        earned = PreparedAttack(attack.target, attack.by, weapon, manner, attack.depth + 1)
        return (earned,) if could_strike(state, attack.target, weapon) else ()

    def _tell(self, outcome: str, loss: int) -> None:
        resolution, attack, attacked = self.resolution, self.attack, self.attacked
        figure = resolution.figures[attack.by]
        facing = bearing(resolution, attack.by, attack.target)
        resolution.change(attack.by, best=max(figure.best, attacked.total), facing=facing)
        resolution.events.append(
            Attack(
                by=resolution.being(attack.by).id, target=resolution.being(attack.target).id, weapon=attack.weapon.name,
                attack=attacked.total, defense=self.defended.total, margin=attacked.total - self.defended.total,
                outcome=outcome, damage=loss, adjustments=self.adjustments, rolls=tuple(self.rolls),
                action=attack.manner.word, ranged=False,
            )
        )  # fmt: skip


def finds_image(resolution: Resolution, state: Position, target: CreatureIx, rolls: list[Roll]) -> bool:
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


def attack_dice(state: Position, attack: PreparedAttack) -> tuple[Die, ...]:
    """A weapon's dice of damage; a backstab's penetrate on two faces, and there are more of them (option): a thief's
    with a small blade from the rear, or at somebody surprised."""
    weapon, dice, being = attack.weapon, attack.weapon.harm.dice, state.being(attack.by)
    if not state.setup.options["backstab"] or not being.thief or attack.manner.shot:
        return dice
    if weapon.size != "S" or weapon.ranged or weapon.unarmed:
        return dice
    unaware = state.figures[attack.target].surprised(state.second)
    if not unaware and towards(state, attack.target, attack.by) is not Arc.REAR:
        return dice
    return tuple(replace(die, keen=True) for die in dice) + BACKSTAB[0 if being.level < 5 else 1]


def damage_bonus(state: Position, who: CreatureIx) -> int:
    """Strength, less what enfeebles."""
    figure = state.figures[who]
    weakened = sum(each.damage for each in conditions.effects_on(figure)) if figure.effects else 0
    return state.being(who).damage - worn(figure) + weakened


def speed_of(
    state: Position, by: CreatureIx, weapon: Weapon, manner: Manner = PLAIN, target: CreatureIx | None = None
) -> Seconds:
    """Seconds until the next attack after this one: the weapon's, never below its size's floor (countup.md §1)."""
    being = state.being(by)
    seconds = weapon.jab if manner.jab and weapon.jab else weapon.speed
    seconds += worn(state.figures[by]) + being.burden
    if not weapon.natural:
        seconds += being.unskilled + being.swift + (being.armour.speed if being.armour else 0)
    foe = state.figures[target] if target is not None else None
    if weapon.unarmed and target is not None and foe is not None:
        if foe.surprised(state.second) or state.weapon(target).unarmed:  # twice as fast at it (countup.md §5.1)
            seconds -= UNARMED.speed - FISTS
    seconds = max(seconds, SPEED_FLOOR.get(weapon.size, SECOND))
    return -(-seconds // 2) if foe is not None and (foe.helpless > state.second or foe.prone) else seconds


FACTORS: Mapping[str, Fraction] = {
    "T": Fraction(2), "S": Fraction(3, 2), "M": Fraction(1), "L": Fraction(67, 100), "H": Fraction(1, 2),
    "G": Fraction(1, 4),
}  # fmt: skip
"""What a distance counts by the target's size."""
INTO_MELEE: Mapping[str, int] = {"T": 10, "S": 8, "M": 6, "L": 4, "H": 2, "G": -2}
COVER: Mapping[Grade, int] = {Grade.PARTIAL: 16, Grade.MINIMAL: 11}
"""A cap on the total of a shot at somebody in cover."""
NEXT_NEAREST = 3
"""Spaces around the target within which a missed shot may find somebody else (15 ft)."""
RUN_UP = 15 * FOOT
"""Eighths of a foot that a thrower runs up for Strength to count."""
AIM = Seconds(4)
"""Seconds to take aim."""


def bracket(state: Position, by: CreatureIx, target: CreatureIx, weapon: Weapon) -> int | None:
    """The attack die by the effective distance, compared un-rounded; None beyond the last bound."""
    effective = state.distance(by, target) * 5 * FACTORS[state.being(target).size]
    return next((die for die, bound in zip(BRACKET_DICE, weapon.brackets, strict=True) if effective <= bound), None)


def why_no_shot(state: Position, by: CreatureIx, target: CreatureIx, weapon: Weapon) -> str | None:
    """Why a target can't be shot at now, or None."""
    if not weapon.ranged:
        return text("the {name} is no missile weapon", weapon.name)
    if not state.figures[by].ammunition and not weapon.thrown:
        return "nothing is left to shoot"
    if not state.figures[target].present:
        return "nobody there to shoot at"
    if bracket(state, by, target, weapon) is None:
        return text("beyond {far} ft", weapon.brackets[-1])
    if state.sight(by, target) is Grade.NONE:
        return "no line of sight"
    return "smoke hides it" if smoke_hides(state, by, target) else None


def cycle(weapon: Weapon, quick: bool) -> tuple[Seconds, Seconds]:
    """(seconds until the shot leaves, seconds from then on until one may begin again)."""
    load, draw, fire, recover = weapon.phases
    before = load + draw + fire + (0 if quick else AIM)
    least = sum((SECOND for phase in (*weapon.phases, 0 if quick else AIM) if phase), INSTANT)
    return max(before, least - (1 if recover else 0)), recover


def loaded(figure: Figure, name: str, second: Seconds) -> bool:
    """Whether a weapon is loaded and drawn already, from a shot that never left it."""
    return figure.nocked[0] == name and figure.nocked[1] <= second


def leaves_in(figure: Figure, weapon: Weapon, quick: bool, second: Seconds) -> Seconds:
    """Seconds until a shot that is begun now leaves; what is loaded and drawn only has to be aimed and loosed."""
    load, draw, _, _ = weapon.phases
    ready = load + draw if loaded(figure, weapon.name, second) else 0
    return max(SECOND, cycle(weapon, quick)[0] - ready)


def shoot(resolution: Resolution, state: Position, attack: PreparedAttack) -> list[Outcome]:
    """A shot at its target and, if that stands in a melee, at whoever is next nearest until one is hit."""
    die = bracket(state, attack.by, attack.target, attack.weapon)
    assert die is not None
    adjustments = attack_adjustments(state, attack)
    attacked = resolution.roll(attack.by, "shot", (Die(1, die),), sum(a.value for a in adjustments))
    resolution.change(attack.by, facing=bearing(resolution, attack.by, attack.target))
    shot = _Shot(resolution, state, attack, attacked, adjustments)
    past: CreatureIx | None = None
    for target in crowd_of(state, attack):
        outcome = shot.against(target, past)
        if outcome is not None:
            return [outcome]
        past = target
    return []


class _Shot(NamedTuple):
    """A shot in the air."""

    resolution: Resolution
    state: Position
    attack: PreparedAttack
    attacked: Roll
    adjustments: tuple[Adjustment, ...]

    def against(self, target: CreatureIx, past: CreatureIx | None) -> Outcome | None:
        """The shot compared with one creature's defence; None where it goes by. `past`: whom it has missed before."""
        resolution, state, attack, first = self.resolution, self.state, self.attack, self.attacked.throws[0]
        foe = resolution.being(target)
        # all in a melee defend by their size alone
        melee = in_melee(state, attack.target)
        faces, bonus = (20, INTO_MELEE[foe.size]) if melee else (defence_die(state, target), 0)
        defended = resolution.roll(target, "defence", (Die(1, faces),), bonus)
        total, cap, adjustments = self.attacked.total, cover_of(state, attack.by, target), self.adjustments
        if cap is not None and total > cap:
            adjustments += (Adjustment("attack", cap - total, "cover", "countup.md §2.5"),)
            total = cap
        rolls = [defended] if past is not None else [defended, self.attacked]
        resolution.dice.thrower = resolution.being(attack.by).id
        outcome, raw, loss = "miss", 0, 0
        if first.face != 1 and total > defended.total:
            if finds_image(resolution, state, target, rolls):
                outcome = "image"
            else:
                outcome = "critical_hit" if first.rank == first.face == 20 else "hit"
                dice, flat = attack.weapon.harm
                flat += thrown_strength(state, attack.by, attack.weapon)
                dealt = resolution.roll(attack.by, "damage", dice * (2 if outcome == "critical_hit" else 1), flat)
                rolls.append(dealt)
                raw = max(0, dealt.total)
                loss = max(0, raw - foe.reduction)
        resolution.events.append(
            Attack(
                by=resolution.being(attack.by).id, target=foe.id, weapon=attack.weapon.name, attack=total,
                defense=defended.total, margin=total - defended.total, outcome=outcome, damage=loss,
                adjustments=adjustments, rolls=tuple(rolls), action=attack.manner.word, ranged=True,
                past=None if past is None else resolution.being(past).id,
            )
        )  # fmt: skip
        hit = outcome in ("hit", "critical_hit")
        return Outcome(replace(attack, target=target), hit=True, raw=raw, loss=loss) if hit else None


def crowd_of(state: Position, attack: PreparedAttack) -> list[CreatureIx]:
    """The target alone, or with all within 15 ft of it, nearest first, if it is engaged (B12)."""
    if not in_melee(state, attack.target):
        return [attack.target]
    others = [i for i, figure in numbered(state.figures) if figure.present and i not in (attack.by, attack.target)]
    near = sorted((state.distance(attack.target, other), other) for other in others)
    seen = [i for far, i in near if far <= NEXT_NEAREST and state.sight(attack.by, i) is not Grade.NONE]
    return [attack.target, *(other for other in seen if not smoke_hides(state, attack.by, other))]


def in_melee(state: Position, who: CreatureIx) -> bool:
    """Whether somebody is engaged."""
    return any(state.figures[other].present for other in state.figures[who].contacts)


def defence_die(state: Position, target: CreatureIx) -> int:
    """A d20p for who moves or is engaged, a d12p for who stands (countup.md §2.5)."""
    figure = state.figures[target]
    keeps = state.setup.options["shield_in_flight"] and figure.shield and _shielded(state, target, target)
    return 20 if figure.moved >= state.second - 1 or in_melee(state, target) or keeps else 12


def thrown_strength(state: Position, by: CreatureIx, weapon: Weapon) -> int:
    """Strength counts for what is thrown after at least 15 ft at a jog or faster (countup.md §2.5)."""
    figure = state.figures[by]
    ran = figure.straight >= RUN_UP and figure.gait.rushes
    return state.being(by).damage if weapon.thrown and ran else 0


def _shielded(state: Position, by: CreatureIx, target: CreatureIx) -> bool:
    """Whether a shield is between: held up, and not turned away."""
    figure = state.figures[target]
    if figure.helpless > state.second or figure.surprised(state.second) or figure.casting is not None:
        return False
    up = figure.stance is not Stance.FLEEING and not figure.prone
    return up and (by == target or towards(state, target, by) is not Arc.REAR)


def cover_of(state: Position, by: CreatureIx, target: CreatureIx) -> int | None:
    """The lowest cap on a shot's total: a shield's cover value, or what stands between (B10)."""
    sight = state.sight(by, target)
    caps = [COVER[sight]] if sight in COVER else []
    shield = state.setup.armoury.shields.get(state.figures[target].shield or "")
    if shield is not None and _shielded(state, by, target):
        low = state.figures[target].stance is Stance.KNEELING and shield.crouched
        caps.append(shield.crouched if low else shield.cover)
    return min(caps, default=None)

"""Shots and throws: brackets by distance and size, cover, firing into melee (countup.md §2.5)."""

from __future__ import annotations

from fractions import Fraction

from rules.board.sight import Grade, grade
from rules.contract.actions import Adjustment
from rules.contract.events import Attack, Roll
from rules.countup.combat.melee import Outcome, backed, finds_image, worn
from rules.countup.combat.reach import direction, towards
from rules.countup.conditions import PRONE
from rules.countup.conditions import to_attack as effects_on_attack
from rules.countup.gear import BRACKET_DICE, Weapon
from rules.countup.light import penalties, smoke_between
from rules.countup.manners import Stance
from rules.countup.penetration import Die, roll
from rules.countup.state import FOOT, CountState, Figure, PreparedAttack, Resolution, present, sizes_of, surprised

FACTORS = {
    "T": Fraction(2), "S": Fraction(3, 2), "M": Fraction(1), "L": Fraction(67, 100), "H": Fraction(1, 2),
    "G": Fraction(1, 4),
}  # fmt: skip
"""What a distance counts by the target's size."""
INTO_MELEE = {"T": 10, "S": 8, "M": 6, "L": 4, "H": 2, "G": -2}
COVER = {Grade.PARTIAL: 16, Grade.MINIMAL: 11}
"""A cap on the total of a shot at somebody in cover."""
NEXT_NEAREST = 3
"""Spaces around the target within which a missed shot may find somebody else (15 ft)."""
RUN_UP = 15 * FOOT
"""Eighths of a foot that a thrower runs up for Strength to count."""
AIM = 4
"""Seconds to take aim."""


def bracket(state: CountState, by: int, target: int, weapon: Weapon) -> int | None:
    """The attack die by the effective distance, compared un-rounded; None beyond the last bound."""
    setup = state.setup
    me, foe = state.figures[by], state.figures[target]
    spaces = state.terrain.distance(me.cell, foe.cell, setup.beings[by].space, setup.beings[target].space)
    effective = spaces * 5 * FACTORS[setup.beings[target].size]
    for die, bound in zip(BRACKET_DICE, weapon.brackets, strict=True):
        if effective <= bound:
            return die
    return None


def why_no_shot(state: CountState, by: int, target: int, weapon: Weapon) -> str | None:
    """Why a target can't be shot at now, or None."""
    me, foe = state.figures[by], state.figures[target]
    if not weapon.ranged:
        return f"the {weapon.name} is no missile weapon"
    if not present(foe):
        return "nobody there to shoot at"
    if bracket(state, by, target, weapon) is None:
        return f"beyond {weapon.brackets[-1]} ft"
    if _sight(state, by, target) is Grade.NONE:
        return "no line of sight"
    if smoke_between(state, me.cell, foe.cell, *sizes_of(state.setup, by, target)):
        return "smoke hides it"
    return None


def _sight(state: CountState, by: int, target: int) -> Grade:
    figures = state.figures
    return grade(state.terrain, figures[by].cell, figures[target].cell, *sizes_of(state.setup, by, target))


def cycle(weapon: Weapon, quick: bool) -> tuple[int, int]:
    """(seconds until the shot leaves, seconds from then on until one may begin again)."""
    load, draw, fire, recover = weapon.phases
    before = load + draw + fire + (0 if quick else AIM)
    least = sum(1 for phase in (*weapon.phases, 0 if quick else AIM) if phase)
    return max(before, least - (1 if recover else 0)), recover


def loaded(figure: Figure, name: str, second: int) -> bool:
    """Whether a weapon is loaded and drawn already, from a shot that never left it."""
    return figure.nocked[0] == name and figure.nocked[1] <= second


def leaves_in(figure: Figure, weapon: Weapon, quick: bool, second: int) -> int:
    """Seconds until a shot that is begun now leaves; what is loaded and drawn only has to be aimed and loosed."""
    load, draw, _, _ = weapon.phases
    ready = load + draw if loaded(figure, weapon.name, second) else 0
    return max(1, cycle(weapon, quick)[0] - ready)


def shoot(resolution: Resolution, state: CountState, attack: PreparedAttack, weapon: Weapon) -> list[Outcome]:
    """A shot at its target and, if that stands in a melee, at whoever is next nearest until one is hit."""
    die = bracket(state, attack.by, attack.target, weapon)
    assert die is not None
    being = resolution.being(attack.by)
    adjustments = to_attack(state, attack, being.attack)
    resolution.dice.thrower = being.id
    attacked = roll(resolution.dice, "shot", (Die(1, die),), sum(a.value for a in adjustments))
    natural = attacked.throws[0].face
    critical = die == 20 and natural == 20
    resolution.change(
        attack.by,
        facing=direction(
            resolution.setup.field,
            resolution.figures[attack.by].cell,
            resolution.figures[attack.target].cell,
            sizes_of(resolution.setup, attack.by, attack.target),
        ),
    )
    crowd = crowd_of(state, attack)
    past: int | None = None
    for target in crowd:
        melee = in_melee(state, attack.target)
        outcome = _against(
            resolution, state, attack, weapon, target, attacked, natural, melee, critical, adjustments, past
        )
        if outcome is not None:
            return [outcome]
        past = target
    return []


def crowd_of(state: CountState, attack: PreparedAttack) -> list[int]:
    """The target alone, or with all within 15 ft of it, nearest first, if it is engaged (B12)."""
    if not in_melee(state, attack.target):
        return [attack.target]
    terrain, goal = state.terrain, state.figures[attack.target].cell
    near = []
    for other, figure in enumerate(state.figures):
        if other in (attack.by, attack.target) or not present(figure):
            continue
        distance = terrain.distance(goal, figure.cell, *sizes_of(state.setup, attack.target, other))
        hidden = smoke_between(
            state, state.figures[attack.by].cell, figure.cell, *sizes_of(state.setup, attack.by, other)
        )
        if distance <= NEXT_NEAREST and _sight(state, attack.by, other) is not Grade.NONE and not hidden:
            near.append((distance, other))
    return [attack.target, *(other for _, other in sorted(near))]


def in_melee(state: CountState, who: int) -> bool:
    """Whether somebody is engaged."""
    return any(present(state.figures[other]) for other in state.figures[who].contacts)


def defence_die(state: CountState, target: int) -> int:
    """A d20p for who moves or is engaged, a d12p for who stands (countup.md §2.5)."""
    figure = state.figures[target]
    keeps = state.setup.options["shield_in_flight"] and figure.shield and _shielded(state, target, target)
    return 20 if figure.moved >= state.second - 1 or in_melee(state, target) or keeps else 12


def to_attack(state: CountState, attack: PreparedAttack, bonus: int) -> tuple[Adjustment, ...]:
    out = []
    if bonus:
        out.append(Adjustment("attack", bonus, "attack bonus", "countup.md §2.5"))
    manner = attack.manner
    if manner.attack:
        out.append(Adjustment("attack", manner.attack, manner.because, f"countup.md {manner.rule}"))
    figure = state.figures[attack.by]
    if backed(figure):
        out.append(Adjustment("attack", -backed(figure), "ground given", "countup.md §2.6"))
    if figure.owed:
        out.append(Adjustment("attack", -figure.owed, "fought defensively", "countup.md §2.6"))
    if figure.prone:
        out.append(Adjustment("attack", PRONE.attack, "prone", "countup.md §4"))
    if worn(figure):
        out.append(Adjustment("attack", -worn(figure), "fatigue", "countup.md §4"))
    if figure.tactical:
        out.append(Adjustment("attack", -figure.tactical, "tactical move", "countup.md §2.6"))
    out += effects_on_attack(figure)
    dim = penalties(state, attack.by, attack.target)[0]
    if dim:
        out.append(Adjustment("attack", dim, "poor light on the target", "countup.md §3"))
    return tuple(out)


def _against(
    resolution: Resolution,
    state: CountState,
    attack: PreparedAttack,
    weapon: Weapon,
    target: int,
    attacked: Roll,
    natural: int,
    melee: bool,
    critical: bool,
    adjustments: tuple[Adjustment, ...],
    past: int | None,
) -> Outcome | None:
    """The same shot compared with one creature's defence; None where it goes by. `past`: whom it has missed before."""
    foe = resolution.being(target)
    bonus = INTO_MELEE[foe.size] if melee else 0
    resolution.dice.thrower = foe.id
    defended = roll(resolution.dice, "defence", (Die(1, 20 if melee else defence_die(state, target)),), bonus)
    total = attacked.total
    cap = cover_of(state, attack.by, target)
    if cap is not None and total > cap:
        adjustments = (*adjustments, Adjustment("attack", cap - total, "cover", "countup.md §2.5"))
        total = cap
    hit = natural != 1 and total > defended.total
    rolls = [defended] if past is not None else [defended, attacked]
    raw = loss = 0
    resolution.dice.thrower = resolution.being(attack.by).id
    copied = hit and finds_image(resolution, state, target, rolls)
    if copied:
        hit = False
    elif hit:
        strength = thrown_strength(state, attack.by, weapon)
        dealt = roll(resolution.dice, "damage", weapon.dice * (2 if critical else 1), weapon.flat + strength)
        rolls.append(dealt)
        raw = max(0, dealt.total)
        loss = max(0, raw - foe.reduction)
    resolution.events.append(
        Attack(
            by=resolution.being(attack.by).id, target=foe.id, weapon=weapon.name, attack=total, defense=defended.total,
            margin=total - defended.total, outcome=_word(hit, critical, copied),
            damage=loss, adjustments=adjustments, rolls=tuple(rolls), action=attack.manner.word, ranged=True,
            past=None if past is None else resolution.being(past).id,
        )
    )  # fmt: skip
    if not hit:
        return None
    return Outcome(
        PreparedAttack(attack.by, target, attack.weapon, attack.manner), True, raw, loss, False, critical, shot=True
    )


def _word(hit: bool, critical: bool, copied: bool) -> str:
    if copied:
        return "image"
    return "critical_hit" if hit and critical else "hit" if hit else "miss"


def thrown_strength(state: CountState, by: int, weapon: Weapon) -> int:
    """Strength counts for what is thrown after at least 15 ft at a jog or faster (countup.md §2.5)."""
    figure = state.figures[by]
    ran = figure.straight >= RUN_UP and figure.gait in ("jog", "run", "sprint")
    return state.setup.beings[by].damage if weapon.thrown and ran else 0


def _shielded(state: CountState, by: int, target: int) -> bool:
    """Whether a shield is between: held up, and not turned away."""
    figure = state.figures[target]
    if figure.helpless > state.second or surprised(figure, state.second) or figure.casting is not None:
        return False
    if figure.stance is Stance.FLEEING or figure.prone:
        return False
    return by == target or towards(state, target, by) != "rear"


def cover_of(state: CountState, by: int, target: int) -> int | None:
    """The lowest cap on a shot's total: a shield's cover value, or what stands between (B10)."""
    setup = state.setup
    caps = []
    shield = setup.armoury.shields.get(state.figures[target].shield or "")
    if shield is not None and _shielded(state, by, target):
        low = state.figures[target].stance is Stance.KNEELING and shield.crouched
        caps.append(shield.crouched if low else shield.cover)
    sight = _sight(state, by, target)
    if sight in COVER:
        caps.append(COVER[sight])
    return min(caps) if caps else None

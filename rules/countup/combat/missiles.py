"""Shots and throws: brackets by distance and size, cover, firing into melee (countup.md §2.5)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from msgspec.structs import replace

from rules.board.sight import Grade, grade
from rules.contract.actions import Adjustment
from rules.contract.events import Attack, Roll
from rules.contract.text import text
from rules.countup.combat.melee import Outcome, attack_adjustments, finds_image
from rules.countup.combat.reach import bearing, towards
from rules.countup.gear import BRACKET_DICE, Weapon
from rules.countup.manners import Stance
from rules.countup.penetration import Die, roll
from rules.countup.state import (
    FOOT,
    CountState,
    Figure,
    PreparedAttack,
    Resolution,
    present,
    sizes_of,
    surprised,
    weapon_of,
)
from rules.countup.visibility import smoke_between

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
        return text("the {name} is no missile weapon", name=weapon.name)
    if not present(foe):
        return "nobody there to shoot at"
    if bracket(state, by, target, weapon) is None:
        return text("beyond {far} ft", far=weapon.brackets[-1])
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


def shoot(resolution: Resolution, state: CountState, attack: PreparedAttack) -> list[Outcome]:
    """A shot at its target and, if that stands in a melee, at whoever is next nearest until one is hit."""
    weapon = weapon_of(state.setup, attack.by, attack.weapon)
    die = bracket(state, attack.by, attack.target, weapon)
    assert die is not None
    adjustments = attack_adjustments(state, attack)
    resolution.dice.thrower = resolution.being(attack.by).id
    attacked = roll(resolution.dice, "shot", (Die(1, die),), sum(a.value for a in adjustments))
    resolution.change(attack.by, facing=bearing(resolution.setup, resolution.figures, attack.by, attack.target))
    shot = _Shot(resolution, state, attack, attacked, adjustments)
    past: int | None = None
    for target in crowd_of(state, attack):
        outcome = shot.against(target, past)
        if outcome is not None:
            return [outcome]
        past = target
    return []


class _Shot:
    """A shot in the air."""

    def __init__(
        self, resolution: Resolution, state: CountState, attack: PreparedAttack, attacked: Roll,
        adjustments: tuple[Adjustment, ...],
    ) -> None:  # fmt: skip
        self.resolution, self.state, self.attack = resolution, state, attack
        self.attacked, self.adjustments = attacked, adjustments
        self.weapon = weapon_of(state.setup, attack.by, attack.weapon)
        self.melee = in_melee(state, attack.target)
        """Whether it goes into a melee: all in it defend by their size alone."""
        self.natural = attacked.throws[0].face
        self.critical = attacked.throws[0].rank == self.natural == 20

    def against(self, target: int, past: int | None) -> Outcome | None:
        """The shot compared with one creature's defence; None where it goes by. `past`: whom it has missed before."""
        resolution, state, attack = self.resolution, self.state, self.attack
        foe, dice = resolution.being(target), resolution.dice
        dice.thrower = foe.id
        faces, bonus = (20, INTO_MELEE[foe.size]) if self.melee else (defence_die(state, target), 0)
        defended = roll(dice, "defence", (Die(1, faces),), bonus)
        total, adjustments = self._covered(target)
        rolls = [defended] if past is not None else [defended, self.attacked]
        dice.thrower = resolution.being(attack.by).id
        outcome, raw, loss = "miss", 0, 0
        if self.natural != 1 and total > defended.total:
            if finds_image(resolution, state, target, rolls):
                outcome = "image"
            else:
                outcome = "critical_hit" if self.critical else "hit"
                flat = self.weapon.flat + thrown_strength(state, attack.by, self.weapon)
                dealt = roll(dice, "damage", self.weapon.dice * (2 if self.critical else 1), flat)
                rolls.append(dealt)
                raw = max(0, dealt.total)
                loss = max(0, raw - foe.reduction)
        resolution.events.append(
            Attack(
                by=resolution.being(attack.by).id, target=foe.id, weapon=self.weapon.name, attack=total,
                defense=defended.total, margin=total - defended.total, outcome=outcome, damage=loss,
                adjustments=adjustments, rolls=tuple(rolls), action=attack.manner.word, ranged=True,
                past=None if past is None else resolution.being(past).id,
            )
        )  # fmt: skip
        hit = outcome in ("hit", "critical_hit")
        return Outcome(replace(attack, target=target), hit=True, raw=raw, loss=loss) if hit else None

    def _covered(self, target: int) -> tuple[int, tuple[Adjustment, ...]]:
        """Its total at somebody, who may have cover, and how that came about."""
        total, cap = self.attacked.total, cover_of(self.state, self.attack.by, target)
        if cap is None or total <= cap:
            return total, self.adjustments
        return cap, (*self.adjustments, Adjustment("attack", cap - total, "cover", "countup.md §2.5"))


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

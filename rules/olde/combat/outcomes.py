"""Critical combat outcomes: names by margin, what they do, and the choices they put (olde.md §6)."""

from __future__ import annotations

from typing import NamedTuple

from rules.contract.actions import Adjustment
from rules.contract.events import Adjusted, Chosen, Item
from rules.contract.events import Question as Asked
from rules.core.dice import roll
from rules.olde.combat.grip import damage_faces, grip_short
from rules.olde.combat.injury import injure, lie_down
from rules.olde.conditions import PRONE
from rules.olde.effects.model import shifts, total
from rules.olde.gear import Weapon
from rules.olde.state import Lying, Question, Resolution, able

OUTCOMES = (
    ("legendary_hit", 9),
    ("critical_hit", 6),
    ("solid_hit", 3),
    ("hit", 0),
    ("miss", -2),
    ("clean_miss", -5),
    ("critical_miss", -8),
)
"""Name and least margin, best first; anything below is a disastrous miss."""

CHARACTER_POINTS = {"legendary_hit": 2, "critical_hit": 1, "critical_miss": 1, "disastrous_miss": 2}

OPTIONS = {
    "critical_miss": ("drop_weapon", "fall_prone"),
    "disastrous_miss": ("weapon_breaks", "strike_back"),
}

_RULE = "olde.md §6 critical outcomes"


def named(margin: int) -> str:
    """The outcome of a margin (attack − defense)."""
    for name, least in OUTCOMES:
        if margin >= least:
            return name
    return "disastrous_miss"


def sustained(outcome: str, finesse: bool, thrown: int, top: int, plus: int, armor: int) -> int:
    """Damage sustained: `thrown` on the damage die, `top` its maximum, `plus` adjustments, `armor` reduction."""
    if outcome == "legendary_hit":
        return max(0, top + plus) if finesse else max(0, 2 * (top + plus) - armor)
    if outcome == "critical_hit":
        return max(0, thrown + plus) if finesse else max(0, top + plus + 2 - armor)
    if outcome == "solid_hit":
        return max(2, thrown + plus - armor) if finesse else max(0, thrown + plus + 2 - armor)
    return max(0, thrown + plus - armor)


def damage_notes(outcome: str, finesse: bool, top: int) -> tuple[Adjustment, ...]:
    """What the outcome adds to the damage, as an adjustment for the itemised list."""
    if finesse:
        return ()
    if outcome == "solid_hit":
        return (Adjustment("damage", 2, "solid hit", _RULE),)
    if outcome == "critical_hit":
        return (Adjustment("damage", 2, "critical hit, maximum damage", _RULE),)
    if outcome == "legendary_hit":
        return (Adjustment("damage", top, "legendary hit, twice maximum damage", _RULE),)
    return ()


def miss(resolution: Resolution, who: int, foe: int, outcome: str, weapon: Weapon, mode_at: int) -> None:
    """What a miss does to the attacker; where two things are possible, the GM or a d2 decides."""
    if outcome == "clean_miss":
        stumble(resolution, who, 2, "clean miss", _RULE)
        return
    if outcome == "miss":
        return
    possible = _possible(resolution, who, foe, outcome, weapon)
    if len(possible) == 2 and resolution.setup.gm:
        ids = tuple(possible)
        resolution.question = Question("gm", outcome, ids, who, foe, weapon.name, mode_at)
        resolution.events.append(Asked(by="gm", kind=outcome, options=ids, about=resolution.fighter(who).id))
        return
    option, thrown = possible[0], None
    if len(possible) == 2:
        resolution.dice.thrower = ""
        thrown = roll(resolution.dice, "which outcome", 1, 2, exploding=False)
        option = possible[thrown.total - 1]
        resolution.events.append(Chosen(by="d2", kind=outcome, option=option, roll=thrown))
    carry_out(resolution, who, foe, option, weapon)


def _possible(resolution: Resolution, who: int, foe: int, outcome: str, weapon: Weapon) -> tuple[str, ...]:
    """The listed outcomes that can happen, in their order; falling prone where none can."""
    held = not weapon.natural and weapon.name in resolution.figures[who].hands
    if outcome == "critical_miss":
        return ("drop_weapon", "fall_prone") if held else ("fall_prone",)
    out: tuple[str, ...] = ("weapon_breaks",) if held else ()
    if striking_back(resolution, who, foe) is not None:
        out += ("strike_back",)
    return out or ("fall_prone",)


def striking_back(resolution: Resolution, who: int, foe: int) -> Weapon | None:
    """What the defender strikes back with: the first thing in hand that reaches the attacker, else bare hands."""
    figure, fighter = resolution.figures[foe], resolution.fighter(foe)
    if not able(figure):
        return None
    attacker = resolution.figures[who]
    distance = resolution.terrain.distance(figure.cell, attacker.cell, fighter.space, resolution.fighter(who).space)
    armoury = resolution.setup.armoury.weapons
    held = [item for item in figure.hands if item in armoury]
    held += [name for name in fighter.weapons if armoury[name].natural]
    for name in (*held, "unarmed"):
        mode = armoury[name].modes[0]
        if not mode.ranged and mode.near <= distance <= mode.far:
            return armoury[name]
    return None


def carry_out(resolution: Resolution, who: int, foe: int, option: str, weapon: Weapon) -> None:
    """Do what was decided."""
    if option == "drop_weapon":
        drop(resolution, who, weapon.name)
    elif option == "fall_prone":
        lie_down(resolution, who, PRONE.name, "tripped")
    elif option == "weapon_breaks":
        hands = list(resolution.figures[who].hands)
        hands.remove(weapon.name)
        resolution.change(who, hands=tuple(hands))
        resolution.events.append(Item(by=resolution.fighter(who).id, item=weapon.name, how="broken"))
    elif option == "strike_back":
        _strike_back(resolution, who, foe)


class Return(NamedTuple):
    """A blow struck back, known before its die is thrown: odds and resolution share it."""

    weapon: str
    rank: int
    halved: bool
    adjustments: tuple[Adjustment, ...]
    armor: int

    def hurt(self, thrown: int) -> int:
        """The damage sustained for a die showing so much."""
        plus = sum(a.value for a in self.adjustments)
        return max(0, ((thrown + 1) // 2 if self.halved else thrown) + plus - self.armor)


def return_of(resolution: Resolution, who: int, foe: int) -> Return | None:
    """The defender's damage: the die, less its Brawn shortage, less the attacker's armor; None if it can't reach."""
    weapon = striking_back(resolution, who, foe)
    if weapon is None:
        return None
    fighter, figure, mode = resolution.fighter(foe), resolution.figures[foe], weapon.modes[0]
    rank, halved, _ = damage_faces(fighter, weapon, mode)
    short = grip_short(fighter, figure, weapon, mode)
    adjustments: tuple[Adjustment, ...] = ()
    if short:
        adjustments += (Adjustment("damage", -short, f"{weapon.name} too heavy", "olde.md §6 grip"),)
    if weapon.name == "improvised" and fighter.brawn >= 5:
        adjustments += (Adjustment("damage", fighter.brawn // 5, "improvised weapon", "olde.md §6 unarmed"),)
    adjustments += tuple(shifts(figure, "damage", "damage"))
    armor = resolution.fighter(who).armor
    soak = (armor.reduction if armor else 0) + total(resolution.figures[who], "armor")
    return Return(weapon.name, rank, halved, adjustments, soak)


def _strike_back(resolution: Resolution, who: int, foe: int) -> None:
    """The defender inflicts its weapon's damage on the attacker."""
    back = return_of(resolution, who, foe)
    if back is None:
        return
    resolution.dice.thrower = resolution.fighter(foe).id
    exploding = resolution.setup.exploding_damage
    dealt = roll(resolution.dice, "damage", 1, back.rank, exploding=exploding, adjustments=back.adjustments)
    thrown = dealt.total - sum(a.value for a in back.adjustments)
    element = resolution.setup.armoury.weapons[back.weapon].element
    injure(resolution, who, back.hurt(thrown), f"struck back with {back.weapon}", foe, (dealt,), element)


def drop(resolution: Resolution, who: int, item: str) -> None:
    """Let go of something in hand: it lies in one's space."""
    figure = resolution.figures[who]
    hands = list(figure.hands)
    hands.remove(item)
    resolution.change(who, hands=tuple(hands))
    resolution.floor = (*resolution.floor, Lying(item, figure.cell, who))
    resolution.events.append(
        Item(by=resolution.fighter(who).id, item=item, how="dropped", at=resolution.space(figure.cell))
    )


def stumble(resolution: Resolution, who: int, by: int, because: str, rule: str) -> None:
    """A temporary penalty to Defense; such add up and end in the next reset."""
    resolution.change(who, temp_defense=resolution.figures[who].temp_defense - by)
    resolution.events.append(
        Adjusted(target=resolution.fighter(who).id, adjustment=Adjustment("defense", -by, because, rule))
    )

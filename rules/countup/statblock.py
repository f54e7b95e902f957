"""Stat blocks at the door: validated, then turned into the flat `Being` that a fight reads (countup.md §5.5, §5.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from rules.contract.errors import RecordError
from rules.contract.events import Contest
from rules.contract.units import INSTANT, SECOND, CreatureIx, Seconds, numbered
from rules.core.validate import CreatureModel, Whole, check_known, looked_up
from rules.countup.gear import Armoury, Weapon
from rules.countup.skills import opposed, skill_of
from rules.countup.state import GAITS, SAVES, SPACE, Being, Resolution

# -- stealth: coming up unheard, lying in wait, before the first second (countup.md §1.1, §2.9) -------------

SCENES: Mapping[str, int] = {"standard": 12, "ambush": 10, "heard": 8, "door": 6, "corner": 4}
"""The initiative die by what one knew beforehand (countup.md §1.1)."""
STEALTH: Mapping[str, tuple[str, str]] = {"sneaking": ("sneaking", "listening"), "hidden": ("hiding", "observation")}
"""By `stealth` of a stat block the skill that it takes, and the skill that notices it."""


def initiative_dice(resolution: Resolution) -> list[int]:
    """Faces of everybody's die of initiative. Whoever comes sneaking, or hides, is opposed by each foe on its guard;
    a band is as quiet as its noisiest. Unnoticed by all they wait for their foes: a d4. Who notices them knows
    where they are, and they that they were heard: a d8. A better die that one has anyway stays (OURS)."""
    beings = resolution.setup.beings
    dice = [SCENES[being.scene] for being in beings]
    for side in resolution.setup.sides:
        for stealth, (skill, sense) in STEALTH.items():
            here = (who for who, figure in numbered(resolution.figures) if figure.present)
            band = [who for who in here if (beings[who].side, beings[who].stealth) == (side, stealth)]
            noticed = _noticed(resolution, band, skill, sense) if band else []
            for who in (*band, *noticed):
                dice[who] = min(dice[who], SCENES["heard" if noticed else "corner"])
    return dice


def _noticed(resolution: Resolution, band: list[CreatureIx], skill: str, sense: str) -> list[CreatureIx]:
    """The foes that notice a band: each on its guard tries for itself."""
    beings, found = resolution.setup.beings, []
    loudest = min(band, key=lambda who: (skill_of(beings[who], skill), who))
    noisy = beings[loudest]
    quiet = (skill, skill_of(noisy, skill), noisy.id)
    for who in resolution.foes(loudest):
        being = beings[who]
        if being.unwary:
            continue
        keen = (sense, skill_of(being, sense), being.id)
        heard, rolls = opposed(resolution.dice, quiet, keen)
        if heard:
            found.append(who)
        note, seen_by = ("notices it", ()) if heard else ("notices nothing", (noisy.side,))
        contest = Contest(
            by=noisy.id, target=being.id, what=skill, rolls=rolls, success=not heard, note=note, seen_by=seen_by
        )
        resolution.events.append(contest)
    return found


Percent = Annotated[int, Field(strict=True, ge=1, le=100)]
Bonus = Annotated[int, Field(strict=True, ge=-20, le=40)]
SPACES: Mapping[str, int] = {"T": 1, "S": 1, "M": 1, "L": 2, "H": 2, "G": 3}
"""Spaces across by size (countup.md §3)."""


CANDLE = "candle"
"""What running blows out."""
NO_LAMP = (0, INSTANT)
LAMPS: Mapping[str, tuple[int, Seconds]] = {
    CANDLE: (3, Seconds(6 * 3600)), "lantern": (3, Seconds(9 * 3600)), "torch": (6, Seconds(1800)),
}  # fmt: skip
"""Bright radius in spaces (dim as far again) and seconds of burning (countup.md §3)."""
LOADS: Mapping[str, tuple[int, int, Seconds]] = {
    "": (0, 0, INSTANT), "light": (1, 0, INSTANT), "medium": (2, 1, SECOND), "heavy": (4, 2, Seconds(2)),
}  # fmt: skip
"""What encumbrance takes from defence, and adds to initiative and to a weapon's speed (countup.md §4)."""
UNTRAINED: Mapping[str, int] = {"": 0, "minimal": 1, "low": 2, "medium": 4, "high": 6}


class StatBlock(CreatureModel):
    """One creature of a record or of the content. Bonuses count armour in, but not the shield."""

    size: Literal["T", "S", "M", "L", "H", "G"] = "M"
    space: Whole | None = Field(default=None, ge=1, le=6)
    half: bool = False
    """Moves at half rate, as small folk do."""
    squares: tuple[Whole, Whole, Whole, Whole] | None = None
    """Spaces a second at walk, jog, run and sprint, where they are its own."""
    attack: Bonus = 0
    defence: Bonus = 0
    damage: Bonus = 0
    initiative: Bonus = 0
    dexterity: Bonus = 0
    """Defence by Dexterity, within `defence`: lost while charging."""
    level: Whole = Field(default=0, ge=0, le=20)
    """0 = a monster: its attack bonus counts in saves instead."""
    hp_max: Whole = Field(ge=1, le=500)
    hp: Whole | None = Field(default=None, ge=1)
    wounds: tuple[Annotated[Whole, Field(ge=1)], ...] | None = None
    """Of who keeps its wounds one by one: hit points of each; together what `hp` lacks (countup.md §9.4)."""
    reduction: Whole = Field(default=0, ge=0, le=30)
    """Of its own hide; armour adds its own."""
    pain: Whole | None = Field(default=None, ge=0)
    """Threshold of pain in hit points; 0 = immune; left out: 40 % of the maximum, rounded up."""
    trauma: Whole = Field(default=5, ge=0, le=20)
    physical: Bonus | None = 0
    mental: Bonus | None = 0
    dodge: Bonus | None = 0
    """Saves, without the level or attack bonus that is added; null = immune."""
    immune: tuple[Literal["physical", "mental", "dodge"], ...] = ()
    """Saves that it need not make: nothing that asks for one touches it."""
    weapons: tuple[str, ...] = ()
    attacks: tuple[Weapon, ...] = ()
    """Natural attacks, in line."""
    sequence: tuple[str, ...] = ()
    """Attacks made in turn."""
    shield: str | None = None
    armour: str | None = None
    stowed: tuple[str, ...] = ()
    """Of the weapons, those packed away: 5 s to ready."""
    ready: str | None = None
    """The weapon in hand; left out: the first."""
    spells: tuple[str, ...] = ()
    """Divine ones as often as they are granted."""
    memorised: tuple[str, ...] | None = None
    """Spells memorised for the day; others cost twice the points. Left out: all."""
    spell_points: Whole = Field(default=0, ge=0, le=2000)
    points: Whole | None = Field(default=None, ge=0, le=2000)
    """Spell points that are left; left out: all."""
    prayed: tuple[str, ...] = ()
    """Of the divine spells, those that are spent."""
    ammunition: Whole | None = Field(default=None, ge=0, le=200)
    """Arrows, bolts or stones; left out: they are not counted (countup.md §9.3)."""
    items: tuple[str, ...] = ()
    """What else is carried."""
    speed: Bonus = 0
    """Seconds that its class adds to the speed of weapons it strikes with; negative is faster (countup.md §5.3)."""
    scene: Literal["standard", "ambush", "heard", "door", "corner"] = "standard"
    """What it knew beforehand: the initiative die."""
    surprised: bool = False
    """Knew nothing: the standard die, and no use of anything better."""
    stealth: Literal["", "sneaking", "hidden"] = ""
    """Comes up unheard, or lies in wait: opposed checks before initiative (countup.md §2.9)."""
    facing: Whole | None = Field(default=None, ge=0, le=7, json_schema_extra={"x-facing": True})
    regenerates: Whole = Field(default=0, ge=0, le=600)
    light: Whole = Field(default=0, ge=0, le=40)
    dark_sight: bool = False
    undead: bool = False
    anointed: bool = False
    """Devoted to the healer's god: cures heal it by better dice (countup.md §5.4)."""
    low_light: bool = False
    lamp: Literal["", "candle", "lantern", "torch"] = ""
    """What gives light, with its radius and time; `light` alone is a light of any other kind."""
    knock_size: Literal["", "T", "S", "M", "L", "H", "G"] = ""
    """The size that counts for knock-back, where it is another than `size`: a dwarf's L, an elf's S."""
    left_handed: bool = False
    load: Literal["", "light", "medium", "heavy"] = ""
    """Encumbrance: costs defence, initiative and speed (countup.md §4)."""
    thief: bool = False
    skills: dict[str, Percent] = {}
    """Percentages of skills: `lock picking`, `sneaking`, `hiding`, `listening`, `observation`. Untrained, the last four
    count an ability of 10 (OURS): a score that is another stands here, too."""
    tenacity: Literal["fearless", "brave", "steady", "nervous", "cowardly"] = "steady"
    untrained: Literal["", "minimal", "low", "medium", "high"] = ""
    """Unproficient with its weapons (countup.md §5.1)."""


_SAME = tuple(name for name in Being.__struct_fields__ if name in StatBlock.model_fields)
"""What a creature in a fight has as its stat block says it."""


def being(block: StatBlock, armoury: Armoury, where: str) -> Being:
    """The static part of a creature. Raises RecordError for gear or spells that the tables don't have."""
    natural, weapons, where = block.attacks, dict.fromkeys(block.weapons), f"{where} ({block.id})"
    for field, names, table in (
        ("weapons", block.weapons, armoury.weapons),
        ("sequence", block.sequence, {*armoury.weapons, *(w.name for w in natural)}),
        ("spells", block.spells, armoury.spells),
        ("memorised", block.memorised or (), block.spells),
        ("prayed", block.prayed, block.spells),
        ("stowed", block.stowed, weapons),
        ("ready", (block.ready,) if block.ready else (), weapons),
    ):
        check_known(where, field, names, table)
    looked_up(where, "shield", block.shield, armoury.shields)
    lacks = block.hp_max - (block.hp_max if block.hp is None else block.hp)
    if block.wounds is not None and sum(block.wounds) != lacks:
        told = "{where}: wounds: come to {wounds} hit points; hp lacks {lacks} of {most}"
        raise RecordError(told, where, sum(block.wounds), lacks, block.hp_max)
    armour = looked_up(where, "armour", block.armour, armoury.armour)
    untrained, lamp = UNTRAINED[block.untrained], LAMPS.get(block.lamp, NO_LAMP)
    clumsy, late, burden = LOADS[block.load]
    usual = (gait.rate // (2 if block.half else 1) for gait in GAITS[1:])
    walk, *faster = usual if block.squares is None else (SPACE * squares for squares in block.squares)
    quarters = armour.quarters if armour else 4  # armour slows all but the walk
    changed = {
        "name": block.name or block.id,
        "art": block.figure_art,
        "space": block.space or SPACES[block.size],
        "attack": block.attack - untrained,
        "defence": block.defence - untrained - clumsy,
        "damage": block.damage - untrained,
        "initiative": block.initiative + late,
        "reduction": block.reduction + (armour.reduction if armour else 0),
        "pain": -(-2 * block.hp_max // 5) if block.pain is None else block.pain,
        "armour": armour,
        "scene": "standard" if block.surprised else block.scene,
        "light": block.light or lamp[0],
    }
    return Being(
        **{**{name: getattr(block, name) for name in _SAME}, **changed},
        pace=(walk, *(rate * quarters // 4 for rate in faster)), natural=natural, burns=lamp[1],
        saves=tuple(None if save in block.immune else getattr(block, save) for save in SAVES),
        dexterity_bonus=block.dexterity, unwary=block.surprised, burden=burden, knock=block.knock_size,
        unskilled=untrained, swift=block.speed, lasting=block.wounds is not None,
    )  # fmt: skip

"""Stat blocks at the door: validated, then turned into the flat `Being` that a fight reads (countup.md §5.5, §5.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from rules.core.validate import CreatureModel, Whole, check_known, creature, looked_up
from rules.countup.gear import Armoury, WeaponModel, weapon_from
from rules.countup.state import PACES, SPACE, Being

Percent = Annotated[int, Field(strict=True, ge=1, le=100)]
Bonus = Annotated[int, Field(strict=True, ge=-20, le=40)]
SPACES: Mapping[str, int] = {"T": 1, "S": 1, "M": 1, "L": 2, "H": 2, "G": 3}
"""Spaces across by size (countup.md §3)."""


LAMPS: Mapping[str, tuple[int, int]] = {"candle": (3, 6 * 3600), "lantern": (3, 9 * 3600), "torch": (6, 1800)}
"""Bright radius in spaces (dim as far again) and seconds of burning (countup.md §3)."""
LOADS: Mapping[str, tuple[int, int, int]] = {"": (0, 0, 0), "light": (1, 0, 0), "medium": (2, 1, 1), "heavy": (4, 2, 2)}
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
    attacks: tuple[WeaponModel, ...] = ()
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


def read(raw: Mapping[str, Any], where: str) -> StatBlock:
    """Validate one creature. Raises RecordError in one line: which creature, which field, why."""
    return creature(StatBlock, raw, where)


def being(block: StatBlock, armoury: Armoury, spells: Mapping[str, object], where: str) -> Being:
    """The static part of a creature. Raises RecordError for gear or spells that the tables don't have."""
    natural = tuple(weapon_from(model) for model in block.attacks)
    known = {**armoury.weapons, **{w.name: w for w in natural}}
    for field, names, table in (
        ("weapons", block.weapons, armoury.weapons),
        ("sequence", block.sequence, known),
        ("spells", block.spells, spells),
        ("memorised", block.memorised or (), dict.fromkeys(block.spells)),
        ("stowed", block.stowed, dict.fromkeys(block.weapons)),
        ("ready", (block.ready,) if block.ready else (), dict.fromkeys(block.weapons)),
    ):
        check_known(f"{where} ({block.id})", field, names, table)
    looked_up(f"{where} ({block.id})", "shield", block.shield, armoury.shields)
    armour = looked_up(f"{where} ({block.id})", "armour", block.armour, armoury.armour)
    quarters = armour.quarters if armour else 4
    return Being(
        id=block.id,
        name=block.name or block.id,
        side=block.side,
        kind=block.kind,
        controller=block.controller,
        art=block.figure_art,
        temperament=block.temperament,
        threat=block.threat,
        size=block.size,
        space=block.space or SPACES[block.size],
        pace=_pace(block, quarters),
        attack=block.attack - UNTRAINED[block.untrained],
        defence=block.defence - UNTRAINED[block.untrained] - LOADS[block.load][0],
        damage=block.damage - UNTRAINED[block.untrained],
        initiative=block.initiative + LOADS[block.load][1],
        level=block.level,
        hp_max=block.hp_max,
        reduction=block.reduction + (armour.reduction if armour else 0),
        pain=-(-2 * block.hp_max // 5) if block.pain is None else block.pain,
        trauma=block.trauma,
        dexterity_bonus=block.dexterity,
        saves=_saves(block),
        weapons=block.weapons,
        natural=natural,
        sequence=block.sequence,
        shield=block.shield,
        armour=armour,
        spells=block.spells,
        spell_points=block.spell_points,
        memorised=block.memorised,
        stowed=block.stowed,
        scene="standard" if block.surprised else block.scene,
        stealth=block.stealth,
        unwary=block.surprised,
        regenerates=block.regenerates,
        light=block.light or LAMPS.get(block.lamp, (0, 0))[0],
        dark_sight=block.dark_sight,
        undead=block.undead,
        anointed=block.anointed,
        low_light=block.low_light,
        lamp=block.lamp,
        burns=LAMPS.get(block.lamp, (0, 0))[1],
        burden=LOADS[block.load][2],
        knock=block.knock_size,
        left_handed=block.left_handed,
        thief=block.thief,
        skills=block.skills,
        tenacity=block.tenacity,
        unskilled=UNTRAINED[block.untrained],
    )


def _saves(block: StatBlock) -> tuple[int | None, int | None, int | None]:
    """Physical, mental, dodge; None for what it is immune to."""
    return (
        None if "physical" in block.immune else block.physical,
        None if "mental" in block.immune else block.mental,
        None if "dodge" in block.immune else block.dodge,
    )


def _pace(block: StatBlock, quarters: int) -> tuple[int, int, int, int]:
    """Eighths of a foot a second; armour slows all but the walk."""
    if block.squares is not None:
        rates = [SPACE * squares for squares in block.squares]
    else:
        rates = [PACES[gait] // (2 if block.half else 1) for gait in ("walk", "jog", "run", "sprint")]
    return (rates[0], *(rate * quarters // 4 for rate in rates[1:]))  # type: ignore[return-value]

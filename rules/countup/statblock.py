"""Stat blocks at the door: validated, then turned into the flat `Being` that a fight reads (countup.md §5.5, §5.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from rules.contract.errors import BattlematError
from rules.contract.events import Contest, Roll
from rules.contract.text import joined, text
from rules.core.dice import Dice
from rules.core.validate import CreatureModel, Whole, check_known, creature, looked_up
from rules.countup.gear import Armoury, WeaponModel, weapon_from
from rules.countup.penetration import Die, roll
from rules.countup.state import PACES, SPACE, Being, Resolution, present

DIFFICULTY: Mapping[str, int] = {"trivial": -90, "easy": -80, "average": -40, "difficult": 0, "very difficult": 10}
"""Added to the d100, which must not exceed the skill."""
MASTERY = ((0, "unskilled"), (25, "novice"), (50, "average"), (75, "advanced"), (87, "expert"), (100, "master"))
"""Highest percentage of each mastery."""
UNIVERSAL = ("climbing", "listening", "observation", "hiding", "sneaking", "swimming", "jumping")
"""Skills that anybody may try: untrained the lowest ability score that bears on them counts."""
SECRET_DOOR: Mapping[str, int] = {"anybody": 1, "thief": 2}
"""Of a d6, the highest face that finds a secret door."""

TIRED = 30
"""What spell fatigue takes from a skill (countup.md §2.8)."""

_PERCENT = (Die(1, 100, False),)


class SkillResult(NamedTuple):
    """A skill check: its roll with the difficulty added, the skill, whether it came off."""

    roll: Roll
    skill: int
    success: bool


def mastery(skill: int) -> str:
    """Unskilled, novice, average, advanced, expert or master."""
    for most, word in MASTERY:
        if skill <= most:
            return word
    return "master"


def level_of(skill: int | None, name: str, abilities: tuple[int, ...]) -> int:
    """The percentage that counts. Raises BattlematError for a skill that can't be tried untrained."""
    if skill:
        return skill
    if name not in UNIVERSAL:
        raise BattlematError(text("skill: {name} cannot be tried untrained", name))
    return min(abilities)


def check(dice: Dice, skill: int, difficulty: str = "average") -> SkillResult:
    """d100 + difficulty ≤ skill. Raises BattlematError for an unknown difficulty."""
    if difficulty not in DIFFICULTY:
        raise BattlematError(
            text("difficulty: {difficulty} is none of {known}", repr(difficulty), joined(", ", DIFFICULTY))
        )
    thrown = roll(dice, text("skill, {difficulty}", difficulty), _PERCENT, DIFFICULTY[difficulty])
    return SkillResult(thrown, skill, thrown.total <= skill)


Opponent = tuple[str, int, str]
"""What one tries, at which skill, and who it is."""


def opposed(dice: Dice, first: Opponent, second: Opponent) -> tuple[int, tuple[Roll, ...]]:
    """(0 or 1: who wins, all rolls by turns): d100 + skill each, higher wins, ties are thrown again."""
    rolls: list[Roll] = []
    while True:
        rolls += (_tries(dice, *each) for each in (first, second))
        one, other = rolls[-2:]
        if one.total != other.total:
            return int(other.total > one.total), tuple(rolls)


def _tries(dice: Dice, what: str, skill: int, who: str) -> Roll:
    dice.thrower = who
    return roll(dice, what, _PERCENT, skill)


def finds_secret_door(dice: Dice, thief: bool = False) -> tuple[bool, Roll]:
    """1 in 6, a thief 1 in 3."""
    thrown = roll(dice, "secret door", (Die(1, 6, False),))
    return thrown.total <= SECRET_DOOR["thief" if thief else "anybody"], thrown


# -- stealth: coming up unheard, lying in wait, before the first second (countup.md §1.1, §2.9) -------------

SCENES: Mapping[str, int] = {"standard": 12, "ambush": 10, "heard": 8, "door": 6, "corner": 4}
"""The initiative die by what one knew beforehand (countup.md §1.1)."""
ABILITY = 10
"""An ability that a stat block does not tell: what an untrained universal skill is worth (OURS)."""


class Manner(NamedTuple):
    """A way to go unnoticed: the skill it takes, the skill that notices it."""

    skill: str
    sense: str


MANNERS: Mapping[str, Manner] = {"sneaking": Manner("sneaking", "listening"), "hidden": Manner("hiding", "observation")}
"""By `stealth` of a stat block."""


def skill_of(being: Being, name: str) -> int:
    """The percentage of a universal skill; untrained the ability's score."""
    return level_of(being.skills.get(name), name, (ABILITY,))


def initiative_dice(resolution: Resolution) -> list[int]:
    """Faces of everybody's die of initiative. Whoever comes sneaking, or hides, is opposed by each foe on its guard;
    a band is as quiet as its noisiest. Unnoticed by all they wait for their foes: a d4. Who notices them knows
    where they are, and they that they were heard: a d8. A better die that one has anyway stays (OURS)."""
    beings = resolution.setup.beings
    dice = [SCENES[being.scene] for being in beings]
    for side in resolution.setup.sides:
        for stealth, manner in MANNERS.items():
            band = [
                who
                for who, being in enumerate(beings)
                if being.side == side and being.stealth == stealth and present(resolution.figures[who])
            ]
            if not band:
                continue
            noticed = _noticed(resolution, band, manner)
            for who in (*band, *noticed):
                known = "heard" if noticed else "corner"
                dice[who] = min(dice[who], SCENES[known])
    return dice


def _noticed(resolution: Resolution, band: list[int], manner: Manner) -> list[int]:
    """The foes that notice a band: each on its guard tries for itself."""
    beings = resolution.setup.beings
    loudest = min(band, key=lambda who: (skill_of(beings[who], manner.skill), who))
    quiet = skill_of(beings[loudest], manner.skill)
    found = []
    for who, being in enumerate(beings):
        if being.side == beings[loudest].side or being.unwary or not present(resolution.figures[who]):
            continue
        winner, rolls = opposed(
            resolution.dice,
            (manner.skill, quiet, beings[loudest].id),
            (manner.sense, skill_of(being, manner.sense), being.id),
        )
        if winner == 1:
            found.append(who)
        resolution.events.append(
            Contest(
                by=beings[loudest].id,
                target=being.id,
                what=manner.skill,
                rolls=rolls,
                success=winner == 0,
                note="notices it" if winner == 1 else "notices nothing",
                seen_by=() if winner == 1 else (beings[loudest].side,),
            )
        )
    return found


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

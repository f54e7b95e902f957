"""Stat blocks at the door: validated, made the flat `Fighter` that a fight reads, put on the board (olde.md §2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from rules.board.grid import Terrain
from rules.contract.errors import RecordError
from rules.contract.text import joined, text
from rules.contract.units import CreatureIx, numbered
from rules.core.base_ruleset import at_most, place_creature, taken
from rules.core.dice import modified
from rules.core.validate import CreatureModel, Whole, check_known, looked_up
from rules.olde.challenges.checks import EASY
from rules.olde.conditions import ASLEEP, BLEEDING, INNATE, LYING, PRONE, ROOTED, SLOWED, innate
from rules.olde.gear import Armoury
from rules.olde.magic.spells import FAITH, MANA, NO_MAGIC, Grimoire
from rules.olde.skills import CHECK_STATS, RANKS, checked
from rules.olde.state import STANDING, UNCOUNTED, Fighter, Figure, Setup, most_of
from rules.olde.traits import TraitModel, traits_of, with_hide

_SKILLS: dict[str, Any] = {
    "propertyNames": {"type": "string", "examples": list(CHECK_STATS)},
    "additionalProperties": {"type": "string", "enum": list(RANKS)},
}
"""What the JSON schema says of skills, so that editors can offer them."""


Stat = Literal["brawn", "finesse", "savvy", "nerve"]
if TYPE_CHECKING:
    Innate = str
    Posture = str
else:
    Innate, Posture = Literal[INNATE], Literal[(STANDING, *LYING)]


class StatBlock(CreatureModel):
    """One creature of a record or of the content, in the words of record.md."""

    family: str = ""  # where the bestiary lists it; no rule reads it
    brawn: Whole = Field(ge=1, le=60)
    finesse: Whole = Field(ge=1, le=60)
    savvy: Whole = Field(ge=1, le=60)
    nerve: Whole = Field(ge=1, le=60)
    modified: dict[Stat, Annotated[int, Field(strict=True, ge=-20, le=20)]] = {}
    """What lasting conditions, such as an illness, add to the ranks of stat dice (olde.md §1)."""
    size: Literal["small", "medium"] = "medium"
    space: Whole = Field(default=1, ge=1, le=6)
    free_steps: Whole | None = Field(default=None, ge=0, le=12)
    skills: dict[str, str] = Field(default={}, json_schema_extra=_SKILLS)
    weapons: tuple[str, ...] = ()
    shield: str | None = None
    armor: str | None = None
    ready: tuple[str, ...] | None = Field(default=None, json_schema_extra={"x-out-of": ["weapons", "shield"]})
    hp: Whole | None = None
    mana: Whole | None = Field(default=None, ge=0)
    faith: Whole | None = Field(default=None, ge=0)
    surprised: bool = False
    light: Whole = Field(default=0, ge=0, le=40)
    lamp: Literal["lantern", "torch"] = "lantern"  # what gives the light
    spares: Whole = Field(default=1, ge=0, le=20)  # further torches, or flasks of oil
    dark_sight: bool = False
    posture: Posture = STANDING
    conditions: tuple[Innate, ...] = ()
    spells: tuple[str, ...] = ()
    blessings: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()  # keys of doors, by the names that the map has for them
    ammunition: Whole | None = Field(default=None, ge=0, le=60)
    """Arrows, bolts or stones; left out, its shots are not counted (R)."""
    traits: tuple[TraitModel, ...] = ()

    @model_validator(mode="after")
    def _carried(self) -> StatBlock:
        for trait in self.traits:
            if trait.weapon is not None and trait.weapon not in self.weapons:
                told = "traits: {name}: {weapon} is not among the weapons"
                raise ValueError(text(told, trait.name, repr(trait.weapon)))
        return self

    @field_validator("skills")
    @classmethod
    def _known_skills(cls, value: dict[str, str]) -> dict[str, str]:
        return checked(value)


def fighter(block: StatBlock, armoury: Armoury, where: str, grimoire: Grimoire = NO_MAGIC) -> Fighter:
    """The static part of a creature in a fight. Raises RecordError for gear that the tables don't have."""
    at = f"{where} ({block.id})"
    check_known(at, "weapons", block.weapons, armoury.weapons)
    looked_up(at, "shield", block.shield, armoury.shields)
    armor = looked_up(at, "armor", block.armor, armoury.armor)
    for pool, names in ((MANA, block.spells), (FAITH, block.blessings)):
        if names:
            check_known(at, pool.table, names, {n: s for n, s in grimoire.spells.items() if s.paid == pool})
    if block.items:
        check_known(at, "items", block.items, grimoire.items)
    short = max(0, armor.brawn - block.brawn) if armor else 0
    allowance = block.free_steps if block.free_steps is not None else (1 if block.size == "small" else 2)
    own: dict[str, Any] = {name: getattr(block, name) for name in _ALIKE}
    return Fighter(
        **own, **most_of(block.brawn, block.savvy, block.nerve), name=block.name or block.id, art=block.figure_art,
        small=block.size == "small", allowance=allowance, armor=with_hide(armor, block.traits), armor_short=short,
        skills={skill: RANKS[rank] for skill, rank in block.skills.items()},
        finesse_rank=modified(block.finesse, block.modified.get("finesse", 0) - short),
        modified={str(stat): by for stat, by in block.modified.items()},
        spells=tuple(dict.fromkeys(block.spells + block.blessings)), innate=block.conditions,
        traits=traits_of(block.traits),
    )  # fmt: skip


_ALIKE = (
    "id", "side", "kind", "controller", "temperament", "threat", "brawn", "finesse", "savvy", "nerve", "space",
    "weapons", "shield", "surprised", "hidden", "patrol", "light", "lamp", "spares", "dark_sight", "duty", "warns",
    "group", "reserve",
)  # fmt: skip
"""Fields that a fighter has as its stat block says them."""


def hands_needed(armoury: Armoury, items: tuple[str, ...]) -> int:
    """Hands that a set of items takes at the least; a shield takes one."""
    return sum(1 if item in armoury.shields else armoury.weapons[item].hands for item in items)


def initial_hands(block: StatBlock, armoury: Armoury, where: str) -> tuple[str, ...]:
    """What is in hand at the start: `ready`, or the first weapon and the shield if both can be held."""
    carried = list(block.weapons) + ([block.shield] if block.shield else [])
    if block.ready is None:
        first = next((w for w in block.weapons if not armoury.weapons[w].natural), None)
        held: tuple[str, ...] = (first,) if first else ()
        if block.shield and hands_needed(armoury, held) < 2:
            held += (block.shield,)
        return held
    for item in block.ready:
        if item not in carried:
            told = "{where} ({id}): ready: {item} is not among the weapons or the shield carried"
            raise RecordError(told, where, block.id, repr(item))
        carried.remove(item)
    if hands_needed(armoury, block.ready) > 2:
        told = "{where} ({id}): ready: {ready} need more than two hands"
        raise RecordError(told, where, block.id, joined(", ", block.ready))
    return block.ready


def figure_of(setup: Setup, terrain: Terrain, placed: list[Figure], number: CreatureIx, block: StatBlock) -> Figure:
    """A creature on its space, checked. Raises RecordError where it does not fit."""
    who, field = setup.fighters[number], setup.field
    where = f"creatures[{number}] ({block.id})"
    aside = field.left.aside(block.id) or field.awaited(block.id)
    cell = place_creature(field, terrain, where, block.at, who.space, who=block.id)
    hp = at_most(where, "hp", block.hp, who.hp_max)
    if hp > 0 and not aside:
        ids = [setup.fighters[i].id for i in range(len(placed))]
        up_now = (f.hp > 0 and not field.left.aside(name) for f, name in zip(placed, ids, strict=True))
        standing = (i for i, up in enumerate(up_now) if up and not field.awaited(ids[i]))
        own, up = terrain.footprint(cell, who.space), [(i, placed[i].cell) for i in standing]
        others = [i for i, there in up if terrain.footprint(there, setup.fighters[i].space) & own]
        barred = [i for i in others if setup.fighters[i].side == who.side or len(others) > 1]
        if barred:
            raise taken(where, block.at, setup.fighters[barred[0]].id)
    hands = initial_hands(block, setup.armoury, f"creatures[{number}]")
    pack = list(block.weapons) + ([block.shield] if block.shield else [])
    for item in hands:
        pack.remove(item)
    pack = [i for i in pack if i not in setup.armoury.weapons or not setup.armoury.weapons[i].natural]
    asleep = (ASLEEP.at_first(number),) if block.asleep and hp > 0 else ()
    adversaries = tuple(i for i, other in numbered(setup.fighters) if other.side != who.side)
    conditions = block.conditions
    return Figure(
        cell=cell, hp=hp, mana=at_most(where, "mana", block.mana, who.mana_max),
        faith=at_most(where, "faith", block.faith, who.faith_max), hands=hands, pack=tuple(pack),
        posture=PRONE.name if hp <= 0 else block.posture, dying=-who.hp_max < hp <= 0,
        bleeding=BLEEDING.name in conditions, rooted=ROOTED.name in conditions, slowed=SLOWED.name in conditions,
        effects=innate(conditions, adversaries) + asleep, stunned=EASY if asleep else 0,
        items=block.items, keys=block.keys, ammunition=UNCOUNTED if block.ammunition is None else block.ammunition,
    )  # fmt: skip

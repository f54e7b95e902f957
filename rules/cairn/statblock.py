"""Stat blocks at the door: validated, then turned into the flat `Being` that a fight reads (cairn.md §5.4, §5.6)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from rules.cairn.gear import ARMOR_CAP, SLOTS, Armoury, WeaponModel, weapon_from
from rules.cairn.state import Being
from rules.contract.errors import RecordError
from rules.contract.ruleset import PARTY
from rules.contract.text import joined
from rules.core.validate import CreatureModel, Whole, check_known

Attribute = Annotated[int, Field(strict=True, ge=0, le=30)]


class StatBlock(CreatureModel):
    """One creature of a record or of the content."""

    pc: bool | None = None
    """A player's character: scars, the first round's save, retreat; left out: on the side `heroes`."""
    strength: Attribute
    dexterity: Attribute
    willpower: Attribute
    hp_max: Whole = Field(ge=0, le=60)
    hp: Whole | None = Field(default=None, ge=0)
    armor: Whole = Field(default=0, ge=0, le=ARMOR_CAP)  # of its own hide; worn armour is among the items
    space: Whole = Field(default=1, ge=1, le=6)
    speed: Whole = Field(default=8, ge=0, le=24)
    attacks: tuple[WeaponModel, ...] = ()  # natural attacks, in line
    items: tuple[str, ...] = ()  # what it carries: weapons, armour, gear; 10 slots for a PC
    ready: tuple[str, ...] | None = None
    """What is in hand; left out: the first weapon, and the shield if there is a hand for it."""
    fatigue: Whole = Field(default=0, ge=0, le=SLOTS)
    strength_now: Attribute | None = None
    """What is left of it; left out: all. The same holds for the other two."""
    dexterity_now: Attribute | None = None
    willpower_now: Attribute | None = None
    used: dict[str, Annotated[int, Field(strict=True, ge=1)]] = {}
    """How often things with charges were used already, by name."""
    suffers: tuple[Literal["deprived", "infected", "deaf"], ...] = ()  # what it brings along of earlier fights
    lame: bool = False
    one_armed: bool = False
    doomed: bool = False
    scars: tuple[Annotated[int, Field(strict=True, ge=1, le=12)], ...] = ()
    alert: Literal["normal", "ready", "unaware"] = "normal"
    surprised: bool = False  # the same as `alert = unaware`
    leader: bool = False
    group: str = ""
    """Its band within its side: each has its own morale and its own leader; empty = the rest of the side."""
    mindless: bool = False
    steadfast: bool = False
    detachment: bool = False
    unstoppable: bool = False
    heads: Whole = Field(default=0, ge=0, le=20)
    immune: tuple[str, ...] = ()
    impaired_by: tuple[str, ...] = ()
    enhanced_by: tuple[str, ...] = ()
    powers: tuple[str, ...] = ()
    light: Whole = Field(default=0, ge=0, le=40)
    dark_sight: bool = False
    posture: Literal["standing", "prone"] = "standing"
    innate: tuple[Literal["unseen", "true sight"], ...] = ()  # conditions that are its nature and never end
    resists: bool = False  # who works magic on it saves WIL, or the magic fizzles
    hired: bool = False  # paid by the day: of the party, it saves morale when that loses people
    follower: bool = False  # flees when the last leader of its side falls
    mobbing: bool = False  # its attack is enhanced while an ally strikes at the same target
    nerve: Whole = Field(default=0, ge=0, le=30)  # what it saves morale with in place of WIL; 0 = WIL
    flies: bool = False  # what lies or gapes on the floor does nothing to it, and no edge takes it
    lurks: bool = False  # nobody's target until it moves or acts for the first time
    sticky: bool = False  # who strikes it hand to hand from beside it is held
    reflects: bool = False  # half of the magic aimed at it by foes comes back to who worked it
    bursts: tuple[Annotated[int, Field(ge=2, le=100)], ...] = ()
    """Dice of the fire in which it ends, for everybody beside it."""
    bloodless: bool = False  # there is no blood in it to be drunk
    rises: Whole = Field(default=0, ge=0, le=600)
    """Rounds after which it stands up again unless it was destroyed (STR 0); 0 = never."""
    plural: bool = False  # it is told of in the plural: Killer Bees strike
    narrative: tuple[str, ...] = ()  # what its description says that a grid does not carry: for the game master to tell


def being(block: StatBlock, armoury: Armoury, where: str) -> Being:
    """The static part of a creature. Raises RecordError for gear or powers that the tables don't have."""
    place = where, block.id
    check_known(f"{where} ({block.id})", "powers", block.powers, armoury.powers)
    known = {**armoury.weapons, **armoury.armor, **armoury.gear, **armoury.treasury.goods}
    check_known(f"{where} ({block.id})", "items", block.items, known)
    alert = "unaware" if block.surprised else block.alert
    pc = block.pc if block.pc is not None else block.side == PARTY
    filled = block.fatigue + sum(armoury.slots(item) for item in block.items)
    if pc and filled > SLOTS:
        raise RecordError("{where} ({id}): items: {filled} slots are filled; there are {slots}", *place, filled, SLOTS)
    suits = [i for i in block.items if i in armoury.armor and not armoury.armor[i].stacks]
    if len(suits) > 1:
        raise RecordError("{where} ({id}): items: only one suit is worn, not {suits}", *place, joined(", ", suits))
    # a second piece of a kind is only carried
    wear = tuple(dict.fromkeys(i for i in block.items if i in armoury.armor and not armoury.armor[i].hands))
    carried: dict[str, Any] = {name: getattr(block, name) for name in CARRIED}
    carried |= {name: frozenset(carried[name]) for name in ("immune", "impaired_by", "enhanced_by")}
    carried |= {
        "name": block.name or block.id, "art": block.figure_art, "pc": pc, "wear": wear,
        "alert": "normal" if alert in block.immune else alert,  # some are never taken unaware (cairn.md §5.6, Ettin)
        "attacks": tuple(weapon_from(attack) for attack in block.attacks),
    }  # fmt: skip
    return Being(**carried)


CARRIED = tuple(name for name in Being.__struct_fields__ if name in StatBlock.model_fields)
"""What a stat block says that a fight reads under the same name."""


def initial_hands(block: StatBlock, armoury: Armoury, where: str) -> tuple[str, ...]:
    """What is in hand at the start: `ready`, or the first weapon and the shield if both can be held."""
    weapons = [i for i in block.items if i in armoury.weapons]
    shields = [i for i in block.items if i in armoury.armor and armoury.armor[i].hands]
    if block.ready is None:
        held = tuple(weapons[:1])
        if shields and sum(armoury.weapons[w].hands for w in held) < 2:
            held += (shields[0],)
        return held
    carried, place = list(block.items), (where, block.id)
    for item in block.ready:
        if item not in carried:
            raise RecordError("{where} ({id}): ready: {item} is not among the items carried", *place, repr(item))
        carried.remove(item)
    if hands_taken(armoury, block.ready) > 2:
        ready = joined(", ", block.ready)
        raise RecordError("{where} ({id}): ready: {ready} need more than two hands", *place, ready)
    return block.ready


def hands_taken(armoury: Armoury, items: tuple[str, ...]) -> int:
    """Hands that a set of items takes; a spellbook takes both (cairn.md §2.10)."""
    total = 0
    for item in items:
        held = armoury.weapons.get(item) or armoury.armor.get(item)
        if held is not None:
            total += held.hands
        elif item in armoury.gear:
            total += 2 if armoury.gear[item].kind == "book" else 1
    return total

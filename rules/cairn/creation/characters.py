"""A character by the book: what was thrown or chosen, and what it begins with (cairn.md §5.4).

`Making` is what stands on the dice, all of it plain; `begins` makes of it scores, things and gold. Whatever is thrown
may be chosen or typed in as well: the same values come of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from rules.cairn.creation.book import Book, Row
from rules.contract.errors import BattlematError
from rules.contract.events import Roll
from rules.contract.text import joined, text
from rules.core.dice import Dice, roll

Attribute = Literal["strength", "dexterity", "willpower"]
ATTRIBUTES: tuple[Attribute, ...] = ("strength", "dexterity", "willpower")
SHORT: Mapping[str, str] = {"strength": "STR", "dexterity": "DEX", "willpower": "WIL"}
THROWS = (("STR", 3, 6), ("DEX", 3, 6), ("WIL", 3, 6), ("HP", 1, 6), ("age", 2, 20), ("gold", 3, 6))
"""What is thrown for a character: name, dice, faces; hirelings have neither age nor gold."""
YOUTH = 10
"""Added to the age's dice."""
RANGES: Mapping[str, tuple[int, int]] = {
    "score": (3, 18),
    "hp": (1, 6),
    "age": (2 + YOUTH, 40 + YOUTH),
    "gold": (3, 18),
}
"""What dice can come to, by what they are thrown for."""

Figure = Annotated[int, Field(strict=True, ge=0, le=999)]
"""Any figure that may be typed in; `faults` says what dice can't have given."""
Face6 = Annotated[int, Field(strict=True, ge=1, le=6)]
Face10 = Annotated[int, Field(strict=True, ge=1, le=10)]
Face20 = Annotated[int, Field(strict=True, ge=1, le=20)]


class Making(BaseModel):
    """What dice or choice said of a character."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
    background: str
    rows: tuple[Face6, Face6] = (1, 1)
    """The faces on its two tables."""
    thrown: tuple[Figure, Figure, Figure]
    """3d6 for STR, DEX, WIL in order."""
    swap: tuple[Attribute, Attribute] | None = None
    """Two of them that change places."""
    hp: Figure
    hp_more: Figure = 0
    """The die of further HP that some rows give."""
    age: Figure
    gold: Figure
    traits: tuple[Face10, ...] = ()
    bonds: tuple[Face20, ...] = ()
    omen: Annotated[int, Field(strict=True, ge=0, le=20)] = 0
    """0: none. The youngest of a party throws for one, and a few backgrounds."""
    picked: tuple[str, ...] = ()
    """What was picked of the market by a row that grants so many coins' worth."""


class Begins(NamedTuple):
    """What a character begins with."""

    scores: tuple[int, int, int]
    """STR, DEX, WIL, after the swap."""
    hp: int
    gold: int
    armor: int
    items: tuple[str, ...]
    powers: tuple[str, ...]
    followers: tuple[str, ...]
    transport: tuple[str, ...]
    texts: tuple[str, ...]
    """What its rows tell."""


def grants(making: Making, book: Book) -> tuple[Row, ...]:
    """The rows that bring something: those of its tables, and its bonds."""
    return (*book.rows(making.background, making.rows), *(book.bonds[face - 1] for face in making.bonds))


def bonds_due(making: Making, book: Book) -> int:
    """How many throws it has on the table of bonds: one, and one more by background or row."""
    background = book.backgrounds[making.background]
    return 1 + background.more_bonds + sum(row.more_bonds for row in book.rows(making.background, making.rows))


def omen_due(making: Making, book: Book) -> bool:
    """Whether its background or a row has it throw for an omen whatever its age."""
    rows = book.rows(making.background, making.rows)
    return bool(book.backgrounds[making.background].more_omens or any(row.more_omens for row in rows))


def hp_die(making: Making, book: Book) -> int:
    """Faces of the die of further HP that a row gives; 0 without one."""
    return max((row.hp for row in book.rows(making.background, making.rows)), default=0)


def market_due(making: Making, book: Book) -> int:
    """Coins' worth of gear that its rows let it pick."""
    return sum(row.market for row in book.rows(making.background, making.rows))


def begins(making: Making, book: Book) -> Begins:
    """What a character begins with: its background's gear, what its rows and bonds bring, and its gold."""
    background = book.backgrounds[making.background]
    scores = list(making.thrown)
    if making.swap is not None:
        one, other = (ATTRIBUTES.index(each) for each in making.swap)
        scores[one], scores[other] = scores[other], scores[one]
    rows = grants(making, book)
    items = [*background.items, *(item for row in rows for item in row.items), *making.picked]
    return Begins(
        (scores[0], scores[1], scores[2]), making.hp + making.hp_more, making.gold + sum(row.gold for row in rows),
        sum(row.armor for row in rows), tuple(items), background.powers,
        tuple(name for row in rows for name in row.retainers),
        (*background.transport, *(name for row in rows for name in row.transport)), tuple(row.text for row in rows),
    )  # fmt: skip


def faults(making: Making, book: Book) -> list[str]:
    """What the book does not allow, each in a sentence."""
    if making.background not in book.backgrounds:
        return [text("{background}: is none of the twenty backgrounds", making.background)]
    found: list[str] = []
    figures = [(SHORT[name], value, "score") for name, value in zip(ATTRIBUTES, making.thrown, strict=True)]
    figures += [("HP", making.hp, "hp"), ("age", making.age, "age"), ("gold", making.gold, "gold")]
    for name, value, kind in figures:
        low, high = RANGES[kind]
        if not low <= value <= high:
            found.append(text("{name}: dice give {low} to {high}, not {value}", name, low, high, value))
    if making.swap is not None and making.swap[0] == making.swap[1]:
        found.append(text("swap: needs two different attributes, not {one} twice", SHORT[making.swap[0]]))
    if len(making.traits) != len(book.traits):
        found.append(text("traits: there are {due}; {count} are thrown", len(book.traits), len(making.traits)))
    if len(making.bonds) != (due := bonds_due(making, book)):
        found.append(text("bonds: {due} are due, {count} are thrown", due, len(making.bonds)))
    if not making.omen and omen_due(making, book):
        found.append(text("{background}: throws for an omen", making.background))
    die = hp_die(making, book)
    if not (1 if die else 0) <= making.hp_more <= die:
        found.append(text("HP: {more} more are not what a d{die} gives", making.hp_more, die) if die
                     else text("HP: {more} more come from nothing", making.hp_more))  # fmt: skip
    return found


# -- dice --------------------------------------------------------------------------------------------------


class Scores(NamedTuple):
    """What the dice gave, in the order thrown."""

    strength: int
    dexterity: int
    willpower: int
    hp: int
    age: int = 0
    gold: int = 0

    def said(self) -> str:
        """The scores in a line."""
        return text("STR {strength}, DEX {dexterity}, WIL {willpower}, {hp} HP.", *self[:4])


def roll_scores(dice: Dice, hireling: bool = False) -> tuple[Roll, ...]:
    """3d6 for STR, DEX and WIL in order, d6 HP; a player's character also 2d20 (+ 10 years) and 3d6 gold."""
    wanted = THROWS[:4] if hireling else THROWS
    return tuple(roll(dice, name, count, faces, exploding=False) for name, count, faces in wanted)


def scores_of(rolls: Sequence[Roll]) -> Scores:
    """What such rolls came to."""
    scores = Scores(*(thrown.total for thrown in rolls))
    return scores._replace(age=scores.age + YOUTH) if scores.age else scores


def roll_background(dice: Dice, book: Book) -> tuple[Roll, str]:
    """One of the twenty by a d20, in the table's order."""
    names = list(book.backgrounds)
    thrown = roll(dice, "background", 1, len(names), exploding=False)
    return thrown, names[thrown.total - 1]


def face(dice: Dice, label: str, faces: int) -> int:
    """A single die."""
    return roll(dice, label, 1, faces, exploding=False).total


def roll_making(dice: Dice, book: Book, background: str = "") -> Making:
    """A whole character by dice, of a background that was chosen if one is named. Omens are the youngest's (§5.4)."""
    name = background or roll_background(dice, book)[1]
    if name not in book.backgrounds:
        known = joined(", ", book.backgrounds)
        raise BattlematError("background: {name} is none of {backgrounds}", repr(name), known)
    scores = scores_of(roll_scores(dice))
    making = Making(
        background=name, rows=(face(dice, "first table", 6), face(dice, "second table", 6)), thrown=scores[:3],
        hp=scores.hp, age=scores.age, gold=scores.gold,
        traits=tuple(face(dice, trait.name, 10) for trait in book.traits),
    )  # fmt: skip
    return settled(dice, making, book)


def settled(dice: Dice, making: Making, book: Book) -> Making:
    """The same with what its background and rows have it throw besides: as many bonds, an omen, a die of HP."""
    due = bonds_due(making, book)
    bonds = (*making.bonds, *(face(dice, "bond", len(book.bonds)) for _ in range(due - len(making.bonds))))[:due]
    omen = making.omen or (face(dice, "omen", len(book.omens)) if omen_due(making, book) else 0)
    die = hp_die(making, book)
    more = 0 if not die else making.hp_more if 1 <= making.hp_more <= die else face(dice, "further HP", die)
    spare = making.picked if market_due(making, book) else ()
    return making.model_copy(update={"bonds": bonds, "omen": omen, "hp_more": more, "picked": spare})


def swapped(making: Making, one: Attribute, other: Attribute) -> Making:
    """Two attributes change places: any two, once. Raises BattlematError for one with itself."""
    if one == other or one not in ATTRIBUTES or other not in ATTRIBUTES:
        names = joined(", ", ATTRIBUTES)
        raise BattlematError("swap: needs two different ones of {attributes}, got {one} and {other}", names, one, other)
    same = making.swap is not None and set(making.swap) == {one, other}
    return making.model_copy(update={"swap": None if same else (one, other)})

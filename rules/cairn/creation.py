"""Characters by the book: 3d6 in order with one swap, d6 HP, a background's gear; hirelings; the game master's
other dice outside of fights (cairn.md §1, §5.3, §5.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, Literal, NamedTuple

from rules.cairn.combat.injury import SCARS
from rules.cairn.gear import BackgroundModel
from rules.contract.errors import BattlematError
from rules.contract.events import Roll
from rules.contract.ruleset import Answer, Creation, Tool
from rules.contract.text import joined, text
from rules.core.dice import Dice, roll
from rules.core.validate import validated

Attribute = Literal["strength", "dexterity", "willpower"]
ATTRIBUTES: tuple[Attribute, ...] = ("strength", "dexterity", "willpower")
RATIONS = ("rations", "torch")
"""What everybody carries beside the background's gear."""


class Hire(NamedTuple):
    """A kind of hireling."""

    name: str
    cost: int  # gold a day
    items: tuple[str, ...]
    art: str = "unknown_hero"


HIRES: Mapping[str, Hire] = {
    "bodyguard": Hire(name="Bodyguard", cost=10, items=("sword", "shield", "gambeson"), art="templar"),
    "veteran": Hire(name="Veteran", cost=20, items=("long sword", "chainmail", "helmet"), art="warrior"),
    "torchbearer": Hire(name="Torchbearer", cost=5, items=("torch", "dagger"), art="unknown_hero"),
}
"""Hirelings by kind (§5.3; what they carry is ours)."""


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

    def block(self, name: str, kind: str, art: str, items: Iterable[str], **more: object) -> dict[str, Any]:
        """A stat block with these scores, without id, side and space."""
        attributes = {each: getattr(self, each) for each in ATTRIBUTES}
        return {"name": name, "kind": kind, "art": art, **attributes, "hp_max": self.hp, "items": [*items], **more}


THROWS = (("STR", 3, 6), ("DEX", 3, 6), ("WIL", 3, 6), ("HP", 1, 6), ("age", 2, 20), ("gold", 3, 6))
"""What is thrown for a character: name, dice, faces; hirelings have neither age nor gold."""
YOUTH = 10
"""Added to the age's dice."""


def roll_scores(dice: Dice, hireling: bool = False) -> tuple[Roll, ...]:
    """3d6 for STR, DEX and WIL in order, d6 HP; a player's character also 2d20 (+ 10 years) and 3d6 gold."""
    wanted = THROWS[:4] if hireling else THROWS
    return tuple(roll(dice, name, count, faces, exploding=False) for name, count, faces in wanted)


def scores_of(rolls: Sequence[Roll]) -> Scores:
    """What such rolls came to."""
    scores = Scores(*(thrown.total for thrown in rolls))
    return scores._replace(age=scores.age + YOUTH) if scores.age else scores


def roll_background(dice: Dice, backgrounds: Mapping[str, BackgroundModel]) -> tuple[Roll, BackgroundModel]:
    """One of the table by a die with as many faces, in the table's order."""
    names = list(backgrounds)
    thrown = roll(dice, "background", 1, len(names), exploding=False)
    return thrown, backgrounds[names[thrown.total - 1]]


def character(scores: Scores, background: BackgroundModel, name: str, swap: tuple[Attribute, Attribute] | None = None
              ) -> dict[str, Any]:  # fmt: skip
    """A player's character as a stat block without id, side and space. Raises BattlematError for a senseless swap."""
    if swap is not None:
        if swap[0] == swap[1] or any(each not in ATTRIBUTES for each in swap):
            names = joined(", ", ATTRIBUTES)
            raise BattlematError("swap: needs two different ones of {attributes}, got {swap}", names, str(swap))
        one, other = swap
        scores = scores._replace(**{one: getattr(scores, other), other: getattr(scores, one)})
    items, more = (*background.items, *RATIONS), {"powers": [*background.powers], "summary": background.summary}
    return scores.block(name, background.name, background.art, items, **more, pc=True)


def hireling(scores: Scores, kind: str, name: str) -> dict[str, Any]:
    """A hireling as a stat block: no player's character, so no scars. Raises BattlematError for an unknown kind."""
    hire = HIRES.get(kind)
    if hire is None:
        hires = joined(", ", HIRES)
        raise BattlematError("hireling: {kind} is for nobody's hire; there are {hires}", repr(kind), hires)
    summary = f"{hire.cost} gold a day."
    return scores.block(name, f"Hireling, {hire.name}", hire.art, hire.items, summary=summary, pc=False)


REACTIONS = ((2, "hostile"), (5, "wary"), (8, "curious"), (11, "kind"), (12, "helpful"))
"""2d6 up to the figure -> how strangers take to the party."""
FORTUNATE = 4
"""The Die of Fate from this face on is good for the party."""


EVENTS = ("an encounter", "a sign of what is near", "the surroundings change", "a loss: a light or a spell ends",
          "exhaustion: rest, which throws anew, take 1 Fatigue or eat a ration", "quiet")  # fmt: skip
"""The dungeon's events by the face of a d6 (cairn.md §1)."""


MENDED = {row: scar.mended for row, scar in SCARS.items() if scar.mended is not None}


def mend(dice: Dice, row: int) -> tuple[str, Roll]:
    """What a scar leaves once it has mended (cairn.md §4). Raises BattlematError for a row that leaves nothing then."""
    mended = MENDED.get(row)
    if mended is None:
        names = joined(", ", map(str, MENDED))
        raise BattlematError("scar: row {row} leaves nothing to throw for; there are {names}", row, names)
    thrown = roll(dice, mended.label, mended.dice, mended.faces, exploding=False)
    if mended.added:
        return text("Maximum HP grow by {total}.", thrown.total), thrown
    what = mended.label.removeprefix("new maximum ")
    if row == MORTAL:
        return text("Maximum {score} are {total} from now on.", what, thrown.total), thrown
    return text("Maximum {score}: {total}, if that is more than before.", what, thrown.total), thrown


MORTAL = 11
"""The row whose new maximum counts even where it is lower."""

TOOLS = (
    Tool("reaction", "Reaction", "How strangers take to the party, where nobody knows: 2d6.", "cairn.md §1"),
    Tool("fate", "Die of Fate", "A d6 where only luck decides: 4 and more are good for the party.", "cairn.md §1"),
    Tool("character", "Roll up a character", "3d6 for each attribute in order, one swap, d6 HP, a background.",
         "cairn.md §5.4"),
    Tool("hireling", "Hire somebody", "3d6 for each attribute in order, d6 HP, and what they bring.", "cairn.md §5.3",
         tuple((kind, text("{name}, {cost} gold a day", hire.name, hire.cost))
               for kind, hire in HIRES.items())),
    Tool("events", "Dungeon event", "When the party dawdles, hurries, is loud or comes into a new place: d6.",
         "cairn.md §1"),
    Tool("scar", "Mended scar", "What a scar leaves once it has healed.", "cairn.md §4",
         tuple((str(row), text("row {row}", row)) for row in MENDED)),
)  # fmt: skip
SHORT = {"strength": "STR", "dexterity": "DEX", "willpower": "WIL"}


def use(tool: str, option: str, dice: Dice, content: Mapping[str, Sequence[Mapping[str, Any]]]) -> Answer:
    """Throw for a tool. Raises BattlematError for an unknown one, or a kind of hireling that there is not."""
    if tool == "reaction":
        thrown = roll(dice, "reaction", 2, 6, exploding=False)
        word = next(word for limit, word in REACTIONS if thrown.total <= limit)
        return Answer(text("They are {word}.", word), (thrown,))
    if tool == "fate":
        thrown = roll(dice, "Die of Fate", 1, 6, exploding=False)
        return Answer("Fortune smiles." if thrown.total >= FORTUNATE else "Fortune frowns.", (thrown,))
    if tool == "events":
        face = roll(dice, "dungeon event", 1, 6, exploding=False)
        return Answer(text("It is {event}.", EVENTS[face.total - 1]), (face,))
    if tool == "scar":
        told, thrown = mend(dice, int(option) if option.isdecimal() else min(MENDED))
        return Answer(told, (thrown,))
    if tool == "character":
        return _character(dice, content)
    if tool == "hireling":
        kind = option or next(iter(HIRES))
        rolls = roll_scores(dice, hireling=True)
        scores = scores_of(rolls)
        made = hireling(scores, kind, HIRES[kind].name if kind in HIRES else kind)
        return Answer(scores.said(), rolls, (Creation("as thrown", made),))
    raise BattlematError("tool: {tool} is none of {names}", repr(tool), joined(", ", (each.name for each in TOOLS)))


def _character(dice: Dice, content: Mapping[str, Sequence[Mapping[str, Any]]]) -> Answer:
    """A player's character: as thrown, or with two attributes exchanged."""
    models = [validated(BackgroundModel, raw, "background") for raw in content.get("backgrounds", ())]
    rolls = roll_scores(dice)
    thrown, background = roll_background(dice, {model.name: model for model in models})
    scores = scores_of(rolls)
    made = [Creation("as thrown", character(scores, background, background.name))]
    for one, other in combinations(ATTRIBUTES, 2):
        if getattr(scores, one) != getattr(scores, other):
            label = text("{one} and {other} exchanged", SHORT[one], SHORT[other])
            made.append(Creation(label, character(scores, background, background.name, (one, other))))
    figures = background.name, scores.age, scores.gold, scores.said()
    return Answer(text("{name}, {age} years, {gold} gold: {scores}", *figures), (*rolls, thrown), tuple(made))

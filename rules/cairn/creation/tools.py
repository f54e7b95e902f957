"""The game master's dice outside of fights: reactions, fate, events, scars, somebody rolled up (cairn.md §1)."""

from __future__ import annotations

from itertools import combinations

from rules.cairn.combat.injury import SCARS
from rules.cairn.creation import followers
from rules.cairn.creation.book import Book, Content
from rules.cairn.creation.characters import (
    ATTRIBUTES,
    SHORT,
    Making,
    begins,
    roll_background,
    roll_scores,
    scores_of,
    swapped,
)  # fmt: skip
from rules.contract.errors import BattlematError
from rules.contract.events import Roll
from rules.contract.ruleset import Answer, Creation, Tool
from rules.contract.text import joined, text
from rules.core.dice import Dice, roll

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
HIRES = {"bodyguard": "Bodyguard", "veteran": "Veteran Bodyguard", "torchbearer": "Torchbearer"}
"""Options of the tool -> kinds of hireling, those who fight or carry light."""

TOOLS = (
    Tool("reaction", "Reaction", "How strangers take to the party, where nobody knows: 2d6.", "cairn.md §1"),
    Tool("fate", "Die of Fate", "A d6 where only luck decides: 4 and more are good for the party.", "cairn.md §1"),
    Tool("character", "Roll up a character", "3d6 for each attribute in order, one swap, d6 HP, a background.",
         "cairn.md §5.4"),
    Tool("hireling", "Hire somebody", "3d6 for each attribute in order, d6 HP, and what they bring.", "cairn.md §5.3",
         (("bodyguard", "Bodyguard, 10 gold a day"), ("veteran", "Veteran, 20 gold a day"),
          ("torchbearer", "Torchbearer, 5 gold a day"))),
    Tool("events", "Dungeon event", "When the party dawdles, hurries, is loud or comes into a new place: d6.",
         "cairn.md §1"),
    Tool("scar", "Mended scar", "What a scar leaves once it has healed.", "cairn.md §4",
         tuple((str(row), text("row {row}", row)) for row in MENDED)),
)  # fmt: skip


def use(tool: str, option: str, dice: Dice, content: Content) -> Answer:
    """Throw for a tool. Raises BattlematError for an unknown one, or a kind of hireling that there is not."""
    if tool == "reaction":
        thrown = roll(dice, "reaction", 2, 6, exploding=False)
        word = next(word for limit, word in REACTIONS if thrown.total <= limit)
        return Answer(text("They are {word}.", word), (thrown,))
    if tool == "fate":
        thrown = roll(dice, "Die of Fate", 1, 6, exploding=False)
        return Answer("Fortune smiles." if thrown.total >= FORTUNATE else "Fortune frowns.", (thrown,))
    if tool == "events":
        thrown = roll(dice, "dungeon event", 1, 6, exploding=False)
        return Answer(text("It is {event}.", EVENTS[thrown.total - 1]), (thrown,))
    if tool == "scar":
        told, thrown = mend(dice, int(option) if option.isdecimal() else min(MENDED))
        return Answer(told, (thrown,))
    if tool == "character":
        return _character(dice, Book(content))
    if tool == "hireling":
        return _hireling(dice, Book(content), option or next(iter(HIRES)))
    raise BattlematError("tool: {tool} is none of {names}", repr(tool), joined(", ", (each.name for each in TOOLS)))


def _hireling(dice: Dice, book: Book, option: str) -> Answer:
    if option not in HIRES:
        wrong = "hireling: {kind} is for nobody's hire; there are {hires}"
        raise BattlematError(wrong, repr(option), joined(", ", HIRES))
    kind = followers.follower(book, HIRES[option])
    rolls, scores = followers.throw(dice, kind)
    return Answer(scores.said(), rolls, (Creation("as thrown", followers.block(kind, scores, kind.name)),))


def _character(dice: Dice, book: Book) -> Answer:
    """A player's character: as thrown, or with two attributes exchanged; with its background's starting gear."""
    rolls = roll_scores(dice)
    thrown, background = roll_background(dice, book)
    scores = scores_of(rolls)
    rows = tuple(roll(dice, "table", 1, 6, exploding=False) for _ in range(2))
    making = Making(
        background=background, rows=(rows[0].total, rows[1].total), thrown=scores[:3], hp=scores.hp, age=scores.age,
        gold=scores.gold,
    )  # fmt: skip
    made = [Creation("as thrown", block(making, book))]
    for one, other in combinations(ATTRIBUTES, 2):
        if getattr(scores, one) != getattr(scores, other):
            label = text("{one} and {other} exchanged", SHORT[one], SHORT[other])
            made.append(Creation(label, block(swapped(making, one, other), book)))
    figures = background, scores.age, scores.gold, scores.said()
    return Answer(text("{name}, {age} years, {gold} gold: {scores}", *figures), (*rolls, thrown, *rows), tuple(made))


def block(making: Making, book: Book) -> dict[str, object]:
    """A character as a stat block without id, side and space, with all that fits into ten slots."""
    made, background = begins(making, book), book.backgrounds[making.background]
    found: dict[str, object] = {
        "name": background.name, "kind": background.name, "art": background.art,
        **dict(zip(ATTRIBUTES, made.scores, strict=True)), "hp_max": made.hp, "items": list(made.items),
        "powers": list(made.powers), "summary": background.summary, "pc": True,
    }  # fmt: skip
    return {**found, "armor": made.armor} if made.armor else found

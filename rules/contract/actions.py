"""Decisions and actions: the vocabulary in which controllers speak to every ruleset.

An action is exactly one command of a record; cells are integers inside (`row * width + column`) and
`[column, row]` in files. A ruleset gives the words in `do` their meaning. `gc=False`: none can be part of a cycle.
"""

from __future__ import annotations

import msgspec

from rules.contract.units import Cell, Seconds


class Action(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Who (`by`) does what (`do`), with what that needs. Unused fields keep their defaults."""

    by: str
    do: str
    target: str | None = None  # a creature's id, or a door's
    weapon: str | None = None
    path: tuple[Cell, ...] = ()  # cells entered, in order, the start left out
    at: Cell | None = None  # one cell aimed at: climb, leap, guide, pick up
    option: str | None = None  # a word: the answer of `choose`, a posture, a skill
    item: str | None = None
    items: tuple[str, ...] | None = None  # `ready`: everything that shall be in hand afterwards
    rating: int | None = None  # what a check that the game master calls for is made against
    against: str | None = None  # the id of whoever resists, in an opposed check
    resists: str | None = None  # the skill or stat that it resists with
    advantage: int = 0  # +1 or −1: two sets of dice, the better or the worse kept
    creature: str | None = None  # a stat block as JSON: whom the game master adds (rules/contract/hand.py)


CHANCE, CHOOSE = "chance", "choose"
"""Kinds of decisions: a creature's own doing, and an answer inside an action (also the word of that command)."""


class Decision(msgspec.Struct, frozen=True, gc=False):
    """A question that stands open. A fight is over when none is."""

    by: str  # id of the creature that decides, or `gm`, or a side's name for a side's decision
    side: str
    kind: str  # `chance` and other words of the ruleset; `choose` = an answer inside somebody's action
    prompt: str = ""
    sealed: bool = False  # true where the answer may be taken back until its side resolves or time moves
    answered: bool = False
    """True where an answer is in, and only may be changed: whoever plays for a side turns to the others first."""


class Adjustment(msgspec.Struct, frozen=True, gc=False):
    """A number added to a total, with the reason and the rule it comes from (`olde.md §6`)."""

    to: str
    value: int
    because: str
    rule: str = ""


class Description(msgspec.Struct, frozen=True):
    """What an action says of itself, for windows and stories; never on the hot path."""

    label: str
    group: str  # `First`, `Move`, `Act`, `End` or `Answer`: where the HUD places it
    cost: str  # short: `2 AP`, `0 AP · 2 sp.`
    points: int = 0  # the action points (or the ruleset's like) that it takes
    left: int = 0  # what is left of them afterwards
    needs: str = "none"
    """`none`, `path`, `space`, `creature`, `door`, `item`, `option` or `facing` (an option from 0, north, clockwise to
    7): what the player must point at."""
    icon: str = "choose"
    key: str = ""
    notes: tuple[str, ...] = ()
    next_by: str | None = None  # who would most likely be asked next
    slot: Seconds | None = None
    """The moment on the board's timeline at which one could act next; None where nothing follows from it."""
    rank: int = 3
    """How soon it earns a place where room is scarce: 1 = always, and large, 2 = often asked for, 3 = seldom."""
    final: bool = False
    """Whether the whole play is over with it: a window asks first, and does not count it as one more thing to do."""


class Offer(msgspec.Struct, frozen=True):
    """A button of the HUD: a kind of action, with its legal instances or the reason why there is none.

    Decisions of one kind offer the same kinds of action in the same order, each with its key, whoever decides and
    whatever is possible: buttons then keep their places.
    """

    do: str
    description: Description
    actions: tuple[Action, ...] = ()
    """Legal instances (for `path` needs: one canonical action per space that can be reached)."""
    refused: str | None = None  # why nothing of this kind is legal now; None when something is
    weapon: str | None = None
    inside: tuple[Offer, ...] = ()
    """The kinds that it falls into (the spells of `cast`): a list to pick from, each with its own needs."""


def pending(decisions: tuple[Decision, ...]) -> Decision | None:
    """The decision to turn to: the first that nobody has answered yet, else the first; None when none is open."""
    return next((decision for decision in decisions if not decision.answered), decisions[0] if decisions else None)

"""Pages of workshop and camp as data: what is shown, what may be done, and why not. No window is known here.

A *block* is a piece of a page; the window draws each kind (`game/scenes/workshop/drawn.py`) and knows no ruleset.
What a block does when pressed is an `Act`. In the workshop that is a function of the hero (and of what the widget
gives: an option, a typed text) that gives the changed hero, or `Came`; in a camp a function of nothing (or of what
the widget gives) that does it and gives what is to be said. Either raises BattlematError with the reason in a line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from rules.contract.display import Pack

Act = Callable[..., Any]


def key(*words: object) -> str:
    """The key of a button: what it does, and with what."""
    return " ".join(map(str, words))


View = Mapping[str, str]
"""What a page remembers of how it is looked at (which table of the shop, who is picked): name -> value; the window
keeps it, and `Choice.view` and `Deed.turn` change it."""


class Came(NamedTuple):
    """A changed hero, and what is told of it: what dice came to, say; and others who changed or came with it."""

    hero: Any
    told: str
    others: tuple[Any, ...] = ()
    """They are kept at once; then the step cannot be taken back."""


class Piece(NamedTuple):
    """A stretch of words in an ink and a style of its own."""

    text: str
    tone: str = "text"
    style: str = "text"


class Title(NamedTuple):
    """A heading, and in quiet words what it is about."""

    text: str
    hint: str = ""


class Words(NamedTuple):
    """A line or paragraph, or pieces of one; `tip` and `rule` stand in the tooltip under `name`."""

    text: str | tuple[Piece, ...]
    tone: str = "text"
    style: str = "text"
    tip: str = ""
    name: str = ""
    rule: str = ""


class Deed(NamedTuple):
    """A button. One that is refused is greyed and says why when pressed (its act raises)."""

    key: str
    """Names it to keys, focus and tests."""
    label: str
    act: Act | None = None
    detail: str = ""
    """Under the label: price, time, chance."""
    refusal: str = ""
    """Why not, in a sentence; stands in place of the detail."""
    chosen: bool = False
    gold: bool = False
    slim: bool = True
    left: bool = False
    """Its label begins at the left edge."""
    quiet: bool = False
    """Greyed, although it can be pressed."""
    told: str = ""
    """What is said at the foot when it was done."""
    tip: str = ""
    rule: str = ""
    turn: tuple[str, str] | None = None
    """What of the view changes with it."""
    ask: tuple[str, str, str] | None = None
    """Asked first: a heading, what would come of it, and the button that does it."""


class Deeds(NamedTuple):
    """Buttons beside each other, in as many lines as they need, after a label."""

    deeds: tuple[Deed, ...]
    label: str = ""


class Choice(NamedTuple):
    """One of several, as pills; `act` is given the option, `view` names what of the view is turned instead."""

    key: str
    options: Mapping[str, str]
    """What it stands for -> what is shown."""
    now: str
    act: Act | None = None
    view: str = ""
    label: str = ""


class Typed(NamedTuple):
    """A line to type in; `act` is given the text with each letter, or it goes into the view under the name `view`."""

    key: str
    value: str
    act: Act | None = None
    label: str = ""
    quiet: str = ""
    """What stands there while it is empty."""
    most: int = 40
    wide: float = 300
    tip: str = ""
    view: str = ""


class Number(NamedTuple):
    """A whole number to type or step; `act` is given the number."""

    key: str
    value: int
    act: Act
    low: int
    high: int
    label: str = ""
    tip: str = ""
    wide: float = 130


class Form(NamedTuple):
    """Lines to type in and what belongs to them, in columns: name, line, buttons."""

    rows: tuple[tuple[Typed | Number | Deed | Words, ...], ...]


class Face(NamedTuple):
    """A tile with a miniature."""

    key: str
    label: str
    line: str
    art: str
    act: Act | None
    chosen: bool = False
    tip: str = ""


class Faces(NamedTuple):
    """Tiles that fill the page, each at least so wide at 100 %."""

    faces: tuple[Face, ...]
    least: float = 162
    size: float = 36


class Item(NamedTuple):
    """A line of a list: a name, words, buttons, and notes below (text, whether it hurts)."""

    name: str
    told: str
    deeds: tuple[Deed, ...] = ()
    notes: tuple[tuple[str, bool], ...] = ()
    tone: str = "text"
    bold: bool = False
    wide: float = 150


class Pick(NamedTuple):
    """A row of a table: its button, and its words beside it in as many lines as they need; what it brings, in green."""

    deed: Deed
    text: str
    brings: str = ""


class Card(NamedTuple):
    """A large figure, what it is called or a button above its words."""

    figure: str
    under: str
    head: Deed | Words
    words: tuple[Words, ...]
    deeds: tuple[Deed, ...] = ()
    chosen: bool = False


class Cards(NamedTuple):
    """Cards beside each other, as many in a line as there is room for."""

    cards: tuple[Card, ...]
    least: float = 250


class Gauge(NamedTuple):
    """So much of so much; `tone` is health, mana …"""

    name: str
    now: int
    most: int
    tone: str = "health"


class Gauges(NamedTuple):
    """Gauges beside each other."""

    gauges: tuple[Gauge, ...]


class Slots(NamedTuple):
    """Room to carry things in, as a row of cells."""

    pack: Pack


class Divider(NamedTuple):
    """A line between what belongs together."""


Block = (
    Title | Words | Deed | Deeds | Choice | Typed | Number | Form | Faces | Item | Pick | Cards | Gauges | Slots
    | Divider
)  # fmt: skip
Blocks = tuple[Block, ...]


class Drawn(NamedTuple):
    """A page that draws itself: `module:function` of the window, called with the workshop and the hero."""

    where: str


class Start(NamedTuple):
    """A way to begin a new hero."""

    key: str
    """What `Roster.fresh` is given; empty: with nothing settled."""
    name: str
    line: str
    art: str
    tip: str = ""


class Derived(NamedTuple):
    """A figure with its name and where it comes from."""

    name: str
    figure: str
    why: str = ""
    rule: str = ""
    tone: str = "bright"


class Figures(NamedTuple):
    """What a hero comes to, beside every page."""

    line: str
    """Under the name."""
    tiles: tuple[tuple[str, str], ...]
    """Name and value."""
    gauges: tuple[Gauge, ...]
    lines: tuple[Derived, ...]
    notes: tuple[Words, ...]
    faults: tuple[str, ...]
    """What is still wrong; none: it is legal by the book."""


Lines = tuple[tuple[str, str], ...]
"""Bold name and what follows it."""


class Printed(NamedTuple):
    """What stands on a printed sheet."""

    lines: tuple[str, ...]
    """Two under the name."""
    tiles: tuple[tuple[str, str, str], ...]
    """Name, value, what stands under it."""
    left: tuple[str, Lines]
    right: tuple[str, Lines]
    """Two columns, each with a heading."""
    wide: tuple[tuple[str, Lines], ...]
    """Over the whole width."""
    story: tuple[str, ...]
    """Fights, the last first."""


class Told(NamedTuple):
    """A line of a camp's story: when, what, the dice, and whether it went well (+1), badly (−1) or neither."""

    minutes: int
    text: str
    dice: str
    tone: int


class Camper(NamedTuple):
    """Somebody in camp, as the window shows them."""

    line: str
    """A few words on how it stands with them."""
    gauges: tuple[Gauge, ...]
    """The first of them stands at the miniature by the fire."""
    below: str
    """What of their things matters here."""
    status: str = ""
    dead: bool = False
    down: bool = False
    """It lies there."""

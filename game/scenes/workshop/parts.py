"""Small things that the workshop's pages share."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from game.characters.olde.model import Hero, art
from game.scenes.fight.panels import hud
from game.widgets.controls import Button, Label
from game.widgets.core import Sized, Tip, Widget, row
from game.widgets.figures import Portrait
from rules.contract.text import text
from rules.core.dice import plain


def face(hero: Hero) -> Portrait:
    """A hero's miniature."""
    return hud.likeness(art(hero.looks), "heroes")


def title(text: str, hint: str = "") -> list[Widget]:
    """A heading and what it is about."""
    found: list[Widget] = [Label(text, "label!", "gold")]
    return [*found, Label(hint, "small", "quiet")] if hint else found


def pills(
    entries: Iterable[tuple[str, str, Callable[[], None], bool]],
    key: str,
    *,
    tips: dict[str, Tip] | None = None,
) -> Widget:
    """Buttons in lines, one or some of them chosen: `(name, label, what it does, chosen)`."""
    buttons = [
        Button(label, call, chosen=chosen, slim=True, key=f"{key} {name}", tip=(tips or {}).get(name))
        for name, label, call, chosen in entries
    ]
    return row(*buttons, gap=6, wrap=True)


def cell(text: str, width: float, colour: str = "text", style: str = "text") -> Widget:
    """A word in a column of a width."""
    return Sized(Label(text, style, colour, one_line=True), width)


def cp(number: int) -> str:
    """A sum of character points."""
    return text("{number} CP", number=plain(number))

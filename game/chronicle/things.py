"""What things are called in a tale: `a censer`, `31 coins`, `two short swords`, `the sexton's key`."""

from __future__ import annotations

from collections.abc import Iterable

from game.chronicle.naming import COUNTS, listed, plural
from rules.contract.text import ntext, text
from rules.core.fixtures.contents import coins_in

ARTICLES = ("the ", "a ", "an ", "some ")
MASS = frozenset(("oil", "chalk", "rope", "chainmail", "mail", "plate", "leather", "armour", "armor", "powder", "water",
                  "wine", "food", "twine", "wire", "incense", "silver", "gold", "ale", "bread", "meat"))  # fmt: skip
"""Last words of things of which there is some, and not one."""


def spelt(name: str) -> str:
    """A name of the map or of the rules within a sentence: `Vestment press` → `vestment press`; people keep theirs."""
    head, *rest = name.split(" ")
    return " ".join((head[:1].lower() + head[1:], *rest)) if all(word == word.lower() for word in rest) else name


def definite(name: str) -> str:
    """A thing of the map within a sentence: `the hall gate`."""
    if name.lower().startswith(ARTICLES):
        return name[:1].lower() + name[1:]
    return text("the {thing}", thing=spelt(name))


def things(names: Iterable[str]) -> str:
    """Things within a sentence: alike ones counted, coins last and all together; empty where there are none."""
    counts: dict[str, int] = {}
    coins = 0
    for name in names:
        if money := coins_in(name):
            coins += money
        else:
            counts[name] = counts.get(name, 0) + 1
    said = [one(name) if count == 1 else several(name, count) for name, count in counts.items()]
    if coins:
        said.append(ntext(coins, "a coin", "{n} coins"))
    return listed(said)


def one(name: str) -> str:
    """A single thing: `a censer`, `an altar cloth`, `smoke pellets`, `the sexton's key`."""
    words = name.partition(" of ")[0].split()
    last = words[-1].lower() if words else ""
    if name.lower().startswith(ARTICLES) or name[:1].isdigit() or last in MASS:
        return name
    if "'s " in name or "s' " in name:
        return text("the {thing}", thing=name)
    if _many(last):
        return name
    return text("an {thing}" if name[:1].lower() in "aeiou" else "a {thing}", thing=name)


def several(name: str, count: int) -> str:
    """Alike things, counted: `two torches`."""
    number = COUNTS[count] if count < len(COUNTS) else str(count)
    last = name.split()[-1].lower() if name.split() else ""
    if _many(last) or last in MASS:
        return text("{number} lots of {things}", number=number, things=name)
    return text("{number} {things}", number=number, things=plural(name))


def _many(last: str) -> bool:
    """Whether a word means several already: `rations`, `smoke pellets`; a glass and a cross are one."""
    return last.endswith("s") and not last.endswith(("ss", "us", "is"))

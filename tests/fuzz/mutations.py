"""Files broken by chance: values changed, moved, doubled and left out, and bytes likewise; each case by its number."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

NASTY: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 7, 255, 10**6, 2**31, 2**63, -(2**63), 10**40, 0.5, -0.0, 1e308, "", " ", "x",
    "ada", "gob", "human", "olde", "cairn", "nobody", "é\u0000\n\t\u202e", "\ud800", "🜁" * 50, "a" * 5000, "[1, 1]",
    "../../etc/passwd", "/dev/zero", "crypt.tmx", "CON", "%s %d {x}", [], [[]], {}, {"": {}}, [0, 0], [1, 1], [-1, -1],
    [10**9, 10**9], [[1, 1]], [None], ["ada"], [[1, 1], [1, 2], [2, 2]], {"at": 0}, {"format": "battlemat/1"},
    "battlemat/1", "battlemat/2", "battlemat/0", "end", "attack", "choose", "gm", "broadsword", "+", "#", "Ctrl+",
)  # fmt: skip

WHOLE = (0, 1, -1, 2, 3, 8, 12, 99, 1000, 10**6, 2**31, 2**63, 10**30)
WORDS = (
    "", "end", "attack", "step", "run", "free_steps", "rise", "drop", "ready", "choose", "cast", "use", "open", "close",
    "force", "recover", "first_aid", "guide", "shield_block", "aimed_shot", "leap", "climb", "pick_up", "drop_item",
    "gm", "heroes", "monsters", "human", "ai", "goblin", "ogre", "knight", "longbow", "light crossbow", "broadsword",
    "mail", "target", "large", "tiny", "Master", "Swords", "#", "~", "+", "'", " ", "0", "9", "prone", "crypt.tmx",
)  # fmt: skip

Path = tuple[str | int, ...]


def paths(value: Any, here: Path = ()) -> list[Path]:
    """Every place in a document."""
    found: list[Path] = [here]
    if isinstance(value, dict):
        for key, inner in value.items():
            found += paths(inner, (*here, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            found += paths(inner, (*here, index))
    return found


def at(document: Any, path: Path) -> Any:
    for step in path:
        document = document[step]
    return document


def mutated(document: Any, lot: random.Random) -> Any:
    """The document with one thing wrong (or by chance not)."""
    places = paths(document)
    path = lot.choice(places)
    if not path:
        return lot.choice(NASTY) if lot.random() < 0.02 else document
    parent, last = at(document, path[:-1]), path[-1]
    if lot.random() < 0.7:
        _of_its_kind(document, parent, last, places, lot)
    else:
        _of_any_kind(document, parent, last, places, lot)
    return document


def _of_its_kind(document: Any, parent: Any, last: Any, places: list[Path], lot: random.Random) -> None:
    """Something else that could stand there by its type: this comes through to the rules."""
    value = parent[last]
    if isinstance(value, bool):
        parent[last] = not value
    elif isinstance(value, (int, float)):
        parent[last] = lot.choice((value + lot.choice((-2, -1, 1, 2)), *WHOLE))
    elif isinstance(value, str):
        others = [at(document, place) for place in places]
        words = [word for word in (*others, *WORDS) if isinstance(word, str)]
        parent[last] = lot.choice(words) if lot.random() < 0.7 else _misspelt(value, lot)
    elif isinstance(value, list):
        kind = lot.randrange(5)
        if kind == 0:
            lot.shuffle(value)
        elif kind == 1 and value:
            del value[lot.randrange(len(value))]
        elif kind == 2 and value:
            value.insert(lot.randrange(len(value) + 1), copy.deepcopy(lot.choice(value)))
        elif kind == 3:
            del value[lot.randrange(len(value) + 1) :]
        else:
            value.reverse()
    elif isinstance(value, dict) and isinstance(parent, list):
        parent.insert(lot.randrange(len(parent) + 1), copy.deepcopy(value))
    elif isinstance(value, dict) and value:
        del value[lot.choice(list(value))]


def _misspelt(value: str, lot: random.Random) -> str:
    spot = lot.randrange(len(value) + 1)
    return value[:spot] + lot.choice(("", "#", " ", "x", ".", "+", "\n")) + value[spot + lot.randrange(2) :]


def _of_any_kind(document: Any, parent: Any, last: Any, places: list[Path], lot: random.Random) -> None:
    kind, value = lot.randrange(8), parent[last]
    if kind <= 2:
        parent[last] = copy.deepcopy(lot.choice(NASTY))
    elif kind == 3:
        del parent[last]
    elif kind == 4:
        parent[last] = copy.deepcopy(at(document, lot.choice(places)))
    elif kind == 5 and isinstance(parent, dict):
        names = ("at", "do", "by", "id", "to", "hp", "template", "branches", "rewinds", "throws", "seats", "x")
        parent[lot.choice(names)] = copy.deepcopy(value)
    elif kind == 6 and isinstance(parent, dict):
        del parent[last]
        parent[str(last) + lot.choice(("s", "_", " ", "é"))] = value
    else:
        parent[last] = [value]


def spoilt(data: bytes, lot: random.Random) -> bytes:
    """Bytes flipped, left out, put in, cut off or doubled."""
    first = lot.randrange(len(data) + 1)
    last = min(len(data), first + lot.randrange(1, 40))
    kind = lot.randrange(5)
    if kind == 0:
        return data[:first]
    if kind == 1:
        return data[:first] + data[last:]
    if kind == 2:
        return data[:first] + lot.randbytes(lot.randrange(1, 12)) + data[first:]
    if kind == 3:
        return data[:last] + data[first:last] + data[last:]
    return data[:first] + bytes(byte ^ 1 << lot.randrange(8) for byte in data[first:last]) + data[last:]


def case(documents: list[Any], number: int) -> bytes:
    """Case `number`: one of the documents as JSON, broken once or several times."""
    lot = random.Random(number)
    document = copy.deepcopy(lot.choice(documents))
    for _ in range(lot.choice((1, 1, 1, 1, 2, 4))):
        document = mutated(document, lot)
    data = json.dumps(document, ensure_ascii=lot.random() < 0.5).encode("utf-8", "surrogatepass")
    while lot.random() < 0.08:
        data = spoilt(data, lot)
    return data

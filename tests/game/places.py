"""Small places of several Tiled maps, for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.game.tmx_text import floor, objects, thing, tmx

S = 32


def heading(**says: str) -> str:
    """The properties of a map."""
    kind = {True: ' type="int"', False: ""}
    inside = "".join(f'<property name="{n}"{kind[value.isdigit()]} value="{value}"/>' for n, value in says.items())
    return f" <properties>{inside}</properties>\n" if inside else ""


def way(number: int, column: int, row: int, to_map: str, *, kind: str = "Stairs", name: str = "", **says: Any) -> str:
    """An object that leads to another map, on one space."""
    more = f'name="{name}"' if name else ""
    made = thing(number, kind, (column * S, row * S, S, S), to_map=to_map, **says)
    return made.replace("<object ", f"<object {more} ", 1)


def write(
    folder: Path, name: str, *nodes: str, size: tuple[int, int] = (6, 4), body: str | None = None, **says: str
) -> Path:
    """A map of floor (or `body`) with some objects, beside others."""
    path = folder / f"{name}.tmx"
    ground = floor(*size) if body is None else body
    path.write_text(tmx(ground + objects(*nodes), *size, properties=heading(**says)), encoding="utf-8")
    return path


def church_and_crypt(folder: Path) -> tuple[Path, Path]:
    """Two maps that lead to each other by stairs."""
    above = write(
        folder, "church", thing(1, "Spawn", (0, 0, 2 * S, 2 * S), side="heroes"),
        way(2, 5, 3, "crypt", name="Steps down"), title="Church",
    )  # fmt: skip
    below = write(
        folder, "crypt", thing(1, "Spawn", (0, 0, S, S), side="monsters"), way(7, 0, 2, "church", name="Steps up"),
        size=(4, 5), title="Crypt", ambient="dark",
    )  # fmt: skip
    return above, below

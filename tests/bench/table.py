"""Rows of the table: a figure, its reference from the same run, the goal and whether it is met."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

AT_REST = {
    "random games of python-chess": 12_000.0,
    "a ply of chess": 1 / 12.0,
    "push of python-chess": 5.2,
    "legal moves of python-chess": 36.0,
    "look-up in a dict": 0.055,
    "Dijkstra with a heap": 82.0,
    "copying a whole screen": 0.31,
    "an empty window with pygame and pydantic": 177.0,
}
"""What the references take on the machine for which the goals were set (two cores, nothing else running)."""


class Row(NamedTuple):
    """One figure. `less` is True where less is better; without a goal nothing is judged."""

    what: str
    figure: float
    unit: str
    reference: str = ""
    """What the reference is."""
    against: float | None = None
    """Its figure, in the same unit."""
    goal: float | None = None
    less: bool = True
    ratio_goal: float | None = None
    """A goal for figure ÷ reference instead of one for the figure."""

    @property
    def ratio(self) -> float | None:
        return self.figure / self.against if self.against else None

    @property
    def at_rest(self) -> float:
        """The figure as it would be on the machine for which the goals were set, by its reference."""
        rest = AT_REST.get(self.reference)
        return self.figure * rest / self.against if rest and self.against and self.unit != "MB" else self.figure

    @property
    def share(self) -> float | None:
        """How many times better than the goal; below 1 the goal is missed."""
        if self.ratio_goal is not None and self.ratio is not None:
            have, want = self.ratio, self.ratio_goal
        elif self.goal is not None:
            have, want = self.at_rest, self.goal
        else:
            return None
        return (want / have if self.less else have / want) if have and want else None

    @property
    def wanted(self) -> str:
        sign = "≤" if self.less else "≥"
        if self.ratio_goal is not None:
            return f"{sign} {self.ratio_goal:g} × reference"
        return f"{sign} {number(self.goal)} {self.unit}" if self.goal is not None else ""

    @property
    def verdict(self) -> str:
        share = self.share
        if share is None:
            return ""
        return f"met, {share:.1f} × better" if share >= 1 else f"MISSED by a factor of {1 / share:.1f}"


def number(value: float) -> str:
    """Three figures, thousands set apart."""
    if value >= 1000:
        return f"{round(value, -1):,.0f}".replace(",", " ")
    return f"{value:.3g}"


HEAD = ("figure", "measured", "reference of the same run", "ratio", "at rest", "goal", "")


def cells(row: Row) -> tuple[str, ...]:
    """A row as texts."""
    reference = f"{row.reference}: {number(row.against)} {row.unit}" if row.against is not None else ""
    ratio = f"{row.ratio:.3g}" if row.ratio is not None else ""
    rest = f"{number(row.at_rest)} {row.unit}" if row.reference in AT_REST else ""
    return (row.what, f"{number(row.figure)} {row.unit}", reference, ratio, rest, row.wanted, row.verdict)


def plain(title: str, rows: Iterable[Row]) -> str:
    """A table for terminals."""
    lines = [HEAD, *map(cells, rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEAD))]
    body = ["  ".join(map(str.ljust, line, widths)).rstrip() for line in lines]
    return "\n".join([title, "-" * len(title), *body, ""])


def markdown(title: str, rows: Iterable[Row]) -> str:
    """A table for docs/bench.md."""
    lines = [HEAD, ("---",) * len(HEAD), *map(cells, rows)]
    return "\n".join([f"## {title}", "", *("| " + " | ".join(line) + " |" for line in lines), ""])


def plain_data(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Rows for JSON."""
    return [
        {
            **row._asdict(),
            "ratio": row.ratio,
            "at_rest": row.at_rest,
            "met": None if row.share is None else row.share >= 1,
        }
        for row in rows
    ]

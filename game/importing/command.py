"""`battlemat import`: a map of another program as a Tiled map, or what would come of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from game.app.i18n import t
from game.importing.formats import read
from game.importing.plan import ImportProblem, Plan
from game.importing.writer import write
from game.maps.place import check_place
from rules.contract.text import joined, ntext, text

LOST = "its picture is broken: the map is drawn with our own tiles"


def run(file: Path, out: Path | None, as_json: bool, say: Callable[[list[str]], None]) -> int:
    """Import a file: write the map, and tell what is in it; 0. Raises ImportProblem, and BattlematError for the disk.

    With `as_json` a map is written only where `out` names one.
    """
    plan = read(file)
    goal = out if out is not None or as_json else Path(f"{file.stem}.tmx")
    if goal is not None and goal.suffix.lower() != ".tmx":
        raise ImportProblem("{out}: a map is written as .tmx", str(goal))
    if goal is not None and write(plan, goal).lost:
        plan = replace(plan, warnings=(*plan.warnings, LOST))
    if as_json:
        say([json.dumps(summary(plan), ensure_ascii=False)])
        return 0
    assert goal is not None
    say(told(plan, goal))
    return 0


def summary(plan: Plan) -> dict[str, Any]:
    """What is in a plan, in numbers (docs/importing.md)."""
    return {
        "format": plan.format, "size": [plan.columns, plan.rows], "floor": len(plan.floor), "areas": len(plan.areas),
        "doors": len(plan.doors), "windows": plan.windows, "lights": len(plan.lights), "notes": len(plan.notes),
        "off_grid": plan.off_grid, "warnings": [t(line) for line in plan.warnings],
    }  # fmt: skip


def counts(plan: Plan) -> list[str]:
    """The same for people, in pieces of a sentence."""
    rooms, doors, lights = len(plan.areas), len(plan.doors), len(plan.lights)
    return [
        text("{columns} × {rows} spaces", plan.columns, plan.rows),
        ntext(rooms, "1 area", "{n} areas"), ntext(doors, "1 door", "{n} doors"),
        ntext(plan.windows, "1 window", "{n} windows"), ntext(lights, "1 light", "{n} lights"),
        ntext(len(plan.notes), "1 note", "{n} notes"),
    ]  # fmt: skip


def told(plan: Plan, goal: Path) -> list[str]:
    """What was written, in lines."""
    report = check_place(goal)
    verdict = text("fit to play") if report.fit else text("opens in the editor, lacks {lacks}", report.lacks)
    lines: list[str] = [text("{map}: {parts}; {verdict}", str(goal), joined(", ", counts(plan)), verdict)]
    return [*lines, *(text("{map}: {warning}", str(goal), t(warning)) for warning in plan.warnings)]

"""`battlemat propose`: what would be walls of a map, and a copy of it with them."""

from __future__ import annotations

import argparse
import json
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from game.app.i18n import t
from game.maps.editing.document import Document
from game.maps.folder import parts_of, reach_of
from game.maps.mapdata import MapProblem
from game.maps.proposing.keeping import write
from game.maps.proposing.reasons import Reason, propose
from game.maps.proposing.words import Stops
from rules.contract.errors import BattlematError
from rules.contract.text import joined, ntext, text


def run(options: argparse.Namespace, say: Callable[[list[str]], None]) -> int:
    """Say what was found, and write the copy where one is wanted; 0. Raises MapProblem and BattlematError."""
    document = Document.open(options.map)
    reasons = propose(document)
    taken = chosen(reasons, options.only)
    if options.out is not None:
        keep(document, taken, options.out)
    if options.json:
        say([json.dumps(summary(document, reasons, taken), ensure_ascii=False)])
        return 0
    lines = [told(each) if each in taken else text("{line} (left out)", told(each)) for each in reasons]
    if options.out is not None:
        lines.append(text("{map}: written, with these walls", str(options.out)))
    say(lines or [text("{map}: nothing of it says what would be walls", str(options.map))])
    return 0


def chosen(reasons: Sequence[Reason], only: Sequence[str] | None) -> list[Reason]:
    """Those that are sure, or those that are named. Raises MapProblem for a name that none has."""
    if only is None:
        return [each for each in reasons if each.sure]
    known = {each.key: each for each in reasons}
    for name in only:
        if name not in known:
            there = joined(", ", known) or "none"
            raise MapProblem("--only: there is no reason {name}; there are: {there}", name=repr(name), there=there)
    return [known[name] for name in dict.fromkeys(only)]


def keep(document: Document, taken: Sequence[Reason], out: Path) -> None:
    """The copy, with all that the map uses beside it in another folder. Raises BattlematError."""
    if out.suffix.lower() != ".tmx":
        raise MapProblem("{out}: a map is written as .tmx", out=str(out))
    source = document.path
    if out.exists() and out.samefile(source):
        raise MapProblem("{out}: is the map itself, which stays as it is; name another file", out=str(out))
    if out.absolute().parent != source.absolute().parent:
        _bring(source, out.absolute().parent)
        document.path = out
        document.renew()
    write(document, taken, out)


def _bring(source: Path, goal: Path) -> None:
    """All files that a map uses, into another folder, as they lie to each other."""
    files = parts_of(source.absolute(), reach_of(source.absolute())).inside
    base = source.absolute().parent
    try:
        for file in files[1:]:
            there = Path(os.path.relpath(file, base))
            if ".." in there.parts:
                wrong = "{name}: uses {file}, which lies outside its folder; write the copy beside it"
                raise MapProblem(wrong, name=source.name, file=there.as_posix())
            (goal / there).parent.mkdir(parents=True, exist_ok=True)
            if not (goal / there).exists():
                shutil.copyfile(file, goal / there)
    except OSError as error:
        raise BattlematError("{path}: cannot be written: {what}", str(goal), str(error.strerror or error)) from None


def told(each: Reason) -> str:
    """A reason in a line."""
    parts: list[str] = [ntext(len(each.spots), "{n} space", "{n} spaces")] if each.spots else []
    parts += [ntext(len(each.edges), "{n} edge", "{n} edges")] if each.edges else []
    parts += ["seen over"] if each.stops is Stops.GAP else []
    return text("{key}: {parts}", each.key, joined(", ", parts))


def summary(document: Document, reasons: Sequence[Reason], taken: Sequence[Reason]) -> dict[str, Any]:
    """What was found, in numbers (docs/any-map.md)."""
    return {
        "size": list(document.size),
        "reasons": [
            {"key": each.key, "by": str(each.by), "name": each.name, "told": t(each.told), "stops": str(each.stops),
             "spaces": len(each.spots), "edges": len(each.edges), "taken": each in taken}
            for each in reasons
        ],
    }  # fmt: skip

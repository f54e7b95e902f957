"""`battlemat packs`: what is there, add, remove, switch, check, and zip a folder to be shared."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from game.content.packs import shelf, unpack
from game.content.packs.manifest import PackProblem
from game.content.packs.shelf import Pack
from rules.contract.errors import BattlematError
from rules.contract.text import text


def run(options: argparse.Namespace, say: Callable[[list[str]], None]) -> int:
    """Do it; 0, or 2 where a pack that was checked has faults. Raises BattlematError in one line."""
    if options.deed == "list":
        say([line(pack) for pack in shelf.packs()] or ["no packs"])
        return 0
    if options.what is None:
        raise PackProblem("packs {deed}: needs a file or a pack's id behind it", options.deed)
    what = str(options.what)
    if options.deed == "add":
        say([line(shelf.add(Path(what)))])
    elif options.deed == "remove":
        shelf.remove(what)
        say([text("{id}: removed", what)])
    elif options.deed in ("on", "off"):
        shelf.switch(what, on=options.deed == "on")
        say([line(shelf.find(what))])
    elif options.deed == "check":
        return _check(Path(what), say)
    else:
        _make(Path(what), options.out, say)
    return 0


def _check(source: Path, say: Callable[[list[str]], None]) -> int:
    wrong = shelf.check(source)
    say([f"{source.name}: {each}" for each in wrong] or [text("{name}: a whole pack", source.name)])
    return 2 if wrong else 0


def _make(folder: Path, out: Path | None, say: Callable[[list[str]], None]) -> None:
    if wrong := shelf.check(folder):
        raise PackProblem("{name}: {wrong}", folder.name, wrong[0])
    goal = out or Path(f"{folder.name}.zip")
    try:
        unpack.packed(folder, goal)
    except OSError as error:
        raise BattlematError("{path}: cannot be written: {what}", str(goal), str(error.strerror or error)) from None
    say([text("{path}: written", str(goal))])


def line(pack: Pack) -> str:
    """A pack in a line."""
    if pack.manifest is None:
        return text("{id}: broken: {wrong}", pack.id, pack.wrong)
    said, what = pack.manifest, shelf.told(pack.folder)
    words = "{id} {version}: {title} ({what}), on" if pack.on else "{id} {version}: {title} ({what}), off"
    return text(words, id=pack.id, version=said.version, title=said.title, what=what)

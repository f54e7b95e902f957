"""What a broken file may do: nothing, or give its one line. Everything else is a finding."""

from __future__ import annotations

import contextlib
import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from game import cli, paths
from game.app import settings
from game.controllers.human import load_keys
from game.fight.match import Match
from game.storage import records as storage
from game.storage import recovery, saves
from rules.contract.errors import BattlematError
from rules.core import record as records
from tests.fuzz import mutations

ROOT = Path(__file__).parents[2]
SHORT = 14
"""Commands of a playthrough that are kept, so that a case takes no longer than it must."""
ROWS = ["##########", "#....+...#", "#.~..#...#", "#...##...#", "#........#", "##########"]


class Finding(AssertionError):
    """A file that got more or less than one line."""


def sketch() -> dict[str, Any]:
    """A fight of every sort of field, with a line that was left."""
    return {
        "format": "battlemat/1", "ruleset": "olde", "title": "Sketch", "options": {"advanced": True, "gm": True},
        "map": {"rows": ROWS, "levels": None, "climbs": [[2, 2]], "walls": [[[6, 3], [7, 3]]],
                "doors": {"door 5,1": "open"}},
        "seed": 5, "throws": [5, None, 4, None, 3],
        "creatures": [
            {"id": "ada", "side": "heroes", "at": [1, 1], "controller": "human", "brawn": 8, "finesse": 9, "savvy": 5,
             "nerve": 5, "size": "medium", "skills": {"Swords": "Master"}, "weapons": ["broadsword"], "hp": 5,
             "ready": ["broadsword"], "shield": None, "armor": None, "surprised": False},
            {"id": "gob", "side": "monsters", "at": [2, 1], "controller": "ai", "template": "goblin"},
        ],
        "branches": [{"at": 0, "title": "Ada's end", "commands": [{"by": "gob", "do": "end"}], "throws": [None, 3]}],
        "rewinds": [{"at": 0, "commands": 1, "dice": 2, "before": "Ada's end", "to": ""}],
        "commands": [],
    }  # fmt: skip


def documents() -> list[Any]:
    """What is broken: sketches for the most part, for speed; and the first commands of whole fights."""
    played = sketch()
    match = Match.from_record(played)
    lot = random.Random(3)
    for _ in range(SHORT):
        if match.decision is None:
            break
        match.act(match.decision, lot.choice(list(match.legal(match.decision))))
    found: list[Any] = [sketch(), *[records.document(match.record)] * 8]
    for path in sorted((ROOT / "tests" / "playthroughs").glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        document["commands"] = document["commands"][:SHORT]
        found += [document] * (1 if "tmx" in document["map"] else 4)
    return found


def try_replay(path: Path) -> int:
    """`battlemat replay`: status 0, or 2 with one line and nothing else."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = cli.main(["replay", str(path)])
    if status not in (0, cli.FAULT):
        raise Finding(f"status {status}: {err.getvalue()}")
    if status == cli.FAULT:
        if out.getvalue():
            raise Finding(f"printed although it failed: {out.getvalue()[:200]!r}")
        _one_line(err.getvalue())
    elif err.getvalue():
        raise Finding(f"complained although it went well: {err.getvalue()!r}")
    return status


def _one_line(text: str) -> None:
    if len(text.strip().splitlines()) != 1 or (not text.isprintable() and not text.rstrip("\n").isprintable()):
        raise Finding(f"not one line: {text[:300]!r}")


def try_loading(path: Path) -> bool:
    """The load screen's look at it; what loads can be saved, taken back, and its branches taken up."""
    save = saves.look(path)
    if save.fault:
        _one_line(save.fault)
        return False
    match = Match.from_record(storage.read_record(path), beside=path.parent)
    copy = path.with_name("again.json")
    storage.write_record(match.record, copy)
    if storage.read_record(copy) != match.record:
        raise Finding("saved and loaded, it is another record")
    for number in range(min(3, len(match.record.branches))):
        with contextlib.suppress(BattlematError):
            match.history.switch(min(number, len(match.record.branches) - 1))
    for to in list(match.history.points())[:3]:
        if to < match.history.length:
            match.history.rewind(to)
    Match.from_record(records.read(json.loads(storage.record_text(match.record))))
    return True


def try_journal(data: bytes, folder: Path) -> bool:
    """A journal that was left behind: it is offered, or gives its one line."""
    path = folder / f"current-1-1{recovery.ENDING}"
    path.write_bytes(data)
    try:
        for found in recovery.interrupted():
            if found.record is None:
                _one_line(found.fault)
                return False
            try:
                recovery.playable(found.record)
            except BattlematError as error:
                _one_line(str(error))
                return False
        return True
    finally:
        recovery.discard(path)


def try_settings(data: bytes) -> bool:
    """Broken settings: those that can be read, or one line."""
    settings.settings_path().write_bytes(data)
    try:
        found = settings.load_settings()
        load_keys(found.keys)
    except BattlematError as error:
        _one_line(str(error))
        return False
    settings.save_settings(found)
    return True


SETTINGS: list[Any] = [
    {"version": 1, "scale": 120, "speed": 1, "reduced_motion": True, "fullscreen": False, "end_by_itself": True,
     "autosave": True, "log_open": False, "keys": {"end": ["Ctrl+E"], "undo": ["Ctrl+Z", "U"], "save": []}},
]  # fmt: skip


def journal_of(document: Any) -> list[Any]:
    """The lines of a journal in which a fight's commands were given one after another."""
    first = {"journal": 1, "version": "0", "title": "Sketch"}
    commands = [{"command": command} for command in document["commands"]]
    return [first, {"record": {**document, "commands": []}}, *commands]


def trials(home: Path) -> list[tuple[str, Callable[[int], bool]]]:
    """The kinds of trial, each by a case's number; True where the file was fit after all."""
    fights = documents()
    lines = [journal_of(document) for document in fights]
    folder = home / "here"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "case.json"
    journals = paths.user_folder("journals")

    def replay(number: int) -> bool:
        path.write_bytes(mutations.case(fights, number))
        return try_replay(path) == 0

    def load(number: int) -> bool:
        path.write_bytes(mutations.case(fights, number))
        return try_loading(path)

    def left_behind(number: int) -> bool:
        lot = random.Random(number)
        chosen = json.loads(json.dumps(lot.choice(lines)))
        data = b"".join(
            json.dumps(mutations.mutated(line, lot) if lot.random() < 0.2 else line).encode() + b"\n" for line in chosen
        )
        return try_journal(mutations.spoilt(data, lot) if lot.random() < 0.3 else data, journals)

    def preferences(number: int) -> bool:
        return try_settings(mutations.case(SETTINGS, number))

    return [("replay", replay), ("load", load), ("journal", left_behind), ("settings", preferences)]

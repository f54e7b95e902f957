"""Records on disk: reading, writing whole or not at all, and the folder of saved fights."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from game import paths
from rules import record as records
from rules.errors import RecordError

LARGEST = 64 * 1024 * 1024
"""Bytes of a record beyond which it is not read."""


def read_record(path: Path) -> records.Record:
    """Read and check a record. Raises RecordError in one line: which file, where, why."""
    try:
        if path.stat().st_size > LARGEST:
            raise RecordError(f"{path}: larger than {LARGEST // 1024 // 1024} MiB; this is no record")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise RecordError(f"{path}: not UTF-8 text (byte {error.start})") from None
    try:
        return records.read(_json(text))
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None


def _json(text: str) -> Any:
    def refuse(word: str) -> None:
        raise RecordError(f"not JSON: {word} is no number here")

    try:
        return json.loads(text, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise RecordError(f"not JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise RecordError("not a record: nested too deeply") from None
    except ValueError as error:
        raise RecordError(f"not JSON: {error}") from None


def find_map(name: str, beside: Path | None) -> Path:
    """A map named by a record: beside the record, then in the maps folders. Raises RecordError."""
    wanted = Path(name)
    if wanted.is_absolute() or ".." in wanted.parts:
        raise RecordError(f"map.tmx: {name!r} leaves the folder; name a file beside the record or in maps/")
    folders = ([beside] if beside is not None else []) + list(paths.map_folders())
    for folder in folders:
        if (folder / wanted).is_file():
            return folder / wanted
    raise RecordError(f"map.tmx: {name!r} is neither beside the record nor in maps/")


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all. Raises RecordError if the disk refuses."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise RecordError(f"{path}: cannot be written: {error.strerror or error}") from None


def write_record(record: records.Record, path: Path) -> None:
    """Save a record, one command a line, so that people can read and compare it."""
    data = records.document(record)
    commands = data.pop("commands")
    text = json.dumps(data, ensure_ascii=False, indent=1)
    lines = ",\n  ".join(json.dumps(c, ensure_ascii=False) for c in commands)
    body = f'"commands": [\n  {lines}\n ]' if commands else '"commands": []'
    write_whole(path, f"{text[:-2]},\n {body}\n}}\n")


def fights_folder() -> Path:
    """Where saved fights live."""
    return paths.user_folder("fights")


def fights() -> list[Path]:
    """Saved fights, the newest first; among equals by name."""
    found = [(p.stat().st_mtime_ns, p) for p in fights_folder().glob("*.json")]
    return [p for _, p in sorted(found, key=lambda entry: (-entry[0], entry[1].name))]

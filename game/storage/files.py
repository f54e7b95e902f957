"""Files written whole or not at all."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from rules.contract.errors import BattlematError
from rules.contract.text import Text

DRAFT = ".draft"
"""The ending of a file that is being written; one that is left over belonged to a process that was killed."""


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all, text as UTF-8. Raises BattlematError if the disk refuses."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=DRAFT)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(content.encode() if isinstance(content, str) else content)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        with contextlib.suppress(OSError):  # the disk keeps the folder's new names, too, where the system offers that
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
    except OSError as error:
        wrong = "{path}: cannot be written: {what}"
        raise BattlematError(wrong, str(path), str(error.strerror or error)) from None


def read_bytes(path: Path, largest: int, what: str, fault: type[BattlematError]) -> bytes:
    """A file of at most so many bytes. Raises a `fault` in one line; `what` is what it should be."""
    try:
        if path.stat().st_size > largest:
            raise fault("{path}: larger than {what} MiB; this is no {what2}", str(path), largest // 1024 // 1024, what)
        return path.read_bytes()
    except OSError as error:
        raise fault("{path}: {what}", str(path), str(error.strerror or error)) from None


def read_text(path: Path, largest: int, what: str, fault: type[BattlematError]) -> str:
    """A text file of at most so many bytes. Raises a `fault` in one line; `what` is what it should be."""
    try:
        return read_bytes(path, largest, what, fault).decode()
    except UnicodeDecodeError as error:
        raise fault("{path}: not UTF-8 text (byte {start})", str(path), error.start) from None


def from_json(text: str | bytes) -> Any:
    """A value out of JSON. Raises ValueError in one line, also for what only Python takes for JSON."""

    def refuse(word: str) -> None:
        raise ValueError(Text.of("{word} is no number here", word=word))

    try:
        value = json.loads(text, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise ValueError(
            Text.of("{msg} (line {lineno}, column {colno})", msg=error.msg, lineno=error.lineno, colno=error.colno)
        ) from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    escape = "\\ud" if isinstance(text, str) else b"\\ud"
    if escape in text.lower():  # type: ignore[operator]
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise ValueError(Text.of("{object} is half a character", object=repr(error.object[error.start]))) from None
    return value


def remembered(path: Path, largest: int) -> dict[str, Any]:
    """A JSON object that we keep for ourselves; an empty one where there is none, or none that can be read."""
    try:
        found = from_json(read_bytes(path, largest, "list", BattlematError))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def as_json(value: Any, *, indent: int | None = None) -> str:
    """JSON with letters as they are; escaped where a file's encoding has no place for them (half a character)."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, indent=indent)
    return text

"""The journal of a fight being played: each command appended as soon as it was given, so that no end loses more.

A journal belongs to one process, which holds a lock beside it. The system lets go of a lock when its process ends,
however it ends, so a journal whose lock can be had was left behind; one that ended well is deleted. The process's
number is in the name, and a name is never used twice: programs running side by side cannot meet in one.

It is lines of JSON. The first says `{"journal": 1, "version", "title"}`. After it comes a whole record,
`{"record": {…}}`, and again whenever the record changed otherwise than by a command; a command is
`{"command": {…}, "throws": […]}`, the latter with the faces added since, if any. A line counts once it has its end,
so a last one cut short is as if it had never been.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

from game import __version__, paths
from game.storage.files import as_json, from_json, read_bytes
from rules.contract.errors import RecordError, said
from rules.contract.text import text
from rules.core import record as records

FORMAT = 1
"""The number of the journal's format; that of the record in it is its own."""
Upgrade = Callable[[list[Any]], list[Any]]
UPGRADES: Mapping[int, Upgrade] = {}
"""Number -> how the lines of a journal of that older format become those of the next."""
LARGEST = 64 * 1024 * 1024
"""Bytes of a journal beyond which it is not read."""
ENDING = ".jsonl"
FORSAKEN = 3600.0
"""Seconds after which a lock without a journal is swept away."""


class NothingKept(RecordError):
    """A journal whose process ended before the first record was written whole: nothing was lost by it."""


def journals_folder() -> Path:
    """Where journals live."""
    return paths.user_folder("journals")


class Lock:
    """A lock on a file, held until it is released or the process ends."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stream: IO[bytes] | None = None

    def take(self) -> bool:
        """Take the lock; False if somebody else has it. Raises OSError where there can be no such file."""
        stream = self.path.open("a+b")
        if not _locked(stream):
            stream.close()
            return False
        self._stream = stream
        return True

    def release(self) -> None:
        """Let go of it; the file stays."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None


if sys.platform == "win32":
    import msvcrt

    def _locked(stream: IO[bytes]) -> bool:
        stream.seek(0)
        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _locked(stream: IO[bytes]) -> bool:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class Journal:
    """A journal being written. Everything may raise OSError if the disk refuses."""

    def __init__(self, record: records.Record, title: str) -> None:
        self.record = record
        folder = journals_folder()
        stem = f"current-{os.getpid()}-{time.time_ns()}"
        self.path = folder / f"{stem}{ENDING}"
        self._lock = Lock(folder / f"{stem}.lock")
        self._throws = 0
        self.size = 0
        self.torn = False
        """Whether a line could not be written whole: nothing after it would be read."""
        if not self._lock.take():  # a name of this process's own: only a broken file system comes here
            raise OSError(text("{path}: cannot be locked", str(self._lock.path)))
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | getattr(os, "O_BINARY", 0)
        self._handle = os.open(self.path, flags, 0o600)
        self._write({"journal": FORMAT, "version": __version__, "title": title})
        self.whole()

    def _write(self, line: Mapping[str, Any]) -> None:
        data = as_json(line).encode() + b"\n"
        self.size += len(data)
        self.torn = True
        while data:
            data = data[os.write(self._handle, data) :]
        self.torn = False

    def whole(self) -> None:
        """Write the record as it is now."""
        self._write({"record": records.document(self.record)})
        self._throws = len(self.record.throws or ())

    def command(self) -> None:
        """Write the record's last command, and what was thrown by hand for it."""
        line: dict[str, Any] = {"command": self.record.commands[-1].model_dump(mode="json", exclude_none=True)}
        throws = self.record.throws
        if throws is not None and len(throws) != self._throws:
            if len(throws) < self._throws:
                self.whole()
                return
            line["throws"] = throws[self._throws :]
            self._throws = len(throws)
        self._write(line)

    def settle(self) -> None:
        """Have the disk keep what was written, should the power fail."""
        os.fsync(self._handle)

    def abandon(self) -> None:
        """Leave the journal behind, to be found."""
        if self._handle >= 0:
            with contextlib.suppress(OSError):
                os.close(self._handle)
            self._handle = -1
        self._lock.release()

    def end(self) -> None:
        """The fight is kept elsewhere: delete the journal."""
        self.abandon()
        discard(self.path)


def discard(path: Path) -> None:
    """Delete a journal and its lock."""
    for part in (path, path.with_suffix(".lock")):
        with contextlib.suppress(OSError):
            part.unlink()


def left_behind() -> list[Path]:
    """The journals of processes that ended without ending them, the newest first."""
    folder = paths.user_path("journals")
    found: list[tuple[int, Path]] = []
    for path in sorted(folder.glob(f"current-*{ENDING}")) if folder.is_dir() else ():
        lock = Lock(path.with_suffix(".lock"))
        with contextlib.suppress(OSError):
            if lock.take():
                lock.release()
                found.append((path.stat().st_mtime_ns, path))
    _sweep(folder)
    return [path for _, path in sorted(found, key=lambda entry: (-entry[0], entry[1].name))]


def _sweep(folder: Path) -> None:
    """Delete locks that were left behind without a journal."""
    for path in folder.glob("current-*.lock"):
        with contextlib.suppress(OSError):
            forsaken = time.time() - path.stat().st_mtime > FORSAKEN
            if forsaken and not path.with_suffix(ENDING).exists():
                path.unlink()


def read_journal(path: Path, upgrades: Mapping[int, Upgrade] = UPGRADES) -> tuple[str, records.Record]:
    """The title and the record of a journal, up to its last whole line. Raises RecordError in one line."""
    data = read_bytes(path, LARGEST, "journal", RecordError)
    lines = _lines(data)
    try:
        if data.count(b"\n") < 2:
            raise NothingKept("the journal breaks off before its record")
        lines = _upgraded(lines, upgrades)
        record = records.read(_assembled(lines[1:]))
    except RecordError as error:
        raise type(error)(text("{path}: {error}", str(path), said(error))) from None
    title = lines[0].get("title")
    return title if isinstance(title, str) else "", record


def _lines(data: bytes) -> list[Any]:
    """The whole lines of a journal, up to the first that is broken."""
    found: list[Any] = []
    for line in data.split(b"\n")[:-1]:
        try:
            entry = from_json(line)
        except ValueError:
            break
        if not isinstance(entry, dict):
            break
        found.append(entry)
    return found


def _upgraded(lines: list[Any], upgrades: Mapping[int, Upgrade]) -> list[Any]:
    for _ in range(len(upgrades) + 1):
        number = lines[0].get("journal") if lines else None
        if number == FORMAT and number is not True:
            return lines
        if not isinstance(number, int) or number not in upgrades:
            break
        lines = upgrades[number](lines)
    if isinstance(number, int) and number > FORMAT:
        raise RecordError("journal: {number} is of a newer Battlemat; this one reads up to {format}", number, FORMAT)
    raise RecordError("not a journal of Battlemat: its first line does not say so")


def _assembled(lines: list[Any]) -> dict[str, Any]:
    """The record that the lines after the first lead to. Raises RecordError if there is none."""
    document: dict[str, Any] | None = None
    for line in lines:
        if isinstance(line.get("record"), dict):
            document = dict(line["record"])
            document["commands"] = list(document.get("commands") or ())
        elif document is None or "command" not in line:
            break
        else:
            document["commands"].append(line["command"])
            if isinstance(line.get("throws"), list):
                document["throws"] = [*(document.get("throws") or ()), *line["throws"]]
    if document is None:
        raise RecordError("there is no record in the journal")
    return document

"""What a long evening came to, kept beside its save: so that it need not be played from its first command again.

A record is the whole truth; this is a copy of the states that its commands led to, in the player's cache. It is taken
only where it is of the very same file, on the very same ground, by the very same rules; else the record is played.
"""

from __future__ import annotations

import contextlib
import copyreg
import gc
import hashlib
import io
import json
import pickle
import sys
import zlib
from collections.abc import Iterator, Sequence
from copy import copy
from functools import cache
from pathlib import Path
from typing import IO, Any, NamedTuple

from game.fight.history import Moment
from game.paths import asset, cache_path
from rules.board.grid import Field, Terrain
from rules.contract.events import Event
from rules.core.record import Record

LEAST = 150
"""Commands from which on it is worth it."""
MOST = 16
"""So many evenings are kept, the newest."""
_TRUSTED = ("rules.", "game.fight.history.", "game.content.tables.", "msgspec._utils.")
"""Modules whose types a file may name."""
_PLAIN = {("functools", "partial"), ("builtins", "frozenset"), ("builtins", "set"), ("fractions", "Fraction")}


class Past(NamedTuple):
    """All moments of a fight, and all its events."""

    moments: list[Moment]
    events: list[Event]


class _Writer(pickle.Pickler):
    """Leaves out the ground, which is read with its map, what is found anew from it, and what those who ask the rules
    have put by with the fight's setup: the computer's own thoughts are nobody's past."""

    def __init__(self, to: IO[bytes], field: Field, moments: Sequence[Moment]) -> None:
        super().__init__(to, protocol=5)
        self._field = field
        setup = getattr(moments[0].state, "setup", None)
        if setup is not None:
            self.dispatch_table = {**copyreg.dispatch_table, type(setup): _bare}

    def persistent_id(self, thing: Any) -> Any:
        if thing is self._field:
            return "field"
        if type(thing) is Terrain:
            return "terrain", thing.field, thing.doors_open
        return None


def _bare(setup: Any) -> Any:
    """A setup with nothing put by."""
    own = copy(setup)
    for name in ("memo", "views", "in_hand"):
        if hasattr(own, name):
            object.__setattr__(own, name, {})
    return own.__reduce_ex__(5)


class _Reader(pickle.Unpickler):
    def __init__(self, source: IO[bytes], field: Field) -> None:
        super().__init__(source)
        self._field = field

    def persistent_load(self, said: Any) -> Any:
        if said == "field":
            return self._field
        _, field, doors = said
        return field.terrain(doors)

    def find_class(self, module: str, name: str) -> Any:
        if f"{module}.".startswith(_TRUSTED) or (module, name) in _PLAIN:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name}")


def keep(source: bytes, field: Field, past: Past) -> None:
    """Keep a fight's past for the file with this content; where that cannot be done, nothing is lost."""
    if len(past.moments) <= LEAST:
        return
    path = _place(source, field)
    with contextlib.suppress(OSError, pickle.PicklingError, AttributeError, TypeError):
        if path.is_file():
            return
        data = io.BytesIO()
        _Writer(data, field, past.moments).dump((past.moments, past.events))
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(".part")
        draft.write_bytes(zlib.compress(data.getvalue(), 1))
        draft.replace(path)
        for old in sorted(path.parent.glob("*.past"), key=lambda each: each.stat().st_mtime_ns)[:-MOST]:
            old.unlink()


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """No search for rubbish: where thousands of states come to be at once, none of them is any."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def recall(source: bytes, field: Field, commands: int) -> Past | None:
    """The past of the fight in a file with this content and so many commands, if it was kept and still holds."""
    if commands < LEAST:
        return None
    try:
        data = zlib.decompress(_place(source, field).read_bytes())
        with uncollected():
            moments, events = _Reader(io.BytesIO(data), field).load()
    except (OSError, zlib.error, pickle.UnpicklingError, EOFError, ValueError, TypeError, LookupError,
            AttributeError, ImportError):  # fmt: skip
        return None
    return Past(moments, events) if len(moments) == commands + 1 else None


def _place(source: bytes, field: Field) -> Path:
    return cache_path("evenings", f"{_digest(hashlib.sha256(source).digest(), field)[:40]}.past")


def _digest(of: bytes, field: Field) -> str:
    """What stands for something on a field, under the rules as they are just now."""
    digest = hashlib.sha256(_program())
    digest.update(of)
    for name in field.__struct_fields__:
        digest.update(repr(getattr(field, name)).encode())
    return digest.hexdigest()


# -- a fight that is being played

EVERY = 24
"""So many moments are written at a time; it takes a few milliseconds …"""
AT_MOST = 96
"""… and so many at most, where a long evening was taken up."""
ALONG = ".along"
_START = {"ruleset", "options", "map", "seed", "creatures"}
"""What a record's first moment hangs on."""
Part = tuple[int, int, list[Moment], list[Event], list[bytes]]
"""(From which moment on, from which event on, the moments, the events, a mark of each command that led there)."""


def along(journal: Path) -> Path:
    """Where the past of the fight in a journal is written along."""
    return cache_path("evenings", f"{journal.stem}{ALONG}")


class Along:
    """Writes down what a fight comes to while it is played, beside its journal, so that it is there at once should the
    program end otherwise than by leaving it. It belongs to the cache: a disk that refuses ends it, and nothing else."""

    def __init__(self, path: Path, record: Record, field: Field) -> None:
        self.path, self._record, self._field = path, record, field
        self._written: list[Moment] = []
        self._marks: list[bytes] = []
        self._pickler: _Writer | None = None
        self._stream: IO[bytes] | None = None
        self._over = record.throws is not None  # dice by hand may still be put right

    def follow(self, moments: list[Moment], events: list[Event]) -> None:
        """A command was given or taken back: write some of what is new, as soon as there is enough of it."""
        if self._over or len(moments) <= LEAST:
            return
        same = min(len(self._written), len(moments))
        while same and self._written[same - 1] is not moments[same - 1]:
            same -= 1
        if len(moments) - same < EVERY:
            return
        try:
            self._write(same, moments[same : same + AT_MOST], events)
        except (OSError, pickle.PicklingError, AttributeError, TypeError):
            self.close()

    def _write(self, same: int, moments: list[Moment], events: list[Event]) -> None:
        if self._record.throws is not None:
            self.close()
            return
        if self._pickler is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._stream = self.path.open("wb")
            self._pickler = _Writer(self._stream, self._field, moments)
            self._pickler.dump(_digest(_start(self._record), self._field))
            _prune(self.path.parent)
        assert self._stream is not None
        del self._written[same:], self._marks[same:]
        start = self._written[-1].events if same else 0
        last = self._marks[-1] if self._marks else b""
        marks = list(_marks(self._record, last, max(same - 1, 0), same + len(moments) - 1))
        if not same:
            marks.insert(0, b"")
        part: Part = (same, start, moments, events[start : moments[-1].events], marks)
        self._pickler.dump(part)
        self._stream.flush()
        self._written += moments
        self._marks += marks

    def close(self) -> None:
        """Write no more."""
        self._over, self._pickler = True, None
        self._written, self._marks = [], []
        if self._stream is not None:
            with contextlib.suppress(OSError):
                self._stream.close()
            self._stream = None


def _start(record: Record) -> bytes:
    return json.dumps(record.model_dump(mode="json", include=_START), sort_keys=True).encode()


def _marks(record: Record, last: bytes, first: int, end: int) -> Iterator[bytes]:
    """A mark for each of some commands, which stands for it and all before it; `last` is that of the one before."""
    for command in record.commands[first:end]:
        last = hashlib.sha256(last + command.model_dump_json(exclude_none=True).encode()).digest()
        yield last


def _prune(folder: Path) -> None:
    for old in sorted(folder.glob(f"*{ALONG}"), key=lambda each: each.stat().st_mtime_ns)[:-MOST]:
        old.unlink()


def recover(path: Path, record: Record, field: Field) -> Past | None:
    """How far the fight of a journal was written along, as far as that agrees with its commands; None where nothing
    does. It may stop some commands before the journal."""
    if record.throws is not None:
        return None
    moments: list[Moment] = []
    events: list[Event] = []
    marks: list[bytes] = []
    broken = (
        OSError,
        pickle.UnpicklingError,
        EOFError,
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
        ImportError,
    )
    with uncollected(), contextlib.suppress(*broken), path.open("rb") as stream:
        reader = _Reader(stream, field)
        if reader.load() != _digest(_start(record), field):
            return None
        while True:  # the last part may have been cut short: then what comes before it holds
            same, start, more, told, known = reader.load()
            if not same <= len(moments) or len(more) != len(known) or not start <= len(events):
                break
            moments[same:], events[start:], marks[same:] = more, told, known
    true = [b"", *_marks(record, b"", 0, len(record.commands))]
    count = next((i for i, pair in enumerate(zip(marks, true, strict=False)) if pair[0] != pair[1]), None)
    count = min(len(marks), len(true)) if count is None else count
    if count <= LEAST or moments[count - 1].events > len(events):
        return None
    return Past(moments[:count], events[: moments[count - 1].events])


@cache
def _program() -> bytes:
    """What the rules and their content are just now: other ones might lead elsewhere."""
    here = Path(__file__).resolve().parents[1]
    digest = hashlib.sha256(sys.version.encode())
    for folder, kind in ((here.parent / "rules", "*.py"), (here / "fight", "*.py"), (asset("content"), "*.toml")):
        for path in sorted(folder.rglob(kind)):
            stat = path.stat()
            digest.update(f"{path.name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.digest()

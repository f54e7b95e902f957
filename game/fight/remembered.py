"""What a long evening came to, kept beside its save: so that it need not be played from its first command again.

A record is the whole truth; this is a copy of the states that its commands led to, in the player's cache. It is taken
only where it is of the very same file, on the very same ground, by the very same rules; else the record is played.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import io
import pickle
import sys
import zlib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from game.fight.history import Moment
from game.paths import asset, cache_path
from rules.board.grid import Field, Terrain
from rules.contract.events import Event

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
    """Leaves out the ground, which is read with its map, and what is found anew from it."""

    def __init__(self, to: io.BytesIO, field: Field) -> None:
        super().__init__(to, protocol=5)
        self._field = field

    def persistent_id(self, thing: Any) -> Any:
        if thing is self._field:
            return "field"
        if type(thing) is Terrain:
            return "terrain", thing.field, thing.doors_open
        return None


class _Reader(pickle.Unpickler):
    def __init__(self, source: io.BytesIO, field: Field) -> None:
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
        _Writer(data, field).dump((past.moments, past.events))
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(".part")
        draft.write_bytes(zlib.compress(data.getvalue(), 1))
        draft.replace(path)
        for old in sorted(path.parent.glob("*.past"), key=lambda each: each.stat().st_mtime_ns)[:-MOST]:
            old.unlink()


def recall(source: bytes, field: Field, commands: int) -> Past | None:
    """The past of the fight in a file with this content and so many commands, if it was kept and still holds."""
    if commands < LEAST:
        return None
    collecting = gc.isenabled()
    gc.disable()  # thousands of states come to be at once, and none of them is rubbish
    try:
        data = zlib.decompress(_place(source, field).read_bytes())
        moments, events = _Reader(io.BytesIO(data), field).load()
    except (OSError, zlib.error, pickle.UnpicklingError, EOFError, ValueError, TypeError, LookupError,
            AttributeError, ImportError):  # fmt: skip
        return None
    finally:
        if collecting:
            gc.enable()
    return Past(moments, events) if len(moments) == commands + 1 else None


def _place(source: bytes, field: Field) -> Path:
    digest = hashlib.sha256(_program())
    digest.update(hashlib.sha256(source).digest())
    for name in field.__struct_fields__:
        digest.update(repr(getattr(field, name)).encode())
    return cache_path("evenings", f"{digest.hexdigest()[:40]}.past")


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

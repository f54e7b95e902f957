"""TOML, read fast: what a text says is kept in the user's folder, under the text's own hash.

So it is never out of date, and never needed: where nothing can be kept, or what was kept is broken, the text is read.
"""

from __future__ import annotations

import contextlib
import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from game import paths

KEPT = 64
"""Texts kept at most; the oldest go."""


def parsed(text: str) -> dict[str, Any]:
    """What a TOML text says. Raises ValueError (`tomllib.TOMLDecodeError`) for one that is none."""
    place = paths.user_path("cache", "toml", f"{sha256(text.encode()).hexdigest()}.json")
    with contextlib.suppress(OSError, msgspec.DecodeError):
        known = msgspec.json.decode(place.read_bytes())
        if isinstance(known, dict):
            return known
    import tomllib

    found = tomllib.loads(text)
    with contextlib.suppress(OSError):
        _keep(found, place)
    return found


def _keep(found: dict[str, Any], place: Path) -> None:
    """Write it down whole or not at all, if JSON has words for all that it says."""
    data = msgspec.json.encode(found)
    if msgspec.json.decode(data) != found:
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    draft = place.with_suffix(f".{os.getpid()}")
    draft.write_bytes(data)
    os.replace(draft, place)
    old = sorted(place.parent.iterdir(), key=lambda each: each.stat().st_mtime, reverse=True)[KEPT:]
    for each in old:
        each.unlink(missing_ok=True)

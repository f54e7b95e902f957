"""Sounds as files in the user's cache: `python -m game.sound.make NAME…` makes them, away from the window.

A name is `effect hit`, `ambience crypt dark` or `music title`. Files stand in a folder named after a digest of what
they are made from, so a changed score is heard at the next start; folders of other digests are taken away.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
import tempfile
import wave
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from game.paths import asset, cache_path
from game.sound import ambience, effects, music, score, waves
from game.sound.waves import RATE, Samples

MAKERS: Mapping[str, Callable[[str], Sequence[Samples]]] = {
    "effect": lambda name: [effects.samples(name)], "ambience": ambience.ambience, "music": music.music,
}  # fmt: skip
EFFECTS = tuple(f"effect {name}" for name in effects.NAMES)


def known() -> tuple[str, ...]:
    """The names of all that can be made."""
    beds = (f"ambience {theme} {light}" for theme in ambience.themes() for light in ambience.LIGHTS)
    return (*EFFECTS, *beds, *(f"music {name}" for name in score.score()))


@lru_cache(maxsize=1)
def digest() -> str:
    """What all sounds are made from, as a short word."""
    found = hashlib.blake2b(digest_size=8)
    for path in (*sorted(Path(__file__).parent.glob("*.py")), *sorted(asset("sound").glob("*.toml"))):
        found.update(path.read_bytes())
    return found.hexdigest()


def file_of(name: str) -> Path:
    """Where a sound is kept once it is made."""
    return cache_path("sound", digest(), f"{name.replace(' ', '-')}.wav")


def make(name: str) -> Path:
    """Make a sound and keep it. Raises KeyError for an unknown name, OSError if the folder refuses."""
    kind, _, which = name.partition(" ")
    channels = MAKERS[kind](which)
    path = file_of(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, suffix=".draft")
    try:
        with os.fdopen(handle, "wb") as stream, wave.open(stream, "wb") as file:
            file.setnchannels(len(channels))
            file.setsampwidth(2)
            file.setframerate(RATE)
            samples = waves.packed(channels)
            if sys.byteorder == "big":
                samples.byteswap()
            file.writeframes(samples.tobytes())
        os.replace(draft, path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
    return path


def tidy() -> None:
    """Take away what was made from other scores, or by another Battlemat."""
    folder = cache_path("sound")
    if folder.is_dir():
        for other in folder.iterdir():
            if other.name != digest():
                shutil.rmtree(other, ignore_errors=True)


def main(names: Sequence[str]) -> int:
    """Make what is missing of these (of everything where none is named), each told once it is there."""
    with contextlib.suppress(OSError):
        tidy()
    for name in names or known():
        if not file_of(name).is_file():
            make(name)
        sys.stdout.write(f"{name}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    with contextlib.suppress(OSError, AttributeError):
        os.nice(15)  # whoever plays comes first; here, as nobody else's process ever gets its place back
    sys.exit(main(sys.argv[1:]))

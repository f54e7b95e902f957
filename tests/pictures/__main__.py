"""`python -m tests.pictures [NAME …]` draws the pictures of README and docs anew; `--play` their records, too.

A record is an encounter that the computer played on both sides up to the moment which the picture shows.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import pygame

from tests.pictures.drawing import FOLDER, PICTURES, drawn
from tests.pictures.playing import MOMENTS, play


def main(arguments: Sequence[str]) -> int:
    """Exit status 0; a name that is no picture's is said in one line, status 2."""
    names = [name for name in arguments if name != "--play"] or list(PICTURES)
    unknown = [name for name in names if name not in PICTURES]
    if unknown:
        print(f"pictures: {unknown[0]!r} is none of {', '.join(PICTURES)}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as home:
        os.environ["BATTLEMAT_HOME"] = home
        for name in names:
            if "--play" in arguments and name in MOMENTS:
                play(name)
            pygame.image.save(drawn(name), str(FOLDER / f"{name}.png"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

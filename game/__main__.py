"""`python -m game` is the same as the command `battlemat`."""

from __future__ import annotations

from game.cli import main

if __name__ == "__main__":
    raise SystemExit(main())

"""The way to the bestiary."""

from __future__ import annotations

from collections.abc import Sequence

from game.scenes.base import Shell
from game.scenes.bestiary.scene import Bestiary


def bestiary(app: Shell, ruleset: str = "", *, chosen: str | None = None, party: Sequence[str] = ()) -> None:
    """The bestiary of a ruleset (else of the first), at somebody's page."""
    app.push(Bestiary(app, ruleset, chosen=chosen, party=party) if ruleset else Bestiary(app))

"""Ways to a forecast."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from game.fight.match import Match
from game.scenes.base import Shell
from game.scenes.forecast.scene import ForecastScene
from game.setup.otherrules import Known
from rules.core.record import Record


def forecast(
    app: Shell, record: Record | Mapping[str, Any], beside: Path | None = None, known: Known | None = None
) -> None:
    """What an encounter will do, or a fight from where it stands; a record that can't be played becomes a dialog."""
    app.guard(lambda: app.push(ForecastScene(app, record, beside=beside, known=known)))


def foresee(app: Shell, match: Match) -> None:
    """What a fight will do from where it stands. It shows everybody: the caller sees to it that nothing is secret."""
    beside = match.loaded_map.path.parent if match.loaded_map is not None else None
    forecast(app, match.record, beside)

"""One encounter under several rulesets: a forecast of each, side by side (`simulate --compare`, the forecast scene)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from game.forecast.dealing import TURN_LIMIT, Trial
from game.forecast.report import Forecast, Model
from game.translation import translated
from rules.record import Record
from rules.registry import RULESETS
from rules.registry import ruleset as ruleset_of

FORMAT = "battlemat-rulesets/1"


class Under(Model):
    """The forecast under one ruleset."""

    ruleset: str
    title: str
    unit: Literal["turns", "seconds"]
    """What the forecast's `turns` count under these rules."""
    forecast: Forecast


class SideBySide(Model):
    """One encounter's forecasts, the record's own ruleset first."""

    format: Literal["battlemat-rulesets/1"] = "battlemat-rulesets/1"
    title: str
    rulesets: list[Under]
    method: str


def wanted(record: Record, goals: Sequence[str] = ()) -> list[str]:
    """The rulesets to compare: the record's own, then those that are named, else all others."""
    return list(dict.fromkeys([record.ruleset, *(goals or RULESETS)]))


def trials_under(
    record: Record,
    rulesets: Sequence[str],
    *,
    seed: int | None = None,
    turn_limit: int = TURN_LIMIT,
    beside: Path | None = None,
) -> list[Trial]:
    """The encounter made ready under each ruleset, from its start. Raises BattlematError in one line."""
    return [
        Trial.of(
            translated(record, name, beside=beside),
            seed=seed, turn_limit=turn_limit, beside=beside, from_start=True,
        )
        for name in rulesets
    ]  # fmt: skip


def side_by_side(trials: Sequence[Trial], forecasts: Sequence[Forecast]) -> SideBySide:
    """Forecasts of one encounter put together."""
    found = []
    for trial, forecast in zip(trials, forecasts, strict=True):
        name = trial.record.ruleset
        unit: Literal["turns", "seconds"] = "turns" if trial.board.now is None else "seconds"
        found.append(Under(ruleset=name, title=ruleset_of(name).title, unit=unit, forecast=forecast))
    first = forecasts[0]
    told = (
        "Everybody's counterpart by the table of translations (assets/content/translation.toml) on the same spaces, "
        "unhurt. Rulesets weigh a fight differently: what is compared is this encounter, not whose rules are harder. "
    )
    return SideBySide(title=first.title or first.map, rulesets=found, method=told + first.method)


def table(found: SideBySide) -> list[tuple[str, list[str]]]:
    """The figures as rows: what it is, and one cell for each ruleset."""
    first = found.rulesets[0].forecast
    rows: list[tuple[str, list[str]]] = [("", [under.title for under in found.rulesets])]
    for side in first.sides:
        chances = [under.forecast.side(side.side).wins for under in found.rulesets]
        rows.append((f"{side.side} win", [f"{100 * c.share:.0f} %" for c in chances]))
        rows.append(("  between", [f"{100 * c.low:.0f} and {100 * c.high:.0f} %" for c in chances]))
    for side in first.sides:
        lost = [under.forecast.side(side.side).losses.mean for under in found.rulesets]
        rows.append((f"{side.side} lost of {side.creatures}", [f"{mean:.1f}" for mean in lost]))
    undecided = [under.forecast.undecided for under in found.rulesets]
    if any(chance.runs for chance in undecided):
        rows.append(("undecided", [f"{100 * chance.share:.0f} %" for chance in undecided]))
    rows.append(("it takes", [f"{under.forecast.turns.mean:.1f} {under.unit}" for under in found.rulesets]))
    for number, creature in enumerate(first.creatures):
        there = [under.forecast.creatures[number] for under in found.rulesets]
        same = len({each.name for each in there}) == 1
        cells = [
            (f"{100 * each.falls.share:.0f} %" if same else f"{each.name} {100 * each.falls.share:.0f} %")
            for each in there
        ]
        rows.append((f"{creature.name} falls", cells))
    return rows

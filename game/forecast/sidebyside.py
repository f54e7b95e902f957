"""One encounter under several rulesets: a forecast of each, side by side (`simulate --compare`, the forecast scene)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from game.content.translation import told, translated
from game.forecast.dealing import TURN_LIMIT, Trial
from game.forecast.report import Chance, Forecast, Model, Unit, unit_of
from game.setup.otherrules import Known, left_out
from rules.core.record import Record
from rules.core.registry import RULESETS
from rules.core.registry import ruleset as ruleset_of

FORMAT = "battlemat-rulesets/1"


class Under(Model):
    """The forecast under one ruleset."""

    ruleset: str
    title: str
    unit: Unit
    """What the forecast's `turns` count under these rules."""
    forecast: Forecast
    left_out: list[str] = []
    """What of the creatures nothing stands for under these rules, a line for each of them."""
    company: str = ""
    """How many of the foes come along to these rules, in words; empty where all do."""


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
    known: Known | None = None,
    made: Mapping[str, Record] | None = None,
) -> list[Trial]:
    """The encounter made ready under each ruleset, from its start; whoever is `known` there has a block of its own.

    `made`: by ruleset the encounter as it is already there. Raises BattlematError in one line.
    """
    there = {
        name: translated(record, name, beside=beside, known=(known or {}).get(name))
        for name in rulesets
        if name not in (made or {})
    } | dict(made or {})
    return [
        Trial.of(there[name], seed=seed, turn_limit=turn_limit, beside=beside, from_start=True) for name in rulesets
    ]


def side_by_side(
    record: Record, trials: Sequence[Trial], forecasts: Sequence[Forecast], known: Known | None = None
) -> SideBySide:
    """Forecasts of one encounter, the `record`, put together."""
    found = []
    for trial, forecast in zip(trials, forecasts, strict=True):
        name = trial.record.ruleset
        found.append(
            Under(
                ruleset=name, title=ruleset_of(name).title, unit=unit_of(trial), forecast=forecast,
                left_out=left_out(record, name, known), company=told(record, trial.record),
            )
        )  # fmt: skip
    first = forecasts[0]
    how = (
        "Everybody's counterpart by the table of translations (assets/content/translation.toml) on the same spaces, "
        "as wounded and as wary; blocks that were made for the other rules are taken as they are. Of the foes as many "
        "come as weigh against the party what they did; compared is this encounter, not whose rules are harder. "
    )
    return SideBySide(title=first.title or first.map, rulesets=found, method=how + first.method)


def table(found: SideBySide) -> list[tuple[str, list[str]]]:
    """The figures as rows: what it is, and one cell for each ruleset; `–` where no fight is played yet."""
    first = found.rulesets[0].forecast
    rows: list[tuple[str, list[str]]] = [("", [under.title for under in found.rulesets])]

    def tell(name: str, cells: list[str]) -> None:
        pairs = zip(found.rulesets, cells, strict=True)
        rows.append((name, [cell if under.forecast.runs else "–" for under, cell in pairs]))

    forecasts = [under.forecast for under in found.rulesets]
    for side in first.sides:
        wins = [forecast.side(side.side).wins for forecast in forecasts]
        tell(f"{side.side} win", [_percent(chance.share) for chance in wins])
        tell("  between", [_between(chance) for chance in wins])
    for side in first.sides:
        own = [forecast.side(side.side) for forecast in forecasts]
        tell(f"{side.side} lost", [f"{each.losses.mean:.1f} of {each.creatures}" for each in own])
    if any(forecast.undecided.runs for forecast in forecasts):
        tell("undecided", [_percent(forecast.undecided.share) for forecast in forecasts])
    tell("it takes", [f"{under.forecast.turns.mean:.1f} {under.unit}" for under in found.rulesets])
    names = {creature.id: creature.name for forecast in forecasts[::-1] for creature in forecast.creatures}
    order = dict.fromkeys(creature.id for forecast in forecasts for creature in forecast.creatures)
    for identity in order:
        name = names[identity]
        tell(f"{name} falls", [_falls(under, identity, name) for under in found.rulesets])
    return rows


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _between(chance: Chance) -> str:
    return f"{100 * chance.low:.0f} and {100 * chance.high:.0f} %"


def _falls(under: Under, identity: str, name: str) -> str:
    """How often a creature falls, by the counterpart's name where that is another; `away` where it doesn't come."""
    own = next((creature for creature in under.forecast.creatures if creature.id == identity), None)
    if own is None:
        return "away"
    return _percent(own.falls.share) if own.name == name else f"{own.name} {_percent(own.falls.share)}"

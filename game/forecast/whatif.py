"""What if: an encounter and its variants played with the same seeds, and how much the chances differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Literal

from game.forecast import intervals
from game.forecast.counts import Counts
from game.forecast.dealing import TURN_LIMIT, Dealer, Trial
from game.forecast.report import Forecast, Model, report
from game.forecast.simulate import checked, played
from game.forecast.variants import Variant
from rules.core.record import Record


class Difference(Model):
    """How a side's chance to win differs from the encounter as it is, over the same runs, and within what bounds."""

    side: str
    share: float
    low: float
    high: float

    @property
    def clear(self) -> bool:
        """Whether the interval leaves 0 out: there is a difference, not only luck."""
        return self.low > 0 or self.high < 0


class VariantForecast(Model):
    """A variant beside the encounter as it is."""

    key: str
    label: str
    differences: list[Difference]
    forecast: Forecast


class Comparison(Model):
    """An encounter as it is, and its variants, each played with the same seeds."""

    format: Literal["battlemat-comparison/1"] = "battlemat-comparison/1"
    method: str
    base: Forecast
    variants: list[VariantForecast]


METHOD = (
    "Run n of each variant begins with the same dice as run n of the encounter as it is; differences have "
    "Newcombe's interval for paired shares at 95 %. Of twenty such intervals one misses: mind that among many changes."
)


def differences(base: Forecast, other: Forecast) -> list[Difference]:
    """How the sides' chances differ, over the runs that both have played."""
    return [_difference(base.counts, other.counts, side.side) for side in base.sides]


def _difference(base: Counts, other: Counts, side: str) -> Difference:
    runs = base.runs & other.runs
    here, there = base.won.get(side, 0) & runs, other.won.get(side, 0) & runs
    both = (here & there).bit_count()
    first, second = here.bit_count() - both, there.bit_count() - both
    share, low, high = intervals.paired_difference(both, first, second, runs.bit_count() - both - first - second)
    return Difference(side=side, share=round(share, 4), low=round(low, 4), high=round(high, 4))


def compared(base: Forecast, others: Iterable[tuple[Variant, Forecast]]) -> Comparison:
    """The comparison of forecasts already made."""
    rows = [
        VariantForecast(key=v.key, label=v.label, differences=differences(base, other), forecast=other)
        for v, other in others
    ]
    return Comparison(method=METHOD, base=base, variants=rows)


def compare(
    record: Record,
    changes: Sequence[Variant],
    runs: int = 400,
    *,
    seed: int | None = None,
    executor: Executor | None = None,
    jobs: int = 1,
    on_progress: Callable[[Comparison], None] | None = None,
    turn_limit: int = TURN_LIMIT,
    beside: Path | None = None,
) -> Comparison:
    """Play an encounter and its variants from the start, so many times each. Arguments and errors as for `simulate`."""
    trials = trials_of(record, changes, seed=seed, turn_limit=turn_limit, beside=beside)
    dealer = Dealer(trials, checked(runs))

    def now() -> Comparison:
        base, *others = (report(trial, counts) for trial, counts in zip(trials, dealer.counts, strict=True))
        return compared(base, zip(changes, others, strict=True))

    for _ in played(dealer, executor=executor, jobs=jobs):
        if on_progress is not None:
            on_progress(now())
    return now()


def trials_of(
    record: Record, changes: Sequence[Variant], *, seed: int | None, turn_limit: int, beside: Path | None
) -> list[Trial]:
    """The encounter as it is, then each variant, all from the start and with the same seeds."""
    wanted = [record, *(variant.change(record) for variant in changes)]
    return [Trial.of(one, seed=seed, turn_limit=turn_limit, beside=beside, from_start=True) for one in wanted]

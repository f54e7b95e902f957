"""Many fights from Python: an encounter, or changes to it compared (one more goblin, a door shut, a side surprised).

With one process, several, or any executor that speaks `concurrent.futures`. A change: a record in, another record out.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

from game.content import tables as content
from game.fight.match import Match
from game.forecast import counts as intervals
from game.forecast import sequences
from game.forecast.play import MOST_RUNS, TURN_LIMIT, WITHIN, Dealer, Trial, play
from game.forecast.report import Forecast, Model, reports
from rules.board.fixtures import DoorState
from rules.board.grid import Terrain
from rules.contract.display import Miniature
from rules.contract.errors import BattlematError
from rules.contract.text import joined, text, titled
from rules.contract.units import Cell
from rules.core import record as records
from rules.core.arrivals import of_these
from rules.core.record import Record

T = TypeVar("T")
K = TypeVar("K", covariant=True)
B = TypeVar("B", contravariant=True)
W = TypeVar("W")
D = TypeVar("D")
IN_FLIGHT = 128
"""Batches given at once to an executor that somebody else brought: we don't know how many workers it has."""


def simulate(
    record: Record, runs: int | None = None, *, within: float = WITHIN, seed: int | None = None,
    executor: Executor | None = None, jobs: int = 1, on_progress: Callable[[Forecast], None] | None = None,
    turn_limit: int = TURN_LIMIT, beside: Path | None = None, from_start: bool = False,
) -> Forecast:  # fmt: skip
    """Play a record's encounter so many times between computers, and say what came of it.

    Without `runs` as often as it takes until each side's chance to win is known to ± `within` (0.01 to 0.5).

    From where its commands end, or `from_start`. Run n throws the dice of the n-th draw of `seed` (left out: the
    record's own), so the same seed gives the same forecast whatever `jobs` (processes of our own), `executor` (used
    instead, and left open) or order. `on_progress` gets the forecast so far after every batch; `beside` is the folder
    where the map may lie. Raises BattlematError in one line for a record that cannot be played, or `runs` out of range.
    """
    trial = Trial.of(record, seed=seed, turn_limit=turn_limit, beside=beside, from_start=from_start)
    dealer = dealer_of([trial], runs, within)
    return _watched(played(dealer, executor=executor, jobs=jobs), on_progress, lambda: reports(dealer)[0])


def _watched(playing: Iterator[int], on_progress: Callable[[T], None] | None, now: Callable[[], T]) -> T:
    for _ in playing:
        if on_progress is not None:
            on_progress(now())
    return now()


def checked(runs: int, most: int = MOST_RUNS) -> int:
    """A number of runs that can be played. Raises BattlematError."""
    if not 1 <= runs <= most:
        raise BattlematError("runs: {runs} is out of range; play 1 to {most} fights", runs, most)
    return runs


NARROWEST, WIDEST = 0.01, 0.5


def dealer_of(trials: Iterable[Trial], runs: int | None, within: float = WITHIN) -> Dealer:
    """Deals so many runs; without `runs` until each chance to win is known to ± `within`. Raises BattlematError."""
    if runs is not None:
        return Dealer(trials, checked(runs))
    if not NARROWEST <= within <= WIDEST:
        least, most = 100 * NARROWEST, 100 * WIDEST
        wrong = "within: ±{within} points is out of range; ask for ±{least} to ±{most}"
        raise BattlematError(wrong, f"{100 * within:g}", f"{least:g}", f"{most:g}")
    return Dealer(trials, MOST_RUNS, within=within)


class Deals(Protocol[K, B]):
    """Whoever deals batches out, and takes what they came to."""

    def deal(self) -> tuple[int, K] | None:
        """The next batch and the number of its trial; None if all is dealt."""

    def take(self, which: int, batch: B, /) -> None:
        """Add a batch that came back."""


def played(dealer: Dealer, *, executor: Executor | None = None, jobs: int = 1) -> Iterator[int]:
    """Play all that a dealer has; yields the trial's number after each batch. Closing it drops what is not begun."""
    yield from dealt_out(dealer, play, executor=executor, jobs=jobs)


def dealt_out(
    dealer: Deals[W, D], work: Callable[[W], D], *, executor: Executor | None = None, jobs: int = 1
) -> Iterator[int]:
    """As `played`, for whatever a dealer deals and whoever does the work.

    Processes of our own take a second to begin: until the first of them has played something, this one does, too.
    """
    if executor is None and jobs <= 1:
        while (dealt := dealer.deal()) is not None:
            which, task = dealt
            dealer.take(which, work(task))
            yield which
        return
    own = process_pool(jobs) if executor is None else None
    workers, most = own or executor, IN_FLIGHT if own is None else 2 * jobs
    assert workers is not None
    waiting: dict[Future[D], int] = {}
    begun = own is None
    try:
        while True:
            while len(waiting) < most and (dealt := dealer.deal()) is not None:
                which, task = dealt
                waiting[workers.submit(work, task)] = which
            if not waiting:
                return
            begun = begun or any(future.done() for future in waiting)
            if not begun and (dealt := dealer.deal()) is not None:
                which, task = dealt
                dealer.take(which, work(task))
                yield which
                continue
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                which = waiting.pop(future)
                dealer.take(which, future.result())
                yield which
    except BrokenProcessPool:
        raise BattlematError("forecast: a worker process ended unexpectedly; try fewer --jobs") from None
    finally:
        for future in waiting:
            future.cancel()
        if own is not None:
            own.shutdown(wait=True, cancel_futures=True)


def process_pool(jobs: int) -> ProcessPoolExecutor:
    """Processes of our own: started afresh, as a window's threads and a fork do not go together."""
    return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=work_for_parent)


def work_for_parent() -> None:
    """In a worker: Ctrl+C is the parent's to answer, and a parent that is gone, however, leaves nobody behind."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


# -- changes to an encounter

Entry = dict[str, Any]


@dataclass(frozen=True)
class Variant:
    """One change to an encounter: a record in, another record out."""

    key: str
    """How the command line names it: `more:goblin`, `shut:Hall gate`."""
    label: str
    change: Callable[[Record], Record]


def variants(record: Record, *, beside: Path | None = None) -> tuple[Variant, ...]:
    """What may be asked of an encounter: creatures more or less, doors, surprise. Raises BattlematError.

    Each is a function of the record's start; commands are left out of what it returns.
    """
    start = records.begun(record)
    match = Match.from_record(start, beside=beside)
    minis = match.board().everybody
    troops, heroes = _kinds(start, minis)
    figures = (*_more(troops, match, beside), *_less(troops))
    return (*figures, *_doors(match), *_surprises(start, minis), *_potions(start, heroes), *_less(heroes, named=True))


def chosen(known: Sequence[Variant], keys: Iterable[str]) -> list[Variant]:
    """The variants of these keys. Raises BattlematError for an unknown one, naming those that there are."""
    by_key, wanted = {variant.key: variant for variant in known}, list(keys)
    for key in wanted:
        if key not in by_key:
            wrong = "what-if: there is no {key}; this encounter has {what}"
            raise BattlematError(wrong, repr(key), joined(", ", by_key) or "none")
    return [by_key[key] for key in wanted]


def _kind(entry: Entry) -> str:
    """What counts as the same kind of creature: its template, else itself."""
    return str(entry.get("template") or entry.get("id"))


class _Kind(NamedTuple):
    """Creatures of one kind on one side."""

    key: str
    name: str
    """What one of them is called in a count: `goblin`."""
    last: Entry
    """The last one of them: copied for one more, left out for one less."""
    called: str
    """Its own name."""
    number: int
    alone: bool
    """Nobody else is on that side."""


def _kinds(start: Record, minis: Sequence[Miniature]) -> tuple[list[_Kind], list[_Kind]]:
    """The kinds that there may be more of, and those that there is only one of: heroes."""
    sides = Counter(str(entry.get("side")) for entry in start.creatures)
    members: dict[tuple[str, str], list[tuple[Entry, str]]] = {}
    by_id = {mini.id: mini for mini in minis}
    there = [(entry, by_id[name]) for entry in start.creatures if (name := str(entry.get("id"))) in by_id]
    for entry, mini in there:
        members.setdefault((_kind(entry), mini.side), []).append((entry, mini.name))
    shared = Counter(kind for kind, _ in members)
    ready = content.heroes(start.ruleset)
    troops, heroes = list[_Kind](), list[_Kind]()
    for (kind, side), group in members.items():
        last, called = group[-1]
        key, name = kind if shared[kind] == 1 else f"{kind}@{side}", _species(start, last, called).lower()
        single = kind in ready or last.get("controller") == "human"
        (heroes if single else troops).append(_Kind(key, name, last, called, len(group), sides[side] == 1))
    return troops, heroes


def _more(kinds: Sequence[_Kind], match: Match, beside: Path | None) -> Iterator[Variant]:
    """One more of each kind for which there is room."""
    minis = match.board().everybody
    terrain = match.ruleset.terrain(match.state)
    for kind in kinds:
        model = next(mini for mini in minis if mini.id == kind.last["id"])
        if _free_near(terrain, minis, model) is not None:
            change = partial(_with_one_more, model.id, beside)
            yield Variant(f"more:{kind.key}", text("One more {name}", kind.name), change)


def _less(kinds: Sequence[_Kind], *, named: bool = False) -> Iterator[Variant]:
    """One less of each kind; `named`: they go by their own names."""
    for kind in kinds:
        if not kind.alone:
            alone = text("the {name}", kind.name) if kind.called.lower() == kind.name and not named else kind.called
            label = text("One {name} less", kind.name) if kind.number > 1 else text("Without {alone}", alone)
            yield Variant(f"less:{kind.key}", label, partial(_without, str(kind.last["id"])))


def _species(start: Record, entry: Entry, called: str) -> str:
    """What a creature is called in a count: `Goblin`, not `Goblin 3`."""
    template = entry.get("template")
    if isinstance(template, str):
        return str(content.template(start.ruleset, template).get("name", template))
    return called


def _without(identity: str, record: Record) -> Record:
    left = [entry for entry in record.creatures if entry.get("id") != identity]
    waves = of_these(record.arrivals, {str(entry.get("id")) for entry in left})
    return records.begun(record).model_copy(update={"creatures": left, "arrivals": waves})


def _with_one_more(identity: str, beside: Path | None, record: Record) -> Record:
    start = records.begun(record)
    match = Match.from_record(start, beside=beside)
    model = next(entry for entry in start.creatures if entry.get("id") == identity)
    minis = match.board().everybody
    mini = next(mini for mini in minis if mini.id == identity)
    cell = _free_near(match.ruleset.terrain(match.state), minis, mini)
    if cell is None:
        raise BattlematError("what-if: no space is left near {name} for one more", mini.name)
    taken, kind = {entry.get("id") for entry in start.creatures}, _kind(model)
    fresh = next(name for number in count(2) if (name := f"{kind}_{number}") not in taken)
    added = {**model, "id": fresh, "at": list(match.field.at(cell))}
    if "name" in model:
        added["name"] = f"{_species(start, model, mini.name)} {len(start.creatures) + 1}"
    waves = [wave.model_copy(update={"who": [*wave.who, fresh]}) if identity in wave.who else wave
             for wave in start.arrivals]  # fmt: skip
    return start.model_copy(update={"creatures": [*start.creatures, added], "arrivals": waves})


def _potions(start: Record, heroes: Sequence[_Kind]) -> Iterator[Variant]:
    """Each hero with one potion more, for every potion of the content."""
    who = frozenset(str(kind.last["id"]) for kind in heroes)
    if not who:
        return
    items = content.tables(start.ruleset).get("items", [])
    for name in dict.fromkeys(str(item["name"]) for item in items if item.get("kind") == "potion"):
        label = text("{item} for every hero", titled(name))
        yield Variant(f"potion:{name}", label, partial(_given, who, name))


def _given(who: frozenset[str], item: str, record: Record) -> Record:
    entries = []
    for entry in record.creatures:
        if entry.get("id") in who:
            carried = entry.get("items")
            if carried is None and isinstance(template := entry.get("template"), str):
                carried = content.template(record.ruleset, template).get("items")
            entry = {**entry, "items": [*(carried or ()), item]}
        entries.append(entry)
    return records.begun(record).model_copy(update={"creatures": entries})


def _free_near(terrain: Terrain, minis: Sequence[Miniature], model: Miniature) -> Cell | None:
    """The nearest space that can be walked to and holds a creature of that size."""
    taken = 0
    for mini in minis:
        taken |= terrain.footprint(mini.cell, mini.size)
    waiting, seen = deque([model.cell]), {model.cell}
    while waiting:
        cell = waiting.popleft()
        if terrain.fits(cell, model.size) and not terrain.footprint(cell, model.size) & taken:
            return cell
        for near, _ in terrain.neighbours(cell):
            if near not in seen:
                seen.add(near)
                waiting.append(near)
    return None


def _doors(match: Match) -> Iterator[Variant]:
    """Each door the other way: what stands open is shut, everything else opened."""
    for door in match.field.doors:
        if door.state == DoorState.OPEN:
            yield Variant(f"shut:{door.id}", text("{id} shut", door.id), partial(_turned, door.id, "closed"))
        else:
            yield Variant(f"open:{door.id}", text("{id} open", door.id), partial(_turned, door.id, "open"))


def _turned(door: str, state: str, record: Record) -> Record:
    doors = {**(record.map.doors or {}), door: state}
    return records.begun(record).model_copy(update={"map": record.map.model_copy(update={"doors": doors})})


def _surprises(start: Record, minis: Sequence[Miniature]) -> Iterator[Variant]:
    """A side caught off guard, or no longer."""
    for side in dict.fromkeys(mini.side for mini in minis):
        members = [entry for entry in start.creatures if entry.get("side") == side]
        off_guard = [bool(entry.get("surprised")) for entry in members]
        if not all(off_guard):
            yield Variant(f"surprised:{side}", text("{side} surprised", side.title()), partial(_surprised, side, True))
        if any(off_guard):
            yield Variant(f"warned:{side}", text("{side} warned", side.title()), partial(_surprised, side, False))


def _surprised(side: str, surprised: bool, record: Record) -> Record:
    turned = [{**entry, "surprised": surprised} if entry.get("side") == side else entry for entry in record.creatures]
    return records.begun(record).model_copy(update={"creatures": turned})


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


WATCHED = (
    "Run n of each variant begins with the same dice as run n of the encounter as it is; differences are taken over "
    "the runs that both have played, with a confidence sequence at 95 %, which holds however often it is looked at. Of "
    "twenty such intervals one misses: mind that among many changes."
)
METHOD = (
    "Run n of each variant begins with the same dice as run n of the encounter as it is; differences have "
    "Newcombe's interval for paired shares at 95 %. Of twenty such intervals one misses: mind that among many changes."
)


def differences(base: Forecast, other: Forecast) -> list[Difference]:
    """How the sides' chances differ, over the runs that both have played."""
    runs, found = base.counts.runs & other.counts.runs, []
    for side in (each.side for each in base.sides):
        here, there = (each.counts.won.get(side, 0) & runs for each in (base, other))
        both = (here & there).bit_count()
        first, second = here.bit_count() - both, there.bit_count() - both
        number = runs.bit_count()
        if base.intervals == "sequence":
            share, low, high = sequences.difference(first, second, number)
        else:
            share, low, high = intervals.paired_difference(both, first, second, number - both - first - second)
        found.append(Difference(side=side, share=round(share, 4), low=round(low, 4), high=round(high, 4)))
    return found


def compared(dealer: Dealer, changes: Sequence[Variant]) -> Comparison:
    """What a dealer of the encounter as it is and of its variants has come to."""
    base, *others = reports(dealer)
    rows = [
        VariantForecast(key=v.key, label=v.label, differences=differences(base, other), forecast=other)
        for v, other in zip(changes, others, strict=True)
    ]
    return Comparison(method=WATCHED if dealer.within is not None else METHOD, base=base, variants=rows)


def compare(
    record: Record, changes: Sequence[Variant], runs: int | None = None, *, within: float = WITHIN,
    seed: int | None = None, executor: Executor | None = None, jobs: int = 1,
    on_progress: Callable[[Comparison], None] | None = None, turn_limit: int = TURN_LIMIT, beside: Path | None = None,
) -> Comparison:  # fmt: skip
    """Play an encounter and its variants from the start, so many times each, or until enough is known.

    Arguments and errors as for `simulate`."""
    dealer = dealer_of(trials_of(record, changes, seed=seed, turn_limit=turn_limit, beside=beside), runs, within)
    return _watched(played(dealer, executor=executor, jobs=jobs), on_progress, lambda: compared(dealer, changes))


def trials_of(
    record: Record, changes: Sequence[Variant], *, seed: int | None, turn_limit: int, beside: Path | None
) -> list[Trial]:
    """The encounter as it is, then each variant, all from the start and with the same seeds."""
    wanted = [record, *(variant.change(record) for variant in changes)]
    return [Trial.of(one, seed=seed, turn_limit=turn_limit, beside=beside, from_start=True) for one in wanted]

"""`battlemat simulate`: the forecast on the command line."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from textwrap import wrap

from pydantic import BaseModel

from game.content.translation import told, translated
from game.forecast import chain_command, group_sequential
from game.forecast.lines import BAR, FEW, INTERRUPTED, WIDTH, mean, percent, progress
from game.forecast.matching import SideBySide, Try, matched, side_by_side, table, trials_under, wanted, who_meets_whom
from game.forecast.play import MOST_RUNS, TURN_LIMIT, WITHIN, Dealer, Trial
from game.forecast.report import Chance, Forecast, reports
from game.forecast.simulate import Comparison, Difference, chosen, compared, dealer_of, played, trials_of, variants
from game.storage import records as storage
from rules.contract.errors import BattlematError, RecordError, said
from rules.contract.text import text
from rules.core.dice import signed
from rules.core.record import Record
from rules.core.registry import ruleset as ruleset_of

HOTTEST = 5


def lines(forecast: Forecast) -> list[str]:
    """The whole forecast."""
    sides = " against ".join(f"{side.creatures} {side.side}" for side in forecast.sides)
    begins = "from where its commands end" if forecast.begins == "here" else "from the start"
    head = f"{forecast.title or forecast.map}: {sides}, {begins}"
    if not forecast.runs:
        return [head, "No fight was played to its end."]
    wide = max(len(f"{side.side} lose everybody") for side in forecast.sides)
    lost = [f"{side.side + ' lost':<{wide}}  {mean(side.losses)} of {side.creatures}" for side in forecast.sides]
    turns = f"{forecast.unit:<{wide}}  {mean(forecast.turns)}"
    figures = [head, "", *_chances(forecast, wide), "", *lost, turns, "", *_table(forecast), ""]
    return [*figures, *_heat(forecast), *wrap(forecast.method, WIDTH)]


def comparison_lines(comparison: Comparison) -> list[str]:
    """The encounter as it is, then what each change does to the chance to win: of one side of two, else of each."""
    base = comparison.base
    sides = [side.side for side in base.sides]
    if len(sides) == 2:
        sides = sides[:1]
    wide = max([len("As it is"), *(len(row.label) for row in comparison.variants)])
    head = "".join(f"  {side + ' win':>14}  {'difference':<24}  {side + ' lost':>12}" for side in sides)
    rows = [_compared(base, {}, "As it is", sides, wide)]
    for row in comparison.variants:
        changes = {change.side: change for change in row.differences}
        rows.append(_compared(row.forecast, changes, row.label, sides, wide))
    notes = ["* more than luck: the interval leaves 0 out", "", *wrap(comparison.method, WIDTH)]
    return [*lines(base), "", f"{'What if':<{wide}}{head}  {base.unit}", *rows, *notes]


def side_by_side_lines(found: SideBySide) -> list[str]:
    """One encounter under several rulesets, a column for each."""
    rows = table(found)
    wide = max(len(name) for name, _ in rows)
    cells = [max(len(row[1][n]) for row in rows) for n in range(len(found.rulesets))]
    runs = sorted(under.forecast.runs for under in found.rulesets)
    many = str(runs[0]) if runs[0] == runs[-1] else text("{least} to {most}", runs[0], runs[-1])
    out = [f"{found.title}, {many} fight{'' if runs[-1] == 1 else 's'} under each ruleset", ""]
    for name, row in rows:
        line = "".join(f"  {cell:>{size}}" for cell, size in zip(row, cells, strict=True))
        out.append(f"{name:<{wide}}{line}".rstrip())
    out += [each for under in found.rulesets if under.company for each in wrap(under.company, WIDTH)]
    for under in found.rulesets:
        for line in under.left_out:
            out += wrap(f"Left out under {under.title}: {line}.", WIDTH)
    return [*out, "", *wrap(found.method, WIDTH)]


def _compared(found: Forecast, changes: Mapping[str, Difference], label: str, sides: Sequence[str], wide: int) -> str:
    cells = ""
    for name in sides:
        side, told = found.side(name), ""
        if (change := changes.get(name)) is not None:
            told = f"{points(change.share)} ({points(change.low)} to {points(change.high)})"
            told += " *" if change.clear else ""
        cells += f"  {percent(side.wins.share):>14}  {told:<24}  {side.losses.mean:>12.1f}"
    return f"{label:<{wide}}{cells}  {found.turns.mean:>5.1f}"


def points(share: float) -> str:
    """`+4.5` percentage points, with a true minus."""
    return signed(100 * share, 1)


def _chances(forecast: Forecast, wide: int) -> list[str]:
    rows: list[tuple[str, Chance]] = [(f"{side.side} win", side.wins) for side in forecast.sides]
    rows += [(f"{side.side} lose everybody", side.wiped_out) for side in forecast.sides]
    seldom = (("nobody is left", forecast.nobody), ("undecided", forecast.undecided))
    rows += [(name, chance) for name, chance in seldom if chance.runs]
    out = []
    for name, chance in rows:  # the bar is full up to the interval's lower bound, dense within it
        low, high = round(chance.low * BAR), round(chance.high * BAR)
        bar = "█" * low + "▒" * (high - low) + "·" * (BAR - high)
        bounds = f"{100 * chance.low:.1f} to {percent(chance.high)}"
        out.append(f"{name:<{wide}}  {percent(chance.share):>7}  {bar}  {bounds}")
    return out


def _table(forecast: Forecast) -> list[str]:
    wide = max(len(creature.name) for creature in forecast.creatures)
    out = []
    for side in forecast.sides:
        heads = ("falls", "dies", "dealt", "taken", "fells", "HP left")
        out.append(f"{side.side.upper():<{wide}}" + "".join(f"  {head:>9}" for head in heads))
        for c in (each for each in forecast.creatures if each.side == side.side):
            cells = [f"{100 * chance.share:.0f} %" for chance in (c.falls, c.dies)]
            cells += [f"{mean.mean:.1f}" for mean in (c.dealt, c.taken, c.felled)]
            cells.append(f"{c.hp_left.mean:.1f} / {c.hp_max}")
            out.append(f"{c.name:<{wide}}" + "".join(f"  {cell:>9}" for cell in cells))
    return out


def _heat(forecast: Forecast) -> list[str]:
    spaces = sorted(forecast.heat.spaces, key=lambda space: (-sum(space.damage.values()), space.at))[:HOTTEST]
    if not spaces:
        return []
    bled = ((space.at, sum(space.damage.values()) / forecast.runs) for space in spaces)
    hot = ", ".join(f"[{column}, {row}] {damage:.1f}" for (column, row), damage in bled)
    return [*wrap(f"Most blood is spilt, in hit points a fight, at {hot}.", WIDTH), ""]


EVERY, LIST = "all", "list"
MOST_JOBS = 256
MOST_TURNS = 10_000


def run(options: argparse.Namespace, tell: Callable[[list[str]], None]) -> int:
    """Play and tell the lines to print; the exit status. Raises BattlematError in one line."""
    options.jobs_given = options.jobs is not None
    options.jobs = _within("jobs", options.jobs, MOST_JOBS, min(os.cpu_count() or 1, MOST_JOBS))
    options.turns = _within("turns", options.turns, MOST_TURNS, TURN_LIMIT)
    if chain_command.meant(options.record):
        return chain_command.run(options, tell)
    record = storage.read_record(options.record)
    if options.match and not (options.compare or options.ruleset):
        raise BattlematError("match: brings an encounter to other rules; add --ruleset ID or --compare")
    try:
        if options.compare:
            return _side_by_side(record, options, tell)
        if options.ruleset:
            if len(set(options.ruleset)) > 1:
                raise BattlematError("ruleset: several are named; add --compare to see them side by side")
            goal = options.ruleset[0]
            under = _under(record, [goal], options)[goal]
            if company := told(record, under):
                _aside(text("battlemat: {company}", company))
            record = under
        if options.keep is not None:
            return _keep(record, options, tell)
        return (_forecast if options.what_if is None else _comparison)(record, options, tell)
    except RecordError as error:
        raise RecordError("{record}: {error}", options.record, said(error)) from None


def _under(record: Record, goals: Sequence[str], options: argparse.Namespace) -> dict[str, Record]:
    """The encounter under each of these rulesets: by weights, or by trial."""
    beside = options.record.parent
    others = [goal for goal in goals if options.match and goal != record.ruleset]
    found = matched(record, others, seed=options.seed, jobs=options.jobs, beside=beside, told=_tried) if others else {}
    for goal, match in found.items():
        off = text("{what} % where {what2} % were wanted", f"{100 * match.chance:.0f}", f"{100 * match.wanted:.0f}")
        _aside(text("battlemat: {title}: the party wins {off}", ruleset_of(goal).title, off))
    return {goal: found[goal].record if goal in found else translated(record, goal, beside=beside) for goal in goals}


def _tried(each: Try) -> None:
    _aside(text("battlemat: {record}: {what} %", who_meets_whom(each.record), f"{100 * each.chance:.0f}"))


def _aside(line: str) -> None:
    print(line, file=sys.stderr)


def _within(name: str, value: int | None, most: int, default: int) -> int:
    if value is None:
        return default
    if not 1 <= value <= most:
        raise BattlematError("{name}: {value} is out of range; give 1 to {most}", name, value, most)
    return value


def _trial(record: Record, options: argparse.Namespace) -> Trial:
    return Trial.of(
        record, seed=options.seed, turn_limit=options.turns, beside=options.record.parent, from_start=options.from_start
    )


def _keep(record: Record, options: argparse.Namespace, tell: Callable[[list[str]], None]) -> int:
    number, name = options.keep
    if not number.isdigit() or int(number) >= MOST_RUNS:
        raise BattlematError("keep: {number} is no run; runs go from 0 to {what}", repr(number), MOST_RUNS - 1)
    path = Path(name)
    if path.exists():
        raise BattlematError("keep: {path} exists already; name a new file", str(path))
    storage.write_record(_trial(record, options).run(int(number)), path)
    tell([text("run {number} written to {path}", int(number), str(path))])
    return 0


def _forecast(record: Record, options: argparse.Namespace, tell: Callable[[list[str]], None]) -> int:
    dealer, status = _play([_trial(record, options)], options)
    [found] = reports(dealer)
    tell([_json(found)] if options.json else lines(found))
    return status


def _comparison(record: Record, options: argparse.Namespace, tell: Callable[[list[str]], None]) -> int:
    beside = options.record.parent
    known = variants(record, beside=beside)
    if options.what_if == [LIST]:
        wide = max((len(variant.key) for variant in known), default=0)
        tell([text("{key}  {label}", f"{variant.key:<{wide}}", variant.label) for variant in known])
        return 0
    picked = known if options.what_if == [EVERY] else chosen(known, dict.fromkeys(options.what_if))
    trials = trials_of(record, picked, seed=options.seed, turn_limit=options.turns, beside=beside)
    dealer, status = _play(trials, options)
    found = compared(dealer, picked)
    tell([_json(found)] if options.json else comparison_lines(found))
    return status


def _side_by_side(record: Record, options: argparse.Namespace, tell: Callable[[list[str]], None]) -> int:
    """Forecasts of all rulesets, or of the record's own and those that are named."""
    if options.what_if is not None or options.keep is not None:
        raise BattlematError("compare: shows rulesets side by side; leave --what-if and --keep out")
    beside = options.record.parent
    rulesets = wanted(record, options.ruleset or ())
    made = _under(record, rulesets, options)
    trials = trials_under(record, rulesets, seed=options.seed, turn_limit=options.turns, beside=beside, made=made)
    dealer, status = _play(trials, options)
    found = side_by_side(record, trials, reports(dealer))
    tell([_json(found)] if options.json else side_by_side_lines(found))
    return status


def _play(trials: Sequence[Trial], options: argparse.Namespace) -> tuple[Dealer, int]:
    """Play all runs, or as many as there were until Ctrl+C; the exit status, too."""
    if options.cluster is not None and options.jobs_given:
        raise BattlematError("cluster: its own workers play; leave --jobs out")
    if options.runs is not None and options.within is not None:
        raise BattlematError("within: stops when enough is known, and --runs plays so many; leave one of them out")
    points = WITHIN if options.within is None else options.within / 100
    dealer, jobs = dealer_of(trials, options.runs, points), options.jobs
    total = (dealer.runs if dealer.within is None else group_sequential.needed(0.5, points)) * len(trials)
    goal = group_sequential.goal_of(dealer.runs) if dealer.within is None else points
    with _workers(options) as executor, progress(total) as show:
        try:
            for _ in played(dealer, executor=executor, jobs=jobs if total >= FEW * jobs else 1):
                counts, side = dealer.counts[0], dealer.trials[0].board.miniatures[0].side
                bounds = group_sequential.share(counts.won.get(side, 0), counts.number, goal)
                low, high = (f"{100 * share:.0f}" for share in bounds)
                so_far = text("{side} win {what}–{what2} %", side, low, high)
                show(sum(each.number for each in dealer.counts), so_far)
        except KeyboardInterrupt:
            _aside("battlemat: stopped; this is what there is so far")
            return dealer, INTERRUPTED
    return dealer, 0


def _workers(options: argparse.Namespace) -> AbstractContextManager[Executor | None]:
    """Who plays in place of processes of our own: a cluster, if one is named."""
    if options.cluster is None:
        return nullcontext()
    from game.forecast.cluster import cluster  # start-up time: few have one

    return cluster(options.cluster)


def _json(found: BaseModel) -> str:
    return json.dumps(found.model_dump(mode="json"), ensure_ascii=False)

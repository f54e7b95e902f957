"""`python -m tests.gate`: is everything still what it was? (docs/testing.md)"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rules.contract.errors import BattlematError
from tests.gate import baseline, explain, play, pools, seam
from tests.gate.baseline import Difference, Fight
from tests.gate.digests import KINDS, Sink

SHOWN = 20
"""Differences that are named one by one."""


class Nowhere(Sink):
    """Takes everything and keeps nothing."""

    def take(self, kind: str, text: str) -> None:
        pass


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0 where nothing differs, 1 where something does, 2 for a mistake in the arguments."""
    given = _parser().parse_args(arguments)
    try:
        if given.trace:
            explain.trace(_named(given.trace))
            return 0
        if given.explain:
            fight = _fight(given.explain, given.kind)
            print("\n".join(explain.parting(fight, Path(given.against).resolve(), given.without)))
            return 0
        if given.record:
            return _record(*given.record, kind=given.kind, to=given.to)
        if given.pools:
            pools.write()
            return 0
        if given.cover:
            return _cover(given)
        return _write(given) if given.write else _check(given)
    except BattlematError as error:
        print(f"gate: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.gate", description=__doc__)
    parser.add_argument("--ruleset", choices=seam.rulesets(), help="this one alone")
    parser.add_argument("--kind", choices=tuple(KINDS), help="this kind of fight alone")
    parser.add_argument("--from", dest="first", type=int, default=0, metavar="N", help="the first seed (0)")
    parser.add_argument("--count", type=int, metavar="N", help="how many seeds of each (all)")
    parser.add_argument(
        "--jobs",
        type=int,
        default=2,
        metavar="N",
        help="fights at a time, each in a process of its own; 0: all in this one (2)",
    )
    parser.add_argument(
        "--without", action="append", default=[], metavar="DIGEST",
        help="leave a digest out of the comparison, such as story; may be repeated",
    )  # fmt: skip
    parser.add_argument("--write", action="store_true", help="make the baseline anew, of all seeds")
    parser.add_argument("--pools", action="store_true", help="gather anew what fights are drawn from")
    parser.add_argument("--cover", action="store_true", help="count what the fights' commands and events are")
    parser.add_argument("--explain", nargs=2, metavar=("RULESET", "SEED"), help="where two checkouts part")
    parser.add_argument("--against", metavar="CHECKOUT", default=".", help="the other checkout")
    parser.add_argument("--record", nargs=2, metavar=("RULESET", "SEED"), help="write a fight as a record")
    parser.add_argument("--to", metavar="FILE", type=Path, help="where (RULESET_KIND_SEED.json)")
    parser.add_argument("--trace", nargs=3, metavar=("KIND", "RULESET", "SEED"), help=argparse.SUPPRESS)
    return parser


def _named(words: Sequence[str]) -> Fight:
    """A fight by its three words. Raises BattlematError."""
    fight = Fight(*words)
    if fight.kind not in KINDS:
        raise BattlematError(f"{fight.kind!r} is no kind of fight; there are {', '.join(KINDS)}")
    if fight.kind == "records":
        if fight.seed not in baseline.records():
            raise BattlematError(f"{fight.seed}: no record in the repository has this digest")
    elif fight.ruleset not in seam.rulesets():
        raise BattlematError(f"{fight.ruleset!r} is no ruleset; there are {', '.join(seam.rulesets())}")
    elif not fight.seed.isdigit():
        raise BattlematError(f"{fight.seed!r} is no seed; seeds are whole numbers from 0")
    return fight


def _fight(words: Sequence[str], kind: str | None) -> Fight:
    """`RULESET SEED`, or `records` and the digest of a record."""
    if words[0] == "records":
        return _named(("records", "", words[1]))
    return _named((kind or "random", *words))


def _chosen(given: argparse.Namespace) -> list[tuple[str, str]]:
    """The files that were asked for."""
    kinds = [given.kind] if given.kind else list(KINDS)
    rulesets = [given.ruleset] if given.ruleset else list(seam.rulesets())
    return [
        (kind, ruleset) for kind in kinds for ruleset in ([""] if kind == "records" else rulesets)
        if kind != "records" or not given.ruleset or given.kind
    ]  # fmt: skip


def _write(given: argparse.Namespace) -> int:
    for kind, ruleset in _chosen(given):
        began = time.perf_counter()
        found = list(baseline.many(baseline.fights(kind, ruleset), given.jobs))
        baseline.write(kind, ruleset, found)
        for each in found:
            if each.note and kind != "records":
                print(f"  {each.fight}: {each.note}")
        print(f"{kind} {ruleset}: {len(found)} fights, {time.perf_counter() - began:.0f} s", flush=True)
    return 0


def _check(given: argparse.Namespace) -> int:
    wrong = 0
    for kind, ruleset in _chosen(given):
        differences, count, seconds = check(kind, ruleset, given.first, given.count, given.jobs, given.without)
        wrong += len(differences)
        print(f"{kind} {ruleset}: {count} fights, {len(differences)} differ, {seconds:.0f} s", flush=True)
        for difference in differences[:SHOWN]:
            print(f"  {difference.text}")
        if len(differences) > SHOWN:
            print(f"  … and {len(differences) - SHOWN} more")
        counted = Counter(digest for difference in differences for digest in difference.kinds)
        if counted:
            print("  in all: " + ", ".join(f"{digest} {times}" for digest, times in counted.most_common()))
    if wrong:
        print("python -m tests.gate --explain RULESET SEED --against CHECKOUT shows the first difference of a fight")
    return int(wrong > 0)


def check(
    kind: str, ruleset: str, first: int = 0, count: int | None = None, jobs: int = 1, without: Sequence[str] = ()
) -> tuple[list[Difference], int, float]:
    """The fights that differ from the baseline, how many were played, in how many seconds. Raises BattlematError."""
    began = time.perf_counter()
    try:
        known = baseline.kept(kind, ruleset)
    except FileNotFoundError as error:
        raise BattlematError(f"{error.filename}: there is no baseline; --write makes one") from None
    wanted = baseline.fights(kind, ruleset, first, count)
    differences = []
    if kind == "records":  # one that came later has nothing to be compared with
        wanted = [fight for fight in wanted if fight.seed in known]
    for found in baseline.many(wanted, jobs):
        difference = baseline.differs(found, known.get(found.fight.seed), without)
        if difference is not None:
            differences.append(difference)
    if kind == "records":
        gone = [known[seed] for seed in known if seed not in {fight.seed for fight in wanted}]
        differences += [Difference(each.fight, (), f"{each.note}: is gone, or is another now") for each in gone]
    return differences, len(wanted), time.perf_counter() - began


def _record(ruleset: str, seed: str, *, kind: str | None, to: Path | None) -> int:
    fight = _fight((ruleset, seed), kind)
    how = play.by_computer if fight.kind == "computer" else play.at_random
    document = how(fight.ruleset, int(fight.seed), Nowhere()).record()
    path = to or Path(f"{fight.ruleset}_{fight.kind}_{fight.seed}.json")
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(path)
    return 0


class Counted(Sink):
    """Counts commands by their word, and events by theirs."""

    def __init__(self) -> None:
        self.found: Counter[str] = Counter()

    def put(self, kind: str, data: object) -> None:
        if kind == "events" and isinstance(data, dict) and "event" in data:
            self.found[f"event {data['event']}"] += 1

    def turn(self, number: int, command: str) -> None:
        self.found[f"command {seam.parsed(command)['do']}"] += 1


def _cover(given: argparse.Namespace) -> int:
    for kind, ruleset in _chosen(given):
        if kind == "records":
            continue
        counted = Counted()
        for fight in baseline.fights(kind, ruleset, given.first, given.count):
            baseline.played(fight, counted)
        print(f"{kind} {ruleset}:")
        for name, times in sorted(counted.found.items()):
            print(f"  {times:7} {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

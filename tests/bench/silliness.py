"""How often does the computer do what no player would, under each ruleset, and how often did an earlier one?

    python -m tests.bench.silliness [--ruleset NAME] [--fights N] [--earlier]

Drawn fights on every map, the computer on both sides, counted by what is decided and what comes of it. Figures are for
100 fights. `--earlier` counts the fights of the computer before it was tuned beside them (tests/bench/earlier.py): this
file is run in that revision's tree, so it uses only what stood there as well. What is peculiar to Count-Up counts
`tests.bench.silly`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any, NamedTuple

from game.content import encounter
from game.content import tables as content
from game.controllers.ai import AiController
from game.controllers.ai.advisors import advisor_of
from rules.contract import events as ev
from rules.contract.actions import Action, Decision, pending
from rules.core import record as records
from rules.core.registry import ruleset
from tests.bench.endings import fights, ground

SILLY = {
    "returns": "back on a space left a short while before, no blow, shot or spell of its own between",
    "swaps": "another weapon taken in hand, no blow, shot or spell since the last exchange",
    "certain_death": "on foot to where foes fell it all but surely, from where they don't, striking nobody",
    "friends_hurt": "friends wounded by a blow, shot or spell of one's own",
}
CLOCKS = {"olde": ("round", 2), "cairn": ("turn", 2), "countup": ("second", 8)}
"""What is counted as time under each ruleset, and how much of it is a short while."""
LIMITS = {"olde": 400, "cairn": 200, "countup": 1800}
"""So much time, and a fight has stalled."""
SWAPS = {"olde": "ready", "countup": "ready"}
"""What takes another weapon in hand; under Cairn nothing does, and what is held `ready` there is a blow."""
ON_FOOT = frozenset(("free_steps", "step", "run", "leap", "swim", "climb", "move", "dash", "walk", "jog", "sprint",
                     "crawl", "halt"))  # fmt: skip
SURE = 0.9
"""A chance to fall that is as good as certain …"""
LIKELY = 0.5
"""… and one that still leaves hope."""


class Going(NamedTuple):
    """A creature's chance as it began: where it stood, and who could fell it where."""

    by: str
    start: int
    threats: tuple[Any, ...]
    struck: bool = False
    end: int | None = None


class Watch:
    """What one fight shows."""

    def __init__(self, kind: str, start: Any) -> None:
        self.rules = ruleset(kind)
        self.advisor = advisor_of(self.rules)
        self.counts: Counter[str] = Counter()
        self.clock, self.while_ = CLOCKS[kind]
        self.swap = SWAPS.get(kind)
        self.now = 0
        self.sides = {mini.id: mini.side for mini in self.rules.board(start).everybody}
        self.trail: dict[str, deque[tuple[int, tuple[int, int]]]] = {}
        self.swapped: set[str] = set()
        self.going: Going | None = None

    def decided(self, known: Any, decision: Decision, action: Action) -> None:
        """Take in what somebody has decided, knowing what it knows."""
        if decision.kind != "chance" or decision.by not in self.sides:
            return
        going = self.going
        if going is None or going.by != decision.by:
            self.close()
            me = next(piece for piece in self.advisor.pieces(known) if piece.id == decision.by)
            if me.cell < 0:
                return
            going = Going(me.id, me.cell, tuple(self.advisor.threats(known, me.id)))
        if action.do == self.swap:
            self.counts["swaps"] += action.by in self.swapped
            self.swapped.add(action.by)
        foe = action.target is not None and self.sides.get(action.target, "") != decision.side
        going = going._replace(struck=going.struck or foe or action.do in ("cast", "use"))
        self.going = going._replace(end=action.path[-1]) if action.path else going

    def close(self) -> None:
        """A chance is over: did it lead to certain death?"""
        going = self.going
        self.going = None
        if going is not None and going.end is not None and not going.struck and going.end != going.start:
            self.counts["certain_death"] += (
                self.falls(going, going.end) >= SURE and self.falls(going, going.start) < LIKELY
            )

    @staticmethod
    def falls(going: Going, cell: int) -> float:
        """The chance that those who could strike on a space in this turn fell one, each as often as it can."""
        stands = 1.0
        for threat in going.threats:
            if threat.now >> cell & 1:
                stands *= (1.0 - min(1.0, threat.swing.drop)) ** max(1.0, threat.blows)
        return 1.0 - stands

    def hear(self, event: Any) -> None:
        """Take in what has happened."""
        match event:
            case ev.Began(what=what) if what == self.clock:
                self.now += 1
            case ev.Moved(by=by, mode=mode, start=start, path=path) if mode in ON_FOOT and path:
                self._moved(by, start, path[-1])
            case ev.Attack(by=by) | ev.Cast(by=by):
                self.trail.pop(by, None)
                self.swapped.discard(by)
            case ev.Injury(by=str(by), target=target) if by != target:
                self.counts["friends_hurt"] += self.sides.get(by, by) == self.sides.get(target, target)

    def _moved(self, by: str, start: tuple[int, int], end: tuple[int, int]) -> None:
        trail = self.trail.setdefault(by, deque())
        trail.append((self.now, start))
        while trail[0][0] < self.now - self.while_:
            trail.popleft()
        if any(space == end for _, space in trail):
            self.counts["returns"] += 1
            trail.clear()


def watched(kind: str, fight: tuple[str, int]) -> Counter[str]:
    """All that is counted of one drawn fight."""
    map, seed = fight
    rules = ruleset(kind)
    record = records.read(dict(encounter.surprise(map, None, seed, ruleset=kind)))
    scenario = records.scenario(record, ground(map), lambda name: content.template(kind, name), content.tables(kind))
    step = rules.start(scenario)
    watch, state = Watch(kind, step.state), step.state
    players: dict[str, AiController] = {}
    for event in step.events:
        watch.hear(event)
    while (decision := pending(rules.decisions(state))) is not None and watch.now <= LIMITS[kind]:
        player = players.setdefault(decision.side, AiController())
        known, legal = rules.observe(state, decision.side), rules.legal(state, decision)
        action = player.choose(rules, known, decision, legal)
        watch.decided(known, decision, action)
        step = rules.apply(state, decision, action)
        state = step.state
        for event in step.events:
            watch.hear(event)
    watch.close()
    watch.counts["stalled"] += rules.board(state).over is None
    watch.counts["fights"] += 1
    return watch.counts


def counted(kind: str, many: int, first: int, jobs: int) -> dict[str, float]:
    """Figures of so many fights, for 100 of them."""
    with ProcessPoolExecutor(jobs) as pool:
        found = _sum(pool.map(partial(watched, kind), list(fights(many, first)), chunksize=4))
    return {name: round(100 * found[name] / max(1, found["fights"]), 2) for name in (*SILLY, "stalled")}


def _sum(counts: Iterable[Counter[str]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for some in counts:
        total.update(some)
    return total


def earlier(kind: str, many: int, first: int, jobs: int) -> dict[str, float]:
    """The same of the computer of an earlier revision."""
    from tests.bench.earlier import REVISION, tree

    place = tree(REVISION)
    asked = ["--ruleset", kind, "--fights", str(many), "--first", str(first), "--jobs", str(jobs), "--json"]
    done = subprocess.run(
        [sys.executable, "-P", __file__, *asked], cwd=place, env={**os.environ, "PYTHONPATH": str(place)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: dict[str, dict[str, float]] = json.loads(done.stdout)[kind]
    return found["now"]


def lines(found: dict[str, dict[str, dict[str, float]]]) -> Iterator[str]:
    """A table."""
    for kind, columns in found.items():
        yield f"{ruleset(kind).title}: " + ", ".join(columns)
        for name in (*SILLY, "stalled"):
            yield (
                f"  {name:14}"
                + "".join(f"{column[name]:9.1f}" for column in columns.values())
                + f"   {SILLY.get(name, '')}"
            )


def main() -> int:
    """Count, and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.silliness", description=__doc__)
    parser.add_argument("--ruleset", action="append", choices=list(CLOCKS), help="only this one")
    parser.add_argument("--fights", type=int, default=300, help="how many (default: 300)")
    parser.add_argument("--first", type=int, default=5000, help="the first seed (default: 5000)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--earlier", action="store_true", help="beside the computer of an earlier revision")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = {}
    for kind in given.ruleset or CLOCKS:
        columns = found[kind] = {"now": counted(kind, given.fights, given.first, given.jobs)}
        if given.earlier:
            columns["earlier"] = earlier(kind, given.fights, given.first, given.jobs)
    print(json.dumps(found) if given.json else "\n".join(lines(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

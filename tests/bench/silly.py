"""How often does the computer do what no player would? Drawn fights of Count-Up on every map, counted by the second.

    python -m tests.bench.silly [--fights N] [--first SEED] [--each]

Figures are for 100 fights. The same seeds give the same fights as long as rules and computer stay as they are.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from statistics import quantiles
from time import process_time
from typing import Any

import msgspec

from game.content import encounter
from game.content import tables as content
from game.controllers.ai import AiController
from rules.contract import events as ev
from rules.contract.actions import Action, pending
from rules.contract.display import Board
from rules.contract.units import Cell
from rules.core import record as records
from rules.core.registry import ruleset
from tests.bench.endings import fights, ground

KIND = "countup"
BACK = 8
"""Seconds within which a return to a space is to and fro."""
AWAY, RUN_UP = 4, 2
"""Spaces farther from the nearest foe that count as running away; that a run-up for a charge begins with."""
ON_FOOT = ("walk", "jog", "run", "sprint", "halt", "crawl")
CLOSE = 3
"""Spaces from a shot's target within which a miss may find a friend."""
LIMIT = 1800
"""Seconds after which a fight is broken off."""

SILLY = {
    "returns": "back on a space left within 8 s, no blow, shot or spell of its own between",
    "swaps": "another weapon taken in hand, no blow or shot since the last exchange",
    "runs_away": "at a jog or faster 4 spaces farther from the nearest foe, not in flight",
    "run_ups": "first 2 spaces or more away from the nearest foe, then a charge within 8 s",
    "at_friends": "shots at somebody with a friend of the shooter next in line",
    "ordered": "orders to shoot at such a one",
    "at_corpses": "spells cast at who was dead",
}
PLAIN = ("blows", "shots", "charges", "jabs", "aggressive", "defensive", "defensive 4", "parries", "yields",
         "presses", "policies", "set", "held", "seconds", "stalled")  # fmt: skip


class Watch:
    """What one fight shows: every event is heard with the board as it stood before it."""

    def __init__(self, board: Board) -> None:
        self.counts: Counter[str] = Counter()
        self.second = 0
        self.sides = {mini.id: mini.side for mini in board.miniatures}
        self.at = {mini.id: mini.cell for mini in board.miniatures}
        self.trail: dict[str, deque[tuple[int, int]]] = {name: deque() for name in self.sides}
        self.swapped: set[str] = set()
        self.backed: dict[str, int] = {}
        self.dead: set[str] = set()
        self.fleeing: set[str] = set()
        self.width = 1

    def hear(self, event: ev.Event) -> None:
        match event:
            case ev.Began(what="second", number=number):
                self.second = number
            case ev.Moved():
                self._moved(event)
            case ev.Attack():
                self._struck(event)
            case ev.Cast():
                self._acted(event.by)
                self.counts["at_corpses"] += event.target in self.dead
            case ev.Note(text=text, by=str(by)) if text.startswith("takes the "):
                self.counts["swaps"] += by in self.swapped
                self.swapped.add(by)
            case ev.Condition(condition="dead", target=target):
                self.dead.add(target)
            case ev.Condition(condition="held at bay", gained=True):
                self.counts["held"] += 1

    def _moved(self, event: ev.Moved) -> None:
        who, cells = event.by, [x + y * self.width for x, y in event.path]
        before, after = self.at[who], cells[-1]
        self.at[who] = Cell(after)
        if event.mode == "steps_after":
            self.counts["presses"] += 1
        if event.mode not in ON_FOOT:
            return
        trail = self.trail[who]
        trail.append((self.second, before))
        while trail and trail[0][0] < self.second - BACK:
            trail.popleft()
        if any(cell == after for _, cell in trail):
            self.counts["returns"] += 1
            trail.clear()
        if event.mode in ("jog", "run", "sprint") and who not in self.fleeing:
            gained = self._nearest(who, after) - self._nearest(who, before)
            self.counts["runs_away"] += gained >= AWAY
            if gained >= RUN_UP:
                self.backed[who] = self.second

    def _nearest(self, who: str, cell: int) -> int:
        foes = (c for n, c in self.at.items() if self.sides[n] != self.sides[who] and n not in self.dead)
        return min((self._apart(cell, c) for c in foes), default=0)

    def _apart(self, one: int, other: int) -> int:
        (ay, ax), (by, bx) = divmod(one, self.width), divmod(other, self.width)
        return max(abs(ax - bx), abs(ay - by))

    def _struck(self, event: ev.Attack) -> None:
        who = event.by
        self._acted(who)
        self.swapped.discard(who)
        if event.past is None:
            self.counts["shots" if event.ranged else "blows"] += 1
        self.counts["run_ups"] += event.action == "charge" and self.second - self.backed.get(who, -99) <= BACK
        words = {"charge": "charges", "jab": "jabs", "hold_at_bay jab": "jabs", "aggressive": "aggressive"}
        if event.action in words:
            self.counts[words[event.action]] += 1
        self.counts["defensive"] += event.action.startswith("defensive")
        self.counts["defensive 4"] += event.action == "defensive 4"
        self.counts["set"] += event.action == "set"
        if event.ranged and event.past is None:
            self.counts["at_friends"] += self._in_line(who, event.target)

    def _in_line(self, who: str, target: str) -> bool:
        """Whether the next nearest to an engaged target is a friend of the shooter."""
        goal, mine = self.at[target], self.sides[who]
        if self.sides[target] == mine:
            return False
        others = [n for n in self.at if n not in (who, target) and n not in self.dead]
        near = sorted((self._apart(goal, self.at[n]), self.sides[n] != mine) for n in others)
        return bool(near) and near[0][0] <= 1 and any(d == near[0][0] and not foe for d, foe in near)

    def _acted(self, who: str) -> None:
        self.trail[who].clear()

    def ordered(self, action: Action) -> None:
        """What a side has decided."""
        self.counts["policies"] += action.do == "policy"
        self.counts["parries"] += action.do == "full_parry"
        self.counts["yields"] += action.do == "choose" and action.option == "yield"
        if action.do == "shoot" and action.target is not None:
            self.counts["ordered"] += self._in_line(action.by, action.target)
        if action.do == "flee":
            self.fleeing.add(action.by)
        elif action.do not in ("end", "turn"):
            self.fleeing.discard(action.by)


def watched(drawn: Mapping[str, Any], took: list[float]) -> tuple[Counter[str], str | None]:
    """A fight, and who won it; `took` gets the seconds of CPU of every decision."""
    record = records.read(dict(drawn))
    map = Path(drawn["map"]["tmx"]).stem
    rules = ruleset(KIND)
    field = ground(map)
    start = records.scenario(record, field, lambda name: content.template(KIND, name), content.tables(KIND))
    step = rules.start(start)
    watch = Watch(rules.board(step.state))
    watch.width = field.width
    players: dict[str, AiController] = {}
    state = step.state
    for event in step.events:
        watch.hear(event)
    while (decision := pending(rules.decisions(state))) is not None and watch.second < LIMIT:
        player = players.setdefault(decision.side, AiController())
        known, legal = rules.observe(state, decision.side), rules.legal(state, decision)
        began = process_time()
        action = player.choose(rules, known, decision, legal)
        took.append(process_time() - began)
        watch.ordered(action)
        step = rules.apply(state, decision, action)
        state = step.state
        for event in step.events:
            watch.hear(event)
    watch.counts["seconds"] += watch.second
    won = rules.board(state).over
    watch.counts["stalled"] += won is None
    return watch.counts, won


def drawn(many: int, first: int) -> Iterator[Mapping[str, Any]]:
    """Records of so many fights, as a surprise draws them, spread over all known maps."""
    for map, seed in fights(many, first):
        yield encounter.surprise(map, None, seed, ruleset=KIND)


def report(todo: Iterable[Mapping[str, Any]], each: bool = False) -> dict[str, float]:
    """All figures of fights that begin with these records, for 100 fights."""
    total: Counter[str] = Counter()
    took: list[float] = []
    many = 0
    for record in todo:
        counts, won = watched(record, took)
        counts[f"won by {won or 'nobody'}"] += 1
        total += counts
        many += 1
        if each:
            print(
                f"{record['map']['tmx']:20} {record['seed']:4} {won or 'nobody':9}",
                *(f"{k} {counts[k]}" for k in SILLY),
                flush=True,
            )
    found = {name: 100 * total[name] / many for name in (*SILLY, *PLAIN)}
    found |= {name: 100 * count / many for name, count in sorted(total.items()) if name.startswith("won")}
    found["decisions"] = 100 * len(took) / many
    found["ms a decision"] = 1000 * sum(took) / len(took)
    found["ms, 99 of 100"] = 1000 * quantiles(took, n=100)[-1]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.silly", description=__doc__.splitlines()[0])
    parser.add_argument("--fights", type=int, default=24, help="how many (default: 24)")
    parser.add_argument("--first", type=int, default=100, help="the first seed (default: 100)")
    parser.add_argument("--each", action="store_true", help="a line for each fight")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = report(drawn(given.fights, given.first), given.each)
    if given.json:
        print(msgspec.json.encode({name: round(value, 2) for name, value in found.items()}).decode())
    else:
        for name, value in found.items():
            print(f"{name:16} {value:10.1f}  {SILLY.get(name, '')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

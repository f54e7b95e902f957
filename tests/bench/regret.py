"""Which of its weights mislead the computer: options that it held against each other, each played to the end.

    python -m tests.bench.regret --ruleset olde [--against greedy] [--fights N] [--tries N] [--share PART] [--turns N]

At some of its decisions in fights against a player of the ladder the best plans of different kinds are carried out and
played on by both players to the end of the fight, each with the same dice. Then the differences in what came of them
are laid on the differences in the addends of their scores (a ridge regression towards one and the same factor): an
addend that has a factor far from 1 counts for too much (below) or too little (above), and one whose factor is below 0
misleads. Beneath stands which kinds of choices came out better or worse than what was chosen.

A weight moves dozens of choices in each fight, and who wins tells little of each; this tells of single choices, and
why. What it points at is judged by fights with other seeds (`tests.bench.tuning`, the ladder).
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random
from statistics import fmean, stdev
from typing import Any, NamedTuple

from game.controllers import Controller
from game.controllers.ai import AiController
from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.lookahead import OFTEN
from game.controllers.ai.thinking import Option, option_of
from rules.contract.actions import CHANCE, Action, Decision, pending
from rules.contract.ruleset import State
from rules.contract.text import Text
from rules.core.dice import nth
from rules.core.registry import ruleset
from tests.bench.bouts import BANDS, LIMITS, MAPS, PLAYERS, SIDES, Bout, margin, own_side, start

FIRST_SEED = 450_000_000
"""Seeds of this begin here: apart from those of tuning, of learning and of judging."""
MOST, NEAR = 7, 0.8
"""So many options of a decision are played on, worth so much less than the best at most."""
MOST_DECISIONS = 3000
"""A try is broken off after so many."""
RIDGE = 2.0
"""How strongly factors are drawn together."""
FEWEST = 15
"""What is seen more seldom is not told."""


class Tried(NamedTuple):
    """An option, and what came of it: −1 (lost, nothing left) to 1 in each try."""

    kind: str
    target: str | None
    chosen: bool
    addends: Mapping[str, float]
    came: tuple[float, ...]


def addend(said: str) -> str:
    """What an addend of a score is, whoever it is about."""
    return said.template if isinstance(said, Text) else str(said)


def kind_of(option: Option) -> str:
    """What a plan does, in short."""
    last = option.plan[-1]
    return f"go, {last.do}" if len(option.plan) > 1 else last.do


def played(bout: Bout, state: State, decision: Decision, plan: Sequence[Action], seed: int) -> float:
    """What comes of a plan: its actions, then both players to the end. Every creature throws the same dice in its n-th
    chance of a try, whichever plan is tried."""
    rules, side, rest = ruleset(bout.ruleset), decision.side, list(plan)
    other = SIDES[side == SIDES[0]]
    seats: dict[str, Controller] = {side: AiController(), other: PLAYERS[bout.other](seed)}
    numbers = {piece.id: n for n, piece in enumerate(advisor_of(rules).pieces(state), 1)}
    planner, had, present = decision.by, {decision.by: 0}, decision
    for _ in range(MOST_DECISIONS):
        stream = numbers.get(present.by, 0) * OFTEN + min(had.setdefault(present.by, 0), OFTEN - 1)
        state = rules.reseeded(state, nth(seed, stream)) if present.kind == CHANCE else state
        following: Decision | None = present
        while following is not None and (following.by == present.by or following.kind != CHANCE):
            legal = rules.legal(state, following)
            if rest and following.kind == CHANCE and following.by == planner and rest[0] in legal:
                action = rest.pop(0)
            else:
                rest = rest if following.kind != CHANCE else []
                known = rules.observe(state, following.side)
                action = seats[following.side].choose(rules, known, following, legal)
            state = rules.apply(state, following, action).state
            following = pending(rules.decisions(state))
        if following is None or advisor_of(rules).turn(state) > LIMITS[bout.ruleset]:
            break
        present = following
        had[present.by] = had.get(present.by, -1) + 1
    return margin(bout, state)


def options(player: AiController, bout: Bout, known: State, decision: Decision, legal: Any) -> list[Option]:
    """The best plan of each kind that may be carried out, by what it does, to whom, for how many points and how
    many could strike where it ends; none where nothing is left to choose."""
    planner, done, rest = player._weighing(ruleset(bout.ruleset), known, decision, legal)
    if planner is None or rest or not planner.position.foes:
        return []
    found: dict[object, Option] = {}
    for plan in planner.plans():
        if (found and plan.score < next(iter(found.values())).score - NEAR) or len(found) == MOST:
            break
        actions, many = planner.actions(plan), len(done)
        if actions[:many] != done or len(actions) <= many or actions[many] not in legal:
            continue
        last, spot = actions[-1], plan.stop.spot
        key = last.do, last.target, last.option, plan.stop.points, plan.stop.way is None, spot.strikers.bit_count()
        if key not in found:
            found[key] = option_of(planner, plan)._replace(plan=actions[many:])
    return list(found.values())


def decisions(bout: Bout, *, share: float, tries: int, turns: int) -> list[list[Tried]]:
    """Some decisions of a fight, each as its options with what came of them."""
    rules, state, random, out = ruleset(bout.ruleset), start(bout), Random(bout.seed), list[list[Tried]]()
    own = own_side(bout)
    player = AiController()
    seats: dict[str, Controller] = {side: player if side == own else PLAYERS[bout.other](bout.seed) for side in SIDES}
    while (decision := pending(rules.decisions(state))) is not None:
        known, legal = rules.observe(state, decision.side), rules.legal(state, decision)
        action = seats[decision.side].choose(rules, known, decision, legal)
        if decision.kind == CHANCE:
            turn = advisor_of(rules).turn(state)
            if turn > LIMITS[bout.ruleset]:
                break
            if decision.side == own and turn <= turns and random.random() < share:
                found, seed = options(player, bout, known, decision, legal), random.getrandbits(40)
                if len(found) > 1:
                    seeds = [nth(seed, number) for number in range(tries)]
                    out.append([
                        Tried(kind_of(o), o.plan[-1].target, o.plan[0] == action,
                              {addend(said): value for said, value in o.reasons},
                              tuple([played(bout, state, decision, o.plan, each) for each in seeds]))
                        for o in found
                    ])  # fmt: skip
        state = rules.apply(state, decision, action).state
    return out


def held(found: Sequence[Sequence[Tried]]) -> Iterator[tuple[Tried, Tried, float]]:
    """(what was chosen, another option, by how much that came out better), with the same dice."""
    for tried in found:
        chosen = next((each for each in tried if each.chosen), tried[0])
        for other in tried:
            if other is not chosen:
                yield chosen, other, fmean(b - a for a, b in zip(chosen.came, other.came, strict=True))


def factors(found: Sequence[Sequence[Tried]]) -> list[tuple[str, float, float, int]]:
    """(addend, how many times it should count, the standard error of that, how often it told options apart)."""
    import numpy as np

    rows, came = [], []
    for chosen, other, gain in held(found):
        names = chosen.addends.keys() | other.addends.keys()
        rows.append({name: other.addends.get(name, 0.0) - chosen.addends.get(name, 0.0) for name in names})
        came.append(gain)
    counts = {
        name: sum(abs(row.get(name, 0.0)) > 1e-9 for row in rows) for name in sorted({n for r in rows for n in r})
    }
    known = [name for name, count in counts.items() if count >= FEWEST]
    matrix, gains = np.array([[row.get(name, 0.0) for name in known] for row in rows]), np.array(came)
    score = matrix.sum(1)
    slope = float(score @ gains / (score @ score))
    square = np.linalg.inv(matrix.T @ matrix + RIDGE * np.eye(len(known)))
    more = square @ matrix.T @ (gains - slope * score)
    spread = (gains - slope * score - matrix @ more).var()
    errors = np.sqrt(np.diag(square) * spread)
    table = zip(known, more, errors, strict=True)
    return [(n, float((slope + m) / slope), abs(float(e / slope)), counts[n]) for n, m, e in table]


def told(found: Sequence[Sequence[Tried]]) -> Iterator[str]:
    """Both tables, what misleads most first."""
    gains = defaultdict[tuple[str, str, str], list[float]](list)
    for chosen, other, gain in held(found):
        gains[chosen.kind, other.kind, "same" if chosen.target == other.target else "another"].append(gain)
    yield f"{len(found)} decisions\n\n| addend | factor | ± | seen |\n|---|---|---|---|"
    for name, factor, error, count in sorted(factors(found), key=lambda row: (row[1] - 1.0) / max(1e-9, row[2])):
        yield f"| {name} | {factor:.2f} | {error:.2f} | {count} |"
    yield "\n| chosen | instead | target | better by | ± | seen |\n|---|---|---|---|---|---|"
    told = {key: (fmean(each), stdev(each) / len(each) ** 0.5) for key, each in gains.items() if len(each) >= FEWEST}
    for key, (mean, error) in sorted(told.items(), key=lambda row: -row[1][0] / max(1e-3, row[1][1])):
        yield f"| {' | '.join(key)} | {mean:+.3f} | {error:.3f} | {len(gains[key])} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, and print what it shows."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.regret", description=__doc__)
    parser.add_argument("--ruleset", choices=list(BANDS), default="olde", help="default: olde")
    parser.add_argument("--against", choices=list(PLAYERS), default="greedy", help="the other player (default: greedy)")
    parser.add_argument("--fights", type=int, default=240, help="fights to take decisions from (default: 240)")
    parser.add_argument("--band", action="append", help="only this band; may be given again")
    parser.add_argument("--tries", type=int, default=8, help="tries of each option (default: 8)")
    parser.add_argument("--share", type=float, default=0.15, help="the part of decisions that is tried (default: 0.15)")
    parser.add_argument("--turns", type=int, default=10_000, help="of decisions in the first turns alone")
    parser.add_argument("--first", type=int, default=FIRST_SEED, help=f"the first seed (default: {FIRST_SEED})")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    given = parser.parse_args(arguments)
    kind, bands = given.ruleset, tuple(BANDS[given.ruleset])
    if unknown := [name for name in given.band or () if name not in bands]:
        parser.error(f"band: there is no {unknown[0]!r} under {kind}; it has {', '.join(bands)}")
    bands = tuple(given.band or bands)
    bouts = [
        Bout(kind, "shipping", given.against, bands[n % len(bands)], MAPS[n // len(bands) % len(MAPS)],
             given.first + n, bool(n & 1))
        for n in range(given.fights)
    ]  # fmt: skip
    with ProcessPoolExecutor(given.jobs) as pool:
        tried = partial(decisions, share=given.share, tries=given.tries, turns=given.turns)
        found = [each for part in pool.map(tried, bouts) for each in part]
    print("\n".join(told(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What became of many evenings, as lines or as the tables of docs/abbey.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from tests.abbey.play import Evening

MOST = 8
"""So many rooms and roads, the most frequent, are told of each ruleset."""
OUTCOMES = ("won", "home", "fallen", "stalled")


def table(evenings: Sequence[Evening]) -> list[str]:
    """The tables of docs/abbey.md, in Markdown."""
    groups = {
        name: [each for each in evenings if each.ruleset == name] for name in dict.fromkeys(e.ruleset for e in evenings)
    }
    bad = [each for each in evenings if each.outcome not in OUTCOMES]
    lines = _rows(
        ("rules", "evenings", *OUTCOMES, "alive", "turns explored", "turns fought", "fights", "deeds there", "rooms",
         "commands", "seconds"),
        [(name, len(some), *(_share(some, what) for what in OUTCOMES),
          f"{_mean([e.alive for e in some])} of {_mean([e.heroes for e in some])}",
          *(_mean([getattr(e, what) for e in some])
            for what in ("turns", "rounds", "fights", "deeds", "rooms", "commands", "took")))
         for name, some in groups.items()],
    )  # fmt: skip
    goals = list(dict.fromkeys(goal for each in evenings for goal in each.goals))
    reached = [(name, *(sum(e.goals.get(goal) == "done" for e in some) for goal in goals))
               for name, some in groups.items()]  # fmt: skip
    lines += ["", *_rows(("rules", *goals), reached)]
    told_of = (
        ("where they fall", lambda e: e.deaths), ("the way down", lambda e: e.roads), ("left by", lambda e: e.left),
        ("why they went home", lambda e: [e.why or "all was done"] if e.outcome in ("won", "home") else []),
    )  # fmt: skip
    rows = [(name, *(_often(of(each) for each in some) for _, of in told_of)) for name, some in groups.items()]
    lines += ["", *_rows(("rules", *(what for what, _ in told_of)), rows)]
    return [*lines, *([""] if bad else []), *(_bad(each) for each in bad)]


def _rows(head: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    return [f"| {' | '.join(head)} |", "|---" * len(head) + "|",
            *(f"| {' | '.join(map(str, row))} |" for row in rows)]  # fmt: skip


def _share(some: Sequence[Evening], outcome: str) -> str:
    count = sum(each.outcome == outcome for each in some)
    return f"{count} ({100 * count / max(1, len(some)):.0f} %)"


def _often(each: Iterable[Sequence[str]]) -> str:
    counted = Counter(what for some in each for what in some)
    return ", ".join(f"{what} {n}" for what, n in counted.most_common(MOST)) or "–"


def _bad(each: Evening) -> str:
    return f"- {each.ruleset}, seed {each.seed}: {each.outcome} {each.error}".rstrip()


def told(evenings: Sequence[Evening]) -> list[str]:
    """A report, line by line."""
    lines: list[str] = []
    for ruleset in dict.fromkeys(evening.ruleset for evening in evenings):
        some = [evening for evening in evenings if evening.ruleset == ruleset]
        outcomes = Counter(evening.outcome for evening in some)
        lines.append(
            f"{ruleset}: {len(some)} evenings; " + ", ".join(f"{n} {how}" for how, n in outcomes.most_common())
        )
        goals = Counter(goal for each in some for goal, state in each.goals.items() if state == "done")
        lines.append("  done: " + (", ".join(f"{goal} {n}" for goal, n in goals.most_common()) or "nothing"))
        lines.append(f"  alive: {_mean([each.alive for each in some])} of {_mean([each.heroes for each in some])}")
        figures = ("turns", "rounds", "fights", "deeds", "rooms", "commands", "took")
        lines.append(
            "  mean: " + ", ".join(f"{name} {_mean([getattr(each, name) for each in some])}" for name in figures)
        )
        where = Counter(room for each in some for room in each.deaths)
        why = Counter(each.why for each in some if each.outcome == "home")
        lines.append(
            "  went home: " + (", ".join(f"{each or 'all was done'} {n}" for each, n in why.most_common()) or "nobody")
        )
        refused = Counter(each for evening in some for each in evening.refused)
        lines += [f"  offered and refused: {each} ({n})" for each, n in refused.most_common(5)]
        lines.append("  fell in: " + (", ".join(f"{room} {n}" for room, n in where.most_common(8)) or "no room"))
        lines += [f"  seed {each.seed}: {each.outcome} in {each.last} ({each.clock}) {each.error}".rstrip()
                  for each in some if each.outcome in ("stalled", "broken off", "error")]  # fmt: skip
    return lines


def _mean(numbers: Sequence[float]) -> str:
    return f"{sum(numbers) / max(1, len(numbers)):.1f}"

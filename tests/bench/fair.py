"""Whether an encounter is as hard under every ruleset: the heroes' chance to win, side by side.

`python -m tests.bench.fair` plays twelve encounters and writes docs/fair.md. They were drawn for Dungeons of Olde as
*Surprise me* draws them, the number being the seed; the others are matched by trial. The computer plays both sides.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from game.content import encounter
from game.content.translation import translated
from game.forecast.matching import RUNS as TRIAL
from game.forecast.matching import matched, who_meets_whom
from game.forecast.report import Chance
from game.forecast.simulate import simulate
from rules.core import record as records
from rules.core.registry import RULESETS
from rules.core.registry import ruleset as ruleset_of

PAGE = Path(__file__).resolve().parents[2] / "docs" / "fair.md"
RUNS = 100
TRIALS = 1000
"""So much higher is the seed of the trials by which an encounter is matched: none of their dice count here."""
MOST = 25
"""Points that the chances of one encounter may lie apart."""


class Drawn(NamedTuple):
    """One encounter as it was drawn for Dungeons of Olde; it stays what it is when the figures change."""

    map: str
    seed: int
    party: str
    foes: str

    @property
    def name(self) -> str:
        return f"{self.map} {self.seed}"

    def record(self) -> records.Record:
        """The encounter under the rules for which it was drawn."""
        return records.read(encounter.make_encounter(self.map, self.party.split(), self.foes.split(), self.seed))


ENCOUNTERS = (
    Drawn("crypt", 1, "warrior priest ranger troubadour", "giant_rat barrow_king"),
    Drawn("crypt", 2, "warrior templar troubadour wizard", "giant_rat barrow_king"),
    Drawn("goblin_warren", 3, "ranger rogue templar wizard", "giant_rat goblin goblin wolf wolf wolf goblin_lookout"),
    Drawn("goblin_warren", 4, "warrior priest ranger templar",
          "giant_rat goblin_chief goblin_skirmisher goblin_skirmisher goblin_lookout"),
    Drawn("tavern", 5, "warrior priest rogue templar", "giant_rat giant_rat giant_rat bandit orc fire_adept"),
    Drawn("tavern", 6, "priest ranger troubadour wizard", "giant_rat giant_rat cultist orc fire_adept"),
    Drawn("ruined_bridge", 7, "priest rogue troubadour wizard", "goblin goblin goblin goblin_archer ogre"),
    Drawn("ruined_bridge", 8, "priest ranger rogue templar", "goblin goblin goblin_archer wolf bandit orc"),
    Drawn("old_sluice", 9, "warrior priest ranger troubadour",
          "giant_rat giant_rat giant_rat bandit bandit bandit giant_spider"),
    Drawn("old_sluice", 10, "priest templar troubadour wizard",
          "wolf skeleton skeleton goblin_skirmisher wild_boar"),
    Drawn("ruined_bridge", 11, "warrior ranger rogue wizard", "wolf wolf wolf wolf wolf wolf"),
    Drawn("ruined_bridge", 12, "warrior priest templar wizard", "wolf wolf wolf giant_spider hedge_witch"),
)  # fmt: skip
"""Two for each map by its theme, 11 and 12 out of *the wild wood*."""


APART: tuple[str, ...] = ()
"""Those that lie further apart than they should (docs/fair.md)."""


class Found(NamedTuple):
    """What became of one encounter: by ruleset the heroes' chance to win, and who met whom."""

    drawn: Drawn
    runs: int
    chances: Mapping[str, Chance]
    played: Mapping[str, records.Record]

    @property
    def spread(self) -> float:
        """Points from the least chance to the greatest."""
        shares = [chance.share for chance in self.chances.values()]
        return 100 * (max(shares) - min(shares))


def measured(drawn: Drawn, runs: int, rulesets: Sequence[str] = tuple(RULESETS), *, match: bool = True) -> Found:
    """One encounter played so many times under each ruleset, with the encounter's seed.

    `match`: it is brought there by trial, in which other dice are thrown; else by weights alone.
    """
    record = drawn.record()
    own = simulate(record, runs, seed=drawn.seed).side("heroes").wins
    others = [name for name in rulesets if name != record.ruleset]
    played = {record.ruleset: record}
    if match:
        found = matched(record, others, seed=drawn.seed + TRIALS, wanted=own.share) if others else {}
        played |= {name: each.record for name, each in found.items()}
    else:
        played |= {name: translated(record, name) for name in others}
    chances = {record.ruleset: own} | {
        name: simulate(played[name], runs, seed=drawn.seed).side("heroes").wins for name in others
    }
    return Found(drawn, runs, chances, played)


def rows(found: Sequence[Found]) -> Iterator[str]:
    """The table, a line for each encounter."""
    titles = [ruleset_of(name).title for name in found[0].chances]
    yield "| encounter | " + " | ".join(titles) + " | spread |"
    yield "|---" * (len(titles) + 2) + "|"
    for each in found:
        told = [
            f"{100 * chance.share:.0f} % ({100 * chance.low:.0f}–{100 * chance.high:.0f})"
            for chance in each.chances.values()
        ]
        far = " !" if each.spread > MOST else ""
        yield f"| {each.drawn.name} | " + " | ".join(told) + f" | {each.spread:.0f}{far} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, print, and write the page where all were played."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.fair", description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help=f"fights each (default: {RUNS})")
    parser.add_argument("--only", action="append", help="encounters whose name has this in it; may be repeated")
    parser.add_argument("--ruleset", action="append", choices=list(RULESETS), help="only these rules")
    parser.add_argument("--write", type=Path, default=PAGE, help="the page that is written when all are played")
    says = parser.parse_args(arguments)
    wanted = [each for each in ENCOUNTERS if not says.only or any(part in each.name for part in says.only)]
    rulesets = says.ruleset or tuple(RULESETS)
    found = []
    for drawn in wanted:
        found.append(measured(drawn, says.runs, rulesets))
        print(list(rows(found[-1:]))[-1], flush=True)
        for name, under in found[-1].played.items():
            print(f"    {name}: {who_meets_whom(under)}", flush=True)
    if found:
        print("\n".join(rows(found)))
    if len(found) == len(ENCOUNTERS) and len(rulesets) == len(RULESETS):
        says.write.write_text(page(found, says.runs), encoding="utf-8")
    return 0 if all(each.spread <= MOST for each in found) else 1


def page(found: Sequence[Found], runs: int) -> str:
    """docs/fair.md."""
    who = "\n".join(
        f"- {each.drawn.name}: "
        + "; ".join(f"{ruleset_of(name).title}: {who_meets_whom(under)}" for name, under in each.played.items())
        for each in found
    )
    table = "\n".join(rows(found))
    wide = 100 * 1.96 * sqrt(0.75 * 0.25 / runs)
    return TEXT.format(
        runs=runs,
        trial=TRIAL,
        most=MOST,
        table=table,
        who=who,
        said=said(found),
        wide=round(wide),
        lucky=round(wide * 1.69 / 1.96),
    )


TEXT = """# As hard under every ruleset

An encounter that goes over to other rules shall be as much of a match there ([threat.md](threat.md)). Twelve
encounters say how near it comes: drawn for Dungeons of Olde as *Surprise me* draws them (the number is the seed; two
for each map by its theme, and two of the wild wood), and matched by trial (`battlemat simulate --match`): brought over
by weights, played {trial} times, and with others in their place where the chance was off. Trials and this page throw
different dice. Weights come out of other fights, random ones.

The chance of the heroes to win, with its interval at 95 %, out of {runs} fights each, the computer on both sides. The
spread goes from the least to the greatest chance, in points, and is marked where it is above {most}. {said}

{table}

{runs} fights say a chance to about ±{wide} points; of three that are equal the luckiest and the unluckiest lie {lucky}
apart on average. So a part of each spread is luck.

Who meets whom:

{who}

`python -m tests.bench.fair` makes this page anew (`--runs N`, `--only NAME`, `--ruleset ID`).
"""


def said(found: Sequence[Found]) -> str:
    """How many keep the bound, and who doesn't."""
    far = [each.drawn.name for each in found if each.spread > MOST]
    if not far:
        return f"All {len(found)} keep it."
    these = "these do" if len(far) > 1 else "this does"
    return f"{len(found) - len(far)} of {len(found)} keep it; {these} not: {', '.join(far)}."


if __name__ == "__main__":
    sys.exit(main())

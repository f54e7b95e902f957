"""What creatures weigh, out of thousands of random fights on the maps that come with the game.

`make threat ARGS="RULESET --fights 4000 --into FILE"` draws encounters as *Surprise me* draws them, and as they
come over from Dungeons of Olde, and some of kinds that no theme has; brings each near the middle between hopeless and
certain; has the computer play each once; and writes `assets/threat/RULESET.toml` (docs/threat.md). These are
the likeliest figures, each held to what it was as loosely as `LOOSE` says: who fought little moves little.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import count
from math import exp, log
from pathlib import Path
from typing import NamedTuple

import msgspec

from game import paths
from game.content import encounter
from game.content import tables as content
from game.content.balance import EVEN, GROUND, PARTY, WEIGHT, figures, weight, weights
from game.content.translation import counterpart
from game.forecast.play import TURN_LIMIT, Opening, play_run
from game.forecast.threat import yardstick
from game.maps.mapdata import LoadedMap
from game.maps.tiled import load_map
from rules.core import record as records
from rules.core.registry import RULESETS
from rules.core.registry import ruleset as ruleset_of

HOME = "olde"
"""The rules for which most encounters are made; they come over from there."""
SIZES = (3, 4, 4, 4, 5)
"""Heroes of a random party, each as likely."""
NEAR = (-55, 35)
"""The foes' weight against the party's, as the natural logarithm in hundredths: from here to there, each as likely."""
FAR = 1.0
"""A random encounter whose weights are further apart (a logarithm) tells little, and isn't played."""
MOST = 12
"""Foes of a random encounter."""
RARE = 6
"""Of so many who fought least one is in each encounter that is to make up for that."""
STEEP = 4.5
"""How quickly the odds change with the weights before any fight is known."""
STEEPNESS = "steep"
LOOSE = {WEIGHT: 0.4, GROUND: 0.2, STEEPNESS: 0.4}
"""How far off, as a natural logarithm, a figure is in one case of three from what it was (a ground: from none)."""
SWEEPS, LEAST = 120, 1e-3
TINY = 1e-4
"""Nothing is surer than this."""
LIGHTEST = 0.5
FOLDS = 5
_Mark = tuple[str, str]
_EVEN = log((100.0 - EVEN) / EVEN)


class Fought(NamedTuple):
    """What came of an encounter that was played once."""

    seed: int
    map: str
    party: tuple[str, ...]
    foes: tuple[str, ...]
    won: float
    """1 where the party won, 0 where it lost, ½ where nobody won in time."""


# -- random encounters ------------------------------------------------------------------------------------


@cache
def ground(map: str) -> LoadedMap:
    """A map, read once: what is seen from where on it is found once, too."""
    return load_map(encounter.find_map(map))


def drawn(ruleset: str, seed: int, about: Sequence[str] = ()) -> records.Record | None:
    """A random encounter for weighing, with one of those whom it is `about`; None where the draw has no room on its
    map or tells little."""
    lot = encounter.Lot(seed)
    maps = sorted(each.stem for each in encounter.single_maps() if not encounter.is_own_map(each))
    map = maps[lot.below(len(maps))]
    source = (ruleset, HOME)[lot.below(2)]
    party = [_one(list(content.heroes(source)), lot) for _ in range(SIZES[lot.below(len(SIZES))])]
    themes = [None, None, None, *(theme.name for theme in content.themes(source))]
    foes = encounter.themed_foes(ground(map), party, lot, source, themes[lot.below(len(themes))])
    if lot.below(4) == 0:
        foes = [_one(list(content.monsters(source)), lot) for _ in range(1 + lot.below(3))]
    if source != ruleset:
        party, foes = ([counterpart(name, source, ruleset)[0] for name in side] for side in (party, foes))
    if lot.below(4) == 0:
        foes = [_one(list(content.monsters(ruleset)), lot) for _ in range(1 + lot.below(3))]
    held = 0
    if about or lot.below(3) == 0:
        foes, held = [_one(about or _strong(ruleset), lot), *foes[: lot.below(4)]], 1
    wanted = log(_weigh(ruleset, party)) + (NEAR[0] + lot.below(NEAR[1] - NEAR[0] + 1)) / 100
    foes = _sized(ruleset, foes, exp(wanted), lot, held)
    if abs(log(_weigh(ruleset, foes)) - wanted) > FAR:
        return None
    try:
        made = encounter.make_encounter(map, party, foes, seed, {"heroes": "ai"}, ruleset=ruleset)
    except encounter.EncounterError:
        return None
    return records.read(made)


def _one(names: Sequence[str], lot: encounter.Lot) -> str:
    return names[lot.below(len(names))]


def _weigh(ruleset: str, names: Sequence[str]) -> float:
    return weights(ruleset, ({"template": name} for name in names))


@cache
def _met(ruleset: str) -> list[str]:
    """Those whom themes have, there or as they come over, from the lightest on."""
    there = {name for theme in content.themes(ruleset) for name in theme.foes}
    there |= {counterpart(name, HOME, ruleset)[0] for theme in content.themes(HOME) for name in theme.foes}
    return sorted(there, key=lambda name: (weight(ruleset, {"template": name}), name))


def _strong(ruleset: str) -> list[str]:
    """The heavier half of them."""
    return _met(ruleset)[len(_met(ruleset)) // 2 :]


def rare(ruleset: str, fights: Sequence[Fought]) -> list[str]:
    """Those of them who fought least."""
    seen = Counter(name for each in fights for name in {*each.party, *each.foes})
    return sorted(_met(ruleset), key=lambda name: (seen[name], name))[:RARE]


def _sized(ruleset: str, foes: Sequence[str], wanted: float, lot: encounter.Lot, held: int) -> list[str]:
    """The group without some of it, or with more of its kinds, until it weighs about what is wanted. The first ones, so
    many as are held, stay."""
    found = list(foes)
    while len(found) > max(1, held) and _weigh(ruleset, found) > wanted:
        found.pop(held + lot.below(len(found) - held))
    while len(found) < MOST:
        more = [*found, _one(found, lot)]
        if abs(_weigh(ruleset, more) - wanted) >= abs(_weigh(ruleset, found) - wanted):
            break
        found = more
    return found


def played(ruleset: str, before: Sequence[Fought], fights: int, even: bool = False) -> Iterator[Fought]:
    """So many more random encounters, each played once by the computer on both sides; `even`: about those who fought
    least."""
    before = list(before)
    for seed in count(before[-1].seed + 1 if before else 1):
        if not fights:
            return
        record = drawn(ruleset, seed, rare(ruleset, before) if even else ())
        if record is None:
            continue
        map = Path(str(record.map.tmx)).stem
        field = ground(map).field
        scenario = records.scenario(
            record, field, lambda name: content.template(ruleset, name), content.tables(ruleset)
        )
        counts = play_run(Opening(ruleset_of(ruleset), field, scenario, None), seed, 0, TURN_LIMIT)
        won = counts.wins("heroes") + (counts.wins("") + counts.undecided.bit_count()) / 2
        sides: dict[str, list[str]] = {"heroes": [], "monsters": []}
        for entry in record.creatures:
            sides[entry["side"]].append(str(entry["template"]))
        before.append(Fought(seed, map, tuple(sides["heroes"]), tuple(sides["monsters"]), won))
        yield before[-1]
        fights -= 1


def kept_fights(path: Path) -> list[Fought]:
    """Fights of a file, a line each."""
    lines = path.read_bytes().splitlines() if path.exists() else []
    return [msgspec.json.decode(line, type=Fought) for line in lines]


# -- the likeliest weights --------------------------------------------------------------------------------


class Fitted(NamedTuple):
    """What agrees best with fights."""

    weights: Mapping[str, float]
    grounds: Mapping[str, float]
    """Map -> by how much the party fares better there than elsewhere, as the natural logarithm of the odds."""
    steep: float
    """How quickly the odds change with the weights."""


def refined(kept: Mapping[str, float], fights: Sequence[Fought]) -> Fitted:
    """The likeliest figures, by steps of their own for each (Rprop): larger while one way is right, else smaller."""
    marks = {(WEIGHT, name) for each in fights for name in (*each.party, *each.foes)}
    marks |= {(GROUND, each.map) for each in fights} | {(STEEPNESS, "")}
    off = dict.fromkeys(sorted(marks), 0.0)
    step, last = dict.fromkeys(off, 0.05), dict.fromkeys(off, 0.0)
    for _ in range(SWEEPS):
        for mark, up in _slope(kept, fights, off, STEEP)[1].items():
            if up * last[mark] < 0:
                step[mark], up = step[mark] / 2, 0.0
            elif up * last[mark] > 0:
                step[mark] = min(0.2, 1.2 * step[mark])
            last[mark] = up
            off[mark] -= step[mark] * ((up > 0) - (up < 0))
        if max(step.values()) < LEAST:
            break
    return Fitted(
        {name: figure * exp(off.get((WEIGHT, name), 0.0)) for name, figure in kept.items()},
        {name: value for (kind, name), value in off.items() if kind == GROUND},
        STEEP * exp(off[STEEPNESS, ""]),
    )


def surprise(fitted: Fitted, fights: Sequence[Fought]) -> float:
    """How much fights surprise whoever goes by these figures; a coin's throw surprises by 0.69."""
    off = {(GROUND, map): value for map, value in fitted.grounds.items()} | {(STEEPNESS, ""): 0.0}
    return _slope(fitted.weights, fights, off, fitted.steep)[0]


def _slope(
    kept: Mapping[str, float], fights: Sequence[Fought], off: Mapping[_Mark, float], steep: float
) -> tuple[float, dict[_Mark, float]]:
    """How much the fights surprise, and how that and the distance from what was kept grow with each figure."""
    found = {mark: value / (LOOSE[mark[0]] ** 2) for mark, value in off.items()}
    now = {
        name: kept[name] * exp(off.get((WEIGHT, name), 0.0)) for each in fights for name in (*each.party, *each.foes)
    }
    power, told = steep * exp(off[STEEPNESS, ""]), 0.0
    for each in fights:
        ours, theirs = (sum(now[name] for name in side) for side in (each.party, each.foes))
        apart = log(ours / theirs)
        chance = 1 / (1 + exp(-(_EVEN + off.get((GROUND, each.map), 0.0) + power * apart)))
        chance = min(1 - TINY, max(TINY, chance))
        told -= each.won * log(chance) + (1 - each.won) * log(1 - chance)
        wrong = chance - each.won
        for side, share in ((each.party, power / ours), (each.foes, -power / theirs)):
            for name in side:
                if (WEIGHT, name) in found:
                    found[WEIGHT, name] += wrong * share * now[name]
        if (GROUND, each.map) in found:
            found[GROUND, each.map] += wrong
        found[STEEPNESS, ""] += wrong * power * apart
    return told / len(fights), found


# -- files ------------------------------------------------------------------------------------------------


def written(ruleset: str, fitted: Fitted, fights: Sequence[Fought]) -> str:
    """A ruleset's file of figures: heroes first, then monsters from the lightest on."""
    heroes = content.heroes(ruleset)
    seen = Counter(name for each in fights for name in {*each.party, *each.foes})
    rounded = {name: round(figure, 1) for name, figure in fitted.weights.items()}
    ranked = sorted(rounded, key=lambda name: (name not in heroes, rounded[name] * (name not in heroes), name))
    return "\n".join(
        [
            HEAD.format(fights=len(fights)),
            f"steep = {fitted.steep:.1f}",
            "",
            f"[{GROUND}]",
            *(f"{name} = {figure:.2f}" for name, figure in sorted(fitted.grounds.items())),
            "",
            f"[{WEIGHT}]",
            *(f"{name} = {max(LIGHTEST, rounded[name])}  # {seen[name]}" for name in ranked),
            "",
        ]
    )


HEAD = """# What creatures weigh in a fight, and what maps do to it (docs/threat.md): what beats the first four
# heroes in three fights of ten weighs 24. The likeliest figures by {fights} random fights (`make threat`); behind each
# stands in how many of them the creature was. Who was in few weighs about what was thought before.
"""


def scaled(ruleset: str, fitted: Fitted) -> Fitted:
    """The same, with the ruleset's first four heroes weighing 24: the odds know only how weights compare."""
    by = PARTY / sum(fitted.weights[name] for name in yardstick(ruleset))
    return fitted._replace(weights={name: by * figure for name, figure in fitted.weights.items()})


def numbered(ruleset: str, figures: Mapping[str, float]) -> None:
    """Stat blocks say the nearest whole number."""
    for part in ("heroes", "monsters"):
        path = paths.asset("content", ruleset, f"{part}.toml")
        blocks = re.split(r"(?m)^(?=\[\[creature\]\]$)", path.read_text(encoding="utf-8"))
        for place, block in enumerate(blocks):
            named = re.search(r'(?m)^id = "(\w+)"$', block)
            told = re.search(r"(?m)^threat = (\d+)$", block)
            if named and told:
                blocks[place] = block[: told.start(1)] + str(whole(figures[named[1]])) + block[told.end(1) :]
        path.write_text("".join(blocks), encoding="utf-8")


def whole(figure: float) -> int:
    """The number of a stat block that weighs so much."""
    return max(1, round(figure))


def main(arguments: Sequence[str] | None = None) -> int:
    """Play what is missing, and fit."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.weigh", description=__doc__)
    parser.add_argument("ruleset", choices=list(RULESETS))
    parser.add_argument("--fights", type=int, default=4000, help="random fights in all (default: 4000)")
    parser.add_argument("--into", type=Path, required=True, help="where the fights are kept, a line each")
    parser.add_argument("--even", action="store_true", help="each new fight is about one who fought least")
    parser.add_argument("--only-play", action="store_true", help="leave the figures as they are")
    says = parser.parse_args(arguments)
    fights = kept_fights(says.into)
    with says.into.open("ab") as out:
        for fight in played(says.ruleset, fights, max(0, says.fights - len(fights)), says.even):
            out.write(msgspec.json.encode(fight) + b"\n")
            out.flush()
            fights.append(fight)
    if says.only_play:
        return 0
    names = (*content.heroes(says.ruleset), *content.monsters(says.ruleset))
    before = {name: weight(says.ruleset, {"template": name}) for name in names}
    known = Fitted(before, figures(says.ruleset).grounds, figures(says.ruleset).steep)
    held = [fight for number, fight in enumerate(fights) if number % FOLDS == 0]
    others = [fight for number, fight in enumerate(fights) if number % FOLDS]
    print(f"fights not fitted to surprise by {surprise(known, held):.3f} before", end="")
    print(f", by {surprise(refined(before, others), held):.3f} with figures from the others")
    fitted = scaled(says.ruleset, refined(before, fights))
    paths.asset("threat", f"{says.ruleset}.toml").write_text(written(says.ruleset, fitted, fights), encoding="utf-8")
    numbered(says.ruleset, {name: round(figure, 1) for name, figure in fitted.weights.items()})
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""A forecast as lines of text: the same for the same seed, on a terminal and in a file."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from game.forecast.report import Chance, CreatureForecast, Forecast, Mean, SideForecast
from game.forecast.sidebyside import SideBySide, table
from game.forecast.whatif import Comparison, Difference
from rules.core.figures import signed

WIDTH = 100
BAR = 30
HOTTEST = 5


def lines(forecast: Forecast) -> list[str]:
    """The whole forecast."""
    sides = " against ".join(f"{side.creatures} {side.side}" for side in forecast.sides)
    begins = "from where its commands end" if forecast.begins == "here" else "from the start"
    head = f"{forecast.title or forecast.map}: {sides}, {begins}"
    if not forecast.runs:
        return [head, "No fight was played to its end."]
    return [
        head,
        "",
        *_chances(forecast),
        "",
        *_losses(forecast),
        f"{forecast.unit:<{_name_width(forecast)}}  {_mean(forecast.turns)}",
        "",
        *_table(forecast),
        "",
        *_heat(forecast),
        *_wrapped(forecast.method),
    ]


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
    notes = ["* more than luck: the interval leaves 0 out", "", *_wrapped(comparison.method)]
    return [*lines(base), "", f"{'What if':<{wide}}{head}  {base.unit}", *rows, *notes]


def side_by_side_lines(found: SideBySide) -> list[str]:
    """One encounter under several rulesets, a column for each."""
    rows = table(found)
    wide = max(len(name) for name, _ in rows)
    cells = [max(len(row[1][n]) for row in rows) for n in range(len(found.rulesets))]
    runs = found.rulesets[0].forecast.runs
    out = [f"{found.title}, {runs} fight{'' if runs == 1 else 's'} under each ruleset", ""]
    for name, row in rows:
        line = "".join(f"  {cell:>{size}}" for cell, size in zip(row, cells, strict=True))
        out.append(f"{name:<{wide}}{line}".rstrip())
    out += [each for under in found.rulesets if under.company for each in _wrapped(under.company)]
    for under in found.rulesets:
        for line in under.left_out:
            out += _wrapped(f"Left out under {under.title}: {line}.")
    return [*out, "", *_wrapped(found.method)]


def _compared(found: Forecast, changes: Mapping[str, Difference], label: str, sides: Sequence[str], wide: int) -> str:
    cells = ""
    for name in sides:
        side, told = found.side(name), ""
        if (change := changes.get(name)) is not None:
            told = f"{points(change.share)} ({points(change.low)} to {points(change.high)})"
            told += " *" if change.clear else ""
        cells += f"  {percent(side.wins.share):>14}  {told:<24}  {side.losses.mean:>12.1f}"
    return f"{label:<{wide}}{cells}  {found.turns.mean:>5.1f}"


def percent(share: float) -> str:
    """`63.2 %`."""
    return f"{100 * share:.1f} %"


def points(share: float) -> str:
    """`+4.5` percentage points, with a true minus."""
    return signed(100 * share, 1)


def _name_width(forecast: Forecast) -> int:
    return max(len(f"{side.side} lose everybody") for side in forecast.sides)


def _chances(forecast: Forecast) -> list[str]:
    wide = _name_width(forecast)
    rows: list[tuple[str, Chance]] = [(f"{side.side} win", side.wins) for side in forecast.sides]
    rows += [(f"{side.side} lose everybody", side.wiped_out) for side in forecast.sides]
    if forecast.nobody.runs:
        rows.append(("nobody is left", forecast.nobody))
    if forecast.undecided.runs:
        rows.append(("undecided", forecast.undecided))
    return [f"{name:<{wide}}  {percent(chance.share):>7}  {_bar(chance)}  {_bounds(chance)}" for name, chance in rows]


def _bar(chance: Chance) -> str:
    """The chance as a bar: full up to the interval's lower bound, dense within it."""
    low, high = round(chance.low * BAR), round(chance.high * BAR)
    return "█" * low + "▒" * (high - low) + "·" * (BAR - high)


def _bounds(chance: Chance) -> str:
    return f"{100 * chance.low:.1f} to {percent(chance.high)}"


def _losses(forecast: Forecast) -> list[str]:
    wide = _name_width(forecast)
    return [f"{side.side + ' lost':<{wide}}  {_mean(side.losses)} of {side.creatures}" for side in forecast.sides]


def _mean(mean: Mean) -> str:
    if mean.low is None or mean.high is None:
        return f"{mean.mean:.1f}"
    return f"{mean.mean:.1f} ({mean.low:.1f} to {mean.high:.1f})"


def _table(forecast: Forecast) -> list[str]:
    wide = max(len(creature.name) for creature in forecast.creatures)
    out = []
    for side in forecast.sides:
        heads = ("falls", "dies", "dealt", "taken", "fells", "HP left")
        out.append(f"{_headed(side):<{wide}}" + "".join(f"  {head:>9}" for head in heads))
        out += [_row(c, wide) for c in forecast.creatures if c.side == side.side]
    return out


def _headed(side: SideForecast) -> str:
    return side.side.upper()


def _row(creature: CreatureForecast, wide: int) -> str:
    cells = (
        f"{100 * creature.falls.share:.0f} %",
        f"{100 * creature.dies.share:.0f} %",
        f"{creature.dealt.mean:.1f}",
        f"{creature.taken.mean:.1f}",
        f"{creature.felled.mean:.1f}",
        f"{creature.hp_left.mean:.1f} / {creature.hp_max}",
    )
    return f"{creature.name:<{wide}}" + "".join(f"  {cell:>9}" for cell in cells)


def _heat(forecast: Forecast) -> list[str]:
    """Where most blood is spilt."""
    spaces = sorted(forecast.heat.spaces, key=lambda space: (-sum(space.damage.values()), space.at))[:HOTTEST]
    if not spaces:
        return []
    hot = ", ".join(
        f"[{space.at[0]}, {space.at[1]}] {sum(space.damage.values()) / forecast.runs:.1f}" for space in spaces
    )
    return [*_wrapped(f"Most blood is spilt, in hit points a fight, at {hot}."), ""]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH)

"""`battlemat simulate CHAIN`: the forecast of a chain on the command line."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from textwrap import wrap

from game.forecast import counts as intervals
from game.forecast.chains import ChainDealer, ChainForecast, ChainTrial, FightForecast, lost_by, play_chain, report
from game.forecast.lines import BAR, FEW, INTERRUPTED, WIDTH, mean, percent, progress
from game.forecast.report import Chance
from game.forecast.session import RUNS
from game.forecast.simulate import checked, dealt_out
from game.setup import chains
from game.storage.files import from_json, read_text
from rules.contract.errors import BattlematError, said
from rules.contract.ruleset import NO_REST
from rules.contract.text import ntext, text
from rules.core.registry import ruleset as ruleset_of

ALONE = ("what_if", "ruleset", "keep", "within", "cluster")
"""Options that are an encounter's alone, beside `FLAGS`."""
FLAGS = ("compare", "match", "from_start")


def meant(path: Path) -> bool:
    """Whether a file is a chain, not a record."""
    with suppress(BattlematError, ValueError):
        return chains.is_chain(from_json(read_text(path, chains.LARGEST, "chain", chains.ChainError)))
    return False


def run(options: argparse.Namespace, tell: Callable[[list[str]], None]) -> int:
    """Play and tell the lines to print; the exit status. `options` has jobs and turns settled. Raises BattlematError in
    one line."""
    for name in (*ALONE, *FLAGS):
        if getattr(options, name):
            wrong = "--{option}: is for a single encounter; of a chain, give --runs, --seed, --jobs, --turns or --json"
            raise BattlematError(wrong, name.replace("_", "-"))
    path: Path = options.record
    try:
        trial = ChainTrial.of(
            chains.ready(chains.load(path), path.parent), seed=options.seed, turn_limit=options.turns
        )  # fmt: skip
    except BattlematError as error:
        told = said(error).removeprefix(f"{path}: ")
        raise BattlematError("{path}: {error}", str(path), told) from None
    dealer, status = ChainDealer(trial, checked(RUNS if options.runs is None else options.runs)), 0
    with progress(dealer.runs) as show:
        try:
            for _ in dealt_out(dealer, play_chain, jobs=options.jobs if dealer.runs >= FEW * options.jobs else 1):
                counts = dealer.counts
                low, high = (f"{100 * share:.0f}" for share in intervals.wilson(_through(dealer), counts.number))
                show(counts.number, text("the party gets through {low}–{high} %", low, high))
        except KeyboardInterrupt:
            print("battlemat: stopped; this is what there is so far", file=sys.stderr)
            status = INTERRUPTED
    found = report(trial, dealer.counts)
    tell([json.dumps(found.model_dump(mode="json"), ensure_ascii=False)] if options.json else lines(found))
    return status


def _through(dealer: ChainDealer) -> int:
    return dealer.counts.fights[-1].won.bit_count() if dealer.counts.fights else 0


def lines(found: ChainForecast) -> list[str]:
    """The whole forecast of a chain."""
    fights = ntext(len(found.fights), "{n} fight", "{n} fights")
    head: str = text("{title}: {fights}, a party of {party}", found.title, fights, found.party)
    if not found.runs:
        return [head, "No chain was played to its end."]
    names = [f"{fight.number}. {fight.title}" for fight in found.fights]
    wide = max(len("the party gets through"), *map(len, names))
    out = [head, "", _chance("the party gets through", found.through, wide), ""]
    heads: tuple[str, ...] = ("reached", "won so far", "lost so far", "HP on entering", found.unit)
    out.append(f"{'FIGHT':<{wide}}" + "".join(f"  {each:>22}" for each in heads))
    for name, fight in zip(names, found.fights, strict=True):
        hp = text("{hp} of {most}", mean(fight.hp), fight.hp_max)
        cells = (_share(fight.reached), _share(fight.won), mean(fight.lost), hp, mean(fight.turns))
        out.append(f"{name:<{wide}}" + "".join(f"  {each:>22}" for each in cells))
        if fight.rest and fight.rest != NO_REST:
            out.append("   " + text("then: {rest}", _rest(found, fight)))
    out += ["", *lost_by(found)]
    people = max(len(hero.name) for hero in found.fights[0].heroes)
    heads = tuple(text("fight {n}", fight.number) for fight in found.fights)
    out += ["", f"{'PARTY':<{people}}" + "".join(f"  {each:>22}" for each in heads)]
    for number, hero in enumerate(found.fights[0].heroes):
        told = [_hero(fight, number) for fight in found.fights]
        out.append(f"{hero.name:<{people}}" + "".join(f"  {each:>22}" for each in told))
    explained = "Of the party: hit points on entering, and how often it is lost by the end of the fight and its rest."
    return [*out, "", *wrap(explained, WIDTH), "", *wrap(found.method, WIDTH)]


def _rest(found: ChainForecast, fight: FightForecast) -> str:
    """The rest after a fight, as its ruleset calls it."""
    labels = {rest.word: rest.label for rest in ruleset_of(found.ruleset).rests}
    return str(labels.get(fight.rest, fight.rest))


def _hero(fight: FightForecast, number: int) -> str:
    hero = fight.heroes[number]
    return f"{hero.hp.mean:.1f} / {hero.hp_max}, {100 * hero.lost.share:.0f} %"


def _share(chance: Chance) -> str:
    return f"{100 * chance.share:.1f} ({100 * chance.low:.0f}–{100 * chance.high:.0f}) %"


def _chance(name: str, chance: Chance, wide: int) -> str:
    """The bar is full up to the interval's lower bound, dense within it."""
    low, high = round(chance.low * BAR), round(chance.high * BAR)
    bar = "█" * low + "▒" * (high - low) + "·" * (BAR - high)
    bounds = text("{low} to {high}", f"{100 * chance.low:.1f}", percent(chance.high))
    return f"{name:<{wide}}  {percent(chance.share):>7}  {bar}  {bounds}"

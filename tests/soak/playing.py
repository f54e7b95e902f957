"""A case played: its steps done one after another, everything watched, until its end or the first wrong thing."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Collection
from pathlib import Path
from typing import NamedTuple

from game.scenes.fight.scene import Fight
from rules.contract.errors import BattlematError
from tests.soak import oracles
from tests.soak.encounters import Case
from tests.soak.hand import Step
from tests.soak.table import Table
from tests.soak.wrong import Wrong

CRASH = "nothing unforeseen"
ROOT = Path(__file__).parents[2]
Next = Callable[[Table], Step | None]
"""What comes next at a table; None: nothing."""


class Outcome(NamedTuple):
    """How a run went."""

    wrong: Wrong | None
    steps: list[Step]
    """Those that were done, the one that showed it the last."""
    over: bool
    """Whether a fight came to its end."""
    commands: int


def play(case: Case, without: Collection[str] = ()) -> Outcome:
    """Play the steps of a case. `without`: rules that are not watched."""
    steps = iter(case["steps"])
    return run(case, lambda table: next(steps, None), without)


def run(case: Case, following: Next, without: Collection[str] = ()) -> Outcome:
    """Play a case, its steps chosen as one goes."""
    done: list[Step] = []
    with Table(case) as table:
        wrong = None
        try:
            _guarded(table, lambda: _through(table, following, done, without))
        except Wrong as found:
            wrong = found
        fights = table.fights
        over = any(fight.match.decision is None for fight in fights)
        return Outcome(wrong, done, over, sum(fight.match.history.length for fight in fights))


def _through(table: Table, following: Next, done: list[Step], without: Collection[str]) -> None:
    table.begin()
    _hook(table, without)
    _hold(table, oracles.BEFORE, without)
    _hold(table, oracles.AFTER, without)
    table.loop.picture()
    _hold(table, oracles.LOOKED, without)
    while table.loop.running and (step := following(table)) is not None:
        done.append(step)
        _hold(table, oracles.BEFORE, without)
        table.step = step
        table.hand.do(step)
        table.number += 1
        _hook(table, without)
        _hold(table, oracles.AFTER, without)
        if step[0] == "look":
            _hold(table, oracles.LOOKED, without)
    table.step = []
    if table.loop.running:
        _hold(table, oracles.ENDED, without)


def _hook(table: Table, without: Collection[str]) -> None:
    """Watch fights that have come."""
    for scene in table.loop.scenes:
        if isinstance(scene, Fight) and not any(scene is known for known in table.fights):
            table.fights.append(scene)
            for opened in oracles.OPENED:
                if opened.__name__ not in without:
                    opened(table, scene)


def _hold(table: Table, rules: tuple[oracles.Rule, ...], without: Collection[str]) -> None:
    for rule in rules:
        if rule.__name__ not in without:
            rule(table)


def _guarded(table: Table, call: Callable[[], None]) -> None:
    """Whatever escapes the app is wrong, named by the last line of the program that it came from."""
    try:
        call()
    except Wrong:
        raise
    except BattlematError as error:
        raise Wrong(CRASH, f"{error!r} got out of the app", "mistake") from error
    except Exception as error:
        ours = [frame for frame in traceback.extract_tb(error.__traceback__) if _program(frame.filename)]
        if not ours:
            raise  # the soak's own mistake
        place = f"{Path(ours[-1].filename).stem}.{ours[-1].name}"
        raise Wrong(CRASH, f"{type(error).__name__}: {error} in {place}", f"{type(error).__name__} {place}") from error


def _program(name: str) -> bool:
    path = Path(name)
    return path.is_relative_to(ROOT / "game") or path.is_relative_to(ROOT / "rules")

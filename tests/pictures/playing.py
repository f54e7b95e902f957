"""How the records of the pictures came to be: drawn encounters, played by the computer up to a moment."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from game.content import adventures, encounter
from game.fight.advice import Counsel
from game.fight.match import Match
from rules.contract.actions import Action, Decision
from rules.core import record as records

RECORDS = Path(__file__).parent / "records"
ATTACKS = ("attack", "rushed_attack", "all_out_attack", "shoot")


def strikes(match: Match, decision: Decision, action: Action) -> bool:
    """A hero is about to strike."""
    return decision.side == encounter.HEROES and action.do in ATTACKS


def planned(match: Match, decision: Decision, action: Action) -> bool:
    """All heroes have planned, and their side is about to resolve."""
    return decision.side == encounter.HEROES and action.do == "resolve"


def sneaks(match: Match, decision: Decision, action: Action) -> bool:
    """A hero is about to sneak on, unnoticed so far."""
    return decision.side == encounter.HEROES and action.do == "sneak"


class Moment(NamedTuple):
    """Which encounter, and when to stop: after so many commands at the least, as soon as `when` says so."""

    map: str
    seed: int
    after: int
    when: Callable[[Match, Decision, Action], bool] = strikes
    ruleset: str = "olde"
    options: tuple[str, ...] = ()


MOMENTS = {
    "board": Moment("goblin_warren", 7, 30),
    "tavern": Moment("tavern", 5, 25),
    "crypt": Moment("crypt", 3, 30),
    "goblin_warren": Moment("goblin_warren", 12, 40),
    "ruined_bridge": Moment("ruined_bridge", 4, 30),
    "old_sluice": Moment("old_sluice", 6, 40),
    "cairn": Moment("goblin_warren", 5, 12, planned, "cairn"),
    "countup": Moment("tavern", 3, 60, strikes, "countup"),
    "exploration": Moment("crypt", 7, 5, sneaks, options=("explore",)),
    "abbey": Moment("drowned_abbey", 4, 110, sneaks),
    "replay": Moment("goblin_warren", 3, 60),
}


def play(name: str) -> None:
    """Write the record of a picture anew. Raises SystemExit where its moment never comes."""
    moment = MOMENTS[name]
    adventure = next((each for each in adventures.adventures() if each.id == moment.map), None)
    if adventure is not None:
        drawn = dict(adventures.begun(adventure, moment.seed, ruleset=moment.ruleset))
    else:
        drawn = dict(encounter.surprise(moment.map, None, moment.seed, ruleset=moment.ruleset))
    drawn["options"] = {**drawn.get("options", {}), **dict.fromkeys(moment.options, True)}
    match = Match.from_record(drawn)
    mind = Counsel(match)
    while (decision := match.decision) is not None:
        action = mind.advise(decision)
        if match.history.length >= moment.after and moment.when(match, decision, action):
            document = records.document(match.record)
            (RECORDS / f"{name}.json").write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")
            return
        match.act(decision, action)
    raise SystemExit(f"{name}: the fight is over before its moment")

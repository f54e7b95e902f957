"""A place of several maps played: over stairs and back, wounds and doors found as they were left, saved and loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from game.content import tables as content
from game.fight.match import Match, load_fight, save_fight
from rules.contract.actions import Action
from rules.core.registry import RULESETS
from rules.core.registry import ruleset as ruleset_of

ROWS = ["########", "#......#", "#......+", "#......#", "########"]
CRAWLING = [name for name in RULESETS if any(switch.name == "crawl" for switch in ruleset_of(name).switches)]


def place(ruleset: str, **more: Any) -> dict[str, Any]:
    heroes, foes = list(content.heroes(ruleset)), list(content.monsters(ruleset))
    creatures: list[dict[str, Any]] = [
        {"id": "ada", "side": "heroes", "template": heroes[0], "controller": "human", "map": "top", "at": [1, 1]},
        {"id": "bea", "side": "heroes", "template": heroes[1], "controller": "human", "map": "top", "at": [2, 1]},
        {"id": "joss", "side": "captives", "template": heroes[2], "map": "cellar", "at": [6, 3], "prisoner": True},
        {"id": "foe", "side": "monsters", "template": foes[0], "controller": "ai", "map": "loft", "at": [6, 3]},
    ]
    parts = [{"name": name, "rows": ROWS} for name in ("top", "cellar", "loft")]
    stairs = [[["top", 1, 1], ["cellar", 1, 1]], [["top", 6, 1], ["loft", 1, 1]]]
    return {
        "format": "battlemat/2", "ruleset": ruleset, "map": {"place": parts, "stairs": stairs}, "seed": 4,
        "options": {"crawl": True, "fog": True}, "creatures": creatures, "commands": [], **more,
    }  # fmt: skip


def stands(match: Match) -> dict[str, str]:
    """Who stands on which map."""
    field = match.field
    return {mini.id: field.part(mini.cell).name for mini in match.board().miniatures if mini.cell >= 0}


def take_stairs(match: Match, who: str) -> None:
    match.turn_to(who)
    decision = match.decision
    assert decision is not None and decision.by == who
    (over,) = [action for action in match.legal(decision) if action.do == "stairs"]
    match.act(decision, over)


@pytest.mark.parametrize("ruleset", CRAWLING)
def test_a_hero_goes_over_and_the_others_stay(ruleset: str) -> None:
    match = Match.from_record(place(ruleset))
    assert {name: stands(match)[name] for name in ("ada", "bea")} == {"ada": "top", "bea": "top"}
    take_stairs(match, "ada")
    assert stands(match)["ada"] == "cellar" and stands(match)["bea"] == "top"


@pytest.mark.parametrize("ruleset", CRAWLING)
def test_both_ways_are_written_replayed_and_taken_back(ruleset: str, tmp_path: Path) -> None:
    match = Match.from_record(place(ruleset))
    take_stairs(match, "ada")
    board = match.board()
    save_fight(match, tmp_path / "r.json")
    again = load_fight(tmp_path / "r.json")
    assert again.board() == board and again.field.maps == match.field.maps
    assert '"format": "battlemat/2"' in (tmp_path / "r.json").read_text()
    match.history.rewind(0)
    assert stands(match)["ada"] == "top"


@pytest.mark.parametrize("ruleset", CRAWLING)
def test_nobody_sees_from_map_to_map_and_the_fog_of_one_left_behind_stays(ruleset: str) -> None:
    match = Match.from_record(place(ruleset))
    before = match.ruleset.sees(match.state, "heroes")
    top, cellar, loft = (match.field.spaces_of(part) for part in match.field.maps)
    assert before & top and not before & (cellar | loft)
    take_stairs(match, "ada")
    after = match.ruleset.sees(match.state, "heroes")
    assert after & top and after & cellar and not after & loft
    assert "foe" not in {mini.id for mini in match.ruleset.board(match.observe("heroes")).miniatures}


@pytest.mark.parametrize("ruleset", CRAWLING)
def test_every_deed_of_a_first_turn_can_be_done_in_a_place_with_a_prisoner(ruleset: str) -> None:
    """Whatever is legal applies: nobody stumbles over who stands on another map or on none."""
    match = Match.from_record(place(ruleset))
    decision = match.decision
    assert decision is not None
    tried: dict[str, Action] = {}
    for action in match.legal(decision):
        tried.setdefault(action.do, action)
    assert {"stairs"} <= set(tried)
    for action in tried.values():
        match.ruleset.apply(match.state, decision, action)

"""The computer gets past what stands in the way: it swims, climbs, lifts, clears, searches and lends a hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from game.content import tables as content
from game.controllers.ai import AiController
from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.advisors.planning import Help
from game.fight.match import Match
from rules.contract.actions import pending
from rules.core import record as records
from rules.core.ground import field_of
from rules.core.registry import ruleset
from tests.rules.olde.creatures import GEAR, Fight, being

OPEN = ["##############", "#............#", "#............#", "#............#", "##############"]
HALL = ["##############", "#.....#......#", "#............#", "#.....#......#", "##############"]
LINE = [[6, 1], [6, 2], [6, 3]]
WAYS = {
    "water": ({"kind": "water", "at": [[x, y] for x in (5, 6, 7, 8) for y in (1, 2, 3)], "difficulty": 6}, "swim"),
    "wall": ({"kind": "climb", "at": LINE, "height": 0}, "climb"),
    "edge": ({"kind": "climb", "edges": [[[5, y], [6, y]] for y in (1, 2, 3)]}, "climb"),
    "rubble": ({"kind": "rubble", "at": LINE}, "tackle"),
    "deep rubble": ({"kind": "rubble", "at": [[x, y] for x in (6, 7) for y in (1, 2, 3)]}, "tackle"),
    "portcullis": ({"kind": "portcullis", "at": [[6, 2]]}, "force"),
    "secret door": ({"kind": "secret_door", "at": [[6, 2]]}, "search"),
}  # fmt: skip


def played(says, seed=1, limit=60):
    """(what was done, who won) in a fight of two against two, with what stands in the way between them."""
    rows = HALL if says["kind"] in ("portcullis", "secret_door") else OPEN
    document = {
        "format": "battlemat/1", "ruleset": "olde", "seed": seed,
        "map": {"rows": rows, "challenges": [{"id": "it", **says}]},
        "creatures": [
            being("a", (2, 1)), being("aa", (2, 3)), being("b", (11, 1)), being("bb", (11, 3), side="monsters"),
        ],
    }  # fmt: skip
    record = records.read(document)
    rules = ruleset("olde")
    start = records.scenario(record, field_of(record.map), lambda name: {}, GEAR)
    state = rules.start(start).state
    done: Counter[str] = Counter()
    players = {side: AiController() for side in ("heroes", "monsters")}
    while (open_now := rules.decisions(state)) and state.turn <= limit:
        decision = open_now[0]
        known, legal = rules.observe(state, decision.side), rules.legal(state, decision)
        action = players[decision.side].choose(rules, known, decision, legal)
        done[action.do] += 1
        state = rules.apply(state, decision, action).state
    return done, rules.board(state).over


@pytest.mark.parametrize("way", WAYS)
def test_it_gets_past_and_the_fight_ends(way):
    says, deed = WAYS[way]
    for seed in (1, 2):
        done, winner = played(says, seed)
        assert winner in ("heroes", "monsters")
        assert done[deed]


def test_it_lends_a_hand_at_a_portcullis_where_it_can_do_nothing_better():
    """A strong one at the bars, a friend behind it who cannot come nearer."""
    rows = ["#########", "#...#...#", "#.......#", "#...#...#", "#########"]
    document = {
        "format": "battlemat/1", "ruleset": "olde",
        "map": {"rows": rows, "challenges": [{"id": "bars", "kind": "portcullis", "at": [[4, 2]], "difficulty": 15}]},
        "creatures": [being("a", (3, 2)), being("b", (6, 2))],
    }  # fmt: skip
    field = field_of(records.read(document).map)
    helper = being("aa", (2, 2), side="heroes", skills={"Lift/Shift": "Master", "Swords": "Apprentice"})
    table = Fight(being("a", (3, 2)), helper, being("b", (6, 2)), throws=[3, 8, 2], field=field)
    rules, state = table.rules, table.now
    decision = rules.decisions(state)[0]
    assert decision.by == "aa"
    helps = [m for m in advisor_of(rules).measures(state, decision) if isinstance(m, Help)]
    assert helps and 0.0 < helps[0].chance < 0.5
    chosen = AiController().choose(rules, rules.observe(state, "heroes"), decision, rules.legal(state, decision))
    assert chosen.do == "assist"


def test_without_anything_hidden_it_never_searches():
    done, _ = played({"kind": "climb", "at": LINE, "height": 0})
    assert not done["search"]


def test_who_is_under_water_comes_up_before_anything_else():
    """Beside a foe that it could not strike anyway."""
    rows = ["#########", "#.......#", "#.......#", "#.......#", "#########"]
    water = {"id": "pool", "kind": "water", "at": [[4, 1], [4, 2], [4, 3]], "difficulty": 6}
    document = {
        "format": "battlemat/1", "ruleset": "olde", "map": {"rows": rows, "challenges": [water]},
        "creatures": [being("a", (3, 2)), being("b", (5, 2))],
    }  # fmt: skip
    field = field_of(records.read(document).map)
    table = Fight(being("a", (3, 2)), being("b", (5, 2)), throws=[8, 4, 1, 2], field=field)
    table.do("a", "swim", path=[(4, 2)])
    table.end("a", "b")
    assert table.of("a")["conditions"] == ["submerged"]
    rules, state = table.rules, table.now
    decision = rules.decisions(state)[0]
    chosen = AiController().choose(rules, rules.observe(state, "heroes"), decision, rules.legal(state, decision))
    assert chosen.do == "swim"


# -- rubble and gaps under the rulesets that have a switch for them

DITCH = ["##############", *["#..... ......#"] * 3, "##############"]
HURDLES = {
    "rubble": (OPEN, [{"id": "it", "kind": "rubble", "at": LINE, "difficulty": 7}], "tackle"),
    "deep rubble": (OPEN, [{"id": "it", "kind": "rubble", "at": [[x, y] for x in (6, 7) for y in (1, 2, 3)]}],
                    "tackle"),
    "gap": (DITCH, [], "leap"),
}  # fmt: skip
ABLE = {
    "cairn": {"strength": 14, "dexterity": 15, "willpower": 10, "hp_max": 4, "items": ["sword", "pole"]},
    "countup": {"skills": {"jumping": 60}, "damage": 3, "hp_max": 12, "weapons": ["longsword"]},
}


@pytest.mark.parametrize("name", ABLE)
@pytest.mark.parametrize("hurdle", HURDLES)
def test_it_clears_rubble_and_leaps_gaps_to_get_at_its_foes(name: str, hurdle: str) -> None:
    rows, challenges, deed = HURDLES[hurdle]
    done: Counter[str] = Counter()
    for seed in (1, 2):
        match = Match.from_record({
            "format": "battlemat/1", "ruleset": name, "seed": seed, "map": {"rows": rows, "challenges": challenges},
            "options": {"fixtures": True, "hurdles": True},
            "creatures": [
                {"id": "a", "side": "heroes", "at": [4, 2], **ABLE[name]},
                {"id": "b", "side": "monsters", "at": [10, 2], **ABLE[name]},
            ],
        })  # fmt: skip
        rules, players = match.ruleset, {side: AiController() for side in ("heroes", "monsters")}
        for _ in range(400):
            if (decision := pending(rules.decisions(match.state))) is None:
                break
            known = rules.observe(match.state, decision.side)
            action = players[decision.side].choose(rules, known, decision, rules.legal(match.state, decision))
            done[action.do] += 1
            match.act(decision, action)
        assert rules.board(match.state).over is not None, done
    assert done[deed]


ROOMS = ["#" * 22, "#......#.....#.......#", "#............#.......#", "#......#.....#.......#", "#" * 22]
ABYSS = [row[:7] + "." + row[8:] if "." in row else row for row in ROOMS]
TRENCH = ["0" * 22, *["1" * 7 + "0" + "1" * 14] * 3, "0" * 22]


@pytest.mark.parametrize("name", ABLE)
@pytest.mark.parametrize("deed", ["tackle", "leap"])
def test_on_an_expedition_it_goes_over_them_for_what_lies_beyond_and_comes_back(name: str, deed: str) -> None:
    coffer = {"id": "coffer", "kind": "chest", "at": [[11, 2]], "difficulty": 0, "contents": "ruby"}
    stones = {"id": "stones", "kind": "rubble", "at": [[7, 2]], "difficulty": 7}
    ground: dict[str, Any] = {"rows": ROOMS, "challenges": [coffer, stones]}
    if deed == "leap":
        ground = {"rows": ABYSS, "levels": TRENCH, "challenges": [coffer]}
    heroes, foe = list(content.heroes(name)), next(iter(content.monsters(name)))
    match = Match.from_record({
        "format": "battlemat/1", "ruleset": name, "seed": 3,
        "map": {**ground, "exits": [[1, 1], [1, 2]], "goals": [{"name": "gem", "kind": "fetch", "what": "ruby"}]},
        "options": {"crawl": True, "hurdles": True},
        "creatures": [
            {"id": "ada", "side": "heroes", "template": heroes[0], "at": [2, 1]},
            {"id": "bea", "side": "heroes", "template": heroes[1], "at": [2, 2]},
            {"id": "gob", "side": "monsters", "template": foe, "at": [18, 1]},
        ],
    })  # fmt: skip
    rules, player, done = match.ruleset, AiController(), Counter[str]()
    for _ in range(200):
        if (decision := pending(rules.decisions(match.state))) is None:
            break
        known = rules.observe(match.state, decision.side)
        action = player.choose(rules, known, decision, rules.legal(match.state, decision))
        done[action.do] += 1
        match.act(decision, action)
    assert done[deed] and match.board().over == "heroes"
    assert [(goal.kind, goal.state) for goal in match.board().goals] == [("fetch", "done")]

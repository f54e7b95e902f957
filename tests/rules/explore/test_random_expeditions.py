"""Expeditions played at random: whatever is offered can be done, nothing hidden is known, the record leads there again;
and what such play has shown, each held by a test of its own.
"""

from __future__ import annotations

import pytest

from rules.contract.text import as_builtins
from tests.rules.explore.expedition import RULESETS, Expedition, creature
from tests.rules.explore.wanderer import Wanderer, drawn

EVERY = pytest.mark.parametrize("ruleset", RULESETS)
CLOSED = ["###########", "#.........#", "###########"]
NICHE = {"id": "niche", "kind": "secret_door", "at": [[5, 1]], "difficulty": 5}


@EVERY
@pytest.mark.parametrize("seed", range(6))
def test_a_random_evening_holds(ruleset: str, seed: int) -> None:
    wanderer = Wanderer(drawn(ruleset, seed), f"{ruleset} {seed}")
    assert wanderer.play(60) > 0
    wanderer.replayed()


@EVERY
def test_no_side_knows_where_strangers_off_the_board_stand_or_go(ruleset: str) -> None:
    table = Expedition(ruleset, [creature(ruleset, "h0", (9, 1)), creature(ruleset, "near", (16, 2), surprised=True),
                                 creature(ruleset, "far", (27, 2), duty="guard")])  # fmt: skip
    table.do("h0", "ambush")
    far = table.now.setup.index["far"]
    assert table.now.explore.parked[far] == table.field.cell(27, 2)
    known = table.rules.observe(table.now, "heroes").explore
    assert known.parked[far] == known.seeks[far] == known.post[far] == -1
    own = table.rules.observe(table.now, "monsters").explore
    assert own.parked[far] == table.now.explore.parked[far]


def test_a_search_of_an_exploration_that_finds_a_secret_door_goes_on() -> None:
    found = 0
    for seed in range(1, 12):
        table = Expedition("olde", [creature("olde", "h0", (4, 1)), creature("olde", "gob", (9, 1), asleep=True)],
                           CLOSED, seed=seed, challenges=[NICHE])  # fmt: skip
        if table.exploring:
            table.do("h0", "search")
            found += any("niche" in str(told) for told in map(as_builtins, table.events))
    assert found


def test_what_there_is_no_room_for_is_not_offered_to_be_picked_up() -> None:
    weak, fallen = creature("olde", "h0", (1, 2), brawn=1), creature("olde", "fallen", (2, 2), hp=0)
    table = Expedition("olde", [weak, fallen, creature("olde", "gob", (27, 2), asleep=True)])
    legal = table.rules.legal(table.now, table.decision("h0"))
    assert [action for action in legal if legal.refusal(action) is not None] == []
    assert table.refusal("h0", "pick_up", item="scimitar") == "pick_up: item: more than one can carry"


def test_who_is_called_up_while_exploring_is_reckoned_with_at_once() -> None:
    table = Expedition("cairn", [creature("cairn", "h0", (1, 2), powers=["Animate Object"], willpower=18),
                                 creature("cairn", "gob", (27, 2), asleep=True)])  # fmt: skip
    casts = [a for a in table.rules.legal(table.now, table.decision("h0")) if a.do == "cast"]
    assert casts
    step = table.rules.apply(table.now, table.decision("h0"), casts[0])
    assert len(step.state.figures) == 3 == len(step.state.explore.guise)


def test_a_fight_goes_on_after_a_foe_has_called_somebody_up() -> None:
    caller = creature("cairn", "gob", (16, 2), powers=["Animate Object"], willpower=18)
    table = Expedition("cairn", [creature("cairn", "h0", (9, 1)), creature("cairn", "h1", (9, 3)),
                                 caller])  # fmt: skip
    if table.exploring:
        table.do("h0", "ambush")
    for _ in range(40):
        decision = table.rules.decisions(table.now)[0]
        casts = [a for a in table.rules.legal(table.now, decision) if a.do == "cast"]
        there = casts[0].at if casts else None
        if decision.by == "gob" and there is not None:
            table.do("gob", "cast", item="Animate Object", at=list(table.field.at(there)))
            table.do("monsters", "resolve")
            break
        table.do(decision.side, "resolve")
    assert len(table.now.figures) == 4 == len(table.now.explore.attitude)

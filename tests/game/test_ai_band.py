"""A whole side planned together, where everybody plans before anything is done (docs/computer.md)."""

from __future__ import annotations

from typing import Any

import pytest

from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.advisors.cairn import world
from game.controllers.ai.controller import AiController
from rules.contract.actions import Action, pending
from tests.rules.cairn.creatures import Fight, foe, pc

ROOM = ["#" * 16, *["#" + "." * 14 + "#"] * 7, "#" * 16]


def brawl(seed: int = 1) -> Fight:
    """Three against three, near enough for blows in the first half."""
    heroes = (pc("a", (3, 2), items=["sword"]), pc("b", (3, 4), items=["bow"]), pc("c", (2, 6), items=["dagger"]))
    return Fight(
        *heroes, foe("x", (8, 2), hp_max=3), foe("y", (9, 4)), foe("z", (8, 6)), rows=ROOM, seed=seed, throws=None
    )


def asked(fight: Fight) -> tuple[Any, Any, Any] | None:
    """(what the side knows, its decision, what is legal); None at the end."""
    decision = pending(fight.rules.decisions(fight.now))
    if decision is None:
        return None
    return fight.rules.observe(fight.now, decision.side), decision, fight.rules.legal(fight.now, decision)


def does(fight: Fight, decision: Any, action: Action) -> None:
    fight.now = fight.rules.apply(fight.now, decision, action).state


@pytest.mark.parametrize("seed", range(3))
def test_who_is_asked_in_the_middle_of_a_half_goes_on_as_whoever_began_it(seed: int) -> None:
    """One player for the whole fight, and beside it a new one that knows nothing for every single decision."""
    fight, player = brawl(seed), AiController()
    for _ in range(40):
        question = asked(fight)
        if question is None:
            break
        chosen = player.choose(fight.rules, *question)
        world.forget()
        assert AiController().choose(fight.rules, *question) == chosen
        does(fight, question[1], chosen)


@pytest.mark.parametrize("seed", range(2))
def test_why_tells_of_what_is_done_at_every_step_of_a_plan(seed: int) -> None:
    fight, player = brawl(seed), AiController()
    for _ in range(25):
        question = asked(fight)
        if question is None:
            break
        chosen = player.choose(fight.rules, *question)
        if question[1].kind == "chance":
            best = player.explain(fight.rules, *question).best[0]
            assert best.action == chosen == best.plan[0]
            assert sum(value for _, value in best.reasons) == pytest.approx(best.score, abs=1e-6)
        does(fight, question[1], chosen)


def test_a_plan_made_by_hand_stands_and_the_others_reckon_with_it() -> None:
    fight, player = brawl(), AiController()
    fight.do("c", "end")
    sealing = advisor_of(fight.rules).sealing
    assert sealing is not None
    for name in ("a", "b"):
        for _ in range(4):
            question = asked(fight)
            assert question is not None
            if question[1].by != name:
                break
            does(fight, question[1], player.choose(fight.rules, *question))
    assert sealing.done(fight.now, "c")
    assert fight.now.plans[2].action is None, "what somebody planned by hand is theirs"
    question = asked(fight)
    assert question is not None
    assert question[1].kind == "resolve"
    assert player.choose(fight.rules, *question).do == "resolve"


def test_plans_are_put_into_a_position_and_taken_out_of_it() -> None:
    fight = brawl()
    sealing = advisor_of(fight.rules).sealing
    assert sealing is not None
    known = fight.rules.observe(fight.now, "heroes")
    after = sealing.sealed(known, "a", Action("a", "attack", target="x", weapon="sword"))
    assert sealing.plan(known, "a") is None
    assert not sealing.done(after, "a"), "it may still move"
    assert sealing.done(sealing.sealed(after, "a", Action("a", "end")), "a")
    assert sealing.fresh(after) == known


def test_nobody_plans_to_end_where_a_friend_stands_who_is_asked_later() -> None:
    """All that a side means to do is legal when it is asked for, one after the other."""
    for seed in range(4):
        fight, player = brawl(seed), AiController()
        for _ in range(30):
            question = asked(fight)
            if question is None:
                break
            known, decision, legal = question
            intent, number = player._meant(fight.rules, known, decision, legal)
            if decision.kind == "chance":
                assert intent is not None, (seed, decision.by)
                assert intent.actions[number] in legal
            does(fight, decision, player.choose(fight.rules, known, decision, legal))

"""What is kept from second to second under Count-Up is what would be found anew, all through a fight."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from game.controllers.ai import AiController
from game.controllers.ai.advisors.countup.figures import figures_anew, figures_of
from game.controllers.ai.advisors.countup.prospect import pieces
from rules.contract.actions import CHANCE, pending
from rules.contract.units import numbered
from rules.countup import manners
from rules.countup.actions.answers import CAST
from rules.countup.actions.attacks import ATTACK, HOLD, SHOOT
from rules.countup.actions.context import Context
from rules.countup.clock import free_in
from rules.countup.state import CountState, Position, PreparedAttack, Resolution
from tests.bench import arena

MANNERS = (manners.PLAIN, manners.JAB, manners.AGGRESSIVE, manners.CHARGE, manners.FREE)
DEEDS = 120


def fight(seed: int, **options: bool) -> Any:
    """A fight of four against six; the computer and chance take turns, so that it goes on and goes astray."""
    rules: Any = arena.rules("countup")
    scenario, random = arena.scenario(24, 4, 6, seed, "countup"), Random(seed)
    if options.get("darkness"):  # two carry lights
        first, other, *rest = scenario.creatures
        lit = ({**first, "light": 4}, {**other, "light": 2}, *rest)
        scenario = replace(scenario, creatures=lit, field=replace(scenario.field, ambient="dark"))
    scenario = replace(scenario, options=options)
    state, players = rules.start(scenario).state, {side: AiController() for side in ("heroes", "monsters")}
    for number in range(DEEDS):
        decision = pending(rules.decisions(state))
        if decision is None:
            return
        yield state, decision
        legal = rules.legal(state, decision)
        if number % 3:
            known = rules.observe(state, decision.side)
            action = players[decision.side].choose(rules, known, decision, legal)
        else:
            action = random.choice(list(legal))
        state = rules.apply(state, decision, action).state


@pytest.mark.parametrize("options", [{}, {"darkness": True, "backstab": True}, {"shield_arcs": True}])
def test_figures_of_blows_are_those_that_would_be_found_now(options: dict[str, bool]) -> None:
    asked = 0
    for state, decision in fight(2, **options):
        known: CountState = arena.rules("countup").observe(state, decision.side)
        for by, figure in numbered(known.figures):
            weapon = known.weapon(by)
            for target in known.foes(by) if figure.present and not weapon.ranged else ():
                for manner in MANNERS:
                    blow = PreparedAttack(by, target, weapon, manner)
                    assert figures_of(known, blow) == figures_anew(known, blow)
                    asked += 1
    assert asked > 2000


def test_who_is_asked_and_who_stands_against_whom_is_what_it_would_be_now() -> None:
    rules, asked = arena.rules("countup"), 0
    for state, _ in fight(3):
        if not state.choices:
            fresh = [state.setup.beings[i].id for i in free_in(Resolution(state))]
            assert [each.by for each in rules.decisions(state)] == fresh
            asked += len(fresh)
        for who, _ in numbered(state.figures):
            assert state.foes(who) == Position.foes(state, who)
            assert state.weapon(who) == Position.weapon(state, who)
    assert asked > 100


def test_pieces_are_those_of_the_figures_as_they_are() -> None:
    for state, decision in fight(4):
        known = arena.rules("countup").observe(state, decision.side)
        alike = replace(known, figures=tuple(replace(figure) for figure in known.figures))
        assert pieces(known) == pieces(alike) == pieces(known)


def test_listed_attacks_shots_and_spells_are_those_of_all_candidates_that_nothing_stands_against() -> None:
    listed = 0
    for state, decision in fight(5):
        if decision.kind != CHANCE:
            continue
        context = Context(state, state.setup.index[decision.by])
        for kind in (ATTACK, SHOOT, CAST, HOLD):
            if kind.why_not(context) is None:
                each = [action for action in kind.candidates(context) if kind.why_not_this(context, action) is None]
                assert list(kind.instances(context)) == each
                listed += len(each)
    assert listed > 50

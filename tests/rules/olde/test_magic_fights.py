"""Properties of fights full of magic: legal is legal, pools and effects keep in bounds, and all repeats."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.advisors.planning import Effect, Mend
from game.fight.match import Match
from rules.olde.conditions import terrain_of
from tests.game.ai_table import doable
from tests.rules.olde.test_magic_content import GRIMOIRE
from tests.rules.olde.test_random_fights import record

POOLS = {pool: [name for name, spell in GRIMOIRE.spells.items() if spell.pool == pool] for pool in ("mana", "faith")}


def mages(seed: int) -> dict[str, Any]:
    """The random fight of that seed, everybody with spells, blessings and items drawn for it."""
    rng = random.Random(seed)
    document = record(seed, seed)
    for entry in document["creatures"]:  # type: ignore[attr-defined]
        entry |= {"spells": rng.sample(POOLS["mana"], 6), "blessings": rng.sample(POOLS["faith"], 4)}
        entry |= {"items": [rng.choice(list(GRIMOIRE.items)) for _ in range(3)], "savvy": rng.randint(5, 10)}
        if rng.random() < 0.3:
            entry["kind"] = "Undead"
    return document


def play(match: Match, rng: random.Random, steps: int) -> None:
    """Random legal actions, magic preferred, each checked."""
    for _ in range(steps):
        decision = match.decision
        if decision is None:
            return
        legal = match.legal(decision)
        actions = list(legal)
        magic = [action for action in actions if action.do in ("cast", "use")]
        action = rng.choice(magic) if magic and rng.random() < 0.7 else rng.choice(actions)
        assert action in legal
        if action.do in ("cast", "use"):
            card = match.ruleset.odds(match.state, action)
            assert card is not None
            assert -1e-9 <= card.hit <= 1 + 1e-9
            assert all(abs(sum(p for _, p in share.damage) - 1) < 1e-9 for share in card.targets if share.damage)
        events = match.act(decision, action)
        assert all("None" not in match.ruleset.tell(match.state, event) for event in events)
        sound(match)


def sound(match: Match) -> None:
    state = match.state
    for fighter, figure in zip(state.setup.fighters, state.figures, strict=True):
        assert 0 <= figure.mana <= fighter.mana_max and 0 <= figure.faith <= fighter.faith_max
        asleep = any(effect.lasting.condition == "asleep" for effect in figure.effects)
        assert figure.stunned or not asleep
        assert all(effect.turns >= 1 for effect in figure.effects)
        names = [effect.name for effect in figure.effects]
        assert len(names) == len(set(names))
        for held in ("rooted", "slowed"):
            laid = any(effect.lasting.condition == held for effect in figure.effects)
            assert getattr(figure, held) or not laid
    assert state.terrain is terrain_of(state.setup, state.doors, state.zones)


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 10_000))
def test_fights_full_of_magic_stay_sound_and_repeat(seed: int) -> None:
    match = Match.from_record(mages(seed))
    play(match, random.Random(seed), 80)
    again = Match.from_record(match.record.model_copy(deep=True))
    assert again.ruleset.summary(again.state) == match.ruleset.summary(match.state)


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 10_000))
def test_what_the_planner_is_told_of_magic_is_legal_and_knows_nothing_unseen(seed: int) -> None:
    match = Match.from_record(mages(seed))
    rng = random.Random(seed)
    for _ in range(8):
        decision = match.decision
        if decision is None:
            return
        seen = match.observe(decision.side)
        known = {mini.id for mini in match.ruleset.board(seen).miniatures}
        for measure in advisor_of(match.ruleset).measures(seen, decision):
            assert doable(seen, decision, measure)
            assert not isinstance(measure, Effect | Mend) or measure.action.target in (None, *known)
            assert not isinstance(measure, Effect) or {name for name, *_ in measure.blows} <= known
        play(match, rng, 3)

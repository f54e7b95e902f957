"""Properties of whole fights: what is legal applies, what is not is refused, nothing leaves its bounds, all repeats."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.content import tables as content
from game.fight.match import Match
from rules.contract.actions import Action
from rules.contract.errors import IllegalActionError
from rules.contract.events import Item, Summoned
from rules.contract.text import as_builtins
from rules.olde.state import status

ROOMS = (
    ["##########", "#........#", "#..##..~.#", "#..#...~.#", "#....+...#", "#........#", "##########"],
    ["#########", "#...#...#", "#...+...#", "#...#...#", "#########"],
    ["...........", "..  ...~~..", "....#......", "...........", "..........."],
)


def record(seed: int, room: int = 0) -> dict[str, Any]:
    """A fight of six drawn from the content, sides facing one another."""
    rng = random.Random(seed)
    rows = ROOMS[room % len(ROOMS)]
    free = [(x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "."]
    rng.shuffle(free)
    small = sorted(n for n, e in content.monsters("olde").items() if e.get("space", 1) == 1)
    creatures = []
    for i in range(6):
        side = "heroes" if i < 3 else "monsters"
        names = sorted(content.heroes("olde")) if side == "heroes" else small
        entry: dict[str, Any] = {
            "id": f"c{i}",
            "side": side,
            "at": list(free[i]),
            "template": rng.choice(names),
            "controller": "ai",
        }
        if rng.random() < 0.2:
            entry["surprised"] = True
        creatures.append(entry)
    return {"format": "battlemat/1", "ruleset": "olde", "map": {"rows": rows}, "seed": seed, "creatures": creatures}


def wanderings(match: Match, rng: random.Random, limit: int = 4000):
    """Play legal actions drawn at random, fights preferred so that they end; yields before each."""
    for _ in range(limit):
        decision = match.decision
        if decision is None:
            return
        legal = match.legal(decision)
        actions = list(legal)
        blows = [a for a in actions if a.target is not None and a.do.endswith(("attack", "shot"))]
        action = rng.choice(blows) if blows and rng.random() < 0.7 else rng.choice(actions)
        yield decision, legal, action
        match.act(decision, action)


def gear(match: Match) -> int:
    """Items in hand, in packs and on the floor."""
    return len(match.state.floor) + sum(len(f.hands) + len(f.pack) for f in match.state.figures)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10_000))
def test_random_fights_stay_in_bounds_and_lose_nobody(seed: int) -> None:
    match = Match.from_record(record(seed, seed))
    count = len(match.state.figures)
    carried = gear(match)
    told = called = broken = 0
    for decision, legal, action in wanderings(match, random.Random(seed)):
        assert action in legal
        assert legal.refusal(action) is None
        assert decision.side in ("heroes", "monsters")
        new, told = match.events[told:], len(match.events)
        called += sum(isinstance(e, Summoned) and e.gained for e in new)
        broken += sum(isinstance(e, Item) and e.how == "broken" for e in new)
        assert len(match.state.figures) == count + called
        for i, (fighter, figure) in enumerate(zip(match.state.setup.fighters, match.state.figures, strict=True)):
            assert figure.hp <= fighter.hp_max
            assert 0 <= figure.mana <= fighter.mana_max
            assert 0 <= figure.faith <= fighter.faith_max
            assert all(effect.turns >= 1 for effect in figure.effects)
            assert 0 <= figure.ap <= 30
            assert 0 <= figure.free <= fighter.allowance
            assert figure.cell >= 0 or (i >= count and figure.hp <= 0)
            if figure.hp <= 0:
                assert figure.ap == 0
                assert figure.posture == "prone"
        assert gear(match) + broken == carried


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000))
def test_two_able_enemies_at_most_share_a_space_and_allies_never(seed: int) -> None:
    match = Match.from_record(record(seed, seed))
    for _ in wanderings(match, random.Random(seed)):
        fighters = match.state.setup.fighters
        spaces: dict[int, list[str]] = {}
        for fighter, figure in zip(fighters, match.state.figures, strict=True):
            if figure.hp > 0:
                spaces.setdefault(figure.cell, []).append(fighter.side)
        for sides in spaces.values():
            assert len(sides) == len(set(sides)) <= 2


def test_random_fights_end() -> None:
    for seed in range(12):
        match = Match.from_record(record(seed, seed))
        for _ in wanderings(match, random.Random(seed), 20_000):
            pass
        assert match.over in ("heroes", "monsters", ""), seed


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.data())
def test_what_is_not_legal_is_refused_and_changes_nothing(seed: int, data: st.DataObject) -> None:
    match = Match.from_record(record(seed, seed))
    steps = data.draw(st.integers(0, 25))
    for i, _ in enumerate(wanderings(match, random.Random(seed))):
        if i >= steps:
            break
    decision = match.decision
    if decision is None:
        return
    cells = st.integers(0, match.field.width * match.field.height - 1)
    ids = st.sampled_from(["c0", "c1", "c2", "c3", "c4", "c5", "nobody", "gm", None])
    action = data.draw(
        st.builds(
            Action,
            by=ids.map(lambda i: i or "c0"),
            do=st.sampled_from(
                ["free_steps", "step", "run", "leap", "climb", "rise", "drop", "flop", "attack", "rushed_attack",
                 "all_out_attack", "aimed_shot", "shield_block", "ready", "pick_up", "open", "close", "force", "guide",
                 "first_aid", "recover", "drop_item", "choose", "nonsense", "reset_crossbow", "cast", "use"]
            ),
            target=ids,
            weapon=st.sampled_from([None, "broadsword", "unarmed", "bite", "shortbow"]),
            path=st.lists(cells, max_size=4).map(tuple),
            at=st.none() | cells,
            option=st.sampled_from([None, "prone", "sitting", "fall_prone", "Burst"]),
            item=st.sampled_from(
                [None, "mace", "buckler", "ember bolt", "fire blast", "sleep", "bless", "healing draught"]
            ),
        )
    )  # fmt: skip
    legal = match.legal(decision)
    before = match.ruleset.summary(match.state)
    reason = legal.refusal(action)
    assert (action in legal) == (reason is None)
    if reason is None:
        match.act(decision, action)
    else:
        assert reason.strip()
        assert "\n" not in reason
        with pytest.raises(IllegalActionError):
            match.act(decision, action)
        assert match.ruleset.summary(match.state) == before


def test_offers_light_exactly_what_is_legal() -> None:
    match = Match.from_record(record(5))
    for decision, legal, _ in wanderings(match, random.Random(5), 120):
        for offer in match.legal(decision).offers():
            assert bool(offer.actions) == (offer.refused is None)
            assert all(action in legal for action in offer.actions)


def test_an_observation_hides_the_unseen_and_all_dice() -> None:
    rows = ["#########", "#...#...#", "#...#...#", "#########"]
    base: dict[str, Any] = {"brawn": 6, "finesse": 6, "savvy": 5, "nerve": 5}
    creatures = [
        {"id": "a", "side": "heroes", "at": [1, 1], "controller": "ai", **base},
        {"id": "b", "side": "monsters", "at": [6, 1], "controller": "ai", **base},
    ]
    match = Match.from_record(
        {"format": "battlemat/1", "ruleset": "olde", "map": {"rows": rows}, "seed": 1, "creatures": creatures}
    )
    seen = match.observe("heroes")
    assert [m.id for m in match.ruleset.board(seen).miniatures] == ["a"]
    assert seen.rng is None
    assert [m.id for m in match.ruleset.board(match.state).miniatures] == ["a", "b"]


_REPLAY = """
import hashlib, json, sys
from game.fight.match import Match
from rules.contract.text import as_builtins
match = Match.from_record(json.load(open(sys.argv[1])))
told = json.dumps([as_builtins(e) for e in match.events], sort_keys=True)
told += json.dumps(match.ruleset.summary(match.state), sort_keys=True)
print(hashlib.sha256(told.encode()).hexdigest())
"""


def test_the_same_record_gives_the_same_digest_in_another_process_and_hash_seed(tmp_path) -> None:
    match = Match.from_record(record(77))
    for _ in wanderings(match, random.Random(77), 200):
        pass
    from rules.core.record import document

    path = tmp_path / "fight.json"
    path.write_text(json.dumps(document(match.record)), encoding="utf-8")
    digests = set()
    for seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", _REPLAY, str(path)], env=environment, capture_output=True, text=True, check=True
        )
        digests.add(done.stdout.strip())
    assert len(digests) == 1
    assert len(digests.pop()) == 64


def test_a_replay_gives_the_events_of_the_game(tmp_path) -> None:
    match = Match.from_record(record(9))
    for _ in wanderings(match, random.Random(9), 300):
        pass
    again = Match.from_record(match.record.model_copy(deep=True))
    assert [as_builtins(e) for e in again.events] == [as_builtins(e) for e in match.events]
    assert again.ruleset.summary(again.state) == match.ruleset.summary(match.state)


def test_status_by_hit_points() -> None:
    assert [status(hp, 10) for hp in (10, 9, 5, 4, 1, 0, -9, -10)] == [
        "healthy", "bruised", "bruised", "wounded", "wounded", "incapacitated", "incapacitated", "dead",
    ]  # fmt: skip

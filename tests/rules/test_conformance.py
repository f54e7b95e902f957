"""What every registered ruleset must keep: `rules/contract/ruleset.py`, held by fights played at random."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from game.content import tables as content
from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.advisors.planning import Effect, Feat
from game.fight.match import Match
from rules.board.grid import beside
from rules.contract.actions import Action, Decision, pending
from rules.contract.errors import IllegalActionError, ThrowError
from rules.contract.events import Attack, Condition, Event, Moved, Roll
from rules.contract.text import as_builtins
from rules.contract.units import Cell
from rules.core import record as records
from rules.core.dice import Dice, faces_of
from rules.core.registry import RULESETS, ruleset

ROWS = [
    "################",
    "#......#.......#",
    "#......+.......#",
    "#..##..#..~~...#",
    "#......#..~~...#",
    "#..............#",
    "#......#.......#",
    "################",
]
CLOSET = [*ROWS[:3], "#..##..#..##+###", "#......#..#....#", "#.........#....#", "#......#..#....#", ROWS[7]]
"""With a room that is seen from one end of the hall alone."""
SPACES = {"heroes": [(1, 1), (1, 3), (2, 5)], "monsters": [(13, 1), (12, 5), (9, 6)]}
SEEDS = range(4)
LONGEST = 1500
"""Actions after which a random fight is broken off."""


class Turn(NamedTuple):
    """One step of a fight: what was asked and done, and what came of it."""

    before: Any
    decision: Decision
    action: Action
    after: Any
    events: tuple[Event, ...]


def document(name: str, seed: int, **more: Any) -> dict[str, Any]:
    """Three ready heroes against three monsters of the content."""
    creatures = []
    for side, known in (("heroes", content.heroes(name)), ("monsters", content.monsters(name))):
        for number, at in enumerate(SPACES[side]):
            small = [t for t, block in known.items() if block.get("space", 1) == 1]
            template = small[(seed + number) % len(small)]
            creatures.append({"id": f"{side}.{number}", "side": side, "at": list(at), "template": template})
    return {
        "format": "battlemat/1",
        "ruleset": name,
        "map": {"rows": ROWS},
        "seed": seed,
        "creatures": creatures,
        **more,
    }


def match(name: str, seed: int, **more: Any) -> Match:
    return Match.from_record(document(name, seed, **more))


@cache
def fight(name: str, seed: int) -> tuple[Turn, ...]:
    """The fight at random of a seed; played once, as states and events are values."""
    return tuple(played(name, seed))


def played(name: str, seed: int, **more: Any) -> Iterator[Turn]:
    """A fight at random, blows and ways to the foe preferred so that it comes to an end."""
    begun = match(name, seed, **more)
    rules, state, field = ruleset(name), begun.state, begun.field
    dice = random.Random(seed)
    for _ in range(LONGEST):
        decision = pending(rules.decisions(state))
        if decision is None:
            return
        actions = list(rules.legal(state, decision))
        blows = [a for a in actions if a.target is not None and a.do in ("attack", "shoot")]
        action = dice.choice(blows if blows and dice.random() < 0.8 else actions)
        if not blows and dice.random() < 0.6:
            action = _nearer(rules, state, field, decision, actions) or action
        step = rules.apply(state, decision, action)
        yield Turn(state, decision, action, step.state, step.events)
        state = step.state


def _nearer(rules: Any, state: Any, field: Any, decision: Decision, actions: list[Action]) -> Action | None:
    """The way that ends nearest to a foe."""
    foes = [m.cell for m in rules.board(state).miniatures if m.side != decision.side and not m.out]
    ways = [a for a in actions if a.path]
    if not foes or not ways:
        return None

    def gap(action: Action) -> int:
        x, y = field.at(action.path[-1])
        return min(max(abs(x - fx), abs(y - fy)) for fx, fy in map(field.at, foes))

    return min(ways, key=gap)


@pytest.fixture(params=[*RULESETS, "example"])
def name(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "example":  # the smallest ruleset: docs/rulesets.md
        monkeypatch.setitem(RULESETS, "example", "tests.rules.example_ruleset:Example")
        monkeypatch.setitem(content.FOLDERS, "example", Path(__file__).parent / "example_content")
    return str(request.param)


def told(state: Any, name: str) -> Any:
    return as_builtins(dict(ruleset(name).summary(state)))


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_is_listed_is_legal_and_can_be_applied(name: str, seed: int) -> None:
    rules = ruleset(name)
    for number, turn in enumerate(fight(name, seed)):
        legal = rules.legal(turn.before, turn.decision)
        if number % 7 == 0:
            listed = list(legal)
            assert listed
            assert len(set(listed)) == len(listed)
            for action in listed[:60]:
                assert action in legal
                assert legal.refusal(action) is None
                rules.apply(turn.before, turn.decision, action)
        if number > 120:
            break


def test_the_same_position_lists_the_same_in_the_same_order(name: str) -> None:
    rules = ruleset(name)
    for number, turn in enumerate(fight(name, 1)):
        assert list(rules.legal(turn.before, turn.decision)) == list(rules.legal(turn.before, turn.decision))
        if number > 20:
            break


WRONG = [
    Action("nobody", "attack", target="heroes.0"),
    Action("heroes.0", "dance"),
    Action("heroes.0", "attack", target="nobody"),
    Action("heroes.0", "attack", target="heroes.0"),
    Action("heroes.0", "cast", item="no such spell"),
    Action("monsters.0", "choose", option="nothing"),
]


def test_what_is_not_legal_is_refused_in_one_line_and_changes_nothing(name: str) -> None:
    rules = ruleset(name)
    for number, turn in enumerate(fight(name, 2)):
        legal, before = rules.legal(turn.before, turn.decision), told(turn.before, name)
        for action in WRONG:
            if action in legal:
                continue
            reason = legal.refusal(action)
            assert reason
            assert "\n" not in reason
            with pytest.raises(IllegalActionError):
                rules.apply(turn.before, turn.decision, action)
        assert told(turn.before, name) == before
        if number > 25:
            break


@pytest.mark.parametrize("seed", SEEDS)
def test_random_fights_end_and_lose_nobody(name: str, seed: int) -> None:
    rules = ruleset(name)
    state = match(name, seed).state
    ids = set(told(state, name)["creatures"])
    turns = 0
    for turn in fight(name, seed):
        state, turns = turn.after, turns + 1
        board = rules.board(state)
        for mini in board.miniatures:
            assert 0 <= mini.health.value <= mini.health.maximum
            assert mini.points.value >= 0
    assert ids <= set(told(state, name)["creatures"])
    assert turns < LONGEST
    assert rules.board(state).over is not None
    assert rules.decisions(state) == ()


def rolls_in(told: Any) -> Iterator[Roll]:
    """Every roll within some events."""
    if isinstance(told, Roll):
        yield told
    elif isinstance(told, tuple):
        for part in told:
            yield from rolls_in(part)
    elif isinstance(told, msgspec.Struct):
        for field in told.__struct_fields__:
            yield from rolls_in(getattr(told, field))


@pytest.mark.parametrize("seed", SEEDS)
def test_every_die_that_falls_is_told(name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No die decides anything that the log does not show; one roll may be told in several events."""
    fallen: list[int] = []
    throw = Dice.throw

    def watched(self: Dice, rank: int, faces: int = 0) -> int:
        face = throw(self, rank, faces)
        if (faces or faces_of(rank)) > 1:
            fallen.append(face)
        return face

    monkeypatch.setattr(Dice, "throw", watched)
    match(name, seed)
    start, thrown = len(fallen), 0
    fallen.clear()
    for turn in played(name, seed):
        fell = fallen[start:] if not thrown else fallen[:]  # the start's own come before the first turn's
        told = {id(roll): roll for roll in rolls_in(turn.events)}
        assert Counter(t.face for roll in told.values() for t in roll.throws) == Counter(fell)
        thrown += 1
        fallen.clear()
    assert thrown


def test_the_same_seed_gives_the_same_fight(name: str) -> None:
    first = [(turn.action, told(turn.after, name)) for turn in fight(name, 3)]
    assert first == [(turn.action, told(turn.after, name)) for turn in played(name, 3)]


def test_another_seed_gives_another_fight(name: str) -> None:
    def faces(seed: int) -> str:
        rules = ruleset(name)
        state = rules.reseeded(match(name, 3).state, seed)
        dice = random.Random(5)
        out = []
        for _ in range(60):
            decision = pending(rules.decisions(state))
            if decision is None:
                break
            step = rules.apply(state, decision, dice.choice(list(rules.legal(state, decision))))
            state = step.state
            out += [repr(event) for event in step.events]
        return "\n".join(out)

    assert len({faces(seed) for seed in range(5)}) > 1


def test_a_record_of_it_replays_to_the_same_state(name: str) -> None:
    begun = match(name, 1)
    for turn in fight(name, 1):
        begun.act(turn.decision, turn.action)
    kept = records.read(records.document(begun.record))
    assert told(Match.from_record(kept).state, name) == told(begun.state, name)


def test_an_observed_position_has_no_dice_and_none_of_what_is_unseen(name: str) -> None:
    rules = ruleset(name)
    state = match(name, 1).state
    seen = rules.sees(state, "heroes")
    known = rules.board(rules.observe(state, "heroes"))
    terrain = rules.terrain(state)
    for mini in rules.board(state).miniatures:
        here = bool(terrain.footprint(mini.cell, mini.size) & seen)
        assert (mini.id in {m.id for m in known.miniatures}) == (mini.side == "heroes" or here)


def test_what_is_observed_can_be_observed_again(name: str) -> None:
    rules = ruleset(name)
    known = rules.observe(match(name, 1).state, "heroes")
    again = rules.observe(known, "heroes")
    assert [mini.id for mini in rules.board(again).miniatures] == [mini.id for mini in rules.board(known).miniatures]


def test_no_dice_can_be_thrown_in_an_observed_position(name: str) -> None:
    rules = ruleset(name)
    for turn in fight(name, 1):
        if turn.action.do != "attack" or _harmed(name, turn, 1) is None:
            continue
        watched = rules.observe(turn.before, turn.decision.side)
        if turn.action not in rules.legal(watched, turn.decision):
            continue
        with pytest.raises(ThrowError):
            state = rules.apply(watched, turn.decision, turn.action).state
            for _ in range(20):  # whatever else must be said before the dice fall
                decision = next(d for d in rules.decisions(state) if not d.answered)
                state = rules.apply(state, decision, list(rules.legal(state, decision))[-1]).state
        return
    pytest.fail("nobody struck anybody")


def test_sealed_answers_are_nobody_elses(name: str) -> None:
    rules = ruleset(name)
    for number, turn in enumerate(fight(name, 2)):
        if turn.decision.sealed:
            mine, theirs = rules.observe(turn.after, "heroes"), rules.observe(turn.before, "heroes")
            if turn.decision.side != "heroes" and len(turn.events) == 0:
                assert told(mine, name) == told(theirs, name)
        if number > 60:
            break


@pytest.mark.parametrize("seed", SEEDS)
def test_sealed_answers_come_to_the_same_in_any_order(name: str, seed: int) -> None:
    """What sides answer at one moment, before they know the others' answers: which spoke first decides nothing, and
    then no creature's turn to speak does. Within a side that is asked alone its order may be a part of the plan."""
    rules, state, dice = ruleset(name), match(name, seed).state, random.Random(seed)
    compared = 0
    for _ in range(80):
        sealed = [d for d in rules.decisions(state) if d.sealed and not d.answered]
        if not sealed or compared == 6:
            break
        several = len({d.side for d in sealed}) > 1
        compared += several
        given = {d.by: _answers(rules, state, d, dice) for d in sealed}
        last = [d.by for d in sealed if d.kind == "resolve"]  # what lets it all happen comes after it all
        first = [by for by in given if by not in last]
        other = first[::-1] if several else first
        forth, back = (_answered(name, state, given, turn + last) for turn in (first, other))
        assert told(forth, name) == told(back, name)
        state = forth
        while (open_ := pending(rules.decisions(state))) is not None and not open_.sealed:
            state = rules.apply(state, open_, dice.choice(list(rules.legal(state, open_)))).state
    print(name, seed, compared)


def _answers(rules: Any, state: Any, decision: Decision, dice: random.Random) -> list[Action]:
    """Something at random, and that this is all."""
    legal = list(rules.legal(state, decision))
    blows = [a for a in legal if a.target is not None and a.do in ("attack", "shoot")]
    ways = [a for a in legal if a.path and a.do in ("walk", "jog", "move")]
    return [dice.choice(blows or ways or legal), *(Action(decision.by, do) for do in ("end", "ready"))]


def _answered(name: str, state: Any, given: dict[str, list[Action]], turn: list[str]) -> Any:
    """All their answers given in this order, each as far as it is still asked for in this moment."""
    rules, moment = ruleset(name), _moment(name, state)
    for by in turn:
        for action in given[by]:
            mine = [d for d in rules.decisions(state) if d.by == by and d.sealed and not d.answered]
            if mine and _moment(name, state) == moment and action in rules.legal(state, mine[0]):
                state = rules.apply(state, mine[0], action).state
    return state


def _moment(name: str, state: Any) -> tuple[Any, ...]:
    return tuple(told(state, name).get(word) for word in ("turn", "round", "phase"))


def test_with_fog_everybody_is_told_of_what_befalls_their_own(name: str) -> None:
    rules = ruleset(name)
    options = {"fog": True}
    sides = {c["id"]: c["side"] for c in document(name, 1)["creatures"]}
    told_apart = 0
    for turn in played(name, 1, options=options):
        for event in turn.events:
            by = sides.get(getattr(event, "by", None) or "")
            if event.seen_by:
                told_apart += 1
                assert by is None or by in event.seen_by or isinstance(event, Moved)
    assert told_apart
    assert rules.sees(match(name, 1).state, "heroes") > 0


def test_in_fog_a_side_knows_doors_as_it_saw_them_last(name: str) -> None:
    """Worked out here from what each side saw moment by moment; the ground it plans on is the one it remembers."""
    rules = ruleset(name)
    changes = strange = 0
    for seed in range(4):
        begun = match(name, seed, options={"fog": True}, map={"rows": CLOSET})
        field = begun.field
        state, dice = begun.state, random.Random(seed)
        known = {side: [door.state for door in field.doors] for side in SPACES}
        for _ in range(120):
            decision = pending(rules.decisions(state))
            if decision is None:
                break
            actions = list(rules.legal(state, decision))
            doors = [a for a in actions if a.target in {door.id for door in field.doors}]
            wander = [a for a in actions if a.path]
            action = dice.choice(doors or (wander if wander and dice.random() < 0.5 else actions))
            before, state = state, rules.apply(state, decision, action).state
            stands = rules.board(state).doors
            changes += stands != rules.board(before).doors
            for side, memory in known.items():
                seen = rules.sees(before, side) | rules.sees(state, side)
                seen = beside(seen, field.width, field.height)
                for i, door in enumerate(field.doors):
                    if seen >> door.cell & 1:
                        memory[i] = stands[i]
                mine = rules.observe(state, side)
                assert list(rules.board(mine).doors) == memory
                closed = [not rules.terrain(mine).fits(door.cell, 1) for door in field.doors]
                assert closed == [state != "open" for state in memory]
                strange += tuple(memory) != stands
    if name != "example":  # there doors stay as they are
        assert changes > 3 and strange > 3


@pytest.mark.parametrize("seed", SEEDS)
def test_the_picture_made_from_events_is_the_state(name: str, seed: int) -> None:
    """Where everybody stands and who is out follows from the events alone."""
    rules = ruleset(name)
    begun = match(name, seed)
    field = begun.field
    cells = {mini.id: mini.cell for mini in rules.board(begun.state).miniatures}
    dead: set[str] = set()
    for turn in fight(name, seed):
        for event in turn.events:
            if isinstance(event, Moved) and event.path:
                cells[event.by] = field.cell(*event.path[-1])
            if isinstance(event, Condition) and event.gained:
                if event.condition == "dead":
                    dead.add(event.target)
                if event.condition in ("fled", "routed", "retreated", "fallen"):
                    cells.pop(event.target, None)
        board = rules.board(turn.after)
        assert {mini.id: mini.cell for mini in board.miniatures if mini.id in cells} == cells
        assert {mini.id for mini in board.miniatures if mini.dead} == dead & set(cells)


def test_odds_agree_with_what_happens(name: str) -> None:
    """The exact chance to do damage, against 400 throws of the same blow with other seeds."""
    rules = ruleset(name)
    checked = 0
    for turn in fight(name, 1):
        if turn.action.do != "attack" or turn.action.target is None:
            continue
        odds = rules.odds(turn.before, turn.action)
        assert odds is not None
        assert abs(sum(chance for _, chance in odds.outcomes) - 1) < 1e-6
        assert abs(sum(chance for _, chance in odds.damage) - 1) < 1e-6
        assert abs(sum(value * chance for value, chance in odds.damage) - odds.mean) < 1e-6
        harmed = _harmed(name, turn, 400)
        if harmed is None:
            continue
        chance = 1 - dict(odds.damage).get(0, 0.0)
        assert abs(harmed / 400 - chance) < 4 * max(0.02, (chance * (1 - chance) / 400) ** 0.5)
        checked += 1
        if checked == 2:
            return
    assert checked


def test_the_odds_of_whatever_is_legal_are_odds(name: str) -> None:
    """Every chance between 0 and 1, every outcome named, all of them together certain, whatever the deed."""
    rules = ruleset(name)
    told_of: set[str] = set()
    for number, turn in enumerate(fight(name, 2)):
        for action in list(rules.legal(turn.before, turn.decision))[:80]:
            odds = rules.odds(turn.before, action)
            if odds is None:
                continue
            told_of.add(action.do)
            assert 0 <= odds.hit <= 1 + 1e-9, action
            assert abs(sum(chance for _, chance in odds.outcomes) - 1) < 1e-6, action
            assert not odds.damage or abs(sum(chance for _, chance in odds.damage) - 1) < 1e-6, action
        if number > 60:
            break
    assert "attack" in told_of


def _harmed(name: str, turn: Turn, runs: int) -> int | None:
    """How often the blow does damage when nothing but it is played out; None where it isn't struck at once."""
    rules = ruleset(name)
    count = 0
    for seed in range(runs):
        step = rules.apply(rules.reseeded(turn.before, seed), turn.decision, turn.action)
        resolve = [d for d in rules.decisions(step.state) if d.kind == "resolve"]
        pooled = bool(resolve) and not any(isinstance(event, Attack) for event in step.events)
        if pooled:
            step = rules.apply(step.state, resolve[0], next(iter(rules.legal(step.state, resolve[0]))))
        blows = [e for e in step.events if isinstance(e, Attack) and e.target == turn.action.target]
        mine = [e for e in blows if e.by == turn.action.by]
        if not mine:
            return None
        count += any(e.damage > 0 for e in blows) if pooled else mine[0].damage > 0
    return count


def test_planners_are_answered(name: str) -> None:
    """Everybody on the board is a piece; ways lead where they say; who can be struck is an enemy."""
    rules = ruleset(name)
    for number, turn in enumerate(fight(name, 2)):
        if turn.decision.kind != "chance":
            continue
        pieces = {piece.id: piece for piece in advisor_of(rules).pieces(turn.before)}
        assert set(pieces) == {mini.id for mini in rules.board(turn.before).miniatures}
        outlook = advisor_of(rules).outlook(turn.before, turn.decision.by)
        assert outlook.end in rules.legal(turn.before, turn.decision)
        for way in outlook.ways[:2]:
            cell = way.cells.bit_length() - 1
            actions = advisor_of(rules).route(turn.before, turn.decision.by, way, Cell(cell))
            if actions:
                assert actions[0] in rules.legal(turn.before, turn.decision)
        for target in advisor_of(rules).targets(turn.before, turn.decision.by, 1 << pieces[turn.decision.by].cell):
            assert pieces[target.id].side != turn.decision.side
        for measure in advisor_of(rules).measures(turn.before, turn.decision):
            assert measure.action in rules.legal(turn.before, turn.decision)
            assert 0 <= measure.chance <= 1 + 1e-9 and measure.points >= 0
            assert not isinstance(measure, Feat) or measure.cost >= 0
            assert not isinstance(measure, Effect) or {foe for foe, *_ in measure.blows} <= set(pieces)
        if number > 60:
            break


def test_windows_are_answered(name: str) -> None:
    """Every offer is legal or says why not; every creature has a sheet; every term a sentence."""
    rules = ruleset(name)
    for number, turn in enumerate(fight(name, 2)):
        legal = rules.legal(turn.before, turn.decision)
        for offer in legal.offers():
            assert bool(offer.actions) != bool(offer.refused)
            for action in offer.actions[:5]:
                assert action in legal
                assert rules.describe(turn.before, action).label
        for mini in rules.board(turn.before).miniatures:
            sheet = rules.sheet(turn.before, mini.id)
            assert sheet.id == mini.id
            assert sheet.bars
            for badge in mini.badges:
                assert badge.text
        for event in turn.events:
            assert "\n" not in rules.tell(turn.after, event)
        if number > 60:
            break


@pytest.mark.parametrize("seed", SEEDS)
def test_decisions_of_a_kind_offer_the_same_in_the_same_order_each_by_a_key_of_its_own(name: str, seed: int) -> None:
    rules = ruleset(name)
    known: dict[str, Any] = {}
    for number, turn in enumerate(fight(name, seed)):
        if turn.decision.kind == "choose":
            continue
        offers = rules.legal(turn.before, turn.decision).offers()
        faces = [(o.do, o.description.group, o.description.key, o.description.rank) for o in offers]
        assert known.setdefault(turn.decision.kind, faces) == faces
        keys = [key for _, _, key, _ in faces if key]
        assert len(keys) == len(set(keys))
        if number > 120:
            break

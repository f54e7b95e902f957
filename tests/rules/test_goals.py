"""Goals other than killing, under every ruleset alike (rules.explore.goals; docs/maps.md, goals)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from game.content import tables as content
from game.controllers.ai.controller import AiController
from game.fight.match import Match
from rules.contract.actions import Action
from rules.contract.errors import BattlematError
from rules.contract.events import Event, Freed, Goal, Left, Over
from rules.core.registry import RULESETS, ruleset

ROWS = ["##########", "#........#", "#........#", "#........#", "##########"]
EXIT = [1, 1]
Wish = Callable[[list[Action]], Action | None]


def document(name: str, goals: Sequence[Mapping[str, Any]], *, exits: bool = True, **more: Any) -> dict[str, Any]:
    """Two heroes at the exit with a captive beside them, and a foe far off."""
    hero, foe = next(iter(content.heroes(name))), "goblin"
    where = {"rows": ROWS, "goals": [*goals], **({"exits": [EXIT, [1, 2]]} if exits else {})}
    people = [("ada", "heroes", [1, 1], hero), ("bo", "heroes", [1, 2], hero), ("gob", "monsters", [8, 3], foe)]
    creatures: list[dict[str, Any]] = [
        {"id": i, "side": side, "at": at, "template": t, "controller": "human"} for i, side, at, t in people
    ]
    captive = {"id": "cap", "side": "captives", "prisoner": True, "at": [2, 1], "template": hero}
    return {"format": "battlemat/1", "ruleset": name, "map": where, "seed": 5,
            "creatures": [*creatures, {**captive, "controller": "human"}], **more}  # fmt: skip


def match(name: str, goals: Sequence[Mapping[str, Any]], **more: Any) -> Match:
    return Match.from_record(document(name, goals, **more))


def idle(actions: list[Action]) -> Action:
    """What lets time pass: the plan or the chance is over, the side resolves."""
    for do in ("resolve", "end", "hold", "choose"):
        for action in actions:
            if action.do == do:
                return action
    return actions[0]


def play(fight: Match, wish: Wish, until: Callable[[], bool] = lambda: False) -> list[Event]:
    """Decision after decision: what is wished for where it is legal, else time passes. All events."""
    told: list[Event] = []
    for _ in range(200):
        if until():
            break
        open_now = [d for d in fight.decisions if not d.answered] or list(fight.decisions)
        if not open_now:
            break
        heroes = (d for d in open_now if d.side == "heroes")
        chosen = next((found for d in heroes if (found := wish(list(fight.legal(d)))) is not None), None)
        decision = open_now[0] if chosen is None else next(d for d in open_now if d.by == chosen.by)
        action = idle(list(fight.legal(decision))) if chosen is None else chosen
        told += fight.act(decision, action)
    return told


def wanting(*words: str) -> Wish:
    """The first of some deeds that is legal."""

    def wish(actions: list[Action]) -> Action | None:
        return next((action for word in words for action in actions if action.do == word), None)

    return wish


def state_of(fight: Match) -> dict[str, str]:
    return {row["name"]: row["state"] for row in fight.ruleset.summary(fight.state)["goals"]}


def goal_events(events: list[Event]) -> list[tuple[str, str]]:
    return [(event.goal, event.state) for event in events if isinstance(event, Goal)]


@pytest.mark.parametrize("name", RULESETS)
class TestGoals:
    def test_a_prisoner_is_freed_and_all_get_out_and_the_evening_is_won(self, name: str) -> None:
        goals: list[dict[str, Any]] = [
            {"name": "friend", "kind": "free", "what": "cap"},
            {"name": "away", "kind": "out", "needs": ["friend"]},
        ]
        fight = match(name, goals)
        assert state_of(fight) == {"friend": "open", "away": "open"}
        told = play(fight, wanting("free"), until=lambda: not fight.ruleset.summary(fight.state).get("bound"))
        assert [type(e) for e in told if isinstance(e, Freed | Goal)] == [Freed, Goal]
        assert state_of(fight) == {"friend": "done", "away": "open"}
        assert any(piece.id == "cap" and not piece.out for piece in fight.board().miniatures)
        walked = play(fight, step_out)
        assert sum(isinstance(event, Left) for event in walked) == 3
        assert goal_events(walked) == [("away", "done")]
        assert [(e.winner, e.because) for e in walked if isinstance(e, Over)] == [("heroes", "goals")]
        assert fight.ruleset.summary(fight.state)["achieved"] == ["heroes"]

    def test_somebody_bound_takes_no_part_and_nobody_strikes_at_it(self, name: str) -> None:
        fight = match(name, [])
        assert all(d.by != "cap" for d in fight.decisions)
        assert any(piece.id == "cap" and piece.cell == fight.field.cell(2, 1) for piece in fight.board().miniatures)
        assert "goals" not in fight.ruleset.summary(fight.state)
        assert fight.ruleset.summary(fight.state)["bound"] == ["cap"]

    def test_leaving_without_what_was_to_be_done_is_no_victory(self, name: str) -> None:
        fight = match(name, [{"name": "gob", "kind": "end", "what": "gob"}])
        told = play(fight, wanting("leave"))
        assert [event.winner for event in told if isinstance(event, Over)] == ["monsters"]
        assert state_of(fight) == {"gob": "open"}

    def test_a_space_is_reached_and_the_fight_is_won_where_there_is_no_exit(self, name: str) -> None:
        fight = match(name, [{"name": "here", "kind": "reach", "at": [EXIT]}], exits=False)
        assert fight.decisions == () and fight.board().over == "heroes"

    def test_ground_is_held_for_so_many_rounds_on_end(self, name: str) -> None:
        goals: list[dict[str, Any]] = [{"name": "ground", "kind": "hold", "at": [[1, 1], [1, 2]], "rounds": 2}]
        fight = match(name, goals, exits=False)
        assert state_of(fight) == {"ground": "open"}
        told = play(fight, lambda actions: None)
        assert goal_events(told) == [("ground", "done")]
        assert fight.board().over == "heroes"
        task = fight.board().goals[0]
        assert (task.done, task.of, task.state) == (2, 2, "done")

    def test_who_is_noticed_fails_to_get_away_unseen_and_what_needs_that_fails_too(self, name: str) -> None:
        goals: list[dict[str, Any]] = [{"name": "unseen", "kind": "unseen", "optional": True},
                 {"name": "proud", "kind": "reach", "at": [[8, 1]], "needs": ["unseen"]}]  # fmt: skip
        assert state_of(match(name, goals)) == {"unseen": "failed", "proud": "failed"}

    def test_a_goal_counts_only_once_what_it_needs_is_done(self, name: str) -> None:
        goals: list[dict[str, Any]] = [{"name": "gob", "kind": "end", "what": "gob"},
                 {"name": "here", "kind": "reach", "at": [EXIT], "needs": ["gob"]}]  # fmt: skip
        fight = match(name, goals)
        assert state_of(fight)["here"] == "open"
        assert [task.waits for task in fight.board().goals] == [False, True]

    def test_a_side_hears_of_its_own_goals_alone(self, name: str) -> None:
        goals: list[dict[str, Any]] = [{"name": "ours", "kind": "reach", "at": [EXIT], "optional": True},
                 {"name": "theirs", "kind": "end", "what": "ada", "side": "monsters"}]  # fmt: skip
        fight = match(name, goals, options={"fog": True})
        for side, own in (("heroes", "ours"), ("monsters", "theirs")):
            seen = fight.ruleset.observe(fight.state, side)
            assert [task.name for task in fight.ruleset.board(seen).goals] == [own]
        told = [event for event in fight.events if isinstance(event, Goal)]
        assert [(event.goal, event.seen_by) for event in told] == [("ours", ("heroes",))]

    def test_a_prisoner_out_of_sight_is_not_on_the_board(self, name: str) -> None:
        record = document(name, [{"name": "friend", "kind": "free", "what": "cap"}], options={"fog": True})
        record["map"]["rows"] = ["##########", "#.#......#", "#.#......#", "#.#......#", "##########"]
        record["creatures"][-1]["at"] = [5, 1]
        fight = Match.from_record(record)
        for side, there in (("heroes", False), ("monsters", True)):
            seen = fight.ruleset.board(fight.ruleset.observe(fight.state, side))
            assert any(piece.id == "cap" for piece in seen.miniatures) is there

    def test_a_goal_about_nobody_is_refused_in_one_line(self, name: str) -> None:
        for goal, word in (
            ({"kind": "end", "what": "dragon"}, "dragon"),
            ({"kind": "free", "what": "gob"}, "prisoner"),
        ):
            with pytest.raises(BattlematError, match=word):
                match(name, [{"name": "odd", **goal}])
        with pytest.raises(BattlematError, match="no exit"):
            match(name, [{"name": "away", "kind": "out"}], exits=False)

    def test_the_computer_plays_a_map_with_goals_to_its_end(self, name: str) -> None:
        record = document(name, [{"name": "gob", "kind": "end", "what": "gob"}])
        for one in record["creatures"]:
            one["controller"] = "ai"
        fight, computer = Match.from_record(record), AiController()
        for _ in range(600):
            decision = next((d for d in fight.decisions if not d.answered), next(iter(fight.decisions), None))
            if decision is None:
                break
            fight.act(
                decision, computer.choose(fight.ruleset, fight.observe(decision.side), decision, fight.legal(decision))
            )
        assert fight.board().over is not None


def step_out(actions: list[Action]) -> Action | None:
    """Leaves, or else goes to the exit."""
    found = wanting("leave")(actions)
    if found is None:
        ends = (11, 21)
        found = next(
            (a for a in actions if a.do in ("free_steps", "step", "move", "walk") and a.path[-1] in ends), None
        )
    return found


def test_a_field_without_goals_and_prisoners_keeps_no_aims() -> None:
    for name in RULESETS:
        record = document(name, [])
        record["creatures"].pop()
        fight = Match.from_record(record)
        assert fight.state.aims is None
        assert all(offer.do not in ("free", "leave") for d in fight.decisions for offer in fight.legal(d).offers())


@pytest.mark.parametrize("name", RULESETS)
def test_nobody_ends_a_way_where_a_prisoner_stands(name: str) -> None:
    fight = match(name, [])
    taken, seen = fight.field.cell(2, 1), False
    for _ in range(60):
        for decision in fight.decisions:
            legal = fight.legal(decision)
            ways = [action for action in legal if action.path and decision.side == "heroes"]
            seen = seen or bool(ways)
            assert all(action.path[-1] != taken for action in ways)
        if seen or not fight.decisions:
            break
        fight.act(fight.decisions[0], idle(list(fight.legal(fight.decisions[0]))))
    assert seen


CRAWLING = [name for name in RULESETS if any(switch.name == "crawl" for switch in ruleset(name).switches)]


@pytest.mark.parametrize("name", CRAWLING)
def test_who_is_freed_in_an_exploration_explores_from_then_on(name: str) -> None:
    record = document(name, [{"name": "friend", "kind": "free", "what": "cap"}], options={"crawl": True, "fog": True})
    record["map"]["rows"] = ["##########", "#....#...#", "#....#...#", "#....#...#", "##########"]
    fight = Match.from_record(record)
    assert {decision.by for decision in fight.decisions} == {"ada", "bo"}
    told = play(fight, wanting("free"), until=lambda: state_of(fight)["friend"] == "done")
    assert [event.target for event in told if isinstance(event, Freed)] == ["cap"]
    play(fight, wanting(), until=lambda: any(decision.by == "cap" for decision in fight.decisions))
    assert any(decision.by == "cap" for decision in fight.decisions)


@pytest.mark.parametrize("name", CRAWLING)
def test_freeing_somebody_in_an_exploration_says_the_time_that_it_takes_as_waiting_does(name: str) -> None:
    record = document(name, [{"name": "friend", "kind": "free", "what": "cap"}], options={"crawl": True, "fog": True})
    record["map"]["rows"] = ["##########", "#....#...#", "#....#...#", "#....#...#", "##########"]
    fight = Match.from_record(record)
    offers = {offer.do: offer for offer in fight.legal(fight.decisions[0]).offers()}
    assert offers["free"].description.cost == offers["end"].description.cost
    action = Action(fight.decisions[0].by, "free", target="cap")
    assert fight.ruleset.describe(fight.state, action).cost == offers["end"].description.cost


@pytest.mark.parametrize("name", CRAWLING)
def test_to_free_somebody_takes_what_it_costs(name: str) -> None:
    record = document(name, [], options={"crawl": True, "fog": True})
    record["map"]["rows"] = ["##########", "#....#...#", "#....#...#", "#....#...#", "##########"]
    record["creatures"].append({**record["creatures"][-1], "id": "too", "at": [2, 2]})
    fight = Match.from_record(record)
    decision = next(each for each in fight.decisions if each.by == "ada")
    legal = fight.legal(decision)
    assert legal.moves("free") == {} and any(legal.moves(offer.do) for offer in legal.offers())
    assert [offer.description.rank for offer in legal.offers() if offer.do == "free"] == [2]
    assert {action.target for action in legal if action.do == "free"} == {"cap", "too"}
    fight.act(decision, next(action for action in legal if action.do == "free" and action.target == "cap"))
    again = (action for each in fight.decisions if each.by == "ada" for action in fight.legal(each))
    assert not any(action.do == "free" for action in again), "not two in one turn"


@pytest.mark.parametrize("name", CRAWLING)
def test_a_thing_is_carried_out_by_the_whole_party_together(name: str) -> None:
    record = document(name, [{"name": "cup", "kind": "fetch", "what": "cup"}], options={"crawl": True})
    record["map"]["rows"] = ["##########", "#....#...#", "#....#...#", "#....#...#", "##########"]
    record["map"]["challenges"] = [{"id": "box", "kind": "chest", "at": [[2, 2]], "difficulty": 1, "contents": "cup"}]
    record["creatures"].pop()
    fight = Match.from_record(record)
    carried = wanting("tackle", "loot", "pick_up")
    play(fight, carried, until=lambda: not all(row == -1 for row in fight.state.aims.has))
    told = play(fight, wanting("leave"))
    assert goal_events(told) == [("cup", "done")]
    assert fight.ruleset.summary(fight.state)["achieved"] == ["heroes"]


@pytest.mark.parametrize("name", CRAWLING)
def test_prisoners_take_no_part_in_an_exploration_until_they_are_freed(name: str) -> None:
    """Doors, noises and watchers ask of heroes who are there: a prisoner isn't."""
    record = document(name, [], options={"crawl": True, "fog": True, "darkness": True})
    record["map"]["rows"] = ["##########", "#....+...#", "#....#...#", "#....#...#", "##########"]
    fight, asked = Match.from_record(record), set[str]()
    for number in range(80):
        for decision in fight.decisions:
            asked.add(decision.by)
        if not fight.decisions:
            break
        decision = fight.decisions[0]
        actions = list(fight.legal(decision))
        fight.act(decision, actions[(7 * number) % len(actions)] if number % 3 else idle(actions))
        if any(isinstance(event, Freed) for event in fight.events):
            break
        assert "cap" not in asked
    assert {"ada", "bo"} <= asked

"""What stands on a map, the same tests under every ruleset: each fixture is dealt with from beside it and refused with
a reason from afar, odds agree with dice, secrets stay with who found them, records replay."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from game.content import tables as content
from game.fight.match import Match
from rules.contract.actions import Action, Decision, pending
from rules.contract.events import Challenge, Event
from rules.contract.text import as_builtins
from rules.core import record as records
from rules.core.fixtures.loot import plunder_of
from rules.core.registry import RULESETS, ruleset

HALL = ["#########", "#.......#", "#.......#", "#########"]
CLOSE, FAR = [1, 1], [6, 2]
RUNS = 150
KEY = "iron key"


class Fixture(NamedTuple):
    """Something on the map, and the deed that deals with it from beside it."""

    name: str
    challenges: list[dict[str, Any]] = []
    rows: list[str] = HALL
    door: str = ""
    """How the door stands at first."""
    do: str = ""
    says: dict[str, Any] = {}
    stands: str = ""
    """How it stands when the deed has come off."""
    levels: list[str] | None = None
    climbs: list[list[int]] | None = None
    carries: str = ""


RAVINE = ["#########", "#. .....#", "#. .....#", "#########"]
GATE = ["#########", "#.+.....#", "#.#.....#", "#########"]
DOOR = "door 2,1"
CHEST = {"id": "coffer", "kind": "chest", "at": [[2, 1]], "contents": "12 coins, letter"}
FIXTURES = (
    Fixture("door", rows=GATE, do="open", says={"target": DOOR}, stands="open"),
    Fixture("barred door", rows=GATE, door="barred", do="force", says={"target": DOOR}, stands="open"),
    Fixture("chest", [{**CHEST, "difficulty": 0}], do="open_chest", says={"item": "coffer"}, stands="open"),
    Fixture("locked chest", [{**CHEST, "difficulty": 9}], do="tackle", says={"item": "coffer"}, stands="open"),
    Fixture("keyed chest", [{**CHEST, "difficulty": 9, "key": KEY}], do="open_chest", says={"item": "coffer"},
            stands="open", carries=KEY),
    Fixture("trap", [{"id": "slab", "kind": "trap", "at": [[2, 1]], "damage": "d4", "known": ["heroes"]}],
            do="tackle", says={"item": "slab"}, stands="disarmed"),
    Fixture("portcullis", [{"id": "gate", "kind": "portcullis", "at": [[2, 1]]}], do="force",
            says={"target": "gate"}, stands="open"),
    Fixture("face", [{"id": "face", "kind": "climb", "at": [[2, 1]]}], do="climb", says={"at": [3, 1]}),
    Fixture("ledge", [{"id": "ledge", "kind": "climb", "edges": [[[1, 1], [2, 1]]]}],
            levels=["000000000", "001111111", "000000000", "000000000"], do="climb", says={"at": [2, 1]}),
    Fixture("rubble", [{"id": "stones", "kind": "rubble", "at": [[2, 1], [2, 2]], "difficulty": 7}], do="tackle",
            says={"item": "stones"}, stands="cleared"),
    Fixture("gap", rows=RAVINE, do="leap", says={"at": [3, 1]}),
    Fixture("stairs", levels=["000000000", "001111111", "000000000", "000000000"], climbs=[[2, 1]], do="climb",
            says={"at": [2, 1]}),
)  # fmt: skip
SKILLED = {
    "olde": {
        "brawn": 9,
        "finesse": 8,
        "skills": {"Leap": "Journeyman", "Disable": "Journeyman", "Lift/Shift": "Journeyman"},
    },
    "cairn": {"strength": 14, "dexterity": 12, "alert": "ready"},
    "countup": {
        "skills": {"lock picking": 40, "disarm trap": 40, "climbing": 45, "jumping": 45, "swimming": 45},
        "damage": 2,
    },
}
"""What the hero has, so that it may try everything."""


HURDLES: dict[str, dict[str, Any]] = {"olde": {}, "cairn": {"hurdles": True}, "countup": {"hurdles": True}}
"""The switch for rubble and gaps, where a ruleset has one."""


def document(name: str, fixture: Fixture, at: list[int], seed: int = 1, **more: Any) -> dict[str, Any]:
    hero = next(iter(content.heroes(name)))
    foe = next(
        t for t, block in content.monsters(name).items() if block.get("space", 1) == 1 and not block.get("flies")
    )
    place: dict[str, Any] = {"rows": fixture.rows, "challenges": fixture.challenges}
    place |= {"doors": {DOOR: fixture.door}} if fixture.door else {}
    place |= {"levels": fixture.levels} if fixture.levels else {}
    place |= {"climbs": fixture.climbs} if fixture.climbs else {}
    return {
        "format": "battlemat/1", "ruleset": name, "map": place, "seed": seed,
        "options": {"fixtures": True, **HURDLES[name], **more},
        "creatures": [
            {"id": "ada", "side": "heroes", "at": at, "template": hero, "carries": fixture.carries, **SKILLED[name]},
            {"id": "gob", "side": "monsters", "at": [7, 2], "template": foe, "surprised": True},
        ],
    }  # fmt: skip


def begun(name: str, fixture: Fixture, at: list[int], seed: int = 1, **more: Any) -> tuple[Any, Any]:
    """The ruleset, and the state in which the hero is asked."""
    rules = ruleset(name)
    state = Match.from_record(document(name, fixture, at, seed, **more)).state
    for _ in range(40):
        if _mine(rules, state) is not None:
            return rules, state
        decision = pending(rules.decisions(state))
        assert decision is not None
        state = rules.apply(state, decision, _idle(rules, state, decision)).state
    raise AssertionError("the hero is never asked")


def _mine(rules: Any, state: Any) -> Decision | None:
    return next((d for d in rules.decisions(state) if d.by == "ada" and not d.answered), None)


def _idle(rules: Any, state: Any, decision: Decision) -> Action:
    legal = list(rules.legal(state, decision))
    words = ("resolve", "end", "hold")
    return next((each for word in words for each in legal if each.do == word), legal[-1])


def action(fixture: Fixture, field: Any) -> Action:
    says = dict(fixture.says)
    return Action("ada", fixture.do, **({"at": field.cell(*says["at"])} if "at" in says else says))


def done(rules: Any, state: Any, deed: Action) -> Iterator[tuple[Any, tuple[Event, ...]]]:
    """The deed, and whatever must be said until it has come to something: a plan is resolved, seconds pass."""
    decision = _mine(rules, state)
    assert decision is not None
    step = rules.apply(state, decision, deed)
    yield step
    for _ in range(60):
        state = step.state
        busy = rules.id == "countup" and state.figures[0].task is not None
        planned = rules.id == "cairn" and state.plans[0] is not None
        if not (busy or planned) or (decision := pending(rules.decisions(state))) is None:
            return
        step = rules.apply(state, decision, _idle(rules, state, decision))
        yield step


def outcome(rules: Any, state: Any, deed: Action) -> Any:
    *_, (after, _) = done(rules, state, deed)
    return after


def stands(rules: Any, state: Any, fixture: Fixture) -> str:
    if fixture.challenges and fixture.challenges[0]["kind"] in ("trap", "chest"):
        return str(state.challenges[0])
    return str(rules.board(state).doors[0])


def succeeded(rules: Any, before: Any, after: Any, fixture: Fixture) -> bool:
    if fixture.stands == "cleared":
        return bool(after.cleared)
    if fixture.do in ("climb", "leap"):
        return after.figures[0].cell == before.setup.field.cell(*fixture.says["at"])
    return stands(rules, after, fixture) == fixture.stands


CASES = [(name, fixture) for name in RULESETS for fixture in FIXTURES]
IDS = [f"{name}-{fixture.name}" for name, fixture in CASES]


@pytest.mark.parametrize(("name", "fixture"), CASES, ids=IDS)
def test_what_is_beside_can_be_dealt_with(name: str, fixture: Fixture) -> None:
    for seed in range(40):
        rules, state = begun(name, fixture, CLOSE, seed)
        decision = _mine(rules, state)
        assert decision is not None
        deed = action(fixture, state.setup.field)
        assert rules.legal(state, decision).refusal(deed) is None
        listed = [each for each in rules.legal(state, decision) if each.do == fixture.do]
        assert any((each.target, each.item, each.at) == (deed.target or each.target, deed.item, deed.at or each.at)
                   for each in listed)  # fmt: skip
        if succeeded(rules, state, outcome(rules, state, deed), fixture):
            return
    pytest.fail("it never came off")


@pytest.mark.parametrize(("name", "fixture"), CASES, ids=IDS)
def test_what_is_far_off_is_refused_with_a_reason(name: str, fixture: Fixture) -> None:
    rules, state = begun(name, fixture, FAR)
    decision = _mine(rules, state)
    assert decision is not None
    legal = rules.legal(state, decision)
    deed = action(fixture, state.setup.field)
    reason = legal.refusal(deed)
    assert reason and "\n" not in reason
    # who leaps may do so over plain ground as well, under some rules
    assert all(each.do != fixture.do or (each.do == "leap" and each.at != deed.at) for each in legal)


@pytest.mark.parametrize(("name", "fixture"), CASES, ids=IDS)
def test_odds_agree_with_dice(name: str, fixture: Fixture) -> None:
    rules, state = begun(name, fixture, CLOSE)
    deed = action(fixture, state.setup.field)
    odds = rules.odds(state, deed)
    if odds is None:  # no dice decide it
        assert succeeded(rules, state, outcome(rules, state, deed), fixture)
        return
    assert abs(sum(chance for _, chance in odds.outcomes) - 1) < 1e-6
    count = sum(
        succeeded(rules, state, outcome(rules, rules.reseeded(state, seed), deed), fixture) for seed in range(RUNS)
    )
    assert abs(count / RUNS - odds.hit) < 4 * max(0.02, (odds.hit * (1 - odds.hit) / RUNS) ** 0.5)


@pytest.mark.parametrize("name", RULESETS)
def test_what_one_side_finds_nobody_else_can_tell(name: str) -> None:
    hidden = Fixture("hidden", [
        {**CHEST, "difficulty": 0, "hidden": True, "notice": 3},
        {"id": "slab", "kind": "trap", "at": [[2, 2]], "notice": 3},
        {"id": "panel", "kind": "secret_door", "at": [[3, 1]], "difficulty": 3},
    ])  # fmt: skip
    found = 0
    for seed in range(20):
        rules, state = begun(name, hidden, CLOSE, seed)
        assert rules.board(rules.observe(state, "heroes")).ground == ()
        theirs = as_builtins(rules.board(rules.observe(state, "monsters")))
        steps = list(done(rules, state, Action("ada", "search")))
        after = steps[-1][0]
        events = [event for _, more in steps for event in more]
        told = [event for event in events if isinstance(event, Challenge)]
        assert all(event.seen_by == ("heroes",) for event in told)
        now = as_builtins(rules.board(rules.observe(after, "monsters")))
        assert (now["ground"], now["doors"]) == (theirs["ground"], theirs["doors"])
        mine = rules.board(rules.observe(after, "heroes"))
        assert {mark.label for mark in mine.ground} == {e.challenge for e in told if e.kind != "door"}
        found += len(told)
    assert found > 20


@pytest.mark.parametrize("name", RULESETS)
def test_a_trap_in_the_way_springs_under_some_of_the_unwitting(name: str) -> None:
    trap = Fixture("trap", [{"id": "slab", "kind": "trap", "at": [[2, 1], [2, 2]], "damage": "d4"}])
    ways = {"olde": "step", "cairn": "move", "countup": "walk"}
    sprung = 0
    for seed in range(60):
        rules, state = begun(name, trap, CLOSE, seed)
        field = state.setup.field
        deed = Action("ada", ways[name], path=(field.cell(2, 1),))
        decision = _mine(rules, state)
        assert decision is not None
        state = rules.apply(state, decision, deed).state
        for _ in range(12):
            decision = pending(rules.decisions(state))
            if decision is None or state.challenges[0] != "set" or state.figures[0].cell == field.cell(2, 1):
                break
            state = rules.apply(state, decision, _idle(rules, state, decision)).state
        if state.challenges[0] == "sprung":
            sprung += 1
            assert state.figures[0].cell == field.cell(2, 1)
            marks = rules.board(rules.observe(state, "heroes")).ground
            assert [mark.label for mark in marks] == ["slab"]
    assert 8 <= sprung <= 52


@pytest.mark.parametrize("name", RULESETS)
def test_all_that_was_in_a_chest_is_taken_and_the_record_replays(name: str) -> None:
    chest = FIXTURES[2]
    hoard = chest._replace(challenges=[{**CHEST, "difficulty": 0, "contents": "12 coins, treasure:crypt:1, letter"}])
    match = Match.from_record(document(name, hoard, CLOSE))
    rules = match.ruleset
    wanted = [Action("ada", "open_chest", item="coffer"), Action("ada", "loot")]
    for _ in range(80):
        decision = pending(rules.decisions(match.state))
        if decision is None or (not wanted and match.state.figures[0].purse):
            break
        mine = _mine(rules, match.state)
        deed = wanted[0] if wanted else None
        if mine is not None and deed is not None and deed in rules.legal(match.state, mine):
            match.act(mine, wanted.pop(0))
        else:
            match.act(decision, _idle(rules, match.state, decision))
    figure = match.state.figures[0]
    assert figure.purse >= 14  # the hoard's coins with them
    kept = records.read(records.document(match.record))
    again = Match.from_record(kept).state
    assert as_builtins(dict(rules.summary(again))) == as_builtins(dict(rules.summary(match.state)))
    assert "letter" in (*getattr(figure, "pack", ()), *getattr(figure, "goods", ()))


@pytest.mark.parametrize("name", RULESETS)
def test_without_the_option_a_fight_offers_what_it_did(name: str) -> None:
    rules, state = begun(name, FIXTURES[2], CLOSE, fixtures=False)
    decision = _mine(rules, state)
    assert decision is not None
    offered = {offer.do for offer in rules.legal(state, decision).offers()}
    assert not offered & {"open_chest", "loot"}


@pytest.mark.parametrize("name", RULESETS)
def test_decisions_offer_the_same_kinds_whoever_decides(name: str) -> None:
    seen = set()
    for fixture in FIXTURES:
        rules, state = begun(name, fixture, CLOSE)
        decision = _mine(rules, state)
        assert decision is not None
        seen.add(tuple(offer.do for offer in rules.legal(state, decision).offers()))
    assert len(seen) == 1 and {"open_chest", "loot", "climb", "leap", "tackle"} <= set(seen.pop())


# -- on an expedition


def exploring(name: str, fixture: Fixture, seed: int = 1) -> tuple[Any, Any, Decision]:
    """An expedition in which nobody has noticed anybody: a wall stands between the hero and its foe."""
    given = document(name, fixture._replace(rows=["#########", "#...#...#", "#...#...#", "#########"]), CLOSE, seed)
    given["options"] = {"crawl": True, **HURDLES[name]}
    rules, state = ruleset(name), Match.from_record(given).state
    decision = pending(rules.decisions(state))
    assert decision is not None and (decision.kind, decision.by) == ("explore", "ada")
    return rules, state, decision


@pytest.mark.parametrize("name", RULESETS)
def test_an_expedition_opens_chests_and_takes_everything_along(name: str) -> None:
    rules, state, decision = exploring(name, FIXTURES[2])
    for do in ("open_chest", "loot"):
        deed = next(each for each in rules.legal(state, decision) if each.do == do)
        state = rules.apply(state, decision, deed).state
        found = pending(rules.decisions(state))
        assert found is not None and found.kind == "explore"
        decision = found
    figure = state.figures[0]
    assert figure.purse == 12 and "letter" in (*getattr(figure, "pack", ()), *getattr(figure, "goods", ()))
    refused = rules.legal(state, decision).refusal(Action("ada", "loot"))
    assert refused is not None and ("nothing lies within reach" in refused or "has acted" in refused)


@pytest.mark.parametrize("name", RULESETS)
def test_whoever_explores_is_told_what_there_is_to_plunder(name: str) -> None:
    rules, state, decision = exploring(name, FIXTURES[2])
    assert plunder_of(rules.legal(state, decision)) is None
    deed = next(each for each in rules.legal(state, decision) if each.do == "open_chest")
    state = rules.apply(state, decision, deed).state
    after = pending(rules.decisions(state))
    assert after is not None
    assert plunder_of(rules.legal(state, after)) == Action("ada", "loot")


@pytest.mark.parametrize("name", RULESETS)
def test_a_sheet_says_what_is_carried_and_what_is_known_of_its_worth(name: str) -> None:
    rich = FIXTURES[0]._replace(carries="7 coins, signet ring, jet necklace, letter")
    rules, state = begun(name, rich, CLOSE)
    sheet = rules.sheet(state, "ada")
    told = {line.text: line.detail for line in sheet.lines}
    told |= {each.label: each.note for each in sheet.pack.held} if sheet.pack is not None else {}
    worth = next(raw["worth"] for raw in content.tables(name)["goods"] if raw["name"] == "signet ring")
    assert told["signet ring"] == f"worth {worth}" and told["jet necklace"] == "of unknown worth"
    assert "7 coins" in told and "letter" in told

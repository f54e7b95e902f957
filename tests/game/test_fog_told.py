"""What is told in fog of war: nobody unmet is named, nothing is told twice, and no side's own secret is given away."""

from __future__ import annotations

from typing import Any

import pytest

from game.content import encounter
from game.content import tables as content
from game.fight.advice import Counsel
from game.fight.match import Match
from game.fight.viewing import Eyes
from game.scenes.fight.scene import Fight
from game.scenes.replay.why import WhyScene
from rules.contract.events import Challenge, Check, Condition, Event, Moved, Note
from rules.core.registry import RULESETS
from tests.game.hotseat_table import app_at, being

NAMES = ("Abacus", "Bellows", "Cinder", "Dapple", "Eider", "Fennel", "Garnet", "Hollyhock", "Ivory", "Jasper",
         "Kestrel", "Lobelia", "Mulberry", "Nutmeg", "Osprey", "Parsnip", "Quince")  # fmt: skip
HALLS = ["####################", "#.........#........#", "#.........#........#", "####################"]


def played(record: dict[str, Any], most: int) -> Match:
    """So many commands of a fight that computers play."""
    match = Match.from_record(record)
    mind = Counsel(match)
    while (decision := match.decision) is not None and match.history.length < most:
        match.act(decision, mind.advise(decision))
    return match


def named(record: dict[str, Any]) -> dict[str, Any]:
    """The record with a name for each creature that is part of no other word."""
    for creature, name in zip(record["creatures"], NAMES, strict=False):
        creature["name"] = name
    return record


def test_who_is_caught_unaware_unseen_is_not_named() -> None:
    gob, rat = (
        being(n, "monsters", at, controller="ai", savvy=1, nerve=1) for n, at in (("Gob", (5, 1)), ("Rat", (15, 1)))
    )
    record = {
        "format": "battlemat/1", "ruleset": "olde", "options": {"explore": True, "fog": True}, "seed": 3,
        "map": {"rows": HALLS}, "creatures": [being("Ada", "heroes", (1, 1)), gob, rat], "commands": [],
    }  # fmt: skip
    match = Match.from_record(record)
    decision = match.decision
    assert decision is not None
    match.act(decision, next(a for a in match.legal(decision) if a.do == "ambush"))

    def caught(eyes: Eyes) -> list[str]:
        notes = [event.text for event in eyes.events(match.events) if isinstance(event, Note)]
        return [text for text in notes if "caught" in text.lower()]

    assert caught(Eyes(match, ("heroes",))) == ["Caught unaware: Gob."]
    assert caught(Eyes(match, ("monsters",))) == ["Caught unaware: Gob and Rat."]
    assert caught(Eyes(match)) == caught(Eyes(match, ("heroes", "monsters"))) == ["Caught unaware: Gob and Rat."]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_who_wakes_unseen_and_is_alarmed_is_not_named(ruleset: str) -> None:
    match = Match.from_record(encounter.surprise("crypt", list(content.heroes(ruleset))[:2], 3, ruleset=ruleset))
    foe = next(str(c["id"]) for c in encounter_foes(match))
    wakes = Condition(target=foe, condition="asleep", gained=False, because="a sound")
    alarmed = [
        Note("It is alarmed!", by=foe, seen_by=("monsters",)), Note("Somebody unseen is alarmed!", seen_by=("heroes",)),
    ]  # fmt: skip
    heroes, monsters = Eyes(match, ("heroes",)), Eyes(match, ("monsters",))
    assert heroes.events([wakes, *alarmed]) == alarmed[1:]
    assert monsters.events([wakes, *alarmed]) == [wakes, alarmed[0]]
    assert heroes.events([wakes]) == [wakes] and heroes.placed([alarmed[1], wakes], 3)[1] == (4, wakes)


def encounter_foes(match: Match) -> list[dict[str, Any]]:
    return [dict(c) for c in match.record.creatures if c["side"] == "monsters"]


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("explore", [False, True])
def test_nobody_is_named_whom_the_side_has_not_met(ruleset: str, explore: bool) -> None:
    record = named(encounter.surprise("crypt", list(content.heroes(ruleset))[:3], 3, ruleset=ruleset))
    record["options"] = {"fog": True, **({"explore": True} if explore and ruleset == "olde" else {})}
    match = Match.from_record(record)
    mind, told = Counsel(match), 0
    names = {c["id"]: c["name"] for c in record["creatures"] if c["side"] == "monsters"}
    met: set[str] = set()
    while (decision := match.decision) is not None and match.history.length < 60:
        known = match.observe("heroes")
        new = Eyes(match, ("heroes",)).events(match.events[told:])
        told = len(match.events)
        met |= {mini.id for mini in match.ruleset.board(known).miniatures}
        met |= {str(getattr(event, word, "")) for event in new for word in ("by", "target")}
        for event in new:
            text = match.ruleset.tell(known, event)
            assert not [name for who, name in names.items() if who not in met and name in text], text
        match.act(decision, mind.advise(decision))
    assert told > 15


def test_who_sees_everything_is_told_each_movement_once() -> None:
    match = played({**encounter.surprise("crypt", list(content.heroes("olde"))[:3], 7), "options": {"fog": True}}, 40)
    parts = [event for event in match.events if event.whole_for]
    assert parts and any(isinstance(event, Moved) for event in parts), "somebody was seen on a part of the way"

    def walked(events: list[Event]) -> list[tuple[str, tuple[int, int]]]:
        return [(e.by, step) for e in events if isinstance(e, Moved) for step in e.path]

    whole = walked([event for event in match.events if not event.whole_for])
    assert walked(Eyes(match).events(match.events)) == whole
    both = Eyes(match, ("heroes", "monsters")).events(match.events)
    assert walked(both) == whole


# -- what one side alone knows --------------------------------------------------------------------------


def trapped(fog: bool) -> dict[str, Any]:
    """Ada and a goblin that knows of a trap between them; and a secret door."""
    trap = {"id": "pit", "kind": "trap", "at": [[4, 2]], "known": ["monsters"], "difficulty": 9, "damage": "d6"}
    door = {"id": "panel", "kind": "secret_door", "at": [[7, 2]]}
    gob = being("Gob", "monsters", (6, 1), controller="ai", finesse=9)
    return {
        "format": "battlemat/1", "ruleset": "olde", "options": {"fog": fog}, "seed": 3, "commands": [],
        "map": {"rows": ["#########", "#......##", "#......##", "#########"], "challenges": [trap, door]},
        "creatures": [being("Ada", "heroes", (1, 1)), gob],
    }  # fmt: skip


@pytest.mark.parametrize("fog", [False, True])
def test_why_draws_no_trap_that_the_table_does_not_show(fog: bool) -> None:
    player = app_at()
    player.app.navigator.begin(trapped(fog))
    fight = player.app.top
    assert isinstance(fight, Fight)
    player.until(lambda: any(not moment.side for moment in fight.match.history.moments[1:]), 10)
    known = fight.ruleset.board(fight.match.observe("monsters"))
    assert any(mark.kind == "trap" for mark in known.ground), "the goblin knows it"
    if fog:
        fight.hotseat.see_all()
    assert not any(mark.kind == "trap" for mark in fight.board.ground)
    fight.telling.why()
    why = player.app.top
    assert isinstance(why, WhyScene) and why.view.board is not None
    assert not any(mark.kind == "trap" for mark in why.view.board.ground)
    assert why.view.board.doors == fight.board.doors


def test_what_the_other_side_finds_for_itself_is_not_told_without_fog_either() -> None:
    match = Match.from_record(trapped(fog=False))
    found = Challenge(by="gob", challenge="pit", kind="trap", state="found", at=(4, 2), seen_by=("monsters",))
    assert not Eyes(match, None, ("heroes",)).witnesses(found)
    assert Eyes(match, None, ("monsters",)).witnesses(found)
    assert Eyes(match).witnesses(found)


@pytest.mark.parametrize(("ruleset", "sense"), [("olde", "Alertness"), ("countup", "listening")])
def test_who_listens_for_a_sneaker_behind_a_wall_does_not_read_who_it_is(ruleset: str, sense: str) -> None:
    record: dict[str, Any] = encounter.make_encounter(
        "crypt", [next(iter(content.heroes(ruleset)))], ["goblin"], 1, ruleset=ruleset
    )
    record["map"], record["options"] = {"rows": HALLS}, {**record.get("options", {}), "explore": True, "fog": True}
    hero, goblin = record["creatures"]
    hero["name"], hero["at"], goblin["at"], goblin["controller"] = "Ada", [12, 1], [8, 1], "ai"
    match = Match.from_record(record)
    decision = match.decision
    assert decision is not None
    sneaks = [action for action in match.legal(decision) if action.do == "sneak"]
    match.act(decision, next(a for a in sneaks if match.field.at(a.path[-1]) == (11, 1)))

    def attempts(eyes: Eyes) -> list[str]:
        return [event.what for event in eyes.events(match.events) if isinstance(event, Check)]

    assert attempts(Eyes(match, ("monsters",))) == [f"{sense} against somebody unseen"]
    assert attempts(Eyes(match)) == [f"{sense} against Ada"]

"""The seam between match and window: what some sides know of boards, doors, marks and events."""

from __future__ import annotations

from typing import Any

from game.fight.match import Match
from game.fight.viewing import Eyes
from rules.contract.actions import Action
from tests.game.hotseat_table import being, table

DOORED = ["##########", "#...+....#", "#...######", "#........#", "##########"]


def match_of(**more: Any) -> Match:
    creatures = [being("Ada", "heroes", (1, 1)), being("Zugg", "beasts", (5, 1)), being("Yark", "beasts", (8, 1))]
    return Match.from_record(table(map={"rows": DOORED}, creatures=creatures, seats=[], **more))


def until(match: Match, by: str) -> None:
    while match.decision is not None and match.decision.by != by:
        match.act(match.decision, list(match.legal(match.decision))[-1])


def test_a_door_stands_as_it_was_seen_last() -> None:
    match = match_of()
    inside, outside = Eyes(match, ["heroes"]), Eyes(match, ["beasts"])
    until(match, "zugg")
    assert match.decision is not None
    before = inside.board().doors
    match.act(match.decision, Action("zugg", "open", target=match.field.doors[0].id))
    assert outside.board().doors == ("open",)
    assert inside.board().doors == ("open",) and before == ("closed",), "Ada sees it swing"


def test_who_sees_all_sees_the_very_state() -> None:
    match = match_of()
    eyes = Eyes(match)
    assert eyes.state() is match.state
    assert eyes.board() == match.board() and eyes.sight() is None and eyes.known() == -1
    assert eyes.events(match.events) == match.events


def test_several_sides_put_together_what_they_know() -> None:
    match = match_of()
    one, other, both = (Eyes(match, sides) for sides in (["heroes"], ["beasts"], ["heroes", "beasts"]))
    ids = [{mini.id for mini in eyes.board().miniatures} for eyes in (one, other, both)]
    assert ids == [{"ada"}, {"zugg", "yark"}, {"ada", "zugg", "yark"}]
    assert both.known() == one.known() | other.known()
    assert match.ruleset.observe(match.state, "heroes", "beasts").rng is None, "no dice to come, whoever looks"


def test_the_order_of_play_names_nobody_unseen() -> None:
    match = match_of()
    assert {turn.id for turn in Eyes(match, ["heroes"]).board().order} == {"ada"}


def test_an_earlier_moment_is_seen_as_it_was_then() -> None:
    match = match_of()
    until(match, "ada")
    eyes = Eyes(match, ["heroes"])
    first = eyes.board(0)
    assert first == Eyes(match, ["heroes"]).board(0)
    assert match.decision is not None
    step = next(a for a in match.legal(match.decision) if a.do == "step")
    match.act(match.decision, step)
    assert eyes.board(0) == first
    assert next(m.cell for m in eyes.board().miniatures if m.id == "ada") == step.path[-1]
    assert eyes.known(0) & ~eyes.known() == 0, "what was seen is remembered"

"""One unbroken play: exploration and fights by turns in one record, told, marked, taken back and taken up again."""

from __future__ import annotations

from functools import cache
from typing import Any

from game.controllers.ai import AiController
from game.fight.match import Match
from game.fight.seats import computers
from game.fight.viewing import Film
from game.scenes.fight.scene import Fight
from rules.contract.actions import Action, pending
from rules.contract.events import Began
from rules.core import record as records
from tests.game.hotseat_table import app_at, being, seated
from tests.game.player import Player, fight_of
from tests.game.test_ai_delving import place


def begun(**more: Any) -> dict[str, Any]:
    """A sleeper's room and a watcher's: two fights with an exploration before, between and after."""
    hob = being("Hob", "monsters", (3, 8), controller="ai", savvy=1, nerve=1, brawn=2)
    record = place(**more)
    record["creatures"] = [{**c, "controller": "human"} if c["side"] == "heroes" else c for c in record["creatures"]]
    return {**record, "creatures": [*record["creatures"], hob]}


def going_on(match: Match, fights: int, most: int = 400) -> None:
    """Play on by the computer's mind until so many fights are over, or the evening is."""
    brain = AiController()
    for _ in range(most):
        decision = pending(match.decisions)
        if decision is None or truces(match) >= fights:
            return
        known = match.observe(decision.side)
        match.act(decision, brain.choose(match.ruleset, known, decision, match.legal(decision)))


def truces(match: Match) -> int:
    return sum(isinstance(event, Began) and event.what == "truce" for event in match.events)


@cache
def kept(fights: int) -> str:
    match = Match.from_record(begun())
    going_on(match, fights)
    return records.Record.model_dump_json(match.record)


def evening(fights: int) -> dict[str, Any]:
    """A record in which so many fights are over, and exploration goes on."""
    return records.document(records.Record.model_validate_json(kept(fights)))


def loaded(player: Player, record: dict[str, Any]) -> Fight:
    return fight_of(player, record)


def told(fight: Fight) -> list[str]:
    return ["".join(getattr(p, "text", "") for p in e.pieces) for e in fight.telling.story.entries if e.heading]


def test_fights_and_exploration_take_turns_in_one_record() -> None:
    match = Match.from_record(evening(1))
    assert truces(match) == 1 and match.decision is not None and match.decision.kind == "explore"
    going_on(match, 2)
    what = [e.what for e in match.events if isinstance(e, Began) and e.what in ("fight", "truce", "exploration")]
    assert what[:4] == ["exploration", "fight", "truce", "exploration"]


def test_the_window_goes_on_where_the_record_stands_with_a_heading_for_each_part() -> None:
    player = app_at()
    fight = loaded(player, evening(1))
    assert fight.marching.on and fight.board.banner.startswith("Exploration")
    headings = told(fight)
    assert "Danger! It comes to blows." in headings and "It is quiet again. The party goes on." in headings
    assert headings.index("Danger! It comes to blows.") < headings.index("It is quiet again. The party goes on.")


def test_quiet_is_a_moment_that_swallows_no_click() -> None:
    player = app_at()
    fight = loaded(player, evening(0) if truces(Match.from_record(evening(0))) else begun())
    fight.moment.hear([Began(what="truce", number=1)])
    assert fight.moment.title == "Quiet again" and fight.moment.left > 0
    assert fight.moment.end() is False
    fight.moment.hear([Began(what="fight")])
    assert fight.moment.end() is True


def test_the_scrubber_of_an_evening_marks_its_fights() -> None:
    film = Film(Match.from_record(evening(2)), ("heroes",))
    kinds = [part.kind for part in film.parts]
    assert kinds.count("fight") == kinds.count("quiet") == 2
    assert [part.label for part in film.parts if part.kind == "fight"] == ["Fight 1", "Fight 2"]
    assert {part.at for part in film.parts} <= set(film.turns), "keys jump there"


def test_one_fight_alone_has_no_parts() -> None:
    record = place([being("Gob", "monsters", (3, 2), controller="ai")], options={})
    match = Match.from_record(record)
    going_on(match, 1, 30)
    assert Film(match).parts == []


def test_a_rewind_leads_from_the_exploration_back_into_the_fight_and_before_it() -> None:
    player = app_at()
    fight = loaded(player, evening(1))
    history = fight.match.history
    in_fight = next(n for n, m in enumerate(history.moments) if m.state.phase == "action")
    length = history.length
    fight.undoing.rewind(in_fight)
    assert not fight.marching.on and fight.board.banner == ""
    fight.undoing.rewind(1)
    assert fight.marching.on
    assert len(fight.match.record.branches) == 2
    fight.match.history.redo()
    fight.match.history.redo()
    assert history.length == length


def test_two_seats_share_an_evening_in_the_fog() -> None:
    seats = [{"name": "Ann", "colour": 0, "plays": ["ada", "bo"]}, {"name": "Ben", "colour": 1, "plays": ["cy", "di"]}]
    player = app_at()
    fight = seated(player, {**evening(1), "seats": seats})
    assert fight.seating.at.name in ("Ann", "Ben")
    assert set(fight.marching.names()) <= {"ada", "bo", "cy", "di"}
    assert all(fight.seating.seats.of(name) == fight.seating.at for name in fight.marching.names())


def test_the_same_record_gives_the_same_evening() -> None:
    one, other = Match.from_record(evening(2)), Match.from_record(evening(2))
    assert one.ruleset.summary(one.state) == other.ruleset.summary(other.state)


def test_a_hero_is_given_to_the_computer_and_taken_back() -> None:
    player = app_at()
    fight = loaded(player, {**begun(), "seed": 5})
    fight.undoing.hand_over("bo")
    assert "bo" not in fight.marching.ours()
    fight.marching.order("party_wait")
    player.until(lambda: fight.match.history.length > 3 and not fight.behind and fight.plan is not None)
    sides = {c.by: m.side for c, m in zip(fight.match.record.commands, fight.match.history.moments[1:], strict=True)}
    assert sides["bo"] == "" and sides["ada"] == "heroes"
    assert fight.telling.may_ask("bo") or fight.seating.hides
    again = Match.from_record(records.read(records.document(fight.match.record)))
    assert [m.side for m in again.history.moments] == [m.side for m in fight.match.history.moments]
    fight.undoing.hand_over("bo")
    assert "bo" in fight.marching.ours()
    done = fight.match.history.length
    fight.marching.order("party_wait")
    player.until(lambda: not fight.marching.running and not fight.behind and fight.plan is not None)
    assert {m.side for m in fight.match.history.moments[done + 1 :]} == {"heroes"}


def test_all_are_given_to_the_computer_by_one_key_and_taken_back() -> None:
    fight = loaded(app_at(), {**begun(), "seed": 5})
    fight.undoing.hand_over("bo")
    fight.undoing.hand_over_all()
    assert "bo" in fight.marching.ours(), "where the computer plays one of them, all are taken back"
    fight.undoing.hand_over_all()
    assert not fight.marching.ours() and computers(fight.match.record) >= {"ada", "bo"}
    fight.undoing.hand_over_all()
    assert {"ada", "bo"} <= set(fight.marching.ours()) and not computers(fight.match.record)


def test_an_order_goes_on_although_nobody_has_touched_anything_for_long() -> None:
    fight = loaded(app_at(), {**begun(), "seed": 5})
    fight.marching.order("party_wait")
    assert fight.marching.running
    fight.view.skip()
    fight.pacing.calm = 60.0
    assert fight.pace() is not None, "else the window sleeps in the middle of it"


def test_the_computer_thinks_anew_where_somebody_else_was_turned_to_meanwhile() -> None:
    fight = loaded(app_at(), {**begun(), "seed": 5})
    fight.undoing.hand_over_all()
    decision, thought = fight.match.decision, object()
    assert decision is not None
    fight.pacing._thinking = thought
    other = next(each for each in fight.match.decisions if each != decision)
    fight.match.turn_to(other.by)
    fight.pacing._hear(thought, decision, Action(decision.by, "end"))
    assert fight.pacing.wants_beat(), "what was thought of nobody asks any more"

"""Waves: who comes later comes by the turn, a noise or a door, where it may come in, and no fight ends before that."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import Any

import pytest

from game.content import tables as content
from game.controllers.ai import AiController
from rules.contract.actions import pending
from rules.contract.errors import RecordError
from rules.contract.events import Arrived, Attack, Began, Door, Event, Over
from rules.core import record as records
from rules.core.ground import field_of, with_left
from rules.core.registry import ruleset as ruleset_of
from tests.rules.explore.expedition import RULESETS, creature

EVERY = pytest.mark.parametrize("ruleset", RULESETS)
ROOMS = ["##################", "#......#.........#", "#......+.........#", "#......#.........#", "##################"]
FAR = ["#" * 72, *["#" + "." * 70 + "#"] * 3, "#" * 72]


def table(
    ruleset: str, waves: Sequence[dict[str, Any]], *, late: Sequence[tuple[int, int]] = ((15, 2),), foe: bool = True,
    rows: Sequence[str] = ROOMS, seed: int = 1, **more: Any,
) -> records.Record:  # fmt: skip
    """Two heroes in the west room, a foe beside them, and goblins who come later: `late0` …"""
    people = [creature(ruleset, "h0", (2, 2)), creature(ruleset, "h1", (2, 3))]
    people += [creature(ruleset, "foe", (5, 2), hp=1)] if foe else []
    people += [creature(ruleset, f"late{n}", at) for n, at in enumerate(late)]
    document = {
        "format": "battlemat/1", "ruleset": ruleset, "seed": seed, "map": {"rows": list(rows)}, "creatures": people,
        "arrivals": list(waves), "commands": [], **more,
    }  # fmt: skip
    return records.read(json.loads(json.dumps(document)))


class Played:
    """A fight that the computer plays on every side, to its end or as long as is asked for."""

    def __init__(self, record: records.Record, *, most: int = 3000) -> None:
        self.rules = ruleset_of(record.ruleset)
        self.field = with_left(field_of(record.map), record)
        template, tables = partial(content.template, record.ruleset), content.tables(record.ruleset)
        step = self.rules.start(records.scenario(record, self.field, template, tables))
        self.states, self.events = [step.state], list(step.events)
        players = {side: AiController() for side in ("heroes", "monsters")}
        for _ in range(most):
            decision = pending(self.rules.decisions(self.now))
            if decision is None:
                break
            known = self.rules.observe(self.now, decision.side)
            action = players[decision.side].choose(
                self.rules, known, decision, self.rules.legal(self.now, decision)
            )  # fmt: skip
            step = self.rules.apply(self.now, decision, action)
            self.states.append(step.state)
            self.events += step.events

    @property
    def now(self) -> Any:
        return self.states[-1]

    def arrived(self) -> list[Arrived]:
        return [event for event in self.events if isinstance(event, Arrived)]

    def turn_of(self, wanted: Event) -> int:
        """The turn, or the second, in which something happened: what had begun by then."""
        before = self.events[: self.events.index(wanted)]
        return max((e.number for e in before if isinstance(e, Began) and e.what in ("turn", "second")), default=0)

    def over(self) -> str | None:
        return next((event.winner for event in self.events if isinstance(event, Over)), None)


def start(record: records.Record) -> Played:
    return Played(record, most=0)


@EVERY
def test_who_comes_later_is_off_the_board_and_comes_at_the_turn_that_is_said(ruleset: str) -> None:
    played = Played(table(ruleset, [{"who": ["late0"], "turn": 3, "name": "the rear guard"}]))
    assert "late0" not in {mini.id for mini in played.rules.board(played.states[0]).miniatures}
    [came] = played.arrived()
    assert (came.by, came.what) == ("late0", "the rear guard")
    begun = {"olde": 2, "cairn": 3, "countup": 20}[ruleset]  # with the reset before it; in the second after
    assert begun <= played.turn_of(came) <= begun + 1


@EVERY
def test_a_fight_does_not_end_before_the_wave_that_is_due_has_come(ruleset: str) -> None:
    played = Played(table(ruleset, [{"who": ["late0"], "turn": 9}]))
    over = next(n for n, event in enumerate(played.events) if isinstance(event, Over))
    assert played.over() is not None
    if played.over() == "heroes":
        assert played.events.index(played.arrived()[0]) < over


@EVERY
def test_one_that_waits_for_what_does_not_happen_keeps_no_fight_going(ruleset: str) -> None:
    played = Played(table(ruleset, [{"who": ["late0"], "door": "door 7,2"}], seed=2))
    opened = any(isinstance(event, Door) and event.state == "open" for event in played.events)
    assert played.over() is not None and bool(played.arrived()) == opened


@EVERY
def test_a_noise_calls_those_who_hear_it_where_they_come_in_and_nobody_farther_off(ruleset: str) -> None:
    near = Played(table(ruleset, [{"who": ["late0"], "noise": True}], late=[(12, 2)]))
    first = next(n for n, event in enumerate(near.events) if isinstance(event, Attack))
    assert near.arrived() and near.events.index(near.arrived()[0]) > first
    far = Played(table(ruleset, [{"who": ["late0"], "noise": True}], late=[(68, 2)], rows=FAR))
    assert not far.arrived() and far.over() is not None


def comes_in(record: records.Record) -> tuple[int, int]:
    """Where the first wave would come in as the fight stands at its beginning."""
    played = start(record)
    arriving = import_module(f"rules.{record.ruleset}.arriving").ARRIVING
    resolution = import_module(f"rules.{record.ruleset}.state").Resolution(played.now)
    [wave] = played.field.arrivals
    return played.field.at(arriving.place(resolution, wave, played.now.setup.index[wave.who[0]]))


@EVERY
def test_out_of_their_foes_sight_though_they_were_put_within_it(ruleset: str) -> None:
    rows = ["############", *["#..........#"] * 3, "#######..###", "#..........#", "############"]
    record = table(ruleset, [{"who": ["late0"], "turn": 2}], late=[(8, 2)], rows=rows)
    played, (column, row) = start(record), comes_in(record)
    assert (column, row) != (8, 2)
    assert not played.rules.sees(played.now, "heroes") >> played.field.cell(column, row) & 1
    sudden = table(ruleset, [{"who": ["late0"], "turn": 2, "sudden": True}], late=[(8, 2)], rows=rows)
    assert comes_in(sudden) == (8, 2)


def test_where_everything_is_seen_they_come_by_the_edge_and_without_one_just_there() -> None:
    open_ground = ["..........", *[".........."] * 4]
    played = Played(table("cairn", [{"who": ["late0"], "turn": 2}], late=[(6, 2)], rows=open_ground))
    [came] = played.arrived()
    assert came.at[0] in (0, 9) or came.at[1] in (0, 4)
    closed = ["##########", *["#........#"] * 3, "##########"]
    played = Played(table("cairn", [{"who": ["late0"], "turn": 2}], late=[(6, 2)], rows=closed))
    [came] = played.arrived()
    assert max(abs(came.at[0] - 6), abs(came.at[1] - 2)) <= 1


@EVERY
def test_beside_a_door_they_come_through_it_whoever_looks(ruleset: str) -> None:
    played = Played(table(ruleset, [{"who": ["late0"], "turn": 2}], late=[(6, 2)], foe=False))
    [came] = played.arrived()
    assert max(abs(came.at[0] - 6), abs(came.at[1] - 2)) <= 1


@EVERY
def test_just_there_where_the_record_says_so(ruleset: str) -> None:
    rows = ["########", "#......#", "#......#", "#......#", "########"]
    played = Played(table(ruleset, [{"who": ["late0"], "turn": 2, "sudden": True}], late=[(6, 3)], rows=rows))
    [came] = played.arrived()
    assert max(abs(came.at[0] - 6), abs(came.at[1] - 3)) <= 1  # or the nearest free space beside somebody


@EVERY
def test_where_somebody_stands_the_nearest_free_space_will_do(ruleset: str) -> None:
    waves = [{"who": ["late0", "late1", "late2"], "turn": 2}]
    played = Played(table(ruleset, waves, late=[(15, 2)] * 3))
    at = [came.at for came in played.arrived()]
    assert len(set(at)) == 3 and all(max(abs(x - 15), abs(y - 2)) <= 1 for x, y in at)


@EVERY
def test_nobody_knows_of_a_wave_but_who_prepared_it(ruleset: str) -> None:
    played = start(table(ruleset, [{"who": ["late0"], "turn": 4}]))
    [due] = played.rules.board(played.now).due
    assert due.mini.id == "late0" and due.when in ("turn 4", "round 4", "second 31")
    assert played.rules.board(played.rules.observe(played.now, "heroes")).due == ()


@EVERY
def test_the_same_record_gives_the_same_fight(ruleset: str) -> None:
    record = table(ruleset, [{"who": ["late0"], "turn": 2}])
    assert Played(record).events == Played(record).events


@pytest.mark.parametrize(
    ("wave", "wrong"),
    [
        ({"who": ["late0"]}, "arrivals[0]: needs one of turn, noise and door"),
        ({"who": ["late0"], "turn": 3, "noise": True}, "arrivals[0]: needs one of turn, noise and door"),
        ({"who": ["late0"], "turn": 3, "after": 1}, "arrivals[0].after"),
        ({"who": ["nobody"], "turn": 3}, "no creature has the id 'nobody'"),
        ({"who": ["late0", "late0"], "turn": 3}, "comes with arrivals[0] already"),
        ({"who": ["late0"], "door": "gate"}, "no door is called 'gate'; there are door 7,2"),
        ({"who": ["h0", "h1", "foe", "late0"], "turn": 3}, "everybody comes later"),
    ],
)
def test_a_wave_that_cannot_be_is_refused_in_one_line(wave: dict[str, Any], wrong: str) -> None:
    with pytest.raises(RecordError) as refused:
        start(table("olde", [wave]))
    assert wrong in str(refused.value) and "\n" not in str(refused.value)


def test_the_first_turn_is_no_wave() -> None:
    with pytest.raises(RecordError, match=r"arrivals\[0\].turn: 2 is the least"):
        table("olde", [{"who": ["late0"], "turn": 1}])


def test_a_record_without_waves_says_nothing_of_them() -> None:
    assert "arrivals" not in records.document(table("olde", []))

"""An evening whose program was killed is there at once: its past is written along with its journal, and never trusted
where the two don't agree (game/fight/remembered.py)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from game.fight import remembered
from game.fight.match import Match
from game.storage import recovery
from game.storage.recovery import Scribe
from rules.contract.errors import RecordError
from tests.game.test_glances import RULESETS
from tests.game.test_glances import evening as first_hour
from tests.game.test_long_evening import evening
from tests.game.test_remembered import alike

STEPS = 90


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BATTLEMAT_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(remembered, "LEAST", 10)
    monkeypatch.setattr(remembered, "EVERY", 8)
    monkeypatch.setattr(remembered, "AT_MOST", 16)
    return tmp_path


@pytest.fixture(scope="module")
def played() -> Match:
    return evening(STEPS)


def killed(played: Match, upto: int = STEPS, back: int = 0) -> Match:
    """The same evening played under a scribe, whose program then ended without a word; at first so many commands of it
    were taken back and given again otherwise."""
    record = played.record.model_copy(deep=True)
    commands, record.commands = record.commands[:upto], []
    match = Match.from_record(record)
    scribe = Scribe(match, autosave=lambda: False)
    for command in commands:
        give(match, command)
    if back:
        match.history.rewind(upto - back)
        for _ in range(back):
            decision = match.decisions[0]
            match.act(decision, next(a for a in match.legal(decision) if a.do == "end"))
    scribe.abandon()
    return match


def give(match: Match, command: object) -> None:
    from rules.core import record as records

    assert isinstance(command, records.Command)
    action = records.action_of(command, match.field, 0)
    decision = records.decision_for(match.ruleset, match.state, action)
    assert decision is not None
    match.act(decision, action)


def written() -> Path:
    (path,) = recovery.left_behind()
    return remembered.along(path)


def resumed(monkeypatch: pytest.MonkeyPatch | None = None) -> Match:
    """The evening taken up; with a patch it must not be played from its beginning."""
    (found,) = recovery.interrupted()
    if monkeypatch is not None:
        monkeypatch.setattr(Match, "_play", None)
    return recovery.resume(found)


def test_a_killed_evening_goes_on_from_what_was_written_along(
    home: Path, played: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = killed(played)
    path = written()
    assert path.is_file()
    assert alike(resumed(monkeypatch), match)
    assert not path.exists(), "it went with its journal"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_the_computer_has_thought_stands_in_nobodys_way(ruleset: str, home: Path) -> None:
    """It keeps much with the fight; that is no part of the fight's past."""
    match = first_hour(ruleset, 7)
    along = remembered.Along(home / "evening.along", match.record, match.field)
    for _ in range(20):
        along.follow(match.history.moments, match.events)
    along.close()
    found = remembered.recover(home / "evening.along", match.record, match.field)
    assert found is not None and len(found.moments) > match.history.length - remembered.EVERY
    remembered.keep(b"evening", match.field, match.past())
    whole = remembered.recall(b"evening", match.field, match.history.length)
    assert whole is not None and whole.events == match.events
    assert match.ruleset.summary(whole.moments[-1].state) == match.ruleset.summary(match.state)


def test_what_was_taken_back_is_not_what_it_goes_on_from(
    home: Path, played: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = killed(played, back=20)
    found = resumed(monkeypatch)
    assert alike(found, match)
    assert found.record.commands == match.record.commands


@pytest.mark.parametrize("keep", [0, 1, 40, 500, 5000])
def test_a_broken_cache_costs_only_time(home: Path, played: Match, keep: int) -> None:
    match = killed(played)
    path = written()
    path.write_bytes(path.read_bytes()[:keep] + os.urandom(20))
    assert alike(resumed(), match)


def test_a_journal_that_says_otherwise_is_believed(home: Path, played: Match) -> None:
    """The journal holds fewer commands, or has another last one: as far as both agree the past is taken."""
    match = killed(played, upto=60)
    path = recovery.left_behind()[0]
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join(lines[:-20]) + b"\n")
    fewer = resumed()
    assert fewer.record.commands == match.record.commands[: fewer.history.length]
    assert 0 < fewer.history.length < match.history.length
    assert alike(fewer, Match.from_record(fewer.record.model_copy(deep=True)))


def test_a_past_of_another_fight_is_left_alone(home: Path, played: Match) -> None:
    killed(played)
    (found,) = recovery.interrupted()
    assert found.record is not None
    other = found.record.model_copy(update={"seed": found.record.seed + 1})
    match = Match.from_record(other.model_copy(update={"commands": []}))
    assert remembered.recover(written(), other, match.field) is None
    assert remembered.recover(written(), found.record, match.field) is not None


def test_what_lies_behind_another_command_is_not_taken(home: Path, played: Match) -> None:
    match = killed(played)
    (found,) = recovery.interrupted()
    assert found.record is not None
    whole = remembered.recover(written(), found.record, match.field)
    found.record.commands[30] = found.record.commands[30].model_copy(update={"do": "search"})
    upto = remembered.recover(written(), found.record, match.field)
    assert whole is not None and upto is not None
    assert len(whole.moments) > len(upto.moments) == 31
    assert len(upto.events) == upto.moments[-1].events


def test_a_command_that_is_refused_behind_it_ends_the_evening_there(home: Path, played: Match) -> None:
    match = killed(played)
    path = recovery.left_behind()[0]
    with path.open("ab") as stream:
        stream.write(b'{"command": {"by": "nobody", "do": "fly"}}\n')
    with pytest.raises(RecordError):
        (found,) = recovery.interrupted()
        assert found.record is not None
        Match.from_record(found.record.model_copy(deep=True), along=written())
    assert alike(resumed(), match)


def test_a_fight_that_is_left_well_leaves_nothing(home: Path, played: Match) -> None:
    match = Match.from_record(played.record.model_copy(update={"commands": []}, deep=True))
    scribe = Scribe(match, autosave=lambda: False)
    for command in played.record.commands[:40]:
        give(match, command)
    assert list(remembered.along(Path("x")).parent.glob("*.along"))
    scribe.close()
    assert not list(remembered.along(Path("x")).parent.glob("*.along"))


def test_a_disk_that_refuses_stops_nobody(home: Path, played: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(remembered, "_prune", refuse)
    match = killed(played)
    assert alike(resumed(), match)

"""Nothing lost: whatever ends the program, the fight is found again up to the last command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from game import cli
from game.fight.match import Match
from game.storage import records as storage
from game.storage import recovery
from rules.contract.errors import RecordError
from rules.core import record as records
from tests.game.doomed import opening

pytestmark = pytest.mark.usefixtures("home")


def played(commands: int, scribe: bool = True, **more: Any) -> tuple[Match, recovery.Scribe | None]:
    """A fight in which so many commands were given, the first legal one each time."""
    match = Match.from_record({**opening(3), **more})
    keeper = recovery.Scribe(match, autosave=lambda: False) if scribe else None
    for _ in range(commands):
        assert match.decision is not None
        match.act(match.decision, next(iter(match.legal(match.decision))))
    return match, keeper


def the_journal(home: Path) -> Path:
    [path] = (home / "journals").glob("*.jsonl")
    return path


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked to be killed")
@pytest.mark.parametrize("kind", ["fight", "crawl"])
def test_fifty_kills_at_random_moments_lose_nothing(home: Path, kind: str) -> None:
    command = [sys.executable, "-m", "tests.game.doomed", "50", kind]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, env={**os.environ, "BATTLEMAT_HOME": str(home)}, text=True,
                          capture_output=True, timeout=100)  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == 50
    assert all(each["killed"] for each in found)
    assert sum(each["c"] > each["s"] for each in found) > 10, "most were killed while they played"
    for each in found:
        kept = max(each["journal"], each["save"])
        assert kept >= max(each["c"], each["before"]), "every command that was done is there"
        assert kept <= max(each["c"], each["s"], each["before"]) + 1, "and none that never was"
        assert each["save"] >= each["w"], "the autosave alone has every whole chance"


def test_a_fight_without_commands_leaves_nothing_behind(home: Path) -> None:
    _, keeper = played(0)
    assert keeper is not None
    keeper.close()
    assert not (home / "journals").exists()
    assert storage.fights() == []


def test_the_journal_of_a_fight_that_is_being_played_is_not_offered(home: Path) -> None:
    _, keeper = played(4)
    assert recovery.interrupted() == []
    assert keeper is not None
    keeper.abandon()
    [found] = recovery.interrupted()
    assert found.title == "Doomed"
    assert found.record is not None
    assert len(found.record.commands) == 4


def test_two_programs_side_by_side_keep_a_journal_each(home: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, '.')\n"
        "from tests.game.test_recovery import played\n"
        "from game.storage import recovery\n"
        "match, keeper = played(3)\n"
        "print(len(recovery.interrupted()), flush=True); sys.stdin.read()\n"
    )
    _, ours = played(5)
    other = subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parents[2], text=True,
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip
    assert other.stdout is not None
    assert other.stdout.readline() == "0\n", "it takes ours for no one's"
    assert recovery.interrupted() == [], "we take theirs for no one's"
    other.kill()
    other.communicate()
    [left] = recovery.interrupted()
    assert left.record is not None
    assert len(left.record.commands) == 3
    assert ours is not None
    ours.abandon()
    assert sorted(len(f.record.commands) for f in recovery.interrupted() if f.record) == [3, 5]


def test_leaving_a_fight_saves_it_and_ends_the_journal(home: Path) -> None:
    match, keeper = played(4)
    assert keeper is not None
    keeper.close()
    assert list((home / "journals").iterdir()) == []
    [saved] = storage.fights()
    assert storage.read_record(saved) == match.record


def test_an_interrupted_fight_is_taken_up_where_it_was(home: Path) -> None:
    match, keeper = played(6)
    assert keeper is not None
    keeper.abandon()
    again = recovery.resume(recovery.interrupted()[0])
    assert again.ruleset.summary(again.state) == match.ruleset.summary(match.state)
    assert recovery.interrupted() == []
    assert storage.read_record(storage.fights()[0]) == match.record


def test_what_was_taken_back_stays_taken_back_after_a_crash(home: Path) -> None:
    match, keeper = played(5)
    assert keeper is not None
    match.history.rewind(2)
    match.act(match.decision, list(match.legal(match.decision))[-1])  # type: ignore[arg-type]
    keeper.abandon()
    [found] = recovery.interrupted()
    assert found.record == match.record
    assert len(found.record.branches) == 1


def test_typed_throws_come_back_from_the_journal(home: Path) -> None:
    match, keeper = played(3, throws=[5, 4, 3, 2])
    assert keeper is not None
    keeper.abandon()
    [found] = recovery.interrupted()
    assert found.record == match.record
    assert found.record.throws is not None
    assert found.record.throws[:4] == [5, 4, 3, 2]
    assert len(found.record.throws) == match.history.moments[-1].dice


def test_a_journal_cut_off_anywhere_gives_what_was_whole(home: Path) -> None:
    match, keeper = played(4)
    assert keeper is not None
    keeper.abandon()
    path = the_journal(home)
    data = path.read_bytes()
    lines = data.split(b"\n")
    for length in range(len(lines[0]) + len(lines[1]) + 2, len(data) + 1):
        path.write_bytes(data[:length])
        whole = data[:length].count(b"\n") - 1  # the record came with the first command in it
        _, record = recovery.read_journal(path)
        assert record.commands == match.record.commands[:whole]


def test_a_journal_cut_off_before_its_record_held_nothing_and_goes(home: Path) -> None:
    _, keeper = played(2)
    assert keeper is not None
    keeper.abandon()
    path = the_journal(home)
    for length in (0, 20, 200):
        path.write_bytes((path.read_bytes() or b"{}")[:length])
        assert recovery.interrupted() == []
        assert not path.exists()
        path.touch()


def test_a_broken_journal_is_one_line_and_stays(home: Path) -> None:
    _, keeper = played(2)
    assert keeper is not None
    keeper.abandon()
    path = the_journal(home)
    path.write_bytes(path.read_bytes().replace(b'"ruleset"', b'"rulesets"'))
    [found] = recovery.interrupted()
    assert found.record is None
    assert "ruleset" in found.fault
    assert "\n" not in found.fault
    with pytest.raises(RecordError, match="ruleset"):
        recovery.resume(found)
    assert path.exists()


def test_a_command_that_cannot_be_played_ends_what_is_taken_up(home: Path) -> None:
    match, keeper = played(4)
    assert keeper is not None
    keeper.abandon()
    path = the_journal(home)
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[-1] = '{"command":{"by":"h1","do":"levitate"}}'
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    again = recovery.resume(recovery.interrupted()[0])
    assert again.record.commands == match.record.commands[:3]


def test_a_journal_of_an_older_format_is_brought_up_to_date(home: Path) -> None:
    _, keeper = played(1)
    assert keeper is not None
    keeper.abandon()
    path = the_journal(home)
    text = path.read_text(encoding="utf-8").replace('"journal": 1', '"journal": 0')
    path.write_text(text, encoding="utf-8")

    def newer(lines: list[Any]) -> list[Any]:
        return [{**lines[0], "journal": 1, "title": "Brought up to date"}, *lines[1:]]

    assert recovery.read_journal(path, {0: newer})[0] == "Brought up to date"
    with pytest.raises(RecordError, match="not a journal"):
        recovery.read_journal(path, {})
    path.write_text(text.replace('"journal": 0', '"journal": 9'), encoding="utf-8")
    with pytest.raises(RecordError, match="newer Battlemat"):
        recovery.read_journal(path)


def test_a_disk_that_refuses_does_not_stop_the_fight(home: Path) -> None:
    (home / "journals").write_text("in the way")
    (home / "fights").write_text("in the way")
    match = Match.from_record(opening(3))
    heard: list[str] = []
    keeper = recovery.Scribe(match, trouble=heard.append)
    for _ in range(6):
        match.act(match.decision, next(iter(match.legal(match.decision))))  # type: ignore[arg-type]
    assert len(match.record.commands) == 6
    assert len(heard) == 1, "told once"
    (home / "journals").unlink()
    match.act(match.decision, next(iter(match.legal(match.decision))))  # type: ignore[arg-type]
    keeper.abandon()
    [found] = recovery.interrupted()
    assert found.record == match.record, "as soon as the disk lets it, everything is there"


def test_a_crash_report_holds_the_fault_the_system_and_the_fight(home: Path) -> None:
    match, _ = played(3, scribe=False)
    try:
        raise ZeroDivisionError("seven by nothing")
    except ZeroDivisionError as error:
        path = recovery.report(error, match)
    text = path.read_text(encoding="utf-8")
    assert path.parent == home / "reports"
    for part in ("Battlemat 0.", "Python 3.", "pydantic", "ZeroDivisionError: seven by nothing", "test_recovery.py"):
        assert part in text
    record = text.partition("as a record:\n")[2]
    assert records.read(json.loads(record)) == match.record


def test_a_failure_on_the_command_line_is_one_line_with_its_report(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> int:
        raise ZeroDivisionError("seven by nothing")

    monkeypatch.setattr(cli, "_check", broken)
    assert cli.main(["check", "crypt.tmx"]) == cli.FAILED
    out, err = capsys.readouterr()
    [report] = (home / "reports").iterdir()
    assert out == ""
    assert err == f"battlemat: the program failed (ZeroDivisionError); a report is in {report}\n"


def test_a_report_that_cannot_be_written_is_still_one_line(home: Path) -> None:
    (home / "reports").write_text("in the way")
    line = recovery.told(ZeroDivisionError("seven by nothing"))
    assert "no report could be written" in line
    assert "\n" not in line

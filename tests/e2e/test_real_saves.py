"""Nothing lost, in the real window, by mouse alone and by keys alone, in both sizes: saves, kills, failures."""

from __future__ import annotations

import json
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.real_table import MARKS, Sat, Sitting, party, ways
from tests.e2e.screen import ROOT

pytestmark = MARKS


def commands_in(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["commands"]
    return found


def walk(me: Sitting, count: int) -> list[dict[str, Any]]:
    """A step of whoever acts; the record then has so many commands."""
    me.perform(lambda a: a.do in ("free_steps", "step", "flop", "drop"))
    return me.commands(count)


def kill(me: Sitting) -> None:
    me.table.process.send_signal(signal.SIGKILL)
    me.table.process.wait(timeout=10)


def learnt(me: Sitting, count: int) -> dict[str, Any]:
    """Wait until the list of saved fights knows how so many of them stand."""

    def ask(status: dict[str, Any]) -> Any:
        costs = [w["cost"] for w in status["widgets"] if w.get("cost")]
        told = ("today", "yesterday")
        known = sum((" · " in cost and cost.startswith(told)) or cost.startswith("Broken") for cost in costs)
        return status["scene"] == "load" and known >= count and status

    found: dict[str, Any] = me.table.await_(f"{count} fights looked at", ask)
    return found


@ways()
def test_a_fight_is_saved_saved_quickly_and_loaded(sat: Sat, hand: str, size: str) -> None:
    me = sat(hand, size)
    me.open(record=party())
    walk(me, 1)
    fights = me.home / "fights"
    if me.keys:
        me.hand.type("ctrl+s")
    else:
        me.menu("Save")
    me.toast("Saved as ")
    me.shot("saved")
    [saved] = list(fights.glob("*-1.json"))
    assert len(commands_in(saved)) == 1
    me.hand.type("ctrl+s") if me.keys else me.menu("Save")
    me.toast("Nothing has happened since")
    walk(me, 2)
    me.hand.type("F5") if me.keys else me.menu("Quick save")
    me.toast("Saved as quick")
    assert len(commands_in(fights / "quick.json")) == 2
    walk(me, 3)
    me.hand.type("F9") if me.keys else me.menu("Quick load")
    me.commands(2)
    me.shot("quickly-loaded")
    me.menu("Load")
    learnt(me, 2)
    me.shot("list")
    me.hand.press(str(saved))
    me.commands(1)
    me.close()


@ways(("mouse", "1280x720"))
def test_the_list_watches_and_deletes_and_tells_what_is_broken(sat: Sat, hand: str, size: str) -> None:
    me = sat(hand, size)
    fights = me.home / "fights"
    fights.mkdir()
    for path in (ROOT / "tests" / "playthroughs").glob("*.json"):
        shutil.copy(path, fights)
    (fights / "torn.json").write_text('{"format": "battlemat/1"', encoding="utf-8")
    me.open()
    me.hand.press("Load")
    learnt(me, 7)
    me.shot("list")
    me.hand.press(str(fights / "torn.json"))
    me.scene("message")
    me.shot("broken")
    me.hand.press("Back")
    me.scene("load")
    if me.keys:
        focus(me, str(fights / "torn.json"))
        me.hand.type("Delete")
    else:
        me.hand.press(f"delete {fights / 'torn.json'}")
    me.scene("ask")
    me.shot("delete-asked")
    me.hand.press("stay")
    me.scene("load")
    assert (fights / "torn.json").exists()
    me.hand.press(f"delete {fights / 'torn.json'}")
    me.scene("ask")
    me.hand.press("go")
    me.scene("load")
    assert not (fights / "torn.json").exists()
    me.hand.press(f"replay {fights / 'defeat_behind_two_doors.json'}")
    me.scene("replay")
    me.do("replay_leave", "Escape")
    me.scene("load")
    me.hand.press("Back")
    me.scene("title")
    me.close()


def focus(me: Sitting, key: str) -> None:
    for _ in range(60):
        found = next((w for w in me.table.now()["widgets"] if w["focused"]), None)
        if found is not None and found["key"] == key:
            return
        me.hand.type("Tab")  # type: ignore[attr-defined]
    raise AssertionError(f"Tab does not come to {key}")


@ways()
def test_each_chance_is_saved_by_itself_and_the_oldest_go(sat: Sat, hand: str, size: str) -> None:
    me = sat(hand, size)
    me.settings(end_by_itself=False)
    me.open(record=party())
    autosaves = lambda: sorted((me.home / "fights").glob("auto-*.json"))
    for _ in range(4):
        me.match()
        known = len(me.table.fight()["commands"])
        me.do(end_button(me), "ctrl+Return")
        me.table.await_("the end of the chance", lambda s, k=known: len(s["fight"]["commands"]) > k)
    me.match()
    assert 4 <= len(autosaves()) <= 6
    newest = max(autosaves(), key=lambda path: path.stat().st_mtime_ns)
    given = me.table.fight()["commands"]
    saved = commands_in(newest)
    assert given[: len(saved)] == saved and len(saved) == len(given)
    me.menu("Load")
    learnt(me, 4)
    me.shot("autosaves")
    me.do("Back", "Escape")
    me.close()


def end_button(me: Sitting) -> str:
    return next(w["key"] for w in me.table.now()["widgets"] if w["key"].startswith("offer end"))


@ways()
def test_after_a_kill_the_fight_is_offered_waits_and_goes_on(sat: Sat, hand: str, size: str) -> None:
    me = sat(hand, size)
    me.open(record=party())
    moved = walk(me, 1)
    kill(me)
    me.open()
    me.scene("recover")
    me.shot("offered")
    me.hand.press("Later")
    me.scene("title")
    me.shot("title")
    me.hand.press("Load")
    status = me.scene("load")
    me.shot("in-the-list")
    [journal] = list((me.home / "journals").glob("*.jsonl"))
    assert any(w["key"] == str(journal) for w in status["widgets"])
    me.hand.press("Back")
    me.scene("title")
    me.hand.press("Continue")
    me.scene("recover")
    me.hand.press(str(journal))
    assert me.commands(1) == moved
    me.close()
    assert not list((me.home / "journals").glob("*.jsonl"))


@ways()
def test_several_interrupted_fights_are_offered_and_given_up_only_when_asked(sat: Sat, hand: str, size: str) -> None:
    me = sat(hand, size)
    for seed, title in enumerate(("The Crypt", "The Vault under the old Keep", "Torn"), 7):
        me.open(record=party(seed=7) | {"seed": seed, "title": title})
        me.match()
        known = len(me.table.fight()["commands"])
        me.perform(lambda a: a.do in ("free_steps", "step"))
        me.commands(known + 1)
        kill(me)
    newest = max((me.home / "journals").glob("*.jsonl"), key=lambda path: path.stat().st_mtime)
    newest.write_text(newest.read_text(encoding="utf-8").replace('"battlemat/', '"nothing/'), encoding="utf-8")
    me.open()
    me.scene("recover")
    me.shot("several")
    journals = sorted((me.home / "journals").glob("*.jsonl"), key=lambda path: path.stat().st_mtime)
    assert len(journals) == 3
    me.hand.press(f"delete {journals[0]}")
    me.scene("ask")
    me.shot("asked")
    me.hand.press("stay")
    me.scene("recover")
    me.hand.press(f"delete {journals[0]}")
    me.scene("ask")
    me.hand.press("go")
    me.scene("recover")
    assert not journals[0].exists()
    me.shot("one-given-up")
    me.hand.press(str(journals[1]))
    me.match()
    assert me.table.fight()["start"]["title"] == "The Vault under the old Keep"
    me.close()


@ways()
def test_a_failure_is_told_reported_and_the_fight_goes_on(
    sat: Sat, hand: str, size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    me = sat(hand, size)
    monkeypatch.setattr("tests.e2e.hands.WATCHED", "tests.e2e.failing")
    me.open(record=party())
    moved = walk(me, 1)
    x, y = me.bare()
    rests = me.table.now()["pointer"] == [x, y]
    (me.home / "FAIL").touch()
    if me.keys:  # something happens: the window wakes
        me.table.tool("key", "F5")
    else:
        me.table.tool("mousemove", "--window", me.table.id, str(x - 30 * rests), str(y))
    me.scene("recover")
    me.shot("failed")
    [report] = list((me.home / "reports").glob("crash-*.txt"))
    said = report.read_text(encoding="utf-8")
    assert "ZeroDivisionError: something unforeseen" in said and '"format": "battlemat/' in said
    [journal] = list((me.home / "journals").glob("*.jsonl"))
    me.hand.press(str(journal))
    assert me.commands(1) == moved
    me.close()


@ways()
def test_a_disk_that_refuses_is_told_and_the_fight_goes_on(sat: Sat, hand: str, size: str) -> None:
    me = sat(hand, size)
    for name in ("fights", "journals"):
        (me.home / name).write_text("no folder")
    me.open(record=party())
    me.perform(lambda a: a.do == "free_steps")
    me.toast("This fight cannot be kept safe")
    me.shot("told")
    me.commands(1)
    me.hand.type("ctrl+s") if me.keys else me.menu("Save")
    me.scene("message")
    me.shot("not-saved")
    me.hand.press("Back")
    walk(me, 2)
    assert me.table.leave() == 0
    assert "Traceback" not in me.table.said()

"""The replay viewer in the real window, by mouse alone and by keys alone, in both sizes; and what was missed, again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.hands import Mouse
from tests.e2e.real_table import MARKS, Sitting, ways
from tests.e2e.screen import ROOT

pytestmark = MARKS
Sat = Callable[[str, str], Sitting]
FIGHT = ROOT / "tests" / "playthroughs" / "defeat_behind_two_doors.json"


@pytest.fixture
def sat(display: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Sat]:
    found: list[Sitting] = []

    def sit(hand: str, size: str) -> Sitting:
        found.append(Sitting(display, tmp_path, hand, size, request.node.originalname))
        return found[-1]

    yield sit
    for each in found:
        each.table.stop()


def replay(me: Sitting) -> dict[str, Any]:
    found: dict[str, Any] = me.scene("replay")["replay"]
    return found


def at(me: Sitting, number: int) -> dict[str, Any]:
    """Wait until the replay is at a frame and at rest."""

    def ask(status: dict[str, Any]) -> Any:
        found = status.get("replay")
        return found and found["number"] == number and not found["busy"] and not found["gliding"] and found

    found: dict[str, Any] = me.table.await_(f"frame {number}", ask)
    return found


def opened(me: Sitting, path: Path = FIGHT, **settings: object) -> dict[str, Any]:
    """A saved fight, watched from the list of saved fights."""
    fights = me.home / "fights"
    fights.mkdir(exist_ok=True)
    (fights / "doors-1.json").write_bytes(path.read_bytes())
    me.settings(**settings)
    me.open()
    me.scene("title")
    me.hand.press("Load")
    me.scene("load")
    me.table.await_("the list", lambda s: any("saved" in t or "won" in t for t in s["texts"]) or s["widgets"])
    me.hand.press(f"replay {fights / 'doors-1.json'}")
    return replay(me)


@ways()
def test_each_control_of_the_replay_goes_where_it_says(sat: Sat, hand: str, size: str) -> None:
    me = sat(hand, size)
    now = opened(me)
    shots, turns, chances = now["shots"], now["turns"], now["chances"]
    at(me, 0)
    me.shot("start")
    me.do("replay_next", "Right")
    at(me, shots[1])
    me.do("replay_next", "period")
    at(me, shots[2])
    me.do("replay_back", "Left")
    at(me, shots[1])
    me.do("replay_back", "comma")
    at(me, shots[0])
    me.do("replay_next_chance", "shift+Right")
    at(me, chances[1])
    me.do("replay_next_chance", "shift+Right")
    at(me, chances[2])
    me.do("replay_last_chance", "shift+Left")
    at(me, chances[1])
    me.do("replay_next_turn", "Next")
    at(me, turns[1])
    me.shot("second-turn")
    me.do("replay_last_turn", "Prior")
    at(me, turns[0])
    blow = now["blows"][0]
    if me.keys:
        me.hand.type("Tab")
    else:
        me.click(next(p for p in now["pips"] if p[0] == blow)[1:3])
    at(me, blow)
    me.shot("first-blow")
    later = sorted(set(now["blows"]))[1]
    if me.keys:
        me.hand.type("n", "b")
        at(me, blow)
        me.hand.type("End")
    else:
        me.click(next(p for p in now["pips"] if p[0] == later)[1:3])
        at(me, later)
        me.click(now["spots"][-1])
    at(me, shots[-1])
    me.shot("end")
    if me.keys:
        me.hand.type("Home")
    else:
        me.click(now["spots"][0])
    at(me, 0)
    me.do("replay_leave", "Escape")
    me.scene("load")
    me.close()


@ways()
def test_the_line_of_time_is_dragged_and_steered(sat: Sat, hand: str, size: str) -> None:
    me = sat(hand, size)
    now = opened(me)
    shots, spots = now["shots"], now["spots"]
    half = len(shots) // 2
    if isinstance(me.hand, Mouse):
        me.hand.point(*spots[0])
        me.table.tool("mousedown", "1")
        seen = set()
        for place in (half // 2, half, half + half // 2, half):
            me.hand.point(*spots[place])
            seen.add(at(me, shots[place])["number"])
        me.table.counted("clicks", lambda: me.table.tool("mouseup", "1"))
        assert len(seen) == 3
    else:
        for _ in range(12):
            if replay(me)["focus"] == "scrubber":
                break
            me.hand.type("F6")
        assert replay(me)["focus"] == "scrubber"
        me.hand.type(*["Right"] * half)
    found = at(me, shots[half])
    me.shot("halfway")
    assert found["log"] == told_by_steps(me, shots[half])
    me.close()


def told_by_steps(me: Sitting, number: int) -> list[str]:
    """What the log says where the replay is stepped to from the start."""
    if me.keys:
        me.hand.type("Home")
    else:
        me.click(replay(me)["spots"][0])
    at(me, 0)
    for _ in range(number):
        me.do("replay_next", "Right")
    found = at(me, number)
    return list(found["log"])


@ways()
def test_it_plays_pauses_and_changes_its_pace(sat: Sat, hand: str, size: str) -> None:
    me = sat(hand, size)
    opened(me, speed=2)
    pace = replay(me)["pace"]
    me.do("replay_faster", "Up")
    me.table.await_("a faster pace", lambda s: s["replay"]["pace"] == pace + 1)
    me.do("replay_slower", "Down")
    me.table.await_("the pace before", lambda s: s["replay"]["pace"] == pace)
    me.do("replay_play", "space")
    me.table.await_("some frames", lambda s: s["replay"]["playing"] and s["replay"]["number"] >= 3)
    me.shot("playing")
    me.do("replay_play", "p")
    stopped = me.table.await_("a pause", lambda s: not s["replay"]["playing"] and s["replay"])
    me.shot("paused")
    for _ in range(5):
        me.do("replay_faster", "Up")
    me.table.await_("the fastest pace", lambda s: s["replay"]["pace"] == 4)
    me.do("replay_play", "space")
    me.table.await_("more frames", lambda s: s["replay"]["number"] >= stopped["number"] + 5)
    me.shot("fast")
    ends = replay(me)["ends"]
    me.table.await_(
        "the end", lambda s: s["replay"]["number"] == ends[1] and not s["replay"]["playing"], seconds=120
    )
    me.shot("played-to-the-end")
    me.close()

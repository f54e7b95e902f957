"""The replay viewer in the real window, by mouse alone and by keys alone, in both sizes; and what was missed, again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from game.controllers.ai import AiController
from game.fight.match import Match
from game.storage import records as storage
from tests.e2e.hands import Mouse
from tests.e2e.real_table import MARKS, Sat, Sitting, party, ways
from tests.e2e.screen import ROOT
from tests.game.player import arena

pytestmark = MARKS
FIGHT = ROOT / "tests" / "playthroughs" / "defeat_behind_two_doors.json"


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
    me.do("replay_next_blow", "Tab")
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
    me.table.await_("the end", lambda s: s["replay"]["number"] == ends[1] and not s["replay"]["playing"], seconds=120)
    me.shot("played-to-the-end")
    me.close()


@ways()
def test_a_sheet_is_shown_as_it_was_and_put_away(sat: Sat, hand: str, size: str) -> None:
    me = sat(hand, size)
    now = opened(me)
    name = next(iter(now["minis"]))
    if me.keys:
        me.hand.type("c")
    else:
        me.click(now["minis"][name])
    me.table.await_("the sheet", lambda s: s["replay"]["selected"] == name and not s["replay"]["gliding"])
    spot = replay(me)["minis"][name]
    assert not any(a <= spot[0] < a + w and b <= spot[1] < b + h for a, b, w, h in me.table.now()["panels"]), (
        "its sheet lies over it"
    )
    me.shot("sheet")
    me.do("replay_next_chance", "shift+Right")
    at(me, now["chances"][1])
    me.shot("sheet-later")
    if me.keys:
        me.hand.type("Escape")
    else:
        me.click(replay(me)["minis"][name])
    me.table.await_("no sheet", lambda s: s["replay"]["selected"] is None)
    me.close()


@ways(("keys", "1280x720"))
def test_the_fight_being_played_is_watched_and_branched_off(sat: Sat, hand: str, size: str) -> None:
    me = sat(hand, size)
    me.settings(end_by_itself=False)
    me.open(record=arena(title="The Hall"))
    me.commands(0)
    if me.keys:
        me.hand.type("ctrl+shift+r")
    else:
        me.menu("Replay")
    me.toast("Nothing has happened yet.")
    me.perform(lambda a: a.do == "free_steps" and a.path[-1] in (21, 22))
    me.commands(1)
    me.perform(lambda a: a.do == "attack")
    struck = me.commands(2)
    if me.keys:
        me.hand.type("ctrl+shift+r")
    else:
        me.menu("Replay")
    at(me, 0)
    me.shot("of-the-fight")
    me.do("replay_leave", "Escape")
    assert me.commands(2) == struck
    if me.keys:
        me.hand.type("ctrl+shift+r")
    else:
        me.menu("Replay")
    at(me, 0)
    me.do("replay_next", "Right")
    at(me, 1)
    me.do("replay_branch", "ctrl+Return")
    assert me.commands(1) == struck[:1]
    me.shot("branched-off")
    me.do("branch", "ctrl+b")
    me.scene("branches")
    me.hand.press("0")
    assert me.commands(2) == struck
    me.close()


@ways()
def test_a_saved_fight_is_branched_off_and_its_file_stays(sat: Sat, hand: str, size: str) -> None:
    me = sat(hand, size)
    opened(me, ROOT / "tests" / "playthroughs" / "tour_of_deeds.json")
    path = me.home / "fights" / "doors-1.json"
    before = path.read_bytes()
    me.do("replay_next_turn", "Next")
    number = me.table.await_("the next turn", lambda s: s["replay"]["number"])
    me.do("replay_branch", "ctrl+Return")
    fight = me.scene("fight")["fight"]
    assert len(fight["commands"]) == number
    me.match()
    me.shot("branched-off")
    me.close()
    assert path.read_bytes() == before


@ways()
def test_the_enemys_turn_is_shown_again_and_the_fight_goes_on(sat: Sat, hand: str, size: str) -> None:
    me = sat(hand, size)
    me.settings(end_by_itself=False, speed=2)
    me.open(record=arena(title="The Hall"))
    me.match()
    me.do("again", "ctrl+r")
    me.toast("Nobody else has done anything")
    me.shot("nothing-missed")
    for _ in range(2):
        me.match()
        known = len(me.table.fight()["commands"])
        me.do(next(w["key"] for w in me.table.now()["widgets"] if w["key"].startswith("offer end")), "ctrl+Return")
        me.table.await_("the enemy's turn", lambda s, k=known: len(s["fight"]["commands"]) > k + 1)
    me.match()
    before = me.table.fight()["commands"]
    me.do("again", "ctrl+r")
    me.table.await_("again", lambda s: s["scene"] == "replay" and s["replay"]["returns"])
    me.shot("again")
    assert me.commands(len(before)) == before
    me.do("again", "ctrl+r")
    me.table.await_("again", lambda s: s["scene"] == "replay" and s["replay"]["returns"])
    me.do("replay_leave", "Escape")
    assert me.commands(len(before)) == before
    me.close()


@ways()
def test_from_the_end_of_a_fight_to_its_replay_and_back(sat: Sat, hand: str, size: str) -> None:
    me = sat(hand, size)
    me.open("play", str(ROOT / "tests" / "playthroughs" / "victory_behind_two_doors.json"))
    me.scene("summary")
    me.shot("summary")
    me.hand.press("replay")
    at(me, 0)
    me.do("replay_branch", "ctrl+Return")
    me.commands(0)
    me.close()


@ways()
def test_in_fog_one_side_is_watched_and_by_a_switch_everything(sat: Sat, hand: str, size: str) -> None:
    me = sat(hand, size)
    record = party(seed=7)
    record["options"] = {**record.get("options", {}), "fog": True}
    match = Match.from_record(record)
    ai = AiController()
    for _ in range(60):
        decision = match.decision
        if decision is None:
            break
        seen = match.observe(decision.side)
        match.act(decision, ai.choose(match.ruleset, seen, decision, match.ruleset.legal(seen, decision)))
    path = me.home / "foggy.json"
    storage.write_record(match.record, path)
    now = opened(me, path)
    assert now["view"] == "Heroes" and now["views"] == 3
    number = now["shots"][len(now["shots"]) // 2]
    if isinstance(me.hand, Mouse):
        me.click(now["spots"][len(now["shots"]) // 2])
    else:
        me.hand.type(*["Right"] * (len(now["shots"]) // 2))
    half = at(me, number)
    me.shot("heroes")
    me.do("replay_eyes", "v")
    everything = me.table.await_("all", lambda s: s["replay"]["view"] == "Everything" and s["replay"])
    me.shot("everything")
    assert set(half["minis"]) < set(everything["minis"]) and everything["number"] == number
    me.do("replay_eyes", "v")
    me.table.await_("the others' view", lambda s: s["replay"]["view"] == "Monsters")
    me.shot("monsters")
    me.do("replay_eyes", "v")
    again = me.table.await_("the first view", lambda s: s["replay"]["view"] == "Heroes" and s["replay"])
    assert set(again["minis"]) == set(half["minis"]) and again["log"] == half["log"]
    me.close()

"""An encounter is prepared in the real window: by mouse alone, by keys alone, in both sizes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.e2e.hands import Keyboard, Mouse
from tests.e2e.preparing import Preparing, seats
from tests.e2e.real_table import MARKS, ways

pytestmark = MARKS
Sat = Callable[[str, str, str], Preparing]


sat = seats(Preparing)


def spots(pieces: list[dict[str, Any]]) -> list[tuple[int, int]]:
    return sorted((p["spot"][0], p["spot"][1]) for p in pieces)


@ways(("mouse", "1280x720"))
def test_put_down_moved_doubled_removed_and_taken_back(sat: Sat, hand: str, size: str) -> None:
    at = sat(hand, size, "table")
    at.begin()
    at.shot("empty")
    three = at.free(3)
    at.put("goblin", three)
    at.shot("three-goblins")
    assert spots(at.pieces("goblin")) == three
    down = [(x, y + 1) for x, y in three]

    # one alone, then two as a group
    at.select(three[0])
    if isinstance(at.hand, Keyboard):
        at.hand.type("Down")
    else:
        at.drag(at.pixel(three[0]), at.pixel(down[0]))
    at.table_("one moved", lambda t: spots(t["pieces"]) == sorted([down[0], *three[1:]]))
    if isinstance(at.hand, Keyboard):
        at.hand.type("Escape")
        at.cursor(three[1])
        at.hand.type("Return")
        at.hand.type("shift+Right", "shift+Return")
    else:
        above = (three[1][0], three[1][1])
        at.drag(at.pixel((three[2][0] + 1, above[1])), at.pixel(three[2]), at.pixel(three[1]))
    at.table_("two selected", lambda t: len(t["selected"]) == 2)
    at.shot("two-selected")
    if isinstance(at.hand, Keyboard):
        at.hand.type("Down")
    else:
        assert isinstance(at.hand, Mouse)
        at.hand.point(*at.pixel(three[2]))
        at.table.tool("mousedown", "1")
        at.hand.point(*at.pixel(down[2]))
        at.shot("dragging-two")
        at.table.counted("clicks", lambda: at.table.tool("mouseup", "1"))
    at.table_("all moved", lambda t: spots(t["pieces"]) == down)

    # copies of both, which stand beside them and are selected
    at.press("duplicate", "ctrl+d")
    doubled = at.table_("five", lambda t: len(t["pieces"]) == 5)
    assert len(doubled["selected"]) == 2 and not any("stand" in each for each in doubled["problems"])
    at.shot("doubled")
    at.press("remove", "Delete")
    at.table_("three left", lambda t: len(t["pieces"]) == 3)
    for count, button, key in ((5, "bar Undo", "ctrl+z"), (3, "bar Undo", "ctrl+z"), (5, "bar Redo", "ctrl+y")):
        at.press(button, key)
        at.table_(f"{count} of them", lambda t, n=count: len(t["pieces"]) == n)
    at.shot("again-five")
    at.close()


@ways()
def test_a_creature_carried_from_the_bestiary_and_copied(sat: Sat, hand: str, size: str) -> None:
    at = sat(hand, size, "carried")
    at.begin()
    spot, goal = at.free(2)
    if isinstance(at.hand, Keyboard):
        at.put("wolf", [spot])
        at.select(spot)
        at.hand.type("ctrl+c", "Escape")
        at.cursor(goal)
        at.hand.type("ctrl+v")
    else:
        assert isinstance(at.hand, Mouse)
        at.bring("offer wolf")
        left, top, wide, high = at.widget("offer wolf")["seen"]
        at.hand.point(left + wide // 2, top + high // 2)
        at.table.tool("mousedown", "1")
        at.hand.point(left + wide + 4, top)
        at.hand.point(*at.pixel(spot))
        at.shot("carried")
        at.table.counted("clicks", lambda: at.table.tool("mouseup", "1"))
        at.table_("a wolf", lambda t: spots(t["pieces"]) == [spot])
        at.select(spot)
        at.press("duplicate")
    at.table_("two wolves", lambda t: len(t["pieces"]) == 2)
    assert len({p["id"] for p in at.pieces("wolf")}) == 2
    at.shot("two-wolves")
    at.close()


@ways()
def test_a_stat_block_is_filled_in_and_a_mistake_is_told_at_once(sat: Sat, hand: str, size: str) -> None:
    at = sat(hand, size, "form")
    at.begin()
    spot, other = at.free(2)
    at.put("goblin", [spot, other])
    at.select(spot)
    (key,) = at.now["selected"]

    at.unfold("Figures")
    at.step("field brawn", 3)
    at.table_("brawn 9", lambda t: at.of(t, key).get("brawn") == 9)
    at.choose("field size", "medium")
    at.unfold("Gear")
    at.choose("field armor", "gambeson")
    at.table_("armor", lambda t: at.of(t, key).get("armor") == "gambeson")
    at.choose("field weapons", "broadsword")
    at.table_("a broadsword", lambda t: "broadsword" in at.of(t, key).get("weapons", ()))
    at.shot("changed")
    for name in ("Surprised", "Asleep"):
        at.press_in_form(f"field {name.lower()}")
        at.table_(name, lambda t, n=name: at.of(t, key).get(n.lower()) is True)
    at.shot("asleep")
    at.choose("field side", "heroes")
    at.choose("field controller", "a person")
    at.table_("ours", lambda t: (at.of(t, key)["side"], at.of(t, key)["controller"]) == ("heroes", "human"))
    at.write("field name", "Snag")
    at.table_("a name", lambda t: at.of(t, key).get("name") == "Snag")

    # a figure that no rule knows, and a name that another has
    at.write_number("field brawn", "99")
    wrong = at.table_("a mistake", lambda t: t["problems"])
    assert any("Brawn" in each or "brawn" in each for each in wrong["problems"]), wrong["problems"]
    at.shot("mistake")
    at.unfold("About")
    at.write("field id", at.one(next(p["key"] for p in at.pieces() if p["key"] != key))["id"])
    at.table_("two mistakes", lambda t: len(t["problems"]) >= 2)
    at.press("problems", "F8")
    at.shot("problems")
    if not at.keys:
        at.press("problem 0")
        at.press("problems")
    for _ in range(2):
        at.table_("a mistake", lambda t: t["problems"])
        while at.now["problems"]:
            at.press("bar Undo", "ctrl+z")
            at.table_("taken back", lambda t: True)
        break
    assert at.one(key)["brawn"] == 9
    at.press_in_form("back brawn")
    at.table_("the template's brawn", lambda t: "brawn" not in at.of(t, key))
    at.close()


@ways()
def test_the_encounter_as_a_whole(sat: Sat, hand: str, size: str) -> None:
    at = sat(hand, size, "whole")
    at.begin()
    at.press("party", "ctrl+t")
    at.table_("a party", lambda t: len(t["pieces"]) >= 3)
    at.press("foes")
    full = at.table_("foes", lambda t: {p["side"] for p in t["pieces"]} == {"heroes", "monsters"})
    assert not full["problems"]
    at.shot("party-and-foes")
    at.press("tab encounter")
    at.write("title", "Night in the crypt")
    at.table_("a title", lambda t: t["record"].get("title") == "Night in the crypt")
    at.press_in_form("human monsters")
    at.table_("people play all", lambda t: {p.get("controller") for p in t["pieces"]} == {"human"})
    at.press_in_form("ai monsters")
    at.press_in_form("Darkness")
    at.table_("darkness", lambda t: t["record"]["options"].get("darkness"))
    door = next(iter(at.now["doors"]))
    before = at.now["doors"][door][1]
    wanted = "locked" if before != "locked" else "open"
    at.choose(f"door {door}", wanted)
    at.table_("a door", lambda t: t["doors"][door][1] == wanted)
    at.shot("whole")
    at.choose("ruleset", "Count-Up", then="change rules")
    at.table_("other rules", lambda t: t["record"]["ruleset"] == "countup")
    at.shot("other-rules")
    at.press("bar Undo", "ctrl+z")
    at.table_("the rules before", lambda t: t["record"]["ruleset"] == "olde")
    at.press_in_form("seats")
    at.scene("seats")
    at.shot("seats")
    at.press("done", "Escape")
    at.close()


@ways()
def test_doors_turn_on_the_board(sat: Sat, hand: str, size: str) -> None:
    at = sat(hand, size, "doors")
    at.begin()
    now = at.now
    a, b, w, h = now["free"]
    (left, top), zoom = now["origin"], now["zoom"]
    name, (spot, state) = next(
        (name, door)
        for name, door in now["doors"].items()
        if a < left + (door[0][0] + 0.5) * zoom < a + w and b < top + (door[0][1] + 0.5) * zoom < b + h
    )
    seen = [state]
    if isinstance(at.hand, Keyboard):
        at.cursor(tuple(spot))
    for _ in range(5):
        if isinstance(at.hand, Keyboard):
            at.hand.type("Return")
        else:
            at.hand.click(*at.pixel(tuple(spot)))
        seen.append(at.table_("another state", lambda t: t["doors"][name][1] != seen[-1])["doors"][name][1])
        at.shot(seen[-1])
    assert set(seen) == {"open", "closed", "locked", "barred", "secret"} and seen[0] == seen[-1]
    at.close()


@ways()
def test_saved_played_at_once_and_opened_again(sat: Sat, hand: str, size: str) -> None:
    at = sat(hand, size, "saved")
    at.begin()
    at.press("party", "ctrl+t")
    at.table_("a party", lambda t: len(t["pieces"]) >= 3)
    at.press("foes")
    at.table_("foes", lambda t: not t["problems"])
    count = len(at.pieces())
    at.press("bar Save", "ctrl+s")
    at.scene("save encounter")
    at.shot("save")
    at.write("typed", "night")
    at.press("save now", "Return")
    saved = at.table_("a file", lambda t: t["file"] and not t["unsaved"])
    record = json.loads(Path(saved["file"]).read_text(encoding="utf-8"))
    assert len(record["creatures"]) == count and record["commands"] == []
    at.shot("saved")

    at.press("play", "ctrl+Return")
    fight = at.scene("fight")["fight"]
    assert len(fight["start"]["creatures"]) == count
    at.shot("playing")
    at.menu("Back to the table")
    at.table_("the table again", lambda t: len(t["pieces"]) == count)

    at.press("bar New", "ctrl+n")
    at.scene("maps")
    at.shot("maps")
    at.press(next(w["key"] for w in at.table.now()["widgets"] if w["key"].endswith("tavern.tmx")))
    at.table_("the tavern", lambda t: not t["pieces"] or "avern" in t["map"])
    at.shot("tavern")
    at.press("bar Open", "ctrl+l")
    at.scene("records")
    at.shot("records")
    at.press(saved["file"])
    at.table_("the crypt again", lambda t: len(t["pieces"]) == count and t["file"] == saved["file"])
    at.close()

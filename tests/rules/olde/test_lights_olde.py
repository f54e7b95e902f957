"""Torches and lanterns burn down over the minutes of an exploration, and are lit anew (olde.md §8)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.board.grid import Field
from rules.board.sight import lit
from rules.contract.actions import Action
from rules.contract.events import Item
from rules.olde import display as board
from rules.olde import text as story
from rules.olde.visibility import lamps
from tests.rules.olde.exploring import ROWS, Exploration, hero, watcher


def table(*heroes: dict[str, Any], **more: Any) -> Exploration:
    """In the dark, nobody near who could notice."""
    field = msgspec.structs.replace(Field.from_rows(ROWS), ambient="dark")
    far = watcher(at=(18, 4), surprised=True)
    return Exploration(*heroes, far, throws=[], field=field, darkness=True, **more)


def wait(there: Exploration, minutes: int, *who: str) -> list[str]:
    """Let minutes pass; how lights fared meanwhile."""
    before = len(there.events)
    for _ in range(minutes):
        for name in who:
            there.do(name, "end")
    return [f"{e['item']} {e['how']}" for e in there.events[before:] if e["event"] == "item"]


def shining(there: Exploration) -> int:
    """How many spaces are lit."""
    return lit(there.now.terrain, lamps(there.now)).bit_count()


def sheet(there: Exploration, who: int = 0) -> tuple[str, ...]:
    return tuple(
        f"{line.text}: {line.detail}"
        for line in board.sheet(there.now, there.now.setup.fighters[who].id).lines
        if line.text in ("Torch", "Lantern")
    )


def badges(there: Exploration) -> list[str]:
    return [badge.label for badge in board.sheet(there.now, there.now.setup.fighters[0].id).badges]


@pytest.mark.parametrize(("lamp", "minutes"), [("torch", 45), ("lantern", 360)])
def test_each_kind_of_light_burns_for_its_span_then_goes_out(lamp: str, minutes: int) -> None:
    there = table(hero(light=3, lamp=lamp, spares=0))
    bright = shining(there)
    assert bright > 1
    assert wait(there, minutes - 6, "a") == []
    assert wait(there, 1, "a") == [f"{lamp} low"]
    assert "Light burns low" in badges(there)
    assert wait(there, 4, "a") == []
    assert shining(there) == bright
    assert wait(there, 1, "a") == [f"{lamp} burnt_out"]
    assert shining(there) == 0
    assert "Light burnt out" in badges(there)
    assert there.refusal("a", "light") == (
        "light: burnt out: there are no more torches" if lamp == "torch" else
        "light: burnt out: there are no flasks of oil"
    )  # fmt: skip


def test_a_minute_lights_another_torch_while_there_is_one() -> None:
    there = table(hero(light=3, lamp="torch", spares=2), hero("b", (1, 2)))
    wait(there, 45, "a", "b")
    for left in (" · one more torch", ""):
        assert shining(there) == 0
        events = there.do("a", "light")
        assert [(e["item"], e["how"]) for e in events if e["event"] == "item"] == [("torch", "lit")]
        assert shining(there) > 1
        assert "a" not in there.open, "it takes its minute"
        there.do("b", "end")
        assert sheet(there) == (f"Torch: 44 min{left}",)
        wait(there, 44, "a", "b")
    assert there.refusal("a", "light").endswith("no more torches")


def test_a_light_that_is_put_out_keeps_what_is_left_of_it() -> None:
    there = table(hero(light=3, lamp="torch"), hero("b", (1, 2)))
    wait(there, 10, "a", "b")
    there.do("a", "douse")
    assert "a" in there.open, "it takes no time"
    wait(there, 60, "a", "b")
    assert sheet(there) == ("Torch: 35 min · one more torch",)
    there.do("a", "light")
    there.do("b", "end")
    assert sheet(there) == ("Torch: 34 min · one more torch",)


def test_what_takes_fifteen_minutes_burns_fifteen() -> None:
    there = table(hero(light=3, lamp="torch"))
    there.do("a", "camp")
    assert there.minute == 16
    assert sheet(there) == ("Torch: 30 min · one more torch",)


def test_a_lantern_tells_its_hours_and_its_oil() -> None:
    there = table(hero(light=3, spares=3))
    wait(there, 5, "a")
    assert sheet(there) == ("Lantern: 5 h 55 min · 3 flasks of oil",)


def test_watchers_look_after_their_lights_and_who_carries_none_has_none() -> None:
    field = msgspec.structs.replace(Field.from_rows(ROWS), ambient="dark")
    guard = watcher(at=(18, 4), light=2, lamp="torch", surprised=True)
    there = Exploration(hero(), guard, throws=[], field=field, darkness=True)
    bright = shining(there)
    wait(there, 60, "a")
    assert shining(there) == bright > 1
    assert sheet(there) == sheet(there, 1) == ()
    assert there.refusal("a", "light") == "light: carries no light"


def test_in_the_fight_that_follows_what_has_burnt_out_gives_no_light_and_nothing_burns_down() -> None:
    there = table(hero(light=3, lamp="torch", spares=0), hero("b", (1, 2), light=2))
    wait(there, 45, "a", "b")
    there.do("a", "shout")
    assert there.now.phase == "action"
    only = {lamp[0] for lamp in lamps(there.now)}
    assert only == {there.now.figures[1].cell}
    assert there.now.explore.burning[:2] == (0, 360 - 45)


def test_buttons_stand_for_what_can_be_done_with_a_light() -> None:
    there = table(hero(light=3, lamp="torch", spares=0))
    offered = {o.do: o.refused for o in there.rules.legal(there.now, there.decision("a")).offers()}
    assert offered["light"] == "it burns already" and offered["douse"] is None
    wait(there, 45, "a")
    offered = {o.do: o.refused for o in there.rules.legal(there.now, there.decision("a")).offers()}
    assert offered["douse"] == "it is out already"
    assert offered["light"] == "burnt out: there are no more torches"


def test_the_story_tells_of_it() -> None:
    there = table(hero(light=3, lamp="torch", spares=0))
    wait(there, 39, "a")
    told = []
    for _ in range(6):
        step = there.rules.apply(there.now, there.decision("a"), Action("a", "end"))
        there.now = step.state
        told += [story.tell(there.now, event) for event in step.events if isinstance(event, Item)]
    assert told == ["The torch of a burns low.", "The torch of a has burnt out."]

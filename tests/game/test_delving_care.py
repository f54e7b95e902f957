"""What the computer sees to on an expedition under Cairn: packs, wounds, time, and that a party turns back in time."""

from __future__ import annotations

from typing import Any

import msgspec

from rules.contract.events import Began
from tests.rules.explore.expedition import Expedition, creature

HEROES = ("h0", "h1")


def party(**more: Any) -> Expedition:
    """Two heroes in the middle room, and nobody else."""
    return Expedition(
        "cairn", [creature("cairn", "h0", (9, 2), **more), creature("cairn", "h1", (8, 2), items=["sword"])]
    )


def change(table: Expedition, who: str, **fields: Any) -> None:
    """Have somebody be in another state."""
    number, figures = table.now.setup.index[who], list(table.now.figures)
    figures[number] = msgspec.structs.replace(figures[number], **fields)
    table.now = msgspec.structs.replace(table.now, figures=tuple(figures))


def next_of(table: Expedition, who: str, count: int = 1) -> list[tuple[str, str | None, str | None]]:
    """The next things that the computer has somebody do: word, thing, whom."""
    before = len(table.record.commands)
    for _ in range(count):
        table.think(table.decision(who))
    return [(c.do, c.item, c.target) for c in table.record.commands[before:]]


def test_two_slots_stay_free_of_what_was_found_and_the_last_goes_first() -> None:
    table = party(items=["sword", "rations", "torch"])
    next_of(table, "h0")
    table.wait()
    change(table, "h0", pack=(*table.now.figures[0].pack, "rope", "pole", "chain", "net", "oil can", "trap"))
    assert [(do, item) for do, item, _ in next_of(table, "h0", 2)][0] == ("drop", "trap")
    assert "drop" not in [do for do, _, _ in next_of(table, "h0")]


def test_what_one_came_with_goes_only_where_nothing_else_makes_room() -> None:
    table = party(items=["sword", "rations", "torch"])
    next_of(table, "h0")
    table.wait()
    change(table, "h0", fatigue=6)
    assert "drop" not in [do for do, _, _ in next_of(table, "h0")]
    table.wait()
    change(table, "h0", fatigue=7)
    assert next_of(table, "h0")[0][0] == "drop"
    assert "sword" in table.now.figures[0].carried


def test_what_was_no_help_against_scratches_is_used_against_wounds() -> None:
    table = party(items=["sword", "healing salve"])
    change(table, "h1", hp=0, str_now=table.now.figures[1].str_max)
    assert ("use", "healing salve", "h1") not in next_of(table, "h0")
    table.wait()
    change(table, "h1", str_now=2)
    assert ("use", "healing salve", "h1") in next_of(table, "h0")


def test_where_the_dungeon_would_stir_nobody_dawdles() -> None:
    """Whoever stays on for more than a turn wakes it: one goes on openly then, where one would have sneaked."""
    assert next_of(party(), "h0")[0][0] == "sneak"
    table = party()
    table.wait(2)
    assert table.rules.odds(table.now, table.action("h0", "end")) is not None
    assert next_of(table, "h0")[0][0] == "walk"


def test_a_party_with_full_packs_goes_home() -> None:
    table = party(items=["sword"])
    for who in HEROES:
        change(table, who, fatigue=10)
    next_of(table, "h0")
    assert table._computer["heroes"].homeward("heroes") == "too tired to go on"


def test_the_first_waits_while_another_gets_its_breath_back() -> None:
    table = party()
    change(table, "h1", hp=0)
    assert next_of(table, "h0")[-1][0] == "end"
    assert next_of(table, "h1")[0][0] == "rest"
    assert not any(isinstance(event, Began) and event.what == "fight" for event in table.events)

"""What monsters' attacks and powers do besides: every rider, every special that a grid carries (cairn.md §5.6)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from game import content
from rules.cairn.state import Lying
from tests.rules.cairn.table import Fight, foe, pc

BLOW = 11
"""A blow on a victim without HP and with STR 20: STR 9 is left, and a 20 fails the critical save."""


def claw(**rider: Any) -> dict[str, Any]:
    return {"name": "claw", "dice": [12], "hands": 0, "slots": 0, "natural": True, "rider": rider}


def struck(rider: dict[str, Any], *throws: int, save: int = 20, a: Any = None, **more: Any) -> Fight:
    """`b` strikes `a` for 11; the critical save shows `save`; `throws` follow."""
    says = {"hp_max": 0, "strength": 20, **(a or {})}
    fight = Fight(pc("a", **says), pc("c", (1, 3)), foe("b", attacks=[claw(**rider)], **more),
                  throws=[BLOW, save, *throws])  # fmt: skip
    fight.half()
    fight.strike(("b", "a", "claw"), side="monsters")
    return fight


def test_death() -> None:
    assert struck({"kind": "dead", "text": "impaled"}).of("a")["status"] == "dead"


@pytest.mark.parametrize("kind", ["str", "dex", "wil"])
def test_an_attribute_is_lost_besides(kind: str) -> None:
    fight = struck({"kind": kind, "dice": [6]}, 4)
    assert fight.of("a")[kind] == (9 if kind == "str" else 10) - 4


def test_a_loss_for_good_lowers_the_maximum() -> None:
    fight = struck({"kind": "str", "dice": [8], "permanent": True}, 3)
    assert (fight.now.figures[0].str_now, fight.now.figures[0].str_max) == (6, 17)


def test_without_dice_what_the_blow_took_is_lost_for_good() -> None:
    fight = struck({"kind": "str", "permanent": True})
    assert (fight.now.figures[0].str_now, fight.now.figures[0].str_max) == (9, 9)


def test_a_condition_and_a_clock_that_kills() -> None:
    rider = {"kind": "condition", "name": "drowning", "rounds": 3, "then": "dead"}
    fight = struck(rider)
    for _ in range(3):
        assert fight.of("a")["status"] == "incapacitated"
        fight.half()
        fight.half("monsters")
    assert fight.of("a")["status"] == "dead"


def test_a_clock_stops_when_its_maker_falls() -> None:
    rider = {"kind": "condition", "name": "drowning", "rounds": 3, "then": "dead"}
    fight = struck(rider, 8, 20, a={}, strength=1)
    fight.do("c", "move", path=[[1, 2]])
    fight.strike(("c", "b", "sword"))
    assert fight.of("b")["status"] == "dead"
    assert fight.of("a")["status"] == "incapacitated"


def test_a_save_keeps_a_ghost_out() -> None:
    rider = {"kind": "condition", "name": "possessed", "save": "wil"}
    assert "possessed" in struck(rider, 11).of("a")["conditions"]
    assert "possessed" not in struck(rider, 10).of("a")["conditions"]


def test_the_engulfed_lose_strength_each_round_while_the_ooze_is_there() -> None:
    fight = struck({"kind": "engulf", "dice": [6]}, 2, 3)
    assert fight.of("a")["str"] == 7, "at the end of the same round"
    fight.half()
    fight.half("monsters")
    assert fight.of("a")["str"] == 4


def test_stingers_go_in_with_any_wound_and_end_when_the_swarm_is_gone() -> None:
    rider = {"kind": "engulf", "on": "wound", "name": "stingers", "dice": [4]}
    fight = struck(rider, 2, 7, save=1)
    assert (fight.of("a")["conditions"], fight.of("a")["str"]) == (["stingers"], 7)
    fight.half()
    fight.do("b", "move", path=[[3, 1], [4, 1]])
    fight.half("monsters")
    assert (fight.of("a")["conditions"], fight.of("a")["str"]) == ([], 7)


@pytest.mark.parametrize("face, part", [(1, "dead"), (2, "lame"), (4, "lame"), (5, "one-armed")])
def test_a_part_bitten_off(face: int, part: str) -> None:
    victim = struck({"kind": "maim"}, face).of("a")
    assert part in (*victim["conditions"], victim["status"])


def test_the_red_caps_own_strength_comes_back() -> None:
    """It was wounded before, and is whole again."""
    cap = foe("b", hp_max=0, strength=12, mindless=True, attacks=[claw(kind="heal")])
    fight = Fight(pc("a", hp_max=0, strength=20), cap, throws=[4, 1, BLOW, 20])
    fight.strike(("a", "b", "sword"))
    assert fight.of("b")["str"] == 8
    fight.strike(("b", "a", "claw"), side="monsters")
    assert fight.of("b")["str"] == 12


@pytest.mark.parametrize("metal, left", [(False, []), (True, ["gambeson"])])
def test_armour_is_ruined_and_rust_takes_only_metal(metal: bool, left: list[str]) -> None:
    fight = struck({"kind": "armor", "metal": metal}, a={"items": ["gambeson"], "strength": 19})
    worn = ["gambeson"] if fight.of("a")["armor"] else []
    assert worn == left


def test_a_bite_on_the_bleeding_feeds_the_vampire() -> None:
    bite = {**claw(kind="condition", name="infected"), "feeds": 6}
    victim = pc("a", hp_max=0, strength=20)
    fight = Fight(victim, foe("b", hp_max=12, hp=2, attacks=[bite]), throws=[5, 1, 5, 1])
    fight.half()
    fight.strike(("b", "a", "claw"), side="monsters")
    assert fight.of("b")["hp"] == 2, "it bled only afterwards"
    fight.half()
    fight.strike(("b", "a", "claw"), side="monsters")
    assert fight.of("b")["hp"] == 8


def test_a_hydra_fights_on_until_its_last_head() -> None:
    fight = Fight(pc("a"), foe("b", hp_max=0, strength=20, heads=2, mindless=True), throws=[8, 20, 4, 20])
    fight.strike(("a", "b", "sword"))
    assert (fight.now.figures[1].heads, fight.of("b")["status"]) == (1, "wounded")
    fight.half("monsters")
    fight.strike(("a", "b", "sword"))
    assert fight.of("b")["status"] == "dead"


def test_a_troll_dies_at_strength_nought_alone() -> None:
    fight = Fight(
        pc("a"), foe("b", hp_max=0, strength=12, unstoppable=True, mindless=True), throws=[8, 20, 8]
    )
    fight.strike(("a", "b", "sword"))
    assert fight.of("b")["status"] == "wounded"
    fight.half("monsters")
    fight.strike(("a", "b", "sword"))
    assert fight.of("b")["status"] == "dead"


def test_bandits_flee_when_their_leader_falls() -> None:
    fight = Fight(pc("a"), foe("b", leader=True, strength=1), foe("c", (9, 1), follower=True), throws=[8])
    fight.strike(("a", "b", "sword"))
    assert fight.of("c")["status"] == "fled"


def test_hobgoblins_stand_while_their_leader_does() -> None:
    crew = [
        foe("b", strength=1),
        foe("c", (9, 1), steadfast=True),
        foe("d", (10, 1), leader=True, steadfast=True),
    ]
    fight = Fight(pc("a"), *crew, throws=[8])
    fight.strike(("a", "b", "sword"))
    assert fight.used == 1, "nobody had to save"
    crew[2]["leader"] = False
    fight = Fight(pc("a"), *crew, throws=[8, 20, 1])
    fight.strike(("a", "b", "sword"))
    assert fight.of("c")["status"] == "fled"


def test_a_hobgoblin_strikes_harder_beside_an_ally() -> None:
    fight = Fight(pc("a", hp_max=30), foe("b", mobbing=True), foe("d", (1, 2)), throws=[12, 3])
    fight.half()
    fight.do("b", "attack", target="a")
    fight.do("d", "attack", target="a")
    fight.half("monsters")
    assert {e["by"]: e["rolls"][0]["dice"] for e in fight.all("attack")} == {"b": "1d12", "d": "1d6"}


def test_who_resists_magic_puts_the_caster_to_a_save() -> None:
    fight = Fight(pc("a", items=["scroll of Sleep"]), foe("b", resists=True), throws=[11])
    fight.do("a", "use", item="scroll of Sleep", target="b")
    fight.half()
    assert "asleep" not in fight.of("b")["conditions"]


def test_thunder_hits_metal_twice_as_hard() -> None:
    for items, left in (["sword"], 16), (["sword", "chainmail"], 12):
        fight = Fight(pc("a", strength=20, items=items), foe("b", powers=["Thunderclap"]), throws=[1])
        fight.half()
        fight.do("b", "cast", item="Thunderclap", target="a")
        fight.half("monsters")
        assert fight.of("a")["str"] == left


def test_every_monster_can_be_placed_and_plays_a_round() -> None:
    rows = ["#" * 14, *["#" + "." * 12 + "#"] * 8, "#" * 14]
    for name, block in content.monsters("cairn").items():
        says = {k: v for k, v in block.items() if k not in ("id", "side", "at")}
        beast = {**says, "id": name, "side": "monsters", "at": [5, 5]}
        fight = Fight(pc("a", (1, 1), hp_max=30), beast, throws=None, rows=rows)
        fight.half()
        if "monsters" in fight.waiting:
            fight.half("monsters")
        assert fight.state["round"] >= 2, name


def test_every_power_of_the_content_works_on_somebody() -> None:
    for power in content.tables("cairn")["powers"]:
        if power["needs" if "needs" in power else "name"] == "door" or power["name"] == "Passage":
            continue
        fight = Fight(
            pc("a", (5, 2), powers=[power["name"]]), foe("b", (6, 2), hp_max=9), pc("c", (4, 2)), throws=None
        )
        fight.now = msgspec.structs.replace(fight.now, floor=(Lying("rope", fight.field.cell(4, 3)),))
        legal = fight.rules.legal(fight.now, fight._decision("a"))
        action = next(act for act in legal if act.do == "cast")
        odds = fight.rules.odds(fight.now, action)
        assert odds is not None and abs(sum(chance for _, chance in odds.outcomes) - 1) < 1e-9
        step = fight.rules.apply(fight.now, fight._decision("a"), action)
        fight.now = step.state
        fight.half()
        assert [e["spell"] for e in fight.all("cast")] == [power["name"]]
        for event in fight.events:
            assert event

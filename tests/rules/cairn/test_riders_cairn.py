"""What monsters' attacks and powers do besides: every rider, every special that a grid carries (cairn.md §5.6)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from game.content import tables as content
from rules.cairn.state import Lying
from tests.rules.cairn.creatures import Fight, foe, pc
from tests.rules.cairn.test_conditions_cairn import laid, rounds
from tests.rules.cairn.test_rulings_cairn import beast
from tests.rules.table import dice

BLOW = 11
"""A blow on a victim without HP and with STR 20: STR 9 is left, and a 20 fails the critical save."""


def claw(**rider: Any) -> dict[str, Any]:
    return {"name": "claw", "dice": [12], "hands": 0, "slots": 0, "natural": True, "rider": rider}


def struck(rider: dict[str, Any], *throws: int | None, save: int = 20, a: Any = None, **more: Any) -> Fight:
    """`b` strikes `a` for 11; the critical save shows `save`; `throws` follow."""
    says: dict[str, Any] = {"hp_max": 0, "strength": 20, **(a or {})}
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
    rider: dict[str, Any] = {"kind": "condition", "name": "drowning", "rounds": 3, "then": "dead"}
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
    fight = struck({"kind": "engulf", "dice": [6]}, 2, 1, 3, 20)
    assert fight.of("a")["str"] == 7, "at the end of the same round"
    fight.half()
    fight.half("monsters")
    assert (fight.of("a")["str"], fight.used) == (4, 6), "each loss of STR asks for a save (A10)"


STING = {"kind": "engulf", "on": "wound", "name": "stingers", "dice": [4]}


def test_stingers_go_in_with_any_wound_and_stay_where_one_walks_off() -> None:
    fight = struck(STING, 2, 1, 3, 1, save=1)
    assert (fight.of("a")["conditions"], fight.of("a")["str"]) == (["stingers"], 7)
    fight.do("a", "move", path=[[1, 2], [2, 3], [3, 3], [4, 3], [5, 3]])
    fight.half()
    fight.half("monsters")
    assert (fight.of("a")["conditions"], fight.of("a")["str"]) == (["stingers"], 4)


def test_stingers_stay_though_the_swarm_is_gone() -> None:
    fight = Fight(
        pc("a"), foe("b", strength=1), foe("d", (9, 3), mindless=True), throws=dice("sword 8, stingers 3, str save 1")
    )
    laid(fight, "a", "stingers", by="b", die=4)
    fight.strike(("a", "b", "sword"))
    assert fight.of("b")["status"] == "dead"
    fight.half("monsters")
    assert (fight.of("a")["conditions"], fight.of("a")["str"]) == (["stingers"], 7)


@pytest.mark.parametrize(("face", "left"), [(10, []), (11, ["stingers"])])
def test_stingers_come_out_by_a_save(face: int, left: list[str]) -> None:
    fight = struck(STING, 1, 1, face, *([] if face == 10 else [1, 1]), save=1)
    fight.do("a", "break_free")
    fight.half()
    fight.half("monsters")
    assert fight.of("a")["conditions"] == left


def test_a_friend_pulls_the_stingers_out_without_a_roll() -> None:
    fight = struck(STING, 1, 1, save=1)
    fight.do("c", "move", path=[[1, 2]])
    fight.do("c", "help", target="a")
    fight.half()
    assert (fight.of("a")["conditions"], fight.used) == ([], 4)


MAWS = [
    {"kind": "engulf", "dice": [6]},
    {"kind": "engulf", "name": "swallowed", "dice": [8]},
    {"kind": "condition", "name": "choking", "rounds": 18, "then": "dead"},
]


@pytest.mark.parametrize("rider", MAWS, ids=lambda rider: str(rider.get("name", "engulfed")))
def test_nobody_crawls_out_of_a_maw(rider: dict[str, Any]) -> None:
    fight = struck(rider, 1, 1)
    assert fight.of("a")["conditions"][-1] == rider.get("name", "engulfed")
    assert "cannot move" in fight.refusal("a", "move", path=[[1, 2]])


@pytest.mark.parametrize("rider", MAWS, ids=lambda rider: str(rider.get("name", "engulfed")))
@pytest.mark.parametrize(("face", "free"), [(8, True), (9, False)])
def test_a_friend_gets_one_out_of_a_maw_by_the_weakers_strength(rider: dict[str, Any], face: int, free: bool) -> None:
    ticks = [] if rider["kind"] == "condition" else [1, 1]
    fight = struck(rider, *ticks, face)
    fight.now = msgspec.structs.replace(fight.now, figures=tuple(
        msgspec.structs.replace(f, str_now=8 if i == 1 else f.str_now) for i, f in enumerate(fight.now.figures)
    ))  # fmt: skip
    fight.do("c", "move", path=[[1, 2]])
    fight.do("c", "help", target="a")
    assert fight.rules.odds(fight.now, fight._action("c", "help", {"target": "a"})).hit == pytest.approx(0.4)
    fight.half()
    assert (rider.get("name", "engulfed") not in fight.of("a")["conditions"]) == free
    assert fight.of("a")["status"] == "incapacitated", "out of it, but critical damage is critical damage"


@pytest.mark.parametrize(("face", "free"), [(9, True), (10, False)])
def test_a_troll_in_a_maw_breaks_free_beside_the_foe(face: int, free: bool) -> None:
    ticks = [1, 1] if free else [1, 1, 1, 1]
    fight = struck({"kind": "engulf", "dice": [6]}, *ticks[:2], face, *ticks[2:], a={"pc": False, "unstoppable": True,
                   "dexterity": 9, "strength": 19})  # fmt: skip
    assert fight.of("a")["str"] == 7
    fight.do("a", "break_free")
    fight.half()
    assert ("engulfed" not in fight.of("a")["conditions"]) == free


@pytest.mark.parametrize("rider", MAWS, ids=lambda rider: str(rider.get("name", "engulfed")))
def test_a_maw_lets_go_when_its_owner_falls(rider: dict[str, Any]) -> None:
    ticks = [] if rider["kind"] == "condition" else [1, 1]
    fight = struck(rider, *ticks, 8, strength=1)
    fight.do("c", "move", path=[[1, 2]])
    fight.strike(("c", "b", "sword"))
    assert fight.of("b")["status"] == "dead"
    assert rider.get("name", "engulfed") not in fight.of("a")["conditions"]


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


BITE = {**claw(kind="condition", name="infected"), "feeds": 6}


@pytest.mark.parametrize(
    ("victim", "hp"),
    [
        ({"hp_max": 20}, 8),
        ({"hp_max": 0, "strength": 20}, 8),
        ({"hp_max": 20, "bloodless": True}, 2),
        ({"hp_max": 20, "armor": 3}, 8),
    ],
    ids=["unhurt", "bleeding", "bloodless", "armoured"],
)
def test_a_bite_on_who_has_blood_feeds_the_vampire(victim: dict[str, Any], hp: int) -> None:
    fight = Fight(pc("a", **victim), foe("b", hp_max=12, hp=2, attacks=[BITE]), throws=dice("claw 5, str save 1"))
    fight.half()
    fight.strike(("b", "a", "claw"), side="monsters")
    assert fight.of("b")["hp"] == hp


def test_a_bite_that_armour_stops_draws_no_blood_and_nobody_is_fed_beyond_the_maximum() -> None:
    fight = Fight(pc("a", hp_max=20, armor=3), foe("b", hp_max=12, hp=2, attacks=[BITE]), throws=dice("claw 3"))
    fight.half()
    fight.strike(("b", "a", "claw"), side="monsters")
    assert fight.of("b")["hp"] == 2
    fight = Fight(pc("a", hp_max=20), foe("b", hp_max=12, hp=9, attacks=[BITE]), throws=dice("claw 3"))
    fight.half()
    fight.strike(("b", "a", "claw"), side="monsters")
    assert fight.of("b")["hp"] == 12


def test_the_dead_the_made_and_the_grown_have_no_blood() -> None:
    dry = {name for name, block in content.monsters("cairn").items() if block.get("bloodless")}
    assert {"skeleton", "ghost", "bone_construct", "gelatinous_ooze", "treant", "water_elemental"} <= dry
    assert not {"goblin", "werewolf", "killer_bees", "lamia"} & dry


# -- specials of single creatures


def test_a_lamias_embrace_enthralls_and_a_vampires_at_will_nought() -> None:
    def bitten(name: str, weapon: str, *throws: int | None, will: int = 10) -> Fight:
        victim = pc("a", hp_max=0, strength=20, willpower=will, unstoppable=True)
        fight = Fight(victim, beast(name, "b", space=1), throws=throws)
        fight.half()
        fight.strike(("b", "a", weapon), side="monsters")
        return fight

    fight = bitten("lamia", "toothy bite", 8, 20, 3)
    assert (fight.of("a")["wil"], "enthralled" in fight.of("a")["conditions"]) == (7, True)
    assert "enthralled" not in bitten("vampire", "bite", 8, 20, 5).of("a")["conditions"]
    assert "enthralled" in bitten("vampire", "bite", 8, 20, 12).of("a")["conditions"]
    assert "won't harm" in fight.refusal("a", "attack", target="b", weapon="sword")


def test_a_rust_monsters_touch_takes_the_metal_in_hand() -> None:
    for items, left in ((["sword", "knife"], ["knife"]), (["cudgel"], ["cudgel"])):
        fight = Fight(pc("a", items=items, hp_max=20), beast("rust_monster", "b"), throws=dice("bite 4"))
        fight.half()
        fight.strike(("b", "a", "bite"), side="monsters")
        assert [*fight.of("a")["hands"], *fight.of("a")["pack"]] == left


def test_what_burrows_comes_up_within_eight_spaces_whatever_lies_between() -> None:
    fight = Fight(pc("a", (1, 1)), beast("root_witch", "b", (5, 1)), rows=["#########", "#...#...#", "#########"])
    fight.half()
    fight.do("b", "cast", item="Burrow", at=[3, 1])
    fight.half("monsters")
    assert fight.of("b")["at"] == [3, 1]


@pytest.mark.parametrize(("strength", "status"), [(12, "wounded"), (6, "dead")])
def test_a_zombie_stands_up_again_unless_it_was_destroyed(strength: int, status: str) -> None:
    dead = beast("zombie", "b", hp_max=0, hp=0, strength=strength, rises=2)
    fight = Fight(pc("a"), dead, foe("c", (9, 3), mindless=True), throws=[8, 20][: 1 if strength < 8 else 2])
    fight.strike(("a", "b", "sword"))
    assert fight.of("b")["status"] == "dead"
    fight.half("monsters")
    assert fight.of("b")["status"] == "dead"
    rounds(fight)
    assert fight.of("b")["status"] == status


@pytest.mark.parametrize(("leads", "used"), [(True, 2), (False, 3)])
def test_a_hobgoblin_is_steadfast_only_while_a_leader_stands(leads: bool, used: int) -> None:
    chief = foe("d", (9, 1), leader=leads, mindless=True, group="others")
    crew = [beast("hobgoblin", "b", armor=0, hp_max=0, strength=9), beast("hobgoblin", "c", (9, 3))]
    fight = Fight(pc("a"), *crew, chief, throws=[8, 20, *([] if leads else [20])])
    fight.strike(("a", "b", "sword"))
    assert (fight.used, fight.of("c")["status"]) == (used, "healthy" if leads else "fled")


def test_a_hydra_fights_on_until_its_last_head() -> None:
    fight = Fight(
        pc("a"),
        foe("b", hp_max=0, strength=20, heads=2, mindless=True),
        throws=dice("sword 8, str save 20, sword 4, str save 20"),
    )
    fight.strike(("a", "b", "sword"))
    assert (fight.now.figures[1].heads, fight.of("b")["status"]) == (1, "wounded")
    fight.half("monsters")
    fight.strike(("a", "b", "sword"))
    assert fight.of("b")["status"] == "dead"


def test_a_troll_dies_at_strength_nought_alone() -> None:
    fight = Fight(
        pc("a"),
        foe("b", hp_max=0, strength=12, unstoppable=True, mindless=True),
        throws=dice("sword 8, str save 20, sword 8"),
    )
    fight.strike(("a", "b", "sword"))
    assert fight.of("b")["status"] == "wounded"
    fight.half("monsters")
    fight.strike(("a", "b", "sword"))
    assert fight.of("b")["status"] == "dead"


def test_bandits_flee_when_their_leader_falls() -> None:
    fight = Fight(pc("a"), foe("b", leader=True, strength=1), foe("c", (9, 1), follower=True), throws=dice("sword 8"))
    fight.strike(("a", "b", "sword"))
    assert fight.of("c")["status"] == "fled"


def test_hobgoblins_stand_while_their_leader_does() -> None:
    crew = [foe("b", strength=1), foe("c", (9, 1), steadfast=True), foe("d", (10, 1), leader=True, steadfast=True)]
    fight = Fight(pc("a"), *crew, throws=dice("sword 8"))
    fight.strike(("a", "b", "sword"))
    assert fight.used == 1, "nobody had to save"
    crew[2]["leader"] = False
    fight = Fight(pc("a"), *crew, throws=dice("sword 8, wil save 20 1"))
    fight.strike(("a", "b", "sword"))
    assert fight.of("c")["status"] == "fled"


def test_a_hobgoblin_strikes_harder_beside_an_ally() -> None:
    fight = Fight(pc("a", hp_max=30), foe("b", mobbing=True), foe("d", (1, 2)), throws=dice("claws 12 3"))
    fight.half()
    fight.do("b", "attack", target="a")
    fight.do("d", "attack", target="a")
    fight.half("monsters")
    assert {e["by"]: e["rolls"][0]["dice"] for e in fight.all("attack")} == {"b": "1d12", "d": "1d6"}


def test_who_resists_magic_puts_the_caster_to_a_save() -> None:
    fight = Fight(pc("a", items=["scroll of Sleep"]), foe("b", resists=True), throws=dice("wil save 11"))
    fight.do("a", "use", item="scroll of Sleep", target="b")
    fight.half()
    assert "asleep" not in fight.of("b")["conditions"]


def test_thunder_hits_metal_twice_as_hard() -> None:
    for items, left in (["sword"], 16), (["sword", "chainmail"], 12):
        fight = Fight(pc("a", strength=20, items=items), foe("b", powers=["Thunderclap"]), throws=dice("str save 1"))
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
        fight = Fight(pc("a", (5, 2), powers=[power["name"]]), foe("b", (6, 2), hp_max=9), pc("c", (4, 2)), throws=None)
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

"""The bestiary's specials that a grid carries, and spells with two aims (cairn.md §2.11, §2.12, §5.5, §5.6)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from game.content import tables as content
from game.controllers.ai.advisors import advisor_of
from rules.cairn.state import Lying
from tests.game.test_ai_cairn import edged
from tests.rules.cairn.creatures import Fight, duel, foe, pc
from tests.rules.cairn.test_conditions_cairn import laid, rounds
from tests.rules.cairn.test_rulings_cairn import beast
from tests.rules.table import dice

WIDE = ["." * 14] * 5


def floor(fight: Fight, item: str, at: tuple[int, int]) -> Fight:
    fight.now = msgspec.structs.replace(fight.now, floor=(*fight.now.floor, Lying(item, fight.field.cell(*at))))
    return fight


# -- bands and morale


def test_each_band_has_its_own_morale_and_leader() -> None:
    gnolls = [foe("b", strength=1, group="gnolls"), foe("d", (9, 1), group="gnolls")]
    guards = [foe("e", (9, 2)), foe("f", (9, 3), leader=True, willpower=20)]
    fight = Fight(pc("a"), *gnolls, *guards, throws=dice("sword 8, wil save 20"))
    fight.strike(("a", "b", "sword"))
    assert [fight.of(name)["status"] for name in "def"] == ["fled", "healthy", "healthy"]
    assert fight.used == 2, "the others' leader neither rolls for them nor for himself"


def test_followers_flee_with_their_own_leader_alone() -> None:
    crew = [foe("b", leader=True, strength=1, group="one"), foe("c", (9, 1), follower=True, group="one"),
            foe("d", (9, 2), leader=True, group="two"), foe("e", (9, 3), follower=True, group="two")]  # fmt: skip
    fight = Fight(pc("a"), *crew, throws=dice("sword 8"))
    fight.strike(("a", "b", "sword"))
    assert [fight.of(name)["status"] for name in "cde"] == ["fled", "healthy", "healthy"]


@pytest.mark.parametrize(("face", "status"), [(13, "healthy"), (14, "fled")])
def test_bandits_hold_by_thirteen_not_by_their_will(face: int, status: str) -> None:
    fight = Fight(pc("a"), beast("bandit", "b", hp_max=0, strength=1), beast("bandit", "c", (9, 1)), throws=[8, face])
    fight.strike(("a", "b", "sword"))
    assert fight.of("c")["status"] == status


# -- grips


def test_a_grip_ends_when_who_held_on_falls_or_goes() -> None:
    fight = Fight(
        pc("a"), pc("c", (3, 1)), foe("b", strength=1), foe("d", (9, 1), mindless=True), throws=dice("sword 8")
    )
    laid(fight, "a", "restrained", by="b", save="str")
    fight.strike(("c", "b", "sword"))
    assert fight.of("a")["conditions"] == []
    fight = laid(Fight(pc("a"), foe("b"), throws=[]), "a", "restrained", by="b", save="str")
    fight.half()
    fight.do("b", "move", path=[[3, 1], [4, 1]])
    fight.half("monsters")
    assert fight.of("a")["conditions"] == []


def test_a_net_holds_though_its_thrower_is_gone() -> None:
    fight = Fight(
        pc("a"), pc("c", (3, 1)), foe("b", strength=1), foe("d", (9, 1), mindless=True), throws=dice("sword 8")
    )
    laid(fight, "a", "restrained", by="b")
    fight.strike(("c", "b", "sword"))
    assert fight.of("a")["conditions"] == ["restrained"]


# -- monsters


def test_a_charge_needs_a_run_of_three_spaces() -> None:
    fight = Fight(pc("a", (3, 2), hp_max=20), beast("minotaur", "b", (4, 2)), rows=WIDE, throws=[9])
    fight.half()
    assert "run of 3" in fight.refusal("b", "attack", target="a", weapon="charge")
    fight = Fight(pc("a", (3, 2), hp_max=20), beast("minotaur", "b", (8, 2)), rows=WIDE, throws=dice("charge 9"))
    fight.half()
    fight.do("b", "move", path=[[7, 2], [6, 2], [5, 2], [4, 2]])
    blow = fight.strike(("b", "a", "charge"), side="monsters")
    assert (blow["rolls"][0]["dice"], blow["damage"]) == ("1d12", 9)


def test_who_lurks_is_nobodys_target_until_it_moves() -> None:
    fight = Fight(pc("a", (3, 1)), beast("mimic", "b", (4, 1)), foe("d", (9, 1)), throws=dice("bite 2"))
    assert "invisible" in fight.refusal("a", "attack", target="b", weapon="sword")
    fight.half()
    fight.strike(("b", "a", "bite"), side="monsters")
    assert "invisible" not in fight.of("b")["conditions"]


def test_who_strikes_a_mimic_sticks_to_it_but_not_from_afar() -> None:
    fight = Fight(
        pc("a"), pc("c", (1, 3), items=["bow"]), beast("mimic", "b", (2, 1), lurks=False), throws=dice("sword 3, bow 2")
    )
    fight.strike(("a", "b", "sword"), ("c", "b", "bow"))
    assert (fight.of("a")["conditions"], fight.of("c")["conditions"]) == (["restrained"], [])


def test_a_phoenix_ends_in_flames() -> None:
    bird = beast("phoenix", "b", hp_max=0, hp=0, strength=1, space=1)
    fight = Fight(pc("a", hp_max=6), pc("c", (1, 3)), bird, foe("d", (3, 1)), foe("e", (9, 3), mindless=True),
                  throws=dice("sword 8, flames 4 5, str save 20"))  # fmt: skip
    fight.strike(("a", "b", "sword"))
    assert (fight.of("a")["hp"], fight.of("c")["hp"], fight.of("d")["str"]) == (2, 6, 9)


@pytest.mark.parametrize(("face", "asleep"), [(3, "a"), (4, "b")])
def test_a_shell_throws_half_of_all_magic_back(face: int, asleep: str) -> None:
    fight = Fight(
        pc("a", items=["scroll of Sleep"]),
        beast("warrior_snail", "b", (4, 1), space=1),
        throws=[face, 20],
        cast_saves=False,
    )
    action = fight._action("a", "use", {"item": "scroll of Sleep", "target": "b"})
    assert fight.rules.odds(fight.now, action).hit == pytest.approx(0.5 * 17 / 20)
    fight.do("a", "use", item="scroll of Sleep", target="b")
    fight.half()
    assert "asleep" in fight.of(asleep)["conditions"]


def test_wings_carry_over_what_lies_and_gapes() -> None:
    fight = Fight(pc("a", (1, 2), items=["caltrops"]), beast("harpy", "b", (9, 2), speed=8), rows=WIDE, throws=[])
    fight.do("a", "use", item="caltrops", at=[2, 2])
    fight.half()
    fight.do("b", "move", path=[[x, 2] for x in range(8, 1, -1)])
    fight.half("monsters")
    assert (fight.of("b")["at"], fight.used) == ([2, 2], 0)
    fight = Fight(pc("a", (2, 1)), beast("harpy", "b", (3, 1)), field=edged((4, 1)), throws=dice("str save 1"))
    fight.do("a", "manoeuvre", target="b", option="shove")
    fight.half()
    assert fight.of("b")["status"] == "healthy", "nothing that flies falls"


def test_wings_mind_no_rough_ground_and_cross_pits_but_stay_above_none() -> None:
    rows = ["############", "#..~~~.....#", "#..~~~##...#", "############"]
    walker = Fight(pc("a", (1, 1)), beast("harpy", "b", (2, 1), flies=False, speed=4), rows=rows)
    flyer = Fight(pc("a", (1, 1)), beast("harpy", "b", (2, 1), speed=4), rows=rows)
    for fight, far in ((walker, 4), (flyer, 6)):
        fight.half()
        field = fight.now.setup.field
        spots = advisor_of(fight.rules).spots(fight.now, "b")
        assert max(field.at(cell)[0] for cell, price in spots.items() if not price) == far
        assert field.cell(6, 2) not in spots, "a wall is a wall"
    fight = Fight(pc("a", (1, 1)), beast("harpy", "b", (3, 1)), field=edged((4, 1)))
    fight.half()
    assert "above" in fight.refusal("b", "move", path=[[4, 1]])
    fight.do("b", "move", path=[[4, 1], [5, 1]])
    fight.half("monsters")
    assert fight.of("b")["at"] == [5, 1]
    fight = Fight(pc("a", (1, 1)), foe("b", (3, 1)), field=edged((4, 1)))
    fight.half()
    assert fight.refusal("b", "move", path=[[4, 1], [5, 1]])


def test_magic_weapons_harm_whom_no_spell_touches() -> None:
    blade = {"name": "spark", "dice": [6], "hands": 0, "slots": 0, "natural": True, "tags": ["magic"]}
    fight = Fight(
        pc("a", attacks=[blade], items=["scroll of Sleep"]),
        beast("sphinx", "b", space=1),
        throws=dice("spark 4"),
        cast_saves=False,
    )
    assert fight.strike(("a", "b", "spark"))["damage"] == 4
    fight.half("monsters")
    fight.do("a", "use", item="scroll of Sleep", target="b")
    fight.half()
    assert fight.of("b")["conditions"] == []


def test_a_banshee_drifts_through_walls() -> None:
    rows = ["#########", "#...#...#", "#...#...#", "#########"]
    fight = Fight(pc("a", (1, 1)), beast("banshee", "b", (7, 1)), rows=rows)
    fight.half()
    fight.do("b", "cast", item="Through Walls", at=[2, 1])
    fight.half("monsters")
    assert fight.of("b")["at"] == [2, 1]


def test_a_crypt_guardian_puts_its_victim_where_a_die_says() -> None:
    fight = Fight(
        pc("a", (1, 1)),
        beast("crypt_guardian", "b", (5, 2)),
        rows=WIDE,
        throws=dice("wil save 20, banish away: where to 4"),
    )
    fight.half()
    fight.do("b", "cast", item="Banish Away", target="a")
    fight.half("monsters")
    assert fight.of("a")["at"] == [12, 1]


# -- spells with two aims


def magus(*scrolls: str, at: tuple[int, int] = (1, 2)) -> dict[str, Any]:
    return pc("a", at, items=[f"scroll of {name}" for name in scrolls])


def test_a_leap_ends_where_the_player_says_within_four_spaces_in_sight() -> None:
    rows = ["#########", "#..~~...#", "#...#...#", "#########"]
    fight = Fight(magus("Leap", at=(1, 1)), foe("b", (7, 2)), rows=rows, cast_saves=False)
    assert "too far" in fight.refusal("a", "use", item="scroll of Leap", at=[6, 1])
    fight.do("a", "use", item="scroll of Leap", at=[5, 1])
    fight.half()
    assert fight.of("a")["at"] == [5, 1]


def test_a_teleport_ends_where_the_caster_says_or_beside_who_came_there() -> None:
    fight = Fight(
        magus("Teleport"), pc("c", (10, 4)), foe("b", (5, 2)), rows=WIDE, throws=dice("wil save 20"), cast_saves=False
    )
    assert "taken" in fight.refusal("a", "use", item="scroll of Teleport", target="b", at=[10, 4])
    fight.do("a", "use", item="scroll of Teleport", target="b", at=[13, 0])
    fight.half()
    assert fight.of("b")["at"] == [13, 0]
    fight = Fight(
        magus("Teleport"), pc("c", (10, 4)), foe("b", (5, 2)), rows=WIDE, throws=dice("wil save 20"), cast_saves=False
    )
    fight.do("a", "use", item="scroll of Teleport", target="b", at=[10, 3])
    fight.do("c", "move", path=[[10, 3]])
    fight.half()
    assert fight.of("b")["at"] != [10, 3]


def test_two_seen_creatures_change_places() -> None:
    fight = Fight(
        magus("Shuffle"), pc("c", (4, 4)), foe("b", (6, 2)), rows=WIDE, throws=dice("wil save 20"), cast_saves=False
    )
    fight.do("a", "use", item="scroll of Shuffle", target="b", at=[4, 4])
    fight.half()
    assert (fight.of("b")["at"], fight.of("c")["at"]) == ([4, 4], [6, 2])


@pytest.mark.parametrize(("face", "places"), [(7, ([6, 2], [8, 4])), (8, ([8, 4], [6, 2]))])
def test_a_second_foe_saves_for_itself_before_it_changes_places(face: int, places: Any) -> None:
    fight = Fight(
        magus("Shuffle"), foe("b", (6, 2)), foe("d", (8, 4), willpower=7), rows=WIDE,
        throws=dice(f"wil save 20 {face}"), cast_saves=False,
    )  # fmt: skip
    fight.do("a", "use", item="scroll of Shuffle", target="b", at=[8, 4])
    fight.half()
    assert (fight.of("b")["at"], fight.of("d")["at"]) == places


def test_nobody_changes_places_with_who_has_left_and_it_is_told() -> None:
    fight = Fight(
        magus("Shuffle"), pc("c", (4, 4)), foe("b", (6, 2)), rows=WIDE, throws=dice("wil save 20"), cast_saves=False
    )
    fight.do("a", "use", item="scroll of Shuffle", target="b", at=[4, 4])
    fight.do("c", "move", path=[[4, 3]])
    fight.half()
    assert (fight.of("b")["at"], fight.of("c")["at"]) == ([6, 2], [4, 3])
    assert any("Shuffle: nobody to change places with" in line for line in fight.story)


def test_hatred_is_for_one_creature_alone() -> None:
    crew = [foe("b", (5, 2)), foe("d", (6, 2), hp_max=9), foe("e", (9, 2), hp_max=9)]
    fight = Fight(magus("Hatred"), *crew, rows=WIDE, throws=dice("wil save 20, claws 3"), cast_saves=False)
    fight.do("a", "use", item="scroll of Hatred", target="b", at=[9, 2])
    fight.half()
    assert "b" not in fight.waiting
    fight.half("monsters")
    assert [(e["by"], e["target"]) for e in fight.all("attack")] == [("b", "e")], "not its neighbour"


def test_greed_goes_for_the_thing_takes_it_and_is_over() -> None:
    fight = floor(
        Fight(
            magus("Greed"), foe("b", (5, 2)), foe("d", (12, 4)), rows=WIDE, throws=dice("wil save 20"), cast_saves=False
        ),
        "rope",
        (5, 4),
    )
    assert "thing" in fight.refusal("a", "use", item="scroll of Greed", target="b", at=[6, 4])
    fight.do("a", "use", item="scroll of Greed", target="b", at=[5, 4])
    fight.half()
    assert "b" not in fight.waiting
    fight.half("monsters")
    assert ("rope" in fight.of("b")["pack"], fight.of("b")["conditions"]) == (True, [])
    assert fight.state["floor"] == []


def test_greed_is_over_when_somebody_else_has_the_thing() -> None:
    fight = floor(
        Fight(
            magus("Greed"), pc("c", (5, 3)), foe("b", (8, 2)), rows=WIDE, throws=dice("wil save 20"), cast_saves=False
        ),
        "rope",
        (6, 4),
    )
    fight.do("a", "use", item="scroll of Greed", target="b", at=[6, 4])
    fight.do("c", "pick_up", item="rope", at=[6, 4])
    fight.half()
    fight.half("monsters") if fight.state["half"] == "monsters" else None
    assert fight.of("b")["conditions"] == []


def test_telekinesis_brings_a_thing_to_hand() -> None:
    fight = floor(Fight(magus("Telekinesis"), foe("b", (12, 2)), rows=WIDE, cast_saves=False), "rope", (8, 2))
    fight.do("a", "use", item="scroll of Telekinesis", at=[8, 2])
    fight.half()
    assert "rope" in fight.of("a")["pack"]


def test_a_wire_trips_who_runs_into_it_but_not_who_hovers() -> None:
    fight = Fight(magus("Anchor", at=(2, 2)), foe("b", (9, 3)), rows=WIDE, throws=dice("dex save 20"), cast_saves=False)
    fight.do("a", "use", item="scroll of Anchor", at=[4, 2])
    fight.half()
    fight.do("b", "move", path=[[8, 2]])
    fight.half("monsters")
    assert fight.of("b")["posture"] == "prone"
    fight = laid(
        Fight(magus("Anchor", at=(2, 2)), foe("b", (9, 3)), rows=WIDE, throws=[], cast_saves=False), "b", "hovering"
    )
    fight.do("a", "use", item="scroll of Anchor", at=[4, 2])
    fight.half()
    fight.do("b", "move", path=[[8, 2]])
    fight.half("monsters")
    assert fight.of("b")["posture"] == "standing"


def test_webs_hold_without_a_save_until_broken() -> None:
    fight = Fight(magus("Web"), foe("b", (3, 2)), rows=WIDE, throws=[], cast_saves=False)
    fight.do("a", "use", item="scroll of Web", at=[3, 2])
    fight.half()
    assert fight.of("b")["conditions"] == ["restrained"]


# -- ready


def test_a_blow_can_be_held_for_a_neighbour_who_does_something() -> None:
    fight = duel(dice("sword 8, str save 20"), b={"hp_max": 4})
    fight.do("a", "ready", weapon="sword", option="acts")
    fight.half()
    fight.do("b", "attack", target="a", weapon="claws")
    fight.half("monsters")
    assert [e["by"] for e in fight.all("attack")] == ["a"], "struck down before it could strike"


def test_nothing_springs_for_a_neighbour_who_stays_and_does_nothing() -> None:
    fight = duel([])
    fight.do("a", "ready", weapon="sword", option="acts")
    rounds(fight)
    assert fight.all("attack") == []


def test_a_power_can_be_held_ready() -> None:
    fight = Fight(magus("Sleep"), foe("b", (12, 2)), rows=WIDE, throws=dice("wil save 20"), cast_saves=False)
    assert "can't be held" in fight.refusal("a", "ready", item="scroll of Leap", option="comes")
    fight.do("a", "ready", item="scroll of Sleep", option="comes")
    fight.half()
    fight.do("b", "move", path=[[11, 2]])
    fight.half("monsters")
    assert "asleep" in fight.of("b")["conditions"]
    assert fight.of("a")["pack"] == []


def test_what_is_held_springs_in_ones_own_half_at_a_foe_pushed_within_reach() -> None:
    fight = Fight(
        pc("a", (1, 2)),
        pc("c", (4, 2), strength=18),
        foe("b", (3, 2), hp_max=9),
        rows=WIDE,
        throws=dice("str save 1, sword 5"),
    )
    fight.do("a", "ready", weapon="sword", option="comes")
    fight.do("c", "manoeuvre", target="b", option="shove")
    fight.half()
    assert [(e["by"], e["damage"]) for e in fight.all("attack")] == [("a", 5)]


def test_a_move_after_the_action_springs_what_foes_hold_ready() -> None:
    fight = Fight(pc("a", (3, 2), items=["bow"]), foe("b", (6, 2), hp_max=9), rows=WIDE, throws=dice("bow 2, claws 3"))
    fight.half()
    fight.do("b", "ready", weapon="claws", option="comes")
    fight.half("monsters")
    fight.do("a", "attack", target="b", weapon="bow")
    fight.do("a", "move", path=[[4, 2], [5, 2]])
    fight.half()
    assert [e["by"] for e in fight.all("attack")] == ["a", "b"]


def test_every_special_of_the_bestiary_is_a_field_or_for_the_game_master() -> None:
    """Whatever is said of a creature as `narrative` is a sentence; nobody's says what its fields do already."""
    for block in content.monsters("cairn").values():
        for line in block.get("narrative", ()):
            assert line.endswith("."), block["id"]
            assert "give it" not in line, block["id"]

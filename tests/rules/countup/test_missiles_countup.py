"""Shots, throws and spells by the second (countup.md §2.5, §2.8)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.contract.units import CreatureIx
from rules.countup.combat.attack import bracket, cover_of, cycle, defence_die
from rules.countup.manners import Stance
from tests.rules.countup.creatures import Fight, being
from tests.rules.table import dice

LONG = ["#" * 60, *["#" + "." * 58 + "#"] * 3, "#" * 60]


def archer(weapon: str = "longbow", **says: Any) -> dict[str, Any]:
    return being("a", (1, 2), weapons=[weapon, "longsword"], **says)


def shot(*throws: int | None, at: tuple[int, int] = (6, 2), weapon: str = "longbow", option: str | None = None,
         a: Any = None, b: Any = None) -> Fight:  # fmt: skip
    """One shot at `b`, which stands still."""
    fight = Fight(archer(weapon, **(a or {})), being("b", at, **(b or {})), throws=[1, 1, *throws, *[None] * 40],
                  rows=LONG)  # fmt: skip
    fight.hold("b", seconds=60)
    fight.do("a", "shoot", target="b", option=option) if option else fight.do("a", "shoot", target="b")
    return fight


def first(fight: Fight) -> dict[str, Any]:
    return fight.all("attack")[0]


@pytest.mark.parametrize(
    ("spaces", "size", "die"),
    [(12, "M", 20), (13, "M", 12), (24, "M", 12), (25, "M", 8), (33, "M", 4), (42, "M", 4), (43, "M", None),
     (6, "T", 20), (7, "T", 12), (8, "S", 20), (9, "S", 12), (18, "L", 12), (17, "L", 20), (24, "H", 20),
     (48, "G", 20)],
)  # fmt: skip
def test_the_bracket_goes_by_distance_and_size(spaces: int, size: str, die: int | None) -> None:
    """A longbow: 60, 120, 160, 210 ft; tiny counts twice, large two thirds, huge half, gigantic a quarter."""
    fight = Fight(archer(), being("b", (1 + spaces, 2), size=size, space=1), throws=dice("initiative 1 1"), rows=LONG)
    weapon = fight.now.setup.armoury.weapons["longbow"]
    assert bracket(fight.now, CreatureIx(0), CreatureIx(1), weapon) == die


def test_beyond_the_last_bound_there_is_no_shot() -> None:
    fight = Fight(archer(), being("b", (50, 2)), throws=dice("initiative 1 1"), rows=LONG)
    assert "210 ft" in fight.refusal("a", "shoot", target="b")


def test_a_stationary_target_defends_with_a_bare_d12_and_a_moving_one_with_a_d20() -> None:
    blow = first(shot(10, 5, 3, 3, b={"defence": 9}))
    assert blow["rolls"][0]["dice"] == "d12p"


@pytest.mark.parametrize(("ago", "die"), [(0, 20), (1, 20), (2, 12)])
def test_a_target_moves_that_left_its_space_in_this_second_or_the_one_before(ago: int, die: int) -> None:
    fight = Fight(archer(), being("b", (6, 2)), throws=dice("initiative 1 1"), rows=LONG)
    fight.hold("a", "b", seconds=8)
    fight.change("b", moved=fight.second - ago)
    assert defence_die(fight.now, CreatureIx(1)) == die


@pytest.mark.parametrize(
    ("weapon", "aimed", "quick"),
    [("longbow", 12, 8), ("light crossbow", 20, 16), ("sling", 8, 4), ("throwing knife", 5, 2)],
)
def test_the_shot_leaves_after_loading_drawing_aiming_and_firing(weapon: str, aimed: int, quick: int) -> None:
    arms = Fight(
        archer(weapon), being("b", (6, 2)), throws=dice("initiative 1 1"), rows=LONG
    ).now.setup.armoury.weapons[weapon]
    assert cycle(arms, False)[0] == aimed
    assert cycle(arms, True)[0] <= max(quick, 3)


def shots_of(fight: Fight, *, by: str = "a") -> list[int]:
    """The seconds in which somebody's shots left."""
    return [second for second, blow in fight.told("attack") if blow["by"] == by and blow["ranged"]]


@pytest.mark.parametrize(
    ("weapon", "option", "seconds"),
    [("longbow", None, [13, 25, 37]), ("longbow", "quick", [9, 17, 25]), ("shortbow", None, [13, 25, 37]),
     ("light crossbow", None, [21, 41]), ("light crossbow", "quick", [17, 33, 49]), ("heavy crossbow", None, [61]),
     ("sling", None, [9, 19, 29]), ("sling", "quick", [5, 11, 17])],
)  # fmt: skip
def test_one_shot_after_another_takes_a_cycle_each(weapon: str, option: str | None, seconds: list[int]) -> None:
    """Loading begins again in the second in which a shot has left, or in which one has recovered from it."""
    fight = Fight(archer(weapon), being("b", (6, 2), reduction=30, hp_max=200),
                  throws=[1, 1, *[None] * 90], rows=LONG)  # fmt: skip
    fight.hold("b", seconds=60)
    fight.do("a", "shoot", target="b", option=option) if option else fight.do("a", "shoot", target="b")
    fight.until("a", seconds[-1] + 1)
    assert shots_of(fight)[: len(seconds)] == seconds


CORNER = ["#" * 20, "#" + "." * 18 + "#", *["#" + "." * 8 + "#" + "." * 9 + "#"] * 2, "#" * 20]


def hides(weapon: str = "longbow", option: str | None = None) -> Fight:
    """`b` steps behind the wall at [9, 2] before the shot at it can leave; `c` stands in the open."""
    fight = Fight(
        being("a", (1, 1), weapons=[weapon, "longsword"]), being("b", (10, 1), reduction=30),
        being("c", (15, 1), reduction=30), throws=[1, 1, 1, *[None] * 60], rows=CORNER,
    )  # fmt: skip
    fight.hold("c", seconds=60)
    fight.do("b", "walk", path=[(10, 2), (10, 3)])
    fight.do("b", "end")
    fight.do("a", "shoot", target="b")
    while "a" not in fight.waiting:
        fight.hold(fight.waiting[0], seconds=60)
    return fight


@pytest.mark.parametrize(("option", "takes"), [(None, 5), ("quick", 1)])
def test_a_target_out_of_sight_costs_the_aim_but_not_the_load(option: str | None, takes: int) -> None:
    """The arrow stays nocked: only aiming (4) and loosing (1) are left; in second 13 there was no shot."""
    fight = hides()
    assert [e["text"] for _, e in fight.told("note")] == ["has no shot"]
    assert fight.second == 14
    fight.do("a", "shoot", target="c", option=option) if option else fight.do("a", "shoot", target="c")
    assert shots_of(fight)[0] == 14 + takes


def test_a_nocked_arrow_is_lost_with_the_bow_put_away() -> None:
    fight = hides()
    fight.do("a", "ready", weapon="longsword")
    fight.until("a")
    fight.do("a", "ready", weapon="longbow")
    fight.until("a")
    began = fight.second
    fight.do("a", "shoot", target="c")
    assert shots_of(fight)[0] == began + 12


def test_a_load_half_done_is_lost() -> None:
    fight = Fight(archer(), being("b", (6, 2), reduction=30), throws=[1, 1, *[None] * 60], rows=LONG)
    fight.hold("b", seconds=3)
    fight.do("a", "shoot", target="b")
    fight.do("b", "jog", path=[(5, 2), (4, 2), (3, 2), (2, 2)])
    fight.do("b", "end")
    fight.until("a")
    began = fight.second
    assert began < 8, "he has come into contact before the arrow is on the string"
    fight.do("a", "walk", path=[(1, 1)])
    fight.do("a", "end")
    fight.until("a")
    began = fight.second
    fight.do("a", "shoot", target="b")
    fight.until("a", began + 13)
    assert shots_of(fight)[0] == began + 12


def test_quick_aim_costs_six() -> None:
    blow = first(shot(10, 5, option="quick"))
    assert sum(x["value"] for x in blow["adjustments"] if x["to"] == "attack") == -6


def test_the_archers_bonus_counts_and_strength_does_not() -> None:
    blow = first(shot(10, 5, 3, 4, a={"attack": 3, "damage": 9}))
    assert (blow["attack"], blow["damage"]) == (13, 7)


def test_a_natural_one_misses_and_a_natural_twenty_that_hits_is_critical() -> None:
    assert first(shot(1, 1))["outcome"] == "miss"
    assert first(shot(20, 3, 5, 2, 3, 4, 5))["outcome"] == "critical_hit"


@pytest.mark.parametrize(("shield", "cap"), [("small shield", 19), ("medium shield", 16), ("large shield", 11)])
def test_a_shield_caps_the_total_and_takes_no_harm(shield: str, cap: int) -> None:
    fight = shot(20, 6, 5, 3, b={"shield": shield})
    assert first(fight)["attack"] == cap
    assert fight.of("b")["shield"] == shield


@pytest.mark.parametrize(
    ("state", "cap"),
    [({}, 11), ({"stance": Stance.FLEEING}, None), ({"prone": True}, None), ({"helpless": 99}, None),
     ({"facing": 2}, None), ({"init": 99}, None)],
)  # fmt: skip
def test_a_shield_is_held_up_by_nobody_who_flees_lies_or_is_turned_away(state: dict[str, Any], cap: int | None) -> None:
    fight = Fight(
        archer(), being("b", (6, 2), shield="large shield", facing=6), throws=dice("initiative 1 1"), rows=LONG
    )
    fight.change("b", **state)
    assert cover_of(fight.now, CreatureIx(0), CreatureIx(1)) == cap


def test_partial_cover_caps_at_sixteen() -> None:
    rows = ["########", "#.....##", "#..#...#", "########"]
    fight = Fight(being("a", (1, 1), weapons=["longbow"]), being("b", (5, 2)), throws=[1, 1, 20, 6, 2, *[None] * 40],
                  rows=rows)  # fmt: skip
    fight.hold("b", seconds=60)
    fight.do("a", "shoot", target="b")
    assert first(fight)["attack"] == 16


def test_into_a_melee_a_miss_may_find_the_next_nearest() -> None:
    friend = being("aa", (7, 2))
    fight = Fight(archer(), friend, being("b", (6, 2)), throws=[1, 1, 1, *[None] * 200], rows=LONG)
    for who in ("aa", "b"):
        fight.do(who, "policy", option="stand")
        fight.hold(who, seconds=60)
    fight.do("a", "shoot", target="b")
    targets = [e["target"] for e in fight.all("attack") if e.get("ranged")]
    assert targets[0] == "b"
    assert first(fight)["rolls"][0]["dice"] == "d20p+6"


def test_a_stray_arrow_finds_nobody_behind_a_wall() -> None:
    """`c` is as near to `b` as `aa` is, on the other side of the wall: no die is thrown for it."""
    rows = ["##########", "#.......##", "#########.", "#........#", "##########"]
    fight = Fight(
        being("a", (1, 1), weapons=["longbow"]), being("aa", (7, 1), weapons=["dagger"]), being("b", (6, 1)),
        being("c", (6, 3)), throws=dice("initiative 1 1 1 1, shot 2, defence 9 9"), rows=rows,
    )  # fmt: skip
    fight.hold("aa", "b", "c", seconds=13)
    fight.do("a", "shoot", target="b")
    assert [blow["target"] for blow in fight.all("attack")] == ["b", "aa"]


def test_a_hurled_weapon_leaves_the_hand() -> None:
    fight = shot(10, 5, 3, weapon="throwing knife", at=(4, 2))
    assert fight.of("a")["weapon"] != "throwing knife"
    assert fight.state["floor"] == [{"item": "throwing knife", "at": [4, 2]}]


@pytest.mark.parametrize("do", ["shoot", "hold_at_bay", "set"])
def test_no_order_names_a_weapon_that_is_not_in_hand(do: str) -> None:
    weapon = "spear" if do != "shoot" else "longbow"
    fight = Fight(
        being("a", (1, 2), weapons=[weapon, "dagger"]), being("b", (3, 2)), throws=dice("initiative 1 1"), rows=LONG
    )
    fight.hold("b", seconds=60)
    assert "is not in hand" in fight.refusal("a", do, target="b", weapon="mail")
    assert "is not in hand" in fight.refusal("a", do, target="b", weapon="dagger")


# -- magic


def mage(*spells: str, **says: Any) -> dict[str, Any]:
    return being("a", (1, 2), weapons=["staff"], spells=list(spells), spell_points=140, level=1, **says)


def cast(spell: str, *throws: int | None, b: Any = None, a: Any = None, **aim: Any) -> Fight:
    fight = Fight(mage(spell, **(a or {})), being("b", (5, 2), **(b or {})), throws=[1, 1, *throws, *[None] * 60],
                  rows=LONG)  # fmt: skip
    fight.hold("b", seconds=60)
    fight.do("a", "cast", item=spell, **(aim or {"target": "b"}))
    return fight


def test_a_spell_takes_its_casting_time_and_its_points() -> None:
    fight = cast("Magic Projectile", 3, 2)
    assert fight.of("b")["hp"] == 35
    assert fight.now.figures[0].points == 140 - 60


def test_spells_ignore_armour() -> None:
    assert cast("Magic Projectile", 3, 2, b={"reduction": 9}).of("b")["hp"] == 35


@pytest.mark.parametrize(("caster", "target", "resists"), [(10, 10, False), (10, 11, True), (5, 6, True)])
def test_a_save_is_the_targets_die_against_the_casters(caster: int, target: int, resists: bool) -> None:
    """The caster adds its level 1; equal saves."""
    fight = cast("Enfeeble", caster, target)
    assert any(e["condition"] == "enfeebled" for e in fight.all("condition")) != resists


def test_a_save_may_halve() -> None:
    fight = cast("Fist of Thunder", 10, 11, 1, 2, 3, 1, 2, at=(5, 2))
    assert fight.all("injury")[0]["amount"] == 9 // 2


def test_who_is_immune_to_the_kind_of_save_is_not_touched() -> None:
    fight = cast("Doze", at=(5, 2), b={"mental": None})
    assert not any(e["condition"] == "helpless" for e in fight.all("condition"))


def test_after_a_spell_one_is_tired_for_five_seconds_more() -> None:
    fight = cast("Magic Projectile", 3, 2)
    assert "spell fatigue" in fight.of("a")["conditions"]
    assert "spell fatigue" in fight.refusal("a", "cast", item="Magic Projectile", target="b")
    assert "walk only" in fight.refusal("a", "jog", path=[[2, 2]])


def test_a_wound_loses_the_spell_and_its_points() -> None:
    swordsman = being("b", (2, 2))
    fight = Fight(mage("Smoke Screen"), swordsman, throws=[1, 1, 1, 15, 3, 3, *[None] * 60], rows=LONG)
    fight.do("b", "attack", target="a")
    fight.do("a", "cast", item="Smoke Screen", at=[5, 2])
    assert any("is lost" in e["text"] for e in fight.all("note"))
    assert fight.now.zones == ()


def test_points_that_are_not_there_cannot_be_spent() -> None:
    fight = Fight(mage("Fist of Thunder", hp=5), being("b", (5, 2)), throws=dice("initiative 1 1"), rows=LONG)
    fight.hold("b", seconds=60)
    assert fight.now.figures[0].points >= 90
    poor = Fight(
        {**mage("Fist of Thunder"), "spell_points": 50}, being("b", (5, 2)), throws=dice("initiative 1 1"), rows=LONG
    )
    assert "spell points" in poor.refusal("a", "cast", item="Fist of Thunder", at=[5, 2])


def test_a_cure_mends_by_touch() -> None:
    healer = mage("Light Cure", hp=20)
    fight = Fight(healer, being("b", (9, 2)), throws=[1, 1, 5, *[None] * 20], rows=LONG)
    fight.hold("b", seconds=60)
    fight.do("a", "cast", item="Light Cure", target="a")
    assert fight.of("a")["hp"] == 26


def test_a_cure_mends_the_anointed_by_better_dice() -> None:
    healer = mage("Light Cure", hp=20, anointed=True)
    fight = Fight(healer, being("b", (9, 2)), throws=[1, 1, 2, 3, *[None] * 20], rows=LONG)
    fight.hold("b", seconds=60)
    fight.do("a", "cast", item="Light Cure", target="a")
    assert fight.of("a")["hp"] == 20 + 2 + 3 + 2, "2d4p+2 instead of d8p+1"
    assert fight.used == 4


def test_smoke_hides_what_it_covers() -> None:
    fight = cast("Smoke Screen", at=(5, 2))
    seen = fight.rules.sees(fight.now, "heroes")
    assert not seen >> fight.field.cell(5, 2) & 1


def test_one_shot_and_then_another_order_with_the_next_arrow_being_loaded() -> None:
    fight = Fight(archer(), being("b", (6, 2), reduction=30), throws=[1, 1, *[None] * 60], rows=LONG)
    fight.hold("b", seconds=60)
    fight.do("a", "shoot", target="b", option="once")
    assert (shots_of(fight), fight.second, fight.waiting) == ([13], 14, ["a"])
    fight.do("a", "shoot", target="b", option="once")
    assert shots_of(fight) == [13, 25]
    fight.do("a", "walk", path=[(1, 1)])
    fight.do("a", "end")
    fight.until("a")
    began = fight.second
    fight.do("a", "shoot", target="b", option="once")
    assert shots_of(fight)[-1] == began + 12, "a load that is broken off is lost"

"""Wounds by spells and fire, shields by the table, hands, loads, saves (countup.md §2, §4, §5)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.contract.units import Cell, CreatureIx
from rules.countup.combat.attack import defence_of, thrown_strength
from rules.countup.combat.reach import in_reach
from rules.countup.manners import Stance
from rules.countup.state import Gait
from tests.rules.countup.creatures import HALL, Fight, being, duel, struck
from tests.rules.table import dice

SMALL: dict[str, Any] = {"shield": "small shield"}


def first(fight: Fight) -> dict[str, Any]:
    return fight.all("attack")[0]


def mage(spell: str, at: tuple[int, int] = (1, 3), **says: Any) -> dict[str, Any]:
    return being("a", at, weapons=["staff"], spells=[spell], spell_points=500, **{"level": 1, **says})


def cast(spell: str, *throws: Any, b: Any = None, a: Any = None, **aim: Any) -> Fight:
    """`a` at [1, 3] casts at `b` at [3, 3], both aware from the first second on."""
    fight = Fight(mage(spell, **(a or {})), being("b", (3, 3), **(b or {})), throws=[1, 1, *throws, *[None] * 90])
    fight.hold("b", seconds=60)
    fight.do("a", "cast", item=spell, **(aim or {"target": "b"}))
    return fight


# -- shields (§2.2)


@pytest.mark.parametrize(
    ("weapon", "faces", "raw"),
    [("short sword", (5, 3), 3), ("dagger", (), 0), ("scourge", (), 0), ("javelin", (), 1), ("mace", (7,), 7)],
)
def test_a_shield_takes_what_the_table_says(weapon: str, faces: tuple[int, ...], raw: int) -> None:
    """Of two d6p the lower; nothing, one, or the dice; what is above its reduction of 4 goes on."""
    fight = struck(10, 12, *faces, *[None] * 40, a={"weapons": [weapon], "damage": 2}, b={**SMALL, "defence": 0})
    assert first(fight)["outcome"] == "shield_struck"
    assert first(fight)["damage"] == max(0, raw + 2 - 4)


def test_a_jab_at_a_shield_is_half_as_hard_and_does_not_penetrate() -> None:
    fight = struck(10, 12, 8, 1, *[None] * 40, a={"damage": 6}, b=SMALL, option="jab")
    assert first(fight)["damage"] == (8 + 6) // 2 - 4


# -- pain (§2.4)


@pytest.mark.parametrize(("face", "helpless"), [(5, False), (7, True)])
def test_a_wound_by_a_spell_hurts_like_any_other(face: int, helpless: bool) -> None:
    fight = cast("Magic Projectile", 3, 3, face, b={"pain": 5})
    assert any(e["what"] == "threshold of pain" for e in fight.all("check"))
    assert (fight.of("b")["helpless"] > 0) == helpless


def test_what_a_ward_takes_does_not_hurt() -> None:
    fight = duel(10, 12, 7, 6, *[None] * 60, b={"pain": 5, "hp_max": 9})
    warded = msgspec.structs.replace(fight.now.figures[1], ward=10)
    fight.now = msgspec.structs.replace(fight.now, figures=(fight.now.figures[0], warded))
    fight.do("b", "policy", option="stand")
    fight.do("b", "hold", option="30")
    fight.do("a", "attack", target="b")
    assert fight.all("injury")[0]["amount"] == 7 + 6 - 10
    blows = [i for i, e in enumerate(fight.events) if e["event"] == "attack"]
    assert not [e for e in fight.events[blows[0] : blows[1]] if e["event"] == "check"]


# -- fire (§5.5)


@pytest.mark.parametrize("hp", [30, 1])
def test_a_troll_heals_a_point_every_five_seconds(hp: int) -> None:
    fight = Fight(being("a", (1, 3)), being("b", (9, 3), hp=hp, regenerates=5), throws=dice("initiative 1 1"))
    fight.hold("a", "b", seconds=21)
    assert fight.of("b")["hp"] == hp + fight.second // 5


def test_but_not_what_fire_has_taken() -> None:
    fight = cast("Scorch", 20, 1, 1, 3, 3, b={"regenerates": 5, "hp_max": 40}, at=(2, 3))
    burnt = fight.all("injury")[0]["amount"]
    assert burnt > 0
    while fight.second < 40:
        for who in fight.waiting:
            fight.hold(who)
    assert fight.of("b")["hp"] == 40 - burnt


# -- who (§2.3, §4, §5.3)


@pytest.mark.parametrize(("left", "space"), [(False, (2, 2)), (True, (2, 4))])
def test_the_left_handed_knock_foes_the_other_way(left: bool, space: tuple[int, int]) -> None:
    """A 12: to the left of a blow eastwards; for the left-handed to the right."""
    fight = Fight(
        being("a", (1, 3), damage=12, left_handed=left),
        being("b", (2, 3)),
        throws=[1, 1, 5, 15, 4, 4, 12, *[None] * 60],
    )
    fight.do("b", "policy", option="stand")
    fight.do("b", "hold", option="30")
    fight.do("a", "attack", target="b")
    assert [tuple(at) for at in fight.all("moved")[0]["path"]] == [space]


def test_who_is_hard_to_move_counts_as_larger_for_knock_back() -> None:
    """Sixteen points, which also end it: less than the 20 of large size, more than the 15 of middle size."""
    heavy = struck(*dice("defence 5, attack 15, damage 4 4"), a={"damage": 8}, b={"hp_max": 16, "knock_size": "L"})
    assert not heavy.all("moved")
    assert struck(*dice("defence 5, attack 15, damage 4 4, direction 5"), a={"damage": 8}, b={"hp_max": 16}).all(
        "moved"
    )


@pytest.mark.parametrize(("load", "costs"), [("", (0, 0, 0)), ("light", (-1, 0, 0)), ("medium", (-2, 1, 1)),
                                             ("heavy", (-4, 2, 2))])  # fmt: skip
def test_a_load_costs_defence_initiative_and_speed(load: str, costs: tuple[int, int, int]) -> None:
    fight = duel(10, 5, *[None] * 40, a={"load": load}, b={})
    fight.do("b", "policy", option="stand")
    fight.do("b", "hold", option="30") if "b" in fight.waiting else None
    while "a" not in fight.waiting:
        fight.hold(*fight.waiting)
    before = fight.second
    fight.do("a", "attack", target="b")
    assert defence_of(fight.now, CreatureIx(0), CreatureIx(1)).bonus == costs[0] - 4
    assert fight.of("a")["init"] == 1 + costs[1]
    assert fight.all("attack")[0]["by"] == "a"
    assert (fight.of("a")["due"] - before) % (10 + costs[2]) == 0


@pytest.mark.parametrize(("weapons", "speed"), [(["longsword"], 10), ([], 5)])
def test_fists_are_twice_as_fast_at_the_unarmed(weapons: list[str], speed: int) -> None:
    fight = struck(10, 5, 10, 5, *[None] * 60, a={"weapons": []}, b={"weapons": weapons})
    told = [e["number"] for e in fight.all("began") if e["what"] == "second"]
    assert told[:2] == [1, 1 + speed]


# -- reach (§3)


def test_a_spear_does_not_reach_past_a_standing_foe() -> None:
    """Ten feet on, straight behind the first or the second space."""
    for at in ((2, 3), (3, 3)):
        fight = Fight(being("a", (1, 3), weapons=["spear"]), being("b", at), being("c", (4, 3), side="monsters"),
                      throws=dice("initiative 1 1 1"))  # fmt: skip
        assert not in_reach(fight.now, CreatureIx(0), CreatureIx(2), fight.now.setup.weapon(0, "spear"))
    small = Fight(being("a", (1, 3), weapons=["spear"]), being("b", (2, 3), size="S"),
                  being("c", (4, 3), side="monsters"), throws=dice("initiative 1 1 1"))  # fmt: skip
    assert in_reach(small.now, CreatureIx(0), CreatureIx(2), small.now.setup.weapon(0, "spear"))


def test_nobody_strikes_with_a_bow() -> None:
    """A perfect defence with a bow in hand: the fist."""
    fight = struck(20, 1, 10, 12, 3, 3, *[None] * 40, b={"weapons": ["longbow"]})
    free = fight.all("attack")[1]
    assert (free["action"], free["weapon"]) == ("free", "unarmed")


@pytest.mark.parametrize(("gait", "bonus"), [("walk", 0), ("jog", 3), ("run", 3)])
def test_strength_counts_in_a_throw_after_fifteen_feet_at_a_jog(gait: str, bonus: int) -> None:
    fight = duel(a={"weapons": ["hurled axe"], "damage": 3})
    runs = msgspec.structs.replace(fight.now.figures[0], gait=Gait(gait), straight=120)
    state = msgspec.structs.replace(fight.now, figures=(runs, fight.now.figures[1]))
    assert thrown_strength(state, CreatureIx(0), state.setup.weapon(0, "hurled axe")) == bonus
    short = msgspec.structs.replace(runs, straight=80)
    state = msgspec.structs.replace(fight.now, figures=(short, fight.now.figures[1]))
    assert thrown_strength(state, CreatureIx(0), state.setup.weapon(0, "hurled axe")) == 0


# -- saves (§2.8)


@pytest.mark.parametrize(
    ("says", "cast_at", "target", "resists"),
    [
        ({"attack": 3, "physical": 0, "dodge": 2}, 10, 6, True),  # 6 + 3 + 2 = 10 + 1
        ({"attack": 3, "dodge": 2}, 10, 5, False),
        ({"level": 4, "attack": 9, "dodge": 0}, 10, 7, True),  # the level, not the attack bonus
        ({"level": 4, "attack": 9, "dodge": 0}, 10, 6, False),
    ],
)
def test_a_save_counts_level_or_attack_and_the_listed_bonus(
    says: dict[str, Any], cast_at: int, target: int, resists: bool
) -> None:
    fight = cast("Enfeeble", cast_at, target, b=says)
    assert any(e["condition"] == "enfeebled" for e in fight.all("condition")) != resists


def test_friends_within_a_whistle_must_save_too() -> None:
    fight = Fight(mage("Yudder's Whistle"), being("aa", (2, 3)), being("b", (9, 3)),
                  throws=[1, 1, 1, 10, 11, *[None] * 20])  # fmt: skip
    fight.hold("aa", "b", seconds=60)
    fight.do("a", "cast", item="Yudder's Whistle")
    assert [e["what"] for e in fight.all("check")] == ["mental save"]
    assert "bound" not in fight.of("aa")["conditions"]


def test_the_mindless_are_immune_to_what_asks_for_a_mental_save() -> None:
    fight = cast("Command", b={"immune": ["mental"]}, a={})
    assert "bound" not in fight.of("b")["conditions"]
    assert fight.used == 2


# -- spells (§5.4)


def test_a_square_spell_takes_in_two_spaces_each_way_and_not_its_caster() -> None:
    from rules.contract.actions import Action

    fight = Fight(mage("Scorch", (3, 3)), being("b", (9, 3)), throws=dice("initiative 1 1"))
    spaces = lambda x, y: {
        fight.field.at(Cell(cell))
        for cell in range(fight.field.width * fight.field.height)
        if fight.rules.area(fight.now, Action("a", "cast", item="Scorch", at=fight.field.cell(x, y))) >> cell & 1
    }
    assert spaces(4, 3) == {(4, 3), (5, 3), (4, 4), (5, 4)}
    assert spaces(5, 3) == {(4, 3), (5, 3), (4, 4), (5, 4)}  # back, within ten feet
    assert spaces(2, 2) == {(2, 2), (1, 2), (2, 1), (1, 1)}


@pytest.mark.parametrize(("level", "missiles"), [(1, 1), (3, 3), (9, 5)])
def test_missiles_are_one_a_level_and_five_at_most(level: int, missiles: int) -> None:
    fight = cast("Magic Projectile", *[2, 1] * 9, a={"level": level})
    assert [e["amount"] for e in fight.all("injury")] == [3] * missiles


def test_hot_metal_sears_every_second_for_ten() -> None:
    fight = cast("White Hot Metal", *[2] * 10)
    while fight.second < 20:
        fight.hold(*fight.waiting)
    assert [e["amount"] for e in fight.all("injury")] == [2] * 10


def test_who_has_no_metal_on_is_not_seared() -> None:
    fight = Fight(mage("White Hot Metal"), being("b", (3, 3), weapons=[]), throws=dice("initiative 1 1"))
    fight.hold("b", seconds=60)
    assert "no metal" in fight.refusal("a", "cast", item="White Hot Metal", target="b")


def test_a_ball_of_fire_skips_straight_on_every_ten_feet() -> None:
    fight = Fight(mage("Skipping Betty Fireball"), being("b", (3, 3)), being("c", (7, 3), side="monsters"),
                  being("d", (7, 5), side="monsters"), throws=[1] * 4 + [15, 1, *[1] * 5] * 2)  # fmt: skip
    fight.hold("b", "c", "d", seconds=60)
    fight.do("a", "cast", item="Skipping Betty Fireball", at=(3, 3))
    assert [e["target"] for e in fight.all("injury")] == ["b", "c"]


def test_panic_lasts_ten_times_what_a_die_says() -> None:
    fight = cast("Panic", 2, 10, 5, at=(3, 3))
    ends = dict(fight.now.figures[1].effects)["panicked"]
    assert ends == 1 + 2 + 10 * (2 + 3)


@pytest.mark.parametrize(("level", "says"), [(1, "reaches 5 ft"), (2, None)])
def test_fear_reaches_five_feet_a_level(level: int, says: str | None) -> None:
    fight = Fight(mage("Cause Fear", level=level), being("b", (3, 3)), throws=[1, 1, *[None] * 9], rows=HALL)
    fight.hold("b", seconds=60)
    if says:
        assert says in fight.refusal("a", "cast", item="Cause Fear", target="b")
    else:
        fight.do("a", "cast", item="Cause Fear", target="b")


# -- held at bay (§4)


def test_a_holder_who_casts_or_lies_holds_nobody() -> None:
    for change in ({"prone": True}, {"stance": Stance.FLEEING}):
        fight = duel(a={"weapons": ["spear"]}, b={})
        held = msgspec.structs.replace(fight.now.figures[1], held_by=0)
        holder = msgspec.structs.replace(fight.now.figures[0], **change)
        fight.now = msgspec.structs.replace(fight.now, figures=(holder, held))
        fight.hold(*fight.waiting, seconds=1)
        while fight.second < 3:
            fight.hold(*fight.waiting, seconds=1)
        assert fight.now.figures[1].held_by == -1

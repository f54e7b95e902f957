"""Optional rules, lamps, minds under spells, and stances that end (countup.md §2.6, §2.10, §3, §4)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.board.grid import Field
from rules.contract.errors import RecordError
from rules.contract.units import CreatureIx
from rules.countup.combat.attack import cover_of, defence_die, defence_of
from rules.countup.manners import Stance
from rules.countup.state import OPTIONS, SWITCHES
from rules.countup.visibility import penalties, smoke_between
from tests.rules.countup.creatures import HALL, Fight, being, duel, struck
from tests.rules.table import dice


def put(fight: Fight, who: int, **changes: Any) -> None:
    """Change a figure by hand."""
    figures = list(fight.now.figures)
    figures[who] = msgspec.structs.replace(figures[who], **changes)
    fight.now = msgspec.structs.replace(fight.now, figures=tuple(figures))


def test_every_option_is_off_unless_said() -> None:
    assert not any(OPTIONS[switch.name] for switch in SWITCHES)
    with pytest.raises(RecordError, match="no option of countup"):
        duel(hiccups=True)


@pytest.mark.parametrize(("on", "outcome"), [(False, "miss"), (True, "critical_hit")])
def test_a_natural_20_hits_only_by_option(on: bool, outcome: str) -> None:
    fight = struck(18, 20, 1, 1, 1, 1, 1, *[None] * 40, b={"defence": 15}, natural_20_hits=on)
    assert fight.all("attack")[0]["outcome"] == outcome


@pytest.mark.parametrize(("on", "damage"), [(False, 1 + 2 + 3 + 4), (True, 2 * (1 + 2))])
def test_a_critical_hit_doubles_dice_or_by_option_the_total(on: bool, damage: int) -> None:
    fight = struck(2, 20, 1, 1, 2, 3, 4, *[None] * 40, double_total=on)
    assert fight.all("attack")[0]["damage"] == damage


def test_scampering_back_goes_two_spaces_and_costs_four() -> None:
    fight = duel(10, 6, *[None] * 60, scamper_back=True)
    fight.do("b", "hold", option="30")
    fight.do("a", "attack", target="b")
    fight.do("b", "choose", option="scamper")
    assert len(fight.all("moved")[-1]["path"]) == 2
    assert fight.now.figures[1].penalty == 4


def test_a_backstab_penetrates_on_two_faces_and_adds_a_die() -> None:
    thief = {"thief": True, "weapons": ["dagger"]}
    fight = struck(2, 10, 3, 1, 1, 2, *[None] * 40, a=thief, b={"facing": 2}, backstab=True)
    rolls = fight.all("attack")[0]["rolls"]
    assert [t["face"] for t in rolls[-1]["throws"]] == [3, 1, 1, 2]
    assert rolls[-1]["total"] == 3 + 0 + 1 + 2


def test_a_shout_lets_friends_act_two_seconds_sooner() -> None:
    fight = Fight(
        being("a", (1, 1)), being("aa", (1, 2)), being("b", (20, 1)), throws=dice("initiative 1 9 12"), hue_and_cry=True
    )
    assert fight.of("aa")["init"] == 7
    assert fight.of("b")["init"] == 12


@pytest.mark.parametrize(("fear", "nerve", "runs"), [(15, 10, True), (10, 10, False)])
def test_a_grave_wound_asks_for_nerve(fear: int, nerve: int, runs: bool) -> None:
    fight = struck(2, 10, 7, 7, fear, nerve, *[None] * 40, morale=True)
    assert ("panicked" in fight.of("b")["conditions"]) == runs


def test_low_defence_dice_tire_after_ten_seconds() -> None:
    fight = duel(1, 2, *[None] * 40, fatigue=True)
    fight.now = msgspec.structs.replace(fight.now, second=12)
    fight.do("b", "policy", option="stand")
    fight.do("b", "hold", option="2")
    fight.do("a", "attack", target="b")
    assert fight.now.figures[1].worn == 1
    assert any(
        x.because == "fatigue" and x.value == -1
        for x in defence_of(fight.now, CreatureIx(1), CreatureIx(0)).adjustments
    )


def test_a_small_shield_covers_the_front_only_by_option() -> None:
    block = {"shield": "small shield", "facing": 0}
    for on in (False, True):
        fight = duel(*[None] * 9, b=block, shield_arcs=on)
        assert defence_of(fight.now, CreatureIx(1), CreatureIx(0)).shield is not on


def test_a_shield_keeps_the_d20_against_shots_by_option() -> None:
    for on in (False, True):
        fight = Fight(
            being("a", (1, 1)),
            being("b", (12, 1), shield="small shield"),
            throws=dice("initiative 1 1"),
            shield_in_flight=on,
        )
        assert defence_die(fight.now, CreatureIx(1)) == (20 if on else 12)


def test_a_shield_turned_away_is_no_cover_and_a_kneeling_one_is_better() -> None:
    fight = Fight(
        being("a", (1, 1)), being("b", (12, 1), shield="medium shield", facing=6), throws=dice("initiative 1 1")
    )
    assert cover_of(fight.now, CreatureIx(0), CreatureIx(1)) == 16
    put(fight, 1, stance=Stance.KNEELING)
    assert cover_of(fight.now, CreatureIx(0), CreatureIx(1)) == 11
    put(fight, 1, stance=Stance.NONE, facing=2)
    assert cover_of(fight.now, CreatureIx(0), CreatureIx(1)) is None


def test_natural_20_on_the_trauma_roll_is_minutes_by_option() -> None:
    fight = struck(2, 10, 7, 7, 20, 1, 1, 1, 1, 1, *[None] * 40, b={"pain": 5}, out_cold=True)
    assert fight.now.figures[1].helpless >= 300


# -- light


def night(**says: Any) -> Fight:
    field = Field.from_rows(HALL)
    return Fight(
        being("a", (1, 1), **says), being("b", (12, 1)), throws=dice("initiative 1 1"), field=field, darkness=True
    )


def test_smoke_hides_what_lies_beyond() -> None:
    fight = night(weapons=["longbow"])
    cells = fight.now.terrain.within(fight.field.cell(6, 1), 1)
    fight.now = msgspec.structs.replace(fight.now, zones=(("smoke", cells, 99),))
    assert smoke_between(fight.now, fight.field.cell(1, 1), fight.field.cell(12, 1))
    assert "smoke" in fight.refusal("a", "shoot", target="b")
    assert penalties(fight.now, CreatureIx(0), CreatureIx(1)) == (0, 0)  # the hall is lit


def test_running_blows_a_candle_out_but_not_a_torch() -> None:
    for lamp, out in (("candle", True), ("torch", False)):
        fight = Fight(being("a", (1, 1), lamp=lamp), being("b", (20, 5)), throws=dice("initiative 1 1"))
        fight.hold("b", seconds=20)
        fight.do("a", "run", path=[[x, 1] for x in range(2, 9)])
        fight.do("a", "end")
        assert fight.now.figures[0].dark is out


def test_a_torch_burns_half_an_hour_and_six_spaces_far() -> None:
    who = duel(a={"lamp": "torch"}).now.setup.beings[0]
    assert (who.light, who.burns) == (6, 1800)


# -- minds


def minded(effect: str) -> Fight:
    fight = Fight(being("a", (5, 3)), being("b", (7, 3)), being("bb", (15, 3)), throws=dice("initiative 1 1 1"))
    put(fight, 0, effects=((effect, 99),))
    return fight


def test_the_panicked_only_run_away() -> None:
    fight = minded("panicked")
    assert "panicked" in fight.refusal("a", "attack", target="b")
    assert "away" in fight.refusal("a", "walk", path=[[6, 3]])
    fight.do("a", "walk", path=[[4, 3]])


def test_the_enraged_go_for_the_nearest() -> None:
    fight = minded("enraged")
    assert "enraged" in fight.refusal("a", "full_parry")
    assert "nearer" in fight.refusal("a", "attack", target="bb")
    assert "towards" in fight.refusal("a", "walk", path=[[4, 3]])
    beside = Fight(being("a", (6, 3)), being("b", (7, 3)), throws=dice("initiative 1 1"))
    put(beside, 0, effects=(("enraged", 99),))
    assert "a foe is in reach" in beside.refusal("a", "hold", option="1")


def test_the_charmed_do_not_strike_their_new_friends() -> None:
    assert "friend" in minded("charmed").refusal("a", "attack", target="b")


def test_the_bound_do_nothing() -> None:
    fight = minded("bound")
    for do in ("attack", "walk", "full_parry"):
        assert "bound" in fight.refusal("a", do, target="b", path=[[4, 3]])


# -- stances


def test_a_broken_off_defence_still_costs_the_attack_that_was_pending() -> None:
    fight = duel(*[None] * 60)
    put(fight, 0, stance=Stance.DEFENSIVE_3, until=1 << 30, due=5)
    fight.hold("b", seconds=3)
    fight.do("a", "hold", option="1")
    assert fight.now.figures[0].stance == ""
    assert fight.now.figures[0].owed == 6


def test_who_presses_steps_after_a_foe_that_gives_ground() -> None:
    fight = duel(10, 6, *[None] * 60)
    fight.do("a", "policy", option="press")
    fight.do("b", "policy", option="yield")
    fight.do("b", "hold", option="3")
    fight.do("a", "attack", target="b")
    assert fight.of("a")["at"] == [2, 1]
    assert fight.of("b")["at"] == [3, 1]


def test_rising_takes_a_second_during_which_one_still_lies() -> None:
    fight = duel(*[None] * 60)
    put(fight, 0, prone=True)
    fight.hold("b", seconds=1)
    fight.do("a", "stand")
    assert fight.of("a")["posture"] == "standing"
    assert any(e["condition"] == "prone" and not e["gained"] for e in fight.all("condition"))


def test_the_unproficient_pay_on_all_four() -> None:
    fight = duel(a={"untrained": "medium"})
    who = fight.now.setup.beings[0]
    assert (who.attack, who.defence, who.damage, who.unskilled) == (-4, -4, -4, 4)


def test_a_hold_at_bay_without_a_jab_does_not_wound() -> None:
    fight = Fight(being("a", (1, 1), weapons=["spear"]), being("b", (3, 1)), throws=[1, 1, 10, 15, *[None] * 60])
    fight.do("b", "policy", option="stand")
    fight.hold("b", seconds=1)
    fight.do("a", "hold_at_bay", target="b")
    assert fight.all("attack")[0]["damage"] == 0
    assert "held at bay" in fight.of("b")["conditions"]


def test_a_tactical_move_costs_one_a_second_until_the_next_attack() -> None:
    fight = duel(*[None] * 60, tactical_move=True, a={"hp_max": 99})
    assert "off" in duel().refusal("a", "tactical_move", path=[[1, 2]])
    put(fight, 0, contacts=(1,))
    put(fight, 1, contacts=(0,))
    fight.hold("b", seconds=2)
    fight.do("a", "tactical_move", path=[[1, 2]])
    fight.do("a", "end")
    assert (fight.now.figures[0].tactical, fight.now.figures[0].penalty) == (1, 0)
    assert any(x.because == "tactical move" for x in defence_of(fight.now, CreatureIx(0), CreatureIx(1)).adjustments)


def test_a_shield_is_slung_for_a_weapon_of_both_hands_and_takes_time_to_take_up() -> None:
    fight = Fight(being("a", (1, 1), weapons=["longsword", "halberd"], shield="small shield"), being("b", (20, 1)),
                  throws=dice("initiative 1 1, shield 2 3"))  # fmt: skip
    fight.hold("b", seconds=60)
    fight.do("a", "ready", weapon="halberd")
    assert fight.of("a")["shield"] is None
    before = fight.second
    assert before == 1 + 2 + 2, "a large weapon, and d4p to be rid of the shield"
    fight.do("a", "ready", weapon="longsword")
    assert fight.of("a")["shield"] == "small shield"
    assert fight.second - before == 1 + 3 + 1


def test_neither_panic_nor_rage_waits() -> None:
    assert "way to run" in minded("panicked").refusal("a", "end")
    fight = duel(*[None] * 9)
    put(fight, 0, effects=(("enraged", 99),))
    assert "in reach" in fight.refusal("a", "end")
    assert "in reach" in fight.refusal("a", "hold", option="3")


PARTED = ["#####################", "#.........#.........#", "#.........#.........#", "#.........#.........#", "#" * 21]
"""Two rooms and no door."""


@pytest.mark.parametrize(("fog", "faces"), [(False, 3), (True, 0)])
def test_in_fog_nobody_turns_to_a_foe_that_its_side_does_not_see(fog: bool, faces: int) -> None:
    """Whoever read the sheet knew where the unseen stood: "Faces south-east"."""
    fight = Fight(being("a", (8, 1)), being("b", (11, 3)), rows=PARTED, throws=None, fog=fog)
    assert fight.now.figures[0].facing == faces, "north, as without any foe, where none is seen"


def test_in_fog_one_turns_to_the_nearest_foe_among_those_that_are_seen() -> None:
    unseen, seen = being("b", (11, 1)), being("c", (2, 1))
    fight = Fight(being("a", (8, 1)), unseen, seen, rows=PARTED, throws=None, fog=True)
    assert fight.now.figures[0].facing == 6
    assert Fight(being("a", (8, 1)), unseen, seen, rows=PARTED, throws=None).now.figures[0].facing == 2


def test_in_fog_one_turns_to_whom_a_friend_sees() -> None:
    fight = Fight(being("a", (8, 1)), being("aa", (18, 3)), being("b", (12, 1)), rows=PARTED, throws=None, fog=True)
    assert [figure.facing for figure in fight.now.figures] == [2, 6, 2]


def test_in_fog_a_facing_of_ones_own_stays() -> None:
    fight = Fight(being("a", (8, 1), facing=5), being("b", (4, 1)), rows=PARTED, throws=None, fog=True)
    assert [figure.facing for figure in fight.now.figures] == [5, 2]

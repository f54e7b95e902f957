"""The computer's manoeuvres: for each a position where it is clearly right, and one where it is clearly wrong."""

from __future__ import annotations

from typing import Any

import pytest

from game.controllers.ai import AiController
from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.advisors.planning import Arm, Effect, Magic, Mend
from rules.board.bitboard import cells_of
from rules.contract.actions import Action
from rules.countup.combat.reach import COMPASS
from rules.countup.manners import Stance
from tests.rules.countup.creatures import Fight, being, changed

LANE = ["#" * 40, *["#" + "." * 38 + "#"] * 5, "#" * 40]
PLATE: dict[str, Any] = {"armour": "plate mail", "reduction": 20}
"""Nothing comes through it."""


def table(*creatures: dict[str, Any], rows: Any = LANE) -> Fight:
    return Fight(*creatures, throws=[*[1] * len(creatures), *[None] * 400], rows=rows)


def met(fight: Fight) -> Fight:
    """After a second in which everybody waits: who stands beside somebody is in contact."""
    for who in list(fight.waiting):
        fight.hold(who, seconds=1)
    return fight


def chosen(fight: Fight, by: str, temperament: str = "cunning", policy: bool = False) -> Action:
    """What the computer does there; what it does as policy is done before, unless it is asked for."""
    rules = fight.rules
    while True:
        decision = next(d for d in rules.decisions(fight.now) if d.by == by)
        known = rules.observe(fight.now, decision.side)
        action = AiController(temperament).choose(rules, known, decision, rules.legal(fight.now, decision))
        if action.do != "policy" or policy:
            return action
        fight.now = rules.apply(fight.now, decision, action).state


def manner(fight: Fight, by: str = "a", temperament: str = "cunning") -> str:
    action = chosen(fight, by, temperament)
    return (action.option or action.do) if action.do == "attack" else action.do


# -- aggressive, jab ------------------------------------------------------------------------------------


def test_aggressive_at_one_who_is_hard_to_hit_harmless_and_stands_firm() -> None:
    harmless = being("b", (2, 1), defence=12, damage=-15)
    assert manner(changed(met(table(being("a", (1, 1)), harmless)), "b", policy="stand")) == "aggressive"


def test_not_aggressive_at_one_who_gives_ground_and_is_hurt_half_as_much() -> None:
    hard = being("b", (2, 1), defence=12, damage=-15)
    assert manner(changed(met(table(being("a", (1, 1)), hard)), "b", policy="yield")) == "attack"


def test_not_aggressive_where_one_could_then_give_no_ground() -> None:
    """A blow twice as hard, for which one has to stand firm until the next."""
    firm, hard = {"policy": "stand"}, being("b", (4, 3), hp_max=30, defence=12, attack=-2, damage=2)
    fight = changed(met(table(being("a", (3, 3), hp_max=30), hard)), "b", **firm)
    assert manner(fight) != "aggressive"
    assert manner(changed(fight, "a", exposed=True)) != "aggressive"  # the last one was; this one need not be
    assert manner(changed(fight, "a", exposed=False, **firm)) == "aggressive"


def test_not_aggressive_among_three_that_kill() -> None:
    foes = [being(f"b{n}", at, damage=12, attack=8) for n, at in enumerate([(3, 2), (2, 3), (1, 2)])]
    assert manner(met(table(being("a", (2, 2), hp_max=20), *foes))) != "aggressive"


def test_quick_jabs_at_one_whom_any_wound_fells_among_his_copies() -> None:
    fight = met(table(being("a", (1, 1), attack=15, weapons=["dagger"]), being("b", (2, 1), hp=1)))
    assert manner(changed(fight, "b", images=3)) == "jab"


def test_no_jab_at_one_who_stands_many_wounds() -> None:
    assert manner(met(table(being("a", (1, 1)), being("b", (2, 1), hp_max=90)))) != "jab"


# -- parries --------------------------------------------------------------------------------------------


def test_a_full_parry_where_one_can_do_nothing_and_much_is_done_to_one() -> None:
    foe = being("b", (2, 1), damage=12, attack=5, **PLATE)
    assert manner(met(table(being("a", (1, 1), hp_max=20), foe))) == "full_parry"


def test_no_full_parry_before_one_who_is_nearly_done() -> None:
    foe = being("b", (2, 1), hp=2, defence=-4)
    assert manner(met(table(being("a", (1, 1)), foe))) not in ("full_parry", "defensive 4")


def test_defensively_where_blows_hit_anyway_and_the_foes_are_deadly() -> None:
    """Ten more to attack than the foe can defend: what a defensive fight takes is nothing, what it gives is much."""
    foe = being("b", (2, 1), damage=14, attack=2, defence=-14, hp_max=200)
    assert manner(met(table(being("a", (1, 1), attack=6, hp_max=25), foe))).startswith("defensive")


def test_not_defensively_against_the_harmless() -> None:
    foe = being("b", (2, 1), damage=-20)
    assert not manner(met(table(being("a", (1, 1)), foe))).startswith("defensive")


# -- charges --------------------------------------------------------------------------------------------


def test_a_charge_along_a_straight_way() -> None:
    fight = table(being("a", (1, 1), weapons=["mace"]), being("b", (8, 1), weapons=["dagger"]))
    fight.hold("b", seconds=9)
    run = chosen(fight, "a", "brute")
    assert (run.do, len(run.path)) == ("run", 6)
    step = fight.rules.apply(fight.now, fight._decision("a"), run)
    fight.now = step.state
    assert manner(fight, "a", "brute") == "charge"


@pytest.mark.parametrize("at", [(4, 1), (8, 4)])
def test_no_charge_from_too_near_or_round_a_corner(at: tuple[int, int]) -> None:
    fight = table(being("a", (1, 1)), being("b", at, weapons=["dagger"]))
    action = chosen(fight, "a", "brute")
    assert not (action.do == "run" and fight.rules.legal(fight.now, fight._decision("a")) is None)
    fight.hold("b", seconds=9)
    fight.now = fight.rules.apply(fight.now, fight._decision("a"), action).state
    if "a" in fight.waiting:
        assert manner(fight, "a", "brute") != "charge"


def test_no_charge_into_a_weapon_that_is_set() -> None:
    fight = table(being("a", (1, 1)), being("b", (8, 1), weapons=["spear"]))
    assert chosen(fight, "a", "brute").do == "run"
    changed(fight, "b", stance=Stance.SET, set_since=-4, until=1 << 30)
    assert chosen(fight, "a", "brute").do != "run"


@pytest.mark.parametrize(("due", "charges"), [(0, True), (30, False)])
def test_no_charge_whose_blow_is_not_due_when_it_is_there(due: int, charges: bool) -> None:
    fight = changed(table(being("a", (1, 1)), being("b", (8, 1), weapons=["dagger"])), "a", due=due)
    measures = advisor_of(fight.rules).measures(fight.now, fight._decision("a"))
    assert any(m.action.do == "run" for m in measures) == charges


# -- reach ----------------------------------------------------------------------------------------------


def test_a_spear_is_set_against_one_who_comes_running_from_afar() -> None:
    fight = table(being("a", (1, 1), weapons=["spear"]), being("b", (20, 1)))
    changed(fight, "b", gait="run", moved=fight.second, heading=6, straight=120)
    assert chosen(fight, "a").do == "set"


@pytest.mark.parametrize(("at", "gait"), [((20, 1), ""), ((6, 1), "run")])
def test_a_spear_is_not_set_against_one_who_stands_or_is_there_sooner(at: tuple[int, int], gait: str) -> None:
    fight = table(being("a", (1, 1), weapons=["spear"]), being("b", at))
    if gait:
        changed(fight, "b", gait=gait, moved=fight.second, heading=6)
    assert chosen(fight, "a").do != "set"


def test_a_foe_at_the_point_is_held_at_bay() -> None:
    fight = met(table(being("a", (1, 1), weapons=["spear"]), being("b", (4, 1), weapons=["dagger"], damage=6)))
    action = chosen(fight, "a")
    assert (action.do, action.option) == ("hold_at_bay", "jab")


def test_a_foe_who_is_held_already_is_simply_struck() -> None:
    fight = met(table(being("a", (1, 1), weapons=["spear"]), being("b", (4, 1), weapons=["dagger"])))
    changed(fight, "b", held_by=0)
    assert chosen(fight, "a").do == "attack"


def test_a_helpless_foe_at_the_point_is_struck_with_all_there_is() -> None:
    fight = met(table(being("a", (1, 1), weapons=["spear"]), being("b", (4, 1), weapons=["dagger"])))
    changed(fight, "b", helpless=40)
    assert chosen(fight, "a").do == "attack"


def test_who_is_held_at_bay_knocks_the_weapon_aside() -> None:
    fight = met(table(being("a", (1, 1), weapons=["spear"]), being("b", (3, 1), weapons=["dagger"])))
    changed(fight, "b", held_by=0)
    assert chosen(fight, "b").do == "knock_aside"
    changed(fight, "b", held_by=-1)
    assert chosen(fight, "b").do != "knock_aside"


# -- ground, flight, face -------------------------------------------------------------------------------


def struck_at(a: dict[str, Any], b: dict[str, Any]) -> str:
    """What `b` answers to `a`'s blow."""
    fight = table(being("a", (5, 3), **a), being("b", (6, 3), **b))
    fight.hold("b", seconds=30)
    fight.do("a", "attack", target="b")
    action = chosen(fight, "b")
    assert action.do == "choose"
    return action.option or ""


def test_ground_is_given_to_a_blow_that_may_kill() -> None:
    assert struck_at({"damage": 9, "attack": 2}, {"hp_max": 12}) == "yield"


def test_no_ground_is_given_to_a_blow_that_does_nothing() -> None:
    assert struck_at({}, PLATE) == "stand"


def fleeing(a: dict[str, Any], b: dict[str, Any]) -> str:
    """What `b` answers to `a`'s flight."""
    fight = met(table(being("a", (5, 3), **a), being("b", (6, 3), **b)))
    fight.hold("b", seconds=5)
    fight.do("a", "flee", path=[(4, 3), (3, 3), (2, 3), (1, 3)])
    return chosen(fight, "b").option or ""


def test_a_free_blow_at_the_fleeing_or_at_his_heels_where_it_does_nothing() -> None:
    assert fleeing({"hp_max": 9}, {"damage": 4}) == "strike"
    assert fleeing(PLATE, {}) == "follow"


def test_one_turns_round_to_those_behind_before_anything_else() -> None:
    foes = [being(f"b{n}", at, damage=9, attack=5) for n, at in enumerate([(1, 1), (1, 2), (1, 3)])]
    fight = met(table(being("a", (2, 2), facing=2, hp_max=25, weapons=["longbow"]), *foes))
    turn = chosen(fight, "a")
    assert (turn.do, turn.option) == ("turn", "6")
    changed(fight, "a", facing=6)
    assert chosen(fight, "a").do != "turn"


# -- nothing silly --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("column", "gait"), [(6, "jog"), (12, "run")])
def test_it_jogs_to_what_is_near_and_runs_to_what_is_far(column: int, gait: str) -> None:
    """A run would have to be brought to a halt, two spaces farther on."""
    fight = table(being("a", (1, 3), weapons=["mace"]), being("b", (column, 1), weapons=["dagger"]))
    fight.hold("b", seconds=60)
    changed(fight, "a", gait="run", moved=fight.second - 1, heading=2)
    action = chosen(fight, "a", "brute")
    assert (action.do, bool(action.path)) == (gait, True)


def test_who_is_tired_by_a_spell_does_not_walk_to_and_fro_for_a_blow_he_cannot_strike() -> None:
    fight = met(table(being("a", (5, 3), weapons=["mace"]), being("b", (6, 3), damage=-15)))
    changed(fight, "a", fatigue=40)
    for _ in range(4):
        assert chosen(fight, "a").do == "end"
        fight.hold("a", seconds=1)
        fight.until("a")


def test_it_has_just_come_and_stays_where_little_speaks_for_going_back() -> None:
    fight = table(being("a", (10, 3), weapons=["dagger"]), being("b", (30, 3), weapons=["dagger"]))
    fight.hold("b", seconds=60)
    before = advisor_of(fight.rules).outlook(fight.now, "a").merits
    assert before == ()
    changed(fight, "a", moved=fight.second - 1, heading=2, gait="jog")
    merits = advisor_of(fight.rules).outlook(fight.now, "a").merits
    here, back, ahead = (1 << fight.field.cell(*at) for at in ((10, 3), (8, 3), (12, 3)))
    worth = {cells: sum(m.value for m in merits if m.cells & cells) for cells in (here, back, ahead)}
    assert worth[here] > worth[ahead] == 0 > worth[back]


@pytest.mark.parametrize("heading", range(8))
def test_behind_is_the_half_that_one_turns_ones_back_to(heading: int) -> None:
    rows = ["#" * 9, *["#" + "." * 7 + "#"] * 7, "#" * 9]
    fight = table(being("a", (4, 4), weapons=["dagger"]), being("b", (1, 1)), rows=rows)
    changed(fight, "a", moved=fight.second, heading=heading)
    back = next(m for m in advisor_of(fight.rules).outlook(fight.now, "a").merits if m.value < 0).cells
    for way, (dx, dy) in enumerate(COMPASS):
        turn = min((way - heading) % 8, (heading - way) % 8)
        assert bool(back >> fight.field.cell(4 + dx, 4 + dy) & 1) == (turn >= 3), (way, turn)


def archer(**b: Any) -> Fight:
    bow = being("a", (3, 3), weapons=["longbow", "longsword"], attack=3)
    fight = table(bow, being("b", b.pop("at", (20, 3)), **b))
    fight.hold("b", seconds=60)
    return fight


def test_an_archer_takes_the_sword_when_a_foe_is_there_before_the_arrow() -> None:
    assert chosen(archer(at=(6, 3)), "a").weapon == "longsword"
    assert chosen(archer(at=(36, 3), half=True), "a").do == "shoot"


def test_an_archer_with_a_friend_before_him_keeps_his_bow() -> None:
    bow = being("a", (3, 3), weapons=["longbow", "longsword"], attack=3)
    fight = table(bow, being("aa", (8, 3)), being("b", (14, 3)))
    fight.hold("b", seconds=60)
    assert chosen(fight, "a").do == "shoot"


def test_with_the_sword_out_and_a_foe_near_he_does_not_take_up_the_bow() -> None:
    assert chosen(changed(archer(at=(8, 3)), "a", hand="longsword"), "a").do != "ready"
    slow = being("a", (3, 3), weapons=["longsword", "longbow"], squares=[1, 1, 0, 0], attack=15)
    fight = table(slow, being("b", (36, 3), squares=[1, 1, 0, 0]))
    fight.hold("b", seconds=60)
    assert chosen(fight, "a", "skirmisher").weapon == "longbow", "he will not be here for long"


def test_it_does_not_shoot_past_a_friend_where_another_target_is_as_good() -> None:
    def at(*foes: str) -> Action:
        bow = being("a", (3, 3), weapons=["longbow"], attack=3)
        friend = being("aa", (12, 2), hp_max=12, defence=-6)
        fight = table(bow, friend, being("b", (12, 3)), *(being(foe, (12, 5)) for foe in foes))
        for who in ("aa", "b", *foes):
            fight.do(who, "policy", option="stand")
            fight.hold(who, seconds=1)
        fight.hold("a", seconds=1)
        fight.hold(*[who for who in fight.waiting if who != "a"], seconds=60)
        return chosen(fight, "a")

    assert at("c").target == "c"
    assert at().do != "shoot", "rather none"


def test_it_shoots_once_and_thinks_again() -> None:
    assert chosen(archer(at=(36, 3), half=True), "a").option == "once"


def test_it_steps_after_foes_hand_to_hand_but_not_with_the_longer_weapon() -> None:
    def first(weapon: str) -> tuple[str, str | None]:
        fight = met(table(being("a", (5, 3), weapons=[weapon], attack=5), being("b", (6, 3), weapons=["mace"])))
        action = chosen(fight, "a", "brute", policy=True)
        return action.do, action.option

    assert first("longsword") != ("policy", "press")
    assert first("dagger") == ("policy", "press")
    fight = met(table(being("a", (5, 3), weapons=["spear"]), being("b", (6, 3), weapons=["dagger"])))
    changed(fight, "a", press=True)
    action = chosen(fight, "a", "brute", policy=True)
    assert (action.do, action.option) == ("policy", "keep")


def test_who_waits_for_a_foe_on_his_way_waits_with_his_weapon() -> None:
    """A cunning halberdier lets him come, and strikes as he comes."""
    fight = table(being("a", (5, 3), weapons=["halberd"]), being("b", (12, 3), weapons=["dagger"]))
    changed(fight, "b", moved=fight.second - 1, gait="jog", heading=6)
    end = advisor_of(fight.rules).outlook(fight.now, "a").end
    assert (end.do, end.target, end.option) == ("hold_at_bay", "b", "jab")
    changed(fight, "b", moved=-9, gait="")
    assert advisor_of(fight.rules).outlook(fight.now, "a").end.do == "end"


WALL = ["#" * 40, *["#" + "." * 6 + "#" + "." * 31 + "#"] * 60, LANE[1], "#" * 40]
"""Round it there is a way, at the far end."""
CHASM = [row if row == LANE[1] else row.replace(".#.", ". .") for row in WALL]


@pytest.mark.parametrize(
    ("others", "heading", "rows"),
    [([being("aa", (10, 3))], 6, LANE), ([], 2, LANE), ([], 6, WALL)],
    ids=["a friend is nearer to it", "it goes elsewhere", "it has far to go round a wall"],
)
def test_nobody_waits_ten_seconds_for_a_foe_who_does_not_come_to_it(
    others: list[dict[str, Any]], heading: int, rows: list[str]
) -> None:
    fight = table(being("a", (5, 3), weapons=["halberd"]), *others, being("b", (12, 3), weapons=["dagger"]), rows=rows)
    changed(fight, "b", moved=fight.second - 1, gait="jog", heading=heading)
    assert advisor_of(fight.rules).outlook(fight.now, "a").end.do == "end"


@pytest.mark.parametrize(("rows", "kept"), [(CHASM, True), (LANE, False)])
def test_a_bow_is_kept_where_foes_have_far_to_go_round_what_an_arrow_flies_over(rows: list[str], kept: bool) -> None:
    bow = being("a", (5, 3), weapons=["longbow", "longsword"], attack=3)
    fight = table(bow, being("b", (11, 3), weapons=["dagger"]), rows=rows)
    fight.hold("b", seconds=60)
    measures = advisor_of(fight.rules).measures(fight.now, fight._decision("a"))
    assert any(isinstance(measure, Arm) for measure in measures) != kept


def test_whom_a_spell_puts_to_sleep_for_a_minute_counts_more_than_whom_it_commands_for_a_moment() -> None:
    mage = being("a", (3, 3), weapons=["dagger"], spells=["Doze", "Command"], spell_points=140, level=1)
    fight = table(mage, being("b", (9, 3), weapons=["dagger"]))
    fight.hold("b", seconds=9)
    measures = advisor_of(fight.rules).measures(fight.now, fight._decision("a"))
    values = {m.action.item: m.value for m in measures if isinstance(m, Effect) and m.action.item}
    assert values["Doze"] > 2 * values["Command"] > 0.0


def test_a_defensive_fight_is_worth_what_it_keeps_off() -> None:
    """Against one who hits with all but a 1, four points keep off little; among three friends but a third of that."""
    sure = met(table(being("a", (5, 3)), being("b", (6, 3), attack=20, damage=5)))
    even = met(table(being("a", (5, 3)), being("b", (6, 3), attack=-4, damage=5)))
    crowd = met(
        table(being("a", (5, 3)), being("aa", (5, 2)), being("ab", (5, 4)), being("b", (6, 3), attack=-4, damage=5))
    )

    def cover(fight: Fight) -> float:
        decision = fight._decision("a")
        measures = advisor_of(fight.rules).measures(fight.now, decision)
        return next(m.cover for m in measures if isinstance(m, Magic) and m.action.option == "defensive 4")

    assert 0 <= cover(sure) < 1 < cover(even)
    assert cover(crowd) == pytest.approx(cover(even) / 3)


def test_no_cure_for_who_will_not_live_to_see_it() -> None:
    """His foe is due now, and fells him with any blow; the other has the whole cure before him."""
    healer = being("a", (5, 3), weapons=["mace"], spells=["Minor Cure"], level=1, facing=2)
    dying = being("aa", (6, 2), hp=1, defence=-15, hp_max=40)
    fight = table(healer, dying, being("ab", (4, 4), hp=1), being("b", (7, 2), attack=20, damage=20))
    for who in ("aa", "ab", "b"):
        fight.hold(who, seconds=1)
    measures = advisor_of(fight.rules).measures(fight.now, fight._decision("a"))
    values = {m.action.target: m.value for m in measures if isinstance(m, Effect | Mend) and m.action.do == "cast"}
    assert "aa" not in values or values["aa"] < 0 < values["ab"]


# -- panic and rage ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("temperament", ["brute", "cunning", "coward"])
@pytest.mark.parametrize("foes", [1, 3, 6])
def test_the_panicked_run_whatever_they_would_rather_do(temperament: str, foes: int) -> None:
    fight = table(being("a", (5, 3)), *[being(f"b{n}", (7 + n, 2)) for n in range(foes)])
    changed(fight, "a", effects=(("panicked", 99),))
    action = chosen(fight, "a", temperament)
    assert action.path, action
    assert fight.now.terrain.field.at(action.path[-1])[0] < 5


def test_to_the_enraged_only_ways_up_to_the_nearest_are_open() -> None:
    fight = table(being("a", (10, 3)), being("b", (13, 3)), being("far", (2, 3)))
    changed(fight, "a", effects=(("enraged", 99),))
    field, ways = fight.now.terrain.field, advisor_of(fight.rules).outlook(fight.now, "a").ways
    columns = {field.at(cell)[0] for way in ways for cell in cells_of(way.cells)}
    assert columns and min(columns) >= 10

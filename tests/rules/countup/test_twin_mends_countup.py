"""Rules that an independent second reading found otherwise than the sheet has them, one small case each."""

from tests.rules.countup.table import Fight, being


def test_what_is_drawn_away_from_a_melee_does_not_make_one_due_sooner() -> None:
    """§2.7, B32: attack in 1 (due 11), the foe dies, a dagger comes to hand: still due in 11."""
    fight = Fight(
        being("a", (1, 1), weapons=["longsword", "dagger"]),
        being("b", (2, 1), hp_max=5),
        being("c", (20, 5)),
        throws=[1, 1, 1, 2, 15, 5, 6],
    )
    fight.do("b", "policy", option="stand")
    fight.hold("b", "c", seconds=20)
    fight.do("a", "attack", target="b")
    assert (fight.now.second, fight.now.figures[0].due) == (2, 11)
    fight.do("a", "ready", weapon="dagger")
    assert (fight.now.figures[0].hand, fight.now.figures[0].due) == ("dagger", 11)


def test_contact_stops_also_whom_somebody_comes_up_to() -> None:
    """§1 MOVE: the halberd's second space reaches a in the second sub-step; a's own step is in the fourth."""
    fight = Fight(being("a", (3, 3)), being("b", (6, 3), weapons=["halberd"]), throws=[1, 1])
    fight.do("b", "jog", path=[(5, 3), (4, 3)])
    fight.do("b", "end")
    fight.do("a", "walk", path=[(2, 3)])
    fight.do("a", "end")
    assert [fight.field.at(figure.cell) for figure in fight.now.figures] == [(3, 3), (5, 3)]


def test_a_fist_reaches_no_foe_from_whom_ground_was_given() -> None:
    """§2.1: a natural 19 earns a blow with the fist within 5 ft; ten are too far."""
    fight = Fight(being("a", (5, 3)), being("b", (6, 3)), throws=[1, 1, 19, 10])
    fight.do("b", "policy", option="yield")
    fight.hold("b")
    fight.do("a", "attack", target="b")
    assert fight.field.at(fight.now.figures[1].cell) == (7, 3)
    assert [event["by"] for event in fight.all("attack")] == ["a"]


def test_nobody_strikes_at_itself() -> None:
    fight = Fight(being("a", (5, 3)), being("b", (6, 3)), throws=[1, 1])
    assert "itself" in fight.refusal("a", "attack", target="a")


def test_a_lesser_defensive_fight_does_not_pay_off_a_dearer_one() -> None:
    """§2.6: `defensive 4` is broken off in second 2; the attack that pends keeps its −8, be it `defensive 1`."""
    fight = Fight(being("a", (5, 3)), being("b", (6, 3)), throws=[1, 1, 10, 9, 10, 9])
    fight.do("b", "policy", option="yield")
    fight.hold("b", seconds=2)
    fight.do("a", "attack", target="b", option="defensive 4")
    fight.do("a", "hold", option="1")
    fight.hold("b", seconds=9)
    fight.do("a", "walk", path=[(6, 3)])
    fight.do("a", "attack", target="b", option="defensive 1")
    fight.hold("b", seconds=9)
    assert [event["attack"] for event in fight.all("attack")] == [1, 1]


def test_a_free_blow_a_second_later_is_struck_with_what_is_in_hand_by_then() -> None:
    """§2.1: the free attack that a defence's natural 1 gives; the sword was changed for the dagger meanwhile."""
    fight = Fight(
        being("a", (5, 3), weapons=["longsword", "dagger"]), being("b", (6, 3)),
        throws=[1, 1, 1, 15, 5, 6, 2, 15, 3, 2],
    )  # fmt: skip
    fight.do("b", "policy", option="yield")
    fight.hold("b", seconds=9)
    fight.do("a", "attack", target="b")
    fight.do("a", "walk", path=[(6, 3)])
    fight.do("a", "ready", weapon="dagger")
    assert [event["weapon"] for event in fight.all("attack")] == ["longsword", "dagger"]

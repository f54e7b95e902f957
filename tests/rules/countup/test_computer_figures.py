"""What the computer reckons a blow, a shot and a stand to be worth under Count-Up."""

from __future__ import annotations

from typing import Any

from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.advisors.countup.figures import figures_of, known_of
from game.controllers.ai.advisors.countup.manoeuvres import beside_friends
from rules.contract.units import CreatureIx
from rules.countup import manners
from rules.countup.state import PreparedAttack
from tests.rules.countup.creatures import Fight, being, changed
from tests.rules.countup.test_computer_countup import met, table

A, B, C = CreatureIx(0), CreatureIx(1), CreatureIx(2)


def dazed(manner: manners.Manner = manners.PLAIN, **b: Any) -> float:
    fight = met(table(being("a", (5, 3), attack=5, damage=3), being("b", (6, 3), **b)))
    state = fight.now
    return figures_of(state, PreparedAttack(A, B, state.weapon(A), manner)).dazed


def test_pain_that_may_lay_somebody_low_counts_and_more_for_who_bears_less() -> None:
    assert dazed(pain=8, trauma=5) > dazed(pain=8, trauma=15) > dazed(pain=0)
    assert dazed(pain=8, trauma=5) > dazed(pain=14, trauma=5)


def test_a_charge_throws_down_more_often_and_the_small_most_often() -> None:
    assert dazed(manners.CHARGE) > dazed() > 0.0
    assert dazed(manners.CHARGE, size="S") > dazed(manners.CHARGE)


def test_who_lies_helpless_already_is_laid_no_lower() -> None:
    fight = met(table(being("a", (5, 3), attack=5, damage=9), being("b", (6, 3), pain=8, trauma=5)))
    changed(fight, "b", helpless=60, prone=True)
    state = fight.now
    assert figures_of(state, PreparedAttack(A, B, state.weapon(A))).dazed == 0.0


def test_the_back_of_a_foe_who_fights_a_friend_is_the_better_place() -> None:
    fight = met(table(being("a", (9, 3)), being("aa", (5, 3)), being("b", (6, 3), shield="medium shield")))
    for who in ("aa", "b"):
        changed(fight, who, facing=2 if who == "aa" else 6)
    field = fight.field
    behind, before = (1 << field.cell(*at) for at in ((7, 3), (5, 2)))
    (target,) = advisor_of(fight.rules).targets(fight.now, "a", behind | before)
    means = {v.cells: v.swings[0].mean for v in target.vantages}
    assert means[behind] > means[before]


def test_who_faces_nobody_else_would_turn() -> None:
    fight = table(being("a", (9, 3)), being("b", (6, 3), shield="medium shield"))
    changed(fight, "b", facing=6)
    behind = 1 << fight.field.cell(7, 3)
    (target,) = advisor_of(fight.rules).targets(fight.now, "a", behind)
    assert [v.swings[0] for v in target.vantages] == [target.best]


def test_no_shot_goes_at_a_foe_with_a_friend_beside_him() -> None:
    def at(friend: tuple[int, int]) -> bool:
        fight = table(being("a", (3, 3), weapons=["longbow"]), being("aa", friend), being("b", (20, 3)))
        return beside_friends(fight.now, A, C)

    assert at((19, 3))
    assert not at((8, 3))


def test_a_foe_is_feared_less_by_each_of_many_whom_he_may_strike() -> None:
    def mean(*friends: dict[str, Any]) -> float:
        fight = table(being("a", (5, 3)), *friends, being("b", (7, 3)))
        (threat,) = advisor_of(fight.rules).threats(fight.now, "a")
        return threat.swing.mean

    far_off = mean(being("aa", (35, 3)))  # nobody whom he could strike
    assert far_off > mean(being("aa", (5, 2))) > mean(being("aa", (5, 2)), being("ab", (5, 4)))
    assert far_off > mean(), "of a single foe nobody takes a friend's part"


def test_wounds_frighten_less_while_ones_side_has_the_upper_hand() -> None:
    def dismay(*others: dict[str, Any]) -> float:
        fight = table(being("a", (5, 3)), *others)
        return advisor_of(fight.rules).outlook(fight.now, "a").dismay

    strong = dismay(being("aa", (5, 2)), being("b", (30, 3)))
    assert (
        strong < dismay(being("b", (30, 3))) < dismay(being("b", (30, 3)), being("ba", (30, 4)), being("bb", (30, 5)))
    )


def test_a_way_costs_the_seconds_by_which_a_blow_comes_later() -> None:
    def cost(due: int) -> float:
        fight = table(being("a", (5, 3)), being("b", (11, 3)))
        changed(fight, "a", due=due)
        merits = advisor_of(fight.rules).outlook(fight.now, "a").merits
        return sum(m.value for m in merits if m.cells >> fight.field.cell(10, 3) & 1)

    assert cost(1) < cost(3) < 0.0
    assert cost(20) == 0.0


def test_it_waits_as_long_as_nobody_can_come() -> None:
    def waits(at: tuple[int, int]) -> str | None:
        fight = met(table(being("a", (3, 3), weapons=["mace"]), being("b", at, squares=[1, 2, 3, 4])))
        changed(fight, "a", fatigue=40)
        return advisor_of(fight.rules).outlook(fight.now, "a").end.option

    assert waits((30, 3)) == "3"
    assert waits((6, 3)) is None, "a second at a time"


def test_orders_change_no_figures_but_anything_else_does() -> None:
    fight: Fight = met(table(being("a", (5, 3)), being("aa", (5, 2)), being("b", (6, 3))))
    before = known_of(fight.now)
    fight.do("a", "attack", target="b")
    assert known_of(fight.now) is before
    changed(fight, "b", hp=3)
    assert known_of(fight.now) is not before

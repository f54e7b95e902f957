"""The end of a fight: who did what, told by the events alone."""

from __future__ import annotations

import msgspec

from game.scenes.fight.ending import tallies
from rules.contract.events import Attack, Condition, Injury, Roll


def test_who_fells_by_a_failed_save_is_counted_at_the_end() -> None:
    blow = Injury(target="b", amount=5, hp=0, status="wounded", because="sword", by="a")
    fallen = Condition(target="b", condition="dead", gained=True, because="critical damage")
    told = {tally.id: tally for tally in tallies([blow, fallen, fallen], ["a", "b"])}
    assert (told["a"].felled, told["a"].dealt) == (1, 5)


def test_who_falls_by_the_blow_itself_is_counted_once() -> None:
    blow = Injury(target="b", amount=5, hp=0, status="dead", because="sword", by="a")
    fallen = Condition(target="b", condition="dead", gained=True)
    assert tallies([blow, fallen], ["a", "b"])[0].felled == 1


def test_harm_to_ones_own_is_taken_but_not_dealt() -> None:
    arrow = Injury(target="hale", amount=5, hp=0, status="incapacitated", because="longbow", by="arn")
    fallen = Condition(target="hale", condition="incapacitated", gained=True)
    blow = Injury(target="crab", amount=3, hp=8, status="wounded", because="longbow", by="arn")
    sides = {"arn": "party", "hale": "party", "crab": "foes"}
    told = {tally.id: tally for tally in tallies([arrow, fallen, blow], list(sides), sides)}
    assert (told["arn"].dealt, told["arn"].felled, told["hale"].taken) == (3, 0, 5)


def test_what_the_dying_lose_is_dealt_by_nobody() -> None:
    thrown = Roll("attack", "d12", (), 9)
    blow = Attack(by="a", target="eel", weapon="sword", attack=9, defense=6, margin=3, outcome="solid_hit", damage=9,
                  adjustments=(), rolls=(thrown,))  # fmt: skip
    hurt = Injury(target="eel", amount=9, hp=-2, status="incapacitated", because="sword", by="a")
    bled = Injury(target="eel", amount=1, hp=-3, status="incapacitated", because="dying")
    missed = msgspec.structs.replace(blow, by="b", damage=0, outcome="miss")
    told = {tally.id: tally for tally in tallies([blow, hurt, bled, missed, bled], ["a", "b", "eel"])}
    assert (told["a"].dealt, told["b"].dealt, told["eel"].taken) == (9, 0, 11)

"""A hero's quiver: counted in fights, looked for in the camp, filled up in the shop."""

from __future__ import annotations

from typing import Any

import pytest

from game.characters import aftermath, files
from game.characters.olde import gear, making
from game.characters.olde.fireside import Fireside as CampSession
from game.characters.olde.model import QUIVER, Hero, block, changed, document, missiles
from game.characters.roster import roster
from game.fight.match import Match
from rules.contract.errors import BattlematError

pytestmark = pytest.mark.usefixtures("home")


def ranger(**fields: object) -> Hero:
    hero = making.set_array(making.fresh("Lin", "lin-0001"), (8, 7, 7, 5))
    return changed(gear.buy(hero, "weapons", "shortbow"), **fields)


def ended(hero: Hero, **told: Any) -> aftermath.Aftermath:
    """The camp's heroes after a fight that left `told` of the hero."""
    files.save(hero)
    ours = {**block(hero), "side": "heroes", "at": [1, 1]}
    foe = {"id": "orc", "side": "monsters", "at": [4, 1], "brawn": 5, "finesse": 5, "savvy": 5, "nerve": 5}
    match = Match.from_record({"format": "battlemat/1", "ruleset": "olde", "seed": 2, "creatures": [ours, foe],
                               "map": {"rows": ["######", "#....#", "######"]}})  # fmt: skip
    summary = dict(match.ruleset.summary(match.state))
    summary["over"] = "heroes"
    summary["creatures"][hero.id].update(told)
    return aftermath.after(match.record, summary, "Trial")


def test_a_fight_counts_the_shots_of_whoever_has_something_to_shoot_with() -> None:
    assert block(ranger())["ammunition"] == QUIVER and missiles(ranger()) == "arrows"
    assert missiles(changed(ranger(), weapons=["crossbow"])) == "bolts"
    assert missiles(changed(ranger(), weapons=["sling"])) == "stones"
    assert "ammunition" not in block(changed(ranger(), weapons=["javelin", "knife"]))


def test_what_was_shot_is_gone_and_some_of_it_is_found_once() -> None:
    found = ended(ranger(), ammunition=11)
    (lin,) = found.heroes
    assert lin.ammunition == 11
    assert [(thing.item, thing.shot, thing.owner) for thing in found.floor] == [("9 arrows", 9, "lin-0001")]
    camp = CampSession(found.heroes, 5, found.floor)
    camp.gather_own()
    line = camp.story[0]
    assert line.dice.endswith("against 6") and "of 9" in line.text
    kept = files.find("lin-0001")
    assert kept is not None and kept.ammunition == camp.heroes["lin-0001"].ammunition
    assert kept.ammunition - 11 in (0, 3, 6, 9) and (kept.ammunition > 11) == (line.tone > 0)
    assert camp.floor == [] and camp.camp.minutes == 1


def test_the_camp_counts_what_is_carried_more_than_once() -> None:
    hero = ranger(items=("healing draught", "antidote", "healing draught"))
    below = CampSession([hero], 1, ()).camper(hero.id).below
    assert str(below).split(" · ")[1:] == ["healing draught × 2", "antidote"]


def test_with_several_seeds_arrows_come_back_in_threes() -> None:
    back = set()
    for seed in range(12):
        found = ended(ranger(), ammunition=0)
        camp = CampSession(found.heroes, seed, found.floor)
        camp.gather_own()
        back.add(camp.heroes["lin-0001"].ammunition)
        files.save(ranger())
    assert len(back) > 2 and all(number % 3 == 0 or number == QUIVER for number in back)


def test_nothing_shot_leaves_nothing_and_the_dead_look_for_nothing() -> None:
    assert ended(ranger()).floor == ()
    assert ended(ranger(), ammunition=3, status="dead", hp=-99).floor == ()


def test_the_shop_fills_the_quiver_four_for_a_coin() -> None:
    low = ranger(ammunition=11)
    assert gear.refill_cost(low) == 3
    full = gear.refill(low)
    assert (full.ammunition, full.purse) == (QUIVER, low.purse - 3)
    with pytest.raises(BattlematError, match="full"):
        gear.refill(full)
    with pytest.raises(BattlematError, match="1 coin short"):
        gear.refill(ranger(ammunition=11, purse=2))
    with pytest.raises(BattlematError, match="nothing to shoot with"):
        gear.refill(changed(low, weapons=[]))


def test_the_file_has_it_and_a_full_quiver_goes_without_saying() -> None:
    files.save(ranger(ammunition=4))
    kept = files.find("lin-0001")
    assert kept is not None and kept.ammunition == 4
    assert "ammunition" not in document(ranger())
    with pytest.raises(BattlematError, match="ammunition"):
        ranger(ammunition=QUIVER + 1)


@pytest.mark.parametrize(
    ("rules", "template", "said"),
    [("olde", "ranger", "20 arrows, counted from now on"), ("countup", "arn", "20 to shoot, counted from now on")],
)
def test_the_camp_says_that_a_ready_heros_arrows_count_from_now_on(rules: str, template: str, said: str) -> None:
    """In the fight before they were not counted (olde.md §6 ranged, countup.md §9.3)."""
    archer = {"id": "a", "template": template, "side": "heroes", "at": [1, 1], "controller": "human"}
    foe = {"id": "b", "template": template, "side": "monsters", "at": [4, 1]}
    match = Match.from_record({"format": "battlemat/2", "ruleset": rules, "seed": 2, "creatures": [archer, foe],
                               "map": {"rows": ["######", "#....#", "######"]}})  # fmt: skip
    summary = {**match.ruleset.summary(match.state), "over": "heroes"}
    (hero,) = aftermath.after(match.record, summary, "Trial").heroes
    assert said in roster(rules).camp([hero], 1).camper(hero.id).below
    spent = roster(rules).changed(hero, ammunition=11)
    assert "11 of 20" in roster(rules).camp([spent], 1).camper(hero.id).below

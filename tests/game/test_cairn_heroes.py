"""Heroes of Cairn: every background, every making, what a fight leaves, camp, followers, files of strangers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.characters import aftermath, files, paper
from game.characters.cairn import gear, making, model, settling, sheet
from game.characters.cairn.camping import CampSession
from game.characters.cairn.model import Hero, book, changed, condition, faults, unfit
from game.characters.heroes import HeroError
from game.characters.pages import Deed
from game.characters.roster import roster
from game.content import encounter
from game.fight.match import Match
from rules.cairn.creation import characters
from rules.cairn.gear import SLOTS
from rules.contract.errors import BattlematError
from rules.core import record as records
from rules.core.dice import Dice

BACKGROUNDS = list(book().backgrounds)


def hero(name: str = "Ada", background: str = "Marchguard", seed: int = 3, **says: Any) -> Hero:
    return changed(making.fresh(name, f"{name.lower()}-0001", background, Dice(seed, None)), **says)


# -- making ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [(face, 7 - face) for face in range(1, 7)])
@pytest.mark.parametrize("background", BACKGROUNDS)
def test_every_background_makes_a_legal_hero_of_exactly_its_gear(background: str, rows: tuple[int, int]) -> None:
    made = hero(background=background)
    made = making.set_row(making.set_row(made, 0, rows[0]), 1, rows[1])
    assert made.making is not None
    found = book().backgrounds[background]
    bonds = [book().bonds[face - 1] for face in made.making.bonds]
    wanted = [*found.items]
    for each in (*book().rows(background, rows), *bonds):
        wanted += each.items
    assert sorted((*made.items, *made.home)) == sorted(wanted)
    gold = sum(each.gold for each in (*book().rows(background, rows), *bonds))
    assert made.gold == made.making.gold + gold
    assert unfit(made) == "" and model.filled(made) < model.room(made)


def test_the_books_gear_by_name() -> None:
    assert book().backgrounds["Outrider"].items == ("rations", "torch", "long sword", "leather", "crossbow", "spyglass")
    assert book().backgrounds["Greenwise"].powers == ("Ward",)
    made = making.set_row(hero(background="Kettlewright"), 0, 6)
    assert {"crossbow", "saw"} <= {*made.items, *made.home} and gear.companions(made) == ["Donkey"]


@given(
    st.integers(0, 2**31), st.sampled_from(BACKGROUNDS), st.tuples(st.integers(1, 6), st.integers(1, 6)),
    st.none() | st.permutations(characters.ATTRIBUTES), st.tuples(*[st.integers(3, 18)] * 3),
)  # fmt: skip
def test_whatever_is_thrown_or_chosen_is_legal_and_comes_back_from_its_file(
    seed: int, background: str, rows: tuple[int, int], order: list[characters.Attribute] | None,
    thrown: tuple[int, int, int],
) -> None:  # fmt: skip
    made = making.fresh("Ada", "ada-0001", background, Dice(seed, None))
    for number, face in enumerate(rows):
        made = making.set_row(made, number, face)
    for number, value in enumerate(thrown):
        made = making.set_score(made, number, value)
    if order is not None:
        made = making.swap(made, order[0], order[1])
    assert faults(made) == () and unfit(made) == ""
    assert sorted((made.strength, made.dexterity, made.willpower)) == sorted(thrown)
    assert model.read(json.loads(json.dumps(model.document(made)))) == made


def test_two_attributes_change_places_and_back() -> None:
    made = making.set_score(making.set_score(hero(), 0, 5), 2, 16)
    swapped = making.swap(made, "strength", "willpower")
    assert (swapped.strength, swapped.willpower) == (16, 5)
    assert making.swap(swapped, "strength", "willpower").strength == 5


def test_figures_that_no_dice_give_are_told_and_keep_one_out_of_fights() -> None:
    made = making.set_score(hero(), 0, 19)
    assert faults(made)[0] == "STR: dice give 3 to 18, not 19" and "not ready" in unfit(made)


def test_the_first_fight_seals_how_one_was_made() -> None:
    past = {"fight": "abc", "title": "Trial", "won": True, "felled": 0, "scars": [], "hp": 3}
    begun = hero(history=[past])
    with pytest.raises(HeroError, match="begun its story"):
        making.set_row(begun, 0, 2)


def test_fieldwardens_have_two_bonds_and_foundlings_an_omen() -> None:
    warden, foundling = hero(background="Fieldwarden").making, hero(background="Foundling").making
    assert warden is not None and len(warden.bonds) == 2
    assert foundling is not None and foundling.omen


def test_a_row_that_grants_coins_of_gear_grants_no_more() -> None:
    made = making.set_row(hero(background="Kettlewright"), 0, 2)
    made = making.pick(making.pick(made, "rope"), "caltrops")
    assert {"rope", "caltrops"} <= {*made.items, *made.home}
    with pytest.raises(HeroError, match="25 coins' worth; 20 are granted"):
        making.pick(made, "common tools")


# -- gear --------------------------------------------------------------------------------------------------


def test_the_market_has_the_books_prices() -> None:
    prices = {"bandages": 30, "plate": 60, "crossbow": 30, "trap": 35, "compass": 75, "chalk": 1, "spyglass": 40}
    assert {name: model.price(name) for name in prices} == prices
    assert gear.sold("keepsakes")["tent"]["slots"] == 2 and "oath compass" not in gear.sold("keepsakes")


def test_there_are_ten_slots_and_a_hundred_coins_fill_one() -> None:
    rich = hero(items=["sword"] * 8, gold=250)
    assert model.filled(rich) == 10
    with pytest.raises(HeroError, match="0 of 10 slots are free"):
        gear.take(rich, "rope")
    assert "11 slots are filled" in unfit(changed(rich, fatigue=1))


def test_a_third_hand_is_refused_and_what_is_left_behind_is_fetched() -> None:
    one = hero(items=["sword", "shield", "bow"])
    with pytest.raises(HeroError, match="need 4 hands"):
        gear.hold(one, "bow")
    stowed = gear.stow(one, "bow")
    assert stowed.home[-1] == "bow" and gear.fetch(stowed, "bow").items[-1] == "bow"


def test_a_gift_moves_with_its_uses(home: Path) -> None:
    ada, bo = hero(items=["bandages"], used={"bandages": 2}), hero("Bo", items=[])
    files.save_all((ada, bo))
    came = gear.give(ada, "bandages", "bo-0001")
    assert came.hero.items == () and came.others[0].used == {"bandages": 2}


def test_a_hireling_is_paid_thrown_and_stands_on_the_shelf(home: Path) -> None:
    came = gear.hire(hero(gold=12), "Bodyguard")
    (hired,) = came.others
    assert came.hero.gold == 2 and not hired.pc and unfit(hired) == ""
    assert hired.items == ("sword", "shield", "gambeson") and model.block(hired)["pc"] is False
    with pytest.raises(HeroError, match="8 gold short"):
        gear.hire(came.hero, "Bodyguard")


def test_a_beast_carries_and_wields_nothing(home: Path) -> None:
    mule = gear.take(making.hired("Mule", "mule-0001", Dice(1, None)), "sword")
    assert model.room(mule) == 6 and gear.in_hand(mule) == () and model.block(mule)["ready"] == []
    match = trial(model.block(hero()), model.block(mule))
    assert match.ruleset.summary(match.state)["creatures"]["mule-0001"]["hands"] == []
    with pytest.raises(HeroError, match="0 of 6 slots are free"):
        gear.take(changed(mule, items=["halberd"] * 3), "rope")


def test_a_hireling_keeps_what_it_brought(home: Path) -> None:
    guard = making.hired("Bodyguard", "guard-0001", Dice(1, None))
    with pytest.raises(HeroError, match="The sword is Bodyguard's own"):
        gear.sell(guard, "sword")
    assert gear.sell(gear.take(guard, "sword"), "sword").gold == 5, "what it was given can be had again"


# -- fights ------------------------------------------------------------------------------------------------


def trial(*blocks: dict[str, Any]) -> Match:
    record = {
        "format": "battlemat/1", "ruleset": "cairn", "map": {"rows": ["#######", "#.....#", "#.....#", "#######"]},
        "seed": 5, "creatures": [
            *({**block, "side": "heroes", "at": [1 + n, 1], "controller": "human", "alert": "ready"}
              for n, block in enumerate(blocks)),
            {"id": "rat", "side": "monsters", "at": [1, 2], "controller": "ai", "strength": 1, "dexterity": 10,
             "willpower": 10, "hp_max": 1, "attacks": [{"name": "bite", "dice": [6], "hands": 0, "natural": True}]},
        ], "commands": [],
    }  # fmt: skip
    return Match.from_record(record)


def ended(match: Match, **ends: Any) -> dict[str, Any]:
    summary: dict[str, Any] = dict(roster("cairn").ended(match.state))
    creatures = dict(summary["creatures"])
    creatures["ada-0001"] = {**creatures["ada-0001"], **ends}
    return {**summary, "creatures": creatures, "over": "heroes"}


def test_what_lasts_of_earlier_fights_is_there_in_the_next() -> None:
    ada = hero(strength=12, strength_now=7, hp_max=5, hp=2, fatigue=1, scars=[4], mending=[4], lame=True,
               items=["sword", "bandages"], used={"bandages": 2}, deprived=1)  # fmt: skip
    match = trial(model.block(ada))
    end = roster("cairn").ended(match.state)["creatures"]["ada-0001"]
    assert (end["str_now"], end["str_max"], end["hp"], end["fatigue"]) == (7, 12, 2, 1)
    assert end["used"] == {"bandages": 2} and end["lame"] and end["scars"] == [4] and end["suffers"] == ["deprived"]


def test_a_fight_nothing_happens_in_changes_nothing_but_the_story(home: Path) -> None:
    for background in BACKGROUNDS:
        ada = hero(background=background)
        files.save(ada)
        match = trial(model.block(ada))
        (after,) = aftermath.after(match.record, ended(match), "Trial").heroes
        assert changed(after, history=[]) == ada, background


def test_scars_lost_strength_and_used_things_come_home_and_a_fight_counts_once(home: Path) -> None:
    ada = hero(items=["sword", "bandages", "fire oil", "hand axe"], strength=12, hp_max=4)
    files.save(ada)
    match = trial(model.block(ada))
    end = ended(
        match, str_now=5, str_max=12, hp=0, hp_max=4, items=["sword", "bandages"], used={"bandages": 1}, fatigue=2,
        scars=[3, 7], lame=True, dying=50, down=True, dropped=["hand axe"], suffers=["deprived"],
    )  # fmt: skip
    found = aftermath.after(match.record, end, "Trial")
    (after,) = found.heroes
    assert (after.strength_now, after.hp, after.fatigue, after.dying) == (5, 0, 2, 50)
    assert (after.scars, after.mending, after.lame, after.deprived) == ((3, 7), (3, 7), True, 0)
    assert after.items == ("sword", "bandages") and after.used == {"bandages": 1}
    assert found.floor == (settling.Lying("hand axe", "ada-0001"),)
    assert condition(after) == "dying" and "camp first" in unfit(after)
    files.save(after)
    again = aftermath.after(match.record, end, "Trial")
    assert not again.heroes and "in the story already" in again.refused[0]


def test_a_ready_hireling_whom_an_encounter_has_named_is_hired_for_the_same(home: Path) -> None:
    """The editor gives a bodyguard another name: it comes to camp as that, and is a bodyguard still."""
    made = encounter.make_encounter("tavern", ["bodyguard"], ["goblin"], 1, ruleset="cairn")
    made["creatures"][0] |= {"name": "Fyxa", "controller": "human"}
    name = str(made["creatures"][0]["id"])
    taken = settling.taken_up(records.read(made), "0123abcd", name)
    assert (taken.name, taken.kind, taken.pc) == ("Fyxa", "Bodyguard", False)
    assert not model.faults(taken)


def test_no_more_fatigue_comes_home_than_there_is_room_for(home: Path) -> None:
    ada = hero(items=["sword", "bandages"])
    files.save(ada)
    match = trial(model.block(ada))
    (after,) = aftermath.after(match.record, ended(match, fatigue=18, items=["sword"]), "Trial").heroes
    assert after.fatigue == SLOTS - model.slots("sword") and model.filled(after) == SLOTS


def test_who_has_changed_since_the_fight_began_does_not_count(home: Path) -> None:
    ada = hero()
    files.save(ada)
    match = trial(model.block(ada))
    files.save(changed(ada, gold=1, items=[]))
    assert "has changed since" in aftermath.after(match.record, ended(match), "Trial").refused[0]


def test_rules_do_not_mix(home: Path) -> None:
    files.save(hero())
    assert "ada-0001" in files.hero_entries("cairn") and not files.hero_entries("olde")
    assert files.hero_entry("olde", "ada-0001") is None


# -- camp --------------------------------------------------------------------------------------------------


def test_the_hour_of_the_dying_runs_while_others_work_and_bandages_end_it(home: Path) -> None:
    ada, bo = hero(dying=2, hp=0), hero("Bo", items=["bandages"], used={"bandages": 2})
    camp = CampSession((ada, bo), 1, (settling.Lying("rope"),))
    camp.gather(camp.floor[0], "bo-0001")
    assert camp.heroes["ada-0001"].dying == 1 and "rope" in camp.heroes["bo-0001"].items
    camp.bandage("bo-0001", "ada-0001")
    assert condition(camp.heroes["ada-0001"]) == "down" and "bandages" not in camp.heroes["bo-0001"].items
    camp.moments()
    assert files.find("ada-0001") == camp.heroes["ada-0001"]
    assert condition(camp.heroes["ada-0001"]) == "healthy"


def test_who_waits_too_long_is_dead_and_the_living_inherit(home: Path) -> None:
    ada, bo = hero(dying=5, hp=0, items=["plate"], gold=9), hero("Bo", items=[], gold=0)
    camp = CampSession((ada, bo), 1)
    camp.moments()
    assert camp.heroes["ada-0001"].dead
    camp = CampSession(tuple(camp.heroes.values()), 1)
    for thing in list(camp.floor):
        camp.gather(thing, "bo-0001")
    assert camp.heroes["bo-0001"].items == ("plate",) and camp.heroes["bo-0001"].gold == 9


def test_all_that_fits_is_taken_at_once_and_the_rest_stays(home: Path) -> None:
    floor = tuple(settling.Lying(item) for item in ("plate", "rope", "halberd", "torch"))
    camp = CampSession((hero(items=["sword"] * 7, gold=0),), 1, floor)
    camp.gather_all("ada-0001")
    assert camp.heroes["ada-0001"].items[7:] == ("plate", "rope") and camp.minutes == 2
    with pytest.raises(HeroError, match="no room for any"):
        camp.gather_all("ada-0001")


def test_what_is_ours_is_given_back_as_far_as_there_is_room(home: Path) -> None:
    floor = (settling.Lying("plate", "ada-0001"), settling.Lying("rope", "bo-0001"))
    camp = CampSession((hero(items=["sword"] * 10), hero("Bo", items=[])), 1, floor)
    camp.gather_own()
    assert camp.heroes["bo-0001"].items == ("rope",) and [thing.item for thing in camp.floor] == ["plate"]
    with pytest.raises(HeroError, match="Ada: Plate fills 2"):
        camp.gather_own()


def test_what_nobody_can_pay_says_so_before(home: Path) -> None:
    def refused(gold: int) -> dict[str, str]:
        sections = CampSession((hero(gold=gold),), 1).sections({"who": "ada-0001"})
        return {deed.key: deed.refusal for section in sections for deed in section if isinstance(deed, Deed)}

    assert refused(9)["inn"] == "It costs 10 gold; all together have 9." and not refused(9)["night"]
    assert not refused(10)["inn"]


def test_a_night_is_told_as_it_will_be(home: Path) -> None:
    def told(*heroes: Hero) -> list[str]:
        deeds = [d for s in CampSession(heroes, 1).sections({"who": "ada-0001"}) for d in s if isinstance(d, Deed)]
        return [next(d.detail for d in deeds if d.key == key) for key in ("night", "moments")]

    fed, bare = hero(items=["rations"]), hero("Bo", items=[])
    assert told(fed)[0] == "1 of 1 rations: Fatigue is slept off, HP come back"
    assert told(hero(items=["rations"], used={"rations": 2}), bare)[0] == "1 of 2 rations: Bo goes hungry"
    assert told(hero(items=[]), bare)[0].endswith("all go hungry, nothing comes back")
    night, moments = told(hero(items=[], deprived=1))
    assert night.endswith("nothing comes back, +1 Fatigue") and "no HP come back" in moments
    camp = CampSession((hero(items=[], deprived=2, fatigue=1),), 1)
    week = next(d for s in camp.sections({"who": "ada-0001"}) for d in s if isinstance(d, Deed) and d.key == "week")
    camp.week()
    assert "ends hunger and Fatigue" in week.detail
    assert (camp.heroes["ada-0001"].deprived, camp.heroes["ada-0001"].fatigue) == (0, 0)


def test_a_night_eats_a_ration_each_or_leaves_somebody_hungry(home: Path) -> None:
    camp = CampSession((hero(items=["rations"], used={"rations": 2}, fatigue=1), hero("Bo", items=[])), 1)
    camp.night_in_the_wild()
    ada, bo = camp.heroes.values()
    assert (ada.items, ada.fatigue, bo.deprived) == ((), 0, 1)


def test_a_week_costs_fifty_for_each_who_needs_a_healer(home: Path) -> None:
    camp = CampSession((hero(strength=10, strength_now=3, gold=20), hero("Bo", gold=40)), 1)
    camp.week()
    ada, bo = camp.heroes.values()
    assert model.now(ada, "strength") == 10 and ada.gold + bo.gold == 10
    poor = CampSession((hero(strength=10, strength_now=3, gold=20),), 1)
    with pytest.raises(HeroError, match="costs 50 gold; all together have 20"):
        poor.week()


def test_an_unpaid_hireling_goes_or_stays_by_a_save(home: Path) -> None:
    guard = changed(making.hired("Bodyguard", "guard-0001", Dice(1, None)), willpower=10)
    for willpower, there in ((0, False), (30, True)):
        camp = CampSession((hero(gold=3), changed(guard, willpower=willpower)), 4)
        camp.night_in_the_wild()
        assert ("guard-0001" in camp.heroes) is there


# -- files -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"strength": 99}, "strength"), ({"ruleset": "gurps"}, "ruleset"), ({"scars": [13]}, "scars"),
        ({"items": "sword"}, "items"), ({"making": {"background": "Aurifex"}}, "making"), ({"luck": 7}, "luck"),
    ],
)  # fmt: skip
def test_files_of_strangers_are_refused_in_one_line(home: Path, change: dict[str, Any], told: str) -> None:
    path = home / "stranger.json"
    path.write_text(json.dumps({**model.document(hero()), **change}), encoding="utf-8")
    with pytest.raises(BattlematError, match=told) as caught:
        files.bring_in(path)
    assert "\n" not in str(caught.value) and "stranger.json" in str(caught.value)


def test_a_strange_thing_or_background_keeps_one_out_with_the_reason(home: Path) -> None:
    assert "nothing of these rules is called so" in unfit(hero(items=["laser"]))
    odd = hero().making
    assert odd is not None
    assert "none of the twenty" in unfit(hero(making=odd.model_copy(update={"background": "Wizard"})))


def test_toml_and_json_say_the_same(home: Path) -> None:
    ada = hero()
    path = home / "ada.toml"
    assert ada.making is not None
    path.write_text(
        'format = "battlemat-hero/1"\nruleset = "cairn"\nid = "ada-0001"\nname = "Ada"\ngold = 3\nitems = ["sword"]\n'
        'hp_max = 4\n[making]\nbackground = "Marchguard"\nthrown = [9, 9, 9]\nhp = 4\nage = 30\ngold = 3\n',
        encoding="utf-8",
    )
    assert files.bring_in(path).items == ("sword",)


def test_the_sheet_is_written_as_png_and_pdf(home: Path) -> None:
    ada = hero(scars=[4], mending=[4], growth=["Reads the tongue of beasts"], home=["tent"])
    for ending in ("png", "pdf"):
        paper.write(ada, home / f"ada.{ending}")
        assert (home / f"ada.{ending}").stat().st_size > 5000
    assert any("Broken bone" in words for _, words in sheet.printed(ada).left[1])

"""Ready heroes come to camp: as the player's own, made by the book, once for each fight; and who wins gets CP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from game.characters import aftermath, files
from game.characters.olde import settling
from game.characters.olde.model import bill, block, faults
from game.characters.olde.readymade import led, taken_up
from game.content import encounter
from game.content import tables as content
from game.fight.advice import Counsel
from game.fight.match import Match
from game.scenes.camp import CampScene
from game.scenes.choose.scene import Choose
from game.scenes.fight.ending import Summary
from game.scenes.fight.scene import Fight
from rules.core import record as records
from tests.game.hotseat_table import app_at
from tests.game.player import Player

pytestmark = pytest.mark.usefixtures("home")


def fought(**changes: Any) -> Match:
    """Two ready heroes against a rat, to the end."""
    record = encounter.make_encounter("tavern", ["warrior", "wizard"], ["giant_rat"], 5)
    record["creatures"][0] |= changes
    match = Match.from_record(record)
    mind = Counsel(match)
    while (decision := match.decision) is not None:
        match.act(decision, mind.advise(decision))
    assert match.over == "heroes"
    return match


def ended(match: Match) -> aftermath.Aftermath:
    return aftermath.after(match.record, match.ruleset.summary(match.state), match.title)


def test_every_ready_hero_is_made_by_the_book_as_one_of_the_players_own() -> None:
    names = list(content.heroes("olde"))
    record = records.read(encounter.make_encounter("crypt", names, ["giant_rat"], 1))
    assert led(record) == names
    for name in names:
        hero, entry = taken_up(record, "0123abcd", name), content.template("olde", name)
        assert faults(hero) == () and hero.name == entry["name"]
        made = block(hero)
        for field in ("brawn", "finesse", "savvy", "nerve", "skills", "weapons", "kind"):
            assert made[field] == entry[field], (name, field)
        assert dict(bill(hero).ranks) == entry["skills"] and not hero.history


def test_the_camp_takes_them_up_once_with_wounds_and_cp() -> None:
    match = fought()
    found = ended(match)
    assert [hero.name for hero in found.heroes] == ["Hedda Brandt", "Aldous Fenn"]
    assert len(found.joined) == 2 and not found.refused
    ends = match.ruleset.summary(match.state)["creatures"]
    for hero, name in zip(found.heroes, ("warrior", "wizard"), strict=True):
        assert hero.history[0].won and hero.build.earned == ends[name]["cp"] + settling.VICTORY
        assert hero.hp in (ends[name]["hp"], None)
    files.save_all(list(found.heroes))
    again = ended(match)
    assert not again.heroes and not again.joined and len(again.told) == 2 == len(again.refused)


def test_who_does_not_live_or_win_gets_no_cp_for_it() -> None:
    assert settling.reward({"cp": 2, "status": "healthy"}, True) == 3
    assert settling.reward({"cp": 2, "status": "dead"}, True) == 2
    assert settling.reward({"cp": 2, "status": "wounded"}, False) == 2


def test_who_was_changed_out_of_the_book_is_told_so() -> None:
    found = ended(fought(skills={"Swords": "Legendary Master"}))
    assert [hero.name for hero in found.heroes] == ["Aldous Fenn"]
    assert "no hero of the book" in found.refused[0]


def test_computers_among_themselves_lead_nobody_to_camp() -> None:
    record = encounter.make_encounter("tavern", ["warrior"], ["giant_rat"], 5, {"heroes": "ai"})
    assert not aftermath.reach_camp(records.read(record))


def test_from_the_summary_to_camp_and_on_to_the_next_fight(home: Path) -> None:
    match = fought()
    player: Player = app_at()
    player.app.navigator.show(Match.from_record(records.document(match.record)))
    player.until(lambda: isinstance(player.app.top, Summary), 10)
    player.press("Camp")
    camp = player.app.top
    assert isinstance(camp, CampScene)
    assert any("own heroes from now on" in note for note in camp.notes)
    player.press("leave")
    if not isinstance(player.app.top, Summary):
        player.press("go")
    fight = player.app.scenes[-2]
    assert isinstance(fight, Fight)
    player.press("Next fight")
    choose = player.app.top
    assert isinstance(choose, Choose)
    own = {hero.id for hero in files.shelf().heroes.values()}
    assert len(own) == 2 and set(choose.party) == {name for name in own if name in choose.heroes}


def test_what_was_plundered_comes_home_as_coin() -> None:
    worth = next(raw["worth"] for raw in content.tables("olde")["goods"] if raw["name"] == "signet ring")
    assert settling.plundered({}) == 0
    assert settling.plundered({"purse": 12, "goods": ["signet ring", "letter"]}) == 12 + worth

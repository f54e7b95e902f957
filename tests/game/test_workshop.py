"""The workshop and the camp driven by posted keys: a hero's whole life, and the same hero after a restart."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pygame
import pytest
from pypdf import PdfReader

from game.app.loop import App
from game.app.settings import Settings
from game.characters import aftermath, files
from game.characters.heroes import Looks
from game.characters.olde import gear, making, settling
from game.characters.olde import sheet as figures
from game.characters.olde.fireside import Fireside as CampSession
from game.characters.olde.model import Hero, bill, block, changed, condition, faults, pools, unfit
from game.fight.match import Match
from game.scenes.camp import CampScene
from game.scenes.choose.scene import Choose
from game.scenes.dialogs.saves import Ask
from game.scenes.fight.ending import HASTE, Summary
from game.scenes.fight.scene import Fight
from game.scenes.workshop.scene import Workshop
from game.widgets.controls import Label
from game.widgets.menu import Tile
from rules.contract.errors import BattlematError
from rules.olde.challenges.checks import STATS
from rules.olde.creation import camp as camps
from rules.olde.creation.heroes import ARRAYS, PACKAGES, SETS, Purchase
from tests.game.player import Player
from tests.rules.olde import hero_law


def at_the_title(size: tuple[int, int] = (1280, 720)) -> Player:
    app = App(size, settings=Settings(speed=0, autosave=False))
    pygame.event.clear()
    app.navigator.title()
    return Player(app)


@pytest.fixture
def player(home: Path) -> Iterator[Player]:
    yield at_the_title()
    pygame.event.clear()


class Keys:
    """Reaches every widget by Tab, presses by Enter, types letters; never touches the mouse."""

    def __init__(self, player: Player) -> None:
        self.player = player

    def to(self, key: str) -> None:
        ui = self.player.app.top.ui
        for _ in range(len(ui.ring()) + 1):
            if ui.focus is not None and ui.focus.key == key:
                return
            self.player.key(pygame.K_TAB)
        raise AssertionError(f"Tab never comes to {key!r}: {[w.key for w in ui.ring()]}")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.to(key)
            self.player.key(pygame.K_RETURN)

    def type(self, text: str) -> None:
        for letter in text:
            self.player.key(ord(letter.lower()), text=letter)


def shop_of(player: Player) -> Workshop:
    assert isinstance(player.app.top, Workshop)
    return player.app.top


def warrior(name: str = "Mira", **fields: object) -> Hero:
    hero = making.fresh(name, f"{name.lower()}-0001")
    hero = making.set_package(making.set_array(hero, (10, 7, 4, 4)), "Warrior")
    hero = making.set_journeyman(hero, "Swords")
    return changed(gear.buy(hero, "weapons", "broadsword"), **fields)


def priest(name: str = "Odo") -> Hero:
    hero = making.fresh(name, f"{name.lower()}-0002")
    hero = making.swap(making.set_array(hero, (8, 7, 7, 5)), "finesse", "nerve")
    hero = making.choose(making.set_package(hero, "Priest"), 1, "Shields")
    return gear.buy(hero, "weapons", "mace")


def test_an_empty_bench_offers_every_package_to_begin_with(player: Player) -> None:
    keys = Keys(player)
    keys.press("Heroes", "begin Ranger")
    hero = shop_of(player).hero
    assert hero is not None and hero.build.package == "Ranger" and hero.looks.art == "ranger"
    keys.type("Lin")
    hero = shop_of(player).hero
    assert hero is not None and hero.name == "Lin", "the name is typed at once"


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("scale", [100, 150, 200])
def test_the_packages_stand_in_two_columns_at_every_scale(home: Path, size: tuple[int, int], scale: int) -> None:
    app = App(size, settings=Settings(scale=scale))
    app.navigator.workshop()
    app.tick(0.1)
    app.draw()
    tiles = [w for panel in app.top.ui.live() for w in panel.walk() if isinstance(w, Tile)]
    begins = [tile.rect for tile in tiles if tile.key.startswith("begin ")]
    assert len({rect.left for rect in begins}) == 2
    assert all(app.surface.get_rect().left <= rect.left and rect.right <= size[0] for rect in begins)


# -- steps back and on ---------------------------------------------------------------------------------------


def test_steps_are_taken_back_and_done_again_with_keys(player: Player) -> None:
    keys = Keys(player)
    keys.press("Heroes", "new", "begin Somebody else")
    shop = shop_of(player)
    keys.to("name")
    keys.type("Tam")
    assert shop.hero is not None
    named = shop.hero
    keys.press("page Stats", "array 10 7 4 4", "page Skills", "package Warrior")
    made = shop.hero
    player.key(pygame.K_z, pygame.KMOD_LCTRL)
    player.key(pygame.K_z, pygame.KMOD_LCTRL)
    assert shop.hero == named, "package and array are gone"
    player.key(pygame.K_z, pygame.KMOD_LCTRL)
    assert shop.hero is not None and shop.hero.name == "Nameless", "a name that was typed is one step"
    player.key(pygame.K_z, pygame.KMOD_LCTRL)
    assert shop.said == "There is nothing to take back." and shop.refused
    for _ in range(3):
        player.key(pygame.K_y, pygame.KMOD_LCTRL)
    assert shop.hero == made
    player.key(pygame.K_ESCAPE)
    assert files.shelf().heroes[made.id] == made, "what stands on the bench is what is kept"


def test_every_hero_has_steps_of_its_own_and_a_new_step_ends_what_could_be_done_again(player: Player) -> None:
    for hero in (warrior(), priest()):
        files.save(hero)
    keys = Keys(player)
    keys.press("Heroes")
    shop = shop_of(player)
    shop.take("mira-0001")
    shop.do(lambda hero: changed(hero, purse=7))
    shop.take("odo-0002")
    assert shop.steps.may(shop.heroes["odo-0002"]) == (False, False)
    shop.take("mira-0001")
    shop.undo()
    assert shop.hero == warrior() and shop.steps.may(warrior()) == (False, True)
    shop.do(lambda hero: changed(hero, purse=9))
    assert shop.hero is not None and shop.steps.may(shop.hero) == (True, False)


def test_what_happened_elsewhere_is_not_taken_back(player: Player) -> None:
    files.save(warrior())
    Keys(player).press("Heroes")
    shop = shop_of(player)
    shop.do(lambda hero: changed(hero, purse=7))
    shop.keep()
    assert shop.hero is not None
    files.save(changed(shop.hero, hp=3))
    shop.entered()
    shop.undo()
    assert shop.hero is not None and shop.hero.hp == 3 and shop.refused


# -- a whole life, with keys only ---------------------------------------------------------------------------


def test_a_hero_made_with_keys_fights_is_healed_grows_and_is_the_same_after_a_restart(player: Player) -> None:
    keys = Keys(player)
    keys.press("Heroes", "new", "begin Somebody else")
    keys.to("name")
    keys.type("Tamsin")
    keys.press("art rogue", "cloth teal", "ring gold", "page Stats", "array 10 7 4 4", "page Skills")
    keys.press("package Warrior", "choice 0 Thrown Weapons", "journeyman Swords", "page Equipment", "buy broadsword")
    keys.press("table armor", "buy gambeson", "table items", "buy healing draught")
    player.key(pygame.K_ESCAPE)
    (made,) = files.shelf().heroes.values()
    assert (made.name, made.looks) == ("Tamsin", Looks(art="rogue", cloth="teal", ring="gold"))
    assert bill(made).ranks["Swords"] == "Journeyman" and faults(made) == ()
    assert made.purse == 150 - 30 - 10 - 30 and gear.in_hand(made) == ("broadsword",)

    fight_it_out(player, [made.id])
    keys.press("camp")
    camp = player.app.top
    assert isinstance(camp, CampScene)
    fought = files.find(made.id)
    assert fought is not None and len(fought.history) == 1 and fought.build.earned == fought.history[0].cp
    keys.press("rest comfortable", "well")
    assert "of recuperation" in camp.said
    player.key(pygame.K_ESCAPE)
    player.until(lambda: isinstance(player.app.top, Ask | Summary))
    if isinstance(player.app.top, Ask):
        keys.press("go")
    rested = files.find(made.id)
    assert rested is not None and condition(rested) == "healthy"

    files.save(changed(rested, build=rested.build.model_copy(update={"earned": rested.build.earned + 5})))
    player.app.navigator.title()
    keys.press("Heroes", "page Advance", "advances skill Swords", "advances stat finesse")
    player.key(pygame.K_ESCAPE)
    grown = files.find(made.id)
    assert grown is not None
    assert bill(grown).ranks["Swords"] == "Foreman" and bill(grown).stats.finesse == 8

    again = at_the_title()
    Keys(again).press("Heroes")
    assert shop_of(again).hero == grown
    assert block(grown)["skills"]["Swords"] == "Foreman"


def fight_it_out(player: Player, party: list[str]) -> None:
    """A short fight of computers, won: its end in the window."""
    weak = {"id": "rat", "name": "Rat", "side": "monsters", "at": [2, 1], "controller": "ai", "brawn": 1, "finesse": 1,
            "savvy": 1, "nerve": 1, "weapons": ["baton"]}  # fmt: skip
    ours = [{**block(hero), "side": "heroes", "at": [1 + n, 2], "controller": "ai"}
            for n, name in enumerate(party) if (hero := files.find(name)) is not None]  # fmt: skip
    rows = ["######", "#....#", "#....#", "######"]
    player.app.navigator.begin(
        {"format": "battlemat/1", "ruleset": "olde", "map": {"rows": rows}, "seed": 11, "creatures": [*ours, weak]}
    )
    player.until(lambda: isinstance(player.app.top, Summary), 40)
    summary = player.app.top
    assert isinstance(summary, Summary)
    player.until(lambda: player.app.clock() - summary.came > HASTE)


def test_a_hero_of_ones_own_is_in_the_list_of_a_new_fight_and_goes_into_the_record_whole(player: Player) -> None:
    files.save(warrior())
    Keys(player).press("New fight")
    choose = player.app.top
    assert isinstance(choose, Choose) and choose.party[0] == "mira-0001"
    player.press("Begin")
    fight = player.app.top
    assert isinstance(fight, Fight)
    entry = next(e for e in fight.match.record.creatures if e["id"] == "mira-0001")
    assert "template" not in entry and entry["weapons"] == ["broadsword"]
    assert any(m.name == "Mira" for m in fight.board.miniatures)


def test_a_new_fight_shows_who_cannot_come_and_says_why(player: Player) -> None:
    files.save(warrior("Mira"))
    files.save(warrior("Olaf", hp=0, conditions=["bleeding"]))
    files.save(warrior("Ruth", weapons=["broadsword", "broom"]))
    player.app.navigator.choose()
    choose = player.app.top
    assert isinstance(choose, Choose)
    tiles = {w.key: w for panel, _ in choose.ui.layers for w in panel.walk() if isinstance(w, Tile)}
    own = [key for key in tiles if "-0001" in key]
    assert own == ["hero mira-0001", "unready olaf-0001", "unready ruth-0001"]
    olaf, ruth = tiles["unready olaf-0001"], tiles["unready ruth-0001"]
    assert not olaf.enabled and olaf.line == "Bleeding: camp first"
    assert ruth.line.startswith("Not ready: broom")
    choose.ui.focus_key("hero mira-0001")
    player.key(pygame.K_TAB)
    assert choose.ui.focus is olaf, "keys come to it as a pointer does"
    player.key(pygame.K_RETURN)
    assert "olaf-0001" not in choose.party
    shown = [w.text for panel in player.app.top.ui.live() for w in panel.walk() if isinstance(w, Label)]
    assert "Olaf is bleeding: camp first." in shown
    player.key(pygame.K_ESCAPE)
    assert player.app.top is choose and choose.ui.focus is not None
    assert choose.ui.focus.key == "unready olaf-0001"
    player.key(pygame.K_DOWN)
    assert choose.ui.focus.key == "unready ruth-0001"


@pytest.mark.parametrize("size", [(640, 360), (1280, 720), (1920, 1080)])
def test_every_page_can_be_walked_through_with_keys_in_every_size(home: Path, size: tuple[int, int]) -> None:
    files.save(warrior())
    player = at_the_title(size)
    player.app.navigator.workshop()
    shop = shop_of(player)
    for page in shop.pages():
        shop.turn(page)
        player.app.draw()
        for widget in list(shop.ui.ring()):
            player.key(pygame.K_TAB)
            assert shop.ui.focus is not None, widget.key
        keys = [w.key for w in shop.ui.ring()]
        assert len(keys) == len(set(keys)), page


def test_a_refusal_is_told_and_changes_nothing(player: Player) -> None:
    files.save(warrior(purse=3))
    player.app.navigator.workshop()
    shop = shop_of(player)
    shop.turn("Equipment")
    Keys(player).press("buy greatsword")
    assert shop.refused and "72 coin short" in shop.said
    assert files.find("mira-0001") == shop.hero and shop.hero is not None and shop.hero.purse == 3


def test_deleting_asks_first(player: Player) -> None:
    files.save(warrior())
    player.app.navigator.workshop()
    keys = Keys(player)
    keys.press("Delete", "stay")
    assert files.find("mira-0001") is not None
    keys.press("Delete", "go")
    assert files.find("mira-0001") is None and shop_of(player).hero is None


def test_what_is_dropped_onto_the_window_is_imported_and_a_broken_file_said_in_a_line(
    player: Player, tmp_path: Path
) -> None:
    path = files.hand_out(warrior(), tmp_path / "shared.json")
    player.app.navigator.workshop()
    for _ in range(2):
        pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(path)))
        player.turn()
    assert len(shop_of(player).heroes) == 2
    path.write_text('{"format": "battlemat-hero/1", "id": "a-b"}')
    pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(path)))
    player.turn()
    assert player.app.top.name == "message" and "name" in player.app.top.text  # type: ignore[attr-defined]


def test_an_import_that_fails_says_why_and_keeps_what_was_typed(player: Player, tmp_path: Path) -> None:
    shared = files.hand_out(warrior(), tmp_path / "shared.json")
    player.app.navigator.workshop()
    keys = Keys(player)
    keys.press("Import", "Import")
    assert any("Type or paste its path" in text for text in words_of(player.app.top))
    keys.to("path")
    keys.type(str(shared) + "x")
    player.key(pygame.K_RETURN)
    assert player.app.top.name == "import" and any("No such file" in text for text in words_of(player.app.top))
    player.key(pygame.K_BACKSPACE)
    player.key(pygame.K_RETURN)
    assert player.app.top is shop_of(player) and "mira-0001" in shop_of(player).heroes


def test_the_shop_and_the_page_of_magic_say_what_things_do(player: Player) -> None:
    wizard = changed(making.set_package(making.fresh("Ilse", "ilse-0001"), "Wizard"), spells=["sleep"])
    files.save(wizard)
    player.app.navigator.workshop()
    shop = shop_of(player)
    shop.turn("Magic")
    assert "Asleep, 2 turns; against Nerve; range 6, gesture, incantation" in words_of(shop)
    shop.turn("Equipment")
    shop.view["table"] = "items"
    shop.rebuild()
    assert any("1d7!+1 HP back" in text for text in words_of(shop))


def test_files_for_others_are_called_as_the_hero_is() -> None:
    assert files.called(changed(warrior(), name="Mira of the Fen")) == "mira-of-the-fen-0001"
    assert files.called(changed(warrior(), name="Ωμέγα")) == "hero-0001"


# -- making ------------------------------------------------------------------------------------------------


def test_a_purchase_tells_its_cost_what_comes_with_it_and_why_not(home: Path) -> None:
    hero = making.set_way(making.fresh("Per", "per-0001"), "crunchy")
    hero = making.take(hero, "bought", Purchase(kind="set", name="Streetfighting"))
    hero = making.take(hero, "bought", Purchase(kind="skill", name="Knives", to="Journeyman"))
    found = making.offer(hero, "bought", Purchase(kind="skill", name="Brawling", to="Journeyman"))
    assert (found.cost, found.gains, found.refusal) == (1, ("Thrown Weapons Journeyman",), "")
    assert making.number_for_rank(hero, "Streetfighting") == "Journeyman: 1 of 2"
    dear = making.offer(hero, "bought", Purchase(kind="skill", name="Wizardry", to="Legendary Master"))
    assert dear.cost == 17 and "costs 17 CP; 13 left" in dear.refusal
    twice = making.offer(hero, "bought", Purchase(kind="set", name="Streetfighting"))
    assert "bought already" in twice.refusal


def test_who_has_begun_a_story_is_not_made_anew(home: Path) -> None:
    hero = warrior(build=warrior().build.model_copy(update={"earned": 3}))
    hero = making.take(hero, "advances", Purchase(kind="skill", name="Axes", to="Journeyman"))
    with pytest.raises(Exception, match="begun its story"):
        making.set_array(hero, (7, 7, 7, 6))
    assert making.left(making.undo(hero, "advances"), "advances") == 3


# -- gear --------------------------------------------------------------------------------------------------


def test_every_point_of_brawn_too_few_is_told_with_its_price() -> None:
    hero = making.fresh("Wee", "wee-0001")  # Brawn 7
    notes = {note.text for note in gear.notes(hero, "armor", "scale")}
    assert notes == {"2 Brawn short: Finesse dice d5 instead of d7 (AP and Defense too), −2 on every Brawn check"}
    texts = [note.text for note in gear.notes(warrior(), "weapons", "greatsword")]
    assert texts == ["Swords, one-handed, 2 Brawn short: −2 attack and damage"]
    assert any(
        "1 Brawn short: −1 on every Brawn and Finesse check" in n.text for n in gear.notes(hero, "shields", "targe")
    )


def test_two_hands_hold_no_more_than_two_hands_can() -> None:
    hero = changed(warrior(), weapons=["hunting bow", "broadsword"], shield="roundel")
    hero = gear.hold(gear.hold(hero, "hunting bow"), "broadsword")
    hero = gear.hold(hero, "roundel")
    assert gear.in_hand(hero) == ("broadsword", "roundel")
    with pytest.raises(Exception, match="hands"):
        gear.hold(hero, "hunting bow")


def test_selling_brings_half_and_empties_the_hand() -> None:
    hero = gear.sell(warrior(), "weapons", "broadsword")
    assert hero.purse == 150 - 30 + 15 and gear.in_hand(hero) == ()


# -- files -------------------------------------------------------------------------------------------------


def test_a_hero_comes_back_from_its_file_as_it_went(home: Path) -> None:
    hero = warrior(looks=Looks(art="rogue", ring="gold"), hp=3, conditions=["bleeding"], items=["antidote"])
    assert files.load(files.save(hero)) == hero


def test_a_hero_written_by_hand_as_toml_is_imported(home: Path) -> None:
    path = home / "tom.toml"
    path.write_text(
        'format = "battlemat-hero/1"\nid = "tom-1"\nname = "Tom"\n[build]\nway = "crunchy"\n'
        "[build.stats]\nbrawn = 6\nfinesse = 6\nsavvy = 6\nnerve = 6\n"
    )
    assert files.bring_in(path).name == "Tom" and files.find("tom-1") is not None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"),
        ("[]", "JSON object"),
        ('{"format": "battlemat-hero/9"}', "format"),
        ('{"format": "battlemat-hero/1", "id": "../up", "name": "x"}', "id"),
    ],
)
def test_a_broken_file_is_one_line_and_hides_nobody(home: Path, text: str, said: str) -> None:
    files.save(warrior())
    (home / "heroes" / "bad.json").write_text(text)
    heroes, broken = files.shelf()
    assert list(heroes) == ["mira-0001"]
    (line,) = broken
    assert said in line and "\n" not in line and "bad.json" in line


def test_gear_that_the_rules_do_not_have_is_a_fault_and_keeps_one_out_of_fights(home: Path) -> None:
    hero = warrior(weapons=["light sabre"])
    assert "light sabre" in unfit(hero)
    files.save(hero)
    assert files.hero_entries("olde") == {}


# -- after a fight -----------------------------------------------------------------------------------------


def ended(heroes: list[Hero], **changes: object) -> tuple[Match, dict[str, Any]]:
    """A fight of these heroes, and an end of it written by hand."""
    for hero in heroes:
        files.save(hero)
    ours = [{**block(h), "side": "heroes", "at": [1 + n, 1], "controller": "ai"} for n, h in enumerate(heroes)]
    foe = {"id": "orc", "side": "monsters", "at": [4, 1], "brawn": 5, "finesse": 5, "savvy": 5, "nerve": 5}
    match = Match.from_record(
        {"format": "battlemat/1", "ruleset": "olde", "map": {"rows": ["######", "#....#", "######"]}, "seed": 2,
         "creatures": [*ours, foe]}
    )  # fmt: skip
    summary = dict(match.ruleset.summary(match.state))
    summary["over"] = "heroes"
    for name, told in changes.items():
        summary["creatures"][name.replace("_", "-")].update(told)
    return match, summary


def test_cp_hurts_and_lost_gear_come_home_and_a_fight_counts_once(home: Path) -> None:
    match, summary = ended(
        [warrior(), priest()],
        mira_0001={"hp": 2, "cp": 3, "weapons": [], "dropped": ["broadsword"], "conditions": ["bleeding"]},
        orc={"dropped": ["hatchet"]},
    )
    found = aftermath.after(match.record, summary, "Trial")
    mira = found.heroes[0]
    assert (mira.hp, mira.build.earned, mira.weapons, mira.conditions) == (2, 3 + settling.VICTORY, (), ("bleeding",))
    camp = CampSession(found.heroes, 5, found.floor)
    camp.gather_own()
    assert camp.heroes["mira-0001"].weapons == ("broadsword",) and camp.camp.minutes == 1
    assert camp.heroes["mira-0001"].hp == 1, "a minute's bleeding while somebody searched"
    camp.gather(camp.floor[0], "odo-0002")
    kept = files.find("odo-0002")
    assert kept is not None and kept.weapons == ("mace", "hatchet")
    again = aftermath.after(match.record, summary, "Trial")
    assert again.heroes == () and "in the story already" in again.refused[0]


def test_a_hero_who_changed_meanwhile_does_not_take_an_old_fights_end(home: Path) -> None:
    match, summary = ended([warrior()])
    files.save(gear.sell(warrior(), "weapons", "broadsword"))
    assert "has changed" in aftermath.after(match.record, summary, "Trial").refused[0]


def test_the_dying_are_named_with_their_minutes_and_first_aid_is_written_down(home: Path) -> None:
    match, summary = ended([warrior(), priest()], mira_0001={"hp": -3, "conditions": ["dying", "incapacitated"]})
    camp = CampSession(aftermath.after(match.record, summary, "Trial").heroes, 3)
    ((who, minutes),) = camp.doomed()
    assert (who.id, minutes) == ("mira-0001", 12 - 3)
    assert [hero.id for hero in camp.helpers()] == ["odo-0002"]
    for _ in range(8):
        if camp.doomed():
            camp.do(camp.first_aid("odo-0002", "mira-0001"))
    mira = files.find("mira-0001")
    assert mira is not None and mira.conditions == () and condition(mira) in ("incapacitated", "dead")
    assert unfit(mira) != ""
    camp.until_well("comfortable", "odo-0002")
    mira = files.find("mira-0001")
    assert mira is not None and pools(mira)["hp"] == (12, 12) and unfit(mira) == ""


def test_the_camp_says_the_chance_of_help_beforehand(home: Path) -> None:
    hurt = warrior(hp=-3, conditions=["dying"])
    camp = CampSession([hurt, priest()], 3)
    told = camp.chance("odo-0002", lambda: camp.first_aid("odo-0002", "mira-0001"))
    assert told is not None
    pitched = [camps.pitch(camp.camp.heroes, seed) for seed in range(600)]
    saved = sum(not camps.doomed(camps.first_aid(each, "odo-0002", "mira-0001")[0]) for each in pitched)
    assert abs(saved / 6 - told) < 6
    assert camp.chance("odo-0002", lambda: camp.first_aid("odo-0002", "odo-0002")) is None


def test_the_living_take_what_the_fallen_leave_and_nothing_is_there_twice(home: Path) -> None:
    camp = CampSession([warrior(hp=-12), priest()], 1)
    assert [thing.item for thing in camp.floor] == ["broadsword", "120 coin"]
    with pytest.raises(BattlematError, match="one of the living"):
        camp.gather(camp.floor[0], "mira-0001")
    for thing in list(camp.floor):
        camp.gather(thing, "odo-0002")
    fallen, heir = files.find("mira-0001"), files.find("odo-0002")
    assert fallen is not None and heir is not None
    assert (fallen.weapons, fallen.purse) == ((), 0)
    assert heir.weapons == ("mace", "broadsword") and heir.purse == priest().purse + 120


def test_wounds_are_bound_once_and_not_after_the_camp_was_left(home: Path) -> None:
    match, summary = ended([warrior(), priest()], mira_0001={"hp": 5})
    camp = CampSession(aftermath.after(match.record, summary, "Trial").heroes, 3)
    camp.do(camp.bind("odo-0002", "mira-0001"))
    assert "bound already" in camp.refused(lambda: camp.bind("odo-0002", "mira-0001"))
    camp.strike()
    later = CampSession(list(files.shelf().heroes.values()), 4)
    assert "bound already" in later.refused(lambda: later.bind("odo-0002", "mira-0001"))


def test_one_daily_check_in_a_day_even_when_the_camp_is_pitched_anew(home: Path) -> None:
    camp = CampSession([warrior(hp=1)], 1)
    camp.do(camps.rest(camp.camp, "mira-0001", "comfortable"))
    anew = CampSession(list(files.shelf().heroes.values()), 2)
    assert "rested already" in anew.refused(lambda: camps.rest(anew.camp, "mira-0001", "comfortable"))
    anew.do(anew.wait(24 * 60))
    assert anew.refused(lambda: camps.rest(anew.camp, "mira-0001", "comfortable")) == ""


# -- the sheet ---------------------------------------------------------------------------------------------


def test_the_sheet_is_written_as_png_and_as_a_page_of_pdf(home: Path) -> None:
    from game.characters import paper as sheet

    sheet.write(warrior(), home / "out.png")
    assert pygame.image.load(home / "out.png").get_size() == sheet.SIZE
    sheet.write(warrior(), home / "out.pdf")
    (page,) = PdfReader(home / "out.pdf").pages
    assert (round(page.mediabox.width * 25.4 / 72), round(page.mediabox.height * 25.4 / 72)) == (148, 210), "A5"
    assert [image.image is not None and image.image.size for image in page.images] == [(1748, 2480)], "300 dpi"


def test_a_sheet_with_much_on_it_is_written_smaller_until_the_page_holds_it(home: Path) -> None:
    from game.characters import paper as sheet

    hero = warrior(purse=5000, weapons=["greatsword", "longbow", "dagger"] * 3)
    for item in ("healing draught", "antidote", "stone oil", "flash powder") * 2:
        hero = gear.buy(hero, "items", item)
    drawn = sheet.draw(hero)
    foot = drawn.subsurface((0, sheet.SIZE[1] - 30, sheet.SIZE[0], 30))
    assert pygame.transform.average_color(foot)[:3] == sheet.PAPER, "nothing runs off the page"


def test_the_command_judges_a_file_and_says_what_is_wrong(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from game.cli import main

    assert main(["hero", str(files.save(warrior()))]) == 0
    assert "Mira: Warrior" in capsys.readouterr().out
    assert main(["hero", str(files.save(making.fresh("Raw", "raw-0001")))]) == 2
    assert "package" in capsys.readouterr().out


# -- heroes of the workshop and the rulebook ------------------------------------------------------------------


def random_hero(lot: random.Random) -> Hero:
    """A hero made by random steps of the workshop, refusals and all."""
    hero = making.fresh("Lot", "lot-0001")
    hero = making.set_way(hero, lot.choice(("core", "crunchy")))
    for _ in range(lot.randrange(4, 14)):
        with contextlib.suppress(BattlematError):
            hero = random_step(hero, lot)
    hero = changed(hero, build=hero.build.model_copy(update={"earned": lot.choice((0, 4, 11))}))
    for _ in range(lot.randrange(4)):
        with contextlib.suppress(BattlematError):
            kind: Any = lot.choice(("set", "skill", "stat"))
            hero = making.take(hero, "advances", lot.choice(list(making.offers(hero, "advances", kind))).purchase)
    return hero


def wish(hero: Hero, lot: random.Random, kinds: tuple[str, ...]) -> Purchase:
    """Something to buy, with luck within reach."""
    kind = lot.choice(kinds)
    if kind == "set":
        return Purchase(kind="set", name=lot.choice(list(SETS)))
    if kind == "stat":
        return Purchase(kind="stat", name=lot.choice(STATS))
    skill = lot.choice(making.skills_on_offer(hero))
    return Purchase(kind="skill", name=skill, to=making.next_rank(hero, skill))


def random_step(hero: Hero, lot: random.Random) -> Hero:
    if hero.build.way == "crunchy":
        if lot.random() < 0.4:
            return making.step_stat(hero, lot.choice(STATS), lot.choice((-1, 1, 1)))
        if lot.random() < 0.15:
            return making.undo(hero, "bought")
        return making.take(hero, "bought", wish(hero, lot, ("set", "skill", "skill")))
    steps = [
        lambda: making.set_array(hero, lot.choice(ARRAYS)),
        lambda: making.swap(hero, *lot.sample(STATS, 2)),
        lambda: making.set_package(hero, lot.choice(list(PACKAGES))),
    ]
    if package := PACKAGES.get(hero.build.package):
        number = lot.randrange(len(package.choices))
        steps.append(lambda: making.choose(hero, number, lot.choice(package.choices[number])))
    if making.raises(hero):
        steps += [lambda: making.set_journeyman(hero, lot.choice(making.candidates(hero)))] * 3
    for name in making.opened(hero):
        steps.append(partial(making.set_field, hero, name, lot.randrange(5), lot.choice(("Stars", "Law", "Kings"))))
    return lot.choice(steps)()


def test_what_the_workshop_allows_the_rulebook_allows_and_fights_take(home: Path) -> None:
    lot, ready = random.Random("workshop"), 0
    for number in range(150):
        hero = random_hero(lot)
        lawful, ranks, stats = hero_law.judge(hero.build.model_dump(mode="json"))
        assert lawful == bill(hero).legal, f"number {number}: {hero.build!r}: {bill(hero).faults}"
        if hero.build.way == "crunchy":
            assert lawful, f"number {number}: a step that breaks the rules was not refused: {bill(hero).faults}"
        if lawful:
            ready += 1
            assert (bill(hero).ranks, bill(hero).stats.values) == (ranks, stats)
            assert unfit(hero) == "" and figures.sheet(hero) is not None
            if not ready % 10:
                files.save(hero)
                assert files.find(hero.id) == hero
    assert ready > 60


def test_what_is_wrong_stands_beside_every_page_and_goes_when_it_is_right(player: Player) -> None:
    files.save(making.fresh("Raw", "raw-0001"))
    player.app.navigator.workshop()
    shop = shop_of(player)
    assert any("package: none chosen" in text for text in words_of(shop))
    keys = Keys(player)
    keys.press("page Skills", "package Rogue")
    assert any("say which of its skills it raises" in text for text in words_of(shop))
    keys.press("journeyman Knives")
    assert "Legal by the book" in words_of(shop)


def words_of(shop: Any) -> list[str]:
    return [w.text for panel, _ in shop.ui.layers for w in panel.walk() if isinstance(w, Label)]

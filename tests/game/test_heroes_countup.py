"""Heroes of Count-Up who last: made, judged, in fights, settled once, in camp, on file (countup.md §9)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pygame
import pytest
from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace

from game import paths
from game.app.loop import App
from game.app.settings import Settings
from game.characters import aftermath, files, paper
from game.characters.countup import gear, making, model, settling
from game.characters.countup.camping import Fireside
from game.characters.countup.model import Hero, Hurt, changed
from game.characters.countup.roster import ROSTER
from game.characters.heroes import HeroError
from game.characters.pages import Deed, Deeds, Item
from game.characters.roster import Fight as Ended
from game.content import tables as content
from game.fight.match import Match
from game.scenes.workshop.scene import Workshop
from rules.core import dice as rng
from rules.core import record as records
from rules.core.dice import Dice
from rules.countup.creation.heroes import Build, Growth, budget_left
from rules.countup.creation.tables import CLASSES, EXPERIENCE, RACES
from tests.game.player import Player
from tests.game.test_workshop import Keys
from tests.rules.countup.making import SIX, at_level, builds


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path))
    monkeypatch.setattr(making, "fresh_dice", lambda: Dice(rng.seeded(7)))
    return tmp_path


def somebody(kind: str = "fighter", **more: Any) -> Hero:
    return changed(making.fresh("Berit", "berit-0001", kind), **more)


ROWS = ["##########", *["#........#"] * 3, "##########"]


def fight(*heroes: Hero, foes: int = 1, seed: int = 3, **foe: Any) -> dict[str, Any]:
    """A record in which heroes meet weak kobolds at arm's length; the computer plays everybody."""
    band = [{**model.block(hero), "side": "heroes", "at": [1 + i, 1], "controller": "human"}
            for i, hero in enumerate(heroes)]  # fmt: skip
    host = [{"template": "kobold", "id": f"k{n}", "side": "monsters", "at": [1 + n, 2], "hp": 1, "hp_max": 1, **foe}
            for n in range(foes)]  # fmt: skip
    return {"format": "battlemat/1", "ruleset": "countup", "map": {"rows": ROWS}, "seed": seed,
            "creatures": [*band, *host], "commands": []}  # fmt: skip


def played(record: dict[str, Any], most: int = 400) -> Match:
    """The fight as it ends where everybody strikes at the first foe that may be struck."""
    match = Match.from_record(record)
    for _ in range(most):
        decision = match.decision
        if decision is None:
            return match
        actions = list(match.legal(decision))
        wanted = [a for a in actions if a.do == "attack"] or [a for a in actions if a.do in ("choose", "hold")]
        match.act(decision, wanted[0] if wanted else actions[0])
    raise AssertionError("nobody wins")


# -- makings -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", CLASSES)
def test_each_class_begins_legal_with_its_gear_and_points_to_spend(kind: str) -> None:
    hero = somebody(kind)
    assert model.faults(hero) == () and ROSTER.unfit(hero) == ""
    assert making.points_left(hero) == 30 and hero.purse > 0 and hero.weapons


@pytest.mark.parametrize("race", RACES)
@pytest.mark.parametrize("kind", CLASSES)
@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_every_class_and_race_at_each_level_is_a_stat_block_that_plays(kind: str, race: str, level: int) -> None:
    build = at_level(kind, level).model_copy(update={"race": race})
    light = {"shield": None, "armour": None} if race == "halfling" else {}  # too weak for a shield beside its pack
    hero = somebody(kind, build=build, **light)
    assert model.faults(hero) == ()
    match = Match.from_record(fight(hero))
    sheet = match.ruleset.sheet(match.state, hero.id)
    assert sheet.bars[0].maximum == model.made(hero).hit_points and match.decisions


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(builds())
def test_every_making_comes_through_a_file_and_into_a_record(build: Build) -> None:
    hero = Hero(id="any-body", name="Anybody", build=build)
    assert model.read(json.loads(json.dumps(ROSTER.document(hero)))) == hero
    assert model.faults(hero) == ()
    assert Match.from_record(fight(hero)).state.setup.beings[0].hp_max == model.made(hero).hit_points


def test_the_six_of_the_book_are_those_of_their_makings() -> None:
    from game.characters.countup import readymade

    assert {name: readymade.build_of(name) for name in readymade.MAKINGS} == SIX
    assert set(readymade.MAKINGS) == set(content.heroes("countup"))


def test_steps_cost_points_and_refuse_in_words() -> None:
    hero = somebody("mage", build={**Build(kind="mage", dice=(3,)).model_dump(mode="json")})
    assert budget_left(hero.build) == 26
    hero = making.step(hero, "wisdom", 1)
    assert budget_left(hero.build) == 25 and hero.build.abilities["wisdom"] == 9
    low = changed(hero, build={**hero.build.model_dump(mode="json"), "abilities": {"wisdom": 6}})
    with pytest.raises(HeroError, match="Wisdom: 6 to 18 are bought"):
        making.step(low, "wisdom", -1)


def test_skills_are_bought_taken_back_and_sealed_by_play() -> None:
    hero = making.buy_skill(somebody("thief"), "disarm trap")
    assert model.made(hero).skills["disarm trap"] == model.made(somebody("thief")).skills["disarm trap"] + 7
    with pytest.raises(HeroError, match="costs 16; 14 left"):
        making.buy_skill(hero, "identify trap")
    assert making.unbuy_skill(hero, "disarm trap").build.skills == {}
    sealed = changed(hero, settled=making.sealed(hero))
    with pytest.raises(HeroError, match="stays learnt"):
        making.unbuy_skill(sealed, "disarm trap")


def test_a_level_is_taken_with_its_experience_and_an_ability_grows() -> None:
    hero = somebody("fighter")
    with pytest.raises(HeroError, match="needs 400"):
        making.take_level(hero)
    grown = making.take_level(_with(hero, earned=400))
    assert "an ability" in model.faults(grown.hero)[0] or "ability that grows" in model.faults(grown.hero)[0]
    ready = making.grow(grown.hero, "strength")
    assert model.faults(ready) == () and model.made(ready).level == 2 and making.points_left(ready) == 45
    assert str(model.made(ready).abilities["strength"]) == "15/51"
    with pytest.raises(HeroError, match="begun its story"):
        making.set_race(ready, "elf")


def _with(hero: Hero, **build: Any) -> Hero:
    return changed(hero, build={**hero.build.model_dump(mode="json"), **build})


def test_what_was_never_learnt_goes_into_no_fight() -> None:
    mage = gear.take(somebody("mage"), "weapons", "longbow")
    assert "longbow: never learnt" in ROSTER.unfit(mage)
    learnt = making.learn(mage, "longbow")
    assert ROSTER.unfit(learnt) == "" and making.points_left(learnt) == 24
    assert "no armour for a mage" in ROSTER.unfit(changed(mage, weapons=["staff"], armour="chain mail"))
    assert "uses no shield" in ROSTER.unfit(changed(somebody("thief"), shield="small shield"))


def test_the_load_goes_by_strength_and_too_much_stays_at_home() -> None:
    hero = somebody("fighter", items=["miner's pick"] * 6)
    assert (model.pounds(hero), model.load(hero)) == (72, "medium")
    assert model.block(hero)["load"] == "medium"
    assert "pounds are carried" in ROSTER.unfit(changed(hero, items=["miner's pick"] * 14))


# -- the market ------------------------------------------------------------------------------------------------


def test_the_market_takes_the_price_and_gives_half() -> None:
    hero = changed(somebody("fighter"), purse=100)
    with pytest.raises(HeroError, match="costs 50 sp"):
        gear.buy(hero, "weapons", "two-handed sword")
    armed = gear.buy(hero, "weapons", "spear")
    assert armed.purse == 80 and gear.sell(armed, "weapons", "spear").purse == 90
    with pytest.raises(HeroError, match="One shield"):
        gear.buy(hero, "shields", "small shield")


def test_both_hands_full_the_shield_hangs_on_the_back() -> None:
    hero = somebody("fighter", weapons=["longsword", "halberd"])
    shown = {line.name: line.figure for line in ROSTER.figures(hero).lines}
    held = {line.name: line.figure for line in ROSTER.figures(gear.hold(hero, "halberd")).lines}
    assert shown["Defence"] == "d20p+5" and held["Defence"] == "d20p−4−1"
    match = Match.from_record(fight(gear.hold(hero, "halberd")))
    figure = match.state.figures[0]
    assert (figure.hand, figure.shield, figure.slung) == ("halberd", None, "medium shield")


def test_a_broken_shield_is_mended_for_half_its_price() -> None:
    hero = changed(somebody("fighter"), shield=None, broken=["medium shield"], purse=200)
    whole = gear.mend(hero, "medium shield")
    assert (whole.shield, whole.broken, whole.purse) == ("medium shield", (), 50)
    with pytest.raises(HeroError, match="costs 15 sp"):
        gear.mend(changed(hero, purse=149), "medium shield")


def test_a_quiver_is_filled_by_the_arrow() -> None:
    hero = gear.take(somebody("fighter", ammunition=5), "weapons", "longbow")
    assert gear.refill_cost(hero) == 15 and gear.refill(hero).ammunition == 20
    with pytest.raises(HeroError, match="nothing to shoot"):
        gear.refill(somebody("fighter"))


# -- fights ------------------------------------------------------------------------------------------------------


def test_a_fight_is_settled_once_with_wounds_and_experience() -> None:
    hero = somebody("fighter", wounds=[Hurt(hp=3, days=1).model_dump()])
    files.save(hero)
    match = played(fight(hero, foes=2))
    summary = match.ruleset.summary(match.state)
    found = aftermath.after(match.record, summary, match.title)
    (after,) = found.heroes
    lost = model.made(hero).hit_points - summary["creatures"][hero.id]["hp"]
    assert sum(wound.hp for wound in after.wounds) == lost and after.wounds[0] == hero.wounds[0]
    foes = content.monsters("countup")["kobold"]["threat"]
    assert after.build.earned == 10 * 2 * foes + 25 and after.history[0].won
    files.save(after)
    again = aftermath.after(match.record, summary, match.title)
    assert again.heroes == () and "in the story already" in again.refused[0]


def test_a_hero_changed_since_does_not_count() -> None:
    hero = somebody("fighter")
    match = played(fight(hero))
    files.save(making.buy_skill(hero, "climbing"))
    found = aftermath.after(match.record, match.ruleset.summary(match.state), match.title)
    assert "has changed since" in found.refused[0]


def test_the_summary_tells_the_experience_of_the_living() -> None:
    hero = somebody("fighter")
    files.save(hero)
    match = played(fight(hero))
    told = aftermath.rewards(match.record, match.ruleset.board(match.state))
    assert told == {hero.id: 10 * content.monsters("countup")["kobold"]["threat"] + 25}
    assert aftermath.points(match.record) == "EP"


def test_a_broken_shield_and_spent_arrows_come_home_as_such() -> None:
    hero = gear.take(somebody("fighter"), "weapons", "longbow")
    kept = {"wounds": [4, 4], "shield": None, "ammunition": 13, "prayed": []}
    end = {"hp": 20, "status": "healthy", "lasting": kept, "purse": 12, "pack": ["halberd", "silver cup"]}
    after, floor = settling.settle(hero, end, Ended("key", "Bridge", True))
    assert (after.shield, after.broken) == (None, ("medium shield",))
    assert (after.ammunition, after.purse) == (13, hero.purse + 120)
    assert after.items == (*hero.items, "halberd", "silver cup") and ROSTER.unfit(after) == ""
    assert gear.use(after, "halberd").weapons[-1] == "halberd"
    assert gear.sell(after, "gear", "halberd").purse == after.purse + 50
    with pytest.raises(HeroError, match="never learnt"):
        gear.use(changed(somebody("mage"), items=["halberd"]), "halberd")
    assert floor[0].shot == 7 and [wound.days for wound in after.wounds] == [4, 4]


@pytest.mark.parametrize(("hp", "word"), [(0, "dying"), (-6, "dying"), (-7, "dead")])
def test_the_felled_come_home_dying_or_dead(hp: int, word: str) -> None:
    hero = somebody("fighter")
    most = model.made(hero).hit_points
    end = {"hp": hp, "status": "dead", "lasting": {"wounds": [most - hp]}}
    after = settling.settle(hero, end, Ended("key", "Bridge", False)).hero
    assert model.condition(after) == word and ROSTER.unfit(after)


def test_a_ready_hero_comes_home_with_its_making_and_the_wounds_of_the_fight() -> None:
    record = fight(foes=3, seed=5, attack=12, initiative=-5)
    hale = {"template": "hale", "id": "hale", "side": "heroes", "at": [1, 1], "controller": "human"}
    record["creatures"].insert(0, hale)
    match = played(record)
    summary = match.ruleset.summary(match.state)
    found = aftermath.after(match.record, summary, match.title)
    (after,) = found.heroes
    assert after.build.model_copy(update={"earned": 0}) == SIX["hale"] and "your own heroes" in found.joined[0]
    assert len(after.wounds) > 1 and sum(wound.hp for wound in after.wounds) == 30 - summary["creatures"]["hale"]["hp"]
    assert after.purse == model.COINS - 200 - 20 - 300 - 60


@pytest.mark.parametrize(
    ("lost", "dying", "word"), [(3, True, "bruised"), (60, False, "dead"), (26, False, "senseless")]
)
def test_a_file_that_contradicts_itself_goes_by_its_wounds(lost: int, dying: bool, word: str) -> None:
    build = {**somebody("fighter").build.model_dump(mode="json"), "dice": [3]}
    hero = somebody("fighter", build=build, wounds=[Hurt(hp=lost, days=lost).model_dump()], dying=dying)
    assert model.made(hero).hit_points == 26 and model.condition(hero) == word


def test_where_the_map_has_gone_the_loss_of_a_ready_hero_is_one_wound() -> None:
    record = fight(foes=1)
    record["creatures"].insert(
        0, {"template": "hale", "id": "hale", "side": "heroes", "at": [1, 1], "controller": "human"}
    )
    gone = Match.from_record(record).record.model_copy(update={"map": records.MapModel(tmx="gone.tmx")})
    end = {"hp": 21, "status": "bruised"}
    hero = changed(somebody("fighter"), build=SIX["hale"].model_dump(mode="json"))
    after = settling.settle(hero, end, Ended("key", "Bridge", True, gone, {"creatures": {"hale": end}})).hero
    assert [wound.hp for wound in after.wounds] == [9]


# -- camp --------------------------------------------------------------------------------------------------------


def test_a_camp_writes_everything_down_at_once() -> None:
    hurt = somebody("fighter", wounds=[Hurt(hp=6, days=6).model_dump()])
    ane = changed(somebody("cleric"), id="ane-0002", name="Ane")
    camp = Fireside([hurt, ane], 7)
    camp.do(camp._cure("ane-0002", "berit-0001", _trivial()))
    kept = files.find("berit-0001")
    assert sum(w.hp for w in kept.wounds) < 6 and files.find("ane-0002").prayed == ("Trivial Cure",)
    camp.day("bed", None)
    assert files.find("ane-0002").prayed == () and camp.clock() == "Day 2"
    camp.strike()
    assert all(wound.tended for wound in files.find("berit-0001").wounds)


def test_where_nobody_can_help_the_camp_says_so() -> None:
    hurt = somebody("fighter")
    hurt = changed(hurt, wounds=[Hurt(hp=model.made(hurt).hit_points, days=28).model_dump()], dying=True)
    camp = Fireside([hurt], 7)
    deeds = [block for part in camp.sections({"who": hurt.id}) for block in part if isinstance(block, Deed)]
    assert [deed.key for deed in deeds] == ["aid", "tend"]
    assert all("can help nobody" in deed.refusal for deed in deeds) and "min" in camp.urgent()
    camp.day("camp", None)
    assert files.find(hurt.id).dead and camp.doomed() == ()


@pytest.mark.parametrize(
    ("dying", "words"),
    [(1, "Berit is dying still, and will wait as is."), (2, "Pim, Berit are dying still; they will wait as they are.")],
)
def test_one_who_is_dying_is_told_as_one(dying: int, words: str) -> None:
    both = (somebody(), changed(somebody("thief"), id="pim-0003", name="Pim"))
    camp = Fireside([_felled(hero) for hero in both[:dying]], 7)
    assert len(camp.doomed()) == dying and camp.warning() == words


def test_prayers_that_a_ready_cleric_said_are_spent_in_camp() -> None:
    record = fight(foes=1)
    cora = {"template": "cora", "id": "cora", "side": "heroes", "at": [1, 1], "controller": "human"}
    record["creatures"].insert(0, cora)
    match = played(record)
    state: Any = match.state
    said = tuple(
        replace(figure, prayed=("Minor Cure",)) if being.id == "cora" else figure
        for being, figure in zip(state.setup.beings, state.figures, strict=True)
    )
    ended = ROSTER.ended(replace(state, figures=said))
    (after,) = aftermath.after(match.record, ended, match.title, match.events).heroes
    assert after.prayed == ("Minor Cure",) and model.person(after).left("Minor Cure") == 0
    assert model.person(after).left("Trivial Cure") == 2


def _felled(hero: Hero) -> Hero:
    """With no hit points left, and dying."""
    most = model.made(hero).hit_points
    return changed(hero, wounds=[Hurt(hp=most, days=most).model_dump()], dying=True)


def _trivial() -> Any:
    from rules.countup.creation.camp import Cure

    spell = model.armoury().spells["Trivial Cure"]
    return Cure(spell.name, spell.cure, spell.better_cure)


def test_the_dead_leave_their_things_to_the_living() -> None:
    dead = somebody("fighter", dead=True, wounds=[Hurt(hp=40, days=40).model_dump()])
    pim = changed(somebody("thief"), id="pim-0003", name="Pim", weapons=["dagger"])
    camp = Fireside([dead, pim], 7)
    coins = next(thing for thing in camp.floor if thing.table == "coins")
    before = pim.purse
    camp.gather(coins, "pim-0003")
    assert files.find("pim-0003").purse == before + dead.purse and files.find("berit-0001").purse == 0
    sword = next(thing for thing in camp.floor if thing.item == "longsword")
    camp.gather(sword, "pim-0003")
    assert "longsword" in files.find("pim-0003").weapons and "longsword" not in files.find("berit-0001").weapons


# -- files -------------------------------------------------------------------------------------------------------

STRANGE: dict[str, tuple[Any, str]] = {
    "no class of these rules": ({"build": {"kind": "bard"}}, "build.kind: is none of"),
    "a skill of words": ({"build": {"skills": {"climbing": "twice"}}}, "build.skills.climbing: needs a whole number"),
    "a wound that is none": ({"wounds": [{"hp": 0, "days": 1}]}, "wounds.0.hp: 1 is the least"),
    "a strange field": ({"luck": 3}, "luck: no such field"),
    "a purse in debt": ({"purse": -1}, "purse: 0 is the least"),
    "a later format": ({"format": "battlemat-hero/9"}, "this Battlemat reads"),
    "rules that are none": ({"ruleset": "chess"}, "ruleset"),
}


@pytest.mark.parametrize("name", STRANGE)
def test_a_file_of_a_stranger_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    changes, told = STRANGE[name]
    path = tmp_path / "stranger.json"
    whole = json.loads(json.dumps(ROSTER.document(somebody("fighter"))))
    for key, value in changes.items():
        whole[key] = {**whole[key], **value} if isinstance(value, dict) and isinstance(whole.get(key), dict) else value
    path.write_text(json.dumps(whole), encoding="utf-8")
    with pytest.raises(HeroError) as refusal:
        files.bring_in(path)
    assert told in str(refusal.value) and "\n" not in str(refusal.value)


def test_a_hero_goes_out_and_comes_in_again_under_a_new_id(tmp_path: Path) -> None:
    hero = somebody("cleric")
    files.save(hero)
    files.hand_out(hero, tmp_path / "ane.json")
    twin = files.bring_in(tmp_path / "ane.json")
    assert twin.id != hero.id and changed(twin, id=hero.id) == hero


@pytest.mark.parametrize("ending", ["png", "pdf"])
def test_the_sheet_is_written(ending: str, tmp_path: Path) -> None:
    paper.write(somebody("mage"), tmp_path / f"sheet.{ending}")
    assert (tmp_path / f"sheet.{ending}").stat().st_size > 10_000


# -- the window ----------------------------------------------------------------------------------------------------


def at_the_bench(*heroes: Hero) -> tuple[Player, Workshop]:
    for hero in heroes:
        files.save(hero)
    app = App((1280, 720), settings=Settings(speed=0, autosave=False))
    pygame.event.clear()
    app.navigator.title()
    bench = Workshop(app)
    app.push(bench)
    return Player(app), bench


@pytest.mark.parametrize("kind", CLASSES)
def test_every_page_is_drawn_and_every_button_answers(kind: str) -> None:
    player, bench = at_the_bench(_with(somebody(kind), earned=EXPERIENCE[1]))
    for name in bench.pages():
        bench.turn(name)
        player.turn(1)
        player.app.draw()
    for name in ROSTER.pages(bench.hero):
        for key in deeds(ROSTER.page(bench.hero, name, {})):
            bench.turn(name)
            before, said = bench.hero, bench.said
            widget = next((w for panel in bench.ui.live() for w in panel.walk() if w.key == key), None)
            if widget is not None:
                player.scroll_to(widget)
                player.click(widget.rect.center)
                assert bench.hero != before or bench.said not in ("", said), f"{name}: {key} does nothing"


def deeds(blocks: Any) -> list[str]:
    found: list[Deed] = []
    for block in blocks:
        if isinstance(block, Deed):
            found.append(block)
        elif isinstance(block, Deeds | Item):
            found += block.deeds
    return [deed.key for deed in found][:40]


def test_heroes_stand_in_a_new_fight_and_the_unready_are_told_why() -> None:
    files.save(somebody("fighter"))
    pim = changed(somebody("thief"), id="pim-0003", name="Pim")
    files.save(changed(pim, dying=True, wounds=[Hurt(hp=model.made(pim).hit_points, days=9).model_dump()]))
    assert list(files.hero_entries("countup")) == ["berit-0001"] and files.hero_entries("olde") == {}
    assert "camp first" in files.unready_heroes("countup")["pim-0003"][1]


def test_growth_stays_as_it_was_chosen_once_play_has_gone_on() -> None:
    build = at_level("thief", 2)
    hero = somebody("thief", build=build)
    assert making.grow(hero, "dexterity").build.growth == (Growth(ability="dexterity"),)
    with pytest.raises(HeroError, match="stays grown"):
        making.grow(changed(hero, settled=making.sealed(hero)), "dexterity")


def test_a_whole_life_with_keys_alone() -> None:
    app = App((1280, 720), settings=Settings(speed=0, autosave=False))
    pygame.event.clear()
    app.navigator.title()
    player = Player(app)
    keys = Keys(player)
    keys.press("Heroes", "rules countup", "begin Somebody else")
    keys.type("Tam")
    keys.press(
        "page Making", "class thief", "race elf", "hit die", *["dexterity +"] * 4, "page Skills", "buy listening"
    )
    keys.press("page Equipment", "buy weapons dagger", "sold armour", "buy armour leather")
    keys.press("sold gear", "buy gear torches")
    keys.press("lamp torch", "page Level", "page Sheet", "pdf")
    player.key(pygame.K_ESCAPE)
    (hero,) = files.shelf().heroes.values()
    assert (hero.name, hero.build.kind, hero.build.race, hero.lamp) == ("Tam", "thief", "elf", "torch")
    assert hero.weapons == ("dagger",) and hero.armour == "leather" and ROSTER.unfit(hero) == ""
    assert model.made(hero).abilities["dexterity"].whole == 16
    assert list(paths.user_folder("sheets").glob("*.pdf"))


def test_the_camp_is_worked_with_keys_alone() -> None:
    hurt = somebody("fighter")
    hurt = changed(hurt, wounds=[Hurt(hp=model.made(hurt).hit_points, days=28).model_dump()], dying=True)
    ane = changed(somebody("cleric"), id="ane-0002", name="Ane")
    player, _ = at_the_bench(hurt, ane)
    keys = Keys(player)
    keys.press("camp", "cure Minor Cure", "rest bed", "well")
    player.key(pygame.K_ESCAPE)
    assert not files.find("berit-0001").dying and files.find("berit-0001").wounds == ()
    assert files.find("ane-0002").prayed == ()

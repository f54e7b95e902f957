"""Heroes of the player's own in the real window: by mouse alone, by keys alone, in both sizes."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from game.characters import files
from game.characters.olde import making
from game.characters.olde.model import Hero, changed
from tests.e2e.preparing import Preparing, seats
from tests.e2e.real_table import MARKS, party, ways
from tests.e2e.seat import Seat, Sensible

pytestmark = [*MARKS, pytest.mark.timeout(600)]


class AtTheBench(Preparing):
    """In the workshop; what is done is waited for."""

    def bench(self, what: str, ask: Callable[[dict[str, Any]], Any] = lambda bench: True) -> dict[str, Any]:
        """Wait until the workshop is so."""
        found: dict[str, Any] = self.told(what, "workshop", "bench", ask, 15)
        return found

    def hero(self) -> dict[str, Any]:
        found: dict[str, Any] = self.bench("a hero", lambda b: b["hero"])["hero"]
        return found

    def page(self, name: str) -> None:
        """Turn to a page, by its tab or by Page down."""
        if self.keys:
            for _ in range(8):
                if self.bench("a page")["page"] == name:
                    return
                self.hand.type("Next")  # type: ignore[attr-defined]
        else:
            self.hand.press(f"page {name}")
        self.bench(name, lambda b: b["page"] == name)

    def pressed(self, key: str, ask: Callable[[dict[str, Any]], Any] = lambda hero: True) -> dict[str, Any]:
        """Press a thing of the page, and wait for the hero to be so."""
        self.press(key)
        found: dict[str, Any] = self.bench(f"{key} to be done", lambda b: b["hero"] and ask(b["hero"]))["hero"]
        return found

    def refused(self, key: str, words: str) -> None:
        """Press what can't be; it says why."""
        self.press(key)
        self.bench(f"a refusal of {key}", lambda b: b["refused"] and words in b["said"])


Sat = Callable[[str, str, str], AtTheBench]


sat = seats(AtTheBench)


@ways()
def test_a_core_hero_from_the_empty_bench_to_its_sheet(sat: Sat, hand: str, size: str) -> None:
    at = sat(hand, size, "core")
    at.open()
    at.scene("title")
    at.hand.press("Heroes")
    at.bench("an empty bench", lambda b: not b["heroes"])
    at.shot("empty")
    at.press("begin Warrior")
    at.bench("a new hero", lambda b: b["hero"] and b["page"] == "Looks")
    at.shot("new")
    at.write("name", "Mira of the Fen")
    at.bench("a name", lambda b: b["hero"]["name"] == "Mira of the Fen")
    at.pressed("cloth teal", lambda h: h["looks"]["cloth"] == "teal")
    at.pressed("ring gold", lambda h: h["looks"]["ring"] == "gold")
    at.pressed("size small", lambda h: h["size"] == "small")
    at.pressed("art templar", lambda h: h["looks"]["art"] == "templar")
    at.shot("looks")

    at.page("Stats")
    at.pressed("array 10 7 4 4", lambda h: 10 in h["build"]["stats"].values())
    at.press("stat brawn")
    at.shot("half-swap")
    before = at.hero()["build"]["stats"]
    at.pressed("stat nerve", lambda h: h["build"]["stats"]["nerve"] == before["brawn"])
    at.pressed("array 10 7 4 4")
    at.shot("stats")

    at.page("Skills")
    at.shot("package")
    for number in range(4):
        choices = [w["key"] for w in at.table.now()["widgets"] if w["key"].startswith(f"choice {number} ")]
        if choices:
            at.pressed(choices[-1])
    ranks = [w["key"] for w in at.table.now()["widgets"] if w["key"].startswith("journeyman ")]
    if ranks:
        at.pressed(ranks[-1], lambda h: h["build"]["journeyman"])
    at.shot("skills")

    at.page("Equipment")
    at.shot("shop")
    purse = at.hero()["purse"]
    at.pressed("buy broadsword", lambda h: "broadsword" in h["weapons"] and h["purse"] < purse)
    at.press("table shields")
    at.pressed("buy roundel", lambda h: h["shield"] == "roundel")
    at.shot("shields")
    at.refused("buy buckler", "One shield")
    at.shot("one-shield")
    at.press("table armor")
    at.shot("armor")
    at.refused("buy full plate", "coin short")
    at.shot("too-dear")
    at.press("table items")
    at.shot("items")
    at.press("undo", "ctrl+z")
    at.bench("the shield back in the shop", lambda b: b["hero"]["shield"] is None)
    at.press("redo", "ctrl+y")
    at.bench("the shield again", lambda b: b["hero"]["shield"] == "roundel")
    at.press("table weapons")
    at.pressed("buy dagger", lambda h: "dagger" in h["weapons"])
    at.pressed("hold 1 dagger")
    at.shot("third-hand")
    at.pressed("first 1", lambda h: h["weapons"][0] == "dagger")
    at.pressed("sell 0 dagger", lambda h: "dagger" not in h["weapons"])
    at.shot("gear")

    at.page("Advance")
    at.shot("advance")
    at.page("Sheet")
    at.shot("sheet")
    at.press("png")
    at.bench("a PNG", lambda b: b["said"].endswith(".png"))
    at.press("pdf")
    written = at.bench("a PDF", lambda b: b["said"].endswith(".pdf"))["said"]
    assert Path(written.removeprefix("Written to ")).read_bytes().startswith(b"%PDF")
    at.shot("written")

    at.press("Copy")
    at.bench("two heroes", lambda b: len(b["heroes"]) == 2)
    at.shot("copied")
    at.press("Export")
    shared = at.bench("a file", lambda b: "shared" in b["said"])["said"].removeprefix("Written to ")
    at.shot("exported")
    at.press("Delete")
    at.scene("ask")
    at.shot("delete")
    at.press("go")
    at.bench("one hero", lambda b: len(b["heroes"]) == 1)
    at.press("Import")
    at.scene("import")
    at.write("path", shared)
    at.shot("import")
    at.press("Import", "Return")
    at.bench("two heroes again", lambda b: len(b["heroes"]) == 2)
    at.press("Import")
    at.scene("import")
    at.write("path", "/nowhere/there.json")
    at.press("Import", "Return")
    at.table.await_("why not", lambda s: any("No such file" in each for each in s["texts"]))
    at.shot("import-wrong")
    at.do("Back", "Escape")
    kept = json.loads(next((at.home / "heroes").glob("*.json")).read_text(encoding="utf-8"))
    assert kept["format"] == "battlemat-hero/1"
    at.hand.press("leave")
    at.scene("title")
    at.close()


@ways()
def test_a_crunchy_hero_with_refusals_and_steps_taken_back(sat: Sat, hand: str, size: str) -> None:
    at = sat(hand, size, "crunchy")
    at.open()
    at.scene("title")
    at.hand.press("Heroes")
    at.bench("an empty bench")
    at.press("new")
    at.press("begin Somebody else")
    at.write("name", "Old Tam")
    at.page("Stats")
    at.pressed("way crunchy", lambda h: h["build"]["way"] == "crunchy")
    at.shot("points")
    at.pressed("more savvy", lambda h: h["build"]["stats"]["savvy"] == 7)
    for _ in range(6):
        at.press("more savvy")
    at.bench("why not", lambda b: b["refused"])
    at.shot("too-much")
    for _ in range(4):
        at.press("undo", "ctrl+z")
    at.pressed("less finesse", lambda h: h["build"]["stats"]["finesse"] == 5)
    at.shot("less")
    at.page("Skills")
    at.shot("market")
    found = [w["key"] for w in at.table.now()["widgets"] if w["key"].startswith("bought set")]
    at.pressed(found[0])
    at.shot("set")
    at.pressed("bought skill Wizardry", lambda h: len(h["build"]["bought"]) == 2)
    at.shot("ranks")
    at.press("undo", "ctrl+z")
    at.press("redo", "ctrl+y")
    at.shot("redone")
    at.page("Magic")
    at.shot("magic")
    for key in [w["key"] for w in at.table.now()["widgets"] if w["key"].startswith("spells ")]:
        at.press(key)
        if at.bench("an answer")["refused"]:
            break
    at.shot("spells")
    at.close()


def hero_of(package: str, name: str, made: str, **fields: Any) -> Hero:
    """A hero by the book, ready to fight."""
    hero = making.set_package(making.fresh(name, made), package)
    if making.raises(hero):
        hero = making.set_journeyman(hero, making.candidates(hero)[0])
    return changed(hero, **fields)


def kept(at: AtTheBench, *heroes: Hero) -> None:
    """Heroes in the folder before the window opens."""
    for hero in heroes:
        (at.home / "heroes").mkdir(exist_ok=True)
        files.hand_out(hero, at.home / "heroes" / f"{hero.id}.json")


def camp(at: AtTheBench, what: str, ask: Callable[[dict[str, Any]], Any] = lambda camp: True) -> dict[str, Any]:
    """Wait until the camp is so."""
    found: dict[str, Any] = at.told(what, "camp", "camp", ask, 15)
    return found


def well(camp: dict[str, Any]) -> bool:
    """Whether everybody who lives has all hit points."""
    return all(now == most or now < 1 for now, most in camp["hp"].values())


@ways()
def test_a_fight_with_heroes_of_ones_own_and_the_camp_after_it(sat: Sat, hand: str, size: str) -> None:
    at = sat(hand, size, "fought")
    archer = hero_of("Ranger", "Pell", "pell-0001", weapons=["shortbow", "dagger"])
    wizard = hero_of("Wizard", "Ilse", "ilse-0001", weapons=["dagger"], spells=["ember bolt", "sleep"],
                     items=["healing draught"], mana=4, armor="leather")  # fmt: skip
    kept(at, archer, wizard)
    at.open()
    at.scene("title")
    at.hand.press("New fight")
    at.scene("choose")
    # Enter on what is chosen already begins, so the map is another first
    for key in ("hero warrior", "hero priest", "map tavern.tmx", "map crypt.tmx", "Clear the foes", "foe zombie"):
        at.press(key)
    at.shot("chosen")
    at.press("Begin")
    at.scene("fight")
    at.shot("begun")
    seat = Seat(at.table, at.hand, Sensible(), lambda name: at.shot(name.replace(" ", "-")))
    seat.play(400)
    at.shot("won")
    at.press("camp")
    pitched = camp(at, "a camp")
    at.shot("camp")
    while pitched["floor"]:  # one's own by one press, the others' thing by thing
        there = [w["key"] for w in at.table.now()["widgets"]]
        before = len(pitched["floor"])
        at.press("gather" if "gather" in there else next(k for k in there if k.startswith("loot ")))
        pitched = camp(at, "something gathered", lambda c, n=before: len(c["floor"]) < n or c["refused"])
        if pitched["refused"]:
            break
        at.shot("gathered")
    at.press("who ilse-0001")
    camp(at, "Ilse", lambda c: c["who"] == "ilse-0001")
    at.press("well")
    at.table.await_("a question, or all well", lambda s: s["scene"] == "ask" or well(s["more"]["camp"]))
    if at.table.now()["scene"] == "ask":  # the fight's dice are fresh: who is dying still is asked about first
        at.press("go")
    camp(at, "all well", well)
    at.shot("well")
    at.do("leave", "Escape")
    at.table.await_("the way out", lambda s: s["scene"] in ("ask", "summary"))
    if at.table.now()["scene"] == "ask":
        at.press("go")
    at.scene("summary")
    at.press("title")
    at.scene("title")
    at.hand.press("Heroes")
    at.bench("a story", lambda b: b["hero"]["history"])
    at.page("Advance")
    at.shot("story")
    at.close()


@ways()
def test_the_camp_saves_binds_and_rests(sat: Sat, hand: str, size: str) -> None:
    at = sat(hand, size, "camp")
    healer = hero_of("Priest", "Odo", "odo-0001", faith=1)
    bleeding = hero_of("Warrior", "Bran", "bran-0001", hp=0, conditions=["bleeding"])
    hurt = hero_of("Wizard", "Ilse", "ilse-0001", hp=4, mana=0, spells=["sleep"])
    kept(at, healer, bleeding, hurt)
    at.open()
    at.scene("title")
    at.hand.press("Heroes")
    at.bench("three", lambda b: len(b["heroes"]) == 3)
    at.press("camp")
    camp(at, "Bran first", lambda c: c["who"] == "bran-0001")
    at.shot("pitched")
    at.press("day")
    at.scene("ask")
    at.shot("let-die")
    at.do("stay", "Escape")
    for _ in range(8):
        if not [w for w in at.table.now()["widgets"] if w["key"] == "aid"]:
            break
        before = len(camp(at, "a camp")["story"])
        at.press("aid")
        told = camp(at, "an answer", lambda c, n=before: len(c["story"]) > n or c["refused"])
        if told["refused"]:
            break
    at.shot("aided")
    at.press("bind")
    camp(at, "an answer", lambda c: c["said"])
    at.shot("bound")
    at.press("rest comfortable")
    at.press("day")
    camp(at, "a day", lambda c: c["said"])
    at.shot("day")
    at.press("well")
    at.table.await_("an answer", lambda s: s["scene"] == "ask" or "recup" in s["more"].get("camp", {}).get("said", ""))
    at.shot("well")
    at.close()


@ways()
def test_the_bestiary_measures_against_the_party(sat: Sat, hand: str, size: str) -> None:
    at = sat(hand, size, "bestiary")
    kept(at, hero_of("Warrior", "Bran", "bran-0001", weapons=["broadsword"]))
    at.open()
    at.scene("title")
    at.hand.press("Bestiary")
    at.scene("bestiary")
    at.shot("open")

    def measured(name: str) -> None:
        at.table.await_(
            f"odds against {name}", lambda s: s["more"]["bestiary"][0] == name and s["more"]["bestiary"][2] >= 20, 90
        )

    for name in ("giant_spider", "troll", "grey_ooze", "great_hawk", "ember_dragon"):
        if at.keys:
            at.hand.type("slash")  # type: ignore[attr-defined]
            at.table.counted("keys", partial(at.table.tool, "type", "--delay", "12", name.split("_")[-1]), 4)
            at.hand.type("Return")  # type: ignore[attr-defined]
        else:
            at.press(f"creature {name}")
        measured(name)
        at.shot(name)
    at.press("count 2")
    measured("ember_dragon")
    at.press("hero bran-0001")
    measured("ember_dragon")
    at.shot("two-against-five")
    at.write("search", "poison")
    at.shot("search")
    at.do("back", "Escape")
    at.close()


@ways()
def test_the_rules_are_looked_up(sat: Sat, hand: str, size: str) -> None:
    at = sat(hand, size, "rules")
    at.open(record=party("crypt"))
    at.scene("fight")
    at.shot("fight")
    if at.keys:
        at.hand.type("F3")  # type: ignore[attr-defined]
    else:
        at.menu("Help")
        at.scene("help")
        at.shot("help")
        at.press("rules")
    at.scene("reference")
    at.shot("open")
    at.write("search", "ember bolt")
    at.table.await_("what is found", lambda s: s["more"].get("page"))
    at.shot("ember-bolt")
    at.write("search", "parry")
    at.table.await_("Parry", lambda s: s["more"].get("page") == "Parry")
    at.shot("parry")
    at.press("see 0")
    at.table.await_("another page", lambda s: s["more"].get("page") != "Parry")
    at.shot("reflexes")
    at.press("before", "alt+Left")
    at.table.await_("Parry again", lambda s: s["more"].get("page") == "Parry")
    at.do("Back", "Escape")
    at.close()

"""A hero's life in the real window: made, equipped, fought, healed, advanced, and the same hero after a restart."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from game.characters import files
from game.characters.olde import making
from game.characters.olde.model import Hero, block, pools
from game.content import encounter
from game.controllers.ai import AiController
from game.fight.match import Match
from tests.e2e.deeds import Actor, Deed, Scene, rehearsed, room
from tests.e2e.hands import Keyboard
from tests.e2e.preparing import seats
from tests.e2e.real_table import MARKS, ways
from tests.e2e.seat import Seat, Sensible
from tests.e2e.test_real_heroes import AtTheBench, camp, hero_of, kept

pytestmark = [*MARKS, pytest.mark.timeout(400)]
Sat = Callable[[str, str, str], AtTheBench]
sat = seats(AtTheBench)
FOES = ("goblin", "goblin")


def saved(at: AtTheBench) -> Hero:
    """The hero that was made; whoever fought beside it has a file, too."""
    (path,) = (at.home / "heroes").glob("hero-*.json")
    return files.load(path)


def chosen_of(at: AtTheBench, hero: str) -> None:
    """One of several heroes on the bench is looked at."""
    at.press(f"hero {hero}")
    at.bench("that hero", lambda b: b["hero"] and b["hero"]["id"] == hero)


def eventful(hero: Hero) -> int:
    """The first seed by which a hero, beside a warrior in the tavern, wins, is hurt and earns CP."""
    ai = AiController()
    for seed in range(1, 200):
        record = encounter.make_encounter("tavern", [hero.id, "warrior"], list(FOES), seed)
        match = Match.from_record(record)
        while match.decision is not None and len(match.record.commands) < 200:
            decision = match.decision
            seen = match.observe(decision.side)
            match.act(decision, ai.choose(match.ruleset, seen, decision, match.ruleset.legal(seen, decision)))
        end = match.ruleset.summary(match.state)["creatures"][hero.id]
        if match.over == "heroes" and end["cp"] and 0 < end["hp"] < pools(hero)["hp"][1] and not end["conditions"]:
            return seed
    raise AssertionError("no fight is like that")


def chosen(at: AtTheBench, seed: int) -> None:
    """A fight in the tavern against two goblins, with the first of the heroes and a warrior."""
    at.hand.press("New fight")
    at.scene("choose")
    for key in ("hero priest", "hero ranger", "map tavern.tmx", "Clear the foes", "foe goblin", "foe goblin"):
        at.press(key)
    at.press("Seed")
    digits = ["ctrl+a", *str(seed)]
    at.table.counted("keys", lambda: at.table.tool("key", "--clearmodifiers", "--delay", "8", *digits), len(digits))
    at.table.await_(f"the seed {seed}", lambda s: any(w["value"] == str(seed) for w in s["widgets"]))
    at.shot("chosen")


@ways()
def test_made_equipped_fought_healed_and_advanced_it_is_the_same_after_a_restart(
    sat: Sat, hand: str, size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = sat(hand, size, "life")
    monkeypatch.setenv("BATTLEMAT_HOME", str(at.home))
    at.open()
    at.scene("title")
    at.hand.press("Heroes")
    at.bench("an empty bench", lambda b: not b["heroes"])
    at.press("begin Warrior")
    at.write("name", "Mira")
    at.page("Stats")
    at.pressed("array 10 7 4 4", lambda h: h["build"]["stats"]["brawn"] == 10)
    at.page("Skills")
    at.pressed("journeyman Swords", lambda h: h["build"]["journeyman"] == "Swords")
    at.page("Equipment")
    at.pressed("buy greatsword", lambda h: "greatsword" in h["weapons"])
    at.table.await_("what too little Brawn costs", lambda s: any("Brawn short" in word for word in s["words"]))
    at.shot("brawn-short")
    purse = at.hero()["purse"]
    at.pressed("sell 0 greatsword", lambda h: not h["weapons"] and h["purse"] > purse)
    at.pressed("buy broadsword", lambda h: "broadsword" in h["weapons"])
    at.press("table armor")
    at.pressed("buy gambeson", lambda h: h["armor"] == "gambeson")
    at.shot("equipped")
    at.press("leave", "Escape")
    at.scene("title")

    chosen(at, eventful(saved(at)))
    at.press("Begin")
    at.scene("fight")
    assert Seat(at.table, at.hand, Sensible()).play(200) == "heroes"
    at.shot("won")
    at.press("camp")
    pitched = camp(at, "a camp")
    at.shot("camp")
    me = next(name for name in pitched["hp"] if "-" in name)
    assert pitched["hp"][me][0] < pitched["hp"][me][1]
    at.press("well")
    camp(at, "all well", lambda c: c["hp"][me][0] == c["hp"][me][1])
    at.shot("well")
    at.do("leave", "Escape")
    at.table.await_("the way out", lambda s: s["scene"] in ("ask", "summary"))
    if at.table.now()["scene"] == "ask":
        at.press("go")
    at.scene("summary")
    at.press("title")
    at.scene("title")
    at.hand.press("Heroes")
    chosen_of(at, saved(at).id)
    earned = at.bench("a story", lambda b: b["hero"]["history"] and b["hero"]["build"]["earned"])["hero"]["build"][
        "earned"
    ]
    at.page("Advance")
    at.shot("advance")
    offers = making.offers(saved(at), "advances", "skill")
    offer = next(o for o in offers if not o.refusal and o.cost <= earned)
    at.pressed(f"advances skill {offer.purchase.name}", lambda h: h["build"]["advances"])
    at.shot("advanced")
    before = at.hero()
    at.close()

    at.open()
    at.scene("title")
    at.hand.press("Heroes")
    chosen_of(at, before["id"])
    assert at.hero() == before == json.loads(saved(at).model_dump_json())
    at.page("Advance")
    at.shot("after-the-restart")
    at.close()


def shoots(match: Match, action: Any) -> bool:
    return action.do == "attack" and action.weapon == "shortbow"


@ways()
def test_arrows_that_were_shot_are_found_again_and_wounds_are_bound(sat: Sat, hand: str, size: str) -> None:
    at = sat(hand, size, "arrows")
    archer = hero_of("Ranger", "Pell", "pell-0001", weapons=["shortbow", "dagger"], ammunition=10)
    healer = hero_of("Priest", "Odo", "odo-0001", hp=5, bound=False)
    kept(at, archer, healer)
    rows = ["##############", *["#............#"] * 5, "##############"]
    heroes = [{**block(hero), "side": "heroes", "at": spot} for hero, spot in ((archer, [2, 3]), (healer, [2, 4]))]
    rat = {"id": "rat", "template": "giant_rat", "side": "monsters", "at": [9, 3]}
    deeds = [Deed("pell-0001", shoots, "shoots"), Deed("pell-0001", shoots, "shoots again")]
    record = rehearsed(room(rows, *heroes, rat), deeds, lambda match: match.over == "heroes")
    at.open(record=record)
    at.scene("fight")
    Actor(at, Scene(deeds)).act()
    at.scene("summary")
    at.shot("won")
    at.press("camp")
    camp(at, "arrows on the floor", lambda c: c["floor"])
    at.shot("camp")
    at.press("gather" if any(w["key"] == "gather" for w in at.table.now()["widgets"]) else "loot 0")
    told = camp(at, "a search", lambda c: any("looks for what was shot" in line for line in c["story"]))
    assert not told["floor"]
    at.shot("searched")
    at.press("who odo-0001")
    camp(at, "Odo", lambda c: c["who"] == "odo-0001")
    at.press("by pell-0001")
    at.press("bind")
    camp(at, "bound wounds", lambda c: any("binds Odo's wounds" in line for line in c["story"]))
    at.shot("bound")
    at.press("rest comfortable")
    at.press("care pell-0001")
    at.table.await_("what a day promises", lambda s: any("On the mend after a day" in word for word in s["words"]))
    at.shot("promised")
    at.press("day")
    camp(at, "a day with a caregiver", lambda c: any("Pell cares for Odo" in line for line in c["story"]))
    at.shot("cared-for")
    found = files.load(at.home / "heroes" / "pell-0001.json").ammunition
    assert 8 <= found <= 10, "two were shot; what was found is in the quiver again"
    at.do("leave", "Escape")
    at.close()


@ways()
def test_who_cannot_come_to_a_new_fight_is_shown_with_the_reason(sat: Sat, hand: str, size: str) -> None:
    at = sat(hand, size, "unready")
    kept(at, hero_of("Warrior", "Mira", "mira-0001", weapons=["broadsword"]),
         hero_of("Warrior", "Olaf", "olaf-0001", hp=0, conditions=["bleeding"]))  # fmt: skip
    at.open()
    at.scene("title")
    at.hand.press("New fight")
    at.scene("choose")
    olaf = at.widget("unready olaf-0001")
    assert not olaf["enabled"]
    assert "Olaf" in at.table.now()["words"] or olaf["label"] == "Olaf"
    at.shot("greyed")
    at.press("unready olaf-0001")
    at.table.await_("why not", lambda s: s["modal"] and "Olaf is bleeding: camp first." in s["texts"])
    at.shot("why")
    at.do("Back", "Escape")
    at.close()


def explained(at: AtTheBench) -> list[Any]:
    """The words that are explained and where they stand, once the log glides no more."""
    found: list[Any] = []
    while found != (found := at.table.now()["more"]["explained"]) or not found:
        time.sleep(0.3)
    return found


@ways()
def test_a_word_of_the_log_leads_to_its_rule(sat: Sat, hand: str, size: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the pointer on a word of the log, or the log in focus, F3 opens the page of the rules about it."""
    monkeypatch.setenv("WATCH_WORDS", "1")
    at = sat(hand, size, "log-rule")
    ada = {"id": "ada", "template": "warrior", "side": "heroes", "at": [5, 2]}
    gob = {"id": "gob", "template": "ogre", "side": "monsters", "at": [6, 2]}
    deeds = [Deed("ada", lambda match, action: action.do == "attack" and action.target == "gob", "strikes")]
    record = rehearsed(room(["##########", *["#........#"] * 4, "##########"], ada, gob), deeds)
    at.open(record=record)
    at.scene("fight")
    Actor(at, Scene(deeds)).act()
    if isinstance(at.hand, Keyboard):
        at.hand.type("F6")
        for _ in range(40):
            tip = at.table.now()["more"]["tip"]
            if tip and tip[2]:
                break
            at.hand.type("Tab")
    else:
        a, _, w, _ = at.table.fight()["free"]
        in_log = [spot for spot in explained(at) if spot[1] > a + w]
        assert in_log, "words of the log are explained"
        title, x, y = in_log[0]
        at.hand.point(x, y)  # type: ignore[attr-defined]
        at.table.await_(f"the rule of {title}", lambda s: s["more"]["tip"] and s["more"]["tip"][0] == title)
    at.shot("pointed")
    at.table.tool("key", "--clearmodifiers", "F3")
    at.scene("reference")
    page = at.table.await_("a page", lambda s: s["more"].get("page"))
    assert page
    at.shot("its-page")
    at.do("Back", "Escape")
    at.scene("fight")
    at.close()

"""A thousand random heroes with gear of their own choice, against the rulebook written down a second time."""

from __future__ import annotations

import random

import msgspec
import pytest

from game.characters.heroes import HeroError
from game.characters.olde import gear
from game.characters.olde.model import COINS, Hero, bill, block, carried, faults, unfit
from rules.contract.actions import Action
from tests.rules.olde import gear_law, hero_law
from tests.rules.olde.creatures import Fight, being
from tests.rules.olde.test_hero_law import core, crunchy

EACH = 500
FIGHTING = 4
"""Each fourth also strikes and is struck at."""
TABLES = {
    "weapons": sorted(gear_law.COST["weapons"]),
    "shields": sorted(gear_law.SHIELDS),
    "armor": sorted(gear_law.ARMOR),
}


def lawful(lot: random.Random, way: object) -> Hero:
    """A hero that the rulebook allows, made and advanced by chance."""
    while True:
        build = way(lot)  # type: ignore[operator]
        ok, _, _ = hero_law.judge(build.model_dump(mode="json"))
        if ok:
            return Hero(id="hero-1", name="A", build=build, purse=COINS + build.earned * 10)


def shopped(lot: random.Random, hero: Hero) -> tuple[Hero, int]:
    """The hero after some time in the shop, and what the rulebook says that is left in its purse."""
    purse = hero.purse
    for _ in range(lot.randrange(1, 9)):
        table = lot.choice(("weapons", "weapons", "shields", "armor"))
        name = lot.choice(TABLES[table])
        price = gear_law.COST[table][name]
        one_only = (table == "shields" and hero.shield) or (table == "armor" and hero.armor)
        try:
            hero = gear.buy(hero, table, name)
        except HeroError:
            assert one_only or price > purse, (table, name, purse)
            continue
        assert not one_only and price <= purse
        purse -= price
        if lot.random() < 0.15:
            table, name = lot.choice([each for each in carried(hero) if each[0] != "items"])
            hero = gear.sell(hero, table, name)
            purse += gear_law.COST[table][name] // 2
    return hero, purse


def handed(lot: random.Random, hero: Hero) -> Hero:
    """The hero with something else in hand, never more than two hands hold."""
    for name in lot.sample([*hero.weapons, *([hero.shield] if hero.shield else [])], len(hero.weapons)):
        held = gear.in_hand(hero)
        try:
            hero = gear.hold(hero, name)
        except HeroError:
            assert gear_law.hands((*held, name)) > 2 or (name in gear_law.SHIELDS)
    return hero


def strikes(hero: Hero, bearer: gear_law.Bearer) -> int:
    """Hold every blow and shot that the hero could make to the rulebook; how many there were."""
    seen = 0
    for weapon in dict.fromkeys(bearer.held):
        if weapon in gear_law.SHIELDS:
            continue
        for far in (1, 3):
            entry = {**block(hero), "id": "a", "side": "heroes", "at": [1, 1]}
            table = Fight(entry, being("b", (1 + far, 1), finesse=1, weapons=[]), throws=None)
            figures = list(table.now.figures)
            figures[0] = msgspec.structs.replace(figures[0], ap=3, ap_start=3)
            now = msgspec.structs.replace(table.now, figures=tuple(figures))
            odds = table.rules.odds(now, Action("a", "attack", target="b", weapon=weapon))
            if odds is None:
                continue
            melee = far == 1 and weapon in gear_law.MELEE
            skills = (gear_law.MELEE if melee else gear_law.RANGED).get(weapon, {})
            if far == 3 and not skills:
                continue  # a pike reaches there; it is seen from near
            sums = {to: sum(a.value for a in odds.adjustments if a.to == to) for to in ("attack", "damage", "defense")}
            beside = -2 if far == 1 and not melee else 0
            allowed = [bearer.strike(weapon, skill) for skill in skills]
            assert (int(odds.attack_dice[2:].rstrip("!")), sums["attack"] - beside, sums["damage"]) in [
                (rank, attack, damage) for rank, attack, _, damage in allowed
            ], (weapon, far, odds.attack_dice, sums, allowed, bearer.held)
            best = max(rank + attack for rank, attack, _, _ in allowed)
            assert int(odds.attack_dice[2:].rstrip("!")) + sums["attack"] - beside == best, (weapon, allowed)
            seen += 1
    return seen


def guards(hero: Hero, bearer: gear_law.Bearer) -> None:
    """Hold its Defense to the rulebook, as somebody who strikes at it finds it."""
    entry = {**block(hero), "id": "a", "side": "heroes", "at": [1, 1]}
    table = Fight(entry, being("b", (2, 1), weapons=["dagger"], finesse=12), throws=None)
    figures = list(table.now.figures)
    figures[1] = msgspec.structs.replace(figures[1], ap=3, ap_start=3)
    chance = msgspec.structs.replace(table.now.chance, who=1)
    now = msgspec.structs.replace(table.now, figures=tuple(figures), chance=chance)
    odds = table.rules.odds(now, Action("b", "attack", target="a", weapon="dagger"))
    assert odds is not None
    rank, added = bearer.guard()
    assert odds.defense_dice == f"2d{rank}!"
    assert sum(a.value for a in odds.adjustments if a.to == "defense") == added


@pytest.mark.parametrize("way", [core, crunchy])
def test_a_thousand_heroes_shop_and_arm_as_the_rulebook_says(way: object) -> None:
    lot, seen, short = random.Random(f"gear {way.__name__}"), 0, 0  # type: ignore[attr-defined]
    for number in range(EACH):
        hero, purse = shopped(lot, lawful(lot, way))
        assert hero.purse == purse, number
        hero = handed(lot, hero)
        held = gear.in_hand(hero)
        assert gear_law.hands(held) <= 2
        assert faults(hero) == () and unfit(hero) == "", (number, hero, faults(hero))
        made = bill(hero)
        bearer = gear_law.Bearer(made.stats.model_dump(), made.ranks, held, hero.armor)
        told = " ".join(n.text for table, name in carried(hero) for n in gear.notes(hero, table, name))
        short += bool(bearer.heavy_armor or bearer.heavy_shield)
        if bearer.heavy_armor:
            assert f"{bearer.heavy_armor} Brawn short: Finesse dice d{bearer.finesse_die}" in told
        if bearer.heavy_shield:
            assert f"{bearer.heavy_shield} Brawn short: −{bearer.heavy_shield} on every Brawn and Finesse" in told
        if not number % FIGHTING:
            seen += strikes(hero, bearer)
            guards(hero, bearer)
    assert seen > EACH // FIGHTING // 2 and short > EACH // 10, (seen, short)

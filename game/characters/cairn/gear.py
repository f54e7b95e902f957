"""What a hero of Cairn carries: market, slots, hands, what is left behind or given away (cairn.md §4 Slots, §5)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from game.characters import files
from game.characters.cairn import making, model
from game.characters.cairn.model import Hero, changed, entries, price, slots, worth
from game.characters.heroes import Entry, HeroError
from game.characters.pages import Came
from rules.cairn import statblock
from rules.cairn.creation import characters, followers
from rules.cairn.gear import SLOTS
from rules.contract.errors import BattlematError
from rules.contract.text import joined, text, titled

TABLES = {"weapons": "Weapons", "armour": "Armour", "gear": "Useful gear", "keepsakes": "Tools and goods",
          "beasts": "Beasts and carts", "hirelings": "Hirelings"}  # fmt: skip
"""Shelves of the market."""
TRANSPORT: Mapping[str, tuple[int, int]] = {"cart": (30, 4), "wagon": (200, 8)}
"""What is pulled: price and slots."""
CALLED: Mapping[str, str] = {"cart": text("Cart"), "wagon": text("Wagon"), "burial wagon": text("Burial wagon")}
"""What it is called where it is shown."""


@cache
def sold(table: str) -> dict[str, Entry]:
    """What a shelf of the market has, by name: things with a price."""
    return {name: entry for name, (where, entry) in entries().items() if where == table and entry.get("cost")}


def told(item: str) -> str:
    """An item's figures in a line."""
    if item not in entries():
        return text("treasure worth {worth}", model.worth(item)) if model.known(item) else "not in these rules"
    table, entry = entries()[item]
    parts: list[str] = []
    if table == "weapons":
        dice = "+".join(f"d{die}" for die in entry["dice"])
        parts.append(text("{dice}, area", dice) if entry.get("blast") else dice)
        if entry.get("hands", 1) == 2:
            parts.append("two hands")
        if entry.get("reach", 1) > 1:
            parts.append(text("reach {spaces}", entry["reach"]))
        if entry.get("near"):
            parts.append(text("range {near}/{far}", int(entry["near"]), int(entry.get("far", 0))))
    elif table == "armour":
        parts.append(text("Armor +{armor}" if entry.get("stacks") else "Armor {armor}", entry["armor"]))
    if count := model.charges(item):
        parts.append(text("{count} uses", count) if count > 1 else "one use")
    size = {0: "petty", 1: "", 2: "bulky"}.get(slots(item), "")
    parts += [size] if size else []
    if power := model.armoury().powers.get(str(entry.get("power", ""))):
        parts.append(power.text)
    elif entry.get("text"):
        parts.append(str(entry["text"]))
    return joined(" · ", parts)


def fits(hero: Hero, item: str) -> str:
    """Why there is no room for it; empty if there is."""
    free = model.room(hero) - model.filled(hero)
    wrong = "{item} fills {needed}, and {free} of {room} slots are free."
    return text(wrong, titled(item), slots(item), max(0, free), model.room(hero)) if slots(item) > free else ""


def refusal(hero: Hero, item: str) -> str:
    """Why it can't be bought; empty if it can."""
    return _dear(hero, price(item)) or fits(hero, item)


def _dear(hero: Hero, cost: int) -> str:
    wrong = "{short} gold short: it costs {cost}, the purse holds {gold}."
    return text(wrong, cost - hero.gold, cost, hero.gold) if cost > hero.gold else ""


def buy(hero: Hero, item: str) -> Hero:
    """Pay for something and carry it. Raises HeroError for what can't be bought."""
    if why := refusal(hero, item):
        raise HeroError(why)
    return changed(hero, items=(*hero.items, item), gold=hero.gold - price(item))


def its_own(hero: Hero, item: str) -> str:
    """Why a hireling does not part with a thing that it brought; empty where it may be had."""
    kind = model.follower(hero)
    kept = kind is not None and hero.items.count(item) <= kind.items.count(item)
    return text("The {item} is {name}'s own.", item, hero.name) if kept else ""


def sell(hero: Hero, item: str) -> Hero:
    """Give something away for what it brings. Raises HeroError for a hireling's own."""
    if why := its_own(hero, item):
        raise HeroError(why)
    return changed(leave(hero, item), gold=hero.gold + worth(item))


def leave(hero: Hero, item: str) -> Hero:
    """Carry it no more. Raises HeroError for what isn't carried."""
    if item not in hero.items:
        raise HeroError("{name} has no {item}", hero.name, item)
    rest = list(hero.items)
    rest.remove(item)
    used = {name: count for name, count in hero.used.items() if name != item or item in rest}
    ready = None if hero.ready is None else tuple(name for name in hero.ready if name in rest)
    return changed(hero, items=rest, used=used, ready=ready)


def take(hero: Hero, item: str) -> Hero:
    """Carry something more. Raises HeroError where there is no room for it."""
    if why := fits(hero, item):
        raise HeroError(why)
    return changed(hero, items=(*hero.items, item))


def stow(hero: Hero, item: str) -> Hero:
    """Leave it at home."""
    return changed(leave(hero, item), home=(*hero.home, item))


def fetch(hero: Hero, item: str) -> Hero:
    """Take it from home."""
    rest = list(hero.home)
    rest.remove(item)
    return changed(take(hero, item), home=rest)


def give(hero: Hero, item: str, to: str) -> Came:
    """Hand it over to another hero, who is written at once. Raises HeroError where there is no room."""
    other = files.find(to)
    if not isinstance(other, Hero) or other.id == hero.id:
        raise HeroError("Whom shall it go to?")
    if why := its_own(hero, item):
        raise HeroError(why)
    left = dict(hero.used).get(item, 0)
    other = take(other, item)
    if left and other.items.count(item) == 1:
        other = changed(other, used={**other.used, item: left})
    return Came(leave(hero, item), text("{other} has the {item} now.", other.name, item), (other,))


def in_hand(hero: Hero) -> tuple[str, ...]:
    """What it holds when a fight begins; beasts hold nothing."""
    if (kind := model.follower(hero)) is not None and kind.dice:
        return ()
    if hero.ready is not None:
        return hero.ready
    weapons = [each for each in hero.items if each in model.armoury().weapons]
    shields = [each for each in hero.items if (piece := model.armoury().armor.get(each)) and piece.hands]
    held = tuple(weapons[:1])
    both = shields and sum(model.armoury().weapons[each].hands for each in held) < 2
    return (*held, shields[0]) if both else held


def held_at_all(item: str) -> bool:
    """Whether it is something to hold in a fight."""
    piece = model.armoury().armor.get(item)
    gear = model.armoury().gear.get(item)
    return item in model.armoury().weapons or bool(piece and piece.hands) or bool(gear and gear.kind == "book")


def hold(hero: Hero, item: str) -> Hero:
    """Take something into the hand for the start of fights, or put it away. Raises HeroError for a third hand."""
    held = list(in_hand(hero))
    if item in held:
        held.remove(item)
        return changed(hero, ready=held)
    if (needed := statblock.hands_taken(model.armoury(), (*held, item))) > 2:
        wrong = "{things} need {needed} hands: put something away first."
        raise HeroError(wrong, joined(", ", [*held, item]), needed)
    return changed(hero, ready=(*held, item))


def first(hero: Hero, item: str) -> Hero:
    """To the head of the list: the first weapon is what it fights with."""
    rest = list(hero.items)
    rest.remove(item)
    return changed(hero, items=(item, *rest))


def left_of(hero: Hero, item: str) -> str:
    """How often a thing with charges can still be used, in words; empty for one without."""
    count = model.charges(item)
    if not count:
        return ""
    return text("{left} of {count} left", count - dict(hero.used).get(item, 0), count)


# -- followers ---------------------------------------------------------------------------------------------


def buy_transport(hero: Hero, name: str) -> Hero:
    """A cart or a wagon."""
    if why := _dear(hero, TRANSPORT[name][0]):
        raise HeroError(why)
    return changed(hero, transport=(*hero.transport, name), gold=hero.gold - TRANSPORT[name][0])


def hire_refusal(hero: Hero, kind: str) -> str:
    """Why nobody of that kind comes along; empty if somebody does."""
    found = model.book().followers[kind]
    return _dear(hero, found.cost or found.wage)


def hire(hero: Hero, kind: str) -> Came:
    """The first day's wage, or the price of a beast, and who comes along: thrown, and on the shelf at once."""
    if why := hire_refusal(hero, kind):
        raise HeroError(why)
    found = followers.follower(model.book(), kind)
    came = making.hired(kind, files.new_id(kind))
    scores = text("STR {strength}, DEX {dexterity}, WIL {willpower}, {hp} HP", came.strength, came.dexterity,
                  came.willpower, came.hp_max)  # fmt: skip
    told_ = text("{kind} comes along: {scores}.", kind, scores)
    return Came(changed(hero, gold=hero.gold - (found.cost or found.wage)), told_, (came,))


def companions(hero: Hero) -> list[str]:
    """Who came with its background and is not on the shelf yet."""
    if hero.making is None:
        return []
    wanted = list(characters.begins(hero.making, model.book()).followers)
    there = [each.kind for each in files.shelf().heroes.values() if isinstance(each, Hero) and not each.pc]
    return [kind for kind in wanted if kind not in there]


def bring(hero: Hero, kind: str) -> Came:
    """A companion of its background comes onto the shelf."""
    came = making.hired(kind, files.new_id(kind))
    found = model.book().followers[kind]
    if kind == "Living Nightmare":  # it has the scores of whom it lives in
        came = changed(came, strength=hero.strength, dexterity=hero.dexterity, willpower=hero.willpower,
                       hp_max=hero.hp_max)  # fmt: skip
    elif kind == "Werewolf Shape":
        came = changed(came, willpower=hero.willpower)
    return Came(hero, text("{kind} stands beside {name}: {told}", kind, hero.name, found.text), (came,))


__all__ = ["SLOTS", "BattlematError"]

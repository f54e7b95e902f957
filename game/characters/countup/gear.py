"""Buying, selling and mending; what is in hand; what a piece comes to (countup.md §9.3)."""

from __future__ import annotations

from typing import NamedTuple

from game.characters.countup import model
from game.characters.countup.model import QUIVER, Hero, carried, changed, prices, unlearnt
from game.characters.heroes import Entry, HeroError
from rules.contract.text import joined, text
from rules.core.dice import signed
from rules.countup.gear import COPPER

RESALE = 2
"""Used gear brings its price divided by this, rounded down; so much a smith takes to mend a shield (ours)."""
BUNDLE = 20
"""Copper pieces for twenty arrows, bolts or stones (ours)."""


class Note(NamedTuple):
    """A consequence of carrying something: in words, and whether it hurts."""

    text: str
    bad: bool = False


def money(copper: int) -> str:
    """A sum as people say it: `26 sp`, `5 cp`, `2 sp 5 cp`."""
    silver, left = divmod(copper, 10)
    if silver and left:
        return text("{silver} sp {left} cp", silver, left)
    return text("{n} sp", silver) if silver else text("{n} cp", left)


def cost(table: str, name: str) -> int:
    """Price in copper pieces. Raises HeroError for what isn't sold."""
    found = prices()[table].get(name)
    if found is None:
        raise HeroError("{name}: is not among the {table}", name, table)
    return int(found.get("cost", 0))


def worth(name: str) -> int:
    """Copper pieces that it brings when sold: half the price of gear, all that treasure is worth."""
    sold = model.armoury().sold(name)
    return sold.cost // RESALE if sold is not None else COPPER * model.armoury().worth(name)


def usable(name: str) -> str:
    """The table to which something in the pack belongs when it is taken into use; empty: it stays in the pack."""
    return next((table for table in ("weapons", "shields", "armour") if name in prices()[table]), "")


def use(hero: Hero, name: str) -> Hero:
    """Take something out of the pack into use. Raises HeroError where there is no place for it, or no skill with it."""
    table = usable(name)
    if not table or name not in hero.items:
        raise HeroError("{name} has no {name2} to take into use", hero.name, name)
    if why := unlearnt(hero, table, name):
        raise HeroError("{why}.", why)
    return take(leave(hero, "gear", name), table, name)


def refusal(hero: Hero, table: str, name: str) -> str:
    """Why it can't be bought; empty if it can."""
    if table == "shields" and hero.shield:
        return text("One shield is carried: sell the {shield} first.", hero.shield)
    if table == "armour" and hero.armour:
        return text("One suit is worn: sell the {armour} first.", hero.armour)
    return _too_dear(hero, cost(table, name))


def _too_dear(hero: Hero, price: int) -> str:
    wrong = "It costs {price}; the purse holds {purse}."
    return text(wrong, money(price), money(hero.purse)) if price > hero.purse else ""


def buy(hero: Hero, table: str, name: str) -> Hero:
    """Pay for something and carry it. Raises HeroError for what can't be bought."""
    if why := refusal(hero, table, name):
        raise HeroError(why)
    return changed(take(hero, table, name), purse=hero.purse - cost(table, name))


def take(hero: Hero, table: str, name: str) -> Hero:
    """Carry something more. Raises HeroError where there is no place for it."""
    field = {"weapons": "weapons", "gear": "items", "shields": "shield", "armour": "armour"}[table]
    if table in ("weapons", "gear"):
        return changed(hero, **{field: (*getattr(hero, field), name)})
    if getattr(hero, field):
        raise HeroError("{name} has a {field} already", hero.name, getattr(hero, field))
    return changed(hero, **{field: name})


def leave(hero: Hero, table: str, name: str) -> Hero:
    """Carry it no more. Raises HeroError for what isn't carried."""
    if (table, name) not in carried(hero):
        raise HeroError("{name} has no {name2}", hero.name, name)
    if table == "shields" and hero.shield != name:
        return changed(hero, broken=_without(hero.broken, name))
    if table in ("shields", "armour"):
        return changed(hero, **{"shield" if table == "shields" else "armour": None})
    field = "weapons" if table == "weapons" else "items"
    hero = changed(hero, **{field: _without(getattr(hero, field), name)})
    if hero.ready is not None and hero.ready not in hero.weapons:
        hero = changed(hero, ready=None)
    return hero if lamps(hero).get(hero.lamp) or not hero.lamp else changed(hero, lamp="")


def _without(things: tuple[str, ...], name: str) -> list[str]:
    left = list(things)
    left.remove(name)
    return left


def sell(hero: Hero, table: str, name: str) -> Hero:
    """Give something away for what it brings. Raises HeroError for what isn't carried."""
    return changed(leave(hero, table, name), purse=hero.purse + worth(name))


def discard(hero: Hero, name: str) -> Hero:
    """Let a broken shield go. Raises HeroError for what isn't carried."""
    if name not in hero.broken:
        raise HeroError("{name} has no {name2}", hero.name, name)
    return changed(hero, broken=_without(hero.broken, name))


def mend_cost(name: str) -> int:
    """What a smith takes for a broken shield."""
    return cost("shields", name) // RESALE


def mend(hero: Hero, name: str) -> Hero:
    """Have a broken shield made whole. Raises HeroError where the purse is too light, or another shield is carried."""
    if name not in hero.broken:
        raise HeroError("{name} has no broken {name2}", hero.name, name)
    if hero.shield:
        raise HeroError("One shield is carried: sell the {shield} first.", hero.shield)
    if why := _too_dear(hero, mend_cost(name)):
        raise HeroError(why)
    return changed(hero, broken=_without(hero.broken, name), shield=name, purse=hero.purse - mend_cost(name))


def refill_cost(hero: Hero) -> int:
    """Copper for a full quiver; 0 if nothing is missing, or there is nothing to shoot with."""
    return -(-BUNDLE * (QUIVER - hero.ammunition) // QUIVER) if model.shoots(hero) else 0


def refill(hero: Hero) -> Hero:
    """Buy what is missing in the quiver. Raises HeroError where nothing is, or the purse is too light."""
    price = refill_cost(hero)
    if not price:
        raise HeroError("The quiver is full." if model.shoots(hero) else "There is nothing to shoot with.")
    if why := _too_dear(hero, price):
        raise HeroError(why)
    return changed(hero, ammunition=QUIVER, purse=hero.purse - price)


def hold(hero: Hero, name: str) -> Hero:
    """Have a weapon in hand when a fight begins. Raises HeroError for one that isn't carried."""
    if name not in hero.weapons:
        raise HeroError("{name} has no {name2}", hero.name, name)
    return changed(hero, ready=None if name == hero.weapons[0] else name)


def in_hand(hero: Hero) -> str:
    """The weapon in hand when a fight begins; empty: bare hands."""
    return hero.ready or next(iter(hero.weapons), "")


def lamps(hero: Hero) -> dict[str, str]:
    """Lights that it carries: what burns -> the thing."""
    gear = prices()["gear"]
    found = {str(gear[name]["lamp"]): name for name in hero.items if gear.get(name, {}).get("lamp")}
    return found | ({"torch": "torch"} if "torch" in hero.weapons else {})


def light(hero: Hero, lamp: str) -> Hero:
    """Have a light burn when a fight begins, or none. Raises HeroError for one that isn't carried."""
    if lamp and lamp not in lamps(hero):
        raise HeroError("{name} has no {lamp} to light", hero.name, lamp)
    return changed(hero, lamp=lamp)


# -- in words ----------------------------------------------------------------------------------------------


def notes(hero: Hero, table: str, name: str) -> tuple[Note, ...]:
    """What carrying or using it means to this hero."""
    found = [Note(why, True)] if (why := unlearnt(hero, table, name)) else []
    entry = prices()[table].get(name, {})
    asks, has = int(entry.get("strength", 0)), model.made(hero).abilities["strength"].whole
    if table == "weapons" and asks > has:
        found.append(Note(text("Lists ask for strength {asks}; nothing in a fight hangs on it.", asks)))
    return tuple(found)


def told(hero: Hero, table: str, name: str) -> str:
    """A piece's figures in a line, in this hero's hands."""
    entry = prices()[table].get(name)
    if entry is None:
        other = usable(name) if table == "gear" else ""
        return told(hero, other, name) if other else "treasure" if table == "gear" else ""
    if table == "weapons":
        return _weapon(hero, name)
    if table == "shields":
        return text("+{defence} defence · DR {reduction}", entry["defence"], entry["reduction"])
    if table == "armour":
        words = "DR {reduction} · defence {defence} · initiative {initiative} · speed {speed}"
        kept = (signed(entry.get(each, 0)) for each in ("defence", "initiative", "speed"))
        return text(words, entry["reduction"], *kept)
    return _thing(entry)


def _weapon(hero: Hero, name: str) -> str:
    weapon = model.armoury().weapons[name]
    hands = " · two hands" if weapon.hands == 2 else ""
    damage = weapon.damage + (signed(bonus) if (bonus := model.made(hero).damage) and not weapon.ranged else "")
    if weapon.ranged:
        return text("{damage} · to {far} ft{hands}", damage, weapon.brackets[-1], hands)
    speed = weapon.speed + model.made(hero).speed
    jab = text(" ({jab})", weapon.jab + model.made(hero).speed) if weapon.jab else ""
    words = "{damage} · speed {speed}{jab} · reach {reach} ft{hands}"
    return text(words, damage, speed, jab, f"{weapon.reach:g}", hands)


def _thing(entry: Entry) -> str:
    if entry.get("lamp"):
        return "gives light"
    if tools := entry.get("tools"):
        return text("for {tools}", joined(", ", tools))
    return ""

"""Buying and selling, what fits into two hands, and what every point of Brawn too few costs (olde.md §6)."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from game.characters.heroes import Entry, HeroError
from game.characters.olde import model
from game.characters.olde.model import RULESET, Hero, bill, carried, changed
from game.content import tables as content
from rules.contract.text import joined, text, titled
from rules.core.dice import signed
from rules.olde.magic.casting import against_words, effect_words, manner_words
from rules.olde.magic.models import grimoire_of
from rules.olde.magic.spells import POOLS, Grimoire, ItemKind
from rules.olde.skills import TRAINED_ONLY, adjustment
from rules.olde.statblock import hands_needed


@cache
def _grimoire() -> Grimoire:
    return grimoire_of(content.tables(RULESET))


def spell_told(hero: Hero, name: str) -> str:
    """What a spell or blessing does in this hero's hands: `1d9!+3 damage; against Defense; range 10, gesture`."""
    if (spell := _grimoire().spells.get(name)) is None:
        return "not in these rules"
    rank = getattr(model.stats(hero), POOLS[spell.pool].stat)
    return titled(joined("; ", filter(None, (effect_words(spell, rank), against_words(spell), manner_words(spell)))))


def item_told(name: str) -> str:
    """What a potion, scroll or device does, whoever uses it: its maker's stat is rolled."""
    if (item := _grimoire().items.get(name)) is None:
        return "not in these rules"
    against = "" if item.kind is ItemKind.POTION else against_words(item.spell)
    told = text("{kind}, 3/Only", item.kind), effect_words(item.spell, item.rank), against, manner_words(item.spell)
    return titled(joined("; ", filter(None, told)))


RESALE = 2
"""Used gear brings its price divided by this, rounded down (ours)."""

ARROWS_A_COIN = 4
"""Arrows, bolts or stones for a coin (ours)."""


class Note(NamedTuple):
    """A consequence of carrying something: in words, and whether it hurts."""

    text: str
    bad: bool = False


def cost(table: str, name: str) -> int:
    """Price in coin. Raises HeroError for what isn't sold."""
    found = model.prices()[table].get(name)
    if found is None:
        raise HeroError("{name}: is not among the {table}", name, table)
    return int(found.get("cost", 0))


def worth(table: str, name: str) -> int:
    """What it brings when sold."""
    return cost(table, name) // RESALE if name in model.prices()[table] else 0


def load(hero: Hero) -> int:
    """The sizes of all that is carried, added up."""
    return sum(int(model.prices()[table].get(name, {}).get("size", 0)) for table, name in carried(hero))


def refusal(hero: Hero, table: str, name: str) -> str:
    """Why it can't be bought; empty if it can."""
    if table == "shields" and hero.shield:
        return text("One shield is carried: sell the {shield} first.", hero.shield)
    if table == "armor" and hero.armor:
        return text("One suit is worn: sell the {armor} first.", hero.armor)
    return _too_dear(hero, cost(table, name))


def _too_dear(hero: Hero, price: int) -> str:
    wrong = "{short} coin short: it costs {name}, the purse holds {purse}."
    return text(wrong, price - hero.purse, price, hero.purse) if price > hero.purse else ""


def buy(hero: Hero, table: str, name: str) -> Hero:
    """Pay for something and carry it. Raises HeroError for what can't be bought."""
    if why := refusal(hero, table, name):
        raise HeroError(why)
    return changed(take(hero, table, name), purse=hero.purse - cost(table, name))


def take(hero: Hero, table: str, name: str) -> Hero:
    """Carry something more. Raises HeroError where there is no place for it."""
    if table in ("weapons", "items"):
        return changed(hero, **{table: (*getattr(hero, table), name)})
    field = "shield" if table == "shields" else "armor"
    if getattr(hero, field):
        raise HeroError("{name} has a {field} already", hero.name, getattr(hero, field))
    return changed(hero, **{field: name})


def leave(hero: Hero, table: str, name: str) -> Hero:
    """Carry it no more. Raises HeroError for what isn't carried."""
    if (table, name) not in carried(hero):
        raise HeroError("{name} has no {name2}", hero.name, name)
    if table in ("weapons", "items"):
        left = list(getattr(hero, table))
        left.remove(name)
        hero = changed(hero, **{table: left})
    else:
        hero = changed(hero, **{"shield" if table == "shields" else "armor": None})
    return hero if hero.ready is None else changed(hero, ready=model.still_held(hero, hero.ready))


def sell(hero: Hero, table: str, name: str) -> Hero:
    """Give something away for half its price. Raises HeroError for what isn't carried."""
    return changed(leave(hero, table, name), purse=hero.purse + worth(table, name))


def refill_cost(hero: Hero) -> int:
    """Coin for a full quiver: one for every ARROWS_A_COIN that are missing or a part of that; 0 if none is."""
    return -(-(model.QUIVER - hero.ammunition) // ARROWS_A_COIN) if model.missiles(hero) else 0


def refill(hero: Hero) -> Hero:
    """Buy what is missing in the quiver. Raises HeroError where nothing is, or the purse is too light."""
    price = refill_cost(hero)
    if not price:
        raise HeroError("The quiver is full." if model.missiles(hero) else "There is nothing to shoot with.")
    if why := _too_dear(hero, price):
        raise HeroError(why)
    return changed(hero, ammunition=model.QUIVER, purse=hero.purse - price)


def in_hand(hero: Hero) -> tuple[str, ...]:
    """What it holds when a fight begins."""
    if hero.ready is not None:
        return hero.ready
    known = model.armoury()
    held: tuple[str, ...] = tuple(name for name in hero.weapons[:1] if name in known.weapons)
    if hero.shield in known.shields and hands_needed(known, held) < 2:
        held += (hero.shield,)
    return held


def hold(hero: Hero, name: str) -> Hero:
    """Take something into the hand for the start of fights, or put it away. Raises HeroError for a third hand."""
    held = list(in_hand(hero))
    if name in held:
        held.remove(name)
        return changed(hero, ready=held)
    needed = hands_needed(model.armoury(), (*held, name))
    if needed > 2:
        raise HeroError("{join} need {needed} hands: put something away first.", joined(", ", [*held, name]), needed)
    if name in model.armoury().shields and any(item in model.armoury().shields for item in held):
        raise HeroError("One shield is enough.")
    return changed(hero, ready=(*held, name))


# -- consequences ------------------------------------------------------------------------------------------


def notes(hero: Hero, table: str, name: str) -> tuple[Note, ...]:
    """What carrying or using it means to this hero; of several ways to use a weapon, those that it has learnt."""
    entry = model.prices()[table].get(name)
    if entry is None:
        return ()
    brawn = model.stats(hero).brawn
    if table == "weapons":
        trained = [mode for mode in entry["modes"] if mode["skill"] in bill(hero).ranks]
        return tuple(note for mode in trained or entry["modes"] for note in _mode(hero, mode, brawn))
    if table == "shields":
        return _shield(hero, entry, brawn)
    short, rank = entry.get("brawn", 0) - brawn, model.stats(hero).finesse
    if table != "armor" or short <= 0:
        return ()
    words = (
        "{short} Brawn short: Finesse dice d{max} instead of d{rank} (AP and Defense too), −{short} "
        "on every Brawn check"
    )
    return (Note(text(words, short, max(1, rank - short), rank), True),)


def _shortage(what: str, short: int) -> Note:
    return Note(text("{what}{short} Brawn short: −{short} attack and damage", what, short), True)


def _mode(hero: Hero, mode: Entry, brawn: int) -> list[Note]:
    found = []
    skill, ranks = mode["skill"], bill(hero).ranks
    if mode["kind"] == "melee":
        for key, grip in (("one_hand", "one-handed, "), ("two_hands", "two-handed, ")):
            if (mode.get(key) or 0) > brawn:
                found.append(_shortage(text("{skill}, {grip}", skill, grip), mode[key] - brawn))
    elif mode.get("brawn", 0) > brawn:
        found.append(_shortage(text("{skill}, ", skill), mode["brawn"] - brawn))
    if (reset := mode.get("brawn_reset")) is not None and reset > brawn:
        found.append(Note(text("Reset takes 3 AP, from Brawn {reset} on 1", reset), True))
    if skill not in ranks and skill in TRAINED_ONLY:
        found.append(Note(text("{skill}: nobody can use it untrained", skill), True))
    elif skill not in ranks:
        found.append(Note(text("No {skill}: {signed} attack", skill, signed(adjustment(None, skill))), True))
    return found


def _shield(hero: Hero, entry: Entry, brawn: int) -> tuple[Note, ...]:
    found = []
    if (short := entry["brawn"] - brawn) > 0:
        words = "{short} Brawn short: −{short} on every Brawn and Finesse check, attack and Defense too"
        found.append(Note(text(words, short), True))
    ranks = bill(hero).ranks
    if "Shields" not in ranks:
        found.append(Note("No Shields: no Shield Block, and the skill adds nothing", True))
    if entry["spell"] and any(gift in ranks for gift in ("Wizardry", "Faith")):
        found.append(Note(text("Spells with a gesture {signed}", signed(entry["spell"])), True))
    return tuple(found)


def told(table: str, entry: Entry) -> str:
    """An entry's figures in a line."""
    if table == "weapons":
        return joined(" · ", dict.fromkeys(_told_mode(mode) for mode in entry["modes"]))
    if table == "shields":
        words, spell = "Defense +{entry} · Brawn {entry2} · spells {signed}", signed(entry["spell"])
        return text(words, entry["defense"], entry["brawn"], spell)
    if table == "armor":
        words = "{entry} · damage −{entry2} · Brawn {entry3}"
        return text(words, entry["category"], entry["reduction"], entry["brawn"])
    return item_told(str(entry["name"]))


def _told_mode(mode: Entry) -> str:
    if mode["kind"] == "melee":
        near, far = mode.get("reach", (0, 1))
        reach = text("reach {near}–{far}", near, far) if near != far else text("reach {far}", far)
        grips = [str(mode[k]) for k in ("one_hand", "two_hands") if mode.get(k) is not None]
        return text("{mode} d{mode2}, {reach}, Brawn {grips}", mode["skill"], mode["damage"], reach, "/".join(grips))
    hands = " two hands," if mode.get("hands", 1) == 2 else ""
    words = "{mode} d{mode2}, range {mode3} up to ×{mode4},{hands} Brawn {mode5}"
    return text(words, *(mode[key] for key in ("skill", "damage", "base", "limit")), hands, mode.get("brawn", 0))

"""Making a hero of Cairn step by step: dice, choice, or figures typed in (cairn.md §5.4)."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from game.characters.cairn import model
from game.characters.cairn.model import RULESET, Hero, book, changed
from game.characters.heroes import NAMELESS, HeroError, Looks
from game.characters.pages import Came
from rules.cairn.creation import characters, followers
from rules.cairn.creation.characters import ATTRIBUTES, Attribute, Making, begins, settled
from rules.cairn.gear import SLOTS
from rules.contract.text import joined, text
from rules.core.dice import Dice, roll

COMFORTABLE = SLOTS - 1
"""Slots up to which a beginner takes things along: with all ten filled HP count as 0, so the rest is left (ours)."""


def dice() -> Dice:
    """Dice for a step of the workshop: the only chance outside of records."""
    return Dice(secrets.randbelow(2**31), None)


def fixed(hero: Hero) -> str:
    """Why its making can't be changed any more; empty while it can."""
    if hero.making is None:
        return text("{name} was not made here: it is as it came.", hero.name)
    if hero.history or hero.days:
        return text("{name} has begun its story: what it becomes is up to that now.", hero.name)
    return ""


def fresh(name: str, made: str, start: str, given: Dice | None = None) -> Hero:
    """A new hero by id, all of it thrown; of a background, if `start` names one."""
    thrown = given or dice()
    making = characters.roll_making(thrown, book(), start)
    names = book().backgrounds[making.background].names
    called = names[characters.face(thrown, "name", len(names)) - 1] if name == NAMELESS else name
    art = book().backgrounds[making.background].art
    hero = Hero(ruleset="cairn", id=made, name=called, making=making, looks=Looks(art=art))
    return begun(hero, making)


def begun(hero: Hero, making: Making) -> Hero:
    """The hero as this making has it begin: its scores, and exactly what the book gives it."""
    made = begins(making, book())
    carried, home = stowed(made.items)
    strength, dexterity, willpower = made.scores
    return changed(
        hero, making=making, strength=min(30, strength), dexterity=min(30, dexterity), willpower=min(30, willpower),
        hp_max=min(60, made.hp), armor=min(3, made.armor), powers=made.powers, gold=made.gold, items=carried,
        home=home, transport=made.transport, ready=None, used={},
    )  # fmt: skip


def stowed(items: Sequence[str]) -> tuple[list[str], list[str]]:
    """What is carried from the start, and what waits at home because it would weigh one down."""
    carried, home = list[str](), list[str]()
    for item in items:
        full = sum(map(model.slots, carried)) + model.slots(item)
        (carried if full <= COMFORTABLE else home).append(item)
    return carried, home


def _making(hero: Hero, **fields: object) -> Hero:
    """Another making: gear and gold are those of it again. Raises HeroError for one that has begun its story."""
    if why := fixed(hero):
        raise HeroError(why)
    assert hero.making is not None
    return begun(hero, Making.model_validate({**hero.making.model_dump(), **fields}))


def throw_all(hero: Hero) -> Came:
    """Everything anew, of the same background."""
    if why := fixed(hero):
        raise HeroError(why)
    assert hero.making is not None
    making = characters.roll_making(dice(), book(), hero.making.background)
    hero = begun(hero, making)
    scores = text("STR {strength}, DEX {dexterity}, WIL {willpower}", *making.thrown)
    return Came(hero, text("Thrown: {scores}, {hp} HP, {age} years, {gold} gold.", scores, making.hp, making.age,
                           making.gold))  # fmt: skip


def set_background(hero: Hero, name: str) -> Hero:
    """Another background; what it has one throw besides is thrown, its looks and a name come along."""
    if why := fixed(hero):
        raise HeroError(why)
    assert hero.making is not None
    old = book().backgrounds[hero.making.background]
    making = settled(dice(), hero.making.model_copy(update={"background": name, "picked": ()}), book())
    new = book().backgrounds[name]
    looks = hero.looks.model_copy(update={"art": new.art}) if hero.looks.art == old.art else hero.looks
    called = new.names[old.names.index(hero.name)] if hero.name in old.names else hero.name
    return changed(begun(hero, making), looks=looks, name=called)


def throw_background(hero: Hero) -> Came:
    """A d20 says which."""
    thrown, name = characters.roll_background(dice(), book())
    return Came(set_background(hero, name), text("A d20: {face}. {name}.", thrown.total, name))


def set_row(hero: Hero, table: int, face: int) -> Hero:
    """A row of one of its background's tables, from 1."""
    assert hero.making is not None
    rows = list(hero.making.rows)
    rows[table] = face
    making = settled(dice(), hero.making.model_copy(update={"rows": tuple(rows)}), book())
    return _making(hero, **making.model_dump())


def throw_row(hero: Hero, table: int) -> Came:
    """A d6 says which row."""
    face = characters.face(dice(), "table", 6)
    return Came(set_row(hero, table, face), text("A d6: {face}.", face))


def set_score(hero: Hero, number: int, value: int) -> Hero:
    """What was thrown for an attribute, typed in."""
    assert hero.making is not None
    thrown = list(hero.making.thrown)
    thrown[number] = value
    return _making(hero, thrown=thrown)


def throw_score(hero: Hero, number: int) -> Came:
    """3d6 for an attribute."""
    thrown = roll(dice(), ATTRIBUTES[number], 3, 6, exploding=False)
    return Came(set_score(hero, number, thrown.total), _shown([each.face for each in thrown.throws], thrown.total))


def throw_scores(hero: Hero) -> Came:
    """3d6 for each attribute in order, and none changed places."""
    scores = characters.scores_of(characters.roll_scores(dice()))
    told = text("STR {strength}, DEX {dexterity}, WIL {willpower}", *scores[:3])
    return Came(_making(hero, thrown=scores[:3], swap=None), text("Thrown: {scores}.", told))


def _shown(faces: Sequence[int], total: int) -> str:
    return text("Thrown: {faces}, that is {total}.", joined(", ", map(str, faces)), total)


def swap(hero: Hero, one: Attribute, other: Attribute) -> Hero:
    """Two attributes change places; once. Raises HeroError where two others have already."""
    assert hero.making is not None
    return _making(hero, swap=characters.swapped(hero.making, one, other).swap)


def set_figure(hero: Hero, field: str, value: int) -> Hero:
    """HP, further HP, age or gold as typed in."""
    return _making(hero, **{field: value})


def throw_figure(hero: Hero, field: str) -> Came:
    """HP, further HP, age or gold by their dice."""
    assert hero.making is not None
    more = characters.hp_die(hero.making, book())
    count, faces, added = {"hp": (1, 6, 0), "hp_more": (1, more, 0), "age": (2, 20, characters.YOUTH),
                           "gold": (3, 6, 0)}[field]  # fmt: skip
    thrown = roll(dice(), field, count, faces, exploding=False)
    return Came(
        set_figure(hero, field, thrown.total + added),
        _shown([each.face for each in thrown.throws], thrown.total + added),
    )


def set_trait(hero: Hero, number: int, face: int) -> Hero:
    """A trait's word by its face."""
    assert hero.making is not None
    traits = list(hero.making.traits) + [1] * (len(book().traits) - len(hero.making.traits))
    traits[number] = face
    return _kept(hero, traits=tuple(traits))


def throw_traits(hero: Hero) -> Hero:
    """A d10 for each trait."""
    thrown = dice()
    return _kept(hero, traits=tuple(characters.face(thrown, trait.name, 10) for trait in book().traits))


def _kept(hero: Hero, **fields: object) -> Hero:
    """A making that changes nothing of scores and gear."""
    if why := fixed(hero):
        raise HeroError(why)
    assert hero.making is not None
    return changed(hero, making=hero.making.model_copy(update=fields))


def set_bond(hero: Hero, number: int, face: int) -> Hero:
    """A bond by its face."""
    assert hero.making is not None
    bonds = list(hero.making.bonds)
    bonds[number] = face
    return _making(hero, bonds=tuple(bonds))


def throw_bond(hero: Hero, number: int) -> Came:
    """A d20 says which bond."""
    face = characters.face(dice(), "bond", len(book().bonds))
    return Came(set_bond(hero, number, face), text("A d20: {face}. {name}.", face, book().bonds[face - 1].name))


def set_omen(hero: Hero, face: int) -> Hero:
    """An omen by its face; 0: none."""
    return _kept(hero, omen=face)


def throw_omen(hero: Hero) -> Came:
    """A d20 says which omen."""
    face = characters.face(dice(), "omen", len(book().omens))
    return Came(set_omen(hero, face), text("A d20: {face}. {name}.", face, book().omens[face - 1].name))


def pick(hero: Hero, item: str) -> Hero:
    """Something of the market that its background grants, or that put back. Raises HeroError for too much."""
    assert hero.making is not None
    picked = list(hero.making.picked)
    if item in picked:
        picked.remove(item)
    else:
        picked.append(item)
    due = characters.market_due(hero.making, book())
    if (total := sum(map(model.price, picked))) > due:
        raise HeroError("{item}: that would be {total} coins' worth; {due} are granted.", item, total, due)
    return _making(hero, picked=tuple(picked))


def hired(kind: str, made: str, given: Dice | None = None) -> Hero:
    """Somebody who follows, by id: a hireling is thrown, a beast is as its kind."""
    model_ = followers.follower(book(), kind)
    _, scores = followers.throw(given or dice(), model_)
    return Hero(
        ruleset="cairn", id=made, name=kind, kind=kind, pc=False, looks=Looks(art=model_.art),
        strength=scores.strength, dexterity=scores.dexterity, willpower=scores.willpower, hp_max=scores.hp,
        armor=model_.armor, items=model_.items,
    )  # fmt: skip


__all__ = ["RULESET", "fresh", "hired"]

"""What a hero of Count-Up comes to: figures beside the pages, what its sheet says, lines for the console."""

from __future__ import annotations

from game.characters.countup import gear, model
from game.characters.countup.gear import money
from game.characters.countup.model import QUIVER, Hero, about, carried, condition, made, person
from game.characters.heroes import told_outcome
from game.characters.pages import Derived, Figures, Gauge, Lines, Printed, Words
from rules.contract.text import Text, joined, text, titled
from rules.core.dice import signed
from rules.countup.creation.camp import days_left
from rules.countup.creation.tables import ABILITIES, CLASSES, EXPERIENCE, MOST_LEVEL, loads
from rules.countup.skills import SKILLS, mastery

SHORT = {
    "strength": "STR", "intelligence": "INT", "wisdom": "WIS", "dexterity": "DEX", "constitution": "CON",
    "looks": "LKS", "charisma": "CHA",
}  # fmt: skip
"""Abilities as sheets abbreviate them."""


def derived_lines(hero: Hero) -> list[Derived]:
    """What it comes to in a fight, the most asked for first."""
    one, block = made(hero), model.block(hero)
    known = model.armoury()
    weapon = known.weapons.get(gear.in_hand(hero))
    slung = weapon is not None and weapon.hands == 2
    shield = None if slung else known.shields.get(hero.shield or "")
    suit = known.armour.get(hero.armour or "")
    guard = signed(block["defence"] + (shield.defence if shield else 0))
    found = [
        Derived("Attack", signed(one.attack), "Intelligence, dexterity, class.", "countup.md §2.1 Bonuses"),
        Derived("Defence", text("d20p{guard}", guard) if shield else text("d20p−4{guard}", guard),
                "Wisdom, dexterity, armour, race; the shield.", "countup.md §2.1 Defence die"),
        Derived("Damage", signed(one.damage), "Strength.", "countup.md §2.1 Bonuses"),
        Derived("Initiative", text("d12{bonus}", signed(block["initiative"])), "Low acts first.", "countup.md §1.1"),
    ]  # fmt: skip
    if weapon is not None:
        speed = weapon.speed + one.speed + (suit.speed if suit else 0)
        figure = text("{weapon}, speed {speed}", weapon.name, speed) if not weapon.only_ranged else weapon.name
        found.append(Derived("In hand", figure, gear.told(hero, "weapons", weapon.name), "countup.md §5.1"))
    physical, mental, dodge = (signed(save + one.level) for save in one.saves)
    found += [
        Derived("Damage reduction", str(suit.reduction if suit else 0), "Of the suit.", "countup.md §2.1 Damage"),
        Derived("Threshold of pain", text("{pain}, trauma {trauma}", one.pain, one.trauma),
                "One wound above it asks for a d20 not above the trauma.", "countup.md §2.4"),
        Derived("Saves", text("physical {physical}, mental {mental}, dodge {dodge}", physical, mental, dodge),
                "With the level.", "countup.md §2.8 Saves"),
    ]  # fmt: skip
    return found


def _load(hero: Hero) -> str:
    word, most = model.load(hero), loads(made(hero).abilities["strength"])
    if word is None:
        return text("{pounds} of {most} lb: too much", model.pounds(hero), most[-1])
    if not word:
        return text("{pounds} lb", model.pounds(hero))
    return text("{pounds} lb, {load}", model.pounds(hero), word)


def experience_told(hero: Hero) -> str:
    """Points of experience, and how many the next level needs."""
    level, earned = made(hero).level, hero.build.earned
    if level >= MOST_LEVEL:
        return text("{earned} experience", earned)
    return text("{earned} of {need} experience", earned, EXPERIENCE[level])


def wounds_told(hero: Hero) -> str:
    """Its wounds one by one, and how long they take."""
    if not hero.wounds:
        return ""
    wounds = joined(", ", (str(wound.hp) for wound in hero.wounds))
    return text("Wounds {wounds}: {days} days of rest", wounds, days_left(person(hero)))


def figures(hero: Hero) -> Figures:
    """Everything that stands beside its pages."""
    one, who = made(hero), person(hero)
    gauges = [Gauge("Hit points", max(0, who.hp), one.hit_points)]
    if one.points:
        gauges.append(Gauge("Spell points", who.points, one.points, "mana"))
    loaded = model.load(hero) is not None
    purse = Words(text("Purse {purse} · {load}", money(hero.purse), _load(hero)), "text" if loaded else "coral")
    left, gained = one.allowed - one.spent, experience_told(hero)
    told = text("{experience} · {left} building points", gained, left) if left > 0 else gained
    notes = [purse, Words(told)]
    if wounds := wounds_told(hero):
        notes.append(Words(wounds, "coral", rule="countup.md §9.4"))
    return Figures(
        text("{about} · {condition}", about(hero), condition(hero)),
        tuple((SHORT[name], str(one.abilities[name])) for name in ABILITIES), tuple(gauges),
        tuple(derived_lines(hero)), tuple(notes), model.faults(hero),
    )  # fmt: skip


def skills_by_mastery(hero: Hero) -> list[tuple[str, str]]:
    """`("Average", "sneaking 40, hiding 40")`: what it has learnt by mastery, the highest first; then the rest."""
    one = made(hero)
    own = [name for name in SKILLS if learnt(hero, name)]
    found = list[tuple[str, str]]()
    for word in ("master", "expert", "advanced", "average", "novice"):
        names = (text("{skill} {percent}", name, one.skills[name]) for name in own if mastery(one.skills[name]) == word)
        if line := joined(", ", names):
            found.append((word.capitalize(), line))
    rest = (text("{skill} {percent}", name, one.skills[name]) for name in one.skills if name not in own)
    return [*found, ("Untrained", joined(", ", rest))]


def learnt(hero: Hero, skill: str) -> bool:
    """Whether it ever learnt a skill, by purchase or by its class."""
    kind = CLASSES.get(hero.build.kind)
    return skill in hero.build.skills or (kind is not None and skill in (*kind.free, *kind.trade))


def carried_lines(hero: Hero) -> Lines:
    """All that is carried, each with its figures."""
    found = list[tuple[str, str]]()
    for table, name in carried(hero):
        whole = not (table == "shields" and name != hero.shield)
        found.append((titled(name), gear.told(hero, table, name) if whole else "broken"))
    if model.shoots(hero):
        found.append(("Ammunition", text("{n} of {most}", hero.ammunition, QUIVER)))
    return (*found, ("Purse", money(hero.purse)), ("Load", _load(hero)))


def printed(hero: Hero) -> Printed:
    """What stands on its sheet."""
    one = made(hero)
    scores = one.abilities
    tiles = [(SHORT[name], str(scores[name].whole), f"/{scores[name].part % 100:02}") for name in ABILITIES]
    tiles.append(("Hit points", str(one.hit_points), "now ____"))
    if one.points:
        tiles.append(("Spell points", str(one.points), "now ____"))
    magic = [("Spells", (("", joined(", ", hero.spells)),))] if hero.spells else []
    fights = text("{experience} · {n} fights", experience_told(hero), len(hero.history))
    wounds = [("Wounds", (("", wounds_told(hero)),))] if hero.wounds else []
    return Printed(
        (text("{about} · Count-Up", about(hero)), fights), tuple(tiles),
        ("In a fight", tuple((line.name, line.figure) for line in derived_lines(hero))),
        ("Carried", carried_lines(hero)), (("Skills", tuple(skills_by_mastery(hero))), *magic, *wounds),
        tuple(_past(past) for past in reversed(hero.history)),
    )  # fmt: skip


def _past(past: model.Past) -> str:
    return text("{title}: {how}, {experience} experience", past.title or "A fight", told_outcome(past), past.experience)


def told(hero: Hero) -> list[str]:
    """A hero in lines."""
    one, who = made(hero), person(hero)
    scores = joined(", ", (text("{name} {score}", SHORT[n], str(one.abilities[n])) for n in ABILITIES))
    skills = joined(", ", (text("{skill} {percent}", n, one.skills[n]) for n in SKILLS if learnt(hero, n)))
    what = joined(", ", (name for _, name in carried(hero))) or "nothing"
    lines: list[str] = [
        Text.of("{name}: {about}, {condition}", hero.name, about(hero), condition(hero)),
        Text.of("{scores}; HP {now} of {top}", scores, who.hp, one.hit_points),
        Text.of("Skills: {skills}", skills or "none"),
        Text.of("Carries: {what}; {purse}", what, money(hero.purse)),
    ]
    return [*lines, experience_told(hero)] if hero.build.earned else lines

"""What a hero of Cairn comes to: the figures beside its pages, and what its sheet says."""

from __future__ import annotations

from game.characters.cairn import gear, model
from game.characters.cairn.camping import pack_of
from game.characters.cairn.model import Hero, armoury, book
from game.characters.heroes import told_outcome
from game.characters.pages import Derived, Figures, Gauge, Lines, Printed, Words
from rules.cairn.combat.injury import SCARS
from rules.cairn.creation.characters import ATTRIBUTES, SHORT, grants
from rules.cairn.gear import ARMOR_CAP, SLOTS
from rules.contract.text import Text, joined, text, titled


def armor(hero: Hero) -> int:
    """Armor with what is worn and held, at most three (cairn.md §5.2)."""
    table = armoury().armor
    worn = {item for item in hero.items if item in table and not table[item].hands}
    held = {item for item in gear.in_hand(hero) if item in table}
    books = sum(armoury().gear[item].armor for item in gear.in_hand(hero) if item in armoury().gear)
    return min(ARMOR_CAP, hero.armor + sum(table[item].armor for item in (*worn, *held)) + books)


def in_a_fight(hero: Hero) -> list[Derived]:
    """Armor, what is in hand, what else it strikes with."""
    found = [Derived("Armor", str(armor(hero)), "Worn and held, at most 3.", "cairn.md §5.2")]
    for item in gear.in_hand(hero):
        if item in armoury().weapons:
            found.append(Derived(titled(item), armoury().weapons[item].notation(), gear.told(item), "cairn.md §5.1"))
    kind = model.follower(hero)
    if kind is not None and kind.dice:
        dice = "+".join(f"d{die}" for die in kind.dice)
        found.append(Derived(titled(kind.attack), dice, kind.text, "cairn.md §2.2"))
    if len(found) == 1:
        found.append(Derived("Unarmed", "d4", "", "cairn.md §2.2"))
    return found


def burdens(hero: Hero) -> list[tuple[str, str]]:
    """What lasts of earlier fights: scars, with what they still do; word and tone."""
    found: list[tuple[str, str]] = []
    for row in hero.scars:
        waits = row in hero.mending
        words = "{scar}: {left}" if waits else "{scar}"
        found.append((text(words, SCARS[row].name, SCARS[row].left), "coral" if waits else "quiet"))
    for has, word in (
        (hero.lame, "Lame: 2 spaces a move"), (hero.one_armed, "One hand can't be used"),
        (hero.doomed, "Doomed: the next failed critical save is death"),
        (hero.deprived, "Deprived: nothing comes back until the need is met"),
    ):  # fmt: skip
        if has:
            found.append((word, "coral"))
    return found


def figures(hero: Hero) -> Figures:
    """Everything that stands beside its pages."""
    gauges = [Gauge("HP", 0 if hero.dead else model.hp(hero), hero.hp_max)]
    gauges += [Gauge(SHORT[each], model.now(hero, each), getattr(hero, each), "mana") for each in ATTRIBUTES
               if model.now(hero, each) < getattr(hero, each)]  # fmt: skip
    notes = [Words(text("{gold} gold · {filled} of {room} slots", hero.gold, model.filled(hero), model.room(hero)))]
    if model.filled(hero) >= SLOTS and hero.pc:
        notes.append(Words("All ten slots are filled: HP count as 0.", "coral"))
    if hero.fatigue:
        notes.append(Words(text("Fatigue {fatigue}", hero.fatigue), "coral"))
    notes += [Words(words, tone, "small") for words, tone in burdens(hero)]
    return Figures(
        text("{about} · {condition}", model.about(hero), model.condition(hero)),
        tuple((SHORT[each], str(model.now(hero, each))) for each in ATTRIBUTES), tuple(gauges),
        tuple(in_a_fight(hero)), tuple(notes), model.faults(hero),
    )  # fmt: skip


def looks_told(hero: Hero) -> str:
    """Its traits in a line."""
    if hero.making is None:
        return ""
    words = (text("{trait} {word}", trait.name, trait.labels[face - 1])
             for trait, face in zip(book().traits, hero.making.traits, strict=False))  # fmt: skip
    return titled(joined(", ", words))


def printed(hero: Hero) -> Printed:
    """What stands on its sheet."""
    made = hero.making
    age = text("{age} years · Cairn", made.age) if made is not None else "Cairn"
    tiles = [(SHORT[each], str(getattr(hero, each)), "now ____") for each in ATTRIBUTES]
    tiles += [("HP", str(hero.hp_max), "now ____"), ("Armor", str(armor(hero)), ""), ("Gold", str(hero.gold), "")]
    fight = [(line.name, line.figure) for line in in_a_fight(hero)]
    fight += [("", words) for words, _ in burdens(hero)]
    carried: list[tuple[str, str]] = []
    for item in hero.items:
        carried.append((titled(item), gear.left_of(hero, item) or gear.told(item)))
    carried += [("Fatigue", "fills a slot")] * hero.fatigue
    carried.append(("Slots", text("{filled} of {room}", model.filled(hero), model.room(hero))))
    wide: list[tuple[str, Lines]] = []
    if made is not None:
        background = book().backgrounds[made.background]
        past = [(background.tables[n].title, row.text) for n, row in enumerate(book().rows(made.background, made.rows))]
        bonds = [(book().bonds[face - 1].name, book().bonds[face - 1].text) for face in made.bonds]
        omens = [(book().omens[made.omen - 1].name, book().omens[made.omen - 1].text)] if made.omen else []
        wide = [("Who it is", (("", looks_told(hero)), *past)), ("Bonds and omens", (*bonds, *omens))]
    if hero.growth:
        wide.append(("Growth", tuple(("", words) for words in hero.growth)))
    if hero.home or hero.transport:
        wide.append(
            (
                "Left behind",
                (("", joined(", ", (*(gear.CALLED.get(name, name) for name in hero.transport), *hero.home))),),
            )
        )
    story = tuple(
        Text.of("{what}: {won}", past.title or "A fight", told_outcome(past)) for past in reversed(hero.history)
    )
    return Printed((model.about(hero), age), tuple(tiles), ("In a fight", tuple(fight)), ("Carried", tuple(carried)),
                   tuple(wide), story)  # fmt: skip


__all__ = ["figures", "grants", "pack_of", "printed"]

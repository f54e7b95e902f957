"""The pages of the workshop for heroes of Count-Up, as data (countup.md §9)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from game.characters.countup import gear, making, model, sheet
from game.characters.countup.gear import money
from game.characters.countup.model import Hero, made
from game.characters.heroes import told_outcome
from game.characters.pages import Block, Blocks, Choice, Deed, Deeds, Divider, Item, Title, View, Words, key
from rules.contract.text import joined, ntext, text, titled
from rules.core.dice import signed
from rules.countup.creation import tables
from rules.countup.creation.heroes import budget_left
from rules.countup.creation.tables import ABILITIES, BOOKISH, CLASSES, EXPERIENCE, PIOUS, PRICES, RACES, Score
from rules.countup.gear import COST, STEP
from rules.countup.skills import SKILLS, mastery

WAYS = {"bought": "Bought with 26 points", "thrown": "Thrown: 3d6 and d100 each"}
SOLD = {"weapons": "Weapons", "shields": "Shields", "armour": "Armour", "gear": "Gear"}


def _brings(name: str, score: Score) -> str:
    """What a score gives."""
    figures: dict[str, Callable[[Score], str]] = {
        "strength": lambda s: text("damage {n}", signed(tables.DAMAGE.of(s))),
        "intelligence": lambda s: text("attack {n}", signed(tables.ATTACK.of(s))),
        "wisdom": lambda s: text("initiative {i} · defence {d} · mental save {m}", signed(tables.ALERT.of(s)),
                                 signed(tables.GUARD.of(s)), signed(tables.WILL.of(s))),
        "dexterity": lambda s: text("initiative {i} · attack {a} · defence {d} · dodge {m}", signed(tables.QUICK.of(s)),
                                    signed(tables.AIM.of(s)), signed(tables.NIMBLE.of(s)), signed(tables.DODGE.of(s))),
        "constitution": lambda s: text("{n} hit points · trauma {t} · physical save {p}", s.whole, s.whole // 2,
                                       signed(tables.HARDY.of(s))),
        "looks": lambda s: "how one is seen",
        "charisma": lambda s: "how one is heard",
    }  # fmt: skip
    return figures[name](score)


def _skills_by(name: str) -> str:
    return joined(", ", (skill for skill, each in SKILLS.items() if name in each.abilities))


def _ability(hero: Hero, name: str) -> Item:
    score = made(hero).abilities[name]
    told = text("{score} · {brings}", str(score), _brings(name, score))
    deeds: tuple[Deed, ...] = ()
    if hero.build.way == "bought" and not making.fixed(hero):
        deeds = tuple(_step(hero, name, sign, by) for sign, by in (("−", -1), ("+", 1)))
    notes = ((skills, False),) if (skills := _skills_by(name)) else ()
    return Item(name.capitalize(), told, deeds, notes, tone="bright", bold=True, wide=110)


def _step(hero: Hero, name: str, sign: str, by: int) -> Deed:
    why, cost = making.why_no_step(hero, name, by), abs(making.step_cost(hero, name, by))
    tip = why or (
        ntext(cost, "{n} point", "{n} points")
        if by > 0
        else ntext(cost, "gives {n} point back", "gives {n} points back")
    )
    return Deed(key(name, sign), sign, partial(making.step, ability=name, by=by), quiet=bool(why), tip=tip)


def making_page(hero: Hero, view: View) -> Blocks:
    """Abilities, race, class, hit die."""
    build, sealed = hero.build, making.fixed(hero)
    found: list[Block] = [Words(sealed, "quiet", "small")] if sealed else []
    kinds = {name: name.capitalize() for name in CLASSES}
    races = {name: name.capitalize() for name in RACES}
    found += [
        Choice("class", kinds, build.kind, making.set_class, label="Class"),
        Words(class_told(build.kind), "quiet", "small") if build.kind else Words("Choose one.", "coral", "small"),
        Choice("race", races, build.race, making.set_race, label="Race"),
        Words(race_told(build.race), "quiet", "small"),
    ]
    if build.kind and not sealed:
        told = text(
            "Hit die d{die}: {face}", CLASSES[build.kind].die, build.dice[0] if build.dice else "not thrown yet"
        )
        anew = Deed("hit die", "Throw it anew" if build.dice else "Throw it", making.throw_hit_die, gold=not build.dice)
        found.append(Deeds((anew,), told))
    found += [Divider(), Title("Abilities", _abilities_hint(hero))]
    if not sealed:
        found.append(Choice("way", WAYS, build.way, making.set_way))
    if build.way == "thrown" and not sealed:
        label = "Throw them anew" if build.abilities else "Throw them"
        found.append(Deeds((Deed("throw", label, making.throw, gold=not build.abilities),)))
    if build.way == "bought" or build.abilities:
        found += [_ability(hero, name) for name in ABILITIES]
    return tuple(found)


def _abilities_hint(hero: Hero) -> str:
    if hero.build.way == "thrown":
        return "Scores with hundredths; the race is counted in."
    left = budget_left(hero.build)
    return ntext(left, "{n} point left; the race is counted in.", "{n} points left; the race is counted in.")


def class_told(kind: str) -> str:
    """What a class brings, in a line."""
    one = CLASSES[kind]
    told: list[str] = [text("hit die d{die}", one.die)]
    if one.trade:
        told.append(text("{skills} at {trade}", joined(", ", one.trade), tables.TRADE))
    told.append(text("{skills} for nothing", joined(", ", one.free)))
    if kind == BOOKISH:
        told.append("spells for spell points")
    elif kind == PIOUS:
        told.append("prayers of the day")
    worn = [each for each in one.armour if each]
    told.append(text("{armour} armour", joined(", ", worn)) if worn else "robes only")
    if not one.shield:
        told.append("no shield")
    return titled(joined("; ", told))


def race_told(race: str) -> str:
    """What a race brings, in a line."""
    one = RACES[race]
    told: list[str] = [text("{n} hit points", one.hit_points)]
    told += [text("{ability} {n}", ability, signed(by)) for ability, by in one.abilities.items()]
    if one.defence:
        told.append(text("defence {n}", signed(one.defence)))
    if one.half:
        told.append("moves at half rate")
    if one.knock or one.size != "M":
        told.append(text("knocked back as {size}", one.knock or one.size))
    return titled(joined(" · ", told))


# -- skills --------------------------------------------------------------------------------------------------


def skills_page(hero: Hero, view: View) -> Blocks:
    """What building points bought, and what they could buy."""
    left = making.points_left(hero)
    head = ntext(left, "{n} building point left", "{n} building points left")
    hint = (
        "The first purchase adds to the lowest ability that bears on it; each further one adds less the more one knows."
    )
    found: list[Block] = [Words(head, "bright" if left >= 0 else "coral", "label!"), Title("Skills", hint)]
    found += [_skill(hero, name) for name in SKILLS]
    if strange := making.learnable(hero):
        found.append(Title("Weapons", "Those that the class has not learnt; nobody fights with what it never learnt."))
        found += [Item(name.capitalize(), "learnt", (_unlearn(name),), tone="bright") for name in hero.build.learnt]
        found.append(Deeds(tuple(_learn(hero, name) for name in strange)))
    return tuple(found)


def _skill(hero: Hero, name: str) -> Item:
    percent, why = made(hero).skills.get(name, 0), making.why_not_bought(hero, name)
    own = sheet.learnt(hero, name)
    told = text("{percent} · {mastery}", percent, mastery(percent) if own else "untrained")
    if not percent:
        told = text("cannot be tried untrained")
    price = ntext(PRICES[name], "{n} point: {percent}", "{n} points: {percent}", percent=making.after(hero, name))
    deeds = [Deed(key("buy", name), price, partial(making.buy_skill, skill=name), quiet=bool(why),
                  rule="countup.md §9.1 Building points", tip=why or _skill_tip(name))]  # fmt: skip
    if hero.build.skills.get(name, 0) > hero.settled.get(name, 0):
        deeds.insert(0, Deed(key("unbuy", name), "Take back", partial(making.unbuy_skill, skill=name)))
    return Item(name.capitalize(), told, tuple(deeds), tone="bright" if own else "text", wide=130)


def _skill_tip(name: str) -> str:
    skill = SKILLS[name]
    by = joined(", ", skill.abilities)
    return text("By {abilities}; everybody may try it.", by) if skill.universal else text("By {abilities}.", by)


def _learn(hero: Hero, name: str) -> Deed:
    cost = making.learn_cost(name)
    label = ntext(cost, "{weapon}: {n} point", "{weapon}: {n} points", weapon=titled(name))
    return Deed(key("learn", name), label, partial(making.learn, weapon=name), quiet=cost > making.points_left(hero))


def _unlearn(name: str) -> Deed:
    return Deed(key("unlearn", name), "Take back", partial(making.unlearn, weapon=name))


# -- spells --------------------------------------------------------------------------------------------------


def spells_page(hero: Hero, view: View) -> Blocks:
    """All spells that the class and level allow, those chosen lit."""
    one, pious = made(hero), hero.build.kind == PIOUS
    hint = (
        "Each as often as it is chosen, every day." if pious else "A spell costs 30 points and 10 more for each index."
    )
    head = text("{n} of {most} chosen, index {highest} at most", len(hero.spells), one.spells, one.highest)
    found: list[Block] = [Title("Prayers of the day" if pious else "Spells", hint), Words(head, "bright")]
    for entry in model.spellbook(hero):
        name, times = str(entry["name"]), hero.spells.count(entry["name"])
        deeds = list[Deed]()
        if times:
            deeds.append(Deed(key("forget", name), "Give back", partial(making.choose_spell, spell=name, by=-1)))
        if pious or not times:
            full = len(hero.spells) >= one.spells
            deeds.append(Deed(key("learn", name), "Choose", partial(making.choose_spell, spell=name, by=1), quiet=full))
        label = text("{name} × {times}", name, times) if times > 1 else name
        found.append(Item(label, spell_told(entry), tuple(deeds), tone="bright" if times else "text", wide=170))
    return tuple(found)


def spell_told(entry: dict[str, Any]) -> str:
    """A spell's figures in a line."""
    parts: list[str] = [text("index {n}", entry.get("index", 0)), text("{n} s", entry.get("casting", 1))]
    if not entry.get("divine"):
        parts.insert(1, text("{n} points", COST + STEP * int(entry.get("index", 0))))
    if entry.get("heals"):
        parts.append(text("heals {dice}", entry["heals"]))
    if entry.get("damage"):
        parts.append(text("{dice} damage", entry["damage"]))
    if entry.get("range"):
        parts.append(text("{n} ft", entry["range"]))
    if entry.get("save"):
        parts.append(text("{save} save", entry["save"]))
    if entry.get("effect"):
        parts.append(str(entry["effect"]))
    return joined(" · ", parts)


# -- equipment -----------------------------------------------------------------------------------------------


def equipment_page(hero: Hero, view: View) -> Blocks:
    """What is carried, in hand and lit; the smith; the market."""
    table = view.get("sold", "weapons")
    found: list[Block] = [Title("Carried", text("{load}; purse {purse}", sheet.carried_lines(hero)[-1][1],
                                                money(hero.purse)))]  # fmt: skip
    found += [
        _carried(hero, *each) for each in model.carried(hero) if each[1] not in hero.broken or each[0] != "shields"
    ]
    found += [_broken(hero, name) for name in hero.broken]
    if not model.carried(hero):
        found.append(Words("Nothing.", "quiet"))
    if model.shoots(hero):
        price = gear.refill_cost(hero)
        left = text("{n} of {most} to shoot", hero.ammunition, model.QUIVER)
        label = text("Fill the quiver: {price}", money(price)) if price else "The quiver is full"
        fill = Deed("refill", label, gear.refill, quiet=not price)
        found.append(Item("Ammunition", left, (fill,)))
    lamps = {"": "None", **{lamp: lamp.capitalize() for lamp in gear.lamps(hero)}}
    if len(lamps) > 1:
        found.append(Choice("lamp", lamps, hero.lamp, gear.light, label="Burning when a fight begins"))
    found += [Divider(), Title("Market", "Used gear brings half its price."), Choice("sold", SOLD, table, view="sold")]
    found += [_sold(hero, table, name) for name in model.prices()[table]]
    return tuple(found)


def _carried(hero: Hero, table: str, name: str) -> Item:
    deeds = list[Deed]()
    if table == "weapons" and name != gear.in_hand(hero):
        deeds.append(Deed(key("hold", name), "Take in hand", partial(gear.hold, name=name)))
    if table == "gear" and gear.usable(name):
        deeds.append(Deed(key("use", name), "Take into use", partial(gear.use, name=name)))
    worth = gear.worth(name)
    sell = text("Sell: {price}", money(worth)) if worth else "Leave"
    deeds.append(Deed(key("sell", table, name), sell, partial(gear.sell, table=table, name=name)))
    notes = tuple((note.text, note.bad) for note in gear.notes(hero, table, name))
    told = gear.told(hero, table, name)
    if table == "weapons" and name == gear.in_hand(hero):
        told = text("in hand · {told}", told)
    return Item(titled(name), told, tuple(deeds), notes, tone="bright", wide=140)


def _broken(hero: Hero, name: str) -> Item:
    label = text("Have it mended: {price}", money(gear.mend_cost(name)))
    mend = Deed(key("mend", name), label, partial(gear.mend, name=name), rule="countup.md §9.3 Broken shields",
                tip="By a smith, for half its price.")  # fmt: skip
    leave = Deed(key("discard", name), "Leave", partial(gear.discard, name=name))
    return Item(titled(name), "broken", (mend, leave), tone="coral", wide=140)


def _sold(hero: Hero, table: str, name: str) -> Item:
    why = gear.refusal(hero, table, name)
    label = text("Buy: {price}", money(gear.cost(table, name)))
    buy = Deed(key("buy", table, name), label, partial(gear.buy, table=table, name=name), quiet=bool(why), tip=why)
    notes = tuple((note.text, note.bad) for note in gear.notes(hero, table, name))
    return Item(titled(name), gear.told(hero, table, name), (buy,), notes, wide=140)


# -- levels --------------------------------------------------------------------------------------------------


def level_page(hero: Hero, view: View) -> Blocks:
    """Experience, the next level, what grew; and the story so far."""
    one, why = made(hero), making.why_no_level(hero)
    found: list[Block] = [
        Title(text("Level {level}", one.level), sheet.experience_told(hero)),
        Deeds((Deed("level", text("Take level {n}", one.level + 1), making.take_level, quiet=bool(why), gold=not why,
                    tip=why or "Its hit die is thrown.", rule="countup.md §9.2"),)),
    ]  # fmt: skip
    if why:
        found.append(Words(why, "quiet", "small"))
    if hero.build.growth and len(hero.build.growth) > hero.settled.get(making.LEVELS, 0):
        names = {name: name.capitalize() for name in ABILITIES}
        found.append(Title("An ability grows", "Half a point, 50 hundredths; of your choice until play goes on."))
        found.append(Choice("grow", names, hero.build.growth[-1].ability, making.grow))
    found += [Title("Levels", "From so much experience on; each brings 15 building points and an ability that grows.")]
    found += [_level(hero, level) for level in range(1, tables.MOST_LEVEL + 1)]
    if hero.history:
        found.append(Title("The story so far"))
        found += [Words(_past(past)) for past in reversed(hero.history)]
    return tuple(found)


def _level(hero: Hero, level: int) -> Item:
    kind, at = CLASSES.get(hero.build.kind), level - 1
    parts = [text("{n} experience", EXPERIENCE[at])]
    if kind is not None:
        parts += [text("attack {n}", signed(kind.attack[at])), text("initiative {n}", signed(kind.initiative[at])),
                  text("threshold of pain {n} %", 30 + level * kind.pain)]  # fmt: skip
        if kind.speed[at]:
            parts.append(text("weapon speed {n}", signed(kind.speed[at])))
        if kind.points[at]:
            parts.append(text("{n} spell points", kind.points[at]))
    thrown = [text("hit die {face}", hero.build.dice[at])] if at < len(hero.build.dice) else []
    grown = [hero.build.growth[at - 1].ability] if 0 < at <= len(hero.build.growth) else []
    line = joined(" · ", [*parts, *thrown, *filter(None, grown)])
    return Item(text("Level {n}", level), line, tone="bright" if level <= made(hero).level else "quiet", wide=70)


def _past(past: model.Past) -> str:
    told = "{title}: {how}, {experience} experience, {hp} HP left"
    return text(told, past.title or "A fight", told_outcome(past), past.experience, max(0, past.hp))


PAGES: dict[str, Callable[[Hero, View], Blocks]] = {
    "Making": making_page, "Skills": skills_page, "Spells": spells_page, "Equipment": equipment_page,
    "Level": level_page,
}  # fmt: skip

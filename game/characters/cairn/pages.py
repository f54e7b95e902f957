"""The pages of the workshop for heroes of Cairn, as data: background, scores, person, gear, life."""

from __future__ import annotations

from functools import partial

from game.characters import files
from game.characters.cairn import gear, making, model, sheet
from game.characters.cairn.camping import pack_of
from game.characters.cairn.model import Hero, book, changed
from game.characters.heroes import HeroError, told_outcome
from game.characters.pages import (
    Act,
    Block,
    Blocks,
    Card,
    Cards,
    Choice,
    Deed,
    Deeds,
    Divider,
    Face,
    Faces,
    Form,
    Item,
    Number,
    Pick,
    Slots,
    Start,
    Title,
    Typed,
    View,
    Words,
    key,
)  # fmt: skip
from rules.cairn.creation import characters
from rules.cairn.creation.characters import ATTRIBUTES, SHORT
from rules.contract.text import Text, joined, ntext, text, titled

USES = {
    "strength": "power, poison, holding on; what is left when HP are gone",
    "dexterity": "speed, sneaking, dodging; who acts in the first round",
    "willpower": "persuasion, magic, panic",
}
RULE = "cairn.md §5.4"


def starts() -> tuple[Start, ...]:
    """The twenty backgrounds; and all of it by dice."""
    found = tuple(
        Start(name, name, each.summary, each.art, joined(", ", map(titled, each.items)) + ".")
        for name, each in book().backgrounds.items()
    )
    return *found, Start("", "Whoever the dice say", "a d20 picks the background", "unknown_hero")


def names(hero: Hero) -> tuple[str, ...]:
    """Background and scores only for those who were made here."""
    if hero.making is None:
        return "Gear", "Life"
    return "Background", "Scores", "Person", "Gear", "Life"


def page(hero: Hero, name: str, view: View) -> Blocks:
    """One of them."""
    maker = {"Background": _background, "Scores": _scores, "Person": _person, "Gear": _gear, "Life": _life}[name]
    return maker(hero, view)


def _sealed(hero: Hero) -> list[Block]:
    why = making.fixed(hero)
    return [Words(why, "quiet", "small")] if why else []


# -- background --------------------------------------------------------------------------------------------


def _background(hero: Hero, view: View) -> Blocks:
    assert hero.making is not None
    background = book().backgrounds[hero.making.background]
    found: list[Block] = [*_sealed(hero)]
    found.append(Deeds((
        Deed("throw all", "Throw everything anew", making.throw_all, gold=True,
             tip="Scores, tables, traits and bonds, of this background.", rule=RULE),
        Deed("throw background", "d20 for a background", making.throw_background),
    )))  # fmt: skip
    for number, table in enumerate(background.tables):
        now = hero.making.rows[number]
        found += [Divider(), Title(table.title), Deeds((
            Deed(key("throw", "table", number), "Throw a d6", partial(_throw_row, number)),
        ))]  # fmt: skip
        for face, row in enumerate(table.rows, 1):
            brings = [*row.items, *(gear.CALLED[name] for name in row.transport), *row.retainers]
            brings += [text("{gold} gold", row.gold)] if row.gold else []
            brings += [text("d{faces} HP", row.hp)] if row.hp else []
            brings += [text("{coins} coins of gear", row.market)] if row.market else []
            deed = Deed(key("table", number, face), str(face), partial(_set_row, number, face), chosen=face == now)
            found.append(Pick(deed, row.text, titled(joined(", ", brings)) if brings else ""))
    found += [*_picking(hero), Divider(), Title("Background", "Another one gives other gear; bought things are gone.")]
    found.append(Faces(tuple(
        Face(key("background", name), name, each.summary, each.art, partial(_set_background, name),
             name == hero.making.background, joined(", ", map(titled, each.items)) + ".")
        for name, each in book().backgrounds.items()
    ), 290, 30))  # fmt: skip
    return tuple(found)


def _throw_row(table: int, hero: Hero) -> object:
    return making.throw_row(hero, table)


def _set_row(table: int, face: int, hero: Hero) -> Hero:
    return making.set_row(hero, table, face)


def _set_background(name: str, hero: Hero) -> Hero:
    return making.set_background(hero, name)


def _picking(hero: Hero) -> list[Block]:
    """What a row lets be picked of the market."""
    assert hero.making is not None
    due = characters.market_due(hero.making, book())
    if not due:
        return []
    spent = sum(map(model.price, hero.making.picked))
    parts: list[Block] = [Title("Of the market", text("{spent} of {due} coins' worth are picked.", spent, due))]
    offers = [name for table in ("gear", "keepsakes") for name in gear.sold(table) if model.price(name) <= due]
    parts.append(Deeds(tuple(
        Deed(key("pick", name), text("{name}, {price}", titled(name), model.price(name)), partial(_pick, name),
             chosen=name in hero.making.picked) for name in offers
    )))  # fmt: skip
    return parts


def _pick(name: str, hero: Hero) -> Hero:
    return making.pick(hero, name)


# -- scores ------------------------------------------------------------------------------------------------


def _scores(hero: Hero, view: View) -> Blocks:
    assert hero.making is not None
    made = hero.making
    picked: characters.Attribute | None = next((each for each in ATTRIBUTES if each == view.get("picked")), None)
    found: list[Block] = [*_sealed(hero), Title("Attributes", "3d6 each, in order; then two may change places: press "
                                                "one, then the other.")]  # fmt: skip
    cards = []
    for number, attribute in enumerate(ATTRIBUTES):
        if not picked:
            head = Deed(key("swap", attribute), SHORT[attribute], None, turn=("picked", attribute),
                        detail="changes places with …", slim=False)  # fmt: skip
        else:
            act = None if picked == attribute else partial(_swap, picked, attribute)
            told = text("and {picked} change places", SHORT[picked])
            head = Deed(key("swap", attribute), SHORT[attribute], act, turn=("picked", ""), slim=False,
                        detail=told if act else "changes places with …", chosen=picked == attribute)  # fmt: skip
        words = [Words(USES[attribute], "quiet", "small")]
        value = getattr(hero, attribute)
        words.append(Words(Text.of("A save holds in {chance} % of throws.", min(95, max(5, 5 * value)))))
        cards.append(Card(str(value), "3d6", head, tuple(words), (
            Deed(key("throw", attribute), "Throw 3d6", partial(_throw_score, number)),
        ), picked == attribute))  # fmt: skip
    found.append(Cards(tuple(cards), 215))
    if made.swap is not None:
        one, other = (SHORT[each] for each in made.swap)
        found.append(Words(text("{one} and {other} changed places.", one, other), "quiet", "small"))
    rows = [
        (Number(key("typed", attribute), made.thrown[n], partial(_set_score, n), 3, 18, text("{name} thrown",
                SHORT[attribute])),) for n, attribute in enumerate(ATTRIBUTES)
    ]  # fmt: skip
    found += [Deeds((Deed("throw scores", "Throw all three", making.throw_scores),)),
              Title("Dice on your table", "What they show may be typed in."), Form((sum(rows, ()),))]  # fmt: skip
    found += [Divider(), Title("Hit Protection, age, gold")]
    figures = [("hp", "HP", made.hp, 1, 6, "d6"), ("age", "Age", made.age, 12, 50, "2d20 + 10"),
               ("gold", "Gold", made.gold, 3, 18, "3d6")]  # fmt: skip
    if die := characters.hp_die(made, book()):
        figures.insert(1, ("hp_more", "Further HP", made.hp_more, 1, die, f"d{die}"))
    found.append(Form(tuple(
        (Number(key("typed", figure), value, partial(_set_figure, figure), low, high, label),
         Deed(key("throw", figure), text("Throw {dice}", dice), partial(_throw_figure, figure)))
        for figure, label, value, low, high, dice in figures
    )))  # fmt: skip
    return tuple(found)


def _swap(one: characters.Attribute, other: characters.Attribute, hero: Hero) -> Hero:
    return making.swap(hero, one, other)


def _throw_score(number: int, hero: Hero) -> object:
    return making.throw_score(hero, number)


def _set_score(number: int, hero: Hero, value: int) -> Hero:
    return making.set_score(hero, number, value or 0)


def _set_figure(key: str, hero: Hero, value: int) -> Hero:
    return making.set_figure(hero, key, value or 0)


def _throw_figure(key: str, hero: Hero) -> object:
    return making.throw_figure(hero, key)


# -- person ------------------------------------------------------------------------------------------------


def _person(hero: Hero, view: View) -> Blocks:
    assert hero.making is not None
    made = hero.making
    background = book().backgrounds[made.background]
    found: list[Block] = [Title("Name", text("Names of a {background}; any other is typed in on Looks.",
                                             made.background))]  # fmt: skip
    found.append(Choice("name", {name: name for name in background.names}, hero.name, _rename))
    found += [*_sealed(hero), Title("Traits", "A d10 for each."),
              Deeds((Deed("throw traits", "Throw all eight", making.throw_traits),))]  # fmt: skip
    for number, trait in enumerate(book().traits):
        now = trait.labels[made.traits[number] - 1] if number < len(made.traits) else ""
        words = {word: word.capitalize() for word in trait.labels}
        found.append(Choice(trait.name, words, now, partial(_set_trait, number), label=titled(trait.name)))
    bonds = {str(n): each.name for n, each in enumerate(book().bonds, 1)}
    for number, face in enumerate(made.bonds):
        bond = book().bonds[face - 1]
        found += [Divider(), Title("Bond" if not number else "Second bond"), Words(bond.text)]
        found.append(_throw_or_choose(key("bond", number), bonds,
                                      str(face), partial(_set_bond, number), partial(_throw_bond, number)))  # fmt: skip
    due = characters.omen_due(made, book())
    hint = text("A {background} has one whatever its age.", made.background) if due else "For the youngest of a party."
    found += [Divider(), Title("Omen", hint)]
    if made.omen:
        found.append(Words(book().omens[made.omen - 1].text))
    none = {} if due else {"0": "None"}
    omens = {**none, **{str(n): each.name for n, each in enumerate(book().omens, 1)}}
    found.append(_throw_or_choose("omen", omens, str(made.omen), _set_omen, making.throw_omen))
    return tuple(found)


def _throw_or_choose(what: str, options: dict[str, str], now: str, put: Act, throw: Act) -> Block:
    deeds = [Deed(key("throw", what), "Throw a d20", throw, gold=True)]
    for face, name in options.items():
        deeds.append(Deed(key(what, face), name, partial(_chosen, put, int(face)), chosen=face == now))
    return Deeds(tuple(deeds))


def _chosen(put: Act, face: int, hero: Hero) -> Hero:
    found: Hero = put(hero, face)
    return found


def _rename(hero: Hero, name: str) -> Hero:
    return changed(hero, name=name)


def _set_trait(number: int, hero: Hero, word: str) -> Hero:
    return making.set_trait(hero, number, book().traits[number].labels.index(word) + 1)


def _set_bond(number: int, hero: Hero, face: int) -> Hero:
    return making.set_bond(hero, number, face)


def _throw_bond(number: int, hero: Hero) -> object:
    return making.throw_bond(hero, number)


def _set_omen(hero: Hero, face: int) -> Hero:
    return making.set_omen(hero, face)


# -- gear --------------------------------------------------------------------------------------------------


def _gear(hero: Hero, view: View) -> Blocks:
    held = list(gear.in_hand(hero))
    told = text("{gold} gold · in hand: {what}", hero.gold, joined(", ", held) or "nothing")
    found: list[Block] = [Title("Carried", told), Slots(pack_of(hero))]
    others = {each.id: each.name for each in files.shelf().heroes.values()
              if isinstance(each, Hero) and each.id != hero.id and not each.dead}  # fmt: skip
    to = view.get("give", "") if view.get("give", "") in others else next(iter(others), "")
    if others and hero.items:
        found.append(Choice("give", others, to, view="give", label="Give to"))
    for number, item in enumerate(hero.items):
        in_hand = item in held
        if in_hand:
            held.remove(item)
        found.append(_owned(hero, number, item, in_hand=in_hand, to=to))
    if not hero.items:
        found.append(Words("Nothing yet: unarmed, and in plain clothes.", "quiet"))
    if hero.home:
        found += [Divider(), Title("Left behind", "At home, or with the cart.")]
        found += [Item(titled(item), gear.told(item), (Deed(key("fetch", n), "Take along", partial(_fetch, item),
                       quiet=bool(gear.fits(hero, item))),)) for n, item in enumerate(hero.home)]  # fmt: skip
    if hero.transport:
        found.append(
            Words(
                text("Has: {things}.", joined(", ", (gear.CALLED.get(name, name) for name in hero.transport))),
                "quiet",
                "small",
            )
        )
    return (*found, *_market(hero, view))


def _owned(hero: Hero, number: int, item: str, *, in_hand: bool, to: str) -> Item:
    deeds: list[Deed] = []
    own = gear.its_own(hero, item)
    kind = model.follower(hero)
    if gear.held_at_all(item) and not (kind is not None and kind.dice):
        tip = (
            "Held when a fight begins. Press it to put it away." if in_hand else "Press it to hold this from the start."
        )
        deeds.append(Deed(key("hold", number), "In hand", partial(_hold, item), chosen=in_hand, tip=tip))
    deeds.append(Deed(key("stow", number), "Leave", partial(_stow, item), tip="At home, or with the cart."))
    if to:
        deeds.append(Deed(key("give", number), "Give", partial(_give, item, to), quiet=bool(own), tip=own))
    deeds.append(Deed(key("sell", number), text("Sell for {price}", model.worth(item)), partial(_sell, item),
                      quiet=bool(own), tip=own,
                      told=text("Sold: {item}.", item)))  # fmt: skip
    left = gear.left_of(hero, item)
    words = text("{left} · {told}", left, gear.told(item)) if left and dict(hero.used).get(item) else gear.told(item)
    return Item(titled(item), words, tuple(deeds), bold=in_hand, tone="bright")


def _hold(item: str, hero: Hero) -> Hero:
    return gear.hold(hero, item)


def _stow(item: str, hero: Hero) -> Hero:
    return gear.stow(hero, item)


def _fetch(item: str, hero: Hero) -> Hero:
    return gear.fetch(hero, item)


def _give(item: str, to: str, hero: Hero) -> object:
    return gear.give(hero, item, to)


def _sell(item: str, hero: Hero) -> Hero:
    return gear.sell(hero, item)


def _buy(item: str, hero: Hero) -> Hero:
    return gear.buy(hero, item)


def _market(hero: Hero, view: View) -> Blocks:
    table = view.get("market", "weapons")
    table = table if table in gear.TABLES else "weapons"
    found: list[Block] = [Divider(), Title("Market", "Used things bring half their price."),
                          Choice("market", gear.TABLES, table, view="market")]  # fmt: skip
    if table == "beasts":
        for name, (price, room) in gear.TRANSPORT.items():
            found.append(Item(gear.CALLED[name], text("{room} slots", room), (
                Deed(key("buy", name), text("Buy for {price}", price), partial(_buy_transport, name),
                     quiet=price > hero.gold),)))  # fmt: skip
    if table in ("beasts", "hirelings"):
        kind = "beast" if table == "beasts" else "hireling"
        return (*found, *(_follower(hero, name) for name, each in book().followers.items() if each.kind == kind))
    for name in gear.sold(table):
        why = gear.refusal(hero, name)
        found.append(Item(titled(name), gear.told(name), (
            Deed(key("buy", name), text("Buy for {price}", model.price(name)), partial(_buy, name), quiet=bool(why),
                 tip=why, told=text("Bought: {item}.", name)),), tone="quiet" if why else "text"))  # fmt: skip
    return tuple(found)


def _buy_transport(name: str, hero: Hero) -> Hero:
    return gear.buy_transport(hero, name)


def _follower(hero: Hero, name: str) -> Item:
    found, why = book().followers[name], gear.hire_refusal(hero, name)
    brings = joined(", ", found.items)
    told = text("{text} Brings {items}.", found.text, brings) if brings else found.text
    label = text("Hire: {wage} a day", found.wage) if found.wage else text("Buy for {price}", found.cost)
    return Item(name, told, (Deed(key("hire", name), label, partial(_hire, name), quiet=bool(why), tip=why),),
                tone="quiet" if why else "text")  # fmt: skip


def _hire(name: str, hero: Hero) -> object:
    return gear.hire(hero, name)


# -- life --------------------------------------------------------------------------------------------------


def _life(hero: Hero, view: View) -> Blocks:
    found: list[Block] = []
    if waiting := gear.companions(hero):
        found.append(Title("Companions", "They came with the background, and fight beside it in the party."))
        kinds = ((kind, book().followers[kind].text) for kind in waiting)
        found += [Item(k, words, (Deed(key("bring", k), "Bring along", partial(_bring, k)),)) for k, words in kinds]
    found.append(Title("Scars and burdens", "A scar may change what one is; camp mends what waits for it."))
    burdens = sheet.burdens(hero)
    found += [Words(words, tone) for words, tone in burdens] or [Words("None yet.", "quiet")]
    found += [Divider(), Title("Growth", "There are no levels. What changed it is written down; what that does to its "
                               "figures the game master says.")]  # fmt: skip
    for number, words in enumerate(hero.growth):
        found.append(Item("", words, (Deed(key("forget", number), "Strike out", partial(_forget, number)),), wide=4))
    words = view.get("growth", "")
    found.append(Form(((
        Typed("growth", words, view="growth", quiet="what it learnt, or became", most=120, wide=360),
        Deed("write growth", "Write down", partial(_noted, words), turn=("growth", "")),
    ),)))  # fmt: skip
    if making.fixed(hero):
        found.append(Form(((
            *(Number(key("grown", each), getattr(hero, each), partial(_grown, each), 1, 30, SHORT[each])
              for each in ATTRIBUTES),
            Number("grown hp_max", hero.hp_max, partial(_grown, "hp_max"), 0, 60, "HP"),
        ),)))  # fmt: skip
    found += [Divider(), Title("The story so far", ntext(hero.days, "{n} day in camp.", "{n} days in camp."))]
    for past in reversed(hero.history):
        marks = text("; scars {rows}", joined(", ", map(str, past.scars))) if past.scars else ""
        told = "{what}: {won}, {hp} HP left{marks}"
        found.append(Words(Text.of(told, past.title or "A fight", told_outcome(past), past.hp, marks)))
    if not hero.history:
        found.append(Words("No fight yet.", "quiet"))
    return tuple(found)


def _bring(kind: str, hero: Hero) -> object:
    return gear.bring(hero, kind)


def _noted(words: str, hero: Hero) -> Hero:
    if not words.strip():
        raise HeroError("What was it? Type it.")
    return changed(hero, growth=(*hero.growth, words.strip()))


def _forget(number: int, hero: Hero) -> Hero:
    return changed(hero, growth=tuple(each for n, each in enumerate(hero.growth) if n != number))


def _grown(field: str, hero: Hero, value: int) -> Hero:
    low, high = (0, 60) if field == "hp_max" else (1, 30)
    if not low <= value <= high:
        raise HeroError("{field}: {low} to {high}.", SHORT.get(field, "HP"), low, high)
    return changed(hero, **{field: value})

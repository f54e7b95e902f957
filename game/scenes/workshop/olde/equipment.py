"""Equipment: what is carried and in hand, the shop, and what every piece means to this hero."""

from __future__ import annotations

from functools import partial

from game.characters.olde import gear
from game.characters.olde.model import QUIVER, Hero, carried, changed, missiles, prices
from game.scenes.workshop.bench import Bench, cell, pills, title
from game.widgets.controls import Button, Label
from game.widgets.core import Tip, Widget, column, grown, row
from game.widgets.figures import Rule
from rules.contract.text import joined, text

NAMES = {"weapons": "Weapons", "shields": "Shields", "armor": "Armor", "items": "Potions and devices"}


def page(shop: Bench, hero: Hero) -> list[Widget]:
    """What a hero has, then what there is to buy."""
    left = list(gear.in_hand(hero))
    told = "Purse {purse} coin · size {hero} in all · in hand: {what}"
    parts = title("Carried", text(told, hero.purse, gear.load(hero), joined(", ", left) or "nothing"))
    for number, (table, name) in enumerate(carried(hero)):
        held = name in left
        if held:
            left.remove(name)
        parts.append(_owned(shop, hero, number, table, name, held=held))
    if not carried(hero):
        parts.append(Label("Nothing yet: unarmed, and in plain clothes.", colour="quiet"))
    if shot := missiles(hero):
        parts.append(_quiver(shop, hero, shot))
    tabs = pills(NAMES, _table(shop), partial(_turn, shop), "table")
    parts += [Rule(), *title("Shop", "Used gear brings half its price."), tabs]
    parts += [_offered(shop, hero, name) for name in prices()[_table(shop)]]
    return parts


def _table(shop: Bench) -> str:
    """What of the shop is looked at."""
    return shop.view.get("table", "weapons")


def _turn(shop: Bench, table: str) -> None:
    shop.view["table"] = table
    shop.tell("")


def _owned(shop: Bench, hero: Hero, number: int, table: str, name: str, *, held: bool) -> Widget:
    entry, here = prices()[table].get(name, {}), f"{number} {name}"
    buttons: list[Widget] = []
    if table in ("weapons", "shields"):
        tip = "Press it to hold this when a fight begins."
        if held:
            tip = "Held when a fight begins. Press it to put it away."
        hold = shop.changing(gear.hold, name)
        buttons.append(Button("In hand", hold, chosen=held, slim=True, key=f"hold {here}", tip=Tip(tip)))
    if table == "weapons" and number:
        first = Tip("To the head of the list: the first weapon is what it fights with.")
        call = shop.changing(_first, name)
        buttons.append(Button("First", call, slim=True, quiet=True, key=f"first {number}", tip=first))
    sell = shop.changing(gear.sell, table, name, told=text("Sold: {name}.", name))
    buttons.append(Button(text("Sell for {name}", gear.worth(table, name)), sell, slim=True, key=f"sell {here}"))
    words = gear.told(table, entry) if entry else "not in these rules"
    return _line(hero, table, name, words, *buttons, ink="bright", style="text!")


def _line(
    hero: Hero, table: str, name: str, words: str, *buttons: Widget, ink: str = "text", style: str = "text"
) -> Widget:
    """A piece of gear with its figures and what can be done with it; what it means to this hero stands below."""
    told = grown(Label(words, "small", "quiet", one_line=table != "items"))
    notes = (
        Label(f"    {note.text}", "small", "coral" if note.bad else "green") for note in gear.notes(hero, table, name)
    )
    named = cell(name.capitalize(), 168 if table == "items" else 128, ink, style)
    return column(row(named, told, *buttons, gap=6), *notes, gap=1)


def _quiver(shop: Bench, hero: Hero, shot: str) -> Widget:
    """What is left to shoot, and what a full quiver costs."""
    price = gear.refill_cost(hero)
    left = text("{ammunition} of {quiver} left", hero.ammunition, QUIVER)
    fill = Button(
        text("Fill up for {price}", price), shop.changing(gear.refill, told="The quiver is full."), slim=True,
        quiet=not price, key="refill",
        tip=Tip("Four for a coin. What was shot in a fight may be looked for in the camp after it."),
    )  # fmt: skip
    told = grown(Label(left, "small", "quiet", one_line=True))
    return row(cell(shot.capitalize(), 128, "bright", "text!"), told, fill, gap=6)


def _offered(shop: Bench, hero: Hero, name: str) -> Widget:
    table, entry = _table(shop), prices()[_table(shop)][name]
    why = gear.refusal(hero, table, name)
    button = Button(
        text("Buy for {entry}", entry.get("cost", 0)),
        shop.changing(gear.buy, table, name, told=text("Bought: {name}.", name)),
        slim=True, quiet=bool(why), key=f"buy {name}", tip=Tip(why) if why else None,
    )  # fmt: skip
    words = text("{entry} · size {entry2}", gear.told(table, entry), entry.get("size", 0))
    return _line(hero, table, name, words, button, ink="quiet" if why else "text")


def _first(hero: Hero, name: str) -> Hero:
    at = hero.weapons.index(name)
    return changed(hero, weapons=[name, *hero.weapons[:at], *hero.weapons[at + 1 :]])

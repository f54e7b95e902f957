"""Equipment: what is carried and in hand, the shop, and what every piece means to this hero."""

from __future__ import annotations

from functools import partial

from game.characters.olde import gear
from game.characters.olde.model import QUIVER, Hero, carried, changed, missiles, prices
from game.scenes.workshop.bench import Bench, cell, pills, title
from game.widgets.controls import Button, Label
from game.widgets.core import Tip, Widget, column, row
from game.widgets.figures import Rule
from rules.contract.text import joined, text

NAMES = {"weapons": "Weapons", "shields": "Shields", "armor": "Armor", "items": "Potions and devices"}


def page(shop: Bench, hero: Hero) -> list[Widget]:
    """What a hero has, then what there is to buy."""
    held = gear.in_hand(hero)
    words = text(
        "Purse {purse} coin · size {hero} in all · in hand: {what}",
        hero.purse,
        gear.load(hero),
        joined(", ", held) or "nothing",
    )
    parts: list[Widget] = [*title("Carried", words)]
    left = list(held)
    for number, (table, name) in enumerate(carried(hero)):
        inhand = name in left
        if inhand:
            left.remove(name)
        parts.append(_owned(shop, hero, number, table, name, held=inhand))
    if not carried(hero):
        parts.append(Label("Nothing yet: unarmed, and in plain clothes.", colour="quiet"))
    if shot := missiles(hero):
        parts.append(_quiver(shop, hero, shot))
    tabs = ((table, name, partial(_turn, shop, table), shop.table == table) for table, name in NAMES.items())
    parts += [Rule(), *title("Shop", "Used gear brings half its price."), pills(tabs, "table")]
    parts += [_offered(shop, hero, name) for name in prices()[shop.table]]
    return parts


def _turn(shop: Bench, table: str) -> None:
    shop.table = table
    shop.tell("")


def _owned(shop: Bench, hero: Hero, number: int, table: str, name: str, *, held: bool) -> Widget:
    entry = prices()[table].get(name, {})
    buttons: list[Widget] = []
    if table in ("weapons", "shields"):
        buttons.append(
            Button(
                "In hand",
                partial(_hold, shop, name),
                chosen=held,
                slim=True,
                key=f"hold {number} {name}",
                tip=Tip(
                    "Held when a fight begins. Press it to put it away."
                    if held
                    else "Press it to hold this when a fight begins."
                ),
            )
        )
    if table == "weapons" and number:
        buttons.append(
            Button(
                "First",
                partial(_first, shop, name),
                slim=True,
                quiet=True,
                key=f"first {number}",
                tip=Tip("To the head of the list: the first weapon is what it fights with."),
            )
        )
    sell = Button(text('Sell for {name}', gear.worth(table, name)), partial(_sell, shop, table, name), slim=True,
                  key=f"sell {number} {name}")  # fmt: skip
    words = gear.told(table, entry) if entry else "not in these rules"
    told = Label(words, "small", "quiet", one_line=table != "items")
    told.grow = 1
    wide = 168 if table == "items" else 128
    line = row(cell(name.capitalize(), wide, "bright", "text!"), told, *buttons, sell, gap=6)
    return column(line, *_notes(hero, table, name), gap=1)


def _quiver(shop: Bench, hero: Hero, shot: str) -> Widget:
    """What is left to shoot, and what a full quiver costs."""
    price = gear.refill_cost(hero)
    told = Label(text("{ammunition} of {quiver} left", hero.ammunition, QUIVER), "small", "quiet", one_line=True)
    told.grow = 1
    words = "Four for a coin. What was shot in a fight may be looked for in the camp after it."
    fill = Button(
        text("Fill up for {price}", price),
        partial(_refill, shop),
        slim=True,
        quiet=not price,
        key="refill",
        tip=Tip(words),
    )
    return row(cell(shot.capitalize(), 128, "bright", "text!"), told, fill, gap=6)


def _refill(shop: Bench) -> None:
    shop.do(gear.refill, "The quiver is full.")


def _notes(hero: Hero, table: str, name: str) -> list[Widget]:
    return [
        Label(f"    {note.text}", "small", "coral" if note.bad else "green") for note in gear.notes(hero, table, name)
    ]


def _offered(shop: Bench, hero: Hero, name: str) -> Widget:
    entry = prices()[shop.table][name]
    why = gear.refusal(hero, shop.table, name)
    button = Button(
        text("Buy for {entry}", entry.get("cost", 0)),
        partial(_buy, shop, shop.table, name),
        slim=True,
        quiet=bool(why),
        key=f"buy {name}",
        tip=Tip(why) if why else None,
    )
    told = Label(
        text("{entry} · size {entry2}", gear.told(shop.table, entry), entry.get("size", 0)),
        "small",
        "quiet",
        one_line=shop.table != "items",
    )
    told.grow = 1
    wide = 168 if shop.table == "items" else 128
    line = row(cell(name.capitalize(), wide, "quiet" if why else "text"), told, button, gap=6)
    return column(line, *_notes(hero, shop.table, name), gap=1)


def _buy(shop: Bench, table: str, name: str) -> None:
    shop.do(lambda hero: gear.buy(hero, table, name), text("Bought: {name}.", name))


def _sell(shop: Bench, table: str, name: str) -> None:
    shop.do(lambda hero: gear.sell(hero, table, name), text("Sold: {name}.", name))


def _hold(shop: Bench, name: str) -> None:
    shop.do(lambda hero: gear.hold(hero, name))


def _first(shop: Bench, name: str) -> None:
    def step(hero: Hero) -> Hero:
        rest = list(hero.weapons)
        rest.remove(name)
        return changed(hero, weapons=[name, *rest])

    shop.do(step)

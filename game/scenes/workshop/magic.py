"""Which spells and blessings a hero knows."""

from __future__ import annotations

from functools import partial

from game.characters.olde.gear import spell_told
from game.characters.olde.model import MAGIC, Hero, bill, changed, grimoire, known_magic
from game.scenes.workshop.bench import Bench
from game.scenes.workshop.parts import title
from game.widgets.controls import Button, Label
from game.widgets.core import Sized, Widget, column, row
from rules.contract.errors import BattlematError


def gifts(hero: Hero) -> list[str]:
    """The gifts of magic that it has."""
    return [gift for gift in MAGIC if gift in bill(hero).ranks]


def page(shop: Bench, hero: Hero) -> list[Widget]:
    """All spells, those known lit."""
    parts: list[Widget] = []
    for gift in gifts(hero):
        table, stat = MAGIC[gift]
        known, most = getattr(hero, table), known_magic(hero, gift)
        hint = f"{len(known)} of {most} known: {stat.capitalize()} and 1, and 2 more for each rank above Apprentice."
        parts += title(table.capitalize(), hint)
        for name, entry in grimoire()[table].items():
            price = f"{entry.get('mana', '')} Mana" if table == "spells" else f"{entry.get('faith', '')} Faith"
            button = Button(
                name.capitalize(), partial(_turn, shop, table, gift, name), cost=f"{entry.get('ap', 2)} AP · {price}",
                chosen=name in known, key=f"{table} {name}", left=True,
            )  # fmt: skip
            effect = Label(spell_told(hero, name), "small", "bright" if name in known else "text")
            flavour = Label(str(entry.get("summary", "")), "small", "quiet")
            words = column(effect, *([] if shop.tight else [flavour]), gap=1)
            words.grow = 1
            parts.append(row(Sized(button, 130 if shop.tight else 168), words, gap=10))
    return parts


def _turn(shop: Bench, table: str, gift: str, name: str) -> None:
    def step(hero: Hero) -> Hero:
        known = list(getattr(hero, table))
        if name in known:
            known.remove(name)
        elif len(known) >= known_magic(hero, gift):
            raise BattlematError(f"{gift} allows {known_magic(hero, gift)} {table}: forget one first.")
        else:
            known.append(name)
        order = list(grimoire()[table])
        return changed(hero, **{table: sorted(known, key=lambda n: order.index(n) if n in order else -1)})

    shop.do(step)

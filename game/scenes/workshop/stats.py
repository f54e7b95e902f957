"""Stats: an array assigned by swapping, or points bought one by one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from game.heroes import making
from game.heroes.making import ARRAYS, STAT_COST, STATS
from game.heroes.model import Hero
from game.scenes.workshop.parts import cell, cp, pills, title
from game.widgets.controls import Button, Label
from game.widgets.core import Sized, Widget, row

if TYPE_CHECKING:
    from game.scenes.workshop.scene import Workshop

USES = {
    "brawn": "hit points, armor, shields, swords, axes and maces",
    "finesse": "action points, Defense, shooting, fencing, spears",
    "savvy": "spells and Mana, healing, knowledge, alertness",
    "nerve": "blessings and Faith, half to hit points and Mana, command",
}


def page(shop: Workshop, hero: Hero) -> list[Widget]:
    """The way a hero is made, and its four stats."""
    ways = (("core", "Core: an array and a package"), ("crunchy", "Crunchy: 20 CP"))
    parts: list[Widget] = [
        *title("Made"),
        pills(((way, label, partial(_way, shop, way), hero.build.way == way) for way, label in ways), "way"),
    ]
    if why := making.fixed(hero):
        parts.append(Label(why, "small", "quiet"))
    return parts + (_core(shop, hero) if hero.build.way == "core" else _crunchy(shop, hero))


def _way(shop: Workshop, way: str) -> None:
    shop.do(lambda hero: making.set_way(hero, "core" if way == "core" else "crunchy"))


def _core(shop: Workshop, hero: Hero) -> list[Widget]:
    now = tuple(sorted(hero.build.stats.values, reverse=True))
    arrays = (
        (" ".join(map(str, array)), " ".join(map(str, array)), partial(_array, shop, array), array == now)
        for array in ARRAYS
    )
    parts = [*title("Array", "The four values; you say which goes where."), pills(arrays, "array")]
    parts += title("Assign", "Press two stats, one after the other: they change places.")
    for stat in STATS:
        value = getattr(hero.build.stats, stat)
        button = Button(
            stat.capitalize(), partial(pick, shop, stat), chosen=shop.picked == stat,
            key=f"stat {stat}", left=True,
        )  # fmt: skip
        words = Label(f"d{value}!  {USES[stat]}", "small" if shop.tight else "text", "quiet")
        words.grow = 1
        figure = cell(str(value), 22, "bright", "text!")
        parts.append(row(figure, Sized(button, 110 if shop.tight else 150), words, gap=10))
    return parts


def pick(shop: Workshop, stat: str) -> None:
    """Take a stat up, or exchange it with the one taken up before."""
    first, shop.picked = shop.picked, ""
    if not first:
        shop.picked = stat
        shop.tell(f"{stat.capitalize()} changes places with …")
    elif first == stat:
        shop.tell("")
    else:
        shop.do(lambda hero: making.swap(hero, first, stat))


def _array(shop: Workshop, array: tuple[int, ...]) -> None:
    shop.do(lambda hero: making.set_array(hero, array))


def _crunchy(shop: Workshop, hero: Hero) -> list[Widget]:
    left = making.left(hero, "bought")
    parts = title("Stats", f"{cp(left)} of 20 left for stats, sets and skills. Low stats give CP back.")
    for stat in STATS:
        value = getattr(hero.build.stats, stat)
        up = STAT_COST.get(value + 1)
        after = (
            f"{value + 1}: {STAT_COST[value + 1] - STAT_COST[value]:+d} CP" if up is not None else "the top"
        )
        words = Label(f"d{value}!  {USES[stat]}", "small" if shop.tight else "text", "quiet")
        words.grow = 1
        parts.append(
            row(
                cell(stat.capitalize(), 66, "bright", "text!"),
                Button("−", partial(_step, shop, stat, -1), slim=True, key=f"less {stat}"),
                cell(str(value), 22, "bright", "text!"),
                Button("+", partial(_step, shop, stat, 1), slim=True, key=f"more {stat}"),
                cell(cp(STAT_COST[value]), 44),
                cell(after.replace("-", "−"), 82, "quiet", "small"),
                *([] if shop.tight else [words]),
                gap=8,
            )
        )
    return parts


def _step(shop: Workshop, stat: str, by: int) -> None:
    shop.do(lambda hero: making.step_stat(hero, stat, by))

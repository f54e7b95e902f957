"""Stats: an array assigned by swapping, or points bought one by one; and what each of them is good for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import pygame

from game.characters.olde import making
from game.characters.olde.making import ARRAYS, STAT_COST, STATS
from game.characters.olde.model import Hero, armoury, bill, pools
from game.scenes.workshop.bench import Bench
from game.scenes.workshop.parts import cp, pills, title
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Sized, Space, Split, Tip, Widget, column, row
from game.widgets.text import Run, rendered
from game.widgets.theme import Look
from rules.contract.text import joined, text
from rules.core.dice import plain, signed

USES = {
    "brawn": "hit points, armor, shields, swords, axes and maces",
    "finesse": "action points, Defense, shooting, fencing, spears",
    "savvy": "spells and Mana, healing, knowledge, alertness",
    "nerve": "blessings and Faith, half to hit points and Mana, command",
}
PAIRED = 520
"""Width of a page at 100 % from which two stats stand beside each other."""


def page(shop: Bench, hero: Hero) -> list[Widget]:
    """The way a hero is made, and its four stats."""
    ways = (("core", "Core: an array and a package"), ("crunchy", "Crunchy: 20 CP"))
    parts: list[Widget] = [
        *title("Made"),
        pills(((way, label, partial(_way, shop, way), hero.build.way == way) for way, label in ways), "way"),
    ]
    if why := making.fixed(hero):
        parts.append(Label(why, "small", "quiet"))
    return parts + (_core(shop, hero) if hero.build.way == "core" else _crunchy(shop, hero))


def _way(shop: Bench, way: str) -> None:
    shop.do(lambda hero: making.set_way(hero, "core" if way == "core" else "crunchy"))


# -- core --------------------------------------------------------------------------------------------------


def _core(shop: Bench, hero: Hero) -> list[Widget]:
    now = tuple(sorted(hero.build.stats.values, reverse=True))
    parts = [*title("Array", "The four values; you say which goes where."), _arrays(shop, now)]
    parts += title("Assign", "Press two stats, one after the other: they change places.")
    heads = []
    for stat in STATS:
        picked = shop.picked == stat
        after = (
            "changes places with …"
            if picked
            else text("and {picked} change places", picked=shop.picked)
            if shop.picked
            else ""
        )
        press = Button(
            stat.capitalize(),
            partial(pick, shop, stat),
            chosen=picked,
            key=f"stat {stat}",
            left=True,
            cost=after,
        )
        heads.append(press)
    return [*parts, *_cards(shop, hero, [[head] for head in heads])]


def _arrays(shop: Bench, now: tuple[int, ...]) -> Widget:
    words = [(" ".join(map(str, array)), array) for array in ARRAYS]
    if shop.tight:
        return pills(((w, w, partial(_array, shop, array), array == now) for w, array in words), "array")
    buttons = (
        Button(word, partial(_array, shop, array), chosen=array == now, key=f"array {word}", slim=not shop.roomy)
        for word, array in words
    )
    wide = shop.across(98 if shop.roomy else 76)
    return Box([Sized(button, wide) for button in buttons], across=True, wrap=True, gap=6)


def pick(shop: Bench, stat: str) -> None:
    """Take a stat up, or exchange it with the one taken up before."""
    first, shop.picked = shop.picked, ""
    if not first:
        shop.picked = stat
        shop.tell(text("{stat} changes places with …", stat=stat.capitalize()))
    elif first == stat:
        shop.tell("")
    else:
        shop.do(lambda hero: making.swap(hero, first, stat))


def _array(shop: Bench, array: tuple[int, ...]) -> None:
    shop.do(lambda hero: making.set_array(hero, array))


# -- crunchy -----------------------------------------------------------------------------------------------


def _crunchy(shop: Bench, hero: Hero) -> list[Widget]:
    left = making.left(hero, "bought")
    parts = title("Stats", text("{left} of 20 left for stats, sets and skills. Low stats give CP back.", left=cp(left)))
    heads: list[list[Widget]] = []
    for stat in STATS:
        value = getattr(hero.build.stats, stat)
        name = Label(stat.capitalize(), "heading", "bright", one_line=True)
        steps = [
            Button(sign, partial(_step, shop, stat, by), key=f"{word} {stat}", tip=_price(value, by))
            for sign, word, by in (("−", "less", -1), ("+", "more", 1))
        ]
        heads.append([row(name, Space(grow=1), *(Sized(step, 40) for step in steps), gap=6), Ladder(value, left)])
    return [*parts, *_cards(shop, hero, heads)]


def _price(value: int, by: int) -> Tip | None:
    if value + by not in STAT_COST:
        return Tip("Heroes have 3 to 12.")
    return Tip(text("{what}: {signed} CP", what=value + by, signed=signed(STAT_COST[value + by] - STAT_COST[value])))


def _step(shop: Bench, stat: str, by: int) -> None:
    shop.do(lambda hero: making.step_stat(hero, stat, by))


class Ladder(Widget):
    """What every value of a stat costs in all; the one that stands in gold, those too dear faint."""

    def __init__(self, value: int, left: int) -> None:
        super().__init__(tip=Tip("Character points for each value, in all; less than 6 gives some back."))
        self.value, self.left = value, left

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (width, look.font("text").get_linesize() + look.font("small").get_linesize() + look.px(4))

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        gap, count = look.px(3), len(STAT_COST)
        wide = (self.rect.width + gap) / count
        for number, (value, cost) in enumerate(STAT_COST.items()):
            left = self.rect.left + round(number * wide)
            box = pygame.Rect(left, self.rect.top, round(wide) - gap, self.rect.height)
            here, dear = value == self.value, cost - STAT_COST[self.value] > self.left
            look.panel(surface, box, fill="golddeep" if here else "night", edge="gold" if here else "", radius=4)
            ink = "gold" if here else "faint" if dear else "text"
            large = rendered(look.font("text!" if here else "text"), f"{value}", look.colour(ink))
            figure = plain(cost)
            surface.blit(large, large.get_rect(midtop=(box.centerx, box.top)))
            price = rendered(look.font("small"), figure, look.colour("faint" if dear else "quiet"))
            surface.blit(price, price.get_rect(midbottom=(box.centerx, box.bottom - look.px(1))))


# -- cards -------------------------------------------------------------------------------------------------


def _cards(shop: Bench, hero: Hero, heads: Sequence[Sequence[Widget]]) -> list[Widget]:
    """A card for each stat; together they fill the page, two beside each other where there is room."""
    cards = [_card(shop, hero, stat, head) for stat, head in zip(STATS, heads, strict=True)]
    if shop.width_of_page() < PAIRED:
        return list(cards)
    pairs = [Split((cards[n], 1), (cards[n + 1], 1), gap=10) for n in (0, 2)]
    for pair in pairs:
        pair.grow = 1
    return list(pairs)


def _card(shop: Bench, hero: Hero, stat: str, head: Iterable[Widget]) -> Widget:
    value = getattr(bill(hero).stats, stat)
    figure = column(
        Label(str(value), "figure" if shop.tight else "title", "bright", centred=True),
        Label(f"d{value}!", "label", "quiet", centred=True, tip=Tip("Two of these dice are thrown for a check.")),
        gap=0,
    )
    style = "label" if shop.roomy else "text"
    words = [*head, Label(USES[stat], "text" if shop.roomy else "small", "quiet")]
    words.append(Label(_brings(hero, stat, style)))
    if skills := _skills(hero, stat, style if shop.roomy else "small"):
        words.append(Label(skills))
    told = column(*words, gap=9 if shop.roomy else 5)
    share = 0.16 if shop.tight else 0.22
    body = Split((figure, share), (told, 1 - share), gap=10)
    picked = shop.picked == stat
    return column(body, pad=8 if shop.tight else 12, plate="raised", edge="gold" if picked else "hairline")


def _brings(hero: Hero, stat: str, style: str) -> list[Run]:
    """What the hero has of a stat as it stands."""
    value, most = getattr(bill(hero).stats, stat), {name: top for name, (_, top) in pools(hero).items()}
    if stat == "brawn":
        suits = [(suit.brawn, name) for name, suit in armoury().armor.items() if suit.brawn <= value]
        bears = max(suits)[1] if suits else "no armor"
        figures = [("hit points", str(most["hp"])), ("bears", bears)]
    elif stat == "finesse":
        figures = [("action points", f"d{value}"), ("Defense", f"2d{value}!")]
    elif stat == "savvy":
        figures = [("Mana", str(most["mana"])), ("to Faith", f"+{value // 2}")]
    else:
        figures = [("Faith", str(most["faith"])), ("to hit points and Mana", f"+{value // 2}")]
    runs: list[Run] = []
    for name, figure in figures:
        runs += [Run("  ·  " if runs else "", "faint", style), Run(f"{name} ", "quiet", style)]
        runs.append(Run(figure, "bright", f"{style}!"))
    return runs


def _skills(hero: Hero, stat: str, style: str) -> list[Run]:
    """The hero's skills that are rolled with a stat, the best first."""
    runs: list[Run] = []
    for name, fields, bonus in making.checked_with(hero, stat):
        named = text("{name} ({fields})", name=name, fields=joined(", ", fields)) if fields else name
        runs.append(Run((" · " if runs else "") + named, "text", style))
        if bonus:
            runs.append(Run(text(" {bonus}", bonus=signed(bonus)), "gold", style))
    return runs

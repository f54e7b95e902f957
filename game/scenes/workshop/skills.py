"""Stats, skills, spells and blessings: arrays and packages to begin with, what CP buy, what earned CP buy later."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import pygame

from game.characters.olde import making
from game.characters.olde.gear import spell_told
from game.characters.olde.making import ARRAYS, PACKAGES, RANK_NAMES, SETS, STAT_COST, STATS, Offer, Where, spelled
from game.characters.olde.model import MAGIC, Hero, Looks, armoury, art, bill, changed, grimoire, known_magic, pools
from game.scenes.fight.panels.card import likeness
from game.scenes.workshop.bench import Bench, cp, pills, title
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Sized, Space, Split, Tip, Widget, column, row
from game.widgets.fields import TextField
from game.widgets.menu import Tile
from game.widgets.text import Run, rendered
from game.widgets.theme import Look
from rules.contract.errors import BattlematError
from rules.contract.text import Text, joined, ntext, text, titled
from rules.core.dice import plain, signed

USES = {
    "brawn": "hit points, armor, shields, swords, axes and maces",
    "finesse": "action points, Defense, shooting, fencing, spears",
    "savvy": "spells and Mana, healing, knowledge, alertness",
    "nerve": "blessings and Faith, half to hit points and Mana, command",
}
PAIRED = 520
"""Width of a page at 100 % from which two stats stand beside each other."""


AROUND = 270
"""Height at 100 % of all that stands above and below the tiles."""


def stats_page(shop: Bench, hero: Hero) -> list[Widget]:
    """The way a hero is made, and its four stats."""
    ways = (("core", "Core: an array and a package"), ("crunchy", "Crunchy: 20 CP"))
    parts: list[Widget] = [
        *title("Made"),
        pills(((way, label, partial(_way, shop, way), hero.build.way == way) for way, label in ways), "way"),
    ]
    if why := making.fixed(hero):
        parts.append(Label(why, "small", "quiet"))
    return parts + (_core_stats(shop, hero) if hero.build.way == "core" else _crunchy(shop, hero))


def _way(shop: Bench, way: str) -> None:
    shop.do(lambda hero: making.set_way(hero, "core" if way == "core" else "crunchy"))


# -- core --------------------------------------------------------------------------------------------------


def _core_stats(shop: Bench, hero: Hero) -> list[Widget]:
    now = tuple(sorted(hero.build.stats.values, reverse=True))
    parts = [*title("Array", "The four values; you say which goes where."), _arrays(shop, now)]
    parts += title("Assign", "Press two stats, one after the other: they change places.")
    heads = []
    for stat in STATS:
        picked = shop.picked == stat
        after = (
            "changes places with …"
            if picked
            else text("and {picked} change places", shop.picked)
            if shop.picked
            else ""
        )
        press = Button(
            stat.capitalize(), partial(pick, shop, stat), chosen=picked, key=f"stat {stat}", left=True, cost=after
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
        shop.tell(text("{stat} changes places with …", stat.capitalize()))
    elif first == stat:
        shop.tell("")
    else:
        shop.do(lambda hero: making.swap(hero, first, stat))


def _array(shop: Bench, array: tuple[int, ...]) -> None:
    shop.do(lambda hero: making.set_array(hero, array))


# -- crunchy -----------------------------------------------------------------------------------------------


def _crunchy(shop: Bench, hero: Hero) -> list[Widget]:
    left = making.left(hero, "bought")
    parts = title("Stats", text("{left} of 20 left for stats, sets and skills. Low stats give CP back.", cp(left)))
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
    return Tip(text("{what}: {signed} CP", value + by, signed(STAT_COST[value + by] - STAT_COST[value])))


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
        named = text("{name} ({fields})", name, joined(", ", fields)) if fields else name
        runs.append(Run((" · " if runs else "") + named, "text", style))
        if bonus:
            runs.append(Run(text(" {bonus}", signed(bonus)), "gold", style))
    return runs


def page(shop: Bench, hero: Hero) -> list[Widget]:
    """What a hero can do."""
    parts = _core(shop, hero) if hero.build.way == "core" else _market(shop, hero, "bought")
    if why := making.fixed(hero):
        parts.insert(0, Label(why, "small", "quiet"))
    return [*parts, *_fields(shop, hero), *learnt(hero)]


def advance(shop: Bench, hero: Hero) -> list[Widget]:
    """What earned CP went for, and what they could buy."""
    made = bill(hero)
    fights = len(hero.history)
    told = ntext(
        fights,
        "{earned} earned in {n} fight, {spent_later} spent.",
        "{earned} earned in {n} fights, {spent_later} spent.",
        earned=cp(made.earned),
        spent_later=made.spent_later,
    )
    parts: list[Widget] = [*title("Advancement", told)]
    if not making.left(hero, "advances"):
        parts.append(
            Label("CP come with great deeds and great blunders in fights; they are spent here.", colour="quiet")
        )
    parts += [*_market(shop, hero, "advances")]
    if hero.history:
        parts += title("The story so far")
        parts += [
            Label(
                Text.of(
                    "{what}: {what2}, {cp} CP, {hp} HP left",
                    what=p.title or "A fight",
                    what2="won" if p.won else "not won",
                    cp=p.cp,
                    hp=max(0, p.hp),
                )
            )
            for p in reversed(hero.history)
        ]
    return parts


# -- core --------------------------------------------------------------------------------------------------


def _core(shop: Bench, hero: Hero) -> list[Widget]:
    packages: list[Widget] = []
    for name in PACKAGES:
        button = Button(name, partial(_package, shop, name), chosen=name == hero.build.package, slim=True,
                        key=f"package {name}", tip=Tip(package_told(name), name))  # fmt: skip
        told = Label(package_short(name), "small", "quiet")
        told.grow = 1
        packages.append(row(Sized(button, 132), told, gap=10))
    parts: list[Widget] = [*title("Package", "Ten CP worth of skills that belong together."),
                           *packages]  # fmt: skip
    package = PACKAGES.get(hero.build.package)
    if package is None:
        return parts
    parts.append(Label(package_told(hero.build.package), "small", "quiet"))
    for number, options in enumerate(package.choices):
        if len(options) == 1:
            continue
        now = hero.build.choices[number] if number < len(hero.build.choices) else ""
        entries = ((o, spelled(o), partial(_choose, shop, number, o), o == now) for o in options)
        parts += [*title("One of these"), pills(entries, f"choice {number}")]
    if making.raises(hero):
        now = hero.build.journeyman
        entries = ((s, spelled(s), partial(_journeyman, shop, s), s == now) for s in making.candidates(hero))
        parts += [*title("One Journeyman", "Raises one of the hero's skills by a rank: +1 on its checks."),
                  pills(entries, "journeyman")]  # fmt: skip
    return parts


def package_short(name: str) -> str:
    """A package in one line."""
    package = PACKAGES[name]
    choices = ["/".join(options) for options in package.choices]
    return joined(" · ", [*package.sets, *map(spelled, package.skills), *choices])


def package_told(name: str) -> str:
    """A package with all that is in its sets."""
    package = PACKAGES[name]
    sets = [Text.of("{s} ({join})", s=s, join=joined(", ", map(spelled, SETS[s].members))) for s in package.sets]
    choices = [joined(" or ", options) for options in package.choices]
    return Text.of("{all}.", all=joined("; ", [*sets, *map(spelled, package.skills), *choices]))


def _package(shop: Bench, name: str) -> None:
    shop.do(lambda hero: making.set_package(hero, name))


def _choose(shop: Bench, number: int, option: str) -> None:
    shop.do(lambda hero: making.choose(hero, number, option))


def _journeyman(shop: Bench, skill: str) -> None:
    shop.do(lambda hero: making.set_journeyman(hero, skill))


def _fields(shop: Bench, hero: Hero) -> list[Widget]:
    parts: list[Widget] = []
    for name in making.opened(hero):
        if making.fixed(hero) and name not in hero.build.fields:
            continue
        parts += title(name, "Five fields of your own choice; the usual ones stand there already.")
        boxes: list[Widget] = []
        for number, word in enumerate(making.fields(hero, name)):
            field = TextField(f"field {name} {number}", word, partial(_field, shop, name, number), shop.memory, most=24)
            boxes.append(Sized(field, 118))
        parts.append(row(*boxes, gap=6, wrap=True))
    return parts


def _field(shop: Bench, name: str, number: int, text: str) -> None:
    shop.do(lambda hero: making.set_field(hero, name, number, text))


# -- what CP buy -------------------------------------------------------------------------------------------


def _market(shop: Bench, hero: Hero, where: Where) -> list[Widget]:
    left = making.left(hero, where)
    last = getattr(hero.build, where)
    head: list[Widget] = [Label(Text.of("{left} left", left=cp(left)), "heading", "bright" if left >= 0 else "coral")]
    if last:
        name = f"{last[-1].name} {last[-1].to}".strip()
        head.append(
            Button(Text.of("Take back {name}", name=name), partial(_undo, shop, where), slim=True, key=f"undo {where}")
        )
    parts: list[Widget] = [row(*head, gap=14)]
    if where == "advances":
        parts += [*title("Stats"), _grid(shop, where, making.offers(hero, where, "stat"))]
    parts += title("Sets", "All their skills as Apprentice; raise as many as the number says, and the rest come along.")
    parts.append(_grid(shop, where, making.offers(hero, where, "set")))
    if have := bill(hero).sets:
        parts.append(
            Label(
                joined(" · ", (Text.of("{n}: {n2}", n=n, n2=making.number_for_rank(hero, n)) for n in have)),
                "small",
                "gold",
            )
        )
    parts += title("Skills", "The next rank of each, what it costs, and what comes with it.")
    parts.append(_grid(shop, where, making.offers(hero, where, "skill")))
    return parts


def _grid(shop: Bench, where: Where, offers: Iterable[Offer]) -> Widget:
    width = shop.across(150 if shop.tight else 176)
    tiles: list[Widget] = []
    for found in offers:
        bought = found.purchase
        label = bought.name.capitalize() if bought.kind == "stat" else spelled(bought.name)
        step = SETS[bought.name].number if bought.kind == "set" else bought.to
        line: str = (
            Text.of("{step} · {cost}", step=step, cost=cp(found.cost))
            if bought.kind != "set"
            else Text.of("{cost} · number {step}", cost=cp(found.cost), step=step)
        )
        if found.refusal:
            line = found.refusal.removeprefix(f"{bought.name}: ")
        elif found.gains and bought.kind == "skill":
            line = Text.of("{line} · +{gains} more", line=line, gains=len(found.gains))
        button = Button(
            label, partial(_take, shop, where, found), cost=line, quiet=bool(found.refusal),
            key=f"{where} {bought.kind} {bought.name}", tip=_tip(found),
        )  # fmt: skip
        tiles.append(Sized(button, width))
    return Box(tiles, across=True, wrap=True, gap=6)


def _tip(found: Offer) -> Tip:
    bought = found.purchase
    if bought.kind == "set":
        lines = [Text.of("{members}.", members=joined(", ", map(spelled, SETS[bought.name].members)))]
    else:
        lines = [Text.of("{to}, {cost}.", to=bought.to, cost=cp(found.cost))]
        if found.gains:
            lines.append(Text.of("With it: {gains}.", gains=joined(", ", map(spelled, found.gains))))
    if found.refusal:
        lines.append(Text.of("{why}.", why=titled(found.refusal.removeprefix(f"{bought.name}: "))))
    head = bought.name.capitalize() if bought.kind == "stat" else spelled(bought.name)
    return Tip(joined(" ", lines), head, "olde.md §2")


def _take(shop: Bench, where: Where, found: Offer) -> None:
    what = joined(" ", (part for part in (spelled(found.purchase.name), str(found.purchase.to)) if part))
    said = Text.of("{what} for {cost}.", what=what, cost=cp(found.cost))
    if found.gains:
        gains = joined(", ", map(spelled, found.gains[:4]))
        more = Text.of("{gains} …", gains=gains) if len(found.gains) > 4 else gains
        said = Text.of("{said} With it: {gains}.", said=said, gains=more)
    shop.do(lambda hero: making.take(hero, where, found.purchase), said)


def _undo(shop: Bench, where: Where) -> None:
    shop.do(lambda hero: making.undo(hero, where), "Taken back.")


def learnt(hero: Hero) -> list[Widget]:
    """Skills by rank."""
    by_rank: dict[str, list[str]] = {}
    for skill, rank in bill(hero).ranks.items():
        by_rank.setdefault(rank, []).append(spelled(skill))
    order = [rank for rank in reversed(RANK_NAMES) if rank in by_rank]
    return [
        *title("Skills"),
        *(Label(Text.of("{rank}: {join}", rank=rank, join=joined(", ", by_rank[rank]))) for rank in order),
    ]


def gifts(hero: Hero) -> list[str]:
    """The gifts of magic that it has."""
    return [gift for gift in MAGIC if gift in bill(hero).ranks]


def magic_page(shop: Bench, hero: Hero) -> list[Widget]:
    """All spells, those known lit."""
    parts: list[Widget] = []
    for gift in gifts(hero):
        table, stat = MAGIC[gift]
        known, most = getattr(hero, table), known_magic(hero, gift)
        hint = Text.of(
            "{known} of {most} known: {stat} and 1, and 2 more for each rank above Apprentice.",
            known=len(known),
            most=most,
            stat=stat.capitalize(),
        )
        parts += title(table.capitalize(), hint)
        for name, entry in grimoire()[table].items():
            price = (
                Text.of("{entry} Mana", entry=entry.get("mana", ""))
                if table == "spells"
                else Text.of("{entry} Faith", entry=entry.get("faith", ""))
            )
            button = Button(
                name.capitalize(), partial(_turn, shop, table, gift, name),
                cost=Text.of("{points} AP · {price}", points=entry.get("ap", 2), price=price),
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
            raise BattlematError(
                Text.of(
                    "{gift} allows {gift2} {table}: forget one first.",
                    gift=gift,
                    gift2=known_magic(hero, gift),
                    table=table,
                )
            )
        else:
            known.append(name)
        order = list(grimoire()[table])
        return changed(hero, **{table: sorted(known, key=lambda n: order.index(n) if n in order else -1)})

    shop.do(step)


def empty_page(shop: Bench) -> list[Widget]:
    """A tile for each package; and a hero of whom nothing is settled."""
    room = shop.width_of_page() - 32
    width = int((room - 10) // 2 if room > 560 else room)
    high = shop.size[1] / shop.app.look.scale - AROUND
    size = min(max(high / 4 - 22, 64), 140) if width < room else 64

    def tile(name: str, line: str, package: str, drawing: str, tip: Tip | None) -> Widget:
        face = likeness(art(Looks(art=drawing)), "heroes")
        begin = partial(shop.new, package)
        return Sized(Tile(name, line, face, begin, key=f"begin {name}", size=size, width=width, tip=tip), width)

    tiles = [
        tile(
            name,
            joined(" · ", (*each.sets, *map(spelled, each.skills))),
            name,
            name.lower(),
            Tip(package_told(name), name),
        )
        for name, each in PACKAGES.items()
    ]
    tiles.append(tile("Somebody else", "nothing settled yet: by package or by 20 CP", "", "unknown_hero", None))
    return [
        Label("Whom shall it be?", "heading", "gold"),
        Label(
            "A package of skills to begin with; stats, choices, looks and gear are yours to settle after it.",
            colour="quiet",
        ),
        row(*tiles, gap=10, wrap=True),
    ]

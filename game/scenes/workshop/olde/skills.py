"""Stats, skills, spells and blessings: arrays and packages to begin with, what CP buy, what earned CP buy later."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import pygame

from game.characters.heroes import told_outcome
from game.characters.olde import making
from game.characters.olde.gear import spell_told
from game.characters.olde.making import ARRAYS, PACKAGES, RANK_NAMES, SETS, STAT_COST, STATS, Offer, Where, spelled
from game.characters.olde.model import MAGIC, Hero, armoury, bill, changed, grimoire, known_magic, pools
from game.characters.olde.roster import package_told
from game.scenes.workshop.bench import Bench, cp, pills, title
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Sized, Space, Split, Tip, Widget, column, grown, row
from game.widgets.fields import TextField
from game.widgets.text import Run, line
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


def stats_page(shop: Bench, hero: Hero) -> list[Widget]:
    """The way a hero is made, and its four stats."""
    ways = {"core": "Core: an array and a package", "crunchy": "Crunchy: 20 CP"}
    parts = [*title("Made"), pills(ways, hero.build.way, shop.changing(making.set_way), "way")]
    if why := making.fixed(hero):
        parts.append(Label(why, "small", "quiet"))
    return parts + (_core_stats(shop, hero) if hero.build.way == "core" else _crunchy(shop, hero))


# -- core --------------------------------------------------------------------------------------------------


def _core_stats(shop: Bench, hero: Hero) -> list[Widget]:
    now = tuple(sorted(hero.build.stats.values, reverse=True))
    parts = [*title("Array", "The four values; you say which goes where."), _arrays(shop, now)]
    parts += title("Assign", "Press two stats, one after the other: they change places.")
    heads = []
    for stat in STATS:
        picked = shop.picked == stat
        after = text("and {picked} change places", shop.picked) if shop.picked else ""
        after = "changes places with …" if picked else after
        call = partial(pick, shop, stat)
        heads.append([Button(stat.capitalize(), call, chosen=picked, key=f"stat {stat}", left=True, cost=after)])
    return [*parts, *_cards(shop, hero, heads)]


def _arrays(shop: Bench, now: tuple[int, ...]) -> Widget:
    arrays, wide = {" ".join(map(str, array)): array for array in ARRAYS}, shop.across(98 if shop.roomy else 76)
    take = shop.changing(lambda hero, word: making.set_array(hero, arrays[word]))
    if shop.tight:
        return pills({word: word for word in arrays}, " ".join(map(str, now)), take, "array")
    buttons = (
        Sized(Button(word, partial(take, word), chosen=array == now, key=f"array {word}", slim=not shop.roomy), wide)
        for word, array in arrays.items()
    )
    return Box(*buttons, across=True, wrap=True, gap=6)


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


# -- crunchy -----------------------------------------------------------------------------------------------


def _crunchy(shop: Bench, hero: Hero) -> list[Widget]:
    left = making.left(hero, "bought")
    parts = title("Stats", text("{left} of 20 left for stats, sets and skills. Low stats give CP back.", cp(left)))
    heads: list[list[Widget]] = []
    for stat in STATS:
        value = getattr(hero.build.stats, stat)
        name = Label(stat.capitalize(), "heading", "bright", one_line=True)
        steps = [
            Button(sign, shop.changing(making.step_stat, stat, by), key=f"{word} {stat}", tip=_price(value, by))
            for sign, word, by in (("−", "less", -1), ("+", "more", 1))
        ]
        heads.append([row(name, Space(grow=1), *(Sized(step, 40) for step in steps), gap=6), Ladder(value, left)])
    return [*parts, *_cards(shop, hero, heads)]


def _price(value: int, by: int) -> Tip | None:
    if value + by not in STAT_COST:
        return Tip("Heroes have 3 to 12.")
    return Tip(text("{what}: {signed} CP", value + by, signed(STAT_COST[value + by] - STAT_COST[value])))


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
            large = line(look, f"{value}", "text!" if here else "text", ink)
            surface.blit(large, large.get_rect(midtop=(box.centerx, box.top)))
            price = line(look, plain(cost), "small", "faint" if dear else "quiet")
            surface.blit(price, price.get_rect(midbottom=(box.centerx, box.bottom - look.px(1))))


# -- cards -------------------------------------------------------------------------------------------------


def _cards(shop: Bench, hero: Hero, heads: Sequence[Sequence[Widget]]) -> list[Widget]:
    """A card for each stat; together they fill the page, two beside each other where there is room."""
    cards = [_card(shop, hero, stat, head) for stat, head in zip(STATS, heads, strict=True)]
    if shop.width_of_page() < PAIRED:
        return list(cards)
    return [grown(Split((cards[n], 1), (cards[n + 1], 1), gap=10)) for n in (0, 2)]


def _card(shop: Bench, hero: Hero, stat: str, head: Iterable[Widget]) -> Widget:
    value = getattr(bill(hero).stats, stat)
    figure = column(
        Label(str(value), "figure" if shop.tight else "title", "bright", centred=True),
        Label(f"d{value}!", "label", "quiet", centred=True, tip=Tip("Two of these dice are thrown for a check.")),
        gap=0,
    )
    style = "label" if shop.roomy else "text"
    words = [*head, Label(USES[stat], "text" if shop.roomy else "small", "quiet"), Label(_brings(hero, stat, style))]
    if skills := _skills(hero, stat, style if shop.roomy else "small"):
        words.append(Label(skills))
    told = column(*words, gap=9 if shop.roomy else 5)
    share = 0.16 if shop.tight else 0.22
    body = Split((figure, share), (told, 1 - share), gap=10)
    edge = "gold" if shop.picked == stat else "hairline"
    return column(body, pad=8 if shop.tight else 12, plate="raised", edge=edge)


def _brings(hero: Hero, stat: str, style: str) -> list[Run]:
    """What the hero has of a stat as it stands."""
    value, most = getattr(bill(hero).stats, stat), {name: top for name, (_, top) in pools(hero).items()}
    suits = [(suit.brawn, name) for name, suit in armoury().armor.items() if suit.brawn <= value]
    figures = {
        "brawn": {"hit points": str(most["hp"]), "bears": max(suits)[1] if suits else "no armor"},
        "finesse": {"action points": f"d{value}", "Defense": f"2d{value}!"},
        "savvy": {"Mana": str(most["mana"]), "to Faith": f"+{value // 2}"},
        "nerve": {"Faith": str(most["faith"]), "to hit points and Mana": f"+{value // 2}"},
    }
    runs: list[Run] = []
    for name, figure in figures[stat].items():
        runs += [Run("  ·  " if runs else "", "faint", style), Run(f"{name} ", "quiet", style)]
        runs.append(Run(figure, "bright", f"{style}!"))
    return runs


def _skills(hero: Hero, stat: str, style: str) -> list[Run]:
    """The hero's skills that are rolled with a stat, the best first."""
    runs: list[Run] = []
    for name, fields, bonus in making.checked_with(hero, stat):
        named = text("{name} ({fields})", name, joined(", ", fields)) if fields else name
        runs.append(Run((" · " if runs else "") + named, "text", style))
        runs += [Run(text(" {bonus}", signed(bonus)), "gold", style)] if bonus else []
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
    story = ntext(
        len(hero.history), "{earned} earned in {n} fight, {spent_later} spent.",
        "{earned} earned in {n} fights, {spent_later} spent.", earned=cp(made.earned), spent_later=made.spent_later,
    )  # fmt: skip
    parts = title("Advancement", story)
    if not making.left(hero, "advances"):
        how = "CP come with great deeds and great blunders in fights; they are spent here."
        parts.append(Label(how, colour="quiet"))
    parts += [*_market(shop, hero, "advances"), *(title("The story so far") if hero.history else [])]
    told = "{what}: {what2}, {cp} CP, {hp} HP left"
    for p in reversed(hero.history):
        parts.append(Label(Text.of(
            told, what=p.title or "A fight", what2=told_outcome(p), cp=p.cp, hp=max(0, p.hp),
        )))  # fmt: skip
    return parts


# -- core --------------------------------------------------------------------------------------------------


def _core(shop: Bench, hero: Hero) -> list[Widget]:
    parts = title("Package", "Ten CP worth of skills that belong together.")
    for name in PACKAGES:
        button = Button(name, shop.changing(making.set_package, name), chosen=name == hero.build.package, slim=True,
                        key=f"package {name}", tip=Tip(package_told(name), name))  # fmt: skip
        parts.append(row(Sized(button, 132), grown(Label(package_short(name), "small", "quiet")), gap=10))
    package = PACKAGES.get(hero.build.package)
    if package is None:
        return parts
    parts.append(Label(package_told(hero.build.package), "small", "quiet"))
    for number, options in enumerate(package.choices):
        if len(options) == 1:
            continue
        now = hero.build.choices[number] if number < len(hero.build.choices) else ""
        put = shop.changing(making.choose, number)
        parts += [*title("One of these"), pills({o: spelled(o) for o in options}, now, put, f"choice {number}")]
    if making.raises(hero):
        skills, put = {s: spelled(s) for s in making.candidates(hero)}, shop.changing(making.set_journeyman)
        parts += title("One Journeyman", "Raises one of the hero's skills by a rank: +1 on its checks.")
        parts.append(pills(skills, hero.build.journeyman, put, "journeyman"))
    return parts


def package_short(name: str) -> str:
    """A package in one line."""
    package = PACKAGES[name]
    choices = ["/".join(options) for options in package.choices]
    return joined(" · ", [*package.sets, *map(spelled, package.skills), *choices])


def _fields(shop: Bench, hero: Hero) -> list[Widget]:
    parts: list[Widget] = []
    for name in making.opened(hero):
        if making.fixed(hero) and name not in hero.build.fields:
            continue
        boxes = (
            Sized(TextField(f"field {name} {number}", word, shop.changing(making.set_field, name, number), shop.memory,
                            most=24), 118)
            for number, word in enumerate(making.fields(hero, name))
        )  # fmt: skip
        parts += title(name, "Five fields of your own choice; the usual ones stand there already.")
        parts.append(row(*boxes, gap=6, wrap=True))
    return parts


# -- what CP buy -------------------------------------------------------------------------------------------


def _market(shop: Bench, hero: Hero, where: Where) -> list[Widget]:
    left, last = making.left(hero, where), getattr(hero.build, where)
    head: list[Widget] = [Label(Text.of("{left} left", left=cp(left)), "heading", "bright" if left >= 0 else "coral")]
    if last:
        label = Text.of("Take back {name}", name=f"{last[-1].name} {last[-1].to}".strip())
        undo = shop.changing(making.undo, where, told="Taken back.")
        head.append(Button(label, undo, slim=True, key=f"undo {where}"))
    parts: list[Widget] = [row(*head, gap=14)]
    if where == "advances":
        parts += [*title("Stats"), _grid(shop, where, making.offers(hero, where, "stat"))]
    parts += title("Sets", "All their skills as Apprentice; raise as many as the number says, and the rest come along.")
    parts.append(_grid(shop, where, making.offers(hero, where, "set")))
    if have := bill(hero).sets:
        numbers = (Text.of("{n}: {n2}", n=n, n2=making.number_for_rank(hero, n)) for n in have)
        parts.append(Label(joined(" · ", numbers), "small", "gold"))
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
        order = "{cost} · number {step}" if bought.kind == "set" else "{step} · {cost}"
        line: str = Text.of(order, step=step, cost=cp(found.cost))
        if found.refusal:
            line = found.refusal.removeprefix(f"{bought.name}: ")
        elif found.gains and bought.kind == "skill":
            line = Text.of("{line} · +{gains} more", line=line, gains=len(found.gains))
        button = Button(
            label, partial(_take, shop, where, found), cost=line, quiet=bool(found.refusal),
            key=f"{where} {bought.kind} {bought.name}", tip=_tip(found),
        )  # fmt: skip
        tiles.append(Sized(button, width))
    return Box(*tiles, across=True, wrap=True, gap=6)


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


def learnt(hero: Hero) -> list[Widget]:
    """Skills by rank."""
    ranks = bill(hero).ranks
    by_rank = {each: [spelled(skill) for skill, rank in ranks.items() if rank == each] for each in RANK_NAMES[::-1]}
    lines = (Text.of("{rank}: {join}", rank=rank, join=joined(", ", has)) for rank, has in by_rank.items() if has)
    return [*title("Skills"), *map(Label, lines)]


def gifts(hero: Hero) -> list[str]:
    """The gifts of magic that it has."""
    return [gift for gift in MAGIC if gift in bill(hero).ranks]


def magic_page(shop: Bench, hero: Hero) -> list[Widget]:
    """All spells, those known lit."""
    parts: list[Widget] = []
    for gift in gifts(hero):
        table, stat = MAGIC[gift]
        known, most = getattr(hero, table), known_magic(hero, gift)
        told = "{known} of {most} known: {stat} and 1, and 2 more for each rank above Apprentice."
        hint = Text.of(told, known=len(known), most=most, stat=stat.capitalize())
        parts += title(table.capitalize(), hint)
        for name, entry in grimoire()[table].items():
            mana, faith = entry.get("mana", ""), entry.get("faith", "")
            price = Text.of("{entry} Mana", entry=mana) if table == "spells" else Text.of("{entry} Faith", entry=faith)
            button = Button(
                name.capitalize(), shop.changing(_turned, table, gift, name),
                cost=Text.of("{points} AP · {price}", points=entry.get("ap", 2), price=price),
                chosen=name in known, key=f"{table} {name}", left=True,
            )  # fmt: skip
            effect = Label(spell_told(hero, name), "small", "bright" if name in known else "text")
            flavour = Label(str(entry.get("summary", "")), "small", "quiet")
            words = grown(column(effect, *([] if shop.tight else [flavour]), gap=1))
            parts.append(row(Sized(button, 130 if shop.tight else 168), words, gap=10))
    return parts


def _turned(hero: Hero, table: str, gift: str, name: str) -> Hero:
    """With a spell learnt, or forgotten. Raises BattlematError for one too many."""
    known, most = list(getattr(hero, table)), known_magic(hero, gift)
    if name in known:
        known.remove(name)
    elif len(known) >= most:
        told = "{gift} allows {gift2} {table}: forget one first."
        raise BattlematError(told, gift=gift, gift2=most, table=table)
    else:
        known.append(name)
    order = list(grimoire()[table])
    return changed(hero, **{table: sorted(known, key=lambda n: order.index(n) if n in order else -1)})

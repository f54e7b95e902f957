"""What a hero comes to, beside every page: stats and dice, pools, Defense, purse, CP, and whether it may fight."""

from __future__ import annotations

from game.characters.olde import gear
from game.characters.olde.model import RULESET, Hero, about, bill, block, condition, faults, pools, used_pools
from game.characters.olde.sheet import derived_lines
from game.scenes.tableau import Setting, Tableau, alone
from game.scenes.workshop.bench import Bench
from game.scenes.workshop.parts import face
from game.widgets.controls import Label
from game.widgets.core import Box, Tip, Widget, column, row
from game.widgets.figures import BarFigure, Picture, Rule, StatTile
from game.widgets.text import Run


def figures(shop: Bench, hero: Hero) -> Widget:
    """The panel."""
    made = bill(hero)
    head = column(
        Label(hero.name, "label!" if shop.tight else "heading", "bright"),
        Label(f"{about(hero)} · {hero.size} · {condition(hero)}", "small", "quiet"),
        gap=1,
    )
    tiles = [StatTile(name.capitalize(), str(value)) for name, value in made.stats.model_dump().items()]
    parts: list[Widget] = [head if shop.tight else row(Picture(face(hero), 64), head, gap=10)]
    if shop.tight:
        parts += [row(*tiles[:2], gap=4, wrap=True), row(*tiles[2:], gap=4, wrap=True)]
    else:
        parts.append(Box(tiles, across=True, gap=5, align="stretch", wrap=True))
    names = {"hp": ("Hit points", "health"), "mana": ("Mana", "mana"), "faith": ("Faith", "faith")}
    for pool, (now, top) in pools(hero).items():
        if pool not in used_pools(hero):
            continue
        parts.append(BarFigure(names[pool][0], max(0, now), top, names[pool][1]))
    for line in derived_lines(hero):
        parts.append(
            Label(
                [Run(line.name + " ", "quiet", "text"), Run(line.figure, line.tone, "text!")],
                tip=Tip(line.why, line.name, line.rule),
            )
        )
    parts.append(Rule())
    parts.append(Label(f"Purse {hero.purse} coin · size {gear.load(hero)}", "text"))
    if hero.build.way == "crunchy":
        over = made.cost > made.allowed
        parts.append(Label(f"{made.cost} of {made.allowed} CP spent", "text", "coral" if over else "text"))
    if made.earned:
        parts.append(Label(f"{made.earned} CP earned, {made.earned - made.spent_later} to spend", "text"))
    wrong = faults(hero)
    if wrong:
        parts.append(Label("Not ready yet", "text!", "coral"))
        parts += [Label(f"• {fault}", "small", "coral") for fault in wrong]
    else:
        parts.append(Label("Legal by the book", "text!", "green"))
    if not shop.tight and (shown := stood(hero)) is not None:
        parts.append(Tableau(shown, least=150, tip=Tip(SHOWN)))
    return column(*parts, gap=6)


SHOWN = "Its free steps, dotted, and what it strikes from where it stands, outlined."


def stood(hero: Hero) -> Setting | None:
    """The hero on bare ground with what is in its hands."""
    entry = {**block(hero), "id": "hero", "name": "Hero"}  # while a name is typed nothing is drawn anew
    return alone(RULESET, entry, "heroes", ("hero", repr(sorted(entry.items()))))

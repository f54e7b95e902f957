"""The forecast of a chain as a panel: the chance to get through, then fight by fight."""

from __future__ import annotations

from collections.abc import Sequence

from game.forecast.chains import ChainForecast, FightForecast, lost_by
from game.forecast.report import Chance
from game.scenes.forecast.figures import ChanceBar, around, between, percent
from game.setup.chains import Ready
from game.view.palette import side_colour
from game.widgets.controls import Label
from game.widgets.core import Box, Split, Tip, Widget, column, row
from game.widgets.figures import BarFigure, Rule
from rules.contract.ruleset import NO_REST, PARTY
from rules.contract.text import text
from rules.core.registry import ruleset as ruleset_of


def panel(found: ChainForecast | None, ready: Ready | None, wrong: str, *, narrow: bool) -> Widget:
    """What is known of the chain so far."""
    if wrong:
        return column(Label("It can't be played so", "label!", "coral"), Label(wrong, colour="coral"), gap=6)
    if found is None or ready is None:
        return Label("The forecast of the whole chain stands here.", colour="quiet")
    parts: list[Widget] = [
        ChanceBar("The party gets through", lambda: found.through if found.runs else None, side_colour(PARTY),
                  tip=Tip(_told(found.through), "All fights won")),
    ]  # fmt: skip
    parts += [Label(line, "text", "amber") for line in lost_by(found)] if found.runs else []
    for fight in found.fights:
        parts += [Rule(), *_fight(found, fight, narrow=narrow)]
    return column(*parts, Rule(), Label(found.method, "small", "quiet"), gap=8)


def _told(chance: Chance) -> str:
    return text("{share}, between {bounds} at 95 %", percent(chance.share), between(chance))


def _fight(found: ChainForecast, fight: FightForecast, *, narrow: bool) -> Sequence[Widget]:
    """One fight: how often it is reached and won, who is lost by then, and with what the party enters."""
    head = Label(text("{n}. {title}", fight.number, fight.title), "label!", "gold")
    if not found.runs:
        return [head]
    lost = text("{mean} of {party} lost so far", around(fight.lost), found.party)
    cells: list[Widget] = [
        Label(text("reached {share}", percent(fight.reached.share)), "text", tip=Tip(_told(fight.reached))),
        Label(text("won so far {share}", percent(fight.won.share)), "text", tip=Tip(_told(fight.won))),
        Label(lost, "text"),
    ]
    line = column(*cells, gap=2) if narrow else Split(*((cell, 1) for cell in cells), gap=10)
    enters = Label(text("Enters with {hp} of {most} hit points", around(fight.hp), fight.hp_max), "small", "quiet")
    return [head, line, enters, _party(fight), *_rest(found, fight)]


def _party(fight: FightForecast) -> Box:
    """Everybody with the hit points on entering, and how often it is lost by the end."""
    rows = []
    for hero in fight.heroes:
        tip = Tip(text("Lost by the end of this fight and its rest: {lost}. Dead: {dead}.", _told(hero.lost),
                       percent(hero.dies.share)), hero.name)  # fmt: skip
        bar = BarFigure(hero.name, round(hero.hp.mean), hero.hp_max, tip=tip)
        lost = Label(text("lost {share}", percent(hero.lost.share)), "small",
                     "coral" if hero.lost.share >= 0.5 else "quiet", tip=tip)  # fmt: skip
        rows.append(Split((bar, 4), (lost, 1), gap=10))
    return column(*rows, gap=3)


def _rest(found: ChainForecast, fight: FightForecast) -> Sequence[Widget]:
    """What comes after it."""
    if not fight.rest:
        return []
    labels = {rest.word: rest.label for rest in ruleset_of(found.ruleset).rests} | {NO_REST: "Straight on"}
    return [row(Label(text("then: {rest}", labels.get(fight.rest, fight.rest)), "small", "amber"))]

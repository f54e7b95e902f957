"""What windows show of an exploration: the minute, who has a turn left, who suspects nothing, what is watched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from rules.board.sight import ARM, dark, lit, visible
from rules.contract.display import Badge, Bar, Line, Miniature, Planned, Turn
from rules.contract.text import Text, ntext, text
from rules.olde.explore.burning import LIGHTS, LOW, left_of
from rules.olde.explore.notice import coming, looks, walkers, watchers
from rules.olde.explore.state import RULE, is_hero, lurkers, up
from rules.olde.state import OPENLY, Exploring, OldeState, Phase
from rules.olde.visibility import lamps


def _of(state: OldeState) -> Exploring:
    assert state.explore is not None
    return state.explore


def caption(state: OldeState) -> str:
    """`Minute 7`."""
    return text("Minute {minute}", _of(state).minute)


def banner(state: OldeState) -> str:
    """`Exploration, minute 7`."""
    return text("Exploration, minute {minute}", _of(state).minute)


def minute(state: OldeState, who: int) -> Bar:
    """Whether somebody's minute is still to be had."""
    exploring = _of(state)
    open_yet = is_hero(state.setup, who) and up(state.figures[who])
    left = int(open_yet and not exploring.done >> who & 1)
    return Bar("This minute", left, 1, "points")


def shown(state: OldeState, minis: Sequence[Miniature], eyes: tuple[str, ...]) -> tuple[Miniature, ...]:
    """The miniatures as an exploration shows them: without those in hiding of whom nobody who looks knows."""
    index = state.setup.index
    unfound = lurkers(state, eyes)
    return tuple(
        msgspec.structs.replace(
            mini, points=minute(state, index[mini.id]), badges=mini.badges + badges(state, index[mini.id])
        )
        for mini in minis
        if index[mini.id] not in unfound
    )


def badges(state: OldeState, who: int) -> tuple[Badge, ...]:
    """How somebody stands in matters of noticing."""
    exploring, figure = _of(state), state.figures[who]
    if figure.hp <= 0 or figure.cell < 0:
        return ()
    if is_hero(state.setup, who):
        found = []
        if exploring.guise[who] != OPENLY:
            text = Text.of(
                "Hidden by a Sneak of {guise}, until something else is done than keeping quiet.",
                guise=exploring.guise[who],
            )
            found.append(Badge("sneak", Text.of("Sneaking ({guise})", guise=exploring.guise[who]), text, "olde.md §3"))
        if exploring.busy[who]:
            text = Text.of("Is taken up for {busy} more minutes.", busy=exploring.busy[who])
            found.append(Badge("hourglass", "Busy", text, RULE))
        found += _light(state, who)
        return tuple(found)
    if exploring.hides[who]:
        return (Badge("sneak", "In hiding", "Lies in wait, and springs at whoever comes near.", RULE),)
    if not up(figure):
        return ()
    if not looks(state, who):
        return (Badge("unaware", "Off guard", "Looks nowhere; hears at −3.", RULE),)
    if exploring.dulled >> who & 1:
        return (Badge("unaware", "Reassured", "Is off its guard: −2 at its next attempt to notice.", RULE),)
    return (Badge("unaware", "Unaware", "Has noticed nothing yet.", RULE),)


def _light(state: OldeState, who: int) -> list[Badge]:
    """What there is to say of a light that is out, or soon will be."""
    exploring, fighter = _of(state), state.setup.fighters[who]
    if not fighter.light:
        return []
    left = exploring.burning[who]
    if not left:
        return [Badge("dark", "Light burnt out", "Its light shines no more, until it is lit anew.", LIGHTS)]
    if exploring.unlit >> who & 1:
        return [Badge("dark", "Light put out", "Its light shines no more.", LIGHTS)]
    if left > LOW:
        return []
    text = ntext(left, "Its light goes out in a minute.", "Its light goes out in {n} minutes.")
    return [Badge("light", "Light burns low", text, LIGHTS)]


def lights(state: OldeState, who: int) -> tuple[Line, ...]:
    """What somebody's own light is, and how long it lasts."""
    fighter = state.setup.fighters[who]
    if not fighter.light or not is_hero(state.setup, who):
        return ()
    tone = "" if _of(state).burning[who] > LOW else "coral"
    return (Line(fighter.lamp.capitalize(), left_of(state, who), LIGHTS, tone),)


def order(state: OldeState) -> tuple[Turn, ...]:
    """The heroes: those with a turn left in this minute are open, the others done."""
    exploring, fighters = _of(state), state.setup.fighters
    return tuple(
        Turn(fighters[i].id, done=bool(exploring.done >> i & 1))
        for i, figure in enumerate(state.figures)
        if is_hero(state.setup, i) and up(figure)
    )


def watched(state: OldeState) -> int:
    """The spaces on which a hero would be in view of somebody who watches, as far as those who look know of them.

    By the light there is: whoever carries a light of its own is seen farther.
    """
    found, terrain, setup = 0, state.terrain, state.setup
    shade = setup.darkness and dark(terrain)
    bright = lit(terrain, lamps(state)) if shade else -1
    for who in watchers(state):
        if looks(state, who):
            fighter, cell = setup.fighters[who], state.figures[who].cell
            view = visible(terrain, cell, fighter.space)
            if shade and not fighter.dark_sight:
                view &= bright | terrain.within(cell, ARM, fighter.space)
            found |= view
    return found & ~terrain.opaque


def extras(state: OldeState) -> tuple[int, str, tuple[Planned, ...]]:
    """What the board has beside the ordinary: what is watched, the banner, the ways that watchers will walk."""
    fighters = state.setup.fighters
    ways = tuple(Planned(fighters[who].id, way, open=True) for who in walkers(state) if (way := coming(state, who)[0]))
    return watched(state), banner(state), ways


def summary(state: OldeState) -> dict[str, Any]:
    """For `battlemat replay --state`."""
    exploring, fighters = _of(state), state.setup.fighters
    ids = [fighter.id for fighter in fighters]
    told: dict[str, Any] = {"minute": exploring.minute}
    if state.phase is Phase.EXPLORE:
        told["done"] = [name for i, name in enumerate(ids) if exploring.done >> i & 1]
        told["sneaking"] = {name: exploring.guise[i] for i, name in enumerate(ids) if exploring.guise[i] != OPENLY}
    else:
        told["unaware"] = [name for i, name in enumerate(ids) if exploring.caught >> i & 1]
    return told

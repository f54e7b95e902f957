"""The dungeon's own turn: the event die and its reasons, the Die of Fate, what an event brings (cairn.md §1)."""

from __future__ import annotations

from enum import IntEnum, IntFlag

from rules.board.fixtures import DoorState
from rules.cairn import conditions as cond
from rules.cairn.actions.spells import add_fatigue
from rules.cairn.magic.ground import set_door, spend
from rules.cairn.state import CairnState, Resolution
from rules.contract.events import Healing, Note, Roll
from rules.contract.ruleset import PARTY, Odds
from rules.contract.text import joined, text
from rules.contract.units import CreatureIx, numbered
from rules.explore.course import explored
from rules.explore.crawl import Crawl
from rules.explore.kinds import foes_in_sight

RATIONS, MEALS = "rations", 3
"""The thing that is eaten against exhaustion, and how often one lasts."""
PLACE = 4
"""Spaces within which one is still in the same place (OURS); with the option `outside` one less, so that sneaking takes
one on."""
HAND = 1
"""Spaces to whoever sits with somebody who has been aided (OURS)."""
FARTHEST = 16
"""Spaces within which a door moves by itself where the surroundings change (OURS)."""


class Reason(IntFlag):
    """Why the dungeon's die is thrown when a turn is over."""

    STAYED = 1
    HURRIED = 2
    NEW = 4
    LOUD = 8


TOLD = {
    Reason.STAYED: "more than a turn in one place",
    Reason.HURRIED: "haste",
    Reason.NEW: "a new place",
    Reason.LOUD: "noise",
}


class Event(IntEnum):
    """What comes of it, by the face of a d6."""

    ENCOUNTER = 1
    SIGN = 2
    ENVIRONMENT = 3
    LOSS = 4
    EXHAUSTION = 5
    QUIET = 6


def fate(resolution: Resolution, who: CreatureIx) -> int:
    """The Die of Fate, thrown for somebody's ears: low is bad for the party. Nobody is told."""
    return resolution.throw("Die of Fate", 1, 6, by=who).total


def reasons_of(flags: int) -> list[str]:
    """The reasons in words."""
    return [told for reason, told in TOLD.items() if flags & reason]


def odds_of(state: CairnState) -> Odds | None:
    """What the end of this turn brings, by a d6; None where nothing has woken the dungeon."""
    now = explored(state)
    heroes = [(i, f) for i, f in numbered(state.figures) if state.setup.beings[i].side == PARTY and f.present]
    far = _place(state)
    moved = any(now.post[i] >= 0 and state.terrain.distance(now.post[i], f.cell) > far for i, f in heroes)
    flags = now.reasons | (Reason.STAYED if not moved and now.since else 0)
    if not now.crawl or not flags:
        return None
    outcomes = tuple((str(_NAMES[each]), 1 / len(Event)) for each in Event)
    why = text("a d6, for {why}", joined(", ", reasons_of(flags)))
    return Odds(1 / len(Event), outcomes, notes=((why, "cairn.md §1 dungeon events"),))


def event(course: Crawl[Resolution], resolution: Resolution) -> None:
    """At the end of a turn with a reason: the die, and what it brings."""
    now = explored(resolution)
    since = 0 if _moved(course, resolution) else now.since + 1
    flags = now.reasons | (Reason.STAYED if since > 1 else 0)
    post = [figure.cell if course.is_hero(resolution, i) else now.post[i] for i, figure in numbered(resolution.figures)]
    course.note(resolution, since=since, reasons=0, post=tuple(post))
    if not now.crawl or not flags or not course.heroes(resolution):
        return
    thrown = resolution.throw("dungeon event", 1, len(Event), by="")
    what = Event(thrown.total)
    why = joined(", ", reasons_of(flags))
    told = text("The dungeon stirs ({why}): {event}.", why, _NAMES[what])
    resolution.events.append(Note(text=told, rolls=(thrown,), passing=what is Event.QUIET))
    _BRINGS[what](course, resolution)


def _moved(course: Crawl[Resolution], resolution: Resolution) -> bool:
    """Whether anybody of the party is in another place than when the last turn was over."""
    now, terrain = explored(resolution), resolution.terrain
    heroes, far = [i for i in course.heroes(resolution) if now.post[i] >= 0], _place(resolution)
    return any(terrain.distance(now.post[i], resolution.figures[i].cell) > far for i in heroes)


def _place(at: CairnState | Resolution) -> int:
    return PLACE - 1 if at.setup.outside else PLACE


def _tell(resolution: Resolution, told: str, *rolls: Roll) -> None:
    resolution.events.append(Note(text=told, rolls=rolls))


def _encounter(course: Crawl[Resolution], resolution: Resolution) -> None:
    """Somebody comes: a band from outside, else who is nearest and about."""
    if not course.arrive(resolution):
        course.draw_near(resolution)


def _sign(course: Crawl[Resolution], resolution: Resolution) -> None:
    """What is nearest leaves a sign of itself."""
    near = course.nearest_foe(resolution)
    if near is None:
        _tell(resolution, "Dust lies thick here; nobody has come by for long.")
        return
    who, distance = near
    being = resolution.being(who)
    kind = being.kind or being.name
    told = "Tracks, still fresh: {kind}, close by." if distance <= 12 else "Old tracks: {kind}, some way off."
    _tell(resolution, text(told, kind=kind))


def _environment(course: Crawl[Resolution], resolution: Resolution) -> None:
    """A door out of sight falls shut, or swings open."""
    state = resolution.done()
    seen, heroes = course.sees(state, "heroes"), course.heroes(state)
    for number, door in enumerate(resolution.setup.field.doors):
        stands = resolution.doors[number]
        if stands not in (DoorState.OPEN, DoorState.CLOSED) or door.spaces & seen or door.kind != "door":
            continue
        near = any(state.terrain.distance(state.figures[i].cell, door.cell) <= FARTHEST for i in heroes)
        if near and not course.occupied(resolution) & door.spaces:
            set_door(resolution, None, number, "closed" if stands == DoorState.OPEN else "open")
            _tell(resolution, "Somewhere a door moves on its hinges.")
            return
    _tell(resolution, "A draught goes through the place; dust falls from above.")


def _loss(course: Crawl[Resolution], resolution: Resolution) -> None:
    """Torches and lanterns go out; what magic lasts ends."""
    state, out = resolution.done(), []
    for who in course.heroes(resolution):
        being, figure = resolution.being(who), resolution.figures[who]
        if course.bears_light(state, who) and not being.light and not figure.has(cond.SNUFFED):
            resolution.afflict(who, cond.SNUFFED, because="a gust of wind")
            out.append(who)
    resolution.zones = tuple(zone for zone in resolution.zones if not zone.rounds)
    if not out:
        _tell(resolution, "A gust of wind; nothing is lost by it.")


def _exhaustion(course: Crawl[Resolution], resolution: Resolution) -> None:
    """A ration, or a slot of Fatigue. With the option `outside` friends share what they have, the nearest first."""
    heroes, terrain = list(course.heroes(resolution)), resolution.terrain
    for who in heroes:
        if not resolution.being(who).pc:
            continue
        here, sharing = resolution.figures[who].cell, heroes if resolution.setup.outside else [who]
        fed = [i for i in sharing if RATIONS in resolution.figures[i].carried]
        giver = min(fed, key=lambda i: (i != who, terrain.distance(here, resolution.figures[i].cell), i), default=None)
        if giver is None:
            add_fatigue(resolution, who)
            continue
        spend(resolution, giver, RATIONS, MEALS)
        name = resolution.being(who).creature
        if giver == who:
            resolution.note(who, text("{name} eats a ration", name))
        else:
            resolution.note(who, text("{name} eats a ration of {friend}", name, resolution.being(giver).creature))


def _quiet(course: Crawl[Resolution], resolution: Resolution) -> None:
    """Nothing at all."""


_NAMES = {
    Event.ENCOUNTER: "an encounter", Event.SIGN: "a sign of what is near",
    Event.ENVIRONMENT: "the surroundings change", Event.LOSS: "a loss", Event.EXHAUSTION: "exhaustion",
    Event.QUIET: "quiet",
}  # fmt: skip
_BRINGS = {
    Event.ENCOUNTER: _encounter, Event.SIGN: _sign, Event.ENVIRONMENT: _environment, Event.LOSS: _loss,
    Event.EXHAUSTION: _exhaustion, Event.QUIET: _quiet,
}  # fmt: skip


def rest(resolution: Resolution, who: CreatureIx) -> None:
    """A turn's rest gives all Hit Protection back (cairn.md §1)."""
    figure = resolution.figures[who]
    if figure.hp < figure.hp_max:
        resolution.change(who, hp=figure.hp_max)
        name = resolution.being(who).id
        resolution.events.append(Healing(target=name, amount=figure.hp_max - figure.hp, now=figure.hp_max))


def recover(course: Crawl[Resolution], resolution: Resolution) -> None:
    """Who was aided after critical damage is up again when a turn is over in which a friend was beside it, in light and
    with no foe in sight: prone, and with no more HP than it had (OURS; option `outside`)."""
    state = resolution.done()
    if not resolution.setup.outside or foes_in_sight(course, state):
        return
    up = course.heroes(state)
    for who, figure in numbered(state.figures):
        being = resolution.being(who)
        if being.side != PARTY or not (figure.critical and figure.stable) or figure.dead or figure.cell < 0:
            continue
        near = any(resolution.terrain.distance(state.figures[i].cell, figure.cell) <= HAND for i in up)
        if near and (not resolution.setup.darkness or course.lit(state, who)):
            resolution.change(who, critical=False, stable=False)
            resolution.tell_of(who, cond.CRITICAL, gained=False, because="aid and rest")


def follows(course: Crawl[Resolution], resolution: Resolution, who: CreatureIx) -> bool:
    """Whether somebody who took stairs has come to a map where some of the party already are."""
    field, figures = resolution.setup.field, resolution.figures
    level = field.part(figures[who].cell)
    return any(field.part(figures[i].cell) == level for i in course.heroes(resolution) if i != who)

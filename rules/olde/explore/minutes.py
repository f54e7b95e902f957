"""Exploration: minutes in which each hero does one thing, until somebody notices somebody (olde.md §8).

Where a map's watchers see or hear is in `explore_notice`, what heroes may do in `explore_deeds`; this is the course of
it: the arrival, ways and who notices whom on them, ambushes, the minutes, and the moment when it comes to blows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from rules.board.sight import Grade
from rules.contract.events import Began, Check, Contest, Note, Over
from rules.contract.ruleset import PARTY
from rules.contract.text import Term, joined, text
from rules.contract.units import Cell
from rules.core.dice import roll
from rules.core.visibility import in_part
from rules.olde.actions.climbing import drown, struggle
from rules.olde.challenges.checks import check, skill_check
from rules.olde.combat.outcomes import per_turn, recovery
from rules.olde.conditions import tick, wake
from rules.olde.explore.burning import burn, kindled
from rules.olde.explore.notice import (
    FAR,
    HIDDEN,
    SNEAKING,
    SURE,
    Manner,
    Sense,
    asleep,
    distance_of,
    guise_of,
    in_view,
    looks,
    senses,
    sneak_terms,
    walk,
    walkers,
    watchers,
)
from rules.olde.explore.state import is_hero, up, waiting
from rules.olde.state import OPENLY, Exploring, Phase, Resolution, at_first, is_over, put
from rules.olde.visibility import observe

if TYPE_CHECKING:
    from rules.olde.state import OldeState

RESETS = 10
"""Resets that a minute counts for whatever lasts so many of them (R)."""
SHOUT = 6
"""Spaces within which those of its side who are awake hear the alarm of one that notices (R)."""
ALARM = 3
"""Ranks of success with which a watcher alarms everybody awake (R)."""
PATIENCE = 240
"""Minutes without anybody who could act, after which the fight begins all the same."""


def know(resolution: Resolution) -> Exploring:
    """What the exploration remembers now."""
    assert resolution.explore is not None
    return resolution.explore


def note(resolution: Resolution, **changes: object) -> None:
    """Change what the exploration remembers."""
    resolution.explore = msgspec.structs.replace(know(resolution), **changes)


# -- the arrival ------------------------------------------------------------------------------------------


def begin(resolution: Resolution, hiding: Iterable[int]) -> None:
    """The exploration begins: those in hiding roll Sneak, unheard; heroes in anybody's view arrive as quietly as
    they can."""
    resolution.phase = Phase.EXPLORE
    resolution.explore = kindled(at_first(len(resolution.figures)), resolution.setup.fighters)
    hides = know(resolution).hides
    for who in hiding:
        if up(resolution.figures[who]) and not is_hero(resolution.setup, who):
            rank, adjustments = sneak_terms(resolution.done(), who)
            resolution.dice.thrower = resolution.fighter(who).id
            hides = put(hides, who, max(1, roll(resolution.dice, "Sneak", 2, rank, adjustments=adjustments).total))
    note(resolution, hides=hides)
    resolution.events.append(Began(what="exploration", number=1))
    _arrive(resolution)


def _arrive(resolution: Resolution) -> None:
    """Heroes in anybody's view or hearing have come as quietly as they can; each watcher has one attempt, against
    whoever of them it would notice most easily (R)."""
    here = [
        who for who in range(len(resolution.figures)) if is_hero(resolution.setup, who) and up(resolution.figures[who])
    ]
    cells = {who: (resolution.figures[who].cell,) for who in here}
    here = [who for who in here if senses(resolution.done(), who, cells[who], SNEAKING)]
    for who in here:
        sneak(resolution, who)
    state, easiest = resolution.done(), dict[int, tuple[int, int, Sense]]()
    for who in here:
        for sense in senses(state, who, cells[who], SNEAKING):
            needed = (sense.rating or know(resolution).guise[who]) - sense.plus
            if sense.watcher not in easiest or needed < easiest[sense.watcher][0]:
                easiest[sense.watcher] = needed, who, sense
    found = [(who, sense) for _, (_, who, sense) in sorted(easiest.items())]
    noticed = [sense for who, sense in found if _tries(resolution, who, sense)]
    tried = sum(1 << watcher for watcher in easiest)
    for who in here:
        note(resolution, tried=put(know(resolution).tried, who, know(resolution).tried[who] | tried))
    sprung: list[int] = []
    for who in here:
        _look_around(resolution, who, resolution.figures[who].cell)
        sprung += _springing(resolution.done(), who, resolution.figures[who].cell)
    if noticed or sprung:
        danger(resolution, noticed, list(dict.fromkeys(sprung)))


# -- noticing -----------------------------------------------------------------------------------------------


def sneak(resolution: Resolution, who: int) -> None:
    """Roll Sneak: the total is what whoever might notice has to reach from now on."""
    rank, adjustments = sneak_terms(resolution.done(), who)
    name = resolution.fighter(who).id
    resolution.dice.thrower = name
    rolled = roll(resolution.dice, "Sneak (Finesse)", 2, rank, adjustments=adjustments)
    resolution.events.append(
        Contest(by=name, target=name, what="Sneak", rolls=(rolled,), success=True, note="keeps out of sight")
    )
    note(
        resolution,
        guise=put(know(resolution).guise, who, max(0, rolled.total)),
        tried=put(know(resolution).tried, who, 0),
    )


def go(resolution: Resolution, who: int, way: Sequence[Cell], manner: Manner) -> tuple[int, list[Sense], list[int]]:
    """Who notices whom on a way: (spaces of it that are gone, who noticed and how, who sprang from hiding).

    Nobody is moved here. The way ends where somebody notices or springs.
    """
    if manner is SNEAKING:
        sneak(resolution, who)
    elif manner is not HIDDEN:
        note(resolution, guise=put(know(resolution).guise, who, OPENLY))
    found, at = senses(resolution.done(), who, way, manner), 0
    for step, cell in enumerate(way):
        _look_around(resolution, who, cell)
        sprung = _springing(resolution.done(), who, cell)
        if sprung:
            return step + 1, [], sprung
        noticed = []
        while at < len(found) and found[at].step == step:
            if _tries(resolution, who, found[at]):
                noticed.append(found[at])
            at += 1
        if noticed:
            return step + 1, noticed, []
    return len(way), [], []


def heed(resolution: Resolution, heroes: Iterable[int]) -> None:
    """Doors open, lights go on: whoever is in sight now and was not before may be noticed where it stands."""
    for who in heroes:
        if (
            resolution.phase is not Phase.EXPLORE
            or not is_hero(resolution.setup, who)
            or resolution.figures[who].hp <= 0
        ):
            continue
        cell = resolution.figures[who].cell
        noticed, sprung = _standing(resolution, who, cell)
        if noticed or sprung:
            danger(resolution, noticed, sprung)


def _standing(resolution: Resolution, who: int, cell: Cell) -> tuple[list[Sense], list[int]]:
    state = resolution.done()
    noticed = [s for s in senses(state, who, (cell,), guise_of(state, who)) if _tries(resolution, who, s)]
    _look_around(resolution, who, cell)
    return noticed, _springing(resolution.done(), who, cell)


def _tries(resolution: Resolution, who: int, sense: Sense) -> bool:
    """One watcher's attempt; failing by two ranks it is off its guard at the next (R)."""
    if sense.rating == SURE:
        return True
    name, hero = resolution.fighter(sense.watcher), resolution.fighter(who)
    rating = sense.rating or know(resolution).guise[who]
    resolution.dice.thrower = name.id
    result = check(resolution.dice, "Alertness (Savvy)", sense.rank, rating, sense.adjustments)
    resolution.events.append(result.event(name.id, text("Alertness against {name}", hero.called)))
    bit, exploring = 1 << sense.watcher, know(resolution)
    dulled = exploring.dulled | bit if result.ranks <= -2 else exploring.dulled & ~bit
    note(resolution, dulled=dulled, tried=put(exploring.tried, who, exploring.tried[who] | bit))
    return result.success


# -- ambush -------------------------------------------------------------------------------------------------


def _look_around(resolution: Resolution, who: int, cell: Cell) -> None:
    """A hero that comes within 6 spaces of somebody in hiding, in its sight, has one chance to find it.

    Of an attempt in vain nothing is told.
    """
    exploring = know(resolution)
    if not any(exploring.hides):
        return
    state = resolution.done()
    for other, total in enumerate(exploring.hides):
        if not total or exploring.spotted >> other & 1 or know(resolution).looked[who] >> other & 1:
            continue
        if distance_of(state, other, who, cell) > FAR or in_view(state, other, who, cell) is Grade.NONE:
            continue
        note(resolution, looked=put(know(resolution).looked, who, know(resolution).looked[who] | 1 << other))
        fighter = resolution.fighter(who)
        result = skill_check(resolution, who, "Alertness", total)
        if result.success:
            resolution.events.append(result.event(fighter.id, "Alertness"))
            spot(resolution, who, other)


def spot(resolution: Resolution, who: int, other: int) -> None:
    """A hero finds somebody in hiding, and the others know of it."""
    note(resolution, spotted=know(resolution).spotted | 1 << other)
    finder, found = resolution.fighter(who), resolution.fighter(other)
    resolution.events.append(
        Note(text=text("{finder} spots {found} lying in wait.", finder.called, found.called), by=finder.id)
    )


def _springing(state: OldeState, who: int, cell: Cell) -> list[int]:
    """Those in hiding whose moment has come: a hero is where they could strike at once."""
    exploring = state.explore
    assert exploring is not None
    out = []
    for other, total in enumerate(exploring.hides):
        if total and up(state.figures[other]) and in_view(state, other, who, cell) is not Grade.NONE:
            if distance_of(state, other, who, cell) <= pounce(state, other):
                out.append(other)
    return out


def pounce(state: OldeState, other: int) -> int:
    """Spaces at which somebody in hiding springs: its reach and its free steps, or a shot of base range up to 6."""
    fighter, hands = state.setup.fighters[other], state.figures[other].hands
    armoury, far = state.setup.armoury.weapons, 1
    for item in (*hands, *fighter.weapons):
        if item not in armoury or not (item in hands or armoury[item].natural):
            continue
        for mode in armoury[item].modes:
            far = max(far, min(FAR, mode.base) if mode.ranged else mode.far + fighter.allowance)
    return far


# -- danger -------------------------------------------------------------------------------------------------


def danger(
    resolution: Resolution, noticed: Sequence[Sense] = (), sprung: Sequence[int] = (), *, loud: bool = False
) -> None:
    """It comes to blows: the first reset follows, and those caught unaware get exactly 1 AP in it (olde.md §4).

    Who noticed is ready, and so are those of its side who are awake and see or hear it; with `loud` everybody awake.
    Who lay in hiding is ready; those it springs at are not.
    """
    state = resolution.done()
    alert = [s.watcher for s in noticed] + list(sprung)
    everybody = loud or any(_alarms(resolution, sense) for sense in noticed)
    ready = {i for i in range(len(resolution.figures)) if know(resolution).hides[i]}
    for other in watchers(state):
        awake = looks(state, other)
        if other in alert or (awake and (everybody or any(_hears(state, other, one) for one in alert))):
            ready.add(other)
    caught = 0
    for i, figure in enumerate(resolution.figures):
        unaware = bool(sprung) if is_hero(resolution.setup, i) else i not in ready
        if unaware and figure.hp > 0:
            caught |= 1 << i
    for sense in noticed:
        _tell(resolution, sense.watcher)
    for other in sprung:
        resolution.events.append(
            Note(
                text=text("{name} springs from hiding!", resolution.fighter(other).called),
                by=resolution.fighter(other).id,
            )
        )
    resolution.phase, resolution.chance, resolution.reset_at = Phase.RESET, None, 0
    note(resolution, caught=caught, done=0)
    resolution.events.append(Began(what="fight"))
    _tell_caught(resolution, caught)


def _tell_caught(resolution: Resolution, caught: int) -> None:
    """Who is caught unaware: in fog of war each side learns it only of its own and of those whom it sees."""
    everybody = [i for i in range(len(resolution.figures)) if caught >> i & 1]
    told = Note(text=_caught(resolution, everybody) or "Nobody is caught unaware.")
    if not (resolution.setup.fog and everybody):
        resolution.events.append(told)
        return
    state, whole, parts = resolution.done(), list[str](), list[tuple[str, Note]]()
    for side in dict.fromkeys(fighter.side for fighter in resolution.setup.fighters):
        seen = observe(state, side).figures
        known = [i for i in everybody if seen[i].cell >= 0]
        if known == everybody:
            whole.append(side)
        else:
            parts.append((side, Note(text=_caught(resolution, known) or "Nobody in sight is caught unaware.")))
    resolution.events.append(msgspec.structs.replace(told, seen_by=tuple(whole) or ("",)) if parts else told)
    resolution.events += [in_part(note, (side,), whole) for side, note in parts]


def _caught(resolution: Resolution, whom: Sequence[int]) -> str:
    return (
        text("Caught {unaware}: {listed}.", Term("unaware"), _listed([resolution.fighter(i).called for i in whom]))
        if whom
        else ""
    )


def _listed(names: Sequence[str]) -> str:
    """`Goblin (3) and Orc`."""
    counted = [text("{name} ({count})", n, names.count(n)) if names.count(n) > 1 else n for n in dict.fromkeys(names)]
    return joined(" and ", [part for part in (joined(", ", counted[:-1]), counted[-1]) if part])


def _tell(resolution: Resolution, watcher: int) -> None:
    fighter = resolution.fighter(watcher)
    if asleep(resolution.done(), watcher):
        wake(resolution, watcher, "a sound")
    resolution.events.append(Note(text=text("{name} is alarmed!", fighter.called), by=fighter.id))


def _alarms(resolution: Resolution, sense: Sense) -> bool:
    """Whether a watcher noticed so well that it rouses everybody."""
    name = resolution.fighter(sense.watcher).id
    last = next((e for e in reversed(resolution.events) if isinstance(e, Check) and e.by == name), None)
    return last is not None and last.ranks >= ALARM


def _hears(state: OldeState, other: int, one: int) -> bool:
    """Whether somebody is warned by another of its side."""
    fighters = state.setup.fighters
    if fighters[other].side != fighters[one].side:
        return False
    cell = state.figures[one].cell
    return distance_of(state, other, one, cell) <= SHOUT or in_view(state, other, one, cell) is not Grade.NONE


# -- minutes ------------------------------------------------------------------------------------------------


def exploring(resolution: Resolution) -> bool:
    """Go on until some hero may do something (True), or it is a fight or over (False)."""

    for _ in range(PATIENCE):
        if resolution.phase is not Phase.EXPLORE:
            return False
        if is_over(resolution):
            resolution.phase = Phase.ACTION
            return False
        if len(resolution.figures) > len(know(resolution).guise):
            _make_room(resolution)
        if waiting(resolution.done()):
            return True
        _pass_minute(resolution)
    danger(resolution)
    return False


def _make_room(resolution: Resolution) -> None:
    """Somebody has joined those on the board, torn in two by a trap or called: the rows grow with them."""
    now, more = know(resolution), at_first(len(resolution.figures) - len(know(resolution).guise))
    rows = ("busy", "guise", "tried", "hides", "looked", "leg", "burning", "spares")
    note(resolution, **{row: getattr(now, row) + getattr(more, row) for row in rows})


def spend_minutes(resolution: Resolution, who: int, minutes: int) -> None:
    """Somebody has begun what takes so many minutes, this one included."""
    if minutes:
        note(resolution, done=know(resolution).done | 1 << who, busy=put(know(resolution).busy, who, minutes - 1))


def _pass_minute(resolution: Resolution) -> None:
    """A minute is over: whoever bleeds or dies loses 1 HP, what lasts some resets wears off, lights burn down."""
    everybody = range(len(resolution.figures))
    for who in everybody:
        per_turn(resolution, who)
    for who in everybody:
        if resolution.figures[who].temp_defense or resolution.figures[who].temp_block:
            resolution.change(who, temp_defense=0, temp_block=0)
    for _ in range(RESETS):
        if resolution.zones or any(figure.effects for figure in resolution.figures):
            tick(resolution)
    for who in everybody:
        if resolution.figures[who].hp > -resolution.fighter(who).hp_max and not asleep(resolution.done(), who):
            recovery(resolution, who, reset=False)
    if resolution.setup.obstacles is not None:
        _in_water(resolution)
    burn(resolution)
    before = know(resolution)
    busy = tuple(max(0, left - 1) for left in before.busy)
    done = sum(1 << who for who in everybody if before.busy[who])
    note(resolution, minute=before.minute + 1, busy=busy, done=done)
    resolution.events.append(Began(what="minute", number=before.minute + 1))
    for who in walkers(resolution.done()):
        if resolution.phase is Phase.EXPLORE and walk(resolution, who):
            heed(resolution, everybody)


def _in_water(resolution: Resolution) -> None:
    """Who is under water struggles reset by reset."""
    for _ in range(RESETS):
        drown(resolution)
        struggle(resolution)


def slip_away(resolution: Resolution) -> None:
    """The party leaves, and nobody has noticed it: that is the end of it."""
    resolution.phase, resolution.chance, resolution.winner = Phase.OVER, None, PARTY
    resolution.events.append(Over(winner=PARTY, because="slipped past"))

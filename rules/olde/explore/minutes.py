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
from rules.contract.scenario import PARTY
from rules.core.dice import roll
from rules.core.visibility import in_part
from rules.olde.actions.swimming import drown, struggle
from rules.olde.challenges.checks import check, skill_check
from rules.olde.combat.injury import per_turn, recovery
from rules.olde.effects.working import tick, wake
from rules.olde.explore.burning import burn, kindled
from rules.olde.explore.model import OPENLY, Exploring, at_first, put
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
from rules.olde.state import Work, is_over
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


def know(work: Work) -> Exploring:
    """What the exploration remembers now."""
    assert work.explore is not None
    return work.explore


def note(work: Work, **changes: object) -> None:
    """Change what the exploration remembers."""
    work.explore = msgspec.structs.replace(know(work), **changes)


# -- the arrival ------------------------------------------------------------------------------------------


def begin(work: Work, hiding: Iterable[int]) -> None:
    """The exploration begins: those in hiding roll Sneak, unheard; heroes in anybody's view arrive as quietly as
    they can."""
    work.phase = "explore"
    work.explore = kindled(at_first(len(work.figures)), work.setup.fighters)
    hides = know(work).hides
    for who in hiding:
        if up(work.figures[who]) and not is_hero(work.setup, who):
            rank, adjustments = sneak_terms(work.done(), who)
            work.dice.thrower = work.fighter(who).id
            hides = put(hides, who, max(1, roll(work.dice, "Sneak", 2, rank, adjustments=adjustments).total))
    note(work, hides=hides)
    work.events.append(Began(what="exploration", number=1))
    _arrive(work)


def _arrive(work: Work) -> None:
    """Heroes in anybody's view or hearing have come as quietly as they can; each watcher has one attempt, against
    whoever of them it would notice most easily (R)."""
    here = [who for who in range(len(work.figures)) if is_hero(work.setup, who) and up(work.figures[who])]
    cells = {who: (work.figures[who].cell,) for who in here}
    here = [who for who in here if senses(work.done(), who, cells[who], SNEAKING)]
    for who in here:
        sneak(work, who)
    state, easiest = work.done(), dict[int, tuple[int, int, Sense]]()
    for who in here:
        for sense in senses(state, who, cells[who], SNEAKING):
            needed = (sense.rating or know(work).guise[who]) - sense.plus
            if sense.watcher not in easiest or needed < easiest[sense.watcher][0]:
                easiest[sense.watcher] = needed, who, sense
    found = [(who, sense) for _, (_, who, sense) in sorted(easiest.items())]
    noticed = [sense for who, sense in found if _tries(work, who, sense)]
    tried = sum(1 << watcher for watcher in easiest)
    for who in here:
        note(work, tried=put(know(work).tried, who, know(work).tried[who] | tried))
    sprung: list[int] = []
    for who in here:
        _look_around(work, who, work.figures[who].cell)
        sprung += _springing(work.done(), who, work.figures[who].cell)
    if noticed or sprung:
        danger(work, noticed, list(dict.fromkeys(sprung)))


# -- noticing -----------------------------------------------------------------------------------------------


def sneak(work: Work, who: int) -> None:
    """Roll Sneak: the total is what whoever might notice has to reach from now on."""
    rank, adjustments = sneak_terms(work.done(), who)
    name = work.fighter(who).id
    work.dice.thrower = name
    rolled = roll(work.dice, "Sneak (Finesse)", 2, rank, adjustments=adjustments)
    work.events.append(
        Contest(by=name, target=name, what="Sneak", rolls=(rolled,), success=True, note="keeps out of sight")
    )
    note(work, guise=put(know(work).guise, who, max(0, rolled.total)), tried=put(know(work).tried, who, 0))


def go(work: Work, who: int, way: Sequence[int], manner: Manner) -> tuple[int, list[Sense], list[int]]:
    """Who notices whom on a way: (spaces of it that are gone, who noticed and how, who sprang from hiding).

    Nobody is moved here. The way ends where somebody notices or springs.
    """
    if manner is SNEAKING:
        sneak(work, who)
    elif manner is not HIDDEN:
        note(work, guise=put(know(work).guise, who, OPENLY))
    found, at = senses(work.done(), who, way, manner), 0
    for step, cell in enumerate(way):
        _look_around(work, who, cell)
        sprung = _springing(work.done(), who, cell)
        if sprung:
            return step + 1, [], sprung
        noticed = []
        while at < len(found) and found[at].step == step:
            if _tries(work, who, found[at]):
                noticed.append(found[at])
            at += 1
        if noticed:
            return step + 1, noticed, []
    return len(way), [], []


def heed(work: Work, heroes: Iterable[int]) -> None:
    """Doors open, lights go on: whoever is in sight now and was not before may be noticed where it stands."""
    for who in heroes:
        if work.phase != "explore" or not is_hero(work.setup, who) or work.figures[who].hp <= 0:
            continue
        cell = work.figures[who].cell
        noticed, sprung = _standing(work, who, cell)
        if noticed or sprung:
            danger(work, noticed, sprung)


def _standing(work: Work, who: int, cell: int) -> tuple[list[Sense], list[int]]:
    state = work.done()
    noticed = [s for s in senses(state, who, (cell,), guise_of(state, who)) if _tries(work, who, s)]
    _look_around(work, who, cell)
    return noticed, _springing(work.done(), who, cell)


def _tries(work: Work, who: int, sense: Sense) -> bool:
    """One watcher's attempt; failing by two ranks it is off its guard at the next (R)."""
    if sense.rating == SURE:
        return True
    name, hero = work.fighter(sense.watcher), work.fighter(who)
    rating = sense.rating or know(work).guise[who]
    work.dice.thrower = name.id
    result = check(work.dice, "Alertness (Savvy)", sense.rank, rating, sense.adjustments)
    work.events.append(result.event(name.id, f"Alertness against {hero.name}"))
    bit, exploring = 1 << sense.watcher, know(work)
    dulled = exploring.dulled | bit if result.ranks <= -2 else exploring.dulled & ~bit
    note(work, dulled=dulled, tried=put(exploring.tried, who, exploring.tried[who] | bit))
    return result.success


# -- ambush -------------------------------------------------------------------------------------------------


def _look_around(work: Work, who: int, cell: int) -> None:
    """A hero that comes within 6 spaces of somebody in hiding, in its sight, has one chance to find it.

    Of an attempt in vain nothing is told.
    """
    exploring = know(work)
    if not any(exploring.hides):
        return
    state = work.done()
    for other, total in enumerate(exploring.hides):
        if not total or exploring.spotted >> other & 1 or know(work).looked[who] >> other & 1:
            continue
        if distance_of(state, other, who, cell) > FAR or in_view(state, other, who, cell) is Grade.NONE:
            continue
        note(work, looked=put(know(work).looked, who, know(work).looked[who] | 1 << other))
        fighter = work.fighter(who)
        result = skill_check(work.dice, work.setup, fighter, work.figures[who], "Alertness", total)
        if result.success:
            work.events.append(result.event(fighter.id, "Alertness"))
            spot(work, who, other)


def spot(work: Work, who: int, other: int) -> None:
    """A hero finds somebody in hiding, and the others know of it."""
    note(work, spotted=know(work).spotted | 1 << other)
    finder, found = work.fighter(who), work.fighter(other)
    work.events.append(Note(text=f"{finder.name} spots {found.name} lying in wait.", by=finder.id))


def _springing(state: OldeState, who: int, cell: int) -> list[int]:
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
    work: Work, noticed: Sequence[Sense] = (), sprung: Sequence[int] = (), *, loud: bool = False
) -> None:
    """It comes to blows: the first reset follows, and those caught unaware get exactly 1 AP in it (olde.md §4).

    Who noticed is ready, and so are those of its side who are awake and see or hear it; with `loud` everybody awake.
    Who lay in hiding is ready; those it springs at are not.
    """
    state = work.done()
    alert = [s.watcher for s in noticed] + list(sprung)
    everybody = loud or any(_alarms(work, sense) for sense in noticed)
    ready = {i for i in range(len(work.figures)) if know(work).hides[i]}
    for other in watchers(state):
        awake = looks(state, other)
        if other in alert or (awake and (everybody or any(_hears(state, other, one) for one in alert))):
            ready.add(other)
    caught = 0
    for i, figure in enumerate(work.figures):
        unaware = bool(sprung) if is_hero(work.setup, i) else i not in ready
        if unaware and figure.hp > 0:
            caught |= 1 << i
    for sense in noticed:
        _tell(work, sense.watcher)
    for other in sprung:
        work.events.append(
            Note(text=f"{work.fighter(other).name} springs from hiding!", by=work.fighter(other).id)
        )
    work.phase, work.chance, work.reset_at = "reset", None, 0
    note(work, caught=caught, done=0)
    work.events.append(Began(what="fight"))
    _tell_caught(work, caught)


def _tell_caught(work: Work, caught: int) -> None:
    """Who is caught unaware: in fog of war each side learns it only of its own and of those whom it sees."""
    everybody = [i for i in range(len(work.figures)) if caught >> i & 1]
    told = Note(text=_caught(work, everybody) or "Nobody is caught unaware.")
    if not (work.setup.fog and everybody):
        work.events.append(told)
        return
    state, whole, parts = work.done(), list[str](), list[tuple[str, Note]]()
    for side in dict.fromkeys(fighter.side for fighter in work.setup.fighters):
        seen = observe(state, side).figures
        known = [i for i in everybody if seen[i].cell >= 0]
        if known == everybody:
            whole.append(side)
        else:
            parts.append((side, Note(text=_caught(work, known) or "Nobody in sight is caught unaware.")))
    work.events.append(msgspec.structs.replace(told, seen_by=tuple(whole) or ("",)) if parts else told)
    work.events += [in_part(note, (side,), whole) for side, note in parts]


def _caught(work: Work, whom: Sequence[int]) -> str:
    return f"Caught unaware: {_listed([work.fighter(i).name for i in whom])}." if whom else ""


def _listed(names: Sequence[str]) -> str:
    """`Goblin (3) and Orc`."""
    counted = [f"{n} ({names.count(n)})" if names.count(n) > 1 else n for n in dict.fromkeys(names)]
    return " and ".join([part for part in (", ".join(counted[:-1]), counted[-1]) if part])


def _tell(work: Work, watcher: int) -> None:
    fighter = work.fighter(watcher)
    if asleep(work.done(), watcher):
        wake(work, watcher, "a sound")
    work.events.append(Note(text=f"{fighter.name} is alarmed!", by=fighter.id))


def _alarms(work: Work, sense: Sense) -> bool:
    """Whether a watcher noticed so well that it rouses everybody."""
    name = work.fighter(sense.watcher).id
    last = next((e for e in reversed(work.events) if isinstance(e, Check) and e.by == name), None)
    return last is not None and last.ranks >= ALARM


def _hears(state: OldeState, other: int, one: int) -> bool:
    """Whether somebody is warned by another of its side."""
    fighters = state.setup.fighters
    if fighters[other].side != fighters[one].side:
        return False
    cell = state.figures[one].cell
    return distance_of(state, other, one, cell) <= SHOUT or in_view(state, other, one, cell) is not Grade.NONE


# -- minutes ------------------------------------------------------------------------------------------------


def exploring(work: Work) -> bool:
    """Go on until some hero may do something (True), or it is a fight or over (False)."""

    for _ in range(PATIENCE):
        if work.phase != "explore":
            return False
        if is_over(work):
            work.phase = "action"
            return False
        if len(work.figures) > len(know(work).guise):
            _make_room(work)
        if waiting(work.done()):
            return True
        _pass_minute(work)
    danger(work)
    return False


def _make_room(work: Work) -> None:
    """Somebody has joined those on the board, torn in two by a trap or called: the rows grow with them."""
    now, more = know(work), at_first(len(work.figures) - len(know(work).guise))
    rows = ("busy", "guise", "tried", "hides", "looked", "leg", "burning", "spares")
    note(work, **{row: getattr(now, row) + getattr(more, row) for row in rows})


def spend_minutes(work: Work, who: int, minutes: int) -> None:
    """Somebody has begun what takes so many minutes, this one included."""
    if minutes:
        note(work, done=know(work).done | 1 << who, busy=put(know(work).busy, who, minutes - 1))


def _pass_minute(work: Work) -> None:
    """A minute is over: whoever bleeds or dies loses 1 HP, what lasts some resets wears off, lights burn down."""
    everybody = range(len(work.figures))
    for who in everybody:
        per_turn(work, who)
    for who in everybody:
        if work.figures[who].temp_defense or work.figures[who].temp_block:
            work.change(who, temp_defense=0, temp_block=0)
    for _ in range(RESETS):
        if work.zones or any(figure.effects for figure in work.figures):
            tick(work)
    for who in everybody:
        if work.figures[who].hp > -work.fighter(who).hp_max and not asleep(work.done(), who):
            recovery(work, who, reset=False)
    if work.setup.obstacles is not None:
        _in_water(work)
    burn(work)
    before = know(work)
    busy = tuple(max(0, left - 1) for left in before.busy)
    done = sum(1 << who for who in everybody if before.busy[who])
    note(work, minute=before.minute + 1, busy=busy, done=done)
    work.events.append(Began(what="minute", number=before.minute + 1))
    for who in walkers(work.done()):
        if work.phase == "explore" and walk(work, who):
            heed(work, everybody)


def _in_water(work: Work) -> None:
    """Who is under water struggles reset by reset."""
    for _ in range(RESETS):
        drown(work)
        struggle(work)


def slip_away(work: Work) -> None:
    """The party leaves, and nobody has noticed it: that is the end of it."""
    work.phase, work.chance, work.winner = "over", None, PARTY
    work.events.append(Over(winner=PARTY, because="slipped past"))

"""Exploration: minutes in which each hero does one thing, until somebody notices somebody (olde.md §8).

Where watchers see or hear is in notice.py, what heroes may do in kinds.py; this is the course of it: the arrival, ways
and who notices whom on them, ambushes, the minutes, lights that burn down, and the moment when it comes to blows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from rules.board.sight import Grade
from rules.contract.events import Began, Check, Contest, Item, Note, Over
from rules.contract.ruleset import PARTY
from rules.contract.text import Term, joined, text
from rules.contract.units import Cell, CreatureIx, first_creatures, numbered
from rules.core.visibility import in_part
from rules.olde.actions.climbing import drown, struggle
from rules.olde.challenges.checks import Terms, terms_of
from rules.olde.combat.outcomes import per_turn, recovery
from rules.olde.conditions import tick, wake
from rules.olde.explore import notice
from rules.olde.explore.notice import Manner, Sense
from rules.olde.state import OPENLY, Because, Exploring, OldeState, Phase, Resolution, able, is_over, move, put, rows_of
from rules.olde.visibility import is_hero, observe, waiting

RESETS = 10
"""Resets that a minute counts for whatever lasts so many of them (R)."""
SHOUT = 6
"""Spaces within which those of its side who are awake hear the alarm of one that notices (R)."""
ALARM = 3
"""Ranks of success with which a watcher alarms everybody awake (R)."""
PATIENCE = 240
"""Minutes without anybody who could act, after which the fight begins all the same."""


def note(resolution: Resolution, **changes: object) -> None:
    """Change what the exploration remembers."""
    resolution.explore = msgspec.structs.replace(resolution.exploring, **changes)


def mark(resolution: Resolution, who: CreatureIx, **values: int) -> None:
    """Change what the exploration remembers of one creature, in some of its rows."""
    note(resolution, **{row: put(getattr(resolution.exploring, row), who, value) for row, value in values.items()})


# -- the arrival ------------------------------------------------------------------------------------------


def begin(resolution: Resolution, hiding: Iterable[CreatureIx]) -> None:
    """The exploration begins: those in hiding roll Sneak, unheard; heroes in anybody's view arrive as quietly as
    they can."""
    resolution.phase = Phase.EXPLORE
    resolution.explore = Exploring()
    note(resolution, **rows_of(resolution.setup.fighters))
    for who, fighter in numbered(resolution.setup.fighters):
        if fighter.light:
            mark(resolution, who, burning=FUELS[fighter.lamp].minutes, spares=fighter.spares)
    for who in hiding:
        if able(resolution.figures[who]) and not is_hero(resolution.setup, who):
            hidden = terms_of(resolution, who, "Sneak")._replace(label="Sneak").roll(resolution.dice)
            mark(resolution, who, hides=max(1, hidden.total))
    resolution.events.append(Began(what="exploration", number=1))
    _arrive(resolution)


def _arrive(resolution: Resolution) -> None:
    """Heroes in anybody's view or hearing have come as quietly as they can; each watcher has one attempt, against
    whoever of them it would notice most easily (R)."""
    heroes = [who for who, figure in numbered(resolution.figures) if is_hero(resolution.setup, who) and able(figure)]
    cells = {who: (resolution.figures[who].cell,) for who in heroes}
    here = [who for who in heroes if notice.senses(resolution.done(), who, cells[who], notice.SNEAKING)]
    for who in here:
        sneak(resolution, who)
    state, easiest = resolution.done(), dict[CreatureIx, tuple[int, CreatureIx, Sense]]()
    for who in here:
        for sense in notice.senses(state, who, cells[who], notice.SNEAKING):
            needed = (sense.rating or resolution.exploring.guise[who]) - sense.plus
            if sense.watcher not in easiest or needed < easiest[sense.watcher][0]:
                easiest[sense.watcher] = needed, who, sense
    found = [(who, sense) for _, (_, who, sense) in sorted(easiest.items())]
    noticed = [sense for who, sense in found if _tries(resolution, who, sense)]
    tried = sum(1 << watcher for watcher in easiest)
    for who in here:
        mark(resolution, who, tried=resolution.exploring.tried[who] | tried)
    sprung: list[CreatureIx] = []
    for who in here:
        sprung += _springing(resolution, who, resolution.figures[who].cell)
    if noticed or sprung:
        danger(resolution, noticed, list(dict.fromkeys(sprung)))


# -- noticing -----------------------------------------------------------------------------------------------


def sneak(resolution: Resolution, who: CreatureIx) -> None:
    """Roll Sneak: the total is what whoever might notice has to reach from now on."""
    name, rolled = resolution.fighter(who).id, terms_of(resolution, who, "Sneak").roll(resolution.dice)
    resolution.events.append(
        Contest(by=name, target=name, what="Sneak", rolls=(rolled,), success=True, note="keeps out of sight")
    )
    mark(resolution, who, guise=max(0, rolled.total), tried=0)


def go(
    resolution: Resolution, who: CreatureIx, way: Sequence[Cell], manner: Manner
) -> tuple[int, list[Sense], list[CreatureIx]]:
    """Who notices whom on a way: (spaces of it that are gone, who noticed and how, who sprang from hiding).

    Nobody is moved here. The way ends where somebody notices or springs.
    """
    if manner is notice.SNEAKING:
        sneak(resolution, who)
    elif manner is not notice.HIDDEN:
        mark(resolution, who, guise=OPENLY)
    found = notice.senses(resolution.done(), who, way, manner)
    for step, cell in enumerate(way):
        if sprung := _springing(resolution, who, cell):
            return step + 1, [], sprung
        if noticed := [sense for sense in found if sense.step == step and _tries(resolution, who, sense)]:
            return step + 1, noticed, []
    return len(way), [], []


def heed(resolution: Resolution, heroes: Iterable[CreatureIx]) -> None:
    """Doors open, lights go on: whoever is in sight now and was not before may be noticed where it stands."""
    for who in heroes:
        figure = resolution.figures[who]
        if resolution.phase is not Phase.EXPLORE or not is_hero(resolution.setup, who) or figure.hp <= 0:
            continue
        state = resolution.done()
        found = notice.senses(state, who, (figure.cell,), notice.guise_of(state, who))
        noticed = [sense for sense in found if _tries(resolution, who, sense)]
        sprung = _springing(resolution, who, figure.cell)
        if noticed or sprung:
            danger(resolution, noticed, sprung)


def _tries(resolution: Resolution, who: CreatureIx, sense: Sense) -> bool:
    """One watcher's attempt; failing by two ranks it is off its guard at the next (R)."""
    if sense.rating == notice.SURE:
        return True
    name, hero = resolution.fighter(sense.watcher), resolution.fighter(who)
    rating = sense.rating or resolution.exploring.guise[who]
    result = Terms(name.id, "Alertness (Savvy)", sense.rank, sense.adjustments).check(resolution.dice, rating)
    resolution.events.append(result.event(name.id, text("Alertness against {name}", hero.called)))
    bit, exploring = 1 << sense.watcher, resolution.exploring
    dulled = exploring.dulled | bit if result.ranks <= -2 else exploring.dulled & ~bit
    note(resolution, dulled=dulled)
    mark(resolution, who, tried=exploring.tried[who] | bit)
    return result.success


# -- ambush -------------------------------------------------------------------------------------------------


def _springing(resolution: Resolution, who: CreatureIx, cell: Cell) -> list[CreatureIx]:
    """Those in hiding whose moment has come: a hero is where they could strike at once.

    Before that a hero that comes within 6 spaces of somebody in hiding, in its sight, has one chance to find it. Of an
    attempt in vain nothing is told.
    """
    exploring = resolution.exploring
    if not any(exploring.hides):
        return []
    state, springing = resolution.done(), []
    for other, total in numbered(exploring.hides):
        if not total or notice.in_view(state, other, who, cell) is Grade.NONE:
            continue
        away, looked = notice.distance_of(state, other, who, cell), resolution.exploring.looked[who]
        if away <= notice.FAR and not (exploring.spotted | looked) >> other & 1:
            mark(resolution, who, looked=looked | 1 << other)
            result = terms_of(resolution, who, "Alertness").check(resolution.dice, total)
            if result.success:
                resolution.events.append(result.event(resolution.fighter(who).id, "Alertness"))
                spot(resolution, who, other)
        if able(state.figures[other]) and away <= pounce(state, other):
            springing.append(other)
    return springing


def spot(resolution: Resolution, who: CreatureIx, other: CreatureIx) -> None:
    """A hero finds somebody in hiding, and the others know of it."""
    note(resolution, spotted=resolution.exploring.spotted | 1 << other)
    finder, found = resolution.fighter(who), resolution.fighter(other)
    resolution.events.append(
        Note(text=text("{finder} spots {found} lying in wait.", finder.called, found.called), by=finder.id)
    )


def pounce(state: OldeState, other: CreatureIx) -> int:
    """Spaces at which somebody in hiding springs: its reach and its free steps, or a shot of base range up to 6."""
    fighter, hands = state.setup.fighters[other], state.figures[other].hands
    armoury, far = state.setup.armoury.weapons, 1
    for item in (*hands, *fighter.weapons):
        if item not in armoury or not (item in hands or armoury[item].natural):
            continue
        for mode in armoury[item].modes:
            far = max(far, min(notice.FAR, mode.base) if mode.ranged else mode.far + fighter.allowance)
    return far


# -- danger -------------------------------------------------------------------------------------------------


def danger(
    resolution: Resolution, noticed: Sequence[Sense] = (), sprung: Sequence[CreatureIx] = (), *, loud: bool = False
) -> None:
    """It comes to blows: the first reset follows, and those caught unaware get exactly 1 AP in it (olde.md §4).

    Who noticed is ready, and so are those of its side who are awake and see or hear it; with `loud` everybody awake.
    Who lay in hiding is ready; those it springs at are not.
    """
    state = resolution.done()
    alert = [s.watcher for s in noticed] + list(sprung)
    checks = {event.by: event.ranks for event in resolution.events if isinstance(event, Check)}  # the last of each
    everybody = loud or any(checks.get(resolution.fighter(s.watcher).id, 0) >= ALARM for s in noticed)
    ready = {i for i in first_creatures(len(resolution.figures)) if resolution.exploring.hides[i]}
    for other in notice.watchers(state):
        awake = notice.looks(state, other)
        if other in alert or (awake and (everybody or any(_hears(state, other, one) for one in alert))):
            ready.add(other)
    up = [i for i, figure in numbered(resolution.figures) if figure.hp > 0]
    caught = [i for i in up if (bool(sprung) if is_hero(resolution.setup, i) else i not in ready)]
    for sense in noticed:
        watcher = resolution.fighter(sense.watcher)
        if notice.asleep(resolution.done(), sense.watcher):
            wake(resolution, sense.watcher, "a sound")
        resolution.events.append(Note(text=text("{name} is alarmed!", watcher.called), by=watcher.id))
    for other in sprung:
        ambusher = resolution.fighter(other)
        resolution.events.append(Note(text=text("{name} springs from hiding!", ambusher.called), by=ambusher.id))
    resolution.phase, resolution.chance, resolution.reset_at = Phase.RESET, None, 0
    note(resolution, caught=sum(1 << i for i in caught), done=0)
    resolution.events.append(Began(what="fight"))
    _tell_caught(resolution, caught)


def _tell_caught(resolution: Resolution, everybody: list[CreatureIx]) -> None:
    """Who is caught unaware: in fog of war each side learns it only of its own and of those whom it sees."""
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


def _caught(resolution: Resolution, whom: Sequence[CreatureIx]) -> str:
    """`Caught unaware: Goblin (3) and Orc.`"""
    names = [resolution.fighter(i).called for i in whom]
    counted = [text("{name} ({count})", n, names.count(n)) if names.count(n) > 1 else n for n in dict.fromkeys(names)]
    listed = joined(" and ", [part for part in (joined(", ", counted[:-1]), *counted[-1:]) if part])
    return text("Caught {unaware}: {listed}.", Term("unaware"), listed) if whom else ""


def _hears(state: OldeState, other: CreatureIx, one: CreatureIx) -> bool:
    """Whether somebody is warned by another of its side."""
    fighters, cell = state.setup.fighters, state.figures[one].cell
    if fighters[other].side != fighters[one].side:
        return False
    near = notice.distance_of(state, other, one, cell) <= SHOUT
    return near or notice.in_view(state, other, one, cell) is not Grade.NONE


# -- minutes ------------------------------------------------------------------------------------------------


def exploring(resolution: Resolution) -> bool:
    """Go on until some hero may do something (True), or it is a fight or over (False)."""
    for _ in range(PATIENCE):
        if resolution.phase is not Phase.EXPLORE:
            return False
        if is_over(resolution):
            resolution.phase = Phase.ACTION
            return False
        if more := resolution.setup.fighters[len(resolution.exploring.guise) :]:
            # somebody has joined those on the board, torn in two by a trap or called: the rows grow with them
            rows = {row: getattr(resolution.exploring, row) + value for row, value in rows_of(more).items()}
            note(resolution, **rows)
        if waiting(resolution.done()):
            return True
        _pass_minute(resolution)
    danger(resolution)
    return False


def spend_minutes(resolution: Resolution, who: CreatureIx, minutes: int) -> None:
    """Somebody has begun what takes so many minutes, this one included."""
    if minutes:
        note(resolution, done=resolution.exploring.done | 1 << who)
        mark(resolution, who, busy=minutes - 1)


def _pass_minute(resolution: Resolution) -> None:
    """A minute is over: whoever bleeds or dies loses 1 HP, what lasts some resets wears off, lights burn down."""
    everybody = first_creatures(len(resolution.figures))
    for who in everybody:
        per_turn(resolution, who)
    for who, figure in numbered(resolution.figures):
        if figure.temp_defense or figure.temp_block:
            resolution.change(who, temp_defense=0, temp_block=0)
    for _ in range(RESETS):
        if resolution.zones or any(figure.effects for figure in resolution.figures):
            tick(resolution)
    for who in everybody:
        if resolution.figures[who].hp > -resolution.fighter(who).hp_max and not notice.asleep(resolution.done(), who):
            recovery(resolution, who, reset=False)
    for _ in range(RESETS if resolution.setup.obstacles is not None else 0):  # who is under water struggles
        drown(resolution)
        struggle(resolution)
    burn(resolution)
    before = resolution.exploring
    busy = tuple(max(0, left - 1) for left in before.busy)
    done = sum(1 << who for who in everybody if before.busy[who])
    note(resolution, minute=before.minute + 1, busy=busy, done=done)
    resolution.events.append(Began(what="minute", number=before.minute + 1))
    for who in notice.walkers(resolution.done()):
        if resolution.phase is Phase.EXPLORE and _walk(resolution, who):
            heed(resolution, everybody)


def _walk(resolution: Resolution, who: CreatureIx) -> bool:
    """A walker takes its way; False where it stays. Everybody it sees then is new to it."""
    way, leg = notice.coming(resolution.done(), who)
    if way:
        move(resolution, who, way, "walk")
        tried = tuple(bits & ~(1 << who) for bits in resolution.exploring.tried)
        note(resolution, leg=put(resolution.exploring.leg, who, leg), tried=tried)
    return bool(way)


def slip_away(resolution: Resolution) -> None:
    """The party leaves, and nobody has noticed it: that is the end of it."""
    resolution.phase, resolution.chance, resolution.winner = Phase.OVER, None, PARTY
    resolution.events.append(Over(winner=PARTY, because=Because.SLIPPED_PAST.value))


# -- lights -------------------------------------------------------------------------------------------------
# A minute lights a torch or lantern; both burn until they are out or are put out. The rules name no span, so it is our
# ruling: whoever carries a light has something to light it anew with, watchers look after their own, and a fight is too
# short to count.

LIGHTS = "olde.md §8 lights"


class Fuel(NamedTuple):
    """How long a light burns, and what it is lit anew with."""

    minutes: int
    one: str
    many: str


FUELS: dict[str, Fuel] = {
    "torch": Fuel(45, "one more torch", "more torches"),
    "lantern": Fuel(360, "one flask of oil", "flasks of oil"),
}
"""Kind of light -> its span (R)."""
LOW = 5
"""Minutes left of which its bearer is warned."""


def burns(at: OldeState | Resolution, who: CreatureIx) -> bool:
    """Whether somebody's own light burns now."""
    return at.setup.fighters[who].light > 0 and not (at.explore is not None and at.explore.unlit >> who & 1)


def light_up(resolution: Resolution, who: CreatureIx) -> None:
    """Light what is out: as much of it as is left, or else a new torch, another flask of oil."""
    exploring, lamp = resolution.exploring, resolution.fighter(who).lamp
    if not exploring.burning[who]:
        mark(resolution, who, burning=FUELS[lamp].minutes, spares=exploring.spares[who] - 1)
    note(resolution, unlit=exploring.unlit & ~(1 << who))
    resolution.events.append(Item(by=resolution.fighter(who).id, item=lamp, how="lit"))


def put_out(resolution: Resolution, who: CreatureIx) -> None:
    """Put it out; what is left of it is kept."""
    note(resolution, unlit=resolution.exploring.unlit | 1 << who)
    resolution.events.append(Item(by=resolution.fighter(who).id, item=resolution.fighter(who).lamp, how="put_out"))


def burn(resolution: Resolution) -> None:
    """A minute of every hero's burning light is gone; one that is used up goes out. A fallen bearer's burns on."""
    for who, figure in numbered(resolution.figures):
        exploring, fighter = resolution.exploring, resolution.fighter(who)
        left = exploring.burning[who] - 1
        if not is_hero(resolution.setup, who) or not burns(resolution, who) or figure.cell < 0 or left < 0:
            continue
        mark(resolution, who, burning=left)
        if left in (0, LOW):
            resolution.events.append(Item(by=fighter.id, item=fighter.lamp, how="low" if left else "burnt_out"))
        if not left:
            note(resolution, unlit=exploring.unlit | 1 << who)


def left_of(state: OldeState, who: CreatureIx) -> str:
    """How long somebody's light burns still, and what is there to light it anew: `5 h 12 min · one flask of oil`."""
    exploring, fuel = state.exploring, FUELS[state.setup.fighters[who].lamp]
    minutes, spares = exploring.burning[who], exploring.spares[who]
    if minutes >= 60:
        lasts: str = text("{hours} h {minutes} min", minutes // 60, minutes % 60)
    else:
        lasts = text("{minutes} min", minutes) if minutes else "burnt out"
    if spares > 1:
        return text("{lasts} · {spares} {many}", lasts, spares, fuel.many)
    return text("{lasts} · {one}", lasts, fuel.one) if spares else lasts

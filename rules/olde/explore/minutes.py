"""Exploration under Dungeons of Olde: minutes in which each hero does one thing, until somebody notices somebody
(olde.md §8). What all rulesets have alike is `rules.explore.course`; here are its times, throws and lights.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules.board.sight import Lamp
from rules.contract.actions import Action
from rules.contract.events import Challenge, Check, Contest, Event, Item, NoiseKind
from rules.contract.text import Creature, ntext, text
from rules.contract.units import Bitboard, Cell, CreatureIx, first_creatures, numbered
from rules.core import odds as dist
from rules.core.dice import roll
from rules.core.secrets import Stands
from rules.explore.course import FAR
from rules.explore.meeting import Meeting
from rules.explore.procedure import Manner, Sensed
from rules.explore.state import Attitude
from rules.olde.actions.climbing import drown, struggle
from rules.olde.actions.hands import set_door
from rules.olde.challenges.checks import EASY, HARD, RATINGS, Terms, skill_terms, terms_of
from rules.olde.combat.outcomes import per_turn, recovery
from rules.olde.conditions import tick, wake
from rules.olde.explore import notice
from rules.olde.explore.notice import Sense
from rules.olde.state import STANDING, Fighter, OldeState, Phase, Resolution, able, is_over, move, occupied
from rules.olde.traits import Undead
from rules.olde.visibility import glance, lamps, observe, sees

RESETS = 10
"""Resets that a minute counts for whatever lasts so many of them (R)."""
EARS, ASLEEP_EARS = -3, -6
"""Alertness by ear alone, and of sleepers (R)."""
WITS = 3
"""Savvy of whoever can be talked to (R)."""
MISSED = 2
"""By so much a check may fail without two ranks of failure."""
ALARM = 3
"""Ranks of success with which a watcher alarms everybody awake (R)."""


def label_of(minutes: int) -> str:
    """`2 minutes`."""
    return "no time" if not minutes else ntext(minutes, "{n} minute", "{n} minutes")


class Minutes(Meeting[Resolution]):
    """The course of minutes."""

    turn = "minute"
    tile = pace = notice.TILE
    sneaking, hidden, still = notice.SNEAKING, notice.HIDDEN, notice.STILL

    def bodies(self, at: OldeState | Resolution) -> Sequence[Fighter]:
        return at.setup.fighters

    def named(self, at: OldeState | Resolution, who: CreatureIx) -> Creature:
        return at.setup.fighters[who].called

    def able(self, at: OldeState | Resolution, who: CreatureIx) -> bool:
        return able(at.figures[who])

    def up(self, at: OldeState | Resolution, who: CreatureIx) -> bool:
        figure = at.figures[who]
        return figure.hp > 0 and not figure.gone and not (at.aims is not None and at.aims.out >> who & 1)

    def asleep(self, at: OldeState | Resolution, who: CreatureIx) -> bool:
        return notice.asleep(at, who)

    def looks(self, at: OldeState | Resolution, who: CreatureIx) -> bool:
        return notice.looks(at, who)

    # -- noticing

    def sees_in_dark(self, state: OldeState, who: CreatureIx) -> bool:
        return state.setup.fighters[who].dark_sight

    def bears_light(self, state: OldeState, who: CreatureIx) -> bool:
        return burns(state, who) and state.explore is not None

    def lamps(self, state: OldeState) -> tuple[Lamp, ...]:
        return lamps(state)

    def senses(self, state: OldeState, who: CreatureIx, way: Sequence[Cell], manner: Manner) -> list[Sense]:
        """How each watcher might notice somebody on a way, by space of the way, then in the record's order.

        Each has one attempt, where it would notice best; whoever sees somebody go openly needs none.
        """
        watchers = self.watchers_near(state, who, way, manner)
        found = (notice.sense_of(self.in_view, state, (watcher, who), way, manner) for watcher in watchers)
        return sorted(filter(None, found), key=lambda sense: (sense.step, sense.watcher))

    def needed(self, resolution: Resolution, who: CreatureIx, sense: Sensed) -> int:
        assert isinstance(sense, Sense)
        return (sense.rating or resolution.exploring.guise[who]) - sense.plus

    def tries(self, resolution: Resolution, who: CreatureIx, sense: Sensed) -> bool:
        """One watcher's attempt; failing by two ranks it is off its guard at the next (R)."""
        assert isinstance(sense, Sense)
        if sense.rating == notice.SURE:
            return True
        name = resolution.fighter(sense.watcher)
        rating = sense.rating or resolution.exploring.guise[who]
        result = Terms(name.id, "Alertness (Savvy)", sense.rank, sense.adjustments).check(resolution.dice, rating)
        self.tell_attempt(
            resolution, who, lambda sneaker: result.event(name.id, text("Alertness against {name}", sneaker))
        )
        bit, exploring = 1 << sense.watcher, resolution.exploring
        dulled = exploring.dulled | bit if result.ranks <= -2 else exploring.dulled & ~bit
        self.note(resolution, dulled=dulled)
        self.mark(resolution, who, tried=exploring.tried[who] | bit)
        return result.success

    def sneak(self, resolution: Resolution, who: CreatureIx) -> None:
        """Roll Sneak: the total is what whoever might notice has to reach from now on."""
        name, rolled = resolution.fighter(who).id, terms_of(resolution, who, "Sneak").roll(resolution.dice)
        resolution.events.append(
            Contest(by=name, target=name, what="Sneak", rolls=(rolled,), success=True, note="keeps out of sight")
        )
        self.mark(resolution, who, guise=max(0, rolled.total), tried=0)

    def hide(self, resolution: Resolution, who: CreatureIx) -> int:
        return terms_of(resolution, who, "Sneak")._replace(label="Sneak").roll(resolution.dice).total

    def finds(self, resolution: Resolution, who: CreatureIx, total: int) -> bool:
        result = terms_of(resolution, who, "Alertness").check(resolution.dice, total)
        if result.success:
            resolution.events.append(result.event(resolution.fighter(who).id, "Alertness"))
        return result.success

    def pounce(self, state: OldeState, other: CreatureIx) -> int:
        return pounce(state, other)

    def alarms(self, resolution: Resolution, watcher: CreatureIx) -> bool:
        """By its last check."""
        name = resolution.fighter(watcher).id
        ranks = [event.ranks for event in resolution.events if isinstance(event, Check) and event.by == name]
        return bool(ranks) and ranks[-1] >= ALARM

    # -- what changes

    def move(self, resolution: Resolution, who: CreatureIx, way: Sequence[Cell], mode: str) -> None:
        move(resolution, who, way, mode)

    def occupied(self, at: OldeState | Resolution, but: int = -1) -> Bitboard:
        return occupied(at, but)

    def wake(self, resolution: Resolution, who: CreatureIx) -> None:
        wake(resolution, who, "a sound")

    def walks(self, state: OldeState, who: CreatureIx) -> bool:
        return able(state.figures[who]) and state.figures[who].posture == STANDING and notice.looks(state, who)

    def set_out(self, resolution: Resolution) -> None:
        resolution.phase = Phase.EXPLORE

    def rows(self, resolution: Resolution, first: int) -> dict[str, tuple[int, ...]]:
        rows, more = super().rows(resolution, first), resolution.setup.fighters[first:]
        rows["burning"] = tuple(FUELS[fighter.lamp].minutes if fighter.light and not first else 0 for fighter in more)
        rows["spares"] = tuple(fighter.spares if fighter.light and not first else 0 for fighter in more)
        return rows

    def open_fight(self, resolution: Resolution, caught: Sequence[CreatureIx]) -> None:
        resolution.phase, resolution.chance, resolution.reset_at = Phase.RESET, None, 0

    def end(self, resolution: Resolution, winner: str) -> None:
        resolution.phase, resolution.chance, resolution.winner = Phase.OVER, None, winner

    def over(self, resolution: Resolution) -> None:
        resolution.phase = Phase.ACTION

    def close_fight(self, resolution: Resolution) -> None:
        resolution.chance, resolution.had, resolution.passed, resolution.pending = None, 0, 0, ()
        resolution.turn = resolution.round = resolution.reset_at = 0
        for who, figure in numbered(resolution.figures):
            if figure.ap or figure.free or figure.temp_defense or figure.temp_block:
                resolution.change(who, ap=0, ap_start=0, free=0, temp_defense=0, temp_block=0)

    def join(self, resolution: Resolution, who: CreatureIx) -> None:
        """It has its AP from the next reset on."""
        resolution.change(who, ap=0, ap_start=0, free=0)

    def sees(self, state: OldeState, side: str) -> Bitboard:
        return sees(state, side)

    def glance(self, state: OldeState, side: str, wanted: Bitboard) -> Bitboard:
        return glance(state, side, wanted)

    openly, noisy = notice.OPEN, notice.LOUD
    noise_rule = "olde.md §8 noise"

    def open_door(self, resolution: Resolution, who: CreatureIx, number: int) -> None:
        set_door(resolution, number, "open", resolution.fighter(who).id)

    def die(self, resolution: Resolution) -> int:
        return roll(resolution.dice, "wanderers", 1, 6, exploding=False).total

    def speaks(self, at: OldeState | Resolution, who: CreatureIx) -> bool:
        """Whoever bears arms and has its wits."""
        fighter, armoury = at.setup.fighters[who], at.setup.armoury.weapons
        armed = any(not armoury[name].natural for name in fighter.weapons if name in armoury)
        return armed and fighter.savvy >= WITS and fighter.traits.of(Undead) is None

    def hurt(self, state: OldeState, who: CreatureIx) -> bool:
        return 2 * state.figures[who].hp <= state.setup.fighters[who].hp_max

    def reaction(self, resolution: Resolution, who: CreatureIx) -> Attitude:
        return Attitude.HOSTILE

    def persuades(self, resolution: Resolution, who: CreatureIx, target: CreatureIx, *, coins: bool) -> int:
        """Negotiate against Hard, with coins against Easy; two ranks of failure make it worse (R)."""
        result = terms_of(resolution, who, "Negotiate").check(resolution.dice, EASY if coins else HARD)
        told = text("Negotiate with {name}", resolution.fighter(target).called)
        resolution.events.append(result.event(resolution.fighter(who).id, told))
        return 1 if result.success else -1 if result.ranks <= -2 else 0

    def persuading(self, state: OldeState, who: CreatureIx, target: CreatureIx, *, coins: bool) -> tuple[float, float]:
        rank, own = skill_terms(state.setup, state.setup.fighters[who], state.figures[who], "Negotiate")
        needed = (EASY if coins else HARD) - sum(each.value for each in own)
        good = dist.chance_at_least(2, rank, needed)
        return good, 1.0 - dist.chance_at_least(2, rank, needed - MISSED)

    def label_of(self, turns: int) -> str:
        return label_of(turns)

    def loud(self, events: Sequence[Event], action: Action | None) -> NoiseKind | None:
        """A trap that goes off, and what is done by strength alone."""
        if any(isinstance(event, Challenge) and event.state == Stands.SPRUNG for event in events):
            return NoiseKind.TRAP
        return NoiseKind.BREAKING if action is not None and action.option in notice.LOUDLY else None

    def held(self, state: OldeState, who: CreatureIx) -> str | None:
        posture = state.figures[who].posture
        return None if posture == STANDING else text("{posture}: Rise first", posture)

    def hearing(self, at: OldeState | Resolution, who: CreatureIx, distance: int) -> float:
        rank, plus, rating = self._ears(at, who, distance)
        return dist.chance_at_least(2, rank, rating - plus)

    def _ears(self, at: OldeState | Resolution, who: CreatureIx, distance: int) -> tuple[int, int, int]:
        """(rank of the two dice, adjustments, rating) by ear alone: Trivial within 6 spaces, one rating more for each 6
        beyond (R)."""
        rank, own = skill_terms(at.setup, at.setup.fighters[who], at.figures[who], "Alertness")
        plus = sum(each.value for each in own) + (ASLEEP_EARS if self.asleep(at, who) else EARS)
        return rank, plus, list(RATINGS.values())[min(len(RATINGS) - 1, distance // FAR)]

    def hears(self, resolution: Resolution, who: CreatureIx, distance: int) -> bool:
        rank, plus, rating = self._ears(resolution, who, distance)
        thrown = roll(resolution.dice, "Alertness", 2, rank, by=resolution.fighter(who).id)
        return thrown.total + plus >= rating

    def exploring_now(self, at: OldeState | Resolution) -> bool:
        return at.phase is Phase.EXPLORE

    def is_over(self, resolution: Resolution) -> bool:
        return is_over(resolution)

    def observed(self, state: OldeState, side: str) -> OldeState:
        return observe(state, side)

    def fog(self, at: OldeState | Resolution) -> bool:
        return at.setup.fog

    def pass_turn(self, resolution: Resolution) -> None:
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
            awake = resolution.figures[who].hp > -resolution.fighter(who).hp_max and not notice.asleep(resolution, who)
            if awake:
                recovery(resolution, who, reset=False)
        for _ in range(RESETS if resolution.setup.obstacles is not None else 0):  # who is under water struggles
            drown(resolution)
            struggle(resolution)
        burn(resolution)
        self.wandering(resolution)


MINUTES = Minutes()


def pounce(state: OldeState, other: CreatureIx) -> int:
    """Spaces at which somebody in hiding springs: its reach and its free steps, or a shot of base range up to 6."""
    fighter, hands = state.setup.fighters[other], state.figures[other].hands
    armoury, far = state.setup.armoury.weapons, 1
    for item in (*hands, *fighter.weapons):
        if item not in armoury or not (item in hands or armoury[item].natural):
            continue
        for mode in armoury[item].modes:
            far = max(far, min(FAR, mode.base) if mode.ranged else mode.far + fighter.allowance)
    return far


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
        MINUTES.mark(resolution, who, burning=FUELS[lamp].minutes, spares=exploring.spares[who] - 1)
    MINUTES.note(resolution, unlit=exploring.unlit & ~(1 << who))
    resolution.events.append(Item(by=resolution.fighter(who).id, item=lamp, how="lit"))


def put_out(resolution: Resolution, who: CreatureIx) -> None:
    """Put it out; what is left of it is kept."""
    MINUTES.note(resolution, unlit=resolution.exploring.unlit | 1 << who)
    resolution.events.append(Item(by=resolution.fighter(who).id, item=resolution.fighter(who).lamp, how="put_out"))


def burn(resolution: Resolution) -> None:
    """A minute of every hero's burning light is gone; one that is used up goes out. A fallen bearer's burns on."""
    for who, figure in numbered(resolution.figures):
        exploring, fighter = resolution.exploring, resolution.fighter(who)
        left = exploring.burning[who] - 1
        if not MINUTES.is_hero(resolution, who) or not burns(resolution, who) or figure.cell < 0 or left < 0:
            continue
        MINUTES.mark(resolution, who, burning=left)
        if left in (0, LOW):
            resolution.events.append(Item(by=fighter.id, item=fighter.lamp, how="low" if left else "burnt_out"))
        if not left:
            MINUTES.note(resolution, unlit=exploring.unlit | 1 << who)


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

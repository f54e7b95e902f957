"""The course of minutes: who notices whom by the skills of the sheet, how a fight opens and ends (countup.md §2.12).

Whoever sneaks throws a d100 once: to it counts sneaking against ears, hiding against eyes. Each watcher throws a d100
and adds listening or observation; it notices who has less. How far and how well is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from rules.board.grid import Terrain
from rules.board.sight import Grade, Lamp
from rules.contract.actions import Action
from rules.contract.events import Challenge, Check, Contest, Event, Healing, NoiseKind, Over
from rules.contract.ruleset import Odds, Share
from rules.contract.text import Creature, ntext, text
from rules.contract.units import EMPTY, INSTANT, Bitboard, Cell, CreatureIx, Seconds, numbered
from rules.core.secrets import Stands, snares
from rules.countup import hazards, skills
from rules.countup.actions.objects import set_door
from rules.countup.combat.initiative import initiative, rouse
from rules.countup.combat.injury import tell_moved
from rules.countup.conditions import ASLEEP, HELPLESS, PRONE, expire
from rules.countup.penetration import Die, roll
from rules.countup.state import FOREVER, Being, CountState, Figure, Phase, Resolution
from rules.countup.visibility import glance, lamps, observe, sees
from rules.explore.course import FAR, explored
from rules.explore.meeting import Meeting
from rules.explore.procedure import Manner, Sensed
from rules.explore.state import Attitude

NOTICING = "countup.md §2.12 Noticing"
MINUTE = Seconds(60)
TILE = 8
"""Spaces that one goes in a minute, looking about (OURS)."""
FACES = 100
SURE = 10_000
"""In place of a skill: noticed without dice."""
CHECKS = 1000
"""Added to a skill where it is checked by itself, not opposed."""
DIM = {Grade.CLEAR: 0, Grade.PARTIAL: -20, Grade.MINIMAL: -40}
"""What cover takes from a watcher (OURS)."""
DISTANT, SLEEPING = -10, -40
"""What each doubling of the distance beyond 6 spaces takes, and sleep (OURS)."""

SNEAKING = Manner("sneaking", 3, 0)
OPEN = Manner("openly", 6, 1)
LOUD = Manner("loudly", 12, 2)
STILL = Manner("still", -1, 1)
HIDDEN = Manner("hidden", -1, 0)
EASE = {OPEN.word: "average", LOUD.word: "easy", STILL.word: "average"}
"""How easily ears alone hear it: a difficulty of a skill check."""


class Sense(NamedTuple):
    """How one watcher might notice somebody on a way."""

    step: int
    watcher: CreatureIx
    own: int
    """The skill of who goes there; `SURE` = noticed."""
    keen: int
    """The watcher's; from `CHECKS` on it is a check by itself, that succeeds with so many faces of a d100."""
    by_ear: bool = False


def label_of(minutes: int) -> str:
    """`2 minutes`."""
    return "no time" if not minutes else ntext(minutes, "{n} minute", "{n} minutes")


class Minutes(Meeting[Resolution]):
    """The course of minutes."""

    turn = "minute"
    tile = pace = TILE
    sneaking, hidden, still, openly, noisy = SNEAKING, HIDDEN, STILL, OPEN, LOUD
    noise_rule = "countup.md §2.12 Noise"

    def bodies(self, at: CountState | Resolution) -> Sequence[Being]:
        return at.setup.beings

    def named(self, at: CountState | Resolution, who: CreatureIx) -> Creature:
        return at.named(who)

    def able(self, at: CountState | Resolution, who: CreatureIx) -> bool:
        figure = at.figures[who]
        return figure.present and not figure.helpless and not figure.under(ASLEEP.name)

    def up(self, at: CountState | Resolution, who: CreatureIx) -> bool:
        out = at.aims is not None and at.aims.out >> who & 1  # bound, or gone by an exit
        return not (at.figures[who].dead or at.figures[who].fled or out)

    def asleep(self, at: CountState | Resolution, who: CreatureIx) -> bool:
        return at.figures[who].under(ASLEEP.name)

    def looks(self, at: CountState | Resolution, who: CreatureIx) -> bool:
        return self.able(at, who) and not at.setup.beings[who].unwary

    # -- noticing

    def sees_in_dark(self, state: CountState, who: CreatureIx) -> bool:
        return state.setup.beings[who].dark_sight

    def bears_light(self, state: CountState, who: CreatureIx) -> bool:
        return state.setup.beings[who].light > 0 and not state.figures[who].dark

    def lamps(self, state: CountState) -> tuple[Lamp, ...]:
        return lamps(state)

    def senses(self, state: CountState, who: CreatureIx, way: Sequence[Cell], manner: Manner) -> list[Sense]:
        """How each watcher might notice somebody on a way, where it would do so best."""
        found = (self._sense(state, i, who, way, manner) for i in self.watchers_near(state, who, way, manner))
        return sorted(filter(None, found), key=lambda sense: (sense.step, sense.watcher))

    def _sense(
        self, state: CountState, watcher: CreatureIx, who: CreatureIx, way: Sequence[Cell], manner: Manner
    ) -> Sense | None:
        watches, best = self.looks(state, watcher), None
        drowsy = SLEEPING if self.asleep(state, watcher) else 0
        for step, cell in enumerate(way):
            spaces = self.distance(state, watcher, who, cell)
            seen = self.in_view(state, watcher, who, cell) if watches else Grade.NONE
            if seen is not Grade.NONE:
                if not manner.sneaks:
                    return Sense(step, watcher, SURE, 0)
                keen = hazards.worth(state, watcher, hazards.OBSERVATION).value + DIM[seen] + _far(spaces)
                found = Sense(step, watcher, hazards.worth(state, who, HIDING).value, keen)
            elif spaces > manner.earshot:
                continue
            elif manner.sneaks:
                keen = hazards.worth(state, watcher, LISTENING).value + drowsy
                found = Sense(step, watcher, hazards.worth(state, who, STEALTH).value, keen, by_ear=True)
            elif faces := self._ears(state, watcher, EASE[manner.word]):
                return Sense(step, watcher, 0, CHECKS + faces, by_ear=True)
            else:
                continue  # it sleeps too deep: nothing to throw for
            if best is None or found.keen - found.own > best.keen - best.own:
                best = found
        return best

    def _ears(self, at: CountState | Resolution, who: CreatureIx, difficulty: str) -> int:
        """The faces of a d100 by which somebody hears; a sleeper by two steps harder."""
        skill = hazards.worth(at, who, LISTENING).value
        return int(FACES * skills.chance(skill, skills.harder(difficulty, 2 if self.asleep(at, who) else 0)))

    def needed(self, resolution: Resolution, who: CreatureIx, sense: Sensed) -> int:
        assert isinstance(sense, Sense)
        return sense.own - sense.keen

    def tries(self, resolution: Resolution, who: CreatureIx, sense: Sensed) -> bool:
        """A watcher's d100 against the sneaker's, or its check by itself."""
        assert isinstance(sense, Sense)
        if sense.own == SURE:
            return True
        watcher, now = resolution.being(sense.watcher), explored(resolution)
        self.mark(resolution, who, tried=now.tried[who] | 1 << sense.watcher)
        what = LISTENING if sense.by_ear else hazards.OBSERVATION
        if sense.keen >= CHECKS:
            thrown = resolution.roll(sense.watcher, what, _D100)
            rating = sense.keen - CHECKS
            success = thrown.total <= rating
            resolution.events.append(Check(by=watcher.id, what=what, roll=thrown, rating=rating, success=success))
            return success
        thrown = resolution.roll(sense.watcher, what, _D100, sense.keen)
        total = now.guise[who] + sense.own
        success = thrown.total > total

        def told(sneaker: str) -> Check:
            against = text("{what} against {name}", what, sneaker)
            return Check(by=watcher.id, what=against, roll=thrown, rating=total, success=success)

        self.tell_attempt(resolution, who, told)
        return success

    def sneak(self, resolution: Resolution, who: CreatureIx) -> None:
        """A d100, once: it stands against every watcher until something else is done than keeping quiet."""
        name, thrown = resolution.being(who).id, resolution.roll(who, STEALTH, _D100)
        resolution.events.append(
            Contest(by=name, target=name, what=STEALTH, rolls=(thrown,), success=True, note="keeps out of sight")
        )
        self.mark(resolution, who, guise=thrown.total, tried=0)

    def hide(self, resolution: Resolution, who: CreatureIx) -> int:
        return resolution.roll(who, HIDING, _D100, hazards.worth(resolution, who, HIDING).value).total

    def finds(self, resolution: Resolution, who: CreatureIx, total: int) -> bool:
        keen = hazards.worth(resolution, who, hazards.OBSERVATION).value
        thrown = resolution.roll(who, hazards.OBSERVATION, _D100, keen)
        if found := thrown.total > total:
            name = resolution.being(who).id
            check = Check(by=name, what=hazards.OBSERVATION, roll=thrown, rating=total, success=True)
            resolution.events.append(check)
        return found

    def pounce(self, state: CountState, other: CreatureIx) -> int:
        weapon = state.weapon(other)
        return FAR if weapon.only_ranged else 3

    def alarms(self, resolution: Resolution, watcher: CreatureIx) -> bool:
        return False

    # -- what changes

    def move(self, resolution: Resolution, who: CreatureIx, way: Sequence[Cell], mode: str) -> None:
        start = resolution.figures[who].cell
        resolution.change(who, cell=way[-1])
        tell_moved(resolution, who, mode, (start, *way))

    def occupied(self, at: CountState | Resolution, but: int = -1) -> Bitboard:
        found = EMPTY
        for who, figure in numbered(at.figures):
            if figure.present and who != but:
                found |= at.footprint(who)
        return found

    def wake(self, resolution: Resolution, who: CreatureIx) -> None:
        left = tuple(each for each in resolution.figures[who].effects if each[0] != ASLEEP.name)
        resolution.change(who, effects=left)
        ASLEEP.tell(resolution, who, gained=False)

    def walks(self, state: CountState, who: CreatureIx) -> bool:
        return self.looks(state, who) and not state.figures[who].prone

    def set_out(self, resolution: Resolution) -> None:
        resolution.phase = Phase.EXPLORE

    def rows(self, resolution: Resolution, first: int) -> dict[str, tuple[int, ...]]:
        rows = super().rows(resolution, first)
        rows["burning"] = tuple(-(-being.burns // MINUTE) for being in resolution.setup.beings[first:])
        return rows

    def open_fight(self, resolution: Resolution, caught: Sequence[CreatureIx]) -> None:
        """The clock begins anew. By the situation's die: who chose the moment waited (d4), who noticed knows where to
        look (d8), who was caught has the plain d12 (OURS)."""
        chose = any(not self.is_hero(resolution, who) for who in caught)
        beings = list(resolution.setup.beings)
        for who, being in numbered(beings):
            if who in caught:
                scene = "standard"
            else:
                scene = "corner" if self.is_hero(resolution, who) is chose and caught else "heard"
            beings[who] = replace(being, scene=scene, stealth="", unwary=False)
        resolution.setup = resolution.setup.with_beings(tuple(beings))
        self._rewind(resolution)

    def _rewind(self, resolution: Resolution) -> None:
        """Second 0: what lasts is reckoned from there, and nothing else is left of the last fight."""
        now = resolution.second
        for who, figure in numbered(list(resolution.figures)):
            effects = tuple((name, end if end == FOREVER else Seconds(end - now)) for name, end in figure.effects)
            helpless = Seconds(max(0, figure.helpless - now)) if figure.helpless else INSTANT
            fatigue = Seconds(max(0, figure.fatigue - now))
            resolution.change(who, effects=effects, helpless=helpless, fatigue=fatigue, **_FRESH)
        resolution.zones = tuple((kind, cells, Seconds(end - now)) for kind, cells, end in resolution.zones)
        resolution.second, resolution.told, resolution.mark = INSTANT, INSTANT, len(resolution.events)
        resolution.attacks, resolution.free, resolution.later, resolution.choices = (), (), (), ()

    def first_round(self, resolution: Resolution) -> None:
        initiative(resolution)
        resolution.phase, resolution.mark = Phase.REACT, len(resolution.events)

    def close_fight(self, resolution: Resolution) -> None:
        self._rewind(resolution)

    def join(self, resolution: Resolution, who: CreatureIx) -> None:
        """It throws for initiative from this second on."""
        being = resolution.being(who)
        rouse(resolution, who)
        thrown = resolution.roll(who, "initiative", (Die(1, 8, False),), being.initiative)
        init = Seconds(resolution.second + max(1, thrown.total))
        resolution.change(who, init=init, due=init)

    def end(self, resolution: Resolution, winner: str) -> None:
        resolution.phase, resolution.winner = Phase.OVER, winner

    def over(self, resolution: Resolution) -> None:
        left = [being.side for who, being in numbered(resolution.setup.beings) if self.up(resolution, who)]
        self.end(resolution, left[0] if left else "")
        resolution.events.append(Over(winner=left[0] if left else ""))

    def exploring_now(self, at: CountState | Resolution) -> bool:
        return at.phase is Phase.EXPLORE

    def is_over(self, resolution: Resolution) -> bool:
        if explored(resolution).crawl:
            return self.settled(resolution)
        return len({b.side for i, b in numbered(resolution.setup.beings) if self.up(resolution, i)}) <= 1

    def observed(self, state: CountState, side: str) -> CountState:
        return observe(state, side)

    def fog(self, at: CountState | Resolution) -> bool:
        return at.setup.fog

    def sees(self, state: CountState, side: str) -> Bitboard:
        return sees(state, side)

    def glance(self, state: CountState, side: str, wanted: Bitboard) -> Bitboard:
        return glance(state, side, wanted)

    def pass_turn(self, resolution: Resolution) -> None:
        """A minute: effects end, the helpless get up, those who regenerate heal, lights burn down."""
        resolution.second = Seconds(resolution.second + MINUTE)
        for who, figure in numbered(list(resolution.figures)):
            if figure.dead or figure.fled:
                continue
            expire(resolution, who)
            if resolution.figures[who].helpless:
                resolution.change(who, helpless=0)
                HELPLESS.tell(resolution, who, gained=False)
            if resolution.figures[who].prone and not resolution.figures[who].under(ASLEEP.name):
                resolution.change(who, prone=False)
                PRONE.tell(resolution, who, gained=False)
            self._mend(resolution, who)
        resolution.zones = tuple(zone for zone in resolution.zones if zone[2] > resolution.second)
        self._burn(resolution)
        self.wandering(resolution)

    def _mend(self, resolution: Resolution, who: CreatureIx) -> None:
        being, figure = resolution.being(who), resolution.figures[who]
        if being.regenerates and 0 < figure.hp < being.hp_max - figure.burnt:
            now = min(being.hp_max - figure.burnt, figure.hp + MINUTE // being.regenerates)
            if now > figure.hp:
                resolution.change(who, hp=now)
                resolution.events.append(Healing(target=being.id, amount=now - figure.hp, now=now))

    def _burn(self, resolution: Resolution) -> None:
        """A minute of every hero's light is gone."""
        for who, being in numbered(resolution.setup.beings):
            left = explored(resolution).burning[who]
            if not left or not self.is_hero(resolution, who) or resolution.figures[who].dark:
                continue
            self.mark(resolution, who, burning=left - 1)
            if left == 1:
                resolution.change(who, dark=True)
                resolution.note(who, text("is left in the dark: the {lamp} is burnt down", being.lamp))

    def open_door(self, resolution: Resolution, who: CreatureIx, number: int) -> None:
        set_door(resolution, number, "open", who)

    def die(self, resolution: Resolution) -> int:
        resolution.dice.thrower = ""
        return roll(resolution.dice, "wanderers", skills.D6).total

    # -- dealings

    def speaks(self, at: CountState | Resolution, who: CreatureIx) -> bool:
        """Whoever bears arms and is alive."""
        being = at.setup.beings[who]
        return bool(being.weapons) and not being.undead

    def hurt(self, state: CountState, who: CreatureIx) -> bool:
        return 2 * state.figures[who].hp <= state.being(who).hp_max

    def reaction(self, resolution: Resolution, who: CreatureIx) -> Attitude:
        return Attitude.HOSTILE

    def persuades(self, resolution: Resolution, who: CreatureIx, target: CreatureIx, *, coins: bool) -> int:
        """A difficult check of diplomacy, with coins an easy one; failed by more than 40 it is worse (OURS)."""
        value = hazards.worth(resolution, who, skills.TALK).value
        resolution.dice.thrower = resolution.being(who).id
        thrown = skills.check(resolution.dice, value, _ease(coins))
        left = value - thrown.total
        what = text("{skill}, {name}", skills.TALK, self.named(resolution, target))
        name = resolution.being(who).id
        resolution.events.append(Check(by=name, what=what, roll=thrown, rating=value, success=left >= 0))
        return 1 if left >= 0 else -1 if left < -WORSE else 0

    def persuading(self, state: CountState, who: CreatureIx, target: CreatureIx, *, coins: bool) -> tuple[float, float]:
        value = hazards.worth(state, who, skills.TALK).value
        return float(skills.chance(value, _ease(coins))), 1.0 - float(skills.chance(value + WORSE, _ease(coins)))

    # -- noise

    def label_of(self, turns: int) -> str:
        return label_of(turns)

    def loud(self, events: Sequence[Event], action: Action | None) -> NoiseKind | None:
        """A trap that goes off, and what is broken."""
        if any(isinstance(event, Challenge) and event.state == Stands.SPRUNG for event in events):
            return NoiseKind.TRAP
        return NoiseKind.BREAKING if action is not None and action.do in LOUDLY else None

    def hears(self, resolution: Resolution, who: CreatureIx, distance: int) -> bool:
        return resolution.roll(who, LISTENING, _D100).total <= self._heard(resolution, who, distance)

    def hearing(self, at: CountState | Resolution, who: CreatureIx, distance: int) -> float:
        return float(Fraction(self._heard(at, who, distance), FACES))

    def _heard(self, at: CountState | Resolution, who: CreatureIx, distance: int) -> int:
        """The faces by which a noise from so many spaces off is heard: an easy check within 6, a step harder for each 6
        more."""
        return self._ears(at, who, skills.harder("easy", distance // FAR))

    # -- ways

    def held(self, state: CountState, who: CreatureIx) -> str | None:
        return "lies on the floor: stand up first" if state.figures[who].prone else None

    def ground(self, state: CountState, who: CreatureIx) -> Terrain:
        return state.terrain

    def barred(self, state: CountState, who: CreatureIx) -> tuple[Bitboard, Bitboard]:
        foes = allies = EMPTY
        own, seen = state.footprint(who), sees(state, state.being(who).side) if not state.viewer else -1
        for other, figure in numbered(state.figures):
            if other == who or not figure.present:
                continue
            there = state.footprint(other)
            if state.being(other).side == state.being(who).side:
                allies |= there
            elif there & seen:
                foes |= there
        side, field = state.being(who).side, state.setup.field
        known = snares(field, state.challenges, state.found, side, known=True) if state.found else EMPTY
        return foes & ~own, (allies | state.terrain.pits | known) & ~own

    def walk(self, resolution: Resolution, who: CreatureIx, way: Sequence[Cell], mode: str) -> None:
        """Space by space, with what lies underfoot."""
        went, taken = list[Cell](), self.occupied(resolution, who)
        start, sprung = resolution.figures[who].cell, -1
        for cell in way:
            if resolution.setup.fixtures:
                ventures, sprung = hazards.underfoot(resolution, who, cell)
                if not ventures:
                    break
            resolution.change(who, cell=cell)
            went.append(cell)
            if sprung >= 0:
                break
        while went and sprung < 0 and resolution.terrain.footprint(went[-1], resolution.being(who).space) & taken:
            went.pop()
            resolution.change(who, cell=went[-1] if went else start)
        if went:
            tell_moved(resolution, who, mode, (start, *went))
        if sprung >= 0:
            hazards.spring(resolution, who, sprung)

    def on_the_way(self, state: CountState, who: CreatureIx, way: Sequence[Cell], manner: Manner) -> Odds | None:
        """The chance to be noticed on a way, space by space: one d100 of the sneaker against one of each watcher."""
        found = self.senses(state, who, way, manner)
        along = tuple(
            (cell, float(noticed(tuple((s.own, s.keen) for s in found if s.step <= step))))
            for step, cell in enumerate(way)
        )
        worst = along[-1][1] if along else 0.0
        each = tuple(Share(state.being(s.watcher).id, float(noticed(((s.own, s.keen),)))) for s in found)
        told = tuple((self._told(state, sense), NOTICING) for sense in found)
        return Odds(
            1.0 - worst, (("unnoticed", 1.0 - worst), ("noticed", worst)),
            attack_dice="d100" if manner.sneaks else "", targets=each, along=along,
            notes=told or (("nobody who is known of could notice", NOTICING),),
        )  # fmt: skip

    def _told(self, state: CountState, sense: Sense) -> str:
        name = state.named(sense.watcher)
        if sense.own == SURE:
            return text("{name} would see it", name)
        if sense.keen >= CHECKS:
            return text("{name} hears it on {rating} or less of a d100", name, sense.keen - CHECKS)
        template = "{name}: listening {keen} against sneaking {own}"
        if not sense.by_ear:
            template = "{name}: observation {keen} against hiding {own}"
        return text(template, name=name, keen=sense.keen, own=sense.own)


STEALTH, HIDING, LISTENING = "sneaking", "hiding", "listening"
WORSE = 40
"""By how much talk fails that makes things worse (OURS)."""
LOUDLY = ("force", "tackle")
_D100 = (Die(1, FACES, False),)
_OF_FIGHTS = (
    "init", "due", "busy", "gait", "carry", "moved", "straight", "heading", "toil", "ready_at", "stance", "until",
    "exposed", "penalty", "withdrew", "set_since", "held_by", "freed_at", "no_pursuit", "broke", "casting", "task",
    "loading", "hasty", "nocked", "order", "contacts", "fresh", "tactical", "sprinted", "scampered", "owed",
)  # fmt: skip
"""Fields of a figure that no fight hands on to the next."""
_PLAIN = Figure(cell=Cell(0), hp=0)
_FRESH = {name: getattr(_PLAIN, name) for name in _OF_FIGHTS}
"""What a figure has of a fight that has not begun."""


def _ease(coins: bool) -> str:
    """How hard it is to talk somebody round."""
    return "easy" if coins else "difficult"


def _far(spaces: int) -> int:
    """What distance takes from a watcher."""
    return DISTANT * max(0, (max(1, spaces - 1) // FAR).bit_length())


@lru_cache(maxsize=1 << 14)
def noticed(watching: tuple[tuple[int, int], ...]) -> Fraction:
    """The exact chance that at least one of some watchers, (skill of who goes there, its own), notices: all compare
    with the one d100 of who sneaks."""
    if any(own == SURE for own, _ in watching):
        return Fraction(1)
    unheard, against = Fraction(1), list[tuple[int, int]]()
    for own, keen in watching:
        if keen >= CHECKS:
            unheard *= 1 - Fraction(min(FACES, keen - CHECKS), FACES)
        else:
            against.append((own, keen))
    if not against:
        return 1 - unheard
    unseen = Fraction(0)
    for face in range(1, FACES + 1):
        missed = Fraction(1)
        for own, keen in against:
            missed *= Fraction(min(FACES, max(0, face + own - keen)), FACES)
        unseen += missed
    return 1 - unheard * unseen / FACES


MINUTES = Minutes()

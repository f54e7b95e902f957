"""The course of dungeon turns: a move and an action for each of the party, then the dungeon's turn (cairn.md §1).

How somebody is noticed is ours, since the rules name no procedure: whoever goes openly in anybody's view is noticed;
whoever sneaks saves DEX once, and each watcher compares the die with DEX as it stands to it; whoever is only heard
leaves it to the Die of Fate.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from rules.board.grid import Terrain
from rules.board.sight import Grade, Lamp
from rules.cairn import conditions as cond
from rules.cairn.actions.context import Context
from rules.cairn.actions.legal import ACTION_KINDS
from rules.cairn.explore import dungeon
from rules.cairn.magic.ground import set_door
from rules.cairn.movement import walk
from rules.cairn.state import (
    EXPLORE_PHASE,
    STANDING,
    Being,
    CairnState,
    Resolution,
    light_of,
    passes,
    save_chance,
    sees_in_dark,
)
from rules.cairn.upkeep import age, ages, darkness_panic, first_half, initial, muster
from rules.cairn.visibility import glance, lamps, observe, sees
from rules.contract.actions import Action
from rules.contract.events import Challenge, Check, Event, Moved, NoiseKind, Over
from rules.contract.ruleset import Odds, Share
from rules.contract.text import Creature, Term, ntext, text
from rules.contract.units import EMPTY, Bitboard, Cell, CreatureIx, numbered
from rules.explore.course import FAR, explored
from rules.explore.meeting import Meeting
from rules.explore.procedure import Manner, Sensed
from rules.explore.state import Attitude, Part

NOTICING = "cairn.md §1 noticing"
RADIUS = 8
"""Spaces of one light radius: what a move of a dungeon turn comes to."""
ROUNDS = 60
"""Rounds that a dungeon turn lasts."""
SURE = -1000
"""In place of a score: noticed without a die."""
EAR = 100
"""Added to the highest face of the Die of Fate by which somebody notices who only hears."""
AWAKE_FATE, ASLEEP_FATE = 3, 1
"""The Die of Fate up to which somebody awake hears, and a sleeper."""
DIM = {Grade.CLEAR: 0, Grade.PARTIAL: 3, Grade.MINIMAL: 6}
"""What cover adds to the DEX of who sneaks (OURS)."""
DISTANT, BY_EAR, SLEEPING = 4, 4, 8
"""What more than a light radius between them adds, a watcher who only hears, and one who sleeps (OURS)."""
NATURAL = 20
DUMB = frozenset(("Beast", "Vermin", "Plant", "Ooze", "Construct", "Elemental"))
"""Kinds of creatures that nobody talks to (OURS)."""
REACTIONS = (
    (2, Attitude.HOSTILE), (5, Attitude.WARY), (8, Attitude.CURIOUS), (11, Attitude.KIND), (12, Attitude.HELPFUL),
)  # fmt: skip
"""2d6 up to the figure -> how strangers take to the party (cairn.md §1 Reactions)."""
_TAKES = {
    Attitude.HOSTILE: "{name} is hostile",
    Attitude.WARY: "{name} is wary, and keeps its distance",
    Attitude.CURIOUS: "{name} is curious, and waits to hear more",
    Attitude.KIND: "{name} is kind, and lets the party be",
    Attitude.HELPFUL: "{name} is helpful",
}

SNEAKING = Manner("sneaking", 3, 0)
OPEN = Manner("openly", 6, AWAKE_FATE)
LOUD = Manner("loudly", 12, AWAKE_FATE)
STILL = Manner("still", -1, AWAKE_FATE)
HIDDEN = Manner("hidden", -1, 0)


class Sense(NamedTuple):
    """How one watcher might notice somebody on a way."""

    step: int
    watcher: CreatureIx
    score: int
    """What the sneaker's die must not exceed; `SURE` = noticed; from `EAR` on the Die of Fate decides."""
    why: str = ""


def label_of(turns: int) -> str:
    """`1 turn`."""
    return "no time" if not turns else ntext(turns, "{n} turn", "{n} turns")


class Turns(Meeting[Resolution]):
    """The course of dungeon turns."""

    turn = "dungeon turn"
    tile = pace = RADIUS
    sneaking, hidden, still, openly, noisy = SNEAKING, HIDDEN, STILL, OPEN, LOUD
    noise_rule = "cairn.md §1 noise"

    def bodies(self, at: CairnState | Resolution) -> Sequence[Being]:
        return at.setup.beings

    def named(self, at: CairnState | Resolution, who: CreatureIx) -> Creature:
        return at.setup.beings[who].creature

    def able(self, at: CairnState | Resolution, who: CreatureIx) -> bool:
        return at.figures[who].able

    def up(self, at: CairnState | Resolution, who: CreatureIx) -> bool:
        figure = at.figures[who]
        if at.aims is not None and at.aims.out >> who & 1:
            return False  # bound, or gone by an exit
        return not (figure.dead or figure.fled or figure.critical or figure.has(cond.OUT))

    def asleep(self, at: CairnState | Resolution, who: CreatureIx) -> bool:
        return at.figures[who].has(cond.ASLEEP)

    def looks(self, at: CairnState | Resolution, who: CreatureIx) -> bool:
        figure = at.figures[who]
        return figure.able and not figure.has(cond.BLIND) and at.setup.beings[who].alert != "unaware"

    # -- noticing

    def sees_in_dark(self, state: CairnState, who: CreatureIx) -> bool:
        return sees_in_dark(state.setup, state.setup.beings[who], state.figures[who])

    def bears_light(self, state: CairnState, who: CreatureIx) -> bool:
        return light_of(state.setup, state.setup.beings[who], state.figures[who]) > 0

    def lamps(self, state: CairnState) -> tuple[Lamp, ...]:
        return lamps(state)

    def senses(self, state: CairnState, who: CreatureIx, way: Sequence[Cell], manner: Manner) -> list[Sense]:
        """How each watcher might notice somebody on a way, where it would do so best."""
        found = (self._sense(state, i, who, way, manner) for i in self.watchers_near(state, who, way, manner))
        return sorted(filter(None, found), key=lambda sense: (sense.step, sense.watcher))

    def _sense(
        self, state: CairnState, watcher: CreatureIx, who: CreatureIx, way: Sequence[Cell], manner: Manner
    ) -> Sense | None:
        watches, sleeps, best = self.looks(state, watcher), self.asleep(state, watcher), None
        dex = state.figures[who].dex_now
        for step, cell in enumerate(way):
            spaces = self.distance(state, watcher, who, cell)
            seen = self.in_view(state, watcher, who, cell) if watches else Grade.NONE
            if seen is not Grade.NONE:
                if not manner.sneaks:
                    return Sense(step, watcher, SURE)
                score = dex + DIM[seen] + (DISTANT if spaces > RADIUS else 0)
                why = "in its view" if seen is Grade.CLEAR else "behind cover"
            elif spaces <= manner.earshot:
                if manner.sneaks:
                    score, why = dex + (SLEEPING if sleeps else BY_EAR), "asleep" if sleeps else "by ear alone"
                else:
                    return Sense(step, watcher, EAR + (ASLEEP_FATE if sleeps else AWAKE_FATE), "by ear alone")
            else:
                continue
            if best is None or score < best.score:
                best = Sense(step, watcher, score, why)
        return best

    def needed(self, resolution: Resolution, who: CreatureIx, sense: Sensed) -> int:
        assert isinstance(sense, Sense)
        return sense.score

    def tries(self, resolution: Resolution, who: CreatureIx, sense: Sensed) -> bool:
        """By the sneaker's own save, or the Die of Fate where somebody goes openly and is only heard."""
        assert isinstance(sense, Sense)
        if sense.score == SURE:
            return True
        now = explored(resolution)
        self.mark(resolution, who, tried=now.tried[who] | 1 << sense.watcher)
        if sense.score >= EAR:
            return dungeon.fate(resolution, sense.watcher) <= sense.score - EAR
        return not passes(now.guise[who], sense.score)

    def sneak(self, resolution: Resolution, who: CreatureIx) -> None:
        """Save DEX: the die stands against every watcher until something else is done than keeping quiet."""
        thrown = resolution.throw("DEX save", 1, NATURAL, by=who)
        rating = resolution.figures[who].dex_now
        resolution.events.append(Check(
            by=resolution.being(who).id, what=text("{dex} {save}: keep out of sight", Term("DEX"), Term("save")),
            roll=thrown, rating=rating, success=passes(thrown.total, rating)
        ))  # fmt: skip
        self.mark(resolution, who, guise=thrown.total, tried=0)

    def hide(self, resolution: Resolution, who: CreatureIx) -> int:
        return 1

    def finds(self, resolution: Resolution, who: CreatureIx, total: int) -> bool:
        """A WIL save, told only if it succeeds."""
        thrown = resolution.throw("WIL save", 1, NATURAL, by=who)
        rating = resolution.figures[who].wil_now
        if found := passes(thrown.total, rating):
            resolution.events.append(Check(
                by=resolution.being(who).id, what=text("{wil} {save}: watchful", Term("WIL"), Term("save")),
                roll=thrown, rating=rating, success=True
            ))  # fmt: skip
        return found

    def pounce(self, state: CairnState, other: CreatureIx) -> int:
        figure, being = state.figures[other], state.setup.beings[other]
        known = state.setup.armoury.weapons
        weapons = [*being.attacks, *(known[item] for item in figure.hands if item in known)]
        return FAR if any(weapon.near for weapon in weapons) else max([1, *(w.reach for w in weapons)]) + 2

    def alarms(self, resolution: Resolution, watcher: CreatureIx) -> bool:
        return False

    # -- what changes

    def move(self, resolution: Resolution, who: CreatureIx, way: Sequence[Cell], mode: str) -> None:
        start = resolution.space(resolution.figures[who].cell)
        resolution.change(who, cell=way[-1])
        path = tuple(resolution.space(cell) for cell in way)
        resolution.events.append(Moved(by=resolution.being(who).id, mode=mode, start=start, path=path, cost=len(way)))

    def occupied(self, at: CairnState | Resolution, but: int = -1) -> Bitboard:
        found = EMPTY
        for who, figure in numbered(at.figures):
            if figure.present and who != but:
                found |= at.terrain.footprint(figure.cell, at.setup.beings[who].space)
        return found

    def wake(self, resolution: Resolution, who: CreatureIx) -> None:
        resolution.relieve(who, cond.ASLEEP, "a sound")

    def walks(self, state: CairnState, who: CreatureIx) -> bool:
        figure = state.figures[who]
        return self.looks(state, who) and figure.posture == STANDING and Context(state, who).budget > 0

    def set_out(self, resolution: Resolution) -> None:
        resolution.phase, resolution.half, resolution.round = EXPLORE_PHASE, 0, 1
        resolution.plans = [None] * len(resolution.figures)
        resolution.declared = []

    def open_fight(self, resolution: Resolution, caught: Sequence[CreatureIx]) -> None:
        """Who was caught sits the first round out, or saves for it; heroes who chose their moment need not (A27)."""
        muster(resolution, frozenset(caught))
        resolution.phase, resolution.half, resolution.round, resolution.readied = "plan", 0, 1, ()
        resolution.plans = [None] * len(resolution.figures)
        resolution.declared = []

    def first_round(self, resolution: Resolution) -> None:
        resolution.morale = initial(resolution.done())
        first_half(resolution)

    def close_fight(self, resolution: Resolution) -> None:
        resolution.readied, resolution.choices = (), ()
        muster(resolution, frozenset())
        for who, figure in numbered(resolution.figures):
            if figure.idle:
                resolution.change(who, idle=False)

    def join(self, resolution: Resolution, who: CreatureIx) -> None:
        """It acts from its next half on."""
        resolution.change(who, idle=True)

    def end(self, resolution: Resolution, winner: str) -> None:
        resolution.phase, resolution.winner = "over", winner

    def over(self, resolution: Resolution) -> None:
        left = [being.side for who, being in numbered(resolution.setup.beings) if self.up(resolution, who)]
        self.end(resolution, left[0] if left else "")
        resolution.events.append(Over(winner=left[0] if left else ""))

    def exploring_now(self, at: CairnState | Resolution) -> bool:
        return bool(at.phase == EXPLORE_PHASE)

    def is_over(self, resolution: Resolution) -> bool:
        if explored(resolution).crawl:
            return self.settled(resolution)
        return len({b.side for i, b in numbered(resolution.setup.beings) if self.up(resolution, i)}) <= 1

    def observed(self, state: CairnState, side: str) -> CairnState:
        return observe(state, side)

    def fog(self, at: CairnState | Resolution) -> bool:
        return at.setup.fog

    def sees(self, state: CairnState, side: str) -> Bitboard:
        return sees(state, side)

    def glance(self, state: CairnState, side: str, wanted: Bitboard) -> Bitboard:
        return glance(state, side, wanted)

    def pass_turn(self, resolution: Resolution) -> None:
        """Ten minutes: what lasts rounds wears off or runs out, the dark frightens, the dungeon has its event."""
        for _ in range(ROUNDS):
            if not ages(resolution):
                break
            age(resolution)
        darkness_panic(resolution)
        dungeon.recover(self, resolution)
        dungeon.event(self, resolution)

    def taken_up(self, at: CairnState, who: CreatureIx, part: Part) -> str | None:
        now, bit = explored(at), 1 << who
        if part & Part.MOVE and now.moved & bit:
            return "has moved in this turn"
        return "has acted in this turn" if part & Part.ACTION and now.acted & bit else None

    def spend(self, resolution: Resolution, who: CreatureIx, turns: int, part: Part = Part.WHOLE) -> None:
        if not turns:
            return
        now, bit = explored(resolution), 1 << who
        moved = now.moved | bit if part & Part.MOVE else now.moved
        acted = now.acted | bit if part & Part.ACTION else now.acted
        done = now.done | bit if moved & acted & bit else now.done
        self.note(resolution, moved=moved, acted=acted, done=done)

    def open_door(self, resolution: Resolution, who: CreatureIx, number: int) -> None:
        set_door(resolution, who, number, "open")

    def die(self, resolution: Resolution) -> int:
        return resolution.throw("wanderers", 1, 6, by="").total

    # -- dealings

    def speaks(self, at: CairnState | Resolution, who: CreatureIx) -> bool:
        """Whoever has a will, a mind to lose, and words: beasts, plants, oozes, vermin and things made have none."""
        being = at.setup.beings[who]
        return being.kind not in DUMB and not being.mindless and at.figures[who].wil_now > 0

    def hurt(self, state: CairnState, who: CreatureIx) -> bool:
        figure = state.figures[who]
        return not figure.hp or figure.str_now < figure.str_max

    def reaction(self, resolution: Resolution, who: CreatureIx) -> Attitude:
        """2d6 (cairn.md §1 Reactions)."""
        thrown = resolution.throw("reaction", 2, 6, by=who)
        found = next(attitude for most, attitude in REACTIONS if thrown.total <= most)
        told = text(_TAKES[found], name=resolution.being(who).creature)
        resolution.note(who, told, rolls=(thrown,))
        return found

    def persuades(self, resolution: Resolution, who: CreatureIx, target: CreatureIx, *, coins: bool) -> int:
        """A WIL save; with coins only a natural 20 fails. A natural 20 makes it worse (OURS)."""
        name = resolution.being(target).creature
        passed, face = resolution.save_roll(who, "wil", text("talk to {name}", name), 19 if coins else None)
        return 1 if passed else -1 if face == NATURAL else 0

    def persuading(self, state: CairnState, who: CreatureIx, target: CreatureIx, *, coins: bool) -> tuple[float, float]:
        chance = save_chance(19 if coins else state.figures[who].wil_now)
        return float(chance), 1 / NATURAL

    # -- noise

    def label_of(self, turns: int) -> str:
        return label_of(turns)

    def loud(self, events: Sequence[Event], action: Action | None) -> NoiseKind | None:
        """A trap that goes off, and what is forced."""
        if any(isinstance(event, Challenge) and event.state == "sprung" for event in events):
            return NoiseKind.TRAP
        kind = ACTION_KINDS.get(action.do) if action is not None else None
        return NoiseKind.BREAKING if kind is not None and kind.loud else None

    def hears(self, resolution: Resolution, who: CreatureIx, distance: int) -> bool:
        """By the Die of Fate: up to 6 near by, less with every six spaces."""
        most = self._faces(resolution, who, distance)
        return most > 0 and dungeon.fate(resolution, who) <= most

    def hearing(self, at: CairnState | Resolution, who: CreatureIx, distance: int) -> float:
        return float(Fraction(self._faces(at, who, distance), 6))

    def _faces(self, at: CairnState | Resolution, who: CreatureIx, distance: int) -> int:
        """The faces of the Die of Fate by which somebody hears a noise from so many spaces off (OURS)."""
        return max(1, 5 - distance // FAR - (3 if self.asleep(at, who) else 0))

    # -- ways

    def held(self, state: CairnState, who: CreatureIx) -> str | None:
        context = Context(state, who)
        if context.figure.critical:
            return "critical damage: it can only crawl"
        return None if context.budget else "cannot move"

    def ground(self, state: CairnState, who: CreatureIx) -> Terrain:
        return Context(state, who).ground

    def barred(self, state: CairnState, who: CreatureIx) -> tuple[Bitboard, Bitboard]:
        context = Context(state, who)
        foes, allies = context.crowd()
        own = state.terrain.footprint(state.figures[who].cell, context.being.space)
        closed = (foes | context.wards() | context.leash(state.figures[who].cell)) & ~own
        return closed, (allies | state.terrain.pits) & ~own

    def walk(self, resolution: Resolution, who: CreatureIx, way: Sequence[Cell], mode: str) -> None:
        walk(resolution, who, tuple(way), mode)

    def on_the_way(self, state: CairnState, who: CreatureIx, way: Sequence[Cell], manner: Manner) -> Odds | None:
        """The chance to be noticed on a way, space by space: one die of the sneaker, one of Fate for each who hears."""
        found = self.senses(state, who, way, manner)
        along, told = list[tuple[Cell, float]](), list[tuple[str, str]]()
        for step, cell in enumerate(way):
            along.append((cell, float(noticed([sense for sense in found if sense.step <= step]))))
        for sense in found:
            told.append((self._told(state, sense), NOTICING))
        worst = along[-1][1] if along else 0.0
        each = tuple(Share(state.setup.beings[s.watcher].id, float(noticed([s]))) for s in found)
        dice = text("DEX save {score}", state.figures[who].dex_now) if manner.sneaks else ""
        return Odds(
            1.0 - worst, (("unnoticed", 1.0 - worst), ("noticed", worst)), attack_dice=dice, targets=each,
            along=tuple(along), notes=tuple(told) or (("nobody who is known of could notice", NOTICING),),
        )  # fmt: skip

    def _told(self, state: CairnState, sense: Sense) -> str:
        name = state.setup.beings[sense.watcher].creature
        if sense.score == SURE:
            return text("{name} would see it", name)
        if sense.score >= EAR:
            return text("{name} hears it on a Die of Fate of {faces} or less", name, sense.score - EAR)
        return text("{name}: {score} or less goes unnoticed, {why}", name, min(19, sense.score), sense.why)


def noticed(found: Sequence[Sense]) -> Fraction:
    """The chance that at least one of these notices: all compare the one die of who sneaks."""
    if any(sense.score == SURE for sense in found):
        return Fraction(1)
    unheard, lowest = Fraction(1), None
    for sense in found:
        if sense.score >= EAR:
            unheard *= 1 - Fraction(sense.score - EAR, 6)
        elif lowest is None or sense.score < lowest:
            lowest = sense.score
    return 1 - unheard * (save_chance(lowest) if lowest is not None else 1)


TURNS = Turns()

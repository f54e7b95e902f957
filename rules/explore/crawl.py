"""An evening of exploration and fights by turns: who takes part in a fight, who comes because of a noise, and when it
is quiet again (olde.md §8 expedition).

A fight is among those who know of each other. Whoever neither knows of the heroes nor is seen by them is *parked*: off
the board, its place remembered; it comes back when it is seen, when it has come near, or when the fight is over.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from rules.board.bitboard import cells_of, union
from rules.board.fixtures import DoorState
from rules.board.grid import Terrain
from rules.board.path import Reach, reach
from rules.board.sight import Grade
from rules.contract.actions import Action
from rules.contract.events import (
    Attack,
    Began,
    Cast,
    Challenge,
    Contest,
    Door,
    Enchanted,
    Event,
    Freed,
    Goal,
    Injury,
    Item,
    Noise,
    NoiseKind,
    Note,
    Over,
    Summoned,
)
from rules.contract.ruleset import PARTY, Odds
from rules.contract.units import EMPTY, NOWHERE, Bitboard, Cell, CreatureIx, first_creatures, numbered
from rules.core.fixtures.obstacles import without_rubble
from rules.core.record import CAPTIVES
from rules.explore.course import Course, around, explored
from rules.explore.noise import Loudness, carried
from rules.explore.procedure import Manner, R, Sensed
from rules.explore.state import Attitude, Ending

CALM = 3
"""Turns of a fight in which nobody of one side sees anybody of the other, after which it is over (R)."""
STANDOFF = 10
"""Turns of a fight in which nobody does anything to anybody, after which it is over, seen or not (R)."""
DOZE = 2
"""Turns without such a deed after which a fight is over whose foes are all asleep, where a record has it so (R)."""
DEEDS = (Attack, Cast, Challenge, Contest, Door, Enchanted, Freed, Goal, Injury, Item, Summoned)
"""What tells that somebody did something in a fight but go and wait."""
CLOSE = 3
"""Spaces within which whoever hears somebody has found it, seen or not (R)."""


def _done(resolution: Any) -> bool:
    """Whether somebody did something in a fight, as far as the last command tells; to look about is none."""
    deeds = [event for event in resolution.events if isinstance(event, DEEDS)]
    return any(not isinstance(event, Contest) or event.target != event.by for event in deeds)


class Crawl(Course[R]):
    """A course in which exploration and fights take turns where a record asks for it."""

    pace: ClassVar[int]
    """Spaces that somebody off the board comes nearer in a turn of a fight."""

    # -- what a ruleset says

    @abstractmethod
    def sees(self, state: Any, side: str) -> Bitboard:
        """The spaces that a side's creatures see."""

    def glance(self, state: Any, side: str, wanted: Bitboard) -> Bitboard:
        """Those of some spaces that a side's creatures see."""
        return self.sees(state, side) & wanted

    @abstractmethod
    def hears(self, resolution: R, who: CreatureIx, distance: int) -> bool:
        """Whether somebody hears a noise from so many spaces off, a sleeper too: thrown; told to nobody."""

    @abstractmethod
    def hearing(self, at: Any, who: CreatureIx, distance: int) -> float:
        """The chance of that."""

    noise_rule: ClassVar[str]
    """The heading of the rulebook that tells of noises."""

    @abstractmethod
    def label_of(self, turns: int) -> str:
        """So many turns in words: `2 minutes`."""

    @abstractmethod
    def loud(self, events: Sequence[Event], action: Action | None) -> NoiseKind | None:
        """The noise that something done has made, by what came of it and, where one is given, by the deed; None for a
        quiet one."""

    # what ways and stairs ask of a ruleset

    def held(self, state: Any, who: CreatureIx) -> str | None:
        """Why somebody can't go anywhere, or None."""
        raise NotImplementedError

    def ground(self, state: Any, who: CreatureIx) -> Terrain:
        """The ground as somebody goes over it."""
        raise NotImplementedError

    def barred(self, state: Any, who: CreatureIx) -> tuple[Bitboard, Bitboard]:
        """(spaces that it doesn't enter, spaces on which it doesn't stop), as its side knows."""
        raise NotImplementedError

    def ways(self, state: Any, who: CreatureIx, limit: int) -> Reach:
        """Where it can go."""
        closed, ends = self.barred(state, who)
        space = self.bodies(state)[who].space
        start = state.figures[who].cell
        return reach(self.ground(state, who), start, limit, size=space, blocked=closed, unstoppable=ends)

    def walk(self, resolution: R, who: CreatureIx, way: Sequence[Cell], mode: str) -> None:
        """Go a way, with all that the ground does to who goes there."""
        raise NotImplementedError

    def on_the_way(self, state: Any, who: CreatureIx, way: Sequence[Cell], manner: Manner) -> Odds | None:
        """The exact chance to be noticed on a way, space by space."""
        raise NotImplementedError

    def seen(self, at: R, who: CreatureIx) -> bool:
        """Whether the heroes see somebody."""
        there = at.terrain.footprint(at.figures[who].cell, self.bodies(at)[who].space)
        return bool(self.glance(at.done(), PARTY, there))

    @abstractmethod
    def join(self, resolution: R, who: CreatureIx) -> None:
        """Somebody comes onto the board in the middle of a fight."""

    @abstractmethod
    def close_fight(self, resolution: R) -> None:
        """Whatever belongs to the fight alone ends."""

    def duty(self, at: Any, who: CreatureIx) -> str:
        """What somebody is there for: empty, `guard`, `hunt` or `warn`."""
        return self.bodies(at)[who].duty

    # -- who takes part

    def rouse(self, resolution: R, ready: Iterable[CreatureIx]) -> None:
        bits = sum(1 << who for who in ready if not self.is_hero(resolution, who))
        self.note(resolution, roused=explored(resolution).roused | bits)

    def danger(
        self, resolution: R, noticed: Sequence[Sensed] = (), sprung: Sequence[CreatureIx] = (), *, loud: bool = False
    ) -> None:
        """As `Course.danger`; in a crawl whoever only heard something from afar comes to look for it instead."""
        if explored(resolution).crawl and noticed and not sprung and not loud:
            state = resolution.done()
            found = [sense for sense in noticed if self._finds(state, sense.watcher)]
            for sense in noticed:
                if sense not in found:
                    self._goes_to_look(resolution, sense.watcher)
            if not found:
                return
            noticed = found
        if explored(resolution).crawl and loud:
            self.make_noise(resolution, NoiseKind.SHOUT, self._fight_at(resolution), Loudness.ALARM)
        if explored(resolution).crawl and not noticed and not sprung and not self._anybody(resolution):
            return
        super().danger(resolution, noticed, sprung, loud=loud)

    def warned(
        self, resolution: R, state: Any, alert: Sequence[CreatureIx], sprung: Sequence[CreatureIx], *, everybody: bool
    ) -> set[CreatureIx]:
        """As `Course.warned`; in a crawl a cry of alarm goes as far as it is heard, not through the whole place."""
        if not explored(resolution).crawl:
            return super().warned(resolution, state, alert, sprung, everybody=everybody)
        if everybody and alert:
            self.make_noise(resolution, NoiseKind.SHOUT, state.figures[alert[0]].cell, Loudness.ALARM, alert[0])
        return super().warned(resolution, state, alert, sprung, everybody=False)

    def in_wait(self, resolution: R, who: CreatureIx, sprung: Sequence[CreatureIx]) -> bool:
        """As `Course.in_wait`; on an expedition only who springs, the others lie on."""
        return who in sprung if explored(resolution).crawl else super().in_wait(resolution, who, sprung)

    def _anybody(self, resolution: R) -> bool:
        """Whether there would be anybody to fight."""
        state = resolution.done()
        seen = self.sees(state, PARTY)
        here = [i for i, figure in numbered(state.figures) if figure.cell >= 0 and self.up(state, i)]
        return any(not self.is_hero(state, i) and self._takes_part(state, i, seen) for i in here)

    def _finds(self, state: Any, watcher: CreatureIx) -> bool:
        """Whether a watcher knows where some hero is: in its view, or close by."""
        for hero in self.heroes(state):
            cell = state.figures[hero].cell
            if self.distance(state, watcher, hero, cell) <= CLOSE:
                return True
            if self.looks(state, watcher) and self.in_view(state, watcher, hero, cell) is not Grade.NONE:
                return True
        return False

    def _goes_to_look(self, resolution: R, watcher: CreatureIx) -> None:
        """Awake by now, it comes to where it heard something."""
        if self.asleep(resolution, watcher):
            self.wake(resolution, watcher)
        away = [
            (self.distance(resolution, watcher, hero, resolution.figures[hero].cell), hero)
            for hero in self.heroes(resolution)
        ]  # empty where all who could have been heard lie helpless
        self.seek(resolution, watcher, resolution.figures[min(away)[1]].cell if away else self._fight_at(resolution))

    def seek(self, resolution: R, who: CreatureIx, cell: Cell) -> None:
        """Somebody goes to a space, if its duty lets it."""
        if self.duty(resolution, who) != "guard":
            self.mark(resolution, who, seeks=cell)

    def tell_alarm(self, resolution: R, who: CreatureIx) -> None:
        """Who has noticed the party; where one lurks that the heroes look at, they learn that it is somebody."""
        super().tell_alarm(resolution, who)
        state, bodies = resolution.done(), self.bodies(resolution)
        cell = state.figures[who].cell
        if not self.fog(resolution) or cell < 0:
            return
        sides = tuple(dict.fromkeys(body.side for body in bodies))
        there = state.terrain.footprint(cell, bodies[who].space)
        seeing = [side for side in sides if self.glance(state, side, there)]
        blind = [side for side in seeing if self.observed(state, side).figures[who].cell < 0]
        if blind:
            self.tell_apart(resolution, resolution.events.pop(), Note(text="Somebody unseen is alarmed!"), blind)

    def park(self, resolution: R, *, ambush: bool) -> None:
        if not explored(resolution).crawl:
            return
        state = resolution.done()
        seen = self.sees(state, PARTY)
        for who, figure in numbered(state.figures):
            if figure.cell < 0 or self.is_hero(resolution, who):
                continue
            if self._takes_part(state, who, seen):
                self.mark(resolution, who, seeks=NOWHERE)
                if ambush or not self.asleep(state, who):  # from the first blow on it knows of them
                    self.rouse(resolution, [who])
                continue
            self.mark(resolution, who, parked=figure.cell)
            resolution.change(who, cell=NOWHERE)
            if explored(state).roused >> who & 1 and self.up(state, who):
                self.seek(resolution, who, self._fight_at(resolution))

    def _takes_part(self, state: Any, who: CreatureIx, seen: Bitboard) -> bool:
        """Whether somebody is in the fight: seen by the heroes, or one who knows of them and is at hand."""
        body, cell = self.bodies(state)[who], state.figures[who].cell
        if explored(state).attitude[who] >= Attitude.WARY or not self.hostile(state, who) or self.lurks(state, who):
            return False
        if state.terrain.footprint(cell, body.space) & seen:
            return True
        return bool(explored(state).roused >> who & 1) and self._finds(state, who)

    def lurks(self, at: Any, who: CreatureIx) -> bool:
        """Whether somebody lies in hiding still, and nobody has found it."""
        now = explored(at)
        return bool(now.hides[who]) and not (now.spotted | now.roused) >> who & 1

    def hostile(self, at: Any, who: CreatureIx) -> bool:
        """Whether somebody is the heroes' foe at all."""
        return self.bodies(at)[who].side not in (PARTY, CAPTIVES)

    def _fight_at(self, resolution: R) -> Cell:
        """Where the fight is: the first hero's place."""
        heroes = self.heroes(resolution) or [
            i for i in first_creatures(len(resolution.figures)) if self.is_hero(resolution, i)
        ]
        return Cell(resolution.figures[heroes[0]].cell)

    def come_in(self, resolution: R, *, late: bool = False) -> None:
        """While a fight goes on: whoever is in the heroes' view now, where it stands off the board, joins it. Who runs
        for help has until the turn ends (`late`) to get out of sight."""
        if explored(resolution).standoff and _done(resolution):
            self.note(resolution, standoff=0)
        now = explored(resolution)
        waiting = [i for i, cell in numbered(now.parked) if cell >= 0 and self.hostile(resolution, i)]
        if not late:
            waiting = [i for i in waiting if self.duty(resolution, i) != "warn" or now.seeks[i] < 0]
        if not waiting:
            return
        bodies, terrain = self.bodies(resolution), resolution.terrain
        spaces = {who: terrain.footprint(now.parked[who], bodies[who].space) for who in waiting}
        seen = self.glance(resolution.done(), PARTY, Bitboard(union(spaces.values())))
        for who, there in spaces.items():
            if self.lurks(resolution, who) and not (late and self._pounces(resolution, who)):
                continue
            if there & seen and now.attitude[who] < Attitude.WARY:
                self._put_back(resolution, who)
                if self.up(resolution, who):
                    self.join(resolution, who)
                    if not self.asleep(resolution, who):
                        self.rouse(resolution, [who])

    def _pounces(self, resolution: R, who: CreatureIx) -> bool:
        """Whether a hero has come, in the fight, to where somebody in hiding could strike at once."""
        state, cell = resolution.done(), explored(resolution).parked[who]
        bodies, reach = self.bodies(state), self.pounce(state, who)
        for hero in self.heroes(state):
            there, space = state.figures[hero].cell, bodies[hero].space
            if state.terrain.distance(cell, there, bodies[who].space, space) <= reach:
                return True
        return False

    def _put_back(self, resolution: R, who: CreatureIx) -> None:
        """Somebody stands on the board again, where it was or as near as there is room."""
        now, body = explored(resolution), self.bodies(resolution)[who]
        cell = around(resolution.terrain, now.parked[who], body.space, self.occupied(resolution, who))
        if cell >= 0:
            resolution.change(who, cell=cell)
            self.mark(resolution, who, parked=NOWHERE)

    # -- while a fight goes on

    def settled(self, resolution: R) -> bool:
        """Whether there is nothing left to fight: no hero is up, or no foe on the board knows of them."""
        self.grow(resolution)
        now, everyone = explored(resolution), first_creatures(len(resolution.figures))
        standing = [i for i in everyone if self.up(resolution, i) and resolution.figures[i].cell >= 0]
        if not any(self.is_hero(resolution, i) for i in standing):
            return True
        if self.exploring_now(resolution):
            return False
        foes = [i for i in standing if self.hostile(resolution, i) and now.attitude[i] < Attitude.WARY]
        return not any(now.roused >> i & 1 for i in foes)

    def turn_passes(self, resolution: R) -> bool:
        """A turn of a fight in a crawl is over: who is off the board comes nearer, the noise is heard, and where
        nobody has seen anybody for some turns, or done anything to anybody for more, the fight is over (True). Sleepers
        whom nobody strikes are left to sleep sooner."""
        self.grow(resolution)
        self._approach(resolution)
        self.make_noise(resolution, NoiseKind.FIGHTING, self._fight_at(resolution), Loudness.FIGHT)
        calm = 0 if self._meets(resolution) else explored(resolution).calm + 1
        standoff = 0 if _done(resolution) else explored(resolution).standoff + 1
        self.note(resolution, calm=calm, standoff=standoff)
        if calm < CALM and standoff >= STANDOFF:
            self._hold_back(resolution)
        elif standoff >= DOZE and explored(resolution).sleepers and self._let_sleep(resolution):
            return True
        return calm >= CALM or standoff >= STANDOFF

    def _let_sleep(self, resolution: R) -> bool:
        """Where all foes who are there sleep, they are let be: False where somebody is awake, or on its way."""
        now, asleep = explored(resolution), 0
        for who, figure in numbered(resolution.figures):
            if self.is_hero(resolution, who) or not self.up(resolution, who) or not self.hostile(resolution, who):
                continue
            if figure.cell >= 0 and now.attitude[who] < Attitude.WARY:
                if not self.asleep(resolution, who):
                    return False
                asleep |= 1 << who
            elif now.parked[who] >= 0 and now.seeks[who] >= 0:
                return False
        self.note(resolution, roused=now.roused & ~asleep)
        if asleep:
            resolution.events.append(Note(text="Nobody falls upon the sleepers: they are let sleep."))
        return bool(asleep)

    def _hold_back(self, resolution: R) -> None:
        """Neither side has come to the other: the foes watch, and let the party be as long as that stays so."""
        state, held = resolution.done(), 0
        for who, figure in numbered(state.figures):
            if figure.cell >= 0 and self.up(state, who) and self.hostile(state, who) and not self.is_hero(state, who):
                if explored(state).attitude[who] < Attitude.WARY:
                    self.mark(resolution, who, attitude=Attitude.HOLDS_BACK)
                    held |= 1 << who
        self.note(resolution, roused=explored(resolution).roused & ~held)
        resolution.events.append(Note(text="Neither side comes to the other, and they let each other be."))

    def _lose_patience(self, resolution: R) -> None:
        """Whoever held back and could come to a hero within a turn does so no longer."""
        now = explored(resolution)
        for who in [i for i, attitude in numbered(now.attitude) if attitude == Attitude.HOLDS_BACK]:
            if resolution.figures[who].cell >= 0 and self.able(resolution, who) and self._gets_at(resolution, who):
                self.mark(resolution, who, attitude=Attitude.HOSTILE)

    def _gets_at(self, resolution: R, who: CreatureIx) -> bool:
        """Whether some hero in its view is within a turn's way of somebody."""
        state, bodies = resolution.done(), self.bodies(resolution)
        terrain, start, space = self.unlocked(resolution), state.figures[who].cell, bodies[who].space
        ends = Bitboard(reach(terrain, start, self.pace, size=space).cells | 1 << start)
        for hero in self.heroes(state):
            cell = state.figures[hero].cell
            if cell < 0 or self.in_view(state, who, hero, cell) is Grade.NONE:
                continue
            if any(terrain.distance(end, cell, space, bodies[hero].space) <= 1 for end in cells_of(ends)):
                return True
        return False

    def arrived(self, resolution: R, who: CreatureIx) -> None:
        """Somebody off the board has come to where it went."""

    def _meets(self, resolution: R) -> bool:
        """Whether some foe on the board and some hero see each other."""
        state = resolution.done()
        foes = [i for i, f in numbered(state.figures) if f.cell >= 0 and self.up(state, i) and self.hostile(state, i)]
        for hero, figure in numbered(state.figures):
            if not self.is_hero(state, hero) or figure.cell < 0 or not self.up(state, hero):
                continue
            for foe in foes:
                there = state.figures[foe].cell
                if self.in_view(state, foe, hero, figure.cell) is not Grade.NONE:
                    return True
                if self.in_view(state, hero, foe, there) is not Grade.NONE:
                    return True
        return False

    def _approach(self, resolution: R) -> None:
        """Those off the board who seek something come nearer to it by a turn's way."""
        now = explored(resolution)
        for who, cell in numbered(now.parked):
            goal, body = now.seeks[who], self.bodies(resolution)[who]
            if cell < 0 or goal < 0 or not self.up(resolution, who):
                continue
            way = self.way(self.unlocked(resolution), cell, goal, body.space, EMPTY)
            if way:
                self.mark(resolution, who, parked=way[min(self.pace, len(way)) - 1])
            if explored(resolution).parked[who] == goal:
                self.mark(resolution, who, seeks=NOWHERE)
                self.arrived(resolution, who)
        self.come_in(resolution, late=True)

    # -- noise

    def make_noise(self, resolution: R, what: NoiseKind, at: Cell, loudness: int, by: CreatureIx | None = None) -> None:
        """A noise is made: of those who don't know of the heroes yet, whoever hears it comes to look, or wakes."""
        if not explored(resolution).crawl:
            return
        sound, now, heard = carried(resolution.terrain, at, loudness), explored(resolution), list[tuple[str, int]]()
        watched = bool(self.glance(resolution.done(), PARTY, Bitboard(1 << at)))  # what the party sees it need not hear
        bodies = self.bodies(resolution)
        for who, figure in numbered(resolution.figures):
            if who == by or not self.up(resolution, who) or (figure.cell < 0 and who >= len(now.parked)):
                continue  # who was called up since is nowhere else than on the board
            cell = figure.cell if figure.cell >= 0 else now.parked[who]
            if cell < 0:
                continue
            distance = sound.distance(resolution.terrain.footprint(cell, bodies[who].space))
            if distance is None:
                continue
            if self.is_hero(resolution, who):
                heard += [] if watched else [(bodies[who].id, distance)]
            elif self.hostile(resolution, who) and not self._comes(resolution, who) and not now.hides[who]:
                if self.hears(resolution, who, distance):
                    heard.append((bodies[who].id, distance))
                    if now.attitude[who] == Attitude.YIELDED:  # it has done with all of this
                        continue
                    if self.asleep(resolution, who):
                        self.wake(resolution, who)
                    self.rouse(resolution, [who])
                    self.seek(resolution, who, at)
        maker = bodies[by].id if by is not None else ""
        where = resolution.space(at)
        sides = {body.id: body.side for body in bodies}
        for side in dict.fromkeys(sides[name] for name, _ in heard):  # nobody learns who else has heard it
            own = tuple(each for each in heard if sides[each[0]] == side)
            resolution.events.append(Noise(what=what, at=where, heard=own, by=maker, loudness=int(loudness)))

    def overheard(self, state: Any, who: CreatureIx) -> float:
        """The chance that a loud deed is heard by some foe of those whom the state knows."""
        sound, unheard = carried(state.terrain, state.figures[who].cell, Loudness.DOOR), 1.0
        for other, body in numbered(self.bodies(state)):
            cell = state.figures[other].cell
            if cell < 0 or self.is_hero(state, other) or not self.up(state, other) or not self.hostile(state, other):
                continue
            distance = sound.distance(state.terrain.footprint(cell, body.space))
            if distance is not None:
                unheard *= 1.0 - self.hearing(state, other, distance)
        return 1.0 - unheard

    def _comes(self, resolution: R, who: CreatureIx) -> bool:
        """Whether somebody is on its way already, or in the fight."""
        now = explored(resolution)
        if now.seeks[who] >= 0:
            return True
        return not self.exploring_now(resolution) and resolution.figures[who].cell >= 0

    # -- quiet again

    def truce(self, resolution: R) -> bool:
        """The fight is over and the evening is not: exploration goes on. False where it is no crawl, or no hero is
        left there."""
        if resolution.explore is None or not resolution.explore.crawl or not self._any_hero(resolution):
            return False
        self.grow(resolution)
        hunted = self._fight_at(resolution)
        for who, cell in numbered(explored(resolution).parked):
            if cell >= 0:
                self._put_back(resolution, who)
        self.close_fight(resolution)
        everyone = first_creatures(len(resolution.figures))
        now = explored(resolution)
        fresh = self.rows(resolution, 0)
        self.note(
            resolution, minute=now.minute + 1, done=0, busy=fresh["busy"], guise=fresh["guise"], tried=fresh["tried"],
            caught=0, calm=0, standoff=0, dulled=0,
            hides=tuple(0 if now.roused >> i & 1 else total for i, total in enumerate(now.hides)),
        )  # fmt: skip
        resolution.events.append(Began(what="truce", number=now.fights))
        self.set_out(resolution)
        resolution.events.append(Began(what="exploration", number=now.minute + 1))
        for who in everyone:
            roused = explored(resolution).roused >> who & 1 and self.able(resolution, who)
            going = self.duty(resolution, who) == "warn" and explored(resolution).seeks[who] >= 0
            if roused and not going and self.hostile(resolution, who) and now.attitude[who] < Attitude.WARY:
                self.seek(resolution, who, hunted)
        return True

    def _any_hero(self, resolution: R) -> bool:
        """Whether a hero is there to go on. In what foes know those whom they don't see are not, or a fight that is
        over there would begin and end for ever."""
        there = [i for i, figure in numbered(resolution.figures) if figure.cell >= 0]
        return any(self.is_hero(resolution, i) and self.up(resolution, i) for i in there)

    def stranded(self, resolution: R) -> None:
        if not explored(resolution).crawl:
            super().stranded(resolution)
            return
        self.end(resolution, "")
        resolution.events.append(Over(winner="", because=Ending.STRANDED))

    # -- watchers on their way

    def walk_rounds(self, resolution: R) -> None:
        """The rounds, and in a crawl those who go after a noise, or back to where they belong."""
        super().walk_rounds(resolution)
        if not explored(resolution).crawl:
            return
        self._lose_patience(resolution)
        for who in first_creatures(len(resolution.figures)):
            if not self.exploring_now(resolution):
                return
            if self._wanders(resolution, who) and self._go_on(resolution, who):
                self.heed(resolution, first_creatures(len(resolution.figures)))

    def _wanders(self, resolution: R, who: CreatureIx) -> bool:
        if self.is_hero(resolution, who) or resolution.figures[who].cell < 0 or not self.hostile(resolution, who):
            return False
        return self.walks(resolution.done(), who) and not explored(resolution).hides[who]

    def _go_on(self, resolution: R, who: CreatureIx) -> bool:
        """A step of somebody's way to what it seeks, or back to its post; False where it stays."""
        now, body, cell = explored(resolution), self.bodies(resolution)[who], resolution.figures[who].cell
        goal = now.seeks[who]
        if goal < 0:
            goal = now.post[who] if not body.patrol else NOWHERE
        way: tuple[Cell, ...] = ()
        near = NOWHERE
        if goal >= 0 and goal != cell:
            opened, others = self.unlocked(resolution), self.occupied(resolution, who)
            way = self.way(opened, cell, goal, body.space, others)
            near = around(opened, goal, body.space, others) if not way else NOWHERE
            if near >= 0 and near != cell:
                way = self.way(opened, cell, near, body.space, others)
        if not way:
            self.mark(resolution, who, seeks=NOWHERE)
            return False
        for number in self._doors_on(resolution, (cell, *way)):
            self.open_door(resolution, who, number)
        self.stroll(resolution, who, way)
        if way[-1] in (goal, near):
            self.mark(resolution, who, seeks=NOWHERE)
            self.arrived(resolution, who)
        return True

    def unlocked(self, at: Any) -> Terrain:
        """The ground with every door open that a hand alone opens."""
        field, opened = without_rubble(at.setup.field, at.cleared), 0
        for number, door in enumerate(field.doors):
            stands = at.doors[number]
            if stands == DoorState.OPEN or (stands == DoorState.CLOSED and door.kind == "door"):
                opened |= 1 << number
        ground: Terrain = at.terrain if opened == at.terrain.doors_open else field.terrain(opened)
        return ground

    def _doors_on(self, at: Any, way: Sequence[Cell]) -> list[int]:
        """The closed doors that a way leads through."""
        entered, steps = set(way), set(zip(way, way[1:], strict=False))
        found = []
        for number, door in enumerate(at.setup.field.doors):
            if at.terrain.doors_open >> number & 1 or at.doors[number] != DoorState.CLOSED:
                continue
            thin = door.edge is not None and ((door.cell, door.edge) in steps or (door.edge, door.cell) in steps)
            if thin or (door.edge is None and door.cell in entered):
                found.append(number)
        return found

    @abstractmethod
    def open_door(self, resolution: R, who: CreatureIx, number: int) -> None:
        """A watcher opens a door on its way."""

    # -- who comes by

    def hold_back(self, resolution: R) -> None:
        """In a crawl those in reserve aren't there yet."""
        for who, body in numbered(self.bodies(resolution)):
            if explored(resolution).crawl and body.reserve:
                resolution.change(who, cell=NOWHERE)

    def away(self, at: Any) -> dict[str, list[CreatureIx]]:
        """Those of each band who are still to come, in the record's order."""
        found: dict[str, list[CreatureIx]] = {}
        for who, body in numbered(self.bodies(at)):
            band = body.reserve
            if band and at.figures[who].cell < 0 and explored(at).parked[who] < 0 and self.up(at, who):
                found.setdefault(band, []).append(who)
        return found

    def arrive(self, resolution: R) -> bool:
        """The next band comes in, out of the heroes' sight, and goes where it hears them; False if there is none, or no
        way in for it."""
        band = next(iter(self.away(resolution).values()), [])
        state = resolution.done()
        seen, ways_in = self.sees(state, PARTY), list[Cell]()
        field = resolution.setup.field
        exits = [Cell(cell) for cell in cells_of(field.exits)] + [stair.cell for stair in field.stairs]
        for cell in [*(explored(resolution).post[who] for who in band[:1]), *exits]:
            if cell >= 0 and not seen >> cell & 1:
                ways_in.append(cell)
        come = False
        for who in band if ways_in else ():
            space = self.bodies(resolution)[who].space
            cell = around(resolution.terrain, ways_in[0], space, self.occupied(resolution, who) | seen)
            if cell >= 0:
                resolution.change(who, cell=cell)
                self.mark(resolution, who, post=cell)
                self.seek(resolution, who, self._fight_at(resolution))
                come = True
        return come

    def draw_near(self, resolution: R) -> None:
        """Who is nearest and about, and does not guard anything, comes to where the heroes are."""
        near = self.nearest_foe(resolution)
        if near is not None and not self.asleep(resolution, near[0]):
            self.seek(resolution, near[0], self._fight_at(resolution))

    def nearest_foe(self, resolution: R) -> tuple[CreatureIx, int] | None:
        """(who, spaces) of the nearest foe on the board whom the heroes don't see."""
        state, found = resolution.done(), list[tuple[int, CreatureIx]]()
        seen, bodies = self.sees(state, PARTY), self.bodies(state)
        for who, figure in numbered(state.figures):
            if figure.cell < 0 or not self.up(state, who) or not self.hostile(state, who) or self.is_hero(state, who):
                continue
            if not state.terrain.footprint(figure.cell, bodies[who].space) & seen:
                found.append((min((self.distance(state, who, i, state.figures[i].cell) for i in self.heroes(state)),
                                  default=0), who))  # fmt: skip
        return (min(found)[1], min(found)[0]) if found else None

    def wandering(self, resolution: R) -> None:
        """Every so many turns a d6: up to the map's figure a band comes by."""
        now, field = explored(resolution), resolution.setup.field
        if now.crawl and field.wander and now.minute % self.between == 0 and self.away(resolution):
            if self.die(resolution) <= field.wander:
                self.arrive(resolution)

    between: ClassVar[int] = 10
    """Turns between two throws for wanderers (R)."""

    @abstractmethod
    def die(self, resolution: R) -> int:
        """A d6 that nobody is told of."""

"""The course of an exploration: the arrival, ways and who notices whom on them, ambushes, the turns, rounds of
watchers, and the moment when it comes to blows (olde.md §8).

`Course` is what every ruleset has alike. What it asks of a ruleset are the methods that `Procedure` names: who is up,
who senses whom with what chance, what a turn costs, how a fight opens.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from rules.board.bitboard import board_of
from rules.board.grid import Terrain
from rules.board.path import reach
from rules.board.places import GAP
from rules.board.sight import ARM, Grade, dark, lit, on_their_maps, visible
from rules.contract.events import Began, Event, Note, Over
from rules.contract.ruleset import PARTY
from rules.contract.text import Term, joined, text
from rules.contract.units import EMPTY, NOWHERE, Bitboard, Cell, CreatureIx, first_creatures, numbered
from rules.core.kept import of_each
from rules.core.record import CAPTIVES
from rules.core.validate import ROUND
from rules.core.visibility import in_part
from rules.explore.procedure import At, Manner, Procedure, R, Sensed
from rules.explore.state import OPENLY, Attitude, Ending, Exploring, Part, put

SHOUT = 6
"""Spaces within which those of its side who are awake hear the alarm of one that notices (R)."""
FAR = 6
"""Spaces within which whoever lies in hiding may be found, and distance is no hindrance to whoever looks."""
PATIENCE = 240
"""Turns without anybody who could act, after which the fight begins all the same."""
ROUNDS_KEPT = 512
"""So many ways of walkers are remembered for a map."""


class Course(Procedure[R]):
    """The course of an exploration, the same under all rules."""

    def note(self, resolution: R, **changes: object) -> None:
        """Change what the exploration remembers."""
        resolution.explore = msgspec.structs.replace(explored(resolution), **changes)

    def mark(self, resolution: R, who: CreatureIx, **values: int) -> None:
        """Change what the exploration remembers of one creature, in some of its rows."""
        now = explored(resolution)
        self.note(resolution, **{row: put(getattr(now, row), who, value) for row, value in values.items()})

    def distance(self, at: At, one: CreatureIx, other: CreatureIx, cell: Cell) -> int:
        """Spaces between somebody where it stands and another who stands on `cell`."""
        bodies = self.bodies(at)
        return at.terrain.distance(at.figures[one].cell, cell, bodies[one].space, bodies[other].space)

    def heroes(self, at: At) -> list[CreatureIx]:
        """The heroes who can act."""
        return [who for who in first_creatures(len(at.figures)) if self.is_hero(at, who) and self.able(at, who)]

    def waiting(self, at: At) -> list[CreatureIx]:
        """The heroes who may still do something in this turn, in the record's order."""
        now = explored(at)
        return [who for who in self.heroes(at) if not now.done >> who & 1 and not now.busy[who]]

    def watchers(self, at: At) -> list[CreatureIx]:
        """Those who might notice heroes: up, or asleep; whoever lies in hiding has other plans, and whoever lets the
        party be, or has surrendered to it, gives nobody away."""
        now = explored(at)
        hides, attitude = now.hides, now.attitude
        bound = (at.aims.away, at.aims.bound) if at.aims is not None else None
        ready = of_each(at.terrain, "watchers", at.figures, lambda who: self._watches(at, who), also=bound)
        return [who for who, watches in numbered(ready)
                if watches and not hides[who] and attitude[who] < Attitude.KIND]  # fmt: skip

    def watchers_near(self, state: Any, who: CreatureIx, way: Sequence[Cell], manner: Manner) -> list[CreatureIx]:
        """Those of `watchers` who might notice somebody on a way at all: of a place, on the maps that it lies on, which
        nobody sees or hears from elsewhere; and none that has tried to notice somebody as it is hidden now."""
        tried = explored(state).tried[who] if manner is self.hidden else 0
        found = self.watchers(state)
        if state.terrain.field.maps and manner.earshot <= GAP:
            first, end = on_their_maps(state.terrain, board_of(way))
            return [each for each in found if first <= state.figures[each].cell < end and not tried >> each & 1]
        return [each for each in found if not tried >> each & 1] if tried else found

    def _watches(self, at: At, who: CreatureIx) -> bool:
        if at.figures[who].cell < 0 or self.is_hero(at, who):
            return False
        return self.able(at, who) or (self.up(at, who) and self.asleep(at, who))

    def lurkers(self, state: Any, sides: Sequence[str]) -> frozenset[int]:
        """Numbers of those in hiding of whom these sides don't know, as long as they explore."""
        if state.explore is None or not self.exploring_now(state):
            return frozenset()
        hides, spotted = state.explore.hides, state.explore.spotted
        strangers = (i for i, body in numbered(self.bodies(state)) if body.side not in sides and i < len(hides))
        return frozenset(i for i in strangers if hides[i] > 0 and not spotted >> i & 1)

    def without_lurkers(self, state: Any, side: str) -> Any:
        """The state as a side acts in it: those in hiding of whom it doesn't know are nowhere."""
        unfound = self.lurkers(state, (side,))
        if not unfound:
            return state
        figures = list(state.figures)
        for other in sorted(unfound):
            figures[other] = msgspec.structs.replace(figures[other], cell=NOWHERE)
        return msgspec.structs.replace(state, figures=tuple(figures))

    def lit(self, state: Any, who: CreatureIx) -> bool:
        """Whether light falls where somebody stands."""
        own = state.terrain.footprint(state.figures[who].cell, self.bodies(state)[who].space)
        return not dark(state.terrain) or bool(lit(state.terrain, self.lamps(state)) & own)

    def uncover(self, resolution: R, who: CreatureIx, around: Bitboard) -> int:
        """A search in some spaces finds those in hiding there whom one can see; how many."""
        count, now = 0, explored(resolution)
        for other, total in numbered(now.hides):
            if not total or now.spotted >> other & 1:
                continue
            cell = resolution.figures[who].cell
            there = resolution.terrain.footprint(resolution.figures[other].cell, self.bodies(resolution)[other].space)
            if there & around and self.in_view(resolution.done(), other, who, cell) is not Grade.NONE:
                self.spot(resolution, who, other)
                count += 1
        return count

    def watched(self, state: Any) -> Bitboard:
        """The spaces on which a hero would be in view of somebody who watches, by the light there is: whoever carries
        a light of its own is seen farther."""
        found, terrain = EMPTY, state.terrain
        shade = state.setup.darkness and dark(terrain)
        bright = lit(terrain, self.lamps(state)) if shade else EMPTY
        for who in self.watchers(state):
            if self.looks(state, who):
                space, cell = self.bodies(state)[who].space, state.figures[who].cell
                view = visible(terrain, cell, space)
                if shade and not self.sees_in_dark(state, who):
                    view &= bright | terrain.within(cell, ARM, space)
                found |= view
        return found & ~Bitboard(terrain.opaque)

    # -- the arrival ----------------------------------------------------------------------------------------

    def begin(
        self, resolution: R, hiding: Iterable[CreatureIx], *, crawl: bool = False, sleepers: bool = False
    ) -> None:
        """The exploration begins: those in hiding settle down unheard; heroes in anybody's view arrive as quietly as
        they can."""
        resolution.explore = Exploring(crawl=crawl, sleepers=sleepers)
        self.note(resolution, **self.rows(resolution, 0))
        self._as_left(resolution)
        self.hold_back(resolution)
        self.set_out(resolution)
        for who in hiding:
            if self.able(resolution, who) and not self.is_hero(resolution, who):
                self.mark(resolution, who, hides=max(1, self.hide(resolution, who)))
        resolution.events.append(Began(what="exploration", number=1))
        self._arrive(resolution)

    def _as_left(self, resolution: R) -> None:
        """Whoever was met on an earlier evening deals with the party as it did then, and belongs where it did."""
        left, index = resolution.setup.field.left, resolution.setup.index
        for name, attitude in left.attitudes:
            self.mark(resolution, index[name], attitude=Attitude[attitude.upper()])
        for name, cell in left.posts:
            self.mark(resolution, index[name], post=cell)
        if left.unlit or left.roused:
            unlit, roused = (sum(1 << index[name] for name in names) for names in (left.unlit, left.roused))
            self.note(resolution, unlit=unlit, roused=roused)

    def hold_back(self, resolution: R) -> None:
        """Who isn't there from the beginning leaves the board."""

    def _arrive(self, resolution: R) -> None:
        """Heroes in anybody's view or hearing have come as quietly as they can; each watcher has one attempt, against
        whoever of them it would notice most easily (R)."""
        cells = {who: (resolution.figures[who].cell,) for who in self.heroes(resolution)}
        here = [who for who, cell in cells.items() if self.senses(resolution.done(), who, cell, self.sneaking)]
        for who in here:
            self.sneak(resolution, who)
        state, easiest = resolution.done(), dict[CreatureIx, tuple[int, CreatureIx, Sensed]]()
        for who in here:
            for sense in self.senses(state, who, cells[who], self.sneaking):
                needed = self.needed(resolution, who, sense)
                if sense.watcher not in easiest or needed < easiest[sense.watcher][0]:
                    easiest[sense.watcher] = needed, who, sense
        found = [(who, sense) for _, (_, who, sense) in sorted(easiest.items(), key=lambda each: each[0])]
        noticed = [sense for who, sense in found if self.tries(resolution, who, sense)]
        tried = sum(1 << watcher for watcher in easiest)
        for who in here:
            self.mark(resolution, who, tried=explored(resolution).tried[who] | tried)
        sprung: list[CreatureIx] = []
        for who in here:
            sprung += self._springing(resolution, who, resolution.figures[who].cell)
        if noticed or sprung:
            self.danger(resolution, noticed, list(dict.fromkeys(sprung)))

    # -- noticing -------------------------------------------------------------------------------------------

    def go(
        self, resolution: R, who: CreatureIx, way: Sequence[Cell], manner: Manner
    ) -> tuple[int, list[Sensed], list[CreatureIx]]:
        """Who notices whom on a way: (spaces of it that are gone, who noticed and how, who sprang from hiding).

        Nobody is moved here. The way ends where somebody notices or springs.
        """
        if manner is self.sneaking:
            self.sneak(resolution, who)
        elif manner is not self.hidden:
            self.mark(resolution, who, guise=OPENLY)
        found = self.senses(resolution.done(), who, way, manner)
        for step, cell in enumerate(way):
            if sprung := self._springing(resolution, who, cell):
                return step + 1, [], sprung
            if noticed := [sense for sense in found if sense.step == step and self.tries(resolution, who, sense)]:
                return step + 1, noticed, []
        return len(way), [], []

    def guise_of(self, at: At, who: CreatureIx) -> Manner:
        """How somebody is about who does nothing new: hidden by its last attempt, or openly."""
        return self.still if explored(at).guise[who] == OPENLY else self.hidden

    def heed(self, resolution: R, heroes: Iterable[CreatureIx]) -> None:
        """Doors open, lights go on: whoever is in sight now and was not before may be noticed where it stands."""
        if resolution.explore is not None:
            self.grow(resolution)
        state, since = None, (0, resolution.explore)
        for who in heroes:
            cell = resolution.figures[who].cell
            if not self.exploring_now(resolution) or not self.is_hero(resolution, who) or not self.up(resolution, who):
                continue
            if cell < 0:  # a prisoner stands where nobody notices it
                continue
            if state is None or since != (len(resolution.events), resolution.explore):
                state, since = resolution.done(), (len(resolution.events), resolution.explore)
            found = self.senses(state, who, (cell,), self.guise_of(state, who))
            noticed = [sense for sense in found if self.tries(resolution, who, sense)]
            sprung = self._springing(resolution, who, cell)
            if noticed or sprung:
                self.danger(resolution, noticed, sprung)

    # -- ambush ---------------------------------------------------------------------------------------------

    def _springing(self, resolution: R, who: CreatureIx, cell: Cell) -> list[CreatureIx]:
        """Those in hiding whose moment has come: a hero is where they could strike at once.

        Before that a hero that comes within 6 spaces of somebody in hiding, in its sight, has one chance to find it.
        Of an attempt in vain nothing is told.
        """
        if not any(explored(resolution).hides):
            return []
        state, springing = resolution.done(), []
        for other, total in numbered(explored(resolution).hides):
            if not total or state.figures[other].cell < 0:  # in a plan nobody knows where it is
                continue
            if self.in_view(state, other, who, cell) is Grade.NONE:
                continue
            away, now = self.distance(state, other, who, cell), explored(resolution)
            if away <= FAR and not (now.spotted | now.looked[who]) >> other & 1:
                self.mark(resolution, who, looked=now.looked[who] | 1 << other)
                if self.finds(resolution, who, total):
                    self.spot(resolution, who, other)
            if self.able(state, other) and away <= self.pounce(state, other):
                springing.append(other)
        return springing

    def spot(self, resolution: R, who: CreatureIx, other: CreatureIx) -> None:
        """A hero finds somebody in hiding, and the others know of it."""
        self.note(resolution, spotted=explored(resolution).spotted | 1 << other)
        finder, found = self.named(resolution, who), self.named(resolution, other)
        told = text("{finder} spots {found} lying in wait.", finder, found)
        resolution.events.append(Note(text=told, by=self.bodies(resolution)[who].id))

    # -- danger ---------------------------------------------------------------------------------------------

    def danger(
        self, resolution: R, noticed: Sequence[Sensed] = (), sprung: Sequence[CreatureIx] = (), *, loud: bool = False
    ) -> None:
        """It comes to blows: the fight opens, and those caught unaware have the worse of it (olde.md §4).

        Who noticed is ready, and so are those of its side who are awake and see or hear it; with `loud` everybody
        awake. Who lay in hiding is ready; those it springs at are not.
        """
        self.grow(resolution)
        state = resolution.done()
        alert = [sense.watcher for sense in noticed] + list(sprung)
        everybody = loud or any(self.alarms(resolution, sense.watcher) for sense in noticed)
        ready = self.warned(resolution, state, alert, sprung, everybody=everybody)
        self.rouse(resolution, ready)
        up = [
            i for i in first_creatures(len(resolution.figures)) if self.up(resolution, i) and self.here(resolution, i)
        ]
        caught = [i for i in up if (bool(sprung) if self.is_hero(resolution, i) else i not in ready)]
        for sense in noticed:
            if self.asleep(resolution.done(), sense.watcher):
                self.wake(resolution, sense.watcher)
            self.tell_alarm(resolution, sense.watcher)
        for other in sprung:
            self._say(resolution, other, text("{name} springs from hiding!", self.named(resolution, other)))
        now = explored(resolution)
        self.note(resolution, caught=sum(1 << i for i in caught), done=0, fights=now.fights + 1)
        self.park(resolution, ambush=not (noticed or sprung or loud))
        self.open_fight(resolution, caught)
        resolution.events.append(Began(what="fight"))
        self._tell_caught(resolution, caught)
        self.first_round(resolution)

    def warned(
        self, resolution: R, state: Any, alert: Sequence[CreatureIx], sprung: Sequence[CreatureIx], *, everybody: bool
    ) -> set[CreatureIx]:
        """Who is ready once some have noticed the heroes: they, those in hiding, and whoever awake is warned by them;
        with `everybody` all who are awake."""
        ready = {i for i in first_creatures(len(resolution.figures)) if self.in_wait(resolution, i, sprung)}
        for other in self.watchers(state):
            awake = self.looks(state, other)
            if other in alert or (awake and (everybody or any(self._hears(state, other, one) for one in alert))):
                ready.add(other)
        return ready

    def tell_attempt(self, resolution: R, who: CreatureIx, told: Callable[[str], Event]) -> None:
        """A watcher's attempt to notice somebody (`told` makes it, given the name): in fog of war those who don't see
        the sneaker learn of somebody unseen."""
        event, state = told(self.named(resolution, who)), resolution.done()
        bodies = self.bodies(state)
        sides = tuple(dict.fromkeys(body.side for body in bodies)) if self.fog(resolution) else ()
        blind = [side for side in sides if self.observed(state, side).figures[who].cell < 0]
        if blind:
            self.tell_apart(resolution, event, told(text("somebody unseen")), blind)
        else:
            resolution.events.append(event)

    def tell_apart(self, resolution: R, event: Event, unnamed: Event, blind: Sequence[str]) -> None:
        """What `blind` sides are told in another way, as they don't see of whom it tells."""
        sides = dict.fromkeys(body.side for body in self.bodies(resolution))
        others = tuple(side for side in sides if side not in blind)
        resolution.events.append(msgspec.structs.replace(event, seen_by=others or ("",)))
        resolution.events.append(in_part(unnamed, blind, others))

    def in_wait(self, resolution: R, who: CreatureIx, sprung: Sequence[CreatureIx]) -> bool:
        """Whether somebody in hiding is ready for the fight that begins."""
        return bool(explored(resolution).hides[who])

    def here(self, resolution: R, who: CreatureIx) -> bool:
        """Whether somebody counts where a fight begins; in a crawl those off the board don't."""
        return not explored(resolution).crawl or resolution.figures[who].cell >= 0

    def rouse(self, resolution: R, ready: Iterable[CreatureIx]) -> None:
        """These know of the heroes from now on."""

    def park(self, resolution: R, *, ambush: bool) -> None:
        """Who has nothing to do with the fight is left out of it; `ambush`: the heroes have begun it."""

    def tell_alarm(self, resolution: R, who: CreatureIx) -> None:
        """Who has noticed the party."""
        self._say(resolution, who, text("{name} is alarmed!", self.named(resolution, who)))

    def _say(self, resolution: R, who: CreatureIx, told: str) -> None:
        resolution.events.append(Note(text=told, by=self.bodies(resolution)[who].id))

    def _tell_caught(self, resolution: R, everybody: list[CreatureIx]) -> None:
        """Who is caught unaware: in fog of war each side learns it only of its own and of those whom it sees."""
        everybody = [i for i in everybody if resolution.figures[i].cell >= 0 or not explored(resolution).crawl]
        told = Note(text=self._caught(resolution, everybody) or "Nobody is caught unaware.")
        if not (self.fog(resolution) and everybody):
            resolution.events.append(told)
            return
        state, whole, parts = resolution.done(), list[str](), list[tuple[str, Note]]()
        for side in dict.fromkeys(body.side for body in self.bodies(resolution)):
            seen = self.observed(state, side).figures
            known = [i for i in everybody if seen[i].cell >= 0]
            if known == everybody:
                whole.append(side)
            else:
                parts.append((side, Note(text=self._caught(resolution, known) or "Nobody in sight is caught unaware.")))
        resolution.events.append(msgspec.structs.replace(told, seen_by=tuple(whole) or ("",)) if parts else told)
        resolution.events += [in_part(note, (side,), whole) for side, note in parts]

    def _caught(self, resolution: R, whom: Sequence[CreatureIx]) -> str:
        """`Caught unaware: Goblin (3) and Orc.`"""
        names = [self.named(resolution, i) for i in whom]
        each = dict.fromkeys(names)
        counted = [text("{name} ({count})", n, names.count(n)) if names.count(n) > 1 else n for n in each]
        listed = joined(" and ", [part for part in (joined(", ", counted[:-1]), *counted[-1:]) if part])
        return text("Caught {unaware}: {listed}.", Term("unaware"), listed) if whom else ""

    def _hears(self, state: Any, other: CreatureIx, one: CreatureIx) -> bool:
        """Whether somebody is warned by another of its side."""
        bodies, cell = self.bodies(state), state.figures[one].cell
        if bodies[other].side != bodies[one].side:
            return False
        return (
            self.distance(state, other, one, cell) <= SHOUT or self.in_view(state, other, one, cell) is not Grade.NONE
        )

    # -- turns ----------------------------------------------------------------------------------------------

    def exploring(self, resolution: R) -> bool:
        """Go on until some hero may do something (True), or it is a fight or over (False)."""
        for _ in range(PATIENCE):
            if not self.exploring_now(resolution):
                return False
            if self.is_over(resolution):
                self.over(resolution)
                return False
            self.grow(resolution)
            if self.waiting(resolution.done()):
                return True
            if explored(resolution).idle >= PATIENCE:  # fights may have come between
                break
            self._pass_turn(resolution)
        self.stranded(resolution)
        return False

    def grow(self, resolution: R) -> None:
        """Somebody has joined those on the board, torn in two by a trap or called: the rows grow with them."""
        if len(resolution.figures) > (count := len(explored(resolution).post)):
            more = self.rows(resolution, count)
            self.note(resolution, **{row: getattr(explored(resolution), row) + new for row, new in more.items()})

    def stranded(self, resolution: R) -> None:
        """No hero has been able to act for long."""
        self.danger(resolution)

    @abstractmethod
    def over(self, resolution: R) -> None:
        """Only one side has anybody left, without a fight: the rules' own end of it."""

    def taken_up(self, at: Any, who: CreatureIx, part: Part) -> str | None:
        """Why somebody has not this part of its turn left, or None."""
        return None

    def spend(self, resolution: R, who: CreatureIx, turns: int, part: Part = Part.WHOLE) -> None:
        """Somebody has begun what takes so many turns, this one included, or a part of this one."""
        if turns:
            self.note(resolution, done=explored(resolution).done | 1 << who)
            self.mark(resolution, who, busy=turns - 1)

    def _pass_turn(self, resolution: R) -> None:
        """A turn is over: what its time does to everybody, then the watchers' ways."""
        self.pass_turn(resolution)
        before, everybody = explored(resolution), first_creatures(len(resolution.figures))
        busy = tuple(max(0, left - 1) for left in before.busy)
        done = sum(1 << who for who in everybody if before.busy[who])
        idle = 0 if before.done or any(before.busy) else before.idle + 1
        self.note(resolution, minute=before.minute + 1, busy=busy, done=done, moved=0, acted=0, idle=idle)
        resolution.events.append(Began(what=self.turn, number=before.minute + 1))
        self.walk_rounds(resolution)

    def walk_rounds(self, resolution: R) -> None:
        """Those who walk a round take their way, one after the other, as long as nobody is noticed."""
        for who in self.walkers(resolution.done()):
            if self.exploring_now(resolution) and self._walk(resolution, who):
                self.heed(resolution, first_creatures(len(resolution.figures)))

    def _walk(self, resolution: R, who: CreatureIx) -> bool:
        """A walker takes its way; False where it stays. Everybody it sees then is new to it."""
        way, leg = self.coming(resolution.done(), who)
        if way:
            self.stroll(resolution, who, way)
            self.note(resolution, leg=put(explored(resolution).leg, who, leg))
        return bool(way)

    def stroll(self, resolution: R, who: CreatureIx, way: Sequence[Cell]) -> None:
        """A watcher walks; everybody whom it sees then is new to it."""
        self.move(resolution, who, way, "walk")
        tried = tuple(bits & ~(1 << who) for bits in explored(resolution).tried)
        self.note(resolution, tried=tried)

    def walkers(self, state: Any) -> list[CreatureIx]:
        """Those who walk a round and can; whoever goes after a noise leaves it meanwhile."""
        hides, seeks = (state.explore.hides, state.explore.seeks) if state.explore is not None else ((), ())
        able = [i for i, body in numbered(self.bodies(state)) if body.patrol and self.walks(state, i)]
        return [i for i in able if hides and not hides[i] and (i >= len(seeks) or seeks[i] < 0)]

    def walks(self, state: Any, who: CreatureIx) -> bool:
        """Whether a watcher on its feet is about."""
        return self.able(state, who) and self.looks(state, who)

    def coming(self, state: Any, who: CreatureIx) -> tuple[tuple[Cell, ...], int]:
        """(spaces that a walker enters when this turn is over, the number of the way point that it goes to)."""
        body, figure = self.bodies(state)[who], state.figures[who]
        points = [state.setup.field.cell(*point) for point in body.patrol]
        now = explored(state).leg[who] % len(points)
        leg = next((i for i in (*range(now, len(points)), *range(now)) if points[i] != figure.cell), None)
        if leg is None:
            return (), now
        return self.way(state.terrain, figure.cell, points[leg], body.space, self.occupied(state, who)), leg

    def way(self, terrain: Terrain, start: Cell, goal: Cell, size: int, others: Bitboard) -> tuple[Cell, ...]:
        """As much of the cheapest way as a turn allows; empty where none leads there past others (a bitboard).
        Remembered."""
        known: dict[tuple[Cell, Cell, int, Bitboard], tuple[Cell, ...]] = terrain.memo.setdefault("rounds", {})
        key = (start, goal, size, others)
        if key in known:
            return known[key]
        if len(known) >= ROUNDS_KEPT:
            known.clear()
        ways = reach(terrain, start, ROUND, size=size, blocked=others)
        path = ways.route(goal) if goal >= 0 and any(layer >> goal & 1 for layer in ways.layers) else ()
        at, left = start, self.tile
        for step, cell in enumerate(path):
            left -= terrain.costs(at, size)[cell]
            if left < 0:
                path = path[:step]
                break
            at = cell
        known[key] = path
        return path

    def give_up(self, resolution: R) -> None:
        """The expedition is given up: whoever stands at an exit has left by it, whoever does not comes home some day
        with nothing done, and lives. Theirs is the evening only if somebody has left."""
        exits, bodies = resolution.terrain.field.exits, self.bodies(resolution)
        out = any(
            resolution.terrain.footprint(resolution.figures[who].cell, bodies[who].space) & exits
            for who in self.heroes(resolution)
        )
        foes = [body.side for body in bodies if body.side not in (PARTY, CAPTIVES)]
        side = PARTY if out or not foes else foes[0]
        self.end(resolution, side)
        resolution.events.append(Over(winner=side, because=Ending.GAVE_UP))

    def slip_away(self, resolution: R) -> None:
        """The party leaves, and nobody has noticed it: that is the end of it."""
        self.end(resolution, PARTY)
        because = Ending.OUT_AGAIN if explored(resolution).fights else Ending.SLIPPED_PAST
        resolution.events.append(Over(winner=PARTY, because=because))


def explored(at: At) -> Exploring:
    """How the exploration stands, where there is one."""
    assert at.explore is not None
    return at.explore


def around(terrain: Terrain, cell: Cell, space: int, taken: Bitboard) -> Cell:
    """The free space nearest to a cell for a creature so wide, not through walls where there is any on this side of
    them; `NOWHERE` if there is none near."""
    first, open_to = NOWHERE, None
    for far in range(12):
        for there in sorted(_fitting(terrain, cell, space, far, taken)):
            if not far:
                return there
            if open_to is None:
                open_to = reach(terrain, cell, ROUND).cells
            if open_to >> there & 1:
                return there
            first = there if first == NOWHERE else first
    return first


def _fitting(terrain: Terrain, cell: Cell, space: int, far: int, taken: Bitboard) -> Iterator[Cell]:
    field = terrain.field
    column, row = field.at(cell)
    for y in range(row - far, row + far + 1):
        for x in range(column - far, column + far + 1):
            if max(abs(x - column), abs(y - row)) != far or not field.inside(x, y):
                continue
            there = field.cell(x, y)
            if terrain.fits(there, space) and not terrain.footprint(there, space) & taken:
                yield there


NOBODY = EMPTY
"""The spaces of nobody."""

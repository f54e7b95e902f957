"""Dealings other than blows: how strangers take to the party, parley and bribes, and who runs for help (olde.md §8
expedition; cairn.md §1 reactions; countup.md §2.12 expeditions).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any

from rules.board.sight import Grade
from rules.contract.actions import Action, Description
from rules.contract.events import NoiseKind, Note
from rules.contract.ruleset import PARTY, Odds
from rules.contract.text import N, joined, text
from rules.contract.units import NOWHERE, Cell, CreatureIx, numbered
from rules.core.action_kinds import Face
from rules.explore.course import explored
from rules.explore.crawl import Crawl
from rules.explore.kinds import C, Paid
from rules.explore.noise import Loudness
from rules.explore.procedure import R, Sensed
from rules.explore.state import Attitude, Part

EARSHOT = 12
"""Spaces within which one can speak with somebody in sight (R)."""
PRICE = 10
"""Coins for each point of weight that a bribe costs (R)."""
BAND = 6
"""Spaces within which those without a group of their own deal with the party as one (R)."""


class Meeting(Crawl[R]):
    """A crawl in which not everybody strikes at once."""

    @abstractmethod
    def reaction(self, resolution: R, who: CreatureIx) -> Attitude:
        """How a stranger takes to the party at first sight: thrown and told; hostile where the rules know nothing
        else."""

    @abstractmethod
    def persuades(self, resolution: R, who: CreatureIx, target: CreatureIx, *, coins: bool) -> int:
        """Whether somebody talks another round: 1, 0 in vain, −1 and worse than before; thrown and told."""

    @abstractmethod
    def persuading(self, state: Any, who: CreatureIx, target: CreatureIx, *, coins: bool) -> tuple[float, float]:
        """The chances (that it works, that it makes things worse)."""

    @abstractmethod
    def speaks(self, at: Any, who: CreatureIx) -> bool:
        """Whether somebody can be talked to."""

    @abstractmethod
    def hurt(self, state: Any, who: CreatureIx) -> bool:
        """Whether somebody has half its health or less."""

    # -- first sight

    def watchers(self, at: Any) -> list[CreatureIx]:
        """As `Course.watchers`; who keeps peace with the party looks on, and stops nobody on its way."""
        attitude = explored(at).attitude
        return [who for who in super().watchers(at) if attitude[who] < Attitude.WARY]

    def danger(
        self, resolution: R, noticed: Sequence[Sensed] = (), sprung: Sequence[CreatureIx] = (), *, loud: bool = False
    ) -> None:
        """As `Crawl.danger`; strangers who can speak, and have no reason of their own, first show how they take it."""
        if explored(resolution).crawl and noticed and not sprung and not loud:
            noticed = [sense for sense in noticed if not self._deals(resolution, sense.watcher)]
            if not noticed or self._only_runners(resolution, noticed):
                return
        elif explored(resolution).crawl and not sprung and not loud:
            self._provoke(resolution)
        super().danger(resolution, noticed, sprung, loud=loud)

    def _only_runners(self, resolution: R, noticed: Sequence[Sensed]) -> bool:
        """Where nobody has noticed the party but who runs for help, it runs, and there is no fight yet."""
        runners = [sense.watcher for sense in noticed if self.duty(resolution, sense.watcher) == "warn"]
        if len(runners) < len(noticed):
            return False
        self.rouse(resolution, runners)
        state = resolution.done()
        seen = self.sees(state, PARTY)
        here = [i for i, figure in numbered(state.figures) if figure.cell >= 0 and self.up(state, i)]
        foes = (i for i in here if not self.is_hero(state, i) and not self.asleep(state, i))  # who sleeps, sleeps on
        if any(self._takes_part(state, i, seen) for i in foes):
            return False
        for who in runners:
            if explored(resolution).seeks[who] < 0:
                self._tell_runner(resolution, who)
            self.mark(resolution, who, seeks=self._refuge(state, who))
            self._go_on(resolution, who)
        return True

    def _tell_runner(self, resolution: R, who: CreatureIx) -> None:
        told = text("{name} runs for help!", self.named(resolution, who))
        resolution.events.append(Note(text=told, by=self.bodies(resolution)[who].id))

    def _provoke(self, resolution: R) -> None:
        """The heroes fall upon those in sight: whoever kept peace there keeps it no longer."""
        state = resolution.done()
        seen, bodies = self.sees(state, PARTY), self.bodies(state)
        for who, figure in numbered(state.figures):
            attitude = explored(state).attitude[who]
            if (
                attitude < Attitude.WARY
                or attitude == Attitude.YIELDED
                or figure.cell < 0
                or not self.hostile(state, who)
            ):
                continue
            if state.terrain.footprint(figure.cell, bodies[who].space) & seen:
                self.mark(resolution, who, attitude=Attitude.HOSTILE)

    def _deals(self, resolution: R, who: CreatureIx) -> bool:
        """Whether somebody who has noticed the party keeps peace."""
        now = explored(resolution)
        if now.attitude[who] >= Attitude.WARY:
            return True
        state = resolution.done()
        if now.attitude[who] == Attitude.HOSTILE or now.roused >> who & 1 or not self._finds(state, who):
            return False
        if self.duty(resolution, who) or self.bodies(resolution)[who].patrol or not self.speaks(resolution, who):
            return False
        found = self.reaction(resolution, who)
        self.set_attitude(resolution, who, found)
        return found >= Attitude.WARY

    def set_attitude(self, resolution: R, who: CreatureIx, attitude: Attitude) -> None:
        """Somebody and its band mean to deal so with the party from now on."""
        for other in self.band(resolution.done(), who):
            self.mark(resolution, other, attitude=attitude)

    def band(self, state: Any, who: CreatureIx) -> list[CreatureIx]:
        """Those who deal as one with somebody: of its group, else of its side near by."""
        bodies, own = self.bodies(state), self.bodies(state)[who]
        found = []
        for other, body in numbered(bodies):
            if body.side != own.side or not self.up(state, other) or state.figures[other].cell < 0:
                continue
            near = self.distance(state, who, other, state.figures[other].cell) <= BAND
            if other == who or (own.group and body.group == own.group) or (not own.group and near):
                found.append(other)
        return found

    # -- who runs for help

    def _takes_part(self, state: Any, who: CreatureIx, seen: Any) -> bool:
        return super()._takes_part(state, who, seen) and self._refuge(state, who) < 0

    def _refuge(self, state: Any, who: CreatureIx) -> Cell:
        """Where those are whom somebody runs to, unless a hero is beside it; `NOWHERE` for who runs to nobody."""
        bodies, own = self.bodies(state), self.bodies(state)[who]
        if self.duty(state, who) != "warn" or not own.warns or not explored(state).roused >> who & 1:
            return NOWHERE
        if any(self.distance(state, who, i, state.figures[i].cell) <= 1 for i in self.heroes(state)):
            return NOWHERE
        for other, body in numbered(bodies):
            cell = state.figures[other].cell
            if other != who and own.warns in (body.group, body.id) and cell >= 0 and self.up(state, other):
                return Cell(cell)
        return NOWHERE

    def park(self, resolution: R, *, ambush: bool) -> None:
        """As `Crawl.park`; whoever warns others is on its way to them."""
        runners = {}
        if explored(resolution).crawl:
            state = resolution.done()
            up = (i for i, _ in numbered(state.figures) if self.up(state, i))
            runners = {i: goal for i in up if (goal := self._refuge(state, i)) >= 0}
        super().park(resolution, ambush=ambush)
        for who, goal in runners.items():
            self.mark(resolution, who, seeks=goal)
            self._tell_runner(resolution, who)

    def arrived(self, resolution: R, who: CreatureIx) -> None:
        """Who ran for help has come there: all of them know, and come with it."""
        own = self.bodies(resolution)[who]
        if self.duty(resolution, who) != "warn" or not own.warns:
            return
        warned = [i for i, b in numbered(self.bodies(resolution)) if own.warns in (b.group, b.id)]
        for other in (*(i for i in warned if self.up(resolution, i)), who):
            if self.asleep(resolution, other):
                self.wake(resolution, other)
            self.rouse(resolution, [other])
            self.mark(resolution, other, seeks=self._fight_at(resolution))

    def fled(self, resolution: R, who: CreatureIx, cell: Cell) -> None:
        """Somebody has run from a fight: its cries are heard."""
        self.make_noise(resolution, NoiseKind.VOICES, cell, Loudness.ALARM, who)


# -- what heroes say ----------------------------------------------------------------------------------------


class TalkOutcome(StrEnum):
    """What may come of talk, as its odds name it."""

    WON_OVER = N("won over")
    IN_VAIN = N("in vain")
    BLOWS = N("it comes to blows")


class Talk(Paid[C]):
    """Something said to somebody in sight."""

    turns = 1
    takes = Part.ACTION
    rank = 2
    pays = False
    course: Meeting[Any]

    def near(self, context: C) -> list[CreatureIx]:
        """Those who could be talked to: awake, in sight, near enough, and not won over already."""
        state, course = context.state, self.course
        own = state.figures[context.who].cell
        found = []
        for who, figure in numbered(state.figures):
            if figure.cell < 0 or not course.able(state, who) or not course.hostile(state, who):
                continue
            if course.is_hero(state, who) or not course.speaks(state, who):
                continue
            if (
                Attitude.KIND <= explored(state).attitude[who] <= Attitude.YIELDED
                or course.distance(state, who, context.who, own) > EARSHOT
            ):
                continue
            if course.in_view(state, context.who, who, figure.cell) is not Grade.NONE:
                found.append(who)
        return found

    def why_not(self, context: C) -> str | None:
        if not explored(context.state).crawl:
            return "there is nobody to talk to before a fight"
        return super().why_not(context) or (None if self.near(context) else "nobody in sight would listen")

    def why_not_this(self, context: C, action: Action) -> str | None:
        state, bodies = context.state, self.course.bodies(context.state)
        near = self.near(context)
        who = state.setup.index.get(action.target or "")
        if who not in near:
            names = joined(", ", (bodies[i].id for i in near))
            return text("target: {target} would not listen; there is {near}", repr(action.target), names or "nobody")
        price = self.price(state, who)
        if self.pays and self.purse(state) < price:
            return text("the party has not the {price} coins that it takes", price)
        return None

    def candidates(self, context: C) -> Iterator[Action]:
        bodies = self.course.bodies(context.state)
        for who in self.near(context):
            yield Action(context.actor, self.do, target=bodies[who].id)

    def purse(self, at: Any) -> int:
        """What the party has in coins."""
        return sum(at.figures[i].purse for i, body in numbered(self.course.bodies(at)) if body.side == PARTY)

    def price(self, at: Any, target: CreatureIx) -> int:
        """Coins for a band."""
        return sum(PRICE * max(1, self.course.bodies(at)[i].threat) for i in self.course.band(at, target))

    def describe(self, context: C, action: Action | None = None) -> Description:
        if action is None or not self.pays or action.target not in context.state.setup.index:
            return super().describe(context, action)
        price = self.price(context.state, context.state.setup.index[action.target])
        return self.face.described(text("{coins} coins", price), rank=self.rank)

    def odds(self, context: C, action: Action) -> Odds | None:
        target = context.state.setup.index.get(action.target or "")
        if target is None:
            return None
        good, bad = self.course.persuading(context.state, context.who, target, coins=self.pays)
        outcomes = ((TalkOutcome.WON_OVER, good), (TalkOutcome.IN_VAIN, 1.0 - good - bad), (TalkOutcome.BLOWS, bad))
        return Odds(good, tuple((word, chance) for word, chance in outcomes if chance > 0))

    def resolve(self, resolution: Any, who: CreatureIx, action: Action) -> None:
        course, target = self.course, resolution.setup.index[action.target or ""]
        if explored(resolution).attitude[target] == Attitude.UNMET:  # it has noticed who speaks to it
            found = course.reaction(resolution, target)
            course.set_attitude(resolution, target, found)
        result = course.persuades(resolution, who, target, coins=self.pays)
        if result > 0:
            if self.pays:
                self._pay(resolution, self.price(resolution.done(), target))
            course.set_attitude(resolution, target, Attitude.KIND)
            told = text("{name} lets the party be.", course.named(resolution, target))
            resolution.events.append(Note(text=told, by=course.bodies(resolution)[target].id))
        elif result < 0 or explored(resolution).attitude[target] == Attitude.HOSTILE:
            course.set_attitude(resolution, target, Attitude.HOSTILE)
            course.danger(resolution, loud=True)

    def _pay(self, resolution: Any, price: int) -> None:
        for i, body in numbered(self.course.bodies(resolution)):
            if body.side == PARTY and price:
                purse = resolution.figures[i].purse
                paid = min(purse, price)
                if paid:
                    resolution.change(i, purse=purse - paid)
                    price -= paid


class Parley(Talk[C]):
    """Talk with strangers: won over, they let the party be."""

    do = "parley"
    face = Face("Parley", "Act", "1 minute", "creature", "call", "shift+r", "won over, they let the party be")


class Bribe(Talk[C]):
    """The same with coins in hand: it goes easier."""

    do = "bribe"
    face = Face("Bribe", "Act", "coins", "creature", "pick_up", "shift+b", "10 coins a point of weight")
    pays = True

"""What heroes do in a turn of exploration under any rules: go, listen, search, take stairs, light up, fight, leave.

A ruleset puts these into its table beside its own actions, which serve as they are (`Borrowed`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from rules.board.grid import Terrain
from rules.board.path import path_cost, path_fault
from rules.board.sight import Grade
from rules.contract.actions import Action, Decision, Description, Offer
from rules.contract.events import Noise, NoiseKind, Note
from rules.contract.ruleset import Odds
from rules.contract.text import Place, text
from rules.contract.units import Cell, CreatureIx, first_creatures, numbered
from rules.core.action_kinds import ActionKind, Face, KindActions
from rules.explore.course import around, explored
from rules.explore.crawl import Crawl
from rules.explore.noise import Loudness, carried
from rules.explore.procedure import Manner
from rules.explore.state import Part


class Situation(Protocol):
    """A hero's situation in a turn of exploration."""

    @property
    def actor(self) -> str: ...
    @property
    def state(self) -> Any: ...
    @property
    def who(self) -> CreatureIx: ...
    @property
    def terrain(self) -> Terrain: ...


C = TypeVar("C", bound=Situation)


class Timed(ActionKind[C]):
    """One kind of thing to do with a turn."""

    turns = 0  # what it takes
    takes = Part.WHOLE  # of a turn, where the rules know parts of it
    rank = 3  # how soon its button earns a place where room is scarce
    watched = False  # whether whoever does it is noticed by its noise, or where it leads to

    def __init__(self, course: Crawl[Any]) -> None:
        self.course = course

    def describe(self, context: C, action: Action | None = None) -> Description:
        return self.face.described(rank=self.rank)

    def offer(self, context: C) -> Offer:
        """Its button with its legal instances, or with the reason why there is none."""
        actions = tuple(self.instances(context))
        refused = None if actions else (self.why_not(context) or "nothing to do it with")
        return Offer(self.do, self.describe(context), actions, refused, inside=self.inside(context, actions, refused))

    def refusal(self, context: C, action: Action) -> str | None:
        return self.why_not(context) or self.why_not_this(context, action)


class Paid(Timed[C]):
    """What takes a part of the turn that must still be left."""

    def why_not(self, context: C) -> str | None:
        return self.course.taken_up(context.state, context.who, self.takes) if self.turns else None


# -- ways out of it -----------------------------------------------------------------------------------------


def foes_in_sight(course: Crawl[Any], state: Any) -> bool:
    """Whether some hero who can act sees an adversary who is up."""
    foes = [(i, f.cell) for i, f in numbered(state.figures) if f.cell >= 0 and course.up(state, i)]
    foes = [(i, cell) for i, cell in foes if not course.is_hero(state, i)]
    heroes = course.heroes(state)
    return any(course.in_view(state, hero, i, cell) is not Grade.NONE for i, cell in foes for hero in heroes)


class Ambush(Timed[C]):
    """Fall upon those in sight: the fight begins, and whoever has noticed nothing is caught unaware."""

    do = "ambush"
    face = Face("Ambush", "Act", "the fight begins", "none", "attack", "4", "whoever noticed nothing is caught unaware")
    rank = 1

    def why_not(self, context: C) -> str | None:
        return None if foes_in_sight(self.course, context.state) else "no adversary is in sight"

    def resolve(self, resolution: Any, who: CreatureIx, action: Action) -> None:
        self.course.danger(resolution)
        if self.course.exploring_now(resolution):  # nobody who is in sight could be come at
            self.course.spend(resolution, who, 1)


class Shout(Timed[C]):
    """Call the adversaries out: the fight begins, and nobody awake is caught unaware."""

    do = "shout"
    face = Face("Challenge", "Act", "the fight begins", "none", "call", "3", "nobody awake is caught unaware")
    rank = 2

    def resolve(self, resolution: Any, who: CreatureIx, action: Action) -> None:
        self.course.danger(resolution, loud=True)
        if self.course.exploring_now(resolution):  # nobody was there to hear it
            self.course.spend(resolution, who, 1)


class Leave(Timed[C]):
    """Slip out by an exit, once every hero who can go stands on one: nobody has to be fought."""

    do = "leave"
    face = Face("Slip away", "Act", "the end", "none", "door", "shift+q", "by an exit, all together")

    def why_not(self, context: C) -> str | None:
        exits, state = context.terrain.field.exits, context.state
        if not exits:
            return "this map has no exit"
        bodies = self.course.bodies(state)
        for who in self.course.heroes(state):
            if not context.terrain.footprint(state.figures[who].cell, bodies[who].space) & exits:
                return text("{name} does not stand at an exit", self.course.named(state, who))
        return None

    def resolve(self, resolution: Any, who: CreatureIx, action: Action) -> None:
        self.course.slip_away(resolution)


class Surrender(Timed[C]):
    """Give the expedition up: at an exit one leaves, anywhere else one comes home some day with nothing done."""

    do = "surrender"
    face = Face("Give up", "Act", "the end", "none", "end", "shift+s", "out by an exit, or lost and home some day")

    def describe(self, context: C, action: Action | None = None) -> Description:
        return msgspec.structs.replace(super().describe(context, action), final=True)

    def why_not(self, context: C) -> str | None:
        return None if explored(context.state).crawl else "only an expedition can be given up"

    def resolve(self, resolution: Any, who: CreatureIx, action: Action) -> None:
        self.course.give_up(resolution)


class Wait(Timed[C]):
    """Let the turn pass."""

    do = "end"
    face = Face("Wait", "End", "1 minute", "none", "hourglass", "ctrl+enter", "let this minute pass")
    turns = 1
    rank = 1

    def why_not(self, context: C) -> str | None:
        return None

    def resolve(self, resolution: Any, who: CreatureIx, action: Action) -> None:
        """Nothing is done."""


# -- ways ---------------------------------------------------------------------------------------------------


class Going(Paid[C]):
    """A way of up to so many spaces, openly or not."""

    turns = 1
    takes = Part.MOVE
    rank = 1
    limit: int  # spaces
    manner: Manner

    def why_not(self, context: C) -> str | None:
        return super().why_not(context) or self.course.held(context.state, context.who)

    def candidates(self, context: C) -> Iterator[Action]:
        ways = self.course.ways(context.state, context.who, self.limit)
        for path in ways.paths():
            yield Action(context.actor, self.do, path=path)

    def instances(self, context: C) -> Iterator[Action]:
        if self.why_not(context) is None:
            yield from self.candidates(context)

    def why_not_this(self, context: C, action: Action) -> str | None:
        state, who, path = context.state, context.who, action.path
        if not path:
            return "path: name the spaces entered"
        start, space = state.figures[who].cell, self.course.bodies(state)[who].space
        ground = self.course.ground(state, who)
        if fault := path_fault(ground, start, path, space):
            return fault
        if path_cost(ground, start, path, space) > self.limit:
            return text("path: {limit} spaces at most", self.limit)
        closed, ends = self.course.barred(state, who)
        for cell in path:
            if ground.footprint(cell, space) & closed:
                return text("path: {name} is taken", Place(*ground.field.at(cell)))
        if ground.footprint(path[-1], space) & ends:
            return text("path: {name} is taken", Place(*ground.field.at(path[-1])))
        return None

    def odds(self, context: C, action: Action) -> Odds | None:
        return self.course.on_the_way(context.state, context.who, action.path, self.manner)

    def ahead(self, context: C, action: Action) -> Odds | None:
        """The odds of a way that may begin where one doesn't stand yet; None for what isn't legal where one does."""
        state, path = context.state, action.path
        space = self.course.bodies(state)[context.who].space
        near = context.terrain.distance(state.figures[context.who].cell, path[0], space) <= 1
        if near and self.refusal(context, action) is None:
            return self.odds(context, action)
        if len(path) > self.limit or any(cell not in context.terrain.field.cells for cell in path):
            return None
        return self.odds(context, action)

    def resolve(self, resolution: Any, who: CreatureIx, action: Action) -> None:
        course = self.course
        gone, noticed, sprung = course.go(resolution, who, action.path, self.manner)
        course.walk(resolution, who, action.path[:gone], self.do)
        if noticed or sprung:
            course.danger(resolution, noticed, sprung)


class Stairs(Paid[C]):
    """Over the stairs, the ladder or the passage on which one stands, to another level."""

    do = "stairs"
    face = Face("Take the stairs", "Move", "1 minute", "space", "climb", "shift+u", "to another level")
    turns = 1
    takes = Part.MOVE
    rank = 1

    def why_not(self, context: C) -> str | None:
        found = super().why_not(context) or self.course.held(context.state, context.who)
        if found is None and not self._from(context):
            return "no stairs lead to another level from here"
        return found

    def _from(self, context: C) -> list[Cell]:
        figure, space = context.state.figures[context.who], self.course.bodies(context.state)[context.who].space
        own = context.terrain.footprint(figure.cell, space)
        return [each.to for each in context.terrain.field.stairs if own >> each.cell & 1]

    def candidates(self, context: C) -> Iterator[Action]:
        for cell in dict.fromkeys(self._from(context)):
            yield Action(context.actor, self.do, at=cell)

    def why_not_this(self, context: C, action: Action) -> str | None:
        if action.at not in self._from(context):
            return "at: no stairs lead there from here"
        return None if self._landing(context.state, context.who, action.at) >= 0 else "at: there is no room beyond"

    def _landing(self, at: Any, who: CreatureIx, goal: Cell) -> Cell:
        space = self.course.bodies(at)[who].space
        return around(at.terrain, goal, space, self.course.occupied(at, who))

    def resolve(self, resolution: Any, who: CreatureIx, action: Action) -> None:
        assert action.at is not None
        there = self._landing(resolution, who, action.at)
        course = self.course
        _, noticed, sprung = course.go(resolution, who, (there,), course.guise_of(resolution, who))
        course.move(resolution, who, (there,), self.do)
        if noticed or sprung:
            course.danger(resolution, noticed, sprung)


# -- ears ---------------------------------------------------------------------------------------------------


class Listen(Paid[C]):
    """Keep still and listen: what stirs near by, around corners and behind doors."""

    do = "listen"
    face = Face("Listen", "Act", "1 minute", "none", "sight", "shift+a", "what stirs near by, also behind doors")
    turns = 1
    takes = Part.ACTION
    rank = 2

    def odds(self, context: C, action: Action) -> Odds | None:
        """The chance to hear somebody awake who is five spaces off, as an example: nobody knows who is there."""
        chance = self.course.hearing(context.state, context.who, _EXAMPLE)
        note = text("to hear somebody {spaces} spaces off; a closed door counts for six", _EXAMPLE)
        return Odds(chance, (("heard", chance), ("not heard", 1.0 - chance)), notes=((note, self.course.noise_rule),))

    def resolve(self, resolution: Any, who: CreatureIx, action: Action) -> None:
        course, heard = self.course, 0
        bodies, name = course.bodies(resolution), course.bodies(resolution)[who].id
        own = resolution.figures[who].cell
        for other in first_creatures(len(resolution.figures)):
            figure = resolution.figures[other]
            if course.is_hero(resolution, other) or figure.cell < 0 or not course.up(resolution, other):
                continue
            loudness = Loudness.QUIET if course.asleep(resolution, other) else Loudness.DOOR
            sound = carried(resolution.terrain, figure.cell, loudness)
            distance = sound.distance(resolution.terrain.footprint(own, bodies[who].space))
            if distance is None or course.seen(resolution, other) or not course.hears(resolution, who, distance):
                continue
            heard += 1
            what = NoiseKind.BEAST if course.asleep(resolution, other) else NoiseKind.STEPS
            at = resolution.space(figure.cell)
            resolution.events.append(Noise(what=what, at=at, heard=((name, distance),), loudness=int(loudness)))
        if not heard:
            told = text("{name} hears nothing.", course.named(resolution, who))
            resolution.events.append(Note(text=told, by=name))


_EXAMPLE = 5


# -- borrowed -----------------------------------------------------------------------------------------------


class Borrowed(Paid[C]):
    """An action of a fight, done in a turn or beside what else is done in it."""

    watched = True

    def __init__(self, course: Crawl[Any], kind: ActionKind[C], turns: int, rank: int = 3) -> None:
        super().__init__(course)
        self.kind, self.do = kind, kind.do
        self.turns, self.rank, self.takes = turns, rank, Part.ACTION
        self.face = kind.face._replace(cost=course.label_of(turns))

    def why_not(self, context: C) -> str | None:
        return super().why_not(context) or self.kind.why_not(context)

    def why_not_this(self, context: C, action: Action) -> str | None:
        return self.kind.refusal(context, action)

    def candidates(self, context: C) -> Iterator[Action]:
        return self.kind.candidates(context)

    def instances(self, context: C) -> Iterator[Action]:
        return iter(()) if super().why_not(context) else self.kind.instances(context)

    def odds(self, context: C, action: Action) -> Odds | None:
        found = self.kind.odds(context, action)
        if found is None or self.course.loud((), action) is None:
            return found
        chance = self.course.overheard(context.state, context.who)
        note = text("{chance} heard by somebody who is known of; it carries 12 spaces", f"{chance:.0%}")
        return msgspec.structs.replace(found, notes=(*found.notes, (note, self.course.noise_rule)))

    def resolve(self, resolution: Any, who: CreatureIx, action: Action) -> None:
        self.kind.resolve(resolution, who, action)


class Helpful(Borrowed[C]):
    """What is done for one of one's own: what strikes adversaries waits for the fight (R)."""

    def why_not_this(self, context: C, action: Action) -> str | None:
        found = super().why_not_this(context, action)
        if found is None and not self._own(context, action):
            return "target: needs one of one's own; whoever strikes at adversaries begins the fight first"
        return found

    def _own(self, context: C, action: Action) -> bool:
        if action.target is None:
            return True
        who = context.state.setup.index.get(action.target)
        return who is not None and self.course.is_hero(context.state, who)

    def instances(self, context: C) -> Iterator[Action]:
        return (action for action in super().instances(context) if self._own(context, action))


# -- the table ----------------------------------------------------------------------------------------------


def decisions(course: Crawl[Any], state: Any, prompt: str) -> tuple[Decision, ...]:
    """A decision for every hero who has something left to do in this turn, in any order; `prompt` names a `{name}`."""
    bodies = course.bodies(state)
    return tuple(
        Decision(bodies[i].id, bodies[i].side, "explore", text(prompt, name=course.named(state, i)))
        for i in course.waiting(state)
    )


class ExploreActions(KindActions[C], Generic[C]):
    """Legal actions of one hero's turn."""

    def __init__(self, course: Crawl[Any], context: C, kinds: Mapping[str, Timed[C]]) -> None:
        super().__init__(context, kinds)
        self.course, self.table = course, kinds

    def refusal(self, action: Action) -> str | None:
        """Why an action is illegal now and what would be legal."""
        if action.by != self.context.actor:
            return text("by: this is {actor}'s turn, not {by}'s", self.context.actor, action.by)
        return super().refusal(action)

    def carry_out(self, resolution: Any, action: Action) -> None:
        """Do something, with the time that it takes, and with whoever hears or sees it."""
        kind, who, begun = self.table[action.do], self.context.who, len(resolution.events)
        cell = resolution.figures[who].cell
        kind.resolve(resolution, who, action)
        if self.course.exploring_now(resolution):
            self.course.grow(resolution)
            self.course.spend(resolution, who, kind.turns, kind.takes)
            noise = self.course.loud(resolution.events[begun:], action) if kind.watched else None
            heard(self.course, resolution, who, noise, moved=kind.watched and resolution.figures[who].cell != cell)


def heard(course: Crawl[Any], resolution: Any, who: CreatureIx, noise: NoiseKind | None, *, moved: bool) -> None:
    """Whoever hears what somebody has just done, or sees where it led, may notice it."""
    cell = resolution.figures[who].cell
    if noise and explored(resolution).crawl:
        course.make_noise(resolution, noise, cell, Loudness.DOOR, who)
    if noise or moved:
        _, noticed, sprung = course.go(resolution, who, (cell,), course.noisy if noise else course.openly)
        if noticed or sprung:
            course.danger(resolution, noticed, sprung)
    if course.exploring_now(resolution):
        course.heed(resolution, first_creatures(len(resolution.figures)))

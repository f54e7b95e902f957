"""What a ruleset says to the game master's hand: what it calls pools and conditions, and what follows when one of its
creatures comes, goes, or is moved."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from msgspec.structs import replace

from rules.board.fixtures import DoorState
from rules.contract.events import Amended
from rules.contract.hand import NOTHING, Kept, Pool, Trial
from rules.contract.ruleset import Step
from rules.contract.text import joined, text
from rules.contract.units import NOWHERE, Cell, CreatureIx, numbered
from rules.core import secrets
from rules.core.validate import nearest
from rules.core.visibility import DoorMemory


class Body(Protocol):
    """What never changes about a creature but by the game master's hand."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def side(self) -> str: ...
    @property
    def space(self) -> int: ...
    @property
    def controller(self) -> str: ...


R = TypeVar("R")
"""A ruleset's resolution."""
Refusal = str | None


class BaseHands(ABC, Generic[R]):
    """The game master's hand under one ruleset."""

    course: ClassVar[Any]
    """How it goes through explorations (rules/explore/crawl.py)."""
    keeper: ClassVar[Any]
    """How it keeps goals (rules/explore/goals.py)."""

    # -- what a ruleset says

    @abstractmethod
    def begin(self, state: Any) -> R:
        """A resolution of nothing so far."""

    @abstractmethod
    def go_on(self, resolution: R) -> None:
        """What the rules make of it: on to the next decision, or the end."""

    @abstractmethod
    def finish(self, state: Any, resolution: R) -> Step:
        """The step, each event with who saw it."""

    @abstractmethod
    def asked(self, state: Any) -> bool:
        """Whether a question inside an action stands open."""

    @abstractmethod
    def bodies(self, at: Any) -> Sequence[Body]:
        """All creatures, in the order of their numbers."""

    @abstractmethod
    def with_body(self, resolution: R, who: CreatureIx, **changes: str) -> None:
        """Change what never changes otherwise: a side, or who plays somebody."""

    @abstractmethod
    def arrive(self, resolution: R, entry: Mapping[str, Any], where: str) -> CreatureIx:
        """Somebody new stands on the board. Raises RecordError for an entry that can't be, or has no room."""

    @abstractmethod
    def depart(self, resolution: R, who: CreatureIx) -> None:
        """Somebody is off the board, and in nothing any more."""

    @abstractmethod
    def displaced(self, resolution: R, who: CreatureIx) -> None:
        """What being put elsewhere ends: plans and orders to go, holds."""

    @abstractmethod
    def gone(self, at: Any, who: CreatureIx) -> bool:
        """Whether somebody has left, or was taken away."""

    @abstractmethod
    def fallen(self, at: Any, who: CreatureIx) -> bool:
        """Whether somebody lies there, dead or out of the fight."""

    @abstractmethod
    def lift(self, resolution: R, who: CreatureIx, points: int) -> None:
        """Somebody who had fallen or gone is up again with so many hit points; its place is seen to."""

    @abstractmethod
    def room(self, resolution: R, who: CreatureIx, cell: Cell) -> Cell:
        """The free space nearest to a cell; `NOWHERE` if there is none near."""

    @abstractmethod
    def pools_of(self, at: Any, who: CreatureIx) -> tuple[Pool, ...]:
        """What of somebody has a number; hit points first."""

    @abstractmethod
    def set_pool(self, resolution: R, who: CreatureIx, name: str, value: int) -> None:
        """Set a pool, with what follows: who has no hit points left falls."""

    @abstractmethod
    def conditions_of(self, at: Any, who: CreatureIx) -> tuple[tuple[str, bool], ...]:
        """The conditions that may be given and taken, with whether somebody has each."""

    @abstractmethod
    def cannot_have(self, at: Any, who: CreatureIx, condition: str) -> Refusal:
        """Why somebody can't come to have a condition; None if it can."""

    @abstractmethod
    def give(self, resolution: R, who: CreatureIx, condition: str, lasts: int | None) -> None:
        """Lay a condition on somebody, for so long in the rules' own time; None: until it is ended."""

    @abstractmethod
    def take(self, resolution: R, who: CreatureIx, condition: str) -> None:
        """End a condition, whatever laid it on."""

    @abstractmethod
    def set_door(self, resolution: R, number: int, state: str) -> None:
        """Change a door and the ground with it, with the event."""

    @abstractmethod
    def trials_of(self, at: Any, who: CreatureIx) -> tuple[Trial, ...]:
        """The checks that somebody may be called to."""

    @abstractmethod
    def test(self, resolution: R, who: CreatureIx, trial: str, rating: int) -> None:
        """Throw a check by the rules' own dice, and tell it with its chance."""

    @abstractmethod
    def lurks(self, at: Any, who: CreatureIx) -> bool:
        """Whether somebody hides in a way that can be undone."""

    @abstractmethod
    def unhide(self, resolution: R, who: CreatureIx) -> None:
        """Somebody is hidden no longer."""

    def started(self, at: Any) -> bool:
        """Whether it is a fight now, not a turn of exploration."""
        return not self.course.exploring_now(at)

    # -- what is told of somebody

    def pools(self, state: Any, creature: str) -> tuple[Pool, ...]:
        who = state.setup.index.get(creature)
        return () if who is None else self.pools_of(state, who)

    def conditions(self, state: Any, creature: str) -> tuple[tuple[str, bool], ...]:
        who = state.setup.index.get(creature)
        return () if who is None else self.conditions_of(state, who)

    def trials(self, state: Any, creature: str) -> tuple[Trial, ...]:
        who = state.setup.index.get(creature)
        return () if who is None else self.trials_of(state, who)

    def roster(self, state: Any) -> tuple[tuple[str, str, str], ...]:
        return tuple((body.id, body.side, body.controller) for body in self.bodies(state))

    def kept(self, state: Any) -> Kept:
        found: Kept | None = state.by_hand
        return NOTHING if found is None else found

    def hidden(self, state: Any) -> tuple[tuple[str, str], ...]:
        """What could be revealed: (target, what it is). Secrets are those that some side has not found."""
        field, out = state.setup.field, []
        for who, body in numbered(self.bodies(state)):
            if self.lurks(state, who):
                out.append((body.id, "creature"))
        for number, one in enumerate((*field.doors, *field.challenges)):
            if any(not bits >> number & 1 for _, bits in state.found) and self._secret(state, number):
                out.append((one.id, "door" if number < len(field.doors) else one.kind))
        return tuple(out)

    def _secret(self, state: Any, number: int) -> bool:
        """Whether a door or a challenge hides at all."""
        field = state.setup.field
        if number < len(field.doors):
            return bool(state.doors[number] == DoorState.SECRET)
        number -= len(field.doors)
        hidden: bool = field.challenges[number].hidden
        return hidden and number < len(state.challenges) and state.challenges[number] in secrets.UNTOUCHED

    # -- what all share

    def creature(self, at: Any, name: str | None) -> tuple[CreatureIx, Refusal]:
        """(the number of the target, why it is none)."""
        who = at.setup.index.get(name or "")
        if who is not None:
            return who, None
        near = nearest(name or "", at.setup.index)
        if name and near:
            return CreatureIx(-1), text("target: {name} is nobody here; did you mean {near}?", repr(name), repr(near))
        here = joined(", ", list(at.setup.index)[:12])
        return CreatureIx(-1), text("target: {name} is nobody here; there are {here}", repr(name), here)

    def place_of(self, at: Any, who: CreatureIx) -> Cell:
        """Where somebody stands or lies, waits off the board, or is bound; `NOWHERE` where it is gone."""
        cell: Cell = at.figures[who].cell
        if cell >= 0:
            return cell
        if at.aims is not None:
            for bound, there in at.aims.bound:
                if bound == who:
                    return Cell(there)
        return NOWHERE if at.explore is None else Cell(at.explore.parked_at(who))

    def no_room(self, at: Any, who: CreatureIx, cell: Cell | None) -> Refusal:
        """Why somebody can't stand on a space; None if it can."""
        if cell is None:
            return "at: needs a space, [column, row]"
        body, field, terrain = self.bodies(at)[who], at.setup.field, at.terrain
        column, row = field.at(cell)
        if not field.inside(column + body.space - 1, row + body.space - 1):
            return text("at: {name}, {space} spaces wide, would stand off the map", body.name, body.space)
        if not terrain.fits(cell, body.space):
            return text("at: nobody can stand on [{column}, {row}]; a free space is needed", column, row)
        own = terrain.footprint(cell, body.space)
        for other, figure in numbered(at.figures):
            if other == who or figure.cell < 0 or self.fallen(at, other):
                continue
            if terrain.footprint(figure.cell, self.bodies(at)[other].space) & own:
                return text("at: [{column}, {row}] is taken by {other}", column, row, self.bodies(at)[other].id)
        if at.aims is not None and at.aims.spaces & own:
            return text("at: [{column}, {row}] is taken by a prisoner", column, row)
        return None

    def meet_sides(self, resolution: Any, side: str) -> None:
        """A side that was not there until now knows what everybody knows at first."""
        sides = dict.fromkeys(body.side for body in self.bodies(resolution))
        assert side in sides
        recall: DoorMemory | None = resolution.recall
        if recall is not None and all(name != side for name, _, _ in recall.sides):
            doors = tuple(door.state for door in resolution.setup.field.doors)
            never = (0,) * len(doors)
            resolution.recall = replace(recall, sides=(*recall.sides, (side, doors, never)))
        if resolution.found and all(name != side for name, _ in resolution.found):
            known = secrets.at_first(resolution.setup.field, (side,))[1]
            resolution.found = (*resolution.found, *(known or ((side, 0),)))

    def settle_in(self, resolution: Any, who: CreatureIx) -> None:
        """Somebody who has just come takes its place in the order of play, and in what an exploration remembers."""
        if resolution.explore is not None:
            self.course.grow(resolution)
        if self.started(resolution):
            self.course.join(resolution, who)
        self.alarm(resolution, who)

    def alarm(self, resolution: Any, who: CreatureIx) -> None:
        """In a fight of an expedition who is the heroes' foe and awake takes part."""
        now = resolution.explore
        if now is None or not now.crawl or not self.started(resolution) or resolution.figures[who].cell < 0:
            return
        if self.course.hostile(resolution, who) and not self.course.asleep(resolution, who):
            self.course.rouse(resolution, [who])

    def remember(self, resolution: Any, **changes: Any) -> None:
        """Change what the state remembers of the hand."""
        resolution.by_hand = replace(resolution.by_hand or NOTHING, **changes)

    def amended(self, resolution: Any, who: CreatureIx, what: str, was: str, now: str) -> None:
        """The event that something of somebody was set."""
        resolution.events.append(Amended(target=self.bodies(resolution)[who].id, what=what, was=was, now=now))

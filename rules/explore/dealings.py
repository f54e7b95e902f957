"""What may be done in a fight of an expedition beside fighting: foes are called on to surrender, the party surrenders,
somebody goes over the stairs on which it stands (olde.md §8 expedition).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from rules.board.sight import Grade
from rules.contract.actions import Action, Description, Offer
from rules.contract.events import Note, Over
from rules.contract.ruleset import LegalActions, Odds
from rules.contract.text import text
from rules.contract.units import NOWHERE, Cell, CreatureIx, numbered
from rules.core.action_kinds import Face
from rules.explore.course import around, explored
from rules.explore.goals import FREE, Keeper
from rules.explore.meeting import EARSHOT, Meeting
from rules.explore.state import Attitude, Ending

# to surrender is a deed and not among what ends a chance, which a window does by itself where nothing else is left
DEMAND, SURRENDER, STAIRS = "demand", "surrender", "stairs"
WORDS = (DEMAND, SURRENDER, STAIRS)
FACES = {
    DEMAND: Face("Demand surrender", "Act", "the action", "creature", "call", "shift+d", "a losing foe gives up"),
    SURRENDER: Face("Surrender", "Act", "the evening", "none", "end", "shift+s", "the party gives up, and lives"),
    STAIRS: Face("Take the stairs", "Move", "the action", "space", "climb", "shift+u", "to another level"),
}  # fmt: skip


class Dealings:
    """A decision's legal actions in a fight of an expedition, with these among them."""

    def __init__(self, inner: LegalActions, state: Any, actor: str, course: Meeting[Any], keeper: Keeper) -> None:
        self.inner, self.state, self.actor, self.course, self.keeper = inner, state, actor, course, keeper
        self.who = state.setup.index[actor]

    def __iter__(self) -> Iterator[Action]:
        yield from self.inner
        for word in WORDS:
            yield from self.instances(word)

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self.refusal(action) is None

    def instances(self, word: str) -> Iterator[Action]:
        """The legal ones of one of the three."""
        if self._hindered(word) is not None:
            return
        for action in self._candidates(word):
            if self._why_not(action) is None:
                yield action

    def _candidates(self, word: str) -> Iterator[Action]:
        if word == DEMAND:
            for who, body in numbered(self.course.bodies(self.state)):
                if not self.course.is_hero(self.state, who):
                    yield Action(self.actor, DEMAND, target=body.id)
        elif word == STAIRS:
            for cell in self._ways():
                yield Action(self.actor, STAIRS, at=cell)
        else:
            yield Action(self.actor, SURRENDER)

    def _ways(self) -> list[Cell]:
        figure, body = self.state.figures[self.who], self.course.bodies(self.state)[self.who]
        own = self.state.terrain.footprint(figure.cell, body.space)
        return [stair.to for stair in self.state.setup.field.stairs if own >> stair.cell & 1]

    def refusal(self, action: Action) -> str | None:
        """Why an action is illegal now and what would be legal, in one line."""
        if action.do not in WORDS:
            return self.inner.refusal(action)
        if action.by != self.actor:
            return text("by: {actor} decides now, not {by}", self.actor, action.by)
        return self._hindered(action.do) or self._why_not(action)

    def _hindered(self, word: str) -> str | None:
        if not self.course.is_hero(self.state, self.who):
            return "only heroes deal so"
        if word == SURRENDER:
            return None
        return self.keeper.hindered(self.state, self.who, FREE if word == DEMAND else word)

    def _why_not(self, action: Action) -> str | None:
        state, course = self.state, self.course
        if action.do == STAIRS:
            return None if action.at in self._ways() else "no stairs lead there from here"
        if action.do == SURRENDER:
            foes = [i for i, f in numbered(state.figures) if f.cell >= 0 and course.hostile(state, i)]
            heard = any(course.speaks(state, i) and course.up(state, i) for i in foes)
            return None if heard else "nobody here takes prisoners"
        target = state.setup.index.get(action.target or "")
        if target is None:
            return text("target: {target} would not listen", repr(action.target))
        if not can_be_asked(course, state, self.who, target):
            return text("target: {target} would not listen", course.named(state, target))
        if not losing(course, state, target):
            return text("target: {target} is not losing yet", course.named(state, target))
        return None

    def worded(self, do: str) -> Iterator[Action]:
        return self.instances(do) if do in WORDS else self.inner.worded(do)

    def moves(self, do: str) -> Mapping[Cell, Action]:
        return {} if do in WORDS else self.inner.moves(do)

    def offers(self) -> tuple[Offer, ...]:
        """The buttons of the fight, then these where they may come in."""
        more = []
        for word in WORDS:
            if word == STAIRS and not self.state.setup.field.stairs:
                continue
            actions = tuple(self.instances(word))
            refused = None if actions else self._hindered(word) or _NOWHERE[word]
            more.append(Offer(word, describe(word), actions, refused))
        return (*self.inner.offers(), *more)


_NOWHERE = {DEMAND: "no foe in sight is losing", SURRENDER: "nobody here takes prisoners", STAIRS: "no stairs here"}


def can_be_asked(course: Meeting[Any], state: Any, who: CreatureIx, target: CreatureIx) -> bool:
    """Whether a foe in sight hears and understands."""
    cell, own = state.figures[target].cell, state.figures[who].cell
    if cell < 0 or not course.able(state, target) or not course.hostile(state, target):
        return False
    if course.distance(state, target, who, own) > EARSHOT or not course.speaks(state, target):
        return False
    return course.in_view(state, who, target, cell) is not Grade.NONE


def losing(course: Meeting[Any], state: Any, target: CreatureIx) -> bool:
    """Whether a foe has reason to give up: its side is outnumbered two to one by heroes who can act (R)."""
    foes = [i for i, f in numbered(state.figures) if f.cell >= 0 and course.able(state, i) and course.hostile(state, i)]
    others = [i for i in foes if not course.is_hero(state, i)]
    return len(course.heroes(state)) >= 2 * len(others) or (course.hurt(state, target) and len(others) <= 2)


def meant(action: Action) -> bool:
    """Whether an action is one of these."""
    return action.do in WORDS


def describe(do: str) -> Description:
    """The button of one of these."""
    return msgspec.structs.replace(FACES[do].described(), final=do == SURRENDER)


def odds(course: Meeting[Any], state: Any, action: Action) -> Odds | None:
    """The chance that a foe gives up."""
    who, target = state.setup.index.get(action.by), state.setup.index.get(action.target or "")
    if action.do != DEMAND or who is None or target is None:
        return None
    good, _ = course.persuading(state, who, target, coins=True)
    return Odds(good, (("surrenders", good), ("fights on", 1.0 - good)))


def carry_out(resolution: Any, course: Meeting[Any], keeper: Keeper, action: Action) -> None:
    """Do one of these: a legal one."""
    who = resolution.setup.index[action.by]
    if action.do == SURRENDER:
        foes = [b.side for i, b in numbered(course.bodies(resolution)) if course.hostile(resolution, i)]
        told = text("{name} surrenders for the party.", course.named(resolution, who))
        resolution.events.append(Note(text=told, by=action.by))
        keeper.end(resolution, foes[0])
        resolution.events.append(Over(winner=foes[0], because=Ending.SURRENDERED))
        return
    if action.do == STAIRS:
        assert action.at is not None
        space = course.bodies(resolution)[who].space
        there = around(resolution.terrain, action.at, space, course.occupied(resolution, who))
        if there >= 0:
            course.move(resolution, who, (there,), STAIRS)
    else:
        _demand(resolution, course, who, resolution.setup.index[action.target or ""])
    keeper.spend(resolution, who, FREE)  # as much as freeing somebody


def _demand(resolution: Any, course: Meeting[Any], who: CreatureIx, target: CreatureIx) -> None:
    """Won over, a foe lays down its arms: it keeps out of this fight and of all that come, and gives nobody away."""
    if course.persuades(resolution, who, target, coins=True) <= 0:
        return
    told = text("{name} surrenders.", course.named(resolution, target))
    resolution.events.append(Note(text=told, by=course.bodies(resolution)[target].id))
    course.mark(resolution, target, attitude=Attitude.YIELDED, parked=resolution.figures[target].cell, seeks=NOWHERE)
    course.note(resolution, roused=explored(resolution).roused & ~(1 << target))
    resolution.change(target, cell=NOWHERE)

"""The acting character's situation, and what every kind of action says of itself: what of a chance it takes, its price,
its button."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from enum import Flag
from typing import Any, NamedTuple

import msgspec

from rules.board.path import Reach, flown, reach
from rules.board.sight import Grade
from rules.contract.actions import Action, Description, Offer
from rules.contract.events import Ended, Points
from rules.contract.text import Place, joined, text
from rules.contract.units import EMPTY, NOWHERE, Cell, CreatureIx, numbered
from rules.core.action_kinds import ActionKind, Face, nothing_for
from rules.olde.challenges.state import snares
from rules.olde.conditions import held_fast
from rules.olde.state import STANDING, Chance, Fighter, Figure, OldeState, Resolution
from rules.olde.visibility import sight

ROUND_LIMIT = 3
"""At most 3 AP in a round (olde.md §4)."""


class Context:
    """The acting character's situation, read once for all deeds."""

    __slots__ = (
        "actor", "chance", "field", "fighter", "figure", "left", "setup", "state", "terrain", "who", "_crowd",
        "_distances", "_foes", "_others", "_sights",
    )  # fmt: skip

    def __init__(self, state: OldeState, chance: Chance) -> None:
        self.state = state
        self.setup = state.setup
        self.chance = chance
        self.who = chance.who
        self.fighter: Fighter = state.setup.fighters[chance.who]
        self.actor = self.fighter.id
        self.figure: Figure = state.figures[chance.who]
        terrain = state.terrain
        if self.fighter.traits.flies and self.figure.posture == STANDING:
            terrain = flown(terrain)
        self.terrain = terrain
        self.field = state.setup.field
        self.left = max(0, min(self.figure.ap, ROUND_LIMIT - chance.spent))  # AP that may still be spent in this round
        self._crowd: Crowd | None = None
        self._distances: dict[CreatureIx, int] = {}
        self._sights: dict[CreatureIx, Grade] = {}
        self._foes: list[tuple[CreatureIx, str, int]] | None = None
        self._others: list[tuple[CreatureIx, Fighter, Figure]] | None = None

    def pay(self, cost: int) -> str | None:
        """Why this many AP cannot be spent now, or None."""
        if self.figure.ap < cost:
            return text("costs {cost} AP, {ap} left", cost, self.figure.ap)
        if self.chance.spent + cost > ROUND_LIMIT:
            told = "costs {cost} AP; at most {most} may be spent in a round and {spent} are"
            return text(told, cost, ROUND_LIMIT, self.chance.spent)
        return None

    def only(self, cost: int) -> int:
        """What an X/Only costs now: X, or all of fewer AP if none was spent this turn; −1 if it can't be paid."""
        if self.left >= cost:
            return cost
        ap = self.figure.ap
        if 0 < ap < cost and self.figure.ap_start < cost and ap == self.figure.ap_start and self.chance.spent == 0:
            return -1 if self.chance.moved or self.chance.acted else ap
        return -1

    def move_open(self) -> str | None:
        """Why no movement may be taken any more in this chance, or None."""
        if self.chance.only or self.chance.acted:
            return "an Only action took the whole turn" if self.chance.only else "movement comes before the action"
        return "one movement a round" if self.chance.moved else held_fast(self.figure) or None

    def act_open(self) -> str | None:
        """Why no action may be taken any more in this chance, or None."""
        if self.chance.only:
            return "an Only action took the whole turn"
        return "one action a round" if self.chance.acted else None

    def others(self) -> list[tuple[CreatureIx, Fighter, Figure]]:
        """Everybody else on the board, in the record's order."""
        if self._others is None:
            who, fighters = self.who, self.setup.fighters
            self._others = [
                (i, fighters[i], figure) for i, figure in numbered(self.state.figures) if i != who and figure.cell >= 0
            ]
        return self._others

    def foes(self) -> list[tuple[CreatureIx, str, int]]:
        """(number, id, spaces away) of all adversaries on the board but the dead, in the record's order."""
        if self._foes is None:
            side, space, cell = self.fighter.side, self.fighter.space, self.figure.cell
            distance = self.terrain.distance
            self._foes = [
                (i, fighter.id, distance(cell, figure.cell, space, fighter.space))
                for i, fighter, figure in self.others()
                if fighter.side != side and figure.hp > -fighter.hp_max
            ]
        return self._foes

    @property
    def crowd(self) -> Crowd:
        """Who stands in the way."""
        if self._crowd is None:
            self._crowd = Crowd(self)
        return self._crowd

    def reach(self, budget: int, *, shares: bool = True) -> Reach:
        """Where a movement of so many spaces can get; `shares`: it may end in an enemy's space."""
        crowd = self.crowd
        return reach(
            self.terrain, self.figure.cell, budget, size=self.fighter.space, blocked=crowd.foes,
            unstoppable=crowd.allies, final=crowd.final if shares else EMPTY,
        )  # fmt: skip

    def distance(self, other: CreatureIx) -> int:
        """Spaces to another creature, nearest to nearest."""
        found = self._distances.get(other)
        if found is None:
            found = self._distances[other] = self.terrain.distance(
                self.figure.cell, self.state.figures[other].cell, self.fighter.space,
                self.setup.fighters[other].space,
            )  # fmt: skip
        return found

    def sight(self, other: CreatureIx) -> Grade:
        """The line of sight to another creature."""
        found = self._sights.get(other)
        if found is None:
            goal = self.state.figures[other].cell
            found = self._sights[other] = sight(self.state, self.who, self.figure.cell, other, goal)
        return found

    def dead(self, other: CreatureIx) -> bool:
        return self.state.figures[other].hp <= -self.setup.fighters[other].hp_max

    def name(self, cell: Cell) -> Place:
        return Place(*self.field.at(cell))


class Crowd:
    """Bitboards of who stands in the way: passed, not ended on (allies), not passed (foes), pairs at reach 0."""

    __slots__ = ("allies", "final", "foes")

    def __init__(self, context: Context) -> None:
        allies = foes = single = shared = EMPTY
        side, terrain = context.fighter.side, context.terrain
        for _, fighter, figure in context.others():
            if figure.hp <= 0:
                continue
            cells = 1 << figure.cell if fighter.space == 1 else terrain.footprint(figure.cell, fighter.space)
            if fighter.side == side:
                allies |= cells
            else:
                foes |= cells
                if fighter.space == 1:
                    shared |= single & cells
                    single |= cells
        if context.state.aims is not None:  # nobody stays where a prisoner stands
            allies |= context.state.aims.spaces
        self.allies, self.foes = allies, foes
        if context.state.challenges:
            # who knows of a trap steps over it, and never stays on it
            own = terrain.footprint(context.figure.cell, context.fighter.space)
            self.allies = allies = allies | snares(context.state, side, known=True) & ~own
        # A move may end in one enemy's space, at most one pair to a space (olde.md §5).
        self.final = single & ~shared & ~allies if context.fighter.space == 1 else EMPTY


def spend(resolution: Resolution, who: CreatureIx, cost: int) -> None:
    """Mark off AP."""
    if cost:
        now = resolution.figures[who].ap - cost
        resolution.change(who, ap=now)
        resolution.events.append(Points(by=resolution.fighter(who).id, now=now))


def find(context: Context, name: str | None) -> CreatureIx | None:
    """The number of a creature on the board by its id, or None."""
    who = context.setup.index.get(name or "")
    return who if who is not None and context.state.figures[who].cell >= 0 else None


def goal_of(action: Action) -> Cell:
    """The space where a movement ends; −1 where none is named."""
    return action.at if action.at is not None else action.path[-1] if action.path else NOWHERE


def nobody(context: Context, name: str | None) -> str:
    """Why nobody is meant by a name."""
    return text("target: {target} is nobody here; there are {known}", repr(name), known_ids(context))


def none_of(option: str | None, options: Iterable[str]) -> str:
    """Why an option is none."""
    return text("option: {option} is none of {options}", repr(option), joined(", ", options))


def known_ids(context: Context) -> str:
    """For error texts: who is there."""
    return joined(", ", (f.id for i, f in numbered(context.setup.fighters) if context.state.figures[i].cell >= 0))


ONLY = "Who begins the turn with fewer AP may give all of them for it, and does nothing else in that turn."
"""What an X/Only cost means (olde.md §4)."""


class Part(Flag):
    """What of a chance an action takes: its parts come in this order, each once (olde.md §4)."""

    NONE = 0  # nothing: it is open at any time
    FREE = 1
    MOVE = 2
    ACT = 4
    EITHER = MOVE | ACT  # the movement where that is left, else the action


NONE, FREE, MOVE, ACT, EITHER = Part.NONE, Part.FREE, Part.MOVE, Part.ACT, Part.EITHER
"""The same by a name of their own: Python 3.11 takes six times as long to find a member in its enumeration, and these
are asked for with every kind of action in every chance."""


class Minutes(NamedTuple):
    """How an action of a fight is done in an exploration (olde.md §8)."""

    spent: int = 1  # 0: beside what else is done
    rank: int = 3  # how soon its button earns a place there


AT_ONCE = Minutes(0)


class Kind(ActionKind[Context]):
    """One kind of action in a fight: its home. The table of them is in table.py."""

    part = Part.ACT
    ap = 0  # what it costs, an X/Only in full
    only = False  # whether fewer AP than that may pay for it: X/Only
    risky = False  # whether dice decide it
    tells_chance = False  # whether its instances say how likely they are, in place of its note
    rank = 3  # how soon its button earns a place where room is scarce
    changes_views = False  # whether somebody may come into view by it
    exploring: Minutes | None = None  # what it takes in an exploration; None for what belongs to a fight
    nothing = ""  # why it can't be done where nothing is near to do it to; empty where it needs nothing

    def closed(self, context: Context) -> str | None:
        """Why nothing of its kind can be begun now, whatever it would be done to: its part of the chance, its price."""
        taken = None  # asked of every kind in every chance: what is open and can be paid in full goes first
        if self.part is ACT:
            taken = context.act_open()
        elif self.part is MOVE:
            taken = context.move_open()
        elif self.part is EITHER:
            taken = context.act_open() if context.move_open() else None
        if taken is None and context.left >= self.ap:
            return None
        if taken or not self.only:
            return taken or context.pay(self.ap)
        told = "costs {cost} AP, or all of fewer if none was spent this turn; {left} to spend now"
        return None if context.only(self.ap) >= 0 else text(told, self.ap, context.left)

    def near(self, context: Context) -> Collection[Any]:
        """What it can be done to from here."""
        return ()

    def why_not(self, context: Context) -> str | None:
        return self.closed(context) or (self.nothing if self.nothing and not self.near(context) else None)

    def payable(self, context: Context) -> bool:
        """Whether its price can be paid now."""
        return context.only(self.ap) >= 0 if self.only else context.left >= self.ap

    def idle(self, context: Context) -> bool:
        """Whether a glance rules it out. Nothing may be read here but what `means` tells (table.py)."""
        return False

    def cost(self, context: Context, action: Action) -> int:
        """AP that it takes; −1 where they can't be paid."""
        return context.only(self.ap) if self.only else self.ap

    def price(self, context: Context) -> str:
        """What its button says that it costs."""
        return self.face.cost

    def label(self, context: Context, action: Action) -> str:
        """What one instance is called."""
        return self.face.label

    def notes(self, context: Context, action: Action) -> tuple[str, ...]:
        """What one instance says of itself."""
        told = self.tells_chance and self.refusal(context, action) is None
        if odds := self.odds(context, action) if told else None:
            return (text("{chance} % against {dice}", f"{odds.hit * 100:.0f}", odds.defense_dice),)
        return (self.face.note,) if self.face.note else ()

    def describe(self, context: Context, action: Action | None = None) -> Description:
        if action is None:
            return self.button(context, 0)
        cost, label, notes = self.cost(context, action), self.label(context, action), self.notes(context, action)
        shown = self.face.described(text("{cost} AP", cost), cost, context.figure.ap - cost)
        return msgspec.structs.replace(shown, label=label, notes=notes)

    def button(self, context: Context, cost: int) -> Description:
        """Its button, where the first instance costs so many AP."""
        price, left = self.price(context), context.figure.ap - cost
        if not self.only:
            return self.face.described(price, cost, left, self.rank)
        price = text("all {cost} AP", cost) if 0 < cost < self.ap else text("{ap} AP", self.ap)
        shown = self.face.described(price, cost, left, self.rank)
        return msgspec.structs.replace(shown, notes=(*shown.notes, ONLY))

    def offer(self, context: Context) -> Offer:
        """Its button with its legal instances, or with the reason why there is none."""
        actions = tuple(self.instances(context))
        refused = None if actions else (self.why_not(context) or nothing_for(self.face.needs))
        cost = self.cost(context, actions[0]) if actions and self.face.needs != "path" else 0
        return Offer(
            self.do, self.button(context, cost), actions, refused, inside=self.inside(context, actions, refused)
        )


class Picking(Kind):
    """One that is done to one of what is near, named in a field of the action."""

    names = "item"

    def candidates(self, context: Context) -> Iterator[Action]:
        for name in dict.fromkeys(self.near(context)):
            yield Action(context.actor, self.do, **{self.names: name})

    def instances(self, context: Context) -> Iterator[Action]:
        return iter(()) if self.closed(context) else self.candidates(context)


def situation(resolution: Resolution) -> Context:
    """The situation of whoever acts, as things stand now."""
    assert resolution.chance is not None
    return Context(resolution.done(), resolution.chance)


class End(Kind):
    """The acting character gives up the rest of its chance; a pass if nothing was done."""

    do = "end"
    face = Face("End", "End", "", "none", "end", "ctrl+enter")
    part = Part.NONE
    rank = 1

    def refusal(self, context: Context, action: Action) -> str | None:
        return None

    def instances(self, context: Context) -> Iterator[Action]:
        return iter((Action(context.actor, self.do),))

    def price(self, context: Context) -> str:
        ap = context.figure.ap
        return text("keep {ap} AP", ap) if ap else "nothing left"

    def describe(self, context: Context, action: Action | None = None) -> Description:
        ap = context.figure.ap
        return self.face.described(text("keep {ap} AP", ap), 0, ap)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        assert resolution.chance is not None
        resolution.events.append(Ended(by=resolution.fighter(who).id, passed=not resolution.chance.did))
        close_chance(resolution)


def close_chance(resolution: Resolution) -> None:
    """The chance is over; nothing done in it is a pass."""
    if resolution.chance is not None and not resolution.chance.did:
        resolution.passed |= 1 << resolution.chance.who
    resolution.chance = None

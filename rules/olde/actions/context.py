"""What a deed is: one kind of action, with its refusal, its instances and its effect. One source of legality."""

from __future__ import annotations

from collections.abc import Iterable

from rules.board.path import Reach, flown, reach
from rules.board.sight import Grade
from rules.contract.events import Points
from rules.contract.text import Place, joined, text
from rules.contract.units import EMPTY, Cell
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
        terrain, traits = state.terrain, self.fighter.traits
        if traits is not None and traits.flies and self.figure.posture == STANDING:
            terrain = flown(terrain)
        self.terrain = terrain
        self.field = state.setup.field
        self.left = max(0, min(self.figure.ap, ROUND_LIMIT - chance.spent))
        """AP that may still be spent in this round."""
        self._crowd: Crowd | None = None
        self._distances: dict[int, int] = {}
        self._sights: dict[int, Grade] = {}
        self._foes: list[tuple[int, str, int]] | None = None
        self._others: list[tuple[int, Fighter, Figure]] | None = None

    def pay(self, cost: int) -> str | None:
        """Why this many AP cannot be spent now, or None."""
        if self.figure.ap < cost:
            return text("costs {cost} AP, {ap} left", cost, self.figure.ap)
        if self.chance.spent + cost > ROUND_LIMIT:
            return text(
                "costs {cost} AP; at most {most} may be spent in a round and {spent} are",
                cost,
                ROUND_LIMIT,
                self.chance.spent,
            )
        return None

    def only(self, cost: int) -> int:
        """What an X/Only costs now: X, or all of fewer AP if none was spent this turn; −1 if it can't be paid."""
        if self.left >= cost:
            return cost
        ap = self.figure.ap
        if 0 < ap < cost and self.figure.ap_start < cost and ap == self.figure.ap_start and self.chance.spent == 0:
            return -1 if self.chance.moved or self.chance.acted else ap
        return -1

    def pay_only(self, cost: int) -> str | None:
        """Why an X/Only can't be paid, or None."""
        if self.only(cost) >= 0:
            return None
        return text(
            "costs {cost} AP, or all of fewer if none was spent this turn; {left} to spend now", cost, self.left
        )

    def move_open(self) -> str | None:
        """Why no movement may be taken any more in this chance, or None."""
        if self.chance.only:
            return "an Only action took the whole turn"
        if self.chance.acted:
            return "movement comes before the action"
        if self.chance.moved:
            return "one movement a round"
        return held_fast(self.figure) or None

    def act_open(self) -> str | None:
        """Why no action may be taken any more in this chance, or None."""
        if self.chance.only:
            return "an Only action took the whole turn"
        if self.chance.acted:
            return "one action a round"
        return None

    def others(self) -> list[tuple[int, Fighter, Figure]]:
        """Everybody else on the board, in the record's order."""
        if self._others is None:
            who, fighters = self.who, self.setup.fighters
            self._others = [
                (i, fighters[i], figure) for i, figure in enumerate(self.state.figures) if i != who and figure.cell >= 0
            ]
        return self._others

    def foes(self) -> list[tuple[int, str, int]]:
        """(number, id, spaces away) of all adversaries on the board but the dead, in the record's order."""
        if self._foes is None:
            side, space, cell, distance = (
                self.fighter.side,
                self.fighter.space,
                self.figure.cell,
                self.terrain.distance,
            )
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

    def reach(self, budget: int) -> Reach:
        """Where a movement of so many spaces can get."""
        crowd = self.crowd
        return reach(
            self.terrain, self.figure.cell, budget, size=self.fighter.space, blocked=crowd.foes,
            unstoppable=crowd.allies, final=crowd.final,
        )  # fmt: skip

    def distance(self, other: int) -> int:
        """Spaces to another creature, nearest to nearest."""
        found = self._distances.get(other)
        if found is None:
            found = self._distances[other] = self.terrain.distance(
                self.figure.cell, self.state.figures[other].cell, self.fighter.space,
                self.setup.fighters[other].space,
            )  # fmt: skip
        return found

    def sight(self, other: int) -> Grade:
        """The line of sight to another creature."""
        found = self._sights.get(other)
        if found is None:
            goal = self.state.figures[other].cell
            found = self._sights[other] = sight(self.state, self.who, self.figure.cell, other, goal)
        return found

    def dead(self, other: int) -> bool:
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
        self.allies, self.foes = allies, foes
        if context.state.challenges:
            # who knows of a trap steps over it, and never stays on it
            own = terrain.footprint(context.figure.cell, context.fighter.space)
            self.allies = allies = allies | snares(context.state, side, known=True) & ~own
        # A move may end in one enemy's space, at most one pair to a space (olde.md §5).
        self.final = single & ~shared & ~allies if context.fighter.space == 1 else EMPTY


def spend(resolution: Resolution, who: int, cost: int) -> None:
    """Mark off AP."""
    if cost:
        now = resolution.figures[who].ap - cost
        resolution.change(who, ap=now)
        resolution.events.append(Points(by=resolution.fighter(who).id, now=now))


def find(context: Context, name: str | None) -> int | None:
    """The number of a creature on the board by its id, or None."""
    who = context.setup.index.get(name or "")
    return who if who is not None and context.state.figures[who].cell >= 0 else None


def nobody(context: Context, name: str | None) -> str:
    """Why nobody is meant by a name."""
    return text("target: {target} is nobody here; there are {known}", repr(name), known_ids(context))


def none_of(option: str | None, options: Iterable[str]) -> str:
    """Why an option is none."""
    return text("option: {option} is none of {options}", repr(option), joined(", ", options))


def known_ids(context: Context) -> str:
    """For error texts: who is there."""
    return joined(", ", (f.id for i, f in enumerate(context.setup.fighters) if context.state.figures[i].cell >= 0))

"""Climb: a level up or down by stairs and ladders, or over a face or a low wall by a check (olde.md §4, §5)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.grid import Challenge
from rules.contract.actions import Action
from rules.core.action_kinds import Face, Kind
from rules.olde.actions.deeds import Look
from rules.olde.actions.movement import relocate, too_slow, unfooted
from rules.olde.challenges.attempts import attempt, ranks_made
from rules.olde.challenges.obstacles import climbs_over
from rules.olde.combat.injury import fall, lie_down
from rules.olde.state import Work, standing_on

FALLS = -2
"""Ranks of failure from which one falls."""


class Climb(Kind[Look]):
    """One level up or down by stairs or ladder, or straight over something that is climbed by a check: 2 AP."""

    def __init__(self, face: Face) -> None:
        self.face = face

    def hindrance(self, look: Look) -> str | None:
        blocked = look.move_open() or look.pay(2) or too_slow(look) or unfooted(look.figure)
        if blocked is None and not self._goals(look):
            blocked = "no stairs or ladder here"
            if look.setup.obstacles is not None:
                blocked = "too large to climb that" if look.fighter.space > 1 else "nothing to climb here"
        return blocked

    @staticmethod
    def _goals(look: Look) -> dict[int, Challenge | None]:
        """Space beyond -> what has to be climbed; None for stairs and ladders."""
        goals: dict[int, Challenge | None] = {}
        found, cell = look.setup.obstacles, look.figure.cell
        if found is not None and look.fighter.space == 1:
            for goal, number in climbs_over(look.field, look.terrain, found, cell):
                goals[goal] = look.field.challenges[number]
        for goal in look.terrain.climbs_from(cell, look.fighter.space):
            goals[goal] = None
        return goals

    @classmethod
    def obstacle(cls, look: Look, action: Action) -> Challenge | None:
        """What a climb goes over; None for stairs and ladders, and for whoever flies."""
        traits = look.fighter.traits
        if traits is not None and traits.flies:
            return None
        return cls._goals(look).get(goal_of(action))

    def _free(self, look: Look, cell: int) -> bool:
        cells = look.terrain.footprint(cell, look.fighter.space)
        crowd = look.crowd
        return not cells & (crowd.allies | crowd.foes)

    def flaw(self, look: Look, action: Action) -> str | None:
        goal = goal_of(action)
        if goal not in self._goals(look):
            return "at: needs an adjacent space one level up or down, joined by stairs or a ladder"
        return None if self._free(look, goal) else f"at: {look.name(goal)} is taken"

    def instances(self, look: Look) -> Iterator[Action]:
        if self.hindrance(look):
            return
        for cell in self._goals(look):
            if self._free(look, cell):
                yield Action(look.fighter.id, "climb", at=cell)

    def cost(self, look: Look, action: Action) -> int:
        return 2

    def perform(self, work: Work, action: Action, cost: int) -> None:
        assert work.chance is not None
        goal, look = goal_of(action), Look(work.state, work.chance)
        obstacle = self.obstacle(look, action)
        if obstacle is None or attempt(work, look.who, "Climb", obstacle.difficulty, f"climb, {obstacle.id}"):
            relocate(work, action.by, goal, "climb" if obstacle is None else "clamber", cost)
        elif ranks_made(work) <= FALLS:
            _come_down(work, look, goal, obstacle)


def goal_of(action: Action) -> int:
    """The space beyond; −1 where none is named."""
    return action.at if action.at is not None else action.path[-1] if action.path else -1


def _come_down(work: Work, look: Look, goal: int, obstacle: Challenge) -> None:
    """A fall: whoever climbs down lands below if there is room, everybody else where one was (R)."""
    lower = look.field.level(goal) < look.field.level(look.figure.cell)
    if lower and not standing_on(work.figures, work.setup.fighters, work.terrain, 1 << goal):
        relocate(work, look.fighter.id, goal, "fall")
    if obstacle.height:
        fall(work, look.who, obstacle.height)
    else:
        lie_down(work, look.who, "prone", "fell")


CLIMB = Climb(Face("Climb", "Move", "2 AP", "space", "climb", "c", "stairs, a ladder, a face or wall"))

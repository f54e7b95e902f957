"""Climb: a level up or down by stairs and ladders, or over a face or a low wall by a check (olde.md §4, §5)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.grid import Challenge
from rules.contract.actions import Action
from rules.contract.ruleset import Odds
from rules.contract.text import text
from rules.core.action_kinds import Face
from rules.olde.actions.context import Context
from rules.olde.actions.kind import Kind, Minutes, Part
from rules.olde.actions.movement import relocate, too_slow, unfooted
from rules.olde.challenges.attempts import attempt, ranks_made, terms_helped
from rules.olde.challenges.obstacles import climbs_over
from rules.olde.combat.injury import fall, lie_down
from rules.olde.conditions import PRONE
from rules.olde.state import STANDING, Resolution, standing_on

FALLS = -2
"""Ranks of failure from which one falls."""


class Climb(Kind):
    """One level up or down by stairs or ladder, or straight over something that is climbed by a check: 2 AP."""

    do = "climb"
    face = Face("Climb", "Move", "2 AP", "space", "climb", "c", "stairs, a ladder, a face or wall")
    part = Part.MOVE
    ap = 2
    risky = True
    exploring = Minutes()

    def why_not(self, context: Context) -> str | None:
        blocked = self.closed(context) or too_slow(context) or unfooted(context.figure)
        if blocked is None and not self._goals(context):
            blocked = "no stairs or ladder here"
            if context.setup.obstacles is not None:
                blocked = "too large to climb that" if context.fighter.space > 1 else "nothing to climb here"
        return blocked

    def idle(self, context: Context) -> bool:
        return context.figure.posture != STANDING

    @staticmethod
    def _goals(context: Context) -> dict[int, Challenge | None]:
        """Space beyond -> what has to be climbed; None for stairs and ladders."""
        goals: dict[int, Challenge | None] = {}
        found, cell = context.setup.obstacles, context.figure.cell
        if found is not None and context.fighter.space == 1:
            for goal, number in climbs_over(context.field, context.terrain, found, cell):
                goals[goal] = context.field.challenges[number]
        for goal in context.terrain.climbs_from(cell, context.fighter.space):
            goals[goal] = None
        return goals

    @classmethod
    def obstacle(cls, context: Context, action: Action) -> Challenge | None:
        """What a climb goes over; None for stairs and ladders, and for whoever flies."""
        traits = context.fighter.traits
        if traits is not None and traits.flies:
            return None
        return cls._goals(context).get(goal_of(action))

    def _free(self, context: Context, cell: int) -> bool:
        cells = context.terrain.footprint(cell, context.fighter.space)
        crowd = context.crowd
        return not cells & (crowd.allies | crowd.foes)

    def why_not_this(self, context: Context, action: Action) -> str | None:
        goal = goal_of(action)
        if goal not in self._goals(context):
            return "at: needs an adjacent space one level up or down, joined by stairs or a ladder"
        return None if self._free(context, goal) else text("at: {goal} is taken", goal=context.name(goal))

    def candidates(self, context: Context) -> Iterator[Action]:
        for cell in self._goals(context):
            yield Action(context.actor, self.do, at=cell)

    def odds(self, context: Context, action: Action) -> Odds | None:
        obstacle = self.obstacle(context, action)
        if obstacle is None:
            return None
        rating, terms = obstacle.difficulty, terms_helped(context, "Climb")
        over = terms.chance(rating)
        stays = terms.no_mishap(rating) - over
        outcomes = (("gets over", over), ("stays", stays), ("falls", max(0.0, 1.0 - over - stays)))
        depth = (
            text("a fall of {height}d6, armor is no help", height=obstacle.height)
            if obstacle.height
            else "one falls prone"
        )
        odds = terms.odds(rating, outcomes, (text("two ranks of failure: {depth}", depth=depth), "olde.md §5 heights"))
        return terms.with_criticals(context.setup, rating, odds)

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        assert resolution.chance is not None
        goal, context = goal_of(action), Context(resolution.state, resolution.chance)
        obstacle = self.obstacle(context, action)
        if obstacle is None or attempt(
            resolution, who, "Climb", obstacle.difficulty, text("climb, {id}", id=obstacle.id)
        ):
            relocate(resolution, action.by, goal, "climb" if obstacle is None else "clamber", resolution.paid)
        elif ranks_made(resolution) <= FALLS:
            _come_down(resolution, context, goal, obstacle)


def goal_of(action: Action) -> int:
    """The space beyond; −1 where none is named."""
    return action.at if action.at is not None else action.path[-1] if action.path else -1


def _come_down(resolution: Resolution, context: Context, goal: int, obstacle: Challenge) -> None:
    """A fall: whoever climbs down lands below if there is room, everybody else where one was (R)."""
    lower = context.field.level(goal) < context.field.level(context.figure.cell)
    if lower and not standing_on(resolution.figures, resolution.setup.fighters, resolution.terrain, 1 << goal):
        relocate(resolution, context.fighter.id, goal, "fall")
    if obstacle.height:
        fall(resolution, context.who, obstacle.height)
    else:
        lie_down(resolution, context.who, PRONE.name, "fell")

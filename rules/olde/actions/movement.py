"""Movements: free steps, step, run, climb, drop, rise, leap, flop (olde.md §4, §5)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from rules.board.path import path_fault
from rules.contract.actions import Action
from rules.contract.ruleset import Odds
from rules.contract.text import text
from rules.contract.units import EMPTY, Cell, CreatureIx
from rules.core.action_kinds import Face
from rules.core.fixtures import leaps
from rules.olde.actions.kind import AT_ONCE, ROUND_LIMIT, Context, Kind, Minutes, Part, goal_of, situation
from rules.olde.actions.obstacles import spring, walk_into
from rules.olde.challenges.checks import check, follow, terms_of
from rules.olde.challenges.state import in_water, snares
from rules.olde.combat.outcomes import fall
from rules.olde.conditions import LYING, PRONE, ROOTED, SWIMMING, Forbid, feared, forbidden, lie_down
from rules.olde.state import STANDING, Figure, Resolution, expose, move, standing_on


def shunned(context: Context) -> int:
    """Bitboard of spaces where a frightened creature would be no farther from what it fears: it must flee, so it ends
    no movement there (olde.md §7; that it may stay where it is: R)."""
    found = 0
    for other in feared(context.figure):
        figure = context.state.figures[other]
        if figure.cell >= 0 and figure.hp > 0:
            near = context.terrain.within(figure.cell, context.distance(other), context.setup.fighters[other].space)
            found |= context.terrain.touching(near, context.fighter.space)
    return found


def frightened(context: Context, goal: Cell) -> str | None:
    """Why somebody frightened does not end a path on a space, or None."""
    if context.figure.effects and shunned(context) >> goal & 1:
        return text("path: frightened, and {goal} is no farther from what is feared", context.name(goal))
    return None


def unfooted(figure: Figure) -> str | None:
    """Why somebody who is not on its feet goes nowhere on foot, or None."""
    if figure.posture == STANDING:
        return None
    return "in deep water: Swim" if figure.posture == SWIMMING.name else text("{posture}: Rise first", figure.posture)


def too_slow(context: Context) -> str | None:
    """Why whoever may go only one space a round neither runs, leaps nor climbs, or None."""
    word = forbidden(context.figure, Forbid.HURRY) if context.figure.effects else ""
    return text("{word}: one space a round", word) if word else None


class Walk(Kind):
    """A path of adjacent spaces."""

    part = Part.MOVE
    span = "now"  # within what its budget is, for a refusal
    shares = True  # whether it may end in an enemy's space

    def budget(self, context: Context) -> int:
        """Spaces that may be covered now."""
        if context.figure.effects and forbidden(context.figure, Forbid.HURRY):
            return min(context.left, 1)
        return min(context.left, ROUND_LIMIT)

    def closed(self, context: Context) -> str | None:
        return context.move_open() or (None if context.left else "no action points left to spend in this round")

    def why_not(self, context: Context) -> str | None:
        return self.closed(context) or unfooted(context.figure)

    def idle(self, context: Context) -> bool:
        return not context.left or context.figure.posture != STANDING

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if not action.path:
            return "path: needs the spaces entered, at least one, as [[column, row], ...]"
        spaces = self.spaces(context, action.path)
        if spaces < 0:
            return path_fault(context.terrain, context.figure.cell, action.path, context.fighter.space)
        if spaces > self.budget(context):
            told = "path: {spaces} spaces of movement, at most {most} {span}"
            return text(told, spaces, self.budget(context), self.span)
        return self._crowded(context, action.path) or frightened(context, action.path[-1])

    @staticmethod
    def _crowded(context: Context, path: tuple[Cell, ...]) -> str | None:
        crowd, size = context.crowd, context.fighter.space
        in_way = crowd.foes | crowd.allies
        if size == 1 and not any(in_way >> cell & 1 for cell in path):
            return None
        for i, cell in enumerate(path):
            cells = context.terrain.footprint(cell, size)
            last, told = i == len(path) - 1, ""
            if cells & crowd.foes and not (last and cells & crowd.final):
                told = "path, step {step}: {cell} is an enemy's; one may only end there, one pair a space"
            elif last and cells & crowd.allies:
                told = "path, step {step}: {cell} is an ally's; allies may be passed, not shared"
                if context.state.challenges and cells & snares(context.state, context.fighter.side, known=True):
                    told = "path, step {step}: {cell} has a known trap; step over it, or disarm it"
            if told:
                return text(told, i + 1, context.name(cell))
        return None

    @staticmethod
    def spaces(context: Context, path: tuple[Cell, ...]) -> int:
        """Spaces of movement that a path takes, difficult ground counted twice; −1 if one of its steps is none."""
        total, at = 0, context.figure.cell
        costs, size = context.terrain.costs, context.fighter.space
        for cell in path:
            cost = costs(at, size).get(cell)
            if cost is None:
                return -1
            total += cost
            at = cell
        return total

    def instances(self, context: Context) -> Iterator[Action]:
        if self.why_not(context):
            return iter(())
        by, do, paths = context.fighter.id, self.do, context.reach(self.budget(context), shares=self.shares).paths()
        if context.figure.effects and (nearer := shunned(context)):
            paths = [path for path in paths if not nearer >> path[-1] & 1]
        return iter([Action(by, do, None, None, path) for path in paths])

    def cost(self, context: Context, action: Action) -> int:
        return self.spaces(context, action.path)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        way, trap = (action.path, -1) if not resolution.state.challenges else walk_into(resolution, who, action.path)
        if way:
            move(resolution, who, way, self.do, resolution.paid)
        if trap >= 0:
            spring(resolution, who, trap)


class FreeSteps(Walk):
    """The spaces that cost nothing, before everything else in a chance, once a turn."""

    do = "free_steps"
    face = Face("Free steps", "First", "0 AP", "path", "free_steps", "q")
    part = Part.FREE
    rank = 1

    def budget(self, context: Context) -> int:
        return context.figure.free

    def closed(self, context: Context) -> str | None:
        if context.chance.freed or not context.figure.free:
            return "free steps are used up for this turn" if context.fighter.allowance else "has no free steps"
        if context.chance.moved or context.chance.acted or context.chance.only:
            return "free steps come before movement and action"
        if context.figure.rooted:
            return ROOTED.name
        if context.figure.effects:
            hindered = (forbidden(context.figure, what) for what in (Forbid.MOVE, Forbid.HURRY))
            if word := next(filter(None, hindered), ""):
                return text("{word}: no free steps", word)
        return None if context.figure.ap >= 1 else "free steps need at least 1 AP left"

    def idle(self, context: Context) -> bool:
        return not context.figure.free or context.figure.posture != STANDING

    def cost(self, context: Context, action: Action) -> int:
        return 0

    def price(self, context: Context) -> str:
        return text("0 AP · {free} sp.", context.figure.free)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        super().resolve(resolution, who, action)
        resolution.change(who, free=0)


class Step(Walk):
    """A space for each AP."""

    do = "step"
    face = Face("Step", "Move", "1 AP a space", "path", "step", "1")
    rank = 1


class Run(Walk):
    """Two spaces for each AP, at −1 Defense each."""

    do = "run"
    face = Face("Run", "Move", "1 AP for 2", "path", "run", "2", "−1 Def per AP")
    rank = 2

    def budget(self, context: Context) -> int:
        return 2 * super().budget(context)

    def closed(self, context: Context) -> str | None:
        if not context.setup.advanced:
            return "Run is an advanced movement, and this fight is played without them"
        return super().closed(context)

    def why_not(self, context: Context) -> str | None:
        return super().why_not(context) or too_slow(context)

    def idle(self, context: Context) -> bool:
        return super().idle(context) or not context.setup.advanced

    def cost(self, context: Context, action: Action) -> int:
        return (super().cost(context, action) + 1) // 2

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        super().resolve(resolution, who, action)
        expose(resolution, who, -resolution.paid, "running", "olde.md §4 Run")


class Lower(Kind):
    """Down to sitting, kneeling or prone."""

    def why_not(self, context: Context) -> str | None:
        lying = {PRONE.name: "prone already", SWIMMING.name: "in deep water"}
        return self.closed(context) or lying.get(context.figure.posture)

    def why_not_this(self, context: Context, action: Action) -> str | None:
        posture = action.option or PRONE.name
        if posture not in LYING:
            return text("option: {posture} is none of sitting, kneeling, prone", repr(posture))
        return text("{posture} already", posture) if posture == context.figure.posture else None

    def candidates(self, context: Context) -> Iterator[Action]:
        for posture in reversed(LYING):
            if posture != context.figure.posture:
                yield Action(context.actor, self.do, option=posture)

    def instances(self, context: Context) -> Iterator[Action]:
        return iter(()) if self.why_not(context) else self.candidates(context)

    def idle(self, context: Context) -> bool:
        return context.figure.posture == PRONE.name

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        lie_down(resolution, who, action.option or PRONE.name)


class Drop(Lower):
    """As the movement."""

    do = "drop"
    face = Face("Drop", "Move", "1 AP", "option", "drop", "x", "sit, kneel or lie")
    part = Part.MOVE
    ap = 1


class Flop(Lower):
    """As the action, after any movement."""

    do = "flop"
    face = Face("Flop", "Act", "0 AP", "option", "flop", "shift+x", "sit, kneel or lie, after any movement")


class Rise(Kind):
    """To standing: 2/Only; an action may follow."""

    do = "rise"
    face = Face("Rise", "Move", "2 AP/Only", "none", "rise", "z", "to standing")
    part = Part.MOVE
    ap, only = 2, True
    rank = 2
    exploring = AT_ONCE

    def why_not(self, context: Context) -> str | None:
        if context.figure.posture in (STANDING, SWIMMING.name):
            return "standing already" if context.figure.posture == STANDING else "in deep water: Swim"
        return self.closed(context)

    def idle(self, context: Context) -> bool:
        return context.figure.posture == STANDING

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        upright = msgspec.structs.replace(resolution.figures[who], posture=STANDING)
        wet = in_water(resolution.setup, resolution.fighter(who), upright)
        lie_down(resolution, who, SWIMMING.name if wet else STANDING)


class Leap(Kind):
    """Over a gap of 1 or 2 spaces in a straight line: 1 AP, Leap check Easy or Hard (olde.md §4)."""

    do = "leap"
    face = Face("Leap", "Move", "1 AP", "space", "leap", "l", "over 1 or 2 spaces")
    part = Part.MOVE
    ap = 1
    risky = True
    exploring = Minutes()

    def why_not(self, context: Context) -> str | None:
        blocked = self.closed(context) or too_slow(context) or unfooted(context.figure)
        return blocked or ("too large to leap" if context.fighter.space > 1 else None)

    def idle(self, context: Context) -> bool:
        return not context.left or context.figure.posture != STANDING

    def why_not_this(self, context: Context, action: Action) -> str | None:
        goal, here, crowd = goal_of(action), context.figure.cell, context.crowd
        if reason := leaps.why_not_onto(context.terrain, here, goal):
            return reason
        if (crowd.allies | crowd.foes) >> goal & 1:
            return text("at: {goal} is taken", context.name(goal))
        return leaps.why_barred(context.field, here, goal, crowd.foes)

    @staticmethod
    def gap(context: Context, goal: Cell) -> tuple[Cell, ...] | None:
        """The spaces leapt over, nearest first; None if the goal isn't 2 or 3 spaces off in a straight line."""
        return leaps.gap(context.field, context.figure.cell, goal)

    def instances(self, context: Context) -> Iterator[Action]:
        if self.why_not(context):
            return
        crowd = context.crowd
        taken = crowd.allies | crowd.foes
        for goal, gap in leaps.landings(context.terrain, context.figure.cell):
            if not taken >> goal & 1 and not crowd.foes & gap:
                yield Action(context.fighter.id, "leap", at=goal)

    def odds(self, context: Context, action: Action) -> Odds:
        terms = terms_of(context.state, context.who, "Leap", critical=True)
        rating = leaps.DIFFICULTY[len(self.gap(context, goal_of(action)) or ())]
        note = ("two ranks of failure: a fall", "olde.md §4 Leap")
        return terms.daring(rating, "across", "stays at the edge", "falls", note)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        goal, context = goal_of(action), situation(resolution)
        gap = self.gap(context, goal) or ()
        result = check(resolution, who, "Leap", leaps.DIFFICULTY[len(gap)], "leap")
        if result.success:
            move(resolution, who, (goal,), "leap", resolution.paid)
        elif result.ranks <= -2:
            self._fall_in(resolution, who, context, gap)
        follow(resolution, who, result.ranks)

    @staticmethod
    def _fall_in(resolution: Resolution, who: CreatureIx, context: Context, gap: tuple[Cell, ...]) -> None:
        """Two ranks of failure: falls into the gap, or lies prone at the edge where nobody could lie there."""
        here, obstacles = context.figure.cell, resolution.setup.obstacles
        wet = obstacles.water if obstacles is not None else EMPTY
        hollow = leaps.hollow(context.terrain, gap, wet)
        if hollow is None or standing_on(resolution, 1 << hollow):
            lie_down(resolution, who, PRONE.name, "caught the edge" if hollow is None else "fell short")
            return
        depth = context.field.level(here) - context.field.level(hollow)
        move(resolution, who, (hollow,), "fall")
        if depth > 0:
            fall(resolution, who, depth)
        elif wet >> hollow & 1:
            lie_down(resolution, who, SWIMMING.name, "fell in")
        else:
            lie_down(resolution, who, PRONE.name, "fell short")

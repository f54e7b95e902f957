"""Movements: free steps, step, run, climb, drop, rise, leap, flop (olde.md §4, §5)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from rules.board.bitboard import board_of
from rules.board.path import path_fault
from rules.contract.actions import Action, Adjustment
from rules.contract.events import Adjusted, Moved
from rules.core.action_kinds import Face, Kind, Plain
from rules.olde.actions.deeds import ROUND_LIMIT, Look
from rules.olde.actions.deeds import Crowd as Crowd
from rules.olde.actions.obstacles import spring, walk_into
from rules.olde.challenges.checks import skill_check
from rules.olde.challenges.criticals import follow
from rules.olde.challenges.obstacles import in_water
from rules.olde.challenges.state import snares
from rules.olde.combat.injury import fall, lie_down
from rules.olde.effects.model import barred
from rules.olde.effects.working import feared
from rules.olde.state import Figure, Work, standing_on

LYING = ("sitting", "kneeling", "prone")
LEAP_RATING = {1: 6, 2: 12}
"""Spaces leapt over -> challenge rating: Easy, Hard (olde.md §4)."""


def shunned(look: Look) -> int:
    """Bitboard of spaces where a frightened creature would be no farther from what it fears: it must flee, so it ends
    no movement there (olde.md §7; that it may stay where it is: R)."""
    found = 0
    for other in feared(look.figure):
        figure = look.state.figures[other]
        if figure.cell >= 0 and figure.hp > 0:
            near = look.terrain.within(figure.cell, look.distance(other), look.setup.fighters[other].space)
            found |= look.terrain.touching(near, look.fighter.space)
    return found


def unfooted(figure: Figure) -> str | None:
    """Why somebody who is not on its feet goes nowhere on foot, or None."""
    if figure.posture == "standing":
        return None
    return "in deep water: Swim" if figure.posture == "swimming" else f"{figure.posture}: Rise first"


def too_slow(look: Look) -> str | None:
    """Why whoever may go only one space a round neither runs, leaps nor climbs, or None."""
    word = barred(look.figure, "hurry") if look.figure.effects else ""
    return f"{word}: one space a round" if word else None


class Walk(Kind[Look]):
    """Free steps, Step and Run: a path of adjacent spaces."""

    span = "now"
    """Within what its budget is, for a refusal."""

    def __init__(self, do: str, face: Face) -> None:
        self.do = do
        self.face = face

    def budget(self, look: Look) -> int:
        """Spaces that may be covered now."""
        if self.do == "free_steps":
            return look.figure.free
        if look.figure.effects and barred(look.figure, "hurry"):
            return min(look.left, 1)
        return min(look.left, ROUND_LIMIT) * (2 if self.do == "run" else 1)

    def hindrance(self, look: Look) -> str | None:
        if self.do == "free_steps":
            blocked = self._free_hindrance(look)
        elif self.do == "run" and not look.setup.advanced:
            blocked = "Run is an advanced movement, and this fight is played without them"
        else:
            blocked = look.move_open() or (
                None if look.left else "no action points left to spend in this round"
            )
        if blocked is None:
            blocked = unfooted(look.figure)
        if blocked is None and self.do == "run":
            blocked = too_slow(look)
        return blocked

    @staticmethod
    def _free_hindrance(look: Look) -> str | None:
        if look.chance.freed or not look.figure.free:
            return "free steps are used up for this turn" if look.fighter.allowance else "has no free steps"
        if look.chance.moved or look.chance.acted or look.chance.only:
            return "free steps come before movement and action"
        if look.figure.rooted:
            return "rooted"
        if look.figure.effects and (word := barred(look.figure, "move") or barred(look.figure, "hurry")):
            return f"{word}: no free steps"
        return None if look.figure.ap >= 1 else "free steps need at least 1 AP left"

    def flaw(self, look: Look, action: Action) -> str | None:
        if not action.path:
            return "path: needs the spaces entered, at least one, as [[column, row], ...]"
        spaces = self.spaces(look, action.path)
        if spaces < 0:
            return path_fault(look.terrain, look.figure.cell, action.path, look.fighter.space)
        if spaces > self.budget(look):
            return f"path: {spaces} spaces of movement, at most {self.budget(look)} {self.span}"
        return self._crowded(look, action.path) or self._frightened(look, action.path[-1])

    @staticmethod
    def _frightened(look: Look, goal: int) -> str | None:
        if look.figure.effects and shunned(look) >> goal & 1:
            return f"path: frightened, and {look.name(goal)} is no farther from what is feared"
        return None

    @staticmethod
    def _crowded(look: Look, path: tuple[int, ...]) -> str | None:
        crowd = look.crowd
        size = look.fighter.space
        in_way = crowd.foes | crowd.allies
        if size == 1 and not any(in_way >> cell & 1 for cell in path):
            return None
        for i, cell in enumerate(path):
            cells = look.terrain.footprint(cell, size)
            last = i == len(path) - 1
            if cells & crowd.foes and not (last and cells & crowd.final):
                return f"path, step {i + 1}: {look.name(cell)} is an enemy's; one may only end there, one pair a space"
            if last and cells & crowd.allies:
                if look.state.challenges and cells & snares(look.state, look.fighter.side, known=True):
                    return (
                        f"path, step {i + 1}: {look.name(cell)} has a known trap; step over it, or disarm it"
                    )
                return f"path, step {i + 1}: {look.name(cell)} is an ally's; allies may be passed, not shared"
        return None

    @staticmethod
    def spaces(look: Look, path: tuple[int, ...]) -> int:
        """Spaces of movement that a path takes, difficult ground counted twice; −1 if one of its steps is none."""
        total, at = 0, look.figure.cell
        costs, size = look.terrain.costs, look.fighter.space
        for cell in path:
            cost = costs(at, size).get(cell)
            if cost is None:
                return -1
            total += cost
            at = cell
        return total

    def instances(self, look: Look) -> Iterator[Action]:
        if self.hindrance(look):
            return iter(())
        by, do, paths = look.fighter.id, self.do, look.reach(self.budget(look)).paths()
        if look.figure.effects and (nearer := shunned(look)):
            paths = [path for path in paths if not nearer >> path[-1] & 1]
        return iter([Action(by, do, None, None, path) for path in paths])

    def cost(self, look: Look, action: Action) -> int:
        if self.do == "free_steps":
            return 0
        spaces = self.spaces(look, action.path)
        return (spaces + 1) // 2 if self.do == "run" else spaces

    def perform(self, work: Work, action: Action, cost: int) -> None:
        assert work.chance is not None
        who = work.chance.who
        start = work.figures[who].cell
        way, trap = (action.path, -1) if not work.state.challenges else walk_into(work, who, action.path)
        if way:
            work.change(who, cell=way[-1])
            path = tuple(map(work.space, way))
            work.events.append(
                Moved(by=action.by, mode=self.do, start=work.space(start), path=path, cost=cost)
            )
        if trap >= 0:
            spring(work, who, trap)
        if self.do == "free_steps":
            work.change(who, free=0)
        elif self.do == "run":
            work.change(who, temp_defense=work.figures[who].temp_defense - cost)
            penalty = Adjustment("defense", -cost, "running", "olde.md §4 Run")
            work.events.append(Adjusted(target=action.by, adjustment=penalty))


def relocate(work: Work, creature: str, goal: int, mode: str, cost: int = 0) -> None:
    """Put a miniature on another space, with its event."""
    who = work.setup.index[creature]
    start = work.figures[who].cell
    work.change(who, cell=goal)
    work.events.append(
        Moved(by=creature, mode=mode, start=work.space(start), path=(work.space(goal),), cost=cost)
    )


class Lower(Kind[Look]):
    """Drop (1 AP, a movement) and Flop (0 AP, an action): to sitting, kneeling or prone."""

    def __init__(self, do: str, face: Face) -> None:
        self.do = do
        self.face = face

    def hindrance(self, look: Look) -> str | None:
        blocked = (look.move_open() or look.pay(1)) if self.do == "drop" else look.act_open()
        if blocked is None and look.figure.posture in ("prone", "swimming"):
            blocked = "prone already" if look.figure.posture == "prone" else "in deep water"
        return blocked

    def flaw(self, look: Look, action: Action) -> str | None:
        posture = action.option or "prone"
        if posture not in LYING:
            return f"option: {posture!r} is none of sitting, kneeling, prone"
        return f"{posture} already" if posture == look.figure.posture else None

    def instances(self, look: Look) -> Iterator[Action]:
        if not self.hindrance(look):
            for posture in reversed(LYING):
                if posture != look.figure.posture:
                    yield Action(look.fighter.id, self.do, option=posture)

    def cost(self, look: Look, action: Action) -> int:
        return 1 if self.do == "drop" else 0

    def perform(self, work: Work, action: Action, cost: int) -> None:
        lie_down(work, work.setup.index[action.by], action.option or "prone")


class Rise(Plain[Look]):
    """To standing: 2/Only; an action may follow."""

    do = "rise"

    def __init__(self, face: Face) -> None:
        self.face = face

    def hindrance(self, look: Look) -> str | None:
        if look.figure.posture in ("standing", "swimming"):
            return "standing already" if look.figure.posture == "standing" else "in deep water: Swim"
        return look.move_open() or look.pay_only(2)

    def cost(self, look: Look, action: Action) -> int:
        return look.only(2)

    def perform(self, work: Work, action: Action, cost: int) -> None:
        who = work.setup.index[action.by]
        upright = msgspec.structs.replace(work.figures[who], posture="standing")
        lie_down(work, who, "swimming" if in_water(work.setup, work.fighter(who), upright) else "standing")


class Leap(Kind[Look]):
    """Over a gap of 1 or 2 spaces in a straight line: 1 AP, Leap check Easy or Hard (olde.md §4)."""

    def __init__(self, face: Face) -> None:
        self.face = face

    def hindrance(self, look: Look) -> str | None:
        blocked = look.move_open() or look.pay(1) or too_slow(look) or unfooted(look.figure)
        if blocked is None and look.fighter.space > 1:
            blocked = "too large to leap"
        return blocked

    @staticmethod
    def goal(action: Action) -> int | None:
        return action.at if action.at is not None else (action.path[-1] if action.path else None)

    def flaw(self, look: Look, action: Action) -> str | None:
        goal = self.goal(action)
        if goal is None:
            return "at: needs the space to land on, 2 or 3 spaces away in a straight line"
        return self.fault(look, goal)

    @staticmethod
    def gap(look: Look, goal: int) -> tuple[int, ...] | None:
        """The spaces leapt over, nearest first; None if the goal isn't 2 or 3 spaces off in a straight line."""
        (x, y), (gx, gy) = look.field.at(look.figure.cell), look.field.at(goal)
        dx, dy = gx - x, gy - y
        far = max(abs(dx), abs(dy))
        if far not in (2, 3) or (dx and dy and abs(dx) != abs(dy)):
            return None
        sx, sy = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
        return tuple(look.field.cell(x + sx * i, y + sy * i) for i in range(1, far))

    def fault(self, look: Look, goal: int) -> str | None:
        """Why one can't leap to a space now, or None."""
        fault = self._ground_fault(look, goal)
        if fault is not None:
            return fault
        crowd = look.crowd
        if (crowd.allies | crowd.foes) >> goal & 1:
            return f"at: {look.name(goal)} is taken"
        for cell in self.gap(look, goal) or ():
            if crowd.foes >> cell & 1:
                return f"at: {look.name(cell)} is in the way of the leap"
        return None

    def _ground_fault(self, look: Look, goal: int) -> str | None:
        """Why the ground forbids a leap to a space, whoever stands there."""
        gap = self.gap(look, goal)
        if gap is None:
            return "at: a leap goes over 1 or 2 spaces in a straight line"
        terrain = look.terrain
        if not terrain.fits(goal):
            return f"at: nobody can land on {look.name(goal)}"
        for cell in gap:
            if (terrain.blocked & ~terrain.pits) >> cell & 1:
                return f"at: {look.name(cell)} is in the way of the leap"
        if look.field.level(goal) > look.field.level(look.figure.cell):
            return "at: a leap does not reach a higher level"
        return None if _flight_open(look, (*gap, goal)) else "at: a wall is in the way of the leap"

    def instances(self, look: Look) -> Iterator[Action]:
        if self.hindrance(look):
            return
        crowd = look.crowd
        taken = crowd.allies | crowd.foes
        for goal, gap in self._gaps(look):
            if not taken >> goal & 1 and not crowd.foes & gap:
                yield Action(look.fighter.id, "leap", at=goal)

    def _gaps(self, look: Look) -> tuple[tuple[int, int], ...]:
        """(goal, spaces leapt over) of the leaps that the ground allows from here and that no walk replaces."""
        memo, key = look.terrain.memo, ("leap", look.figure.cell)
        found: tuple[tuple[int, int], ...] | None = memo.get(key)
        if found is None:
            found = memo[key] = tuple(
                (goal, board_of(self.gap(look, goal) or ()))
                for goal in self._goals(look)
                if self._ground_fault(look, goal) is None
            )
        return found

    @staticmethod
    def _goals(look: Look) -> Iterator[int]:
        """Spaces two or three away in a straight line, but for those beyond plain ground."""
        x, y = look.field.at(look.figure.cell)
        near = 0
        for cell, _ in look.terrain.neighbours(look.figure.cell):
            near |= 1 << cell
        for sx, sy in ((0, -1), (-1, 0), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)):
            for far in (2, 3):
                if not look.field.inside(x + sx * far, y + sy * far):
                    break
                first = look.field.cell(x + sx, y + sy)
                goal = look.field.cell(x + sx * far, y + sy * far)
                if near >> first & 1 and not look.terrain.difficult >> first & 1 and far == 2:
                    continue  # plain ground is walked, not leapt
                yield goal

    def cost(self, look: Look, action: Action) -> int:
        return 1

    def perform(self, work: Work, action: Action, cost: int) -> None:
        who = work.setup.index[action.by]
        goal = self.goal(action)
        assert goal is not None
        assert work.chance is not None
        look = Look(work.done(), work.chance)
        gap = self.gap(look, goal) or ()
        rating = LEAP_RATING[len(gap)]
        result = skill_check(work.dice, work.setup, work.fighter(who), work.figures[who], "Leap", rating)
        work.events.append(result.event(action.by, "leap"))
        if result.success:
            relocate(work, action.by, goal, "leap", cost)
        elif result.ranks <= -2:
            self._fall_in(work, who, look, gap)
        follow(work, who, result.ranks)

    @staticmethod
    def _fall_in(work: Work, who: int, look: Look, gap: tuple[int, ...]) -> None:
        """Two ranks of failure: falls into the gap if it is lower ground, else lies prone at the edge."""
        here, obstacles = look.figure.cell, work.setup.obstacles
        wet = obstacles.water if obstacles is not None else 0
        hollow = next((c for c in gap if look.terrain.fits(c) or wet >> c & 1), None)
        if hollow is None:
            lie_down(work, who, "prone", "caught the edge")
            return
        depth = look.field.level(here) - look.field.level(hollow)
        taken = standing_on(work.figures, work.setup.fighters, work.terrain, 1 << hollow)
        if not taken:
            relocate(work, work.fighter(who).id, hollow, "fall")
        if depth > 0:
            fall(work, who, depth)
        elif wet >> hollow & 1 and not taken:
            lie_down(work, who, "swimming", "fell in")
        else:
            lie_down(work, who, "prone", "fell short")


def _flight_open(look: Look, cells: tuple[int, ...]) -> bool:
    """No thin wall or closed thin door that blocks sight across the flight, and no wall beside its diagonals."""
    terrain, width = look.terrain, look.field.width
    solid = terrain.blocked & ~terrain.pits

    def crosses(a: int, b: int) -> bool:
        edges = terrain.sight_east if abs(a - b) == 1 else terrain.sight_south
        return bool(edges >> min(a, b) & 1)

    here = look.figure.cell
    for cell in cells:
        if abs(cell - here) in (1, width):
            if crosses(here, cell):
                return False
        else:
            across = here // width * width + cell % width
            down = cell // width * width + here % width
            for corner in (across, down):
                if solid >> corner & 1 or crosses(here, corner) or crosses(corner, cell):
                    return False
        here = cell
    return True

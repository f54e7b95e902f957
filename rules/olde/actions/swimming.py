"""Deep water: swimming by a scaling check, going under, drowning (olde.md §5 water)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.path import path_fault, reach
from rules.contract.actions import Action
from rules.contract.events import Moved
from rules.core.action_kinds import Face, Kind
from rules.core.dice import roll
from rules.olde.actions.deeds import Look
from rules.olde.actions.movement import relocate, shunned, too_slow
from rules.olde.challenges.attempts import attempt, ranks_made
from rules.olde.challenges.obstacles import in_water, swum, water_at
from rules.olde.combat.injury import injure, lie_down
from rules.olde.effects.model import ENDLESS, effect
from rules.olde.effects.working import end, has, lay
from rules.olde.state import Work, able, standing_on

SWIM_AP = 2
SWUM = 3
"""Spaces that a swim may be aimed at: each rank of success pays one (olde.md §3 scaling)."""
UNDER = "submerged"
SINKS = -2
"""Ranks of failure from which one goes under."""
DROWNING = 3
"""Die rank of what a reset under water costs."""


class Swim(Kind[Look]):
    """Into, through or out of deep water: 2 AP, Swim against its difficulty, a space for each rank of success."""

    def __init__(self, face: Face) -> None:
        self.face = face

    @staticmethod
    def known(look: Look) -> bool:
        """Whether this map has deep water."""
        return look.setup.obstacles is not None and bool(look.setup.obstacles.water)

    def hindrance(self, look: Look) -> str | None:
        if not self.known(look):
            return "no deep water on this map"
        blocked = look.move_open() or look.pay(SWIM_AP) or too_slow(look)
        if blocked is None and look.figure.posture not in ("standing", "swimming"):
            blocked = f"{look.figure.posture}: Rise first"
        if blocked is None and not self._wet(look) >> look.figure.cell & 1:
            if not any(self._wet(look) >> there & 1 for there, _ in self._steps(look)):
                blocked = "no deep water beside"
        return blocked

    @staticmethod
    def _wet(look: Look) -> int:
        """Bitboard of the spaces where such a creature would be in the water."""
        assert look.setup.obstacles is not None
        water = look.setup.obstacles.water
        return swum(look.state.terrain).touching(water, look.fighter.space)

    @staticmethod
    def _steps(look: Look) -> tuple[tuple[int, int], ...]:
        return swum(look.state.terrain).neighbours(look.figure.cell, look.fighter.space)

    def flaw(self, look: Look, action: Action) -> str | None:
        if not action.path:
            return "path: needs the spaces to swim, at least one, as [[column, row], ...]"
        if len(action.path) > SWUM:
            return f"path: {len(action.path)} spaces, at most {SWUM} in one go"
        terrain, size, wet = swum(look.state.terrain), look.fighter.space, self._wet(look)
        fault = path_fault(terrain, look.figure.cell, action.path, size)
        if fault:
            return fault
        crowd, at = look.crowd, look.figure.cell
        for i, cell in enumerate(action.path):
            cells = terrain.footprint(cell, size)
            if not (wet >> at & 1 or wet >> cell & 1):
                return f"path, step {i + 1}: {look.name(cell)} is walked to, not swum to"
            if not wet >> cell & 1 and i < len(action.path) - 1:
                return f"path, step {i + 1}: {look.name(cell)} is ashore; a swim ends there"
            if cells & crowd.foes:
                return f"path, step {i + 1}: {look.name(cell)} is an enemy's"
            at = cell
        if terrain.footprint(at, size) & crowd.allies:
            return f"path, step {len(action.path)}: {look.name(at)} is an ally's; allies may be passed, not shared"
        if look.figure.effects and shunned(look) >> at & 1:
            return f"path: frightened, and {look.name(at)} is no farther from what is feared"
        return None

    def instances(self, look: Look) -> Iterator[Action]:
        if not self.known(look) or self.hindrance(look):
            return
        crowd, wet, here = look.crowd, self._wet(look), look.figure.cell
        terrain, size = swum(look.state.terrain), look.fighter.space
        ashore = terrain.steps(size).fit & ~wet & ~terrain.touching(crowd.foes | crowd.allies, size)
        closed = crowd.foes | (crowd.allies & ~wet if size == 1 else 0)
        found = reach(
            terrain, here, SWUM, size=size, blocked=closed, unstoppable=crowd.allies, final=ashore
        )  # fmt: skip
        nearer = shunned(look) if look.figure.effects else 0
        for path in found.paths():
            if nearer >> path[-1] & 1 or not (wet >> here & 1 or wet >> path[0] & 1):
                continue
            if size == 1 or all(wet >> cell & 1 for cell in path[:-1]):
                yield Action(look.fighter.id, "swim", path=path)

    def cost(self, look: Look, action: Action) -> int:
        return SWIM_AP

    @staticmethod
    def rating(look: Look, path: tuple[int, ...]) -> int:
        """The difficulty of the water where one is, else of that which one enters."""
        size, terrain = look.fighter.space, look.terrain
        for cell in (look.figure.cell, *path):
            water = water_at(look.setup, terrain.footprint(cell, size))
            if water is not None:
                return water.difficulty
        return 0

    def perform(self, work: Work, action: Action, cost: int) -> None:
        assert work.chance is not None
        look = Look(work.state, work.chance)
        who, rating = look.who, self.rating(look, action.path)
        if attempt(work, who, "Swim", rating, "swim"):
            surface(work, who, "swims")
            self._make_way(work, look, action, cost)
        elif ranks_made(work) <= SINKS:
            first = action.path[0]
            if not in_water(work.setup, look.fighter, look.figure) and not _taken(work, look, first):
                relocate(work, action.by, first, "fall")
            settle(work, who)
            go_under(work, who)

    @staticmethod
    def _make_way(work: Work, look: Look, action: Action, cost: int) -> None:
        """As far as the ranks carry, and not into a space where somebody is."""
        way = action.path[: ranks_made(work)]
        while way and _taken(work, look, way[-1]):
            way = way[:-1]
        if way:
            start = work.space(look.figure.cell)
            work.change(look.who, cell=way[-1])
            path = tuple(map(work.space, way))
            work.events.append(Moved(by=action.by, mode="swim", start=start, path=path, cost=cost))
        settle(work, look.who)


def _taken(work: Work, look: Look, cell: int) -> bool:
    cells = look.terrain.footprint(cell, look.fighter.space)
    return any(
        i != look.who for i in standing_on(work.figures, work.setup.fighters, work.terrain, cells)
    )  # fmt: skip


# -- in the water ---------------------------------------------------------------------------------------


def settle(work: Work, who: int) -> None:
    """Whoever stands in deep water swims; whoever swims ashore stands, and is under water no more."""
    figure, fighter = work.figures[who], work.fighter(who)
    wet = in_water(work.setup, fighter, figure)
    if wet and figure.posture not in ("swimming", "prone"):
        lie_down(work, who, "swimming")
    elif not wet and figure.posture == "swimming":
        lie_down(work, who, "standing", "ashore")
    if not wet:
        surface(work, who, "ashore")


def go_under(work: Work, who: int) -> None:
    """From now on a reset in the water costs d3 HP, until a Swim check succeeds."""
    if not has(work.figures[who], UNDER):
        lay(work, who, effect(UNDER, ENDLESS))


def surface(work: Work, who: int, because: str) -> None:
    """Above water again."""
    for each in work.figures[who].effects:
        if each.lasting.condition == UNDER:
            end(work, who, each, because)


def drown(work: Work) -> None:
    """Step 1 of the reset: d3 HP for everybody under water, armor is no help; who can't act there is under it (R)."""
    for who, figure in enumerate(work.figures):
        fighter = work.fighter(who)
        if figure.cell < 0 or figure.hp <= -fighter.hp_max:
            continue
        if figure.hp > 0:
            settle(work, who)
            figure = work.figures[who]
        if in_water(work.setup, fighter, figure) and (has(figure, UNDER) or not able(figure)):
            work.dice.thrower = ""
            rolled = roll(work.dice, "drowning", 1, DROWNING, exploding=False)
            injure(work, who, rolled.total, "under water", rolls=(rolled,))


def struggle(work: Work) -> None:
    """Step 3 of the reset: whoever is under water and can act tries to come up, a Swim check (R)."""
    for who, figure in enumerate(work.figures):
        if figure.effects and has(figure, UNDER) and able(figure):
            fighter = work.fighter(who)
            water = water_at(work.setup, work.terrain.footprint(figure.cell, fighter.space))
            if water is None or attempt(work, who, "Swim", water.difficulty, "comes up for air"):
                surface(work, who, "comes up")


SWIM = Swim(Face("Swim", "Move", "2 AP", "path", "swim", "shift+c", "a space for each rank of success"))

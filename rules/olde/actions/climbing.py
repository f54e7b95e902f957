"""Climb: a level up or down by stairs and ladders, or over a face or a low wall by a check (olde.md §4, §5)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.fixtures import Challenge
from rules.board.path import path_fault, reach
from rules.contract.actions import Action
from rules.contract.ruleset import Odds
from rules.contract.text import text
from rules.contract.units import EMPTY, Cell, CreatureIx, numbered
from rules.core.action_kinds import Face
from rules.core.dice import roll
from rules.core.fixtures.obstacles import climbs, swum, water_at
from rules.olde.actions.kind import Context, Kind, Minutes, Part, goal_of, situation
from rules.olde.actions.movement import frightened, shunned, too_slow, unfooted
from rules.olde.challenges.checks import attempt, ranks_made, terms_helped
from rules.olde.challenges.state import in_water
from rules.olde.combat.outcomes import fall, injure
from rules.olde.conditions import PRONE, SUBMERGED, SWIMMING, end_condition, lay, lie_down
from rules.olde.state import STANDING, Because, Resolution, able, move, standing_on

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
        if blocked or self._goals(context):
            return blocked
        if context.setup.obstacles is None:
            return "no stairs or ladder here"
        return "too large to climb that" if context.fighter.space > 1 else "nothing to climb here"

    def idle(self, context: Context) -> bool:
        return context.figure.posture != STANDING

    @staticmethod
    def _goals(context: Context) -> dict[Cell, Challenge | None]:
        """Space beyond -> what has to be climbed; None for stairs and ladders."""
        return climbs(context.terrain, context.figure.cell, context.fighter.space)

    @classmethod
    def obstacle(cls, context: Context, action: Action) -> Challenge | None:
        """What a climb goes over; None for stairs and ladders, and for whoever flies."""
        return None if context.fighter.traits.flies else cls._goals(context).get(goal_of(action))

    def why_not_this(self, context: Context, action: Action) -> str | None:
        goal = goal_of(action)
        if goal not in self._goals(context):
            return "at: needs an adjacent space one level up or down, joined by stairs or a ladder"
        cells = context.terrain.footprint(goal, context.fighter.space)
        taken = cells & (context.crowd.allies | context.crowd.foes)
        return text("at: {goal} is taken", context.name(goal)) if taken else None

    def candidates(self, context: Context) -> Iterator[Action]:
        for cell in self._goals(context):
            yield Action(context.actor, self.do, at=cell)

    def odds(self, context: Context, action: Action) -> Odds | None:
        obstacle = self.obstacle(context, action)
        if obstacle is None:
            return None
        high = obstacle.height
        depth = text("a fall of {height}d6, armor is no help", high) if high else "one falls prone"
        note = (text("two ranks of failure: {depth}", depth), "olde.md §5 heights")
        return terms_helped(context.state, context.who, "Climb").daring(
            obstacle.difficulty, "gets over", "stays", "falls", note
        )

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        goal, context = goal_of(action), situation(resolution)
        obstacle = self.obstacle(context, action)
        if obstacle is None or attempt(resolution, who, "Climb", obstacle.difficulty, text("climb, {id}", obstacle.id)):
            move(resolution, who, (goal,), "climb" if obstacle is None else "clamber", resolution.paid)
        elif ranks_made(resolution) <= FALLS:
            # whoever climbs down lands below if there is room, everybody else where one was (R)
            lower = context.field.level(goal) < context.field.level(context.figure.cell)
            if lower and not standing_on(resolution, 1 << goal):
                move(resolution, who, (goal,), "fall")
            if obstacle.height:
                fall(resolution, who, obstacle.height)
            else:
                lie_down(resolution, who, PRONE.name, "fell")


SWUM = 3
"""Spaces that a swim may be aimed at: each rank of success pays one (olde.md §3 scaling)."""
SINKS = -2
"""Ranks of failure from which one goes under."""
DROWNING = 3
"""Die rank of what a reset under water costs."""


class Swim(Kind):
    """Into, through or out of deep water: 2 AP, Swim against its difficulty, a space for each rank of success."""

    do = "swim"
    face = Face("Swim", "Move", "2 AP", "path", "swim", "shift+c", "a space for each rank of success")
    part = Part.MOVE
    ap = 2
    risky = True
    exploring = Minutes()

    def why_not(self, context: Context) -> str | None:
        if context.setup.obstacles is None or not context.setup.obstacles.water:
            return "no deep water on this map"
        blocked = self.closed(context) or too_slow(context)
        if blocked is None and context.figure.posture not in (STANDING, SWIMMING.name):
            blocked = text("{posture}: Rise first", context.figure.posture)
        if blocked is None:
            steps = swum(context.state.terrain).neighbours(context.figure.cell, context.fighter.space)
            if not any(self._wet(context) >> cell & 1 for cell in (context.figure.cell, *(cell for cell, _ in steps))):
                blocked = "no deep water beside"
        return blocked

    def idle(self, context: Context) -> bool:
        return context.setup.obstacles is None

    @staticmethod
    def _wet(context: Context) -> int:
        """Bitboard of the spaces where such a creature would be in the water."""
        assert context.setup.obstacles is not None
        water = context.setup.obstacles.water
        return swum(context.state.terrain).touching(water, context.fighter.space)

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if not action.path:
            return "path: needs the spaces to swim, at least one, as [[column, row], ...]"
        if len(action.path) > SWUM:
            return text("path: {path} spaces, at most {swum} in one go", len(action.path), SWUM)
        terrain, size, wet = swum(context.state.terrain), context.fighter.space, self._wet(context)
        fault = path_fault(terrain, context.figure.cell, action.path, size)
        if fault:
            return fault
        crowd, at = context.crowd, context.figure.cell
        for i, cell in enumerate(action.path):
            last, told = i == len(action.path) - 1, ""
            cells = terrain.footprint(cell, size)
            if not (wet >> at & 1 or wet >> cell & 1):
                told = "path, step {step}: {cell} is walked to, not swum to"
            elif not wet >> cell & 1 and not last:
                told = "path, step {step}: {cell} is ashore; a swim ends there"
            elif cells & crowd.foes:
                told = "path, step {step}: {cell} is an enemy's"
            elif last and cells & crowd.allies:
                told = "path, step {step}: {cell} is an ally's; allies may be passed, not shared"
            if told:
                return text(told, i + 1, context.name(cell))
            at = cell
        return frightened(context, at)

    def instances(self, context: Context) -> Iterator[Action]:
        if self.why_not(context):
            return
        crowd, wet, here = context.crowd, self._wet(context), context.figure.cell
        terrain, size = swum(context.state.terrain), context.fighter.space
        ashore = terrain.steps(size).fit & ~wet & ~terrain.touching(crowd.foes | crowd.allies, size)
        closed = crowd.foes | (crowd.allies & ~wet if size == 1 else 0)
        found = reach(terrain, here, SWUM, size=size, blocked=closed, unstoppable=crowd.allies, final=ashore)
        nearer = shunned(context) if context.figure.effects else 0
        for path in found.paths():
            if nearer >> path[-1] & 1 or not (wet >> here & 1 or wet >> path[0] & 1):
                continue
            if size == 1 or all(wet >> cell & 1 for cell in path[:-1]):
                yield Action(context.fighter.id, "swim", path=path)

    @staticmethod
    def rating(context: Context, path: tuple[Cell, ...]) -> int:
        """The difficulty of the water where one is, else of that which one enters."""
        size, terrain = context.fighter.space, context.terrain
        for cell in (context.figure.cell, *path):
            water = water_at(context.field, terrain.footprint(cell, size))
            if water is not None:
                return water.difficulty
        return 0

    def odds(self, context: Context, action: Action) -> Odds:
        rating, far, terms = (
            self.rating(context, action.path),
            len(action.path),
            terms_helped(context.state, context.who, "Swim"),
        )
        scale = terms.scaled(rating, far)
        swims = [(text("swims {far}" if k == far else "swims {k}", k), chance) for k, chance in scale]
        makes, safe = terms.chance(rating), terms.no_mishap(rating)
        outcomes = (*swims, ("makes no way", safe - makes), ("goes under", max(0.0, 1.0 - makes - (safe - makes))))
        note = ("each rank of success is a space; two ranks of failure: under water", "olde.md §3 scaling")
        return terms.odds(rating, outcomes, note)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        context = situation(resolution)
        if attempt(resolution, who, "Swim", self.rating(context, action.path), "swim"):
            end_condition(resolution, who, SUBMERGED.name, "swims")
            way = action.path[: ranks_made(resolution)]
            while way and _taken(resolution, context, way[-1]):  # not into a space where somebody is
                way = way[:-1]
            if way:
                move(resolution, who, way, "swim", resolution.paid)
            settle(resolution, who)
        elif ranks_made(resolution) <= SINKS:
            afloat = in_water(resolution.setup, context.fighter, context.figure)
            if not afloat and not _taken(resolution, context, action.path[0]):
                move(resolution, who, action.path[:1], "fall")
            settle(resolution, who)
            if not SUBMERGED.holds(resolution.figures[who]):
                lay(resolution, who, SUBMERGED.effect())  # a reset in the water costs d3 HP, until a check succeeds


def _taken(resolution: Resolution, context: Context, cell: Cell) -> bool:
    cells = context.terrain.footprint(cell, context.fighter.space)
    return any(i != context.who for i in standing_on(resolution, cells))


# -- in the water ---------------------------------------------------------------------------------------


def settle(resolution: Resolution, who: CreatureIx) -> None:
    """Whoever stands in deep water swims; whoever swims ashore stands, and is under water no more."""
    figure, fighter = resolution.figures[who], resolution.fighter(who)
    wet = in_water(resolution.setup, fighter, figure)
    if wet and figure.posture not in (SWIMMING.name, PRONE.name):
        lie_down(resolution, who, SWIMMING.name)
    elif not wet and figure.posture == SWIMMING.name:
        lie_down(resolution, who, STANDING, Because.ASHORE.value)
    if not wet:
        end_condition(resolution, who, SUBMERGED.name, Because.ASHORE.value)


def drown(resolution: Resolution) -> None:
    """Step 1 of the reset: d3 HP for everybody under water, armor is no help; who can't act there is under it (R)."""
    found = resolution.setup.obstacles
    water = found.water if found is not None else EMPTY
    for who, figure in numbered(resolution.figures):
        if figure.cell < 0:
            continue
        fighter = resolution.fighter(who)
        if fighter.space == 1 and not water >> figure.cell & 1 and figure.posture != SWIMMING.name:
            if not figure.effects or not SUBMERGED.holds(figure):  # ashore, and nothing to get out of
                continue
        if figure.hp <= -fighter.hp_max:
            continue
        if figure.hp > 0:
            settle(resolution, who)
            figure = resolution.figures[who]
        if in_water(resolution.setup, fighter, figure) and (SUBMERGED.holds(figure) or not able(figure)):
            resolution.dice.thrower = ""
            rolled = roll(resolution.dice, "drowning", 1, DROWNING, exploding=False)
            injure(resolution, who, rolled.total, "under water", rolls=(rolled,))


def struggle(resolution: Resolution) -> None:
    """Step 3 of the reset: whoever is under water and can act tries to come up, a Swim check (R)."""
    for who, figure in numbered(resolution.figures):
        if SUBMERGED.holds(figure) and able(figure):
            fighter = resolution.fighter(who)
            water = water_at(resolution.setup.field, resolution.terrain.footprint(figure.cell, fighter.space))
            if water is None or attempt(resolution, who, "Swim", water.difficulty, "comes up for air"):
                end_condition(resolution, who, SUBMERGED.name, "comes up")

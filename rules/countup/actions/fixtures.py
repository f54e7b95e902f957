"""What is done to what stands on a map, beside opening and breaking doors: keys turned, chests opened and picked, traps
disarmed, faces and stairs climbed, everything taken along (countup.md §2.11). With the option `fixtures` alone, but for
stairs and ladders; rubble cleared and gaps leapt with `hurdles`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from rules.board.bitboard import board_of
from rules.board.fixtures import Challenge
from rules.contract.actions import Action, Description
from rules.contract.ruleset import Odds
from rules.contract.text import Place, joined, text
from rules.contract.units import Cell, CreatureIx, Seconds
from rules.core.action_kinds import Face
from rules.core.fixtures import challenges, doors, leaps, loot
from rules.core.fixtures.challenges import Numbered, Work
from rules.core.fixtures.obstacles import STAIRS, climbs
from rules.core.fixtures.rubble import give_way
from rules.core.secrets import Kind, Stands
from rules.core.secrets import named as challenge_named
from rules.countup import hazards, skills
from rules.countup.actions.context import Context, OrderKind
from rules.countup.actions.objects import (
    DoorKind,
    TaskKind,
    break_odds,
    breaks,
    chance_odds,
    door_named,
    door_state,
    lay_ground,
    set_door,
)
from rules.countup.combat.injury import tell_moved
from rules.countup.plunder import PLUNDER
from rules.countup.skills import LOCKS, TRAPS
from rules.countup.state import Resolution, Task

RULE = "countup.md §2.11"
TURNED, OPENED = Seconds(2), Seconds(2)
"""Seconds to turn a key, and to open a chest (OURS)."""
WORDS = doors.Words("target: a portcullis has no lock")


class TurnKey(DoorKind):
    """With a door's own key: two seconds."""

    deed: doors.Work
    told: str

    def why_not(self, context: Context) -> str | None:
        return super().why_not(context) or (None if context.figure.keys else "carries no key")

    def why_not_door(self, context: Context, number: int) -> str | None:
        stands = door_state(context.state, context.being.side, number)
        return doors.why_not(self.deed, context.terrain.field.doors[number], stands, WORDS, context.figure.keys)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        number = door_named(resolution, action)
        assert number is not None
        if door_state(resolution, resolution.being(who).side, number) in self.deed.before:
            set_door(resolution, number, self.deed.after, who)
            resolution.note(who, self.told)
        resolution.change(who, busy=resolution.second + TURNED, order=None)


class Unlock(TurnKey):
    """A locked door."""

    do = "unlock"
    explores = True
    face = Face("Unlock", "Act", "2 s", "door", "key", "shift+l", "with its key")
    deed, told = doors.UNLOCKING, "unlocks the door"


class Lock(TurnKey):
    """A closed door."""

    do = "lock"
    explores = True
    face = Face("Lock", "Act", "2 s", "door", "key", "shift+k", "with its key")
    deed, told = doors.LOCKING, "locks the door"


class AtHand(OrderKind):
    """Something done to a chest or a trap within reach of a hand."""

    at_the_end = True
    asks: Work
    nothing_near: str

    def near(self, context: Context) -> list[Numbered]:
        """What it could be done to from where one will stand."""
        state, size = context.state, context.being.space
        around = context.terrain.within(context.place, 1, size) & ~state.cleared
        field, keys = context.setup.field, context.figure.keys
        side = context.being.side
        return challenges.within(
            self.wanted(context), field, state.challenges, found=state.found, side=side, around=around, keys=keys
        )

    def wanted(self, context: Context) -> Work:
        """What is asked of a challenge."""
        return self.asks

    def why_not(self, context: Context) -> str | None:
        return super().why_not(context) or (None if self.near(context) else self.nothing_near)

    def why_not_this(self, context: Context, action: Action) -> str | None:
        return challenges.why_not(self.near(context), action.item)

    def candidates(self, context: Context) -> Iterator[Action]:
        for _, one in self.near(context):
            yield Action(context.being.id, self.do, item=one.id)


class OpenChest(AtHand):
    """A chest that nothing holds shut, or whose key one has: two seconds."""

    do = "open_chest"
    explores = True
    face = Face("Open chest", "Act", "2 s", "item", "chest", "shift+o", "unlocked, or with its key")
    asks, nothing_near = challenges.OPENING, "no chest beside that is unlocked, or whose key it has"
    rank = 2

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        number, chest = challenge_named(resolution.setup.field, action.item or "")
        if resolution.challenges[number] in self.asks.before:
            how = "key" if resolution.challenges[number] == Stands.LOCKED else "hand"
            uncover(resolution, who, number, chest, how)
        if resolution.figures[who].present:
            resolution.change(who, busy=resolution.second + OPENED, order=None)


def uncover(resolution: Resolution, who: CreatureIx, number: int, chest: Challenge, how: str) -> None:
    """A chest comes open: what is in it lies on its space; what lies in wait in it is seen in time, or goes off."""
    drawn = PLUNDER.spill(resolution, chest)
    inside = loot.told(loot.Find(item) for item in drawn.things) if drawn.rolls else chest.contents
    hazards.set_state(resolution, number, Stands.OPEN, who, inside=inside, how=how, rolls=drawn.rolls)
    if chest.damage or chest.effect:
        if hazards.tried(resolution, who, hazards.OBSERVATION, chest.notice, "a trap in it") < 0:
            hazards.bite(resolution, who, chest)


class Way:
    """One way to get the better of a chest or a trap: its word, its time, what is told of who begins."""

    def __init__(self, word: str, label: str, seconds: int, begun: str, skill: str) -> None:
        self.word, self.label, self.seconds, self.begun, self.skill = word, label, Seconds(seconds), begun, skill


FORCING = Way("break_chest", "Break open", 5, "sets to breaking it open", "")
CLEARING = Way("clear_rubble", "Clear rubble", 10, "heaves at the stones", "")
PICKING = Way("pick_chest", "Pick the lock", 10, "works at the lock", LOCKS)
DISARMING = Way("disarm", "Disarm", 20, "works at the trap", TRAPS)
WAYS = {"force": FORCING, "pick": PICKING, "disarm": DISARMING, "clear": CLEARING}
"""By the option of the command."""
USUAL: Mapping[str, str] = {Kind.TRAP: "disarm", Kind.RUBBLE: "clear"}
"""How a thing is dealt with where nobody says how: anything else by force."""


class Tackle(AtHand, TaskKind):
    """A locked chest broken open or picked, a known trap disarmed."""

    do = "tackle"
    explores = True
    face = Face("Chest or trap", "Act", "5–20 s", "item", "force", "shift+f", "a locked chest, a known trap")
    asks, level = challenges.TACKLING, Work((Kind.CHEST, Kind.TRAP), challenges.TACKLING.before)
    nothing_near = "no locked chest or known trap beside that it could do anything about"

    def wanted(self, context: Context) -> Work:
        return self.asks if context.setup.hurdles else self.level

    def ways(self, context: Context, one: Challenge) -> tuple[str, ...]:
        """How somebody may try it, by options."""
        if one.kind == Kind.RUBBLE:
            return ("clear",)
        if one.kind == Kind.TRAP:
            return ("disarm",) if skills.skill_of(context.being, TRAPS) else ()
        return ("force", "pick") if skills.skill_of(context.being, LOCKS) else ("force",)

    def near(self, context: Context) -> list[Numbered]:
        return [each for each in super().near(context) if self.ways(context, each[1])]

    def why_not(self, context: Context) -> str | None:
        return TaskKind.why_not(self, context) or (None if self.near(context) else self.nothing_near)

    def why_not_this(self, context: Context, action: Action) -> str | None:
        near = self.near(context)
        if wrong := challenges.why_not(near, action.item):
            return wrong
        known = next(self.ways(context, one) for _, one in near if one.id == action.item)
        told = "option: {option} is none of {options}"
        return None if action.option in (None, *known) else text(told, repr(action.option), joined(", ", known))

    def candidates(self, context: Context) -> Iterator[Action]:
        for _, one in self.near(context):
            for option in self.ways(context, one):
                yield Action(context.being.id, self.do, item=one.id, option=option)

    @staticmethod
    def way(action: Action, one: Challenge) -> Way:
        """How it is tried: by force, and a trap by skill, unless it is said."""
        return WAYS[action.option or USUAL.get(one.kind, "force")]

    def odds(self, context: Context, action: Action) -> Odds | None:
        _, one = challenge_named(context.setup.field, action.item or "")
        way = self.way(action, one)
        if way is CLEARING:
            return break_odds(context.being, one.difficulty, "opposed by the stones' d20p; a space for each success")
        if way is FORCING:
            return break_odds(context.being, one.difficulty)
        return skill_odds(context, way.skill, one.difficulty)

    def describe(self, context: Context, action: Action | None = None) -> Description:
        if action is None or action.item is None:
            return self.button()
        way = self.way(action, challenge_named(context.setup.field, action.item)[1])
        return self.button(way.label, text("{n} s", way.seconds))

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        number, one = challenge_named(resolution.setup.field, action.item or "")
        way = self.way(action, one)
        ends = Seconds(resolution.second + way.seconds)
        resolution.change(who, task=Task(way.word, number, ends), busy=ends, order=None)
        resolution.note(who, way.begun)


class Tackled(TaskKind):
    """What comes of it when its seconds are over."""

    def __init__(self, way: Way) -> None:
        self.way, self.do = way, way.word

    def finish(self, resolution: Resolution, who: CreatureIx, number: int) -> None:
        one = resolution.setup.field.challenges[number]
        if resolution.challenges[number] not in Tackle.asks.before:
            return
        if self.way is CLEARING:
            if beside(resolution, who, one) and breaks(resolution, who, one.id, one.difficulty, self.do):
                give_way(resolution, who, number)
                lay_ground(resolution)
            return
        if self.way is FORCING:
            if breaks(resolution, who, one.id, one.difficulty, self.do):
                uncover(resolution, who, number, one, "")
            return
        left = hazards.tried(resolution, who, self.way.skill, one.difficulty, one.id)
        if left >= 0 and one.kind == Kind.TRAP:
            hazards.set_state(resolution, number, Stands.DISARMED, who)
        elif left >= 0:
            uncover(resolution, who, number, one, "pick")
        elif left < -hazards.MISHAP and one.kind == Kind.TRAP:
            hazards.spring(resolution, who, number)


def beside(resolution: Resolution, who: CreatureIx, one: Challenge) -> bool:
    """Whether some rubble is left within somebody's reach: somebody may have been quicker."""
    near = resolution.terrain.within(resolution.figures[who].cell, 1, resolution.being(who).space)
    return bool(board_of(one.cells) & near & ~resolution.cleared)


class Crossing(TaskKind):
    """Onto a space beyond what is in the way."""

    explores = True
    rank = 2

    def why_not(self, context: Context) -> str | None:
        return super().why_not(context) or ("stand up first" if context.figure.low else None)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        assert action.at is not None
        ends = Seconds(resolution.second + self.seconds)
        resolution.change(who, task=Task(self.do, action.at, ends), busy=ends, order=None)
        resolution.note(who, self.begun)

    def arrive(self, resolution: Resolution, who: CreatureIx, goal: Cell) -> None:
        """Somebody is beyond it."""
        here = resolution.figures[who].cell
        resolution.change(who, cell=goal, moved=resolution.second, straight=0)
        tell_moved(resolution, who, self.do, (here, goal))


class Climb(Crossing):
    """By stairs or a ladder to another height, or over a face or wall by a check."""

    do = "climb"
    face = Face("Climb", "Move", "4 s", "space", "climb", "shift+j", "stairs, a ladder; a face or wall by climbing")
    seconds, begun = Seconds(4), "climbs"

    def why_not(self, context: Context) -> str | None:
        return super().why_not(context) or (None if self.goals(context) else "nothing to climb beside")

    @staticmethod
    def goals(context: Context) -> dict[Cell, Challenge | None]:
        """Where it could climb to from where it will stand."""
        return climbs(context.terrain, context.place, context.being.space, faces=context.setup.fixtures)

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if action.at not in self.goals(context) or action.at is None:
            return "at: needs a space beyond what is climbed, or joined by stairs or a ladder"
        taken = context.terrain.footprint(action.at, context.being.space) & context.crowd()
        return text("at: somebody stands on {cell}", Place(*context.terrain.field.at(action.at))) if taken else None

    def candidates(self, context: Context) -> Iterator[Action]:
        for cell in self.goals(context):
            yield Action(context.being.id, self.do, at=cell)

    def describe(self, context: Context, action: Action | None = None) -> Description:
        return self.button(notes=None if context.setup.fixtures else (STAIRS,))

    def odds(self, context: Context, action: Action) -> Odds | None:
        face = self.goals(context).get(action.at) if action.at is not None else None
        return None if face is None else skill_odds(context, hazards.CLIMBING, face.difficulty)

    def finish(self, resolution: Resolution, who: CreatureIx, number: int) -> None:
        """One gets over if there is room; failing badly one falls."""
        goal, figure, being = Cell(number), resolution.figures[who], resolution.being(who)
        goals = climbs(resolution.terrain, figure.cell, being.space, faces=resolution.setup.fixtures)
        if goal not in goals or resolution.taken(resolution.terrain.footprint(goal, being.space), who):
            return
        face = goals[goal]
        left = 0 if face is None else hazards.tried(resolution, who, hazards.CLIMBING, face.difficulty, face.id)
        if left >= 0:
            self.arrive(resolution, who, goal)
        elif face is not None and left < -hazards.MISHAP:
            hazards.falls(resolution, who, face)


class Leap(Crossing):
    """Over one or two spaces in a straight line, by a check of jumping."""

    do = "leap"
    face = Face("Leap", "Move", "2 s", "space", "leap", "shift+8", "over 1 or 2 spaces, by jumping")
    seconds, begun = Seconds(2), "leaps"

    def why_not(self, context: Context) -> str | None:
        return super().why_not(context) or ("too large to leap" if context.being.space > 1 else None)

    def why_not_this(self, context: Context, action: Action) -> str | None:
        goal, crowd = action.at, context.crowd()
        reason = leaps.why_not_onto(context.terrain, context.place, goal)
        if reason or goal is None:
            return reason
        if crowd >> goal & 1:
            return text("at: somebody stands on {cell}", Place(*context.terrain.field.at(goal)))
        return leaps.why_barred(context.terrain.field, context.place, goal, crowd)

    def candidates(self, context: Context) -> Iterator[Action]:
        for goal in leaps.over_gaps(context.terrain, context.place):
            yield Action(context.being.id, self.do, at=goal)

    def odds(self, context: Context, action: Action) -> Odds | None:
        over = leaps.gap(context.terrain.field, context.place, action.at) if action.at is not None else None
        return None if over is None else skill_odds(context, hazards.JUMPING, leaps.DIFFICULTY[len(over)])

    def finish(self, resolution: Resolution, who: CreatureIx, number: int) -> None:
        """One is across if there is room; failing badly one falls in."""
        goal, here, terrain = Cell(number), resolution.figures[who].cell, resolution.terrain
        over = leaps.gap(terrain.field, here, goal) or ()
        if leaps.why_no_ground(terrain, here, goal) or any(resolution.taken(1 << cell, who) for cell in (*over, goal)):
            return
        left = hazards.tried(resolution, who, hazards.JUMPING, leaps.DIFFICULTY[len(over)], "a gap")
        if left >= 0:
            self.arrive(resolution, who, goal)
        elif left < -hazards.MISHAP:
            hazards.falls_short(resolution, who, over)


class Loot(TaskKind):
    """Everything within reach that one can carry: off the floor, out of open chests, from the fallen."""

    do = "loot"
    explores = True
    face = Face("Take all", "Act", "5 s", "none", "pick_up", "shift+p", "all that can be carried")
    seconds, begun = Seconds(5), "gathers up what lies there"
    rank = 2

    def why_not(self, context: Context) -> str | None:
        return super().why_not(context) or PLUNDER.why_no_loot(context.state, context.who, context.place)

    def describe(self, context: Context, action: Action | None = None) -> Description:
        if action is None:
            return self.button()
        return self.button(notes=PLUNDER.notes(context.state, context.who, context.place))

    def finish(self, resolution: Resolution, who: CreatureIx, number: int) -> None:
        PLUNDER.take_all(resolution, who)


def skill_odds(context: Context, skill: str, difficulty: int) -> Odds:
    """The exact chance of a check against something on the map."""
    word, value = skills.difficulty_of(difficulty), hazards.worth(context.state, context.who, skill).value
    chance: Fraction = skills.chance(value, word)
    return chance_odds(chance, "d100", (text("{skill}, {difficulty}", skill, word), RULE))


UNLOCK, LOCK, OPEN_CHEST, TACKLE, CLIMB, LOOT = Unlock(), Lock(), OpenChest(), Tackle(), Climb(), Loot()
LEAP = Leap()
FIXTURES: tuple[OrderKind, ...] = (UNLOCK, LOCK, OPEN_CHEST, TACKLE, CLIMB, LEAP, LOOT)
WORKED = {kind.do: kind for kind in (CLIMB, LEAP, LOOT, *map(Tackled, WAYS.values()))}
"""What comes off when its seconds are over, by the word of its task."""

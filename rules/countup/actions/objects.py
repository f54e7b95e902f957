"""Things and doors: weapons readied, things picked up; doors opened, closed, picked, broken and found (countup.md §2.7,
§2.9; times and the breaking of doors are OURS).

What takes several seconds is a task: it comes off when they are over, and is lost with a wound, a fall, or a foe's
coming into contact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType

from msgspec.structs import replace

from rules.board.fixtures import PORTCULLIS, DoorState, open_doors
from rules.board.fixtures import Door as Doorway
from rules.contract.actions import Action, Description
from rules.contract.events import Check, Contest, Door, Item, Roll
from rules.contract.ruleset import Odds
from rules.contract.text import joined, text
from rules.contract.units import INSTANT, SECOND, Cell, CreatureIx, Seconds, numbered
from rules.core.action_kinds import Face
from rules.core.fixtures import doors as fixtures
from rules.core.fixtures.obstacles import without_rubble
from rules.core.secrets import doors_known, hidden
from rules.countup import hazards, skills
from rules.countup.actions.context import Context, OrderKind, way_left
from rules.countup.combat.attack import speed_of
from rules.countup.combat.injury import interrupt
from rules.countup.conditions import Doing
from rules.countup.penetration import Die, die_chances, roll
from rules.countup.plunder import PLUNDER
from rules.countup.skills import LOCKS, difficulty_of
from rules.countup.state import Being, Figure, Ground, Position, Resolution, Setup, Task
from rules.countup.visibility import zone

RULE = "countup.md §2.9"
SECRET = "a secret door"
"""What a search is after, in the event of its check."""
SEARCHED = 2
"""Spaces around oneself that a search covers (OURS)."""
WORDS = fixtures.Words("target: a portcullis is too heavy to be opened; break it up")
SHUT = fixtures.Words("target: a portcullis has no lock", unknown=text("target: the door is {state}", "unknown"))
PLAIN = 9
"""The difficulty of a door that resists breaking by nothing but its d20p (OURS)."""


def door_state(state: Position, side: str, door: int) -> str:
    """How a door stands as far as a side knows."""
    now = state.doors[door]
    return doors_known(state.doors, state.found, (side,))[door] if now == DoorState.SECRET else now


def known_doors(context: Context) -> Iterator[Doorway]:
    """The doors of which its side knows."""
    for number, door in enumerate(context.terrain.field.doors):
        if door_state(context.state, context.being.side, number) != DoorState.SECRET:
            yield door


def door_named(state: Position, action: Action) -> int | None:
    """The number of the door that an action is about."""
    return next((i for i, door in enumerate(state.setup.field.doors) if door.id == action.target), None)


def beside(context: Context) -> tuple[int, ...]:
    """Numbers of the doors within reach of a hand. Remembered."""
    terrain, key = context.terrain, ("doors beside", context.place, context.being.space)
    found: tuple[int, ...] | None = terrain.memo.get(key)
    if found is None:
        near = terrain.within(context.place, 1, context.being.space)
        found = terrain.memo[key] = tuple(n for n, door in enumerate(terrain.field.doors) if near & door.spaces)
    return found


def weighed(setup: Setup, door: Doorway) -> Doorway:
    """A door as it counts: a portcullis weighs nothing where the map's obstacles don't."""
    return door if setup.fixtures or door.kind != PORTCULLIS else replace(door, kind="door")


def why_not(context: Context, number: int, deed: fixtures.Work, words: fixtures.Words) -> str | None:
    """Why something can't be done to a door as its side knows it, or None."""
    stands = door_state(context.state, context.being.side, number)
    return fixtures.why_not(deed, weighed(context.setup, context.terrain.field.doors[number]), stands, words)


class DoorKind(OrderKind):
    """Something done to a door beside one."""

    at_the_end = True

    def why_not_door(self, context: Context, number: int) -> str | None:
        """Why a door beside one won't do, or None."""
        raise NotImplementedError(self.do)

    def why_not_this(self, context: Context, action: Action) -> str | None:
        number = door_named(context.state, action)
        if number is None:
            return text("target: no door is called {target}", repr(action.target))
        return self.why_not_door(context, number) if number in beside(context) else "target: the door is out of reach"

    def instances(self, context: Context) -> Iterator[Action]:
        if self.why_not(context) is None:
            for number in beside(context):
                if self.why_not_door(context, number) is None:
                    door = context.terrain.field.doors[number]
                    yield Action(context.being.id, self.do, target=door.id, at=door.cell)


class Move(DoorKind):
    """Open or close a door: a second."""

    deed: fixtures.Work
    told: str

    def why_not_door(self, context: Context, number: int) -> str | None:
        return why_not(context, number, self.deed, WORDS) or self.stuck(context, number)

    def stuck(self, context: Context, number: int) -> str | None:
        """What else keeps a door from being moved."""
        return None

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        """Unless somebody was quicker; a second is gone in any case."""
        number = door_named(resolution, action)
        assert number is not None
        now = door_state(resolution, resolution.being(who).side, number)
        if now in self.deed.before:
            set_door(resolution, number, self.deed.after, who)
            resolution.note(who, self.told)
        resolution.change(who, busy=resolution.second + 1, order=None)


class Open(Move):
    """Open a closed door."""

    do = "open"
    explores = True
    face = Face("Open door", "Act", "1 s", "door", "door", "o")
    doing = Doing.PASS
    rank = 2
    deed, told = fixtures.OPENING, "opens the door"

    def stuck(self, context: Context, number: int) -> str | None:
        door = context.terrain.field.doors[number]
        return "target: a spell bars it" if zone(context.state, Ground.BARRED) >> door.cell & 1 else None


class Close(Move):
    """Close an open door."""

    do = "close"
    explores = True
    face = Face("Close door", "Act", "1 s", "door", "door", "c")
    deed, told = fixtures.CLOSING, "closes the door"

    def stuck(self, context: Context, number: int) -> str | None:
        door = context.terrain.field.doors[number]
        own = context.terrain.footprint(context.place, context.being.space)
        taken = door.edge is None and (context.crowd() | own) >> door.cell & 1
        return fixtures.JAMMED if taken else None


class TaskKind(OrderKind):
    """What takes several seconds: a task, that comes off when they are over."""

    at_the_end = True
    seconds: Seconds
    """What it takes (OURS)."""
    begun: str
    """What is told of who sets to work."""

    def why_not(self, context: Context) -> str | None:
        return context.action_open() or ("engaged: there is no time for that" if context.engaged() else None)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        door, ends = door_named(resolution, action), resolution.second + self.seconds
        resolution.change(who, task=Task(self.do, -1 if door is None else door, ends), busy=ends, order=None)
        resolution.note(who, self.begun)

    def finish(self, resolution: Resolution, who: CreatureIx, number: int) -> None:
        """Its seconds are over."""
        raise NotImplementedError(self.do)


class LockKind(TaskKind, DoorKind):
    """Work on a door that is locked."""

    deed: fixtures.Work

    def why_not_door(self, context: Context, number: int) -> str | None:
        return why_not(context, number, self.deed, SHUT)

    def odds(self, context: Context, action: Action) -> Odds | None:
        door = door_named(context.state, action)
        return None if door is None else self.odds_at(context, context.terrain.field.doors[door])

    def odds_at(self, context: Context, door: Doorway) -> Odds:
        """The exact chance to open a door."""
        raise NotImplementedError(self.do)

    def finish(self, resolution: Resolution, who: CreatureIx, number: int) -> None:
        door, stands = resolution.setup.field.doors[number], resolution.doors[number]
        shut = fixtures.why_not(self.deed, weighed(resolution.setup, door), stands, SHUT) is None
        if shut and self.succeeds(resolution, who, door):
            set_door(resolution, number, self.deed.after, who)

    def succeeds(self, resolution: Resolution, who: CreatureIx, door: Doorway) -> bool:
        """Whether somebody's dice open it, thrown and told."""
        raise NotImplementedError(self.do)


class PickLock(LockKind):
    """Pick a lock, by one's skill."""

    do = "pick_lock"
    explores = True
    face = Face("Pick lock", "Act", "10 s", "door", "key", "l", "lock picking")
    seconds, begun = Seconds(10), "works at the lock"
    deed = fixtures.PICKING

    def why_not(self, context: Context) -> str | None:
        trained = bool(context.being.skills.get(LOCKS))
        return super().why_not(context) or (None if trained else "lock picking cannot be tried untrained")

    def odds_at(self, context: Context, door: Doorway) -> Odds:
        word = difficulty_of(door.difficulty)
        tired = skills.TIRED if context.tired else 0
        chance = skills.chance(context.being.skills.get(LOCKS, 0) - tired, word)
        return chance_odds(chance, "d100", (text("{skill}, {difficulty}", LOCKS, word), RULE))

    def succeeds(self, resolution: Resolution, who: CreatureIx, door: Doorway) -> bool:
        being = resolution.being(who)
        resolution.dice.thrower = being.id
        tired = resolution.figures[who].fatigue > resolution.second - self.seconds
        skill = being.skills.get(LOCKS, 0) - (skills.TIRED if tired else 0)
        tried = skills.check(resolution.dice, skill, difficulty_of(door.difficulty))
        success, what = tried.total <= skill, f"{LOCKS}, {door.id}"
        resolution.events.append(Check(by=being.id, what=what, roll=tried, rating=skill, success=success))
        return success


class Force(LockKind):
    """Break a door: d20p and Strength against its d20p."""

    do = "force"
    explores = True
    face = Face("Break door", "Act", "5 s", "door", "force", "f", "d20p against the door")
    seconds, begun = Seconds(5), "sets to breaking the door"
    deed = fixtures.BREAKING

    def odds_at(self, context: Context, door: Doorway) -> Odds:
        return break_odds(context.being, door.difficulty)

    def succeeds(self, resolution: Resolution, who: CreatureIx, door: Doorway) -> bool:
        return breaks(resolution, who, door.id, door.difficulty)


def break_odds(being: Being, difficulty: int, told: str = "opposed by the door's d20p") -> Odds:
    """The exact chance to break something."""
    gap, guards = being.damage - (difficulty - PLAIN), die_chances(20)
    chances = (p * q for value, p in die_chances(20) for guard, q in guards if value + gap > guard)
    return chance_odds(sum(chances, Fraction(0)), "d20p", (told, RULE))


def breaks(resolution: Resolution, who: CreatureIx, name: str, difficulty: int, what: str = "force") -> bool:
    """Whether somebody breaks something: d20p and the damage bonus against its d20p, thrown and told."""
    being, resolution.dice.thrower = resolution.being(who), ""
    held = roll(resolution.dice, "the door holds", (Die(1, 20),), difficulty - PLAIN)
    tried = resolution.roll(who, "breaks the door", (Die(1, 20),), being.damage)
    broken, dice = tried.total > held.total, (held, tried)
    note = "it bursts open" if broken else "it holds"
    contest = Contest(by=being.id, target=name, what=what, rolls=dice, success=broken, note=note)
    resolution.events.append(contest)
    return broken


class Search(TaskKind):
    """Look for secret doors within two spaces: 1 in 6 for each, a thief 1 in 3."""

    do = "search"
    explores = searches = True
    face = Face("Search", "Act", "10 s", "none", "eye", "i", "2 spaces around: secret doors")
    seconds, begun = Seconds(10), "searches"

    def why_not(self, context: Context) -> str | None:
        return super().why_not(context) if context.state.found else "nothing is hidden on this map"

    def odds(self, context: Context, action: Action) -> Odds | None:
        """For each secret door that is there."""
        chance = Fraction(skills.best(context.being), 6)
        return chance_odds(chance, "d6", ("for each secret door within 2 spaces, if there is any", RULE))

    def finish(self, resolution: Resolution, who: CreatureIx, number: int) -> None:
        being = resolution.being(who)
        around = resolution.terrain.within(resolution.figures[who].cell, SEARCHED, being.space)
        field, name, side, best = resolution.setup.field, being.id, being.side, skills.best(being)
        before = len(resolution.events)
        for number, door in enumerate(field.doors):
            if not around & door.spaces or door_state(resolution, side, number) != DoorState.SECRET:
                continue
            thrown = resolution.roll(who, "secret door", skills.D6)
            found = thrown.total <= best
            check = Check(by=name, what=SECRET, roll=thrown, rating=best, success=found, seen_by=(side,))
            resolution.events.append(check)
            if found:
                hazards.learn(resolution, who, number)
        if resolution.setup.fixtures:
            self._hidden(resolution, who, around)
        if len(resolution.events) == before:
            resolution.note(who, "finds nothing hidden")

    @staticmethod
    def _hidden(resolution: Resolution, who: CreatureIx, around: int) -> None:
        """Traps and hidden chests by scrutiny, each against what it takes to be noticed (OURS)."""
        field, side = resolution.setup.field, resolution.being(who).side
        standing = (resolution.doors, resolution.challenges, resolution.found)
        for secret in [n for n in hidden(field, *standing, side, around=around) if n >= len(field.doors)]:
            one = field.challenges[secret - len(field.doors)]
            if hazards.tried(resolution, who, hazards.SCRUTINY, one.notice, "something hidden", seen_by=(side,)) >= 0:
                hazards.learn(resolution, who, secret)


OPEN, CLOSE, PICK_LOCK, FORCE, SEARCH = Open(), Close(), PickLock(), Force(), Search()


TASKS: dict[str, TaskKind] = {task.do: task for task in (SEARCH, PICK_LOCK, FORCE)}
"""What comes off when its seconds are over; table.py adds those of the map's fixtures."""


def tasks(resolution: Resolution) -> None:
    """Break off what foes interrupt; finish what is due in this second."""
    for who, figure in numbered(resolution.figures):
        task = figure.task
        if task is None:
            continue
        if not figure.able(resolution.second) or figure.fresh:
            interrupt(resolution, who)
        elif task.ends <= resolution.second:
            resolution.change(who, task=None)
            TASKS[task.do].finish(resolution, who, task.door)


def set_door(resolution: Resolution, number: int, state: str, who: CreatureIx) -> None:
    """Change a door and the ground with it."""
    resolution.doors = (*resolution.doors[:number], state, *resolution.doors[number + 1 :])
    lay_ground(resolution)
    field = resolution.setup.field
    resolution.events.append(Door(door=field.doors[number].id, state=state, by=resolution.being(who).id))


def lay_ground(resolution: Resolution) -> None:
    """Take doors and cleared rubble into the ground."""
    field = without_rubble(resolution.setup.field, resolution.cleared)
    resolution.terrain = field.terrain(open_doors(resolution.doors))


def chance_odds(chance: Fraction, dice: str, note: tuple[str, str]) -> Odds:
    """The odds of what either comes off or not."""
    hit = float(chance)
    outcomes = (("success", hit), ("failure", float(1 - chance)))
    return Odds(hit, outcomes, ((0, 1.0),), 0.0, 0.0, attack_dice=dice, notes=(note,))


STOWED = Seconds(5)
"""Seconds to ready a weapon that is packed away (countup.md §2.7)."""
DRAWN = Seconds(2)
"""Weapons that take no longer are drawn on the way; for others one stands (OURS)."""
_BY_SIZE: Mapping[str, Seconds] = MappingProxyType({"S": INSTANT, "M": SECOND, "L": Seconds(2)})
"""Seconds to draw a weapon."""


def drawn_in(setup: Setup, who: CreatureIx, figure: Figure, name: str) -> Seconds:
    """Seconds until a weapon is in hand, a shield's strap not counted."""
    weapon = setup.weapon(who, name)
    if name in setup.beings[who].stowed and name not in figure.drawn:
        return STOWED
    if weapon.ranged:
        return INSTANT if weapon.thrown and weapon.knife else SECOND
    return _BY_SIZE.get(weapon.size, SECOND)


class Ready(OrderKind):
    """Take another weapon in hand."""

    do = "ready"
    explores = True
    face = Face("Ready", "Act", "0–5 s", "item", "ready", "y")
    doing = Doing.ARM
    rank = 2
    any_weapon = True
    at_the_end = True

    def why_not(self, context: Context) -> str | None:
        others = [w for w in self.weapons(context) if w != context.figure.hand]
        return context.action_open() or (None if others else "no other weapon")

    def why_not_this(self, context: Context, action: Action) -> str | None:
        weapons = self.weapons(context)
        if action.weapon in weapons and action.weapon != context.figure.hand:
            return None
        return text("weapon: {weapon} is not among {weapons}", repr(action.weapon), joined(", ", weapons))

    def candidates(self, context: Context) -> Iterator[Action]:
        for name in dict.fromkeys(self.weapons(context)):
            yield Action(context.being.id, self.do, weapon=name)

    @staticmethod
    def weapons(context: Context) -> tuple[str, ...]:
        """One's own, and those that were taken along."""
        own, pack = context.being.weapons, context.figure.pack
        return (*own, *(item for item in pack if item in context.setup.armoury.weapons)) if pack else own

    def describe(self, context: Context, action: Action | None = None) -> Description:
        if action is None or action.weapon is None:
            return self.button()
        figure = context.figure
        seconds = text("{n} s", drawn_in(context.setup, context.who, figure, action.weapon))
        two = context.setup.weapon(context.who, action.weapon).hands == 2
        if two and figure.shield is not None:
            seconds = text("{seconds}, and d4p s for the shield", seconds)
        elif not two and figure.slung is not None:
            seconds = text("{seconds}, and d4p+1 s for the shield", seconds)
        return self.button(cost=seconds)

    def follows(self, setup: Setup, who: CreatureIx, figure: Figure, action: Action) -> bool:
        """Not simply drawn on the way: it is packed away, or a shield has to be strapped on or off for it."""
        name = action.weapon or ""
        straps = figure.shield if setup.weapon(who, name).hands == 2 else figure.slung
        return straps is not None or drawn_in(setup, who, figure, name) > DRAWN

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        """Small 0, medium 1, large 2 seconds, a bow 1, what is stowed 5, a shield from the back d4p + 1 more, one that
        both hands must be freed of d4p. In a fight the full speed of the new weapon is waited besides (B32)."""
        figure, name = resolution.figures[who], action.weapon or ""
        if name == figure.hand:
            return
        setup, weapon = resolution.setup, resolution.setup.weapon(who, name)
        takes = drawn_in(setup, who, figure, name)
        if takes == STOWED:
            resolution.change(who, drawn=(*figure.drawn, name))
        # a shield goes on the back for a weapon of two hands, and comes from there for one of one
        two = weapon.hands == 2
        thrown: tuple[Roll, ...] = ()
        if (figure.shield if two else figure.slung) is not None:
            thrown = (resolution.roll(who, "shield", (Die(1, 4),), 0 if two else 1),)
            resolution.change(who, shield=None if two else figure.slung, slung=figure.shield if two else None)
        ready = resolution.second + takes + sum(one.total for one in thrown)
        figure = resolution.figures[who]
        way = way_left(figure)
        busy = figure.busy if way is not None else max(figure.busy, ready)
        # in a melee the new weapon's whole time; away from it a blow's own time runs on, whatever is drawn meanwhile
        melee = any(resolution.figures[other].present for other in figure.contacts)
        anew = ready + speed_of(resolution, who, weapon)
        due = anew if melee else max(figure.due, ready)
        resolution.change(who, hand=name, ready_at=ready, busy=busy, due=due, order=way, nocked=("", 0))
        resolution.note(who, text("takes the {name} in hand", name), thrown)


class PickUp(OrderKind):
    """Something at one's feet or beside one: a second."""

    do = "pick_up"
    explores = True
    face = Face("Pick up", "Act", "1 s", "item", "pick_up", "p")
    at_the_end = True

    def _there(self, context: Context) -> list[tuple[str, Cell]]:
        if context.setup.fixtures:
            return [(find.item, find.cell) for find in PLUNDER.finds(context.state, context.who, context.place)]
        near = context.terrain.within(context.place, 1, context.being.space)
        return [(item, cell) for item, cell in context.state.floor if near >> cell & 1]

    def why_not_this(self, context: Context, action: Action) -> str | None:
        there = any(item == action.item for item, _ in self._there(context))
        if not there:
            return text("item: {item} does not lie within reach", repr(action.item))
        return PLUNDER.why_not(context.state, context.who, action.item or "")

    def candidates(self, context: Context) -> Iterator[Action]:
        for item, cell in self._there(context):
            yield Action(context.being.id, self.do, item=item, at=cell)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        if resolution.setup.fixtures:
            self._plunder(resolution, who, action)
            return
        figure, being, floor = resolution.figures[who], resolution.being(who), resolution.floor
        near, hand = resolution.terrain.within(figure.cell, 1, being.space), figure.hand
        for number, (name, cell) in enumerate(floor):
            if name == action.item and near >> cell & 1:
                resolution.floor, hand = (*floor[:number], *floor[number + 1 :]), hand or name
                resolution.events.append(Item(by=being.id, item=name, how="picked_up"))
                break
        resolution.change(who, hand=hand, busy=resolution.second + 1, order=None)

    @staticmethod
    def _plunder(resolution: Resolution, who: CreatureIx, action: Action) -> None:
        """The fallen's things as well; what does not go into the hand goes into the pack."""
        there = PLUNDER.finds(resolution.done(), who, resolution.figures[who].cell)
        wanted = next((find for find in there if find.item == action.item), None)
        if wanted is not None:
            PLUNDER.take(resolution, who, wanted)
        resolution.change(who, busy=resolution.second + 1, order=None)


READY_WEAPON, PICK_UP = Ready(), PickUp()

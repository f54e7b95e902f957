"""What can be cast and used, at whom and where (cairn.md §2.10, §5.5)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.bitboard import cells_of
from rules.board.grid import Terrain
from rules.board.sight import Grade, visible
from rules.cairn.actions.hidden import door_named
from rules.cairn.actions.plans import Context
from rules.cairn.conditions import CURED, Forbid
from rules.cairn.gear import Gear
from rules.cairn.magic import ground as areas
from rules.cairn.magic.aiming import second_fault, seconds
from rules.cairn.magic.ground import outermost, sight_between, walled
from rules.cairn.magic.powers import Power
from rules.cairn.magic.worn import voiceless
from rules.cairn.visibility import unseen
from rules.contract.actions import Action
from rules.core.action_kinds import ActionKind, Face

HEARD = "sound"
"""Tag of powers that need a voice to work and ears to be harmed."""


def source(context: Context, name: str | None) -> tuple[Power, Gear | None] | None:
    """The power meant by an item's name or a power's own, and the item that holds it."""
    armoury = context.setup.armoury
    carried = (*context.figure.hands, *context.figure.pack)
    item = armoury.gear.get(name or "")
    if item is not None and item.power and item.name in carried:
        return armoury.powers[item.power], item
    if name in context.being.powers:
        return armoury.powers[name or ""], None
    return None


_DONE = {"cast": "cast", "use": "used"}


class Cast(ActionKind[Context]):
    """`cast` a spellbook's spell or one's own power; `use` a scroll, a relic or any item that has one."""

    def __init__(self, do: str, face: Face) -> None:
        self.do, self.face = do, face

    def names(self, context: Context) -> list[str]:
        """What could be cast or used, by name."""
        gear = context.setup.armoury.gear
        carried = dict.fromkeys((*context.figure.hands, *context.figure.pack))
        if self.do == "cast":
            books = [i for i in carried if i in gear and gear[i].kind == "book" and gear[i].power]
            return [*books, *context.being.powers]
        return [i for i in carried if i in gear and gear[i].kind != "book" and gear[i].power]

    def why_not(self, context: Context) -> str | None:
        reason = context.action_open()
        if reason is not None:
            return reason
        if context.figure.cannot(Forbid.HANDS):
            return "smoke holds nothing"
        return None if self.names(context) else "no power at hand"

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if action.item not in self.names(context):
            return f"item: {action.item!r} cannot be {_DONE[self.do]}; there are {', '.join(self.names(context))}"
        found = source(context, action.item)
        assert found is not None
        power, item = found
        if (
            item is not None
            and item.kind == "book"
            and (voiceless(context.setup, context.being, context.figure) or context.figure.one_armed)
        ):
            return "a book needs both hands and a voice"
        if HEARD in power.tags and voiceless(context.setup, context.being, context.figure):
            return f"{power.name} needs a voice"
        left = uses_left(context, power, item)
        if left is not None and left <= 0:
            return f"{action.item}: used up"
        return self._aim(context, power, action)

    def _aim(self, context: Context, power: Power, action: Action) -> str | None:
        if power.needs == "none":
            if context.figure.cannot(Forbid.HARM) and power.harmful:
                return "pacified: it raises no hand"
            return second_fault(context, power, context.who, action) if power.onto else None
        if power.needs in ("creature", "ally"):
            target = context.find(action.target)
            if power.once and context.state.figures[context.who if target is None else target].has(CURED):
                return f"target: {action.target} has had it today"
            if target is None and action.target != context.being.id:
                return f"target: {action.target!r} is not here"
            who = context.who if target is None else target
            if power.needs == "creature" and who == context.who and power.range != "touch":
                return "target: somebody else"
            if context.state.figures[who].dead:
                return f"target: {action.target} is dead"
            reason = self._willing(context, power, who)
            if reason is not None:
                return reason
            place = context.place if who == context.who else context.state.figures[who].cell
            fault = self._near(context, power, place, who)
            return fault or (second_fault(context, power, who, action) if power.onto else None)
        if power.needs == "door":
            number = door_named(context.state, context.being.side, action.target)
            if number is None:
                return f"target: no door is called {action.target!r}"
            return self._near(context, power, context.terrain.field.doors[number].cell, None)
        if action.at is None or not 0 <= action.at < context.terrain.field.width * context.terrain.field.height:
            return "at: needs a space of the map"
        return self._ground(context, power, action.at) or self._near(context, power, action.at, None, "at")

    def _willing(self, context: Context, power: Power, who: int) -> str | None:
        """Charmed or pacified one does no harm; and what can't be made out can't be aimed at."""
        name = context.setup.beings[who].name
        if power.harmful and who != context.who:
            if context.figure.cannot(Forbid.HARM):
                return "pacified: it raises no hand"
            if context.befriended(who):
                return f"target: charmed, it won't harm {name}"
        hidden = unseen(context.state, context.who, who, context.place)
        return f"target: {name} {hidden}" if hidden else None

    def _ground(self, context: Context, power: Power, cell: int) -> str | None:
        """What the space itself must be: a wall for a gap, free for what is called."""
        kinds = {effect.kind for effect in power.effects}
        ground = context.terrain
        solid = bool(ground.blocked >> cell & 1 and not ground.pits >> cell & 1)
        if "passage" in kinds:
            if outermost(ground.field, cell):
                return f"at: the map ends behind {context.name(cell)}"
            wall = walled(context.setup, context.state.zones, cell)
            return None if wall else f"at: {context.name(cell)} is no wall"
        if solid:
            return f"at: {context.name(cell)} is solid"
        if kinds & {"summon", "bar"}:
            foes, allies = context.crowd()
            taken = foes | allies | ground.footprint(context.place, context.being.space)
            if not ground.fits(cell) or taken >> cell & 1:
                return f"at: {context.name(cell)} is taken"
        return None

    def _near(self, context: Context, power: Power, cell: int, who: int | None, aim: str = "target") -> str | None:
        return _too_far(context, context.place, power, cell, who, aim)

    def instances(self, context: Context) -> Iterator[Action]:
        if self.why_not(context) is not None:
            return
        for name in self.names(context):
            found = source(context, name)
            if found is not None:
                for action in self.candidates_of(context, found[0], name):
                    if found[0].onto or self.why_not_this(context, action) is None:
                        yield action

    def candidates_of(self, context: Context, power: Power, name: str) -> Iterator[Action]:
        """Everything that a power could be aimed at, legal or not."""
        me = context.being.id
        if power.onto:
            yield from self._twofold(context, power, name)
        elif power.needs == "none":
            yield Action(me, self.do, item=name)
        elif power.needs == "door":
            for door in context.terrain.field.doors:
                yield Action(me, self.do, item=name, target=door.id)
        elif power.needs == "space":
            near = context.terrain.within(context.place, power.reach, context.being.space)
            near &= visible(context.terrain, context.place, context.being.space) | 1 << context.place
            for cell in cells_of(near):
                yield Action(me, self.do, item=name, at=cell)
        else:
            own = [context.who] if power.needs == "ally" or power.range == "touch" else []
            for who in (*own, *context.others()):
                same = context.setup.beings[who].side == context.being.side
                if same or power.needs != "ally":
                    yield Action(me, self.do, item=name, target=context.setup.beings[who].id)

    def _twofold(self, context: Context, power: Power, name: str) -> Iterator[Action]:
        """What needs a second thing to aim at: for each creature, if it can be aimed at, each space that will do."""
        targets: list[int | None] = [None] if power.needs == "none" else [*context.others()]
        if power.needs == "ally" or power.range == "touch":
            targets = [context.who, *targets]
        for who in targets:
            target = None if who is None else context.setup.beings[who].id
            cells = seconds(context, power, context.who if who is None else who)
            if not cells:
                continue
            first = Action(context.being.id, self.do, item=name, target=target, at=(cells & -cells).bit_length() - 1)
            if self.why_not_this(context, first) is None:
                for cell in cells_of(cells):
                    yield Action(context.being.id, self.do, item=name, target=target, at=cell)


def _too_far(context: Context, place: int, power: Power, cell: int, who: int | None, aim: str) -> str | None:
    """Why a power does not reach from one space to another, on which `who` stands."""
    size = context.setup.beings[who].space if who is not None else 1
    distance = context.terrain.distance(place, cell, context.being.space, size)
    if distance > power.reach:
        return f"{aim}: {distance} spaces away; {power.name} reaches {power.reach}"
    if (
        power.range != "earshot"
        and distance
        and sight_between(context.state, place, cell, context.being.space, size, context.who) is Grade.NONE
    ):
        return f"{aim}: no line of sight"
    return None


def missed(context: Context, power: Power, action: Action) -> str | None:
    """Why a power does not reach what it was aimed at when its time has come: one may not have got there, and friends
    move too. Who has fallen meanwhile is in nobody's reach, but the power is wasted on them (A2)."""
    place = context.figure.cell
    if power.needs in ("creature", "ally"):
        target = context.find(action.target)
        if target is None:
            return None
        cell = context.state.figures[target].cell
        return unseen(context.state, context.who, target, place) or _too_far(
            context, place, power, cell, target, "target"
        )
    if power.needs == "door":
        number = door_named(context.state, context.being.side, action.target)
        doors = context.terrain.field.doors
        return None if number is None else _too_far(context, place, power, doors[number].cell, None, "target")
    if power.needs == "space" and action.at is not None:
        return _too_far(context, place, power, action.at, None, "at")
    return None


def uses_left(context: Context, power: Power, item: Gear | None) -> int | None:
    """How often a power can still be used in this fight; None = without limit."""
    used = dict(context.figure.used)
    if item is not None and item.kind == "scroll":
        return (context.figure.hands + context.figure.pack).count(item.name)
    if item is not None and item.charges:
        copies = (context.figure.hands + context.figure.pack).count(item.name)
        return item.charges * copies - used.get(item.name, 0)
    if power.uses:
        return power.uses - used.get(power.name, 0)
    return None


def area_cells(terrain: Terrain, power: Power, start: int, space: int, goal: int) -> int:
    """The spaces that a power takes in when it is aimed at `goal`."""
    if power.area == "one":
        return 1 << goal
    if power.area == "radius":
        return areas.burst(terrain, goal, power.size)
    if power.area == "square":
        return areas.square(terrain, goal, power.size)
    if power.area == "wide":
        return areas.wide(terrain, goal, power.size)
    if power.area == "cone":
        return areas.cone(terrain, start, space, goal, power.size)
    if power.area == "line":
        return areas.line(terrain, start, goal, power.size)
    if power.area == "adjacent":
        return terrain.within(start, 1, space) & ~terrain.footprint(start, space)
    reach, own = power.size or power.reach, terrain.footprint(start, space)
    cells = terrain.within(start, reach, space)
    if power.range == "earshot":  # walls double the distance (cairn.md §3)
        cells = (cells & visible(terrain, start, space)) | terrain.within(start, reach // 2, space)
    return cells | own if power.self_too else cells & ~own

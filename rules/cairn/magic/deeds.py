"""What can be cast and used, at whom and where (cairn.md §2.10, §5.5)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.bitboard import cells_of
from rules.board.grid import Terrain
from rules.board.sight import Grade, visible
from rules.cairn.actions.hidden import door_named
from rules.cairn.actions.plans import Look
from rules.cairn.gear import Gear
from rules.cairn.magic import ground as areas
from rules.cairn.magic.aiming import second_fault, seconds
from rules.cairn.magic.ground import outermost, sight_between, walled
from rules.cairn.magic.powers import Power
from rules.cairn.magic.worn import voiceless
from rules.cairn.visibility import unseen
from rules.contract.actions import Action
from rules.core.action_kinds import Face, Kind

HEARD = "sound"
"""Tag of powers that need a voice to work and ears to be harmed."""


def source(look: Look, name: str | None) -> tuple[Power, Gear | None] | None:
    """The power meant by an item's name or a power's own, and the item that holds it."""
    armoury = look.setup.armoury
    carried = (*look.figure.hands, *look.figure.pack)
    item = armoury.gear.get(name or "")
    if item is not None and item.power and item.name in carried:
        return armoury.powers[item.power], item
    if name in look.being.powers:
        return armoury.powers[name or ""], None
    return None


_DONE = {"cast": "cast", "use": "used"}


class Cast(Kind[Look]):
    """`cast` a spellbook's spell or one's own power; `use` a scroll, a relic or any item that has one."""

    def __init__(self, do: str, face: Face) -> None:
        self.do, self.face = do, face

    def names(self, look: Look) -> list[str]:
        """What could be cast or used, by name."""
        gear = look.setup.armoury.gear
        carried = dict.fromkeys((*look.figure.hands, *look.figure.pack))
        if self.do == "cast":
            books = [i for i in carried if i in gear and gear[i].kind == "book" and gear[i].power]
            return [*books, *look.being.powers]
        return [i for i in carried if i in gear and gear[i].kind != "book" and gear[i].power]

    def hindrance(self, look: Look) -> str | None:
        reason = look.action_open()
        if reason is not None:
            return reason
        if look.figure.has("smoke"):
            return "smoke holds nothing"
        return None if self.names(look) else "no power at hand"

    def flaw(self, look: Look, action: Action) -> str | None:
        if action.item not in self.names(look):
            return (
                f"item: {action.item!r} cannot be {_DONE[self.do]}; there are {', '.join(self.names(look))}"
            )
        found = source(look, action.item)
        assert found is not None
        power, item = found
        if (
            item is not None
            and item.kind == "book"
            and (voiceless(look.setup, look.being, look.figure) or look.figure.one_armed)
        ):
            return "a book needs both hands and a voice"
        if HEARD in power.tags and voiceless(look.setup, look.being, look.figure):
            return f"{power.name} needs a voice"
        left = uses_left(look, power, item)
        if left is not None and left <= 0:
            return f"{action.item}: used up"
        return self._aim(look, power, action)

    def _aim(self, look: Look, power: Power, action: Action) -> str | None:
        if power.needs == "none":
            if look.figure.has("pacified") and power.harmful:
                return "pacified: it raises no hand"
            return second_fault(look, power, look.who, action) if power.onto else None
        if power.needs in ("creature", "ally"):
            target = look.find(action.target)
            if power.once and look.state.figures[look.who if target is None else target].has("cured"):
                return f"target: {action.target} has had it today"
            if target is None and action.target != look.being.id:
                return f"target: {action.target!r} is not here"
            who = look.who if target is None else target
            if power.needs == "creature" and who == look.who and power.range != "touch":
                return "target: somebody else"
            if look.state.figures[who].dead:
                return f"target: {action.target} is dead"
            reason = self._willing(look, power, who)
            if reason is not None:
                return reason
            place = look.place if who == look.who else look.state.figures[who].cell
            fault = self._near(look, power, place, who)
            return fault or (second_fault(look, power, who, action) if power.onto else None)
        if power.needs == "door":
            number = door_named(look.state, look.being.side, action.target)
            if number is None:
                return f"target: no door is called {action.target!r}"
            return self._near(look, power, look.terrain.field.doors[number].cell, None)
        if action.at is None or not 0 <= action.at < look.terrain.field.width * look.terrain.field.height:
            return "at: needs a space of the map"
        return self._ground(look, power, action.at) or self._near(look, power, action.at, None, "at")

    def _willing(self, look: Look, power: Power, who: int) -> str | None:
        """Charmed or pacified one does no harm; and what can't be made out can't be aimed at."""
        name = look.setup.beings[who].name
        if power.harmful and who != look.who:
            if look.figure.has("pacified"):
                return "pacified: it raises no hand"
            if look.befriended(who):
                return f"target: charmed, it won't harm {name}"
        hidden = unseen(look.state, look.who, who, look.place)
        return f"target: {name} {hidden}" if hidden else None

    def _ground(self, look: Look, power: Power, cell: int) -> str | None:
        """What the space itself must be: a wall for a gap, free for what is called."""
        kinds = {effect.kind for effect in power.effects}
        ground = look.terrain
        solid = bool(ground.blocked >> cell & 1 and not ground.pits >> cell & 1)
        if "passage" in kinds:
            if outermost(ground.field, cell):
                return f"at: the map ends behind {look.name(cell)}"
            wall = walled(look.setup, look.state.zones, cell)
            return None if wall else f"at: {look.name(cell)} is no wall"
        if solid:
            return f"at: {look.name(cell)} is solid"
        if kinds & {"summon", "bar"}:
            foes, allies = look.crowd()
            taken = foes | allies | ground.footprint(look.place, look.being.space)
            if not ground.fits(cell) or taken >> cell & 1:
                return f"at: {look.name(cell)} is taken"
        return None

    def _near(self, look: Look, power: Power, cell: int, who: int | None, aim: str = "target") -> str | None:
        return _too_far(look, look.place, power, cell, who, aim)

    def instances(self, look: Look) -> Iterator[Action]:
        if self.hindrance(look) is not None:
            return
        for name in self.names(look):
            found = source(look, name)
            if found is not None:
                for action in self.aims(look, found[0], name):
                    if found[0].onto or self.flaw(look, action) is None:
                        yield action

    def aims(self, look: Look, power: Power, name: str) -> Iterator[Action]:
        """Everything that a power could be aimed at, legal or not."""
        me = look.being.id
        if power.onto:
            yield from self._twofold(look, power, name)
        elif power.needs == "none":
            yield Action(me, self.do, item=name)
        elif power.needs == "door":
            for door in look.terrain.field.doors:
                yield Action(me, self.do, item=name, target=door.id)
        elif power.needs == "space":
            near = look.terrain.within(look.place, power.reach, look.being.space)
            near &= visible(look.terrain, look.place, look.being.space) | 1 << look.place
            for cell in cells_of(near):
                yield Action(me, self.do, item=name, at=cell)
        else:
            own = [look.who] if power.needs == "ally" or power.range == "touch" else []
            for who in (*own, *look.others()):
                same = look.setup.beings[who].side == look.being.side
                if same or power.needs != "ally":
                    yield Action(me, self.do, item=name, target=look.setup.beings[who].id)

    def _twofold(self, look: Look, power: Power, name: str) -> Iterator[Action]:
        """What needs a second thing to aim at: for each creature, if it can be aimed at, each space that will do."""
        targets: list[int | None] = [None] if power.needs == "none" else [*look.others()]
        if power.needs == "ally" or power.range == "touch":
            targets = [look.who, *targets]
        for who in targets:
            target = None if who is None else look.setup.beings[who].id
            cells = seconds(look, power, look.who if who is None else who)
            if not cells:
                continue
            first = Action(
                look.being.id, self.do, item=name, target=target, at=(cells & -cells).bit_length() - 1
            )
            if self.flaw(look, first) is None:
                for cell in cells_of(cells):
                    yield Action(look.being.id, self.do, item=name, target=target, at=cell)


def _too_far(look: Look, place: int, power: Power, cell: int, who: int | None, aim: str) -> str | None:
    """Why a power does not reach from one space to another, on which `who` stands."""
    size = look.setup.beings[who].space if who is not None else 1
    distance = look.terrain.distance(place, cell, look.being.space, size)
    if distance > power.reach:
        return f"{aim}: {distance} spaces away; {power.name} reaches {power.reach}"
    if (
        power.range != "earshot"
        and distance
        and sight_between(look.state, place, cell, look.being.space, size, look.who) is Grade.NONE
    ):
        return f"{aim}: no line of sight"
    return None


def missed(look: Look, power: Power, action: Action) -> str | None:
    """Why a power does not reach what it was aimed at when its time has come: one may not have got there, and friends
    move too. Who has fallen meanwhile is in nobody's reach, but the power is wasted on them (A2)."""
    place = look.figure.cell
    if power.needs in ("creature", "ally"):
        target = look.find(action.target)
        if target is None:
            return None
        cell = look.state.figures[target].cell
        return unseen(look.state, look.who, target, place) or _too_far(
            look, place, power, cell, target, "target"
        )
    if power.needs == "door":
        number = door_named(look.state, look.being.side, action.target)
        doors = look.terrain.field.doors
        return None if number is None else _too_far(look, place, power, doors[number].cell, None, "target")
    if power.needs == "space" and action.at is not None:
        return _too_far(look, place, power, action.at, None, "at")
    return None


def uses_left(look: Look, power: Power, item: Gear | None) -> int | None:
    """How often a power can still be used in this fight; None = without limit."""
    used = dict(look.figure.used)
    if item is not None and item.kind == "scroll":
        return (look.figure.hands + look.figure.pack).count(item.name)
    if item is not None and item.charges:
        copies = (look.figure.hands + look.figure.pack).count(item.name)
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

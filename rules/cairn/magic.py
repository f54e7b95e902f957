"""Spells, scrolls, relics and monsters' powers at work (cairn.md §2.10, §5.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from rules.actions import Action
from rules.cairn import areas
from rules.cairn.gear import SLOTS, Gear
from rules.cairn.injury import die, wound
from rules.cairn.plans import Face, Look
from rules.cairn.powers import Effect, Power
from rules.cairn.saves import afflict, save, save_roll
from rules.cairn.state import Lasting, Work, Zone, filled, helpless, present
from rules.dice import roll
from rules.events import Condition, Door, Healing, Moved, Note, Roll
from rules.grid import Terrain, cells_of
from rules.sight import Grade, grade

BOOK_LOST = 6
"""Faces of the die of STR that a natural 20 costs beside the book (cairn.md §2.10)."""


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


class Cast:
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

    def refusal(self, look: Look, action: Action) -> str | None:
        reason = self.hindrance(look)
        if reason is not None:
            return reason
        if action.item not in self.names(look):
            return f"item: {action.item!r} cannot be {self.do}; there are {', '.join(self.names(look))}"
        found = source(look, action.item)
        assert found is not None
        power, item = found
        if (
            item is not None
            and item.kind == "book"
            and (look.figure.has("silenced") or look.figure.one_armed)
        ):
            return "a book needs both hands and a voice"
        left = uses_left(look, power, item)
        if left is not None and left <= 0:
            return f"{action.item}: used up"
        return self._aim(look, power, action)

    def _aim(self, look: Look, power: Power, action: Action) -> str | None:
        if power.needs == "none":
            return None
        if power.needs in ("creature", "ally"):
            target = look.find(action.target)
            if target is None and action.target != look.being.id:
                return f"target: {action.target!r} is not here"
            who = look.who if target is None else target
            if power.needs == "creature" and who == look.who and power.range != "touch":
                return "target: somebody else"
            if look.state.figures[who].dead:
                return f"target: {action.target} is dead"
            return self._near(
                look, power, look.place if who == look.who else look.state.figures[who].cell, who
            )
        if power.needs == "door":
            doors = {door.id: door.cell for door in look.terrain.field.doors}
            if action.target not in doors:
                return f"target: no door is called {action.target!r}"
            return self._near(look, power, doors[action.target or ""], None)
        if action.at is None or not 0 <= action.at < look.terrain.field.width * look.terrain.field.height:
            return "at: needs a space of the map"
        return self._near(look, power, action.at, None)

    def _near(self, look: Look, power: Power, cell: int, who: int | None) -> str | None:
        size = look.setup.beings[who].space if who is not None else 1
        distance = look.terrain.distance(look.place, cell, look.being.space, size)
        if distance > power.reach:
            return f"target: {distance} spaces away; {power.name} reaches {power.reach}"
        if (
            power.range != "earshot"
            and distance
            and not _seen(look.terrain, look.place, cell, look.being.space, size)
        ):
            return "target: no line of sight"
        return None

    def instances(self, look: Look) -> Iterator[Action]:
        if self.hindrance(look) is not None:
            return
        for name in self.names(look):
            found = source(look, name)
            if found is not None:
                for action in self._aims(look, found[0], name):
                    if self.refusal(look, action) is None:
                        yield action

    def _aims(self, look: Look, power: Power, name: str) -> Iterator[Action]:
        me = look.being.id
        if power.needs == "none":
            yield Action(me, self.do, item=name)
        elif power.needs == "door":
            for door in look.terrain.field.doors:
                yield Action(me, self.do, item=name, target=door.id)
        elif power.needs == "space":
            for cell in cells_of(look.terrain.within(look.place, power.reach, look.being.space)):
                yield Action(me, self.do, item=name, at=cell)
        else:
            own = [look.who] if power.needs == "ally" or power.range == "touch" else []
            for who in (*own, *look.others()):
                same = look.setup.beings[who].side == look.being.side
                if same or power.needs != "ally":
                    yield Action(me, self.do, item=name, target=look.setup.beings[who].id)


def _seen(terrain: Terrain, start: int, cell: int, size: int, other: int) -> bool:
    return grade(terrain, start, cell, size, other) is not Grade.NONE


def uses_left(look: Look, power: Power, item: Gear | None) -> int | None:
    """How often a power can still be used in this fight; None = without limit."""
    used = dict(look.figure.used)
    if item is not None and item.kind == "scroll":
        return (look.figure.hands + look.figure.pack).count(item.name)
    if item is not None and item.charges:
        return item.charges - used.get(item.name, 0)
    if power.uses:
        return power.uses - used.get(power.name, 0)
    return None


def area_cells(terrain: Terrain, power: Power, start: int, space: int, goal: int) -> int:
    """The spaces that a power takes in when it is aimed at `goal`."""
    if power.area == "one":
        return 1 << goal
    if power.area == "radius":
        return areas.burst(terrain, goal, power.size)
    if power.area == "cone":
        return areas.cone(terrain, start, space, goal, power.size)
    if power.area == "line":
        return areas.line(terrain, start, goal, power.size)
    if power.area == "adjacent":
        return terrain.within(start, 1, space) & ~terrain.footprint(start, space)
    return terrain.within(start, power.reach, space) & ~terrain.footprint(start, space)


def cast(work: Work, who: int, action: Action) -> None:
    """A power is used: Fatigue and the danger of a book first, then its effects (cairn.md §2.10)."""
    look = Look(work.done(), who)
    found = source(look, action.item)
    if found is None or (uses_left(look, *found) or 1) <= 0:
        work.events.append(Note(text=f"{action.item}: nothing happens", by=look.being.id))
        return
    power, item = found
    work.events.append(
        Note(text=f"{'casts' if action.do == 'cast' else 'uses'} {power.name}", by=look.being.id)
    )
    if item is not None and item.kind == "book":
        work.change(who, lasting=(*work.figures[who].lasting, Lasting("casting", 1)))
        add_fatigue(work, who)
        if work.setup.cast_saves and not _safe(work, who, item):
            return
    _count(work, who, power, item)
    _affect(work, who, power, action)


def _safe(work: Work, who: int, book: Gear) -> bool:
    """Casting in danger: a WIL save, else it fizzles and tires the more; a natural 20 costs book and blood."""
    passed, face = save_roll(work, who, "wil", "cast in danger")
    if passed:
        return True
    add_fatigue(work, who)
    if face == 20:
        from rules.cairn.resolve import drop_item

        drop_item(work, who, book.name, "broken")
        work.dice.thrower = work.being(who).id
        lost = roll(work.dice, "the spell turns", 1, BOOK_LOST, exploding=False)
        left = max(0, work.figures[who].str_now - lost.total)
        work.change(who, str_now=left)
        work.events.append(Condition(target=work.being(who).id, condition=f"−{lost.total} STR", gained=True))
        if left == 0:
            die(work, who, "the spell turned")
    return False


def add_fatigue(work: Work, who: int) -> None:
    """One slot more; with none free the last item carried is dropped (cairn.md A20)."""
    from rules.cairn.resolve import drop_item

    figure = work.figures[who]
    if filled(work.setup, figure) >= SLOTS:
        heavy = [item for item in figure.pack if work.setup.armoury.slots(item)] or [
            item for item in figure.hands if work.setup.armoury.slots(item)
        ]
        if heavy:
            drop_item(work, who, heavy[-1], "dropped")
    work.change(who, fatigue=work.figures[who].fatigue + 1)
    work.events.append(Condition(target=work.being(who).id, condition="fatigue", gained=True))


def _count(work: Work, who: int, power: Power, item: Gear | None) -> None:
    from rules.cairn.resolve import drop_item, spend

    if item is not None and item.kind == "scroll":
        drop_item(work, who, item.name, "spent")
    elif item is not None and item.charges:
        spend(work, who, item.name, item.charges)
    elif power.uses:
        used = dict(work.figures[who].used)
        used[power.name] = used.get(power.name, 0) + 1
        work.change(who, used=tuple(sorted(used.items())))


def _affect(work: Work, who: int, power: Power, action: Action) -> None:
    figure, being = work.figures[who], work.being(who)
    target = work.setup.index.get(action.target or "")
    door = next((d for d in work.setup.field.doors if d.id == action.target), None)
    goal = action.at if action.at is not None else door.cell if door else figure.cell
    if target is not None and work.figures[target].cell >= 0:
        goal = work.figures[target].cell
    cells = area_cells(work.terrain, power, figure.cell, being.space, goal)
    ground = [e for e in power.effects if e.kind in _GROUND]
    for effect in ground:
        _GROUND[effect.kind](work, who, effect, cells, goal)
    bodily = [e for e in power.effects if e.kind not in _GROUND]
    if not bodily:
        return
    for victim in _taken_in(work, who, power, target, cells):
        _upon(work, who, victim, power, bodily, goal)


def _taken_in(work: Work, who: int, power: Power, target: int | None, cells: int) -> list[int]:
    if power.area == "one" and power.needs == "none":
        return [who]
    if power.area == "one" and target is not None:
        return [target] if present(work.figures[target]) else []
    out = []
    for i, figure in enumerate(work.figures):
        if i == who or not present(figure):
            continue
        if power.foes_only and work.being(i).side == work.being(who).side:
            continue
        if work.terrain.footprint(figure.cell, work.being(i).space) & cells:
            out.append(i)
    return out


def _upon(work: Work, who: int, victim: int, power: Power, effects: list[Effect], goal: int) -> None:
    being = work.being(victim)
    if being.immune & power.tags or power.name in being.immune:
        work.events.append(Note(text=f"{power.name} does not touch {being.name}", by=work.being(who).id))
        return
    unwilling = being.side != work.being(who).side or power.needs == "creature"
    if power.save and unwilling and not helpless(work.figures[victim]):
        if save(work, victim, power.save, f"against {power.name}"):
            return
    for effect in effects:
        if present(work.figures[victim]):
            _BODY[effect.kind](work, who, victim, effect, power, goal)


def _throw(work: Work, who: int, power: Power, effect: Effect) -> tuple[int, tuple[Roll, ...]]:
    work.dice.thrower = work.being(who).id
    rolls = tuple(roll(work.dice, power.name, 1, die, exploding=False) for die in effect.dice)
    return max((r.total for r in rolls), default=0), rolls


def _damage(work: Work, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    amount, rolls = _throw(work, who, power, effect)
    if effect.to == "hp":
        from rules.cairn.injury import armor_of

        armor = armor_of(work.setup, work.being(victim), work.figures[victim])
        wound(work, victim, max(0, amount - armor), power.name, by=who, rolls=rolls)
    elif effect.to == "str":
        wound(work, victim, amount, power.name, by=who, direct=True, rolls=rolls)
    else:
        left = max(0, getattr(work.figures[victim], f"{effect.to}_now") - amount)
        work.change(victim, **{f"{effect.to}_now": left})
        name = f"−{amount} {effect.to.upper()}"
        work.events.append(
            Condition(target=work.being(victim).id, condition=name, gained=True, because=power.name)
        )


def _heal(work: Work, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    amount, _ = _throw(work, who, power, effect)
    figure = work.figures[victim]
    field = "hp" if effect.to == "hp" else f"{effect.to}_now"
    now, top = getattr(figure, field), getattr(figure, f"{effect.to}_max")
    gained = min(amount, top - now)
    if gained > 0:
        work.change(victim, **{field: now + gained})
        work.events.append(
            Healing(
                target=work.being(victim).id,
                amount=gained,
                now=now + gained,
                what=effect.to,
                because=power.name,
            )
        )
    if figure.critical and effect.to == "str":
        from rules.cairn.injury import stabilise

        stabilise(work, victim, power.name)


def _condition(work: Work, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    attribute = power.save if effect.ends_on_save else ""
    afflict(work, victim, effect.name, effect.rounds, power.name, save=attribute, by=work.being(who).id)


def _push(work: Work, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    from rules.cairn.resolve import push

    push(work, victim, who, effect.spaces, towards=effect.kind == "pull")


def _swap(work: Work, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    mine, theirs = work.figures[who].cell, work.figures[victim].cell
    if work.being(who).space != work.being(victim).space:
        return
    for moved, start, there in ((who, mine, theirs), (victim, theirs, mine)):
        work.change(moved, cell=there)
        work.events.append(
            Moved(by=work.being(moved).id, mode="swapped", start=work.space(start), path=(work.space(there),))
        )


def _teleport(work: Work, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    """To the free space within reach that lies farthest from every foe: away from danger, or out of the way."""
    terrain, figure, being = work.terrain, work.figures[victim], work.being(victim)
    taken = 0
    foes = []
    for i, other in enumerate(work.figures):
        if i != victim and present(other):
            taken |= terrain.footprint(other.cell, work.being(i).space)
            if work.being(i).side != being.side:
                foes.append(other.cell)
    free = (
        terrain.within(figure.cell, effect.spaces or 10)
        & terrain.steps(being.space).fit
        & ~terrain.touching(taken, being.space)
    )
    cells = cells_of(free)
    if not cells:
        return
    best = max(cells, key=lambda cell: (min((terrain.distance(cell, f) for f in foes), default=0), -cell))
    work.change(victim, cell=best)
    work.events.append(
        Moved(by=being.id, mode="teleported", start=work.space(figure.cell), path=(work.space(best),))
    )


def _flee(work: Work, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    afflict(work, victim, "frightened", effect.rounds or 2, power.name, by=work.being(who).id)


def _zone(work: Work, who: int, effect: Effect, cells: int, goal: int) -> None:
    """Ground changed for a while."""
    work.zones = (*work.zones, Zone(effect.kind, cells, effect.rounds, work.being(who).id))
    work.events.append(Note(text=f"{effect.kind} on {cells.bit_count()} spaces", by=work.being(who).id))


def _knock(work: Work, who: int, effect: Effect, cells: int, goal: int) -> None:
    doors = work.setup.field.doors
    for number, door in enumerate(doors):
        if cells >> door.cell & 1 and work.doors[number] not in ("open", "secret"):
            work.doors = (*work.doors[:number], "open", *work.doors[number + 1 :])
            open_now = sum(1 << i for i, state in enumerate(work.doors) if state == "open")
            work.terrain = work.setup.field.terrain(open_now)
            work.events.append(Door(door=door.id, state="open", by=work.being(who).id))


_BODY: dict[str, Callable[[Work, int, int, Effect, Power, int], None]] = {
    "damage": _damage,
    "heal": _heal,
    "condition": _condition,
    "push": _push,
    "pull": _push,
    "swap": _swap,
    "teleport": _teleport,
    "flee": _flee,
}
_LAID = ("wall", "fog", "thicket", "pit", "slick", "light", "dark", "passage", "ward", "snuff", "summon")
_GROUND: dict[str, Callable[[Work, int, Effect, int, int], None]] = {
    **dict.fromkeys(
        ("wall", "fog", "thicket", "pit", "slick", "light", "dark", "passage", "ward", "snuff", "summon"),
        _zone,
    ),
    "knock": _knock,
}


def crossed(work: Work, who: int, cell: int) -> bool:
    """What a space does to who enters it; True if the movement ends there."""
    cells = work.terrain.footprint(cell, work.being(who).space)
    for zone in work.zones:
        if not zone.cells & cells:
            continue
        if zone.kind == "slick" and not save(work, who, "dex", "keep one's feet"):
            afflict(work, who, "prone", because="slipped")
            return True
    return False


def tick(work: Work) -> None:
    """What happens every round to those who are engulfed, poisoned or bleeding."""
    for who, figure in enumerate(work.figures):
        for each in figure.lasting:
            if each.name.startswith("drains ") and present(work.figures[who]):
                die_faces = int(each.name.rpartition("d")[2])
                thrown = roll(work.dice, each.name, 1, die_faces, exploding=False)
                wound(work, who, thrown.total, each.name, direct=True, rolls=(thrown,))


def age_zones(work: Work) -> None:
    """Ground changes run down."""
    kept = []
    for zone in work.zones:
        if zone.rounds == 1:
            continue
        kept.append(zone if zone.rounds == 0 else msgspec.structs.replace(zone, rounds=zone.rounds - 1))
    work.zones = tuple(kept)

"""What powers do, to creatures and to the ground (cairn.md §5.5, §5.6)."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from rules.cairn.actions.hidden import door_state
from rules.cairn.actions.manoeuvres import gap
from rules.cairn.actions.movement import caught, heading, push
from rules.cairn.belongings import bars, drop_item, take_up
from rules.cairn.combat.injury import armor_of, natured, off_guard, stabilise, wound
from rules.cairn.magic.aiming import free_near, room_near, standing_at
from rules.cairn.magic.deeds import area_cells
from rules.cairn.magic.ground import cells_of_kind, end_zone, lay, lay_ground, outermost, walled
from rules.cairn.magic.powers import Effect, Power
from rules.cairn.magic.summons import call
from rules.cairn.magic.worn import light_of
from rules.cairn.saves import afflict, relieve, save
from rules.cairn.state import TETHER, Being, CairnState, Figure, Lying, Work, Zone, helpless, present
from rules.contract.actions import Action
from rules.contract.events import Condition, Door, Healing, Moved, Note, Roll
from rules.core.dice import roll

THROWN_BACK = 3
"""Faces of a d6 up to which a shell throws magic back (cairn.md §5.6, Warrior Snail)."""


def aim(work: Work, who: int, action: Action) -> int:
    """The space that is aimed at: a creature's, a door's, the one named, or one's own."""
    target = work.setup.index.get(action.target or "")
    if target is not None and work.figures[target].cell >= 0:
        return work.figures[target].cell
    if action.at is not None:
        return action.at
    door = next((d for d in work.setup.field.doors if d.id == action.target), None)
    return door.cell if door is not None else work.figures[who].cell


def affect(work: Work, who: int, power: Power, action: Action) -> None:
    """All that a power does: first to the ground, then to each creature that it takes in, in the record's order."""
    figure, being = work.figures[who], work.being(who)
    target = work.setup.index.get(action.target or "")
    goal = aim(work, who, action)
    if power.onto and action.at is not None:
        goal = action.at
    cells = area_cells(work.terrain, power, figure.cell, being.space, goal)
    victims = _taken_in(work, who, power, target, cells)
    half = dampened(work, power, who)
    for effect in power.effects:
        if effect.kind not in _BODY:
            _GROUND.get(effect.kind, _lay)(work, who, effect.dampened() if half else effect, cells, goal)
    bodily = [e for e in power.effects if e.kind in _BODY]
    if bodily:
        for victim in victims:
            _upon(work, who, victim, power, bodily, goal)


def _taken_in(work: Work, who: int, power: Power, target: int | None, cells: int) -> list[int]:
    if power.area == "one" and power.needs == "none":
        return [who]
    if power.area == "one" and target is not None:
        return [target] if present(work.figures[target]) else []
    out = []
    for i, figure in enumerate(work.figures):
        if not present(figure) or (i == who and not power.self_too):
            continue
        if i == who:
            out.append(i)
            continue
        if power.foes_only and work.being(i).side == work.being(who).side:
            continue
        if work.terrain.footprint(figure.cell, work.being(i).space) & cells:
            out.append(i)
    return out


def _upon(work: Work, who: int, victim: int, power: Power, effects: list[Effect], goal: int) -> None:
    being, caster = work.being(victim), work.being(who)
    if not present(work.figures[victim]):
        return
    if untouched(being, work.figures[victim], power):
        work.events.append(Note(text=f"{power.name} does not touch {being.name}", by=caster.id))
        return
    if "sound" in power.tags and work.figures[victim].has("deaf"):
        work.events.append(Note(text=f"{being.name} hears nothing", by=caster.id))
        return
    if "gaze" in power.tags and work.figures[victim].has("averted"):
        work.events.append(Note(text=f"{being.name} looks away", by=caster.id))
        return
    foreign = being.side != caster.side
    if being.resists and foreign and "magic" in power.tags:
        if not save(work, who, "wil", f"work {power.name} on {being.name}"):
            return
    if being.reflects and foreign and "magic" in power.tags and power.needs == "creature":
        work.dice.thrower = being.id
        shell = roll(work.dice, "the shell", 1, 6, exploding=False)
        back = shell.total <= THROWN_BACK
        told = f"{power.name} comes back" if back else f"{power.name} gets through the shell"
        work.events.append(Note(text=told, by=being.id, rolls=(shell,)))
        if back:
            _upon(work, victim, who, power, effects, goal)
            return
    unwilling = foreign or power.needs == "creature" or power.area != "one"
    if power.save and unwilling and not helpless(work.figures[victim]):
        if save(work, victim, power.save, f"against {power.name}"):
            return
    half = dampened(work, power, who, victim)
    for effect in effects:
        if present(work.figures[victim]):
            _BODY[effect.kind](work, who, victim, effect.dampened() if half else effect, power, goal)


def dampened(state: CairnState | Work, power: Power, *who: int) -> bool:
    """Whether magic is worked where it is dampened, or on somebody who stands there (cairn.md §5.5)."""
    cells = cells_of_kind(state.zones, "damper") if state.zones and "magic" in power.tags else 0
    beings, figures = state.setup.beings, state.figures
    return (
        any(state.terrain.footprint(figures[i].cell, beings[i].space) & cells for i in who)
        if cells
        else False
    )


def untouched(being: Being, figure: Figure, power: Power) -> bool:
    """Whether a power does nothing at all to somebody: by nature, or shielded from what is no magic."""
    if being.immune & power.kinds or power.name in being.immune:
        return True
    return power.harmful and "mundane" in power.kinds and figure.has("shielded")


def harm_dice(being: Being, power: Power, effect: Effect) -> tuple[int, ...]:
    """The dice of an effect's harm: enhanced or impaired by the victim's nature, as blows are (A5, A6)."""
    return natured(being, power.kinds, effect.dice)


def _throw(
    work: Work, who: int, power: Power, effect: Effect, dice: tuple[int, ...]
) -> tuple[int, tuple[Roll, ...]]:
    work.dice.thrower = work.being(who).id
    rolls = tuple(roll(work.dice, power.name, 1, die, exploding=False) for die in dice)
    amount = max((r.total for r in rolls), default=0) + effect.amount
    return (amount + 1) // 2 if effect.halved else amount, rolls


def _damage(work: Work, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    amount, rolls = _throw(work, who, power, effect, harm_dice(work.being(victim), power, effect))
    if effect.metal and _in_metal(work, victim):
        amount *= 2
    if effect.to == "hp":
        armor = armor_of(work.setup, work.being(victim), work.figures[victim])
        direct = off_guard(work, victim)
        wound(work, victim, max(0, amount - armor), power.name, by=who, direct=direct, rolls=rolls)
    elif effect.to == "str":
        wound(work, victim, amount, power.name, by=who, direct=True, rolls=rolls)
    else:
        left = max(0, getattr(work.figures[victim], f"{effect.to}_now") - amount)
        work.change(victim, **{f"{effect.to}_now": left})
        name = f"−{amount} {effect.to.upper()}"
        work.events.append(
            Condition(
                target=work.being(victim).id, condition=name, gained=True, because=power.name, rolls=rolls
            )
        )


def _in_metal(work: Work, victim: int) -> bool:
    table = work.setup.armoury.armor
    return any(
        table[item].metal for item in (*work.being(victim).wear, *work.figures[victim].hands) if item in table
    )


def _heal(work: Work, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    figure = work.figures[victim]
    if effect.to == "str":
        stabilise(work, victim, power.name)
    if figure.has("deprived"):
        work.events.append(Note(text="deprived: nothing mends", by=work.being(victim).id))
        return
    amount, rolls = _throw(work, who, power, effect, effect.dice)
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
                rolls=rolls,
            )
        )
    elif rolls:
        told = f"{power.name} finds nothing to mend"
        work.events.append(Note(text=told, by=work.being(victim).id, rolls=rolls))
    if power.once:
        afflict(work, victim, "cured")


def _condition(work: Work, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    attribute = power.save if effect.ends_on_save else ""
    name = work.being(who).id
    if power.onto == "creature":  # what it is about is somebody else
        meant = standing_at(work, goal)
        if meant is None or meant == victim:
            return
        name = work.being(meant).id
        if effect.name == "tethered":
            if gap(work, victim, meant) <= TETHER:
                _tether(work, victim, meant, effect, power)
            return
    elif power.onto == "item":
        name = next((lying.item for lying in work.floor if lying.cell == goal), "")
        if not name:
            return
    afflict(work, victim, effect.name, effect.rounds, power.name, save=attribute, by=name, then=effect.then)


def _tether(work: Work, one: int, other: int, effect: Effect, power: Power) -> None:
    """Each is bound to the other."""
    for who, by in ((one, other), (other, one)):
        afflict(work, who, effect.name, effect.rounds, power.name, by=work.being(by).id)


def _cure(work: Work, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    relieve(work, victim, effect.name, power.name)


def _push(work: Work, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    if power.onto != "creature":
        push(work, victim, who, effect.spaces, towards=effect.kind == "pull")
        return
    other = standing_at(work, goal)
    if other is None or other == victim or gap(work, victim, other) > effect.spaces:
        work.events.append(Note(text=f"{power.name}: nothing near enough to part", by=work.being(who).id))
        return
    push(work, victim, other, effect.spaces)
    if other != who and present(work.figures[other]):
        push(work, other, victim, effect.spaces)


def _swap(work: Work, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    """The target changes places with who stands where the caster points: an unwilling foe saves for itself."""
    other = standing_at(work, goal)
    if other is None or other == victim or work.being(other).space != work.being(victim).space:
        work.events.append(Note(text=f"{power.name}: nobody to change places with", by=work.being(who).id))
        return
    if other != who and work.being(other).side != work.being(who).side and not helpless(work.figures[other]):
        if power.save and save(work, other, power.save, f"against {power.name}"):
            return
    mine, theirs = work.figures[other].cell, work.figures[victim].cell
    for moved, start, there in ((other, mine, theirs), (victim, theirs, mine)):
        work.change(moved, cell=there)
        work.events.append(
            Moved(by=work.being(moved).id, mode="swapped", start=work.space(start), path=(work.space(there),))
        )


def _teleport(work: Work, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    """To the space that the caster chose, or next to it where somebody has come to stand there; or to where a die
    says."""
    figure, being = work.figures[victim], work.being(victim)
    best, rolls = (
        _anywhere(work, victim, power) if effect.name == "random" else (free_near(work, victim, goal), ())
    )
    if best is None or best == figure.cell:
        if rolls:
            work.events.append(Note(text=f"{power.name}: stays in place", by=being.id, rolls=rolls))
        return
    work.change(victim, cell=best)
    start, there = work.space(figure.cell), work.space(best)
    work.events.append(Moved(by=being.id, mode="teleported", start=start, path=(there,), rolls=rolls))


def _anywhere(work: Work, victim: int, power: Power) -> tuple[int | None, tuple[Roll, ...]]:
    """A die picks one of eight parts of the map, as near as may be to its middle (cairn.md §5.6, Crypt Guardian)."""
    field = work.setup.field
    work.dice.thrower = work.being(victim).id
    thrown = roll(work.dice, f"{power.name}: where to", 1, len(_PARTS), exploding=False)
    across, down = _PARTS[thrown.total - 1]
    return free_near(work, victim, field.cell(field.width * across // 8, field.height * down // 4)), (thrown,)


_PARTS = ((1, 1), (3, 1), (5, 1), (7, 1), (1, 3), (3, 3), (5, 3), (7, 3))
"""Eighths of the map's width and quarters of its height: the middles of its eight parts."""


def _disarm(work: Work, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    """What the victim holds flies to the caster."""
    held = work.figures[victim].hands
    if not held:
        work.events.append(Note(text="empty hands", by=work.being(victim).id))
        return
    item = held[0]
    drop_item(work, victim, item, "dropped")
    take_up(work, who, next(i for i in range(len(work.floor) - 1, -1, -1) if work.floor[i].item == item))


def _fetch(work: Work, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    """A thing from the floor flies to the caster."""
    for number, lying in enumerate(work.floor):
        if lying.cell == goal:
            take_up(work, who, number)
            return
    work.events.append(Note(text=f"{power.name}: nothing lies there any more", by=work.being(who).id))


def _lay(work: Work, who: int, effect: Effect, cells: int, goal: int) -> None:
    """Ground changed for a while. Walls grow round whoever stands in the way."""
    kind = ground_kind(effect)
    if kind == "ice":
        for i, figure in enumerate(work.figures):
            if present(figure):
                cells &= ~work.terrain.footprint(figure.cell, work.being(i).space)
    if kind not in ("light", "dark", "snuff", "damper"):
        cells &= ~work.terrain.blocked | work.terrain.pits
    if cells:
        zone = Zone(kind, cells, effect.rounds, work.being(who).id, goal)
        lay(work, zone)
        caught(work, zone)


def _bar(work: Work, who: int, effect: Effect, cells: int, goal: int) -> None:
    """It stays where it is put, and nobody gets past it; it is taken up like any other thing on the floor."""
    taken = any(
        present(figure) and work.terrain.footprint(figure.cell, being.space) & cells
        for figure, being in zip(work.figures, work.setup.beings, strict=True)
    )
    held = (*work.figures[who].hands, *work.figures[who].pack)
    item = next((name for name in held if bars(work.setup, name)), None)
    if taken or item is None:
        work.events.append(Note(text="there is no room for it", by=work.being(who).id))
        return
    drop_item(work, who, item, "dropped")
    work.floor = (*work.floor[:-1], Lying(item, goal))
    lay(work, Zone("bar", cells, effect.rounds, work.being(who).id, goal))


def _clear(work: Work, who: int, effect: Effect, cells: int, goal: int) -> None:
    """Brush in the way is cut down."""
    for zone in [each for each in work.zones if each.kind == "thicket" and each.cells & cells]:
        end_zone(work, zone)
        if zone.cells & ~cells:
            lay(work, msgspec.structs.replace(zone, cells=zone.cells & ~cells))


def _snuff(work: Work, who: int, effect: Effect, cells: int, goal: int) -> None:
    """Ordinary lights go out, those of the map and those that are carried."""
    lay(work, Zone("snuff", cells, effect.rounds, work.being(who).id, goal))
    for i, figure in enumerate(work.figures):
        lit = present(figure) and light_of(work.setup, work.being(i), figure)
        if lit and work.terrain.footprint(figure.cell, work.being(i).space) & cells:
            afflict(work, i, "snuffed", because="snuffed out")


def _passage(work: Work, who: int, effect: Effect, cells: int, goal: int) -> None:
    """A gap from the wall aimed at, straight on from the caster, as deep as the power goes."""
    field, figure = work.setup.field, work.figures[who]
    dx, dy = heading(field, goal, 1, figure.cell, work.being(who).space)
    gap, cell = 0, goal
    for _ in range(max(1, effect.spaces)):
        if outermost(field, cell) or not walled(work.setup, work.zones, cell):
            break
        gap |= 1 << cell
        cell += dx + dy * field.width
    if gap:
        lay(work, Zone("gap", gap, effect.rounds, work.being(who).id, goal))


def _summon(work: Work, who: int, effect: Effect, cells: int, goal: int) -> None:
    """Where somebody has come to stand meanwhile, on the nearest free space."""
    assert effect.creature is not None
    cell = room_near(work, goal)
    if cell is not None:
        call(work, who, effect.creature, cell, effect.rounds)


def _knock(work: Work, who: int, effect: Effect, cells: int, goal: int) -> None:
    doors = work.setup.field.doors
    for number, door in enumerate(doors):
        if door.cell == goal and door_state(work, work.being(who).side, number) not in ("open", "secret"):
            work.doors = (*work.doors[:number], "open", *work.doors[number + 1 :])
            lay_ground(work)
            work.events.append(Door(door=door.id, state="open", by=work.being(who).id))


def ground_kind(effect: Effect) -> str:
    """The kind of changed ground (`rules.cairn.magic.ground.LOOKS`) that an effect lays."""
    if effect.kind == "wall":
        return "fire" if effect.name == "fire" else "ice"
    if effect.kind == "slick" and effect.name in ("adhere", "caltrops", "trap", "steel trap", "wire"):
        return effect.name
    return "ice floor" if (effect.kind, effect.name) == ("slick", "ice") else effect.kind


_BODY: dict[str, Callable[[Work, int, int, Effect, Power, int], None]] = {
    "damage": _damage,
    "heal": _heal,
    "condition": _condition,
    "cure": _cure,
    "push": _push,
    "pull": _push,
    "swap": _swap,
    "teleport": _teleport,
    "disarm": _disarm,
    "fetch": _fetch,
}
_GROUND: dict[str, Callable[[Work, int, Effect, int, int], None]] = {
    "snuff": _snuff,
    "passage": _passage,
    "summon": _summon,
    "knock": _knock,
    "clear": _clear,
    "bar": _bar,
}

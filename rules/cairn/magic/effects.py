"""What powers do, to creatures and to the ground (cairn.md §5.5, §5.6)."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from rules.cairn.belongings import bars, drop_item, light_of, take_up
from rules.cairn.combat.injury import armor_of, natured, off_guard, stabilise, wound
from rules.cairn.conditions import AVERTED, CALLED, CURED, SHIELDED, SNUFFED, TETHERED, Forbid, condition_named
from rules.cairn.gear import Weapon
from rules.cairn.magic.aiming import HEARD, area_cells, free_near, room_near, standing_at
from rules.cairn.magic.ground import cells_of_kind, end_zone, lay, lay_ground, outermost, walled
from rules.cairn.magic.powers import Effect, Power, Summon
from rules.cairn.movement import caught, heading, push
from rules.cairn.saves import afflict, gap, relieve, save, tell_of
from rules.cairn.state import TETHER, Being, CairnState, Figure, Lasting, Lying, Resolution, Zone, helpless, present
from rules.cairn.visibility import door_state
from rules.contract.actions import Action
from rules.contract.events import Door, Healing, Moved, Note, Roll, Summoned
from rules.core.dice import roll
from rules.core.opening import told_apart

THROWN_BACK = 3
"""Faces of a d6 up to which a shell throws magic back (cairn.md §5.6, Warrior Snail)."""


def aim(resolution: Resolution, who: int, action: Action) -> int:
    """The space that is aimed at: a creature's, a door's, the one named, or one's own."""
    target = resolution.setup.index.get(action.target or "")
    if target is not None and resolution.figures[target].cell >= 0:
        return resolution.figures[target].cell
    if action.at is not None:
        return action.at
    door = next((d for d in resolution.setup.field.doors if d.id == action.target), None)
    return door.cell if door is not None else resolution.figures[who].cell


def affect(resolution: Resolution, who: int, power: Power, action: Action) -> None:
    """All that a power does: first to the ground, then to each creature that it takes in, in the record's order."""
    figure, being = resolution.figures[who], resolution.being(who)
    target = resolution.setup.index.get(action.target or "")
    goal = aim(resolution, who, action)
    if power.onto and action.at is not None:
        goal = action.at
    cells = area_cells(resolution.terrain, power, figure.cell, being.space, goal)
    victims = _taken_in(resolution, who, power, target, cells)
    half = dampened(resolution, power, who)
    for effect in power.effects:
        if effect.kind not in _BODY:
            _GROUND.get(effect.kind, _lay)(resolution, who, effect.dampened() if half else effect, cells, goal)
    bodily = [e for e in power.effects if e.kind in _BODY]
    if bodily:
        for victim in victims:
            _upon(resolution, who, victim, power, bodily, goal)


def _taken_in(resolution: Resolution, who: int, power: Power, target: int | None, cells: int) -> list[int]:
    if power.area == "one" and power.needs == "none":
        return [who]
    if power.area == "one" and target is not None:
        return [target] if present(resolution.figures[target]) else []
    out = []
    for i, figure in enumerate(resolution.figures):
        if not present(figure) or (i == who and not power.self_too):
            continue
        if i == who:
            out.append(i)
            continue
        if power.foes_only and resolution.being(i).side == resolution.being(who).side:
            continue
        if resolution.terrain.footprint(figure.cell, resolution.being(i).space) & cells:
            out.append(i)
    return out


def _upon(resolution: Resolution, who: int, victim: int, power: Power, effects: list[Effect], goal: int) -> None:
    being, caster = resolution.being(victim), resolution.being(who)
    if not present(resolution.figures[victim]):
        return
    if untouched(being, resolution.figures[victim], power):
        resolution.events.append(Note(text=f"{power.name} does not touch {being.name}", by=caster.id))
        return
    if HEARD in power.tags and resolution.figures[victim].cannot(Forbid.HEAR):
        resolution.events.append(Note(text=f"{being.name} hears nothing", by=caster.id))
        return
    if "gaze" in power.tags and resolution.figures[victim].has(AVERTED):
        resolution.events.append(Note(text=f"{being.name} looks away", by=caster.id))
        return
    foreign = being.side != caster.side
    if being.resists and foreign and "magic" in power.tags:
        if not save(resolution, who, "wil", f"work {power.name} on {being.name}"):
            return
    if being.reflects and foreign and "magic" in power.tags and power.needs == "creature":
        resolution.dice.thrower = being.id
        shell = roll(resolution.dice, "the shell", 1, 6, exploding=False)
        back = shell.total <= THROWN_BACK
        told = f"{power.name} comes back" if back else f"{power.name} gets through the shell"
        resolution.events.append(Note(text=told, by=being.id, rolls=(shell,)))
        if back:
            _upon(resolution, victim, who, power, effects, goal)
            return
    unwilling = foreign or power.needs == "creature" or power.area != "one"
    if power.save and unwilling and not helpless(resolution.figures[victim]):
        if save(resolution, victim, power.save, f"against {power.name}"):
            return
    half = dampened(resolution, power, who, victim)
    for effect in effects:
        if present(resolution.figures[victim]):
            _BODY[effect.kind](resolution, who, victim, effect.dampened() if half else effect, power, goal)


def dampened(state: CairnState | Resolution, power: Power, *who: int) -> bool:
    """Whether magic is worked where it is dampened, or on somebody who stands there (cairn.md §5.5)."""
    cells = cells_of_kind(state.zones, "damper") if state.zones and "magic" in power.tags else 0
    beings, figures = state.setup.beings, state.figures
    return any(state.terrain.footprint(figures[i].cell, beings[i].space) & cells for i in who) if cells else False


def untouched(being: Being, figure: Figure, power: Power) -> bool:
    """Whether a power does nothing at all to somebody: by nature, or shielded from what is no magic."""
    if being.immune & power.kinds or power.name in being.immune:
        return True
    return power.harmful and "mundane" in power.kinds and figure.has(SHIELDED)


def harm_dice(being: Being, power: Power, effect: Effect) -> tuple[int, ...]:
    """The dice of an effect's harm: enhanced or impaired by the victim's nature, as blows are (A5, A6)."""
    return natured(being, power.kinds, effect.dice)


def _throw(
    resolution: Resolution, who: int, power: Power, effect: Effect, dice: tuple[int, ...]
) -> tuple[int, tuple[Roll, ...]]:
    resolution.dice.thrower = resolution.being(who).id
    rolls = tuple(roll(resolution.dice, power.name, 1, die, exploding=False) for die in dice)
    amount = max((r.total for r in rolls), default=0) + effect.amount
    return (amount + 1) // 2 if effect.halved else amount, rolls


def _damage(resolution: Resolution, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    amount, rolls = _throw(resolution, who, power, effect, harm_dice(resolution.being(victim), power, effect))
    if effect.metal and _in_metal(resolution, victim):
        amount *= 2
    if effect.to == "hp":
        armor = armor_of(resolution.setup, resolution.being(victim), resolution.figures[victim])
        direct = off_guard(resolution, victim)
        wound(resolution, victim, max(0, amount - armor), power.name, by=who, direct=direct, rolls=rolls)
    elif effect.to == "str":
        wound(resolution, victim, amount, power.name, by=who, direct=True, rolls=rolls)
    else:
        left = max(0, getattr(resolution.figures[victim], f"{effect.to}_now") - amount)
        resolution.change(victim, **{f"{effect.to}_now": left})
        name = f"−{amount} {effect.to.upper()}"
        tell_of(resolution, victim, condition_named(name), because=power.name, rolls=rolls)


def _in_metal(resolution: Resolution, victim: int) -> bool:
    table = resolution.setup.armoury.armor
    return any(
        table[item].metal
        for item in (*resolution.being(victim).wear, *resolution.figures[victim].hands)
        if item in table
    )


def _heal(resolution: Resolution, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    figure = resolution.figures[victim]
    if effect.to == "str":
        stabilise(resolution, victim, power.name)
    if figure.cannot(Forbid.MEND):
        resolution.events.append(Note(text="deprived: nothing mends", by=resolution.being(victim).id))
        return
    amount, rolls = _throw(resolution, who, power, effect, effect.dice)
    field = "hp" if effect.to == "hp" else f"{effect.to}_now"
    now, top = getattr(figure, field), getattr(figure, f"{effect.to}_max")
    gained = min(amount, top - now)
    if gained > 0:
        resolution.change(victim, **{field: now + gained})
        resolution.events.append(
            Healing(
                target=resolution.being(victim).id,
                amount=gained,
                now=now + gained,
                what=effect.to,
                because=power.name,
                rolls=rolls,
            )
        )
    elif rolls:
        told = f"{power.name} finds nothing to mend"
        resolution.events.append(Note(text=told, by=resolution.being(victim).id, rolls=rolls))
    if power.once:
        afflict(resolution, victim, CURED)


def _condition(resolution: Resolution, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    attribute = power.save if effect.ends_on_save else ""
    name = resolution.being(who).id
    if power.onto == "creature":  # what it is about is somebody else
        meant = standing_at(resolution, goal)
        if meant is None or meant == victim:
            return
        name = resolution.being(meant).id
        if effect.name == TETHERED.name:
            if gap(resolution, victim, meant) <= TETHER:
                _tether(resolution, victim, meant, effect, power)
            return
    elif power.onto == "item":
        name = next((lying.item for lying in resolution.floor if lying.cell == goal), "")
        if not name:
            return
    condition = condition_named(effect.name)
    afflict(resolution, victim, condition, effect.rounds, power.name, save=attribute, by=name, then=effect.then)


def _tether(resolution: Resolution, one: int, other: int, effect: Effect, power: Power) -> None:
    """Each is bound to the other."""
    for who, by in ((one, other), (other, one)):
        afflict(resolution, who, TETHERED, effect.rounds, power.name, by=resolution.being(by).id)


def _cure(resolution: Resolution, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    relieve(resolution, victim, condition_named(effect.name), power.name)


def _push(resolution: Resolution, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    if power.onto != "creature":
        push(resolution, victim, who, effect.spaces, towards=effect.kind == "pull")
        return
    other = standing_at(resolution, goal)
    if other is None or other == victim or gap(resolution, victim, other) > effect.spaces:
        resolution.events.append(Note(text=f"{power.name}: nothing near enough to part", by=resolution.being(who).id))
        return
    push(resolution, victim, other, effect.spaces)
    if other != who and present(resolution.figures[other]):
        push(resolution, other, victim, effect.spaces)


def _swap(resolution: Resolution, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    """The target changes places with who stands where the caster points: an unwilling foe saves for itself."""
    other = standing_at(resolution, goal)
    if other is None or other == victim or resolution.being(other).space != resolution.being(victim).space:
        resolution.events.append(Note(text=f"{power.name}: nobody to change places with", by=resolution.being(who).id))
        return
    if (
        other != who
        and resolution.being(other).side != resolution.being(who).side
        and not helpless(resolution.figures[other])
    ):
        if power.save and save(resolution, other, power.save, f"against {power.name}"):
            return
    mine, theirs = resolution.figures[other].cell, resolution.figures[victim].cell
    for moved, start, there in ((other, mine, theirs), (victim, theirs, mine)):
        resolution.change(moved, cell=there)
        resolution.events.append(
            Moved(
                by=resolution.being(moved).id,
                mode="swapped",
                start=resolution.space(start),
                path=(resolution.space(there),),
            )
        )


def _teleport(resolution: Resolution, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    """To the space that the caster chose, or next to it where somebody has come to stand there; or to where a die
    says."""
    figure, being = resolution.figures[victim], resolution.being(victim)
    best, rolls = (
        _anywhere(resolution, victim, power) if effect.name == "random" else (free_near(resolution, victim, goal), ())
    )
    if best is None or best == figure.cell:
        if rolls:
            resolution.events.append(Note(text=f"{power.name}: stays in place", by=being.id, rolls=rolls))
        return
    resolution.change(victim, cell=best)
    start, there = resolution.space(figure.cell), resolution.space(best)
    resolution.events.append(Moved(by=being.id, mode="teleported", start=start, path=(there,), rolls=rolls))


def _anywhere(resolution: Resolution, victim: int, power: Power) -> tuple[int | None, tuple[Roll, ...]]:
    """A die picks one of eight parts of the map, as near as may be to its middle (cairn.md §5.6, Crypt Guardian)."""
    field = resolution.setup.field
    resolution.dice.thrower = resolution.being(victim).id
    thrown = roll(resolution.dice, f"{power.name}: where to", 1, len(_PARTS), exploding=False)
    across, down = _PARTS[thrown.total - 1]
    return free_near(resolution, victim, field.cell(field.width * across // 8, field.height * down // 4)), (thrown,)


_PARTS = ((1, 1), (3, 1), (5, 1), (7, 1), (1, 3), (3, 3), (5, 3), (7, 3))
"""Eighths of the map's width and quarters of its height: the middles of its eight parts."""


def _disarm(resolution: Resolution, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    """What the victim holds flies to the caster."""
    held = resolution.figures[victim].hands
    if not held:
        resolution.events.append(Note(text="empty hands", by=resolution.being(victim).id))
        return
    item = held[0]
    drop_item(resolution, victim, item, "dropped")
    take_up(
        resolution,
        who,
        next(i for i in range(len(resolution.floor) - 1, -1, -1) if resolution.floor[i].item == item),
    )


def _fetch(resolution: Resolution, who: int, victim: int, effect: Effect, power: Power, goal: int) -> None:
    """A thing from the floor flies to the caster."""
    for number, lying in enumerate(resolution.floor):
        if lying.cell == goal:
            take_up(resolution, who, number)
            return
    resolution.events.append(Note(text=f"{power.name}: nothing lies there any more", by=resolution.being(who).id))


def _lay(resolution: Resolution, who: int, effect: Effect, cells: int, goal: int) -> None:
    """Ground changed for a while. Walls grow round whoever stands in the way."""
    kind = ground_kind(effect)
    if kind == "ice":
        for i, figure in enumerate(resolution.figures):
            if present(figure):
                cells &= ~resolution.terrain.footprint(figure.cell, resolution.being(i).space)
    if kind not in ("light", "dark", "snuff", "damper"):
        cells &= ~resolution.terrain.blocked | resolution.terrain.pits
    if cells:
        zone = Zone(kind, cells, effect.rounds, resolution.being(who).id, goal)
        lay(resolution, zone)
        caught(resolution, zone)


def _bar(resolution: Resolution, who: int, effect: Effect, cells: int, goal: int) -> None:
    """It stays where it is put, and nobody gets past it; it is taken up like any other thing on the floor."""
    taken = any(
        present(figure) and resolution.terrain.footprint(figure.cell, being.space) & cells
        for figure, being in zip(resolution.figures, resolution.setup.beings, strict=True)
    )
    held = (*resolution.figures[who].hands, *resolution.figures[who].pack)
    item = next((name for name in held if bars(resolution.setup, name)), None)
    if taken or item is None:
        resolution.events.append(Note(text="there is no room for it", by=resolution.being(who).id))
        return
    drop_item(resolution, who, item, "dropped")
    resolution.floor = (*resolution.floor[:-1], Lying(item, goal))
    lay(resolution, Zone("bar", cells, effect.rounds, resolution.being(who).id, goal))


def _clear(resolution: Resolution, who: int, effect: Effect, cells: int, goal: int) -> None:
    """Brush in the way is cut down."""
    for zone in [each for each in resolution.zones if each.kind == "thicket" and each.cells & cells]:
        end_zone(resolution, zone)
        if zone.cells & ~cells:
            lay(resolution, msgspec.structs.replace(zone, cells=zone.cells & ~cells))


def _snuff(resolution: Resolution, who: int, effect: Effect, cells: int, goal: int) -> None:
    """Ordinary lights go out, those of the map and those that are carried."""
    lay(resolution, Zone("snuff", cells, effect.rounds, resolution.being(who).id, goal))
    for i, figure in enumerate(resolution.figures):
        lit = present(figure) and light_of(resolution.setup, resolution.being(i), figure)
        if lit and resolution.terrain.footprint(figure.cell, resolution.being(i).space) & cells:
            afflict(resolution, i, SNUFFED, because="snuffed out")


def _passage(resolution: Resolution, who: int, effect: Effect, cells: int, goal: int) -> None:
    """A gap from the wall aimed at, straight on from the caster, as deep as the power goes."""
    field, figure = resolution.setup.field, resolution.figures[who]
    dx, dy = heading(field, goal, 1, figure.cell, resolution.being(who).space)
    gap, cell = 0, goal
    for _ in range(max(1, effect.spaces)):
        if outermost(field, cell) or not walled(resolution.setup, resolution.zones, cell):
            break
        gap |= 1 << cell
        cell += dx + dy * field.width
    if gap:
        lay(resolution, Zone("gap", gap, effect.rounds, resolution.being(who).id, goal))


def _summon(resolution: Resolution, who: int, effect: Effect, cells: int, goal: int) -> None:
    """Where somebody has come to stand meanwhile, on the nearest free space."""
    assert effect.creature is not None
    cell = room_near(resolution, goal)
    if cell is not None:
        call(resolution, who, effect.creature, cell, effect.rounds)


def _knock(resolution: Resolution, who: int, effect: Effect, cells: int, goal: int) -> None:
    doors = resolution.setup.field.doors
    for number, door in enumerate(doors):
        if door.cell == goal and door_state(resolution, resolution.being(who).side, number) not in (
            "open",
            "secret",
        ):
            resolution.doors = (*resolution.doors[:number], "open", *resolution.doors[number + 1 :])
            lay_ground(resolution)
            resolution.events.append(Door(door=door.id, state="open", by=resolution.being(who).id))


def ground_kind(effect: Effect) -> str:
    """The kind of changed ground (`rules.cairn.magic.ground.LOOKS`) that an effect lays."""
    if effect.kind == "wall":
        return "fire" if effect.name == "fire" else "ice"
    if effect.kind == "slick" and effect.name in ("adhere", "caltrops", "trap", "steel trap", "wire"):
        return effect.name
    return "ice floor" if (effect.kind, effect.name) == ("slick", "ice") else effect.kind


_BODY: dict[str, Callable[[Resolution, int, int, Effect, Power, int], None]] = {
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
_GROUND: dict[str, Callable[[Resolution, int, Effect, int, int], None]] = {
    "snuff": _snuff,
    "passage": _passage,
    "summon": _summon,
    "knock": _knock,
    "clear": _clear,
    "bar": _bar,
}


def call(resolution: Resolution, caster: int, model: Summon, cell: int, rounds: int) -> None:
    """A new creature joins, the last in the order; it plans from its side's next half on. Its id is the caster's with
    a number, `solena.1`: whoever plays the caster plays it."""
    owner = resolution.being(caster)
    number = 1 + sum(1 for being in resolution.setup.beings if being.id.startswith(f"{owner.id}."))
    while f"{owner.id}.{number}" in resolution.setup.index:
        number += 1
    attack = Weapon(
        model.attack,
        model.dice,
        hands=0,
        slots=0,
        blast=model.blast,
        tags=frozenset(model.tags),
        natural=True,
    )
    being = Being(
        id=f"{owner.id}.{number}",
        name=told_apart([*(each.name for each in resolution.setup.beings), model.name])[-1],
        side=owner.side,
        kind="Called",
        called=True,
        controller=owner.controller,
        art=model.art,
        temperament="brute",
        threat=0,
        pc=False,
        space=1,
        speed=model.speed,
        attacks=(attack,),
        armor=model.armor,
        wear=(),
        alert="ready",
        leader=False,
        group="",
        mindless=True,
        steadfast=True,
        detachment=model.detachment,
        unstoppable=False,
        heads=0,
        immune=frozenset(model.immune),
        impaired_by=frozenset(),
        enhanced_by=frozenset(),
        powers=(),
        light=0,
        dark_sight=False,
        bloodless=model.bloodless,
        guard=model.armor,
        sting=max(model.dice),
    )
    resolution.setup = resolution.setup.joined_by(being)
    stay = (Lasting(CALLED.name, rounds + 1 if rounds else 0, by=owner.id),)
    resolution.figures.append(
        Figure(
            cell=cell, hp=model.hp, hp_max=model.hp, str_now=model.strength, dex_now=model.dexterity,
            wil_now=model.willpower, str_max=model.strength, dex_max=model.dexterity, wil_max=model.willpower,
            lasting=stay,
        )
    )  # fmt: skip
    resolution.plans.append(None)
    resolution.events.append(
        Summoned(target=being.id, name=being.name, gained=True, at=resolution.space(cell), by=owner.id)
    )


def called(being: Being) -> bool:
    """Whether a power has called it: nobody mourns it."""
    return being.called


def dismiss(resolution: Resolution) -> None:
    """Those whose stay is over are gone: the hidden condition ran out at the end of the round."""
    for who, figure in enumerate(resolution.figures):
        being = resolution.being(who)
        if called(being) and present(figure) and not figure.has(CALLED):
            resolution.change(who, fled=True, cell=-1)
            resolution.events.append(Summoned(target=being.id, name=being.name, gained=False))

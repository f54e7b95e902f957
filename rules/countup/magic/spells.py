"""Spells by the second: where they work, declared, cast, and what they do; saves (countup.md §2.8, §5.4)."""

from __future__ import annotations

import msgspec

from rules.board.bitboard import Cell, cells_of
from rules.board.grid import Terrain
from rules.board.sight import visible
from rules.contract.actions import Action
from rules.contract.events import Cast, Check, Condition, Healing, Note, Roll
from rules.countup.actions.doors import break_off, set_door
from rules.countup.combat.injury import fall, lose, stun, wounded
from rules.countup.combat.missiles import loaded
from rules.countup.magic.model import Spell
from rules.countup.penetration import Die, roll
from rules.countup.state import FOREVER, Being, Casting, Figure, Work, able, present, resolve

STRIDE = 2
"""Spaces from one skip to the next."""


def area_of(terrain: Terrain, spell: Spell, origin: Cell, goal: Cell) -> int:
    """Bitboard of what a spell works on, cast from one space at another; walls are no part of it."""
    if spell.square:
        return _square(terrain, spell, origin, goal) & ~terrain.field.opaque
    cells = 0
    for centre in _skips(terrain, spell.skips, origin, goal):
        cells |= terrain.within(centre, spell.radius) & (visible(terrain, centre) | 1 << centre)
    return cells & ~terrain.field.opaque


def _square(terrain: Terrain, spell: Spell, origin: Cell, goal: Cell) -> int:
    """So many spaces each way: away from the caster, or back where that would be beyond the spell's range (R)."""
    field = terrain.field
    (ox, oy), (x, y) = field.at(origin), field.at(goal)
    across, down = (1 if x >= ox else -1), (1 if y >= oy else -1)
    away = terrain.distance(origin, goal) + spell.square - 1 <= spell.reach
    if not away:
        across, down = (-across if x != ox else across), (-down if y != oy else down)
    cells = 0
    for i in range(spell.square):
        for j in range(spell.square):
            if field.inside(x + i * across, y + j * down):
                cells |= 1 << field.cell(x + i * across, y + j * down)
    return cells & (visible(terrain, goal) | 1 << goal) & ~(1 << origin)


def _skips(terrain: Terrain, skips: int, origin: Cell, goal: Cell) -> list[Cell]:
    """Where something comes down that skips straight on, away from its caster, until something solid stops it (R)."""
    field = terrain.field
    (ox, oy), (x, y) = field.at(origin), field.at(goal)
    dx, dy = x - ox, y - oy
    most = max(abs(dx), abs(dy))
    out = [goal]
    for n in range(1, skips if most else 1):
        there = (_nearest(STRIDE * n * dx, most) + x, _nearest(STRIDE * n * dy, most) + y)
        if not field.inside(*there):
            break
        seen = visible(terrain, out[-1]) & ~terrain.opaque  # a wall or a shut door is seen, and stops it
        if not seen >> field.cell(*there) & 1:
            break
        out.append(field.cell(*there))
    return out


def _nearest(part: int, whole: int) -> int:
    """`part / whole` to the nearest whole number, halves towards nought."""
    size = (2 * abs(part) + whole - 1) // (2 * whole)
    return size if part >= 0 else -size


TIRED = 5
"""Seconds beyond the casting time that spell fatigue lasts."""
GRIPS = ("bound", "charmed", "enraged", "panicked")
"""Effects that end what somebody was about to do."""
SAVES = ("physical", "mental", "dodge")


def spell_of(work_or_state: object, name: str) -> Spell:
    """A spell by its name."""
    found = work_or_state.setup.spells[name]  # type: ignore[attr-defined]
    assert isinstance(found, Spell)
    return found


def prayers_left(being: Being, figure: Figure, spell: Spell) -> int:
    """How often a divine spell may still be cast: as often as it stands among one's spells (R)."""
    return being.spells.count(spell.name) - figure.prayed.count(spell.name)


def points_for(being: Being, spell: Spell) -> int:
    """What a spell costs somebody: twice as much where it was not memorised (countup.md §2.8)."""
    known = being.memorised is None or spell.name in being.memorised
    return spell.points if known else 2 * spell.points


def reach_for(being: Being, spell: Spell) -> int:
    """How many spaces a spell reaches from somebody."""
    return spell.reach * max(1, being.level) if spell.per_level else spell.reach


def volley(being: Being, spell: Spell) -> int:
    """How many missiles somebody sends off: one a level, so many at most (R); 1 where a spell has none."""
    return max(1, min(spell.missiles, being.level))


def begin(work: Work, who: int, action: Action) -> None:
    """Declare a spell: it takes effect when its casting time is over."""
    spell = spell_of(work, action.item or "")
    figure = work.figures[who]
    target = work.setup.index.get(action.target or "", -1)
    takes = spell.casting
    found: tuple[Roll, ...] = ()
    if work.setup.options["components"]:
        work.dice.thrower = work.being(who).id
        found = (roll(work.dice, "component", (Die(1, 4),)),)
        takes += found[0].total
    casting = Casting(spell.name, work.second + takes, target, -1 if action.at is None else action.at)
    points = figure.points - points_for(work.being(who), spell)
    prayed = (*figure.prayed, spell.name) if spell.divine else figure.prayed
    work.change(who, casting=casting, order=None, points=points, prayed=prayed, gait="")
    work.events.append(Note(text=f"begins {spell.name}", by=work.being(who).id, rolls=found))


def complete(work: Work) -> None:
    """Spells whose time has come take effect, all at once; their casters are tired."""
    ready = [
        (who, figure.casting)
        for who, figure in enumerate(work.figures)
        if figure.casting is not None and figure.casting.ends <= work.second and able(figure, work.second)
    ]
    for who, casting in ready:
        spell = spell_of(work, casting.spell)
        work.change(who, casting=None, fatigue=work.second + spell.casting + TIRED)
        thrown: tuple[Roll, ...] = ()
        if spell.lasts_dice:
            work.dice.thrower = work.being(who).id
            thrown = (roll(work.dice, "how long", spell.lasts_dice, spell.lasts_flat),)
            spell = msgspec.structs.replace(spell, lasts=thrown[0].total * spell.lasts)
        _told(work, who, spell, casting, thrown)
        _affect(work, who, spell, casting)


def _told(work: Work, who: int, spell: Spell, casting: Casting, thrown: tuple[Roll, ...]) -> None:
    """The casting itself; what comes of it follows in events of its own."""
    being, aimed = work.being(who), casting.target >= 0
    goal = _goal(work, who, casting)
    wide = area_of(work.terrain, spell, work.figures[who].cell, goal) if spell.wide or spell.zone else 0
    work.events.append(
        Cast(
            by=being.id,
            spell=spell.name,
            what="prayer" if spell.divine else "points",
            cost=points_for(being, spell),
            success=not aimed or present(work.figures[casting.target]),
            target=work.being(casting.target).id if aimed else None,
            at=work.space(casting.at) if casting.at >= 0 else None,
            cells=tuple(work.space(cell) for cell in cells_of(wide)),
            rolls=thrown,
        )
    )


def _goal(work: Work, who: int, casting: Casting) -> int:
    """The space at which a spell takes effect."""
    if casting.target >= 0 and work.figures[casting.target].cell >= 0:
        return work.figures[casting.target].cell
    return casting.at if casting.at >= 0 else work.figures[who].cell


def _affect(work: Work, who: int, spell: Spell, casting: Casting) -> None:
    goal = _goal(work, who, casting)
    if spell.door:
        _on_door(work, who, spell, casting.at)
    if spell.absorbs:
        work.change(who, ward=spell.absorbs)
    if spell.image_dice:
        work.dice.thrower = work.being(who).id
        made = roll(work.dice, "images", spell.image_dice)
        work.change(who, images=made.total)
        work.events.append(
            Note(text=f"stands there {made.total + 1} times over", by=work.being(who).id, rolls=(made,))
        )
    if spell.zone:
        cells = area_of(work.terrain, spell, work.figures[who].cell, goal)
        work.zones = (*work.zones, (spell.zone, cells, work.second + (spell.lasts or FOREVER)))
    for victim in _victims(work, who, spell, casting, goal):
        _upon(work, who, victim, spell)


def _on_door(work: Work, who: int, spell: Spell, cell: int) -> None:
    """A door burst open; or shut, and kept as it stands. Nothing happens to one that somebody stands in."""
    for number, door in enumerate(work.setup.field.doors):
        if cell not in (door.cell, door.edge):
            continue
        stands = any(
            present(f) and work.terrain.footprint(f.cell, work.being(i).space) >> door.cell & 1
            for i, f in enumerate(work.figures)
        )
        if stands and door.edge is None:
            continue
        if (work.doors[number] == "open") != (spell.door == "open"):
            set_door(work, number, spell.door, who)
        if spell.lasts and spell.door == "closed":
            work.zones = (*work.zones, ("barred", 1 << door.cell, work.second + spell.lasts))


def _victims(work: Work, who: int, spell: Spell, casting: Casting, goal: int) -> list[int]:
    if not (spell.dice or spell.heal_dice or spell.effect):
        return []
    if spell.needs == "none" and not spell.wide:
        return [who]
    if not spell.wide:
        return [casting.target] if casting.target >= 0 and present(work.figures[casting.target]) else []
    cells = area_of(work.terrain, spell, work.figures[who].cell, goal)
    chosen = spell.effect in ("asleep", "blessed")  # the caster picks whom it takes in
    return [
        i
        for i, f in enumerate(work.figures)
        if present(f)
        and i != who
        and work.terrain.footprint(f.cell, work.being(i).space) & cells
        and not (chosen and (work.being(i).side == work.being(who).side) != (spell.effect == "blessed"))
    ]


def saved(work: Work, who: int, victim: int, kind: str) -> bool:
    """A save: the target's d20p, level and bonus against the caster's d20p and level; equal saves (B26)."""
    bonus = work.being(victim).saves[SAVES.index(kind)]
    if bonus is None:
        return True
    work.dice.thrower = work.being(who).id
    cast = roll(work.dice, "spell", (Die(1, 20),), resolve(work.being(who)))
    work.dice.thrower = work.being(victim).id
    resisted = roll(work.dice, f"{kind} save", (Die(1, 20),), bonus + resolve(work.being(victim)))
    success = resisted.total >= cast.total
    work.events.append(
        Check(
            by=work.being(victim).id,
            what=f"{kind} save",
            roll=resisted,
            rating=cast.total,
            success=success,
            against=cast,
        )
    )
    return success


def _upon(work: Work, who: int, victim: int, spell: Spell) -> None:
    resisted = bool(spell.save) and victim != who and saved(work, who, victim, spell.save)
    if spell.dice and not spell.each_second and not (resisted and not spell.half):
        for _ in range(volley(work.being(who), spell)):
            _harm(work, victim, spell, who, 2 if resisted else 1)
    if spell.heal_dice:
        work.dice.thrower = work.being(who).id
        healed = roll(work.dice, spell.name, *spell.healing(work.being(victim)))
        figure = work.figures[victim]
        gained = min(max(0, healed.total), work.being(victim).hp_max - figure.hp)
        name = work.being(victim).id
        if not gained:
            told = f"has nothing for {spell.name} to mend"
            work.events.append(Note(text=told, by=name, rolls=(healed,)))
        else:
            left = work.being(victim).hp_max - figure.hp - gained
            work.change(victim, hp=figure.hp + gained, burnt=min(figure.burnt, left))
            work.events.append(
                Healing(
                    target=name, amount=gained, now=figure.hp + gained, because=spell.name, rolls=(healed,)
                )
            )
    if spell.effect and not resisted and present(work.figures[victim]):
        _befall(work, victim, spell)


def _harm(work: Work, victim: int, spell: Spell, by: int, divisor: int = 1) -> None:
    """One wound by a spell: no reduction, no knock-back, but pain like any other (countup.md §2.4, §2.8)."""
    if not present(work.figures[victim]):
        return
    work.dice.thrower = work.being(by).id if by >= 0 else ""
    dealt = roll(work.dice, spell.name, spell.dice, spell.flat)
    amount = max(0, dealt.total) // divisor
    if not amount:
        work.events.append(
            Note(text=f"takes no harm from {spell.name}", by=work.being(victim).id, rolls=(dealt,))
        )
    else:
        lost = lose(work, victim, amount, spell.name, by=by, fire=spell.fire, rolls=(dealt,))
        wounded(work, victim, lost)
        fall(work, victim, by)


def sear(work: Work) -> None:
    """What does harm every second while it lasts."""
    searing = [
        spell for spell in work.setup.spells.values() if isinstance(spell, Spell) and spell.each_second
    ]
    for spell in searing:
        for who, figure in enumerate(work.figures):
            if present(figure) and figure.under(spell.effect):
                _harm(work, who, spell, -1)


def _befall(work: Work, victim: int, spell: Spell) -> None:
    if spell.effect in ("helpless", "asleep"):
        stun(work, victim, spell.lasts or 10, spell.name)
        return
    figure = work.figures[victim]
    if spell.effect == "prone":
        break_off(work, victim)
        work.change(victim, prone=True, stance="", until=0, order=None)
        name = work.being(victim).id
        work.events.append(Condition(target=name, condition="prone", gained=True, because=spell.name))
        return
    if spell.effect in GRIPS:
        kept = figure.nocked if loaded(figure, figure.hand, work.second) else ("", 0)
        break_off(work, victim)
        work.change(victim, order=None, casting=None, loading=("", 0), nocked=kept)
    others = tuple(each for each in figure.effects if each[0] != spell.effect)
    ends = work.second + (spell.lasts or FOREVER)
    work.change(victim, effects=(*others, (spell.effect, ends)))
    work.events.append(
        Condition(target=work.being(victim).id, condition=spell.effect, gained=True, because=spell.name)
    )

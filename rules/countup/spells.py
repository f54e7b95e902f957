"""Spells by the second: where they work, and what they do when they are cast (countup.md §2.8, §5.4)."""

from __future__ import annotations

from itertools import product

from rules.board.bitboard import cells_of
from rules.board.fixtures import DoorState
from rules.board.grid import Terrain
from rules.board.sight import visible
from rules.contract.events import Cast, Healing, Roll
from rules.contract.text import text
from rules.contract.units import EMPTY, NO_CREATURE, Bitboard, Cell, CreatureIx, Seconds, numbered
from rules.countup.actions.objects import set_door
from rules.countup.combat.injury import befall, fall, interrupt, lose, saved, stun, wounded
from rules.countup.combat.wounds import mended
from rules.countup.conditions import PRONE, Picks, condition_of
from rules.countup.gear import COST, STEP, Aim, Amount, Spell
from rules.countup.manners import Stance
from rules.countup.penetration import roll
from rules.countup.state import FOREVER, Being, Casting, Figure, Ground, Resolution

STRIDE = 2
"""Spaces from one skip to the next."""
STUNNED = Seconds(10)
"""How long what fells somebody lasts where the spell does not say."""


def area_of(terrain: Terrain, spell: Spell, origin: Cell, goal: Cell) -> Bitboard:
    """Bitboard of what a spell works on, cast from one space at another; walls are no part of it."""
    if spell.square:
        return _square(terrain, spell, origin, goal) & ~terrain.field.opaque
    cells = 0
    for centre in _skips(terrain, spell.skips, origin, goal):
        cells |= terrain.within(centre, spell.radius // 5) & (visible(terrain, centre) | 1 << centre)
    return cells & ~terrain.field.opaque


def _square(terrain: Terrain, spell: Spell, origin: Cell, goal: Cell) -> Bitboard:
    """So many spaces each way: away from the caster, or back where that would be beyond the spell's range (R)."""
    field = terrain.field
    (ox, oy), (x, y) = field.at(origin), field.at(goal)
    across, down = (1 if x >= ox else -1), (1 if y >= oy else -1)
    side = spell.square // 5
    if terrain.distance(origin, goal) + side - 1 > spell.reach:
        across, down = (-across if x != ox else across), (-down if y != oy else down)
    cells = 0
    for i, j in product(range(side), repeat=2):
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


TIRED = Seconds(5)
"""Seconds beyond the casting time that spell fatigue lasts."""


def prayers_left(being: Being, figure: Figure, spell: Spell) -> int:
    """How often a divine spell may still be cast: as often as it stands among one's spells (R)."""
    return being.spells.count(spell.name) - figure.prayed.count(spell.name)


def healing(being: Being, spell: Spell) -> Amount:
    """The dice and the number that it heals of somebody: better ones of the anointed (countup.md §5.4)."""
    return spell.better_cure if being.anointed and spell.heals_anointed else spell.cure


def points_for(being: Being, spell: Spell) -> int:
    """What a spell costs somebody: twice as much where it was not memorised (countup.md §2.8)."""
    known, cost = being.memorised is None or spell.name in being.memorised, COST + STEP * spell.index
    return 0 if spell.divine else cost if known else 2 * cost


def volley(being: Being, spell: Spell) -> int:
    """How many missiles somebody sends off: one a level, so many at most (R); 1 where a spell has none."""
    return max(1, min(spell.missiles, being.level))


def complete(resolution: Resolution) -> None:
    """Spells whose time has come take effect, all at once; their casters are tired."""
    second = resolution.second
    for who, figure in numbered(list(resolution.figures)):
        casting = figure.casting
        if casting is None or casting.ends > second or not figure.able(second):
            continue
        spell = resolution.setup.armoury.spells[casting.spell]
        resolution.change(who, casting=None, fatigue=second + spell.casting + TIRED)
        thrown: tuple[Roll, ...] = ()
        if spell.lasts_dice:
            thrown = (resolution.roll(who, "how long", *Amount.read(spell.lasts_dice)),)
            spell = spell.model_copy(update={"lasts": thrown[0].total * spell.lasts})
        _take_effect(resolution, who, spell, casting, thrown)


def _take_effect(
    resolution: Resolution, who: CreatureIx, spell: Spell, casting: Casting, thrown: tuple[Roll, ...]
) -> None:
    """The casting itself; what comes of it follows in events of its own."""
    being, aimed, figures = resolution.being(who), casting.target >= 0, resolution.figures
    here = figures[who].cell
    goal = casting.at if casting.at >= 0 else here
    if aimed and figures[casting.target].cell >= 0:
        goal = figures[casting.target].cell
    cells = area_of(resolution.terrain, spell, here, goal) if spell.wide or spell.zone else EMPTY
    resolution.events.append(
        Cast(
            by=being.id, spell=spell.name, what="prayer" if spell.divine else "points", cost=points_for(being, spell),
            success=not aimed or figures[casting.target].present,
            target=resolution.being(casting.target).id if aimed else None,
            at=resolution.space(casting.at) if casting.at >= 0 else None,
            cells=tuple(resolution.space(cell) for cell in cells_of(cells)), rolls=thrown,
        )
    )  # fmt: skip
    if spell.door:
        _on_door(resolution, who, spell, casting.at)
    if spell.absorbs:
        resolution.change(who, ward=spell.absorbs)
    if spell.images:
        made = resolution.roll(who, "images", Amount.read(spell.images).dice)
        resolution.change(who, images=made.total)
        resolution.note(who, text("stands there {n} times over", made.total + 1), (made,))
    if spell.zone:
        resolution.zones = (*resolution.zones, (spell.zone, cells, resolution.second + (spell.lasts or FOREVER)))
    for victim in _victims(resolution, who, spell, casting.target, cells):
        _upon(resolution, who, victim, spell)


def _on_door(resolution: Resolution, who: CreatureIx, spell: Spell, cell: Cell) -> None:
    """A door burst open; or shut, and kept as it stands. Nothing happens to one that somebody stands in."""
    for number, door in enumerate(resolution.setup.field.doors):
        if cell not in (door.cell, door.edge) or (door.edge is None and resolution.taken(1 << door.cell)):
            continue
        if (resolution.doors[number] == DoorState.OPEN) is spell.shuts:
            set_door(resolution, number, spell.door, who)
        if spell.lasts and spell.shuts:
            barred = (Ground.BARRED.value, 1 << door.cell, resolution.second + spell.lasts)
            resolution.zones = (*resolution.zones, barred)


def _victims(
    resolution: Resolution, who: CreatureIx, spell: Spell, target: CreatureIx, cells: Bitboard
) -> list[CreatureIx]:
    if not (spell.damage or spell.heals or spell.effect):
        return []
    if not spell.wide and spell.aim is Aim.NONE:
        return [who]
    if not spell.wide:
        return [target] if target >= 0 and resolution.figures[target].present else []
    foes, picks = resolution.foes(who), condition_of(spell.effect).picks
    here = [i for i, figure in numbered(resolution.figures) if figure.present and resolution.footprint(i) & cells]
    return [i for i in here if i != who and (picks is None or (i in foes) == (picks is Picks.FOES))]


def _upon(resolution: Resolution, who: CreatureIx, victim: CreatureIx, spell: Spell) -> None:
    resisted = bool(spell.save) and victim != who and saved(resolution, who, victim, spell.save)
    if spell.damage and not spell.each_second and not (resisted and not spell.half):
        for _ in range(volley(resolution.being(who), spell)):
            _harm(resolution, victim, spell, who, 2 if resisted else 1)
    if spell.heals:
        _heal(resolution, who, victim, spell)
    if spell.effect and not resisted and resolution.figures[victim].present:
        _befall(resolution, victim, spell)


def _heal(resolution: Resolution, who: CreatureIx, victim: CreatureIx, spell: Spell) -> None:
    being, figure = resolution.being(victim), resolution.figures[victim]
    healed = resolution.roll(who, spell.name, *healing(being, spell))
    gained = min(max(0, healed.total), being.hp_max - figure.hp)
    if not gained:
        resolution.note(victim, text("has nothing for {name} to mend", spell.name), (healed,))
        return
    now = figure.hp + gained
    burnt, wounds = min(figure.burnt, being.hp_max - now), mended(figure.wounds, gained)
    resolution.change(victim, hp=now, burnt=burnt, wounds=wounds)
    resolution.events.append(Healing(target=being.id, amount=gained, now=now, because=spell.name, rolls=(healed,)))


def _harm(resolution: Resolution, victim: CreatureIx, spell: Spell, by: CreatureIx, divisor: int = 1) -> None:
    """One wound by a spell: no reduction, no knock-back, but pain like any other (countup.md §2.4, §2.8)."""
    if not resolution.figures[victim].present:
        return
    resolution.dice.thrower = resolution.being(by).id if by >= 0 else ""
    dealt = roll(resolution.dice, spell.name, *spell.harm)
    if amount := max(0, dealt.total) // divisor:
        lost = lose(resolution, victim, amount, spell.name, by=by, fire=spell.fire, rolls=(dealt,))
        wounded(resolution, victim, lost)
        fall(resolution, victim, by)
    else:
        resolution.note(victim, text("takes no harm from {name}", spell.name), (dealt,))


def sear(resolution: Resolution) -> None:
    """What does harm every second while it lasts."""
    for spell in resolution.setup.armoury.spells.values():
        for who, figure in numbered(resolution.figures) if spell.each_second else ():
            if figure.present and figure.under(spell.effect):
                _harm(resolution, who, spell, NO_CREATURE)


def _befall(resolution: Resolution, victim: CreatureIx, spell: Spell) -> None:
    condition = condition_of(spell.effect)
    if condition.fells:
        stun(resolution, victim, spell.lasts or STUNNED, spell.name)
        return
    if condition is PRONE:
        interrupt(resolution, victim)
        resolution.change(victim, prone=True, stance=Stance.NONE, until=0, order=None)
        PRONE.tell(resolution, victim, spell.name)
        return
    befall(resolution, victim, condition, resolution.second + (spell.lasts or FOREVER), spell.name)

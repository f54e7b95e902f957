"""Whom and what magic is aimed at: areas on the grid, all in integers, targets, and the instances worth naming."""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.bitboard import Cell, cells_of
from rules.board.grid import Terrain
from rules.board.sight import Grade, grade, visible
from rules.contract.actions import Action
from rules.olde.actions.context import Context, find, known_ids
from rules.olde.magic.casting import Casting, ailing, prepare
from rules.olde.magic.spells import Spell


def template(terrain: Terrain, spell: Spell, origin: Cell, space: int, at: Cell) -> int:
    """The bitboard of spaces that a spell covers, cast by somebody at `origin` (`space` × `space` large) at `at`.

    Areas spread from their centre (a blast's `at`, else the caster) only where it has a line of sight to.
    """
    own = terrain.footprint(origin, space)
    if spell.shape == "blast":
        return terrain.within(at, spell.size) & (visible(terrain, at) | 1 << at) & ~terrain.blocked
    if spell.shape == "wall":
        return _wall(terrain, origin, space, at, spell.size)
    if spell.shape == "one":
        return 1 << at
    near = terrain.within(origin, spell.size, space) & visible(terrain, origin, space) & ~terrain.blocked
    if spell.shape == "burst":
        return near | own
    return _ray(terrain, near & ~own, origin, space, at, line=spell.shape == "line")


def _ray(terrain: Terrain, near: int, origin: Cell, space: int, at: Cell, *, line: bool) -> int:
    """A cone (as wide as it is far) or a line (a space wide) from a creature through `at`, among the spaces `near`."""
    out = 0
    for cell in cells_of(near):
        if _in_ray(terrain, origin, space, at, cell, line=line):
            out |= 1 << cell
    return out


def _in_ray(terrain: Terrain, origin: Cell, space: int, at: Cell, cell: Cell, *, line: bool) -> bool:
    x, y = _middle(terrain, origin, space)
    gx, gy = _middle(terrain, at, 1)
    cx, cy = _middle(terrain, cell, 1)
    ax, ay, dx, dy = gx - x, gy - y, cx - x, cy - y
    ahead, aside = ax * dx + ay * dy, abs(ax * dy - ay * dx)
    # a cone opens half a space for each space ahead; a line keeps within half a space of its middle
    return ahead > 0 and (aside <= max(abs(ax), abs(ay)) * space if line else 2 * aside <= ahead)


def covers(terrain: Terrain, spell: Spell, origin: Cell, space: int, at: Cell, cell: Cell) -> bool:
    """Whether a blast, cone or line covers one open space: the same as its `template`, asked for a few spaces."""
    if spell.shape == "blast":
        near = terrain.distance(at, cell) <= spell.size
        return near and (at == cell or grade(terrain, at, cell) is not Grade.NONE)
    if terrain.distance(origin, cell, space) > spell.size or terrain.footprint(origin, space) >> cell & 1:
        return False
    if not _in_ray(terrain, origin, space, at, cell, line=spell.shape == "line"):
        return False
    return bool(visible(terrain, origin, space) >> cell & 1)


def _middle(terrain: Terrain, cell: Cell, space: int) -> tuple[int, int]:
    """The middle of a creature's spaces, in half spaces."""
    column, row = terrain.field.at(cell)
    return 2 * column + space, 2 * row + space


def _wall(terrain: Terrain, origin: Cell, space: int, at: Cell, length: int) -> int:
    """A row of spaces through `at`, across the way from the caster, up to what stands there already."""
    x, y = _middle(terrain, origin, space)
    gx, gy = _middle(terrain, at, 1)
    dx, dy = gx - x, gy - y
    if abs(dx) > 2 * abs(dy):
        step = (0, 1)
    elif abs(dy) > 2 * abs(dx):
        step = (1, 0)
    else:
        step = (1, -1) if (dx > 0) == (dy > 0) else (1, 1)
    free = terrain.everywhere & ~terrain.blocked
    if not free >> at & 1:
        return 0
    column, row = terrain.field.at(at)
    out = 1 << at
    for sign in (-1, 1):
        for far in range(1, length // 2 + 1):
            there = (column + sign * far * step[0], row + sign * far * step[1])
            if not terrain.field.inside(*there) or not free >> terrain.field.cell(*there) & 1:
                break
            out |= 1 << terrain.field.cell(*there)
    return out


Company = list[tuple[int, tuple[Cell, ...]]]
"""Creatures by number, with the spaces that they cover."""


class Magic:
    """What casting and using have in common: targets, areas, instances."""

    # -- targets

    def fault(self, context: Context, spell: Spell, action: Action) -> str | None:
        """Why a spell can't be cast with this target or at this space, or None."""
        if spell.aim == "space":
            return self._place_fault(context, spell, action.at)
        if spell.aim == "self":
            if action.target not in (None, context.fighter.id):
                return f"target: {spell.name} is cast on oneself"
            return self._nobody(context, spell) if spell.shape == "burst" else None
        if action.target is None and spell.aim != "ally":
            return f"target: {spell.name} needs a creature; there are {known_ids(context)}"
        who = context.who if action.target is None else find(context, action.target)  # without one: oneself
        if who is None:
            return f"target: {action.target!r} is nobody here; there are {known_ids(context)}"
        return self.target_fault(context, spell, who)

    @staticmethod
    def target_fault(context: Context, spell: Spell, who: int) -> str | None:
        """Why a spell can't be cast on this creature, or None."""
        fighter = context.setup.fighters[who]
        if (fighter.side == context.fighter.side) != (spell.aim == "ally"):
            return f"target: {fighter.name} is {'no ally' if spell.aim == 'ally' else 'on the same side'}"
        if context.dead(who):
            return f"target: {fighter.name} is dead"
        if (spell.only and fighter.kind not in spell.only) or fighter.kind in spell.spares:
            return f"target: {spell.name} does nothing to {fighter.name} ({fighter.kind or 'no kind'})"
        if who != context.who:
            distance = context.distance(who)
            if distance > spell.reach:
                return f"target: {fighter.name} is {distance} spaces away, {spell.name} reaches {spell.reach}"
            if context.sight(who) is Grade.NONE:
                return f"target: no line of sight to {fighter.name}"
        return useless(context, spell, who)

    def _nobody(self, context: Context, spell: Spell) -> str | None:
        cells = self.cells(context, spell, context.figure.cell)
        return None if marked(context, spell, cells) else f"nobody for {spell.name} is near enough"

    def _place_fault(self, context: Context, spell: Spell, at: Cell | None) -> str | None:
        if at is None:
            return "at: needs the space that it is cast at, as [column, row]"
        if not 0 <= at < context.field.width * context.field.height:
            return f"at: {at} is no space of this map"
        own = context.terrain.footprint(context.figure.cell, context.fighter.space)
        if spell.shape in ("cone", "line"):
            if own >> at & 1:
                return f"at: {spell.name} needs a direction, a space beside or further off"
            empty = not self.cells(context, spell, at)
            return f"at: nothing lies open towards {context.name(at)}" if empty else None
        distance = context.terrain.distance(at, context.figure.cell, 1, context.fighter.space)
        if distance > spell.reach:
            return f"at: {context.name(at)} is {distance} spaces away, {spell.name} reaches {spell.reach}"
        if context.terrain.blocked >> at & 1:
            return f"at: {context.name(at)} is no open space"
        if not (visible(context.terrain, context.figure.cell, context.fighter.space) | own) >> at & 1:
            return f"at: no line of sight to {context.name(at)}"
        if spell.summon is not None or spell.shape == "wall":
            if spell.zone != "thorns" and taken(context) >> at & 1:
                return f"at: somebody is on {context.name(at)}"
        return None

    def cells(self, context: Context, spell: Spell, at: Cell) -> int:
        """The spaces that a spell covers; a wall leaves out those where somebody is."""
        cells = template(context.terrain, spell, context.figure.cell, context.fighter.space, at)
        if spell.zone in ("stone", "force"):
            cells &= ~taken(context)
        return cells

    # -- instances

    def instances_of(self, context: Context, do: str, item: str, spell: Spell) -> Iterator[Action]:
        """The canonical actions: each target; of the spaces aimed at one for each company that it would catch."""
        by = context.fighter.id
        if spell.aim == "self":
            action = Action(by, do, item=item)
            if self.fault(context, spell, action) is None:
                yield action
        elif spell.aim == "space":
            for at in self._aims(context, spell):
                yield Action(by, do, item=item, at=at)
        else:
            friendly, side = spell.aim == "ally", context.fighter.side
            for who, (fighter, figure) in enumerate(zip(context.setup.fighters, context.state.figures, strict=True)):
                if figure.cell >= 0 and (fighter.side == side) == friendly:
                    if self.target_fault(context, spell, who) is None:
                        yield Action(by, do, item=item, target=fighter.id)

    def _aims(self, context: Context, spell: Spell) -> Iterator[Cell]:
        terrain, here = context.terrain, context.figure.cell
        foes = [figure.cell for _, fighter, figure in context.others()
                if fighter.side != context.fighter.side and figure.hp > 0]  # fmt: skip
        if spell.summon is not None:
            near = terrain.within(here, 1, context.fighter.space) & ~terrain.blocked & ~taken(context)
            free = [cell for cell in cells_of(near) if self._place_fault(context, spell, cell) is None]
            yield from sorted(free, key=lambda cell: min((terrain.distance(cell, foe) for foe in foes), default=0))
        elif spell.zone == "light":
            if self._place_fault(context, spell, here) is None:
                yield here
            yield from (cell for cell in dict.fromkeys(foes) if self._place_fault(context, spell, cell) is None)
        elif spell.shape == "wall":
            yield from self._before(context, spell, foes)
        else:
            yield from self._catching(context, spell, foes)

    def _before(self, context: Context, spell: Spell, foes: list[Cell]) -> Iterator[Cell]:
        """For walls: the free space beside each foe that is nearest to the caster."""
        terrain, here = context.terrain, context.figure.cell
        seen: set[Cell] = set()
        for foe in foes:
            beside = [cell for cell, _ in terrain.neighbours(foe) if self._place_fault(context, spell, cell) is None]
            best = min(beside, key=lambda cell: (terrain.distance(cell, here), cell), default=None)
            if best is not None and best not in seen:
                seen.add(best)
                yield best

    def _catching(self, context: Context, spell: Spell, foes: list[Cell]) -> Iterator[Cell]:
        """For areas that harm: one space for each set of creatures that can be caught with at least one foe in it."""
        terrain, here, space = context.terrain, context.figure.cell, context.fighter.space
        own = terrain.footprint(here, space)
        aims = 0
        for foe in foes:
            aims |= terrain.within(foe, spell.size if spell.shape == "blast" else 1)
        if spell.shape == "blast":
            aims &= terrain.within(here, spell.reach, space) & (visible(terrain, here, space) | own)
            aims &= ~terrain.blocked
        else:
            aims &= ~own
        crowd = _company(context, spell)
        caught: set[tuple[int, ...]] = set()
        for at in cells_of(aims):
            company = self._caught(context, spell, at, crowd)
            if company in caught or not any(
                context.setup.fighters[who].side != context.fighter.side for who in company
            ):
                continue
            caught.add(company)
            yield at

    @staticmethod
    def _caught(context: Context, spell: Spell, at: Cell, crowd: Company) -> tuple[int, ...]:
        """Whom a blast, cone or line at a space catches: those on any space that it covers."""
        terrain, here, space = context.terrain, context.figure.cell, context.fighter.space
        return tuple(
            who for who, cells in crowd if any(covers(terrain, spell, here, space, at, cell) for cell in cells)
        )

    # -- the casting

    def casting(
        self, context: Context, spell: Spell, action: Action, item: str = "", *, whole: bool = False
    ) -> Casting:
        """The casting that a legal action stands for; its spaces are worked out only if it is wanted `whole`."""
        rank = context.setup.grimoire.items[item].rank if item else 0
        grade, at, cells = Grade.CLEAR, -1, 0
        if spell.aim == "space":
            assert action.at is not None
            at = action.at
            cells = self.cells(context, spell, at) if whole else 0
            works = not spell.zone and spell.summon is None
            who = self._caught(context, spell, at, _company(context, spell)) if works else ()
        elif spell.shape == "burst":
            cells = self.cells(context, spell, context.figure.cell)
            who = tuple(marked(context, spell, cells))
        else:
            target = context.who if spell.aim == "self" else find(context, action.target)
            target = context.who if target is None else target
            who = (target,)
            if target != context.who:
                grade = context.sight(target)
        return prepare(context.state, context.who, spell, who, grade, at, cells, item, rank)


def _company(context: Context, spell: Spell) -> Company:
    """Those on whom a spell can work, with the spaces that they cover."""
    figures, fighters = context.state.figures, context.setup.fighters
    return [(who, context.terrain.space(figures[who].cell, fighters[who].space)) for who in eligible(context, spell)]


def eligible(context: Context, spell: Spell) -> list[int]:
    """Numbers of those whom a spell can work on at all, in the record's order."""
    found = []
    side = context.fighter.side
    for who, figure in enumerate(context.state.figures):
        fighter = context.setup.fighters[who]
        if figure.cell < 0 or (figure.hp <= 0 and (spell.does not in ("harm", "heal") or context.dead(who))):
            continue
        if spell.affects != "all" and (spell.affects == "foes") == (fighter.side == side):
            continue
        if (spell.only and fighter.kind not in spell.only) or fighter.kind in spell.spares:
            continue
        found.append(who)
    return found


def marked(context: Context, spell: Spell, cells: int) -> list[int]:
    """Numbers of those whom an area works on, in the record's order; a burst reaches the caster's own space, too.

    The caster itself is spared by its own burst, unless that works on friends.
    """
    terrain, figures, fighters = context.terrain, context.state.figures, context.setup.fighters
    spared = context.who if spell.shape == "burst" and spell.affects != "friends" else None
    return [
        who
        for who in eligible(context, spell)
        if who != spared and terrain.footprint(figures[who].cell, fighters[who].space) & cells
    ]


def taken(context: Context) -> int:
    """The bitboard of spaces where somebody is, on its feet or not."""
    found = 0
    for fighter, figure in zip(context.setup.fighters, context.state.figures, strict=True):
        if figure.cell >= 0:
            found |= context.terrain.footprint(figure.cell, fighter.space)
    return found


def useless(context: Context, spell: Spell, who: int) -> str | None:
    """Why a spell would do nothing at all for this target, or None: nobody wastes Mana unasked."""
    figure, fighter = context.state.figures[who], context.setup.fighters[who]
    if spell.does == "harm":
        return None  # whoever may be struck may be aimed at, the fallen too
    if spell.lasting is not None:
        return f"target: {fighter.name} is down" if figure.hp <= 0 else None
    if spell.does == "heal" and (figure.hp < fighter.hp_max or figure.bleeding):
        return None
    if spell.does == "mana" and figure.mana < fighter.mana_max:
        return None
    if spell.does == "faith" and figure.faith < fighter.faith_max:
        return None
    if spell.cures and ailing(figure, spell.cures):
        return None
    return f"target: {fighter.name} does not need {spell.name}"

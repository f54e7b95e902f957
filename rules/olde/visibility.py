"""What a side sees, what it therefore knows of the fight, and which events it witnesses (olde.md §5)."""

from __future__ import annotations

import msgspec

from rules.board.sight import ARM, Grade, Lamp, Spots, dark, grade, lit, seen_from, visible
from rules.board.sight_fan import memo_of
from rules.contract.ruleset import PARTY
from rules.contract.units import EMPTY, Bitboard, Cell, CreatureIx, numbered
from rules.core.secrets import doors_known
from rules.core.visibility import keep_look, looked, recalled
from rules.explore.goals import known as known_aims
from rules.explore.state import known as known_exploration
from rules.olde.conditions import terrain_of
from rules.olde.state import Figure, OldeState, Phase, Setup, able


def lamps(state: OldeState) -> tuple[Lamp, ...]:
    """The lights that creatures carry and that spells have made; a fallen bearer's burns on where it lies."""
    unlit = state.explore.unlit if state.explore is not None else 0  # put out before the fight
    carried = tuple(
        (figure.cell, fighter.space, fighter.light)
        for i, (fighter, figure) in numbered(zip(state.setup.fighters, state.figures, strict=True))
        if fighter.light and figure.cell >= 0 and not unlit >> i & 1
    )
    return carried + tuple((zone.centre, 1, zone.radius) for zone in state.zones if zone.kind.does.lights)


def sees(state: OldeState, side: str) -> Bitboard:
    """The bitboard of spaces that the living of a side see now, each with its own eyes. The latest are kept."""
    setup, terrain, figures, seen = state.setup, state.terrain, state.figures, EMPTY
    burning = lamps(state) if setup.darkness else ()
    if (last := looked(setup.views, side, figures, terrain, burning)) is not None:
        return last
    known = memo_of(terrain).visible
    for who, space, least, dark_sight in _eyes(setup, side):
        figure = figures[who]
        cell = figure.cell
        if cell >= 0 and figure.hp > least:
            if setup.darkness:
                seen |= seen_from(terrain, cell, space, burning, dark_sight)
            elif space == 1:
                seen |= known.get((cell, 1)) or visible(terrain, cell)
                seen |= 1 << cell
            else:
                seen |= visible(terrain, cell, space) | terrain.footprint(cell, space)
    keep_look(setup.views, side, (figures, terrain, burning, seen))
    return seen


def _eyes(setup: Setup, side: str) -> tuple[tuple[int, int, int, bool], ...]:
    """Number, size, hit points at which it is dead and whether it needs no light, of all on a side. Remembered."""
    eyes: tuple[tuple[int, int, int, bool], ...] | None = setup.memo.get(("eyes", side))
    if eyes is None:
        eyes = setup.memo["eyes", side] = tuple(
            (i, f.space, -f.hp_max, f.dark_sight) for i, f in numbered(setup.fighters) if f.side == side
        )
    return eyes


def glance(state: OldeState, side: str, wanted: Bitboard) -> Bitboard:
    """Those of some spaces that a side sees: as `sees` has it, but nobody looks farther than it takes."""
    setup, figures = state.setup, state.figures
    burning = lamps(state) if setup.darkness else ()
    if (last := looked(setup.views, side, figures, state.terrain, burning)) is not None:
        return last & wanted
    spots, found = Spots(state.terrain, wanted, shade=setup.darkness, burning=lambda: burning), EMPTY
    for who, space, least, dark_sight in _eyes(setup, side):
        figure = figures[who]
        if figure.cell >= 0 and figure.hp > least:
            found |= spots.seen_from(figure.cell, space, dark_sight=dark_sight, left=wanted & ~found)
            if found == wanted:
                break
    return found


def sight(state: OldeState, by: CreatureIx, start: Cell, target: CreatureIx, goal: Cell) -> Grade:
    """The line of sight of `by` standing at cell `start` to `target` standing at `goal`: none where it is dark, and
    one grade better where a spell sheds light (olde.md §9 magical light)."""
    setup, terrain = state.setup, state.terrain
    fighter, foe = setup.fighters[by], setup.fighters[target]
    found = grade(terrain, start, goal, fighter.space, foe.space)
    if state.zones and found in (Grade.PARTIAL, Grade.MINIMAL):
        there = terrain.footprint(goal, foe.space)
        if any(zone.kind.does.lights and zone.cells & there for zone in state.zones):
            found = Grade(found + 1)
    if not setup.darkness or found is Grade.NONE or fighter.dark_sight or not dark(terrain):
        return found
    if terrain.distance(start, goal, fighter.space, foe.space) <= ARM:
        return found
    return found if terrain.footprint(goal, foe.space) & lit(terrain, lamps(state)) else Grade.NONE


def observe(state: OldeState, *sides: str) -> OldeState:
    """The state as these sides together know it: their creatures and all that one of them sees; the rest leaves the
    board."""
    seen, terrain = sees(state, sides[0]) if sides else 0, state.terrain
    for side in sides[1:]:
        seen |= sees(state, side)
    unfound = lurkers(state, sides) if state.explore is not None else ()
    known: list[Figure] | None = None
    strangers: tuple[tuple[CreatureIx, int], ...] | None = state.setup.memo.get(("strangers", sides))
    if strangers is None:  # number and size of all that are on none of these sides
        others = ((i, f.space) for i, f in numbered(state.setup.fighters) if f.side not in sides)
        strangers = state.setup.memo["strangers", sides] = tuple(others)
    for who, space in strangers:
        figure = state.figures[who]
        cell = figure.cell
        if cell < 0:
            continue
        if who in unfound or not (1 << cell if space == 1 else terrain.footprint(cell, space)) & seen:
            if known is None:
                known = list(state.figures)
            known[who] = _gone(state.setup, who, figure)
    figures = state.figures if known is None else tuple(known)
    doors = recalled(state, sides)
    if doors != state.doors:
        terrain = terrain_of(state.setup, doors, state.zones, state.cleared)
    floor = tuple([lying for lying in state.floor if seen >> lying.cell & 1]) if state.floor else ()
    return msgspec.structs.replace(
        state, figures=figures, waves=(), rng=None, throw_at=0, floor=floor, viewer="+".join(sides), terrain=terrain,
        doors=doors_known(doors, state.found, sides),
        found=tuple([found for found in state.found if found[0] in sides]) if state.found else (),
        aims=state.aims if state.aims is None else known_aims(state.aims, sides, state.setup.field, seen),
        explore=known_exploration(state.explore, state.setup.fighters, sides, seen),
    )  # fmt: skip


def _gone(setup: Setup, who: CreatureIx, figure: Figure) -> Figure:
    """A creature that isn't seen: the same as it is, but nowhere. The latest is kept, as what asks for it may be."""
    known: tuple[Figure, Figure] | None = setup.memo.get(("gone", who))
    if known is None or known[0] is not figure:
        known = setup.memo["gone", who] = figure, msgspec.structs.replace(figure, cell=-1)
    return known[1]


# -- exploration -------------------------------------------------------------------------------------------

EXPLORATION = "olde.md §8"


def is_hero(setup: Setup, who: CreatureIx) -> bool:
    """Whether somebody explores: the players' characters do, everybody else keeps watch."""
    return setup.fighters[who].side == PARTY


def lurkers(state: OldeState, sides: tuple[str, ...]) -> frozenset[int]:
    """Numbers of those in hiding of whom these sides don't know, as long as they explore."""
    if state.explore is None or state.phase is not Phase.EXPLORE:
        return frozenset()
    hides, spotted = state.explore.hides, state.explore.spotted
    strangers = (i for i, fighter in numbered(state.setup.fighters) if fighter.side not in sides)
    return frozenset(i for i in strangers if i < len(hides) and hides[i] > 0 and not spotted >> i & 1)


def waiting(state: OldeState) -> list[int]:
    """The heroes who may still do something in this minute, in the record's order."""
    heroes = (i for i, figure in numbered(state.figures) if is_hero(state.setup, i) and able(figure))
    return [i for i in heroes if not state.exploring.done >> i & 1 and not state.exploring.busy[i]]

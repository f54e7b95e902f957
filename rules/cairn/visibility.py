"""What a side sees and knows; sealed plans are nobody else's (cairn.md §1, §3)."""

from __future__ import annotations

import msgspec

from rules.board.fixtures import DoorState
from rules.board.grid import Terrain
from rules.board.sight import ARM, Lamp, Spots, dark, lit, seen_from, visible
from rules.cairn.conditions import BLIND, GLOWING, INVISIBLE, TRUE_SIGHT, UNSEEN
from rules.cairn.magic.ground import GAZE, cells_that, seen_through, terrain_of, without
from rules.cairn.state import EXPLORE_PHASE, CairnState, Does, Figure, Resolution, Setup, aloft, light_of, sees_in_dark
from rules.contract.events import Challenge as Told
from rules.contract.events import Roll
from rules.contract.units import EMPTY, Bitboard, Cell, CreatureIx, numbered
from rules.core.fixtures import challenges
from rules.core.kept import of_each
from rules.core.secrets import discovery, doors_known, known_to_all, snares, with_secret
from rules.core.visibility import keep_look, looked, recalled
from rules.explore.goals import known as known_aims
from rules.explore.state import known as known_exploration


def lamps(state: CairnState) -> tuple[Lamp, ...]:
    """The lights that creatures carry, and those that powers made."""
    beings, figures = state.setup.beings, state.figures

    def lights(who: CreatureIx) -> tuple[int, bool]:
        return light_of(state.setup, beings[who], figures[who]), figures[who].has(GLOWING)

    found = of_each(state.terrain, "lights", figures, lights)
    here = [(b, f, each) for b, f, each in zip(beings, figures, found, strict=True) if each[0] or each[1]]
    here = [(b, f, each) for b, f, each in here if f.cell >= 0]
    carried = [(f.cell, b.space, light) for b, f, (light, _) in here if light]
    carried += [(f.cell, b.space, 8) for b, f, (_, glows) in here if glows]
    carried += [(zone.at, 1, 8) for zone in state.zones if Does.LIGHT in zone.kind.does and zone.at >= 0]
    return tuple(carried)


def eyes(state: CairnState, who: CreatureIx, burning: tuple[Lamp, ...] | None = None) -> Bitboard:
    """The spaces in which a creature sees somebody stand; `burning`: the lights, where they are known already."""
    being, figure = state.setup.beings[who], state.figures[who]
    terrain: Terrain = seen_through(state, who)
    own = terrain.footprint(figure.cell, being.space)
    if figure.has(BLIND):
        return own | terrain.within(figure.cell, ARM, being.space)
    if state.setup.darkness:
        burning = lamps(state) if burning is None else burning
        seen = seen_from(terrain, figure.cell, being.space, burning, sees_in_dark(state.setup, being, figure))
    else:
        seen = visible(terrain, figure.cell, being.space) | own
    if cells_that(state.zones, Does.VEIL | Does.DARKEN):  # neighbours find each other, but for walls between
        firm = msgspec.structs.replace(state, zones=without(state.zones, Does.VEIL))
        bare = terrain_of(state.setup, state.doors, firm.zones, state.cleared)
        near = seen_through(msgspec.structs.replace(firm, terrain=bare), who)
        own |= terrain.within(figure.cell, ARM, being.space) & visible(near, figure.cell, being.space)
    return seen & ~cells_that(state.zones, Does.DARKEN) | own


def seen_in(state: CairnState, by: CreatureIx, start: Cell, goal: Cell, size: int = 1) -> bool:
    """Whether a creature of a size at `goal` stands in light, as `by` sees it from `start` (A30): any of it will do."""
    terrain = state.terrain
    if terrain.distance(start, goal, state.setup.beings[by].space, size) <= ARM:
        return True
    there = terrain.footprint(goal, size) & ~cells_that(state.zones, Does.DARKEN)
    if not there or not state.setup.darkness or not dark(terrain):
        return bool(there)
    sharp = sees_in_dark(state.setup, state.setup.beings[by], state.figures[by])
    return sharp or bool(lit(terrain, lamps(state)) & there)


def unseen(state: CairnState, by: CreatureIx, target: CreatureIx, start: Cell) -> str:
    """Why `by`, standing at `start`, can't make out `target` at all; empty if it can.

    The invisible are nobody's targets. Those unseen by nature, and everybody for the blind, are found at arm's length.
    """
    figure, eye = state.figures[target], state.figures[by]
    if state.setup.beings[by].side == state.setup.beings[target].side or eye.has(TRUE_SIGHT):
        return ""
    if figure.has(INVISIBLE):
        return "is invisible"
    if not (figure.has(UNSEEN) or eye.has(BLIND)):
        return ""
    sizes = (state.setup.beings[by].space, state.setup.beings[target].space)
    if state.terrain.distance(start, figure.cell, *sizes) <= ARM:
        return ""
    return "is unseen" if figure.has(UNSEEN) else "is out of a blind reach"


def stares(setup: Setup, who: CreatureIx) -> bool:
    """Whether somebody has a gaze that one may look away from (cairn.md §3)."""
    powers = setup.armoury.powers
    return any(GAZE in powers[name].tags for name in setup.beings[who].powers)


def sees(state: CairnState, side: str) -> Bitboard:
    """The bitboard of spaces that a side's creatures still in the fight see. The latest are kept."""
    known = looked(state.setup.views, side, state.figures, state.terrain, state.zones)
    if known is not None:
        return known
    setup, figures, seen = state.setup, state.figures, EMPTY
    burning = lamps(state) if setup.darkness else ()

    def view(who: CreatureIx) -> Bitboard:
        own = setup.beings[who].side == side and figures[who].present
        return eyes(state, who, burning) if own else EMPTY

    also = setup.beings, setup.darkness, burning, state.zones
    for board in of_each(state.terrain, f"eyes of {side}", figures, view, also):
        seen |= board
    keep_look(state.setup.views, side, (state.figures, state.terrain, state.zones, seen))
    return seen


def glance(state: CairnState, side: str, wanted: Bitboard) -> Bitboard:
    """Those of some spaces that a side sees: as `sees` has it, but nobody looks farther than it takes."""
    setup, terrain, found = state.setup, state.terrain, EMPTY
    known = looked(setup.views, side, state.figures, terrain, state.zones)
    if known is not None or state.zones:
        return (sees(state, side) if known is None else known) & wanted
    spots = Spots(terrain, wanted, shade=setup.darkness, burning=lambda: lamps(state))
    for being, figure in zip(setup.beings, state.figures, strict=True):
        if being.side != side or not spots.first <= figure.cell < spots.end or not figure.present:
            continue
        if figure.has(BLIND):
            found |= wanted & (
                terrain.footprint(figure.cell, being.space) | terrain.within(figure.cell, ARM, being.space)
            )
            continue
        sharp = not spots.shade or sees_in_dark(setup, being, figure)
        found |= spots.seen_from(figure.cell, being.space, dark_sight=sharp, left=wanted & ~found)
        if found == wanted:
            break
    return found


def observe(state: CairnState, *sides: str) -> CairnState:
    """The state as these sides together know it: the unseen and the hidden are gone, others' plans are sealed."""
    seen, terrain, beings = EMPTY, state.terrain, state.setup.beings
    for side in sides:
        seen |= sees(state, side)
    figures = _made_out(state, sides, seen)
    plans = tuple([plan if being.side in sides else None for plan, being in zip(state.plans, beings, strict=True)])
    doors = doors_known(recalled(state, sides), state.found, sides)
    if doors != state.doors:
        terrain = terrain_of(state.setup, doors, state.zones, state.cleared)
    floor = tuple(lying for lying in state.floor if seen >> lying.cell & 1)
    return msgspec.structs.replace(
        state, figures=figures, plans=plans, rng=None, throw_at=0, floor=floor, doors=doors,
        terrain=terrain, viewer="+".join(sides), found=tuple(known for known in state.found if known[0] in sides),
        aims=state.aims if state.aims is None else known_aims(state.aims, sides, state.setup.field, seen),
        explore=known_exploration(state.explore, beings, sides, seen), waves=(),
    )  # fmt: skip


def _made_out(state: CairnState, sides: tuple[str, ...], seen: Bitboard) -> tuple[Figure, ...]:
    """The figures as these sides know them; the same tuple while nothing of it has changed."""
    memo, key = state.setup.memo, (state.figures, state.terrain, state.zones, state.explore)
    latest = memo.get(("made out", sides))
    if latest is not None and all(had is has for had, has in zip(latest[0], key, strict=True)) and latest[1] == seen:
        kept: tuple[Figure, ...] = latest[2]
        return kept
    beings, terrain, known = state.setup.beings, state.terrain, []
    for who, figure in numbered(state.figures):
        own = beings[who].side in sides
        there = own or (figure.cell >= 0 and bool(terrain.footprint(figure.cell, beings[who].space) & seen))
        if not own and (not there or hidden_from(state, who, sides)):
            figure = msgspec.structs.replace(figure, cell=-1)
        known.append(figure)
    found = tuple(known)
    memo["made out", sides] = key, seen, found
    return found


def hidden_from(state: CairnState, who: CreatureIx, sides: tuple[str, ...]) -> bool:
    """Nobody of these sides makes a creature out."""
    figure, now = state.figures[who], state.explore
    # who was called up just now hides not
    if (
        now is not None and state.phase == EXPLORE_PHASE and who < len(now.hides)
    ):  # who was called up just now hides not
        if now.hides[who] and not now.spotted >> who & 1:
            return True
    if not (figure.has(INVISIBLE) or figure.has(UNSEEN)):
        return False
    eyes_there = [i for i, f in numbered(state.figures) if state.setup.beings[i].side in sides and f.present]
    return all(unseen(state, i, who, state.figures[i].cell) for i in eyes_there)


def door_state(state: CairnState | Resolution, side: str, number: int) -> str:
    """How a door stands as far as a side knows: a secret one that it has found is a closed door."""
    now = state.doors[number]
    return doors_known(state.doors, state.found, (side,))[number] if now == DoorState.SECRET else now


def door_named(state: CairnState | Resolution, side: str, name: str | None) -> int | None:
    """The number of a door that a side knows of, by its name."""
    for number, door in enumerate(state.setup.field.doors):
        if door.id == name and door_state(state, side, number) != DoorState.SECRET:
            return number
    return None


def known_snares(state: CairnState | Resolution, who: CreatureIx) -> int:
    """Bitboard of the spaces with armed traps that somebody's side knows of; none matters to what is off the floor."""
    being, figure = state.setup.beings[who], state.figures[who]
    if not state.found or aloft(being, figure):
        return 0
    key, memo = ("snares", state.challenges, state.found, being.side), state.terrain.memo
    found: Bitboard | None = memo.get(key)
    if found is None:
        found = memo[key] = Bitboard(snares(state.setup.field, state.challenges, state.found, being.side, known=True))
    return found


def armed(resolution: Resolution, who: CreatureIx, before: Cell, there: Cell, *, thrown: bool = False) -> list[int]:
    """The armed traps that a step leads onto: those that its side does not know of, or all where it is thrown there."""
    being = resolution.being(who)
    if not resolution.found or aloft(being, resolution.figures[who]):
        return []
    onto = resolution.terrain.footprint(there, being.space) & ~resolution.terrain.footprint(before, being.space)
    field, found = resolution.setup.field, resolution.found
    return [i for i, _ in challenges.armed(field, resolution.challenges, found, being.side, onto, thrown=thrown)]


def set_state(
    resolution: Resolution, number: int, state: str, by: CreatureIx, *, inside: str = "", how: str = "",
    rolls: tuple[Roll, ...] = (),
) -> None:  # fmt: skip
    """A trap or a chest stands otherwise from now on, and everybody knows of it; `inside`: what was in it."""
    field = resolution.setup.field
    one = field.challenges[number]
    resolution.challenges = (*resolution.challenges[:number], state, *resolution.challenges[number + 1 :])
    resolution.found = known_to_all(resolution.found, len(field.doors) + number)
    resolution.events.append(Told(
        by=resolution.being(by).id, challenge=one.id, kind=one.kind, state=state, at=resolution.space(one.cells[0]),
        contents=inside, how=how, rolls=rolls
    ))  # fmt: skip


def learn(resolution: Resolution, who: CreatureIx, secret: int) -> None:
    """Somebody has found a secret for its side."""
    being = resolution.being(who)
    resolution.found = with_secret(resolution.found, being.side, secret)
    sides = [each.side for each in resolution.setup.beings]
    resolution.events.append(discovery(resolution.setup.field, secret, being.id, being.side, sides))

"""Trips, shoves and grips: who saves, with what chance, and where a shove ends (cairn.md §2.12)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from rules.board.grid import MAX_SIDE
from rules.board.path import step_fault
from rules.cairn.actions.movement import heading, over_edge, push
from rules.cairn.conditions import MAWS, PRONE, RESTRAINED, ROOTED, UNCONSCIOUS
from rules.cairn.magic.ground import beside, touched
from rules.cairn.magic.worn import worn
from rules.cairn.saves import afflict, passes, save
from rules.cairn.state import (
    CairnState,
    Figure,
    Lasting,
    Resolution,
    able,
    aloft,
    fighting,
    helpless,
    present,
)
from rules.contract.actions import Action

OVER = "edge"
"""The word of `shoved` for a fall out of the fight."""


@lru_cache(maxsize=64)
def save_chance(attribute: int) -> Fraction:
    """Chance to pass a save."""
    return Fraction(sum(passes(face, attribute) for face in range(1, 21)), 20)


def better(figure: Figure) -> str:
    """The attribute for what either may do: STR, unless DEX is higher."""
    return "str" if figure.str_now >= figure.dex_now else "dex"


def attribute_of(figure: Figure, option: str) -> str:
    """What the actor of a manoeuvre saves with: STR, for a trip DEX where that is better."""
    return better(figure) if option == "trip" else "str"


def barbed(state: CairnState | Resolution, who: int) -> bool:
    """Whether somebody wears what nobody should lay hands on (cairn.md §5.5, Barbed Epaulets)."""
    table = state.setup.armoury.armor
    return any(table[item].barbs for item in worn(state.setup, state.setup.beings[who], state.figures[who]))


def manoeuvre_chance(state: CairnState, who: int, target: int, option: str) -> Fraction:
    """Chance that it comes off: barbs that hold one off, then the actor's own save, unless nobody resists."""
    figure = state.figures[who]
    chance = Fraction(1)
    if not helpless(state.figures[target]):
        chance = save_chance(getattr(figure, f"{attribute_of(figure, option)}_now"))
    return chance * save_chance(figure.str_now) if barbed(state, target) else chance


def topples(state: CairnState, target: int) -> bool:
    """Whether a trip that comes off changes anything for blows on its target: the helpless have no protection left."""
    figure = state.figures[target]
    return figure.posture != "prone" and not helpless(figure) and PRONE.name not in state.setup.beings[target].immune


def gap(state: CairnState | Resolution, who: int, other: int) -> int:
    """Spaces between two creatures; more than any map has where one of them is on none."""
    beings, figures = state.setup.beings, state.figures
    a, b = figures[who].cell, figures[other].cell
    if a < 0 or b < 0:
        return MAX_SIDE
    return state.terrain.distance(a, b, beings[who].space, beings[other].space)


def gripped(state: CairnState | Resolution, who: int) -> bool:
    """Whether it is a foe's own hands or maw that hold somebody, not a net or the floor."""
    return any(holds_on(state, who, each) for each in state.figures[who].lasting)


def holds_on(state: CairnState | Resolution, who: int, each: Lasting) -> bool:
    """Whether a creature keeps up this grip on somebody: able to, where it is by hand; alive, where it is a maw."""
    holder = state.setup.index.get(each.by)
    if holder is None or gap(state, who, holder) > 1:
        return False
    if each.name in MAWS:
        return fighting(state.figures[holder])
    return each.name == RESTRAINED.name and bool(each.save) and able(state.figures[holder])


def loosened(state: CairnState | Resolution, who: int) -> list[str]:
    """The grips on somebody that nobody keeps up any more."""
    grips = (
        e for e in state.figures[who].lasting if e.by and (e.name in MAWS or (e.name == RESTRAINED.name and e.save))
    )
    return [each.name for each in grips if not holds_on(state, who, each)]


def shoved(state: CairnState, who: int, cell: int, other: int, size: int) -> str:
    """What becomes of somebody at a space who is shoved away from somebody of a size at another space: `edge`, the
    kind of changed ground that it comes onto, `moved`, or nothing where it is not moved at all."""
    field, terrain, being = state.setup.field, state.terrain, state.setup.beings[who]
    dx, dy = heading(field, cell, being.space, other, size)
    if (dx == 0 and dy == 0) or state.figures[who].has(ROOTED) or being.speed == 0:
        return ""
    x, y = field.at(cell)
    if not field.inside(x + dx, y + dy):
        return ""
    there = field.cell(x + dx, y + dy)
    off = aloft(being, state.figures[who])
    if over_edge(terrain, cell, there, being.space) and not off:
        return OVER
    if step_fault(terrain, cell, there, being.space) is not None:
        return ""
    space = terrain.footprint(there, being.space)
    if _others(state, who) & space:
        return ""
    kinds = touched(being, state.figures[who])
    return next((zone.kind for zone in state.zones if zone.kind in kinds and zone.cells & space), "moved")


def _others(state: CairnState, who: int) -> int:
    board = 0
    for i, figure in enumerate(state.figures):
        if i != who and present(figure) and not figure.critical:
            board |= state.terrain.footprint(figure.cell, state.setup.beings[i].space)
    return board


def manoeuvre(resolution: Resolution, who: int, action: Action) -> None:
    """The actor saves; on a failure it suffers the bad end itself (cairn.md §2.12). With the helpless there is no
    contest, and nothing to be risked."""
    target = resolution.setup.index[action.target or ""]
    if not present(resolution.figures[target]) or not beside(
        resolution.done(), who, resolution.figures[who].cell, target
    ):
        return
    if barbed(resolution, target) and not save(resolution, who, "str", "against the barbs"):
        afflict(resolution, who, UNCONSCIOUS, because="barbs")
        return
    attribute = attribute_of(resolution.figures[who], action.option or "")
    won = helpless(resolution.figures[target]) or save(
        resolution, who, attribute, f"{action.option} {resolution.being(target).name}"
    )
    loser, winner = (target, who) if won else (who, target)
    if action.option == "trip":
        afflict(resolution, loser, PRONE, because="tripped")
    elif action.option == "grapple":
        afflict(resolution, loser, RESTRAINED, because="grappled", save="str", by=resolution.being(winner).id)
    else:
        push(resolution, loser, winner, 1)

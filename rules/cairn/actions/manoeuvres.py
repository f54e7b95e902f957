"""Trips, shoves and grips: the actor is most at risk and saves (cairn.md §2.12)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType

import msgspec

from rules.board.path import step_fault
from rules.cairn.actions.context import NO_SAVE, ByHand, Context, Phase, save_odds, save_of
from rules.cairn.belongings import worn
from rules.cairn.combat.odds import Pool
from rules.cairn.conditions import PRONE, RESTRAINED, ROOTED, UNCONSCIOUS
from rules.cairn.magic.ground import beside, touches
from rules.cairn.movement import heading, over_edge, push
from rules.cairn.saves import afflict, better, save, save_chance
from rules.cairn.state import CairnState, Figure, Resolution, aloft, helpless, present
from rules.cairn.visibility import unseen
from rules.contract.actions import Action, Description
from rules.contract.ruleset import Odds
from rules.contract.text import joined, text
from rules.core.action_kinds import Face

OVER = "edge"
"""The word of `shoved` for a fall out of the fight."""


class Manoeuvre(ABC):
    """One manoeuvre: what it is saved with, and what becomes of who loses."""

    do: str
    note: str
    ends: tuple[str, str]  # what it comes to for the target, and for the actor where it goes wrong
    topples = False  # who loses lies there before blows fall
    moves = False  # who loses is moved, and may fall over an edge

    def attribute(self, figure: Figure) -> str:
        """What the actor saves with."""
        return "str"

    @abstractmethod
    def happen(self, resolution: Resolution, loser: int, winner: int) -> None:
        """The loser suffers it."""


class Trip(Manoeuvre):
    do = "trip"
    note = "to the floor, where Hit Protection counts as 0"
    ends = ("it lies on the floor", "one lies there oneself")
    topples = True

    def attribute(self, figure: Figure) -> str:
        return better(figure)

    def happen(self, resolution: Resolution, loser: int, winner: int) -> None:
        afflict(resolution, loser, PRONE, because="tripped")


class Shove(Manoeuvre):
    do = "shove"
    note = "a space back, over an edge if there is one"
    ends = ("it goes a space back", "one goes a space back oneself")
    moves = True

    def happen(self, resolution: Resolution, loser: int, winner: int) -> None:
        push(resolution, loser, winner, 1)


class Grapple(Manoeuvre):
    do = "grapple"
    note = "held fast, and it strikes impaired"
    ends = ("it is held", "one is held oneself")

    def happen(self, resolution: Resolution, loser: int, winner: int) -> None:
        afflict(resolution, loser, RESTRAINED, because="grappled", save="str", by=resolution.being(winner).id)


TRIP, SHOVE, GRAPPLE = Trip(), Shove(), Grapple()
MANOEUVRES: Mapping[str, Manoeuvre] = MappingProxyType({each.do: each for each in (TRIP, SHOVE, GRAPPLE)})


class Manoeuvres(ByHand):
    """Trip, shove or grapple a neighbour."""

    do = "manoeuvre"
    harms = True
    face = Face(
        "Manoeuvre", "Act", "action", "creature", "guide", "7", "trip, shove or grapple; STR save, a trip by DEX too"
    )
    phase = Phase.RISK
    rank = 2

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if action.option not in MANOEUVRES:
            return text(
                "option: needs one of {words}, got {option}", words=joined(", ", MANOEUVRES), option=repr(action.option)
            )
        target = context.find(action.target)
        if target is None or context.state.figures[target].dead:
            return text("target: {target} is not here", target=repr(action.target))
        if target == context.who:
            return "target: that takes two"
        if not context.beside(target):
            return text("target: {name} is not adjacent", name=context.setup.beings[target].creature)
        hidden = unseen(context.state, context.who, target, context.place)
        if hidden:
            return text("target: {name} {hidden}", name=context.setup.beings[target].creature, hidden=hidden)
        if context.befriended(target):
            return text("target: charmed, it won't harm {name}", name=context.setup.beings[target].creature)
        return None

    def candidates(self, context: Context) -> Iterator[Action]:
        for target in context.others():
            foe = context.setup.beings[target]
            if foe.side != context.being.side and context.distance(target) <= 1:
                for option in MANOEUVRES:
                    yield Action(context.being.id, self.do, target=foe.id, option=option)

    def describe(self, context: Context, action: Action | None = None) -> Description:
        said = self.face.described()
        if action is None or not action.option:
            return said
        known = MANOEUVRES.get(action.option)
        notes = (known.note if known is not None else "",)
        return msgspec.structs.replace(said, label=action.option.capitalize(), notes=notes)

    def odds(self, context: Context, action: Action) -> Odds | None:
        state, target = context.state, context.setup.index.get(action.target or "")
        known = MANOEUVRES.get(action.option or "")
        if target is None or known is None:
            return None
        foe, figure = context.setup.beings[target], state.figures[target]
        chance = manoeuvre_chance(state, context.who, target, known)
        good, bad = known.ends
        notes: list[tuple[str, str]] = [(text("passed: {good}; failed: {bad}", good=good, bad=bad), "cairn.md §2.12")]
        drop = Fraction(0)
        if known.moves:
            if shoved(state, target, figure.cell, context.stand, context.being.space) == OVER:
                drop = chance
                notes.append((text("{name} stands at an edge and would fall", name=foe.creature), "cairn.md §2.12"))
            if shoved(state, context.who, context.stand, figure.cell, foe.space) == OVER:
                notes.append(("an edge is at one's own back", "cairn.md §2.12"))
        dice = save_of(context.figure, known.attribute(context.figure))
        if barbed(state, target):
            notes.append(("barbs: a STR save first, or one faints", "cairn.md §5.5"))
        if helpless(figure):
            notes.append(("nobody resists: no save", "cairn.md §2.12"))
            dice = save_of(context.figure, "str") if barbed(state, target) else NO_SAVE
        return save_odds(chance, ("comes off", "goes wrong"), dice, tuple(notes), drop)

    def pooled(self, context: Context, action: Action, target: int, pool: Pool) -> Pool:
        """What its side's attacks on a target come to with it: a trip has it on the floor first."""
        known = MANOEUVRES.get(action.option or "")
        if known is None or not known.topples or not topples(context.state, target):
            return pool
        chance = manoeuvre_chance(context.state, context.who, target, known)
        note = (
            text("{name} trips it first: {chance}", name=context.being.creature, chance=f"{float(chance):.0%}"),
            "cairn.md §2.12",
        )
        return pool._replace(prone=1 - (1 - pool.prone) * (1 - chance), notes=(*pool.notes, note))

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        """The actor saves; on a failure it suffers the bad end itself. With the helpless there is no contest, and
        nothing to be risked."""
        target = resolution.setup.index[action.target or ""]
        figure = resolution.figures[who]
        known = MANOEUVRES[action.option or ""]
        if not present(resolution.figures[target]) or not beside(resolution.done(), who, figure.cell, target):
            return
        if barbed(resolution, target) and not save(resolution, who, "str", "against the barbs"):
            afflict(resolution, who, UNCONSCIOUS, because="barbs")
            return
        attribute, foe = known.attribute(resolution.figures[who]), resolution.being(target).creature
        won = helpless(resolution.figures[target]) or save(
            resolution, who, attribute, text("{manoeuvre} {foe}", manoeuvre=known.do, foe=foe)
        )
        loser, winner = (target, who) if won else (who, target)
        known.happen(resolution, loser, winner)


def manoeuvre_chance(state: CairnState, who: int, target: int, manoeuvre: Manoeuvre) -> Fraction:
    """Chance that it comes off: barbs that hold one off, then the actor's own save, unless nobody resists."""
    figure = state.figures[who]
    chance = Fraction(1)
    if not helpless(state.figures[target]):
        chance = save_chance(getattr(figure, f"{manoeuvre.attribute(figure)}_now"))
    return chance * save_chance(figure.str_now) if barbed(state, target) else chance


def barbed(state: CairnState | Resolution, who: int) -> bool:
    """Whether somebody wears what nobody should lay hands on (cairn.md §5.5, Barbed Epaulets)."""
    table = state.setup.armoury.armor
    return any(table[item].barbs for item in worn(state.setup, state.setup.beings[who], state.figures[who]))


def topples(state: CairnState, target: int) -> bool:
    """Whether a trip that comes off changes anything for blows on its target: the helpless have no protection left."""
    figure = state.figures[target]
    return figure.posture != "prone" and not helpless(figure) and PRONE.name not in state.setup.beings[target].immune


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
    figure = state.figures[who]
    return next((zone.kind for zone in state.zones if zone.cells & space and touches(zone, being, figure)), "moved")


def _others(state: CairnState, who: int) -> int:
    board = 0
    for i, figure in enumerate(state.figures):
        if i != who and present(figure) and not figure.critical:
            board |= state.terrain.footprint(figure.cell, state.setup.beings[i].space)
    return board

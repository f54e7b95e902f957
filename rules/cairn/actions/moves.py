"""Moving: a move, a dash, getting up; and leaving the fight for good (cairn.md §2.7, §2.8)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from rules.board.bitboard import board_of, cells_of
from rules.board.fixtures import Challenge
from rules.board.grid import Terrain
from rules.board.path import path_cost, path_fault, step_cost
from rules.cairn.actions.context import NO_SAVE, STAND, CairnKind, Context, Phase, save_odds, save_of
from rules.cairn.combat.injury import leave
from rules.cairn.conditions import PRONE, RETREATED
from rules.cairn.movement import clamber, deep_at, rise, walk
from rules.cairn.state import Plan, Resolution, save_chance
from rules.cairn.trials import RULE, note, terms_of
from rules.cairn.visibility import eyes, known_snares, unseen
from rules.contract.actions import Action, Description
from rules.contract.ruleset import Odds
from rules.contract.text import text
from rules.contract.units import EMPTY, Bitboard, Cell, CreatureIx, Feet
from rules.core.action_kinds import Face
from rules.core.fixtures.obstacles import STAIRS, climbs

FEET = Feet(5)
"""Feet a space."""


class Move(CairnKind):
    """A way over free ground."""

    do = "move"
    turns = None
    face = Face("Move", "Move", "40 ft", "path", "step", "2")
    phase = Phase.MOVE
    rank = 1

    def why_not(self, context: Context) -> str | None:
        if (reason := self._spent(context)) is not None:
            return reason
        if context.plan.whole_turn:
            return "retreating takes the whole turn"
        return None if self.budget(context) else "cannot move: held, or too weak to rise"

    def _spent(self, context: Context) -> str | None:
        return "one move a round; dash is the second, and takes the action" if context.plan.moved else None

    def start(self, context: Context) -> Cell:
        """The space that it sets out from: where the other movement ends, if that was planned before."""
        return context.place if context.plan.second_path else context.figure.cell

    def budget(self, context: Context) -> int:
        """Spaces that it may go; standing up takes some of them."""
        return max(0, context.budget - context.standing_cost())

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if not action.path:
            return "path: needs the spaces entered"
        start, size = self.start(context), context.being.space
        reason = path_fault(context.ground, start, action.path, size)
        if reason is not None:
            return reason
        cost = path_cost(context.ground, start, action.path, size)
        if cost > self.budget(context):
            return text("path: {cost} spaces of movement; {most} left", cost, self.budget(context))
        foes, allies = context.crowd()
        own = context.terrain.footprint(start, size)  # somebody large may have come to stand half over it
        foes, ward, leash = foes & ~own, context.wards() & ~own, context.leash(start) & ~own
        for cell in action.path:
            entered = context.terrain.footprint(cell, size)
            if entered & foes:
                return text("path: a foe stands on {space}", context.name(cell))
            if entered & ward:
                return text("path: a ward keeps it out of {space}", context.name(cell))
            if entered & leash:
                return text("path: tethered, it cannot come to {space}", context.name(cell))
        last = action.path[-1]
        end = context.terrain.footprint(last, size)
        if end & context.terrain.pits:
            return text("path: nobody stays above {space}", context.name(last))
        if end & known_snares(context.state, context.who):
            return text("path: {space} has a known trap; step over it", context.name(last))
        return text("path: {space} is taken by an ally", context.name(last)) if end & allies else None

    def instances(self, context: Context) -> Iterator[Action]:
        if self.why_not(context) is not None:
            return iter(())
        name, do, ways = context.being.id, self.do, context.ways(self.start(context), self.budget(context))
        return iter([Action(name, do, path=path) for path in ways.paths()])

    def odds(self, context: Context, action: Action) -> Odds | None:
        """The chance to swim all the water on the way; None where there is none."""
        chance, start, asked = Fraction(1), self.start(context), ""
        for cell in action.path if context.setup.fixtures else ():
            water = deep_at(context.state, context.who, start, cell)
            if water is not None:
                terms = terms_of(context.state, context.figure, "swim", water.difficulty)
                chance, asked = chance * terms.chance, terms.dice
            start = cell
        if not asked:
            return None
        note = ("a save for each space of water; failed in it: d4 STR, and no farther", RULE)
        return save_odds(chance, ("swims it", "held up"), asked, (note,))

    def describe(self, context: Context, action: Action | None = None) -> Description:
        """How far it goes depends on who makes it."""
        most, start, size = FEET * self.budget(context), self.start(context), context.being.space
        gone = None
        if action is not None and action.path and path_fault(context.ground, start, action.path, size) is None:
            gone = FEET * path_cost(context.ground, start, action.path, size)
        return self.face.described(self._cost(most, gone))

    def _cost(self, most: Feet, gone: Feet | None) -> str | None:
        """What it costs, of so many feet that are to be had, along a way if there is one."""
        return text("{most} ft", most) if gone is None else text("{cost} of {most} ft", gone, most)

    def planned(self, plan: Plan, action: Action) -> Plan:
        """Of two movements the one that was planned first comes first."""
        if plan.second_path and plan.action is not None:
            first, second = plan.second_path, msgspec.structs.replace(plan.action, path=action.path)
            return msgspec.structs.replace(plan, path=first, moved=True, action=second, second_path=action.path)
        return msgspec.structs.replace(plan, path=action.path, moved=True, action_first=plan.action is not None)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        walk(resolution, who, _within(resolution, who, action.path), self.do)


class Dash(Move):
    """The second move, in place of an action."""

    do = "dash"
    face = Face("Dash", "Move", "action", "path", "run", "3", "a second move")
    rank = 2
    last = True
    noticed = False

    def _spent(self, context: Context) -> str | None:
        return context.action_open()

    def start(self, context: Context) -> Cell:
        return context.place

    def _cost(self, most: Feet, gone: Feet | None) -> str | None:
        return None if gone is None else text("{gone} of {most} ft · {cost}", gone, most, self.face.cost)

    def planned(self, plan: Plan, action: Action) -> Plan:
        return msgspec.structs.replace(CairnKind.planned(self, plan, action), second_path=action.path)

    def word(self, action: Action) -> str:
        return self.do.capitalize()


class Stand(CairnKind):
    """To rise without moving on: part of the move."""

    do = "stand"
    turns = 0
    face = Face("Stand up", "Move", "2 of the move", "none", "rise", "z")
    phase = Phase.MOVE
    rank = 2

    def why_not(self, context: Context) -> str | None:
        if context.figure.posture != PRONE.name:
            return "already standing"
        if context.figure.critical:
            return "critical damage: it can only crawl"
        if context.plan.moved:
            return "one move a round"
        if context.plan.whole_turn:
            return "retreating takes the whole turn"
        return None if context.budget >= STAND else "too weak to rise"

    def planned(self, plan: Plan, action: Action) -> Plan:
        late = plan.action is not None and not plan.second_path
        return msgspec.structs.replace(plan, stand=True, moved=True, action_first=late)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        if Context(resolution.done(), who).budget >= STAND:
            rise(resolution, who)


class Retreat(CairnKind):
    """Leave the fight for good: the whole turn, a DEX save while foes are about (cairn.md §2.8)."""

    do = "retreat"
    turns = None
    face = Face("Retreat", "Act", "whole turn", "none", "run", "x", "DEX save, or the turn is lost")
    phase = Phase.RISK
    rank = 2
    last = True
    whole_turn = True
    reveals = False  # who is not seen to go needs no save

    def why_not(self, context: Context) -> str | None:
        reason = context.action_open()
        if reason is not None:
            return reason
        if context.plan.moved:
            return "retreating takes the whole turn"
        if context.budget <= 0:
            return "cannot move"
        if refuge(context):
            return None
        return "no safe place to run to: a space at the map's edge or out of every foe's sight"

    def chance(self, context: Context) -> Fraction:
        """Chance to get away: no save while every foe is down, helpless or out of contact, nor of anybody but a
        player's character (A16)."""
        if not context.being.pc or not watched(context):
            return Fraction(1)
        return save_chance(context.figure.dex_now)

    def odds(self, context: Context, action: Action) -> Odds | None:
        chance, words = self.chance(context), ("gets away", "the turn is lost")
        if chance == 1:
            note = ("no able foe sees it, or it is no player's character", "cairn.md §2.8")
            return save_odds(chance, words, NO_SAVE, (note,))
        note = ("an able foe is watching: failed, the turn is lost", "cairn.md §2.8")
        return save_odds(chance, words, save_of(context.figure, "dex"), (note,))

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        contact = watched(Context(resolution.done(), who))
        if not contact or not resolution.being(who).pc or resolution.save(who, "dex", "retreat"):
            leave(resolution, who, RETREATED)


class Climb(CairnKind):
    """By stairs or a ladder to another level; with `fixtures` over a face or wall, by a save. It takes the action
    (cairn.md §2.14)."""

    do = "climb"
    face = Face("Climb", "Move", "action", "space", "climb", "shift+2", "stairs, a ladder; a face or wall by a save")
    phase = Phase.RISK
    rank = 2

    @staticmethod
    def goals(context: Context) -> dict[Cell, Challenge | None]:
        """Where it could climb to from where it will stand."""
        return climbs(context.terrain, context.stand, context.being.space, faces=context.setup.fixtures)

    def why_not(self, context: Context) -> str | None:
        if reason := context.action_open() or (None if context.budget else "cannot move"):
            return reason
        return None if self.goals(context) else "nothing to climb beside"

    def why_not_this(self, context: Context, action: Action) -> str | None:
        goals = self.goals(context)
        if action.at not in goals:
            return "at: needs a space beyond what is climbed, or joined by stairs or a ladder"
        foes, allies = context.crowd()
        taken = context.terrain.footprint(action.at, context.being.space) & (foes | allies) if action.at else 0
        return text("at: {space} is taken", context.name(action.at)) if taken and action.at is not None else None

    def candidates(self, context: Context) -> Iterator[Action]:
        for cell in self.goals(context):
            yield Action(context.being.id, self.do, at=cell)

    def describe(self, context: Context, action: Action | None = None) -> Description:
        face = self.face if context.setup.fixtures else self.face._replace(note=STAIRS)
        return face.described()

    def odds(self, context: Context, action: Action) -> Odds | None:
        hurdle = self.goals(context).get(action.at) if action.at is not None else None
        if hurdle is None:
            return None
        terms = terms_of(context.state, context.figure, "climb", hurdle.difficulty)
        told = text("failed: a fall of {height}d6", hurdle.height) if hurdle.height else "failed: one falls prone"
        return save_odds(terms.chance, ("gets over", "falls"), terms.dice, note(terms, told))

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        """If one got to where it is climbed from, and is able to."""
        context = Context(resolution.done(), who)
        faces = context.setup.fixtures
        goals = climbs(context.terrain, context.figure.cell, context.being.space, faces=faces)
        if action.at in goals and action.at is not None and context.budget:
            clamber(resolution, who, action.at, goals[action.at])


MOVE, DASH, STAND_UP, RETREAT, CLIMB = Move(), Dash(), Stand(), Retreat(), Climb()


def _within(resolution: Resolution, who: CreatureIx, path: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """As much of a planned way as can still be gone: one may have been floored, held or hurt since it was planned."""
    context = Context(resolution.done(), who)
    left, cell = context.budget - (STAND if context.figure.prone else 0), context.figure.cell
    ground, space = context.ground, context.being.space
    for number, there in enumerate(path):
        left -= max(1, step_cost(ground, cell, there, space))
        if left < 0:
            return path[:number]
        cell = there
    return path


def refuge(context: Context) -> bool:
    """Whether it can get to the map's edge, or to where no able foe sees any of it, within two moves."""
    budget, size = 2 * context.budget - context.standing_cost(), context.being.space
    found, edge = context.ways(context.figure.cell, budget).cells | 1 << context.figure.cell, _edge(context.terrain)
    if found & edge:
        return True
    seen = EMPTY
    for foe in context.foes():
        if context.state.figures[foe].able:
            seen |= eyes(context.state, foe)
    if size == 1:
        return bool(found & ~seen)
    ends = (context.terrain.footprint(cell, size) for cell in cells_of(found))
    return any(there & edge or not there & seen for there in ends)


def _edge(terrain: Terrain) -> Bitboard:
    """The outermost spaces of the map."""
    found: Bitboard | None = terrain.memo.get("edge")
    if found is None:
        width, last = terrain.field.width, terrain.field.width * (terrain.field.height - 1)
        rows = (*range(width), *range(last, last + width))
        columns = (*range(0, last + 1, width), *range(width - 1, last + width, width))
        found = terrain.memo["edge"] = board_of((*rows, *columns))
    return found


def watched(context: Context) -> bool:
    """Whether an able foe sees it where it stands: then who retreats has to save (cairn.md §2.8)."""
    state, here = context.state, context.terrain.footprint(context.figure.cell, context.being.space)
    able = (foe for foe in context.foes() if state.figures[foe].able)
    return any(eyes(state, i) & here and not unseen(state, i, context.who, state.figures[i].cell) for i in able)

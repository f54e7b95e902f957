"""What is known where an order is carried out: the board as the heroes' side knows it, and whose decisions are open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from operator import or_
from typing import NamedTuple

from rules.board.bitboard import cells_of
from rules.board.fixtures import PORTCULLIS, DoorState
from rules.board.grid import Field, Terrain
from rules.board.path import UNREACHABLE, Reach, reach
from rules.contract.actions import Action, Decision, Offer
from rules.contract.display import Board, Miniature, System
from rules.contract.ruleset import LegalActions, State
from rules.contract.units import EMPTY, Bitboard, Cell, CreatureIx

EXPLORING = "explore"
"""The kind of decisions in an exploration."""
MANNERS = ("sneak", "walk")
"""Words of the movements that a party may take; further ones that a ruleset offers with a way follow."""
BOUND = "bound"
"""The badge of prisoners."""
NEARBY = 32
"""Spaces of movement as far as followers look for their places."""


def numbers(state: State) -> Mapping[str, CreatureIx]:
    """The creatures' numbers by id, where the rules have them."""
    found: Mapping[str, CreatureIx] = getattr(getattr(state, "setup", None), "index", {})
    return found


class Spread:
    """The cost of the ways from one space."""

    def __init__(self, ways: Reach) -> None:
        self.ways = ways
        self._layers = ways.layers
        self._within = list(accumulate(self._layers, or_))

    def cost(self, cell: Cell) -> int:
        """To a space; UNREACHABLE where no way leads there."""
        within, least, most = self._within, 0, len(self._within) - 1
        if not within[most] >> cell & 1:
            return UNREACHABLE
        while least < most:  # a long way has hundreds of layers
            middle = (least + most) // 2
            if within[middle] >> cell & 1:
                most = middle
            else:
                least = middle + 1
        return least

    def farthest(self, cells: Bitboard) -> int:
        """The highest cost to one of some spaces that ways lead to; 0 where none leads to any."""
        return next((cost for cost in range(len(self._layers) - 1, 0, -1) if self._layers[cost] & cells), 0)

    def nearest(self, cells: Bitboard) -> Bitboard:
        """Those of some spaces that cost the least; empty where no way leads to any."""
        return next((Bitboard(layer & cells) for layer in self._layers if layer & cells), EMPTY)

    def within(self, budget: int) -> Iterator[tuple[int, Cell]]:
        """(cost, space) of all that is no farther than that but the start, nearest first."""
        for cost in range(1, min(budget + 1, len(self._layers))):
            for cell in cells_of(self._layers[cost]):
                yield cost, cell


class Table:
    """One moment of an exploration: what those who order know of it. Everything is worked out when asked for."""

    def __init__(
        self, ruleset: System, state: State, board: Board, known: Bitboard, decisions: Sequence[Decision],
    ) -> None:  # fmt: skip
        self.ruleset, self.state, self.board, self.known = ruleset, state, board, known
        self.decisions: Mapping[str, Decision] = {d.by: d for d in decisions if d.kind == EXPLORING}
        """The open decisions of those who may be ordered about, by creature."""
        self.minis: Mapping[str, Miniature] = {mini.id: mini for mini in board.miniatures}
        self._legal: dict[str, LegalActions] = {}
        self._offers: dict[str, tuple[Offer, ...]] = {}
        self._worded: dict[tuple[str, str], tuple[Action, ...]] = {}
        self._spreads: dict[tuple[Cell, int], Spread] = {}
        self._moves: dict[tuple[str, str], Mapping[Cell, Action]] = {}

    @property
    def field(self) -> Field:
        """The map."""
        return self.terrain.field

    @cached_property
    def terrain(self) -> Terrain:
        """The ground as it is."""
        return self.ruleset.terrain(self.state)

    # -- what may be done

    def legal(self, who: str) -> LegalActions:
        """What somebody may do whose decision stands open."""
        found = self._legal.get(who)
        if found is None:
            found = self._legal[who] = self.ruleset.legal(self.state, self.decisions[who])
        return found

    def offers(self, who: str) -> tuple[Offer, ...]:
        """The buttons of somebody whose decision stands open; none for anybody else."""
        if who not in self.decisions:
            return ()
        found = self._offers.get(who)
        if found is None:
            found = self._offers[who] = self.legal(who).offers()
        return found

    def offer(self, who: str, do: str) -> Offer | None:
        """Somebody's offer of a word; None where there is none, or nothing of it is legal."""
        return next((each for each in self.offers(who) if each.do == do and each.actions), None)

    def actions(self, who: str, do: str) -> tuple[Action, ...]:
        """What somebody may do of a word now."""
        if who in self._offers or who not in self.decisions:
            offer = self.offer(who, do)
            return offer.actions if offer is not None else ()
        found = self._worded.get((who, do))
        if found is None:
            found = self._worded[who, do] = tuple(self.legal(who).worded(do))
        return found

    def ending(self, who: str) -> Action | None:
        """How somebody lets the rest of its turn pass; None where its decision isn't open."""
        ends = [offer for offer in self.offers(who) if offer.description.group == "End" and offer.actions]
        return ends[-1].actions[0] if ends else None

    def keys(self, who: str) -> Sequence[str]:
        """The keys that one of the party carries, by the names that doors have for them."""
        index, figures = numbers(self.state), getattr(self.state, "figures", ())
        return tuple(getattr(figures[index[who]], "keys", ())) if who in index else ()

    def manners(self, who: str) -> list[Offer]:
        """The ways to move that a party may take, quietest first, whether possible now or not."""
        paths = {o.do: o for o in self.offers(who) if o.description.needs == "path" and o.description.rank == 1}
        return [paths[do] for do in (*MANNERS, *(do for do in paths if do not in MANNERS)) if do in paths]

    def moves(self, who: str, do: str) -> Mapping[Cell, Action]:
        """Where somebody could end by a movement now, over known ground, and how; empty where its decision isn't
        open."""
        if who not in self.decisions:
            return {}
        found = self._moves.get((who, do))
        if found is None:
            found = self.legal(who).moves(do)
            trodden = set[Cell]().union(*(action.path for action in found.values()))
            if strange := {cell for cell in trodden if not self.known >> cell & 1}:
                found = {cell: action for cell, action in found.items() if strange.isdisjoint(action.path)}
            self._moves[who, do] = found
        return found

    # -- the ground

    @cached_property
    def opened(self) -> Terrain:
        """The ground with every door open that is known and that a hand opens: neither locked nor barred nor lifted."""
        doors = self.terrain.doors_open
        for number, (door, stands) in enumerate(zip(self.field.doors, self.board.doors, strict=True)):
            if stands == DoorState.CLOSED and door.kind != PORTCULLIS:
                doors |= 1 << number
        return self.field.terrain(doors)

    @cached_property
    def barred(self) -> Bitboard:
        """Spaces that nobody plans to enter: unknown ground, those whom one can't pass, traps that are known of."""
        found = self.terrain.everywhere & ~self.known
        sides = {decision.side for decision in self.decisions.values()}
        for mini in self.board.miniatures:
            bound = any(badge.icon == BOUND for badge in mini.badges)  # in the way until somebody frees them
            if not mini.out and (mini.side not in sides or bound) and mini.cell >= 0:
                found |= self.terrain.footprint(mini.cell, mini.size)
        for mark in self.board.ground:
            if mark.kind in HARMFUL:
                found |= mark.cells
        return found

    def spread(self, start: Cell, budget: int = NEARBY) -> Spread:
        """What the ways from a space cost, doors on them opened; as far as `budget` goes."""
        found = self._spreads.get((start, budget))
        if found is None:
            blocked = self.barred & ~(1 << start)
            found = self._spreads[start, budget] = Spread(reach(self.opened, start, budget, blocked=blocked))
        return found

    def whole(self, start: Cell) -> Spread:
        """The same over the whole map."""
        return self.spread(start, 2 * len(self.field.cells))

    def door_between(self, one: Cell, other: Cell) -> str | None:
        """The door that must be opened for the step from one space to the next; None where none is shut there."""
        for number, (door, stands) in enumerate(zip(self.field.doors, self.board.doors, strict=True)):
            if stands == DoorState.OPEN or self.terrain.doors_open >> number & 1:
                continue
            if door.edge is None and door.cell == other:
                return door.id
            if door.edge is not None and one != other:
                ax, ay = self.field.at(one)
                bx, by = self.field.at(other)
                across = {door.cell, door.edge}
                beside = {self.field.cell(ax, by), self.field.cell(bx, ay)}
                if {one, other} == across or (ax != bx and ay != by and across & {one, other} and across & beside):
                    return door.id
        return None


HARMFUL = ("trap", "pit", "fire", "spikes")
"""Kinds of ground marks that a party goes round."""


class Halt(NamedTuple):
    """An order ends: why, in a sentence; empty where it is simply carried out."""

    why: str = ""


WAIT = Halt("…")
"""Nothing to do at the moment: others act first."""


def standing(table: Table, names: Sequence[str]) -> list[str]:
    """Those of some heroes who are on the board and can act at all: prisoners and the fallen have no turns."""
    turns = {turn.id for turn in table.board.order} or set(names)
    here = (n for n in names if n in table.minis and n in turns)
    return [n for n in here if not table.minis[n].out and table.minis[n].cell >= 0]


def crowd(table: Table, *without: str) -> Bitboard:
    """The spaces where somebody stands, but for these."""
    found = EMPTY
    for mini in table.board.miniatures:
        if mini.id not in without and not mini.out and mini.cell >= 0:
            found |= table.terrain.footprint(mini.cell, mini.size)
    return found

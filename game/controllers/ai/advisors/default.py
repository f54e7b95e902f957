"""An advisor for any ruleset, out of what is legal there and its odds: a ruleset needs none of its own to be played.

Ways are tried out: each space that a movement leads to is looked at for whom one could strike from there. What others
could do is guessed by what one can do oneself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from game.controllers.ai.advisors.planning import (
    NOTHING,
    Begun,
    Magic,
    Measure,
    Outlook,
    Pass,
    Piece,
    Promise,
    Swing,
    Target,
    Threat,
    Vantage,
    Way,
)
from game.controllers.ai.factors import load_weights
from rules.board.bitboard import board_of
from rules.board.path import reach, struck_from
from rules.board.sight import visible
from rules.contract.actions import Action, Decision
from rules.contract.display import System
from rules.contract.errors import BattlematError
from rules.contract.ruleset import LegalActions, Odds, State
from rules.contract.units import EMPTY, NOWHERE, Bitboard, Cell

UNKNOWN = Swing("attack", None, points=1, hit=0.5, mean=1.0, drop=0.0)
"""A blow of which nothing is known."""


class Chance:
    """An open decision of a creature, tried out."""

    def __init__(self, rules: System, state: State, decision: Decision) -> None:
        self.rules, self.state, self.decision = rules, state, decision
        self.legal = rules.legal(state, decision)
        minis = {mini.id: mini for mini in rules.board(state).miniatures}
        self.foes = {name for name, mini in minis.items() if mini.side != decision.side and not mini.out}
        self.here = minis[decision.by].cell if decision.by in minis else NOWHERE
        bar = minis[decision.by].points if decision.by in minis else None
        self.points = bar.value if bar is not None and bar.maximum else 1
        actions = list(self.legal)
        self.end = actions[-1]
        self.moves: dict[tuple[str, int], dict[Cell, Action]] = {}  # (word, points) -> where such movements lead
        self.others: list[Action] = []  # what is neither a movement nor the end
        for action in actions[:-1]:
            if action.path:
                cost = rules.describe(state, action).points
                self.moves.setdefault((action.do, cost), {})[action.path[-1]] = action
            else:
                self.others.append(action)
        self._blows: dict[Cell, dict[str, tuple[Swing, ...]]] = {}

    def blows(self, cell: Cell) -> dict[str, tuple[Swing, ...]]:
        """Whom one could strike from a space, and how: where one stands, or where a movement leads."""
        found = self._blows.get(cell)
        if found is None:
            found = self._blows[cell] = self._tried(cell)
        return found

    def _tried(self, cell: Cell) -> dict[str, tuple[Swing, ...]]:
        if cell == self.here:
            return self._strikes(self.state, self.legal)
        move = next((ends[cell] for ends in self.moves.values() if cell in ends), None)
        if move is None:
            return {}
        try:
            after = self.rules.apply(self.state, self.decision, move).state
        except (BattlematError, RuntimeError):  # dice would be thrown on the way
            return {}
        again = next((d for d in self.rules.decisions(after) if d.by == self.decision.by), None)
        return {} if again is None else self._strikes(after, self.rules.legal(after, again))

    def _strikes(self, state: State, legal: LegalActions) -> dict[str, tuple[Swing, ...]]:
        found: dict[str, tuple[Swing, ...]] = {}
        for action in legal:
            if action.target in self.foes and not action.path:
                odds = self.rules.odds(state, action)
                if odds is not None and odds.mean > 0.0:
                    swing = swing_of(action, odds, self.rules.describe(state, action).points)
                    found[action.target] = (*found.get(action.target, ()), swing)
        return found

    def guess(self, by: str, target: str) -> Swing:
        """A blow of one creature on another as its odds would be, wherever they stand."""
        for offer in self.legal.offers():
            if offer.description.needs == "creature":
                action = Action(by, offer.do, target=target, weapon=offer.weapon)
                odds = self.rules.odds(self.state, action)
                if odds is not None and odds.mean > 0.0:
                    return swing_of(action, odds, offer.description.points)
        return UNKNOWN

    @property
    def pace(self) -> int:
        """The longest way that one could go."""
        return max(
            (len(move.path) for ends in self.moves.values() for move in ends.values()),
            default=load_weights().default.pace,
        )


def swing_of(action: Action, odds: Odds, points: int) -> Swing:
    """An attack in figures."""
    return Swing(action.do, action.weapon, points=max(1, points), hit=odds.hit, mean=odds.mean, drop=odds.drop,
                 stun=odds.stun, exposed=0, item=action.item, option=action.option)  # fmt: skip


def _force(swing: Swing) -> float:
    return swing.mean + load_weights().default.felled * swing.drop


class DefaultAdvisor:
    """Advises under a ruleset of which nothing is known but its contract."""

    sealing = None

    def __init__(self, rules: System) -> None:
        self.rules = rules
        self._latest: tuple[State, str, Chance | None] | None = None
        """What was tried out last: a decision is asked about many times."""

    def _chance(self, state: State, creature: str) -> Chance | None:
        """The open decision of a creature; None where it has none."""
        latest = self._latest
        if latest is None or latest[0] is not state or latest[1] != creature:
            decision = next((d for d in self.rules.decisions(state) if d.by == creature), None)
            chance = None if decision is None else Chance(self.rules, state, decision)
            latest = self._latest = state, creature, chance
        return latest[2]

    def pieces(self, state: State) -> tuple[Piece, ...]:
        minis = self.rules.board(state).miniatures
        ordinary = sum(mini.most for mini in minis) / max(1, len(minis))
        return tuple(
            Piece(mini.id, mini.side, mini.cell, mini.size, health=mini.life, most=max(1, mini.most),
                  points=mini.points.value if mini.points.maximum else 1, out=mini.out, dead=mini.dead, ailing=False,
                  ready=not mini.out and mini.posture == "standing", value=mini.most / max(1.0, ordinary))
            for mini in minis
        )  # fmt: skip

    def temperament(self, state: State, creature: str) -> str:
        return ""

    def place(self, state: State, creature: str) -> Cell:
        return next((piece.cell for piece in self.pieces(state) if piece.id == creature), NOWHERE)

    def turn(self, state: State) -> int:
        summary = self.rules.summary(state)
        return int(summary.get("turn", summary.get("round", 0)))

    def outlook(self, state: State, creature: str) -> Outlook:
        chance = self._chance(state, creature)
        if chance is None:
            return Outlook(points=0, acts=False, ways=(), end=Action(creature, "end"))
        ways = tuple(
            Way((do,), points, exposed=0, cells=board_of(ends), trace=ends)
            for (do, points), ends in sorted(chance.moves.items(), key=lambda each: each[0][1])
        )
        return Outlook(chance.points, acts=bool(chance.others), ways=ways, end=chance.end)

    def route(self, state: State, creature: str, way: Way, cell: Cell) -> tuple[Action, ...]:
        ends = way.trace
        return (ends[cell],) if isinstance(ends, dict) and cell in ends else ()

    def targets(self, state: State, by: str, cells: Bitboard) -> tuple[Target, ...]:
        chance = self._chance(state, by)
        if chance is None:
            return ()
        ends = {chance.here, *(cell for ends in chance.moves.values() for cell in ends)}
        tried = {cell: chance.blows(cell) for cell in sorted(ends) if cell >= 0 and cells >> cell & 1}
        found, distance = [], self.rules.terrain(state).distance
        for piece in self.pieces(state):
            if piece.id not in chance.foes:
                continue
            groups: dict[tuple[Swing, ...], Bitboard] = {}
            far = False
            for cell, blows in tried.items():
                swings = blows.get(piece.id)
                if swings:
                    groups[swings] = groups.get(swings, EMPTY) | 1 << cell
                    far = far or distance(cell, piece.cell, 1, piece.size) > load_weights().default.arm
            known = [swing for swings in groups for swing in swings]
            best = max(known, key=_force) if known else chance.guess(by, piece.id)
            vantages = tuple(Vantage(board, swings) for swings, board in groups.items())
            found.append(Target(piece.id, best, far, vantages))
        return tuple(found)

    def threats(self, state: State, target: str) -> tuple[Threat, ...]:
        w = load_weights().default
        chance, terrain = self._chance(state, target), self.rules.terrain(state)
        pace = w.pace if chance is None else chance.pace
        pieces = {piece.id: piece for piece in self.pieces(state)}
        found = []
        for foe in pieces.values():
            if foe.out or foe.side == pieces[target].side:
                continue
            near = terrain.within(foe.cell, w.arm, foe.size)
            board = struck_from(terrain, foe.cell, foe.size, pace, w.arm)
            swing = UNKNOWN if chance is None else chance.guess(foe.id, target)
            found.append(Threat(foe.id, close=near, blows=1.0, now=board, later=board, swing=swing, far=False))
        return tuple(found)

    def measures(self, state: State, decision: Decision) -> Iterator[Measure]:
        chance = self._chance(state, decision.by)
        if chance is None:
            return
        pieces = {piece.id: piece for piece in self.pieces(state)}
        doors = {door.id for door in self.rules.terrain(state).field.doors}
        for action in chance.others:
            odds = self.rules.odds(state, action)
            points = self.rules.describe(state, action).points
            if action.target in doors:
                yield Pass(action, points, 1.0 if odds is None else odds.hit)
            elif odds is not None and (odds.targets or odds.healing):
                value, blows = _several(odds, pieces, decision.side, action.target)
                if blows or value > 0.0:
                    yield Magic(action, points, odds.hit, blows=blows, value=value)

    def promise(self, state: State, action: Action) -> Promise:
        return NOTHING

    def spots(self, state: State, creature: str) -> Mapping[Cell, int]:
        chance = self._chance(state, creature)
        pieces = {piece.id: piece for piece in self.pieces(state)}
        if creature not in pieces or pieces[creature].out:
            return {}
        here, terrain = pieces[creature], self.rules.terrain(state)
        if chance is None:
            others = EMPTY
            for piece in pieces.values():
                if piece is not here and not piece.out:
                    others |= terrain.footprint(piece.cell, piece.size)
            ends = reach(terrain, here.cell, load_weights().default.pace, size=here.size, blocked=others).cost
            return {here.cell: 0, **dict.fromkeys(ends, 0)}
        return {here.cell: 0} | {cell: cost for (_, cost), ends in chance.moves.items() for cell in ends}

    def reaches(self, state: State, creature: str, start: Cell) -> Bitboard:
        size = next((piece.size for piece in self.pieces(state) if piece.id == creature), 1)
        terrain = self.rules.terrain(state)
        near = terrain.within(start, load_weights().default.arm, size) & ~terrain.footprint(start, size)
        return near & visible(terrain, start, size)

    def endures(self, state: State, creature: str) -> float:
        return 0.0

    def begun(self, state: State, creature: str) -> tuple[Begun, ...]:
        return ()


def _several(
    odds: Odds, pieces: Mapping[str, Piece], side: str, target: str | None
) -> tuple[float, tuple[tuple[str, float, float, float], ...]]:
    """(what an action gains its side beside harm to foes, in units of worth; its blows on foes)."""
    value, blows = 0.0, []
    for share in odds.targets:
        piece = pieces.get(share.id)
        if piece is None:
            continue
        healed = piece.value * share.healing / piece.most
        if piece.side == side:
            value += healed - piece.value * (min(1.0, share.mean / max(1, piece.health)) + share.drop)
        elif share.mean > 0.0:
            blows.append((share.id, share.mean, share.drop, share.stun))
        else:
            value -= healed
    patient = pieces.get(target or "")
    if not odds.targets and patient is not None:
        value += (1.0 if patient.side == side else -1.0) * patient.value * odds.healing / patient.most
    return value, tuple(blows)

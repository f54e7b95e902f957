"""One position as a planner reads it: who is there, what a blow is worth, how dangerous and how far off a space is.

Everything comes through the contract of the ruleset. Spaces are counted as bitboards; figures are found when asked for
and kept for the decision. Values are in units of about one felled creature.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from hashlib import blake2b

import msgspec

from game.controllers.ai import routes
from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.advisors.planning import Piece, Swing, Target, Threat
from game.controllers.ai.factors import load_weights
from game.controllers.ai.routes import Gaps
from game.controllers.ai.trails import NO_TRAIL
from game.controllers.ai.weights import Temper, Weights
from rules.board.path import UNREACHABLE
from rules.board.sight import visible
from rules.contract.actions import Decision
from rules.contract.display import System
from rules.contract.ruleset import State
from rules.contract.units import EMPTY, Bitboard, Cell

Class = tuple[Bitboard, int]
"""Spaces on which the same foes could strike me, and which these are: for each of `threats` two bits, 1 = later, 2 = in
this turn, 3 = without a point spent on the way."""


def number_of(decision: Decision, pieces: Sequence[Piece]) -> int:
    """64 bits made of a position and whose decision it is: the same on any machine."""
    told = repr((decision.by, decision.side, [msgspec.structs.astuple(piece) for piece in pieces]))
    return int.from_bytes(blake2b(told.encode(), digest_size=8).digest(), "big")


class Position:
    """A position, read lazily. `me` is whose decision it is; None if that isn't a creature on the board."""

    def __init__(
        self, ruleset: System, state: State, decision: Decision, temper: Temper, weights: Weights | None = None
    ) -> None:
        self.ruleset = ruleset
        self.advisor = advisor = advisor_of(ruleset)
        self.state = state
        self.decision = decision
        self.side = side = decision.side
        self.temper = temper
        self.weights = weights or load_weights()
        self.own = self.weights.position
        self.terrain = ruleset.terrain(state)
        self.pieces = advisor.pieces(state)
        self.me: Piece | None = None
        self.friends: list[Piece] = []
        self.foes: list[Piece] = []
        self.fallen: list[Piece] = []
        self.rising: list[Piece] = []  # foes who are down and will be back
        for piece in self.pieces:
            if piece.id == decision.by:
                self.me = piece
            elif piece.out:
                if piece.rises and piece.side != side:
                    self.rising.append(piece)
                elif piece.side == side and not piece.dead:
                    self.fallen.append(piece)
            elif piece.side == side:
                self.friends.append(piece)
            else:
                self.foes.append(piece)
        self.restless = 0.0
        """0 in a young fight, rising to 1 in one that drags on: then danger counts less, and fights end."""
        self.reckless = 0.0  # 0 until a fight has become a stand-off, rising to 1: then danger counts no more at all
        self.quarry: str | None = None
        """Whom alone I have eyes for, if I can strike him; nobody: whoever is best struck."""
        self.trail = NO_TRAIL
        """Where I and my friends have been of late."""
        self.aged(advisor.turn(state))
        self.ground = self.terrain  # the ground as I go over it
        self.beside = self._next_to(self.friends)
        """The spaces next to my friends: foes there are theirs to strike, too."""
        self._costs: dict[int, float] = {0: 0.0}
        self._falls: dict[int, float] = {}
        self._blows: list[tuple[float, float]] = []

    @cached_property
    def threats(self) -> tuple[Threat, ...]:
        """What my foes could do to me."""
        return self.advisor.threats(self.state, self.me.id) if self.me is not None and self.foes else ()

    @property
    def number(self) -> int:
        """A number that the position alone decides: for choices that are neither the best nor anybody's luck."""
        return number_of(self.decision, self.pieces)

    @property
    def nearest(self) -> str | None:
        """The foe who stands nearest to me, the first of equals."""
        me, far = self.me, self.terrain.distance
        if me is None:
            return None
        return min(self.foes, key=lambda foe: far(me.cell, foe.cell, me.size, foe.size)).id if self.foes else None

    @cached_property
    def left(self) -> Bitboard:
        """Spaces that I have left of late, and done nothing since but walk."""
        w = self.weights.judge
        return self.trail.left(w.lately)

    def stays(self, friend: Piece) -> bool:
        """Whether a friend has stayed where it is for some time."""
        w = self.weights.judge
        return self.trail.stays(friend.id, friend.cell, w.stays)

    def fancied(self, targets: tuple[Target, ...]) -> tuple[Target, ...]:
        """Those of whom I could strike whom I think of striking."""
        if self.quarry is None:
            return targets
        return tuple([target for target in targets if target.id == self.quarry and target.vantages]) or targets

    def aged(self, turn: int) -> None:
        """Note how long the fight has lasted."""
        self.turn = turn
        waited = turn * self.temper.impatience
        self.restless = min(1.0, max(0.0, (waited - self.own.patience_turns) / self.own.patience_turns))
        self.reckless = min(1.0, max(0.0, (turn - self.own.standoff_turns) / self.own.standoff_turns))

    # ---------------------------------------------------------------------------------------- figures

    def hurt(self, target: Piece, mean: float, drop: float, stun: float) -> float:
        """The value of doing so much damage on average, with these chances to drop and to stun."""
        temper = self.temper
        attention = 1.0 - target.health / target.most
        if self.beside >> target.cell & 1:
            attention += 1.0
        share = mean / target.health if mean < target.health else 1.0
        value = (temper.damage + temper.focus * attention) * share + temper.finish * (drop + self.own.stunned * stun)
        return value * target.value

    def hurting(self, target: Piece, *, apart: bool = False) -> Callable[[Swing], float]:
        """The value of blows on one target, the same as by `hurt`; `apart`: from where it doesn't reach one."""
        finish, health = self.temper.finish * target.value, target.health
        dread, stunned = self.temper.dread, self.own.stunned
        most = self.hurt(target, health, 0.0, 0.0) if health > 0 else 0.0

        def value(swing: Swing) -> float:
            share = swing.mean / health if swing.mean < health else 1.0
            found = most * share + finish * (swing.drop + stunned * swing.stun + swing.side_effect)
            if apart and swing.held:
                found += self._keeping(target) * swing.held
            if swing.cost:
                found -= dread * swing.cost
            return found + self.aside(swing) if swing.fallout else found

        return value

    def apart(self, target: Piece, cells: Bitboard) -> bool:
        """Whether I don't stand beside somebody on any of some spaces."""
        beside = self._next_to((target,))
        if self.me is not None and self.me.size > 1:
            beside = self.terrain.touching(beside, self.me.size)
        return not beside & cells

    def _keeping(self, target: Piece) -> float:
        """What it is worth to hold somebody where it stands: it comes to nobody, or it gets away from nobody."""
        if self.beside >> target.cell & 1:
            return 0.0
        far = any(threat.by == target.id and threat.far for threat in self.threats)
        return (self.own.caught if far else self.own.pinned) * target.value

    def aside(self, swing: Swing) -> float:
        """What a blow does to others than its target."""
        total = 0.0
        for name, mean, drop in swing.fallout:
            piece = self.me if not name else next((p for p in self.pieces if p.id == name), None)
            if piece is None:
                continue
            share = min(1.0, mean / max(1, piece.health if mean > 0.0 else piece.most))
            if piece is self.me:
                total -= piece.value * (self.temper.harm * share + self.temper.death * drop)
                total -= min(0.0, share) * self.own.mended * piece.value
            elif piece.side == self.side:
                total -= piece.value * (self.own.fallen * (mean > 0.0) if piece.out else share + drop)
            elif not piece.out:
                total += self.hurt(piece, mean, drop, 0.0)
        return total

    @property
    def beside_foes(self) -> Bitboard:
        """The spaces next to foes."""
        return self._next_to(self.foes)

    def _next_to(self, pieces: Sequence[Piece]) -> Bitboard:
        terrain, board = self.terrain, EMPTY
        memo = terrain.memo
        for piece in pieces:
            key = ("next", piece.cell, piece.size)
            near = memo.get(key)
            if near is None:
                near = memo[key] = terrain.within(piece.cell, 1, piece.size)
            board |= near
        return board

    def _board(self, pieces: Sequence[Piece]) -> Bitboard:
        board = EMPTY
        for piece in pieces:
            board |= 1 << piece.cell if piece.size == 1 else self.terrain.footprint(piece.cell, piece.size)
        return board

    # ----------------------------------------------------------------------------------------- danger

    def classes(self, cells: Bitboard) -> list[Class]:
        """Some spaces, parted by who could strike me there, the least dangerous first.

        Foes on foot that friends of mine hold off could do so later at most.
        """
        me, terrain = self.me, self.terrain
        found: list[Class] = [(cells, 0)]
        screen = -1
        for number, threat in enumerate(self.threats):
            close, now, later = threat.close, threat.now, threat.later
            if me is not None and me.size > 1:
                close, now, later = [terrain.touching(board, me.size) for board in (close, now, later)]
            if not later & cells:
                continue
            if threat.screened and not threat.far and self.friends and now & cells:
                if screen == -1:
                    foes, friends = self._board(self.foes), self._board(self.friends)
                    screen = routes.advance(terrain, foes, friends, self.own.screened)
                now &= screen
                close &= screen
            parts: list[Class] = []
            for board, strikers in found:
                beyond, soon = board & ~later, board & now
                for part, bit in (
                    (beyond, 0), (board & ~(beyond | soon), 1), (soon & ~close, 2), (soon & close, 3)
                ):  # fmt: skip
                    if part:
                        parts.append((part, strikers | bit << 2 * number))
            found = parts
        if len(found) > 1:
            danger = self.danger
            found.sort(key=lambda part: danger(part[1]))
        return found

    def danger(self, strikers: int) -> float:
        """What it costs to stand where these foes could strike me; positive = bad."""
        found = self._costs.get(strikers)
        if found is None:
            found = self._costs[strikers] = self._danger(strikers)
        return found

    def stands(self, strikers: int) -> float:
        """The chance that these foes don't fell me before my next blows."""
        if not strikers:
            return 1.0
        self.danger(strikers)
        return 1.0 - self._falls.get(strikers, 0.0)

    def _danger(self, strikers: int) -> float:
        me, temper, board = self.me, self.temper, strikers
        if me is None:
            return 0.0
        mean, stand = 0.0, 1.0
        weighed, number = self._blows or self._weighed(), -1
        while strikers:
            bits = strikers & 3
            if bits:
                damage, stands = weighed[number + bits]
                mean += damage
                stand *= stands
            strikers >>= 2
            number += 3
        own, share = self.own, mean / max(1, me.health)
        fall = max(1.0 - stand, min(own.surest, max(0.0, share - own.worn)))
        self._falls[board] = fall
        cost = me.value * (temper.harm * min(own.overkill, share) + temper.death * fall)
        return cost * (1.0 - own.tired * self.restless) * (1.0 - self.reckless)

    def _weighed(self) -> list[tuple[float, float]]:
        """Three for each of `threats`, of a blow later, in this turn, at once: mean damage, and the chance to stand."""
        own, found = self.own, self._blows
        shared = own.shared if self.friends else 1.0
        for threat in self.threats:
            swing, blows = threat.swing, threat.blows
            fells = swing.drop + own.stunned * swing.stun + max(0.0, swing.side_effect)
            # what it spends on the way it can't strike with
            soon = shared * (1.0 + own.again * min(own.blows, max(0.0, blows - own.approach - 1.0)))
            close = shared * (1.0 + own.again * min(own.blows, max(0.0, blows - 1.0)))
            for weight in (shared * own.tomorrow, soon, close):
                found.append((weight * swing.mean, max(0.0, 1.0 - weight * fells)))
        return found

    def without(self, strikers: int, foe: str) -> int:
        """Those of some strikers who are left when one foe falls."""
        for number, threat in enumerate(self.threats):
            if threat.by == foe:
                strikers &= ~(3 << 2 * number)
        return strikers

    def share(self, strikers: int, foe: str) -> float:
        """The part of a danger that goes when one foe falls."""
        rest = self.without(strikers, foe)
        return self.danger(strikers) - self.danger(rest) if rest != strikers else 0.0

    def kept_off(self, strikers: int, foe: str) -> bool:
        """Whether a foe could strike there only after it has come nearer."""
        threats = enumerate(self.threats)
        return any(t.by == foe and not t.far and strikers >> 2 * number & 3 in (1, 2) for number, t in threats)

    # ------------------------------------------------------------------------------------------- ways

    def gaps(self, goals: tuple[Cell, ...]) -> Gaps:
        """How far every space is from a foe, or from one of `goals` where no foe is known.

        Doors and ladders count at their price where there is no other way; on maps with obstacles that can be got past,
        all of them do.
        """
        me, terrain = self.me, self.ground
        size = me.size if me else 1
        if self.foes and me is not None:
            if self.on_foot is not None:
                return self.on_foot
            goals = self._around_foes(size)
            if routes.hides(terrain) and routes.far(terrain, self.doors, goals, size)[me.cell] >= UNREACHABLE:
                place = routes.search_post(terrain, self.doors, me.cell, size, self.turn)
                goals = goals if place is None else (place,)
        taken = self._board(self.foes) | self._board(self.friends) if terrain.field.passages else EMPTY
        return routes.Priced(routes.far(terrain, self.doors, goals, size, taken))

    @cached_property
    def on_foot(self) -> Gaps | None:
        """How far it is to the nearest foe over open ground; None where no such way leads to any, or where another
        might be shorter."""
        me, terrain = self.me, self.ground
        if me is None or me.size > 1 or terrain.field.passages or not self.foes:
            return None
        found = routes.plain(terrain, [(foe.cell, foe.size) for foe in self.foes])
        return found if found.gap(me.cell) < UNREACHABLE else None

    def between(self, pieces: Sequence[Piece]) -> Gaps:
        """How far every space is from some creatures, closed doors being walls."""
        return routes.plain(self.ground, [(piece.cell, piece.size) for piece in pieces])

    def company(self) -> list[Piece]:
        """The friends to run to: those on their feet, else all there are."""
        return [friend for friend in self.friends if friend.ready] or self.friends

    def watched(self, pieces: Sequence[Piece]) -> Bitboard:
        """The spaces that some creatures see."""
        board = EMPTY
        for piece in pieces:
            board |= visible(self.terrain, piece.cell, piece.size)
        return board

    def near(self, pieces: Sequence[Piece]) -> int:
        """How many of some creatures are near enough to count on, or with."""
        me, terrain = self.me, self.terrain
        if me is None:
            return 0
        return sum(1 for p in pieces if terrain.distance(me.cell, p.cell, me.size, p.size) <= self.own.nearby)

    def unsearched(self, cell: Cell, chance: float) -> bool:
        """Whether a search on a space may find a way to where none is known: to foes, or to whatever lies beyond. A
        sure one finds nothing more where it was tried."""
        return bool(self._unsearched >> cell & 1) and not (chance >= 1.0 and self.trail.sought() >> cell & 1)

    @cached_property
    def _unsearched(self) -> Bitboard:
        me, terrain = self.me, self.terrain
        if me is None:
            return EMPTY
        found = routes.search_places(terrain, self.doors, me.cell, me.size)
        if found and self.foes:
            if self.ground is terrain and self.on_foot is not None:
                return EMPTY
            goals = self._around_foes(me.size)
            if routes.far(terrain, self.doors, goals, me.size)[me.cell] < UNREACHABLE:
                return EMPTY
        return found

    def _around_foes(self, size: int) -> tuple[Cell, ...]:
        places = [g for foe in self.foes for g in routes.around(self.terrain, foe.cell, foe.size, size)]
        return tuple(dict.fromkeys(places))

    @cached_property
    def doors(self) -> tuple[str, ...]:
        """How each door stands, in the field's order."""
        return self.ruleset.doors(self.state) if self.terrain.field.doors else ()

    def opened(self, door: str, goals: tuple[Cell, ...]) -> float:
        """Spaces of movement saved from where I stand if a door stood open."""
        me, terrain = self.me, self.terrain
        number = next((i for i, d in enumerate(terrain.field.doors) if d.id == door), -1)
        if self.foes and me is not None:
            goals = self._around_foes(me.size)
        if me is None or number < 0 or not goals:
            return 0.0
        doors = list(self.doors)
        before = routes.far(terrain, tuple(doors), goals, me.size)[me.cell]
        doors[number] = "open"
        wide = terrain.field.terrain(terrain.doors_open | 1 << number)
        after = routes.far(wide, tuple(doors), goals, me.size)[me.cell]
        return float(before - after) if after < UNREACHABLE else 0.0

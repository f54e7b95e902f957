"""One position as a planner reads it: who is there, what a blow is worth, how dangerous and how far off a space is.

Everything comes through the contract of the ruleset. Spaces are counted as bitboards; figures are found when asked for
and kept for the decision. Values are in units of about one felled creature.
"""

from __future__ import annotations

from collections.abc import Sequence

from game.controllers.ai import routes
from game.controllers.ai.temper import Temper
from rules.actions import Decision
from rules.grid import cells_of
from rules.path import UNREACHABLE, distances, spread
from rules.ruleset import Menace, Piece, Ruleset, State, Strike

TOMORROW = 0.5
"""What a blow counts that a foe can't strike before its next turn."""
SHARED = 0.75
"""A foe may as well strike somebody else."""
STUNNED = 0.35
"""What stunning a foe is worth beside felling it."""
SCREENED = 7
"""Spaces that foes are followed for, to see whom friends keep away."""
NEAREST = 4
"""So many foes, the nearest, are looked at for ways."""
PATIENCE_TURNS = 5
"""Turns that a fight may last before everybody grows bolder; over as many it comes to its full."""
NO_WAY = 99
"""The gap where no way leads to anybody."""

Cells = int
"""A bitboard of spaces."""


class Position:
    """A position, read lazily. `me` is whose decision it is; None if that isn't a creature on the board."""

    def __init__(self, ruleset: Ruleset, state: State, decision: Decision, temper: Temper) -> None:
        self.ruleset = ruleset
        self.state = state
        self.decision = decision
        self.side = side = decision.side
        self.temper = temper
        self.terrain = ruleset.terrain(state)
        self.pieces = ruleset.pieces(state)
        self.me: Piece | None = None
        friends: list[Piece] = []
        foes: list[Piece] = []
        fallen: list[Piece] = []
        for piece in self.pieces:
            if piece.id == decision.by:
                self.me = piece
            elif piece.out:
                if piece.side == side and not piece.dead:
                    fallen.append(piece)
            elif piece.side == side:
                friends.append(piece)
            else:
                foes.append(piece)
        self.friends = friends
        self.foes = foes
        self.fallen = fallen
        self.restless = 0.0
        """0 in a young fight, rising to 1 in one that drags on: then danger counts less, and fights end."""
        self._menaces: list[tuple[Piece, Menace]] | None = None
        self._costs: dict[int, float] = {}
        self._ways: Sequence[Sequence[int]] | None = None
        self._beside: Cells | None = None

    def aged(self, turn: int) -> None:
        """Note how long the fight has lasted."""
        self.restless = min(1.0, max(0.0, (turn - PATIENCE_TURNS) / PATIENCE_TURNS))

    # ---------------------------------------------------------------------------------------- figures

    def foe(self, name: str | None) -> Piece | None:
        """A standing adversary by its id."""
        return next((foe for foe in self.foes if foe.id == name), None)

    def hurt(self, target: Piece, mean: float, drop: float, stun: float) -> float:
        """The value of doing so much damage on average, with these chances to drop and to stun."""
        temper = self.temper
        share = mean / target.health if mean < target.health else 1.0
        attention = 1.0 - target.health / target.most
        if self.beside >> target.cell & 1:
            attention += 1.0
        value = (temper.damage + temper.focus * attention) * share + temper.finish * (drop + STUNNED * stun)
        return value * target.worth

    def strike_value(self, target: Piece, strike: Strike) -> float:
        """The value of a blow."""
        return self.hurt(target, strike.mean, strike.drop, strike.stun)

    @property
    def beside(self) -> Cells:
        """The spaces next to my friends: foes there are theirs to strike, too."""
        if self._beside is None:
            self._beside = self._next_to(self.friends)
        return self._beside

    @property
    def beside_foes(self) -> Cells:
        """The spaces next to foes."""
        return self._next_to(self.foes)

    def _next_to(self, pieces: Sequence[Piece]) -> Cells:
        board = 0
        for piece in pieces:
            board |= self.terrain.within(piece.cell, 1, piece.size)
        return board

    # ----------------------------------------------------------------------------------------- danger

    @property
    def menaces(self) -> list[tuple[Piece, Menace]]:
        """The foes that could strike me at all, with where and how."""
        found = self._menaces
        if found is None:
            found = self._menaces = []
            if self.me is not None:
                for foe in self.foes:
                    menace = self.ruleset.menace(self.state, foe.id, self.me.id)
                    if menace is not None:
                        found.append((foe, menace))
        return found

    def strikers(self, cells: Cells) -> dict[int, int]:
        """Which foes could strike me on each of some spaces: space -> two bits for each of `menaces`, now and later.

        A space that nobody threatens is left out. Foes that friends of mine hold off count as later at most.
        """
        found: dict[int, int] = {}
        me, terrain = self.me, self.terrain
        if me is None:
            return found
        screen = -1
        for number, (_, menace) in enumerate(self.menaces):
            now, later = menace.now, menace.later
            if me.size > 1:
                now, later = terrain.touching(now, me.size), terrain.touching(later, me.size)
            later &= cells
            if not later:
                continue
            if not menace.far and self.friends:
                if screen == -1:
                    screen = self._screen()
                now &= screen
            now &= later
            bit = 1 << 2 * number
            for cell in cells_of(later & ~now):
                found[cell] = found.get(cell, 0) | bit
            bit <<= 1
            for cell in cells_of(now):
                found[cell] = found.get(cell, 0) | bit
        return found

    def _screen(self) -> Cells:
        """The spaces that foes on foot can come to strike, my friends being in their way."""
        foes = friends = board = 0
        for foe in self.foes:
            foes |= self.terrain.footprint(foe.cell, foe.size)
        for friend in self.friends:
            friends |= self.terrain.footprint(friend.cell, friend.size)
        for layer in spread(self.terrain, foes, SCREENED, blocked=friends & ~foes):
            board |= layer
        width, everywhere = self.terrain.field.width, self.terrain.everywhere
        column = everywhere // ((1 << width) - 1)
        board |= (board & ~(column << (width - 1))) << 1 | (board & ~column) >> 1
        return board | (board << width & everywhere) | board >> width

    def danger(self, strikers: int) -> float:
        """What it costs to stand where these foes (as in `strikers`) could strike me."""
        found = self._costs.get(strikers)
        if found is None:
            found = self._costs[strikers] = self._danger(strikers)
        return found

    def _danger(self, strikers: int) -> float:
        me, temper = self.me, self.temper
        if me is None or not strikers:
            return 0.0
        mean, stand = 0.0, 1.0
        shared = SHARED if self.friends else 1.0
        for _, menace in self.menaces:
            if strikers & 3:
                weight = shared if strikers & 2 else shared * TOMORROW
                mean += weight * menace.strike.mean
                stand *= 1.0 - weight * (menace.strike.drop + STUNNED * menace.strike.stun)
            strikers >>= 2
        share = mean / max(1, me.health)
        fall = max(1.0 - stand, min(0.9, max(0.0, share - 0.5)))
        cost = me.worth * (temper.harm * min(1.5, share) + temper.death * fall)
        return cost * (1.0 - 0.7 * self.restless)

    def share(self, strikers: int, foe: str) -> float:
        """The part of a danger that goes when one foe falls."""
        for number, (piece, _) in enumerate(self.menaces):
            if piece.id == foe:
                rest = strikers & ~(3 << 2 * number)
                return self.danger(strikers) - self.danger(rest) if rest != strikers else 0.0
        return 0.0

    # ------------------------------------------------------------------------------------------- ways

    def gaps(self, goals: tuple[int, ...]) -> Sequence[Sequence[int]]:
        """Tables of spaces of movement from every space to a foe, or to one of `goals` where no foe is known.

        Doors and ladders count at their price where there is no other way.
        """
        if self._ways is None:
            self._ways = self._make_ways(goals)
        return self._ways

    def _make_ways(self, goals: tuple[int, ...]) -> Sequence[Sequence[int]]:
        me, terrain = self.me, self.terrain
        size = me.size if me else 1
        if self.foes and me is not None:
            near = self.foes
            if len(near) > NEAREST:
                order = sorted(
                    (terrain.distance(me.cell, foe.cell, size, foe.size), i) for i, foe in enumerate(near)
                )
                near = [near[i] for _, i in order[:NEAREST]]
            if size == 1:
                tables = [distances(terrain, foe.cell) for foe in near]
                plain = [table for table in tables if table[me.cell] < UNREACHABLE]
                if plain:
                    return plain
            places = [goal for foe in self.foes for goal in routes.around(terrain, foe.cell, foe.size, size)]
            goals = tuple(dict.fromkeys(places))
        return (routes.far(terrain, self._doors(), goals, size),) if goals else ()

    def _doors(self) -> tuple[str, ...]:
        return self.ruleset.board(self.state).doors if self.terrain.field.doors else ()

    def opened(self, door: str, goals: tuple[int, ...]) -> float:
        """Spaces of movement saved from where I stand if a door stood open."""
        me, terrain = self.me, self.terrain
        number = next((i for i, d in enumerate(terrain.field.doors) if d.id == door), -1)
        if me is None or number < 0:
            return 0.0
        if self.foes:
            places = [g for f in self.foes for g in routes.around(terrain, f.cell, f.size, me.size)]
            goals = tuple(dict.fromkeys(places))
        if not goals:
            return 0.0
        doors = list(self._doors())
        before = routes.far(terrain, tuple(doors), goals, me.size)[me.cell]
        doors[number] = "open"
        wide = terrain.field.terrain(terrain.doors_open | 1 << number)
        after = routes.far(wide, tuple(doors), goals, me.size)[me.cell]
        return float(before - after) if after < UNREACHABLE else 0.0

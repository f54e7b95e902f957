"""A draft on its map, as it stands: who covers which space, who has room where, and how it looks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from game.content import encounter
from game.maps.mapdata import LoadedMap
from game.maps.startspaces import Spaces, start_spaces
from game.setup import check, trial
from game.setup.draft import Draft, Piece, Spot
from game.setup.places import refusal
from rules.board.bitboard import board_of
from rules.board.grid import Challenge, Field
from rules.contract.display import Badge, Bar, Board, GroundMark, Miniature
from rules.contract.errors import BattlematError


class Table:
    """One draft, looked at once: make another for another draft."""

    def __init__(self, draft: Draft, ground: Field) -> None:
        self.draft, self.ground = draft, ground
        self._terrain = ground.terrain()
        self._sizes = {p.key: trial.spaces(draft.ruleset, p.entry, draft.options) for p in draft.pieces}
        self._there: dict[Spot, list[int]] = {}
        for piece in draft.pieces:
            for spot in self._covered(piece):
                self._there.setdefault(spot, []).append(piece.key)

    def _covered(self, piece: Piece) -> Iterator[Spot]:
        if piece.spot is not None:
            size = self._sizes[piece.key]
            for dy in range(size):
                for dx in range(size):
                    yield piece.spot[0] + dx, piece.spot[1] + dy

    def at(self, spot: Spot) -> int | None:
        """Who covers a space: the one put there last."""
        there = self._there.get(spot)
        return there[-1] if there else None

    def within(self, first: Spot, last: Spot) -> list[int]:
        """Who touches the rectangle between two spaces."""
        left, right = sorted((first[0], last[0]))
        top, bottom = sorted((first[1], last[1]))
        return [
            piece.key
            for piece in self.draft.pieces
            if any(left <= column <= right and top <= row <= bottom for column, row in self._covered(piece))
        ]

    def room(self, spot: Spot, size: int, but: Iterable[int] = ()) -> str:
        """Why nobody of a size can be put there; empty where there is room. `but`: who will be gone by then."""
        why = refusal(self.ground, self._terrain, spot, size)
        if why:
            return f"would stand {why}"
        skipped = set(but)
        for dy in range(size):
            for dx in range(size):
                for key in self._there.get((spot[0] + dx, spot[1] + dy), ()):
                    piece = self.draft.piece(key)
                    if key not in skipped and piece is not None:
                        return f"would share the space with {check.name_of(self.draft, piece)}"
        return ""

    def start(self, loaded: LoadedMap | None, side: str) -> Spaces:
        """Where a side starts: on the map's spaces for it, or where it stands well apart from others."""
        spawns, exits = ((), []) if loaded is None else (loaded.spawns, encounter.exits(loaded))
        there: dict[str, list[int]] = {}
        for piece in self.draft.pieces:
            if piece.spot is not None and self.ground.inside(*piece.spot):
                there.setdefault(piece.side, []).append(self.ground.cell(*piece.spot))
        return start_spaces(self.ground, spawns, side, exits, there)

    def board(self) -> Board:
        """The table as the window draws it; pieces go by their keys. Whoever is off the map is not on it."""
        minis = [self.miniature(piece) for piece in self.draft.pieces]
        doors = tuple(door.state for door in self.ground.doors)
        marks = tuple(map(_mark, self.ground.challenges))
        return Board(tuple(mini for mini in minis if mini is not None), (), "", doors, ground=marks)

    def miniature(self, piece: Piece) -> Miniature | None:
        """A creature before the first throw: named by its key, no points yet. None where it stands beside the map."""
        if piece.spot is None or not self.ground.inside(*piece.spot):
            return None
        mini = trial.figure(self.draft.ruleset, piece.entry, self.draft.options)
        badges = mini.badges
        if _says(self.draft, piece, "surprised") is True:
            badges += (Badge("surprised", "Surprised", "Starts the fight asleep or off guard."),)
        cell, points = self.ground.cell(*piece.spot), Bar(mini.points.label, 0, 0, mini.points.tone)
        return msgspec.structs.replace(mini, id=str(piece.key), cell=cell, badges=badges, points=points, active=False)


def _mark(challenge: Challenge) -> GroundMark:
    """What the map puts in somebody's way; whoever prepares an encounter sees all of it."""
    kind = "ledge" if challenge.edges else challenge.kind
    return GroundMark(kind, challenge.id, board_of(challenge.cells), edges=challenge.edges)


def _says(draft: Draft, piece: Piece, name: str) -> Any:
    try:
        return trial.merged(draft.ruleset, piece.entry).get(name)
    except BattlematError:
        return piece.entry.get(name)

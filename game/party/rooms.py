"""What a room is for a party: the named one of the map, else the ground that is seen around up to its doors."""

from __future__ import annotations

from game.party.table import Table
from rules.board.bitboard import board_of, cells_of
from rules.board.fixtures import DoorState
from rules.board.path import reach
from rules.board.sight import visible
from rules.contract.units import EMPTY, Bitboard, Cell

WIDE = 24
"""Spaces of way as far as ground belongs to a room that has no end."""


def room_of(table: Table, cell: Cell) -> Bitboard:
    """The known ground of the room in which a space lies."""
    doors = board_of(door.cell for door in table.field.doors if door.edge is None) & ~(1 << cell)
    shut = table.field.terrain(0) if table.field.doors else table.terrain  # thin doors part rooms, open or not
    around = reach(shut, cell, WIDE, blocked=table.barred & ~(1 << cell) | doors)
    ground = board_of((*(c for layer in around.layers for c in cells_of(layer)), cell))
    for room in getattr(table.field, "rooms", ()):
        if room.cells >> cell & 1:
            return Bitboard(room.cells & table.known & ~table.barred)
    return ground & table.known & (visible(table.terrain, cell, 1) | 1 << cell)


def shut_doors(table: Table, room: Bitboard) -> list[str]:
    """The shut doors that lead out of a room, as far as they are known."""
    found = []
    beside = room
    for cell in cells_of(room):
        beside |= table.terrain.within(cell, 1)
    for number, door in enumerate(table.field.doors):
        shut = not table.terrain.doors_open >> number & 1 and table.board.doors[number] != DoorState.SECRET
        if shut and door.spaces & (beside if door.edge is None else room):
            found.append(door.id)
    return found


def beside_door(table: Table, name: str) -> Bitboard:
    """The spaces from which somebody is at a door."""
    door = next(each for each in table.field.doors if each.id == name)
    if door.edge is not None:
        return (1 << door.cell | 1 << door.edge) & table.known
    found = EMPTY
    for cell in cells_of(table.terrain.within(door.cell, 1) & ~(1 << door.cell)):
        (ax, ay), (bx, by) = table.field.at(cell), table.field.at(door.cell)
        if (ax == bx) != (ay == by):
            found |= 1 << cell
    return found & table.known

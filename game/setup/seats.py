"""Who plays whom, as it is set up before a fight: seats, and for each side or single creature a seat or the computer.

An immutable value made from a record's document and written back into it; nothing here knows a window.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from game.fight.seats import GAME_MASTER

MOST = 6
COMPUTER = -1
"""In place of a seat's number: the computer plays."""
AS_SIDE = -2
"""In place of a seat's number: a creature is played by whoever plays its side."""
CLOCKS: Mapping[int, str] = {0: "no clock", 30: "30 s", 60: "1 min", 90: "1½ min", 120: "2 min", 300: "5 min"}
"""Seconds for a chance, and how they are called."""
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")


@dataclass(frozen=True)
class Place:
    """A seat being set up."""

    name: str
    colour: int = 0
    own_dice: bool = False


@dataclass(frozen=True)
class Table:
    """`players` says for sides, creatures and the game master who plays them: a seat's number, or COMPUTER."""

    places: tuple[Place, ...] = (Place("You"),)
    players: Mapping[str, int] = field(default_factory=dict)
    seconds: int = 0

    # -- asking

    def of_side(self, side: str) -> int:
        """Who plays a side; what nobody said, the computer does."""
        return self.players.get(side, COMPUTER)

    def of(self, creature: str, side: str) -> int:
        """Who plays a creature."""
        own = self.players.get(creature, AS_SIDE)
        return self.of_side(side) if own == AS_SIDE else own

    def versus(self, creatures: Mapping[str, str]) -> bool:
        """Whether seats play on different sides; `creatures`: id -> side."""
        sides: dict[int, set[str]] = {}
        for name, side in creatures.items():
            sides.setdefault(self.of(name, side), set()).add(side)
        return len({frozenset(own) for seat, own in sides.items() if seat >= 0}) > 1

    def idle(self, creatures: Mapping[str, str]) -> tuple[str, ...]:
        """Names of the seats that play nobody; `creatures`: id -> side."""
        busy = {self.of(name, side) for name, side in creatures.items()} | {self.players.get(GAME_MASTER)}
        return tuple(place.name for number, place in enumerate(self.places) if number not in busy)

    # -- changing

    def joined(self) -> Table:
        """One more seat, by a name and a colour that nobody has; the same table if it is full."""
        if len(self.places) >= MOST:
            return self
        names = {place.name for place in self.places}
        colours = {place.colour for place in self.places}
        name = next(name for name in (*NAMES, *map(str, range(9))) if name not in names)
        colour = next(n for n in range(8) if n not in colours)
        first = self.places
        if len(first) == 1 and first[0].name == "You":
            first = (replace(first[0], name=next(n for n in NAMES if n != name)),)
            name, first = first[0].name, (replace(first[0], name=name),)
        return replace(self, places=(*first, Place(name, colour)))

    def without(self, number: int) -> Table:
        """A seat gone; what it played, the first seat plays."""
        if len(self.places) < 2:
            return self
        players = {}
        for what, seat in self.players.items():
            players[what] = 0 if seat == number else seat - (seat > number)
        places = tuple(place for n, place in enumerate(self.places) if n != number)
        return replace(self, places=places, players=players)

    def changed(self, number: int, **fields: Any) -> Table:
        """A seat with another name, colour or dice."""
        place = replace(self.places[number], **fields)
        return replace(self, places=(*self.places[:number], place, *self.places[number + 1 :]))

    def given(self, what: str, seat: int) -> Table:
        """A side, a creature or the game master given to a seat (AS_SIDE: to whoever plays its side)."""
        players = {name: who for name, who in self.players.items() if name != what}
        if seat != AS_SIDE:
            players[what] = seat
        return replace(self, players=players)


def from_document(document: Mapping[str, Any]) -> Table:
    """The table of a record's document."""
    creatures = [c for c in document.get("creatures", ()) if isinstance(c, Mapping)]
    seats = [s for s in document.get("seats", ()) if isinstance(s, Mapping)]
    places = tuple(
        Place(str(s.get("name", "")), int(s.get("colour", 0)), bool(s.get("own_dice", False))) for s in seats
    ) or (Place("You"),)
    named = {str(what): n for n, seat in reversed(list(enumerate(seats))) for what in seat.get("plays", ())}
    players: dict[str, int] = {}
    for side in dict.fromkeys(str(c.get("side", "")) for c in creatures):
        people = any(c.get("controller") == "human" for c in creatures if str(c.get("side", "")) == side)
        players[side] = named.get(side, 0) if people else COMPUTER
    for creature in creatures:
        name, side = str(creature.get("id", "")), str(creature.get("side", ""))
        who = named.get(name, named.get(side, 0)) if creature.get("controller") == "human" else COMPUTER
        if who != players[side]:
            players[name] = who
    if GAME_MASTER in named:
        players[GAME_MASTER] = named[GAME_MASTER]
    return Table(places, players, int(document.get("chance_seconds") or 0))


def seats_of(table: Table, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """The table's seats as a record has them; `names`: id -> side of the creatures. None for one person at home."""
    known = {*names, *names.values(), GAME_MASTER}
    if len(table.places) == 1 and table.places[0] == Place("You") and GAME_MASTER not in table.players:
        return []
    out = []
    for number, place in enumerate(table.places):
        plays = [what for what, seat in table.players.items() if seat == number and what in known]
        seat: dict[str, Any] = {"name": place.name, "colour": place.colour, "plays": plays}
        out.append({**seat, "own_dice": True} if place.own_dice else seat)
    return out


def into_document(table: Table, document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with the table's seats, clock and controllers in it."""
    creatures = [dict(creature) for creature in document.get("creatures", ())]
    for creature in creatures:
        who = table.of(str(creature.get("id", "")), str(creature.get("side", "")))
        creature["controller"] = "human" if who >= 0 else "ai"
    said = {key: value for key, value in document.items() if key not in ("seats", "chance_seconds")}
    seats = seats_of(table, {str(c.get("id", "")): str(c.get("side", "")) for c in creatures})
    if seats:
        said["seats"] = seats
    if table.seconds:
        said["chance_seconds"] = table.seconds
    return {**said, "creatures": creatures}

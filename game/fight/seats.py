"""Who sits at the table: which person plays whom, what their side may know, and who throws real dice."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass

from rules.contract.actions import Decision
from rules.contract.errors import RecordError
from rules.contract.hand import GAME_MASTER as HAND
from rules.contract.hand import Deed
from rules.contract.ruleset import PARTY
from rules.contract.text import joined
from rules.core.record import CAPTIVES, Command, Record

GAME_MASTER = "gm"
"""Answers questions that the rules put to the game master."""


def played_as(creature: str, known: Container[str]) -> str:
    """Whose player plays a creature: its own, or that of who called it (`wizard.1` is `wizard`'s)."""
    while creature not in known and "." in creature:
        creature = creature.rpartition(".")[0]
    return creature


def led(creatures: Mapping[str, tuple[str, str]], creature: str) -> tuple[str, str]:
    """(side, controller) of who answers for a creature: prisoners, once they are free, go with the heroes."""
    side, controller = creatures.get(creature, ("", "ai"))
    if side == CAPTIVES and controller != "human":
        return PARTY, "human" if (PARTY, "human") in creatures.values() else controller
    return side, controller


class Roster:
    """Who is on which side, and who plays them, as the game master's hand leaves them: id -> (side, controller).

    It follows a record's commands; asked again after more of them, it reads on.
    """

    def __init__(self, record: Record, first: Mapping[str, tuple[str, str]]) -> None:
        self.record, self._first = record, dict(first)
        self._now = dict(first)
        self._read = 0
        self._last: Command | None = None

    def at(self, count: int | None = None) -> Mapping[str, tuple[str, str]]:
        """After so many commands; left out: after all."""
        commands = self.record.commands
        count = len(commands) if count is None else min(count, len(commands))
        if self._read > count or (self._read and commands[self._read - 1] is not self._last):
            self._now, self._read = dict(self._first), 0
        if self._read < count:
            for command in commands[self._read : count]:
                if command.by == HAND:
                    self._follow(command)
            self._read, self._last = count, commands[count - 1]
        return self._now

    def _follow(self, command: Command) -> None:
        now, entry = self._now, command.creature
        if command.do == Deed.ADD and entry is not None:
            now[str(entry.get("id"))] = str(entry.get("side")), str(entry.get("controller", "ai"))
        elif command.target in now and command.option:
            side, controller = now[command.target]
            if command.do == Deed.SIDE:
                now[command.target] = command.option, controller
            elif command.do == Deed.PLAYER:
                now[command.target] = side, command.option


def computers(record: Record, at: int | None = None) -> frozenset[str]:
    """The people's creatures that the computer plays after so many commands (left out: after all)."""
    if not record.handed:
        return frozenset()
    found: set[str] = set()
    for entry in record.handed:
        if at is None or entry.at <= at:
            (found.add if entry.to == "ai" else found.discard)(entry.who)
    return frozenset(found | _along(record, found))


def _along(record: Record, given: Container[str]) -> set[str]:
    """The prisoners, where all of the people's heroes are the computer's: nobody is left who would play them."""
    heroes, captives = list[object](), set[str]()
    for creature in record.creatures:
        side, person = creature.get("side"), creature.get("controller", "ai") == "human"
        if side == PARTY and person:
            heroes.append(creature.get("id"))
        elif side == CAPTIVES and not person:
            captives.add(str(creature.get("id")))
    return captives if heroes and all(name in given for name in heroes) else set()


@dataclass(frozen=True, slots=True)
class Seat:
    """A person at the table. `number` counts from 0 in the order of the record."""

    number: int
    name: str
    colour: int
    plays: tuple[str, ...]
    own_dice: bool = False


class Seats:
    """The table of a fight: two to six named seats, or the one person who plays everybody that is `human`.

    Raises RecordError for two seats of one name, and for a seat that plays what isn't there.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        first: dict[str, tuple[str, str]] = {}
        for creature in record.creatures:
            name, side = str(creature.get("id")), str(creature.get("side"))
            first[name] = (side, str(creature.get("controller", "ai")))
        self._roster = Roster(record, first)
        self.seats = tuple(Seat(n, s.name, s.colour, tuple(s.plays), s.own_dice) for n, s in enumerate(record.seats))
        if not self.seats:
            sides = dict.fromkeys(side for side, controller in first.values() if controller == "human")
            self.seats = (Seat(0, "You", 0, tuple(sides)),)
        known = (*dict.fromkeys(side for side, _ in self.creatures.values()), *self.creatures)
        for seat in self.seats:
            if any(seat.name == other.name for other in self.seats[: seat.number]):
                raise RecordError("seats[{number}]: name {name} is taken; names differ", seat.number, repr(seat.name))
            for what in seat.plays:
                if what not in known and what != GAME_MASTER:
                    wrong = (
                        "seats[{number}] ({name}): plays {what}, which is neither a side nor a creature; "
                        "there are {known}"
                    )
                    raise RecordError(wrong, seat.number, seat.name, repr(what), joined(", ", known))

    @property
    def creatures(self) -> Mapping[str, tuple[str, str]]:
        """Id -> (side, controller), as they are now."""
        return self._roster.at()

    @property
    def shared(self) -> bool:
        """Whether more than one person sits at the table."""
        return len(self.seats) > 1

    def of(self, creature: str) -> Seat | None:
        """Who plays a creature: the seat that names it, else the one that names its side; None = the computer."""
        if creature == GAME_MASTER:
            return self.master or self.seats[0]
        creature = played_as(creature, self.creatures)
        side, controller = led(self.creatures, creature)
        if controller != "human":
            return None
        return next((seat for what in (creature, side) for seat in self.seats if what in seat.plays), self.seats[0])

    def answering(self, decision: Decision) -> Seat | None:
        """Who answers a decision; None = the computer. A question to the game master goes to their seat.

        A side's own decision is for whoever plays that side, else for the first who plays anybody of it; for the
        computer where all of that side were given to it.
        """
        if decision.by not in self.creatures and decision.by == decision.side:
            given = computers(self.record)
            names = [name for name, (side, _) in self.creatures.items() if side == decision.side and name not in given]
            seats = [seat for name in names if (seat := self.of(name)) is not None]
            return next((seat for seat in seats if decision.side in seat.plays), next(iter(seats), None))
        if played_as(decision.by, self.creatures) not in self.creatures and decision.by != GAME_MASTER:
            return self.seats[0]
        given = computers(self.record)
        if given and (decision.by in given or played_as(decision.by, self.creatures) in given):
            return None  # whom somebody has called goes along
        return self.of(decision.by)

    def sides(self, seat: Seat) -> tuple[str, ...]:
        """The sides whose knowledge a seat shares, in the record's order: those on which it plays anybody."""
        led_ones = (CAPTIVES, "ai")  # they bring no knowledge of their own: they sit behind locks
        found = (each[0] for name, each in self.creatures.items() if each != led_ones and self.of(name) == seat)
        return tuple(dict.fromkeys(found))

    def keeps_secrets(self, one: Seat, other: Seat) -> bool:
        """Whether one seat may know something that the other must not see."""
        return self.sides(one) != self.sides(other)

    @property
    def played(self) -> frozenset[str]:
        """The sides on which people play; all where nobody does."""
        sides = frozenset(side for seat in self.seats for side in self.sides(seat))
        return sides or frozenset(side for side, _ in self.creatures.values())

    @property
    def keep_secrets(self) -> bool:
        """Whether any seat may know something that another must not see."""
        return any(self.keeps_secrets(a, b) for a in self.seats for b in self.seats)

    @property
    def master(self) -> Seat | None:
        """The seat that plays the game master; None where none was said to."""
        return next((seat for seat in self.seats if GAME_MASTER in seat.plays), None)

    def throws_own(self, creature: str) -> bool:
        """Whether a creature's dice are thrown by hand."""
        seat = self.of(creature) if played_as(creature, self.creatures) in self.creatures else None
        return seat is not None and seat.own_dice and creature not in computers(self.record)


def heroes_of(record: Record) -> tuple[str, ...]:
    """The sides that the players' window is for: the heroes; where there are none, those of the first seat."""
    sides = tuple(dict.fromkeys(str(creature.get("side")) for creature in record.creatures))
    if PARTY in sides:
        return (PARTY,)
    seats = Seats(record)
    return next((own for seat in seats.seats if (own := seats.sides(seat))), sides[:1])

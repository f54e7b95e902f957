"""An encounter being prepared: an immutable value, and the ways from one such value to the next.

The entries of creatures are kept as the record has them (docs/record.md): a template and only what differs from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from game.content.packs.needs import needed
from game.fight.seats import GAME_MASTER
from rules.contract.errors import RecordError
from rules.core import record as records

Entry = Mapping[str, Any]
Spot = tuple[int, int]
"""Column and row."""
UNSET: Any = object()
"""In place of a field's value: leave the field out."""


def spot_of(value: Any) -> Spot | None:
    """The place that a value of a record is; None where it is none."""
    whole = isinstance(value, (list, tuple)) and len(value) == 2 and all(type(n) is int for n in value)
    return (value[0], value[1]) if whole else None


class Piece(NamedTuple):
    """A creature on the table. `key` names it as long as it is edited: its id may change, or be wrong."""

    key: int
    entry: Entry

    @property
    def id(self) -> str:
        return str(self.entry.get("id", ""))

    @property
    def side(self) -> str:
        return str(self.entry.get("side", ""))

    @property
    def spot(self) -> Spot | None:
        """Where it stands; None where the entry says nothing that could be a place."""
        return spot_of(self.entry.get("at"))


@dataclass(frozen=True)
class Elsewhere:
    """A table as it was last under another ruleset."""

    blocks: Mapping[int, Entry] = field(default_factory=dict)
    """Entries of creatures, by key."""
    options: Mapping[str, Any] = field(default_factory=dict)
    resting: frozenset[int] = frozenset()
    """Who stayed behind there, by key."""
    joined: frozenset[int] = frozenset()
    """Who came besides, for those rules only, by key."""


@dataclass(frozen=True)
class Draft:
    """A whole encounter. `map` is what the record's `map` says."""

    ruleset: str
    map: Mapping[str, Any]
    title: str = ""
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    throws: tuple[int | None, ...] | None = None
    pieces: tuple[Piece, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)
    """Whatever else the record says; kept as it is."""
    next_key: int = 1
    elsewhere: Mapping[str, Elsewhere] = field(default_factory=dict)
    """What the table was under other rulesets (game/setup/otherrules.py); no part of the record."""
    arrived: Mapping[int, Entry] = field(default_factory=dict)
    """The creatures as they were when the table came to the present ruleset."""
    resting: frozenset[int] = frozenset()
    """Whom the present ruleset left behind, by key; `elsewhere` has their entries."""
    joined: frozenset[int] = frozenset()
    """Who came besides, for the present ruleset only, by key."""

    def piece(self, key: int) -> Piece | None:
        return next((piece for piece in self.pieces if piece.key == key), None)

    def sides(self) -> tuple[str, ...]:
        """The sides, in the order in which they first appear."""
        return tuple(dict.fromkeys(piece.side for piece in self.pieces))


# -- from and to records --------------------------------------------------------------------------------

SEATS = "seats"
"""Who sits at the table (game/fight/seats.py): each seat plays sides and creatures, by name."""
CLOCK = "chance_seconds"
"""How long a chance of a person may take."""
ARRIVALS = "arrivals"
"""Who comes later (game/setup/waves.py)."""
_KNOWN = ("format", "ruleset", "title", "options", "map", "seed", "throws", "creatures", "commands",
          "branches", "rewinds", "carried", "chain", "needs")  # fmt: skip


_STAYS = (SEATS, CLOCK, ARRIVALS)
"""What a record of a fight that was begun says of its table."""


def from_record(record: records.Record) -> Draft:
    """A record's start as a draft. Commands given since are left behind, and the throws that answered them; of a place
    that is come to again, how it was left: what is prepared is a table, not an evening."""
    data = records.document(record)
    source = {name: said for name, said in data["map"].items() if name != "left"}
    throws = None if record.throws is None or record.commands else tuple(record.throws)
    return Draft(
        ruleset=record.ruleset, map=source, title=record.title, seed=record.seed, options=dict(record.options),
        throws=throws, pieces=tuple(Piece(key, dict(entry)) for key, entry in enumerate(record.creatures, 1)),
        more={k: v for k, v in data.items() if k not in _KNOWN and (k in _STAYS or not record.commands)},
        next_key=len(record.creatures) + 1,
    )  # fmt: skip


def document(draft: Draft) -> dict[str, Any]:
    """The draft as a record's document, without commands."""
    said: dict[str, Any] = {"format": records.format_of(draft.map), "ruleset": draft.ruleset}
    if draft.title:
        said["title"] = draft.title
    said |= {"options": dict(draft.options), "map": dict(draft.map), "seed": draft.seed}
    if draft.throws is not None:
        said["throws"] = list(draft.throws)
    more = dict(draft.more)
    if SEATS in more:  # as far as those whom they play are still on the table; one that lost all of them stays empty
        there = {GAME_MASTER, *(piece.id for piece in draft.pieces), *draft.sides()}
        more[SEATS] = [{**s, "plays": [who for who in s.get("plays", ()) if who in there]} for s in more[SEATS]]
    if ARRIVALS in more:
        ids = {piece.id for piece in draft.pieces}
        waves = [{**wave, "who": [who for who in wave.get("who", ()) if who in ids]} for wave in more[ARRIVALS]]
        more[ARRIVALS] = [wave for wave in waves if wave["who"]]
    creatures = [dict(piece.entry) for piece in draft.pieces]
    if needs := needed(draft.ruleset, creatures):
        said["needs"] = needs
    return {**said, **more, "creatures": creatures, "commands": []}


def _renamed(draft: Draft, old: str, new: str) -> Draft:
    """Seats that play, and waves of, somebody who has another name now."""
    more = dict(draft.more)
    for word, who_of in ((SEATS, "plays"), (ARRIVALS, "who")):
        if before := draft.more.get(word, ()):
            more[word] = [{**e, who_of: [new if who == old else who for who in e.get(who_of, ())]} for e in before]
    return replace(draft, more=more) if more != draft.more else draft


def seated(draft: Draft, table: SeatTable) -> Draft:
    """The draft with everybody played as the table says, its seats and its clock."""
    who = {piece.key: "human" if table.of(piece.id, piece.side) >= 0 else "ai" for piece in draft.pieces}
    others = {piece.key for piece in draft.pieces if piece.entry.get("controller") != who[piece.key]}
    pieces = _changed(draft, others, lambda piece: {**piece.entry, "controller": who[piece.key]}).pieces
    return replace(draft, pieces=pieces, more=_taken_seats(table, draft.more, {p.id: p.side for p in draft.pieces}))


def to_record(draft: Draft) -> records.Record:
    """The draft as a record. Raises RecordError where a record needs more, such as a creature."""
    if not draft.pieces:
        raise RecordError("creatures: nobody is on the map yet; a record needs at least one creature")
    return records.read(document(draft))


# -- names ----------------------------------------------------------------------------------------------


def fresh_name(stem: str, taken: Iterable[str]) -> tuple[str, int]:
    """An id nobody has: `goblin`, else `goblin_2` and so on; with its number."""
    known = set(taken)
    head, _, tail = stem.rpartition("_")
    made, number = (stem := head if head and tail.isdigit() else stem), 1
    while made in known:
        number += 1
        made = f"{stem}_{number}"
    return made, number


def numbered(name: str, number: int) -> str:
    """`Goblin 2` with the number 4 is `Goblin 4`; the first of a name has none."""
    head, _, tail = name.rpartition(" ")
    stem = head if head and tail.isdigit() else name
    return f"{stem} {number}" if number > 1 else stem


# -- changes --------------------------------------------------------------------------------------------


def added(draft: Draft, entry: Entry, name: str, at: Spot) -> Draft:
    """One more creature. Where its id is taken it gets a number, as does `name`, which it goes by."""
    identity, number = fresh_name(str(entry.get("id", "creature")), (p.id for p in draft.pieces))
    said = {**entry, "id": identity, "at": list(at)}
    if number > 1 and name:
        said["name"] = numbered(name, number)
    piece = Piece(draft.next_key, said)
    return replace(draft, pieces=(*draft.pieces, piece), next_key=draft.next_key + 1)


def removed(draft: Draft, keys: Iterable[int]) -> Draft:
    gone = set(keys)
    return replace(draft, pieces=tuple(piece for piece in draft.pieces if piece.key not in gone))


def stood(draft: Draft, spots: Mapping[int, Spot]) -> Draft:
    """Creatures put on these spaces."""
    return _changed(draft, spots, lambda piece: {**piece.entry, "at": list(spots[piece.key])})


def moved(draft: Draft, keys: Iterable[int], columns: int, rows: int) -> Draft:
    """Creatures shifted together, by so many columns and rows."""
    there = {piece.key: piece.spot for piece in draft.pieces if piece.key in set(keys)}
    return stood(draft, {key: (spot[0] + columns, spot[1] + rows) for key, spot in there.items() if spot is not None})


def field_set(draft: Draft, keys: Iterable[int], name: str, value: Any, base: Mapping[int, Entry]) -> Draft:
    """A field of some creatures changed. What the template (`base` by key) says anyway is left out of the entry."""
    chosen = set(keys)

    def entry(piece: Piece) -> Entry:
        known = base.get(piece.key, {})
        if value is UNSET or (name in known and known[name] == value):
            return {k: v for k, v in piece.entry.items() if k != name}
        return {**piece.entry, name: value}

    before = draft.piece(next(iter(chosen), -1))
    changed = _changed(draft, chosen, entry)
    if name == "id" and before is not None and value is not UNSET:
        changed = _renamed(changed, before.id, str(value))
    return changed


def side_renamed(draft: Draft, old: str, new: str) -> Draft:
    """Everybody of one side goes over to another, which may be new."""
    keys = {piece.key for piece in draft.pieces if piece.side == old}
    return _renamed(_changed(draft, keys, lambda piece: {**piece.entry, "side": new}), old, new)


def _changed(draft: Draft, keys: Iterable[int], entry: Any) -> Draft:
    chosen = set(keys)
    pieces = tuple(Piece(p.key, entry(p)) if p.key in chosen else p for p in draft.pieces)
    return replace(draft, pieces=pieces) if pieces != draft.pieces else draft


MOST = 6
COMPUTER = -1
"""In place of a seat's number: the computer plays."""
AS_SIDE = -2
"""In place of a seat's number: a creature is played by whoever plays its side."""
CLOCKS: Mapping[int, str] = {0: "no clock", 30: "30 s", 60: "1 min", 90: "1½ min", 120: "2 min", 300: "5 min"}
"""Seconds for a chance, and how they are called."""
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")


@dataclass(frozen=True)
class SeatPlace:
    """A seat being set up."""

    name: str
    colour: int = 0
    own_dice: bool = False


@dataclass(frozen=True)
class SeatTable:
    """`players` says for sides, creatures and the game master who plays them: a seat's number, or COMPUTER."""

    places: tuple[SeatPlace, ...] = (SeatPlace("You"),)
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

    def joined(self) -> SeatTable:
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
        return replace(self, places=(*first, SeatPlace(name, colour)))

    def without(self, number: int) -> SeatTable:
        """A seat gone; what it played, the first seat plays."""
        if len(self.places) < 2:
            return self
        players = {what: 0 if seat == number else seat - (seat > number) for what, seat in self.players.items()}
        places = tuple(place for n, place in enumerate(self.places) if n != number)
        return replace(self, places=places, players=players)

    def changed(self, number: int, **fields: Any) -> SeatTable:
        """A seat with another name, colour or dice."""
        place = replace(self.places[number], **fields)
        return replace(self, places=(*self.places[:number], place, *self.places[number + 1 :]))

    def given(self, what: str, seat: int) -> SeatTable:
        """A side, a creature or the game master given to a seat (AS_SIDE: to whoever plays its side)."""
        players = {name: who for name, who in self.players.items() if name != what}
        if seat != AS_SIDE:
            players[what] = seat
        return replace(self, players=players)


def seats_from(document: Mapping[str, Any]) -> SeatTable:
    """The table of a record's document."""
    creatures = [c for c in document.get("creatures", ()) if isinstance(c, Mapping)]
    seats = [s for s in document.get("seats", ()) if isinstance(s, Mapping)]
    places = tuple(
        SeatPlace(str(s.get("name", "")), int(s.get("colour", 0)), bool(s.get("own_dice", False))) for s in seats
    ) or (SeatPlace("You"),)
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
    return SeatTable(places, players, int(document.get("chance_seconds") or 0))


def with_seats(table: SeatTable, document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with the table's seats, clock and controllers in it."""
    creatures = [dict(creature) for creature in document.get("creatures", ())]
    for creature in creatures:
        who = table.of(str(creature.get("id", "")), str(creature.get("side", "")))
        creature["controller"] = "human" if who >= 0 else "ai"
    names = {str(c.get("id", "")): str(c.get("side", "")) for c in creatures}
    return {**_taken_seats(table, document, names), "creatures": creatures}


def _taken_seats(table: SeatTable, said: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """What is said, with the table's seats and clock; `names`: id -> side of the creatures."""
    kept = {key: value for key, value in said.items() if key not in (SEATS, CLOCK)}
    seats, known = [], {*names, *names.values(), GAME_MASTER}
    for number, place in enumerate(table.places):
        plays = [what for what, seat in table.players.items() if seat == number and what in known]
        own_dice = {"own_dice": True} if place.own_dice else {}
        seats.append({"name": place.name, "colour": place.colour, "plays": plays, **own_dice})
    if table.places != (SeatPlace("You"),) or GAME_MASTER in table.players:  # one person at home needs none
        kept[SEATS] = seats
    return {**kept, CLOCK: table.seconds} if table.seconds else kept

"""Coming to a place again: what an evening leaves of it, and how the next one begins there (docs/exploration.md).

What is left is a value computed from the last state: how doors, traps and chests stand, what lies about, what a side
has found, and how everybody of the place is. Time that passes before the next evening does to them what their ruleset
says. Beginning from it throws no dice: with no time passed nothing of the place is otherwise. Who comes again comes in
where the first party did; what was called up, or torn off another, is gone (ours).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from rules.board.bitboard import cells_of
from rules.board.fixtures import PORTCULLIS, DoorState, open_doors
from rules.board.grid import Field, Terrain
from rules.board.left import Fate, Remains, Resident
from rules.contract.errors import BattlematError, RecordError
from rules.contract.ruleset import PARTY, State
from rules.contract.text import as_builtins
from rules.contract.units import EMPTY, NO_CREATURE, Bitboard, Cell, CreatureIx, numbered
from rules.core.fixtures.loot import Plunder
from rules.core.left import spans_of
from rules.core.record import CAPTIVES, PLACE_FORMAT, Record
from rules.core.record import read as read_record
from rules.core.secrets import first_of
from rules.explore.course import around
from rules.explore.crawl import Crawl
from rules.explore.goals import OPEN
from rules.explore.state import Attitude

HOUR, NIGHT = 60, 8 * 60
"""Minutes after which nobody of a place looks for the party any more, and after which those are back who fled (ours).
"""
K = TypeVar("K", bound=msgspec.Struct)


class Again(ABC, Generic[K]):
    """How a ruleset's creatures are left and found again. A figure has `cell`."""

    kept: type[K]
    """What of a figure lasts: a struct whose fields are named as the figure's own."""
    course: ClassVar[Crawl[Any]]
    plunder: ClassVar[Plunder]

    # -- what a ruleset says

    @abstractmethod
    def fallen(self, state: Any, who: CreatureIx) -> str:
        """`Fate.DEAD`, `Fate.DOWN`, or empty for who is on its feet."""

    @abstractmethod
    def rest(self, resolution: Any, whom: Sequence[CreatureIx], minutes: int) -> None:
        """So much time passes for those of the place who live, as a camp's time does for heroes."""

    @abstractmethod
    def keep(self, state: Any, who: CreatureIx) -> K:
        """How somebody is, and what it has."""

    @abstractmethod
    def check(self, setup: Any, who: CreatureIx, kept: K, where: str) -> None:
        """Raises RecordError for what can't be: things that no table has, more than somebody ever had."""

    @abstractmethod
    def bring_back(self, resolution: Any, who: CreatureIx) -> None:
        """Somebody who has fled is of the place again."""

    @abstractmethod
    def resolution(self, state: Any) -> Any:
        """A resolution of the state."""

    # -- what is left

    def leave(self, state: State, minutes: int) -> Remains:
        """What is left of the place, so many minutes after the party has gone. Raises BattlematError for a state of no
        expedition."""
        if state.explore is None or not state.explore.crawl:
            raise BattlematError("only an expedition leaves a place to come back to")
        resolution, living = self.resolution(state), self._living(state)
        back = self._fled(state) if minutes >= NIGHT else []
        told, arrived = list[CreatureIx](), list[CreatureIx]()
        if minutes:
            told = self._told(state, living, back)
            arrived = self._doubled(state, told)
            for who in back:
                self.bring_back(resolution, who)
            self.rest(resolution, [*living, *back], minutes)
            for who in told:
                if self.course.asleep(resolution, who):
                    self.course.wake(resolution, who)
        state = resolution.done()
        fates = {who: fate for who in self._everybody(state) if who not in back and (fate := self.fate(state, who))}
        left = self._left(state, fates, lit=bool(minutes), calm=minutes >= HOUR)
        residents = {
            body.id: self._resident(state, who, fates.get(who, ""), here=who in arrived, told=who in told)
            for who, body in numbered(self.course.bodies(state)) if who in self._everybody(state)
        }  # fmt: skip
        return Remains(left, _doors(state), {
            name: msgspec.structs.replace(one, at=None) if state.setup.index[name] in back else one
            for name, one in residents.items()
        })  # fmt: skip

    def _everybody(self, state: State) -> list[CreatureIx]:
        """All but those who came to be in the middle of the evening."""
        return [who for who, body in numbered(self.course.bodies(state)) if who < len(state.explore.post)]

    def _residents(self, state: State) -> list[CreatureIx]:
        return [who for who in self._everybody(state) if not self.course.is_hero(state, who)]

    def _living(self, state: State) -> list[CreatureIx]:
        return [who for who in self._residents(state) if self.fate(state, who) in ("", Fate.DOWN)]

    def _fled(self, state: State) -> list[CreatureIx]:
        return [who for who in self._residents(state)
                if self.fate(state, who) == Fate.GONE and not self.fallen(state, who)]  # fmt: skip

    def _told(self, state: State, living: Sequence[CreatureIx], back: Sequence[CreatureIx]) -> list[CreatureIx]:
        """Those who have heard of the party: who knows of it, or has fled from it and is `back`, has told its own group
        and those whom it would warn."""
        bodies, roused = self.course.bodies(state), state.explore.roused
        words = set[str]()
        for who in (*(i for i in living if roused >> i & 1 and self.course.up(state, i)), *back):
            words.update(word for word in (bodies[who].group, bodies[who].warns, bodies[who].id) if word)
        return [who for who in (*living, *back) if bodies[who].group in words or bodies[who].id in words]

    def _doubled(self, state: State, told: Sequence[CreatureIx]) -> list[CreatureIx]:
        """Where somebody was told, the next band in reserve of its side is there from now on."""
        bodies = self.course.bodies(state)
        sides = {bodies[who].side for who in told}
        for band in self.course.away(state).values():
            if band and bodies[band[0]].side in sides:
                return band
        return []

    def fate(self, state: State, who: CreatureIx) -> str:
        """What has become of somebody: a `Fate`, or empty for who is about."""
        now, bound = state.explore, state.aims.bound if state.aims is not None else ()
        off = state.figures[who].cell < 0 and now.parked_at(who) < 0
        if off and not any(each == who for each, _ in bound) and not self._in_reserve(state, who):
            return Fate.GONE
        return self.fallen(state, who)

    def _in_reserve(self, state: State, who: CreatureIx) -> bool:
        reserve = self.course.bodies(state)[who].reserve
        return bool(reserve) and who in self.course.away(state).get(reserve, ())

    def _place(self, state: State, who: CreatureIx) -> Cell:
        """Where somebody is: on the board, off it, or bound."""
        now, bound = state.explore, dict(state.aims.bound) if state.aims is not None else {}
        if state.figures[who].cell >= 0:
            return Cell(state.figures[who].cell)
        parked = now.parked_at(who)
        return parked if parked >= 0 else Cell(bound.get(who, now.post[who]))

    def _resident(self, state: State, who: CreatureIx, fate: str, *, here: bool, told: bool) -> Resident:
        now, body, course = state.explore, self.course.bodies(state)[who], self.course
        bound = state.aims is not None and any(each == who for each, _ in state.aims.bound)
        waits = self._in_reserve(state, who)
        cell = self._place(state, who)
        return Resident(
            at=state.setup.field.at(cell) if cell >= 0 and fate != Fate.GONE else None, fate=fate,
            party=course.is_hero(state, who), asleep=course.asleep(state, who), bound=bound,
            hidden=course.lurks(state, who), here=here or not waits,
            wary=told or bool(now.roused >> who & 1), space=body.space,
        )  # fmt: skip

    def _left(self, state: State, fates: Mapping[CreatureIx, str], *, lit: bool, calm: bool) -> dict[str, Any]:
        field, now, bodies = state.setup.field, state.explore, self.course.bodies(state)
        residents, everybody = self._residents(state), self._everybody(state)
        stood = {side: states for side, states, _ in state.recall.sides} if state.recall is not None else {}
        left: dict[str, Any] = {
            "fixtures": {one.id: str(stands) for one, stands in zip(field.challenges, state.challenges, strict=False)
                         if stands != first_of(one)},
            "found": {side: _secrets(field, bits) for side, bits in state.found if bits},
            "floor": [[item, *field.at(cell)] for item, cell in (*self.plunder.lying(state), *self._shed(state))],
            "cleared": [list(field.at(Cell(cell))) for cell in cells_of(getattr(state, "cleared", EMPTY))],
            "goals": {goal.name: stands.value for goal, stands in zip(field.goals, state.aims.stands, strict=True)
                      if stands is not OPEN} if state.aims is not None else {},
            "doors": {side: other for side, states in stood.items()
                      if (other := _otherwise(field, states, state.doors))},
            "fates": {bodies[who].id: str(fate) for who, fate in fates.items()},
            "attitudes": {bodies[who].id: Attitude(now.attitude[who]).name.lower() for who in residents
                          if now.attitude[who] not in (Attitude.UNMET, Attitude.HOLDS_BACK)},
            "posts": {bodies[who].id: list(field.at(now.post[who])) for who in residents
                      if now.post[who] >= 0 and now.post[who] != self._place(state, who) and who not in fates
                      and not bodies[who].patrol},
            "figures": {bodies[who].id: as_builtins(self.keep(state, who)) for who in everybody},
            "unlit": [] if lit else [bodies[who].id for who in residents if now.unlit >> who & 1],
            "roused": [] if calm else [bodies[who].id for who in residents if now.roused >> who & 1],
        }  # fmt: skip
        return {name: said for name, said in left.items() if said}

    def _shed(self, state: State) -> Iterator[tuple[str, Cell]]:
        """What those had who are no more: it lies where they stood."""
        for who, figure in numbered(state.figures):
            if who >= len(state.explore.post) and figure.cell >= 0:
                for item in self.plunder.belongings(state, who):
                    yield item, Cell(figure.cell)

    # -- how it is found again

    def laid(self, resolution: Any) -> None:
        """Everything as it was left, before the evening begins. Raises RecordError."""
        left = resolution.setup.field.left
        for item, cell in left.floor:
            self.plunder.strew(resolution, [item], cell)
        for name, said in left.figures:
            where, who = f"map.left.figures.{name}", resolution.setup.index.get(name, NO_CREATURE)
            try:
                kept = msgspec.convert(said, self.kept)
            except msgspec.ValidationError as error:
                raise RecordError("{where}: {error}", where, str(error)) from None
            self.check(resolution.setup, who, kept, where)
            self.find(resolution, who, kept)

    def find(self, resolution: Any, who: CreatureIx, kept: K) -> None:
        """Somebody is as it was left."""
        resolution.change(who, **msgspec.structs.asdict(kept))


def _doors(state: State) -> dict[str, str]:
    """How doors stand that stand otherwise than at first; a portcullis that somebody only held up has fallen."""
    field, held = state.setup.field, {number for number, _ in getattr(state, "held", ())}
    found = {}
    for number, (door, stands) in enumerate(zip(field.doors, state.doors, strict=True)):
        now = DoorState.CLOSED.value if number in held and door.kind == PORTCULLIS else str(stands)
        if now != door.state:
            found[door.id] = now
    return found


def _secrets(field: Field, bits: int) -> dict[str, list[str]]:
    doors = [door.id for number, door in enumerate(field.doors) if bits >> number & 1]
    others = [one.id for number, one in enumerate(field.challenges, len(field.doors)) if bits >> number & 1]
    return {name: said for name, said in (("doors", doors), ("fixtures", others)) if said}


def _otherwise(field: Field, seen: Sequence[str], now: Sequence[str]) -> dict[str, str]:
    return {door.id: str(then) for door, then, stands in zip(field.doors, seen, now, strict=True) if then != stands}


# -- the next evening --------------------------------------------------------------------------------------


class Visit(msgspec.Struct, frozen=True):
    """Who comes to a place again, and when."""

    heroes: Sequence[Mapping[str, Any]]  # entries of a record, without a place
    seed: int
    minutes: int = 0  # since the last evening ended
    of: str = ""  # its short name
    seen: Mapping[str, Bitboard] = {}  # side -> the ground that it has seen so far
    same: Mapping[str, str] = {}  # heroes of the last evening who come under another id -> that id


def again(record: Record, field: Field, remains: Remains, visit: Visit) -> Record:
    """The record of the next evening at a place: `record` and `field` are of the last one, as `Match` has them.

    Raises RecordError where somebody of the party finds no space.
    """
    before = record.map.left
    gone = {} if before is None else before.fates  # who lies there since earlier still
    starts = [
        field.cell(*entry["at"]) for entry in record.creatures if _came(entry, remains) and entry["id"] not in gone
    ]
    found = [_found(entry, one) for entry in record.creatures
             if (one := remains.residents.get(str(entry["id"]))) is not None and _stays(entry, one)]  # fmt: skip
    left = _about(remains.left, [entry["id"] for entry in found])
    home = {name: Fate.GONE.value for entry in found if _went(entry, remains.residents[name := str(entry["id"])])}
    left |= {"fates": {**left.get("fates", {}), **home}} if home else {}
    if visit.seen:
        left["seen"] = {side: [list(span) for span in spans_of(field, board)] for side, board in visit.seen.items()}
    left |= {"evening": 2 if before is None else before.evening + 1, "minutes": visit.minutes, "of": visit.of}
    source = {**record.map.model_dump(mode="json", exclude_none=True), "left": left}
    if doors := {**(record.map.doors or {}), **remains.doors}:
        source["doors"] = doors
    party = _settled(_ground(field, remains), remains, visit.heroes, starts, found)
    made: dict[str, Any] = {
        "format": PLACE_FORMAT, "ruleset": record.ruleset, "title": record.title, "options": record.options,
        "map": source, "seed": visit.seed, "creatures": [*party, *found], "commands": [],
        "seats": _seats(record, visit.same, party, [e for e in found if e["id"] not in left.get("fates", {})]),
    }  # fmt: skip
    return read_record(made | ({"chance_seconds": record.chance_seconds} if record.chance_seconds else {}))


MASTER = "gm"
"""Whom a seat plays that answers for the game master."""


def _seats(
    record: Record, same: Mapping[str, str], party: Sequence[Mapping[str, Any]], about: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Who sits at the table: each seat plays those of its own who are here, and whole sides as before. Whoever is new
    goes to the seat with the fewest heroes; a seat without anybody is not laid (ours)."""
    heroes = [str(entry["id"]) for entry in party]
    known = {MASTER, *heroes, *(str(entry[word]) for entry in (*party, *about) for word in ("id", "side"))}
    plays = [[name for each in seat.plays if (name := same.get(each, each)) in known] for seat in record.seats]
    before = {str(entry["id"]) for entry in record.creatures if entry.get("side") == PARTY}
    leading = [names for seat, names in zip(record.seats, plays, strict=True) if before & {*seat.plays}]
    for name in heroes if leading and not any(PARTY in names for names in plays) else ():
        if not any(name in names for names in plays):
            min(leading, key=lambda names: sum(each in heroes for each in names)).append(name)
    return [{**seat.model_dump(mode="json"), "plays": names}
            for seat, names in zip(record.seats, plays, strict=True) if names]  # fmt: skip


def _came(entry: Mapping[str, Any], remains: Remains) -> bool:
    """Whether somebody came with the party."""
    one = remains.residents.get(str(entry["id"]))
    return one is not None and one.party and entry.get("prisoner") is not True


def _stays(entry: Mapping[str, Any], one: Resident) -> bool:
    """Whether somebody of the last evening is in the next one's record: of those who came, the dead alone."""
    return not one.party or one.fate == Fate.DEAD or entry.get("prisoner") is not None


def _went(entry: Mapping[str, Any], one: Resident) -> bool:
    """Whether somebody who was freed went home with the others."""
    return one.party and one.fate != Fate.DEAD and entry.get("prisoner") is False


def _found(entry: Mapping[str, Any], one: Resident) -> dict[str, Any]:
    """A record's entry of somebody who stays, as it is found again; what it has is said elsewhere."""
    from_book = entry.get("template") is not None  # which may say it where the entry doesn't
    said = (("asleep", one.asleep, from_book), ("hidden", one.hidden, from_book), ("prisoner", one.bound, False))
    words = {word: yes for word, yes, usual in said if yes or usual or entry.get(word) is not None}
    now = {**entry, "carries": "", **words}
    if one.at is not None:
        now["at"] = list(one.at)
    if entry.get("side") == CAPTIVES and not one.bound:
        now["side"] = PARTY
    if one.here and entry.get("reserve"):
        now["reserve"] = ""
    if one.party and one.fate == Fate.DEAD:
        now["controller"] = "ai"  # nobody plays it any more
    if one.wary and entry.get("surprised"):
        now["surprised"] = False
    return now


def _about(left: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """What is left, of these alone."""
    found = dict(left)
    for word in ("fates", "attitudes", "posts", "figures"):
        found[word] = {name: said for name, said in left.get(word, {}).items() if name in names}
    for word in ("unlit", "roused"):
        found[word] = [name for name in left.get(word, ()) if name in names]
    return {word: said for word, said in found.items() if said}


def _ground(field: Field, remains: Remains) -> Terrain:
    """The ground with the doors as they are now."""
    return field.terrain(open_doors(remains.doors.get(door.id, door.state) for door in field.doors))


def _settled(
    terrain: Terrain, remains: Remains, heroes: Sequence[Mapping[str, Any]], starts: Sequence[Cell],
    found: Sequence[dict[str, Any]],
) -> list[dict[str, Any]]:  # fmt: skip
    """The party where it came in first, or as near to it as there is room; before it everybody who is about, each on a
    space of its own."""
    field, taken, party = terrain.field, EMPTY, list[dict[str, Any]]()
    for entry in found:
        one = remains.residents[str(entry["id"])]
        if one.fate:
            continue
        cell = around(terrain, field.cell(*entry["at"]), one.space, taken)
        if cell < 0:
            raise RecordError("creatures: {name} finds no space where it was", repr(entry["id"]))
        taken |= terrain.footprint(cell, one.space)
        entry["at"] = list(field.at(cell))
    for number, hero in enumerate(heroes if starts else ()):
        cell = around(terrain, starts[min(number, len(starts) - 1)], 1, taken)
        if cell < 0:
            raise RecordError("creatures: {name} finds no space where one comes in", repr(hero.get("id")))
        taken |= 1 << cell
        party.append({**hero, "at": list(field.at(cell))})
    if not party:
        raise RecordError("creatures: nobody comes to this place")
    return party

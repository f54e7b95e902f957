"""An encounter under another ruleset: whom each creature becomes (assets/content/translation.toml), where it stands."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from game import paths
from game.content import balance
from game.content import tables as content
from game.content.encounter import Lot
from game.fight.match import Match
from game.fight.seats import GAME_MASTER
from game.maps.mapdata import LoadedMap
from game.setup import trial
from game.setup.draft import Piece, fresh_name, numbered
from rules.board import grid
from rules.contract.errors import BattlematError, RecordError
from rules.contract.text import joined
from rules.contract.units import Cell
from rules.core import record as records
from rules.core.arrivals import of_these as arrivals_of
from rules.core.ground import map_files
from rules.core.registry import RULESETS
from rules.core.registry import ruleset as ruleset_of
from rules.core.validate import place, reason

M = TypeVar("M", bound=BaseModel)
TABLE = ("id", "side", "at", "controller", "name", "surprised")
"""What an entry says that means the same under every ruleset."""
FILE = "translation.toml"
PARTS = {"heroes": "role", "monsters": "kind"}
"""Templates of which file -> what its rows are called."""
STATE = "state"
"""What rows are called that say how somebody starts."""
ALIKE = ("art", "temperament", "summary", "posture", "light", "dark_sight")
"""Fields that come along where the other rules know them and take their value."""


class Row(BaseModel):
    """One meaning and its counterparts: template names by ruleset, and why these."""

    model_config = ConfigDict(extra="allow", frozen=True)

    name: str = Field(min_length=1)
    because: str = Field(min_length=1)

    def under(self, ruleset: str) -> tuple[str, ...]:
        """The templates of a ruleset in this row."""
        found = (self.model_extra or {}).get(ruleset, ())
        return tuple(found) if isinstance(found, list) else ()


@functools.cache
def rows() -> tuple[Row, ...]:
    """The whole table, heroes' roles first. Raises ContentError: row, ruleset and name that is wrong."""
    document = content.read_table(paths.asset("content", FILE))
    for name in document:
        if name not in (*PARTS.values(), STATE):
            raise content.ContentError("{file}: [[{name}]]: rows are [[role]], [[kind]] and [[state]]", FILE, name)
    return tuple(_row(entry, part) for part, kind in PARTS.items() for entry in document.get(kind, ()))


def _judged(model: type[M], entry: Mapping[str, Any]) -> M:
    try:
        return model.model_validate(entry)
    except ValidationError as error:
        first = error.errors()[0]
        wrong = "{file}: {entry}: {first}: {first2}"
        raise content.ContentError(wrong, FILE, entry.get("name", "a row"), place(first), reason(first)) from None


def _known(row: str, ruleset: str) -> None:
    if ruleset not in RULESETS:
        wrong = "{file}: {name}: {ruleset} is no ruleset; there are {rulesets}"
        raise content.ContentError(wrong, FILE, row, repr(ruleset), joined(", ", RULESETS))


def _row(entry: Mapping[str, Any], part: str) -> Row:
    row = _judged(Row, entry)
    for ruleset, named in (row.model_extra or {}).items():
        _known(row.name, ruleset)
        known = content.heroes(ruleset) if part == "heroes" else content.monsters(ruleset)
        for name in named if isinstance(named, list) else [named]:
            if name not in known:
                words = "{file}: {name}: {ruleset}: there is no {name2} in {part}.toml"
                raise content.ContentError(
                    words, file=FILE, name=row.name, ruleset=ruleset, name2=repr(name), part=part
                )
    for ruleset in RULESETS:
        if not row.under(ruleset):
            wrong = "{file}: {name}: {ruleset}: a list of templates is missing"
            raise content.ContentError(wrong, FILE, row.name, ruleset)
    return row


class State(BaseModel):
    """How somebody starts under one ruleset, and how the others say the same."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1)
    because: str = Field(min_length=1)
    told: dict[str, dict[str, Any]] = Field(alias="from", min_length=1)
    """Ruleset -> the fields that say it there."""
    becomes: dict[str, dict[str, Any]]
    """Ruleset -> the fields that say it there, where it comes from one of `told`."""


@functools.cache
def states() -> tuple[State, ...]:
    """The rows of states. Raises ContentError: row, and what is wrong in it."""
    found = []
    for entry in content.read_table(paths.asset("content", FILE)).get(STATE, ()):
        state = _judged(State, entry)
        for ruleset, fields in (*state.told.items(), *state.becomes.items()):
            _known(state.name, ruleset)
            for name in fields:
                if name not in ruleset_of(ruleset).stat_block.model_fields:
                    wrong = "{file}: {name}: {ruleset} knows no field {name2}"
                    raise content.ContentError(wrong, FILE, state.name, ruleset, repr(name))
        found.append(state)
    return tuple(found)


def missing(ruleset: str) -> list[str]:
    """Templates of a ruleset that no row translates, in the order of its content."""
    known = {name for row in rows() for name in row.under(ruleset)}
    return [name for name in (*content.heroes(ruleset), *content.monsters(ruleset)) if name not in known]


def counterpart(template: str, source: str, goal: str) -> tuple[str, Row]:
    """Whom a template of one ruleset becomes under another, and the row that says so: its namesake where a row has it,
    else the first of its first row. Raises ContentError."""
    found = [row for row in rows() if template in row.under(source)]
    for row in found:
        if template in row.under(goal):
            return template, row
    if found:
        return found[0].under(goal)[0], found[0]
    wrong = "{file}: nobody stands for {what} of {source} under {goal}; add it to a row, or choose another creature"
    raise content.ContentError(wrong, FILE, repr(template), source, goal)


class Carried(NamedTuple):
    """A creature under another ruleset."""

    entry: dict[str, Any]
    left: tuple[str, ...]
    """Fields of its old entry that nothing stands for under the new rules."""


def carried(entry: Mapping[str, Any], source: str, goal: str) -> Carried:
    """A creature's counterpart, with all that both rulesets know of it, and what stays behind.

    Somebody made by hand becomes whoever plays the same part (its `kind`), else the first of its sort.
    Raises ContentError.
    """
    named = str(entry["template"]) if "template" in entry else _like(entry, source)
    template, _ = counterpart(named, source, goal)
    fields: Collection[str] = ruleset_of(goal).stat_block.model_fields
    kept = {key: entry[key] for key in TABLE if key in entry and key in fields}
    if kept_name := _renamed(entry.get("name"), str(content.template(source, named)["name"]), goal, template):
        kept["name"] = kept_name
    made = {"id": entry["id"], "template": template, **kept}
    come = {"id", "template", *kept}
    for state in states():
        told, there = state.told.get(source), state.becomes.get(goal)
        if told and there and all(entry.get(key) == value for key, value in told.items()):
            made |= there
            come.update(told)
    for key in ALIKE:
        if key in entry and key in fields and takes(goal, made, key, entry[key]):
            made[key] = entry[key]
            come.add(key)
    wounds = _wounded(entry, source, made, goal)
    if wounds is not None:
        made |= wounds
        come.add("hp")
    base = content.template(source, named) if "template" in entry else {}
    left = (key for key in entry if key not in come and (key not in base or base[key] != entry[key]))
    return Carried(made, tuple(left))


def takes(ruleset: str, entry: Mapping[str, Any], field: str, value: Any) -> bool:
    """Whether a ruleset's creature may have that value in a field."""
    block = {**content.template(ruleset, str(entry["template"])), **entry, "at": [0, 0], field: value}
    try:
        ruleset_of(ruleset).stat_block.model_validate(block)
    except ValidationError as error:
        return not any(each["loc"] and each["loc"][0] == field for each in error.errors())
    return True


def _wounded(entry: Mapping[str, Any], source: str, made: Mapping[str, Any], goal: str) -> dict[str, int] | None:
    """Somebody who starts wounded has the same share of its new hit points; None where that cannot be said."""
    points = entry.get("hp")
    before, after = _most(source, entry), _most(goal, made)
    if type(points) is not int or before is None or after is None or not 0 < points <= before:
        return None
    return {} if points == before else {"hp": max(1, points * after // before)}


def _most(ruleset: str, entry: Mapping[str, Any]) -> int | None:
    """The hit points that somebody unhurt has; None for a block that the rules refuse."""
    whole = {key: value for key, value in entry.items() if key != "hp"}
    mini = trial.tried(ruleset, whole, {}).mini
    return None if mini is None else mini.health.maximum


def _renamed(name: object, old: str, goal: str, template: str) -> str:
    """`Orc 2` becomes `Gnoll 2`; a name of somebody's own stays."""
    if not isinstance(name, str):
        return ""
    return content.template(goal, template)["name"] + name[len(old) :] if name.startswith(old) else name


def _like(entry: Mapping[str, Any], source: str) -> str:
    """The template that is most like a creature that was made by hand: by kind, else the first of its sort."""
    hero = entry.get("controller") == "human" or entry.get("side") == "heroes"
    party = content.heroes(source) if hero else content.monsters(source)
    kind = str(entry.get("kind", "")).casefold()
    alike = (name for name, block in party.items() if kind and str(block.get("kind", "")).casefold() == kind)
    return next(alike, next(iter(party)))


def translated(
    record: records.Record, goal: str, *, beside: Path | None = None,
    known: Mapping[str, Mapping[str, Any]] | None = None, aim: float = 0.0,
) -> records.Record:  # fmt: skip
    """An encounter under another ruleset, from its start: everybody's counterpart on the same space, or the nearest

    on which it fits, and of the foes as many as weigh what they did (`told` says how many); by id the `known` have
    entries of their own there. `aim` as in game/content/balance.py. The record itself where it is of that
    ruleset. Raises BattlematError in one line.
    """
    if goal not in RULESETS:
        raise RecordError("ruleset: {goal} is none of {rulesets}", repr(goal), joined(", ", RULESETS))
    if record.ruleset == goal:
        return record
    band = brought(
        record.ruleset, record.creatures, goal, known or {}, map=next(iter(map_files(record.map)), ""), aim=aim
    )
    switches = {switch.name for switch in ruleset_of(goal).switches}
    document = records.document(records.begun(record))
    options = {name: value for name, value in record.options.items() if name in switches}
    document |= {"ruleset": goal, "creatures": _standing(record, band, goal, beside), "options": options}
    for word in ("throws", "branches", "rewinds"):
        document.pop(word, None)
    document["map"] = {name: said for name, said in document["map"].items() if name != "left"}  # in these rules' words
    if record.arrivals:
        ids = {str(entry["id"]) for entry in document["creatures"]}
        document["arrivals"] = [wave.model_dump(mode="json", exclude_defaults=True)
                                for wave in arrivals_of(record.arrivals, ids)]  # fmt: skip
    document.pop("carried", None)  # in these rules' words
    if record.seats:
        there = {GAME_MASTER, *(e[key] for e in document["creatures"] for key in ("id", "side"))}
        for seat in document["seats"]:
            seat["plays"] = [who for who in seat["plays"] if who in there]
    return records.read(document)


class Band(NamedTuple):
    """Who comes of an encounter's creatures to other rules."""

    come: tuple[int, ...]
    """The numbers of those who come."""
    entries: tuple[dict[str, Any], ...]
    """Their entries there, in the same order; where they stand is still to be seen."""
    joined: tuple[dict[str, Any], ...]
    """Those who come besides, so that the group weighs as much, each where one of its kind stands; `placed` says where
    they go."""


def brought(
    source: str, creatures: Sequence[Mapping[str, Any]], goal: str, known: Mapping[str, Mapping[str, Any]], *,
    map: str = "", aim: float = 0.0,
) -> Band:  # fmt: skip
    """Everybody's counterpart, as many of the foes as are as much of a match on that map (game/content/balance.py).

    Raises ContentError.

    Whoever is `known` by id has an entry of its own there, and comes for certain.
    """
    made = [dict(known.get(str(entry["id"])) or carried(entry, source, goal).entry) for entry in creatures]
    entries = _told_apart(source, creatures, made, goal)
    certain = [number for number, entry in enumerate(creatures) if str(entry["id"]) in known]
    group = balance.balanced(source, creatures, goal, entries, certain=certain, map=map, aim=aim)
    taken = {str(entry["id"]) for entry in creatures}
    called = [str(e.get("name") or content.template(goal, str(e["template"]))["name"]) for e in entries]
    joined = []
    for number in group.more:
        like = entries[number]
        identity = fresh_name(str(like["id"]), taken)[0]
        name = next(each for n in count(2) if (each := numbered(called[number], n)) not in called)
        taken.add(identity)
        called.append(name)
        joined.append({**like, "id": identity, "name": name})
    return Band(group.come, tuple(entries[number] for number in group.come), tuple(joined))


def told(record: records.Record, under: records.Record) -> str:
    """How many of an encounter's creatures have come to other rules: `3 of 7 foes come along …`; empty where all."""
    against = balance.foes(record.ruleset, record.creatures)
    before = {str(record.creatures[number]["id"]) for number in against}
    after = {str(entry["id"]) for entry in under.creatures}
    everybody = {str(entry["id"]) for entry in record.creatures}
    return balance.told(under.ruleset, len(before & after), len(before), len(after - everybody))


def _told_apart(
    source: str, creatures: Sequence[Mapping[str, Any]], entries: list[dict[str, Any]], goal: str
) -> list[dict[str, Any]]:
    """Creatures that would bear one name, since one stands for both, keep the names that they had."""
    names = [entry.get("name", content.template(goal, entry["template"])["name"]) for entry in entries]
    for number, (old, name) in enumerate(zip(creatures, names, strict=True)):
        if names.count(name) > 1 and "name" not in entries[number] and "template" in old:
            entries[number] = {**entries[number], "name": content.template(source, str(old["template"]))["name"]}
    return entries


def _standing(record: records.Record, band: Band, goal: str, beside: Path | None) -> list[dict[str, Any]]:
    """Everybody on its space if it fits there, else on the nearest free one; the widest choose first."""
    match = Match.from_record(records.begun(record), beside=beside)
    field, terrain, taken = match.field, match.field.terrain(), 0
    wide = [_wide(goal, entry) for entry in band.entries]
    found = [dict(entry) for entry in band.entries]
    for number in sorted(range(len(found)), key=lambda n: (-wide[n], n)):
        column, row = found[number]["at"]
        cell = _nearest(terrain, field.cell(column, row), wide[number], taken)
        if cell is None:
            wrong = (
                "creatures[{come}] ({found}): no space is left for {wide} × {wide} spaces on this map; "
                "leave somebody out"
            )
            raise BattlematError(wrong, band.come[number], found[number]["id"], wide[number])
        taken |= terrain.footprint(cell, wide[number])
        found[number]["at"] = list(field.at(cell))
    return [*found, *placed(field, goal, found, band.joined, starts=starts(match.loaded_map), seed=record.seed)]


def starts(loaded: LoadedMap | None) -> Mapping[str, Collection[int]]:
    """Where a map lets each side start; nothing where there is no map, or it doesn't say."""
    return {side: loaded.spawn_cells(side) for side in sorted({s.side for s in loaded.spawns})} if loaded else {}


def placed(
    field: grid.Field, goal: str, there: Sequence[Mapping[str, Any]], joined: Sequence[Mapping[str, Any]], *,
    starts: Mapping[str, Collection[int]], seed: int,
) -> list[dict[str, Any]]:  # fmt: skip
    """Who joins, each where one of its kind stands; nobody for whom no space is left.

    Beside one who stands on a start space of its side others come onto start spaces, by lot, as in a fight made anew:
    so creatures were weighed, and a crowd in one lump is another fight. Beside one put elsewhere they stand next to it.
    """
    terrain, taken, found, lot = field.terrain(), 0, [], Lot(seed)
    orders = {side: [Cell(cell) for cell in lot.shuffled(map(str, starts[side]))] for side in sorted(starts)}
    for entry in there:
        if (cell := _stands(field, entry)) is not None:
            taken |= terrain.footprint(cell, _wide(goal, entry))
    for entry in joined:
        wide, home = _wide(goal, entry), _stands(field, entry) or Cell(0)
        order = orders.get(str(entry.get("side")), [])
        cell = _first_free(terrain, order, wide, taken) if home in order else None
        cell = _nearest(terrain, home, wide, taken) if cell is None else cell
        if cell is not None:
            taken |= terrain.footprint(cell, wide)
            found.append({**entry, "at": list(field.at(cell))})
    return found


def _stands(field: grid.Field, entry: Mapping[str, Any]) -> Cell | None:
    """The space that an entry names; None where that is none of the map's."""
    at = Piece(0, entry).spot
    return field.cell(*at) if at is not None and field.inside(*at) else None


def _wide(ruleset: str, entry: Mapping[str, Any]) -> int:
    """Spaces that somebody takes, to a side."""
    return int(content.template(ruleset, str(entry["template"])).get("space", 1))


def _nearest(terrain: grid.Terrain, start: Cell, wide: int, taken: int) -> Cell | None:
    """The space nearest to one on which a creature of that width fits and nobody stands."""
    cells = sorted(terrain.field.cells, key=lambda cell: (terrain.distance(start, cell), cell))
    return _first_free(terrain, cells, wide, taken)


def _first_free(terrain: grid.Terrain, cells: Iterable[Cell], wide: int, taken: int) -> Cell | None:
    """The first of these spaces on which a creature of that width fits and nobody stands."""
    ends = ((cell, [part + wide - 1 for part in terrain.field.at(cell)]) for cell in cells)
    inside = (cell for cell, end in ends if terrain.field.inside(*end))
    return next((c for c in inside if terrain.fits(c, wide) and not terrain.footprint(c, wide) & taken), None)

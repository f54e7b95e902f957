"""The record: one document for an encounter, a save, a replay, a bug report and a test (record.md).

This module reads and writes the document as plain data; where files lie and what maps say is the caller's.

    >>> document = {"format": "battlemat/1", "ruleset": "olde", "map": {"rows": ["..."]}, "seed": 1,
    ...             "creatures": [{"id": "ada", "side": "heroes"}],
    ...             "commands": [{"by": "ada", "do": "step", "path": [[1, 0]]}]}
    >>> record = read(document)
    >>> action_of(record.commands[0], Ground.from_rows(record.map.rows), 0).path
    (1,)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rules.board.fixtures import GoalKind
from rules.board.grid import Field as Ground
from rules.board.left import Fate
from rules.board.places import MOST_MAPS
from rules.contract.actions import Action, Decision
from rules.contract.errors import BattlematError, IllegalActionError, RecordError, ThrowError, said
from rules.contract.ruleset import PARTY, Ruleset, Scenario, State, Step
from rules.contract.text import joined, text
from rules.contract.units import Cell
from rules.core.arrivals import MOST_WAVES, ArrivalModel
from rules.core.left import LeftModel
from rules.core.validate import Whole, got, on_map, reason, short

FORMAT = "battlemat/1"
"""The format of a record with a single map …"""
PLACE_FORMAT = "battlemat/2"
"""… and of one with a place of several."""
FORMATS = (FORMAT, PLACE_FORMAT)
CAPTIVES = "captives"
"""The side of prisoners until they are freed: they are the heroes' own."""
Space = tuple[Whole, Whole]
Spot = tuple[str, Whole, Whole]
"""A space of a place: its map's name, column and row."""
_STRICT = ConfigDict(extra="forbid", defer_build=True)
Upgrade = Callable[[dict[str, Any]], dict[str, Any]]
UPGRADES: Mapping[str, Upgrade] = {}
"""Format -> how a document of that older format becomes one of the next. None of the formats so far needs that."""


class ChallengeModel(BaseModel):
    """Something in the way on a map in rows: a trap, a chest, a secret door, a portcullis, or an obstacle."""

    model_config = _STRICT
    id: str = Field(min_length=1, max_length=60)
    kind: Literal["trap", "chest", "secret_door", "portcullis", "climb", "water", "rubble"]
    at: list[Space] = Field(default=[], max_length=400)
    edges: list[tuple[Space, Space]] = Field(default=[], max_length=400)
    """`climb` alone, in place of `at`: the edges between two spaces along which it runs."""
    height: Annotated[int, Field(strict=True, ge=0, le=9)] = 1  # `climb` alone: the levels that one may fall there
    difficulty: Annotated[int, Field(strict=True, ge=0, le=99)] = 9  # 0: a chest that is not locked
    notice: Annotated[int, Field(strict=True, ge=1, le=99)] | None = None
    damage: str = ""
    effect: str = ""
    contents: str = ""
    key: str = Field(default="", max_length=60)  # what unlocks a chest or a door
    look: str = Field(default="", max_length=40)  # a chest that is a `body`, a `hoard`, a `shelf` …
    hidden: bool | None = None  # nobody but `known` sides know of it; left out: traps alone
    known: list[str] = []


class GoalModel(BaseModel):
    """Something to be done beside killing: on a map in rows, or added to those of a Tiled map."""

    model_config = _STRICT
    name: str = Field(min_length=1, max_length=60)
    kind: GoalKind
    what: str = Field(default="", max_length=120)
    """`fetch`: an item's name; `free`: a creature's id; `end`: a creature's id, a door or a challenge."""
    at: list[Space] = Field(default=[], max_length=2000)  # where it counts
    rounds: Annotated[int, Field(strict=True, ge=0, le=999)] = 0  # `hold` alone
    text: str = Field(default="", max_length=200)  # what it is called on screen
    optional: bool = False
    needs: list[str] = Field(default=[], max_length=20)  # names of goals that must be done before it counts
    side: str = Field(default=PARTY, min_length=1, max_length=60)
    state: str = ""  # `end` of a fixture: `open`, `closed`, `broken`, `disarmed` or `cleared`


class OneMap(BaseModel):
    """Where a map comes from: a Tiled file, or rows of symbols."""

    model_config = _STRICT
    tmx: str | None = Field(default=None, max_length=400)
    rows: list[str] | None = None
    levels: list[str] | None = None  # with `rows`: a digit per space, its height level
    climbs: list[Space] | None = None  # with `rows`: spaces with stairs or a ladder
    exits: list[Space] | None = None  # with `rows`: spaces by which one may leave
    walls: list[tuple[Space, Space]] | None = None  # with `rows`: thin walls between two neighbouring spaces
    doors: dict[str, str] | None = None
    """How doors stand at the start where it isn't as the map says: a door's name -> `open`, `closed`, `locked` …"""
    challenges: list[ChallengeModel] | None = Field(default=None, max_length=200)
    """With `rows`: traps, chests, secret doors and what else stands in the way."""
    goals: list[GoalModel] | None = Field(default=None, max_length=40)
    """What is to be done beside killing; with `tmx` beside the map's own."""
    ambient: Literal["bright", "dim", "dark"] | None = None  # with `rows`: how light it is where no light shines
    rooms: dict[str, tuple[Space, Space]] | None = None  # with `rows`: a room's name -> its first and its last space


class PartModel(OneMap):
    """One map of a place."""

    name: str = Field(default="", max_length=60)  # left out: its file's name, or `map 1` …


class MapModel(OneMap):
    """A map, or in `place` several with ways between them."""

    place: list[PartModel] | None = Field(default=None, min_length=1, max_length=MOST_MAPS)
    """The maps of a place, from the top down, in place of `tmx` and `rows`."""
    stairs: list[tuple[Spot, Spot]] | None = Field(default=None, max_length=400)
    """With `place`: pairs of spaces, each with its map's name before it, between which one goes over either way."""
    left: LeftModel | None = None  # how those left it who come to it again


class Command(BaseModel):
    """One command: who, what, and what that needs."""

    model_config = _STRICT
    by: str
    do: str
    target: str | None = None
    weapon: str | None = None
    path: list[Space] | None = None
    at: Space | None = None
    to: Space | None = None
    option: str | None = None
    posture: str | None = None
    skill: str | None = None
    item: str | None = None
    items: list[str] | None = None
    ready: list[str] | None = None
    rating: Whole | None = None
    against: str | None = None
    resists: str | None = None
    advantage: Annotated[int, Field(strict=True, ge=-1, le=1)] | None = None
    creature: dict[str, Any] | None = None  # the game master's `add`: an entry as those of `creatures`


class SeatModel(BaseModel):
    """A person at the table: a name, a colour, whom they play, and whether they throw real dice."""

    model_config = _STRICT
    name: str = Field(min_length=1, max_length=40)
    colour: Annotated[int, Field(strict=True, ge=0, le=7)] = 0  # number of a colour of the palette
    plays: list[str] = []  # ids of creatures, or names of sides
    own_dice: bool = False


class PartyModel(BaseModel):
    """How a seat's heroes go about an exploration in the window: no rule reads it (docs/exploration.md)."""

    model_config = _STRICT
    order: list[str] = Field(default=[], max_length=500)  # marching order, the leader first
    apart: list[str] = Field(default=[], max_length=500)  # who is moved alone
    manner: str = Field(default="", max_length=40)  # the word of the movement that they take


Run = tuple[Whole, Whole, Annotated[int, Field(strict=True, ge=1)]]
"""Column, row, and how many spaces from there to the right."""


class BrushedModel(BaseModel):
    """Ground that the game master has shown to the players, or hidden from them, by hand: no rule reads it
    (docs/players-window.md)."""

    model_config = _STRICT
    shown: list[Run] = Field(default=[], max_length=100_000)
    hidden: list[Run] = Field(default=[], max_length=100_000)


class CarriedModel(BaseModel):
    """How those of a chain came out of its last fight and the rest after it (docs/chains.md)."""

    model_config = _STRICT
    figures: dict[str, dict[str, Any]] = Field(default={}, max_length=500)
    """How somebody is, and what it has, by id, in the words of its ruleset."""
    absent: list[str] = Field(default=[], max_length=500)  # ids of those who could not come on
    own: list[str] = Field(default=[], max_length=500)  # ids of those who have what their entry says


class ChainMark(BaseModel):
    """Which fight of which chain this is: for windows alone."""

    model_config = _STRICT
    file: str = Field(min_length=1, max_length=4000)  # of the chain, among the player's or by its path
    fight: Annotated[int, Field(strict=True, ge=1, le=100)] = 1
    of: Annotated[int, Field(strict=True, ge=1, le=100)] = 1


class HandedModel(BaseModel):
    """After so many commands somebody was given to the computer to play, or taken back."""

    model_config = _STRICT
    at: Annotated[int, Field(strict=True, ge=0)]
    who: str
    to: Literal["ai", "human"]


class Branch(BaseModel):
    """A line of play that was left: it shares the first `at` commands with the present one, then went on so."""

    model_config = _STRICT
    at: Annotated[int, Field(strict=True, ge=0)]
    title: str = Field(default="", max_length=400)
    commands: list[Command] = Field(min_length=1)
    throws: list[Whole | None] | None = None  # the faces typed in on that line after those that it shares


class Rewind(BaseModel):
    """Once the fight was taken back to `at` commands although something had been learnt; kept so that all may know."""

    model_config = _STRICT
    at: Annotated[int, Field(strict=True, ge=0)]
    commands: Annotated[int, Field(strict=True, ge=0)]
    """How many commands it took back, and with `dice` how many thrown dice."""
    dice: Annotated[int, Field(strict=True, ge=0)]
    before: str = Field(default="", max_length=400)
    to: str = Field(default="", max_length=400)  # the branch that was taken up instead; empty for a mere rewind


class Record(BaseModel):
    """A whole record."""

    model_config = _STRICT
    format: Literal["battlemat/1", "battlemat/2"]
    ruleset: str
    title: str = ""
    options: dict[str, Any] = {}
    map: MapModel
    seed: Whole = 0
    throws: list[Whole | None] | None = None
    seats: list[SeatModel] = Field(default=[], max_length=6)
    """Who sits at the table; left out: one person plays all whose controller is `human`."""
    parties: list[PartyModel] = Field(default=[], max_length=6)
    """How the seats' heroes explore, seat by seat; left out: all together, as the record names them."""
    brushed: BrushedModel | None = None
    """Ground that the players' window shows or hides, whatever the heroes know of it; left out: none."""
    handed: list[HandedModel] = Field(default=[], max_length=10_000)
    """Who was given to the computer in the middle of it, and taken back: who decides, not what may be done."""
    chance_seconds: Annotated[int, Field(strict=True, ge=5, le=3600)] | None = None
    """A clock for every chance of a person; left out: all the time in the world."""
    creatures: list[dict[str, Any]] = Field(min_length=1, max_length=500)
    arrivals: list[ArrivalModel] = Field(default=[], max_length=MOST_WAVES)
    """Who of them comes later, and when."""
    chain: ChainMark | None = None
    """Which fight of a chain it is; no rule reads it."""
    carried: CarriedModel | None = None
    """How the party came out of the last fight of a chain; left out: this is the first."""
    needs: dict[str, str] = Field(default={}, max_length=50)
    """Packs whose content is used, id -> version; left out: none."""
    branches: list[Branch] = Field(default=[], max_length=10_000)
    rewinds: list[Rewind] = Field(default=[], max_length=100_000)
    commands: list[Command] = []

    @property
    def expedition(self) -> bool:
        """Whether exploration and fights take turns in it: an evening that another may follow."""
        return self.options.get("crawl") is True

    @property
    def evening(self) -> int:
        """Which evening at its place it is."""
        return 1 if self.map.left is None else self.map.left.evening

    @property
    def fates_before(self) -> Mapping[str, Fate]:
        """What has become, on earlier evenings, of those who lie there or are gone since, by id."""
        return {} if self.map.left is None else self.map.left.fates


class Replayed(NamedTuple):
    """One stretch of a replay: the command's number (−1: the start), the action, what it led to."""

    number: int
    action: Action | None
    step: Step


def read(document: object, upgrades: Mapping[str, Upgrade] = UPGRADES) -> Record:
    """A record from plain data, brought up to today's format. Raises RecordError in one line: which field, why."""
    if not isinstance(document, dict):
        raise RecordError("record: needs a JSON object with format, ruleset, map and creatures")
    document = upgraded(document, upgrades)
    try:
        record = Record.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        raise RecordError("{where}: {first}{got}", _path(first["loc"]), reason(first), got(first)) from None
    if record.map.place is not None:
        _check_place(record)
    if record.map.left is not None and record.format != PLACE_FORMAT:
        wrong = "format: a place that is come to again needs {format}, got {short}"
        raise RecordError(wrong, repr(PLACE_FORMAT), repr(record.format))
    given = len(record.commands)  # branches and rewinds lie on the record's own line
    lines: Mapping[str, Sequence[Branch | Rewind]] = {"branches": record.branches, "rewinds": record.rewinds}
    for field, entries in lines.items():
        for i, entry in enumerate(entries):
            if entry.at > given:
                wrong = "{field}[{i}].at: {at} is beyond the {given} commands of the record"
                raise RecordError(wrong, field, i, entry.at, given)
    return record


def upgraded(document: dict[str, Any], upgrades: Mapping[str, Upgrade] = UPGRADES) -> dict[str, Any]:
    """A document of an older format in today's. Raises RecordError for a format that is newer or nobody's."""
    for _ in range(len(upgrades) + 1):
        name = document.get("format")
        if name in FORMATS:
            return document
        step = upgrades.get(name) if isinstance(name, str) else None
        if step is None:
            break
        document = step(document)
    name = document.get("format")
    ours, _, number = FORMATS[-1].partition("/")
    other = re.fullmatch(rf"{ours}/([1-9][0-9]{{0,6}})", name, re.ASCII) if isinstance(name, str) else None
    if other and int(other[1]) > int(number):
        wrong = "format: {name} is of a newer Battlemat; this one reads up to {format}"
        raise RecordError(wrong, repr(name), repr(FORMATS[-1]))
    raise RecordError("format: needs {format}, got {name}", repr(FORMAT), short(name))


def _path(parts: tuple[int | str, ...]) -> str:
    out = ""
    for part in parts:
        out += f"[{part}]" if isinstance(part, int) else f".{part}" if out else part
    return out or "record"


def _check_place(record: Record) -> None:
    source = record.map
    if record.format != PLACE_FORMAT:
        wrong = "format: a place of several maps needs {format}, got {short}"
        raise RecordError(wrong, repr(PLACE_FORMAT), repr(record.format))
    for name in ("tmx", "rows", "levels", "climbs", "exits", "walls", "challenges", "ambient", "rooms"):
        if getattr(source, name) is not None:
            raise RecordError("map.{name}: stands beside place; give it to one of the maps of the place", name)
    for n, part in enumerate(source.place or ()):
        if (part.tmx is None) == (part.rows is None):
            raise RecordError("map.place[{n}]: needs either tmx or rows", n)


def scenario(record: Record, field: Ground, template: Callable[[str], Mapping[str, Any]], content: Mapping[str, Any],
             *, strict_throws: bool = True) -> Scenario:  # fmt: skip
    """The fight's start: templates merged in, tables at hand. Raises RecordError for an unknown template."""
    creatures = []
    for i, entry in enumerate(record.creatures):
        name, usual = entry.get("template"), dict[str, Any]()
        if name is not None:
            if not isinstance(name, str):
                raise RecordError("creatures[{i}]: template: needs a name, got {name}", i, short(name))
            try:
                usual.update(template(name))
            except BattlematError as error:
                raise RecordError("creatures[{i}]: template: {error}", i, said(error)) from None
        merged = {**usual, **on_sheet(entry, field, text("creatures[{i}]", i))}
        if merged.get("prisoner") is True and merged.get("side") == CAPTIVES:
            merged["side"] = PARTY
        creatures.append(merged)
    throws = None if record.throws is None else tuple(record.throws)
    options = record.options if strict_throws else {**record.options, "strict_throws": False}
    carried = record.carried or CarriedModel()
    return Scenario(
        record.ruleset, field, tuple(creatures), record.seed, throws, options, content, carried.figures,
        tuple(carried.absent), tuple(carried.own),
    )  # fmt: skip


def on_sheet(entry: Mapping[str, Any], field: Ground, where: str) -> Mapping[str, Any]:
    """A creature's entry without `map`: `at` and `patrol` in spaces of the whole place. Raises RecordError.

    Spaces that are none stay as they are: its stat block says what is wrong with them.
    """
    if "map" not in entry:
        return entry
    name = entry["map"]
    part = next((each for each in field.maps if each.name == name), None)
    if part is None:
        known = joined(", ", (each.name for each in field.maps)) or text("none, as this is a single map")
        raise RecordError("{where}.map: no map is called {name}; there are {known}", where, short(name), known)

    def moved(space: Any) -> Any:
        pair = isinstance(space, Sequence) and not isinstance(space, str) and len(space) == 2
        if not pair or not all(isinstance(each, int) and not isinstance(each, bool) for each in space):
            return space
        column, row = space
        if not (0 <= column < part.columns and 0 <= row < part.rows):
            wrong = "{where}: [{column}, {row}] is off the map {name} of {width} × {height} spaces"
            raise RecordError(wrong, where=where, column=column, row=row, name=name, width=part.columns,
                              height=part.rows)  # fmt: skip
        return [column, row + part.top]

    said = {key: value for key, value in entry.items() if key != "map"}
    if "at" in said:
        said["at"] = moved(said["at"])
    if isinstance(said.get("patrol"), list):
        said["patrol"] = [moved(space) for space in said["patrol"]]
    return said


def settled(record: Record, field: Ground) -> Record:
    """The record with every creature's spaces on the sheet. Raises RecordError for a map that there is not."""
    if not any("map" in entry for entry in record.creatures):
        return record
    entries = [dict(on_sheet(entry, field, text("creatures[{i}]", i))) for i, entry in enumerate(record.creatures)]
    return record.model_copy(update={"creatures": entries})


_SAME = ("by", "do", "target", "weapon", "item", "rating", "against", "resists")
"""What a command says in the words of an action."""


def action_of(command: Command, field: Ground, index: int) -> Action:
    """A command as an action. Raises RecordError for spaces off the map."""
    where = text("commands[{index}] (by {by}, do {do})", index, command.by, command.do)

    def cell(name: str, space: Space) -> Cell:
        return on_map(field, space, text("{where}: {name}", where, name))

    goal = command.at if command.at is not None else command.to
    items = command.items if command.items is not None else command.ready
    return Action(
        path=tuple(cell("path", s) for s in command.path or ()), at=None if goal is None else cell("at", goal),
        option=command.option or command.posture or command.skill, items=None if items is None else tuple(items),
        advantage=command.advantage or 0, creature=_packed(command.creature),
        **{name: getattr(command, name) for name in _SAME},
    )  # fmt: skip


def command_of(action: Action, field: Ground) -> Command:
    """An action as a command of a record."""
    return Command(
        path=[field.at(c) for c in action.path] or None, at=None if action.at is None else field.at(action.at),
        option=action.option, items=None if action.items is None else list(action.items),
        advantage=action.advantage or None, creature=None if action.creature is None else unpacked(action.creature),
        **{name: getattr(action, name) for name in _SAME},
    )  # fmt: skip


def _packed(entry: Mapping[str, Any] | None) -> str | None:
    return None if entry is None else packed(entry)


def packed(entry: Mapping[str, Any]) -> str:
    """An entry of a creature as an action has it: it can be compared and hashed."""
    return msgspec.json.encode(entry).decode()


def unpacked(creature: str) -> dict[str, Any]:
    """The entry again."""
    found: dict[str, Any] = msgspec.json.decode(creature)
    return found


def whole(record: Record, template: Callable[[str], Mapping[str, Any]]) -> Record:
    """The record with all that templates say of the creatures that the game master adds written out, so that it plays
    the same where the bestiary has changed. Raises RecordError for an unknown template."""
    if all(command.creature is None or "template" not in command.creature for command in record.commands):
        return record
    commands = list(record.commands)
    for i, command in enumerate(commands):
        entry = command.creature
        if entry is None or "template" not in entry:
            continue
        where = text("commands[{i}] (by {by}, do {do}): creature", i, command.by, command.do)
        name = entry["template"]
        if not isinstance(name, str):
            raise RecordError("{where}: template: needs a name, got {name}", where, short(name))
        try:
            usual = template(name)
        except BattlematError as error:
            raise RecordError("{where}: template: {error}", where, said(error)) from None
        said_here = {key: value for key, value in entry.items() if key != "template"}
        commands[i] = command.model_copy(update={"creature": {**usual, **said_here}})
    return record.model_copy(update={"commands": commands})


def decision_for(ruleset: Ruleset, state: State, action: Action) -> Decision | None:
    """The open decision that an action answers: its own, else the first; None when the fight is over."""
    open_now = ruleset.decisions(state)
    return next((decision for decision in open_now if decision.by == action.by), open_now[0] if open_now else None)


def replay(record: Record, ruleset: Ruleset, start: Scenario) -> Iterator[Replayed]:
    """Play a record out. Raises RecordError naming the command (its index), the field and the reason.

    Its branches are not played, but what they name must be on the map.
    """
    check_branches(record, start.field)
    try:
        step = ruleset.start(start)
    except ThrowError as error:
        raise RecordError("start: {error}", said(error)) from None
    yield Replayed(-1, None, step)
    yield from onward(record, ruleset, start.field, step.state, 0)


def check_branches(record: Record, field: Ground) -> None:
    """Raises RecordError for a branch that names a space off the map."""
    for number, branch in enumerate(record.branches):
        for i, command in enumerate(branch.commands):
            try:
                action_of(command, field, i)
            except RecordError as error:
                raise RecordError(f"branches[{number}].{error}") from None


def onward(record: Record, ruleset: Ruleset, field: Ground, state: State, first: int) -> Iterator[Replayed]:
    """Play a record from command `first` on, before which it stood so. Raises RecordError as `replay`."""
    for i, command in enumerate(record.commands[first:], first):
        where = text("commands[{i}] (by {by}, do {do})", i, command.by, command.do)
        action = action_of(command, field, i)
        decision = decision_for(ruleset, state, action)
        if decision is None:
            raise RecordError("{where}: the fight is over; no command may follow", where)
        try:
            step = ruleset.apply(state, decision, action)
        except (IllegalActionError, ThrowError) as error:
            raise RecordError("{where}: {error}", where, said(error)) from None
        state = step.state
        yield Replayed(i, action, step)


def format_of(source: Mapping[str, Any]) -> str:
    """The format of a record with such a map: the oldest that has all that it says."""
    return PLACE_FORMAT if any(source.get(name) is not None for name in _SINCE_PLACES) else FORMAT


_SINCE_PLACES = ("place", "stairs", "ambient", "rooms", "left")
"""Fields of a map that the first format had not yet."""


def begun(record: Record) -> Record:
    """The same encounter before its first command: no throws, branches or rewinds (creatures are shared)."""
    return record.model_copy(update={"commands": [], "throws": None, "branches": [], "rewinds": [], "handed": []})


def document(record: Record) -> dict[str, Any]:
    """The record as plain data, unset fields left out, ready for JSON."""
    out = record.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
    out = {**out, "format": format_of(out["map"])}
    out = {name: out[name] for name in dict.fromkeys(("format", "ruleset", *out))}
    out["seed"] = record.seed
    if record.throws is not None:
        out["throws"] = record.throws
    out["commands"] = [c.model_dump(mode="json", exclude_none=True) for c in record.commands]
    return out

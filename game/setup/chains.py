"""Chains: several encounters in a row for one party, with a rest or none between (docs/chains.md).

A chain is a JSON file of its own that names encounters, or holds them. The party is that of the first; of the later
ones only the places of their heroes count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from game import paths
from game.fight.match import Match
from game.setup.files import encounters_folder
from game.storage import records as storage
from game.storage.files import as_json, from_json, read_text, write_whole
from rules.contract.display import Miniature
from rules.contract.errors import BattlematError, said
from rules.contract.ruleset import NO_REST, PARTY, Traveller
from rules.contract.text import joined, text
from rules.contract.units import EMPTY, Bitboard
from rules.core import record as records
from rules.core.arrivals import of_these
from rules.core.record import CAPTIVES, CarriedModel, Record
from rules.core.registry import ruleset as ruleset_of
from rules.core.validate import got, reason, short
from rules.explore.course import around

FORMAT = "battlemat-chain/1"
MOST_FIGHTS = 20
LARGEST = 64 * 1024 * 1024
"""Bytes beyond which a chain is not read."""
_STRICT = ConfigDict(extra="forbid", frozen=True)


class ChainError(BattlematError):
    """A chain that can't be read or played, in one line."""


class LinkModel(BaseModel):
    """One fight of a chain, and the rest after it."""

    model_config = _STRICT
    encounter: str | dict[str, Any]
    """A record's file (beside the chain, or among the player's encounters), or the record itself."""
    rest: str = Field(default=NO_REST, min_length=1, max_length=40)
    """What comes after it, in the ruleset's words; after the last fight it says nothing."""


class ChainModel(BaseModel):
    """A chain."""

    model_config = _STRICT
    format: Literal["battlemat-chain/1"] = "battlemat-chain/1"
    title: str = Field(default="", max_length=200)
    seed: Annotated[int, Field(strict=True)] = 1
    """Where the dice of forecasts come from."""
    fights: list[LinkModel] = Field(min_length=1, max_length=MOST_FIGHTS)


def is_chain(document: object) -> bool:
    """Whether a document means to be a chain."""
    return isinstance(document, Mapping) and str(document.get("format", "")).startswith("battlemat-chain/")


def read(document: object) -> ChainModel:
    """A chain from plain data. Raises ChainError in one line: which field, why."""
    if not isinstance(document, Mapping):
        raise ChainError("chain: needs a JSON object with format and fights")
    if document.get("format") != FORMAT:
        raise ChainError("format: needs {format}, got {name}", repr(FORMAT), short(document.get("format")))
    try:
        return ChainModel.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        where = ""
        for part in first["loc"]:
            where += f"[{part}]" if isinstance(part, int) else f".{part}" if where else str(part)
        raise ChainError("{where}: {reason}{got}", where or "chain", reason(first), got(first)) from None


def load(path: Path) -> ChainModel:
    """A chain's file. Raises ChainError in one line: which file, where, why."""
    try:
        return read(from_json(read_text(path, LARGEST, "chain", ChainError)))
    except ChainError as error:
        told = said(error)
        raise ChainError("{path}: {error}", str(path), told.removeprefix(f"{path}: ")) from None
    except ValueError as error:
        raise ChainError("{path}: not JSON: {error}", str(path), said(error)) from None


def document(chain: ChainModel) -> dict[str, Any]:
    """A chain as plain data, ready for JSON."""
    fights = [link.model_dump(mode="json", exclude_defaults=True) for link in chain.fights]
    return {"format": FORMAT, "title": chain.title, "seed": chain.seed, "fights": fights}


def save(chain: ChainModel, path: Path) -> None:
    """Write a chain, whole or not at all. Raises BattlematError."""
    write_whole(path, as_json(document(chain), indent=1) + "\n")


def chains_folder() -> Path:
    """Where chains live."""
    return paths.user_folder("chains")


def chains() -> list[Path]:
    """The player's chains, the newest first; among equals by name."""
    found = [(path.stat().st_mtime_ns, path) for path in chains_folder().glob("*.json")]
    return [path for _, path in sorted(found, key=lambda entry: (-entry[0], entry[1].name))]


# -- its encounters ----------------------------------------------------------------------------------------


class Link(NamedTuple):
    """A fight of a chain, ready: its record with the party in it, and the rest after it."""

    record: Record
    rest: str
    beside: Path | None
    """The folder where its map may lie."""


class Ready(NamedTuple):
    """A chain whose encounters are read, with the party in all of them."""

    title: str
    seed: int
    ruleset: str
    links: tuple[Link, ...]
    party: tuple[str, ...]
    """Ids of those who go through it."""


def found(name: str, beside: Path | None) -> Path:
    """The file of an encounter that a chain names. Raises ChainError."""
    wanted = Path(name).expanduser()
    folders = [folder for folder in (beside, encounters_folder()) if folder is not None]
    for path in [wanted] if wanted.is_absolute() else [folder / wanted for folder in folders]:
        if path.is_file():
            return path
    raise ChainError("{name} is neither beside the chain nor among your encounters", repr(name))


def follow(before: Path, after: Path) -> int:
    """Chains that name an encounter name it where it lies now; how many did. Those that can't be read stay as they are.

    Raises BattlematError if the disk refuses."""
    root, changed = encounters_folder().resolve(), 0
    for path in chains():
        with suppress(ChainError):
            chain = load(path)
            fights = [
                fight.model_copy(update={"encounter": _named(after, root)})
                if isinstance(fight.encounter, str) and _meant(fight.encounter, path.parent, root, before) else fight
                for fight in chain.fights
            ]  # fmt: skip
            if fights != list(chain.fights):
                save(chain.model_copy(update={"fights": fights}), path)
                changed += 1
    return changed


def _meant(name: str, beside: Path, root: Path, path: Path) -> bool:
    """Whether a chain means a file that may be gone by now."""
    wanted = Path(name).expanduser()
    goals = [wanted] if wanted.is_absolute() else [root / wanted, beside / wanted]
    return any(goal.resolve() == path.resolve() for goal in goals)


def _named(path: Path, root: Path) -> str:
    """How a chain names an encounter."""
    whole = path.resolve()
    return whole.relative_to(root).as_posix() if whole.is_relative_to(root) else str(whole)


def opened(link: LinkModel, number: int, beside: Path | None) -> tuple[Record, Path | None]:
    """The encounter of a link, before its first command, and the folder where its map may lie. Raises ChainError."""
    where = text("fights[{n}].encounter", number)
    try:
        if not isinstance(link.encounter, str):
            return records.begun(records.read(dict(link.encounter))), beside
        path = found(link.encounter, beside)
        return records.begun(storage.read_record(path)), path.parent
    except BattlematError as error:
        raise ChainError("{where}: {error}", where, said(error)) from None


def ready(chain: ChainModel, beside: Path | None = None) -> Ready:
    """A chain with its encounters read and the party put into each. Raises ChainError in one line: which fight, why."""
    read_in = [opened(link, number, beside) for number, link in enumerate(chain.fights)]
    first = read_in[0][0]
    rests = {NO_REST, *(rest.word for rest in ruleset_of(first.ruleset).rests)}
    party = party_of(first)
    links = list[Link]()
    for number, ((record, home), link) in enumerate(zip(read_in, chain.fights, strict=True)):
        if record.ruleset != first.ruleset:
            wrong = "fights[{n}]: is played by {other}, the first by {ruleset}; a chain has one ruleset"
            raise ChainError(wrong, number, record.ruleset, first.ruleset)
        if link.rest not in rests:
            wrong = "fights[{n}].rest: {rest} is no rest of {ruleset}; there are {known}"
            raise ChainError(wrong, number, repr(link.rest), first.ruleset, joined(", ", sorted(rests)))
        try:
            links.append(Link(record if not number else joining(record, first, home), link.rest, home))
        except BattlematError as error:
            raise ChainError("fights[{n}]: {error}", number, said(error)) from None
    title = chain.title or first.title
    return Ready(title, chain.seed, first.ruleset, tuple(links), tuple(str(entry["id"]) for entry in party))


def party_of(record: Record) -> list[dict[str, Any]]:
    """Who goes through a chain: those of the heroes whom people lead, else all heroes who are nobody's prisoners.
    Raises ChainError where there is nobody."""
    side = [e for e in record.creatures if e.get("side") == PARTY and e.get("prisoner") is not True]
    led = [entry for entry in side if entry.get("controller") == "human"]
    if not side:
        raise ChainError("creatures: nobody is on the side {side}: put the party where it comes in", repr(PARTY))
    return led or side


_STAYS = ("at", "map", "asleep", "surprised", "hidden", "patrol", "hp", "mana", "faith", "facing")
"""What an entry says of one fight alone."""


def joining(record: Record, first: Record, beside: Path | None) -> Record:
    """A later encounter with the party of the first in place of its own heroes. Raises BattlematError where it has no
    heroes, somebody finds no space, or an id is somebody else's."""
    own = [str(entry["id"]) for entry in party_of(record)]
    match = Match.from_record(record, beside=beside)
    terrain, minis = match.ruleset.terrain(match.state), match.board().everybody
    there = {mini.id: mini for mini in minis}
    taken = EMPTY
    for mini in minis:
        if mini.id not in own:
            taken |= terrain.footprint(mini.cell, mini.size)
    starts = [there[name].cell for name in own if name in there]
    if not starts:
        raise ChainError("creatures: nobody of the heroes stands on the board")
    others = [dict(entry) for entry in match.record.creatures if str(entry["id"]) not in own]
    ids, party = {str(entry["id"]) for entry in others}, list[dict[str, Any]]()
    for number, entry in enumerate(party_of(first)):
        name = str(entry["id"])
        if name in ids:
            raise ChainError("creatures: the id {name} is also that of one of the party; give it another", repr(name))
        cell = around(terrain, starts[min(number, len(starts) - 1)], 1, Bitboard(taken))
        if cell < 0:
            raise ChainError("creatures: {name} finds no space where the party comes in", repr(name))
        taken |= 1 << cell
        kept = {key: value for key, value in entry.items() if key not in _STAYS}
        party.append({**kept, "at": list(match.field.at(cell))})
    seats = _seats(first, record, party, others)
    changes = {"creatures": [*party, *others], "arrivals": of_these(record.arrivals, ids), "seats": seats}
    return records.begun(match.record).model_copy(update=changes)


def _seats(
    first: Record, record: Record, party: Sequence[Mapping[str, Any]], others: Sequence[Mapping[str, Any]]
) -> list[Any]:
    """Who sits at the table: as in the first fight, each with those of its own who are here."""
    known = {"gm", PARTY, CAPTIVES, *(str(e[word]) for e in (*party, *others) for word in ("id", "side"))}
    seats = first.seats or record.seats
    plays = [[name for name in seat.plays if name in known] for seat in seats]
    return [seat.model_copy(update={"plays": names}) for seat, names in zip(seats, plays, strict=True)]


def carried_on(link: Link, travellers: Sequence[Traveller], seed: int, own: Sequence[str] = ()) -> Record:
    """The record of a fight of a chain for those who come on from the one before. `own`: who has what its entry says,
    not what it carried then."""
    figures = {one.id: dict(one.kept) for one in travellers}
    absent = [one.id for one in travellers if one.fate]
    return link.record.model_copy(
        update={"carried": CarriedModel(figures=figures, absent=absent, own=list(own)), "seed": seed, "throws": None}
    )


def minis_of(minis: Sequence[Miniature], party: Sequence[str]) -> list[Miniature]:
    """Those of the party, in its order."""
    by_id = {mini.id: mini for mini in minis}
    return [by_id[name] for name in party if name in by_id]


def standing(travellers: Sequence[Traveller]) -> bool:
    """Whether anybody can go on."""
    return any(not one.fate for one in travellers)

"""Expeditions evening after evening: each campaign is a folder with its evenings as records, and where it stands.

`campaigns/the-drowned-abbey-1f0c77ab/` holds `evening-1.json`, `evening-2.json` …, records like any others, and
`campaign.json`, which says how many of them count, whether the party is at camp or before the door, and for how long.
An evening is written whole before the latter says so; what that file says is made anew from the evenings where it is
torn. An evening under way is a saved fight like any other: it comes here when it is over. Nothing that others followed
is ever overwritten: another line of play becomes a campaign of its own.
"""

from __future__ import annotations

import contextlib
import re
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from game import __version__, paths
from game.fight.account import UNITS, account
from game.fight.match import Match, Progress, load_fight
from game.storage import records as storage
from game.storage.files import as_json, from_json, read_text, write_whole
from rules.contract.errors import BattlematError, said
from rules.contract.ruleset import PARTY
from rules.contract.text import text
from rules.core import record as records

FORMAT = 1
INDEX = "campaign.json"
LARGEST = 1024 * 1024
_EVENING = re.compile(r"evening-([1-9]\d{0,2})\.json")
LONGEST = 200
"""Characters of a title that are read."""


class Stage(StrEnum):
    """Where a campaign was left."""

    CAMP = "camp"
    DOOR = "door"  # about to go in again
    DONE = "done"  # all that was to be done is done, and nobody means to go in again


class CampaignError(BattlematError):
    """A campaign that cannot be read; the text names the file, and what is wrong with it."""


class Chapter(NamedTuple):
    """What an evening came to."""

    turns: int
    unit: str
    fights: int


class Campaign(NamedTuple):
    """A campaign as it was left."""

    folder: Path
    title: str
    ruleset: str
    openings: tuple[str, ...]
    """The short names of its evenings, the first first."""
    stage: Stage = Stage.CAMP
    minutes: int = 0
    """Since the last evening ended."""
    party: tuple[str, ...] = ()
    """Who is to go in next: heroes with a file by id, ready ones by template; none: whoever came out."""
    when: float = 0.0
    """Seconds since the epoch: when it was left."""
    chapters: tuple[Chapter, ...] = ()
    """What each evening came to, where that is noted."""
    fault: str = ""
    """What was wrong with its file, where it was made anew from its evenings."""

    @property
    def last(self) -> Path:
        """The record of its last evening."""
        return self.folder / _name(len(self.openings))

    @property
    def evenings(self) -> dict[int, Path]:
        """Number of an evening -> its record, as far as they are there."""
        wanted = {number: self.folder / _name(number) for number in range(1, len(self.openings) + 1)}
        return {number: path for number, path in wanted.items() if path.is_file()}


def _name(number: int) -> str:
    return f"evening-{number}.json"


def folder() -> Path:
    """Where campaigns live."""
    return paths.user_path("campaigns")


# -- reading


def read(where: Path) -> Campaign:
    """The campaign of a folder, or of a file in it. Where the file that says how it stands is wrong it is made anew
    from the evenings, and `fault` says why. Raises CampaignError where there is no evening either.
    """
    home = where if where.is_dir() else where.parent
    try:
        return _indexed(home)
    except BattlematError as error:
        try:
            return _anew(home, said(error))
        except BattlematError as worse:
            raise CampaignError("{fault}; nor {worse}", said(error), said(worse)) from None


def _indexed(home: Path) -> Campaign:
    path = home / INDEX
    told = read_text(path, LARGEST, "campaign", CampaignError)
    try:
        found = from_json(told)
    except ValueError as error:
        raise CampaignError("{path}: not JSON: {error}", str(path), said(error)) from None
    if not isinstance(found, dict) or "campaign" not in found:
        raise CampaignError("{path}: needs a JSON object with campaign, title, ruleset and evenings", str(path))
    number = found["campaign"]
    if number != FORMAT or isinstance(number, bool):
        wrong = "{path}: campaign: this Battlemat reads {format}; the file says {found}"
        raise CampaignError(wrong, str(path), FORMAT, repr(number)[:40])
    openings, party = found.get("evenings") or [], found.get("party", [])
    checks = (
        ("title", isinstance(found.get("title"), str)), ("ruleset", isinstance(found.get("ruleset"), str)),
        ("evenings", _names(openings) and bool(openings)), ("party", _names(party)),
        ("stage", found.get("stage") in tuple(Stage)),
        ("minutes", isinstance(found.get("minutes"), int) and found["minutes"] >= 0),
    )  # fmt: skip
    for name, right in checks:
        if not right:
            raise CampaignError("{path}: {name}: {got} cannot be right", str(path), name, repr(found.get(name))[:60])
    return Campaign(
        home, found["title"][:LONGEST], found["ruleset"], tuple(openings), Stage(found["stage"]), found["minutes"],
        tuple(party), path.stat().st_mtime, _chapters(found.get("chapters")),
    )  # fmt: skip


def _chapters(told: object) -> tuple[Chapter, ...]:
    """What is noted of the evenings; nothing of what can't be right: it is only told."""
    found = []
    for each in told if isinstance(told, list) else ():
        said = each if isinstance(each, dict) else {}
        turns, unit, fights = said.get("turns"), str(said.get("unit")), said.get("fights")
        right = isinstance(turns, int) and isinstance(fights, int) and unit in UNITS
        found.append(Chapter(int(turns or 0), unit, int(fights or 0)) if right else Chapter(0, "", 0))
    return tuple(found)


def _names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) and len(each) <= LONGEST for each in value)


def _anew(home: Path, fault: str) -> Campaign:
    """What the evenings themselves say."""
    numbers = sorted(int(found[1]) for path in home.glob("evening-*.json") if (found := _EVENING.fullmatch(path.name)))
    if not numbers:
        raise CampaignError("is there an evening in {path}", str(home))
    openings = [""] * numbers[-1]
    for number in numbers:
        record = storage.read_record(home / _name(number))
        openings[number - 1] = storage.opening(record)
    last = home / _name(numbers[-1])
    return Campaign(
        home, record.title or storage.title_of(last), record.ruleset, tuple(openings), Stage.CAMP,
        when=last.stat().st_mtime, fault=fault,
    )  # fmt: skip


def known() -> list[Campaign]:
    """All campaigns that can be read, the one left last first."""
    found = []
    where = folder()
    for home in sorted(where.iterdir()) if where.is_dir() else ():
        if home.is_dir():
            with contextlib.suppress(BattlematError, OSError):
                found.append(read(home))
    return sorted(found, key=lambda each: (-each.when, each.folder.name))


def of(record: records.Record) -> Campaign | None:
    """The campaign in which a record is an evening, or the next one; None if there is none yet."""
    number, names = record.evening, storage.openings(record)
    fitting = _fitting(record)
    held = [each for each in fitting if len(each.openings) >= number and each.openings[number - 1] in names]
    free = [each for each in fitting if len(each.openings) == number - 1]
    return next(iter([*held, *free]), None)


def _fitting(record: records.Record) -> list[Campaign]:
    """The campaigns whose evenings are those before a record's."""
    return [each for each in known() if _fits(each, record)]


def _fits(campaign: Campaign, record: records.Record) -> bool:
    """Whether the evenings before a record's are this campaign's."""
    number = record.evening
    before = record.map.left.of if record.map.left is not None else ""
    had = campaign.openings[: number - 1]
    return len(had) == number - 1 and (not had or had[-1] == before)


# -- writing


def note(campaign: Campaign, **changes: Any) -> Campaign:
    """Keep how a campaign stands. Raises BattlematError if the disk refuses."""
    now = campaign._replace(**changes)
    said_of: dict[str, Any] = {
        "campaign": FORMAT, "version": __version__, "title": now.title, "ruleset": now.ruleset,
        "stage": now.stage.value, "minutes": now.minutes, "party": list(now.party), "evenings": list(now.openings),
        "chapters": [each._asdict() for each in now.chapters],
    }  # fmt: skip
    path = now.folder / INDEX
    write_whole(path, as_json(said_of, indent=1) + "\n")
    return now._replace(fault="", when=path.stat().st_mtime)


def keep(match: Match) -> Campaign:
    """Keep an evening that is over as the last of its campaign; one that is kept already stays as it stands.

    Raises BattlematError if the disk refuses.
    """
    record, number, short = match.record, match.record.evening, storage.opening(match.record)
    whole, campaign = storage.record_text(record), of(record)
    if campaign is not None and len(campaign.openings) >= number:
        there = campaign.folder / _name(number)
        with contextlib.suppress(OSError, BattlematError):
            if there.read_text(encoding="utf-8") == whole:
                return campaign
            if storage.read_record(there).commands == record.commands:  # only who looks or leads is noted otherwise
                write_whole(there, whole)
                return campaign
        campaign = _forked(campaign, number) if len(campaign.openings) > number else campaign
    if campaign is None:
        like = next(iter(_fitting(record) if number > 1 else []), None)
        campaign = _forked(like, number) if like is not None else Campaign(
            _fresh(match.title, short), match.title[:LONGEST], record.ruleset, ("",) * (number - 1))  # fmt: skip
    write_whole(campaign.folder / _name(number), whole)
    openings, counted = (*campaign.openings[: number - 1], short), account(match.events)
    before = (*campaign.chapters, *(Chapter(0, "", 0) for _ in openings))[: number - 1]
    chapters = (*before, Chapter(counted.turns, counted.unit, counted.fights))
    return note(campaign, openings=openings, chapters=chapters, stage=_stage(match), minutes=0, party=())


def _stage(match: Match) -> Stage:
    """Where the party is once an evening is over."""
    told = match.ruleset.summary(match.state)
    if PARTY in told.get("achieved", ()):
        return Stage.DONE
    board = match.board()
    alive = any(mini.side == PARTY and not mini.dead for mini in board.miniatures)
    return Stage.CAMP if alive or told.get("left") or match.over == PARTY else Stage.DOOR


def _fresh(title: str, short: str) -> Path:
    """A folder that no campaign has yet."""
    name, number = f"{storage.slug(title)}-{short}", 1
    while (found := folder() / (name if number == 1 else f"{name}-{number}")).exists():
        number += 1
    found.mkdir(parents=True)
    return found


def _forked(campaign: Campaign, number: int) -> Campaign:
    """Another campaign with the same evenings before this one, which has been played to another end."""
    home = _fresh(campaign.title, campaign.openings[0] or "other")
    for each in range(1, number):
        with contextlib.suppress(OSError):
            write_whole(home / _name(each), (campaign.folder / _name(each)).read_text(encoding="utf-8"))
    had = campaign._replace(openings=campaign.openings[: number - 1], chapters=campaign.chapters[: number - 1])
    return had._replace(folder=home)


# -- going on


def last_of(campaign: Campaign, progress: Progress | None = None) -> Match:
    """Its last evening, played to its end. Raises RecordError or MapProblem in one line."""
    return load_fight(campaign.last, progress)


def told(campaign: Campaign) -> str:
    """Where it was left, in a few words: `Evening 2, at camp`."""
    number = len(campaign.openings)
    if campaign.stage is Stage.CAMP:
        return text("After evening {number}, at camp", number)
    return text("Evening {number}, before the door", number + 1)


def offered() -> Campaign | None:
    """The one left last that the title may take up."""
    return next((each for each in known() if each.stage is not Stage.DONE), None)

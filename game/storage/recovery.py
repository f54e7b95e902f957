"""Nothing lost: a fight kept safe while it is played, what is found after an end that was none, crash reports.

Each command of a fight goes into its journal as soon as it was given, so that no end loses more.
A journal belongs to one process, which holds a lock beside it. The system lets go of a lock when its process ends,
however it ends, so a journal whose lock can be had was left behind; one that ended well is deleted. The process's
number is in the name, and a name is never used twice: programs running side by side cannot meet in one.

It is lines of JSON. The first says `{"journal": 1, "version", "title"}`. After it comes a whole record,
`{"record": {…}}`, and again whenever the record changed otherwise than by a command; a command is
`{"command": {…}, "throws": […]}`, the latter with the faces added since, if any. A line counts once it has its end,
so a last one cut short is as if it had never been.
"""

from __future__ import annotations

import contextlib
import os
import platform
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

from game import __version__, paths
from game.fight import remembered
from game.fight.match import Match, Progress, keep_map, keep_past
from game.fight.remembered import Along
from game.storage import campaigns, evenings
from game.storage import records as storage
from game.storage.files import as_json, from_json, read_bytes, write_whole
from rules.contract.errors import BattlematError, RecordError, said
from rules.contract.events import EPISODES, Began, Chance, Event, Over
from rules.contract.text import joined, text
from rules.core import record as records

FORMAT = 1
"""The number of the journal's format; that of the record in it is its own."""
Upgrade = Callable[[list[Any]], list[Any]]
UPGRADES: Mapping[int, Upgrade] = {}
"""Number -> how the lines of a journal of that older format become those of the next."""
LARGEST = 64 * 1024 * 1024
"""Bytes of a journal beyond which it is not read."""
ENDING = ".jsonl"
FORSAKEN = 3600.0
"""Seconds after which a lock without a journal is swept away."""


class NothingKept(RecordError):
    """A journal whose process ended before the first record was written whole: nothing was lost by it."""


def lock(path: Path) -> IO[bytes] | None:
    """What holds the lock on a file until it is closed or the process ends; None if somebody else has it.

    Raises OSError where there can be no such file.
    """
    stream = path.open("a+b")
    if _locked(stream):
        return stream
    stream.close()
    return None


if sys.platform == "win32":
    import msvcrt

    def _locked(stream: IO[bytes]) -> bool:
        stream.seek(0)
        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _locked(stream: IO[bytes]) -> bool:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class Journal:
    """A journal being written. Everything may raise OSError if the disk refuses."""

    def __init__(self, record: records.Record, title: str) -> None:
        self.record = record
        folder = paths.user_folder("journals")
        stem = f"current-{os.getpid()}-{time.time_ns()}"
        self.path = folder / f"{stem}{ENDING}"
        held = lock(folder / f"{stem}.lock")
        self._throws = 0
        self.size = 0
        self.torn = False
        """Whether a line could not be written whole: nothing after it would be read."""
        if held is None:  # a name of this process's own: only a broken file system comes here
            raise OSError(text("{path}: cannot be locked", str(folder / f"{stem}.lock")))
        self._lock = held
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | getattr(os, "O_BINARY", 0)
        self._handle = os.open(self.path, flags, 0o600)
        self._write({"journal": FORMAT, "version": __version__, "title": title})
        self.whole()

    def _write(self, line: Mapping[str, Any]) -> None:
        data = as_json(line).encode() + b"\n"
        self.size += len(data)
        self.torn = True
        while data:
            data = data[os.write(self._handle, data) :]
        self.torn = False

    def whole(self) -> None:
        """Write the record as it is now."""
        self._write({"record": records.document(self.record)})
        self._throws = len(self.record.throws or ())

    def command(self) -> None:
        """Write the record's last command, and what was thrown by hand for it."""
        line: dict[str, Any] = {"command": self.record.commands[-1].model_dump(mode="json", exclude_none=True)}
        throws = self.record.throws
        if throws is not None and len(throws) != self._throws:
            if len(throws) < self._throws:
                self.whole()
                return
            line["throws"] = throws[self._throws :]
            self._throws = len(throws)
        self._write(line)

    def settle(self) -> None:
        """Have the disk keep what was written, should the power fail."""
        os.fsync(self._handle)

    def abandon(self) -> None:
        """Leave the journal behind, to be found."""
        if self._handle >= 0:
            with contextlib.suppress(OSError):
                os.close(self._handle)
            self._handle = -1
        self._lock.close()

    def end(self) -> None:
        """The fight is kept elsewhere: delete the journal."""
        self.abandon()
        discard(self.path)


def discard(path: Path) -> None:
    """Delete a journal and its lock, and what was written along with it."""
    for part in (path, path.with_suffix(".lock"), remembered.along(path)):
        with contextlib.suppress(OSError):
            part.unlink()


def left_behind() -> list[Path]:
    """The journals of processes that ended without ending them, the newest first."""
    folder = paths.user_path("journals")
    found: list[tuple[int, Path]] = []
    for path in sorted(folder.glob(f"current-*{ENDING}")) if folder.is_dir() else ():
        with contextlib.suppress(OSError):
            if (held := lock(path.with_suffix(".lock"))) is not None:
                held.close()
                found.append((path.stat().st_mtime_ns, path))
    for path in folder.glob("current-*.lock"):  # those that were left behind without a journal
        with contextlib.suppress(OSError):
            forsaken = time.time() - path.stat().st_mtime > FORSAKEN
            if forsaken and not path.with_suffix(ENDING).exists():
                path.unlink()
    return [path for _, path in sorted(found, key=lambda entry: (-entry[0], entry[1].name))]


def read_journal(path: Path, upgrades: Mapping[int, Upgrade] = UPGRADES) -> tuple[str, records.Record]:
    """The title and the record of a journal, up to its last whole line. Raises RecordError in one line."""
    data = read_bytes(path, LARGEST, "journal", RecordError)
    lines = _lines(data)
    try:
        if data.count(b"\n") < 2:
            raise NothingKept("the journal breaks off before its record")
        lines = _upgraded(lines, upgrades)
        record = records.read(_assembled(lines[1:]))
    except RecordError as error:
        raise type(error)(text("{path}: {error}", str(path), said(error))) from None
    title = lines[0].get("title")
    return title if isinstance(title, str) else "", record


def _lines(data: bytes) -> list[Any]:
    """The whole lines of a journal, up to the first that is broken."""
    found: list[Any] = []
    for line in data.split(b"\n")[:-1]:
        try:
            entry = from_json(line)
        except ValueError:
            break
        if not isinstance(entry, dict):
            break
        found.append(entry)
    return found


def _upgraded(lines: list[Any], upgrades: Mapping[int, Upgrade]) -> list[Any]:
    for _ in range(len(upgrades) + 1):
        number = lines[0].get("journal") if lines else None
        if number == FORMAT and number is not True:
            return lines
        if not isinstance(number, int) or number not in upgrades:
            break
        lines = upgrades[number](lines)
    if isinstance(number, int) and number > FORMAT:
        raise RecordError("journal: {number} is of a newer Battlemat; this one reads up to {format}", number, FORMAT)
    raise RecordError("not a journal of Battlemat: its first line does not say so")


def _assembled(lines: list[Any]) -> dict[str, Any]:
    """The record that the lines after the first lead to. Raises RecordError if there is none."""
    document: dict[str, Any] | None = None
    for line in lines:
        if isinstance(line.get("record"), dict):
            document = dict(line["record"])
            document["commands"] = list(document.get("commands") or ())
        elif document is None or "command" not in line:
            break
        else:
            document["commands"].append(line["command"])
            if isinstance(line.get("throws"), list):
                document["throws"] = [*(document.get("throws") or ()), *line["throws"]]
    if document is None:
        raise RecordError("there is no record in the journal")
    return document


# -- a fight that is being played

FULL = 8 * 1024 * 1024
"""Bytes of a journal beyond which it is begun anew."""
REPORTS = 20
"""How many crash reports are kept."""


OFTEN = 5
"""After so many turns of exploration an evening is saved by itself."""
_IN_FIGHTS = ("turn", "round", "second", "reset", "action")


def _worth_saving(event: Event) -> bool:
    """Whether a fight is saved by itself after an event: a chance, an episode, a few turns of exploration are over."""
    if isinstance(event, Began):
        return event.what in EPISODES or (event.what not in _IN_FIGHTS and event.number % OFTEN == 0)
    return isinstance(event, (Chance, Over))


class Scribe:
    """Keeps one fight safe: each command into its journal at once, the whole of it saved after each chance, and in an
    exploration after every few turns and where it ends.

    Writes nothing before the first command. If the disk refuses, the fight goes on, and `trouble` hears of it once.
    """

    def __init__(
        self, match: Match, *, autosave: Callable[[], bool] = lambda: True,
        trouble: Callable[[str], None] = lambda text: None,
    ) -> None:  # fmt: skip
        self.match = match
        self.title = match.title
        self._autosave = autosave
        self._trouble = trouble
        self._journal: Journal | None = None
        self._along: Along | None = None
        self._silent = False
        self._unsaved = False
        self._kept: Path | None = None
        """Where it was saved last."""
        match.keeper = self.heard

    def heard(self, events: Sequence[Event] | None) -> None:
        """A command was given: into the journal with it; and if a chance has ended, save the fight.

        None: something was taken back, or another line taken up.
        """
        self._unsaved = True
        self._note(whole=events is None)
        if self._along is not None:
            self._along.follow(self.match.history.moments, self.match.events)
        if any(_worth_saving(event) for event in events or ()):
            if self._autosave():
                self.save()
                if not self._unsaved and self.match.record.expedition and self.match.over is not None:
                    self._done()
            elif self._journal is not None:
                self._try(self._journal.settle)

    def save(self) -> None:
        """Save the fight by itself, in place of the oldest such file."""

        def write() -> None:
            self._kept = storage.autosave(self.match.record, self.title)

        if self._try(write):
            self._unsaved = False

    def saved(self, path: Path) -> None:
        """The fight was saved by the player."""
        self._unsaved, self._kept = False, path
        self._try(lambda: evenings.note(path, self.match))

    def _done(self) -> None:
        """An evening is over and saved: it is kept with its campaign, and nobody need offer it as interrupted. Should
        it be taken back, a new journal begins."""
        if (kept := self._kept) is None:
            return
        noted = self._try(lambda: evenings.note(kept, self.match)) and self._try(self._evening)
        if noted and self._journal is not None:
            self._leave(self._journal.end)

    def close(self) -> None:
        """The fight is left: keep what is not kept yet; the journal is no longer needed then."""
        if self._unsaved:
            self.save()
        self.match.keeper = None
        if (kept := self._kept) is not None:
            self._try(lambda: evenings.note(kept, self.match))
            keep_past(self.match, kept)
            self._try(self._evening)
        if self._journal is not None:
            self._leave(self._journal.abandon if self._unsaved else self._journal.end)

    def _leave(self, end: Callable[[], None]) -> None:
        """Write no more into the journal, nor along with it."""
        if self._along is not None:
            self._along.close()
        end()
        self._journal = self._along = None

    def _evening(self) -> None:
        """An evening that is over becomes one of its campaign."""
        if self.match.over is not None and self.match.record.expedition:
            from game.characters.aftermath import reach_camp  # late: only the end of an evening asks

            if reach_camp(self.match.record):
                campaigns.keep(self.match)

    def abandon(self) -> None:
        """The program fails: leave the journal behind, so that the fight is offered again."""
        self.match.keeper = None
        self._unsaved = False
        if self._journal is not None:
            self._leave(self._journal.abandon)

    def _note(self, *, whole: bool) -> None:
        def write() -> None:
            old = self._journal
            if old is None or old.torn or old.size > FULL:
                if self._along is not None:
                    self._along.close()
                self._journal = Journal(self.match.record, self.title)
                self._along = Along(remembered.along(self._journal.path), self.match.record, self.match.field)
                keep_map(self.match)
                if old is not None:
                    old.end()
            elif whole:
                old.whole()
            else:
                old.command()

        self._try(write)

    def _try(self, call: Callable[[], object]) -> bool:
        try:
            call()
        except (BattlematError, OSError) as error:
            if not self._silent:
                self._silent = True
                self._trouble(text("This fight cannot be kept safe: {error}", said(error)))
            return False
        self._silent = False
        return True


# -- after an end that was none


class Interrupted(NamedTuple):
    """A fight that was being played when its program ended otherwise than by leaving it."""

    path: Path
    title: str
    when: float
    """Seconds since the epoch: its last command."""
    record: records.Record | None
    fault: str = ""
    """Why it cannot be read, in one line."""


def interrupted() -> list[Interrupted]:
    """The fights that were interrupted, the newest first; those that another Battlemat is playing are none."""
    found = []
    for path in left_behind():
        with contextlib.suppress(OSError):
            when = path.stat().st_mtime
            try:
                title, record = read_journal(path)
            except NothingKept:
                discard(path)
            except RecordError as error:
                found.append(Interrupted(path, path.stem, when, None, str(error)))
            else:
                found.append(Interrupted(path, title, when, record))
    return found


def resume(found: Interrupted, progress: Progress | None = None) -> Match:
    """Take up an interrupted fight: it is saved, and its journal no longer needed. Raises BattlematError."""
    if found.record is None:
        raise RecordError(found.fault)
    match = playable(found.record, remembered.along(found.path), progress)
    keep_map(match)
    storage.autosave(match.record, match.title)
    discard(found.path)
    return match


def playable(record: records.Record, along: Path | None = None, progress: Progress | None = None) -> Match:
    """The fight of a record as far as it can be played; `along` is what was written along with its journal, if that is
    there still. Raises RecordError or MapProblem where it cannot begin."""
    given = len(record.commands)
    played = -1

    def watch(stretch: records.Replayed) -> None:
        nonlocal played
        played = stretch.number + 1
        if progress is not None:
            progress(played, given)

    try:
        return Match.from_record(record, watch=watch, along=along)
    except RecordError:
        if not 0 <= played < given:
            raise
    del record.commands[played:]
    record.branches = [branch for branch in record.branches if branch.at <= played]
    for rewind in record.rewinds:
        rewind.at = min(rewind.at, played)
    return Match.from_record(record)


# -- crash reports


class Failed(Exception):
    """The program cannot go on; the text is the one line about it, and a report was written where that could be."""


def report(error: BaseException, match: Match | None = None) -> Path:
    """Write what went wrong, where, on which system, and the fight so far. Raises BattlematError or OSError."""
    folder = paths.user_folder("reports")
    stamp = time.strftime("%Y%m%d-%H%M%S")
    path = folder / f"crash-{stamp}-{os.getpid()}.txt"
    write_whole(path, _report_text(error, match))
    for old in sorted(folder.glob("crash-*.txt"))[:-REPORTS]:
        old.unlink(missing_ok=True)
    return path


def told(error: BaseException, match: Match | None = None) -> str:
    """Report a failure; the one line that says so."""
    name = text("the program failed ({name})", type(error).__name__)
    try:
        return text("{name}; a report is in {path}", name, str(report(error, match)))
    except (BattlematError, OSError) as worse:
        return text("{name}, and no report could be written: {worse}", name, said(worse))


def _report_text(error: BaseException, match: Match | None) -> str:
    python = sys.version.split()[0]
    lines = [
        text("Battlemat {version}", __version__),
        text("Python {version} on {platform} ({platform2})", python, platform.platform(), platform.machine()),
        time.strftime("%Y-%m-%d %H:%M:%S %z"),
        text("Arguments: {what}", " ".join(sys.argv[1:]) or "none"),
        joined(", ", (text("{name} {name2}", name, version) for name, version in _libraries())),
        "",
        "".join(traceback.format_exception(error)).rstrip(),
        "",
    ]
    if match is not None:
        try:
            told = storage.record_text(match.record)
        except Exception as worse:  # a report of a failure must not fail in its turn
            told = text("(cannot be written: {worse})", repr(worse))
        lines += ["The fight so far, as a record:", "", told]
    return "\n".join(lines) + "\n"


def _libraries() -> Iterator[tuple[str, str]]:
    from importlib import metadata  # late: it takes as long as all else here

    for name in ("pygame-ce", "pytmx", "pydantic", "msgspec"):
        with contextlib.suppress(metadata.PackageNotFoundError):
            yield name, metadata.version(name)


def left_off() -> evenings.Evening | None:
    """What was left last and isn't over: a fight that was interrupted, else the newest saved one; None for neither."""
    try:
        if waiting := left_behind():
            path = waiting[0]
            with path.open("rb") as stream:
                said = _lines(stream.readline(LARGEST))
            title = said[0].get("title") if said else None
            return evenings.Evening(None, title if isinstance(title, str) else "", when=path.stat().st_mtime)
        saved, campaign = evenings.left(), campaigns.offered()
        if campaign is not None and (saved is None or campaign.when >= saved.when):
            where = campaigns.told(campaign)
            return evenings.Evening(campaign.folder / campaigns.INDEX, campaign.title, where, when=campaign.when)
        return saved
    except OSError:
        return None

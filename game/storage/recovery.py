"""Nothing lost: a fight kept safe while it is played, what is found after an end that was none, crash reports."""

from __future__ import annotations

import contextlib
import os
import platform
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from game import __version__, paths
from game.fight.match import Match, keep_map
from game.storage import journal
from game.storage import records as storage
from game.storage.files import write_whole
from rules.contract.errors import BattlematError, RecordError, said
from rules.contract.events import Chance, Event, Over
from rules.contract.text import joined, text
from rules.core import record as records

LARGEST_JOURNAL = 8 * 1024 * 1024
"""Bytes of a journal beyond which it is begun anew."""
REPORTS = 20
"""How many crash reports are kept."""


class Scribe:
    """Keeps one fight safe: each command into its journal at once, the whole of it saved after each chance.

    Writes nothing before the first command. If the disk refuses, the fight goes on, and `trouble` hears of it once.
    """

    def __init__(
        self,
        match: Match,
        *,
        autosave: Callable[[], bool] = lambda: True,
        trouble: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.match = match
        self.title = match.title
        self._autosave = autosave
        self._trouble = trouble
        self._journal: journal.Journal | None = None
        self._silent = False
        self._unsaved = False
        match.keeper = self

    def acted(self, events: Sequence[Event]) -> None:
        """A command was given: into the journal with it; and if a chance has ended, save the fight."""
        self._unsaved = True
        self._note(whole=False)
        if any(isinstance(event, (Chance, Over)) for event in events):
            if self._autosave():
                self.save()
            elif self._journal is not None:
                self._try(self._journal.settle)

    def changed(self) -> None:
        """Something was taken back, or another line taken up."""
        self._unsaved = True
        self._note(whole=True)

    def save(self) -> None:
        """Save the fight by itself, in place of the oldest such file."""
        if self._try(lambda: storage.autosave(self.match.record, self.title)):
            self._unsaved = False

    def saved(self) -> None:
        """The fight was saved by the player."""
        self._unsaved = False

    def close(self) -> None:
        """The fight is left: keep what is not kept yet; the journal is no longer needed then."""
        if self._unsaved:
            self.save()
        self.match.keeper = None
        if self._journal is not None:
            if self._unsaved:
                self._journal.abandon()
            else:
                self._journal.end()
            self._journal = None

    def abandon(self) -> None:
        """The program fails: leave the journal behind, so that the fight is offered again."""
        self.match.keeper = None
        self._unsaved = False
        if self._journal is not None:
            self._journal.abandon()
            self._journal = None

    def _note(self, *, whole: bool) -> None:
        def write() -> None:
            old = self._journal
            if old is None or old.torn or old.size > LARGEST_JOURNAL:
                self._journal = journal.Journal(self.match.record, self.title)
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
    for path in journal.left_behind():
        with contextlib.suppress(OSError):
            when = path.stat().st_mtime
            try:
                title, record = journal.read_journal(path)
            except journal.NothingKept:
                journal.discard(path)
            except RecordError as error:
                found.append(Interrupted(path, path.stem, when, None, str(error)))
            else:
                found.append(Interrupted(path, title, when, record))
    return found


def resume(found: Interrupted) -> Match:
    """Take up an interrupted fight: it is saved, and its journal no longer needed. Raises BattlematError."""
    if found.record is None:
        raise RecordError(found.fault)
    match = playable(found.record)
    keep_map(match)
    storage.autosave(match.record, match.title)
    journal.discard(found.path)
    return match


def playable(record: records.Record) -> Match:
    """The fight of a record as far as it can be played. Raises RecordError or MapProblem where it cannot begin."""
    given = len(record.commands)
    played = -1

    def watch(stretch: records.Replayed) -> None:
        nonlocal played
        played = stretch.number + 1

    try:
        return Match.from_record(record, watch=watch)
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
    lines = [
        text("Battlemat {version}", __version__),
        text(
            "Python {version} on {platform} ({platform2})",
            sys.version.split()[0],
            platform.platform(),
            platform.machine(),
        ),
        time.strftime("%Y-%m-%d %H:%M:%S %z"),
        text("Arguments: {what}", " ".join(sys.argv[1:]) or "none"),
        *_libraries(),
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


def _libraries() -> list[str]:
    found = []
    for name in ("pygame-ce", "pytmx", "pydantic", "msgspec"):
        with contextlib.suppress(metadata.PackageNotFoundError):
            found.append(text("{name} {name2}", name, metadata.version(name)))
    return [joined(", ", found)]


def last_fight() -> Path | None:
    """The newest saved fight."""
    try:
        found = list(storage.fights())
    except (BattlematError, OSError):
        return None
    return found[0] if found else None


def may_continue() -> bool:
    """Whether there is a saved or an interrupted fight."""
    try:
        return last_fight() is not None or bool(journal.left_behind())
    except OSError:
        return False

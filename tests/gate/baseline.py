"""The baseline: a file of digests for each ruleset and kind of fight, a line a fight; and the check against it."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from tests.gate import play, seam
from tests.gate.digests import FAILED, KINDS, SHORT, Digests, Sink

FOLDER = Path(__file__).parent / "baseline"
COUNTS = {"random": 2000, "computer": 300}
"""How many fights there are for each ruleset."""
STILL = "still"
"""Noted of a fight in which the computer goes round in circles."""


class Fight(NamedTuple):
    """A fight by its name: for records `ruleset` is empty, and `seed` the digest of the record."""

    kind: str
    ruleset: str
    seed: str

    def __str__(self) -> str:
        return " ".join(part for part in self if part)


class Found(NamedTuple):
    """What a fight came to."""

    fight: Fight
    commands: int
    digests: tuple[str, ...]
    note: str = ""
    """For records their file; else where the program failed, or that the fight stands still."""

    def line(self) -> str:
        return " ".join((self.fight.seed, str(self.commands), *self.digests, *([self.note] if self.note else [])))


# -- which fights there are


def fights(kind: str, ruleset: str, first: int = 0, count: int | None = None) -> list[Fight]:
    """The fights of a kind; for `random` and `computer` so many from the first seed on, all if nothing is said."""
    if kind == "records":
        return [Fight(kind, "", name) for name in records()]
    stop = COUNTS[kind] if count is None else min(COUNTS[kind], first + count)
    return [Fight(kind, ruleset, str(seed)) for seed in range(first, stop)]


@lru_cache(maxsize=1)
def records() -> dict[str, Path]:
    """Every record in the repository by the digest of what it says: it may move without becoming another."""
    found = {}
    for folder in ("tests", "assets", "docs", "maps"):
        for path in sorted((seam.ROOT / folder).rglob("*.json")):
            try:
                document = json.loads(path.read_text(encoding="utf-8"))
            except ValueError:  # one that is broken on purpose
                continue
            record = document.get("record", document) if isinstance(document, dict) else None
            if isinstance(record, dict) and str(record.get("format", "")).startswith("battlemat/"):
                found[sha256(seam.canonical(record).encode()).hexdigest()[:SHORT]] = path
    return found


def played(fight: Fight, sink: Sink) -> tuple[int, str]:
    """Play a fight to a sink; returns how many commands it took, and what else is to be noted of it."""
    if fight.kind == "records":
        path = records()[fight.seed]
        return play.of_record(path, sink), path.relative_to(seam.ROOT).as_posix()
    how = play.at_random if fight.kind == "random" else play.by_computer
    done = how(fight.ruleset, int(fight.seed), sink)
    return len(done.commands), STILL if done.still else ""


def digested(fight: Fight) -> Found:
    """What a fight comes to now."""
    digests = Digests(KINDS[fight.kind])
    try:
        commands, note = played(fight, digests)
    except Exception as error:  # the program can't even begin it: told as a difference, not as the gate's end
        nothing = tuple("-" * SHORT for _ in KINDS[fight.kind])
        return Found(fight, 0, nothing, f"{FAILED}{type(error).__name__}:{error}")
    if digests.failed:
        note = f"{FAILED}{','.join(digests.failed)}"
    return Found(fight, commands, tuple(digests.told()), note)


def many(wanted: Sequence[Fight], jobs: int) -> Iterator[Found]:
    """What fights come to, in their order, so many at a time: each in a process of its own, so that nothing which the
    program remembers of one fight tells on another. With no jobs they are played here, one after another."""
    if jobs < 1:
        yield from map(digested, wanted)
        return
    seam.warm()
    with multiprocessing.Pool(jobs, maxtasksperchild=1) as pool:
        yield from pool.imap(digested, wanted, chunksize=1)


# -- what is kept


def place(kind: str, ruleset: str) -> Path:
    """The file of a baseline."""
    return FOLDER / ("records.txt" if kind == "records" else f"{ruleset}_{kind}.txt")


def write(kind: str, ruleset: str, found: Sequence[Found]) -> None:
    """Keep what was found as the baseline."""
    FOLDER.mkdir(exist_ok=True)
    head = " ".join(("#", "record" if kind == "records" else "seed", "commands", *KINDS[kind]))
    text = "\n".join((head, *(each.line() for each in found))) + "\n"
    place(kind, ruleset).write_text(text, encoding="utf-8")


def kept(kind: str, ruleset: str) -> dict[str, Found]:
    """The baseline by seed. Raises FileNotFoundError."""
    known = {}
    for line in place(kind, ruleset).read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        seed, commands, *rest = line.split(" ")
        count = len(KINDS[kind])
        fight = Fight(kind, "" if kind == "records" else ruleset, seed)
        known[seed] = Found(fight, int(commands), tuple(rest[:count]), " ".join(rest[count:]))
    return known


class Difference(NamedTuple):
    """A fight that does not come to what it came to."""

    fight: Fight
    kinds: tuple[str, ...]
    """Which digests are others; empty where there is nothing to compare."""
    text: str


def differs(found: Found, known: Found | None, without: Sequence[str] = ()) -> Difference | None:
    """What is different about a fight, the kinds in `without` left out; None if nothing is."""
    if known is None:
        return Difference(found.fight, (), f"{found.fight}: not in the baseline ({found.note or 'new'})")
    pairs = zip(KINDS[found.fight.kind], found.digests, known.digests, strict=True)
    kinds = tuple(kind for kind, now, then in pairs if now != then and kind not in without)
    if not kinds:
        return None
    text = f"{found.fight}: {', '.join(kinds)} differ"
    if found.commands != known.commands:
        text += f"; {found.commands} commands, not {known.commands}"
    if found.note and found.note != known.note:
        text += f"; {found.note}"
    return Difference(found.fight, kinds, text)

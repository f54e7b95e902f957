"""Where two checkouts part: a fight is traced in both, each in a process of its own, up to the first other line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import zip_longest
from pathlib import Path
from typing import IO, NamedTuple

from rules.contract.errors import BattlematError
from tests.gate.baseline import Fight, played
from tests.gate.digests import Trace

AROUND = 160
"""Characters shown on either side of where two lines part."""


class Line(NamedTuple):
    """A line of a trace."""

    number: int
    kind: str
    text: str


def trace(fight: Fight) -> None:
    """Write everything that goes into a fight's digests, line by line."""
    played(fight, Trace(sys.stdout.write))


def parting(fight: Fight, other: Path, without: Sequence[str] = ()) -> list[str]:
    """What two checkouts, this and another, say differently first; the kinds in `without` left out."""
    here = Path(__file__).resolve().parent.parent.parent
    with ExitStack() as stack:
        traces = [stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8")) for _ in range(2)]
        workers = [_started(fight, root, file) for root, file in zip((here, other), traces, strict=True)]
        for root, worker in zip((here, other), workers, strict=True):
            _, said = worker.communicate()
            if worker.returncode:
                raise BattlematError(f"{root}: the fight could not be traced: {(said.splitlines() or ['?'])[-1]}")
        for file in traces:
            file.seek(0)
        one, two = (_lines(file, without) for file in traces)
        return list(_compared(one, two, (str(here), str(other))))


def _started(fight: Fight, root: Path, file: IO[str]) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(root)}
    arguments = [sys.executable, "-m", "tests.gate", "--trace", *fight]
    return subprocess.Popen(
        arguments, cwd=root, env=environment, stdout=file, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )


def _lines(file: IO[str], without: Sequence[str]) -> Iterator[Line]:
    for line in file:
        number, kind, text = line.rstrip("\n").split("\t", 2)
        if kind not in without:
            yield Line(int(number), kind, json.loads(text))


def _compared(one: Iterator[Line], two: Iterator[Line], names: tuple[str, str]) -> Iterator[str]:
    """In words: where the first lines that differ stand, and what each says."""
    command = "the start"
    for left, right in zip_longest(one, two):
        if left == right:
            if left.kind == "command":
                command = f"command {left.number}: {left.text}"
            continue
        kinds = " / ".join(dict.fromkeys(line.kind for line in (left, right) if line is not None))
        yield f"after {command}"
        yield f"first difference: {kinds}"
        place = _parts(left, right)
        for name, line in zip(names, (left, right), strict=True):
            yield f"--- {name}"
            yield "(nothing more)" if line is None else _excerpt(line.text, place)
        return
    yield "no difference"


def _parts(left: Line | None, right: Line | None) -> int:
    """The first character at which two texts differ."""
    if left is None or right is None:
        return 0
    pairs = zip(left.text, right.text, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(left.text), len(right.text)))


def _excerpt(text: str, place: int) -> str:
    start, stop = max(0, place - AROUND), place + AROUND
    return f"{'…' if start else ''}{text[start:stop]}{'…' if stop < len(text) else ''}"

"""Which tests run which lines of the rules: one run of the tests under coverage, kept for the next time.

Where a file of tests changed, that alone is run again. Where the rules changed, lines are found again by what they say;
that can take a mutant for a survivor, never for one that was killed. What the program remembers (`functools.cache`) is
forgotten before each file of tests, so that a file which needs content is seen to read it, though one before did too.
"""

from __future__ import annotations

import functools
import gc
import os
import sys
import time
from collections.abc import Iterator
from difflib import SequenceMatcher
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import coverage
import msgspec
import pytest


class Layout(NamedTuple):
    """Where the sources and their tests are."""

    root: Path
    source: str
    tests: tuple[str, ...]

    def modules(self) -> list[str]:
        """Paths of the source's modules, relative to the root."""
        return [str(path.relative_to(self.root)) for path in sorted((self.root / self.source).rglob("*.py"))]

    def read(self, path: str) -> str:
        return (self.root / path).read_text(encoding="utf-8")

    @property
    def kept(self) -> Path:
        return self.root / ".mutants" / "covering.json"

    @property
    def killers(self) -> Path:
        return self.root / ".mutants" / "killers.json"


class Known(msgspec.Struct, dict=True):
    """A test that passes: its id, seconds of the processor, and lines of the source that it runs."""

    id: str
    seconds: float
    lines: dict[str, list[int]]

    @property
    def file(self) -> str:
        return self.id.split("::", 1)[0]

    @functools.cached_property
    def cost(self) -> float:
        """What puts the quick and the special before the slow and the broad."""
        return (self.seconds + 0.01) * (100 + sum(map(len, self.lines.values())))


class Covering(msgspec.Struct):
    """Every test with what it runs, and of which files that is true."""

    sources: dict[str, str]
    """The modules as they were then."""
    files: dict[str, str]
    """Digests of the files of tests."""
    tests: list[Known]

    def by_line(self) -> dict[tuple[str, int], list[Known]]:
        """The tests of each line, cheapest first."""
        found: dict[tuple[str, int], list[Known]] = {}
        for test in sorted(self.tests, key=lambda test: test.cost):
            for path, lines in test.lines.items():
                for line in lines:
                    found.setdefault((path, line), []).append(test)
        return found


def covering(layout: Layout, jobs: int, afresh: bool) -> Covering:
    """The map as of now: what is kept, moved with the lines of the source, and what files of tests changed run since.

    `afresh`: everything is run again.
    """
    sources = {path: layout.read(path) for path in layout.modules()}
    files = {path: sha256(layout.read(path).encode()).hexdigest() for path in _files(layout)}
    had = Covering(sources, {}, [])
    if layout.kept.exists() and not afresh:
        had = msgspec.json.decode(layout.kept.read_bytes(), type=Covering)
    fresh = {path for path, digest in files.items() if had.files.get(path) == digest}
    stale = sorted(files.keys() - fresh)
    tests = [test for test in had.tests if test.file in fresh]
    changed = [path for path in had.sources if had.sources[path] != sources.get(path)]
    for path in changed:
        moves = moved(had.sources[path], sources.get(path, ""))
        for test in tests:
            if path in test.lines:
                test.lines[path] = sorted({new for old in test.lines[path] for new in moves.get(old, ())})
    if changed:
        print(f"{len(changed)} modules have changed since tests were seen to run them: --afresh", file=sys.stderr)
    if stale:
        began = time.monotonic()
        print(f"which lines {len(stale)} files of tests run ...", file=sys.stderr, flush=True)
        tests += _measured(layout, stale, jobs)
        print(f"... {len(tests)} tests, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    found = Covering(sources, files, tests)
    layout.kept.parent.mkdir(exist_ok=True)
    layout.kept.write_bytes(msgspec.json.encode(found))
    return found


def moved(before: str, after: str) -> dict[int, list[int]]:
    """Where each line is now; new ones are taken to be run by who runs the line above them."""
    old, new = before.splitlines(), after.splitlines()
    moves: dict[int, list[int]] = {}
    last, reached = 1, 0
    for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
        moves.setdefault(last, []).extend(range(reached + 1, block.b + 1))
        for n in range(block.size):
            moves.setdefault(block.a + n + 1, []).append(block.b + n + 1)
        last, reached = max(1, block.a + block.size), block.b + block.size
    return moves


def _files(layout: Layout) -> Iterator[str]:
    for folder in layout.tests:
        for path in sorted((layout.root / folder).rglob("test_*.py")):
            yield str(path.relative_to(layout.root))


def _measured(layout: Layout, files: list[str], jobs: int) -> list[Known]:
    """Run these files of tests in processes of their own: this one shall know nothing of the source."""
    running = [_started(layout, files[job::jobs]) for job in range(min(jobs, len(files)))]
    found: list[Known] = []
    for child, reading in running:
        with os.fdopen(reading, "rb") as pipe:
            found += msgspec.json.decode(pipe.read(), type=list[Known])
        os.waitpid(child, 0)
    return found


def _started(layout: Layout, files: list[str]) -> tuple[int, int]:
    """The process, and the end of its pipe."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    os.close(reading)
    os.dup2(2, 1)
    os.environ["HYPOTHESIS_PROFILE"] = "mutants"
    watch = _Watch(layout)
    options = ["-qq", "--no-header", "-W", "ignore", "-p", "no:cacheprovider", "-p", "no:xdist"]
    with watch.coverage.collect():
        pytest.main([*options, *files], plugins=[watch])
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(msgspec.json.encode(watch.found()))
    os._exit(0)


class _Watch:
    """A plugin of pytest: each test is a context of the coverage."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.coverage = coverage.Coverage(
            data_file=None, config_file=False, source=[str(layout.root / layout.source)], messages=False
        )
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()
        self._file = ""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        file = item.nodeid.split("::", 1)[0]
        if file != self._file:
            self._file = file
            for each in gc.get_objects():
                if isinstance(each, functools._lru_cache_wrapper):
                    each.cache_clear()
        self.coverage.switch_context(item.nodeid)
        began = time.process_time()
        result = yield
        self.seconds[item.nodeid] = time.process_time() - began
        self.coverage.switch_context("")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.outcome != "passed":
            self.failed.add(report.nodeid)

    def found(self) -> list[Known]:
        """Every test that passed."""
        data = self.coverage.get_data()
        lines: dict[str, dict[str, list[int]]] = {}
        for file in data.measured_files():
            path = str(Path(file).relative_to(self.layout.root))
            for line, contexts in data.contexts_by_lineno(file).items():
                for context in contexts:
                    lines.setdefault(context, {}).setdefault(path, []).append(line)
        passed = self.seconds.keys() - self.failed
        return [Known(id, round(self.seconds[id], 4), lines.get(id, {})) for id in self.seconds if id in passed]

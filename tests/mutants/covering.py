"""Which tests run which lines of the rules: one run of the tests under coverage, kept until a source changes.

What the program remembers (`functools.cache`) is forgotten before each file of tests, so that a file which needs
content is seen to read it, though one before it did too. Where only a file of tests changed, that alone is run again.
"""

from __future__ import annotations

import functools
import gc
import json
import os
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

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


class Test(msgspec.Struct, dict=True):
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
    """Every test with what it runs, and of which sources that is true."""

    source: str
    files: dict[str, str]
    """Digests of the files of tests."""
    tests: list[Test]

    def by_line(self) -> dict[tuple[str, int], list[Test]]:
        """The tests of each line, cheapest first."""
        found: dict[tuple[str, int], list[Test]] = {}
        for test in sorted(self.tests, key=lambda test: test.cost):
            for path, lines in test.lines.items():
                for line in lines:
                    found.setdefault((path, line), []).append(test)
        return found


def covering(layout: Layout) -> Covering:
    """The map as of now, from what is kept where that still holds."""
    source = _digest(layout, [*layout.modules(), *(p for p in _tests(layout) if not _is_tests(p))])
    files = {path: _digest(layout, [path]) for path in _tests(layout) if _is_tests(path)}
    had = Covering(source, {}, [])
    if layout.kept.exists():
        kept = msgspec.json.decode(layout.kept.read_bytes(), type=Covering)
        had = kept if kept.source == source else had
    fresh = {path for path, digest in files.items() if had.files.get(path) == digest}
    stale = sorted(files.keys() - fresh)
    tests = [test for test in had.tests if test.file in fresh]
    if stale:
        began = time.monotonic()
        print(f"which lines {len(stale)} files of tests run ...", file=sys.stderr, flush=True)
        tests += _measured(layout, stale)
        print(f"... {len(tests)} tests, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    found = Covering(source, files, tests)
    layout.kept.parent.mkdir(exist_ok=True)
    layout.kept.write_bytes(msgspec.json.encode(found))
    return found


def _tests(layout: Layout) -> Iterator[str]:
    for folder in layout.tests:
        for path in sorted((layout.root / folder).rglob("*.py")):
            yield str(path.relative_to(layout.root))


def _is_tests(path: str) -> bool:
    return Path(path).name.startswith("test_")


def _digest(layout: Layout, paths: list[str]) -> str:
    return sha256("\0".join(f"{path}\0{layout.read(path)}" for path in paths).encode()).hexdigest()


def _measured(layout: Layout, files: list[str]) -> list[Test]:
    """Run these files of tests, in a process of their own: this one shall know nothing of the source."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        os.dup2(2, 1)
        watch = _Watch(layout)
        with watch.coverage.collect():
            pytest.main(
                ["-qq", "--no-header", "-W", "ignore", "-p", "no:cacheprovider", "-p", "no:xdist", *files],
                plugins=[watch],
            )
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(json.dumps(watch.found()).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    return msgspec.json.decode(told, type=list[Test])


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

    def found(self) -> list[dict[str, Any]]:
        data = self.coverage.get_data()
        lines: dict[str, dict[str, list[int]]] = {}
        for file in data.measured_files():
            path = str(Path(file).relative_to(self.layout.root))
            for line, contexts in data.contexts_by_lineno(file).items():
                for context in contexts:
                    lines.setdefault(context, {}).setdefault(path, []).append(line)
        return [
            {"id": id, "seconds": round(seconds, 4), "lines": lines.get(id, {})}
            for id, seconds in self.seconds.items()
            if id not in self.failed
        ]

"""One mutant against the tests that run its line, in processes forked from one that knows nothing of the source.

The forked process imports the source with the one error in it, so also what is worked out on importing is wrong.
"""

from __future__ import annotations

import enum
import importlib.machinery
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple

import pytest

from tests.mutants.covering import Known, Layout
from tests.mutants.operators import Mutant, mutated

FIRST, NEXT = 30, 300
"""Tests tried before the others: most mutants fall here, and other files needn't be collected."""
ENOUGH = 77
"""How pytest ends when the budget is spent."""
NEIGHBOURLY = 0.4
"""What part of the budget tests in the same files have that were not seen to run the line."""
PATIENCE = 5.0
"""Seconds that any test may take, beside ten times what it takes otherwise."""
MEMORY = 4 << 30
WALL = 900


class Fate(enum.Enum):
    """What became of a mutant."""

    KILLED = "killed"
    TIME_OUT = "timed out"
    """The tests don't end; that counts as killed."""
    SURVIVED = "survived"
    UNREACHED = "unreached"
    """No test runs the line."""

    @property
    def killed(self) -> bool:
        return self in (Fate.KILLED, Fate.TIME_OUT)


class Verdict(NamedTuple):
    """What became of a mutant, and by which test."""

    mutant: Mutant
    fate: Fate
    by: str = ""
    tried: int = 0


def attempt(
    layout: Layout, mutant: Mutant, tests: Sequence[Known], neighbours: Sequence[Known], budget: float, killer: str
) -> Verdict:
    """Try the tests that run the line, cheapest first (but `killer` before all, which killed it before), then their
    neighbours in the same files: what a file of tests keeps between its tests (a ground with its ways), the first
    alone is seen to work out. `budget`: seconds of the processor that each lot is tried for; who passes all lives."""
    if not tests:
        return Verdict(mutant, Fate.UNREACHED)
    tried = 0
    former = [test for test in (*tests, *neighbours) if test.id == killer]
    for lot, seconds in (
        (former, budget),
        (tests[:FIRST], budget),
        (tests[FIRST:NEXT], budget),
        (tests[NEXT:], budget),
        (neighbours, budget * NEIGHBOURLY),
    ):
        if not lot:
            continue
        fate, by, ran = _forked(layout, mutant, lot, seconds)
        tried += ran
        if fate.killed:
            return Verdict(mutant, fate, by, tried)
    return Verdict(mutant, Fate.SURVIVED, "", tried)


def steady(layout: Layout, mutant: Mutant, tests: Sequence[Known]) -> bool:
    """Whether these tests pass where the module is replaced by itself: else all would seem killed."""
    return not _forked(layout, mutant._replace(number=-1), tests[:FIRST], PATIENCE)[0].killed


def _forked(layout: Layout, mutant: Mutant, tests: Sequence[Known], budget: float) -> tuple[Fate, str, int]:
    scratch = tempfile.mkdtemp(prefix="battlemat-mutant-")
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _run(layout, mutant, _Chosen(tests, writing, budget), scratch)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read().decode().splitlines()
    _, status = os.waitpid(child, 0)
    shutil.rmtree(scratch, ignore_errors=True)
    said = [json.loads(line) for line in told]
    ran = [each["test"] for each in said if "test" in each]
    failed = [each["failed"] for each in said if "failed" in each]
    if failed:
        return Fate.KILLED, failed[0], len(ran)
    if os.WIFSIGNALED(status):
        timed = os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGALRM)
        return Fate.TIME_OUT if timed else Fate.KILLED, ran[-1] if ran else "", len(ran)
    enough = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED, ENOUGH)
    assert os.WEXITSTATUS(status) in enough, f"pytest ended with {status}, and nothing failed: {mutant}"
    return Fate.SURVIVED, "", len(ran)


def _run(layout: Layout, mutant: Mutant, chosen: _Chosen, scratch: str) -> None:
    """The forked process."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    os.environ["TMPDIR"] = tempfile.tempdir = scratch
    os.environ["HYPOTHESIS_PROFILE"] = "mutants"
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(WALL)
    sys.meta_path.insert(0, _Finder(layout, mutant))
    status: int = 3
    try:
        options = ["-x", "-q", "--tb=no", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:timeout"]
        files = list(dict.fromkeys(id.split("::", 1)[0] for id in chosen.place))
        status = pytest.main([*options, *files], plugins=[chosen])
    finally:
        os._exit(status)


class _Finder(MetaPathFinder):
    """Finds the one module, with its error in it."""

    def __init__(self, layout: Layout, mutant: Mutant) -> None:
        self.path = str(layout.root / mutant.path)
        self.source, self.number = layout.read(mutant.path), mutant.number
        parts = Path(mutant.path).with_suffix("").parts
        self.name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        assert spec is not None
        spec.loader = _Loader(self)
        return spec


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, finder: _Finder) -> None:
        super().__init__(finder.name, finder.path)
        self.finder = finder

    def get_code(self, fullname: str) -> CodeType:
        finder = self.finder
        if finder.number < 0:
            return compile(finder.source, finder.path, "exec")
        return compile(mutated(finder.source, finder.number), finder.path, "exec")


class _Chosen:
    """A plugin of pytest: just these tests, in this order, each with an end to the patience it is given."""

    def __init__(self, tests: Sequence[Known], told: int, budget: float) -> None:
        self.place = {test.id: at for at, test in enumerate(tests)}
        self.seconds = {test.id: test.seconds for test in tests}
        self.told, self.budget, self.began = told, budget, 0.0

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted((i for i in items if i.nodeid in self.place), key=lambda item: self.place[item.nodeid])

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._tell(test=nodeid)
        signal.setitimer(signal.ITIMER_PROF, PATIENCE + 10 * self.seconds[nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._tell(failed=report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._tell(failed=f"{report.nodeid}, importing it")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        self.began = self.began or time.process_time()
        if time.process_time() > self.began + self.budget:
            pytest.exit("that is enough", ENOUGH)

    def _tell(self, **said: Any) -> None:
        os.write(self.told, json.dumps(said).encode() + b"\n")

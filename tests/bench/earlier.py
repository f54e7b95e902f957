"""The computer of an earlier revision as a player of the ladder: its own code, rules and all, in a process of its own.

What is played is told to it command by command, as a record would: so that it can be as old as the bouts are, whatever
has become of states and planners since. It must come to the same end, or the fight is refused as one that proves
nothing.

    python -m tests.bench.ladder --only shipping:earlier
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import msgspec

from rules.contract.actions import Action, Decision
from rules.contract.display import System
from rules.contract.ruleset import LegalActions, State
from rules.contract.text import as_builtins

REVISION = "e3fb83bc"
"""The last one before the computer looked ahead, was tuned and played as a band: its planner is that of 0.2.0."""
ROOT = Path(__file__).parents[2]
PARTS = ("game", "rules", "assets", "maps", "tests", "docs/rules", "pyproject.toml")
"""What an earlier computer needs of its revision."""


@runtime_checkable
class Follower(Protocol):
    """A player that has to be told how the fight begins and all that is done in it."""

    def begin(self, bout: Sequence[Any]) -> None: ...

    def follow(self, action: Action) -> None: ...

    def end(self, winner: str | None) -> None: ...


class Earlier:
    """Plays as the computer of an earlier revision did."""

    def __init__(self, revision: str = REVISION) -> None:
        self._server = _server(revision)
        self._fight = next(self._server.numbers)

    def begin(self, bout: Sequence[Any]) -> None:
        """Have the fight begun there as well."""
        self._server.ask("begin", self._fight, list(bout))

    def choose(self, ruleset: System, state: State, decision: Decision, legal: LegalActions) -> Action:
        """What that computer does; it knows the position, so that only the answer is looked at."""
        action = msgspec.convert(self._server.ask("choose", self._fight, decision.by), Action)
        if action not in legal:
            raise ValueError(f"earlier computer: {action} is not legal any more, so these fights can't be compared")
        return action

    def follow(self, action: Action) -> None:
        """Have it done there as well."""
        self._server.ask("apply", self._fight, as_builtins(action))

    def end(self, winner: str | None) -> None:
        """Raises ValueError if the fight ended otherwise there."""
        there = self._server.ask("end", self._fight)
        if there != winner:
            raise ValueError(f"earlier computer: the fight ended with {there!r} there, and here with {winner!r}")


class Server:
    """The process; one line of JSON is asked, one answered."""

    def __init__(self, tree: Path) -> None:
        self.numbers = count()
        environment = {**os.environ, "PYTHONPATH": str(tree)}
        command = [sys.executable, "-P", str(Path(__file__).with_name("earlier_server.py"))]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=tree, env=environment
        )

    def ask(self, *question: Any) -> Any:
        """Raises ValueError with what was said where the process fails."""
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None and answers is not None
        requests.write(json.dumps(question) + "\n")
        requests.flush()
        line = answers.readline()
        if not line:
            raise ValueError(f"earlier computer: no answer to {question}")
        answer = json.loads(line)
        if "wrong" in answer:
            raise ValueError(f"earlier computer: {answer['wrong']}, asked for {question}")
        return answer["answer"]


@lru_cache(maxsize=2)
def _server(revision: str) -> Server:
    return Server(tree(revision))


def known(revision: str = REVISION) -> bool:
    """Whether this checkout's history reaches back to a revision."""
    found = subprocess.run(["git", "cat-file", "-e", f"{revision}^{{commit}}"], cwd=ROOT, capture_output=True)
    return found.returncode == 0


def tree(revision: str, folder: Path = ROOT / "build" / "earlier") -> Path:
    """A folder with what stood in a revision, laid out once. Raises ValueError if the history doesn't know it."""
    place = folder / revision
    if not place.exists():
        if not known(revision):
            raise ValueError(f"earlier computer: this checkout's history has no {revision}; fetch all of it")
        packed = subprocess.run(["git", "archive", revision, *PARTS], cwd=ROOT, capture_output=True, check=True).stdout
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            whole = Path(scratch) / "tree"
            with tarfile.open(fileobj=BytesIO(packed)) as archive:
                archive.extractall(whole, filter="data")
            try:
                whole.rename(place)
            except OSError:  # somebody else was quicker
                if not place.exists():
                    raise
    return place

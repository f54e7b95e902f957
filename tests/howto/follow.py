"""Does what a page of docs/how-to says, in a copy of the program.

A block of a page that belongs into a file has a note above it, which readers of the page don't see:

    <!-- rules/olde/conditions.py, before "SUBMERGED = " -->

`new`: a file of its own; `end`: at the end of the file; `before "…"`: above the first line that begins so;
`in place of "…"`: instead of these words, which stand in the file once. A page's last step is its test.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("rules", "game", "assets", "tests/conftest.py", "tests/rules", "docs/rules", "pyproject.toml")
_STEP = re.compile(r'<!-- ([\w./-]+), (new|end|before|in place of)(?: "([^\n]+)")? -->\n+```\w*\n(.*?)```', re.DOTALL)


class Step(NamedTuple):
    """One block of a page: into which file, how, and where."""

    path: str
    how: str
    anchor: str
    text: str


def steps(page: Path) -> list[Step]:
    """The steps of a page, in order."""
    return [Step(*found.groups(default="")) for found in _STEP.finditer(page.read_text(encoding="utf-8"))]


def copied(folder: Path) -> Path:
    """A copy of the program, as far as the pages go, in a folder: what Python has compiled of it is not made again.

    Nothing there is written into, so a link does for each of two thousand files where the system has such.
    """
    for part in PARTS:
        there = folder / part
        if (source := ROOT / part).is_file():
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, there)
        else:
            # neither what another program is compiling just now nor hundreds of fights that no page asks for
            left_out = shutil.ignore_patterns("*.pyc.*", "records")
            shutil.copytree(source, there, ignore=left_out, copy_function=_linked)
    return folder


def _linked(source: str, there: str) -> None:
    try:
        os.link(source, there)
    except OSError:  # on another disk, or under a system without links
        shutil.copy2(source, there)


def take(step: Step, folder: Path) -> None:
    """Take a step in a copy of the program. Raises AssertionError where the page and the program disagree."""
    path = folder / step.path
    if step.how == "new":
        assert not path.exists(), f"{step.path} is there already"
        path.write_text(step.text, encoding="utf-8")
        return
    assert path.exists(), f"there is no {step.path}"
    text = path.read_text(encoding="utf-8")
    path.unlink()  # it may be the program's own, by a link
    path.write_text(_changed(text, step), encoding="utf-8")


def _changed(text: str, step: Step) -> str:
    if step.how == "end":
        return f"{text.rstrip()}\n\n\n{step.text}"
    if step.how == "in place of":
        times = text.count(step.anchor)
        assert times == 1, f"{step.path}: {step.anchor!r} stands there {times} times"
        return text.replace(step.anchor, step.text.rstrip("\n"))
    at = 0 if text.startswith(step.anchor) else text.find(f"\n{step.anchor}") + 1
    assert at or text.startswith(step.anchor), f"{step.path}: no line begins with {step.anchor!r}"
    return f"{text[:at]}{step.text}{text[at:]}"


def tried(folder: Path, tests: list[str]) -> str:
    """What the tests of a page say in the copy; empty if they pass."""
    done = _run(folder, tests)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def failing(folder: Path, tests: list[str]) -> set[str]:
    """Which of these files of tests fail in the copy, or cannot even be read."""
    said = _run(folder, ["--tb=no", "-rfE", "--continue-on-collection-errors", *tests]).stdout
    return {path for path in tests if re.search(rf"^(FAILED|ERROR) {re.escape(path)}\b", said, re.MULTILINE)}


def _run(folder: Path, arguments: list[str]) -> subprocess.CompletedProcess[str]:
    own = ["-n", "0", "-p", "no:cacheprovider", "--basetemp", "passing"]
    run = [sys.executable, "-m", "pytest", "-q", *own, *arguments]
    return subprocess.run(run, cwd=folder, capture_output=True, text=True, timeout=100, check=False)

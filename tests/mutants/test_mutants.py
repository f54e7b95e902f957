"""The tool itself: it makes the errors it says, leaves words alone, and tells a killed mutant from one that lives."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutants.__main__ import ROOT, gone, report, sample
from tests.mutants.covering import Known, Layout, moved
from tests.mutants.operators import Mutant, mutants, mutated
from tests.mutants.trying import Fate, Verdict

SUMS = '''
"""Sums."""


def fits(length: int, room: int | None = 3) -> bool:
    """Whether it fits: 5 < 6."""
    return length <= room


def alone(n: int) -> int:
    return n + 1


def unused(n: int) -> None:
    raise ValueError(f"{n + 1}")
'''
TESTS = """
from pack.sums import alone, fits


def test_what_is_too_long_does_not_fit():
    assert not fits(9) and fits(2)


def test_somebody_is_asked():
    alone(3)
"""


ATTEMPT = """
import pathlib
from tests.mutants.covering import Layout, Known
from tests.mutants.operators import mutants
from tests.mutants.trying import attempt
import hypothesis
hypothesis.settings.register_profile("mutants")
layout = Layout(pathlib.Path({root!r}), ".", (".",))
one = mutants(layout.read("sums.py"), "sums.py")[0]
for budget in (0.0, 60.0):
    print(attempt(layout, one, {tests!r}, [], budget, "").fate.value)
"""


def changes(body: str) -> set[str]:
    """What is made of a function of one line, as it then reads."""
    return {f"{m.old} -> {m.new}" for m in mutants(f"def f(a, b):\n    {body}\n", "f.py")}


@pytest.mark.parametrize(
    "body, made",
    [
        ("b = a < 4", {"a < 4 -> a <= 4", "a < 4 -> a >= 4", "4 -> 5", "4 -> 3"}),
        ("b.x = a or b", {"b.x = a or b -> pass", "a or b -> a and b"}),
        ("b = [each for each in a if each]", {"each -> True", "each -> False"}),
        ("b = a[:b]", {":b -> :"}),
        ("b = max(-a)", {"max -> min", "-a -> a"}),
        ("return not a", {"return not a -> return None", "not a -> a"}),
        ("b.append('x' f'{a + 1}')", {"b.append(f'x{a + 1}') -> pass"}),
        ("b = text('{n} left', n=a + 1)", set()),
        ("b: int | None = None", set()),
        ("raise ValueError(a + 1)", {"raise ValueError(a + 1) -> pass"}),
        ("raise NotImplementedError", set()),
    ],
)
def test_errors_are_the_usual_ones_and_none_is_of_wording(body: str, made: set[str]) -> None:
    assert changes(body) == made


def test_a_mutant_is_the_module_with_that_one_error() -> None:
    wanted = next(m for m in mutants(SUMS, "sums.py") if m.new == "length < room")
    space: dict[str, object] = {}
    exec(compile(mutated(SUMS, wanted.number), "sums.py", "exec"), space)
    assert space["fits"](3, 3) is False and space["alone"](1) == 2  # type: ignore[operator]


def test_what_changes_elsewhere_leaves_the_sample_as_it_was(tmp_path: Path) -> None:
    layout = Layout(tmp_path, "pack", ())
    (tmp_path / "pack").mkdir()
    place = tmp_path / "pack" / "sums.py"
    place.write_text(SUMS, encoding="utf-8")
    before = [mutant.key for mutant in sample(layout, 9, 1, "")]
    place.write_text(SUMS.replace("\n\n\n", "\n\n\nONE = 1\n\n\n", 1), encoding="utf-8")
    assert [mutant.key for mutant in sample(layout, 9, 1, "")] == before
    assert [mutant.key for mutant in sample(layout, 9, 2, "")] != before


def test_who_ran_a_line_runs_it_where_it_is_now_and_what_is_new_below_it() -> None:
    assert moved("a\nb\nc\nd", "new\na\nb\nnew\nd") == {1: [1, 2], 2: [3, 4], 4: [5]}
    assert moved("a\nb", "") == {1: []}


def test_a_mutant_that_tests_notice_is_killed_and_others_are_listed(tmp_path: Path) -> None:
    for name, text in (("pack/sums.py", SUMS), ("trial/test_sums.py", TESTS)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "tests.mutants", "--root", str(tmp_path), "--source", "pack", "--tests", "trial"]
        + ["--jobs", "1"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(tmp_path)))},
        capture_output=True,
        text=True,
    )
    lived = [line for line in done.stdout.splitlines() if line.startswith(("survived", "unreached"))]
    assert lived == ["survived, 2 tests: pack/sums.py:11 alone", "unreached, 0 tests: pack/sums.py:15 unused"], (
        done.stderr
    )
    assert "1 of 3 killed" in done.stdout
    assert done.returncode == 1


def test_who_outlives_the_budget_survives(tmp_path: Path) -> None:
    (tmp_path / "test_long.py").write_text(
        "def test_a():\n    sum(range(1000000))\n\ndef test_b():\n    assert False\n", encoding="utf-8"
    )
    (tmp_path / "sums.py").write_text(SUMS, encoding="utf-8")
    tests = [Known(f"test_long.py::test_{name}", 0.1, {}) for name in "ab"]
    done = subprocess.run(
        [sys.executable, "-c", ATTEMPT.format(root=str(tmp_path), tests=tests)],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout.split() == ["survived", "killed"], done.stderr


def test_who_was_judged_to_be_no_error_is_told_with_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    mutant = Mutant("rules/x.py", "f", "figure", "return 1", "1", "2", 1, 3, 3, 0)
    known = {("rules/x.py f", "return 1", "1 -> 2"): "nobody looks"}
    assert report([Verdict(mutant, Fate.SURVIVED), Verdict(mutant, Fate.TIME_OUT, "t")], known, 1) == 1
    said = capsys.readouterr().out
    assert "the same: nobody looks" in said
    assert "1 of 2 killed" in said


def test_a_judgement_of_which_the_line_is_gone_is_told(tmp_path: Path) -> None:
    (tmp_path / "sums.py").write_text(SUMS, encoding="utf-8")
    there, other = ("sums.py alone", "return n + 1", "1 -> 2"), ("sums.py alone", "return n + 2", "2 -> 3")
    assert gone(Layout(tmp_path, ".", ()), {there: "", other: ""}) == [other]

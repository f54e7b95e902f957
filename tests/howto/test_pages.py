"""Every page of docs/how-to with steps is followed from scratch, and what it makes passes the page's own test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.howto.follow import ROOT, Step, _changed, copied, failing, steps, take, tried

PAGES = [page for page in sorted((ROOT / "docs" / "how-to").glob("*.md")) if steps(page)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_followed_step_by_step_makes_what_it_says(page: Path, tmp_path: Path) -> None:
    folder = copied(tmp_path)
    for step in steps(page):
        take(step, folder)
    *_, last = steps(page)
    assert last.how == "new" and last.path.startswith("tests/"), "the last step of a page is its test"
    failed = tried(folder, [last.path])
    assert not failed, failed


def test_the_test_of_each_page_fails_without_its_other_steps(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    tests = [steps(page)[-1] for page in PAGES]
    for test in tests:
        take(test, folder)
    paths = [test.path for test in tests]
    assert len(set(paths)) == len(PAGES)
    assert failing(folder, paths) == set(paths)


def test_a_page_that_the_program_has_left_behind_is_found_out() -> None:
    gone = Step("rules/x.py", "before", "no such line", "text\n")
    with pytest.raises(AssertionError, match="no line begins with"):
        _changed("some line\n", gone)
    with pytest.raises(AssertionError, match="stands there 2 times"):
        _changed("word word\n", gone._replace(how="in place of", anchor="word"))

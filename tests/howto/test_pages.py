"""Every page of docs/how-to with steps is followed from scratch, and what it makes passes the page's own test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.howto.follow import ROOT, Step, _changed, copied, steps, take, tried

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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_test_of_a_page_fails_without_its_other_steps(page: Path, tmp_path: Path) -> None:
    folder = copied(tmp_path)
    *_, last = steps(page)
    take(last, folder)
    assert tried(folder, [last.path])


def test_a_page_that_the_program_has_left_behind_is_found_out() -> None:
    gone = Step("rules/x.py", "before", "no such line", "text\n")
    with pytest.raises(AssertionError, match="no line begins with"):
        _changed("some line\n", gone)
    with pytest.raises(AssertionError, match="stands there 2 times"):
        _changed("word word\n", gone._replace(how="in place of", anchor="word"))

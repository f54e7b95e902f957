"""Every picture of README and docs is taken from a record of the repository, so that none is of an older program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from game.content import encounter
from game.fight.match import load_fight
from tests.pictures.drawing import FOLDER, PICTURES, SIZE, drawn
from tests.pictures.playing import MOMENTS, RECORDS

ROOT = Path(__file__).resolve().parent.parent


def shown() -> set[str]:
    """Names of the pictures that the pages show."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return {name for page in pages for name in re.findall(r"pictures/(\w+)\.png", page.read_text(encoding="utf-8"))}


def test_every_picture_that_a_page_shows_can_be_taken_anew_and_no_other_is_kept() -> None:
    assert shown() == set(PICTURES) == {path.stem for path in FOLDER.glob("*.png")}


@pytest.mark.parametrize("name", MOMENTS)
def test_a_hero_decides_where_the_record_of_a_picture_ends(name: str) -> None:
    match = load_fight(RECORDS / f"{name}.json")
    assert match.history.length
    assert match.decision is not None and match.decision.side == encounter.HEROES


def test_no_record_is_kept_that_no_picture_needs() -> None:
    assert {path.stem for path in RECORDS.glob("*.json")} == set(MOMENTS)


@pytest.mark.parametrize("name", ["board", "cairn"])
def test_a_picture_is_taken_of_the_window_as_it_is(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATTLEMAT_HOME", str(tmp_path))
    picture = drawn(name)
    assert picture.get_size() == SIZE
    assert len({tuple(picture.get_at((x, y))) for x in range(0, SIZE[0], 16) for y in range(0, SIZE[1], 16)}) > 200

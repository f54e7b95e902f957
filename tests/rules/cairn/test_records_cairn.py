"""A record with scripted dice for each rule of §2 and each row of the scar table, and the story that it must tell.

`BATTLEMAT_AGREE=1 pytest tests/rules/cairn/test_records_cairn.py` writes the .told files anew; read the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from game import storage
from game.match import Match
from rules.record import Replayed
from rules.registry import ruleset

FILES = sorted((Path(__file__).parent / "records").glob("*.json"))
SECTIONS = {f"2.{number:02}" for number in range(1, 14)}
ROWS = {f"scar_{row:02}" for row in range(1, 13)}


def test_every_rule_of_section_two_and_every_scar_has_a_record() -> None:
    names = [path.stem for path in FILES]
    assert {name.split("_")[0] for name in names if name.startswith("2.")} == SECTIONS
    assert {name for name in names if name.startswith("scar")} == ROWS


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_record_tells_what_was_agreed_and_uses_all_its_dice(path: Path) -> None:
    record = storage.read_record(path)
    rules, lines = ruleset(record.ruleset), list[str]()

    def watch(stretch: Replayed) -> None:
        lines.extend(rules.tell(stretch.step.state, event) for event in stretch.step.events)

    match = Match.from_record(record, strict_throws=True, watch=watch)
    assert match.state.throw_at == len(record.throws or ())
    story = [line for line in lines if line]
    agreed = path.with_suffix(".told")
    if os.environ.get("BATTLEMAT_AGREE"):
        agreed.write_text("\n".join(story) + "\n", encoding="utf-8")
    assert story == agreed.read_text(encoding="utf-8").splitlines()

"""A record with scripted dice for each rule of §2 and each row of the scar table, and the story that it must tell.

`BATTLEMAT_AGREE=1 pytest tests/rules/cairn/test_records_cairn.py` writes the .told files anew; read the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from game.fight.match import Match
from game.storage import records as storage
from rules.core.record import Replayed
from rules.core.registry import ruleset

FILES = sorted((Path(__file__).parent / "records").glob("*.json"))
LINES = {
    "2.01": "save_natural_one save_natural_twenty",
    "2.02": (
        "attack_always_hits blast daring daring_failed enhanced_helpless impaired_and_enhanced "
        "impaired_by_cover two_weapons unarmed"
    ),
    "2.03": "blast_joins pool tie",
    "2.04": "critical_damage foe_at_nought foe_killed new_clock nothing_through rider strength_nought wounded",
    "2.05": "direct prone",
    "2.06": "bandage mortal_wound still_out",
    "2.07": "crawling move_and_dash standing_up",
    "2.08": "retreat unwatched",
    "2.09": "far_shot",
    "2.10": "book fizzle full_pack natural_twenty relic scroll scroll_fizzle shield",
    "2.11": "band first_casualty_and_half flight half leader lone_foe mindless",
    "2.12": (
        "draw grip_and_breaking_free grip_loosens hazard help helpless maw pick_up ready ready_acts ready_own_half "
        "search shove trap trip trip_failed"
    ),
    "2.13": "between_detachments destroyed detachment routed",
}
"""Section of §2 -> the records that hold its lines: each modifier, rung of the ladder, trigger and action."""
ROWS = {f"scar_{row:02}" for row in range(1, 13)}


def test_every_rule_of_section_two_and_every_scar_has_a_record() -> None:
    names = [path.stem for path in FILES]
    assert list(LINES) == [f"2.{number:02}" for number in range(1, 14)]
    wanted = {f"{section}_{line}" for section, told in LINES.items() for line in told.split()}
    assert {name for name in names if name.startswith("2.")} == wanted
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

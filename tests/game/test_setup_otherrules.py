"""A table under other rules: what cannot come along is said, and every ruleset's blocks are there on the way back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from game.forecast.matching import trials_under
from game.setup import draft as drafts
from game.setup import files, otherrules
from game.setup.draft import Draft
from game.setup.editor import Editor
from rules.board.grid import Field
from rules.contract.units import Cell
from rules.core import record as records
from rules.core.registry import RULESETS

ROWS = ["############", "#..........#", "#..........#", "############"]


def goblin(**more: Any) -> dict[str, Any]:
    return {"id": "grak", "template": "goblin", "name": "Grak", "side": "monsters", "controller": "ai", "at": [8, 2],
            **more}  # fmt: skip


def warrior() -> dict[str, Any]:
    return {"id": "w", "template": "warrior", "side": "heroes", "controller": "human", "at": [1, 1]}


def table(*creatures: dict[str, Any], **more: Any) -> Editor:
    said = {"format": "battlemat/1", "ruleset": "olde", "map": {"rows": ROWS}, "creatures": list(creatures), **more}
    return Editor(drafts.from_record(records.read(said)), Field.from_rows(ROWS))


def entry(draft: Draft) -> dict[str, Any]:
    return dict(draft.pieces[0].entry)


EDITED = goblin(asleep=True, brawn=9, weapons=["broadsword"], hp=4, posture="prone")


def test_what_cannot_come_along_is_said_in_words_creature_by_creature() -> None:
    (loss,) = otherrules.losses(table(EDITED).draft, "cairn")
    assert (loss.name, loss.becomes) == ("Grak", "Goblin")
    assert loss.left == ("Brawn 9", "Weapons: Broadsword")


def test_who_sleeps_is_off_guard_and_who_lies_wounded_lies_wounded() -> None:
    made = entry(otherrules.under(table(EDITED).draft, "cairn"))
    assert made["surprised"] is True and made["posture"] == "prone"
    assert made["hp"] == 1, "4 of 11 hit points are 1 of 4"
    assert entry(otherrules.under(table(EDITED).draft, "countup"))["hp"] == 6, "4 of 11 are 6 of 18"


def test_coming_back_restores_every_edit_and_keeps_what_was_changed_for_all_rules() -> None:
    there = table(EDITED, options={"gm": True, "fog": True})
    away = Editor(otherrules.under(there.draft, "countup"), there.ground)
    away.move([1], -2, 0)
    away.set_field("name", "Boss", keys=[1])
    away.set_field("damage", 3, keys=[1])
    away.set_whole("options", options={})
    back = otherrules.under(away.draft, "olde")
    assert entry(back) == {**EDITED, "at": [6, 2], "name": "Boss"}
    assert back.options == {"gm": True}
    again = otherrules.under(back, "countup")
    assert entry(again)["damage"] == 3 and entry(again)["at"] == [6, 2]
    assert otherrules.losses(back, "countup") == []


def test_the_way_round_through_all_rulesets_loses_nothing() -> None:
    first = table(EDITED).draft
    draft = otherrules.under(first, "cairn")
    draft = otherrules.under(draft, "countup")
    draft = drafts.moved(draft, [1], -1, 0)
    draft = otherrules.under(draft, "olde")
    assert entry(draft) == {**EDITED, "at": [7, 2]}


def test_whoever_was_made_into_somebody_else_there_is_not_what_they_were() -> None:
    there = otherrules.under(table(EDITED).draft, "cairn")
    there = drafts.field_set(there, [1], "template", "ogre", {})
    assert entry(otherrules.under(there, "olde"))["template"] == "ogre"


def test_each_switch_is_a_step_that_undo_takes_back_with_all_that_is_remembered() -> None:
    there = table(EDITED)
    there.change(otherrules.under(there.draft, "cairn"), "other rules")
    there.undo()
    assert entry(there.draft) == EDITED and there.draft.elsewhere == {}


@pytest.mark.parametrize("goal", [name for name in RULESETS if name != "olde"])
def test_a_block_of_its_own_is_said_as_a_whole(goal: str) -> None:
    own = goblin(brawn=5, finesse=5, savvy=3, nerve=4)
    del own["template"]
    (loss,) = otherrules.losses(table(own).draft, goal)
    assert loss.left == ("a stat block of its own",)


def test_optional_rules_that_others_do_not_know_are_named() -> None:
    assert otherrules.options_lost(table(EDITED, options={"advanced": False, "fog": True}).draft, "cairn") == [
        "Advanced moves and actions"
    ]


def test_hiding_is_lying_in_wait_where_there_is_a_rule_for_it() -> None:
    hidden = table(goblin(hidden=True)).draft
    assert entry(otherrules.under(hidden, "countup"))["stealth"] == "hidden"
    (loss,) = otherrules.losses(hidden, "cairn")
    assert loss.left == ("Hidden",)


def test_what_only_repeats_the_bestiary_is_no_loss() -> None:
    assert otherrules.losses(table(goblin(brawn=6)).draft, "cairn") == []


# -- how many come --------------------------------------------------------------------------------------------

PARTY = [{**warrior(), "id": name, "at": [1, row]} for name, row in (("w", 1), ("v", 2))]
BAND = [goblin(id=f"g{n}", template="skeleton", name=f"Grak {n}", at=[3 + n, 1]) for n in range(6)]


def names(draft: Draft) -> list[str]:
    return [piece.id for piece in draft.pieces]


def test_who_stays_behind_is_named_before_and_back_where_everybody_stood_after(tmp_path: Path) -> None:
    there = table(*PARTY, *BAND).draft
    count = otherrules.count(there, "countup")
    away = otherrules.under(there, "countup")
    assert count.stay and not count.joined
    assert {f"Grak {name[1:]}" for name in {*names(there)} - {*names(away)}} == set(count.stay)
    assert otherrules.count(away, "olde") == ((), ()), "what it was is known"
    assert [dict(p.entry) for p in otherrules.under(away, "olde").pieces] == [dict(p.entry) for p in there.pieces]


def test_who_rests_and_who_joined_outlive_the_window_and_keep_their_ids_beside_newcomers() -> None:
    there = table(*PARTY, *BAND).draft
    away = otherrules.under(there, "countup")
    missing = next(name for name in names(there) if name not in names(away))
    away = drafts.added(away, {**BAND[0], "id": missing, "name": "New"}, "New", (9, 2))
    files.draft_path().unlink(missing_ok=True)
    files.keep(away)
    kept = files.kept()
    assert kept is not None and len(kept.resting) == len(away.resting)
    back = otherrules.under(kept, "olde")
    assert len({*names(back)}) == len(back.pieces) == len(there.pieces) + 1
    assert otherrules.under(back, "countup").resting == kept.resting, "and they rest there again"


def test_who_joins_other_rules_stands_on_ground_of_its_own_and_is_gone_on_the_way_back() -> None:
    heavy = [goblin(id="g", threat=20), *PARTY]
    there = table(*heavy)
    count = otherrules.count(there.draft, "countup")
    away = otherrules.under(there.draft, "countup", there.ground)
    assert len(count.joined) == len(away.joined) == 2 and not count.stay
    spots = [piece.spot for piece in away.pieces]
    assert len({*spots}) == len(spots)
    back = otherrules.under(away, "olde")
    assert names(back) == ["g", "w", "v"] and back.joined == frozenset()
    again = otherrules.under(back, "countup", there.ground)
    assert names(again) == names(away) and again.joined == away.joined


def test_who_joins_beside_one_on_a_start_space_comes_onto_a_start_space() -> None:
    there = table(goblin(id="g", threat=20), *PARTY)
    assert there.ground is not None
    width, height = there.ground.width, there.ground.height
    home = there.ground.cell(*there.draft.pieces[0].spot)
    taken = {there.ground.cell(*piece.spot) for piece in there.draft.pieces}
    far = [c for c in range(width * height) if there.ground.terrain().fits(Cell(c)) and c not in taken][-3:]
    away = otherrules.under(there.draft, "countup", there.ground, {"monsters": (home, *far)})
    joined = {there.ground.cell(*p.spot) for p in away.pieces if p.key in away.joined}
    assert len(joined) == 2 and joined <= {*far}
    elsewhere = otherrules.under(there.draft, "countup", there.ground, {"monsters": far})
    near = {there.ground.cell(*p.spot) for p in elsewhere.pieces if p.key in elsewhere.joined}
    assert len(near) == 2 and not near & {*far}, "whoever was put elsewhere has them next to it"


def test_who_was_put_down_under_other_rules_comes_back_along() -> None:
    away = otherrules.under(table(*PARTY, *BAND).draft, "countup")
    away = drafts.added(away, goblin(id="late", name="Late"), "Late", (9, 2))
    assert "late" in names(otherrules.under(away, "olde"))


# -- on disk ------------------------------------------------------------------------------------------------


def test_what_is_remembered_outlives_the_window() -> None:
    files.draft_path().unlink(missing_ok=True)
    files.keep(otherrules.under(table(EDITED, warrior()).draft, "cairn"))
    kept = files.kept()
    assert kept is not None and entry(otherrules.under(kept, "olde")) == EDITED
    files.keep(table(EDITED, warrior()).draft)
    fresh = files.kept()
    assert fresh is not None and fresh.elsewhere == {}


def test_an_export_leaves_one_file(tmp_path: Path) -> None:
    files.save(otherrules.under(table(EDITED, warrior()).draft, "cairn"), tmp_path / "band.json")
    assert [path.name for path in tmp_path.iterdir()] == ["band.json"]


@pytest.mark.parametrize(
    "said", ["", "{", "[]", '{"format": "battlemat-elsewhere/1", "ruleset": "cairn", "rulesets": [1], "arrived": 3}',
             '{"format": "battlemat-elsewhere/1", "ruleset": "cairn", "rulesets": {"chess": {}, "olde": 4}}'],
)  # fmt: skip
def test_a_broken_memory_never_hides_the_table(said: str) -> None:
    path = files.encounters_folder() / "broken" / "band.json"
    files.save(otherrules.under(table(EDITED, warrior()).draft, "cairn"), path)
    path.with_suffix(".rulesets").write_text(said)
    draft, _ = files.load(path)
    assert draft.ruleset == "cairn" and otherrules.under(draft, "olde").ruleset == "olde"


# -- comparing ----------------------------------------------------------------------------------------------


def test_a_comparison_takes_the_blocks_that_were_made_for_the_other_rules_and_says_what_it_leaves_out() -> None:
    there = otherrules.under(table(EDITED, warrior()).draft, "countup")
    there = drafts.field_set(there, [1], "damage", 3, {})
    draft = otherrules.under(there, "olde")
    record, known = drafts.to_record(draft), otherrules.known_elsewhere(draft)
    trials = trials_under(record, ["olde", "countup", "cairn"], known=known)
    made = [trial.record.creatures[0] for trial in trials]
    assert made[1]["damage"] == 3 and made[1]["surprised"] is True
    assert made[2]["surprised"] is True and made[2]["hp"] == 1
    assert otherrules.left_out(record, "countup", known) == []
    assert otherrules.left_out(record, "cairn", known) == ["Grak: Brawn 9, Weapons: Broadsword"]

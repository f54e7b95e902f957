"""An encounter as a draft: every change and its way back, the record it comes from and becomes, and what is wrong."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from game.content import encounter
from game.content.tables import heroes, monsters
from game.fight.match import Match
from game.setup import check, files, forms, otherrules, trial
from game.setup import draft as drafts
from game.setup.draft import UNSET, Draft
from game.setup.editor import Editor
from game.storage import records as storage
from rules.board.fixtures import Challenge
from rules.board.grid import Field
from rules.contract.errors import BattlematError, RecordError
from rules.core import record as records
from rules.core.registry import ruleset

ROWS = ["############", "#..........#", "#....#.....+", "#..........#", "#..........#", "############"]


def record(**more: Any) -> dict[str, Any]:
    return {
        "format": "battlemat/1", "ruleset": "olde", "options": {"gm": True}, "map": {"rows": ROWS}, "seed": 7,
        "title": "Two by the pillar", "creatures": [
            {"id": "warrior", "template": "warrior", "side": "heroes", "controller": "human", "at": [2, 2]},
            {"id": "gob", "side": "monsters", "at": [8, 3], "controller": "ai", "brawn": 5, "finesse": 5, "savvy": 3,
             "nerve": 4, "size": "small", "weapons": ["baton"], "surprised": True},
        ],
        "commands": [], **more,
    }  # fmt: skip


def editor(**more: Any) -> Editor:
    draft = drafts.from_record(records.read(record(**more)))
    return Editor(draft, Field.from_rows(ROWS))


def key_of(there: Editor, identity: str) -> int:
    return next(piece.key for piece in there.draft.pieces if piece.id == identity)


def entry_of(there: Editor, identity: str) -> dict[str, Any]:
    return dict(next(piece.entry for piece in there.draft.pieces if piece.id == identity))


def texts(there: Editor) -> list[str]:
    return [each.text for each in there.problems() if each.block]


# -- records --------------------------------------------------------------------------------------------


def test_a_record_comes_out_of_the_editor_as_it_went_in() -> None:
    said = record(throws=[6, None, 3], map={"rows": ROWS, "doors": {"door 11,2": "locked"}})
    before = records.document(records.read(copy.deepcopy(said)))
    after = records.document(drafts.to_record(drafts.from_record(records.read(said))))
    assert after == before
    assert list(after["creatures"][0]) == list(said["creatures"][0]), "the order of a creature's fields is kept"


@pytest.mark.parametrize("name", ["crypt", "goblin_warren", "ruined_bridge", "tavern"])
def test_the_computers_own_encounters_pass_through_unchanged(name: str) -> None:
    said = encounter.surprise(name, None, 11)
    draft = drafts.from_record(records.read(said))
    assert drafts.document(draft)["creatures"] == said["creatures"]
    ground, _ = files.ground_of(draft, None)
    assert texts(Editor(draft, ground)) == []


def test_a_saved_fight_is_edited_from_its_start() -> None:
    fight = Match.from_record(record(options={}))
    decision = fight.decision
    assert decision is not None
    fight.act(decision, next(iter(fight.legal(decision))))
    draft = drafts.from_record(fight.record)
    assert drafts.document(draft)["commands"] == [] and draft.throws is None


def test_what_is_saved_is_read_again_and_plays(tmp_path: Path) -> None:
    there = editor()
    files.save(there.draft, tmp_path / "pillar.json")
    again, commands = files.load(tmp_path / "pillar.json")
    assert (drafts.document(again), commands) == (drafts.document(there.draft), 0)
    assert Match.from_record(storage.read_record(tmp_path / "pillar.json")).decision is not None


def test_nobody_on_the_table_is_no_record() -> None:
    there = editor()
    there.select(piece.key for piece in there.draft.pieces)
    there.remove()
    with pytest.raises(RecordError, match="at least one creature"):
        drafts.to_record(there.draft)


def test_a_name_is_kept_in_the_encounters_folder_and_a_path_where_it_says(tmp_path: Path) -> None:
    assert files.target("The Old Mill!") == files.encounters_folder() / "the-old-mill.json"
    assert files.target("mill.json") == files.encounters_folder() / "mill.json"
    assert files.target(f"{tmp_path}/mill") == tmp_path / "mill.json"


def test_the_draft_in_progress_outlives_the_window() -> None:
    there = editor()
    files.keep(there.draft)
    kept = files.kept()
    assert kept is not None and drafts.document(kept) == drafts.document(there.draft)
    files.draft_path().write_text("{", encoding="utf-8")
    assert files.kept() is None
    files.draft_path().unlink()


# -- changes and their way back ---------------------------------------------------------------------------


def test_a_creature_of_the_bestiary_is_its_template_and_a_place() -> None:
    there = editor()
    assert there.place("goblin", "monsters", (4, 1)) == ""
    assert entry_of(there, "goblin") == {
        "id": "goblin", "template": "goblin", "side": "monsters", "controller": "ai", "at": [4, 1],
    }  # fmt: skip


def test_a_second_of_a_kind_gets_a_number_in_id_and_name() -> None:
    there = editor()
    for column in (4, 6, 7):
        there.place("goblin", "monsters", (column, 1))
    assert [p.id for p in there.draft.pieces[2:]] == ["goblin", "goblin_2", "goblin_3"]
    assert entry_of(there, "goblin_3")["name"] == "Goblin 3" and "name" not in entry_of(there, "goblin")


@pytest.mark.parametrize(("spot", "why"), [((0, 0), "wall"), ((2, 2), "Hedda Brandt"), ((40, 1), "off the map")])
def test_nobody_is_put_where_there_is_no_room(spot: tuple[int, int], why: str) -> None:
    there = editor()
    before = there.draft
    assert why in there.place("goblin", "monsters", spot)
    assert there.draft is before and not there.undoes


def test_a_large_creature_needs_all_of_its_spaces() -> None:
    there = editor()
    ogre = there.entry_for("ogre", "monsters")
    assert there.size_of(ogre) == 2
    assert "2 × 2" in there.place("ogre", "monsters", (4, 1)), "the pillar is in its lower right space"
    assert there.place("ogre", "monsters", (6, 1)) == ""
    assert there.table.at((7, 2)) == key_of(there, "ogre")


def test_moved_together_they_keep_their_formation_and_may_pass_through_each_other() -> None:
    there = editor()
    there.select(p.key for p in there.draft.pieces)
    there.move(there.selection, -1, 1)
    assert [p.spot for p in there.draft.pieces] == [(1, 3), (7, 4)]
    there.move([key_of(there, "gob")], -6, -1)
    assert texts(there) == [], "enemies in one space stand hand to hand, as the rules allow"
    assert any("hand to hand" in each.text for each in there.problems())


def test_copies_stand_in_the_nearest_room_with_names_of_their_own() -> None:
    there = editor()
    there.select([key_of(there, "gob")])
    assert there.copy() == 1 and there.paste((8, 3)) == 1
    (copied,) = there.chosen()
    assert copied.id == "gob_2" and copied.spot is not None
    assert max(abs(copied.spot[0] - 8), abs(copied.spot[1] - 3)) == 1
    assert {k: v for k, v in copied.entry.items() if k not in ("id", "at", "name")} == {
        k: v for k, v in entry_of(there, "gob").items() if k not in ("id", "at", "name")
    }


def test_a_group_is_copied_in_its_formation() -> None:
    there = editor()
    there.place("goblin", "monsters", (8, 4))
    there.select([key_of(there, "gob"), key_of(there, "goblin")])
    there.copy()
    there.paste((3, 3))
    spots = [p.spot for p in there.chosen()]
    assert spots == [(3, 3), (3, 4)]


def test_undo_and_redo_walk_through_every_state() -> None:
    there = editor()
    states = [there.draft]
    there.place("goblin", "monsters", (4, 1))
    states.append(there.draft)
    there.select([key_of(there, "goblin")])
    there.move(there.selection, 2, 0)
    states.append(there.draft)
    there.set_field("brawn", 9)
    states.append(there.draft)
    there.remove()
    states.append(there.draft)
    for state in reversed(states[:-1]):
        assert there.undo() is not None and there.draft == state
    assert there.undo() is None
    for state in states[1:]:
        assert there.redo() is not None and there.draft == state
    assert there.redo() is None


def test_a_new_change_ends_what_could_be_done_again() -> None:
    there = editor()
    there.place("goblin", "monsters", (4, 1))
    there.undo()
    there.place("orc", "monsters", (4, 1))
    assert not there.redoes


def test_typing_in_one_field_is_one_step_back() -> None:
    there = editor()
    there.select([key_of(there, "warrior")])
    for text in ("H", "He", "Hed"):
        there.set_field("name", text)
    there.undo()
    assert "name" not in entry_of(there, "warrior") and not there.undoes


def test_selecting_between_two_steps_keeps_them_apart() -> None:
    there = editor()
    there.select([key_of(there, "warrior")])
    there.move(there.selection, 1, 0, merge="arrows")
    there.select(there.selection)
    there.move(there.selection, 1, 0, merge="arrows")
    there.undo()
    assert entry_of(there, "warrior")["at"] == [3, 2]


moves = st.lists(
    st.one_of(
        st.tuples(st.just("place"), st.sampled_from(["goblin", "ogre"]), st.integers(0, 11), st.integers(0, 5)),
        st.tuples(st.just("move"), st.integers(0, 5), st.integers(-3, 3), st.integers(-3, 3)),
        st.tuples(st.just("remove"), st.integers(0, 5)),
        st.tuples(st.just("copy"), st.integers(0, 5)),
        st.tuples(st.just("undo")),
        st.tuples(st.just("redo")),
    ),
    max_size=12,
)


@settings(max_examples=40)
@given(moves)
def test_whatever_is_done_can_be_undone_and_ids_stay_apart(steps: list[tuple[Any, ...]]) -> None:
    there = editor()
    first = there.draft
    for what, *how in steps:
        if what == "place":
            there.place(how[0], "monsters", (how[1], how[2]))
        elif what in ("undo", "redo"):
            getattr(there, what)()
        elif there.draft.pieces:
            there.select([there.draft.pieces[how[0] % len(there.draft.pieces)].key])
            if what == "move":
                there.move(there.selection, how[1], how[2])
            elif what == "remove":
                there.remove()
            else:
                there.paste(None, [p.entry for p in there.chosen()])
        ids = [p.id for p in there.draft.pieces]
        assert len(ids) == len(set(ids))
        assert set(there.selection) <= {p.key for p in there.draft.pieces}
        there.problems()
    while there.undo():
        pass
    assert there.draft == first


# -- fields ---------------------------------------------------------------------------------------------


def test_only_what_differs_from_the_template_is_written() -> None:
    there = editor()
    there.select([key_of(there, "warrior")])
    usual = there.block(there.chosen()[0])["brawn"]
    there.set_field("brawn", usual + 1)
    assert entry_of(there, "warrior")["brawn"] == usual + 1
    there.set_field("brawn", usual)
    assert "brawn" not in entry_of(there, "warrior")
    there.set_field("hp", 3)
    there.set_field("hp", UNSET)
    assert "hp" not in entry_of(there, "warrior")


def test_a_stat_block_of_its_own_keeps_every_field() -> None:
    there = editor()
    there.select([key_of(there, "gob")])
    there.set_field("brawn", 5)
    assert entry_of(there, "gob")["brawn"] == 5


def test_a_field_of_many_is_changed_for_all_at_once() -> None:
    there = editor()
    there.select(p.key for p in there.draft.pieces)
    there.set_field("surprised", True)
    assert all(p.entry["surprised"] is True for p in there.draft.pieces)
    there.undo()
    assert "surprised" not in entry_of(there, "warrior")


def test_whoever_joins_a_side_is_played_by_who_plays_it() -> None:
    there = editor()
    there.set_field("controller", "human", keys=[key_of(there, "gob")])
    there.place("goblin", "monsters", (4, 1))
    assert entry_of(there, "goblin")["controller"] == "human"


def test_doors_of_the_start_are_written_only_where_they_differ() -> None:
    there = editor()
    there.set_door(0, "locked")
    assert there.draft.map["doors"] == {"door 11,2": "locked"}
    assert there.table.board().doors == ("locked",)
    there.set_door(0, "closed")
    assert "doors" not in there.draft.map
    there.undo()
    assert there.door_state(0) == "locked"
    there.set_door(0, "open")
    match = Match.from_record(drafts.to_record(there.draft))
    assert match.board().doors == ("open",)


def test_the_party_is_put_into_its_start_zone() -> None:
    path = encounter.playable_maps()[0]
    draft, loaded = files.new_draft(path, "olde", 3)
    there = Editor(draft, loaded.field)
    free = [loaded.field.at(cell) for cell in loaded.spawn_cells("monsters")]
    for name, spot in zip(("warrior", "priest"), free, strict=False):
        there.place(name, "heroes", spot)
    keys = [p.key for p in there.draft.pieces if p.side == "heroes"]
    spaces = {"heroes": encounter.start_spaces(loaded, "heroes")}
    assert there.to_start(keys, spaces) == len(keys)
    zone = {loaded.field.at(cell) for cell in loaded.spawn_cells("heroes")}
    assert {p.spot for p in there.draft.pieces if p.side == "heroes"} <= zone


def test_under_other_rules_everybody_stays_and_only_the_old_rules_words_are_left_behind() -> None:
    there = editor()
    there.set_field("brawn", 9, keys=[key_of(there, "warrior")])
    there.change(otherrules.under(there.draft, "cairn"), "other rules")
    assert there.draft.ruleset == "cairn" and there.draft.options == {"gm": True}
    assert entry_of(there, "warrior") == {
        "id": "warrior", "template": "gann", "side": "heroes", "controller": "human", "at": [2, 2],
    }  # fmt: skip
    assert [p.spot for p in there.draft.pieces] == [(2, 2), (8, 3)]
    there.undo()
    assert there.draft.ruleset == "olde" and entry_of(there, "warrior")["brawn"] == 9


def seated() -> Editor:
    return editor(seats=[
        {"name": "Anna", "colour": 1, "plays": ["heroes", "gm"]}, {"name": "Ben", "colour": 2, "plays": ["gob"]},
    ])  # fmt: skip


def test_seats_follow_whom_they_play_to_another_name() -> None:
    there = seated()
    assert drafts.document(there.draft)["seats"] == there.draft.more["seats"], "nothing is lost on the way"
    there.set_field("id", "grob", keys=[key_of(there, "gob")])
    there.change(drafts.side_renamed(there.draft, "heroes", "friends"), "renamed")
    plays = [seat["plays"] for seat in drafts.document(there.draft)["seats"]]
    assert plays == [["friends", "gm"], ["grob"]] and texts(there) == []


def test_a_seat_loses_who_is_taken_off_the_table_and_gets_them_back() -> None:
    there = seated()
    there.place("orc", "monsters", (8, 1))
    there.select([key_of(there, "gob")])
    there.remove()
    assert drafts.document(there.draft)["seats"][1]["plays"] == [] and texts(there) == []
    there.undo()
    assert drafts.document(there.draft)["seats"][1]["plays"] == ["gob"]


def test_what_is_ready_is_chosen_out_of_what_is_carried() -> None:
    ready = next(field for field in forms.fields("olde") if field.name == "ready")
    assert ready.out_of == ("weapons", "shield")


# -- what is wrong --------------------------------------------------------------------------------------


def test_a_fight_that_is_ready_has_nothing_wrong() -> None:
    there = editor()
    assert texts(there) == [] and check.blocking(there.problems()) == ""


def test_no_map_and_nobody_are_said_first() -> None:
    draft = Draft("olde", {"rows": ROWS})
    assert "no map" in check.problems(draft, None)[0].text
    assert "Nobody" in check.problems(draft, Field.from_rows(ROWS))[0].text


@pytest.mark.parametrize(
    ("identity", "said", "words"),
    [
        ("gob", {"at": [0, 0]}, "wall"),
        ("gob", {"at": [99, 0]}, "off the map"),
        ("gob", {"at": [11, 2]}, "closed door"),
        ("gob", {"at": "there"}, "stands nowhere"),
        ("gob", {"at": [2, 2], "side": "heroes"}, "share a space"),
        ("gob", {"brawn": 99}, "from 1 to 60"),
        ("gob", {"brawn": "strong"}, "from 1 to 60"),
        ("gob", {"size": "huge"}, "small or medium"),
        ("gob", {"weapons": ["batton"]}, "did you mean 'baton'"),
        ("gob", {"skills": {"Juggling": "Apprentice"}}, "no skill is called 'Juggling'"),
        ("gob", {"hp": 40}, "above the maximum of 7"),
        ("gob", {"ready": ["dagger"]}, "not among the weapons"),
        ("gob", {"colour": "green"}, "no such field"),
        ("gob", {"id": "warrior"}, "already"),
        ("gob", {"id": ""}, "may not be empty"),
        ("gob", {"id": "gm"}, "game master"),
        ("gob", {"side": ""}, "Side: may not be empty"),
        ("warrior", {"template": "worrier"}, "did you mean 'warrior'"),
    ],
)
def test_each_fault_is_one_line_that_names_the_creature(identity: str, said: dict[str, Any], words: str) -> None:
    there = editor()
    key = key_of(there, identity)
    pieces = tuple(p._replace(entry={**p.entry, **said}) if p.key == key else p for p in there.draft.pieces)
    there.change(Draft(**{**vars(there.draft), "pieces": pieces}), "a fault")
    found = [each for each in there.problems() if each.block and words in each.text]
    assert found, texts(there)
    assert found[0].key == key and "\n" not in found[0].text
    assert check.blocking(there.problems())


def test_all_faults_of_a_creature_are_listed_at_once() -> None:
    faults = trial.tried("olde", {"template": "goblin", "id": "g", "side": "m", "brawn": 0, "size": "x"}, {}).faults
    assert {fault.field for fault in faults} == {"brawn", "size"}


def test_one_side_alone_is_no_fight() -> None:
    there = editor()
    there.set_field("side", "heroes", keys=[key_of(there, "gob")])
    assert texts(there) == ["Only heroes are here; a fight needs a second side."]


def test_a_side_that_cannot_fight_is_no_fight() -> None:
    there = editor()
    there.set_field("hp", 0, keys=[key_of(there, "gob")])
    assert len(texts(there)) == 1 and "over before it began" in texts(there)[0]


def test_a_fight_that_only_the_computer_plays_is_worth_a_word_and_no_hindrance() -> None:
    there = editor()
    there.set_field("controller", "ai", keys=[p.key for p in there.draft.pieces])
    assert [each.block for each in there.problems()] == [False]


def test_an_option_that_the_rules_do_not_know_is_said() -> None:
    there = editor(options={"blindfolded": True})
    assert any("blindfolded" in text for text in texts(there))


junk = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
NAMES = ["id", "side", "at", "template", "name", "controller", "brawn", "size", "space", "skills", "weapons", "ready",
         "hp", "art", "surprised", "threat", "conditions"]  # fmt: skip


@settings(max_examples=80)
@given(st.dictionaries(st.sampled_from(NAMES), junk, max_size=4))
@example({"id": None, "controller": []})
def test_whatever_a_strangers_record_says_of_a_creature_is_told_and_never_breaks_the_table(
    said: dict[str, Any],
) -> None:
    there = editor()
    pieces = (there.draft.pieces[0], there.draft.pieces[1]._replace(entry={**there.draft.pieces[1].entry, **said}))
    there.change(Draft(**{**vars(there.draft), "pieces": pieces}), "a stranger's")
    there.table.board()
    for each in there.problems():
        assert each.text.strip() and "\n" not in each.text
    there.select(p.key for p in there.draft.pieces)
    there.set_field("nerve", 4)
    there.paste(None, [p.entry for p in there.chosen()])
    there.table.within((0, 0), (11, 5))
    drafts.to_record(there.draft)


# -- maps from elsewhere --------------------------------------------------------------------------------


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A shipped map with its tileset, in a folder of somebody's."""
    from game import paths

    home = tmp_path / "game of mine"
    home.mkdir()
    for name in ("crypt.tmx", "battlemat.tsx", "battlemat.tiled-project", "battlemat.png"):
        source = paths.shipped_maps() / name
        if source.is_file():
            (home / name).write_bytes(source.read_bytes())
    (home / "crypt.tmx").rename(home / "Mein Keller.tmx")
    return home / "Mein Keller.tmx"


def test_a_map_from_elsewhere_is_copied_with_its_files_and_found_again(elsewhere: Path) -> None:
    inside = files.brought_in(elsewhere)
    assert encounter.map_name(inside) == "mein-keller/Mein Keller.tmx"
    assert inside in encounter.playable_maps()
    draft, loaded = files.new_draft(inside, "olde", 1)
    assert files.ground_of(draft, None)[0].width == loaded.field.width
    assert files.brought_in(elsewhere) == inside, "the same map is not copied twice"
    text = elsewhere.read_text(encoding="utf-8")
    elsewhere.write_text(text.replace("Saint Orla", "Saint Somebody"), encoding="utf-8")
    assert files.brought_in(elsewhere) != inside, "another map of that name does not overwrite it"


def test_a_map_that_cannot_be_used_leaves_nothing_behind(tmp_path: Path) -> None:
    bad = tmp_path / "bad.tmx"
    bad.write_text("<map/>", encoding="utf-8")
    before = encounter.playable_maps()
    with pytest.raises(BattlematError, match=r"bad\.tmx"):
        files.brought_in(bad)
    assert encounter.playable_maps() == before


def test_critical_checks_are_off_by_themselves() -> None:
    switch = next(s for s in ruleset("olde").switches if s.name == "criticals")
    assert switch.default is False


@pytest.mark.parametrize("ruleset", ["olde", "cairn", "countup"])
@pytest.mark.parametrize(
    ("hoard", "why"), [("moor:1", "there is no theme moor, only"), ("crypt:9", "there is no tier 9 of crypt, only")]
)
def test_a_treasure_that_the_ruleset_does_not_have_is_one_line(ruleset: str, hoard: str, why: str) -> None:
    field = Field.from_rows(ROWS)
    chest = Challenge("coffer", "chest", (field.cell(3, 3),), difficulty=0, contents=f"treasure:{hoard}")
    there = Editor(Draft(ruleset, {"rows": ROWS}), msgspec.structs.replace(field, challenges=(chest,)))
    for side, spot, who in (("heroes", (2, 2), heroes), ("monsters", (8, 3), monsters)):
        assert there.place(next(iter(who(ruleset))), side, spot) == ""
    (line,) = texts(there)
    assert line.startswith(f"map: chest 'coffer': treasure:{hoard}: {why}")

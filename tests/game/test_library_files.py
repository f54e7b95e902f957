"""The library's files: folders, names, tags and notes, copies, and the bin out of which all comes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from game.storage import library
from game.storage.library import About, LibraryProblem

pytestmark = pytest.mark.usefixtures("home")


def put(name: str, folder: str = "", beside: bool = True) -> Path:
    path = library.place(folder) / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(name)
    if beside:
        path.with_suffix(".rulesets").write_text(f"{name} elsewhere")
    return path


def there() -> list[str]:
    base = library.root()
    return sorted(p.relative_to(base).as_posix() for p in base.rglob("*") if p.is_file() and library.BIN not in p.parts)


def test_folders_are_in_order_and_none_is_hidden() -> None:
    put("one", "Caves/deep")
    put("two", "abbey")
    library.delete(put("three"))
    assert library.folders() == ["", "abbey", "Caves", "Caves/deep"]
    assert [path.stem for path in library.everything()] == ["two", "one"]


def test_what_lies_beside_a_record_moves_with_it() -> None:
    path = put("bridge")
    library.note(path, About(("water",), "The keeper knows."))
    moved = library.rename(library.move(path, "road/day 2"), "The bridge")
    assert there() == [f"road/day 2/The bridge.{end}" for end in ("about", "json", "rulesets")]
    assert library.about(moved) == About(("water",), "The keeper knows.") and library.folder_of(moved) == "road/day 2"


def test_nothing_is_overwritten_where_one_moves_to() -> None:
    put("bridge", "road")
    assert library.move(put("bridge"), "road").name == "bridge-2.json"
    with pytest.raises(LibraryProblem, match="there is one already"):
        library.rename(library.place("road") / "bridge-2.json", "bridge")


def test_a_copy_has_all_that_belongs_to_it() -> None:
    path = put("bridge")
    library.note(path, About(("water",)))
    copy = library.duplicate(path)
    assert copy.name == "bridge-2.json" and copy.read_text() == "bridge"
    assert library.about(copy).tags == ("water",) and copy.with_suffix(".rulesets").is_file()


@pytest.mark.parametrize("folder", [False, True])
def test_what_was_deleted_comes_back_as_it_was(folder: bool) -> None:
    path = put("bridge", "road")
    library.note(path, About(notes="x"))
    before = there()
    deleted = library.delete(path.parent if folder else path)
    assert there() == []
    library.restore(deleted)
    assert there() == before
    with pytest.raises(LibraryProblem, match="no longer in the bin"):
        library.restore(deleted)


def test_what_comes_back_takes_no_one_s_place() -> None:
    deleted = library.delete(put("bridge"))
    put("bridge")
    assert library.restore(deleted).name == "bridge-2.json"


def test_the_bin_keeps_the_latest() -> None:
    gone = [library.delete(put(f"n{number}", beside=False)) for number in range(library.KEPT + 3)]
    assert [each.bin.exists() for each in gone] == [False] * 3 + [True] * library.KEPT


@pytest.mark.parametrize("name", ["", "..", ".hidden", "a/b", "a\\b", "con", "COM1.x", "x" * 61, "dot.", 'q"', "a\x00"])
def test_a_name_that_a_disk_would_not_take_is_refused_in_one_line(name: str) -> None:
    path = put("bridge")
    with pytest.raises(LibraryProblem) as caught:
        library.rename(path, name)
    assert "\n" not in str(caught.value) and path.is_file()


def test_no_folder_leads_out_of_the_library() -> None:
    for folder in ("../..", "a/../../b", "/etc/..", "a/b/c/d/e"):
        with pytest.raises(LibraryProblem):
            library.place(folder)


def test_tags_are_kept_once_and_in_order() -> None:
    assert library.typed_tags(" #Water, night , water,, Night ") == ("night", "water")


def test_notes_that_can_t_be_read_are_none() -> None:
    path = put("bridge")
    for broken in ("{", "[]", '{"tags": 3, "notes": []}', "\x00"):
        path.with_suffix(".about").write_text(broken)
        assert library.about(path) == About()


def test_a_folder_is_renamed_with_all_in_it() -> None:
    put("bridge", "road/day")
    assert library.rename_folder("road", "Way") == "Way"
    assert library.folders() == ["", "Way", "Way/day"]

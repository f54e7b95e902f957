"""What `battlemat check` says of a map: three verdicts, gathered notes, and no line that the map itself could forge."""

from __future__ import annotations

from pathlib import Path

import pytest

from game import cli
from game.maps.limits import MOST
from game.maps.tiled import MapProblem, check_map, load_map
from game.maps.words import one_line, shown
from tests.game.tmx_text import floor, objects, save, thing, tmx

STARTS = (thing(1, "Spawn", (0, 0, 64, 96), side="heroes"), thing(2, "Spawn", (224, 0, 64, 96), side="monsters"))


def sound(folder: Path, *more: str, name: str = "test.tmx") -> Path:
    """A map that is fit to play, and what else is given."""
    return save(folder, tmx(floor(9, 3) + objects(*STARTS, *more), 9, 3), name)


def check(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, list[str], list[str]]:
    """Exit status, lines of stdout and lines of stderr of `battlemat check`."""
    status = cli.main(["check", *map(str, arguments)])
    out, err = capsys.readouterr()
    return status, out.splitlines(), err.splitlines()


# -- verdicts


def test_a_sound_map_is_fit_to_play(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = sound(tmp_path)
    assert check(capsys, path) == (0, [f"{path}: fit to play"], [])


def test_a_map_without_spawn_opens_in_the_editor_and_says_what_it_lacks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = save(tmp_path, tmx(floor()))
    status, out, err = check(capsys, path)
    assert (status, out) == (2, [])
    assert err[0] == f"{path}: opens in the editor, lacks a Spawn for heroes, a Spawn for monsters"
    assert [line.split(" has")[0] for line in err[1:]] == [f"{path}: side heroes", f"{path}: side monsters"]


def test_for_the_editor_that_is_good_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = save(tmp_path, tmx(floor()))
    status, out, err = check(capsys, "--editor", path)
    assert (status, err) == (0, []) and "opens in the editor, lacks" in out[0]
    assert check(capsys, "--editor", sound(tmp_path))[:2] == (0, [f"{path}: fit to play"])


def test_what_cannot_be_read_is_not_good_enough_for_the_editor(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = save(tmp_path, "<html/>")
    status, out, err = check(capsys, "--editor", path)
    assert (status, out, len(err)) == (2, [], 1)
    assert err[0].startswith(f"{path}: cannot be read: begins with <html>")


def test_a_map_without_spawn_says_everything_else_that_is_wrong(tmp_path: Path) -> None:
    orc = thing(5, "Creature", (600, 40), template="orc", side="monsters")
    gate = thing(6, "Door", (0, 0, 32, 32), id="gate")
    pit = floor(20, 3).replace(">1,", ">0,", 1)
    report = check_map(save(tmp_path, tmx(pit + objects(gate, orc), 20, 3)), templates={"goblin"})
    assert not report.fit and report.readable
    for words in ("side heroes", "side monsters", "door 'gate'", "template 'orc'"):
        assert any(words in line for line in report.problems), words
    assert "a free doorway" in report.lacks and "a known template for a Creature" in report.lacks


def test_sides_that_no_way_joins_are_told_beside_everything_else(tmp_path: Path) -> None:
    rows = "1111,2,1111".replace("1111", "1,1,1,1")
    body = floor(9, 3).replace(",".join(["1"] * 27), ",".join([rows] * 3))
    gate = thing(6, "Door", (4 * 32, 0, 32, 32), id="gate")
    report = check_map(save(tmp_path, tmx(body + objects(*STARTS, gate), 9, 3)))
    assert "door 'gate'" in report.problems[0] and "cannot be reached" in report.problems[1]


def test_all_objects_that_are_wrong_are_told_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = thing(5, "Spawn", (0, 0)), thing(6, "Door", (40, 40), state="ajar")
    path = sound(tmp_path, *wrong)
    status, _, err = check(capsys, path)
    assert status == 2 and [line.split(": this")[0].split(": state")[0] for line in err] == [
        f"{path}: cannot be read: layer 'Things', object 5", f"{path}: cannot be read: layer 'Things', object 6",
    ]  # fmt: skip
    with pytest.raises(MapProblem, match=r"object 5: this Spawn has no side; .* \(and 1 more\)$"):
        load_map(path)


def test_the_file_is_named_once_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = sound(tmp_path, thing(5, "Sign", (40, 40)), thing(6, "Creature", (0, 0), template="a", side="b"))
    lines = [*check(capsys, path)[1], *check(capsys, save(tmp_path, tmx(floor())))[2]]
    assert all(line.count("test.tmx") == 1 for line in lines), lines
    save(tmp_path, "[1", "x.tiled-project")
    assert check(capsys, path)[2] == [
        f"{path}: cannot be read: x.tiled-project: is no valid JSON; save it again in Tiled"
    ]


# -- classes that are not ours


@pytest.mark.parametrize("kind", ["spawn", "creature", "DOOR", "wall", "light", "trap", "exit", "stairs"])
def test_only_the_exact_class_is_ours(tmp_path: Path, kind: str) -> None:
    loaded = load_map(sound(tmp_path, thing(5, kind, (40, 40))))
    assert [other.kind for other in loaded.others] == [kind]
    assert loaded.warnings[0].startswith(f"class '{kind}' unknown: 1 object")
    assert f"Battlemat's own is {kind.capitalize()}" in loaded.warnings[0]
    assert check_map(loaded.path).fit


def test_objects_of_an_unknown_class_are_one_note(tmp_path: Path) -> None:
    many = [thing(i, "objective", (40, 40)) for i in range(10, 32)]
    bare = [f'<object id="{i}" x="1" y="1"/>' for i in (40, 41)]
    notes = check_map(sound(tmp_path, *many, *bare)).notes
    assert notes == (
        "class 'objective' unknown: 22 objects are kept but do nothing (first: layer 'Things', object 10)",
        "2 objects have no class and do nothing (first: layer 'Things', object 40); choose one in Tiled",
    )


def test_many_kinds_of_notes_are_cut_off(tmp_path: Path) -> None:
    notes = check_map(sound(tmp_path, *(thing(i, f"kind{i}", (40, 40)) for i in range(10, 1010)))).notes
    assert len(notes) == MOST and notes[-1].startswith("and 1")


# -- text of a map on the terminal


@pytest.mark.parametrize("letter", ["\n", "\r", "\x1b", "\x9b", "\u202e", "\u2066", "\u2028", "\x7f"])
def test_no_text_of_a_map_steers_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str], letter: str) -> None:
    coded = f"&#{ord(letter)};" if letter != "\x1b" else ""  # XML has no escape character, file names do
    forged = f"orcs{coded}m.tmx: fit to play"
    nodes = (
        thing(5, "Spawn", (0, 0, 32, 32), side=forged),
        thing(6, forged, (40, 40)),
        thing(7, "Creature", (0, 0), template=forged, side=forged),
    )
    path = sound(tmp_path, *nodes, name=f"a{letter}b.tmx")
    status, out, err = check(capsys, path)
    assert status == 2
    assert all(line.isprintable() for line in out + err), out + err
    assert not any(line.startswith("m.tmx") for line in out + err)


def test_a_title_is_one_line_that_steers_nothing(tmp_path: Path) -> None:
    title = '<properties><property name="title" value="Crypt&#10;&#x202e;&#x9b;m{}"/></properties>'
    loaded = load_map(save(tmp_path, tmx(floor(), properties=title.format(""))))
    assert loaded.title == loaded.field.title == "Crypt\\u000a\\u202e\\u009bm"
    assert len(load_map(save(tmp_path, tmx(floor(), properties=title.format("x" * 5000)))).title) == 120


def test_thousands_of_names_are_a_short_line(tmp_path: Path) -> None:
    crowd = [thing(i, "Creature", (40, 40), template="orc", side="monsters") for i in range(10, 5010)]
    lost = thing(9, "Patrol", (40, 40), '<polyline points="0,0 32,0"/>', of="nobody")
    report = check_map(sound(tmp_path, *crowd, lost))
    assert "there are orc-10, orc-11" in report.problems[0] and "…" in report.problems[0]
    report = check_map(sound(tmp_path, *crowd))
    assert report.problems[-1] == "and 4960 more problems"
    assert max(map(len, report.problems)) < 400


def test_a_line_keeps_letters_of_all_scripts_and_what_joins_them() -> None:
    text = "Æ 東 שלום می\u200cخواهم no\u00adbreak\u00a0here"
    assert one_line(text) == text
    assert one_line("a\u202eb\x9bc\U000e0001", None) == "a\\u202eb\\u009bc\\U000e0001"
    assert len(one_line("x" * 5000)) == 320 and len(shown("\n" * 5000)) <= 60


def test_no_name_in_a_record_steers_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cli._print(['{"name": "Gob\x9blin"}'])
    assert capsys.readouterr().out == '{"name": "Gob\\u009blin"}\n'

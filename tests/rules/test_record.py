"""Records: each mistake gives one clear line; what is written reads back the same (record.md)."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.cli import main
from game.content import tables as content
from game.fight.match import Match
from rules.board.grid import Field
from rules.contract.errors import BattlematError, RecordError
from rules.contract.ruleset import Scenario
from rules.core.record import document, read
from rules.core.registry import ruleset

EXAMPLE = Path(__file__).parents[1] / "playthroughs" / "readme_example.json"


def example() -> dict[str, Any]:
    return json.loads(EXAMPLE.read_text(encoding="utf-8"))


def broken(change) -> str:
    """The one line that a changed example gives."""
    record = example()
    change(record)
    with pytest.raises(BattlematError) as caught:
        Match.from_record(record, strict_throws=True)
    text = str(caught.value)
    assert "\n" not in text
    return text


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda r: r.update(format="battlemat/9"), ("format", "battlemat/2")),
        (lambda r: r.update(ruleset="chess"), ("ruleset", "chess", "olde")),
        (lambda r: r.update(extra=1), ("extra", "no such field")),
        (lambda r: r["map"].update(rows=["##", "#"]), ("row",)),
        (lambda r: r["map"].update(rows=["#?#"]), ("?",)),
        (lambda r: r.update(seed="7"), ("seed", "whole number")),
        (lambda r: r.update(throws=[6, 3, 9]), ("throws[2]", "d5", "1 to 6", "9")),
        (lambda r: r.update(throws=[6, 3, 2]), ("commands[0]", "run out")),
        (lambda r: r.update(throws=[6]), ("start", "run out")),
        (lambda r: r["creatures"][1].update(at=[0, 0]), ("creatures[1]", "at", "[0, 0]")),
        (lambda r: r["creatures"][1].update(at=[40, 0]), ("creatures[1]", "off the map", "8")),
        (lambda r: r["creatures"][1].update(id="ada"), ("creatures[1]", "ada", "taken")),
        (lambda r: r["creatures"][0].update(brawn="8"), ("creatures[0]", "brawn")),
        (lambda r: r["creatures"][0].update(weapons=["brodsword"]), ("weapons", "brodsword", "broadsword")),
        (lambda r: r["creatures"][0].update(skills={"Swording": "Apprentice"}), ("Swording",)),
        (lambda r: r["creatures"][0].update(skills={"Swords": "Lord"}), ("Swords", "Lord", "Journeyman")),
        (lambda r: r["creatures"][0].update(template="dragonet"), ("creatures[0]", "template", "dragonet")),
        (lambda r: r["creatures"][0].update(hp=99), ("hp", "99", "10")),
        (lambda r: r["creatures"][0].update(ready=["mace"]), ("ready", "mace")),
        (lambda r: r["options"].update(magic=True), ("options", "magic", "advanced")),
        (lambda r: r["options"].update(advanced="yes"), ("options.advanced", "true or false", "'yes'")),
        (lambda r: r["commands"][0].update(by="gob"), ("commands[0]", "ada's chance")),
        (lambda r: r["commands"][0].update(do="sing"), ("commands[0]", "sing", "attack")),
        (lambda r: r["commands"][0].update(target="bob"), ("commands[0]", "target", "bob", "gob")),
        (lambda r: r["commands"][0].update(weapon="baton"), ("commands[0]", "weapon", "baton", "broadsword")),
        (lambda r: r["commands"][0].update(path=[[9, 9]]), ("commands[0]", "path", "[9, 9]", "8 × 4")),
        (
            lambda r: r.update(branches=[{"at": 0, "commands": [{"by": "ada", "do": "step", "path": [[9, 9]]}]}]),
            ("branches[0].commands[0]", "path", "[9, 9]", "8 × 4"),
        ),
        (lambda r: r.update(map={"tmx": "../../etc/passwd"}), ("map.tmx", "leaves the folder")),
        (lambda r: r.update(map={"tmx": "nowhere.tmx"}), ("map.tmx", "nowhere.tmx")),
        (lambda r: r.update(map={}), ("map", "rows", "tmx")),
    ],
)
def test_a_mistake_names_its_place_and_the_mend(change, words: tuple[str, ...]) -> None:
    text = broken(change)
    for word in words:
        assert word in text, text


@pytest.mark.parametrize(("length", "shown"), [(58, "'" + "x" * 58 + "'"), (59, "'" + "x" * 56 + "...")])
def test_what_was_found_instead_is_told_in_sixty_letters_at_most(length: int, shown: str) -> None:
    assert broken(lambda r: r.update(format="x" * length)).endswith(f"got {shown}")


def test_a_null_throw_is_thrown_by_the_seed_and_the_rest_stay_scripted() -> None:
    record = example()
    record["throws"] = [6, 3, None, 4, 3, 5, 5, 4, 3]
    one, two = (Match.from_record(copy.deepcopy(record), strict_throws=True) for _ in range(2))
    assert one.state == two.state or one.ruleset.summary(one.state) == two.ruleset.summary(two.state)
    attack: Any = next(e for e in one.events if type(e).__name__ == "Attack")
    faces = [t.face for roll in attack.rolls for t in roll.throws]
    assert faces[1:4] == [4, 3, 5]
    assert 1 <= faces[0] <= 6


def test_a_played_record_reads_back_the_same() -> None:
    match = Match.from_record(example())
    again = read(json.loads(json.dumps(document(match.record))))
    assert again == match.record


def test_the_command_line_prints_one_line_and_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.json"
    for text in ("", "{", "[]", '{"format": "battlemat/1"}', "[" * 100_000, '{"a": NaN}', "\ufeff{}"):
        bad.write_text(text, encoding="utf-8")
        assert main(["replay", str(bad)]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        assert "Traceback" not in err
    bad.write_bytes(b"\xff\xfe\x00")
    assert main(["replay", str(bad), "--state"]) == 2
    assert "UTF-8" in capsys.readouterr().err
    assert main(["replay", str(tmp_path / "none.json")]) == 2
    assert main(["replay", str(tmp_path)]) == 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.json"]


def test_an_unknown_argument_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["replay"])
    assert caught.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_example_plays_out_as_the_format_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(EXAMPLE), "--state"]) == 0
    state = json.loads(capsys.readouterr().out)
    assert state["acting"] == "gob"
    assert state["over"] is None
    assert (state["turn"], state["round"]) == (1, 1)
    gob, ada = state["creatures"]["gob"], state["creatures"]["ada"]
    assert (gob["hp"], gob["status"], gob["conditions"]) == (2, "wounded", [])
    assert (ada["ap"], ada["at"], ada["weapons"], ada["posture"]) == (4, [1, 1], ["broadsword"], "standing")
    assert main(["replay", str(EXAMPLE), "--events"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    attack = next(e for e in events if e["event"] == "attack")
    assert {k: attack[k] for k in ("by", "target", "weapon", "attack", "defense", "margin", "outcome", "damage")} == {
        "by": "ada", "target": "gob", "weapon": "broadsword", "attack": 8, "defense": 6, "margin": 2,
        "outcome": "hit", "damage": 5,
    }  # fmt: skip
    assert attack["adjustments"] == []


_JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_spoilt_record_plays_or_gives_one_line(data: st.DataObject) -> None:
    record = example()
    places = [(record, key) for key in record]
    places += [(c, key) for part in ("creatures", "commands") for c in record[part] for key in c]
    for _ in range(data.draw(st.integers(1, 3))):
        holder, key = data.draw(st.sampled_from(places))
        holder[key] = data.draw(_JUNK)
    trouble = ""
    try:
        match = Match.from_record(record, strict_throws=True)
    except BattlematError as error:
        trouble = str(error)
    else:
        assert match.ruleset.summary(match.state)["turn"] >= 1
    assert "\n" not in trouble


@pytest.mark.parametrize(
    ("ruleset_id", "field"), [("olde", "armor"), ("olde", "shield"), ("countup", "armour"), ("countup", "shield")]
)
def test_an_empty_name_is_refused_in_one_line_like_any_other_that_no_table_has(ruleset_id: str, field: str) -> None:
    block = {**next(iter(content.heroes(ruleset_id).values())), "id": "a", "side": "heroes", "at": [1, 1], field: ""}
    room = Field.from_rows(["####", "#..#", "####"])
    with pytest.raises(RecordError, match=rf"creatures\[0\] \(a\): {field}: nothing is called ''"):
        ruleset(ruleset_id).start(Scenario(ruleset_id, room, (block,), 1, content=content.tables(ruleset_id)))


@pytest.mark.parametrize(
    ("goals", "words"),
    [
        ([{"name": "hall", "kind": "reach"}], ("map.goals", "hall", "needs spaces")),
        ([{"name": "hall", "kind": "reach", "at": [[99, 1]]}], ("map.goals.0.at", "off the map")),
        ([{"name": "hall", "kind": "hold", "at": [[2, 1]]}], ("map.goals", "rounds")),
        ([{"name": "cup", "kind": "fetch"}], ("map.goals", "cup", "what")),
        ([{"name": "cup", "kind": "steal"}], ("map.goals[0].kind", "fetch")),
        ([{"name": "gate", "kind": "end", "what": "gob", "state": "red"}], ("map.goals", "red", "closed")),
        ([{"name": "away", "kind": "out", "needs": ["cup"]}], ("map.goals", "away", "cup", "none")),
        ([{"name": "away", "kind": "out"}, {"name": "away", "kind": "out"}], ("map.goals", "two of this name")),
    ],
)
def test_a_goal_that_cannot_be_is_told_in_one_line(goals: list[dict[str, Any]], words: tuple[str, ...]) -> None:
    told = broken(lambda r: r["map"].update(goals=goals))
    assert all(word in told for word in words), told


def test_goals_of_a_record_lie_on_the_field_and_read_back_the_same() -> None:
    record = example()
    record["map"]["goals"] = [{"name": "hall", "kind": "hold", "at": [[2, 1]], "rounds": 3, "needs": ["gob"]},
                              {"name": "gob", "kind": "end", "what": "gob", "optional": True}]  # fmt: skip
    match = Match.from_record(record, strict_throws=True)
    hall, gob = match.field.goals
    assert (hall.rounds, hall.needs, hall.cells) == (3, ("gob",), (match.field.cell(2, 1),))
    assert (gob.what, gob.optional) == ("gob", True)
    assert document(read(document(match.record)))["map"]["goals"][0]["at"] == [[2, 1]]

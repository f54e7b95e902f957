"""Files of fights and settings: whole or not at all, in turns, found again, and brought up to date."""

from __future__ import annotations

import json
import os
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from game.app import settings
from game.fight.match import Match, load_fight, save_fight
from game.storage import files, saves
from game.storage import records as storage
from rules.contract.errors import BattlematError, RecordError
from rules.contract.units import Cell
from rules.core import record as records
from tests.game.doomed import opening

SHIPPED = Path(__file__).parents[2] / "maps"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BATTLEMAT_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def record(**more: Any) -> records.Record:
    return records.read({**opening(3), **more})


# -- autosaves


def test_autosaves_of_one_fight_take_turns() -> None:
    kept = [storage.autosave(record(), "The Hall") for _ in range(20)]
    assert storage.fights() == kept[: -storage.AUTOSAVES - 1 : -1]


def test_autosaves_of_other_fights_stay() -> None:
    first = storage.autosave(record(seed=1), "The Hall")
    for _ in range(20):
        storage.autosave(record(seed=2), "The Hall")
    assert first.exists()
    assert len(storage.fights()) == storage.AUTOSAVES + 1


def test_saves_of_the_players_own_are_never_replaced() -> None:
    mine = storage.new_save("The Hall")
    storage.write_record(record(), mine)
    storage.write_record(record(), storage.quick_save())
    for seed in range(storage.ALL_AUTOSAVES + 10):
        storage.autosave(record(seed=seed), "The Hall")
    assert mine.exists()
    assert storage.quick_save().exists()
    assert sum(storage.is_autosave(path) for path in storage.fights()) == storage.ALL_AUTOSAVES


def test_an_autosave_is_named_by_fight_and_time() -> None:
    name = storage.autosave(record(), "Ünder the  Hill!").name
    assert name.startswith(f"auto-ünder-the-hill-{storage.opening(record())}-{time.strftime('%Y%m%d')}-")


def test_what_a_killed_process_had_begun_to_write_is_swept_away() -> None:
    folder = storage.fights_folder()
    old, new = (folder / f".auto-x.json.{name}{files.DRAFT}" for name in ("old", "new"))
    for path in (old, new):
        path.write_text("{")
    os.utime(old, (1, 1))
    storage.autosave(record(), "x")
    assert not old.exists()
    assert new.exists(), "another process may be writing it"


def test_a_file_is_written_whole_or_not_at_all(home: Path) -> None:
    path = home / "fights" / "kept.json"
    files.write_whole(path, "before")
    with pytest.raises(BattlematError, match="cannot be written"):
        files.write_whole(path / "below.json", "after")
    with pytest.raises(UnicodeEncodeError):
        files.write_whole(path, "half \ud800")
    assert path.read_text() == "before"
    assert [each.name for each in path.parent.iterdir()] == ["kept.json"]


# -- maps of one's own


def test_a_save_finds_the_map_that_lay_beside_its_record(tmp_path: Path) -> None:
    there = tmp_path / "adventure"
    shutil.copytree(SHIPPED, there)
    for name in ("crypt.tmx", "my-crypt.tmx"):
        shutil.copy(SHIPPED / "crypt.tmx", there / name)
    document: dict[str, Any] = {**opening(3), "map": {"tmx": "my-crypt.tmx"}}
    document["creatures"] = [{**c, "at": at} for c, at in zip(document["creatures"], _open_spaces(there), strict=False)]
    (there / "tale.json").write_text(json.dumps(document), encoding="utf-8")
    match = load_fight(there / "tale.json")
    save_fight(match, storage.quick_save())
    again = load_fight(storage.quick_save())
    assert again.loaded_map is not None
    assert again.loaded_map.path == there / "my-crypt.tmx"
    shutil.rmtree(there)
    assert "my-crypt.tmx" in saves.look(storage.quick_save()).fault


def _open_spaces(folder: Path) -> list[list[int]]:
    from game.maps.tiled import load_map

    field = load_map(folder / "my-crypt.tmx").field
    found = []
    for cell in range(field.width * field.height):
        trial: dict[str, Any] = {**opening(3), "map": {"tmx": "my-crypt.tmx"}}
        trial["creatures"] = [{**trial["creatures"][0], "at": list(field.at(Cell(cell)))}]
        try:
            Match.from_record(trial, beside=folder)
        except BattlematError:
            continue
        found.append(list(field.at(Cell(cell))))
        if len(found) == 4:
            return found
    raise AssertionError("no room")


# -- formats


def test_a_record_of_an_older_format_is_brought_up_to_date_step_by_step() -> None:
    def creatures_were_called_fighters(document: dict[str, Any]) -> dict[str, Any]:
        rest = {key: value for key, value in document.items() if key != "fighters"}
        return {**rest, "format": "battlemat/0", "creatures": document["fighters"]}

    def there_was_no_seed(document: dict[str, Any]) -> dict[str, Any]:
        return {**document, "format": "battlemat/1", "seed": 42}

    upgrades = {"battlemat/draft": creatures_were_called_fighters, "battlemat/0": there_was_no_seed}
    old = {**opening(3), "format": "battlemat/draft"}
    old["fighters"] = old.pop("creatures")
    found = records.read(old, upgrades)
    assert found.seed == 42
    assert [c["id"] for c in found.creatures] == ["h1", "h3", "m1", "m3"]
    with pytest.raises(RecordError, match="format: needs 'battlemat/1', got 'battlemat/draft'"):
        records.read(old)


def test_an_upgrade_that_leads_nowhere_ends() -> None:
    with pytest.raises(RecordError, match="format"):
        records.read({**opening(3), "format": "x"}, {"x": lambda document: document})


@pytest.mark.parametrize("name", ["battlemat/3", "battlemat/17"])
def test_a_record_of_a_newer_format_says_so(name: str) -> None:
    with pytest.raises(RecordError, match="newer Battlemat"):
        records.read({**opening(3), "format": name})


@pytest.mark.parametrize("name", [None, 1, "battlemat", "battlemat/01", "battlemat/-2", "battlemat/²", [], {}])
def test_no_format_of_ours_is_one_line(name: object) -> None:
    with pytest.raises(RecordError, match="format: needs 'battlemat/1'"):
        records.read({**opening(3), "format": name})


def test_settings_of_an_older_format_are_brought_up_to_date(home: Path) -> None:
    settings.settings_path().write_text('{"version": 0, "zoom": 1.3}', encoding="utf-8")

    def newer(data: dict[str, Any]) -> dict[str, Any]:
        return {"version": 1, "scale": round(data["zoom"] * 100)}

    assert settings.load_settings({0: newer}).scale == 130
    settings.save_settings(settings.Settings(scale=110))
    assert json.loads(settings.settings_path().read_text(encoding="utf-8"))["version"] == settings.VERSION


def test_settings_of_a_newer_format_are_taken_as_far_as_they_are_known() -> None:
    settings.settings_path().write_text('{"version": 9, "scale": 120, "hologram": true}', encoding="utf-8")
    assert settings.load_settings().scale == 120


@pytest.mark.parametrize(
    "text", ["", "[]", "{", "null", '{"scale": 7}', "[" * 100_000, '{"scale": 1' + "0" * 5000 + "}"]
)
def test_broken_settings_are_one_line(text: str) -> None:
    settings.settings_path().write_text(text, encoding="utf-8")
    with pytest.raises(BattlematError, match="defaults are used") as found:
        settings.load_settings()
    assert "\n" not in str(found.value)


# -- what the load screen says


def test_a_date_is_told_as_people_do() -> None:
    now = time.mktime((2026, 3, 1, 12, 0, 0, 0, 0, -1))
    assert saves.when_told(now - 60, now) == "today 11:59"
    assert saves.when_told(now - 86400, now) == "yesterday 12:00"
    assert saves.when_told(now - 3 * 86400, now) == "2026-02-26 12:00"


def test_long_parties_are_cut_short() -> None:
    assert saves.named(("Ada", "Bo")) == "Ada, Bo"
    assert saves.named(("Ada", "Bo", "Cy", "Di", "Eve")) == "Ada, Bo, Cy and 2 more"


# -- JSON


@pytest.mark.parametrize(
    "text", ["", "{", "NaN", '{"seed": Infinity}', "[" * 100_000, '"\\ud800"', '{"\\uDFFF": 1}', "9" * 5000]
)
def test_what_is_no_json_is_one_line(text: str, home: Path) -> None:
    path = storage.quick_save()
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecordError, match="not JSON") as found:
        storage.read_record(path)
    assert "\n" not in str(found.value)


def test_letters_of_all_scripts_come_through(home: Path) -> None:
    path = storage.quick_save()
    named = record(title="Ünïcødé \N{DRAGON} 龍")
    storage.write_record(named, path)
    assert "龍" in path.read_text(encoding="utf-8")
    assert storage.read_record(path) == named
    path.write_text(json.dumps(records.document(named)), encoding="utf-8")
    assert storage.read_record(path) == named, "escaped pairs, too"

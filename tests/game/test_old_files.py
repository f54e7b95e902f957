"""Whatever earlier programs wrote for their players loads as it did, and stands as it stood then (tests/oldfiles)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pygame
import pytest

from game.app import settings
from game.app.loop import App
from game.characters import aftermath
from game.characters import files as heroes
from game.controllers.human import given_way, load_keys
from game.fight.match import Match, load_fight, save_fight
from game.scenes.dialogs.saves import LoadDialog
from game.scenes.fight.scene import Fight
from game.setup import draft as drafts
from game.setup import files as encounters
from game.setup import otherrules
from game.storage import records as storage
from game.storage import recovery, saves
from rules.contract.errors import BattlematError
from rules.core import record as records
from tests.game import old_files as old
from tests.game.player import Player

KNOWN = old.known()
FIGHTS, JOURNALS = old.of_kind("fights"), old.of_kind("journals", ".jsonl")
CORRECTED = "journals/1121-2111_cairn_before_a_rule_was_corrected.jsonl"
"""In this one a goblin's company dashes through each other; the rule forbids it since the program was corrected."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("BATTLEMAT_HOME", str(folder))
    old.put_maps()
    return folder


def test_every_old_file_is_told_of_and_every_one_told_of_is_there() -> None:
    kinds = ("fights", "journals", "encounters", "heroes", "settings")
    there = {f"{kind}/{path.name}" for kind in kinds for path in (old.OLD / kind).iterdir()}
    assert there == {name for name in KNOWN if not name.startswith("maps/")}
    told = [e for name, e in KNOWN.items() if name.startswith(kinds) and name.endswith((".json", ".jsonl"))]
    assert all("now" in entry for entry in told)


# -- fights


@pytest.mark.parametrize("name", FIGHTS)
def test_a_saved_fight_is_listed_loaded_and_stands_as_then(name: str) -> None:
    path = old.put(name)
    assert path in storage.fights()
    listed = saves.look(path)
    assert (listed.fault, listed.title) == ("", KNOWN[name]["now"]["title"])
    match = load_fight(path)
    assert old.told_then(match) == KNOWN[name]["then"], "as the program said that wrote it"
    assert old.records_only(old.of_fight(match)) == KNOWN[name]["now"]


@pytest.mark.parametrize("name", FIGHTS)
def test_a_saved_fight_is_written_again_letter_by_letter(name: str) -> None:
    path, copy = old.put(name), storage.new_save("again")
    save_fight(load_fight(path), copy)
    assert copy.read_text(encoding="utf-8") == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [name for name in FIGHTS if KNOWN[name]["now"]["branches"]])
def test_each_branch_of_an_old_fight_can_be_taken_up(name: str) -> None:
    for number, (at, _, commands) in enumerate(KNOWN[name]["now"]["branches"]):
        match = load_fight(old.put(name))
        before = len(match.record.branches)
        match.history.switch(number)
        assert len(match.record.commands) == at + commands
        assert len(match.record.branches) in (before, before - 1), "the line that is left is a branch instead"
        whole = Match.from_record(records.read(records.document(match.record)))
        assert old.stand(whole) == old.stand(match)


@pytest.mark.parametrize("name", FIGHTS + [name for name in JOURNALS if name != CORRECTED])
def test_the_past_of_an_old_fight_is_taken_back_and_done_again(name: str) -> None:
    match = load_fight(old.put(name)) if name in FIGHTS else old.interrupted(name)
    to, *_, free = KNOWN[name]["now"]["back"][0]
    if free:
        match.history.undo(to)
        assert match.history.length == to
        match.history.redo()
        assert old.stand(match) == KNOWN[name]["now"]["state"]
    else:
        branches = len(match.record.branches)
        match.history.rewind(to)
        assert (match.history.length, len(match.record.branches)) == (to, branches + 1)
        match.history.switch(branches)
        assert old.stand(match) == KNOWN[name]["now"]["state"]


def test_the_window_lists_old_fights_and_opens_one() -> None:
    where = {old.put(name) for name in FIGHTS}
    player = Player(App((1280, 720), settings=settings.Settings(speed=0, volume=0)))
    player.app.navigator.title()
    player.app.navigator.load()
    scene = player.app.top
    assert isinstance(scene, LoadDialog)
    player.until(lambda: all(each.caption or each.fault for each in scene.found.values()))
    assert set(scene.found) == where and not any(each.fault for each in scene.found.values())
    player.app.navigator.open_file(old.put("fights/1121-1632_branches_seats.json"))
    if not isinstance(player.app.top, Fight):  # one seat of several is let in first
        player.key(pygame.K_RETURN)
    fight = player.app.top
    assert isinstance(fight, Fight)
    assert old.stand(fight.match) == KNOWN["fights/1121-1632_branches_seats.json"]["now"]["state"]
    player.app.navigator.title()
    player.app.scenes.clear()
    pygame.event.clear()


# -- journals


@pytest.mark.parametrize("name", JOURNALS)
def test_a_journal_left_behind_is_offered_and_taken_up_where_it_stood(name: str) -> None:
    path = old.put(name)
    [found] = recovery.interrupted()
    assert (found.path, found.fault) == (path, "")
    if name != CORRECTED:
        assert found.record is not None and old.told_then(old.interrupted(name)) == KNOWN[name]["then"]
    match = recovery.resume(found)
    assert old.records_only(old.of_fight(match)) == KNOWN[name]["now"]
    [kept] = storage.fights()
    assert old.records_only(old.of_fight(load_fight(kept))) == KNOWN[name]["now"]
    assert recovery.interrupted() == []


def test_commands_that_a_corrected_rule_forbids_end_an_interrupted_fight_where_they_come() -> None:
    _, record = recovery.read_journal(old.put(CORRECTED))
    with pytest.raises(BattlematError, match=r"commands\[3\].*is taken by an ally"):
        Match.from_record(record)
    assert old.interrupted(CORRECTED).history.length == 3


# -- encounters


@pytest.mark.parametrize("name", old.of_kind("encounters"))
def test_an_encounter_stands_on_the_table_as_it_was_prepared(name: str) -> None:
    path = old.put_encounter(name)
    assert path in encounters.encounters()
    draft, commands = encounters.load(path)
    assert commands == 0
    assert old.records_only(old.of_encounter(draft)) == KNOWN[name]["now"]
    before = path.read_text(encoding="utf-8")
    encounters.save(draft, path)
    assert path.read_text(encoding="utf-8") == before
    assert old.records_only(old.of_encounter(encounters.load(path)[0])) == KNOWN[name]["now"]


@pytest.mark.parametrize("name", [name for name in old.of_kind("encounters") if "olde again" in KNOWN[name]])
def test_a_table_that_was_under_other_rules_is_as_it_was_when_it_comes_back_to_them(name: str) -> None:
    path = old.put_encounter(name)
    for _ in range(2):
        draft = encounters.load(path)[0]
        back = [dict(piece.entry) for piece in otherrules.under(draft, "olde").pieces]
        assert back == KNOWN[name]["olde again"], "everybody, in the order of that time"
        encounters.save(draft, path)


def test_the_table_in_progress_is_there_again_and_so_are_those_set_aside(home: Path) -> None:
    source = old.put("encounters/1121-1737_seats.json").read_text(encoding="utf-8")
    for name in ("encounter", "set-aside-1", "set-aside-2"):
        (home / "drafts").mkdir(exist_ok=True)
        (home / "drafts" / f"{name}.json").write_text(source, encoding="utf-8")
    kept = encounters.kept()
    assert kept is not None and old.of_encounter(kept)["seats"][0]["name"] == "Ann"
    assert [path.name for path in encounters.aside()] == ["set-aside-1.json", "set-aside-2.json"]
    assert encounters.kept_as() is None
    crypt = old.put_encounter("encounters/1122-1521_three_rulesets.json")
    old.put("encounters/1122-1626_encounter.path")
    assert encounters.kept_as() == crypt


# -- heroes


@pytest.mark.parametrize("name", old.of_kind("heroes"))
def test_a_hero_comes_with_every_figure_and_is_written_again_letter_by_letter(name: str) -> None:
    assert old.records_only(old.of_hero(old.put(name))) == KNOWN[name]["now"]
    path = old.put(name)
    before = path.read_text(encoding="utf-8")
    shelf = heroes.shelf()
    assert shelf.broken == () and list(shelf.heroes) == [path.stem]
    heroes.save(shelf.heroes[path.stem])
    assert path.read_text(encoding="utf-8") == before


def test_a_hero_who_was_handed_out_is_brought_in_beside_its_namesake(tmp_path: Path) -> None:
    mine = old.put("heroes/1121-1811_robin-the-long-sighted-4d75.json")
    shared = tmp_path / "robin.json"
    shared.write_text(mine.read_text(encoding="utf-8"), encoding="utf-8")
    other = heroes.bring_in(shared)
    assert other.id != mine.stem and other.name == "Robin the Long-Sighted"
    assert set(heroes.shelf().heroes) == {mine.stem, other.id}


def aftermath_of(name: str) -> aftermath.Aftermath:
    match = load_fight(old.put(name))
    return aftermath.after(match.record, match.ruleset.summary(match.state), match.title)


@pytest.mark.parametrize("date, hero", [("1121-1811", "mira-quill-9b7e"), ("1122-2349", "mira-quill-4b9c")])
def test_a_fight_that_is_in_a_heros_story_since_long_does_not_count_again(date: str, hero: str) -> None:
    old.put(f"heroes/{date}_{hero}.json")
    found = aftermath_of(f"fights/{date}_own_heroes.json")
    assert found.heroes == ()
    assert found.refused == ("Mira Quill: this fight is in the story already",)


def test_a_fight_that_an_archer_began_before_arrows_were_counted_counts() -> None:
    old.put("heroes/1121-1811_robin-the-long-sighted-4d75.json")
    [robin] = aftermath_of("fights/1121-1811_own_heroes.json").heroes
    assert [past.title for past in robin.history] == ["First blood"]
    heroes.save(robin)
    assert "in the story already" in aftermath_of("fights/1121-1811_own_heroes.json").refused[0]


# -- settings


@pytest.mark.parametrize("name", old.of_kind("settings"))
def test_settings_keep_every_value_and_every_key_of_ones_own(name: str) -> None:
    said = json.loads(old.put(name).read_text(encoding="utf-8"))
    for _ in range(2):
        found = settings.load_settings()
        new = settings.Settings()
        later = {"players": new.players.model_dump(mode="json"), "level": new.level}  # what programs since then have
        now = {**later, **KNOWN[name]["now"], "new_fight": {"adventure": "", **KNOWN[name]["now"]["new_fight"]}}
        assert old.records_only(found.model_dump(mode="json")) == now
        assert {field: getattr(found, field) for field in said if field not in ("version", "new_fight")} == {
            field: value for field, value in said.items() if field not in ("version", "new_fight")
        }
        last = said.get("new_fight", settings.NewFight().model_dump())
        assert found.new_fight.model_dump(include=set(last)) == last
        settings.save_settings(found)
    keys = load_keys(given_way(found.keys))
    assert all(list(keys.named(command).keys) == held for command, held in said["keys"].items())


def test_a_key_of_ones_own_means_the_same_when_a_later_program_ships_another_command_with_it() -> None:
    own = {"zoom_fit": ["F7"], "log": ["Ctrl+M"], "replay_play": ["F8"]}
    app = App((1280, 720), settings=settings.Settings(keys=own, speed=0, volume=0))
    assert app.keys.find(pygame.K_F7, 0) == "zoom_fit", "and not `context`, which has it since"
    assert app.keys.find(pygame.K_m, pygame.KMOD_LCTRL) == "log"
    assert app.keys.named("context").keys == ("Shift+F10",) and app.keys.named("small_map").keys == ()
    assert app.keys.named("setup_fault").keys == ("F8",), "no scene answers to both"
    assert app.keys.named("setup_context").keys == ("Shift+F10",)


# -- broken files


def broken(name: str, goal: Path) -> tuple[Path, bytes]:
    goal.parent.mkdir(parents=True, exist_ok=True)
    data = (old.OLD / "broken" / name).read_bytes()
    goal.write_bytes(data)
    return goal, data


def one_line(call: Callable[[], object]) -> str:
    with pytest.raises(BattlematError) as caught:
        call()
    assert str(caught.value).count("\n") == 0
    return str(caught.value)


@pytest.mark.parametrize(
    "name, says",
    [
        ("fight_cut_off.json", "not JSON: "),
        ("fight_of_a_newer_program.json", "format: 'battlemat/3' is of a newer Battlemat"),
        ("fight_with_an_unknown_command.json", "ends"),
        ("fight_with_a_thing_that_is_no_more.json", "king's mace token"),
    ],
)
def test_a_broken_fight_is_told_in_one_line_and_left_as_it_was(home: Path, name: str, says: str) -> None:
    path, data = broken(name, home / "fights" / "mine-1.json")
    assert says in one_line(lambda: load_fight(path))
    assert says in saves.look(path).fault and storage.fights() == [path]
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    "name, says",
    [
        ("journal_of_a_newer_program.jsonl", "journal: 2 is of a newer Battlemat"),
        ("journal_with_a_broken_record.jsonl", "creatures[0]"),
    ],
)
def test_a_broken_journal_is_told_in_one_line_and_left_as_it_was(home: Path, name: str, says: str) -> None:
    path, data = broken(name, home / "journals" / "current-1-2.jsonl")
    [found] = recovery.interrupted()
    assert found.record is None and says in found.fault and "\n" not in found.fault
    assert says in one_line(lambda: recovery.resume(found))
    assert path.read_bytes() == data


def test_a_broken_table_is_told_in_one_line_and_left_as_it_was(home: Path) -> None:
    path, data = broken("encounter_no_json.json", home / "encounters" / "mine.json")
    draft, same = broken("encounter_no_json.json", home / "drafts" / "encounter.json")
    assert "mine.json: not JSON: " in one_line(lambda: encounters.load(path))
    assert encounters.kept() is None
    assert (path.read_bytes(), draft.read_bytes()) == (data, same)


def test_a_broken_hero_is_told_in_one_line_beside_the_others_and_left_as_it_was(home: Path) -> None:
    path, data = broken("mira-quill-9b7e.json", home / "heroes" / "mira-quill-9b7e.json")
    old.put("heroes/1121-2111_lin-0a1b.json")
    shelf = heroes.shelf()
    assert list(shelf.heroes) == ["lin-0a1b"]
    [line] = shelf.broken
    assert line == one_line(lambda: heroes.load(path))
    assert "mira-quill-9b7e.json: build.stats.brawn: " in line
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    "name, says", [("settings_cut_off.json", "no JSON"), ("settings_with_a_word_for_a_number.json", "broken at volume")]
)
def test_broken_settings_are_told_in_one_line_and_left_as_they_were(home: Path, name: str, says: str) -> None:
    path, data = broken(name, home / "settings.json")
    line = one_line(settings.load_settings)
    assert says in line and "defaults are used" in line
    app = App((1280, 720))
    app.navigator.title()
    assert path.read_bytes() == data, "only saving settings mends it"


@pytest.mark.parametrize("name", ["maps/in-place.json", "fights/maps-of-fights"])
def test_a_broken_list_of_maps_forgets_them_and_stays_as_it_was(home: Path, name: str) -> None:
    (home / name).write_text('{"half": ', encoding="utf-8")
    fight = "1121-1632_own_map" if "maps-of" in name else "1122-1556_map_in_place"
    path = old.put(f"fights/{fight}.json")
    assert "is neither beside the record nor in maps/" in one_line(lambda: load_fight(path))
    assert (home / name).read_text(encoding="utf-8") == '{"half": '


# -- what is noted of fights is found again


def test_what_a_fight_is_noted_under_changes_with_no_program() -> None:
    """Its short name stands in lists of maps and in heroes' stories: it must never come out otherwise."""
    record = storage.read_record(old.put("fights/1121-1632_own_map.json"))
    assert storage.openings(record) == ("7be6737c", "44fa3bcf", "8cc767a4")
    assert storage.opening(record) == "7be6737c"


class MapOfTomorrow(records.MapModel):
    weather: str | None = None


class RecordOfTomorrow(records.Record):
    map: MapOfTomorrow


def test_a_field_that_maps_get_one_day_makes_no_fight_forgotten() -> None:
    today = storage.read_record(old.put("fights/1121-1632_own_map.json"))
    tomorrow = RecordOfTomorrow.model_validate(records.document(today))
    assert storage.openings(tomorrow) == storage.openings(today)
    rainy = tomorrow.model_copy(update={"map": tomorrow.map.model_copy(update={"weather": "rain"})})
    assert storage.opening(rainy) != storage.opening(today)


def test_what_only_a_later_program_could_write_has_no_earlier_name() -> None:
    exits = storage.read_record(old.put("fights/1121-2011_obstacles_exits.json"))
    challenges = storage.read_record(old.put("fights/1121-1817_challenges.json"))
    assert (len(storage.openings(exits)), len(storage.openings(challenges))) == (1, 2)


def test_drafts_of_old_fights_begin_them_anew() -> None:
    path = old.put("fights/1121-1632_branches_seats.json")
    draft, left_behind = encounters.load(path)
    assert left_behind == 12 and [seat["name"] for seat in draft.more["seats"]] == ["Ann", "Ben"]
    assert drafts.to_record(draft).branches == []

"""What the title offers to go on with: the newest fight or expedition that isn't over, and how far it has come."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.fight.match import Match
from game.scenes.fight.scene import Fight
from game.storage import evenings, recovery
from game.storage import records as storage
from game.widgets.controls import Button
from rules.contract.text import Text

pytestmark = pytest.mark.usefixtures("home")

MAP = ["........", "........", "........"]


def encounter(title: str = "The Hall", seed: int = 7, hp: int = 12) -> dict[str, object]:
    return {
        "format": "battlemat/1", "ruleset": "olde", "title": title, "seed": seed, "map": {"rows": MAP},
        "creatures": [
            {"id": "ada", "side": "heroes", "template": "warrior", "at": [1, 1], "controller": "human"},
            {"id": "g", "side": "monsters", "template": "goblin", "at": [6, 1], "controller": "human"},
        ],
    }  # fmt: skip


def played(title: str = "The Hall", seed: int = 7, steps: int = 1) -> Match:
    match = Match.from_record(encounter(title, seed))
    scribe = recovery.Scribe(match)
    for _ in range(steps):
        decision = match.decision
        assert decision is not None
        action = next(each for each in match.legal(decision) if not each.path)
        match.act(decision, action)
    scribe.close()
    return match


def aged(path: Path, seconds: int) -> None:
    then = path.stat().st_mtime - seconds
    os.utime(path, (then, then))


def noted(path: Path, **changes: object) -> None:
    file = storage.fights_folder() / evenings.NOTES
    known = json.loads(file.read_text(encoding="utf-8"))
    known[path.name] |= changes
    file.write_text(json.dumps(known), encoding="utf-8")


def test_where_nothing_was_left_there_is_nothing_to_go_on_with() -> None:
    assert recovery.left_off() is None


def test_what_was_left_is_told_with_how_far_it_has_come_in_words_that_can_be_translated() -> None:
    match = played()
    found = recovery.left_off()
    assert found is not None and found.path == storage.fights()[0]
    assert (found.title, found.level, found.caption) == ("The Hall", "", match.board().caption)
    assert isinstance(found.caption, Text) and found.caption.template == "Turn {turn}, round {round}"


def test_the_newest_counts_and_one_that_is_over_does_not_nor_do_its_earlier_saves() -> None:
    played("The Hall", 7)
    [hall] = storage.fights()
    played("The Cellar", 8)
    cellar = next(path for path in storage.fights() if path != hall)
    aged(hall, 60)
    found = recovery.left_off()
    assert found is not None and found.title == "The Cellar"
    noted(cellar, over=True)
    found = recovery.left_off()
    assert found is not None and found.title == "The Hall"
    earlier = cellar.with_name(cellar.name.replace(cellar.name[-24:-20], "0001"))
    earlier.write_bytes(cellar.read_bytes())
    aged(earlier, 30)  # newer than the hall, and of a fight that has ended since
    found = recovery.left_off()
    assert found is not None and found.title == "The Hall"


def test_a_save_of_an_earlier_program_is_offered_by_its_name() -> None:
    played("The Old Hall")
    (storage.fights_folder() / evenings.NOTES).unlink()
    found = recovery.left_off()
    assert found is not None and (found.title, found.caption) == ("The old hall", "")


@pytest.mark.parametrize("text", ["", "[]", "{", '{"x": 3}', "nonsense"])
def test_notes_that_cannot_be_read_are_no_fault(text: str) -> None:
    played()
    (storage.fights_folder() / evenings.NOTES).write_text(text, encoding="utf-8")
    found = recovery.left_off()
    assert found is not None and found.title == "The hall"


BROKEN = [3, {"words": 3}, {"words": "{a}", "fields": {}}, {"words": "{", "fields": {}}, {"words": "x", "fields": [1]}]


@pytest.mark.parametrize("said", BROKEN)
def test_a_caption_that_was_meddled_with_is_left_out(said: object) -> None:
    played()
    [path] = storage.fights()
    noted(path, caption=said, level=["x"], title=7)
    found = recovery.left_off()
    assert found is not None and (found.caption, found.level, found.title) == ("", "", "The hall")


def test_an_interrupted_fight_comes_first_with_its_title() -> None:
    played("The Cellar", 8)
    match = Match.from_record(encounter("The Hall"))
    scribe = recovery.Scribe(match)
    decision = match.decision
    assert decision is not None
    match.act(decision, next(iter(match.legal(decision))))
    scribe.abandon()
    found = recovery.left_off()
    assert found is not None and (found.path, found.title) == (None, "The Hall")


def test_of_a_place_the_map_is_named_on_which_the_party_stands() -> None:
    record = encounter()
    record["format"] = "battlemat/2"
    record["map"] = {
        "place": [{"rows": MAP, "name": "top"}, {"rows": MAP, "name": "cellar"}],
        "stairs": [[["top", 3, 0], ["cellar", 1, 1]]],
    }
    creatures = record["creatures"]
    assert isinstance(creatures, list)
    creatures[0] |= {"map": "cellar"}
    creatures[1] |= {"map": "cellar"}
    assert evenings.level_of(Match.from_record(record)) == "cellar"


def test_the_titles_first_button_takes_it_up_and_says_how_far_it_has_come() -> None:
    match = played()
    app = App((1280, 720), settings=Settings(speed=0, offer_lesson=False))
    app.navigator.title()
    buttons = [w for panel in app.top.ui.live() for w in panel.walk() if isinstance(w, Button)]
    assert (buttons[0].label, buttons[0].cost) == ("Continue: The Hall", "Turn 1, round 1")
    assert buttons[0].gold and not buttons[1].gold
    assert app.top.ui.focus is buttons[0]  # Enter goes on at once
    buttons[0].on_press()
    again = app.top
    assert isinstance(again, Fight) and again.match.record == match.record


def test_where_there_is_nothing_to_go_on_with_a_new_fight_comes_first() -> None:
    app = App((1280, 720), settings=Settings(speed=0, offer_lesson=False))
    app.navigator.title()
    buttons = [w for panel in app.top.ui.live() for w in panel.walk() if isinstance(w, Button)]
    assert buttons[0].label == "New fight" and buttons[0].gold


@pytest.mark.parametrize("size", [(640, 400), (1280, 720)])
def test_a_long_title_is_cut_and_stays_within_the_window(size: tuple[int, int]) -> None:
    played("The Vault of the Nine and Ninety Weeping Kings under the Hill")
    app = App(size, settings=Settings(speed=0, offer_lesson=False))
    app.navigator.title()
    buttons = [w for panel in app.top.ui.live() for w in panel.walk() if isinstance(w, Button)]
    assert buttons[0].label.endswith("…")
    window = app.surface.get_rect()
    assert all(window.contains(button.rect) for button in buttons)
    assert not any(a.rect.colliderect(b.rect) for n, a in enumerate(buttons) for b in buttons[:n])

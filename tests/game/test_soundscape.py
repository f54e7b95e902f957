"""What lies under a fight or an expedition: by the place, its light, and what whoever looks has been shown."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import msgspec
import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings, load_settings
from game.app.sounds import SILENCE, Backdrop
from game.fight.match import Match
from game.paths import shipped_maps
from game.scenes.dialogs.options import Options
from game.scenes.fight.soundscape import Soundscape, place_of
from game.scenes.fight.table import FightTable
from game.sound.ambience import themes
from game.widgets.controls import Label
from rules.board.grid import Field, Light
from rules.contract.display import Miniature
from rules.contract.events import Began, Event, Noise, NoiseKind, Note, Over
from rules.contract.units import Cell
from tests.game.player import Player


def field(theme: str, ambient: str, *lights: Light) -> Field:
    return msgspec.structs.replace(
        Field.from_rows(["." * 12] * 3, lights=lights), theme=theme, ambient=ambient
    )  # fmt: skip


@pytest.mark.parametrize(
    ("theme", "ambient", "told"),
    [
        ("crypt", "dark", "crypt dark"), ("crypt", "dim", "crypt lit"), ("wood", "bright", "wood lit"),
        ("", "dark", "none dark"), ("the moon", "bright", "none lit"),
    ],
)  # fmt: skip
def test_a_place_sounds_by_its_theme_and_by_its_light(theme: str, ambient: str, told: str) -> None:
    assert place_of(field(theme, ambient), Cell(0)) == told


def test_where_a_light_of_the_map_shines_a_dark_place_sounds_lit() -> None:
    crypt = field("crypt", "dark", Light(Cell(2), 3, 6))
    assert [place_of(crypt, Cell(cell)) for cell in (0, 5, 6, 11)] == ["crypt lit"] * 2 + ["crypt dark"] * 2


def scape(decision: object = "open") -> Soundscape:
    return Soundscape(cast(Match, SimpleNamespace(decision=decision, field=field("crypt", "dark"))))


def test_music_follows_what_was_shown() -> None:
    heard = scape()
    heard.recall([Began(what="exploration", number=1), Began(what="minute", number=4)], {"heroes"})
    assert heard.backdrop == Backdrop("crypt dark", "exploring")
    after: list[tuple[Event, str]] = [
        (Note(text="Something moves."), "exploring"), (Began(what="fight"), "fight"), (Began(what="turn"), "fight"),
        (Began(what="truce"), "exploring"), (Began(what="fight"), "fight"), (Over(winner="monsters"), "lost"),
    ]  # fmt: skip
    for event, music in after:
        heard.hear(event, {"heroes"})
        assert heard.music == music


def test_a_fight_by_itself_is_a_fight_and_one_that_is_long_over_is_quiet() -> None:
    heard = scape()
    heard.recall([Began(what="turn", number=2)], {"heroes"})
    assert heard.music == "fight"
    done = scape(None)
    done.recall([Began(what="fight"), Over(winner="heroes")], {"heroes"})
    assert done.music == ""
    done.hear(Over(winner="heroes"), {"heroes"})
    assert done.music == "won"


def test_every_map_of_ours_has_a_theme_that_has_a_sound() -> None:
    for path in shipped_maps().glob("*.tmx"):
        said = path.read_text(encoding="utf-8").partition('name="theme" value="')[2].partition('"')[0]
        assert said in themes(), path.name


def test_title_fight_and_what_lies_over_them_ask_for_their_sounds() -> None:
    app = App((1280, 720), settings=Settings(speed=0, offer_lesson=False))
    app.navigator.title()
    assert app.backdrop() == Backdrop(music="title")
    app.push(Options(app, "sound"))
    assert app.backdrop() == Backdrop(music="title")  # a dialog is no place of its own
    app.navigator.bestiary()
    app.scenes = app.scenes[-1:]
    assert app.backdrop() == SILENCE
    app.navigator.surprise("crypt")
    assert app.backdrop().ambience.startswith("crypt ") and app.backdrop().music in ("fight", "exploring")


def test_a_noise_that_only_others_hear_is_not_heard_and_ones_own_is(monkeypatch: pytest.MonkeyPatch) -> None:
    app = App((1280, 720), settings=Settings(speed=0, offer_lesson=False))
    app.navigator.surprise("crypt")
    fight = cast(FightTable, app.top)
    heard: list[str] = []
    fight.view.animator.heard = heard.append
    own = next(mini for mini in fight.board.miniatures if mini.side in fight.sides)
    theirs = Noise(what=NoiseKind.VOICES, at=(0, 0), heard=(("somebody", 2), (own.id, 14)), seen_by=("nobody",))
    fight.telling.tell([theirs], fight.board, fight.board)
    assert heard == []
    fight.telling.tell([msgspec.structs.replace(theirs, seen_by=(own.side,))], fight.board, fight.board)
    assert heard == ["far voices"]


def test_a_party_hears_what_most_of_it_stands_in_and_the_map_of_whoever_acts() -> None:
    crypt = field("crypt", "dark", Light(Cell(0), 2, 4))
    heard = Soundscape(cast(Match, SimpleNamespace(decision=None, field=crypt)))

    def at(*cells: int) -> list[Miniature]:
        return [Miniature(f"m{n}", "Wren", "heroes", Cell(cell), "warrior") for n, cell in enumerate(cells)]

    for cells, told in (((0, 1, 8), "crypt lit"), ((0, 8, 9), "crypt dark"), ((0, 9), "crypt dark")):
        heard.stand(at(*cells))
        assert heard.backdrop.ambience == told
    heard.stand(at(0, 9), "m1")
    assert heard.backdrop.ambience == "crypt dark"
    heard.stand([])  # nobody is left: as it was
    assert heard.backdrop.ambience == "crypt dark"


def test_one_key_turns_all_off_anywhere_and_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BATTLEMAT_HOME", str(tmp_path))
    app = App((1280, 720), settings=Settings(speed=0, offer_lesson=False))
    player = Player(app)
    app.navigator.title()
    for told in ("F4 sound", "F4 silence"):
        player.key(pygame.K_F4)
        labels = [str(w.text) for panel in app.top.ui.live() for w in panel.walk() if isinstance(w, Label)]
        assert any(told in label for label in labels)
    app.navigator.surprise("crypt")
    player.key(pygame.K_F4)
    fight = app.top
    assert isinstance(fight, FightTable) and fight.toast_text == "Sound is off."
    assert not app.settings.sound and load_settings().sound is False  # it stays so
    player.key(pygame.K_F4)
    assert fight.toast_text == "Sound is on."

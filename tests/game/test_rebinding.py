"""Keys rebound in the window: pressed, swapped, taken, given back, kept; and what the settings file may hold."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.app.loop import App
from game.app.settings import PALETTES, Settings, load_settings, save_settings, settings_path
from game.controllers import human as rebinding
from game.controllers.human import (
    INDISPENSABLE,
    TOGETHER,
    bind,
    holder,
    load_keys,
    reset,
    stroke,
    take,
    unbind,
    written,
)
from game.scenes.base import Scene
from game.scenes.dialogs.help import Capture
from game.scenes.dialogs.options import Options
from game.view.palette import use as use_palette
from game.widgets.core import Scroll
from rules.contract.errors import BattlematError

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _no_settings() -> Iterator[None]:
    yield
    settings_path().unlink(missing_ok=True)


@pytest.fixture
def app() -> App:
    app = App((1280, 720), settings=Settings(speed=0, volume=0))
    app.navigator.title()
    app.push(Options(app, "keys"))
    return app


def press(app: App, key: int, mod: int = 0) -> None:
    for kind in (pygame.KEYDOWN, pygame.KEYUP):
        app.handle(pygame.event.Event(kind, key=key, mod=mod, unicode="", scancode=0))


def click(app: App, key: str) -> None:
    """Click a widget by its name, with the mouse."""
    widgets = [w for panel in app.top.ui.live() for w in panel.walk()]
    widget = next(w for w in widgets if w.key == key)
    for scroll in widgets:
        if isinstance(scroll, Scroll) and widget in scroll.walk():
            scroll.show(widget)
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        app.handle(pygame.event.Event(kind, button=1, pos=widget.rect.center))


# -- names of keys


def test_every_shipped_key_is_called_what_it_is_written_as() -> None:
    for command in load_keys().commands:
        for text, known in zip(command.keys, command.strokes, strict=True):
            assert written(known.key, known.modifiers) == text


@pytest.mark.parametrize(
    "key, mod, text",
    [
        (pygame.K_PLUS, pygame.KMOD_LCTRL, "Ctrl++"),
        (pygame.K_KP_PLUS, pygame.KMOD_LALT, "Alt+Keypad +"),
        (pygame.K_z, pygame.KMOD_RCTRL | pygame.KMOD_LSHIFT, "Ctrl+Shift+Z"),
        (0xE9, 0, "É"),
        (pygame.K_INSERT, 0, "Insert"),
    ],
)
def test_any_key_can_be_named_and_is_found_by_its_name(key: int, mod: int, text: str) -> None:
    assert written(key, mod) == text
    assert stroke(text).matches(key, mod)


@pytest.mark.parametrize("key", [pygame.K_LSHIFT, pygame.K_RCTRL, pygame.K_CAPSLOCK, 0, -1, 1 << 31])
def test_a_modifier_alone_or_a_nameless_key_is_no_key(key: int) -> None:
    assert written(key, 0) == ""


def test_the_groups_are_those_that_scenes_answer_to() -> None:
    scenes, found = [Scene], set()
    while scenes:
        scene = scenes.pop()
        scenes += scene.__subclasses__()
        found.add(frozenset(scene.key_groups))
    assert all(any(groups <= together for together in TOGETHER) for groups in found)
    assert {command.group for command in load_keys().commands} <= frozenset().union(*TOGETHER)


# -- by posted events


def test_a_key_is_rebound_by_pressing_the_new_one_and_works_at_once(app: App) -> None:
    click(app, "save Ctrl+S")
    press(app, pygame.K_F12)
    assert isinstance(app.top, Options)
    assert app.keys.find(pygame.K_F12, 0) == "save"
    assert app.keys.find(pygame.K_s, pygame.KMOD_LCTRL) == ""
    assert load_settings().keys == {"save": ["F12"]}


def test_a_search_among_the_keys_finds_by_word_and_by_key(app: App) -> None:
    def shown() -> set[str]:
        widgets = (w for panel in app.top.ui.live() for w in panel.walk())
        return {w.key.removesuffix(" more") for w in widgets if w.key.endswith(" more")}

    assert shown() == {command.name for command in app.keys.commands}
    click(app, "search")
    assert app.top.ui.focus is not None
    place = app.top.ui.focus.rect.copy()
    for letter in "quick":
        code = ord(letter)
        app.handle(pygame.event.Event(pygame.KEYDOWN, key=code, mod=0, unicode=letter, scancode=0))
        app.handle(pygame.event.Event(pygame.KEYUP, key=code, mod=0, unicode="", scancode=0))
    assert shown() == {"quicksave", "quickload"}
    assert (app.top.ui.focus.key, app.top.ui.focus.rect) == ("search", place), "it stays under the hand"


def test_a_command_may_have_several_keys(app: App) -> None:
    click(app, "log more")
    press(app, pygame.K_l, pygame.KMOD_LALT)
    assert app.keys.named("log").keys == ("Ctrl+L", "Alt+L")


def test_a_conflict_names_who_holds_the_key_and_swaps(app: App) -> None:
    click(app, "save Ctrl+S")
    press(app, pygame.K_F5)
    assert isinstance(app.top, Capture)
    assert app.top.holder is not None and app.top.holder.name == "quicksave"
    assert app.settings.keys == {}
    click(app, "swap")
    assert app.keys.named("save").keys == ("F5",)
    assert app.keys.named("quicksave").keys == ("Ctrl+S",)


def test_a_key_can_be_taken_from_its_holder_and_given_back_by_either(app: App) -> None:
    click(app, "save Ctrl+S")
    press(app, pygame.K_F5)
    click(app, "take")
    assert app.keys.named("quicksave").keys == ()
    click(app, "quicksave reset")
    assert app.keys.named("quicksave").keys == ("F5",)
    assert app.keys.named("save").keys == ("Ctrl+S",)
    assert app.settings.keys == {}


def test_all_keys_are_reset_at_once(app: App) -> None:
    for name, key in (("save", pygame.K_F12), ("log", pygame.K_F10)):
        click(app, f"{name} {load_keys().shown(name)}")
        press(app, key)
    assert len(app.settings.keys) == 2
    app.top.ui.focus_key("reset all")
    press(app, pygame.K_RETURN)
    assert app.keys.commands == load_keys().commands
    assert load_settings().keys == {}


def test_escape_leaves_everything_as_it_was(app: App) -> None:
    click(app, "save Ctrl+S")
    press(app, pygame.K_F5)
    press(app, pygame.K_ESCAPE)  # another key, please
    press(app, pygame.K_ESCAPE)
    assert isinstance(app.top, Options)
    assert app.settings.keys == {}


def test_modifiers_alone_are_waited_through(app: App) -> None:
    click(app, "save Ctrl+S")
    press(app, pygame.K_LCTRL)
    assert isinstance(app.top, Capture)
    press(app, pygame.K_q, pygame.KMOD_LCTRL)
    assert app.keys.named("save").keys == ("Ctrl+Q",)


def test_full_screen_help_and_the_menu_are_only_keys_while_one_is_asked_for(app: App) -> None:
    click(app, "save Ctrl+S")
    press(app, pygame.K_F1)
    assert isinstance(app.top, Capture)
    assert app.top.holder is not None and app.top.holder.name == "help"


def test_nobody_loses_the_way_out(app: App) -> None:
    click(app, "back Escape")
    none = next(w for w in app.top.ui.layers[0][0].walk() if w.key == "none")
    assert not none.enabled
    app.pop()
    app.rebind(bind({}, app.keys.named("back"), "F12", "Escape"))
    click(app, "save Ctrl+S")
    press(app, pygame.K_F12)
    assert app.top.holder.name in INDISPENSABLE  # type: ignore[attr-defined]
    assert not next(w for w in app.top.ui.layers[0][0].walk() if w.key == "take").enabled


# -- the table itself


def test_a_key_may_mean_different_things_in_scenes_that_never_meet() -> None:
    keys = load_keys()
    assert holder(keys, keys.named("save"), "Ctrl+T") is None
    assert holder(keys, keys.named("setup_save"), "Ctrl+K").name == "keys"  # type: ignore[union-attr]


def test_a_key_of_many_holders_is_taken_from_all() -> None:
    keys = load_keys()
    found = take({}, keys, keys.named("fullscreen"), "Tab")
    after = load_keys(found)
    assert holder(after, after.named("fullscreen"), "Tab") is None
    assert "Tab" not in after.named("next_target").keys + after.named("setup_next").keys


def test_what_is_bound_back_is_no_longer_the_player_s_own() -> None:
    command = load_keys().named("save")
    own = bind({}, command, "F12", "Ctrl+S")
    assert bind(own, load_keys(own).named("save"), "Ctrl+S", "F12") == {}
    assert unbind({}, command, "Ctrl+S") == {"save": []}
    assert reset({"save": []}, "save") == {}
    assert not rebinding.rebound(load_keys(), "save")


# -- kept


def test_all_settings_come_back_as_they_were() -> None:
    kept = Settings(
        scale=150, speed=1, reduced_motion=True, palette="red-green", volume=0, language="xx", autosave=False,
        end_by_itself=False, keys={"save": []},
    )  # fmt: skip
    save_settings(kept)
    assert load_settings() == kept


@pytest.mark.parametrize(
    "name, value",
    [("volume", 101), ("volume", "loud"), ("palette", "mauve"), ("language", "../../etc"), ("language", "")]
    + [("scale", 74), ("keys", {"save": "F12"}), ("keys", ["F12"])],
)
def test_a_setting_out_of_bounds_is_one_line(name: str, value: object) -> None:
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text(json.dumps({name: value}), encoding="utf-8")
    with pytest.raises(BattlematError, match=name) as caught:
        load_settings()
    assert "\n" not in str(caught.value)
    assert App((640, 480)).settings == Settings()


@pytest.mark.parametrize("key", ["Hyper+E", "", "Ctrl+", "Ctrl+Nothing", "+" * 99, "\0", "\ud800", "Ctrl+\n"])
def test_a_key_that_nobody_knows_in_the_file_leaves_the_shipped_ones(key: str) -> None:
    app = App((640, 480), settings=Settings(keys={"save": [key]}))
    assert app.keys.commands == load_keys().commands


@given(
    st.dictionaries(
        st.sampled_from([command.name for command in load_keys().commands] + ["nobody"]),
        st.lists(st.one_of(st.text(max_size=6), st.sampled_from(["Ctrl+S", "Tab", "+", "Ctrl++", "é", "Keypad +"]))),
        max_size=4,
    ),
    st.sampled_from(PALETTES),
    st.sampled_from(["en", "xx", "EN_us"]),
    st.integers(75, 200),
)
@settings(max_examples=25)
def test_whatever_the_settings_hold_the_window_opens_and_shows_them(keys, palette, language, scale) -> None:
    app = App((640, 480), settings=Settings(keys=keys, palette=palette, language=language, scale=scale, volume=0))
    app.navigator.title()
    for page in ("look", "keys", "words"):
        app.push(Options(app, page))
        app.draw()
        app.pop()
    use_palette("normal")


def test_a_folder_that_refuses_is_one_line_and_the_setting_holds_for_now(
    app: App, monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("BATTLEMAT_HOME", str(tmp_path / "file" / "below"))
    app.top._set("scale", 120)  # type: ignore[attr-defined]
    assert app.top.name == "message"
    assert "\n" not in app.top.text  # type: ignore[attr-defined]
    assert app.settings.scale == 120


def test_each_kind_of_sound_has_its_volume_and_one_key_turns_all_off(app: App) -> None:
    options = app.scenes[-1]
    for name in ("volume", "ambience", "music"):
        options._set_volume(name, 45)  # type: ignore[attr-defined]
    assert (app.settings.volume, app.settings.ambience, app.settings.music) == (45, 45, 45)
    press(app, pygame.K_F4)
    assert not app.settings.sound
    press(app, pygame.K_F4)
    assert app.settings.sound


def test_the_pages_for_players_tell_a_key_of_every_command() -> None:
    pages = "\n".join(page.read_text(encoding="utf-8") for page in sorted((ROOT / "docs").glob("*.md")))
    told = pages.replace("Page up", "PageUp").replace("Page down", "PageDown").replace("Esc", "Escape")
    keys = tomllib.loads((ROOT / "assets/keys.toml").read_text(encoding="utf-8"))
    silent = {
        name: each["keys"]
        for section in keys.values()
        for name, each in section.items()
        if not any(re.search(rf"(?<![\w+]){re.escape(key)}(?!\w)", told) for key in each["keys"])
    }
    assert {name for name in silent if not silent[name][0].startswith(("Keypad", "Shift+"))} == set(), silent

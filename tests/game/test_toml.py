"""What a TOML text says is remembered by the text itself, and never trusted further than that."""

from __future__ import annotations

import pytest

from game import paths
from game.content.tables import KEPT, parsed

TEXT = '[[creature]]\nid = "gob"\nbrawn = 5\nquick = 1.0\n'
SAYS = {"creature": [{"id": "gob", "brawn": 5, "quick": 1.0}]}


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path))
    return tmp_path / "cache" / "toml"


def test_a_text_is_read_once_and_says_the_same_ever_after(own_folder, monkeypatch):
    assert parsed(TEXT) == SAYS
    monkeypatch.setattr("tomllib.loads", None)
    again = parsed(TEXT)
    assert again == SAYS
    assert type(again["creature"][0]["quick"]) is float


def test_a_changed_text_is_another_text(own_folder):
    parsed(TEXT)
    assert parsed(TEXT.replace("5", "6"))["creature"][0]["brawn"] == 6


@pytest.mark.parametrize("broken", [b"", b'{"creature": [', b"[]", b"\xff"])
def test_what_was_kept_and_is_broken_is_read_anew(own_folder, broken):
    parsed(TEXT)
    (kept,) = own_folder.iterdir()
    kept.write_bytes(broken)
    assert parsed(TEXT) == SAYS


def test_a_folder_that_refuses_costs_nothing_but_time(tmp_path):
    (tmp_path / "cache").write_text("a file in the way")
    assert parsed(TEXT) == SAYS


@pytest.mark.parametrize("text", ["day = 2026-11-21\n", "most = inf\n"])
def test_what_json_has_no_word_for_is_not_kept(own_folder, text):
    assert parsed(text) == parsed(text)
    assert not own_folder.exists()


def test_a_text_that_is_no_toml_is_refused_each_time(own_folder):
    for _ in range(2):
        with pytest.raises(ValueError, match="array declaration"):
            parsed("[[creature")


def test_old_texts_go(own_folder):
    for number in range(KEPT + 5):
        parsed(f"number = {number}")
    assert len(list(own_folder.iterdir())) == KEPT

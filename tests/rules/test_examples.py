"""The examples in docstrings run, and what they show is what comes out."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHOWN = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for folder in ("rules", "game")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]
WANTED = {"dice", "odds", "record", "grid", "path", "sight", "text"}


def test_the_ground_floor_shows_how_it_is_used() -> None:
    assert {name.rpartition(".")[2] for name in SHOWN} >= WANTED


@pytest.mark.parametrize("name", SHOWN)
def test_the_examples_of_a_module_come_out_as_they_say(name: str) -> None:
    found = doctest.testmod(import_module(name))
    assert found.attempted and not found.failed

"""Cairn against its twin: a few of the random fights (`make twins` plays 1,000), and errors that they must find."""

from __future__ import annotations

import pytest

from tests.twins.cairn.encounters import encounter
from tests.twins.cairn.errors import ERRORS, found_after
from tests.twins.cairn.match import play


@pytest.mark.parametrize("first", range(0, 12, 6))
def test_the_rules_and_their_twin_agree_on_every_command(first: int) -> None:
    compared = sum(play(encounter(number), number).compared for number in range(first, first + 6))
    assert compared > 120


@pytest.mark.parametrize(
    "name", ["Armor is not capped at 3", "impaired is a d6", "getting up is free", "hands reach everything"]
)
def test_a_deliberate_error_is_found_soon(name: str) -> None:
    assert found_after(name, fights=30) is not None


@pytest.mark.long
@pytest.mark.parametrize("name", ERRORS)
def test_every_deliberate_error_is_found_within_250_fights(name: str) -> None:
    assert found_after(name) is not None

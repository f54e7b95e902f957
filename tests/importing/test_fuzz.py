"""Maps of other programs broken by chance: each is read, or refused in one line; what was read becomes a map."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from game.importing import formats
from game.importing.command import summary
from game.importing.plan import Plan
from game.importing.writer import write
from game.maps.limits import MAX_SIDE
from game.maps.place import check_place
from rules.contract.errors import BattlematError, said
from tests.fuzz.mutations import mutated
from tests.importing import test_dungeondraft as dungeondraft
from tests.importing import test_foundry as foundry
from tests.importing import test_uvtt as uvtt

SAMPLES = Path("tests/importing/samples")
CASES = 150
"""Broken files of each format."""
BITS = (b"{", b"]", b"\x00", b"\xff\xfe", b"1e999", b"NaN", b"\n", b'"', b"[" * 3000)
"""What is thrown in."""
WRITTEN = 10
"""Of so many one is written, too."""

DOCUMENTS: dict[str, Callable[[], Any]] = {
    "uvtt": lambda: uvtt.house(lights=[{"position": {"x": 2, "y": 2}, "range": 4, "color": "ffeccd8b"}],
                               image=uvtt.picture()),
    "dungeondraft": dungeondraft.house,
    "foundry": lambda: foundry.scene(foundry.rooms(foundry.NEW), lights=[{"x": 300, "y": 200, "dim": 20}],
                                     notes=[{"x": 300, "y": 200, "text": "Bones"}]),
    "watabou": lambda: json.loads((SAMPLES / "watabou_cellar.json").read_text(encoding="utf-8")),
    "donjon": lambda: json.loads((SAMPLES / "donjon_keep.json").read_text(encoding="utf-8")),
    "scrawl": lambda: json.loads((SAMPLES / "scrawl_counting_house.json").read_text(encoding="utf-8")),
}  # fmt: skip


def read(source: bytes, name: str) -> Plan | None:
    """The plan, None where the file is refused; anything else than one line is a fault."""
    try:
        plan = formats.of_bytes(source, name)
    except BattlematError as error:
        words = said(error)
        assert words.strip() and "\n" not in words and len(words) < 1000
        return None
    assert 0 < plan.columns <= MAX_SIDE and 0 < plan.rows <= MAX_SIDE
    assert all(0 <= x < plan.columns and 0 <= y < plan.rows for x, y in plan.floor)
    assert 0 <= summary(plan)["off_grid"] <= 1
    return plan


def kept(plan: Plan, path: Path) -> None:
    """It becomes a map that can be read; or one line says why not, and nothing is left behind."""
    try:
        write(plan, path)
    except BattlematError as error:
        words = said(error)
    else:
        check_place(path)
        return
    assert "\n" not in words
    assert not path.exists()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_with_something_wrong_is_read_or_refused_in_one_line(name: str, tmp_path: Path) -> None:
    whole = DOCUMENTS[name]()
    assert read(json.dumps(whole).encode(), name) is not None, "the sample itself is right"
    came = 0
    for case in range(CASES):
        lot = random.Random(f"{name} {case}")
        document = copy.deepcopy(whole)
        for _ in range(lot.randint(1, 3)):
            document = mutated(document, lot)
        plan = read(json.dumps(document).encode(), name)
        if plan is not None and (came := came + 1) % WRITTEN == 1:
            kept(plan, tmp_path / f"{case}.tmx")
    assert came


@pytest.mark.parametrize("name", [*DOCUMENTS, "donjon_keep.txt"])
def test_a_file_with_broken_bytes_is_read_or_refused_in_one_line(name: str) -> None:
    sample = SAMPLES / name
    whole = sample.read_bytes() if sample.is_file() else json.dumps(DOCUMENTS[name]()).encode()
    for number in range(CASES):
        lot, data = random.Random(f"{name} {number}"), bytearray(whole)
        for _ in range(lot.randint(1, 8)):
            at = lot.randrange(len(data))
            match lot.randrange(4):
                case 0:
                    data[at] = lot.randrange(256)
                case 1:
                    del data[at : min(at + lot.randint(1, 40), len(data) - 1)]
                case 2:
                    data[at:at] = lot.choice(BITS)
                case _:
                    del data[max(1, at) :]
        read(bytes(data), name)

"""Heroes of the player's own in the real window: by mouse alone, by keys alone, in both sizes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.preparing import Preparing
from tests.e2e.real_table import MARKS, ways

pytestmark = MARKS


class AtTheBench(Preparing):
    """In the workshop; what is done is waited for."""

    def bench(self, what: str, ask: Callable[[dict[str, Any]], Any] = lambda bench: True) -> dict[str, Any]:
        """Wait until the workshop is so."""

        def told(status: dict[str, Any]) -> Any:
            found = status["more"].get("bench")
            return status["scene"] == "workshop" and found and ask(found) and [found]

        try:
            found: dict[str, Any] = self.table.await_(what, told, 15)[0]
        except AssertionError as error:
            self.shot("failed")
            raise AssertionError(f"{error}; {self.table.now()['more'].get('bench')}") from None
        return found

    def hero(self) -> dict[str, Any]:
        found: dict[str, Any] = self.bench("a hero", lambda b: b["hero"])["hero"]
        return found

    def page(self, name: str) -> None:
        """Turn to a page, by its tab or by Page down."""
        if self.keys:
            for _ in range(8):
                if self.bench("a page")["page"] == name:
                    return
                self.hand.type("Next")  # type: ignore[attr-defined]
        else:
            self.hand.press(f"page {name}")
        self.bench(name, lambda b: b["page"] == name)

    def take(self, key: str, ask: Callable[[dict[str, Any]], Any] = lambda hero: True) -> dict[str, Any]:
        """Press a thing of the page, and wait for the hero to be so."""
        self.press(key)
        found: dict[str, Any] = self.bench(f"{key} to be done", lambda b: b["hero"] and ask(b["hero"]))[
            "hero"
        ]
        return found

    def refused(self, key: str, words: str) -> None:
        """Press what can't be; it says why."""
        self.press(key)
        self.bench(f"a refusal of {key}", lambda b: b["refused"] and words in b["said"])


Sat = Callable[[str, str, str], AtTheBench]


@pytest.fixture
def sat(display: str, tmp_path: Path) -> Iterator[Sat]:
    found: list[AtTheBench] = []

    def sit(hand: str, size: str, story: str) -> AtTheBench:
        found.append(AtTheBench(display, tmp_path, hand, size, story))
        return found[-1]

    yield sit
    for each in found:
        each.stop()


@ways()
def test_a_core_hero_from_the_empty_bench_to_its_sheet(sat: Sat, hand: str, size: str) -> None:
    at = sat(hand, size, "core")
    at.open()
    at.scene("title")
    at.hand.press("Heroes")
    at.bench("an empty bench", lambda b: not b["heroes"])
    at.shot("empty")
    at.press("begin Warrior")
    at.bench("a new hero", lambda b: b["hero"] and b["page"] == "Looks")
    at.shot("new")
    at.write("name", "Mira of the Fen")
    at.bench("a name", lambda b: b["hero"]["name"] == "Mira of the Fen")
    at.take("cloth teal", lambda h: h["looks"]["cloth"] == "teal")
    at.take("ring gold", lambda h: h["looks"]["ring"] == "gold")
    at.take("size small", lambda h: h["size"] == "small")
    at.take("art templar", lambda h: h["looks"]["art"] == "templar")
    at.shot("looks")

    at.page("Stats")
    at.take("array 10 7 4 4", lambda h: 10 in h["build"]["stats"].values())
    at.press("stat brawn")
    at.shot("half-swap")
    before = at.hero()["build"]["stats"]
    at.take("stat nerve", lambda h: h["build"]["stats"]["nerve"] == before["brawn"])
    at.take("array 10 7 4 4")
    at.shot("stats")

    at.page("Skills")
    at.shot("package")
    for number in range(4):
        choices = [w["key"] for w in at.table.now()["widgets"] if w["key"].startswith(f"choice {number} ")]
        if choices:
            at.take(choices[-1])
    ranks = [w["key"] for w in at.table.now()["widgets"] if w["key"].startswith("journeyman ")]
    if ranks:
        at.take(ranks[-1], lambda h: h["build"]["journeyman"])
    at.shot("skills")

    at.page("Equipment")
    at.shot("shop")
    purse = at.hero()["purse"]
    at.take("buy broadsword", lambda h: "broadsword" in h["weapons"] and h["purse"] < purse)
    at.press("table shields")
    at.take("buy roundel", lambda h: h["shield"] == "roundel")
    at.shot("shields")
    at.refused("buy buckler", "One shield")
    at.shot("one-shield")
    at.press("table armor")
    at.shot("armor")
    at.refused("buy full plate", "coin short")
    at.shot("too-dear")
    at.press("table items")
    at.shot("items")
    at.press("undo", "ctrl+z")
    at.bench("the shield back in the shop", lambda b: b["hero"]["shield"] is None)
    at.press("redo", "ctrl+y")
    at.bench("the shield again", lambda b: b["hero"]["shield"] == "roundel")
    at.press("table weapons")
    at.take("buy dagger", lambda h: "dagger" in h["weapons"])
    at.take("hold 1 dagger")
    at.shot("third-hand")
    at.take("first 1", lambda h: h["weapons"][0] == "dagger")
    at.take("sell 0 dagger", lambda h: "dagger" not in h["weapons"])
    at.shot("gear")

    at.page("Advance")
    at.shot("advance")
    at.page("Sheet")
    at.shot("sheet")
    at.press("png")
    at.bench("a PNG", lambda b: b["said"].endswith(".png"))
    at.press("pdf")
    written = at.bench("a PDF", lambda b: b["said"].endswith(".pdf"))["said"]
    assert Path(written.removeprefix("Written to ")).read_bytes().startswith(b"%PDF")
    at.shot("written")

    at.press("Copy")
    at.bench("two heroes", lambda b: len(b["heroes"]) == 2)
    at.shot("copied")
    at.press("Export")
    shared = at.bench("a file", lambda b: "shared" in b["said"])["said"].removeprefix("Written to ")
    at.shot("exported")
    at.press("Delete")
    at.scene("ask")
    at.shot("delete")
    at.press("go")
    at.bench("one hero", lambda b: len(b["heroes"]) == 1)
    at.press("Import")
    at.scene("import")
    at.write("path", shared)
    at.shot("import")
    at.press("Import", "Return")
    at.bench("two heroes again", lambda b: len(b["heroes"]) == 2)
    at.press("Import")
    at.scene("import")
    at.write("path", "/nowhere/there.json")
    at.press("Import", "Return")
    at.table.await_("why not", lambda s: any("No such file" in each for each in s["texts"]))
    at.shot("import-wrong")
    at.do("Back", "Escape")
    kept = json.loads(next((at.home / "heroes").glob("*.json")).read_text(encoding="utf-8"))
    assert kept["format"] == "battlemat-hero/1"
    at.hand.press("leave")
    at.scene("title")
    at.close()


@ways()
def test_a_crunchy_hero_with_refusals_and_steps_taken_back(sat: Sat, hand: str, size: str) -> None:
    at = sat(hand, size, "crunchy")
    at.open()
    at.scene("title")
    at.hand.press("Heroes")
    at.bench("an empty bench")
    at.press("new")
    at.write("name", "Old Tam")
    at.page("Stats")
    at.take("way crunchy", lambda h: h["build"]["way"] == "crunchy")
    at.shot("points")
    at.take("more savvy", lambda h: h["build"]["stats"]["savvy"] == 7)
    for _ in range(6):
        at.press("more savvy")
    at.bench("why not", lambda b: b["refused"])
    at.shot("too-much")
    for _ in range(4):
        at.press("undo", "ctrl+z")
    at.take("less finesse", lambda h: h["build"]["stats"]["finesse"] == 5)
    at.shot("less")
    at.page("Skills")
    at.shot("market")
    found = [w["key"] for w in at.table.now()["widgets"] if w["key"].startswith("bought set")]
    at.take(found[0])
    at.shot("set")
    at.take("bought skill Wizardry", lambda h: len(h["build"]["bought"]) == 2)
    at.shot("ranks")
    at.press("undo", "ctrl+z")
    at.press("redo", "ctrl+y")
    at.shot("redone")
    at.page("Magic")
    at.shot("magic")
    for key in [w["key"] for w in at.table.now()["widgets"] if w["key"].startswith("spells ")]:
        at.press(key)
        if at.bench("an answer")["refused"]:
            break
    at.shot("spells")
    at.close()

"""What is printed: read again from the PDF, and looked at where it is a picture."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pygame
import pytest
from pypdf import PdfReader

from game import cli
from game.content import tables
from game.paper import maps, matter
from game.paper.boards import Boards, board_of
from game.paper.matter import Level, Matter
from game.paper.pages import MILLIMETRES, Paper
from game.paper.printing import Order, Part, printed
from game.setup.draft import from_record
from rules.board.fixtures import DoorState
from rules.core import record as records

FIGHT = Path("tests/playthroughs/bandits_at_the_ford.json")
CRYPT = Path("maps/crypt.tmx")
INCH = 72


def table(ruleset: str = "olde", foes: int = 3) -> Matter:
    """A hero and some of a kind in a room with a door."""
    foe = {"olde": "goblin", "cairn": "goblin", "countup": "goblin"}[ruleset]
    hero = next(iter(tables.heroes(ruleset)))
    creatures: list[dict[str, Any]] = [
        {"id": "one", "template": hero, "side": "heroes", "controller": "human", "at": [1, 1]},
        *({"id": f"foe{n}", "template": foe, "side": "monsters", "controller": "ai", "at": [6 + n, 2]}
          for n in range(foes)),
    ]  # fmt: skip
    rows = ["############", "#....+.....#", "#....#.....#", "############"]
    found = records.read({"format": "battlemat/1", "ruleset": ruleset, "title": "By the door", "map": {"rows": rows},
                          "seed": 3, "creatures": creatures})  # fmt: skip
    return matter.of_draft(from_record(found), None)


def read(made: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(made))


def words(made: bytes) -> str:
    return "\n".join(page.extract_text() for page in read(made).pages)


def test_a_map_lies_as_it_needs_the_fewest_pages() -> None:
    assert maps.tiling(Level("", 0, 7, 10), Paper.A4, MILLIMETRES) == ((7, 10), (1, 1), False)
    assert maps.tiling(Level("", 0, 10, 7), Paper.A4, MILLIMETRES) == ((11, 7), (1, 1), True)
    assert maps.tiling(Level("", 0, 20, 14), Paper.LETTER, MILLIMETRES).pages == (2, 2)


@pytest.mark.parametrize("paper", Paper)
def test_an_inch_of_the_map_is_an_inch_on_paper(paper: Paper) -> None:
    page = read(printed(table(), Order((Part.MAP,), paper))).pages[0]
    wide, high = paper.size()
    assert float(page.mediabox.width) == pytest.approx(wide / MILLIMETRES * INCH, abs=0.1)
    assert float(page.mediabox.height) == pytest.approx(high / MILLIMETRES * INCH, abs=0.1)
    drawn = page.get_contents()
    assert drawn is not None
    matrix = re.search(r"([\d.]+) 0 0 ([\d.]+) [\d.]+ [\d.]+ cm", drawn.get_data().decode("latin-1"))
    assert matrix is not None
    across, down = map(float, matrix.groups())
    spaces = maps.tiling(Level("", 0, 12, 4), paper, MILLIMETRES).spaces
    assert (across, down) == (pytest.approx(min(spaces[0], 12) * INCH, abs=0.5), pytest.approx(4 * INCH, abs=0.5))


def test_pages_on_which_nothing_is_are_left_out(tmp_path: Path) -> None:
    whole = matter.of_map(CRYPT, "olde")
    pages = len(read(printed(whole, Order((Part.MAP,)))).pages)
    assert pages == maps.sheets_of_paper(whole, Paper.A4, MILLIMETRES)


def test_the_players_map_shows_no_secret_door_and_no_trap() -> None:
    whole = matter.of_map(CRYPT, "olde")
    door = next(door for door in whole.field.doors if door.state == DoorState.SECRET)
    spot = pygame.Rect(whole.field.at(door.cell), (1, 1))
    players, master = (board_of(whole, secrets=secrets) for secrets in (False, True))
    hidden = {each.id for each in whole.field.challenges if each.kind == "trap" or each.hidden}
    assert hidden and not hidden & {mark.label for mark in players.ground}
    assert hidden & {mark.label for mark in master.ground}
    pictures = [Boards(whole.field, whole.loaded, board).picture(spot, 32) for board in (players, master)]
    assert pygame.image.tobytes(pictures[0], "RGB") != pygame.image.tobytes(pictures[1], "RGB")


def test_the_players_map_names_nobody_and_nothing_hidden() -> None:
    whole = matter.of_map(CRYPT, "olde")
    secrets = {entry.heading for entry in matter.key(whole)}
    told = words(printed(whole, Order((Part.MAP,))))
    assert secrets and not [each for each in secrets if each in told]


def test_the_key_tells_of_every_mark() -> None:
    whole = matter.of_map(CRYPT, "olde")
    told = " ".join(words(printed(whole, Order((Part.KEY,)))).split())
    assert not [entry for entry in matter.key(whole) if " ".join(entry.heading.split()) not in told]


@pytest.mark.parametrize("ruleset", ["olde", "cairn", "countup"])
def test_the_sheet_has_everybody_once_and_alike_blocks_together(ruleset: str) -> None:
    from game.paper.sheets import blocks, fighters

    there = fighters(table(ruleset))
    assert [len(block.fighters) for block in blocks(there)] == [1, 3]
    told = words(printed(table(ruleset), Order((Part.SHEET,))))
    assert all(each.name in told for each in there)


def test_a_sheet_has_a_box_for_each_hit_point() -> None:
    drawn = [
        read(printed(table(foes=foes), Order((Part.SHEET,)))).pages[0].get_contents() for foes in (1, 2)
    ]  # a rectangle is `re`
    one, two = (each.get_data().count(b" re ") for each in drawn if each is not None)
    from game.paper.sheets import fighters, pools

    rounds = 10
    assert two - one == rounds + sum(bar.maximum for bar in pools(fighters(table(foes=1))[1].sheet))


def test_nine_cards_are_on_a_page() -> None:
    from game.paper.sheets import fighters

    names = list(tables.monsters("olde"))[:10]
    found = records.read({"format": "battlemat/1", "ruleset": "olde", "map": {"rows": ["." * 24] * 12}, "seed": 3,
        "creatures": [{"id": "h", "template": "warrior", "side": "heroes", "controller": "human", "at": [0, 11]},
            *({"id": f"m{n}", "template": name, "side": "monsters", "controller": "ai", "at": [n * 2, 2]}
              for n, name in enumerate(names))]})  # fmt: skip
    many = matter.of_draft(from_record(found), None)
    assert len(fighters(many)) == 11
    assert len(read(printed(many, Order((Part.CARDS,)))).pages) == 2


@pytest.mark.parametrize("ruleset", ["olde", "cairn", "countup"])
def test_ready_heroes_have_their_sheets(ruleset: str) -> None:
    assert len(read(printed(table(ruleset), Order((Part.HEROES,)))).pages) == 1


def test_the_command_line_writes_a_pdf_and_says_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "ford.pdf"
    assert cli.main(["print", str(FIGHT), "--parts", "sheet,key", "--forecast", "4", "--out", str(out)]) == 0
    assert capsys.readouterr().out.startswith(f"{out}: ")
    assert "% of 4 fights played out" in " ".join(words(out.read_bytes()).split())


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (["--parts", "poster"], "poster is nothing that can be printed: map, secrets, key, sheet, cards, heroes"),
        (["--paper", "A9"], "A9 is no size of paper: A4 or Letter"),
        (["--space", "0"], "--space 0: a space is 5 to 100 millimetres wide"),
        (["--space", "nan"], "--space nan: a space is 5 to 100 millimetres wide"),
        (["--out", "map.png"], "map.png: what is printed is written as .pdf"),
        (["--forecast", "-1"], "--forecast -1: 1 to"),
    ],
)
def test_a_wrong_word_gets_its_line_and_nothing_is_written(
    said: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fight = FIGHT.resolve()
    monkeypatch.chdir(tmp_path)
    assert cli.main(["print", str(fight), *said]) == 2
    assert told in capsys.readouterr().err
    assert list(tmp_path.glob("*.p*")) == []


def test_what_is_no_file_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["print", "nowhere.tmx"]) == 2
    assert capsys.readouterr().err == "battlemat: nowhere.tmx: there is no such file\n"

"""The rulebooks: their form, their faults in one line, their tables of content, and what must stand in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from game import paths
from game.content import reference
from game.content import reference as rulebook
from game.content import tables as content
from game.content.reference import TERMS, Filled, Listing, ReferenceError, Sheet
from rules.core.registry import RULESETS
from rules.olde.conditions import SPRUNG
from rules.olde.ruleset import SWITCHES
from rules.olde.traits import TRAITS
from tests import rulebook as writing
from tests.words.extract import words

BOOKS = [name for name in sorted(RULESETS) if (paths.rulebooks() / f"{name}.md").is_file()]
TALE = """# A tale
<!-- words: story -->

What it is.

## 1. Beginning

### The Hero
<!-- words: hero, Who -->

Somebody `brave`,
in two lines.

- one
- two

| Thing | Worth |
|---|---|
| sword | −3 |

#### Luck

It comes.

## 2. Middle

### 2.8 Retreat

Away.

#### The road

1. first
2. second
"""


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder in place of the rulebooks'."""
    monkeypatch.setattr(paths, "rulebooks", lambda: tmp_path)
    for each in (reference.book, reference.pages):
        each.cache_clear()
    yield tmp_path
    for each in (reference.book, reference.pages):
        each.cache_clear()


# -- its form


def test_every_part_has_its_address_its_words_and_its_blocks() -> None:
    book = rulebook.parse(TALE, "tale.md")
    assert [book.address(part) for part in book.parts] == [
        "tale.md", "tale.md §1", "tale.md §1 The Hero", "tale.md §1 Luck", "tale.md §2", "tale.md §2.8",
        "tale.md §2.8 The road",
    ]  # fmt: skip
    hero = book.parts[2]
    assert hero.words == ("hero", "who") and hero.chapter == "Beginning"
    assert hero.blocks == (
        "Somebody brave, in two lines.", Listing(("one", "two")), Sheet(("Thing", "Worth"), (("sword", "−3"),)),
    )  # fmt: skip
    assert book.parts[-1].blocks == (Listing(("first", "second"), numbered=True),)


@pytest.mark.parametrize(
    "number, name, title",
    [("1", "", "Beginning"), ("1", "hero", "The Hero"), ("1", "LUCK", "Luck"), ("2", "a road", "The road"),
     ("2", "retreat", "Retreat"), ("2.8", "", "Retreat"), ("1", "road", None), ("3", "", None)],
)  # fmt: skip
def test_a_citation_finds_headings_at_any_depth_without_case_and_article(
    number: str, name: str, title: str | None
) -> None:
    part = rulebook.parse(TALE, "tale.md").at(number, name)
    assert (part.title if part else None) == title


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("# A tale\n", "", "before the first heading: a book begins with its title"),
        ("## 1. Beginning", "## Beginning", "'Beginning': a chapter begins with its number"),
        ("## 2. Middle", "## 1. Middle", "'1. Middle': that number is there twice"),
        ("### 2.8 Retreat", "### 3.8 Retreat", "'3.8 Retreat': its number is not one of chapter 2"),
        ("#### Luck", "#### Hero", "'Hero': §1 has two headings of that name"),
        ("## 1. Beginning\n", "", "'The Hero': stands before the first chapter"),
        ("It comes.", "It <b>comes</b>.", "'Luck': a tag is not shown"),
        ("It comes.", "![It](comes.png)", "'Luck': a picture is not shown"),
        ("It comes.", "> It comes.", "'Luck': a blockquote is not shown"),
        ("It comes.", "- it\n  - comes", "'Luck': a bullet list in a list is not shown"),
        ("It comes.", "<!-- wrods: it -->", "'Luck': '<!-- wrods: it -->' is no comment of a book"),
        ("It comes.", "It.\n\n<!-- words: it -->", "'Luck': the comment words stands directly below its heading"),
        ("It comes.", "<!-- content: shields -->", "'Luck': content needs a table and columns"),
        ("It comes.", "<!-- content: shields; clumns: name=Name -->", "'Luck': content: 'clumns' is none of where"),
        ("It comes.", "<!-- content: shields; columns: name -->", "'Luck': content: columns: 'name' needs a value"),
        ("It comes.", "<!-- content: swords; columns: name=Name -->", "'Luck': content: 'swords' is none of armor"),
        ("It comes.", "<!-- content: shields; columns: nmae=Name -->", "'Luck': content: no entry of shields has"),
        ("It comes.", "<!-- content: shields; where: nmae=x; columns: name=Name -->", "has a field 'nmae'"),
    ],
)  # fmt: skip
def test_a_faulty_book_is_one_line_with_file_heading_and_reason(shelf: Path, old: str, new: str, said: str) -> None:
    assert TALE.count(old) == 1
    (shelf / "olde.md").write_text(TALE.replace(old, new), encoding="utf-8")
    with pytest.raises(ReferenceError) as caught:
        reference.pages("olde")
    assert str(caught.value).startswith("olde.md: ") and said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_book_that_cannot_be_read_is_one_line(shelf: Path) -> None:
    (shelf / "olde.md").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ReferenceError, match=r"olde\.md: cannot be read"):
        reference.pages("olde")


def test_a_ruleset_without_a_book_has_its_terms(shelf: Path) -> None:
    known = reference.pages("cairn")
    assert known and {page.chapter for page in known} == {TERMS}
    found = reference.find("cairn", "save")
    assert found is not None and found.title == "Save"
    assert reference.find("cairn", "cairn.md §2.1") is None


def test_a_chapter_without_words_of_its_own_leads_to_its_first_part(shelf: Path) -> None:
    (shelf / "olde.md").write_text(TALE, encoding="utf-8")
    book = "olde" + ".md"  # the tale's, so that nobody takes these for citations of the rulebook
    found = [reference.find("olde", rule) for rule in (f"{book} §1", f"{book} §2", f"{book} §2.8 road", book)]
    assert [page.title if page else None for page in found] == ["The Hero", "Retreat", "The road", "A tale"]


# -- what is in the books that there are


@pytest.mark.parametrize("name", BOOKS)
def test_the_tables_of_content_in_the_book_are_current(name: str) -> None:
    """`make rulebook` writes them anew."""
    text = (paths.rulebooks() / f"{name}.md").read_text(encoding="utf-8")
    assert writing.current(name) == text, "run `make rulebook`"


def test_a_table_of_content_that_is_old_is_written_anew_and_nothing_else(shelf: Path) -> None:
    comment = "<!-- content: shields; where: brawn=8; columns: name=Shield, defense=Defense, spell=Spells -->"
    rows = "| Shield | Defense | Spells |\n|---|---|---|\n| targe | 2 | −2 |\n| heater | 2 | −2 |\n"
    for old in (f"{comment}\n\n| Shield |\n|---|\n| tin lid |\n\n", f"{comment}\n\n", f"{comment}\n"):
        (shelf / "olde.md").write_text(TALE.replace("It comes.\n\n", f"It.\n\n{old}"), encoding="utf-8")
        assert writing.current("olde") == TALE.replace("It comes.\n\n", f"It.\n\n{comment}\n\n{rows}\n")


ENTRIES = {"things": [
    {"name": "sword", "reach": [1, 2], "weight": 2.0, "bonus": -3, "settable": True, "kept": ["oil", "rope"],
     "dice": [6, 6]},
    {"name": "wolf", "reach": [1, 1], "weight": 1.5,
     "attacks": [{"name": "bite", "dice": [8]}, {"name": "claw", "dice": [6, 6]}]},
    {"name": "fist", "natural": True, "bonus": 0, "modes": [{"kind": "melee"}, {"kind": "thrown"}]},
]}  # fmt: skip


@pytest.mark.parametrize(
    "text, rows",
    [("columns: name=N, reach=R, weight=W, bonus=B, settable=S", ["sword 1–2 2 −3 yes", "wolf 1 1.5 – –"]),
     ("columns: name+kept=N", ["sword, oil, rope", "wolf"]),
     ("columns: name=N, weight?1=W, dice?none=D", ["sword 2 d6+d6", "wolf 1.5 none"]),
     ("where: settable=true; columns: name=N", ["sword"]), ("where: settable=none; columns: name=N", ["wolf"]),
     ("where: attacks=some, reach=1; columns: name=N", ["wolf"]),
     ("columns: attacks=A, attacks.name=N", ["– –", "bite d8, claw d6+d6 bite, claw"]),
     ("where: natural=true; columns: name=N, kind=K, bonus=B", ["fist melee 0", "fist thrown 0"]),
     ("where: natural=true, kind=thrown; columns: name=N, kind=K", ["fist thrown"])],
)  # fmt: skip
def test_a_table_of_content_shows_its_fields_and_modes(text: str, rows: list[str]) -> None:
    book = rulebook.parse(f"# T\n\n<!-- content: things; {text} -->\n", "t.md")
    (filling,) = book.parts[0].blocks
    assert isinstance(filling, Filled)
    assert [" ".join(row) for row in rulebook.filled(filling, ENTRIES, "t.md").rows] == rows


@pytest.mark.parametrize("name", BOOKS)
def test_chapters_are_in_order_and_every_part_says_something(name: str) -> None:
    book = reference.book(name)
    assert book is not None
    numbers = [tuple(map(int, part.number.split("."))) for part in book.parts if part.number]
    chapters = [number for number, part in zip(numbers, book.parts[1:], strict=True) if part.level == 2]
    assert chapters == sorted(set(chapters))
    for part, after in zip(book.parts, [*book.parts[1:], book.parts[-1]], strict=True):
        assert part.blocks or after.level > part.level, f"{book.address(part)} says nothing"
        # a line that begins with "1." by chance, where a paragraph was wrapped, would be a list
        assert not [b for b in part.blocks if isinstance(b, Listing) and len(b.items) < 2], book.address(part)


@pytest.mark.parametrize("name", BOOKS)
def test_every_text_of_the_book_is_among_those_to_be_translated(name: str) -> None:
    book, known = reference.book(name), words()
    assert book is not None
    for part in book.parts:
        assert part.title in known and part.chapter in known
        for block in part.blocks:
            said = [block] if isinstance(block, str) else block.items if isinstance(block, Listing) else ()
            cells = [*block.head, *(c for row in block.rows for c in row)] if isinstance(block, Sheet) else ()
            for text in (*said, *cells):
                assert text in known or len(re.findall(r"[^\W\d_]", text)) < 2, text


@pytest.mark.parametrize("name", BOOKS)
def test_what_is_ours_is_said_and_nothing_is_promised_twice_at_one_address(name: str) -> None:
    book = reference.book(name)
    assert book is not None
    addresses = [book.address(part).lower() for part in book.parts]
    assert len(addresses) == len(set(addresses))
    assert any("(Ours" in block for part in book.parts for block in part.blocks if isinstance(block, str))


def test_the_book_of_olde_tells_every_trait_condition_and_option_as_it_is_played() -> None:
    book = reference.book("olde")
    assert book is not None
    for name, kind in TRAITS.items():
        part = book.at("10", name)
        assert part is not None and isinstance(part.blocks[0], str) and part.blocks[0].startswith(kind().rule)
    for condition in (*SPRUNG, "stunned", "incapacitated", "prone", "kneeling"):
        assert book.at("7", condition) is not None, condition
    switches = {row[0]: row[1] for page in reference.pages("olde") if page.title == "Options"
                for table in page.tables for row in table.rows}  # fmt: skip
    told = {s.label: "on" if s.default else "off" for s in SWITCHES if not s.label.endswith("out of turn")}
    assert switches == told


def test_every_creature_and_every_piece_of_gear_of_olde_stands_in_a_table() -> None:
    book = reference.book("olde")
    assert book is not None
    pages = {page.rule: page for page in reference.pages("olde")}
    shown = {row[0] for page in pages.values() for table in page.tables for row in table.rows}
    assert any(isinstance(block, Filled) for part in book.parts for block in part.blocks)
    for entries in (*content.tables("olde").values(), list(content.monsters("olde").values())):
        assert not [entry["name"] for entry in entries if entry["name"] not in shown]

"""The rulebook of Count-Up against the rules: its tables have the figures that are played, its parts what there is."""

from __future__ import annotations

from typing import Any

import pytest

from game.content import reference
from game.content import tables as content
from game.content.reference import Part, Sheet
from rules.core.dice import plain, signed
from rules.countup.actions.objects import TASKS
from rules.countup.combat.attack import FACTORS, INTO_MELEE
from rules.countup.combat.injury import BREAKAGE, CYCLE, TENACITY, TURNS
from rules.countup.skills import ARMOURED, DIFFICULTY, MASTERY, SKILLS
from rules.countup.statblock import LAMPS, LOADS, SCENES, SPACES
from rules.countup.state import FOOT, GAITS, KNOCK, SWITCHES, Gait
from rules.countup.text import TERMS
from rules.countup.visibility import Light


def part(number: str, name: str = "") -> Part:
    book = reference.book("countup")
    assert book is not None
    found = book.at(number, name)
    assert found is not None, f"§{number} {name}"
    return found


def rows(number: str, name: str = "") -> list[tuple[str, ...]]:
    """The rows of a part's tables that are written out."""
    return [row for block in part(number, name).blocks if isinstance(block, Sheet) for row in block.rows]


def by_size(number: str, name: str = "") -> dict[str, str]:
    """A table with a column for each size."""
    (sheet,) = (block for block in part(number, name).blocks if isinstance(block, Sheet))
    return dict(zip(sheet.head[1:], sheet.rows[0][1:], strict=True))


def test_every_option_is_told_in_the_words_of_its_switch() -> None:
    assert sorted(row[0] for row in rows("7")) == sorted(switch.label for switch in SWITCHES)


def test_every_term_cites_the_part_that_is_called_or_sought_by_it() -> None:
    for word, (_, rule) in TERMS.items():
        number, _, name = rule.removeprefix("countup.md §").partition(" ")
        found = part(number, name)
        assert word in (found.title.lower(), *found.words), word


def test_whatever_the_content_has_stands_in_a_table() -> None:
    shown = {row[0] for page in reference.pages("countup") for table in page.tables for row in table.rows}
    everybody = [*content.monsters("countup").values(), *content.heroes("countup").values()]
    tables = {name: each for name, each in content.tables("countup").items() if name not in ("goods", "treasure")}
    for entries in (*tables.values(), everybody):  # what hoards hold is for nobody to look up
        assert [entry["name"] for entry in entries if entry["name"] not in shown] == []


def test_every_spell_has_its_part_or_is_sought_by_its_name() -> None:
    for spell in content.tables("countup")["spells"]:
        page = reference.find("countup", spell["name"])
        assert page is not None and page.rule.startswith("countup.md §5.4 "), spell["name"]


def test_the_initiative_die_goes_by_what_one_knew() -> None:
    assert [row[0] for row in rows("1.1", "initiative die")] == [f"d{faces}" for faces in SCENES.values()]


def test_shields_break_by_the_table() -> None:
    for column, size in ((0, "S"), (1, "M")):
        told = [row[column] for row in rows("2.2", "breakage")]
        spans = [f"{low}–{high - 1}" for low, high in zip(BREAKAGE[size], BREAKAGE[size][1:], strict=False)]
        assert told == [*spans, f"{BREAKAGE[size][-1]} and more"]
    assert BREAKAGE["M"] == BREAKAGE["L"]


def test_knock_back_goes_by_size_and_the_d12() -> None:
    assert by_size("2.3") == {size: str(damage) for size, damage in KNOCK.items()}
    words = {2: "right, 90°", 1: "half right, 45°", 0: "straight back", -1: "half left, 45°", -2: "left, 90°"}
    told: dict[Any, Any] = {}
    for faces, where in rows("2.3", "direction of knock-back"):
        first, _, last = faces.partition("–")
        told |= dict.fromkeys(range(int(first), int(last or first) + 1), where)
    assert told == {face: words[turn] for face, turn in TURNS.items()}
    assert [row[1] for row in rows("2.3", "direction of knock-back")] == [words[turn] for turn in CYCLE]


def test_shots_count_distance_and_crowds_by_size() -> None:
    assert by_size("2.5", "effective range") == {s: f"×{float(f):g}" for s, f in FACTORS.items()}
    assert by_size("2.5", "into a melee") == {size: signed(bonus) for size, bonus in INTO_MELEE.items()}


def test_skills_have_their_difficulties_and_masteries() -> None:
    assert {row[0]: row[1] for row in rows("2.9")} == {word: signed(n) if n else "0" for word, n in DIFFICULTY.items()}
    told = [(int(row[0].rpartition("–")[2]), row[1]) for row in rows("2.9", "mastery")]
    assert told == list(MASTERY)


def test_every_skill_stands_in_the_list_as_it_counts() -> None:
    told = {row[0]: tuple(row[1:]) for row in rows("2.9", "list of skills")}
    dash = {True: "yes", False: "–"}
    assert told == {
        name: (dash[skill.universal], ", ".join(skill.abilities), dash[skill.tools], dash[skill.nimble])
        for name, skill in SKILLS.items()
    }


def test_armour_hinders_by_its_kind() -> None:
    text = " ".join(block for block in map(str, part("2.9", "hindrances").blocks))
    assert f"medium armour {-ARMOURED['medium']}" in text and f"heavy armour {-ARMOURED['heavy']}" in text


def test_tasks_take_their_seconds() -> None:
    told = {row[0]: row[1].split()[0] for row in rows("2.7")}
    assert told["search for secret doors, pick a lock"] == str(TASKS["search"].seconds)
    assert TASKS["search"].seconds == TASKS["pick_lock"].seconds
    assert told["break a door"] == str(TASKS["force"].seconds)


def test_nerve_goes_by_tenacity() -> None:
    for word, bonus, share in rows("2.10"):
        added, percent = TENACITY[word]
        assert (bonus, share.partition(":")[0]) == (signed(added) if added else "0", f"{percent} %"), word
    assert len(rows("2.10")) == len(TENACITY)


@pytest.mark.parametrize("gait", GAITS)
def test_each_gait_has_its_feet(gait: Gait) -> None:
    row = next(row for row in rows("3", "gaits") if row[0] == gait)
    assert (row[1], row[3]) == (f"{gait.rate / FOOT:g}", f"{gait.rate / FOOT / 2:g}")


def test_sizes_lamps_and_light_are_those_that_count() -> None:
    assert by_size("3", "size and space") == {size: str(spaces) for size, spaces in SPACES.items()}
    costs = {light.name.lower(): tuple(map(plain, light.value)) for light in Light}
    assert {row[0]: row[1:] for row in rows("3", "light")} == costs
    for row, (bright, seconds) in zip(rows("3", "lamps"), LAMPS.values(), strict=True):
        assert row[1].split()[0] == str(bright) and row[2].split()[1] == str(2 * bright)
        number, unit = row[3].split()[:2]
        assert int(number) * {"hours": 3600, "minutes": 60}[unit] == seconds


def test_loads_cost_what_they_do() -> None:
    told = {row[0]: tuple(int(cell.replace("−", "-")) for cell in row[1:]) for row in rows("4", "load")}
    assert told == {word: (-cost, init, speed) for word, (cost, init, speed) in LOADS.items() if word}

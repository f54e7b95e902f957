"""What backgrounds bring and can be used (cairn.md §5.3 Curios)."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from game.content import tables as content
from rules.board.grid import Field
from rules.cairn.conditions import condition_named
from rules.cairn.state import Lasting
from tests.rules.cairn.creatures import Fight, foe, pc
from tests.rules.cairn.test_book_cairn import PARTS

GEAR = {each["name"]: each for each in content.tables("cairn")["keepsakes"]}
CURIOS = {name: each for name, each in GEAR.items() if each.get("kind") == "curio"}


def using(item: str, *throws: int, b: dict[str, Any] | None = None, **options: Any) -> Fight:
    """`a` with the thing, a friend `c` beside, a foe `b` beside, and `d` four spaces off."""
    crew = (pc("a", (5, 2), items=["sword", item]), pc("c", (5, 3)))
    return Fight(*crew, foe("b", (6, 2), **(b or {})), foe("d", (9, 2)), throws=list(throws), **options)


def use(fight: Fight, item: str, **says: Any) -> Fight:
    fight.do("a", "use", item=item, **says)
    fight.half()
    return fight


def has(fight: Fight, who: str, condition: str) -> bool:
    return bool(fight.now.figures[fight.now.setup.index[who]].has(condition_named(condition)))


def test_whatever_has_a_power_is_a_curio_and_the_book_says_what_it_does() -> None:
    assert {name for name, each in GEAR.items() if each.get("power")} == set(CURIOS)
    told = set(re.findall(r"(?m)^\| ([^|]+?) \| [^|]+ \| [^|]+ \|$", PARTS["Curios"].split("| Power | Aim")[1]))
    borrowed = {"Spider Climb", "Night Sphere", "Fire Oil", "Antitoxin"}
    assert {each["power"] for each in CURIOS.values()} == (told - {"---"}) | borrowed


@pytest.mark.parametrize(
    ("item", "says", "condition"),
    [
        ("blinding powder", {"target": "b"}, "blind"),
        ("stink jar", {"at": (6, 2)}, "winded"),
        ("hellcap", {"at": (9, 2)}, "winded"),
        ("root tether", {"target": "b"}, "rooted"),
        ("briarvine", {"target": "b"}, "restrained"),
        ("death-whistle", {}, "frightened"),
        ("clatter keeper", {}, "frightened"),
        ("reed whistle", {}, "pacified"),
    ],
)
def test_a_foe_that_fails_its_save_has_it(item: str, says: dict[str, Any], condition: str) -> None:
    feeble = {"strength": 1, "dexterity": 1, "willpower": 1}
    fight = Fight(pc("a", (5, 2), items=["sword", item]), foe("b", (6, 2), **feeble), foe("d", (9, 2)), throws=None)
    fight.do("a", "use", item=item, **says)
    assert any(e["event"] == "condition" and e["target"] == "b" and e["condition"] == condition for e in fight.half())


@pytest.mark.parametrize(("item", "space"), [("root tether", 2), ("briarvine", 3)])
def test_what_binds_beasts_does_nothing_about_larger_ones(item: str, space: int) -> None:
    rows = ["############", *["#..........#"] * 6, "############"]
    fight = Fight(pc("a", (2, 2), items=["sword", item]), foe("b", (3, 2), space=space), throws=[], rows=rows)
    assert "too large" in fight.refusal("a", "use", item=item, target="b")


def test_gale_seed_runs_four_times_as_far_for_two_fatigue() -> None:
    item = "gale seed extract"
    fight = use(using(item), item)
    figure = fight.now.figures[0]
    assert has(fight, "a", "racing") and figure.fatigue == 2
    assert fight.now.setup.armoury.gear[item].charges == 3 and dict(figure.used)[item] == 1


def test_who_chewed_milkflower_does_not_panic_in_the_dark() -> None:
    rows = ["#######", "#.....#", "#.....#", "#######"]
    crew = (pc("a", (1, 1), items=["sword", "milkflower"]), foe("b", (5, 2), speed=0))
    fight = Fight(*crew, throws=[], rows=rows, panic=True)
    use(fight, "milkflower", target="a")
    assert has(fight, "a", "calm") and not has(fight, "a", "panicked")


def test_voidglass_shows_what_is_hidden_and_takes_the_eye() -> None:
    fight = use(using("voidglass shard"), "voidglass shard")
    assert has(fight, "a", "true sight") and has(fight, "a", "deprived")


@pytest.mark.parametrize("item", ["spark dust", "miner's grease", "fermented spirits"])
def test_what_goes_off_harms_everybody_in_it(item: str) -> None:
    fight = use(using(item, 3, 3), item, at=(9, 2))
    figures = fight.now.figures
    assert figures[fight.now.setup.index["d"]].hp == 1 and figures[fight.now.setup.index["b"]].hp == 4


@pytest.mark.parametrize(
    ("item", "says", "kind"),
    [
        ("fireflask", {"at": (8, 2)}, "fire"), ("pyrophoric gel", {"at": (4, 2)}, "fire"),
        ("torch fungus", {"at": (4, 2)}, "light"), ("black tar", {"at": (4, 2)}, "adhere"),
        ("tacky stalk", {"at": (4, 2)}, "adhere"), ("nightdust powder", {"at": (9, 2)}, "dark"),
    ],
)  # fmt: skip
def test_ground_is_changed(item: str, says: dict[str, Any], kind: str) -> None:
    fight = use(using(item, 3, 3, 3, 3), item, **says)
    assert [zone.kind for zone in fight.now.zones] == [kind]


@pytest.mark.parametrize("item", ["bezoar stone", "ivy worm", "lodestone"])
def test_a_poisoning_is_drawn_out(item: str) -> None:
    fight = using(item)
    fight.change("c", lasting=(*fight.now.figures[1].lasting, Lasting("poisoned", 0)))
    assert has(fight, "c", "poisoned")
    assert not has(use(fight, item, target="c"), "c", "poisoned")


def test_solvent_opens_what_is_barred() -> None:
    rows = ["########", "#..+...#", "#..#...#", "########"]
    crew = (pc("a", (2, 1), items=["sword", "universal solvent"]), foe("b", (6, 2)))
    found = Field.from_rows(rows)
    barred = tuple(msgspec.structs.replace(each, state="barred") for each in found.doors)
    fight = Fight(*crew, throws=[], field=msgspec.structs.replace(found, doors=barred))
    use(fight, "universal solvent", target="door 3,1")
    assert fight.now.doors == ("open",)

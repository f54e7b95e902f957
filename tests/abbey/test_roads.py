"""Every road that docs/abbey.md names can be gone: to the boy, to the shrine, home; by the rules' own commands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from game.content import adventures
from game.fight.seats import computers
from rules.board.bitboard import cells_of
from rules.board.fixtures import DoorState
from rules.contract.ruleset import PARTY
from rules.contract.units import Cell
from rules.core.registry import RULESETS
from tests.abbey.visit import CLOISTER, CRYPT, UNDERCROFT, Spot, Visit

EVERY = pytest.mark.parametrize("ruleset", RULESETS)
OFTEN = 60
"""How often something is tried that may fail, before it counts as impossible."""
SEEDS = range(1, 25)

KEYS = {
    "Joss's cell": ("cell key", (UNDERCROFT, 21, 17)),
    "Cell passage door": ("cell key", (UNDERCROFT, 12, 16)),
    "Bell stair door": ("abbot's key", (CLOISTER, 4, 5)),
    "Iron door": ("abbot's key", (CRYPT, 14, 33)),
    "Sacristy door": ("sacristan's key", (CLOISTER, 43, 4)),
    "Vestry door": ("sacristan's key", (CRYPT, 40, 5)),
    "Vestry back door": ("sacristan's key", (CRYPT, 44, 11)),
    "Acolytes' door": ("sacristan's key", (CRYPT, 34, 7)),
    "Ringers' door": ("ringers' key", (CLOISTER, 9, 11)),
    "Charnel hatch": ("sexton's key", (UNDERCROFT, 44, 12)),
}
"""Doors that a key opens, and from where."""
HOLLOW = {
    "Book press": (CLOISTER, 12, 14),
    "Panel of Saint Ebba": (CLOISTER, 43, 8),
    "Cask wall": (UNDERCROFT, 15, 37),
    "Muniment door": (UNDERCROFT, 20, 33),
    "Loose stones": (UNDERCROFT, 21, 22),
    "Hermit's slab": (CRYPT, 17, 8),
    "Painted stone": (CRYPT, 24, 4),
}
"""Secret doors, and from where they are found."""


def forced(visit: Visit, door: str) -> None:
    """Somebody tries a door that is held shut until it gives."""
    for _ in range(OFTEN):
        ways = [each for word in ("pick_lock", "force", "tackle") for each in visit.legal(word, target=door)]
        assert ways, f"{door} stands {visit.door(door)}, and nothing can be done about it"
        visit.act(ways[0])
        if visit.door(door) in (DoorState.OPEN, DoorState.CLOSED, "broken") and not held(visit, door):
            return
    raise AssertionError(f"{door} held for {OFTEN} attempts")


def held(visit: Visit, door: str) -> bool:
    """Whether a door is a portcullis that is still down."""
    number = next(n for n, each in enumerate(visit.field.doors) if each.id == door)
    terrain = visit.rules.terrain(visit.match.state)
    return visit.field.doors[number].kind == "portcullis" and not terrain.doors_open >> number & 1


def searched(visit: Visit, door: str, by: str = "") -> None:
    """Somebody searches until a secret door is found."""
    for _ in range(OFTEN):
        visit.act(visit.legal("search", by)[0])
        if visit.legal("open", by, target=door):
            return
    raise AssertionError(f"{door} was not found in {OFTEN} searches")


def opened(visit: Visit, door: str, by: str = "") -> None:
    visit.act(visit.legal("open", by, target=door)[0])
    assert visit.door(door) == DoorState.OPEN


# -- to the boy


@EVERY
def test_the_boys_lock_gives_and_he_is_freed(ruleset: str) -> None:
    visit = Visit(ruleset, [(UNDERCROFT, 21, 17)], folk=["joss"])
    forced(visit, "Joss's cell")
    inside = Visit(ruleset, [(UNDERCROFT, 21, 19)], folk=["joss"])
    inside.act(inside.legal("free", target="joss")[0])
    assert inside.goals()["Free Joss"] == "done"


@EVERY
def test_who_is_freed_goes_to_whoever_plays_the_one_who_freed_them(ruleset: str) -> None:
    for to_computer in (True, False):
        visit = Visit(ruleset, [(UNDERCROFT, 21, 19), (UNDERCROFT, 21, 17)], folk=["joss"])
        freeing, other = visit.names
        visit.match.hand_over(freeing if to_computer else other, to_computer=True)
        visit.act(visit.legal("free", target="joss")[0])
        assert ("joss" in computers(visit.match.record)) is to_computer


@EVERY
def test_the_loose_stones_lead_from_the_well_ledge_to_the_boy_past_a_gaoler_who_hears_nothing(ruleset: str) -> None:
    visit = Visit(ruleset, [(UNDERCROFT, 21, 22)], folk=["joss", "gaoler"])
    searched(visit, "Loose stones")
    opened(visit, "Loose stones")
    visit.go((UNDERCROFT, 21, 21), manner="sneak")
    visit.act(visit.legal("free", target="joss")[0])
    assert visit.goals()["Free Joss"] == "done" and visit.exploring


@EVERY
def test_the_captain_can_be_bought_with_what_a_third_of_her_silver_is(ruleset: str) -> None:
    for seed in SEEDS:
        visit = Visit(
            ruleset, [(UNDERCROFT, 8, 20)], folk=["captain", "mate"], hero={"carries": "200 coins"}, seed=seed
        )
        offers = visit.legal("bribe", target="captain") if visit.exploring else []
        if not offers:
            continue
        visit.act(offers[0])
        if any("lets the party be" in note["text"] for note in visit.told("note")):
            return
    raise AssertionError("nobody could ever buy the captain")


# -- to the shrine, and about it


@EVERY
def test_every_key_opens_the_doors_that_are_said_to_be_its_own(ruleset: str) -> None:
    ring = ", ".join(dict.fromkeys(key for key, _ in KEYS.values()))
    for some in batched(list(KEYS)):
        visit = Visit(ruleset, [KEYS[door][1] for door in some], hero={"carries": ring})
        keys = {door.id: door.key for door in visit.field.doors}
        for door, name in zip(some, visit.names, strict=True):
            assert keys[door] == KEYS[door][0]
            visit.act(visit.legal("unlock", name, target=door)[0])
            opened(visit, door, name)


def batched(doors: Sequence[str]) -> Iterator[Sequence[str]]:
    """Four doors at a time, one for each hero."""
    for first in range(0, len(doors), 4):
        yield doors[first : first + 4]


@EVERY
def test_every_hollow_wall_is_found_by_who_searches_beside_it(ruleset: str) -> None:
    for door, spot in HOLLOW.items():
        visit = Visit(ruleset, [spot])
        searched(visit, door)
    assert {door.id for door in visit.field.doors if door.state == DoorState.SECRET} == set(HOLLOW)


@EVERY
def test_the_hermits_slab_and_the_painted_stone_lead_to_the_ark_and_its_reliquary_is_carried_out(ruleset: str) -> None:
    visit = Visit(ruleset, [(CRYPT, 17, 8)])
    searched(visit, "Hermit's slab")
    opened(visit, "Hermit's slab")
    visit.go((CRYPT, 21, 4))
    visit.go((CRYPT, 24, 4))
    searched(visit, "Painted stone")
    opened(visit, "Painted stone")
    visit.go((CRYPT, 31, 2))
    visit.act(visit.legal("open_chest")[0])
    taken(visit)


def taken(visit: Visit) -> None:
    """Somebody has the reliquary in the end."""
    visit.act(visit.legal("loot")[0])
    assert "reliquary of Saint Ebba" in str(visit.match.state.figures[0])  # type: ignore[attr-defined]


@EVERY
def test_the_panel_leads_down_the_shrine_stair_to_the_vestry(ruleset: str) -> None:
    visit = Visit(ruleset, [(CLOISTER, 43, 8)])
    searched(visit, "Panel of Saint Ebba")
    opened(visit, "Panel of Saint Ebba")
    visit.go((CLOISTER, 45, 8))
    visit.act(visit.legal("stairs")[0])
    assert visit.room() == "Vestry"


@EVERY
def test_the_spill_grate_can_be_lifted_and_the_spillway_leads_there_from_the_sluice(ruleset: str) -> None:
    forced(Visit(ruleset, [(CRYPT, 48, 5)]), "Spill grate")
    visit = Visit(ruleset, [(CRYPT, 49, 36)])
    terrain = visit.field.terrain((1 << len(visit.field.doors)) - 1)
    water = [each for each in visit.field.challenges if each.kind == "water" and each.id.startswith("spillway")]
    swum = {cell for each in water for cell in each.cells}
    bank = visit.cell((CRYPT, 49, 36))
    reached: set[Cell] = set()
    waiting = [bank]
    while waiting:
        cell = waiting.pop()
        if cell not in reached:
            reached.add(cell)
            waiting += [each for each in cells_of(terrain.within(cell, 1)) if each in swum]
    assert swum <= reached, "the mouth of the spillway lies apart from the rest of it"
    behind = [cell for cell in cells_of(terrain.within(visit.cell((CRYPT, 50, 5)), 1)) if cell in reached]
    assert behind and not terrain.blocked >> visit.cell((CRYPT, 50, 5)) & 1


# -- home


@EVERY
@pytest.mark.parametrize("spot", [(CLOISTER, 6, 39), (UNDERCROFT, 2, 8)], ids=["the jetty", "the boats"])
def test_whoever_leaves_with_the_reliquary_has_carried_it_out_whoever_took_it_from_the_ark(
    ruleset: str, spot: Spot
) -> None:
    visit = Visit(ruleset, [spot], hero={"carries": "reliquary of Saint Ebba"})
    visit.act(visit.legal("leave")[0])
    assert visit.goals()["The reliquary"] == "done"
    assert visit.rules.board(visit.match.state).over == PARTY


@EVERY
def test_the_bell_stair_is_the_short_way_up_for_who_has_the_abbots_key(ruleset: str) -> None:
    visit = Visit(ruleset, [(CRYPT, 14, 33)], hero={"carries": "abbot's key"})
    visit.act(visit.legal("unlock", target="Iron door")[0])
    opened(visit, "Iron door")
    visit.go((CRYPT, 12, 33))
    visit.act(visit.legal("stairs")[0])
    for _ in range(3):
        if visit.legal("unlock", target="Bell stair door"):
            break
    visit.act(visit.legal("unlock", target="Bell stair door")[0])
    opened(visit, "Bell stair door")
    visit.go((CLOISTER, 4, 5))
    assert visit.room() == "Bell Tower"


# -- who lives there does what the page says


@EVERY
@pytest.mark.parametrize(
    ("spot", "runner", "band"),
    [
        ((CLOISTER, 8, 35), "gate_1", ("camp_1", "camp_2")),
        ((UNDERCROFT, 8, 20), "captain", ("boat_1", "boat_2")),
        ((CRYPT, 36, 3), "acolyte_shade", ("stall_1", "stall_2")),
    ],
    ids=["the watch", "the captain", "the answering voice"],
)
def test_who_is_to_warn_runs_and_the_others_know(ruleset: str, spot: Spot, runner: str, band: tuple[str, ...]) -> None:
    for seed in SEEDS:
        visit = Visit(ruleset, [spot], folk=[runner, *band], seed=seed)
        for _ in range(10):
            if visit.ran() and any(visit.roused(name) for name in band):
                return
            if not visit.exploring:
                break
            toward = visit.legal("walk") if not visit.ran() else []
            if toward:
                there = visit.mini(runner).cell
                terrain = visit.rules.terrain(visit.match.state)
                visit.act(min(toward, key=lambda each: (terrain.distance(each.path[-1], there), each.path[-1])))
            else:
                visit.wait()
    raise AssertionError(f"{runner} never got to {band}")


@EVERY
def test_the_mother_wakes_at_wading(ruleset: str) -> None:
    for seed in SEEDS:
        visit = Visit(ruleset, [(CRYPT, 6, 20)], folk=["mother"], seed=seed)
        for _ in range(4):
            ways = visit.legal("walk") if visit.exploring else []
            if not ways:
                break
            terrain = visit.rules.terrain(visit.match.state)
            isle = visit.cell((CRYPT, 6, 14))
            visit.act(min(ways, key=lambda each: (terrain.distance(each.path[-1], isle), each.path[-1])))
            if visit.roused("mother"):
                return
    raise AssertionError("one can wade about her for ever")


# -- told


def test_why_one_goes_in_is_told_before_and_on_the_way() -> None:
    told = adventures.adventure("drowned_abbey")
    assert len(told.notes) == 3 and "Joss" in told.text
    visit = Visit("olde", [(CLOISTER, 6, 38)], folk=["joss", "abbot"])
    assert "Joss" in visit.field.story and "reliquary" in visit.field.story
    wanted = {goal.name: goal.text for goal in visit.field.goals}
    assert len(wanted) == 3 and all(wanted.values())

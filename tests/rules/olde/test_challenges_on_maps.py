"""Challenges that maps place: traps, chests, secret doors, search, help, intimidation (olde.md §3, §4, §8)."""

from __future__ import annotations

import msgspec
import pytest

from rules.board.fixtures import Challenge, Door
from rules.board.grid import Field
from rules.contract.actions import Action
from rules.contract.errors import RecordError
from rules.contract.units import Cell
from rules.core import odds as dist
from rules.olde.display import board
from tests.rules.olde.creatures import HALL, Fight, being
from tests.rules.table import dice

SLAB = 2 * 12 + 4  # the space [4, 2]


def hall(*challenges, doors=(), rows=HALL):
    field = Field.from_rows(rows)
    return msgspec.structs.replace(field, challenges=challenges, doors=(*field.doors, *doors))


def trap(**says):
    return Challenge("pit", "trap", (Cell(SLAB),), **{"damage": "d6", "hidden": True, **says})


def chest(**says):
    return Challenge("iron chest", "chest", (Cell(SLAB),), **{"contents": "a ring", **says})


def fight(*challenges, throws=(), a=None, b=None, doors=(), ap=(8, 4), more=(), **options):
    field = hall(*challenges, doors=doors)
    hero, foe = being("a", (2, 2), **(a or {})), being("b", (9, 2), **(b or {}))
    return Fight(hero, foe, *more, throws=[*ap, *throws], field=field, **options)


# -- traps


def test_a_trap_springs_under_whoever_does_not_see_it_in_time():
    table = fight(trap(), throws=dice("alertness (savvy) 1 1, pit 5"))
    events = table.do("a", "step", path=[(3, 2), (4, 2), (5, 2)])
    assert [e["event"] for e in events][:5] == ["points", "check", "moved", "challenge", "injury"]
    assert events[2]["path"] == ((3, 2), (4, 2))
    assert table.of("a")["hp"] == 11 - 5
    assert table.now.challenges == ("sprung",)


def test_a_trap_that_is_seen_stops_one_before_it_and_is_known_from_then_on():
    table = fight(trap(), throws=dice("alertness (savvy) 5 5"))
    table.do("a", "step", path=[(3, 2), (4, 2), (5, 2)])
    assert table.of("a")["at"] == [3, 2]
    assert table.now.challenges == ("set",)
    table.end("a", "b")
    assert "trap" in table.refusal("a", "step", path=[(4, 2)])
    decision = table.rules.decisions(table.now)[0]
    assert SLAB not in table.rules.legal(table.now, decision).moves("step")


def test_whoever_knows_of_a_trap_steps_over_it_and_never_stays_on_it():
    """So a trap in the only way stops nobody for ever who knows of it."""
    table = fight(trap(known=("heroes",)), throws=[])
    assert "step over it" in table.refusal("a", "step", path=[(3, 2), (4, 2)])
    table.do("a", "step", path=[(3, 2), (4, 2), (5, 2)])
    assert table.of("a")["at"] == [5, 2]
    assert table.now.challenges == ("set",)


def test_a_trap_leaves_its_condition():
    table = fight(trap(effect="restrained", damage=""), throws=dice("alertness (savvy) 1 1"))
    table.do("a", "step", path=[(3, 2), (4, 2)])
    assert table.of("a")["conditions"] == ["restrained"]


def test_a_trap_springs_once():
    table = fight(trap(), throws=dice("alertness (savvy) 1 1, pit 5"))
    table.do("a", "step", path=[(3, 2), (4, 2)])
    table.end("a", "b")
    table.do("a", "free_steps", path=[(3, 2)])
    assert table.of("a")["hp"] == 6


@pytest.mark.parametrize(
    ("faces", "state", "hurt"), [((5, 5), "disarmed", 0), ((4, 4), "set", 0), ((2, 3, 5), "sprung", 5)]
)
def test_a_known_trap_is_disarmed_stays_or_goes_off_by_the_ranks(faces, state, hurt):
    hero = being("a", (3, 2), skills={"Disable": "Apprentice"})
    field = hall(trap(known=("heroes",)))
    table = Fight(hero, being("b", (9, 2)), throws=[8, 4, *faces], field=field)
    table.do("a", "tackle", item="pit", option="Disable")
    assert table.now.challenges == (state,)
    assert table.of("a")["hp"] == 11 - hurt


@pytest.mark.parametrize("skill", ["Burst", "Lift/Shift"])
@pytest.mark.parametrize(
    ("faces", "state", "hurt"), [((5, 4), "disarmed", 0), ((4, 4), "set", 0), ((2, 3, 5), "sprung", 5)]
)
def test_brute_force_wrecks_a_known_trap_or_sets_it_off(skill, faces, state, hurt):
    hero = being("a", (3, 2), skills={"Burst": "Apprentice"})
    field = hall(trap(known=("heroes",)))
    table = Fight(hero, being("b", (9, 2)), throws=[8, 4, *faces], field=field)
    odds = table.rules.odds(table.now, Action("a", "tackle", item="pit", option=skill))
    assert [name for name, _ in odds.outcomes] == ["wrecked", "stays armed", "goes off"]
    table.do("a", "tackle", item="pit", option=skill)
    assert table.now.challenges == (state,)
    assert table.of("a")["hp"] == 11 - hurt


# -- chests


def test_a_chest_is_picked_or_broken_open():
    for skill, faces in (("Disable", (4, 3)), ("Burst", (7, 4))):
        hero = being("a", (3, 2), skills={"Disable": "Foreman"})
        table = Fight(hero, being("b", (9, 2)), throws=[8, 4, *faces], field=hall(chest()))
        events = table.do("a", "tackle", item="iron chest", option=skill)
        assert table.last("challenge", events)["contents"] == "a ring"
        assert table.now.challenges == ("open",)
        table.end("a", "b")
        assert "beside" in table.refusal("a", "tackle", item="iron chest", option=skill)


def test_a_trapped_chest_bites_whoever_opens_it():
    table = Fight(
        being("a", (3, 2)),
        being("b", (9, 2)),
        throws=dice("action points 8 4, burst (brawn) 7 4, iron chest 3"),
        field=hall(chest(damage="d6")),
    )
    table.do("a", "tackle", item="iron chest", option="Burst")
    assert table.of("a")["hp"] == 8


def test_deft_hands_open_a_trapped_chest_unharmed():
    hero = being("a", (3, 2), skills={"Disable": "Foreman"})
    table = Fight(
        hero, being("b", (9, 2)), throws=dice("action points 8 4, disable (savvy) 5 5"), field=hall(chest(damage="d6"))
    )
    table.do("a", "tackle", item="iron chest", option="Disable")
    assert table.now.challenges == ("open",)
    assert table.of("a")["hp"] == 11


def test_what_is_not_beside_cannot_be_tackled():
    assert "beside" in fight(chest()).refusal("a", "tackle", item="iron chest", option="Burst")


# -- secrets


SECRET = Door("niche", Cell(SLAB), None, "secret", "", 9)
NICHE = ["############", "#...#......#", "#..........#", "#...#......#", "############"]


def niche(throws=(), at=(2, 2)):
    """Two rooms with a secret door between them at [4, 2]."""
    field = msgspec.structs.replace(Field.from_rows(NICHE), doors=(SECRET,))
    return Fight(being("a", at), being("b", (9, 2)), throws=[8, 4, *throws], field=field)


def test_a_secret_door_is_a_wall_until_it_is_found():
    table = niche(at=(3, 2))
    assert "no door is known" in table.refusal("a", "open", target="niche")
    assert table.refusal("a", "step", path=[(4, 2)])
    assert board(table.now).doors == ("secret",)


def test_a_search_that_is_good_enough_finds_it_for_ones_own_side_only():
    table = niche(dice("alertness (search) 5 5"))
    events = table.do("a", "search")
    assert table.last("challenge", events)["state"] == "found"
    assert table.last("challenge", events)["seen_by"] == ("heroes",)
    assert board(table.rules.observe(table.now, "heroes")).doors == ("closed",)
    assert board(table.rules.observe(table.now, "monsters")).doors == ("secret",)
    assert "secret" in table.rules.observe(table.now, "monsters").doors


def test_a_search_that_fails_tells_nothing():
    table = niche(dice("alertness (search) 3 3"))
    events = table.do("a", "search")
    assert not [e for e in events if e["event"] == "challenge"]
    assert board(table.now).doors == ("secret",)


def test_a_search_reaches_two_spaces():
    far = Fight(
        being("a", (1, 2)), being("b", (9, 2)), throws=dice("action points 8 4, alertness (search) 5 5"),
        field=msgspec.structs.replace(Field.from_rows(HALL), challenges=(trap(),)),
    )  # fmt: skip
    far.do("a", "search")
    assert far.now.found == (("heroes", 0), ("monsters", 0))


def test_a_door_that_was_found_opens_like_any_other():
    table = niche(dice("alertness (search) 5 5, action points 8 4"), at=(3, 2))
    table.do("a", "search")
    table.end("a", "b", "a", "b")
    table.do("a", "open", target="niche")
    assert board(table.rules.observe(table.now, "monsters")).doors == ("open",)


def test_without_secrets_there_is_no_search():
    table = Fight(being("a", (3, 2)), being("b", (9, 2)), throws=dice("action points 8 4"))
    assert "hidden" in table.refusal("a", "search")


# -- help


def test_help_adds_to_the_next_check_of_that_skill_and_is_used_up():
    helper = being("aa", (2, 1), side="heroes", finesse=9)
    # aa: 7+3−2 = 8 against Brawn 8: +1; then a: Burst 2d8 4+4 −2 +1
    throws = [3, 8, 2, 7, 3, 4, 4]
    table = Fight(being("a", (3, 2)), helper, being("b", (9, 2)), throws=throws, field=hall(chest()))
    table.do("aa", "assist", target="a", option="Burst")
    assert [e["name"] for e in table.of("a")["effects"]] == ["help with Burst"]
    table.end("aa")
    event = table.last("check", table.do("a", "tackle", item="iron chest", option="Burst"))
    assert event["roll"]["total"] == 4 + 4 - 2 + 1
    assert "effects" not in table.of("a")


def test_help_needs_an_ally_beside_and_something_to_help_with():
    table = Fight(
        being("a", (3, 2)),
        being("aa", (8, 2), side="heroes"),
        being("b", (10, 2)),
        throws=dice("action points 8 5 4"),
        field=hall(chest()),
    )
    assert "no ally beside" in table.refusal("a", "assist", target="aa", option="Burst")


# -- intimidation


def test_intimidation_is_opposed_by_nerve_and_frightens():
    table = fight(throws=dice("nerve 2 3, intimidate (nerve) 4 2"), a={"skills": {"Intimidate": "Apprentice"}})
    events = table.do("a", "intimidate", target="b")
    assert table.last("contest", events)["success"]
    assert table.of("b")["conditions"] == ["frightened"]


def test_intimidation_in_vain_changes_nothing():
    table = fight(throws=dice("nerve 4 3, intimidate (nerve) 3 2"), a={"skills": {"Intimidate": "Apprentice"}})
    table.do("a", "intimidate", target="b")
    assert table.of("b")["conditions"] == []


@pytest.mark.parametrize(("faces", "laughs"), [((4, 1), False), ((3, 1), True)])
def test_who_is_intimidated_in_vain_by_three_ranks_laughs(faces, laughs):
    """5 + 5 of Nerve; five short is two ranks of failure, six three."""
    table = fight(throws=[5, 5, *faces], a={"skills": {"Intimidate": "Apprentice"}})
    table.do("a", "intimidate", target="b")
    assert [event["text"] for event in table.all("note")] == ["b laughs."] * laughs


def test_intimidation_needs_somebody_in_sight_on_the_other_side():
    table = fight(ap=(8, 4, 2), more=(being("aa", (3, 1)),))
    assert "'nobody' is nobody here" in table.refusal("a", "intimidate", target="nobody")
    assert "is nobody here" in table.refusal("a", "intimidate")
    assert "on the same side" in table.refusal("a", "intimidate", target="aa")


@pytest.mark.parametrize("criticals", [False, True])
def test_the_odds_of_intimidation_are_those_of_its_dice(criticals):
    """Nerve d6 on both sides, untrained at −2; critical outcomes, if it is played with them, are six apart or more."""
    table = fight(criticals=criticals)
    thrown = list(enumerate(dist.dice_sum(2, 6, True)))
    margins = [(own - 2 - nerve, p * q) for own, p in thrown for nerve, q in thrown]
    well, badly = sum(p for by, p in margins if by >= 6), sum(p for by, p in margins if by <= -6)
    odds = table.rules.odds(table.now, table._action("a", "intimidate", {"target": "b"}))
    assert odds.hit == pytest.approx(sum(p for by, p in margins if by >= 0))
    told = [text.partition(":")[0] for text, _ in odds.notes if " critical " in text]
    assert told == [f"{well * 100:.0f} % critical success", f"{badly * 100:.0f} % critical failure"][: 2 * criticals]


def test_untrained_intimidation_is_at_minus_two():
    table = fight(throws=dice("nerve 2 3, intimidate (nerve) 4 3"))
    contest = table.last("contest", table.do("a", "intimidate", target="b"))
    assert [r["total"] for r in contest["rolls"]] == [5, 4 + 3 - 2] and contest["success"]
    assert [(a["value"], a["because"]) for a in contest["rolls"][1]["adjustments"]] == [(-2, "Intimidate")]


# -- odds, and faults of maps


@pytest.mark.parametrize("do", ["search", "tackle", "assist", "intimidate"])
def test_the_odds_of_each_sum_to_one(do):
    a = being("a", (3, 2), skills={"Intimidate": "Journeyman"})
    table = Fight(
        a,
        being("aa", (2, 1), side="heroes"),
        being("b", (9, 2)),
        throws=dice("action points 8 5 4"),
        field=hall(chest(), trap()),
    )
    decision = table.rules.decisions(table.now)[0]
    actions = [x for x in table.rules.legal(table.now, decision) if x.do == do]
    assert actions
    for action in actions:
        odds = table.rules.odds(table.now, action)
        assert sum(p for _, p in odds.outcomes) == pytest.approx(1.0)
        assert table.rules.describe(table.now, action).label


def test_an_unknown_effect_is_named():
    with pytest.raises(RecordError, match="effect 'sleepy'"):
        fight(trap(effect="sleepy"))

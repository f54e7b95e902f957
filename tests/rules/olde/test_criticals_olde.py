"""Critical outcomes of checks outside of blows: one table, told, shown, and only where a fight is played with them."""

from __future__ import annotations

import msgspec
import pytest

from rules.board.fixtures import Challenge, Door
from rules.board.grid import Field
from rules.contract import events
from rules.contract.units import Cell
from rules.core import odds as dist
from rules.olde.challenges.checks import MARGINS, TABLE, margins_told, outcome_of, ranks_of
from tests.rules.olde.creatures import HALL, Fight, being
from tests.rules.table import dice

SLAB = 2 * 12 + 4


def at_a_door(faces, difficulty=9, **options):
    """A hero beside a locked door, a foe far away; Burst untrained is at −2."""
    door = Door("door", Cell(SLAB), None, "locked", "", difficulty)
    field = msgspec.structs.replace(Field.from_rows(HALL), doors=(door,))
    options = {"criticals": True, **options}
    table = Fight(being("a", (3, 2)), being("b", (9, 2)), throws=[8, 4, *faces], field=field, **options)
    table.do("a", "force", target="door", option="Burst")
    return table


def left(table):
    """(what it adds to checks, temporary Defense, posture) after the attempt."""
    figure = table.now.figures[0]
    return sum(e.lasting.checks for e in figure.effects), figure.temp_defense, figure.posture


@pytest.mark.parametrize(
    ("faces", "difficulty", "expected"),
    [
        ((8, 8, 2, 3), 9, (2, 0, "standing")),  # 21 − 2: ten over
        ((8, 3, 6), 9, (1, 0, "standing")),  # 17 − 2: six over
        ((8, 2, 6), 9, (0, 0, "standing")),  # five over
        ((7, 5), 18, (-1, -2, "standing")),  # 12 − 2: eight short
        ((7, 7), 18, (-1, -2, "standing")),  # six short
        ((7, 4), 18, (-2, -2, "prone")),  # nine short
        ((7, 2), 12, (0, 0, "standing")),  # five short
    ],
)
def test_the_table(faces, difficulty, expected):
    assert left(at_a_door(faces, difficulty)) == expected


def test_it_lasts_until_the_reset():
    table = at_a_door(dice("burst (brawn) 8 3 6, action points 8 4"))
    while table.now.turn == 1:
        table.end(table.acting)
    assert left(table) == (0, 0, "standing")


def test_it_adds_to_the_next_check():
    table = at_a_door(dice("burst (brawn) 8 3 6 7 4"))
    table.now = msgspec.structs.replace(table.now, doors=("locked",))
    table.end("a", "b")
    check = table.last("check", table.do("a", "force", target="door", option="Burst"))
    assert check["roll"]["total"] == 7 + 4 - 2 + 1


def test_without_the_option_checks_have_none():
    assert left(at_a_door(dice("burst (brawn) 8 8 2 3"), criticals=False)) == (0, 0, "standing")
    table = Fight(being("a", (3, 2)), being("b", (9, 2)), throws=dice("action points 8 4"))
    assert not table.now.setup.criticals


def test_a_map_with_obstacles_plays_without_them_unless_somebody_turns_them_on():
    water = Challenge("pool", "water", (Cell(SLAB),))
    field = msgspec.structs.replace(Field.from_rows(HALL), challenges=(water,))
    hero, foe = being("a", (2, 2)), being("b", (9, 2))
    assert not Fight(hero, foe, throws=dice("action points 8 4"), field=field).now.setup.criticals
    assert Fight(hero, foe, throws=dice("action points 8 4"), field=field, criticals=True).now.setup.criticals


def test_the_story_names_it():
    table = at_a_door(dice("burst (brawn) 8 8 2 3"))
    told = events.Check(by="a", what="Burst on the door", roll=events.Roll("", "2d8!", (), 19), rating=9, success=True,
                        ranks=ranks_of(10))  # fmt: skip
    assert "legendary success" in table.rules.tell(table.now, told)


def test_searching_tells_nothing_of_what_is_hidden():
    """Against Moderate, whatever is there: 8 + 2 + 7, and nothing is."""
    trap = Challenge("pit", "trap", (Cell(SLAB + 5),), hidden=True)
    field = msgspec.structs.replace(Field.from_rows(HALL), challenges=(trap,))
    table = Fight(
        being("a", (2, 2), savvy=8),
        being("b", (10, 3)),
        throws=dice("action points 8 4, alertness (search) 8 2 7"),
        field=field,
        criticals=True,
    )
    table.do("a", "search")
    assert left(table)[0] == 1


def test_the_odds_tell_the_chances():
    door = Door("door", Cell(SLAB), None, "locked", "", 9)
    field = msgspec.structs.replace(Field.from_rows(HALL), doors=(door,))
    for on in (True, False):
        table = Fight(
            being("a", (3, 2)), being("b", (9, 2)), throws=dice("action points 8 4"), field=field, criticals=on
        )
        found = table.rules.odds(table.now, table._action("a", "force", {"target": "door", "option": "Burst"}))
        told = [text for text, rule in found.notes if "critical outcomes" in rule]
        assert bool(told) is on


def test_odds_tell_of_each_critical_outcome_that_can_happen_and_of_no_other():
    """9 with −2 on 2d8: a sum of 17 is six over, one of 5 six short, which 10 of 64 pairs come to."""
    door = Door("door", Cell(SLAB), None, "locked", "", 9)
    field = msgspec.structs.replace(Field.from_rows(HALL), doors=(door,))
    table = Fight(being("a", (3, 2)), being("b", (9, 2)), throws=[8, 4], field=field, criticals=True)
    found = table.rules.odds(table.now, table._action("a", "force", {"target": "door", "option": "Burst"}))
    well = dist.chance_at_least(2, 8, 17)
    told = [text.partition(":")[0] for text, _ in found.notes if " critical " in text]
    assert told == [f"{well * 100:.0f} % critical success", "16 % critical failure"]
    assert [text.partition(":")[0] for text, _ in margins_told(0.0, 0.25)] == ["25 % critical failure"]
    assert [text.partition(":")[0] for text, _ in margins_told(0.25, 0.0)] == ["25 % critical success"]


def test_ranks_and_margins_agree():
    for ranks, margin in MARGINS.items():
        assert ranks_of(margin) == ranks and ranks_of(margin - 1) == ranks - 1
        assert ranks_of(-margin) == -ranks and ranks_of(1 - margin) == 1 - ranks
    assert outcome_of(9) is TABLE[4] and outcome_of(-9) is TABLE[-4]
    assert outcome_of(2) is None and outcome_of(-2) is None

"""Patrols being prepared: tried on the real map, whatever its size; what hinders the walker is said."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from game.setup import check, forms, trial, ways
from game.setup import draft as drafts
from game.setup.draft import Draft
from rules.board.fixtures import Challenge
from rules.board.grid import Field
from rules.core import record as records

ROWS = ["##############", *(["#............#"] * 3), "#....#.......#", "##############"]
GROUND = Field.from_rows(ROWS)
PATROL = next(field for field in forms.ways("olde") if field.name == "patrol")


def prepared(patrol: list[list[int]], at: tuple[int, int] = (11, 1), **options: Any) -> Draft:
    return drafts.from_record(
        records.read(
            {
                "format": "battlemat/1", "ruleset": "olde", "options": {"explore": True, **options},
                "map": {"rows": ROWS}, "seed": 7, "creatures": [
                    {"id": "warrior", "template": "warrior", "side": "heroes", "controller": "human", "at": [1, 1]},
                    {"id": "grak", "template": "goblin", "name": "Grak", "side": "monsters", "controller": "ai",
                     "at": list(at), "patrol": patrol},
                ],
            }
        )
    )  # fmt: skip


def told(draft: Draft, ground: Field = GROUND) -> list[tuple[str, bool]]:
    return [(each.text, each.block) for each in check.problems(draft, ground)]


def test_a_patrol_beyond_the_eighth_column_is_tried_on_the_map_that_it_is_on() -> None:
    draft = prepared([[11, 1], [12, 4]])
    assert told(draft) == []
    assert trial.tried("olde", draft.pieces[1].entry, draft.options).mini is not None


def test_a_point_off_the_map_bars_the_fight_and_counts_for_people() -> None:
    draft = prepared([[11, 1], [14, 4]])
    assert told(draft) == [("Grak: patrol: point 2 lies off the map of 14 × 6 spaces; draw it anew", True)]


@pytest.mark.parametrize(
    ("patrol", "why"),
    [
        ([[11, 1], [5, 4]], "Grak: patrol: point 2 at column 6, row 5 lies in a wall or chasm"),
        ([[11, 1], [0, 0]], "Grak: patrol: point 2 at column 1, row 1 lies in a wall or chasm"),
    ],
)  # fmt: skip
def test_a_point_where_nobody_stands_is_worth_a_word(patrol: list[list[int]], why: str) -> None:
    assert told(prepared(patrol)) == [(why, False)]


def test_a_point_behind_a_shut_door_is_not_reached_and_said_so() -> None:
    ground = Field.from_rows(["######", "#..+.#", "######"])
    walked = list(ways.legs(ways.laid("olde", ground), (1, 1), ((1, 1), (4, 1)), 1, PATROL.leg))
    assert [leg.why.partition(":")[0] for leg in walked] == ["is not reached", "is not reached"]


def test_a_round_goes_to_its_first_point_then_over_all_others_and_back() -> None:
    walked = list(ways.legs(ways.laid("olde", GROUND), (11, 3), ((9, 1), (12, 1), (12, 3)), 1, PATROL.leg))
    assert [(leg.kind, leg.number, leg.cost) for leg in walked] == [
        ("to", 0, 2),
        ("on", 1, 3),
        ("on", 2, 2),
        ("back", 0, 3),
    ]
    assert ways.around(walked) == 8
    assert all(leg.path[-1] == GROUND.cell(*leg.goal) for leg in walked)


def test_a_patrol_goes_round_what_the_map_puts_in_the_way() -> None:
    water = Challenge("pond", "water", tuple(GROUND.cell(7, row) for row in (1, 2)))
    pond = msgspec.structs.replace(GROUND, challenges=(water,))
    walked = list(ways.legs(ways.laid("olde", pond), (6, 1), ((6, 1), (8, 1)), 1, PATROL.leg))
    assert {pond.at(cell) for leg in walked for cell in leg.path} & {(7, 1), (7, 2)} == set()


def test_a_patrol_in_a_fight_without_exploration_is_worth_a_word() -> None:
    (line,) = told(prepared([[11, 1], [12, 4]], explore=False))
    assert line == ("Grak: patrol: it counts only with “Begin with exploration”, which is off under Encounter.", False)


def test_a_patrol_is_no_word_to_type_but_spaces_to_point_at() -> None:
    assert PATROL.kind == "way" and PATROL.leg == 60 and PATROL.most == 40
    assert forms.ways("cairn") == forms.ways("countup") == (PATROL,)

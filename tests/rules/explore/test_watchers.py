"""Who watches on an expedition, who no longer does, and who leaves its round."""

from __future__ import annotations

import msgspec
import pytest

from rules.board.bitboard import board_of
from rules.explore.course import around
from tests.rules.explore.expedition import RULESETS, Expedition, called_on, creature

EVERY = pytest.mark.parametrize("ruleset", RULESETS)


@EVERY
def test_who_has_surrendered_watches_nobody_and_stays_out_of_the_next_fight(ruleset: str) -> None:
    table = next(table for table, gave_up in called_on(ruleset) if gave_up)
    for _ in range(60):
        if table.exploring:
            break
        table.think(table.rules.decisions(table.now)[0])
    assert table.exploring
    gob = next(mini for mini in table.rules.board(table.now).miniatures if mini.id == "gob")
    assert "Surrendered" in [badge.label for badge in gob.badges]
    assert not table.rules.board(table.now).watched
    table.do("h0", "ambush")
    assert table.exploring or table.now.figures[2].cell < 0, "it takes up its arms no more"


@EVERY
def test_a_way_is_planned_by_what_is_known_where_somebody_unseen_lies_in_hiding(ruleset: str) -> None:
    table = Expedition(ruleset, [creature(ruleset, "h0", (9, 1)), creature(ruleset, "gob", (16, 2), hidden=True),
                                 creature(ruleset, "other", (24, 2), hidden=True)])  # fmt: skip
    known = table.rules.observe(table.now, "heroes", "monsters")
    blind = msgspec.structs.replace(
        known, figures=tuple(f if i == 0 else msgspec.structs.replace(f, cell=-1) for i, f in enumerate(known.figures))
    )
    walk = next(a for o in table.rules.legal(blind, table.decision("h0")).offers() if o.do == "walk" for a in o.actions)
    assert table.rules.apply(blind, table.decision("h0"), walk).state.figures[0].cell == walk.path[-1]


@EVERY
def test_who_walks_a_round_leaves_it_for_a_noise_and_comes_all_the_way(ruleset: str) -> None:
    rows = ["#" * 60, "#" + "." * 58 + "#", "#" * 60]
    table = Expedition(ruleset, [creature(ruleset, "h0", (1, 1)),
                                 creature(ruleset, "gob", (50, 1), patrol=[[50, 1], [58, 1]])], rows)  # fmt: skip
    seeks = table.now.explore.seeks
    goal = table.field.cell(26, 1)
    sought = msgspec.structs.replace(table.now.explore, seeks=(*seeks[:1], goal, *seeks[2:]))
    table.now = msgspec.structs.replace(table.now, explore=sought)
    far = []
    for _ in range(3):
        table.wait()
        far.append(table.field.at(table.now.figures[1].cell)[0])
    assert far == sorted(far, reverse=True) and far[-1] < 40, "turn by turn it comes nearer"


def test_nobody_is_put_on_the_other_side_of_a_wall_where_stairs_are_crowded() -> None:
    table = Expedition("countup", [creature("countup", "h0", (1, 1))], ["########", "#..#...#", "#..#...#", "########"])
    field, terrain = table.field, table.rules.terrain(table.now)
    stairs = field.cell(2, 1)
    taken = board_of([stairs, field.cell(2, 2), field.cell(1, 1)])
    assert around(terrain, stairs, 1, taken) == field.cell(1, 2), "not the nearer space behind the wall"
    crowded = taken | 1 << field.cell(1, 2)
    assert around(terrain, stairs, 1, crowded) == field.cell(4, 1), "no room on this side at all"

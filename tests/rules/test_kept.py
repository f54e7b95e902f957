"""What is worked out of each creature is kept while its figure is the same one (rules/core/kept.py)."""

from __future__ import annotations

from rules.board.grid import Field, Terrain
from rules.contract.units import CreatureIx
from rules.core.kept import of_each


def asked(terrain: Terrain, figures: list[object], also: object = None) -> tuple[list[str], list[int]]:
    """What is answered of each, and of whom it was worked out."""
    made: list[int] = []

    def make(who: CreatureIx) -> str:
        made.append(who)
        return f"{figures[who]}"

    return of_each(terrain, "names", figures, make, also), made


def test_only_whose_figure_is_another_is_asked_anew() -> None:
    terrain = Terrain(Field(3, 3, bytes(9)), 0)
    ada, bo, other = ["ada"], ["bo"], ["bo, wounded"]
    assert asked(terrain, [ada, bo]) == (["['ada']", "['bo']"], [0, 1])
    assert asked(terrain, [ada, bo]) == (["['ada']", "['bo']"], [])
    assert asked(terrain, [ada, other]) == (["['ada']", "['bo, wounded']"], [1])


def test_a_figure_that_is_alike_is_another() -> None:
    terrain = Terrain(Field(3, 3, bytes(9)), 0)
    asked(terrain, [["ada"]])
    assert asked(terrain, [["ada"]])[1] == [0]


def test_all_are_asked_anew_where_it_hangs_on_something_else_now_or_somebody_came() -> None:
    terrain, ada = Terrain(Field(3, 3, bytes(9)), 0), ["ada"]
    asked(terrain, [ada], also=1)
    assert asked(terrain, [ada], also=2)[1] == [0]
    assert asked(terrain, [ada, ada], also=2)[1] == [0, 1]


def test_a_list_that_changes_later_is_no_key() -> None:
    terrain = Terrain(Field(3, 3, bytes(9)), 0)
    figures: list[object] = [["ada"], ["bo"]]
    asked(terrain, figures)
    figures[1] = ["bo, wounded"]
    assert asked(terrain, figures)[1] == [1]

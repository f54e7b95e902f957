"""What grips somebody ends whatever he was about, whoever laid it on him (countup.md §2.10, §5.4)."""

from __future__ import annotations

from typing import Any

from rules.contract.actions import Action
from rules.contract.hand import GAME_MASTER, Deed
from tests.rules.countup.creatures import Fight, being, changed, duel
from tests.rules.countup.test_fixtures_countup import field, one

CHILL = {"name": "chill", "speed": 60, "damage": "2d4p", "reach": 2.0, "kind": "P", "hands": 0, "natural": True,
         "rider": "mental: panicked 5"}  # fmt: skip
HALF_LOADED = ("longbow", 9)


def nothing(fight: Fight, who: int = 1) -> bool:
    """Whether somebody is about nothing, and panicked."""
    figure = fight.now.figures[who]
    busy = (figure.order, figure.casting, figure.task, figure.loading[0] or None)
    return busy == (None,) * 4 and figure.under("panicked")


def drawing(*throws: int | None, a: dict[str, Any] | None = None, **more: Any) -> Fight:
    """`b` is about something, and has half loaded a bow; `a` may strike."""
    fight = duel(*throws, *[None] * 40, a=a, **more)
    fight.do("b", "policy", option="stand")
    fight.hold("b", seconds=30)
    assert fight.now.figures[1].order is not None
    return changed(fight, "b", loading=HALF_LOADED)


def laid(fight: Fight, condition: str) -> None:
    """By the game master, on `b`."""
    action = Action(GAME_MASTER, Deed.GIVE.value, target="b", option=condition, rating=9)
    fight.now = fight.rules.apply(fight.now, fight.rules.decisions(fight.now)[0], action).state


def test_a_bite_that_frightens_ends_what_the_bitten_is_about() -> None:
    fight = drawing(5, 15, 2, 2, 12, 9, a={"weapons": [], "attacks": [CHILL]})
    fight.do("a", "attack", target="b")
    assert nothing(fight)


def test_a_lost_nerve_ends_it() -> None:
    fight = drawing(2, 10, 7, 7, 15, 10, morale=True)
    fight.do("a", "attack", target="b")
    assert nothing(fight)


def test_the_game_masters_hand_ends_it() -> None:
    fight = drawing()
    laid(fight, "panicked")
    assert nothing(fight)


def test_a_trap_that_frightens_ends_a_walk_and_what_was_half_loaded() -> None:
    rows = ["############", "#..........#", "############"]
    trap = one("trap", 14, hidden=True, effect="frightened", known=("monsters",))
    fight = Fight(
        being("a", (1, 1)), being("b", (10, 1)), field=field(trap, rows=rows), throws=[1, 1, 51], fixtures=True
    )
    fight.hold("b", seconds=60)
    changed(fight, "a", loading=HALF_LOADED)
    fight.do("a", "walk", path=[(2, 1), (3, 1)])
    fight.do("a", "end")
    assert nothing(fight, 0)


def test_what_does_not_grip_leaves_it() -> None:
    fight = drawing()
    laid(fight, "off balance")
    assert fight.now.figures[1].order is not None and fight.now.figures[1].loading == HALF_LOADED

"""The chances of what a save decides, against every face of the d20, resolved by the rules (cairn.md §2.1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.rules.cairn.creatures import Fight, foe, pc
from tests.rules.cairn.test_conditions_cairn import laid

ROOM = ["......", "......"]
Told = Callable[[Fight], bool]


def down(who: str) -> Told:
    return lambda fight: fight.of(who)["posture"] == "prone"


def free(who: str) -> Told:
    return lambda fight: not {"restrained", "panicked"} & set(fight.of(who)["conditions"])


def pair(**a: Any) -> Fight:
    return Fight(pc("a", (1, 1), **a), pc("c", (1, 2), strength=7), foe("b", (2, 1), hp_max=9), throws=None)


def held() -> Fight:
    return laid(pair(strength=12), "a", "restrained", by="b", save="str")


CASES: list[tuple[str, Callable[[], Fight], str, dict[str, Any], Told]] = [
    ("trip", lambda: pair(strength=13), "manoeuvre", {"target": "b", "option": "trip"}, down("b")),
    ("trip by dexterity", lambda: pair(dexterity=16), "manoeuvre", {"target": "b", "option": "trip"}, down("b")),
    ("of no use", lambda: pair(strength=1, dexterity=1), "manoeuvre", {"target": "b", "option": "trip"}, down("b")),
    ("shove", lambda: pair(strength=20), "manoeuvre", {"target": "b", "option": "shove"},
     lambda fight: fight.of("b")["at"] == [3, 1]),
    ("grapple", lambda: pair(strength=6), "manoeuvre", {"target": "b", "option": "grapple"},
     lambda fight: "restrained" in fight.of("b")["conditions"]),
    ("break free", held, "break_free", {}, free("a")),
    ("help against a grip", held, "help", {"target": "a"}, free("a")),
    ("help", lambda: laid(pair(), "a", "panicked"), "help", {"target": "a"}, free("a")),
    ("steady", lambda: laid(pair(willpower=14), "a", "panicked"), "steady", {}, free("a")),
    ("retreat", lambda: Fight(pc("a", (0, 0), dexterity=15), pc("c", (0, 1)), foe("b", (4, 0)), rows=ROOM, throws=None),
     "retreat", {}, lambda fight: fight.of("a")["status"] == "fled"),
    ("retreat that nobody sees", lambda: laid(Fight(pc("a", (0, 0)), foe("b", (4, 0)), rows=ROOM, throws=None),
     "b", "asleep"), "retreat", {}, lambda fight: fight.of("a")["status"] == "fled"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_a_chance_is_the_share_of_faces_that_do_it(case: tuple[Any, ...]) -> None:
    _, table, do, says, told = case
    by = "c" if do == "help" else "a"
    fight = table()
    fight.now = fight.rules.reseeded(fight.now, 1)
    if "panicked" in fight.of("a")["conditions"]:  # nobody panicked acts in the first round
        fight.half()
        fight.half("monsters")
    odds = fight.rules.odds(fight.now, fight._action(by, do, dict(says)))
    fight.do(by, do, **says)
    planned, good = fight.now, 0
    for face in range(1, 21):
        fight.now = fight.rules.with_throws(planned, (face, 1, 1), False)
        fight.half()
        good += told(fight)
    assert odds.hit == pytest.approx(good / 20)
    assert sum(chance for _, chance in odds.outcomes) == pytest.approx(1)


def test_barbs_ask_for_a_save_of_their_own() -> None:
    fight = Fight(pc("a", strength=10), foe("b", items=["barbed epaulets"]), throws=None)
    action = fight._action("a", "manoeuvre", {"target": "b", "option": "trip"})
    assert fight.rules.odds(fight.now, action).hit == pytest.approx(0.25)


def test_a_shove_over_an_edge_says_so() -> None:
    from tests.game.test_ai_cairn import edged

    fight = Fight(pc("a", (2, 1), strength=16), foe("b", (3, 1)), field=edged((4, 1)))
    odds = fight.rules.odds(fight.now, fight._action("a", "manoeuvre", {"target": "b", "option": "shove"}))
    assert odds.drop == pytest.approx(0.8)
    assert any("edge" in text for text, _ in odds.notes)


def test_a_blow_on_whom_a_friend_will_trip_counts_both_ways_it_may_go() -> None:
    """Against the blow with its target on its feet and on the floor, weighed by the trip's chance."""
    fight = Fight(pc("a", strength=15), pc("c", (2, 2)), foe("b", hp_max=4, strength=6), throws=None)
    action = fight._action("c", "attack", {"target": "b", "weapon": "sword"})
    standing = fight.rules.odds(fight.now, action)
    lying = Fight(pc("a"), pc("c", (2, 2)), foe("b", hp_max=4, strength=6, posture="prone"), throws=None)
    flat = lying.rules.odds(lying.now, lying._action("c", "attack", {"target": "b", "weapon": "sword"}))
    fight.do("a", "manoeuvre", target="b", option="trip")
    odds = fight.rules.odds(fight.now, action)
    assert odds.drop == pytest.approx(0.25 * standing.drop + 0.75 * flat.drop)
    assert any("75%" in text for text, _ in odds.notes)


def test_who_has_a_double_loses_nothing_to_the_next_blow() -> None:
    fight = laid(Fight(pc("a"), foe("b"), throws=None), "b", "mirrored")
    odds = fight.rules.odds(fight.now, fight._action("a", "attack", {"target": "b", "weapon": "sword"}))
    assert odds.hit == 0

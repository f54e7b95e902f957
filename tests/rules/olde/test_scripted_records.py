"""Records with every die scripted for rules that fights at random seldom reach, reckoned by hand (olde.md §4, §6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from game.fight.match import Match
from rules.contract.errors import RecordError
from rules.contract.text import as_builtins

HALL = ["############", "#..........#", "#..........#", "#..........#", "############"]


def creature(id: str, at: tuple[int, int], side: str, **says: Any) -> dict[str, Any]:
    """All dice d8 but Savvy and Nerve d6, 11 HP, a broadsword and Swords as Apprentice."""
    block: dict[str, Any] = {
        "brawn": 8, "finesse": 8, "savvy": 6, "nerve": 6, "skills": {"Swords": "Apprentice"}, "weapons": ["broadsword"],
    }  # fmt: skip
    return {"id": id, "side": side, "at": list(at), "controller": "human", **block, **says}


def replayed(
    creatures: list[dict[str, Any]],
    throws: Sequence[int | None],
    commands: list[dict[str, Any]],
    rows: Any = None,
    **options: Any,
) -> Match:
    """A record played out with every scripted die thrown, and none beside them."""
    document = {
        "format": "battlemat/1", "ruleset": "olde", "options": options, "map": {"rows": rows or HALL}, "seed": 1,
        "throws": throws, "creatures": creatures, "commands": commands,
    }  # fmt: skip
    match = Match.from_record(document, strict_throws=True)
    assert match.state.throw_at == len(throws), "all dice that were written down are thrown"
    return match


def of(match: Match, who: str) -> dict[str, Any]:
    return as_builtins(dict(match.ruleset.summary(match.state)))["creatures"][who]


def attack(by: str, target: str) -> dict[str, Any]:
    return {"by": by, "do": "attack", "target": target, "weapon": "broadsword"}


def attacks(match: Match) -> list[dict[str, Any]]:
    found = [as_builtins(event) for event in match.events]
    return [event for event in found if event["event"] == "attack"]


def test_a_parry_costs_two_on_own_attacks_until_the_reset_and_not_longer() -> None:
    """AP 8 and 6. `b` parries in time (3 + 3 against 2 + 2); its own attack is 4 + 3 + 2 for Foreman − 2.

    After the reset the same throws come to two more.
    """
    match = replayed(
        [creature("a", (1, 1), "heroes"), creature("b", (2, 1), "monsters", skills={"Swords": "Foreman"})],
        [8, 6, 3, 3, 2, 2, 4, 4, 4, 3, 6, 8, 4, 4, 4, 3, 1],
        [attack("a", "b"), {"by": "b", "do": "choose", "option": "parry"}, {"by": "a", "do": "end"}, attack("b", "a"),
         *[{"by": who, "do": "end"} for who in ("b", "a", "b")], attack("b", "a")],
        parry=True,
    )  # fmt: skip
    assert [(event["by"], event["attack"], event["defense"]) for event in attacks(match)] == [("b", 7, 8), ("b", 9, 8)]


GUIDED = (
    [creature("a", (1, 1), "heroes"), creature("b", (2, 1), "heroes"), creature("d", (1, 2), "heroes"),
     creature("c", (3, 1), "monsters")],
    # AP 4, 3, 5 and 7; the blow: defense 1 + 1, attack 1 + 1 a hit for 6, the check against 6 fails with 1 + 2
    [4, 3, 5, 7, 1, 1, 1, 1, 6, 1, 2],
    [attack("c", "b"), {"by": "c", "do": "end"}, {"by": "d", "do": "guide", "target": "b", "at": [2, 2]},
     {"by": "d", "do": "end"}],
)  # fmt: skip


def test_the_stunned_are_guided_by_one_ally_a_round() -> None:
    creatures, throws, commands = GUIDED
    match = replayed(creatures, throws, commands)
    assert of(match, "b")["at"] == [2, 2] and of(match, "d")["ap"] == 3
    second = {"by": "a", "do": "guide", "target": "b", "at": [2, 3]}
    with pytest.raises(RecordError, match=r"commands\[4\] \(by a, do guide\): guide: .*round"):
        replayed(creatures, throws, [*commands, second])


@pytest.mark.parametrize(
    ("throws", "lands", "posture"),
    [([6, 6], [5, 1], "standing"), ([6, 5], [2, 1], "standing"), ([5, 4], [2, 1], "prone")],
    ids=["12 gets over", "11 stays at the edge", "9 falls"],
)
def test_a_leap_over_two_spaces_is_hard(throws: Sequence[int | None], lands: list[int], posture: str) -> None:
    """CR 12; short by two ranks (three and more) one falls: where no floor is beneath, prone at the edge."""
    rows = ["###########", *["#..  .....#"] * 3, "###########"]
    match = replayed(
        [creature("a", (2, 1), "heroes"), creature("b", (9, 3), "monsters")],
        [8, 4, *throws],
        [{"by": "a", "do": "leap", "at": [5, 1]}],
        rows,
    )
    assert (of(match, "a")["at"], of(match, "a")["posture"]) == (lands, posture)


def test_who_began_with_too_little_pays_all_of_it_and_does_nothing_more() -> None:
    """2 AP where First Aid costs 3: all are paid, for 4 + 2 − 2 against Easy; a step is refused afterwards."""
    crew = [creature("a", (1, 1), "heroes"), creature("aa", (1, 2), "heroes", hp=8, conditions=["bleeding"]),
            creature("b", (9, 3), "monsters")]  # fmt: skip
    # the reset: bleeding costs 1, its check 3 + 3 fails; AP 2, 5, 1
    throws = [3, 3, 2, 5, 1, 4, 4]
    commands = [{"by": "aa", "do": "end"}, {"by": "a", "do": "first_aid", "target": "aa"}]
    match = replayed(crew, throws, commands)
    assert (of(match, "a")["ap"], of(match, "aa")["conditions"], of(match, "aa")["hp"]) == (0, [], 7)
    with pytest.raises(RecordError, match=r"commands\[2\] \(by a, do step\)"):
        replayed(crew, throws, [*commands, {"by": "a", "do": "step", "path": [[2, 1]]}])


def test_who_has_spent_some_pays_no_less_than_the_whole() -> None:
    """5 AP, 3 of them for a Step of three spaces: 2 are left, and First Aid costs 3."""
    crew = [creature("a", (1, 3), "heroes"), creature("aa", (4, 2), "heroes", hp=8, conditions=["bleeding"]),
            creature("b", (9, 3), "monsters")]  # fmt: skip
    commands: list[dict[str, Any]] = [
        {"by": "a", "do": "step", "path": [[2, 3], [3, 3], [4, 3]]},
        {"by": "a", "do": "first_aid", "target": "aa"},
    ]
    with pytest.raises(RecordError, match=r"commands\[1\] \(by a, do first_aid\): .*AP"):
        replayed(crew, [3, 3, 5, 2, 1], commands)


def test_a_fight_may_end_inside_a_reset_which_then_stops_after_its_third_step() -> None:
    """The last foe bleeds out in the reset after turn 1: no Mana comes back, and no action points are thrown."""
    match = replayed(
        [creature("a", (1, 1), "heroes", spells=["light"], mana=2),
         creature("b", (9, 3), "monsters", hp=2, conditions=["bleeding"])],
        [2, 2, 8, 4, 2, 2],  # both checks against bleeding fail; AP between them
        [{"by": who, "do": "end"} for who in ("a", "b")],
    )  # fmt: skip
    summary = match.ruleset.summary(match.state)
    assert (summary["over"], summary["turn"], summary["phase"]) == ("heroes", 1, "over")
    assert (of(match, "b")["hp"], of(match, "b")["status"]) == (0, "incapacitated")
    assert of(match, "a")["mana"] == 3, "one came back in the first reset, none in the last"

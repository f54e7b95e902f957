"""The computer casts: areas where they catch many, help where it is needed, nothing that burns friends for little."""

from __future__ import annotations

from typing import Any

from game.controllers.ai import AiController
from game.fight.match import Match
from rules.contract.actions import Action

ROWS = ["################", *["#..............#"] * 7, "################"]


def fight(*creatures: tuple[str, str, tuple[int, int], dict[str, Any]], ap: int = 7) -> Match:
    """Creatures as (template, side, place, overrides); the first acts first. Ids are their letters in order."""
    entries = [
        {"id": chr(97 + i), "template": name, "side": side, "at": list(at), "controller": "ai", **says}
        for i, (name, side, at, says) in enumerate(creatures)
    ]
    up = sum(1 for entry in entries if entry.get("hp", 1) > 0)
    return Match.from_record(
        {"format": "battlemat/1", "ruleset": "olde", "map": {"rows": ROWS}, "seed": 1,
         "throws": [ap, *[1] * (up - 1)], "creatures": entries}
    )  # fmt: skip


def choice(match: Match) -> Action:
    decision = match.decision
    assert decision is not None and decision.by == "a"
    seen = match.observe(decision.side)
    legal = match.ruleset.legal(seen, decision)
    action = AiController().choose(match.ruleset, seen, decision, legal)
    assert action in match.legal(decision)
    return action


def deed(match: Match) -> Action:
    """What `a` does in its chance after it has gone where it wants to be."""
    while True:
        action = choice(match)
        if not action.path:
            return action
        match.act(match.decision, action)  # type: ignore[arg-type]


def test_a_wizard_burns_a_crowd_and_catches_all_of_it() -> None:
    crowd: list[Any] = [("goblin", "monsters", at, {}) for at in ((10, 4), (11, 3), (11, 4))]
    match = fight(("wizard", "heroes", (3, 4), {}), *crowd)
    action = choice(match)
    assert (action.do, action.item) in (("cast", "fire blast"), ("use", "scroll of fire blast"))
    odds = match.ruleset.odds(match.state, action)
    assert odds is not None and [share.id for share in odds.targets] == ["b", "c", "d"]


def test_a_wizard_does_not_burn_two_friends_for_one_foe() -> None:
    friends = [("warrior", "heroes", at, {"hp": 5}) for at in ((9, 4), (10, 5))]
    match = fight(("wizard", "heroes", (3, 4), {}), ("goblin", "monsters", (10, 4), {}), *friends)
    action = choice(match)
    odds = match.ruleset.odds(match.state, action)
    assert odds is None or all(share.id not in ("c", "d") or share.mean == 0 for share in odds.targets)


def test_a_wizard_rather_burns_fewer_foes_than_a_friend_among_them() -> None:
    crowd: list[Any] = [("goblin", "monsters", at, {}) for at in ((10, 4), (11, 3), (11, 5))]
    match = fight(("wizard", "heroes", (3, 4), {}), ("warrior", "heroes", (11, 4), {}), *crowd)
    action = choice(match)
    odds = match.ruleset.odds(match.state, action)
    assert odds is not None and action.item == "fire blast"
    assert [share.id for share in odds.targets] == ["d"]


def test_a_priest_mends_the_dying_friend_beside_him() -> None:
    match = fight(
        ("priest", "heroes", (3, 4), {}),
        ("warrior", "heroes", (4, 4), {"hp": -3}),
        ("goblin", "monsters", (6, 4), {}),
        ap=5,
    )
    action = deed(match)
    assert (action.do, action.item, action.target) == ("cast", "mend wounds", "b")


def test_a_priest_goes_to_the_friend_who_is_dying_out_of_his_reach() -> None:
    match = fight(
        ("priest", "heroes", (3, 4), {}),
        ("warrior", "heroes", (7, 4), {"hp": -3}),
        ("goblin", "monsters", (12, 4), {}),
        ap=5,
    )
    action = deed(match)
    assert (action.do, action.item, action.target) == ("cast", "mend wounds", "b")


def test_a_priest_goes_to_no_friend_who_is_unhurt_or_too_far() -> None:
    for friend in ((7, 4), {}), ((13, 4), {"hp": 3}):
        match = fight(
            ("priest", "heroes", (2, 4), {}), ("warrior", "heroes", *friend), ("goblin", "monsters", (14, 4), {}), ap=5
        )
        assert deed(match).item != "mend wounds"


def test_first_aid_is_given_to_who_lies_some_spaces_off() -> None:
    match = fight(
        ("warrior", "heroes", (3, 4), {"items": []}),
        ("templar", "heroes", (6, 4), {"hp": -3}),
        ("goblin", "monsters", (14, 1), {}),
    )
    action = deed(match)
    assert (action.do, action.target) == ("first_aid", "b")


def test_a_cultist_without_mana_does_not_try_to_cast() -> None:
    match = fight(("cultist", "monsters", (3, 4), {"mana": 0}), ("warrior", "heroes", (6, 4), {}))
    action = choice(match)
    assert action.do != "cast" or action.item == "ember bolt"


def test_nobody_drinks_a_healing_draught_unhurt() -> None:
    match = fight(("warrior", "heroes", (3, 4), {}), ("goblin", "monsters", (4, 4), {}))
    assert choice(match).do != "use"


def test_magic_fights_between_computers_end_and_magic_is_used() -> None:
    used: set[str] = set()
    for seed in range(3):
        match = fight(
            ("wizard", "heroes", (2, 3), {}),
            ("priest", "heroes", (2, 5), {}),
            ("cultist", "monsters", (12, 3), {}),
            ("cultist", "monsters", (12, 5), {}),
            ("skeleton", "monsters", (11, 4), {}),
        )
        match.history.now = match.ruleset.reseeded(match.state, seed)
        players = {"heroes": AiController(), "monsters": AiController()}
        for _ in range(600):
            decision = match.decision
            if decision is None:
                break
            seen = match.observe(decision.side)
            legal = match.ruleset.legal(seen, decision)
            action = players[decision.side].choose(match.ruleset, seen, decision, legal)
            if action.do in ("cast", "use"):
                used.add(action.item or "")
            match.act(decision, action)
        assert match.over is not None, seed
    assert len(used) >= 3 and used <= set(match.state.setup.grimoire.spells) | set(match.state.setup.grimoire.items)

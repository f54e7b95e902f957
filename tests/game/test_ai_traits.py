"""What the computer makes of the traits of creatures (docs/traits.md): its own, and those of its foes."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from game.controllers.ai import AiController
from game.controllers.ai.advisors import advisor_of
from rules.contract.actions import Action
from tests.game.ai_table import change, fight, piece, play_chance, turn_to, where

HALL = """
####################
#..................#
#..................#
#..................#
#..................#
####################
"""


def did(state: Any, who: str, points: int = 6, temper: str | None = None) -> tuple[Any, list[Action]]:
    return play_chance(turn_to(state, who, points), AiController(temper))


def test_a_lookout_calls_the_sleepers_before_it_does_anything_else() -> None:
    sleepers = [piece("goblin", (3, y), "monsters", f"g{y}", asleep=True) for y in (1, 2, 3)]
    state = fight(HALL, piece("goblin_lookout", (4, 2), "monsters"), *sleepers, piece("warrior", (12, 2), "heroes"))
    _, deeds = did(state, "goblin_lookout")
    assert "call_for_help" in [action.do for action in deeds]
    awake = fight(HALL, piece("goblin_lookout", (4, 2), "monsters"), piece("goblin", (3, 2), "monsters"),
                  piece("warrior", (12, 2), "heroes"))  # fmt: skip
    _, deeds = did(awake, "goblin_lookout")
    assert "call_for_help" not in [action.do for action in deeds]


def test_a_pack_falls_upon_whom_one_of_it_has_by_the_throat() -> None:
    state = fight(
        HALL,
        piece("dire_wolf", (9, 2), "monsters", "wolf"),
        piece("dire_wolf", (10, 4), "monsters", "other"),
        piece("warrior", (8, 1), "heroes", "alone"),
        piece("warrior", (10, 3), "heroes", "held"),
    )
    _, deeds = did(state, "wolf", 3)
    assert {action.target for action in deeds if action.target} == {"held"}


def test_a_spider_spins_at_whom_it_cannot_get_at() -> None:
    rows = ["##########", "#........#", "##########"]
    state = fight(
        "\n".join(rows),
        piece("giant_spider", (3, 1), "monsters"),
        piece("giant_rat", (4, 1), "monsters"),
        piece("warrior", (6, 1), "heroes"),
    )
    _, deeds = did(state, "giant_spider", 3)
    assert "web" in [action.weapon for action in deeds]


def test_a_shaman_mends_its_own() -> None:
    state = fight(
        HALL,
        piece("goblin_shaman", (4, 2), "monsters"),
        piece("bugbear", (5, 2), "monsters", hp=-2),
        piece("warrior", (12, 2), "heroes"),
    )
    _, deeds = did(state, "goblin_shaman")
    assert ("cast", "mend wounds", "bugbear") in [(a.do, a.item, a.target) for a in deeds]


def test_archers_keep_their_distance_and_shoot() -> None:
    state = fight(HALL, piece("goblin_archer", (8, 2), "monsters"), piece("warrior", (5, 2), "heroes"))
    after, deeds = did(change(state, "warrior", ap=2), "goblin_archer", 4)
    assert where(after, "goblin_archer")[0] > 8
    assert any(action.weapon == "shortbow" for action in deeds)


def test_nobody_means_to_sleep_or_frighten_the_dead() -> None:
    state = fight(
        HALL, piece("wizard", (3, 2), "heroes", spells=["sleep", "dread"]), piece("zombie", (7, 2), "monsters")
    )
    _, deeds = did(state, "wizard")
    assert not [action for action in deeds if action.do == "cast"]


def test_the_frightened_neither_strike_nor_come_nearer() -> None:
    state = fight(HALL, piece("orc", (8, 2), "monsters", conditions=["frightened"]), piece("warrior", (5, 2), "heroes"))
    after, deeds = did(state, "orc")
    assert where(after, "orc")[0] >= 8 and not [action for action in deeds if action.weapon]


def test_the_dazed_and_the_restrained_do_what_is_left_to_them() -> None:
    dazed = fight(HALL, piece("orc", (8, 2), "monsters", conditions=["dazed"]), piece("warrior", (7, 2), "heroes"))
    _, deeds = did(dazed, "orc")
    assert not [action for action in deeds if action.weapon]
    held = fight(HALL, piece("orc", (8, 2), "monsters", conditions=["restrained"]), piece("warrior", (7, 2), "heroes"))
    _, deeds = did(held, "orc")
    assert [action.target for action in deeds if action.target] == ["warrior"]


def test_the_silenced_cast_what_needs_no_word() -> None:
    state = fight(HALL, piece("wizard", (3, 2), "heroes", spells=["ember bolt", "blinding flash"], weapons=["sax"],
                              ready=["sax"], items=[], conditions=["silenced"]),
                  piece("ogre", (7, 2), "monsters"))  # fmt: skip
    _, deeds = did(state, "wizard")
    assert [action.item for action in deeds if action.do == "cast"] == ["blinding flash"]


def test_the_danger_from_who_may_be_held_before_it_comes_near_counts_less() -> None:
    from game.controllers.ai.factors import load_weights
    from game.controllers.ai.judge import Judge
    from game.controllers.ai.position import Position
    from tests.game.ai_table import RULES, asked

    state = fight(HALL, piece("giant_spider", (5, 2), "monsters"), piece("warrior", (9, 2), "heroes"))
    known, decision, _ = asked(turn_to(state, "giant_spider", 3))
    judge = Judge(Position(RULES, known, decision, load_weights().temper("brute")))
    cells = 1 << state.setup.field.cell(5, 2)
    targets = advisor_of(RULES).targets(known, "giant_spider", cells)
    judge.survey(cells, targets)
    spot, foe = judge.spot(state.setup.field.cell(5, 2)), judge.position.foes[0]
    web = targets[0].vantages[0].swings[0]
    assert web.weapon == "web" and web.held > 0.0 and spot.danger > 0.0
    assert judge.spared(spot, foe, web, 0) > judge.spared(spot, foe, replace(web, held=0.0), 0) == 0.0
    assert judge.spared(spot, foe, web, 2) > judge.spared(spot, foe, web, 0)


def test_what_somebody_suffers_already_is_no_reason_to_strike_again() -> None:
    from tests.game.ai_table import RULES

    for conditions, held in (([], True), (["rooted"], False)):
        victim = piece("warrior", (9, 2), "heroes", conditions=conditions)
        state = fight(HALL, piece("giant_spider", (5, 2), "monsters"), victim)
        cells = 1 << state.setup.field.cell(5, 2)
        (target,) = advisor_of(RULES).targets(turn_to(state, "giant_spider", 3), "giant_spider", cells)
        web = target.vantages[0].swings[0]
        assert web.weapon == "web" and (web.held > 0.0) is held and (web.side_effect > 0.0) is held

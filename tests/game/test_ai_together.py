"""Who fights beside others goes among foes with them, not one by one (docs/computer.md)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from game.controllers.ai import AiController
from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.advisors.planning import Magic
from game.controllers.ai.factors import load_weights
from game.controllers.ai.judge import Judge
from game.controllers.ai.position import Position
from rules.contract.actions import Action
from rules.contract.units import Bitboard
from tests.game.ai_table import RULES, asked, change, fight, piece, play_chance, turn_to

HALL = "\n".join(["#" * 26, *["#" + "." * 24 + "#"] * 7, "#" * 26])
"""Long enough to be out of reach of each other."""
ALONE = 6
"""Which of the addends of a space counts being there before one's friends."""
LAST = (2, 3)
"""Where a friend stands who has just set out."""


def ghouls(*friends: tuple[int, int], foe: tuple[int, int] = (16, 4), at: tuple[int, int] = (7, 4), **more: Any) -> Any:
    """A ghoul to act, friends of it, and a warrior."""
    pack = [piece("ghoul", place, "monsters", f"w{n}") for n, place in enumerate(friends)]
    state = fight(HALL, piece("ghoul", at, "monsters", "me"), *pack, piece("warrior", foe, "heroes"), **more)
    return turn_to(state, "me", 4)


def endangered(state: Any) -> bool:
    """Whether the foe could come and strike the wolf where it stands."""
    known, _, _ = asked(turn_to(state, "me"))
    me = next(p for p in advisor_of(RULES).pieces(known) if p.id == "me")
    return any((t.close | t.now | t.later) >> me.cell & 1 for t in advisor_of(RULES).threats(known, "me"))


def test_a_ghoul_alone_runs_at_its_prey() -> None:
    state, _ = play_chance(ghouls(), AiController())
    assert endangered(state)


def test_a_ghoul_waits_out_of_reach_for_its_pack() -> None:
    state, _ = play_chance(ghouls(LAST, (2, 5)), AiController())
    assert not endangered(state)


def test_it_goes_with_its_pack_once_that_is_there() -> None:
    state, _ = play_chance(ghouls((9, 3), (9, 5)), AiController())
    assert endangered(state)


def test_it_waits_no_more_once_somebody_has_come_to_blows() -> None:
    state, _ = play_chance(ghouls(LAST, (15, 4)), AiController())
    assert endangered(state)


@pytest.mark.parametrize("condition", ["unconscious", "away"])
def test_it_waits_for_nobody_who_will_not_come(condition: str) -> None:
    if condition == "away":  # in a cell without a door
        rows = HALL.split()
        rows[2] = "#.###" + rows[2][5:]
        rows[3] = "#..##" + rows[3][5:]
        rows[1] = "#####" + rows[1][5:]
        rows[4] = "#####" + rows[4][5:]
        pack = piece("ghoul", (2, 3), "monsters", "w0")
        state = fight(
            "\n".join(rows), piece("ghoul", (10, 4), "monsters", "me"), pack, piece("warrior", (16, 4), "heroes")
        )
        state = turn_to(state, "me", 4)
    else:
        state = change(ghouls(LAST), "w0", hp=0)
    state, _ = play_chance(state, AiController())
    assert endangered(state)


def test_nobody_waits_for_an_archer_who_shoots_already() -> None:
    state = fight(
        HALL,
        piece("ghoul", (10, 4), "monsters", "me"),
        piece("goblin_archer", (3, 4), "monsters", "bow"),
        piece("warrior", (16, 4), "heroes"),
    )
    state, _ = play_chance(turn_to(state, "me", 4), AiController())
    assert endangered(state)


def test_it_waits_no_longer_in_a_fight_that_drags_on() -> None:
    state = msgspec.structs.replace(ghouls(LAST, (2, 5)), turn=20)
    state, _ = play_chance(state, AiController())
    assert endangered(state)


@pytest.mark.parametrize(
    ("second", "beside", "waits"),
    [("warrior", "ghoul", True), ("ranger", "ghoul", False), ("ranger", "goblin_archer", True)],
    ids=["nobody shoots", "a foe shoots", "both sides shoot"],
)
def test_it_waits_for_less_long_where_more_foes_than_friends_shoot(second: str, beside: str, waits: bool) -> None:
    state = fight(
        HALL,
        piece("ghoul", (7, 4), "monsters", "me"),
        piece("ghoul", LAST, "monsters", "w0"),
        piece(beside, (2, 5), "monsters", "w1"),
        piece("warrior", (16, 4), "heroes"),
        piece(second, (24, 4), "heroes", "second"),
    )
    weights = load_weights("olde")
    known, decision, _ = asked(turn_to(state, "me", 4))
    position = Position(RULES, known, decision, weights.temper("brute"), weights)
    position.aged(round(weights.judge.waits_outshot))
    judge = Judge(position, outlook=advisor_of(RULES).outlook(known, "me"))
    before_the_foe = position.terrain.field.cell(15, 4)
    judge.survey(Bitboard(1 << before_the_foe), ())
    spot = judge.spot(before_the_foe)
    judge.place(spot)
    assert (spot.addends[ALONE] < 0.0) is waits


def test_waiting_counts_less_where_one_deed_may_fell_the_only_foe_who_is_there() -> None:
    known, decision, _ = asked(change(ghouls(LAST, (2, 5), at=(15, 4)), "warrior", hp=1))
    weights, advisor = load_weights("olde"), advisor_of(RULES)
    position = Position(RULES, known, decision, weights.temper("cunning"), weights)
    assert position.me is not None
    here, (foe,) = position.me.cell, position.foes
    judge = Judge(position, outlook=advisor.outlook(known, "me"))
    judge.survey(Bitboard(1 << here), advisor.targets(known, "me", Bitboard(1 << here)))
    spot, swing = judge.spot(here), judge.sights[0].blows[0][0]
    judge.place(spot)
    assert spot.alone > 0.0 < swing.drop
    danger = position.share(spot.strikers, foe.id)
    assert judge.spared(spot, foe, swing, 0) == pytest.approx(swing.drop * (danger + spot.alone))
    burns = Magic(Action("me", "cast"), 1, blows=((foe.id, 3.0, 0.5, 0.0),))
    worth = judge.measure(burns, spot)
    spot.alone = 0.0
    assert worth - judge.measure(burns, spot) == pytest.approx(0.5 * -spot.addends[ALONE])


def _told_of_the_others(state: Any, stayed: int) -> AiController:
    """A mind that has seen the two who come behind decide so often to stay where they are."""
    player = AiController()
    for turn in range(stayed):
        for who in ("w0", "w1"):
            known, decision, _ = asked(msgspec.structs.replace(turn_to(state, who, 4), round=turn))
            player.recall(RULES, known, decision, Action(who, "end"))
    return player


@pytest.mark.parametrize("more", [0, -1], ids=["stayed long", "stayed less"])
def test_who_long_stays_where_it_is_is_waited_for_no_more(more: int) -> None:
    state = ghouls(LAST, (2, 5))
    player = _told_of_the_others(state, load_weights("olde").judge.stays + more)
    state, _ = play_chance(msgspec.structs.replace(state, round=20), player)
    assert endangered(state) is (more == 0)


def test_why_says_what_it_waits_for() -> None:
    state = ghouls(LAST, (2, 5))
    known, decision, legal = asked(state)
    player = AiController()
    best = player.explain(RULES, known, decision, legal).best[0]
    field = RULES.terrain(state).field
    line = player.why_not(RULES, known, decision, legal, field.cell(15, 4))
    assert "friends still on their way" in line, line
    assert not any("on their way" in text for text, _ in best.reasons)

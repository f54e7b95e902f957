"""Corners of the manoeuvres (countup.md §1, §2.6): who may answer, what is halved, how fast the helpless are struck."""

from __future__ import annotations

import msgspec
import pytest

from rules.countup.manners import Stance
from rules.countup.state import Gait
from tests.rules.countup.creatures import Fight, being, duel


@pytest.mark.parametrize(("answer", "damage"), [("yield", 6), ("stand", 13)])
def test_ground_given_to_an_aggressive_attack_halves_its_harm(answer: str, damage: int) -> None:
    """2d8p with 7 and 6 on a total that hits either way."""
    fight = duel(3, 18, 7, 6, *[None] * 40)
    fight.do("b", "policy", option=answer)
    fight.do("b", "hold", option="30")
    fight.do("a", "attack", target="b", option="aggressive")
    assert fight.all("attack")[0]["damage"] == damage


def test_nobody_gives_ground_to_a_charge() -> None:
    fight = duel(3, 18, 7, 6, *[None] * 40)
    running = msgspec.structs.replace(
        fight.now.figures[0], stance=Stance.CHARGING, until=9, straight=160, gait=Gait.RUN, heading=2
    )
    fight.now = msgspec.structs.replace(fight.now, figures=(running, fight.now.figures[1]))
    fight.do("b", "policy", option="yield")
    fight.do("b", "hold", option="30")
    fight.do("a", "attack", target="b", option="charge")
    assert not any(move["mode"] == "gives_ground" for move in fight.all("moved")[:1])
    assert fight.all("attack")[0]["action"] == "charge"


@pytest.mark.parametrize("helpless", [True, False])
def test_the_helpless_are_struck_in_half_the_time(helpless: bool) -> None:
    """A longsword's ten seconds, or five, rounded up."""
    fight = duel(7, 8, 1, 1, *[None] * 600, a={"damage": -9})
    if helpless:
        down = msgspec.structs.replace(fight.now.figures[1], helpless=60, prone=True)
        fight.now = msgspec.structs.replace(fight.now, figures=(fight.now.figures[0], down))
    else:
        fight.do("b", "policy", option="stand")
        fight.do("b", "hold", option="4")
    fight.do("a", "attack", target="b")
    seconds = [event["number"] for event in fight.all("began") if event["what"] == "second"]
    assert fight.all("attack")[0]["rolls"][0]["dice"] == ("d8p" if helpless else "d20p−4")
    assert (6 in seconds) == helpless


def test_who_has_another_enemy_beside_it_does_not_strike_at_the_fleeing() -> None:
    friend = being("aa", (3, 1))
    fight = Fight(being("a", (1, 1)), friend, being("b", (2, 1)), throws=[1, 1, 1, *[None] * 90])
    fight.do("b", "policy", option="stand")
    fight.do("b", "hold", option="1")
    fight.do("aa", "hold", option="30")
    fight.do("a", "hold", option="1")
    while "a" not in fight.waiting:
        fight.hold(fight.waiting[0], seconds=1)
    fight.do("a", "flee", path=[[1, 2], [1, 3], [1, 4]])
    while fight.waiting and fight.second < 3:
        fight.hold(fight.waiting[0], seconds=9)
    assert not fight.all("question")


def test_an_aggressive_fighter_gives_no_ground() -> None:
    fight = duel(3, 12, 1, 1, *[None] * 60)
    bold = msgspec.structs.replace(fight.now.figures[1], exposed=True)
    fight.now = msgspec.structs.replace(fight.now, figures=(fight.now.figures[0], bold))
    fight.do("b", "policy", option="ask")
    fight.do("b", "hold", option="2")
    fight.do("a", "attack", target="b")
    assert fight.all("attack")[0]["by"] == "a"
    before = fight.events[: fight.events.index(fight.all("attack")[0])]
    assert not [event for event in before if event["event"] == "question"]

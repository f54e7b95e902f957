"""The log: every die has its event, once; the story calls every manner of fighting by its name."""

from __future__ import annotations

import random

import pytest

from game.fight.match import Match
from rules.contract.actions import pending
from rules.contract.events import Attack, Check, Contest, Roll, Throw
from rules.contract.text import as_builtins, text
from rules.core.registry import ruleset
from rules.countup.actions.answers import describe_answer
from rules.countup.manners import MANNERS
from tests.rules.countup.creatures import Fight, being, duel
from tests.rules.countup.test_spells_countup import faces_told
from tests.rules.table import dice

ROWS = ["##############", "#............#", "#....#.......#", "#....+.......#", "#............#", "##############"]
HEROES = ("hale", "bram", "tess", "mog", "cora", "arn")
FOES = ("guard", "bandit_archer", "orc", "giant_spider", "kobold", "lizard_folk", "goblin", "skeleton")


@pytest.mark.parametrize("seed", range(6))
def test_every_die_of_a_fight_is_told_once(seed: int) -> None:
    """Fights at random, blows preferred: as many faces in the events as dice were thrown."""
    dice = random.Random(seed)
    creatures = [
        {"id": name, "template": name, "side": side, "at": [column, 1 + number]}
        for side, column, names in (("heroes", 3, HEROES), ("monsters", 7, FOES))
        for number, name in enumerate(dice.sample(names, 4))
    ]
    options = {"morale": True, "fatigue": True, "out_cold": True, "scamper_back": True, "components": True}
    record = {
        "format": "battlemat/1", "ruleset": "countup", "map": {"rows": ROWS}, "seed": seed, "options": options,
        "creatures": creatures, "commands": [],
    }  # fmt: skip
    match = Match.from_record(record)
    rules, state, events = ruleset("countup"), match.state, list(match.events)
    for _ in range(160):
        decision = pending(rules.decisions(state))
        if decision is None:
            break
        legal = list(rules.legal(state, decision))
        deeds = [a for a in legal if a.do in ("attack", "shoot", "cast", "knock_aside", "hold_at_bay", "choose")]
        step = rules.apply(state, decision, dice.choice(deeds if deeds and dice.random() < 0.8 else legal))
        state, events = step.state, [*events, *step.events]
    assert state.throw_at > 30
    assert faces_told([as_builtins(event) for event in events]) == state.throw_at


# -- said


def said(fight: Fight) -> str:
    """What the story says of the last blow."""
    return fight.lines[max(n for n, line in enumerate(fight.lines) if " against " in line)]


@pytest.mark.parametrize(
    ("option", "words"),
    [(None, "a strikes at b with longsword"), ("jab", "a jabs at b with longsword"),
     ("aggressive", "a makes an aggressive attack on b with longsword"),
     ("defensive 3", "a fights defensively and strikes at b with longsword")],
)  # fmt: skip
def test_a_blow_is_called_by_its_manner(option: str | None, words: str) -> None:
    fight = duel(*dice("defence 10, attack 15, damage 3 4"))
    fight.do("b", "policy", option="stand")
    fight.hold("b", seconds=7)
    fight.do("a", "attack", target="b", **({"option": option} if option else {}))
    assert said(fight).startswith(f"{words}: 15 against 6" if option is None else words)


def test_a_charge_a_free_attack_and_what_stances_there_are_are_told() -> None:
    lane = ["#" * 30, "#" + "." * 28 + "#", "#" * 30]
    fight = Fight(being("a", (1, 1)), being("b", (12, 1), weapons=["dagger"]),
                  throws=[1, 1, 15, 1, *[None] * 60], rows=lane)  # fmt: skip
    for who in ("a", "b"):
        fight.do(who, "policy", option="stand")
    fight.hold("b", seconds=20)
    fight.do("a", "run", path=[(x, 1) for x in range(2, 12)])
    fight.do("a", "attack", target="b", option="charge")
    assert any(line.startswith("a charges b with longsword: ") for line in fight.lines)
    assert any(line.startswith("b has a free attack on a with dagger: ") for line in fight.lines), "a fumble"


def test_a_full_parry_and_a_weapon_set_are_told() -> None:
    fight = Fight(being("a", (1, 1)), being("b", (12, 1), weapons=["spear"]), throws=dice("initiative 1 1"))
    fight.do("a", "full_parry")
    fight.do("b", "set")
    assert "a goes over to a full parry." in fight.lines
    assert "b sets the spear against a charge." in fight.lines


def test_a_weapon_that_is_not_knocked_aside_is_told_with_its_dice() -> None:
    fight = Fight(
        being("a", (1, 1), weapons=["spear"]),
        being("b", (4, 1), weapons=["dagger"]),
        throws=dice(
            "initiative 1 1, defence 2, attack 15, holds at bay 12, knock aside 8, holds at bay 2, knock aside 9"
        ),
    )
    for who in ("a", "b"):
        fight.do(who, "policy", option="stand")
    fight.do("a", "hold_at_bay", target="b")
    fight.hold("b", seconds=1)
    fight.do("b", "knock_aside")
    assert "b does not knock aside the weapon of a: 8 against 8." in fight.lines, "12 - 4; a tie holds"
    contest = fight.all("contest")[-1]
    assert (contest["what"], contest.get("success")) == ("knock aside", False)
    assert [throw["face"] for roll in contest["rolls"] for throw in roll["throws"]] == [12, 8]
    fight.do("b", "knock_aside")
    assert "b knocks aside the weapon of a: 9 against −2." in fight.lines


def test_one_arrow_into_a_melee_reads_as_one_shot() -> None:
    fight = Fight(
        being("a", (1, 2), weapons=["longbow"]), being("aa", (7, 2)), being("b", (6, 2)), being("c", (6, 3)),
        throws=dice("initiative 1 1 1 1, shot 8, defence 9 9 1, damage 3 4"),
    )  # fmt: skip
    fight.hold("aa", "b", "c", seconds=13)
    fight.do("a", "shoot", target="b")
    lines = [line for line in fight.lines if " against " in line]
    assert lines == [
        "a shoots at b with longbow: 8 against 15, a miss.",
        "The shot goes past b and on at aa: 8 against 15, a miss.",
        "The shot goes past aa and on at c: 8 against 7, a hit for 7.",
    ]
    assert [len(shot["rolls"]) for shot in fight.all("attack")] == [2, 1, 2], "its die is told once"


def test_every_kind_of_blow_has_its_words() -> None:
    fight = duel()
    for kind in MANNERS:
        event = Attack(by="a", target="b", weapon="unarmed", attack=1, defense=2, margin=-1, outcome="miss", damage=0,
                       adjustments=(), rolls=(), action=kind)  # fmt: skip
        assert "bare hands" in fight.rules.tell(fight.now, event)


def test_who_keeps_out_of_sight_is_told_before_anybody_has_watched() -> None:
    """Its roll stands alone until a watcher throws against it."""
    fight = duel()
    roll = Roll("Stealth", "d100", (Throw(100, 34, 34),), 34)
    event = Contest(by="a", target="a", what="Stealth", rolls=(roll,), success=True, note="keeps out of sight")
    assert fight.rules.tell(fight.now, event).endswith("Stealth: 34, keeps out of sight.")


@pytest.mark.parametrize(("success", "said"), [(True, "Hale is noticed"), (False, "Hale is not noticed")])
def test_whether_a_watcher_notices_somebody_is_said_in_plain_words(success: bool, said: str) -> None:
    fight = duel()
    what = text("{what} against {name}", "observation", "Hale")
    event = Check(by="a", what=what, roll=Roll("observation", "d100", (), 73), rating=20, success=success)
    assert fight.rules.tell(fight.now, event).endswith(f"observation against Hale: 73 against 20, {said}.")


def test_who_is_asked_to_give_ground_reads_what_standing_firm_means() -> None:
    stand = describe_answer("stand")
    assert "+5 to this defence" in stand.notes[0] and stand.notes[0] not in (stand.label, stand.cost)

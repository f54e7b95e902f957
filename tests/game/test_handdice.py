"""Real dice: which die is asked for and when, what the record keeps of them, and the dialog by keys and by mouse."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from game.fight.match import Match, attempt
from game.scenes.fight.deeds import DiceDialog
from game.scenes.fight.scene import Fight
from game.scenes.fight.ways import Opening
from rules.contract.actions import Action
from rules.contract.errors import IllegalActionError
from rules.core import record as records
from tests.game.hotseat_table import app_at, being, let_in, seated
from tests.game.player import Player


def duel(own: tuple[str, ...] = ("Ann",), **more: Any) -> dict[str, Any]:
    """Ada beside a surprised beast, in the open; the seats of `own` throw real dice."""
    seats: list[dict[str, Any]] = [
        {"name": "Ann", "plays": ["heroes"]},
        {"name": "Ben", "colour": 1, "plays": ["beasts"]},
    ]
    seats = [{**seat, "own_dice": seat["name"] in own} for seat in seats]
    creatures = [being("Ada", "heroes", (1, 1), finesse=7), being("Zugg", "beasts", (2, 1), surprised=True)]
    return {
        "format": "battlemat/1", "ruleset": "olde", "map": {"rows": ["#####", "#...#", "#...#", "#####"]}, "seed": 5,
        "seats": seats, "creatures": creatures, "commands": [], **more,
    }  # fmt: skip


BLOW = Action("ada", "attack", target="zugg", weapon="broadsword")


def asked(match: Match, typed: list[int | None], own: tuple[str, ...] = ("ada",)) -> list[Any]:
    decision = match.decision
    assert decision is not None
    found = attempt(match, decision, BLOW, typed, lambda name: name in own)
    needed = found.needed
    return [found.throws, None if needed is None else (needed.by, needed.label, needed.faces)]


def test_only_dice_of_those_who_throw_their_own_are_asked_for() -> None:
    match = Match.from_record(duel())
    before = match.ruleset.thrown(match.state)
    throws, first = asked(match, [])
    assert first == ("ada", "attack", 6)
    assert throws == (None,) * (before + 2), "the defender's two dice are the seed's"
    throws, second = asked(match, [4])
    assert second == ("ada", "attack", 6) and throws[-1] == 4
    assert asked(match, [], ("zugg",))[1][:2] == ("zugg", "defense"), "also in an action of somebody else's"


def test_trying_changes_nothing_and_the_wrong_is_refused() -> None:
    match = Match.from_record(duel())
    state = match.state
    asked(match, [3, 3])
    assert match.state is state and match.record.throws is None and not match.record.commands
    decision = match.decision
    assert decision is not None
    with pytest.raises(IllegalActionError):
        attempt(match, decision, Action("ada", "attack", target="nobody"), [], lambda name: True)


def test_typed_faces_are_in_the_record_and_a_replay_shows_the_same() -> None:
    match = Match.from_record(duel())
    decision = match.decision
    assert decision is not None
    typed: list[int | None] = []
    while (found := attempt(match, decision, BLOW, typed, lambda name: name == "ada")).needed is not None:
        typed.append(3)
    events = match.act(decision, BLOW, found.throws)
    assert match.record.throws is not None and match.record.throws.count(3) == len(typed)
    assert None in match.record.throws, "the computer's dice stay the seed's"
    again = Match.from_record(records.document(match.record))
    assert tuple(again.events[-len(events) :]) == events
    assert again.ruleset.summary(again.state) == match.ruleset.summary(match.state)


def test_the_seeds_dice_are_what_they_would_have_been() -> None:
    plain, mixed = Match.from_record(duel()), Match.from_record(duel())
    for match, throws in ((plain, None), (mixed, [None] * 40)):
        decision = match.decision
        assert decision is not None
        match.act(decision, BLOW, throws)
    assert plain.events == mixed.events


def test_a_rewind_takes_typed_faces_along_and_asks_anew() -> None:
    match = Match.from_record(duel())
    decision = match.decision
    assert decision is not None
    thrown = match.ruleset.thrown(match.state)
    match.act(decision, BLOW, [*[None] * (thrown + 2), 5, 4, 3, 3, 3])
    match.history.rewind(0)
    assert match.record.throws is not None and 5 not in match.record.throws
    assert asked(match, [])[1] == ("ada", "attack", 6)


# -- the dialog -----------------------------------------------------------------------------------------


def striking(own: tuple[str, ...] = ("Ann",)) -> tuple[Player, Fight]:
    """Ada's blow is under way, and its first die asked for."""
    player = app_at()
    fight = seated(player, duel(own))
    assert fight.acting == "ada"
    fight.deeds.act(BLOW)
    assert isinstance(player.app.top, DiceDialog)
    return player, fight


def test_digits_answer_and_the_action_is_done_when_nothing_is_wanting() -> None:
    player, fight = striking()
    for _ in range(12):
        if isinstance(player.app.top, DiceDialog):
            player.key(pygame.K_2)
    assert player.app.top is fight
    assert fight.match.record.commands[0].do == "attack"
    assert fight.match.record.throws is not None and fight.match.record.throws.count(2) >= 2


def test_enter_pressed_twice_on_a_blow_answers_no_die() -> None:
    player, fight = striking()
    player.key(pygame.K_RETURN)
    player.key(pygame.K_SPACE)
    assert fight.deeds.needed is not None and fight.deeds.typed == []
    dialog = player.app.top
    assert isinstance(dialog, DiceDialog) and "Tab" in dialog.fault, "and it says why"
    player.key(pygame.K_TAB)
    player.key(pygame.K_RETURN)
    assert fight.deeds.typed == [2], "who moves there by Tab means it"


def test_escape_calls_off_and_nothing_has_happened() -> None:
    player, fight = striking()
    player.key(pygame.K_4)
    player.key(pygame.K_ESCAPE)
    assert player.app.top is fight
    assert not fight.match.record.commands and fight.match.record.throws is None
    assert fight.plan is not None and fight.deeds.needed is None


def test_backspace_takes_back_the_last_face() -> None:
    player, fight = striking()
    player.key(pygame.K_4)
    assert fight.deeds.typed == [4]
    player.key(pygame.K_BACKSPACE, text="")
    assert fight.deeds.typed == [] and isinstance(player.app.top, DiceDialog)


def test_a_face_can_be_clicked_and_a_die_left_to_the_computer() -> None:
    player, fight = striking()
    player.press("face 5")
    assert fight.deeds.typed == [5]
    player.press("for me")
    assert fight.deeds.typed == [5, None] or fight.deeds.needed is None


def test_a_face_that_the_die_does_not_have_is_no_answer() -> None:
    player, fight = striking()
    player.key(pygame.K_9)
    player.key(pygame.K_0)
    dialog = player.app.top
    assert fight.deeds.typed == [] and isinstance(dialog, DiceDialog) and "1 to 6" in dialog.fault


def test_the_one_who_is_struck_throws_for_the_defence_and_cannot_call_off_the_computers_blow() -> None:
    player = app_at()
    record = duel(("Ann",))
    for creature in record["creatures"]:
        creature["surprised"] = creature["id"] == "ada"
        creature["controller"] = "human" if creature["id"] == "ada" else "ai"
    record["seats"] = record["seats"][:1]
    fight = seated(player, record)
    for _ in range(60):
        needed = fight.deeds.needed
        if needed is not None and needed.label == "defense":
            break
        if needed is not None:
            player.key(pygame.K_t)
        elif fight.plan is not None:
            fight.choosing.end_chance()
        player.until(lambda: fight.plan is not None or fight.deeds.needed is not None, 10)
    assert needed is not None and (needed.by, needed.label) == ("ada", "defense")
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.app.top, DiceDialog)


# -- the opening ----------------------------------------------------------------------------------------


def test_dice_before_the_first_decision_are_asked_for_too() -> None:
    player = app_at()
    player.app.navigator.begin(duel())
    dialog = player.app.top
    assert isinstance(dialog, DiceDialog) and isinstance(dialog.throwing, Opening)
    labels = []
    while isinstance(player.app.top, DiceDialog):
        needed = dialog.throwing.needed
        assert needed is not None and needed.by == "ada", "the computer's dice stay the seed's"
        labels.append(needed.label)
        player.key(pygame.K_3)
    assert labels
    let_in(player)
    fight = player.app.top
    assert isinstance(fight, Fight)
    throws = fight.match.record.throws
    assert throws is not None and throws.count(3) == len(labels)
    again = Match.from_record(records.document(fight.match.record), strict_throws=False)
    assert again.state == fight.match.state or again.ruleset.summary(again.state) == fight.match.ruleset.summary(
        fight.match.state
    )


def test_an_opening_called_off_begins_nothing() -> None:
    player = app_at()
    before = player.app.top
    player.app.navigator.begin(duel())
    assert isinstance(player.app.top, DiceDialog)
    player.key(pygame.K_9)
    assert "1 to" in player.app.top.fault
    player.key(pygame.K_ESCAPE)
    assert player.app.top is before


def test_faces_of_the_opening_are_taken_back_one_by_one() -> None:
    player = app_at()
    record = duel()
    record["creatures"].append(being("Bruno", "heroes", (1, 2)))
    player.app.navigator.begin(record)
    dialog = player.app.top
    assert isinstance(dialog, DiceDialog)
    first = dialog.throwing.needed
    player.key(pygame.K_2)
    assert dialog.throwing.typed == [2]
    player.key(pygame.K_BACKSPACE, text="")
    assert dialog.throwing.typed == [] and dialog.throwing.needed is not first
    assert first is not None and dialog.throwing.needed is not None
    assert (dialog.throwing.needed.by, dialog.throwing.needed.label) == (first.by, first.label)


def test_who_throws_nothing_by_hand_is_asked_nothing() -> None:
    player = app_at()
    player.app.navigator.begin(duel(()))
    assert not isinstance(player.app.top, DiceDialog)

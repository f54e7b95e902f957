"""The game master's table crossed: hand, fog, players' window, waves, undo and saving, at random through the window."""

from __future__ import annotations

import json
import random
from typing import Any

import pygame
import pytest

from game.fight.match import Match
from game.scenes.fight.scene import Fight
from game.scenes.players.table import Curtain, PlayersTable
from rules.contract.actions import pending
from rules.contract.hand import Deed
from rules.contract.units import Cell
from rules.core import record as records
from tests.game.player import Player
from tests.game.players_table import opened, picture, seen_in
from tests.game.test_hand_window import EVERY, seat, table

STEPS = 26
CTRL = pygame.KMOD_LCTRL


def crossed(ruleset: str, seed: int, *, fog: bool, ai: bool) -> dict[str, Any]:
    """A hero, two goblins and one who comes later; the goblins are people's or the computer's."""
    made = table(ruleset, options={"fog": True} if fog else {}, seed=seed)
    made["creatures"].append({**made["creatures"][2], "id": "late", "name": "Late", "at": [8, 3]})
    for creature in made["creatures"][1:] if ai else ():
        creature["controller"] = "ai"
    return {**made, "arrivals": [{"who": ["late"], "turn": 2, "name": "more of them"}]}


def reached(fight: Fight, rng: random.Random) -> bool:
    """Something at random by the hand; whether it was done."""
    reaching, state = fight.reaching, fight.match.state
    who = rng.choice(list(fight.board.miniatures)).id
    cell = Cell(rng.randrange(len(fight.match.field.ground)))
    deed = rng.choice([Deed.MOVE, Deed.SET, Deed.GIVE, Deed.RAISE, Deed.PLAYER, Deed.DICE, Deed.NOTE, Deed.DOOR,
                       Deed.CHECK, Deed.REMOVE])  # fmt: skip
    if deed is Deed.MOVE:
        return reaching.order(deed, who, at=cell)
    if deed is Deed.SET and (pools := reaching.hand.pools(state, who)):
        pool = rng.choice(pools)
        return reaching.order(deed, who, option=pool.name, rating=rng.randint(max(1, pool.least), max(1, pool.most)))
    if deed is Deed.GIVE and (held := reaching.hand.conditions(state, who)):
        name, on = rng.choice(held)
        return reaching.order(Deed.TAKE if on else deed, who, option=name)
    if deed is Deed.PLAYER:
        return reaching.order(deed, who, option=rng.choice(["human", "ai"]))
    if deed is Deed.DICE:
        return reaching.order(deed, option="2d6+1", **({"item": "hidden"} if rng.random() < 0.5 else {}))
    if deed is Deed.NOTE:
        return reaching.order(deed, at=cell, option=rng.choice(["a draught", "a smell of tar"]), item="hidden")
    if deed is Deed.DOOR and fight.match.field.doors:
        door = fight.match.field.doors[0].id
        return reaching.order(deed, door, option=rng.choice(["open", "closed", "locked"]))
    if deed is Deed.CHECK and (trials := reaching.hand.trials(state, who)):
        trial = rng.choice(trials)
        return reaching.order(deed, who, option=trial.name, rating=rng.randint(trial.least, trial.most))
    if deed in (Deed.RAISE, Deed.REMOVE) and who != "ada":
        return reaching.order(deed, who)
    return False


def answered(fight: Fight, rng: random.Random) -> None:
    """Something at random by whoever has the turn, if it is a person's."""
    decision = pending(fight.match.decisions)
    if decision is None:
        return
    legal = list(fight.match.legal(decision))
    fight.reaching.deeds.answer(decision, rng.choice(legal))


def known_alone(fight: Fight, shown: PlayersTable) -> None:
    """The players' window has nobody whom the heroes don't know of, where they don't know them."""
    if shown.curtain is not Curtain.NONE or shown.view is None or shown.view.board is None:
        return
    board = fight.ruleset.board(fight.match.observe("heroes"))
    assert seen_in(shown) <= {(mini.id, mini.cell) for mini in board.miniatures}
    assert picture(shown).get_width() == shown.size[0]


def saved_and_read(fight: Fight) -> None:
    """The record, written and read, leads to the same board."""
    record = records.read(json.loads(json.dumps(records.document(fight.match.record))))
    again = Match.from_record(record, strict_throws=True)
    assert again.board() == fight.match.board() and again.events == fight.match.events
    assert [each.side for each in again.decisions] == [each.side for each in fight.match.decisions]


def played(player: Player, fight: Fight, rng: random.Random) -> int:
    """Steps at random; how many commands of the hand were given."""
    shown, done = opened(player), 0
    for step in range(STEPS):
        if player.app.top is not fight or fight.match.decision is None:
            break
        kind = rng.random()
        if kind < 0.45:
            done += reached(fight, rng)
        elif kind < 0.8:
            answered(fight, rng)
        else:
            player.key(rng.choice([pygame.K_z, pygame.K_y]), CTRL)
        player.turn(2)
        known_alone(fight, shown)
        if step % 8 == 7:
            saved_and_read(fight)
    saved_and_read(fight)
    return done


@EVERY
@pytest.mark.parametrize("fog", [False, True], ids=["open", "fog"])
@pytest.mark.parametrize("ai", [False, True], ids=["people", "computer"])
def test_whatever_is_done_the_record_replays_and_the_players_learn_nothing(ruleset: str, fog: bool, ai: bool) -> None:
    given = 0
    for seed in range(1, 5):
        player = seat()
        try:
            player.app.navigator.begin(crossed(ruleset, seed, fog=fog, ai=ai))
            player.turn(4)
            fight = next(scene for scene in player.app.scenes if isinstance(scene, Fight))
            while player.app.top is not fight:
                player.key(pygame.K_RETURN)
            if fog:
                fight.do("see_all")
                player.turn()
            given += played(player, fight, random.Random(f"{ruleset} {seed} {fog} {ai}"))
        finally:
            player.app.second.destroy()
            pygame.event.clear()
    assert given > 4, "the hand did something"

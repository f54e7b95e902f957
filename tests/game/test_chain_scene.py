"""Chains in the window: made of encounters, kept, foreseen, played; a fight's summary leads on to the next."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest

from game.characters import chained
from game.fight.match import Match
from game.forecast.chains import play_chain
from game.scenes.chain.lists import Encounters
from game.scenes.chain.scene import ChainScene
from game.scenes.fight.ending import Summary
from game.scenes.fight.scene import Fight
from game.scenes.setup.scene import Setup
from game.scenes.setup.waves import Later
from game.setup import chains, files, waves
from game.widgets.controls import Button
from rules.contract.actions import pending
from rules.contract.hand import Deed
from rules.core import record as records
from tests.game.hotseat_table import app_at
from tests.game.player import Player
from tests.game.test_chains import RESTS, encounter
from tests.rules.explore.expedition import ROOMS, RULESETS

EVERY = pytest.mark.parametrize("ruleset", RULESETS)


@pytest.fixture
def player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Player]:
    monkeypatch.setenv("BATTLEMAT_HOME", str(tmp_path))
    player = app_at()
    yield player
    player.app.quit()
    pygame.event.clear()


def kept(ruleset: str, number: int, **more: Any) -> Path:
    """An encounter among the player's own."""
    path = files.encounters_folder() / f"hall-{number}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(encounter(ruleset, title=f"Hall {number}", **more)), encoding="utf-8")
    return path


def made(player: Player, ruleset: str, fights: int = 2, **more: Any) -> ChainScene:
    """A chain of such encounters on the table, foreseen by nobody."""
    player.app.navigator.chain()
    scene = player.app.top
    assert isinstance(scene, ChainScene)
    scene.session._deal = lambda: None  # type: ignore[method-assign]
    for number in range(fights):
        scene._add(kept(ruleset, number, **more))
    return scene


def press(scene: Any, key: str) -> None:
    """A button by its key."""
    button = next(w for panel in scene.ui.live() for w in panel.walk() if w.key == key)
    assert isinstance(button, Button) and button.enabled, key
    button.press()


def words(scene: Any) -> str:
    return " ".join(str(getattr(w, "label", "")) for panel in scene.ui.live() for w in panel.walk())


@EVERY
def test_a_chain_is_made_of_encounters_ordered_rested_and_kept(player: Player, ruleset: str) -> None:
    scene = made(player, ruleset, 3)
    assert scene.ready is not None and not scene.wrong
    press(scene, f"rest 0 {RESTS[ruleset]}")
    press(scene, "down 0")
    assert [link.encounter for link in scene.links] == ["hall-1.json", "hall-0.json", "hall-2.json"]
    assert [link.rest for link in scene.links] == [RESTS[ruleset], "none", "none"], "rests stay where they are"
    press(scene, "remove 2")
    scene.title = "Two halls"
    assert scene.unsaved and scene.save() and not scene.unsaved
    assert scene.path is not None and chains.load(scene.path) == scene.chain
    player.app.navigator.chain(scene.path)
    assert isinstance(player.app.top, ChainScene) and player.app.top.links == scene.links


def test_encounters_are_listed_and_searched_by_keys(player: Player) -> None:
    scene = made(player, "olde", 1)
    kept("olde", 7)
    kept("cairn", 8)
    player.key(pygame.K_a, pygame.KMOD_CTRL)
    assert isinstance(player.app.top, Encounters)
    assert {each.title for each in player.app.top.found} == {"Hall 0", "Hall 7"}, "of the same ruleset alone"
    player.app.top.search("7")
    press(player.app.top, "file hall-7.json")
    assert [link.encounter for link in scene.links] == ["hall-0.json", "hall-7.json"]


def test_what_cannot_be_played_says_why_and_play_refuses(player: Player) -> None:
    scene = made(player, "olde", 1)
    (files.encounters_folder() / "hall-0.json").unlink()
    scene.changed()
    assert "hall-0.json" in scene.wrong and scene.ready is None
    scene.play()
    assert "Not yet" in scene.told and isinstance(player.app.top, ChainScene)


def test_the_forecast_of_the_whole_chain_stands_beside_it(player: Player) -> None:
    scene = made(player, "olde", 2)
    dealt = scene.session.deal()
    assert dealt is not None
    scene.session.take(dealt[0], play_chain(dealt[1]))
    scene.rebuild()
    said = words(scene)
    assert scene.session.found is not None and scene.session.found.runs == 1
    assert "1. Hall 0" in said and "2. Hall 1" in said


@EVERY
def test_a_chain_is_played_from_fight_to_fight_with_the_same_heroes(player: Player, ruleset: str) -> None:
    scene = made(player, ruleset, 2, foes=1)
    scene.links[0] = scene.links[0].model_copy(update={"rest": RESTS[ruleset]})
    scene.changed()
    scene.play()
    fight = player.app.top
    assert isinstance(fight, Fight) and fight.match.record.chain is not None
    match = won(fight.match)
    found = chained.next_of(match)
    assert found is not None and (found.number, found.of, found.title) == (2, 2, "Hall 1") and found.rest
    first, beside = chained.go_on(match)
    again, _ = chained.go_on(match)
    assert first == again, "the same fight leads to the same next one"
    following = Match.from_record(first, beside=beside)
    assert following.record.chain is not None and following.record.chain.fight == 2
    heroes = {m.id for m in match.board().miniatures if m.side == "heroes" and not m.out}
    assert heroes <= {m.id for m in following.board().miniatures}
    read = records.read(json.loads(json.dumps(records.document(first))))
    assert Match.from_record(read, beside=beside).board() == following.board(), "it can be saved and taken up"


def won(match: Match) -> Match:
    """The same fight with its foes at one hit point, so that the heroes win; played by the computer to its end."""
    from game.controllers.ai import AiController
    from rules.contract.actions import pending

    for seed in range(1, 40):
        record = match.record.model_copy(deep=True, update={"seed": seed})
        for entry in record.creatures:
            if entry["side"] == "monsters":
                entry["hp"] = 1
        trial, players = Match.from_record(record), {side: AiController() for side in ("heroes", "monsters")}
        for _ in range(3000):
            decision = pending(trial.decisions)
            if decision is None:
                break
            known = trial.observe(decision.side)
            trial.act(decision, players[decision.side].choose(trial.ruleset, known, decision, trial.legal(decision)))
        if trial.over == "heroes":
            return trial
    pytest.fail("the heroes never win")


def test_the_summary_leads_on(player: Player) -> None:
    scene = made(player, "olde", 2, foes=1)
    scene.play()
    fight = player.app.top
    assert isinstance(fight, Fight)
    player.app.navigator.show(won(fight.match))
    shown = player.app.top
    if isinstance(shown, Fight):
        player.app.push(Summary(shown))
    keys = [button.key for button in player.app.top.ways]  # type: ignore[attr-defined]
    assert keys[0] == "chain on" and "camp" not in keys
    press(player.app.top, "chain on")
    following = next(each for each in player.app.scenes if isinstance(each, Fight))
    assert following.match.record.chain is not None and following.match.record.chain.fight == 2


# -- waves on the table


def test_who_comes_later_is_said_in_a_dialog_and_kept_in_the_record(player: Player) -> None:
    player.app.navigator.prepare(kept("olde", 0, foes=2))
    setup = player.app.top
    assert isinstance(setup, Setup)
    keys = [piece.key for piece in setup.editor.draft.pieces if piece.side == "monsters"][:1]
    setup.select(keys)
    player.key(pygame.K_w, pygame.KMOD_CTRL)
    assert isinstance(player.app.top, Later)
    player.app.top._set(turn=4)
    press(player.app.top, "wave done")
    [(wave, there)] = waves.waves(setup.editor.draft)
    assert (wave.told, there) == ("turn 4", keys) and not setup.why_not_play()
    setup.editor.set_field("id", "straggler", keys=keys)
    assert waves.of(setup.editor.draft, keys[0]) == wave, "who gets another id stays in it"
    setup.select(keys)
    player.key(pygame.K_w, pygame.KMOD_CTRL)
    press(player.app.top, "wave none")
    assert not waves.waves(setup.editor.draft)


def test_without_a_shut_door_nobody_waits_for_one(player: Player) -> None:
    player.app.navigator.prepare(kept("olde", 0, foes=1))
    setup = player.app.top
    assert isinstance(setup, Setup)
    setup.select([piece.key for piece in setup.editor.draft.pieces][-1:])
    player.key(pygame.K_w, pygame.KMOD_CTRL)
    door = next(w for panel in player.app.top.ui.live() for w in panel.walk() if w.key == "cause door")
    assert isinstance(door, Button) and not door.enabled


# -- an evening


@EVERY
def test_an_evening_of_three_fights_with_waves_and_the_hand_is_played_to_its_end(player: Player, ruleset: str) -> None:
    far: dict[str, Any] = {
        "foes": 2,
        "foe_at": 27,
        "map": {"rows": ROOMS},
    }  # out of reach: none falls before it is taken off
    scene = made(player, ruleset, 3, **far)
    first = json.loads(kept(ruleset, 0, **far).read_text())
    foes = [entry["id"] for entry in first["creatures"] if entry["side"] == "monsters"]
    late = {"arrivals": [{"who": foes[-1:], "turn": 2, "name": "more"}]}
    for number in range(3):
        kept(ruleset, number, **far, **late)
    scene.links[0] = scene.links[0].model_copy(update={"rest": RESTS[ruleset]})
    scene.changed()
    scene.play()
    hurt, wounded = 0, ""
    for number in range(3):
        fight = next(each for each in player.app.scenes if isinstance(each, Fight))
        player.until(lambda fight=fight: player.app.top is fight)  # type: ignore[misc]
        assert fight.match.record.chain is not None and fight.match.record.chain.fight == number + 1
        ours = [mini for mini in fight.board.miniatures if mini.side == "heroes"]
        if number == 2:
            assert _health(fight.match, wounded) == hurt, "straight on: wounds are carried over"
        wounded = next(mini.id for mini in ours if _health(fight.match, mini.id) > 1)
        assert fight.reaching.order(Deed.SET, wounded, option="hp", rating=_health(fight.match, wounded) - 1)
        _emptied(player, fight)
        hurt = _health(fight.match, wounded)
        player.until(lambda: isinstance(player.app.top, Summary))
        keys = [button.key for button in player.app.top.ways]  # type: ignore[attr-defined]
        assert ("chain on" in keys) is (number < 2)
        if number < 2:
            press(player.app.top, "chain on")
            player.turn(6)


def _health(match: Match, hero: str) -> int:
    return next(pool.now for pool in match.ruleset.hand.pools(match.state, hero) if pool.name == "hp")


def _emptied(player: Player, fight: Fight) -> None:
    """The game master takes off every foe, those of the wave as they come; people wait meanwhile."""
    for _ in range(200):
        if fight.match.decision is None:
            return
        foes = [mini for mini in fight.board.miniatures if mini.side == "monsters" and not mini.out]
        if foes:
            assert fight.reaching.order(Deed.REMOVE, foes[0].id)
        else:
            decision = pending(fight.match.decisions)
            assert decision is not None
            legal = list(fight.match.legal(decision))
            waits = [a for a in legal if a.do in ("end", "wait", "pass", "hold", "ready", "done", "stand")]
            wait = (waits or [a for a in legal if a.do not in ("retreat", "flee")])[0]
            fight.reaching.deeds.answer(decision, wait)
        player.turn(4)
    pytest.fail("the fight never ends")

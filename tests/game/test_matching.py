"""An encounter matched to other rules by trial: as many foes come as leave the party its chance."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.cli import main
from game.content import encounter
from game.content.balance import odds, weights
from game.forecast.matching import NEAR, TRIES, Choice, Matched, choices, matched, search, who_meets_whom
from game.forecast.simulate import simulate
from game.scenes.dialogs.panels import Message
from game.scenes.forecast.rules import RulesetsPanel
from rules.contract.errors import BattlematError
from rules.core import record as records
from tests.game.player import Player

ROWS = ["########", "#......#", "#......#", "#......#", "########"]


def fight(*foes: str, **more: Any) -> records.Record:
    return records.read({**encounter.make_encounter("tavern", ["warrior", "ranger"], list(foes), 3), **more})


def little() -> records.Record:
    """One against one in a small room."""
    creatures = [
        {"id": "ada", "template": "warrior", "side": "heroes", "at": [1, 2]},
        {"id": "orc", "template": "orc", "side": "monsters", "at": [5, 2]},
    ]
    return fight("goblin", creatures=creatures, map={"rows": ROWS})


def sums(record: records.Record) -> tuple[float, float]:
    """What both sides weigh."""
    sides = [[e for e in record.creatures if e["side"] == side] for side in ("heroes", "monsters")]
    return weights(record.ruleset, sides[0]), weights(record.ruleset, sides[1])


def truly(off: float) -> Any:
    """A world in which the party's odds are so far off what the weights say."""

    def chance(record: records.Record) -> float:
        return 1 / (1 + 2.718281828 ** -(odds(record.ruleset, *sums(record)) + off))

    return chance


def searched(choices: list[Choice], wanted: float, chance: Callable[[records.Record], float]) -> Matched:
    trying = search(choices, wanted, 60)
    now = next(trying)
    while True:
        try:
            now = trying.send(chance(now))
        except StopIteration as end:
            matched: Matched = end.value
            return matched


@pytest.fixture(scope="module")
def there() -> list[Choice]:
    return choices(fight("goblin", "goblin", "wolf", "orc"), "cairn")


def test_choices_begin_with_the_hardest_and_differ_in_whom_they_bring(there: list[Choice]) -> None:
    hard = [sums(choice.record)[1] for choice in there]
    assert len(there) > 5 and hard == sorted(hard, reverse=True)
    assert len({who_meets_whom(choice.record) for choice in there}) == len(there)
    assert [choice.aim for choice in there] == sorted(choice.aim for choice in there)


@pytest.mark.parametrize("off", [-1.5, -0.7, 0.0, 0.7, 1.5])
@pytest.mark.parametrize("wanted", [0.4, 0.6, 0.8])
def test_wherever_the_weights_are_off_what_is_played_comes_near_what_is_wanted(
    there: list[Choice], off: float, wanted: float
) -> None:
    chance = truly(off)
    found = searched(there, wanted, chance)
    assert len(found.tries) <= TRIES and found.chance == chance(found.record)
    assert abs(found.chance - wanted) == min(abs(each.chance - wanted) for each in found.tries)
    nearest = min(abs(chance(choice.record) - wanted) for choice in there)
    assert abs(found.chance - wanted) <= max(NEAR, nearest)


def test_what_is_near_enough_is_taken_at_once(there: list[Choice]) -> None:
    first = min(there, key=lambda choice: abs(choice.aim))
    assert len(searched(there, truly(0.0)(first.record) + 0.9 * NEAR, truly(0.0)).tries) == 1


@pytest.mark.parametrize(
    ("chances", "wanted", "played"),
    [
        ([0.1, 0.3, 0.5, 0.7, 0.9], 0.7, [2, 3]),
        ([0.1, 0.3, 0.5, 0.6, 0.99], 0.99, [2, 4]),
        ([0.05, 0.3, 0.5, 0.7, 0.9], 0.05, [2, 0]),
        ([0.1, 0.2, 0.3, 0.6, 0.9], 0.6, [2, 3]),
        ([0.9, 0.9, 0.9, 0.9, 0.9], 0.3, [2, 0]),
        ([0.1, 0.1, 0.1, 0.1, 0.9], 0.5, [2, 4, 3]),
    ],
)  # fmt: skip
def test_next_is_played_what_the_weights_know_to_be_as_far_off(
    chances: list[float], wanted: float, played: list[int]
) -> None:
    some = [Choice(n - 2.0, records.read({**records.document(fight("goblin")), "seed": n})) for n in range(5)]
    found = searched(some, wanted, lambda record: chances[record.seed])
    assert [each.record.seed for each in found.tries] == played


def test_the_same_encounter_is_matched_by_the_same_and_its_chance_is_that_of_its_fights() -> None:
    found: Matched = matched(little(), ["cairn"], runs=4)["cairn"]
    assert found == matched(little(), ["cairn"], runs=4)["cairn"]
    assert found.chance == simulate(found.record, 4).side("heroes").wins.share
    assert found.wanted == simulate(little(), 4).side("heroes").wins.share


@pytest.mark.parametrize("missing", ["heroes", "monsters"])
def test_without_a_party_or_foes_nothing_is_as_hard_as_it_was(missing: str) -> None:
    creatures = [{**entry, "side": "others"} if entry["side"] == missing else entry for entry in little().creatures]
    alone = records.read({**records.document(little()), "creatures": [e for e in creatures if e["side"] != "others"]})
    with pytest.raises(BattlematError, match=r"^match: needs a party and foes"):
        matched(alone, ["cairn"], runs=2)


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "fight.json"
    path.write_text(json.dumps(records.document(little())), encoding="utf-8")
    assert main(["simulate", str(path), "--match"]) == 2
    assert capsys.readouterr().err.startswith("battlemat: match: brings an encounter to other rules; add")
    assert (
        main(["simulate", str(path), "--compare", "--ruleset", "cairn", "--match", "--runs", "2", "--jobs", "1"]) == 0
    )
    told = capsys.readouterr()
    assert "against" in told.err and "% were wanted" in told.err and "heroes win" in told.out


# -- in the window


class AtOnce(Executor):
    """Plays what it is given before it answers."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


@pytest.fixture
def panel(monkeypatch: pytest.MonkeyPatch) -> Iterator[RulesetsPanel]:
    monkeypatch.setattr("game.scenes.forecast.rules.RUNS", 2)
    monkeypatch.setattr("game.forecast.matching.RUNS", 4)
    app = App((1280, 720), settings=Settings(speed=0))
    app.navigator.title()
    panel = RulesetsPanel(app, little(), executor=AtOnce())
    app.push(panel)
    Player(app).turn(6)
    yield panel
    app.scenes.clear()


def words(panel: RulesetsPanel) -> str:
    return " ".join(str(getattr(w, "text", "")) for p in panel.ui.live() for w in p.walk())


def test_the_panel_of_all_rulesets_plays_on_with_what_a_trial_found(panel: RulesetsPanel) -> None:
    assert isinstance(panel.app, App)
    player = Player(panel.app)
    player.press("match")
    assert panel.matching is not None and "of 4 fights" in words(panel)
    player.until(lambda: panel.matching is None)
    assert list(panel.matched) == ["cairn", "countup"]
    for name, found in panel.matched.items():
        assert found == matched(little(), [name], runs=4)[name], "as on the command line"
        played = next(t.record for t in panel.background.trials if t.record.ruleset == name)
        assert played.creatures == found.record.creatures
    player.until(lambda: min(under.forecast.runs for under in panel.found().rulesets) == 2)
    assert "Matched under Cairn: the party won" in words(panel)


def test_the_panel_may_be_left_in_the_middle_of_a_trial(panel: RulesetsPanel) -> None:
    assert isinstance(panel.app, App)
    player = Player(panel.app)
    player.press("match")
    matching = panel.matching
    assert matching is not None
    player.key(pygame.K_ESCAPE)
    assert panel.app.top is not panel and matching.now is None
    player.turn(6)


def test_without_foes_the_panel_says_what_is_missing(panel: RulesetsPanel) -> None:
    panel.record = records.read({**records.document(little()), "creatures": [little().creatures[0]]})
    assert isinstance(panel.app, App)
    player = Player(panel.app)
    player.press("match")
    assert isinstance(panel.app.top, Message) and "needs a party and foes" in panel.app.top.text
    assert panel.matching is None

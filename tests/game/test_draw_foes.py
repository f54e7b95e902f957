"""Foes drawn to a wanted chance to win: around whoever is pinned, tried, verified, put down as one change."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Any

import pygame
import pytest

from game.content import balance, encounter
from game.content import tables as content
from game.forecast import foes
from game.forecast.foes import Drawn, Offer
from game.scenes.setup.foes import Foes
from game.scenes.setup.scene import Setup
from rules.core import record as records
from rules.core.record import Record
from tests.game.player import Player
from tests.game.test_matching import AtOnce
from tests.rules.explore.expedition import RULESETS

pytestmark = pytest.mark.usefixtures("home")

EVERY = pytest.mark.parametrize("ruleset", RULESETS)


def party(ruleset: str, count: int = 3) -> list[dict[str, Any]]:
    return [{"template": name} for name in list(content.heroes(ruleset))[:count]]


def made(ruleset: str, pinned: Sequence[str] = (), count: int = 3) -> Any:
    heroes = [entry["template"] for entry in party(ruleset, count)]

    def make(names: Sequence[str]) -> Record:
        return records.read(encounter.make_encounter("tavern", heroes, [*pinned, *names], 1, ruleset=ruleset))

    return make


def offered(ruleset: str, wanted: float, seed: int = 5, *, pinned: Sequence[str] = (), heroes: int = 3) -> list[Offer]:
    theme = foes.themed(ruleset, None, pinned)
    held = [{"template": name} for name in pinned]
    make = made(ruleset, pinned, heroes)
    return foes.offers(ruleset, party(ruleset, heroes), held, theme, wanted=wanted, seed=seed, make=make)


def heavy(ruleset: str, names: Sequence[str]) -> float:
    return balance.weights(ruleset, [{"template": name} for name in names])


def found(offers: Sequence[Offer], wanted: float, off: float, ruleset: str) -> Drawn:
    """What is drawn in a world in which the party's odds are so far off what the weights say."""
    ours, trying = balance.weights(ruleset, party(ruleset)), foes.steps(offers, wanted)
    now, _ = next(trying)
    while True:
        theirs = balance.weights(ruleset, [e for e in now.creatures if e["side"] == "monsters"])
        try:
            now, _ = trying.send(1 / (1 + exp(-balance.odds(ruleset, ours, theirs) - off)))
        except StopIteration as end:
            drawn: Drawn = end.value
            return drawn


@EVERY
@pytest.mark.parametrize("wanted", [0.3, 0.6, 0.9])
def test_the_offers_begin_with_the_hardest_and_are_of_one_theme(ruleset: str, wanted: float) -> None:
    offers = offered(ruleset, wanted)
    weights = [heavy(ruleset, offer.names) for offer in offers]
    assert len(offers) > 3 and weights == sorted(weights, reverse=True) and all(weights)
    theme = foes.themed(ruleset, None, ())
    assert {name for offer in offers for name in offer.names} <= set(theme.foes)
    assert all(len(offer.names) <= foes.MOST for offer in offers)


@EVERY
def test_whoever_is_pinned_counts_and_the_others_live_where_they_do(ruleset: str) -> None:
    themes = content.themes(ruleset)
    usual = themes[0]
    stranger = next(name for theme in themes for name in theme.foes if name not in usual.foes)
    theme = foes.themed(ruleset, None, [stranger])
    assert stranger in theme.foes
    crowd = [stranger] * (1 + int(40 / heavy(ruleset, [stranger])))
    lone, held = offered(ruleset, 0.9), offered(ruleset, 0.9, pinned=crowd)
    assert any(not offer.names for offer in held), "with them alone it may be hard enough"
    assert all(offer.names for offer in lone), "without them somebody comes"


@EVERY
@pytest.mark.parametrize("off", [-1.0, 0.0, 1.0])
@pytest.mark.parametrize("wanted", [0.4, 0.7])
def test_wherever_the_weights_are_off_the_chance_comes_near(ruleset: str, off: float, wanted: float) -> None:
    drawn = found(offered(ruleset, wanted), wanted, off, ruleset)
    assert abs(drawn.chance - wanted) < 0.16 and len(drawn.tries) <= foes.TRIES
    assert drawn.low <= drawn.chance <= drawn.high and drawn.runs == foes.VERIFIED
    best = min(abs(chance - wanted) for _, chance in drawn.tries)
    assert abs(dict(drawn.tries)[drawn.names] - wanted) == best, "the nearest of what was tried is taken"


def test_the_same_lot_draws_the_same() -> None:
    one, other = (offered("olde", 0.6, seed=9) for _ in range(2))
    assert [o.names for o in one] == [o.names for o in other]
    assert [o.names for o in one] != [o.names for o in offered("olde", 0.6, seed=10)]


@EVERY
def test_the_chance_that_is_told_is_that_of_fights(ruleset: str) -> None:
    drawn, again = (  # for a lone hero: the fights are short
        foes.drawn(offered(ruleset, 0.7, heroes=1), 0.7, runs=2, verified=3, seed=3) for _ in range(2)
    )
    assert drawn == again and len(drawn.tries) > 1
    assert drawn.chance in [round(half / 6, 4) for half in range(7)]
    assert [e["side"] for e in drawn.record.creatures].count("monsters") == len(drawn.names)


def test_without_a_party_nobody_is_drawn() -> None:
    with pytest.raises(foes.NoFoes, match="put heroes on the table"):
        foes.offers("olde", [], [], content.themes("olde")[0], wanted=0.5, seed=1, make=made("olde"))


# -- in the window


@pytest.fixture
def panel(player: Player, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Foes:
    """Over a table with heroes and two foes, one of them selected."""
    monkeypatch.setattr(foes, "RUNS", 2)
    monkeypatch.setattr(foes, "VERIFIED", 3)
    player.app.navigator.prepare()
    setup = player.app.top
    assert isinstance(setup, Setup)
    editor, ruleset = setup.editor, setup.ruleset
    editor.bring(list(content.heroes(ruleset))[:3], "heroes", editor.table.start(setup.loaded, "heroes"), "heroes")
    foe = content.themes(ruleset)[0].foes[0]
    editor.bring([foe, foe], "monsters", editor.table.start(setup.loaded, "monsters"), "foes")
    setup.select([piece.key for piece in editor.draft.pieces if piece.side == "monsters"][:1])
    player.key(pygame.K_f, pygame.KMOD_CTRL | pygame.KMOD_SHIFT)
    scene = player.app.top
    assert isinstance(scene, Foes)
    scene.executor = AtOnce()
    return scene


def drawn(player: Player, panel: Foes) -> Drawn:
    player.press("draw")
    player.until(lambda: panel.live is None)
    assert panel.found is not None and not panel.wrong
    return panel.found


def test_what_is_drawn_is_put_down_around_the_pinned_as_one_change(player: Player, panel: Foes) -> None:
    editor = panel.workspace.editor
    before, (pinned,) = editor.draft, editor.selection
    assert panel.pinned == {pinned}, "the selected stay, the other makes room"
    result = drawn(player, panel)
    assert result.runs == 3 and editor.draft is before, "nothing is put down before it is taken"
    player.press("take")
    there = [p for p in editor.draft.pieces if p.side == "monsters"]
    assert there[0].key == pinned and len(there) == 1 + len(result.names)
    assert records.document(result.record)["creatures"] == [dict(p.entry) for p in editor.draft.pieces]
    player.key(pygame.K_z, pygame.KMOD_CTRL)
    assert editor.draft.pieces == before.pieces


def test_another_wish_makes_what_was_found_void(player: Player, panel: Foes) -> None:
    drawn(player, panel)
    panel._chance(30)
    assert panel.found is None
    first = panel.seed
    drawn(player, panel)
    assert panel.seed != first, "others are drawn each time"


def test_it_can_be_left_and_stopped_in_the_middle(player: Player, panel: Foes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foes, "RUNS", 3)
    monkeypatch.setattr(foes, "VERIFIED", 5)  # with less it would be done by then
    player.press("draw")
    live = panel.live
    assert live is not None
    player.press("stop")
    assert panel.live is None and live.now is None
    player.press("draw")
    live = panel.live
    player.key(pygame.K_ESCAPE)
    assert live is not None and live.now is None and not isinstance(player.app.top, Foes)
    player.turn(4)


def test_without_heroes_it_says_what_is_missing(player: Player) -> None:
    player.app.navigator.prepare()
    setup = player.app.top
    assert isinstance(setup, Setup)
    player.key(pygame.K_f, pygame.KMOD_CTRL | pygame.KMOD_SHIFT)
    assert player.app.top is setup and "heroes" in setup.toast_text

"""Casting in the window, as a person does it: the list, the area, the chances, the click; and what is drawn of it."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from game.fight.seats import Seats
from game.scenes.fight.panels.places import overlays
from game.view.camera import Camera
from game.view.motion import spellmarks
from game.view.motion.pictures import Motion
from rules.board.grid import Field
from rules.contract.display import Board, GroundMark
from tests.game.player import Player, commands, fight_of, middle

ROWS = ["##############", *["#............#"] * 6, "##############"]


def record(**wizard: Any) -> dict[str, Any]:
    """A wizard, a wounded friend beside it, two goblins side by side; the wizard acts first."""
    goblin: dict[str, Any] = {"template": "goblin", "side": "monsters", "controller": "human"}
    return {
        "format": "battlemat/1", "ruleset": "olde", "map": {"rows": ROWS}, "seed": 3, "throws": [7, 1, 1, 1],
        "creatures": [
            {"id": "wiz", "template": "wizard", "side": "heroes", "at": [2, 3], "controller": "human", **wizard},
            {"id": "osric", "template": "priest", "side": "heroes", "at": [3, 4], "controller": "human", "hp": 4},
            {"id": "g1", "at": [9, 3], "name": "Snik", **goblin},
            {"id": "g2", "at": [10, 3], "name": "Snag", **goblin},
        ],
        "commands": [],
    }  # fmt: skip


def test_one_button_lists_all_known_spells_with_cost_chance_and_effect(player: Player) -> None:
    fight = fight_of(player, record(mana=2))
    player.press("offer cast ")
    assert fight.choices.picks is not None
    title, entries = fight.choices.picks
    assert title == "Cast Spell"
    told = {label: (line, legal) for label, line, _, legal in entries}
    assert told["Ember bolt"] == ("2 AP · 1 Mana · 64 % · 1d9!+3 damage; against Defense", True)
    line, legal = told["Sleep"]
    assert not legal and "costs 4 Mana, 3 left" in line
    assert len(entries) == len(fight.match.state.setup.fighters[0].spells)


def test_an_area_shows_its_spaces_and_everybodys_chance_before_the_click_that_casts(player: Player) -> None:
    fight = fight_of(player, record())
    player.press("offer cast ")
    player.press("Fire blast")
    player.move(middle(fight, fight.match.field.cell(9, 4)))
    marks = overlays(fight)
    assert marks.reach.bit_count() == 9
    assert set(marks.chances) == {"g1", "g2"} and all(text.endswith("%") for text in marks.chances.values())
    player.click(middle(fight, fight.match.field.cell(9, 4)))
    assert commands(fight)[:1] == [{"by": "wiz", "do": "cast", "at": [9, 4], "item": "fire blast"}]


def test_pointing_at_a_creature_aims_an_area_at_its_space(player: Player) -> None:
    fight = fight_of(player, record())
    player.press("offer cast ")
    player.press("Fire blast")
    player.click(middle(fight, fight.match.field.cell(10, 3)))
    assert commands(fight)[:1] == [{"by": "wiz", "do": "cast", "at": [10, 3], "item": "fire blast"}]


def test_a_spell_for_a_creature_goes_to_whom_one_clicks_and_another_may_be_chosen_first(player: Player) -> None:
    fight = fight_of(player, record())
    player.press("offer cast ")
    player.press("Ember bolt")
    player.press("offer cast ")
    player.press("Haste")
    assert fight.plan is not None and fight.plan.armed is not None
    assert fight.plan.armed.description.label == "Haste"
    player.click(middle(fight, fight.match.field.cell(3, 4)))
    assert commands(fight)[:1] == [{"by": "wiz", "do": "cast", "target": "osric", "item": "haste"}]


def test_escape_takes_a_spell_back(player: Player) -> None:
    fight = fight_of(player, record())
    player.press("offer cast ")
    player.press("Sleep")
    player.key(pygame.K_ESCAPE)
    assert fight.plan is not None and fight.plan.armed is None
    assert commands(fight) == []


def test_a_click_where_a_spell_does_not_reach_says_why_and_keeps_it_armed(player: Player) -> None:
    fight = fight_of(player, record())
    player.press("offer cast ")
    player.press("Grasping roots")
    player.click(middle(fight, fight.match.field.cell(12, 5)))
    assert "10 spaces away, grasping roots reaches 8" in fight.toast_text
    player.press("offer cast ")
    player.press("Ember bolt")
    player.click(middle(fight, fight.match.field.cell(3, 4)))
    assert "on the same side" in fight.toast_text
    assert commands(fight) == [] and fight.plan is not None and fight.plan.armed is not None


def test_an_item_is_used_like_a_spell(player: Player) -> None:
    fight = fight_of(player, record(items=["healing draught"]))
    player.press("offer use ")
    player.press("Healing draught")
    player.click(middle(fight, fight.match.field.cell(3, 4)))
    assert commands(fight)[:1] == [{"by": "wiz", "do": "use", "target": "osric", "item": "healing draught"}]


def test_who_is_called_is_played_by_whoever_plays_its_caller(player: Player) -> None:
    fight = fight_of(player, record())
    match = fight.match
    for seed in range(9):
        match.history.now = match.ruleset.reseeded(match.state, seed)
        (decision,) = match.ruleset.decisions(match.state)
        action = next(a for a in match.legal(decision) if a.item == "summon wolf")
        step = match.ruleset.apply(match.state, decision, action)
        if "wiz.1" in step.state.setup.index:
            break
    match.history.now = step.state
    decision = type(decision)("wiz.1", "heroes", "chance")
    assert Seats(match.record).answering(decision) is not None
    assert Seats(match.record).answering(type(decision)("nobody.1", "heroes", "chance")) is not None


@pytest.mark.parametrize("kind", ["wall", "pane", "rough", "light"])
def test_what_spells_put_on_the_ground_is_drawn_on_its_spaces_only(kind: str) -> None:
    field = Field.from_rows(["......"] * 5)
    camera = Camera(field, (600, 500))
    camera.fit()
    surface = pygame.Surface((600, 500))
    cells = 1 << field.cell(2, 2) | 1 << field.cell(3, 2)
    board = Board((), (), "", (), ground=(GroundMark(kind, "It", cells),))
    spellmarks.draw_ground_marks(surface, camera, board)
    inside = camera.space_rect(field.cell(2, 2)).inflate(-4, -4)
    outside = camera.space_rect(field.cell(0, 0))
    assert pygame.transform.average_color(surface, inside)[:3] != (0, 0, 0)
    assert pygame.transform.average_color(surface, outside)[:3] == (0, 0, 0)


def test_a_spark_flies_and_then_its_area_flashes() -> None:
    field = Field.from_rows(["......"] * 5)
    camera = Camera(field, (600, 500))
    camera.fit()
    motion = Motion(0.5, "a", (), "spell", (4.0, 2.0), ((4.0, 2.0), (5.0, 2.0)))

    def lit(share: float, column: int) -> bool:
        surface = pygame.Surface((600, 500))
        spellmarks.draw_spell(surface, camera, motion, (0.0, 2.0, 1), share)
        rect = camera.space_rect(field.cell(column, 2))
        return pygame.transform.average_color(surface, rect)[:3] != (0, 0, 0)

    assert lit(0.02, 0) and not lit(0.02, 5)
    assert lit(0.6, 5) and not lit(0.6, 0)

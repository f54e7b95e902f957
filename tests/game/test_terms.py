"""Every term can be asked for its rule: in the log, on the sheet, at each adjustment and condition."""

from __future__ import annotations

import re
from pathlib import Path

import pygame
import pytest

from game.fight.match import load_fight
from game.scenes.fight.panels import narrate
from game.scenes.fight.panels.card import adjustment_tip
from game.widgets.story import Entry, Story
from game.widgets.text import Block, Run
from game.widgets.theme import Look, load_theme
from rules.contract.actions import Adjustment
from rules.contract.text import Creature, Term, text
from rules.core.registry import ruleset

ROOT = Path(__file__).parents[2]
PLAYED = sorted((ROOT / "tests" / "playthroughs").glob("*.json"))


def adjustments(value: object) -> list[Adjustment]:
    if isinstance(value, Adjustment):
        return [value]
    if isinstance(value, tuple):
        return [found for part in value for found in adjustments(part)]
    fields = getattr(type(value), "__struct_fields__", ())
    return [found for name in fields for found in adjustments(getattr(value, name))]


@pytest.mark.parametrize("path", PLAYED, ids=lambda path: path.stem)
def test_each_adjustment_of_a_fight_tells_its_rules_sentence(path: Path) -> None:
    match = load_fight(path)
    for adjustment in {a for event in match.events for a in adjustments(event)}:
        tip = adjustment_tip(match.ruleset, adjustment)
        assert tip is not None and len(tip.text) > 15 and tip.text != tip.rule, adjustment


def test_each_rule_that_the_rules_name_has_a_sentence() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "rules" / "olde").rglob("*.py"))
    named = set(re.findall(r'"((?:olde|magic)\.md §?[^"{},]*)"', source))
    unknown = {rule for rule in named if ruleset("olde").term(rule) is None}
    assert len(named) > 20
    assert {rule for rule in unknown if "§" in rule and rule.count(" ") > 1} == set()


@pytest.mark.parametrize("path", PLAYED, ids=lambda path: path.stem)
def test_each_badge_says_what_it_does(path: Path) -> None:
    match = load_fight(path)
    for moment in match.history.moments[:: max(1, len(match.history.moments) // 20)]:
        for mini in match.ruleset.board(moment.state).miniatures:
            for badge in mini.badges:
                assert len(badge.text) > 5, badge


def test_a_sentence_keeps_its_words_and_tells_its_terms() -> None:
    """Terms of the rules, and any word in a field that is one."""
    outcome, it = Term("legendary hit"), Creature("It", "i")
    said = text("{by} strikes back, {outcome}. {by} is {status}.", by=it, outcome=outcome, status="stunned")
    runs = [run for run in narrate.sentence(said, ruleset("olde")) if isinstance(run, Run)]
    assert "".join(run.text for run in runs) == said
    told = {run.text: run.tip for run in runs if run.tip is not None}
    assert set(told) == {"legendary hit", "stunned"}
    assert "twice" in told["legendary hit"].text


def test_the_pointer_on_a_roll_of_the_log_finds_the_adjustments_rule() -> None:
    pygame.font.init()
    match = load_fight(PLAYED[-1])
    lines = narrate.entries(match.ruleset, match.state, match.events)
    attack = next(e for e in lines if any(isinstance(p, Run) and p.tip for d in e.details for p in d))
    story, look = Story(), Look(load_theme())
    story.append(Entry(attack.pieces, attack.details, folded=False))
    story.place(look, pygame.Rect(10, 20, 270, 300))
    wanted = {p.tip for d in attack.details for p in d if isinstance(p, Run) and p.tip is not None}
    found = {story.tip_at((x, y)) for x in range(10, 280, 4) for y in range(20, 320, 3)}
    assert wanted <= found


def test_a_creature_is_bold_where_it_is_meant_and_nowhere_else() -> None:
    """`Rations` is no rat: what a sentence names is known, not looked for in its letters."""
    said = text("{by} reaches for the {item}; {by} is {condition}.", by=Creature("Rat", "r"), item="Rations",
                condition=Term("prone"))  # fmt: skip
    runs = narrate.sentence(said, ruleset("countup"))
    assert "".join(run.text for run in runs if isinstance(run, Run)) == "Rat reaches for the Rations; Rat is prone."
    assert [run.text for run in runs if isinstance(run, Run) and run.style == "text!"] == ["Rat", "Rat"]
    assert [run.text for run in runs if isinstance(run, Run) and run.tip is not None] == ["prone"]


def test_a_name_and_its_comma_stay_on_one_line() -> None:
    pygame.font.init()
    look = Look(load_theme())
    pieces = [Run("strikes at "), Run("Goblin", style="text!"), Run(", again")]
    narrow = look.font("text").size("strikes at ")[0] + look.font("text!").size("Goblin")[0] + 1
    lines = {piece.y for piece in Block(look, pieces[:2], narrow).placed}
    assert len(lines) == 1
    *_, name, comma, _, again = Block(look, pieces, narrow).placed
    assert name.y == comma.y == again.y > 0

"""Every action, condition, effect, rider and kind of ground has one home, and nothing outside it goes by its word."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import rules.cairn
from game.content import reference
from rules.cairn.actions.context import CairnKind, Phase
from rules.cairn.actions.legal import ACTION_KINDS
from rules.cairn.combat.injury import RIDERS, SCARS
from rules.cairn.conditions import CONDITIONS, Against, Condition
from rules.cairn.gear import Effect, Rider
from rules.cairn.magic.effects import EFFECT_KINDS, Bodily, OnGround
from rules.cairn.movement import SUFFERED
from rules.cairn.state import Does, GroundKind
from rules.core.action_kinds import ActionKind

HOME = Path(rules.cairn.__file__).parent


def sources() -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(HOME.rglob("*.py")):
        yield path, ast.parse(path.read_text("utf-8"))


def test_a_kind_of_action_stands_under_its_own_word() -> None:
    assert [(do, kind.do) for do, kind in ACTION_KINDS.items() if kind.do != do] == []


@pytest.mark.parametrize("do", ACTION_KINDS)
def test_what_is_carried_out_in_a_phase_says_what_it_does(do: str) -> None:
    kind = ACTION_KINDS[do]
    acts = type(kind).resolve is not ActionKind.resolve
    strikes = type(kind).attack is not CairnKind.attack
    assert acts or strikes or kind.phase is Phase.PLANNING


def test_nobody_outside_a_home_compares_the_word_of_an_action() -> None:
    """`choose` is the contract's word for an answer, which is no kind of action."""
    found = []
    for path, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Compare) and ast.unparse(node.left).endswith(".do"):
                words = [c.value for n in node.comparators for c in ast.walk(n) if isinstance(c, ast.Constant)]
                found += [(path.name, node.lineno, word) for word in words if word != "choose"]
    assert found == []


def test_no_condition_goes_by_a_word_outside_its_home() -> None:
    """Postures, and tags of attacks and content, that are spelled like a condition are something else."""
    found = []
    for path, tree in sources():
        for node in ast.walk(tree) if path.name != "conditions.py" else ():
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("Lasting", "condition_named"):
                found += [(path.name, node.lineno) for arg in node.args[:1] if isinstance(arg, ast.Constant)]
            if isinstance(node, ast.Compare) and ast.unparse(node.left) in ("each.name", "effect.name", "condition"):
                words = [c.value for n in node.comparators for c in ast.walk(n) if isinstance(c, ast.Constant)]
                found += [(path.name, node.lineno) for word in words if word in CONDITIONS]
    assert found == []


def test_whatever_modifies_attacks_says_on_whose() -> None:
    wrong = [each.name for each in CONDITIONS.values() if each.modifies is None and each.against is not Against.ANYBODY]
    assert wrong == []


def test_every_condition_with_a_badge_has_a_sentence_and_its_rule() -> None:
    """What is told and over in one moment, or kept in the books alone, has none."""
    moments = {"dead", "fled", "routed", "retreated", "fallen", "a head lost", "hamstrung"}
    moments |= {name for name in CONDITIONS if name.startswith(("lost ", "broken "))}
    bare = {name for name, each in CONDITIONS.items() if not each.hidden and not (each.text and each.rule)}
    assert bare == moments


def test_the_kinds_of_effect_of_the_content_are_those_that_there_are() -> None:
    assert set(get_args(Effect.model_fields["kind"].annotation)) == set(EFFECT_KINDS)
    assert [word for word, kind in EFFECT_KINDS.items() if not isinstance(kind, Bodily | OnGround)] == []


def test_the_kinds_of_rider_of_the_content_are_those_that_there_are() -> None:
    assert set(get_args(Rider.model_fields["kind"].annotation)) == set(RIDERS)


def test_whatever_ground_harms_says_how() -> None:
    assert {kind for kind in GroundKind if Does.HARM in kind.does} == set(SUFFERED)


def test_the_table_of_scars_has_no_gap() -> None:
    assert list(SCARS) == list(range(1, 13))


def test_a_condition_without_a_record_is_only_there() -> None:
    known = Condition("of no book")
    assert not (known.forbids or known.hidden or known.boon or known.modifies)


def test_whatever_has_a_sentence_stands_among_the_terms_of_the_reference() -> None:
    titles = {page.title.lower() for page in reference.pages("cairn")}
    assert [name for name, each in CONDITIONS.items() if each.text and name not in titles] == []

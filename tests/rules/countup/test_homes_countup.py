"""Every kind of action and every condition has one home: nobody else asks for its word."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from rules.countup.actions.table import ACTION_KINDS
from rules.countup.conditions import CONDITIONS
from rules.countup.manners import MANNERS, Stance
from rules.countup.text import TERMS

FOLDER = Path(__file__).resolve().parents[3] / "rules" / "countup"
ANSWER = "choose"
"""The word of every answer, in all rulesets: it is no kind of action."""


Node = ast.Compare | ast.Call


@cache
def _of(path: Path) -> list[Node]:
    """What a module compares and calls."""
    return [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, Node)]


def _nodes(*homes: str) -> Iterator[tuple[str, Node]]:
    """(where, each node of these kinds) of all modules but these."""
    for path in sorted(FOLDER.rglob("*.py")):
        if path.name not in homes:
            yield from ((f"{path.relative_to(FOLDER)}:{node.lineno}", node) for node in _of(path))


def _words(node: ast.AST) -> set[str]:
    found = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
    return {word for word in found if isinstance(word, str)}


def test_no_module_compares_an_action_with_the_word_of_a_kind() -> None:
    asked = [
        where
        for where, node in _nodes()
        if isinstance(node, ast.Compare)
        and any(isinstance(side, ast.Attribute) and side.attr == "do" for side in (node.left, *node.comparators))
        and _words(node) - {ANSWER}
    ]
    assert asked == []


def test_a_condition_is_spelled_in_its_home_alone() -> None:
    spelled = [
        where
        for where, node in _nodes("conditions.py")
        if isinstance(node, ast.Call)
        and (
            (isinstance(node.func, ast.Attribute) and node.func.attr in ("under", "laid") and _words(node))
            or any(each.arg == "condition" and isinstance(each.value, ast.Constant) for each in node.keywords)
        )
    ]
    assert spelled == []


def test_manners_and_stances_are_told_apart_by_their_figures_not_by_their_words() -> None:
    words = {*MANNERS, *(stance.value for stance in Stance if stance)} - {*ACTION_KINDS, "set"}
    asked = [where for where, node in _nodes("manners.py") if isinstance(node, ast.Compare) and _words(node) & words]
    assert asked == []


def test_every_condition_that_has_a_sentence_is_explained_by_it() -> None:
    told = {name: (each.sentence, each.cited) for name, each in CONDITIONS.items() if each.sentence}
    assert told and {name: TERMS[name] for name in told} == told

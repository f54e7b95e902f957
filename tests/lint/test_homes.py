"""An action's word is spelled in its home alone: nothing in `rules/` decides by comparing it with a literal.

What others must know of a kind of action is an attribute or a method of it (docs/how-to/action.md). An answer to a
question is the one action that is no kind: `choose`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "rules").rglob("*.py"))
ANSWER = "choose"


def compared(source: str) -> Iterator[str]:
    """The words that somebody's `do` is compared with, by `==`, `in` or `match`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            parts: list[ast.AST] = [node.left, *node.comparators]
        elif isinstance(node, ast.Match):
            parts = [node.subject, *(case.pattern for case in node.cases)]
        else:
            continue
        if any(isinstance(part, ast.Attribute) and part.attr == "do" for part in parts):
            for part in parts:
                for each in ast.walk(part):
                    if isinstance(each, ast.Constant) and isinstance(each.value, str) and each.value != ANSWER:
                        yield each.value


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_word_of_an_action_is_compared_with_a_literal(path: Path) -> None:
    assert not list(compared(path.read_text(encoding="utf-8")))


def test_such_a_comparison_would_be_found() -> None:
    assert list(compared('if action.do in ("cast", "use"): pass')) == ["cast", "use"]
    assert list(compared('x = "leap" == kind.do')) == ["leap"]
    assert list(compared('match action.do:\n case "end": pass')) == ["end"]
    assert not list(compared('if action.do == "choose" or state.phase == "over": pass'))

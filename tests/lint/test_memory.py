"""`rules/` keeps nothing to itself: what is remembered belongs to the map, to the fight, or to whoever asks.

The one exception is arithmetic: what a function of plain numbers and words comes to may be kept beside it, because
nothing that was played before can change it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
FILES = sorted((ROOT / "rules").rglob("*.py"))
PLAIN = {"int", "str", "bool", "float", "tuple", "None", "Fraction"}
DICE = {"Die", "EffectDice", "DamageTable", "BlowTable", "Weights", "Harm", "Against"}
"""Dice and tables of chances: immutable values made of the plain ones."""
CHANGES = {"append", "add", "clear", "extend", "insert", "pop", "popitem", "remove", "setdefault", "update", "discard"}


def kept(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    """Functions whose results are kept."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for mark in node.decorator_list:
                if re.search(r"\b(lru_cache|cache)\b", ast.unparse(mark)):
                    yield node


@pytest.fixture(scope="module", params=FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def tree(request: pytest.FixtureRequest) -> ast.Module:
    """A module of the rules."""
    path: Path = request.param
    return ast.parse(path.read_text(encoding="utf-8"))


def test_a_module_of_the_rules_remembers_nothing_but_arithmetic(tree: ast.Module) -> None:
    for function in kept(tree):
        for argument in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs):
            assert argument.annotation is not None, f"{function.name}: what is {argument.arg}?"
            words = set(re.findall(r"\w+", ast.unparse(argument.annotation)))
            assert words <= PLAIN | DICE, f"{function.name} keeps what hangs on {argument.arg}: {words - PLAIN - DICE}"


def test_nothing_at_the_head_of_a_module_of_the_rules_is_ever_changed(tree: ast.Module) -> None:
    names = {
        target.id
        for node in tree.body
        if isinstance(node, (ast.Assign, ast.AnnAssign))
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    changed = []
    for function in (node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.Lambda))):
        own = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        own |= {argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)}
        for node in ast.walk(function):
            if isinstance(node, ast.Global):
                changed += node.names
            elif isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
                changed += [node.value.id] if isinstance(node.value, ast.Name) and node.value.id not in own else []
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES:
                about = node.func.value
                changed += [about.id] if isinstance(about, ast.Name) and about.id not in own else []
    assert not names & set(changed)

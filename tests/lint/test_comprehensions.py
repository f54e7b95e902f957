"""No comprehension's own name is also that of a global or an outer name which the same function uses: Python 3.12.0 and
3.12.1, which we run on, take the one for the other there and end with an UnboundLocalError."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted(path for folder in ("rules", "game") for path in (ROOT / folder).rglob("*.py"))
INLINED = (ast.ListComp, ast.SetComp, ast.DictComp)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


class Names(ast.NodeVisitor):
    """The names of one function: what its comprehensions bind, what it binds itself, what it uses."""

    def __init__(self, scope: ast.AST) -> None:
        self.bound: dict[str, int] = {}
        self.own: set[str] = set()
        self.used: set[str] = set()
        self._within: frozenset[str] = frozenset()
        if isinstance(scope, ast.Lambda):
            self.visit(scope.body)
        else:
            for node in scope.body:  # type: ignore[attr-defined]
                self.visit(node)
        if not isinstance(scope, ast.ClassDef | ast.Module):
            self.own |= {each.arg for each in ast.walk(scope.args) if isinstance(each, ast.arg)}  # type: ignore[attr-defined]

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, (*INLINED, ast.GeneratorExp)):
            targets = {name.id: name.lineno for each in node.generators for name in _names(each.target)}
            if isinstance(node, INLINED):
                self.bound |= targets
            outside, self._within = self._within, self._within | set(targets)
            self.generic_visit(node)
            self._within = outside
        elif isinstance(node, SCOPES):
            self.own.add(getattr(node, "name", ""))
        elif isinstance(node, ast.Name):
            if node.id not in self._within:
                (self.used if isinstance(node.ctx, ast.Load) else self.own).add(node.id)
        else:
            if isinstance(node, ast.ExceptHandler) and node.name:
                self.own.add(node.name)
            self.generic_visit(node)

    def confused(self) -> dict[str, int]:
        """The names that are taken for one another, with their lines."""
        return {name: line for name, line in self.bound.items() if name in self.used - self.own}


def _names(target: ast.expr) -> Iterator[ast.Name]:
    return (node for node in ast.walk(target) if isinstance(node, ast.Name))


def confused(source: str) -> list[tuple[int, str]]:
    """(line, name) of all that is confused in a file."""
    tree = ast.parse(source)
    scopes = [tree, *(node for node in ast.walk(tree) if isinstance(node, SCOPES))]
    return sorted((line, name) for scope in scopes for name, line in Names(scope).confused().items())


def test_no_name_of_a_comprehension_hides_one_that_its_function_uses() -> None:
    found = [(path.relative_to(ROOT).as_posix(), *each) for path in FILES for each in confused(path.read_text("utf-8"))]
    assert found == []


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("many = {t.id: t for t in each}; return [t(one) for one in each]", ["t"]),
        ("return [t for t in each], [t(one) for one in each]", ["t"]),
        ("return [t for t in each], [t for t in each]", []),
        ("return [one for one in each], [t(one) for one in each]", []),
        ("return (t for t in each), t(each)", []),
        ("t = 1; return [t for t in each], t", []),
    ],
)
def test_what_is_confused_is_found(body: str, names: list[str]) -> None:
    assert [name for _, name in confused(f"def f(each):\n    {body}")] == names

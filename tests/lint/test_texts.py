"""Sentences with fields are given as many values as they have fields, and no function takes many by their order."""

from __future__ import annotations

import ast
from pathlib import Path
from string import Formatter

import pytest

from tests.words.extract import ERRORS

ROOT = Path(__file__).resolve().parent.parent.parent
FILES = sorted(path for folder in ("rules", "game") for path in (ROOT / folder).rglob("*.py"))


def _takes(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many arguments it takes by position, itself left aside."""
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    return len(names) - (names[:1] in (["self"], ["cls"]))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_field_of_a_sentence_gets_its_value_and_functions_take_few(path: Path) -> None:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    assigned = [node for node in nodes if isinstance(node, ast.Assign)]
    many = (node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _takes(node) > 5)
    assert [node.name for node in many] == [], "more than five arguments by position"
    for call in nodes:
        if not (isinstance(call, ast.Call) and call.args):
            continue
        template, *values = call.args
        name = getattr(call.func, "id", getattr(call.func, "attr", ""))
        plain = name == "text" and isinstance(call.func, ast.Name)
        if not (plain or ((values or call.keywords) and ERRORS.fullmatch(name))):
            continue
        if isinstance(template, ast.Name):  # `wrong = "…"` on the line before
            before = [each for each in assigned if each.end_lineno == call.lineno - 1]
            named = [each.value for each in before if ast.unparse(each.targets[0]) == template.id]
            template = named[0] if named else template
        spread = any(isinstance(value, ast.Starred) for value in values) or any(not word.arg for word in call.keywords)
        if not (isinstance(template, ast.Constant) and isinstance(template.value, str)) or spread:
            continue
        fields = {name for _, name, _, _ in Formatter().parse(template.value) if name}
        given = [word.arg for word in call.keywords]
        assert not (values and given), f"line {call.lineno}: values by order or by name, not both"
        assert len(values) == len(fields) if values else set(given) == fields, f"line {call.lineno}: {template.value!r}"

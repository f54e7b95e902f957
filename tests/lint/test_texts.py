"""Sentences with fields are given as many values as they have fields."""

from __future__ import annotations

import ast
from pathlib import Path
from string import Formatter

import pytest

from tests.words.extract import ERRORS

ROOT = Path(__file__).resolve().parent.parent.parent
FILES = sorted(path for folder in ("rules", "game") for path in (ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_field_of_a_sentence_gets_its_value(path: Path) -> None:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    assigned = [node for node in nodes if isinstance(node, ast.Assign)]
    for call in nodes:
        if not (isinstance(call, ast.Call) and call.args):
            continue
        template, *values = call.args
        if isinstance(template, ast.Name):  # `wrong = "…"` on the line before
            before = [each for each in assigned if each.end_lineno == call.lineno - 1]
            named = [each.value for each in before if ast.unparse(each.targets[0]) == template.id]
            template = named[0] if named else template
        makes_error = ERRORS.fullmatch(getattr(call.func, "id", getattr(call.func, "attr", "")))
        if ast.unparse(call.func) != "text" and not (makes_error and (values or call.keywords)):
            continue
        spread = any(isinstance(value, ast.Starred) for value in values) or any(not word.arg for word in call.keywords)
        if not (isinstance(template, ast.Constant) and isinstance(template.value, str)) or spread:
            continue
        fields = {name for _, name, _, _ in Formatter().parse(template.value) if name}
        given = [word.arg for word in call.keywords]
        assert not (values and given), f"line {call.lineno}: values by order or by name, not both"
        assert len(values) == len(fields) if values else set(given) == fields, f"line {call.lineno}: {template.value!r}"

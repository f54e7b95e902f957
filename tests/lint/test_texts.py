"""Sentences with fields are given as many values as they have fields."""

from __future__ import annotations

import ast
from pathlib import Path
from string import Formatter

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
FILES = sorted(path for folder in ("rules", "game") for path in (ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_field_of_a_sentence_gets_its_value(path: Path) -> None:
    for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not (
            isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "text" and call.args
        ):
            continue
        template, *values = call.args
        spread = any(isinstance(value, ast.Starred) for value in values) or any(not word.arg for word in call.keywords)
        if not isinstance(template, ast.Constant) or spread:
            continue
        fields = {name for _, name, _, _ in Formatter().parse(template.value) if name}
        given = [word.arg for word in call.keywords]
        assert not (values and given), f"line {call.lineno}: values by order or by name, not both"
        assert len(values) == len(fields) if values else set(given) == fields, f"line {call.lineno}: {template.value!r}"

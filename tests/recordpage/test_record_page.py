"""docs/record.md names all that a record may say to a ruleset, and nothing that it may not.

A ruleset joins with a module of its name beside this one whose `accepts()` says what the code takes (`accepts.py`), and
a chapter of its title in the page: `### Commands`, `### Options` and `### Stat block`, each a table whose first column
names things in backticks. Of commands the second column names the fields, elsewhere it gives the default as in JSON, or
`needed`.
"""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path

import pytest
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from rules.core.registry import RULESETS, ruleset
from tests.recordpage.accepts import Accepts

PAGE = Path(__file__).resolve().parents[2] / "docs" / "record.md"
HERE = Path(__file__).parent
JOINED = sorted(path.stem for path in HERE.glob("*.py") if path.stem in RULESETS)


@pytest.fixture(params=JOINED)
def joined(request: pytest.FixtureRequest) -> tuple[str, Accepts]:
    """A ruleset's chapter and what it accepts."""
    name = str(request.param)
    page = PAGE.read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(ruleset(name).title)}\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    assert found is not None, f"record.md has no chapter of {name}"
    return found[1], import_module(f"tests.recordpage.{name}").accepts()


def rows(chapter: str, table: str) -> list[tuple[list[str], str]]:
    """(names in the first column, text of the second) of each row of a table."""
    found = re.search(rf"^### {table}\n(.*?)(?=^### |\Z)", chapter, re.M | re.S)
    assert found is not None, f"no table of {table}"
    lines = [line for line in found[1].splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))] for line in lines[2:]]
    return [(re.findall(r"`([^`]+)`", row[0]), row[1]) for row in cells]


def test_every_command_stands_there_with_its_fields(joined: tuple[str, Accepts]) -> None:
    chapter, accepts = joined
    page = {do: frozenset(re.findall(r"`(\w+)`", said)) for names, said in rows(chapter, "Commands") for do in names}
    assert page == accepts.commands


def test_every_option_stands_there_with_its_default(joined: tuple[str, Accepts]) -> None:
    chapter, accepts = joined
    page = {name: said.strip("`") for names, said in rows(chapter, "Options") for name in names}
    assert page == {name: json.dumps(default) for name, default in accepts.options.items()}


def test_every_field_of_a_stat_block_stands_there_with_its_default(joined: tuple[str, Accepts]) -> None:
    chapter, accepts = joined
    page = {name: said.strip("`") for names, said in rows(chapter, "Stat block") for name in names}
    code = {
        f"{where}.{name}" if where else name: default
        for where, model in accepts.blocks.items()
        for name, default in defaults(model).items()
    }
    assert page == code


def defaults(model: type[BaseModel]) -> dict[str, str]:
    """Each field of a model with its default as in JSON, or `needed`."""
    found = {}
    for name, field in model.model_fields.items():
        default = field.get_default(call_default_factory=True)
        found[name] = "needed" if default is PydanticUndefined else json.dumps(default)
    return found

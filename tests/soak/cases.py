"""Cases as files: what was drawn, the steps, and what they show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.soak.encounters import Case
from tests.soak.wrong import Wrong

FOLDER = Path(__file__).parent / "cases"


def read(path: Path) -> Case:
    """A case out of its file."""
    found: Case = json.loads(path.read_text(encoding="utf-8"))
    return found


def write(case: Case, wrong: Wrong, path: Path) -> None:
    """Keep a case with what it shows; a step and a creature a line, so that people can read it."""
    whole: dict[str, Any] = {"finds": wrong.rule, "sign": wrong.sign, "told": wrong.text, **case}
    record = dict(whole.pop("record"))
    steps, creatures = whole.pop("steps"), record.pop("creatures")
    lines = [f" {json.dumps(key)}: {_plain(value)}" for key, value in whole.items()]
    told = ", ".join(f"{json.dumps(key)}: {_plain(value)}" for key, value in record.items())
    those = ",\n".join(f"  {_plain(creature)}" for creature in creatures)
    lines.append(f' "record": {{{told}, "creatures": [\n{those}\n ]}}')
    done = ",\n".join(f"  {_plain(step)}" for step in steps)
    lines.append(f' "steps": [\n{done}\n ]' if steps else ' "steps": []')
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)

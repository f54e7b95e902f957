"""What fights are drawn from: names out of the content as they were when the baseline was made, kept in `pools.json`.

They are kept because a monster more in the bestiary would else change every fight that is drawn after it.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from tests.gate import seam

KEPT = Path(__file__).parent / "pools.json"
Pool = dict[str, Any]


@lru_cache(maxsize=1)
def kept() -> Pool:
    """The pools by ruleset, and the maps under `maps`."""
    found: Pool = json.loads(KEPT.read_text(encoding="utf-8"))
    return found


def write() -> None:
    """Gather them anew out of the program's content."""
    found: Pool = {"maps": seam.maps()}
    for ruleset in seam.rulesets():
        found[ruleset] = _gathered(seam.content_of(ruleset))
    KEPT.write_text(_laid_out(found), encoding="utf-8")


def _gathered(content: Pool) -> Pool:
    everybody = [*content["heroes"].values(), *content["monsters"].values()]

    def unlike(field: str) -> list[Any]:
        """The different values that creatures have there."""
        texts = {json.dumps(block[field], ensure_ascii=False) for block in everybody if field in block}
        return [json.loads(text) for text in sorted(texts)]

    tables = {
        name: sorted(entry["name"] for entry in table)
        for name, table in content["tables"].items()
        if name != "backgrounds"
    }
    magic = sorted(e["name"] for e in content["tables"].get("gear", ()) if e.get("power"))
    suits = sorted(e["name"] for e in content["tables"].get("armour", ()) if not e.get("stacks"))
    return {
        "switches": content["switches"],
        "calls": content["calls"],
        "heroes": sorted(content["heroes"]),
        "monsters": {name: block.get("space", 1) for name, block in sorted(content["monsters"].items())},
        "tempers": sorted({block["temperament"] for block in everybody if "temperament" in block}),
        "tables": tables,
        "magic": magic,
        "suits": suits,
        "skills": sorted({skill for block in everybody for skill in block.get("skills", {})}),
        "attacks": unlike("attacks")[::3],
        "traits": [trait for traits in unlike("traits") for trait in traits if "weapon" not in trait],
        "words": {field: unlike(field) for field in ("immune", "impaired_by", "enhanced_by", "innate", "squares")},
    }


def _laid_out(found: Pool) -> str:
    """A line for each thing of a pool, so that people can read what changed."""
    parts = []
    for name, pool in found.items():
        lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(pool[key], ensure_ascii=False)}" for key in pool)
        parts.append(f" {json.dumps(name)}: {{\n{lines}\n }}")
    return "{\n" + ",\n".join(parts) + "\n}\n"

"""`python -m tests.rulebook`: write the tables that rulebooks take from the content anew; `make rulebook`."""

from __future__ import annotations

import re

from game import paths
from game.content import reference
from game.content import reference as rulebook
from game.content.reference import Filled, ReferenceError, Sheet
from rules.core.registry import RULESETS

_COMMENT = re.compile(r"<!--\s*content:.*?-->", re.DOTALL)


def current(ruleset_id: str) -> str:
    """A rulebook's text with every table of content as it should be now. Raises ReferenceError for a faulty one."""
    path = paths.rulebooks() / f"{ruleset_id}.md"
    book, text = rulebook.read(path), path.read_text(encoding="utf-8")
    stock = reference.stock(ruleset_id)
    fillings = [(part, b) for part in book.parts for b in part.blocks if isinstance(b, Filled)]
    comments = list(_COMMENT.finditer(text))
    if len(comments) != len(fillings):
        raise ReferenceError(f"{book.file}: a content comment stands where it fills nothing")
    out, at = "", 0
    for comment, (part, filling) in zip(comments, fillings, strict=True):
        sheet = rulebook.filled(filling, stock, f"{book.file}: {part.title!r}")
        out += text[at : comment.end()] + "\n\n" + written(sheet)
        written_before = re.compile(r"\s*\n(?:[ \t]*\n)*((?:\|.*\n)*)").match(text, comment.end())
        at = written_before.end() if written_before is not None else comment.end()
        out += "" if at == len(text) else "\n" if not text[at:].startswith("\n") else ""
    return out + text[at:]


def written(sheet: Sheet) -> str:
    """A table in Markdown."""
    rows = [sheet.head, ["---"] * len(sheet.head), *sheet.rows]
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    lines[1] = "|" + "---|" * len(sheet.head)
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write every rulebook that there is."""
    for name in RULESETS:
        path = paths.rulebooks() / f"{name}.md"
        if path.is_file():
            path.write_text(current(name), encoding="utf-8")
            print(path.name)


if __name__ == "__main__":
    main()

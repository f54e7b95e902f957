"""Dungeons by donjon as a table of text (`.txt`, `.tsv`): a word for each space, tabs between."""

from __future__ import annotations

from collections import Counter

from game.importing.loose import Parts
from game.importing.plan import DoorKind, ImportProblem, Plan, PlanDoor, PlanExit, PlanStairs, Space
from game.maps.limits import MAX_SIDE
from rules.board.fixtures import DoorState
from rules.contract.text import text

FORMAT = "donjon-tsv"
FLOOR = "F"
KINDS = {
    "D": (DoorState.CLOSED, DoorKind.DOOR), "DS": (DoorState.SECRET, DoorKind.DOOR),
    "DP": (DoorState.CLOSED, DoorKind.PORTCULLIS),
}  # fmt: skip
DOORS = {kind + side: stands for kind, stands in KINDS.items() for side in "TBLR"}
"""Doors; the last letter is the side on which the leaf hangs."""
UP, DOWN = ("SU", "SUU"), ("SD", "SDD")
"""Stairs lie over two spaces: the near and the far one."""
KNOWN = frozenset(("", FLOOR, *DOORS, *UP, *DOWN))
GLANCE = 4096
"""Letters by which such a file is known."""


def fits(source: bytes) -> bool:
    """Whether a file is one of these: tabs, and hardly any word but these between them."""
    try:
        head = source[:GLANCE].decode("utf-8-sig", "strict" if len(source) <= GLANCE else "ignore")
    except ValueError:
        return False
    words = Counter(word.strip() for line in head.splitlines()[: -1 if len(source) > GLANCE else None]
                    for word in line.split("\t"))  # fmt: skip
    strange = sum(count for word, count in words.items() if word not in KNOWN)
    named = sum(count for word, count in words.items() if word and word in KNOWN)
    return "\t" in head and strange * 4 <= named and (named > 0 or (len(source) > GLANCE and not strange))


def read(source: bytes, name: str) -> Plan:
    """The plan of a table. Raises ImportProblem where there is no floor, or more than a map holds."""
    try:
        lines = source.decode("utf-8-sig").splitlines()
    except ValueError:
        raise ImportProblem("{name}: is no text in UTF-8; export the dungeon again as text", name) from None
    while lines and not lines[-1].strip():
        lines.pop()
    wide = max((line.count("\t") + 1 for line in lines), default=0)
    if not (1 <= len(lines) <= MAX_SIDE and 1 <= wide <= MAX_SIDE):
        raise ImportProblem("{name}: is {columns} × {rows} spaces large; 1 to {most} each way are needed", name, wide,
                            len(lines), MAX_SIDE)  # fmt: skip
    parts = Parts()
    words: dict[Space, str] = {}
    for y, line in enumerate(lines):
        for x, word in enumerate(line.split("\t")):
            if word.strip() in KNOWN:
                words[x, y] = word.strip()
            else:
                parts.skip("space")
    floor = frozenset(spot for spot, word in words.items() if word)
    if not floor:
        raise ImportProblem("{name}: has no floor; export the dungeon again as text", name)
    climbs = [spot for spot, word in words.items() if word in UP]
    return Plan(
        format=FORMAT, columns=wide, rows=len(lines), floor=floor,
        doors=tuple(PlanDoor(space=spot, state=DOORS[word][0], kind=DOORS[word][1])
                    for spot, word in words.items() if word in DOORS),
        exits=(PlanExit(tuple(climbs), text("Stairs up"), arrival=True),) if climbs else (),
        stairs=tuple(PlanStairs((spot,)) for spot, word in words.items() if word in (*UP, *DOWN)),
        ambient="dark", warnings=parts.warnings,
    )  # fmt: skip

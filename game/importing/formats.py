"""Which program a file comes from, told by what is in it; its name only where two could be meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from game.importing import dungeondraft, foundry, loose, uvtt
from game.importing.plan import ImportProblem, Plan
from rules.contract.errors import BattlematError

KNOWN = "Universal VTT, Dungeondraft maps, scenes of Foundry"
"""What can be read, for messages."""


class JsonFormat(NamedTuple):
    """A format whose files are JSON."""

    fits: Callable[[Any], bool]
    read: Callable[[Mapping[str, Any], str], Plan]


JSON: tuple[JsonFormat, ...] = (
    JsonFormat(uvtt.fits, uvtt.read),
    JsonFormat(dungeondraft.fits, dungeondraft.read),
    JsonFormat(foundry.fits, foundry.read),
)
SUFFIXES = (".uvtt", ".dd2vtt", ".df2vtt", ".dungeondraft_map")
"""Endings of files that are ours to import; `.json`, `.txt` and `.tsv` are looked into."""


def read(path: Path) -> Plan:
    """The plan of a file. Raises ImportProblem in one line."""
    name = path.name
    try:
        if path.stat().st_size > loose.LARGEST:
            raise ImportProblem("{name}: is larger than 64 MB; a smaller picture in it would do", name)
        source = path.read_bytes()
    except OSError as error:
        raise ImportProblem("{name}: cannot be read: {why}", str(path), str(error.strerror or error)) from None
    return of_bytes(source, name)


def of_bytes(source: bytes, name: str) -> Plan:
    """The plan of a file's content. Raises ImportProblem in one line."""
    if not source.strip():
        raise ImportProblem("{name}: is empty", name)
    if source.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"["):
        raise ImportProblem("{name}: is no map that can be imported; {known} can be", name, KNOWN)
    document = _document(source, name)
    for each in JSON:
        if each.fits(document):
            return each.read(document, name)
    raise ImportProblem("{name}: is JSON, but no map that can be imported; {known} can be", name, KNOWN)


def _document(source: bytes, name: str) -> Any:
    """A file's JSON; of a compendium, which has an object on each line, the first one with walls."""
    if source.lstrip()[:1] == b"{" and b"\n" in source.strip():
        head, _, rest = source.strip().partition(b"\n")
        if head.rstrip().endswith(b"}") and rest.lstrip().startswith(b"{"):
            return compendium(source, name)
    return loose.document(source, name)


def compendium(source: bytes, name: str) -> Any:
    """The first scene with walls of several, one on each line. Raises ImportProblem where a line can't be read."""
    if len(source) > loose.LARGEST:
        raise ImportProblem("{name}: is larger than 64 MB; export the scene by itself", name)
    documents = (loose.document(row, name) for row in source.splitlines() if row.strip())
    first = None
    for document in documents:
        first = document if first is None else first
        if foundry.fits(document) and document["walls"]:
            return {**document, "_several": True}
    return first


def importable(path: Path) -> bool:
    """Whether a file dropped on the window is one of these."""
    if path.suffix.lower() in SUFFIXES:
        return True
    if path.suffix.lower() not in (".json", ".txt", ".tsv", ".ds", ".db"):
        return False
    try:
        read(path)
    except BattlematError:
        return False
    return True

"""Where each saved fight or expedition was left, in few words, so that the title can offer it without playing it."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from game import paths
from game.fight.match import Match
from game.storage import records as storage
from game.storage.files import as_json, remembered, write_whole
from rules.contract.errors import BattlematError
from rules.contract.text import Text, joined, text

NOTES = "where-fights-were-left"
"""The file in the folder of saved fights: name of a save -> how it stands."""
LARGEST = 1024 * 1024
MOST = 200
"""Notes that are kept: the newest."""
LONGEST = 200
"""Characters of a title or a word of a note that are kept."""


class Evening(NamedTuple):
    """A fight or an expedition that isn't over. `path` is its save; None where its program ended unforeseen."""

    path: Path | None
    title: str
    level: str = ""
    """The map of the place on which the party stands; empty for a place of one map."""
    caption: str = ""
    """How far it has come: `Minute 143`."""
    when: float = 0.0
    """Seconds since the epoch: when it was left."""


def level_of(match: Match) -> str:
    """The map of the place on which whoever acts stands, or else the first of the players' own; empty for one map."""
    if not match.field.maps:
        return ""
    people = {str(c.get("id")) for c in match.record.creatures if c.get("controller") == "human"}
    standing = [m for m in match.board().miniatures if m.cell >= 0 and (m.id in people or not people)]
    first = next((m for m in standing if m.active), standing[0] if standing else None)
    if first is None:
        return ""
    part = match.field.part(first.cell)
    return part.title.removeprefix(f"{match.title}: ") or text("Level {number}", match.field.maps.index(part) + 1)


def note(path: Path, match: Match) -> None:
    """Note how a fight that was just saved stands. Raises BattlematError if the disk refuses."""
    caption = match.board().caption
    said = (
        {"words": caption.template, "fields": dict(caption.fields)} if isinstance(caption, Text) else {"words": caption}
    )
    entry: dict[str, Any] = {
        "title": match.title[:LONGEST], "opening": storage.opening(match.record), "over": match.over is not None,
        "level": str(level_of(match))[:LONGEST], "caption": said, "evening": match.field.left.evening,
    }  # fmt: skip
    known = {name: kept for name, kept in _known().items() if name != path.name}
    newest = dict(list({**known, path.name: entry}.items())[-MOST:])
    write_whole(storage.fights_folder() / NOTES, as_json(newest, indent=1))


def left() -> Evening | None:
    """The newest save of a fight that isn't over, as far as that is known; None if there is none."""
    known, over = _known(), set[str]()
    with contextlib.suppress(BattlematError, OSError):
        for path in storage.fights():
            found = known.get(path.name)
            opening = found.get("opening") if found is not None else storage.opening_of(path)
            if found is not None and found.get("over") is True:
                over.add(str(opening))
            elif opening is None or opening not in over:  # else an earlier save of one that has ended since
                return _evening(path, found or {})
    return None


def _evening(path: Path, found: Mapping[str, Any]) -> Evening:
    title, level, number = found.get("title"), found.get("level"), found.get("evening")
    level = level[:LONGEST] if isinstance(level, str) else ""
    if isinstance(number, int) and number > 1:
        level = joined(" · ", (part for part in (text("Evening {number}", number), level) if part))
    title = title[:LONGEST] if isinstance(title, str) and title else storage.title_of(path)
    return Evening(path, title, level, _caption(found.get("caption")), path.stat().st_mtime)


def _caption(said: object) -> str:
    """A caption that was noted, as a text that can be said in any language; empty for what isn't one."""
    if not isinstance(said, dict) or not isinstance(words := said.get("words"), str):
        return ""
    fields = said.get("fields")
    if not isinstance(fields, dict) or not all(isinstance(each, (str, int)) for each in fields.values()):
        return words[:LONGEST] if fields is None else ""
    try:
        return text(words[:LONGEST], **{str(name): each for name, each in fields.items()})
    except (LookupError, ValueError, AttributeError):
        return ""


def _known() -> dict[str, dict[str, Any]]:
    found = remembered(paths.user_path("fights", NOTES), LARGEST)
    return {name: entry for name, entry in found.items() if isinstance(entry, dict)}

"""What the load screen says of a saved fight: its title, how it stands, who is in it; or what is wrong with it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple

from game.fight.match import Match, load_fight
from game.fight.seats import Seats
from game.fight.viewing import fogged
from game.storage import records as storage
from rules.contract.errors import BattlematError
from rules.contract.text import joined, text
from rules.core import record as records
from rules.core.ground import map_files
from rules.core.registry import ruleset


class Save(NamedTuple):
    """A saved fight as the list shows it."""

    path: Path
    when: float
    """Seconds since the epoch: when it was saved."""
    title: str
    caption: str = ""
    """How it stands: `Turn 3, round 1`, or how it ended."""
    party: tuple[str, ...] = ()
    """Names of those whom people play; the fallen last."""
    fault: str = ""
    """Why it cannot be loaded, in one line; empty if it can."""
    foes: str = ""
    """Against how many."""
    map: str = ""
    """What its map is called."""
    rules: str = ""
    """The title of its ruleset."""

    @property
    def heading(self) -> str:
        """Its title, and whether it was saved by itself or in haste."""
        if storage.is_autosave(self.path):
            return text("{title} · autosave", self.title)
        return text("{title} · quick save", self.title) if self.path == storage.quick_save() else self.title

    def told(self, now: float | None = None) -> str:
        """When it was saved, where it is fought and by which rules, by whom, and how it stands."""
        if self.fault:
            return text("Broken: {fault}", self.fault)
        where = self.map if self.map != self.title else ""
        parts = (when_told(self.when, now), where, self.rules, self.caption, named(self.party), self.foes)
        return joined(" · ", (part for part in parts if part))


def glance(path: Path) -> Save:
    """What its file's name and date say, for as long as the rest is not known."""
    try:
        when = path.stat().st_mtime
    except OSError:
        when = 0.0
    return Save(path, when, storage.title_of(path))


def look(path: Path) -> Save:
    """What the fight itself says: it is played up to its last command (some milliseconds)."""
    first = glance(path)
    try:
        match = load_fight(path)
    except BattlematError as error:
        return first._replace(fault=str(error).removeprefix(f"{path}: "))
    return first._replace(
        title=match.title, caption=stands(match), party=party(match),
        map=match.field.title or map_words(match.record.map), rules=match.ruleset.title,
    )  # fmt: skip


def prepared(path: Path) -> Save:
    """What a record says of its start, without playing it: also of one that cannot be played yet."""
    from game.setup import bestiary  # late: it brings the models of heroes

    first = glance(path)
    try:
        record = storage.read_record(path)
        rules = ruleset(record.ruleset).title
    except BattlematError as error:
        return first._replace(fault=str(error).removeprefix(f"{path}: "))
    people = [c for c in record.creatures if c.get("controller") == "human"]
    ours = people or [c for c in record.creatures if c.get("side") == record.creatures[0].get("side")]
    others = len(record.creatures) - len(ours)
    return first._replace(
        title=record.title or map_words(record.map) or first.title,
        party=tuple(bestiary.called(record.ruleset, creature) for creature in ours),
        foes=text('against {others}', others) if others else "",
        map=map_words(record.map), rules=rules,
    )  # fmt: skip


def map_words(source: records.MapModel) -> str:
    """A map's file (a place's first) as words: `field/goblin_warren.tmx` is Goblin warren; empty for a sketch."""
    words = Path(next(iter(map_files(source)), "")).stem.replace("_", " ").replace("-", " ").strip()
    return words[:1].upper() + words[1:]


def stands(match: Match) -> str:
    """How a fight stands, in a few words."""
    if match.over is not None:
        return text("over: {over} won", match.over) if match.over else "over: nobody is left"
    board = match.board()
    acting = (text(", {name} to act", mini.name) for mini in board.miniatures if mini.active)
    to_act = "" if fogged(match) else next(acting, "")
    return board.caption + to_act if match.record.commands else "not begun"


def party(match: Match) -> tuple[str, ...]:
    """The names of those whom people play, else of the first side; the fallen last.

    Where seats keep secrets from each other, the names of the seats.
    """
    seats = Seats(match.record)
    if fogged(match) and seats.shared:
        return tuple(seat.name for seat in seats.seats)
    minis = match.board().miniatures
    people = {str(c.get("id")) for c in match.record.creatures if c.get("controller") == "human"}
    ours = [mini for mini in minis if mini.id in people]
    ours = ours or [mini for mini in minis if mini.side == minis[0].side]
    return tuple(
        text("{name} (dead)", mini.name) if mini.dead else text("{name} (down)", mini.name) if mini.out else mini.name
        for mini in sorted(ours, key=lambda mini: mini.out)
    )


def named(names: tuple[str, ...], most: int = 4) -> str:
    """`Ada, Bo and 3 more`."""
    if len(names) <= most:
        return joined(", ", names)
    return text("{names} and {more} more", joined(", ", names[: most - 1]), len(names) - most + 1)


def when_told(when: float, now: float | None = None) -> str:
    """`today 16:04`, `yesterday 21:10`, `2026-03-01 20:15`, in the machine's time."""
    then, today = time.localtime(when), time.localtime(now)
    yesterday = time.localtime(time.mktime((*today[:3], 12, 0, 0, 0, 0, -1)) - 86400)
    clock = time.strftime("%H:%M", then)
    for day, word in ((today, "today"), (yesterday, "yesterday")):
        if then[:3] == day[:3]:
            return text("{word} {clock}", word, clock)
    return f"{time.strftime('%Y-%m-%d', then)} {clock}"

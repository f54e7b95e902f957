"""`battlemat --selftest`: every part of an installation tried once, so that whoever built it knows that it works."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from game import __version__, paths
from rules.contract.errors import BattlematError, said
from rules.contract.text import Text, text

FAILED = 70
"""Exit status where a part does not work."""
MAP, HEROES, FOES = "crypt", ("warrior", "ranger"), ("skeleton", "giant_rat")
FIGHTS = 4
LEAST_COLOURS = 20
"""Of a frame that is not empty."""


def run(tell: Callable[[list[str]], None]) -> int:
    """Try everything, a line for each part; the exit status. Nothing of the user's is read or written."""
    tell([text("battlemat {version}: self-test", __version__)])
    worst = 0
    with TemporaryDirectory(prefix="battlemat-") as folder, _apart(Path(folder)):
        for name, part in PARTS.items():
            began = time.monotonic()
            try:
                found = part(Path(folder))
            except Exception as error:  # whatever it is, the other parts are tried too
                known = isinstance(error, BattlematError)
                why = said(error) if known else text("{name}: {error}", type(error).__name__, str(error))
                tell([text("{part}: FAILED: {why}", name, why)])
                worst = FAILED
                continue
            tell([text("{part}: {found}, {seconds} s", name, found, f"{time.monotonic() - began:.1f}")])
    tell(["A part does not work." if worst else "Everything works."])
    return worst


@contextmanager
def _apart(folder: Path) -> Iterator[None]:
    """Without a screen, without sound, with a user's folder of its own."""
    apart = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", paths.HOME_VARIABLE: str(folder / "home")}
    before = {name: os.environ.get(name) for name in apart}
    os.environ.update(apart)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _content(_folder: Path) -> Text:
    """Every table and every creature of every ruleset is read and judged."""
    from game.content import tables
    from rules.core.registry import RULESETS

    creatures = 0
    for ruleset in RULESETS:
        tables.tables(ruleset)
        for name in (*tables.heroes(ruleset), *tables.monsters(ruleset)):
            tables.template(ruleset, name)
            creatures += 1
    return text("{creatures} creatures of {rulesets} rulesets", creatures, len(RULESETS))


def _maps(_folder: Path) -> Text:
    """Every map is fit to play."""
    from game.content.tables import hoards
    from game.maps.place import check_place

    maps = sorted(paths.shipped_maps().glob("*.tmx"))
    for path in maps:
        report = check_place(path, hoards=hoards)
        if not report.readable:
            raise BattlematError("{path}: {problem}", path.name, report.problems[0])
    if not maps:
        raise BattlematError("there are no maps in {folder}", str(paths.shipped_maps()))
    return text("{maps} maps", len(maps))


def _replay(_folder: Path) -> Text:
    """A fight of the computer against itself, played again from its record, comes to the same."""
    from game.content.encounter import make_encounter
    from game.fight.match import Match
    from game.forecast.play import Trial
    from rules.core import record as records

    trial = Trial.of(records.read(make_encounter(MAP, HEROES, FOES, 1)))
    kept = records.document(trial.run(0))
    first, again = (Match.from_record(records.read(kept), strict_throws=True) for _ in range(2))
    ends = [match.ruleset.summary(match.state) for match in (first, again)]
    if ends[0] != ends[1] or first.over is None:
        raise BattlematError("a fight comes to something else when it is played again")
    return text("{commands} commands", len(first.record.commands))


def _forecast(_folder: Path) -> Text:
    """A few fights, played by processes of their own."""
    from game.content.encounter import make_encounter
    from game.forecast.simulate import simulate
    from rules.core import record as records

    record = records.read(make_encounter(MAP, HEROES, FOES, 1))
    here, there = simulate(record, FIGHTS), simulate(record, FIGHTS, jobs=2)
    if here != there:
        raise BattlematError("worker processes come to something else")
    return text("{runs} fights by worker processes", there.runs)


def _frame(folder: Path) -> Text:
    """The title screen, drawn into a file."""
    import pygame

    from game.app.loop import run as window

    path = folder / "frame.png"
    window(size=(1280, 720), frame=path, scene=None, record=None, fullscreen=False)
    frame = pygame.image.load(path)
    width, height = frame.get_size()
    colours = {tuple(frame.get_at((x, y))) for x in range(0, width, 7) for y in range(0, height, 7)}
    if len(colours) < LEAST_COLOURS:
        raise BattlematError("the frame is all but empty: {colours} colours", len(colours))
    return text("{width} × {height} pixels", width, height)


PARTS: dict[str, Callable[[Path], Text]] = {
    "content": _content,
    "maps": _maps,
    "replay": _replay,
    "forecast": _forecast,
    "frame": _frame,
}
"""The window comes last: it changes what a library of pictures is set to."""

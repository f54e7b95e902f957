"""A new fight as it is chosen: the map, the party, the foes, the rules, the seed."""

from __future__ import annotations

import contextlib
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pygame

from game import paths
from game.app.settings import NewFight
from game.characters.files import hero_entries, unready_heroes
from game.content import adventures, balance, encounter, translation
from game.content import tables as content
from game.content.adventures import Adventure
from game.content.balance import weights
from game.fight import match as seeds
from game.forecast import threat as danger
from game.maps.mapdata import LoadedMap, OutsideProblem
from game.maps.place import followed, leads_to
from game.maps.tiled import load_map
from game.scenes.base import Shell, soonest
from game.scenes.dialogs import importing, outside
from game.scenes.dialogs.seats import Played, SeatsPanel
from game.scenes.fight.panels.card import likeness
from game.scenes.forecast.board import Glance, GlancingScene
from game.setup import files
from game.setup.draft import COMPUTER, SeatTable, with_seats
from game.view.thumbnail import fitted, sketched
from game.widgets.fields import TextField
from rules.contract.errors import BattlematError, said
from rules.contract.ruleset import Switch
from rules.contract.text import text
from rules.core import record as records
from rules.core.registry import RULESETS
from rules.core.registry import ruleset as ruleset_of

MOST_FOES = 16
CALM = 1.5
"""Seconds without a choice before fights are played: whoever begins at once is left in peace."""
WATCHED = 0.1
"""Seconds between looks at maps that are being read."""
MOST_HEROES = 6
"""How many may be chosen."""
FIRST, WHOLE = "explore", "crawl"
"""The switches by which a fight begins before anybody has noticed anybody, and by which that comes back after it."""
KNOWING = ("fog", "darkness")
"""The switches that belong to the table: what a side may know."""


def switches_named(ruleset: str, names: tuple[str, ...]) -> list[Switch]:
    """Those of some switches that a ruleset has, in the order given."""
    found = {switch.name: switch for switch in ruleset_of(ruleset).switches}
    return [found[name] for name in names if name in found]


class _Chosen(NamedTuple):
    """Who was chosen to fight whom, under which rules."""

    ruleset: str
    party: tuple[str, ...]
    foes: dict[str, int]


class Choices(GlancingScene):
    """Map cards, heroes to pick, foes to count, or a surprise."""

    name = "choose"

    def __init__(self, app: Shell, ruleset: str = "") -> None:
        super().__init__(app)
        last = app.settings.new_fight
        known = [name for name in (ruleset, last.ruleset) if name in RULESETS]
        self.ruleset = ruleset = known[0] if known else next(iter(RULESETS))
        self.shelf = Shelf(encounter.offered_maps())
        self.heroes = {**hero_entries(ruleset), **content.heroes(ruleset)}
        self.unready = unready_heroes(ruleset)
        """The player's own who can't fight now: shown all the same, with the reason."""
        self.monsters = content.monsters(ruleset)
        self.adventure: Adventure | None = None
        """The place with a story that is gone into, its own people waiting there; None: a fight on the map."""
        self.map = self._last_map(last.map)
        party = [name for name in self.heroes if name in last.party][:MOST_HEROES]
        self.party: list[str] = party or list(self.heroes)[: encounter.PARTY]
        self.foes: dict[str, int] = {}
        self._chosen: _Chosen | None = None
        """What was chosen by hand before other rules were taken, and what it came to under them."""
        self._came: _Chosen | None = None
        self._note = ""
        self.table = SeatTable(players={encounter.HEROES: 0, encounter.MONSTERS: COMPUTER})
        self.options: dict[str, bool] = dict(last.options)
        """Switches that the player has set; the others follow from map and table."""
        self.seed = str(seeds.fresh_seed())
        self.tight = False
        self._seated: dict[str, str] = {}
        """Id -> side of whoever was chosen."""
        self._unseen = True
        """Whether foes were chosen for the player, who is to see which, wherever in their list they stand."""
        self.glance = Glance(app, self._told, calm=CALM)
        if self.map is not None:
            self._drawn()
        if last.adventure:
            with contextlib.suppress(BattlematError):  # a place that is gone by now is chosen anew
                self.go_in_again(last.adventure)

    def _last_map(self, name: str) -> Path | None:
        """The map that was chosen last, else the first."""
        named = (path for path in self.shelf.maps if encounter.map_name(path) == name)
        known = [path for path in named if not self.shelf.read_now(path).why]
        return next(iter([*known, *self.shelf.readable]), None)

    def remember(self) -> None:
        """Keep what was chosen: the next new fight begins with it."""
        name = encounter.map_name(self.map) if self.map is not None else None
        place = None
        if self.adventure is not None:
            with contextlib.suppress(BattlematError):  # its map may be gone by now
                place = encounter.map_name(encounter.find_map(self.adventure.map))
        chosen = NewFight(
            ruleset=self.ruleset, map=name or "", adventure=place or "", party=self.party, options=self.options
        )
        if chosen != self.app.settings.new_fight:
            self.app.settings.new_fight = chosen
            self.app.save_settings()

    def update(self, dt: float) -> bool:
        if self.shelf.fresh():
            self.map = self.map or self._last_map("")
            self.rebuild()
        return super().update(dt)

    def pace(self) -> float | None:
        return soonest(super().pace(), WATCHED if self.shelf.busy else None)

    def left(self) -> None:
        super().left()
        self.shelf.close()
        self.remember()

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.DROPFILE:
            path = Path(event.file)
            if importing.importable(path):
                importing.bring(self.app, path, self.bring)
            elif path.suffix == ".tmx":
                self.bring(path)
            else:
                self.app.navigator.open_dropped(path)
            return True
        answered = super().handle(event)
        if event.type == pygame.MOUSEBUTTONUP and not isinstance(self.ui.focus, TextField):
            self.ui.set_focus(None)  # what was clicked keeps no Enter from the button that promises it
        return answered

    def bring(self, path: Path, copied: outside.Folders = ()) -> None:
        """Fight on a map of one's own, which is copied into the user's maps; what it needs beside that is asked for.

        `copied`: folders out of which such files are copied with it.
        """

        def call() -> None:
            try:
                self._take_in(files.brought_in(path, copied))
            except OutsideProblem as problem:
                again = partial(self.bring, path)
                if not outside.ask(self.app, problem, again, copied=copied, copy=partial(self.bring, path)):
                    raise

        self.app.guard(call)

    def _take_in(self, inside: Path) -> None:
        loaded_map.cache_clear()
        self.shelf.close()
        self.shelf = Shelf(encounter.offered_maps())
        self.shelf.read_now(inside)
        self.take_map(next((known for known in self.shelf.readable if known.resolve() == inside.resolve()), inside))

    @property
    def came_along(self) -> str:
        """How many of the foes came to these rules, while nothing else is chosen; empty where all did."""
        now = _Chosen(self.ruleset, tuple(self.party), dict(self.foes))
        return self._note if now == self._came else ""

    def set_option(self, name: str, on: bool) -> None:
        """Turn an optional rule on or off."""
        self.options[name] = on
        self.rebuild()

    def on(self, switch: Switch) -> bool:
        """Whether an optional rule is on: as the player has set it, else as usual at such a table."""
        if switch.name in KNOWING:
            return self._switched(self._seated, switch.name)
        usual = switch.default or switch.fresh
        if self.adventure is not None:
            usual = self.adventure.options.get(switch.name, switch.default)
        if switch.name == FIRST and self.expedition:
            return True
        return self.options.get(switch.name, usual)

    @property
    def expedition(self) -> bool:
        """Whether exploration and fights take turns: that begins with exploration, whatever else is set."""
        return any(self.on(switch) for switch in switches_named(self.ruleset, (WHOLE,)))

    def _take_ruleset(self, name: str) -> None:
        """Under other rules: everybody who was chosen becomes their counterpart, of the foes as many as weigh as much.

        What was chosen by hand is remembered, so that the way back, or on to third rules, begins there.
        """
        if name == self.ruleset:
            return

        def call() -> None:
            now = _Chosen(self.ruleset, tuple(self.party), dict(self.foes))
            first = self._chosen if self._chosen is not None and now == self._came else now
            party, foes, note = (
                _brought(first, name, self.map) if first.ruleset != name else (first.party, first.foes, "")
            )
            heroes = {**hero_entries(name), **content.heroes(name)}
            if self.adventure is not None and set(party) <= set(content.heroes(name)):
                party = self.adventure.heroes[name]
            self.unready = unready_heroes(name)
            self.monsters, self.heroes, self.ruleset = content.monsters(name), heroes, name
            self.party = [hero for hero in heroes if hero in party]
            self.foes = dict(foes)
            self._chosen, self._came = first, _Chosen(name, tuple(self.party), dict(self.foes))
            self._note = note
            self.offsets.clear()
            self._unseen = True

        if self.app.guard(call):
            self.rebuild()

    def _missing(self) -> str:
        if not (self.map or self.adventure):
            return "No map is chosen."
        if not self.party:
            return "No hero is chosen: click one."
        return "No foe is chosen: click one, or let them be drawn."

    def _told(self) -> tuple[records.Record, Path | None] | None:
        """The fight as it would begin, for the forecast; None for one that can't, or for a whole evening."""
        try:
            return (records.read(self._record()), None) if self._ready and self.adventure is None else None
        except BattlematError:
            return None

    def _rough(self) -> str:
        """The threat as the weights have it, in words."""
        if self.adventure is not None:
            return ""
        known = {*content.heroes(self.ruleset), *self.monsters}
        ours, theirs = (
            weights(self.ruleset, [{"template": name} if name in known else self.heroes[name] for name in names])
            for names in (self.party, self._band())
        )  # as a record has them: by template, heroes of the player's own whole
        return danger.guessed(self.ruleset, ours, theirs, self.map.name if self.map is not None else "")

    def _band(self) -> list[str]:
        return [name for name, count in self.foes.items() for _ in range(count)]

    # -- choices

    def take_map(self, path: Path) -> None:
        """Fight there."""
        self.map, self.adventure = path, None
        found = list[Adventure | None]()
        if self.shelf.read_now(path).levels > 1:  # a place where somebody lives is gone into as it is
            self.app.guard(lambda: found.append(adventures.of_place(path)))
        if found and found[0] is not None:
            self.take_adventure(found[0])
        else:
            self.rebuild()

    def take_adventure(self, adventure: Adventure) -> None:
        """Go into a place with a story; with its own party, unless one was chosen by hand."""
        if self.party == list(self.heroes)[: encounter.PARTY]:
            ready = adventure.heroes[self.ruleset]
            self.party = [name for name in self.heroes if name in ready]
        self.adventure = adventure
        self.rebuild()

    def go_in_again(self, first: str) -> None:
        """Into the place again whose first map is called so, with whoever is chosen. Raises BattlematError."""
        known = (each for each in adventures.adventures() if Path(each.map).stem == Path(first).stem)
        self.adventure = next(known, None) or adventures.of_place(encounter.find_map(first))

    def take_hero(self, name: str) -> None:
        """Into the party while there is room, or out of it."""
        if name in self.party:
            self.party.remove(name)
        elif len(self.party) < MOST_HEROES:
            self.party = [n for n in self.heroes if n in self.party or n == name]
        self.rebuild()

    def more(self, name: str) -> None:
        """One more foe of a kind, while there is room."""
        if sum(self.foes.values()) < MOST_FOES:
            self.foes[name] = self.foes.get(name, 0) + 1
        self.rebuild()

    def less(self, name: str) -> None:
        """One less."""
        if self.foes.get(name, 0) > 1:
            self.foes[name] -= 1
        else:
            self.foes.pop(name, None)
        self.rebuild()

    def _clear(self) -> None:
        self.foes = {}
        self.rebuild()

    def _draw(self) -> None:
        """Foes that fit the map and the party."""
        if self.map is None or not self.party:
            self._refuse()
        else:
            self._drawn()
            self.rebuild()

    def _drawn(self) -> None:
        assert self.map is not None
        lot = encounter.Lot(seeds.fresh_seed())
        self.foes = dict(Counter(encounter.themed_foes(loaded_map(self.map), self.party, lot, self.ruleset)))
        self._unseen = True

    def _record(self) -> dict[str, Any]:
        if self.adventure is not None:
            return with_seats(self.table, self._evening(self.adventure))
        assert self.map is not None
        made = encounter.make_encounter(self.map, self.party, self._band(), int(self.seed or 0), ruleset=self.ruleset)
        made["options"] = {
            switch.name: self.on(switch)
            for switch in ruleset_of(self.ruleset).switches
            if switch.name not in KNOWING and self.on(switch) != switch.default
        }
        made["options"] |= {name: True for name in KNOWING if self._switched(sides_of(made), name)}
        return with_seats(self.table, made)

    def _evening(self, adventure: Adventure) -> dict[str, Any]:
        """An adventure as it would begin, with the switches as they stand."""
        made = adventures.begun(adventure, int(self.seed or 0), ruleset=self.ruleset, heroes=self.party)
        usual = {each.name: each.default for each in ruleset_of(self.ruleset).switches}
        chosen = {**usual, **made["options"], **self.options}
        made["options"] = {name: chosen[name] for name in usual if chosen[name] != usual[name]}
        return made

    def _switched(self, sides: Mapping[str, str], name: str) -> bool:
        """Whether fog or darkness is on: as the player has set it, else on where people play against each other."""
        if not switches_named(self.ruleset, (name,)) or (name == "darkness" and not self.dark):
            return False  # there is none, or it would change nothing
        usual = self.adventure is not None and self.adventure.options.get(name, False)
        return self.options.get(name, usual or self.table.versus(sides))

    @property
    def dark(self) -> bool:
        """Whether the map has any dark to be lit."""
        return self.adventure is not None or (self.map is not None and loaded_map(self.map).ambient == "dark")

    def _seat(self) -> None:
        """Who plays whom, and what each side may know."""
        made = self._record()
        known = {**self.heroes, **self.monsters}
        creatures = []
        for entry in made["creatures"]:
            block = known.get(str(entry.get("template", entry["id"])), {})
            name = str(entry.get("name", block.get("name", entry["id"])))
            face = likeness(str(block.get("art", entry.get("template"))), str(entry["side"]))
            creatures.append(Played(str(entry["id"]), name, str(entry["side"]), face))
        self.app.push(SeatsPanel(
            self.app, self.table, creatures, partial(setattr, self, "table"),
            switches=switches_named(self.ruleset, KNOWING if self.dark else KNOWING[:1]),
            switched=partial(self._switched, sides_of(made)), on_switch=self.options.__setitem__,
        ))  # fmt: skip

    @property
    def _ready(self) -> bool:
        return bool(self.party and (self.adventure or (self.map and self.foes)))

    def _refuse(self) -> None:
        self.app.complain(self._missing())

    def _begin(self) -> None:
        self.remember()
        self.app.navigator.begin(self._record())


def sides_of(made: Mapping[str, Any]) -> dict[str, str]:
    """Id -> side of the creatures of a record."""
    return {str(entry["id"]): str(entry["side"]) for entry in made["creatures"]}


def _brought(chosen: _Chosen, goal: str, map: Path | None) -> tuple[tuple[str, ...], dict[str, int], str]:
    """Party and foes under other rules, and how many of the foes came, in words. Raises ContentError."""
    ready = content.heroes(chosen.ruleset)
    before = [name for name in chosen.party if name in ready]
    heroes = list(dict.fromkeys(translation.counterpart(name, chosen.ruleset, goal)[0] for name in before))
    spare = [hero for hero in content.heroes(goal) if hero not in heroes]
    heroes += spare[: max(0, len(chosen.party) - len(heroes))]
    foes = [name for name, count in chosen.foes.items() for _ in range(count)]
    sides = [*((name, encounter.HEROES) for name in before), *((name, encounter.MONSTERS) for name in foes)]
    entries = [{"id": f"{n}", "template": name, "side": side} for n, (name, side) in enumerate(sides)]
    party = {f"{n}": {**entries[n], "template": heroes[n]} for n in range(len(before))}
    where = map.name if map is not None else ""
    band = translation.brought(chosen.ruleset, entries, goal, party, map=where)
    there = [str(entry["template"]) for entry in band.entries[len(before) :]]
    came = Counter([*there, *(str(entry["template"]) for entry in band.joined)])
    note = balance.told(goal, len(there), len(foes), len(band.joined))
    return tuple(heroes), dict(came), note


SIDES = {encounter.HEROES: (0, 114, 178), encounter.MONSTERS: (213, 94, 0)}
PARTY = 8
"""Spaces that are marked where a map draws no place for a side."""
GRACE = 0.1
"""Seconds that a list waits for the user's maps before it shows itself without those that aren't read yet."""
KEPT = 600
"""Maps whose cards are kept."""

Stamp = tuple[Path, int, int]
"""A file as it was read: its path, when it was changed, its size."""


@dataclass(frozen=True, slots=True)
class Card:
    """What a list tells of a map; `why` says why it cannot be read, and is empty where it can."""

    title: str
    size: tuple[int, int] = (0, 0)
    """Columns and rows."""
    sketch: pygame.Surface | None = None
    """One pixel per space."""
    why: str = ""
    levels: int = 1
    """How many maps its place has."""
    asks: bool = False
    """It can be read once the user has agreed to the folders that it needs."""

    @property
    def line(self) -> str:
        """Its second line."""
        if self.asks:
            return "uses files of other folders"
        if self.why:
            return "cannot be read"
        if self.levels > 1:
            return text("{n} maps, this one {size} × {size2} spaces", self.levels, self.size[0], self.size[1])
        return text("{size} × {size2} spaces", self.size[0], self.size[1])

    def picture(self, size: tuple[int, int]) -> pygame.Surface:
        """The sketch in the middle of a picture of this size."""
        return fitted(self.sketch, size) if self.sketch is not None else pygame.Surface(size, pygame.SRCALPHA)


class Shelf:
    """The maps of a list: what came with the game is read at once, the user's own in the background, one by one.

    `cards` has every map that has been read so far. Whoever shows a shelf asks `fresh` now and then, and closes it.
    """

    def __init__(self, maps: Iterable[Path]) -> None:
        self.maps = list(maps)
        self.cards: dict[Path, Card] = {}
        self._closed = threading.Event()
        for path in self.maps:
            card = read_card(path) if path.is_relative_to(paths.shipped_maps()) else _known(path)
            if card is not None:
                self.cards[path] = card
        waiting = [path for path in self.maps if path not in self.cards]
        self._thread: threading.Thread | None = None
        if waiting:
            self._thread = threading.Thread(target=self._read, args=(waiting,), name="maps", daemon=True)
            self._thread.start()
            self._thread.join(GRACE)
        self._told = len(self.cards)

    @property
    def readable(self) -> list[Path]:
        """The maps that can be played on, of those that have been read, in the order of the list."""
        return [path for path in self.maps if path in self.cards and not self.cards[path].why]

    @property
    def unreadable(self) -> dict[Path, str]:
        """The user's own that can't be read, and why."""
        return {path: self.cards[path].why for path in self.maps if path in self.cards and self.cards[path].why}

    @property
    def busy(self) -> bool:
        """Whether maps are still being read."""
        return len(self.cards) < len(self.maps)

    def read_now(self, path: Path) -> Card:
        """A map's card, read at once if need be."""
        if path not in self.cards:
            self.cards[path] = read_card(path)
        return self.cards[path]

    def fresh(self) -> bool:
        """Whether more maps have been read since this was asked last."""
        before, self._told = self._told, len(self.cards)
        return self._told != before

    def wait(self) -> None:
        """Until all are read."""
        if self._thread is not None:
            self._thread.join()

    def close(self) -> None:
        """Read no further ones."""
        self._closed.set()

    def _read(self, waiting: list[Path]) -> None:
        for path in waiting:
            if self._closed.is_set():
                return
            self.cards[path] = read_card(path)


# -- one map


def read_card(path: Path) -> Card:
    """A map's card, read once as long as its file stays as it is."""
    card = _known(path)
    if card is None:
        card = _card(path)
        stamp = _stamp(path)
        if stamp is not None and not card.asks:  # agreeing leaves the file as it is
            _cards[stamp] = card
            while len(_cards) > KEPT:
                _cards.popitem(last=False)
    return card


_cards: OrderedDict[Stamp, Card] = OrderedDict()


def _stamp(path: Path) -> Stamp | None:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return path, found.st_mtime_ns, found.st_size


def _known(path: Path) -> Card | None:
    return None if (stamp := _stamp(path)) is None else _cards.get(stamp)


def _card(path: Path) -> Card:
    try:
        loaded = load_map(path)
        field = loaded.field
        levels = len(followed(path, loaded_map)[0]) if any(leads_to(way) for way in loaded.exits) else 1
        return Card(loaded.title or path.stem, (field.width, field.height), _sketch(loaded), levels=levels)
    except OutsideProblem as error:
        return Card(path.stem, why=said(error), asks=True)
    except BattlematError as error:
        return Card(path.stem, why=said(error))
    except OSError as error:
        return Card(path.stem, why=text("{name}: {what}", path.name, str(error.strerror or error)))


def _sketch(loaded: LoadedMap) -> pygame.Surface:
    """The ground, and where each side starts."""
    marks = {
        int(cell): ink
        for side, ink in SIDES.items()
        for cell in loaded.spawn_cells(side) or islice(encounter.start_spaces(loaded, side), PARTY)
    }
    return sketched(loaded.field, marks)


@lru_cache(maxsize=16)
def loaded_map(path: Path) -> LoadedMap:
    """A map read once. Raises MapProblem."""
    return load_map(path)

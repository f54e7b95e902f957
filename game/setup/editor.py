"""A draft on its map, and the editor's memory: undo and redo, who is selected, what was copied; hands act on this."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from game.content import encounter
from game.maps.mapdata import LoadedMap, Spaces, Spawn, start_spaces
from game.setup import bestiary, check, forms, trial, ways
from game.setup import draft as drafts
from game.setup.draft import UNSET, Draft, Entry, Piece, Spot
from game.setup.forms import FormField
from game.setup.ground import Drawn
from game.setup.ways import Leg, hindrance, named, refusal
from rules.board.bitboard import board_of
from rules.board.grid import Field
from rules.contract.display import Badge, Bar, Board, GroundMark, Miniature
from rules.contract.errors import BattlematError
from rules.contract.text import ntext, text, titled
from rules.contract.units import Cell
from rules.core import record as records
from rules.core.ground import with_doors

MOST_UNDO = 400
"""How many steps can be taken back."""
DOORS = ("open", "closed", "locked", "barred", "secret")
"""How a door is turned, in order."""
PLAYERS = {"human": "a person", "ai": "the computer"}
"""Who may answer for a creature, and how it is called."""
PLAYED = {"heroes": "human"}
"""Who plays a side that is new on the table; every other is the computer's."""


class Table:
    """One draft, looked at once: make another for another draft."""

    def __init__(self, draft: Draft, ground: Field) -> None:
        self.draft, self.ground = draft, ground
        self._terrain = ground.terrain()
        self._there: dict[Spot, list[int]] = {}
        for piece in draft.pieces:
            for spot in _square(piece.spot, trial.spaces(draft.ruleset, piece.entry, draft.options)):
                self._there.setdefault(spot, []).append(piece.key)

    def at(self, spot: Spot) -> int | None:
        """Who covers a space: the one put there last."""
        there = self._there.get(spot)
        return there[-1] if there else None

    def within(self, first: Spot, last: Spot) -> list[int]:
        """Who touches the rectangle between two spaces."""
        left, right = sorted((first[0], last[0]))
        top, bottom = sorted((first[1], last[1]))
        inside = {
            key for (x, y), keys in self._there.items() if left <= x <= right and top <= y <= bottom for key in keys
        }
        return [piece.key for piece in self.draft.pieces if piece.key in inside]

    def room(self, spot: Spot, size: int, but: Iterable[int] = ()) -> str:
        """Why nobody of a size can be put there; empty where there is room. `but`: who will be gone by then."""
        if why := refusal(self.ground, self._terrain, spot, size):
            return text("would stand {why}", why)
        gone = set(but)
        keys = (key for each in _square(spot, size) for key in self._there.get(each, ()) if key not in gone)
        there = next(filter(None, map(self.draft.piece, keys)), None)
        return text("would share the space with {piece}", check.name_of(self.draft, there)) if there else ""

    def start(self, loaded: LoadedMap | None, side: str) -> Spaces:
        """Where a side starts: on the map's spaces for it, or where it stands well apart from others."""
        spawns, exits = ((), []) if loaded is None else (loaded.spawns, encounter.exits(loaded))
        there: dict[str, list[Cell]] = {}
        for piece in self.draft.pieces:
            if piece.spot is not None and self.ground.inside(*piece.spot):
                there.setdefault(piece.side, []).append(self.ground.cell(*piece.spot))
        return start_spaces(self.ground, spawns, side, exits, there)

    def around(self, side: str) -> Spaces:
        """The spaces of those of a side, and around them as far as one can walk, nearest first."""
        spots = [p.spot for p in self.draft.pieces if p.side == side and p.spot is not None]
        there = tuple(self.ground.cell(*spot) for spot in spots if self.ground.inside(*spot))
        return start_spaces(self.ground, [Spawn(side, 0, there)], side)

    def board(self) -> Board:
        """The table as the window draws it; pieces go by their keys. Whoever is off the map is not on it."""
        minis = [self.miniature(piece) for piece in self.draft.pieces]
        doors = tuple(door.state for door in self.ground.doors)
        marks = tuple(  # whoever prepares an encounter sees all that the map puts in somebody's way
            GroundMark("ledge" if each.edges else each.kind, each.id, board_of(each.cells), edges=each.edges)
            for each in self.ground.challenges
        )
        return Board(tuple(mini for mini in minis if mini is not None), (), "", doors, ground=marks)

    def miniature(self, piece: Piece) -> Miniature | None:
        """A creature before the first throw: named by its key, no points yet. None where it stands beside the map."""
        if piece.spot is None or not self.ground.inside(*piece.spot):
            return None
        mini = trial.figure(self.draft.ruleset, piece.entry, self.draft.options)
        badges = mini.badges
        if trial.block_of(self.draft.ruleset, piece.entry).get("surprised") is True:
            badges += (Badge("surprised", "Surprised", "Starts the fight asleep or off guard."),)
        cell, points = self.ground.cell(*piece.spot), Bar(mini.points.label, 0, 0, mini.points.tone)
        return msgspec.structs.replace(mini, id=str(piece.key), cell=cell, badges=badges, points=points, active=False)


def _square(spot: Spot | None, size: int) -> list[Spot]:
    return [(spot[0] + dx, spot[1] + dy) for dy in range(size) for dx in range(size)] if spot is not None else []


class _Step(NamedTuple):
    """Something that can be taken back, or done again: what it is, how the draft then is, what is then drawn."""

    what: str
    draft: Draft
    selection: tuple[int, ...]
    drawn: Drawn | None = None


class Editor:
    """A draft being worked on. Every change goes through `change`, and so can be taken back."""

    def __init__(self, draft: Draft, ground: Field) -> None:
        self.draft = draft
        self._plain = ground
        self._ground: tuple[Mapping[str, Any], Field] = ({}, ground)
        self.selection: tuple[int, ...] = ()
        self._table: Table | None = None
        self.clipboard: tuple[Entry, ...] = ()
        self.saved: Draft | None = draft
        """The draft as it was last saved or loaded; None if it never was."""
        self._past: list[_Step] = []
        self._future: list[_Step] = []
        self._merge = ""
        self.retrace: Callable[[Drawn], None] | None = None
        """Asked to take back or do again what was drawn on the map; it gives the ground by `reground`."""
        self._known: tuple[Draft | None, Field | None, tuple[check.Problem, ...]] = (None, None, ())

    @property
    def ground(self) -> Field:
        """The map with its doors as the draft has them."""
        doors = self.draft.map.get("doors") or {}
        if self._ground[0] != doors:
            self._ground = (doors, with_doors(self._plain, records.MapModel(doors=dict(doors))))
        return self._ground[1]

    def door_state(self, number: int) -> str:
        """How a door stands at the start."""
        return self.ground.doors[number].state

    def set_door(self, number: int, state: str) -> None:
        """Change how a door stands at the start; what the map says anyway is left out of the record."""
        door = self._plain.doors[number]
        said = {k: v for k, v in dict(self.draft.map.get("doors") or {}).items() if k != door.id}
        if state != door.state:
            said[door.id] = state
        source = {k: v for k, v in self.draft.map.items() if k != "doors"}
        self.set_whole(text("{id}: {what}", door.id, state), map={**source, "doors": said} if said else source)

    def next_door_state(self, number: int) -> str:
        """The state to which a door is turned."""
        return DOORS[(DOORS.index(self.door_state(number)) + 1) % len(DOORS)]

    def door_at(self, spot: Spot | None) -> int | None:
        """The door on a space, or a thin one at its edge."""
        ground = self.ground
        if spot is None or not ground.inside(*spot):
            return None
        cell = ground.cell(*spot)
        here = [n for n, door in enumerate(ground.doors) if door.cell == cell or door.edge == cell]
        return min(here, key=lambda n: ground.doors[n].edge is not None) if here else None

    # -- changes

    def change(self, draft: Draft, what: str, *, merge: str = "") -> bool:
        """Take in a change. Changes in a row with the same `merge` word (typing in a field) are one step back."""
        if draft == self.draft:
            return False
        if not (merge and merge == self._merge and self._past):
            self._past.append(_Step(what, self.draft, self.selection))
            del self._past[:-MOST_UNDO]
        self._future.clear()
        self._merge = merge
        self.draft = draft
        self._tidy()
        return True

    def drawn(self, what: str, step: Drawn, *, merge: str = "") -> None:
        """Something was drawn on the map, and `reground` has told what it is now: a step back like any other."""
        last = self._past[-1] if self._past else None
        if merge and merge == self._merge and last is not None and last.drawn is not None:
            both = last.drawn.inverse().and_then(step)  # what is kept takes it back: the later part first
            self._past[-1] = last._replace(drawn=both.inverse())
        else:
            self._past.append(_Step(what, self.draft, self.selection, step.inverse()))
            del self._past[:-MOST_UNDO]
        self._future.clear()
        self._merge = merge

    def reground(self, ground: Field) -> None:
        """The map is another now, as something was drawn on it. Doors that it has no longer are forgotten."""
        self._plain, self._ground, self._table = ground, ({}, ground), None
        doors = dict(self.draft.map.get("doors") or {})
        left = {name: state for name, state in doors.items() if any(door.id == name for door in ground.doors)}
        if left != doors:
            source = {name: said for name, said in self.draft.map.items() if name != "doors"}
            self.draft = replace(self.draft, map={**source, "doors": left} if left else source)

    def rewrite(self, change: Callable[[Draft], Draft]) -> None:
        """The draft is written otherwise from now on, and was always: its map lies in another file, say."""
        self.draft = change(self.draft)
        for steps in (self._past, self._future):
            steps[:] = [step._replace(draft=change(step.draft)) for step in steps]

    def forget_drawn(self) -> None:
        """What was drawn can neither be taken back nor done again any more; all other steps can."""
        for steps in (self._past, self._future):
            steps[:] = [step for step in steps if step.drawn is None]
        self._merge = ""

    def settle(self) -> None:
        """What comes next is a step of its own."""
        self._merge = ""

    def undo(self) -> str | None:
        """Take the latest step back; what it was, None if there is none."""
        return self._swap(self._past, self._future)

    def redo(self) -> str | None:
        """Do again what was taken back; what it was, None if there is nothing."""
        return self._swap(self._future, self._past)

    @property
    def undoes(self) -> str:
        """What would be taken back; empty if there is nothing."""
        return self._past[-1].what if self._past else ""

    @property
    def redoes(self) -> str:
        """What would be done again; empty if there is nothing."""
        return self._future[-1].what if self._future else ""

    @property
    def unsaved(self) -> bool:
        """Whether something changed since it was saved or loaded."""
        return self.draft != self.saved

    def _swap(self, source: list[_Step], goal: list[_Step]) -> str | None:
        if not source:
            return None
        step = source.pop()
        back = step.drawn.inverse() if step.drawn is not None else None
        goal.append(_Step(step.what, self.draft, self.selection, back))
        self.draft, self.selection, self._merge = step.draft, step.selection, ""
        if step.drawn is not None and self.retrace is not None:
            self.retrace(step.drawn)
        self._tidy()
        return str(step.what)

    def _tidy(self) -> None:
        there = {piece.key for piece in self.draft.pieces}
        self.selection = tuple(key for key in self.selection if key in there)

    # -- who is selected

    def select(self, keys: Iterable[int], *, add: bool = False) -> None:
        """Select these; with `add` beside those that are, and those that were already are let go."""
        keys = tuple(dict.fromkeys(keys))
        before = self.selection if add else ()
        kept, fresh = (key for key in before if key not in keys), (key for key in keys if key not in before)
        self.selection = (*kept, *fresh)
        self.settle()

    def chosen(self) -> list[Piece]:
        """The selected creatures, in the draft's order."""
        return [piece for piece in self.draft.pieces if piece.key in self.selection]

    def step(self, by: int) -> int | None:
        """Select the next creature on the table (or the one before); None if there is none."""
        keys = [piece.key for piece in self.draft.pieces]
        if not keys:
            return None
        here = self.selection[-1] if self.selection else None
        index = (keys.index(here) + by) % len(keys) if here in keys else (0 if by > 0 else -1)
        self.select([keys[index]])
        return keys[index]

    @property
    def table(self) -> Table:
        """The draft on its map, as it is now."""
        if self._table is None or self._table.draft is not self.draft or self._table.ground is not self.ground:
            self._table = Table(self.draft, self.ground)
        return self._table

    # -- putting down, moving, copying

    def size_of(self, entry: Entry) -> int:
        return trial.spaces(self.draft.ruleset, entry, self.draft.options)

    def entry_for(self, template: str, side: str) -> dict[str, Any]:
        """A creature of the bestiary as a record's entry, without its place."""
        own = bestiary.own_one(self.draft.ruleset, template)
        said = {"id": template, "template": template} if own is None else dict(own)
        return {**said, "side": side, "controller": self.player_of(side)}

    def player(self, piece: Piece) -> str:
        """Who answers for a creature."""
        return str(self.block(piece).get("controller", "ai"))

    def player_of(self, side: str) -> str:
        """Who plays a side: whoever plays most of it now."""
        played = [str(p.entry.get("controller", "ai")) for p in self.draft.pieces if p.side == side]
        return max(sorted(set(played)), key=played.count) if played else PLAYED.get(side, "ai")

    def room(self, spot: Spot, size: int, *, but: Iterable[int] = ()) -> str:
        """Why nobody can be put there; empty where there is room. `but`: creatures that will be gone by then."""
        return self.table.room(spot, size, but)

    def place(self, template: str, side: str, spot: Spot, *, merge: str = "") -> str:
        """Put a creature of the bestiary on a space. Why not, in a line; empty if it stands there."""
        entry = self.entry_for(template, side)
        name = str(bestiary.template(self.draft.ruleset, template).get("name", template))
        if why := self.room(spot, self.size_of(entry)):
            return text("{name} {why}", name, why)
        self.change(drafts.added(self.draft, entry, name, spot), text("{name} put down", name), merge=merge)
        return ""

    def bring(self, templates: Iterable[str], side: str, cells: Spaces, what: str) -> list[int]:
        """Several of the bestiary on the first spaces with room (any, where `cells` is empty), as one change.

        Their keys; whoever finds no room stays away.
        """
        first = self.draft.next_key
        made = self.brought(self.draft, templates, side, cells)
        self.change(made, what)
        self.settle()
        return list(range(first, made.next_key))

    def brought(self, draft: Draft, templates: Iterable[str], side: str, cells: Spaces) -> Draft:
        """Another draft with several of the bestiary on the first spaces with room (any, where `cells` is empty)."""
        ground, made = self.ground, draft
        for name in templates:
            entry = self.entry_for(name, side)
            size, table = self.size_of(entry), Table(made, ground)
            spots = map(ground.at, cells or ground.cells)
            spot = next((spot for spot in spots if not table.room(spot, size)), None)
            if spot is not None:
                label = str(bestiary.template(self.draft.ruleset, name).get("name", name))
                made = drafts.added(made, entry, label, spot)
        return made

    def move(self, keys: Iterable[int], columns: int, rows: int, *, merge: str = "") -> None:
        """Shift creatures together; the draft then says where they may not stand."""
        keys = tuple(keys)
        self.change(drafts.moved(self.draft, keys, columns, rows), _many("moved", len(keys)), merge=merge)

    def move_refused(self, keys: Iterable[int], columns: int, rows: int) -> str:
        """Why a shift would be wrong; empty where all have room."""
        keys = tuple(keys)
        for piece in self.draft.pieces:
            if piece.key in keys and piece.spot is not None:
                goal = (piece.spot[0] + columns, piece.spot[1] + rows)
                if why := self.room(goal, self.size_of(piece.entry), but=keys):
                    return text("{piece} {why}", check.name_of(self.draft, piece), why)
        return ""

    def remove(self) -> int:
        """Take the selected off the table; how many they were."""
        count = len(self.selection)
        self.change(drafts.removed(self.draft, self.selection), _many("removed", count))
        return count

    def copy(self) -> int:
        """Remember the selected; how many they are."""
        chosen = tuple(piece.entry for piece in self.chosen())
        self.clipboard = chosen or self.clipboard
        return len(chosen)

    def paste(self, spot: Spot | None = None, entries: Iterable[Entry] | None = None) -> int:
        """Put what was copied down again, its upper left corner at `spot`, or where there is room nearest to the old.

        The copies are selected; how many they are.
        """
        entries = list(self.clipboard if entries is None else entries)
        spots = [Piece(0, entry).spot or (0, 0) for entry in entries]
        if not entries:
            return 0
        corner = (min(s[0] for s in spots), min(s[1] for s in spots))
        shift = (spot[0] - corner[0], spot[1] - corner[1]) if spot is not None else (0, 0)
        shift = self._nearest(entries, spots, shift)
        made, first = self.draft, self.draft.next_key
        for entry, (column, row) in zip(entries, spots, strict=True):
            name = trial.figure(made.ruleset, entry, made.options).name
            made = drafts.added(made, entry, name, (column + shift[0], row + shift[1]))
        self.change(made, _many("copied", len(entries)))
        self.select(range(first, made.next_key))
        return len(entries)

    def _nearest(self, entries: list[Entry], spots: list[Spot], wanted: Spot) -> Spot:
        """The shift nearest to the wanted one at which everybody has room; the wanted one where there is none."""
        sizes = [self.size_of(entry) for entry in entries]
        reach = max(self.ground.width, self.ground.height)
        order = sorted(
            ((dx, dy) for dx in range(-reach, reach + 1) for dy in range(-reach, reach + 1)),
            key=lambda d: (max(abs(d[0]), abs(d[1])), -d[0], abs(d[1]), d[1]),
        )
        for dx, dy in order:
            goal = (wanted[0] + dx, wanted[1] + dy)
            goals = ((column + goal[0], row + goal[1]) for column, row in spots)
            if not any(self.room(each, size) for each, size in zip(goals, sizes, strict=True)):
                return goal
        return wanted

    def to_start(self, keys: Iterable[int], spaces: Mapping[str, Iterable[Cell]]) -> int:
        """Put creatures into their side's start zone, `spaces` in the order wanted; how many found room."""
        left = dict.fromkeys(keys)
        count = len(left)
        for piece in filter(None, map(self.draft.piece, tuple(left))):
            size, there = self.size_of(piece.entry), map(self.ground.at, spaces.get(piece.side, ()))
            goal = next((spot for spot in there if not self.room(spot, size, but=left)), None)
            if goal is not None:
                del left[piece.key]
                self.change(drafts.stood(self.draft, {piece.key: goal}), "to the start", merge="to the start")
        self.settle()
        return count - len(left)

    # -- fields

    def block(self, piece: Piece) -> dict[str, Any]:
        """A creature's whole stat block, its template's fields with it."""
        return trial.block_of(self.draft.ruleset, piece.entry)

    def base(self, piece: Piece) -> Entry:
        """What a creature's template says; nothing where it has none."""
        return self.base_of(str(piece.entry["template"])) if piece.entry.get("template") is not None else {}

    def base_of(self, template: str) -> Entry:
        """What a template says; nothing where nobody knows it."""
        try:
            return bestiary.template(self.draft.ruleset, template)
        except BattlematError:
            return {}

    def set_field(self, name: str, value: Any, *, keys: Iterable[int] | None = None) -> None:
        """Change a field of the selected (or of `keys`); `UNSET` gives it back to the template or the rules."""
        keys = tuple(self.selection if keys is None else keys)
        base = {piece.key: self.base(piece) for piece in self.draft.pieces if piece.key in keys}
        made = drafts.field_set(self.draft, keys, name, value, base)
        self.change(made, text("{name} changed", name.replace("_", " ")), merge=f"{name} {keys}")

    def set_whole(self, what: str, **said: Any) -> None:
        """Change something of the encounter itself: title, seed, options."""
        self.change(replace(self.draft, **said), text("{what} changed", what), merge=what)

    # -- what is shown

    def problems(self) -> tuple[check.Problem, ...]:
        """Everything that stands in the way of the fight; looked for once per draft."""
        if self._known[0] is not self.draft or self._known[1] is not self.ground:
            self._known = (self.draft, self.ground, check.problems(self.draft, self.ground))
        return self._known[2]


def _many(what: str, count: int) -> str:
    return ntext(count, "creature {what}", "{n} creatures {what}", what=what)


class WayDrawing:
    """The points so far. The creature has them only once the way is ended: that is one step to undo."""

    def __init__(self, editor: Editor, piece: Piece, field: FormField) -> None:
        self.editor, self.key, self.field = editor, piece.key, field
        self.points = list(ways.points(editor.draft, piece, field))
        self._before = tuple(self.points)

    @property
    def piece(self) -> Piece | None:
        """Who will walk it; None where it left the table, or has become somebody who walks no such way."""
        draft = self.editor.draft
        return draft.piece(self.key) if self.field in forms.ways(draft.ruleset) else None

    def legs(self) -> list[Leg]:
        """What is walked."""
        piece = self.piece
        return [] if piece is None else walked(self.editor, piece, self.field, self.points)

    def ahead(self, spot: Spot | None) -> Leg | None:
        """The way from the last point to a space, as it would be; None where nothing would be added."""
        piece, ground = self.piece, self.editor.ground
        if piece is None or spot is None or not ground.inside(*spot):
            return None
        start = self.points[-1] if self.points else piece.spot
        if start is None or start == spot:
            return None
        terrain, size = ways.laid(self.editor.draft.ruleset, ground), self.editor.size_of(piece.entry)
        return ways.leg(terrain, start, spot, size, self.field.leg, number=len(self.points), kind="on")

    def ends_at(self, spot: Spot) -> bool:
        """Whether a click there ends it: on its last point, or on its first to close the round."""
        return bool(self.points) and (spot == self.points[-1] or (len(self.points) > 2 and spot == self.points[0]))

    def add(self, spot: Spot) -> str:
        """A further point. Why not, in a few words; empty if it is one now."""
        why = self.refused(spot)
        if not why and self.field.most is not None and len(self.points) >= self.field.most:
            why = text("{most} points are the most", self.field.most)
        if not why:
            self.points.append(spot)
        return why

    def refused(self, spot: Spot) -> str:
        """Why a space cannot be a point; empty where it can."""
        piece, ground = self.piece, self.editor.ground
        assert piece is not None
        return hindrance(ground, ways.laid(self.editor.draft.ruleset, ground), spot, self.editor.size_of(piece.entry))

    def shift(self, number: int, spot: Spot) -> bool:
        """A point is put on another space; False where it cannot be there."""
        if self.refused(spot):
            return False
        self.points[number] = spot
        return True

    def at(self, spot: Spot | None) -> int | None:
        """The number of the point on a space, the latest of several."""
        there = [number for number, point in enumerate(self.points) if point == spot]
        return there[-1] if there else None

    def back(self) -> bool:
        """Take the last point back; False if there is none."""
        if not self.points:
            return False
        self.points.pop()
        return True

    def write(self) -> None:
        """The creature walks it from now on."""
        points = tuple(self.points)
        if self.piece is not None and points != self._before:
            value = [list(point) for point in points] if points else UNSET
            self.editor.settle()
            self.editor.set_field(self.field.name, value, keys=[self.key])
            self.editor.settle()

    # -- in words

    def told(self, spot: Spot | None) -> str:
        """What a click would do, in a line."""
        if self.points and spot == self.points[-1]:
            return "A click ends it here."
        if len(self.points) > 2 and spot == self.points[0]:
            return "A click closes the round."
        leg = self.ahead(spot)
        if leg is None or spot is None:
            return ""
        if leg.why:
            return text("{spot} {why}", titled(named(spot)), leg.why)
        return text("Point {what}: {cost} spaces farther", len(self.points) + 1, leg.cost)

    def so_far(self) -> str:
        """How many points there are, and how long the round is."""
        if not self.points:
            return "no point yet"
        return text("{points}, {around} spaces around", _points(len(self.points)), ways.around(self.legs()))


def walked(editor: Editor, piece: Piece, field: FormField, points: Sequence[Spot]) -> list[Leg]:
    """What a creature walks, on the ground as it is now."""
    terrain, size = ways.laid(editor.draft.ruleset, editor.ground), editor.size_of(piece.entry)
    return list(ways.legs(terrain, piece.spot, points, size, field.leg))


def way_told(editor: Editor, piece: Piece, field: FormField) -> str:
    """A creature's way in a few words; empty without one."""
    points = ways.points(editor.draft, piece, field)
    found = walked(editor, piece, field, points)
    far = text("{found} spaces around", ways.around(found))
    stuck = any(leg.why for leg in found)
    told = text("{points}, {far}", _points(len(points)), "not all of it can be walked" if stuck else far)
    return told if points else ""


def _points(count: int) -> str:
    return ntext(count, "{n} point", "{n} points")

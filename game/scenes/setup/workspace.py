"""An encounter on the table: the draft with its map, what the hand holds and drags, files; the window shows this."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path

from game.content import encounter
from game.fight.match import fresh_seed
from game.maps.editing.proposal import Proposal
from game.maps.mapdata import LoadedMap, MapProblem
from game.maps.proposing.reasons import Reason, propose
from game.maps.tiled import load_map
from game.scenes.base import Scene, Shell
from game.scenes.dialogs.panels import Menu, Message
from game.scenes.forecast.board import Glance
from game.scenes.players.opening import Opening
from game.setup import check, files, forms
from game.setup import draft as drafts
from game.setup.draft import Draft, Entry, Spot
from game.setup.editor import Editor, WayDrawing
from game.setup.forms import FormField
from game.setup.ground import Drawn, GroundWork, sketch_map
from game.storage import records as storage
from game.storage.library import Deleted
from game.view.boardview import BoardView
from game.view.camera import Camera
from rules.board.grid import Ground
from rules.contract.errors import BattlematError, said
from rules.contract.text import Text, joined, text
from rules.core.ground import field_of, map_files
from rules.core.record import MapModel, Record
from rules.core.registry import RULESETS
from rules.core.registry import ruleset as ruleset_of

TOAST_TIME = 3.5
KEEP_AFTER = 1.5
"""Seconds after a change until the draft is on the disk, so that not even a crash loses it."""


class Drag(StrEnum):
    """What the pointer drags."""

    NOTHING = ""
    MOVE = "move"
    """The selected follow the pointer."""
    COPY = "copy"
    """Copies of the selected do."""
    BAND = "band"
    """A rectangle selects."""
    PAINT = "paint"
    """The brush places along the way."""
    CARRY = "carry"
    """A creature of the bestiary hangs at the pointer."""
    POINT = "point"
    """A point of the way that is drawn follows it."""
    PAN = "pan"
    """The board does."""
    GIVEN_UP = "none"
    """It was taken back; what is held down does nothing more until it is let go."""


def _nothing() -> None:
    """What a choice does that leaves all as it is."""


class Tab(StrEnum):
    """What the right-hand panel shows."""

    BY_SELECTION = ""
    """The selected, else the whole encounter."""
    BESTIARY = "bestiary"
    CREATURE = "creature"
    ENCOUNTER = "encounter"


@dataclass(frozen=True)
class Press:
    """Where a button of the mouse went down."""

    button: int
    pos: tuple[int, int]
    spot: Spot | None


class Gesture:
    """What the pointer is on and what it drags."""

    def __init__(self) -> None:
        self.spot: Spot | None = None
        """The space under the pointer."""
        self.drag = Drag.NOTHING
        self.carried = ""
        """The creature of the bestiary that is carried."""
        self.press: Press | None = None
        self.last = (0, 0)
        self.hit: int | None = None
        """Who (or which point of a way) stood where the button went down."""
        self.added = False
        """Whether that selected them."""

    @property
    def busy(self) -> bool:
        """Whether a gesture is under way that panels must not interrupt."""
        return self.press is not None

    @property
    def shift(self) -> Spot:
        """How far the dragged ones would be moved, in columns and rows."""
        if self.press is None or self.press.spot is None or self.spot is None:
            return (0, 0)
        return (self.spot[0] - self.press.spot[0], self.spot[1] - self.press.spot[1])

    @property
    def band(self) -> tuple[Spot, Spot] | None:
        """The two corners of the rubber band."""
        if self.drag is not Drag.BAND or self.press is None or self.press.spot is None or self.spot is None:
            return None
        return self.press.spot, self.spot


class Workspace(Scene):
    """What is on the table, and what everything that shows or changes it works on. The draft itself is the editor's."""

    name = "setup"
    key_groups = ("general", "setup", "camera", "step")

    def __init__(self, app: Shell, draft: Draft | None = None, beside: Path | None = None) -> None:
        super().__init__(app)
        self.beside = beside
        """The folder in which the record lay: its map may lie there too."""
        self.path: Path | None = None
        """The file that it was last saved as or loaded from."""
        self.loaded: LoadedMap | None = None
        self.ground_work: GroundWork | None = None
        """The map being drawn; None as long as nobody has drawn."""
        self.drawing_ground = False
        """Whether somebody draws just now: what is drawn is saved when they say so."""
        self.cursor: Spot = (0, 0)
        self.gesture = Gesture()
        self.tool: str | WayDrawing | None = None
        """What is in hand: a creature of the bestiary, or the way that is being drawn on the board."""
        self.brush_side = ""
        """The side that the brush places for; empty: heroes for heroes, monsters for the rest."""
        self.tab = Tab.BY_SELECTION
        self.listing = False
        """Whether the list of problems is open."""
        self.unfolded: set[str] = {forms.NOW}
        """Sections of the form that are open."""
        self.binned: list[tuple[str, Deleted]] = []
        """Creatures and groups of one's own that were deleted here, by name: the last first to come back."""
        self.toast_text, self.toast_left = "", 0.0
        self.fitted = False
        """Whether the view has been laid over what matters on this map."""
        self.glance = Glance(app, self._foreseen)
        self.opening = Opening(lambda: self.view, lambda: self.editor.draft, self._foreseen, app.clock)
        if draft is None:
            draft = files.kept()
            self.path = files.kept_as() if draft is not None else None
        try:
            self._begin(draft if draft is not None else self._fresh())
        except BattlematError:
            if draft is None:
                raise
            self.path = None
            self._begin(self._fresh())  # the map of the draft is gone

    @property
    def ruleset(self) -> str:
        return self.editor.draft.ruleset

    @property
    def brush(self) -> str | None:
        """The creature of the bestiary in hand."""
        return self.tool if isinstance(self.tool, str) else None

    @property
    def drawing(self) -> WayDrawing | None:
        """The way that is being drawn."""
        return self.tool if isinstance(self.tool, WayDrawing) else None

    # -- room

    @property
    def narrow(self) -> bool:
        """Whether there is room for one side panel only."""
        return self.size[0] / self.app.look.scale < 900

    @property
    def short(self) -> bool:
        """Whether height must be saved."""
        return self.size[1] / self.app.look.scale < 480

    @property
    def terse(self) -> bool:
        """Whether there is room for short words only."""
        return self.size[0] / self.app.look.scale < 1150

    # -- drafts

    def _fresh(self) -> Draft:
        known = encounter.offered_maps()
        if not known:
            raise BattlematError("maps: there is none to begin with; put a .tmx file into the maps folder")
        return files.new_draft(known[0], next(iter(RULESETS)), fresh_seed())[0]

    def _begin(self, draft: Draft, clipboard: tuple[Entry, ...] = ()) -> None:
        """Put a draft on the table. Raises MapProblem or RecordError for its map; nothing has changed then."""
        ground, loaded = files.ground_of(draft, self.beside)
        draft = files.settled(draft, ground)
        editor = Editor(draft, ground)
        editor.problems()
        editor.clipboard = clipboard
        editor.retrace = self._retrace
        self.editor, self.loaded, self.ground_work = editor, loaded, None
        self._kept, self._unkept = draft, 0.0
        self.camera = Camera(ground, self.size)
        self.view = BoardView(ground, loaded, self.camera)
        self.view.speed = 1.0
        spawn = loaded.spawn_cells(encounter.HEROES) if loaded is not None else ()
        spots = [piece.spot for piece in draft.pieces if piece.spot and ground.inside(*piece.spot)]
        self.cursor = ground.at(spawn[len(spawn) // 2]) if spawn else (spots[0] if spots else (0, 0))
        self.tool, self.tab, self.fitted = None, Tab.BY_SELECTION, False

    def open_map(self, path: Path, copied: tuple[Path, ...] = ()) -> None:
        """A new encounter on a map; one from elsewhere is copied into the user's maps first.

        Files that it uses are copied out of the folders `copied`, too. Raises OutsideProblem where it needs more.
        """
        inside = files.brought_in(path, copied)
        draft, loaded = files.new_draft(inside, self.ruleset, fresh_seed())
        self._set_aside()
        self.beside, self.path = None, None
        self._begin(draft, self.editor.clipboard)
        self.entered()
        more = "" if inside == path else ", copied into your maps"
        own = Text.of("; {pieces} creatures of its own", pieces=len(draft.pieces)) if draft.pieces else ""
        self.toast(f"{self.map_title()}{more}{own}.")
        self._offer_walls()
        if away := files.strangers(draft, loaded):
            told = "The map places {away}: nobody stands for them under {title}, so they are left out."
            title = ruleset_of(self.ruleset).title
            self.app.push(Message(self.app, "Left out", text(told, away=joined(", ", away), title=title)))

    def _offer_walls(self) -> None:
        """A map of another's that says nothing of walls: what could be some is one click away."""
        loaded = self.loaded
        if loaded is None or not loaded.foreign or loaded.levels or Ground.BLOCKED in loaded.field.ground:
            return
        if loaded.field.edges:
            return
        found: list[Reason] = []
        with suppress(BattlematError):
            found = propose(self.work().document(0))
        if not found:
            return
        count = sum(len(each.spots) + len(each.edges) for each in found)
        show = partial(self.app.navigator.ground, self, Proposal.of(0, found))
        self.app.push(Menu(self.app, "Nothing of this map stops anybody", [
            (text("Look at {count} places that could be walls", count), "", show),
            ("Leave it so", "", _nothing),
        ]))  # fmt: skip

    def open_record(self, path: Path) -> None:
        """Edit a record. Raises BattlematError; the table is as it was then."""
        draft, commands = files.load(path)
        nameless = path in files.aside()
        self._set_aside()
        before = self.beside
        self.beside = path.parent
        try:
            self._begin(draft, self.editor.clipboard)
        except BattlematError:
            self.beside = before
            raise
        fight = commands or path in storage.fights()
        self.path = None if nameless or fight else path  # no fight is overwritten
        if nameless:
            self.editor.saved = None
        self.entered()
        name = draft.title or path.stem
        told = "{name} from its start; its {commands} commands are left out." if commands else "{name} opened."
        self.toast(text(told, name=name, commands=commands))

    def _set_aside(self) -> None:
        """What is on the table and was not saved can be opened again."""
        if self.editor.unsaved:
            files.set_aside(self.settled_draft())

    def settled_draft(self) -> Draft:
        """The draft with its map where every fight finds it again. Raises BattlematError."""
        draft, loaded = self.editor.draft, self.loaded
        if loaded is None:
            return draft
        names = map_files(MapModel.model_validate(draft.map))
        known = [(encounter.map_name(m.path), m.path.name) for m in loaded.levels or (loaded,) if not m.sketch]
        if all(own and name in (own, file) for name, (own, file) in zip(names, known, strict=True)):
            return draft
        return files.on_map(draft, files.brought_in(loaded.path))

    def save(self, path: Path) -> bool:
        """Keep the encounter in a file."""
        self.end_drawing()

        def write() -> None:
            files.save(self.settled_draft(), path)
            self.editor.saved, self.path = self.editor.draft, path
            self.toast(text("Saved: {path}", str(path)))

        return self.app.guard(write)

    def keep(self) -> None:
        """Keep the draft in progress, quietly."""
        self._kept, self._unkept = self.editor.draft, 0.0
        try:
            files.keep(self.settled_draft(), self.path)
        except (BattlematError, OSError) as error:
            self.toast(text("The draft could not be kept: {error}", said(error)))

    def follow(self, before: Path, after: Path | None) -> None:
        """The file that it was saved as lies elsewhere, or was deleted: then it is not saved any more."""
        if self.path is None or self.path.absolute() != before.absolute():
            return
        self.path = after
        self.beside = after.parent if after is not None else self.beside
        if after is None:
            self.editor.saved = None
        self.keep()

    @property
    def unkept(self) -> bool:
        """Whether the draft has changed since it was kept."""
        return self._kept is not self.editor.draft

    def let_pass(self, dt: float) -> bool:
        """Let time pass for the toast and the keeping of the draft; True if there is something new to draw."""
        gone = self.toast_left > 0 >= self.toast_left - dt
        self.toast_left, self.toast_text = max(0.0, self.toast_left - dt), "" if gone else self.toast_text
        if self.unkept:
            self._unkept += dt
            if self._unkept >= KEEP_AFTER:
                self.keep()
        return gone

    def why_not_play(self) -> str:
        """What stands in the way of the fight, in a line; empty where nothing does."""
        return check.blocking(self.editor.problems())

    def _foreseen(self) -> tuple[Record, Path | None] | None:
        """The encounter as a forecast at a glance plays it; None while something stands in the way."""
        return None if self.why_not_play() else (drafts.to_record(self.editor.draft), self.beside)

    # -- the map itself

    def work(self) -> GroundWork:
        """The map, to be drawn on. Raises MapProblem where there is no file of it."""
        if self.loaded is None:
            self._map_of_sketch()
        assert self.loaded is not None
        if self.ground_work is None:
            self.ground_work = GroundWork(self.loaded)
        return self.ground_work

    def _map_of_sketch(self) -> None:
        """What the record has in rows becomes a map of the user's own."""
        source = {key: said for key, said in self.editor.draft.map.items() if key != "doors"}
        if "place" in source:
            raise MapProblem("This place is of sketches without files; open a map to draw on it.")
        ground = field_of(MapModel.model_validate(source))
        loaded = load_map(sketch_map(ground, self.editor.draft.title or ground.title or text("A sketch")))
        name = encounter.map_name(loaded.path)
        kept = {key: said for key, said in self.editor.draft.map.items() if key in ("doors", "goals")}
        self.editor.rewrite(lambda draft: replace(draft, map={"tmx": name, **kept}))
        self.reground(loaded)
        self.toast(text("The sketch is a map of your own now: {path}", str(loaded.path)))

    def reground(self, loaded: LoadedMap) -> None:
        """The map is this now: the board shows it, and what stands on it is judged by it."""
        self.loaded = loaded
        self.editor.reground(loaded.field)
        before, camera = self.view, self.camera
        if (camera.columns, camera.rows) != (loaded.field.width, loaded.field.height):
            self.camera = Camera(self.editor.ground, self.size)
            self.camera.free = camera.free
        self.camera.field = self.editor.ground
        self.view = BoardView(self.editor.ground, loaded, self.camera)
        self.view.speed = before.speed
        self.view.ground.take_over(before.ground)
        self.view.set_board(self.editor.table.board())
        self.dirty = True

    def _retrace(self, step: Drawn) -> None:
        """What was drawn is taken back, or done again; nobody being at it, the file follows at once."""
        if self.ground_work is None:
            return
        self.ground_work.retrace(step)
        self.reground(self.ground_work.whole())
        self.camera.to_level(step.level)
        if not self.drawing_ground:
            self.app.guard(self.save_ground)

    def save_ground(self) -> None:
        """Write what was drawn on the map, and let the encounter name the file. Raises BattlematError."""
        if self.ground_work is None or not self.ground_work.unsaved:
            return
        self.ground_work.save()
        loaded = self.ground_work.whole()
        self.loaded = loaded
        home = (loaded.levels or (loaded,))[0].path
        self.editor.rewrite(lambda draft: files.on_map(draft, home))

    def discard_ground(self) -> None:
        """The map as it is on the disk: what was drawn since it was saved is given up, and can't be done again."""
        self.ground_work = None
        self.editor.forget_drawn()
        loaded = files.ground_of(self.editor.draft, self.beside)[1]
        if loaded is not None:
            self.reground(loaded)

    def for_players(self) -> Opening:
        return self.opening

    def map_title(self) -> str:
        """What the map is called."""
        return "A sketch" if self.loaded is None else self.loaded.title or self.loaded.path.stem

    def to_level(self, level: int) -> None:
        """Another map of the place; the cursor goes there, too, and a way that was being drawn has ended."""
        if level == self.camera.level:
            return
        self.end_drawing()
        self.camera.to_level(level)
        column, row = self.camera.centre_of_view
        bounds = self.camera.bounds
        self.cursor = (
            min(max(int(column), bounds.left), bounds.right - 1), min(max(int(row), bounds.top), bounds.bottom - 1)
        )  # fmt: skip
        self.refresh()

    def turn_level(self, by: int) -> None:
        """The next map of the place, up (−1) or down; on a single map nothing."""
        before = self.camera.level
        if self.camera.turn(by):
            level = self.camera.level
            self.camera.to_level(before)
            self.to_level(level)

    # -- what is shown

    def refresh(self, told: str = "") -> None:
        """Show the draft as it is now, and what is told of that."""
        if told:
            self.toast(told)
        if self.drawing is not None and self.drawing.piece is None:
            self.tool = None
        self.view.set_board(self.editor.table.board())
        self.glance.changed()
        self.rebuild()

    def toast(self, text: str) -> None:
        """A quiet line over the board for a moment."""
        self.toast_text, self.toast_left = text, TOAST_TIME
        self.dirty = True

    def show_cursor(self) -> None:
        """Keep the cursor in sight."""
        self.camera.show([self.editor.ground.cell(*self.cursor)])

    def focus_on(self, key: str) -> None:
        """The focus to a widget, if there is one of that key."""
        if widget := next((widget for widget in self.ui.ring() if widget.key == key), None):
            self.ui.set_focus(widget)
            self.memory.typing, self.dirty = "", True

    # -- who is selected, what is in hand

    def select(self, keys: list[int], *, add: bool = False, show: bool = False) -> None:
        """Select creatures and show their form."""
        self.end_drawing()
        self.editor.select(keys, add=add)
        self.tab = Tab.BY_SELECTION
        chosen = self.editor.chosen()
        if chosen and (spot := chosen[-1].spot) is not None and self.editor.ground.inside(*spot):
            self.cursor = spot
            if show:
                self.show_cursor()
        self.refresh()

    def lay_brush_aside(self) -> None:
        """No creature of the bestiary in hand any more."""
        if self.brush is not None:
            self.tool = None

    def draw_way(self, key: int, field: FormField) -> None:
        """Begin to draw a creature's way on the board."""
        self.end_drawing()
        piece = self.editor.draft.piece(key)
        if piece is None:
            return
        self.ui.set_focus(None)
        self.tool = drawing = WayDrawing(self.editor, piece, field)
        self.cursor = (drawing.points or [piece.spot or self.cursor])[-1]
        self.refresh()
        self.show_cursor()

    def add_point(self, spot: Spot) -> None:
        """A space was clicked: a further point of the way that is drawn, or its end on the last one or the first."""
        drawing = self.drawing
        if drawing is None or drawing.piece is None:
            return
        self.cursor = spot
        if drawing.ends_at(spot):
            self.end_drawing()
        elif why := drawing.add(spot):
            self.toast(text("No point there: {why}.", why))
        else:
            self.refresh()

    def shift_point(self, number: int, spot: Spot) -> None:
        """A point of the way is dragged to another space."""
        if self.drawing is not None and self.drawing.shift(number, spot):
            self.dirty = True

    def take_point_back(self) -> None:
        """Take the last point of the way back; without any it is given up."""
        if self.drawing is not None and self.drawing.back():
            self.refresh()
        else:
            self.give_up_drawing()

    def end_drawing(self) -> None:
        """Whoever turns to something else has ended the way that was being drawn; the creature walks it from now on."""
        if (drawing := self.drawing) is not None:
            self.tool = None
            drawing.write()
            self.refresh()

    def give_up_drawing(self) -> None:
        """The way is what it was."""
        if self.drawing is not None:
            self.tool = None
            self.refresh()

    # -- taking back

    def give_up_gesture(self) -> bool:
        """Give up what the pointer drags; False if there is nothing."""
        gesture = self.gesture
        if gesture.drag in (Drag.NOTHING, Drag.PAN):
            return False
        press = gesture.press
        if gesture.drag is Drag.POINT and press is not None and press.spot is not None and gesture.hit is not None:
            self.shift_point(gesture.hit, press.spot)
        gesture.drag, gesture.carried = Drag.GIVEN_UP, ""
        return True

    def take_back(self) -> bool:
        """Take back one layer; False if there was none."""
        if self.give_up_gesture():
            pass
        elif self.ui.focus is not None:
            self.ui.set_focus(None)
        elif self.drawing is not None:
            self.take_point_back()
        elif self.brush is not None:
            self.tool, self.toast_text = None, ""
        elif self.listing:
            self.listing = False
        elif self.editor.selection:
            self.editor.select([])
            self.tab = Tab.BY_SELECTION
        else:
            return False
        self.refresh()
        return True

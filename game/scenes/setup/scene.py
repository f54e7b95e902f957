"""An encounter on the table: the board, the bestiary, a form for whoever is selected, and what is still wrong."""

from __future__ import annotations

from pathlib import Path

import pygame

from game.content import encounter
from game.fight import match as seeds
from game.maps.mapdata import LoadedMap
from game.scenes.base import Scene, Shell
from game.scenes.dialogs.panels import Message
from game.scenes.forecast.glance import Glance
from game.scenes.setup import dialogs, layout, marks, opening
from game.scenes.setup.drawing import WayDrawing
from game.scenes.setup.pointing import Pointing
from game.scenes.setup.steering import Steering
from game.setup import check, files, forms
from game.setup import draft as drafts
from game.setup.draft import Draft, Spot
from game.setup.editor import Editor
from game.setup.forms import FormField
from game.storage import records as storage
from game.view.boardview import BoardView
from game.view.camera import READABLE, Camera
from game.widgets.fields import Memory, types
from rules.contract.errors import BattlematError
from rules.core.record import Record
from rules.core.registry import RULESETS
from rules.core.registry import ruleset as ruleset_of

TOAST_TIME = 3.5
KEEP_AFTER = 1.5
"""Seconds after a change until the draft is on the disk, so that not even a crash loses it."""
LEAST_ZOOM = 28
"""Pixels per space below which an encounter doesn't open."""


class Setup(Scene):
    """What is on the table is the editor's; this shows it and puts mouse and keys to it."""

    name = "setup"
    key_groups = ("general", "setup", "camera", "step")

    def __init__(self, app: Shell, draft: Draft | None = None, beside: Path | None = None) -> None:
        super().__init__(app)
        self.beside = beside
        """The folder in which the record lay: its map may lie there too."""
        self.path: Path | None = None
        """The file that it was last saved as or loaded from."""
        self.loaded: LoadedMap | None = None
        self.cursor: Spot = (0, 0)
        self.brush: str | None = None
        """The creature of the bestiary in hand."""
        self.brush_side = ""
        """The side that the brush places for; empty: heroes for heroes, monsters for the rest."""
        self.drawing: WayDrawing | None = None
        """The way that is being drawn on the board."""
        self.query = ""
        self.tab = ""
        """`creature` or `encounter`, where it was chosen by hand; else the selection decides."""
        self.listing = False
        """Whether the list of problems is open."""
        self.memory = Memory()
        self.unfolded: set[str] = {forms.NOW}
        """Sections of the form that are open."""
        self.offsets: dict[str, int] = {}
        self.toast_text, self._toast_left = "", 0.0
        self._fitted = False
        self.glance = Glance(app, self._foreseen)
        self.pointing = Pointing(self)
        self.steering = Steering(self)
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

    # -- drafts

    def _fresh(self) -> Draft:
        known = encounter.playable_maps()
        if not known:
            raise BattlematError("maps: there is none to begin with; put a .tmx file into the maps folder")
        return files.new_draft(known[0], next(iter(RULESETS)), seeds.fresh_seed())[0]

    def _begin(self, draft: Draft) -> None:
        """Put a draft on the table. Raises MapProblem or RecordError for its map; nothing has changed then."""
        ground, loaded = files.ground_of(draft, self.beside)
        kept = getattr(self, "editor", None)
        editor = Editor(draft, ground)
        editor.problems()
        self.editor, self.loaded = editor, loaded
        if kept is not None:
            editor.clipboard = kept.clipboard
        self._kept, self._unkept = draft, 0.0
        self.camera = Camera(ground, self.size)
        self.view = BoardView(ground, loaded, self.camera)
        self.view.speed = 1.0
        spawn = loaded.spawn_cells(encounter.HEROES) if loaded is not None else ()
        spots = [piece.spot for piece in draft.pieces if piece.spot and ground.inside(*piece.spot)]
        self.cursor = ground.at(spawn[len(spawn) // 2]) if spawn else (spots[0] if spots else (0, 0))
        self.brush, self.drawing, self.tab, self._fitted = None, None, "", False
        self._shown: tuple[object, ...] = ()

    def open_map(self, path: Path, copied: tuple[Path, ...] = ()) -> None:
        """A new encounter on a map; one from elsewhere is copied into the user's maps first.

        Files that it uses are copied out of the folders `copied`, too. Raises OutsideProblem where it needs more.
        """
        inside = files.brought_in(path, copied)
        draft, loaded = files.new_draft(inside, self.ruleset, seeds.fresh_seed())
        self._set_aside()
        self.beside, self.path = None, None
        self._begin(draft)
        self.entered()
        more = "" if inside == path else ", copied into your maps"
        own = f"; {len(draft.pieces)} creatures of its own" if draft.pieces else ""
        self.toast(f"{self.map_title()}{more}{own}.")
        if away := files.strangers(draft, loaded):
            title = ruleset_of(self.ruleset).title
            text = f"The map places {', '.join(away)}: nobody stands for them under {title}, so they are left out."
            self.app.push(Message(self.app, "Left out", text))

    def open_record(self, path: Path) -> None:
        """Edit a record. Raises BattlematError; the table is as it was then."""
        draft, commands = files.load(path)
        nameless = path in files.aside()
        self._set_aside()
        before = self.beside
        self.beside = path.parent
        try:
            self._begin(draft)
        except BattlematError:
            self.beside = before
            raise
        self.path = None if nameless or commands or path in storage.fights() else path  # no fight is overwritten
        if nameless:
            self.editor.saved = None
        self.entered()
        name = draft.title or path.stem
        self.toast(f"{name} from its start; its {commands} commands are left out." if commands else f"{name} opened.")

    def _set_aside(self) -> None:
        """What is on the table and was not saved can be opened again."""
        if self.editor.unsaved:
            files.set_aside(self.settled_draft())

    def settled_draft(self) -> Draft:
        """The draft with its map where every fight finds it again. Raises BattlematError."""
        draft = self.editor.draft
        name = draft.map.get("tmx")
        if (
            self.loaded is None
            or name is None
            or (self.loaded.path.name == name and encounter.map_name(self.loaded.path))
        ):
            return draft
        if encounter.map_name(self.loaded.path) != name:
            draft = files.on_map(draft, files.brought_in(self.loaded.path))
        return draft

    def save(self, path: Path) -> bool:
        """Keep the encounter in a file."""
        self.end_drawing()

        def write() -> None:
            draft = self.settled_draft()
            files.save(draft, path)
            self.editor.saved = self.editor.draft
            self.path = path

        done = self.app.guard(write)
        if done:
            self.toast(f"Saved: {path}")
        return done

    def keep(self) -> None:
        """Keep the draft in progress, quietly."""
        self._kept, self._unkept = self.editor.draft, 0.0
        try:
            files.keep(self.settled_draft(), self.path)
        except (BattlematError, OSError) as error:
            self.toast(f"The draft could not be kept: {error}")

    def play(self) -> None:
        """Start the fight; a Back in its menu comes here again."""
        self.end_drawing()
        why = check.blocking(self.editor.problems())
        if why:
            self.listing = True
            self.refresh()
            self.toast(f"Not yet: {why}")
            return
        self.keep()
        dialogs.play(self)

    def forecast(self) -> None:
        """How it may end, played by the computer many times."""
        self.end_drawing()
        why = check.blocking(self.editor.problems())
        if why:
            self.toast(f"Not yet: {why}")
        else:
            dialogs.forecast(self)

    def _foreseen(self) -> tuple[Record, Path | None] | None:
        """The encounter as a forecast at a glance plays it; None while something stands in the way."""
        if check.blocking(self.editor.problems()):
            return None
        return drafts.to_record(self.editor.draft), self.beside

    def map_title(self) -> str:
        """What the map is called."""
        if self.loaded is None:
            return "A sketch"
        return self.loaded.title or self.loaded.path.stem

    # -- what is shown

    def refresh(self) -> None:
        """Show the draft as it is now."""
        if self.drawing is not None and self.drawing.piece is None:
            self.drawing = None
        if self.editor.ground is not None:
            self.view.set_board(self.editor.table.board())
        self.glance.changed()
        self.rebuild()

    def build(self) -> None:
        layout.build(self)

    def rebuild(self) -> None:
        self.view.resize(self.size)
        super().rebuild()
        self.camera.free = layout.board_rect(self)

    def entered(self) -> None:
        self.refresh()
        if not self._fitted:
            self._fitted = True
            self.camera.free = layout.board_rect(self)
            self._look_over()
            pygame.event.clear(pygame.KEYDOWN)  # the key that opened it repeats while the map is read

    def _look_over(self) -> None:
        """Show whatever matters at the start: start zones and creatures, as large as they fit and still read well."""
        ground, free = self.editor.ground, self.camera.free
        assert ground is not None
        cells = [] if self.loaded is None else [cell for spawn in self.loaded.spawns for cell in spawn.cells]
        spots = [ground.at(cell) for cell in cells] or [(0, 0), (ground.width - 1, ground.height - 1)]
        spots += [p.spot for p in self.editor.draft.pieces if p.spot is not None and ground.inside(*p.spot)]
        columns, rows = [spot[0] for spot in spots], [spot[1] for spot in spots]
        wide, high = max(columns) - min(columns) + 3, max(rows) - min(rows) + 3
        zoom = min(free.width // wide, free.height // high)
        self.camera.set_zoom(max(LEAST_ZOOM, min(zoom, READABLE)))
        self.camera.centre(((min(columns) + max(columns)) // 2, (min(rows) + max(rows)) // 2))
        self.camera.arrive()

    def left(self) -> None:
        self.glance.close()
        self.end_drawing()
        self.keep()

    def toast(self, text: str) -> None:
        """A quiet line over the board for a moment."""
        self.toast_text, self._toast_left = text, TOAST_TIME
        self.dirty = True

    def show_cursor(self) -> None:
        """Keep the cursor in sight."""
        ground = self.editor.ground
        if ground is not None:
            self.camera.show([ground.cell(*self.cursor)])
        self.dirty = True

    def select(self, keys: list[int], *, add: bool = False, show: bool = False) -> None:
        """Select creatures and show their form."""
        self.end_drawing()
        self.editor.select(keys, add=add)
        self.tab = ""
        chosen = self.editor.chosen()
        ground = self.editor.ground
        if chosen and chosen[-1].spot is not None and ground is not None and ground.inside(*chosen[-1].spot):
            self.cursor = chosen[-1].spot
            if show:
                self.show_cursor()
        self.refresh()

    def draw_way(self, key: int, field: FormField) -> None:
        """Begin to draw a creature's way on the board."""
        self.end_drawing()
        piece = self.editor.draft.piece(key)
        if piece is None:
            return
        self.brush = None
        self.ui.set_focus(None)
        self.drawing = WayDrawing(self, piece, field)
        self.cursor = (self.drawing.points or [piece.spot or self.cursor])[-1]
        self.refresh()
        self.show_cursor()

    def end_drawing(self) -> None:
        """Whoever turns to something else has ended the way that was being drawn."""
        if self.drawing is not None:
            self.drawing.end()

    def take_back(self) -> bool:
        """Take back one layer; False if there was none."""
        if self.pointing.cancel():
            pass
        elif self.drawing is not None and self.ui.focus is None:
            self.drawing.back()
        elif self.ui.focus is not None:
            self.ui.set_focus(None)
        elif self.brush is not None:
            self.brush, self.toast_text = None, ""
        elif self.listing:
            self.listing = False
        elif self.editor.selection:
            self.editor.select([])
            self.tab = ""
        else:
            return False
        self.refresh()
        return True

    # -- events

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.DROPFILE:
            opening.open_any(self, Path(event.file))
            return True
        if self.pointing.busy and event.type != pygame.KEYDOWN:
            return self.pointing.handle(event)
        if event.type == pygame.KEYDOWN and self.steering.arrow_on_board(event):
            return True
        if self.ui.handle(event):
            if event.type == pygame.MOUSEMOTION:
                self.pointing.leave()
            return True
        return self.pointing.handle(event)

    def command(self, name: str, event: pygame.event.Event) -> bool:
        if types(self.ui.focus) and name != "back" and not event.mod & pygame.KMOD_CTRL and event.key < pygame.K_F1:
            return False  # it is being typed
        return self.steering.command(name, event)

    # -- time and drawing

    def _peek(self) -> None:
        """Roofs lift from what is pointed at, by mouse or keys; and the view moves as the settings say."""
        spot, ground, settings = self.pointing.spot, self.editor.ground, self.app.settings
        spot = self.cursor if self.ui.by_keys else spot
        self.view.peek = ground.cell(*spot) if spot is not None and ground and ground.inside(*spot) else None
        self.view.reduced_motion = settings.reduced_motion or settings.speed == 0

    def update(self, dt: float) -> bool:
        self._peek()
        changed = self.ui.update(dt) | self.view.update(dt) | self.glance.update(dt)
        if self._toast_left > 0:
            self._toast_left -= dt
            if self._toast_left <= 0:
                self.toast_text = ""
                changed = True
        if self._kept is not self.editor.draft:
            self._unkept += dt
            if self._unkept >= KEEP_AFTER:
                self.keep()
        return changed

    def pace(self) -> float | None:
        if self.view.moving:
            return 1 / 60
        if self._kept is not self.editor.draft and not self.glance.pace():
            return 0.25
        wants = (0.05 if self.ui.waiting or self._toast_left > 0 else self.glance.pace(), self.view.pace)
        return min((each for each in wants if each is not None), default=None)

    def draw(self, surface: pygame.Surface) -> None:
        self.view.draw(surface, marks.overlays(self))
        marks.draw(surface, self)
        self.ui.draw(surface)
        marks.draw_above(surface, self)


def _typed(event: pygame.event.Event) -> bool:
    """Whether a key writes or moves within a line of text."""
    if event.mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT):
        return False
    return bool(event.unicode and event.unicode.isprintable()) or event.key in (
        pygame.K_BACKSPACE,
        pygame.K_DELETE,
    )

"""What is ordered while the ground is drawn: tools, materials, undo, save, the ways out. What shows it is the scene."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from game.maps.editing import tools
from game.maps.editing.document import Spot
from game.maps.editing.drawing import usual_floor
from game.maps.editing.kinds import Kind
from game.maps.editing.proposal import Proposal
from game.maps.editing.things import Said
from game.maps.proposing.reasons import Reason, propose
from game.scenes.base import Scene
from game.scenes.dialogs.panels import Choice, Menu
from game.scenes.ground import deeds, told
from game.scenes.ground.model import Model, Tool
from game.scenes.ground.newmap import NewMap
from game.scenes.setup.workspace import Workspace
from rules.contract.errors import BattlematError, said
from rules.contract.text import text

TOAST_TIME = 4.0


def hand(workspace: Workspace, proposal: Proposal | None = None) -> Model:
    """A hand with the map's own floor for rooms."""
    model = Model(workspace, proposal)
    wide, high = model.document.size
    model.floor = usual_floor(model.document, tools.rectangle((0, 0), (wide - 1, high - 1)))
    model.kind = model.floor
    return model


class Desk(Scene):
    """The hand at its work, over the table of an encounter."""

    name = "ground"
    key_groups = ("general", "ground", "camera", "step")

    def __init__(self, workspace: Workspace, proposal: Proposal | None = None) -> None:
        super().__init__(workspace.app)
        self.workspace = workspace
        self.model = hand(workspace, proposal)
        self.palette_width = 0
        """Pixels of the panel of materials."""
        self.unsaved = False
        """Whether something was drawn that is not in the file."""
        self.held = 0
        """The button of the mouse that is held, and began on the board."""
        self.toast_text, self.toast_left = "", 0.0
        self._lost = 0
        """Of those who stand on bad ground, who was shown last."""

    def refresh(self, told: str = "") -> None:
        """Show the map as it is now, and what is told of that."""
        if told:
            self.toast(told)
        self.rebuild()

    def toast(self, words: str) -> None:
        """A line over the board for a moment."""
        self.toast_text, self.toast_left, self.dirty = words, TOAST_TIME, True

    def try_to(self, call: Callable[[], str]) -> None:
        """Do something, and tell what there is to say of it."""
        try:
            self.refresh(call())
        except BattlematError as error:
            self.refresh(said(error))

    def take(self, kind: Kind) -> None:
        self.model.take(kind)
        self.rebuild()

    def choose_tool(self, tool: Tool) -> None:
        self.model.choose_tool(tool)
        self.rebuild()

    def resized(self, size: int | None) -> None:
        self.model.size = size or 1
        self.rebuild()

    def thin(self, thin: bool) -> None:
        self.model.thin_rooms = thin
        self.rebuild()

    def say(self, name: str, value: Said) -> None:
        """A field of what is chosen."""
        deeds.say(self.model, name, value)
        self.rebuild()

    def remove(self) -> None:
        self.try_to(lambda: deeds.remove(self.model))

    def let_go(self) -> None:
        self.model.selected = 0
        self.rebuild()

    def accept(self) -> None:
        self.try_to(lambda: deeds.accept(self.model))

    def propose(self) -> None:
        """What would be walls by what the map's maker left."""
        found: list[Reason] = []

        def look() -> str:
            found.extend(propose(self.model.document))
            return "" if found else "Nothing of this map says what would be walls: draw them with the brush."

        deeds.give_up(self.model)
        self.try_to(look)
        if found:
            self.model.selected = 0
            self.model.proposal = Proposal.of(self.model.level, found)
            self.model.choose_tool(Tool.BRUSH)
            self.rebuild()

    def turn_reason(self, key: str, take: bool) -> None:
        """One of the reasons is taken, or left out."""
        if self.model.proposal is not None:
            self.model.proposal = self.model.proposal.turned(key, take)
            self.rebuild()

    def refuse(self) -> None:
        self.model.proposal = None
        self.rebuild()

    def undo(self) -> None:
        """Take back the latest step, be it of the ground or of the creatures on it."""
        if deeds.give_up(self.model):
            self.refresh()
            return
        what = self.workspace.editor.undo()
        self._stepped(text("Undone: {what}.", what) if what else "There is nothing to undo.")

    def redo(self) -> None:
        what = self.workspace.editor.redo()
        self._stepped(text("Done again: {what}.", what) if what else "There is nothing to do again.")

    def _stepped(self, told: str) -> None:
        self.model.typed.clear()
        if self.model.chosen is None:
            self.model.selected = 0
        self.workspace.view.set_board(self.workspace.editor.table.board())
        self.refresh(told)

    def save(self) -> bool:
        """Write the map; whether it is written."""

        def write() -> None:
            self.workspace.save_ground()
            home = self.workspace.loaded
            where = home.path if home is not None else Path()
            self.toast(text("Saved: {path}", str(where)))

        done = self.app.guard(write)
        self.rebuild()
        return done

    def save_now(self) -> None:
        """Write the map."""
        self.save()

    def leave(self) -> None:
        """Back to the encounter; what was drawn and not saved is asked about."""
        deeds.give_up(self.model)
        work = self.workspace.ground_work
        if work is None or not work.unsaved:
            self.app.pop()
            return
        choices: list[Choice] = [
            ("Save it", self.app.keys.shown("ground_save"), self._save_and_leave),
            ("Go on drawing", "", lambda: None),
            ("Throw away what was drawn", "", self._discard),
        ]
        self.app.push(Menu(self.app, "What you drew is not saved", choices))

    def _save_and_leave(self) -> None:
        if self.save():
            self.app.pop()

    def _discard(self) -> None:
        """The map as it is on the disk."""
        self.workspace.discard_ground()
        self.app.pop()

    def new_map(self) -> None:
        """A new empty map, with an encounter on it; what is on the table is set aside."""
        work = self.workspace.ground_work
        if work is not None and work.unsaved and not self.save():
            return
        self.app.push(NewMap(self.app, self._open_new))

    def _open_new(self, path: Path) -> None:
        self.workspace.open_map(path)
        self.model = hand(self.workspace)
        self.model.choose_tool(Tool.ROOM)
        self.refresh()
        self.workspace.camera.show_all()

    def stranded(self) -> list[tuple[str, Spot]]:
        return told.stranded(self.workspace)

    def next_stranded(self) -> None:
        """Show the next creature that stands where nobody can."""
        lost = self.stranded()
        if lost:
            name, spot = lost[self._lost % len(lost)]
            self._lost += 1
            self.workspace.cursor = spot
            self.workspace.show_cursor()
            self.refresh(text("{name} stands where nobody can; it stays, and can be moved in the encounter.", name))

    def take_back(self) -> bool:
        """Take back one layer; False if there was none."""
        if deeds.give_up(self.model):
            self.held = 0
        elif self.ui.focus is not None:
            self.ui.set_focus(None)
        elif self.model.selected:
            self.model.selected = 0
        elif self.model.proposal is not None:
            self.model.proposal = None
        else:
            return False
        self.refresh()
        return True

    def to_level(self, level: int) -> None:
        """Another map of the place."""
        deeds.give_up(self.model)
        self.model.selected = 0
        self.workspace.to_level(max(0, min(level, len(self.workspace.editor.ground.maps) - 1)))
        self.rebuild()

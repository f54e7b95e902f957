"""Keys and commands where an encounter is prepared: everything that the mouse can do, and what both do alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from game.content import encounter
from game.fight import match as seeds
from game.maps.startspaces import Spaces, start_spaces
from game.scenes.fight.steering import STEPS
from game.scenes.panning import moves_camera
from game.scenes.setup import contextmenu, dialogs, form, layout, opening
from game.setup import bestiary
from game.setup import draft as drafts
from game.setup.draft import Spot
from game.setup.table import Table

if TYPE_CHECKING:
    from game.scenes.setup.scene import Setup

PARTY = encounter.PARTY
DOORS = ("open", "closed", "locked", "barred", "secret")
"""How a click on a door turns it, in order."""
CURSOR = {"setup_cursor_up": (0, -1), "setup_cursor_down": (0, 1),
          "setup_cursor_left": (-1, 0), "setup_cursor_right": (1, 0)}  # fmt: skip
"""Commands that move the cursor although somebody is selected."""
ON_BOARD = frozenset((*STEPS, *CURSOR, "setup_put", "setup_next", "setup_last", "setup_add", "setup_centre"))
"""Commands whose keys belong to a panel while that has the focus."""


LOOKING = frozenset((*CURSOR, "setup_put", "setup_centre", "setup_panels"))
"""Commands that leave a way that is being drawn as it is."""


class Steering:
    """What commands do."""

    def __init__(self, scene: Setup) -> None:
        self.scene = scene

    # -- keys

    def arrow_on_board(self, event: pygame.event.Event) -> bool:
        """Bare keys that belong to the board while no panel has the focus; Tab would else go to the panels."""
        return self.scene.ui.focus is None and event.key == pygame.K_TAB and not event.mod & pygame.KMOD_CTRL

    def command(self, name: str, event: pygame.event.Event) -> bool:
        """A command of the table of keys; True if it was answered."""
        scene = self.scene
        if name in ON_BOARD:
            if scene.ui.focus is not None:
                return False  # the focused panel's
            return self._on_board(name)
        if scene.drawing is not None and name.startswith("setup_") and self._drawn(name):
            return True
        if name == "back":
            if not scene.take_back():
                self.menu()
        elif name.startswith("setup_"):
            getattr(self, name.removeprefix("setup_"))()
        elif not moves_camera(scene.camera, name, scene.app.look):
            return False
        scene.dirty = True
        return True

    def _drawn(self, name: str) -> bool:
        """What keys do while a way is drawn; anything else ends it, and then does what it does at other times."""
        drawing = self.scene.drawing
        assert drawing is not None
        if name in ("setup_remove", "setup_undo"):
            drawing.back()
        elif name == "setup_play":
            drawing.end()
        else:
            if name not in LOOKING:
                drawing.end()
            return False
        self.scene.dirty = True
        return True

    def _on_board(self, name: str) -> bool:
        scene = self.scene
        if name in STEPS:
            self.arrow(*STEPS[name])
        elif name in CURSOR:
            self.move_cursor(*CURSOR[name])
        elif name in ("setup_next", "setup_last"):
            self.cycle(1 if name == "setup_next" else -1)
        elif name == "setup_centre":
            assert scene.editor.ground is not None
            scene.camera.centre(scene.cursor)
        elif name == "setup_add":
            hit = scene.editor.at(scene.cursor)
            if hit is not None:
                here = scene.cursor
                scene.select([hit], add=True)
                scene.cursor = here
        else:
            self.enter()
        scene.dirty = True
        return True

    def arrow(self, columns: int, rows: int) -> None:
        """Arrows move the selected; with nobody selected, or a brush in hand, the cursor."""
        scene, editor, ground = self.scene, self.scene.editor, self.scene.editor.ground
        if ground is None:
            return
        if editor.selection and scene.brush is None and scene.drawing is None:
            keys = editor.selection
            spots = [piece.spot for piece in editor.chosen() if piece.spot is not None]
            if not all(ground.inside(s[0] + columns, s[1] + rows) for s in spots):
                scene.toast("The map ends there.")
                return
            editor.move(keys, columns, rows, merge=f"arrows {keys}")
            if spots and ground.inside(*(goal := (spots[-1][0] + columns, spots[-1][1] + rows))):
                scene.cursor = goal
            scene.refresh()
            scene.pointing.spot = None
            scene.show_cursor()
        else:
            self.move_cursor(columns, rows)

    def move_cursor(self, columns: int, rows: int) -> None:
        """The cursor, and nobody with it."""
        scene, ground = self.scene, self.scene.editor.ground
        goal = (scene.cursor[0] + columns, scene.cursor[1] + rows)
        if ground is None or not ground.inside(*goal):
            scene.toast("The map ends there.")
            return
        scene.cursor = goal
        scene.pointing.spot = None
        scene.show_cursor()

    def enter(self) -> None:
        """Put down what is in hand; else select who stands at the cursor, and edit who is selected already."""
        scene, editor = self.scene, self.scene.editor
        if scene.drawing is not None:
            scene.drawing.take(scene.cursor)
            return
        if scene.brush is not None:
            self.put(scene.brush, scene.cursor)
            return
        hit = editor.at(scene.cursor)
        if hit is not None and hit not in editor.selection:
            scene.select([hit])
        elif editor.selection:
            self.edit()
        elif (door := self.door_at(scene.cursor)) is not None:
            self.turn_door(door)
        else:
            self.find()

    def cycle(self, by: int) -> None:
        key = self.scene.editor.step(by)
        if key is None:
            self.scene.toast("Nobody is on the table yet: / searches the bestiary, Enter puts down.")
        else:
            self.scene.brush = None
            self.scene.select([key], show=True)

    # -- what both mouse and keys do

    def put(self, template: str, spot: Spot, *, quiet: bool = False, merge: str = "") -> None:
        """Put a creature of the bestiary on a space, or say why not."""
        scene = self.scene
        why = scene.editor.place(template, self.side_for(template), spot, merge=merge)
        if why and not quiet:
            scene.toast(f"{why}.")
        if not why:
            scene.cursor = spot
            scene.editor.selection = ()
            scene.refresh()

    def side_for(self, template: str) -> str:
        """The side that a creature of the bestiary is put down for."""
        if self.scene.brush_side:
            return self.scene.brush_side
        ours = template in bestiary.heroes(self.scene.ruleset) or bestiary.is_own(template)
        return encounter.HEROES if ours else encounter.MONSTERS

    def take(self, template: str | None) -> None:
        """Take a creature of the bestiary into the hand: clicks and Enter then put it down."""
        scene = self.scene
        scene.end_drawing()
        scene.brush = None if template == scene.brush else template
        scene.ui.set_focus(None)
        scene.editor.select([])
        if scene.brush is not None:
            name = bestiary.template(scene.ruleset, scene.brush).get("name", scene.brush)
            scene.toast(f"{name} in hand: click or drag over spaces, or Enter at the cursor. Esc lays it aside.")
        scene.refresh()

    def door_at(self, spot: Spot | None) -> int | None:
        """The door on a space, or a thin one at its edge."""
        ground = self.scene.editor.ground
        if ground is None or spot is None or not ground.inside(*spot):
            return None
        cell = ground.cell(*spot)
        here = [n for n, door in enumerate(ground.doors) if door.cell == cell or door.edge == cell]
        return min(here, key=lambda n: ground.doors[n].edge is not None) if here else None

    def turn_door(self, number: int) -> None:
        """The next state of a door: open, closed, locked, barred, secret."""
        state = self.scene.editor.door_state(number)
        self.set_door(number, DOORS[(DOORS.index(state) + 1) % len(DOORS)])

    def set_door(self, number: int, state: str) -> None:
        scene = self.scene
        scene.editor.set_door(number, state)
        ground = scene.editor.ground
        assert ground is not None
        scene.toast(f"{ground.doors[number].id} starts {state}.")
        scene.refresh()

    # -- commands, by the names of the table of keys

    def all(self) -> None:
        self.scene.select([piece.key for piece in self.scene.editor.draft.pieces])

    def copy(self) -> None:
        count = self.scene.editor.copy()
        self.scene.toast(f"{count} copied." if count else "Nobody is selected to copy.")

    def context(self) -> None:
        """The menu of the selected, else of the space at the cursor, beside them."""
        scene, chosen = self.scene, self.scene.editor.chosen()
        spot = chosen[-1].spot if chosen and chosen[-1].spot is not None else scene.cursor
        pos = scene.camera.space_rect(spot).center
        if chosen:
            contextmenu.of_creature(scene, chosen[-1].key, pos)
        else:
            contextmenu.of_spot(scene, spot, pos)

    def cut(self) -> None:
        if self.scene.editor.copy():
            self.remove()

    def paste(self) -> None:
        scene = self.scene
        spot = scene.pointing.spot if scene.pointing.spot is not None else scene.cursor
        if not scene.editor.paste(spot):
            scene.toast("Nothing was copied yet: Ctrl+C copies the selected.")
        scene.select(list(scene.editor.selection), show=True)

    def double(self) -> None:
        scene = self.scene
        if scene.editor.paste(None, [piece.entry for piece in scene.editor.chosen()]):
            scene.select(list(scene.editor.selection), show=True)
        else:
            scene.toast("Nobody is selected to duplicate.")

    def remove(self) -> None:
        scene = self.scene
        if not scene.editor.selection:
            scene.toast("Nobody is selected.")
            return
        count = scene.editor.remove()
        scene.toast(f"{count} taken off the table; Ctrl+Z brings them back.")
        scene.refresh()

    def undo(self) -> None:
        what = self.scene.editor.undo()
        self.scene.toast(f"Undone: {what}." if what else "There is nothing to undo.")
        self.scene.refresh()

    def redo(self) -> None:
        what = self.scene.editor.redo()
        self.scene.toast(f"Done again: {what}." if what else "There is nothing to do again.")
        self.scene.refresh()

    def find(self) -> None:
        """The focus to the bestiary's search, which begins anew."""
        self.scene.query = ""
        self.scene.refresh()
        if layout.narrow(self.scene):
            self.scene.tab = "bestiary"
            self.scene.refresh()
        self._focus("search")

    def edit(self) -> None:
        """The focus to the form."""
        self.scene.tab = ""
        self.scene.refresh()
        self._focus("field name")

    def panels(self) -> None:
        """The focus into the panels, or on to the next one."""
        ring = [w.key for w in self.scene.ui.ring()]
        here = self.scene.ui.focus.key if self.scene.ui.focus is not None else ""
        stops = [key for key in ("search", "tab bestiary", "tab creature", "problems") if key in ring]
        if stops:
            place = stops.index(here) + 1 if here in stops else 0
            self._focus(stops[place % len(stops)])

    def _focus(self, key: str) -> None:
        for widget in self.scene.ui.ring():
            if widget.key == key:
                self.scene.ui.set_focus(widget)
                self.scene.memory.typing = ""
                self.scene.dirty = True
                return

    def fault(self) -> None:
        """The next problem: its creature selected, its field in focus."""
        scene = self.scene
        found = [each for each in scene.editor.problems() if each.key is not None]
        if not found:
            rest = scene.editor.problems()
            scene.toast(rest[0].text if rest else "Nothing is wrong: Ctrl+Enter plays.")
            return
        here = scene.editor.selection[-1] if scene.editor.selection else None
        later = [n for n, each in enumerate(found) if each.key == here]
        problem = found[(later[-1] + 1) % len(found) if later else 0]
        self.go_to(problem.key, problem.field)
        scene.toast(problem.text)

    def go_to(self, key: int | None, field: str) -> None:
        """Show a creature, with the focus in one of its fields."""
        if key is None:
            return
        self.scene.brush = None
        self.scene.select([key], show=True)
        if field and field != "at":
            section = form.section_of(self.scene, field)
            if section and section not in self.scene.unfolded:
                self.scene.unfolded |= {section}
                self.scene.rebuild()
            self._focus(f"field {field}")

    def zone(self) -> None:
        """The selected into their side's start zone; with nobody selected the heroes, or else a ready party."""
        scene, editor = self.scene, self.scene.editor
        keys = editor.selection or tuple(p.key for p in editor.draft.pieces if p.side == encounter.HEROES)
        if not keys:
            self.party()
            return
        spaces = {side: self._start(side) for side in editor.draft.sides()}
        count = editor.to_start(keys, spaces)
        scene.toast(f"{count} of {len(keys)} stand in their start zone." if count < len(keys) else "In the start zone.")
        scene.refresh()

    def _start(self, side: str) -> Spaces:
        """Where a side starts: on the map's spaces for it, or where it stands well apart from others."""
        ground, loaded = self.scene.editor.ground, self.scene.loaded
        assert ground is not None
        spawns, exits = ((), []) if loaded is None else (loaded.spawns, encounter.exits(loaded))
        there: dict[str, list[int]] = {}
        for piece in self.scene.editor.draft.pieces:
            if piece.spot is not None and ground.inside(*piece.spot):
                there.setdefault(piece.side, []).append(ground.cell(*piece.spot))
        return start_spaces(ground, spawns, side, exits, there)

    def heroes(self) -> None:
        """The heroes into their start zone; with nobody there yet, a ready party."""
        scene = self.scene
        ours = [piece.key for piece in scene.editor.draft.pieces if piece.side == encounter.HEROES]
        if ours:
            scene.editor.select(ours)
            self.zone()
        else:
            self.party()

    def party(self) -> None:
        """A ready party of heroes, in the start zone or as near its beginning as may be."""
        names = list(bestiary.heroes(self.scene.ruleset))[:PARTY]
        self._bring(names, encounter.HEROES, self._start(encounter.HEROES), "the party put down")

    def draw_foes(self) -> None:
        """Foes that fit the map and are about as strong as the heroes on the table, in their start zone."""
        scene = self.scene
        heroes = [str(p.entry.get("template")) for p in scene.editor.draft.pieces if p.side == encounter.HEROES]
        party = [name for name in heroes if name in bestiary.heroes(scene.ruleset)]
        if scene.loaded is None or not party:
            scene.toast("Foes are drawn to match the party: put heroes of the bestiary on the table first.")
            return
        lot = encounter.Lot(seeds.fresh_seed())
        names = encounter.themed_foes(scene.loaded, party, lot, scene.ruleset)
        zone = scene.loaded.spawn_cells(encounter.MONSTERS)
        cells = encounter.drawn_spaces(self._start(encounter.MONSTERS), zone, len(names), lot)
        self._bring(names, encounter.MONSTERS, cells, "foes drawn")

    def _bring(self, names: list[str], side: str, cells: Spaces, what: str) -> None:
        """Several of the bestiary on the first spaces with room, as one change."""
        scene, editor = self.scene, self.scene.editor
        ground = editor.ground
        assert ground is not None
        made, first = editor.draft, editor.draft.next_key
        for name in names:
            entry = editor.entry_for(name, side)
            size, table = editor.size_of(entry), Table(made, ground)
            spots = map(ground.at, cells or range(ground.width * ground.height))
            spot = next((spot for spot in spots if not table.room(spot, size)), None)
            if spot is not None:
                label = str(bestiary.template(scene.ruleset, name).get("name", name))
                made = drafts.added(made, entry, label, spot)
        editor.change(made, what)
        editor.settle()
        scene.select(list(range(first, made.next_key)), show=True)

    def centre(self) -> None:
        self.scene.camera.centre(self.scene.cursor)

    def new(self) -> None:
        opening.choose_map(self.scene)

    def load(self) -> None:
        opening.choose_record(self.scene)

    def save(self) -> None:
        """Under the name that it has; without one it is asked for."""
        if self.scene.path is not None and self.scene.editor.draft.pieces:
            self.scene.save(self.scene.path)
            self.scene.refresh()
        else:
            self.save_as()

    def save_as(self) -> None:
        opening.choose_name(self.scene)

    def play(self) -> None:
        self.scene.play()

    def forecast(self) -> None:
        self.scene.forecast()

    def menu(self) -> None:
        dialogs.menu(self.scene)

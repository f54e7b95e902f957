"""What is done to an encounter on the table, alike by mouse, keys, menus and panels."""

from __future__ import annotations

from game.content import encounter
from game.fight.match import fresh_seed
from game.scenes.setup.workspace import Tab, Workspace
from game.setup import bestiary, forms
from game.setup.draft import Spot
from rules.contract.text import text

# -- the cursor


def arrow(workspace: Workspace, columns: int, rows: int) -> None:
    """Arrows move the selected; with nobody selected, or something in hand, the cursor."""
    editor, ground = workspace.editor, workspace.editor.ground
    if not editor.selection or workspace.tool is not None:
        move_cursor(workspace, columns, rows)
        return
    goals = [(p.spot[0] + columns, p.spot[1] + rows) for p in editor.chosen() if p.spot is not None]
    if not all(ground.on_map(*goal) for goal in goals):
        workspace.toast("The map ends there.")
        return
    editor.move(editor.selection, columns, rows, merge=f"arrows {editor.selection}")
    workspace.cursor = goals[-1] if goals else workspace.cursor
    workspace.refresh()
    workspace.gesture.spot = None
    workspace.show_cursor()


def move_cursor(workspace: Workspace, columns: int, rows: int) -> None:
    """The cursor, and nobody with it."""
    goal = (workspace.cursor[0] + columns, workspace.cursor[1] + rows)
    if not workspace.editor.ground.on_map(*goal):
        workspace.toast("The map ends there.")
        return
    workspace.cursor = goal
    workspace.gesture.spot = None
    workspace.show_cursor()


def enter(workspace: Workspace) -> None:
    """Put down what is in hand; else select who stands at the cursor, and edit who is selected already."""
    editor = workspace.editor
    if workspace.drawing is not None:
        return workspace.add_point(workspace.cursor)
    if workspace.brush is not None:
        return put(workspace, workspace.brush, workspace.cursor)
    hit = editor.table.at(workspace.cursor)
    if hit is not None and hit not in editor.selection:
        return workspace.select([hit])
    if editor.selection:
        return edit(workspace)
    door = editor.door_at(workspace.cursor)
    return find(workspace) if door is None else turn_door(workspace, door)


def add(workspace: Workspace) -> None:
    """Add who stands at the cursor to the selection, or leave them out; the cursor stays."""
    here = workspace.cursor
    if (hit := workspace.editor.table.at(here)) is not None:
        workspace.select([hit], add=True)
        workspace.cursor = here


def cycle(workspace: Workspace, by: int) -> None:
    """The next creature on the table, or the one before."""
    key = workspace.editor.step(by)
    if key is None:
        workspace.toast("Nobody is on the table yet: / searches the bestiary, Enter puts down.")
    else:
        workspace.lay_brush_aside()
        workspace.select([key], show=True)


# -- putting down


def put(workspace: Workspace, template: str, spot: Spot, *, quiet: bool = False, merge: str = "") -> None:
    """Put a creature of the bestiary on a space, or say why not."""
    why = workspace.editor.place(template, side_for(workspace, template), spot, merge=merge)
    if why and not quiet:
        workspace.toast(f"{why}.")
    if not why:
        workspace.cursor = spot
        workspace.editor.selection = ()
        workspace.refresh()


def side_for(workspace: Workspace, template: str) -> str:
    """The side that a creature of the bestiary is put down for."""
    rules = workspace.ruleset
    own = bestiary.is_own(template) and template not in bestiary.creatures(rules)
    ours = own or template in bestiary.heroes(rules)
    return workspace.brush_side or (encounter.HEROES if ours else encounter.MONSTERS)


def take(workspace: Workspace, template: str) -> None:
    """Take a creature of the bestiary into the hand: clicks and Enter then put it down. Once more: lay it aside."""
    workspace.end_drawing()
    taken = template != workspace.brush
    workspace.tool = template if taken else None
    workspace.ui.set_focus(None)
    workspace.editor.select([])
    if taken:
        name = bestiary.template(workspace.ruleset, template).get("name", template)
        told = "{name} in hand: click or drag over spaces, or Enter at the cursor. Esc lays it aside."
        workspace.toast(text(told, name))
    workspace.refresh()


def zone(workspace: Workspace) -> None:
    """The selected into their side's start zone; with nobody selected the heroes, or else a ready party."""
    editor = workspace.editor
    keys = editor.selection or tuple(p.key for p in editor.draft.pieces if p.side == encounter.HEROES)
    if not keys:
        party(workspace)
        return
    spaces = {side: editor.table.start(workspace.loaded, side) for side in editor.draft.sides()}
    count = editor.to_start(keys, spaces)
    few = text("{count} of {keys} stand in their start zone.", count, len(keys))
    workspace.refresh(few if count < len(keys) else "In the start zone.")


def heroes(workspace: Workspace) -> None:
    """The heroes into their start zone; with nobody there yet, a ready party."""
    ours = [piece.key for piece in workspace.editor.draft.pieces if piece.side == encounter.HEROES]
    if ours:
        workspace.editor.select(ours)
        zone(workspace)
    else:
        party(workspace)


def party(workspace: Workspace) -> None:
    """A ready party of heroes, in the start zone or as near its beginning as may be."""
    editor = workspace.editor
    names = list(bestiary.heroes(workspace.ruleset))[: encounter.PARTY]
    cells = editor.table.start(workspace.loaded, encounter.HEROES)
    workspace.select(editor.bring(names, encounter.HEROES, cells, "the party put down"), show=True)


def draw_foes(workspace: Workspace) -> None:
    """Foes that fit the map and are about as strong as the heroes on the table, in their start zone."""
    editor, loaded = workspace.editor, workspace.loaded
    names = [str(p.entry.get("template")) for p in editor.draft.pieces if p.side == encounter.HEROES]
    ours = [name for name in names if name in bestiary.heroes(workspace.ruleset)]
    if loaded is None or not ours:
        workspace.toast("Foes are drawn to match the party: put heroes of the bestiary on the table first.")
        return
    lot = encounter.Lot(fresh_seed())
    foes = encounter.themed_foes(loaded, ours, lot, workspace.ruleset)
    start, spawn = editor.table.start(loaded, encounter.MONSTERS), loaded.spawn_cells(encounter.MONSTERS)
    cells = encounter.drawn_spaces(start, spawn, len(foes), lot)
    workspace.select(editor.bring(foes, encounter.MONSTERS, cells, "foes drawn"), show=True)


# -- doors


def turn_door(workspace: Workspace, number: int) -> None:
    """The next state of a door."""
    set_door(workspace, number, workspace.editor.next_door_state(number))


def set_door(workspace: Workspace, number: int, state: str) -> None:
    """How a door stands at the start."""
    workspace.editor.set_door(number, state)
    workspace.refresh(text("{id} starts {what}.", workspace.editor.ground.doors[number].id, state))


# -- the selected


def select_all(workspace: Workspace) -> None:
    """Everybody; of a place of several maps those on the one that is shown."""
    pieces, ground = workspace.editor.draft.pieces, workspace.editor.ground
    there = [p for p in pieces if p.spot is None or not ground.maps or workspace.camera.shows(p.spot)]
    workspace.select([piece.key for piece in there])


def copy(workspace: Workspace) -> None:
    count = workspace.editor.copy()
    workspace.toast(text("{count} copied.", count) if count else "Nobody is selected to copy.")


def cut(workspace: Workspace) -> None:
    if workspace.editor.copy():
        remove(workspace)


def paste(workspace: Workspace) -> None:
    """Where the pointer is, else at the cursor."""
    spot = workspace.gesture.spot if workspace.gesture.spot is not None else workspace.cursor
    if not workspace.editor.paste(spot):
        workspace.toast("Nothing was copied yet: Ctrl+C copies the selected.")
    workspace.select(list(workspace.editor.selection), show=True)


def double(workspace: Workspace) -> None:
    if workspace.editor.paste(None, [piece.entry for piece in workspace.editor.chosen()]):
        workspace.select(list(workspace.editor.selection), show=True)
    else:
        workspace.toast("Nobody is selected to duplicate.")


def remove(workspace: Workspace) -> None:
    if not workspace.editor.selection:
        workspace.toast("Nobody is selected.")
        return
    workspace.refresh(text("{count} taken off the table; Ctrl+Z brings them back.", workspace.editor.remove()))


def undo(workspace: Workspace) -> None:
    what = workspace.editor.undo()
    workspace.refresh(text("Undone: {what}.", what) if what else "There is nothing to undo.")


def redo(workspace: Workspace) -> None:
    what = workspace.editor.redo()
    workspace.refresh(text("Done again: {what}.", what) if what else "There is nothing to do again.")


# -- where the focus goes


def find(workspace: Workspace) -> None:
    """The focus to the bestiary's search, which begins anew."""
    workspace.query = ""
    workspace.refresh()
    if workspace.narrow:
        workspace.tab = Tab.BESTIARY
        workspace.refresh()
    workspace.focus_on("search")


def edit(workspace: Workspace) -> None:
    """The focus to the form."""
    workspace.tab = Tab.BY_SELECTION
    workspace.refresh()
    workspace.focus_on("field name")


def panels(workspace: Workspace) -> None:
    """The focus into the panels, or on to the next one."""
    ring = [w.key for w in workspace.ui.ring()]
    here = workspace.ui.focus.key if workspace.ui.focus is not None else ""
    stops = [key for key in ("search", "tab bestiary", "tab creature", "problems") if key in ring]
    if stops:
        place = stops.index(here) + 1 if here in stops else 0
        workspace.focus_on(stops[place % len(stops)])


def fault(workspace: Workspace) -> None:
    """The next problem: its creature selected, its field in focus."""
    problems = workspace.editor.problems()
    found = [each for each in problems if each.key is not None]
    if not found:
        workspace.toast(problems[0].text if problems else "Nothing is wrong: Ctrl+Enter plays.")
        return
    here = workspace.editor.selection[-1] if workspace.editor.selection else None
    later = [n for n, each in enumerate(found) if each.key == here]
    problem = found[(later[-1] + 1) % len(found) if later else 0]
    go_to(workspace, problem.key, problem.field)
    workspace.toast(problem.text)


def go_to(workspace: Workspace, key: int | None, field: str) -> None:
    """Show a creature, with the focus in one of its fields; the encounter as a whole where it is about nobody."""
    if key is None:
        workspace.tab = Tab.ENCOUNTER
        workspace.refresh()
        return
    workspace.lay_brush_aside()
    workspace.select([key], show=True)
    if field and field != "at":
        section = forms.section_of(workspace.ruleset, field)
        if section and section not in workspace.unfolded:
            workspace.unfolded |= {section}
            workspace.rebuild()
        workspace.focus_on(f"field {field}")

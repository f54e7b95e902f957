"""The ground in words: what is under the pointer, what a press would do, what the encounter has on bad ground."""

from __future__ import annotations

from game.maps.editing import things
from game.maps.editing.document import Spot
from game.maps.editing.kinds import KINDS, Way
from game.scenes.ground import deeds
from game.scenes.ground.model import SPANNING, Model, Tool
from game.scenes.setup.workspace import Workspace
from game.setup import check
from game.setup.ways import refusal
from rules.board.grid import Ground
from rules.contract.text import N, joined, ntext, text

GROUNDS = {
    Ground.OPEN: N("open ground"), Ground.DIFFICULT: N("difficult ground"), Ground.BLOCKED: N("a wall"),
    Ground.VOID: N("nothing to stand on"),
}  # fmt: skip
HINTS = {
    Tool.BRUSH: N("Press and drag to draw. Alt+click takes up what is drawn there, a right click takes back."),
    Tool.LINE: N("Drag from one end of the line to the other."),
    Tool.RECTANGLE: N("Drag from corner to corner."),
    Tool.ROOM: N("Drag from corner to corner: walls around, floor within."),
    Tool.FILL: N("Click: all that hangs together and is alike gets the material. Walls and doors stop it."),
    Tool.ERASE: N("Press and drag: takes what lies where you begin (objects, things, thin walls, else the ground)."),
    Tool.SELECT: N("Click what lies there to change it at the right; drag it to move it; Delete removes it."),
    Tool.PART: N("Drag over the part that is to be copied."),
    Tool.PASTE: N("Click where the upper left corner of the copied part is to be."),
    Tool.PICK: N("Click: what is drawn there comes into the hand."),
}
_BY_WAY = {
    Way.EDGE: N("Drag along the lines between spaces, from corner to corner; a click takes the nearest edge."),
    Way.ZONE: N("Drag the zone from corner to corner."),
    Way.OBJECT: N("Click a space. What is there of that kind already is chosen: change it at the right, or drag it."),
}


def hint(model: Model) -> str:
    """What the tool in hand does."""
    if model.tool in (Tool.BRUSH, Tool.LINE) and model.kind.way in _BY_WAY:
        told = _BY_WAY[model.kind.way]
        door = "Click a space, or near the line between two: the door stands there. Click a door again to change it."
        return door if model.kind.shape == "Door" else told
    return HINTS[model.tool]


def here(model: Model) -> str:
    """The space under the pointer, or at the cursor, in words."""
    spot, loaded = model.target.spot, model.document.read()
    field = loaded.field
    if not field.inside(*spot):
        return ""
    cell = field.cell(*spot)
    word = loaded.materials[cell]
    label = next((each.label for each in KINDS if each.way is Way.GROUND and each.material == word), "")
    props = dict.fromkeys(prop.name for prop in loaded.props if prop.cell == cell)
    stand = [next((each.label for each in KINDS if each.prop == name and each.way is Way.THING), "") for name in props]
    parts = [text("Column {x}, row {y}", spot[0] + 1, spot[1] + 1), label, _ground(field.ground[cell])]
    parts += [text("level {n}", field.level(cell))] if field.level(cell) else []
    parts += ["out of sight"] if field.opaque >> cell & 1 and field.ground[cell] != Ground.BLOCKED else []
    parts += stand
    parts += [_thing(thing) for thing in things.at(model.document, spot)]
    return joined(" · ", [part for part in parts if part])


def _ground(kind: int) -> str:
    return GROUNDS.get(Ground(kind), "")


def _thing(thing: things.Thing) -> str:
    state = str(thing.says.get("state") or "closed") if thing.shape == "Door" else ""
    if state:
        return text("{name}, {state}", thing.name or "Door", state)
    named = {kind.shape: kind.label for kind in reversed(KINDS) if kind.shape}
    if thing.shape in ("Region", "Spawn"):
        said = thing.says
        fits = (k.label for k in KINDS if k.shape == thing.shape and all(said.get(n) == v for n, v in k.says.items()))
        label = next(fits, named.get(thing.shape, thing.shape))
    else:
        label = named.get(thing.shape, thing.shape)
    return text("{kind}: {name}", label, thing.name) if thing.name and thing.name != label else label


def underway(model: Model) -> str:
    """How large what is being drawn is."""
    if model.anchor is None:
        return ""
    start, end = model.anchor, model.target
    spots, edges = deeds.span_of(model, start, end)
    if edges and not spots:
        return ntext(len(edges), "{n} edge", "{n} edges")
    wide, high = abs(start.spot[0] - end.spot[0]) + 1, abs(start.spot[1] - end.spot[1]) + 1
    if model.tool is Tool.LINE:
        return ntext(len(spots), "{n} space", "{n} spaces")
    return text("{wide}×{high} spaces", wide, high) if model.tool in SPANNING or model.anchor else ""


def stranded(workspace: Workspace) -> list[tuple[str, Spot]]:
    """Creatures of the encounter where nobody can stand, and where that is: they are told, and stay."""
    editor = workspace.editor
    ground = editor.ground
    terrain = ground.terrain()
    found = []
    for piece in editor.draft.pieces:
        if piece.spot is not None and refusal(ground, terrain, piece.spot, editor.size_of(piece.entry)):
            found.append((check.name_of(editor.draft, piece), piece.spot))
    return found

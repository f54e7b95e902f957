"""A way, such as a patrol, drawn on the board: a click for each of its points, until it is ended or given up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game.setup import check, forms, ways
from game.setup.draft import UNSET, Piece, Spot
from game.setup.forms import FormField
from game.setup.places import hindrance, named
from game.setup.ways import Leg
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Tip, column, row

if TYPE_CHECKING:
    from game.scenes.setup.scene import Setup


class WayDrawing:
    """The points so far. The creature has them only once the way is ended: that is one step to undo."""

    def __init__(self, scene: Setup, piece: Piece, field: FormField) -> None:
        self.scene, self.key, self.field = scene, piece.key, field
        self.points = list(ways.points(scene.editor.draft, piece, field))
        self._before = tuple(self.points)

    @property
    def piece(self) -> Piece | None:
        """Who will walk it; None where it left the table, or has become somebody who walks no such way."""
        draft = self.scene.editor.draft
        return draft.piece(self.key) if self.field in forms.ways(draft.ruleset) else None

    def legs(self) -> list[Leg]:
        """What is walked."""
        piece = self.piece
        return [] if piece is None else walked(self.scene, piece, self.field, self.points)

    def ahead(self, spot: Spot | None) -> Leg | None:
        """The way from the last point to a space, as it would be; None where nothing would be added."""
        piece, ground = self.piece, self.scene.editor.ground
        if piece is None or ground is None or spot is None or not ground.inside(*spot):
            return None
        start = self.points[-1] if self.points else piece.spot
        if start is None or start == spot:
            return None
        terrain = ways.laid(self.scene.ruleset, ground)
        size = self.scene.editor.size_of(piece.entry)
        return ways.leg(terrain, start, spot, size, self.field.leg, len(self.points), "on")

    # -- what hands do

    def take(self, spot: Spot) -> None:
        """A space was clicked: a further point, or the end where it is the last one or the first."""
        scene, piece, ground = self.scene, self.piece, self.scene.editor.ground
        if piece is None or ground is None:
            return
        scene.cursor = spot
        if self.points and (spot == self.points[-1] or (len(self.points) > 2 and spot == self.points[0])):
            self.end()
            return
        why = self.refused(spot)
        if not why and self.field.most is not None and len(self.points) >= self.field.most:
            why = f"{self.field.most} points are the most"
        if why:
            scene.toast(f"No point there: {why}.")
            return
        self.points.append(spot)
        scene.refresh()

    def refused(self, spot: Spot) -> str:
        """Why a space cannot be a point; empty where it can."""
        piece, ground = self.piece, self.scene.editor.ground
        assert piece is not None and ground is not None
        size = self.scene.editor.size_of(piece.entry)
        return hindrance(ground, ways.laid(self.scene.ruleset, ground), spot, size)

    def shift(self, number: int, spot: Spot) -> None:
        """A point is dragged to another space."""
        if not self.refused(spot):
            self.points[number] = spot
            self.scene.dirty = True

    def at(self, spot: Spot | None) -> int | None:
        """The number of the point on a space, the latest of several."""
        there = [number for number, point in enumerate(self.points) if point == spot]
        return there[-1] if there else None

    def back(self) -> None:
        """Take the last point back; without any it is given up."""
        if self.points:
            self.points.pop()
            self.scene.refresh()
        else:
            self.leave()

    def end(self) -> None:
        """The creature walks it from now on."""
        scene, points = self.scene, tuple(self.points)
        scene.drawing = None
        if self.piece is not None and points != self._before:
            value = [list(point) for point in points] if points else UNSET
            scene.editor.settle()
            scene.editor.set_field(self.field.name, value, keys=[self.key])
            scene.editor.settle()
        scene.refresh()

    def leave(self) -> None:
        """Give it up: the way is what it was."""
        self.scene.drawing = None
        self.scene.refresh()

    # -- what is shown

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
            return f"{named(spot).capitalize()} {leg.why}"
        return f"Point {len(self.points) + 1}: {leg.cost} spaces farther"

    def panel(self) -> Box:
        """What is being drawn, how it goes on and how it ends."""
        scene, piece = self.scene, self.piece
        name = check.name_of(scene.editor.draft, piece) if piece is not None else ""
        heading = Label(f"{name}: {self.field.label.lower()}", "label!", "gold", one_line=True)
        if self.points:
            far = ways.around(self.legs())
            so_far = f"{_points(len(self.points))}, {far} spaces around"
        else:
            so_far = "no point yet"
        how = Label(
            "Click one space after the other; drag a point to move it. A click on the last point ends it, "
            "a right click takes it back.",
            "small",
        )
        keys = scene.app.keys.shown
        buttons = row(
            Button("Done", self.end, gold=True, slim=True, hint=keys("setup_play"), key="way done",
                   tip=Tip("The way is kept: the creature walks it over and over.")),
            Button("Take back a point", self.back, slim=True, hint=keys("back"), key="way back",
                   enabled=bool(self.points)),
            Button("Give up", self.leave, slim=True, key="way leave", tip=Tip("The way stays what it was before.")),
            gap=6, wrap=True,
        )  # fmt: skip
        return column(
            row(heading, Label(so_far, "small", "quiet", one_line=True), gap=10), how, buttons,
            gap=5, pad=9, plate="panel", edge="gold", key="way",
        )  # fmt: skip


def _points(count: int) -> str:
    return f"{count} points" if count != 1 else "1 point"


def walked(scene: Setup, piece: Piece, field: FormField, points: list[Spot] | tuple[Spot, ...]) -> list[Leg]:
    """What a creature walks, on the ground as it is now."""
    ground = scene.editor.ground
    if ground is None:
        return []
    size = scene.editor.size_of(piece.entry)
    return list(ways.legs(ways.laid(scene.ruleset, ground), piece.spot, points, size, field.leg))


def told(scene: Setup, piece: Piece, field: FormField) -> str:
    """A creature's way in a few words; empty without one."""
    points = ways.points(scene.editor.draft, piece, field)
    if not points:
        return ""
    found = walked(scene, piece, field, points)
    far = "not all of it can be walked" if any(leg.why for leg in found) else f"{ways.around(found)} spaces around"
    return f"{_points(len(points))}, {far}"

"""A way, such as a patrol, drawn on the board: a point after the other, until it is ended or given up."""

from __future__ import annotations

from collections.abc import Sequence

from game.setup import forms, ways
from game.setup.draft import UNSET, Piece, Spot
from game.setup.editor import Editor
from game.setup.forms import FormField
from game.setup.ways import Leg, hindrance, named
from rules.contract.text import ntext, text, titled


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
        if piece is None or ground is None or spot is None or not ground.inside(*spot):
            return None
        start = self.points[-1] if self.points else piece.spot
        if start is None or start == spot:
            return None
        terrain = ways.laid(self.editor.draft.ruleset, ground)
        size = self.editor.size_of(piece.entry)
        return ways.leg(terrain, start, spot, size, self.field.leg, number=len(self.points), kind="on")

    def ends_at(self, spot: Spot) -> bool:
        """Whether a click there ends it: on its last point, or on its first to close the round."""
        return bool(self.points) and (spot == self.points[-1] or (len(self.points) > 2 and spot == self.points[0]))

    def add(self, spot: Spot) -> str:
        """A further point. Why not, in a few words; empty if it is one now."""
        why = self.refused(spot)
        if not why and self.field.most is not None and len(self.points) >= self.field.most:
            why = text("{most} points are the most", most=self.field.most)
        if not why:
            self.points.append(spot)
        return why

    def refused(self, spot: Spot) -> str:
        """Why a space cannot be a point; empty where it can."""
        piece, ground = self.piece, self.editor.ground
        assert piece is not None and ground is not None
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
            return text("{spot} {why}", spot=titled(named(spot)), why=leg.why)
        return text("Point {what}: {cost} spaces farther", what=len(self.points) + 1, cost=leg.cost)

    def so_far(self) -> str:
        """How many points there are, and how long the round is."""
        if not self.points:
            return "no point yet"
        return text(
            "{points}, {around} spaces around", points=_points(len(self.points)), around=ways.around(self.legs())
        )


def walked(editor: Editor, piece: Piece, field: FormField, points: Sequence[Spot]) -> list[Leg]:
    """What a creature walks, on the ground as it is now."""
    ground = editor.ground
    if ground is None:
        return []
    terrain, size = ways.laid(editor.draft.ruleset, ground), editor.size_of(piece.entry)
    return list(ways.legs(terrain, piece.spot, points, size, field.leg))


def told(editor: Editor, piece: Piece, field: FormField) -> str:
    """A creature's way in a few words; empty without one."""
    points = ways.points(editor.draft, piece, field)
    if not points:
        return ""
    found = walked(editor, piece, field, points)
    far = (
        "not all of it can be walked"
        if any(leg.why for leg in found)
        else text("{found} spaces around", found=ways.around(found))
    )
    return text("{points}, {far}", points=_points(len(points)), far=far)


def _points(count: int) -> str:
    return ntext(count, "{n} point", "{n} points")

"""The strip of maps beside a board that shows a place of several: which there are, who is where, what is new."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

from game.app.i18n import t
from game.scenes.fight.panels.card import likeness
from game.view.boardview import BoardView
from game.widgets.controls import Button, Label
from game.widgets.core import Tip, Widget, column, grown, row
from game.widgets.figures import Picture
from game.widgets.text import called
from game.widgets.theme import Look
from rules.contract.display import Miniature
from rules.contract.text import Text, joined, text

FACES = 4
"""Faces that stand beside a map; of more people only how many they are."""
FACE = 20
"""Pixels of a face at 100 %."""
PAD = 6


def level_strip(
    view: BoardView, pick: Callable[[int], None], look: Look, width: int, *, news: Collection[int] = (), keys: str = ""
) -> Widget | None:
    """A line for each map of the place of which anything is known, as wide as that; None where there is no choice.

    `pick` is called with the map's number; on the maps of `news` something happened that nobody has looked at. `keys`:
    what goes from map to map, for the tooltip.
    """
    camera = view.camera
    levels = camera.levels()
    if len(levels) < 2:
        return None
    board = view.board
    minis = [mini for mini in board.miniatures if not mini.out] if board is not None else []
    lines: list[Widget] = []
    for level in levels:
        here = [mini for mini in minis if camera.level_of(mini.cell) == level]
        title, new, font = camera.field.maps[level].title, level in news, look.font("text")
        room, faces = 0, list[Widget]()
        for most in range(FACES, -1, -1):  # rather the whole title than so many faces
            faces = _faces(here, most)
            room = width - 2 * look.px(PAD) - sum(face.measure(look, width)[0] + look.px(3) for face in faces)
            room -= 2 * look.px(8) + look.px(14 if new else 0)
            if font.size(t(title))[0] <= room:
                break
        label = called(font, title, room)
        button = Button(
            Text.of("• {title}", title=label) if new else label, partial(pick, level), key=f"map {level}", slim=True,
            left=True, chosen=level == camera.level, gold=new, tip=Tip(_told(here, new=new, keys=keys), title),
        )  # fmt: skip
        lines.append(row(grown(button), *faces, gap=3, align="centre"))
    return column(*lines, gap=3, pad=PAD, plate="panel", align="stretch")


def _faces(here: Sequence[Miniature], most: int) -> list[Widget]:
    """Those on a map, whoever the board has first before the rest; of more than that only how many they are."""
    first = sorted(here, key=lambda mini: mini.side != here[0].side)
    shown = first[: most if len(here) <= most else max(0, most - 1)]
    faces: list[Widget] = [Picture(likeness(mini.art, mini.side), FACE) for mini in shown]
    if len(here) > len(shown):
        more = len(here) - len(shown)
        faces.append(Label(f"+{more}" if shown else str(more), "small", "quiet", one_line=True))
    return faces


def _told(here: Sequence[Miniature], *, new: bool, keys: str) -> str:
    names, lines = joined(", ", (mini.name for mini in here)), list[str]()
    lines.append(text("There: {names}.", names) if here else "Nobody is in sight there.")
    if new:
        lines.append("Something happened there since you looked.")
    if keys:
        lines.append(text("{keys}: from map to map.", keys))
    return joined("\n", lines)

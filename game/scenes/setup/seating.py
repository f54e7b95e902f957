"""Seats of an encounter being prepared: the button in its panel, and what the panel of seats changes in the draft."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from game.scenes.dialogs.seats import Played, SeatsPanel
from game.scenes.fight.panels import hud
from game.scenes.setup import form
from game.setup import draft as drafts
from game.setup import seats
from game.widgets.controls import Button
from game.widgets.core import Tip, Widget

if TYPE_CHECKING:
    from game.scenes.setup.scene import Setup


def table(scene: Setup) -> seats.Table:
    """The table as the draft has it, controllers included that templates give."""
    editor, document = scene.editor, drafts.document(scene.editor.draft)
    document["creatures"] = [{**piece.entry, "controller": form.player(editor, piece)} for piece in editor.draft.pieces]
    return seats.from_document(document)


def button(scene: Setup) -> Widget:
    """Opens the panel of seats."""
    count = len(scene.editor.draft.more.get(drafts.SEATS, ()))
    label = f"{count} seats" if count > 1 else "Seats, clock and real dice"
    return Button(
        label,
        partial(_open, scene),
        key="seats",
        tip=Tip("Up to six people at one screen, and who plays whom."),
    )


def _open(scene: Setup) -> None:
    editor = scene.editor
    creatures = [
        Played(piece.id, str(editor.block(piece).get("name", piece.id)), piece.side,
               hud.likeness(str(editor.block(piece).get("art", piece.id)), piece.side))
        for piece in editor.draft.pieces
    ]  # fmt: skip
    scene.app.push(SeatsPanel(scene.app, table(scene), creatures, partial(_take, scene)))


def _take(scene: Setup, changed: seats.Table) -> None:
    editor = scene.editor
    editor.change(drafts.seated(editor.draft, changed), "seats", merge="seats")
    scene.refresh()

"""The bestiary beside the board: search, drag onto the board, or take into the hand and place many."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import pygame

from game.content import encounter
from game.scenes.fight.panels import hud
from game.scenes.setup import dialogs
from game.scenes.setup.pointing import SLACK
from game.setup import bestiary, forms
from game.widgets.controls import Button, Label
from game.widgets.core import Scroll, Tip, Widget, column, row
from game.widgets.fields import ChoiceField, Mark, TextField
from game.widgets.menu import Tile
from rules.core.registry import ruleset as ruleset_of

if TYPE_CHECKING:
    from game.scenes.setup.scene import Setup

USUAL = "the usual side"


class Offered(Tile):
    """A creature of the bestiary: a click takes it into the hand, a drag carries it to the board."""

    def __init__(self, scene: Setup, template: str, entry: Mapping[str, Any], side: str) -> None:
        super().__init__(
            str(entry.get("name", template)),
            str(entry.get("kind", "")) + (f" · weight {entry['threat']}" if entry.get("threat") else ""),
            hud.likeness(str(entry.get("art", template)), side),
            partial(scene.steering.take, template),
            chosen=scene.brush == template,
            key=f"offer {template}",
            size=34,
            width=2000,
            tip=about(entry),
        )
        self.scene, self.template = scene, template
        self._start = (0, 0)

    def handle(self, event: pygame.event.Event) -> bool:
        pointing = self.scene.pointing
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._start = event.pos
        elif event.type == pygame.MOUSEMOTION and self.held:
            moved = abs(event.pos[0] - self._start[0]) + abs(event.pos[1] - self._start[1])
            if pointing.drag or moved > SLACK:
                pointing.carry(self.template, event.pos)
            return True
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1 and pointing.drag:
            self.held = False
            pointing.put_carried(event.pos)
            return True
        return super().handle(event)


def about(entry: Mapping[str, Any]) -> Tip:
    """What a creature of the bestiary is and carries."""
    carried = (*entry.get("weapons", ()), entry.get("shield"), entry.get("armor"))
    gear = ", ".join(str(part) for part in carried if part)
    parts = (str(entry.get("summary", "")), gear)
    return Tip("\n".join(part for part in parts if part), str(entry.get("name", "")))


def fitting(ruleset: str, query: str) -> list[tuple[str, bestiary.Entries]]:
    """The bestiary by headings, as far as it fits what is searched for: name, kind, what it tells or carries."""
    want = query.casefold().split()

    def fits(name: str, entry: Mapping[str, Any]) -> bool:
        told = (name, entry.get("name"), entry.get("kind"), entry.get("summary"), entry.get("temperament"))
        text = " ".join([*map(str, told), *map(str, entry.get("weapons", ()))]).casefold()
        return all(word in text for word in want)

    groups = (
        ("Your heroes", bestiary.own(ruleset)),
        ("Heroes", bestiary.heroes(ruleset)),
        ("Bestiary", bestiary.monsters(ruleset)),
    )
    return [(title, {n: e for n, e in entries.items() if fits(n, e)}) for title, entries in groups]


def panel(scene: Setup) -> Widget:
    """The bestiary as a panel of its own."""
    return column(*parts(scene), gap=6, pad=10, plate="panel")


def parts(scene: Setup, *, short: bool = False) -> list[Widget]:
    """Search, the side to put down for, everybody there is, and a ready party; `short` ones save height."""
    quiet = "Search" if short else "Search the bestiary"
    search = TextField(
        "search", scene.query, partial(_search, scene), scene.memory, quiet=quiet,
        on_enter=partial(_first, scene), tip=Tip("Ctrl+F or /; Enter takes the first into the hand."),
    )  # fmt: skip
    sides = [USUAL, *dict.fromkeys((encounter.HEROES, encounter.MONSTERS, *scene.editor.draft.sides()))]
    chosen = scene.brush_side or USUAL
    side = ChoiceField(
        "brush side", chosen, sides, partial(_side, scene),
        partial(dialogs.pick, scene, "Put down for", sides, partial(_side, scene), now=chosen),
        tip=Tip("The side that a new creature joins."),
    )  # fmt: skip
    side.grow = 1
    tiles: list[Widget] = []
    for title, entries in fitting(scene.ruleset, scene.query):
        if entries:
            tiles.append(Label(title, "label!", "gold"))
        for name, entry in entries.items():
            tiles.append(Offered(scene, name, entry, scene.steering.side_for(name)))
    if not tiles:
        near = forms.nearest(scene.query, list(bestiary.monsters(scene.ruleset)))
        tiles.append(Label("Nobody is called so." + (f" Did you mean {near[0]}?" if near else ""), colour="quiet"))
    if short:
        tiles = [*_at_once(scene), *tiles]
    scroll = Scroll(column(*tiles, gap=4), key="bestiary")
    scroll.offset = scene.offsets.get("bestiary", 0)
    scroll.on_scroll = partial(scene.offsets.__setitem__, "bestiary")
    scroll.grow = 1
    search.grow = 1
    line = row(search, gap=2)
    if scene.query:
        line.content.append(Mark("away", partial(_search, scene, ""), key="clear search", tip=Tip("Everybody again.")))
    page = Button("Page", partial(_page, scene), key="page", slim=True,
                  tip=Tip("The bestiary: what the creature in hand does, and its odds."))  # fmt: skip
    lines: list[Widget] = [line, row(Label("for", "small", "quiet"), side, page, gap=6)]
    if short:
        lines = [row(*line.content, side, page, gap=6)]
    return [*lines, scroll] if short else [*lines, scroll, *_at_once(scene)]


def _at_once(scene: Setup) -> list[Widget]:
    """Whole sides with one press."""
    party = Tip("The heroes into their start zone; with nobody there yet, a ready party.")
    foes = Tip("Foes that fit the map, about as strong as the party, in their start zone.")
    buttons: list[Widget] = [
        Button("Party to the start", scene.steering.heroes, key="party", tip=party),
        Button("Draw foes for me", scene.steering.draw_foes, key="foes", tip=foes),
    ]
    if tools := ruleset_of(scene.ruleset).tools:
        told = Tip(", ".join(tool.label for tool in tools) + ".")
        buttons.append(Button("At the table …", partial(_tools, scene), key="tools", tip=told))
    return buttons


def _tools(scene: Setup) -> None:
    from game.scenes.setup.tools import Tools

    scene.app.push(Tools(scene))


def _page(scene: Setup) -> None:
    """The bestiary at the page of who is in the hand, with the party on the table."""
    pieces = scene.editor.draft.pieces
    party = [str(p.entry.get("template")) for p in pieces if p.side == encounter.HEROES]
    scene.app.navigator.bestiary(scene.ruleset, chosen=scene.brush, party=party)


def _search(scene: Setup, text: str) -> None:
    scene.query = text
    scene.offsets["bestiary"] = 0
    scene.rebuild()


def _first(scene: Setup) -> None:
    """Enter in the search takes the first that fits."""
    for _, entries in fitting(scene.ruleset, scene.query):
        for name in entries:
            scene.brush = None
            scene.steering.take(name)
            return


def _side(scene: Setup, side: str) -> None:
    scene.brush_side = "" if side == USUAL else side
    scene.rebuild()

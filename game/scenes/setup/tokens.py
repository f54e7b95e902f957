"""Pictures of one's own for the selected: chosen among those kept, or cut out of a file, round as the base is."""

from __future__ import annotations

import io
from functools import partial
from pathlib import Path

import pygame

from game.scenes.dialogs.panels import Panel
from game.scenes.fight.panels.card import likeness
from game.scenes.setup.keeping import art_of
from game.scenes.setup.workspace import Workspace
from game.storage import tokens
from game.storage.tokens import Cut, Sheet
from game.view import minis
from game.view.palette import GOLD
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Draggable, Scroll, Space, Tip, Widget, column, grown, row
from game.widgets.fields import TextField
from game.widgets.figures import Picture
from game.widgets.menu import Tile
from game.widgets.theme import Look
from rules.contract.text import text

ROOM = 300.0
"""Pixels (at 100 %) of the picture that is cut."""
STEP, NEARER = 0.02, 1.12
"""Of the picture by which an arrow shifts it, and by how much + brings it nearer."""


def ask(workspace: Workspace) -> None:
    """The pictures for the selected."""
    if workspace.editor.chosen():
        workspace.app.push(Tokens(workspace))
    else:
        workspace.toast("Select whom the picture is for.")


def dropped(workspace: Workspace, path: Path) -> None:
    """A picture file for the selected. What is wrong with it is said."""

    def call() -> None:
        workspace.app.push(Cutting(workspace, tokens.opened(path)))

    workspace.app.guard(call)


def set_art(workspace: Workspace, art: object) -> None:
    """The picture of everybody who is selected."""
    workspace.editor.set_field("art", art)
    workspace.refresh()


class Tokens(Panel):
    """The tokens that are kept, and a line for the path of a picture."""

    name = "tokens"
    key_groups = ("general",)
    width = 520.0
    first = "typed"

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace.app)
        self.workspace = workspace

    def content(self) -> Box:
        block = self.workspace.editor.block(self.workspace.editor.chosen()[0])
        now, side = art_of(block), str(block.get("side", "monsters"))
        line = TextField("typed", self.query, self.search, self.memory, on_enter=self._open,
                         quiet="Search, or the path of a PNG, JPEG or WebP")  # fmt: skip
        tiles: list[Widget] = []
        for name in tokens.tokens():
            if self._is_path or self.query.casefold() in name.casefold():
                art = tokens.art_of(name, tokens.parts(now)[1])
                take, here = self.then(partial(set_art, self.workspace, art)), tokens.parts(now)[0] == name
                face = likeness(art, side)
                tiles.append(Tile(name, "", face, take, chosen=here, key=f"token {name}", size=48, width=150))
        if not tiles:
            tiles.append(Label("None of your own yet.", colour="quiet"))
        drawn = tokens.parts(now)[1]
        buttons: list[Widget] = []
        if tokens.parts(now)[0]:
            buttons.append(
                Button("The drawing again", self.then(partial(set_art, self.workspace, drawn)), key="drawing")
            )
        open_it = Button("Open", self._open, key="open picture", gold=self._is_path, enabled=self._is_path)
        listing = grown(Scroll(row(*tiles, gap=6, wrap=True), height=220))
        return column(
            row(Picture(likeness(now, side), 56), Label("A picture of its own", "heading", "bright"), gap=12),
            row(grown(line), open_it, gap=8), Label("A file may also be dropped onto the window.", "small", "quiet"),
            listing, row(*buttons, Space(grow=1), self.leave_button(key="back"), gap=8), gap=10,
        )  # fmt: skip

    @property
    def _is_path(self) -> bool:
        return (
            "/" in self.query or "\\" in self.query or self.query.lower().endswith((".png", ".jpg", ".jpeg", ".webp"))
        )

    def _open(self) -> None:
        if self._is_path:
            self.then(partial(dropped, self.workspace, Path(self.query.strip()).expanduser()))()

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.DROPFILE:
            self.then(partial(dropped, self.workspace, Path(event.file)))()
            return True
        return super().handle(event)


class Cropper(Draggable):
    """A picture with the circle that will be the token: a drag moves it, the wheel brings it nearer."""

    focusable = True

    def __init__(self, panel: Cutting) -> None:
        super().__init__(key="cropper", tip=Tip("Drag to move it, the wheel or + and − to bring it nearer."))
        self.panel = panel
        self._last = (0, 0)

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (width, look.px(ROOM))

    @property
    def _circle(self) -> float:
        """Pixels of the circle's diameter."""
        return 0.86 * self.rect.height

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        cut, sheet = self.panel.cut, self.panel.sheet
        scale = self._circle * cut.near / min(sheet.size)
        part = pygame.Rect(0, 0, 1, 1)
        part.size = (max(1, round(self.rect.width / scale)), max(1, round(self.rect.height / scale)))
        part.center = (round(cut.across * sheet.size[0]), round(cut.down * sheet.size[1]))
        whole = part.clip(pygame.Rect((0, 0), sheet.size))
        before = surface.get_clip()
        surface.set_clip(self.rect.clip(before))
        surface.fill(look.colour("night"), self.rect)
        if whole.width and whole.height:
            size = (max(1, round(whole.width * scale)), max(1, round(whole.height * scale)))
            shown = pygame.transform.smoothscale(self.panel.picture.subsurface(whole), size)
            left = self.rect.centerx + round((whole.left - cut.across * sheet.size[0]) * scale)
            top = self.rect.centery + round((whole.top - cut.down * sheet.size[1]) * scale)
            surface.blit(shown, (left, top))
        veil = pygame.Surface(self.rect.size, pygame.SRCALPHA)
        veil.fill((7, 9, 13, 170))
        middle = (self.rect.width // 2, self.rect.height // 2)
        pygame.draw.circle(veil, (0, 0, 0, 0), middle, round(self._circle / 2))
        pygame.draw.circle(veil, GOLD, middle, round(self._circle / 2) + look.px(2), look.px(2))
        surface.blit(veil, self.rect)
        surface.set_clip(before)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEWHEEL:
            self.panel.nearer(NEARER**event.y)
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._last = event.pos
        return super().handle(event)

    def drag(self, event: pygame.event.Event) -> None:
        scale = self._circle * self.panel.cut.near / min(self.panel.sheet.size)
        across, down = event.pos[0] - self._last[0], event.pos[1] - self._last[1]
        self._last = event.pos
        self.panel.shift(-across / scale / self.panel.sheet.size[0], -down / scale / self.panel.sheet.size[1])


class Cutting(Panel):
    """A picture is cut to a token: arrows move it, + and − bring it nearer or away, Enter keeps it."""

    name = "cutting"
    key_groups = ("general",)
    width = 520.0
    first = "use token"

    def __init__(self, workspace: Workspace, sheet: Sheet) -> None:
        super().__init__(workspace.app)
        self.workspace, self.sheet = workspace, sheet
        self.cut = Cut().settled(sheet.size)
        try:
            found = pygame.image.load(io.BytesIO(sheet.data), sheet.path.name)
            self.picture = pygame.transform.smoothscale(found.convert_alpha(), sheet.size)  # as its header says
        except (pygame.error, ValueError, MemoryError):
            raise tokens.TokenProblem("{name}: is broken: its picture cannot be decoded", sheet.path.name) from None

    def shift(self, across: float, down: float) -> None:
        """Another part of the picture, by shares of it."""
        self.cut = self.cut._replace(across=self.cut.across + across, down=self.cut.down + down).settled(
            self.sheet.size
        )
        self.dirty = True

    def nearer(self, times: float) -> None:
        self.cut = self.cut._replace(near=self.cut.near * times).settled(self.sheet.size)
        self.dirty = True

    def content(self) -> Box:
        use = Button("Use it", self.use, gold=True, hint="Enter", key="use token")
        told = "Drag it, or arrows; the wheel, + and − bring it nearer."
        return column(
            Label(text("A token of {file}", self.sheet.path.name), "heading", "bright"), Cropper(self),
            Label(told, "small", "quiet"), row(Space(grow=1), self.leave_button(key="back"), use, gap=10), gap=10,
        )  # fmt: skip

    def handle(self, event: pygame.event.Event) -> bool:
        arrows = {pygame.K_LEFT: (-1, 0), pygame.K_RIGHT: (1, 0), pygame.K_UP: (0, -1), pygame.K_DOWN: (0, 1)}
        if event.type == pygame.KEYDOWN and event.key in arrows:
            self.shift(*(STEP * step / self.cut.near for step in arrows[event.key]))
            return True
        if event.type == pygame.KEYDOWN and event.unicode in ("+", "-"):
            self.nearer(NEARER if event.unicode == "+" else 1 / NEARER)
            return True
        return super().handle(event)

    def use(self) -> None:
        """Keep it, and give it to the selected; each goes on naming its drawing, for those who don't have the token."""
        found: list[str] = []

        def call() -> None:
            found.append(tokens.keep(self.sheet, self.cut))

        if not self.app.guard(call):
            return
        minis.forget()
        self.app.pop()
        chosen = self.workspace.editor.chosen()
        if not chosen:
            self.workspace.toast(text("The token {name} is kept.", found[0]))
            return
        set_art(self.workspace, tokens.art_of(found[0], art_of(self.workspace.editor.block(chosen[0]))))

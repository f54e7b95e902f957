"""What the library shows: the folders, the encounters with their grounds, all that is known of the chosen one."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import pygame

from game.scenes.library.desk import Desk
from game.scenes.library.dialogs import STEP, short
from game.setup.glimpse import Glimpse
from game.storage import library
from game.view.palette import side_colour
from game.view.thumbnail import fitted, sketched
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Space, Tip, Widget, column, grown, row
from game.widgets.fields import TextField
from game.widgets.menu import Tile
from game.widgets.theme import Look
from rules.contract.text import joined, ntext, text

KEPT = 200
"""Pictures that are kept."""
MOST_LISTED = 200
MOST_TAGS = 14
"""Tags that are offered to filter by."""
TILE = 66
PICTURE = 150
"""Pixels (at 100 %) that the grounds are high, in the list and, at least, of the chosen one."""
SHARE = 0.27
"""Of the window's height that the ground of the chosen one has."""

_pictures: OrderedDict[tuple[object, ...], pygame.Surface] = OrderedDict()


def picture(one: Glimpse, size: tuple[int, int]) -> pygame.Surface:
    """The ground of an encounter with everybody on it; nothing for one that could not be read (yet)."""
    if one.ground is None:
        return pygame.Surface(size, pygame.SRCALPHA)
    key = (one.path, one.save.when, one.standing, size)
    if key not in _pictures:
        dots = [(at.column, at.row, side_colour(at.side)) for at in one.standing]
        _pictures[key] = fitted(sketched(one.ground), size, dots)
        while len(_pictures) > KEPT:
            _pictures.popitem(last=False)
    return _pictures[key]


class Ground(Widget):
    """The ground of an encounter, large."""

    def __init__(self, one: Glimpse, high: float = PICTURE) -> None:
        super().__init__()
        self.one, self.high = one, high

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (width, look.px(self.high))

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        pygame.draw.rect(surface, look.colour("night"), self.rect, border_radius=look.px(8))
        inner = self.rect.inflate(-look.px(10), -look.px(10))
        surface.blit(picture(self.one, inner.size), inner)


class Listed(Tile):
    """An encounter in the list: a click chooses it, another opens it, the right button says what can be done.

    It can be dragged onto a folder.
    """

    def __init__(self, one: Glimpse, scene: Desk) -> None:
        save = one.save
        line = joined(" · ", (part for part in (_tagged(one), save.told()) if part))
        super().__init__(
            save.heading, line, lambda size: picture(one, (size * 4 // 3, size)), partial(scene.press, one.path),
            chosen=one.path == scene.at, key=f"encounter {one.path}", size=TILE, width=4000,
            tip=Tip(save.told(), save.heading, one.path.name),
        )  # fmt: skip
        self._menu = partial(scene.context_of, one.path)
        self._drop = partial(scene.dropped, one)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONUP and event.button == 1 and not self.rect.collidepoint(event.pos):
            self.held = False
            return self._drop(event.pos)
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 3:
            self._menu(event.pos)
            return True
        return super().handle(event)


def _tagged(one: Glimpse) -> str:
    return " ".join(f"#{tag}" for tag in one.about.tags)


def folders(scene: Desk, *, wrap: bool) -> Widget:
    """The folders with how many encounters are in each, those within others standing in; side by side in `wrap`."""
    known = library.folders()
    counted = Counter(library.folder_of(path) for path in scene.found)
    rows: list[Widget] = []
    for folder in known:
        whole = sum(n for name, n in counted.items() if not folder or f"{name}/".startswith(f"{folder}/"))
        button = Button(
            text("{folder} ({n})", short(folder), whole), partial(scene.enter, folder), chosen=folder == scene.folder,
            left=True, quiet=folder != scene.folder, key=f"folder {folder}", slim=wrap,
        )  # fmt: skip
        deep = folder.count("/") + 1 if folder else 0
        rows.append(button if wrap or not deep else row(Space(STEP * deep - 6), grown(button), gap=0))
    if wrap:
        return row(*rows, gap=4, wrap=True)
    return column(*rows, gap=3)


def tags(scene: Desk) -> Widget | None:
    """The tags that there are, those used most first, to list only what bears one."""
    counted = Counter(tag for one in scene.found.values() for tag in one.about.tags)
    most = sorted(counted, key=lambda tag: (-counted[tag], tag))[:MOST_TAGS]
    words = scene.query.casefold().split()
    chips = [
        Button(f"#{tag}", partial(scene.filter_by, tag), slim=True, chosen=f"#{_one(tag)}" in words, key=f"tag {tag}")
        for tag in most
    ]
    return row(*chips, gap=4, wrap=True) if chips else None


def _one(tag: str) -> str:
    """A tag as it is searched for: its first word finds it."""
    return tag.split(" ")[0]


def listing(scene: Desk, found: Sequence[Glimpse]) -> Widget:
    """The encounters that fit."""
    rows: list[Widget] = [Listed(one, scene) for one in found[:MOST_LISTED]]
    if (more := len(found) - MOST_LISTED) > 0:
        rows.append(Label(text("and {what} more: search for them", more), "small", "quiet"))
    if not rows:
        told = "Nothing fits." if scene.query else "No encounter lies here yet."
        if not scene.found:
            told = "There is no prepared encounter yet: save one under Prepare an encounter."
        rows.append(Label(told, colour="quiet"))
    return column(*rows, gap=5, pad=3)


def chosen(scene: Desk, one: Glimpse | None) -> Widget:
    """The chosen encounter: its ground, what it says, its tags and notes, what can be done with it."""
    if one is None:
        return Label("Choose an encounter: what is in it stands here.", colour="quiet")
    shown, save = scene.app.keys.shown, one.save
    high = max(PICTURE, SHARE * scene.size[1] / scene.app.look.scale)
    parts: list[Widget] = [Label(save.heading, "heading", "bright"), Ground(one, high)]
    parts += [Label(line, "small", colour) for line, colour in _told(one)]
    about = one.about
    parts.append(_field("Tags", TextField(
        "tags", ", ".join(about.tags) if scene.typed_tags is None else scene.typed_tags, scene.tagged, scene.memory,
        quiet="undead, level 2, finale", most=library.MOST_TAG * library.MOST_TAGS,
        tip=Tip("Words with commas between them; the search finds #word."),
    )))  # fmt: skip
    parts.append(_field("Notes", TextField(
        "notes", about.notes, scene.noted, scene.memory, quiet="What you want to remember of it",
        most=library.MOST_NOTES,
    )))  # fmt: skip
    if about.notes:
        parts.append(Label(about.notes, "small", "text"))
    parts.append(row(*_deeds(scene, shown, playable=not save.fault), gap=6, wrap=True))
    return column(*parts, gap=9)


def _field(label: str, field: Widget) -> Box:
    return column(Label(label, "small", "gold"), field, gap=2)


def _told(one: Glimpse) -> Iterable[tuple[str, str]]:
    """Lines on the chosen one with their colours."""
    save = one.save
    if save.fault:
        yield text("Broken: {fault}", save.fault), "coral"
        return
    yield save.told(), "quiet"
    folder = library.folder_of(one.path)
    yield text("{file}, in {folder}", one.path.name, folder) if folder else one.path.name, "quiet"
    if one.names:
        counted = Counter(one.names)
        named = (text("{n} × {name}", n, name) if n > 1 else name for name, n in counted.items())
        yield joined(", ", named), "text"
    if one.tied:
        yield "Its map lies beside it: it stays in its folder.", "gold"


def _deeds(scene: Desk, shown: Callable[[str], str], *, playable: bool) -> Sequence[Button]:
    return [
        Button("Edit", scene.open, gold=True, hint=shown("library_open"), key="open", enabled=playable,
               on_refused=scene.open),
        Button("Play", scene.play, hint=shown("library_play"), key="play", enabled=playable, on_refused=scene.play),
        Button("Rename", scene.rename, hint=shown("library_rename"), key="rename"),
        Button("Duplicate", scene.duplicate, hint=shown("library_double"), key="duplicate"),
        Button("Move", scene.move, hint=shown("library_move"), key="move"),
        Button("Delete", scene.delete, hint=shown("library_delete"), key="delete"),
    ]  # fmt: skip


def count_told(listed: int, whole: int, looking: int) -> str:
    """How many are listed, and how many of all were not looked into yet."""
    told = ntext(listed, "{n} encounter", "{n} encounters")
    if listed < whole:
        told = text("{n} of {all} encounters", listed, whole)
    return text("{told}; looking into {n} more", told, looking) if looking else told

"""The chronicle in the window: the evening so far as a tale with pictures, to read, to turn over, and to write out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pygame

from game import paths
from game.chronicle import paper, pictures
from game.chronicle.tale import Plate, Tale, written
from game.fight.match import Match, load_fight
from game.fight.viewing import View
from game.scenes.base import Shell
from game.scenes.dialogs.panels import Panel, message
from game.storage import campaigns
from game.storage.files import write_whole
from game.storage.records import slug
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Space, Tip, Widget, column, grown, row
from game.widgets.figures import Rule
from game.widgets.theme import Look
from rules.contract.errors import BattlematError, said
from rules.contract.text import text

LINE = 56
"""Pixels that an arrow key turns, at 100 %."""
WIDE = 620
"""Pixels of a line of prose at most, at 100 %."""
NARROW = 430
"""Pixels of the width of a small picture."""


class Picture(Widget):
    """A picture as wide as the prose; an empty frame while it is being drawn."""

    def __init__(self, picture: pygame.Surface | None, size: tuple[int, int], *, small: bool, key: str) -> None:
        super().__init__(key=key)
        self.picture, self.size, self.small = picture, size, small
        self._scaled: pygame.Surface | None = None

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        wide = min(width, look.px(NARROW if self.small else WIDE))
        return wide, round(wide * self.size[1] / self.size[0])

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        rect = self.rect
        if self.picture is None:
            look.panel(surface, rect, fill="night", edge="faint")
            return
        if self._scaled is None or self._scaled.get_size() != rect.size:
            self._scaled = pygame.transform.smoothscale(self.picture, rect.size)
        surface.blit(self._scaled, rect)


class ChronicleScene(Panel):
    """The tale as the views of the table may know it; pictures come one after the other while it is read."""

    name = "chronicle"
    width = 720.0
    first = "leave"
    key_groups = ("general",)

    def __init__(self, app: Shell, match: Match, views: Sequence[View]) -> None:
        super().__init__(app)
        self.match, self.views, self.seen_as = match, tuple(views), 0
        self.tale: Tale = written(match, self.views[0].sides)
        self.began = match
        self.campaign = campaigns.of(match.record) if match.record.expedition else None
        self.drawn: dict[int, pygame.Surface] = {}
        """Number of a plate -> its picture."""
        self.sizes: dict[int, tuple[int, int]] = {}

    # -- whose tale

    def look_as(self, number: int) -> None:
        """Tell it as another view knows it."""
        self.seen_as = number % len(self.views)
        self.tale, self.drawn = written(self.match, self.views[self.seen_as].sides), {}
        self.sizes.clear()
        self.offsets.clear()
        self.rebuild()

    # -- other evenings

    def _others(self) -> list[tuple[int, Callable[[], None]]]:
        """The evenings before and after this one, as far as they are kept, and that from which one came here."""
        campaign, own = self.campaign, self.match.record.evening
        if campaign is None:
            return []
        began = self.began.record.evening
        found: dict[int, Callable[[], None]] = {
            number: partial(self._turn_to, path) for number, path in campaign.evenings.items()
        }
        found[began] = partial(self._tell, self.began)
        return [(number, call) for number, call in sorted(found.items()) if abs(number - own) == 1]

    def _turn_to(self, path: Path) -> None:
        """Tell another evening in this one's place, as the same views know it."""
        self.app.guard(lambda: self._tell(load_fight(path, self.app.loading())))

    def _tell(self, match: Match) -> None:
        self.match = match
        self.look_as(self.seen_as)

    # -- what is shown

    def content(self) -> Box:
        self.paged = grown(self.scrolled(self._pages(), "tale"))
        self.paged.grow = 1
        foot: list[Widget] = [
            Button("Write as a page", self.write_page, key="html", tip=Tip("One HTML file with its pictures in it.")),
            Button("Write as Markdown", self.write_markdown, key="markdown",
                   tip=Tip("A text file, with its pictures beside it.")),
        ]  # fmt: skip
        if len(self.views) > 1:
            label = text("View: {label}", label=self.views[self.seen_as].label)
            foot.append(Button(label, partial(self.look_as, self.seen_as + 1), key="view"))
        foot += [
            Button(text("Evening {number}", number), call, key=f"evening {number}",
                   tip=Tip("The tale of another evening at this place."))
            for number, call in self._others()
        ]  # fmt: skip
        return column(
            Label(self.tale.title, "figure", "gold", centred=True), self.paged,
            row(*foot, Space(grow=1), self.leave_button(key="leave", gold=True), gap=8, wrap=True), gap=12, pad=24,
        )  # fmt: skip

    def _pages(self) -> Widget:
        parts: list[Widget] = []
        if self.tale.story:
            parts += [*(Label(said, "text", "quiet") for said in self.tale.story), Space(height=4)]
        number = 0
        for chapter in self.tale.chapters:
            parts += [Label(chapter.heading, "heading", "bright")]
            for paragraph, plates in chapter.pages():
                parts.append(Label(paper.prose(paragraph)))
                for plate in plates:
                    parts += self._plate(number, plate)
                    number += 1
            parts.append(Space(height=6))
        parts.append(Rule())
        parts += [Label(paper.prose(paragraph), "text", "bright") for paragraph in self.tale.ending]
        return column(*parts, gap=9, pad=6)

    def _plate(self, number: int, plate: Plate) -> list[Widget]:
        size = self.sizes.setdefault(number, pictures.framed(self.tale, plate).size)
        picture = Picture(self.drawn.get(number), size, small=plate.small, key=f"picture {number}")
        caption = [Label(plate.caption, "small", "quiet", centred=True)] if plate.caption else []
        return [row(Space(grow=1), picture, Space(grow=1)), *caption]

    # -- pictures, one at a time

    def _next(self) -> tuple[int, Plate] | None:
        return next(((n, plate) for n, plate in enumerate(self.tale.plates) if n not in self.drawn), None)

    def update(self, dt: float) -> bool:
        changed = super().update(dt)
        found = self._next()
        if found is None or self.app.top is not self:
            return changed
        self.drawn[found[0]] = pictures.drawn(self.tale, found[1])
        self.rebuild()
        return True

    def pace(self) -> float | None:
        return 0.02 if self._next() is not None else super().pace()

    # -- turned over

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.KEYDOWN and self.paged is not None:
            page = self.paged
            far = {pygame.K_UP: -self.app.look.px(LINE), pygame.K_DOWN: self.app.look.px(LINE),
                   pygame.K_HOME: -page.total, pygame.K_END: page.total}.get(event.key)  # fmt: skip
            if far is not None and not event.mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT):
                self.dirty |= page.scroll(far)
                return True
        return super().handle(event)

    # -- written out

    def write_page(self) -> None:
        """Write it as one HTML file into the player's folder, and say where."""
        path = paths.user_folder("chronicles") / f"{slug(self.match.title)}.html"
        self._write(lambda: write_whole(path, paper.as_html(self.tale, pictures.png)), str(path))

    def write_markdown(self) -> None:
        """Write it as Markdown with its pictures beside it, and say where."""
        path = paths.user_folder("chronicles") / f"{slug(self.match.title)}.md"
        self._write(lambda: paper.write_markdown(self.tale, path), str(path))

    def _write(self, write: Callable[[], None], where: str) -> None:
        try:
            write()
        except BattlematError as error:
            message(self.app, "Not written", said(error))
            return
        message(self.app, "Written", where)


def chronicle(app: Shell, match: Match, views: Sequence[View]) -> None:
    """The tale of a fight, by the first of some views; the others by a button."""
    app.push(ChronicleScene(app, match, views))

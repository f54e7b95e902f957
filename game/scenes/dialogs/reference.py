"""The rules to look up in the game: chapters and terms at the left, the page at the right, a search over everything."""

from __future__ import annotations

from functools import partial

import pygame

from game.content import reference as handbook
from game.content.reference import Listing, Page, Sheet
from game.scenes.base import Shell
from game.scenes.dialogs.panels import Panel
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Sized, Space, Tip, Widget, column, grown, row
from game.widgets.fields import Memory, TextField
from game.widgets.text import Table
from rules.contract.errors import BattlematError
from rules.contract.text import text
from rules.core.registry import RULESETS, ruleset

LIST = 250
"""Width of the list at 100 %."""
INDENT = 12
"""How far entries stand in the list that lie below another one, at 100 %."""


class Reference(Panel):
    """`asked`: words (a term, a rule) on whose page it opens."""

    name = "reference"
    width = 1120.0
    first = "search"
    key_groups = ("general",)

    def __init__(self, app: Shell, *asked: str, ruleset_id: str = "") -> None:
        super().__init__(app)
        match = self.match_below()
        self.ruleset_id = ruleset_id or (match.ruleset.id if match is not None else next(iter(RULESETS)))
        self.page: Page | None = None
        self.fault = ""
        self.been: list[Page] = []
        """Pages to go back to, the latest last."""
        self._turned = True
        """A page has been turned to since the list was built."""
        self._entry: Widget | None = None
        """The page's own entry in the list."""
        self._turn_to(self._find(asked))

    # -- looking up

    def _find(self, asked: tuple[str, ...]) -> Page | None:
        try:
            return handbook.find(self.ruleset_id, *asked) or next(iter(handbook.pages(self.ruleset_id)), None)
        except BattlematError as error:
            self.fault = str(error)
            return None

    def found(self) -> list[Page]:
        """What the list holds: everything, or what the search has found."""
        return [] if self.fault else handbook.search(self.ruleset_id, self.query)

    def _turn_to(self, page: Page | None) -> None:
        self.page, self._turned = page, True

    def open(self, page: Page) -> None:
        """Turn to a page; Back leads to the one before."""
        if self.page is not None and page != self.page:
            self.been.append(self.page)
        self._turn_to(page)
        self.rebuild()

    def back_a_page(self) -> None:
        """The page before, if there was one."""
        if self.been:
            self._turn_to(self.been.pop())
            self.rebuild()

    def _use(self, name: str) -> None:
        self.ruleset_id, self.query, self.been, self.fault, self.offsets["list"] = name, "", [], "", 0
        self.memory = Memory()
        self._turn_to(self._find(()))
        self.rebuild()

    def _search(self, text: str) -> None:
        self.query, self.offsets["list"] = text, 0
        found = self.found()
        if text.strip() and found:
            self._turn_to(found[0])
        self.rebuild()

    # -- the window

    def content(self) -> Box:
        found = self.found()
        field = TextField(
            "search", self.query, self._search, self.memory, most=60, quiet="Search the rules",
            on_enter=lambda: self.open(found[0]) if found else None,
        )  # fmt: skip
        tabs = [
            Button(ruleset(name).title, partial(self._use, name), key=f"rules {name}", slim=True,
                   chosen=name == self.ruleset_id)
            for name in RULESETS
        ]  # fmt: skip
        head = row(Label("Rules", "heading", "bright"), Space(width=8), *tabs, gap=6, wrap=True)
        high = max(160.0, self.size[1] / self.app.look.scale - 240.0)
        self._listing = self.scrolled(self._list(found), "list", height=high)
        self._listing.grow = 0
        self.paged = grown(Scroll(self._shown(), height=high, key="page"))
        left = Sized(column(field, self._listing, gap=8), LIST, high + 40)
        before = Button(
            "Page before", self.back_a_page, key="before", hint="Alt+Left", enabled=bool(self.been), slim=True
        )
        foot = row(before, Space(grow=1), self.leave_button(gold=True))
        return column(head, row(left, self.paged, gap=18, align="start"), foot, gap=12)

    def build(self) -> None:
        super().build()
        if self._turned and self._entry is not None:
            self._listing.show(self._entry)  # where the page stands, wherever one came from
        self._turned = False

    def _list(self, found: list[Page]) -> Widget:
        parts: list[Widget] = []
        chapter, self._entry = "", None
        for number, page in enumerate(found):
            if page.chapter != chapter and not self.query.strip():
                chapter = page.chapter
                parts.append(Label(chapter, "label!", "gold"))
            tip = Tip(page.chapter) if self.query.strip() else None
            entry = grown(Button(page.title, partial(self.open, page), key=f"page {number}", left=True, quiet=True,
                                 slim=True, chosen=page == self.page, tip=tip))  # fmt: skip
            if page == self.page:
                self._entry = entry
            indented = page.depth and not self.query.strip()
            parts.append(row(Space(width=INDENT * page.depth), entry, gap=0) if indented else entry)
        if not found:
            parts.append(Label(self.fault or "Nothing in these rules has all of these words.", colour="quiet"))
        return column(*parts, gap=2, pad=2)

    def _shown(self) -> Widget:
        page = self.page
        if page is None:
            return column(Label(self.fault or "These rules have nothing to look up.", colour="quiet"))
        parts: list[Widget] = [
            Label(page.title, "heading", "bright"),
            Label(text("{chapter} · {rule}", page.chapter, page.rule), "small", "faint"),
            *(_block(block) for block in page.blocks),
        ]
        if more := handbook.related(self.ruleset_id, page):
            links = (Button(to.title, partial(self.open, to), key=f"see {n}", slim=True) for n, to in enumerate(more))
            parts += [Label("See also", "label!", "gold"), row(*links, gap=6, wrap=True)]
        return column(*parts, gap=9, pad=4)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.KEYDOWN and event.key == pygame.K_LEFT and event.mod & pygame.KMOD_ALT:
            self.back_a_page()
            return True
        return super().handle(event)


def _block(block: str | Listing | Sheet) -> Widget:
    """A paragraph, a table, or a list: each item beside its dot or number."""
    if isinstance(block, str):
        return Label(block)
    if isinstance(block, Sheet):
        return Table(block.head, block.rows)
    items = []
    for number, item in enumerate(block.items, 1):
        sign = Label(f"{number}." if block.numbered else "•", colour="gold")
        items.append(row(sign, grown(Label(item)), gap=8, align="start"))
    return column(*items, gap=4)


def reference(app: Shell, *asked: str) -> None:
    """The rules, on the page that is asked for; once more: back."""
    if isinstance(app.top, Reference):
        app.pop()
    else:
        app.push(Reference(app, *asked))

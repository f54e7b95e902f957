"""Before the door: a place that is to be gone into again, as it was left; who goes, and the evenings so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pygame

from game.app.sounds import Backdrop
from game.characters import files, returning
from game.characters.files import unready_heroes
from game.characters.heroes import art
from game.characters.roster import roster
from game.chronicle import paper, pictures
from game.chronicle.reckoning import Reckoning, reckoned, so_far
from game.fight.account import Account
from game.fight.match import Match, fresh_seed, load_fight
from game.fight.viewing import Eyes, views_of_file
from game.scenes.base import Scene, Shell
from game.scenes.chronicle import Picture
from game.scenes.fight.panels.card import likeness
from game.scenes.fight.panels.goals import rows
from game.scenes.fight.ways import begin
from game.scenes.title import Title, back_label
from game.scenes.workshop.bench import title
from game.storage import campaigns
from game.storage.campaigns import Campaign, Stage
from game.widgets.controls import Button, Label
from game.widgets.core import Space, Tip, Widget, column, row
from game.widgets.menu import Tile
from rules.board.grid import Field
from rules.board.places import Part, Room
from rules.contract.ruleset import PARTY
from rules.contract.text import joined, ntext, text, titled
from rules.contract.units import Bitboard
from rules.core import record as records

TIGHT, SHORT = 860, 520
SHARES = (0.34, 0.34, 0.32)
"""Of the width: who goes, what waits, the evenings."""
HOUR, DAY = 60, 24 * 60
MAP = (560, 420)
"""Pixels of the picture of a map at most."""
WORDS = 110
"""So much of the end of the last evening's tale is told."""


def ago(minutes: int) -> str:
    """How long it is since the last evening."""
    if not minutes:
        return "At once"
    days, hours = minutes // DAY, minutes // HOUR
    if days:
        return ntext(days, "{n} day later", "{n} days later")
    return ntext(hours, "{n} hour later", "{n} hours later") if hours else ntext(
        minutes, "{n} minute later", "{n} minutes later")  # fmt: skip


def rooms_seen(field: Field, ground: Bitboard) -> list[Room]:
    """The rooms of which some floor was seen: who sees a room's wall from outside has not seen the room."""
    floor = ground & ~field.terrain(0).blocked
    return [room for room in field.rooms if room.cells & floor]


class Door(Scene):
    """Who goes in again, and what they know of the place."""

    name = "door"

    def __init__(self, app: Shell, match: Match, campaign: Campaign) -> None:
        super().__init__(app)
        self.match, self.campaign = match, campaign
        self.notes: tuple[str, ...] = ()
        self.party: list[str] | None = None
        """Ids of who goes; None until it is known who came home."""
        self.came: tuple[str, ...] = ()
        self.lost: tuple[str, ...] = ()
        self.tight = False
        self.eyes = Eyes(match, [PARTY])
        self.ground = self.eyes.known()
        """The spaces that the party has seen."""
        self.reckoning: Reckoning | None = None
        """What the last evening came to; None until that was counted."""
        self.maps: dict[str, pygame.Surface | None] = {}
        """Name of a map -> its known ground, drawn one after the other while one looks."""

    def backdrop(self) -> Backdrop:
        return Backdrop("camp dark")

    def entered(self) -> None:
        """Also after a camp: who can go may have changed, and time has passed."""
        self.campaign = campaigns.read(self.campaign.folder)
        home = returning.come_home(self.match)
        self.came, self.lost = tuple(hero.id for hero in home.heroes), home.lost
        self.own = files.heroes(self.match.record.ruleset)
        gone = returning.taken_up(self.campaign.evenings.values())
        known = returning.may_go(self.match.record.ruleset)
        self.known = {name: block for name, block in known.items() if name not in gone}
        self.unready = unready_heroes(self.match.record.ruleset)
        before = self.party if self.party is not None else [*self.campaign.party] or [*self.came]
        self.party = [name for name in before if name in self.known][: returning.MOST]
        super().entered()

    # -- layout

    def build(self) -> None:
        look, (wide, high) = self.app.look, self.size
        tight = self.tight = wide / look.scale < TIGHT or high / look.scale < SHORT
        margin, gap = look.px(8 if tight else 18), look.px(6 if tight else 12)
        size = "heading" if tight else "figure"
        head = row(Label(back_label(self.campaign.title), size, "bright", one_line=True), Space(grow=1),
                   Label(ago(self.campaign.minutes), "label", "gold"))  # fmt: skip
        foot = self._foot()
        room, low = self.place_head(head, foot, margin, gap)
        widths = [round((room.width - 2 * gap) * share) for share in SHARES]
        boxes = [column(panel, pad=8 if tight else 14, plate="panel") for panel in
                 (self._people(), self._waiting(), self._evenings())]  # fmt: skip
        self.place_beside(room, zip(boxes, widths, strict=True), gap)
        self.ui.add(foot, low)
        if self.ui.focus is None and not self.ui.remembers:
            self.ui.focus_key("go in")

    def _foot(self) -> Widget:
        party, count = self.party or [], len(self.campaign.openings) + 1
        away = Button("Go in", self._go, gold=bool(party), large=not self.tight, key="go in",
                      enabled=bool(party), on_refused=partial(self.app.complain, "Nobody is chosen to go in."),
                      hint=self.app.keys.shown("confirm"))  # fmt: skip
        rest = Tip("Wounds, rest; the more time passes, the better those in there have rested, too.")
        camp = Button("Camp", self._camp, key="camp", enabled=bool(self.came), slim=self.tight,
                      on_refused=partial(self.app.complain, "Nobody came home to camp."), tip=rest)  # fmt: skip
        told = Label(text("Evening {number}", count), "label", "quiet")
        return row(self.leave_button(), camp, Space(grow=1), told, away, gap=12)

    def _people(self) -> Widget:
        party = self.party or []
        hint = text("{party} chosen of up to {most}; a click takes or leaves", len(party), returning.MOST)
        tiles: list[Widget] = [*title("Who goes in"), Label(hint, "small", "quiet")]
        face = 30 if self.tight else 44
        own = [name for name in self.known if "template" not in self.known[name]]
        home = [name for name in self.came if name in own]
        if home:
            tiles.append(Label("Came home from there", "label!", "gold"))
        tiles += [self._tile(name, self._about(name), face) for name in home]
        for hero, why in self.unready.values():
            if hero.id in self.came:
                line = titled(why.removeprefix(f"{hero.name} is ").rstrip("."))
                tiles.append(Tile(
                    hero.name, line, likeness(art(hero.looks), PARTY), lambda: None, enabled=False, size=face,
                    key=f"unready {hero.id}", width=2000, on_refused=partial(self.app.complain, why),
                    tip=Tip(why, hero.name),
                ))  # fmt: skip
        others = [name for name in own if name not in home]
        ready = [name for name in self.known if name not in own]
        for heading, names in (("Heroes of your own", others), ("Ready heroes", ready)):
            if names:
                tiles += [Space(4), Label(heading, "label!", "gold")]
                tiles += [self._tile(name, self._about(name), face) for name in names]
        return self.scrolled(column(*tiles, gap=6, pad=3), key="people")

    def _about(self, name: str) -> str:
        """What somebody is, and how it is with a hero of one's own."""
        kind, hero = str(self.known[name].get("kind", "")), self.own.get(name)
        if hero is None:
            return kind
        rules = roster(self.match.record.ruleset)
        return joined(" · ", (each for each in (rules.about(hero), rules.condition(hero)) if each))

    def _tile(self, name: str, line: str, size: int) -> Tile:
        entry = self.known[name]
        picture = likeness(str(entry.get("art") or "unknown_hero"), PARTY)
        return Tile(
            str(entry.get("name", name)), line, picture, partial(self._take, name), chosen=name in (self.party or ()),
            key=f"hero {name}", size=size, width=2000,
        )  # fmt: skip

    def _take(self, name: str) -> None:
        party = self.party or []
        if name in party:
            party.remove(name)
        elif len(party) < returning.MOST:
            party.append(name)
        else:
            self.app.complain(text("Up to {most} may go in together.", returning.MOST))
        self.party = party
        self.rebuild()

    def _waiting(self) -> Widget:
        goals = [goal for goal in self.match.board().goals if goal.side == PARTY]
        parts: list[Widget] = [*title("What waits"), Label("Everything is as it was left.")]
        if goals:
            parts += [rows(goals), Space(4)]
        if self.lost:
            parts.append(Label(text("There lies still, with all that it had: {names}.", joined(", ", self.lost)),
                               "text", "coral"))  # fmt: skip
        rested = "Those who live there have had no time to rest."
        if self.campaign.minutes:
            rested = "Those who live there have rested as long; whoever knew of you has told the others."
        parts.append(Label(rested, "text", "quiet"))
        parts += self._seen()
        return self.scrolled(column(*parts, gap=7, pad=3), key="waiting")

    def _seen(self) -> list[Widget]:
        """The ground and the rooms that the party has seen, map by map."""
        field, found = self.match.field, list[Widget]()
        seen = rooms_seen(field, self.ground)
        for part in field.maps or (None,):
            names = [room.name for room in seen if part is None or room.cells & field.spaces_of(part)]
            picture = self.maps.get(part.name if part is not None else "")
            if not names and picture is None:
                continue
            if part is not None:
                found += [Space(4), Label(part.title, "label!", "bright")]
            if picture is not None:
                found.append(Picture(picture, picture.get_size(), small=False, key=f"map {len(found)}"))
            found += [Label(joined(", ", names), "text", "quiet")] if names else []
        return [Space(6), *title("Seen so far"), *found] if found else []

    # -- what takes its time

    def _undrawn(self) -> tuple[str, Part | None] | None:
        parts = ((part.name if part is not None else "", part) for part in self.match.field.maps or (None,))
        return next((each for each in parts if each[0] not in self.maps), None)

    def update(self, dt: float) -> bool:
        """The last evening is reckoned up, then its maps are drawn, one at a time."""
        changed = super().update(dt)
        if self.app.top is not self or self.tight:
            return changed
        if self.reckoning is None:
            self.reckoning = reckoned(self.match, (PARTY,))
        elif (found := self._undrawn()) is not None:
            self.maps[found[0]] = pictures.ground_of(self.match, self.eyes, found[1], MAP)
        else:
            return changed
        self.rebuild()
        return True

    def pace(self) -> float | None:
        waits = not self.tight and (self.reckoning is None or self._undrawn() is not None)
        return 0.02 if waits and self.app.top is self else super().pace()

    def _evenings(self) -> Widget:
        parts: list[Widget] = [*title("The evenings so far")]
        noted = {number: each for number, each in enumerate(self.campaign.chapters, 1) if each.unit}
        for number, path in self.campaign.evenings.items():
            each = noted.get(number)
            told = Account(each.turns, each.unit, each.fights, frozenset()).told if each is not None else ""
            ways = row(
                Button("Chronicle", partial(self._chronicle, path), slim=True, key=f"chronicle {number}"),
                Button("Replay", partial(self.app.navigator.watch, path), slim=True, key=f"replay {number}"), gap=8,
            )  # fmt: skip
            heading = Label(text("Evening {number}", number), "label!", "gold")
            last = self._came_to() if path == self.campaign.last else []
            parts.append(column(heading, Label(told, "small", "quiet"), *last, ways, gap=6, pad=10, plate="raised"))
        return self.scrolled(column(*parts, gap=8, pad=3), key="evenings")

    def _came_to(self) -> list[Widget]:
        """What the last evening brought, whom it cost, and the end of its tale."""
        one = self.reckoning
        if one is None:
            return []
        told: list[Widget] = []
        if one.treasure:
            told.append(Label(text("Brought home: {treasure}", one.treasure), "text"))
        told += [Label(said, "text", "coral") for said in one.fallen]
        for heading, paragraphs in so_far(one.tale, WORDS):
            told.append(Label(heading, "small", "gold"))
            told += [Label(paper.prose(paragraph), "small", "bright") for paragraph in paragraphs]
        return [*told, *(Label(paper.prose(said), "small", "quiet") for said in one.tale.ending)]

    def _chronicle(self, path: Path) -> None:
        def show() -> None:
            match = self.match if path == self.campaign.last else load_fight(path, self.app.loading())
            self.app.navigator.chronicle(match, views_of_file(match)[:1])

        self.app.guard(show)

    # -- on

    def _camp(self) -> None:
        self.app.guard(lambda: self.app.navigator.camp(self.match))

    def _go(self) -> None:
        """The next evening begins; where it can't, it is said why, and nothing has happened."""
        party = self.party or []

        def go() -> None:
            record = returning.next_evening(self.match, party, self.campaign.minutes, fresh_seed())
            self.campaign = campaigns.note(self.campaign, stage=Stage.DOOR, party=tuple(party))
            begin(self.app, records.document(record))

        if party:
            self.app.guard(go)

    def commands(self) -> Mapping[str, Callable[[], object]]:
        return {"back": self.app.pop}

    def command(self, name: str, event: pygame.event.Event) -> bool:
        if name == "confirm" and self.ui.focus is None:
            self._go()
            return True
        return super().command(name, event)


def back_in(app: Shell, match: Match) -> None:
    """To the door of the place of an evening that is over. Raises BattlematError if the disk refuses."""
    app.push(Door(app, match, campaigns.keep(match)))


def campaign(app: Shell, path: Path) -> None:
    """A campaign where it was left: at camp, or before the door. What is wrong with it is said in a line."""

    def call() -> None:
        found = campaigns.read(path)
        match = campaigns.last_of(found, app.loading())
        door = Door(app, match, found)
        app.replace(Title(app), door)
        if found.stage is Stage.CAMP and door.came:
            app.navigator.camp(match)
        if found.fault:
            app.complain(text("{fault}; it goes on from its evenings", found.fault))

    app.guard(call)

"""Camp: the dying first, then wounds, what lies about, and rest; every die thrown by the rules, every change kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import pygame

from game.app.sounds import Backdrop
from game.characters import returning
from game.characters.heroes import Hero, art
from game.characters.pages import Act, Deed
from game.characters.returning import come_home
from game.characters.roster import Camp, roster
from game.fight.match import Match, fresh_seed
from game.scenes.base import Scene, Shell
from game.scenes.dialogs.saves import Ask
from game.scenes.title import Setting, Tableau, back_label
from game.scenes.workshop import drawn
from game.scenes.workshop.bench import face, title
from game.storage import campaigns
from game.storage.campaigns import Campaign, Stage
from game.view.overlays import Overlays
from game.widgets.controls import Button, Label
from game.widgets.core import Scroll, Space, Split, Tip, Widget, column, grown, row
from game.widgets.menu import Tile
from game.widgets.text import Run
from rules.board.grid import Field, Light
from rules.contract.display import Bar, Board, Miniature
from rules.contract.errors import BattlematError
from rules.contract.text import joined, text
from rules.contract.units import Cell

WIDE, HIGH = 61, 17
PIT = (30, 8)
SEATS = ((28, 7), (32, 7), (28, 9), (32, 9), (29, 6), (31, 6), (27, 8), (33, 8), (29, 10), (31, 10))
"""Columns and rows round the fire, in the order in which they are taken."""
BEYOND = ((27, 10), (33, 10), (27, 6), (33, 6), (26, 9), (34, 9))
"""Where the dead lie."""
TIGHT, SHORT = 860, 520
ROOMY = 780
"""Height at 100 % from which everything may be larger."""
FIRE = 0.42
"""Share of the height that the fire has over the story."""
MOST_FIRE, LEAST_FIRE = 0.5, 150
"""Under everything it has what is left: at most this share, at least so many pixels at 100 %."""
SHARES = (0.30, 0.38, 0.32)
"""Of the width: people, deeds, story."""
GAP = 12
"""Between the people and who of them is chosen."""


@lru_cache(maxsize=1)
def _floor() -> Field:
    return Field.from_rows(["." * WIDE] * HIGH, lights=(Light(Cell(PIT[1] * WIDE + PIT[0]), 4, 8),))


def round_the_fire(camp: Camp) -> Setting:
    """Everybody in the camp as they are now, around a fire in the dark."""
    field = _floor()
    seats, graves, minis = iter(SEATS), iter(BEYOND), list[Miniature]()
    for name, hero in camp.heroes.items():
        who = camp.camper(name)
        if (spot := next(graves if who.dead else seats, None)) is not None:
            bar = who.gauges[0]
            minis.append(Miniature(
                id=hero.id, name=hero.name, side="heroes", cell=Cell(spot[1] * WIDE + spot[0]), art=art(hero.looks),
                health=Bar("Hit points", bar.now, bar.most), status=who.status, out=who.down, dead=who.dead,
            ))  # fmt: skip
    board = Board(miniatures=tuple(minis), order=(), caption="", doors=())
    key = ("camp", *((m.id, m.art, m.health.value, m.health.maximum, m.out, m.dead) for m in minis))
    middle = (PIT[0] + 0.5, PIT[1] + 0.3)
    return Setting(
        key, field, board, Overlays(), centre=middle, across=8, down=6, ambient="dark", things=(("campfire", PIT),)
    )


class Evening(NamedTuple):
    """The campaign whose evening a camp comes after, the minutes that had passed since when it was pitched, and the
    evening itself."""

    campaign: Campaign
    before: int
    match: Match
    call: returning.Calling
    """What calls back there."""


class CampScene(Scene):
    """Everybody who fought, what can be done for them, and what came of it."""

    name = "camp"

    def __init__(
        self, app: Shell, camp: Camp, heading: str, notes: tuple[str, ...] = (), after: Evening | None = None
    ) -> None:
        super().__init__(app)
        self.camp, self.heading, self.notes, self.after = camp, heading, notes, after
        self.said, self.refused = "", False
        self.view: dict[str, str] = {"who": camp.first()}
        """Who is chosen, and how the deeds are looked at: who helps, where they rest."""
        self.tight = self.roomy = False

    def backdrop(self) -> Backdrop:
        return Backdrop("camp dark")

    @property
    def who(self) -> str:
        """The id of whoever is chosen."""
        return self.view["who"]

    @who.setter
    def who(self, name: str) -> None:
        self.view["who"] = name

    def do(self, call: Callable[[], object], told: str = "") -> None:
        """Something happens; a refusal is told at the foot."""
        before = len(self.camp.story)
        try:
            came = call()
        except BattlematError as error:
            self.said, self.refused = str(error), True
        else:
            fresh = joined(" ", (line.text for line in self.camp.story[before : before + 2]))
            self.said, self.refused = told or (came if isinstance(came, str) else "") or fresh, False
            self._note()
        self.rebuild()

    def _note(self, stage: Stage = Stage.CAMP) -> None:
        """Keep with the campaign how long this has lasted; where everything was done it stays so."""
        if self.after is None:
            return
        campaign, before = self.after.campaign, self.after.before
        stage = Stage.DONE if campaign.stage is Stage.DONE else stage
        campaigns.note(campaign, stage=stage, minutes=before + self.camp.minutes)

    # -- layout

    def build(self) -> None:
        look, (wide, high) = self.app.look, self.size
        if self.who not in self.camp.heroes:
            self.who = self.camp.first()
        tight = self.tight = wide / look.scale < TIGHT or high / look.scale < SHORT
        self.roomy = high / look.scale >= ROOMY
        margin, gap = look.px(8 if tight else 18), look.px(6 if tight else 12)
        head = row(
            Label(self.heading, "heading" if tight else "figure", "bright", one_line=True),
            Space(grow=1),
            Label(self.camp.clock(), "label", "gold"),
        )
        said = grown(Label(self.said, "text", "coral" if self.refused else "green"))
        last = not self.camp.urgent() and self.after is None
        leave = Button("Leave the camp", self._leave, hint="Esc", gold=last, key="leave", slim=tight)
        ways: list[Widget] = [leave]
        if self.after is not None:
            ways += self._onward(self.after)
        foot = row(*ways, said, gap=12)
        room, low = self.place_head(head, foot, margin, gap)
        deeds = self._columns(room, gap, tight)
        self.ui.add(foot, low)
        if self.ui.focus is None and not self.ui.remembers:
            self.ui.focus_key(f"who {self.who}")  # the ring is round whoever is chosen
            if self.ui.focus is None:
                self.ui.focus_first(deeds)

    def _onward(self, after: Evening) -> list[Widget]:
        """Back into the place while anything calls there, and on to another; what is usually next is gold."""
        ways, call, calm = list[Widget](), after.call, not self.camp.urgent()
        if call:
            tip = Tip(call.told or "The place as it was left; who lives there has had as long to rest.")
            back = partial(self._leave, self._back)
            ways.append(Button(
                back_label(after.campaign.title), back, key="back in", gold=calm and call.undone, slim=self.tight,
                tip=tip,
            ))  # fmt: skip
        if not call.undone:
            tip = Tip("To another place, or a single fight, by the same rules and with the same party, as you like it.")
            on = partial(self._leave, partial(self.app.navigator.next_fight, after.match))
            ways.append(Button("Onward", on, key="next", gold=calm, slim=self.tight, tip=tip))
        return ways

    def _columns(self, room: pygame.Rect, gap: int, tight: bool) -> Widget:
        """People, deeds and story beside each other; the fire under them, or over the story where these are long.

        Gives the deeds.
        """
        look, pad = self.app.look, 8 if tight else 14
        widths = [round((room.width - 2 * gap) * share) for share in SHARES]
        first = [self._people(tight), self._deeds(tight)]
        inner = [wide - 2 * look.px(pad) for wide in widths]
        needs = max(one.measure(look, wide)[1] for one, wide in zip(first, inner, strict=False)) + 2 * look.px(pad)
        spare = min(room.height - needs, round(room.height * MOST_FIRE)) - gap
        below = not tight and spare >= look.px(LEAST_FIRE)
        if below:
            band = pygame.Rect(room.left, room.bottom - spare, room.width, spare)
            self.ui.add(Tableau(round_the_fire(self.camp)), band)
            room = pygame.Rect(room.left, room.top, room.width, room.height - spare - gap)
        story = self._story()
        if not tight:
            first = self._filled(first, inner, room.height - 2 * look.px(pad))
        if not tight and not below:
            fire = Tableau(round_the_fire(self.camp), asks=room.height * FIRE / look.scale)
            fire.grow = 0
            story = grown(column(fire, story, gap=12))
        boxes = [column(panel, pad=pad, plate="panel") for panel in (*first, story)]
        self.place_beside(room, zip(boxes, widths, strict=True), gap)
        return boxes[1]

    def _filled(self, first: list[Widget], inner: list[int], high: int) -> list[Widget]:
        """People and deeds, looser where they then still fit, and under the people, in what room is left, who is
        chosen."""
        look = self.app.look
        people, deeds = first
        if people.measure(look, inner[0])[1] > high:
            self.roomy = False
            return [self._people(False, close=True), self._deeds(False)]
        if not self.roomy:
            self.roomy = True
            loose = [self._people(False), self._deeds(False)]
            fit = all(one.measure(look, wide)[1] <= high for one, wide in zip(loose, inner, strict=False))
            first, self.roomy = (loose, True) if fit else (first, False)
        people, deeds = first
        for brief in (False, True):
            told = drawn.widgets(self.answers(), self.camp.about(self.who, brief=brief))
            about = column(*told, gap=7, pad=12, plate="raised")
            needed = people.measure(look, inner[0])[1] + look.px(GAP) + about.measure(look, inner[0])[1]
            if needed <= high:
                people.grow = 0
                return [grown(column(people, about, gap=GAP)), deeds]
        return first

    def _scrolled(self, name: str, *content: Widget, gap: float = 7) -> Scroll:
        return self.scrolled(column(*content, gap=gap, pad=3), key=f"scroll {name}")

    def _people(self, tight: bool, *, close: bool = False) -> Widget:
        """Everybody with what they have left; `close` to each other, where many are to be seen at once."""
        parts: list[Widget] = [*title("Heroes")]
        for name, hero in self.camp.heroes.items():
            who = self.camp.camper(name)
            line = joined(" · ", (who.line, who.below)) if close and who.below else who.line
            tile = Tile(hero.name, line, face(hero), partial(self._pick, name), chosen=name == self.who,
                        key=f"who {name}", size=30 if tight or close else 56 if self.roomy else 44,
                        width=2000)  # fmt: skip
            bars = [drawn.gauge(each) for each in who.gauges]
            if tight or close:
                parts += [tile, Split(*((bar, 1) for bar in bars), gap=14) if close else bars[0]]
                continue
            below: list[Widget] = [Split(*((bar, 1) for bar in bars), gap=14)]
            if who.below:
                below.append(Label(who.below, "small", "quiet"))
            parts += [column(tile, column(*below, gap=4, pad=4), gap=2), Space(height=14 if self.roomy else 4)]
        parts += [Label(note, "small", "amber") for note in self.notes]
        return self._scrolled("people", *parts)

    def _pick(self, name: str) -> None:
        self.who, self.said = name, ""
        self.rebuild()

    def answers(self) -> drawn.Answers:
        """Whom the blocks of the deeds answer to."""
        return drawn.Answers(
            self._press, self._give, self._set, self.memory, SHARES[1] * self.size[0] / self.app.look.scale,
            self.tight, self.roomy,
        )  # fmt: skip

    def _deeds(self, tight: bool) -> Widget:
        parts: list[Widget] = []
        if urgent := self.camp.urgent():
            parts.append(Label(urgent, "text!", "coral"))
        table = self.answers()
        sections = [drawn.widgets(table, section) for section in self.camp.sections(self.view)]
        if tight:
            return self._scrolled("deeds", *parts, *(each for section in sections for each in section))
        parts += [column(*section, gap=12 if self.roomy else 7, pad=12, plate="raised") for section in sections]
        return self._scrolled("deeds", *parts, gap=14 if self.roomy else 10)

    def _press(self, deed: Deed) -> None:
        """A deed, asked for first where it says so."""

        def go() -> None:
            if deed.turn is not None:
                self.view[deed.turn[0]] = deed.turn[1]
            self.do(deed.act or (lambda: None), deed.told)

        self.app.push(Ask(self.app, *deed.ask, go)) if deed.ask else go()

    def _give(self, act: Act, given: object) -> None:
        self.do(partial(act, given))

    def _set(self, field: str, value: str) -> None:
        self.view[field] = value
        self.rebuild()

    def _story(self) -> Widget:
        lines: list[Widget] = []
        for told in reversed(self.camp.story):
            ink = {1: "green", -1: "coral"}.get(told.tone, "text")
            days = told.minutes // (24 * 60)
            when = text("{what}. day  ", days + 1) if days else text("{minutes} min  ", told.minutes)
            dice = [Run(text("  {dice}", told.dice), "quiet", "small")] if told.dice else []
            lines.append(Label([Run(when, "faint", "small"), Run(told.text, ink), *dice]))
        lines = lines or [Label("Quiet. Somebody lights a fire.", colour="quiet")]
        return self._scrolled("story", *title("What happened"), *lines, gap=5)

    # -- leaving

    def _leave(self, on: Callable[[], object] | None = None) -> None:
        """Break up, and go on where there is somewhere to go; asked for first where something would be lost."""
        told, go = self.camp.warning(), partial(self._go, on)
        self.app.push(Ask(self.app, "Leave already?", told, "Leave", go, stay="Stay")) if told else go()

    def _go(self, on: Callable[[], object] | None = None) -> None:
        self.camp.strike()
        self._note(Stage.DOOR)
        self.app.pop()
        if on is not None:
            on()

    def _back(self) -> None:
        """To the door of the place, if this camp wasn't pitched before it."""
        if self.after is not None and self.app.top.name != "door":
            self.app.navigator.campaign(self.after.campaign.folder)

    def commands(self) -> Mapping[str, Callable[[], object]]:
        return {"back": self._leave}


def camp(app: Shell, match: Match) -> None:
    """What comes after a fight for the heroes who have files. Raises BattlematError.

    Where none of them lives no fire is lit: what has become of them is in their files, and told.
    """
    home = come_home(match)
    if not home.heroes and home.dead:
        died = text("{names}: dead. Nobody is left to light a fire.", joined(", ", home.dead))
        app.navigator.message("Nobody comes to camp", joined(" ", (died, *home.notes)))
        return
    if not home.heroes:
        raise BattlematError(joined("; ", home.notes) or "No hero of the workshop was in this fight.")
    after = None
    if match.record.expedition and match.over is not None:
        campaign = campaigns.keep(match)
        after = Evening(campaign, campaign.minutes, match, returning.calling(match))
    session = roster(match.record.ruleset).camp(home.heroes, fresh_seed(), home.floor)
    app.push(CampScene(app, session, text("After “{title}”", match.title), home.notes, after))


def pitch(app: Shell, heroes: Sequence[Hero]) -> None:
    """A camp between fights, for heroes of the workshop who follow the same rules."""
    app.push(CampScene(app, roster(heroes[0].ruleset).camp(list(heroes), fresh_seed()), "Camp"))

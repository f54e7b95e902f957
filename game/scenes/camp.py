"""Camp: the dying first, then wounds, what lies about, and rest; every die thrown by the rules, every change kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial

import pygame

from game.characters.olde import camping as aftermath
from game.characters.olde.camping import CIRCUMSTANCES, COINS, CampSession, Lying, Outcome
from game.characters.olde.model import QUIVER, Hero, about, art, carried, missiles, stats
from game.characters.olde.sheet import skills_by_rank
from game.fight.match import Match, fresh_seed
from game.scenes.base import Scene, Shell
from game.scenes.dialogs.saves import Ask
from game.scenes.title import Setting, Tableau
from game.scenes.workshop.bench import face, pills, title
from game.view.overlays import Overlays
from game.widgets.controls import Button, Label
from game.widgets.core import Scroll, Space, Split, Tip, Widget, column, grown, row
from game.widgets.figures import BarFigure
from game.widgets.menu import Tile
from game.widgets.text import Run
from rules.board.grid import Field, Light
from rules.contract.display import Bar, Board, Miniature
from rules.contract.errors import BattlematError
from rules.contract.text import Text, joined, ntext, text
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
NOBODY = "nobody"
GAP = 12
"""Between the people and who of them is chosen."""
RESTS = {
    "comfortable": "Comfortable (Easy)",
    "field": "In the field (Moderate)",
    "difficult": "Difficult (Hard)",
    "none": "No rest (Heroic)",
}


def told_of(hero: Hero, brief: bool) -> list[Widget]:
    """A heading and a few lines; `brief`: without the skills of the lowest rank that it has."""
    dice = [
        Text.of("{name} d{rank}", name=name.capitalize(), rank=rank) for name, rank in stats(hero).model_dump().items()
    ]
    skills = skills_by_rank(hero)
    lines = [("", joined(" · ", dice)), *(skills[:-1] if brief else skills)]
    if things := joined(", ", (name for _, name in carried(hero))):
        lines.append(("Carries", things))
    lines.append(("Purse", Text.of("{purse} coin", purse=hero.purse)))
    found = title(hero.name, about(hero))
    for name, words in lines:
        runs = [Run(Text.of("{name}  ", name=name), "quiet", "small")] if name else []
        found.append(Label([*runs, Run(words)]))
    return found


@lru_cache(maxsize=1)
def _floor() -> Field:
    return Field.from_rows(["." * WIDE] * HIGH, lights=(Light(Cell(PIT[1] * WIDE + PIT[0]), 4, 8),))


def round_the_fire(camp: CampSession) -> Setting:
    """Everybody in the camp as they are now, around a fire in the dark."""
    field = _floor()
    seats, graves, minis = iter(SEATS), iter(BEYOND), list[Miniature]()
    for who in camp.camp.heroes:
        hero, dead = camp.heroes[who.id], who.status == "dead"
        if (spot := next(graves if dead else seats, None)) is not None:
            minis.append(Miniature(
                id=hero.id, name=hero.name, side="heroes", cell=Cell(spot[1] * WIDE + spot[0]), art=art(hero.looks),
                health=Bar("Hit points", who.hp, who.hp_max), status=who.status, out=who.hp <= 0, dead=dead,
            ))  # fmt: skip
    board = Board(miniatures=tuple(minis), order=(), caption="", doors=())
    key = ("camp", *((m.id, m.art, m.health.value, m.health.maximum) for m in minis))
    middle = (PIT[0] + 0.5, PIT[1] + 0.3)
    return Setting(
        key, field, board, Overlays(), centre=middle, across=8, down=6, ambient="dark", things=(("campfire", PIT),)
    )


class CampScene(Scene):
    """Everybody who fought, what can be done for them, and what came of it."""

    name = "camp"

    def __init__(self, app: Shell, camp: CampSession, heading: str, notes: tuple[str, ...] = ()) -> None:
        super().__init__(app)
        self.camp, self.heading, self.notes = camp, heading, notes
        self.said, self.refused = "", False
        doomed = camp.doomed()
        hurt = next((h.id for h in camp.camp.heroes if 0 < h.hp < h.hp_max), camp.camp.heroes[0].id)
        self.who = doomed[0][0].id if doomed else hurt
        self.helper = ""
        self.circumstances = "field"
        self.caregiver = ""
        """Empty: the best there is."""
        self.roomy = False

    # -- who does what

    def _helper(self) -> str:
        able = [hero.id for hero in self.camp.helpers()]
        others = [name for name in able if name != self.who]
        return self.helper if self.helper in able else next(iter([*others, *able]), self.who)

    def _caregiver(self) -> str | None:
        able = [hero.id for hero in self.camp.helpers()] if self.caregiver != NOBODY else []
        return self.caregiver if self.caregiver in able else next(iter(able), None)

    def do(self, call: Callable[[], object], told: str = "") -> None:
        """Something happens; a refusal is told at the foot."""
        before = len(self.camp.story)
        try:
            came = call()
        except BattlematError as error:
            self.said, self.refused = str(error), True
        else:
            fresh = " ".join(line.text for line in self.camp.story[before : before + 2])
            self.said, self.refused = told or (came if isinstance(came, str) else "") or fresh, False
        self.rebuild()

    # -- layout

    def build(self) -> None:
        look, (wide, high) = self.app.look, self.size
        tight = wide / look.scale < TIGHT or high / look.scale < SHORT
        self.roomy = high / look.scale >= ROOMY
        margin, gap = look.px(8 if tight else 18), look.px(6 if tight else 12)
        head = row(
            Label(self.heading, "heading" if tight else "figure", "bright", one_line=True),
            Space(grow=1),
            Label(self._clock(), "label", "gold"),
        )
        said = grown(Label(self.said, "text", "coral" if self.refused else "green"))
        foot = row(Button("Leave the camp", self._leave, hint="Esc", gold=not self.camp.doomed(), key="leave",
                          slim=tight), said, gap=12)  # fmt: skip
        room, low = self.place_head(head, foot, margin, gap)
        deeds = self._columns(room, gap, tight)
        self.ui.add(foot, low)
        if self.ui.focus is None and not self.ui.remembers:
            self.ui.focus_first(deeds)

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
        if not self.roomy:
            self.roomy = True
            loose = [self._people(False), self._deeds(False)]
            fit = all(one.measure(look, wide)[1] <= high for one, wide in zip(loose, inner, strict=False))
            first, self.roomy = (loose, True) if fit else (first, False)
        people, deeds = first
        for brief in (False, True):
            about = column(*told_of(self.camp.heroes[self.who], brief), gap=7, pad=12, plate="raised")
            needed = people.measure(look, inner[0])[1] + look.px(GAP) + about.measure(look, inner[0])[1]
            if needed <= high:
                people.grow = 0
                return [grown(column(people, about, gap=GAP)), deeds]
        return first

    def _clock(self) -> str:
        days, rest = divmod(self.camp.camp.minutes, 24 * 60)
        if days:
            return text("Day {what}", days + 1)
        if rest >= 600:
            return text("{what} hours", rest // 60)
        return ntext(rest, "{n} minute in camp", "{n} minutes in camp")

    def _scrolled(self, name: str, *content: Widget, gap: float = 7) -> Scroll:
        return self.scrolled(column(*content, gap=gap, pad=3), key=f"scroll {name}")

    def _people(self, tight: bool) -> Widget:
        doomed = {hero.id: minutes for hero, minutes in self.camp.doomed()}
        parts: list[Widget] = [*title("Heroes")]
        for name, hero in self.camp.heroes.items():
            who = next(h for h in self.camp.camp.heroes if h.id == name)
            line = self.camp.words(name)
            if name in doomed:
                line = ntext(doomed[name], "{line}: {n} minute to live", "{line}: {n} minutes to live", line=line)
            tile = Tile(hero.name, line, face(hero), partial(self._pick, name), chosen=name == self.who,
                        key=f"who {name}", size=30 if tight else 56 if self.roomy else 44, width=2000)  # fmt: skip
            bars = [BarFigure("HP", who.hp, who.hp_max)]
            if tight:
                parts += [tile, *bars]
                continue
            if hero.spells:
                bars.append(BarFigure("Mana", who.mana, who.mana_max, "mana"))
            if hero.blessings:
                bars.append(BarFigure("Faith", who.faith, who.faith_max, "faith"))
            below: list[Widget] = [Split(*((bar, 1) for bar in bars), gap=14)]
            shot = missiles(hero)
            left = text("{ammunition} of {quiver} {shot}", hero.ammunition, QUIVER, shot)
            if has := joined(" · ", (*([left] if shot else []), *hero.items)):  # what matters here
                below.append(Label(has, "small", "quiet"))
            parts += [column(tile, column(*below, gap=4, pad=4), gap=2), Space(height=14 if self.roomy else 4)]
        parts += [Label(note, "small", "amber") for note in self.notes]
        return self._scrolled("people", *parts)

    def _pick(self, name: str) -> None:
        self.who, self.said = name, ""
        self.rebuild()

    def _deeds(self, tight: bool) -> Widget:
        parts: list[Widget] = []
        if doomed := self.camp.doomed():
            words = joined(", ", (text("{name} ({minutes} min)", hero.name, minutes) for hero, minutes in doomed))
            parts.append(Label(text("May still be saved: {words}", words), "text!", "coral"))
        sections = [self._aid(), *([self._floor()] if self.camp.floor else []), self._rest()]
        if tight:
            return self._scrolled("deeds", *parts, *(each for section in sections for each in section))
        parts += [column(*section, gap=12 if self.roomy else 7, pad=12, plate="raised") for section in sections]
        return self._scrolled("deeds", *parts, gap=14 if self.roomy else 10)

    def _aid(self) -> list[Widget]:
        """What somebody can do for whoever is chosen."""
        camp, who, helper = self.camp, self.camp.heroes[self.who], self._helper()
        names = {each.id: camp.heroes[each.id].name for each in camp.helpers()}
        helpers = pills(names, helper, partial(self._set, "helper"), "by")
        return [
            *title(text('For {name}', who.name)),
            row(Label("By", "text", "quiet"), helpers, gap=8, align="start"),
            self._deed("First aid", "1 minute: stops bleeding and dying",
                       lambda: camp.first_aid(helper, self.who), "aid"),
            self._deed("Bind wounds", "5 minutes, once, within half an hour",
                       lambda: camp.bind(helper, self.who), "bind"),
        ]  # fmt: skip

    def _floor(self) -> list[Widget]:
        camp, who = self.camp, self.camp.heroes[self.who]
        parts = title("On the floor", "A minute for each.")
        own = [thing for thing in camp.floor if thing.owner]
        if own:
            parts.append(Button("Gather what is ours", partial(self.do, camp.gather_own), key="gather",
                                cost=joined(', ', (thing.item for thing in own))))  # fmt: skip
        parts += [self._loot(n, thing, who) for n, thing in enumerate(camp.floor) if not thing.owner]
        return parts

    def _rest(self) -> list[Widget]:
        """Where they rest, who cares for the others, what that promises, and how long."""
        camp, carer = self.camp, self._caregiver()
        rests = {each: RESTS[each] for each in CIRCUMSTANCES}
        carers = {**{h.id: camp.heroes[h.id].name for h in camp.helpers()}, NOBODY: "Nobody"}
        cared = pills(carers, carer or NOBODY, partial(self._set, "caregiver"), "care")
        promised: list[Widget] = []
        if mending := camp.mending(self.circumstances, carer):
            words = joined(" · ", (text("{name} {chance} %", hero.name, chance) for hero, chance in mending))
            promised.append(Label([Run("On the mend after a day: ", "quiet", "text"), Run(words, "text", "text!")],
                                  tip=Tip("The chance of at least one hit point.", "Rest", "olde.md §7")))  # fmt: skip

        def day() -> None:
            camp.do(camp.day(self.circumstances, self._caregiver()))

        return [
            *title("Rest", "Brawn or Nerve each day: 1 HP for each rank; Mana and Faith come back with a night."),
            pills(rests, self.circumstances, partial(self._set, "circumstances"), "rest"),
            row(Label("Cared for by", "text", "quiet"), cared, gap=8, align="start"),
            *promised,
            row(
                Button("A day and a night", partial(self._unless_dying, day, "A day goes by."), key="day"),
                Button("Until all are well", self._until_well, key="well",
                       tip=Tip("Days of recuperation, sixty at most.")),
                gap=8, wrap=True,
            ),
        ]  # fmt: skip

    def _deed(self, label: str, cost: str, deed: Callable[[], Outcome], key: str) -> Widget:
        why = self.camp.refused(deed)
        if (chance := self.camp.chance(self._helper(), deed)) is not None:
            cost = text("{chance} %: {cost}", chance, cost)
        take = partial(self.do, lambda: self.camp.do(deed()))
        return Button(label, take, cost=why or cost, quiet=bool(why), key=key, left=True,
                      tip=Tip(why or cost, label, "olde.md §7"))  # fmt: skip

    def _loot(self, number: int, thing: Lying, who: Hero) -> Widget:
        words = "Take {item}" if thing.table == COINS else "Take the {item}"
        if thing.bearer:
            words = "Take {item} of {bearer}" if thing.table == COINS else "Take the {item} of {bearer}"
        bearer = self.camp.heroes[thing.bearer].name if thing.bearer else ""
        return Button(text(words, item=thing.item, bearer=bearer),
                      partial(self.do, lambda: self.camp.gather(thing, who.id)),
                      key=f"loot {number}", slim=True, tip=Tip(text('For {name}.', who.name)))  # fmt: skip

    def _set(self, field: str, value: str) -> None:
        setattr(self, field, value)
        self.rebuild()

    def _until_well(self) -> None:
        def call() -> str:
            days = self.camp.until_well(self.circumstances, self._caregiver())
            if any(0 < hero.hp < hero.hp_max for hero in self.camp.camp.heroes):
                return ntext(
                    days, "{n} day of recuperation, and not all are well yet.",
                    "{n} days of recuperation, and not all are well yet.",
                )  # fmt: skip
            return ntext(days, "{n} day of recuperation.", "{n} days of recuperation.")

        self._unless_dying(call, "")

    def _unless_dying(self, call: Callable[[], object], told: str) -> None:
        """Ask first where somebody would die of it."""
        go = partial(self.do, call, told)
        if doomed := self.camp.doomed():
            names = joined(", ", (hero.name for hero, _ in doomed))
            told = text("{names} will not live through the day without first aid.", names)
            self.app.push(Ask(self.app, "Let them die?", told, "Let the day go by", go))
        else:
            go()

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

    def _leave(self) -> None:
        doomed = joined(", ", (hero.name for hero, _ in self.camp.doomed()))
        left = joined(", ", (thing.item for thing in self.camp.floor if thing.owner))
        told = text("Still on the floor, and lost then: {things}.", left) if left else ""
        if doomed:
            told = text("{names} bleed or die still; they will wait as they are.", doomed)
        self.app.push(Ask(self.app, "Leave already?", told, "Leave", self._go)) if told else self._go()

    def _go(self) -> None:
        self.camp.strike()
        self.app.pop()

    def commands(self) -> Mapping[str, Callable[[], object]]:
        return {"back": self._leave}


def camp(app: Shell, match: Match) -> None:
    """What comes after a fight for the heroes who have files. Raises BattlematError."""
    found = aftermath.after(match.record, match.ruleset.summary(match.state), match.title)
    heroes = found.heroes + found.told  # who was in the camp before comes back to it
    if not heroes:
        raise BattlematError(joined("; ", found.refused) or "No hero of the workshop was in this fight.")
    session = CampSession(heroes, fresh_seed(), found.floor)
    app.push(CampScene(app, session, text("After “{title}”", match.title), found.joined + found.refused))


def pitch(app: Shell, heroes: Sequence[Hero]) -> None:
    """A camp between fights, for heroes of the workshop."""
    app.push(CampScene(app, CampSession(list(heroes), fresh_seed()), "Camp"))

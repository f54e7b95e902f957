"""The window of a new fight: lists of maps, heroes and foes, rules, the verdict, and what stands at the foot."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pygame

from game.app.i18n import t
from game.app.settings import NewFight
from game.app.sounds import Backdrop
from game.characters import aftermath
from game.characters.heroes import art
from game.content import adventures, encounter
from game.content.adventures import Adventure
from game.fight.match import Match
from game.forecast import threat as danger
from game.forecast.report import Forecast
from game.scenes.base import Shell
from game.scenes.choose.choices import FIRST, KNOWING, MOST_HEROES, Card, Choices, sides_of, switches_named
from game.scenes.dialogs.level import level_row
from game.scenes.dialogs.panels import Panel
from game.scenes.fight.panels.card import likeness
from game.scenes.forecast.board import Glance, GlanceButton
from game.scenes.title import Title
from game.setup.bestiary import is_own
from game.widgets.controls import Button, Label, Pressable, Toggle
from game.widgets.core import Box, Scroll, Sized, Space, Tip, Widget, column, grown, row
from game.widgets.fields import TextField
from game.widgets.figures import Live, Portrait, Rule
from game.widgets.menu import Tile
from game.widgets.text import line
from game.widgets.theme import Look
from rules.contract.ruleset import Switch
from rules.contract.text import Text, joined, ntext, text, titled
from rules.core.ground import map_files
from rules.core.registry import RULESETS
from rules.core.registry import ruleset as ruleset_of

LIT = "This map is lit: darkness changes nothing on it."
FORECAST = "The computer plays this fight many times: the chance to win, the losses, what changes it."
NO_FORECAST = "A forecast plays one fight many times; here it would be a whole evening."
SHORT = {FIRST: "Explore", "fog": "Fog", "darkness": "Dark"}
"""What they are called where there is little room."""
MOST_MAPS = 200
"""Maps that are listed; all can be searched where an encounter is prepared."""
FACE = 44
"""Pixels of a face at 100 %."""
LARGE_FACE = 58
"""The same of a hero where the list has room."""
AROUND_LISTS = 232
"""Pixels at 100 % of a window's height that the lists don't have."""
TILE_PAD = 19
"""Pixels at 100 % of a tile beside its face, and to the next."""
BROAD = 1500
"""Pixels of width at 100 % from which the chance to win stands in the forecast's button; its tip has it always."""
TIGHT = 900
"""Pixels of width at 100 % below which hints and rarer buttons are left out."""
ONE_OF = ("adventure ", "map ", "ruleset ")
"""How the keys begin of what one is chosen of: to press it again changes nothing."""
SEED_DIGITS, SEED_WIDE = 9, 96.0
"""So many digits a seed may have here, and the width of its field at 100 %."""


class Verdict(Live):
    """The threat of the fight: by what the computer has played in the meantime, until then estimated by weights."""

    def __init__(self, glance: Glance, rough: str) -> None:
        """`rough`: the estimate by weights; empty where a side is missing."""
        super().__init__(lambda: "")
        self.glance = glance
        self.rough = rough

    @property
    def said(self) -> str:
        """`Threat 43: a hard fight`; before enough fights were played `Threat about 43: a hard fight`."""
        found = self.found
        return self.rough if found is None else danger.told(found, self.glance.side)

    @property
    def found(self) -> Forecast | None:
        """What the fights came to, once there are enough of them."""
        found = self.glance.forecast
        return found if found is not None and found.runs >= danger.ENOUGH else None

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        font = look.font("label")
        return (min(width, font.size(t(self.rough))[0] + look.px(8)), font.get_linesize())

    def tip_at(self, pos: tuple[int, int]) -> Tip | None:
        if (found := self.found) is None:
            guess = (
                "The party's chance to lose, in points: an estimate, by what both sides weigh. Fights that the "
                "computer plays will say more."
            )
            return Tip(guess, "Threat")
        told = (
            "The party's chance to lose, in points, from {runs} fights that the computer has played: up "
            "to 10 is easy, up to 25 fair, up to 50 hard, more is deadly."
        )
        return Tip(text(told, found.runs), "Threat")

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        colour = "bright" if self.found is not None else "quiet"
        text = line(look, self.said, "label", colour, self.rect.width)
        surface.blit(text, text.get_rect(midright=self.rect.midright))


class BeginButton(Button):
    """*Begin*, with the key that begins from where the focus is now; as wide as the longest of them needs."""

    def __init__(self, *arguments: Any, keys: Sequence[str], now: Callable[[], str], **options: Any) -> None:
        super().__init__(*arguments, hint=max(keys, key=len), **options)
        self.now = now

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        self.hint = self.now()
        super().draw(surface, look)


def section(scene: Choices) -> list[Widget]:
    """How the fight begins and what is known in it; the way to all other optional rules."""
    switches = switches_named(scene.ruleset, (FIRST, *KNOWING))
    more = Button(
        "All rules" if scene.tight else "All optional rules …", lambda: scene.app.push(RulesPanel(scene)), slim=True,
        key="rules",
        tip=Tip(text('What else {title} leaves to the table.', ruleset_of(scene.ruleset).title)),
    )  # fmt: skip
    if scene.tight:
        small: list[Widget] = [
            Button(SHORT[each.name], partial(scene.set_option, each.name, not scene.on(each)), chosen=scene.on(each),
                   slim=True, key=each.label, tip=_tip(scene, each), enabled=not _idle(scene, each))
            for each in switches
        ]  # fmt: skip
        return [row(*small, more, gap=4, wrap=True)]
    toggles = (_toggle(scene, each, scene.set_option, _tip(scene, each)) for each in switches)
    return [column(Rule(), *toggles, row(Space(grow=1), more), gap=2)]


def _toggle(scene: Choices, switch: Switch, put: Callable[[str, bool], None], tip: Tip | None = None) -> Toggle:
    toggle = Toggle(switch.label, scene.on(switch), partial(put, switch.name), tip=tip, flush=True)
    toggle.enabled = not _idle(scene, switch)
    return toggle


def _idle(scene: Choices, switch: Switch) -> bool:
    """Whether a switch changes nothing on the map that is chosen."""
    return (switch.name == "darkness" and not scene.dark) or (switch.name == FIRST and scene.expedition)


def _tip(scene: Choices, switch: Switch) -> Tip:
    idle = "An expedition begins with exploration." if switch.name == FIRST else LIT
    return Tip(idle if _idle(scene, switch) else switch.text)


class RulesPanel(Panel):
    """Every optional rule of the ruleset, with what it changes."""

    name = "fight rules"
    key_groups = ("general",)
    width = 520.0

    def __init__(self, scene: Choices) -> None:
        super().__init__(scene.app)
        self.scene = scene

    def content(self) -> Box:
        lines: list[Widget] = []
        for switch in ruleset_of(self.scene.ruleset).switches:
            told = Label(_tip(self.scene, switch).text, "small", "quiet")
            lines.append(column(_toggle(self.scene, switch, self._set), told, gap=2))
        title = Text.of("Optional rules of {title}", title=ruleset_of(self.scene.ruleset).title)
        return column(
            Label(title, "heading", "bright"),
            self.scrolled(column(*lines, gap=6), "rules", height=430),
            row(Space(grow=1), self.leave_button("Done", key="done", gold=True)),
            gap=10,
        )

    def _set(self, name: str, value: bool) -> None:
        self.scene.options[name] = value
        self.rebuild()


def _panel(
    scene: Choices, name: str, title: str, hint: str, content: Widget, *, below: Sequence[Widget] = ()
) -> Widget:
    head = [Label(title, "heading", "bright"), Label(hint, "small", "quiet")]
    if scene.tight:
        head = [Label(title, "label!", "bright")]
    gap, pad = (4, 8) if scene.tight else (6, 14)
    return column(*head, scene.scrolled(content, name), *below, gap=gap, pad=pad, plate="panel")


def map_list(scene: Choices) -> Widget:
    """The maps that can be played on, one of them chosen."""
    tiles: list[Widget] = []
    own, shelf, size = False, scene.shelf, 40 if scene.tight else 76
    ready = adventures.adventures()
    for each in ready:
        card = shelf.cards.get(encounter.find_map(each.map), Card(each.title))
        levels = ntext(card.levels, "{n} map", "{n} maps")
        told = joined(" · ", (levels, each.label)) if each.label else levels
        name, line = _halved(each.title) if scene.tight else (each.title, told)
        chosen = each == scene.adventure
        beside = chosen and not scene.tight  # its whole text stands on the page beside already
        tiles.append(Tile(
            name, line, partial(_small, card), partial(scene.take_adventure, each), chosen=chosen,
            size=size, width=2000, key=f"adventure {each.id}", tip=None if beside else Tip(each.text, each.title),
        ))  # fmt: skip
    if ready:
        tiles = [Label("Adventures", "label!", "gold"), *tiles, Label("Maps", "label!", "gold")]
    above = {encounter.find_map(each.map) for each in ready}
    for path in [each for each in shelf.readable if each not in above][:MOST_MAPS]:
        if encounter.is_own_map(path) and not own:
            own = True
            tiles.append(Label("Your maps", "label!", "gold"))
        card = shelf.cards[path]
        name, line = _halved(card.title) if scene.tight else (card.title, card.line)
        tiles.append(Tile(
            name, line, partial(_small, card), partial(scene.take_map, path), size=size, width=2000,
            chosen=path == scene.map and (scene.adventure is None or scene.adventure.map == str(path)),
            key=f"map {path.name}", tip=Tip(str(path)) if own else None,
        ))  # fmt: skip
    tiles += [
        Tile(
            path.stem, "cannot be read", partial(_small, Card(path.stem)), lambda: None, key=f"map {path.name}",
            width=2000, size=size, tip=Tip(why), enabled=False, on_refused=partial(scene.app.complain, why),
        )
        for path, why in list(shelf.unreadable.items())[:MOST_MAPS]
    ]  # fmt: skip
    if n := len(shelf.maps) - len(shelf.cards):
        tiles.append(Label(ntext(n, "{n} map is being read …", "{n} maps are being read …", n=n), "small", "quiet"))
    if not tiles:
        tiles = [Label("No map could be read. `battlemat check MAP` says what is wrong with one.", colour="coral")]
    hint = "Where it happens; drop a .tmx file here for one of yours"
    return _panel(scene, "maps", "Map", hint, column(*tiles, gap=8), below=section(scene))


def hero_list(scene: Choices) -> Widget:
    """The heroes, some of them chosen; the player's own first, those among them too who can't come."""
    size = 28
    if not scene.tight:  # as large as fills the list, within reason
        room = scene.size[1] / scene.app.look.scale - AROUND_LISTS
        count = max(1, len(scene.heroes) + len(scene.unready))
        size = max(FACE, min(LARGE_FACE, int(room / count) - TILE_PAD))
    tiles = [
        Tile(
            str(entry.get("name", name)), str(entry.get("kind", "")), _face(entry, name, encounter.HEROES),
            partial(scene.take_hero, name), chosen=name in scene.party, key=f"hero {name}", width=2000, size=size,
            tip=about(entry),
        )
        for name, entry in scene.heroes.items()
    ]  # fmt: skip
    own = sum(1 for name in scene.heroes if is_own(name))
    tiles[own:own] = [
        Tile(
            hero.name, titled(why.removeprefix(f"{hero.name} is ").rstrip(".")),
            likeness(art(hero.looks), encounter.HEROES), lambda: None, key=f"unready {hero.id}", width=2000,
            size=size, enabled=False, on_refused=partial(scene.app.complain, why),
            tip=Tip(text("{why} Heroes, on the title, has what helps: the workshop and the camp.", why), hero.name),
        )
        for hero, why in scene.unready.values()
    ]  # fmt: skip
    hint = text("{party} chosen of up to {most_heroes}; a click takes or leaves", len(scene.party), MOST_HEROES)
    return _panel(scene, "heroes", "Party", hint, column(*tiles, gap=6))


def foe_list(scene: Choices) -> Widget:
    """The foes, each with how many of them are chosen."""
    tiles = [
        grown(Tile(
            str(entry.get("name", name)), _weight(entry), _face(entry, name, encounter.MONSTERS),
            partial(scene.more, name), size=28 if scene.tight else FACE, count=scene.foes.get(name, 0),
            on_less=partial(scene.less, name), key=f"foe {name}", width=210, tip=about(entry),
        ))
        for name, entry in scene.monsters.items()
    ]  # fmt: skip
    number = sum(scene.foes.values())
    hint = scene.came_along or text("{number} chosen; a click adds one, a right click (or −) takes one away", number)
    level = level_row(scene.app, scene.rebuild, told=not scene.tight)
    return _panel(scene, "foes", "Foes", hint, Box(*tiles, across=True, wrap=True, gap=6), below=[level])


def _halved(text: str) -> tuple[str, str]:
    """A name on two lines of about the same length."""
    words = text.split()
    cuts = [(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words) + 1)]
    return min(cuts, key=lambda cut: max(len(cut[0]), len(cut[1])), default=("", ""))


def _small(card: Card, size: int) -> pygame.Surface:
    return card.picture((size * 4 // 3, size))


def _face(entry: Mapping[str, Any], name: str, side: str) -> Portrait:
    return likeness(str(entry.get("art", name)), side)


def _weight(entry: Mapping[str, Any]) -> str:
    parts = (text("Weight {weight}", entry.get("threat", 1)), entry.get("temperament"))
    return joined(" · ", (part for part in parts if part))


def about(entry: Mapping[str, Any]) -> Tip:
    """What a creature of the bestiary is and carries."""
    carried = (*entry.get("weapons", ()), entry.get("shield"), entry.get("armor"))
    parts = (str(entry.get("summary", "")), joined(", ", (str(part) for part in carried if part)))
    return Tip("\n".join(part for part in parts if part), str(entry.get("name", "")))


def story(scene: Choices, adventure: Adventure) -> Widget:
    """What an adventure is about, in the place of the foes: they wait there."""
    lines: list[Widget] = [Label(adventure.text)]
    if adventure.notes:
        lines += [Label("What is to be done", "label!", "gold"), *map(Label, adventure.notes)]
    if adventure.label:
        told = text("At the table: {length}. Everybody who lives there waits where they are.", t(adventure.label))
        lines.append(Label(told, "small", "quiet"))
    return _panel(
        scene,
        "story",
        adventure.title,
        "A place of several levels, explored and fought through",
        column(*lines, gap=10),
        below=[level_row(scene.app, scene.rebuild, told=not scene.tight)],
    )


class Choose(Choices):
    """The window of a new fight."""

    def backdrop(self) -> Backdrop:
        return Backdrop(music="title")

    def build(self) -> None:
        look = self.app.look
        self.glance.changed()
        told = self._told()
        self._seated = {} if told is None else sides_of({"creatures": told[0].creatures})
        self.tight = self.size[0] / look.scale < TIGHT
        margin, gap = look.px(8 if self.tight else 18), look.px(8 if self.tight else 14)
        tip = Tip("Under these rules; party and foes become their counterparts, as many as are as much of a match.")
        rulesets = (
            Button(ruleset_of(name).title, partial(self._take_ruleset, name), chosen=name == self.ruleset,
                   key=f"ruleset {name}", slim=True, tip=tip)
            for name in RULESETS
            if len(RULESETS) > 1
        )  # fmt: skip
        head = row(
            Label("A new fight", "heading" if self.tight else "figure", "bright"),
            *rulesets,
            Space(grow=1),
            Verdict(self.glance, self._rough()),
            gap=6,
        )
        foot = self._foot()
        room, low = self.place_head(head, foot, margin, gap)
        shares = (0.32, 0.35, 0.33) if self.tight else (0.27, 0.33, 0.40)
        last = foe_list(self) if self.adventure is None else story(self, self.adventure)
        panels = (map_list(self), hero_list(self), last)
        widths = [round((room.width - 2 * gap) * share) for share in shares]
        self.place_beside(room, zip(panels, widths, strict=True), gap)
        self.ui.add(foot, low)
        if self._unseen:  # of the foes that are chosen the first is seen, where not all can be
            self._unseen = False
            for scroll in (w for w in panels[-1].walk() if isinstance(w, Scroll)):
                for tile in reversed([w for w in scroll.walk() if isinstance(w, Tile) and w.count]):
                    scroll.show(tile)

    def _foot(self) -> Box:
        typed = TextField(
            "Seed", self.seed, partial(setattr, self, "seed"), self.memory, most=SEED_DIGITS, letters=str.isdecimal,
            tip=Tip("The same seed and the same choices give the same dice."),
        )  # fmt: skip
        seed = row(Label("Seed", "label", "quiet"), Sized(typed, SEED_WIDE), gap=6)
        ready, alone = self._ready, self.adventure is None
        shown = self.app.keys.shown
        keys = ("",) if self.tight else (shown("confirm"), shown("end"))
        begin = BeginButton(
            "Begin", self._begin, gold=True, large=True, enabled=ready, tip=None if ready else Tip(self._missing()),
            keys=keys, now=lambda: keys[0] if self._enter_begins else keys[-1], on_refused=self._refuse,
        )  # fmt: skip
        forecast = GlanceButton(
            self.glance, lambda: self.app.navigator.forecast(self._record()), enabled=ready and alone, hint="",
            band=self.size[0] / self.app.look.scale >= BROAD,
            tip=Tip(FORECAST if alone else NO_FORECAST),
        )  # fmt: skip
        forecast.on_refused = self._refuse if alone else partial(self.app.complain, NO_FORECAST)
        back, count = self.leave_button(), len(self.table.places)
        seats = Button(
            "Seats" if count == 1 or self.tight else text("{count} seats", count), self._seat, key="seats",
            enabled=ready, on_refused=self._refuse,
            tip=Tip("Who plays whom: up to six people at one screen, fog of war, real dice, a clock."),
        )  # fmt: skip
        draw = [Button("Draw foes" if self.tight else "Draw foes for me", self._draw, key="draw")] if alone else []
        if self.tight:
            return row(back, seed, seats, Space(grow=1), *draw, forecast, begin, gap=6)
        clear = [Button("Clear the foes", self._clear, quiet=True)] if alone else []
        surprise = Button("Surprise me", lambda: self.app.navigator.surprise(ruleset=self.ruleset))
        return row(back, seed, seats, *clear, Space(grow=1), *draw, surprise, forecast, begin, gap=10)

    def command(self, name: str, event: pygame.event.Event) -> bool:
        if name == "panels":
            return self.ui.step_panel()
        if name == "end" or (name == "confirm" and self._enter_begins):  # Ctrl+Enter, whatever has the focus
            self._begin() if self._ready else self._refuse()
            return True
        return super().command(name, event)

    @property
    def _enter_begins(self) -> bool:
        """Whether Enter is for nothing else: where the focus is, if anywhere, there is nothing left to choose."""
        focus = self.ui.focus
        if not isinstance(focus, Pressable):
            return focus is None
        return focus.key == "Begin" or (focus.chosen and focus.key.startswith(ONE_OF))


def choose(app: Shell) -> None:
    """The set-up of a new fight."""
    app.push(Choose(app))


def next_fight(app: Shell, match: Match) -> None:
    """The set-up of a new fight, at first by the same rules, on the same map and with the same party."""
    record, board = match.record, match.ruleset.board(match.state)
    app.settings.new_fight = NewFight(
        ruleset=record.ruleset,
        map=next(iter(map_files(record.map)), app.settings.new_fight.map),
        party=aftermath.party(record, frozenset(mini.id for mini in board.miniatures if mini.dead)),
        options={name: bool(on) for name, on in record.options.items()},
    )
    scene, files = Choose(app), map_files(record.map)
    if record.map.place is not None and files:
        app.guard(lambda: scene.go_in_again(files[0]))
    app.replace(Title(app), scene)

"""What is shown and considered in a fight: the one thing that all parts of its screen work on and none is above.

A part changes the model and never says what is to be drawn: `SEEN_IN` knows for each field where it is seen, and
the scene draws that anew (`settle`) once the part has done. Only an action ever flows into the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import Enum, Flag, auto
from typing import ClassVar

import pygame

from game.app.sounds import Backdrop
from game.fight.match import Match
from game.fight.seats import GAME_MASTER
from game.fight.viewing import Eyes
from game.party.foresight import Foreseen
from game.party.table import EXPLORING
from game.scenes.base import Scene, Shell
from game.scenes.fight.plan import Errand, Plan, apart, in_words
from game.scenes.fight.seating import Seating
from game.scenes.fight.soundscape import Soundscape
from game.view.boardview import BoardView
from game.view.camera import Camera
from rules.board.sight import SightLine
from rules.contract.actions import Action, Decision, Offer
from rules.contract.display import Board, Miniature
from rules.contract.ruleset import State
from rules.contract.text import Text
from rules.contract.units import Cell

TIGHT = (980, 560)
"""Pixels of window at 100 % below which panels fold."""
TOAST_TIME = 3.0
NEAR_WAY = 4
"""Spaces from the end of an ordered way within which targets are brought into sight together."""
REST = 0.3
"""Seconds that the pointer rests on a space before it is told what there is."""
Pick = tuple[str, str, Action | Offer | None, bool]
"""An entry of a list: label, second line, what it means, whether it can be taken."""


class Anew(Flag):
    """What has to be made or drawn anew."""

    VIEW = auto()
    """The frame, in which panels look as before."""
    BOARD = auto()
    """The frame."""
    PANELS = auto()
    """The widgets, and the frame with them."""
    POINTED = auto()
    """The space that the mouse rests on: it means something else now."""


NOTHING = Anew(0)


class Wish(Enum):
    """Where the camera turns once the panels say what they leave free."""

    ACTOR = auto()
    """To whoever acts and its targets, near enough to see them well."""
    IN_SIGHT = auto()
    """To the same, no farther than needed."""


class Phase(Enum):
    """What the player may do."""

    SHOWN = auto()
    """Wait for what is shown: it would give away what is asked, or nothing is asked after it."""
    OVER = auto()
    OTHERS = auto()
    """Nothing: others decide."""
    QUESTION = auto()
    """Answer."""
    CHANCE = auto()
    """Act."""


class Drag(Enum):
    """What the button that is held down does."""

    NOTHING = auto()
    """It may still become a click."""
    PAN = auto()
    RULER = auto()
    PATH = auto()
    """A way is planned."""
    SPENT = auto()
    """It does nothing any more, and will be no click."""


class Seen:
    """Something whose fields are seen: it remembers what their changes ask to be drawn anew."""

    SEEN_IN: ClassVar[Mapping[str, Anew]] = {}
    anew = NOTHING

    def __setattr__(self, name: str, value: object) -> None:
        where = self.SEEN_IN.get(name)
        if where is not None:
            old = getattr(self, name, self)
            if old is not value and old != value:
                self.anew |= where
        object.__setattr__(self, name, value)


class Pointed(Seen):
    """What is pointed at, by mouse or by keys, and what is dragged or measured there."""

    SEEN_IN = dict.fromkeys(("cell", "aimed", "path", "path_ok", "fault", "keyed", "drag", "ruler", "line"), Anew.BOARD)

    def __init__(self) -> None:
        self.cell: Cell | None = None
        self.aimed: str | None = None
        """The creature that is meant."""
        self.path: tuple[Cell, ...] = ()
        self.path_ok = True
        self.fault: tuple[str, Cell] | None = None
        """Why the space pointed at can't be reached by the plan, and that space."""
        self.turned = False
        """Whether the wheel chose the facing that is considered: a click on the board does just that."""
        self.keyed = False
        """Whether the keys have chosen the space; the mouse takes over again when it moves."""
        self.rested = 0.0
        """Seconds on that space."""
        self.pressed: tuple[int, tuple[int, int]] | None = None
        """The button that is held down, and where it was pressed."""
        self.drag = Drag.NOTHING
        self.waypoints: list[Cell] = []
        self.ruler: tuple[Cell, Cell] | None = None
        """From one space to another, while it is dragged."""
        self.ends: tuple[Cell | None, Cell | None] = (None, None)
        """Of the line of sight that was asked for."""
        self.line: SightLine | None = None

    @property
    def busy(self) -> bool:
        """Whether a gesture is under way that panels must not interrupt."""
        return self.pressed is not None

    @property
    def waiting(self) -> bool:
        """Whether the pointer has come to rest on a space just now."""
        return self.cell is not None and self.rested < REST

    @property
    def rests(self) -> bool:
        """Whether it has rested there long enough to ask what there is."""
        return self.cell is not None and self.rested >= REST and self.drag is Drag.NOTHING

    @property
    def by_keys(self) -> tuple[Cell, str | None] | None:
        """The space that keys chose and who is meant there; None where the mouse points, or nothing does."""
        return (self.cell, self.aimed) if self.keyed and self.cell is not None else None

    def move_on(self) -> None:
        """The match moved on: what was planned is void."""
        self.waypoints, self.turned = [], False
        self.path, self.fault, self.aimed = (), None, None
        self.drag = Drag.NOTHING if self.drag is Drag.PATH else self.drag
        if self.keyed:  # a mouse that rests somewhere means nothing to who plays by keys
            self.cell = None

    def forget_line(self) -> bool:
        """Take the line of sight back; False if there is none."""
        was = self.line is not None or self.ends[0] is not None
        self.line, self.ends = None, (None, None)
        return was

    def forget(self) -> None:
        """Somebody else takes the mouse: nothing is pointed at, measured or planned."""
        self.ruler = None
        self.forget_line()
        self.cell = self.aimed = None
        self.pressed, self.drag, self.waypoints = None, Drag.NOTHING, []
        self.path, self.fault, self.keyed = (), None, False


class Choices(Seen):
    """What the player has opened and considers, between an open decision and the action that answers it."""

    SEEN_IN = {
        **dict.fromkeys(("picks", "more", "unfinished"), Anew.PANELS),
        **dict.fromkeys(("preview", "errand", "approach", "course"), Anew.BOARD),
    }

    picks: tuple[str, list[Pick]] | None = None
    """The open list: its title and entries."""
    more = False
    """Whether what the bar has no room for is unfolded."""
    unfinished = 0
    """How many offers were pressed that did nothing at once: they asked for more, or could not be done."""
    preview: Action | None = None
    """The action under consideration."""
    errand: Errand | None = None
    """Several actions at one wish, which wait for one more click."""
    approach: Errand | None = None
    """What a click on the foe that is pointed at would plan: it is out of reach from here."""
    course: Foreseen | None = None
    """What the party would be ordered by a click."""
    hint = ""
    """What arming a button told the player to do; it goes as soon as that is done."""

    def move_on(self) -> None:
        """The match moved on: nothing is open or considered any more."""
        self.picks = self.preview = self.errand = self.approach = self.course = None
        self.more = False


class FightModel(Seen, Scene):
    """A fight as it is shown: the match, whose eyes look, how far the board has come, what is chosen and pointed at."""

    name = "fight"
    covers = True
    SEEN_IN = {
        **dict.fromkeys(
            ("plan", "selected", "threat_kept", "log_over", "sheet_over", "told_board", "switches", "level", "news"),
            Anew.PANELS,
        ),
        **dict.fromkeys(("threat_held", "toast_text", "board"), Anew.BOARD),
        "outlook": Anew.VIEW,
    }

    def __init__(self, app: Shell, match: Match) -> None:
        self.seen: list[Seen] = [self]
        """Everything whose changes are seen."""
        self.wishes: list[Wish] = []
        super().__init__(app)
        self.match, self.ruleset = match, match.ruleset
        self.camera = Camera(match.field, self.size)
        self.view = BoardView(match.field, match.loaded_map, self.camera)
        self.view.animator.heard = app.sounds.play
        self.view.animator.ears = self.ears
        self.soundscape = Soundscape(match)
        self.seating = Seating(match)
        self.eyes = Eyes(match, self.seating.views(), self.sides)
        """What whoever is at the screen may know: board, state, events and ground come from here alone."""
        self.board: Board = self.eyes.board()
        self.shown: State = self.eyes.state()
        self.names = {m.id: m.name for m in self.board.miniatures}
        self.behind = False
        """Whether the player has not yet seen all that happened."""
        self.told_board, self.told_state = self.board, self.shown
        """What panels show: how things stood before the latest action, until its animation has ended."""
        self.witnessed = True
        """Whether anything of what happened last was seen."""
        self.moves = 0
        """How often the match's state was taken in."""
        self.plan: Plan | None = None
        self.keys_of_offers: dict[int, str] = {}
        """By the offers' numbers."""
        self.choices = Choices()
        self.pointed = Pointed()
        self.seen += [self.choices, self.pointed]
        self.selected: str | None = None
        """Whose sheet is shown."""
        self.threat_held = False
        """While its key is down: what the others can strike."""
        self.threat_kept = False
        """The same until its button is pressed again."""
        self.log_over = self.sheet_over = False
        """Unfolded over the board in a tight window."""
        self.under_panels: list[pygame.Rect] = []
        """Where panels lie."""
        self.bar_hides = False
        """Whether the bar has no room for some offers."""
        self.toast_text, self.toast_left = "", 0.0
        self.outlook: tuple[object, ...] = ()
        """Where the camera is, and whether names are asked for."""
        self.switches: tuple[object, ...] = ()
        """The settings that panels go by."""
        self.level = 0
        """Which map of a place panels know to be shown."""
        self.news: frozenset[int] = frozenset()
        """The maps of a place on which something was seen to happen that nobody has looked at."""
        self.fitted = self.briefed = False
        """Whether it has been on screen."""
        self.taken_up = False
        """Whether it was left once, and is gone on with now."""
        self.taken_in: tuple[State, Decision | None, frozenset[str]] | None = None
        """The state that the open plan was made for, its decision, and who looked."""
        self._shown_for: tuple[int, str] | None = None
        """After how many commands the camera turned to whom."""

    # -- what the scene does for its parts

    def do(self, name: str) -> bool:
        """Carry out a command by its name; False where it means nothing now."""
        raise NotImplementedError

    def doing(self, name: str) -> Callable[[], None]:
        """What a button calls that carries out a command."""

        def call() -> None:
            self.do(name)

        return call

    def settle(self) -> None:
        """Make anew at once what is to be made anew, for who goes on from there within one step."""
        raise NotImplementedError

    # -- how the match stands

    @property
    def sides(self) -> frozenset[str]:
        """The sides of whoever is at the screen."""
        return self.seating.sides

    def ears(self) -> frozenset[str]:
        """With whose ears whoever is at the screen hears."""
        sides = self.sides
        return frozenset(m.id for m in self.board.miniatures if m.side in sides and not m.out)

    def backdrop(self) -> Backdrop:
        sides, by = self.sides, self.plan.decision.by if self.plan is not None else None
        own = [m for m in self.told_board.miniatures if m.side in sides]
        self.soundscape.stand(own, by)
        return self.soundscape.backdrop

    def sound_changed(self, told: str) -> None:
        self.toast(told)

    def for_players(self) -> FightModel:
        return self

    @property
    def frame(self) -> int:
        """How many commands were given."""
        return self.match.history.length

    @property
    def keeps(self) -> bool:
        """What the game master shows to the players, or hides from them, is kept with the fight."""
        return True

    @property
    def curtained(self) -> bool:
        """Whether the players' window must show nothing while whoever sits here looks on."""
        return self.seating.against_heroes

    @property
    def acting(self) -> str | None:
        """Id of the creature whose decision stands open; None also for one that nobody at the screen sees."""
        by = self.match.decision.by if self.match.decision is not None else None
        return by if by in self.names or by == GAME_MASTER else None

    @property
    def ends_chances(self) -> bool:
        """Whether a chance in which nothing is left to do ends by itself."""
        return self.app.settings.end_by_itself

    @property
    def ends_by_itself(self) -> bool:
        """Whether the chance that stands open has nothing left but its end, and the settings end such."""
        return self.plan is not None and self.ends_chances and self.plan.only_end

    @property
    def waits(self) -> bool:
        """Whether what is to be answered would give away what the dice still hide, or ends by itself anyway.

        Sealed plans wait, too: they are made on what a whole side's deeds have come to.
        """
        plan = self.chance
        return self.behind and (plan is None or plan.decision.sealed or self.ends_by_itself)

    @property
    def clock_runs(self) -> bool:
        """Whether the clock of a chance runs now: not while something moves, nor while a question is to be answered."""
        return self.seating.chance is not None and self.plan is not None and not self.waits and not self.view.busy

    @property
    def over(self) -> bool:
        """Whether the fight has come to its end, and the player has seen it."""
        return self.match.decision is None and not self.behind

    @property
    def phase(self) -> Phase:
        """What the player may do now."""
        if self.over or self.waits:
            return Phase.OVER if self.over else Phase.SHOWN
        if self.plan is None:
            return Phase.OTHERS
        return Phase.QUESTION if self.plan.is_question else Phase.CHANCE

    @property
    def chance(self) -> Plan | None:
        """The plan of whoever may act; None while others act or a question is to be answered."""
        return None if self.plan is None or self.plan.is_question else self.plan

    # -- taking it in

    def refresh(self) -> None:
        """Take in the match's state: whose decision stands open, what it may be."""
        decision, before = self.match.decision, self.seating.at
        ours = self.seating.asked(decision)
        if self.seating.at != before:
            self.toast(Text.of("{seat} plays now.", seat=self.seating.at.name))
        self.look()
        self.taken_in = (self.match.state, decision, self.sides)
        self.moves += 1
        self.choices.move_on()
        self.plan = None
        if decision is not None and ours:
            rules, legal, known = self.ruleset, self.ruleset.legal(self.shown, decision), self.eyes.known()
            self.plan = Plan(rules, self.shown, decision, legal, board=self.board, field=self.match.field, known=known)
            self.assign_keys()
        self.pointed.move_on()
        self.anew |= Anew.POINTED | Anew.PANELS
        if not self.behind:
            self.show_now()

    def look(self) -> None:
        """Take in how things stand, as far as whoever is at the screen knows."""
        self.eyes.turn(self.seating.views(), self.sides)
        self.board, self.shown = self.eyes.board(), self.eyes.state()
        self.names = {m.id: m.name for m in self.board.miniatures}
        self.view.see(self.eyes.sight(), self.ruleset.lamps(self.shown))

    def show_now(self) -> None:
        """The animation has come to where the match stands: turn to whoever is to act."""
        if self.acting in self.names:
            self.selected = self.acting
        self.view.set_board(self.board)  # another seat may look now, and has plans of its own
        self.catch_up()
        self.anew |= Anew.PANELS
        now = (self.match.history.length, self.match.decision.by if self.match.decision is not None else "")
        if now != self._shown_for:  # who only comes back from a menu keeps the view they had
            self._shown_for = now
            self.wishes.append(Wish.ACTOR)

    def catch_up(self) -> None:
        """Panels and log show how the match stands, for whoever looks now."""
        self.behind = False
        self.told_state, self.told_board = self.shown, self.board

    def assign_keys(self) -> None:
        """A key for each offer: the one it suggests, unless a command or an earlier offer has it; then a free digit."""
        offers, of_command = self.plan.offers if self.plan is not None else (), self.app.keys.taken
        taken: set[str] = {"m"}
        keys = self.keys_of_offers = {}
        last = max((n for n, offer in enumerate(offers) if offer.description.group == "End"), default=-1)
        for n, offer in enumerate(offers):
            wanted = offer.description.key.lower()
            if n == last:
                keys[n] = self.app.keys.shown("end")
            elif wanted and wanted not in taken and not of_command(wanted):
                keys[n] = wanted
                taken.add(wanted)
        bare = "123456789qertyuiopfghjkzxcvbn"
        spare = (key for key in (*bare, *(f"shift+{key}" for key in bare)) if key not in taken)
        for n, _ in enumerate(offers):
            if n not in keys:
                keys[n] = next((key for key in spare if not of_command(key)), "")

    # -- what is chosen

    def select(self, name: str | None, *, centre: bool = False) -> None:
        """Show somebody's sheet; None = the acting one's again."""
        self.selected = name or self.acting
        if centre and name is not None:
            self.show_cells([m.cell for m in self.board.miniatures if m.id == name])

    def consider(self, action: Action | None) -> None:
        """What the player points at: its cost is shown in the sheet and the order of play."""
        self.choices.preview = action
        if action is not None and self.toast_text == self.choices.hint:
            self.toast_text = ""

    def arm(self, offer: Offer | None) -> None:
        """Narrow what the board means to one offer (None = any)."""
        if self.plan is not None:
            self.plan.armed = offer
            self.anew |= Anew.PANELS

    def key_of(self, offer: Offer) -> str:
        """The key that presses an offer's button."""
        offers = self.plan.offers if self.plan is not None else ()
        return next((self.keys_of_offers.get(n, "") for n, o in enumerate(offers) if o is offer), "")

    def toast(self, text: str) -> None:
        """A quiet line over the board for a moment."""
        self.toast_text, self.toast_left = in_words(text, field=self.match.field), TOAST_TIME

    def fade(self, dt: float) -> None:
        """Let time pass over the toast."""
        if self.toast_left > 0 >= self.toast_left - dt:
            self.toast_text = ""
        self.toast_left = max(0.0, self.toast_left - dt)

    # -- open panels

    @property
    def tight(self) -> bool:
        """Whether text is so large for the window that panels fold: a sheet in short, the log as a tab, a low bar."""
        (wide, high), scale = self.size, self.app.look.scale
        return wide / scale < TIGHT[0] or high / scale < TIGHT[1]

    @property
    def log_open(self) -> bool:
        """Whether the log is unfolded; in a tight window it lies over the board and is folded at first."""
        return self.log_over if self.tight else self.app.settings.log_open

    def fold_log(self) -> None:
        """Fold or open the log."""
        if self.tight:
            self.log_over = not self.log_over
        else:
            self.app.settings.log_open = not self.app.settings.log_open
            self.app.save_settings()
        self.wishes.append(Wish.ACTOR)

    def turn_small_map(self) -> None:
        """Show the small map, or hide it."""
        self.app.settings.small_map = not self.app.settings.small_map
        self.app.save_settings()

    # -- camera

    def show_actor(self, wish: Wish = Wish.ACTOR) -> None:
        """Keep whoever acts, and its targets or else the nearest foe, in the free part of the window."""
        if not self.fitted or self.acting is None:
            return
        plan, targets = self.chance, self.chance.targets() if self.chance is not None else []
        if self.elsewhere(self._ground((self.acting,)), (self.acting,)):
            return
        self.camera.anchor = next(iter(self._ground((self.acting,))), None)  # of several who are due, this one
        ground = self._ground((self.acting, *self._near_way(targets)))
        if wish is Wish.IN_SIGHT:
            self.camera.show(ground)
            return
        self.camera.frame(ground)
        if plan is not None and not targets:  # a foe out of reach is no reason to step back
            ours = [m.id for m in self.board.miniatures if m.side in self.sides and not m.out]
            party = ours if plan.decision.kind == EXPLORING else []  # who is ordered together is seen together
            self.camera.show(self._ground((self.acting, *party, *plan.foes_by_distance()[:1])))

    def _near_way(self, targets: list[str]) -> list[str]:
        """Of these targets of whoever acts: where a way is ordered already (and everybody in sight may be meant) those
        near its end, or the nearest to it."""
        way = next((plan.path for plan in self.board.plans if plan.id == self.acting and plan.path), None)
        if way is None or not targets:
            return targets
        cells = {m.id: m.cell for m in self.board.miniatures}
        far = {name: apart(self.match.field, cells[name], way[-1]) for name in targets}
        least = max(NEAR_WAY, min(far.values()))
        return [name for name in targets if far[name] <= least]

    def show_cells(self, cells: Sequence[Cell]) -> None:
        """Pan so that these spaces are seen, as little as may be, and go farther away only where they don't fit."""
        if cells:
            self.camera.frame(cells, back=False)

    def elsewhere(self, cells: Sequence[Cell], names: Collection[str]) -> bool:
        """Whether something happens on another map than the one shown, and is none of those at the screen's business:
        it is told in the log, and the strip of maps says where."""
        return bool(cells) and not self.camera.shows(cells[0]) and self.others(names)

    def others(self, names: Collection[str]) -> bool:
        """Whether these are none of those at the screen, who have somebody on the board."""
        ours = {m.id for m in self.board.miniatures if m.side in self.sides and not m.out}
        return bool(ours) and ours.isdisjoint(names)

    def everybody(self) -> list[Cell]:
        """Where all stand whom the viewer sees, those at the screen first."""
        minis = (mini for mini in self.board.miniatures if not mini.out)
        return [mini.cell for mini in sorted(minis, key=lambda mini: mini.side not in self.sides)]

    def _ground(self, names: Iterable[str]) -> list[Cell]:
        """The corners of the ground on which these stand, in their order."""
        minis, aslant = {m.id: m for m in self.board.miniatures}, self.match.field.width + 1
        there = (minis[name] for name in names if name in minis)
        return [m.cell + n * aslant for m in there for n in ((0, m.size - 1) if m.size > 1 else (0,))]

    def show_everybody(self) -> None:
        """The fight begins: all whom the viewer sees, whoever acts first, then by how near they are."""
        minis = {m.id: m for m in self.board.miniatures}
        several = bool(self.match.field.maps)  # of which that of one's own is shown, whoever acts elsewhere

        def order(mini: Miniature) -> tuple[bool, bool, bool]:
            other = mini.side not in self.sides
            return several and other, mini.id != self.acting, other

        first = min(minis.values(), key=order, default=None)
        if first is None:
            self.camera.fit()
            return
        near, field = first.cell, self.match.field
        self.camera.begin(self._ground(sorted(minis, key=lambda name: apart(field, minis[name].cell, near))))

    # -- what is to be drawn

    @property
    def due(self) -> Anew:
        """What has to be made anew: by the changes of what is seen, and of what isn't the model's own."""
        camera, settings = self.camera, self.app.settings
        outlook = camera.origin, camera.zoom, self.app.held(pygame.KMOD_ALT)
        if outlook != self.outlook:  # mostly not, and asked in every turn of the loop
            self.outlook = outlook
        if camera.level != self.level or self.level in self.news:
            self.level, self.news = camera.level, self.news - {camera.level}
        switches = settings.log_open, settings.small_map, settings.pace
        if switches != self.switches:
            self.switches = switches
        return self.asked

    @property
    def asked(self) -> Anew:
        """The same by the changes of what is seen alone."""
        found = NOTHING
        for each in self.seen:
            if each.anew is not NOTHING:
                found = each.anew if found is NOTHING else found | each.anew
        return found

    def done(self, what: Anew) -> None:
        """That is made anew now."""
        for each in self.seen:
            if each.anew is not NOTHING:
                each.anew &= ~what

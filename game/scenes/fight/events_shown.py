"""What the player has been shown of the match: the log, and the board and state as far as the animation has come."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Sequence
from functools import partial
from itertools import takewhile
from typing import Any

import pygame

from game.fight.advice import explainable, latest_of
from game.fight.storyline import Storyline, Strand
from game.scenes.fight.model import Anew, FightModel, Seen
from game.scenes.fight.panels import narrate
from game.scenes.fight.plan import eighth
from game.widgets.controls import Label
from game.widgets.core import Tip, column
from game.widgets.story import Entry, Story
from game.widgets.text import Run
from rules.board.grid import Field
from rules.contract.display import Board, Display
from rules.contract.events import EPISODES, Arrived, Attack, Began, Event, Moved, Noise, NoiseKind, Note
from rules.contract.ruleset import State
from rules.contract.text import joined, text, titled
from rules.contract.units import Cell
from rules.core.record import CAPTIVES, Rewind

COMPASS = (
    text("in the north"), text("in the north-east"), text("in the east"), text("in the south-east"),
    text("in the south"), text("in the south-west"), text("in the west"), text("in the north-west"),
)  # fmt: skip
"""Where something is, by eighths of the compass, clockwise."""
HEARD = {
    NoiseKind.STEPS: text("steps"), NoiseKind.VOICES: text("voices"), NoiseKind.SHOUT: text("a shout"),
    NoiseKind.FIGHTING: text("fighting"), NoiseKind.DOOR: text("a door"),
}  # fmt: skip
"""What was heard, where it can be told; else it is a noise."""
LASTS = 2.6
"""Seconds for which it is shown; any press ends it."""
READ = 2.4
"""So many seconds longer where it says why."""
FADES = 0.5
"""The last seconds of these, in which it fades."""
WIDE = 520
MOST_NAMED = 6
"""Names of those who arrive that are told; of more only how many they are."""


class Moment(Seen):
    """What is told large, and for how long still. It lies over the board and takes no input."""

    SEEN_IN = dict.fromkeys(("title", "text", "alpha", "colour"), Anew.BOARD)

    def __init__(self, fight: FightModel) -> None:
        self.fight = fight
        fight.seen.append(self)
        self.title = self.text = ""
        self.colour = "coral"
        self.reads = True
        """Whether the press that ends it means nothing else."""
        self.left = 0.0
        self.alpha = 0
        self._then: float | None = None
        """When it was seen last, by the clock on the wall; None before it was."""

    def hear(self, events: Sequence[Event], why: str = "") -> None:
        """Take in what is shown now: a fight that begins after something else is worth it, an exploration that ends
        before its first minute too. `why` it begins, where no foe is in sight."""
        for event, told in zip(events, (*events[1:], None), strict=True):
            if isinstance(event, Began) and event.what == "fight":
                self.title, self.colour, self.reads = "Danger!", "coral", True
                self.text = joined(" ", [part for part in (told.text if isinstance(told, Note) else "", why) if part])
                self._then = None
                self._let(LASTS + (READ if why else 0.0))
                self.fight.app.sounds.play("danger")
            elif isinstance(event, Began) and event.what == "truce":
                self.title, self.colour, self.reads = "Quiet again", "gold", False
                self.text = "The exploration goes on where everybody stands."
                self._then = None
                self._let(LASTS)

    def announce(self, came: Sequence[Event], board: Board) -> None:
        """Somebody comes onto the board: by the name of their wave, where it has one; which of them are seen."""
        minis = {mini.id: mini for mini in board.miniatures}
        there = [(event, minis[event.by]) for event in came if isinstance(event, Arrived) and event.by in minis]
        if not there:
            return
        waves = dict.fromkeys(event.what for event, _ in there if event.what)
        self.title = titled(next(iter(waves))) if len(waves) == 1 else "More arrive"
        foes = any(mini.side not in self.fight.sides for _, mini in there)
        self.colour, self.reads = "coral" if foes else "teal", False
        names = [mini.name for _, mini in there]
        self.text = joined(", ", names) if len(names) <= MOST_NAMED else text("{n} creatures", len(names))
        self._then = None
        self._let(LASTS)
        self.fight.app.sounds.play("danger")

    def update(self, dt: float) -> None:
        """Let time pass: as much as did on the wall, for where the computer plays fast a frame counts for less."""
        if self.left > 0.0:
            now = self.fight.app.clock()
            passed = dt if self._then is None else max(dt, now - self._then)
            self._then = now
            self._let(max(0.0, self.left - passed))

    def _let(self, left: float) -> None:
        self.left, self.alpha = left, round(255 * min(1.0, left / FADES))

    def end(self) -> bool:
        """Somebody does something: it has been read. False if nothing was shown that had to be."""
        was = self.left > 0.0
        self._let(0.0)
        return was and self.reads

    def draw(self, surface: pygame.Surface) -> None:
        """A plate in the upper third of the free part of the window."""
        if self.left <= 0.0:
            return
        fight, look, wide = self.fight, self.fight.app.look, self.fight.size[0]
        parts = [Label(self.title, "title", self.colour, centred=True)]
        if self.text:
            parts.append(Label(self.text, "label", "bright", centred=True))
        box = column(*parts, gap=4, pad=16, plate="panel", edge=self.colour)
        width, free = min(look.px(WIDE), wide - 20), fight.camera.free
        rect = pygame.Rect(0, 0, width, box.measure(look, width)[1])
        rect.midtop = (free.centerx, free.top + max(4, free.height // 8))
        rect.clamp_ip(pygame.Rect(4, 4, wide - 8, fight.size[1] - 8))
        sheet = pygame.Surface(surface.get_size(), pygame.SRCALPHA)
        look.panel(sheet, rect, fill="night", edge=self.colour)
        box.place(look, rect)
        box.draw(sheet, look)
        sheet.set_alpha(self.alpha)
        surface.blit(sheet, (0, 0))


def unseen(events: Sequence[Event], board: Board, sides: Collection[str], field: Field) -> str:
    """Why a fight begins with no foe in sight, as far as the party knows it; empty where one is seen.

    `events`: what the party witnessed until then, of the same deed; `sides`: its own.
    """
    if any(mini.side not in (*sides, CAPTIVES) and not mini.out and mini.cell >= 0 for mini in board.miniatures):
        return ""
    own = {mini.id: mini for mini in board.miniatures if mini.side in sides and mini.cell >= 0}
    noises = (event for event in events if isinstance(event, Noise) and event.by not in own)
    heard = [(spaces, name, event) for event in noises for name, spaces in event.heard if name in own]
    if heard:
        spaces, name, event = min(heard, key=lambda each: each[0])
        (ax, ay), (bx, by) = field.at(own[name].cell), event.at
        if (ax, ay) == (bx, by):  # noises may come from where one has come to stand
            told = "Somebody out of sight knows of the party. {name} heard {what} close by."
            return text(told, name=own[name].name, what=HEARD.get(event.what, text("a noise")))
        way = COMPASS[eighth(bx - ax, by - ay)]
        told = "Somebody out of sight knows of the party. {name} heard {what} {way}, {n} spaces off."
        return text(told, name=own[name].name, what=HEARD.get(event.what, text("a noise")), way=way, n=spaces)
    moved = [event.by for event in events if isinstance(event, Moved) and event.by in own]
    if moved:
        return text("Somebody out of sight has noticed {name}.", name=own[moved[-1]].name)
    return "Somebody out of sight knows of the party."


def _of_deed(batch: Sequence[tuple[int, int, Event]], first: int, deed: int) -> list[Event]:
    """The events from a place on that belong to a deed: they stand together."""
    found: list[Event] = []
    for place in range(first, len(batch)):
        if batch[place][1] != deed:
            break
        found.append(batch[place][2])
    return found


class Chronicle:
    """Keeps a log and its storyline in step.

    `state` is that by which lines are told, `mark` hears of each new one before it is shown.
    """

    def __init__(
        self, story: Story, ruleset: Display, state: Callable[[], State], mark: Callable[[Entry, Strand], None]
    ) -> None:
        self.story, self._mark = story, mark
        self._line = Storyline(lambda event: ruleset.tell(state(), event))
        self._make: Callable[[Strand], Entry] = lambda strand: narrate.entry(ruleset, state(), strand)

    def strand(self, line: int) -> Strand:
        """What a line tells."""
        return self._line.strands[line]

    def clear(self) -> None:
        """Forget all lines."""
        self.story.clear()
        self._line.strands.clear()
        self.cut(0)

    def changes(self, batch: Sequence[tuple[int, int, Event]]) -> list[Callable[[], None]]:
        """What each event does to the log once it is shown: given as `(end, deed, event)`, those of a deed together.

        All is made out at once, as things are now; call each in order.
        """
        made: list[Callable[[], None]] = []
        for place, (end, deed, event) in enumerate(batch):
            after = _of_deed(batch, place + 1, deed)
            known = len(self._line.strands)
            if (line := self._line.add(end, event, after)) is None:
                made.append(lambda: None)  # no line tells it
                continue
            entry = self._make(self.strand(line))
            if line >= known:
                self._mark(entry, self.strand(line))
            made.append(partial(self._put, line, entry) if line < known else partial(self.story.append, entry))
        return made

    def tell(self, batch: Sequence[tuple[int, int, Event]]) -> None:
        """The same for what is shown already."""
        for change in self.changes(batch):
            change()

    def note(self, entry: Entry, end: int, rewind: int) -> None:
        """A line that tells of a rewind, after so many events."""
        self._line.note(end, rewind)
        self.story.append(entry)

    def skip(self) -> None:
        """A line was put in that tells of nothing: it stays at the head."""
        self._line.note(0, -1)

    def cut(self, events: int, rewinds: int = 0) -> None:
        """Keep only what tells of so many events and rewinds; nothing may be waiting to be shown."""
        shorter = self._line.cut(events, rewinds)
        self.story.cut(len(self._line.strands))
        for line in shorter:
            self._put(line, self._make(self._line.strands[line]))

    def _put(self, line: int, entry: Entry) -> None:
        entry.asks = self.story.entries[line].asks
        self.story.replace(line, entry)


MOST_TOLD = 2500
"""So many events are told at once when a fight is opened, or a little fewer, from an episode's beginning on."""
EARLIER = "What came before is in the replay."
_Note = tuple[int, Rewind]
"""A rewind in the log, and after how many events it stands."""


def _shared(one: Sequence[Any], two: Sequence[Any], alike: Callable[[Any, Any], bool]) -> int:
    """How many entries two lists begin alike with."""
    return sum(1 for _ in takewhile(lambda pair: alike(*pair), zip(one, two, strict=False)))


class Telling:
    """Lets the log, the sheet and the order of play wait for the dice; never the rules."""

    def __init__(self, fight: FightModel, moment: Moment) -> None:
        self.fight, self.moment = fight, moment
        self.story = Story()
        self.story.on_ask = self._ask
        self.story.ask_tip = Tip("Why did the computer do that?")
        self._told = 0
        """The command at which the log asked why last."""
        self._stage_shown: tuple[tuple[int, int], ...] = ()
        self._events: list[Event] = []
        self._first = 0
        """So many events happened before those with which the log begins."""
        self._notes: list[_Note] = []
        self._chronicle = Chronicle(self.story, fight.ruleset, lambda: fight.shown, self._mark)

    def begin(self) -> None:
        """Tell the whole match at once: a fight was opened, or others look at it now."""
        self.fight.view.skip()  # what is still to be told goes on lines that are there
        self._chronicle.clear()
        self._events, self._notes = [], []
        self.change_past()

    def change_past(self) -> None:
        """The match's past has changed: show it as it is now; lines of the log that still hold stay as they are."""
        fight = self.fight
        fight.view.skip()
        events, moments = fight.match.events, fight.match.history.moments
        notes: list[_Note] = [(moments[r.at].events, r.model_copy()) for r in fight.match.record.rewinds]
        same = _shared(self._events, events, operator.is_)
        noted = _shared(self._notes, notes, operator.eq)
        same = min([same, *(at for at, _ in (*self._notes[noted : noted + 1], *notes[noted : noted + 1]))])
        if same <= self._first:
            self._chronicle.clear()
            same = self._first = self._opens_at(events)
            noted = sum(at < same for at, _ in notes)
            if same:
                self.story.append(Entry([Run(EARLIER, "quiet", "small")], []))
                self._chronicle.skip()
        else:
            self._chronicle.cut(same, noted)
        self._told = 0
        for number, (at, rewind) in enumerate(notes[noted:], noted):
            self._chronicle.tell(self._seen(events[same:at], same))
            self._chronicle.note(narrate.rewound(rewind, whole=fight.seating.open_book), at, number)
            same = max(same, at)
        self._chronicle.tell(self._seen(events[same:], same))
        self._events, self._notes = list(events), notes
        fight.view.set_board(fight.board)
        fight.catch_up()
        fight.soundscape.recall(fight.eyes.events(events), fight.sides)

    @staticmethod
    def _opens_at(events: Sequence[Event]) -> int:
        """The number of events before those with which the log begins: all, but for a very long evening the last
        episodes."""
        if len(events) <= MOST_TOLD:
            return 0
        start = len(events) - MOST_TOLD
        borders = (n for n in range(start, len(events)) if isinstance(events[n], Began) and events[n].what in EPISODES)  # type: ignore[attr-defined]
        return next(borders, start)

    def _seen(self, events: Sequence[Event], first: int) -> list[tuple[int, int, Event]]:
        """Those that were witnessed, each with the number of events that had happened with it, and of commands."""
        history, eyes = self.fight.match.history, self.fight.eyes
        told = eyes.placed(events, first + 1)
        return [(end, history.frame_of(end), event) for end, event in told]

    def _mark(self, line: Entry, strand: Strand) -> None:
        """The first line of each deed of the computer's asks why it did that."""
        match, frame = self.fight.match, self.fight.match.history.frame_of(strand.first)
        if not self.fight.seating.open_book or frame in (0, self._told) or match.history.moments[frame].side:
            return
        if line.by and line.by == match.record.commands[frame - 1].by:
            line.asks, self._told = True, frame

    def tell(self, events: Sequence[Event], before: Board, after: Board) -> None:
        """Show what happened; the log gets each line when the board has come to it."""
        fight = self.fight
        seen = self._seen(events, len(self._events))
        self._events += events
        changes = self._chronicle.changes(seen)
        shown = [event for _, _, event in seen]
        fight.behind = True
        fight.witnessed = bool(shown)
        cells, about = stage(shown, before, fight.match.field), concerned(shown)
        if not fight.elsewhere(cells, about):
            fight.show_cells(cells)
        if fight.others(about):
            ends = [cell for event in shown for cell in arrival(event, fight.match.field)]
            fight.news |= {
                level for cell in (*cells, *ends) if (level := fight.camera.level_of(cell)) != fight.camera.level
            }

        def reached(index: int) -> None:
            changes[index]()
            fight.anew |= Anew.BOARD
            if (there := arrival(shown[index], fight.match.field)) and not fight.elsewhere(there, concerned(shown)):
                fight.show_cells(there)
            fight.soundscape.hear(shown[index], fight.sides)
            if isinstance(shown[index], Began):
                why = unseen(shown[:index], after, fight.sides, fight.match.field) if fight.sides else ""
                self.moment.hear(shown[index : index + 2], why)
            if isinstance(shown[index], Arrived) and not (index and isinstance(shown[index - 1], Arrived)):
                self.moment.announce(list(takewhile(lambda event: isinstance(event, Arrived), shown[index:])), after)

        fight.view.play(shown, before, after, reached)
        if fight.app.settings.speed == 0:
            fight.view.skip()
        if not fight.view.busy:
            fight.catch_up()

    def follow(self) -> None:
        """Keep the deed that is shown now in sight: of a whole side's, not all may be seen at once."""
        here = self.fight.view.animator.stage if self.fight.behind else ()
        if here != self._stage_shown:
            self._stage_shown = here
            cells = [self.fight.match.field.cell(*place) for place in here]
            if not self.fight.elsewhere(cells, [m.id for m in self.fight.board.miniatures if m.cell in cells]):
                self.fight.show_cells(cells)

    def _ask(self, line: int) -> None:
        """Why the computer did what a line tells."""
        self._explain(self.fight.match.history.frame_of(self._chronicle.strand(line).first) - 1)

    def may_ask(self, creature: str) -> bool:
        """Whether the computer has decided something for somebody, and may be asked about it."""
        fight = self.fight
        made = explainable(fight.match, fight.seating.seats.played) if fight.seating.open_book else ()
        return any(fight.match.record.commands[number].by == creature for number in made)

    def why(self, creature: str | None = None) -> None:
        """Why the computer did what it did last with a creature; left out: what the line of the log that is picked by

        keys tells, else what it did last with whoever is selected, or with anybody.
        """
        fight, line = self.fight, self.story.cursor
        marked = [n for n, entry in enumerate(self.story.entries) if entry.asks]
        whose = creature or fight.selected
        lines = [n for n in marked if self.story.entries[n].by == whose] or (marked if creature is None else [])
        if creature is None and fight.ui.focus is self.story and line is not None and line in marked:
            lines = [line]
        if lines:  # what is told last, not the end of a chance after it, of which nothing is told
            self._ask(lines[-1])
            return
        number = latest_of(fight.match, whose)
        if not fight.seating.open_book:
            fight.toast("What the computer thinks stays hidden in the fog.")
        elif number is None:
            fight.toast("The computer has decided nothing yet.")
        else:
            self._explain(number)

    def _explain(self, number: int) -> None:
        fight = self.fight
        fight.view.skip()
        fight.app.navigator.why(fight.match, number, fight.camera)


def concerned(events: Sequence[Event]) -> set[str]:
    """The ids of all whom some events are about."""
    names = (getattr(event, field, "") for event in events for field in ("by", "target", "against"))
    return {name for name in names if isinstance(name, str)}


def stage(events: Sequence[Event], before: Board, field: Field) -> list[Cell]:
    """The spaces where it happens: who acts, whom it strikes, where a way ends."""
    stands = {m.id: m.cell for m in before.miniatures}
    found: list[Cell] = []
    for event in events:
        if isinstance(event, Attack):
            found += [stands[name] for name in (event.target, event.by) if name in stands]
        elif isinstance(event, Moved) and event.path:  # who goes to another map is seen to leave first
            found.append(field.cell(*(event.start if event.mode == OVER else event.path[-1])))
        elif isinstance(event, Arrived):
            found.append(field.cell(*event.at))
    return found


OVER = "stairs"
"""How somebody moves who goes from map to map of a place."""


def arrival(event: Event, field: Field) -> list[Cell]:
    """The space at which somebody comes out who has gone to another map; none for anything else."""
    there = isinstance(event, Moved) and event.mode == OVER and bool(event.path)
    return [field.cell(*event.path[-1])] if there and isinstance(event, Moved) else []

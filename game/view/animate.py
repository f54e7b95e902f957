"""What moves: steps, blows, arrows, numbers, falls and dice. Only pictures; the rules have long since gone on."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

import pygame

from game.view.camera import Camera
from game.view.cues import cues_of, weightiest
from game.view.dicetray import trays_of
from game.view.doors import is_open
from game.view.motions import FLOAT, Floating, Motion, Place, draw_blow, draw_float, draw_tray, eased, moved
from game.view.palette import MUTED, Colour, tone
from game.view.spellmarks import draw_spell
from rules import events as ev
from rules.board import Board, Miniature

STEP = 0.13
"""Seconds for a space."""
LONGEST_WALK = 0.8
BLOW = 0.34
FLIGHT = 0.26
DICE = 0.75
FALL = 0.25
SPELL = 0.5
SWING = 0.45
LONGEST_CLOCK = 3.0
"""Seconds on screen that the clock of rules that count seconds runs at most without a pause."""
LINGER = 1.6
"""Seconds that settled dice stay on the table."""

Reached = Callable[[int], None]


class Animator:
    """Plays events as motion. `busy` while a motion runs; floating numbers never hold anything up."""

    def __init__(self, columns: int, doors: Sequence[str] = ()) -> None:
        self.columns = columns
        """Columns of the map."""
        self.doors = tuple(doors)
        """Ids of its doors, in the order of a board's states."""
        self._open: set[str] = set()
        self._queue: list[Motion] = []
        self._age = 0.0
        self._floats: list[Floating] = []
        self._cells: dict[str, Place] = {}
        """Where each miniature is shown now: column, row, size; kept only while something is queued."""
        self._ends: dict[str, Place] = {}
        """The same after all that is queued so far."""
        self._health: dict[str, int] = {}
        self._falls: set[str] = set()
        self._ahead: Counter[str] = Counter()
        """How many events about each creature are still to be shown."""
        self._rolled: Motion | None = None
        self._rolled_age = 0.0
        self.second = 0.0
        """Seconds on screen for each second of rules that count them; 0 = none are shown to pass."""
        self._queued: int | None = None
        """The second of the rules that the motions queued so far lead up to."""
        self.heard: Callable[[str], object] | None = None
        """Told of each sound when what is shown has come to it."""

    # -- what is asked of it

    @property
    def busy(self) -> bool:
        return bool(self._queue)

    @property
    def lingers(self) -> bool:
        """Whether dice lie on the table still, which nobody has to wait for."""
        return self._rolled is not None

    @property
    def dice(self) -> pygame.Rect | None:
        """Where the dice lie that tumble or lie on the table still, as they were drawn last."""
        motion = self._queue[0] if self._queue and self._queue[0].tray is not None else self._rolled
        return motion.placed[0] if motion is not None and motion.placed is not None else None

    @property
    def floats(self) -> bool:
        """Whether words still rise."""
        return bool(self._floats)

    def play(
        self, events: Sequence[ev.Event], before: Board, after: Board, reached: Reached | None = None
    ) -> None:
        """Queue the motion that leads from one board to the next.

        `reached` is called with each event's index, in order, when what is shown has come to it: dice have settled,
        steps are taken. Events that nothing leads up to are reached before this returns.
        """
        self.skip()
        self._cells = {m.id: (*_spot(m, self.columns), m.size) for m in before.miniatures}
        self._enter(events, after)
        self._ends = dict(self._cells)
        self._health = {m.id: m.health.value for m in before.miniatures}
        stood = {m.id for m in before.miniatures if not m.out}
        self._falls = {m.id for m in after.miniatures if m.out} & stood
        self._queued = before.now
        pairs = zip(self.doors, before.doors, strict=False)
        self._open = {name for name, state in pairs if is_open(state)}
        self._ahead = Counter(name for event in events for name in _about(event))
        for index, event in enumerate(events):
            known = self._queue_event(event)
            act = partial(self._reach, index, event, reached)
            if known is None:
                act()
            else:
                known.then.append(act)
        self._run_clock(after.now)
        for motion in self._queue:
            motion.cues = cues_of(motion)
        if not self._queue:
            self._settle()

    def _run_clock(self, now: int | None) -> Motion | None:
        """Where the rules count seconds, those that pass are seen to pass before what came of them is shown."""
        then = self._queued
        if then is None or now is None or now <= then:
            return None
        self._queued = now
        if not self.second:
            return None
        seconds = min(LONGEST_CLOCK, self.second * (now - then))
        motion = Motion(seconds, kind="clock", span=(then, now))
        self._queue.append(motion)
        return motion

    @property
    def stage(self) -> tuple[tuple[int, int], ...]:
        """Columns and rows of those whom the deed that is shown now is about; nothing while they only walk."""
        motion = self._queue[0] if self._queue else None
        if motion is None or motion.kind not in ("dice", "blow", "shot", "spell"):
            return ()
        places = [(column, row) for column, row, _ in motion.clear]
        if motion.kind != "dice":
            by = self._cells.get(motion.mini)
            places = [motion.target, *([by[:2]] if by is not None else [])]
        return tuple((round(column), round(row)) for column, row in places)

    @property
    def clock(self) -> float | None:
        """The second that is shown while something moves; None where the board's own holds."""
        motion = self._queue[0] if self._queue else None
        if motion is None or self._queued is None or not self.second:
            return None
        if motion.kind == "clock":
            then, now = motion.span
            return then + (now - then) * min(1.0, self._age / motion.seconds)
        ahead = next((m for m in self._queue if m.kind == "clock"), None)
        return float(ahead.span[0] if ahead is not None else self._queued)

    def _enter(self, events: Sequence[ev.Event], after: Board) -> None:
        """Who comes into sight by moving does so where it is first seen."""
        sizes = {m.id: m.size for m in after.miniatures}
        for event in events:
            if isinstance(event, ev.Moved) and event.by not in self._cells and event.by in sizes:
                self._cells[event.by] = (float(event.start[0]), float(event.start[1]), sizes[event.by])

    def knows(self, mini: str) -> bool:
        """Whether something that is shown now has to do with a miniature's place."""
        return mini in self._cells

    def clear(self) -> None:
        """Take away what lingers: dice on the table, words that rise."""
        self.skip(quiet=True)
        self._floats.clear()
        self._rolled = None

    def _reach(self, index: int, event: ev.Event, reached: Reached | None) -> None:
        self._ahead.subtract(_about(event))
        if reached is not None:
            reached(index)

    def skip(self, *, quiet: bool = False) -> None:
        """End all motion; what was to happen at the end of each still does, so nothing is shown wrongly.

        Of all that would have been heard one sound is, the weightiest; none where it shall be `quiet`.
        """
        if self.heard is not None and not quiet and (name := weightiest(self._queue)):
            self.heard(name)
        for motion in self._queue:
            self._end(motion)
        self._queue.clear()
        self._age = 0.0
        self._settle()

    def _settle(self) -> None:
        self._cells.clear()
        self._ends.clear()
        self._health.clear()
        self._falls.clear()
        self._ahead.clear()

    def update(self, dt: float, speed: float, reduced: bool) -> bool:
        """Let `dt` seconds pass; whether anything changed. Speed 0 ends every motion at once."""
        if speed <= 0:
            changed = self.busy
            self.skip()
        else:
            changed = self._advance(dt * speed, reduced)
        if self._floats:
            for floating in self._floats:
                floating.age += dt
            self._floats = [f for f in self._floats if f.age < FLOAT]
            changed = True
        if self._rolled is not None:
            self._rolled_age += dt
            if self._rolled_age > LINGER:
                self._rolled = None
                changed = True
        return changed

    def _advance(self, dt: float, reduced: bool) -> bool:
        if not self._queue:
            return False
        self._age += dt
        while self._queue:
            motion = self._queue[0]
            seconds = 0.0 if reduced and motion.kind != "dice" else motion.seconds
            self._sound(motion, self._age / seconds if seconds else 1.0)
            if self._age < seconds:
                break
            self._age -= seconds
            self._queue.pop(0)
            self._end(motion)
        if not self._queue:
            self._age = 0.0
            self._settle()
        return True

    def _sound(self, motion: Motion, share: float) -> None:
        """Let be heard what a motion has come to."""
        while motion.cues and motion.cues[0][0] <= share:
            name, motion.cues = motion.cues[0][1], motion.cues[1:]
            if self.heard is not None:
                self.heard(name)

    def _end(self, motion: Motion) -> None:
        if motion.points and motion.mini in self._cells:
            column, row = motion.points[-1]
            self._cells[motion.mini] = (column, row, self._cells[motion.mini][2])
        for act in motion.then:
            act()

    def place(self, mini: Miniature, camera: Camera) -> pygame.Rect | None:
        """Where a miniature is shown while things move; None where it simply stands."""
        spot = self.spot(mini.id)
        if spot is None:
            return None
        column, row, lift = spot
        size = self._cells[mini.id][2]
        x, y = camera.to_screen(column, row)
        width = camera.space_rect(0).width * size
        return pygame.Rect(x, y - round(lift * width), width, width)

    def spot(self, mini: str) -> tuple[float, float, float] | None:
        """Column, row and height (in spaces) of a miniature while things move; None where it simply stands."""
        known = self._cells.get(mini)
        if known is None:
            return None
        column, row, _ = known
        motion = self._queue[0] if self._queue else None
        lift = 0.0
        if motion is not None:
            share = min(1.0, self._age / motion.seconds)
            if motion.mini == mini:
                column, row, lift = moved(motion, column, row, share)
            elif motion.hurt == mini:
                column, row = self._thrown_back(motion, column, row, share)
        return column, row, lift

    def _thrown_back(self, motion: Motion, column: float, row: float, share: float) -> tuple[float, float]:
        """Where whoever is struck stands: pushed away from the blow, and back again."""
        by = self._cells.get(motion.mini)
        if by is None or share < 0.45:
            return column, row
        push = 0.14 * math.sin(math.pi * (share - 0.45) / 0.55)
        dx, dy = column - by[0], row - by[1]
        length = math.hypot(dx, dy) or 1.0
        return column + dx / length * push, row + dy / length * push

    def health_shown(self, mini: Miniature) -> int:
        """Hit points as far as blows have landed on screen."""
        return self._health.get(mini.id, mini.health.value) if self._queue else mini.health.value

    def told(self, mini: Miniature) -> bool:
        """Whether all that happened to a miniature has been shown, or enough of it: it has fallen."""
        if not self._queue or self._ahead[mini.id] <= 0:
            return True
        return mini.out and self._health.get(mini.id) == mini.health.value

    @property
    def swinging(self) -> tuple[str, float] | None:
        """The door that swings now, and how much of its way is done."""
        motion = self._queue[0] if self._queue else None
        return (
            (motion.door, eased(self._age / motion.seconds)) if motion is not None and motion.door else None
        )

    # -- events into motion

    def _queue_event(self, event: ev.Event) -> Motion | None:
        """Queue an event's motions; the one at whose end it is known how it went (None: it's known already)."""
        if isinstance(event, ev.Attack):
            return self._attack(event)
        if isinstance(event, ev.Injury):
            return self._injury(event)
        if isinstance(event, ev.Cast):
            return self._cast(event)
        if isinstance(event, ev.Began) and event.what == "second":
            self._run_clock(event.number)
        self._queue_plain(event)
        return self._queue[-1] if self._queue else None

    def _queue_plain(self, event: ev.Event) -> None:
        if isinstance(event, ev.Moved):
            points = (
                (float(event.start[0]), float(event.start[1])),
                *((float(x), float(y)) for x, y in event.path),
            )
            seconds = min(LONGEST_WALK, STEP * len(event.path))
            kind = "leap" if event.mode in ("leap", "climb") else "walk"
            self._queue.append(Motion(max(seconds, 0.2), event.by, points, kind))
            if event.by in self._ends:
                self._ends[event.by] = (*points[-1], self._ends[event.by][2])
        elif isinstance(event, ev.Door):
            if is_open(event.state) != (event.door in self._open):
                self._open ^= {event.door}
                self._queue.append(Motion(SWING, kind="door", door=event.door))
        elif isinstance(event, ev.Healing) and event.amount:
            self._say(event.target, f"+{event.amount}", tone("good"))
        elif isinstance(event, ev.Condition) and event.gained:
            self._say(event.target, event.condition, tone("harm"), large=False)
        elif isinstance(event, ev.Check):
            verdict = "holds" if event.success else "fails"
            self._dice((event.roll,), f"{event.what.replace('_', ' ')}: {verdict}", event.by)
        elif isinstance(event, ev.Contest):
            self._dice(event.rolls, f"{event.what}: {event.note}", event.by, event.target)

    def _attack(self, event: ev.Attack) -> Motion | None:
        self._dice(event.rolls, event.outcome.replace("_", " "), event.by, event.target)
        known = self._queue[-1] if self._queue else None
        spot = self._ends.get(event.target)
        if spot is None:
            return known
        kind = "shot" if event.ranged else "blow"
        motion = Motion(FLIGHT if event.ranged else BLOW, event.by, (), kind, (spot[0], spot[1]))
        if event.margin < 0 or not event.damage:
            word = "miss" if event.margin < 0 else "no damage"
            motion.then.append(self._floater(event.target, word, MUTED, False))
        else:
            motion.hurt = event.target
        self._queue.append(motion)
        return known

    def _cast(self, event: ev.Cast) -> Motion | None:
        """A casting: its dice, then a spark to what it is aimed at and a flash over its area."""
        about = (event.by, *(r.target for r in event.resisted))
        self._dice(event.rolls, f"{event.spell}: {'takes hold' if event.success else 'in vain'}", *about)
        known = self._queue[-1] if self._queue else None
        by = self._ends.get(event.by)
        aim = self._ends.get(event.target or event.by)
        if by is None or aim is None:
            return known
        target = (float(event.at[0]), float(event.at[1])) if event.at is not None else (aim[0], aim[1])
        cells = tuple((float(x), float(y)) for x, y in event.cells)
        motion = Motion(SPELL, event.by, (), "spell", target, cells)
        for mark in event.resisted:
            if not mark.holds:
                motion.then.append(self._floater(mark.target, "resists", MUTED, False))
        self._queue.append(motion)
        return known

    def _injury(self, event: ev.Injury) -> Motion | None:
        def land() -> None:
            self._health[event.target] = max(0, event.hp)

        act = self._floater(event.target, f"−{event.amount}" if event.amount else "0", tone("harm"), True)
        landed = self._queue[-1] if self._queue else None
        if landed is not None:
            landed.then += [act, land]
        else:
            act()
            land()
        if event.target in self._falls:
            self._falls.discard(event.target)
            self._queue.append(Motion(FALL, event.target, (), "fall"))
        return landed

    def _say(self, mini: str, text: str, colour: Colour, *, large: bool = True) -> None:
        act = self._floater(mini, text, colour, large)
        if self._queue:
            self._queue[-1].then.append(act)
        else:
            act()

    def _floater(self, mini: str, text: str, colour: Colour, large: bool) -> Callable[[], None]:
        def act() -> None:
            spot = self._cells.get(mini)
            if spot is not None:
                near = sum(
                    1 for f in self._floats if abs(f.at[0] - spot[0] - spot[2] / 2) < 0.6 and f.age < 0.3
                )
                at = (spot[0] + spot[2] / 2, spot[1] + 0.28 * near)
                self._floats.append(Floating(text, colour, at, large=large))

        return act

    def _dice(self, rolls: Sequence[ev.Roll], verdict: str, *about: str) -> None:
        tray = trays_of(rolls, verdict)
        if tray is None:
            return

        clear = tuple(self._ends[name] for name in about if name in self._ends)
        others = tuple(place for name, place in self._ends.items() if name not in about)
        motion = Motion(DICE, kind="dice", tray=tray, clear=clear, others=others)

        def keep() -> None:
            self._rolled, self._rolled_age = motion, 0.0

        motion.then.append(keep)
        self._queue.append(motion)

    # -- drawing

    def draw(self, surface: pygame.Surface, camera: Camera, scale: float = 1.0) -> None:
        """Draw what is above the miniatures: arrows, flashes, numbers and dice (these as large as the panels)."""
        motion = self._queue[0] if self._queue else None
        if motion is not None and motion.kind in ("shot", "blow", "spell"):
            if (spot := self._cells.get(motion.mini)) is not None:
                draw = draw_spell if motion.kind == "spell" else draw_blow
                draw(surface, camera, motion, spot, self._age / motion.seconds)
        for floating in self._floats:
            draw_float(surface, camera, floating, scale)
        if motion is not None and motion.tray is not None:
            draw_tray(surface, camera, motion, self._age / motion.seconds, scale)
        elif self._rolled is not None:
            draw_tray(surface, camera, self._rolled, 1.0, scale)


def _about(event: ev.Event) -> list[str]:
    """Ids of the creatures that an event names."""
    return [name for word in ("by", "target") if (name := getattr(event, word, None))]


def _spot(mini: Miniature, width: int) -> tuple[float, float]:
    row, column = divmod(mini.cell, width)
    return float(column), float(row)

"""What moves: steps, blows, arrows, numbers, falls and dice. Only pictures; the rules have long since gone on."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import pygame

from game.view.camera import Camera
from game.view.motion.pictures import Floating, Motion, Place, draw_blow, draw_float, draw_tray, eased, moved
from game.view.motion.script import Script
from game.view.motion.spellmarks import draw_spell
from game.view.palette import Colour
from rules.contract import events as ev
from rules.contract.display import Board, Miniature

LANDS = 0.45
"""Share of a blow's time at which it lands."""
WEIGHT = ("step", "dice", "miss", "door", "spell", "hit", "death", "danger")
"""Sounds, the one that matters most last: where much is skipped, it alone is heard."""
STEPS = 4
"""Footfalls of a walk at most, however long it is."""

Cue = tuple[float, str]


def cues_of(motion: Motion) -> tuple[Cue, ...]:
    """The sounds of a motion by the share of its time, ascending."""
    match motion.kind:
        case "walk":
            steps = max(1, min(STEPS, len(motion.points) - 1))
            return tuple(((n + 0.5) / steps, "step") for n in range(steps))
        case "leap":
            return ((0.95, "step"),)
        case "blow" | "shot":
            return ((LANDS if motion.kind == "blow" else 0.95, "hit" if motion.hurt else "miss"),)
        case "dice" | "door" | "spell":
            return ((0.0, motion.kind),)
        case "fall":
            return ((0.0, "death"),)
    return ()


def weightiest(motions: Iterable[Motion]) -> str:
    """The one sound that stands for motions that were skipped; empty for none."""
    names = [name for motion in motions for _, name in motion.cues]
    return max(names, key=WEIGHT.index, default="")


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
        self._queue: list[Motion] = []
        self._age = 0.0
        self._floats: list[Floating] = []
        self._cells: dict[str, Place] = {}
        """Where each miniature is shown now: column, row, size; kept only while something is queued."""
        self._health: dict[str, int] = {}
        self._ahead: Counter[str] = Counter()
        """How many events about each creature are still to be shown."""
        self._rolled: Motion | None = None
        self._rolled_age = 0.0
        self.second = 0.0
        """Seconds on screen for each second of rules that count them; 0 = none are shown to pass."""
        self._script: Script | None = None
        """What the motions that are shown came from."""
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

    def play(self, events: Sequence[ev.Event], before: Board, after: Board, reached: Reached | None = None) -> None:
        """Queue the motion that leads from one board to the next.

        `reached` is called with each event's index, in order, when what is shown has come to it: dice have settled,
        steps are taken. Events that nothing leads up to are reached before this returns.
        """
        self.skip()
        self._cells = {m.id: (*_spot(m, self.columns), m.size) for m in before.miniatures}
        self._enter(events, after)
        self._health = {m.id: m.health.value for m in before.miniatures}
        script = self._script = Script(self, self._cells, before, after, doors=self.doors, second=self.second)
        self._queue = script.motions
        self._ahead = Counter(name for event in events for name in _about(event))
        for index, event in enumerate(events):
            known = script.add(event)
            act = partial(self._reach, index, event, reached)
            if known is None:
                act()
            else:
                known.then.append(act)
        script.run_clock(after.now)
        for motion in self._queue:
            motion.cues = cues_of(motion)
        if not self._queue:
            self._settle()

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
        lead = self._script.now if self._script is not None else None
        if motion is None or lead is None or not self.second:
            return None
        if motion.kind == "clock":
            then, now = motion.span
            return then + (now - then) * min(1.0, self._age / motion.seconds)
        ahead = next((m for m in self._queue if m.kind == "clock"), None)
        return float(ahead.span[0] if ahead is not None else lead)

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
        self._health.clear()
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
            self._floats = [f for f in self._floats if f.age < f.lasts]
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
        return (motion.door, eased(self._age / motion.seconds)) if motion is not None and motion.door else None

    # -- what happens at the end of a motion

    def rise(self, mini: str, text: str, colour: Colour, large: bool) -> None:
        """Let a word rise over a miniature, above those that have just begun to."""
        spot = self._cells.get(mini)
        if spot is not None:
            at = (spot[0] + spot[2] / 2, spot[1])
            near = [f for f in self._floats if math.dist(f.at, at) < 0.6 and f.age < f.lasts / 3]
            self._floats.append(Floating(text, colour, at, large=large, line=len(near)))

    def land(self, mini: str, health: int) -> None:
        """Show the hit points that a blow has left."""
        self._health[mini] = health

    def lay(self, dice: Motion) -> None:
        """Leave dice that have settled on the table."""
        self._rolled, self._rolled_age = dice, 0.0

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

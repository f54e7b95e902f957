"""What moves: steps, blows, arrows, numbers, falls and dice. Only pictures; the rules have long since gone on.

The script says which motions events become, one after the other, and at which end it is known how each went.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import takewhile

import pygame

from game.view.camera import Camera
from game.view.ground.walls import is_open
from game.view.motion.cues import Floor, cues_of, heard_across, heard_of, weightiest
from game.view.motion.pictures import Floating, Motion, Place, draw_blow, draw_float, draw_tray, eased, moved, trays_of
from game.view.motion.spellmarks import draw_spell
from game.view.palette import MUTED, Colour, tone
from rules.contract import events as ev
from rules.contract.display import Board, Miniature
from rules.contract.text import Text, noticed, text
from rules.core.dice import signed

STEP = 0.13
"""Seconds for a space."""
LONGEST_WALK = 0.8
STAIRS = 0.5
"""Seconds for the way from one map to another."""
BLOW = 0.34
FLIGHT = 0.26
DICE = 0.75
FALL = 0.25
SPELL = 0.5
SWING = 0.45
LONGEST_CLOCK = 3.0
"""Seconds on screen that the clock of rules that count seconds runs at most without a pause, if faster than ours."""
LEAST_CLOCK = 0.05
"""The same at least, where the steps taken meanwhile have been as long."""

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
        self.floor: Floor | None = None
        """What the floor is made of."""
        self.ears: Callable[[], Collection[str]] = tuple
        """The creatures with whose ears whoever looks on hears noises from afar."""
        self.shows_dice = True
        self.starts: list[float] = []
        """When each of the events that were played last begins, in seconds from the first."""
        self.played: Sequence[ev.Event] = ()
        """Those events."""

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
        self, events: Sequence[ev.Event], before: Board, after: Board, reached: Reached | None = None,
        starts: Sequence[float] = (),
    ) -> None:  # fmt: skip
        """Queue the motion that leads from one board to the next.

        `reached` is called with each event's index, in order, when what is shown has come to it: dice have settled,
        steps are taken. Events that nothing leads up to are reached before this returns. `starts`: no event begins
        sooner than so many seconds after the first, where another window shows it then.
        """
        self.skip()
        spots = ((m, divmod(m.cell, self.columns)) for m in before.miniatures)
        self._cells = {m.id: (float(column), float(row), m.size) for m, (row, column) in spots}
        sizes = {m.id: m.size for m in after.miniatures}
        for event in events:  # who comes into sight by moving does so where it is first seen
            if isinstance(event, ev.Moved) and event.by not in self._cells and event.by in sizes:
                self._cells[event.by] = (float(event.start[0]), float(event.start[1]), sizes[event.by])
        self._health = {m.id: m.health.value for m in before.miniatures}
        script = self._script = Script(self, self._cells, before, after)
        self._queue = script.motions
        self._ahead = Counter(name for event in events for name in _about(event))
        self.starts, self.played = [], events
        for index, event in enumerate(events):
            if starts:
                script.wait(starts[index])
            self.starts.append(script.length)
            moved = len(script.motions)
            known = script.add(event)
            self._sound(event, known, still=len(script.motions) == moved)
            act = partial(self._reach, index, event, reached)
            if known is None:
                act()
            else:
                known.then.append(act)
        script.run_clock(after.now)
        for motion in self._queue:
            motion.cues = (*cues_of(motion, self.floor), *motion.cues)
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

    def knows(self, mini: str) -> bool:
        """Whether something that is shown now has to do with a miniature's place."""
        return mini in self._cells

    def clear(self) -> None:
        """Take away what lingers: dice on the table, words that rise."""
        self.skip(quiet=True)
        self._floats.clear()
        self._rolled = None

    def _sound(self, event: ev.Event, known: Motion | None, *, still: bool) -> None:
        """What an event sounds like is heard once it is known; `still`: it is no motion."""
        name = heard_across(event, self.ears()) if isinstance(event, ev.Noise) else heard_of(event, still=still)
        if name and known is not None:
            known.cues += ((1.0, name),)
        elif name and self.heard is not None:
            self.heard(name)

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
            while motion.cues and motion.cues[0][0] <= (self._age / seconds if seconds else 1.0):
                name, motion.cues = motion.cues[0][1], motion.cues[1:]
                if self.heard is not None:
                    self.heard(name)
            if self._age < seconds:
                break
            self._age -= seconds
            self._queue.pop(0)
            self._end(motion)
        if not self._queue:
            self._age = 0.0
            self._settle()
        return True

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
            elif motion.hurt == mini and share >= 0.45 and (by := self._cells.get(motion.mini)) is not None:
                push = 0.14 * math.sin(math.pi * (share - 0.45) / 0.55)  # away from the blow, and back again
                dx, dy = column - by[0], row - by[1]
                length = math.hypot(dx, dy) or 1.0
                column, row = column + dx / length * push, row + dy / length * push
        return column, row, lift

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
        taken: list[pygame.Rect] = []
        for floating in self._floats:
            draw_float(surface, camera, floating, scale, taken)
        if not self.shows_dice:
            return
        if motion is not None and motion.tray is not None:
            draw_tray(surface, camera, motion, self._age / motion.seconds, scale)
        elif self._rolled is not None:
            draw_tray(surface, camera, self._rolled, 1.0, scale)


def _about(event: ev.Event) -> list[str]:
    """Ids of the creatures that an event names."""
    return [name for word in ("by", "target") if (name := getattr(event, word, None))]


class Script:
    """The motions that lead from one board to the next."""

    def __init__(self, stage: Animator, places: Mapping[str, Place], before: Board, after: Board) -> None:
        self.motions: list[Motion] = []
        self._counted = (0, 0.0)
        """How many motions have been added up, and their seconds."""
        self.now = before.now
        """The second of the rules that the motions so far lead up to."""
        self._stage = stage
        self._ends = dict(places)
        """Where each miniature is after all motions so far: column, row, size."""
        stood = {m.id for m in before.miniatures if not m.out}
        self._falls = {m.id for m in after.miniatures if m.out} & stood
        self._names = {m.id: m.name for m in (*before.miniatures, *after.miniatures)}
        pairs = zip(stage.doors, before.doors, strict=False)
        self._open = {name for name, state in pairs if is_open(state)}

    @property
    def length(self) -> float:
        """Seconds that the motions so far take."""
        count, seconds = self._counted
        if count < len(self.motions):
            self._counted = len(self.motions), seconds + sum(motion.seconds for motion in self.motions[count:])
        return self._counted[1]

    def wait(self, until: float) -> None:
        """Nothing more happens until so many seconds after the first motion began."""
        if (left := until - self.length) > 0:
            self.motions.append(Motion(left, kind="wait"))

    def run_clock(self, now: int | None) -> None:
        """Where the rules count seconds, those that pass are seen to pass before what came of them is shown."""
        then = self.now
        if then is None or now is None or now <= then:
            return
        self.now, second = now, self._stage.second
        if not second:
            return
        seconds = second * (now - then) if second >= 1.0 else min(LONGEST_CLOCK, second * (now - then))
        # The second of a step is what the step takes, not what comes after it.
        walked = sum(each.seconds for each in takewhile(lambda each: each.kind == "walk", reversed(self.motions)))
        self.motions.append(Motion(max(LEAST_CLOCK, seconds - walked), kind="clock", span=(then, now)))

    def add(self, event: ev.Event) -> Motion | None:
        """Queue an event's motions; the one at whose end it is known how it went (None: it's known already)."""
        if isinstance(event, ev.Attack):
            return self._attack(event)
        if isinstance(event, ev.Injury):
            return self._injury(event)
        if isinstance(event, ev.Cast):
            return self._cast(event)
        if isinstance(event, ev.Began) and event.what == "second":
            self.run_clock(event.number)
        self._plain(event)
        return self.motions[-1] if self.motions else None

    def _plain(self, event: ev.Event) -> None:
        if isinstance(event, ev.Moved):
            points = ((float(event.start[0]), float(event.start[1])), *((float(x), float(y)) for x, y in event.path))
            seconds = min(LONGEST_WALK, STEP * len(event.path))
            kind = "leap" if event.mode in ("leap", "climb") else "walk"
            if event.mode == "stairs":  # nobody walks through the rock between two maps
                kind, seconds = "stairs", STAIRS
            self.motions.append(Motion(max(seconds, 0.2), event.by, points, kind))
            if event.by in self._ends:
                self._ends[event.by] = (*points[-1], self._ends[event.by][2])
        elif isinstance(event, ev.Door):
            if is_open(event.state) != (event.door in self._open):
                self._open ^= {event.door}
                self.motions.append(Motion(SWING, kind="door", door=event.door))
        elif isinstance(event, ev.Healing) and event.amount:
            self._say(event.target, f"+{event.amount}", tone("good"))
        elif isinstance(event, ev.Check):
            verdict = noticed(event.what, success=event.success) or ("succeeds" if event.success else "fails")
            words: str = Text.of("{what}: {verdict}", what=event.what.replace("_", " "), verdict=verdict)
            self._dice((event.against, event.roll) if event.against else (event.roll,), words, event.by)
            self._say(event.by, words, tone("good" if event.success else "harm"), large=False)
        elif isinstance(event, ev.Contest):
            words = Text.of("{what}: {note}", what=event.what, note=event.note) if event.note else event.what
            self._dice(event.rolls, words, event.by, event.target)
            if event.target != event.by or not event.success:  # who keeps out of sight does so at every step
                self._say(event.by, words, tone("good" if event.success else "harm"), large=False)
        else:
            self._fate(event)

    def _fate(self, event: ev.Event) -> None:
        """What has come over somebody, in a word beside them: the log may be folded."""
        if isinstance(event, ev.Condition):
            text = event.condition if event.gained else Text.of("no longer {condition}", condition=event.condition)
            self._say(event.target, text, tone("harm") if event.gained else MUTED, large=False)
        elif isinstance(event, ev.Enchanted):
            text = event.name if event.gained else Text.of("{name} ends", name=event.name)
            self._say(event.target, text, tone("aim") if event.gained else MUTED, large=False)
        elif isinstance(event, ev.Posture) and event.because:
            self._say(event.by, event.posture, MUTED, large=False)
        elif isinstance(event, ev.Adjusted):
            change = event.adjustment
            said = Text.of("{sign} {to}", sign=signed(change.value), to=change.to)
            self._say(event.target, said, tone("good" if change.value > 0 else "harm"), large=False)

    def _attack(self, event: ev.Attack) -> Motion | None:
        self._dice(event.rolls, event.outcome.replace("_", " "), event.by, event.target)
        known = self.motions[-1] if self.motions else None
        spot = self._ends.get(event.target)
        if spot is None:
            return known
        kind = "shot" if event.ranged else "blow"
        start = event.past or event.by
        motion = Motion(FLIGHT if event.ranged else BLOW, start, (), kind, (spot[0], spot[1]))
        if event.margin < 0 or not event.damage:
            word = "miss" if event.margin < 0 else "no damage"
            motion.then.append(partial(self._stage.rise, event.target, word, MUTED, False))
        else:
            motion.hurt = event.target
        self.motions.append(motion)
        return known

    def _cast(self, event: ev.Cast) -> Motion | None:
        """A casting: its dice, then a spark to what it is aimed at and a flash over its area."""
        about = (event.by, *(r.target for r in event.resisted))
        verdict = text("{spell}: {what}", event.spell, "takes hold" if event.success else "in vain")
        self._dice(event.rolls, verdict, *about)
        known = self.motions[-1] if self.motions else None
        ink = tone("aim") if event.success else MUTED
        told = event.spell if event.success else text("{spell}: in vain", event.spell)
        self._say(event.by, told, ink, large=False)
        by = self._ends.get(event.by)
        aim = self._ends.get(event.target or event.by)
        if by is None or aim is None:
            return known
        target = (float(event.at[0]), float(event.at[1])) if event.at is not None else (aim[0], aim[1])
        cells = tuple((float(x), float(y)) for x, y in event.cells)
        motion = Motion(SPELL, event.by, (), "spell", target, cells, in_vain=not event.success)
        tried = event.resisted if event.success or not event.rating else ()  # nobody need resist what failed
        free = [mark.target for mark in tried if not mark.holds]
        motion.then += [partial(self._stage.rise, target, "resists", MUTED, False) for target in free]
        self.motions.append(motion)
        return known

    def _injury(self, event: ev.Injury) -> Motion | None:
        self._say(event.target, f"−{event.amount}" if event.amount else "0", tone("harm"))
        landed = self.motions[-1] if self.motions else None
        self._then(partial(self._stage.land, event.target, max(0, event.hp)))
        if event.target in self._falls:
            self._falls.discard(event.target)
            self.motions.append(Motion(FALL, event.target, (), "fall"))
        return landed

    def _say(self, mini: str, text: str, colour: Colour, *, large: bool = True) -> None:
        self._then(partial(self._stage.rise, mini, text, colour, large))

    def _then(self, act: Callable[[], None]) -> None:
        """At the end of what is shown so far; at once if there is nothing to show."""
        if self.motions:
            self.motions[-1].then.append(act)
        else:
            act()

    def _dice(self, rolls: Sequence[ev.Roll], verdict: str, *about: str) -> None:
        names = [known for name in about if (known := self._names.get(name))]
        title = "".join(names[:1])
        if len(names) == 2 and about[0] != about[-1]:  # nobody sneaks on itself
            title = text("{by} on {target}", names[0], names[1])
        elif len(names) > 2:
            title = text("{by} on {count} creatures", names[0], len(names) - 1)
        tray = trays_of(rolls, verdict, title)
        if tray is None:
            return
        clear = tuple(self._ends[name] for name in about if name in self._ends)
        others = tuple(place for name, place in self._ends.items() if name not in about)
        motion = Motion(DICE, kind="dice", tray=tray, clear=clear, others=others)
        motion.then.append(partial(self._stage.lay, motion))
        self.motions.append(motion)

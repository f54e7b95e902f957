"""Which motions events become: what is to be seen, one after the other, and at which end it is known how each went."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import takewhile
from typing import Protocol

from game.view.ground.walls import is_open
from game.view.motion.pictures import Motion, Place, trays_of
from game.view.palette import MUTED, Colour, tone
from rules.contract import events as ev
from rules.contract.display import Board
from rules.contract.text import Text, text
from rules.core.dice import signed

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
"""Seconds on screen that the clock of rules that count seconds runs at most without a pause, if faster than ours."""
LEAST_CLOCK = 0.05
"""The same at least, where the steps taken meanwhile have been as long."""


class Stage(Protocol):
    """Where motions are played, and what is to happen at their ends."""

    def rise(self, mini: str, text: str, colour: Colour, large: bool) -> None:
        """Let a word rise over a miniature."""
        ...

    def land(self, mini: str, health: int) -> None:
        """Show the hit points that a blow has left."""
        ...

    def lay(self, dice: Motion) -> None:
        """Leave dice that have settled on the table."""
        ...


class Script:
    """The motions that lead from one board to the next."""

    def __init__(
        self,
        stage: Stage,
        places: Mapping[str, Place],
        before: Board,
        after: Board,
        *,
        doors: Sequence[str],
        second: float,
    ) -> None:
        self.motions: list[Motion] = []
        self.now = before.now
        """The second of the rules that the motions so far lead up to."""
        self._stage = stage
        self._second = second
        self._ends = dict(places)
        """Where each miniature is after all motions so far: column, row, size."""
        stood = {m.id for m in before.miniatures if not m.out}
        self._falls = {m.id for m in after.miniatures if m.out} & stood
        self._names = {m.id: m.name for m in (*before.miniatures, *after.miniatures)}
        pairs = zip(doors, before.doors, strict=False)
        self._open = {name for name, state in pairs if is_open(state)}

    def run_clock(self, now: int | None) -> Motion | None:
        """Where the rules count seconds, those that pass are seen to pass before what came of them is shown."""
        then = self.now
        if then is None or now is None or now <= then:
            return None
        self.now = now
        if not self._second:
            return None
        seconds = self._second * (now - then)
        if self._second < 1.0:
            seconds = min(LONGEST_CLOCK, seconds)
        # The second of a step is what the step takes, not what comes after it.
        walked = sum(each.seconds for each in takewhile(lambda each: each.kind == "walk", reversed(self.motions)))
        motion = Motion(max(LEAST_CLOCK, seconds - walked), kind="clock", span=(then, now))
        self.motions.append(motion)
        return motion

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
            verdict = "holds" if event.success else "fails"
            words: str = Text.of("{what}: {verdict}", what=event.what.replace("_", " "), verdict=verdict)
            self._dice((event.against, event.roll) if event.against else (event.roll,), words, event.by)
            self._say(event.by, words, tone("good" if event.success else "harm"), large=False)
        elif isinstance(event, ev.Contest):
            words = Text.of("{what}: {note}", what=event.what, note=event.note) if event.note else event.what
            self._dice(event.rolls, words, event.by, event.target)
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
            sign = signed(change.value)
            word = tone("good") if change.value > 0 else tone("harm")
            self._say(event.target, Text.of("{sign} {to}", sign=sign, to=change.to), word, large=False)

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
            motion.then.append(self._rising(event.target, word, MUTED, False))
        else:
            motion.hurt = event.target
        self.motions.append(motion)
        return known

    def _cast(self, event: ev.Cast) -> Motion | None:
        """A casting: its dice, then a spark to what it is aimed at and a flash over its area."""
        about = (event.by, *(r.target for r in event.resisted))
        self._dice(
            event.rolls, text("{spell}: {what}", event.spell, "takes hold" if event.success else "in vain"), *about
        )
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
        motion = Motion(SPELL, event.by, (), "spell", target, cells)
        tried = event.resisted if event.success or not event.rating else ()  # nobody need resist what failed
        for mark in tried:
            if not mark.holds:
                motion.then.append(self._rising(mark.target, "resists", MUTED, False))
        self.motions.append(motion)
        return known

    def _injury(self, event: ev.Injury) -> Motion | None:
        text = f"−{event.amount}" if event.amount else "0"
        act = self._rising(event.target, text, tone("harm"), True)
        land = partial(self._stage.land, event.target, max(0, event.hp))
        landed = self.motions[-1] if self.motions else None
        if landed is not None:
            landed.then += [act, land]
        else:
            act()
            land()
        if event.target in self._falls:
            self._falls.discard(event.target)
            self.motions.append(Motion(FALL, event.target, (), "fall"))
        return landed

    def _rising(self, mini: str, text: str, colour: Colour, large: bool) -> Callable[[], None]:
        return partial(self._stage.rise, mini, text, colour, large)

    def _say(self, mini: str, text: str, colour: Colour, *, large: bool = True) -> None:
        act = self._rising(mini, text, colour, large)
        if self.motions:
            self.motions[-1].then.append(act)
        else:
            act()

    def _dice(self, rolls: Sequence[ev.Roll], verdict: str, *about: str) -> None:
        names = [self._names[name] for name in about if name in self._names]
        title = "".join(names[:1])
        if len(names) == 2:
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

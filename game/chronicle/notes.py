"""What is worth a sentence in a fight: its events read once, each deed with what it weighs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from game.chronicle.episodes import Beat, Episode
from game.chronicle.naming import Cast
from game.chronicle.things import definite
from game.fight.match import Match
from rules.contract.events import FELLED, Attack, Challenge, Condition, Freed, Goal, Healing, Injury, Left, Summoned
from rules.contract.events import Cast as Spell
from rules.contract.text import Value
from rules.core.secrets import Stands
from rules.explore.goals import Stands as GoalStands

AIDS = ("first_aid", "bandage", "bind")
FLIGHT = ("fled", "routed", "retreated")
YIELDED, STABLE = "surrendered", "stable"
SCAR = "scar "
DOWN = ("dead", "incapacitated")
HELPLESS, PAIN = "helpless", "pain"
LAID_LOW = (*DOWN, "critical", "out")
"""Conditions of which who loses them is up again."""
MISSES = 3
"""Blows in vain from which on it is told that somebody hits nobody."""
GREAT = 6
"""Hit points from which on a blow is a great one."""
BARE = "unarmed"
"""In place of a weapon."""


class Weight(IntEnum):
    """What a deed weighs: of a long fight only the weightiest are told."""

    HERO = 100
    DONE = 99
    FREED = 95
    AIDED = 90
    LEFT = 85
    FOE = 80
    HELPLESS = 78
    RISEN = 75
    SCARRED = 74
    YIELDED = 71
    FLED = 70
    TRAP = 60
    MOVED = 58
    JOINED = 56
    BLOOD = 50
    CALLED = 47
    CAST = 45
    STRUCK = 44
    VAIN = 40
    BLOW = 36
    USED = 35


@dataclass
class Note:
    """A deed to be told at its moment: `kind` is that of its sentences, `by` and `target` are ids."""

    frame: int
    weight: Weight
    kind: str
    by: str = ""
    target: str = ""
    fields: Mapping[str, Value] = field(default_factory=dict)
    count: int | None = None
    """Where the sentence's form hangs on a number."""
    crowd: tuple[str, ...] = ()
    """Ids of several that the sentence is about."""
    several: tuple[str, ...] = ()
    """Ids of those who did it together."""


class Fate:
    """How somebody of the party fell: where, and to whom or what."""

    def __init__(self, where: str, by: str = "", what: str = "") -> None:
        self.where, self.by, self.what = where, by, what


class Reader:
    """Reads a fight's events into notes, and keeps count of wounds and of who is down."""

    def __init__(self, match: Match, cast: Cast, ours: frozenset[str], *, fallen: set[str]) -> None:
        self.match, self.cast, self.ours, self.fallen = match, cast, ours, fallen
        self.notes: list[Note] = []
        self._lying = frozenset(fallen)
        self.met: list[str] = []
        """Everybody who did something or had something done to them, in that order."""
        self.lost: dict[str, int] = {}
        self.down: list[str] = []
        self.helpless: set[str] = set()
        """Who was hurt while it lay there with hit points left."""
        self.causes: dict[str, tuple[str, str]] = {}
        """Of whom was hurt last by whom, and by what."""
        self._struck: dict[str, tuple[int, Attack]] = {}
        self._spells: dict[str, tuple[int, Spell]] = {}
        self._cast: set[tuple[str, str]] = set()
        self._misses: dict[str, tuple[int, int]] = {}
        self._hits: set[str] = set()
        self._blood = False

    def read(self, episode: Episode) -> list[Note]:
        """The notes of a fight, in the order in which it happened."""
        for beat in episode.beats:
            if beat.event.hand and not isinstance(beat.event, Condition):
                continue  # what the game master's hand does is nobody's feat
            if isinstance(beat.event, Attack | Injury | Spell | Summoned):
                self._meet(beat.event.by, beat.event.target)
            self.notes += self._noted(beat)
        for who, (count, frame) in self._misses.items():
            if count >= MISSES and who not in self._hits:
                self.notes.append(Note(frame, Weight.VAIN, "missed", by=who, count=count))
        self.notes += [
            Note(frame, Weight.MOVED, "moved", fields={"place": place.said}) for frame, place in episode.stages
        ]
        felled = {(note.frame, note.target) for note in self.notes if note.weight in (Weight.FOE, Weight.HERO)}
        kept = [
            n for n in self.notes if n.weight not in (Weight.BLOW, Weight.BLOOD) or (n.frame, n.target) not in felled
        ]
        fallen = {note.target for note in kept if note.weight is Weight.HERO}
        kept = [n for n in kept if n.weight is not Weight.HELPLESS or n.target not in fallen]
        best = max((int(n.count or 0) for n in kept if n.weight is Weight.BLOW), default=0)
        kept = [n for n in kept if n.weight is not Weight.BLOW or n.count == best]
        for note in kept:
            if note.weight is Weight.BLOW:
                note.count = None
        return sorted(_once(kept), key=lambda note: note.frame)

    def _meet(self, *everybody: str | None) -> None:
        """Who takes part; nobody does who lay there before."""
        for who in everybody:
            if who and who not in self.met and who not in self._lying and self.cast.side(who):
                self.met.append(who)

    def _noted(self, beat: Beat) -> Iterable[Note]:
        event, frame = beat.event, beat.frame
        match event:
            case Attack():
                self._struck[event.target] = frame, event
                if event.damage > 0:
                    self._hits.add(event.by)
                elif event.by not in self._hits:
                    self._misses[event.by] = self._misses.get(event.by, (0, 0))[0] + 1, frame
            case Injury():
                yield from self._hurt(frame, event)
            case Condition(target=target):
                yield from self._condition(beat, event, target)
            case Healing(what="hp", target=target, now=now, amount=amount) if now > 0 >= now - amount:
                yield from self._rose(frame, target)
            case Spell(success=True):
                yield from self._spell(frame, event)
            case Challenge(state=Stands.SPRUNG, by=by, kind="trap"):
                yield Note(frame, Weight.TRAP, "trap hurt", by=by, fields={"what": definite(event.challenge)})
            case Summoned(gained=True, by=by, target=target) if by:
                yield Note(frame, Weight.CALLED, "called up", by=by, target=target)
            case Freed(by=by, target=target):
                yield Note(frame, Weight.FREED, "freed", by=by, target=target)
            case Left(by=by):
                yield Note(frame, Weight.LEFT, "left", by=by)
            case Goal(goal=name, state=GoalStands.DONE, side=side) if side in self.ours:
                yield Note(frame, Weight.DONE, "goal done", fields={"goal": goal_said(self.match, name)})

    def _condition(self, beat: Beat, event: Condition, target: str) -> Iterable[Note]:
        frame, condition, word = beat.frame, event.condition, did(self.match, beat)
        if event.gained:
            if condition in FLIGHT:
                self._meet(target)
                self.down.append(target)
                yield Note(frame, Weight.FLED, "fled", target=target)
            elif condition == YIELDED:
                self.down.append(target)
                yield Note(frame, Weight.YIELDED, "yielded", target=target)
            elif condition in FELLED:
                yield from self._fell(frame, target, None, 0)
            elif condition == HELPLESS and event.because.startswith(PAIN) and self.cast.side(target) in self.ours:
                yield Note(frame, Weight.HELPLESS, "helpless", target=target)
            elif condition == STABLE:
                yield from self._aided(frame, target)
            elif condition.startswith(SCAR) and self.cast.side(target) in self.ours:
                yield Note(frame, Weight.SCARRED, "scarred", target=target)
        elif condition in ("dying", "bleeding") and word in AIDS:
            yield from self._aided(frame, target)
        elif condition in LAID_LOW:
            yield from self._rose(frame, target)
        elif condition == HELPLESS:
            self.helpless.discard(target)

    def _rose(self, frame: int, target: str) -> Iterable[Note]:
        self.down = [who for who in self.down if who != target]
        if target in self.fallen:
            self.fallen.discard(target)
            yield Note(frame, Weight.RISEN, "up again", target=target)

    def _hurt(self, frame: int, event: Injury) -> Iterable[Note]:
        blow = self._blow(frame, event.target, event.by)
        by = event.by or (blow.by if blow is not None else None)
        if event.amount > 0:
            self.lost[event.target] = self.lost.get(event.target, 0) + event.amount
            self.causes[event.target] = by or "", event.because
        lies = event.status in DOWN and event.hp > 0  # helpless for a while, with hit points left: that is no fall
        if event.status in DOWN and not lies:
            yield from self._fell(frame, event.target, by, event.amount)
        elif lies:
            self.helpless.add(event.target)
        elif event.amount > 0 and not self._blood and by is not None and by != event.target:
            self._blood = True
            yield Note(frame, Weight.BLOOD, "first blood", by=by, target=event.target)
        elif blow is not None and by is not None and event.amount >= GREAT:
            kind = "great blow bare" if blow.weapon == BARE else "great blow"
            yield Note(frame, Weight.BLOW, kind, by, event.target, {"weapon": blow.weapon}, event.amount)

    def _blow(self, frame: int, target: str, by: str | None) -> Attack | None:
        """The blow of which somebody was hurt just now."""
        when, blow = self._struck.get(target, (-1, None))
        return blow if blow is not None and when == frame and by in (None, "", blow.by) else None

    def _fell(self, frame: int, target: str, by: str | None, amount: int) -> Iterable[Note]:
        if target in self.down or target in self.fallen:
            return
        self.fallen.add(target)
        first = target not in self.lost or self.lost[target] == amount
        self.down.append(target)
        self._blood = True
        blow = self._blow(frame, target, by)
        by = by or (blow.by if blow is not None else None)
        own = self.cast.side(target) in self.ours
        weight, fields = Weight.HERO if own else Weight.FOE, dict[str, Value]()
        when, spell = self._spells.get(by or "", (-1, None))
        if by is None or by == target:
            by, kind = "", "hero down alone" if own else "went down"
        elif spell is not None and when == frame and blow is None:
            fields, kind = {"spell": spell.item or spell.spell}, "felled by spell"
        elif blow is not None and blow.weapon and blow.weapon != BARE:
            fields["weapon"] = blow.weapon
            kind = "hero down" if own else "shot down" if blow.ranged else "felled at once" if first else "felled"
        else:
            kind = "hero down by" if own else "brought down"
        yield Note(frame, weight, kind, by, target, fields)

    def _spell(self, frame: int, event: Spell) -> Iterable[Note]:
        held = sum(each.holds for each in event.resisted)
        self._spells[event.by] = frame, event
        if event.item:
            yield Note(frame, Weight.USED, "used", event.by, fields={"item": event.item})
            return
        if (event.by, event.spell) in self._cast or event.spell.startswith("summon "):
            return  # who comes is told of
        self._cast.add((event.by, event.spell))
        yield Note(frame, Weight.CAST, "cast", event.by, fields={"spell": event.spell})
        if held > 1:
            yield Note(frame, Weight.STRUCK, "struck", count=held)

    def _aided(self, frame: int, target: str) -> Iterable[Note]:
        command = self.match.record.commands[frame - 1] if frame else None
        by = command.by if command is not None and command.do in AIDS else ""
        if by and by != target and self.cast.side(by) == self.cast.side(target):
            yield Note(frame, Weight.AIDED, "aided", by, target)


def did(match: Match, beat: Beat) -> str:
    """The word of the command that led to something."""
    return match.record.commands[beat.frame - 1].do if beat.frame else ""


def goal_said(match: Match, name: str) -> str:
    """A goal as the board tells it."""
    goals = match.ruleset.board(match.state).goals
    return next((goal.label for goal in goals if goal.name == name), name)


def _once(notes: Iterable[Note]) -> Iterable[Note]:
    """The same told of the same deed is told once: somebody's wound closed, and so it rose; who fell with a spell's
    last word has its spell told with that."""
    seen, all_of_them = set[tuple[int, str, str]](), list(notes)
    spells = {(n.frame, n.by) for n in all_of_them if n.weight in (Weight.FOE, Weight.HERO) and "spell" in n.fields}
    for note in all_of_them:
        key = note.frame, note.kind, note.target or note.by
        if key in seen or (note.weight is Weight.CAST and (note.frame, note.by) in spells):
            continue
        seen.add(key)
        yield note

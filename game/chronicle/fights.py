"""What is told of a fight: how it came about, who did what of note, the moment that decided it, what it cost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from game.chronicle.episodes import Beat, Episode
from game.chronicle.naming import Cast, listed
from game.chronicle.words import Chooser
from game.fight.match import Match
from game.fight.viewing import Film
from rules.contract.display import Miniature
from rules.contract.events import (
    FELLED,
    Attack,
    Challenge,
    Check,
    Condition,
    Contest,
    Freed,
    Goal,
    Healing,
    Injury,
    Left,
    Over,
    Summoned,
)  # fmt: skip
from rules.contract.events import Cast as Spell
from rules.contract.text import titled
from rules.core.secrets import Stands

AIDS = ("first_aid", "bandage", "bind")
FLIGHT = ("fled", "routed", "retreated")
DOWN = ("dead", "incapacitated")
MISSES = 3
"""Blows in vain from which on it is told that somebody hits nobody."""
FULL = 6
"""Sentences of a paragraph."""
MOST = 16
"""Sentences about what happened in a fight; of a longer one only the weightiest are told."""


@dataclass
class Note:
    """A sentence to be told at its moment, how much it weighs, and of whom it is."""

    frame: int
    weight: int
    said: str
    about: str = ""


@dataclass
class Score:
    """What has been kept count of while a fight is read."""

    struck: dict[str, tuple[int, Attack]] = field(default_factory=dict)
    cast: set[tuple[str, str]] = field(default_factory=set)
    misses: dict[str, int] = field(default_factory=dict)
    hits: set[str] = field(default_factory=set)
    down: list[str] = field(default_factory=list)
    blood: bool = False
    lost: dict[str, int] = field(default_factory=dict)
    best: int = 0
    last: bool = False


class FightTeller:
    """Tells of one fight after the other."""

    def __init__(self, match: Match, film: Film, cast: Cast, say: Chooser, ours: frozenset[str]) -> None:
        self.match, self.film, self.cast, self.say, self.ours = match, film, cast, say, ours
        self.decisive: int | None = None
        self.caption = ""
        self.fallen: set[str] = set()
        """Of whom it was told once that they fell: who lies there and bleeds does not fall again."""

    def tell(self, episode: Episode, before: Episode | None, *, ended: bool) -> list[list[str]]:
        """Paragraphs: how it began, how it went, how it ended."""
        self.score = Score()
        notes: list[Note] = []
        for beat in episode.beats:
            notes += self._noted(beat)
        notes += self._in_vain(episode)
        felled = {(note.frame, note.about) for note in notes if note.weight in (FOE, HERO)}
        notes = [n for n in notes if n.weight != GREAT_WEIGHT or (n.frame, n.about) not in felled]
        notes += self._last(episode, notes)
        self._decide(episode, notes)
        notes = [n for i, n in enumerate(notes) if n.weight != RISEN or not _told_before(n, notes[:i])]
        kept = sorted(sorted(notes, key=lambda note: -note.weight)[:MOST], key=lambda note: note.frame)
        course = [note.said for n, note in enumerate(kept) if not n or note.said != kept[n - 1].said]
        halves = [course[i : i + FULL] for i in range(0, len(course), FULL)]
        return [self._opening(episode, before), *halves, self._closing(episode, ended=ended)]

    # -- how it began

    def _opening(self, episode: Episode, before: Episode | None) -> list[str]:
        board = self.film.eyes.board(episode.first)
        minis = [mini for mini in board.miniatures if not mini.out]
        foes = [mini.id for mini in minis if mini.side not in self.ours and not _bound(mini)]
        own = [mini.id for mini in minis if mini.side in self.ours and not _bound(mini)]
        crowd = self.cast.crowd(foes)
        if before is None:
            place = episode.place.said if episode.place is not None else "that place"
            party = listed([self.cast.whole(who) for who in own])
            return [self.say.say("faced" if foes else "faced nobody", place=place, party=party, foes=crowd)]
        told = [self._how(episode, before, crowd)]
        if foes and crowd not in told[0]:
            told.append(self.say.say("against", foes=crowd))
        return [said for said in told if said] or [self.say.say("sudden")]

    def _how(self, episode: Episode, before: Episode, crowd: str) -> str:
        """Who began it: a sign, a shout, or a watcher's senses."""
        command = self.match.record.commands[episode.first - 1] if episode.first else None
        if command is not None and command.do == "ambush":
            return self.say.say("ambushed", by=self.cast.called(command.by), foes=crowd)
        if command is not None and command.do == "shout":
            return self.say.say("challenged", by=self.cast.called(command.by))
        for frame, event in reversed(before.beats):
            if frame != episode.first or not isinstance(event, Check | Contest):
                continue
            if event.success and self.cast.side(event.by) not in self.ours:
                return self.say.say("noticed", by=self.cast.called(event.by))
        return ""

    # -- how it went

    def _noted(self, beat: Beat) -> Iterable[Note]:
        event, score, cast, say = beat.event, self.score, self.cast, self.say
        match event:
            case Attack():
                score.struck[event.target] = beat.frame, event
                if event.damage > 0:
                    score.hits.add(event.by)
                elif event.by not in score.hits:
                    score.misses[event.by] = score.misses.get(event.by, 0) + 1
            case Injury():
                yield from self._hurt(beat.frame, event)
            case Condition(gained=True, condition=condition) if condition in FELLED and condition not in FLIGHT:
                yield from self._fell(beat.frame, event.target, None, 0)
            case Condition(gained=True, condition=condition, target=target) if condition in FLIGHT:
                score.down.append(target)
                yield Note(beat.frame, 70, say.say("fled", target=cast.called(target)))
            case Condition(gained=True, condition="stable", target=target):
                yield from self._aided(beat.frame, target)
            case Condition(gained=False, condition="dying" | "bleeding", target=target) if self._did(beat) in AIDS:
                yield from self._aided(beat.frame, target)
            case Condition(gained=False, condition="dead" | "incapacitated", target=target):
                score.down = [who for who in score.down if who != target]
                self.fallen.discard(target)
                yield Note(beat.frame, RISEN, say.say("up again", target=cast.called(target)), target)
            case Healing(what="hp", target=target, now=now, amount=amount) if now > 0 >= now - amount:
                score.down = [who for who in score.down if who != target]
                self.fallen.discard(target)
                yield Note(beat.frame, RISEN, say.say("up again", target=cast.called(target)), target)
            case Spell(success=True):
                yield from self._spell(beat.frame, event)
            case Challenge(state=Stands.SPRUNG, by=by):
                yield Note(beat.frame, 60, say.say("trap sprung", by=cast.called(by), what=event.challenge))
            case Summoned(gained=True, by=by, target=target) if by:
                yield Note(beat.frame, 47, say.say("called up", by=cast.called(by), target=cast.crowd([target])))
            case Freed(by=by, target=target):
                yield Note(beat.frame, 95, say.say("freed", by=cast.called(by), target=cast.called(target)))
            case Left(by=by):
                yield Note(beat.frame, 85, say.say("left", by=cast.called(by)))
            case Goal(goal=name, state="done", side=side) if side in self.ours:
                yield Note(beat.frame, 99, say.say("goal done", goal=self._goal(name)))

    def _hurt(self, frame: int, event: Injury) -> Iterable[Note]:
        score = self.score
        blow = self._blow(frame, event.target, event.by)
        by = event.by or (blow.by if blow is not None else None)
        if event.amount > 0:
            score.lost[event.target] = score.lost.get(event.target, 0) + event.amount
        if event.status in DOWN:
            yield from self._fell(frame, event.target, by, event.amount)
        elif event.amount > 0 and not score.blood and by is not None and by != event.target:
            score.blood = True
            said = self.say.say("first blood", by=self.cast.called(by), target=self.cast.called(event.target))
            yield Note(frame, 50, said)
        elif event.amount > score.best and blow is not None and by is not None and event.amount >= GREAT:
            score.best = event.amount
            fields = {"by": self.cast.called(by), "target": self.cast.called(event.target), "weapon": blow.weapon}
            kind = "great blow bare" if blow.weapon == BARE else "great blow"
            yield Note(frame, GREAT_WEIGHT, self.say.say(kind, **fields), event.target)

    def _blow(self, frame: int, target: str, by: str | None) -> Attack | None:
        """The blow of which somebody was hurt just now."""
        when, blow = self.score.struck.get(target, (-1, None))
        return blow if blow is not None and when == frame and by in (None, "", blow.by) else None

    def _fell(self, frame: int, target: str, by: str | None, amount: int) -> Iterable[Note]:
        score, cast = self.score, self.cast
        if target in score.down or target in self.fallen:
            return
        self.fallen.add(target)
        first = target not in score.lost or score.lost[target] == amount
        score.down.append(target)
        score.blood = True
        blow = self._blow(frame, target, by)
        by = by or (blow.by if blow is not None else None)
        fields = {"target": cast.called(target)}
        own = cast.side(target) in self.ours
        if by is not None and by != target and blow is not None and blow.weapon and blow.weapon != BARE:
            fields |= {"by": cast.called(by), "weapon": blow.weapon}
            kind = "hero down" if own else "shot down" if blow.ranged else "felled at once" if first else "felled"
        elif by is not None and by != target:
            fields["by"], kind = cast.called(by), "brought down"
        else:
            kind = "hero down alone" if own else "went down"
        yield Note(frame, HERO if own else FOE, self.say.say(kind, **fields), target)

    def _spell(self, frame: int, event: Spell) -> Iterable[Note]:
        by = self.cast.called(event.by)
        held = sum(each.holds for each in event.resisted)
        if event.item:
            yield Note(frame, 35, self.say.say("used", by=by, item=event.item))
            return
        if (event.by, event.spell) in self.score.cast or event.spell.startswith("summon "):
            return  # who comes is told of
        self.score.cast.add((event.by, event.spell))
        yield Note(frame, 45, self.say.say("cast", by=by, spell=event.spell))
        if held > 1:
            yield Note(frame, 44, self.say.count("struck", held))

    def _aided(self, frame: int, target: str) -> Iterable[Note]:
        command = self.match.record.commands[frame - 1] if frame else None
        by = command.by if command is not None and command.do in AIDS else ""
        if by and by != target and self.cast.side(by) == self.cast.side(target):
            fields = {"by": self.cast.called(by), "target": self.cast.called(target)}
            yield Note(frame, 90, self.say.say("aided", **fields))

    def _in_vain(self, episode: Episode) -> Iterable[Note]:
        """Those who struck again and again and hit nobody."""
        for who, count in self.score.misses.items():
            if count >= MISSES and who not in self.score.hits:
                last = max(b.frame for b in episode.beats if isinstance(b.event, Attack) and b.event.by == who)
                yield Note(last, 40, self.say.count("missed", count, by=self.cast.called(who)))

    def _last(self, episode: Episode, notes: list[Note]) -> Iterable[Note]:
        """That nobody is left, where there were some."""
        won = any(isinstance(event, Over) and event.winner in self.ours for event in episode.events)
        fell = [note for note in notes if note.weight == FOE and self.cast.side(note.about) not in self.ours]
        if won and len(fell) >= SOME and notes[-1].frame <= fell[-1].frame:
            self.score.last = True
            yield Note(fell[-1].frame, FOE - 1, self.say.say("last", target=self.cast.called(fell[-1].about)))

    def _did(self, beat: Beat) -> str:
        return self.match.record.commands[beat.frame - 1].do if beat.frame else ""

    def _goal(self, name: str) -> str:
        goals = self.match.ruleset.board(self.match.state).goals
        return next((goal.label for goal in goals if goal.name == name), name)

    # -- the moment that decided it

    def _decide(self, episode: Episode, notes: list[Note]) -> None:
        """A hero's fall, else the last great deed: the board just then."""
        great = [note for note in notes if note.weight >= 80]
        best = max(great, key=lambda note: (note.weight, note.frame), default=None)
        frame = best.frame if best is not None else episode.last
        self.decisive = max(episode.first, frame - 1)  # with the blow in the air: who is to fall still stands
        self.caption = best.said if best is not None else ""

    # -- how it ended

    def _closing(self, episode: Episode, *, ended: bool) -> list[str]:
        over = next((event for event in episode.events if isinstance(event, Over)), None)
        told: list[str] = []
        if over is not None and not self.score.last:
            told.append(self.say.say("won" if over.winner in self.ours else "lost"))
        elif not ended:
            foes = [who for who in self.cast.sides if self.cast.side(who) not in self.ours]
            beaten = any(who in self.score.down for who in foes)
            told.append(self.say.say("lost" if not self._standing(episode) else "won" if beaten else "parted"))
        if over is not None or not ended:
            told += self._time(episode)
            told += self._wounds(episode)
        return told

    def _time(self, episode: Episode) -> list[str]:
        """How long it took, as the rules count."""
        seconds = [beat.event.number for beat in episode.beats if getattr(beat.event, "what", "") == "second"]  # type: ignore[attr-defined]
        if seconds:
            lasted = max(seconds) - min(seconds) + 1
            return [self.say.count("long", (lasted + 30) // 60) if lasted >= 90 else self.say.count("seconds", lasted)]
        turns = episode.passed("turn")
        return [self.say.count("rounds" if self.match.ruleset.id == "cairn" else "turns", turns)] if turns else []

    def _wounds(self, episode: Episode) -> list[str]:
        own = self._standing(episode)
        if not own:
            return []
        close = [m for m in own if m.life * 4 <= m.most and m.most > 1]
        hurt = [m.id for m in own if self.score.lost.get(m.id) and m not in close]
        told = [self.say.say("close", name=self.cast.called(mini.id)) for mini in close[:1]]
        hurt += [mini.id for mini in close[1:]]
        if not hurt and not told:
            return [self.say.say("unhurt")] if len(own) > 1 and not self._fallen() else []
        if len(hurt) == 1 and not told and len(own) > 2:
            told.append(self.say.say("one hurt", name=self.cast.called(hurt[0])))
        elif hurt:
            told.append(self.say.say("hurt", names=titled(self.cast.names(hurt))))
        return told

    def _standing(self, episode: Episode) -> list[Miniature]:
        """Those of the party who are on their feet when it is over."""
        board = self.film.eyes.board(min(episode.last, self.film.length))
        return [mini for mini in board.miniatures if mini.side in self.ours and not mini.out and not _bound(mini)]

    def _fallen(self) -> bool:
        return any(self.cast.side(who) in self.ours for who in self.score.down)


GREAT = 6
"""Hit points from which on a blow is a great one."""
HERO, FOE, RISEN, GREAT_WEIGHT = 100, 80, 75, 36
"""What it weighs that one of theirs fell, that a foe did, that somebody rose again, that somebody was struck hard."""
SOME = 3
BARE = "unarmed"
"""In place of a weapon."""


def _told_before(note: Note, earlier: list[Note]) -> bool:
    """Whether the same was told of the same deed: somebody's wound closed, and so it rose."""
    return any((n.frame, n.about, n.weight) == (note.frame, note.about, note.weight) for n in earlier)


def _bound(mini: Miniature) -> bool:
    return any(badge.label == "Bound" for badge in mini.badges)

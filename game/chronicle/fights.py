"""What is told of a fight: how it came about, who did what of note, what it cost; the more of it the more it weighs."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

import msgspec

from game.chronicle.episodes import Episode
from game.chronicle.naming import Cast, listed
from game.chronicle.notes import Fate, Note, Reader, Weight
from game.chronicle.words import COUNTED, Chooser
from game.fight.match import Match
from game.fight.viewing import Film
from rules.contract.display import Miniature
from rules.contract.events import Check, Contest, Over
from rules.contract.text import Value, titled
from rules.explore.goals import is_bound
from rules.explore.state import Ending

FULL = 6
"""Sentences of a paragraph."""
FEW = 3
"""Foes up to which a fight may be a skirmish."""
LESS = (Weight.BLOOD, Weight.BLOW, Weight.USED)
"""What is not told right after somebody has fallen."""
ROUNDS = {"turn": "turns", "round": "rounds"}
"""What the rules call it when everybody has had a chance -> the sentences that count it."""
AMBUSH, SHOUT, END = "ambush", "shout", "end"
STEPS, DOORS = ("sneak", "walk", "hurry", "jog"), ("open", "force", "unlock")
"""Words of commands by which a fight may come about: steps, and what is done at doors."""


class Size(IntEnum):
    """How much a fight weighs in the evening, by the sentences that its course may take."""

    SKIRMISH = 2
    FIGHT = 5
    GREAT = 12


class Told(msgspec.Struct):
    """A fight as it is told. `decisive`: after how many commands its board is worth a picture."""

    size: Size
    paragraphs: list[list[str]]
    decisive: int
    caption: str = ""


class FightTeller:
    """Tells of one fight after the other."""

    def __init__(self, match: Match, film: Film, cast: Cast, say: Chooser, ours: frozenset[str]) -> None:
        self.match, self.film, self.cast, self.say, self.ours = match, film, cast, say, ours
        self.fallen: set[str] = set()
        """Of whom it was told once that they fell: who lies there and bleeds does not fall again."""
        self.fates: dict[str, Fate] = {}
        """How those of the party who are down came to fall."""
        self.lately: set[str] = set()
        """Those of the party who fell in the fight that was told last."""
        self.terse = False
        """Whether the evening had so many fights that each is told in fewer words."""

    def tell(self, episode: Episode, before: Episode | None, *, ended: bool, alone: bool) -> Told:
        """Paragraphs: how it began, how it went, how it ended. `alone`: it is the only fight that there was."""
        reader = Reader(self.match, self.cast, self.ours, fallen=self.fallen)
        notes = reader.read(episode)
        seen, own = self._there(episode)
        foes = [who for who in seen if who in reader.met] or seen
        later = [w for w in reader.met if self.cast.side(w) not in self.ours | {""} and w not in foes]
        if not alone and not ended and not reader.met:
            return Told(Size.SKIRMISH, [[self.say.say("alarm")]], episode.first)
        size = self._size(notes, [*foes, *later], episode, alone=alone)
        if size is Size.SKIRMISH or not foes:
            foes, later = [*foes, *later], []
        self.cast.meet(foes)
        notes = self._joined(notes, later, episode)
        self._remember(notes, reader, episode)
        opening = self._opening(episode, before, foes, own)
        told, best = self._course(notes if alone else self._condensed(notes), size)
        frame = max(episode.first, (best[0] if best else episode.last) - 1)  # who is to fall still stands
        closing = self._closing(episode, reader, notes, size, ended=ended)
        if size is Size.SKIRMISH:
            parts = [[*opening, *told, *closing]]
        else:
            halves = [told[i : i + FULL] for i in range(0, len(told), FULL)]
            parts = [opening, *halves, closing] if alone else [[*opening, *(halves[0] if halves else ())], *halves[1:]]
            if not alone:
                parts[-1] += closing
        return Told(size, [part for part in parts if part], frame, best[1] if best else "")

    def _there(self, episode: Episode) -> tuple[list[str], list[str]]:
        """Who is seen when it begins: foes, and their own."""
        minis = [mini for mini in self.film.eyes.board(episode.first).miniatures if not mini.out and not is_bound(mini)]
        return ([mini.id for mini in minis if mini.side not in self.ours],
                [mini.id for mini in minis if mini.side in self.ours])  # fmt: skip

    def _joined(self, notes: list[Note], later: Sequence[str], episode: Episode) -> list[Note]:
        """Who came to it while it went on; not those who were called up, for that is told by itself."""
        called = {note.target for note in notes if note.weight is Weight.CALLED}
        came = [who for who in later if who not in called]
        if not came:
            return notes
        acts = (
            b.frame for b in episode.beats if {getattr(b.event, "by", ""), getattr(b.event, "target", "")} & {*came}
        )
        first = min(acts, default=episode.last)
        note = Note(first, Weight.JOINED, "joined", crowd=tuple(came))
        at = next((n for n, each in enumerate(notes) if each.frame >= first), len(notes))
        return [*notes[:at], note, *notes[at:]]

    def _size(self, notes: Sequence[Note], foes: Sequence[str], episode: Episode, *, alone: bool) -> Size:
        named = any(not self.cast.common(who) for who in foes)
        over = any(isinstance(event, Over) for event in episode.events)
        if alone or any(note.weight in (Weight.HERO, Weight.DONE) for note in notes) or (over and len(foes) > FEW):
            return Size.GREAT
        return Size.SKIRMISH if len(foes) <= FEW and not named and not episode.stages else Size.FIGHT

    def _remember(self, notes: Sequence[Note], reader: Reader, episode: Episode) -> None:
        """How those of the party fell who are down."""
        where = episode.stages[-1][1] if episode.stages else episode.place
        self.lately = {note.target for note in notes if note.weight is Weight.HERO}
        for note in notes:
            if note.weight is Weight.HERO:
                by, because = reader.causes.get(note.target, ("", ""))
                self.fates[note.target] = Fate(where.said if where is not None else "", note.by or by, because)
            elif note.weight is Weight.RISEN:
                self.fates.pop(note.target, None)

    # -- how it began

    def _opening(self, episode: Episode, before: Episode | None, foes: Sequence[str], own: Sequence[str]) -> list[str]:
        crowd = self.cast.crowd(foes, plain=before is not None)
        if before is None:
            place = episode.place.said if episode.place is not None else "that place"
            party = listed([self.cast.whole(who) for who in own])
            return [self.say.say("faced" if foes else "faced nobody", place=place, party=party, foes=crowd)]
        return [self._how(episode, before, foes)] if foes else [self.say.say("sudden")]

    def _how(self, episode: Episode, before: Episode, foes: Sequence[str]) -> str:
        """Who began it: a sign, a shout, a watcher's senses, a careless step, a door."""
        crowd = self.cast.crowd(foes, plain=True)
        command = self.match.record.commands[episode.first - 1] if episode.first else None
        word, by = (command.do, command.by) if command is not None else ("", "")
        ours = bool(by) and self.cast.side(by) in self.ours
        if word in (AMBUSH, SHOUT) and ours:
            kind, there = "ambushed" if word == AMBUSH else "challenged", self.cast.crowd(foes)
            return self.say.say(kind, by=self.cast.called(by), foes=there)
        for frame, event in reversed(before.beats):
            if frame != episode.first or not isinstance(event, Check | Contest):
                continue
            if event.success and self.cast.side(event.by) not in self.ours:
                return self.say.say("noticed", foes=crowd)
            if not event.success and event.by == by and ours and word in STEPS:
                return self.say.say("given away", by=self.cast.called(by), foes=crowd)
        if word in DOORS and ours:
            return self.say.say("opened upon", by=self.cast.called(by), foes=crowd)
        if ours and word != END:
            return self.say.say("came upon", by=self.cast.called(by), foes=crowd)
        return self.say.say("were found", foes=crowd)

    # -- how it went

    def _condensed(self, notes: Sequence[Note]) -> list[Note]:
        """Foes that fell one after the other become one sentence, and so do those that fled."""
        told: list[Note] = []
        for note in notes:
            last = told[-1] if told else None
            if last is not None and note.weight is Weight.FOE is last.weight and note.by and (last.by or last.several):
                told[-1] = _together(last, note)
            elif last is not None and note.weight is Weight.FLED is last.weight:
                crowd = (*(last.crowd or (last.target,)), note.target)
                told[-1] = Note(last.frame, Weight.FLED, "fled several", crowd=crowd)
            elif last is not None and last.weight is Weight.FOE and note.weight in LESS:
                continue  # what is less is not told after what is more
            else:
                told.append(note)
        return told

    def _course(self, notes: Sequence[Note], size: Size) -> tuple[list[str], tuple[int, str] | None]:
        """Its sentences, and of those the one that is worth a picture, with its frame."""
        least = {Size.SKIRMISH: Weight.FLED, Size.FIGHT: Weight.USED + 1, Size.GREAT: 0}[size]
        most = max(1, size * 2 // 3) if self.terse else int(size)
        heroes = sum(note.weight >= Weight.FLED for note in notes)
        ways = [n for n, note in enumerate(notes) if note.weight is Weight.MOVED][:-1]  # the end of it is enough
        kept = [n for n in sorted(range(len(notes)), key=lambda n: (-notes[n].weight, n)) if n not in ways]
        chosen = [n for n in kept[: max(most, min(heroes, Size.GREAT))] if notes[n].weight >= least]
        always = (Weight.JOINED,) if size is Size.SKIRMISH else (Weight.JOINED, Weight.MOVED)
        chosen = sorted({*chosen, *(n for n in kept if notes[n].weight in always)})
        told: list[str] = []
        best: tuple[int, int, str] | None = None
        for n in chosen:
            note = notes[n]
            said = self._said(note)
            if told and said == told[-1]:
                continue
            told.append(said)
            if note.weight >= Weight.FOE and (best is None or note.weight >= best[0]):
                best = note.weight, note.frame, said
        return told, best[1:] if best else None

    def _said(self, note: Note) -> str:
        cast, fields = self.cast, dict[str, Value](note.fields)
        if note.weight is Weight.JOINED:
            cast.join(note.crowd)
        if note.crowd:
            joined = note.weight is Weight.JOINED
            fields["foes"] = cast.crowd(note.crowd, plain=True) if joined else cast.those(note.crowd)
        if note.several:
            fields["names"] = cast.names(note.several)
        if note.by:
            fields["by"] = cast.called(note.by)
        if note.target:
            fields["target"] = cast.called(note.target)
        if note.count is not None and note.kind in COUNTED:
            return self.say.count(note.kind, note.count, **fields)
        return self.say.say(note.kind, **fields)

    # -- how it ended

    def _closing(
        self, episode: Episode, reader: Reader, notes: Sequence[Note], size: Size, *, ended: bool
    ) -> list[str]:
        over = next((event for event in episode.events if isinstance(event, Over)), None)
        if over is None and ended:
            return []
        standing = self._standing(episode)
        foes = [who for who in self.cast.sides if self.cast.side(who) not in self.ours]
        beaten = any(who in reader.down or who in reader.helpless for who in foes)
        won = over.winner in self.ours if over is not None else bool(standing) and beaten
        wounds = self._wounds(standing, reader, size)
        if won and size is not Size.GREAT and (size is Size.SKIRMISH or wounds or not self.say.turn("quiet", 2)):
            return wounds
        kind = "won" if won else "lost" if over is not None or not standing else "parted"
        if over is not None and over.because == Ending.SURRENDERED and not won and standing:
            kind = "given in"
        time = self._time(episode) if size is Size.GREAT else []
        return [self.say.say(kind), *time, *wounds]

    def _time(self, episode: Episode) -> list[str]:
        """How long it took, as the rules count."""
        seconds = [beat.event.number for beat in episode.beats if getattr(beat.event, "what", "") == "second"]  # type: ignore[attr-defined]
        if seconds:
            lasted = max(seconds) - min(seconds) + 1
            return [self.say.count("long", (lasted + 30) // 60) if lasted >= 90 else self.say.count("seconds", lasted)]
        turns = episode.passed("turn")
        return [self.say.count(ROUNDS[self.match.ruleset.fight_turn], turns)] if turns else []

    def _wounds(self, own: Sequence[Miniature], reader: Reader, size: Size) -> list[str]:
        """What it cost those who are on their feet when it is over; of a skirmish only what nearly was a death."""
        close = [m for m in own if m.life * 4 <= m.most and m.most > 1 and reader.lost.get(m.id)]
        told = [self.say.say("close", name=self.cast.called(mini.id)) for mini in close[:1]]
        if size is Size.SKIRMISH or not own:
            return told
        hurt = [m.id for m in own if reader.lost.get(m.id) and m not in close[:1]]
        if not hurt and not told:
            fell = any(self.cast.side(who) in self.ours for who in reader.down)
            tell = len(own) > 1 and not fell and (size is Size.GREAT or self.say.turn("unhurt", 3))
            return [self.say.say("unhurt")] if tell else []
        if len(hurt) == 1 and not told and len(own) > 2:
            told.append(self.say.say("one hurt", name=self.cast.called(hurt[0])))
        elif hurt:
            told.append(self.say.say("hurt", names=titled(self.cast.names(hurt))))
        return told

    def _standing(self, episode: Episode) -> list[Miniature]:
        """Those of the party who are on their feet when it is over."""
        board = self.film.eyes.board(min(episode.last, self.film.length))
        return [mini for mini in board.miniatures if mini.side in self.ours and not mini.out and not is_bound(mini)]


def _together(last: Note, note: Note) -> Note:
    """Two who were felled one after the other, as one deed."""
    several = last.several or (last.by,)
    several = several if note.by in several else (*several, note.by)
    crowd = (*(last.crowd or (last.target,)), note.target)
    if len(several) == 1:
        return Note(last.frame, Weight.FOE, "felled several", by=note.by, crowd=crowd)
    return Note(last.frame, Weight.FOE, "felled together", several=several, crowd=crowd)

"""A fight being played: ruleset, state and record in step. Window, replay, tests and AI all run through here."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from game.content import tables as content
from game.fight import remembered
from game.fight.brush import Brush, brush_of, kept
from game.fight.history import History
from game.fight.seats import Roster, computers, led, played_as
from game.party.company import Company
from game.storage import records as storage
from rules.board.grid import Field
from rules.contract.actions import Action, Decision, pending
from rules.contract.display import Board, System
from rules.contract.errors import BattlematError, RecordError, ThrowNeeded, said
from rules.contract.events import Event, Freed
from rules.contract.ruleset import LegalActions, Scenario, State, Step
from rules.core import record as records
from rules.core.ground import field_of, map_files, with_doors, with_left
from rules.core.registry import ruleset as ruleset_of
from rules.explore.goals import about

if TYPE_CHECKING:
    from game.maps.mapdata import LoadedMap

Watcher = Callable[[records.Replayed], None]


class Match:
    """One fight. `record` always holds every command given, so saving it saves everything."""

    def __init__(self, record: records.Record, ruleset: System, field: Field, loaded_map: LoadedMap | None) -> None:
        self.record, self.ruleset, self.field, self.loaded_map = record, ruleset, field, loaded_map
        self.history = History(record, ruleset, field, self._person, self._changed)
        """All states so far; what may be taken back, and how."""
        self.keeper: Callable[[Sequence[Event] | None], None] | None = None
        """Whoever keeps the fight safe (game.storage.recovery): hears what a new command led to; None: that something
        was taken back, or another line taken up."""
        self.focus: str | None = None
        """Whose decision is turned to where several stand open at once; None = the first without an answer."""
        self.level = ""
        """At which level the computer thinks from now on, where there are levels."""
        self._roster = Roster(record, {})

    @classmethod
    def from_record(
        cls,
        record: records.Record | Mapping[str, Any],
        *,
        beside: Path | None = None,
        strict_throws: bool = False,
        watch: Watcher | None = None,
        source: bytes | None = None,
        along: Path | None = None,
    ) -> Match:
        """Start a fight and play its commands so far. Raises RecordError or MapProblem in one line.

        `beside` is the folder where a record's map may lie. With `strict_throws` a list of throws that runs out is
        an error (a replay); otherwise the seed goes on (a game). `source` is the content of the record's file: what
        its commands led to is taken from what was kept of it, where there is such a thing. `along`: where what a
        journal's commands led to was written along.
        """
        if not isinstance(record, records.Record):
            record = records.read(dict(record))
        rules = ruleset_of(record.ruleset)
        loaded: LoadedMap | None = None
        if map_files(record.map):
            from game.maps.place import ground_of  # start-up time: the title knows matches, but no map

            field, loaded = ground_of(record.map, lambda name: storage.find_map(name, beside, storage.origin(record)))
            field = with_doors(about(field, {str(entry.get("id")) for entry in record.creatures}), record.map)
        else:
            field = field_of(record.map)
        field = with_left(field, record)
        known = content.with_needed(record.ruleset, record.needs)
        complete = records.whole(records.settled(record, field), partial(content.template, known))
        match = cls(complete, rules, field, loaded)
        if along is not None and match._recover(along, watch):
            return match
        if source is None or not match._relive(source):
            match._play(strict_throws, watch)
            if source is not None:
                remembered.keep(source, field, match.past())
        return match

    def past(self) -> remembered.Past:
        """All that was, to be kept beside the record."""
        return remembered.Past(list(self.history.moments), list(self.history.events))

    def _relive(self, source: bytes) -> bool:
        """Take the past from what was kept of it; False where nothing was."""
        found = remembered.recall(source, self.field, len(self.record.commands))
        if found is not None:
            self._enlist(self.scenario())
            self.history.relived(found.moments, found.events)
        return found is not None

    def _recover(self, along: Path, watch: Watcher | None) -> bool:
        """Take the past from what was written along, as far as it goes, and play on from there; False where nothing
        was."""
        found = remembered.recover(along, self.record, self.field)
        if found is None:
            return False
        records.check_branches(self.record, self.field)
        self._enlist(self.scenario())
        self.history.relived(found.moments, found.events)
        state, first = self.state, self.history.length
        if watch is not None:
            watch(records.Replayed(first - 1, None, Step(state, ())))
        for stretch in records.onward(self.record, self.ruleset, self.field, state, first):
            self.history.lived(stretch.step, stretch.action.by if stretch.action is not None else None)
            if watch is not None:
                watch(stretch)
        return True

    def _enlist(self, start: Scenario) -> None:
        first = {str(c.get("id")): (str(c.get("side", "")), str(c.get("controller", "ai"))) for c in start.creatures}
        self._roster = Roster(self.record, first)

    def scenario(self, *, strict_throws: bool = False) -> Scenario:
        """What the fight started from. Raises RecordError for creatures that cannot be made."""
        name = self.record.ruleset
        known = content.exact(name, self.record.needs)
        template, tables = partial(content.template, known), content.known(known)
        return records.scenario(self.record, self.field, template, tables, strict_throws=strict_throws)

    def begun_with(self, throws: Sequence[int | None]) -> Match:
        """The same fight from its start, before any command, with these as its first throws."""
        record = records.begun(self.record).model_copy(update={"throws": list(throws)})
        match = Match(record, self.ruleset, self.field, self.loaded_map)
        match._play(False, None)
        return match

    def _play(self, strict_throws: bool, watch: Watcher | None) -> None:
        start = self.scenario(strict_throws=strict_throws)
        self._enlist(start)
        with remembered.uncollected():
            for stretch in records.replay(self.record, self.ruleset, start):
                self.history.lived(stretch.step, stretch.action.by if stretch.action is not None else None)
                if watch is not None:
                    watch(stretch)

    @property
    def state(self) -> State:
        """How the fight stands."""
        return self.history.now

    @property
    def events(self) -> list[Event]:
        """Every event so far, the start's included."""
        return self.history.events

    @property
    def title(self) -> str:
        """What the fight is called: by its record, else by its map."""
        return self.record.title or self.field.title or "Fight"

    def _person(self, by: str) -> str:
        """The side of the person who answers for a creature, or for a name that is no creature's; else empty."""
        given = computers(self.record, self.history.length)
        if by in given:
            return ""
        creatures = self._roster.at(self.history.length)
        by = played_as(by, creatures)
        if by in given:  # whom somebody has called goes along
            return ""
        if by not in creatures and any(by == side for side, _ in creatures.values()):  # a side's own decision
            return by if (by, "human") in creatures.values() else ""
        side, controller = led(creatures, by) if by in creatures else (by, "human")
        return side if controller == "human" else ""

    @property
    def decision(self) -> Decision | None:
        """The open decision that was turned to, else the first without an answer; None when the fight is over."""
        found = self.decisions
        turned_to = None if self.focus is None else next((each for each in found if each.by == self.focus), None)
        return turned_to or pending(found)

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """All decisions that stand open, in the ruleset's order."""
        return self.ruleset.decisions(self.state)

    def turn_to(self, by: str) -> None:
        """Let `decision` be the open one of `by` until that is answered. Raises BattlematError if there is none."""
        if all(decision.by != by for decision in self.decisions):
            raise BattlematError("{by}: has nothing to decide now", by)
        self.focus = by

    def hand_over(self, who: str, *, to_computer: bool) -> None:
        """Let the computer play somebody from now on, or the person again."""
        now, handed = len(self.record.commands), self.record.handed
        handed[:] = [entry for entry in handed if (entry.at, entry.who) != (now, who)]
        if (who in computers(self.record)) != to_computer:
            handed.append(records.HandedModel(at=now, who=who, to="ai" if to_computer else "human"))
        if self.keeper is not None and self.history.length:
            self.keeper(None)

    def company(self, seat: int) -> Company:
        """How the heroes of a seat go about an exploration."""
        parties = self.record.parties
        if seat >= len(parties):
            return Company()
        return Company(tuple(parties[seat].order), tuple(parties[seat].apart), parties[seat].manner)

    def keep_company(self, seat: int, company: Company) -> None:
        """Let the heroes of a seat go about it so from now on; it is kept with the record, and no rule reads it."""
        parties = self.record.parties
        parties += [records.PartyModel() for _ in range(seat + 1 - len(parties))]
        parties[seat] = records.PartyModel(order=list(company.order), apart=list(company.apart), manner=company.manner)
        if self.keeper is not None and self.history.length:
            self.keeper(None)

    def brush(self) -> Brush:
        """The ground that the players' window shows or hides by hand."""
        return brush_of(self.record, self.field)

    def keep_brush(self, brush: Brush) -> None:
        """Show or hide this ground from now on; it is kept with the record, and no rule reads it."""
        self.record.brushed = kept(brush, self.field)
        if self.keeper is not None and self.history.length:
            self.keeper(None)

    def legal(self, decision: Decision) -> LegalActions:
        return self.ruleset.legal(self.state, decision)

    def act(self, decision: Decision, action: Action, throws: Sequence[int | None] | None = None) -> tuple[Event, ...]:
        """Apply an action and add its command to the record. Raises IllegalActionError; nothing changes then.

        `throws` are the record's from now on (game.fight.match finds them): faces by hand, None for those by
        the seed.
        """
        state = self.state
        if throws is not None:
            state = self.ruleset.with_throws(state, tuple(throws), False)
        step = self.ruleset.apply(state, decision, action)
        if throws is not None:
            self.record.throws = list(throws)
        self.history.done(records.command_of(action, self.field), step, self.level)
        self._follow(step.events)
        if self.focus is not None and not any(d.by == self.focus and not d.answered for d in self.decisions):
            self.focus = None
        if self.keeper is not None:
            self.keeper(step.events)
        return step.events

    def _follow(self, events: Sequence[Event]) -> None:
        """Who is freed by somebody whom a person gave to the computer goes with them."""
        for event in events if self.record.handed else ():
            if isinstance(event, Freed) and self._person(event.target) and not self._person(event.by):
                self.record.handed.append(records.HandedModel(at=len(self.record.commands), who=event.target, to="ai"))

    def _changed(self) -> None:
        """Something was taken back, or another line taken up (game.fight.history)."""
        self.focus = None
        handed, now = self.record.handed, len(self.record.commands)
        handed[:] = [entry for entry in handed if entry.at <= now]
        if self.keeper is not None:
            self.keeper(None)

    def board(self) -> Board:
        return self.history.board(self.state)

    def observe(self, *sides: str) -> State:
        return self.ruleset.observe(self.state, *sides)

    @property
    def over(self) -> str | None:
        """The winning side, empty for none, None while the fight lasts."""
        return self.board().over


def save_fight(match: Match, path: Path) -> None:
    """Write the fight's record, whole or not at all. Raises BattlematError."""
    storage.write_record(match.record, path)
    keep_map(match)


def keep_past(match: Match, path: Path) -> None:
    """Keep what led to the fight as it was saved in a file, so that it is there at once when it is loaded."""
    with contextlib.suppress(OSError):
        remembered.keep(path.read_bytes(), match.field, match.past())


def keep_map(match: Match) -> None:
    """Note where the fight's own map lies, so that it is found when its saves are loaded. Raises BattlematError."""
    if match.loaded_map is not None:
        storage.remember_origin(match.record, match.loaded_map.path)


Progress = Callable[[int, int], None]
"""Hears while a fight is played: (commands played so far, of how many)."""


def watcher(progress: Progress | None, record: records.Record) -> Watcher | None:
    """What tells somebody how far the commands of a record have been played."""
    total = len(record.commands)
    return None if progress is None else lambda stretch: progress(stretch.number + 1, total)


def load_fight(path: Path, progress: Progress | None = None) -> Match:
    """Read a record and play it up to its last command. Raises RecordError or MapProblem in one line."""
    record = storage.read_record(path)
    try:
        watch = watcher(progress, record)
        return Match.from_record(record, beside=path.parent, source=path.read_bytes(), watch=watch)
    except RecordError as error:
        raise RecordError("{path}: {error}", str(path), said(error)) from None


def fresh_seed() -> int:
    """A seed for a new fight: the only chance outside the rules, and it is written into the record."""
    return random.SystemRandom().randrange(1, 1_000_000)


Face = int | None
"""What a die shows; None = by the seed."""
MOST = 100_000
"""So many dice of one action are tried before it is given up."""


class Attempt(NamedTuple):
    """How far an action comes with the faces that are known."""

    throws: tuple[Face, ...]
    """The record's throws, from the fight's first die on, this action's included as far as they are known."""
    needed: ThrowNeeded | None
    """The die to ask for; None: nothing is wanting."""


def attempt(
    match: Match, decision: Decision, action: Action, typed: Sequence[Face], own: Callable[[str], bool]
) -> Attempt:
    """Try an action with the faces typed so far; `own(creature)` says whose dice are thrown by hand.

    Raises IllegalActionError for an action that may not be done. The match stays as it is.
    """
    rules, state = match.ruleset, match.state
    known: list[Face] = list(match.record.throws or ())
    known += [None] * (rules.thrown(state) - len(known))
    return _tried(
        lambda throws: rules.apply(rules.with_throws(state, throws, True), decision, action), known, typed, own
    )


def attempt_opening(match: Match, typed: Sequence[Face], own: Callable[[str], bool]) -> Attempt:
    """Try the fight's beginning (who comes first, action points …) with the faces typed so far, as `attempt` does."""
    start = msgspec.structs.replace(match.scenario(), throws=())
    start = msgspec.structs.replace(start, options={**start.options, "strict_throws": True})
    return _tried(lambda throws: match.ruleset.start(msgspec.structs.replace(start, throws=throws)), [], typed, own)


def _tried(
    throw: Callable[[tuple[Face, ...]], object], known: list[Face], typed: Sequence[Face], own: Callable[[str], bool]
) -> Attempt:
    """`throw` tried with more and more faces, until it needs one that was not typed yet or nothing any more."""
    waiting = list(typed)
    for _ in range(MOST):
        try:
            throw(tuple(known))
        except ThrowNeeded as needed:
            if not own(needed.by):
                known.append(None)
            elif waiting:
                known.append(waiting.pop(0))
            else:
                return Attempt(tuple(known), needed)
        else:
            break
    return Attempt(tuple(known), None)

"""The past of a fight: what may be taken back, for free or at a price, and the lines of play that were left.

Every state is a value that never changes, so the history simply keeps them: one `Moment` for each command. Taking
back shows an earlier state again and shortens the record; nothing is played backwards, and it makes no difference
whether moves, damage, conditions or whole turns lie between.

**What is taken back at once.** One decision of a person, with everything that the computer did after it: `points`
lists the places to go back to, the latest first.

**What counts as information.** Taking back is free as long as it un-learns nothing. It is not free (`Past.free` is
false) if since then

- any die was thrown, whosever it was and whatever it decided (`Ruleset.thrown` counts them); a d1 is not thrown; or
- the side of the person who decided saw something that the table had hidden from it: with fog of war, a creature, an
  item or ground that was there before, but that none of its own saw or had seen (creatures are seen anew each time, as
  where they stand now is news; ground is remembered); with or without fog, a secret door that was found. Without fog
  the whole board lies open, and a creature that comes into sight is no news to anybody at the table.

What is free (`undo`) can be done again (`redo`) until something else is done instead. Whatever is not free is an
explicit `rewind`: it is logged in the record (`rewinds`), and the line of play that it leaves is kept there
(`branches`), dice and all. `switch` takes up a branch again and keeps the present line as a branch in its place.
A branch names the number of commands (`at`) that it shares with the present line, and is kept true whenever that
line grows or is shortened.

**Dice.** The dice to come are part of the state, so a repeated deed meets the same dice. Faces that were typed in
(`throws`) beyond the point to which a rewind goes back leave with the branch; real dice are then thrown anew.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from game.fight.seats import GAME_MASTER
from rules.board.fixtures import DoorState
from rules.board.grid import Field
from rules.contract.actions import CHOOSE
from rules.contract.display import Board, FloorItem, System
from rules.contract.errors import BattlematError, RecordError, said
from rules.contract.events import Event
from rules.contract.hand import GAME_MASTER as HAND
from rules.contract.ruleset import State, Step
from rules.contract.text import joined, ntext, text
from rules.contract.units import EMPTY, Bitboard
from rules.core import record as records
from rules.core.record import Branch, Command, Record, Rewind

EXPLORING = "explore"
"""The kind of a decision of those who explore."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What somebody knows of the ground: bitboards of the spaces seen now and of all seen so far (those included)."""

    now: Bitboard
    ever: Bitboard


class Knowledge:
    """The ground that sides have seen. `states` are the fight's states so far, in order; give it anew after each."""

    def __init__(self, ruleset: System) -> None:
        self.ruleset = ruleset
        self._chain: dict[str, list[tuple[State, Sight]]] = {}

    def sight(self, side: str, states: Sequence[State]) -> Sight:
        """What a side sees in the last of the states and remembers from those before."""
        chain = self._chain.setdefault(side, [])
        known = 0
        while known < len(chain) and known < len(states) and chain[known][0] is states[known]:
            known += 1
        if known < len(states):
            del chain[known:]
        for state in states[known:]:
            now = self.ruleset.sees(state, side)
            ever = now | self._shown(state, side) | (chain[-1][1].ever if chain else self._before(state, side))
            chain.append((state, Sight(now, ever)))
        return chain[len(states) - 1][1] if states else Sight(EMPTY, EMPTY)

    def _shown(self, state: State, side: str) -> Bitboard:
        """The ground that the game master's hand has shown to a side."""
        hand = self.ruleset.hand
        return EMPTY if hand is None else hand.kept(state).shown_to(side)

    def _before(self, state: State, side: str) -> Bitboard:
        """The ground that a side has seen on earlier evenings."""
        return self.ruleset.terrain(state).field.left.seen_by(side)

    def shared(self, sides: Sequence[str], states: Sequence[State]) -> Sight:
        """What several sides know together (a seat may play on more than one)."""
        now = ever = EMPTY
        for side in sides:
            each = self.sight(side, states)
            now, ever = now | each.now, ever | each.ever
        return Sight(now, ever)


LONGEST_NAME = 80
"""Letters of a name in a title; the record's titles have an end."""
Throws = list[int | None]
Person = Callable[[str], str]
"""The side of the person who answers for a name in a record; empty where the computer does."""


class Moment(NamedTuple):
    """How the fight stood after a command (or at its start)."""

    state: State
    events: int
    """How many events had happened."""
    dice: int
    """How many dice had been thrown."""
    side: str = ""
    """The side of the person who gave the command; empty for the computer's, and for the start."""
    level: str = ""
    """How far the computer looked when it gave the command, where that is known: no record tells of it."""


class Past(NamedTuple):
    """What going back would take back."""

    to: int
    """How many commands would be left."""
    commands: int
    dice: int
    seen: tuple[str, ...]
    """What had been hidden and was seen since, in words."""
    before: str
    """Before what: `Ada's attack`."""

    @property
    def free(self) -> bool:
        """Whether nothing was learnt since."""
        return not self.dice and not self.seen

    def told(self) -> str:
        """`3 commands and 7 dice, back to before Ada's attack`."""
        told = text("{parts}, back to before {before}", self.amount, self.before)
        return text("{told}; seen since: {seen}", told, joined(", ", self.seen)) if self.seen else told

    @property
    def amount(self) -> str:
        """`3 commands and 7 dice`."""
        commands = ntext(self.commands, "{n} command", "{n} commands")
        return joined(" and ", (commands, ntext(self.dice, "{n} die", "{n} dice")) if self.dice else (commands,))


class _Line(NamedTuple):
    """What an undo or rewind took off, for redo."""

    commands: tuple[Command, ...]
    moments: tuple[Moment, ...]
    events: tuple[Event, ...]
    throws: Throws | None


BOARDS = 6
"""So many boards, the last, are remembered."""


class _Glimpse(NamedTuple):
    """What a side sees of a moment, and who and what the fog hides from it."""

    seen: Board
    hidden: frozenset[str]
    unseen: frozenset[FloorItem]


class History:
    """A record and all its moments, in step: `moments[n]` is how the fight stood after `n` commands.

    `changed` hears of it when the past was: something was taken back or done again, or another line taken up.
    """

    def __init__(
        self, record: Record, ruleset: System, field: Field, person: Person, changed: Callable[[], None]
    ) -> None:
        self.record, self.ruleset, self.field = record, ruleset, field
        self.person, self.changed = person, changed
        self.fog = bool(record.options.get("fog", False))
        self.events: list[Event] = []
        """Every event so far, the start's included."""
        self.moments: list[Moment] = []
        self.undone: list[_Line] = []
        """What was taken back and may be done again, the latest last; nothing else was done since."""
        self._scripted = record.throws is not None
        self.knowledge = Knowledge(ruleset)
        self._glimpses: dict[tuple[int, str], tuple[State, _Glimpse]] = {}
        """(moment, side) -> its state, and what it shows: asked for after every command, of all moments since."""
        self._boards: deque[tuple[State, Board]] = deque(maxlen=BOARDS)

    # -- growing

    @property
    def now(self) -> State:
        """The present state; setting it changes nothing but the dice to come (`Ruleset.with_throws`)."""
        return self.moments[-1].state

    @now.setter
    def now(self, state: State) -> None:
        self.moments[-1] = self.moments[-1]._replace(state=state)

    def board(self, state: State) -> Board:
        """The table in a state: of the same one it is asked for by the window, by undo and by whoever tells of it."""
        for known, board in self._boards:
            if known is state:
                return board
        board = self.ruleset.board(state)
        self._boards.append((state, board))
        return board

    @property
    def length(self) -> int:
        """How many commands were given."""
        return len(self.moments) - 1

    def lived(self, step: Step, by: str | None = None, level: str = "") -> None:
        """Take in the start (by nobody), or what the record's next command led to; `level`: the computer's, if any."""
        self.events += step.events
        dice = self.ruleset.thrown(step.state)
        side = self.person(by) if by else ""
        self.moments.append(Moment(step.state, len(self.events), dice, side, "" if side else level))

    def relived(self, moments: Sequence[Moment], events: Sequence[Event]) -> None:
        """Take in all moments of the record at once, with their events, as they were kept."""
        self.moments[:], self.events[:] = moments, events

    def done(self, command: Command, step: Step, level: str = "") -> None:
        """Take in a new command and what it led to; what was undone is gone, what a rewind left stays a branch."""
        self.undone.clear()
        self.record.commands.append(command)
        self.lived(step, command.by, level)
        throws = self.record.throws
        if throws is not None and len(throws) < self.moments[-1].dice:
            throws += [None] * (self.moments[-1].dice - len(throws))
        self._follow()

    # -- looking back

    def frame_of(self, events: int) -> int:
        """After how many commands so many events had happened: the command that brought the last of them."""
        return bisect_left(self.moments, events, key=lambda moment: moment.events)

    def points(self) -> Iterator[int]:
        """Numbers of commands to go back to: before each decision of a person, the latest first.

        In a fight that nobody plays, before any command.
        """
        people = any(self.person(str(creature.get("id"))) for creature in self.record.creatures)
        played = people or any(moment.side for moment in self.moments)
        for number in range(self.length, 0, -1):
            if self.moments[number].side or not played:
                yield number - 1

    def look_back(self, to: int) -> Past:
        """What going back to `to` commands would take back. Raises BattlematError if there are not so many."""
        if not 0 <= to < self.length:
            raise BattlematError("back: there is nothing to take back to command {to} of {length}", to, self.length)
        dice, side = self.moments[-1].dice - self.moments[to].dice, self.moments[to + 1].side
        seen: list[str] = []
        if any(door.state == DoorState.SECRET for door in self.field.doors):
            then, now = (self.board(state).doors for state in (self.moments[to].state, self.now))
            seen += ["a secret door" for a, b in zip(then, now, strict=True) if a == DoorState.SECRET != b]
        for each in self._learning(side) if self.fog else ():
            seen += self._uncovered(to, each)
        return Past(to, self.length - to, dice, tuple(dict.fromkeys(seen)), self._deed(to, self.record.commands[to]))

    def _learning(self, side: str) -> list[str]:
        """The sides that may have learnt something by a command of one: that one; by the game master's hand, all of the
        people's."""
        if side != HAND:
            return [side] if side else []
        people = (self.person(str(creature.get("id"))) for creature in self.record.creatures)
        return [each for each in dict.fromkeys(people) if each]

    def _deed(self, number: int, command: Command) -> str:
        """A command given at a moment, in words: `Ada's attack`."""
        state = self.moments[number].state
        names = {mini.id: mini.name for mini in self.board(state).miniatures}
        master = command.by in (GAME_MASTER, HAND)
        who = "the game master" if master else names.get(command.by, command.by)[:LONGEST_NAME]
        if command.do == "end":
            if any(decision.kind == EXPLORING for decision in self.ruleset.decisions(state)):
                return text("{who} waits", who)
            return text("{who}'s end of the chance", who)
        action = records.action_of(command, self.field, number)
        said = "choice" if action.do == CHOOSE else self.ruleset.describe(state, action).label.lower()
        if not master and command.by not in names:  # a whole side has decided
            return text("{action} of the {side}", said[:LONGEST_NAME], who)
        return text("{who}'s {action}", who, said[:LONGEST_NAME])

    def _uncovered(self, to: int, side: str) -> Iterator[str]:
        """What fog hid from a side at a moment or since, and uncovered after that."""
        hidden: set[str] = set()
        unseen: set[FloorItem] = set()
        for number in range(to, self.length + 1):
            glimpse = self._glimpse(number, side)
            if number > to:
                yield from (mini.name for mini in glimpse.seen.miniatures if mini.id in hidden)
                yield from (lies.item for lies in glimpse.seen.floor if lies in unseen)
            hidden |= glimpse.hidden
            unseen |= glimpse.unseen
        states = [moment.state for moment in self.moments]
        known = self.knowledge.sight(side, states[: to + 1]).ever
        if self.knowledge.sight(side, states).ever & ~known:
            yield "new ground"

    def _glimpse(self, number: int, side: str) -> _Glimpse:
        state = self.moments[number].state
        known = self._glimpses.get((number, side))
        if known is None or known[0] is not state:
            whole, seen = self.board(state), self.ruleset.board(self.ruleset.observe(state, side))
            hidden = frozenset(mini.id for mini in whole.miniatures) - {mini.id for mini in seen.miniatures}
            known = state, _Glimpse(seen, hidden, frozenset(whole.floor) - frozenset(seen.floor))
            self._glimpses[number, side] = known
        return known[1]

    # -- going back and forth

    def undo(self, to: int) -> None:
        """Take back to `to` commands, for free. Raises BattlematError where only a rewind may."""
        past = self.look_back(to)
        if not past.free:
            raise BattlematError("undo: that would take back {past}; rewind instead", past.told())
        self.undone.append(self._cut(to))
        self._settle()

    def redo(self) -> None:
        """Do again what was taken back last. Raises BattlematError if there is nothing."""
        if not self.undone:
            raise BattlematError("redo: nothing was taken back, or something else was done since")
        line = self.undone.pop()
        self.record.commands += line.commands
        self.record.throws = line.throws
        self.events += line.events
        self.moments += line.moments
        self._follow()
        self._settle()

    def rewind(self, to: int) -> Past:
        """Go back to `to` commands whatever was learnt since; logged, and the line that is left becomes a branch."""
        past = self.look_back(to)
        self.record.rewinds.append(Rewind(at=to, commands=past.commands, dice=past.dice, before=past.before))
        kept = self._branch_from(to, past.before)
        self.undone.append(self._cut(to))
        self.record.branches.append(kept)
        if self.record.throws is not None and past.dice:
            del self.record.throws[self.moments[to].dice :]
        self._settle()
        return past

    def switch(self, number: int) -> None:
        """Take up branch `number` (from 0) to its end; the present line, where it goes on, becomes a branch instead.

        Raises RecordError, with nothing changed, for a branch that cannot be played.
        """
        try:
            branch = self.record.branches[number]
        except IndexError:
            raise BattlematError("branches: there is no number {number}", number) from None
        start = self.moments[branch.at]
        throws = self.record.throws
        if throws is not None or branch.throws is not None:
            throws = [*_padded((throws or [])[: start.dice], start.dice), *(branch.throws or [])]
        steps = list(self._played(branch, throws))  # first: a branch that cannot be played changes nothing
        del self.record.branches[number]
        if branch.at < self.length:
            after = self.record.commands[branch.at]
            left = self._branch_from(branch.at, self._deed(branch.at, after))
            dice = self.moments[-1].dice - start.dice
            taken, to = self.length - branch.at, branch.title or "another line"
            self.record.rewinds.append(Rewind(at=branch.at, commands=taken, dice=dice, to=to))
            self._cut(branch.at)
            self.record.branches.append(left)
        self.undone.clear()
        self.record.throws = throws
        for command, step in zip(branch.commands, steps, strict=True):
            self.done(command, step)
        self._settle()

    def _played(self, branch: Branch, throws: Throws | None) -> Iterator[Step]:
        """Each command of a branch played from where it leaves the present line."""
        state = self._with_throws(self.moments[branch.at].state, throws)
        for number, command in enumerate(branch.commands, branch.at):
            action = records.action_of(command, self.field, number)
            decision = records.decision_for(self.ruleset, state, action)
            try:
                if decision is None:
                    raise RecordError("the fight is over; no command may follow")
                step = self.ruleset.apply(state, decision, action)
            except BattlematError as error:
                raise RecordError("branch: commands[{what}]: {error}", number - branch.at, said(error)) from None
            state = step.state
            yield step

    def _cut(self, to: int) -> _Line:
        """Shorten everything to `to` commands; branches that left later now leave there."""
        record, moments = self.record, self.moments
        line = _Line(tuple(record.commands[to:]), tuple(moments[to + 1 :]), tuple(self.events[moments[to].events :]),
                     None if record.throws is None else list(record.throws))  # fmt: skip
        for branch in record.branches:
            if branch.at > to:
                between = self._throws_between(moments[to].dice, moments[branch.at].dice)
                all_throws = [*_padded(between, moments[branch.at].dice - moments[to].dice), *(branch.throws or [])]
                branch.throws = all_throws if any(face is not None for face in all_throws) else None
                branch.commands[:0] = record.commands[to : branch.at]
                branch.at = to
        for rewind in record.rewinds:
            rewind.at = min(rewind.at, to)
        del self.events[moments[to].events :], moments[to + 1 :], record.commands[to:]
        return line

    def _follow(self) -> None:
        """The present line has grown: branches that took the same way leave it later, and end if it has all of them."""
        record, moments = self.record, self.moments
        for branch in list(record.branches):
            while branch.at < self.length and branch.commands[0] == record.commands[branch.at]:
                dice = moments[branch.at + 1].dice - moments[branch.at].dice
                ours = self._throws_between(moments[branch.at].dice, moments[branch.at + 1].dice)
                if _padded(ours, dice) != _padded((branch.throws or [])[:dice], dice):
                    break
                branch.throws = (branch.throws or [])[dice:] or None
                branch.at += 1
                del branch.commands[0]
                if not branch.commands:
                    record.branches.remove(branch)
                    break

    def _branch_from(self, at: int, title: str) -> Branch:
        """Everything from `at` on as a branch."""
        throws = self.record.throws
        tail = None if throws is None else throws[self.moments[at].dice :] or None
        return Branch(at=at, title=title, commands=list(self.record.commands[at:]), throws=tail)

    def _throws_between(self, first: int, last: int) -> Throws:
        return [] if self.record.throws is None else self.record.throws[first:last]

    def _settle(self) -> None:
        """Make the present state's dice those of the record."""
        self.now = self._with_throws(self.now, self.record.throws)
        self.changed()

    def _with_throws(self, state: State, throws: Throws | None) -> State:
        self._scripted = self._scripted or throws is not None
        return self.ruleset.with_throws(state, tuple(throws or ()), False) if self._scripted else state


def _padded(throws: Sequence[int | None], length: int) -> Throws:
    return [*throws, *[None] * (length - len(throws))]


def told(rewind: Rewind) -> str:
    """A logged rewind as a line of the story."""
    commands = ntext(rewind.commands, "{n} command", "{n} commands")
    taken = text("{commands} and {dice}", commands, ntext(rewind.dice, "{n} die", "{n} dice"))
    if rewind.to:
        return text("Another line was taken up, {to}; {taken} stay with the one that was left.", rewind.to, taken)
    return text("Rewound: {taken}, back to before {before}.", taken, rewind.before)

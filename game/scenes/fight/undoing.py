"""A fight's past: undo and redo, the rewind that asks first, branches, replays of it, and the files it is kept in.

Why a rewind is no mere undo: game.fight.history.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from game.fight.history import Past
from game.fight.match import Match, save_fight
from game.fight.moments import Seen, seen
from game.fight.seats import Seat, computers
from game.fight.viewing import Reel, View, last_of_others
from game.party.table import EXPLORING
from game.scenes.base import Shell
from game.scenes.dialogs.panels import Panel
from game.scenes.fight.ai_turns import Pacing
from game.scenes.fight.events_shown import Telling
from game.scenes.fight.model import FightModel
from game.scenes.fight.panels.card import likeness
from game.scenes.fight.party import Marching
from game.scenes.fight.plan import Plan
from game.storage import records as storage
from game.storage.recovery import Scribe
from game.view.minis import icon
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Space, Tip, Widget, column, grown, row
from game.widgets.figures import IconButton, Portrait
from game.widgets.menu import Tile
from game.widgets.text import Run
from rules.contract.ruleset import PARTY, State
from rules.contract.text import Text, joined, ntext, text
from rules.core.record import Branch


class AskRewind(Panel):
    """How far to rewind: the last decision, or further back."""

    name = "rewind"
    width = 640.0
    first = "rewind"

    def __init__(
        self, app: Shell, points: Mapping[Past, Seen], rewind: Callable[[int], None],
        faces: Mapping[str, Portrait], *, counted: bool,
    ) -> None:  # fmt: skip
        super().__init__(app)
        self.points, self.rewind, self.faces = points, rewind, faces
        """The moments to go back to, and how to find them."""
        self.counted = counted
        """Whether it says how much happened: not where some of that was hidden."""

    def content(self) -> Box:
        first, *others = self.points
        amount = first.amount if self.counted else "all that happened"
        told = [Run("This takes back "), Run(amount, "gold", "text!"), Run(", to before "),
                Run(first.before, "bright", "text!"), Run(".")]  # fmt: skip
        parts: list[Widget] = [Label("Rewind?", "heading", "bright"), Label(told), Label(_why(first), "small", "quiet")]
        if others:
            listing = grown(Scroll(column(*self._further(others), gap=5, pad=4), height=330))
            parts += [Label("Or further back", "label", "gold"), listing]
        go = Button("Rewind", self._back(first), gold=True, key="rewind")
        return column(*parts, row(self.leave_button("Leave it as it is", key="stay"), Space(grow=1), go), gap=12)

    def _further(self, others: Sequence[Past]) -> Iterator[Widget]:
        """A line for each moment, with what came of it; a head wherever place or time are others."""
        head, nobody = "", self.faces[""]
        for past in others:
            seen = self.points[past]
            now = joined(" · ", (part for part in (seen.where, seen.when) if part))
            if now != head:
                head = now
                yield Label(now, "label!", "gold")
            lost = text("takes back {past}", past.amount) if self.counted else ""
            yield Tile(
                text("Before {before}", past.before), seen.told or lost, self.faces.get(seen.who, nobody),
                self._back(past), key=f"back to {past.to}", size=34, width=2000,
                tip=Tip(joined(" · ", (part for part in (seen.told, lost) if part))),
            )  # fmt: skip

    def _back(self, past: Past) -> Callable[[], None]:
        return self.then(partial(self.rewind, past.to))


def _why(past: Past) -> str:
    learnt = ["dice were thrown"] if past.dice else []
    if past.seen:
        shown = list(past.seen[:4]) + ([text("{count} more", len(past.seen) - 4)] if len(past.seen) > 4 else [])
        *before, last = shown
        listed = text("{names} and {last}", joined(", ", before), last) if before else last
        learnt.append(text("your side saw {seen}", listed))
    kept = "It is noted in the log, and the line that you leave is kept under Branches."
    if not learnt:
        return kept
    return joined(" ", (text("It is no mere undo, as {learnt} since.", joined(" and ", learnt)), kept))


class Branches(Panel):
    """The lines that were left, and where each leaves the present one."""

    name = "branches"
    width = 560.0

    def __init__(self, app: Shell, match: Match, take: Callable[[int], None]) -> None:
        super().__init__(app)
        self.match, self.take = match, take

    def content(self) -> Box:
        lines = list(enumerate(self.match.record.branches))
        rows: list[Widget] = [
            Button(text("With {title}", branch.title) if branch.title else "Another line",
                   self.then(partial(self.take, number)), cost=self._told(branch), key=f"{number}")
            for number, branch in reversed(lines)
        ]  # fmt: skip
        told = "No other line yet. A rewind keeps the line that it leaves, and lists it here."
        listing = grown(Scroll(column(*rows or [Label(told, colour="quiet")], gap=8, pad=4), height=330))
        parts: list[Widget] = [Label("Branches", "heading", "bright")]
        if lines:
            hint = "Taking one up goes on where it ended; the present line is kept here in its place."
            parts.append(Label(hint, "small", "quiet"))
        return column(*parts, listing, row(Space(grow=1), self.leave_button(gold=not lines)), gap=12)

    def _told(self, branch: Branch) -> str:
        """`leaves in turn 2, round 1, at command 14 of 20, and goes on for 6`."""
        history = self.match.history
        caption = self.match.ruleset.board(history.moments[branch.at].state).caption
        count = len(branch.commands)
        goes = ntext(count, "{n} command long", "{n} commands long")
        if branch.at == history.length:
            return text("{caption}: goes on from here, {goes}", caption, goes)
        told = "{caption}: leaves after command {at} of {length}, {goes}"
        return text(told, caption, branch.at, history.length, goes)


MOST_POINTS = 24
"""How many places to go back to the rewind offers."""


class Undoing:
    """What the keys and buttons of taking back do. Only the record is rewound; the board then shows what it says."""

    def __init__(self, fight: FightModel, telling: Telling, pacing: Pacing, marching: Marching) -> None:
        self.fight, self.telling, self.pacing, self.marching = fight, telling, pacing, marching
        self._known: tuple[object, Seat, int, Past | None] | None = None
        self._choices: dict[int, tuple[State, bool]] = {}
        """Of chances that were ended: how the fight stood, and whether there was anything else to do."""
        self._lent: tuple[str, ...] = ()
        """Whom the computer plays until the fight is over."""
        self._kept: list[str] = []
        """Who was the computer's before that."""

    # -- what could be taken back

    def points(self) -> Iterator[Past]:
        """Where one could go back to, the latest first: where a person had a choice, and not only the end; of an order
        to the whole party, before all of it."""
        history = self.fight.match.history
        for to in history.points():
            if not self.fight.seating.may_take_back(to):
                return
            if self.a_choice(to) and not self.marching.within(to):
                yield history.look_back(to)

    def a_choice(self, to: int) -> bool:
        """Whether the command after so many was a choice, and not the only thing left to do."""
        fight = self.fight
        if fight.match.record.commands[to].do != "end" or not fight.ends_chances:
            return True
        state = fight.match.history.moments[to].state
        known = self._choices.get(to)
        if known is None or known[0] is not state:  # what is asked at every build is found once
            known = self._choices[to] = state, not self._only_end(state)
        return known[1]

    def _only_end(self, state: State) -> bool:
        """Whether nothing could be done but end the chance."""
        rules, field = self.fight.ruleset, self.fight.match.field
        board = rules.board(state)
        decisions = ((decision, rules.legal(state, decision)) for decision in rules.decisions(state))
        plans = (Plan(rules, state, decision, legal, board=board, field=field) for decision, legal in decisions)
        return all(plan.only_end for plan in plans)

    def latest(self) -> Past | None:
        """What an undo would take back now; None if nothing can be."""
        moment, seat, orders = self.fight.match.history.moments[-1], self.fight.seating.at, self.marching.carried_out
        if self._known is None or self._known[0] is not moment or self._known[1:3] != (seat, orders):
            self._known = (moment, seat, orders, next(self.points(), None))
        return self._known[3]

    # -- doing it

    def undo(self) -> None:
        """Take back the last decision if that is free, else ask whether to rewind."""
        past = self.latest()
        if past is None:
            self.fight.toast("There is nothing to take back.")
        elif past.free:
            self._change(partial(self.fight.match.history.undo, past.to), text("Taken back: {before}.", past.before))
        else:
            self.ask()

    def redo(self) -> None:
        """Do again what was taken back last."""
        if self.fight.match.history.undone:
            self._change(self.fight.match.history.redo, "Done again.")
        else:
            self.fight.toast("There is nothing to do again.")

    def ask(self) -> None:
        """Ask how far to rewind."""
        fight = self.fight
        if self._covered:
            return
        history = fight.match.history
        points = islice(self.points(), MOST_POINTS)
        found, until = dict[Past, Seen](), history.length
        for past in points:
            found[past], until = seen(fight.match, fight.eyes, past, until), past.to
        if found:
            rewind = partial(self.rewind, asked=history.length)
            faces = {mini.id: likeness(mini.art, mini.side) for mini in fight.board.miniatures}
            faces[""] = likeness("unknown_hero", PARTY)  # of a whole side, and of the game master
            fight.app.push(AskRewind(fight.app, found, rewind, faces, counted=fight.seating.views() is None))
        else:
            fight.toast("There is nothing to take back.")

    @property
    def _covered(self) -> bool:
        """Whether the screen has gone to another seat since it was asked: the dialog closed, and the handover came."""
        return self.fight.app.top is not self.fight

    def rewind(self, to: int, asked: int | None = None) -> None:
        """Go back although something was learnt; asks anew if more has happened than the `asked` commands."""
        if asked not in (None, self.fight.match.history.length):
            self.ask()
        elif not self._covered:
            told = "Rewound; what was left is kept under Branches."
            self._change(partial(self.fight.match.history.rewind, to), told)

    @property
    def open_lines(self) -> bool:
        """Whether whoever looks may know the lines that were left: everybody's decisions are in them."""
        seating = self.fight.seating
        return not seating.secrets or seating.open_book

    def branches(self) -> None:
        """The list of the lines that were left."""
        if self._covered:
            return
        if not self.open_lines:
            self.fight.toast("Branches stay closed while seats keep secrets from each other.")
            return
        take = partial(self._switch, asked=self.fight.match.history.length)
        self.fight.app.push(Branches(self.fight.app, self.fight.match, take))

    def _switch(self, number: int, asked: int) -> None:
        """Take up a branch; shows the list anew if more has happened than the `asked` commands."""
        match = self.fight.match
        if self._covered or asked != match.history.length:
            self.branches()
            return

        def call() -> None:
            known = len(match.record.branches)
            self._change(partial(match.history.switch, number))
            kept = len(match.record.branches) == known  # else the line before was the beginning of this one
            told = "The other line was taken up; the one before is kept under Branches."
            self.fight.toast(told if kept else "The other line was taken up: it goes on from the one before.")

        self.fight.app.guard(call)

    def _change(self, call: Callable[[], object], text: str = "") -> None:
        """Change the past, whatever is still being shown, and show the fight as its record then has it, at once.

        Raises BattlematError where the history refuses; then only what was being shown has come to its end.
        """
        fight = self.fight
        self.marching.stop()
        fight.view.animator.clear()  # while the history still has it; and nothing of it stays on the table
        call()
        self.telling.moment.end()
        self.pacing.begin_anew()
        fight.look()
        self.telling.change_past()
        fight.refresh()
        fight.toast(text)

    # -- who plays whom

    def hand_over(self, *names: str) -> None:
        """Give some of one's own to the computer to play; where it plays the first of them, take them back."""
        fight, seating = self.fight, self.fight.seating
        if not names or seating.seats.of(names[0]) != seating.at or fight.match.decision is None:
            fight.toast("Only your own creatures can be given to the computer.")
            return
        given = computers(fight.match.record)
        to_computer = names[0] not in given
        self.marching.stop()
        self._lent = ()
        for name in names:
            fight.match.hand_over(name, to_computer=to_computer)
        self.pacing.begin_anew()
        fight.refresh()
        if len(names) > 1:
            fight.toast("The computer plays all of yours now." if to_computer else "All of yours are yours again.")
            return
        told = "The computer plays {name} now." if to_computer else "{name} is yours again."
        fight.toast(Text.of(told, name=fight.names.get(names[0], names[0])))

    def lend(self, *names: str) -> None:
        """Let the computer play some of one's own until the fight is over and exploration goes on."""
        before = self._given()
        self.hand_over(*names)
        self._lent, self._kept = names, before
        self.fight.toast("The computer plays all of yours until this fight is over.")

    def take_home(self) -> None:
        """Take back whom the computer was to play for a fight, as soon as that is over."""
        match = self.fight.match
        if not self._lent or (match.decision is not None and match.decision.kind != EXPLORING):
            return
        self._lent, seating = (), self.fight.seating
        still = [n for n in self._given() if n not in self._kept and seating.seats.of(n) == seating.at]
        if still and match.decision is not None:
            self.hand_over(*still)
            self.fight.toast("The fight is over: all of yours are yours again.")

    def hand_over_all(self) -> None:
        """Give all of one's own to the computer to play; where it plays some of them, take all of those back."""
        seating, minis = self.fight.seating, self.fight.board.miniatures
        own = [mini.id for mini in minis if not mini.dead and seating.seats.of(mini.id) == seating.at]
        back = [name for name in self._given() if seating.seats.of(name) == seating.at]
        self.hand_over(*(back or own))

    def _given(self) -> list[str]:
        """Who was given to the computer, or came to it by name: not who is its own only because all heroes are."""
        record = self.fight.match.record
        named = {entry.who for entry in record.handed}
        return sorted(name for name in computers(record) if name in named)

    # -- seeing it again

    def replay(self) -> None:
        """Replay the whole fight; it stays as it is."""
        fight = self.fight
        if fight.match.history.length == 0:
            fight.toast("Nothing has happened yet.")
        else:
            fight.view.skip()
            self._show(fight.seating.views_of_past(), None)

    def chronicle(self) -> None:
        """The evening so far as a tale, as whoever sits at the screen may know it."""
        fight = self.fight
        fight.view.skip()
        fight.app.navigator.chronicle(fight.match, fight.seating.views_of_past())

    def again(self) -> None:
        """Show once more what the side at the screen saw since its own last decision; then the fight goes on."""
        fight = self.fight
        fight.view.skip()
        moments = fight.match.history.moments
        own = [m.side in fight.sides and self.a_choice(n) for n, m in enumerate(moments[1:])]  # forced ones don't count
        first, last = last_of_others(fight.match, [False, *own])
        if not any(fight.eyes.witnesses(e) for e in fight.match.events[moments[first].events : moments[last].events]):
            fight.toast("Nobody else has done anything that your side saw.")
            return
        self._show(fight.seating.views_of_past()[:1], (first, last))

    def since(self, first: int) -> None:
        """Show once more what the side at the screen saw after so many commands; then the fight goes on."""
        self._show(self.fight.seating.views_of_past()[:1], (first, self.fight.match.history.length))

    def _show(self, views: Sequence[View], span: tuple[int, int] | None) -> None:
        fight, length = self.fight, self.fight.match.history.length
        reel = Reel(
            views, fight.sides, span, play_on=self._play_on,
            may_branch=lambda frame: all(fight.seating.may_take_back(n) for n in range(frame, length)),
        )  # fmt: skip
        fight.app.navigator.replay(fight.match, reel, fight.camera)

    def _play_on(self, frame: int | None) -> None:
        """Back from a replay, to play on from one of its frames; None: from where the fight stands."""
        while self.fight.app.top is not self.fight:
            self.fight.app.pop()
        if frame is not None:
            self.rewind(frame)

    # -- buttons

    def buttons(self) -> list[Widget]:
        """The branches where there are any, undo, redo and again, for the log's head.

        The branches come first: the others stay under the pointer when that button appears.
        """
        fight, past = self.fight, self.latest()
        amount = fight.seating.told(past) if past is not None else ""
        takes = "Nothing to take back."
        if past is not None:
            told = "Takes back {amount}." if past.free else "Asks first: it would take back {amount}."
            takes = Text.of(told, amount=amount)
        can_redo = bool(fight.match.history.undone)
        redone = "What was taken back last." if can_redo else "Nothing was taken back."
        seen = "What your side saw since your last decision, once more."
        found = [
            self._button("undo", "undo", (takes, "Undo ({keys})"), enabled=past is not None),
            self._button("redo", "redo", (redone, "Redo ({keys})"), enabled=can_redo),
            self._button("again", "again", (seen, "Again ({keys})")),
        ]
        if (count := len(fight.match.record.branches)) and self.open_lines:
            lines = ntext(count, "{n} line was left", "{n} lines were left")
            left = Text.of("{lines} by rewinding.", lines=lines)
            found.insert(0, self._button("branch", "branches", (left, "Branches ({keys})")))
        return found

    def _button(self, name: str, command: str, told: tuple[str, str], *, enabled: bool = True) -> Widget:
        call, keys = self.fight.doing(command), self.fight.app.keys.shown(command)
        tip = Tip(told[0], text(told[1], keys=keys))
        button = IconButton(partial(icon, name), call, key=name, tip=tip)
        button.enabled, button.on_refused = enabled, call  # it says why not
        return button


class Keeping:
    """Writes the fight's record; what the disk refuses is told in one line."""

    def __init__(self, fight: FightModel) -> None:
        self.fight = fight
        settings = fight.app.settings
        self.scribe = Scribe(fight.match, autosave=lambda: settings.autosave, trouble=lambda text: fight.toast(text))
        self._kept: tuple[object, Path] | None = None
        """The moment last saved under a name of its own, and where."""

    def save(self, path: Path) -> bool:
        """Keep the fight in a file; whether that went well."""
        fight = self.fight
        if not fight.app.guard(lambda: save_fight(fight.match, path)):
            return False
        self.scribe.saved(path)
        fight.toast(text("Saved as {stem}.", path.stem))
        return True

    def save_as_new(self) -> None:
        """Keep it under its title and the next free number; once only as long as nothing happens."""
        fight = self.fight
        now = fight.match.history.moments[-1]
        if self._kept is not None and self._kept[0] is now and self._kept[1].exists():
            fight.toast(text("Nothing has happened since it was saved as {stem}.", self._kept[1].stem))
            return

        def call() -> None:
            path = storage.new_save(fight.match.title)
            if self.save(path):
                self._kept = (now, path)

        fight.app.guard(call)

    def quicksave(self) -> None:
        """Keep it over the last quick save."""
        self.fight.app.guard(lambda: self.save(storage.quick_save()))

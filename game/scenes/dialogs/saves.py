"""The saved fights, to be loaded or deleted; and those that were interrupted, to be taken up."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import pygame

from game.app.window import wake
from game.fight import remembered
from game.fight.match import Match, Progress
from game.scenes.base import Shell
from game.scenes.dialogs.panels import Panel
from game.storage import records as storage
from game.storage import recovery, saves
from game.storage.recovery import Interrupted
from game.storage.saves import Save
from game.view.minis import icon
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Space, Tip, Widget, column, grown, row
from game.widgets.figures import IconButton
from rules.contract.errors import BattlematError, said
from rules.contract.text import Text, joined, ntext, text, titled


class Lookout:
    """Looks into files in a thread of its own, and tells of each in the loop's, as long as it is not stopped."""

    def __init__(self, paths: Iterable[Path], look: Callable[[Path], Save], learn: Callable[[Save], None]) -> None:
        self._look, self._learn = look, learn
        self.looking = True
        threading.Thread(target=self._run, args=(list(paths),), name="lookout", daemon=True).start()

    def stop(self) -> None:
        """Nobody wants to know any more."""
        self.looking = False

    def _run(self, paths: list[Path]) -> None:
        for path in paths:
            if not self.looking:
                return
            try:
                save = self._look(path)
            except Exception as error:  # the list must come up whatever is in a file
                save = saves.glance(path)._replace(fault=text("cannot be read ({name})", type(error).__name__))
            if not wake(partial(self._tell, save)):
                return

    def _tell(self, save: Save) -> None:
        if self.looking:
            self._learn(save)


class Ask(Panel):
    """A question before something that cannot be taken back."""

    name = "ask"

    stay = "Leave it"
    """What it says that nothing is done."""

    def __init__(
        self, app: Shell, title: str, text: str, label: str, call: Callable[[], None], *, stay: str = ""
    ) -> None:  # fmt: skip
        super().__init__(app)
        self.title, self.text, self.label, self.call = title, text, label, call
        self.stay = stay or self.stay

    def content(self) -> Box:
        head, stay = Label(self.title, "heading", "bright"), self.leave_button(self.stay, key="stay", gold=True)
        go = Button(self.label, self.then(self.call), key="go")
        return column(head, Label(self.text), row(stay, Space(grow=1), go), gap=14)


class Discarding(Panel):
    """A list whose rows have a bin each."""

    def with_bin(
        self, button: Button, call: Callable[[], None], *more: Widget, told: str = "Delete this file (asks first).",
        title: str = "Delete (Del)",
    ) -> Widget:  # fmt: skip
        """A row and its bin."""
        button.yields = True
        away = IconButton(partial(icon, "delete"), call, key=f"delete {button.key}", tip=Tip(told, title))
        return row(grown(button), *more, away, gap=6)

    def handle(self, event: pygame.event.Event) -> bool:
        """Delete on a row presses its bin."""
        focus = self.ui.focus
        if event.type == pygame.KEYDOWN and event.key == pygame.K_DELETE and focus is not None:
            for widget in self.ui.ring():
                if widget.key == f"delete {focus.key}" and isinstance(widget, IconButton):
                    widget.press()
                    return True
        return super().handle(event)


class LoadDialog(Discarding):
    """The saved fights, the newest first. How each stands is found out beside the window, one after another."""

    name = "load"
    width = 720.0

    def __init__(self, app: Shell, load: Callable[[Path], None]) -> None:
        super().__init__(app)
        self.load = load
        self.found: dict[Path, Save] = {path: saves.glance(path) for path in storage.fights()}
        self.broken_off = [each for each in recovery.interrupted() if each.record is not None]
        self.unknown = set(self.found)
        """Files into which nobody has looked yet."""
        self._lookout = Lookout(self.found, saves.look, self._learn)

    # -- finding out

    def _learn(self, save: Save) -> None:
        self.unknown.discard(save.path)
        if save.path in self.found:
            self.found[save.path] = save
            if self.app.top is self:
                self.rebuild()

    def left(self) -> None:
        self._lookout.stop()

    # -- widgets

    def content(self) -> Box:
        rows = [self._interrupted(each) for each in self.broken_off]
        rows += [self._row(save) for save in self.found.values()]
        if not rows:
            rows = [Label("No fight is saved yet. Ctrl+S saves one while you play.", colour="quiet")]
        listing = self.scrolled(column(*rows, gap=8, pad=4), "saves", height=400)
        prepared = self.then(lambda: self.app.guard(lambda: self.app.navigator.prepared()))
        back = row(Button("Prepared encounters", prepared), Space(grow=1), self._looking(), self.leave_button(), gap=10)
        return column(Label("Load a fight", "heading", "bright"), listing, back, gap=14)

    def _looking(self) -> Label:
        """How far it has come with finding out how each stands; long evenings take their time."""
        left, whole = len(self.unknown & set(self.found)), len(self.found)
        told = text("Looking into them: {done} of {all}", whole - left, whole) if left else ""
        return Label(told, "small", "quiet", one_line=True)

    def _row(self, save: Save) -> Widget:
        title, told = save.heading, save.told()
        tip, take = Tip(told, title, save.path.name), self.then(partial(self.load, save.path))
        watch: Widget = Space(width=IconButton.square)
        if save.fault:
            tip = Tip(save.fault, "This file cannot be loaded")
            take = partial(self.app.complain, text("{name}: {fault}", save.path.name, save.fault))
        else:
            watch = IconButton(partial(icon, "play"), partial(self.app.navigator.watch, save.path),
                               key=f"replay {save.path}", tip=Tip("Watch this fight as a replay."))  # fmt: skip
        button = Button(title, take, cost=told, key=str(save.path), tip=tip, left=True)
        return self.with_bin(button, partial(self._ask_delete, save), watch)

    def _interrupted(self, found: Interrupted) -> Widget:
        assert found.record is not None
        told = ntext(
            len(found.record.commands), "interrupted {when}, after {n} command",
            "interrupted {when}, after {n} commands", when=saves.when_told(found.when),
        )  # fmt: skip
        resume = self.then(partial(take_up, self.app, found))
        button = Button(found.title, resume, cost=told, key=str(found.path), chosen=True, left=True)
        forget = partial(ask_forget, self.app, found, partial(self._forget, found))
        return self.with_bin(button, forget, Space(width=IconButton.square))

    # -- what they do

    def _ask_delete(self, save: Save) -> None:
        told = "{heading}, saved {when}, will be gone for good."
        text = Text.of(told, heading=save.heading, when=saves.when_told(save.when))
        self.app.push(Ask(self.app, "Delete this save?", text, "Delete", partial(self._delete, save)))

    def _delete(self, save: Save) -> None:
        try:
            save.path.unlink(missing_ok=True)
            from game.setup import files  # late: it brings all that encounters are prepared with

            files.elsewhere(save.path).unlink(missing_ok=True)
        finally:
            after = _beside([*self.found], save.path)
            if not save.path.exists():
                self.found.pop(save.path, None)
            self.rebuild()
            if save.path not in self.found and after:
                self.ui.focus_key(after)

    def _forget(self, found: Interrupted) -> None:
        self.broken_off.remove(found)
        self.rebuild()


def take_up(app: Shell, found: Interrupted) -> None:
    """Go on with an interrupted fight; what is wrong with it becomes a dialog."""
    app.guard(lambda: app.navigator.show(recovery.resume(found, app.loading()), taken_up=True))


def ask_forget(app: Shell, found: Interrupted, then: Callable[[], None]) -> None:
    """Ask before an interrupted fight is given up."""

    def call() -> None:
        recovery.discard(found.path)
        then()

    told = "{title}, interrupted {when}, will be gone for good."
    text = Text.of(told, title=found.title, when=saves.when_told(found.when))
    app.push(Ask(app, "Give up this fight?", text, "Give it up", call))


class Recover(Discarding):
    """At the start: a fight was interrupted, and can be gone on with."""

    name = "recover"
    width = 640.0

    def __init__(self, app: Shell, found: Sequence[Interrupted], fault: str = "") -> None:
        super().__init__(app)
        self.found = sorted(found, key=lambda each: bool(each.fault))
        self.fault = fault
        """Why, if this program itself failed just now."""
        self.told = {each.path: _told(each, app.loading()) for each in found}
        self.first = next((str(each.path) for each in self.found if not each.fault), "later")

    def content(self) -> Box:
        title: str = text("{what} interrupted", "A fight was" if len(self.found) == 1 else "Fights were")
        if self.fault:
            title = "Something went wrong"
        parts: list[Widget] = [Label(title, "heading", "bright")]
        if self.fault:
            parts.append(Label(Text.of("{fault}.", fault=titled(self.fault))))
        whole = [each for each in self.found if not each.fault]
        if self.found:
            parts.append(Label(self._promise(whole), colour="quiet"))
            rows = [self._row(each, first=whole[:1] == [each]) for each in self.found]
            parts.append(grown(Scroll(column(*rows, gap=10, pad=4), key="interrupted")))
        hint = self.app.keys.shown("back")
        tip = Tip("Later: they stay in the list of saved fights.") if whole else None
        later = Button("Later" if self.found else "Back", self.app.pop, hint=hint, tip=tip, key="later")
        return column(*parts, row(Space(grow=1), later), gap=12)

    def _promise(self, whole: Sequence[Interrupted]) -> str:
        if len(self.found) == 1 and whole:
            return "Nothing of the fight is lost: it can go on where it was."
        if len(whole) == len(self.found):
            return "Each can go on where it was."
        return "Those that can be read can go on where they were." if whole else "It cannot be read any more."

    def _row(self, found: Interrupted, *, first: bool) -> Widget:
        told, fault = self.told[found.path], found.fault
        button = Button(
            "A fight that cannot be read" if fault else text("Continue {title}", found.title),
            self.then(partial(take_up, self.app, found)), cost=told, gold=first, enabled=not fault,
            key=str(found.path), left=True, tip=Tip(fault or told, "" if fault else found.title),
            on_refused=partial(self.app.complain, fault),
        )  # fmt: skip
        forget = partial(ask_forget, self.app, found, partial(self._forgotten, found))
        return self.with_bin(button, forget, told="Give this fight up (asks first).", title="Give up (Del)")

    def _forgotten(self, found: Interrupted) -> None:
        after = _beside([each.path for each in self.found], found.path)
        self.found.remove(found)
        if not after:
            self.app.pop()
            return
        self.rebuild()
        self.ui.focus_key(after)


def _beside(found: Sequence[Path], one: Path) -> str:
    """The key of what stands below one in a list, else above it; empty where it stands alone."""
    at = found.index(one)
    return next(map(str, [*found[at + 1 : at + 2], *found[:at][-1:]]), "")


def _told(found: Interrupted, progress: Progress) -> str:
    if found.record is None:
        return text("Broken: {removeprefix}", found.fault.removeprefix(text("{path}: ", str(found.path))))
    try:
        match: Match = recovery.playable(found.record.model_copy(deep=True), remembered.along(found.path), progress)
    except BattlematError as error:
        return text("Broken: {error}", said(error))
    except Exception as error:  # this may be what the program failed of: the offer must come up all the same
        return text("cannot be looked at ({name})", type(error).__name__)
    parts = (saves.stands(match), saves.when_told(found.when), saves.named(saves.party(match)))
    return joined(" · ", (part for part in parts if part))


def offer_interrupted(app: Shell, fault: str = "") -> bool:
    """Offer to go on with fights whose program did not end by leaving them; False if there are none.

    `fault` says what went wrong, where this program itself failed just now; it is told in any case.
    """
    try:
        found = recovery.interrupted()
    except (BattlematError, OSError):
        found = []
    if found or fault:
        app.push(Recover(app, found, fault))
    return bool(found)


def load(app: Shell) -> None:
    """The list of saved fights."""
    app.push(LoadDialog(app, lambda path: app.navigator.open_file(path)))

"""What is done in a fight: an action is tried, real dice are asked for, then it is applied, and what happens is shown.

Dice thrown by hand are asked for face by face before anything is applied, and can be called off until then. Rolls that
the game master calls for become commands of the record, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pygame

from game.fight.match import Face, attempt
from game.fight.seats import GAME_MASTER, Seats
from game.fight.viewing import possible
from game.scenes.base import Shell
from game.scenes.dialogs.panels import Panel
from game.scenes.fight.events_shown import Telling
from game.scenes.fight.model import FightModel
from game.scenes.fight.panels.card import likeness
from game.scenes.fight.plan import Errand, plain
from game.view.palette import seat_colour
from game.widgets.controls import PRESS_KEYS, Button, Label, Swatch
from game.widgets.core import Box, Scroll, Space, Tip, Widget, column, grown, row
from game.widgets.fields import Memory, NumberField
from game.widgets.figures import DieFigure, Picture
from game.widgets.text import Die, Piece, Run
from game.widgets.ui import STEERING
from rules.contract.actions import Action, Decision
from rules.contract.display import Board
from rules.contract.errors import BattlematError, ThrowNeeded, said
from rules.contract.ruleset import Call
from rules.contract.text import text, titled
from rules.core.dice import value_of

MOST_FACES = 30
"""So many faces get a button each; dice beyond are typed."""


class Throwing:
    """What waits for real dice, thrown one after another: the dialog asks it for the die, and tells it the face."""

    covers = False
    """Whether nothing of what lies below may be seen meanwhile."""

    def __init__(self, seats: Seats) -> None:
        self.seats = seats
        self.needed: ThrowNeeded | None = None
        """The die that is asked for now."""
        self.typed: list[Face] = []
        self.asked: list[ThrowNeeded] = []
        """The dice that the typed faces answered."""

    @property
    def board(self) -> Board:
        """Where everybody stands, as it may be shown."""
        raise NotImplementedError

    @property
    def told(self) -> list[tuple[ThrowNeeded, Face]]:
        """The dice that were answered, with their faces."""
        return list(zip(self.asked, self.typed, strict=True))

    @property
    def may_cancel(self) -> bool:
        """Whether it may be called off."""
        return True

    def try_on(self) -> object:
        """Try it with the faces typed so far."""
        raise NotImplementedError

    def call_off(self) -> None:
        """Leave it undone: nothing has happened."""
        raise NotImplementedError

    def put(self, face: Face) -> None:
        """The die shows this; None: the computer throws it."""
        if self.needed is not None:
            self.asked.append(self.needed)
            self.typed.append(face)
            self.try_on()

    def take_back(self) -> None:
        """Take back the last face, if there is one."""
        if self.typed:
            self.typed.pop()
            self.asked.pop()
            self.try_on()


class DiceDialog(Panel):
    """Digits type the face (Enter ends one that could go on), Backspace takes back the last, Esc the whole action."""

    name = "dice"
    width = 470.0
    key_groups = ("general",)

    def __init__(self, app: Shell, throwing: Throwing) -> None:
        super().__init__(app)
        self.throwing = throwing
        self.overlay = not throwing.covers
        self.digits = ""
        self.fault = ""
        """Why the last answer was none."""
        self.steered = False
        """Whether the focus was moved by hand: only then Enter takes the face that has it."""

    def content(self) -> Box:
        throwing, needed = self.throwing, self.throwing.needed
        if needed is None:
            return column(Label("…"))
        mini = next((m for m in throwing.board.miniatures if m.id == needed.by), None)
        seat = throwing.seats.of(needed.by)
        odd = needed.rank != needed.faces
        who = [Label(mini.name if mini else "", "label!", "bright")]
        if seat is not None and throwing.seats.shared:
            who.insert(0, Swatch(seat_colour(seat.colour)))  # type: ignore[arg-type]
            who.append(Label(text("· {name}", seat.name), "label", "quiet"))
        throw = "Throw a d{faces} for a d{rank}" if odd else "Throw a d{faces}"
        about: list[Widget] = [
            Label(text(throw, faces=needed.faces, rank=needed.rank), "heading", "gold"),
            Label(text("{label} of", titled(needed.label)), "label", "quiet"),
            row(*who, gap=8),
        ]
        if odd:
            counts = value_of(needed.rank, needed.faces)
            about.append(Label(text("A {faces} counts as {counts}.", needed.faces, counts), "small", "quiet"))
        face: list[Widget] = [Picture(likeness(mini.art, mini.side), 54)] if mini is not None else []
        head = row(DieFigure(needed.faces, self.digits), grown(column(*about, gap=3)), *face, gap=16)
        fault = [Label(self.fault, "small", "coral")] if self.fault else []
        cancel = Button(
            "Call it off", self._cancel, hint="Esc", key="cancel", enabled=throwing.may_cancel,
            tip=Tip("Nothing has happened yet: the action is not done."), on_refused=self._cancel,
        )  # fmt: skip
        back = Button("Back", self._back, hint="Bksp", key="take back", enabled=bool(throwing.typed),
                      tip=Tip("Take back the last face."))  # fmt: skip
        mine = Button("Throw for me", partial(self._put, None), key="for me", hint="T",
                      tip=Tip("The computer throws this die, by the fight's seed."))  # fmt: skip
        foot = row(cancel, back, Space(grow=1), mine, gap=8)
        return column(head, self._faces(needed), *fault, *self._so_far(), foot, gap=12)

    def _faces(self, needed: ThrowNeeded) -> Widget:
        if needed.faces > MOST_FACES:
            return Label(text("Type the face, 1 to {faces}, and press Enter.", needed.faces), "text", "quiet")
        faces = range(1, needed.faces + 1)
        buttons = [grown(Button(str(face), partial(self._put, face), key=f"face {face}")) for face in faces]
        rows = 1 if needed.faces <= 8 else 2 if needed.faces <= 20 else 3
        per = -(-needed.faces // rows)
        lines = [row(*buttons[i : i + per], gap=5, align="stretch") for i in range(0, len(buttons), per)]
        hint = "Click the face or type it, and press Enter." if needed.faces > 9 else "Click the face or type it."
        return column(*lines, Label(hint, "small", "faint"), gap=5)

    def _so_far(self) -> list[Widget]:
        """The faces that were given for this action already."""
        pieces: list[Piece] = []
        label, names = "", {mini.id: mini.name for mini in self.throwing.board.miniatures}
        for needed, face in self.throwing.told:
            if (needed.by + needed.label) != label:
                label = needed.by + needed.label
                pieces.append(Run(text("{name}, {label} ", names.get(needed.by, ""), needed.label), "quiet", "small"))
            pieces.append(Die("–" if face is None else str(face), face == needed.faces))
            pieces.append(Run(" ", "quiet", "small"))
        return [Label(pieces)] if pieces else []

    # -- answers

    def _put(self, face: int | None) -> None:
        self.digits = self.fault = ""
        self.throwing.put(face)
        if self.app.top is self:
            self.rebuild()

    def _back(self) -> None:
        if self.digits:
            self.digits = self.digits[:-1]
        else:
            self.throwing.take_back()
        if self.app.top is self:
            self.rebuild()

    def _cancel(self) -> None:
        if self.throwing.may_cancel:
            self.throwing.call_off()
        else:
            self._say("That is on its way: throw, or let the computer throw.")

    def _say(self, fault: str) -> None:
        self.fault = fault
        self.rebuild()

    def command(self, name: str, event: pygame.event.Event) -> bool:
        if name == "back":
            self._cancel()
        return name == "back"

    def handle(self, event: pygame.event.Event) -> bool:
        needed = self.throwing.needed
        if event.type != pygame.KEYDOWN or needed is None:
            return super().handle(event)
        if event.unicode.isdigit() and event.unicode.isascii():
            self._digit(event.unicode, needed.faces)
            return True
        if event.key == pygame.K_BACKSPACE:
            self._back()
            return True
        if self.digits and event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            self._put(int(self.digits))
            return True
        if event.key in PRESS_KEYS and not self.steered:
            # a second Enter on the blow must not be the answer to its first die
            self._say("Type the face, or go to it with Tab.")
            return True
        self.steered |= event.key in STEERING
        if event.unicode.lower() == "t":
            self._put(None)
            return True
        return super().handle(event)

    def _digit(self, digit: str, faces: int) -> None:
        typed = self.digits + digit
        if not 1 <= int(typed) <= faces:
            self._say(text("A d{faces} shows 1 to {faces}.", faces))
        elif int(typed) * 10 > faces:
            self._put(int(typed))
        else:
            self.digits = typed
            self._say("")


class Deeds(Throwing):
    """Does actions. One of one's own that waits for real dice may be called off; the computer's is on its way.

    The dice of a creature that whoever looks cannot see are the computer's: asking for them would give it away.
    """

    def __init__(self, fight: FightModel, telling: Telling) -> None:
        super().__init__(fight.seating.seats)
        self.fight, self.telling = fight, telling
        self._deed: tuple[Decision, Action] | None = None

    # -- doing

    def act(self, action: Action) -> bool:
        """Do something at the open decision; False with a toast where the rules refuse.

        What is possible is tried by what the seat that decides knows, whoever looks on.
        """
        fight = self.fight
        decision = fight.match.decision
        if decision is None:
            return False
        sides = fight.seating.knowing(decision)
        true = action if sides is None else possible(fight.match, decision, action, sides)
        if true is None:
            fight.toast("Something that nobody of yours sees prevents that.")
            return False
        if true != action:
            fight.toast("Somebody unseen stands in the way.")
        chosen, before, known = fight.ruleset.describe(fight.shown, true), fight.board, fight.match.history.length
        done = self.answer(decision, true)
        silent = fight.match.history.length > known and fight.match.decision == decision and fight.board == before
        if silent and chosen.needs == "option":  # nothing else on screen says that it's so now
            fight.toast(text("{label}, from now on.", chosen.label))
        return done

    def answer(self, decision: Decision, action: Action) -> bool:
        """Do an action, after asking for the faces it needs; False where the rules refuse it.

        The computer's was tried by what its own side knows (game.fight.advice), not by who looks on.
        """
        if not any(seat.own_dice for seat in self.seats.seats):
            return self.carry_out(decision, action)
        self._deed, self.typed, self.asked = (decision, action), [], []
        return self.try_on()

    def carry_out(self, decision: Decision, action: Action, throws: Sequence[int | None] | None = None) -> bool:
        """Apply an action with these throws (None: by the seed) and show what happens."""
        fight = self.fight
        before = fight.board
        try:
            events = fight.match.act(decision, action, throws)
        except BattlematError as error:
            fight.toast(plain(said(error), field=fight.match.field))
            return False
        fight.board, fight.shown = fight.eyes.board(), fight.eyes.state()
        fight.names |= {m.id: m.name for m in fight.board.miniatures}
        self.telling.tell(events, before, fight.board)
        fight.refresh()
        return True

    # -- real dice

    @property
    def board(self) -> Board:
        return self.fight.board

    @property
    def may_cancel(self) -> bool:
        return self._deed is not None and self.seats.answering(self._deed[0]) is not None

    def _own(self, creature: str) -> bool:
        return self.seats.throws_own(creature) and creature in self.fight.names

    def try_on(self) -> bool:
        fight, deed, was_open = self.fight, self._deed, self.needed is not None
        assert deed is not None
        try:
            found = attempt(fight.match, *deed, self.typed, self._own)
        except BattlematError as error:
            self.call_off()
            fight.toast(plain(said(error), field=fight.match.field))
            return False
        self.needed = found.needed
        if self.needed is not None:
            if not was_open:
                fight.app.push(DiceDialog(fight.app, self))
            return True
        if was_open:
            fight.app.pop()
        typed = bool(self.typed) or fight.match.record.throws is not None
        self._deed = None
        return self.carry_out(*deed, found.throws if typed else None)

    def call_off(self) -> None:
        was_open, self.needed, self._deed = self.needed is not None, None, None
        if was_open:
            self.fight.app.pop()


class Errands:
    """The errand that is under way: whatever comes between (a question, a foe that was not seen) ends it."""

    def __init__(self, fight: FightModel, deeds: Deeds) -> None:
        self.fight, self.deeds = fight, deeds
        self._left: list[Action] = []
        self._by = ""
        self._done = 0
        """How many commands there were when its next deed was given."""

    @property
    def under_way(self) -> bool:
        """Whether deeds of it are left."""
        return bool(self._left)

    def do(self, errand: Errand) -> None:
        """Set out."""
        self.fight.choices.errand = None
        self._left, self._by = list(errand.actions), errand.deed.by
        self._next()

    def _next(self) -> None:
        self._done = self.fight.match.history.length
        if not self.deeds.act(self._left.pop(0)):
            self._left = []

    def follow(self) -> None:
        """Go on with it once what was done has been shown; it ends where anything else is asked."""
        fight, plan = self.fight, self.fight.chance
        if not self._left or fight.behind or fight.view.busy or self.deeds.needed is not None:
            return
        went_on = fight.match.history.length > self._done
        if went_on and plan is not None and plan.decision.by == self._by and self._left[0] in plan.legal:
            self._next()
            return
        self._left = []
        if went_on:
            fight.toast("Something came between: the rest was not done.")


ADVANTAGE = ((0, "Plain"), (1, "Advantage"), (-1, "Disadvantage"))
USUAL_RATING = 9


def why_no_call(fight: FightModel) -> str:
    """Why whoever looks may not call for rolls: the game master's seat may, or anybody where nobody has secrets."""
    if not fight.ruleset.calls:
        return text("{title} has no rolls that the game master calls for.", fight.ruleset.title)
    if fight.match.decision is None:
        return "The fight is over: nobody throws any more."
    allowed = GAME_MASTER in fight.seating.at.plays or not fight.seating.secrets
    return "" if allowed else "Only the seat that plays the game master calls for rolls."


def call(fight: FightModel, deeds: Deeds) -> None:
    """Open the panel, or say why not."""
    if why := why_no_call(fight):
        fight.toast(why)
    else:
        fight.app.push(Calls(fight, deeds))


class Calls(Panel):
    """What is called for, line by line; the last one throws."""

    name = "calls"
    key_groups = ("general",)
    width = 900.0

    def __init__(self, fight: FightModel, deeds: Deeds) -> None:
        super().__init__(fight.app)
        self.fight, self.deeds = fight, deeds
        self.memory = Memory()
        self.kind: Call = fight.ruleset.calls[0]
        here = [mini.id for mini in fight.board.miniatures]
        self.who = fight.selected if fight.selected in here else here[0]
        self.against = next((name for name in here if name != self.who), self.who)
        self.word = self.resists = self.kind.words[0]
        self.rating: int | None = USUAL_RATING
        self.advantage = 0

    @property
    def action(self) -> Action:
        """The call as it stands."""
        kind = self.kind
        return Action(
            GAME_MASTER, kind.do, target=self.who, option=self.word,
            rating=self.rating if kind.rated else None,
            against=self.against if kind.opposed else None, resists=self.resists if kind.opposed else None,
            advantage=self.advantage if kind.rated or kind.opposed else 0,
        )  # fmt: skip

    def content(self) -> Box:
        kind, reason = self.kind, self._refusal()
        kinds = [(each.do, each.label) for each in self.fight.ruleset.calls]
        people = [(mini.id, mini.name) for mini in self.fight.board.miniatures]
        words = [(word, word.capitalize()) for word in kind.words]
        parts: list[Widget] = [
            *self._choice("", kinds, kind.do, self._take_kind),
            Label(kind.text, "small", "quiet", tip=Tip(kind.rule)),
            *self._choice("Who", people, self.who, partial(self._put, "who")),
        ]
        if kind.opposed:
            parts += self._choice("Against", people, self.against, partial(self._put, "against"))
        if kind.rated:
            ratings = [(str(value), text("{name} {value}", name, value)) for name, value in self.fight.ruleset.ratings]
            put = partial(self._put, "rating")
            typed = NumberField("rating", self.rating, put, self.memory, start=USUAL_RATING, low=1, high=60)
            parts += self._choice("Challenge rating", ratings, str(self.rating), lambda word: put(int(word)))
            parts.append(row(Label("or any number"), typed, gap=8))
        if kind.rated or kind.opposed:
            favour = [(str(value), label) for value, label in ADVANTAGE]
            now = str(self.advantage)
            parts += self._choice("Dice", favour, now, lambda value: self._put("advantage", int(value)))
        parts += self._choice("With", words, self.word, partial(self._put, "word"))
        if kind.opposed:
            parts += self._choice("Who resists with", words, self.resists, partial(self._put, "resists"))
        inner = grown(Scroll(column(*parts, gap=7), key="call"))
        throw = Button("Throw", self._throw, gold=True, key="throw", enabled=reason is None)
        foot: list[Widget] = [Label(reason, "small", "coral")] if reason else []
        foot.append(row(self.leave_button(key="back"), Space(grow=1), throw))
        return column(Label("Call for a roll", "heading", "bright"), inner, *foot, gap=10)

    def _choice(
        self, title: str, options: Sequence[tuple[str, str]], now: str, take: Callable[[str], None]
    ) -> list[Widget]:
        buttons = [
            Button(label, partial(take, word), slim=True, gold=word == now, key=f"{title} {word}".strip())
            for word, label in options
        ]
        return [*([Label(title, "label!", "gold")] if title else []), row(*buttons, gap=5, wrap=True)]

    # -- what is chosen

    def _take_kind(self, do: str) -> None:
        self.kind = next(each for each in self.fight.ruleset.calls if each.do == do)
        if self.word not in self.kind.words:
            self.word = self.kind.words[0]
        self.rebuild()

    def _put(self, field: str, value: str | int | None) -> None:
        setattr(self, field, value)
        self.rebuild()

    # -- throwing

    def _refusal(self) -> str | None:
        decision = self.fight.match.decision
        if decision is None:
            return "The fight is over: nobody throws any more."
        return self.fight.match.legal(decision).refusal(self.action)

    def _throw(self) -> None:
        decision = self.fight.match.decision
        if decision is not None and self._refusal() is None:
            self.app.pop()
            self.deeds.answer(decision, self.action)

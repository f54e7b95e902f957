"""Who sits at the screen: whose knowledge is shown, when it is handed over, and how long a chance may take.

The clock of a chance (`chance_seconds`) runs only while its player could decide: not while something moves, not under
a dialog or the handover, and never while a question is to be answered. It goes on where it stood when the chance does.
At zero the chance ends. Time that was spent is not given back by taking back. It is told by the clock on the wall,
however seldom the window is drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from game.fight.history import Past
from game.fight.seats import Seat, Seats
from game.fight.viewing import fogged
from game.scenes.fight import ai_turns as pacing
from game.scenes.fight.panels import narrate
from game.widgets.story import Entry
from rules.contract.actions import Decision
from rules.contract.events import Began, Chance, Ended, Event, Points

if TYPE_CHECKING:
    from game.scenes.fight.scene import Fight

HURRY_AT = 10
"""Seconds before its end from which the clock is shown in another colour."""


class Seating:
    """`at` is the seat whose player looks at the screen, `due` the one to whom it must be handed over first."""

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self.seats = Seats(fight.match.record)
        self.hides = fogged(fight.match)
        self.all_seen = False
        self.at = self._first()
        self.due: Seat | None = self.at if self.secrets else None
        self.held_from: Seat | None = None
        """Whose screen the game master has taken out of turn; None: nobody's."""
        self._opened = self.due is None
        """Whether anybody has been let look yet."""
        self._left: dict[int, int] = {}
        """Number of a seat -> commands given when its player last left the screen."""
        self._counted: tuple[object, int] = (None, 0)
        """The moment at which the chances were counted, and how many there were."""
        self._spent: dict[tuple[str, int], float] = {}
        """A chance, by who has it and its number -> seconds that it took so far."""
        self._looked_at: float | None = None
        """What the clock on the wall said when time was counted last; None: it is not being counted."""

    def _first(self) -> Seat:
        decision = self.fight.match.decision
        seat = self.seats.answering(decision) if decision is not None else None
        playing = (s for s in self.seats.seats if self.seats.sides(s))
        return seat or next(playing, self.seats.seats[0])

    # -- whose knowledge

    @property
    def secrets(self) -> bool:
        """Whether anybody at the table may know what another must not see."""
        return self.hides and self.seats.keep_secrets

    @property
    def sides(self) -> frozenset[str]:
        """The sides of whoever looks; all sides where nobody plays."""
        own = self.seats.sides(self.at)
        return frozenset(own) or frozenset(side for side, _ in self.seats.creatures.values())

    def views(self) -> tuple[str, ...] | None:
        """The sides whose knowledge is shown; None = everything."""
        if not self.hides or self.all_seen:
            return None
        return self.seats.sides(self.at) or None

    def knowing(self, decision: Decision) -> tuple[str, ...] | None:
        """The sides by whose knowledge a decision is made; None = everything, as there is no fog."""
        if not self.hides:
            return None
        seat = self.seats.answering(decision)
        return (self.seats.sides(seat) if seat is not None else ()) or (decision.side,)

    @property
    def may_see_all(self) -> bool:
        """Whether the game master's view may be opened: by the seat that plays them, or where nobody has secrets."""
        return self.hides and (self.at == self.seats.master or not self.secrets)

    @property
    def may_take(self) -> bool:
        """Whether the game master's player sits elsewhere and may take the screen."""
        return self.secrets and self.seats.master is not None and self.at != self.seats.master

    def see_all(self) -> None:
        """Open or close the game master's view; where another seat plays them, the screen goes to it and back."""
        fight = self.fight
        if not self.hides:
            fight.toast("There is no fog of war in this fight: everything is seen anyway.")
        elif self.due is not None:
            return
        elif self.held_from is not None:
            self.give_back()
        elif self.may_take:
            self.call_master()
        elif not self.may_see_all:
            fight.toast("No seat plays the game master, and only that one may see everything.")
        elif self.views() is None and not self.all_seen:
            fight.toast("You see everything as it is.")
        else:
            self.all_seen = not self.all_seen
            fight.look_anew()

    # -- the game master at the screen

    def call_master(self) -> None:
        """The game master takes the screen out of turn, and sees everything until it is handed on."""
        from game.scenes.fight.handover import CoverOnce

        fight, app, master = self.fight, self.fight.app, self.seats.master
        assert master is not None

        def ready() -> None:
            self.held_from = self.at
            self._sit(master, all_seen=True)
            app.unwind(app.scenes.index(fight))

        app.push(CoverOnce(app, master, "takes the screen", ready))

    def give_back(self) -> None:
        """The game master hands the screen on: to who is to decide, else to whose it was."""
        fight, before, self.held_from = self.fight, self.held_from, None
        decision = fight.match.decision
        seat = (self.seats.answering(decision) if decision is not None else None) or before
        if seat == self.at:
            self.all_seen = False
            fight.look_anew()
            return
        self.due = seat
        fight.refresh()

    @property
    def awaited(self) -> Seat | None:
        """Who is to decide as soon as the game master hands the screen on; None: nobody waits for that."""
        decision = self.fight.match.decision
        if self.held_from is None or decision is None:
            return None
        seat = self.seats.answering(decision)
        return seat if seat != self.at else None

    def show_table(self, back: Callable[[], None]) -> None:
        """Leave the fight for the table on which it was prepared, where everything lies in full light.

        While seats keep secrets only the game master's player is let look, alone; where nobody plays them, it is asked.
        """
        fight, app, master = self.fight, self.fight.app, self.seats.master
        if not self.secrets or fight.match.decision is None or self.at == master:
            back()
        elif master is not None:
            from game.scenes.fight.handover import CoverOnce

            app.push(CoverOnce(app, master, "looks at the table, with everything on it", back))
        else:
            from game.scenes.dialogs.saves import Ask

            text = (
                "The table shows where everybody stands, and all that is hidden. No seat plays the game master: "
                "whoever is at the screen would see it. The fight is kept under Load."
            )
            app.push(Ask(app, "Back to the table?", text, "Show the table", back))

    # -- handing over

    def asked(self, decision: Decision | None) -> bool:
        """Whether a decision is for whoever looks; if it is another's, the screen will be handed over."""
        seat = self.seats.answering(decision) if decision is not None else None
        if seat is None:
            return False
        if self._opened and seat == self.at:
            self.due = None
        elif self.held_from is not None:
            return False
        elif self.due is not None or (seat != self.at and self.hides and self.seats.keeps_secrets(self.at, seat)):
            self.due = seat
            return False
        if seat != self.at:
            self._leave()
            self.at = seat
            self.fight.toast(f"{seat.name} plays now.")
        return True

    def hand_over(self) -> bool:
        """Cover the screen if it is due to another seat; whether it was."""
        from game.scenes.fight.handover import Handover

        fight = self.fight
        if self.due is None or fight.telling.behind or fight.view.busy or fight.app.top is not fight:
            return False
        fight.app.push(Handover(fight.app, fight, self.due))
        return True

    def take(self) -> list[Entry]:
        """The player of the due seat is at the screen; the lines of what their side saw since they left it."""
        assert self.due is not None
        return self._sit(self.due)

    def _sit(self, seat: Seat, *, all_seen: bool = False) -> list[Entry]:
        """The player of a seat is at the screen: nothing of the one before stays on it. Gives the recap."""
        fight = self.fight
        began = seat.number in self._left or fight.match.history.length > 0
        self._leave()
        self.at, self.due, self.all_seen, self._opened = seat, None, all_seen, True
        fight.toast_text = ""
        fight.moment.end()
        fight.pointing.forget()
        fight.view.forget()
        fight.selected = None
        fight.look_anew()
        own = [mini for mini in fight.board.miniatures if mini.side in self.sides]
        stands = next((m.cell for m in own if m.id == fight.acting), own[0].cell if own else None)
        if stands is not None:
            fight.camera.centre(stands)  # where the other looked is nobody's business
        fight.show_actor()
        fight.camera.arrive()
        return self.recap() if began else []

    def _leave(self) -> None:
        self._left[self.at.number] = self.fight.match.history.length

    @property
    def since(self) -> int:
        """How many commands had been given when whoever looks now last left the screen."""
        return min(self._left.get(self.at.number, 0), self.fight.match.history.length)

    def recap(self) -> list[Entry]:
        """What the sides of whoever looks saw happen since they left the screen, as lines of the log."""
        fight = self.fight
        return narrate.entries(fight.ruleset, fight.shown, self._seen_since(), fight.names)

    def seen_to_move(self) -> bool:
        """Whether there is anything in it to watch again."""
        return any(not isinstance(event, (Began, Chance, Ended, Points)) for event in self._seen_since())

    def _seen_since(self) -> list[Event]:
        history = self.fight.match.history
        first = history.moments[self.since].events if self.since else 0
        return self.fight.eyes.events(history.events[first:])

    # -- taking back

    def may_take_back(self, to: int) -> bool:
        """Whether going back to `to` commands takes back only decisions of the sides of whoever looks.

        Whoever sees everything, as the game master does, may take back anything.
        """
        if not self.secrets or self.open_book:
            return True
        return self.fight.match.history.moments[to + 1].side in self.seats.sides(self.at)

    def told(self, past: Past) -> str:
        """What taking back would take back; what nobody may count is left out."""
        return past.told() if self.views() is None else f"everything, back to before {past.before}"

    @property
    def open_book(self) -> bool:
        """Whether whoever looks may see all that the record holds: its other lines, its odds."""
        return self.views() is None

    # -- the clock

    @property
    def _chance(self) -> tuple[str, int] | None:
        """The chance whose clock there is: who has it, and how many were offered so far."""
        fight = self.fight
        decision = fight.match.decision
        if fight.match.record.chance_seconds is None or decision is None or self.due is not None:
            return None
        if decision.kind != "chance" or self.seats.answering(decision) is None:
            return None
        return (decision.by, self._offered())

    def _offered(self) -> int:
        """How many chances were offered so far."""
        moment = self.fight.match.history.moments[-1]
        if self._counted[0] is not moment:
            self._counted = (moment, sum(isinstance(event, Chance) for event in self.fight.match.events))
        return self._counted[1]

    @property
    def seconds(self) -> float | None:
        """Seconds left of the chance; None without a clock."""
        chance = self._chance
        whole = self.fight.match.record.chance_seconds
        return None if chance is None or whole is None else max(0.0, whole - self._spent.get(chance, 0.0))

    @property
    def runs(self) -> bool:
        """Whether the clock runs now."""
        fight = self.fight
        return self._chance is not None and fight.plan is not None and not fight.waits and not fight.view.busy

    def rest(self) -> None:
        """Something else was on the screen: that time is not the chance's."""
        self._looked_at = None

    def update(self) -> bool:
        """Count the time that has passed; whether what the clock shows has changed."""
        fight, chance = self.fight, self._chance
        if self.hand_over():
            return True
        if chance is None or not self.runs or fight.app.top is not fight:
            self.rest()
            return False
        now = fight.app.clock()
        passed, self._looked_at = now - (self._looked_at if self._looked_at is not None else now), now
        before, spent = self.clock(), self._spent.get(chance, 0.0) + passed
        self._spent[chance] = spent
        if spent >= (fight.match.record.chance_seconds or 0):
            self._time_is_up(chance[0])
            return True
        return self.clock() != before

    def _time_is_up(self, by: str) -> None:
        """End the chance; who may not simply wait does first what the computer would."""
        fight, decision = self.fight, self.fight.match.decision
        while fight.take_back():
            pass
        name = fight.names.get(by, "The chance")
        if fight.plan is None or decision is None:
            return
        if fight.plan.ending is None:
            fight.act(pacing.advice(fight.match, decision))
        elif fight.end_chance():
            fight.toast(f"Time is up: {name}'s chance has ended.")

    def clock(self) -> str:
        """`0:42`; empty without a clock."""
        left = self.seconds
        if left is None:
            return ""
        whole = int(left + 0.999)
        return f"{whole // 60}:{whole % 60:02}"

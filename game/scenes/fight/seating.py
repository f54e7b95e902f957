"""Who sits at the screen of a fight, what they may know, and how much of a chance's clock they have spent.

The clock of a chance (`chance_seconds`) goes on where it stood when the chance does. Time that was spent is not given
back by taking back.
"""

from __future__ import annotations

from game.fight.history import Past
from game.fight.match import Match
from game.fight.seats import Seat, Seats, heroes_of
from game.fight.viewing import View, each_side, fogged, listed_view
from rules.contract.actions import Decision
from rules.contract.events import Chance
from rules.contract.text import text


class Seating:
    """`at` is the seat whose player looks at the screen, `due` the one to whom it must be handed over first."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.seats = Seats(match.record)
        self.hides = fogged(match)
        self.all_seen = False
        playing = (seat for seat in self.seats.seats if self.seats.sides(seat))
        self.at = self.answering or next(playing, self.seats.seats[0])
        self.due: Seat | None = self.at if self.secrets else None
        self.held_from: Seat | None = None
        """Whose screen the game master has taken out of turn; None: nobody's."""
        self.opened = self.due is None
        """Whether anybody has been let look yet."""
        self._left: dict[int, int] = {}
        """Number of a seat -> commands given when its player last left the screen."""
        self._counted: tuple[object, int] = (None, 0)
        """The moment at which the chances were counted, and how many there were."""
        self._spent: dict[tuple[str, int], float] = {}
        """A chance, by who has it and its number -> seconds that it took so far."""

    @property
    def answering(self) -> Seat | None:
        """Who is to decide now; None: the computer, or nobody any more."""
        decision = self.match.decision
        return self.seats.answering(decision) if decision is not None else None

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

    def views_of_past(self) -> list[View]:
        """Whose view of what happened may be shown, their own first: in fog, all only to who may see all."""
        everything = View("Everything", None)
        if not self.hides:
            return [everything]
        own, sides = self.seats.sides(self.at), each_side(self.match)
        if not own or self.all_seen:
            return [everything, *sides]
        open_all = self.may_see_all or self.match.decision is None
        others = [everything, *(view for view in sides if view.sides != own)] if open_all else []
        return [View(listed_view(own), own), *others]

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
    def may_switch(self) -> bool:
        """Whether there is anything to switch about the game master's view: open, close, take or hand on."""
        return self.held_from is not None or self.may_take or self.may_see_all

    @property
    def may_take(self) -> bool:
        """Whether the game master's player sits elsewhere and may take the screen."""
        return self.secrets and self.seats.master is not None and self.at != self.seats.master

    @property
    def open_book(self) -> bool:
        """Whether whoever looks may see all that the record holds: its other lines, its odds."""
        return self.views() is None

    @property
    def awaited(self) -> Seat | None:
        """Who is to decide as soon as the game master hands the screen on; None: nobody waits for that."""
        return self.answering if self.held_from is not None and self.answering != self.at else None

    @property
    def against_heroes(self) -> bool:
        """Whether whoever looks, or is to look next, plays against the heroes and may not know what they know."""
        if not self.secrets or self.match.decision is None:
            return False
        own = set(heroes_of(self.match.record))
        seats = [seat for seat in (self.at, self.due) if seat is not None and seat != self.seats.master]
        return any(theirs and not own <= {*theirs} for theirs in map(self.seats.sides, seats))

    # -- coming and going

    def asked(self, decision: Decision | None) -> bool:
        """Whether a decision is for whoever looks; if it is another's, the screen will be handed over."""
        seat = self.seats.answering(decision) if decision is not None else None
        if seat is None:
            return False
        if self.opened and seat == self.at:
            self.due = None
        elif self.held_from is not None:
            return False
        elif self.due is not None or (seat != self.at and self.hides and self.seats.keeps_secrets(self.at, seat)):
            self.due = seat
            return False
        if seat != self.at:
            self._left[self.at.number] = self.match.history.length
            self.at = seat
        return True

    def sit(self, seat: Seat, *, all_seen: bool = False) -> bool:
        """The player of a seat is at the screen from now on; whether there is anything that they may have missed."""
        began = seat.number in self._left or self.match.history.length > 0
        self._left[self.at.number] = self.match.history.length
        self.at, self.due, self.all_seen, self.opened = seat, None, all_seen, True
        return began

    @property
    def since(self) -> int:
        """How many commands had been given when whoever looks now last left the screen."""
        return min(self._left.get(self.at.number, 0), self.match.history.length)

    # -- taking back

    def may_take_back(self, to: int) -> bool:
        """Whether going back to `to` commands takes back only decisions of the sides of whoever looks.

        Whoever sees everything, as the game master does, may take back anything.
        """
        if not self.secrets or self.open_book:
            return True
        return self.match.history.moments[to + 1].side in self.seats.sides(self.at)

    def told(self, past: Past) -> str:
        """What taking back would take back; what nobody may count is left out."""
        return past.told() if self.views() is None else text("everything, back to before {before}", past.before)

    # -- the clock

    @property
    def chance(self) -> tuple[str, int] | None:
        """The chance whose clock there is: who has it, and how many were offered so far."""
        decision = self.match.decision
        ticks = self.match.record.chance_seconds is not None and self.due is None and self.answering is not None
        return (decision.by, self._offered()) if ticks and decision is not None and decision.kind == "chance" else None

    def _offered(self) -> int:
        """How many chances were offered so far."""
        moment = self.match.history.moments[-1]
        if self._counted[0] is not moment:
            self._counted = (moment, sum(isinstance(event, Chance) for event in self.match.events))
        return self._counted[1]

    def spend(self, chance: tuple[str, int], seconds: float) -> bool:
        """So many seconds of a chance have passed; whether its time is up."""
        spent = self._spent[chance] = self._spent.get(chance, 0.0) + seconds
        return spent >= (self.match.record.chance_seconds or 0)

    @property
    def seconds(self) -> float | None:
        """Seconds left of the chance; None without a clock."""
        chance = self.chance
        whole = self.match.record.chance_seconds
        return None if chance is None or whole is None else max(0.0, whole - self._spent.get(chance, 0.0))

    def clock(self) -> str:
        """`0:42`; empty without a clock."""
        whole = int((self.seconds or 0.0) + 0.999)
        return f"{whole // 60}:{whole % 60:02}" if self.seconds is not None else ""

"""Who may reach in as the game master, what there is to be done with what is pointed at, and the commands that come of
it. Menus are in `menu.py`, dialogs in `panels.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from game.fight.seats import GAME_MASTER as SEAT
from game.scenes.fight.deeds import Deeds
from game.scenes.fight.model import FightModel
from game.scenes.fight.plan import in_words
from rules.contract.actions import Action
from rules.contract.hand import GAME_MASTER, Deed, Hand
from rules.contract.text import text, titled
from rules.contract.units import Cell


def why_not(fight: FightModel) -> str:
    """Why whoever looks may not reach in; empty where they may: the game master's seat, or anybody where nobody has
    secrets, and who sees everything as it is."""
    seating = fight.seating
    if fight.ruleset.hand is None:
        return text("{title} knows no game master's hand.", fight.ruleset.title)
    if fight.match.decision is None:
        return "It is over: take something back to go on."
    if seating.due is not None or (seating.secrets and SEAT not in seating.at.plays):
        return "Only the seat that plays the game master may reach in."
    return "" if seating.open_book else "Open the game master's view first: whoever reaches in sees everything."


class Reaching:
    """What the game master does with the mouse and the keys; `waiting` is what the next space pointed at is for."""

    def __init__(self, fight: FightModel, deeds: Deeds) -> None:
        self.fight, self.deeds = fight, deeds
        self.waiting: Callable[[Cell], None] | None = None

    @property
    def hand(self) -> Hand:
        """The ruleset's own."""
        found: Hand = self.fight.ruleset.hand
        return found

    # -- giving commands

    def refusal(self, action: Action) -> str | None:
        """Why a command makes no sense now."""
        return self.hand.refusal(self.fight.match.state, action)

    def order(self, deed: Deed, target: str | None = None, **needs: object) -> bool:
        """Give a command; a toast says why not."""
        return self.give(Action(GAME_MASTER, deed.value, target=target, **needs))  # type: ignore[arg-type]

    def give(self, action: Action) -> bool:
        """Give a command that is whole; a toast says why it can't be."""
        fight, decision = self.fight, self.fight.match.decision
        why = why_not(fight) or self.refusal(action)
        if why or decision is None:
            fight.toast(plainly(fight, why or ""))
            return False
        done = self.deeds.answer(decision, action)
        told = [event for event in fight.match.events[fight.match.history.moments[-2].events :] if event.hand]
        for event in told if done else ():
            if event.seen_by == (GAME_MASTER,) and (words := fight.ruleset.tell(fight.match.state, event)):
                fight.toast(words)  # whoever threw must learn it, wherever the log is
        return done

    # -- pointing

    def point(self, what: str, then: Callable[[Cell], None]) -> None:
        """The next space that is clicked, or taken with Enter, is for this."""
        self.waiting = then
        self.fight.toast(what)

    def take(self, cell: Cell | None) -> bool:
        """A space was pointed at; False where nothing waits for one."""
        if self.waiting is None or cell is None:
            return False
        then, self.waiting = self.waiting, None
        then(cell)
        return True

    def leave(self) -> bool:
        """Nothing waits for a space any more; False where nothing did."""
        waited, self.waiting = self.waiting is not None, None
        if waited:
            self.fight.toast("Left as it was.")
        return waited

    def put(self, who: str, cell: Cell) -> None:
        """Somebody is put on a space; who has fallen or gone and can't be put there is raised."""
        self.order(Deed.MOVE, who, at=cell)


def plainly(fight: FightModel, why: str) -> str:
    """A refusal as the window says it: without the names of the command's fields."""
    words = in_words(why, field=fight.match.field)
    for _ in range(2):
        head, colon, rest = words.partition(": ")
        if colon and head in _FIELDS:
            words = rest
    return titled(words)


_FIELDS = {*(deed.value for deed in Deed), "target", "option", "rating", "at", "creature", "item"}

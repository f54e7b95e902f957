"""People at a shared table: a book of the fight as one side knows it, and hands that fill in fields and take turns."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from game.fight.advice import Counsel
from game.fight.match import Match
from game.fight.seats import Seats
from game.fight.viewing import Eyes
from game.scenes.fight.plan import Plan
from rules.contract.actions import Action
from rules.core import record as records
from tests.e2e.hands import Hand, Keyboard, Mouse, Table
from tests.e2e.real_table import HANDS, MARKS, SIZES, laid
from tests.e2e.screen import ending

__all__ = ["HANDS", "SIZES"]

Opened = Callable[..., Table]


def marks() -> list[pytest.MarkDecorator]:
    """What all tests of real tables are marked with."""
    return [*MARKS, pytest.mark.timeout(600)]


@pytest.fixture
def opened(display: str, tmp_path: Path) -> Iterator[Opened]:
    """Opens a window, at its title or at a record; with animations off unless settings say otherwise."""
    with ending(partial(laid, display, tmp_path, end_by_itself=False, offer_lesson=False)) as start:
        yield start


def closed(table: Table) -> None:
    """The window closes as it should, and nothing went wrong meanwhile."""
    assert table.leave() == 0, table.said()
    assert "Traceback" not in table.said()


def words(status: dict[str, Any]) -> str:
    """Every word on the topmost panels, a line each."""
    return "\n".join(status["words"])


def shot(table: Table, name: str) -> None:
    """Keeps a picture of the window in the folder SHOTS, if there is one."""
    folder = os.environ.get("SHOTS")
    if folder:
        table.await_("the board to rest", lambda s: s["scene"] != "fight" or not s["fight"]["gliding"])
        _, high = table.now()["size"]
        Path(folder).mkdir(parents=True, exist_ok=True)
        table.picture(Path(folder) / f"{name}-{high}.png")


def fill(table: Table, hand: Hand, key: str, text: str) -> None:
    """Write a text into a field in place of what stands there."""

    def field() -> dict[str, Any]:
        return next(w for w in table.now()["widgets"] if w["key"] == key)

    if isinstance(hand, Mouse):
        left, top, wide, high = field()["seen"]
        hand.click(left + wide - 4, top + high // 2)
    else:
        reach(table, hand, key)
    table.await_(f"the field {key} to have the keys", lambda s: field()["focused"])
    table.tool("key", "--clearmodifiers", "ctrl+a", "BackSpace")
    table.tool("type", "--delay", "12", text)
    try:
        table.await_(f"{text!r} in {key}", lambda s: field()["value"] == text, 20)
    except AssertionError:
        raise AssertionError(f"{key} holds {field()['value']!r} where {text!r} was typed") from None


def reach(table: Table, hand: Hand, key: str) -> None:
    """Bring the focus to a widget by Tab."""
    assert isinstance(hand, Keyboard)
    for _ in range(80):
        if any(w["focused"] and key in (w["key"], w["label"]) for w in table.now()["widgets"]):
            return
        hand.type("Tab")
    raise AssertionError(f"Tab does not come to {key!r}")


def choose(table: Table, hand: Hand, key: str, value: str, label: str) -> None:
    """Bring a choice to a value: by its list, or by the Right key."""

    def now() -> object:
        return next((w["value"] for w in table.now()["widgets"] if w["key"] == key), None)

    table.await_(f"the choice {key}", lambda s: any(w["key"] == key for w in s["widgets"]))
    if isinstance(hand, Mouse):
        scene = table.now()["scene"]
        hand.press(key)
        table.await_("the list", lambda s: s["scene"] == "menu")
        shot(table, f"list of {key}")
        hand.press(label)
        table.await_("the list to be gone", lambda s: s["scene"] == scene)
        assert now() == value
        return
    reach(table, hand, key)
    for _ in range(12):
        if now() == value:
            return
        hand.type("Right")
    raise AssertionError(f"{key} never came to {value}")


class Book:
    """What a watcher knows who has seen the whole fight: the match so far, and what the seat at the screen may know."""

    def __init__(self, table: Table, hand: Hand) -> None:
        self.table, self.hand = table, hand
        self.match: Match | None = None
        self._fight = 0

    def follow(self, fight: dict[str, Any]) -> Match:
        """Brought up to what the window's record holds."""
        known = len(self.match.record.commands) if self.match is not None else 0
        if self.match is None or self._fight != fight["id"] or known > len(fight["commands"]):
            start = {**fight["start"], "branches": [], "rewinds": [], "throws": None}
            self.match, self._fight = Match.from_record(start), fight["id"]
            known = 0
        for number, command in enumerate(fight["commands"][known:], known):
            decision = self.match.decision
            assert decision is not None
            action = records.action_of(records.Command.model_validate(command), self.match.field, number)
            self.match.act(decision, action, fight["table"]["throws"])
        return self.match

    def decision(self) -> tuple[Match, Plan]:
        """Wait for a decision of whoever sits at the screen; the plan as they know it."""
        fight = self.table.await_("a decision", lambda s: s["scene"] == "fight" and s["fight"]["asked"] and s["fight"])
        fight = self.table.await_("the camera to rest", lambda s: not s["fight"]["gliding"] and s["fight"])
        match = self.follow(fight)
        decision = match.decision
        assert decision is not None
        eyes = Eyes(match, self.views(fight, match))
        state = eyes.state()
        legal = match.ruleset.legal(state, decision)
        return match, Plan(
            match.ruleset, state, decision, legal, board=eyes.board(), field=match.field, known=eyes.known()
        )

    def views(self, fight: dict[str, Any], match: Match) -> tuple[str, ...] | None:
        """The sides whose knowledge is shown; None where all is."""
        if fight["table"]["now"] is None:
            return None
        seats = Seats(match.record)
        return seats.sides(next(s for s in seats.seats if s.name == fight["table"]["at"]))

    def counselled(self) -> Action:
        """What the computer would do at the decision of whoever sits at the screen, as far as a hand can point there.

        The computer may walk where nobody has looked; a hand goes as far as the ground is known, else ends the chance.
        """
        match, plan = self.decision()
        action = Counsel(match).advise(plan.decision)
        known = next((n for n, cell in enumerate(action.path) if not plan.known >> cell & 1), None)
        if known is None:
            return action
        for length in range(known, 0, -1):
            part = replace(action, path=action.path[:length])
            if part in plan.legal:
                return part
        return next(o for o in plan.offers if o.description.group == "End").actions[0]

    def does(self, wanted: Callable[[Action], bool]) -> Action:
        """Do the first legal thing of a kind, and wait until it is done."""
        match, plan = self.decision()
        action = next(a for offer in plan.offers for a in offer.actions if wanted(a))
        before = len(match.record.commands)
        self.hand.perform(plan, action)
        self.table.await_(f"{action} to be done", lambda s: len(s["fight"]["commands"]) > before)
        return action

    def ends(self) -> None:
        """End the chance that is open."""
        match, plan = self.decision()
        before = len(match.record.commands)
        end = next(o for o in plan.offers if o.description.group == "End")
        self.hand.press_offer(plan, end)
        self.table.await_("the chance to end", lambda s: len(s["fight"]["commands"]) > before)


def leaks(status: dict[str, Any], match: Match) -> list[str]:
    """What is on screen that the seat at it may not know: miniatures, places in the order, names."""
    table, seats = status["fight"]["table"], Seats(match.record)
    seat = next(s for s in seats.seats if s.name == table["at"])
    sides = seats.sides(seat)
    rules, found = match.ruleset, []
    moments = [m.state for m in match.history.moments]
    known = {(m.id, m.cell) for s in moments for m in rules.board(rules.observe(s, *sides)).miniatures}
    names = {str(c["id"]): str(c["name"]) for c in match.record.creatures}
    met = {names.get(name, name) for name, _ in known}
    for event in match.events:
        if not event.seen_by or set(event.seen_by) & set(sides):
            met |= {names.get(str(getattr(event, word, "")), "") for word in ("by", "target")}
    found += [f"{name} at {cell}" for name, cell in table["minis"].items() if (name, cell) not in known]
    found += [f"{name} in the order" for name in table["order"] if name not in {n for n, _ in known}]
    strangers = set(names.values()) - met
    if status["scene"] == "handover":
        strangers = set(names.values())
    spoken = [*status["words"], status["fight"]["toast"] if status["scene"] == "fight" else ""]
    found += [f"{text!r}" for text in spoken for stranger in strangers if stranger in text]
    return found

"""A table of two seats under fog of war, and somebody who watches whatever is drawn for what it may not show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pygame

from game.app.loop import App
from game.app.settings import Settings
from game.fight.seats import Seat
from game.scenes.fight.deeds import DiceDialog
from game.scenes.fight.ending import Summary
from game.scenes.fight.hotseat import Handover, Recap
from game.scenes.fight.scene import Fight
from rules.contract.display import Board
from rules.contract.events import Event
from rules.contract.ruleset import State
from tests.game.player import Player

ROWS = [
    "################",
    "#......#.......#",
    "#......#.......#",
    "#......#.......#",
    "#..............#",
    "#......#.......#",
    "################",
]


def being(name: str, side: str, at: tuple[int, int], **more: Any) -> dict[str, Any]:
    return {
        "id": name.lower(), "name": name, "side": side, "at": list(at), "controller": "human", "brawn": 5, "finesse": 6,
        "savvy": 5, "nerve": 4, "size": "medium", "skills": {"Swords": "Journeyman"}, "weapons": ["broadsword"], **more,
    }  # fmt: skip


def table(**more: Any) -> dict[str, Any]:
    """Ann's heroes on the left, Ben's beasts behind a wall on the right, with a gap at its foot."""
    return {
        "format": "battlemat/1", "ruleset": "olde", "options": {"fog": True}, "map": {"rows": ROWS}, "seed": 11,
        "seats": [{"name": "Ann", "colour": 0, "plays": ["heroes"]}, {"name": "Ben", "colour": 1, "plays": ["beasts"]}],
        "creatures": [
            being("Ada", "heroes", (1, 1)), being("Bruno", "heroes", (1, 2)),
            being("Zugg", "beasts", (13, 1)), being("Yark", "beasts", (13, 2)),
        ],
        "commands": [], **more,
    }  # fmt: skip


def app_at(size: tuple[int, int] = (1280, 720), **settings: Any) -> Player:
    """An app at its title."""
    app = App(size, settings=Settings(**{"speed": 0, "autosave": False, "live_forecast": False, **settings}))
    pygame.event.clear()
    app.navigator.title()
    return Player(app)


def seated(player: Player, record: dict[str, Any]) -> Fight:
    """A fight begun, its first seat at the screen."""
    player.app.navigator.begin(record)
    while isinstance(player.app.top, DiceDialog):  # the opening's dice are the seed's
        player.key(pygame.K_t, text="t")
    fight = next(scene for scene in player.app.scenes if isinstance(scene, Fight))
    let_in(player)
    return fight


def let_in(player: Player) -> None:
    """Answer the handover and the recap, if they are there."""
    for _ in range(4):
        if isinstance(player.app.top, (Handover, Recap)):
            player.key(pygame.K_RETURN)


def texts(fight: Fight) -> Iterator[str]:
    """Every word that the panels of a fight hold, tooltips included."""
    for panel, _ in fight.ui.layers:
        for widget in panel.walk():
            for name in ("text", "label", "cost", "name"):
                found = getattr(widget, name, "")
                yield found() if callable(found) else str(found)
            if widget.tip is not None:
                yield f"{widget.tip.title} {widget.tip.text}"
    yield fight.toast_text
    for entry in fight.telling.story.entries:
        yield " ".join(getattr(piece, "text", "") for piece in entry.pieces)


class Watcher:
    """Holds every frame, and all that is given to the view, against what the seat at the screen may know.

    What that is it works out by itself, from the states of the fight and `observe`.
    """

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self.frames = self.plays = 0
        self.met: dict[int, set[str]] = {}
        """Seat -> names of creatures that its side has ever seen or been told of."""
        self._boards: dict[tuple[int, tuple[str, ...]], tuple[State, Board]] = {}
        """(a state's identity, sides) -> the state, kept so that its identity stays its own, and its board."""
        view, board_view = fight.view.play, fight.view.set_board

        def play(events: Any, before: Board, after: Board, reached: Any = None) -> None:
            self.plays += 1
            self._events(events)
            self._board(before, "before")
            self._board(after, "after")
            view(events, before, after, reached)

        def set_board(board: Board) -> None:
            self._board(board, "set")
            board_view(board)

        fight.view.play, fight.view.set_board = play, set_board  # type: ignore[method-assign, assignment]

    def sides(self, seat: Seat) -> tuple[str, ...]:
        return self.fight.seating.seats.sides(seat)

    def _allowed(self, seat: Seat) -> list[Board]:
        """The boards that the seat knew, those of the past included: what is shown may lag behind."""
        sides, moments = self.sides(seat), self.fight.match.history.moments
        return [self._once(m.state, sides) for m in moments[-60:]]

    def _once(self, state: State, sides: tuple[str, ...]) -> Board:
        """What these sides know of a state; each is asked for after every command, for long."""
        known = self._boards.get((id(state), sides))
        if known is None:
            rules = self.fight.ruleset
            known = self._boards[id(state), sides] = (state, rules.board(rules.observe(state, *sides)))
        return known[1]

    def _events(self, events: list[Event]) -> None:
        own = self.sides(self.fight.seating.at)
        for event in events:
            assert not event.seen_by or set(event.seen_by) & set(own), f"{event} was shown to {own}"

    def _board(self, board: Board, what: str) -> None:
        seat = self.fight.seating.at
        known = {(m.id, m.cell) for other in self._allowed(seat) for m in other.miniatures}
        for mini in board.miniatures:
            assert (mini.id, mini.cell) in known, f"{what}: {seat.name} sees {mini.id} at {mini.cell}"
        assert {turn.id for turn in board.order} <= {mini.id for mini in board.miniatures}

    def frame(self) -> None:
        """Look at what is drawn now."""
        fight, app = self.fight, self.fight.app
        seat, rules = fight.seating.at, fight.ruleset
        assert isinstance(app, App)
        app.draw()
        if isinstance(app.top, Handover) or fight not in app.scenes:
            return
        self.frames += 1
        sides = self.sides(seat)
        now = rules.observe(fight.match.state, *sides)
        assert fight.shown == now
        assert fight.board.miniatures == rules.board(now).miniatures
        assert fight.eyes.sight() == fight.view.ground.veil.sight
        for board in (fight.board, fight.told_board, fight.view.board, fight.plan and fight.plan.board):
            if board:
                self._board(board, "shown")
        if fight.plan is not None:
            assert fight.plan.state == now
            assert fight.plan.decision.side in sides
        seen = fight.eyes.sight()
        assert seen is not None
        marks = [
            *fight.pointed.path,
            *(cell for plan in (fight.plan,) if plan for o in plan.offers for cell in plan.moves(o)),
        ]
        assert all(seen.ever >> cell & 1 for cell in marks)
        met = self.met.setdefault(seat.number, set())
        met |= {mini.name for mini in fight.board.miniatures}
        for event in fight.match.events:
            if not event.seen_by or set(event.seen_by) & set(sides):
                met |= {self._name(str(getattr(event, word, ""))) for word in ("by", "target")}
        strangers = {str(c["name"]) for c in fight.match.record.creatures} - met
        for text in texts(fight):
            for stranger in strangers:
                assert stranger not in text, f"{seat.name} reads {text!r}"

    def _name(self, identity: str) -> str:
        return next((str(c["name"]) for c in self.fight.match.record.creatures if c["id"] == identity), "")


def over(fight: Fight) -> bool:
    return fight.match.decision is None or isinstance(fight.app.top, Summary)

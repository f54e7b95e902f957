"""The players' window under watch: whatever is given to it and drawn in it is held against what the heroes may know."""

from __future__ import annotations

from typing import Any

import pygame

from game.app.loop import App
from game.fight.seats import heroes_of
from game.scenes.fight.scene import Fight
from game.scenes.players.table import Curtain, PlayersTable
from game.view.ground.lights import UNKNOWN
from rules.contract.display import Board
from tests.game.player import Player

SHIFTED = pygame.KMOD_LCTRL | pygame.KMOD_LSHIFT


def opened(player: Player) -> PlayersTable:
    """The players' window, opened by its key."""
    player.key(pygame.K_p, SHIFTED)
    assert isinstance(player.app, App)
    found = player.app.second.table
    assert found is not None
    return found


def picture(shown: PlayersTable) -> pygame.Surface:
    """What is drawn in it now."""
    surface = pygame.Surface(shown.size)
    shown.draw(surface)
    return surface


def seen_in(shown: PlayersTable) -> set[tuple[str, int]]:
    """Who is on its board, and where."""
    assert shown.view is not None and shown.view.board is not None
    return {(mini.id, mini.cell) for mini in shown.view.board.miniatures}


class PlayersWatcher:
    """Works out by itself, from the states of the fight and `observe`, what the heroes may know of it."""

    def __init__(self, fight: Fight, shown: PlayersTable) -> None:
        self.fight, self.shown = fight, shown
        self.sides = heroes_of(fight.match.record)
        self.frames = self.plays = self.covered = self.dark = 0
        self._known: dict[int, tuple[Any, set[tuple[str, int]]]] = {}
        view = shown.view
        assert view is not None
        view.animator.shows_dice = False  # their tray may lie over the dark
        play, set_board = view.play, view.set_board

        def played(events: Any, before: Board, after: Board, *more: Any) -> None:
            self.plays += 1
            for event in events:
                assert not event.seen_by or set(event.seen_by) & set(self.sides), f"{event} was shown"
            self._board(before)
            self._board(after)
            play(events, before, after, *more)

        def put(board: Board) -> None:
            self._board(board)
            set_board(board)

        view.play, view.set_board = played, put  # type: ignore[method-assign,assignment]

    def _board(self, board: Board) -> None:
        """Nobody stands where the heroes never knew them to."""
        known: set[tuple[str, int]] = set()
        for moment in self.fight.match.history.moments[-40:]:
            if id(moment.state) not in self._known:
                rules = self.fight.ruleset
                minis = rules.board(rules.observe(moment.state, *self.sides)).miniatures
                self._known[id(moment.state)] = moment.state, {(mini.id, mini.cell) for mini in minis}
            known |= self._known[id(moment.state)][1]
        assert {(mini.id, mini.cell) for mini in board.miniatures} <= known
        assert {turn.id for turn in board.order} <= {mini.id for mini in board.miniatures}
        assert all(plan.open or plan.id in {mini.id for mini in board.miniatures} for plan in board.plans)

    def frame(self) -> None:
        """Look at what is drawn now: nothing while it is covered, and black wherever no hero has ever looked."""
        shown, match = self.shown, self.fight.match
        self.frames += 1
        surface = picture(shown)
        if self.fight.seating.against_heroes:
            assert shown.curtain is Curtain.COVERED
        if shown.curtain is not Curtain.NONE:
            self.covered += 1
            other = PlayersTable(shown.settings, shown.size)
            other.curtain = shown.curtain
            assert pygame.image.tobytes(surface, "RGB") == pygame.image.tobytes(picture(other), "RGB")
            return
        view = shown.view
        assert view is not None and view.board is not None
        ever, field = 0, match.field
        for moment in match.history.moments:
            for side in self.sides:
                ever |= self.fight.ruleset.sees(moment.state, side)
        assert view.ground.veil.sight is not None and view.ground.veil.sight.ever == ever
        top = round(shown.across[1] * 0.12)
        for cell in field.cells:
            column, row = field.at(cell)
            around = [(column + x, row + y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
            if any(field.inside(*spot) and ever >> field.cell(*spot) & 1 for spot in around):
                continue
            spot = view.camera.space_rect(cell).center
            if view.camera.shows(cell) and surface.get_rect().collidepoint(spot) and spot[1] > top:
                self.dark += 1
                assert surface.get_at(spot)[:3] == UNKNOWN[:3], f"{(column, row)} is not dark"


def move_strangers(record: dict[str, Any], spots: dict[str, tuple[int, int]]) -> dict[str, Any]:
    """The same record with some creatures elsewhere."""
    creatures = [{**c, "at": list(spots.get(c["id"], c["at"]))} for c in record["creatures"]]
    return {**record, "creatures": creatures}

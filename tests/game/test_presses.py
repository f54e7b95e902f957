"""Keys held down: what slowness piles up of their repeats is not answered."""

from __future__ import annotations

import pygame

from game.app.loop import Presses
from game.app.window import WAKE
from game.scenes.base import Scene
from tests.game.hotseat_table import app_at

A, B = pygame.K_a, pygame.K_b


def down(key: int) -> pygame.event.Event:
    return pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode="", scancode=0)


def up(key: int) -> pygame.event.Event:
    return pygame.event.Event(pygame.KEYUP, key=key, mod=0, unicode="", scancode=0)


def test_repeats_that_piled_up_are_one() -> None:
    presses = Presses()
    presses.note(down(A))
    events = [down(A), down(A), down(A)]
    assert presses.steadied(events) == events[2:]


def test_a_key_let_go_meanwhile_repeats_no_more() -> None:
    presses = Presses()
    presses.note(down(A))
    assert presses.steadied([down(A), down(A), up(A)]) == [up(A)]
    fresh = Presses()
    assert fresh.steadied([down(A), down(A), up(A)]) == [down(A), up(A)], "the press itself counts"


def test_quick_presses_are_all_answered_in_their_order() -> None:
    events = [down(A), up(A), down(B), down(A), up(B), up(A), down(A), up(A)]
    assert Presses().steadied(events) == events


def test_what_is_pressed_while_a_screen_takes_long_to_come_does_not_go_to_it() -> None:
    player = app_at()
    app, clicked = player.app, list[int]()

    class Slow(Scene):
        name = "slow"

        def handle(self, event: pygame.event.Event) -> bool:
            clicked.append(event.type)
            return True

    ticks = iter(range(1000))
    app.clock = lambda: float(next(ticks))  # a second goes by at every look at the clock
    pygame.event.clear()
    pygame.event.post(pygame.event.Event(WAKE, call=lambda: app.push(Slow(app))))
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        pygame.event.post(pygame.event.Event(kind, pos=(5, 5), button=1))
    app._turn()
    assert pygame.MOUSEBUTTONDOWN not in clicked and pygame.MOUSEBUTTONUP not in clicked

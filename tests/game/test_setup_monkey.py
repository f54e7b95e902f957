"""Whatever is pressed, clicked and dragged in whatever order: the table stands, and all of it can be undone."""

from __future__ import annotations

import random

import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings, settings_path
from game.content import encounter
from game.scenes.setup import Setup, operations
from game.setup import files

KEYS = [
    pygame.K_RETURN, pygame.K_TAB, pygame.K_UP, pygame.K_DOWN, pygame.K_LEFT, pygame.K_RIGHT, pygame.K_DELETE,
    pygame.K_BACKSPACE, pygame.K_SPACE, pygame.K_ESCAPE, pygame.K_F6, pygame.K_F8, pygame.K_HOME, pygame.K_END,
    *map(ord, "acdtvxyz/0123456789+-"),
]  # fmt: skip
MODIFIERS = [0, 0, 0, pygame.KMOD_LCTRL, pygame.KMOD_LSHIFT]
LEAVING = ("bar Menu", "play", "forecast")


def event(lot: random.Random, at: tuple[int, int]) -> list[pygame.event.Event]:
    """Something that a hand might do, the pointer being at a pixel."""
    kind = lot.random()
    if kind < 0.45:
        key, mod = lot.choice(KEYS), lot.choice(MODIFIERS)
        if mod == pygame.KMOD_LCTRL and key == pygame.K_RETURN:
            return []  # plays at once
        typed = chr(key) if 32 <= key < 127 and not mod & pygame.KMOD_CTRL else ""
        return [
            pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode=typed, scancode=0),
            pygame.event.Event(pygame.KEYUP, key=key, mod=0, unicode="", scancode=0),
        ]
    if kind < 0.95:
        what = pygame.MOUSEBUTTONDOWN if kind < 0.7 else pygame.MOUSEBUTTONUP
        return [
            pygame.event.Event(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(0, 0, 0)),
            pygame.event.Event(what, pos=at, button=lot.choice([1, 1, 1, 3])),
        ]
    return [pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=lot.choice([-1, 1]), flipped=False)]


@pytest.mark.parametrize(("seed", "ruleset"), [(1, "olde"), (2, "cairn")])
def test_whatever_is_done_the_table_stands(seed: int, ruleset: str) -> None:
    lot = random.Random(seed)
    app = App((1280, 720), settings=Settings(speed=0, autosave=False, live_forecast=False))
    app.navigator.title()
    table = Setup(app, files.new_draft(encounter.playable_maps()[0], ruleset, 7)[0])
    app.push(table)
    operations.party(table)
    for number in range(500):
        at = (lot.randrange(1280), lot.randrange(720))
        over = table.ui.hover
        if over is not None and over.key in LEAVING:
            continue
        for each in event(lot, at):
            app.handle(each)
        if number % 10 == 0:
            app.tick(0.1)
            app.draw()
        while app.top is not table and table in app.scenes and lot.random() < 0.3:
            app.pop()
        if table not in app.scenes:  # left by the menu or for another map's table
            app.replace(table)
    editor = table.editor
    ids = [piece.id for piece in editor.draft.pieces]
    assert all(each.text for each in editor.problems()) and (len(ids) == len(set(ids)) or editor.problems())
    while editor.undo():
        editor.problems()
    assert not editor.undoes and editor.redoes
    app.quit()
    for left in (files.draft_path(), settings_path(), *files.encounters()):
        left.unlink(missing_ok=True)

"""The fight's panels at every size of window and text: nothing overlaps, nothing is cut, who acts is in the open."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.content import encounter
from game.scenes.choose.scene import Verdict
from game.scenes.fight.scene import Fight
from game.view.camera import FARTHEST
from game.widgets.controls import Button
from game.widgets.core import Scroll, Widget
from game.widgets.timeline import Timeline
from rules.core.registry import RULESETS
from tests.game.player import Player, arena, fight_of

WINDOWS = [
    ((1280, 720), 75), ((1280, 720), 100), ((1280, 720), 150), ((1280, 720), 200),
    ((640, 400), 75), ((640, 400), 100), ((1920, 1080), 100), ((1920, 1080), 200),
]  # fmt: skip


def opened(size: tuple[int, int], scale: int, **record: Any) -> Fight:
    app = App(size, settings=Settings(speed=0, autosave=False, scale=scale))
    pygame.event.clear()
    app.navigator.title()
    fight = fight_of(Player(app), arena(**record) if record else None)
    fight.view.skip()
    return fight


def inside(widget: Widget) -> list[Widget]:
    """All widgets in a panel that are not scrolled."""
    if isinstance(widget, Scroll):
        return [widget]
    return [widget, *(found for child in widget.children() for found in inside(child))]


def offer_buttons(fight: Fight) -> list[Button]:
    """The buttons of what may be done, on the bar and behind More."""
    widgets = (w for panel in fight.ui.live() for w in panel.walk())
    return [w for w in widgets if isinstance(w, Button) and w.key.startswith("offer ")]


@pytest.mark.parametrize(("size", "scale"), WINDOWS)
def test_panels_share_the_window_without_overlap_and_nothing_is_cut(size: tuple[int, int], scale: int) -> None:
    fight = opened(size, scale)
    look = fight.app.look
    assert look.scale >= scale / 100
    window = pygame.Rect((0, 0), size)
    assert all(window.contains(rect) for rect in fight.under_panels)
    assert not [(a, b) for a, b in combinations(fight.under_panels, 2) if a.colliderect(b)]
    for panel in fight.ui.live():
        for widget in inside(panel):
            assert panel.rect.contains(widget.rect)
            if isinstance(widget, Button):
                assert widget.rect.width >= widget.measure(look, 10_000)[0], widget.label


@pytest.mark.parametrize(("size", "scale"), WINDOWS)
def test_whoever_acts_and_its_target_stand_in_the_open(size: tuple[int, int], scale: int) -> None:
    for at in ((2, 1), (8, 4), (4, 4)):
        fight = opened(size, scale, gob_at=at)
        fight.camera.pan(-3000, -3000)
        fight.show_actor()
        fight.camera.arrive()
        names = {"ada", *(fight.plan.targets() if fight.plan else ())}
        for mini in fight.board.miniatures:
            if mini.id in names:
                space = fight.camera.space_rect(mini.cell)
                assert fight.camera.free.contains(space)
                assert space.collidelist(fight.under_panels) < 0


@pytest.mark.parametrize(("size", "scale"), WINDOWS)
def test_the_maps_last_row_can_be_scrolled_above_the_bar_and_its_first_below_the_order(
    size: tuple[int, int], scale: int
) -> None:
    fight = opened(size, scale)
    last = fight.match.field.width * fight.match.field.height - 1
    fight.camera.pan(0, -5000)
    assert fight.camera.space_rect(last).bottom <= fight.camera.free.bottom
    fight.camera.pan(0, 5000)
    assert fight.camera.space_rect(0).top >= fight.camera.free.top


def test_in_a_tight_window_sheet_and_log_unfold_over_the_board_and_fold_again() -> None:
    fight = opened((1280, 720), 200)
    assert fight.tight and not fight.log_open
    free = fight.camera.free
    fight.fold_log()
    fight.settle()
    fight.do("fold_sheet")
    fight.settle()
    assert fight.log_open
    assert fight.camera.free.height >= free.height - 2
    assert not [(a, b) for a, b in combinations(fight.under_panels, 2) if a.colliderect(b)]
    fight.fold_log()
    fight.settle()
    fight.do("fold_sheet")
    fight.settle()
    assert fight.camera.free == free
    assert fight.app.settings.log_open  # what was wished for large windows stays


def test_every_offer_is_on_the_bar_or_behind_more() -> None:
    for size, scale in WINDOWS:
        fight = opened(size, scale)
        assert fight.plan is not None
        shown = [w.label for w in offer_buttons(fight)]
        if more := next((w for p in fight.ui.live() for w in p.walk() if w.key == "more"), None):
            assert isinstance(more, Button)
            more.press()
            shown = [w.label for w in offer_buttons(fight)]
        assert sorted(shown) == sorted(o.description.label for o in fight.plan.offers)


SIZES = [(size, scale) for size in ((1024, 600), (1280, 720), (1920, 1080)) for scale in (75, 100, 150, 200)]


def framed(fight: Fight, names: set[str]) -> list[str]:
    """Who of these is covered by a panel, or out of the free part of the window."""
    fight.view.skip()
    found = []
    for mini in fight.board.miniatures:
        space = fight.camera.space_rect(mini.cell, mini.size)
        if mini.id in names and not (fight.camera.free.contains(space) and space.collidelist(fight.under_panels) < 0):
            found.append(mini.id)
    return found


@pytest.mark.parametrize(("size", "scale"), SIZES)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_fight_begins_with_all_whom_one_sees_in_the_open_as_far_as_faces_tell(
    ruleset: str, size: tuple[int, int], scale: int
) -> None:
    app = App(size, settings=Settings(speed=0, autosave=False, scale=scale))
    pygame.event.clear()
    app.navigator.title()
    app.navigator.begin(encounter.surprise("goblin_warren", None, 5, ruleset=ruleset))
    fight = app.top
    assert isinstance(fight, Fight)
    camera, everybody = fight.camera, {m.id for m in fight.board.miniatures}
    farthest = round(FARTHEST * max(1.0, size[1] / 720))
    left = framed(fight, everybody)
    assert not left or (camera.zoom == farthest and fight.acting not in left), left


@pytest.mark.parametrize(("size", "scale"), [((1024, 600), 200), ((1280, 720), 100), ((1920, 1080), 150)])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_whoever_acts_and_whom_it_may_strike_are_in_the_open_at_each_chance(
    ruleset: str, size: tuple[int, int], scale: int
) -> None:
    app = App(size, settings=Settings(speed=0, autosave=False, scale=scale, end_by_itself=False))
    pygame.event.clear()
    app.navigator.title()
    record = encounter.surprise("crypt", None, 8, ruleset=ruleset)
    for creature in record["creatures"]:
        creature["controller"] = "human"
    fight = fight_of(Player(app), record)
    dice, farthest = random.Random(3), round(FARTHEST * max(1.0, size[1] / 720))
    for _ in range(40):
        decision = fight.match.decision
        if decision is None:
            break
        if fight.plan is not None and not fight.plan.is_question:
            under_way = any(plan.id == fight.acting and plan.path for plan in fight.board.plans)
            names = {fight.acting or "", *(() if under_way else fight.plan.targets())}
            left = framed(fight, names)
            assert not left or (fight.camera.zoom <= farthest and fight.acting not in left), left
        fight.deeds.carry_out(decision, dice.choice(list(fight.match.legal(decision))))
        fight.view.skip()
        fight.update(0.1)


def test_where_a_way_is_ordered_the_board_stays_with_those_near_its_end() -> None:
    """Under Count-Up everybody in sight may be meant by the deed that follows it."""
    record = arena(ruleset="countup", options={"fog": False})
    record["map"] = {"rows": ["#" * 60, *["#" + "." * 58 + "#"] * 20, "#" * 60]}
    record["creatures"] = [
        {"id": "bram", "template": "bram", "side": "heroes", "at": [3, 3], "controller": "human", "scene": "ambush"},
        *({"id": name, "template": "goblin", "side": "monsters", "at": at, "controller": "human", "surprised": True}
          for name, at in (("near", [7, 3]), ("far", [50, 18]))),
    ]  # fmt: skip
    app = App((1280, 720), settings=Settings(speed=0, autosave=False))
    pygame.event.clear()
    app.navigator.title()
    fight = fight_of(Player(app), record)
    while fight.acting != "bram":
        decision = fight.match.decision
        assert decision is not None
        fight.deeds.carry_out(decision, next(iter(fight.match.legal(decision))))
        fight.update(0.1)
    plan = fight.plan
    assert plan is not None
    zoom, end = fight.camera.zoom, fight.match.field.cell(6, 3)
    way = next(action for action in fight.match.legal(plan.decision) if action.path and action.path[-1] == end)
    fight.deeds.carry_out(plan.decision, way)
    fight.view.skip()
    fight.update(0.1)
    then = fight.plan
    assert fight.acting == "bram" and then is not None and set(then.targets()) == {"near", "far"}
    assert fight.camera.zoom == zoom and framed(fight, {"bram", "near", "far"}) == ["far"]


def test_in_fog_only_what_is_known_is_framed_and_all_of_it_is_shown_at_a_key() -> None:
    rows = ["#" * 40, *["#" + "." * 19 + "#" + "." * 18 + "#"] * 12, "#" * 40]
    record = arena(gob_at=(38, 12), options={"fog": True})
    record["map"] = {"rows": rows}
    app = App((1280, 720), settings=Settings(speed=0, autosave=False))
    pygame.event.clear()
    app.navigator.title()
    player = Player(app)
    fight = fight_of(player, record)
    player.key(pygame.K_0)
    camera = fight.camera
    known = camera.bounds
    assert known.right <= 21, "the hall behind the wall is unknown"
    shown = camera.space_rect((known.left, known.top)).union(camera.space_rect((known.right - 1, known.bottom - 1)))
    assert camera.free.inflate(2, 2).contains(shown)
    assert shown.width > camera.free.width * 0.6 or shown.height > camera.free.height * 0.6


@pytest.mark.parametrize(("size", "scale"), [((1024, 600), 200), ((1280, 720), 200), ((1280, 720), 150)])
def test_where_text_is_large_the_timeline_leaves_the_board_its_room(size: tuple[int, int], scale: int) -> None:
    app = App(size, settings=Settings(speed=0, autosave=False, scale=scale))
    pygame.event.clear()
    app.navigator.title()
    fight = fight_of(Player(app), encounter.surprise("goblin_warren", None, 5, ruleset="countup"))
    strip = next(w for p in fight.ui.live() for w in p.walk() if isinstance(w, Timeline))
    assert strip.rect.bottom < size[1] // 4
    assert fight.camera.free.height > size[1] * 9 // 20
    app.draw()
    asked = [box for box, slot in strip._spots if slot.id == fight.acting]
    assert asked and strip._slot_at(asked[-1].center) is not None
    assert strip._slot_at(asked[-1].center).id == fight.acting, "whoever is asked stands in front"  # type: ignore[union-attr]


@pytest.mark.parametrize(("size", "scale"), [((1024, 600), 200), ((1280, 720), 100), ((1280, 720), 200)])
def test_a_toast_and_a_card_never_lie_over_each_other(size: tuple[int, int], scale: int) -> None:
    fight = opened(size, scale, gob_at=(2, 1))
    for row in range(1, 4):
        for column in range(1, 9):
            fight.toast("Nobody else of yours has anything to decide now.")
            fight.aiming.point(fight.camera.space_rect((column, row)).center)
            assert isinstance(fight.app, App)
            fight.app.draw()
            if fight.panels.card_rect is not None:
                assert fight.panels.toast_rect is not None
                assert not fight.panels.card_rect.colliderect(fight.panels.toast_rect)


@pytest.mark.parametrize(("size", "scale"), [((1024, 600), 200), ((1280, 720), 150), ((1280, 720), 200)])
def test_how_dangerous_a_new_fight_is_stands_there_whole(size: tuple[int, int], scale: int) -> None:
    app = App(size, settings=Settings(speed=0, autosave=False, scale=scale))
    pygame.event.clear()
    app.navigator.title()
    app.navigator.choose()
    for ruleset in ("Cairn", "Count-Up"):
        verdict = next(w for p in app.top.ui.live() for w in p.walk() if isinstance(w, Verdict))
        assert verdict.rect.width >= app.look.font("label").size(verdict.said)[0], verdict.said
        Player(app).press(ruleset)

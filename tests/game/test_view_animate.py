"""Motion: it ends where the rules say, dice settle on what was thrown, and all of it can be hurried or left out."""

from __future__ import annotations

import msgspec
import pygame
import pytest

from game.view import palette
from game.view.camera import Camera
from game.view.motion import pictures as dicetray
from game.view.motion.animate import Animator
from game.view.motion.pictures import Floating, draw_float, eased
from rules.board.grid import Field
from rules.contract import events as ev
from rules.contract.actions import Adjustment
from rules.contract.display import Bar, Board, Miniature
from rules.contract.text import text
from rules.contract.units import Cell

FIELD = Field.from_rows(["." * 10] * 8)


def board(hero: Cell = Cell(12), foe: Cell = Cell(14), hp: int = 9, *, out: bool = False) -> Board:
    return Board(
        (
            Miniature("hero", "Briven", "heroes", hero, "warrior", health=Bar("Hit points", 12, 12), active=True),
            Miniature("foe", "Grik", "monsters", foe, "goblin", health=Bar("Hit points", hp, 9), out=out),
        ),
        (),
        "",
        (),
    )


ROLLS = (
    ev.Roll("defense", "2d5!", (ev.Throw(5, 3, 3), ev.Throw(5, 2, 2)), 5),
    ev.Roll("attack", "2d9!", (ev.Throw(9, 9, 9, exploded=True), ev.Throw(9, 3, 3), ev.Throw(9, 1, 1)), 13),
    ev.Roll("damage", "d8", (ev.Throw(8, 4, 4),), 4),
)
WALK = ev.Moved(by="hero", mode="step", start=(2, 1), path=((3, 1), (3, 2)), cost=2)
ATTACK = ev.Attack(
    by="hero",
    target="foe",
    weapon="Broadsword",
    attack=13,
    defense=5,
    margin=8,
    outcome="solid_hit",
    damage=4,
    adjustments=(),
    rolls=ROLLS,
)
INJURY = ev.Injury(target="foe", amount=4, hp=5, status="wounded", by="hero")


@pytest.fixture
def camera() -> Camera:
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode((640, 480))
    camera = Camera(FIELD, (640, 480))
    camera.set_zoom(48)
    return camera


def through(animator: Animator, seconds: float = 8.0, step: float = 1 / 60, *, reduced: bool = False) -> float:
    """Let time pass until nothing moves; how long it took."""
    past = 0.0
    while animator.busy and past < seconds:
        animator.update(step, 1.0, reduced)
        past += step
    return past


def test_a_walk_starts_at_the_start_passes_each_space_and_ends_at_the_end(camera: Camera) -> None:
    animator, before, after = Animator(10), board(Cell(12)), board(Cell(23))
    animator.play([WALK], before, after)
    hero = after.miniatures[0]
    assert animator.place(hero, camera) == camera.space_rect(12)
    seen = []
    while animator.busy:
        place = animator.place(hero, camera)
        assert place is not None
        seen.append(camera.to_cell(place.center))
        animator.update(1 / 120, 1.0, False)
    assert [cell for i, cell in enumerate(seen) if i == 0 or seen[i - 1] != cell] == [12, 13, 23]
    assert animator.place(hero, camera) is None  # it simply stands where the board says


def test_one_who_does_not_move_stays_put_while_another_walks(camera: Camera) -> None:
    animator = Animator(10)
    animator.play([WALK], board(Cell(12)), board(Cell(23)))
    animator.update(0.1, 1.0, False)
    foe = board(Cell(23)).miniatures[1]
    assert animator.place(foe, camera) == camera.space_rect(14)


def test_hit_points_drop_when_the_blow_lands_not_before() -> None:
    animator, after = Animator(10), board(hp=5)
    foe = after.miniatures[1]
    animator.play([ATTACK, INJURY], board(hp=9), after)
    shown = [animator.health_shown(foe)]
    while animator.busy:
        animator.update(1 / 60, 1.0, False)
        shown.append(animator.health_shown(foe))
    assert shown[0] == 9
    assert shown[-1] == 5
    assert shown == sorted(shown, reverse=True)
    assert shown.count(9) / 60 > 0.8  # the dice and the better part of the blow


def test_whoever_strikes_lunges_and_whoever_is_struck_is_thrown_back_and_returns(camera: Camera) -> None:
    animator, before, after = Animator(10), board(Cell(13), Cell(14)), board(Cell(13), Cell(14), 5)
    animator.play([ATTACK, INJURY], before, after)
    hero, foe = after.miniatures
    forward, back = 0, 0
    while animator.busy:
        one, other = animator.place(hero, camera), animator.place(foe, camera)
        assert one is not None
        assert other is not None
        forward = max(forward, one.x - camera.space_rect(13).x)
        back = max(back, other.x - camera.space_rect(14).x)
        animator.update(1 / 120, 1.0, False)
    assert forward > back > 0


def test_a_miss_throws_nobody_back(camera: Camera) -> None:
    animator, after = Animator(10), board(Cell(13), Cell(14))
    miss = msgspec.structs.replace(ATTACK, margin=-2, damage=0, outcome="miss")
    animator.play([miss], after, after)
    while animator.busy:
        assert animator.place(after.miniatures[1], camera) == camera.space_rect(14)
        animator.update(1 / 60, 1.0, False)


def test_the_fallen_sink_after_the_blow(camera: Camera) -> None:
    animator, after = Animator(10), board(hp=0, out=True)
    animator.play([msgspec.structs.replace(INJURY, amount=9, hp=0)], board(hp=9), after)
    foe = after.miniatures[1]
    assert animator.health_shown(foe) == 0
    lifted = animator.place(foe, camera)
    assert lifted is not None
    assert lifted.y < camera.space_rect(14).y
    assert 0 < through(animator) < 0.5


@pytest.mark.parametrize("share", [1.0, 1.4])
def test_dice_settle_on_exactly_the_faces_thrown(share: float) -> None:
    tray = dicetray.trays_of(ROLLS, "solid hit")
    assert tray is not None
    assert [dicetray._tumble(row, share) for row in tray.rows] == [(3, 2), (9, 3, 1), (4,)]
    assert [row.total for row in tray.rows] == [5, 13, 4]


def test_tumbling_dice_turn_but_show_only_faces_they_have() -> None:
    tray = dicetray.trays_of(ROLLS, "solid hit")
    assert tray is not None
    for row in tray.rows:
        turns = {dicetray._tumble(row, share / 50) for share in range(51)}
        assert len(turns) > 1
        for faces in turns:
            assert all(1 <= face <= throw.rank for face, throw in zip(faces, row.throws, strict=True))


def test_an_exploded_die_is_gold(camera: Camera) -> None:
    plain, gold = dicetray.tile(9, False), dicetray.tile(9, True)
    assert plain.get_at((15, 5))[:3] == palette.BONE
    assert gold.get_at((15, 5))[:3] == palette.GOLD


def test_the_tray_stands_beside_those_it_is_about(camera: Camera) -> None:
    tray = dicetray.trays_of(ROLLS, "solid hit")
    assert tray is not None
    free = pygame.Rect(0, 0, 640, 480)
    alone = tray.place(free, ())
    assert alone.centerx == pytest.approx(free.centerx, abs=1)
    fighters = [pygame.Rect(alone.centerx - 24, alone.centery, 48, 48), pygame.Rect(20, 400, 48, 48)]
    beside = tray.place(free, fighters)
    assert free.contains(beside)
    assert beside.collidelist(fighters) == -1


def test_skip_ends_everything_and_shows_what_stands(camera: Camera) -> None:
    animator, after = Animator(10), board(Cell(23), hp=5)
    animator.play([WALK, ATTACK, INJURY], board(Cell(12)), after)
    animator.update(0.05, 1.0, False)
    animator.skip()
    assert not animator.busy
    assert animator.place(after.miniatures[0], camera) is None
    assert animator.health_shown(after.miniatures[1]) == 5


def test_at_speed_nought_nothing_is_waited_for() -> None:
    animator = Animator(10)
    animator.play([WALK, ATTACK, INJURY], board(Cell(12)), board(Cell(23), hp=5))
    assert animator.update(1 / 60, 0.0, False)
    assert not animator.busy


def test_twice_the_speed_takes_half_the_time() -> None:
    times = []
    for speed in (1.0, 2.0):
        animator, past = Animator(10), 0.0
        animator.play([WALK, ATTACK, INJURY], board(Cell(12)), board(Cell(23), hp=5))
        while animator.busy:
            animator.update(1 / 240, speed, False)
            past += 1 / 240
        times.append(past)
    assert times[1] == pytest.approx(times[0] / 2, abs=0.02)


def test_reduced_motion_leaves_out_steps_and_lunges_but_not_the_dice(camera: Camera) -> None:
    walk, blow = Animator(10), Animator(10)
    walk.play([WALK], board(Cell(12)), board(Cell(23)))
    walk.update(1 / 60, 1.0, True)
    assert not walk.busy
    blow.play([ATTACK, INJURY], board(), board(hp=5))
    places = set()
    past = 0.0
    while blow.busy:
        place = blow.place(board().miniatures[0], camera)
        assert place is not None
        places.add(place.topleft)
        blow.update(1 / 60, 1.0, True)
        past += 1 / 60
    assert places == {camera.space_rect(12).topleft}
    assert past > 0.5


def test_events_without_a_picture_never_make_anybody_wait() -> None:
    animator = Animator(10)
    animator.play([ev.Began(what="turn", number=2), ev.Ended(by="hero")], board(), board())
    assert not animator.busy
    assert not animator.update(1 / 60, 1.0, False)


def test_numbers_rise_and_are_gone_within_a_second(camera: Camera) -> None:
    animator = Animator(10)
    animator.play([INJURY], board(), board(hp=5))
    tops = []
    for _ in range(60):
        surface = pygame.Surface((640, 480), pygame.SRCALPHA)
        animator.draw(surface, camera)
        drawn = surface.get_bounding_rect()
        if drawn.height:
            tops.append(drawn.top)
        animator.update(1 / 60, 1.0, False)
    assert tops[0] > tops[-1]
    assert tops == sorted(tops, reverse=True)
    last = pygame.Surface((640, 480), pygame.SRCALPHA)
    animator.draw(last, camera)
    assert last.get_bounding_rect().height == 0


def floating(*events: ev.Event) -> list[str]:
    """The words that stand by creatures once all of it has been shown."""
    animator = Animator(10)
    animator.play(list(events), board(), board())
    animator.skip()
    return [f.text for f in animator._floats]


@pytest.mark.parametrize(
    ("event", "word"),
    [
        (ev.Cast(by="hero", spell="Sleep", what="cast", cost=2, success=True, target="foe"), "Sleep"),
        (ev.Cast(by="hero", spell="Sleep", what="cast", cost=2, success=False), "Sleep: in vain"),
        (
            ev.Cast(
                by="hero", spell="Sleep", what="cast", cost=2, success=True, target="foe",
                resisted=(ev.Resistance("foe", 5, False),),
            ),
            "resists",
        ),
        (ev.Check(by="foe", what="resist Sleep", roll=ROLLS[0], rating=5, success=False), "resist Sleep: fails"),
        (
            ev.Check(
                by="foe", what=text("{what} against {name}", "listening", "Hale"), roll=ROLLS[0], rating=5, success=True
            ),
            "listening against Hale: Hale is noticed",
        ),
        (ev.Condition(target="foe", condition="asleep", gained=True), "asleep"),
        (ev.Condition(target="foe", condition="asleep", gained=False), "no longer asleep"),
        (ev.Enchanted(target="foe", name="Bless", gained=True, turns=3), "Bless"),
        (ev.Enchanted(target="foe", name="Bless", gained=False), "Bless ends"),
        (ev.Posture(by="foe", posture="prone", because="tripped"), "prone"),
        (ev.Adjusted(target="foe", adjustment=Adjustment("defense", -2, "a spell")), "−2 defense"),
    ],
)  # fmt: skip
def test_what_has_come_over_somebody_stands_beside_them_in_a_word(event: ev.Event, word: str) -> None:
    assert word in floating(event)


def test_of_a_casting_that_fails_nobody_is_said_to_resist() -> None:
    held_out = (ev.Resistance("foe", 6, False),)
    bless = ev.Cast(by="hero", spell="Bless", what="faith", cost=3, success=False, rating=6, resisted=held_out)
    assert floating(bless) == ["Bless: in vain"]
    each = ev.Cast(by="hero", spell="Sleep", what="mana", cost=3, success=False, resisted=held_out)
    assert "resists" in floating(each), "where each resists for itself, it is said of each"


def test_words_are_seen_longer_than_figures_and_stand_below_each_other(camera: Camera) -> None:
    animator = Animator(10)
    sleep = ev.Condition(target="foe", condition="asleep", gained=True)
    prone = ev.Condition(target="foe", condition="prone", gained=True)
    animator.play([sleep, prone, INJURY], board(), board(hp=5))
    animator.skip()
    assert sorted(f.line for f in animator._floats) == [0, 1, 2]
    animator.update(1.2, 1.0, False)
    assert [f.text for f in animator._floats] == ["asleep", "prone"]


def test_easing_begins_at_nought_and_ends_at_one() -> None:
    assert [eased(x) for x in (-1, 0, 0.5, 1, 2)] == [0, 0, 0.5, 1, 1]


def test_each_event_is_reached_in_turn_and_none_before_its_dice_have_settled() -> None:
    animator, after = Animator(10), board(Cell(23), hp=5)
    reached: list[int] = []
    events = [ev.Points(by="hero", now=3), WALK, ATTACK, INJURY, ev.Ended(by="hero")]
    animator.play(events, board(Cell(12)), after, reached.append)
    assert reached == [0]  # nothing leads up to it
    seen: dict[int, bool] = {}
    while animator.busy:
        animator.update(1 / 60, 1.0, False)
        for index in reached[len(seen) :]:
            seen.setdefault(index, animator._rolled is not None)
    assert reached == [0, 1, 2, 3, 4]
    assert seen[2]
    assert not seen[1]


def test_skipping_tells_everything_at_once_and_in_order() -> None:
    animator = Animator(10)
    reached: list[int] = []
    animator.play([WALK, ATTACK, INJURY], board(Cell(12)), board(Cell(23), hp=5), reached.append)
    animator.skip()
    assert reached == [0, 1, 2]


def test_a_creature_is_told_only_when_all_about_it_was_shown() -> None:
    animator, after = Animator(10), board(hp=5)
    foe = after.miniatures[1]
    stunned = ev.Condition(target="foe", condition="stunned", gained=True)
    animator.play([ATTACK, INJURY, stunned], board(), after)
    assert not animator.told(foe)
    through(animator)
    assert animator.told(foe)


def test_a_blow_lands_where_its_target_has_gone_and_dice_stand_beside_it(camera: Camera) -> None:
    animator = Animator(10)
    away = ev.Moved(by="foe", mode="step", start=(4, 1), path=((5, 1), (6, 1)), cost=2)
    animator.play([away, ATTACK, INJURY], board(), board(foe=Cell(16), hp=5))
    assert animator.stage == (), "nobody has to see every step"
    seen = set()
    while animator.busy:
        seen.add(animator.stage)
        animator.update(1 / 60, 1.0, False)
    assert seen == {(), ((2, 1), (6, 1)), ((6, 1), (2, 1))}
    assert animator.stage == ()


def test_a_shot_that_goes_on_flies_from_whom_it_has_missed() -> None:
    friend = Miniature("friend", "Tess", "heroes", Cell(25), "rogue", health=Bar("Hit points", 9, 9))
    table = msgspec.structs.replace(board(), miniatures=(*board().miniatures, friend))
    missed = msgspec.structs.replace(ATTACK, target="friend", margin=-3, damage=0, ranged=True)
    animator = Animator(10)
    animator.play([missed, msgspec.structs.replace(ATTACK, ranged=True, past="friend")], table, table)
    shots = [motion.mini for motion in animator._queue if motion.kind == "shot"]
    assert shots == ["hero", "friend"]


def test_rising_words_side_by_side_do_not_lie_over_each_other() -> None:
    surface, taken, camera = pygame.Surface((600, 400)), list[pygame.Rect](), Camera(FIELD, (600, 400))
    for x in (3.5, 4.5, 4.0):
        draw_float(surface, camera, Floating("surrounded by foes", (255, 255, 255), (x, 4.0), large=False), 1.0, taken)
    assert len(taken) == 3
    assert not any(a.colliderect(b) for n, a in enumerate(taken) for b in taken[:n])

"""Rules that count seconds in the window, by posted events: the timeline, what is asked and why, facing, reach."""

from __future__ import annotations

import msgspec
import pygame

from game.app import settings
from game.controllers.ai.advisors import advisor_of
from game.scenes.fight.ai_turns import PACES
from game.scenes.fight.scene import Fight
from game.view.motion.animate import Animator
from game.widgets.figures import Live
from game.widgets.timeline import Timeline
from rules.contract.display import Board, Miniature
from rules.contract.events import Began, Moved, Over
from rules.contract.units import Cell
from tests.game.hotseat_table import app_at
from tests.game.planning_table import CTRL, asked, countup, offer, settled
from tests.game.player import cell_of, commands, fight_of, middle


def timeline(fight: Fight) -> Timeline:
    return next(w for p in fight.ui.live() for w in p.walk() if isinstance(w, Timeline))


def test_the_timeline_moves_with_what_is_considered() -> None:
    player = app_at()
    fight = fight_of(player, countup())
    for _ in range(30):
        settled(player, fight)
        assert fight.plan is not None
        if not fight.plan.is_question and fight.plan.targets():
            break
        if fight.plan.is_question:
            fight.deeds.act(fight.plan.offers[0].actions[0])
        else:
            fight.deeds.act(offer(fight, "end").actions[0])
    strip = timeline(fight)
    assert strip.after() is None
    now = fight.board.now
    assert fight.plan is not None
    player.move(middle(fight, cell_of(fight, fight.plan.targets()[0])))
    considered = strip.after()
    assert now is not None and considered is not None
    assert considered[0] == asked(fight) and considered[1] > now
    assert {slot.id for slot in strip.slots} == {m.id for m in fight.board.miniatures if not m.out}


def test_effects_that_last_stretch_no_strip_and_every_condition_has_its_picture() -> None:
    from game.content import tables as content
    from game.paths import asset
    from rules.contract.display import Slot
    from rules.contract.units import Seconds
    from rules.countup.conditions import CONDITIONS, DEAD

    faces = {"a": ("A", lambda size: pygame.Surface((size, size)))}
    said = ((7, "mace", "turn"), (300, "blessed ends", "effect"), (9, "off", "effect"))
    slots = [Slot("a", Seconds(at), label, kind) for at, label, kind in said]
    assert Timeline(slots, faces, lambda: 0.0, lambda: None, lambda name: None).span == 12
    icons = {condition.icon for condition in CONDITIONS.values() if condition is not DEAD}
    assert all(asset("art", "icons", f"{name}.svg").is_file() for name in icons)
    effects = {spell.get("effect") for spell in content.tables("countup")["spells"]} - {None, "", "helpless"}
    assert effects <= set(CONDITIONS)


def test_facing_is_turned_by_the_wheel_by_keys_and_by_pointing() -> None:
    player = app_at()
    fight = fight_of(player, countup())
    by = asked(fight)
    mini = next(m for m in fight.board.miniatures if m.id == by)
    assert mini.facing == 2, "it looks at the nearest foe"
    player.app.presses.modifiers = CTRL
    pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=1))
    player.turn(1)
    player.app.presses.modifiers = 0
    assert fight.choices.preview is not None and fight.choices.preview.option == "1"
    assert fight.match.history.length == 0, "considered, not done"
    player.key(pygame.K_RETURN)
    assert commands(fight)[0] == {"by": by, "do": "turn", "option": "1"}
    settled(player, fight)
    player.key(pygame.K_t)
    assert fight.plan is not None and fight.plan.armed is not None
    player.key(pygame.K_DOWN)
    assert {"by": by, "do": "turn", "option": "4"} in commands(fight)[1:], "the computer may have gone on since"


def test_a_fight_by_the_second_is_played_to_its_end() -> None:
    player = app_at()
    fight = fight_of(player, countup())
    for _ in range(400):
        settled(player, fight)
        plan = fight.plan
        if plan is None:
            break
        if plan.is_question:
            player.press(plan.offers[0].description.label)
            continue
        target = next(iter(plan.targets()), None)
        if target is not None and plan.is_foe(target):
            player.click(middle(fight, cell_of(fight, target)))
            continue
        orc, ways = cell_of(fight, "orc"), plan.moves(offer(fight, "walk"))
        terrain = fight.ruleset.terrain(fight.shown)
        near = min(ways, key=lambda cell: (terrain.distance(cell, Cell(orc)), cell), default=None)
        here = plan.actor.cell if plan.actor is not None else 0
        if near is not None and terrain.distance(near, Cell(orc)) < terrain.distance(Cell(here), Cell(orc)):
            player.click(middle(fight, near))
        player.key(pygame.K_RETURN, CTRL)
    assert fight.match.over is not None
    assert any(isinstance(event, Over) for event in fight.match.events)
    player.until(lambda: player.app.top.name == "summary")


def test_seconds_are_seen_to_pass_before_what_came_of_them() -> None:
    player = app_at(speed=2, pace=3)
    fight = fight_of(player, countup())
    fight.view.skip()
    before = fight.board.now or 0
    fight.deeds.act(next(a for a in offer(fight, "hold").actions if a.option == "3"))
    player.until(lambda: (fight.board.now or 0) > before)
    shown = fight.view.animator.clock
    assert shown is not None and before <= shown <= (fight.board.now or 0)
    assert timeline(fight).clock() == fight.view.animator.clock
    fight.view.skip()
    assert fight.view.animator.clock is None


def test_every_second_stands_in_the_log_before_what_happened_in_it() -> None:
    player = app_at()
    fight = fight_of(player, countup())
    for _ in range(40):
        settled(player, fight)
        if fight.match.over is not None or fight.plan is None:
            break
        question = fight.plan.is_question
        fight.deeds.act(fight.plan.offers[0].actions[0] if question else offer(fight, "end").actions[0])
    told = [e.number for e in fight.match.events if isinstance(e, Began) and e.what == "second"]
    assert len(told) > 3 and told == sorted(set(told))
    lines = ["".join(getattr(p, "text", "") for p in entry.pieces) for entry in fight.telling.story.entries]
    assert [line for line in lines if line.startswith("Second ")][0] == f"Second {told[0]}."


def test_the_clock_stands_at_the_second_of_what_is_shown() -> None:
    animator, board = Animator(10), Board((Miniature("a", "A", "heroes", Cell(0), "warrior"),), (), "", ())
    animator.second = 0.5
    before, after = (msgspec.structs.replace(board, now=now) for now in (4, 9))
    walk = Moved(by="a", mode="walk", start=(0, 0), path=((1, 0),))
    animator.play([Began(what="second", number=6), walk], before, after)
    seen: list[float] = []
    for _ in range(400):
        if not animator.busy:
            break
        assert animator.clock is not None
        seen.append(animator.clock)
        animator.update(0.02, 1.0, False)
    assert seen[0] == 4 and seen == sorted(seen)
    assert seen.count(6) > 5, "it waits at the second in which somebody walks"
    assert max(seen) > 8.5 and animator.clock is None


def test_seconds_as_they_are_take_seconds_with_their_steps_and_without() -> None:
    animator, board = Animator(10), Board((Miniature("a", "A", "heroes", Cell(0), "warrior"),), (), "", ())
    animator.second = PACES[settings.PACES.index("as they are")]
    before, after = (msgspec.structs.replace(board, now=now) for now in (4, 12))
    walk = Moved(by="a", mode="walk", start=(0, 0), path=((1, 0), (2, 0)))
    animator.play([Began(what="second", number=9), walk], before, after)
    passed = 0.0
    while animator.busy:
        animator.update(0.02, 1.0, False)
        passed += 0.02
    assert 7.9 < passed < 8.2


def test_the_log_is_headed_by_the_second_that_is_shown() -> None:
    player = app_at()
    fight = fight_of(player, countup())
    settled(player, fight)
    heading = next(w for panel in fight.ui.live() for w in panel.walk() if isinstance(w, Live) and w.fits)
    assert heading.text() == fight.board.caption
    before, now = fight.board, fight.board.now or 0
    fight.view.animator.second = 1.0
    fight.view.animator.play([], before, msgspec.structs.replace(before, now=now + 3))
    fight.view.animator.update(1.5, 1.0, False)
    assert heading.text() == f"Second {now + 1}"


def test_who_is_pointed_at_shows_what_it_reaches_in_feet() -> None:
    from game.scenes.fight.panels.places import overlays

    player = app_at()
    fight = fight_of(player, countup())
    settled(player, fight)
    foe = next(m for m in fight.board.miniatures if m.side != fight.board.miniatures[0].side)
    player.move(middle(fight, foe.cell))
    marks = overlays(fight)
    assert marks.facing == (foe.id, foe.facing) and foe.reach.endswith(" ft")
    assert marks.struck == advisor_of(fight.ruleset).reaches(fight.match.state, foe.id, foe.cell)
    player.move((1, 1))
    assert overlays(fight).struck == 0


def test_each_weapon_that_can_be_readied_stands_in_the_list() -> None:
    player = app_at()
    document = countup()
    document["creatures"][1]["weapons"] = ["short sword", "dagger", "spear"]
    fight = fight_of(player, document)
    settled(player, fight)
    assert asked(fight) == "tess"
    fight.choosing.take_offer(offer(fight, "ready"))
    fight.settle()
    assert fight.choices.picks is not None
    assert [label for label, *_ in fight.choices.picks[1]] == ["Dagger", "Spear"]
    player.press("Spear")
    assert commands(fight)[0] == {"by": "tess", "do": "ready", "weapon": "spear"}


def test_the_timeline_says_why_somebody_is_asked() -> None:
    player = app_at()
    fight = fight_of(player, countup())
    settled(player, fight)
    assert fight.plan is not None and timeline(fight).why == fight.plan.decision.prompt
    assert timeline(fight).why == "Tess may act from now on"


def test_seconds_have_keys_that_are_the_same_in_every_situation() -> None:
    from rules.countup.actions.table import ACTION_KINDS

    player = app_at()
    fight = fight_of(player, countup())
    wanted = [kind.face.key for kind in ACTION_KINDS.values() if not kind.of_orders]
    assert len(wanted) == len(set(wanted))
    assert not [key for key in wanted if key == "m" or fight.app.keys.taken(key)]


def test_how_fast_seconds_pass_is_changed_beside_the_timeline() -> None:
    player = app_at(pace=3)
    fight = fight_of(player, countup())
    settled(player, fight)
    seen = []
    for _ in range(4):
        player.press(next(w for w in labels(fight) if w.startswith("Pace: ")))
        seen.append((fight.app.settings.pace, fight.view.animator.second))
    assert [pace for pace, _ in seen] == [2, 1, 0, 3]
    assert [second for _, second in seen] == sorted((s for _, s in seen[:3]), reverse=True) + [1.0]


def labels(fight: Fight) -> list[str]:
    return [getattr(w, "label", "") for p in fight.ui.live() for w in p.walk()]


def test_the_timeline_moves_with_a_way_that_is_considered() -> None:
    player = app_at()
    fight = fight_of(player, countup())
    settled(player, fight)
    assert fight.plan is not None and asked(fight) == "tess"
    fight.choosing.take_offer(offer(fight, "walk"))
    fight.settle()
    far = max(fight.plan.moves(offer(fight, "walk")).values(), key=lambda a: (len(a.path), a.path))
    player.move(middle(fight, far.path[-1]))
    assert timeline(fight).after() == ("tess", (fight.board.now or 0) + len(far.path), "Walk")


def test_the_card_of_a_foe_leaves_what_it_reaches_in_sight() -> None:
    from game.view.overlays import reach_tag

    player = app_at()
    document = countup(map={"rows": ["#" * 18, *["#" + "." * 16 + "#"] * 10, "#" * 18]})
    document["creatures"][1]["at"], document["creatures"][2]["at"] = [8, 6], [9, 6]
    fight = fight_of(player, document)
    settled(player, fight)
    orc = next(m for m in fight.board.miniatures if m.id == "orc")
    surface = pygame.Surface(fight.size)
    for across, down in ((0, 0), (-200, 0), (0, -120), (400, 0), (0, 200), (-300, -100)):
        fight.camera.pan(across, down)
        player.move(middle(fight, orc.cell))
        fight.draw(surface)
        assert fight.panels.card_rect is not None
        tag = reach_tag(fight.camera.space_rect(orc.cell, orc.size), orc.reach)
        assert not fight.panels.card_rect.colliderect(tag), (across, down)


def test_nobody_is_said_to_be_asked_while_seconds_still_pass() -> None:
    player = app_at(speed=2, pace=3)
    document = countup()
    document["creatures"][2]["at"] = [10, 4]
    fight = fight_of(player, document)
    fight.view.skip()
    player.turn(2)
    settled(player, fight)
    assert timeline(fight).why
    fight.deeds.act(next(a for a in offer(fight, "hold").actions if a.option == "3"))
    player.turn(1, dt=0.01)
    assert fight.behind and not timeline(fight).why and timeline(fight).after() is None
    settled(player, fight)
    assert timeline(fight).why

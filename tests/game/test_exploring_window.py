"""Exploration in the window, by posted events: minutes in any order, the chance to be noticed, the moment of danger."""

from __future__ import annotations

from typing import Any

import msgspec
import pygame

from game.fight.match import Match
from game.scenes.choose.scene import Choose
from game.scenes.fight.ending import Summary
from game.scenes.fight.events_shown import LASTS, unseen
from game.scenes.fight.scene import Fight
from game.widgets.controls import Label, Toggle
from game.widgets.figures import Chip
from rules.board.grid import Field
from rules.contract import events as ev
from rules.contract.display import Board, Miniature
from rules.contract.events import Began
from rules.core import record as records
from tests.game.hotseat_table import app_at, being, seated, texts
from tests.game.player import Player, cell_of, commands, fight_of, middle

ROWS = [
    "####################",
    "#.....#............#",
    "#.....#............#",
    "#.....+............#",
    "#..................#",
    "####################",
]
CTRL = pygame.KMOD_CTRL


def house(foes: list[dict[str, Any]] | None = None, **more: Any) -> dict[str, Any]:
    """Ada and Bo in a room, a dull goblin in the hall before it."""
    gob = being("Gob", "monsters", (12, 4), controller="ai", savvy=1, nerve=1)
    return {
        "format": "battlemat/1", "ruleset": "olde", "options": {"explore": True}, "map": {"rows": ROWS}, "seed": 3,
        "creatures": [being("Ada", "heroes", (4, 2)), being("Bo", "heroes", (1, 1)), *(foes or [gob])],
        "commands": [], **more,
    }  # fmt: skip


def at(fight: Fight, column: int, row: int) -> tuple[int, int]:
    return middle(fight, fight.match.field.cell(column, row))


def banner(fight: Fight) -> str:
    return " | ".join(text for text in texts(fight) if "xploration" in text)


def chips(fight: Fight) -> dict[str, Chip]:
    return {w.key.removeprefix("order "): w for p in fight.ui.live() for w in p.walk() if isinstance(w, Chip)}


def settled(player: Player, fight: Fight) -> None:
    player.until(lambda: not fight.behind and fight.plan is not None)


def test_minutes_are_spent_in_any_order_and_told() -> None:
    player = app_at()
    fight = fight_of(player, house())
    assert "Exploration, minute 1" in banner(fight)
    player.click(middle(fight, cell_of(fight, "bo")))
    assert fight.plan is not None and fight.plan.decision.by == "bo"
    player.key(pygame.K_a, CTRL)
    assert "alone" in fight.toast_text
    player.click(at(fight, 2, 2))
    settled(player, fight)
    assert [(c["by"], c["do"]) for c in commands(fight)] == [("bo", "sneak")]
    assert chips(fight)["bo"].done and not chips(fight)["ada"].done
    player.key(pygame.K_RETURN, CTRL)
    settled(player, fight)
    assert "Exploration, minute 2" in banner(fight)
    assert fight.plan.decision.kind == "explore"


def test_minutes_in_which_nothing_happens_have_no_line_of_their_own() -> None:
    player = app_at()
    fight = fight_of(player, house())
    for name in ("ada", "bo"):
        fight.match.turn_to(name)
        fight.refresh()
        assert fight.plan is not None
        assert fight.deeds.act(next(o for o in fight.plan.offers if o.do == "camp").actions[0])
        settled(player, fight)
    while fight.ruleset.summary(fight.shown)["exploration"]["minute"] < 14:
        player.key(pygame.K_RETURN, CTRL)
        settled(player, fight)
    player.app.draw()

    def minutes() -> list[str]:
        return [
            "".join(getattr(p, "text", "") for p in e.pieces)
            for e in fight.telling.story.entries
            if e.heading and e.height
        ]

    assert len(minutes()) < 4 and minutes()[-1].startswith("Minute 1")


def test_the_chance_to_be_noticed_stands_on_every_space_before_the_step() -> None:
    player = app_at()
    fight = fight_of(player, house())
    plan, cell = fight.plan, fight.match.field.cell
    assert plan is not None
    risks = plan.risks()
    assert risks[cell(5, 1)] == 0.0
    assert 0.0 < risks[cell(4, 4)] < 1.0
    assert risks[cell(8, 4)] == 1.0, "too far to sneak: walked in full view"
    assert fight.board.watched is not None and fight.board.watched >> cell(4, 4) & 1
    player.key(pygame.K_1)
    player.move(at(fight, 4, 4))
    assert fight.choices.preview is not None
    odds = plan.odds(fight.choices.preview)
    assert odds is not None and odds.along[-1][1] == risks[cell(4, 4)]
    assert fight.panels.card_rect is None or fight.panels.card_rect.width > 0
    from game.scenes.fight.panels import places

    drawn = places.overlays(fight)
    assert drawn.along == dict(odds.along)
    assert "gob" in drawn.chances
    fight.draw(player.app.surface)


def test_walking_by_button_needs_no_dice_and_is_taken_back_for_free() -> None:
    player = app_at()
    fight = fight_of(player, house())
    player.key(pygame.K_2)
    assert fight.plan is not None and fight.plan.armed is not None and fight.plan.armed.do == "walk"
    player.click(at(fight, 1, 2))
    settled(player, fight)
    assert [c["do"] for c in commands(fight)] == ["walk"]
    player.key(pygame.K_z, CTRL)
    assert commands(fight) == []
    assert fight.board.banner == "Exploration, minute 1"


def test_danger_is_a_clear_moment_and_the_fight_follows_where_everybody_stands() -> None:
    player = app_at()
    fight = fight_of(player, house())
    player.key(pygame.K_2)
    player.click(at(fight, 1, 4))
    player.turn(1, dt=0.01)
    assert fight.moment.title == "Danger!"
    player.until(lambda: not fight.behind)
    assert fight.board.banner == "" and fight.board.watched is None
    assert fight.match.history.now.phase == "action"
    stands = {m.id: m.cell for m in fight.board.miniatures}
    assert stands["bo"] == fight.match.field.cell(1, 1)
    told = " ".join(text for text in texts(fight))
    assert "Exploration" not in told
    before = len(commands(fight))
    player.click(at(fight, 1, 2))
    assert fight.moment.left == 0.0
    assert len(commands(fight)) == before, "a click that ends it means nothing else"


def test_the_moment_of_danger_goes_by_itself_where_nothing_else_moves() -> None:
    player = app_at()  # animations are off
    fight = fight_of(player, house())
    settled(player, fight)
    player.until(lambda: fight.pace() is None)
    fight.moment.left = LASTS
    while fight.moment.left:
        pace = fight.pace()
        assert pace is not None, "the loop would wait for a press, and that would be swallowed"
        fight.update(pace)


def test_a_way_that_somebody_is_bound_to_notice_is_asked_about_once() -> None:
    player = app_at()
    fight = fight_of(player, house())
    player.key(pygame.K_w, CTRL)
    assert fight.marching.manner == "walk"
    player.click(at(fight, 8, 4))
    assert "bound to notice" in fight.toast_text
    assert commands(fight) == []
    player.click(at(fight, 8, 4))
    player.until(lambda: not fight.behind)
    assert [c["do"] for c in commands(fight)] == ["walk"]


def test_an_ambush_by_the_bar_catches_whoever_noticed_nothing() -> None:
    player = app_at()
    fight = fight_of(player, house())
    player.click(at(fight, 4, 4))
    settled(player, fight)
    assert fight.match.history.now.phase == "explore", "the dull goblin has noticed nothing by this seed"
    player.press("Ambush")
    player.until(lambda: not fight.behind)
    assert "Caught unaware: Gob." in fight.moment.text
    assert fight.match.history.now.explore.caught == 4


def test_the_whole_party_is_kept_clear_of_the_panels() -> None:
    player = app_at()
    fight = fight_of(player, house())
    fight.camera.pan(-900, -400)
    fight.show_actor()
    player.turn(60)
    for name in ("ada", "bo"):
        assert fight.camera.free.collidepoint(middle(fight, cell_of(fight, name))), name


def test_pointing_at_a_foe_says_how_a_fight_begins() -> None:
    player = app_at()
    fight = fight_of(player, house())
    assert fight.plan is not None
    assert fight.plan.why_not("gob") == "No adversary is in sight"
    player.click(at(fight, 4, 4))
    settled(player, fight)
    assert fight.plan.why_not("gob") == "First the fight has to begin: Ambush"


def test_who_hides_is_neither_drawn_nor_told_until_found() -> None:
    lurker = being("Lurk", "monsters", (16, 4), controller="ai", hidden=True)
    player = app_at()
    fight = fight_of(player, house([lurker]))
    assert "lurk" not in {m.id for m in fight.board.miniatures}
    assert "Lurk" not in " ".join(texts(fight))
    fight.draw(player.app.surface)


def test_slipping_past_has_a_summary_of_its_own() -> None:
    player = app_at()
    made = house()
    made["map"] = {"rows": ROWS, "exits": [[4, 2], [1, 1]]}
    fight_of(player, made)
    player.press("Slip away")
    player.until(lambda: isinstance(player.app.top, Summary))
    labels = [w for p in player.app.top.ui.live() for w in p.walk() if isinstance(w, Label)]
    assert any("Slipped past" in str(label.__dict__.values()) for label in labels)


def test_it_is_replayed_command_by_command_to_the_same_state() -> None:
    player = app_at()
    fight = fight_of(player, house())
    player.click(at(fight, 4, 4))
    settled(player, fight)
    player.key(pygame.K_RETURN, CTRL)
    settled(player, fight)
    kept = records.read(records.document(fight.match.record))
    again = Match.from_record(kept)
    assert dict(again.ruleset.summary(again.state)) == dict(again.ruleset.summary(fight.match.state))


def test_two_seats_explore_side_by_side_in_the_fog() -> None:
    seats = [{"name": "Ann", "colour": 0, "plays": ["ada"]}, {"name": "Ben", "colour": 1, "plays": ["bo"]}]
    player = app_at()
    fight = seated(player, house(seats=seats, options={"explore": True, "fog": True}))
    assert fight.plan is not None and fight.plan.decision.by == "ada"
    assert "gob" not in {m.id for m in fight.board.miniatures}, "nobody sees the hall from there"
    assert fight.board.watched == 0
    player.click(at(fight, 5, 1))
    player.until(lambda: fight.plan is not None and fight.plan.decision.by == "bo")
    player.key(pygame.K_RETURN, CTRL)
    player.until(lambda: fight.plan is not None and fight.plan.decision.by == "ada")
    assert fight.board.banner == "Exploration, minute 2"


def test_a_fight_is_set_up_to_begin_with_exploration() -> None:
    player = app_at()
    scene = Choose(player.app)
    player.app.push(scene)
    player.turn()
    (toggle,) = [w for p in scene.ui.live() for w in p.walk() if isinstance(w, Toggle) and "exploration" in w.label]
    player.click(toggle.rect.center)
    assert scene._record()["options"]["explore"] is True
    player.app.navigator.title()


def test_the_computer_explores_and_the_fight_ends() -> None:
    from game.forecast.play import fight, opening, pack

    record = house()
    for creature in record["creatures"]:
        creature["controller"] = "ai"
    begun = Match.from_record(record)
    where = opening(pack(records.read(record), begun.scenario()))
    for seed in range(3):
        *_, (_, step) = fight(where, seed, 40)
        assert step.state.phase == "over"
        assert step.state.explore.minute < 60


def test_the_computer_says_why_it_sneaks_where_it_does() -> None:
    from game.fight.advice import Counsel

    record = house()
    for creature in record["creatures"]:
        creature["controller"] = "ai"
    begun = Match.from_record(record)
    counsel = Counsel(begun)
    decision = begun.decision
    assert decision is not None
    begun.act(decision, counsel.advise(decision))
    why = counsel.why(0)
    assert why.taken == 0
    assert dict(why.thinking.best[0].reasons)
    assert "Column 6, row 2" in counsel.why_not(0, begun.field.cell(5, 1))


def test_a_fight_that_begins_with_no_foe_in_sight_says_what_is_known_of_it() -> None:
    field = Field.from_rows(["." * 20] * 10)
    places = {"Ada": field.cell(5, 5), "Bo": field.cell(6, 5)}
    own = [Miniature(name.lower(), name, "heroes", cell, "wolf") for name, cell in places.items()]
    board, gob = Board(tuple(own), (), "", ()), Miniature("gob", "Gob", "monsters", field.cell(9, 2), "goblin")
    shout = ev.Noise(what=ev.NoiseKind.SHOUT, at=(10, 0), heard=(("bo", 7), ("ada", 9)))
    step = ev.Moved(by="ada", mode="sneak", start=(4, 5), path=((5, 5),), cost=0)
    assert unseen([step, shout], board, {"heroes"}, field) == (
        "Somebody out of sight knows of the party. Bo heard a shout in the north-east, 7 spaces off."
    )
    assert unseen([step], board, {"heroes"}, field) == "Somebody out of sight has noticed Ada."
    here = msgspec.structs.replace(shout, at=(6, 5))
    assert unseen([here], board, {"heroes"}, field).endswith("close by.")
    assert unseen([], board, {"heroes"}, field) == "Somebody out of sight knows of the party."
    assert unseen([step, shout], Board((*own, gob), (), "", ()), {"heroes"}, field) == ""


def test_danger_goes_by_the_clock_on_the_wall_while_frames_are_long() -> None:
    player = app_at()
    fight, wall = fight_of(player, house()), [0.0]
    player.app.clock = lambda: wall[0]
    fight.moment.hear([Began(what="fight")])
    frames = 0
    while fight.moment.left:  # each frame takes half a second, and moves what moves by a twentieth
        fight.moment.update(0.05)
        frames, wall[0] = frames + 1, wall[0] + 0.5
    assert frames <= LASTS / 0.5 + 2

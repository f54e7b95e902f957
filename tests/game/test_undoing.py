"""Taking back in the window, by key and by mouse: what is free happens at once, what is not is asked and logged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import msgspec
import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.fight.advice import Counsel
from game.fight.moments import seen, weight
from game.fight.seats import Seats
from game.scenes.dialogs.panels import Message
from game.scenes.dialogs.saves import Ask, LoadDialog, Recover
from game.scenes.fight.ending import Summary
from game.scenes.fight.scene import Fight
from game.scenes.fight.undoing import AskRewind, Branches
from game.scenes.title import Title
from game.storage import records as storage
from game.storage import recovery
from game.widgets.controls import Button, Label
from game.widgets.figures import IconButton
from game.widgets.menu import Tile
from game.widgets.text import Run
from rules.board.bitboard import board_of
from rules.board.places import Room
from rules.contract.actions import Action, Decision
from rules.contract.events import Moved, Over
from tests.game.player import Player, arena

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def player() -> Iterator[Player]:
    app = App((1280, 720), settings=Settings(speed=0, end_by_itself=False))
    yield Player(app)
    app.scenes.clear()


def begun(player: Player, **options: Any) -> Fight:
    player.app.navigator.begin(arena(**options))
    fight = player.app.top
    assert isinstance(fight, Fight)
    player.turn()
    return fight


def step(player: Player, fight: Fight) -> None:
    """Ada goes one space down."""
    before = len(fight.match.record.commands)
    player.key(pygame.K_DOWN)
    player.key(pygame.K_RETURN)
    assert len(fight.match.record.commands) == before + 1


def attack(player: Player, fight: Fight) -> None:
    player.key(pygame.K_TAB)
    player.key(pygame.K_RETURN)
    assert fight.match.record.commands[-1].do == "attack"


def log(fight: Fight) -> list[str]:
    return ["".join(p.text for p in entry.pieces if isinstance(p, Run)) for entry in fight.telling.story.entries]


def icon_of(fight: Fight, key: str) -> IconButton:
    found = [w for panel in fight.ui.live() for w in panel.walk() if isinstance(w, IconButton) and w.key == key]
    assert found, key
    return found[0]


@pytest.mark.parametrize(
    "undo, redo",
    [((pygame.K_z, pygame.KMOD_LCTRL), (pygame.K_y, pygame.KMOD_LCTRL)), ((pygame.K_u, 0), (pygame.K_r, 0))],
)
def test_a_move_is_taken_back_and_done_again_by_key(
    player: Player, undo: tuple[int, int], redo: tuple[int, int]
) -> None:
    fight = begun(player)
    told, board = log(fight), fight.board
    step(player, fight)
    after = fight.board
    player.key(*undo)
    assert fight.match.record.commands == []
    assert fight.board == board == fight.view.board
    assert log(fight) == told
    player.key(*redo)
    assert len(fight.match.record.commands) == 1
    assert fight.board == after == fight.view.board


def test_undo_and_redo_by_mouse(player: Player) -> None:
    fight = begun(player)
    assert not icon_of(fight, "undo").enabled
    step(player, fight)
    player.click(icon_of(fight, "undo").rect.center)
    assert fight.match.record.commands == []
    assert not icon_of(fight, "undo").enabled
    player.click(icon_of(fight, "redo").rect.center)
    assert len(fight.match.record.commands) == 1
    assert not icon_of(fight, "redo").enabled


def test_past_dice_undo_asks_and_escape_leaves_all_as_it_is(player: Player) -> None:
    fight = begun(player)
    attack(player, fight)
    player.key(pygame.K_z, pygame.KMOD_LCTRL)
    asked = player.app.top
    assert isinstance(asked, AskRewind)
    assert next(iter(asked.points)).before == "ada's attack"
    player.key(pygame.K_ESCAPE)
    assert player.app.top is fight
    assert len(fight.match.record.commands) == 1
    assert fight.match.record.rewinds == []


def test_a_rewind_is_told_in_the_log_and_its_line_taken_up_again(player: Player) -> None:
    fight = begun(player)
    attack(player, fight)
    before = fight.match.ruleset.summary(fight.match.state)
    player.key(pygame.K_z, pygame.KMOD_LCTRL)
    player.press("rewind")
    assert player.app.top is fight
    assert fight.match.record.commands == []
    assert log(fight)[-1].startswith("Rewound: 1 command and ")
    assert log(fight)[-1].endswith("back to before ada's attack.")
    step(player, fight)
    player.click(icon_of(fight, "branch").rect.center)
    assert isinstance(player.app.top, Branches)
    player.press("0")
    assert fight.match.ruleset.summary(fight.match.state) == before
    assert [b.title for b in fight.match.record.branches] == ["ada's free steps"]
    assert any(line.startswith("Another line was taken up") for line in log(fight))


def test_a_rewind_is_asked_anew_when_more_has_happened_meanwhile(player: Player) -> None:
    fight = begun(player)
    attack(player, fight)
    player.key(pygame.K_z, pygame.KMOD_LCTRL)
    asked = player.app.top
    assert isinstance(asked, AskRewind)
    assert fight.match.decision is not None
    fight.deeds.act(next(iter(fight.match.legal(fight.match.decision))))
    player.press("rewind")
    again = player.app.top
    assert isinstance(again, AskRewind)
    assert again is not asked
    assert next(iter(again.points)).commands > 0
    assert len(fight.match.record.commands) == 2


def test_one_may_rewind_further_than_the_last_decision(player: Player) -> None:
    fight = begun(player)
    step(player, fight)
    attack(player, fight)
    player.key(pygame.K_z, pygame.KMOD_LCTRL | pygame.KMOD_LSHIFT)
    asked = player.app.top
    assert isinstance(asked, AskRewind)
    assert [past.to for past in asked.points] == [1, 0]
    player.press("back to 0")
    assert fight.match.record.commands == []


def test_the_computer_does_not_answer_for_a_past_that_is_gone(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    taken_back, advise = Event(), Counsel.advise

    def slowly(self: Counsel, decision: Decision) -> Action:
        taken_back.wait(5)
        return advise(self, decision)

    monkeypatch.setattr(Counsel, "advise", slowly)
    fight = begun(player)
    step(player, fight)
    assert fight.choosing.end_chance()
    assert fight.match.decision is not None
    assert Seats(fight.match.record).answering(fight.match.decision) is None
    player.turn(1, dt=1.0)  # it begins to think
    player.key(pygame.K_u)
    taken_back.set()
    player.until(lambda: not pygame.event.peek(), 5)
    player.turn(4)
    assert [c.by for c in fight.match.record.commands] == ["ada"]
    assert fight.acting == "ada"


def test_an_end_that_came_by_itself_is_taken_back_with_what_led_to_it(player: Player) -> None:
    player.app.settings.end_by_itself = True
    fight = begun(player)
    plan = fight.plan
    assert plan is not None
    while fight.plan is not None and not fight.plan.only_end and fight.acting == "ada":
        points = fight.match.board().miniatures[0].points.value
        done = next((o for o in fight.plan.offers if o.do in ("step", "run", "free_steps") and o.actions), None)
        if done is None or not points:
            break
        fight.deeds.act(max(done.actions, key=lambda action: len(action.path)))
    led = len(fight.match.record.commands)
    player.key(pygame.K_u)
    assert len(fight.match.record.commands) < led
    assert fight.plan is not None
    assert not fight.plan.only_end


def test_a_fight_that_is_over_can_be_rewound_and_ends_anew(player: Player) -> None:
    fight = begun(player)
    for _ in range(60):
        if fight.match.decision is None:
            break
        legal = list(fight.match.legal(fight.match.decision))
        ours = fight.match.decision.by == "ada"
        blows = [a for a in legal if a.do == "attack" and ours]
        fight.deeds.act((blows or [a for a in legal if a.do in ("end", "choose")])[0])
    assert fight.match.over == "heroes"
    player.until(lambda: isinstance(player.app.top, Summary), 5)
    length = len(fight.match.record.commands)
    player.press("Rewind")
    assert isinstance(player.app.top, AskRewind)
    player.press("rewind")
    assert player.app.top is fight
    assert fight.match.over is None
    assert fight.plan is not None
    assert len(fight.match.record.commands) < length
    player.key(pygame.K_y, pygame.KMOD_LCTRL)
    assert fight.match.over == "heroes"
    player.until(lambda: isinstance(player.app.top, Summary), 5)


def test_an_empty_past_says_so(player: Player) -> None:
    fight = begun(player)
    for key, mod in ((pygame.K_u, 0), (pygame.K_r, 0), (pygame.K_z, pygame.KMOD_LCTRL | pygame.KMOD_LSHIFT)):
        fight.toast_text = ""
        player.key(key, mod)
        assert fight.toast_text.startswith("There is nothing")
    player.key(pygame.K_b, pygame.KMOD_LCTRL)
    assert isinstance(player.app.top, Branches)


# -- files ----------------------------------------------------------------------------------------------


def test_leaving_a_fight_keeps_it(player: Player) -> None:
    fight = begun(player)
    step(player, fight)
    player.app.navigator.title()
    [saved] = storage.fights()
    assert storage.is_autosave(saved)
    player.press("Continue")
    again = player.app.top
    assert isinstance(again, Fight)
    assert again.match.record == fight.match.record


def test_looking_at_a_fight_writes_nothing(player: Player, home: Path) -> None:
    begun(player)
    player.app.navigator.title()
    assert not [path for path in home.rglob("*.json*") if "cache" not in path.relative_to(home).parts]


def test_an_interrupted_fight_is_offered_and_goes_on(player: Player) -> None:
    fight = begun(player)
    step(player, fight)
    fight.keeping.scribe.abandon()
    player.app.navigator.title()
    assert player.app.navigator.offer_interrupted()
    offered = player.app.top
    assert isinstance(offered, Recover)
    player.key(pygame.K_RETURN)
    again = player.app.top
    assert isinstance(again, Fight)
    assert again.match.record == fight.match.record
    assert recovery.interrupted() == []


def test_an_interrupted_fight_may_wait_or_be_given_up(player: Player) -> None:
    fight = begun(player)
    step(player, fight)
    fight.keeping.scribe.abandon()
    player.app.navigator.title()
    player.app.navigator.offer_interrupted()
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.app.top, Title)
    player.press("Continue")
    [found] = recovery.interrupted()
    player.press(f"delete {found.path}")
    assert isinstance(player.app.top, Ask)
    player.press("go")
    assert isinstance(player.app.top, Title)
    assert recovery.interrupted() == []


def test_a_failure_is_reported_and_the_fight_offered_again(player: Player, home: Path) -> None:
    fight = begun(player)
    step(player, fight)
    player.app.fail(ZeroDivisionError("seven by nothing"))
    offered = player.app.top
    assert isinstance(offered, Recover)
    [report] = (home / "reports").iterdir()
    assert str(report) in offered.fault
    assert "\n" not in offered.fault
    assert "seven by nothing" in report.read_text(encoding="utf-8")
    player.key(pygame.K_RETURN)
    again = player.app.top
    assert isinstance(again, Fight)
    assert again.match.record == fight.match.record


def test_a_failure_that_comes_again_at_once_ends_the_program(player: Player) -> None:
    begun(player)
    player.app.fail(ZeroDivisionError("seven by nothing"))
    with pytest.raises(recovery.Failed, match="a report is in"):
        player.app.fail(ZeroDivisionError("seven by nothing"))


def test_the_load_screen_says_how_each_fight_stands(player: Player) -> None:
    fight = begun(player, title="The Hall")
    step(player, fight)
    player.key(pygame.K_s, pygame.KMOD_LCTRL)
    (storage.fights_folder() / "torn.json").write_text('{"format": "battlemat/1"', encoding="utf-8")
    player.app.navigator.load()
    shown = player.app.top
    assert isinstance(shown, LoadDialog)
    player.until(lambda: all(s.caption or s.fault for s in shown.found.values()), 10)
    texts = {b.label: b.cost for panel in shown.ui.live() for b in panel.walk() if isinstance(b, Button)}
    line = next(f"{label} {cost}" for label, cost in texts.items() if label.startswith("The Hall"))
    assert "Turn 1, round 1, ada to act" in line and "today " in line
    assert texts["torn"].startswith("Broken: not JSON")
    player.press("torn")
    assert isinstance(player.app.top, Message)


def test_the_same_moment_is_saved_once(player: Player) -> None:
    fight = begun(player, title="The Hall")
    for _ in range(3):
        player.key(pygame.K_s, pygame.KMOD_LCTRL)
    assert [path.stem for path in storage.fights()] == ["the-hall-1"]
    assert fight.toast_text == "Nothing has happened since it was saved as the-hall-1."
    step(player, fight)
    player.key(pygame.K_s, pygame.KMOD_LCTRL)
    assert sorted(path.stem for path in storage.fights()) == ["the-hall-1", "the-hall-2"]


def test_deleting_a_save_asks_first(player: Player) -> None:
    fight = begun(player, title="The Hall")
    step(player, fight)
    player.key(pygame.K_s, pygame.KMOD_LCTRL)
    [saved] = storage.fights()
    player.app.navigator.load()
    player.key(pygame.K_DELETE)
    assert isinstance(player.app.top, Ask)
    player.key(pygame.K_ESCAPE)
    assert saved.exists()
    player.press(f"delete {saved}")
    player.press("go")
    assert not saved.exists()
    shown = player.app.top
    assert isinstance(shown, LoadDialog)
    assert saved not in shown.found


def test_the_log_after_any_way_back_and_forth_is_that_of_the_record(player: Player) -> None:
    fight = begun(player, gob_at=(4, 2))
    lot = 99
    for _ in range(60):
        lot = (lot * 6364136223846793005 + 1442695040888963407) % 2**64
        what, which = (lot >> 33) % 10, lot >> 40
        history = fight.match.history
        if what < 6 and fight.match.decision is not None:
            legal = list(fight.match.legal(fight.match.decision))
            fight.deeds.act(legal[which % len(legal)])
        elif what == 6 and fight.match.record.branches:
            fight.undoing._switch(which % len(fight.match.record.branches), fight.match.history.length)
        elif what == 7 and history.undone:
            fight.undoing.redo()
        elif points := list(history.points()):
            fight.undoing.rewind(points[which % min(3, len(points))])
        told = log(fight)
        again = Fight(player.app, fight.match)
        fight.match.keeper = fight.keeping.scribe.heard
        assert told == log(again)


def test_nothing_of_what_was_taken_back_stays_on_the_table(player: Player) -> None:
    fight = begun(player)
    attack(player, fight)
    assert fight.view.animator.lingers or fight.view.animator.floats
    fight.undoing.rewind(0)
    assert not fight.view.animator.lingers and not fight.view.animator.floats


def test_undo_stays_under_the_pointer_when_the_branches_appear(player: Player) -> None:
    fight = begun(player)
    attack(player, fight)
    before = icon_of(fight, "undo").rect.copy()
    fight.undoing.rewind(0)
    fight.settle()
    assert icon_of(fight, "branch").rect.right <= before.left
    assert icon_of(fight, "undo").rect == before


def test_a_click_on_undo_or_redo_with_nothing_to_do_says_so(player: Player) -> None:
    fight = begun(player)
    player.click(icon_of(fight, "undo").rect.center)
    assert fight.toast_text == "There is nothing to take back."
    player.click(icon_of(fight, "redo").rect.center)
    assert fight.toast_text == "There is nothing to do again."


def test_the_menu_saves_and_loads_quickly_and_names_the_keys(player: Player) -> None:
    fight = begun(player)
    step(player, fight)
    player.key(pygame.K_ESCAPE)
    hints = {w.label: w.hint for panel in player.app.top.ui.live() for w in panel.walk() if isinstance(w, Button)}
    assert (hints["Quick save"], hints["Rewind"], hints["Branches"]) == ("F5", "Ctrl+Shift+Z", "Ctrl+B")
    player.press("Quick save")
    assert storage.quick_save().is_file() and player.app.top is fight
    player.key(pygame.K_u)
    player.key(pygame.K_ESCAPE)
    player.press("Quick load")
    again = player.app.top
    assert isinstance(again, Fight) and again is not fight and len(again.match.record.commands) == 1


def test_the_places_to_rewind_to_are_told_apart_by_their_turns(player: Player) -> None:
    fight = begun(player, gob_at=(8, 4))
    for _ in range(3):
        player.until(lambda: fight.plan is not None and not fight.waits)
        player.key(pygame.K_RETURN, pygame.KMOD_LCTRL)
    player.until(lambda: fight.plan is not None and not fight.waits)
    fight.undoing.ask()
    live = [w for panel in player.app.top.ui.live() for w in panel.walk()]
    heads = [str(w.text) for w in live if isinstance(w, Label) and str(w.text).startswith("Turn ")]
    tiles = [w for w in live if isinstance(w, Tile)]
    assert len(heads) == len({*heads}) == len(tiles) > 1, "each in a turn of its own"
    assert all(tile.tip is not None and "takes back " in tile.tip.text for tile in tiles)


def test_each_moment_of_the_list_says_what_came_of_it_when_and_where(player: Player) -> None:
    record = arena(map={"rows": ["##########", "#........#", "#........#", "#...##...#", "#........#", "##########"]})
    fight = begun(player, **{key: record[key] for key in ("map",)})
    step(player, fight)
    attack(player, fight)
    player.key(pygame.K_z, pygame.KMOD_LCTRL | pygame.KMOD_LSHIFT)
    asked = player.app.top
    assert isinstance(asked, AskRewind)
    blow, way = asked.points.values()
    assert blow.who == way.who == "ada" and blow.when == way.when == fight.board.caption
    assert "ada" in blow.told.lower() and blow.told != way.told
    tiles = [w for panel in asked.ui.live() for w in panel.walk() if isinstance(w, Tile)]
    assert [(tile.name, tile.line) for tile in tiles] == [("Before ada's free steps", way.told)]


def test_a_moment_is_told_by_what_weighs_most_and_by_its_room(player: Player) -> None:
    fight = begun(player)
    field = fight.match.field
    nave = Room("Nave", board_of([field.cell(1, 1), field.cell(2, 1)]))
    fight.match.field = msgspec.structs.replace(field, rooms=(nave,))
    attack(player, fight)
    found = seen(fight.match, fight.eyes, fight.match.history.look_back(0), 1)
    assert found.where == "Nave"
    said = [fight.match.ruleset.tell(fight.match.state, e) for e in fight.match.events if weight(e) == 3]
    assert found.told.startswith(said[0])
    assert weight(Moved(by="ada", start=(1, 1), path=((1, 2),), mode="step")) < weight(Over(winner="heroes"))

"""The party in the window: one click for everybody, quick orders, taken back whole, and clicks that a room costs."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from game.content import encounter
from game.content import tables as content
from game.fight.match import Match
from game.fight.seats import computers
from game.scenes.fight.quick import QUICK
from game.scenes.fight.scene import Fight
from game.widgets.figures import Chip
from rules.contract.events import Began
from rules.core import record as records
from rules.core.registry import RULESETS
from tests.abbey.visit import CRYPT, UNDERCROFT, Visit
from tests.game.hotseat_table import app_at, being, texts
from tests.game.player import Player, commands, fight_of, middle
from tests.game.test_party import PARTY, ROWS

CTRL, SHIFT = pygame.KMOD_CTRL, pygame.KMOD_SHIFT


def evening(rows: list[str] = ROWS, foe: tuple[int, int] = (27, 1), **more: Any) -> dict[str, Any]:
    """Four heroes in the first room, a goblin far behind a door."""
    heroes = [being(name.title(), "heroes", (1 + n, 1)) for n, name in enumerate(PARTY)]
    gob = being("Gob", "monsters", foe, controller="ai", savvy=1, nerve=1)
    return {
        "format": "battlemat/1", "ruleset": "olde", "options": {"explore": True}, "map": {"rows": rows}, "seed": 3,
        "creatures": [*heroes, gob], "commands": [], **more,
    }  # fmt: skip


def at(fight: Fight, column: int, row: int) -> tuple[int, int]:
    return middle(fight, fight.match.field.cell(column, row))


def idle(player: Player, fight: Fight) -> None:
    player.until(lambda: not fight.marching.running and not fight.behind and fight.plan is not None)


def stands(fight: Fight) -> dict[str, tuple[int, int]]:
    return {mini.id: fight.match.field.at(mini.cell) for mini in fight.board.miniatures}


def chip(fight: Fight, name: str) -> Chip:
    fight.settle()
    return next(w for p in fight.ui.live() for w in p.walk() if isinstance(w, Chip) and w.key == f"order {name}")


def walking(fight: Fight) -> Fight:
    fight.marching.take_manner("walk")
    return fight


def test_one_click_sends_everybody_through_a_door() -> None:
    player = app_at()
    fight = walking(fight_of(player, evening()))
    player.click(at(fight, 12, 2))
    idle(player, fight)
    there = stands(fight)
    assert there["ada"] == (12, 2)
    assert all(max(abs(there[n][0] - 12), abs(there[n][1] - 2)) <= 2 for n in PARTY)
    assert any(command["do"] == "open" for command in commands(fight))


def test_the_way_its_time_and_its_risk_are_shown_before_the_click() -> None:
    player = app_at()
    fight = walking(fight_of(player, evening()))
    player.move(at(fight, 12, 2))
    course = fight.choices.course
    assert course is not None and course.way[-1] == fight.match.field.cell(12, 2)
    assert course.cost.endswith((" minutes", " turns")) and "0 %" in course.odds
    player.app.draw()
    assert fight.panels.card_rect is not None
    from game.scenes.fight.panels.places import overlays

    marks = overlays(fight)
    assert set(marks.company) == set(PARTY) and marks.path == course.way
    assert commands(fight) == []


def test_an_order_is_taken_back_whole_and_done_again_whole() -> None:
    player = app_at()
    fight = walking(fight_of(player, evening()))
    player.click(at(fight, 12, 2))
    idle(player, fight)
    done = len(commands(fight))
    assert done > 8
    player.key(pygame.K_z, CTRL)
    assert commands(fight) == [] and stands(fight)["ada"] == (1, 1)
    player.key(pygame.K_y, CTRL)
    assert len(commands(fight)) == done
    player.key(pygame.K_z, CTRL)
    assert commands(fight) == []


def test_the_bar_says_that_the_computer_plays_the_party_only_while_it_does() -> None:
    player = app_at()
    player.app.settings.speed = 3
    fight = walking(fight_of(player, evening()))
    fight.undoing.hand_over_all()
    assert fight.panels._played_by_computer()
    player.until(lambda: len(commands(fight)) > 0)
    fight.undoing.hand_over_all()
    assert not fight.panels._played_by_computer() and fight.match.record.handed


def test_whoever_is_taken_out_of_the_group_is_moved_alone() -> None:
    player = app_at()
    fight = walking(fight_of(player, evening()))
    fight.marching.turn_apart("cy")
    assert chip(fight, "cy").mark == "×" and chip(fight, "di").mark == "3"
    player.click(at(fight, 3, 3))
    idle(player, fight)
    assert stands(fight)["cy"] == (3, 1)
    fight.planning.turn_to("cy")
    player.click(at(fight, 5, 4))
    idle(player, fight)
    assert stands(fight)["cy"] == (5, 4) and stands(fight)["ada"] == (3, 3)
    fight.marching.turn_apart("cy")
    assert chip(fight, "cy").mark == "3"


def test_marching_order_and_manner_are_kept_with_the_record_and_change_no_rule() -> None:
    player = app_at()
    fight = walking(fight_of(player, evening()))
    fight.marching.lead("di")
    player.click(at(fight, 3, 7))
    idle(player, fight)
    assert stands(fight)["di"] == (3, 7)
    kept = records.document(fight.match.record)
    assert kept["parties"] == [{"order": ["di", "ada", "bo", "cy"], "manner": "walk"}]
    again = Match.from_record(records.read(kept))
    assert again.company(0).order[0] == "di"
    del kept["parties"]
    bare = Match.from_record(records.read(kept))
    assert bare.ruleset.summary(bare.state) == again.ruleset.summary(again.state)


def test_a_click_or_escape_stops_the_party_where_it_is() -> None:
    player = app_at()
    player.app.settings.speed = 3
    fight = walking(fight_of(player, evening()))
    fight.marching.go(fight.match.field.cell(12, 2))
    player.turn(1, dt=0.01)
    assert fight.marching.running
    player.key(pygame.K_ESCAPE)
    assert not fight.marching.running and player.app.top is fight
    assert 0 < len(commands(fight)) < 8


def test_the_party_stops_as_soon_as_somebody_comes_into_sight() -> None:
    player = app_at()
    fight = walking(fight_of(player, evening(options={"explore": True, "fog": True}, foe=(12, 1))))
    assert "gob" not in stands(fight)
    fight.marching.take_manner("sneak")
    player.click(at(fight, 6, 3))
    idle(player, fight)
    assert commands(fight)[-1]["do"] == "open"
    assert "gob" in stands(fight) or fight.plan.decision.kind != "explore"  # type: ignore[union-attr]


def opens_by_a_click(player: Player, fight: Fight) -> None:
    player.click(at(fight, 6, 3))
    idle(player, fight)
    assert commands(fight)[-1] == {"by": "ada", "do": "open", "target": "door 6,3"}


def test_a_shut_door_is_gone_up_to_and_opened_by_one_click() -> None:
    player = app_at()
    fight = walking(fight_of(player, evening()))
    player.move(at(fight, 6, 3))
    assert fight.choices.course is not None and "Open door" in fight.choices.course.label
    opens_by_a_click(player, fight)


def test_a_leader_at_the_door_whose_turn_is_spent_opens_it_in_the_next() -> None:
    player = app_at()
    fight = walking(fight_of(player, evening()))
    player.click(at(fight, 5, 3))
    idle(player, fight)
    assert stands(fight)["ada"] == (5, 3)
    if fight.marching.table().offers("ada"):
        fight.match.turn_to("ada")
        fight.refresh()
        fight.deeds.act(fight.marching.table().ending("ada"))  # type: ignore[arg-type]
        idle(player, fight)
    opens_by_a_click(player, fight)


def test_a_second_click_is_one_with_the_first_though_the_board_has_moved_under_the_pointer() -> None:
    player = app_at()
    fight = walking(fight_of(player, evening(options={"explore": True, "fog": True})))
    fight.app.settings.speed = 0
    spot = at(fight, 6, 3)
    player.click(spot)
    fight.camera.pan(80, 0)
    player.click(spot)
    idle(player, fight)
    assert fight.marching.carried_out == 1
    assert stands(fight)["ada"][0] > 6  # not only up to the door: through it, and round the room


def entered(visit: Visit) -> tuple[Player, Fight]:
    """A window in which a party stands in the abbey."""
    player = app_at()
    player.app.navigator.begin(records.document(visit.match.record))
    player.key(pygame.K_RETURN)
    fight = player.app.top
    assert isinstance(fight, Fight)
    idle(player, fight)
    return player, fight


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_way_is_planned_over_a_prisoner(ruleset: str) -> None:
    visit = Visit(ruleset, [(UNDERCROFT, 21, 19)], folk=["joss"])
    _, fight = entered(visit)
    joss = next(mini for mini in fight.board.miniatures if mini.id == "joss")
    assert fight.marching.table().barred >> joss.cell & 1


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_click_on_a_locked_door_sends_whoever_has_its_key_ahead_and_says_before_what_it_takes(ruleset: str) -> None:
    visit = Visit(ruleset, [(CRYPT, 14, 33), (CRYPT, 15, 33), (CRYPT, 15, 34)])
    people = visit.match.record.creatures
    carrier = next(each for each in people if each["id"] == visit.names[2])
    carrier["carries"] = "abbot's key"
    player, fight = entered(visit)
    door = next(each for each in fight.match.field.doors if each.id == "Iron door")
    spot = middle(fight, door.cell)
    player.move(spot)
    course = fight.choices.course
    assert course is not None and "Unlock" in course.label and course.cost
    assert course.notes[0] == f"{fight.names[carrier['id']]} has the key"
    player.click(spot)
    idle(player, fight)
    done = [(each["by"], each["do"]) for each in commands(fight)]
    assert done[-2:] == [(carrier["id"], "unlock"), (carrier["id"], "open")]
    assert fight.board.doors[fight.match.field.doors.index(door)] == "open"


def test_a_room_is_searched_by_one_press_and_its_price_is_on_the_button() -> None:
    player = app_at()
    fight = walking(fight_of(player, evening()))
    button = player.button_of("party_search")
    assert button is not None and "minutes" in button.cost and "%" in button.cost  # type: ignore[attr-defined]
    player.key(pygame.K_f, CTRL, text="")
    idle(player, fight)
    assert {c["do"] for c in commands(fight)} >= {"search"}


def test_all_wait_by_one_key() -> None:
    player = app_at()
    fight = walking(fight_of(player, evening()))
    player.key(pygame.K_RETURN, SHIFT)
    idle(player, fight)
    assert fight.board.banner == "Exploration, minute 2"


def test_all_wait_takes_no_turn_from_who_has_had_one() -> None:
    player = app_at()
    fight = walking(fight_of(player, evening()))
    player.key(pygame.K_RETURN, CTRL)  # one of them alone
    idle(player, fight)
    player.key(pygame.K_RETURN, SHIFT)
    idle(player, fight)
    assert fight.board.banner == "Exploration, minute 2"
    assert len(fight.match.decisions) == len(PARTY), "all have the new minute"


def test_a_portraits_menu_leaves_a_fight_to_the_computer_to_its_end() -> None:
    player = app_at()
    crawl = evening(foe=(5, 2), options={"crawl": True})
    fight = fight_of(player, crawl)
    if fight.match.decision is not None and fight.match.decision.kind == "explore":
        fight.deeds.act(next(o for o in fight.plan.offers if o.do == "ambush").actions[0])  # type: ignore[union-attr]
        player.until(lambda: fight.plan is not None and fight.plan.decision.kind != "explore")
    player.click(chip(fight, "ada").rect.center, button=3)
    assert player.button_of("lend") is not None
    player.key(pygame.K_ESCAPE)
    fight.undoing.lend(*PARTY)
    player.until(lambda: fight.match.decision is None or fight.match.decision.kind == "explore")
    fight.update(0.02)
    assert fight.match.decision is None or not computers(fight.match.record)


def test_an_armed_button_still_means_whoever_acts_alone() -> None:
    player = app_at()
    fight = fight_of(player, evening())
    player.key(pygame.K_2)
    player.click(at(fight, 2, 3))
    idle(player, fight)
    assert [(c["by"], c["do"]) for c in commands(fight)] == [("ada", "walk")]


def test_keys_alone_send_the_party() -> None:
    player = app_at()
    fight = walking(fight_of(player, evening()))
    for _ in range(3):
        player.key(pygame.K_DOWN)
    assert fight.choices.course is not None
    player.key(pygame.K_RETURN)
    idle(player, fight)
    assert stands(fight)["ada"] == (1, 4)


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (760, 560)])
def test_the_partys_orders_stand_on_the_window_uncut(size: tuple[int, int]) -> None:
    player = app_at(size)
    fight = fight_of(player, evening())
    player.app.draw()
    buttons = [b for name in ("party_search", "party_wait", "manner sneak") if (b := player.button_of(name))]
    assert len(buttons) == 3
    window = pygame.Rect(0, 0, *size)
    assert all(window.contains(button.rect) for button in buttons)
    assert "All wait" in " ".join(texts(fight)) or player.button_of("party_wait") is not None


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (760, 560)])
def test_the_partys_orders_keep_their_places_whatever_they_say(size: tuple[int, int]) -> None:
    player = app_at(size)
    fight = walking(fight_of(player, evening()))

    def places() -> dict[str, pygame.Rect]:
        fight.settle()
        player.app.draw()
        found = ((quick.name, player.button_of(quick.name)) for quick in QUICK)
        return {name: button.rect for name, button in found if button is not None}

    before = places()
    assert size[0] < 1000 or all(player.button_of(name).cost for name in before)  # type: ignore[union-attr]
    assert "party_loot" in before and not player.button_of("party_loot").enabled  # type: ignore[union-attr]
    player.click(at(fight, 12, 2))
    idle(player, fight)
    fight.marching.take_manner("sneak")
    assert places() == before


def test_a_party_that_stands_on_the_exit_leaves_by_one_press() -> None:
    player = app_at()
    fight = fight_of(player, evening(map={"rows": ROWS, "exits": [[n, 1] for n in range(1, 5)]}))
    button = player.button_of("party_leave")
    assert button is not None
    player.click(button.rect.center)
    player.until(lambda: fight.match.over is not None)
    assert [command.do for command in fight.match.record.commands] == ["leave"]


def test_one_press_brings_everybody_onto_an_exit_that_has_room_for_them_and_one_more_leaves() -> None:
    player = app_at()
    way_out = [[column, row] for column in (1, 2) for row in (3, 4)]
    fight = walking(fight_of(player, evening(map={"rows": ROWS, "exits": way_out})))
    button = player.button_of("party_leave")
    assert button is not None and button.label == "To the exit"  # type: ignore[attr-defined]
    player.click(button.rect.center)
    idle(player, fight)
    assert sorted(stands(fight)[name] for name in PARTY) == sorted((column, row) for column, row in way_out)
    button = player.button_of("party_leave")
    assert button is not None and button.label == "Leave"  # type: ignore[attr-defined]
    player.click(button.rect.center)
    player.until(lambda: fight.match.over is not None)


def test_who_gave_all_away_takes_them_back_by_a_button_that_stays() -> None:
    player = app_at()
    fight = walking(fight_of(player, evening()))
    fight.do("give_all")
    player.until(lambda: player.button_of("take back") is not None)
    button = player.button_of("take back")
    assert button is not None
    player.click(button.rect.center)
    assert not computers(fight.match.record)


def test_rest_says_why_it_gives_the_hurt_nothing_back() -> None:
    record = encounter.surprise("crypt", list(content.heroes("cairn"))[:1], 3, ruleset="cairn")
    record["options"] = {"explore": True, "crawl": True, "fog": False, "darkness": False}
    for creature in record["creatures"]:
        if creature["side"] == "heroes":
            creature |= {"suffers": ["deprived"], "hp": 1}
    player = app_at()
    fight = walking(fight_of(player, record))
    player.key(pygame.K_o, pygame.KMOD_CTRL)
    assert "deprived" in fight.toast_text and "ration" in fight.toast_text


def test_quiet_again_lies_under_panels_and_tips_and_danger_over_them(monkeypatch: pytest.MonkeyPatch) -> None:
    player = app_at()
    fight, order = walking(fight_of(player, evening())), list[str]()
    monkeypatch.setattr(fight.ui, "draw", lambda _: order.append("panels"))
    monkeypatch.setattr(fight.moment, "draw", lambda _: order.append("plate"))
    for what in ("truce", "fight"):
        fight.moment.hear([Began(what=what)])
        fight.draw(player.app.surface)
    assert order == ["plate", "panels", "panels", "plate"]

"""Seats as they are set up: who plays whom, in the model, in the choose screen, and through records and the editor."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from game.fight.match import Match
from game.fight.seats import GAME_MASTER, Seats
from game.scenes.choose import choices
from game.scenes.choose.scene import Choose
from game.scenes.dialogs.seats import Played, SeatsPanel
from game.scenes.fight.panels.card import likeness
from game.setup import draft as drafts
from game.setup.draft import AS_SIDE, COMPUTER, SeatPlace, SeatTable, seats_from, with_seats
from game.storage import saves
from game.widgets.core import Scroll
from rules.core import record as records
from tests.game.hotseat_table import app_at, table
from tests.game.player import Player


def test_a_record_read_and_written_again_seats_the_same() -> None:
    document = table(chance_seconds=60)
    document["seats"][0]["own_dice"] = True
    read = seats_from(document)
    assert read.players == {"heroes": 0, "beasts": 1} and read.seconds == 60
    again = with_seats(read, document)
    assert records.read(again).seats == records.read(document).seats
    assert seats_from(again) == read


def test_a_single_creature_may_be_given_to_another_seat_or_to_the_computer() -> None:
    given = seats_from(table()).given("bruno", 1).given("yark", COMPUTER)
    document = with_seats(given, table())
    there = Seats(records.read(document))
    assert [getattr(there.of(name), "name", None) for name in ("ada", "bruno", "zugg", "yark")] == [
        "Ann", "Ben", "Ben", None,
    ]  # fmt: skip
    assert seats_from(document).players == given.players
    assert given.given("bruno", AS_SIDE).of("bruno", "heroes") == 0


def test_one_person_at_home_needs_no_seats_in_the_record() -> None:
    alone = SeatTable(players={"heroes": 0, "beasts": COMPUTER})
    document = with_seats(alone, table())
    assert "seats" not in document
    assert {c["id"] for c in document["creatures"] if c["controller"] == "human"} == {"ada", "bruno"}


def test_playing_on_one_side_is_not_playing_against_each_other() -> None:
    sides = {"ada": "heroes", "bruno": "heroes", "zugg": "beasts"}
    together = SeatTable((SeatPlace("A"), SeatPlace("B", 1)), {"heroes": 0, "bruno": 1, "beasts": COMPUTER})
    assert not together.versus(sides)
    assert together.given("beasts", 1).versus(sides)


def test_names_and_colours_of_new_seats_differ_up_to_six() -> None:
    full = SeatTable()
    for _ in range(8):
        full = full.joined()
    assert len(full.places) == 6
    assert len({p.name for p in full.places}) == len({p.colour for p in full.places}) == 6


def test_what_a_seat_played_that_goes_away_the_first_plays() -> None:
    three = SeatTable((SeatPlace("A"), SeatPlace("B", 1), SeatPlace("C", 2)), {"heroes": 1, "beasts": 2, "ada": 0})
    assert three.without(1).players == {"heroes": 0, "beasts": 1, "ada": 0}


def test_who_plays_nobody_is_named_until_somebody_is_theirs() -> None:
    sides = {"ada": "heroes", "zugg": "beasts"}
    three = SeatTable(players={"heroes": 0, "beasts": COMPUTER}).joined().joined()
    assert three.idle(sides) == tuple(place.name for place in three.places[1:])
    assert three.given("zugg", 1).given(GAME_MASTER, 2).idle(sides) == ()


def test_a_click_on_a_choice_of_the_seats_lists_all_of_it() -> None:
    player = app_at()
    creatures = [Played("ada", "Ada", "heroes", likeness("warrior", "heroes"))]
    told: list[SeatTable] = []
    player.app.push(SeatsPanel(player.app, SeatTable(players={"heroes": 0}).joined().joined(), creatures, told.append))
    player.press("plays heroes")
    assert player.app.top.name == "menu"
    player.press("Cleo")
    assert player.app.top.name == "seats" and told[-1].of_side("heroes") == 2
    player.press("clock")
    player.press("2 min")
    assert told[-1].seconds == 120


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_five_seats_with_a_hero_each_and_all_switches_are_seen_at_once(size: tuple[int, int]) -> None:
    player = app_at(size)
    table = SeatTable(players={"heroes": 0, "monsters": COMPUTER})
    for number in range(1, 5):
        table = table.joined().given(f"hero {number}", number)
    face = likeness("warrior", "heroes")
    creatures = [Played(f"hero {n}", f"Hero {n}", "heroes", face) for n in range(5)]
    creatures += [Played(f"foe {n}", f"Foe {n}", "monsters", face) for n in range(6)]
    switches = choices.switches_named("olde", choices.KNOWING)
    assert switches
    panel = SeatsPanel(
        player.app, table, creatures, lambda now: None, switches=switches, on_switch=lambda name, on: None
    )
    player.app.push(panel)
    player.turn()
    listing = next(w for p in panel.ui.live() for w in p.walk() if isinstance(w, Scroll))
    assert listing.total <= listing.rect.height
    inside = panel.ui.live()[0].rect
    assert all(inside.contains(w.rect) for w in panel.ui.live()[0].walk() if w.rect.width)


def test_letters_of_dead_keys_and_input_methods_reach_a_name_and_none_comes_twice() -> None:
    player = app_at()
    told: list[SeatTable] = []
    player.app.push(SeatsPanel(player.app, SeatTable(), [], told.append))
    player.app.top.ui.focus_key("name 0")
    player.key(pygame.K_BACKSPACE)
    for event in (
        pygame.event.Event(pygame.KEYDOWN, key=pygame.K_o, mod=0, unicode="o", scancode=0),
        pygame.event.Event(pygame.TEXTINPUT, text="o"),
        pygame.event.Event(pygame.TEXTINPUT, text="ë"),
    ):
        pygame.event.post(event)
    player.turn()
    assert told[-1].places[0].name == "Yooë"


def test_a_letter_typed_fast_is_what_was_typed_though_its_key_tells_otherwise() -> None:
    player = app_at()
    told: list[SeatTable] = []
    player.app.push(SeatsPanel(player.app, SeatTable(), [], told.append))
    player.app.top.ui.focus_key("name 0")
    for event in (
        pygame.event.Event(pygame.KEYDOWN, key=pygame.K_n, mod=0, unicode="N", scancode=0),
        pygame.event.Event(pygame.TEXTINPUT, text="n"),
        pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RETURN, mod=0, unicode="\r", scancode=0),
        pygame.event.Event(pygame.TEXTINPUT, text="é"),
    ):
        pygame.event.post(event)
    player.turn()
    assert told[-1].places[0].name == "Youné"


def test_a_draft_takes_the_table_and_keeps_it_through_the_editor() -> None:
    draft = drafts.from_record(records.read(table()))
    changed = replace(seats_from(table()).given("beasts", COMPUTER), seconds=30)
    seated = drafts.seated(draft, changed)
    record = drafts.to_record(seated)
    assert record.chance_seconds == 30
    assert {c["id"]: c["controller"] for c in record.creatures}["zugg"] == "ai"
    assert [seat.plays for seat in record.seats] == [["heroes"], []]
    assert drafts.to_record(drafts.from_record(record)) == record


# -- the choose screen ----------------------------------------------------------------------------------


def choosing() -> tuple[Player, Choose]:
    player = app_at()
    player.app.navigator.choose()
    choose = player.app.top
    assert isinstance(choose, Choose)
    return player, choose


def test_alone_there_is_no_fog_and_against_each_other_there_is() -> None:
    player, choose = choosing()
    assert choose._record()["options"] == {}
    player.press("seats")
    player.press("join")
    panel = player.app.top
    assert isinstance(panel, SeatsPanel)
    panel.ui.focus_key("plays monsters")
    player.key(pygame.K_RIGHT, text="")
    player.key(pygame.K_RIGHT, text="")
    player.key(pygame.K_ESCAPE)
    made = choose._record()
    assert made["options"]["fog"]
    assert [seat["plays"] for seat in made["seats"]] == [["heroes"], ["monsters"]]
    player.press("seats")
    player.press("Fog of war")
    player.key(pygame.K_ESCAPE)
    assert "fog" not in choose._record()["options"], "what the player has set holds"


def test_a_save_of_a_fight_with_secrets_tells_nothing_of_how_it_stands() -> None:
    match = Match.from_record(table())
    decision = match.decision
    assert decision is not None
    match.act(decision, list(match.legal(decision))[-1])
    assert saves.party(match) == ("Ann", "Ben")
    assert not any(name in saves.stands(match) for name in ("Ada", "Bruno", "Zugg", "Yark"))

"""An encounter prepared as a person does: by the mouse alone, by keys alone, and both, through posted events."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.content import encounter
from game.scenes.dialogs.help import Help
from game.scenes.dialogs.panels import Menu, Message
from game.scenes.fight.scene import Fight
from game.scenes.setup import Setup, commands
from game.scenes.setup.form import SubForm
from game.scenes.setup.lists import Maps, Pick, Records, Save
from game.scenes.setup.panels import OtherRules, Tools
from game.scenes.setup.workspace import Drag
from game.scenes.title import Title
from game.setup import draft as drafts
from game.setup import files, forms, trial
from game.widgets.controls import Button
from game.widgets.core import Scroll, Widget
from rules.core import record as records
from tests.game.player import Player

ROWS = ["############", "#..........#", "#....#.....+", "#..........#", "#..........#", "############"]
CTRL, SHIFT = pygame.KMOD_LCTRL, pygame.KMOD_LSHIFT


def record() -> dict[str, Any]:
    return {
        "format": "battlemat/1", "ruleset": "olde", "options": {}, "map": {"rows": ROWS}, "seed": 7, "creatures": [
            {"id": "warrior", "template": "warrior", "side": "heroes", "controller": "human", "at": [2, 2]},
            {"id": "goblin", "template": "goblin", "side": "monsters", "controller": "ai", "at": [8, 3]},
        ],
    }  # fmt: skip


class Hand(Player):
    """A player at the set-up's window."""

    @property
    def scene(self) -> Setup:
        scene = next(scene for scene in reversed(self.app.scenes) if isinstance(scene, Setup))
        return scene

    def pixel(self, spot: tuple[int, int]) -> tuple[int, int]:
        self.scene.view.skip()
        return self.scene.camera.space_rect(spot).center

    def hold(self, modifier: int) -> None:
        """Hold Shift or Ctrl down (0: let go)."""
        key = {SHIFT: pygame.K_LSHIFT, CTRL: pygame.K_LCTRL}.get(modifier)
        if key is None:
            pygame.event.post(pygame.event.Event(pygame.KEYUP, key=pygame.K_LSHIFT, mod=0, unicode="", scancode=0))
        else:
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode="", scancode=0))
        self.turn(1)

    def drag(self, first: tuple[int, int], *others: tuple[int, int]) -> None:
        self.move(first)
        self.button(first, down=True)
        for other in others:
            self.move(other)
        self.button(others[-1], down=False)
        self.turn()

    def widget(self, key: str) -> Widget:
        """A widget of the topmost scene, its section opened and brought into view by the wheel if it must be."""
        section = forms.section_of(self.scene.ruleset, key.removeprefix("field ")) if key.startswith("field ") else ""
        if section and section not in self.scene.unfolded and self.app.top is self.scene:
            self.take(f"section {section}")
        for panel in self.app.top.ui.live():
            for widget in panel.walk():
                if widget.key == key:
                    self._show(panel, widget)
                    return next(w for w in panel.walk() if w.key == key)
        raise AssertionError(f"nothing is called {key!r}")

    def _show(self, panel: Widget, widget: Widget) -> None:
        for scroll in (w for w in panel.walk() if isinstance(w, Scroll) and widget in w.walk()):
            self.move(scroll.rect.center)
            for _ in range(60):
                if scroll.rect.contains(widget.rect):
                    return
                by = 1 if widget.rect.top < scroll.rect.top else -1
                pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=by, flipped=False))
                self.turn(1)

    def take(self, key: str) -> None:
        """Click a widget by its key."""
        self.click(self.widget(key).rect.center)

    def type(self, text: str) -> None:
        for letter in text:
            self.key(ord(letter.lower()), SHIFT if letter.isupper() else 0, letter)

    def entries(self) -> list[dict[str, Any]]:
        return [dict(piece.entry) for piece in self.scene.editor.draft.pieces]

    def spots(self) -> dict[str, Any]:
        return {piece.id: piece.spot for piece in self.scene.editor.draft.pieces}

    def focus(self) -> str:
        focus = self.app.top.ui.focus
        return focus.key if focus is not None else ""


def at_the_table(document: dict[str, Any]) -> Iterator[Hand]:
    """A hand at a record's table, which is cleared away afterwards."""
    files.draft_path().unlink(missing_ok=True)
    app = App((1280, 720), settings=Settings(speed=0, autosave=False, live_forecast=False))
    pygame.event.clear()
    app.navigator.title()
    app.push(Setup(app, drafts.from_record(records.read(document))))
    yield Hand(app)
    pygame.event.clear()
    app.quit()
    files.draft_path().unlink(missing_ok=True)


@pytest.fixture
def hand() -> Iterator[Hand]:
    yield from at_the_table(record())


# -- mouse ----------------------------------------------------------------------------------------------


def test_somebody_is_dragged_from_the_bestiary_onto_the_board(hand: Hand) -> None:
    offer = hand.widget("offer goblin").rect.center
    hand.drag(offer, (offer[0] + 40, offer[1]), hand.pixel((4, 1)))
    assert hand.entries()[-1] == {
        "id": "goblin_2", "template": "goblin", "side": "monsters", "controller": "ai", "at": [4, 1],
        "name": "Goblin 2",
    }  # fmt: skip
    assert hand.scene.brush is None, "a drag is no taking into the hand"


def test_foes_are_drawn_for_the_party_and_stand_in_their_zone(hand: Hand) -> None:
    hand.scene.open_map(next(path for path in encounter.playable_maps() if path.stem == "crypt"))
    hand.take("foes")
    assert not hand.entries() and "heroes" in hand.scene.toast_text
    hand.take("party")
    hand.take("foes")
    assert hand.scene.loaded is not None and hand.scene.editor.ground is not None
    zone = {hand.scene.editor.ground.at(cell) for cell in hand.scene.loaded.spawn_cells("monsters")}
    foes = [piece for piece in hand.scene.editor.draft.pieces if piece.side == "monsters"]
    assert len(foes) > 1 and all(piece.spot in zone for piece in foes)
    assert not [each for each in hand.scene.editor.problems() if each.block]
    hand.key(pygame.K_z, CTRL)
    assert len(hand.entries()) == 4, "they come and go together"


def test_the_foot_tells_of_whoever_the_pointer_is_on(hand: Hand) -> None:
    hand.move(hand.pixel((8, 3)))
    assert commands.pointed_at(hand.scene) == "Goblin · monsters · Hit points 8/8 · column 9, row 4"
    hand.move(hand.pixel((4, 4)))
    assert commands.pointed_at(hand.scene) == ""


def test_let_go_over_a_panel_nobody_is_put_down(hand: Hand) -> None:
    offer = hand.widget("offer goblin").rect.center
    hand.drag(offer, (offer[0] + 200, offer[1]), hand.widget("play").rect.center)
    assert len(hand.entries()) == 2 and hand.scene.gesture.drag is Drag.NOTHING


def test_dropped_where_there_is_no_room_it_says_why(hand: Hand) -> None:
    offer = hand.widget("offer goblin").rect.center
    hand.drag(offer, (offer[0] + 40, offer[1]), hand.pixel((5, 2)))
    assert len(hand.entries()) == 2
    assert hand.scene.toast_text == "Goblin would stand in a wall or chasm at column 6, row 3."


def test_the_brush_puts_down_many_and_a_right_click_lays_it_aside(hand: Hand) -> None:
    hand.take("offer goblin")
    assert hand.scene.brush == "goblin"
    hand.drag(*(hand.pixel((column, 4)) for column in (2, 3, 4, 5)))
    assert [spot for name, spot in hand.spots().items() if name.startswith("goblin_")] == [
        (2, 4),
        (3, 4),
        (4, 4),
        (5, 4),
    ]
    hand.click(hand.pixel((9, 1)))
    assert len(hand.entries()) == 7
    hand.click(hand.pixel((9, 4)), button=3)
    assert hand.scene.brush is None
    hand.key(pygame.K_z, CTRL)
    hand.key(pygame.K_z, CTRL)
    assert len(hand.entries()) == 2, "one stroke of the brush is one step back"


def test_a_drag_moves_and_escape_gives_it_up(hand: Hand) -> None:
    hand.drag(hand.pixel((8, 3)), hand.pixel((8, 4)), hand.pixel((9, 4)))
    assert hand.spots()["goblin"] == (9, 4)
    hand.move(hand.pixel((9, 4)))
    hand.button(hand.pixel((9, 4)), down=True)
    hand.move(hand.pixel((3, 4)))
    hand.key(pygame.K_ESCAPE)
    hand.button(hand.pixel((3, 4)), down=False)
    assert hand.spots()["goblin"] == (9, 4)


def test_a_drag_into_a_wall_is_refused_with_the_reason(hand: Hand) -> None:
    hand.drag(hand.pixel((8, 3)), hand.pixel((7, 3)), hand.pixel((5, 2)))
    assert hand.spots()["goblin"] == (8, 3) and "wall" in hand.scene.toast_text


def test_a_rubber_band_selects_a_group_that_is_dragged_together(hand: Hand) -> None:
    hand.drag(hand.pixel((1, 1)), hand.pixel((5, 3)), hand.pixel((10, 4)))
    assert len(hand.scene.editor.selection) == 2
    hand.drag(hand.pixel((2, 2)), hand.pixel((2, 3)), hand.pixel((3, 3)))
    assert hand.spots() == {"warrior": (3, 3), "goblin": (9, 4)}


def test_shift_adds_to_the_selection_and_takes_from_it(hand: Hand) -> None:
    hand.click(hand.pixel((2, 2)))
    hand.hold(SHIFT)
    hand.click(hand.pixel((8, 3)))
    assert len(hand.scene.editor.selection) == 2
    hand.click(hand.pixel((8, 3)))
    assert len(hand.scene.editor.selection) == 1
    hand.hold(0)


def test_a_drag_with_ctrl_copies(hand: Hand) -> None:
    hand.click(hand.pixel((8, 3)))
    hand.hold(CTRL)
    hand.drag(hand.pixel((8, 3)), hand.pixel((8, 4)), hand.pixel((9, 4)))
    hand.hold(0)
    assert hand.spots() == {"warrior": (2, 2), "goblin": (8, 3), "goblin_2": (9, 4)}


def test_a_click_on_a_door_turns_it(hand: Hand) -> None:
    hand.click(hand.pixel((11, 2)))
    assert hand.scene.editor.door_state(0) == "locked"
    hand.take("tab encounter")
    hand.take("door door 11,2")
    assert isinstance(hand.app.top, Pick)
    hand.press("pick open")
    assert hand.scene.editor.draft.map["doors"] == {"door 11,2": "open"}


def test_the_wheel_zooms_and_the_middle_button_pans(hand: Hand) -> None:
    spot = hand.pixel((6, 3))
    hand.move(spot)
    before = hand.scene.camera.zoom
    pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=1, flipped=False))
    hand.turn()
    assert hand.scene.camera.zoom > before
    origin = hand.scene.camera.origin
    hand.button(spot, 2, down=True)
    hand.move((spot[0] + 30, spot[1] + 10))
    hand.button((spot[0] + 30, spot[1] + 10), 2, down=False)
    assert hand.scene.camera.origin == (origin[0] + 30, origin[1] + 10)


def test_search_narrows_the_bestiary_and_says_who_may_be_meant(hand: Hand) -> None:
    hand.take("search")
    hand.type("gob chief")
    keys = [w.key for p in hand.app.top.ui.live() for w in p.walk()]
    assert "offer goblin_chief" in keys and "offer ogre" not in keys
    assert hand.scene.camera.zoom, "typing w, a, s, d pans nothing"


# -- the form -------------------------------------------------------------------------------------------


def test_somebody_becomes_another_entry_of_the_bestiary_where_they_stand(hand: Hand) -> None:
    hand.click(hand.pixel((8, 3)))
    hand.take("field template")
    hand.type("ogre")
    hand.key(pygame.K_RETURN)
    assert hand.entries()[1]["template"] == "ogre"
    assert hand.scene.editor.table.at((9, 4)) == hand.scene.editor.table.at((8, 3)), "an ogre covers four spaces"


def test_a_field_is_edited_and_only_the_difference_is_kept(hand: Hand) -> None:
    hand.click(hand.pixel((8, 3)))
    hand.take("field brawn")
    hand.type("12")
    assert hand.entries()[1]["brawn"] == 12
    hand.take("back brawn")
    assert "brawn" not in hand.entries()[1]


def test_an_illegal_figure_is_said_beside_its_field_and_play_gives_the_reason(hand: Hand) -> None:
    hand.click(hand.pixel((8, 3)))
    hand.take("field brawn")
    hand.type("99")
    words = [getattr(w, "text", "") for p in hand.app.top.ui.live() for w in p.walk()]
    assert any("from 1 to 60 is right, not 99" in text for text in words if isinstance(text, str))
    play = hand.widget("play")
    assert not play.enabled and play.tip is not None and "Goblin: Brawn" in play.tip.text
    hand.click(play.rect.center)
    assert isinstance(hand.app.top, Setup) and hand.scene.listing
    hand.take("problem 0")
    assert hand.focus() == "field brawn"
    hand.type("8")
    assert hand.widget("play").enabled


def test_a_figure_is_stepped_by_its_signs_and_arrows(hand: Hand) -> None:
    hand.click(hand.pixel((8, 3)))
    field = hand.widget("field brawn").rect
    hand.click((field.right - 5, field.centery))
    hand.click((field.right - 5, field.centery))
    hand.click((field.left + 5, field.centery))
    assert hand.entries()[1]["brawn"] == 7
    hand.key(pygame.K_RIGHT)
    assert hand.entries()[1]["brawn"] == 8


def test_all_hit_points_stay_all_whatever_their_number(hand: Hand) -> None:
    hand.click(hand.pixel((2, 2)))
    field = hand.widget("field hp").rect
    more, less = (field.right - 8, field.centery), (field.left + 8, field.centery)
    hand.click(more)
    assert "hp" not in hand.entries()[0]
    hand.click(less)
    assert hand.entries()[0]["hp"] == 11
    hand.click(more)
    assert "hp" not in hand.entries()[0], "12 of 12 are all"
    hand.type("12")
    assert "hp" not in hand.entries()[0]
    hand.scene.editor.set_field("brawn", 12)
    hand.scene.refresh()
    piece = hand.scene.editor.chosen()[0]
    health = trial.figure("olde", piece.entry, {}).health
    assert health.value == health.maximum == 14


def test_what_several_have_all_of_stays_so_when_it_is_raised(hand: Hand) -> None:
    hand.key(pygame.K_a, CTRL)
    field = hand.widget("field hp").rect
    hand.click((field.right - 8, field.centery))
    assert all("hp" not in entry for entry in hand.entries())


def test_emptied_what_may_be_left_out_is_left_out(hand: Hand) -> None:
    hand.click(hand.pixel((8, 3)))
    hand.take("field hp")
    hand.type("5")
    assert hand.entries()[1]["hp"] == 5
    hand.key(pygame.K_BACKSPACE)
    assert "hp" not in hand.entries()[1]


def test_a_name_rubbed_out_stays_so_under_the_caret_and_the_next_is_not_put_before_the_old(hand: Hand) -> None:
    hand.click(hand.pixel((8, 3)))
    hand.take("field name")
    hand.key(pygame.K_END)
    for _ in "Goblin":
        hand.key(pygame.K_BACKSPACE)
    hand.type("Snag")
    assert hand.entries()[1]["name"] == "Snag"
    hand.key(pygame.K_z, CTRL)
    assert "name" not in hand.entries()[1]
    assert getattr(hand.widget("field name"), "value", None) == "Goblin"


def test_gear_is_added_from_a_searched_list_and_taken_away(hand: Hand) -> None:
    hand.click(hand.pixel((8, 3)))
    hand.take("field weapons")
    assert isinstance(hand.app.top, Pick)
    hand.type("dag")
    hand.key(pygame.K_RETURN)
    assert hand.entries()[1]["weapons"] == ["club", "dagger"]
    hand.take("weapons 0 away")
    assert hand.entries()[1]["weapons"] == ["dagger"]


def test_a_skill_is_added_and_its_rank_chosen(hand: Hand) -> None:
    hand.click(hand.pixel((8, 3)))
    hand.take("field skills")
    hand.type("knives")
    hand.key(pygame.K_RETURN)
    hand.take("skills Knives")
    hand.press("pick Master")
    skills = hand.entries()[1]["skills"]
    assert isinstance(skills, dict) and skills["Knives"] == "Master" and "Maces" in skills


def test_surprised_is_a_switch_and_shown_on_the_board(hand: Hand) -> None:
    hand.click(hand.pixel((8, 3)))
    hand.take("field surprised")
    assert hand.entries()[1]["surprised"] is True
    badges = [b.icon for m in hand.scene.editor.table.board().miniatures for b in m.badges]
    assert badges == ["surprised"]


def test_what_several_have_in_common_is_changed_for_all(hand: Hand) -> None:
    hand.key(pygame.K_a, CTRL)
    hand.take("field hp")
    hand.type("3")
    assert [entry["hp"] for entry in hand.entries()] == [3, 3]
    hand.key(pygame.K_z, CTRL)
    assert all("hp" not in entry for entry in hand.entries())


def test_sides_are_renamed_and_given_to_a_person(hand: Hand) -> None:
    hand.take("side 1")
    hand.key(pygame.K_END)
    hand.type("!")
    assert hand.entries()[1]["side"] == "monsters!"
    hand.take("human monsters!")
    assert hand.entries()[1]["controller"] == "human"


def test_optional_rules_are_written_only_where_they_differ(hand: Hand) -> None:
    hand.take("Fog of war")
    assert hand.scene.editor.draft.options == {"fog": True}
    hand.take("Fog of war")
    assert hand.scene.editor.draft.options == {}


def cairn(hand: Hand) -> None:
    """Another ruleset's creatures on the same table."""
    hand.take("tab encounter")
    hand.take("ruleset")
    hand.press("pick Cairn")
    hand.scene.editor.place("acolyte", "monsters", (8, 4))
    hand.scene.select([hand.scene.editor.draft.pieces[-1].key])


def test_the_same_table_is_taken_under_other_rules_and_back(hand: Hand) -> None:
    cairn(hand)
    assert hand.scene.ruleset == "cairn" and hand.spots()["warrior"] == (2, 2)
    assert hand.widget("field strength")
    hand.key(pygame.K_z, CTRL)
    hand.key(pygame.K_z, CTRL)
    assert hand.scene.ruleset == "olde"


def test_an_attack_of_its_own_is_edited_in_a_form_within_the_form(hand: Hand) -> None:
    cairn(hand)
    hand.widget("field attacks")
    hand.take("attacks 0")
    assert isinstance(hand.app.top, SubForm)
    hand.take("part dice")
    hand.key(pygame.K_END)
    hand.type(" 8")
    hand.key(pygame.K_ESCAPE)
    attacks = hand.entries()[-1]["attacks"]
    assert isinstance(attacks, list) and attacks[0]["dice"] == [6, 8] and attacks[0]["name"] == "ceremonial dagger"
    hand.take("field attacks")
    hand.key(pygame.K_ESCAPE)
    hand.take("attacks 0 away")
    attacks = hand.entries()[-1]["attacks"]
    assert isinstance(attacks, list) and [attack["name"] for attack in attacks] == ["new"]


def test_a_fault_within_an_entry_stands_at_the_foot_of_its_form(hand: Hand) -> None:
    cairn(hand)
    hand.widget("field attacks")
    hand.take("attacks 0")
    hand.take("part dice")
    hand.key(pygame.K_END)
    hand.type(" 1")
    words = [str(getattr(w, "text", "")) for p in hand.app.top.ui.live() for w in p.walk()]
    assert any("Dice: number 2: greater than or equal to 2 is right" in text for text in words)


def test_where_anything_may_be_said_enter_takes_what_was_typed(hand: Hand) -> None:
    cairn(hand)
    hand.take("field narrative")
    hand.type("Hums.")
    hand.key(pygame.K_RETURN)
    told = hand.entries()[-1]["narrative"]
    assert isinstance(told, list) and told[-1] == "Hums."


# -- keys -----------------------------------------------------------------------------------------------


def test_arrows_move_the_cursor_and_enter_puts_down_who_was_searched_for(hand: Hand) -> None:
    hand.scene.cursor = (3, 3)
    hand.key(pygame.K_SLASH)
    assert hand.focus() == "search"
    hand.type("orc")
    hand.key(pygame.K_RETURN)
    assert hand.scene.brush == "orc" and hand.focus() == ""
    hand.key(pygame.K_RIGHT)
    hand.key(pygame.K_DOWN)
    hand.key(pygame.K_RETURN)
    assert hand.spots()["orc"] == (4, 4)
    hand.key(pygame.K_ESCAPE)
    assert hand.scene.brush is None


def test_tab_goes_round_and_arrows_move_who_is_selected(hand: Hand) -> None:
    hand.key(pygame.K_TAB)
    hand.key(pygame.K_TAB)
    assert [p.id for p in hand.scene.editor.chosen()] == ["goblin"]
    hand.key(pygame.K_LEFT)
    hand.key(pygame.K_LEFT)
    assert hand.spots()["goblin"] == (6, 3)
    hand.key(pygame.K_z, CTRL)
    assert hand.spots()["goblin"] == (8, 3), "a walk is one step back"


def test_shift_and_arrows_move_the_cursor_alone_so_that_keys_gather_a_group(hand: Hand) -> None:
    hand.key(pygame.K_TAB)
    hand.key(pygame.K_TAB)
    for code in [pygame.K_LEFT] * 6 + [pygame.K_UP]:
        hand.key(code, SHIFT)
    assert hand.scene.cursor == (2, 2) and hand.spots() == {"warrior": (2, 2), "goblin": (8, 3)}
    hand.key(pygame.K_RETURN, SHIFT)
    assert {p.id for p in hand.scene.editor.chosen()} == {"warrior", "goblin"}
    hand.key(pygame.K_DOWN)
    assert hand.spots() == {"warrior": (2, 3), "goblin": (8, 4)}


def test_laid_aside_the_hand_is_not_told_of_any_more(hand: Hand) -> None:
    hand.take("offer goblin")
    assert "in hand" in hand.scene.toast_text
    hand.key(pygame.K_ESCAPE)
    assert hand.scene.brush is None and not hand.scene.toast_text


def test_copy_paste_duplicate_cut_and_delete(hand: Hand) -> None:
    hand.key(pygame.K_TAB, SHIFT)
    hand.key(pygame.K_c, CTRL)
    hand.key(pygame.K_ESCAPE)
    hand.scene.cursor = (3, 4)
    hand.key(pygame.K_v, CTRL)
    assert hand.spots()["goblin_2"] == (3, 4)
    hand.key(pygame.K_d, CTRL)
    assert len(hand.entries()) == 4
    hand.key(pygame.K_DELETE)
    assert len(hand.entries()) == 3
    hand.key(pygame.K_a, CTRL)
    hand.key(pygame.K_x, CTRL)
    assert hand.entries() == []
    hand.key(pygame.K_z, CTRL)
    hand.key(pygame.K_y, CTRL)
    assert hand.entries() == []
    hand.key(pygame.K_z, CTRL)
    assert len(hand.entries()) == 3


def test_delete_in_a_field_removes_nobody(hand: Hand) -> None:
    hand.key(pygame.K_TAB)
    hand.key(pygame.K_RETURN)
    assert hand.focus() == "field name"
    hand.key(pygame.K_DELETE)
    hand.key(pygame.K_BACKSPACE)
    assert len(hand.entries()) == 2


def test_enter_on_nobody_leads_to_the_bestiary_and_on_a_door_turns_it(hand: Hand) -> None:
    hand.scene.cursor = (11, 2)
    hand.key(pygame.K_RETURN)
    assert hand.scene.editor.door_state(0) == "locked"
    hand.scene.cursor = (3, 3)
    hand.key(pygame.K_RETURN)
    assert hand.focus() == "search"


def test_f8_goes_from_problem_to_problem(hand: Hand) -> None:
    hand.scene.editor.set_field("brawn", 0, keys=[1])
    hand.scene.editor.set_field("nerve", 0, keys=[2])
    hand.scene.refresh()
    seen = []
    for _ in range(3):
        hand.key(pygame.K_F8)
        seen.append(([p.id for p in hand.scene.editor.chosen()], hand.focus()))
    assert seen == [(["warrior"], "field brawn"), (["goblin"], "field nerve"), (["warrior"], "field brawn")]


def test_escape_takes_back_one_layer_after_the_other_then_opens_the_menu(hand: Hand) -> None:
    hand.key(pygame.K_TAB)
    hand.key(pygame.K_RETURN)
    hand.key(pygame.K_ESCAPE)
    assert hand.focus() == "" and hand.scene.editor.selection
    hand.key(pygame.K_ESCAPE)
    assert not hand.scene.editor.selection
    hand.key(pygame.K_ESCAPE)
    assert isinstance(hand.app.top, Menu)
    hand.key(pygame.K_ESCAPE)
    assert isinstance(hand.app.top, Setup)


def test_help_and_keys_know_of_this_window(hand: Hand) -> None:
    hand.key(pygame.K_k, CTRL)
    assert isinstance(hand.app.top, Help)
    words = " ".join(str(getattr(w, "text", "")) for p in hand.app.top.ui.live() for w in p.walk())
    assert "Preparing an encounter" in words and "Duplicate" in words


# -- whole set-ups ----------------------------------------------------------------------------------------


def played(hand: Hand) -> Fight:
    fight = hand.app.top
    assert isinstance(fight, Fight)
    return fight


def test_a_whole_encounter_by_keys_alone_is_saved_and_played(hand: Hand) -> None:
    hand.app.navigator.title()
    hand.app.top.ui.set_focus(None)
    files.draft_path().unlink(missing_ok=True)
    while hand.focus() != "Prepare an encounter":
        hand.key(pygame.K_TAB)
    hand.key(pygame.K_RETURN)
    hand.key(pygame.K_n, CTRL)
    assert isinstance(hand.app.top, Maps)
    hand.type("bridge")
    hand.key(pygame.K_RETURN)
    assert hand.scene.map_title() == "The Broken Bridge"
    hand.key(pygame.K_t, CTRL)
    assert len(hand.entries()) == 4, "a ready party stands in its start zone"
    hand.key(pygame.K_ESCAPE)
    hand.key(pygame.K_f, CTRL)
    hand.type("wolf")
    hand.key(pygame.K_RETURN)
    for _ in range(3):
        hand.key(pygame.K_UP)
    hand.key(pygame.K_RETURN)
    hand.key(pygame.K_UP)
    hand.key(pygame.K_RETURN)
    assert sum(entry["template"] == "wolf" for entry in hand.entries()) == 2
    hand.key(pygame.K_s, CTRL)
    assert isinstance(hand.app.top, Save)
    for _ in range(40):
        hand.key(pygame.K_BACKSPACE)
    hand.type("wolves at the bridge")
    hand.key(pygame.K_RETURN)
    path = files.encounters_folder() / "wolves-at-the-bridge.json"
    assert path.is_file()
    hand.key(pygame.K_RETURN, CTRL)
    fight = played(hand)
    assert sorted(m.side for m in fight.board.miniatures) == ["heroes"] * 4 + ["monsters"] * 2
    said = json.loads(path.read_text(encoding="utf-8"))
    assert said["map"] == {"tmx": "ruined_bridge.tmx"} and said["commands"] == []
    path.unlink()


def test_a_whole_encounter_by_mouse_alone_is_saved_and_played(hand: Hand) -> None:
    hand.app.navigator.title()
    files.draft_path().unlink(missing_ok=True)
    hand.press("Prepare an encounter")
    hand.take("bar New")
    assert isinstance(hand.app.top, Maps)
    hand.press(f"map {next(path for path in encounter.playable_maps() if path.stem == 'tavern')}")
    before = len(hand.entries())
    hand.take("party")
    assert len(hand.entries()) == before + 4
    ground = hand.scene.editor.ground
    assert ground is not None and hand.scene.loaded is not None
    free = [ground.at(c) for c in hand.scene.loaded.spawn_cells("monsters")]
    free = [spot for spot in free if not hand.scene.editor.room(spot, 1)]
    offer = hand.widget("offer bandit").rect.center
    hand.drag(offer, (offer[0] + 30, offer[1]), hand.pixel(free[0]))
    assert len(hand.entries()) == before + 5
    hand.take("bar Save")
    hand.press("save now")
    (path,) = files.encounters()
    hand.take("play")
    assert len(played(hand).board.miniatures) == before + 5
    path.unlink()


def test_a_kept_encounter_is_opened_again_for_editing(hand: Hand, tmp_path: Path) -> None:
    files.save(hand.scene.editor.draft, tmp_path / "pillar.json")
    hand.key(pygame.K_a, CTRL)
    hand.key(pygame.K_DELETE)
    hand.key(pygame.K_l, CTRL)
    assert isinstance(hand.app.top, Records)
    hand.type(str(tmp_path / "pillar.json"))
    hand.key(pygame.K_RETURN)
    assert hand.spots() == {"warrior": (2, 2), "goblin": (8, 3)} and not hand.scene.editor.unsaved


def test_the_draft_is_there_again_after_the_window_was_left(hand: Hand) -> None:
    hand.scene.editor.place("orc", "monsters", (4, 4))
    hand.scene.refresh()
    hand.take("bar Menu")
    hand.press("Leave for the title")
    assert isinstance(hand.app.top, Title)
    hand.app.navigator.prepare()
    assert hand.spots()["orc"] == (4, 4)


def test_not_even_a_crash_loses_the_draft(hand: Hand) -> None:
    hand.scene.editor.place("orc", "monsters", (4, 4))
    hand.scene.refresh()
    hand.turn(8)
    kept = files.kept()
    assert kept is not None and [piece.id for piece in kept.pieces] == ["warrior", "goblin", "orc"]


def test_a_table_that_was_not_saved_is_set_aside_when_another_takes_its_place(hand: Hand) -> None:
    hand.scene.editor.place("orc", "monsters", (4, 4))
    hand.scene.refresh()
    hand.key(pygame.K_n, CTRL)
    hand.type("crypt")
    hand.key(pygame.K_RETURN)
    assert not hand.entries()
    hand.key(pygame.K_l, CTRL)
    hand.press(str(files.aside()[0]))
    assert hand.spots()["orc"] == (4, 4) and hand.scene.path is None and hand.scene.editor.unsaved
    for path in files.aside():
        path.unlink()


def test_a_search_begins_anew_and_is_cleared_by_its_sign(hand: Hand) -> None:
    hand.key(pygame.K_f, CTRL)
    hand.type("wolf")
    hand.key(pygame.K_ESCAPE)
    hand.take("clear search")
    assert hand.scene.query == ""
    hand.key(pygame.K_f, CTRL)
    hand.type("wolf")
    hand.key(pygame.K_RETURN)
    hand.key(pygame.K_f, CTRL)
    hand.type("orc")
    assert hand.scene.query == "orc"


def test_a_broken_record_is_one_line_and_the_table_stays(hand: Hand, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"format": "battlemat/1", "ruleset": "olde"}', encoding="utf-8")
    pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(bad)))
    hand.turn()
    assert isinstance(hand.app.top, Message) and "bad.json" in hand.app.top.text
    hand.key(pygame.K_ESCAPE)
    assert hand.spots() == {"warrior": (2, 2), "goblin": (8, 3)}


def test_with_problems_it_can_be_saved_and_not_played(hand: Hand, tmp_path: Path) -> None:
    hand.scene.editor.set_field("brawn", 0, keys=[1])
    hand.scene.refresh()
    hand.key(pygame.K_RETURN, CTRL)
    assert isinstance(hand.app.top, Setup) and hand.scene.toast_text.startswith("Not yet")
    assert hand.scene.save(tmp_path / "weak.json")
    assert files.load(tmp_path / "weak.json")[0].pieces[0].entry["brawn"] == 0


# -- the look -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [75, 100, 150, 200])
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (800, 600)])
def test_panels_stay_in_the_window_and_apart(hand: Hand, scale: int, size: tuple[int, int]) -> None:
    app = hand.app
    app.surface = pygame.display.set_mode(size)
    app.settings.scale = scale
    hand.scene.select([2])
    app.refit()
    window = pygame.Rect((0, 0), size)
    rects = [panel.rect for panel, _ in hand.scene.ui.layers]
    assert all(window.contains(rect) for rect in rects)
    assert not any(a.colliderect(b) for n, a in enumerate(rects) for b in rects[n + 1 :])
    free = hand.scene.camera.free
    assert free.width > size[0] // 5 and free.height > size[1] // 3
    app.draw()


def test_an_idle_table_rests(hand: Hand) -> None:
    hand.turn(30)
    hand.app.draw()
    hand.turn(3)
    assert not hand.scene.dirty and hand.scene.pace() is None


# -- to the fight and back ----------------------------------------------------------------------------------


def test_the_fights_menu_leads_back_to_the_table(hand: Hand) -> None:
    table = hand.scene
    hand.key(pygame.K_RETURN, CTRL)
    played(hand)
    hand.key(pygame.K_ESCAPE)
    hand.press("Back to the table")
    assert hand.app.top is table and hand.spots() == {"warrior": (2, 2), "goblin": (8, 3)}


def test_a_fight_that_was_not_prepared_has_no_table_to_go_back_to(hand: Hand) -> None:
    hand.app.navigator.begin(record())
    assert hand.app.navigator.way_back() is None


def test_the_list_of_saved_fights_leads_to_the_prepared_encounters(hand: Hand) -> None:
    files.save(hand.scene.editor.draft, files.target("by the pillar"))
    hand.app.navigator.title()
    hand.press("Load")
    hand.press("Prepared encounters")
    assert isinstance(hand.app.top, Records)
    hand.press(str(files.target("by the pillar")))
    assert hand.app.top is hand.scene and hand.scene.path == files.target("by the pillar")
    files.target("by the pillar").unlink()


def test_a_name_to_save_under_is_the_title_where_there_is_none(hand: Hand) -> None:
    hand.key(pygame.K_s, CTRL)
    hand.key(pygame.K_a, CTRL)
    hand.key(pygame.K_BACKSPACE)
    hand.type("The Old Mill")
    hand.key(pygame.K_RETURN)
    assert hand.scene.editor.draft.title == "The Old Mill" and not hand.scene.editor.unsaved
    hand.scene.path.unlink() if hand.scene.path else None


# -- the table's own dice ---------------------------------------------------------------------------------


def test_a_character_is_rolled_up_swapped_and_put_down(hand: Hand) -> None:
    cairn(hand)
    hand.take("tools")
    panel = hand.app.top
    assert isinstance(panel, Tools)
    panel.seed = lambda: 7
    hand.press("use character")
    assert panel.answer is not None and len(panel.answer.creatures) > 1
    made = panel.answer.creatures[1].block
    before = len(hand.scene.editor.draft.pieces)
    hand.press("put 1")
    assert hand.app.top is hand.scene and len(hand.scene.editor.draft.pieces) == before + 1
    piece = hand.scene.editor.draft.pieces[-1]
    assert {key: piece.entry[key] for key in made if key != "name"} == {k: v for k, v in made.items() if k != "name"}
    assert piece.side == "heroes" and hand.scene.editor.selection == (piece.key,)
    assert not [p for p in hand.scene.editor.problems() if p.key == piece.key]


def test_reactions_and_fate_are_told_with_their_dice(hand: Hand) -> None:
    cairn(hand)
    hand.take("tools")
    panel = hand.app.top
    assert isinstance(panel, Tools)
    for tool in ("reaction", "fate"):
        hand.press(f"use {tool}")
        assert panel.answer is not None and len(panel.answer.rolls) == 1
        words = [str(getattr(w, "text", "")) for p in panel.ui.live() for w in p.walk()]
        assert panel.answer.told in words
    hand.key(pygame.K_ESCAPE)
    assert hand.app.top is hand.scene


def test_rules_without_tools_have_no_button_for_them(hand: Hand) -> None:
    assert not [w for p in hand.app.top.ui.live() for w in p.walk() if w.key == "tools"]


# -- other rules -----------------------------------------------------------------------------------------


def test_before_other_rules_it_is_said_what_cannot_come_along(hand: Hand) -> None:
    scene = hand.scene
    scene.editor.set_field("brawn", 9, keys=[1])
    scene.refresh()
    hand.take("tab encounter")
    hand.take("ruleset")
    hand.press("pick Cairn")
    assert isinstance(hand.app.top, OtherRules)
    assert any("Brawn 9" in getattr(w, "text", "") for p in hand.app.top.ui.live() for w in p.walk())
    hand.key(pygame.K_ESCAPE)
    assert scene.ruleset == "olde" and scene.editor.unsaved
    hand.take("ruleset")
    hand.press("pick Cairn")
    hand.press("change rules")
    assert scene.ruleset == "cairn"
    hand.take("ruleset")
    hand.press("pick Dungeons of Olde")
    assert scene.ruleset == "olde" and hand.entries()[0]["brawn"] == 9
    assert scene.toast_text == "Everybody is as they were last under Dungeons of Olde."


def test_on_a_sketch_without_start_zones_party_and_foes_stand_apart(hand: Hand) -> None:
    rows = ["#" * 30, *(["#" + "." * 28 + "#"] * 10), "#" * 30]
    draft = drafts.from_record(records.read({**record(), "map": {"rows": rows}}))
    hand.app.push(Setup(hand.app, dataclasses.replace(draft, pieces=draft.pieces[1:])))
    hand.turn()
    hand.take("party")
    spots = [spot for name, spot in hand.spots().items() if name != "goblin"]
    assert len(spots) == 4
    assert all(max(abs(s[0] - 8), abs(s[1] - 3)) >= 8 for s in spots)
    assert all(max(abs(s[0] - spots[0][0]), abs(s[1] - spots[0][1])) <= 4 for s in spots)


# -- saving ------------------------------------------------------------------------------------------------


def test_a_named_encounter_is_saved_again_without_being_asked_for_its_name(hand: Hand) -> None:
    hand.key(pygame.K_s, CTRL)
    assert isinstance(hand.app.top, Save)
    hand.key(pygame.K_a, CTRL)
    hand.type("mill")
    hand.key(pygame.K_RETURN)
    hand.click(hand.pixel((2, 2)))
    hand.key(pygame.K_DOWN)
    hand.key(pygame.K_s, CTRL)
    assert hand.app.top is hand.scene and not hand.scene.editor.unsaved
    kept, _ = files.load(files.target("mill"))
    assert kept.pieces[0].spot == (2, 3)
    hand.key(pygame.K_s, CTRL | SHIFT)
    assert isinstance(hand.app.top, Save)
    hand.key(pygame.K_ESCAPE)
    hand.scene.keep()
    again = Setup(hand.app)
    assert again.path == files.target("mill"), "nor after the window was left"
    files.target("mill").unlink()
    assert Setup(hand.app).path is None


def test_a_fight_that_is_edited_from_its_start_is_never_overwritten(hand: Hand, tmp_path: Path) -> None:
    said = record() | {"commands": [{"by": "warrior", "do": "end"}]}
    fight = tmp_path / "fight.json"
    fight.write_text(json.dumps(said))
    hand.scene.open_record(fight)
    assert hand.scene.path is None
    hand.key(pygame.K_s, CTRL)
    assert isinstance(hand.app.top, Save)


def test_a_list_of_gear_gives_the_figures_of_each_thing(hand: Hand) -> None:
    hand.click(hand.pixel((2, 2)))
    hand.take("field weapons")
    hand.app.draw()
    costs = {w.key: w.cost for p in hand.app.top.ui.live() for w in p.walk() if isinstance(w, Button)}
    assert costs["pick broadsword"].startswith("d8 · reach 1")
    hand.key(pygame.K_ESCAPE)
    hand.take("field armor")
    hand.app.draw()
    costs = {w.key: w.cost for p in hand.app.top.ui.live() for w in p.walk() if isinstance(w, Button)}
    assert costs["pick leather"] == "damage −1"


def test_every_key_of_the_table_of_keys_has_a_command(hand: Hand) -> None:
    named = {command.name for command in hand.app.keys.commands if command.name.startswith("setup_")}
    assert named == {name for name in (*commands.ON_BOARD, *commands.ANYWHERE) if name.startswith("setup_")}


def test_a_table_of_one_seat_says_what_seats_are_for_and_counts_none(hand: Hand) -> None:
    button = hand.widget("seats")
    assert isinstance(button, Button) and button.label == "Seats, clock and real dice"

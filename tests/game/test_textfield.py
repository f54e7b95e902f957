"""A line of text under a writer's hands: selection by keys and by mouse, words, and the clipboard."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.scenes.base import Scene
from game.widgets.fields import Memory, TextField, word_at, word_end
from tests.game.player import Player

CTRL, SHIFT = pygame.KMOD_LCTRL, pygame.KMOD_LSHIFT
LEFT, RIGHT, HOME, END = pygame.K_LEFT, pygame.K_RIGHT, pygame.K_HOME, pygame.K_END


class Desk(Scene):
    """A scene of one line, which it makes anew with each letter, as all our scenes do."""

    name = "desk"

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.text, self.memory = "", Memory()

    def build(self) -> None:
        self.ui.add(TextField("line", self.text, self._typed, self.memory), pygame.Rect(100, 100, 300, 32))

    def _typed(self, text: str) -> None:
        self.text = text
        self.rebuild()


class Writer(Player):
    @property
    def field(self) -> TextField:
        (panel,) = self.app.top.ui.live()
        assert isinstance(panel, TextField)
        return panel

    @property
    def text(self) -> str:
        assert isinstance(self.app.top, Desk)
        return self.app.top.text

    def begin(self, text: str) -> Writer:
        desk = self.app.top
        assert isinstance(desk, Desk)
        desk.text = text
        desk.rebuild()
        desk.ui.set_focus(self.field)
        desk.draw(self.app.surface)
        return self

    def type(self, text: str) -> Writer:
        for letter in text:
            self.key(ord(letter.lower()), SHIFT if letter.isupper() else 0, letter)
        return self

    def keys(self, *codes: int, mod: int = 0) -> Writer:
        for code in codes:
            self.key(code, mod)
        return self

    def at(self, place: int) -> tuple[int, int]:
        """The pixel between two letters."""
        look = self.app.look
        wide = look.font("text").size(self.field.value[:place])[0]
        return self.field.rect.left + look.px(8) + wide, self.field.rect.centery


@pytest.fixture
def writer() -> Iterator[Writer]:
    app = App((640, 360), settings=Settings(speed=0, autosave=False))
    pygame.event.clear()
    app.navigator.title()
    app.push(Desk(app))
    yield Writer(app)
    pygame.event.clear()
    app.quit()


def test_all_is_selected_and_what_is_typed_takes_its_place(writer: Writer) -> None:
    writer.begin("Grak the Bold").keys(pygame.K_a, mod=CTRL)
    assert writer.field.selected == "Grak the Bold"
    assert writer.type("Snag").text == "Snag"


@pytest.mark.parametrize(
    ("keys", "mod", "selected"),
    [
        ([LEFT, LEFT], SHIFT, "ld"),
        ([HOME], SHIFT, "Grak the Bold"),
        ([LEFT], SHIFT | CTRL, "Bold"),
        ([LEFT, LEFT], SHIFT | CTRL, "the Bold"),
        ([LEFT, LEFT, RIGHT], SHIFT | CTRL, " Bold"),
    ],
)
def test_shift_selects_from_where_the_caret_was(writer: Writer, keys: list[int], mod: int, selected: str) -> None:
    assert writer.begin("Grak the Bold").keys(*keys, mod=mod).field.selected == selected


def test_shift_and_end_select_the_rest_and_an_arrow_lets_go_of_it(writer: Writer) -> None:
    writer.begin("Grak").keys(HOME).keys(END, mod=SHIFT)
    assert writer.field.selected == "Grak"
    writer.keys(LEFT)
    assert writer.field.selected == "" and writer.field.caret == 0


def test_rubbing_out_takes_what_is_selected_and_with_ctrl_a_word(writer: Writer) -> None:
    writer.begin("Grak the Bold").keys(LEFT, LEFT, mod=SHIFT).keys(pygame.K_BACKSPACE)
    assert writer.text == "Grak the Bo"
    assert writer.keys(pygame.K_BACKSPACE, mod=CTRL).text == "Grak the "
    assert writer.keys(HOME).keys(pygame.K_DELETE, mod=CTRL).text == " the "


def test_copy_cut_and_paste_go_by_the_clipboard_of_all_programs(writer: Writer) -> None:
    writer.begin("Grak the Bold").keys(LEFT, mod=SHIFT | CTRL).keys(pygame.K_c, mod=CTRL)
    assert pygame.scrap.get_text() == "Bold" and writer.field.value == "Grak the Bold"
    writer.keys(HOME).keys(pygame.K_v, mod=CTRL)
    assert writer.text == "BoldGrak the Bold"
    writer.keys(pygame.K_a, mod=CTRL).keys(pygame.K_x, mod=CTRL)
    assert writer.text == "" and pygame.scrap.get_text() == "BoldGrak the Bold"
    pygame.scrap.put_text("two\nlines")
    assert writer.keys(pygame.K_INSERT, mod=SHIFT).text == "two lines"


def test_nothing_selected_copies_nothing(writer: Writer) -> None:
    pygame.scrap.put_text("kept")
    writer.begin("Grak").keys(pygame.K_c, mod=CTRL).keys(pygame.K_x, mod=CTRL)
    assert pygame.scrap.get_text() == "kept" and writer.field.value == "Grak"


def test_a_drag_selects_and_a_click_with_shift_reaches_to_it(writer: Writer) -> None:
    writer.begin("Grak the Bold")
    writer.move(writer.at(0))
    writer.button(writer.at(0), down=True)
    writer.move(writer.at(4))
    writer.button(writer.at(4), down=False)
    assert writer.field.selected == "Grak"
    down = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_LSHIFT, mod=0, unicode="", scancode=0)
    pygame.event.post(down)
    writer.click(writer.at(8))
    assert writer.field.selected == "Grak the"


def test_two_clicks_take_the_word_and_three_the_line(writer: Writer) -> None:
    writer.begin("Grak the Bold")
    writer.click(writer.at(6))
    assert writer.field.selected == "" and writer.field.caret == 6
    writer.click(writer.at(6))
    assert writer.field.selected == "the"
    writer.click(writer.at(6))
    assert writer.field.selected == "Grak the Bold"


def test_what_is_selected_is_seen(writer: Writer) -> None:
    writer.begin("Grak the Bold")
    writer.app.draw()
    before = pygame.image.tobytes(writer.app.surface, "RGB")
    writer.keys(pygame.K_a, mod=CTRL)
    writer.app.draw()
    look, (x, y) = writer.app.look, writer.at(5)
    assert pygame.image.tobytes(writer.app.surface, "RGB") != before
    assert writer.app.surface.get_at((x - look.px(2), y - 7))[:3] == look.colour("golddeep")[:3]


def test_keys_of_commands_are_the_fields_own_while_it_is_written_in(writer: Writer) -> None:
    """Ctrl+A selects everybody in a set-up, Ctrl+C copies creatures: not while somebody writes."""
    writer.begin("Grak")
    event = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_a, mod=CTRL, unicode="", scancode=0)
    assert writer.field.wants(event)
    plain = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_F8, mod=0, unicode="", scancode=0)
    assert not writer.field.wants(plain)


def test_letters_written_with_ctrl_and_alt_are_letters(writer: Writer) -> None:
    writer.begin("")
    writer.key(pygame.K_q, CTRL | pygame.KMOD_LALT, "@")
    assert writer.text == "@"


def test_words_end_at_what_is_no_letter() -> None:
    assert [word_end("two, three", place, 1) for place in (0, 3, 10)] == [3, 10, 10]
    assert [word_end("two, three", place, -1) for place in (10, 5, 0)] == [5, 0, 0]
    assert word_at("two, three", 1) == (0, 3) and word_at("two, three", 4) == (3, 5) and word_at("", 0) == (0, 0)

"""The widgets: nothing overlaps or is cut, the focus goes round, the log grows at no cost."""

from __future__ import annotations

import pygame
import pytest

from game.app.settings import Settings
from game.widgets.controls import Button, Label, Slider, Toggle
from game.widgets.core import Box, Scroll, Space, Tip, column, row
from game.widgets.figures import Chart
from game.widgets.menu import Tile
from game.widgets.story import Entry, Story
from game.widgets.text import Block, Die, Piece, Run, called, in_lines, shortened
from game.widgets.theme import Look, fitting_scale, load_theme
from game.widgets.ui import KEY_TIP_DELAY, TIP_DELAY, Ui, tip_place
from rules.contract.errors import BattlematError


@pytest.fixture
def look() -> Look:
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode((800, 600))
    return Look(load_theme(), 1.0)


def key(code: int, mod: int = 0, text: str = "") -> pygame.event.Event:
    return pygame.event.Event(pygame.KEYDOWN, key=code, mod=mod, unicode=text, scancode=0)


def press(pos: tuple[int, int], button: int = 1) -> list[pygame.event.Event]:
    return [
        pygame.event.Event(pygame.MOUSEMOTION, pos=pos, rel=(0, 0), buttons=(0, 0, 0)),
        pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=pos, button=button),
        pygame.event.Event(pygame.MOUSEBUTTONUP, pos=pos, button=button),
    ]


@pytest.mark.parametrize("width", [40, 90, 200])
def test_wrapped_text_stays_inside_its_width(look: Look, width: int) -> None:
    block = Block(
        look, [Run("A broadsword of quite "), Run("unpronounceability", style="text!"), Die("6", True)], width
    )
    assert all(part.x >= 0 and part.x + part.surface.get_width() <= width for part in block.placed)
    assert block.size[1] >= max(part.y + part.surface.get_height() for part in block.placed)


def test_lines_of_a_block_do_not_overlap(look: Look) -> None:
    block = Block(look, [Run("one two three four five six seven eight nine ten " * 3)], 120)
    rows = sorted({part.y for part in block.placed})
    high = max(part.surface.get_height() for part in block.placed)
    assert all(b - a >= high for a, b in zip(rows, rows[1:], strict=False))


def test_shortened_text_fits_and_says_that_it_is_short(look: Look) -> None:
    font = look.font()
    text = shortened(font, "Captain of the Broken Bridge", 90)
    assert text.endswith("…") and font.size(text)[0] <= 90
    assert shortened(font, "Rat", 90) == "Rat"


@pytest.mark.parametrize("scale", [0.75, 1.0, 1.5, 2.0])
def test_a_column_gives_each_child_its_own_room_at_any_scale(scale: float) -> None:
    pygame.font.init()
    look = Look(load_theme(), scale)
    box = column(*(Label(f"Line {n} that may well wrap at this width") for n in range(6)), pad=10)
    box.place(look, pygame.Rect(0, 0, 160, box.measure(look, 160)[1]))
    rects = [child.rect for child in box.content]
    assert all(a.bottom <= b.top for a, b in zip(rects, rects[1:], strict=False))
    assert rects[-1].bottom <= box.rect.bottom


def test_a_wrapping_row_breaks_instead_of_leaving_its_box(look: Look) -> None:
    box = Box(*(Button(f"Action {n}", lambda: None) for n in range(9)), across=True, wrap=True)
    box.place(look, pygame.Rect(0, 0, 300, box.measure(look, 300)[1]))
    assert all(box.rect.contains(child.rect) for child in box.content)
    assert len({child.rect.top for child in box.content}) > 1


def test_growing_children_take_what_is_left(look: Look) -> None:
    gap = Space(grow=1)
    last = Button("End", lambda: None)
    box = row(Button("Go", lambda: None), gap, last)
    box.place(look, pygame.Rect(0, 0, 500, 60))
    assert last.rect.right == 500 and gap.rect.width > 200


def test_tab_goes_round_the_ring_and_skips_what_is_disabled(look: Look) -> None:
    ui = Ui(look)
    buttons = [Button("A", lambda: None), Button("B", lambda: None, enabled=False), Button("C", lambda: None)]
    ui.add(column(*buttons), pygame.Rect(0, 0, 200, 200))
    visited = []
    for _ in range(3):
        ui.handle(key(pygame.K_TAB))
        assert isinstance(ui.focus, Button)
        visited.append(ui.focus.label)
    assert visited == ["A", "C", "A"]
    ui.handle(key(pygame.K_TAB, pygame.KMOD_SHIFT))
    assert isinstance(ui.focus, Button) and ui.focus.label == "C"


def test_enter_and_space_press_the_focused_button(look: Look) -> None:
    pressed: list[str] = []
    ui = Ui(look)
    ui.add(column(Button("Go", lambda: pressed.append("go"))), pygame.Rect(0, 0, 200, 100))
    for code in (pygame.K_RETURN, pygame.K_SPACE):
        ui.handle(key(pygame.K_TAB))
        ui.handle(key(code))
    assert pressed == ["go", "go"]


def test_a_disabled_button_does_nothing_but_tells_its_reason(look: Look) -> None:
    told: list[str] = []
    button = Button("Climb", lambda: told.append("climbed"), enabled=False, tip=Tip("no stairs"))
    button.on_refused = lambda: told.append("no stairs")
    ui = Ui(look)
    ui.add(column(button), pygame.Rect(0, 0, 200, 60))
    for event in press(button.rect.center):
        ui.handle(event)
    assert told == ["no stairs"]


def test_letting_go_elsewhere_takes_a_press_back(look: Look) -> None:
    pressed: list[int] = []
    button = Button("Go", lambda: pressed.append(1))
    ui = Ui(look)
    ui.add(column(button), pygame.Rect(0, 0, 200, 60))
    ui.handle(press(button.rect.center)[1])
    ui.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(700, 500), button=1))
    assert pressed == []


def test_a_modal_panel_alone_is_answered(look: Look) -> None:
    pressed: list[str] = []
    below, above = (Button("Below", lambda: pressed.append("below")), Button("Above", lambda: pressed.append("above")))
    ui = Ui(look)
    ui.add(column(below), pygame.Rect(0, 0, 200, 60))
    ui.add(column(above), pygame.Rect(300, 300, 200, 60), modal=True)
    for event in press(below.rect.center):
        ui.handle(event)
    for event in press(above.rect.center):
        ui.handle(event)
    assert pressed == ["above"]
    assert ui.focus is above


def test_the_focus_survives_a_rebuild_by_key(look: Look) -> None:
    ui = Ui(look)
    ui.add(column(Button("A", lambda: None), Button("B", lambda: None)), pygame.Rect(0, 0, 200, 200))
    ui.step(1)
    ui.step(1)
    ui.clear()
    again = Button("B", lambda: None)
    ui.add(column(Button("A", lambda: None), again), pygame.Rect(0, 0, 200, 200))
    assert ui.focus is again


def test_a_tooltip_waits_then_shows(look: Look) -> None:
    ui = Ui(look)
    ui.add(column(Label("Brawn", tip=Tip("Strength of arm"))), pygame.Rect(0, 0, 200, 60))
    ui.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=(5, 5), rel=(0, 0), buttons=(0, 0, 0)))
    assert ui.waiting and not ui.update(TIP_DELAY / 2)
    assert ui.update(TIP_DELAY)
    assert not ui.waiting


def test_who_has_keys_alone_is_told_what_the_pointer_would_be(look: Look) -> None:
    ui = Ui(look)
    first, second = Button("A", lambda: None), Button("B", lambda: None, tip=Tip("Second letter"))
    ui.add(column(first, second), pygame.Rect(0, 0, 200, 200))
    ui.handle(key(pygame.K_TAB))
    assert ui.told is None
    ui.handle(key(pygame.K_TAB))
    assert ui.told == Tip("Second letter") and ui.waiting
    assert ui.update(KEY_TIP_DELAY)
    ui.handle(key(pygame.K_RETURN))
    assert ui.told is None  # pressing it is an answer of its own


def test_a_click_tells_nothing_of_what_it_gave_the_focus(look: Look) -> None:
    ui = Ui(look)
    button = Button("B", lambda: None, tip=Tip("Second letter"))
    ui.add(column(button), pygame.Rect(0, 0, 200, 200))
    for event in press(button.rect.center):
        ui.handle(event)
    assert ui.focus is button and ui.told is None
    ui.by_keys = True
    ui.clear()
    ui.add(column(button), pygame.Rect(0, 0, 200, 200))
    assert ui.focus is button and ui.told is None


def test_the_focus_goes_from_panel_to_panel_and_lands_where_it_should(look: Look) -> None:
    ui, story = Ui(look), Story()
    buttons = [Button(name, lambda: None, key=name) for name in "ABCD"]
    buttons[2].enabled = False
    ui.add(column(buttons[0], buttons[1]), pygame.Rect(0, 0, 200, 90))
    ui.add(column(buttons[2]), pygame.Rect(0, 100, 200, 40))
    ui.add(column(buttons[3], story), pygame.Rect(0, 150, 200, 200))
    seen = []
    for _ in range(3):
        ui.step_panel()
        seen.append(ui.focus)
    assert seen == [buttons[0], story, buttons[0]], "a panel where nothing can be pressed is passed over"


def test_a_scroll_area_brings_the_focus_into_sight(look: Look) -> None:
    buttons = [Button(f"B{n}", lambda: None) for n in range(30)]
    scroll = Scroll(column(*buttons))
    ui = Ui(look)
    ui.add(scroll, pygame.Rect(0, 0, 200, 150))
    ui.step(-1)
    assert ui.focus is buttons[-1]
    assert scroll.rect.contains(buttons[-1].rect)


def test_sliders_and_toggles_obey_keys_and_keep_their_ends(look: Look) -> None:
    values: list[object] = []
    slider = Slider("Scale", 100, (75, 200), 50, values.append)
    for code in (pygame.K_RIGHT, pygame.K_RIGHT, pygame.K_RIGHT, pygame.K_LEFT):
        slider.handle(key(code))
    toggle = Toggle("Motion", False, values.append)
    toggle.handle(key(pygame.K_SPACE))
    assert values == [150, 200, 150, True]


def test_a_tile_counts_down_by_right_click_and_minus(look: Look) -> None:
    less: list[int] = []
    tile = Tile("Goblin", "", lambda size: pygame.Surface((size, size)), lambda: None, on_less=lambda: less.append(1))
    ui = Ui(look)
    ui.add(column(tile), pygame.Rect(0, 0, 200, 60))
    ui.handle(press(tile.rect.center, button=3)[1])
    tile.handle(key(pygame.K_MINUS))
    assert less == [1, 1]


def test_appending_to_the_log_lays_out_one_line_only(look: Look) -> None:
    story = Story()
    story.place(look, pygame.Rect(0, 0, 260, 200))
    laid: list[Entry] = []
    measure = story._height

    def counted(entry: Entry) -> int:
        laid.append(entry)
        return measure(entry)

    story._height = counted  # type: ignore[method-assign]
    for number in range(2000):
        story.append(Entry([Run(f"Line {number}")]))
    assert len(laid) == 2000


def test_the_log_follows_its_end_until_one_scrolls_up(look: Look) -> None:
    story = Story()
    story.place(look, pygame.Rect(0, 0, 260, 100))
    story.extend(Entry([Run(f"Line {number}")]) for number in range(50))
    end = story._offset
    assert end == story._total - 100
    story.handle(pygame.event.Event(pygame.MOUSEWHEEL, y=3, x=0))
    up = story._offset
    story.append(Entry([Run("news")]))
    assert up < end and story._offset == up


@pytest.mark.parametrize("details", [[], [[Die("5")]]])
def test_no_word_of_a_line_runs_into_its_marks(look: Look, details: list[list[Piece]]) -> None:
    for wide in range(200, 300):
        story = Story()
        story.place(look, pygame.Rect(0, 0, wide, 200))
        story.append(Entry([Run("a word " * 40)], details, asks=True))
        block, _ = story._blocks(story.entries[0])
        assert block.size[0] < story.mark(0).left


def test_a_log_line_unfolds_its_rolls_on_a_click(look: Look) -> None:
    story = Story()
    story.place(look, pygame.Rect(0, 0, 260, 200))
    story.append(Entry([Run("Snag strikes")], [[Die("5"), Run(" = 5")]]))
    folded = story._total
    story.handle(press((10, 5))[1])
    assert not story.entries[0].folded and story._total > folded


def rolled(number: int) -> Entry:
    return Entry([Run(f"Line {number}")], [[Die("5"), Run(" = 5")]])


def test_after_a_click_in_the_log_a_button_leads_to_the_newest_line_and_it_follows_again(look: Look) -> None:
    story = Story()
    story.place(look, pygame.Rect(0, 0, 260, 100))
    story.extend(rolled(number) for number in range(50))
    assert story.newest is None
    story.handle(press((10, 5))[1])
    story.append(rolled(50))
    story.append(rolled(51))
    assert story._offset < story._bottom() and story.unread == 2
    assert story.newest is not None and pygame.Rect(0, 0, 260, 100).contains(story.newest)
    tip = story.tip_at(story.newest.center)
    assert tip is not None and tip.title == "Newest (End)"
    story.handle(press(story.newest.center)[1])
    assert story._offset == story._bottom() and story.newest is None and not story.unread
    story.append(rolled(52))
    assert story._offset == story._bottom()


def test_unfolding_the_last_line_shows_its_rolls_and_the_log_still_follows(look: Look) -> None:
    story = Story()
    story.place(look, pygame.Rect(0, 0, 260, 100))
    story.extend(rolled(number) for number in range(50))
    story.handle(press((10, 90))[1])
    assert not story.entries[-1].folded and story._offset == story._bottom()
    story.append(rolled(50))
    assert story._offset == story._bottom()


def test_a_line_that_changes_keeps_its_place_and_stays_unfolded(look: Look) -> None:
    story = Story()
    story.place(look, pygame.Rect(0, 0, 260, 100))
    story.extend(rolled(number) for number in range(5))
    story.toggle(2)
    story.replace(2, rolled(7))
    assert not story.entries[2].folded and story.entries[2].pieces == [Run("Line 7")]
    assert story._tops == sorted(story._tops) and story._total == sum(e.height for e in story.entries)


def test_panels_never_outgrow_the_window() -> None:
    assert fitting_scale(200, (1280, 720)) == pytest.approx(2.0)
    assert fitting_scale(200, (640, 400)) == pytest.approx(1.0)
    assert fitting_scale(200, (3840, 2160)) >= 2.0
    assert fitting_scale(75, (1280, 720)) == pytest.approx(0.75)


def test_a_chart_tells_the_figure_under_the_pointer(look: Look) -> None:
    chart = Chart([("0 harm", 0.25, "blue"), ("1 harm", 0.75, "coral")])
    chart.place(look, pygame.Rect(0, 0, 100, 40))
    tip = chart.tip_at((80, 10))
    assert tip is not None and tip.text == "1 harm: 75.0%"


def test_a_broken_theme_is_one_clear_line(tmp_path: object) -> None:
    from pathlib import Path

    path = Path(str(tmp_path)) / "bad.toml"
    path.write_text("[colours]\nnight = 'no colour'\n[lengths]\n[sizes]\n")
    with pytest.raises(BattlematError, match=r"bad\.toml"):
        load_theme(path)


def test_settings_refuse_a_scale_beyond_the_ends() -> None:
    with pytest.raises(ValueError, match="200"):
        Settings(scale=300)


def test_a_press_survives_panels_made_anew_between_down_and_up(look: Look) -> None:
    pressed: list[str] = []

    def build(ui: Ui) -> Button:
        button = Button("Attack", lambda: pressed.append("attack"))
        ui.clear()
        ui.add(button, pygame.Rect(10, 10, 100, 40))
        ui.finish()
        return button

    ui = Ui(look)
    build(ui)
    ui.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(20, 20), button=1))
    build(ui)
    ui.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(20, 20), button=1))
    assert pressed == ["attack"]


@pytest.mark.parametrize(
    ("name", "letters", "told"),
    [
        ("Skeleton archer 2", 30, "Skeleton archer 2"),
        ("Skeleton archer 2", 12, " 2"),
        ("Pip Underbough", 6, "Pip"),
        ("Brother Osric Vale", 13, "Brother Osric"),
        ("Wrecker at the gate", 14, "Wrecker"),
        ("Wrecker asleep at the gate", 17, "Wrecker asleep"),
    ],
)
def test_a_short_name_keeps_its_number_or_its_first_words(look: Look, name: str, letters: int, told: str) -> None:
    font = look.font("small")
    short = called(font, name, font.size("n" * letters)[0])
    assert short.endswith(told) and font.size(short)[0] <= font.size("n" * letters)[0]


@pytest.mark.parametrize(
    ("name", "letters", "told"),
    [
        ("Hedda Brandt", 14, ("Hedda Brandt",)),
        ("Wrecker at the gate", 12, ("Wrecker", "at the gate")),
        ("Wrecker asleep at the gate", 15, ("Wrecker asleep", "at the gate")),
        ("Brother Osric Vale", 13, ("Brother Osric", "Vale")),
        ("Mother", 3, ("M…",)),
        ("Joss the ferryman's boy", 13, ("Joss the", "ferryman's boy")),
    ],
)
def test_a_long_name_stands_in_two_lines_that_hold_together(
    look: Look, name: str, letters: int, told: tuple[str, ...]
) -> None:
    font = look.font("small")
    found = in_lines(font, name, font.size("n" * letters)[0])
    assert found == told and all(font.size(each)[0] <= font.size("n" * letters)[0] for each in found)


def test_a_heading_with_nothing_below_is_hidden_by_the_next_and_comes_back_when_that_is_cut(look: Look) -> None:
    story = Story()
    story.place(look, pygame.Rect(0, 0, 200, 300))
    story.extend(Entry([Run(f"Minute {n}.")], heading=True, series="minute") for n in range(1, 4))
    story.append(Entry([Run("Ada sneaks.")]))
    assert [entry.height > 0 for entry in story.entries] == [False, False, True, True]
    story.cut(2)
    assert [entry.height > 0 for entry in story.entries] == [False, True]


# -- where tooltips stand ---------------------------------------------------------------------------------

WINDOW = pygame.Rect(0, 0, 1280, 720)


@pytest.mark.parametrize(
    ("panel", "about"),
    [
        (pygame.Rect(970, 76, 300, 570), pygame.Rect(980, 300, 280, 30)),
        (pygame.Rect(10, 76, 222, 570), pygame.Rect(20, 600, 200, 40)),
        (pygame.Rect(10, 654, 1260, 56), pygame.Rect(1000, 662, 120, 40)),
        (pygame.Rect(10, 10, 1260, 56), pygame.Rect(900, 18, 90, 40)),
        (pygame.Rect(260, 100, 760, 500), pygame.Rect(270, 200, 740, 30)),
    ],
)
def test_a_tooltip_lies_on_no_line_of_its_panel(panel: pygame.Rect, about: pygame.Rect) -> None:
    rect = tip_place((240, 90), about, panel, WINDOW, 8)
    assert WINDOW.contains(rect) and not rect.colliderect(panel)


def test_where_a_panel_fills_the_window_a_tooltip_stands_below_or_above_what_it_is_about() -> None:
    for top in (100, 680):
        about = pygame.Rect(40, top, 1200, 30)
        rect = tip_place((300, 60), about, WINDOW, WINDOW, 8)
        assert WINDOW.contains(rect) and not rect.colliderect(about)


def test_a_tooltip_grows_narrow_before_it_covers_the_next_line(look: Look) -> None:
    surface = pygame.display.set_mode((800, 600))
    rows = [
        Button(f"Row {n}", lambda: None, tip=Tip("Words enough to fill three lines of a tooltip, " * 3))
        for n in range(8)
    ]
    ui = Ui(look)
    ui.add(column(*rows), pygame.Rect(200, 100, 590, 400))
    ui.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=rows[2].rect.center, rel=(0, 0), buttons=(0, 0, 0)))
    ui.draw(surface)
    before = surface.subsurface((200, 100, 590, 400)).copy()
    ui.update(TIP_DELAY)
    ui.draw(surface)
    after = surface.subsurface((200, 100, 590, 400))
    assert pygame.image.tobytes(before, "RGB") == pygame.image.tobytes(after, "RGB")
    assert surface.get_at((100, rows[2].rect.centery)) != pygame.Color(0, 0, 0), "it stands to the left of them"


def test_a_tooltip_of_a_resting_mouse_goes_with_the_first_key_and_comes_back_with_the_mouse(look: Look) -> None:
    button = Button("End", lambda: None, tip=Tip("Keep 4 AP"))
    ui = Ui(look)
    ui.add(column(button), pygame.Rect(100, 100, 200, 60))
    moved = pygame.event.Event(pygame.MOUSEMOTION, pos=button.rect.center, rel=(0, 0), buttons=(0, 0, 0))
    ui.handle(moved)
    ui.update(TIP_DELAY)
    assert ui.shown is not None
    ui.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_q, mod=0, unicode="q"))
    assert ui.shown is None and ui.told is not None, "a key may ask about it"
    ui.handle(moved)
    assert ui.shown is not None

"""The catalogue of words: complete, current, read with care, and every screen holds a language a third longer."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pygame
import pytest

from game.app import i18n as words
from game.app import languages, pofile, start
from game.app.i18n import Catalogue, parts, t, use_catalogue
from game.app.languages import read_catalogue, use
from game.app.loop import App
from game.app.settings import Settings
from game.maps.editing import things
from game.scenes.dialogs.help import Capture
from game.scenes.dialogs.options import Options
from game.scenes.dialogs.reference import Reference
from game.scenes.fight import commands
from game.scenes.ground.desk import Desk
from game.view import palette as fonts
from game.widgets.controls import Button, Label, Slider, Toggle
from game.widgets.core import Box, Widget
from rules.contract.errors import BattlematError, ThrowNeeded, said
from rules.contract.ruleset import State
from rules.contract.text import Creature, Term, Text, joined, ntext, text, titled
from tests.words.extract import CODE, POT, ROOT, gathered, pot, template, texts_of
from tests.words.extract import words as all_words
from tests.words.pseudo import CLOSE, OPEN, pseudo_catalogue

SCREENS = (
    "title", "choose", "fight", "help", "load", "summary", "setup", "library", "menu", "branches", "capture", "message",
    "ground", "ground chosen", "ground new",
    "settings look", "settings play", "settings sound", "settings keys", "settings words",
    "settings packs",
    "reference olde.md §6", "reference olde.md §6 Reflexes", "reference olde.md §10 Poison",
)  # fmt: skip

ALONE = SCREENS[:8]
"""Screens that are opened by their name."""


@pytest.fixture
def strange() -> Iterator[Catalogue]:
    """Everything is shown in the language that nobody speaks."""
    catalogue = pseudo_catalogue()
    fonts.forget()
    try:
        yield catalogue
    finally:
        use_catalogue(None)
        fonts.forget()


# -- looking up


def test_in_english_nothing_is_looked_up() -> None:
    use("en")
    assert t("Settings") == "Settings"
    assert not isinstance(t("Settings"), words.Said)


def test_a_sentence_is_found_by_its_template_and_its_fields_may_change_places() -> None:
    said = Catalogue({"{by} strikes at {target}.": "{target} wird von {by} getroffen.", "Goblin": "Kobold"})
    strike = text("{by} strikes at {target}.", by=Creature("Wren", "w"), target=Creature("Goblin", "g"))
    assert said.say(strike) == "Kobold wird von Wren getroffen."
    assert [(part.words, part.value) for part in said.parts(strike)] == [
        ("Kobold", "Goblin"), (" wird von ", None), ("Wren", "Wren"), (" getroffen.", None),
    ]  # fmt: skip
    assert [part.value.id for part in said.parts(strike) if isinstance(part.value, Creature)] == ["g", "w"]


def test_a_name_that_looks_like_another_sentence_stays_a_name() -> None:
    said = Catalogue({"{a} is {b}.": "1 {a} {b}", "{a} is dead.": "2 {a}"})
    assert said.say(text("{a} is {b}.", a=Creature("Who is dead.", "w"), b="dead")) == "1 Who is dead. dead"


def test_a_creature_keeps_its_number_in_any_language() -> None:
    said = Catalogue({"Goblin": "Kobold", "{who} waits.": "{who} wartet.", "Goblin 3": "der Dritte"})
    names = ("Goblin", "Goblin 2", "Goblin 3", "Orc 2")
    told = [said.say(text("{who} waits.", who=Creature(name, "g"))) for name in names]
    assert told == ["Kobold wartet.", "Kobold 2 wartet.", "der Dritte wartet.", "Orc 2 wartet."]


def test_fields_are_found_by_their_place_whatever_a_catalogue_calls_them() -> None:
    said = Catalogue({"{who} has {n} of {what}.": "{n} {what}: {who}"})
    assert said.say(text("{by} has {count} of {item}.", by="Wren", count=2, item="rope")) == "2 rope: Wren"


def test_a_sentence_within_a_sentence_is_found_by_its_own_template() -> None:
    said = Catalogue({"{by} strikes: {how}.": "{by} schlägt: {how}.", "{a} against {b}": "{a} gegen {b}"})
    inner = text("{attack} against {defense}", attack=9, defense=7)
    assert said.say(text("{by} strikes: {how}.", by="Wren", how=inner)) == "Wren schlägt: 9 gegen 7."


def test_of_a_sentence_that_is_not_known_what_is_in_its_fields_is_said() -> None:
    said = Catalogue({"prone": "liegend", "dead": "tot", "or": "oder"})
    assert said.say(text("{who} lies {how}", who="Wren", how=Term("prone"))) == "Wren lies liegend"
    assert said.say(joined(", ", ["prone", "dead"])) == "liegend, tot"
    assert said.say(joined(" or ", ["prone", "dead"])) == "liegend oder tot"


def test_a_language_has_as_many_plurals_as_its_file_says(tmp_path: Path) -> None:
    path = tmp_path / "pl.po"
    path.write_text(
        'msgid ""\nmsgstr "X-Language-Name: polski\\n"\n\n'
        'msgid "{n} space"\nmsgid_plural "{n} spaces"\n'
        'msgstr[0] "{n} pole"\nmsgstr[1] "{n} pola"\nmsgstr[2] "{n} pól"\n\n'
        'msgid "{who} runs {n}."\nmsgstr "{who} biegnie {n}."\n',
        encoding="utf-8",
    )
    said = read_catalogue(path)
    ways = [text("{who} runs {n}.", who="Wren", n=ntext(n, "{n} space", "{n} spaces")) for n in (1, 2, 5, 22)]
    assert [said.say(way) for way in ways] == [
        "Wren biegnie 1 pole.", "Wren biegnie 2 pola.", "Wren biegnie 5 pól.", "Wren biegnie 22 pola.",
    ]  # fmt: skip


def test_the_forms_of_a_plural_may_be_entries_of_their_own() -> None:
    """As in catalogues from before there were plurals."""
    said = Catalogue(
        {"1 space": "1 pole", "{n} spaces": "{n} pól", "2 spaces": "2 pola", "{who} runs {n}.": "{who}: {n}"}
    )
    ways = [text("{by} runs {way}.", by="Wren", way=ntext(n, "{n} space", "{n} spaces")) for n in (1, 2, 5)]
    assert [said.say(way) for way in ways] == ["Wren: 1 pole", "Wren: 2 pola", "Wren: 5 pól"]


def test_capitals_at_the_head_and_blanks_at_the_edges_are_found() -> None:
    said = Catalogue({"run": "laufen", "Move": "Bewegen", "the {item} breaks": "{item} bricht", "prone": "liegend"})
    assert (said.say("Run"), said.say("MOVE")) == ("Laufen", "BEWEGEN")
    assert said.say("12 / 14") == "12 / 14"
    assert said.say("  Run ") == "  Laufen "
    assert said.say(text(" the {item} breaks", item="axe")) == " axe bricht"
    assert said.say(titled(text("the {item} breaks", item="axe"))) == "Axe bricht"
    assert said.say(titled(text("{what}!", what=Term("prone")))) == "Liegend!"


def test_braces_that_are_doubled_are_letters() -> None:
    assert Catalogue({}).say(text("{{by}} waits for {what}.", what="{by}")) == "{by} waits for {by}."


def test_in_english_the_parts_of_a_sentence_are_those_it_was_made_of() -> None:
    use("en")
    said = text("{by} reaches for the {item}.", by=Creature("Rat", "r"), item="Rations")
    found = [(part.words, type(part.value)) for part in parts(said)]
    assert found == [("Rat", Creature), (" reaches for the ", type(None)), ("Rations", str), (".", type(None))]
    assert "".join(words for words, _ in found) == said


def test_what_was_said_is_not_looked_up_again() -> None:
    use_catalogue(Catalogue({"a b": "c d", "c d": "wrong"}))
    try:
        assert t(t("a b")) == "c d"
    finally:
        use_catalogue(None)


# -- files


def test_a_gettext_file_is_read_as_gettext_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "de.po"
    path.write_text(
        'msgid ""\nmsgstr "X-Language-Name: Deutsch\\n"\n\n#, fuzzy\nmsgid "a"\nmsgstr "b"\n\n'
        'msgid ""\n"one "\n"two"\nmsgstr ""\n"three\\t\\"3\\""\n\nmsgid "left"\nmsgstr ""\n\n'
        '#~ msgid "x"\n#~ msgstr "y"\n',
        encoding="utf-8",
    )
    said = read_catalogue(path)
    assert [said.say(each) for each in ("a", "one two", "left", "x")] == ["a", 'three\t"3"', "left", "x"]
    assert pofile.read_po(path).own_name == "Deutsch"


@pytest.mark.parametrize(
    "text, told",
    [
        ("msgid one\n", "line 1"),
        ('msgid "a"\nmsgstr "b\n', "line 2"),
        ('msgid "{a}"\nmsgstr "{b}"\n', "{b}"),
        (b"\xff\xfe\x00", "cannot be read"),
    ],
)
def test_a_broken_catalogue_is_one_line(text: str | bytes, told: str, tmp_path: Path) -> None:
    path = tmp_path / "xx.po"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(BattlematError, match=told.replace("{", r"\{")) as caught:
        read_catalogue(path)
    assert "\n" not in str(caught.value)


def test_a_language_without_a_catalogue_is_refused_by_name_and_the_window_opens_in_english() -> None:
    with pytest.raises(BattlematError, match="there are en"):
        use("xx")
    app = App((640, 480), settings=Settings(language="xx"))
    assert "xx.po" in app._late_error
    assert t("Settings") == "Settings"


# -- what there is to be said


def test_the_template_of_the_catalogue_is_current(tmp_path: Path) -> None:
    """`make words` writes it anew."""
    now = tmp_path / "now.pot"
    now.write_text(pot(), encoding="utf-8")
    written, wanted = ({str(message.id) for message in pofile.read_po(path)} for path in (POT, now))
    missing, gone = sorted(wanted - written), sorted(written - wanted)
    assert (missing[:5], gone[:5]) == ([], []), "run `make words`"


def test_every_text_of_the_source_is_found_by_the_catalogue_as_itself(strange: Catalogue) -> None:
    for message in all_words():
        for form in (message,) if isinstance(message, str) else message:
            filled = Text.of(form, **dict.fromkeys(words.FIELD.findall(form), "Xyzzy"))
            assert OPEN in strange.say(filled), form


NO_TEXTS = {
    "game/characters": 2, "game/chronicle": 2, "game/cli.py": 2, "game/content": 1, "game/controllers": 1,
    "game/forecast": 10, "game/scenes": 23, "game/sound": 6, "rules/board": 1, "rules/cairn": 9, "rules/contract": 4,
    "rules/core": 2, "rules/countup": 8, "rules/olde": 8,
}  # fmt: skip
"""Formatted strings that read like a text and are none: keys of widgets, rules and places in a file, names that are
kept (`12 coins`, `map 2`, `band 1`), names of sounds, tables of `battlemat simulate`, which stay English. How many at
most, by folder; there need never be more."""


def test_what_is_said_with_fields_is_a_text() -> None:
    found: dict[str, list[str]] = {}
    for path in (path for top in CODE for path in sorted((ROOT / top).rglob("*.py"))):
        name = path.relative_to(ROOT)
        lines = gathered().bare[name.as_posix()]
        found.setdefault("/".join(name.parts[:2]), []).extend(f"{name}:{line}" for line in lines)
    for folder, bare in found.items():
        assert len(bare) <= NO_TEXTS.get(folder, 0), f"one of {bare} is to be a Text (rules/contract/text.py)"


def test_texts_are_found_by_the_syntax_of_the_source() -> None:
    source = '''
"""No docstring."""
def f(self, e):
    """Nor this one."""
    self.toast("small", key="not this")
    x = f"{e.name} has {len(e.items)} of {'all kinds'}."
    if x == "not that one": getattr(self, "nor such a")
    y = text("{who} lies", who="down") + ntext(2, "one {x}", "some {x}") + joined("or", N("small")) + it.text("no")
    return "Word", "word", {"a": "two words"}
'''
    found = list(texts_of(ast.parse(source)))
    assert found == [
        "small", "all kinds",
        "{who} lies", "down", ("one {x}", "some {x}"), "or", "small", "Word", "two words",
    ]  # fmt: skip


LOOKED_UP = frozenset(
    ("t", "shortened", "called", "shown_key", "percent", "between", "around", "str", "clock", "figure") + ("upper",)
)
"""Calls whose results may be drawn: they look up, or give figures and initials."""


def test_no_scene_draws_a_text_past_the_catalogue() -> None:
    """Widgets and `fonts.render` look up what they are given; a scene that draws itself looks it up first."""
    guilty = []
    for path in sorted((ROOT / "game" / "scenes").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                guilty += [f"{path.name}:{node.lineno}: {text}" for text in drawn_bare(node)]
    assert not guilty


def drawn_bare(node: ast.Call) -> Iterator[str]:
    """What a call draws that has letters of its own or comes from who knows where."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    own = name == "render" and not isinstance(node.func, ast.Name)
    for drawn in node.args[1:2] if name == "rendered" else node.args[:1] if own else []:
        if isinstance(drawn, ast.IfExp):
            drawn = drawn.body
        if isinstance(drawn, ast.JoinedStr | ast.Constant):
            plain = template(drawn) if isinstance(drawn, ast.JoinedStr) else str(drawn.value)
            if sum(c.isalpha() for c in words.FIELD.sub("", plain)) > 1:
                yield plain
        elif not isinstance(drawn, ast.Call):
            if ast.unparse(drawn) not in NAMES:
                yield ast.unparse(drawn)
        elif ast.unparse(drawn.func).rpartition(".")[2] not in LOOKED_UP:
            yield ast.unparse(drawn)


NAMES = frozenset(("name", "figure"))
"""Of creatures, shortened already; figures."""


def test_every_line_of_the_stories_can_be_said(strange: Catalogue) -> None:
    from game.fight.match import Match
    from game.storage import records as storage
    from rules.core.record import Replayed
    from rules.core.registry import ruleset

    unsaid, told = set(), 0
    for path in sorted((ROOT / "tests" / "playthroughs").glob("*.json")):
        record = storage.read_record(path)
        rules = ruleset(record.ruleset)
        lines: list[str] = []

        def watch(stretch: Replayed, rules=rules, lines=lines) -> None:
            lines += [rules.tell(stretch.step.state, event) for event in stretch.step.events]

        Match.from_record(record, beside=path.parent, strict_throws=True, watch=watch)
        told += len(lines)
        unsaid |= {line for line in lines if line and not strange.say(line).startswith(OPEN)}
    assert told > 300
    assert not unsaid


def rules_words(rules: Any, state: State) -> Iterator[str]:
    """What sheets, buttons and cards would show of a state."""
    for mini in rules.board(state).miniatures:
        yield from (mini.status, mini.posture, mini.health.label, mini.points.label)
        yield from (text for badge in mini.badges for text in (badge.label, badge.text))
        sheet = rules.sheet(state, mini.id)
        yield from (text for line in sheet.lines for text in (line.text, line.detail))
        yield from (name for name, _ in sheet.stats)
    for decision in rules.decisions(state):
        yield decision.prompt
        for offer in rules.legal(state, decision).offers():
            yield from (offer.description.label, offer.description.group)
            for action in offer.actions[:1]:
                odds = rules.odds(state, action)
                if odds is not None:
                    yield from (outcome.replace("_", " ") for outcome, _ in odds.outcomes)
                    yield from (text for a in odds.adjustments for text in (a.to, a.because))


def test_every_word_of_the_rules_on_sheets_buttons_and_cards_can_be_said(strange: Catalogue) -> None:
    from game.fight.match import Match
    from game.storage import records as storage

    unsaid, seen = set(), set()
    for path in sorted((ROOT / "tests" / "playthroughs").glob("*.json")):
        match = Match.from_record(storage.read_record(path), beside=path.parent)
        names = {m.name for m in match.ruleset.board(match.state).miniatures}
        for moment in match.history.moments[::12]:
            seen |= set(rules_words(match.ruleset, moment.state)) - names
    unsaid |= {said for said in seen if sum(c.isalpha() for c in said) > 2 and OPEN not in strange.say(said)}
    assert len(seen) > 100
    assert not unsaid


# -- on the screen


def shown(widget: Widget) -> list[str]:
    if isinstance(widget, Label):
        return [widget.text]
    return [widget.label] if isinstance(widget, Button | Toggle | Slider) else []


def own_names(app: App) -> set[str]:
    """What nobody translates: names of maps' things and of creatures, keys, rules."""
    found = {key for command in app.keys.commands for key in command.keys}
    for scene in app.scenes:
        match = getattr(scene, "match", None)
        if match is not None:
            found |= {m.name for m in match.ruleset.board(match.state).miniatures}
        ground = getattr(getattr(scene, "editor", None), "ground", None)
        if ground is not None:
            found |= {door.id for door in ground.doors}
    return found


def is_word(text: str, names: set[str]) -> bool:
    bare = text.strip()
    if all(part in names for part in bare.split(" ")):  # several keys beside each other
        return False
    return sum(c.isalpha() for c in bare) > 2 and bare not in names and ".md" not in bare and OPEN not in bare


def cut_widgets(app: App) -> list[str]:
    """Buttons and lines that would be cut, and widgets that lie outside what holds them, by their own measure."""
    found = []
    look = app.look
    for panel, _ in app.top.ui.layers:
        if not app.surface.get_rect().contains(panel.rect):
            found.append(f"{type(panel).__name__} {panel.key!r} leaves the window: {panel.rect}")
        for widget in _visible(panel):
            if isinstance(widget, Button):
                head, small = look.font(widget.style), look.font("small")
                room = widget.rect.width - 2 * look.px(8 if widget.slim else 12)
                room -= small.size(widget.hint)[0] + look.px(16 if widget.slim else 20) if widget.hint else 0
                if head.size(widget.label)[0] > room:
                    found.append(f"button {widget.label!r} is cut: {head.size(widget.label)[0]} > {room}")
            if isinstance(widget, Box) and widget.across:
                right = max((child.rect.right for child in widget.content), default=0)
                if right > widget.rect.right + 1:
                    over, held = right - widget.rect.right, [s for c in widget.content for s in shown(c)]
                    found.append(f"row with {held} is {over} too wide")
    return found


def _visible(panel: Widget) -> Iterator[Widget]:
    """Everything but what lies in a scrolled area, which holds whatever height there is."""
    yield panel
    for child in panel.children():
        yield from _visible(child)


def press_at_once(app: App, page: str) -> None:
    """The pages of the window in which the ground is drawn."""
    desk = app.top
    assert isinstance(desk, Desk)
    if page == "new":
        desk.new_map()
    elif page == "chosen":
        desk.model.selected = next(t.number for t in things.all_of(desk.model.document) if t.shape in ("Chest", "Door"))
        desk.rebuild()


@contextmanager
def screen(name: str, scale: int = 100, size: tuple[int, int] = (1280, 720)) -> Iterator[App]:
    """A screen in the language that nobody speaks, in a window of the smallest size that counts."""
    fonts.forget()
    settings = Settings(speed=0, volume=0, autosave=False, live_forecast=False, scale=scale)
    app = App(size, settings=settings)
    use_catalogue(pseudo_catalogue())
    try:
        where, _, page = name.partition(" ")
        start.open_scene(app, "setup" if where == "ground" else where if where in ALONE else "fight", None)
        if where == "settings":
            app.push(Options(app, page))
        elif where == "reference":
            app.push(Reference(app, page))
        elif where == "menu":
            commands.menu(app.top)  # type: ignore[arg-type]
        elif where == "branches":
            app.top.undoing.branches()  # type: ignore[attr-defined]
        elif where == "ground":
            app.navigator.ground(app.top)
            press_at_once(app, page)
        elif where == "capture":
            app.push(Capture(app, "save", "Ctrl+S"))
            app.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_F5, mod=0, unicode="", scancode=0))
        elif where == "message":
            app.complain(said(ThrowNeeded(6, 6, 3)))
        app.draw()
        yield app
    finally:
        use_catalogue(None)
        fonts.forget()


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_shows_no_word_that_no_catalogue_knows(name: str) -> None:
    with screen(name) as app:
        names = own_names(app)
        said = [text for panel, _ in app.top.ui.layers for w in panel.walk() for text in shown(w)]
        assert not [text for text in said if is_word(text, names)]


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_cuts_nothing_in_a_language_a_third_longer(name: str) -> None:
    with screen(name) as app:
        assert not cut_widgets(app)


@pytest.mark.parametrize("name", [name for name in SCREENS if name.startswith("settings")])
@pytest.mark.parametrize("scale", [75, 200])
def test_the_settings_cut_nothing_at_any_scale_in_either_size(name: str, scale: int) -> None:
    for size in ((1280, 720), (1920, 1080)):
        with screen(name, scale, size) as app:
            assert not cut_widgets(app)


def test_a_language_is_taken_at_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "xx.po"
    path.write_text(
        'msgid ""\nmsgstr "X-Language-Name: Xish\\n"\nmsgid "Settings"\nmsgstr "Xettings"\n', encoding="utf-8"
    )
    monkeypatch.setattr(languages, "words_file", lambda language: path)
    app = App((1280, 720), settings=Settings())
    app.navigator.title()
    app.push(Options(app, "words"))
    try:
        app.speak("xx")
        labels = [text for panel, _ in app.top.ui.layers for w in panel.walk() for text in shown(w)]
        assert "Xettings" in labels
        assert app.settings.language == "xx"
    finally:
        use_catalogue(None)


def test_key_presses_reach_a_button_by_its_english_key_whatever_it_says(strange: Catalogue) -> None:
    use_catalogue(strange)
    button = Button("Back", lambda: None)
    assert button.key == "Back"
    assert button.label.startswith(OPEN) and button.label.endswith(CLOSE)


@cache
def signs() -> frozenset[str]:
    """Every sign beyond the keyboard's in a text for people."""
    told = [str(message) for message in all_words()]
    for folder in ("scenes", "view", "widgets"):
        for path in (ROOT / "game" / folder).rglob("*.py"):
            parts = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            told += [n.value for n in parts if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return frozenset(sign for text in told for sign in text if ord(sign) > 126)


@pytest.mark.parametrize("kind", ["text", "bold", "serif", "serif-bold"])
def test_every_sign_in_a_text_for_people_has_its_glyph(kind: str) -> None:
    face = fonts.font(kind, 20)
    missing = pygame.image.tobytes(face.render("\u0e01", True, "white"), "RGBA")
    shown = {sign: pygame.image.tobytes(face.render(sign, True, "white"), "RGBA") for sign in sorted(signs())}
    assert len(signs()) > 5
    assert not [sign for sign, picture in shown.items() if picture == missing]

"""Creatures, groups and tokens of one's own: kept, listed, put down, renamed, deleted, brought back; cut and drawn."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from game.content import tables as content
from game.content.schemas import creature_schemas, schema_text
from game.fight.match import Match
from game.paths import asset
from game.scenes.dialogs.panels import Menu
from game.scenes.setup.keeping import Called, Keep
from game.scenes.setup.scene import Setup
from game.scenes.setup.tokens import Cutting, Tokens
from game.setup import bestiary
from game.setup import draft as drafts
from game.storage import creatures, tokens
from game.storage.creatures import CreatureProblem
from game.storage.tokens import Cut, TokenProblem
from game.view import minis
from rules.core import record as records
from tests.game.player import Player
from tests.rules.explore.expedition import RULESETS

pytestmark = pytest.mark.usefixtures("home")

EVERY = pytest.mark.parametrize("ruleset", RULESETS)


def foe(ruleset: str) -> str:
    return next(iter(content.monsters(ruleset)))


def table(player: Player, ruleset: str = "olde", count: int = 1) -> Setup:
    """So many foes on the table, all selected."""
    player.app.navigator.prepare()
    setup = player.app.top
    assert isinstance(setup, Setup)
    if ruleset != setup.ruleset:
        from game.setup import files

        setup._begin(files.new_draft(next(iter(_maps())), ruleset, 5)[0])
        setup.rebuild()
    editor = setup.editor
    keys = editor.bring([foe(ruleset)] * count, "monsters", editor.table.start(setup.loaded, "monsters"), "foes")
    setup.select(keys)
    return setup


def _maps() -> list[Path]:
    from game.content import encounter

    return encounter.offered_maps()


def tapped(setup: Setup, key: str, button: int = 1) -> None:
    widget = next(w for panel in setup.ui.live() for w in panel.walk() if w.key == key)
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        widget.handle(pygame.event.Event(kind, button=button, pos=widget.rect.center))


def picture(path: Path, size: tuple[int, int] = (60, 40), kind: str = "PNG") -> Path:
    """Red at the left, blue at the right."""
    image = Image.new("RGB", size, (220, 20, 20))
    image.paste((20, 20, 220), (size[0] // 2, 0, size[0], size[1]))
    image.save(path, kind)
    return path


# -- creatures


@EVERY
def test_a_creature_is_kept_whole_and_put_down_again_in_any_encounter(player: Player, ruleset: str) -> None:
    setup = table(player, ruleset)
    setup.editor.set_field("name", "Grim")
    player.key(pygame.K_k, pygame.KMOD_CTRL | pygame.KMOD_SHIFT)
    assert isinstance(player.app.top, Keep)
    player.key(pygame.K_RETURN)
    [(name, entry)] = bestiary.creatures(ruleset).items()
    assert entry["name"] == "Grim" and "at" not in entry and "side" not in entry and "template" not in entry
    setup.editor.remove()
    setup.refresh()
    tapped(setup, f"offer {name}")
    assert setup.brush == name
    spot = setup.editor.ground.at(next(iter(setup.editor.table.start(setup.loaded, "monsters"))))
    assert not setup.editor.place(name, "monsters", spot)
    [piece] = setup.editor.draft.pieces
    assert piece.id == "grim" and piece.entry["name"] == "Grim" and "template" not in piece.entry
    assert "-" not in piece.id, "an id of the record, not of the file"


@EVERY
def test_a_record_with_one_needs_no_file_of_ours(player: Player, ruleset: str) -> None:
    setup = table(player, ruleset)
    editor = setup.editor
    one = creatures.keep(ruleset, editor.block(editor.chosen()[0]), "Grim")
    editor.remove()
    editor.bring([one.id], "monsters", editor.table.start(setup.loaded, "monsters"), "Grim")
    heroes = list(content.heroes(ruleset))[:1]
    editor.bring(heroes, "heroes", editor.table.start(setup.loaded, "heroes"), "heroes")
    document = json.loads(json.dumps(records.document(drafts.to_record(editor.draft))))
    creatures.delete(one)
    assert not bestiary.creatures(ruleset)
    match = Match.from_record(records.read(document), beside=None)
    assert "Grim" in {mini.name for mini in match.board().miniatures}


def test_one_kept_under_the_same_name_gives_way(player: Player) -> None:
    setup = table(player)
    block = setup.editor.block(setup.editor.chosen()[0])
    first = creatures.keep("olde", block, "Grim")
    again = creatures.keep("olde", {**block, "threat": 9}, " Grim ")
    assert first.id == again.id and bestiary.creatures("olde")[first.id]["threat"] == 9


def test_it_is_renamed_copied_deleted_and_brought_back(player: Player) -> None:
    setup = table(player)
    one = creatures.keep("olde", setup.editor.block(setup.editor.chosen()[0]), "Grim")
    setup.refresh()
    tapped(setup, f"offer {one.id}", 3)
    player.press("rename")
    panel = player.app.top
    assert isinstance(panel, Called)
    panel.search("Grom")
    player.key(pygame.K_RETURN)
    assert bestiary.creatures("olde")[one.id]["name"] == "Grom"
    copy = creatures.duplicate(creatures.shelf("olde").creatures[one.id], "Grum")
    assert copy.id != one.id and len(bestiary.creatures("olde")) == 2
    setup.refresh()
    tapped(setup, f"offer {one.id}", 3)
    player.press("delete")
    assert list(bestiary.creatures("olde")) == [copy.id]
    player.press("bring back")
    assert set(bestiary.creatures("olde")) == {one.id, copy.id} and not setup.binned


@pytest.mark.parametrize(
    "wrong, said",
    [("{", "not JSON"), ("[]", "needs a JSON object"), ('{"format": "x"}', "format: needs 'battlemat-creature/1'"),
     ('{"format": "battlemat-creature/1", "ruleset": "olde", "id": "a b", "name": "x", "entry": {}}', "id: "),
     ('{"format": "battlemat-creature/1", "ruleset": "olde", "id": "other", "name": "x", "entry": {}}', "is called")],
)  # fmt: skip
def test_a_broken_file_is_listed_in_one_line_and_nothing_else_is_lost(wrong: str, said: str) -> None:
    kept = creatures.keep("olde", dict(content.template("olde", foe("olde"))), "Grim")
    creatures.path_of("bad-one").write_text(wrong, encoding="utf-8")
    shelf = creatures.shelf("olde")
    [line] = shelf.broken
    assert said in line and "bad-one.json" in line and "\n" not in line and list(shelf.creatures) == [kept.id]


WORDS = st.sampled_from(["format", "ruleset", "id", "name", "entry", "creatures", "battlemat-group/1", "x"])
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=6),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None)
@given(PLAIN)
def test_whatever_a_file_says_it_is_read_or_refused_in_one_line(document: Any) -> None:
    try:
        said = creatures.read(document).name
    except CreatureProblem as error:
        said = str(error)
    assert said and "\n" not in said


def test_the_schemas_are_current() -> None:
    for name, schema in creature_schemas().items():
        assert asset("schema", name).read_text(encoding="utf-8") == schema_text(schema)


# -- groups


@EVERY
def test_a_group_comes_again_as_it_stood(player: Player, ruleset: str) -> None:
    setup = table(player, ruleset, count=3)
    editor = setup.editor
    spots = sorted(piece.spot for piece in editor.chosen() if piece.spot is not None)
    player.key(pygame.K_k, pygame.KMOD_CTRL | pygame.KMOD_SHIFT)
    panel = player.app.top
    assert isinstance(panel, Keep)
    panel.search("The watch")
    player.key(pygame.K_RETURN)
    [group] = creatures.shelf(ruleset).groups.values()
    assert group.name == "The watch" and [min(e["at"][axis] for e in group.creatures) for axis in (0, 1)] == [0, 0]
    editor.remove()
    setup.cursor = (min(x for x, _ in spots), min(y for _, y in spots))
    setup.refresh()
    tapped(setup, f"offer {group.id}")
    assert sorted(piece.spot for piece in editor.draft.pieces if piece.spot is not None) == spots
    assert len(editor.selection) == 3
    tapped(setup, f"offer {group.id}")
    assert len(editor.draft.pieces) == 6 and len({piece.spot for piece in editor.draft.pieces}) == 6
    player.key(pygame.K_z, pygame.KMOD_CTRL)
    assert len(editor.draft.pieces) == 3


# -- tokens


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_token_is_the_round_part_of_the_picture(tmp_path: Path, kind: str) -> None:
    sheet = tokens.opened(picture(tmp_path / "ada.x", kind=kind))
    with Image.open(io.BytesIO(tokens.cut(sheet, Cut(0.0, 0.5, 2.0)))) as token:
        assert token.size == (tokens.SIDE, tokens.SIDE) and token.mode == "RGBA"
        middle, corner = token.getpixel((128, 128)), token.getpixel((2, 2))
    assert isinstance(middle, tuple) and isinstance(corner, tuple)
    assert middle[0] > 180 and middle[2] < 60 and middle[3] == 255, "the left half is red"
    assert corner[3] == 0, "nothing beside the circle"


@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(0.01, 99), st.integers(16, 300), st.integers(16, 300))
def test_a_cut_stays_within_its_picture(across: float, down: float, near: float, wide: int, high: int) -> None:
    cut = Cut(across, down, near).settled((wide, high))
    half = min(wide, high) / cut.near / 2
    assert cut.across * wide - half >= -1e-6 and cut.across * wide + half <= wide + 1e-6
    assert cut.down * high - half >= -1e-6 and cut.down * high + half <= high + 1e-6
    assert cut == cut.settled((wide, high)) or abs(cut.across - cut.settled((wide, high)).across) < 1e-9


@pytest.mark.parametrize("size, said", [((8, 40), "8 × 40"), (None, "no picture")])
def test_what_is_no_picture_is_refused_in_one_line(tmp_path: Path, size: tuple[int, int] | None, said: str) -> None:
    path = tmp_path / "x.png"
    path.write_bytes(b"hello") if size is None else picture(path, size)
    with pytest.raises(TokenProblem, match=said):
        tokens.opened(path)


def test_a_torn_picture_is_refused(tmp_path: Path, player: Player) -> None:
    path = picture(tmp_path / "x.png", (200, 200))
    path.write_bytes(path.read_bytes()[:60])
    with pytest.raises(TokenProblem, match="cannot be decoded"):
        tokens.cut(tokens.opened(path), Cut())
    setup = table(player)
    player.app.post = None  # type: ignore[attr-defined]
    from game.scenes.setup import tokens as asked

    asked.dropped(setup, path)
    assert not isinstance(player.app.top, Cutting), "it is said, and nothing opens"


def test_the_drawing_stands_in_where_nobody_has_the_token() -> None:
    assert tokens.parts("token:grim:orc") == ("grim", "orc") and minis.parts("token:grim:orc~teal")[:2] == (
        "orc",
        "teal",
    )
    assert minis.token("token:grim:orc", 20) is None
    side = "monsters"
    shown, drawn = (pygame.image.tobytes(minis.portrait(art, side, 40), "RGBA") for art in ("token:grim:orc", "orc"))
    assert shown == drawn
    assert tokens.art_of("ada", "token:grim:orc") == "token:ada:orc"


@pytest.mark.parametrize("name", ["../../secret", "a/b", "", "x" * 70])
def test_no_token_leaves_its_folder(name: str) -> None:
    assert tokens.file_of(name) is None


def test_a_dropped_picture_becomes_the_token_of_the_selected(player: Player, tmp_path: Path) -> None:
    setup = table(player)
    minis.forget()
    path = picture(tmp_path / "Ada Blue.png")
    player.app.handle(pygame.event.Event(pygame.DROPFILE, file=str(path)))
    assert isinstance(player.app.top, Menu), "a map, or a token: it asks"
    player.press("choice 0")
    panel = player.app.top
    assert isinstance(panel, Cutting)
    player.key(pygame.K_RIGHT)
    assert panel.cut.across > 0.5
    player.key(pygame.K_PLUS, text="+")
    assert panel.cut.near > 1
    player.key(pygame.K_RETURN)
    assert player.app.top is setup
    [piece] = setup.editor.chosen()
    art = str(piece.entry["art"])
    assert art.startswith("token:ada-blue:") and tokens.tokens() == ["ada-blue"]
    token = minis.token(art, 40)
    assert token is not None and token.get_at((20, 20))[3] > 240
    assert not setup.editor.problems() or all("art" not in str(p.field) for p in setup.editor.problems())
    player.key(pygame.K_t, pygame.KMOD_CTRL | pygame.KMOD_SHIFT)
    assert isinstance(player.app.top, Tokens)
    player.press("drawing")
    assert setup.editor.block(setup.editor.chosen()[0])["art"] == foe("olde")


def test_without_anybody_selected_a_dropped_picture_is_a_map(player: Player, tmp_path: Path) -> None:
    setup = table(player)
    setup.select([])
    player.app.handle(pygame.event.Event(pygame.DROPFILE, file=str(picture(tmp_path / "m.png", (400, 300)))))
    assert player.app.top.name == "picturing"

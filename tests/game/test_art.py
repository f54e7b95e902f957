"""The drawings: SDL can show each of them, and each miniature is known by its outline alone."""

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import re
from itertools import combinations
from pathlib import Path
from typing import Final

import pygame
import pytest
from defusedxml import ElementTree

from game.content import tables as content

ART: Final = Path(__file__).parents[2] / "assets" / "art"
DRAWINGS: Final = sorted(ART.rglob("*.svg"))
FOLDERS: Final = {"minis": (128, 128), "icons": (32, 32), "props": (64, 64)}
SHAPES: Final = {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon"}
ELEMENTS: Final = SHAPES | {"svg", "g", "defs", "linearGradient", "radialGradient", "stop"}
ICON_TONE: Final = "#e9e4d6"

MINIS: Final = """
    warrior priest ranger rogue templar troubadour wizard giant_rat goblin goblin_archer goblin_chief wolf skeleton
    skeleton_archer ghoul bandit cultist orc ogre unknown_hero unknown_monster
"""
ICONS: Final = """
    free_steps step run climb drop rise leap flop attack rushed_attack all_out_attack aimed_shot shield_block
    cast use first_aid recover reset_crossbow ready drop_item pick_up door force guide choose end
    bleeding incapacitated rooted slowed stunned prone kneeling sitting dead dying stable blinded dazed exhausted
    fatigued frightened restrained silenced surprised defense_up defense_down
    save load settings help sight threat ruler play back dice heart shield sword bow skull trophy hourglass eye
    plus minus asleep
"""
PROPS: Final = """
    torch brazier chest table barrel stool pillar rubble stairs ladder door_closed door_open bones rug
    sarcophagus cobweb mushroom bed hearth planks bridge_post banner puddle crate altar root
    dropped_weapon campfire
"""


def name_of(path: Path) -> str:
    return path.relative_to(ART).as_posix()


def outline(path: Path, size: int = 32) -> pygame.Mask:
    return pygame.mask.from_surface(pygame.image.load_sized_svg(str(path), (size, size)), 127)


def difference(one: pygame.Mask, other: pygame.Mask) -> float:
    """Share of the pixels covered by either outline that only one of them covers."""
    shared = one.overlap_area(other, (0, 0))
    return 1 - shared / (one.count() + other.count() - shared)


@pytest.mark.parametrize("folder, names", [("minis", MINIS), ("icons", ICONS), ("props", PROPS)])
def test_every_name_that_the_game_asks_for_is_drawn(folder: str, names: str) -> None:
    assert set(names.split()) - {path.stem for path in (ART / folder).glob("*.svg")} == set()


@pytest.mark.parametrize("path", DRAWINGS, ids=name_of)
def test_drawing_shows_something_at_every_size(path: Path) -> None:
    for size in (16, 32, 128):
        picture = pygame.image.load_sized_svg(str(path), (size, size))
        assert max(picture.get_size()) == size
        assert pygame.mask.from_surface(picture, 60).count() > picture.get_width() * picture.get_height() // 40


@pytest.mark.parametrize("path", DRAWINGS, ids=name_of)
def test_drawing_uses_only_what_sdl_can_render(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tree = ElementTree.fromstring(text)
    assert {node.tag.split("}")[1] for node in tree.iter()} <= ELEMENTS
    attributes = {key for node in tree.iter() for key in node.attrib}
    assert attributes.isdisjoint({"class", "style", "filter", "mask", "clip-path", "href"})
    named = {node.attrib["id"] for node in tree.iter() if "id" in node.attrib}
    assert set(re.findall(r"url\(#(\w+)\)", text)) == named


@pytest.mark.parametrize("path", DRAWINGS, ids=name_of)
def test_drawing_has_the_canvas_of_its_folder(path: Path) -> None:
    box = ElementTree.fromstring(path.read_text(encoding="utf-8")).attrib["viewBox"]
    x, y, width, height = (float(part) for part in box.split())
    assert (x, y) == (0, 0)
    if path.parent.name in FOLDERS:
        assert (width, height) == FOLDERS[path.parent.name]


@pytest.mark.parametrize("path", sorted((ART / "icons").glob("*.svg")), ids=name_of)
def test_icon_is_one_tone_so_that_the_window_can_tint_it(path: Path) -> None:
    assert set(re.findall(r"#[0-9a-fA-F]{3,8}", path.read_text(encoding="utf-8"))) == {ICON_TONE}


def test_minis_differ_by_outline_at_32_pixels() -> None:
    outlines = {path.stem: outline(path) for path in sorted((ART / "minis").glob("*.svg"))}
    alike = [
        f"{one} and {other} differ by {difference(outlines[one], outlines[other]):.0%}"
        for one, other in combinations(outlines, 2)
        if difference(outlines[one], outlines[other]) < 0.18
    ]
    assert alike == []


LARGE = {str(block["art"]) for block in content.monsters("olde").values() if block.get("space", 1) > 1}


@pytest.mark.parametrize("path", sorted((ART / "minis").glob("*.svg")), ids=name_of)
def test_mini_sits_in_its_base(path: Path) -> None:
    """The base is a disc of radius 50 on 128; weapons and ears may break out, the figure may not hide it.

    Who covers several spaces is drawn larger than its base on purpose: the ring still shows all around below.
    """
    figure = outline(path, 128)
    disc = pygame.Surface((128, 128), pygame.SRCALPHA)
    pygame.draw.circle(disc, "white", (64, 64), 50)
    inside = figure.overlap_area(pygame.mask.from_surface(disc), (0, 0))
    large = path.stem in LARGE
    assert inside / figure.count() > (0.66 if large else 0.86)
    assert 0.35 < inside / (3.1416 * 50 * 50) < (0.92 if large else 0.9)


def test_icons_differ_by_outline_at_32_pixels() -> None:
    outlines = {path.stem: outline(path) for path in sorted((ART / "icons").glob("*.svg"))}
    alike = [pair for pair in combinations(outlines, 2) if difference(*(outlines[n] for n in pair)) < 0.1]
    assert alike == []

"""A map written for other programs: each level of a place is a file of its own."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from game.exporting import pictures, uvtt
from game.exporting.outline import outline
from game.exporting.pictures import Look
from game.maps import place
from game.paper import matter as matters
from game.paper.matter import Level, Matter, levels
from game.setup.draft import Draft
from game.setup.files import slug
from game.storage.files import as_json, write_whole
from rules.contract.errors import BattlematError


class Form(StrEnum):
    """What is written."""

    UVTT = "uvtt"
    """Universal VTT 0.3."""
    PNG = "png"


ENDINGS = {Form.UVTT: (".uvtt", ".dd2vtt", ".df2vtt"), Form.PNG: (".png",)}
"""How a file of a kind may end; the first is taken if nothing is said."""


class Order(NamedTuple):
    """What shall be written."""

    form: Form = Form.UVTT
    grid: bool = False
    """With the lines between the spaces."""
    secrets: bool = False
    """With secret doors and what is hidden."""
    pixels: int | None = None
    """Of a space; None: as many as fit."""


class Sheet(NamedTuple):
    """A file to be written, and its map."""

    path: Path
    level: Level


Watcher = Callable[[int, int], None]
"""Hears how many files are written, of how many."""


def read(path: Path) -> Matter:
    """A map (.tmx) with all to which its links lead, or the ground of a record (.json). Raises BattlematError."""
    if not path.is_file():
        raise BattlematError("{path}: there is no such file", str(path))
    if path.suffix.lower() != ".tmx":
        return matters.of_record(path)
    loaded = place.whole(path)
    return Matter(Draft("olde", {}), loaded.field, loaded)


def sheets(matter: Matter, out: Path) -> tuple[Sheet, ...]:
    """A file for each map; of several each has its map's name behind the one that is given."""
    found = levels(matter)
    if len(found) == 1:
        return (Sheet(out, found[0]),)
    names = [slug(part.name) or str(number) for number, part in enumerate(matter.field.maps, 1)]
    return tuple(Sheet(out.with_name(f"{out.stem}-{name}{out.suffix}"), level)
                 for name, level in zip(names, found, strict=True))  # fmt: skip


def write(matter: Matter, order: Order, out: Path, watch: Watcher = lambda done, total: None) -> tuple[Path, ...]:
    """Write all maps of it, each whole or not at all; gives their files. Raises BattlematError."""
    found = sheets(matter, out)
    for number, sheet in enumerate(found):
        watch(number, len(found))
        write_whole(sheet.path, made(matter, sheet.level, order))
    return tuple(sheet.path for sheet in found)


def made(matter: Matter, level: Level, order: Order) -> bytes:
    """The bytes of one map's file."""
    look = Look(pictures.fitting(level, order.pixels), order.grid, order.secrets)
    png = pictures.as_png(pictures.picture(matter, level, look))
    if order.form is Form.PNG:
        return png
    lines = outline(matter.field, level.top, (level.columns, level.rows), secrets=order.secrets)
    return as_json(uvtt.document(lines, ambient(matter, level), look.pixels, png)).encode()


def ambient(matter: Matter, level: Level) -> str:
    """How light it is on a map where no light shines."""
    return matter.field.part(matter.field.cell(0, level.top)).ambient

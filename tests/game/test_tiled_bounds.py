"""Small files that would stop the machine: each is refused or loads within 5 seconds of a processor and 300 MB.

Every file is checked in a process of its own, which the system ends at these limits.
"""

from __future__ import annotations

import base64
import json
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest

from tests.game.tmx_text import floor, objects, packed, save, thing, tmx

SECONDS, BYTES = 5, 300 * 1000 * 1000
ROOT = Path(__file__).resolve().parents[2]
LARGE = 512
ALL = 32 * LARGE
"""Pixels from one side of the largest map to the other."""

STARTS = objects(thing(1, "Spawn", (0, 0, 64, 96), side="heroes"), thing(2, "Spawn", (224, 0, 64, 96), side="monsters"))


STARTER = """
import json, os, resource, signal, sys, time
from game.cli import main
from game.maps import place, tiled  # what `check` loads first

def child(path, out):
    signal.setitimer(signal.ITIMER_PROF, {seconds} - begun)  # the system ends it then
    resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds}))
    resource.setrlimit(resource.RLIMIT_AS, ({bytes}, {bytes}))
    os.dup2(out, 1), os.dup2(out, 2)
    status = 70
    try:
        status = main(["check", path])
    except SystemExit as end:
        status = end.code or 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush(), sys.stderr.flush()
        os._exit(status)

begun = time.process_time()
"What it costs to begin counts for each."
for line in sys.stdin:
    path, told = json.loads(line)
    out = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
    pid = os.fork() or child(path, out)
    os.close(out)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""


@pytest.fixture(scope="module")
def starter() -> Iterator[subprocess.Popen[str]]:
    """A fresh process that forks one for each file, so that what all of them load first is loaded once."""
    program = STARTER.format(seconds=SECONDS, bytes=BYTES)
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, cwd=ROOT, stdin=PIPE, stdout=PIPE, text=True) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


Judge = Callable[[Path], tuple[int, str]]


@pytest.fixture
def judged(starter: subprocess.Popen[str], tmp_path: Path) -> Judge:
    """Exit status and all words of `battlemat check` within the limits."""

    def judge(path: Path) -> tuple[int, str]:
        told = tmp_path / "told.txt"
        assert starter.stdin is not None and starter.stdout is not None
        starter.stdin.write(json.dumps([str(path), str(told)]) + "\n")
        starter.stdin.flush()
        status, said = int(starter.stdout.readline()), told.read_text(encoding="utf-8")
        assert status in (0, 2), (status, said[-2000:])
        assert "Traceback" not in said and len(said) < 20_000
        return status, said

    return judge


def ground(*tiles: int) -> str:
    """A layer of the largest map, packed: these tiles over and over."""
    count = LARGE * LARGE
    data = (tiles * (count // len(tiles) + 1))[:count]
    raw = struct.pack(f"<{count}I", *data)
    return packed(base64.b64encode(zlib.compress(raw)).decode(), LARGE, LARGE, "zlib")


def large(body: str, **more: str) -> str:
    return tmx(body, LARGE, LARGE, **more)


def project(folder: Path, *classes: dict[str, Any]) -> None:
    save(folder, json.dumps({"propertyTypes": [{"type": "class", **each} for each in classes]}), "x.tiled-project")


def numbers(count: int) -> list[dict[str, Any]]:
    return [{"name": f"m{i}", "type": "int", "value": i} for i in range(count)]


# -- classes


def test_classes_within_classes_are_flattened_within_bounds(judged: Judge, tmp_path: Path) -> None:
    def nested(i: int, deepest: int) -> list[dict[str, Any]]:
        inner: dict[str, Any] = {"type": "class", "propertyType": f"C{i + 1}", "value": {}}
        return [{"name": f"m{j}", **inner} for j in range(8)] if i < deepest else numbers(8)

    project(tmp_path, *({"name": f"C{i}", "members": nested(i, 20)} for i in range(21)))
    status, said = judged(save(tmp_path, tmx(floor() + objects(thing(1, "C0", (1, 1))))))
    assert status == 2 and "nests classes too deeply" in said
    status, said = judged(save(tmp_path, tmx(floor() + objects(thing(1, "C14", (1, 1))))))
    assert status == 2 and "too many members" in said


def test_a_hostile_class_that_no_map_uses_stands_in_nobodys_way(judged: Judge, tmp_path: Path) -> None:
    inner = {"type": "class", "propertyType": "C", "value": {}}
    project(
        tmp_path,
        {"name": "C", "members": [{"name": f"m{j}", **inner} for j in range(8)]},
        {"name": "B", "members": numbers(3000)},
    )
    assert judged(save(tmp_path, large(ground(1) + STARTS))) == (0, f"{tmp_path / 'test.tmx'}: fit to play\n")


@pytest.mark.parametrize("members", [2000, 9])
def test_a_class_given_to_every_object_is_bounded_by_the_product(judged: Judge, tmp_path: Path, members: int) -> None:
    project(tmp_path, {"name": "Big", "members": numbers(members)})
    crowd = "".join(thing(i, "Big", (1, 1)) for i in range(10_000))
    status, said = judged(save(tmp_path, tmx(floor() + objects(crowd))))
    assert status == 2 and ("100000 properties" in said) == (members == 2000)
    inside = "".join(f'<property name="p{j}" type="class" propertytype="Big"/>' for j in range(100))
    crowd = "".join(thing(i, "Note", (1, 1), f"<properties>{inside}</properties>") for i in range(1_000))
    assert judged(save(tmp_path, tmx(floor() + objects(crowd))))[0] == 2


def test_a_class_given_to_every_tile_is_kept_once(judged: Judge, tmp_path: Path) -> None:
    project(tmp_path, {"name": "Big", "members": numbers(2000)})
    tiles = "".join(f'<tile id="{i}" type="Big"/>' for i in range(16_384))
    tileset = f'<tileset firstgid="1" tilewidth="32" tileheight="32" tilecount="16384">{tiles}</tileset>'
    path = save(tmp_path, large(ground(*range(1, 16_385)) + STARTS, tileset=tileset))
    assert judged(path) == (0, f"{path}: fit to play\n")


def test_names_of_properties_do_not_grow_beyond_all_bounds(judged: Judge, tmp_path: Path) -> None:
    project(tmp_path, {"name": "Big", "members": numbers(2000)})
    inside = f'<property name="{"n" * 1_000_000}" type="class" propertytype="Big"/>'
    body = floor() + objects(thing(1, "Note", (1, 1), f"<properties>{inside}</properties>"))
    status, said = judged(save(tmp_path, tmx(body)))
    assert status == 2 and "name of more than 240 characters" in said


def test_a_list_of_many_items_is_read_once_through(judged: Judge, tmp_path: Path) -> None:
    items = "<item/>" * 60_000
    inside = f'<properties><property name="l" type="list">{items}</property></properties>'
    assert judged(save(tmp_path, tmx(floor() + objects(thing(1, "Note", (1, 1), inside)))))[0] == 2


# -- objects


@pytest.mark.parametrize("kind", ["Door", "Ladder", "Spawn", "Region", "mystery"])
def test_objects_over_the_whole_map_are_bounded_by_what_is_made_of_them(
    judged: Judge, tmp_path: Path, kind: str
) -> None:
    huge = [thing(i, kind, (0, 0, ALL, ALL), side="heroes") for i in range(3, 32)]
    status, said = judged(save(tmp_path, large(ground(1) + objects(*huge) + STARTS)))
    words = {"Door": "2000 doors", "mystery": "29 objects are kept but do nothing"}
    assert words.get(kind, "make large objects smaller") in said
    assert status == (0 if kind == "mystery" else 2)


@pytest.mark.parametrize("kind", ["Wall", "Door"])
def test_a_line_to_and_fro_is_bounded_by_the_edges_that_it_walks(judged: Judge, tmp_path: Path, kind: str) -> None:
    points = " ".join(f"{i % 2 * ALL},32" for i in range(18_000))
    line = thing(3, kind, (0, 0), f'<polyline points="{points}"/>')
    status, said = judged(save(tmp_path, large(ground(1) + objects(line))))
    assert status == 2 and "262144 edges" in said


# -- large maps that mean no harm


@pytest.mark.parametrize("packed_map", [True, False])
def test_an_open_map_of_the_largest_size_is_checked_in_time(judged: Judge, tmp_path: Path, packed_map: bool) -> None:
    path = save(tmp_path, large((ground(1) if packed_map else floor(LARGE, LARGE)) + STARTS))
    assert judged(path) == (0, f"{path}: fit to play\n")


@pytest.mark.parametrize("infinite", [False, True])
def test_sixteen_layers_of_the_largest_size_are_checked_in_time(judged: Judge, tmp_path: Path, infinite: bool) -> None:
    body = "".join(ground(1, 3, 8, 1, 1) if i == 0 else ground(*range(9, 16)) for i in range(16))
    head = 'orientation="orthogonal" infinite="0"'
    if infinite:
        spots = range(0, LARGE, 16)
        block = ",".join(["1"] * 256)
        chunks = "".join(f'<chunk x="{x}" y="{y}" width="16" height="16">{block}</chunk>' for x in spots for y in spots)
        data = f'<data encoding="csv">{chunks}</data>'
        body = "".join(f'<layer id="{i}" width="512" height="512">{data}</layer>' for i in range(16))
        head = 'orientation="orthogonal" infinite="1"'
    status, said = judged(save(tmp_path, large(body + STARTS, head=head)))
    assert status == 0, said


@pytest.mark.parametrize(("tile", "words"), [(5, "spaces with light"), (8, "things to draw")], ids=["lights", "props"])
def test_what_tiles_put_onto_the_map_is_bounded(judged: Judge, tmp_path: Path, tile: int, words: str) -> None:
    status, said = judged(save(tmp_path, large(ground(tile) * 16 + STARTS)))
    assert status == 2 and words in said


def test_different_tiles_are_counted(judged: Judge, tmp_path: Path) -> None:
    numbers = [i % 64_999 + 1 | i % 8 << 29 for i in range(LARGE * LARGE)]
    tileset = '<tileset firstgid="1" tilewidth="32" tileheight="32" tilecount="65000" columns="4"/>'
    status, said = judged(save(tmp_path, large(ground(*numbers) * 4 + STARTS, tileset=tileset)))
    assert status == 2 and "100000 different tiles" in said


def test_a_way_that_winds_over_the_largest_map_is_found_in_time(judged: Judge, tmp_path: Path) -> None:
    rows = []
    for y in range(LARGE):
        wall = [2] * LARGE if y % 2 else [1] * LARGE
        wall[-1 if y // 2 % 2 else 0] = 1
        rows += wall
    starts = objects(
        thing(1, "Spawn", (0, 0, 160, 32), side="heroes"), thing(2, "Spawn", (0, 510 * 32, 160, 32), side="monsters")
    )
    status, said = judged(save(tmp_path, large(ground(*rows) + starts)))
    assert status == 0, said


def test_heights_and_ladders_everywhere_are_checked_in_time(judged: Judge, tmp_path: Path) -> None:
    status, said = judged(save(tmp_path, large(ground(1, 7, 1, 7, 7) + ground(6) + STARTS)))
    assert status == 0, said


# -- elements


@pytest.mark.parametrize("make", [lambda i: "<a/>", lambda i: f'<a{i} b="{i}"/>'], ids=["alike", "all different"])
def test_hundreds_of_thousands_of_unknown_elements_are_a_few_notes(
    judged: Judge, tmp_path: Path, make: Callable[[int], str]
) -> None:
    many = "".join(map(make, range(300_000)))
    status, said = judged(save(tmp_path, tmx(many + floor(9, 3) + STARTS, 9, 3)))
    assert status == 0 and len(said.splitlines()) <= 21
    assert "300000 left out" in said or "more notes" in said
    many = "".join(map(make, range(590_000)))
    status, said = judged(save(tmp_path, tmx(many + floor(9, 3) + STARTS, 9, 3)))
    assert status == 2 and len(said.splitlines()) == 1 and "too many" in said


def test_what_tiled_writes_for_its_editor_is_left_out_without_a_note(judged: Judge, tmp_path: Path) -> None:
    editor = '<editorsettings><export target="a" format="b"/></editorsettings>'
    path = save(tmp_path, tmx(editor + floor(9, 3) + STARTS, 9, 3))
    assert judged(path) == (0, f"{path}: fit to play\n")

"""Packs: content of others is added, checked, switched, shared; records say which they need, and play with those."""

from __future__ import annotations

import json
import random
import shutil
import stat
import zipfile
from pathlib import Path
from typing import Any

import pygame
import pytest
from PIL import Image

from game import paths
from game.cli import main
from game.content import encounter
from game.content import tables as content
from game.content.packs import shelf, unpack
from game.content.packs.manifest import PackProblem
from game.content.schemas import pack_schema, schema_text
from game.fight.match import Match
from game.paths import asset
from game.scenes.dialogs.options import Options
from game.scenes.dialogs.panels import Message
from game.scenes.setup.scene import Setup
from game.setup import bestiary
from game.setup import draft as drafts
from game.storage import tokens
from rules.contract.errors import BattlematError
from rules.core import record as records
from tests.game.player import Player
from tests.rules.explore.expedition import RULESETS

pytestmark = pytest.mark.usefixtures("home")

EVERY = pytest.mark.parametrize("ruleset", RULESETS)
ARMED: dict[str, dict[str, Any]] = {"olde": {"weapons": ["bone saw"]}, "countup": {"weapons": ["bone saw"]}}
"""What the monster carries, where monsters carry weapons of the tables."""


@pytest.fixture(autouse=True)
def fresh() -> Any:
    """Nothing of another test's packs."""
    content.forget()
    bestiary.forget()
    yield
    content.forget()
    bestiary.forget()


def said(value: object) -> str:
    """A value as TOML has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(k)} = {said(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(said, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def table(kind: str, entry: dict[str, Any]) -> str:
    return f"[[{kind}]]\n" + "".join(f"{name} = {said(value)}\n" for name, value in entry.items())


def weapon(ruleset: str, name: str = "bone saw") -> dict[str, Any]:
    """A weapon like the first of the rules', under another name."""
    return {**content.tables(f"{ruleset}+")["weapons"][0], "name": name}


def monster(ruleset: str, name: str = "bone_lord", **more: Any) -> dict[str, Any]:
    """A monster like the first of the rules', under another name."""
    first = next(iter(content.monsters(f"{ruleset}+").values()))
    entry = {k: v for k, v in first.items() if k != "template"}
    return {"id": name, **entry, "name": "Bone lord", **more}


def made(folder: Path, ruleset: str = "olde", **files: str) -> Path:
    """A pack of a monster, a weapon that it carries, a theme, a token and a map."""
    base = folder / "bones"
    (base / ruleset).mkdir(parents=True)
    kind = next(iter(content.read_table(asset("content", ruleset, "weapons.toml"))))
    whole = {
        "pack.toml": 'id = "bones"\ntitle = "Old bones"\nversion = "1.2"\nauthor = "Ada"\n',
        f"{ruleset}/weapons.toml": table(kind, weapon(ruleset)),
        f"{ruleset}/monsters.toml": table("creature", monster(ruleset, **ARMED.get(ruleset, {}))),
        f"{ruleset}/themes.toml": table("theme", {"name": "bones", "words": ["ossuary"], "foes": ["bone_lord"]}),
        **{name.replace("__", "/").replace("_toml", ".toml"): text for name, text in files.items()},
    }
    for name, text in whole.items():
        if text:
            (base / name).parent.mkdir(parents=True, exist_ok=True)
            (base / name).write_text(text, encoding="utf-8")
    (base / "tokens").mkdir()
    Image.new("RGB", (64, 64), (200, 190, 150)).save(base / "tokens" / "skull.png")
    (base / "maps").mkdir()
    for name in ("battlemat.tsx", "battlemat.png"):
        shutil.copyfile(paths.shipped_maps() / name, base / "maps" / name)
    shutil.copyfile(paths.shipped_maps() / "tavern.tmx", base / "maps" / "ossuary.tmx")
    return base


def fight(ruleset: str, *foes: str) -> dict[str, Any]:
    heroes = list(content.heroes(ruleset))[:2]
    return encounter.make_encounter("tavern", heroes, list(foes), 3, ruleset=ruleset)


# -- what it brings


@EVERY
def test_a_pack_brings_creatures_gear_themes_maps_and_tokens(tmp_path: Path, ruleset: str) -> None:
    before = content.monsters(ruleset)
    pack = shelf.add(made(tmp_path, ruleset))
    assert pack.on and pack.manifest is not None and pack.manifest.version == "1.2"
    assert (
        set(content.monsters(ruleset)) - set(before) == {"bone_lord"} == set(bestiary.monsters(ruleset)) - set(before)
    )
    assert "bone saw" in {each["name"] for each in content.tables(ruleset)["weapons"]}
    assert content.themes(ruleset)[-1].name == "bones" and tokens.tokens() == ["skull"]
    assert encounter.find_map("ossuary").parent == pack.folder / "maps"
    shelf.switch("bones", on=False)
    assert content.monsters(ruleset) == before and not tokens.tokens()


@EVERY
def test_a_record_says_what_it_needs_and_only_then(tmp_path: Path, ruleset: str) -> None:
    shelf.add(made(tmp_path, ruleset))
    usual = next(iter(content.monsters(ruleset)))
    assert "needs" not in fight(ruleset, usual)
    record = records.read(fight(ruleset, "bone_lord"))
    assert record.needs == {"bones": "1.2"} and records.document(record)["needs"] == {"bones": "1.2"}
    draft = drafts.from_record(record)
    assert drafts.document(draft)["needs"] == {"bones": "1.2"}
    match = Match.from_record(record)
    assert "Bone lord" in {mini.name for mini in match.board().miniatures}


@EVERY
def test_a_record_is_played_with_exactly_what_it_needs(tmp_path: Path, ruleset: str) -> None:
    usual = next(iter(content.monsters(ruleset)))
    plain = records.read(fight(ruleset, usual))
    before = Match.from_record(plain).scenario().content
    shelf.add(made(tmp_path, ruleset))
    after = Match.from_record(plain).scenario().content
    assert {name: before[name] for name in before} == {name: after[name] for name in after}
    needy = Match.from_record(records.read(fight(ruleset, "bone_lord"))).scenario().content
    assert "bone saw" in {each["name"] for each in needy["weapons"]}


@pytest.mark.parametrize("change, told", [("off", "switched off; switch it on"), ("gone", "is not there; add it"),
                                          ("other", "another version of it is here: 2.0")])  # fmt: skip
def test_a_record_whose_pack_is_not_on_says_so_in_one_line(tmp_path: Path, change: str, told: str) -> None:
    source = made(tmp_path)
    shelf.add(source)
    record = records.read(fight("olde", "bone_lord"))
    if change == "other":
        path = source / "pack.toml"
        path.write_text(path.read_text().replace("1.2", "2.0"))
        shelf.add(source)
    elif change == "off":
        shelf.switch("bones", on=False)
    else:
        shelf.remove("bones")
    with pytest.raises(BattlematError, match=told) as caught:
        Match.from_record(record)
    assert "\n" not in str(caught.value)


# -- checks


@pytest.mark.parametrize(
    "files, told",
    [
        ({"pack_toml": ""}, "has no pack.toml"),
        ({"pack_toml": 'id = "B"\ntitle = "x"\nversion = "1"'}, "pack.toml: id"),
        ({"pack_toml": "id ="}, "no valid TOML"),
        ({"olde__monsters_toml": "[[creature]]\nid = 3\n"}, "olde/monsters.toml: creature number"),
        ({"olde__monsters_toml": "[[monster]]\nid = 'x'\n"}, "only [[creature]]"),
        ({"olde__dragons_toml": "[[dragon]]\nname = 'x'\n"}, "the ruleset has no such file"),
        ({"stray_toml": "a = 1"}, "nobody looks there"),
        ({"olde__weapons_toml": "[[weapon]]\nname = 'bone saw'\nnonsense = 1\n"}, "olde/weapons.toml"),
    ],
)
def test_what_is_wrong_with_a_pack_is_said_in_one_line_and_nothing_is_kept(
    tmp_path: Path, files: dict[str, str], told: str
) -> None:
    with pytest.raises(BattlematError) as caught:
        shelf.add(made(tmp_path, **files))
    assert told in str(caught.value) and "\n" not in str(caught.value)
    assert not shelf.packs() and not list(shelf.root().glob(".new*"))


def test_a_name_that_is_taken_is_refused(tmp_path: Path) -> None:
    taken = next(iter(content.monsters("olde")))
    with pytest.raises(BattlematError, match="there are two of that name"):
        shelf.add(made(tmp_path, olde__monsters_toml=table("creature", monster("olde", taken)), olde__themes_toml=""))


def test_two_packs_that_do_not_go_together_are_not_on_together(tmp_path: Path) -> None:
    shelf.add(made(tmp_path / "one"))
    other = made(tmp_path / "two")
    path = other / "pack.toml"
    path.write_text(path.read_text().replace('"bones"', '"bones-too"'))
    (other / "maps" / "ossuary.tmx").rename(other / "maps" / "ossuary2.tmx")
    with pytest.raises(BattlematError, match="does not go with the packs that are on"):
        shelf.add(other)
    assert [(pack.id, pack.on) for pack in shelf.packs()] == [("bones", True), ("bones-too", False)]


# -- zips


def zipped(folder: Path, out: Path, **more: bytes) -> Path:
    unpack.packed(folder, out)
    with zipfile.ZipFile(out, "a") as packed:
        for name, data in more.items():
            packed.writestr(name.replace("__", "/"), data)
    return out


def test_a_zip_is_the_same_pack_with_or_without_its_folder(tmp_path: Path) -> None:
    source = made(tmp_path)
    flat = zipped(source, tmp_path / "flat.zip")
    deep = tmp_path / "deep.zip"
    with zipfile.ZipFile(flat) as one, zipfile.ZipFile(deep, "w") as other:
        for name in one.namelist():
            other.writestr(f"bones/{name}", one.read(name))
    for path in (flat, deep):
        assert unpack.is_pack(path) and shelf.add(path).manifest is not None
    unpack.packed(source, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == flat.read_bytes(), "the same files, the same zip"


@pytest.mark.parametrize(
    "name, told", [("../evil.toml", "leaves the pack"), ("/etc/evil.toml", "leaves the pack"), ("run.py", "data only"),
                   ("olde/x.exe", "data only"), ("PACK.TOML", "large and small letters"), (".hidden.toml", "hidden")],
)  # fmt: skip
def test_a_zip_with_what_does_not_belong_there_is_refused(tmp_path: Path, name: str, told: str) -> None:
    path = zipped(made(tmp_path), tmp_path / "bad.zip", **{name: b"x"})
    with pytest.raises(PackProblem, match=told):
        shelf.add(path)
    assert not (tmp_path.parent / "evil.toml").exists() and not shelf.packs()


def test_links_and_bombs_are_refused_while_they_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = zipped(made(tmp_path), tmp_path / "link.zip")
    entry = zipfile.ZipInfo("olde/link.toml")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "a") as packed:
        packed.writestr(entry, "/etc/passwd")
    with pytest.raises(PackProblem, match="is a link"):
        shelf.add(path)
    monkeypatch.setattr(unpack, "MOST_BYTES", 1000)
    with pytest.raises(PackProblem, match="at most"):
        shelf.add(made(tmp_path / "large"))
    bomb = zipped(made(tmp_path / "third"), tmp_path / "bomb.zip", big_toml=b"")
    with pytest.raises(PackProblem, match="at most"):
        shelf.add(bomb)


@pytest.mark.parametrize("seed", range(60))
def test_a_zip_broken_by_chance_is_taken_or_refused(tmp_path: Path, seed: int) -> None:
    path = zipped(made(tmp_path), tmp_path / "broken.zip")
    rng, data = random.Random(seed), bytearray(path.read_bytes())
    for _ in range(rng.randint(1, 12)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    path.write_bytes(bytes(data[: rng.choice((len(data), rng.randrange(len(data))))]))
    try:
        shelf.add(path)
    except BattlematError as error:
        assert "\n" not in str(error)  # noqa: PT017
    assert not list(shelf.root().glob(".new*"))


# -- command line and window


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = made(tmp_path)
    assert main(["packs", "check", str(source)]) == 0
    assert main(["packs", "make", str(source), "--out", str(tmp_path / "bones.zip")]) == 0
    assert main(["packs", "add", str(tmp_path / "bones.zip")]) == 0
    assert main(["packs", "off", "bones"]) == 0
    capsys.readouterr()
    assert main(["packs"]) == 0
    assert capsys.readouterr().out.startswith("bones 1.2: Old bones (1 olde monsters, 1 olde themes, 1 olde weapons")
    assert main(["packs", "on", "dragons"]) == 2
    assert "there is no pack 'dragons'; there are: bones" in capsys.readouterr().err
    assert main(["packs", "remove", "bones"]) == 0 and not shelf.packs()
    assert main(["packs", "add"]) == 2
    (source / "olde" / "monsters.toml").write_text("[[creature]]\n")
    assert main(["packs", "check", str(source)]) == 2


def test_dropped_on_the_window_it_is_added_and_switched_in_the_settings(tmp_path: Path, player: Player) -> None:
    path = zipped(made(tmp_path), tmp_path / "bones.zip")
    player.app.navigator.prepare()
    setup = player.app.top
    assert isinstance(setup, Setup)
    player.app.handle(pygame.event.Event(pygame.DROPFILE, file=str(path)))
    assert isinstance(player.app.top, Message)
    player.key(pygame.K_ESCAPE)
    keys = [w.key for panel in setup.ui.live() for w in panel.walk()]
    assert "offer bone_lord" in keys
    player.app.push(Options(player.app, "packs"))
    player.press("pack bones")
    assert not shelf.find("bones").on
    player.press("remove bones")
    assert not shelf.packs()
    player.press("bring back")
    assert [pack.id for pack in shelf.packs()] == ["bones"]


def test_a_broken_pack_on_the_disk_is_listed_with_its_fault(tmp_path: Path, player: Player) -> None:
    shelf.add(made(tmp_path))
    (shelf.root() / "bones" / "pack.toml").write_text("id = ")
    [pack] = shelf.packs()
    assert pack.manifest is None and "TOML" in pack.wrong
    player.app.push(Options(player.app, "packs"))
    assert any("TOML" in str(getattr(w, "text", "")) for p in player.app.top.ui.live() for w in p.walk())


def test_the_schema_is_current() -> None:
    assert asset("schema", "pack.json").read_text(encoding="utf-8") == schema_text(pack_schema())

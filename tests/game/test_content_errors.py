"""Every content file, spoilt in every usual way, is refused in one line that names file, entry and field."""

from __future__ import annotations

# ruff: noqa: E501 -- a list of mistakes reads best one a line
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pygame
import pytest

from game import cli, paths
from game.app.loop import App
from game.app.settings import Settings
from game.content import balance as weights
from game.content import reference, translation
from game.content import tables as content
from game.controllers import human
from game.controllers.ai import factors as numbers
from game.forecast import threat
from game.scenes.dialogs.panels import Message
from rules.contract.errors import BattlematError
from rules.core.registry import RULESETS
from tests.game.player import Player

ASSETS = paths.data_root() / "assets"
TABLES = [
    path.relative_to(ASSETS)
    for ruleset in sorted(RULESETS)
    for path in sorted((ASSETS / "content" / ruleset).glob("*.toml"))
]


Whole = dict[Path, bytes]


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Whole]:
    """A copy of all content, and what its files say."""
    folder = tmp_path_factory.mktemp("content")
    for part in ("ai", "content", "threat", "schema"):
        shutil.copytree(ASSETS / part, folder / part)
    shutil.copytree(paths.rulebooks(), folder / "rules")
    shutil.copy(ASSETS / "keys.toml", folder / "keys.toml")
    return folder, {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.fixture
def assets(copied: tuple[Path, Whole], monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of all content that may be spoilt; what was, is whole again for the next."""
    folder, whole = copied

    def asset(*parts: str) -> Path:
        place = folder.joinpath(*parts)
        return place if parts[0] in ("ai", "content", "threat", "keys.toml") else ASSETS.joinpath(*parts)

    for module in (paths, human, numbers):
        monkeypatch.setattr(module, "asset", asset)
    monkeypatch.setattr(paths, "rulebooks", lambda: folder / "rules")
    _forget()
    yield folder
    for file in [each for each in folder.rglob("*") if each.is_file()]:
        if file not in whole:
            file.unlink()
        elif file.read_bytes() != whole[file]:
            file.write_bytes(whole[file])
    _forget()


def _forget() -> None:
    """Everything read before is read anew."""
    for module in (content, reference, translation, human, numbers, weights):
        for each in list(vars(module).values()):
            if hasattr(each, "cache_clear"):
                each.cache_clear()


def read(file: Path) -> None:
    """Read what a file is for."""
    part = file.parts[0]
    if part == "rules":
        reference.pages(file.stem)
    elif part == "threat":
        weights.figures(file.stem)
    elif part == "keys.toml":
        human.load_keys()
    elif part == "ai":
        numbers.load_weights()
    elif file.stem == "translation":
        translation.rows()
        translation.states()
    elif file.stem in ("heroes", "monsters", "themes"):
        getattr(content, file.stem)(file.parts[1])
    else:
        content.tables(file.parts[1])


def refusal(assets: Path, file: Path, text: str) -> str:
    """The one line that a spoilt file is refused with; it names the file."""
    (assets / file).write_text(text, encoding="utf-8")
    _forget()
    with pytest.raises(BattlematError) as error:
        read(file)
    said = str(error.value)
    assert "\n" not in said and file.name in said, said
    for jargon in ("Input should", "valid dictionary", "Extra inputs", "Field required", "unable to parse"):
        assert jargon not in said, said
    return said


def first_entry(text: str) -> tuple[int, int, str, str]:
    """(where the first entry's fields begin, where they end, its kind, its name)."""
    found = re.search(r"^\[\[(\w+)\]\]\n", text, re.M)
    assert found is not None
    end = text.find("\n[", found.end())
    own = text[found.end() : end]
    name = re.search(r'^(?:id|name|title) = "([^"]+)"', own, re.M)
    assert name is not None
    return found.end(), end, found[1], name[1]


@pytest.mark.parametrize("file", TABLES, ids=str)
def test_what_is_no_toml_a_field_nobody_knows_and_a_name_twice(assets: Path, file: Path) -> None:
    text = (assets / file).read_text(encoding="utf-8")
    begin, _, kind, name = first_entry(text)
    refusal(assets, file, text + "\n[[")
    assert f"{kind} {name!r}: wrods: no such field" in refusal(assets, file, f"{text[:begin]}wrods = 3\n{text[begin:]}")
    after = text.find(f"\n[[{kind}]]", begin)
    again = text[begin : after if after > 0 else len(text)]
    assert f"{kind} {name!r}: " in (said := refusal(assets, file, f"{text}\n[[{kind}]]\n{again}"))
    assert "there are two of that name" in said
    refusal(assets, file, f'{text}\n[[turnip]]\nname = "turnip"\n')


@pytest.mark.parametrize("file", TABLES, ids=str)
def test_every_field_of_the_wrong_kind(assets: Path, file: Path) -> None:
    text = (assets / file).read_text(encoding="utf-8")
    begin, end, kind, name = first_entry(text)
    lines = list(re.finditer(r"^(\w+) = (.*[^\[\"])$|^(\w+) = (\"[^\"]+\")$", text[begin:end], re.M))
    assert lines
    for line in lines:
        field, value = (line[1], line[2]) if line[1] else (line[3], line[4])
        start = begin + line.start(2 if line[1] else 4)
        wrong = "[[7]]" if value[0] in '"{' else '"much"'
        said = refusal(assets, file, text[:start] + wrong + text[start + len(value) :])
        if field == ("id" if kind == "creature" else "name"):
            assert f"{kind} number 1: {field}: " in said, said
        else:
            assert f"{kind} {name!r}: {field}" in said, said


OLDE = Path("content/olde")
WRONG_NAMES: list[tuple[str, str, str, str]] = [
    ("heroes", 'armor = "scale"', 'armor = "scales"', "creature 'warrior': armor: nothing in armor.toml is called 'scales'"),
    ("heroes", 'shield = "kite"', 'shield = "kiet"', "creature 'warrior': shield: nothing in shields.toml"),
    ("heroes", '"bastard sword", ', '"bastard sward", ', "creature 'warrior': weapons: nothing in weapons.toml"),
    ("heroes", '["healing draught"]', '["healing drought"]', "creature 'warrior': items: nothing in items.toml"),
    ("heroes", '"mend wounds", ', '"mend wound", ', "creature 'priest': blessings: nothing in blessings.toml"),
    ("heroes", '["ember bolt", ', '["ember volt", ', "creature 'wizard': spells: nothing in spells.toml"),
    ("heroes", 'Axes = "Apprentice"', 'Axis = "Apprentice"', "creature 'warrior': skills: no skill is called 'Axis'"),
    ("heroes", 'Swords = "Journeyman"', 'Swords = "Adept"', "creature 'warrior': skills: Swords: rank 'Adept'"),
    ("heroes", 'temperament = "cunning"', 'temperament = "canny"', "creature 'warrior': temperament: nothing in weights.toml is called 'canny'"),
    ("heroes", 'size = "medium"', 'size = "large"', "creature 'warrior': size: is none of"),
    ("monsters", 'name = "pack tactics"', 'name = "pack tricks"', "creature 'giant_rat': traits.0"),
    ("monsters", 'weapon = "web"', 'weapon = "wbe"', "creature 'giant_spider': traits: hold: 'wbe' is not among the weapons"),
    ("monsters", 'id = "giant_rat"', 'id = "warrior"', "creature 'warrior': id: a hero of heroes.toml is called so"),
    ("themes", 'foes = ["', 'foes = ["gobiln", "', "foes: no monster 'gobiln'; did you mean 'goblin'?"),
    ("weapons", 'skill = "Swords"', 'skill = "Swrods"', "weapon 'shortsword': modes.0: no skill is called 'Swrods'"),
    ("items", 'holds = "mend wounds"', 'holds = "mend wound"', "nothing in spells.toml or blessings.toml is called 'mend wound'"),
    ("spells", 'weapons = ["bite"]', 'weapons = ["bight"]', "summon.weapons: nothing in weapons.toml is called 'bight'"),
    ("blessings", 'name = "mend wounds"', 'name = "ember bolt"', "blessing 'ember bolt': name: an entry of spells.toml is called so"),
    ("spells", 'against = "defense"', 'against = "brown"', "against: is none of"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "old", "new", "said"), WRONG_NAMES)
def test_a_name_that_leads_nowhere(assets: Path, table: str, old: str, new: str, said: str) -> None:
    file = OLDE / f"{table}.toml"
    text = (assets / file).read_text(encoding="utf-8")
    assert old in text
    assert said in refusal(assets, file, text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("name", "spoil", "said"),
    [
        ("ai/weights.toml", lambda t: t.replace("damage = ", 'damage = "much" #', 1), "temperament.cunning.damage: Expected `float`, got `str`"),
        ("ai/weights.toml", lambda t: t.replace("damage = ", "damige = ", 1), "temperament.cunning: contains unknown field `damige`"),
        ("ai/weights.toml", lambda t: re.sub(r"^default_temperament = .*$", "default_temperament = \"canny\"", t, flags=re.M), "canny"),
        ("content/translation.toml", lambda t: t.replace('olde = ["warrior"', 'olde = ["worrier"', 1), "'worrier'"),
        ("content/translation.toml", lambda t: t + '\n[[rule]]\nname = "x"\n', "[[rule]]: rows are [[role]], [[kind]] and [[state]]"),
        ("content/translation.toml", lambda t: t.replace("asleep = true", "sleepy = true", 1), "Asleep: olde knows no field 'sleepy'"),
        ("content/translation.toml", lambda t: t.replace("from = { olde", "from = { oldie", 1), "'oldie' is no ruleset"),
        ("keys.toml", lambda t: t.replace('keys = ["F1"]', "keys = 1", 1), "general.help: keys: needs a list of texts"),
        ("keys.toml", lambda t: t.replace('label = "Help", ', "", 1), "general.help: needs label and keys"),
        ("keys.toml", lambda t: "zzz = 3\n" + t, "zzz: needs a table of commands"),
        ("threat/olde.toml", lambda t: t.replace("goblin = ", 'goblin = "much" #', 1), "weight: goblin: needs a number above 0"),
        ("threat/olde.toml", lambda t: t.replace("[weight]", "[wait]", 1), "needs steep and the tables [weight] and [ground]"),
        ("threat/olde.toml", lambda t: t.replace("steep = ", "steep = -", 1), "steep: needs a number above 0"),
        ("threat/olde.toml", lambda t: t.replace("crypt = ", "crypt = true #", 1), "ground: crypt: needs a number"),
    ],
)  # fmt: skip
def test_the_files_that_are_no_tables(assets: Path, name: str, spoil: Callable[[str], str], said: str) -> None:
    text = (assets / name).read_text(encoding="utf-8")
    spoilt = spoil(text)
    assert spoilt != text
    assert said in refusal(assets, Path(name), spoilt)


def test_the_command_line_says_it_in_one_line_and_stops(assets: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = assets / OLDE / "monsters.toml"
    file.write_text(file.read_text(encoding="utf-8").replace("brawn = 4", "brawn = -4", 1), encoding="utf-8")
    record = assets / "rat.json"
    record.write_text(
        '{"format": "battlemat/1", "ruleset": "olde", "map": {"rows": ["...."]}, "seed": 1, "creatures": ['
        '{"id": "r", "template": "giant_rat", "side": "monsters", "at": [1, 0]}]}'
    )
    group = ["--group", "giant_rat", "--party", "warrior", "--runs", "1"]
    for call in (
        lambda: threat.main(group),
        lambda: cli.main(["replay", str(record)]),
        lambda: cli.main(["simulate", str(record)]),
        lambda: cli.main(["play", str(record), "--frame", str(assets / "out.png")]),
    ):
        _forget()
        assert call() == 2
        told = capsys.readouterr().err
        assert told.count("\n") == 1 and "creature 'giant_rat': brawn: 1 is the least" in told


@pytest.mark.parametrize("file", ["content/olde/heroes.toml", "content/olde/weapons.toml", "ai/weights.toml",
                                  "content/translation.toml", "rules/olde.md", "keys.toml"])  # fmt: skip
def test_the_window_says_it_in_one_line_and_goes_on(assets: Path, file: str) -> None:
    with (assets / file).open("a", encoding="utf-8") as spoilt:
        spoilt.write("\n## Turnip\n" if file.endswith(".md") else "\n[[turnip")
    if file == "keys.toml":
        _forget()
        with pytest.raises(BattlematError, match=r"keys\.toml"):
            App((1280, 720), settings=Settings())
        return
    player = Player(App((1280, 720), settings=Settings(live_forecast=False)))
    player.app.navigator.title()
    title, said = player.app.top, []
    for label in ("New fight", "Surprise me", "Heroes", "Bestiary", "Prepare an encounter", "First fight"):
        _forget()
        player.press(label)
        assert player.app.running
        if isinstance(player.app.top, Message):
            said.append(player.app.top.text)
        player.app.navigator.title()
        assert player.app.top is not title
    player.key(pygame.K_F3)
    fault = getattr(player.app.top, "fault", "")
    said += [fault] if fault else []
    assert all(Path(file).name in text and "\n" not in text for text in said), said
    assert said or file in ("content/translation.toml", "ai/weights.toml"), "nobody has asked for these yet"

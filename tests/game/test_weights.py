"""The numbers of taste: one file, judged when it is read; docs/how-to/a-weight-of-the-ai.md, step by step."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import fields

from game.content.schemas import schema_text, weights_schema
from game.controllers.ai import AiController, load_weights
from game.controllers.ai import weights as numbers
from game.controllers.ai.weights import Section, read_weights
from game.paths import asset
from rules.board.grid import Field
from rules.contract.errors import BattlematError
from tests.game.ai_table import RULES, asked, fight, piece, turn_to

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/how-to/a-weight-of-the-ai.md").read_text(encoding="utf-8")
FILE = asset("ai", "weights.toml").read_text(encoding="utf-8")
HALL = Field.from_rows(["############", "#..........#", "#..........#", "############"])


def block(language: str) -> str:
    """The page's one block of a language."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "weights.toml"
    path.write_text(text, encoding="utf-8")
    return path


def leaves(table: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every number of a file, by its place."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{path}{key}.")
        else:
            yield f"{path}{key}", value


def test_the_schema_for_editors_is_current() -> None:
    stored = asset("schema", "weights.json").read_text(encoding="utf-8")
    assert stored == schema_text(weights_schema()), "run game.content.schemas.write_weights_schema"


def test_the_schema_says_what_every_number_stands_for() -> None:
    silent = [
        f"{name}.{field}"
        for name, model in weights_schema()["$defs"].items()
        for field, told in model["properties"].items()
        if "description" not in told and "$ref" not in told and field != "summary"
    ]
    assert silent == []


def test_no_number_has_a_second_home_in_a_default() -> None:
    models = [each for each in vars(numbers).values() if isinstance(each, type) and issubclass(each, Section)]
    assert len(models) > 25
    defaults = [f"{m.__name__}.{f.name}" for m in models for f in fields(m) if not f.required]
    assert defaults == ["Temper.summary"]


def test_every_number_is_read_somewhere() -> None:
    source = "".join(
        path.read_text(encoding="utf-8")
        for path in (ROOT / "game/controllers/ai").rglob("*.py")
        if path.name not in ("weights.py", "factors.py")
    )
    tables = "judge|scouting|default|routes|search|seeking|(?:olde|cairn|countup)\\.[a-z]+"
    places = rf"(?:\bw|weights|own|temper|\.(?:{tables}))"
    read = set(re.findall(places + r"\.([a-z_]+)", source))
    models = [each for each in vars(numbers).values() if isinstance(each, type) and issubclass(each, Section)]
    numbered = {
        field.name
        for model in models
        for field in fields(model)
        if not (isinstance(field.type, type) and issubclass(field.type, Section))
    }
    assert numbered - read - {"summary", "temperament", "default_temperament"} == set()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("threshold = 0.04\n", "", "planner: missing required field `threshold`"),
        ("threshold = 0.04", "threshold = -1", "planner.threshold: Expected `float` >= 0.0"),
        ("threshold = 0.04", "threshold = 0.04\ntreshold = 0.04", "planner: contains unknown field `treshold`"),
        ("calmest = 8", "calmest = 8.5", "planner.calmest: Expected `int`"),
        ("[olde.reactions]", "[olde.reaction]", "olde: "),
        ("blinded = ", "blinded = -", "olde.magic.condition_values.blinded: Expected `float` >= 0.0"),
    ],
)
def test_a_wrong_number_is_refused_in_one_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in FILE
    with pytest.raises(BattlematError) as caught:
        read_weights(written(tmp_path, FILE.replace(old, new, 1)))
    told = str(caught.value)
    assert told.startswith(f"weights.toml: {said}") and "\n" not in told


def test_weights_never_change() -> None:
    with pytest.raises(AttributeError, match="immutable"):
        load_weights().planner.threshold = 1.0


# -- the page, step by step --------------------------------------------------------------------------------


def test_the_pages_temperament_can_be_added(tmp_path: Path) -> None:
    found = read_weights(written(tmp_path, FILE + "\n" + block("toml")))
    berserk, brute = found.temper("berserk"), found.temper("brute")
    assert (berserk.harm, berserk.death, berserk.damage) == (0.0, 0.1, brute.damage)


def test_the_pages_player_goes_by_its_own_number() -> None:
    """Who stands where it can strike counts that for more: the addend says so, and nothing else has changed."""
    known: dict[str, Any] = {}
    exec(block("python"), known)
    state = turn_to(fight(HALL, piece("orc", (1, 1), "monsters"), piece("warrior", (3, 1), "heroes")), "orc", 3)
    position = asked(state)

    def reasons(player: AiController) -> dict[str, float]:
        (blow,) = [o for o in player.explain(RULES, *position).best if o.action.do != "end"][:1]
        return dict(blow.reasons)

    plain, eager = reasons(AiController("cunning", weights=load_weights())), reasons(known["eager"])
    assert eager["a foe within reach"] == pytest.approx(3 * plain["a foe within reach"])
    assert load_weights().judge.prepared == 0.3, "the file's number is as it was"


def test_the_pages_steps_name_what_there_is() -> None:
    for name in re.findall(r"`((?:assets|game|tests)/[\w./]+)`", PAGE):
        assert (ROOT / name).exists(), name
    tables = {place.rpartition(".")[0] for place, _ in leaves(tomllib.loads(FILE))}
    assert {"planner", "judge", "position", "olde.wounds", "default"} <= tables

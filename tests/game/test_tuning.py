"""Weights under each ruleset: factors in one file, judged when it is read; the search that finds them."""

from __future__ import annotations

from pathlib import Path

import pytest

from game.content.schemas import schema_text, tuned_schema
from game.controllers.ai import AiController, load_weights
from game.controllers.ai.factors import TUNED, read_tuned, tables_of, trying, tunable, tuned
from game.paths import asset
from rules.contract.errors import BattlematError
from rules.core.registry import RULESETS, ruleset
from tests.bench import tuning
from tests.bench.bouts import FIRST

FILE = asset("ai", "tuned.toml").read_text(encoding="utf-8")


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "tuned.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_factor_counts_under_its_ruleset_alone_and_for_every_temperament(tmp_path: Path) -> None:
    path = written(tmp_path, "[cairn.temperament]\nharm = 2.0\n[cairn.judge]\nprepared = 0.5\n")
    before, found = load_weights(), read_tuned(path)
    after = tuned(before, found["cairn"])
    assert after.judge.prepared == before.judge.prepared / 2
    for name, temper in before.temperament.items():
        assert after.temperament[name].harm == 2 * temper.harm
        assert after.temperament[name].death == temper.death
    assert tuned(before, found.get("olde", {})) == before


def test_shares_of_a_temperament_stay_shares() -> None:
    after = tuned(load_weights(), {"temperament": {"later": 9.0}})
    assert all(temper.later <= 1.0 for temper in after.temperament.values())
    assert any(temper.later == 1.0 for temper in after.temperament.values())


@pytest.mark.parametrize(
    "text, why",
    [
        ("[olde.temperament]\nanger = 2\n", "tuned.toml: olde.temperament.anger: no number that can be tuned"),
        ("[olde.delving]\nhunts = 2\n", "tuned.toml: olde.delving: no table that can be tuned"),
        ("[olde.judge]\nbold = 1\nprepared = -1\n", "tuned.toml: olde.judge.prepared: Expected `float` >= 0.0"),
        ("[olde.judge]\nprepared = 'much'\n", "tuned.toml: olde.judge.prepared: Expected `float`, got `str`"),
        ("[olde]\njudge = 2\n", "tuned.toml: olde.judge: Expected `object`, got `int`"),
        ("olde = 2\n", "tuned.toml: olde.2: no table that can be tuned"),
        ("[olde.judge\n", "tuned.toml: cannot be read"),
    ],
)
def test_a_wrong_factor_is_refused_in_one_line(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(BattlematError) as refused:
        read_tuned(written(tmp_path, text))
    assert str(refused.value).startswith(why)
    assert "\n" not in str(refused.value)


def test_the_file_names_known_rulesets_and_the_computer_plays_by_it() -> None:
    found = read_tuned(asset("ai", "tuned.toml"))
    assert set(found) <= set(RULESETS)
    for kind in RULESETS:
        assert AiController().weights(ruleset(kind)) == tuned(load_weights(), found.get(kind, {}), kind)
    own = load_weights()
    assert AiController(weights=own).weights(ruleset("olde")) is own


def test_the_schema_for_editors_is_current() -> None:
    stored = asset("schema", "tuned.json").read_text(encoding="utf-8")
    assert stored == schema_text(tuned_schema()), "run game.content.schemas.write_weights_schema"
    assert FILE.startswith("#:schema ../schema/tuned.json\n")


def test_a_factor_of_a_rulesets_own_table_counts_for_its_advisor(tmp_path: Path) -> None:
    found = read_tuned(written(tmp_path, "[countup.manoeuvres]\nbold = 2.0\n"))
    before = load_weights("countup")
    with trying("countup", found["countup"]):
        after, others = load_weights("countup"), load_weights("cairn")
        assert after.countup.manoeuvres.bold == 2 * load_weights().countup.manoeuvres.bold
        assert after.countup.places == before.countup.places
    assert others == load_weights("cairn") and load_weights("countup") == before


def test_no_own_table_has_the_name_of_a_common_one() -> None:
    for kind in RULESETS:
        own = [name for name in tables_of(kind) if name not in TUNED]
        assert own and len(tables_of(kind)) == len(TUNED) + len(own)
        assert all(hasattr(getattr(load_weights(), kind), name) for name in own)


@pytest.mark.parametrize("kind", RULESETS)
def test_everything_searched_for_can_be_tuned(kind: str) -> None:
    numbers, own, tables = tuning.searched(kind), tuning.searched(kind, "own"), tables_of(kind)
    assert all(number in tunable(tables[table]) for table, number in numbers)
    assert len(set(numbers)) == len(numbers)
    assert numbers == (*tuning.searched(kind, "common"), *own) and not {table for table, _ in own} & set(TUNED)


def test_a_point_of_the_search_is_doublings_within_bounds() -> None:
    numbers = tuning.searched("olde")
    point = [0.0] * len(numbers)
    point[0], point[1], point[2] = 1.0, -1.0, 99.0
    found = [tuning.factors_of(numbers, point)[table][number] for table, number in numbers]
    assert found[:4] == [2.0, 0.5, 4.0, 1.0]


def test_what_is_found_multiplies_what_the_file_has() -> None:
    before = {"judge": {"prepared": 0.5}, "planner": {"threshold": 3.0}}
    found = {"judge": {"prepared": 2.0, "bold": 1.5}, "manoeuvres": {"bold": 0.5}}
    assert tuning.times(before, found) == {
        "judge": {"prepared": 1.0, "bold": 1.5}, "planner": {"threshold": 3.0}, "manoeuvres": {"bold": 0.5},
    }  # fmt: skip


@pytest.mark.parametrize("kind", RULESETS)
def test_a_candidate_plays_by_its_own_numbers_and_nobody_else_does(kind: str) -> None:
    bout = next(tuning.drawn(kind, 0, 1))
    plain = tuning.margins(tuning.Trial({}, (bout,)))
    timid = tuning.margins(tuning.Trial({"temperament": {"harm": 4.0, "death": 4.0, "approach": 0.25}}, (bout,)))
    assert -1.0 <= timid[0] <= 1.0 and plain != timid
    assert tuning.margins(tuning.Trial({}, (bout,))) == plain


def test_no_seed_of_tuning_is_one_of_judging() -> None:
    seeds = {bout.seed for generation in (0, 50, 1000) for bout in tuning.drawn("cairn", generation, 200)}
    assert len(seeds) == 600
    assert min(seeds) > FIRST + 1_000_000


def test_the_same_search_comes_to_the_same_middle() -> None:
    numbers = tuning.searched("cairn", "own")
    found = [tuning.search("cairn", map, numbers, generations=1, pairs=1, candidates=2) for _ in range(2)]
    assert found[0] == found[1]
    assert [row["generation"] for row in found[0][0]] == [0]


def test_what_was_found_is_written_in_its_place_and_nothing_else_is_touched(tmp_path: Path) -> None:
    path = written(
        tmp_path, "# Why.\n\n[olde.judge]\n# For this.\nbold = 2.0\n\n# For that.\n[cairn.judge]\nbold = 3.0\n"
    )
    tuning.keep("olde", {"judge": {"bold": 4.0, "part": 0.5}, "temperament": {"harm": 0.5}}, path)
    assert path.read_text(encoding="utf-8") == (
        "# Why.\n\n[olde.judge]\n# For this.\nbold = 4.0\npart = 0.5\n\n# For that.\n[cairn.judge]\nbold = 3.0\n"
        "\n[olde.temperament]\nharm = 0.5\n"
    )

"""Weights under each ruleset: factors in one file, judged when it is read; the search that finds them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from game.content.schemas import schema_text, tuned_schema
from game.controllers.ai import AiController, load_weights
from game.controllers.ai.factors import TUNED, read_tuned, tunable, tuned
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
        assert AiController().weights(ruleset(kind)) == tuned(load_weights(), found.get(kind, {}))
    own = load_weights()
    assert AiController(weights=own).weights(ruleset("olde")) is own


def test_the_schema_for_editors_is_current() -> None:
    stored = asset("schema", "tuned.json").read_text(encoding="utf-8")
    assert stored == schema_text(tuned_schema()), "run game.content.schemas.write_weights_schema"
    assert FILE.startswith("#:schema ../schema/tuned.json\n")


def test_everything_searched_for_can_be_tuned() -> None:
    assert all(table in TUNED and number in tunable(table) for table, number in tuning.SEARCHED)
    assert len(set(tuning.SEARCHED)) == len(tuning.SEARCHED)


def test_a_point_of_the_search_is_doublings_within_bounds() -> None:
    point = [0.0] * len(tuning.SEARCHED)
    point[0], point[1], point[2] = 1.0, -1.0, 99.0
    found = [tuning.factors_of(point)[table][number] for table, number in tuning.SEARCHED]
    assert found[:4] == [2.0, 0.5, 4.0, 1.0]


def test_the_file_as_it_is_comes_out_even_against_itself() -> None:
    bout = next(bout for bout in tuning.drawn("olde", 0, 1) if bout.other == "untuned")
    assert tuning.margin(tuning.Trial(bout, {})) == 0.0


def test_no_seed_of_tuning_is_one_of_judging() -> None:
    seeds = {bout.seed for generation in (0, 50, 1000) for bout in tuning.drawn("cairn", generation, 200)}
    assert len(seeds) == 600
    assert min(seeds) > FIRST + 1_000_000


def test_the_same_search_comes_to_the_same_middle() -> None:
    with ThreadPoolExecutor(1) as pool:
        found = [tuning.search("cairn", pool, generations=1, pairs=1, candidates=2) for _ in range(2)]
    assert found[0] == found[1]
    assert [row["generation"] for row in found[0][0]] == [0]


def test_what_was_found_replaces_a_rulesets_factors_and_no_others(tmp_path: Path) -> None:
    path = written(tmp_path, "# Why.\n\n[olde.judge]\nbold = 2.0\n\n[cairn.judge]\nbold = 3.0\n")
    tuning.keep("olde", {"temperament": {"harm": 0.5}}, path)
    assert read_tuned(path) == {"cairn": {"judge": {"bold": 3.0}}, "olde": {"temperament": {"harm": 0.5}}}
    assert path.read_text(encoding="utf-8").startswith("# Why.\n")

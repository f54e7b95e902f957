"""Chains: encounters in a row for one party, what is carried over, and what the forecast says of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from game.cli import main
from game.content import tables as content
from game.content.schemas import chain_schema, schema_text
from game.forecast.chains import ChainCounts, ChainForecast, ChainTrial, _unpacked, foresee, play_run, report
from game.paths import asset
from game.setup import chains
from rules.contract.errors import BattlematError
from rules.contract.ruleset import NO_REST
from rules.core import record as records
from rules.core.registry import ruleset as ruleset_of
from tests.rules.explore.expedition import RULESETS

EVERY = pytest.mark.parametrize("ruleset", RULESETS)
HALL = ["##########", "#........#", "#........#", "#........#", "##########"]
RESTS = {"olde": "breath", "cairn": "moments", "countup": "hour"}
LONG = {"olde": "well", "cairn": "week", "countup": "well"}


def encounter(
    ruleset: str, *, foes: int = 2, hero_at: int = 1, foe_at: int = 8, title: str = "Hall", **more: Any
) -> dict[str, Any]:
    heroes = list(content.heroes(ruleset))[:2]
    people: list[dict[str, Any]] = [
        {"id": name, "template": name, "side": "heroes", "at": [hero_at, 1 + n], "controller": "human"}
        for n, name in enumerate(heroes)
    ]  # fmt: skip
    people += [{"id": f"gob{n}", "template": "goblin", "side": "monsters", "at": [foe_at, 1 + n], "controller": "ai"}
               for n in range(foes)]  # fmt: skip
    return {"format": "battlemat/1", "ruleset": ruleset, "title": title, "seed": 3, "map": {"rows": HALL},
            "creatures": people, "commands": [], **more}  # fmt: skip


def chain(ruleset: str, *rests: str, **more: Any) -> chains.ChainModel:
    made = [encounter(ruleset, title=f"Hall {n}", **more) for n in range(len(rests))]
    fights = [{"encounter": one, "rest": rest} for one, rest in zip(made, rests, strict=True)]
    return chains.read({"format": chains.FORMAT, "title": "Halls", "seed": 5, "fights": fights})


def played(ruleset: str, number: int, *rests: str, **more: Any) -> ChainCounts:
    trial = ChainTrial.of(chains.ready(chain(ruleset, *rests, **more)))
    return play_run(_unpacked(trial.chain), 5, number, 60)


@EVERY
def test_wounds_go_on_into_the_next_fight(ruleset: str) -> None:
    found = foresee(chains.ready(chain(ruleset, NO_REST, NO_REST)), 8)
    first, second = found.fights
    assert first.hp.mean == first.hp_max and second.hp.mean < second.hp_max
    assert found.through.runs <= first.won.runs <= first.reached.runs == 8


@EVERY
def test_a_long_rest_gives_back_more_than_none(ruleset: str) -> None:
    none = foresee(chains.ready(chain(ruleset, NO_REST, NO_REST)), 8).fights[1]
    long = foresee(chains.ready(chain(ruleset, LONG[ruleset], NO_REST)), 8).fights[1]
    assert none.reached == long.reached, "up to the rest the dice are the same"
    assert long.hp.mean > none.hp.mean


@EVERY
def test_the_same_seed_gives_the_same_forecast_however_the_runs_are_dealt_out(ruleset: str) -> None:
    ready = chains.ready(chain(ruleset, RESTS[ruleset], NO_REST))
    trial = ChainTrial.of(ready)
    packed = _unpacked(trial.chain)
    one, other = ChainCounts(), ChainCounts()
    for number in range(4):
        one += play_run(packed, 5, number, 60)
    for number in (3, 1, 0, 2):
        other += play_run(packed, 5, number, 60)
    assert report(trial, one) == report(trial, other) == foresee(ready, 4)


def test_several_processes_come_to_the_same() -> None:
    ready = chains.ready(chain("olde", "breath", NO_REST))
    assert foresee(ready, 8, jobs=2) == foresee(ready, 8)


@EVERY
def test_heroes_lost_are_counted_from_fight_to_fight(ruleset: str) -> None:
    found = foresee(chains.ready(chain(ruleset, NO_REST, NO_REST, NO_REST, foes=3)), 8)
    for fight in found.fights:
        assert sum(fight.lost_spread.values()) == 8
    if not any(hero.dies.runs for hero in found.fights[0].heroes):
        return
    means = [fight.lost.mean for fight in found.fights]
    assert means == sorted(means), "without a rest nobody comes back"


@EVERY
def test_who_is_down_does_not_enter_the_next_fight(ruleset: str) -> None:
    rules = ruleset_of(ruleset)
    for number in range(30):
        counts = played(ruleset, number, NO_REST, NO_REST, foes=3)
        first, second = counts.fights
        if second.reached and any(person.lost for person in first.people):
            assert all(not after.entered for before, after in zip(first.people, second.people, strict=True)
                       if before.lost)  # fmt: skip
            return
    pytest.fail(f"in no run somebody was lost and the fight won: {rules.title}")


@EVERY
def test_the_party_of_the_first_stands_where_the_heroes_of_the_later_ones_were(ruleset: str) -> None:
    later = encounter(ruleset, hero_at=4)
    strangers = list(content.heroes(ruleset))[2:4]
    for entry, name in zip(later["creatures"], strangers, strict=False):
        entry |= {"id": name, "template": name}
    made = chains.read({"format": chains.FORMAT, "fights": [{"encounter": encounter(ruleset)}, {"encounter": later}]})
    ready = chains.ready(made)
    party = [entry for entry in ready.links[1].record.creatures if entry["side"] == "heroes"]
    assert tuple(str(entry["id"]) for entry in party) == ready.party
    assert [entry["at"] for entry in party] == [[4, 1], [4, 2]]


def test_waves_come_in_the_fights_of_a_chain() -> None:
    waved = encounter("olde", foes=3, arrivals=[{"who": ["gob2"], "turn": 2}])
    made = chains.read({"format": chains.FORMAT, "fights": [{"encounter": waved}, {"encounter": waved}]})
    assert all(len(link.record.arrivals) == 1 for link in chains.ready(made).links)
    assert foresee(chains.ready(made), 2).runs == 2


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"format": "battlemat-chain/9"}, "format: needs 'battlemat-chain/1'"),
        ({"fights": []}, "fights: 1 are needed"),
        ({"fights": [{"encounter": "nowhere.json"}]}, "fights[0].encounter: 'nowhere.json' is neither beside"),
        ({"fights": [{"encounter": encounter("olde"), "rest": "nap"}]}, "fights[0].rest: 'nap' is no rest of olde"),
        ({"fights": [{"encounter": encounter("olde")}, {"encounter": encounter("cairn")}]}, "a chain has one ruleset"),
        ({"colour": 1}, "colour: no such field"),
    ],
)
def test_a_chain_that_cannot_be_is_refused_in_one_line(
    change: dict[str, Any], wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "chain.json"
    document = {"format": chains.FORMAT, "fights": [{"encounter": encounter("olde")}], **change}
    path.write_text(json.dumps(document), encoding="utf-8")
    assert main(["simulate", str(path), "--runs", "1"]) == 2
    told = capsys.readouterr().err
    if "chain/9" not in str(change):
        assert wrong in told
    assert told.count("\n") == 1 and "Traceback" not in told


def test_an_encounter_beside_the_chain_is_found_and_the_command_line_tells_of_both(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "hall.json").write_text(json.dumps(encounter("olde")), encoding="utf-8")
    path = tmp_path / "chain.json"
    made = chains.read({"format": chains.FORMAT, "title": "Halls", "fights": [
        {"encounter": "hall.json", "rest": "field"}, {"encounter": "hall.json"}]})  # fmt: skip
    chains.save(made, path)
    assert chains.load(path) == made
    assert main(["simulate", str(path), "--runs", "3", "--jobs", "1"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Halls: 2 fights, a party of 2") and "the party gets through" in told
    assert "then: A day in the field" in told
    assert main(["simulate", str(path), "--runs", "3", "--jobs", "1", "--json"]) == 0
    assert ChainForecast.model_validate_json(capsys.readouterr().out).runs == 3
    assert main(["simulate", str(path), "--runs", "3", "--what-if", "all"]) == 2
    assert "is for a single encounter" in capsys.readouterr().err


def test_what_is_carried_and_cannot_be_is_refused() -> None:
    entry = encounter("olde", carried={"figures": {"nobody": {"hp": 1}}})
    with pytest.raises(BattlematError, match=r"carried.figures.nobody: no creature has this id"):
        ChainTrial.of(chains.ready(chains.read({"format": chains.FORMAT, "fights": [{"encounter": entry}]})))
    assert records.read(entry).carried is not None


def test_the_schema_for_editors_is_current() -> None:
    assert asset("schema", "chain.json").read_text(encoding="utf-8") == schema_text(chain_schema())

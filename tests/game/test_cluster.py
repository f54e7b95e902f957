"""A forecast on a cluster: Dask's scheduler and two workers, in processes of their own, on this machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from game.cli import main
from game.forecast.simulate import simulate
from rules.core import record as records
from tests.game.test_forecast import duel


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    from distributed import LocalCluster  # half a second, which all processes of a run would spend

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, scheduler_port=0, silence_logs=50
    ) as cluster:
        yield cluster.scheduler_address


@pytest.fixture
def encounter(tmp_path: Path) -> Path:
    path = tmp_path / "duel.json"
    path.write_text(json.dumps(records.document(duel())))
    return path


@pytest.mark.parametrize("asked", [["--runs", "24"], ["--within", "20"]])
def test_a_cluster_comes_to_the_same_as_one_process(address, encounter, capsys, asked) -> None:
    assert main(["simulate", str(encounter), "--json", "--cluster", address, *asked]) == 0
    found = json.loads(capsys.readouterr().out)
    alone = simulate(duel(), 24) if "--runs" in asked else simulate(duel(), within=0.2)
    assert found == json.loads(alone.model_dump_json())


def test_an_address_where_nobody_is_gets_one_line(encounter, capsys, monkeypatch) -> None:
    monkeypatch.setattr("game.forecast.cluster.PATIENCE", 1)
    for address in ("tcp://127.0.0.1:9", "nowhere at all"):
        assert main(["simulate", str(encounter), "--cluster", address]) == 2
        told = capsys.readouterr().err.splitlines()
        assert len(told) == 1 and "no scheduler answers" in told[0] and "tcp://host:8786" in told[0]


def test_without_the_library_it_is_said_what_to_install(encounter, capsys, monkeypatch) -> None:
    monkeypatch.setattr("game.forecast.cluster.find_spec", lambda name: None)
    assert main(["simulate", str(encounter), "--cluster", "tcp://host:8786"]) == 2
    assert "install battlemat[cluster]" in capsys.readouterr().err


def test_a_cluster_plays_with_its_own_workers(encounter, capsys) -> None:
    assert main(["simulate", str(encounter), "--cluster", "tcp://host:8786", "--jobs", "2"]) == 2
    assert "leave --jobs out" in capsys.readouterr().err

"""A thousand broken files (`make fuzz` tries a hundred thousand): each is fit after all or gives its one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz import trial


@pytest.mark.parametrize("kind, runs", [("replay", 600), ("load", 250), ("journal", 100), ("settings", 250)])
def test_broken_files_give_one_line_and_nothing_else(
    kind: str, runs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BATTLEMAT_HOME", str(tmp_path))
    attempt = dict(trial.trials(tmp_path))[kind]
    fit = sum(attempt(number) for number in range(runs))
    assert 0 < fit < runs, "some are fit after all, some are not"
    assert not (tmp_path / "reports").exists()
    assert not list((tmp_path / "fights").glob("*")) if (tmp_path / "fights").exists() else True

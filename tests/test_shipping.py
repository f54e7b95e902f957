"""What is built for others names what there is, on the three systems."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
SYSTEMS = {"ubuntu-latest", "macos-latest", "windows-latest"}


def steps(path: Path) -> list[str]:
    jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values()
    return [step["run"] for job in jobs for step in job["steps"] if "run" in step]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_names_what_there_is(path: Path) -> None:
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert document[True]["workflow_dispatch"] is None, "it can be started by hand"  # YAML reads `on` as true
    for job in document["jobs"].values():
        assert job["timeout-minutes"] <= 30
        assert job["runs-on"] == "ubuntu-latest" or set(job["strategy"]["matrix"]["system"]) == SYSTEMS
    for line in steps(path):
        for name in re.findall(r"(?<![\w/])\.(?:ci|/\.ci)/[\w.]+", line):
            assert (ROOT / name).is_file(), name
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    asked = [name for line in steps(path) for name in re.findall(r'"\.\[(\w+)\]"', line)]
    assert set(asked) <= set(extras)


def test_what_is_built_is_tried() -> None:
    for name in ("wheel", "bundle"):
        path = ROOT / ".github" / "workflows" / f"{name}.yml"
        assert any("--selftest" in line for line in steps(path)), name
    assert "--selftest" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_a_bundle_carries_what_a_wheel_carries() -> None:
    spec = (ROOT / ".ci" / "battlemat.spec").read_text(encoding="utf-8")
    carried = dict(re.findall(r'\("\.\./([\w/]+)", "([\w/]+)"\)', spec))
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    assert carried == wheel["wheel"]["sources"]

"""The wheel carries its data, and `play.py` brings a bare machine to the point or says what is missing."""

from __future__ import annotations

import ast
import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest
from hatchling.builders.wheel import WheelBuilder

from game import paths
from rules.contract.errors import BattlematError

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built and unpacked."""
    folder = tmp_path_factory.mktemp("wheel")
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "unpacked")
    return folder / "unpacked"


def files_below(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_wheel_holds_code_assets_and_maps_and_nothing_else(unpacked: Path) -> None:
    assert files_below(unpacked / "game/_data/maps") == files_below(ROOT / "maps")
    assert files_below(unpacked / "game/_data/assets") == files_below(ROOT / "assets")
    assert files_below(unpacked / "game/_data/rules") == files_below(ROOT / "docs/rules")
    assert files_below(unpacked / "rules") == files_below(ROOT / "rules")
    assert {path.name for path in unpacked.iterdir() if path.suffix != ".dist-info"} == {"game", "rules"}


def test_the_wheel_brings_the_command(unpacked: Path) -> None:
    (points,) = unpacked.glob("*.dist-info/entry_points.txt")
    assert "battlemat = game.cli:main" in points.read_text(encoding="utf-8")


def test_an_installed_package_finds_its_own_data(unpacked: Path, tmp_path: Path) -> None:
    code = "import game.paths as p; print(p.data_root()); print(p.map_folders()[0]); print(p.rulebooks())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(unpacked)},
        capture_output=True,
        text=True,
        check=True,
    )
    data = unpacked.resolve() / "game" / "_data"
    assert done.stdout.splitlines() == [str(data), str(data / "maps"), str(data / "rules")]


def test_a_checkout_finds_its_data_at_its_root() -> None:
    assert paths.data_root() == ROOT
    assert paths.asset("art", "minis") == ROOT / "assets" / "art" / "minis"
    assert paths.rulebooks() == ROOT / "docs" / "rules"


def test_the_user_folder_is_made_on_first_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path / "a" / "b"))
    assert paths.map_folders() == (ROOT / "maps",)
    assert not (tmp_path / "a").exists()
    assert paths.user_folder("saves").is_dir()
    paths.user_folder("maps")
    assert paths.map_folders() == (ROOT / "maps", tmp_path / "a" / "b" / "maps")


def test_a_user_folder_that_cannot_be_made_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path / "file" / "home"))
    with pytest.raises(BattlematError) as caught:
        paths.user_folder()
    assert str(tmp_path / "file") in str(caught.value) and "\n" not in str(caught.value)


# -- play.py ---------------------------------------------------------------------------------------


@pytest.fixture
def play() -> ModuleType:
    spec = importlib.util.spec_from_file_location("play", ROOT / "play.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_play_is_read_by_an_old_python() -> None:
    ast.parse((ROOT / "play.py").read_text(encoding="utf-8"), feature_version=(3, 6))


def test_play_needs_only_the_standard_library() -> None:
    tree = ast.parse((ROOT / "play.py").read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert names <= sys.stdlib_module_names
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(tree))


def test_play_tells_an_old_python_which_one_is_needed(play: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "OLDEST", (4, 0))
    with pytest.raises(play.SetupError, match=r"needs Python 4\.0 or newer, but this is Python 3"):
        play.main([])


def test_play_installs_again_only_when_the_project_file_changed(
    play: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "HERE", str(tmp_path))
    (tmp_path / "pyproject.toml").write_text("one", encoding="utf-8")
    first = play.fingerprint()
    assert play.fingerprint() == first
    (tmp_path / "pyproject.toml").write_text("two", encoding="utf-8")
    assert play.fingerprint() != first


def test_play_without_venv_names_the_package_to_install(tmp_path: Path) -> None:
    """As on a Debian without python3-venv: both ways to make an environment end with an error."""
    for name in ("play.py", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    broken = tmp_path / "broken"
    broken.mkdir()
    for name in ("venv.py", "virtualenv.py"):
        (broken / name).write_text("raise SystemExit('ensurepip is not available')", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, tmp_path / "play.py", "--setup"],
        env={**os.environ, "PYTHONPATH": str(broken)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    last = done.stderr.splitlines()[-1]
    assert f"apt install python{sys.version_info[0]}.{sys.version_info[1]}-venv" in last
    assert not (tmp_path / ".venv").exists()

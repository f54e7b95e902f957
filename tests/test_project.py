"""The project itself: what the README promises, what the top level holds, and that importing does nothing else."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import game
from rules.core.registry import RULESETS

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
TOP_LEVEL = {
    ".ci", ".github", ".gitignore", "CHANGELOG.md", "LICENSE", "Makefile", "README.md", "assets", "docs", "game",
    "maps", "play.py", "pyproject.toml", "rules", "tests",
}  # fmt: skip


def tracked_files() -> list[str]:
    listing = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True)
    if listing.returncode:
        pytest.skip("not a git checkout")
    return [name for name in listing.stdout.split("\0") if name]


def run_python(code: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-B", "-c", code, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"https?://", target):
            assert (page.parent / target.partition("#")[0]).exists(), f"{page.name} links to {target}"


def test_the_readme_runs_a_fight_in_a_few_lines_of_python() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len([line for line in code.splitlines() if line.strip()]) <= 14
    story = run_python(code)
    assert story.splitlines()[-1].startswith("The fight is over")
    assert story == run_python(code), "the same seed must tell the same story"


def test_the_example_of_the_docs_is_the_example_that_the_tests_play() -> None:
    block, *_ = re.findall(r"```json\n(.*?)```", (ROOT / "docs/record.md").read_text(encoding="utf-8"), re.DOTALL)
    played = ROOT / "tests/playthroughs/readme_example.json"
    assert json.loads(block) == json.loads(played.read_text(encoding="utf-8"))


def test_the_top_level_holds_what_it_should() -> None:
    assert {name.partition("/")[0] for name in tracked_files()} <= TOP_LEVEL


def test_nothing_generated_or_locked_is_kept() -> None:
    unwanted = re.compile(r"\.lock$|-lock\.\w+$|\.pyc$|\.egg-info|(^|/)(dist|build|\.venv|shots)/|\.orig$|~$")
    assert [name for name in tracked_files() if unwanted.search(name)] == []


def test_no_file_names_a_folder_of_one_machine_or_a_registry() -> None:
    private = re.compile(r"/(?:work|home|root|opt)/\w|index-ur[l]|pypi\.or[g]|pythonhoste[d]")
    found = []
    for name in tracked_files():
        if Path(name).suffix in {".png", ".ogg", ".wav", ".ttf"} or not (ROOT / name).is_file():
            continue
        for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), 1):
            if private.search(line) and not re.search(r"/usr/bin/env", line):
                found.append(f"{name}:{number}: {line.strip()[:80]}")
    assert [line for line in found if not line.startswith("tests/test_project.py")] == []


def test_the_version_stands_in_one_place_and_the_changelog_knows_it() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "version" not in project and "version" in project["dynamic"]
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest is not None and newest[1] == game.__version__


def test_only_one_pygame_is_asked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = project["dependencies"] + [d for extra in project["optional-dependencies"].values() for d in extra]
    names = [re.split(r"[^\w-]", line)[0].lower() for line in wanted]
    assert "pygame-ce" in names and "pygame" not in names
    assert len(names) == len(set(names))


def test_the_core_of_the_rules_imports_no_ruleset() -> None:
    """Only the registry may; the contracts in pyproject.toml keep the rulesets from each other."""
    wrong = re.compile(rf"^\s*(from|import)\s+rules\.({'|'.join(RULESETS)})\b", re.MULTILINE)
    core = {path for room in ("contract", "core", "board") for path in (ROOT / "rules" / room).glob("*.py")}
    assert [path.name for path in sorted(core) if wrong.search(path.read_text(encoding="utf-8"))] == []


IMPORT_ALL = """
import os, pkgutil, random, sys, threading
before = random.getstate(), dict(os.environ), os.getcwd()
done = []
def watch(event, arguments):
    if event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+"):
        done.append((event, str(arguments[0])))
    elif event.split(".")[0] in ("socket", "subprocess") or event in ("os.mkdir", "os.remove", "os.rename"):
        done.append((event, str(arguments)))
sys.addaudithook(watch)
package = __import__(sys.argv[1])
for module in pkgutil.walk_packages(package.__path__, sys.argv[1] + "."):
    if not module.name.endswith("__main__"):
        __import__(module.name)
assert done == [], done
assert before == (random.getstate(), dict(os.environ), os.getcwd()), "importing changed the process"
assert threading.active_count() == 1
if sys.argv[1] == "rules":
    assert not {"pygame", "pytmx", "game"} & set(sys.modules)
elif "pygame" in sys.modules:
    import pygame
    assert not pygame.display.get_init() and not pygame.mixer.get_init()
"""


@pytest.mark.parametrize("package", ["rules", "game"])
def test_importing_every_module_does_nothing_else(package: str) -> None:
    assert run_python(IMPORT_ALL, package) == ""

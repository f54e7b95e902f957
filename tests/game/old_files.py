"""Files that earlier programs wrote for their players (tests/oldfiles), put back where they lay, and told in figures.

`python -m tests.game.old_files` writes the figures anew; that is right only where a rule itself was wrong.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from game import paths
from game.app import settings
from game.characters import files as heroes
from game.characters.olde.model import block, condition, pools
from game.fight.match import Match, load_fight
from game.setup import draft as drafts
from game.setup import files as encounters
from game.setup.draft import Draft
from game.storage import recovery
from rules.contract.text import as_builtins

OLD = Path(__file__).parents[1] / "oldfiles"
FIGURES = OLD / "figures.json"


def known() -> dict[str, dict[str, Any]]:
    """By file: where it lay in its player's folder, what it told then (`then`) and what it tells now (`now`)."""
    found: dict[str, dict[str, Any]] = json.loads(FIGURES.read_text(encoding="utf-8"))
    return found


def of_kind(kind: str, ending: str = ".json") -> list[str]:
    """The files of a kind, by name."""
    return sorted(name for name in known() if name.startswith(f"{kind}/") and name.endswith(ending))


def put(name: str) -> Path:
    """An old file where it lay in its player's folder; paths that it names lead to today's places."""
    home = paths.user_path()
    goal: Path = home / known()[name]["home"]
    goal.parent.mkdir(parents=True, exist_ok=True)
    text = (OLD / name).read_text(encoding="utf-8")
    goal.write_text(text.replace("AWAY", away().as_posix()).replace("HOME", home.as_posix()), encoding="utf-8")
    return goal


def away() -> Path:
    """A folder beside the player's, with maps that old fights were fought on."""
    folder = paths.user_path().parent / "away"
    if not folder.is_dir():
        shutil.copytree(OLD / "maps" / "away", folder)
        shutil.copy(OLD / "maps" / "lantern.tmx", folder)
    return folder


def put_maps() -> None:
    """The lists of where maps lie, and a map that was brought in."""
    for name in of_kind("maps", ""):
        put(name)


def digest(*lines: object) -> str:
    """Lines as `battlemat replay` prints them, in a short word."""
    text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def stand(match: Match) -> str:
    """The digest of `--state`."""
    return digest(match.ruleset.summary(match.state))


def events(match: Match) -> str:
    """The digest of `--events`."""
    return digest(*(as_builtins(event) for event in match.events))


def of_fight(match: Match) -> dict[str, Any]:
    """What a fight is, how it stands, and what may be done about its past."""
    record, history = match.record, match.history
    pasts = [history.look_back(point) for point in list(history.points())[:3]]
    return {
        "title": match.title,
        "commands": len(record.commands),
        "state": stand(match),
        "events": events(match),
        "names": {mini.id: mini.name for mini in match.board().miniatures},
        "seats": [seat.model_dump(mode="json") for seat in record.seats],
        "clock": record.chance_seconds,
        "throws": None if record.throws is None else len(record.throws),
        "branches": [[b.at, b.title, len(b.commands)] for b in record.branches],
        "rewinds": [r.model_dump(mode="json", exclude_defaults=True) for r in record.rewinds],
        "back": [[past.to, past.commands, past.dice, past.free] for past in pasts],
    }


def told_then(match: Match) -> dict[str, Any]:
    """What earlier programs told of a fight, as far as today's tells the same things."""
    summary = json.loads(json.dumps(match.ruleset.summary(match.state)))
    words = ("turn", "round", "second", "phase", "half", "acting", "over")
    creatures = {
        name: {word: told[word] for word in ("hp", "at", "status") if word in told}
        for name, told in summary["creatures"].items()
    }
    said = {word: summary[word] for word in words if word in summary}
    return {"commands": len(match.record.commands), **said, "creatures": creatures}


def interrupted(name: str) -> Match:
    """The fight of an old journal, as far as it can be played."""
    return recovery.playable(recovery.read_journal(put(name))[1])


def of_encounter(draft: Draft) -> dict[str, Any]:
    """What stands on a table, who sits at it, and how a fight on it begins."""
    match = Match.from_record(drafts.to_record(draft))
    return {
        "title": draft.title,
        "table": digest(drafts.document(draft)),
        "who": [[piece.id, piece.entry.get("name"), piece.spot] for piece in draft.pieces],
        "seats": list(draft.more.get("seats", ())),
        "clock": draft.more.get("chance_seconds"),
        "options": dict(draft.options),
        "doors": dict(draft.map.get("doors", {})),
        "elsewhere": {name: sorted(there.blocks) for name, there in draft.elsewhere.items()},
        "begins": stand(match),
    }


def of_hero(path: Path) -> dict[str, Any]:
    """A hero's figures."""
    hero = heroes.load(path)
    return {
        "name": hero.name,
        "figures": records_only(block(hero)),
        "pools": {name: list(pair) for name, pair in pools(hero).items()},
        "condition": condition(hero),
        "earned": hero.build.earned,
        "purse": hero.purse,
        "story": [_story(past.model_dump(mode="json")) for past in hero.history],
    }


def _story(past: dict[str, Any]) -> dict[str, Any]:
    """What is told of a fight, without what came later and says nothing of it."""
    return {name: said for name, said in past.items() if name != "how" or said is not None}


def records_only(value: Any) -> Any:
    """A value as JSON has it."""
    return json.loads(json.dumps(value))


def of_settings() -> dict[str, Any]:
    """All that the settings of the player's folder say."""
    return settings.load_settings().model_dump(mode="json")


def told(name: str) -> dict[str, Any]:
    """What a file tells now; to be asked in an empty folder."""
    put_maps()
    ways: dict[str, Callable[[], dict[str, Any]]] = {
        "fights": lambda: of_fight(load_fight(put(name))),
        "journals": lambda: of_fight(interrupted(name)),
        "encounters": lambda: of_encounter(encounters.load(put_encounter(name))[0]),
        "heroes": lambda: of_hero(put(name)),
        "settings": lambda: (put(name), of_settings())[1],
    }
    found: dict[str, Any] = records_only(ways[name.partition("/")[0]]())
    return found


def put_encounter(name: str) -> Path:
    """An encounter with what lies beside it."""
    beside = Path(name).with_suffix(".rulesets").as_posix()
    if beside in known():
        put(beside)
    return put(name)


def main() -> None:
    """Write the figures of today."""
    figures = known()
    for name, entry in figures.items():
        if name.startswith("maps/") or name.endswith((".rulesets", ".path")):
            continue
        with tempfile.TemporaryDirectory() as folder:
            os.environ[paths.HOME_VARIABLE] = str(Path(folder) / "home")
            entry["now"] = told(name)
    FIGURES.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{FIGURES}: {len(figures)} files", file=sys.stderr)


if __name__ == "__main__":
    main()

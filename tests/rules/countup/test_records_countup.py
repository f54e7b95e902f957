"""A record with scripted dice for each rule of countup.md §1, §2, and what was reckoned by hand from the rules.

Beside every `NAME.json` stands `NAME.reckoned`, a line for each thing that must come of it:

    # why: the figures as the rules have them
    attack by=a attack=7 defense=6       the next event of this kind with these fields (dots go into it)
    second 11                            the next second that is told
    no moved by=b                        no such event anywhere
    count attack 6                       so many events of a kind
    state a hp=31 at=2,1                 a creature at the end, as `battlemat replay --state` shows it
    clock 4 / acting a,b                 the last second, and who is asked then
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from game import cli
from game.fight.match import Match
from game.storage import records as storage
from rules.contract.text import as_builtins
from tests.rules.countup.rulelist import RULES

FILES = sorted((Path(__file__).parent / "records").glob("*.json"))


def test_every_rule_has_a_record_and_every_record_a_rule() -> None:
    assert {path.stem for path in FILES} == set(RULES)
    assert all(path.with_suffix(".reckoned").exists() for path in FILES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_record_comes_to_what_was_reckoned(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By `battlemat replay`, and with every scripted die used up."""
    assert cli.main(["replay", str(path), "--events"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    match = Match.from_record(storage.read_record(path), strict_throws=True)
    assert match.state.throw_at == len(match.state.setup.throws)
    state = as_builtins(match.ruleset.summary(match.state))
    at = 0
    for number, line in enumerate(path.with_suffix(".reckoned").read_text(encoding="utf-8").splitlines(), 1):
        word, _, rest = line.partition(" ")
        where = f"{path.stem}, line {number}: {line}"
        if word == "#":
            continue
        if word == "no":
            kind, wanted = asked(rest)
            assert not [e for e in events if fits(e, kind, wanted)], where
        elif word == "count":
            kind, count = rest.split()
            assert len([e for e in events if e["event"] == kind]) == int(count), where
        elif word == "clock":
            assert state["second"] == int(rest), where
        elif word == "acting":
            assert state["acting"] == rest.split(","), where
        elif word == "state":
            who, wanted = asked(rest)
            one = state["creatures"][who]
            assert all(same(one, key, value) for key, value in wanted.items()), f"{where}: {one}"
        else:
            kind, wanted = ("began", {"what": "second", "number": rest}) if word == "second" else asked(line)
            found = next((n for n in range(at, len(events)) if fits(events[n], kind, wanted)), None)
            assert found is not None, f"{where}: {[e for e in events[at:] if e['event'] == kind]}"
            at = found + 1


def asked(line: str) -> tuple[str, dict[str, str]]:
    """`attack by=a attack=7` -> ("attack", {"by": "a", "attack": "7"})."""
    word, *pairs = line.split()
    return word, dict(pair.split("=", 1) for pair in pairs)  # type: ignore[arg-type]


def fits(event: dict[str, Any], kind: str, wanted: dict[str, str]) -> bool:
    return event["event"] == kind and all(same(event, key, value) for key, value in wanted.items())


def same(one: Any, key: str, value: str) -> bool:
    """Whether a field, or one inside it, reads as reckoned: `rolls.0.dice=d8p+2`, `at=2,1`, `path=2,1;3,1`."""
    for part in key.split("."):
        if isinstance(one, list):
            one = one[int(part)] if int(part) < len(one) else None
        else:
            one = one.get(part) if isinstance(one, dict) else None
    return text(one) == value


def text(one: Any) -> str:
    if isinstance(one, list):
        return (";" if one and isinstance(one[0], list) else ",").join(text(part) for part in one)
    if isinstance(one, bool):
        return str(one).lower()
    return "" if one is None else str(one).replace("−", "-").replace(" ", "_")

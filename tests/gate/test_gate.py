"""The gate holds for a sample of its fights (`make gate` plays all), and each of its digests tells what it is to tell.

A run of the tests has a hash seed of its own, so the sample is compared across hash seeds and Pythons as well.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from game.cli import main as battlemat
from game.controllers.ai import AiController
from rules.contract.actions import Action
from rules.core import record as records
from rules.core.registry import ruleset as ruleset_of
from tests.gate import __main__ as gate
from tests.gate import baseline, encounters, explain, play, seam
from tests.gate.baseline import Fight
from tests.gate.digests import KINDS, Digests, Sink, Trace, figures, rounded, uncited, words
from tests.gate.lot import Lot

RULESETS = ("olde", "cairn", "countup")
SEEDS = range(4)


def test_every_ruleset_has_its_gate() -> None:
    assert seam.rulesets() == RULESETS
    for ruleset in RULESETS:
        for kind in ("random", "computer"):
            kept = baseline.kept(kind, ruleset)
            assert list(kept) == [str(seed) for seed in range(baseline.COUNTS[kind])]
            assert {each.note for each in kept.values()} <= {"", baseline.STILL}  # the program failed in none


@pytest.mark.parametrize("ruleset", RULESETS)
def test_random_fights_come_to_what_they_came_to(ruleset: str) -> None:
    differences, count, _ = gate.check("random", ruleset, first=100, count=3)
    assert [difference.text for difference in differences] == []
    assert count == 3


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_computer_plays_as_it_played(ruleset: str) -> None:
    differences, _, _ = gate.check("computer", ruleset, first=100, count=1)
    assert [difference.text for difference in differences] == []


def test_the_records_of_the_baseline_are_in_the_repository() -> None:
    kept = baseline.kept("records", "")
    assert [each.note for seed, each in kept.items() if seed not in baseline.records()] == []
    for seed in list(kept)[::40]:
        assert baseline.differs(baseline.digested(kept[seed].fight), kept[seed]) is None


# -- each digest tells what it is to tell


def differing(kind: str, ruleset: str, seeds: Any = SEEDS) -> set[str]:
    """The digests in which some of the first fights differ now."""
    kept = baseline.kept(kind, ruleset)
    found = [baseline.digested(Fight(kind, ruleset, str(seed))) for seed in seeds]
    differences = [baseline.differs(each, kept[each.fight.seed]) for each in found]
    return {digest for difference in differences if difference is not None for digest in difference.kinds}


def stronger(change: Any) -> Any:
    """Tables of a ruleset with its weapons changed."""
    tables = seam._tables

    def changed(ruleset: str) -> Any:
        found = dict(tables(ruleset))
        found["weapons"] = [change(json.loads(json.dumps(weapon))) for weapon in found["weapons"]]
        return found

    return changed


def _harder(weapon: Any) -> Any:
    for mode in weapon["modes"]:
        mode["damage"] = mode.get("damage", 0) + 1
    return weapon


def _longer(weapon: Any) -> Any:
    for mode in weapon["modes"]:
        if "reach" in mode:
            mode["reach"] = [mode["reach"][0], mode["reach"][1] + 1]
    return weapon


def test_a_point_of_damage_more_shows_in_events_state_and_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seam, "_tables", stronger(_harder))
    assert {"events", "state", "odds"} <= differing("random", "olde")


def test_a_longer_reach_shows_in_what_may_be_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seam, "_tables", stronger(_longer))
    assert "legal" in differing("random", "olde")


@pytest.mark.parametrize(
    ("ruleset", "digest"),
    [("olde", "odds"), ("countup", "known"), ("cairn", "state"), ("olde", "story"), ("cairn", "events")],
)
def test_a_change_in_one_thing_shows_in_its_digest_alone(
    ruleset: str, digest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = ruleset_of(ruleset)
    before = {name: getattr(rules, name) for name in ("odds", "sees", "summary", "tell", "apply")}

    def odds(self: Any, state: Any, action: Any) -> Any:
        found = before["odds"](state, action)
        return found and msgspec.structs.replace(found, mean=found.mean + 1e-6)

    def sees(self: Any, state: Any, side: str) -> int:
        return int(before["sees"](state, side)) ^ 1

    def summary(self: Any, state: Any) -> Any:
        return {**before["summary"](state), "more": 1}

    def tell(self: Any, state: Any, event: Any) -> str:
        return str(before["tell"](state, event)) + "!"

    def apply(self: Any, state: Any, decision: Any, action: Any) -> Any:
        step = before["apply"](state, decision, action)
        return step._replace(events=step.events + step.events[:1])

    name, changed, shows = {
        "odds": ("odds", odds, {"odds"}),
        "known": ("sees", sees, {"known"}),
        "state": ("summary", summary, {"state", "known"}),
        "story": ("tell", tell, {"story"}),
        "events": ("apply", apply, {"events", "story"}),
    }[digest]
    monkeypatch.setattr(type(rules), name, changed)
    assert differing("random", ruleset, range(3)) == shows


def test_another_choice_of_the_computer_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    choose = AiController.choose

    def idle(self: Any, ruleset: Any, state: Any, decision: Any, legal: Any) -> Action:
        end = Action(decision.by, "end")
        return end if end in legal else choose(self, ruleset, state, decision, legal)

    monkeypatch.setattr(AiController, "choose", idle)
    assert differing("computer", "olde", range(2)) >= {"commands", "events", "state"}


def test_where_the_program_fails_the_digest_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(ruleset_of("olde")), "odds", lambda self, state, action: 1 // 0)
    known = next(each for each in baseline.kept("random", "olde").values() if each.commands > 9)
    found = baseline.digested(known.fight)
    assert found.note.startswith("FAILED:odds=ZeroDivisionError")
    difference = baseline.differs(found, known)
    assert difference is not None
    assert difference.kinds == ("odds", "story")


# -- what it doesn't hang on


class Backwards:
    """Legal actions, listed the other way round."""

    def __init__(self, legal: Any) -> None:
        self._legal = legal

    def __iter__(self) -> Any:
        return iter(list(self._legal)[::-1])

    def __getattr__(self, name: str) -> Any:
        return getattr(self._legal, name)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_order_in_which_actions_are_listed_decides_nothing(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    begin = seam.Legal.__init__

    def backwards(self: seam.Legal, field: Any, legal: Any) -> None:
        begin(self, field, Backwards(legal))

    monkeypatch.setattr(seam.Legal, "__init__", backwards)
    assert differing("random", ruleset, range(2)) == set()


def test_citations_may_be_mended() -> None:
    one = '[{"because":"shield (olde.md §6 shields)","rule":"olde.md §6 shields","value":2},["prone","magic.md"]]'
    two = '[{"because":"shield (docs/rules/olde.md#shields)","rule":"","value":2},["prone","traits.md §1.2 hide"]]'
    assert uncited(one) == uncited(two)
    assert uncited(one) != uncited(one.replace("prone", "kneeling"))


def test_words_are_told_apart_from_the_figures_in_them() -> None:
    badge = {"icon": "skull", "label": "bleeding 3", "text": "It loses 1 HP.", "rule": "olde.md §7"}
    assert figures(badge) == {"icon": "skull", "label": ["3"], "text": ["1"]}
    assert words(badge) == ["bleeding 3", "It loses 1 HP."]
    assert figures({"notes": [["halved", "olde.md §6"]]}) == {"notes": [[[], []]]}
    assert rounded({"hit": 0.1 + 0.2, "damage": [[1, -0.0]]}) == {"hit": 0.3, "damage": [[1, 0.0]]}


def test_draws_are_the_same_everywhere() -> None:
    lot = Lot("a stream")
    assert [lot.below(100) for _ in range(6)] == [40, 17, 86, 45, 49, 82]
    assert lot.shuffled("abcdef") == list("cfabde")


# -- what is thrown in


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_switch_map_and_sort_of_creature_is_thrown_in(ruleset: str) -> None:
    drawn = [encounters.drawn("random", ruleset, seed, 0) for seed in range(160)]
    fights = [each for each in drawn if each is not None]
    documents = [each.document for each in fights]
    switched = Counter(name for document in documents for name in document["options"])
    # what fights are drawn from is kept: what came later is played elsewhere, expeditions in tests/rules/explore
    later = {"crawl", "fixtures", "outside", "sleepers"} | ({"explore", "hurdles"} if ruleset != "olde" else set())
    assert set(switched) == {switch.name for switch in ruleset_of(ruleset).switches} - later
    assert min(switched.values()) > len(documents) / 8
    assert len({document["map"].get("tmx") for document in documents}) == 6
    parts = Counter(part for document in documents for part in document["map"])
    assert min(parts[part] for part in ("rows", "levels", "climbs", "exits", "walls", "doors", "challenges")) > 10
    creatures = [creature for document in documents for creature in document["creatures"]]
    own = sum("template" not in creature for creature in creatures)
    assert 0.2 < own / len(creatures) < 0.6
    assert len({creature.get("template") for creature in creatures}) > 20
    assert {len({c["side"] for c in document["creatures"]}) for document in documents} == {2, 3}
    assert any(each.by_hand for each in fights)


def test_a_fight_is_a_record_that_replays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    by_hand = next(seed for seed in range(99) if play.begun("random", "olde", seed).throws is not None)
    plain = next(seed for seed in range(99) if play.begun("random", "cairn", seed).throws is None)
    for ruleset, seed in (("olde", by_hand), ("cairn", plain)):
        path = tmp_path / f"{ruleset}.json"
        assert gate.main(["--record", ruleset, str(seed), "--to", str(path)]) == 0
        document = json.loads(path.read_text(encoding="utf-8"))
        assert (document.get("throws") is not None) == (ruleset == "olde")
        capsys.readouterr()
        assert battlemat(["replay", str(path), "--state"]) == 0
        played = play.at_random(ruleset, seed, gate.Nowhere())
        assert json.loads(capsys.readouterr().out) == json.loads(seam.canonical(played.table.summary()))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_commands_are_those_that_a_record_would_hold(ruleset: str) -> None:
    for seed in range(2):
        table = play.begun("random", ruleset, seed).table
        legal = table.legal(table.pending())
        for do in legal.kinds:
            for command, action in legal.commands(do):
                wanted = records.command_of(action, table.field).model_dump(mode="json", exclude_none=True)
                assert json.loads(command) == wanted
                assert table.action(json.loads(command)) == action


# -- how it is told


class Lines(Sink):
    """A trace in memory."""

    def __init__(self) -> None:
        self.lines: list[explain.Line] = []
        self._trace = Trace(self._keep)
        self.turn, self.take = self._trace.turn, self._trace.take  # type: ignore[method-assign]

    def _keep(self, line: str) -> None:
        number, kind, text = line.rstrip("\n").split("\t", 2)
        self.lines.append(explain.Line(int(number), kind, json.loads(text)))


def test_the_first_command_that_differs_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = Lines(), Lines()
    play.at_random("olde", 1, one)
    rules = ruleset_of("olde")
    summary, count = rules.summary, []

    def changed(self: Any, state: Any) -> Any:
        count.append(1)
        return {**summary(state), "turn": 99} if len(count) > 5 else summary(state)

    monkeypatch.setattr(type(rules), "summary", changed)
    play.at_random("olde", 1, two)
    place = next(n for n, (left, right) in enumerate(zip(one.lines, two.lines, strict=True)) if left != right)
    command = [line for line in one.lines[:place] if line.kind == "command"][-1]
    said, kind = (list(explain._compared(iter(one.lines), iter(two.lines), ("here", "there"))), two.lines[place].kind)
    assert said[:3] == [f"after command {command.number}: {command.text}", f"first difference: {kind}", "--- here"]
    assert '"turn":99' in said[5]
    assert '"turn":99' not in said[3]
    assert list(explain._compared(iter(one.lines), iter(one.lines), ("here", "there"))) == ["no difference"]


def test_a_difference_names_the_fight_and_its_digests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = list(baseline.kept("random", "cairn").values())
    spoilt = kept[1]._replace(digests=("0" * 16, *kept[1].digests[1:5], "0" * 16))
    monkeypatch.setattr(baseline, "FOLDER", tmp_path)
    baseline.write("random", "cairn", [kept[0], spoilt, *kept[2:]])
    asked = ["--ruleset", "cairn", "--kind", "random", "--count", "2", "--jobs", "0"]
    assert gate.main(asked) == 1
    said = capsys.readouterr().out
    assert "2 fights, 1 differ" in said
    assert "random cairn 1: legal, story differ" in said
    assert gate.main([*asked, "--without", "story", "--without", "legal"]) == 0
    (tmp_path / "cairn_random.txt").unlink()
    assert gate.main(asked) == 2


def test_what_comes_up_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert gate.main(["--cover", "--kind", "random", "--ruleset", "cairn", "--count", "2"]) == 0
    said = capsys.readouterr().out
    assert "random cairn:" in said
    assert re.search(r"^ +[0-9]+ command resolve$", said, re.MULTILINE)
    assert re.search(r"^ +[0-9]+ event moved$", said, re.MULTILINE)


def test_a_mistake_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert gate.main(["--record", "olde", "first"]) == 2
    assert capsys.readouterr().err == "gate: 'first' is no seed; seeds are whole numbers from 0\n"


def test_every_kind_has_its_digests() -> None:
    for kind, names in KINDS.items():
        digests = Digests(names)
        for name in names:
            digests.put(name, {"a": 1})
        assert len(digests.told()) == len(names), kind

"""A long evening is there at once: what its commands led to is kept beside its save (game/fight/remembered.py)."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from game.fight import remembered
from game.fight.match import Match, keep_past, load_fight, save_fight
from game.paths import cache_path
from tests.game.test_long_evening import evening

PLAYED = Path(__file__).parents[1] / "playthroughs"
LONG = 400


@pytest.fixture(scope="module")
def long_evening() -> Match:
    return evening(LONG)


def pasts() -> list[Path]:
    return sorted(cache_path("evenings").glob("*.past"))


def alike(one: Match, other: Match) -> bool:
    """Whether two fights stand alike at all moments, and are told alike."""
    assert [m[1:] for m in one.history.moments] == [m[1:] for m in other.history.moments]
    pairs = zip(one.history.moments, other.history.moments, strict=True)
    assert all(one.ruleset.summary(a.state) == other.ruleset.summary(b.state) for a, b in pairs)
    return one.events == other.events and one.board() == other.board()


@pytest.mark.parametrize("name", ["tour_of_deeds", "bandits_at_the_ford", "seconds_in_the_hall"])
def test_what_was_kept_is_what_the_record_comes_to(name: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under each ruleset, at all moments."""
    monkeypatch.setattr(remembered, "LEAST", 2)
    played = load_fight(PLAYED / f"{name}.json")
    assert len(pasts()) == 1
    monkeypatch.setattr(Match, "_play", None)
    assert alike(played, load_fight(PLAYED / f"{name}.json"))


def test_it_goes_on_as_if_it_had_been_played(home: Path, long_evening: Match) -> None:
    path = home / "evening.json"
    save_fight(long_evening, path)
    keep_past(long_evening, path)
    kept = load_fight(path)
    assert alike(kept, long_evening)
    played = Match.from_record(long_evening.record.model_copy(deep=True))
    for match in (kept, played):
        for _ in range(30):
            decision = match.decision
            assert decision is not None
            match.act(decision, list(match.legal(decision))[0])
    assert alike(kept, played)
    assert kept.history.length == long_evening.history.length + 30


def test_a_long_evening_is_loaded_in_no_time(home: Path, long_evening: Match) -> None:
    path = home / "evening.json"
    save_fight(long_evening, path)
    load_fight(path)
    began = time.process_time()
    load_fight(path)
    assert time.process_time() - began < 0.4


def test_nothing_is_kept_of_a_short_one(home: Path) -> None:
    load_fight(PLAYED / "readme_example.json")
    assert not pasts()


@pytest.mark.parametrize("broken", [b"", b"nothing of the kind", None])
def test_what_cannot_be_read_is_played_from_the_record(home: Path, long_evening: Match, broken: bytes | None) -> None:
    path = home / "evening.json"
    save_fight(long_evening, path)
    load_fight(path)
    (kept,) = pasts()
    kept.write_bytes(kept.read_bytes()[:-200] if broken is None else broken)
    assert alike(load_fight(path), long_evening)


def test_a_kept_past_runs_nothing_but_types_of_the_rules(
    home: Path, long_evening: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pickle
    import zlib

    class Evil:
        def __reduce__(self) -> tuple[object, ...]:
            return (Path.touch, (home / "touched",))

    path = home / "evening.json"
    save_fight(long_evening, path)
    load_fight(path)
    (kept,) = pasts()
    kept.write_bytes(zlib.compress(pickle.dumps(([Evil()] * (LONG + 1), []))))
    assert alike(load_fight(path), long_evening) and not (home / "touched").exists()


def test_other_rules_another_record_or_other_ground_find_nothing(
    home: Path, long_evening: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, past = b"a record", long_evening.past()
    remembered.keep(source, long_evening.field, past)
    commands = len(past.moments) - 1
    assert remembered.recall(source, long_evening.field, commands) is not None
    assert remembered.recall(b"another", long_evening.field, commands) is None
    assert remembered.recall(source, long_evening.field, commands + 1) is None
    assert remembered.recall(source, load_fight(PLAYED / "readme_example.json").field, commands) is None
    monkeypatch.setattr(remembered, "_program", lambda: b"other rules")
    assert remembered.recall(source, long_evening.field, commands) is None


def test_the_oldest_go(home: Path, long_evening: Match) -> None:
    past = long_evening.past()
    for number in range(remembered.MOST + 3):
        remembered.keep(str(number).encode(), long_evening.field, past)
    assert len(pasts()) == remembered.MOST

"""Forecasts: the same for the same seed whoever plays them, honest in what they count."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from game.content import encounter
from game.controllers.ai import AiController
from game.fight.match import Match
from game.forecast import Counts, Dealer, Forecast, Trial, report, simulate
from game.forecast.play import Tale, Task, begin, play, play_run, run_seed
from game.forecast.simulate import chosen, compare, variants
from rules.contract.actions import Action
from rules.contract.errors import BattlematError, RecordError
from rules.contract.events import Began, Injury, Moved, Summoned
from rules.core import record as records
from tests.rules.cairn import creatures as cairn

ROOT = Path(__file__).resolve().parents[2]
ROWS = ["#########", "#...#...#", "#...+...#", "#...#...#", "#########"]


def creature(name: str, side: str, at: tuple[int, int], **more: Any) -> dict[str, Any]:
    block: dict[str, Any] = {
        "id": name,
        "side": side,
        "at": list(at),
        "brawn": 6,
        "finesse": 6,
        "savvy": 4,
        "nerve": 4,
        "size": "medium",
    }
    return {**block, "skills": {"Swords": "Apprentice"}, "weapons": ["broadsword"], **more}


def duel(**more: Any) -> records.Record:
    """Two who stand face to face, and die within a turn or two."""
    return records.read(
        {
            "format": "battlemat/1", "ruleset": "olde", "map": {"rows": ["#####", "#...#", "#####"]}, "seed": 5,
            "creatures": [
                creature("ada", "heroes", (1, 1), controller="human"),
                creature("bob", "monsters", (2, 1), brawn=5),
            ],
            **more,
        }
    )  # fmt: skip


def rooms(**more: Any) -> records.Record:
    """Two rooms with a door between, three creatures; one of them covers four spaces."""
    return records.read(
        {
            "format": "battlemat/1", "ruleset": "olde", "map": {"rows": ROWS}, "seed": 3,
            "creatures": [
                creature("ada", "heroes", (3, 2), controller="human"),
                creature("bob", "heroes", (3, 3), controller="human"),
                {"id": "big", "side": "monsters", "at": [5, 2], "template": "ogre"},
            ],
            **more,
        }
    )  # fmt: skip


class AtOnce(Executor):
    """Somebody else's executor: answers within `submit`, the last three tasks in reverse."""

    def __init__(self) -> None:
        self.tasks = 0

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        future: Future[Any] = Future()
        fn, args = pickle.loads(pickle.dumps((fn, args)))  # as if it went over a wire
        future.set_result(fn(*args, **kwargs))
        self.tasks += 1
        return future


def test_the_same_seed_gives_the_same_forecast_whoever_plays():
    wanted = simulate(duel(), 24, seed=11)
    assert simulate(duel(), 24, seed=11, jobs=2) == wanted
    own = AtOnce()
    assert simulate(duel(), 24, seed=11, executor=own) == wanted
    assert own.tasks > 1
    with ThreadPoolExecutor(3) as threads:
        assert simulate(duel(), 24, seed=11, executor=threads) == wanted
        assert threads.submit(int, "4").result() == 4  # it is left open
    with ProcessPoolExecutor(2) as processes:
        assert simulate(duel(), 24, seed=11, executor=processes) == wanted
    assert simulate(duel(), 24, seed=12).counts != wanted.counts


ABANDONS = """
import os, signal
from game.forecast.simulate import process_pool
if __name__ == "__main__":
    print(process_pool(1).submit(os.getpid).result(), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_whoever_plays_for_a_program_that_is_killed_ends_too(tmp_path: Path) -> None:
    script = tmp_path / "abandons.py"
    script.write_text(ABANDONS)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    told = subprocess.run([sys.executable, script], env=environment, stdout=subprocess.PIPE, timeout=30)
    assert told.stdout.strip().isdigit(), "and the pipe was closed by whoever still held it"


def test_the_encounter_as_it_is_leads_and_all_runs_are_dealt_once():
    trials = [Trial.of(duel(), seed=s) for s in range(3)]
    dealer = Dealer(trials, 8)
    dealt: list[tuple[int, int]] = []
    while (batch := dealer.deal()) is not None:
        dealt += [(batch[0], number) for number in range(batch[1].first, batch[1].stop)]
    assert sorted(dealt) == [(which, number) for which in range(3) for number in range(8)]
    assert [which for which, _ in dealt[:6]].count(0) == 4
    dealer.held.add(1)
    dealer.runs = 9
    assert [b[0] for b in (dealer.deal(), dealer.deal()) if b] == [0, 2]
    assert dealer.deal() is None


def test_how_runs_are_dealt_changes_nothing():
    trial = Trial.of(duel(), seed=4)
    whole = play(Task(trial.encounter, 4, 0, 9, 60)).counts
    parts = [play(Task(trial.encounter, 4, first, stop, 60)).counts for first, stop in ((6, 9), (0, 1), (1, 6))]
    assert parts[0] + parts[1] + parts[2] == whole
    assert report(trial, whole) == report(trial, sum(parts, Counts()))


def test_a_worker_needs_no_window_and_no_file():
    """Also for a map from Tiled: the task carries the field, a worker reads nothing but the program and its content."""
    crypt = records.read(encounter.make_encounter("crypt", ["rogue"], ["giant_rat"], 3))
    trial = Trial.of(crypt)
    task = Task(trial.encounter, 1, 0, 1, 1)
    code = (
        "import pickle, sys; from game.forecast.play import play; "
        "batch = play(pickle.loads(bytes.fromhex(sys.stdin.read()))); "
        "assert not {'pygame', 'pytmx'} & set(sys.modules), 'a window was imported'; print(batch.counts.number)"
    )
    wire = pickle.dumps(task).hex()
    done = subprocess.run([sys.executable, "-c", code], input=wire, text=True, capture_output=True, check=False)
    assert (done.stdout, done.stderr) == ("1\n", "")


@pytest.mark.parametrize("number", [0, 3])
def test_a_run_kept_as_a_record_is_that_very_fight(number):
    trial = Trial.of(rooms(), seed=8)
    kept = trial.run(number)
    counted = play_run(trial.opening(), 8, number, 60)
    again = Match.from_record(records.read(records.document(kept)), strict_throws=True)
    assert counted.wins(str(again.over)) == 1
    assert Tale(again.board(), again.field).counts(again.board(), number).losses == counted.losses
    middle = Trial.of(records.read({**records.document(kept), "commands": records.document(kept)["commands"][:2]}))
    with pytest.raises(RecordError, match="from the start"):
        middle.run(number)


def test_progress_is_told_after_every_batch():
    seen: list[Forecast] = []
    last = simulate(duel(), 7, on_progress=seen.append)
    assert seen[-1] == last and last.runs == 7
    assert [f.runs for f in seen] == sorted(f.runs for f in seen)
    assert "7 fights" in last.method and "seed 5" in last.method and "Wilson" in last.method


def test_runs_have_dice_of_their_own_also_from_the_middle_of_a_fight():
    start = duel()
    match = Match.from_record(start.model_copy(deep=True))
    decision = match.decision
    assert decision is not None
    by = decision.by
    target = "bob" if by == "ada" else "ada"
    action = next(a for a in match.legal(decision) if a.do == "attack" and a.target == target)
    match.act(decision, action)
    trial = Trial.of(match.record, seed=9)
    assert trial.here and trial.board == match.board()
    where = trial.opening()
    states = [begin(where, run_seed(9, n)).state for n in range(3)]
    assert [match.ruleset.board(s) for s in states] == [match.board()] * 3
    assert len({s.rng for s in states}) == 3
    here, afresh = simulate(match.record, 12, seed=9), simulate(match.record, 12, seed=9, from_start=True)
    assert here.begins == "here" and afresh.begins == "start"
    assert afresh == simulate(start, 12, seed=9)


def test_typed_dice_are_thrown_again_only_for_the_commands_they_belong_to():
    document: dict[str, Any] = {
        "map": {"rows": ["########", "#......#", "#..#...#", "########"]},
        "throws": [6, 3, 2, 4, 3, 5, 5, 4, 3],
        "creatures": [
            creature("ada", "heroes", (1, 1), brawn=8, finesse=7, savvy=5, nerve=5),
            creature("gob", "monsters", (2, 1), brawn=5, finesse=5, savvy=3, nerve=4, size="small",
                     skills={"Maces": "Apprentice"}, weapons=["baton"]),
        ],
        "commands": [{"by": "ada", "do": "attack", "target": "gob", "weapon": "broadsword"}],
    }  # fmt: skip
    trial = Trial.of(duel(**document))
    hurt = {mini.id: mini.health.value for mini in trial.board.miniatures}
    assert hurt["gob"] == 2  # record.md's example: hit for 5
    found = simulate(duel(**document), 8)
    assert found.runs == 8
    assert simulate(duel(**document), 8, from_start=True).counts != found.counts


def test_blood_falls_where_the_bleeding_stand_and_none_is_lost():
    found = simulate(rooms(), 12)
    assert found.heat.total == sum(c.taken.total for c in found.creatures) > 0
    assert found.heat.total == sum(sum(s.damage.values()) for s in found.heat.spaces)
    for side in found.sides:
        assert side.damage_taken == sum(c.taken.total for c in found.creatures if c.side == side.side)
    assert all(ROWS[row][column] != "#" for column, row in (space.at for space in found.heat.spaces))


@pytest.mark.parametrize("number", range(3))
def test_the_tale_knows_where_everybody_stands(number):
    """Spaces out of the events are those of the board, after every single action."""
    where = Trial.of(rooms()).opening()
    step = begin(where, run_seed(1, number))
    tale = Tale(where.ruleset.board(step.state), where.field)
    tale.hear(step.events)
    player, state = AiController(), step.state
    while where.ruleset.decisions(state) and tale.turns < 8:
        decision = where.ruleset.decisions(state)[0]
        known = where.ruleset.observe(state, decision.side)
        action = player.choose(where.ruleset, known, decision, where.ruleset.legal(known, decision))
        state, events = where.ruleset.apply(state, decision, action)
        tale.hear(events)
        assert tale.cells == {mini.id: mini.cell for mini in where.ruleset.board(state).miniatures}


def test_who_is_called_in_bleeds_on_the_map_and_strikes_for_its_caller():
    match = Match.from_record(duel(map={"rows": ["######", "#....#", "######"]}))
    tale = Tale(match.board(), match.field)
    tale.hear(
        [
            Summoned(target="ada.1", name="Wolf", gained=True, at=(3, 1), by="ada"),
            Injury(target="bob", amount=40, hp=-33, status="dead", by="ada.1"),
            Moved(by="ada.1", mode="step", start=(3, 1), path=((4, 1),)),
            Injury(target="ada.1", amount=2, hp=1, status="wounded", by="bob"),
            Summoned(target="ada.1", name="Wolf", gained=False, by="ada"),
        ]
    )
    counts = tale.counts(match.board(), 0)
    assert counts.creatures["ada"].dealt.total == 40 and counts.creatures["ada"].felled.total == 1
    assert counts.creatures["bob"].dealt.total == 2
    assert counts.spilt == {"monsters": {match.field.cell(2, 1): 40}, "heroes": {match.field.cell(4, 1): 2}}
    assert set(counts.creatures) == {"ada", "bob"} and set(counts.losses) == {"heroes", "monsters"}


def test_what_is_counted_agrees_with_itself():
    found = simulate(rooms(), 12)
    assert sum(side.wins.runs for side in found.sides) + found.nobody.runs + found.undecided.runs == 12
    assert sum(found.turns_spread.values()) == 12
    for side in found.sides:
        members = [c for c in found.creatures if c.side == side.side]
        assert sum(side.losses_spread.values()) == 12
        assert side.losses.total == sum(c.out.runs for c in members)
        assert side.wiped_out.runs == side.losses_spread.get(len(members), 0)
    for one in found.creatures:
        assert one.dies.runs <= one.out.runs <= one.falls.runs <= 12
        assert 0 <= one.hp_left.mean <= one.hp_max
    fallen = sum(c.felled.total for c in found.creatures)
    assert 0 < fallen <= sum(c.falls.runs for c in found.creatures) + 12


def test_the_turn_under_way_counts_from_the_middle_of_a_fight():
    kept = Trial.of(rooms(), seed=8).run(0)
    middle = records.read({**records.document(kept), "commands": records.document(kept)["commands"][:1]})
    where = Trial.of(middle).opening()
    assert Trial.of(rooms()).opening().under_way == 0
    match = Match.from_record(middle)
    tale = Tale(match.board(), match.field, turns=where.under_way)
    tale.hear([Began(what="reset"), Began(what="turn", number=2), Began(what="round", number=1)])
    assert tale.counts(match.board(), 0).turns == {2: 1}


def test_a_fight_that_lasts_too_long_is_undecided():
    walled = rooms(map={"rows": [row.replace("+", "#") for row in ROWS]})
    found = simulate(walled, 3, turn_limit=2)
    assert found.undecided.runs == 3 and all(side.wins.runs == 0 for side in found.sides)
    assert found.undecided.share == 1.0 and "after 2 turns" in found.method


@pytest.mark.parametrize("runs", [0, -4, 1_000_001])
def test_a_number_of_runs_that_makes_no_sense_is_refused(runs):
    with pytest.raises(BattlematError, match="runs: "):
        simulate(duel(), runs)


def test_a_fight_that_is_over_has_no_forecast():
    alone = duel(creatures=[creature("ada", "heroes", (1, 1))])
    with pytest.raises(RecordError, match="over"):
        simulate(alone, 2)


def test_a_forecast_is_json_and_back():
    found = simulate(rooms(), 3)
    text = found.model_dump_json()
    assert "counts" not in found.model_dump()
    assert Forecast.model_validate_json(text).model_dump() == found.model_dump()
    assert Forecast.model_json_schema()["required"]


# -- what if --------------------------------------------------------------------------------------------


def variant(record: records.Record, key: str) -> records.Record:
    return chosen(variants(record), [key])[0].change(record)


def test_a_door_the_other_way_is_other_ground():
    record = rooms()
    before = Match.from_record(record)
    after = Match.from_record(variant(record, "open:door 4,2"))
    door = before.field.cell(4, 2)
    assert not before.ruleset.terrain(before.state).fits(door)
    assert after.ruleset.terrain(after.state).fits(door)
    again = variants(variant(record, "open:door 4,2"))
    assert "shut:door 4,2" in [v.key for v in again]


def test_one_more_stands_free_and_one_less_is_gone():
    record = duel(map={"rows": ["######", "#....#", "#....#", "######"]})
    more = variant(record, "more:bob")
    assert [c["id"] for c in more.creatures] == ["ada", "bob", "bob_2"]
    assert len({tuple(c["at"]) for c in more.creatures}) == 3
    assert variant(more, "less:bob_2").creatures == record.creatures
    assert "less:ada" not in [v.key for v in variants(record)]  # a side needs somebody
    assert len(record.creatures) == 2  # the record itself is untouched
    crowded = duel(map={"rows": ["####", "#..#", "####"]})
    assert "more:bob" not in [v.key for v in variants(crowded)]
    with pytest.raises(BattlematError, match="no space is left near bob"):
        chosen(variants(record), ["more:bob"])[0].change(crowded)


def test_of_large_creatures_one_more_needs_room_for_all_its_spaces():
    wide = rooms(map={"rows": ["##########", "#...#....#", "#...+....#", "#...#....#", "#...#....#", "##########"]})
    match = Match.from_record(variant(wide, "more:ogre"))
    minis = [m for m in match.board().miniatures if m.side == "monsters"]
    terrain = match.ruleset.terrain(match.state)
    assert len(minis) == 2
    assert not terrain.footprint(minis[0].cell, minis[0].size) & terrain.footprint(minis[1].cell, minis[1].size)


def test_surprise_costs_the_surprised():
    record = duel()
    caught = variant(record, "surprised:monsters")
    assert [bool(c.get("surprised")) for c in caught.creatures] == [False, True]
    assert variant(caught, "warned:monsters").creatures[1]["surprised"] is False


def test_a_potion_is_put_beside_what_is_carried():
    record = rooms()
    record.creatures[0] = {"id": "ada", "side": "heroes", "at": [3, 2], "template": "rogue", "items": ["flash powder"]}
    given = variant(record, "potion:healing draught")
    assert given.creatures[0]["items"] == ["flash powder", "healing draught"]
    assert given.creatures[1]["items"] == ["healing draught"]
    assert "items" not in given.creatures[2]
    assert Match.from_record(given).decision is not None


def test_commands_do_not_hinder_a_change():
    match = Match.from_record(duel())
    assert match.decision is not None
    match.act(match.decision, list(match.legal(match.decision))[-1])
    before = copy.deepcopy(match.record)
    changed = variant(match.record, "surprised:monsters")
    assert changed.commands == [] and match.record == before


def test_an_unknown_change_names_those_there_are():
    with pytest.raises(BattlematError, match="no 'more:dragon'; this encounter has more:bob"):
        chosen(variants(duel()), ["more:dragon"])


def test_a_comparison_pairs_the_runs():
    picked = chosen(variants(duel()), ["surprised:monsters"])
    found = compare(duel(), picked, 16, seed=2)
    row = found.variants[0]
    assert row.forecast.runs == found.base.runs == 16
    heroes = next(d for d in row.differences if d.side == "heroes")
    assert heroes.share == pytest.approx(
        row.forecast.side("heroes").wins.share - found.base.side("heroes").wins.share, abs=1e-4
    )
    assert heroes.low <= heroes.share <= heroes.high
    assert found.base == simulate(duel(), 16, seed=2)
    assert compare(duel(), picked, 16, seed=2, executor=AtOnce()) == found
    same = play_run(Trial.of(duel(), seed=2).opening(), 2, 0, 60)
    assert same.runs == 1


def test_heroes_are_left_out_by_their_own_names() -> None:
    record = encounter.make_encounter("tavern", ["freya", "gann"], ["ogre"], 1, ruleset="cairn")
    labels = [variant.label for variant in variants(records.read(record))]
    assert "Without Freya" in labels and "Without the freya" not in labels


@pytest.mark.parametrize(("by", "target", "throws"), [("a", "b", [7, 20]), ("b", "a", [6, 20])])
def test_who_fells_whom_is_counted_where_a_save_comes_after_the_wound(
    by: str, target: str, throws: Sequence[int | None]
) -> None:
    """Cairn tells a death, and critical damage, by conditions of their own after the wound and its save."""
    fight = cairn.duel(throws, a={"hp_max": 2})
    tale = Tale(fight.rules.board(fight.now), fight.field)
    if by == "b":
        fight.half()
    fight.do(by, "attack", target=target, weapon={"a": "sword", "b": "claws"}[by])
    decision = fight.rules.decisions(fight.now)[-1]
    step = fight.rules.apply(fight.now, decision, Action(decision.by, "resolve"))
    tale.hear(step.events)
    counted = tale.counts(fight.rules.board(step.state), 0).creatures
    assert (counted[by].felled.total, counted[target].fell, counted[target].felled.total) == (1, 1, 0)


def test_forecasts_of_cairn_say_who_fells_whom() -> None:
    record = encounter.make_encounter("tavern", ["gann", "reed"], ["goblin"] * 2, 1, ruleset="cairn")
    found = simulate(records.read(record), 4)
    assert sum(each.felled.mean for each in found.creatures) > 0

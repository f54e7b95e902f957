"""A campaign of evenings: kept when one is over, taken up by the title where it was left, gone on with from the camp or
the door; a wrong or torn file is said in a line and loses nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from game.app.loop import App
from game.app.settings import Settings
from game.characters import returning
from game.characters.files import shelf
from game.characters.heroes import told_outcome
from game.cli import main
from game.content import tables as content
from game.controllers.ai import AiController
from game.fight.match import Match
from game.scenes.camp import CampScene
from game.scenes.choose.scene import Choose
from game.scenes.chronicle import Picture
from game.scenes.door import Door, back_in, rooms_seen
from game.scenes.fight.scene import Fight
from game.storage import campaigns, recovery
from game.storage import records as storage
from game.storage.campaigns import CampaignError, Stage
from game.widgets.controls import Button
from game.widgets.menu import Tile
from rules.board.grid import Field
from rules.board.places import Room
from rules.contract.units import Bitboard
from rules.core import record as records
from rules.core.registry import RULESETS
from tests.game.player import Player, buttons, labels, summed_up

pytestmark = pytest.mark.usefixtures("home")

EVERY = pytest.mark.parametrize("ruleset", RULESETS)
ROWS = ["############", "#..........#", "#..........#", "############"]
ALTAR = {"name": "altar", "kind": "reach", "at": [[8, 1]], "text": "Get to the altar"}


def begun(ruleset: str, **says: Any) -> Match:
    names = list(content.heroes(ruleset))
    creatures: list[dict[str, Any]] = [
        {"id": f"h{n}", "side": "heroes", "at": [2, 1 + n], "template": names[n], "controller": "human"} for n in (0, 1)
    ]
    creatures.append(
        {"id": "gob", "side": "monsters", "at": [10, 2], "template": "goblin", "controller": "ai", "asleep": True}
    )
    return Match.from_record({
        "format": "battlemat/1", "ruleset": ruleset, "title": "The Vault", "seed": 4, "options": {"crawl": True},
        "creatures": creatures, "map": {"rows": ROWS, "exits": [[1, 1], [1, 2]], "goals": [ALTAR]}, **says,
    })  # fmt: skip


def out(match: Match) -> Match:
    """All leave by the exit beside which they begin."""
    ways = {match.field.cell(1, 1), match.field.cell(1, 2)}
    while (decision := match.decision) is not None:
        found = sorted(match.legal(decision), key=lambda a: a.do != "leave")
        gone = (a for a in found if a.do == "leave" or (a.path and a.path[-1] in ways) or a.do == "end")
        match.act(decision, next(gone))
    assert match.over is not None
    return match


def played(ruleset: str) -> Match:
    """An evening played and left by its scribe, as the window does."""
    match = begun(ruleset)
    scribe = recovery.Scribe(match)
    out(match)
    scribe.close()
    return match


def window(match: Match | None = None) -> Player:
    return summed_up(match) if match is not None else Player(App((1280, 720), settings=Settings(speed=0)))


@EVERY
def test_an_evening_that_is_over_is_kept_with_its_campaign(ruleset: str) -> None:
    assert campaigns.known() == []
    match = played(ruleset)
    [campaign] = campaigns.known()
    assert (campaign.title, campaign.ruleset, campaign.stage) == ("The Vault", ruleset, Stage.CAMP)
    assert campaign.openings == (storage.opening(match.record),) and campaign.evenings == {1: campaign.last}
    assert storage.record_text(storage.read_record(campaign.last)) == storage.record_text(match.record)
    assert [chapter.turns for chapter in campaign.chapters] == [1 if ruleset == "cairn" else 2]  # ten minutes, or one
    assert campaigns.keep(match) == campaign


def test_a_kill_after_the_end_leaves_no_interrupted_fight_but_the_campaign() -> None:
    match = begun("olde")
    scribe = recovery.Scribe(match)
    out(match)
    assert recovery.left_behind() == [] and campaigns.known()[0].evenings  # nothing was closed
    found = recovery.left_off()
    assert found is not None and found.path is not None and found.path.name == campaigns.INDEX
    match.history.rewind(0)  # but who takes it back goes on in a new journal
    decision = match.decision
    assert decision is not None
    match.act(decision, next(a for a in match.legal(decision) if a.do == "end"))
    assert len(list((campaigns.folder().parent / "journals").glob("*.jsonl"))) == 1
    scribe.close()


@EVERY
def test_from_the_summary_over_the_camp_and_back_in(ruleset: str) -> None:
    player = window(out(begun(ruleset)))
    player.press("Camp")
    camp = player.app.top
    assert isinstance(camp, CampScene)
    assert "Back to The Vault" in buttons(player)
    player.press("Back to The Vault")
    if "Leave" in buttons(player):
        player.press("Leave")
    door = player.app.top
    assert isinstance(door, Door) and len(door.party or []) == 2
    assert campaigns.known()[0].stage is Stage.DOOR
    assert {"Evening 1", "Evening 2", "What waits"} <= set(labels(player))
    player.press("Go in")
    match = next(scene for scene in player.app.scenes if isinstance(scene, Fight)).match
    left = match.record.map.left
    assert left is not None and left.evening == 2 and left.of == campaigns.known()[0].openings[0]
    assert match.record.format == "battlemat/2"
    ids = [mini.id for mini in match.board().miniatures if mini.side == "heroes"]
    assert ids == list(door.party or []) and "h0" not in ids


@EVERY
def test_the_second_evening_is_a_chapter_of_the_same_campaign(ruleset: str) -> None:
    match = played(ruleset)
    home = returning.come_home(match)
    record = returning.next_evening(match, [hero.id for hero in home.heroes], 0, 5)
    second = Match.from_record(json.loads(json.dumps(records.document(record))))
    scribe = recovery.Scribe(second)
    out(second)
    scribe.close()
    [campaign] = campaigns.known()
    assert len(campaign.openings) == 2 and len(campaign.evenings) == 2
    again = returning.come_home(second)
    assert {hero.id for hero in again.heroes} == {hero.id for hero in home.heroes}
    assert not again.notes


def test_the_title_takes_it_up_at_camp_then_before_the_door_then_inside() -> None:
    match = played("olde")
    returning.come_home(match)
    player = window()
    player.app.navigator.title()
    assert any("Continue: The Vault" in label for label in buttons(player))
    found = recovery.left_off()
    assert found is not None and found.level == "After evening 1, at camp"
    player.app.navigator.resume()
    assert isinstance(player.app.top, CampScene)
    player.app.top.commands()["back"]()
    if "Leave" in buttons(player):
        player.press("Leave")
    assert isinstance(player.app.top, Door)
    found = recovery.left_off()
    assert found is not None and found.level == "Evening 2, before the door"
    player.app.navigator.title()
    player.app.navigator.resume()
    assert isinstance(player.app.top, Door)
    player.press("Go in")
    fight = next(scene for scene in player.app.scenes if isinstance(scene, Fight))
    found = recovery.left_off()  # nothing is done yet: it is before the door still
    assert found is not None and found.level == "Evening 2, before the door"
    decision = fight.match.decision
    assert decision is not None
    fight.match.act(decision, next(a for a in fight.match.legal(decision) if a.do == "end"))
    assert len(recovery.left_behind()) in (0, 1)
    player.app.navigator.title()
    found = recovery.left_off()
    assert found is not None and found.path is not None and found.path.name != campaigns.INDEX


def test_time_at_camp_counts_even_in_pieces() -> None:
    player = window(out(begun("cairn")))
    player.press("Camp")
    for _ in range(2):
        camp = player.app.top
        assert isinstance(camp, CampScene)
        camp.do(lambda camp=camp: camp.camp.pass_time(30))  # type: ignore[attr-defined,misc]
        camp.commands()["back"]()
        if "Leave" in buttons(player):
            player.press("Leave")
        player.press("Camp")
    assert campaigns.known()[0].minutes == 60


def test_everything_done_is_not_offered_any_more() -> None:
    match = begun("olde", map={"rows": ROWS, "exits": [[1, 1], [1, 2]], "goals": [{**ALTAR, "at": [[2, 1]]}]})
    out(match)
    assert campaigns.keep(match).stage is Stage.DONE
    assert campaigns.offered() is None and recovery.left_off() is None


def done(*goals: dict[str, Any]) -> Match:
    """An evening on which the altar, where they begin, was reached; with these other goals."""
    goals = ({**ALTAR, "at": [[2, 1]]}, *goals)
    return out(begun("olde", map={"rows": ROWS, "exits": [[1, 1], [1, 2]], "goals": list(goals)}))


def test_a_place_in_which_everything_is_done_leads_onward_and_not_back() -> None:
    player = window(done())
    assert buttons(player)[-3:] == ["Camp", "Onward", "Out"]
    player.press("Camp")
    assert "Back to The Vault" not in buttons(player)
    player.press("Onward")
    if "Leave" in buttons(player):
        player.press("Leave")
    scene = player.app.top
    assert isinstance(scene, Choose) and len(scene.party) == 2


def test_an_open_goal_or_somebody_who_lies_there_calls_back() -> None:
    far = {"name": "far", "kind": "reach", "at": [[9, 1]], "text": "See the window", "optional": True}
    assert returning.calling(done(far)).undone and not returning.calling(done(far)).told
    match = done()
    assert not returning.calling(match)
    moments, spot = match.history.moments, match.field.cell(3, 1)
    figures = (replace(match.state.figures[0], cell=spot, **FELLED["olde"]), *match.state.figures[1:])
    moments[-1] = moments[-1]._replace(state=replace(match.state, figures=figures))
    call = returning.calling(match)
    assert call and not call.undone and call.told.endswith("lies there still.")
    player = window(match)
    assert "Back to The Vault" in buttons(player)
    player.press("Camp")
    gold = {w.label for p in player.app.top.ui.live() for w in p.walk() if isinstance(w, Button) and w.gold}
    assert "Onward" in gold and "Back to The Vault" not in gold


@EVERY
def test_a_hero_s_story_says_who_turned_back(ruleset: str) -> None:
    home = returning.come_home(played(ruleset))
    pasts = [hero.history[-1] for hero in home.heroes]
    assert pasts and all(past.won and told_outcome(past) == "turned back" for past in pasts)
    older = pasts[0].model_copy(update={"how": None})  # type: ignore[attr-defined]
    assert told_outcome(older) == "won", "files of earlier programs say no more"


@EVERY
def test_seats_of_ready_heroes_play_them_again_the_next_evening(ruleset: str) -> None:
    seats = [{"name": "Ann", "plays": ["h0"]}, {"name": "Ben", "plays": ["h1"]}]
    match = out(begun(ruleset, seats=seats))
    home = returning.come_home(match)
    record = returning.next_evening(match, [hero.id for hero in home.heroes], 60, 5)
    assert [(seat.name, seat.plays) for seat in record.seats] == [
        (name, [hero.id]) for name, hero in zip(("Ann", "Ben"), home.heroes, strict=True)
    ]
    assert Match.from_record(record).decision is not None


def test_the_door_shows_the_known_ground_and_how_the_evening_ended() -> None:
    match = played("cairn")
    player = window()
    back_in(player.app, match)
    door = player.app.top
    assert isinstance(door, Door)
    player.until(lambda: door.reckoning is not None and "" in door.maps)
    pictures = [w for panel in door.ui.live() for w in panel.walk() if isinstance(w, Picture)]
    assert len(pictures) == 1 and pictures[0].rect.width > 200
    told = labels(player)
    assert "This was not done: Get to the altar." in told and "Came home from there" in told
    lines = {tile.line for panel in door.ui.live() for tile in panel.walk() if isinstance(tile, Tile)}
    assert any(line.endswith(" · healthy") for line in lines)


def test_where_all_are_dead_others_may_go_in() -> None:
    match = played("olde")
    moments = match.history.moments
    figures = tuple(replace(f, hp=-50) if i < 2 else f for i, f in enumerate(match.state.figures))
    moments[-1] = moments[-1]._replace(state=replace(match.state, figures=figures, winner=""))
    home = returning.come_home(match)
    assert home.heroes == () and len(home.lost) == 2
    ready = list(content.heroes("olde"))[0]
    record = returning.next_evening(match, [ready], 600, 5)
    now = Match.from_record(record)
    names = {mini.id: mini for mini in now.board().miniatures}
    assert names["h0"].dead and names["h1"].dead and not names[ready].dead
    player = window()
    player.app.navigator.show(now)
    fight = next(scene for scene in player.app.scenes if isinstance(scene, Fight))
    assert fight.marching.ours() == [ready]
    assert returning.come_home(match).heroes == ()
    mind, decision = AiController(), now.decision
    assert decision is not None
    known = now.observe(decision.side)
    mind.choose(now.ruleset, known, decision, now.ruleset.legal(known, decision))
    assert mind.homeward("heroes") == ""  # those who fell before are none of its own


FELLED: dict[str, dict[str, Any]] = {
    "olde": {"hp": -50}, "cairn": {"dead": True}, "countup": {"dead": True, "hp": -50, "wounds": (80,)},
}  # fmt: skip


@pytest.mark.parametrize("ruleset", ["olde", "cairn"])
def test_a_slain_ready_hero_is_said_to_lie_there_and_is_chosen_no_more(ruleset: str) -> None:
    match = played(ruleset)
    moments = match.history.moments
    figures = (replace(match.state.figures[0], **FELLED[ruleset]), *match.state.figures[1:])
    moments[-1] = moments[-1]._replace(state=replace(match.state, figures=figures))
    home = returning.come_home(match)
    assert len(home.lost) == 1 and not any(n.startswith(home.lost[0]) and "your own" in n for n in home.notes)
    player = window()
    back_in(player.app, match)
    door = player.app.top
    ready = set(list(content.heroes(ruleset))[:2])
    assert (
        isinstance(door, Door)
        and not ready & set(door.known)
        and set(content.heroes(ruleset)) - ready <= set(door.known)
    )


@EVERY
def test_the_dead_keep_their_things_in_there_and_not_in_their_files(ruleset: str) -> None:
    home = returning.come_home(first := played(ruleset))
    names = [hero.id for hero in home.heroes]
    match = out(Match.from_record(returning.next_evening(first, names, 0, 5)))
    moments = match.history.moments
    figures = tuple(replace(f, **FELLED[ruleset]) if not i else f for i, f in enumerate(match.state.figures))
    moments[-1] = moments[-1]._replace(state=replace(match.state, figures=figures))
    home = returning.come_home(match)
    assert len(home.lost) == 1 and [hero.id for hero in home.heroes] == names[1:]
    file = shelf().heroes[names[0]]
    assert not getattr(file, "weapons", ()) and not file.items
    now = Match.from_record(returning.next_evening(match, names[1:], 0, 6))
    assert {names[0], names[1]} < {str(entry["id"]) for entry in now.record.creatures}
    body = now.state.figures[now.state.setup.index[names[0]]]
    assert body.cell == figures[0].cell
    assert returning.come_home(out(now)).lost == ()


def test_by_count_up_who_is_felled_and_may_be_saved_comes_home() -> None:
    home = returning.come_home(first := played("countup"))
    names = [hero.id for hero in home.heroes]
    match = out(Match.from_record(returning.next_evening(first, names, 0, 5)))
    moments, most = match.history.moments, match.state.setup.beings[0].hp_max
    figures = list(match.state.figures)
    figures[0] = replace(figures[0], dead=True, hp=-1, wounds=(most + 1,))
    moments[-1] = moments[-1]._replace(state=replace(match.state, figures=tuple(figures)))
    assert [hero.id for hero in returning.come_home(match).heroes] == names
    now = returning.next_evening(match, names[1:], 0, 6)
    assert names[0] not in {str(entry["id"]) for entry in now.creatures}


def test_by_cairn_more_fatigue_than_slots_is_as_much_as_a_file_holds() -> None:
    match = played("cairn")
    moments = match.history.moments
    figures = tuple(replace(f, fatigue=16) if not i else f for i, f in enumerate(match.state.figures))
    moments[-1] = moments[-1]._replace(state=replace(match.state, figures=figures))
    rested, tired = sorted(hero.fatigue for hero in returning.come_home(match).heroes)  # type: ignore[attr-defined]
    assert rested == 0 < tired <= 10


# -- wrong files


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("", "not JSON"), ("[]", "needs a JSON object"), ('{"campaign": 9}', "this Battlemat reads 1; the file says 9"),
        ('{"campaign": 1, "title": "x", "ruleset": "olde", "evenings": []', "not JSON"),
        ('{"campaign": 1, "title": "x", "ruleset": "olde", "evenings": []}', "evenings: [] cannot be right"),
        ('{"campaign": 1, "title": 3, "ruleset": "olde", "evenings": ["a"]}', "title: 3 cannot be right"),
    ],
)  # fmt: skip
def test_a_torn_file_is_made_anew_from_the_evenings_and_said_in_a_line(said: str, told: str) -> None:
    played("olde")
    [campaign] = campaigns.known()
    path = campaign.folder / campaigns.INDEX
    path.write_text(said, encoding="utf-8")
    found = campaigns.read(path)
    assert found.openings == campaign.openings and found.stage is Stage.CAMP
    assert told in found.fault and "\n" not in found.fault
    player = window()
    player.app.navigator.title()
    player.app.navigator.resume()
    assert any(told in label for label in labels(player))
    assert campaigns.note(found).fault == "" and campaigns.read(path).openings == campaign.openings


def test_a_campaign_without_an_evening_is_refused_in_a_line(home: Path) -> None:
    folder = campaigns.folder() / "the-vault-00000000"
    folder.mkdir(parents=True)
    with pytest.raises(CampaignError) as error:
        campaigns.read(folder)
    assert "\n" not in str(error.value) and campaigns.known() == []
    player = window()
    player.app.navigator.campaign(folder)
    assert labels(player)


def test_a_torn_evening_is_said_in_a_line_and_the_others_stay() -> None:
    played("olde")
    [campaign] = campaigns.known()
    campaign.last.write_text('{"format": "battle', encoding="utf-8")
    player = window()
    player.app.navigator.campaign(campaign.folder)
    assert any("not JSON" in label for label in labels(player))
    assert campaign.last.exists()


KEEPER = """
import sys
from game.storage import campaigns
from game.storage.campaigns import Stage
match = campaigns.last_of(campaigns.known()[0])
print("ready", flush=True)
for minute in range(1, 100_000):
    campaign = campaigns.keep(match)
    campaign.last.unlink() if minute % 7 == 0 else None
    campaigns.keep(match)
    campaigns.note(campaign, minutes=minute, stage=Stage.CAMP)
"""


def test_a_kill_at_any_moment_leaves_a_campaign_that_can_be_gone_on_with() -> None:
    match = played("olde")
    for lot in range(4):
        child = subprocess.Popen([sys.executable, "-c", KEEPER], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None and child.stdout.readline() == "ready\n"
        time.sleep(0.05 + 0.03 * lot)
        child.kill()
        child.wait()
        child.stdout.close()
        [campaign] = campaigns.known()
        assert campaign.fault == "" and campaign.openings == (storage.opening(match.record),)
        campaign = campaigns.keep(match)
        assert storage.record_text(storage.read_record(campaign.last)) == storage.record_text(match.record)


def test_all_its_evenings_are_one_chronicle_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    first = played("olde")
    home = returning.come_home(first)
    campaigns.keep(out(Match.from_record(returning.next_evening(first, [hero.id for hero in home.heroes], 90, 5))))
    [campaign] = campaigns.known()
    assert main(["chronicle", str(campaign.folder / campaigns.INDEX)]) == 0
    told = capsys.readouterr().out
    assert told.index("# The Vault\n") < told.index("# The Vault, evening 2\n")
    assert main(["replay", str(campaign.last)]) == 0
    assert "The party slips away, and nobody has noticed it." in capsys.readouterr().out


def test_the_chronicle_turns_from_evening_to_evening() -> None:
    first = played("olde")
    home = returning.come_home(first)
    player = window(out(Match.from_record(returning.next_evening(first, [hero.id for hero in home.heroes], 0, 5))))
    player.press("Chronicle")
    assert "The Vault, evening 2" in labels(player)
    player.press("Evening 1")
    assert "The Vault" in labels(player)
    player.press("Evening 2")
    assert "The Vault, evening 2" in labels(player)


def test_another_line_of_play_is_a_campaign_of_its_own() -> None:
    first = played("olde")
    home = returning.come_home(first)
    second = out(Match.from_record(returning.next_evening(first, [hero.id for hero in home.heroes], 0, 5)))
    campaigns.keep(second)
    other = begun("olde")
    decision = other.decision
    assert decision is not None
    other.act(decision, next(a for a in other.legal(decision) if a.do == "end"))
    campaigns.keep(out(other))
    assert sorted(len(each.openings) for each in campaigns.known()) == [1, 2]
    whole = next(each for each in campaigns.known() if len(each.openings) == 2)
    assert storage.record_text(storage.read_record(whole.evenings[1])) == storage.record_text(first.record)


def test_an_evening_begun_anew_with_other_dice_is_a_campaign_with_the_same_evenings_before() -> None:
    first = played("olde")
    home = returning.come_home(first)
    names = [hero.id for hero in home.heroes]
    for seed in (5, 6):
        campaigns.keep(out(Match.from_record(returning.next_evening(first, names, 0, seed))))
    assert [len(each.evenings) for each in campaigns.known()] == [2, 2]


def test_time_at_camp_stays_where_only_who_leads_is_noted_otherwise() -> None:
    match = played("olde")
    campaigns.note(campaigns.known()[0], minutes=480, stage=Stage.DOOR)
    match.record.parties.append(records.PartyModel(order=["h1", "h0"]))
    assert campaigns.keep(match).minutes == 480
    assert storage.read_record(campaigns.known()[0].last).parties == match.record.parties


def test_a_disk_that_refuses_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    match = begun("olde")
    heard: list[str] = []
    scribe = recovery.Scribe(match, trouble=heard.append)
    real = os.replace

    def refuse(a: Any, b: Any) -> None:
        if "campaigns" in str(b):
            raise OSError(28, "No space left on device")
        real(a, b)

    monkeypatch.setattr(os, "replace", refuse)
    out(match)
    scribe.close()
    assert heard and "No space left" in heard[0]
    assert storage.fights()  # the evening itself is saved all the same


def test_a_room_of_which_only_a_wall_was_seen_is_not_among_those_seen() -> None:
    field = Field.from_rows(["#####", "#.#.#", "#####"])
    left, right = Room("Hall", Bitboard(0b00111_00111_00111)), Room("Cell", Bitboard(0b11100_11100_11100))
    field = replace(field, rooms=(left, right))
    beside = Bitboard(1 << 6 | 1 << 7)  # the floor of the hall, and the wall beyond it
    assert [room.name for room in rooms_seen(field, beside)] == ["Hall"]

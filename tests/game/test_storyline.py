"""One thing is told in one line: a way walked in parts, what a deed costs beside it, a death."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pygame
import pytest

from game import cli
from game.content import encounter
from game.content import tables as content
from game.fight.advice import Counsel
from game.fight.match import Match
from game.fight.storyline import Storyline, in_words, woven
from game.scenes.fight.scene import Fight
from game.widgets.text import Run
from rules.contract.events import Attack, Began, Condition, Event, Injury, Moved
from rules.core.registry import RULESETS
from tests.game.player import Player, arena

PLAYED = Path(__file__).parents[1] / "playthroughs"


def begun(player: Player, **options: Any) -> Fight:
    player.app.navigator.begin(arena(**options))
    fight = player.app.top
    assert isinstance(fight, Fight)
    player.turn()
    return fight


def walk(player: Player, key: int) -> None:
    player.key(key)
    player.key(pygame.K_RETURN)


def log(fight: Fight) -> list[str]:
    return ["".join(p.text for p in e.pieces if isinstance(p, Run)) for e in fight.telling.story.entries]


def saying(event: Event) -> str:
    """A story of few words."""
    match event:
        case Moved():
            return f"{event.by} climbs." if event.mode == "climb" else f"{event.by} walks {len(event.path)}."
        case Began():
            return f"{event.what} {event.number}."
        case Condition():
            return f"{event.target} is {event.condition}."
        case Attack():
            return f"{event.by} strikes."
    return ""


def moved(by: str, *path: tuple[int, int], mode: str = "walk") -> Moved:
    return Moved(by=by, mode=mode, start=path[0], path=path[1:])


def lines(*events: Event) -> list[str]:
    return [in_words(strand, saying) for strand in woven(saying, events)]


def test_a_way_walked_in_parts_is_one_line_and_undo_makes_it_shorter(player: Player) -> None:
    fight = begun(player, map={"rows": ["##########", *["#........#"] * 4, "##########"]}, gob_at=(8, 1), seed=5)
    before = len(log(fight))
    walk(player, pygame.K_DOWN)
    walk(player, pygame.K_DOWN)
    told = ["ada slips 1 space by free steps. ada steps 1 space."]
    assert len(fight.match.record.commands) == 2 and log(fight)[before:] == told
    player.key(pygame.K_z, pygame.KMOD_LCTRL)
    assert log(fight)[before:] == ["ada slips 1 space by free steps."]
    player.key(pygame.K_z, pygame.KMOD_LCTRL)
    assert log(fight)[before:] == []
    player.key(pygame.K_y, pygame.KMOD_LCTRL)
    player.key(pygame.K_y, pygame.KMOD_LCTRL)
    assert log(fight)[before:] == told


def test_a_way_taken_back_in_its_middle_is_told_as_far_as_it_goes() -> None:
    story = Storyline(saying)
    assert [story.add(1, moved("ada", (1, 1), (2, 1))), story.add(2, moved("ada", (2, 1), (3, 1), (4, 1)))] == [0, 0]
    assert story.cut(1, 0) == [0] and [in_words(s, saying) for s in story.strands] == ["ada walks 1."]
    assert story.add(2, moved("ada", (2, 1), (2, 2))) == 0
    assert [in_words(s, saying) for s in story.strands] == ["ada walks 2."]
    assert story.cut(0, 0) == [] and not story.strands


def test_a_way_is_one_line_while_only_seconds_pass() -> None:
    way = moved("wolf", (1, 1), (2, 1)), moved("rat", (5, 5), (5, 6)), moved("wolf", (2, 1), (3, 1), (4, 1))
    assert lines(Began(what="second", number=3), way[0], way[1], Began(what="second", number=4), way[2]) == [
        "second 3.", "wolf walks 3.", "rat walks 1.", "second 4.",
    ]  # fmt: skip
    assert lines(way[0], Began(what="round", number=2), way[2]) == ["wolf walks 1.", "round 2.", "wolf walks 2."]


def test_a_way_that_something_happened_on_stays_in_two_lines() -> None:
    blow = Attack(by="rat", target="wolf", weapon="bite", attack=3, defense=5, margin=-2, outcome="miss", damage=0,
                  adjustments=(), rolls=())  # fmt: skip
    assert len(lines(moved("wolf", (1, 1), (2, 1)), blow, moved("wolf", (2, 1), (3, 1)))) == 3
    assert len(lines(moved("wolf", (1, 1), (2, 1)), moved("wolf", (5, 1), (6, 1)))) == 2, "seen here and there"


def test_a_second_level_climbed_is_a_second_line() -> None:
    climbs = moved("ada", (1, 1), (2, 1), mode="climb"), moved("ada", (2, 1), (3, 1), mode="climb")
    assert lines(*climbs) == ["ada climbs.", "ada climbs."]


def test_who_dies_by_a_deed_has_not_gone_down_besides() -> None:
    down, dead = (Condition(target="rat", condition=name, gained=True) for name in ("prone", "dead"))
    assert lines(down, dead) == ["rat is dead."]
    assert lines(down) == ["rat is prone."]


def fought(ruleset: str) -> Match:
    """A fight that the computer plays to its end, or for long."""
    record = encounter.surprise("crypt", list(content.heroes(ruleset))[:4], 3, ruleset=ruleset)
    record["creatures"] = [{**creature, "controller": "ai"} for creature in record["creatures"]]
    match = Match.from_record(record)
    mind = Counsel(match)
    while (decision := match.decision) is not None and match.history.length < 160:
        match.act(decision, mind.advise(decision))
    return match


@pytest.mark.parametrize("ruleset", list(RULESETS))
def test_in_a_whole_fight_each_fall_and_each_way_is_told_once(ruleset: str) -> None:
    match = fought(ruleset)

    def tell(event: Event) -> str:
        return match.ruleset.tell(match.state, event)

    story = Storyline(tell)
    moments = match.history.moments
    for one, two in zip([None, *moments], moments, strict=False):
        deed = match.events[one.events if one is not None else 0 : two.events]
        first = len(story.strands)
        for place, event in enumerate(deed, 1):
            story.add(0, event, deed[place:])
        fates: dict[str, list[str]] = {}
        for strand in story.strands[first:]:
            said, main = in_words(strand, tell), strand.main
            down = "does not get up" in said or "goes down" in said or "is dead" in said
            if down and isinstance(main, Condition | Injury):
                fates.setdefault(main.target, []).append(said)
        assert not [told for told in fates.values() if len(told) > 1]
    ways = [strand.main for strand in story.strands if isinstance(strand.main, Moved | Began)]
    for one_way, next_way in zip(ways, ways[1:], strict=False):
        if isinstance(one_way, Moved) and isinstance(next_way, Moved) and one_way.path:
            same = (one_way.by, one_way.mode, one_way.path[-1]) == (next_way.by, next_way.mode, next_way.start)
            assert not same or "space" not in tell(one_way)


def test_the_command_line_tells_a_deed_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["replay", str(PLAYED / "victory_behind_two_doors.json")]) == 0
    told = capsys.readouterr().out.splitlines()
    way = "Pip Underbough slips 1 space by free steps. Pip Underbough runs 4 spaces. Defense −2."
    assert way in told
    assert not any(line.endswith("running.") for line in told)
    assert cli.main(["replay", str(PLAYED / "seconds_in_the_hall.json")]) == 0
    told = capsys.readouterr().out.splitlines()
    assert "Giant spider jogs 9 spaces." in told
    headings = [line.startswith("Second ") for line in told]
    assert not any(a and b for a, b in zip(headings, headings[1:], strict=False)), "no second without a line"

"""Several open decisions in the window, by posted events: a side plans in any order and resolves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pygame
import pytest

from game.content import encounter
from game.fight.match import Match
from game.fight.viewing import Eyes
from game.scenes.fight.deeds import DiceDialog
from game.scenes.fight.panels.card import reckoning
from game.scenes.fight.scene import Fight
from game.widgets.controls import Label
from game.widgets.figures import PackFigure
from rules.contract.actions import Action, Adjustment
from rules.contract.events import Attack, Condition
from rules.contract.ruleset import Odds
from tests.game.hotseat_table import app_at, seated
from tests.game.planning_table import CTRL, asked, button, cairn, chips, countup, offer, settled
from tests.game.player import Player, cell_of, commands, fight_of, middle

# -- a side's plans, by mouse ----------------------------------------------------------------------------


def test_a_fight_is_played_from_declaration_to_a_morale_break_by_mouse() -> None:
    player = app_at()
    fight = fight_of(player, cairn())
    assert asked(fight) == "gann"
    player.click(middle(fight, cell_of(fight, "reed")))
    assert asked(fight) == "reed"
    player.click(middle(fight, cell_of(fight, "far")))
    assert [c["do"] for c in commands(fight)] == ["attack"]
    assert [(p.id, p.target) for p in fight.board.plans] == [("reed", "far")]
    player.press("Plan stands")
    assert asked(fight) == "gann"
    assert chips(fight)["reed"].ticked and not chips(fight)["gann"].ticked
    player.click(middle(fight, fight.match.field.cell(3, 2)))
    player.click(middle(fight, cell_of(fight, "near")))
    assert fight.plan is not None and fight.plan.decision.kind == "resolve"
    assert fight.board.plans[0].path == (fight.match.field.cell(3, 2),)
    player.press("Resolve")
    settled(player, fight)
    told = [e.condition for e in fight.match.events if isinstance(e, Condition)]
    assert "fled" in told or "dead" in told
    for _ in range(6):
        if fight.match.over is not None:
            break
        assert fight.plan is not None and fight.plan.decision.side == "heroes", "the computer resolves its own"
        player.key(pygame.K_RETURN, CTRL)
        player.key(pygame.K_RETURN, CTRL)
        settled(player, fight)
    assert any(isinstance(e, Condition) and e.condition == "fled" for e in fight.match.events)


def gone_ahead(player: Player) -> Fight:
    """Gann's move is planned, and its dash is armed."""
    fight = fight_of(player, cairn())
    player.click(middle(fight, fight.match.field.cell(3, 4)))
    player.press("Dash")
    assert fight.plan is not None and fight.plan.start == fight.match.field.cell(3, 4)
    return fight


def test_the_cursor_sets_out_from_where_the_plan_so_far_leads() -> None:
    player = app_at()
    fight = gone_ahead(player)
    cell = fight.match.field.cell
    for code in (pygame.K_RIGHT, pygame.K_UP, pygame.K_SPACE, pygame.K_RIGHT, pygame.K_DOWN):
        player.key(code)
    assert fight.pointed.path == (cell(4, 3), cell(5, 4)) and fight.pointed.path_ok
    player.key(pygame.K_RETURN)
    assert commands(fight)[-1]["do"] == "dash" and commands(fight)[-1]["path"] == [[4, 3], [5, 4]]


@pytest.mark.parametrize("held", [(3, 4), (2, 2)], ids=["the ghost", "the miniature"])
def test_a_way_of_ones_own_is_dragged_from_the_ghost_or_the_miniature(held: tuple[int, int]) -> None:
    player = app_at()
    fight = gone_ahead(player)
    cell = fight.match.field.cell
    player.move(middle(fight, cell(*held)))
    player.button(middle(fight, cell(*held)), down=True)
    player.move(middle(fight, cell(4, 3)))
    player.button(middle(fight, cell(4, 3)), 2, down=True)
    player.button(middle(fight, cell(4, 3)), 2, down=False)
    player.move(middle(fight, cell(5, 4)))
    player.button(middle(fight, cell(5, 4)), down=False)
    assert commands(fight)[-1]["do"] == "dash" and commands(fight)[-1]["path"] == [[4, 3], [5, 4]]


def test_a_plan_is_turned_to_again_changed_and_taken_back() -> None:
    player = app_at()
    fight = fight_of(player, cairn())
    player.click(middle(fight, fight.match.field.cell(3, 2)))
    player.press("Plan stands")
    assert asked(fight) == "reed"
    player.click(chips(fight)["gann"].rect.center)
    assert asked(fight) == "gann"
    player.press("Plan anew")
    assert fight.board.plans == () and asked(fight) == "gann"
    player.click(middle(fight, fight.match.field.cell(2, 1)))
    plans: Sequence[Any] = fight.board.plans
    assert [p.path for p in plans] == [(fight.match.field.cell(2, 1),)]
    player.key(pygame.K_z, CTRL)
    assert fight.board.plans == ()


# -- what is sealed stays so -----------------------------------------------------------------------------


def test_who_sits_down_next_sees_no_order_of_who_sat_there() -> None:
    seats = [{"name": "Ann", "plays": ["heroes"]}, {"name": "Ben", "colour": 1, "plays": ["monsters"]}]
    record = countup(seats=seats)
    for creature in record["creatures"]:
        creature["controller"] = "human"
    player = app_at(speed=2)
    fight = fight_of(player, record)
    first = fight.seating.at
    while fight.seating.at == first:
        assert fight.plan is not None
        action = next(a for a in fight.plan.legal if a.do in ("walk", "hold"))
        assert fight.deeds.act(action)
        settled(player, fight)
    assert fight.match.board().plans, "the orders are given, and time has not moved"
    assert fight.view.board is not None and not fight.view.board.plans


def test_a_sealed_turn_shows_on_whoever_gives_it_to_their_own_alone() -> None:
    match = Match.from_record(countup())
    eyes = Eyes(match, None, ["heroes"])

    def facings() -> dict[str, int | None]:
        return {mini.id: mini.facing for mini in eyes.board().miniatures}

    while len(match.decisions) < 2:
        match.act(match.decisions[0], next(a for a in match.legal(match.decisions[0]) if a.do == "hold"))
    before, wanted = facings(), {}
    for name in ("orc", "tess"):
        decision = next(d for d in match.decisions if d.by == name)
        turns = (a for a in match.legal(decision) if a.do == "turn" and int(a.option or 0) != before[name])
        turn = next(turns)
        match.act(decision, turn)
        wanted[name] = int(turn.option or 0)
    assert {plan.id for plan in match.board().plans} == {"orc", "tess"}, "both mean to turn"
    assert facings() == {**before, "tess": wanted["tess"]}


# -- and by keys -----------------------------------------------------------------------------------------


def test_a_side_plans_and_resolves_by_keys() -> None:
    player = app_at()
    fight = fight_of(player, cairn())
    player.key(pygame.K_PAGEDOWN)
    assert asked(fight) == "reed"
    player.key(pygame.K_TAB)
    player.key(pygame.K_RETURN)
    assert commands(fight)[0]["do"] == "attack" and commands(fight)[0]["by"] == "reed"
    player.key(pygame.K_n)
    assert asked(fight) == "gann"
    for _ in range(4):
        player.key(pygame.K_TAB)
        if fight.pointed.aimed == "reed":
            break
    assert fight.pointed.aimed == "reed", "Tab comes to one's own that may plan"
    player.key(pygame.K_RETURN)
    assert asked(fight) == "reed"
    player.key(pygame.K_PAGEUP)
    assert asked(fight) == "gann"
    player.key(pygame.K_RETURN, CTRL)
    assert "may still plan" in fight.toast_text and len(commands(fight)) == 2
    player.key(pygame.K_RETURN, CTRL)
    assert commands(fight)[2]["do"] == "resolve"
    settled(player, fight)
    assert any(isinstance(e, Attack) and e.by == "reed" for e in fight.match.events)


def test_an_armed_attack_goes_by_keys_to_targets_alone() -> None:
    player = app_at()
    fight = fight_of(player, cairn())
    player.key(pygame.K_PAGEDOWN)
    assert asked(fight) == "reed"
    player.key(pygame.K_1)
    plan = fight.plan
    assert plan is not None and plan.armed is not None
    targets = plan.targets()
    player.key(pygame.K_RETURN)
    assert fight.pointed.aimed == targets[0], "Enter points first"
    seen = set()
    for _ in range(len(targets) + 1):
        player.key(pygame.K_TAB)
        seen.add(fight.pointed.aimed)
    assert seen == set(targets), "nobody of one's own"
    player.key(pygame.K_RETURN)
    assert commands(fight)[0]["do"] == "attack"


def test_all_plans_made_nothing_is_resolved_until_it_is_said() -> None:
    player = app_at()
    fight = fight_of(player, cairn())
    player.key(pygame.K_n)
    player.key(pygame.K_n)
    player.turn(20)
    assert fight.plan is not None and fight.plan.decision.kind == "resolve"
    assert not fight.ends_by_itself


def test_resolve_is_gold_only_once_everybody_has_a_plan() -> None:
    player = app_at()
    fight = fight_of(player, cairn())
    assert (button(fight, "resolve").gold, button(fight, "resolve").cost) == (False, "2 have no plan yet")
    assert button(fight, "end").gold
    player.key(pygame.K_n)
    assert button(fight, "resolve").cost == "1 has no plan yet"
    player.key(pygame.K_n)
    assert (button(fight, "resolve").gold, button(fight, "resolve").cost) == (True, "all of heroes")
    assert "A click changes somebody's plan" in [
        w.text for p in fight.ui.live() for w in p.walk() if isinstance(w, Label)
    ]
    low = {b.rect.top for b in (button(fight, "move"), button(fight, "attack"), button(fight, "resolve"))}
    assert len(low) == 1, "the line over the first group pushes its buttons no lower than the others"


def test_half_a_plan_is_a_plan_and_one_alone_is_asked_for_its_own() -> None:
    player = app_at()
    document = cairn()
    document["creatures"] = document["creatures"][1:]
    fight = fight_of(player, document)
    assert not button(fight, "resolve").gold and button(fight, "resolve").cost == "1 has no plan yet"
    player.key(pygame.K_RETURN, CTRL)
    assert "Reed may still plan" in fight.toast_text and not commands(fight)
    player.click(middle(fight, fight.match.field.cell(2, 3)))
    assert button(fight, "resolve").gold
    player.key(pygame.K_RETURN, CTRL)
    assert [c["do"] for c in commands(fight)][:2] == ["move", "resolve"]


def test_no_plan_is_made_while_the_last_half_is_still_being_shown() -> None:
    player = app_at(speed=2)
    fight = fight_of(player, cairn())
    player.key(pygame.K_TAB)
    player.key(pygame.K_RETURN)
    player.key(pygame.K_RETURN, CTRL)
    player.key(pygame.K_RETURN, CTRL)
    player.until(lambda: fight.plan is not None)
    assert fight.behind and fight.waits
    done = len(commands(fight))
    player.key(pygame.K_n)
    assert len(commands(fight)) == done and not fight.behind, "the key hurries, and plans nothing"
    player.key(pygame.K_n)
    assert len(commands(fight)) == done + 1


def test_each_blow_of_a_half_is_brought_into_sight() -> None:
    player = app_at(speed=2)
    document = cairn()
    document["map"] = {"rows": ["#" * 60, *["#" + "." * 58 + "#"] * 4, "#" * 60]}
    for creature, at in zip(document["creatures"], ([2, 2], [50, 4], [3, 2], [53, 4], [55, 1]), strict=True):
        creature["at"] = at
    fight = fight_of(player, document)
    for name, foe in (("gann", "near"), ("reed", "far")):
        fight.match.turn_to(name)
        fight.refresh()
        assert fight.plan is not None and fight.deeds.act(fight.plan.strike(foe) or fight.plan.offers[0].actions[0])
    fight.deeds.act(offer(fight, "resolve").actions[0])
    seen: dict[tuple[int, int], bool] = {}
    for _ in range(400):
        player.app.tick(1 / 60)
        for place in fight.view.animator.stage[-1:]:
            middle_of = fight.camera.space_rect(fight.match.field.cell(*place)).center
            seen[place] = bool(fight.camera.free.collidepoint(middle_of))
        if not fight.behind:
            break
    assert set(seen) >= {(3, 2), (53, 4)} and all(seen.values())


def test_a_list_names_what_is_cast_not_a_space_that_it_might_be_cast_at() -> None:
    player = app_at()
    document = cairn()
    document["creatures"][0]["template"] = "solena"
    fight = fight_of(player, document)
    fight.choosing.take_offer(offer(fight, "cast"))
    fight.settle()
    assert fight.choices.picks is not None
    told = [(label, more) for label, more, *_ in fight.choices.picks[1]]
    assert [label for label, _ in told] == ["Book of Thicket", "Book of Sleep"]
    assert "%" in told[1][1], "the best chance stands in the list"


def test_who_is_put_elsewhere_is_pointed_at_first_and_then_where_to() -> None:
    player = app_at()
    document = cairn()
    document["creatures"][0]["items"] = ["scroll of Teleport"]
    fight = fight_of(player, document)
    fight.choosing.take_offer(offer(fight, "use"))
    fight.settle()
    assert fight.choices.picks is not None
    fight.choosing.take_pick(fight.choices.picks[1][0][2])
    assert fight.plan is not None and fight.plan.armed is not None
    assert fight.plan.armed.description.needs == "creature"
    player.click(middle(fight, cell_of(fight, "near")))
    assert fight.plan.armed is not None and fight.plan.armed.description.needs == "space"
    goal = fight.match.field.cell(10, 4)
    assert goal in fight.plan.moves(fight.plan.armed)
    player.click(middle(fight, goal))
    last = commands(fight)[-1]
    assert (last["do"], last["target"], last["at"]) == ("use", "near", [10, 4])


def test_a_manoeuvre_is_listed_with_its_chance_and_shown_with_what_it_risks() -> None:
    player = app_at()
    document = cairn()
    document["creatures"][2]["at"] = [3, 2]
    fight = fight_of(player, document)
    fight.choosing.take_offer(offer(fight, "manoeuvre"))
    fight.settle()
    player.click(middle(fight, cell_of(fight, "near")))
    assert fight.choices.picks is not None
    told = {label: more for label, more, *_ in fight.choices.picks[1]}
    assert list(told) == ["Trip", "Shove", "Grapple"]
    assert told["Trip"].startswith("action · 70 %"), "Gann's STR is 14"
    trip = fight.choices.picks[1][0][2]
    assert fight.plan is not None and isinstance(trip, Action)
    odds = fight.plan.odds(trip)
    assert odds is not None and any("failed" in text for text, _ in odds.notes)


def test_what_is_held_ready_is_listed_with_its_trigger() -> None:
    fight = fight_of(app_at(), cairn())
    fight.choosing.take_offer(offer(fight, "ready"))
    fight.settle()
    assert fight.choices.picks is not None
    assert [label for label, *_ in fight.choices.picks[1]][:2] == [
        "Sword, when a foe comes within reach",
        "Sword, before a foe within reach acts",
    ]


def test_an_adjustment_that_counts_nothing_is_told_without_a_nought() -> None:
    enhanced = Adjustment("dice", 0, "enhanced: helpless", "cairn.md §2.2")
    odds = Odds(1.0, (), (), 0.0, 0.0, adjustments=(enhanced, msgspec.structs.replace(enhanced, value=1)))
    assert [text for text, _ in reckoning(odds)] == ["enhanced: helpless", "+1 dice, enhanced: helpless"]


def test_others_plans_are_nobodys_to_see() -> None:
    player = app_at()
    fight = fight_of(player, countup())
    for turn in range(12):
        settled(player, fight)
        if fight.match.over is not None:
            break
        sides = {m.id: m.side for m in fight.board.miniatures}
        assert all(sides[plan.id] in fight.sides for plan in fight.board.plans), turn
        assert fight.plan is not None
        fight.deeds.act(fight.plan.offers[0].actions[0]) if fight.plan.is_question else fight.choosing.end_chance()
        player.turn(1)


def test_slots_and_fatigue_stand_in_the_sheet() -> None:
    player = app_at()
    document = cairn()
    document["creatures"][0]["fatigue"] = 2
    fight = fight_of(player, document)
    figure = next(w for p in fight.ui.live() for w in p.walk() if isinstance(w, PackFigure))
    assert figure.pack.room == 10
    assert [held.label for held in figure.pack.held if held.tone] == ["Fatigue", "Fatigue"]
    mini = next(m for m in fight.board.miniatures if m.id == "gann")
    assert mini.second is not None and (mini.health.label, mini.second.label) == ("Hit Protection", "STR")
    assert mini.life == mini.health.value + mini.second.value


def test_a_policy_is_chosen_from_its_button_and_said() -> None:
    player = app_at()
    fight = fight_of(player, countup())
    who = asked(fight)
    player.key(pygame.K_y, pygame.KMOD_LSHIFT)
    assert fight.choices.picks is not None
    labels = [entry[0] for entry in fight.choices.picks[1]]
    player.key(pygame.K_1 + labels.index("Step after"))
    assert [commands(fight)[-1][field] for field in ("by", "do", "option")] == [who, "policy", "press"]
    assert asked(fight) == who and fight.toast_text == "Step after, from now on."


def test_a_deed_that_waits_for_real_dice_is_not_said_to_be_done() -> None:
    """A chest is worked on by a choice from a list as well; while a die is asked for nothing has come of it."""
    record = encounter.make_encounter("tavern", ["rogue"], ["goblin"], 1)
    record["creatures"][0]["at"] = [27, 17]
    seats = [{"name": "Ann", "colour": 0, "plays": ["heroes"], "own_dice": True}]
    player = app_at()
    fight = seated(player, {**record, "seats": seats})
    player.until(lambda: asked(fight) == "rogue")
    before = fight.match.history.length
    fight.deeds.act(offer(fight, "tackle").actions[0])
    assert isinstance(player.app.top, DiceDialog) and fight.match.history.length == before
    assert "from now on" not in fight.toast_text

"""The action bar: every button keeps its place and its key, says whom its chance is about, and is never cut."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.content import encounter
from game.party.foresight import percent
from game.scenes.fight.panels.frame import shown_key
from game.scenes.fight.panels.places import overlays
from game.scenes.fight.scene import Fight
from game.widgets.controls import Button
from game.widgets.figures import LiveLines
from game.widgets.text import Block, Run
from rules.core.registry import RULESETS
from tests.game.planning_table import countup
from tests.game.player import Player, arena, fight_of, middle
from tests.game.test_exploring_window import house

WINDOWS = [((1280, 720), 100), ((1280, 720), 200), ((1024, 600), 150), ((1920, 1080), 75)]


def app_at(size: tuple[int, int] = (1280, 720), scale: int = 100) -> Player:
    app = App(size, settings=Settings(speed=0, autosave=False, scale=scale, end_by_itself=False))
    pygame.event.clear()
    app.navigator.title()
    return Player(app)


def everybody_plays(ruleset: str, seed: int) -> dict[str, Any]:
    """A whole encounter in which one person decides for all."""
    record = encounter.surprise("goblin_warren", None, seed, ruleset=ruleset)
    for creature in record["creatures"]:
        creature["controller"] = "human"
    return record


def offer_buttons(fight: Fight) -> list[Button]:
    widgets = (w for panel in fight.ui.live() for w in panel.walk())
    return [w for w in widgets if isinstance(w, Button) and w.key.startswith("offer ")]


def places(fight: Fight) -> dict[str, tuple[pygame.Rect, str]]:
    """Where each button is, on the bar and behind More, with the key that presses it."""
    assert fight.plan is not None and fight.panels.bar is not None
    found = {b.key: (b.rect, "") for b in offer_buttons(fight)}
    if fight.panels.bar.hidden:
        fight.choosing.open_more()
        found |= {b.key: (b.rect, "") for b in offer_buttons(fight) if b.key not in found}
        fight.choosing.open_more()
    for offer in fight.plan.offers:
        key = f"offer {offer.do} {offer.weapon or ''}"
        found[key] = (found[key][0], fight.key_of(offer))
    return found


def positions(fight: Fight, turns: int, seed: int) -> Iterator[str]:
    """The kinds of decisions that a whole fight at random comes to, as far as so many actions lead."""
    dice = random.Random(seed)
    for _ in range(turns):
        decision = fight.match.decision
        if decision is None:
            return
        if fight.plan is not None and not fight.plan.is_question:
            yield decision.kind
        fight.match.act(decision, dice.choice(list(fight.match.legal(decision))))
        fight.look()
        fight.refresh()
        fight.telling.change_past()
        fight.show_now()
        fight.settle()


@pytest.mark.parametrize(("size", "scale"), WINDOWS[:2])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_through_a_whole_fight_every_button_keeps_its_place_and_its_key(
    ruleset: str, size: tuple[int, int], scale: int
) -> None:
    fight = fight_of(app_at(size, scale), everybody_plays(ruleset, 4))
    known: dict[str, dict[str, tuple[pygame.Rect, str]]] = {}
    seen = set()
    for kind in positions(fight, 45, 4):
        now = places(fight)
        assert known.setdefault(kind, now) == now
        seen.add(fight.plan.decision.by if fight.plan is not None else "")
    assert len(seen) > 3, "several creatures had their chance"


def test_in_an_exploration_buttons_keep_their_places_too() -> None:
    fight = fight_of(app_at(), house())
    known: dict[str, dict[str, tuple[pygame.Rect, str]]] = {}
    for kind in positions(fight, 30, 4):
        now = places(fight)
        assert known.setdefault(kind, now) == now
    assert "explore" in known


def test_what_resolves_a_side_stands_where_it_stood_while_plans_were_made() -> None:
    fight = fight_of(app_at(), everybody_plays("cairn", 4))
    before, kinds = None, []
    for kind in positions(fight, 40, 4):
        resolve = next(b for b in offer_buttons(fight) if b.key == "offer resolve ")
        assert before is None or resolve.rect == before
        before = resolve.rect
        kinds.append(kind)
    assert len(set(kinds)) > 1


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_key_of_a_deed_is_that_of_a_command(ruleset: str) -> None:
    fight = fight_of(app_at(), everybody_plays(ruleset, 4))
    assert fight.plan is not None
    for offer in fight.plan.offers:
        assert fight.key_of(offer).lower() == offer.description.key.lower() or (offer.description.group == "End")


def test_a_key_that_the_player_gave_to_a_command_is_made_up_for_by_one_that_stays() -> None:
    app = App((1280, 720), settings=Settings(speed=0, autosave=False, keys={"log": ["4"]}))
    app.navigator.title()
    fight = fight_of(Player(app), everybody_plays("olde", 4))
    assert fight.plan is not None
    keys = []
    for _ in positions(fight, 12, 4):
        attack = next(o for o in fight.plan.offers if o.do == "attack")
        keys.append(fight.key_of(attack))
    assert keys[0] not in ("", "4") and len(set(keys)) == 1


@pytest.mark.parametrize(("size", "scale"), WINDOWS)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_button_is_cut_and_the_large_ones_show_their_price(ruleset: str, size: tuple[int, int], scale: int) -> None:
    fight = fight_of(app_at(size, scale), everybody_plays(ruleset, 4))
    look, plan = fight.app.look, fight.plan
    assert plan is not None and fight.panels.bar is not None
    large = 0
    for button in offer_buttons(fight):
        head, small = look.font(button.style), look.font("small")
        words = head.size(button.label)[0] + (small.size(button.hint)[0] + look.px(16) if button.hint else 0)
        assert words + 2 * look.px(8) <= button.rect.width, button.label
        if not button.slim:
            large += 1
            assert small.size(button.cost)[0] + 2 * look.px(8) <= button.rect.width, button.cost
            assert button.cost
    assert large >= 4
    assert any(b.key == "offer attack " and not b.slim for b in offer_buttons(fight))


def test_greyed_buttons_behind_more_say_why_and_one_click_beside_folds_them() -> None:
    player = app_at()
    fight = fight_of(player)
    player.key(pygame.K_m)
    climb = next(b for b in offer_buttons(fight) if b.key == "offer climb ")
    player.move(climb.rect.center)
    assert not climb.enabled and foot(fight).text() == "Climb: no stairs or ladder here"
    there = middle(fight, fight.match.field.cell(1, 2))
    assert not fight.ui.over(there)
    player.click(there)
    assert not fight.choices.more and not fight.match.record.commands
    player.click(there)
    assert fight.match.record.commands


def foot(fight: Fight) -> LiveLines:
    """What stands under the unfolded list."""
    return next(w for p in fight.ui.live() for w in p.walk() if isinstance(w, LiveLines))


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_reasons_behind_more_stand_whole_under_the_list(size: tuple[int, int]) -> None:
    player = app_at(size)
    fight = fight_of(player)
    more = next(w for p in fight.ui.live() for w in p.walk() if w.key == "more")
    assert more.tip is not None and "Flop" in more.tip.text
    player.key(pygame.K_m)
    more = next(w for p in fight.ui.live() for w in p.walk() if w.key == "more")
    assert more.tip is None, "the list says it, and nothing lies on it"
    bar, plan, look = fight.panels.bar, fight.plan, player.app.look
    assert bar is not None and plan is not None
    buttons = {b.key: b for b in offer_buttons(fight)}
    for n in bar.hidden:
        offer = plan.offers[n]
        button = buttons[f"offer {offer.do} {offer.weapon or ''}"]
        player.move(button.rect.center)
        words = foot(fight)
        assert words.text().startswith(f"{button.label}: ") and (offer.refused or "") in words.text()
        laid = Block(look, (Run(words.text(), words.colour, words.kind),), words.rect.width)
        assert laid.size[1] <= words.rect.height, f"{words.text()} is cut"
        assert button.tip is None, "nothing else is told of it over the bar"


def test_where_there_is_room_reasons_stand_on_the_buttons_behind_more_too() -> None:
    player = app_at()
    fight = fight_of(player, everybody_plays("cairn", 4))
    player.key(pygame.K_m)
    told = {b.cost: b for b in offer_buttons(fight) if not b.enabled and not b.slim}
    small, look = player.app.look.font("small"), player.app.look
    for reason in ("no such door in reach", "nobody here has a stare"):
        assert reason in told, sorted(told)
        assert small.size(reason)[0] <= told[reason].rect.width - 2 * look.px(12), f"{reason} is cut"


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_list_behind_more_covers_neither_sheet_nor_log_nor_who_acts(ruleset: str, size: tuple[int, int]) -> None:
    player = app_at(size)
    fight = fight_of(player, everybody_plays(ruleset, 4))
    cell = fight.plan.actor.cell if fight.plan is not None and fight.plan.actor is not None else 0
    fight.camera.pan(0, fight.camera.free.bottom - fight.camera.space_rect(cell).bottom)  # at the foot of the board
    assert fight.panels.bar is not None and fight.panels.bar.hidden
    player.key(pygame.K_m)
    fight.camera.arrive()
    listing = next(p.rect for p in fight.ui.live() if any(w.key == "more panel" for w in p.walk()))
    others = [p.rect for p in fight.ui.live() if p.rect != listing]
    assert listing.collidelist(others) == -1
    assert not listing.colliderect(fight.camera.space_rect(cell))


def test_a_key_takes_what_waits_behind_more_without_unfolding_it() -> None:
    player = app_at()
    fight = fight_of(player)
    assert "offer flop " not in [b.key for b in offer_buttons(fight)]
    player.key(pygame.K_x, pygame.KMOD_SHIFT)
    assert fight.choices.picks is not None and fight.choices.picks[0] == "Flop"


# -- whom a chance is about


def cost_of(fight: Fight, do: str) -> str:
    assert isinstance(fight.app, App)
    fight.app.draw()
    return next(b.cost for b in offer_buttons(fight) if b.key.strip() == f"offer {do}")


def crowd() -> dict[str, Any]:
    """Ada between a nimble goblin, a clumsy one, and one that lies dying."""
    record = arena(gob_at=(2, 1))
    creatures = record["creatures"]
    assert isinstance(creatures, list)
    creatures[1] |= {"name": "Nimble", "finesse": 12}
    creatures += [
        {**creatures[1], "id": "clumsy", "name": "Clumsy", "finesse": 1, "at": [1, 2]},
        {**creatures[1], "id": "low", "name": "Low", "finesse": 1, "at": [2, 2], "hp": 0},
    ]
    return record


def test_a_chance_is_of_the_one_pointed_at_else_of_the_likeliest_who_stands() -> None:
    player = app_at()
    fight = fight_of(player, crowd())
    plan = fight.plan
    assert plan is not None
    shown = overlays(fight)
    assert cost_of(fight, "attack") == f"2 AP · {shown.chances['clumsy']} Clumsy"
    assert shown.chances["clumsy"] != shown.chances["gob"]
    player.key(pygame.K_TAB)
    while fight.pointed.aimed != "gob":
        player.key(pygame.K_TAB)
    assert cost_of(fight, "attack") == f"2 AP · {shown.chances['gob']} Nimble"


def test_the_dying_wear_their_chance_quietly_and_plainly_once_an_attack_is_armed() -> None:
    player = app_at()
    fight = fight_of(player, crowd())
    shown = overlays(fight)
    assert "low" in shown.fallen and "low" not in shown.chances
    player.press("Attack")
    shown = overlays(fight)
    assert "low" in shown.chances and not shown.fallen


def test_an_attack_with_several_manners_promises_what_a_click_does() -> None:
    record = countup()
    record["creatures"][2]["at"] = [3, 2]
    fight = fight_of(app_at(), record)
    for _ in range(40):
        plan = fight.plan
        if plan is not None and not plan.is_question:
            attack = next(o for o in plan.offers if o.do == "attack")
            if len({a.option for a in attack.actions}) > 1 and plan.strike("orc") is not None:
                break
        assert fight.match.decision is not None
        fight.match.act(fight.match.decision, list(fight.match.legal(fight.match.decision))[-1])
        fight.look()
        fight.refresh()
        fight.telling.change_past()
    blow = plan.strike("orc") if plan is not None else None
    odds = plan.odds(blow) if plan is not None and blow is not None else None
    assert odds is not None
    assert plan is not None
    assert max(o.hit for a in attack.actions if (o := plan.odds(a)) is not None) > odds.hit
    assert percent(odds.hit) == overlays(fight).chances["orc"]
    assert f" {percent(odds.hit)} " in cost_of(fight, "attack") + " "


def test_a_click_never_means_a_deed_that_does_no_harm() -> None:
    player = app_at()
    record = arena(gob_at=(6, 1))
    record["creatures"][0]["skills"] = {"Swords": "Master", "Intimidate": "Master"}  # type: ignore[index]
    fight = fight_of(player, record)
    assert fight.plan is not None
    frightening = next(o for o in fight.plan.offers if o.do == "intimidate")
    assert any(a.target == "gob" for a in frightening.actions)
    player.click(middle(fight, fight.match.field.cell(6, 1)))
    assert not fight.match.record.commands and fight.choices.errand is not None
    assert fight.choices.errand.deed.do == "attack"
    assert shown_key(fight.key_of(frightening)) == "Shift+I"

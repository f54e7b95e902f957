"""Hot-seat: what each seat sees of a fight under fog of war, and nothing else; handover, recap and clock."""

from __future__ import annotations

from typing import Any

import msgspec
import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.content import encounter
from game.fight.advice import Counsel
from game.fight.match import Match
from game.fight.viewing import possible
from game.scenes.fight.ending import Summary
from game.scenes.fight.hotseat import CoverOnce, Handover, Recap
from game.scenes.fight.scene import Fight
from game.scenes.fight.undoing import AskRewind
from game.scenes.replay.scene import Replay
from rules.contract.units import Bitboard, Cell
from rules.core import record as records
from tests.game.hotseat_table import Watcher, app_at, being, let_in, over, seated, table
from tests.game.player import Player


def decide(player: Player, fight: Fight) -> None:
    """The seat at the screen does with mouse and keys what the computer would do in its place."""
    plan = fight.plan
    assert plan is not None
    if fight.choices.picks is not None:
        player.key(pygame.K_1)
        return
    if plan.is_question:
        player.key(pygame.K_RETURN)
        return
    before = len(fight.match.record.commands)
    action = Counsel(fight.match).advise(plan.decision)
    goal = action.path[-1] if action.path else None
    target = next((m.cell for m in fight.board.miniatures if m.id == action.target), None)
    spot = goal if goal is not None else target
    if spot is not None:
        fight.show_cells([spot])
        fight.camera.arrive()
        player.click(fight.camera.space_rect(spot).center)
    if len(fight.match.record.commands) == before and fight.choices.picks is None and fight.plan is plan:
        player.key(pygame.K_RETURN, pygame.KMOD_LCTRL)


def test_a_whole_fight_of_two_seats_shows_each_only_what_its_side_knows() -> None:
    player = app_at()
    fight = seated(player, table())
    watcher = Watcher(fight)
    handed = 0
    for _ in range(600):
        if over(fight):
            break
        watcher.frame()
        if isinstance(player.app.top, (Handover, Recap)):
            handed += isinstance(player.app.top, Handover)
            player.key(pygame.K_RETURN)
        elif fight.plan is not None:
            decide(player, fight)
        else:
            player.turn()
    assert fight.match.over is not None, "the fight came to its end"
    watcher.frame()
    assert handed >= 4 and watcher.frames > 25 and watcher.plays > 10
    player.until(lambda: isinstance(player.app.top, Summary), 5)


def test_nothing_but_the_seat_is_drawn_before_it_is_ready() -> None:
    player = app_at()
    record = table()
    player.app.navigator.begin(record)
    app = player.app
    assert isinstance(app.top, Handover)
    app.draw()
    pictures = [app.surface.copy()]
    app.scenes[:-1] = []  # without anything below it the very same is drawn
    app.draw()
    pictures.append(app.surface.copy())
    assert pygame.image.tobytes(pictures[0], "RGB") == pygame.image.tobytes(pictures[1], "RGB")


def test_the_first_to_decide_is_let_in_first_and_the_other_only_when_asked() -> None:
    player = app_at()
    fight = seated(player, table())
    first = fight.seating.at
    assert fight.plan is not None and fight.seating.seats.answering(fight.plan.decision) == first
    while fight.seating.seats.answering(fight.match.decision) == first:  # type: ignore[arg-type]
        player.key(pygame.K_RETURN, pygame.KMOD_LCTRL)
    assert isinstance(player.app.top, Handover)
    assert fight.seating.at == first, "until the other is ready, the first one's view stays"
    player.key(pygame.K_RETURN)
    assert fight.seating.at != first
    assert {m.side for m in fight.board.miniatures} == set(fight.seating.seats.sides(fight.seating.at))


def test_escape_does_not_open_what_is_covered() -> None:
    player = app_at()
    player.app.navigator.begin(table())
    player.key(pygame.K_ESCAPE)
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.app.top, Handover)
    player.key(pygame.K_F9)
    player.key(pygame.K_z, pygame.KMOD_LCTRL)
    assert isinstance(player.app.top, Handover)


def pass_on(player: Player, fight: Fight) -> None:
    """End chances until the screen is handed over."""
    for _ in range(20):
        if isinstance(player.app.top, Handover):
            return
        player.key(pygame.K_RETURN, pygame.KMOD_LCTRL)
    raise AssertionError("it never was")


def test_the_recap_tells_no_more_than_was_seen() -> None:
    player = app_at()
    fight = seated(player, table())
    pass_on(player, fight)
    player.key(pygame.K_RETURN)
    recap = player.app.top
    assert isinstance(recap, Recap)
    seat = fight.seating.at
    told = [" ".join(getattr(p, "text", "") for p in entry.pieces) for entry in recap.story.entries]
    own = fight.seating.seats.sides(seat)
    seen = [e for e in fight.match.events if not e.seen_by or set(e.seen_by) & set(own)]
    allowed = {fight.ruleset.tell(fight.match.state, event) for event in seen}
    assert told and all(any(line.split() == text.split() for text in allowed) for line in told)
    hidden = {"Ada", "Bruno"} if "beasts" in own else {"Zugg", "Yark"}
    assert not any(name in line for name in hidden for line in told)


def test_the_recap_can_be_watched_and_leads_back() -> None:
    player = app_at()
    fight = seated(player, table(map={"rows": ["#" * 16, *["#..............#"] * 5, "#" * 16]}))
    for _ in range(40):
        if isinstance(player.app.top, Handover):
            break
        decide(player, fight)
    player.app.settings.speed = 3
    player.key(pygame.K_RETURN)
    assert isinstance(player.app.top, Recap)
    player.app.top.ui.focus_key("again")
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RETURN, mod=0, unicode="", scancode=0))
    player.turn(1, dt=0.01)
    assert isinstance(player.app.top, Replay)
    player.until(lambda: player.app.top is fight, 20)
    assert fight.view.board == fight.board
    assert fight.plan is not None


def test_the_log_of_a_seat_is_as_long_as_what_it_saw() -> None:
    player = app_at()
    fight = seated(player, table())
    for _ in range(3):
        pass_on(player, fight)
        let_in(player)
        own = set(fight.seating.sides)
        seen = [e for e in fight.match.events if not e.seen_by or own & set(e.seen_by)]
        lines = [e for e in seen if fight.ruleset.tell(fight.match.state, e)]
        assert len(fight.telling.story.entries) == len(lines)


def test_a_seat_takes_back_its_own_decisions_and_never_the_others() -> None:
    player = app_at()
    fight = seated(player, table())
    pass_on(player, fight)
    let_in(player)
    own = fight.seating.seats.sides(fight.seating.at)
    assert all(fight.match.history.moments[past.to + 1].side in own for past in fight.undoing.points())
    fight.undoing.branches()
    assert "secrets" in fight.toast_text


def test_a_rewind_that_was_asked_for_ends_when_the_screen_goes_to_another_seat() -> None:
    player = app_at()
    fight = seated(player, table())
    pass_on(player, fight)
    let_in(player)
    first = fight.seating.at
    decide(player, fight)
    assert fight.plan is not None and fight.seating.at == first
    player.key(pygame.K_z, pygame.KMOD_LCTRL | pygame.KMOD_LSHIFT)
    asked = player.app.top
    assert isinstance(asked, AskRewind)
    other = next(seat for seat in fight.seating.seats.seats if seat != first)
    while fight.seating.due != other:  # what was on its way comes to its end under the dialog
        decision = fight.match.decision
        assert decision is not None and fight.deeds.carry_out(decision, list(fight.match.legal(decision))[-1])
    length = fight.match.history.length
    asked._back(next(iter(asked.points)))()
    assert isinstance(player.app.top, Handover) and fight.seating.due == other
    assert fight.match.history.length == length, "nothing is taken back under the cover"
    player.key(pygame.K_RETURN)
    assert fight.seating.at == other


def test_seats_of_one_side_hand_over_with_a_word_only() -> None:
    seats: list[dict[str, Any]] = [
        {"name": "Ann", "plays": ["ada"]},
        {"name": "Cleo", "colour": 2, "plays": ["heroes", "beasts"]},
    ]
    record = table(seats=[{**seats[0]}, {"name": "Cleo", "colour": 2, "plays": ["bruno"]}])
    for creature in record["creatures"]:
        creature["controller"] = "human" if creature["side"] == "heroes" else "ai"
    player = app_at()
    fight = seated(player, record)
    assert player.app.top is fight
    names = set()
    for _ in range(12):
        player.until(lambda: fight.plan is not None or over(fight), 10)
        names.add(fight.seating.at.name)
        player.key(pygame.K_RETURN, pygame.KMOD_LCTRL)
        assert not isinstance(player.app.top, Handover)
        if len(names) == 2:
            break
    assert names == {"Ann", "Cleo"}


def test_the_game_masters_view_is_for_their_seat_alone() -> None:
    player = app_at()
    seats = [{"name": "Ann", "plays": ["heroes"]}, {"name": "Ben", "colour": 1, "plays": ["beasts", "gm"]}]
    fight = seated(player, table(seats=seats))
    for _ in range(6):
        master = fight.seating.at.name == "Ben"
        player.key(pygame.K_g, pygame.KMOD_LCTRL)
        assert (len(fight.board.miniatures) == 4) == master
        assert fight.seating.all_seen == master
        if not master:
            assert isinstance(player.app.top, CoverOnce) and player.app.top.seat.name == "Ben"
            player.key(pygame.K_ESCAPE)
            assert player.app.top is fight and len(fight.board.miniatures) < 4
        pass_on(player, fight)
        let_in(player)
        assert not fight.seating.all_seen, "nobody sits down at an open view"


def solo(**more: object) -> dict[str, Any]:
    record = table(**more)
    del record["seats"]
    for creature in record["creatures"]:
        creature["controller"] = "human" if creature["side"] == "heroes" else "ai"
    return record


def test_alone_under_fog_there_is_no_handover_and_the_unseen_are_not_on_the_board() -> None:
    player = app_at()
    fight = seated(player, solo())
    assert player.app.top is fight
    assert {m.name for m in fight.board.miniatures} == {"Ada", "Bruno"}
    player.key(pygame.K_g, pygame.KMOD_LCTRL)
    assert len(fight.board.miniatures) == 4, "nobody's secrets are at stake"


def test_who_stands_unseen_in_the_way_stops_a_movement() -> None:
    player = app_at()
    record = solo(options={"fog": True, "darkness": False})
    player_fight = seated(player, record)
    player.until(lambda: player_fight.plan is not None, 10)
    from rules.contract.actions import Action

    match, decision = player_fight.match, player_fight.match.decision
    assert decision is not None
    ways = [a for a in match.legal(decision) if len(a.path) > 1]
    assert possible(match, decision, ways[0]) == ways[0]
    assert possible(match, decision, Action(decision.by, "step", path=(Cell(0), Cell(1)))) is None


class Wall:
    """A clock on the wall that stands still until it is moved on."""

    def __init__(self, player: Player) -> None:
        self.player, self.now = player, 100.0
        player.app.clock = lambda: self.now

    def on(self, seconds: float) -> None:
        """So much later, with nothing else in between, the loop turns."""
        self.now += seconds
        self.player.app.tick(min(seconds, 0.1))


def test_the_clock_ends_a_chance_and_rests_otherwise() -> None:
    player = app_at()
    wall = Wall(player)
    fight = seated(player, table(chance_seconds=5))
    by = fight.match.decision.by  # type: ignore[union-attr]
    wall.on(0.1)
    assert fight.seating.clock() == "0:05"
    wall.on(2.0)
    assert fight.seating.clock() == "0:03"
    player.key(pygame.K_F1)
    for _ in range(4):
        wall.on(2.0)
    wall.now += 60
    player.key(pygame.K_F1)
    assert fight.seating.seconds == pytest.approx(3.0, abs=0.2), "it rests under a dialog"
    for _ in range(4):
        wall.on(1.0)
    assert [c.do for c in fight.match.record.commands][0] == "end"
    assert fight.match.record.commands[0].by == by


def test_the_clock_ends_the_chance_of_who_may_not_simply_wait() -> None:
    """The panicked must run: what the computer would do is done, and then the chance ends."""
    player = app_at()
    wall = Wall(player)
    record = table(chance_seconds=5, ruleset="countup", options={}, seats=[])
    record["creatures"] = [
        {"id": "ada", "template": "hale", "name": "Ada", "side": "heroes", "at": [1, 1], "controller": "human"},
        {"id": "zugg", "template": "orc", "name": "Zugg", "side": "beasts", "at": [4, 1], "controller": "ai"},
    ]
    fight = seated(player, record)
    player.until(lambda: fight.plan is not None)
    match: Any = fight.match
    figures = [msgspec.structs.replace(f, effects=(("panicked", 99),)) if n == 0 else f
               for n, f in enumerate(match.state.figures)]  # fmt: skip
    match.history.now = msgspec.structs.replace(match.state, figures=tuple(figures))
    fight.refresh()
    assert fight.plan is not None and fight.plan.ending is None
    before = match.history.length
    for _ in range(80):
        wall.on(0.1)
    deeds = [(c.by, c.do) for c in match.record.commands[before:]]
    assert (
        deeds[0][0] == "ada" and deeds[0][1] in ("jog", "flee", "walk", "run", "sprint") and deeds[1] == ("ada", "end")
    )


def test_the_clock_goes_by_the_wall_however_seldom_the_window_is_drawn() -> None:
    now = [0.0]
    app = App((1280, 720), settings=Settings(speed=0, autosave=False), clock=lambda: now[0])
    pygame.event.clear()
    app.navigator.title()
    fight = seated(Player(app), table(chance_seconds=60))
    for _ in range(20):  # nobody touches anything: the loop turns seldom
        now[0] += 1.5
        pygame.event.post(pygame.event.Event(pygame.WINDOWEXPOSED))  # it need not really wait
        app._turn()
    assert fight.seating.seconds == pytest.approx(30.0, abs=1.6)


def test_seats_and_clock_go_through_a_record() -> None:
    record = records.read(table(chance_seconds=60))
    again = records.read(records.document(record))
    assert again.seats == record.seats and again.chance_seconds == 60


def test_the_legend_names_no_door_on_ground_that_nobody_saw() -> None:
    from game.view import boardview as legend

    rows = ["##########", "#...+....#", "#...######", "#...+....#", "##########"]
    record = table(map={"rows": rows})
    for creature, at in zip(record["creatures"], ([1, 1], [1, 2], [8, 1], [8, 3]), strict=True):
        creature["at"] = at
    player = app_at()
    fight = seated(player, record)
    fight.seating.at = fight.seating.seats.seats[1]
    fight.hotseat._look_anew()
    view = fight.view
    named = legend.names(fight.camera, fight.board, view.ground.plan, view.ground.veil.known)
    assert sum("door" in name.text for name in named) == 2, "each of the two rooms knows its own door"
    fight.eyes.turn(("heroes",))
    view.see(fight.eyes.sight())
    view.see(type(fight.eyes.sight())(Bitboard(1 << 11), Bitboard(1 << 11)))  # only the corner where Ada stands
    named = legend.names(fight.camera, fight.board, view.ground.plan, view.ground.veil.known)
    assert not any("door" in name.text for name in named)


def beside_the_gap(foe: tuple[int, int]) -> Match:
    """Ada stands at the wall, an unseen foe somewhere behind it."""
    record = solo()
    places = {"ada": (6, 2), "bruno": (1, 1), "zugg": foe, "yark": (14, 1)}
    for creature in record["creatures"]:  # type: ignore[attr-defined]
        creature["at"] = list(places[creature["id"]])
        creature["surprised"] = creature["side"] == "beasts"
        creature["finesse"] = 10 if creature["id"] == "ada" else 6
    return Match.from_record(record)


def test_a_movement_ends_before_who_stands_in_it_unseen() -> None:
    match = beside_the_gap((8, 3))
    while match.decision is not None and match.decision.by != "ada":
        match.act(match.decision, list(match.legal(match.decision))[-1])
    decision = match.decision
    assert decision is not None
    known = match.observe("heroes")
    assert "zugg" not in {m.id for m in match.ruleset.board(known).miniatures}
    stands = match.field.cell(8, 3)
    ways = [action for action in match.ruleset.legal(known, decision) if stands in action.path]
    assert ways, "Ada believes the space to be free"
    for action in ways:
        there = possible(match, decision, action)
        assert there is not None and there in match.legal(decision)
        assert there.path == action.path[: action.path.index(stands)], "it ends on the space before"


def test_a_movement_ends_before_a_door_that_was_shut_unseen() -> None:
    record = table(map={"rows": ["#######", "#..+..#", "#######"], "doors": {"door 3,1": "open"}})
    record["creatures"] = [being("Ada", "heroes", (2, 1)), being("Zugg", "beasts", (4, 1))]
    record["creatures"][1]["surprised"] = True
    match = Match.from_record(record)
    decision = match.decision
    assert decision is not None and decision.by == "ada"
    door = match.field.doors[0].cell
    match.history.now = msgspec.structs.replace(match.state, doors=("closed",), terrain=match.field.terrain(0))
    known = match.observe("heroes")
    assert match.ruleset.board(known).doors == ("open",), "nobody saw it shut"
    ways = [action for action in match.ruleset.legal(known, decision) if door in action.path]
    assert ways, "Ada believes that she can go through"
    for action in ways:
        there = possible(match, decision, action)
        assert there is None if action.path[0] == door else there is not None and there.path[-1] != door


def test_the_computer_decides_the_same_wherever_the_unseen_stand() -> None:
    deeds = []
    for spot in ((9, 1), (10, 1), (10, 2)):
        match = beside_the_gap(spot)
        decision = match.decision
        while decision is not None and decision.by != "ada":
            match.act(decision, list(match.legal(decision))[-1])
            decision = match.decision
        assert decision is not None
        assert "zugg" not in {m.id for m in match.ruleset.board(match.observe("heroes")).miniatures}
        deeds.append(Counsel(match).advise(decision))
    assert deeds[0] == deeds[1] == deeds[2]


def test_doors_darkness_and_carried_lights_give_nothing_away() -> None:
    record = encounter.make_encounter("crypt", ["warrior", "rogue"], ["goblin", "cultist"], 3, {"monsters": "human"})
    record["options"] = {"fog": True, "darkness": True}
    record["seats"] = [{"name": "Ann", "plays": ["heroes"]}, {"name": "Ben", "colour": 1, "plays": ["monsters"]}]
    names = ("Hedda", "Pip", "Grikk", "Morn")
    for creature, name in zip(record["creatures"], names, strict=True):
        creature["name"] = name
    player = app_at()
    fight = seated(player, record)
    watcher = Watcher(fight)
    for _ in range(120):
        watcher.frame()
        if over(fight):
            break
        if isinstance(player.app.top, (Handover, Recap)):
            player.press("ready" if isinstance(player.app.top, Handover) else "on")
        elif fight.plan is not None:
            decide(player, fight)
        else:
            player.turn()
    assert watcher.frames > 30
    lamps = fight.ruleset.lamps(fight.match.state)
    seen = fight.ruleset.lamps(fight.shown)
    assert len(seen) <= len(lamps) == 2, "Hedda's lantern and the cultist's; the rogue walks without one"


def test_who_plays_nobody_but_the_game_master_sees_all_from_their_own_seat() -> None:
    seats = [
        {"name": "Ann", "plays": ["heroes"]},
        {"name": "Ben", "colour": 1, "plays": ["beasts"]},
        {"name": "Mae", "colour": 2, "plays": ["gm"]},
    ]
    player = app_at()
    fight = seated(player, table(seats=seats))
    fight.seating.due = fight.seating.seats.seats[2]
    fight.hotseat.hand_over()
    assert isinstance(player.app.top, Handover)
    assert fight.seating.due is not None
    fight.hotseat.sit(fight.seating.due)
    assert len(fight.board.miniatures) == 4 and fight.eyes.sight() is None


def test_against_each_other_the_summary_names_who_won_whoever_sits_there() -> None:
    player = app_at()
    fight = seated(player, table())
    for _ in range(600):
        if over(fight):
            break
        if isinstance(player.app.top, (Handover, Recap)):
            player.key(pygame.K_RETURN)
        elif fight.plan is not None:
            decide(player, fight)
        else:
            player.turn()
    player.until(lambda: isinstance(player.app.top, Summary), 5)
    winner = {"heroes": "Ann", "beasts": "Ben"}[str(fight.match.over)]
    said = [getattr(w, "text", "") for panel in player.app.top.ui.live() for w in panel.walk()]
    assert f"{winner} won" in said and "Victory" not in said

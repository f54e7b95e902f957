"""Several people at one real window: seats laid out, handover, recap, clock, game master; with each hand alone."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.e2e.hands import Hand, Keyboard, Table
from tests.e2e.people import HANDS, SIZES, Book, Opened, choose, closed, fill, leaks, marks, opened, shot, words
from tests.game import hotseat_table

pytestmark = marks()
__all__ = ["opened"]
both_hands = pytest.mark.parametrize("hand", ["mouse", "keys"])
both_sizes = pytest.mark.parametrize("size", SIZES)
COVERED = ("dice", "handover")


@pytest.mark.long
@both_sizes
@both_hands
def test_a_table_for_six_is_laid_from_the_title(opened: Opened, hand: str, size: str) -> None:
    table = opened("--size", size)
    hands = HANDS[hand](table)
    hands.press("New fight")
    for button in ("hero warrior", "hero wizard", "map tavern.tmx", "Clear the foes", "foe goblin", "foe wolf"):
        hands.press(button)
    hands.press("seats")
    table.await_("the seats", lambda s: s["scene"] == "seats")
    shot(table, f"seats-one-{hand}")
    for _ in range(5):
        hands.press("join")
    table.await_("six seats", lambda s: "name 5" in [w["key"] for w in s["widgets"]])
    shot(table, f"seats-six-{hand}")
    assert not next(w for w in table.now()["widgets"] if w["key"] == "join")["enabled"]
    hands.press("away 5")
    fill(table, hands, "name 0", "Wilhelmina of the Long Name")
    fill(table, hands, "name 1", "Zoe")
    hands.press("colour 0")
    hands.press("dice 1")
    choose(table, hands, "clock", "90", "1½ min")
    choose(table, hands, "plays monsters", "1", "Zoe")
    hands.press("fold heroes")
    choose(table, hands, "plays wizard", "2", "Cleo")
    choose(table, hands, "plays gm", "3", "Dan")
    assert "Eve plays nobody yet." in words(table.now())
    shot(table, f"seats-laid-{hand}")
    assert "against each other" in words(table.now())
    hands.press("done")
    hands.press("Begin")
    thrown = 0
    while "fight" not in (status := table.await_("dice or a handover", lambda s: s["scene"] in COVERED and s)):
        if status["scene"] == "handover":  # the screen is Zoe's alone before her dice are asked for
            assert "Zoe" in words(status) and plain(table)
            hands.press("ready")
            table.await_("her dice", lambda s: s["scene"] == "dice")
            continue
        thrown += 1  # who throws real dice throws from the first die on
        shot(table, f"dice-opening-{hand}")
        assert "Zoe" in words(status)
        hands.type("t") if isinstance(hands, Keyboard) else hands.press("for me")
        table.await_("the next", lambda s, b=status: s["scene"] != "dice" or s["more"] != b["more"])
    assert thrown
    table.await_("the handover", lambda s: s["scene"] == "handover")
    shot(table, f"handover-first-{hand}")
    start = table.fight()["start"]
    names = [seat["name"] for seat in start["seats"]]
    assert names[:2] == ["Wilhelmina of the Long Name", "Zoe"] and len(names) == 5
    assert len({seat["colour"] for seat in start["seats"]}) == 5
    assert start["seats"][1]["own_dice"] and start["seats"][1]["plays"] == ["monsters"]
    assert start["seats"][2]["plays"] == ["wizard"] and start["seats"][3]["plays"] == ["gm"]
    assert start["chance_seconds"] == 90 and start["options"]["fog"]
    hands.press("ready")
    table.await_("the fight", lambda s: s["scene"] == "fight")
    shot(table, f"seats-fight-{hand}")
    closed(table)


def let_in(table: Table, hand: Hand, book: Book, again: bool = False) -> tuple[str, list[str]]:
    """The next seat sits down: the handover gives nothing away, the recap no more than was seen; who, and its lines."""
    status = table.await_("the handover", lambda s: s["scene"] == "handover" and s)
    seat = status["fight"]["table"]["due"]
    book.follow(status["fight"])
    spoken = words(status)
    assert seat in spoken and not any(name in spoken for name in ("Ada", "Bruno", "Zugg", "Yark"))
    assert plain(table)
    hand.press("ready")
    status = table.await_("the seat to be let in", lambda s: s["scene"] in ("recap", "fight") and s)
    assert status["fight"]["table"]["at"] == seat
    lines: list[str] = []
    if status["scene"] == "recap":
        lines = status["words"]
        match = book.follow(status["fight"])
        assert not leaks(status, match)
        shot(table, f"recap-{seat}-{hand.name}")
        if again:
            hand.press("again")
            table.await_("the replay", lambda s: "recap" not in s["scenes"])
        else:
            hand.press("on")
        table.await_("the fight", lambda s: s["scene"] == "fight")
    return seat, lines


def plain(table: Table) -> bool:
    """Whether the window shows little but one ground: no board, no panels, nothing shining through."""
    picture = table.picture()
    wide, high = picture.get_size()
    spots = [tuple(picture.get_at((x, y)))[:3] for x in range(0, wide, 7) for y in range(20, high - 20, 7)]
    return spots.count(max(set(spots), key=spots.count)) > 0.9 * len(spots)


@pytest.mark.parametrize(
    "hand, size",
    [
        pytest.param("mouse", "1280x720"),
        pytest.param("keys", "1280x720", marks=pytest.mark.long),
        pytest.param("mouse", "1920x1080", marks=pytest.mark.long),
        pytest.param("keys", "1920x1080", marks=pytest.mark.long),
    ],
)
def test_the_screen_goes_from_seat_to_seat_and_back(opened: Opened, hand: str, size: str) -> None:
    table = opened("--size", size, record=hotseat_table.table())
    hands = HANDS[hand](table)
    book = Book(table, hands)
    first, lines = let_in(table, hands, book)
    assert not lines, "before anything happened there is nothing to recap"
    shot(table, f"seat-first-{hand}")
    told = 0
    seats = [first]
    while len(seats) < 4:
        if table.now()["scene"] == "fight":
            match, _ = book.decision()
            assert not leaks(table.now(), match)
            book.ends()
        table.await_("a decision or the handover", lambda s: s["scene"] == "handover" or s["fight"]["asked"])
        if table.now()["scene"] == "handover":
            shot(table, f"handover-{hand}")
            seat, lines = let_in(table, hands, book)
            seats.append(seat)
            told += len(lines)
    assert set(seats) == {"Ann", "Ben"} and all(a != b for a, b in zip(seats, seats[1:], strict=False))
    assert told
    closed(table)


@pytest.mark.long
@both_sizes
@both_hands
def test_a_whole_fight_of_two_seats_leaks_nothing(opened: Opened, hand: str, size: str) -> None:
    """Each seat does what the computer would do; every status is held against what it may know."""
    table = opened("--size", size, record=hotseat_table.table())
    hands = HANDS[hand](table)
    book = Book(table, hands)
    handed = 0
    kept: set[str] = set()
    for _ in range(400):
        status = (
            table.await_(
                "somebody to be asked",
                lambda s: s["scene"] in ("handover", "summary") or (s["scene"] == "fight" and s["fight"]["asked"]),
            )
            and table.now()
        )
        if status["scene"] == "summary":
            break
        if status["scene"] == "handover":
            handed += 1
            let_in(table, hands, book, again=handed == 4)
            continue
        match, plan = book.decision()
        assert not leaks(table.now(), match)
        action = book.counselled()
        if action.do not in kept:
            kept.add(action.do)
            shot(table, f"versus-{hand}-before-{action.do}")
        before = len(match.record.commands)
        hands.perform(plan, action)
        table.await_(f"{action}", lambda s, known=before: len(s["fight"]["commands"]) > known)
    assert status["scene"] == "summary" and handed >= 4
    shot(table, f"versus-{hand}-summary")
    assert not leaks(table.now(), book.follow(table.fight()))
    closed(table)


def together(**more: Any) -> dict[str, Any]:
    """Ann plays Ada and Cleo plays Bruno, against the computer's beasts."""
    record = hotseat_table.table(**more)
    record["seats"] = [
        {"name": "Ann", "colour": 0, "plays": ["ada"]},
        {"name": "Cleo", "colour": 2, "plays": ["bruno"]},
    ]
    for creature in record["creatures"]:
        creature["controller"] = "human" if creature["side"] == "heroes" else "ai"
    return record


@pytest.mark.long
@both_sizes
@both_hands
def test_seats_of_one_side_need_a_word_only(opened: Opened, hand: str, size: str) -> None:
    table = opened("--size", size, record=together())
    hands = HANDS[hand](table)
    book = Book(table, hands)
    seen: dict[str, str] = {}
    for _ in range(8):
        _, plan = book.decision()
        told = table.fight()["table"]
        assert told["at"] == {"ada": "Ann", "bruno": "Cleo"}[plan.decision.by]
        assert told["at"] in words(table.now()), "who sits at the screen stands under the order of play"
        if told["at"] not in seen:
            seen[told["at"]] = table.fight()["toast"]
            shot(table, f"together-{told['at']}-{hand}")
        if len(seen) == 2:
            break
        book.ends()
    assert list(seen.values())[1] == f"{list(seen)[1]} plays now."
    assert "handover" not in table.now()["scenes"]
    closed(table)


@pytest.mark.long
@both_sizes
@both_hands
def test_the_clock_of_a_chance_runs_rests_and_ends_it(opened: Opened, hand: str, size: str) -> None:
    table = opened("--size", size, record=hotseat_table.table(chance_seconds=15))
    hands = HANDS[hand](table)
    book = Book(table, hands)
    let_in(table, hands, book)
    book.decision()
    table.await_("the clock to run", lambda s: (s["fight"]["table"]["seconds"] or 99) < 13)
    shot(table, f"clock-runs-{hand}")
    if isinstance(hands, Keyboard):
        hands.type("F1")
    else:
        hands.press("menu")
    table.await_("a dialog", lambda s: s["scene"] in ("help", "menu"))
    rested = table.fight()["table"]["seconds"]
    end = time.monotonic() + 2
    table.await_("some time", lambda s: time.monotonic() > end)
    assert table.fight()["table"]["seconds"] == rested, "it rests under a dialog"
    hands.type("Escape") if isinstance(hands, Keyboard) else hands.press("Back to the fight")
    table.await_("the fight", lambda s: s["scene"] == "fight")
    table.await_("its last seconds", lambda s: (s["fight"]["table"]["seconds"] or 99) < 6)
    shot(table, f"clock-hurry-{hand}")
    by = table.fight()["table"]["acting"]
    commands = table.await_("the chance to end", lambda s: s["fight"]["commands"])
    assert (commands[0]["by"], commands[0]["do"]) == (by, "end")
    shot(table, f"clock-over-{hand}")
    closed(table)


@pytest.mark.long
@both_sizes
@both_hands
def test_only_the_game_masters_seat_may_see_all(opened: Opened, hand: str, size: str) -> None:
    seats = [{"name": "Ann", "plays": ["heroes"]}, {"name": "Ben", "colour": 1, "plays": ["beasts", "gm"]}]
    table = opened("--size", size, record=hotseat_table.table(seats=seats))
    hands = HANDS[hand](table)
    book = Book(table, hands)
    tried: set[str] = set()
    while len(tried) < 2:
        if table.await_("a turn", asked_or_handed)["scene"] == "handover":
            let_in(table, hands, book)
            continue
        at = table.fight()["table"]["at"]
        if at not in tried:
            tried.add(at)
            book.decision()
            if at == "Ben":
                see_all(table, hands)
                table.await_("all to be seen", lambda s: len(s["fight"]["table"]["minis"]) == 4)
                shot(table, f"master-sees-{hand}")
            else:
                hands.type("ctrl+g") if isinstance(hands, Keyboard) else hands.press("see all")
                table.await_("the game master to be called", lambda s: s["scene"] == "handover")
                shot(table, f"master-called-{hand}")
                hands.type("Escape") if isinstance(hands, Keyboard) else hands.press("back")
                table.await_("the fight again", lambda s: s["scene"] == "fight")
                assert table.fight()["table"]["at"] == at and len(table.fight()["table"]["minis"]) == 2
        if table.fight()["table"]["all_seen"]:
            see_all(table, hands)
        book.ends()
    closed(table)


def asked_or_handed(status: dict[str, Any]) -> dict[str, Any] | None:
    return status if status["scene"] == "handover" or status["fight"]["asked"] else None


def see_all(table: Table, hands: Hand) -> None:
    before = table.fight()["table"]["all_seen"]
    hands.type("ctrl+g") if isinstance(hands, Keyboard) else hands.press("see all")
    if not isinstance(hands, Keyboard) or before:
        table.await_("the view to change", lambda s: s["fight"]["table"]["all_seen"] != before)

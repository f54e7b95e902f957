"""Learning by doing in the real window: the first fight's guide, help, the keys, the rules, and words that explain."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

from game.controllers.ai import AiController
from game.fight.lesson import load_steps
from game.scenes.fight.plan import Plan
from tests.e2e.hands import Keyboard, Mouse
from tests.e2e.preparing import Preparing, seats
from tests.e2e.real_table import MARKS, ways
from tests.e2e.test_real_forecast import skirmish

pytestmark = MARKS
STEPS = (
    "select", "cost", "free", "undo", "end", "door", "near", "odds", "attack", "log", "why", "again", "help",
)  # fmt: skip


class Learning(Preparing):
    """At the first fight."""

    @property
    def guide(self) -> dict[str, Any]:
        found: dict[str, Any] = self.table.now()["more"]["guide"]
        return found

    def guided(self) -> str | None:
        """The step that the guide shows, once it stands there and the fight rests; None after the last."""

        def ask(status: dict[str, Any]) -> Any:
            guide, fight = status["more"].get("guide"), status["fight"]
            if status["scene"] == "summary" or (guide and guide["step"] is None):
                return [None]
            ready = status["scene"] == "fight" and guide["shown"] and fight["asked"] and not fight["gliding"]
            return ready and [guide["step"]]

        found: str | None = self.table.await_("the guide", ask, 60)[0]
        return found

    def over(self) -> bool:
        """Whether the fight is over, or the guide has nothing more to say."""
        status = self.table.now()
        return bool(status["scene"] == "summary" or status["more"]["guide"]["finished"])

    def target(self) -> tuple[int, int]:
        """The middle of what the guide points at."""
        left, top, wide, high = self.table.await_("a halo", lambda s: s["more"]["guide"]["target"], 20)
        return left + wide // 2, top + high // 2

    def play_on(self) -> None:
        """Do what a sensible player would."""
        match = self.match()
        decision = match.decision
        assert decision is not None
        legal = match.legal(decision)
        plan = Plan(match.ruleset, match.state, decision, legal, board=match.board(), field=match.field)
        action = AiController().choose(match.ruleset, match.observe(decision.side), decision, legal)
        done = len(self.table.fight()["commands"])
        self.hand.perform(plan, action)
        self.table.await_("it to be done", lambda s: len(s["fight"]["commands"]) > done)

    def look_at(self, key: str) -> None:
        """Press a place of the order of play."""
        if not isinstance(self.hand, Keyboard):
            self.hand.press(key)
            return
        for _ in range(8):
            if self.focused().startswith("order "):
                break
            self.hand.type("F6")
        for _ in range(8):
            if self.focused() == key:
                break
            self.hand.type("Right")
        self.hand.type("Return")


sat = seats(Learning)


def do(at: Learning, step: str) -> None:
    """What a step asks for, done as it says."""
    mouse = at.hand if isinstance(at.hand, Mouse) else None
    keys = at.hand if isinstance(at.hand, Keyboard) else None
    if step == "select":
        at.look_at("order goblin_1")
        if keys:
            keys.type("Escape")
    elif step in ("cost", "odds"):
        mouse.point(*at.target()) if mouse else None
        keys.type("Right" if step == "cost" else "Tab") if keys else None
    elif step == "free":
        mouse.click(*at.target()) if mouse else None
        keys.type("Return") if keys else None
    elif step == "undo":
        at.press("undo", "ctrl+z")
    elif step == "attack":
        mouse.click(*at.target()) if mouse else None
        keys.type("Return") if keys else None
    elif step == "log":
        if mouse:
            mouse.click(*at.guide["rolls"][-1])
        if keys:
            for _ in range(8):
                if at.focused() == "story":
                    break
                keys.type("F6")
            keys.type("Left", "Return", "Escape")
    elif step == "again":
        at.press("again", "ctrl+r")
        at.scene("replay")
        at.shot("again-shown")
        at.press("Back", "Escape")
    elif step == "help":
        if mouse:
            at.menu("Help")
        if keys:
            keys.type("F1")
        at.scene("help")
        at.press("Back", "Escape")
    elif step == "why":
        mouse.click(*at.target()) if mouse else None
        keys.type("ctrl+i") if keys else None
        at.scene("why")
        at.press("Back", "Escape")
    else:
        at.play_on()


@ways()
@pytest.mark.timeout(300)
def test_the_first_fight_is_learnt_by_doing_what_the_guide_says(
    sat: Callable[[str, str, str], Learning], hand: str, size: str
) -> None:
    at = sat(hand, size, "guide")
    at.settings(offer_lesson=True, end_by_itself=False)
    at.open()
    at.scene("title")
    at.shot("offer")
    at.press("show me")
    seen: list[str] = []
    for _ in range(60):
        step = at.guided()
        if step is None and at.over():
            break
        if step is None:  # nothing to learn just now
            at.play_on()
            continue
        if step not in seen:
            seen.append(step)
            at.shot(f"{len(seen):02d}-{step}")
        done = len(at.table.fight()["commands"])
        do(at, step)
        with contextlib.suppress(AssertionError):  # a step may take more than one deed
            at.table.await_(
                "the next step",
                lambda s, n=done, now=step: (
                    s["scene"] == "summary" or s["more"]["guide"]["step"] != now or len(s["fight"]["commands"]) != n
                ),
                4,
            )
    assert len(seen) >= len(STEPS) - 3, "passed over are only steps done already"
    assert {step.id for step in load_steps("first_fight", _Every())} == set(STEPS)
    at.table.await_("the offer to be gone", lambda s: not s["more"]["settings"]["offer_lesson"])
    at.close()


class _Every(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return name


@ways()
def test_the_guide_is_never_in_the_way_and_goes_when_told(
    sat: Callable[[str, str, str], Learning], hand: str, size: str
) -> None:
    at = sat(hand, size, "guide-away")
    at.settings(offer_lesson=True, end_by_itself=False)
    at.open()
    at.scene("title")
    at.press("First fight")
    first = at.guided()
    if isinstance(at.hand, Mouse):
        at.hand.click(*at.guide["buttons"]["lesson_next"])
    else:
        at.press("", "F2")
    at.table.await_("the next hint", lambda s: s["more"]["guide"]["step"] not in (first, None))
    at.play_on()  # whatever the guide asks for
    at.guided()
    at.shot("elsewhere")
    if isinstance(at.hand, Mouse):
        at.hand.click(*at.guide["buttons"]["lesson_skip"])
    else:
        at.press("", "shift+F2")
    at.table.await_("no guide", lambda s: s["more"]["guide"]["step"] is None)
    at.shot("gone")
    at.play_on()
    at.close()


@ways()
def test_help_keys_and_rules_are_found_and_searched(
    sat: Callable[[str, str, str], Learning], hand: str, size: str
) -> None:
    at = sat(hand, size, "help")
    at.open(record=skirmish())
    at.scene("fight")
    if isinstance(at.hand, Keyboard):
        at.hand.type("F1")
    else:
        at.menu("Help")
    at.scene("help")
    at.shot("help")
    at.press("turn", "ctrl+k")
    at.table.await_("the keys", lambda s: s["more"]["help"] == "keys")
    at.shot("all-keys")
    if isinstance(at.hand, Keyboard):
        at.hand.type("Next", "Next")
    else:
        left, top, wide, high = at.table.now()["panels"][-1]
        for _ in range(6):
            at.hand.click(left + wide // 2, top + high // 2, 5)  # type: ignore[attr-defined]
    at.table.await_("further down", lambda s: s["more"]["scrolled"] > 200)
    at.shot("further-down")
    at.write("search", "parry")
    at.shot("a-word-of-the-rules")
    at.write("search", "undo")
    at.shot("a-deed")
    at.press("rules", "F3")
    at.scene("reference")
    at.write("search", "prone")
    page = at.table.await_("a page", lambda s: s["more"].get("page"))
    assert page
    at.shot("rules")
    link = next((w["key"] for w in at.table.now()["widgets"] if w["key"] == "see 0"), None)
    if link:
        at.press_in_form(link)
        at.table.await_("another page", lambda s: s["more"]["page"] != page)
        at.shot("see-also")
    at.press("Back", "Escape")
    at.scene("help")
    at.press("Back", "Escape")
    at.scene("fight")
    at.close()


@ways()
def test_words_and_figures_say_their_rule(
    sat: Callable[[str, str, str], Learning], hand: str, size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCH_WORDS", "1")
    at = sat(hand, size, "words")
    at.open(record=skirmish())
    at.perform(lambda action: action.do == "free_steps" and bool(action.path))
    at.commands(1)
    if isinstance(at.hand, Mouse):
        explained = at.table.now()["more"]["explained"]
        assert len(explained) >= 8, "the sheet and the log explain themselves"
        for what, x, y in explained[:12]:
            at.hand.point(x, y)
            tip = at.table.await_(
                f"the rule of {what}",
                lambda s, w=what: s["more"]["tip"] and s["more"]["tip"][0] == w and s["more"]["tip"],
            )
            assert tip[1] and tip[2], "its sentence and where it stands"
        at.shot("a-word")
    else:
        at.hand.type("F6")
        for _ in range(30):
            tip = at.table.now()["more"]["tip"]
            if tip and tip[1]:
                break
            at.hand.type("Tab")
        at.table.await_("a tooltip for the keys", lambda s: s["more"]["tip"])
        at.shot("a-word")
        at.hand.type("F3")
        at.scene("reference")
        at.shot("looked-up")
        at.hand.type("Escape")
    at.scene("fight")
    at.close()

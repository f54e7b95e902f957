"""Somebody with a few deeds in mind: a short scene is rehearsed for a seed in which it happens, then played by hand."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from game.controllers.ai import AiController
from game.fight.match import Match
from game.fight.seats import Seats
from game.scenes.fight.plan import Plan
from rules.contract.actions import Action, Decision
from tests.e2e.hands import Keyboard, Mouse
from tests.e2e.real_table import Sitting
from tests.e2e.seat import Seat

SEEDS = 300
"""So many fights are looked at for one in which all happens."""
DECISIONS = 90
"""Of one fight."""
PASSING = ("take_it", "let_be", "no", "stay")
"""Answers that change nothing."""


class Deed(NamedTuple):
    """Something that somebody does as soon as they may. `say`: what it is called, in pictures and failures."""

    by: str
    wanted: Callable[[Match, Action], bool]
    say: str


def do(by: str, what: str, say: str = "", **fields: Any) -> Deed:
    """The first action of a kind whose fields are so; `at`, `end` and `path` in columns and rows."""

    def wanted(match: Match, action: Action) -> bool:
        spots = {k: match.field.cell(*v) for k, v in fields.items() if k in ("at", "end")}
        ends = "end" not in spots or (bool(action.path) and action.path[-1] == spots["end"])
        stands = "at" not in spots or action.at == spots["at"]
        rest = {k: v for k, v in fields.items() if k not in ("at", "end")}
        return action.do == what and ends and stands and all(getattr(action, k) == v for k, v in rest.items())

    return Deed(by, wanted, say or " ".join(map(str, (what, *fields.values()))))


def room(rows: Sequence[str], *creatures: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A record of a small room; whoever is in it is played by hand unless it says otherwise."""
    doors: dict[str, Any] = {"map": {"rows": list(rows), **more.pop("ground", {})}}
    played = [{"controller": "human", **each} for each in creatures]
    return {"format": "battlemat/1", "ruleset": "olde", "seed": 1, "creatures": played, "commands": [], **doors, **more}


def being(name: str, at: tuple[int, int], side: str = "heroes", **says: Any) -> dict[str, Any]:
    """A sturdy swordsman by name."""
    block: dict[str, Any] = {
        "brawn": 8,
        "finesse": 8,
        "savvy": 6,
        "nerve": 6,
        "size": "medium",
        "skills": {"Swords": "Apprentice"},
    }
    return {"id": name.lower(), "name": name, "side": side, "at": list(at), "weapons": ["broadsword"], **block, **says}


class Scene:
    """Deeds one after another; whoever has none to do now passes. Counts how far it has come."""

    def __init__(self, deeds: Sequence[Deed], *, others: Callable[[Action], bool] | None = None) -> None:
        self.deeds, self.others = list(deeds), others
        """`others`: what those without a deed would rather do than pass."""
        self.done = 0
        self._ai = AiController()

    @property
    def over(self) -> bool:
        return self.done >= len(self.deeds)

    @property
    def next(self) -> Deed | None:
        return None if self.over else self.deeds[self.done]

    def turns_to(self, match: Match) -> str:
        """Whose decision comes next: of the one who has a deed to do, where several stand open."""
        assert match.decision is not None
        here = [d for d in match.decisions if self.next is not None and d.by == self.next.by]
        return here[0].by if here and len(match.decisions) > 1 else match.decision.by

    def pick(self, match: Match, decision: Decision) -> tuple[Action, bool]:
        """What is done now, and whether it is the deed."""
        legal = list(match.legal(decision))
        if self.next is not None and self.next.by == decision.by:
            for action in legal:
                if self.next.wanted(match, action):
                    return action, True
        if self.others is not None:
            for action in legal:
                if self.others(action):
                    return action, False
        passing = [a for a in legal if a.do == "end" or a.option in PASSING]
        return (passing or legal)[0], False

    def choose(self, match: Match, plan: Plan) -> Action:
        """As a mind for a seat."""
        action, deed = self.pick(match, plan.decision)
        self.done += deed
        return action

    def rehearse(self, match: Match) -> bool:
        """Play it without a window; whether all deeds were done."""
        for _ in range(DECISIONS):
            if self.over or match.decision is None:
                break
            name = self.turns_to(match)
            if name != match.decision.by:
                match.turn_to(name)
            decision = match.decision
            if Seats(match.record).answering(decision) is None:
                seen = match.observe(decision.side)
                match.act(decision, self._ai.choose(match.ruleset, seen, decision, match.ruleset.legal(seen, decision)))
                continue
            action, deed = self.pick(match, decision)
            match.act(decision, action)
            self.done += deed
        return self.over


def rehearsed(
    record: dict[str, Any],
    deeds: Sequence[Deed],
    came: Callable[[Match], bool] = lambda match: True,
    *,
    others: Callable[[Action], bool] | None = None,
) -> dict[str, Any]:
    """The record with the first seed by which all is done and it came as it should."""
    furthest = 0
    for seed in range(1, SEEDS + 1):
        found = {**record, "seed": seed}
        match, scene = Match.from_record(found), Scene(deeds, others=others)
        if scene.rehearse(match) and came(match):
            return found
        furthest = max(furthest, scene.done)
    stuck = deeds[furthest].say if furthest < len(deeds) else "its outcome"
    raise AssertionError(f"in {SEEDS} fights it never came to {stuck!r}")


class Actor(Seat):
    """Plays a scene at a table, as far as its last deed; lets seats change and turns to whoever has a deed to do."""

    def __init__(self, at: Sitting, scene: Scene) -> None:
        super().__init__(at.table, at.hand, scene, self._moment)
        self.at, self.scene = at, scene

    def _moment(self, name: str) -> None:
        deed = self.scene.next
        told = f"{name} {deed.say if deed is not None else 'last'}"
        if name in ("a question", "a list", "pointed at a space", "pointed at a creature") or name.startswith("after"):
            self.at.shot("".join(c if c.isalnum() else "-" for c in told)[:60])

    def act(self, seconds: float = 60) -> Match:
        """Until the last deed is done; our own book of the fight then."""
        end = time.monotonic() + seconds
        while not self.scene.over:
            assert time.monotonic() < end, f"{self.scene.next} was not done within {seconds:.0f} s"
            status = self.table.await_("a decision", self._open)
            if status["scene"] in ("handover", "recap"):
                self.at.shot(status["scene"])
                self.hand.press("ready" if status["scene"] == "handover" else "on")
                self.table.await_("the next", lambda s, was=status["scene"]: s["scene"] != was)
                continue
            match = self._follow(status["fight"])
            self._turn_to(match, self.scene.turns_to(match))
            self._decide(match)
        self.table.await_("the story to be told", lambda s: not s["fight"]["busy"])
        return self._follow(self.table.fight())

    def _open(self, status: dict[str, Any]) -> dict[str, Any] | None:
        if status["scene"] in ("handover", "recap"):
            return status
        return self._turn(status)

    def _turn_to(self, match: Match, name: str) -> None:
        """Turn the window to somebody whose decision stands open."""
        if self.table.fight()["table"]["acting"] != name and len(match.decisions) > 1:
            if isinstance(self.hand, Mouse):
                self.hand.press(f"order {name}")
            else:
                assert isinstance(self.hand, Keyboard)
                for _ in range(12):
                    if self.table.fight()["table"]["acting"] == name:
                        break
                    self.hand.type("Next")
            self.table.await_(f"{name}'s turn", lambda s: s["fight"]["table"]["acting"] == name)
        match.turn_to(name)


def acted(
    at: Sitting,
    record: dict[str, Any],
    deeds: Sequence[Deed],
    came: Callable[[Match], bool] = lambda match: True,
    *,
    others: Callable[[Action], bool] | None = None,
) -> Match:
    """Rehearse a scene, open it in the window, play it, and see that it came there as it should."""
    found = rehearsed(record, deeds, came, others=others)
    at.open(record=found)
    match = Actor(at, Scene(deeds, others=others)).act()
    assert came(match)
    at.shot("at-the-end")
    return match

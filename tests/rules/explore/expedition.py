"""A table for expeditions under any ruleset: rows, creatures, the computer or a hand on every side."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from game.content import tables as content
from game.controllers.ai import AiController
from rules.contract.actions import Action, Decision, pending
from rules.contract.events import Event
from rules.contract.text import as_builtins
from rules.core import record as records
from rules.core.ground import field_of
from rules.core.registry import ruleset as ruleset_of

RULESETS = ("olde", "cairn", "countup")
ROOMS = [
    "##############################",
    "#......#..............#......#",
    "#......+..............+......#",
    "#......#..............#......#",
    "##############################",
]
"""Three rooms in a row, with closed doors between them."""


def creature(ruleset: str, name: str, at: tuple[int, int], **more: Any) -> dict[str, Any]:
    """A hero by its number, `h0`, or a goblin that means no good."""
    hero = name.startswith("h")
    template = list(content.heroes(ruleset))[int(name[1:])] if hero else "goblin"
    side = "heroes" if hero else "monsters"
    means = {} if hero else {"duty": "hunt"}
    return {"id": name, "template": template, "side": side, "at": list(at), "controller": "ai", **means, **more}


class Expedition:
    """An expedition that is played command by command; everything that happened is kept."""

    def __init__(
        self, ruleset: str, creatures: Sequence[dict[str, Any]], rows: Sequence[str] = tuple(ROOMS), *,
        seed: int = 1, options: dict[str, bool] | None = None, **ground: Any,
    ) -> None:  # fmt: skip
        document = {
            "format": "battlemat/2" if "place" in ground else "battlemat/1", "ruleset": ruleset, "seed": seed,
            "options": {"crawl": True, **(options or {})},
            "map": ground if "place" in ground else {"rows": list(rows), **ground}, "creatures": list(creatures),
            "commands": [],
        }  # fmt: skip
        self.record = records.read(json.loads(json.dumps(document)))
        self.rules = ruleset_of(ruleset)
        self.field = field_of(self.record.map)
        template, tables = partial(content.template, ruleset), content.tables(ruleset)
        self.scenario = records.scenario(self.record, self.field, template, tables)
        step = self.rules.start(self.scenario)
        self.now, self.events = step.state, list(step.events)
        self._computer = {side: AiController() for side in ("heroes", "monsters")}

    def decision(self, by: str) -> Decision:
        return next(each for each in self.rules.decisions(self.now) if each.by == by)

    def action(self, by: str, do: str, **says: Any) -> Action:
        command = records.Command(by=by, do=do, **says)
        return records.action_of(command, self.field, 0)

    def do(self, by: str, do: str, **says: Any) -> list[Event]:
        """One command; what happened."""
        return self._apply(self.decision(by), self.action(by, do, **says))

    def _apply(self, decision: Decision, action: Action) -> list[Event]:
        step = self.rules.apply(self.now, decision, action)
        self.now = step.state
        self.events += step.events
        self.record.commands.append(records.command_of(action, self.field))
        return list(step.events)

    def wait(self, turns: int = 1) -> list[Event]:
        """Everybody lets turns pass."""
        happened: list[Event] = []
        begun = self.now.explore.minute
        while self.exploring and self.now.explore.minute < begun + turns:
            decision = self.rules.decisions(self.now)[0]
            happened += self._apply(decision, Action(decision.by, "end"))
        return happened

    def play(self, most: int = 400) -> None:
        """The computer plays everybody as long as a fight goes on."""
        for _ in range(most):
            decision = pending(self.rules.decisions(self.now))
            if decision is None or self.exploring:
                return
            self.think(decision)
        raise AssertionError("the fight goes on and on")

    def think(self, decision: Decision) -> None:
        """The computer's own choice by what its side knows; where the truth refuses that, by what is legal indeed."""
        known, truth = self.rules.observe(self.now, decision.side), self.rules.legal(self.now, decision)
        mind = self._computer[decision.side]
        action = mind.choose(self.rules, known, decision, self.rules.legal(known, decision))
        if action not in truth:
            action = mind.choose(self.rules, known, decision, truth)
        self._apply(decision, action)

    @property
    def exploring(self) -> bool:
        found = self.rules.decisions(self.now)
        return bool(found) and found[0].kind == "explore"

    def told(self, what: str) -> list[dict[str, Any]]:
        """All events of a kind so far, as records have them."""
        return [told for told in map(as_builtins, self.events) if told["event"] == what]

    def at(self, name: str) -> tuple[int, int] | None:
        """Where somebody stands; None for who is off the board."""
        cell = self.now.figures[self.now.setup.index[name]].cell
        return self.field.at(cell) if cell >= 0 else None

    def refusal(self, by: str, do: str, **says: Any) -> str | None:
        return self.rules.legal(self.now, self.decision(by)).refusal(self.action(by, do, **says))

    @property
    def began(self) -> list[str]:
        """The episodes so far."""
        return [e["what"] for e in self.told("began") if e["what"] in ("exploration", "fight", "truce")]


def called_on(ruleset: str) -> Iterator[tuple[Expedition, bool]]:
    """Fights in which two have called on a lone goblin to surrender, and whether it did; of many seeds those that come
    so far."""
    for seed in range(1, 40):
        table = Expedition(ruleset, [creature(ruleset, "h0", (9, 1)), creature(ruleset, "h1", (9, 3)),
                                     creature(ruleset, "gob", (16, 2), surprised=True)], seed=seed)  # fmt: skip
        table.do("h0", "ambush")
        for _ in range(60):
            found = table.rules.decisions(table.now)
            if table.exploring or not found or any(each.by == "h0" for each in found):
                break
            table.think(found[0])
        if table.exploring or not table.rules.decisions(table.now):
            continue
        if table.refusal("h0", "demand", target="gob") is None:
            table.do("h0", "demand", target="gob")
            yield table, any("surrenders" in note["text"] for note in table.told("note"))

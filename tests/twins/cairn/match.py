"""One fight through both: the rules and their twin, command by command, until it ends or they disagree."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from game.content import tables as content
from rules.board.fixtures import Challenge
from rules.board.grid import EdgeWall, Field, Light
from rules.cairn import Cairn
from rules.contract.actions import Action
from rules.contract.errors import IllegalActionError
from rules.contract.events import Moved
from rules.contract.ruleset import Scenario
from rules.contract.text import as_builtins
from rules.core.dice import Dice
from tests.twins.cairn import people, planning, resolving
from tests.twins.cairn.fight import Fight

TABLES = content.tables("cairn")
COMMANDS = 150
"""A fight that has not ended by then is left there."""


class Difference(AssertionError):
    """The rules and the twin disagree; the text says on what."""


@contextmanager
def listening(heard: list[tuple[int, int]]) -> Iterator[None]:
    """Every die that the rules throw is written down, so that the twin may throw the same faces."""
    throw = Dice.throw

    def heard_throw(self: Dice, rank: int, faces: int = 0) -> int:
        face = throw(self, rank, faces)
        heard.append((rank, face))
        return face

    Dice.throw = heard_throw  # type: ignore[method-assign,assignment]
    try:
        yield
    finally:
        Dice.throw = throw  # type: ignore[method-assign]


def scenario(record: dict[str, Any]) -> Scenario:
    """A record in rows as the rules are given it, templates merged in."""
    crowd = known()
    creatures = []
    for given in record["creatures"]:
        block = dict(crowd[given["template"]]) if "template" in given else {}
        block.update({k: v for k, v in given.items() if k != "template"})
        creatures.append(block)
    field = field_of(record)
    throws = record.get("throws")
    return Scenario("cairn", field, tuple(creatures), record.get("seed", 1), throws and tuple(throws),
                    record.get("options", {}), TABLES)  # fmt: skip


def field_of(record: dict[str, Any]) -> Field:
    """The map of a record in rows, with its doors as the record has them."""
    rows, said = record["map"]["rows"], record["map"].get("doors", {})
    field = Field.from_rows(rows)
    field = Field.from_rows(rows, edges=[
        EdgeWall(field.cell(*one), field.cell(*other), move, sight)
        for one, other, move, sight in record["map"].get("walls", ())
    ])  # fmt: skip
    doors = tuple(msgspec.structs.replace(door, state=said.get(door.id, door.state)) for door in field.doors)
    challenges = tuple(
        Challenge(**{**one, "cells": tuple(field.cell(*space) for space in one["cells"])})
        for one in record["map"].get("challenges", ())
    )
    field = msgspec.structs.replace(field, challenges=challenges)
    lights = tuple(Light(field.cell(*at), bright, dim) for at, bright, dim in record["map"].get("lights", ()))
    ambient = record["map"].get("ambient", "bright")
    return msgspec.structs.replace(field, doors=doors, ambient=ambient, lights=lights)


def known() -> dict[str, dict[str, Any]]:
    return {**content.heroes("cairn"), **content.monsters("cairn")}


class Match:
    """A record being played by both."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.record = record
        self.rules = Cairn()
        self.heard: list[tuple[int, int]] = []
        self.log: list[str] = []
        self.compared = 0
        self.kinds: Counter[str] = Counter()
        with listening(self.heard):
            self.now = self.rules.start(scenario(record)).state
        self.field = field_of(record)
        self.twin = Fight(record, self._throw)
        self._advance(lambda: resolving.begin(self.twin))

    # -- dice

    def _throw(self, rank: int) -> int:
        if not self.heard:
            raise Difference(f"the twin throws a d{rank} where the rules throw nothing")
        theirs, face = self.heard.pop(0)
        if theirs != rank:
            raise Difference(f"the twin throws a d{rank} where the rules throw a d{theirs}")
        return face

    def _advance(self, step: Any) -> None:
        thrown = list(self.heard)
        try:
            step()
            if self.heard:
                raise Difference(f"the rules throw more: {self.heard}")
            self._compare()
        except Difference as difference:
            raise Difference(f"{difference}\n  dice: {thrown}\n{self.told()}") from None

    # -- commands

    def action(self, command: dict[str, Any]) -> Action | None:
        """A command as the rules are given it; None where a space is off the map."""
        says = {k: v for k, v in command.items() if k not in ("path", "at")}
        spaces = [*command.get("path", ()), *([command["at"]] if "at" in command else [])]
        if not all(self.field.inside(*space) for space in spaces):
            return None
        if "path" in command:
            says["path"] = tuple(self.field.cell(*space) for space in command["path"])
        if "at" in command:
            says["at"] = self.field.cell(*command["at"])
        return Action(**says)

    def command(self, action: Action) -> dict[str, Any]:
        """An action as a record writes it."""
        says = {k: v for k, v in as_builtins(action).items() if v not in (None, (), [])}
        if "path" in says:
            says["path"] = [self.field.at(cell) for cell in says["path"]]
        if "at" in says:
            says["at"] = self.field.at(says["at"])
        return says

    def decision(self, by: str) -> Any:
        decisions = self.rules.decisions(self.now)
        return next((d for d in decisions if d.by == by), None)

    def try_out(self, command: dict[str, Any]) -> bool:
        """Give a command to both: whether it was accepted. Raises Difference."""
        self.compared += 1
        self.kinds[command["do"]] += 1
        action = self.action(command)
        decision = self.decision(command["by"])
        refusal: str | None = "off the map"
        if action is not None:
            refusal = "no decision" if decision is None else self.rules.legal(self.now, decision).refusal(action)
        ours, theirs = refusal is None, planning.allowed(self.twin, command)
        if ours != theirs:
            said = "the rules accept, the twin refuses" if ours else f"the twin accepts, the rules refuse ({refusal})"
            raise Difference(f"{said}: {command}\n{self.told()}")
        if not ours:
            return False
        self.log.append(str(command))
        assert action is not None
        with listening(self.heard):
            try:
                done = self.rules.apply(self.now, decision, action)
            except IllegalActionError as error:
                raise Difference(f"legal and yet refused: {command}: {error}") from None
        self.now, self.twin.ways = done.state, {}
        for event in done.events:
            if isinstance(event, Moved) and event.mode in ("dash", "move"):
                self.twin.ways.setdefault(event.by, []).append([tuple(space) for space in event.path])
        steps = {"resolve": resolving.resolve, "choose": lambda fight: resolving.answer(fight, command)}
        step = steps.get(command["do"], lambda fight: planning.enter(fight, command))
        self._advance(lambda: step(self.twin))
        if command["do"] == "resolve" and self.twin.over is None:
            for side in ("heroes", "monsters"):
                self._compare_shown(side)
        return True

    # -- states

    def _compare(self) -> None:
        ours, theirs = as_builtins(dict(self.rules.summary(self.now))), self.twin.state()
        for name, who in ours["creatures"].items():
            who["conditions"] = sorted(who["conditions"])
            twin = theirs["creatures"].get(name)
            if twin is None:
                raise Difference(f"the twin does not know {name}")
            if ours["over"] is not None:
                who["planned"] = twin["planned"] = False
            if twin["status"] in ("dead", "fled"):  # nothing that befell it counts any more
                who["conditions"], who["armor"] = twin["conditions"], twin["armor"]
            for word in twin:
                if who[word] != twin[word]:
                    raise Difference(f"{name}'s {word}: the rules have {who[word]}, the twin {twin[word]}")
        if ours["over"] != theirs["over"]:
            raise Difference(f"over: the rules have {ours['over']}, the twin {theirs['over']}")
        for word in ("round", "half", "acting", "floor"):
            if ours["over"] is None and ours[word] != theirs[word]:
                raise Difference(f"{word}: the rules have {ours[word]}, the twin {theirs[word]}")

    def _compare_shown(self, side: str) -> None:
        """Which foes and which things a side is shown: those on spaces that it sees, and that it makes out."""
        known, at = self.rules.observe(self.now, side), self.field.at
        beings = zip(known.setup.beings, known.figures, strict=True)
        ours = sorted(being.id for being, figure in beings if being.side != side and figure.cell >= 0)
        theirs = sorted(
            foe["id"] for foe in self.twin.of(self.twin.against(side))
            if foe["state"] != "fled" and self.twin.seen(foe)
        )  # fmt: skip
        if ours != theirs:
            raise Difference(f"{side} are shown {ours} by the rules, {theirs} by the twin\n{self.told()}")
        lying = [(each.item, at(each.cell)) for each in known.floor]
        seen = [(item, place) for item, place in self.twin.floor if self.twin.watched(side, place)]
        if lying != seen:
            raise Difference(f"{side} see {lying} by the rules, {seen} by the twin\n{self.told()}")

    def told(self) -> str:
        rows = "\n".join(f"    {row}" for row in self.record["map"]["rows"])
        rest = {word: said for word, said in self.record["map"].items() if said and word != "rows"}
        rows += f"\n    {rest}"
        crowd = "\n".join(f"    {block}" for block in self.record["creatures"])
        now = "\n".join(f"    {name}: {who}" for name, who in dict(self.rules.summary(self.now))["creatures"].items())
        last = "\n".join(f"    {line}" for line in self.log[-12:])
        options = self.record.get("options")
        return f"  map:\n{rows}\n  creatures ({options}):\n{crowd}\n  commands:\n{last}\n  now:\n{now}"


def play(record: dict[str, Any], seed: int) -> Match:
    """A whole fight by a random player: legal commands of the rules, and others made up from them."""
    rng = random.Random(seed)
    match = Match(record)
    while match.twin.over is None and match.compared < COMMANDS:
        decisions = match.rules.decisions(match.now)
        if not decisions:
            break
        side = decisions[-1].by
        if side == "gm":
            says: dict[str, Any] = {
                "do": rng.choice(["choose"] * 5 + ["end"]),
                "option": rng.choice(["arm", "leg", "head"]),
            }
            match.try_out({"by": "gm", **says})
            continue
        open_yet = [decision for decision in decisions[:-1] if not decision.answered]
        if not open_yet or rng.random() < 0.1:
            match.try_out({"by": side, "do": "resolve"})
            continue
        decision = rng.choice(open_yet if rng.random() < 0.9 else decisions[:-1])
        legal = list(match.rules.legal(match.now, decision))
        kinds = sorted({action.do for action in legal} - {"resolve"})
        if not kinds:
            match.try_out({"by": side, "do": "resolve"})
            continue
        do = rng.choices(kinds, [WEIGHTS.get(kind, 2) for kind in kinds])[0]
        command = match.command(choice([action for action in legal if action.do == do], match, rng))
        if rng.random() < 0.4:
            command = mutated(command, match, rng)
        match.try_out(command)
    return match


WEIGHTS = {
    "attack": 14,
    "cast": 8,
    "use": 6,
    "retreat": 0.5,
    "help": 8,
    "break_free": 8,
    "steady": 5,
    "light": 5,
    "search": 3,
    "tackle": 6,
    "open": 1,
    "close": 1,
    "daring": 5,
    "move": 5,
    "manoeuvre": 3,
    "clear": 0.3,
    "end": 0.5,
    "dash": 1,
    "drop": 0.5,
}


def choice(actions: list[Action], match: Match, rng: random.Random) -> Action:
    """One at random; of the movements rather one that comes near a foe, so that fights become fights."""
    picked = rng.sample(actions, min(len(actions), 4))
    if not picked[0].path:
        return picked[0]
    who = match.twin.people[picked[0].by]
    foes = [foe["at"] for foe in match.twin.standing(match.twin.against(who["side"]))]
    return min(picked, key=lambda action: min(
        max(abs(a - b) for a, b in zip(match.field.at(action.path[-1]), at, strict=True)) for at in foes
    ))  # fmt: skip


def farther(path: list[Any], match: Match, rng: random.Random) -> list[Any]:
    """A way that goes on for some spaces, over whatever can be walked on."""
    path = [tuple(space) for space in path]
    for _ in range(rng.randint(1, 6)):
        x, y = path[-1]
        around = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
        there = [space for space in around if match.twin.ground.step((x, y), space, 1)]
        path += rng.sample(there, min(1, len(there)))
    return path


def mutated(command: dict[str, Any], match: Match, rng: random.Random) -> dict[str, Any]:
    """A command that is a little different, and perhaps illegal."""
    command, names = dict(command), list(match.twin.people)
    kind = rng.randrange(5)
    if kind == 0:
        command["by"] = rng.choice(names)
    elif kind == 1 and "target" in command:
        command["target"] = rng.choice(names)
    elif kind == 2 and command.get("path"):
        path = [list(space) for space in command["path"]]
        spot = rng.randrange(len(path))
        path[spot] = [path[spot][0] + rng.randint(-1, 1), path[spot][1] + rng.randint(-1, 1)]
        command["path"] = [tuple(space) for space in path]
    elif kind == 3 and command.get("path"):
        command["path"] = farther(command["path"], match, rng)
    elif kind == 3 and "weapon" in command:
        carried = [item for who in match.twin.people.values() for item in people.carried(who)]
        command["weapon"] = rng.choice([*carried, "unarmed", "claws", "bite", "sword + dagger"])
    elif "do" in command and ("target" in command or "path" in command):
        pairs = [("move", "dash"), ("attack", "daring"), ("daring", "attack"), ("dash", "move")]
        command["do"] = dict(pairs).get(command["do"], command["do"])
    return command

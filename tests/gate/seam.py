"""The one place where the gate touches the program: all else in this folder knows plain data alone.

Whoever renames or moves something in the program mends this module, and nothing else here; what it hands out keeps
the shape and the names it has now, so that the baseline stays comparable.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from game.content import encounter
from game.content import tables as content
from game.controllers.ai import AiController
from game.maps.tiled import load_map
from rules.board.grid import Field
from rules.contract.actions import Action, Decision, pending
from rules.contract.errors import BattlematError, ThrowNeeded
from rules.contract.ruleset import LegalActions, Scenario
from rules.contract.text import as_builtins
from rules.contract.units import Cell
from rules.core import record as records
from rules.core.ground import field_of, with_doors
from rules.core.registry import RULESETS
from rules.core.registry import ruleset as ruleset_of

Data = Any
"""Plain data as JSON knows it."""
Face = int | None
ROOT = Path(__file__).resolve().parent.parent.parent
_MOST_DICE = 4000


class Refused(Exception):
    """The program refused something in its one clear line."""


class DieNeeded(Exception):
    """A person at the table is to throw a die of so many faces."""

    def __init__(self, faces: int) -> None:
        super().__init__(faces)
        self.faces = faces


def rulesets() -> tuple[str, ...]:
    """The ids of the rulesets that there are."""
    return tuple(RULESETS)


@lru_cache(maxsize=16)
def _tmx(name: str) -> Field:
    return load_map(encounter.find_map(name)).field


@lru_cache(maxsize=8)
def _tables(ruleset: str) -> Mapping[str, Any]:
    return content.tables(ruleset)


@lru_cache(maxsize=400)
def _template(ruleset: str, name: str) -> Mapping[str, Any]:
    return content.template(ruleset, name)


def warm() -> None:
    """Read all content and maps once, so that processes begun from this one needn't. No fight is begun."""
    for ruleset in RULESETS:
        _tables(ruleset)
        for name in (*content.heroes(ruleset), *content.monsters(ruleset)):
            _template(ruleset, name)
    for path in (ROOT / "maps").glob("*.tmx"):
        _tmx(path.stem)


def _ground(source: Any) -> Field:
    if source.tmx is None:
        return field_of(source)
    fresh = msgspec.structs.replace(_tmx(Path(source.tmx).stem))  # with nothing remembered of an earlier fight
    return with_doors(fresh, source)


class Table:
    """A fight at hand. Creatures, spaces and commands go in and out as a record has them."""

    def __init__(self, document: Data, throws: Sequence[Face] | None = None) -> None:
        """The fight's start, commands aside. With `throws` a die beyond them raises DieNeeded.

        Raises Refused for a record that can't be begun.
        """
        try:
            record = records.begun(records.read(document))
            self.rules = ruleset_of(record.ruleset)
            self.field = _ground(record.map)
            scenario = self._scenario(record)
            if throws is not None:
                options = {**scenario.options, "strict_throws": True}
                scenario = msgspec.structs.replace(scenario, throws=tuple(throws), options=options)
            step = self.rules.start(scenario)
        except ThrowNeeded as needed:
            raise DieNeeded(needed.faces) from None
        except BattlematError as error:
            raise Refused(str(error)) from None
        self.state = step.state
        self._events = step.events

    def _scenario(self, record: records.Record) -> Scenario:
        name = record.ruleset
        return records.scenario(record, self.field, lambda template: _template(name, template), _tables(name))

    # -- what is asked, and what may be done

    def decisions(self) -> list[dict[str, Any]]:
        """The open decisions, in the ruleset's order."""
        return [
            {"by": d.by, "side": d.side, "kind": d.kind, "sealed": d.sealed, "answered": d.answered}
            for d in self.rules.decisions(self.state)
        ]

    def pending(self) -> str:
        """Who is to be asked next."""
        found = pending(self.rules.decisions(self.state))
        assert found is not None
        return found.by

    def prompts(self) -> list[str]:
        """How the open decisions are put into words."""
        return [d.prompt for d in self.rules.decisions(self.state)]

    def legal(self, by: str) -> Legal:
        """What may be done at somebody's decision."""
        decision = self._decision(by)
        return Legal(self.field, self.rules.legal(self.state, decision))

    def _decision(self, by: str) -> Decision:
        found = records.decision_for(self.rules, self.state, Action(by, ""))
        assert found is not None
        return found

    def action(self, command: Data) -> Action:
        """A record's command as the program has it. Raises Refused."""
        try:
            return records.action_of(records.Command.model_validate(command), self.field, 0)
        except BattlematError as error:
            raise Refused(str(error)) from None

    def refusal(self, command: Data) -> str | None:
        """Why a command may not be given now, or None."""
        try:
            action = self.action(command)
        except Refused as refused:
            return str(refused)
        return self.rules.legal(self.state, self._decision(action.by)).refusal(action)

    def apply(self, action: Action, throws: Sequence[Face] | None = None) -> None:
        """Do it. With `throws` (those of the whole fight) a die beyond them raises DieNeeded. Raises Refused."""
        state = self.state
        if throws is not None:
            state = self.rules.with_throws(state, tuple(throws), True)
        try:
            step = self.rules.apply(state, self._decision(action.by), action)
        except ThrowNeeded as needed:
            raise DieNeeded(needed.faces) from None
        except BattlematError as error:
            raise Refused(str(error)) from None
        self.state = step.state
        self._events = step.events

    def computer(self, player: AiController, by: str) -> Action:
        """What the computer does at somebody's decision."""
        decision = self._decision(by)
        known = self.rules.observe(self.state, decision.side)
        return player.choose(self.rules, known, decision, self.rules.legal(self.state, decision))

    # -- what came of it, and how it stands

    def events(self) -> list[Data]:
        """What the latest step led to, as `battlemat replay --events` prints it."""
        return [as_builtins(event) for event in self._events]

    def told(self) -> list[str]:
        """The same in words."""
        return [self.rules.tell(self.state, event) for event in self._events]

    def summary(self) -> Data:
        """The state as `battlemat replay --state` prints it."""
        return self.rules.summary(self.state)

    def board(self) -> Data:
        return _baselined(as_builtins(self.rules.board(self.state)))

    def sheet(self, creature: str) -> Data:
        sheet = as_builtins(self.rules.sheet(self.state, creature))
        for line in sheet["lines"]:
            line.pop("trait", None)  # which the baseline's sheets did not say
        return sheet

    def creatures(self) -> list[tuple[str, str, tuple[int, int], bool]]:
        """Everybody on the board: id, side, where, and whether it can still take part."""
        board = self.rules.board(self.state)
        return [(m.id, m.side, self.field.at(m.cell), not m.out) for m in board.miniatures]

    def odds(self, action: Action) -> Data:
        """The exact odds of an action and the spaces it works on; None for one without dice."""
        odds = self.rules.odds(self.state, action)
        found = None if odds is None else as_builtins(odds)
        return {"odds": found, "area": hex(self.rules.area(self.state, action))}

    def described(self, action: Action) -> Data:
        return _baselined(as_builtins(self.rules.describe(self.state, action)))

    def known(self, side: str) -> Data:
        """What a side knows: its view of the state, in figures and as a board, and the spaces that it sees."""
        seen = self.rules.observe(self.state, side)
        return {
            "side": side,
            "state": self.rules.summary(seen),
            "board": _baselined(as_builtins(self.rules.board(seen))),
            "sees": hex(self.rules.sees(self.state, side)),
        }


class Legal:
    """What may be done at a decision."""

    def __init__(self, field: Field, legal: LegalActions) -> None:
        self._field = field
        self._legal = legal
        self.kinds: dict[str, list[Action]] = {}
        """Its actions by their word."""
        self.ways: set[str] = set()
        """Those of the words that lead somewhere."""
        for action in legal:
            self.kinds.setdefault(action.do, []).append(action)
            if action.path:
                self.ways.add(action.do)

    def commands(self, do: str) -> list[tuple[str, Action]]:
        """Those of a kind with their commands as canonical JSON, in the order of that."""
        found = [(canonical(command(action, self._field)), action) for action in self.kinds[do]]
        return sorted(found, key=lambda pair: pair[0])

    def offers(self) -> Data:
        """The buttons: what they say, and why some can't be pressed."""

        def plain(offers: Any) -> Data:
            return [
                [o.do, _baselined(as_builtins(o.description)), len(o.actions), o.refused, o.weapon, plain(o.inside)]
                for o in offers
            ]  # fmt: skip

        return plain(self._legal.offers())


def command(action: Action, field: Field) -> Data:
    """An action as a record's command (`rules.core.record.command_of`, which a test compares; this one is quick)."""
    found = as_builtins(action)
    if action.path:
        found["path"] = [list(field.at(cell)) for cell in action.path]
    if action.at is not None:
        found["at"] = list(field.at(action.at))
    return found


LATER = ("goals", "final", "due")
"""Fields of a board or a button that the baseline's did not have."""


def _baselined(shown: Data) -> Data:
    """A board or a button without the later fields that say nothing, and without what marks on the ground say since."""
    for mark in shown.get("ground", ()):
        mark.pop("locked", None)
    return {name: value for name, value in shown.items() if name not in LATER or value}


def canonical(data: Data) -> str:
    """The one JSON text of some data."""
    return json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def parsed(text: str) -> Data:
    """Plain data out of its JSON text."""
    return json.loads(text)


def computer(temper: str | None) -> AiController:
    """A computer player of a temper; None: each creature as its stat block says."""
    return AiController(temper)


# -- records of the repository


def _own_maps(path: Path, name: str) -> list[Path]:
    """Maps of a name that lie beside a record, or in a folder for maps beside its folder."""
    beside = [path.parent / name, *sorted((path.parent.parent / "maps").rglob(name))]
    return [each for each in beside if each.is_file() and each.is_relative_to(ROOT / "tests")]


def replayed(path: Path) -> Any:
    """A record's fight step by step: (command's number, events, told, summary). Raises Refused as far as it comes."""
    document = json.loads(path.read_text(encoding="utf-8"))
    document = document.get("record", document)
    try:
        record = records.read(document)
        rules = ruleset_of(record.ruleset)
        own = [] if record.map.tmx is None else _own_maps(path, f"{Path(record.map.tmx).stem}.tmx")
        field = with_doors(load_map(own[0]).field, record.map) if own else _ground(record.map)
        start = records.scenario(record, field, lambda t: _template(rules.id, t), _tables(rules.id))
        for stretch in records.replay(record, rules, start):
            state = stretch.step.state
            told = [rules.tell(state, event) for event in stretch.step.events]
            events = [as_builtins(event) for event in stretch.step.events]
            yield stretch.number, events, told, rules.summary(state)
    except BattlematError as error:
        raise Refused(str(error)) from None


# -- what there is to draw from (only for tests.gate.pools, when the baseline is begun anew)


def content_of(ruleset: str) -> Data:
    """Everything that a fight may be drawn from, as plain data."""
    rules = ruleset_of(ruleset)
    return {
        "switches": {switch.name: switch.default for switch in rules.switches},
        "calls": {c.do: {"words": list(c.words), "rated": c.rated, "opposed": c.opposed} for c in rules.calls},
        "heroes": content.heroes(ruleset),
        "monsters": content.monsters(ruleset),
        "tables": content.tables(ruleset),
    }


def maps() -> Data:
    """The maps that come with the game: where one may stand (`.`), doors, keys, and where there is something to do."""
    found = {}
    for path in sorted((ROOT / "maps").glob("*.tmx")):
        field = _tmx(path.stem)
        fit = field.terrain().fits
        rows = [
            "".join("." if fit(Cell(y * field.width + x), 1) else "#" for x in range(field.width))
            for y in range(field.height)
        ]
        places = [field.at(door.cell) for door in field.doors]
        places += [field.at(challenge.cells[0]) for challenge in field.challenges if challenge.cells]
        keys = sorted({door.key for door in field.doors if door.key})
        doors = [door.id for door in field.doors]
        found[path.name] = {"rows": rows, "doors": doors, "keys": keys, "places": places}
    return found

"""The smallest ruleset that keeps the whole contract: in turn, walk four spaces, then hit a neighbour on 4+ of a d6.

docs/rulesets.md explains it part by part; tests/rules/test_conformance.py holds it to what every ruleset is held to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from pydantic import BaseModel, ConfigDict, Field

from rules.board.grid import Terrain
from rules.board.light import Lamp
from rules.board.path import Reach, path_cost, path_fault, reach
from rules.board.sight import visible
from rules.contract.actions import Action, Decision, Description, Offer
from rules.contract.display import Bar, Board, Miniature, Sheet, Turn
from rules.contract.errors import BattlematError, IllegalActionError, RecordError
from rules.contract.events import Attack, Began, Condition, Event, Moved, Over
from rules.contract.ruleset import LegalActions, Odds, Step, Switch
from rules.contract.scenario import Scenario
from rules.contract.tools import Answer
from rules.core import dice as rng
from rules.core.dice import Dice, roll
from rules.core.visibility import Witnesses, witnessed

PACE, HIT = 4, 4
"""Spaces of a walk; the face from which a blow lands."""
LONGEST = 100
"""Rounds after which nobody wins."""


# -- what does not change, and what does ------------------------------------------------------------------


class StatBlock(BaseModel):
    """A creature, as records and content name it."""

    model_config = ConfigDict(extra="forbid")
    id: str
    name: str = ""
    side: str
    at: tuple[int, int]
    template: str = ""
    controller: str = "ai"
    stamina: int = Field(3, ge=1, le=20)


class State(msgspec.Struct, frozen=True):
    """A fight at one moment. Everything about the dice to come is two numbers."""

    blocks: tuple[StatBlock, ...]
    terrain: Terrain
    cells: tuple[int, ...]
    """Where each stands; −1 = out of sight of whoever observes."""
    stamina: tuple[int, ...]
    rng: int | None
    throw_at: int = 0
    throws: tuple[int | None, ...] | None = None
    strict: bool = True
    fog: bool = False
    turn: int = 0
    """Number of whose turn it is."""
    walked: bool = False
    round: int = 1
    winner: str | None = None

    def who(self, name: str | None) -> int:
        return next((i for i, block in enumerate(self.blocks) if block.id == name), -1)

    def up(self, i: int) -> bool:
        return self.stamina[i] > 0

    def board(self, only: Any = None) -> int:
        """Bitboard of the spaces of those who are up (and of whom `only` is true)."""
        return sum(1 << c for i, c in enumerate(self.cells) if self.up(i) and c >= 0 and (not only or only(i)))


def replaced(values: tuple[int, ...], i: int, value: int) -> tuple[int, ...]:
    return (*values[:i], value, *values[i + 1 :])


# -- what is legal ----------------------------------------------------------------------------------------


class Legal:
    """The one source of legality: what it lists, what it contains and what it refuses are the same."""

    def __init__(self, state: State, decision: Decision) -> None:
        self.state, self.by, self.me = state, decision.by, state.turn

    def _ways(self) -> Reach:
        state = self.state
        others = state.board(lambda i: i != self.me)
        return reach(state.terrain, state.cells[self.me], 0 if state.walked else PACE, blocked=others)

    def _foes(self) -> list[str]:
        state, here = self.state, self.state.cells[self.me]
        return [
            block.id
            for i, block in enumerate(state.blocks)
            if block.side != state.blocks[self.me].side
            and state.up(i)
            and state.cells[i] >= 0
            and state.terrain.distance(here, state.cells[i]) == 1
        ]

    def moves(self, do: str) -> Mapping[int, Action]:
        if do != "move":
            return {}
        return {path[-1]: Action(self.by, "move", path=path) for path in self._ways().paths()}

    def __iter__(self) -> Iterator[Action]:
        yield from self.moves("move").values()
        yield from (Action(self.by, "attack", target=foe) for foe in self._foes())
        yield Action(self.by, "end")

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self.refusal(action) is None

    def refusal(self, action: Action) -> str | None:
        state = self.state
        if action.by != self.by:
            return f"by: it is {self.by}'s turn, not {action.by}'s"
        if action.do == "end":
            return None
        if action.do == "attack":
            return None if action.target in self._foes() else "target: needs a foe on a neighbouring space"
        if action.do != "move":
            return f"do: {action.do!r} is none of move, attack, end"
        if state.walked:
            return "move: it has walked in this turn"
        fault = path_fault(state.terrain, state.cells[self.me], action.path)
        if not action.path or fault:
            return f"move: {fault or 'a path is needed'}"
        if state.board(lambda i: i != self.me) & sum({1 << cell for cell in action.path}):
            return "move: somebody stands in the way"
        cost = path_cost(state.terrain, state.cells[self.me], action.path)
        return None if cost <= PACE else f"move: {cost} spaces; {PACE} are the most"

    def offers(self) -> tuple[Offer, ...]:
        ways, blows = tuple(self.moves("move").values()), tuple(a for a in self if a.do == "attack")
        return tuple(
            Offer(do, described(do), actions, None if actions else why)
            for do, actions, why in (
                ("move", ways, "no space is free, or it has walked"),
                ("attack", blows, "no foe on a neighbouring space"),
                ("end", (Action(self.by, "end"),), ""),
            )
        )


def described(do: str) -> Description:
    return {
        "move": Description("Walk", "Move", "4 spaces", needs="path", icon="step", key="1"),
        "attack": Description("Hit", "Act", "ends the turn", needs="creature", icon="attack", key="2"),
    }.get(do, Description("End", "End", "the turn", icon="end"))


# -- the contract -----------------------------------------------------------------------------------------


class Example:
    """The ruleset `example`."""

    id = "example"
    title = "Example"
    stat_block = StatBlock
    switches = (Switch("fog", "Fog of war", "Each side sees only what its own creatures see."),)

    tools = ()

    def use_tool(self, tool: str, option: str, dice: Dice, content: Mapping[str, Any]) -> Answer:
        raise BattlematError(f"tool: there is no {tool!r}")

    def start(self, scenario: Scenario) -> Step:
        blocks = tuple(StatBlock.model_validate(raw) for raw in scenario.creatures)
        terrain = scenario.field.terrain()
        cells = tuple(scenario.field.cell(*block.at) for block in blocks)
        if len(set(cells)) < len(cells) or not all(terrain.fits(cell) for cell in cells):
            raise RecordError("creatures: each needs a free space of its own")
        state = State(
            blocks, terrain, cells, tuple(b.stamina for b in blocks), rng.seeded(scenario.seed),
            throws=scenario.throws, fog=bool(scenario.options.get("fog")),
        )  # fmt: skip
        return Step(state, (Began(what="fight"), Began(what="turn", number=1)))

    def decisions(self, state: State) -> tuple[Decision, ...]:
        block = state.blocks[state.turn]
        return () if state.winner is not None else (Decision(block.id, block.side, "chance", block.name),)

    def legal(self, state: State, decision: Decision) -> LegalActions:
        return Legal(state, decision)

    def apply(self, state: State, decision: Decision, action: Action) -> Step:
        if reason := Legal(state, decision).refusal(action):
            raise IllegalActionError(reason)
        events: list[Event] = []
        after, me, at = state, state.turn, state.terrain.field.at
        if action.do == "move":
            path = tuple(at(cell) for cell in action.path)
            events.append(Moved(by=action.by, mode="walk", start=at(state.cells[me]), path=path))
            cells = replaced(state.cells, me, action.path[-1])
            after = msgspec.structs.replace(state, cells=cells, walked=True)
        elif action.do == "attack":
            after = self._blow(state, action, events)
        if action.do != "move":
            after = self._next(after, events)
        return Step(after, self._told(state, after, events))

    def _blow(self, state: State, action: Action, events: list[Event]) -> State:
        dice = Dice(state.rng, state.throws, state.throw_at, strict=state.strict)
        dice.thrower = action.by
        thrown, foe = roll(dice, "hit", 1, 6, exploding=False), state.who(action.target)
        harm = int(thrown.total >= HIT)
        events.append(
            Attack(by=action.by, target=action.target or "", weapon="fist", attack=thrown.total, defense=HIT,
                   margin=thrown.total - HIT, outcome="hit" if harm else "miss", damage=harm, adjustments=(),
                   rolls=(thrown,))
        )  # fmt: skip
        stamina = replaced(state.stamina, foe, state.stamina[foe] - harm)
        if stamina[foe] == 0:
            events.append(Condition(target=action.target or "", condition="dead", gained=True))
        return msgspec.structs.replace(state, stamina=stamina, rng=dice.rng, throw_at=dice.at)

    def _next(self, state: State, events: list[Event]) -> State:
        sides = dict.fromkeys(block.side for i, block in enumerate(state.blocks) if state.up(i))
        number, turn = state.round, state.turn
        while True:
            turn = (turn + 1) % len(state.blocks)
            number += turn == 0
            if state.up(turn):
                break
        if len(sides) == 1 or number > LONGEST:
            winner = next(iter(sides)) if len(sides) == 1 else ""
            events.append(Over(winner=winner))
            return msgspec.structs.replace(state, winner=winner)
        if number > state.round:
            events.append(Began(what="turn", number=number))
        return msgspec.structs.replace(state, turn=turn, round=number, walked=False)

    def _told(self, before: State, after: State, events: list[Event]) -> tuple[Event, ...]:
        if not after.fog:
            return tuple(events)
        sides = {block.id: block.side for block in after.blocks}
        views = {side: self.sees(before, side) | self.sees(after, side) for side in dict.fromkeys(sides.values())}

        def spots(name: str) -> int:
            return 1 << before.cells[before.who(name)] | 1 << after.cells[after.who(name)]

        return witnessed(Witnesses(after.terrain, views, sides, spots, lambda name: 1), events)

    def reseeded(self, state: State, seed: int) -> State:
        return msgspec.structs.replace(state, rng=rng.seeded(seed), throws=None)

    def thrown(self, state: State) -> int:
        return state.throw_at

    def with_throws(self, state: State, throws: tuple[int | None, ...], strict: bool) -> State:
        return msgspec.structs.replace(state, throws=throws, strict=strict)

    # -- who knows what

    def sees(self, state: State, side: str) -> int:
        seen = 0
        for i, block in enumerate(state.blocks):
            if block.side == side and state.up(i) and state.cells[i] >= 0:
                seen |= visible(state.terrain, state.cells[i], 1) | 1 << state.cells[i]
        return seen

    def observe(self, state: State, *sides: str) -> State:
        seen = 0
        for side in sides:
            seen |= self.sees(state, side)
        cells = tuple(
            cell if block.side in sides or (cell >= 0 and seen >> cell & 1) else -1
            for cell, block in zip(state.cells, state.blocks, strict=True)
        )
        return msgspec.structs.replace(state, cells=cells, rng=None, throws=None)

    def lamps(self, state: State) -> tuple[Lamp, ...]:
        return ()

    def doors(self, state: State) -> tuple[str, ...]:
        return ()

    # -- what windows show

    def odds(self, state: State, action: Action) -> Odds | None:
        if action.do != "attack":
            return None
        hit = (7 - HIT) / 6
        drop = hit if state.stamina[state.who(action.target)] == 1 else 0.0
        outcomes = (("hit", hit), ("miss", 1 - hit))
        return Odds(hit, outcomes, ((0, 1 - hit), (1, hit)), hit, drop, attack_dice="1d6")

    def area(self, state: State, action: Action) -> int:
        return 0

    def describe(self, state: State, action: Action) -> Description:
        return described(action.do)

    def board(self, state: State) -> Board:
        minis = tuple(
            Miniature(
                block.id, block.name, block.side, cell, block.template,
                health=Bar("Stamina", left, block.stamina), status="healthy" if left else "dead",
                active=state.winner is None and i == state.turn, out=not left, dead=not left,
            )
            for i, (block, cell, left) in enumerate(zip(state.blocks, state.cells, state.stamina, strict=True))
            if cell >= 0
        )  # fmt: skip
        order = tuple(Turn(block.id, active=i == state.turn) for i, block in enumerate(state.blocks) if state.up(i))
        doors = tuple(door.state for door in state.terrain.field.doors)
        return Board(minis, order, f"Round {state.round}", doors, over=state.winner)

    def sheet(self, state: State, creature: str) -> Sheet:
        i = state.who(creature)
        block = state.blocks[i]
        bar = Bar("Stamina", state.stamina[i], block.stamina)
        return Sheet(block.id, block.name, block.side, block.template, block.side, bars=(bar,))

    def terrain(self, state: State) -> Terrain:
        return state.terrain

    def tell(self, state: State, event: Event) -> str:
        names = {block.id: block.name for block in state.blocks}
        if isinstance(event, Attack):
            return f"{names[event.by]} {'hits' if event.damage else 'misses'} {names[event.target]}."
        return f"{names[event.by]} walks." if isinstance(event, Moved) else ""

    def summary(self, state: State) -> Mapping[str, Any]:
        creatures = {
            block.id: {"stamina": state.stamina[i], "at": state.cells[i]} for i, block in enumerate(state.blocks)
        }
        return {"round": state.round, "over": state.winner, "creatures": creatures}

    def term(self, word: str) -> tuple[str, str] | None:
        return ("What keeps one on one's feet.", "example") if word.lower() == "stamina" else None

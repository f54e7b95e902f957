"""The smallest ruleset that keeps the whole contract: in turn, walk four spaces, then hit a neighbour on 4+ of a d6.

docs/rulesets.md explains it part by part; tests/rules/test_conformance.py holds it to what every ruleset is held to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec
from pydantic import Field

from rules.board.bitboard import board_of
from rules.board.grid import Terrain
from rules.board.path import path_cost, path_fault, reach
from rules.contract.actions import Action, Decision
from rules.contract.display import Bar, Board, Miniature, Sheet, Turn
from rules.contract.errors import RecordError
from rules.contract.events import Attack, Began, Condition, Event, Moved, Over
from rules.contract.ruleset import Odds, Scenario, Step, Switch
from rules.contract.units import Bitboard, Cell, CreatureIx, numbered
from rules.core import dice
from rules.core.action_kinds import ActionKind, Face
from rules.core.base_ruleset import Resolution, Small
from rules.core.validate import CreatureModel

PACE, HIT, LONGEST = 4, 4, 100
"""Spaces of a walk; the face from which a blow lands; rounds after which nobody wins."""


class StatBlock(CreatureModel):
    """A creature, as records and content name it."""

    space: Literal[1] = 1
    stamina: int = Field(3, ge=1, le=20)


class Figure(msgspec.Struct, frozen=True):
    """What changes about a creature: where it stands (−1 = out of sight of whoever observes), what it has left."""

    cell: Cell
    stamina: int


class State(msgspec.Struct, frozen=True):
    """A fight at one moment. Everything about the dice to come is in `rng`, `throws` and `throw_at`."""

    blocks: tuple[StatBlock, ...]
    figures: tuple[Figure, ...]
    terrain: Terrain
    rng: int | None
    throws: tuple[int | None, ...] | None = None
    fog: bool = False
    throw_at: int = 0
    strict: bool = True
    turn: CreatureIx = CreatureIx(0)
    walked: bool = False
    round: int = 1
    winner: str | None = None

    @property
    def actor(self) -> str:
        return self.blocks[self.turn].id

    def who(self, name: str | None) -> CreatureIx:
        return next(i for i, block in numbered(self.blocks) if block.id == name)

    def up(self) -> list[CreatureIx]:
        return [i for i, figure in numbered(self.figures) if figure.stamina > 0 and figure.cell >= 0]

    def others(self) -> Bitboard:
        return board_of(self.figures[i].cell for i in self.up() if i != self.turn)

    def changed(self, who: CreatureIx, **changes: int) -> State:
        figure = msgspec.structs.replace(self.figures[who], **changes)
        return msgspec.structs.replace(self, figures=(*self.figures[:who], figure, *self.figures[who + 1 :]))


class Walk(ActionKind[State]):
    do, face = "move", Face("Walk", "Move", "4 spaces", "path", icon="step", key="1")

    def why_not(self, context: State) -> str | None:
        return "move: it has walked in this turn" if context.walked else None

    def why_not_this(self, context: State, action: Action) -> str | None:
        here = context.figures[context.turn].cell
        if not action.path or (fault := path_fault(context.terrain, here, action.path)):
            return f"move: {fault if action.path else 'a path is needed'}"
        if context.others() & board_of(action.path):
            return "move: somebody stands in the way"
        return None if path_cost(context.terrain, here, action.path) <= PACE else f"move: {PACE} spaces are the most"

    def candidates(self, context: State) -> Iterator[Action]:
        here = context.figures[context.turn].cell
        for path in reach(context.terrain, here, PACE, blocked=context.others()).paths():
            yield Action(context.actor, self.do, path=path)

    def resolve(self, resolution: Resolution[State], who: CreatureIx, action: Action) -> None:
        state, at = resolution.state, resolution.state.terrain.field.at
        path = tuple(at(cell) for cell in action.path)
        resolution.events.append(Moved(by=action.by, mode="walk", start=at(state.figures[who].cell), path=path))
        resolution.state = msgspec.structs.replace(state.changed(who, cell=action.path[-1]), walked=True)


class End(ActionKind[State]):
    do, face = "end", Face("End", "End", "the turn", "none", icon="end", key="")

    def resolve(self, resolution: Resolution[State], who: CreatureIx, action: Action) -> None:
        state, up = resolution.state, resolution.state.up()
        sides, turn = {state.blocks[i].side for i in up}, next((i for i in up if i > who), up[0])
        number = state.round + (turn <= who)
        if len(sides) == 1 or number > LONGEST:
            state = msgspec.structs.replace(state, winner=sides.pop() if len(sides) == 1 else "")
            resolution.events.append(Over(winner=state.winner or ""))
        elif number > state.round:
            resolution.events.append(Began(what="turn", number=number))
        resolution.state = msgspec.structs.replace(state, turn=turn, round=number, walked=False)


class Hit(End):
    do, face = "attack", Face("Hit", "Act", "ends the turn", "creature", icon="attack", key="2")

    def why_not_this(self, context: State, action: Action) -> str | None:
        foes = {candidate.target for candidate in self.candidates(context)}
        return None if action.target in foes else "target: needs a foe on a neighbouring space"

    def candidates(self, context: State) -> Iterator[Action]:
        side, here = context.blocks[context.turn].side, context.figures[context.turn].cell
        for i in context.up():
            if context.blocks[i].side != side and context.terrain.distance(here, context.figures[i].cell) == 1:
                yield Action(context.actor, self.do, target=context.blocks[i].id)

    def odds(self, context: State, action: Action) -> Odds:
        hit = (7 - HIT) / 6
        drop = hit if context.figures[context.who(action.target)].stamina == 1 else 0.0
        return Odds(hit, (("hit", hit), ("miss", 1 - hit)), ((0, 1 - hit), (1, hit)), hit, drop, attack_dice="1d6")

    def resolve(self, resolution: Resolution[State], who: CreatureIx, action: Action) -> None:
        state, target = resolution.state, action.target or ""
        hand = dice.Dice(state.rng, state.throws, state.throw_at, strict=state.strict)
        hand.thrower = action.by
        thrown, foe = dice.roll(hand, "hit", 1, 6, exploding=False), state.who(target)
        total, harm = thrown.total, int(thrown.total >= HIT)
        resolution.events.append(
            Attack(by=action.by, target=target, weapon="fist", attack=total, defense=HIT, margin=total - HIT,
                   outcome="hit" if harm else "miss", damage=harm, adjustments=(), rolls=(thrown,))
        )  # fmt: skip
        state = state.changed(foe, stamina=state.figures[foe].stamina - harm)
        if not state.figures[foe].stamina:
            resolution.events.append(Condition(target=target, condition="dead", gained=True))
        resolution.state = msgspec.structs.replace(state, rng=hand.rng, throw_at=hand.at)
        super().resolve(resolution, who, action)


class Example(Small[State]):
    id, title, stat_block = "example", "Example", StatBlock
    kinds = {kind.do: kind for kind in (Walk(), Hit(), End())}
    switches = (Switch("fog", "Fog of war", "Each side sees only what its own creatures see."),)

    def start(self, scenario: Scenario) -> Step:
        blocks = tuple(StatBlock.model_validate(raw) for raw in scenario.creatures)
        terrain, fog = scenario.field.terrain(), bool(scenario.options.get("fog"))
        figures = tuple(Figure(scenario.field.cell(*block.at), block.stamina) for block in blocks)
        if len({f.cell for f in figures}) < len(figures) or not all(terrain.fits(f.cell) for f in figures):
            raise RecordError("creatures: each needs a free space of its own")
        state = State(blocks, figures, terrain, dice.seeded(scenario.seed), scenario.throws, fog=fog)
        return Step(state, (Began(what="fight"), Began(what="turn", number=1)))

    def decisions(self, state: State) -> tuple[Decision, ...]:
        block = state.blocks[state.turn]
        return () if state.winner is not None else (Decision(block.id, block.side, "chance", block.id),)

    def board(self, state: State) -> Board:
        minis = tuple(
            Miniature(
                block.id, block.name or block.id, block.side, figure.cell, block.figure_art,
                health=Bar("Stamina", figure.stamina, block.stamina), status="healthy" if figure.stamina else "dead",
                active=state.winner is None and i == state.turn, out=not figure.stamina, dead=not figure.stamina,
            )
            for i, (block, figure) in enumerate(zip(state.blocks, state.figures, strict=True)) if figure.cell >= 0
        )  # fmt: skip
        order = tuple(Turn(state.blocks[i].id, active=i == state.turn) for i in state.up())
        return Board(minis, order, f"Round {state.round}", self.doors(state), over=state.winner)

    def sheet(self, state: State, creature: str) -> Sheet:
        mini = next(mini for mini in self.board(state).miniatures if mini.id == creature)
        return Sheet(mini.id, mini.name, mini.side, mini.art, mini.side, bars=(mini.health,))

    def tell(self, state: State, event: Event) -> str:
        if isinstance(event, Attack):
            return f"{event.by} strikes at {event.target}: {event.outcome}."
        return f"{event.by} walks." if isinstance(event, Moved) else ""

    def summary(self, state: State) -> Mapping[str, Any]:
        left = {block.id: figure.stamina for block, figure in zip(state.blocks, state.figures, strict=True)}
        return {"round": state.round, "over": state.winner, "creatures": left}

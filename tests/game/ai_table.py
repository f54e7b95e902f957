"""Small fights for the computer to play: rows of symbols, stat blocks by template."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from game.content.tables import heroes, merge, monsters, tables
from game.controllers import Controller
from game.controllers.ai.advisors.planning import Measure
from game.fight.match import Match
from rules.board.bitboard import first_of
from rules.board.grid import Field
from rules.contract.actions import Action, Decision
from rules.contract.ruleset import Scenario
from rules.contract.units import Bitboard
from rules.olde.ruleset import Olde

RULES = Olde()


def piece(template: str, at: tuple[int, int], side: str, id: str = "", **more: Any) -> Mapping[str, Any]:
    """A creature of the content, placed."""
    book = heroes("olde") if template in heroes("olde") else monsters("olde")
    return merge(book[template], {"id": id or template, "side": side, "at": list(at), **more})


def fight(rows: str | Field, *creatures: Mapping[str, Any], seed: int = 1, **options: bool) -> Any:
    """The first state in which somebody decides."""
    field = rows if isinstance(rows, Field) else Field.from_rows(rows.split())
    return RULES.start(Scenario("olde", field, creatures, seed, None, options, tables("olde"))).state


def turn_to(state: Any, who: str, points: int = 6, **figure: Any) -> Any:
    """The same state with `who` at the beginning of its chance, with these action points."""
    number = state.setup.index[who]
    figures = list(state.figures)
    changes: dict[str, Any] = {
        "ap": points,
        "ap_start": points,
        "free": state.setup.fighters[number].allowance,
        **figure,
    }
    figures[number] = msgspec.structs.replace(figures[number], **changes)
    chance = msgspec.structs.replace(state.chance, who=number, spent=0, freed=False, moved=False, acted=False)
    return msgspec.structs.replace(state, figures=tuple(figures), chance=chance)


def change(state: Any, who: str, **figure: Any) -> Any:
    """The same state with some of a figure's fields changed."""
    number = state.setup.index[who]
    figures = list(state.figures)
    figures[number] = msgspec.structs.replace(figures[number], **figure)
    return msgspec.structs.replace(state, figures=tuple(figures))


def asked(state: Any) -> tuple[Any, Decision, Any]:
    """(what the side knows, the open decision, its legal actions)."""
    decision = RULES.decisions(state)[0]
    return RULES.observe(state, decision.side), decision, RULES.legal(state, decision)


def play_chance(state: Any, player: Controller) -> tuple[Any, list[Action]]:
    """Let one creature play its chance to the end; the state after and what it did."""
    did: list[Action] = []
    by = asked(state)[1].by
    while RULES.decisions(state):
        known, decision, legal = asked(state)
        if decision.by != by:
            break
        action = player.choose(RULES, known, decision, legal)
        assert action in legal
        did.append(action)
        state = RULES.apply(state, decision, action).state
        if action.do == "end":
            break
    return state, did


def play_out(state: Any, players: Mapping[str, Controller], turns: int = 60) -> tuple[Any, int]:
    """The fight to its end or to a turn; the last state and the number of actions. Every action must be legal."""
    count = 0
    while RULES.decisions(state) and state.turn <= turns:
        known, decision, legal = asked(state)
        action = players[decision.side].choose(RULES, known, decision, legal)
        assert action in legal, legal.refusal(action)
        state = RULES.apply(state, decision, action).state
        count += 1
    return state, count


def where(state: Any, who: str) -> tuple[int, int]:
    """Column and row of a creature."""
    return state.setup.field.at(state.figures[state.setup.index[who]].cell)


def decision_of(match: Match) -> Decision:
    """What somebody is asked; there is such a question."""
    assert match.decision is not None
    return match.decision


def doable(state: Any, decision: Decision, measure: Measure) -> bool:
    """Whether what a planner is told of is legal: here, or where it says that it could be done."""
    here = state.figures[state.setup.index[decision.by]].cell
    if measure.cells and not measure.cells >> here & 1:
        taken = sum({1 << figure.cell for figure in state.figures if figure.cell >= 0})
        free = measure.cells & state.terrain.steps().fit & ~taken
        if not free:
            return True
        state = change(state, decision.by, cell=first_of(Bitboard(free)))
    return measure.action in RULES.legal(state, decision)

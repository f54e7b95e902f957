"""What is kept is what was played: the record leads to the state that is shown, and the computer's part is its own."""

from __future__ import annotations

from typing import Any

import msgspec

from game.controllers.ai.weights import NORMAL
from game.fight.advice import Counsel
from game.fight.match import Match
from game.fight.viewing import own_plans
from game.scenes.fight.scene import Fight
from rules.contract.actions import Action, Decision
from rules.contract.errors import BattlematError
from rules.core import record as records
from tests.soak.table import Table
from tests.soak.wrong import Wrong


def the_record_leads_to_what_is_shown(table: Table) -> None:
    """The record as a save has it, played again, leads to the very state and board."""
    fight = table.fight
    if fight is None:
        return
    match = fight.match
    try:
        again = Match.from_record(msgspec.json.decode(msgspec.json.encode(records.document(match.record))))
    except BattlematError as error:
        raise Wrong("the record leads to what is shown", str(error), "refused") from error
    for what, ours, theirs in (
        ("board", match.board(), again.board()),
        ("summary", match.ruleset.summary(match.state), again.ruleset.summary(again.state)),
        ("number of dice", match.ruleset.thrown(match.state), again.ruleset.thrown(again.state)),
        ("events", [str(e) for e in match.events], [str(e) for e in again.events]),
    ):
        if ours != theirs:
            raise Wrong("the record leads to what is shown", f"{what}: {_difference(ours, theirs)}", what)


def _difference(one: Any, two: Any) -> str:
    if isinstance(one, list):
        pairs = zip([*one, None], [*two, None], strict=False)
        return next((f"{a} became {b}" for a, b in pairs if a != b), "of another length")
    return f"{one} became {two}"[:600]


def the_computer_plays_the_same_whoever_looks(table: Table) -> None:
    """Each deed of the computer's is what it does at the level that was in force, where nobody looks on."""
    fight = table.fight
    if fight is None or all(moment.side for moment in fight.match.history.moments[1:]):
        return
    record = fight.match.record
    match = Match.from_record(records.begun(record).model_copy(update={"throws": record.throws}))
    counsels = dict[str, Counsel]()
    for number, command in enumerate(record.commands):
        action = records.action_of(command, match.field, number)
        decision = records.decision_for(match.ruleset, match.state, action)
        assert decision is not None
        if fight.match.history.moments[number + 1].side == "":
            level = fight.match.history.moments[number + 1].level or NORMAL
            alone = counsels.setdefault(level, Counsel(match, level)).advise(decision)
            if alone != action:
                told = f"command {number}, {level}: in the window {action}, with nobody looking on {alone}"
                raise Wrong("the computer plays the same whoever looks on", told)
        match.act(decision, action)


def sealed_orders_change_nothing(table: Table, fight: Fight) -> None:
    """A sealed order that another gives changes nothing of what is shown."""
    act = fight.match.act

    def heard(decision: Decision, action: Action, *throws: Any) -> Any:
        others = decision.sealed and decision.side not in fight.sides
        before = _figures(fight) if others else {}
        then = fight.match.board().caption
        events = act(decision, action, *throws)
        after = fight.match.decision
        still = after is not None and after.sealed and fight.match.board().caption == then
        if others and still and not events:
            for name, figure in _figures(fight).items():
                if before.get(name) != figure:
                    told = f"{action.do} of {decision.by}: {name} was {before.get(name)}, is {figure}"
                    raise Wrong("sealed orders change nothing that others see", told[:400], name.split(" of ")[0])
        return events

    fight.match.act = heard  # type: ignore[method-assign, assignment]


def _figures(fight: Fight) -> dict[str, Any]:
    """What whoever looks sees of the others and of the ground, part by part, as the window shows it."""
    board = own_plans(fight.eyes.board(), fight.sides)
    found: dict[str, Any] = {"ground": board.ground, "floor": board.floor, "doors": board.doors}
    found |= {f"slot of {slot.id}": slot for slot in board.timeline}
    for mini in board.miniatures:
        if mini.side not in fight.sides:
            for shown in (mini, fight.ruleset.sheet(fight.eyes.state(), mini.id)):
                parts = msgspec.structs.asdict(shown)
                found |= {f"{type(shown).__name__} {part} of {mini.id}": value for part, value in parts.items()}
            for part in ("active", "points"):  # that somebody is planning, and how far, is no secret
                del found[f"Miniature {part} of {mini.id}"]
    return found

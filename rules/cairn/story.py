"""Events as sentences of the story."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules import events as ev
from rules.cairn.state import CairnState

_OUTCOME = {
    "nothing": "nothing gets through",
    "scratched": "the other blow counts",
    "hit_points": "{n} Hit Protection",
    "scar": "{n}, to exactly 0 Hit Protection",
    "wounded": "{n}, drawing blood",
    "critical": "{n}, critical damage",
    "killed": "{n}, a killing blow",
}
_MOVES = {
    "move": "moves",
    "dash": "dashes",
    "pushed": "is pushed",
    "swapped": "is elsewhere",
    "teleported": "vanishes and reappears",
}
_HOW = {
    "readied": "takes the {item} in hand",
    "dropped": "drops the {item}",
    "picked_up": "picks up the {item}",
    "thrown": "throws the {item}",
    "broken": "loses the {item}: destroyed",
    "spent": "uses up the {item}",
}
_GAINED = {
    "dead": "is dead",
    "critical": "takes critical damage and can only crawl",
    "fled": "flees",
    "routed": "is routed",
    "retreated": "gets away",
    "fallen": "falls over the edge",
    "fatigue": "is more tired",
    "stable": "is stable",
}


def tell(state: CairnState, event: ev.Event) -> str:
    """One event in words; empty for what needs none."""
    teller = _TELLERS.get(type(event))
    return teller(state, event) if teller else ""


def _name(state: CairnState, creature: str | None) -> str:
    who = state.setup.index.get(creature or "")
    return state.setup.beings[who].name if who is not None else str(creature)


def _began(state: CairnState, e: ev.Began) -> str:
    return f"Round {e.number}." if e.what == "turn" else ""


def _moved(state: CairnState, e: ev.Moved) -> str:
    if not e.path:  # no more of the way was seen
        return f"{_name(state, e.by)} moves at the edge of sight."
    count = "1 space" if len(e.path) == 1 else f"{len(e.path)} spaces"
    tail = "" if e.mode in ("swapped", "teleported") else f" {count}"
    return f"{_name(state, e.by)} {_MOVES.get(e.mode, e.mode)}{tail}."


def _attack(state: CairnState, e: ev.Attack) -> str:
    dice = " + ".join(roll.dice for roll in e.rolls)
    result = _OUTCOME[e.outcome].format(n=e.damage)
    armor = f" less Armor {e.defense}" if e.defense and e.outcome != "scratched" else ""
    verb = "shoots at" if e.ranged else "strikes at"
    head = f"{_name(state, e.by)} {verb} {_name(state, e.target)} with {e.weapon}"
    return f"{head} ({dice}): {e.attack}{armor}, {result}."


def _condition(state: CairnState, e: ev.Condition) -> str:
    words = _GAINED.get(e.condition, f"is {e.condition}") if e.gained else f"is no longer {e.condition}"
    if e.condition.startswith(("scar", "−", "a head", "broken", "ruined")):
        word = f"a {e.condition}" if e.condition.startswith("broken") else e.condition
        words = f"has {word}" if e.gained else words
        if e.condition.startswith("scar ") and e.gained:
            words = f"is marked for life ({e.condition} of the table)"
    because = f" ({e.because})" if e.because and e.because not in words else ""
    return f"{_name(state, e.target)} {words}{because}."


def _check(state: CairnState, e: ev.Check) -> str:
    verdict = "passes" if e.success else "fails"
    return f"{_name(state, e.by)}, {e.what}: {e.roll.total} against {e.rating}, {verdict}."


def _item(state: CairnState, e: ev.Item) -> str:
    return f"{_name(state, e.by)} {_HOW.get(e.how, e.how + ' the {item}').format(item=e.item)}."


def _injury(state: CairnState, e: ev.Injury) -> str:
    if e.by is not None:
        return ""
    return f"{_name(state, e.target)} loses {e.amount}: {e.because}."


def _healing(state: CairnState, e: ev.Healing) -> str:
    return f"{_name(state, e.target)} regains {e.amount} {e.what.upper()}."


def _posture(state: CairnState, e: ev.Posture) -> str:
    return f"{_name(state, e.by)} {'stands up' if e.posture == 'standing' else 'lies ' + e.posture}."


def _door(state: CairnState, e: ev.Door) -> str:
    return f"{_name(state, e.by)}: the door is {e.state}." if e.by else f"The door is {e.state}."


def _note(state: CairnState, e: ev.Note) -> str:
    return f"{_name(state, e.by)}: {e.text}." if e.by else f"{e.text}."


def _cast(state: CairnState, e: ev.Cast) -> str:
    verb = "casts" if e.what == "fatigue" else "uses"
    at = f" at {_name(state, e.target)}" if e.target else ""
    tail = "" if e.success else ", and it fizzles"
    return f"{_name(state, e.by)} {verb} {e.spell}{at}{tail}."


def _zone(state: CairnState, e: ev.Zone) -> str:
    if e.kind == "snuff":
        return "Lights go out."
    return f"{e.name} on the ground." if e.gained else f"{e.name}: gone."


def _summoned(state: CairnState, e: ev.Summoned) -> str:
    return f"{e.name} appears." if e.gained else f"{e.name} is gone."


def _over(state: CairnState, e: ev.Over) -> str:
    return (
        f"The fight is over: {e.winner} win." if e.winner else "The fight is over: nobody is left standing."
    )


_TELLERS: dict[type[ev.Event], Callable[[CairnState, Any], str]] = {
    ev.Began: _began,
    ev.Moved: _moved,
    ev.Attack: _attack,
    ev.Condition: _condition,
    ev.Check: _check,
    ev.Item: _item,
    ev.Injury: _injury,
    ev.Healing: _healing,
    ev.Posture: _posture,
    ev.Door: _door,
    ev.Note: _note,
    ev.Cast: _cast,
    ev.Zone: _zone,
    ev.Summoned: _summoned,
    ev.Over: _over,
}

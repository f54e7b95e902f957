"""Events as sentences of the story."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.contract import events as ev
from rules.core.figures import plain
from rules.countup.actions.doors import LOCKS, SECRET
from rules.countup.combat.strikes import ASIDE
from rules.countup.conditions import condition_of
from rules.countup.gear import UNARMED
from rules.countup.manners import MANNERS
from rules.countup.state import CountState

_OUTCOME = {
    "critical_hit": "a critical hit for {n}",
    "hit": "a hit for {n}",
    "image": "into a copy",
    "shield_struck": "into the shield",
    "fumble": "a fumble",
    "miss": "a miss",
}
HANDS = "bare hands"
_MOVES = {
    "knocked_back": "is knocked back",
    "gives_ground": "gives ground",
    "steps_after": "steps after for",
    "tactical": "moves and fights, by",
    "halt": "comes to a halt in",
    "walk": "walks",
    "jog": "jogs",
    "run": "runs",
    "sprint": "sprints",
    "crawl": "crawls",
}
_HOW = {"broken": "sees the {item} break", "thrown": "throws the {item}"}


def tell(state: CountState, event: ev.Event) -> str:
    """One event in words; empty for what needs none."""
    teller = _TELLERS.get(type(event))
    return teller(state, event) if teller else ""


def _name(state: CountState, creature: str | None) -> str:
    who = state.setup.index.get(creature or "")
    return state.setup.beings[who].name if who is not None else str(creature)


def _began(state: CountState, e: ev.Began) -> str:
    return f"Second {e.number}." if e.what == "second" else ""


def _points(state: CountState, e: ev.Points) -> str:
    return f"{_name(state, e.by)} may act from second {e.now} on." if e.what == "initiative" else ""


def _moved(state: CountState, e: ev.Moved) -> str:
    if not e.path:  # no more of the way was seen
        return f"{_name(state, e.by)} moves at the edge of sight."
    count = "1 space" if len(e.path) == 1 else f"{len(e.path)} spaces"
    return f"{_name(state, e.by)} {_MOVES.get(e.mode, e.mode)} {count}."


def _attack(state: CountState, e: ev.Attack) -> str:
    result = _OUTCOME[e.outcome].format(n=e.damage)
    names = {
        "by": _name(state, e.by),
        "target": _name(state, e.target),
        "weapon": HANDS if e.weapon == UNARMED.name else e.weapon,
    }
    head = _manner(e).format(**names, past=_name(state, e.past))
    return f"{head}: {plain(e.attack)} against {plain(e.defense)}, {result}."


def _manner(e: ev.Attack) -> str:
    """How the story begins to tell of a blow or a shot."""
    if e.past is not None:
        return "The shot goes past {past} and on at {target}"
    return MANNERS[e.action].told


def _condition(state: CountState, e: ev.Condition) -> str:
    words = condition_of(e.condition).gained or f"is {e.condition}" if e.gained else f"is no longer {e.condition}"
    return f"{_name(state, e.target)} {words}{f' ({e.because})' if e.because else ''}."


def _check(state: CountState, e: ev.Check) -> str:
    if e.what == SECRET:
        return "" if e.success else f"{_name(state, e.by)} finds nothing hidden."
    if e.what.startswith(LOCKS):
        verdict = "the lock gives way" if e.success else "the lock holds"
        return f"{_name(state, e.by)}, {LOCKS}: {plain(e.roll.total)} against {plain(e.rating)}, {verdict}."
    verdict = "holds" if e.success else "fails"
    return f"{_name(state, e.by)}, {e.what}: {plain(e.roll.total)} against {plain(e.rating)}, {verdict}."


def _aside(state: CountState, e: ev.Contest) -> str:
    held, tried = plain(e.rolls[0].total), plain(e.rolls[1].total)
    who, foe = _name(state, e.by), _name(state, e.target)
    if e.success:
        return f"{who} knocks aside the weapon of {foe}: {tried} against {held}."
    return f"{who} does not knock aside the weapon of {foe}: {tried} against {held}."


_STEALTH = {"sneaking": "sneaks up on", "hiding": "lies in wait for"}


def _contest(state: CountState, e: ev.Contest) -> str:
    if e.what == ASIDE:
        return _aside(state, e)
    held, tried = e.rolls[-2].total, e.rolls[-1].total
    if e.what in _STEALTH:
        who, foe = _name(state, e.by), _name(state, e.target)
        return f"{who} {_STEALTH[e.what]} {foe}: {plain(held)} against {plain(tried)}, {foe} {e.note}."
    return f"{_name(state, e.by)} sets a shoulder to the door: {plain(tried)} against {plain(held)}, {e.note}."


def _challenge(state: CountState, e: ev.Challenge) -> str:
    return f"{_name(state, e.by)} finds a secret door."


def _injury(state: CountState, e: ev.Injury) -> str:
    return f"{_name(state, e.target)} loses {e.amount} ({plain(e.hp)} left)."


def _healing(state: CountState, e: ev.Healing) -> str:
    return f"{_name(state, e.target)} regains {e.amount}." if e.because else ""


def _item(state: CountState, e: ev.Item) -> str:
    return f"{_name(state, e.by)} {_HOW.get(e.how, e.how + ' the {item}').format(item=e.item)}."


def _note(state: CountState, e: ev.Note) -> str:
    return f"{_name(state, e.by)} {e.text}." if e.by else f"{e.text}."


def _cast(state: CountState, e: ev.Cast) -> str:
    if not e.success:
        return f"{_name(state, e.by)} casts {e.spell} too late for {_name(state, e.target)}."
    at = f" on {_name(state, e.target)}" if e.target and e.target != e.by else ""
    return f"{_name(state, e.by)} casts {e.spell}{at}."


def _over(state: CountState, e: ev.Over) -> str:
    return f"The fight is over: {e.winner} win." if e.winner else "The fight is over: nobody is left standing."


_TELLERS: dict[type[ev.Event], Callable[[CountState, Any], str]] = {
    ev.Began: _began,
    ev.Points: _points,
    ev.Moved: _moved,
    ev.Attack: _attack,
    ev.Condition: _condition,
    ev.Check: _check,
    ev.Contest: _contest,
    ev.Challenge: _challenge,
    ev.Injury: _injury,
    ev.Healing: _healing,
    ev.Item: _item,
    ev.Cast: _cast,
    ev.Note: _note,
    ev.Over: _over,
}

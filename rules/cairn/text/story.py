"""Events as sentences of the story.

Every sentence stands twice, for one and for many: `Ada strikes`, `Killer Bees strike`. Sentences have no full stop of
their own, so that a cause may follow in brackets.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.cairn.combat.attack import NO_HARM
from rules.cairn.conditions import Said, condition_named
from rules.cairn.state import CairnState, GroundKind
from rules.contract import events as ev
from rules.core.figures import plain

_BLOWS: dict[bool, Said] = {
    False: (
        "{by} strikes at {target} with {weapon} ({dice}): {result}",
        "{by} strike at {target} with {weapon} ({dice}): {result}",
    ),
    True: (
        "{by} shoots at {target} with {weapon} ({dice}): {result}",
        "{by} shoot at {target} with {weapon} ({dice}): {result}",
    ),
}
_MOVES: dict[str, Said] = {
    "move": ("{name} moves {way}", "{name} move {way}"),
    "dash": ("{name} dashes {way}", "{name} dash {way}"),
    "pushed": ("{name} is pushed {way}", "{name} are pushed {way}"),
    "swapped": ("{name} is elsewhere", "{name} are elsewhere"),
    "teleported": ("{name} vanishes and reappears", "{name} vanish and reappear"),
}
_HOW: dict[str, Said] = {
    "readied": ("{name} takes the {item} in hand", "{name} take the {item} in hand"),
    "dropped": ("{name} drops the {item}", "{name} drop the {item}"),
    "picked_up": ("{name} picks up the {item}", "{name} pick up the {item}"),
    "thrown": ("{name} throws the {item}", "{name} throw the {item}"),
    "broken": ("{name} loses the {item}: destroyed", "{name} lose the {item}: destroyed"),
    "spent": ("{name} uses up the {item}", "{name} use up the {item}"),
}
_MARKED: Said = ("{name} is marked for life ({scar} of the table)", "{name} are marked for life ({scar} of the table)")
_LESS: Said = ("{name} loses {what}", "{name} lose {what}")
_HURT: dict[str, Said] = {
    "hp": (
        "{name} loses {lost} Hit Protection and has {hp} left",
        "{name} lose {lost} Hit Protection and have {hp} left",
    ),
    "str": ("{name} loses {through} STR and has {left} left", "{name} lose {through} STR and have {left} left"),
    "both": (
        "{name} loses {lost} Hit Protection and {through} STR and has {left} STR left",
        "{name} lose {lost} Hit Protection and {through} STR and have {left} STR left",
    ),
}
_HEALED: Said = ("{name} regains {amount} {what} and has {now} now", "{name} regain {amount} {what} and have {now} now")
_DOORS: dict[str, Said] = {
    "open": ("{name} opens a door: {door}", "{name} open a door: {door}"),
    "closed": ("{name} closes a door: {door}", "{name} close a door: {door}"),
}
_CAST: dict[tuple[bool, bool], Said] = {
    (True, True): ("{name} casts {spell} at {target}", "{name} cast {spell} at {target}"),
    (True, False): ("{name} casts {spell}", "{name} cast {spell}"),
    (False, True): ("{name} uses {spell} at {target}", "{name} use {spell} at {target}"),
    (False, False): ("{name} uses {spell}", "{name} use {spell}"),
}
_FOUND: dict[bool, Said] = {
    True: ("{name} finds a secret door", "{name} find a secret door"),
    False: ("{name} finds a trap: {what}", "{name} find a trap: {what}"),
}
_OPENS: dict[bool, Said] = {
    True: ("{name} breaks open the {what} and finds: {inside}", "{name} break open the {what} and find: {inside}"),
    False: ("{name} breaks open the {what}", "{name} break open the {what}"),
}
_SPRINGS: Said = ("{name} springs a trap: {what}", "{name} spring a trap: {what}")
NOBODY = ("",)
"""Who sees what nobody is told of."""
_FIZZLES: Said = ("{name} casts {spell}, and it fizzles", "{name} cast {spell}, and it fizzles")


def tell(state: CairnState, event: ev.Event) -> str:
    """One event in words; empty for what needs none."""
    teller = _TELLERS.get(type(event))
    return teller(state, event) if teller else ""


def _name(state: CairnState, creature: str | None) -> str:
    who = state.setup.index.get(creature or "")
    return state.setup.beings[who].name if who is not None else str(creature)


def _say(state: CairnState, creature: str | None, said: Said, because: str = "", **fields: object) -> str:
    """The sentence in the number of its subject, with the cause behind it."""
    who = state.setup.index.get(creature or "")
    many = who is not None and state.setup.beings[who].plural
    text = said[many].format(name=_name(state, creature), **fields)
    return f"{text} ({because})." if because and because not in text else f"{text}."


def _began(state: CairnState, e: ev.Began) -> str:
    return f"Round {e.number}." if e.what == "turn" else ""


def _moved(state: CairnState, e: ev.Moved) -> str:
    if not e.path:  # no more of the way was seen
        return _say(state, e.by, ("{name} moves at the edge of sight", "{name} move at the edge of sight"))
    way = "1 space" if len(e.path) == 1 else f"{len(e.path)} spaces"
    return _say(state, e.by, _MOVES.get(e.mode, _MOVES["move"]), way=way)


def _attack(state: CairnState, e: ev.Attack) -> str:
    """The blow and its dice; what it does stands in the events of its harm, and of the save that decides it."""
    dice = " + ".join(roll.dice for roll in e.rolls)
    result = f"{e.attack} less Armor {e.defense}" if e.defense and e.outcome != "scratched" else f"{e.attack}"
    if any(note.because == NO_HARM for note in e.adjustments):
        result = f"{result}, no harm to its kind"
    elif e.outcome == "scratched":
        result = f"{result}, the other blow counts"
    elif e.outcome == "nothing":
        result = f"{result}, nothing gets through"
    return _say(
        state, e.by, _BLOWS[e.ranged], by=_name(state, e.by), target=_name(state, e.target), weapon=e.weapon,
        dice=dice, result=result,
    )  # fmt: skip


def _injury(state: CairnState, e: ev.Injury) -> str:
    """What was lost, of Hit Protection and of STR, and what is left."""
    lost, through = e.amount - e.through, e.through
    said = _HURT["hp" if not through else "both" if lost else "str"]
    cause = e.because if e.by is None or e.rolls else ""  # a blow has been told already
    return _say(state, e.target, said, cause, lost=lost, hp=e.hp, through=through, left=e.second)


def _condition(state: CairnState, e: ev.Condition) -> str:
    name = e.condition
    if name.startswith("scar "):
        return _say(state, e.target, _MARKED, e.because, scar=name)
    if name.startswith("−"):
        return _say(state, e.target, _LESS, e.because, what=name.removeprefix("−"))
    known = condition_named(name)
    return _say(state, e.target, known.gained if e.gained else known.lost, e.because, condition=name)


def _check(state: CairnState, e: ev.Check) -> str:
    name, verdict = _name(state, e.by), "passed" if e.success else "failed"
    return f"{name}, {e.what}: {plain(e.roll.total)} against {plain(e.rating)}, {verdict}."


def _item(state: CairnState, e: ev.Item) -> str:
    return _say(state, e.by, _HOW.get(e.how, ("{name} has the {item}", "{name} have the {item}")), item=e.item)


def _healing(state: CairnState, e: ev.Healing) -> str:
    return _say(state, e.target, _HEALED, e.because, amount=e.amount, what=e.what.upper(), now=e.now)


def _posture(state: CairnState, e: ev.Posture) -> str:
    return _say(state, e.by, ("{name} stands up", "{name} stand up"))


def _door(state: CairnState, e: ev.Door) -> str:
    if e.by is None or e.state not in _DOORS:
        return f"A door is {e.state}: {e.door}."
    return _say(state, e.by, _DOORS[e.state], door=e.door)


def _challenge(state: CairnState, e: ev.Challenge) -> str:
    if e.state == "found":
        return _say(state, e.by, _FOUND[e.kind == "door"], what=e.challenge)
    said = _OPENS[bool(e.contents)] if e.state == "open" else _SPRINGS
    return _say(state, e.by, said, what=e.challenge, inside=e.contents)


def _note(state: CairnState, e: ev.Note) -> str:
    if e.seen_by == NOBODY:
        return ""
    return f"{_name(state, e.by)}: {e.text}." if e.by else f"{e.text}."


def _cast(state: CairnState, e: ev.Cast) -> str:
    if not e.success:
        return _say(state, e.by, _FIZZLES, spell=e.spell)
    target = _name(state, e.target) if e.target else ""
    return _say(state, e.by, _CAST[e.what == "fatigue", bool(target)], spell=e.spell, target=target)


def _zone(state: CairnState, e: ev.Zone) -> str:
    if e.kind == GroundKind.SNUFF:
        return "Lights go out."
    return f"{e.name} on the ground." if e.gained else f"{e.name}: gone."


def _summoned(state: CairnState, e: ev.Summoned) -> str:
    return f"{e.name} appears." if e.gained else f"{e.name} is gone."


def _over(state: CairnState, e: ev.Over) -> str:
    return f"The fight is over: {e.winner} win." if e.winner else "The fight is over: nobody is left standing."


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
    ev.Challenge: _challenge,
    ev.Zone: _zone,
    ev.Summoned: _summoned,
    ev.Over: _over,
}

"""Events as sentences of the story."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.contract import events as ev
from rules.core.figures import plain, signed
from rules.olde.challenges.criticals import outcome_of
from rules.olde.combat.reactions import REACTIONS
from rules.olde.conditions import BLEEDING, CONDITIONS, INCAPACITATED, STUNNED, SUBMERGED, SWIMMING
from rules.olde.effects.model import ZoneKind
from rules.olde.state import STANDING, OldeState
from rules.olde.traits.kinds import Split

# Whole sentences, so that a catalogue of words can know each of them again (game/app/i18n.py).
_HOW = {
    "readied": "{who} readies the {item}.",
    "put_away": "{who} puts the {item} away.",
    "dropped": "{who} lets the {item} fall.",
    "picked_up": "{who} picks up the {item}.",
    "thrown": "{who} throws the {item}.",
    "broken": "{who} sees the {item} break.",
    "spent": "{who} uses the {item}.",
    "reset": "{who} resets the {item}.",
    "lit": "{who} lights the {item}.",
    "put_out": "{who} puts the {item} out.",
    "low": "The {item} of {who} burns low.",
    "burnt_out": "The {item} of {who} has burnt out.",
}
_MOVES = {
    "free_steps": "{who} slips {n} by free steps.",
    "step": "{who} steps {n}.",
    "run": "{who} runs {n}.",
    "climb": "{who} climbs a level.",
    "walk": "{who} walks {n}.",
    "sneak": "{who} sneaks {n}.",
    "leap": "{who} leaps across.",
    "clamber": "{who} climbs over.",
    "swim": "{who} swims {n}.",
    "guided": "{who} is led a step.",
    "fall": "{who} falls in.",
}
_PLAIN = ("stunning blow", BLEEDING.name, STUNNED.name, "first aid")
"""Checks that have no critical outcomes."""


def _spaces(count: int) -> str:
    return "1 space" if count == 1 else f"{count} spaces"


def tell(state: OldeState, event: ev.Event) -> str:
    """One event in words; empty for what needs none."""
    teller = _TELLERS.get(type(event))
    return teller(state, event) if teller else ""


def _name(state: OldeState, creature: str | None) -> str:
    who = state.setup.index.get(creature or "")
    return state.setup.fighters[who].name if who is not None else str(creature)


def _began(state: OldeState, e: ev.Began) -> str:
    if e.what == "exploration":
        return "Nobody is known to have noticed the party yet."
    if e.what == "minute":
        return f"Minute {e.number}."
    if e.what == "fight" and state.explore is not None:
        return "Danger! It comes to blows."
    if e.what == "turn":
        return f"Turn {e.number} begins."
    return f"Round {e.number}." if e.what == "round" and e.number > 1 else ""


def _points(state: OldeState, e: ev.Points) -> str:
    if e.roll is None and e.because != "surprised":
        return ""
    return f"{_name(state, e.by)} has {e.now} AP{f' ({e.because})' if e.because else ''}."


def _moved(state: OldeState, e: ev.Moved) -> str:
    if not e.path:  # no more of the way was seen
        return f"{_name(state, e.by)} moves at the edge of sight."
    told = _MOVES.get(e.mode, f"{{who}} {e.mode}.")
    return told.format(who=_name(state, e.by), n=_spaces(len(e.path)))


def _attack(state: OldeState, e: ev.Attack) -> str:
    outcome = e.outcome.replace("_", " ")
    if e.action in REACTIONS:
        outcome += f", {REACTIONS[e.action].label}"
    by, target = _name(state, e.by), _name(state, e.target)
    figures = f"{plain(e.attack)} against {plain(e.defense)}, {outcome}{f' for {e.damage}' if e.margin >= 0 else ''}"
    if e.ranged:
        return f"{by} shoots at {target} with {e.weapon}: {figures}."
    return f"{by} strikes at {target} with {e.weapon}: {figures}."


def _injury(state: OldeState, e: ev.Injury) -> str:
    name, hp = _name(state, e.target), plain(e.hp)
    falls = e.status == INCAPACITATED.name and e.hp + e.amount > 0
    if e.by is not None and not e.because.startswith("struck back"):
        return f"{name} goes down ({hp} HP)." if falls else f"{name} is {e.status} ({hp} HP)."
    if falls:
        return f"{name} loses {e.amount} HP: {e.because}, and goes down ({hp} HP)."
    return f"{name} loses {e.amount} HP: {e.because} ({hp} HP, {e.status})."


def _healing(state: OldeState, e: ev.Healing) -> str:
    if not e.amount:
        return ""  # who was whole already
    pool = {"hp": "HP", "mana": "Mana", "faith": "Faith"}.get(e.what, e.what)
    return f"{_name(state, e.target)} recovers {e.amount} {pool}."


def _condition(state: OldeState, e: ev.Condition) -> str:
    told = CONDITIONS[e.condition].told(gained=e.gained, because=e.because)
    return told.format(who=_name(state, e.target), condition=e.condition)


def _check(state: OldeState, e: ev.Check) -> str:
    verdict = "holds" if e.success else "fails"
    simple = e.what in _PLAIN or e.what.startswith("Alertness")
    outcome = outcome_of(e.ranks) if state.setup.criticals and not simple else None
    if outcome is not None:
        verdict = outcome.name
    return f"{_name(state, e.by)}, {e.what}: {plain(e.roll.total)} against {plain(e.rating)}, {verdict}."


def _contest(state: OldeState, e: ev.Contest) -> str:
    """`Kord, Parry against Goblin: 12 against 9, in time.`"""
    if len(e.rolls) == 1:
        return f"{_name(state, e.by)}, {e.what}: {plain(e.rolls[0].total)}, {e.note}."
    first, second = plain(e.rolls[0].total), plain(e.rolls[1].total)
    return f"{_name(state, e.by)}, {e.what} against {_name(state, e.target)}: {first} against {second}, {e.note}."


def _challenge(state: OldeState, e: ev.Challenge) -> str:
    who = _name(state, e.by)
    if e.state == "found":
        return f"{who} finds a secret door." if e.kind == "door" else f"{who} finds a trap: {e.challenge}."
    if e.state == "cleared":
        return f"{who} clears {e.contents} of the {e.challenge}."
    if e.state == "open":
        inside = f" Inside: {e.contents}." if e.contents else ""
        return f"{who} opens the {e.challenge}.{inside}"
    if e.state == "sorted":
        return f"{who} has sorted what lay in the {e.challenge}."
    return f"{who} disarms the {e.challenge}." if e.state == "disarmed" else f"{who} springs the {e.challenge}!"


def _adjusted(state: OldeState, e: ev.Adjusted) -> str:
    a = e.adjustment
    return f"{_name(state, e.target)}: {a.to} {signed(a.value)}, {a.because}."


def _chosen(state: OldeState, e: ev.Chosen) -> str:
    who = "The die" if e.by == "d2" else "The GM" if e.by == "gm" else _name(state, e.by)
    return f"{who} decides: {e.option.replace('_', ' ')}."


def _over(state: OldeState, e: ev.Over) -> str:
    if e.because == "slipped past":
        return "The party slips away, and nobody has noticed it."
    return f"The fight is over: {e.winner} win." if e.winner else "The fight is over: nobody is left standing."


def _ended(state: OldeState, e: ev.Ended) -> str:
    return f"{_name(state, e.by)} waits." if e.passed else ""


def _item(state: OldeState, e: ev.Item) -> str:
    if e.how == "spent" and e.item in state.setup.grimoire.items:
        return ""  # the casting that follows tells it
    told = _HOW.get(e.how, f"{{who}}: {e.how}, {{item}}.")
    return told.format(who=_name(state, e.by), item=e.item)


def _portcullis(state: OldeState, e: ev.Door) -> str:
    if not e.by:
        return "The portcullis crashes down."
    who = _name(state, e.by)
    return f"{who} heaves the portcullis up." if e.state == "open" else f"{who} lets the portcullis down."


def _door(state: OldeState, e: ev.Door) -> str:
    if any(door.id == e.door and door.kind == "portcullis" for door in state.setup.field.doors):
        return _portcullis(state, e)
    if not e.by:
        return f"The door is {e.state}."
    who = _name(state, e.by)
    if e.state == "open":
        return f"{who} opens the door."
    return f"{who}: the door is {e.state}."


def _posture(state: OldeState, e: ev.Posture) -> str:
    who, why = _name(state, e.by), f" ({e.because})" if e.because else ""
    if e.posture == SWIMMING.name and not why:
        return ""  # how one came into the water has been told
    if e.posture == STANDING and e.because == "ashore":
        return f"{who} comes ashore."
    return f"{who} stands up{why}." if e.posture == STANDING else f"{who} is {e.posture}{why}."


def _cast(state: OldeState, e: ev.Cast) -> str:
    """`Wren casts ember bolt at Goblin: 12 against 7, for 5.`"""
    who = _name(state, e.by)
    head = f"{who} uses the {e.item}" if e.item else f"{who} casts {e.spell}"
    if e.target is not None and e.target != e.by:
        head += f" on {_name(state, e.target)}"
    if len(e.resisted) == 1 and e.target is not None:
        return f"{head}{_fared(e, e.resisted[0])}."
    if e.resisted and not e.rating:
        parts = [f"{_name(state, r.target)}{_fared(e, r)}" for r in e.resisted]
        return f"{head}: " + "; ".join(part.replace(": ", " ", 1) for part in parts) + "."
    against = f": {plain(e.total)} against {plain(e.rating)}" if e.rating else ""
    return f"{head}{against}{'' if e.success else ', in vain'}."


def _fared(e: ev.Cast, r: ev.Resistance) -> str:
    figures = f": {plain(e.total)} against {plain(r.rating)}" if r.rating else ""
    if not r.holds:
        return f"{figures}, in vain"
    return f"{figures}, for {r.damage}" if r.damage else f"{figures}, it takes hold" if figures else ""


def _enchanted(state: OldeState, e: ev.Enchanted) -> str:
    name = _name(state, e.target)
    if e.name == SUBMERGED.name:
        return ""  # the condition that comes with it tells it
    if not e.gained:
        return f"{name}: {e.name} ends ({e.because})." if e.because else f"{name}: {e.name} ends."
    left = "until the next reset" if e.turns == 1 else f"for {e.turns} turns"
    if not e.text:
        return f"{name} is {e.name} {left}."
    does = ", ".join(part for part in e.text.split(", ") if part != e.name)
    return f"{name}: {e.name}, {does}, {left}." if does else f"{name} is {e.name} {left}."


def _zone(state: OldeState, e: ev.Zone) -> str:
    return ZoneKind(e.kind).does.begins.format(name=e.name) if e.gained else f"The {e.name} is gone."


def _summoned(state: OldeState, e: ev.Summoned) -> str:
    parent = state.setup.index.get(e.by or "")
    traits = state.setup.fighters[parent].traits if parent is not None else None
    if e.gained and traits is not None and traits.of(Split) is not None:
        return f"{_name(state, e.by or '')} divides: {e.name} crawls away from it."
    return f"{e.name} comes when called." if e.gained else f"{e.name} fades away."


_TELLERS: dict[type[ev.Event], Callable[[OldeState, Any], str]] = {
    ev.Began: _began,
    ev.Chance: lambda state, e: f"{_name(state, e.by)} goes first by a roll-off." if e.rolls else "",
    ev.Points: _points,
    ev.Moved: _moved,
    ev.Attack: _attack,
    ev.Injury: _injury,
    ev.Healing: _healing,
    ev.Condition: _condition,
    ev.Check: _check,
    ev.Contest: _contest,
    ev.Challenge: _challenge,
    ev.Adjusted: _adjusted,
    ev.Chosen: _chosen,
    ev.Over: _over,
    ev.Ended: _ended,
    ev.Item: _item,
    ev.Door: _door,
    ev.Posture: _posture,
    ev.Cast: _cast,
    ev.Enchanted: _enchanted,
    ev.Zone: _zone,
    ev.Summoned: _summoned,
    ev.Question: lambda state, e: "A choice stands open: " + " or ".join(o.replace("_", " ") for o in e.options) + ".",
    ev.Earned: lambda state, e: f"{_name(state, e.by)} earns {e.points} CP.",
    ev.Note: lambda state, e: e.text,
}

"""Events as sentences of the story."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.contract import events as ev
from rules.contract.text import Creature, Term, Value, joined, ntext, parted, text
from rules.core.dice import plain, signed
from rules.olde.challenges.attempts import outcome_of
from rules.olde.combat.reactions import REACTIONS
from rules.olde.conditions import BLEEDING, CONDITIONS, INCAPACITATED, STUNNED, SUBMERGED, SWIMMING
from rules.olde.effects.model import ZoneKind
from rules.olde.state import STANDING, OldeState
from rules.olde.traits.kinds import Split

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
    "free_steps": "{who} slips {n} by {free_steps}.",
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


def tell(state: OldeState, event: ev.Event) -> str:
    """One event in words; empty for what needs none."""
    teller = _TELLERS.get(type(event))
    return teller(state, event) if teller else ""


def _name(state: OldeState, creature: str | None) -> str:
    who = state.setup.index.get(creature or "")
    return Creature(state.setup.fighters[who].name, str(creature)) if who is not None else str(creature)


def _began(state: OldeState, e: ev.Began) -> str:
    if e.what == "exploration":
        return "Nobody is known to have noticed the party yet."
    if e.what == "minute":
        return text("Minute {number}.", number=e.number)
    if e.what == "fight" and state.explore is not None:
        return "Danger! It comes to blows."
    if e.what == "turn":
        return text("Turn {number} begins.", number=e.number)
    return text("Round {number}.", number=e.number) if e.what == "round" and e.number > 1 else ""


def _points(state: OldeState, e: ev.Points) -> str:
    if e.roll is None and e.because != "surprised":
        return ""
    template = "{by} has {now} AP ({because})." if e.because else "{by} has {now} AP."
    return text(template, by=_name(state, e.by), now=e.now, because=e.because)


def _moved(state: OldeState, e: ev.Moved) -> str:
    if not e.path:  # no more of the way was seen
        return text("{by} moves at the edge of sight.", by=_name(state, e.by))
    way = ntext(len(e.path), "{n} space", "{n} spaces")
    free = Term("free steps")
    return text(_MOVES.get(e.mode, "{who} {mode}."), who=_name(state, e.by), n=way, mode=e.mode, free_steps=free)


def _attack(state: OldeState, e: ev.Attack) -> str:
    parts: list[str] = [text("{attack} against {defense}", attack=plain(e.attack), defense=plain(e.defense))]
    outcome: str = Term(e.outcome.replace("_", " "))
    if e.action in REACTIONS:
        outcome = joined(", ", (outcome, REACTIONS[e.action].label))
    parts.append(text("{outcome} for {damage}", outcome=outcome, damage=e.damage) if e.margin >= 0 else outcome)
    does = "{by} shoots at {target} with {weapon}: {figures}."
    if not e.ranged:
        does = "{by} strikes at {target} with {weapon}: {figures}."
    by, target = _name(state, e.by), _name(state, e.target)
    return text(does, by=by, target=target, weapon=e.weapon, figures=joined(", ", parts))


def _injury(state: OldeState, e: ev.Injury) -> str:
    falls = e.status == INCAPACITATED.name and e.hp + e.amount > 0
    if e.by is not None and not e.because.startswith("struck back"):
        template = "{name} goes down ({hp} HP)." if falls else "{name} is {status} ({hp} HP)."
    elif falls:
        template = "{name} loses {amount} HP: {because}, and goes down ({hp} HP)."
    else:
        template = "{name} loses {amount} HP: {because} ({hp} HP, {status})."
    figures: dict[str, Value] = {"amount": e.amount, "hp": plain(e.hp)}
    return text(template, name=_name(state, e.target), status=Term(e.status), because=e.because, **figures)


def _healing(state: OldeState, e: ev.Healing) -> str:
    if not e.amount:
        return ""  # who was whole already
    pool = {"hp": "HP", "mana": "Mana", "faith": "Faith"}.get(e.what, e.what)
    return text("{target} recovers {amount} {pool}.", target=_name(state, e.target), amount=e.amount, pool=pool)


def _condition(state: OldeState, e: ev.Condition) -> str:
    told = CONDITIONS[e.condition].told(gained=e.gained, because=e.because)
    return text(told, who=_name(state, e.target), condition=Term(e.condition)) if told else ""


def _check(state: OldeState, e: ev.Check) -> str:
    verdict = "holds" if e.success else "fails"
    simple = e.what in _PLAIN or e.what.startswith("Alertness")
    outcome = outcome_of(e.ranks) if state.setup.criticals and not simple else None
    if outcome is not None:
        verdict = outcome.name
    figures = {"total": plain(e.roll.total), "rating": plain(e.rating)}
    template = "{by}, {what}: {total} against {rating}, {verdict}."
    return text(template, by=_name(state, e.by), what=e.what, verdict=verdict, **figures)


def _contest(state: OldeState, e: ev.Contest) -> str:
    """`Kord, Parry against Goblin: 12 against 9, in time.`"""
    totals = [plain(roll.total) for roll in e.rolls]
    names = {"by": _name(state, e.by), "target": _name(state, e.target), "what": e.what, "note": e.note}
    if len(totals) == 1:
        return text("{by}, {what}: {total}, {note}.", total=totals[0], **names)
    template = "{by}, {what} against {target}: {first} against {second}, {note}."
    return text(template, first=totals[0], second=totals[1], **names)


_CHALLENGES = {
    "found": "{who} finds a trap: {challenge}.",
    "cleared": "{who} clears {contents} of the {challenge}.",
    "open": "{who} opens the {challenge}.",
    "sorted": "{who} has sorted what lay in the {challenge}.",
    "disarmed": "{who} disarms the {challenge}.",
}


def _challenge(state: OldeState, e: ev.Challenge) -> str:
    template = _CHALLENGES.get(e.state, "{who} springs the {challenge}!")
    if e.state == "found" and e.kind == "door":
        template = "{who} finds a secret door."
    if e.state == "open" and e.contents:
        template = "{who} opens the {challenge}. Inside: {contents}."
    return text(template, who=_name(state, e.by), challenge=e.challenge, contents=e.contents)


def _adjusted(state: OldeState, e: ev.Adjusted) -> str:
    a, name = e.adjustment, _name(state, e.target)
    return text("{target}: {to} {change}, {because}.", target=name, to=a.to, change=signed(a.value), because=a.because)


def _chosen(state: OldeState, e: ev.Chosen) -> str:
    who = "The die" if e.by == "d2" else "The GM" if e.by == "gm" else _name(state, e.by)
    return text("{who} decides: {option}.", who=who, option=e.option.replace("_", " "))


def _over(state: OldeState, e: ev.Over) -> str:
    if e.because == "slipped past":
        return "The party slips away, and nobody has noticed it."
    if e.winner:
        return text("The fight is over: {winner} win.", winner=e.winner)
    return "The fight is over: nobody is left standing."


def _ended(state: OldeState, e: ev.Ended) -> str:
    return text("{by} waits.", by=_name(state, e.by)) if e.passed else ""


def _chance(state: OldeState, e: ev.Chance) -> str:
    return text("{by} goes first by a roll-off.", by=_name(state, e.by)) if e.rolls else ""


def _question(state: OldeState, e: ev.Question) -> str:
    options = (option.replace("_", " ") for option in e.options)
    return text("A choice stands open: {options}.", options=joined(" or ", options))


def _earned(state: OldeState, e: ev.Earned) -> str:
    return text("{by} earns {points} CP.", by=_name(state, e.by), points=e.points)


def _item(state: OldeState, e: ev.Item) -> str:
    if e.how == "spent" and e.item in state.setup.grimoire.items:
        return ""  # the casting that follows tells it
    return text(_HOW.get(e.how, "{who}: {how}, {item}."), who=_name(state, e.by), item=e.item, how=e.how)


def _door(state: OldeState, e: ev.Door) -> str:
    who, is_open = _name(state, e.by), e.state == "open"
    if any(door.id == e.door and door.kind == "portcullis" for door in state.setup.field.doors):
        if not e.by:
            return "The portcullis crashes down."
        return text("{who} heaves the portcullis up." if is_open else "{who} lets the portcullis down.", who=who)
    if not e.by:
        return text("The door is {how}.", how=e.state)
    return text("{who} opens the door." if is_open else "{who}: the door is {how}.", who=who, how=e.state)


def _posture(state: OldeState, e: ev.Posture) -> str:
    if e.posture == SWIMMING.name and not e.because:
        return ""  # how one came into the water has been told
    if e.posture != STANDING:
        template = "{who} is {posture} ({because})." if e.because else "{who} is {posture}."
    elif e.because == "ashore":
        template = "{who} comes ashore."
    else:
        template = "{who} stands up ({because})." if e.because else "{who} stands up."
    return text(template, who=_name(state, e.by), posture=Term(e.posture), because=e.because)


def _cast(state: OldeState, e: ev.Cast) -> str:
    """`Wren casts ember bolt at Goblin: 12 against 7, for 5.`"""
    others = e.target is not None and e.target != e.by
    if e.item:
        template = "{who} uses the {item} on {target}" if others else "{who} uses the {item}"
    else:
        template = "{who} casts {spell} on {target}" if others else "{who} casts {spell}"
    head = text(template, who=_name(state, e.by), item=e.item, spell=e.spell, target=_name(state, e.target))
    if len(e.resisted) == 1 and e.target is not None:
        return _so("{what}: {how}.", "{what}, {how}.", head, _fared(e, e.resisted[0]))
    if e.resisted and not e.rating:
        each = (_so("{what} {how}", "{what}, {how}", _name(state, r.target), _fared(e, r)) for r in e.resisted)
        return text("{head}: {each}.", head=head, each=joined("; ", each))
    figures = text("{total} against {rating}", total=plain(e.total), rating=plain(e.rating)) if e.rating else ""
    return _so("{what}: {how}.", "{what}, {how}.", head, (figures, "" if e.success else "in vain"))


def _so(figured: str, bare: str, what: str, how: tuple[str, str]) -> str:
    """What was done or to whom, and how it went, in figures and a verdict, as far as there are any."""
    if not any(how):
        return text("{what}.", what=what) if bare.endswith(".") else what
    return text(figured if how[0] else bare, what=what, how=joined(", ", (part for part in how if part)))


def _fared(e: ev.Cast, r: ev.Resistance) -> tuple[str, str]:
    """How somebody fared: the figures, and what came of it."""
    figures = text("{total} against {rating}", total=plain(e.total), rating=plain(r.rating)) if r.rating else ""
    if not r.holds:
        return figures, "in vain"
    if r.damage:
        return figures, text("for {damage}", damage=r.damage)
    return figures, "it takes hold" if figures else ""


def _enchanted(state: OldeState, e: ev.Enchanted) -> str:
    if e.name == SUBMERGED.name:
        return ""  # the condition that comes with it tells it
    fields = {"name": _name(state, e.target), "effect": Term(e.name), "because": e.because}
    if not e.gained:
        return text("{name}: {effect} ends ({because})." if e.because else "{name}: {effect} ends.", **fields)
    left = "until the next reset" if e.turns == 1 else ntext(e.turns, "for {n} turn", "for {n} turns")
    does = [part for part in parted(e.text, ", ") if part != e.name] if e.text else []
    if not does:
        return text("{name} is {effect} {left}.", left=left, **fields)
    return text("{name}: {effect}, {does}, {left}.", does=joined(", ", does), left=left, **fields)


def _zone(state: OldeState, e: ev.Zone) -> str:
    return text(ZoneKind(e.kind).does.begins if e.gained else "The {name} is gone.", name=e.name)


def _summoned(state: OldeState, e: ev.Summoned) -> str:
    name = Creature(e.name, e.target)
    parent = state.setup.index.get(e.by or "")
    traits = state.setup.fighters[parent].traits if parent is not None else None
    if e.gained and traits is not None and traits.of(Split) is not None:
        return text("{parent} divides: {name} crawls away from it.", parent=_name(state, e.by), name=name)
    return text("{name} comes when called." if e.gained else "{name} fades away.", name=name)


_TELLERS: dict[type[ev.Event], Callable[[OldeState, Any], str]] = {
    ev.Began: _began,
    ev.Chance: _chance,
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
    ev.Question: _question,
    ev.Earned: _earned,
    ev.Note: lambda state, e: e.text,
}

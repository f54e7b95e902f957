"""Events as sentences of the story, why somebody is asked for an order now (countup.md §1), terms for tooltips."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from rules.contract import events as ev
from rules.contract.text import Creature, Term, ntext, text
from rules.core.dice import plain
from rules.countup.actions.attacks import ASIDE
from rules.countup.actions.objects import LOCKS, SECRET
from rules.countup.actions.table import ACTION_KINDS
from rules.countup.conditions import CONDITIONS, condition_of
from rules.countup.gear import UNARMED
from rules.countup.manners import MANNERS
from rules.countup.state import CountState, present

_OUTCOME: Mapping[str, str] = {
    "critical_hit": "a critical hit for {n}",
    "hit": "a hit for {n}",
    "image": "into a copy",
    "shield_struck": "into the {shield}",
    "fumble": "a fumble",
    "miss": "a miss",
}
HANDS = "bare hands"
_MOVES: Mapping[str, str] = {
    "knocked_back": "{by} is knocked back {way}.",
    "gives_ground": "{by} {gives_ground} {way}.",
    "steps_after": "{by} steps after for {way}.",
    "tactical": "{by} moves and fights, by {way}.",
    "halt": "{by} comes to a halt in {way}.",
    "walk": "{by} walks {way}.",
    "jog": "{by} jogs {way}.",
    "run": "{by} runs {way}.",
    "sprint": "{by} sprints {way}.",
    "crawl": "{by} crawls {way}.",
}
_HOW: Mapping[str, str] = {"broken": "{by} sees the {item} break.", "thrown": "{by} throws the {item}."}


def tell(state: CountState, event: ev.Event) -> str:
    """One event in words; empty for what needs none."""
    teller = _TELLERS.get(type(event))
    return teller(state, event) if teller else ""


def _name(state: CountState, creature: str | None) -> str:
    who = state.setup.index.get(creature or "")
    return Creature(state.setup.beings[who].name, str(creature)) if who is not None else str(creature)


def _began(state: CountState, e: ev.Began) -> str:
    return text("Second {number}.", e.number) if e.what == "second" else ""


def _points(state: CountState, e: ev.Points) -> str:
    return text("{by} may act from second {now} on.", _name(state, e.by), e.now) if e.what == "initiative" else ""


def _moved(state: CountState, e: ev.Moved) -> str:
    if not e.path:  # no more of the way was seen
        return text("{by} moves at the edge of sight.", _name(state, e.by))
    template = _MOVES.get(e.mode, "{by} {mode} {way}.")
    way = ntext(len(e.path), "{n} space", "{n} spaces")
    return text(template, by=_name(state, e.by), mode=e.mode, way=way, gives_ground=Term("gives ground"))


def _attack(state: CountState, e: ev.Attack) -> str:
    result = text(_OUTCOME[e.outcome], n=e.damage, shield=Term("shield"))
    names = {
        "by": _name(state, e.by),
        "target": _name(state, e.target),
        "weapon": HANDS if e.weapon == UNARMED.name else e.weapon,
        "manner": Term(MANNERS[e.action].because),
        "past": _name(state, e.past),
    }
    head = text(_manner(e), **names)
    return text("{head}: {attack} against {defense}, {result}.", head, plain(e.attack), plain(e.defense), result)


def _manner(e: ev.Attack) -> str:
    """How the story begins to tell of a blow or a shot."""
    if e.past is not None:
        return "The shot goes past {past} and on at {target}"
    return MANNERS[e.action].told


def _condition(state: CountState, e: ev.Condition) -> str:
    known = condition_of(e.condition).gained or "{target} is {condition}"
    template = known if e.gained else "{target} is no longer {condition}"
    said = text(template, target=_name(state, e.target), condition=Term(e.condition))
    if e.because:
        return text("{said} ({because}).", said, e.because)
    return text("{said}.", said)


def _check(state: CountState, e: ev.Check) -> str:
    if e.what == SECRET:
        return "" if e.success else text("{by} finds nothing hidden.", _name(state, e.by))
    if e.what.startswith(LOCKS):
        verdict = "the lock gives way" if e.success else "the lock holds"
        return text(
            "{by}, {locks}: {total} against {rating}, {verdict}.",
            by=_name(state, e.by),
            locks=LOCKS,
            total=plain(e.roll.total),
            rating=plain(e.rating),
            verdict=verdict,
        )
    verdict = "holds" if e.success else "fails"
    return text(
        "{by}, {what}: {total} against {rating}, {verdict}.",
        by=_name(state, e.by),
        what=e.what,
        total=plain(e.roll.total),
        rating=plain(e.rating),
        verdict=verdict,
    )


def _aside(state: CountState, e: ev.Contest) -> str:
    held, tried = plain(e.rolls[0].total), plain(e.rolls[1].total)
    who, foe = _name(state, e.by), _name(state, e.target)
    if e.success:
        return text("{who} knocks aside the weapon of {foe}: {tried} against {held}.", who, foe, tried, held)
    return text("{who} does not knock aside the weapon of {foe}: {tried} against {held}.", who, foe, tried, held)


_STEALTH: Mapping[str, str] = {
    "sneaking": "{who} sneaks up on {foe}: {held} against {tried}, {foe} {note}.",
    "hiding": "{who} lies in wait for {foe}: {held} against {tried}, {foe} {note}.",
}


def _contest(state: CountState, e: ev.Contest) -> str:
    if e.what == ASIDE:
        return _aside(state, e)
    held, tried = e.rolls[-2].total, e.rolls[-1].total
    if e.what in _STEALTH:
        who, foe = _name(state, e.by), _name(state, e.target)
        return text(_STEALTH[e.what], who=who, foe=foe, held=plain(held), tried=plain(tried), note=e.note)
    return text(
        "{by} sets a shoulder to the door: {tried} against {held}, {note}.",
        _name(state, e.by),
        plain(tried),
        plain(held),
        e.note,
    )


def _challenge(state: CountState, e: ev.Challenge) -> str:
    return text("{by} finds a secret door.", _name(state, e.by))


def _injury(state: CountState, e: ev.Injury) -> str:
    return text("{target} loses {amount} ({hp} left).", _name(state, e.target), e.amount, plain(e.hp))


def _healing(state: CountState, e: ev.Healing) -> str:
    return text("{target} regains {amount}.", _name(state, e.target), e.amount) if e.because else ""


def _item(state: CountState, e: ev.Item) -> str:
    return text(_HOW.get(e.how, "{by} {how} the {item}."), by=_name(state, e.by), how=e.how, item=e.item)


def _note(state: CountState, e: ev.Note) -> str:
    if e.by:
        return text("{by} {does}.", _name(state, e.by), e.text)
    return text("{said}.", e.text)


def _cast(state: CountState, e: ev.Cast) -> str:
    by, target = _name(state, e.by), _name(state, e.target)
    if not e.success:
        return text("{by} casts {spell} too late for {target}.", by, e.spell, target)
    if e.target and e.target != e.by:
        return text("{by} casts {spell} on {target}.", by, e.spell, target)
    return text("{by} casts {spell}.", by, e.spell)


def _over(state: CountState, e: ev.Over) -> str:
    if e.winner:
        return text("The fight is over: {winner} win.", e.winner)
    return "The fight is over: nobody is left standing."


_TELLERS: Mapping[type[ev.Event], Callable[[CountState, Any], str]] = {
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


# -- questions ---------------------------------------------------------------------------------------------


def prompt(state: CountState, who: int) -> str:
    """The question to whoever is free in this second, with what made time stand still."""
    figure, name = state.figures[who], state.named(who)
    order = figure.order
    if order is not None and not order.done:
        return text("{name}: order a deed besides, or go", name)
    if figure.held_by >= 0:
        return text("{name} is held at bay by {holder}", name, state.named(figure.held_by))
    if order is None:
        return (
            text("{name} may act from now on", name)
            if figure.init == state.second
            else text("{name} is free again", name)
        )
    if order.action is None:
        fresh = next((other for other in figure.fresh if present(state.figures[other])), None)
        return (
            text("{name} has met {other}", name, state.named(fresh))
            if fresh is not None
            else text("{name} is there", name)
        )
    return ACTION_KINDS[order.action.do].ended(state, who, order, order.action)


_TERMS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "penetration": (
            "The highest face is thrown again and adds one less, without end.",
            "countup.md §0 Penetration",
        ),
        "initiative": ("The first second in which one may act; until then one is surprised.", "countup.md §1.1"),
        "due": ("The first second in which the weapon may strike again.", "countup.md §1 Due"),
        "speed": ("Seconds from one attack to the next.", "countup.md §1 Due"),
        "reach": ("Feet beyond one's own space; who reaches farther strikes first on contact.", "countup.md §3 Reach"),
        "jab": ("Quicker; no penetration, and half the damage.", "countup.md §2.6 Jab"),
        "charge": ("After 20 ft straight at a run: +4 attack, twice the knock-back.", "countup.md §2.6 Charge"),
        "full parry": ("No attack; +5 defence until the next would be due.", "countup.md §2.6 Full parry"),
        "give ground": ("A step back: +5 to this defence, −1 to the next attack.", "countup.md §2.6 Give ground"),
        "hold at bay": ("A hit with the longer weapon stops a foe at that distance.", "countup.md §2.6 Hold at bay"),
        "knock-back": ("Five feet for each 15 raw damage (by size); ten feet and one lies down.", "countup.md §2.3"),
        "threshold of pain": (
            "A wound above it: a d20 over the trauma value and one falls helpless.",
            "countup.md §2.4",
        ),
        "shield": ("+4 to +6 defence; a near miss strikes it, and may break it.", "countup.md §2.2"),
        "attack bonus": ("Intelligence, Dexterity, level and what one's kind adds.", "countup.md §2.1 Bonuses"),
        "defence bonus": ("Wisdom, Dexterity and what armour takes from it.", "countup.md §2.1 Bonuses"),
        "no shield": ("Without a shield one defends with a d20p−4.", "countup.md §2.1 Defence die"),
        "small shield": ("+4 defence; a near miss strikes it, and may break it.", "countup.md §2.2"),
        "medium shield": ("+6 defence; a near miss strikes it, and may break it.", "countup.md §2.2"),
        "large shield": ("+6 defence; a near miss strikes it, and may break it.", "countup.md §2.2"),
        "aggressive attack": (
            "+5 to this attack, −2 to all one's defences until the next.",
            "countup.md §2.6 Aggressive attack",
        ),
        "fights defensively": ("−2 attack for every +1 defence; no penetration.", "countup.md §2.6 Fight defensively"),
        "fought defensively": (
            "A pending attack keeps the penalty of a defensive fight.",
            "countup.md §2.6 Fight defensively",
        ),
        "gives ground": ("A step back: +5 to this defence, −1 to the next attack.", "countup.md §2.6 Give ground"),
        "ground given": ("Ground given costs the next attack 1, a withdrawal 2.", "countup.md §2.6 Give ground"),
        "tactical move": (
            "−1 to attack and defence for every second, until the next attack.",
            "countup.md §2.6 Tactical move",
        ),
        "quick aim": ("Shot without taking aim: −6.", "countup.md §2.5 Loading and aiming"),
        "cover": ("A shot's total counts no more than what covers its target allows.", "countup.md §2.5 Cover"),
        "poor light on the target": ("Dim light costs an attack 4, darkness 8.", "countup.md §3 Light"),
        "poor light on the attacker": ("Dim light costs a defence 2, darkness 4.", "countup.md §3 Light"),
        "fatigue": ("Every bout of fatigue doubles what it costs: 1, 2, 4, 8.", "countup.md §4 Fatigue"),
        "dr": ("Damage reduction: taken off every hit.", "countup.md §2.1 Damage"),
    }
)
TERMS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {**_TERMS, **{each.name: (each.sentence, each.cited) for each in CONDITIONS.values() if each.sentence}}
)
"""Terms and conditions by their word: a sentence, and where the rule stands."""

"""Events as sentences of the story, why somebody is asked for an order now (countup.md §1), terms for tooltips."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rules.contract import events as ev
from rules.contract.text import Term, noticed, ntext, text
from rules.contract.units import CreatureIx
from rules.core.dice import plain
from rules.countup.actions.attacks import ASIDE
from rules.countup.actions.objects import SECRET
from rules.countup.actions.table import ACTION_KINDS
from rules.countup.conditions import CONDITIONS, condition_of
from rules.countup.gear import UNARMED
from rules.countup.manners import MANNERS
from rules.countup.skills import LOCKS, TALK
from rules.countup.state import CountState
from rules.countup.visibility import named_to
from rules.explore import goals
from rules.explore import text as exploration

_OUTCOME: Mapping[str, str] = {
    "critical_hit": "a critical hit for {n}", "hit": "a hit for {n}", "image": "into a copy",
    "shield_struck": "into the {shield}", "fumble": "a fumble", "miss": "a miss",
}  # fmt: skip
HANDS = "bare hands"
_MOVES: Mapping[str, str] = {
    "knocked_back": "{by} is knocked back {way}.",
    "gives_ground": "{by} {gives_ground} {way}.",
    "steps_after": "{by} steps after for {way}.",
    "tactical": "{by} moves and fights, by {way}.",
    "halt": "{by} comes to a halt in {way}.",
    "climb": "{by} climbs {way}.",
    "walk": "{by} walks {way}.",
    "sneak": "{by} sneaks {way}.",
    "stairs": "{by} goes to another level.",
    "jog": "{by} jogs {way}.",
    "run": "{by} runs {way}.",
    "sprint": "{by} sprints {way}.",
    "crawl": "{by} crawls {way}.",
}
_CHALLENGES: Mapping[tuple[str, str], str] = {
    ("found", "door"): "{by} finds a secret door.",
    ("found", "trap"): "{by} finds a trap: {what}.",
    ("found", ""): "{by} finds something hidden: {what}.",
    ("open", ""): "{by} opens the {what} and finds: {inside}.",
    ("cleared", ""): "{by} clears {inside} of the {what}.",
    ("disarmed", ""): "{by} disarms a trap: {what}.",
    ("sprung", ""): "{by} springs a trap: {what}.",
}
"""By what became of it, and what it is."""
_HOW: Mapping[str, str] = {"broken": "{by} sees the {item} break.", "thrown": "{by} throws the {item}."}


WHOLE = (".", "!", "?")
"""How a note ends that is a sentence of its own, as those of explorations are."""


def tell(state: CountState, event: ev.Event) -> str:
    """One event in words; empty for what needs none."""
    if (aimed := goals.tell(state, state.setup.beings, event)) is not None:
        return aimed
    told = exploration.tell(state.setup.beings, event, exploring=state.explore is not None)
    if told is not None:
        return told
    by, target = (_name(state, getattr(event, field, None)) for field in ("by", "target"))
    match event:
        case ev.Began(what="minute"):
            return text("Minute {number}.", event.number)
        case ev.Began(what="second"):
            return text("Second {number}.", event.number)
        case ev.Points(what="initiative"):
            return text("{by} may act from second {now} on.", by, event.now)
        case ev.Moved(path=()):  # no more of the way was seen
            return text("{by} moves at the edge of sight.", by)
        case ev.Moved():
            way = ntext(len(event.path), "{n} space", "{n} spaces")
            template = _MOVES.get(event.mode, "{by} {mode} {way}.")
            return text(template, by=by, mode=event.mode, way=way, gives_ground=Term("gives ground"))
        case ev.Attack():
            return _attack(by, target, _name(state, event.past), event)
        case ev.Condition():
            known = condition_of(event.condition).gained or "{target} is {condition}"
            template = known if event.gained else "{target} is no longer {condition}"
            said = text(template, target=target, condition=Term(event.condition))
            return text("{said} ({because}).", said, event.because) if event.because else text("{said}.", said)
        case ev.Check(what=what) if what == SECRET:
            return "" if event.success else text("{by} finds nothing hidden.", by)
        case ev.Check():
            return _check(by, event)
        case ev.Contest():
            return _contest(by, target, event)
        case ev.Challenge():
            told = _CHALLENGES.get((event.state, event.kind), _CHALLENGES.get((event.state, ""), "{by}: {what}."))
            if event.state == "open" and not event.contents:
                return text("{by} opens the {what}, and it is empty.", by, event.challenge)
            return text(told, by=by, what=event.challenge, inside=event.contents)
        case ev.Injury():
            return text("{target} loses {amount} ({hp} left).", target, event.amount, plain(event.hp))
        case ev.Healing() if event.because:
            return text("{target} regains {amount}.", target, event.amount)
        case ev.Item(how="picked_up") if state.setup.fixtures:
            return text("{by} takes the {item}.", by, event.item)
        case ev.Item():
            return text(_HOW.get(event.how, "{by} {how} the {item}."), by=by, how=event.how, item=event.item)
        case ev.Cast(success=False):
            return text("{by} casts {spell} too late for {target}.", by, event.spell, target)
        case ev.Cast() if event.target and event.target != event.by:
            return text("{by} casts {spell} on {target}.", by, event.spell, target)
        case ev.Cast():
            return text("{by} casts {spell}.", by, event.spell)
        case ev.Note() if event.text.endswith(WHOLE):
            return event.text
        case ev.Note():
            return text("{by} {does}.", by, event.text) if event.by else text("{said}.", event.text)
        case ev.Arrived():
            return text("{by} arrives: {wave}.", by, event.what) if event.what else text("{by} arrives.", by)
        case ev.Over():
            lost = "The fight is over: nobody is left standing."
            return text("The fight is over: {winner} win.", event.winner) if event.winner else lost
    return ""


def _name(state: CountState, creature: str | None) -> str:
    who = state.find(creature)
    return str(creature) if who is None else state.named(who)


def _attack(by: str, target: str, past: str, e: ev.Attack) -> str:
    result = text(_OUTCOME[e.outcome], n=e.damage, shield=Term("shield"))
    weapon, manner = HANDS if e.weapon == UNARMED.name else e.weapon, MANNERS[e.action]
    template = manner.told if e.past is None else "The shot goes past {past} and on at {target}"
    head = text(template, by=by, target=target, weapon=weapon, manner=Term(manner.because), past=past)
    return text("{head}: {attack} against {defense}, {result}.", head, plain(e.attack), plain(e.defense), result)


def _check(by: str, e: ev.Check) -> str:
    total, rating = plain(e.roll.total), plain(e.rating)
    if e.what.startswith(LOCKS):
        verdict = "the lock gives way" if e.success else "the lock holds"
        return text("{by}, {locks}: {total} against {rating}, {verdict}.", by, LOCKS, total, rating, verdict)
    verdict = "fails" if not e.success else "succeeds" if e.what.startswith(TALK) else "holds"
    verdict = noticed(e.what, success=e.success) or verdict
    return text("{by}, {what}: {total} against {rating}, {verdict}.", by, e.what, total, rating, verdict)


_ASIDE = {
    True: "{who} knocks aside the weapon of {foe}: {tried} against {held}.",
    False: "{who} does not knock aside the weapon of {foe}: {tried} against {held}.",
}
_CONTESTS: Mapping[str, str] = {
    "break_chest": "{who} breaks at the {foe}: {tried} against {held}, {note}.",
    "sneaking": "{who} sneaks up on {foe}: {held} against {tried}, {foe} {note}.",
    "hiding": "{who} lies in wait for {foe}: {held} against {tried}, {foe} {note}.",
}


def _contest(by: str, target: str, e: ev.Contest) -> str:
    if len(e.rolls) == 1:  # what it stands against is thrown later, by whoever watches
        return text("{by}, {what}: {total}, {note}.", by, e.what, plain(e.rolls[0].total), e.note)
    held, tried = (plain(roll.total) for roll in e.rolls[-2:])
    template = _ASIDE[e.success] if e.what == ASIDE else _CONTESTS.get(e.what)
    if template is None:
        return text("{by} sets a shoulder to the door: {tried} against {held}, {note}.", by, tried, held, e.note)
    return text(template, who=by, foe=target, held=held, tried=tried, note=e.note)


# -- questions ---------------------------------------------------------------------------------------------


def prompt(state: CountState, who: CreatureIx) -> str:
    """The question to whoever is free in this second, with what made time stand still."""
    figure, name, side = state.figures[who], state.named(who), state.being(who).side
    order = figure.order
    if order is not None and not order.done:
        return text("{name}: order a deed besides, or go", name)
    if figure.held_by >= 0:
        return text("{name} is held at bay by {holder}", name, named_to(state, side, figure.held_by))
    if order is None:
        begins = figure.init == state.second
        return text("{name} may act from now on", name) if begins else text("{name} is free again", name)
    if order.action is None:
        fresh = next((other for other in figure.fresh if state.figures[other].present), None)
        if fresh is None:
            return text("{name} is there", name)
        return text("{name} has met {other}", name, named_to(state, side, fresh))
    return ACTION_KINDS[order.action.do].ended(state, who, order, order.action)


_TERMS: Mapping[str, tuple[str, str]] = {
    "penetration": ("The highest face is thrown again and adds one less, without end.", "§0 Penetration"),
    "initiative": ("The first second in which one may act; until then one is surprised.", "§1.1"),
    "due": ("The first second in which the weapon may strike again.", "§1 Due"),
    "speed": ("Seconds from one attack to the next.", "§1 Due"),
    "reach": ("Feet beyond one's own space; who reaches farther strikes first on contact.", "§3 Reach"),
    "jab": ("Quicker; no penetration, and half the damage.", "§2.6 Jab"),
    "charge": ("After 20 ft straight at a run: +4 attack, twice the knock-back.", "§2.6 Charge"),
    "full parry": ("No attack; +5 defence until the next would be due.", "§2.6 Full parry"),
    "give ground": ("A step back: +5 to this defence, −1 to the next attack.", "§2.6 Give ground"),
    "hold at bay": ("A hit with the longer weapon stops a foe at that distance.", "§2.6 Hold at bay"),
    "knock-back": ("Five feet for each 15 raw damage (by size); ten feet and one lies down.", "§2.3"),
    "threshold of pain": ("A wound above it: a d20 over the trauma value and one falls helpless.", "§2.4"),
    "shield": ("+4 to +6 defence; a near miss strikes it, and may break it.", "§2.2"),
    "attack bonus": ("Intelligence, Dexterity, level and what one's kind adds.", "§2.1 Bonuses"),
    "defence bonus": ("Wisdom, Dexterity and what armour takes from it.", "§2.1 Bonuses"),
    "no shield": ("Without a shield one defends with a d20p−4.", "§2.1 Defence die"),
    "small shield": ("+4 defence; a near miss strikes it, and may break it.", "§2.2"),
    "medium shield": ("+6 defence; a near miss strikes it, and may break it.", "§2.2"),
    "large shield": ("+6 defence; a near miss strikes it, and may break it.", "§2.2"),
    "aggressive attack": ("+5 to this attack, −2 to all one's defences until the next.", "§2.6 Aggressive attack"),
    "fights defensively": ("−2 attack for every +1 defence; no penetration.", "§2.6 Fight defensively"),
    "fought defensively": ("A pending attack keeps the penalty of a defensive fight.", "§2.6 Fight defensively"),
    "gives ground": ("A step back: +5 to this defence, −1 to the next attack.", "§2.6 Give ground"),
    "ground given": ("Ground given costs the next attack 1, a withdrawal 2.", "§2.6 Give ground"),
    "tactical move": ("−1 to attack and defence for every second, until the next attack.", "§2.6 Tactical move"),
    "quick aim": ("Shot without taking aim: −6.", "§2.5 Loading and aiming"),
    "cover": ("A shot's total counts no more than what covers its target allows.", "§2.5 Cover"),
    "poor light on the target": ("Dim light costs an attack 4, darkness 8.", "§3 Light"),
    "poor light on the attacker": ("Dim light costs a defence 2, darkness 4.", "§3 Light"),
    "fatigue": ("Every bout of fatigue doubles what it costs: 1, 2, 4, 8.", "§4 Fatigue"),
    "dr": ("Damage reduction: taken off every hit.", "§2.1 Damage"),
}
TERMS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {name: (sentence, "countup.md " + rule) for name, (sentence, rule) in _TERMS.items()}
    | {each.name: (each.sentence, each.cited) for each in CONDITIONS.values() if each.sentence}
)
"""Terms and conditions by their word: a sentence, and where the rule stands."""

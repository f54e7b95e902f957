"""Events as sentences of the story, and rule terms in a sentence each; conditions have theirs in conditions.py.

Every sentence stands twice, for one and for many: `Ada strikes`, `Killer Bees strike`. Sentences have no full stop of
their own, so that a cause may follow in brackets.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.cairn.combat.attack import NO_HARM
from rules.cairn.conditions import CONDITIONS, CRITICAL, condition_named
from rules.cairn.state import CairnState, GroundKind
from rules.contract import events as ev
from rules.contract.text import Creature, Plural, Term, Text, Value, joined, ntext, text
from rules.core.dice import plain
from rules.explore import goals
from rules.explore import text as exploration

_BLOWS = {
    False: Plural("{by} strikes at {target} with {weapon} ({dice}): {result}",
                  "{by} strike at {target} with {weapon} ({dice}): {result}"),
    True: Plural("{by} shoots at {target} with {weapon} ({dice}): {result}",
                 "{by} shoot at {target} with {weapon} ({dice}): {result}"),
}  # fmt: skip
_MOVES = {
    "move": Plural("{name} moves {way}", "{name} move {way}"),
    "walk": Plural("{name} walks {way}", "{name} walk {way}"),
    "sneak": Plural("{name} sneaks {way}", "{name} sneak {way}"),
    "hurry": Plural("{name} hurries {way}", "{name} hurry {way}"),
    "stairs": Plural("{name} goes to another level", "{name} go to another level"),
    "dash": Plural("{name} dashes {way}", "{name} dash {way}"),
    "pushed": Plural("{name} is pushed {way}", "{name} are pushed {way}"),
    "swapped": Plural("{name} is elsewhere", "{name} are elsewhere"),
    "teleported": Plural("{name} vanishes and reappears", "{name} vanish and reappear"),
}
_GLIMPSED = Plural("{name} moves at the edge of sight", "{name} move at the edge of sight")
"""No more of the way was seen."""
_HOW = {
    "readied": Plural("{name} takes the {item} in hand", "{name} take the {item} in hand"),
    "dropped": Plural("{name} drops the {item}", "{name} drop the {item}"),
    "picked_up": Plural("{name} picks up the {item}", "{name} pick up the {item}"),
    "thrown": Plural("{name} throws the {item}", "{name} throw the {item}"),
    "broken": Plural("{name} loses the {item}: destroyed", "{name} lose the {item}: destroyed"),
    "spent": Plural("{name} uses up the {item}", "{name} use up the {item}"),
}
_MARKED = Plural("{name} is marked for life ({scar} {row} of the table)",
                 "{name} are marked for life ({scar} {row} of the table)")  # fmt: skip
_LESS = Plural("{name} loses {loss}", "{name} lose {loss}")
_HURT = {
    "hp": Plural("{name} loses {lost} Hit Protection and has {hp} left",
                 "{name} lose {lost} Hit Protection and have {hp} left"),
    "str": Plural("{name} loses {through} {strength} and has {left} left",
                  "{name} lose {through} {strength} and have {left} left"),
    "both": Plural("{name} loses {lost} Hit Protection and {through} {strength} and has {left} {strength} left",
                   "{name} lose {lost} Hit Protection and {through} {strength} and have {left} {strength} left"),
}  # fmt: skip
_HEALED = Plural("{name} regains {amount} {score} and has {now} now",
                 "{name} regain {amount} {score} and have {now} now")  # fmt: skip
_DOORS = {
    "open": Plural("{name} opens a door: {door}", "{name} open a door: {door}"),
    "closed": Plural("{name} closes a door: {door}", "{name} close a door: {door}"),
    "locked": Plural("{name} locks a door: {door}", "{name} lock a door: {door}"),
}
_CAST = {
    (True, True): Plural("{name} casts {spell} at {target}", "{name} cast {spell} at {target}"),
    (True, False): Plural("{name} casts {spell}", "{name} cast {spell}"),
    (False, True): Plural("{name} uses {spell} at {target}", "{name} use {spell} at {target}"),
    (False, False): Plural("{name} uses {spell}", "{name} use {spell}"),
}
_FOUND = {
    True: Plural("{name} finds a secret door", "{name} find a secret door"),
    False: Plural("{name} finds a trap: {trap}", "{name} find a trap: {trap}"),
}
_FOUND_CHEST = Plural("{name} finds something hidden: {trap}", "{name} find something hidden: {trap}")
_OPENS = {
    True: Plural("{name} breaks open the {chest} and finds: {inside}",
                 "{name} break open the {chest} and find: {inside}"),
    False: Plural("{name} breaks open the {chest}", "{name} break open the {chest}"),
}  # fmt: skip
_UNCOVERS = {
    True: Plural("{name} opens the {chest} and finds: {inside}", "{name} open the {chest} and find: {inside}"),
    False: Plural("{name} opens the {chest}, and it is empty", "{name} open the {chest}, and it is empty"),
}
"""By hand, key or pick."""
_DEALT = {
    "disarmed": Plural("{name} disarms a trap: {trap}", "{name} disarm a trap: {trap}"),
    "cleared": Plural("{name} clears {inside} of the {trap}", "{name} clear {inside} of the {trap}"),
}
_SPRINGS = Plural("{name} springs a trap: {trap}", "{name} spring a trap: {trap}")
NOBODY = ("",)
"""Who sees what nobody is told of."""
_ARRIVES = {
    True: Plural("{name} arrives: {wave}", "{name} arrive: {wave}"),
    False: Plural("{name} arrives", "{name} arrive"),
}
_FIZZLES = Plural("{name} casts {spell}, and it fizzles", "{name} cast {spell}, and it fizzles")


WHOLE = (".", "!", "?")
"""How a note ends that is a sentence of its own, as those of explorations are."""


def tell(state: CairnState, event: ev.Event) -> str:
    """One event in words; empty for what needs none."""
    if (aimed := goals.tell(state, state.setup.beings, event)) is not None:
        return aimed
    told = exploration.tell(state.setup.beings, event, exploring=state.explore is not None)
    if told is not None:
        return told
    match event:
        case ev.Began(what="dungeon turn"):
            return text("Dungeon turn {number}.", event.number)
        case ev.Began():
            return text("Round {number}.", event.number) if event.what == "turn" else ""
        case ev.Moved():
            way = ntext(len(event.path), "{n} space", "{n} spaces")
            said = _MOVES.get(event.mode, _MOVES["move"]) if event.path else _GLIMPSED
            return _say(state, event.by, said, way=way)
        case ev.Attack():
            return _attack(state, event)
        case ev.Condition():
            return _condition(state, event)
        case ev.Check():
            template = "{by}, {save}: {total} against {rating}, failed."
            if event.success:
                template = "{by}, {save}: {total} against {rating}, passed."
            total, rating = plain(event.roll.total), plain(event.rating)
            return text(template, by=_name(state, event.by), save=event.what, total=total, rating=rating)
        case ev.Item():
            said = _HOW.get(event.how, Plural("{name} has the {item}", "{name} have the {item}"))
            return _say(state, event.by, said, item=event.item)
        case ev.Injury():
            return _injury(state, event)
        case ev.Healing():
            score = event.what.upper()
            return _say(state, event.target, _HEALED, event.because, amount=event.amount, score=score, now=event.now)
        case ev.Arrived():
            return _say(state, event.by, _ARRIVES[bool(event.what)], wave=event.what)
        case ev.Posture():
            return _say(state, event.by, Plural("{name} stands up", "{name} stand up"))
        case ev.Door() if event.by is None or event.state not in _DOORS:
            return text("A door is {state}: {door}.", event.state, event.door)
        case ev.Door():
            return _say(state, event.by, _DOORS[event.state], door=event.door)
        case ev.Note() if event.seen_by == NOBODY:
            return ""
        case ev.Note() if event.text.endswith(WHOLE):
            return event.text
        case ev.Note():
            by = _name(state, event.by) if event.by else ""
            return text("{by}: {said}.", by, event.text) if by else text("{said}.", event.text)
        case ev.Cast() if not event.success:
            return _say(state, event.by, _FIZZLES, spell=event.spell)
        case ev.Cast():
            target = _name(state, event.target) if event.target else ""
            said = _CAST[event.what == "fatigue", bool(target)]
            return _say(state, event.by, said, spell=event.spell, target=target)
        case ev.Challenge() if event.state == "found":
            said = _FOUND_CHEST if event.kind == "chest" else _FOUND[event.kind == "door"]
            return _say(state, event.by, said, trap=event.challenge)
        case ev.Challenge():
            said, name = _DEALT.get(event.state, _SPRINGS), event.challenge
            if event.state == "open":
                said = (_UNCOVERS if event.how else _OPENS)[bool(event.contents)]
            return _say(state, event.by, said, chest=name, trap=name, inside=event.contents)
        case ev.Zone() if event.kind == GroundKind.SNUFF:
            return "Lights go out."
        case ev.Zone():
            return text("{ground} on the ground." if event.gained else "{ground}: gone.", ground=event.name)
        case ev.Summoned():
            name = Creature(event.name, event.target)
            return text("{name} appears." if event.gained else "{name} is gone.", name=name)
        case ev.Over() if event.winner:
            return text("The fight is over: {winner} win.", event.winner)
        case ev.Over():
            return "The fight is over: nobody is left standing."
    return ""


def _name(state: CairnState, creature: str | None) -> str:
    who = state.setup.index.get(creature or "")
    return Creature(state.setup.beings[who].name, str(creature)) if who is not None else str(creature)


def _say(state: CairnState, creature: str | None, plural: Plural, because: str = "", **fields: Value) -> Text:
    """The sentence in the number of its subject, with the cause behind it."""
    who = state.setup.index.get(creature or "")
    many = who is not None and state.setup.beings[who].plural
    said = plural.text(2 if many else 1, name=_name(state, creature), **fields)
    if because and because not in said:
        return text("{said} ({because}).", said, because)
    return text("{said}.", said)


def _attack(state: CairnState, e: ev.Attack) -> str:
    """The blow and its dice; what it does stands in the events of its harm, and of the save that decides it."""
    dice = joined(" + ", (roll.dice for roll in e.rolls))
    result: str = str(e.attack)
    if e.defense and e.outcome != "scratched":
        result = text("{attack} less {armor} {defense}", e.attack, Term("Armor"), e.defense)
    if any(note.because == NO_HARM for note in e.adjustments):
        result = text("{result}, no harm to its kind", result)
    elif e.outcome == "scratched":
        result = text("{result}, the other blow counts", result)
    elif e.outcome == "nothing":
        result = text("{result}, nothing gets through", result)
    return _say(
        state, e.by, _BLOWS[e.ranged], by=_name(state, e.by), target=_name(state, e.target), weapon=e.weapon,
        dice=dice, result=result,
    )  # fmt: skip


def _injury(state: CairnState, e: ev.Injury) -> str:
    """What was lost, of Hit Protection and of STR, and what is left."""
    lost, through = e.amount - e.through, e.through
    said = _HURT["hp" if not through else "both" if lost else "str"]
    cause = e.because if e.by is None or e.rolls else ""  # a blow has been told already
    return _say(state, e.target, said, cause, lost=lost, hp=e.hp, through=through, left=str(e.second),
                strength=Term("STR"))  # fmt: skip


def _condition(state: CairnState, e: ev.Condition) -> str:
    name = e.condition
    if name.startswith("scar "):
        return _say(state, e.target, _MARKED, e.because, scar=Term("scar"), row=name.removeprefix("scar "))
    if name.startswith("−"):
        return _say(state, e.target, _LESS, e.because, loss=name.removeprefix("−"))
    said = condition_named(name).gained if e.gained else condition_named(name).lost
    return _say(state, e.target, said, e.because, condition=Term(name), critical=Term(CRITICAL.name))


TERMS: Mapping[str, tuple[str, str]] = {
    **{each.name: (each.text, each.rule) for each in CONDITIONS.values() if each.text},
    "save": ("A d20 at or under the attribute passes; a 1 always does, a 20 never.", "cairn.md §2.1"),
    "str": ("Strength: force, poison, critical damage. At 0 one is dead.", "cairn.md §4"),
    "dex": ("Dexterity: speed and balance. At 0 one is paralysed.", "cairn.md §4"),
    "wil": ("Willpower: nerve, magic, morale. At 0 one is delirious.", "cairn.md §4"),
    "hp": ("Hit Protection: what keeps a blow from mattering. It is lost before Strength.", "cairn.md §2.4"),
    "armor": ("Taken off the highest die, once; never more than 3.", "cairn.md §5.2"),
    "impaired": ("The attack rolls a d4 whatever the weapon.", "cairn.md §2.2"),
    "enhanced": ("The attack rolls a d12 whatever the weapon.", "cairn.md §2.2"),
    "pool": ("All dice of a side against one target fall together; the highest counts.", "cairn.md §2.3"),
    "scar": ("What is left by a blow that takes Hit Protection to exactly 0.", "cairn.md §4"),
    "morale": ("Foes who lose one, or half, or stand alone at 0 HP, make a WIL save or flee.", "cairn.md §2.11"),
    "slots": ("Ten in all; bulky things fill two, petty ones none; with all filled HP count as 0.", "cairn.md §4"),
    "help": ("A friend is freed or takes heart; where a foe holds it, the weaker of the two saves STR.",
             "cairn.md §2.12"),
    "detachment": ("Many as one: single blows on it are impaired, its own are enhanced and strike all around.",
                   "cairn.md §2.13"),
    "blast": ("A die of its own for everybody in the area.", "cairn.md §2.2"),
    "direct": ("Straight to STR, past Hit Protection; Armor still counts.", "cairn.md §2.5"),
    "reaction": ("2d6: 2 hostile, 3–5 wary, 6–8 curious, 9–11 kind, 12 helpful.", "cairn.md §1"),
    "die of fate": ("d6: 4 and more is good for the party.", "cairn.md §1"),
    "ready": ("A blow or a power held until a foe comes within reach, or does something there.", "cairn.md §2.12"),
    "retreat": ("The whole turn and a DEX save, or the turn is lost.", "cairn.md §2.8"),
    "killed": ("Dead: STR at 0, or for foes a failed critical save.", "cairn.md §2.4"),
    "wounded": ("STR was lost, and the critical save passed.", "cairn.md §2.4"),
    "hit points": ("Hit Protection was lost and some is left: no wound.", "cairn.md §2.4"),
    "scratched": ("Another blow of the pool counted.", "cairn.md §2.3"),
    "dice": ("What an attack rolls: the highest counts.", "cairn.md §2.2"),
}  # fmt: skip

SECTIONS: dict[str, str] = {
    "§1": "A round is some ten seconds; the party comes first; a whole side declares before any die falls.",
    "§2.1": "A save is a d20 at or under the attribute; a 1 always passes, a 20 never.",
    "§2.2": "Attacks always hit: roll the weapon's die, take off Armor. Impaired is a d4, enhanced a d12.",
    "§2.3": "All dice of a side against one target fall together; the highest counts, Armor once.",
    "§2.4": "Hit Protection first, the rest off STR; then a save against what is left, or critical damage.",
    "§2.5": "Who can't defend loses STR at once; Armor still counts.",
    "§2.6": "Bandages stop the hour's clock of critical damage.",
    "§2.7": "A move is 8 spaces, a second one takes the action; nobody strikes at who walks by.",
    "§2.8": "Leaving a fight takes the whole turn and a DEX save while foes are about.",
    "§2.9": "Shots at the especially distant are impaired.",
    "§2.10": "A book costs a Fatigue, and in danger a WIL save.",
    "§2.11": "Foes save WIL at the first casualty, at half their number, and alone at 0 HP.",
    "§2.12": "Trips, shoves, grips: the one most at risk saves.",
    "§2.13": "A detachment: single blows on it are impaired, its own are enhanced and strike all around.",
    "§3": "Cover, distance and darkness on the grid.",
    "§4": "Conditions, slots and scars.",
    "§5.2": "Armor is never more than 3.",
    "§5.5": "What spells, scrolls and relics do on the grid.",
    "§5.6": "What the bestiary says of a creature.",
}
"""The rules' sections in a sentence each."""


def term(word: str) -> tuple[str, str] | None:
    """(sentence, rule) of a term, or of a section named as `cairn.md §2.4`; None for what the rules don't know."""
    found = TERMS.get(word.lower())
    if found is None and word.startswith("cairn.md "):
        section = SECTIONS.get(word.removeprefix("cairn.md "))
        return None if section is None else (section, word)
    return found

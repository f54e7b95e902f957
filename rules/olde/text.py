"""What Dungeons of Olde says: events as sentences of the story, terms, rules, and pages made of the content."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rules.board.fixtures import PORTCULLIS, DoorState
from rules.contract import events as ev
from rules.contract.text import Creature, Term, joined, noticed, ntext, parted, text, titled
from rules.core.dice import plain, signed
from rules.core.secrets import DOOR, Stands
from rules.explore import goals
from rules.explore import text as exploration
from rules.olde.challenges.checks import outcome_of
from rules.olde.combat.reactions import REACTIONS
from rules.olde.conditions import BLEEDING, CONDITIONS, INCAPACITATED, STUNNED, SUBMERGED, SWIMMING
from rules.olde.effects import ZoneKind
from rules.olde.magic.casting import against_words, effect_words, manner_words
from rules.olde.magic.models import grimoire_of
from rules.olde.magic.spells import POOLS, ItemKind, Spell
from rules.olde.state import STANDING, Because, OldeState
from rules.olde.traits import MARKS, TRAITS, Split

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
    "stairs": "{who} goes to another level.",
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
    if (aimed := goals.tell(state, state.setup.fighters, event)) is not None:
        return aimed
    told = exploration.tell(state.setup.fighters, event, exploring=state.explore is not None)
    if told is not None:
        return told
    by, target = (_name(state, getattr(event, field, None)) for field in ("by", "target"))
    match event:
        case ev.Note():
            return event.text
        case ev.Began(what="minute"):
            return text("Minute {number}.", event.number)
        case ev.Began(what="turn"):
            return text("Turn {number} begins.", event.number)
        case ev.Began(what="round") if event.number > 1:
            return text("Round {number}.", event.number)
        case ev.Ended() if event.passed:
            return text("{by} waits.", by)
        case ev.Chance() if event.rolls:
            return text("{by} goes first by a roll-off.", by)
        case ev.Question():
            options = joined(" or ", (option.replace("_", " ") for option in event.options))
            return text("A choice stands open: {options}.", options)
        case ev.Points() if event.roll is not None or event.because == Because.SURPRISED:
            template = "{by} has {now} AP ({because})." if event.because else "{by} has {now} AP."
            return text(template, by=by, now=event.now, because=event.because)
        case ev.Moved() if not event.path:  # no more of the way was seen
            return text("{by} moves at the edge of sight.", by)
        case ev.Moved():
            way, free = ntext(len(event.path), "{n} space", "{n} spaces"), Term("free steps")
            return text(_MOVES.get(event.mode, "{who} {mode}."), who=by, n=way, mode=event.mode, free_steps=free)
        case ev.Attack():
            return _attack(by, target, event)
        case ev.Injury():
            return _injury(target, event)
        case ev.Healing() if event.amount:  # else whoever it is was whole already
            pool = {"hp": "HP", "mana": "Mana", "faith": "Faith"}.get(event.what, event.what)
            return text("{target} recovers {amount} {pool}.", target, event.amount, pool)
        case ev.Condition():
            told = CONDITIONS[event.condition].told(gained=event.gained, because=event.because)
            return text(told, who=target, condition=Term(event.condition)) if told else ""
        case ev.Earned():
            return text("{by} earns {points} CP.", by, event.points)
        case ev.Check():
            return _check(state, by, event)
        case ev.Contest():
            return _contest(by, target, event)
        case ev.Challenge():
            return _challenge(by, event)
        case ev.Zone():
            return text(ZoneKind(event.kind).does.begins if event.gained else "The {name} is gone.", name=event.name)
        case ev.Chosen():
            who = {"d2": "The die", "gm": "The GM"}.get(event.by) or by
            return text("{who} decides: {option}.", who, event.option.replace("_", " "))
        case ev.Adjusted():
            a = event.adjustment
            return text("{target}: {to} {change}, {because}.", target, a.to, signed(a.value), a.because)
        case ev.Item(how="spent") if event.item in state.setup.grimoire.items:
            return ""  # the casting that follows tells it
        case ev.Item():
            return text(_HOW.get(event.how, "{who}: {how}, {item}."), who=by, item=event.item, how=event.how)
        case ev.Door():
            return _door(state, by, event)
        case ev.Posture():
            return _posture(by, event)
        case ev.Cast():
            return _cast(state, by, target, event)
        case ev.Enchanted() if event.name != SUBMERGED.name:  # the condition that comes with it tells it
            return _enchanted(target, event)
        case ev.Summoned():
            name, parent = Creature(event.name, event.target), state.setup.index.get(event.by or "")
            if event.gained and parent is not None and state.setup.fighters[parent].traits.of(Split) is not None:
                return text("{parent} divides: {name} crawls away from it.", by, name)
            return text("{name} comes when called." if event.gained else "{name} fades away.", name=name)
        case ev.Arrived():
            return text("{by} arrives: {wave}.", by, event.what) if event.what else text("{by} arrives.", by)
        case ev.Over():
            lost = "The fight is over: nobody is left standing."
            return text("The fight is over: {winner} win.", event.winner) if event.winner else lost
    return ""


def _name(state: OldeState, creature: str | None) -> str:
    who = state.setup.index.get(creature or "")
    return str(creature) if who is None else state.setup.fighters[who].called


def _attack(by: str, target: str, e: ev.Attack) -> str:
    outcome: str = Term(e.outcome.replace("_", " "))
    if e.action in REACTIONS:
        outcome = joined(", ", (outcome, REACTIONS[e.action].label))
    outcome = text("{outcome} for {damage}", outcome, e.damage) if e.margin >= 0 else outcome
    figures = joined(", ", (text("{attack} against {defense}", plain(e.attack), plain(e.defense)), outcome))
    template = "{by} strikes at {target} with {weapon}: {figures}."
    if e.ranged:
        template = "{by} shoots at {target} with {weapon}: {figures}."
    return text(template, by=by, target=target, weapon=e.weapon, figures=figures)


def _injury(target: str, e: ev.Injury) -> str:
    falls = e.status == INCAPACITATED.name and e.hp + e.amount > 0
    if e.by is not None and not e.because.startswith("struck back"):
        template = "{name} goes down ({hp} HP)." if falls else "{name} is {status} ({hp} HP)."
    elif falls:
        template = "{name} loses {amount} HP: {because}, and goes down ({hp} HP)."
    else:
        template = "{name} loses {amount} HP: {because} ({hp} HP, {status})."
    return text(template, name=target, amount=e.amount, because=e.because, hp=plain(e.hp), status=Term(e.status))


def _check(state: OldeState, by: str, e: ev.Check) -> str:
    simple = e.what in _PLAIN or e.what.startswith("Alertness")
    outcome = outcome_of(e.ranks) if state.setup.criticals and not simple else None
    verdict = outcome.name if outcome is not None else "holds" if e.success else "fails"
    verdict = noticed(e.what, success=e.success) or verdict
    template, rating = "{by}, {what}: {total} against {rating}, {verdict}.", plain(e.rating)
    return text(template, by=by, what=e.what, total=plain(e.roll.total), rating=rating, verdict=verdict)


def _contest(by: str, target: str, e: ev.Contest) -> str:
    """`Kord, Parry against Goblin: 12 against 9, in time.`"""
    first, *second = (plain(roll.total) for roll in e.rolls)
    if not second:
        return text("{by}, {what}: {total}, {note}.", by, e.what, first, e.note)
    template = "{by}, {what} against {target}: {first} against {second}, {note}."
    return text(template, by, e.what, target, first, second[0], e.note)


_CHALLENGES = {
    "found": "{who} finds a trap: {challenge}.",
    "cleared": "{who} clears {contents} of the {challenge}.",
    "open": "{who} opens the {challenge}.",
    "sorted": "{who} has sorted what lay in the {challenge}.",
    "disarmed": "{who} disarms the {challenge}.",
}


def _challenge(by: str, e: ev.Challenge) -> str:
    template = _CHALLENGES.get(e.state, "{who} springs the {challenge}!")
    if e.state == Stands.FOUND and e.kind == DOOR:
        template = "{who} finds a secret door."
    if e.state == Stands.OPEN and e.contents:
        template = "{who} opens the {challenge}. Inside: {contents}."
    return text(template, who=by, challenge=e.challenge, contents=e.contents)


def _door(state: OldeState, by: str, e: ev.Door) -> str:
    is_open = e.state == DoorState.OPEN
    if any(door.id == e.door and door.kind == PORTCULLIS for door in state.setup.field.doors):
        if not e.by:
            return "The portcullis crashes down."
        return text("{who} heaves the portcullis up." if is_open else "{who} lets the portcullis down.", who=by)
    if not e.by:
        return text("The door is {how}.", e.state)
    return text("{who} opens the door." if is_open else "{who}: the door is {how}.", who=by, how=e.state)


def _posture(by: str, e: ev.Posture) -> str:
    if e.posture == SWIMMING.name and not e.because:
        return ""  # how one came into the water has been told
    if e.posture != STANDING:
        template = "{who} is {posture} ({because})." if e.because else "{who} is {posture}."
    elif e.because == Because.ASHORE:
        template = "{who} comes ashore."
    else:
        template = "{who} stands up ({because})." if e.because else "{who} stands up."
    return text(template, who=by, posture=Term(e.posture), because=e.because)


def _cast(state: OldeState, by: str, target: str, e: ev.Cast) -> str:
    """`Wren casts ember bolt at Goblin: 12 against 7, for 5.`"""
    others = e.target is not None and e.target != e.by
    if e.item:
        template = "{who} uses the {item} on {target}" if others else "{who} uses the {item}"
    else:
        template = "{who} casts {spell} on {target}" if others else "{who} casts {spell}"
    head = text(template, who=by, item=e.item, spell=e.spell, target=target)
    if len(e.resisted) == 1 and e.target is not None:
        return _so("{what}: {how}.", "{what}, {how}.", head, _fared(e, e.resisted[0]))
    if e.resisted and not e.rating:
        each = (_so("{what} {how}", "{what}, {how}", _name(state, r.target), _fared(e, r)) for r in e.resisted)
        return text("{head}: {each}.", head, joined("; ", each))
    figures = text("{total} against {rating}", plain(e.total), plain(e.rating)) if e.rating else ""
    return _so("{what}: {how}.", "{what}, {how}.", head, (figures, "" if e.success else "in vain"))


def _so(figured: str, bare: str, what: str, how: tuple[str, str]) -> str:
    """What was done or to whom, and how it went, in figures and a verdict, as far as there are any."""
    if not any(how):
        return text("{what}.", what) if bare.endswith(".") else what
    return text(figured if how[0] else bare, what=what, how=joined(", ", filter(None, how)))


def _fared(e: ev.Cast, r: ev.Resistance) -> tuple[str, str]:
    """How somebody fared: the figures, and what came of it."""
    figures = text("{total} against {rating}", plain(e.total), plain(r.rating)) if r.rating else ""
    if not r.holds:
        return figures, "in vain"
    if r.damage:
        return figures, text("for {damage}", r.damage)
    return figures, "it takes hold" if figures else ""


def _enchanted(target: str, e: ev.Enchanted) -> str:
    fields = {"name": target, "effect": Term(e.name), "because": e.because}
    if not e.gained:
        return text("{name}: {effect} ends ({because})." if e.because else "{name}: {effect} ends.", **fields)
    left = "until the next reset" if e.turns == 1 else ntext(e.turns, "for {n} turn", "for {n} turns")
    does = [part for part in parted(e.text, ", ") if part != e.name] if e.text else []
    if not does:
        return text("{name} is {effect} {left}.", left=left, **fields)
    return text("{name}: {effect}, {does}, {left}.", does=joined(", ", does), left=left, **fields)


# ruff: noqa: E501 -- a table reads best one entry a line
TERMS: dict[str, tuple[str, str]] = {
    **{each.name: (each.sentence, each.rule) for each in (*CONDITIONS.values(), *MARKS.values()) if each.sentence},
    "brawn": ("Physical might: hit points, heavy weapons and armor, brute force.", "olde.md §2"),
    "finesse": ("Agility: action points, Defense, light and ranged weapons.", "olde.md §2"),
    "savvy": ("Sharpness of mind: healing, locks, Mana.", "olde.md §2"),
    "nerve": ("Strength of will: Faith, and half of it adds to hit points.", "olde.md §2"),
    "hit points": ("Brawn plus half of Nerve. At 0 or less one is incapacitated and dying.", "olde.md §2, §7"),
    "action points": ("One Finesse die each turn, not exploding. At most 3 may be spent in a round.", "olde.md §4"),
    "defense": ("Two exploding Finesse dice plus skill and shield: the attack must equal or beat it.", "olde.md §6"),
    "free steps": ("Once a turn, all at once, before movement and action, while AP are left; they cost none.", "olde.md §4"),
    "step": ("Up to 3 spaces a round, 1 AP each.", "olde.md §4"),
    "run": ("Up to 6 spaces a round, 1 AP for 2; Defense −1 for each AP so spent until the reset.", "olde.md §4"),
    "climb": ("2 AP: a level by stairs or a ladder; over a face or wall by a Climb check. Two ranks of failure: one falls.", "olde.md §4"),
    "leap": ("Over a gap of 1 space (Easy) or 2 (Hard), 1 AP. Two ranks of failure: one falls.", "olde.md §4"),
    "rise": ("To one's feet: 2 AP, or all of fewer if none was spent. An action may follow.", "olde.md §4"),
    "drop": ("To sit, kneel or lie, 1 AP. An action may follow.", "olde.md §4"),
    "flop": ("To throw oneself down after any movement, 0 AP.", "olde.md §4"),
    "attack": ("Two exploding dice of the weapon's stat plus skill against the target's Defense, 2 AP.", "olde.md §6"),
    "rushed attack": ("1 AP, attack −2, one's own Defense −1 until the reset.", "olde.md §4"),
    "all-out attack": ("3 AP, melee: attack +2, damage +4, one's own Defense −3 until the reset.", "olde.md §4"),
    "aimed shot": ("3 AP, ranged: attack +2, damage +2, one's own Defense −2 until the reset.", "olde.md §4"),
    "shield block": ("2 AP: Defense +2 against melee until the reset; needs Shields at Journeyman.", "olde.md §4"),
    "first aid": ("A Healing check that stops bleeding or dying of an ally beside one, or of oneself.", "olde.md §7"),
    "only": ("Costs so many AP; with fewer from the start and none spent, all of them: then it is the whole turn.", "olde.md §4"),
    "reach": ("How many spaces away a melee weapon strikes; 0 is the same space.", "olde.md §5"),
    "range": ("No penalty up to the base range, −2 for each doubling.", "olde.md §6"),
    "clear sight": ("From centre to centre nothing is in the way.", "olde.md §5"),
    "partial sight": ("From the attacker's centre to some point of the target's space: −3.", "olde.md §5"),
    "minimal sight": ("From some point of one space to some point of the other: −6.", "olde.md §5"),
    "healthy": ("Hit points are full.", "olde.md §7"),
    "bruised": ("At least half of the hit points are left.", "olde.md §7"),
    "wounded": ("Less than half of the hit points are left.", "olde.md §7"),
    "parry": ("A reflex, 1 AP: quicker than the attacker, one blocks a melee attack; −2 on own attacks until the reset.", "olde.md §6 reflexes"),
    "counterattack": ("A reflex, 2 AP: quicker than the attacker, one strikes first, at −2.", "olde.md §6 reflexes"),
    "riposte": ("A response, 1 AP: a fencing weapon strikes back after the attack, −1 for each HP just lost.", "olde.md §6 reflexes"),
    "search": ("Alertness or Investigation against whatever is hidden within 2 spaces: 3 AP, or all of fewer.", "olde.md §8"),
    "obstacles": ("Disable, Burst or Lift/Shift against a chest, a known trap or rubble beside one.", "olde.md §4 force or pick"),
    "sneak": ("A minute: up to 3 spaces, Sneak against the Alertness of each who might notice.", "olde.md §3 opposed"),
    "walk": ("A minute: up to 6 spaces, openly; whoever looks there notices.", "olde.md §8"),
    "ambush": ("The fight begins; whoever has noticed nothing is caught unaware and has 1 AP.", "olde.md §4"),
    "torch": ("Burns 45 minutes of an exploration; a minute lights another, while there is one.", "olde.md §8 lights"),
    "lantern": ("Burns 6 hours of exploration; a minute and a flask of oil light it anew.", "olde.md §8 lights"),
    "this minute": ("Each hero has one turn in every minute of an exploration, in any order.", "olde.md §8"),
    "unaware": ("Has noticed nothing: 1 AP in the first reset, if it is caught so.", "olde.md §4"),
    "bind wounds": ("Five minutes, once: Healing, Easy 1 HP for the bruised, Moderate 2 HP for the wounded.", "olde.md §7"),
    "slip away": ("By an exit of the map, once all heroes who can act stand at one, and nobody has noticed them.", "olde.md §8"),
    "assist": ("2 AP: adds +1 or more to the next check of an ally beside one.", "olde.md §3 assisted"),
    "intimidate": ("2 AP: Intimidate against two dice of the other's Nerve; it is frightened.", "olde.md §3"),
    "mana": ("Savvy plus half of Nerve: pays for spells. 1 comes back each reset, 2 by Recover.", "olde.md §2, §4"),
    "faith": ("Nerve plus half of Savvy: pays for blessings. 1 comes back each reset, 2 by Recover.", "olde.md §2, §4"),
    "cast spell": ("A Savvy or Nerve check, then what the spell says. Gestures suffer from a shield.", "olde.md §9 casting"),
    "use item": ("A potion, scroll or device: 3 AP, or all of fewer if none was spent; it is used up.", "olde.md §4"),
    "gesture": ("A spell with a gesture is cast at the shield's spell adjustment.", "olde.md §6 shields"),
    "incantation": ("Must be spoken: not while silenced.", "olde.md §7"),
    "call for help": ("1 AP: all sleeping allies in earshot wake and act from the next reset.", "olde.md §10 call for help"),
    "swim": ("2 AP: a Swim check; each rank of success is a space. Two ranks of failure: one goes under.", "olde.md §5 water"),
    "legendary success": ("9 or more over in a check: +2 on checks until the reset.", "olde.md §3 critical outcomes"),
    "critical success": ("6 to 8 over in a check: +1 on checks until the reset.", "olde.md §3 critical outcomes"),
    "critical failure": ("6 to 8 short in a check: −1 on checks, Defense −2 until the reset.", "olde.md §3 critical outcomes"),
    "disastrous failure": ("9 or more short in a check: −2 on checks, Defense −2 until the reset, and one falls.", "olde.md §3 critical outcomes"),
    "legendary hit": ("9 or more over: Brawn weapons do twice their maximum; Finesse weapons their maximum past armor.", "olde.md §6"),
    "critical hit": ("6 to 8 over: maximum damage and 2 more, or damage past armor with Finesse weapons.", "olde.md §6"),
    "solid hit": ("3 to 5 over: 2 more damage, or at least 2 with Finesse weapons.", "olde.md §6"),
    "hit": ("0 to 2 over: normal damage.", "olde.md §6"),
    "miss": ("1 or 2 short: nothing happens.", "olde.md §6"),
    "clean miss": ("3 to 5 short: the attacker stumbles, Defense −2 until the reset.", "olde.md §6"),
    "critical miss": ("6 to 8 short: the weapon is dropped or the attacker falls.", "olde.md §6"),
    "disastrous miss": ("9 or more short: the weapon breaks or the defender strikes back.", "olde.md §6"),
    "stunning blow": ("More than half of the maximum in one injury: Brawn or Nerve check against the damage.", "olde.md §7"),
}  # fmt: skip


# ruff: noqa: E501 -- a table reads best one entry a line
RULES: dict[str, str] = {
    "olde.md §9": "What the spell or blessing says, as long as it lasts.",
    "olde.md §9 casting": "Casting is a check of Savvy or Nerve with the skill's rank; what must be reached stands on the card.",
    "olde.md §9 conditions": "A spell put this condition on somebody; it ends as the spell says.",
    "olde.md §9 durations": "Effects last so many turns; the end of the last one ends them.",
    "olde.md §1 advantage": "Two full sets of dice are thrown; with advantage the better counts, with disadvantage the worse (when is the table's ruling).",
    "olde.md §2": "The four stats give dice, hit points and pools.",
    "olde.md §2 ranks": "A skill's rank adjusts every roll with it: untrained −2, Apprentice 0, Journeyman +1, Foreman +2, Master +3, Grand Master +4, Legendary Master +5.",
    "olde.md §3 assisted": "Whoever stands beside and helps adds to the check.",
    "olde.md §3 opposed": "Of two who roll against each other the target rolls first, and its total is the rating; equal is enough.",
    "olde.md §3 critical outcomes": "A check 6 or more over or short leaves +1 or −1 on checks until the reset, from 9 on +2 or −2; short, Defense −2, too.",
    "olde.md §3 scaling": "Each rank of success pays again: one for reaching the rating, one more for each 3 over it.",
    "olde.md §4 aimed shot": "3 AP, ranged: attack +2, damage +2, one's own Defense −2 until the reset.",
    "olde.md §4 all-out attack": "3 AP, melee: attack +2, damage +4, one's own Defense −3 until the reset.",
    "olde.md §4 rushed attack": "1 AP: attack −2, one's own Defense −1 until the reset.",
    "olde.md §4 run": "Defense −1 for each AP spent on running, until the reset.",
    "olde.md §4 leap": "Over a gap of 1 space it is Easy, over 2 Hard; two ranks of failure are a fall.",
    "olde.md §4 free steps": "Once a turn, before movement and action, while action points are left.",
    "olde.md §4 shield block": "2 AP: Defense +2 against melee until the reset.",
    "olde.md §4 temporary": "What movements, actions and stumbles gave away or gained; all of it ends at the reset.",
    "olde.md §4 ready": "Taking things into the hands or out of them.",
    "olde.md §4 use": "Using an item costs 3 AP, or all of fewer if none was spent.",
    "olde.md §4 force or pick": "Locks, bars, chests and traps give way to Burst, Lift/Shift or Disable, against their difficulty.",
    "olde.md §5 line of sight": "Clear 0, partial −3 (from the attacker's centre to some point of the target's space), minimal −6 (from some point to some point).",
    "olde.md §5 heights": "A fall costs d6 for each level, armor is no help, and one lies prone.",
    "olde.md §5 water": "In deep water one only swims: −3 to hit, −6 to shoot, −3 to defend in melee, +3 against shots.",
    "olde.md §6": "The attack must equal or beat the Defense; by how much decides the outcome.",
    "olde.md §6 armor": "Armor takes its figure off each injury; too heavy for one's Brawn, each point short is −1 on checks.",
    "olde.md §6 critical outcomes": "The margin decides: +3 solid, +6 critical, +9 legendary; −3 a stumble, −6 critical, −9 disastrous.",
    "olde.md §6 defense": "Two exploding Finesse dice, the better of weapon and shield skill (with empty hands Brawling), and the shield's bonus.",
    "olde.md §6 grip": "Each point of Brawn below what the weapon needs in this grip: −1 attack and −1 damage.",
    "olde.md §6 ranged": "Up to the base range 0, then −2 for each doubling; −2 against somebody adjacent who can move.",
    "olde.md §6 reflexes": "Out of turn, for AP: a reflex before the blow is resolved, if one is quicker than the attacker; a response after it.",
    "olde.md §6 shields": "A shield adds to Defense; too heavy, each point of Brawn short is −1; gestures suffer from it.",
    "olde.md §6 helpless": "Who is stunned, asleep or incapacitated rolls no Defense: the attack needs an Easy 6.",
    "olde.md §6 unarmed": "Bare hands do half a Brawn die; an improvised weapon adds 1 for each full 5 Brawn.",
    "olde.md §6 weapons": "What the weapon's table says of it.",
    "olde.md §7": "Injury and conditions: what they take away, and what ends them.",
    "olde.md §7 blinded": "−5 to attack and defend.",
    "olde.md §7 first aid": "A Healing check stops bleeding or dying.",
    "olde.md §7 prone": "−3 to hit and to defend in melee, +3 Defense against shots.",
    "olde.md §7 rest": "Rest gives hit points back, with a caregiver more.",
    "olde.md §8 noise": "Alertness by ear: Trivial within 6 spaces, and one rating more for each 6 spaces beyond.",
    "olde.md §8 taking along": "Everybody carries 4 sizes of things for each point of Brawn; a hundred coins are one size.",
    "olde.md §8 keys": "Whoever has a door's key locks and unlocks it beside them, for 1 AP.",
    "olde.md §8 noticing": "Alertness against Sneak: the line of sight and distance count as for a shot; by ear −3, asleep −6.",
    "olde.md §8 lights": "What heroes carry burns down by the minute: a torch 45, a lantern 360; then it is lit anew (R).",
    "olde.md §10 sleepers": "Who sleeps when the fight begins wakes by damage, an ally, a call or a Savvy check of 12.",
}  # fmt: skip
RULES |= {(usual := kind()).source: usual.rule for kind in TRAITS.values()}


def sentence_of(rule: str) -> tuple[str, str] | None:
    """What a rule says and where it stands: by its whole name, else by the longest part that is known."""
    words = rule.lower().split()
    for length in range(len(words), 0, -1):
        found = RULES.get(" ".join(words[:length]))
        if found is not None:
            return found, rule
    return None


AS_RANK = 8
"""The caster's stat for which the dice of spells are written out."""


class Entry(NamedTuple):
    """One page: chapter, title, rule, paragraphs."""

    chapter: str
    title: str
    rule: str
    paragraphs: tuple[str, ...]


def entries(tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[Entry]:
    """A page for each spell, blessing and item. Raises BattlematError for faulty tables."""
    grimoire = grimoire_of(tables)
    for spell in grimoire.spells.values():
        pool = POOLS[spell.pool]
        chapter, rule = pool.table.capitalize(), f"olde.md §9 {pool.table}"
        cost = text("{ap} AP · {price} {label}", spell.ap, spell.price, pool.label)
        stat = text("Dice for a {stat} of {as_rank}.", pool.stat.capitalize(), AS_RANK)
        does = (_told(spell, AS_RANK), *((stat,) if spell.dice is not None and not spell.dice.rank else ()))
        yield Entry(chapter, titled(spell.name), rule, (cost, *does, spell.summary))
    for item in grimoire.items.values():
        told = _told(item.spell, item.rank, check=item.kind is not ItemKind.POTION)
        yield Entry("Potions, scrolls and devices", titled(item.name), "olde.md §9 items",
                    (text("{kind}: 3/Only", titled(item.kind)), told, item.summary))  # fmt: skip


def _told(spell: Spell, rank: int, *, check: bool = True) -> str:
    parts = (effect_words(spell, rank), against_words(spell) if check else "", manner_words(spell))
    return titled(joined("; ", (part for part in parts if part)))

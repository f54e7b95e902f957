"""Rule terms in a sentence each, for tooltips; conditions have theirs in conditions.py."""

from __future__ import annotations

from rules.cairn.conditions import CONDITIONS

TERMS: dict[str, tuple[str, str]] = {
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
    "help": (
        "A friend is freed or takes heart; where a foe holds it, the weaker of the two saves STR.",
        "cairn.md §2.12",
    ),
    "detachment": (
        "Many as one: single blows on it are impaired, its own are enhanced and strike all around.",
        "cairn.md §2.13",
    ),
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
}

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
    known = CONDITIONS.get(word.lower())
    if known is not None and known.text:
        return known.text, known.rule
    found = TERMS.get(word.lower())
    if found is None and word.startswith("cairn.md "):
        section = SECTIONS.get(word.removeprefix("cairn.md "))
        return None if section is None else (section, word)
    return found

"""Rule terms in a sentence each, for tooltips."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rules.countup.conditions import CONDITIONS

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

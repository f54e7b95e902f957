"""Rule terms in a sentence each, for tooltips."""

from __future__ import annotations

TERMS: dict[str, tuple[str, str]] = {
    "penetration": ("The highest face is thrown again and adds one less, without end.", "countup.md §0"),
    "initiative": ("The first second in which one may act; until then one is surprised.", "countup.md §1.1"),
    "due": ("The first second in which the weapon may strike again.", "countup.md §1"),
    "speed": ("Seconds from one attack to the next.", "countup.md §1"),
    "reach": ("Feet beyond one's own space; who reaches farther strikes first on contact.", "countup.md §1"),
    "jab": ("Quicker; no penetration, and half the damage.", "countup.md §2.6"),
    "aggressive": ("+5 to this attack, −2 to all one's defences until the next.", "countup.md §2.6"),
    "charge": ("After 20 ft straight at a run: +4 attack, twice the knock-back.", "countup.md §2.6"),
    "defensive": ("−2 attack for every +1 defence; no penetration.", "countup.md §2.6"),
    "copied": ("A hit finds one of the copies as likely as the caster; it is gone then.", "countup.md §5.4"),
    "full parry": ("No attack; +5 defence until the next would be due.", "countup.md §2.6"),
    "parry": ("No attack; +5 defence until the next would be due.", "countup.md §2.6"),
    "give ground": ("A step back: +5 to this defence, −1 to the next attack.", "countup.md §2.6"),
    "hold at bay": ("A hit with the longer weapon stops a foe at that distance.", "countup.md §2.6"),
    "held at bay": ("Cannot advance or attack until the weapon is knocked aside.", "countup.md §2.6"),
    "knock-back": (
        "Five feet for each 15 raw damage (by size); ten feet and one lies down.",
        "countup.md §2.3",
    ),
    "threshold of pain": (
        "A wound above it: a d20 over the trauma value and one falls helpless.",
        "countup.md §2.4",
    ),
    "helpless": ("Defends with a bare d8p; attackers take half the time.", "countup.md §4"),
    "prone": ("Defends with a d8p and no shield; −4 to attacks.", "countup.md §4"),
    "surprised": ("Until one's own initiative: no action, a bare d8p.", "countup.md §1"),
    "fleeing": ("No shield, a d10p.", "countup.md §2.6"),
    "shield": ("+4 to +6 defence; a near miss strikes it, and may break it.", "countup.md §2.2"),
    "spell fatigue": ("After a spell: −6 defence, walk only, no attacks.", "countup.md §2.8"),
    "dr": ("Damage reduction: taken off every hit.", "countup.md §2.1"),
}

"""Rule terms in a sentence each, for tooltips."""

from __future__ import annotations

TERMS: dict[str, tuple[str, str]] = {
    "penetration": (
        "The highest face is thrown again and adds one less, without end.",
        "countup.md §0 Penetration",
    ),
    "initiative": ("The first second in which one may act; until then one is surprised.", "countup.md §1.1"),
    "due": ("The first second in which the weapon may strike again.", "countup.md §1 Due"),
    "speed": ("Seconds from one attack to the next.", "countup.md §1 Due"),
    "reach": (
        "Feet beyond one's own space; who reaches farther strikes first on contact.",
        "countup.md §3 Reach",
    ),
    "jab": ("Quicker; no penetration, and half the damage.", "countup.md §2.6 Jab"),
    "aggressive": (
        "+5 to this attack, −2 to all one's defences until the next.",
        "countup.md §2.6 Aggressive attack",
    ),
    "charge": ("After 20 ft straight at a run: +4 attack, twice the knock-back.", "countup.md §2.6 Charge"),
    "defensive": ("−2 attack for every +1 defence; no penetration.", "countup.md §2.6 Fight defensively"),
    "copied": (
        "A hit finds one of the copies as likely as the caster; it is gone then.",
        "countup.md §5.4 Copycat",
    ),
    "full parry": ("No attack; +5 defence until the next would be due.", "countup.md §2.6 Full parry"),
    "parry": ("No attack; +5 defence until the next would be due.", "countup.md §2.6 Full parry"),
    "give ground": ("A step back: +5 to this defence, −1 to the next attack.", "countup.md §2.6 Give ground"),
    "hold at bay": (
        "A hit with the longer weapon stops a foe at that distance.",
        "countup.md §2.6 Hold at bay",
    ),
    "held at bay": ("Cannot advance or attack until the weapon is knocked aside.", "countup.md §2.6 Held"),
    "knock-back": (
        "Five feet for each 15 raw damage (by size); ten feet and one lies down.",
        "countup.md §2.3",
    ),
    "threshold of pain": (
        "A wound above it: a d20 over the trauma value and one falls helpless.",
        "countup.md §2.4",
    ),
    "helpless": ("Defends with a bare d8p; attackers take half the time.", "countup.md §4 Helpless"),
    "prone": ("Defends with a d8p and no shield; −4 to attacks.", "countup.md §4 Prone"),
    "surprised": ("Until one's own initiative: no action, a bare d8p.", "countup.md §1 Surprise"),
    "fleeing": ("No shield, a d10p.", "countup.md §2.6 Flee"),
    "shield": ("+4 to +6 defence; a near miss strikes it, and may break it.", "countup.md §2.2"),
    "spell fatigue": ("After a spell: −6 defence, walk only, no attacks.", "countup.md §2.8 Spell fatigue"),
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
    "fights defensively": (
        "−2 attack for every +1 defence; no penetration.",
        "countup.md §2.6 Fight defensively",
    ),
    "fought defensively": (
        "A pending attack keeps the penalty of a defensive fight.",
        "countup.md §2.6 Fight defensively",
    ),
    "charging": ("Dexterity does not help one's defence for 5 s.", "countup.md §2.6 Charge"),
    "off balance": (
        "Dexterity does not help one's defence for 5 s after a charge.",
        "countup.md §2.6 Charge",
    ),
    "gives ground": (
        "A step back: +5 to this defence, −1 to the next attack.",
        "countup.md §2.6 Give ground",
    ),
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
    "rising": ("Gets up: a second, in which one still counts as lying.", "countup.md §2.7 Getting up"),
    "kneeling": (
        "Smaller behind a shield: its cover is better. Stand up to move.",
        "countup.md §2.7 Kneeling",
    ),
    "set": (
        "A long weapon set for 3 s meets a charge first, with twice its dice.",
        "countup.md §2.6 Ready against a charge",
    ),
    "blind": ("−8 to attacks and defences.", "countup.md §4 Blind"),
    "blurred": ("+4 to defences while moving.", "countup.md §5.4 Motion Blur"),
    "blessed": ("+1 to attacks and defences.", "countup.md §5.4 Bless"),
    "swift": ("Moves twice as far in a second.", "countup.md §5.4 Cheetah Speed"),
    "shielded": ("A ward takes hit points in one's stead.", "countup.md §5.4 Magic Shield"),
    "enfeebled": ("−4 to damage.", "countup.md §5.4 Enfeeble"),
    "seared": ("Hot metal does harm every second.", "countup.md §5.4 White Hot Metal"),
    "bound": ("Can do nothing.", "countup.md §5.4 Rope Charm"),
    "charmed": ("Does not strike the other side.", "countup.md §5.4 Charm"),
    "enraged": ("Only goes for the nearest foe, and strikes it.", "countup.md §5.4 Enrage"),
    "panicked": ("Only runs away from the foe.", "countup.md §5.4 Panicked"),
    "dr": ("Damage reduction: taken off every hit.", "countup.md §2.1 Damage"),
}

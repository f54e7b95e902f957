"""Rule terms in a sentence each, for tooltips."""

from __future__ import annotations

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
    "critical": ("Critical damage: one can only crawl, and dies in an hour unless aided.", "cairn.md §2.4"),
    "stable": ("The hour's clock is stopped; still out of this fight.", "cairn.md §2.6"),
    "scar": ("What is left by a blow that takes Hit Protection to exactly 0.", "cairn.md §4"),
    "fatigue": ("Fills a slot until a night's safe rest.", "cairn.md §2.10"),
    "deprived": ("No recovery until the need is met.", "cairn.md §4"),
    "panicked": (
        "Hit Protection counts as 0, attacks are impaired; a WIL save as action ends it.",
        "cairn.md §4",
    ),
    "prone": ("Hit Protection counts as 0; standing up takes 2 spaces of the move.", "cairn.md §2.7"),
    "restrained": ("Cannot move, attacks are impaired; a save as action breaks free.", "cairn.md §4"),
    "asleep": ("Cannot act, helpless; harm wakes.", "cairn.md §4"),
    "paralysed": ("Cannot act, helpless.", "cairn.md §4"),
    "doomed": ("The next failed critical save is death.", "cairn.md §4"),
    "morale": (
        "Foes who lose one, or half, or stand alone at 0 HP, make a WIL save or flee.",
        "cairn.md §2.11",
    ),
    "slots": (
        "Ten in all; bulky things fill two, petty ones none; with all filled HP count as 0.",
        "cairn.md §4",
    ),
}

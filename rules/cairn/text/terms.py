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
    "stuck": (
        "The floor holds on; a STR save as action breaks free.",
        "cairn.md §5.5",
    ),
    "unconscious": (
        "Cannot act, helpless.",
        "cairn.md §4",
    ),
    "petrified": (
        "Stone: cannot act, helpless.",
        "cairn.md §5.6",
    ),
    "delirious": (
        "WIL is 0: cannot act, helpless.",
        "cairn.md §4",
    ),
    "charmed": (
        "Friend of who charmed it: harms nobody of that side until the time is over or a blow does harm.",
        "cairn.md §5.5",
    ),
    "commanded": (
        "The next turn is spent obeying.",
        "cairn.md §5.5",
    ),
    "frightened": (
        "Runs as far as it can from what it fears, each turn.",
        "cairn.md §5.5",
    ),
    "frenzied": (
        "Goes for whoever is nearest, friend or foe, each turn.",
        "cairn.md §5.5",
    ),
    "hating": (
        "Goes for one creature and nobody else, friend or foe, each turn.",
        "cairn.md §5.5",
    ),
    "greedy": (
        "Goes for one thing on the floor until it has it.",
        "cairn.md §5.5",
    ),
    "hovering": (
        "Two feet off the floor: what lies or gapes there does nothing to it.",
        "cairn.md §5.5",
    ),
    "clinging": (
        "Walks on walls and ceiling: what lies or gapes on the floor does nothing to it.",
        "cairn.md §5.5",
    ),
    "tethered": (
        "Never more than two spaces from whom it is joined to; a STR or DEX save as action cuts it.",
        "cairn.md §5.5",
    ),
    "tardy": (
        "Time is slow around it: a space less a move.",
        "cairn.md §5.5",
    ),
    "pacified": (
        "Raises no hand and works no harm until the time is over or a blow does harm.",
        "cairn.md §5.5",
    ),
    "slowed": (
        "Moves half as far.",
        "cairn.md §5.5",
    ),
    "blind": (
        "Finds only neighbours; its attacks are impaired, and blows on it go straight to STR.",
        "cairn.md §2.5",
    ),
    "deaf": (
        "What works by hearing does nothing to it.",
        "cairn.md §4",
    ),
    "silenced": (
        "No books, and nothing that needs a voice.",
        "cairn.md §2.10",
    ),
    "invisible": (
        "Nobody's target until it moves or acts.",
        "cairn.md §5.5",
    ),
    "unseen": (
        "Found only by its neighbours, and struck at impaired.",
        "cairn.md §5.6",
    ),
    "displaced": (
        "Not quite where it seems: attacks on it are impaired.",
        "cairn.md §5.5",
    ),
    "mirrored": (
        "A double takes the next blow.",
        "cairn.md §5.5",
    ),
    "averted": (
        "Looks away: no stare takes hold, and blows at whoever stares are impaired, for this round.",
        "cairn.md §3",
    ),
    "daring": (
        "A DEX save makes the blow a d12; failed, one lies there and strikes nothing.",
        "cairn.md §2.2",
    ),
    "help": (
        "A friend is freed or takes heart; where a foe holds it, the weaker of the two saves STR.",
        "cairn.md §2.12",
    ),
    "shielded": (
        "Ordinary blows do nothing.",
        "cairn.md §5.5",
    ),
    "smoke": (
        "Smoke: ordinary blows do nothing, and it strikes and holds nothing.",
        "cairn.md §5.5",
    ),
    "hasted": (
        "Moves three times as far.",
        "cairn.md §5.5",
    ),
    "rooted": (
        "Cannot move, and is not moved.",
        "cairn.md §5.5",
    ),
    "elastic": (
        "Strikes hand to hand a space farther.",
        "cairn.md §5.5",
    ),
    "swarm": (
        "Only what sweeps an area harms it.",
        "cairn.md §5.5",
    ),
    "true sight": (
        "Sees the hidden, and is not deceived by doubles.",
        "cairn.md §5.5",
    ),
    "glowing": (
        "Sheds light 8 spaces around.",
        "cairn.md §5.5",
    ),
    "snuffed": (
        "Its light is out; lighting it anew takes an action.",
        "cairn.md §5.5",
    ),
    "winded": (
        "Loses the next turn.",
        "cairn.md §4",
    ),
    "drained": (
        "Hit Protection counts as 0.",
        "cairn.md §5.6",
    ),
    "out": (
        "A mortal wound: out of the fight, dead in an hour unless healed.",
        "cairn.md §4",
    ),
    "enthralled": (
        "Its will is another's: it harms nobody of that side.",
        "cairn.md §5.6",
    ),
    "torn": (
        "Flesh is torn away, and must be sewn up after the fight.",
        "cairn.md §5.6",
    ),
    "infected": (
        "No recovery until it is treated.",
        "cairn.md §4",
    ),
    "poisoned": (
        "Deadly within hours without a cure; nothing in this fight.",
        "cairn.md §5.6",
    ),
    "overgrown": (
        "Growths that must be cut out after the fight.",
        "cairn.md §5.6",
    ),
    "possessed": (
        "The ghost has it, once the fight is over.",
        "cairn.md §5.6",
    ),
    "engulfed": (
        "In its maw: cannot move, and loses STR each round, until it breaks free or a friend's STR save gets it out.",
        "cairn.md §5.6",
    ),
    "swallowed": (
        "In its maw: cannot move, and loses STR each round, until it breaks free or a friend's STR save gets it out.",
        "cairn.md §5.6",
    ),
    "stingers": (
        "Loses STR each round until they are out: break free, or a friend helps.",
        "cairn.md §5.6",
    ),
    "choking": (
        "Lifted off the floor: dead when the time is over, unless it is freed or what holds it falls first.",
        "cairn.md §5.6",
    ),
    "drowning": (
        "Dead when the time is over, unless a friend helps or whose water it is falls first.",
        "cairn.md §5.6",
    ),
    "turning to stone": (
        "Stone when the time is over, unless whose stare it is falls first.",
        "cairn.md §5.6",
    ),
    "lame": (
        "A leg is broken or lost: 2 spaces a move.",
        "cairn.md §4",
    ),
    "one-armed": (
        "One hand can't be used.",
        "cairn.md §4",
    ),
    "detachment": (
        "Many as one: single blows on it are impaired, its own are enhanced and strike all around.",
        "cairn.md §2.13",
    ),
    "blast": (
        "A die of its own for everybody in the area.",
        "cairn.md §2.2",
    ),
    "direct": (
        "Straight to STR, past Hit Protection; Armor still counts.",
        "cairn.md §2.5",
    ),
    "reaction": (
        "2d6: 2 hostile, 3–5 wary, 6–8 curious, 9–11 kind, 12 helpful.",
        "cairn.md §1",
    ),
    "die of fate": (
        "d6: 4 and more is good for the party.",
        "cairn.md §1",
    ),
    "ready": (
        "A blow or a power held until a foe comes within reach, or does something there.",
        "cairn.md §2.12",
    ),
    "retreat": (
        "The whole turn and a DEX save, or the turn is lost.",
        "cairn.md §2.8",
    ),
    "killed": ("Dead: STR at 0, or for foes a failed critical save.", "cairn.md §2.4"),
    "wounded": ("STR was lost, and the critical save passed.", "cairn.md §2.4"),
    "hit points": ("Hit Protection was lost and some is left: no wound.", "cairn.md §2.4"),
    "scratched": ("Another blow of the pool counted.", "cairn.md §2.3"),
    "dice": ("What an attack rolls: the highest counts.", "cairn.md §2.2"),
}

SCARS: dict[int, tuple[str, str]] = {
    1: ("Lasting scar", "for all to see"),
    2: ("Shaken", "by a rattling blow"),
    3: ("Knocked flat", "deprived until some hours of rest; then more HP"),
    4: ("Broken bone", "until it has mended; then perhaps more HP"),
    5: ("Infected wound", "until it is treated; then perhaps more HP"),
    6: ("Head wound", "an attribute may have changed"),
    7: ("Hamstrung", "hardly moves until it is helped; then perhaps more DEX"),
    8: ("Deafened", "until something out of the ordinary helps"),
    9: ("Scrambled wits", "WIL may have grown"),
    10: ("Lost limb", "for good"),
    11: ("Mortal wound", "dead within the hour unless healed"),
    12: ("Doomed", "the next failed critical save is death"),
}
"""Rows of the table of scars: how each is called on a sheet, and what is left of it."""

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

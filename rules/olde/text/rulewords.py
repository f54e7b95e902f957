"""What the rules say to which adjustments refer, a sentence each: for whoever asks where a figure came from."""

from __future__ import annotations

from rules.olde.traits.kinds import TRAITS

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

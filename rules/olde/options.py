"""Optional rules of Dungeons of Olde: switches of a record, and what set-up windows say of them."""

from __future__ import annotations

from rules.contract.ruleset import Switch
from rules.contract.text import Text
from rules.olde.combat import reactions

OPTIONS = {
    "advanced": True,
    "gm": False,
    "exploding_damage": False,
    "strict_throws": True,
    "darkness": False,
    "fog": False,
    "explore": False,
    "reflexes": False,
    "criticals": False,
    "advantage": False,
    **dict.fromkeys(reactions.OPTIONS, False),
}
"""Switches of a record and their defaults."""

_TOLD = (
    ("advanced", "Advanced moves and actions", "Run, rushed and all-out attacks, and aimed shots."),
    ("gm", "Ask about critical misses", "The game master chooses between two outcomes; else a d2 decides."),
    ("exploding_damage", "Damage dice explode", "A damage die at its maximum is thrown again and added."),
    ("darkness", "Darkness", "Who stands in the dark is seen only from close by; the map's lights count."),
    ("reflexes", "Reflexes and responses", "All four: out of turn, for AP, whoever is attacked may answer."),
    *(
        (
            r.option,
            Text.of("{label}, out of turn", label=r.label),
            Text.of("{ap} AP; needs {needs}.", ap=r.ap, needs=r.needs),
        )
        for r in reactions.REACTIONS.values()
    ),
    ("criticals", "Critical outcomes of checks", "Checks outside of blows may go very well or very badly."),
    (
        "advantage",
        "Advantage and disadvantage",
        "Higher ground, a foe caught unaware, a friend's help: two sets of dice, the better kept.",
    ),
    ("fog", "Fog of war", "Each side knows only what its own creatures see."),
    (
        "explore",
        "Begin with exploration",
        "The heroes come minute by minute, unnoticed if they can, until it comes to blows.",
    ),
)
SWITCHES = tuple(Switch(name, label, text, OPTIONS[name]) for name, label, text in _TOLD)
"""Those of them that a table decides upon."""

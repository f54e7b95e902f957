"""The dice of initiative: what one knew beforehand, and who comes unheard or lies in wait (§1.1, §2.9)."""

from __future__ import annotations

from tests.twins.countup.fight import Fight
from tests.twins.countup.people import Person

SCENES = {"standard": 12, "ambush": 10, "heard": 8, "door": 6, "corner": 4}
UNTRAINED = 10
"""An ability that no stat block tells."""


def initiative_dice(f: Fight) -> list[int]:
    """Everybody's die. The unnoticed wait with a d4; where anybody notices them, they and those know: a d8."""
    dice = [12 if p.block.get("surprised") else SCENES[p.block.get("scene", "standard")] for p in f.people]
    for side in dict.fromkeys(p.side for p in f.people):
        for way, quiet, sense in (("sneaking", "sneaking", "listening"), ("hidden", "hiding", "observation")):
            band = [p for p in f.people if p.side == side and p.block.get("stealth") == way]
            if not band:
                continue
            least = min(skill(p, quiet) for p in band)
            noticed = [
                q for q in f.people
                if q.side != side and not q.block.get("surprised") and notices(f, least, skill(q, sense))
            ]  # fmt: skip
            for p in band + noticed:
                dice[p.number] = min(dice[p.number], 8 if noticed else 4)
    return dice


def skill(p: Person, name: str) -> int:
    """A percentage; untrained the ability."""
    return p.block.get("skills", {}).get(name) or UNTRAINED


def notices(f: Fight, quiet: int, sense: int) -> bool:
    """d100 and the skill each, a tie again."""
    while True:
        mine, theirs = f.dice.die(100) + quiet, f.dice.die(100) + sense
        if mine != theirs:
            return theirs > mine
